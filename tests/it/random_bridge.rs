//! Games of Bridge played at random: what holds of every one of them.

use crate::random_play::numbers::Numbers;
use crate::random_play::{Step, Table, play, some_are_refused};
use dipjudge::calendar::Season;
use dipjudge::game::{Ending, Game, Phase, SettingChange, State, Variant, VariantGame, in_play};
use dipjudge::map::{Map, Power};
use dipjudge::variants;
use serde_json::Value;

fn bridge() -> &'static dyn Variant {
    variants::of("bridge")
}

/// Bids and forts as careful, careless and confused players write them.
fn lines(game: &Game, power: Power, numbers: &mut Numbers) -> Vec<String> {
    let held = game.center_count(power);
    let mut lines = Vec::new();
    let winter = game.phase == Phase::Adjustments && game.turn.year > 1900;
    if !winter && !numbers.once_in(30) {
        return lines;
    }
    for _ in 0..numbers.below(3) {
        lines.push(match numbers.below(12) {
            0 => format!("BID {}", numbers.below(40)),
            1 => "BID -1".to_owned(),
            2 => "BID many".to_owned(),
            3 => format!("BID {held} CENTERS"),
            _ => format!("BID {}", held + numbers.below(4)),
        });
    }
    let centers = Map::standard().centers();
    let mut named: Vec<String> = match numbers.below(3) {
        0 => vec!["SIL".to_owned()],
        1 => (0..2)
            .filter_map(|_| numbers.pick(centers))
            .map(ToString::to_string)
            .collect(),
        _ => game
            .position
            .centers_of(power)
            .map(|at| at.to_string())
            .collect(),
    };
    if numbers.once_in(2) {
        named.reverse();
    }
    let due = of(&state(game), "due", game, power).is_some();
    if winter && !named.is_empty() && (due || numbers.once_in(10)) {
        lines.push(match numbers.below(10) {
            0 => "FORTIFY NONE".to_owned(),
            1 => format!("FORT {}", named.join(" ")),
            _ => format!("FORTIFY {}", named.join(", ")),
        });
    }
    lines
}

fn state(game: &Game) -> Value {
    Value::Object(VariantGame::new(game, bridge()).own_state(None))
}

fn of(state: &Value, key: &str, game: &Game, power: Power) -> Option<i64> {
    state[key][game.key(power)].as_i64()
}

fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap()
}

fn after_each(step: &Step<'_>, kept: bool) {
    let (before, after) = (step.before, step.after);
    let (old, new) = (state(before), state(after));
    for (owner, list) in new["forts"].as_object().unwrap() {
        for province in list.as_array().unwrap() {
            let province = province.as_str().unwrap().parse().unwrap();
            let own = |power: Power| after.key(power) == owner;
            assert!(
                after
                    .position
                    .owners
                    .get(&province)
                    .is_some_and(|owner| own(*owner)),
                "whose center, his fort"
            );
            let unit = after.position.standing(province);
            assert!(
                unit.is_none_or(|unit| own(unit.power)),
                "a stranger in a fort"
            );
        }
    }
    let played = after.last.as_ref().unwrap();
    match played.phase {
        Phase::Movement | Phase::Retreats
            if after.turn.season == Season::Winter && !after.over() =>
        {
            for power in after.all_powers() {
                computed(before, after, &old, &new, power, kept);
            }
        }
        // Where no unit is left at all, the next phase that asks somebody is the Winter after.
        Phase::Adjustments if after.phase != Phase::Adjustments => {
            for power in in_play(after, bridge()) {
                let centers = count(after.center_count(power));
                let allowed = centers + of(&new, "balance", after, power).unwrap_or(0);
                assert!(
                    count(after.unit_count(power)) <= allowed,
                    "no more units than allowed"
                );
                assert_eq!(of(&new, "held", after, power), Some(centers));
                assert!(of(&new, "bids", after, power).is_none_or(|bid| bid >= centers));
            }
            assert_eq!(
                old["balance"], new["balance"],
                "a Winter changes no balance"
            );
            assert!(new["due"].is_null());
        }
        _ => {}
    }
}

/// The count of centers, computed once more.
fn computed(before: &Game, after: &Game, old: &Value, new: &Value, power: Power, kept: bool) {
    let centers = count(after.center_count(power));
    let balance = of(old, "balance", before, power).unwrap_or(0);
    let found = of(new, "balance", after, power).unwrap_or(0);
    let due = of(new, "due", after, power).unwrap_or(0);
    let Some(held) = of(old, "held", before, power) else {
        assert_eq!(
            (found, due),
            (balance, 0),
            "who did not bid gains and loses nothing"
        );
        return;
    };
    let expected = match of(old, "bids", before, power) {
        None => balance - 1,
        Some(bid) if centers < bid => balance - 1,
        Some(bid) if centers == bid && bid > held => balance + 1,
        Some(_) => balance,
    };
    let least = if kept && centers > 0 {
        1 - centers
    } else {
        -centers
    };
    assert_eq!(found, expected.max(least));
    let above = of(old, "bids", before, power).map_or(0, |bid| centers - bid);
    assert_eq!(due, above.max(0));
    assert_eq!(
        of(new, "bids", after, power),
        None,
        "no bid is left when they are revealed"
    );
}

#[test]
fn random_games_of_bridge_come_to_their_end() {
    games(&|_| false);
}

#[test]
fn random_games_with_other_settings_come_to_their_end() {
    games(&|bit| bit);
}

/// Plays games of which each setting is another than usual where `other` says so of a bit of the game's number.
fn games(other: &dyn Fn(bool) -> bool) {
    let games = std::env::var("GAMES")
        .ok()
        .and_then(|games| games.parse().ok())
        .unwrap_or(500);
    let (mut won, mut forts, mut refused, mut taken) = (0, 0, 0, 0);
    for seed in 0..games {
        let pick =
            |n: u64, unusual: &'static str, usual: &'static str| match other(seed / n % 2 == 1) {
                false => usual,
                true => unusual,
            };
        let table = Table {
            variant: bridge(),
            players: None,
            settings: vec![
                // So few that a game is won before long.
                SettingChange::Centers(Some(5)),
                SettingChange::Own(
                    [
                        ("fort-strength", pick(1, "times2", "plus1")),
                        ("missing-bid", pick(2, "penalty", "held")),
                        ("bid-cap", pick(4, "double", "none")),
                        ("last-unit", pick(8, "kept", "removable")),
                        ("victory-tie", pick(16, "shared", "continue")),
                    ]
                    .map(|(name, value)| (name.to_owned(), value.to_owned()))
                    .into(),
                ),
            ],
            lines: &lines,
            longest: 18,
        };
        let kept = pick(8, "kept", "removable") == "kept";
        let finished = play(&table, seed, &mut |step| {
            after_each(step, kept);
            let built = &state(step.after)["forts"];
            forts = forts.max(built.as_object().unwrap().len());
        });
        if let State::Over(Ending::Won(winners)) = &finished.game.state {
            let units: Vec<usize> = winners
                .iter()
                .map(|power| finished.game.unit_count(*power))
                .collect();
            let most = finished
                .game
                .all_powers()
                .map(|power| finished.game.unit_count(power))
                .max();
            let alone = in_play(&finished.game, bridge()) == *winners;
            assert!(
                alone
                    || units
                        .iter()
                        .all(|units| *units >= 5 && Some(*units) == most)
            );
            assert!(winners.len() == 1 || pick(16, "shared", "continue") == "shared");
            won += 1;
        }
        finished.tell();
        refused += finished.refused.len();
        taken += finished.taken;
    }
    assert!(won > games / 10, "{won} of the games were won");
    assert!(forts > 2, "powers fortify: {forts}");
    some_are_refused(refused, taken);
}
