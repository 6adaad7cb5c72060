//! A season step by step, in the order of rule [17].

use std::collections::{BTreeMap, BTreeSet};

use super::board::{Board, Draws, HalfYear};
use super::news::{News, PrivateNews, Step, UnitChanges};
use super::rules::Rules;
use super::souls::SaleCheck;
use super::state::Traits;
use super::submissions::{RetreatChoice, SubmissionsByPower};
use super::{
    DOCTOR, MASTERMIND, SOOTHSAYER, borg, conditions, llamas, merging, monsters, movement,
    question, retreats, souls, tardis, vote, winter,
};
use dipjudge_rules::map::{Power, Province};
use dipjudge_rules::position::{Position, UnitId};

/// A season that is being played.
pub(super) struct SeasonInPlay<'s> {
    pub rules: &'s Rules,
    pub everybody: &'s SubmissionsByPower,
    /// The seats that are filled.
    pub seats: &'s BTreeSet<Power>,
    /// The master's rulings on answers, in their order.
    pub ruled: &'s [(Power, bool)],
    pub draws: Draws<'s>,
    pub half: HalfYear,
    pub year: u16,
}

impl SeasonInPlay<'_> {
    /// Plays a step: what happens in it, what is drawn and how the units differ behind it is kept for the report.
    fn step<T>(
        &self,
        number: u8,
        board: &mut Board<'_>,
        play: impl FnOnce(&mut Board<'_>) -> T,
    ) -> T {
        let before = UnitsBefore {
            position: board.position.clone(),
            traits: board.state.traits.clone(),
        };
        let came = play(board);
        let told = Step {
            number,
            drew: self.draws.made.take(),
            change: before.change(board),
            ..std::mem::take(&mut board.step)
        };
        board.state.steps.push(told);
        came
    }

    /// Step 1: all movement.
    pub(super) fn movement(&self, board: &mut Board<'_>) -> movement::MovementResult {
        self.step(1, board, |board| {
            movement::move_all(board, self.rules, self.everybody, self.draws)
        })
    }

    /// Step 2: what the SOOTHSAYER foresaw merges.
    pub(super) fn merge(&self, board: &mut Board<'_>) {
        let soothsayer = self.everybody.get(&SOOTHSAYER);
        let predictions = soothsayer.map_or(&[][..], |all| &all.predictions);
        self.step(2, board, |board| {
            merging::merge(board, self.rules, predictions);
        });
    }

    /// Step 3: souls run down.
    pub(super) fn run_souls_down(&self, board: &mut Board<'_>) {
        self.step(3, board, |board| souls::run_down(board, self.rules));
    }

    /// Step 4: souls are sold.
    pub(super) fn sell_souls(&self, board: &mut Board<'_>) {
        self.step(4, board, |board| {
            if self.everybody.values().all(|all| all.sales.is_empty()) {
                return;
            }
            let before = board.clone();
            for (seat, all) in self.everybody {
                let agreed = |id: UnitId| {
                    let mut sales = all.sales.iter().filter(|sale| sale.then == id);
                    sales.any(|sale| conditions::holds(&before, *seat, sale.condition.as_ref()))
                };
                let units: BTreeSet<UnitId> = all.sales.iter().map(|sale| sale.then).collect();
                for id in units {
                    if agreed(id) {
                        self.sell_soul(board, *seat, id);
                    } else if let Some(unit) = before.unit(id) {
                        board.tell_alone(*seat, PrivateNews::NotSold(*unit));
                    }
                }
            }
        });
    }

    fn sell_soul(&self, board: &mut Board<'_>, seat: Power, id: UnitId) {
        match souls::objection(board, self.rules, seat, id, SaleCheck::Made) {
            None => souls::sell(board, self.rules, id),
            Some(why) => {
                let started = board.state.season.start.iter().find(|unit| unit.id == id);
                let named = started.map_or_else(String::new, |unit| {
                    let kind = self.rules.flavor.names().code(unit.kind);
                    format!("{kind} {}: ", board.map.full_name(unit.at))
                });
                board.tell_alone(seat, PrivateNews::Failed(format!("{named}{why}")));
            }
        }
    }

    /// Step 5: BORG.
    pub(super) fn feed_borg(&self, board: &mut Board<'_>) {
        self.step(5, board, |board| borg::eat(board, self.rules, self.draws));
    }

    /// Step 6: LLAMAS.
    pub(super) fn explode(&self, board: &mut Board<'_>) {
        self.step(6, board, |board| {
            let mut fired: BTreeSet<(Power, Province)> = BTreeSet::new();
            for (seat, all) in self.everybody {
                let spaces: BTreeSet<Province> =
                    all.detonations.iter().map(|one| one.then).collect();
                for at in spaces {
                    let mut lines = all.detonations.iter().filter(|one| one.then == at);
                    let fires =
                        lines.any(|one| conditions::holds(board, *seat, one.condition.as_ref()));
                    if fires {
                        fired.insert((*seat, at));
                    } else {
                        board.tell_alone(*seat, PrivateNews::NotExploded(at))
                    }
                }
            }
            llamas::explode(board, self.rules, &fired);
        });
    }

    /// The question of the season is open from here on [14].
    pub(super) fn publish_question(&self, board: &mut Board<'_>) {
        let mastermind = self.everybody.get(&MASTERMIND);
        board.state.question = mastermind.and_then(|all| all.question.clone());
        if !self.seats.contains(&MASTERMIND) {
            return;
        }
        let question = board.state.question.as_ref();
        let asked = News::Asked(question.map(|question| question.text.clone()));
        let mut steps = board.state.steps.iter_mut();
        if let Some(moves) = steps.find(|step| step.number == 1) {
            moves.news.push(asked);
        }
    }

    /// Step 7: retreats.
    pub(super) fn retreat(&self, board: &mut Board<'_>) {
        self.step(7, board, |board| {
            let mut ordered: BTreeMap<UnitId, RetreatChoice> = BTreeMap::new();
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
            retreats::retreat(board, &ordered, self.draws);
        });
    }

    /// Step 8: monsters arrive.
    pub(super) fn monsters_arrive(&self, board: &mut Board<'_>) {
        self.step(8, board, |board| {
            monsters::arrive(board, self.half, self.draws);
        });
    }

    /// The first part of step 9: centers change hands.
    pub(super) fn count(&self, board: &mut Board<'_>) {
        self.step(9, board, |board| winter::count(board, self.rules));
    }

    /// The rest of step 9: removals and builds.
    pub(super) fn adjust(&self, board: &mut Board<'_>) {
        self.step(9, board, |board| {
            winter::adjust(board, self.rules, self.everybody);
        });
    }

    /// Step 10: the question closes, and free units are built.
    pub(super) fn question(&self, board: &mut Board<'_>) {
        self.step(10, board, |board| {
            question::close(board, self.rules, self.seats, self.everybody, self.ruled);
            winter::build_free(board, self.everybody);
            board.state.question = None;
        });
    }

    /// Step 11: the vote on the LINK.
    pub(super) fn vote(&self, board: &mut Board<'_>) {
        let votes: Vec<(Power, Province, Province)> = self
            .everybody
            .iter()
            .filter(|(seat, _)| !board.state.out.contains(seat))
            .filter_map(|(seat, all)| {
                let (a, b) = (*conditions::first(board, *seat, &all.votes)?)?;
                Some((*seat, a, b))
            })
            .collect();
        self.step(11, board, |board| {
            vote::link(board, self.rules, &votes, self.draws);
        });
    }

    /// Who has won: in Spring the DOCTOR by his points, in Autumn whoever has enough.
    pub(super) fn winners(&self, board: &Board<'_>) -> BTreeSet<Power> {
        match self.half {
            HalfYear::Spring if tardis::doctor_wins(board, self.rules) => BTreeSet::from([DOCTOR]),
            HalfYear::Spring => BTreeSet::new(),
            HalfYear::Autumn => winter::winners(board, self.rules, self.year, self.seats),
        }
    }
}

/// The units before a step.
struct UnitsBefore {
    position: Position,
    traits: BTreeMap<UnitId, Traits>,
}

impl UnitsBefore {
    /// How the units of a board differ; who has left it stands among the lost.
    fn change(&self, after: &Board<'_>) -> UnitChanges {
        let dislodged = self.position.dislodged.iter().map(|one| &one.unit);
        let mut in_order = self.position.units.iter().chain(dislodged);
        let mut change = UnitChanges::default();
        for unit in after.units() {
            let id = unit.id;
            // Most units stand as before, at the same place of the list.
            if in_order.next() != Some(unit) && self.position.unit(id) != Some(unit) {
                change.stand.push(*unit);
            }
            if after.must_retreat(id) && !self.must_retreat(id) {
                change.away.push(id);
            }
            let traits = after.traits(id);
            if self.traits.get(&id).copied().unwrap_or_default() != traits {
                change.traits.push((id, traits));
            }
        }
        change
    }

    fn must_retreat(&self, id: UnitId) -> bool {
        self.position.dislodged.iter().any(|one| one.unit.id == id)
    }
}
