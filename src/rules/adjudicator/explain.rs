//! The outcome of each order once everything is decided: its marks, the reason for its failure, and the unit that caused it.

use crate::map::ProvinceSet;

use super::field::{Fighter, NONE, Task, Verdict};
use super::outcome::{Combatant, Mark, Outcome, Reason};
use super::resolver::{Node, Resolver};
use super::rulebook::carries;

impl Resolver<'_> {
    /// One outcome for each fighter.
    pub(super) fn explain(&self) -> Vec<Outcome> {
        (0u16..)
            .zip(&self.field().fighters)
            .map(|(index, fighter)| self.outcome(index, fighter))
            .collect()
    }

    fn outcome(&self, index: u16, fighter: &Fighter<'_>) -> Outcome {
        let mut outcome = Outcome::unmarked(fighter.unit.id);
        match fighter.task {
            Task::Move if fighter.moved == Verdict::Yes => outcome.moved = Some(fighter.arrival),
            Task::Move => {
                let reason = self.why_stopped(index, fighter);
                outcome.marks.add(match reason {
                    Reason::NoConvoy => Mark::NoConvoy,
                    Reason::Paradox | Reason::Disrupted { .. } => Mark::Disrupted,
                    _ => Mark::Bounce,
                });
                outcome.reason = Some(reason);
            }
            Task::SupportHold | Task::SupportMove if fighter.support_given == Verdict::No => {
                outcome.marks.add(Mark::Cut);
                outcome.reason = self.cutter(index, fighter).map(|by| Reason::Cut { by });
            }
            _ => {}
        }
        if let Some(fault) = self.field().fault(index) {
            outcome.marks.add(Mark::Void);
            outcome.reason = Some(fault.clone());
        }
        let attacked =
            fighter.task != Task::Absent && self.field().movers[usize::from(fighter.at)] != NONE;
        if attacked && self.dislodged(index) == Verdict::Yes {
            outcome.marks.add(Mark::Dislodged);
            outcome.dislodged_by = self.victor(fighter.at).map(|victor| victor.unit.into());
        }
        outcome
    }

    /// The unit that moved into the province.
    fn victor(&self, at: u8) -> Option<&Fighter<'_>> {
        self.movers(at)
            .map(|mover| self.fighter(mover))
            .find(|mover| mover.moved == Verdict::Yes)
    }

    fn cutter(&self, index: u16, fighter: &Fighter<'_>) -> Option<Combatant> {
        let toward = self.support_target(index);
        let foreign = |attacker: &&Fighter<'_>| {
            attacker.unit.power != fighter.unit.power
                && attacker.strength.attack > 0
                && attacker.path == Verdict::Yes
        };
        let attackers = || {
            self.movers(fighter.at)
                .map(|mover| self.fighter(mover))
                .filter(foreign)
        };
        attackers()
            .find(|attacker| attacker.moved == Verdict::Yes)
            .or_else(|| attackers().find(|attacker| attacker.at != toward || attacker.from_shared))
            .map(|attacker| attacker.unit.into())
    }

    fn why_stopped(&self, index: u16, fighter: &Fighter<'_>) -> Reason {
        if fighter.path == Verdict::No {
            return self.why_no_path(index, fighter);
        }
        if fighter.to_shared {
            let place = fighter.arrival.province;
            return Reason::NoRoom { at: place };
        }
        let occupant = self.field().occupant[usize::from(fighter.to)];
        let stays = occupant != NONE
            && (self.fighter(occupant).moved != Verdict::Yes || fighter.head_on == occupant);
        let full = self.full_attack(index).max;
        let against = if fighter.head_on == NONE {
            self.hold(index)
        } else {
            self.defend(index)
        }
        .max;
        let strongest = self
            .movers(fighter.to)
            .filter(|&mover| mover != index)
            .map(|mover| (self.prevent(mover).max, mover))
            .max_by_key(|&(prevent, mover)| (prevent, std::cmp::Reverse(mover)))
            .filter(|&(prevent, _)| prevent > 0);
        if stays && self.fighter(occupant).unit.power == fighter.unit.power {
            let other_first = strongest.filter(|&(prevent, _)| prevent >= full);
            if other_first.is_none() && full > against {
                return Reason::OwnUnit {
                    with: self.fighter(occupant).unit.into(),
                };
            }
        }
        let strength = match self.attack(index).max {
            0 => full,
            strength => strength,
        };
        match strongest {
            Some((prevent, mover)) if prevent >= strength || prevent > against => Reason::Bounced {
                with: Some(self.fighter(mover).unit.into()),
                strength,
                against: prevent,
            },
            _ => {
                let with = stays.then(|| self.fighter(occupant).unit.into());
                Reason::Bounced {
                    with,
                    strength,
                    against,
                }
            }
        }
    }

    fn why_no_path(&self, index: u16, fighter: &Fighter<'_>) -> Reason {
        let carriers = || self.helpers(fighter.carriers);
        let ordered: ProvinceSet = carriers().map(|carrier| self.fighter(carrier).at).collect();
        if !carries(self.field(), index, ordered) {
            return Reason::NoConvoy;
        }
        if self.by_rule.contains(&Node::Path(index)) {
            return Reason::Paradox;
        }
        let fleet = carriers().find(|&carrier| self.dislodged(carrier) == Verdict::Yes);
        let by = fleet
            .and_then(|fleet| self.victor(self.fighter(fleet).at))
            .map(|victor| victor.unit.into());
        Reason::Disrupted {
            fleet: fleet.map(|fleet| self.fighter(fleet).unit.into()),
            by,
        }
    }
}
