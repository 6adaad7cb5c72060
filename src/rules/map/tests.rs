//! The standard board, and the notation of map files.

use super::*;

fn at(text: &str) -> Location {
    text.parse().unwrap()
}

fn province(text: &str) -> Province {
    text.parse().unwrap()
}

#[test]
fn the_standard_board_has_its_counts() {
    let map = Map::standard();
    assert_eq!(map.name(), "standard");
    assert_eq!(map.provinces().len(), 75);
    let terrain = |terrain| {
        map.provinces()
            .iter()
            .filter(|info| info.terrain == terrain)
            .count()
    };
    assert_eq!(
        (
            terrain(Terrain::Inland),
            terrain(Terrain::Sea),
            terrain(Terrain::Coast)
        ),
        (14, 19, 42)
    );
    assert_eq!(map.centers().len(), 34);
    assert_eq!(map.start().len(), 22);
    let homes: Vec<usize> = (0..7).map(|power| map.homes(Power(power)).len()).collect();
    assert_eq!(homes, [3, 3, 3, 3, 3, 4, 3]);
    let names: Vec<&str> = map
        .powers()
        .iter()
        .map(|power| power.key.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"
        ]
    );
}

#[test]
fn borders_are_the_same_from_both_sides() {
    let map = Map::standard();
    for info in map.provinces() {
        for travel in [Travel::Land, Travel::Sea, Travel::Both] {
            for here in map.stations(travel, info.code) {
                for there in map.reach(travel, here) {
                    assert!(map.reach(travel, *there).contains(&here), "{here} {there}");
                    assert!(map.neighbors(info.code).contains(&there.province));
                }
            }
        }
    }
}

#[test]
fn borders_that_other_tables_lack_are_there() {
    let map = Map::standard();
    for (travel, a, b) in [
        (Travel::Sea, "BOT", "FIN"),
        (Travel::Sea, "BOT", "LVN"),
        (Travel::Sea, "BOT", "STP/SC"),
        (Travel::Sea, "BOT", "SWE"),
        (Travel::Land, "GAL", "UKR"),
        (Travel::Land, "LVN", "WAR"),
        (Travel::Land, "NWY", "STP"),
        (Travel::Sea, "NWY", "STP/NC"),
        (Travel::Sea, "TUS", "TYS"),
    ] {
        assert!(map.reach(travel, at(a)).contains(&at(b)), "{a} {b}");
    }
}

#[test]
fn fleets_follow_the_coast_and_armies_the_land() {
    let map = Map::standard();
    assert_eq!(
        map.reach(Travel::Sea, at("SPA/NC")),
        [at("GAS"), at("MAO"), at("POR")]
    );
    assert_eq!(
        map.reach(Travel::Land, at("SPA")),
        [at("GAS"), at("MAR"), at("POR")]
    );
    assert!(!map.reach(Travel::Sea, at("ROM")).contains(&at("VEN")));
    assert!(map.reach(Travel::Land, at("ROM")).contains(&at("VEN")));
    assert!(map.reach(Travel::Sea, at("SPA")).is_empty());
    assert!(map.reach(Travel::Land, at("NTH")).is_empty());
    let near: Vec<&str> = map
        .neighbors(province("STP"))
        .iter()
        .map(Province::as_str)
        .collect();
    assert_eq!(near, ["BAR", "BOT", "FIN", "LVN", "MOS", "NWY"]);
}

#[test]
fn places_are_named_in_full() {
    let map = Map::standard();
    assert_eq!(map.full_name(at("STP/SC")), "St Petersburg (south coast)");
    assert_eq!(map.full_name(at("LYO")), "Gulf of Lyon");
}

#[test]
fn every_spelling_means_one_province() {
    let map = Map::standard();
    let spellings: Vec<_> = map.spellings().collect();
    for pair in spellings.windows(2) {
        assert!(pair[0].0 < pair[1].0, "{pair:?}");
    }
    let meaning = |text: &str| {
        spellings
            .iter()
            .find(|(spelling, _)| *spelling == text)
            .map(|(_, code)| code.as_str())
    };
    for (text, code) in [
        ("mid-atlantic ocean", "MAO"),
        ("mid", "MAO"),
        ("st. petersburg", "STP"),
        ("norw", "NWY"),
        ("tyr", "TYR"),
        ("eas med", "EAS"),
        ("gol", "LYO"),
        ("heligoland bight", "HEL"),
    ] {
        assert_eq!(meaning(text), Some(code), "{text}");
    }
    assert_eq!(meaning("liv"), None);
}

#[test]
fn a_power_may_be_called_by_its_people() {
    let people = |map: &Map| map.people_of("Turkey").any(|word| word == "Sultan");
    assert!(people(Map::standard()));
    let other = Map::parse("name x\nuse standard\nno powers\n", Map::named).unwrap();
    assert!(!people(&other), "they go with the powers");
    let fault = Map::parse("people Ruritania  Rurs", Map::named).unwrap_err();
    assert_eq!(fault.to_string(), "line 1: no power is called `Ruritania`");
}

#[test]
fn a_map_can_build_on_another() {
    let text = "name silly\nuse standard\nno centers\npower Mastermind\n\
        kind DOM  Dirty Old Man Army  land  idle\n\
        called DOM  Dirty Old Man, DM\nshown DOM  Warden army  WA\n\
        ICE  Iceland  coast  only Mastermind\n fleet NAO NWG\n also thule\n\
        ORB  Orbit  inland  shared\n";
    let map = Map::parse(text, Map::named).unwrap();
    assert_eq!(map.provinces().len(), 77);
    assert!(map.centers().is_empty());
    assert_eq!(map.info(province("ICE")).unwrap().only, Some(Power(7)));
    assert!(map.info(province("ORB")).unwrap().shared);
    assert!(map.reach(Travel::Sea, at("NAO")).contains(&at("ICE")));
    let dom = map.kind("DOM".parse().unwrap()).unwrap();
    assert!(!dom.fights);
    assert_eq!(
        (dom.name.as_str(), dom.code().as_str()),
        ("Warden army", "WA")
    );
    assert_eq!(
        dom.also,
        ["Dirty Old Man", "DM", "Dirty Old Man Army", "WA"]
    );
    assert!(
        map.spellings()
            .any(|(spelling, code)| spelling == "thule" && code == province("ICE"))
    );
}

#[test]
fn a_faulty_map_is_refused_with_its_line() {
    let fault = |text: &str| Map::parse(text, Map::named).unwrap_err().to_string();
    assert_eq!(
        fault("name x\nfrobnicate"),
        "line 2: unknown word `frobnicate`"
    );
    assert_eq!(fault("use atlantis"), "line 1: no map is called `atlantis`");
    assert_eq!(
        fault("AAA  Aland  inland\n army BBB\nBBB  Bland  inland\n"),
        "line 1: AAA has a border to BBB for armies, but BBB has none to AAA"
    );
    assert_eq!(
        fault("AAA  Aland  inland\n fleet BBB\nBBB  Bland  sea\n fleet AAA"),
        "line 1: fleets cannot be at AAA"
    );
    assert_eq!(
        fault("AAA  Aland  inland\nAAA  Other  inland"),
        "line 2: `AAA` is there already"
    );
    assert_eq!(
        fault("AAA  Aland  inland  center Ruritania"),
        "line 1: no power is called `Ruritania`"
    );
    assert_eq!(
        fault("army AAA"),
        "line 1: expected a province before its borders and spellings"
    );
    assert_eq!(
        fault("AAA  Aland  inland\n also bland\nBBB  Bland  inland"),
        "line 3: the spelling `bland` means both AAA and BBB"
    );
    assert_eq!(
        fault("use standard\nstart Austria  F BOH"),
        "line 2: F cannot be at BOH"
    );
}
