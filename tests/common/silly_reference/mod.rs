//! Rather Silly computed a second time: every season, from the rules alone and with nothing of the variant's code or the
//! adjudicator's. All is computed from the position, the submissions, the seed and the map, and compared behind each step. Of
//! step 1 all that fights or walks is computed (`told`, `fight`, `outcomes`, `moves`); BIRDS, what they carry and the TARDIS are
//! taken as the program has them.

#![allow(unreachable_pub)]

mod answers;
pub mod board;
mod chance;
mod conditions;
mod fight;
mod middle;
mod moves;
mod outcomes;
mod retreats;
mod sound;
mod summer;
mod told;
pub mod ways;
mod winter;

use std::collections::{BTreeMap, BTreeSet};

use dipjudge::calendar::Season;
use dipjudge::game::{Game, Phase, apply};
use serde_json::Value;

use super::random_play::Step;
use board::{Board, Unit};
use conditions::Said;
pub use moves::Met;
pub use told::NAMES;

const JESTER: u8 = 7;
const MASTERMIND: u8 = 8;
const DOCTOR: u8 = 9;
pub const SOOTHSAYER: u8 = 10;
pub const MONSTERS: u8 = 255;

fn conventional(unit: &Unit) -> bool {
    matches!(unit.kind.as_str(), "A" | "F")
}

fn solid(unit: &Unit) -> bool {
    matches!(unit.kind.as_str(), "A" | "F" | "SEA" | "SPACE")
}

/// What a season is computed by, beside the board.
struct Turn {
    seed: String,
    /// As draws name it: `S1901`.
    season: String,
    spring: bool,
    year: u32,
    settings: BTreeMap<String, String>,
    said: BTreeMap<u8, Said>,
    /// The seats that somebody fills.
    seated: BTreeSet<u8>,
    /// The master's word on answers, in order.
    ruled: Vec<(u8, bool)>,
}

impl Turn {
    fn of(game: &Game) -> Turn {
        let spring = matches!(game.turn.season, Season::Spring | Season::Summer);
        let state: Value = game.data().read().unwrap();
        let ruled = state["season"]["ruled"].as_array().into_iter().flatten();
        let ruled = ruled.map(|ruling| {
            let seat = ruling[0].as_u64().unwrap() as u8;
            (seat, ruling[1].as_bool().unwrap())
        });
        let powers = game.all_powers();
        let seated = powers.filter(|power| game.holder(*power).is_some());
        Turn {
            seed: game.seed.to_hex(),
            season: format!("{}{}", if spring { 'S' } else { 'F' }, game.turn.year),
            spring,
            year: game.turn.year as u32,
            settings: game.settings.own.clone(),
            said: conditions::said(game),
            seated: seated.map(|power| power.0).collect(),
            ruled: ruled.collect(),
        }
    }

    /// A setting, the default where nobody set it (8.1).
    fn setting(&self, name: &str) -> &str {
        let default = match name {
            "lost-soul" => "forever",
            "soul-resale" | "noncombat-capture" => "yes",
            "share-dilute" | "expose-own-space" => "no",
            "underpass-cut" => "any",
            "mastermind-builds" => "all",
            "answer-slack" => "normal",
            "soothsayer-supply" => "needed",
            "victory-centres" => "18",
            "doctor-points" => "30",
            "jester-year" => "1920",
            "borg-start" => "s1901",
            _ => panic!("no setting: {name}"),
        };
        self.settings.get(name).map_or(default, String::as_str)
    }

    fn is(&self, name: &str, value: &str) -> bool {
        self.setting(name) == value
    }

    fn number(&self, name: &str) -> u32 {
        self.setting(name).parse().unwrap()
    }

    fn borg_has_started(&self) -> bool {
        // Years first, then Spring before Autumn.
        let order = |season: &str| {
            let (letter, year) = season.split_at(1);
            (year.to_owned(), letter.eq_ignore_ascii_case("f"))
        };
        let start = self.setting("borg-start");
        start != "never" && order(&self.season) >= order(start)
    }

    fn said_by(&self, seat: u8) -> &Said {
        &self.said[&seat]
    }

    fn draw(&self, label: &str, options: Vec<String>) -> Option<String> {
        chance::draw(&self.seed, &self.season, label, options)
    }
}

/// Recounts what a step of the engine has played: one phase or several. What the movement was like, if there was one.
pub fn recount(step: &Step) -> Option<Met> {
    let mut met = None;
    let mut before = step.before.clone();
    let mut game = step.before.clone();
    let at = step.after.timing.processed.unwrap();
    for event in step.events {
        apply::apply(&mut game, at, event);
        if game.phase != before.phase {
            met = stage(&before, &game).or(met);
            before = game.clone();
        }
    }
    if game.phase == before.phase && game.number != before.number || game.over() {
        met = stage(&before, &game).or(met);
    }
    met
}

/// The steps that were played in a phase.
fn steps(before: &Game, after: &Game) -> Vec<Value> {
    let told = |game: &Game| {
        let state: Value = game.data().read().unwrap();
        state["steps"].as_array().cloned().unwrap_or_default()
    };
    let (old, mut new) = (told(before), told(after));
    // Phases that follow at once add their steps to those of the phase before, or have none.
    if new.starts_with(&old) {
        new.drain(..old.len());
    }
    new
}

/// One phase: its steps computed one after another, and all that is kept behind the last.
fn stage(before: &Game, after: &Game) -> Option<Met> {
    let mut met = None;
    let turn = Turn::of(before);
    let told = steps(before, after);
    let mut board = Board::of(before);
    let mut shown = board.clone();
    let end = Board::of(after);
    let at = |step: &Value| format!("{} of {}, {:?}", step["number"], turn.season, before.phase);
    for step in &told {
        sound::step(&shown, step, &turn);
        shown.follow(step);
        match step["number"].as_u64().unwrap() {
            // Herds are put down.
            0 => {}
            1 => {
                met = Some(moves::movement(before, &end, &shown, step, &turn));
                board = begin(before, &end, &shown, step);
            }
            2 => middle::merge(&mut board, &turn),
            3 => middle::run_souls_down(&mut board, &turn),
            4 => middle::sell_souls(&mut board, &turn),
            5 => middle::feed_borg(&mut board, &turn),
            6 => middle::explode(&mut board, &turn),
            7 => retreats::retreat(&mut board, &turn),
            8 => {
                retreats::arrive(&mut board, &turn);
                retreats::test_victory(&mut board, &turn);
            }
            9 if before.phase != Phase::Adjustments => winter::count(&mut board, &turn),
            9 => {
                winter::adjust(&mut board, &turn);
                winter::test_victory(&mut board, &turn);
            }
            10 => {
                summer::question(&mut board, &turn);
                if before.phase == Phase::Adjustments {
                    winter::count_out(&mut board);
                }
            }
            11 => summer::link(&mut board, &turn),
            number => panic!("no step: {number}"),
        }
        assert_eq!(
            board.written(),
            shown.written(),
            "units behind step {}",
            at(step)
        );
    }
    match &before.phase {
        Phase::Movement => {
            assert_eq!(told.len(), 6);
            board.question = asked(&turn);
            sound::options(&board, after);
        }
        Phase::Own(name) if name == "Llamas" => return None,
        _ => {}
    }
    if !told.is_empty() {
        sound::same(&board, &end, &format!("{} {:?}", turn.season, before.phase));
    }
    sound::holds(&end);
    met
}

/// The question of the season: what has no accepted answer is none.
fn asked(turn: &Turn) -> Value {
    let question = turn.said_by(MASTERMIND).question.clone();
    let whole = |name: &str| question[name].as_array().is_some_and(|all| !all.is_empty());
    match whole("accepted") && question["text"] != "" {
        true => question,
        false => Value::Null,
    }
}

/// The board behind step 1, as the program has it.
fn begin(before: &Game, end: &Board, shown: &Board, step: &Value) -> Board {
    let start = Board::of(before);
    let mut board = Board {
        start: start
            .units
            .iter()
            .map(|unit| (unit.id, unit.clone()))
            .collect(),
        units: shown.units.clone(),
        attackers: end.attackers.clone(),
        tardis: end.tardis.clone(),
        has_tardis: end.has_tardis,
        points: end.points,
        moves: end.moves.clone(),
        arrived: end.arrived.clone(),
        register: end.register.clone(),
        walked: end.walked.clone(),
        coasts: end.coasts.clone(),
        shooed: end.shooed.clone(),
        merged: BTreeSet::new(),
        destroyed: BTreeSet::new(),
        eaten: BTreeSet::new(),
        exploded: BTreeSet::new(),
        right: BTreeSet::new(),
        question: Value::Null,
        ..start
    };
    for lost in step["lost"].as_array().into_iter().flatten() {
        let id = lost["unit"]["id"].as_u64().unwrap() as u32;
        board.destroyed.insert(id);
        if lost["soul"] == true {
            let unit = &board.start[&id];
            *board.lost.entry(unit.owner).or_default() += 1;
            board.lost_until.push((unit.owner, unit.soul));
        }
    }
    board
}
