//! What falls due: deadlines, reminders, late notices, and the processing of phases (`judge-workflow.md` 1.2, 4.3,
//! 4.4).

use jiff::{SignedDuration, Timestamp};

use crate::Judge;
use crate::boundary::{Ids, Library, Outage, Ruling};
use crate::clock::dedication;
use crate::clock::ending;
use crate::clock::halting;
use crate::clock::moved_deadline::{self, in_whole_minutes};
use crate::clock::processing;
use crate::clock::starting;
use crate::people::offering;
use crate::people::stand_by;
use crate::registry::{DedicationReason, RegistryEvent};
use crate::work::game_work::OpenGame;
use crate::work::or_logged::OrLogged;
use crate::work::{GameWork, MailClass, Recipient, Work};
use dipjudge_game::clock::Duty;
use dipjudge_game::planted::{Leak, planted};
use dipjudge_game::{
    Event, Game, GameEdit, Reminder, SettingChange, State, Times, VariantGame, project,
};
use dipjudge_mails::outbound;
use dipjudge_rules::map::Power;
use dipjudge_variants as variants;
use dipjudge_view::Viewer;

/// The largest number of duties done for one game in one look at the clock. It guards against a game that always has
/// another duty.
const MOST_DUTIES: usize = 64;

impl Judge {
    /// The time at which the clock must be looked at next.
    pub fn next_due(&self) -> Option<Timestamp> {
        self.games.first_due().map(|(at, _)| at)
    }

    /// The game whose duty falls due first, if that is at or before `by`.
    fn first_due(&self, by: Timestamp) -> Option<&Game> {
        let first = self.games.first_due();
        first.filter(|(at, _)| *at <= by).map(|(_, game)| game)
    }

    /// Does what was due at `by` for one game, as of `now`; returns `None` if nothing is due.
    ///
    /// Call it until it returns `None`, and store and absorb each ruling before the next call. All mail that arrived
    /// until `by` must have been received. `outages` are the periods of more than an hour in which the inbox could not
    /// be reached, oldest first.
    pub fn tick(
        &self,
        by: Timestamp,
        now: Timestamp,
        outages: &[Outage],
        ids: &mut dyn Ids,
        library: &dyn Library,
    ) -> Option<Ruling> {
        if let Some(ruling) = self.make_good(now, outages, ids, library) {
            return Some(ruling);
        }
        let game = self.first_due(by)?;
        let mut work = Work::new(self, now, ids, library);
        let mut open = OpenGame::of(game, now);
        do_duties(&mut GameWork::new(&mut work, &mut open), by);
        work.close(open);
        Some(work.finish())
    }

    /// Extends deadlines after a mail outage of more than an hour: by its length, but at most by NEXT (README, Decided
    /// 6).
    fn make_good(
        &self,
        now: Timestamp,
        outages: &[Outage],
        ids: &mut dyn Ids,
        library: &dyn Library,
    ) -> Option<Ruling> {
        let known = self.registry.outage();
        let Outage { from, until } = outages
            .iter()
            .copied()
            .find(|outage| known.is_none_or(|known| outage.until > known))?;
        let mut work = Work::new(self, now, ids, library);
        for game in self
            .games
            .values()
            .filter(|game| game.state == State::Running)
        {
            let mut open = OpenGame::of(game, now);
            extend(&mut GameWork::new(&mut work, &mut open), from, until);
            work.close(open);
        }
        work.register(RegistryEvent::Outage { until });
        Some(work.finish())
    }
}

/// Extends the deadline of a game if the outage came shortly before it.
fn extend(work: &mut GameWork, from: Timestamp, until: Timestamp) {
    let game = work.game();
    let Some(times) = game.timing.times else {
        return;
    };
    // The outage did not affect a deadline before it, or one more than a day after it: a day is enough time to write.
    let day = SignedDuration::from_hours(24);
    if times.deadline <= from || times.deadline > until + day {
        return;
    }
    let next = dipjudge_game::deadline::minutes(game.clock(variants::of(&game.variant)).next);
    let by = in_whole_minutes(until.duration_since(from)).min(next);
    let moved = Times {
        deadline: times.deadline + by,
        grace: times.grace + by,
        ..times
    };
    moved_deadline::announce(work, moved, |game, deadline| {
        format!(
            "Mail could not reach the judge for a while, so nobody loses by it: the deadline of '{game}' is now {deadline}."
        )
    });
}

/// Does all that is due for the game in hand.
pub(crate) fn do_duties(work: &mut GameWork, by: Timestamp) {
    for _ in 0..MOST_DUTIES {
        let edit = &work.open.edit;
        let Some(duty) = edit.variant_game().duty(by) else {
            break;
        };
        // The due time, not the minute at which the judge handles it (`visibility.md` 5).
        let fell_due = edit.variant_game().next_duty_at().unwrap_or(work.now);
        work.dated_as_due(fell_due);
        work.open.edit.fell_due = fell_due.min(work.now);
        match duty {
            Duty::Process { disorder } => {
                processing::process(work, &disorder);
                stand_by::fill_vacancies(work);
            }
            Duty::Remind(powers) => remind(work, powers),
            Duty::Late {
                powers,
                only,
                first,
                abandoned,
            } => late(work, &powers, only, first, abandoned),
            Duty::Replace { powers, first } => replace(work, &powers, first),
            Duty::Substitute(id) => offering::turn(work, &id),
            Duty::Forming => forming(work),
            Duty::CloseSignUp => close_sign_up(work),
            Duty::StillPaused => still_paused(work),
            Duty::CheckAgain => halting::check_again(work),
            Duty::Waiting => turn_waiting(work),
        }
    }
    work.dated_now();
    work.open.edit.fell_due = work.now;
}

fn remind(work: &mut GameWork, powers: Vec<Power>) {
    let to: Vec<Recipient> = powers
        .iter()
        .filter_map(|power| work.leader(*power))
        .collect();
    work.emit(Event::Reminded { powers });
    work.broadcast(&to, MailClass::Reminder, |work, to| {
        let edit = &work.open.edit;
        let hours = match edit.variant_game().pace().reminder {
            Reminder::AsWished => edit.game.seat(to.seat)?.remind,
            Reminder::IfSilent(hours) => hours,
        };
        let reminder = edit
            .variant_game()
            .read_by(&work.reader(to))
            .reminder(hours)?;
        outbound::reminder(&work.templates(), &work.heading(to), &reminder).or_logged()
    });
}

fn late(
    work: &mut GameWork,
    powers: &[Power],
    only: Option<Vec<Power>>,
    first: bool,
    abandoned: bool,
) {
    if first {
        dedication::count_turns(work, powers);
        dedication::points(work, powers, -1, DedicationReason::Late);
        work.emit(Event::Late {
            powers: powers.to_vec(),
        });
    } else {
        work.emit(Event::Late { powers: Vec::new() });
    }
    if abandoned {
        dedication::points(work, powers, -50, DedicationReason::Abandoned);
        work.emit(Event::Abandoned {
            powers: powers.to_vec(),
        });
    }
    let hidden = work.hides();
    let to = match &only {
        // If the board is hidden, only the late player and the masters are told.
        None if hidden => {
            let masters = masters(work).into_iter();
            let late = powers.iter().filter_map(|power| work.leader(*power));
            masters.chain(late).collect()
        }
        None => work.everyone(),
        // The master is told too, since he has to find a replacement.
        Some(only) => {
            let masters = masters(work).into_iter();
            let late = only.iter().filter_map(|power| work.leader(*power));
            if first {
                masters.chain(late).collect()
            } else {
                late.collect()
            }
        }
    };
    work.broadcast(&to, MailClass::Notice, |work, to| {
        let edit = &work.open.edit;
        let (game, variant) = (&edit.game, edit.variant);
        let reader = work.reader(to);
        let own = matches!(reader.viewer, Viewer::Power(power) if powers.contains(&power));
        let late = VariantGame::new(game, variant)
            .read_by(&reader)
            .late_notice(powers, abandoned);
        let letters = if late.unnamed > 0 && !own {
            "?".to_owned()
        } else {
            let known: Vec<Power> = powers
                .iter()
                .copied()
                .filter(|power| {
                    !hidden
                        || VariantGame::new(game, variant)
                            .seen_by(reader.viewer)
                            .may_know_late(*power)
                })
                .collect();
            letters(edit, &known, &reader)
        };
        let copy = if own {
            outbound::LateCopy::LatePower
        } else {
            outbound::LateCopy::Other
        };
        outbound::late_notice(&work.templates(), &work.heading(to), &late, &letters, copy)
            .or_logged()
    });
    if abandoned {
        ending::one_leader_less(work);
    }
}

fn masters(work: &GameWork) -> Vec<Recipient> {
    let mut all = work.everyone();
    all.retain(|to| to.power.is_none() && work.is_master(*to));
    all
}

/// The letters of these powers for a subject, followed by a `?` for each power that this reader may not know. A `?`
/// between the letters would show how many of the hidden powers come before a known one.
fn letters(edit: &GameEdit, powers: &[Power], reader: &project::Reader) -> String {
    let (game, variant) = (&edit.game, edit.variant);
    let known = |power: &Power| {
        VariantGame::new(game, variant)
            .seen_by(reader.viewer)
            .may_know_late(*power)
    };
    let labels = VariantGame::new(game, variant)
        .seen_by(reader.viewer)
        .labels();
    let letter = |power: &Power| {
        if known(power) {
            labels.letter(*power)
        } else {
            "?".to_owned()
        }
    };
    let mut shown: Vec<String> = powers.iter().map(letter).collect();
    if !planted(Leak::LatePlace) {
        shown.sort_by_key(|letter| letter == "?");
    }
    let shown: Vec<&str> = shown.iter().map(String::as_str).collect();
    outbound::codes_in_subject(&shown)
}

fn replace(work: &mut GameWork, powers: &[Power], first: bool) {
    if first {
        dedication::points(work, powers, -100, DedicationReason::Disorder);
        work.emit(Event::Abandoned {
            powers: powers.to_vec(),
        });
    }
    work.emit(Event::Standstill);
    let told = if work.hides() {
        masters(work)
    } else {
        work.everyone()
    };
    work.broadcast(&told, MailClass::Notice, |work, to| {
        let edit = &work.open.edit;
        let labels = work.labels(to);
        let letters: Vec<String> = powers.iter().map(|power| labels.letter(*power)).collect();
        let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
        let letters = outbound::codes_in_subject(&letters);
        let waiting = edit
            .variant_game()
            .seen_by(work.reader(to).viewer)
            .waiting(powers);
        outbound::waiting_for_replacements(&work.templates(), &work.heading(to), &waiting, &letters)
            .or_logged()
    });
    if first {
        ending::one_leader_less(work);
    }
}

fn forming(work: &mut GameWork) {
    work.emit(Event::Nudged);
    // The number of missing powers would show how many powers exist.
    let told = if work.secrecy().existence || work.game().settings.secret {
        masters(work)
    } else {
        work.everyone()
    };
    work.broadcast(&told, MailClass::Reminder, |work, to| {
        let edit = &work.open.edit;
        if edit.variant_game().begins_by_word() {
            let game = &work.game().name;
            let line = format!(
                "There are players enough for '{}', and more may come.  Its Master begins it with FORCE BEGIN.",
                game
            );
            return work.notice(to, "Forming", line);
        }
        let missing = edit.variant_game().missing_players();
        outbound::forming_waiting(&work.templates(), &work.heading(to), missing).or_logged()
    });
}

/// Closes sign-up, or extends it if too few have joined. The number of players is told to nobody.
fn close_sign_up(work: &mut GameWork) {
    let Some(closes) = work.variant_game().sign_up_prolonged() else {
        return starting::begin_or_say_ready(work);
    };
    work.emit(Event::Set(SettingChange::SignUp(Some(closes))));
    let everyone = work.everyone();
    work.broadcast(&everyone, MailClass::Notice, |work, to| {
        let game = &work.game().name;
        let closes = work.reader(to).moment(closes);
        let line = format!(
            "Too few have signed up for '{}' so far.  Sign-up goes on until {closes}.",
            game
        );
        let tail = format!("Sign-up Adjustment to: {closes}");
        work.notice(to, &tail, line)
    });
}

fn still_paused(work: &mut GameWork) {
    work.emit(Event::Nudged);
    let everyone = work.everyone();
    work.broadcast(&everyone, MailClass::Reminder, |work, to| {
        let game = &work.game().name;
        let tail = format!("Game pause reminder: {game}");
        let line = format!(
            "'{}' is still paused. Nothing happens until the master sends RESUME.",
            game
        );
        work.notice(to, &tail, line)
    });
}

fn turn_waiting(work: &mut GameWork) {
    work.emit(Event::Nudged);
    let masters = masters(work);
    work.broadcast(&masters, MailClass::Reminder, |work, to| {
        let game = &work.game().name;
        let line = format!(
            "All orders for '{}' are in. Send PROCESS when you are ready.",
            game
        );
        work.notice(to, "Turn Waiting", line)
    });
}
