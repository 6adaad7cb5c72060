//! Every row of the tables of commands and settings has a transcript of its effect, of its refusal, and of what it tells in a game that
//! hides something. Whether a line was refused is seen by its answer, which quotes it.

use std::collections::{BTreeMap, BTreeSet};

use dipjudge::commands::mail_reader::{BodyLine, Ended, ItemKind, SignOnBy, read_mail};
use dipjudge::commands::settings::{SetItem, read_settings, rule_of};
use dipjudge::judge::{Row, RowKind, rows};

use crate::transcripts_runner::{Exchange, all_played};

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
    let reading = read_mail(&lines, by);
    if reading.ended == Ended::SignOff {
        add(RowKind::Command, "sign-off", "SIGNOFF");
    }
    for item in reading.items {
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

/// Whether answers quote a line, which they do where it is refused; passwords are struck out.
fn is_refused(answers: &[String], text: &str) -> bool {
    let is_text = |quoted: &str| {
        let (quoted, written) = (quoted.split_whitespace(), text.split_whitespace());
        quoted.clone().count() == written.clone().count()
            && quoted
                .zip(written)
                .all(|(one, other)| one == "****" || one.eq_ignore_ascii_case(other))
    };
    let quotes = |line: &str| {
        let behind = line.split_once(": ").map_or(line, |(_, behind)| behind);
        is_text(line) || is_text(behind)
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

/// What no transcript can show of a row.
struct Never {
    kind: RowKind,
    row: &'static str,
    what: Shown,
    why: &'static str,
}

const fn never(kind: RowKind, row: &'static str, what: Shown, why: &'static str) -> Never {
    Never {
        kind,
        row,
        what,
        why,
    }
}

const REFUSED_TO_ALL: &str = "it is not offered, so it is refused whoever writes it";

const OPEN_TO_ALL: &str =
    "everybody who has signed on may set it, and without a sign-on it is no command";

const NEVER: &[Never] = &[
    never(
        RowKind::Command,
        "sign-off",
        Shown::Refusal,
        "it ends the reading of a mail, whoever wrote it",
    ),
    never(
        RowKind::Command,
        "help",
        Shown::Refusal,
        "where there is no help on a word, the answer is what is nearest",
    ),
    never(
        RowKind::Command,
        "version",
        Shown::Refusal,
        "everybody may ask, signed on or not",
    ),
    never(
        RowKind::Command,
        "end-try",
        Shown::Effect,
        "below a TRY it is read as its end; anywhere else it is refused",
    ),
    never(RowKind::Command, "setup", Shown::Effect, REFUSED_TO_ALL),
    never(
        RowKind::Command,
        "rollforward",
        Shown::Effect,
        REFUSED_TO_ALL,
    ),
    never(RowKind::Setting, "html-on", Shown::Refusal, OPEN_TO_ALL),
    never(RowKind::Setting, "pictures-on", Shown::Refusal, OPEN_TO_ALL),
    never(RowKind::Setting, "calendar-on", Shown::Refusal, OPEN_TO_ALL),
    never(
        RowKind::Setting,
        "access",
        Shown::Refusal,
        "it is read for the sake of old lines and refuses nobody",
    ),
    never(RowKind::Setting, "disband", Shown::Effect, REFUSED_TO_ALL),
    never(
        RowKind::Setting,
        "strict-convoy",
        Shown::Effect,
        REFUSED_TO_ALL,
    ),
    never(
        RowKind::Setting,
        "powers-wanted",
        Shown::Effect,
        REFUSED_TO_ALL,
    ),
    never(
        RowKind::Setting,
        "variant-option",
        Shown::Effect,
        "the options that a variant has are rows of its own",
    ),
    never(
        RowKind::Setting,
        "keeper-lists",
        Shown::Effect,
        REFUSED_TO_ALL,
    ),
    never(
        RowKind::Setting,
        "not-offered-word",
        Shown::Effect,
        REFUSED_TO_ALL,
    ),
];

#[test]
fn every_row_has_transcripts_of_its_effect_its_refusal_and_a_hidden_game() {
    let mut shown: BTreeMap<(RowKind, String), BTreeSet<Shown>> = BTreeMap::new();
    // What does not hold is another test's to say.
    for exchange in &all_played().dialogue {
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
            let never = NEVER
                .iter()
                .find(|never| never.kind == kind && never.row == name && never.what == what);
            match (of_row.contains(&what), never) {
                (false, None) => missing.push(format!("{kind:?} {name}: no {what:?}")),
                (true, Some(never)) => {
                    let why = never.why;
                    missing.push(format!("{kind:?} {name}: {what:?}, though {why}"));
                }
                _ => {}
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
