//! Answers are those of the general way, byte for byte.

use serde_json::{Value, json};

use dipjudge_game::Settings;
use dipjudge_rules::map::Map;

use super::super::job::adjudicate_any;
use super::generated::line;
use super::*;
use crate::by_engine;

/// How many of these lines are plain. Their answers have to be those that the general way and the engine give.
fn plain_among(lines: impl Iterator<Item = String>) -> u64 {
    let options = Options::default();
    let mut taken = 0;
    for line in lines {
        let (mut plain, mut general) = (Vec::new(), Vec::new());
        if adjudicate(line.as_bytes(), &options, &mut plain).is_none() {
            assert!(plain.is_empty());
            continue;
        }
        taken += 1;
        assert!(adjudicate_any(line.as_bytes(), &options, &mut general));
        assert_eq!(
            String::from_utf8(plain).unwrap(),
            String::from_utf8(general).unwrap(),
            "{line}"
        );
    }
    taken
}

#[test]
fn answers_are_those_of_the_general_way() {
    let count = std::env::var("DIPJUDGE_PLAIN_LINES")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(3_000);
    let taken = plain_among((0..count).map(line));
    println!("{taken} of {count} lines are plain");
    assert!(taken > count * 98 / 100, "{taken} of {count}");
}

#[test]
fn answers_to_lines_with_settings_are_those_of_the_engine() {
    let count = 600;
    let with_settings = |number: u64| {
        let line = line(number);
        let line = line.strip_prefix('{').unwrap();
        let sites = ["home", "any", "one"][usize::try_from(number % 3).unwrap()];
        match number % 26 {
            0 => format!(r#"{{"settings":{{}},"variant":"standard",{line}"#),
            1 => format!(r#"{{"settings":{{"proxy":true,"gunboat":true}},{line}"#),
            2 => format!(r#"{{"settings":{{"any-disband":true}},{line}"#),
            3 => format!(r#"{{"settings":{{"auto_disband":true,"comment":"No retreats"}},{line}"#),
            4 => format!(r#"{{"settings":{{"auto_disband":true,"any_disband":true}},{line}"#),
            5 => format!(r#"{{"settings":{{"blind":true}},{line}"#),
            6 => format!(r#"{{"settings":{{"blind":true,"auto_disband":true}},{line}"#),
            centers => {
                format!(r#"{{"settings":{{"centers":{centers},"build-sites":"{sites}"}},{line}"#)
            }
        }
    };
    let taken = plain_among((0..count).map(with_settings));
    println!("{taken} of {count} lines are plain");
    assert!(taken > count * 9 / 10, "{taken} of {count}");
    for own_way in ["strict_coasts", "no_setting"] {
        let other = with_settings(7).replace("centers\":7", &format!("{own_way}\":false"));
        assert_eq!(plain_among([other].into_iter()), 0, "{own_way}");
    }
}

#[test]
fn answers_to_lines_of_blind_games_are_those_of_the_engine() {
    let count = 600;
    let blind = |number: u64| {
        let line = line(number);
        let line = line.strip_prefix('{').unwrap();
        format!(r#"{{"settings":{{"blind":true}},{line}"#)
    };
    let taken = plain_among((0..count).map(blind));
    println!("{taken} of {count} lines are plain");
    assert!(taken > count / 2, "{taken} of {count}");
}

#[test]
fn settings_without_effect_on_moves_are_switches_and_values_that_the_engine_knows() {
    let usual = serde_json::to_value(Settings::default()).unwrap();
    for name in by_engine::WITHOUT_EFFECT_ON_MOVES {
        let other = match &usual[*name] {
            Value::Bool(is_on) => json!(!is_on),
            // Objects are left to the engine, and texts and numbers of others are of people.
            Value::Null | Value::Number(_) => json!(7),
            _ => continue,
        };
        let of_setting = |number: u64| {
            let line = line(number);
            let line = line.strip_prefix('{').unwrap();
            format!(r#"{{"settings":{{"{name}":{other}}},{line}"#)
        };
        plain_among((0..20).map(of_setting));
    }
}

#[test]
fn answers_to_lines_of_variants_with_standard_movement_are_those_of_the_engine() {
    let count = 300;
    let mut variants = 0;
    for variant in dipjudge_variants::ALL {
        let card = variant.card();
        if !card.standard_movement {
            continue;
        }
        variants += 1;
        let powers = Map::with_places(card.map, card.places).unwrap().powers();
        let usual = Map::standard().powers();
        let apart = powers.len() / usual.len();
        let in_its_words = |line: &str| {
            let own = powers.iter().step_by(apart);
            usual
                .iter()
                .zip(own)
                .fold(line.to_owned(), |line, (usual, own)| {
                    line.replace(&format!("\"{}\":", usual.key), &format!("\"{}\":", own.key))
                })
        };
        let of_variant = |number: u64| {
            let line = in_its_words(&line(number));
            let line = line.strip_suffix('}').unwrap();
            format!(r#"{line},"variant":"{}"}}"#, card.name)
        };
        let taken = plain_among((0..count).map(of_variant));
        println!("{taken} of {count} lines of {} are plain", card.name);
        assert!(taken > count * 9 / 10, "{taken} of {count}");
    }
    assert!(variants > 0);
    let first_fall = r#"{"variant":"winter-1900","name":"F1900M","state":{"units":{"FRANCE":["A PAR"]},"centers":{}},"orders":{}}"#;
    assert_eq!(plain_among([first_fall.to_owned()].into_iter()), 0);
}
