//! Cases of the rules page that span a turn.

use dipjudge::calendar::Season;
use dipjudge::game::{Adjustment, Ending, Event, Phase, State, VariantGame};
use dipjudge::orders::VariantData;

use super::table::Table;

fn winner(table: &Table) -> Option<Vec<String>> {
    let name = |power: &dipjudge::map::Power| table.game().key(*power).to_owned();
    match &table.game().state {
        State::Over(Ending::Won(powers)) => Some(powers.iter().map(name).collect()),
        _ => None,
    }
}

/// O74
#[test]
fn an_empire_may_be_eliminated_in_spring_and_its_colonies_are_free() {
    let mut table = Table::of(&["JED", "ZOR", "KLA"], &[]);
    table.place(
        "JED: A BER, A SIL; ZOR: A LON; KLA: A MUN",
        "",
        "KLA: VIE BOH",
    );
    let jed = table.power("JED");
    table
        .write(jed, "A BER - MUN, A SIL S A BER - MUN")
        .unwrap();
    table.run();
    assert_eq!(
        table.game().phase,
        Phase::Retreats,
        "it could go to its spacecraft"
    );
    table.run();
    assert_eq!(
        (table.game().turn.season, &table.game().phase),
        (Season::Fall, &Phase::Movement)
    );
    assert_eq!(table.colony("VIE"), None);
    assert!(table.report().iter().any(|line| line
        == "Empire of KLA (KLA) has neither a unit nor a center and is eliminated; its colonies Bohemia and Vienna are free."));
    assert!(
        table
            .report()
            .iter()
            .any(|line| line.contains("KLA:") && line.ends_with("eliminated."))
    );
}

/// O75
#[test]
fn centers_without_units_keep_an_empire_in_play() {
    let mut table = Table::of(&["JED", "KLA"], &[]);
    table.place("JED: A BER", "JED: BER; KLA: VIE", "KLA: VIE");
    table.open(Season::Fall, 1903, Phase::Movement);
    table.run();
    assert_eq!(table.game().phase, Phase::Adjustments);
    let kla = table.power("KLA");
    table.write(kla, "BUILD A VIE").unwrap();
    table.run();
    let built = &table.game().last.as_ref().unwrap().adjusted;
    assert!(matches!(built.as_slice(), [one] if matches!(one.what, Adjustment::Built(_))));
}

/// O76
#[test]
fn a_year_in_orbit_ends_an_empire() {
    let mut table = Table::of(&["JED", "ZOR", "KLA"], &[]);
    for (power, line) in [("JED", "A ORB - MUN"), ("KLA", "A ORB - LON")] {
        let power = table.power(power);
        table.mail();
        table.write(power, line).unwrap();
    }
    table.run();
    table.run();
    assert_eq!(table.game().phase, Phase::Adjustments);
    let zor = table.power("ZOR");
    assert_eq!(
        VariantGame::new(table.game(), table.variant())
            .allowances()
            .due(zor),
        -3
    );
    table.run();
    let gone = &table.game().last.as_ref().unwrap().adjusted;
    let of_zor = gone.iter().filter(|adjusted| adjusted.power == zor).count();
    assert_eq!(of_zor, 3);
    assert!(!table.variant().in_play(table.game(), zor) && !table.game().over());
}

/// O77
#[test]
fn eighteen_centers_win_whatever_the_number_of_empires() {
    let empires = [
        "JED", "ZOR", "KLA", "BAJ", "CAR", "DOM", "FER", "GOR", "HIR",
    ];
    let mut table = Table::of(&empires, &[]);
    let owned =
        "JED: MUN BER KIE HOL BEL PAR BRE MAR SPA POR LON EDI LVP NWY SWE DEN STP; ZOR: VIE";
    table.place("JED: A MOS; ZOR: A VIE", owned, "");
    table.open(Season::Fall, 1907, Phase::Movement);
    table.run();
    assert_eq!(winner(&table), Some(vec!["JED".to_owned()]));
    assert_eq!(table.game().token(table.variant()), "F1907MX");
}

/// O79, O80
#[test]
fn a_colony_jams_whoever_owns_the_center_until_its_empire_is_out() {
    let mut table = Table::of(&["JED", "ZOR", "KLA"], &[]);
    table.place(
        "JED: A BER, 1 A ORB; ZOR: 1 A ORB; KLA: A LON",
        "JED: MUN BER; ZOR: WAR",
        "ZOR: MUN KIE",
    );
    let (jed, zor) = (table.power("JED"), table.power("ZOR"));
    let why = table.write(jed, "A ORB - MUN").unwrap_err();
    assert_eq!(
        why,
        "Munich is a colony of Empire of ZOR (ZOR), which jams your beam: nobody else can land there. March in instead."
    );
    table.write(zor, "A ORB - MUN").unwrap();
    let sites = VariantGame::new(table.game(), table.variant())
        .allowances()
        .sites(jed);
    assert!(sites.is_empty());
    table.run();
    let munich = super::table::province("MUN");
    assert_eq!(
        table.game().position.owners.get(&munich),
        Some(&jed),
        "no change of owner in Spring"
    );

    // ZOR loses all that it had.
    table.place(
        "JED: A BER, 1 A ORB; KLA: A LON",
        "JED: MUN",
        "ZOR: MUN KIE",
    );
    let data = serde_json::json!({ "colonies": { "MUN": 1, "KIE": 1 }, "in_play": [0, 1, 2] });
    table.edit.emit(Event::Data {
        data: VariantData::from(data).into(),
    });
    table.run();
    assert_eq!(table.colony("MUN"), None);
    table.write(jed, "A ORB - KIE").unwrap();
}

#[test]
fn the_last_empire_in_play_wins_and_nobody_left_is_a_draw_of_those_who_went() {
    let mut table = Table::of(&["JED", "ZOR"], &[]);
    table.place("JED: A MUN", "", "ZOR: KIE");
    let data = serde_json::json!({ "colonies": { "KIE": 1 }, "in_play": [0, 1] });
    table.edit.emit(Event::Data {
        data: VariantData::from(data).into(),
    });
    table.run();
    assert_eq!(winner(&table), Some(vec!["JED".to_owned()]));

    // Nobody ever leaves orbit.
    let mut table = Table::of(&["JED", "ZOR", "KLA"], &[]);
    (0..3).for_each(|_| table.run());
    assert!(matches!(&table.game().state, State::Over(Ending::Drawn(powers)) if powers.len() == 3));
}

#[test]
fn where_nobody_can_ever_do_anything_again_the_game_is_drawn() {
    let mut table = Table::of(&["JED", "ZOR"], &[]);
    table.place("JED: A MUN, A BER; ZOR: A KIE", "JED: VIE; ZOR: LON", "");
    table.open(Season::Winter, 1905, Phase::Adjustments);
    table.run();
    // JED removes one of two; the others go on.
    assert!(!table.game().over());
    table.place("", "JED: VIE; ZOR: LON", "JED: BER");
    table.run();
    table.run();
    assert!(matches!(&table.game().state, State::Over(Ending::Drawn(powers)) if powers.len() == 2));
}

#[test]
fn whoever_has_no_unit_on_the_map_is_waited_for_until_it_says_something() {
    let mut table = Table::of(&["JED", "ZOR"], &[]);
    let (jed, zor) = (table.power("JED"), table.power("ZOR"));
    let missing = |table: &Table| VariantGame::new(table.game(), table.variant()).powers_missing();
    assert_eq!(missing(&table), [jed, zor]);
    table.write(jed, "A ORB H").unwrap();
    assert_eq!(missing(&table), [zor]);
    table.mail();
    table.write(zor, "A ORB - MUN").unwrap();
    assert!(
        missing(&table).is_empty(),
        "the other two do well without an order"
    );
}
