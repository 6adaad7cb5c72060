//! When a phase ends, from `judge-workflow.md` 4 and `visibility.md` 6 alone: what the judge's log says of the hours is not
//! asked, so that a phase that is adjudicated too early or too late is seen to be.

use dipjudge::game::deadline::{Request, minutes, times};
use dipjudge::game::{Absence, Cause, Event, Game, Record, Role, State, Times, VariantGame};
use dipjudge::variants;
use jiff::Timestamp;

use super::acquaintance::hides_existence;

/// The calendar of one game.
#[derive(Clone, Debug, Default)]
pub struct Calendar {
    /// The times of the phase in hand.
    pub times: Option<Times>,
    /// Since when all orders are in.
    pub all_in: Option<Timestamp>,
    /// When anything happened last.
    last: Option<Timestamp>,
}

impl Calendar {
    /// The time of a record: of what the clock alone did to a phase, when it had to be done.
    pub fn hour(&self, game: &Game, record: &Record) -> Timestamp {
        let Some(times) = self.times.filter(|_| record.cause == Cause::Clock) else {
            return record.at;
        };
        let is = |what: fn(&Event) -> bool| record.events.iter().any(what);
        let due = if is(|event| matches!(event, Event::Played(_))) {
            self.ends(game, times)
        } else if is(|event| matches!(event, Event::Late { powers } if !powers.is_empty())) {
            times.deadline
        } else {
            return record.at;
        };
        // What is overdue by a change is done at once.
        due.max(self.last.unwrap_or(due))
    }

    /// When the phase in hand is adjudicated, as things stand.
    fn ends(&self, game: &Game, times: Times) -> Timestamp {
        if is_fixed(game) && game.settings.early != Some(true) {
            return times.deadline;
        }
        let variant = variants::of(&game.variant);
        if !VariantGame::new(game, variant).powers_missing().is_empty() {
            // Nobody waits longer: in a phase without grace not even beyond the deadline.
            return match VariantGame::new(game, variant).requirements().without_grace
                || is_fixed(game)
            {
                true => times.deadline,
                false => times.grace,
            };
        }
        let delay = minutes(game.clock(variant).delay);
        let since = self.all_in.unwrap_or(times.start);
        let ready = times.start.max(since + delay);
        let waits = |one: &dipjudge::game::Standing| one.wait && !one.vacant();
        let open = !VariantGame::new(game, variant).all_in();
        let wait = (open || game.standings.values().any(waits)) && ready < times.deadline;
        let settings = &game.settings;
        // A blind game is adjudicated at its deadlines, if nobody is late and its master has not wished otherwise.
        let early = settings.early.unwrap_or(!settings.blind);
        if wait || (!early && since <= times.deadline) {
            times.deadline
        } else {
            ready
        }
    }

    /// The times that an event sets. Behind one that gives the game new time they follow from the clock's rules; else they
    /// are somebody's word.
    pub fn set(&mut self, game: &Game, at: Timestamp, renewed: bool, said: Times) -> Times {
        let times = match renewed && self.times.is_some() {
            true => self.next(game, at),
            false => said,
        };
        self.times = Some(times);
        times
    }

    /// Whether the times that follow an event are computed anew.
    pub fn renews(event: &Event) -> bool {
        matches!(
            event,
            Event::Played(_) | Event::Taken { .. } | Event::Resumed
        )
    }

    /// The times of a phase that begins at an hour.
    fn next(&self, game: &Game, at: Timestamp) -> Times {
        let variant = variants::of(&game.variant);
        let heeded = game
            .seats
            .iter()
            .filter(|seat| !seat.left && seat.role != Role::Observer);
        let mut absences: Vec<Absence> = heeded.flat_map(|seat| seat.absences.clone()).collect();
        if is_fixed(game) {
            absences.clear();
        }
        let second = at.as_second();
        let minute = Timestamp::from_second(second - second.rem_euclid(60));
        let next = times(&Request {
            clock: game.clock(variant),
            zone: &game.zone(),
            now: minute.unwrap_or(at),
            old: self.times.map(|old| old.deadline),
            old_grace: self.times.map(|old| old.grace),
            doubled: false,
            strict_grace: game.settings.strict_grace,
            absences: &absences,
        });
        match VariantGame::new(game, variant).requirements().without_grace || is_fixed(game) {
            true => Times {
                grace: next.deadline,
                ..next
            },
            false => next,
        }
    }

    /// After all that happened at an hour: whether it became known, or is no longer so, that all orders are in.
    pub fn rest(&mut self, game: &Game, at: Timestamp) -> bool {
        self.last = Some(at);
        let before = self.all_in;
        let variant = variants::of(&game.variant);
        let complete = game.state == State::Running && VariantGame::new(game, variant).all_in();
        self.all_in = complete.then(|| before.unwrap_or(at));
        before != self.all_in
    }

    /// A phase is over: nothing is in yet of the next.
    pub fn turn(&mut self) {
        self.all_in = None;
    }
}

/// Whether nothing but its dates moves a game on (`visibility.md` 6.3).
fn is_fixed(game: &Game) -> bool {
    hides_existence(&game.variant)
}
