//! Reads map files. Every error names the line.

use std::collections::{BTreeMap, BTreeSet};

use super::{Coast, Location, Map, Power, PowerInfo, Province, ProvinceInfo, Terrain, UnitKind, code_place};

/// What is wrong with a map file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct MapError {
    /// Counted from 1; 0 for a fault of the map as a whole.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

fn fault<T>(line: usize, what: impl Into<String>) -> Result<T, MapError> {
    Err(MapError { line, what: what.into() })
}

/// The map so far, with the line on which each border was written.
#[derive(Default)]
struct Draft {
    name: String,
    provinces: BTreeMap<Province, ProvinceInfo>,
    home_names: BTreeMap<Province, (String, usize)>,
    powers: Vec<PowerInfo>,
    starts: Vec<(String, UnitKind, Location, usize)>,
    summary: Vec<(Province, String)>,
    army: BTreeMap<(Province, Province), usize>,
    fleet: BTreeMap<(Location, Location), usize>,
}

pub(super) fn parse<'a>(text: &'a str, shipped: &dyn Fn(&str) -> Option<&'a str>) -> Result<Map, MapError> {
    let mut draft = Draft::default();
    read(text, shipped, &mut draft, 0)?;
    check_borders(&draft)?;
    finish(draft)
}

fn read<'a>(
    text: &'a str,
    shipped: &dyn Fn(&str) -> Option<&'a str>,
    draft: &mut Draft,
    depth: usize,
) -> Result<(), MapError> {
    let mut current: Option<Province> = None;
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let line = line.split('#').next().unwrap_or_default();
        if line.trim().is_empty() {
            continue;
        }
        if line.starts_with(' ') {
            let Some(province) = current else { return fault(number, "an indented line must follow a province") };
            read_detail(draft, province, line.trim(), number)?;
            continue;
        }
        let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        match word {
            "map" => draft.name = rest.trim().to_owned(),
            "use" => {
                let Some(base) = shipped(rest.trim()).filter(|_| depth < 4) else {
                    return fault(number, format!("there is no map {} to use", rest.trim()));
                };
                read(base, shipped, draft, depth + 1)?;
            }
            "no" if rest.trim() == "centers" => {
                draft.provinces.values_mut().for_each(|info| (info.center, info.home) = (false, None));
                draft.home_names.clear();
                draft.summary.clear();
            }
            "power" => draft.powers.push(read_power(rest, number)?),
            "start" => read_start(draft, rest, number)?,
            "summary" => draft.summary = read_summary(rest, number)?,
            _ => current = Some(read_province(draft, word, rest, number)?),
        }
    }
    Ok(())
}

fn read_power(rest: &str, line: usize) -> Result<PowerInfo, MapError> {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let (name, adjective, letter) = match *words.as_slice() {
        [name, adjective] => (name, adjective, None),
        [name, adjective, letter] if letter.chars().count() == 1 => (name, adjective, letter.chars().next()),
        _ => return fault(line, "a power is written: power Austria Austrian A"),
    };
    Ok(PowerInfo { name: name.to_owned(), adjective: adjective.to_owned(), key: name.to_uppercase(), letter })
}

fn read_start(draft: &mut Draft, rest: &str, line: usize) -> Result<(), MapError> {
    let Some((power, units)) = rest.split_once(':') else {
        return fault(line, "a start is written: start Austria: A VIE, F TRI");
    };
    for unit in units.split(',') {
        let mut words = unit.split_whitespace();
        let (Some(kind), Some(place)) = (words.next(), words.next()) else {
            return fault(line, format!("{} is not a unit", unit.trim()));
        };
        let Some(letter) = kind.chars().next().filter(|_| kind.chars().count() == 1) else {
            return fault(line, format!("{kind} is not a kind of unit"));
        };
        let place = place.parse().or_else(|_| fault(line, format!("{place} is not a place")))?;
        draft.starts.push((power.trim().to_owned(), UnitKind::new(letter), place, line));
    }
    Ok(())
}

fn read_summary(rest: &str, line: usize) -> Result<Vec<(Province, String)>, MapError> {
    let one = |word: &str| {
        let (code, shown) = word.split_once(':').unwrap_or((word, ""));
        let province: Province = code.parse().or_else(|_| fault(line, format!("{code} is not a province")))?;
        let mut shown = shown.to_owned();
        if shown.is_empty() {
            shown = format!("{}{}", &code[..1], code[1..].to_lowercase());
        }
        Ok((province, shown))
    };
    rest.split_whitespace().map(one).collect()
}

fn read_province(draft: &mut Draft, code: &str, rest: &str, line: usize) -> Result<Province, MapError> {
    let Ok(province) = code.parse::<Province>() else {
        return fault(line, format!("{code} is not the code of a province: three letters are wanted"));
    };
    let columns: Vec<&str> = rest.split("  ").map(str::trim).filter(|column| !column.is_empty()).collect();
    let (name, terrain, more) = match columns.split_first() {
        Some((name, [terrain, more @ ..])) => (*name, *terrain, more),
        _ => return fault(line, "a province is written: VIE  Vienna  inland  center Austria"),
    };
    let terrain = match terrain {
        "sea" => Terrain::Sea,
        "inland" => Terrain::Inland,
        "coast" => Terrain::Coast,
        "impassable" => Terrain::Impassable,
        other => return fault(line, format!("{other} is no terrain: sea, inland, coast or impassable")),
    };
    let mut info = ProvinceInfo {
        code: province,
        name: name.to_owned(),
        terrain,
        center: false,
        home: None,
        coasts: Vec::new(),
        also: Vec::new(),
        only: None,
        crowded: false,
    };
    draft.home_names.remove(&province);
    for word in more {
        match word.split_once(' ') {
            None if *word == "center" => info.center = true,
            Some(("center", power)) => {
                info.center = true;
                draft.home_names.insert(province, (power.trim().to_owned(), line));
            }
            Some(("only", name)) => info.only = Some(name.trim().to_owned()),
            None if *word == "crowded" => info.crowded = true,
            _ => return fault(line, format!("{word} is not an attribute: center, only NAME or crowded")),
        }
    }
    // A map that builds on another may redefine a province; its borders are then written anew.
    draft.army.retain(|(from, _), _| *from != province);
    draft.fleet.retain(|(from, _), _| from.province != province);
    draft.provinces.insert(province, info);
    Ok(province)
}

fn read_detail(draft: &mut Draft, province: Province, text: &str, line: usize) -> Result<(), MapError> {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    let Some(info) = draft.provinces.get_mut(&province) else { return Ok(()) };
    match word.split_once('/').unwrap_or((word, "")) {
        ("also", "") => info.also = rest.split(',').map(|name| name.trim().to_lowercase()).collect(),
        ("army", "") => {
            for code in rest.split_whitespace() {
                let Ok(to) = code.parse::<Province>() else { return fault(line, format!("{code} is not a province")) };
                draft.army.insert((province, to), line);
            }
        }
        ("fleet", coast) => {
            let coast = match coast {
                "" => None,
                code => Some(Coast::from_code(code).ok_or(MapError { line, what: format!("{code} is not a coast") })?),
            };
            if let Some(coast) = coast {
                info.coasts.push(coast);
                info.coasts.sort();
                info.coasts.dedup();
            }
            for code in rest.split_whitespace() {
                let Ok(to) = code.parse::<Location>() else { return fault(line, format!("{code} is not a place")) };
                draft.fleet.insert((Location { province, coast }, to), line);
            }
        }
        _ => return fault(line, format!("{word} is not known here: also, army or fleet")),
    }
    Ok(())
}

/// Every border must exist from both sides and fit the terrain.
fn check_borders(draft: &Draft) -> Result<(), MapError> {
    let terrain = |province: Province| draft.provinces.get(&province).map(|info| info.terrain);
    for ((from, to), line) in &draft.army {
        if !matches!(terrain(*to), Some(Terrain::Inland | Terrain::Coast)) {
            return fault(*line, format!("an army cannot stand in {to}"));
        }
        if !draft.army.contains_key(&(*to, *from)) {
            return fault(*line, format!("armies go from {from} to {to} but not back"));
        }
    }
    for ((from, to), line) in &draft.fleet {
        if !matches!(terrain(to.province), Some(Terrain::Sea | Terrain::Coast)) {
            return fault(*line, format!("a fleet cannot stand in {to}"));
        }
        if !draft.fleet.contains_key(&(*to, *from)) {
            return fault(*line, format!("fleets go from {from} to {to} but not back"));
        }
    }
    Ok(())
}

fn finish(draft: Draft) -> Result<Map, MapError> {
    let Draft { name, mut provinces, home_names, mut powers, starts, summary, army, fleet } = draft;
    powers.sort_by(|a, b| a.name.cmp(&b.name));
    let power_of = |name: &str, line: usize| match powers.iter().position(|power| power.name == name) {
        Some(index) => Ok(Power(index as u8)),
        None => fault(line, format!("there is no power {name}")),
    };
    let mut homes = vec![Vec::new(); powers.len()];
    for (province, (name, line)) in home_names {
        let power = power_of(&name, line)?;
        homes[usize::from(power.0)].push(province);
        if let Some(info) = provinces.get_mut(&province) {
            info.home = Some(power);
        }
    }
    if provinces.len() >= usize::from(u8::MAX) {
        return fault(0, "a map holds at most 254 provinces");
    }
    let mut by_code = vec![u8::MAX; 26 * 26 * 26];
    for (index, province) in provinces.keys().enumerate() {
        if let Some(slot) = code_place(*province).and_then(|place| by_code.get_mut(place)) {
            *slot = index as u8;
        }
    }
    let start = starts.into_iter().map(|(name, kind, at, line)| Ok((power_of(&name, line)?, kind, at)));
    let start = start.collect::<Result<Vec<_>, MapError>>()?;
    let provinces: Vec<ProvinceInfo> = provinces.into_values().collect();
    let centers: Vec<Province> = provinces.iter().filter(|info| info.center).map(|info| info.code).collect();
    let summary = match summary.is_empty() {
        false => summary,
        true => centers.iter().map(|center| (*center, center.as_str().to_owned())).collect(),
    };
    let (land, sea) = borders(&army, &fleet);
    let (both, neighbors) = united(&land, &sea);
    Ok(Map { name, provinces, by_code, powers, homes, start, centers, summary, land, sea, both, neighbors })
}

type Borders = BTreeMap<Location, Vec<Location>>;

fn borders(army: &BTreeMap<(Province, Province), usize>, fleet: &BTreeMap<(Location, Location), usize>) -> (Borders, Borders) {
    let (mut land, mut sea) = (Borders::new(), Borders::new());
    for (from, to) in army.keys() {
        land.entry(Location::of(*from)).or_default().push(Location::of(*to));
    }
    for (from, to) in fleet.keys() {
        sea.entry(*from).or_default().push(*to);
    }
    (land, sea)
}

/// Borders for a unit that travels everywhere, and the neighbours of each province.
fn united(land: &Borders, sea: &Borders) -> (Borders, BTreeMap<Province, Vec<Province>>) {
    let mut both: BTreeMap<Location, BTreeSet<Location>> = BTreeMap::new();
    let mut near: BTreeMap<Province, BTreeSet<Province>> = BTreeMap::new();
    for (from, to) in land.iter().chain(sea).flat_map(|(from, to)| to.iter().map(move |to| (*from, *to))) {
        both.entry(Location::of(from.province)).or_default().insert(Location::of(to.province));
        near.entry(from.province).or_default().insert(to.province);
    }
    let both = both.into_iter().map(|(from, to)| (from, to.into_iter().collect())).collect();
    (both, near.into_iter().map(|(from, to)| (from, to.into_iter().collect())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standard() -> &'static Map {
        Map::standard()
    }

    #[test]
    fn the_standard_board_has_its_counts() {
        let map = standard();
        assert_eq!(map.provinces().iter().filter(|info| info.terrain != Terrain::Impassable).count(), 75);
        let count = |terrain| map.provinces().iter().filter(|info| info.terrain == terrain).count();
        assert_eq!((count(Terrain::Inland), count(Terrain::Sea), count(Terrain::Coast)), (14, 19, 42));
        assert_eq!(map.centers().count(), 34);
        assert_eq!(map.start().len(), 22);
        assert_eq!(map.summary_order().len(), 34);
    }

    /// Borders that one popular table lacks (README, Decided 5).
    #[test]
    fn borders_that_are_often_forgotten_are_there() {
        let map = standard();
        let pairs = ["BOT FIN", "BOT LVN", "BOT STP", "BOT SWE", "GAL UKR", "LVN WAR", "NWY STP", "TUS TYS"];
        for pair in pairs {
            let (a, b) = pair.split_once(' ').unwrap();
            assert!(map.neighbors(a.parse().unwrap()).contains(&b.parse().unwrap()), "{pair}");
        }
    }

    #[test]
    fn errors_name_the_line() {
        let wrong = |text: &str| Map::parse(text).unwrap_err().line;
        assert_eq!(wrong("map x\nAAA  A  coast\n  army BBB\nBBB  B  coast\n"), 3);
        assert_eq!(wrong("map x\nAAA  A  swamp\n"), 2);
        assert_eq!(wrong("map x\nuse nowhere\n"), 2);
        assert_eq!(wrong("map x\n  army BBB\n"), 2);
        assert_eq!(wrong("map x\nAAA  A  inland  center Nobody\n"), 2);
    }
}
