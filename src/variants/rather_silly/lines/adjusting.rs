//! Builds and removals: they add up, up to the number that is due; a later line for the same site or unit comes in place of an
//! earlier one.

use std::collections::BTreeMap;

use super::replacing::BEHIND_ANY_CASE;
use super::{Reader, noted};
use crate::rather_silly::adjustment_counts::{self, Adjustments, CountedLines};
use crate::rather_silly::conditions::Condition;
use crate::rather_silly::submissions::{AdjustmentLine, AdjustmentOrder, Build};
use crate::rather_silly::{is_solid, sites, slots, winter};
use dipjudge_game::{Considered, Effect, Phase, Refusal, refuse};
use dipjudge_grammar::Line;
use dipjudge_rules::calendar::Season;
use dipjudge_rules::map::UnitKind;

/// Whether a line orders one adjustment more than the lines before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineEffect {
    OneMore,
    /// It has a condition, or replaces other lines.
    Nothing,
}

/// All lines for adjustments, by the names under which they are put down.
type Lines = BTreeMap<String, Vec<AdjustmentLine>>;

impl Reader<'_> {
    pub(super) fn adjustment(
        &self,
        line: &Line,
        condition: Option<Condition>,
    ) -> Result<Considered, Refusal> {
        self.known(condition.as_ref(), 9)?;
        let then = match line.rule.as_str() {
            "own-build" => {
                let (kind, at) = self.build(line)?;
                AdjustmentOrder::Build(Build::Unit(kind, at))
            }
            "own-waive" => return self.waive(line, condition),
            _ => {
                let unit = self.own(line)?;
                let due = winter::removal_is_due(&self.board, &unit);
                if self.in_winter() && !due {
                    return refuse("No removal of that unit is due.");
                }
                AdjustmentOrder::Remove(unit.id)
            }
        };
        self.adjust(then, condition)
    }

    /// `WAIVE`, `WAIVE 2`, `WAIVE ALL`.
    fn waive(&self, line: &Line, condition: Option<Condition>) -> Result<Considered, Refusal> {
        let mut lines = self.sent();
        let due = adjustment_counts::due(&self.board, self.rules(), self.sight.power);
        if self.in_winter() && due.builds == 0 {
            return refuse("No build is due to you.");
        }
        // Nobody has more builds than there are centers.
        let most = if self.in_winter() {
            self.builds_open(&lines)
        } else {
            self.board.map.centers().len()
        };
        let number = line
            .number()
            .map_or(1, |number| usize::try_from(number).unwrap_or(0));
        let wanted = if line.has("waive-all") && self.in_winter() {
            most
        } else {
            number
        };
        if wanted.min(most) == 0 {
            return refuse(self.all_ordered(&lines));
        }
        let name = slots::adjustment(&AdjustmentOrder::Waive);
        for _ in 0..wanted.min(most) {
            let waived = AdjustmentLine {
                number: next_number(&lines),
                condition: condition.clone(),
                then: AdjustmentOrder::Waive,
            };
            lines.entry(name.clone()).or_default().push(waived);
        }
        Ok(self.changed(&name, &lines, Vec::new()))
    }

    /// Puts a build or a removal among the others.
    pub(super) fn adjust(
        &self,
        then: AdjustmentOrder,
        condition: Option<Condition>,
    ) -> Result<Considered, Refusal> {
        let mut lines = self.sent();
        let name = slots::adjustment(&then);
        let mut gone: Vec<AdjustmentLine> = Vec::new();
        for rival in lines.keys().cloned().collect::<Vec<_>>() {
            let of_rival = lines.entry(rival.clone()).or_default();
            if rival != name
                && !of_rival
                    .iter()
                    .any(|line| adjustment_counts::collide(&line.then, &then))
            {
                continue;
            }
            if !self.has_said(&rival) {
                gone.append(of_rival);
            } else if of_rival.iter().any(|line| excludes(line, &then)) {
                if condition.is_some() {
                    return refuse(BEHIND_ANY_CASE);
                }
                let (old, kept) = std::mem::take(of_rival)
                    .into_iter()
                    .partition(|line| excludes(line, &then));
                *of_rival = kept;
                gone.extend::<Vec<AdjustmentLine>>(old);
            }
        }
        if self.in_winter() {
            let adds = if condition.is_none() && gone.is_empty() {
                LineEffect::OneMore
            } else {
                LineEffect::Nothing
            };
            self.is_due(&then, &lines, adds)?;
        }
        // It takes the place of what it replaces.
        let place = gone.iter().map(|line| line.number).min();
        let number = place.unwrap_or_else(|| next_number(&lines));
        let new = AdjustmentLine {
            number,
            condition,
            then,
        };
        let now = self.new_lines(&name, &[&new]);
        lines.entry(name.clone()).or_default().push(new);
        let before: Vec<String> = gone
            .iter()
            .flat_map(|line| self.new_lines(&slots::adjustment(&line.then), &[line]))
            .collect();
        Ok(self.changed(&name, &lines, self.in_place_of(&before, &now)))
    }

    /// Whether builds and removals are played next, so that it can be said which are due.
    pub(super) fn in_winter(&self) -> bool {
        self.sight.phase == Phase::Adjustments && !self.alone
    }

    /// What the sender has sent for adjustments.
    fn sent(&self) -> Lines {
        if self.alone {
            return Lines::new();
        }
        let names = self.sight.lasting();
        slots::adjustments(names.filter_map(|name| Some((name, self.sight.kept(name)?))))
    }

    /// What has to be put down for these to be the lines that stand, after a line that is kept under this name.
    fn changed(&self, said: &str, lines: &Lines, mut notes: Vec<String>) -> Considered {
        let before = self.sent();
        // What is said again is said by this mail now.
        let differs =
            |name: &str, now: &Vec<AdjustmentLine>| name == said || before.get(name) != Some(now);
        let changed = lines.iter().filter(|(name, now)| differs(name, now));
        let effects = changed.map(|(name, now)| {
            if now.is_empty() {
                slots::put::<()>(name.clone(), None)
            } else {
                slots::put(name.clone(), Some(now))
            }
        });
        let effects: Vec<Effect> = effects.collect();
        let early = matches!(self.sight.turn.season, Season::Spring | Season::Summer);
        // Once is enough for a whole mail.
        let told = self
            .sight
            .said
            .slots
            .iter()
            .any(|name| slots::is_adjustment(name));
        if early && !self.alone && !told {
            notes.push(format!(
                "Lines for builds and removals are kept until Winter {}, and looked at again then.",
                self.sight.turn.year
            ));
        }
        noted(effects, notes)
    }

    /// Builds that are due in Winter and not ordered yet, as far as that is certain.
    fn builds_open(&self, lines: &Lines) -> usize {
        let due = adjustment_counts::due(&self.board, self.rules(), self.sight.power);
        due.builds.saturating_sub(
            adjustment_counts::given(&self.board, lines, CountedLines::InAnyCase).builds,
        )
    }

    /// Refuses a build or a removal that is not due in Winter; one more than are due, too.
    fn is_due(
        &self,
        then: &AdjustmentOrder,
        lines: &Lines,
        adds: LineEffect,
    ) -> Result<(), Refusal> {
        let due = adjustment_counts::due(&self.board, self.rules(), self.sight.power);
        let given = match adds {
            LineEffect::OneMore => {
                adjustment_counts::given(&self.board, lines, CountedLines::InAnyCase)
            }
            LineEffect::Nothing => Adjustments::default(),
        };
        match then {
            AdjustmentOrder::Build(Build::Unit(kind, _)) if !sites::needs_center(*kind) => {
                self.idle_is_due(*kind, lines, adds)
            }
            AdjustmentOrder::Build(_) if due.builds == 0 => {
                refuse("No build of that kind is due to you.")
            }
            AdjustmentOrder::Build(_) | AdjustmentOrder::Waive if given.builds >= due.builds => {
                refuse(self.all_ordered(lines))
            }
            AdjustmentOrder::Remove(id) => {
                let unit = self.board.unit(*id);
                let needs_center = unit.is_some_and(|unit| sites::needs_center(unit.kind));
                if needs_center && given.removals >= due.removals {
                    refuse(self.all_ordered(lines))
                } else {
                    Ok(())
                }
            }
            _ => Ok(()),
        }
    }

    /// FEMALE and DIRTY OLD MAN armies have numbers of their own, one for every five centers.
    fn idle_is_due(&self, kind: UnitKind, lines: &Lines, adds: LineEffect) -> Result<(), Refusal> {
        let certain =
            |line: &&AdjustmentLine| adds == LineEffect::OneMore && line.condition.is_none();
        let ordered = lines.values().flatten().filter(certain);
        let seat = self.sight.power;
        if adjustment_counts::idle_open(&self.board, seat, kind, ordered.clone()) > 0 {
            return Ok(());
        }
        match adjustment_counts::idle_open(&self.board, seat, kind, []) {
            0 => refuse("No build of that kind is due to you."),
            _ => refuse(self.all_ordered(lines)),
        }
    }

    /// For one line too many.
    fn all_ordered(&self, lines: &Lines) -> String {
        let mut all: Vec<&AdjustmentLine> = lines.values().flatten().collect();
        all.sort_by_key(|line| line.number);
        let all: Vec<String> = all
            .into_iter()
            .flat_map(|line| self.new_lines(&slots::adjustment(&line.then), &[line]))
            .collect();
        if all.is_empty() {
            "No build is due to you.".to_owned()
        } else {
            format!(
                "No more are due to you than you have ordered: {}.  CANCEL and one of these lines takes it back.",
                all.join("; ")
            )
        }
    }
}

/// Whether a line that is there counts in any case, so that one more for the same subject would never count.
fn excludes(line: &AdjustmentLine, then: &AdjustmentOrder) -> bool {
    let alone = match then {
        AdjustmentOrder::Build(Build::Unit(kind, _)) => is_solid(*kind),
        _ => true,
    };
    alone && line.condition.is_none() && adjustment_counts::collide(&line.then, then)
}

fn next_number(lines: &Lines) -> u32 {
    let last = lines.values().flatten().map(|line| line.number).max();
    last.map_or(0, |last| last + 1)
}
