//! The places of a map as small numbers, so that sets of them are bits.

use super::{Coast, Location, Map, Travel};

/// The most places that a map can have here.
const MOST: usize = 128;

/// A set of provinces or stations: the bit of each that is in it.
pub type PlaceSet = u128;

/// The number of a place in a table of [`Stations`]; no index is beyond its end.
#[inline]
pub(crate) const fn slot(number: u8) -> usize {
    (number & 127) as usize
}

/// The numbers in a set, in ascending order.
#[inline]
pub fn places(mut set: PlaceSet) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let number = u8::try_from(set.trailing_zeros()).ok()?;
        set &= set.checked_sub(1)?;
        Some(number)
    })
}

/// What one kind of unit reaches from each station.
#[derive(Debug)]
pub struct StationBorders {
    /// Where it can stand.
    stands: PlaceSet,
    /// By station: the provinces that it reaches.
    provinces: [PlaceSet; MOST],
    /// By station: the stations that it reaches, in the order of the map.
    stations: Vec<Vec<u8>>,
}

impl StationBorders {
    fn of(map: &Map, travel: Travel, places: &[Location]) -> Option<Self> {
        let mut borders = Self {
            stands: 0,
            provinces: [0; MOST],
            stations: Vec::with_capacity(places.len()),
        };
        for (index, &from) in places.iter().enumerate() {
            borders.stands |= PlaceSet::from(map.can_stand(travel, from)) << index;
            let mut reached = Vec::new();
            for to in map.reach(travel, from) {
                let station = places.iter().position(|place| place == to)?;
                reached.push(u8::try_from(station).ok()?);
                borders.provinces[index] |= 1 << map.number(to.province)?;
            }
            borders.stations.push(reached);
        }
        Some(borders)
    }

    /// Whether the unit can stand on this station.
    #[must_use]
    #[inline]
    pub fn can_stand(&self, station: u8) -> bool {
        self.stands >> slot(station) & 1 != 0
    }

    /// Whether the unit gets from this station to the province.
    #[must_use]
    #[inline]
    pub fn reaches(&self, station: u8, province: u8) -> bool {
        self.provinces[slot(station)] >> slot(province) & 1 != 0
    }

    /// The stations that the unit reaches, in the order of the map.
    #[must_use]
    #[inline]
    pub fn from(&self, station: u8) -> &[u8] {
        self.stations
            .get(usize::from(station))
            .map_or(&[], Vec::as_slice)
    }
}

/// The stations of a map: each province, with the number that it has on the map, then each coast of those that have several.
#[derive(Debug)]
pub struct Stations {
    places: Vec<Location>,
    province_of: [u8; MOST],
    coasts: [[Option<u8>; 4]; MOST],
    by_land: StationBorders,
    by_sea: StationBorders,
    neighbors: [PlaceSet; MOST],
    seas: PlaceSet,
}

impl Stations {
    /// The stations of a map; `None` if it has too many, or provinces that are shared or closed to some powers.
    #[must_use]
    pub fn of(map: &Map) -> Option<Self> {
        let provinces = map.provinces();
        if provinces
            .iter()
            .any(|info| info.shared || info.only.is_some())
        {
            return None;
        }
        let mut places: Vec<Location> = provinces
            .iter()
            .map(|info| Location::from(info.code))
            .collect();
        let coasts_of = provinces.iter().flat_map(|info| {
            info.coasts
                .iter()
                .map(|&coast| Location::on(info.code, coast))
        });
        places.extend(coasts_of);
        if places.len() > MOST {
            return None;
        }
        let mut stations = Self {
            province_of: [0; MOST],
            coasts: [[None; 4]; MOST],
            by_land: StationBorders::of(map, Travel::Land, &places)?,
            by_sea: StationBorders::of(map, Travel::Sea, &places)?,
            neighbors: [0; MOST],
            seas: 0,
            places,
        };
        for (index, place) in stations.places.iter().enumerate() {
            let province = map.number(place.province)?;
            stations.province_of[index] = province;
            if let Some(coast) = place.coast {
                stations.coasts[slot(province)][coast as usize] = u8::try_from(index).ok();
            }
        }
        for province in map.seas().iter() {
            stations.seas |= 1 << province;
        }
        for (index, info) in provinces.iter().enumerate() {
            for &to in map.neighbors(info.code) {
                stations.neighbors[index] |= 1 << map.number(to)?;
            }
        }
        Some(stations)
    }

    /// The stations in the order of their numbers.
    #[must_use]
    pub fn places(&self) -> &[Location] {
        &self.places
    }

    /// The province of a station.
    #[must_use]
    #[inline]
    pub fn province_of(&self, station: u8) -> u8 {
        self.province_of[slot(station)]
    }

    /// The station of a coast; `None` if the province has no such coast.
    #[must_use]
    #[inline]
    pub fn coast(&self, province: u8, coast: Coast) -> Option<u8> {
        self.coasts[slot(province)][coast as usize]
    }

    /// What units that travel so reach.
    #[must_use]
    #[inline]
    pub fn borders(&self, travel: Travel) -> &StationBorders {
        if travel == Travel::Sea {
            &self.by_sea
        } else {
            &self.by_land
        }
    }

    /// The provinces where fleets can convoy.
    #[must_use]
    #[inline]
    pub fn seas(&self) -> PlaceSet {
        self.seas
    }

    /// The station where a fleet arrives; `None` if it cannot reach the province, or several of its coasts and none is named.
    #[must_use]
    #[inline]
    pub fn fleet_arrival(&self, from: u8, to: u8, coast: Option<Coast>) -> Option<u8> {
        if !self.by_sea.reaches(from, to) {
            return None;
        }
        let mut there = self
            .by_sea
            .from(from)
            .iter()
            .copied()
            .filter(|&station| self.province_of(station) == to);
        if let Some(coast) = coast {
            let named = self.coast(to, coast);
            return there.find(|&station| Some(station) == named || station == to);
        }
        let first = there.next()?;
        there.all(|other| other == first).then_some(first)
    }

    /// The fleets in these seas that belong to a chain from one province to another.
    #[must_use]
    pub fn chain(&self, from: u8, to: u8, seas: PlaceSet) -> PlaceSet {
        let mut left = seas;
        let mut starts = self.neighbors[slot(from)] & seas;
        let mut chain = 0;
        while starts != 0 {
            let mut connected: PlaceSet = starts & starts.wrapping_neg();
            let mut edge = connected;
            left &= !connected;
            while edge != 0 {
                let beside = places(edge).fold(0, |all, sea| all | self.neighbors[slot(sea)]);
                edge = beside & left;
                left &= !edge;
                connected |= edge;
            }
            starts &= !connected;
            if connected & self.neighbors[slot(to)] != 0 {
                chain |= connected;
            }
        }
        chain
    }

    /// Whether a fleet on `sea` can be needed for a convoy over these seas, as
    /// [`needed_in_chain`](crate::orders::needed_in_chain) tells.
    #[must_use]
    pub fn is_needed(&self, from: u8, to: u8, sea: u8, seas: PlaceSet) -> bool {
        let own: PlaceSet = 1 << slot(sea);
        let joined = |end: u8, avoided: u8| {
            let seas = (seas & !self.neighbors[slot(avoided)]) | own;
            self.neighbors[slot(end)] & own != 0 || self.chain(end, sea, seas) != 0
        };
        joined(from, to) && joined(to, from)
    }

    /// The seas that border on both provinces.
    #[must_use]
    #[inline]
    pub fn between(&self, from: u8, to: u8) -> PlaceSet {
        self.neighbors[slot(from)] & self.neighbors[slot(to)]
    }

    /// Whether fleets in these seas join two provinces.
    #[must_use]
    #[inline]
    pub fn are_joined(&self, from: u8, to: u8, seas: PlaceSet) -> bool {
        self.between(from, to) & seas != 0 || (seas != 0 && self.chain(from, to, seas) != 0)
    }
}
