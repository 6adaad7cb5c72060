//! Links supports, convoys, assists and moves to the units and provinces that they concern.

use super::field::{Assistance, Field, Fighter, NONE, Room, Task, Verdict};
use super::outcome::Reason;
use crate::map::{Location, Power, Travel};
use crate::orders::Action;
use crate::position::Unit;

impl Field<'_> {
    /// Links supports and convoys to their units. Every order must have been read.
    pub(super) fn link_supports(&mut self) {
        for index in self.indices().rev() {
            let fighter = &self.fighters[usize::from(index)];
            let (task, to, unit) = (fighter.task, fighter.to, fighter.unit);
            let other = match task {
                Task::SupportHold if self.is_shared(to) => NONE,
                Task::SupportHold => self.occupant[usize::from(to)],
                Task::SupportMove | Task::Convoy => fighter.other,
                _ => continue,
            };
            let voided = if self.sheet.voided.is_empty() {
                None
            } else {
                self.sheet.voided.get(&unit.id)
            };
            let fault = match self.fighters.get(usize::from(other)) {
                _ if voided.is_some() => voided.cloned().map(Reason::Voided),
                None => Some(Reason::Unmatched),
                Some(other) => {
                    let fits = match task {
                        Task::SupportHold => other.task != Task::Move && other.task != Task::Absent,
                        Task::SupportMove => {
                            other.task == Task::Move
                                && other.to == to
                                && self.coast_fits(index, other.arrival)
                        }
                        _ => {
                            other.task == Task::Move
                                && other.to == to
                                && other.convoyed
                                && on_route(other, unit)
                        }
                    };
                    (!fits).then_some(Reason::Unmatched)
                }
            };
            if task == Task::Convoy
                && fault == Some(Reason::Unmatched)
                && self.absent_passenger(index)
            {
                continue;
            }
            if let Some(fault) = fault {
                self.faults.push((index, fault));
                self.fighters[usize::from(index)].task = Task::Hold;
                continue;
            }
            let helped = &mut self.fighters[usize::from(other)];
            let first = if task == Task::Convoy {
                &mut helped.carriers
            } else {
                &mut helped.helpers
            };
            let next = std::mem::replace(first, index);
            let fighter = &mut self.fighters[usize::from(index)];
            fighter.other = other;
            fighter.next_helper = next;
            if task != Task::Convoy {
                fighter.support_given = Verdict::Undecided;
            }
        }
    }

    /// Whether the convoy is for an army that is there but takes no part in the phase. [`Resolution::routes`] reports such a
    /// convoy.
    ///
    /// [`Resolution::routes`]: super::Resolution::routes
    fn absent_passenger(&self, convoyer: u16) -> bool {
        let Some(Action::Convoy { from, .. }) = self.actions[usize::from(convoyer)] else {
            return false;
        };
        self.fighters.iter().any(|fighter| {
            let army = self.map.travel(fighter.unit.kind) != Travel::Sea;
            fighter.task == Task::Absent && army && fighter.unit.at.province == *from
        })
    }

    /// A coast named in a support must be the one moved to (DATC 6.B.9).
    fn coast_fits(&self, supporter: u16, arrival: Location) -> bool {
        match self.actions[usize::from(supporter)] {
            Some(Action::SupportMove { to, .. }) => {
                to.coast.is_none() || arrival.coast.is_none() || to.coast == arrival.coast
            }
            _ => true,
        }
    }

    pub(super) fn link_assists(&mut self) {
        let sheet = self.sheet;
        let mut number = 0;
        for assist in sheet.assists.iter().take(usize::from(NONE)) {
            let (Some(by), Some(of)) = (self.index_of(assist.by), self.index_of(assist.of)) else {
                continue;
            };
            let (giver, taker) = (
                &self.fighters[usize::from(by)],
                &self.fighters[usize::from(of)],
            );
            if by == of || giver.task == Task::Absent || taker.task == Task::Absent {
                continue;
            }
            let next = taker.assists;
            let toward = if taker.task == Task::Move {
                taker.to
            } else {
                taker.at
            };
            self.fighters[usize::from(of)].assists = number;
            number += 1;
            self.assists.push(Assistance {
                by,
                toward,
                cut_at: assist.cut_at,
                support_given: Verdict::Undecided,
                next,
            });
        }
    }

    pub(super) fn link_movers(&mut self) {
        for index in self.indices().rev() {
            let fighter = &self.fighters[usize::from(index)];
            if fighter.task != Task::Move {
                continue;
            }
            let (at, to, power) = (fighter.at, fighter.to, fighter.unit.power);
            if fighter.to_shared {
                self.limit_room(to, power, index);
                continue;
            }
            let head_on = match self
                .fighters
                .get(usize::from(self.occupant[usize::from(to)]))
            {
                Some(other)
                    if other.task == Task::Move
                        && other.to == at
                        && !other.convoyed
                        && !fighter.convoyed
                        && !fighter.from_shared =>
                {
                    self.occupant[usize::from(to)]
                }
                _ => NONE,
            };
            let next = std::mem::replace(&mut self.movers[usize::from(to)], index);
            let fighter = &mut self.fighters[usize::from(index)];
            fighter.next_mover = next;
            fighter.head_on = head_on;
        }
    }

    fn limit_room(&mut self, at: u8, power: Power, mover: u16) {
        let queue = if self.sheet.first_come {
            Some(self.queue_up_to(at, power, mover))
        } else {
            None
        };
        let known = |room: &Room| room.at == at && room.power == power;
        if queue.is_none() && self.rooms.iter().any(known) {
            return;
        }
        let limit = self.sheet.room.get(&(self.province(at), power)).copied();
        self.rooms.push(Room {
            at,
            power,
            // Without a limit there is room for all.
            limit: limit.unwrap_or(u32::MAX),
            queue,
            granted: Verdict::Undecided,
        });
    }

    /// The units of a power that move to the province, in the order of the sheet, up to this one.
    fn queue_up_to(&self, at: u8, power: Power, mover: u16) -> Vec<u16> {
        let mut queue = Vec::new();
        for order in &self.sheet.orders {
            let Some(index) = self.index_of(order.unit) else {
                continue;
            };
            let comes = self
                .fighters
                .get(usize::from(index))
                .is_some_and(|fighter| {
                    fighter.task == Task::Move
                        && fighter.to_shared
                        && fighter.to == at
                        && fighter.unit.power == power
                });
            if comes && !queue.contains(&index) {
                queue.push(index);
            }
            if index == mover {
                break;
            }
        }
        queue
    }
}

/// Whether the convoying unit is on the passenger's route; always, if the passenger's order names no route.
fn on_route(passenger: &Fighter<'_>, convoyer: &Unit) -> bool {
    passenger
        .route
        .is_none_or(|seas| seas.contains(&convoyer.at.province))
}
