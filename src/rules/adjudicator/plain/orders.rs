//! Orders, each checked to be legal. The unit of one that is not holds. `None` is returned for orders that are unusual: for a
//! unit that is not there or has an order, or with another kind than that of the unit that is helped.

use super::{NOBODY, PlainMovement, PlainTask, PlainUnit, UnitSet, only, seat};
use crate::map::{Coast, Travel, slot};

/// The unit that an order is for, as the order names it.
#[derive(Clone, Copy, Debug)]
pub struct PlainSubject {
    /// The power that gives the order.
    pub power: u8,
    /// How the unit travels.
    pub travel: Travel,
    /// Its province.
    pub at: u8,
}

/// A destination as an order names it.
#[derive(Clone, Copy, Debug)]
pub struct PlainDestination {
    /// The province.
    pub to: u8,
    /// The coast, if it is named.
    pub coast: Option<Coast>,
}

/// How an army is to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Via {
    /// By land if it can.
    Any,
    /// By convoy.
    Convoy,
}

impl PlainMovement<'_> {
    /// The unit that an order is for; `None` if the power has no such unit there, or it has an order already.
    fn take(&mut self, subject: PlainSubject) -> Option<u8> {
        let PlainSubject { power, travel, at } = subject;
        let number = self.occupant(at)?;
        let unit = &mut self.units[seat(number)];
        if unit.power != power || unit.travel != travel || unit.is_ordered {
            return None;
        }
        unit.is_ordered = true;
        Some(number)
    }

    /// Leaves the unit with an order that has no effect.
    fn refuse(&mut self, number: u8) -> Option<()> {
        self.refused |= only(number);
        Some(())
    }

    /// Orders the unit to hold.
    pub fn hold(&mut self, subject: PlainSubject) -> Option<()> {
        self.take(subject).map(|_| ())
    }

    /// Orders the unit to move; `via` asks for a convoy.
    pub fn march(
        &mut self,
        subject: PlainSubject,
        destination: PlainDestination,
        via: Via,
    ) -> Option<()> {
        let number = self.take(subject)?;
        let PlainSubject { travel, at, .. } = subject;
        let PlainDestination { to, coast } = destination;
        let stations = self.stations;
        let station = self.unit(number).station;
        let mut is_convoyed = false;
        let arrival = if travel == Travel::Sea {
            match stations.fleet_arrival(station, to, coast) {
                Some(arrival) => arrival,
                None => return self.refuse(number),
            }
        } else {
            let by_land = stations.borders(travel).reaches(station, to);
            if via == Via::Convoy || !by_land {
                let can_land = to != at && stations.seas() >> slot(to) & 1 == 0;
                if !can_land || !(by_land || stations.are_joined(at, to, self.fleets)) {
                    return self.refuse(number);
                }
                is_convoyed = true;
                self.convoyed |= only(number);
                if by_land {
                    self.by_choice |= only(number);
                }
            }
            to
        };
        let unit = &mut self.units[seat(number)];
        unit.task = PlainTask::Move;
        unit.to = to;
        unit.arrival = arrival;
        unit.is_convoyed = is_convoyed;
        self.movers[slot(to)] |= only(number);
        Some(())
    }

    /// Orders the unit to support the one that stands in `of`.
    pub fn support_hold(&mut self, subject: PlainSubject, helped: Travel, of: u8) -> Option<()> {
        let number = self.take(subject)?;
        let PlainSubject { travel, at, .. } = subject;
        let Some(other) = self.occupant(of) else {
            return self.refuse(number);
        };
        if self.unit(other).travel != helped {
            return None;
        }
        let station = self.unit(number).station;
        let reaches = self.stations.borders(travel).reaches(station, of);
        if of == at || !reaches {
            return self.refuse(number);
        }
        let unit = &mut self.units[seat(number)];
        unit.task = PlainTask::SupportHold;
        unit.to = of;
        unit.other = other;
        Some(())
    }

    /// Orders the unit to support a move from `of`.
    pub fn support_move(
        &mut self,
        subject: PlainSubject,
        helped: Travel,
        of: u8,
        destination: PlainDestination,
    ) -> Option<()> {
        let number = self.take(subject)?;
        let PlainSubject { travel, at, .. } = subject;
        let PlainDestination { to, coast } = destination;
        let Some(other) = self.occupant(of) else {
            return self.refuse(number);
        };
        let mover = self.unit(other);
        if mover.travel != helped {
            return None;
        }
        let stations = self.stations;
        let station = self.unit(number).station;
        let reaches = stations.borders(travel).reaches(station, to);
        if of == at || to == at || of == to || !reaches {
            return self.refuse(number);
        }
        let comes = stations.borders(helped).reaches(mover.station, to);
        if !comes {
            // A fleet that supports cannot be the one that convoys (DATC 6.D.31).
            let fleets = self.fleets & !(1 << slot(at));
            let by_sea = helped == Travel::Land && stations.seas() >> slot(to) & 1 == 0;
            if !by_sea || !stations.are_joined(of, to, fleets) {
                return self.refuse(number);
            }
        }
        let named = match coast {
            // A coast that the province does not have cannot be told from the other orders alone.
            Some(coast) => Some(stations.coast(to, coast)?),
            None => None,
        };
        let unit = &mut self.units[seat(number)];
        unit.task = PlainTask::SupportMove;
        unit.to = to;
        unit.other = other;
        unit.coast = named;
        Some(())
    }

    /// Orders the fleet to convoy the army in `of`.
    pub fn convoy(&mut self, subject: PlainSubject, of: u8, to: u8) -> Option<()> {
        let number = self.take(subject)?;
        let PlainSubject { travel, at, .. } = subject;
        let Some(other) = self.occupant(of) else {
            return self.refuse(number);
        };
        // What is convoyed is named as an army.
        if self.unit(other).travel != Travel::Land {
            return None;
        }
        let stations = self.stations;
        let is_sea = |province| stations.seas() >> slot(province) & 1 != 0;
        if travel != Travel::Sea || !is_sea(at) || of == to || is_sea(to) {
            return self.refuse(number);
        }
        let fleet = 1 << slot(at);
        if (stations.between(of, to) | stations.chain(of, to, self.fleets)) & fleet == 0 {
            return self.refuse(number);
        }
        let unit = &mut self.units[seat(number)];
        unit.task = PlainTask::Convoy;
        unit.to = to;
        unit.other = other;
        Some(())
    }

    /// Lets armies go by convoy that could go by land, where a fleet of the same power that can be needed is ordered to convoy
    /// this move (DATC 4.A.3, 6.G.2, 6.G.19).
    fn find_intended_convoys(&mut self) {
        for number in 0..self.count {
            let fleet = *self.unit(number);
            if fleet.task != PlainTask::Convoy {
                continue;
            }
            let army = self.unit(fleet.other);
            let is_intended = army.task == PlainTask::Move
                && army.to == fleet.to
                && !army.is_convoyed
                && army.power == fleet.power
                && self
                    .stations
                    .is_needed(army.province, army.to, fleet.province, self.fleets);
            if is_intended {
                self.units[seat(fleet.other)].is_convoyed = true;
                self.convoyed |= only(fleet.other);
            }
        }
    }

    /// Finds out which orders match. Returns those that do not, and those that are illegal.
    pub(super) fn link(&mut self) -> UnitSet {
        self.find_intended_convoys();
        let mut unmatched = self.refused;
        for number in 0..self.count {
            let unit = *self.unit(number);
            let other = self.units[seat(unit.other)];
            let does_this = other.task == PlainTask::Move && other.to == unit.to;
            match unit.task {
                PlainTask::Hold => {}
                PlainTask::Move => {
                    let there = self.occupant[slot(unit.to)];
                    let opposite = &self.units[seat(there)];
                    if there != NOBODY
                        && opposite.task == PlainTask::Move
                        && opposite.to == unit.province
                        && !opposite.is_convoyed
                        && !unit.is_convoyed
                    {
                        self.units[seat(number)].head_on = there;
                    }
                }
                PlainTask::SupportHold if other.task != PlainTask::Move => {
                    self.supporters[seat(unit.other)] |= only(number);
                }
                PlainTask::SupportMove if does_this && fits(unit.coast, &other) => {
                    self.supporters[seat(unit.other)] |= only(number);
                }
                PlainTask::Convoy if does_this && other.is_convoyed => {
                    self.carriers[seat(unit.other)] |= only(number);
                }
                PlainTask::SupportHold | PlainTask::SupportMove | PlainTask::Convoy => {
                    unmatched |= only(number);
                }
            }
        }
        unmatched
    }
}

/// A coast named in a support must be the one moved to (DATC 6.B.9).
fn fits(coast: Option<u8>, helped: &PlainUnit) -> bool {
    coast.is_none_or(|coast| helped.arrival == helped.to || helped.arrival == coast)
}
