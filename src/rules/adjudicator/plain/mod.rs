//! Movement on sets of bits, for positions without anything unusual: at most 64 armies and fleets, one in a province, on a map
//! whose places have [`Stations`], with the strengths of the standard rules.
//!
//! [`PlainMovement`] takes units, then orders (`orders`), and decides what follows from the rules with certainty (`resolve`).
//! Each decision is then held against its own rule (`check`). Paradoxes give `None`, and [`movement`](super::movement) has to
//! decide. Units with illegal orders hold; why an order is illegal is not told here.

mod after;
mod check;
mod orders;
mod resolve;

pub use orders::{PlainDestination, PlainSubject, Via};
pub use resolve::PlainOutcome;

use crate::map::{PlaceSet, Stations, Travel, slot};

/// The most units, one for each bit of a [`UnitSet`].
const MOST_UNITS: usize = 64;

/// The most powers: one for each center of the standard map, and some more.
pub const MOST_POWERS: usize = 40;

/// No unit.
const NOBODY: u8 = u8::MAX;

/// A set of units: the bit of each that is in it.
pub type UnitSet = u64;

/// The index of a unit in a table of all units; no index is beyond its end.
#[inline]
const fn seat(unit: u8) -> usize {
    (unit & 63) as usize
}

/// The set of one unit; empty for [`NOBODY`].
#[inline]
const fn only(unit: u8) -> UnitSet {
    if unit == NOBODY { 0 } else { 1 << (unit & 63) }
}

/// The units of a set, in ascending order.
#[inline]
pub fn members(mut set: UnitSet) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let unit = u8::try_from(set.trailing_zeros()).ok()?;
        set &= set.checked_sub(1)?;
        Some(unit)
    })
}

/// What a unit does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum PlainTask {
    #[default]
    Hold,
    Move,
    SupportHold,
    SupportMove,
    Convoy,
}

/// An army or a fleet with its order.
#[derive(Clone, Copy, Debug)]
pub struct PlainUnit {
    /// The number of its power.
    pub power: u8,
    /// How it travels.
    pub travel: Travel,
    /// Where it stands, with the coast.
    pub station: u8,
    /// The province where it stands.
    pub province: u8,
    /// Where it arrives if its move succeeds.
    pub arrival: u8,
    is_ordered: bool,
    task: PlainTask,
    /// The destination of its move, or of the move that it helps; the province of the unit whose hold it supports.
    to: u8,
    /// The unit that it supports or convoys.
    other: u8,
    /// The coast that its support names, as a station.
    coast: Option<u8>,
    is_convoyed: bool,
    /// The unit that moves in the opposite direction over the same border.
    head_on: u8,
}

const VACANT: PlainUnit = PlainUnit {
    power: 0,
    travel: Travel::Land,
    station: 0,
    province: 0,
    arrival: 0,
    is_ordered: false,
    task: PlainTask::Hold,
    to: 0,
    other: NOBODY,
    coast: None,
    is_convoyed: false,
    head_on: NOBODY,
};

/// The units and orders of a movement phase.
pub struct PlainMovement<'m> {
    stations: &'m Stations,
    units: [PlainUnit; MOST_UNITS],
    count: u8,
    /// By province: the unit there.
    occupant: [u8; 128],
    /// By province: who moves there.
    movers: [UnitSet; 128],
    /// By unit: who supports it with an order that matches.
    supporters: [UnitSet; MOST_UNITS],
    /// By unit: who convoys it.
    carriers: [UnitSet; MOST_UNITS],
    of_power: [UnitSet; MOST_POWERS],
    /// Where fleets can convoy.
    fleets: PlaceSet,
    /// Who moves by convoy.
    convoyed: UnitSet,
    /// Whose order asks for a convoy although there is a way by land.
    by_choice: UnitSet,
    /// Whose order is illegal.
    refused: UnitSet,
}

impl<'m> PlainMovement<'m> {
    /// An empty board.
    #[must_use]
    pub fn new(stations: &'m Stations) -> Self {
        Self {
            stations,
            units: [VACANT; MOST_UNITS],
            count: 0,
            occupant: [NOBODY; 128],
            movers: [0; 128],
            supporters: [0; MOST_UNITS],
            carriers: [0; MOST_UNITS],
            of_power: [0; MOST_POWERS],
            fleets: 0,
            convoyed: 0,
            by_choice: 0,
            refused: 0,
        }
    }

    /// Puts a unit on the board; `None` if it cannot stand there, somebody stands there, or there are too many.
    pub fn add(&mut self, power: u8, travel: Travel, station: u8) -> Option<()> {
        let province = self.stations.province_of(station);
        let occupant = &mut self.occupant[slot(province)];
        let can_stand = self.stations.borders(travel).can_stand(station);
        if !can_stand || *occupant != NOBODY || usize::from(self.count) == MOST_UNITS {
            return None;
        }
        *self.of_power.get_mut(usize::from(power))? |= only(self.count);
        *occupant = self.count;
        self.units[seat(self.count)] = PlainUnit {
            power,
            travel,
            station,
            province,
            arrival: station,
            to: province,
            ..VACANT
        };
        if travel == Travel::Sea {
            self.fleets |= (1 << slot(province)) & self.stations.seas();
        }
        self.count += 1;
        Some(())
    }

    /// The units in the order in which they were added.
    #[must_use]
    pub fn units(&self) -> &[PlainUnit] {
        self.units.get(..usize::from(self.count)).unwrap_or(&[])
    }

    /// The units whose orders ask for a convoy although there is a way by land.
    #[must_use]
    pub fn convoyed_by_choice(&self) -> UnitSet {
        self.by_choice
    }

    /// The units whose orders are illegal.
    #[must_use]
    pub fn refused(&self) -> UnitSet {
        self.refused
    }

    /// The unit with this number.
    #[must_use]
    #[inline]
    pub fn unit(&self, number: u8) -> &PlainUnit {
        &self.units[seat(number)]
    }

    /// The number of the unit in a province.
    #[must_use]
    #[inline]
    pub fn occupant(&self, province: u8) -> Option<u8> {
        Some(self.occupant[slot(province)]).filter(|&unit| unit != NOBODY)
    }

    #[inline]
    fn movers(&self, province: u8) -> UnitSet {
        self.movers[slot(province)]
    }

    /// The units of the unit's own power.
    #[inline]
    fn allies(&self, unit: &PlainUnit) -> UnitSet {
        self.of_power[usize::from(unit.power) % MOST_POWERS]
    }
}

#[cfg(test)]
mod tests;
