//! Thousands of random games of Life: every step is counted again in another way.

use std::collections::{BTreeMap, BTreeSet};

use crate::random_play::numbers::Numbers;
use crate::random_play::{Step, Table, play};
use dipjudge::calendar::Season;
use dipjudge::game::{Ending, Event, Game, Phase, SettingChange, State, VariantGame, in_play};
use dipjudge::map::{Power, Province, Terrain};
use dipjudge::position::{Position, Unit};
use dipjudge::variants;

/// Lines about births, good and bad.
fn lines(game: &Game, _power: Power, numbers: &mut Numbers) -> Vec<String> {
    // In a births phase everybody concerned has something to say, and others try.
    if !numbers.once_in(3) && !matches!(game.phase, Phase::Own(_)) {
        return Vec::new();
    }
    let province = |numbers: &mut Numbers| {
        let newborn = game
            .position
            .units
            .iter()
            .filter(|unit| unit.kind.as_str() == "NEW")
            .map(|unit| unit.at.province);
        let open: Vec<Province> = newborn.collect();
        let all = game.map().provinces();
        numbers
            .pick(&open)
            .copied()
            .unwrap_or(all[numbers.below(all.len())].code)
    };
    (0..1 + numbers.below(2))
        .map(|_| {
            let at = province(numbers);
            match numbers.below(14) {
                0 => "BIRTH ANY A".to_owned(),
                1 => "BIRTH ANY F".to_owned(),
                2 => "BIRTH ANY ASK".to_owned(),
                3 => "BIRTH NONE".to_owned(),
                4 => format!("BIRTH {at} ASK"),
                5 => format!("BUILD F {at}/NC"),
                6 => format!("BIRTH F {at}/SC"),
                7 => format!("BIRTH {at} F/EC"),
                8 => format!("REMOVE A {at}"),
                9 => "WAIVE".to_owned(),
                10 | 11 => format!("BIRTH {at} A"),
                _ => format!("BIRTH {at} F"),
            }
        })
        .collect()
}

/// Counts the neighbors of a province that hold a unit.
fn beside<'p>(game: &Game, position: &'p Position, province: Province) -> Vec<&'p Unit> {
    game.map()
        .neighbors(province)
        .iter()
        .filter_map(|near| position.units.iter().find(|unit| unit.at.province == *near))
        .collect()
}

/// Compares what happened with the rules, computed in another way than by the variant.
fn check_step(game: &Game, before: &Position, after: &Position) {
    assert!(before.dislodged.is_empty(), "Life comes after all retreats");
    let then: BTreeMap<Province, &Unit> = before
        .units
        .iter()
        .map(|unit| (unit.at.province, unit))
        .collect();
    let now: BTreeMap<Province, &Unit> = after
        .units
        .iter()
        .map(|unit| (unit.at.province, unit))
        .collect();
    for info in game.map().provinces() {
        let near = beside(game, before, info.code);
        match (then.get(&info.code), now.get(&info.code), near.len()) {
            (Some(old), Some(new), 2) => assert_eq!(old, new),
            (Some(_), None, count) => assert_ne!(count, 2),
            (None, Some(new), 3) => {
                let count = |power: Power| near.iter().filter(|unit| unit.power == power).count();
                let owner = near
                    .iter()
                    .map(|unit| unit.power)
                    .find(|power| count(*power) >= 2);
                assert_eq!(new.power, owner.unwrap_or(Power::NEUTRAL));
                match info.terrain {
                    Terrain::Sea => assert_eq!(new.kind.as_str(), "F"),
                    Terrain::Inland => assert_eq!(new.kind.as_str(), "A"),
                    Terrain::Coast | Terrain::Islands => {}
                }
            }
            (None, None, count) => assert_ne!(count, 3, "{}", info.code),
            other => panic!("{}: {other:?}", info.code),
        }
    }
}

/// One phase with the Life step behind it, if there was one.
fn check(step: &Step) {
    let (before, after) = (step.before, step.after);
    let mut position = &before.position;
    let mut season = before.turn.season;
    let mut stepped = false;
    for event in step.events {
        match event {
            Event::Played(played) => position = &played.position,
            Event::Opened { turn, .. } => season = turn.season,
            Event::Board { position: changed } => {
                assert!(matches!(season, Season::Summer | Season::Winter));
                let births = matches!(before.phase, Phase::Own(_));
                if births {
                    same_but_for_types(position, changed);
                } else {
                    check_step(before, position, changed);
                    stepped = true;
                }
                position = changed;
            }
            _ => {}
        }
    }
    let open: BTreeSet<Power> = after
        .position
        .units
        .iter()
        .filter(|unit| unit.kind.as_str() == "NEW")
        .map(|unit| unit.power)
        .collect();
    let asked = after.phase == Phase::Own("Life".to_owned()) && !after.over();
    assert_eq!(
        !open.is_empty(),
        asked,
        "types are open in a births phase and nowhere else"
    );
    assert!(!open.contains(&Power::NEUTRAL));
    assert!(after.position.owners.is_empty(), "there are no centers");
    if asked || after.over() || after.phase != Phase::Movement {
        return;
    }
    assert!(
        stepped || matches!(before.phase, Phase::Own(_)),
        "a step comes before each movement"
    );
    // One-shot lines are of one step only.
    for power in after.all_powers() {
        let sight = VariantGame::new(after, variants::of("life")).sight_of(power);
        assert!(sight.lasting().all(|name| name == "ANY"));
    }
}

/// A births phase changes nothing but what units are.
fn same_but_for_types(before: &Position, after: &Position) {
    assert_eq!(before.units.len(), after.units.len());
    for (old, new) in before.units.iter().zip(&after.units) {
        assert_eq!(
            (old.id, old.power, old.at.province),
            (new.id, new.power, new.at.province)
        );
        assert!(old == new || old.kind.as_str() == "NEW");
        assert_ne!(new.kind.as_str(), "NEW");
    }
}

/// Whether a game ended as the rules have it.
fn check_end(game: &Game) {
    let units = |power: &Power| game.unit_count(*power);
    let most = game.all_powers().map(|power| units(&power)).max().unwrap();
    let alive = in_play(game, variants::of("life"));
    let setting =
        |name: &str, value: &str| game.settings.own.get(name).is_some_and(|set| set == value);
    match &game.state {
        State::Over(Ending::Won(winners)) => {
            let eighteen = most >= 18 && winners.iter().all(|power| units(power) == most);
            let last = alive == *winners && !setting("last-survivor", "play-on");
            assert!(eighteen || last, "{winners:?} won");
            assert!(winners.len() == 1 || setting("victory-tie", "shared"));
        }
        State::Over(Ending::Drawn(powers)) => {
            assert!(most <= 1);
            assert!(alive.is_empty() || alive == *powers);
            assert!(!powers.is_empty());
        }
        // A few triangles that nobody leaves never change.
        state => assert_eq!(*state, State::Running),
    }
}

#[test]
fn a_thousand_random_games_of_life() {
    let settings = [
        ("births-phase", "never"),
        ("victory-tie", "shared"),
        ("last-survivor", "play-on"),
        ("hopeless", "play-on"),
    ];
    let mut endings: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut refused, mut taken, mut phases, mut asked) = (0, 0, 0, 0);
    for seed in 0..1000 {
        // Every fourth game has settings of its own.
        let own: BTreeMap<String, String> = settings
            .iter()
            .enumerate()
            .filter(|(n, _)| seed % 4 == 3 && (seed >> 2 >> n) % 2 == 1)
            .map(|(_, (name, value))| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        let table = Table {
            variant: variants::named("life").unwrap(),
            players: None,
            settings: vec![SettingChange::Own(own)],
            lines: &lines,
            longest: 60,
        };
        let finished = play(&table, seed, &mut |step| {
            check(step);
            asked += usize::from(matches!(step.before.phase, Phase::Own(_)));
        });
        check_end(&finished.game);
        let how = match &finished.game.state {
            State::Over(Ending::Won(_)) => "won",
            State::Over(_) => "drawn",
            _ => "broken off",
        };
        *endings.entry(how).or_default() += 1;
        refused += finished.refused.len();
        taken += finished.taken;
        phases += finished.game.number;
        finished.tell();
    }
    println!("{endings:?}, {phases} phases, {asked} of births, {taken} taken, {refused} refused");
    assert!(endings["won"] > 100 && endings["drawn"] > 10, "{endings:?}");
    assert!(
        endings.get("broken off").is_none_or(|few| *few < 100),
        "{endings:?}"
    );
    assert!(asked > 500 && refused > 1000 && taken > refused);
}
