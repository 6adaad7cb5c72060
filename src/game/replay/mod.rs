//! REPLAY: adjudicates past phases again, from the position before the first of them, with the orders submitted then, the game's
//! seed and the present settings. Changes by masters and immediate actions of players between the phases are not submissions, so
//! they are not repeated.

mod repeated;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::sync::Arc;

use repeated::put_down;

use super::{Event, GameEdit, Past, Phase, Restores, State, Times, Variant, order_of_play, phases};
use dipjudge_rules::adjudicator::Contradiction;
use dipjudge_rules::calendar::Turn;
use dipjudge_rules::map::Power;
use dipjudge_rules::position::Unit;

/// A replay in progress.
pub struct Replay {
    /// The recorded phases, the next one first.
    recorded: VecDeque<Arc<Past>>,
    /// The phase in hand before the replay, at which it ends.
    until: Past,
    waits: Vec<Power>,
    times: Option<Times>,
    paused: bool,
    /// Whether the first phase is still to be played; its submissions are already in place.
    first: bool,
    came: Came,
}

/// The result of a replay beyond the results of its phases.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Came {
    /// Phases that were not played before. Only lines sent in advance could be submitted for them.
    pub new: Vec<(Turn, Phase)>,
    /// Phases that were played before, or were in hand, and did not occur this time.
    pub skipped: Vec<(Turn, Phase)>,
    /// Orders that could not be repeated.
    pub left_out: Vec<LeftOut>,
    /// Whether the phase in hand is the same as before.
    pub in_same_phase: bool,
}

/// An order that could not be repeated.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOut {
    /// The power that gave it.
    pub power: Power,
    /// Its year and season.
    pub turn: Turn,
    /// Its phase.
    pub phase: Phase,
    /// The unit that it was for, at its former place; `None` for a build or removal.
    pub unit: Option<Unit>,
}

impl Past {
    fn place(&self, variant: &dyn Variant) -> (Turn, usize) {
        order_of_play::place(variant, self.turn, &self.phase)
    }
}

impl Replay {
    /// Reverts to before the phase with this number, to replay it and all later ones.
    pub fn from(edit: &mut GameEdit, number: u32) -> Replay {
        let game = &edit.game;
        let played = game.past.iter().filter(|past| past.number >= number);
        let waits = game.standings.iter().filter(|(_, standing)| standing.wait);
        let replay = Replay {
            recorded: played.cloned().collect(),
            until: Past::taken_from(&mut game.clone(), game.number + 1),
            waits: waits.map(|(power, _)| *power).collect(),
            times: game.timing.times,
            paused: game.state == State::Paused,
            first: true,
            came: Came::default(),
        };
        edit.emit(Event::RolledBack {
            number,
            restores: Restores::Orders,
        });
        replay
    }

    /// Whether the next phase was not played before.
    pub fn meets_a_new_phase(&self, edit: &GameEdit) -> bool {
        let here = order_of_play::place(edit.variant, edit.game.turn, &edit.game.phase);
        let is_here = |one: &Arc<Past>| one.place(edit.variant) == here;
        self.goes_on(edit) && !self.recorded.iter().any(is_here)
    }

    /// Whether there is a phase to be played: the game is not over and has not reached the former phase in hand again.
    fn goes_on(&self, edit: &GameEdit) -> bool {
        let here = order_of_play::place(edit.variant, edit.game.turn, &edit.game.phase);
        !edit.game.over() && here < self.until.place(edit.variant)
    }

    /// Adjudicates the next phase again; `false` if there is none.
    ///
    /// # Errors
    /// If its results do not hold against the rules, so that it was not played.
    pub fn play_on(&mut self, edit: &mut GameEdit) -> Result<bool, Contradiction> {
        if !self.goes_on(edit) {
            return Ok(false);
        }
        let variant = edit.variant;
        let here = order_of_play::place(variant, edit.game.turn, &edit.game.phase);
        self.skip_before(here, variant);
        let is_recorded = |one: &Past| one.place(variant) == here;
        match self.take_first_if(is_recorded) {
            // The rollback has already restored its submissions.
            Some(_) if self.first => {}
            Some(one) => put_down(edit, &one, &mut self.came.left_out),
            None => {
                let phase = (edit.game.turn, edit.game.phase.clone());
                self.came.new.push(phase);
            }
        }
        self.first = false;
        phases::run_uncounted(edit)?;
        Ok(true)
    }

    /// Takes the next recorded phase, if it is one of these.
    fn take_first_if(&mut self, wanted: impl Fn(&Past) -> bool) -> Option<Arc<Past>> {
        let first = self.recorded.front();
        first
            .is_some_and(|one| wanted(one))
            .then(|| self.recorded.pop_front())
            .flatten()
    }

    /// Records the phases that did not occur.
    fn skip_before(&mut self, here: (Turn, usize), variant: &dyn Variant) {
        let is_past = |one: &Past| one.place(variant) < here;
        while let Some(one) = self.take_first_if(is_past) {
            self.came.skipped.push((one.turn, one.phase.clone()));
        }
    }

    /// Restores the submissions for the phase in hand, as far as possible, and its deadline.
    pub fn finish(mut self, edit: &mut GameEdit) -> Came {
        if edit.game.over() {
            return self.came;
        }
        let variant = edit.variant;
        let here = order_of_play::place(variant, edit.game.turn, &edit.game.phase);
        self.skip_before(here, variant);
        self.came.in_same_phase = here == self.until.place(variant);
        if self.came.in_same_phase {
            put_down(edit, &self.until, &mut self.came.left_out);
            for power in &self.waits {
                edit.emit(Event::Waits {
                    power: *power,
                    on: true,
                });
            }
            // With a deadline that has passed, orders would be late at once, so the new deadline stays.
            if let Some(times) = self.times.filter(|times| times.deadline > edit.now) {
                edit.emit(Event::Timed { times });
            }
        } else {
            let gone = (self.until.turn, self.until.phase.clone());
            self.came.skipped.push(gone);
        }
        phases::settle(edit);
        if self.paused {
            edit.emit(Event::Paused);
        }
        self.came
    }
}
