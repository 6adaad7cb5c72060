//! The board as data: provinces, coasts, borders, names and homes, read from map files. Nothing about Europe is in
//! code; `README.md` beside this file tells the format.

mod nouns;
mod parse;

use std::collections::BTreeMap;
use std::sync::OnceLock;

pub use nouns::{Coast, Location, NotALocation, Power, PowerInfo, Province, Travel, UnitKind};
pub use parse::MapError;

/// What a province is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terrain {
    /// Fleets only.
    Sea,
    /// Armies only.
    Inland,
    /// Both.
    Coast,
    /// Nobody.
    Impassable,
}

/// A province.
#[derive(Clone, Debug)]
pub struct ProvinceInfo {
    /// `STP`.
    pub code: Province,
    /// `St Petersburg`.
    pub name: String,
    /// What it is made of.
    pub terrain: Terrain,
    /// Whether it is a supply center.
    pub center: bool,
    /// Whose home it is.
    pub home: Option<Power>,
    /// Its separate coasts; empty where it has but one or none.
    pub coasts: Vec<Coast>,
    /// Other accepted spellings, in lower case.
    pub also: Vec<String>,
    /// Closed to all but those of this name (Iceland, Corfu).
    pub only: Option<String>,
    /// Holds many units, without combat (orbit).
    pub crowded: bool,
}

/// A map.
#[derive(Debug)]
pub struct Map {
    name: String,
    provinces: Vec<ProvinceInfo>,
    /// Dense index by code, `u8::MAX` for none: 26³ places.
    by_code: Vec<u8>,
    powers: Vec<PowerInfo>,
    homes: Vec<Vec<Province>>,
    start: Vec<(Power, UnitKind, Location)>,
    centers: Vec<Province>,
    summary: Vec<(Province, String)>,
    land: BTreeMap<Location, Vec<Location>>,
    sea: BTreeMap<Location, Vec<Location>>,
    both: BTreeMap<Location, Vec<Location>>,
    neighbors: BTreeMap<Province, Vec<Province>>,
}

/// The maps that are shipped: name and text.
const SHIPPED: &[(&str, &str)] = &[("standard", include_str!("standard.map"))];

impl Map {
    /// The board of standard Diplomacy.
    pub fn standard() -> &'static Map {
        static STANDARD: OnceLock<Map> = OnceLock::new();
        // A shipped map that cannot be read is a fault of the build, which a test of every map finds.
        STANDARD.get_or_init(|| Map::parse(SHIPPED[0].1).expect("the shipped standard map is sound"))
    }

    /// A shipped map by its name, in any case.
    pub fn named(name: &str) -> Option<&'static Map> {
        static OTHERS: OnceLock<Vec<Map>> = OnceLock::new();
        if name.eq_ignore_ascii_case("standard") {
            return Some(Map::standard());
        }
        let others = OTHERS.get_or_init(|| SHIPPED[1..].iter().filter_map(|(_, text)| Map::parse(text).ok()).collect());
        others.iter().find(|map| map.name.eq_ignore_ascii_case(name))
    }

    /// The names of all shipped maps.
    pub fn names() -> impl Iterator<Item = &'static str> {
        SHIPPED.iter().map(|(name, _)| *name)
    }

    /// Reads a map file. Errors name the line.
    pub fn parse(text: &str) -> Result<Map, MapError> {
        parse::parse(text, &|name| SHIPPED.iter().find(|(known, _)| *known == name).map(|(_, text)| *text))
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All provinces, sorted by code: the place in this list is the dense index.
    pub fn provinces(&self) -> &[ProvinceInfo] {
        &self.provinces
    }

    /// The dense index of a province.
    pub fn index(&self, province: Province) -> Option<usize> {
        let place = code_place(province)?;
        let index = *self.by_code.get(place)?;
        (index != u8::MAX).then_some(usize::from(index))
    }

    /// What is known of a province.
    pub fn info(&self, province: Province) -> Option<&ProvinceInfo> {
        self.provinces.get(self.index(province)?)
    }

    /// The powers, in alphabetical order.
    pub fn powers(&self) -> &[PowerInfo] {
        &self.powers
    }

    /// A power's home centers, by code.
    pub fn homes(&self, power: Power) -> &[Province] {
        self.homes.get(usize::from(power.0)).map_or(&[], Vec::as_slice)
    }

    /// Who starts where.
    pub fn start(&self) -> &[(Power, UnitKind, Location)] {
        &self.start
    }

    /// All supply centers, by code.
    pub fn centers(&self) -> impl Iterator<Item = Province> + '_ {
        self.centers.iter().copied()
    }

    /// The centers in the order in which SUMMARY lists them, each with the three letters it writes.
    pub fn summary_order(&self) -> &[(Province, String)] {
        &self.summary
    }

    /// Where a unit that travels so can go from a location, by code. Moves of armies are between provinces.
    pub fn reach(&self, travel: Travel, from: Location) -> &[Location] {
        let borders = match travel {
            Travel::Land => &self.land,
            Travel::Sea => &self.sea,
            Travel::Both => &self.both,
        };
        borders.get(&from).map_or(&[], Vec::as_slice)
    }

    /// The provinces next to a province: borders of armies and fleets united, coasts merged.
    pub fn neighbors(&self, province: Province) -> &[Province] {
        self.neighbors.get(&province).map_or(&[], Vec::as_slice)
    }

    /// Every location at which a unit that travels so can stand in a province.
    pub fn stands(&self, travel: Travel, province: Province) -> Vec<Location> {
        let Some(info) = self.info(province) else { return Vec::new() };
        match (travel, info.terrain) {
            (_, Terrain::Impassable) | (Travel::Land, Terrain::Sea) | (Travel::Sea, Terrain::Inland) => Vec::new(),
            (Travel::Sea, Terrain::Coast) if !info.coasts.is_empty() => {
                info.coasts.iter().map(|coast| Location { province, coast: Some(*coast) }).collect()
            }
            _ => vec![Location::of(province)],
        }
    }

    /// `St Petersburg (south coast)`.
    pub fn full_name(&self, location: Location) -> String {
        let name = self.info(location.province).map_or(location.province.as_str(), |info| info.name.as_str());
        match location.coast {
            Some(coast) => format!("{name} ({})", coast.name()),
            None => name.to_owned(),
        }
    }

    /// Every accepted spelling of a province, in lower case: full names, codes and the others.
    pub fn spellings(&self) -> impl Iterator<Item = (String, Province)> + '_ {
        self.provinces.iter().flat_map(|info| {
            let own = [info.name.to_lowercase(), info.code.as_str().to_lowercase()];
            own.into_iter().chain(info.also.iter().cloned()).map(|spelling| (spelling, info.code))
        })
    }
}

/// A place from 0 to 26³ - 1 for a code of capitals.
fn code_place(province: Province) -> Option<usize> {
    province.bytes().iter().try_fold(0usize, |sum, byte| {
        let letter = byte.checked_sub(b'A').filter(|letter| *letter < 26)?;
        Some(sum * 26 + usize::from(letter))
    })
}
