//! What is due in a game by the clock (`judge-workflow.md` 4.3, 4.4). Pure: `duty` returns what is due now, `next` when to ask
//! again; the judge carries it out.

use jiff::{SignedDuration, Timestamp};

use super::deadline::{Request, Times, minutes, times};
use super::{Game, LeaderNeed, Reminder, Role, State, VariantGame, requirements};
use crate::planted::{Leak, planted};
use dipjudge_rules::map::Power;
use dipjudge_view::whole_minute;

/// Something that is due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Duty {
    /// Adjudicate. These powers go into civil disorder first.
    Process {
        /// Missing after grace in an NMR game.
        disorder: Vec<Power>,
    },
    /// Remind these of the deadline.
    Remind(Vec<Power>),
    /// Tell that these are late.
    Late {
        /// All powers that are late.
        powers: Vec<Power>,
        /// The powers that are notified; `None` means all.
        only: Option<Vec<Power>>,
        /// The first notice of this phase, which counts as a late turn.
        first: bool,
        /// The last day before the end of grace in an NMR game: given up, free for takeover.
        abandoned: bool,
    },
    /// The end of grace in a game that waits: tell all that these need a new leader.
    Replace {
        /// The vacant powers.
        powers: Vec<Power>,
        /// Whether this is the first notice, which is counted.
        first: bool,
    },
    /// A substitution of this id begins or ends.
    Substitute(String),
    /// Tell the players of a forming game how many are missing.
    Forming,
    /// Close sign-up: the game begins, unless too few came.
    CloseSignUp,
    /// Tell all that the game is still paused.
    StillPaused,
    /// Try whether the results that did not hold do so now.
    CheckAgain,
    /// Tell the master that a turn waits for PROCESS.
    Waiting,
}

/// Which phase of a game begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PhaseStart {
    /// The first one. It is twice as long in games with press, and no earlier deadline counts.
    First,
    /// Any other.
    Later,
}

const DAY: SignedDuration = SignedDuration::from_hours(24);

impl VariantGame<'_> {
    /// What is due at `now`, most urgent first; `None` if nothing.
    pub fn duty(self, now: Timestamp) -> Option<Duty> {
        self.duties()
            .into_iter()
            .filter(|(at, _)| *at <= now)
            .min_by_key(|(at, _)| *at)
            .map(|(_, duty)| duty)
    }

    /// When something will be due if no mail arrives.
    pub fn next_duty_at(self) -> Option<Timestamp> {
        self.duties().into_iter().map(|(at, _)| at).min()
    }

    /// Everything that will be due, each with its time.
    fn duties(self) -> Vec<(Timestamp, Duty)> {
        let mut duties = self.duties_of_state();
        let substitution = self.game.substitution_due();
        duties.extend(substitution.map(|(at, id)| (at, Duty::Substitute(id))));
        duties
    }

    fn duties_of_state(self) -> Vec<(Timestamp, Duty)> {
        let nudged = |gap: SignedDuration| self.game.timing.nudged.map(|last| last + gap);
        match self.game.state {
            State::Forming if self.begins_at_a_date() => {
                let closes = self.sign_up_closes().into_iter();
                closes.map(|at| (at, Duty::CloseSignUp)).collect()
            }
            State::Forming => nudged(DAY * 7)
                .map(|at| (at, Duty::Forming))
                .into_iter()
                .collect(),
            State::Paused => nudged(DAY * 3)
                .map(|at| (at, Duty::StillPaused))
                .into_iter()
                .collect(),
            State::Halted { .. } => nudged(SignedDuration::from_hours(1))
                .map(|at| (at, Duty::CheckAgain))
                .into_iter()
                .collect(),
            State::Running => self.running_duties(),
            State::Ready | State::Over(_) => Vec::new(),
        }
    }

    fn running_duties(self) -> Vec<(Timestamp, Duty)> {
        let Some(times) = self.game.timing.times else {
            return Vec::new();
        };
        let missing = self.powers_missing();
        let mut silent = missing.clone();
        silent.extend(self.requirements().until_deadline);
        let mut due = Vec::new();
        due.extend(self.reminder_due(times, &silent));
        if missing.is_empty() {
            due.push(self.all_in_duty(times));
            return due;
        }
        if self.is_without_grace() {
            due.push(without_grace(self.game, times));
            return due;
        }
        due.extend(late(self.game, times, &missing));
        due.extend(self.end_of_grace(times, &missing));
        due
    }

    /// What is due once all orders are in: the phase is adjudicated after the delay, unless a power waits for the deadline or
    /// may still send something optional.
    fn all_in_duty(self, times: Times) -> (Timestamp, Duty) {
        let delay = minutes(self.game.clock(self.variant).delay);
        let ready = self
            .game
            .timing
            .all_in
            .map_or(times.start, |since| times.start.max(since + delay));
        // WAIT has no effect during grace, when only late orders were waited for.
        let waits = self
            .game
            .standings
            .values()
            .any(|standing| standing.wait && !standing.vacant())
            || !self.all_in();
        // Results that come by the delay after the deadline would reveal when the last orders came (`visibility.md` L11).
        let early = self.pace().early || planted(Leak::Early);
        let in_time = self
            .game
            .timing
            .all_in
            .is_none_or(|since| since <= times.deadline);
        let at = if (waits && ready < times.deadline) || (!early && in_time) {
            times.deadline
        } else {
            ready
        };
        if self.game.settings.manual_process {
            // Where it is secret until the deadline whether everything has come, the master is not notified earlier.
            let untold = requirements::wanting_is_untold(self.game, &self.requirements());
            let at = if untold && !planted(Leak::Nudge) {
                at.max(times.deadline)
            } else {
                at
            };
            let at = self
                .game
                .timing
                .nudged
                .map_or(at, |last| at.max(last + DAY));
            return (at, Duty::Waiting);
        }
        let duty = Duty::Process {
            disorder: Vec::new(),
        };
        (at, duty)
    }

    fn reminder_due(self, times: Times, missing: &[Power]) -> Option<(Timestamp, Duty)> {
        let reminder = self.pace().reminder;
        let early = if missing.len() == 1 && planted(Leak::LastReminded) {
            2
        } else {
            1
        };
        let wish = |power: &Power| match reminder {
            Reminder::AsWished => self
                .game
                .holder(*power)
                .map(|seat| seat.remind)
                .filter(|hours| *hours > 0),
            Reminder::IfSilent(hours) => self
                .game
                .standing(*power)
                .orders
                .is_empty()
                .then_some(hours),
        };
        let before = |hours: u32| SignedDuration::from_hours(i64::from(hours));
        let open: Vec<(Timestamp, Power)> = missing
            .iter()
            .filter(|power| {
                !self.game.timing.reminded.contains(power) && !self.game.standing(**power).vacant()
            })
            .filter_map(|power| {
                wish(power).map(|hours| (times.deadline - before(early * hours), *power))
            })
            .collect();
        let at = open.iter().map(|(at, _)| *at).min()?;
        // After the deadline a reminder would only repeat the late notice.
        (at < times.deadline).then(|| {
            let powers = open
                .iter()
                .filter(|(other, _)| *other == at || planted(Leak::RemindedTogether))
                .map(|(_, power)| *power)
                .collect();
            (at, Duty::Remind(powers))
        })
    }

    /// Whether no power can be late for the phase in hand.
    fn is_without_grace(self) -> bool {
        !self.pace().grace || self.requirements().without_grace
    }

    fn end_of_grace(self, times: Times, missing: &[Power]) -> Option<(Timestamp, Duty)> {
        let manual = self.game.settings.manual_process;
        if manual {
            return None;
        }
        // An error flag alone does not prolong the wait: all units have orders, and these are used.
        let silent: Vec<Power> = missing
            .iter()
            .copied()
            .filter(|power| !self.all_ordered(*power))
            .collect();
        // A game does not stop for a power that it can play without.
        let waits_for = |power: &Power| self.need_of(*power) == LeaderNeed::Required;
        if self.game.settings.nmr || !silent.iter().any(waits_for) {
            return Some((times.grace, Duty::Process { disorder: silent }));
        }
        let silent: Vec<Power> = silent.into_iter().filter(waits_for).collect();
        Some(match self.game.timing.standstill {
            None => (
                times.grace,
                Duty::Replace {
                    powers: silent,
                    first: true,
                },
            ),
            Some(last) => (
                last + DAY * 2,
                Duty::Replace {
                    powers: silent,
                    first: false,
                },
            ),
        })
    }

    /// The times of a phase that begins at `now` (`judge-workflow.md` 4.2). They are counted
    /// from a whole minute, since seconds would reveal when the last orders came in (`visibility.md` 1, P6).
    pub fn times_from(self, now: Timestamp, start: PhaseStart) -> Times {
        let waits = self.pace().moved_by_absence;
        let absences: Vec<_> = self
            .game
            .seats
            .iter()
            .filter(|seat| waits && !seat.left && seat.role != Role::Observer)
            .flat_map(|seat| seat.absences.iter().copied())
            .collect();
        let old = match start {
            PhaseStart::First => None,
            PhaseStart::Later => self.game.timing.times,
        };
        let times = times(&Request {
            clock: self.game.clock(self.variant),
            zone: &self.game.zone(),
            now: whole_minute(now),
            old: old.map(|old| old.deadline),
            old_grace: old.map(|old| old.grace),
            doubled: start == PhaseStart::First && self.game.settings.has_press(),
            strict_grace: self.game.settings.strict_grace,
            absences: &absences,
        });
        if self.is_without_grace() {
            Times {
                grace: times.deadline,
                ..times
            }
        } else {
            times
        }
    }

    /// The times of a phase that follows one that was due at `fell_due` and was adjudicated at `now`. They are counted from
    /// `fell_due`, so that deadlines do not drift with the time at which the judge runs. If the judge ran so late that less than
    /// half of the phase's time would be left, they are counted from the smallest number of days later that leaves half of it
    /// (or of lengths of a phase, where that is shorter than half a day), which keeps the time of day.
    pub fn times_on_schedule(
        self,
        fell_due: Timestamp,
        now: Timestamp,
        start: PhaseStart,
    ) -> Times {
        let length = minutes(self.game.clock(self.variant).next);
        let step = if length < DAY / 2 {
            length.max(minutes(1))
        } else {
            DAY
        };
        let late = now.duration_since(fell_due).max(SignedDuration::ZERO);
        // One step before this, at least half of the time is left.
        let most = late.as_secs() / step.as_secs() + 1;
        let enough = |times: &Times| times.deadline.duration_since(now) >= length / 2;
        (0..=most)
            .map(|steps| {
                let by = SignedDuration::from_secs(step.as_secs().saturating_mul(steps));
                let from = fell_due.checked_add(by).unwrap_or(now);
                self.times_from(from, start)
            })
            .find(enough)
            .unwrap_or_else(|| self.times_from(now, start))
    }

    /// The end of grace after a deadline that is set by hand; equal to the deadline in a phase for which nobody can be late.
    pub fn grace_after(self, deadline: Timestamp, now: Timestamp) -> Timestamp {
        if self.is_without_grace() {
            return deadline;
        }
        let request = Request {
            clock: self.game.clock(self.variant),
            zone: &self.game.zone(),
            now,
            old: None,
            old_grace: self.game.timing.times.map(|old| old.grace),
            doubled: false,
            strict_grace: self.game.settings.strict_grace,
            absences: &[],
        };
        super::deadline::grace(&request, deadline)
    }
}

/// The deadline of a phase for which nobody can be late: at the deadline, it is adjudicated with the orders that are in.
fn without_grace(game: &Game, times: Times) -> (Timestamp, Duty) {
    if game.settings.manual_process {
        let nudged = game.timing.nudged.map(|last| last + DAY);
        let at = nudged.map_or(times.deadline, |again| again.max(times.deadline));
        return (at, Duty::Waiting);
    }
    let duty = Duty::Process {
        disorder: Vec::new(),
    };
    (times.deadline, duty)
}

/// At the deadline to all, then every 24 hours counted back from the end of grace to the late powers (to all while
/// less than a day has passed since the deadline).
fn late(game: &Game, times: Times, missing: &[Power]) -> Option<(Timestamp, Duty)> {
    let powers = missing.to_vec();
    let Some(last) = game.timing.late_notice else {
        let duty = Duty::Late {
            powers,
            only: None,
            first: true,
            abandoned: false,
        };
        return Some((times.deadline, duty));
    };
    let rest = times.grace.as_second() - last.as_second();
    let day = DAY.as_secs();
    // The next whole number of days before the end of grace that comes after the last notice.
    let ahead = (rest - 1).div_euclid(day);
    if ahead < 1 {
        return None;
    }
    let at = times.grace - DAY * ahead as i32;
    let abandoned = game.settings.nmr && ahead == 1;
    let only = (at >= times.deadline + DAY && !abandoned).then(|| missing.to_vec());
    Some((
        at,
        Duty::Late {
            powers,
            only,
            first: false,
            abandoned,
        },
    ))
}
