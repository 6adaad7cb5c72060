//! Answers are those of the general way, byte for byte.

use super::super::job::adjudicate_any;
use super::generated::line;
use super::*;

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
        match number % 18 {
            0 => format!(r#"{{"settings":{{}},"variant":"standard",{line}"#),
            centers => {
                format!(r#"{{"settings":{{"centers":{centers},"build-sites":"{sites}"}},{line}"#)
            }
        }
    };
    let taken = plain_among((0..count).map(with_settings));
    println!("{taken} of {count} lines are plain");
    assert!(taken > count * 9 / 10, "{taken} of {count}");
    let other = with_settings(1).replace("centers\":1", "proxy\":true");
    assert_eq!(plain_among([other].into_iter()), 0);
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
        let of_variant = |number: u64| {
            let line = line(number);
            let line = line.strip_prefix('{').unwrap();
            format!(r#"{{"variant":"{}",{line}"#, card.name)
        };
        let taken = plain_among((0..count).map(of_variant));
        println!("{taken} of {count} lines of {} are plain", card.name);
        assert!(taken > count * 9 / 10, "{taken} of {count}");
    }
    assert!(variants > 0);
    let first_fall = r#"{"variant":"winter-1900","name":"F1900M","state":{"units":{"FRANCE":["A PAR"]},"centers":{}},"orders":{}}"#;
    assert_eq!(plain_among([first_fall.to_owned()].into_iter()), 0);
}
