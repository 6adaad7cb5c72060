//! A season step by step, in the order of rule [17].

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::board::{Board, Draws};
use super::orders::{Everybody, Flight};
use super::rules::Rules;
use super::state::Notice;
use super::{
    DOCTOR, JESTER, SOOTHSAYER, borg, conditions, llamas, merging, monsters, movement, question,
    retreats, souls, tardis, vote, winter,
};
use crate::map::{Power, Province};
use crate::position::UnitId;

/// A season that is being played.
pub(super) struct Season<'s> {
    pub rules: &'s Rules,
    pub everybody: &'s Everybody,
    /// The seats that are filled.
    pub seats: &'s BTreeSet<Power>,
    /// The master's rulings on answers, in their order.
    pub ruled: &'s [(Power, bool)],
    pub draws: Draws<'s>,
    pub spring: bool,
    pub year: u16,
    pub notices: RefCell<Vec<Notice>>,
}

impl Season<'_> {
    fn notice(&self, seat: Power, said: &str) {
        self.notices.borrow_mut().push(Notice {
            seat,
            said: said.to_owned(),
        });
    }

    /// Step 1: all movement.
    pub(super) fn movement(&self, board: &mut Board<'_>) -> movement::Moved {
        let moved = movement::move_all(board, self.rules, self.everybody, self.draws);
        for seat in &moved.orders.held_pairs {
            let said = "Orders that could part a SIAMESE pair: both hold.";
            self.notice(*seat, said);
        }
        moved
    }

    /// Step 2: what the SOOTHSAYER foresaw merges.
    pub(super) fn merge(&self, board: &mut Board<'_>) {
        let soothsayer = self.everybody.get(&SOOTHSAYER);
        let predictions = soothsayer.map_or(&[][..], |all| &all.predictions);
        merging::merge(board, self.rules, predictions);
    }

    /// Step 4: souls are sold.
    pub(super) fn sell_souls(&self, board: &mut Board<'_>) {
        let before = board.clone();
        for (seat, all) in self.everybody {
            let sales = all.sales.iter();
            let agreed =
                sales.filter(|sale| conditions::holds(&before, *seat, sale.condition.as_ref()));
            let units: BTreeSet<UnitId> = agreed.map(|sale| sale.then).collect();
            for unit in units {
                if let Some(why) = souls::objection(board, self.rules, *seat, unit, false) {
                    self.notice(*seat, why);
                } else {
                    souls::sell(board, self.rules, unit);
                }
            }
        }
    }

    /// Step 6: LLAMAS.
    pub(super) fn explode(&self, board: &mut Board<'_>) {
        let mut herds: BTreeSet<(Power, Province)> = BTreeSet::new();
        for (seat, all) in self.everybody {
            let fired = all.detonations.iter();
            let fired = fired.filter(|one| conditions::holds(board, *seat, one.condition.as_ref()));
            herds.extend(fired.map(|one| (*seat, one.then)));
        }
        llamas::explode(board, &herds);
    }

    /// Step 7: retreats.
    pub(super) fn retreat(&self, board: &mut Board<'_>) {
        let mut ordered: BTreeMap<UnitId, Flight> = BTreeMap::new();
        for (seat, all) in self.everybody {
            for one in &board.position.dislodged {
                let id = one.unit.id;
                let lines = all.retreats.iter().filter(|line| line.then.0 == id);
                if let Some((_, flight)) = conditions::first(board, *seat, lines)
                    && one.unit.power == *seat
                {
                    ordered.insert(id, *flight);
                }
            }
        }
        for unit in retreats::retreat(board, &ordered, self.draws) {
            let place = board.map.full_name(unit.at);
            self.notice(
                unit.power,
                &format!("The unit of {place} could not retreat so."),
            );
        }
    }

    /// Step 8: monsters arrive.
    pub(super) fn monsters_arrive(&self, board: &mut Board<'_>) {
        monsters::arrive(board, self.spring, self.draws);
    }

    /// Step 5: BORG.
    pub(super) fn feed_borg(&self, board: &mut Board<'_>) {
        borg::eat(board, self.rules, self.draws);
    }

    /// Step 9: the adjustments of Winter; the centers are counted already.
    pub(super) fn adjust(&self, board: &mut Board<'_>) {
        self.tell_vain(winter::adjust(board, self.rules, self.everybody));
    }

    /// Step 10: the question closes, and free units are built.
    pub(super) fn close_question(&self, board: &mut Board<'_>) {
        let (seats, ruled) = (self.seats, self.ruled);
        question::close(board, self.rules, seats, self.everybody, ruled);
    }

    /// The second half of step 10.
    pub(super) fn build_free(&self, board: &mut Board<'_>) {
        self.tell_vain(winter::build_free(board, self.everybody));
    }

    fn tell_vain(&self, vain: BTreeMap<Power, usize>) {
        for (seat, count) in vain {
            for _ in 0..count {
                self.notice(seat, "A build could not be carried out.");
            }
        }
    }

    /// Step 11: the vote on the LINK.
    pub(super) fn vote(&self, board: &mut Board<'_>) {
        let votes: Vec<(Province, Province)> = self
            .everybody
            .iter()
            .filter(|(seat, _)| !board.state.out.contains(seat))
            .filter_map(|(seat, all)| *conditions::first(board, *seat, &all.votes)?)
            .collect();
        vote::link(board, &votes, self.draws);
    }

    /// Who has won: in Spring the DOCTOR by his points, in Autumn whoever has enough.
    pub(super) fn winners(&self, board: &Board<'_>) -> BTreeSet<Power> {
        let doctor = tardis::doctor_wins(board, self.rules);
        match self.spring {
            true => doctor.then_some(DOCTOR).into_iter().collect(),
            false => {
                let jester = self.seats.contains(&JESTER);
                winter::winners(board, self.rules, self.year, jester)
            }
        }
    }
}
