//! Decides what the rules leave no doubt about, until nothing is open.

use super::super::field::Verdict;
use super::super::planted::{Fault, planted};
use super::super::rulebook::Range;
use super::{NOBODY, PlainMovement, PlainTask, UnitSet, members, only, seat};
use crate::map::{PlaceSet, slot};

/// What has been decided, and what is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PlainDecisions {
    pub(super) moved: UnitSet,
    pub(super) open_moves: UnitSet,
    pub(super) given: UnitSet,
    pub(super) open_supports: UnitSet,
    pub(super) stranded: UnitSet,
    pub(super) open_paths: UnitSet,
}

/// The result of each unit's order: the sets of those that have each mark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlainOutcome {
    /// Whose move succeeded.
    pub moved: UnitSet,
    /// Whose move failed although it had a path.
    pub bounced: UnitSet,
    /// Whose support was cut.
    pub cut: UnitSet,
    /// Whose support or convoy does not match the order of the other unit.
    pub void: UnitSet,
    /// Who was dislodged.
    pub dislodged: UnitSet,
    /// For whom no chain of fleets was ordered to convoy.
    pub no_convoy: UnitSet,
    /// Whose convoy was disrupted.
    pub disrupted: UnitSet,
}

impl PlainMovement<'_> {
    /// Adjudicates. `None` if anything cannot be decided with certainty, or a decision contradicts its rule.
    #[must_use]
    pub fn resolve(&mut self) -> Option<PlainOutcome> {
        let void = self.link();
        let decided = self.decide()?;
        self.holds(&decided).then(|| self.outcome(void, &decided))
    }

    pub(super) fn decide(&self) -> Option<PlainDecisions> {
        let mut decided = PlainDecisions {
            open_paths: self.convoyed,
            ..PlainDecisions::default()
        };
        for (number, unit) in (0u8..).zip(self.units()) {
            match unit.task {
                PlainTask::Move => decided.open_moves |= only(number),
                PlainTask::SupportHold | PlainTask::SupportMove
                    if self.supporters[seat(unit.other)] & only(number) != 0 =>
                {
                    decided.open_supports |= only(number);
                }
                _ => {}
            }
        }
        loop {
            let before = decided;
            self.settle_paths(&mut decided);
            self.settle_supports(&mut decided);
            self.settle_moves(&mut decided);
            if decided.open_moves | decided.open_supports | decided.open_paths == 0 {
                return Some(decided);
            }
            if decided == before {
                self.settle_ring(&mut decided)?;
            }
        }
    }

    fn settle_paths(&self, decided: &mut PlainDecisions) {
        for number in members(decided.open_paths) {
            let (mut sure, mut possible): (PlaceSet, PlaceSet) = (0, 0);
            for carrier in members(self.carriers[seat(number)]) {
                let sea = self.unit(carrier).province;
                let attackers = self.movers(sea);
                if attackers & decided.moved == 0 {
                    possible |= 1 << slot(sea);
                    if attackers & decided.open_moves == 0 {
                        sure |= 1 << slot(sea);
                    }
                }
            }
            let unit = self.unit(number);
            if planted(Fault::UnbrokenConvoys)
                || self.stations.are_joined(unit.province, unit.to, sure)
            {
                decided.open_paths &= !only(number);
            } else if !self.stations.are_joined(unit.province, unit.to, possible) {
                decided.open_paths &= !only(number);
                decided.open_moves &= !only(number);
                decided.stranded |= only(number);
            }
        }
    }

    fn settle_supports(&self, decided: &mut PlainDecisions) {
        for number in members(decided.open_supports) {
            let unit = self.unit(number);
            let attackers = self.movers(unit.province) & !self.allies(unit);
            // The unit at which the support is directed cuts it only by dislodging.
            let target = attackers & only(self.occupant[slot(unit.to)]);
            let others = attackers & !target & !decided.stranded;
            let is_cut = (target & decided.moved) | (others & !decided.open_paths) != 0;
            if is_cut && !planted(Fault::UncutSupports) {
                decided.open_supports &= !only(number);
            } else if is_cut || (target & decided.open_moves) | others == 0 {
                decided.open_supports &= !only(number);
                decided.given |= only(number);
            }
        }
    }

    fn settle_moves(&self, decided: &mut PlainDecisions) {
        for number in members(decided.open_moves) {
            let is_faulty = planted(Fault::SwappedPlaces) && self.unit(number).head_on != NOBODY;
            let verdict = if is_faulty {
                Verdict::Yes
            } else {
                self.moves(decided, number)
            };
            match verdict {
                Verdict::Undecided => {}
                verdict => {
                    decided.open_moves &= !only(number);
                    if verdict == Verdict::Yes {
                        decided.moved |= only(number);
                    }
                }
            }
        }
    }

    /// Lets the moves of a ring succeed that depend on nothing but each other (circular movement, DATC 6.C); `None` if there is
    /// no such ring.
    fn settle_ring(&self, decided: &mut PlainDecisions) -> Option<()> {
        if decided.open_supports | decided.open_paths != 0 {
            return None;
        }
        let next = |number: u8| self.occupant[slot(self.unit(number).to)];
        let is_open = |set: UnitSet| decided.open_moves & set != 0;
        let mut start = members(decided.open_moves).next()?;
        // After as many steps as there are units it is in a ring, if there is one.
        for _ in 0..self.count {
            start = next(start);
            if !is_open(only(start)) {
                return None;
            }
        }
        let mut ring = only(start);
        let mut last = next(start);
        while last != start {
            ring |= only(last);
            last = next(last);
        }
        let depends_on_others = members(ring).any(|number| {
            let rivals = self.movers(self.unit(number).to) & !only(number) & !decided.stranded;
            members(rivals).any(|rival| is_open(only(self.unit(rival).head_on)))
        });
        if depends_on_others {
            return None;
        }
        decided.open_moves &= !ring;
        decided.moved |= ring;
        Some(())
    }

    fn strength(&self, decided: &PlainDecisions, number: u8, without: UnitSet) -> Range {
        let help = self.supporters[seat(number)] & !without;
        Range {
            min: 1 + (help & decided.given).count_ones(),
            max: 1 + (help & (decided.given | decided.open_supports)).count_ones(),
        }
    }

    fn moves(&self, decided: &PlainDecisions, number: u8) -> Verdict {
        let unit = self.unit(number);
        let (mut attack, hold) = self.attack_and_hold(decided, number);
        if decided.open_paths & only(number) != 0 {
            attack.min = 0;
        }
        if attack.max <= hold.min {
            return Verdict::No;
        }
        let mut sure = attack.min > hold.max;
        for rival in members(self.movers(unit.to) & !only(number) & !decided.stranded) {
            let prevent = self.prevent(decided, rival);
            if attack.max <= prevent.min {
                return Verdict::No;
            }
            sure &= attack.min > prevent.max;
        }
        Verdict::yes_if(sure)
    }

    /// The strength of a move, and the strength in its destination that it has to exceed.
    fn attack_and_hold(&self, decided: &PlainDecisions, number: u8) -> (Range, Range) {
        const NONE: Range = Range { min: 0, max: 0 };
        const ALONE: Range = Range { min: 1, max: 1 };
        let unit = self.unit(number);
        let there = self.occupant[slot(unit.to)];
        let full = self.strength(decided, number, 0);
        if there == NOBODY {
            return (full, NONE);
        }
        let other = self.unit(there);
        let against_unit = if other.power == unit.power {
            NONE
        } else {
            self.strength(decided, number, self.allies(other))
        };
        if unit.head_on == there || other.task != PlainTask::Move {
            (against_unit, self.strength(decided, there, 0))
        } else if decided.moved & only(there) != 0 {
            (full, NONE)
        } else if decided.open_moves & only(there) == 0 {
            (against_unit, ALONE)
        } else {
            let attack = Range {
                min: against_unit.min,
                max: full.max,
            };
            (attack, Range { min: 0, max: 1 })
        }
    }

    /// The strength with which a move keeps others out of its destination.
    fn prevent(&self, decided: &PlainDecisions, rival: u8) -> Range {
        let mut range = self.strength(decided, rival, 0);
        let opposite = only(self.unit(rival).head_on);
        if opposite & decided.moved != 0 {
            range = Range { min: 0, max: 0 };
        } else if opposite & decided.open_moves != 0 || decided.open_paths & only(rival) != 0 {
            range.min = 0;
        }
        range
    }

    fn outcome(&self, void: UnitSet, decided: &PlainDecisions) -> PlainOutcome {
        let mut outcome = PlainOutcome {
            moved: decided.moved,
            void,
            ..PlainOutcome::default()
        };
        for (number, unit) in (0u8..).zip(self.units()) {
            match unit.task {
                PlainTask::Move if decided.moved & only(number) != 0 => {
                    let there = only(self.occupant[slot(unit.to)]);
                    outcome.dislodged |= there & !decided.moved;
                }
                PlainTask::Move if decided.stranded & only(number) == 0 => {
                    outcome.bounced |= only(number);
                }
                PlainTask::Move => {
                    let ordered = members(self.carriers[seat(number)])
                        .fold(0, |all, fleet| all | 1 << slot(self.unit(fleet).province));
                    if self.stations.are_joined(unit.province, unit.to, ordered) {
                        outcome.disrupted |= only(number);
                    } else {
                        outcome.no_convoy |= only(number);
                    }
                }
                PlainTask::SupportHold | PlainTask::SupportMove => {
                    outcome.cut |= only(number) & !decided.given & !void;
                }
                PlainTask::Hold | PlainTask::Convoy => {}
            }
        }
        outcome
    }
}
