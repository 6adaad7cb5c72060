//! Every row of the tables of commands and settings has a transcript of its effect, of its refusal, and of what it tells in a game that
//! hides something. Whether a line was refused is seen by its answer, which quotes it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use dipjudge::commands::mail_reader::{BodyLine, ItemKind, SignOnBy, read_mail};
use dipjudge::commands::settings::{SetItem, read_settings, rule_of};
use dipjudge::judge::{Row, RowKind, rows};

use crate::transcripts_runner::{Exchange, Theater};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/transcripts");

/// What a transcript can show of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Shown {
    Effect,
    Refusal,
    /// Anything of it in a game that hides something.
    Hidden,
}

/// A line of a mail that a row reads.
struct Met {
    kind: RowKind,
    rule: String,
    text: String,
}

/// The lines of a mail that rows read.
fn met(exchange: &Exchange) -> Vec<Met> {
    let lines: Vec<BodyLine> = (1..)
        .zip(exchange.sent.lines())
        .map(|(number, text)| BodyLine::own(number, text))
        .collect();
    let by = if exchange.by_token {
        SignOnBy::ReplyAddress
    } else {
        SignOnBy::Line
    };
    let mut met = Vec::new();
    let mut add = |kind: RowKind, rule: &str, text: &str| {
        met.push(Met {
            kind,
            rule: rule.to_owned(),
            text: text.trim().to_owned(),
        });
    };
    for item in read_mail(&lines, by).items {
        match item.kind {
            ItemKind::Command(line) if line.rule == "set" => {
                add(RowKind::Command, "set", &item.text);
                for setting in read_settings(line.words().unwrap_or_default()) {
                    if let SetItem::Known(setting) = setting {
                        add(RowKind::Setting, rule_of(&setting), &item.text);
                    }
                }
            }
            ItemKind::Command(line) => add(RowKind::Command, &line.rule, &item.text),
            ItemKind::Block(block) => add(RowKind::Command, &block.rule, &item.text),
            ItemKind::Form(_) => add(RowKind::Command, "register", "REGISTER"),
            _ => {}
        }
    }
    met
}

/// Whether answers quote a line, which they do where it is refused.
fn is_refused(answers: &[String], text: &str) -> bool {
    let quotes = |line: &str| {
        let bare = line.trim();
        let behind = bare.split_once(": ").map_or(bare, |(_, behind)| behind);
        bare.eq_ignore_ascii_case(text) || behind.eq_ignore_ascii_case(text)
    };
    answers.iter().any(|answer| answer.lines().any(quotes))
}

/// Whether the game of an answer hides something.
fn hides(answer: &str) -> bool {
    let head = answer.lines().find(|line| line.starts_with(":: Judge:"));
    let hiding = [
        "Gunboat",
        "Blind",
        "CivDip",
        "Bridge",
        "Outer Space",
        "Rather Silly",
    ];
    head.is_some_and(|head| hiding.iter().any(|word| head.contains(word)))
}

/// What no transcript shows yet. What is not offered has no effect, and is refused in the same words in every game.
const NOT_SHOWN: &[(RowKind, &str, &[Shown])] = &[
    (
        RowKind::Command,
        "play",
        &[Shown::Effect, Shown::Refusal, Shown::Hidden],
    ),
    (
        RowKind::Command,
        "spectate",
        &[Shown::Refusal, Shown::Hidden],
    ),
    (RowKind::Command, "observe", &[Shown::Refusal]),
    (RowKind::Command, "create", &[Shown::Refusal]),
    (RowKind::Command, "also", &[Shown::Hidden]),
    (
        RowKind::Command,
        "sign-off",
        &[Shown::Effect, Shown::Refusal, Shown::Hidden],
    ),
    (
        RowKind::Command,
        "resign-elsewhere",
        &[Shown::Refusal, Shown::Hidden],
    ),
    (RowKind::Command, "help", &[Shown::Refusal]),
    (RowKind::Command, "version", &[Shown::Refusal]),
    (RowKind::Command, "end-try", &[Shown::Effect, Shown::Hidden]),
    (RowKind::Command, "official", &[Shown::Hidden]),
    (RowKind::Command, "diary-delete", &[Shown::Hidden]),
    (RowKind::Command, "reveal", &[Shown::Effect]),
    (RowKind::Command, "promote", &[Shown::Hidden]),
    (RowKind::Command, "activate", &[Shown::Hidden]),
    (RowKind::Command, "setup", &[Shown::Effect]),
    (RowKind::Command, "rollforward", &[Shown::Effect]),
    (RowKind::Setting, "password", &[Shown::Refusal]),
    (RowKind::Setting, "token", &[Shown::Refusal, Shown::Hidden]),
    (RowKind::Setting, "remind", &[Shown::Refusal]),
    (RowKind::Setting, "html-on", &[Shown::Refusal]),
    (RowKind::Setting, "pictures-on", &[Shown::Refusal]),
    (RowKind::Setting, "calendar-on", &[Shown::Refusal]),
    (RowKind::Setting, "access", &[Shown::Refusal]),
    (RowKind::Setting, "blank-board", &[Shown::Hidden]),
    (RowKind::Setting, "preference-method", &[Shown::Hidden]),
    (RowKind::Setting, "build-anywhere", &[Shown::Hidden]),
    (RowKind::Setting, "auto-disband", &[Shown::Hidden]),
    (RowKind::Setting, "any-disband", &[Shown::Hidden]),
    (RowKind::Setting, "disband", &[Shown::Effect, Shown::Hidden]),
    (RowKind::Setting, "strict-convoy", &[Shown::Effect]),
    (RowKind::Setting, "observer", &[Shown::Refusal]),
    (
        RowKind::Setting,
        "comment-begin",
        &[Shown::Refusal, Shown::Hidden],
    ),
    (RowKind::Setting, "minor-press", &[Shown::Hidden]),
    (
        RowKind::Setting,
        "position",
        &[Shown::Refusal, Shown::Hidden],
    ),
    (RowKind::Setting, "powers-wanted", &[Shown::Effect]),
    (RowKind::Setting, "variant-option", &[Shown::Effect]),
    (RowKind::Setting, "keeper-lists", &[Shown::Effect]),
    (RowKind::Setting, "not-offered-word", &[Shown::Effect]),
];

#[test]
fn every_row_has_transcripts_of_its_effect_its_refusal_and_a_hidden_game() {
    let mut theater = Theater::new(Path::new(FOLDER));
    for script in theater.transcripts("").unwrap() {
        // What does not hold is another test's to say.
        let _ = theater.play_file(&script);
    }
    let mut shown: BTreeMap<(RowKind, String), BTreeSet<Shown>> = BTreeMap::new();
    for exchange in &theater.dialogue {
        let hidden = exchange.answers.iter().any(|answer| hides(answer));
        for Met { kind, rule, text } in met(exchange) {
            let of_row = shown.entry((kind, rule)).or_default();
            of_row.insert(if is_refused(&exchange.answers, &text) {
                Shown::Refusal
            } else {
                Shown::Effect
            });
            if hidden {
                of_row.insert(Shown::Hidden);
            }
        }
    }
    let mut missing = Vec::new();
    let standard = dipjudge::variants::named("standard").unwrap();
    for Row { kind, rules, .. } in rows(standard) {
        let of_rules = rules
            .iter()
            .filter_map(|rule| shown.get(&(kind, (*rule).to_owned())));
        let of_row: BTreeSet<Shown> = of_rules.flatten().copied().collect();
        for what in [Shown::Effect, Shown::Refusal, Shown::Hidden] {
            let name = rules[0];
            let known = NOT_SHOWN
                .iter()
                .any(|(of, row, lacks)| *of == kind && *row == name && lacks.contains(&what));
            if of_row.contains(&what) == known {
                missing.push(format!("{kind:?} {name}: {what:?}, known {known}"));
            }
        }
    }
    assert!(
        missing.is_empty(),
        "{}\n{}",
        missing.len(),
        missing.join("\n")
    );
}
