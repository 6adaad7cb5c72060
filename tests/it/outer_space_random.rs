//! Games of ...It Came from Outer Space! played at random, by few and by many: what holds of every one of them.

use std::collections::BTreeMap;

use crate::random_play::numbers::Numbers;
use crate::random_play::{Finished, Step, Table, play, some_are_refused};
use dipjudge::calendar::Season;
use dipjudge::game::{Adjustment, Ending, Event, Game, Phase, SettingChange, State, Variant};
use dipjudge::map::{Power, Province, UnitKind};
use dipjudge::position::Unit;
use dipjudge::variants;
use serde_json::{Value, json};

const BERTHS: usize = 3;

fn orbit() -> Province {
    "ORB".parse().unwrap()
}

fn aboard(units: &[Unit], power: Power) -> usize {
    let there = |unit: &&Unit| unit.power == power && unit.at.province == orbit();
    units.iter().filter(there).count()
}

fn colonies(game: &Game) -> BTreeMap<Province, Power> {
    let data: Value = game.data().read().unwrap();
    let colonies = data.get("colonies").cloned().unwrap_or_default();
    serde_json::from_value(colonies).unwrap_or_default()
}

fn outer_space() -> &'static dyn Variant {
    variants::named("outer-space").unwrap()
}

fn in_play(game: &Game) -> Vec<Power> {
    let data: Value = game.data().read().unwrap();
    serde_json::from_value(data["in_play"].clone()).unwrap()
}

/// Lines of an empire that beams down where it can, colonizes, and sometimes beams up or writes what cannot be.
fn lines(game: &Game, power: Power, numbers: &mut Numbers) -> Vec<String> {
    match game.phase {
        Phase::Movement => movement(game, power, numbers),
        Phase::Adjustments => {
            vec![["REMOVE A ORB", "BUILD A ORB", "WAIVE"][numbers.below(3)].to_owned()]
        }
        Phase::Retreats if numbers.once_in(2) => game
            .position
            .dislodged
            .iter()
            .filter(|dislodged| dislodged.unit.power == power)
            .map(|dislodged| format!("{} {} R ORB", dislodged.unit.kind, dislodged.unit.at))
            .collect(),
        _ => Vec::new(),
    }
}

fn movement(game: &Game, power: Power, numbers: &mut Numbers) -> Vec<String> {
    let map = game.map();
    let colonies = colonies(game);
    let free: Vec<Province> = map
        .centers()
        .iter()
        .filter(|center| game.position.owners.get(center) != Some(&power))
        .copied()
        .collect();
    let somewhere = |numbers: &mut Numbers| match numbers.below(8) {
        0 => numbers.pick(map.provinces()).unwrap().code,
        _ => *numbers.pick(&free).unwrap_or(&orbit()),
    };
    let mut lines = Vec::new();
    for unit in game.position.units_of(power) {
        let name = format!("{} {}", unit.kind, unit.at);
        let own = colonies.get(&unit.at.province) == Some(&power);
        let center = map.centers().contains(&unit.at.province);
        let line = if unit.at.province == orbit() {
            match numbers.below(12) {
                0 => "A ORB H".to_owned(),
                1 => format!("A ORB COL {}", somewhere(numbers)),
                2 => format!("A ORB S A MUN - {}", somewhere(numbers)),
                _ => format!("A ORB - {}", somewhere(numbers)),
            }
        } else if center && !own && !numbers.once_in(5) {
            format!("{name} COL")
        } else {
            match numbers.below(9) {
                0 => format!("{name} UP"),
                1 => format!("{name} COL {}", somewhere(numbers)),
                2 => {
                    let near = map.neighbors(unit.at.province);
                    format!("{name} COL {}", numbers.pick(near).unwrap())
                }
                3 => {
                    let others: Vec<Power> = game.all_powers().collect();
                    let other = game.key(*numbers.pick(&others).unwrap());
                    let near = map.neighbors(unit.at.province);
                    let near = numbers.pick(near).unwrap();
                    format!("{name} S {} A ORB - {near}", other)
                }
                // Whatever else it was told.
                _ => continue,
            }
        };
        lines.push(line);
    }
    lines
}

/// What must hold after every phase.
fn sound(step: &Step) {
    let (before, after) = (step.before, step.after);
    for power in after.all_powers() {
        assert!(aboard(&after.position.units, power) <= BERTHS);
        let eliminated = !in_play(after).contains(&power);
        assert!(
            !eliminated || !outer_space().in_play(after, power),
            "who has something plays"
        );
        if after.turn.year == 1901
            || (after.turn.year == 1902
                && after.turn.season == Season::Spring
                && after.phase == Phase::Movement)
        {
            assert!(
                after.unit_count(power) <= BERTHS,
                "no growth in the first year"
            );
        }
    }
    for owner in colonies(after).values() {
        assert!(
            in_play(after).contains(owner),
            "colonies of the eliminated are free"
        );
    }
    if after.phase != Phase::Retreats && !after.over() {
        let stands = |power: &Power| outer_space().in_play(after, *power);
        assert!(in_play(after).iter().all(stands));
    }
    let jammed = colonies(before);
    for event in step.events {
        let Event::Played(played) = event else {
            continue;
        };
        if played.turn.year == 1901 {
            let built = |what: &Adjustment| matches!(what, Adjustment::Built(_));
            assert!(!played.adjusted.iter().any(|adjusted| built(&adjusted.what)));
        }
        for outcome in &played.outcomes {
            let now = played
                .position
                .units
                .iter()
                .find(|unit| unit.id == outcome.unit.id);
            let Some(now) = now else { continue };
            let down = outcome.unit.at.province == orbit() && now.at.province != orbit();
            let up = outcome.unit.at.province != orbit() && now.at.province == orbit();
            if down {
                let owner = jammed.get(&now.at.province);
                assert!(
                    owner.is_none_or(|owner| *owner == now.power),
                    "{now:?} beamed into a jam"
                );
            }
            assert!(!(down || up) || now.kind == UnitKind::ARMY);
        }
    }
}

/// Plays games of so many empires; how each ended.
fn games(players: usize, seeds: std::ops::Range<u64>, centers: u32, own: Value) -> Vec<Finished> {
    let table = Table {
        variant: variants::named("SPACE").unwrap(),
        players: Some(players),
        settings: vec![
            SettingChange::Centers(Some(centers)),
            SettingChange::Own(serde_json::from_value(own).unwrap()),
        ],
        lines: &lines,
        longest: 400,
    };
    seeds
        .map(|seed| play(&table, seed, &mut |step| sound(step)))
        .inspect(|finished| {
            assert!(finished.game.over(), "{players}: {}", finished.game.number);
            match &finished.game.state {
                State::Over(Ending::Won(winners)) => assert_eq!(winners.len(), 1),
                State::Over(Ending::Drawn(powers)) => {
                    assert!(!powers.is_empty(), "a draw is between somebody");
                }
                state => panic!("{state:?}"),
            }
        })
        .collect()
}

fn used(finished: &[Finished]) -> (usize, usize) {
    let refused: usize = finished.iter().map(|game| game.refused.len()).sum();
    let taken: usize = finished.iter().map(|game| game.taken).sum();
    (taken, refused)
}

#[test]
fn games_of_two_and_three_come_to_their_end() {
    let two = games(2, 0..1200, 4, json!({}));
    let three = games(3, 0..600, 4, json!({"overbooked": "listed"}));
    let (taken, refused) = used(&two);
    some_are_refused(refused, taken);
    let won = |game: &&Finished| matches!(game.game.state, State::Over(Ending::Won(_)));
    assert!(two.iter().chain(&three).filter(won).count() > 900);
}

#[test]
fn games_of_seven_come_to_their_end() {
    games(7, 0..150, 4, json!({"dislodged-colonizer": "fails"}));
}

#[test]
fn games_of_twelve_come_to_their_end() {
    games(12, 0..60, 4, json!({}));
}

#[test]
fn games_of_thirty_four_come_to_their_end() {
    let finished = games(34, 0..16, 4, json!({}));
    assert!(
        finished
            .iter()
            .all(|game| game.game.all_powers().count() == 34)
    );
}
