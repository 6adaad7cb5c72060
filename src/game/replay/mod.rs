//! REPLAY: phases that were played are played once more, from the position before the first of them was, with what was submitted
//! then, the game's seed and the settings of today. What masters overruled and players did at once between the phases is not
//! in what was submitted, so it is not repeated.

mod repeated;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, VecDeque};

use repeated::put_down;

use super::{
    Event, Game, GameEdit, Orders, Past, Phase, Restores, State, Submitted, Times, Variant,
    order_of_play, phases,
};
use dipjudge_rules::calendar::Turn;
use dipjudge_rules::map::Power;
use dipjudge_rules::position::{Position, Unit};

/// A game in the course of being replayed.
pub struct Replay {
    /// The phases that were played, the next first.
    recorded: VecDeque<Recorded>,
    /// The phase in hand before: where the replay ends.
    until: Recorded,
    waits: Vec<Power>,
    times: Option<Times>,
    paused: bool,
    /// Whether what was submitted for the first phase stands already.
    first: bool,
    came: Came,
}

/// What came of a replay beyond the results of its phases.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Came {
    /// Phases that had not been played before. Nobody could submit anything for them but what was sent ahead.
    pub new: Vec<(Turn, Phase)>,
    /// Phases that had been played, or that in hand, and that did not come this time.
    pub skipped: Vec<(Turn, Phase)>,
    /// What could not stand this time.
    pub left_out: Vec<LeftOut>,
    /// Whether the phase in hand is the one that was.
    pub in_same_phase: bool,
}

/// An order that could not stand this time.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOut {
    /// Whose order it was.
    pub power: Power,
    /// In which year and season.
    pub turn: Turn,
    /// In which phase.
    pub phase: Phase,
    /// The unit that it was for, where it stood then; none for a build or removal.
    pub unit: Option<Unit>,
}

/// What stood when a phase was played, or stands in the one in hand.
struct Recorded {
    turn: Turn,
    phase: Phase,
    position: Position,
    orders: BTreeMap<Power, Orders>,
    submissions: BTreeMap<Power, Submitted>,
}

impl Recorded {
    fn of_past(past: &Past) -> Recorded {
        Recorded {
            turn: past.turn,
            phase: past.phase.clone(),
            position: past.position.clone(),
            orders: past.orders.clone(),
            submissions: past.submissions.clone(),
        }
    }

    fn in_hand(game: &Game) -> Recorded {
        let standings = || game.standings.iter();
        Recorded {
            turn: game.turn,
            phase: game.phase.clone(),
            position: game.position.clone(),
            orders: standings()
                .map(|(power, standing)| (*power, standing.orders.clone()))
                .collect(),
            submissions: standings()
                .map(|(power, standing)| (*power, standing.submissions.clone()))
                .collect(),
        }
    }

    fn place(&self, variant: &dyn Variant) -> (Turn, usize) {
        order_of_play::place(variant, self.turn, &self.phase)
    }
}

impl Replay {
    /// Goes back to before a phase was played, by its number, to replay it and all behind it.
    pub fn from(edit: &mut GameEdit, number: u32) -> Replay {
        let game = &edit.game;
        let played = game.past.iter().filter(|past| past.number >= number);
        let waits = game.standings.iter().filter(|(_, standing)| standing.wait);
        let replay = Replay {
            recorded: played.map(|past| Recorded::of_past(past)).collect(),
            until: Recorded::in_hand(game),
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

    /// Whether the phase that comes next had not been played before.
    pub fn meets_a_new_phase(&self, edit: &GameEdit) -> bool {
        let here = order_of_play::place(edit.variant, edit.game.turn, &edit.game.phase);
        let is_here = |one: &Recorded| one.place(edit.variant) == here;
        self.goes_on(edit) && !self.recorded.iter().any(is_here)
    }

    /// Whether there is a phase to be played: the phase in hand has not come again, and the game is not over.
    fn goes_on(&self, edit: &GameEdit) -> bool {
        let here = order_of_play::place(edit.variant, edit.game.turn, &edit.game.phase);
        !edit.game.over() && here < self.until.place(edit.variant)
    }

    /// Plays the next phase once more; `false` if there is none.
    pub fn play_on(&mut self, edit: &mut GameEdit) -> bool {
        if !self.goes_on(edit) {
            return false;
        }
        let variant = edit.variant;
        let here = order_of_play::place(variant, edit.game.turn, &edit.game.phase);
        self.skip_before(here, variant);
        let is_recorded = |one: &mut Recorded| one.place(variant) == here;
        match self.recorded.pop_front_if(is_recorded) {
            // Going back has put everything down that was submitted for it.
            Some(_) if self.first => {}
            Some(one) => put_down(edit, &one, &mut self.came.left_out),
            None => {
                let phase = (edit.game.turn, edit.game.phase.clone());
                self.came.new.push(phase);
            }
        }
        self.first = false;
        phases::run_uncounted(edit);
        true
    }

    /// Notes the phases that did not come.
    fn skip_before(&mut self, here: (Turn, usize), variant: &dyn Variant) {
        let is_past = |one: &mut Recorded| one.place(variant) < here;
        while let Some(one) = self.recorded.pop_front_if(is_past) {
            self.came.skipped.push((one.turn, one.phase));
        }
    }

    /// What was submitted for the phase in hand stands again, as far as it can, and its deadline.
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
            // One that has passed would be late at once: the new one stands.
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
