//! Games of Rather Silly played at random by seven to eleven players, with lines of every kind, legal and illegal, past Winter 1920
//! or to a victory: each step behind the movement is computed a second time, and each log replays.

mod adjusting;
mod facts;
mod lines;
mod roles;
mod seasons;

use std::collections::{BTreeMap, BTreeSet};

use crate::random_play::numbers::Numbers;
use crate::random_play::{Beside, Step, Table, play_beside};
use crate::rather_silly::{rule, variant};
use crate::silly_reference::recount;
use dipjudge::game::{Event, Game, GameEdit, Phase, SettingChange};
use dipjudge::map::{Map, Power};
use dipjudge::orders::VariantData;
use dipjudge::position::Unit;
use lines::{DOCTOR, JESTER, MASTERMIND, SOOTHSAYER};
use serde_json::{Value, json};

/// How many games are played if `DIPJUDGE_SILLY_GAMES` does not say.
const GAMES: u64 = 24;

/// Settings that a table may play by, with the values that are not the default.
const SETTINGS: &[(&str, &[&str])] = &[
    ("herd-owner", &["hidden"]),
    ("soul-resale", &["no"]),
    ("lost-soul", &["timer"]),
    ("underpass-cut", &["unsupported"]),
    ("noncombat-capture", &["no"]),
    ("expose-own-space", &["yes"]),
    ("share-dilute", &["yes"]),
    ("mastermind-builds", &["free"]),
    ("answer-slack", &["exact"]),
    ("tardis-legs", &["two"]),
    ("soothsayer-supply", &["free"]),
    ("votes", &["open"]),
    ("victory-centres", &["9", "12", "34"]),
    ("doctor-points", &["12", "60"]),
    ("jester-year", &["1903", "1908"]),
    ("borg-start", &["f1901", "s1903", "never"]),
];

/// News that must have been told so often per hundred games: what never happens is not tested.
const NEWS: &[(&str, u64)] = &[
    ("answered", 800),
    ("arrived", 1000),
    ("asked", 800),
    ("borg", 1000),
    ("built", 400),
    ("built-free", 250),
    ("carried", 150),
    ("changed by Bigotry", 8),
    ("changed by Distracted", 100),
    ("changed by Jester", 200),
    ("changed by Siamese", 150),
    ("driven", 60),
    ("exorcised", 15),
    ("exploded", 250),
    ("fled", 5),
    ("flew", 700),
    ("hunt", 10000),
    ("linked", 1000),
    ("merged", 20),
    ("must-leave", 60),
    ("no-convoy", 1),
    ("no-distraction", 15),
    ("no-lift", 60),
    ("owned", 1500),
    ("points", 150),
    ("ran-down", 800),
    ("shooed", 200),
    ("sold", 500),
    ("travelled", 600),
];

/// Ways of leaving the board, likewise.
const LOSSES: &[(&str, u64)] = &[
    ("banished", 150),
    ("cornered", 12),
    ("defaulted", 400),
    ("disbanded", 25),
    ("dropped", 15),
    ("drowned", 30),
    ("eaten", 800),
    ("exploded", 120),
    ("merged", 45),
    ("met", 1),
    ("neglected", 60),
    ("parted", 15),
    ("removed", 80),
    ("with-twin", 1),
];

/// The settings of a table: few that differ, or none.
fn settings(numbers: &mut Numbers) -> BTreeMap<String, String> {
    let mut own = BTreeMap::new();
    if numbers.once_in(2) {
        return own;
    }
    for (name, values) in SETTINGS {
        if numbers.once_in(5) {
            let value = numbers.pick(values).unwrap();
            own.insert((*name).to_owned(), (*value).to_owned());
        }
    }
    own
}

/// The seven powers, and some of the roles; most tables are full.
fn seats(numbers: &mut Numbers) -> Vec<Power> {
    let mut held: Vec<Power> = (0..7).map(Power).collect();
    let full = numbers.once_in(2);
    let roles = [JESTER, MASTERMIND, DOCTOR, SOOTHSAYER];
    let some = roles.into_iter().filter(|_| full || numbers.once_in(2));
    held.extend(some);
    held
}

/// Some games begin as they are after years of peace: neutral centers belong to three of the powers, which have units of all kinds
/// and have built fleets.
fn peace(edit: &mut GameEdit, numbers: &mut Numbers) {
    if numbers.once_in(3) {
        return;
    }
    let map = edit.game.map();
    let mut position = edit.game.position.clone();
    let mut state: Value = edit.game.data().read().unwrap();
    let rich: Vec<Power> = (0..3).map(|_| Power(numbers.below(7) as u8)).collect();
    for center in map.centers() {
        let owner = numbers.pick(&rich).unwrap();
        if !position.owners.contains_key(center) {
            position.owners.insert(*center, *owner);
        }
    }
    for power in &rich {
        for kind in ["FA", "DOM", "B", "FA", "DOM"] {
            let at = *numbers.pick(map.homes(*power)).unwrap();
            position.units.push(Unit {
                id: position.free_id(),
                power: *power,
                kind: kind.parse().unwrap(),
                at: at.into(),
            });
        }
        state["fleets_built"][power.0.to_string()] = json!(3);
    }
    edit.emit(Event::Board { position });
    let data = VariantData::of(&state).unwrap();
    edit.emit(Event::Data { data: data.into() });
}

/// The master rules on an answer now and then, or rejects a question.
fn master(edit: &GameEdit, numbers: &mut Numbers) -> Vec<Event> {
    let mut ruled = GameEdit::of(&edit.game, edit.variant, edit.now);
    let state: Value = edit.game.data().read().unwrap();
    let seats = ["AUSTRIA", "FRANCE", "GERMANY", "JESTER", "DOCTOR"];
    match &edit.game.phase {
        Phase::Movement if numbers.once_in(30) => {
            rule(&mut ruled, "REJECT QUESTION it has two answers");
        }
        Phase::Movement => {}
        _ if !state["question"].is_null() => {
            while numbers.once_in(6) {
                let seat = numbers.pick(&seats).unwrap();
                let word = ["RIGHT", "WRONG"][numbers.below(2)];
                rule(&mut ruled, &format!("RULE ANSWER {seat} {word}"));
            }
        }
        _ => {}
    }
    ruled.events
}

/// What has happened, by kind, over all games.
#[derive(Default)]
struct Happened {
    news: BTreeMap<String, u64>,
    lost: BTreeMap<String, u64>,
    ends: BTreeMap<String, u64>,
    steps: u64,
}

impl Happened {
    fn note(&mut self, step: &Step) {
        let mut kinds = BTreeSet::new();
        for event in step.events {
            let Event::Data { data } = event else {
                continue;
            };
            let state: Value = data.read().unwrap();
            for told in state["steps"].as_array().into_iter().flatten() {
                // The steps of a movement stand beside those of the phases that follow at once.
                let number = told["number"].as_u64();
                if !kinds.insert((number, told["news"].to_string())) {
                    continue;
                }
                self.steps += 1;
                for news in told["news"].as_array().unwrap() {
                    let (kind, of) = news.as_object().unwrap().iter().next().unwrap();
                    let mut kind = kind.clone();
                    if kind == "changed" {
                        kind = format!("changed by {}", of["by"].as_str().unwrap());
                    }
                    *self.news.entry(kind).or_default() += 1;
                }
                for lost in told["lost"].as_array().unwrap() {
                    let how = lost["how"].as_str().unwrap().to_owned();
                    *self.lost.entry(how).or_default() += 1;
                }
            }
        }
    }

    fn enough(&self, games: u64) {
        for (count, wanted) in [(&self.news, NEWS), (&self.lost, LOSSES)] {
            for (kind, often) in wanted {
                let times = count.get(*kind).copied().unwrap_or(0);
                assert!(
                    times >= often * games / 100,
                    "`{kind}` has happened {times} times in {games} games"
                );
            }
        }
    }
}

/// Winter 1920 is played.
fn long_enough(game: &Game) -> bool {
    game.turn.year > 1920
}

/// `DIPJUDGE_SILLY_GAMES=1000` or `=1000..3000` plays so many.
fn numbers_of_games() -> std::ops::Range<u64> {
    let Ok(wanted) = std::env::var("DIPJUDGE_SILLY_GAMES") else {
        return 0..GAMES;
    };
    match wanted.split_once("..") {
        Some((from, to)) => from.parse().unwrap()..to.parse().unwrap(),
        None => 0..wanted.parse().unwrap(),
    }
}

#[test]
fn random_games_are_computed_twice_alike() {
    let games = numbers_of_games();
    let (mut refused, mut taken) = (0, 0);
    let mut happened = Happened::default();
    for seed in games.clone() {
        let mut numbers = Numbers::from(seed ^ 0x51_11_1e);
        let held = seats(&mut numbers);
        let table = Table {
            variant: variant(),
            players: Some(11),
            settings: vec![SettingChange::Own(settings(&mut numbers))],
            lines: &lines::lines,
            longest: 150,
        };
        let beside = Beside {
            held: &held,
            begins: &peace,
            master: &master,
            long_enough: &long_enough,
        };
        if std::env::var_os("DIPJUDGE_TELL").is_some() {
            eprintln!("game {seed}: {} players, {:?}", held.len(), table.settings);
        }
        let finished = play_beside(Map::DEFAULT, &table, &beside, seed, &mut |step| {
            recount(step);
            happened.note(step);
        });
        finished.tell();
        refused += finished.refused.len();
        taken += finished.taken;
        let end = match finished.game.over() {
            true => "won",
            false => "past 1920",
        };
        assert!(finished.game.over() || long_enough(&finished.game));
        *happened.ends.entry(end.to_owned()).or_default() += 1;
    }
    println!(
        "{:?}: {} steps, {taken} lines taken, {refused} refused\n{:?}\n{:?}\n{:?}",
        games, happened.steps, happened.ends, happened.news, happened.lost
    );
    assert!(
        taken > refused / 2 && refused > taken / 50,
        "{refused} lines were refused, {taken} taken"
    );
    happened.enough(games.end - games.start);
}
