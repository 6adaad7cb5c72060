//! Holds each decision against its own rule, with all others as they were decided.

use super::resolve::PlainDecisions;
use super::{NOBODY, PlainMovement, PlainTask, UnitSet, members, only, seat};
use crate::map::{PlaceSet, slot};

impl PlainMovement<'_> {
    /// Whether every decision follows from the others, and no two units end in one province.
    pub(super) fn holds(&self, decided: &PlainDecisions) -> bool {
        let mut taken: PlaceSet = 0;
        for (number, unit) in (0u8..).zip(self.units()) {
            let moved = decided.moved & only(number) != 0;
            let right = match unit.task {
                PlainTask::Move => {
                    let has_path = !unit.is_convoyed || self.has_path(decided, number);
                    let stranded = decided.stranded & only(number) != 0;
                    has_path != stranded && moved == (has_path && self.succeeds(decided, number))
                }
                PlainTask::SupportHold | PlainTask::SupportMove => {
                    let matches = self.supporters[seat(unit.other)] & only(number) != 0;
                    let given = decided.given & only(number) != 0;
                    !moved && given == (matches && !self.is_cut(decided, number))
                }
                PlainTask::Hold | PlainTask::Convoy => !moved,
            };
            let at = if moved { unit.to } else { unit.province };
            let stays = moved || self.movers(unit.province) & decided.moved == 0;
            if !right || (stays && taken >> slot(at) & 1 != 0) {
                return false;
            }
            if stays {
                taken |= 1 << slot(at);
            }
        }
        true
    }

    fn has_path(&self, decided: &PlainDecisions, number: u8) -> bool {
        let unit = self.unit(number);
        let fleets = members(self.carriers[seat(number)])
            .map(|carrier| self.unit(carrier).province)
            .filter(|&sea| self.movers(sea) & decided.moved == 0)
            .fold(0, |all, sea| all | 1 << slot(sea));
        self.stations.are_joined(unit.province, unit.to, fleets)
    }

    fn is_cut(&self, decided: &PlainDecisions, number: u8) -> bool {
        let unit = self.unit(number);
        let attackers = self.movers(unit.province) & !self.allies(unit) & !decided.stranded;
        members(attackers).any(|attacker| {
            self.unit(attacker).province != unit.to || decided.moved & only(attacker) != 0
        })
    }

    fn full(&self, decided: &PlainDecisions, number: u8, without: UnitSet) -> u32 {
        let help = self.supporters[seat(number)] & decided.given & !without;
        1 + help.count_ones()
    }

    fn succeeds(&self, decided: &PlainDecisions, number: u8) -> bool {
        let unit = self.unit(number);
        let there = self.occupant[slot(unit.to)];
        let leaves = there == NOBODY || (decided.moved & only(there) != 0 && unit.head_on != there);
        let (attack, hold) = if leaves {
            (self.full(decided, number, 0), 0)
        } else {
            let other = self.unit(there);
            let attack = if other.power == unit.power {
                0
            } else {
                self.full(decided, number, self.allies(other))
            };
            let is_helped = unit.head_on == there || other.task != PlainTask::Move;
            let hold = if is_helped {
                self.full(decided, there, 0)
            } else {
                1
            };
            (attack, hold)
        };
        let rivals = self.movers(unit.to) & !only(number) & !decided.stranded;
        let prevented = members(rivals).any(|rival| {
            let beaten = only(self.unit(rival).head_on) & decided.moved != 0;
            !beaten && self.full(decided, rival, 0) >= attack
        });
        attack > hold && !prevented
    }
}
