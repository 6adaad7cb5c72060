//! The map, as it was read from a map file.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};

use super::entries::{ProvinceInfo, StartUnit, SummaryCenter, Terrain};
use super::file::{Draft, MapError};
use super::{
    Coast, Location, Power, PowerInfo, Province, ProvinceSet, Travel, UnitKind, UnitKindInfo,
    shipped,
};

/// A map.
///
/// Provinces have numbers from 0, in alphabetical order of their codes; a map has at most 255 of them. A [`ProvinceSet`] is a
/// set of such numbers.
#[derive(Clone, Debug)]
pub struct Map {
    draft: Draft,
    /// Those of the draft; games share them.
    powers: Arc<[PowerInfo]>,
    provinces: Vec<ProvinceInfo>,
    /// By [`Province::hash`]; `NOWHERE` where there is no such province.
    numbers: Vec<u8>,
    army: Vec<Borders>,
    /// By province, then by [`coast_slot`].
    fleet: Vec<[Borders; 5]>,
    both: Vec<Borders>,
    neighbors: Vec<Vec<Province>>,
    homes: Vec<Vec<Province>>,
    centers: Vec<Province>,
    seas: ProvinceSet,
    spellings: Vec<(String, Province)>,
}

/// The places that can be reached from a place by one move.
#[derive(Clone, Debug, Default)]
struct Borders {
    to: Vec<Location>,
    provinces: ProvinceSet,
}

/// A map that was made of another and further places.
struct OverlaidMap {
    base: &'static Map,
    places: Box<str>,
    map: &'static Map,
}

impl OverlaidMap {
    fn is(&self, base: &Map, places: &str) -> bool {
        std::ptr::eq(self.base, base) && *self.places == *places
    }
}

const NOWHERE: u8 = 255;

fn coast_slot(coast: Option<Coast>) -> usize {
    coast.map_or(0, |coast| coast as usize + 1)
}

/// The distances of provinces, returned by [`Map::distances`].
#[derive(Clone, Debug)]
pub struct Distances<'m> {
    map: &'m Map,
    steps: Vec<Option<u32>>,
}

impl Distances<'_> {
    /// The distance of the province in moves; `None` if it cannot be reached.
    #[must_use]
    pub fn to(&self, province: Province) -> Option<u32> {
        self.steps.get(self.map.index(province)?).copied()?
    }
}

impl Map {
    /// The name of the standard map.
    pub const DEFAULT: &'static str = "standard";

    /// The standard map of Europe, with seven powers.
    #[must_use]
    pub fn standard() -> &'static Self {
        match Self::named(Self::DEFAULT) {
            Some(map) => map,
            None => unreachable!("there is no {}.map", Self::DEFAULT),
        }
    }

    /// An included map, by its name in any case. [`Map::names`] lists the names.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        shipped::named(name)
    }

    /// The names of the included maps, in alphabetical order.
    pub fn names() -> impl Iterator<Item = &'static str> {
        shipped::names()
    }

    /// An included map with further provinces: `places` are lines of a map file. `None` if there is no such map, or if the lines
    /// have a fault; [`Map::parse`] tells which.
    ///
    /// The result is kept for the rest of the program, so the same arguments always give the same reference.
    #[must_use]
    pub fn with_places(name: &str, places: &str) -> Option<&'static Self> {
        thread_local! {
            static KNOWN: RefCell<Vec<OverlaidMap>> = const { RefCell::new(Vec::new()) };
        }
        let base = Self::named(name)?;
        if places.is_empty() {
            return Some(base);
        }
        // A game asks for its map at each step, so a thread that knows it waits for no other and copies no text.
        let known = KNOWN.with_borrow(|known| {
            let found = known.iter().find(|one| one.is(base, places));
            found.map(|one| one.map)
        });
        known.or_else(|| {
            let map = Self::shared_with_places(base, places)?;
            let one = OverlaidMap {
                base,
                places: places.into(),
                map,
            };
            KNOWN.with_borrow_mut(|known| known.push(one));
            Some(map)
        })
    }

    /// The same, the one for all threads.
    fn shared_with_places(base: &'static Self, places: &str) -> Option<&'static Self> {
        static DRAWN: Mutex<Vec<OverlaidMap>> = Mutex::new(Vec::new());
        let mut drawn = DRAWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(one) = drawn.iter().find(|one| one.is(base, places)) {
            return Some(one.map);
        }
        let text = format!("use {0}\nname {0}\n{places}", base.name());
        let map: &'static Map = Box::leak(Box::new(Self::parse(&text, Self::named).ok()?));
        drawn.push(OverlaidMap {
            base,
            places: places.into(),
            map,
        });
        Some(map)
    }

    /// Reads a map file, in the notation that the [module](super) describes. `base` gives the map for a line `use NAME`.
    ///
    /// # Errors
    /// The first fault and its line.
    pub fn parse<'a>(
        text: &str,
        base: impl FnOnce(&str) -> Option<&'a Self>,
    ) -> Result<Self, MapError> {
        Draft::read(text, |name| base(name).map(|map| map.draft.clone())).map(Self::from_draft)
    }

    fn from_draft(draft: Draft) -> Self {
        let provinces: Vec<ProvinceInfo> = draft
            .provinces
            .values()
            .map(|province| province.info.clone())
            .collect();
        let mut numbers = vec![NOWHERE; 26 * 26 * 26];
        for (number, province) in (0u8..).zip(&provinces) {
            if let Some(slot) = numbers.get_mut(province.code.hash()) {
                *slot = number;
            }
        }
        let number = |province: Province| {
            numbers
                .get(province.hash())
                .copied()
                .filter(|&number| number != NOWHERE)
        };
        let borders = |to: Vec<Location>| Borders {
            provinces: to.iter().filter_map(|to| number(to.province)).collect(),
            to,
        };
        let mut army = Vec::with_capacity(provinces.len());
        let mut fleet = Vec::with_capacity(provinces.len());
        let mut both = Vec::with_capacity(provinces.len());
        for draft in draft.provinces.values() {
            army.push(borders(draft.army.iter().map(|&to| to.into()).collect()));
            let mut by_coast: [Borders; 5] = Default::default();
            for (&coast, to) in &draft.fleet {
                if let Some(slot) = by_coast.get_mut(coast_slot(coast)) {
                    *slot = borders(to.iter().copied().collect());
                }
            }
            let mut near: Vec<Location> = draft.army.iter().map(|&to| to.into()).collect();
            near.extend(
                draft
                    .fleet
                    .values()
                    .flatten()
                    .map(|to| Location::from(to.province)),
            );
            near.sort_unstable();
            near.dedup();
            both.push(borders(near));
            fleet.push(by_coast);
        }
        let neighbors = both
            .iter()
            .map(|near: &Borders| near.to.iter().map(|to| to.province).collect())
            .collect();
        let homes = (0u8..)
            .zip(&draft.powers)
            .map(|(power, _)| {
                provinces
                    .iter()
                    .filter(|info| info.home == Some(Power(power)))
                    .map(|info| info.code)
                    .collect()
            })
            .collect();
        let centers = provinces
            .iter()
            .filter(|info| info.center)
            .map(|info| info.code)
            .collect();
        let seas = (0u8..)
            .zip(&provinces)
            .filter(|(_, info)| matches!(info.terrain, Terrain::Sea | Terrain::Islands))
            .map(|(n, _)| n)
            .collect();
        let mut spellings: Vec<(String, Province)> = provinces
            .iter()
            .flat_map(|info| info.spellings().map(|spelling| (spelling, info.code)))
            .collect();
        spellings.sort_unstable();
        spellings.dedup();
        Self {
            powers: draft.powers.as_slice().into(),
            draft,
            provinces,
            numbers,
            army,
            fleet,
            both,
            neighbors,
            homes,
            centers,
            seas,
            spellings,
        }
    }

    /// The name: `standard`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.draft.name
    }

    /// All provinces, in alphabetical order of their codes. The index in this slice is the number of the province.
    #[must_use]
    pub fn provinces(&self) -> &[ProvinceInfo] {
        &self.provinces
    }

    /// The number of the province; `None` if the map does not have it.
    #[must_use]
    #[inline]
    pub fn number(&self, province: Province) -> Option<u8> {
        self.numbers
            .get(province.hash())
            .copied()
            .filter(|&number| number != NOWHERE)
    }

    /// The number of the province, as an index into [`Map::provinces`].
    #[must_use]
    pub fn index(&self, province: Province) -> Option<usize> {
        self.number(province).map(usize::from)
    }

    /// The properties of the province; `None` if the map does not have it.
    #[must_use]
    pub fn info(&self, province: Province) -> Option<&ProvinceInfo> {
        self.provinces.get(self.index(province)?)
    }

    /// The powers of the map. `Power(i)` is the one with index `i`.
    #[must_use]
    pub fn powers(&self) -> &[PowerInfo] {
        &self.powers
    }

    /// The same, for who keeps them.
    #[must_use]
    pub fn shared_powers(&self) -> Arc<[PowerInfo]> {
        Arc::clone(&self.powers)
    }

    /// The kinds of unit of the map. Army and fleet are always the first two.
    #[must_use]
    pub fn kinds(&self) -> &[UnitKindInfo] {
        &self.draft.kinds
    }

    /// The properties of a kind; `None` if the map does not have it.
    #[must_use]
    pub fn kind(&self, kind: UnitKind) -> Option<&UnitKindInfo> {
        self.draft.kinds.iter().find(|info| info.kind == kind)
    }

    /// Where units of the kind can be. Units of a kind that the map does not have travel like armies.
    #[must_use]
    #[inline]
    pub fn travel(&self, kind: UnitKind) -> Travel {
        if kind == UnitKind::FLEET {
            Travel::Sea
        } else if kind == UnitKind::ARMY {
            Travel::Land
        } else {
            self.kind(kind).map_or(Travel::Land, |info| info.travel)
        }
    }

    /// The home centers of one of the map's powers, in alphabetical order of their codes.
    #[must_use]
    pub fn homes(&self, power: Power) -> &[Province] {
        power
            .index()
            .and_then(|index| self.homes.get(index))
            .map_or(&[], Vec::as_slice)
    }

    /// The units at the start of a game, in the order of the map file.
    #[must_use]
    pub fn start(&self) -> &[StartUnit] {
        &self.draft.start
    }

    /// What else people call the power of this name in letters, as the map's file spells it: `Turks`, `Sultan`. No order and no
    /// command reads these.
    pub fn people_of(&self, name: &str) -> impl Iterator<Item = &str> {
        let peoples = self.draft.peoples.iter();
        let of_name = peoples.filter(move |(power, _)| {
            let info = power.index().and_then(|index| self.draft.powers.get(index));
            info.is_some_and(|info| info.name == name)
        });
        of_name.map(|(_, word)| word.as_str())
    }

    /// The centers in the order in which a summary of the game lists them.
    #[must_use]
    pub fn summary(&self) -> Vec<SummaryCenter> {
        if self.draft.summary.is_empty() {
            return self
                .centers
                .iter()
                .map(|&center| SummaryCenter {
                    center,
                    heading: center.titled(),
                })
                .collect();
        }
        self.draft.summary.clone()
    }

    /// All supply centers, in alphabetical order of their codes.
    #[must_use]
    pub fn centers(&self) -> &[Province] {
        &self.centers
    }

    /// The number of centers, including those of the map in use that the map file removes with `no centers`.
    #[must_use]
    pub fn full_center_count(&self) -> usize {
        self.centers.len() + self.draft.left_away
    }

    /// The places that a unit of this travel can reach by one move without a convoy; empty if it cannot be at `from`.
    #[must_use]
    pub fn reach(&self, travel: Travel, from: Location) -> &[Location] {
        self.borders(travel, from)
            .map_or(&[], |borders| &borders.to)
    }

    /// Whether a unit of this travel can reach a province, at whatever coast, by one move without a convoy.
    #[must_use]
    pub fn reaches(&self, travel: Travel, from: Location, to: Province) -> bool {
        let goals = self.reach(travel, from);
        goals.iter().any(|goal| goal.province == to)
    }

    /// The provinces of [`Map::reach`] as a set.
    #[must_use]
    #[inline]
    pub fn reach_set(&self, travel: Travel, from: Location) -> ProvinceSet {
        self.borders(travel, from)
            .map_or(ProvinceSet::EMPTY, |borders| borders.provinces)
    }

    #[inline]
    fn borders(&self, travel: Travel, from: Location) -> Option<&Borders> {
        let number = self.index(from.province)?;
        match travel {
            Travel::Land => self.army.get(number),
            Travel::Sea => self.fleet.get(number)?.get(coast_slot(from.coast)),
            Travel::Both => self.both.get(number),
        }
    }

    /// All adjacent provinces: those that an army or a fleet can reach, from any coast, in alphabetical order of their codes.
    #[must_use]
    pub fn neighbors(&self, province: Province) -> &[Province] {
        self.index(province)
            .and_then(|number| self.neighbors.get(number))
            .map_or(&[], Vec::as_slice)
    }

    /// The provinces of [`Map::neighbors`] as a set.
    #[must_use]
    pub fn neighbor_set(&self, province: Province) -> ProvinceSet {
        self.index(province)
            .and_then(|number| self.both.get(number))
            .map_or(ProvinceSet::EMPTY, |near| near.provinces)
    }

    /// The provinces adjacent to the province with this number.
    #[must_use]
    #[inline]
    pub fn neighbors_of_number(&self, number: u8) -> ProvinceSet {
        self.both
            .get(usize::from(number))
            .map_or(ProvinceSet::EMPTY, |near| near.provinces)
    }

    /// The distance of each province from the nearest of these provinces, in moves over land and sea and from any coast.
    #[must_use]
    pub fn distances(&self, from: impl IntoIterator<Item = Province>) -> Distances<'_> {
        let mut steps = vec![None; self.provinces.len()];
        let numbers = from
            .into_iter()
            .filter_map(|province| self.number(province));
        let mut edge: ProvinceSet = numbers.collect();
        let mut reached = ProvinceSet::EMPTY;
        for step in 0.. {
            if edge.is_empty() {
                break;
            }
            reached = reached.union(edge);
            let mut next = ProvinceSet::EMPTY;
            for number in edge.iter() {
                if let Some(place) = steps.get_mut(usize::from(number)) {
                    *place = Some(step);
                }
                next = next.union(self.neighbors_of_number(number));
            }
            edge = next.without(reached);
        }
        Distances { map: self, steps }
    }

    /// The provinces in which a fleet can convoy.
    #[must_use]
    #[inline]
    pub fn seas(&self) -> ProvinceSet {
        self.seas
    }

    /// Whether a unit of this travel can be at the location: the terrain fits, and the location has a coast if and only if it
    /// needs one.
    #[must_use]
    pub fn can_stand(&self, travel: Travel, at: Location) -> bool {
        self.info(at.province).is_some_and(|info| match travel {
            Travel::Land => info.terrain != Terrain::Sea && at.coast.is_none(),
            Travel::Sea => {
                info.terrain != Terrain::Inland
                    && match at.coast {
                        None => info.coasts.is_empty(),
                        Some(coast) => info.coasts.contains(&coast),
                    }
            }
            Travel::Both => at.coast.is_none(),
        })
    }

    /// The locations in a province at which a unit of this travel can be: the province itself, its coasts, or none.
    #[must_use]
    pub fn stations(&self, travel: Travel, province: Province) -> Vec<Location> {
        let coasts = self.info(province).map_or(&[][..], |info| &info.coasts);
        std::iter::once(Location::from(province))
            .chain(coasts.iter().map(|&coast| Location::on(province, coast)))
            .filter(|&at| self.can_stand(travel, at))
            .collect()
    }

    /// The full name: `St Petersburg (south coast)`. A province that the map does not have is named by its code.
    #[must_use]
    pub fn full_name(&self, at: Location) -> String {
        let name = self
            .info(at.province)
            .map_or(at.province.as_str(), |info| info.name.as_str());
        match at.coast {
            None => name.to_owned(),
            Some(coast) => format!("{name} ({})", coast.long()),
        }
    }

    /// The province with this code, full name or alias, in any case.
    #[must_use]
    pub fn find_province(&self, text: &str) -> Option<Province> {
        if let Some(code) = text
            .parse()
            .ok()
            .filter(|&code| self.number(code).is_some())
        {
            return Some(code);
        }
        let text = text.to_lowercase();
        let index = self
            .spellings
            .binary_search_by(|(spelling, _)| spelling.as_str().cmp(&text))
            .ok()?;
        self.spellings.get(index).map(|(_, province)| *province)
    }

    /// The codes, full names and aliases of all provinces, in lower case and sorted. No spelling occurs twice.
    pub fn spellings(&self) -> impl Iterator<Item = (&str, Province)> {
        self.spellings
            .iter()
            .map(|(spelling, province)| (spelling.as_str(), *province))
    }
}
