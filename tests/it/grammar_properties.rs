//! Any text is read without a panic and in little time, and a printed order reads back as itself.

use dipjudge::calendar::{PhaseKind, PhaseName};
use dipjudge::commands::command_reader;
use dipjudge::commands::condition_words::read_condition;
use dipjudge::commands::date_meaning::{Sense, resolve};
use dipjudge::commands::date_words::DateWords;
use dipjudge::commands::mail_reader::{BodyLine, SignOnBy, read_mail};
use dipjudge::commands::names::Names;
use dipjudge::commands::order_words::OrderWords;
use dipjudge::commands::orders::read_orders;
use dipjudge::commands::power_list::read_powers;
use dipjudge::commands::press_options::{read_broadcast, read_press};
use dipjudge::commands::settings::read_settings;
use dipjudge::grammar::{Grammar, Source, Text};
use dipjudge::map::{Map, Province};
use jiff::{Timestamp, civil::Time, tz::TimeZone};
use proptest::prelude::*;
use std::sync::OnceLock;

const PHASES: [PhaseKind; 4] = [
    PhaseKind::Movement,
    PhaseKind::Retreats,
    PhaseKind::Adjustments,
    PhaseKind::Own('Q'),
];

fn names() -> &'static Names {
    static NAMES: OnceLock<Names> = OnceLock::new();
    NAMES.get_or_init(|| Names::of(Map::standard(), Map::standard().powers()))
}

/// Reads a line as everything that it may be.
fn read_as_everything(line: &str) {
    let roster = Map::standard().powers();
    for phase in PHASES {
        for read in read_orders(line, phase, names()) {
            let span = match &read {
                Ok(order) => order.span.clone(),
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    assert!(error.at <= line.len());
                    error.span.clone()
                }
            };
            assert!(
                line.get(span).is_some(),
                "the span of {read:?} lies in {line:?}"
            );
        }
    }
    let _ = read_condition(line, names());
    let _ = read_settings(line);
    let _ = read_press(line, roster);
    let _ = read_broadcast(line, roster);
    let _ = read_powers(line, roster);
    let _ = line.parse::<PhaseName>();
    if let Some(date) = DateWords::parse(line) {
        for sense in [Sense::Ahead, Sense::FromToday, Sense::Behind] {
            let _ = resolve(
                &date,
                Timestamp::UNIX_EPOCH,
                &TimeZone::UTC,
                Time::midnight(),
                sense,
            );
        }
    }
    let body = |text| BodyLine::own(1, text);
    let _ = read_mail(
        &[body("SIGNON Akaiser apw"), body(line), body(line)],
        SignOnBy::Line,
    );
    let _ = read_mail(
        &[body(line), body("PRESS"), body(line)],
        SignOnBy::ReplyAddress,
    );
    let _ = Grammar::compile(&[Source {
        name: "x",
        text: line,
    }]);
}

/// Words that orders and commands are made of, so that random lines come far.
fn word() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "A",
        "F",
        "army",
        "fleet",
        "Lon",
        "Nth",
        "Stp/sc",
        "Spa",
        "(nc)",
        "English",
        "Liv",
        "north",
        "the",
        "-",
        "->",
        "–",
        "to",
        "S",
        "supports",
        "C",
        "via",
        "H",
        "hold",
        "d",
        "r",
        "build",
        "waive",
        "2",
        "all",
        ";",
        ",",
        ".",
        "(",
        ")",
        "[",
        "]",
        "#",
        "//",
        ":",
        "proxy",
        "Turkey",
        "T",
        "SET",
        "PRESS",
        "TO",
        "ALL",
        "BUT",
        "FAKE",
        "no ",
        "wait",
        "draw",
        "3",
        "Dec",
        "2026",
        "23:30",
        "Mon",
        "+2d",
        "S1902M",
        "F",
        "1901",
        "IF",
        "not",
        "and",
        "or",
        "then",
        "deadline",
        "move",
        "clock",
        "=",
        "|",
        "\"x\"",
        "<province>",
        "{",
        "}",
        "É",
        "\u{a0}",
        "'s",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text_is_survived(line in "\\PC{0,120}") {
        read_as_everything(&line);
    }

    #[test]
    fn any_characters_are_survived(line in prop::collection::vec(any::<char>(), 0..60)) {
        read_as_everything(&line.into_iter().collect::<String>());
    }

    #[test]
    fn any_words_are_survived(words in prop::collection::vec(word(), 0..24), joint in prop::sample::select(vec!["", " "])) {
        read_as_everything(&words.join(joint));
    }

    #[test]
    fn what_is_expected_behind_a_beginning_is_explained_alike(words in prop::collection::vec(word(), 0..8)) {
        let line = words.join(" ");
        let text = Text::new(&line);
        let all = command_reader::grammar().explain("command", &text, 0, names());
        let begun = command_reader::grammar().explain_begun("command", &text, 0, names());
        let matches_something = all.at > text.skip_blanks(0);
        prop_assert_eq!(begun, matches_something.then_some(all));
    }

    #[test]
    fn folding_keeps_positions(line in "\\PC{0,60}") {
        let text = Text::new(&line);
        let mut before = 0;
        for at in 0..=text.len() {
            let here = text.source_at(at);
            prop_assert!(here >= before && line.is_char_boundary(here));
            before = here;
        }
        prop_assert_eq!(before, line.len());
    }

    #[test]
    fn a_printed_order_reads_back_as_itself((phase, line) in order()) {
        let read = read_orders(&line, phase, names());
        let [Ok(order)] = read.as_slice() else {
            return Err(TestCaseError::fail(format!("{line}: {read:?}")));
        };
        let printed = order.to_string();
        let again = read_orders(&printed, phase, names());
        let [Ok(again)] = again.as_slice() else {
            return Err(TestCaseError::fail(format!("{line}, printed {printed}: {again:?}")));
        };
        prop_assert_eq!(&again.to_string(), &printed, "{}", line);
        prop_assert_eq!(meaning(order), meaning(again), "{}", line);
    }
}

#[test]
fn tangled_lines_take_little_time() {
    let long = |part: &str| part.repeat(1_000 / part.len());
    for line in [
        long("("),
        long(")"),
        long("[("),
        long("A "),
        long("- "),
        long("-"),
        long("A-"),
        long("A A - "),
        long("Lon "),
        long("Lon-"),
        long("Lon,"),
        long("F Lon S "),
        long("F Lon-Nth,"),
        long("(x)"),
        long(",(Lon"),
        long("not ("),
        long("Foo, "),
        long("A Foo-Bar, "),
        long("the "),
        long("St. "),
        long("É"),
        long("gulf of "),
        long("3 Dec "),
        long("TO E,"),
        long("set "),
        long("no "),
    ] {
        read_as_everything(&line);
    }
}

/// What an order says, apart from the words it was said with.
fn meaning(order: &OrderWords) -> (Option<String>, String) {
    (
        order.unit.as_ref().map(ToString::to_string),
        order.to_string(),
    )
}

/// A province in one of its spellings.
fn province() -> impl Strategy<Value = String> {
    let all: Vec<Province> = Map::standard()
        .provinces()
        .iter()
        .map(|info| info.code)
        .collect();
    (prop::sample::select(all), 0..4usize).prop_map(|(province, form)| match form {
        0 => province.to_string(),
        1 => names().full_name(province).to_owned(),
        2 => names().full_name(province).to_lowercase(),
        _ => province.titled(),
    })
}

fn place() -> impl Strategy<Value = String> {
    let coast = prop::sample::select(vec![
        "",
        "",
        "",
        "/nc",
        "(sc)",
        " (east coast)",
        "/South Coast",
    ]);
    (province(), coast).prop_map(|(province, coast)| format!("{province}{coast}"))
}

fn unit() -> impl Strategy<Value = String> {
    let kind = prop::sample::select(vec!["A ", "F ", "Army ", "fleet ", "French Army ", ""]);
    prop_oneof![
        4 => (kind, place()).prop_map(|(kind, place)| format!("{kind}{place}")),
        1 => (prop::sample::select(vec!["A", "F"]), province()).prop_map(|(kind, province)| format!("{kind}({province})")),
    ]
}

fn kinded() -> impl Strategy<Value = String> {
    (
        prop::sample::select(vec!["A", "F", "army", "an army in", "the fleet in"]),
        place(),
    )
        .prop_map(|(kind, place)| format!("{kind} {place}"))
}

fn arrow() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["-", " - ", " -> ", " to ", " moves to ", "→", " – "])
}

/// A line that is one order, with the phase it is for.
fn order() -> impl Strategy<Value = (PhaseKind, String)> {
    let tail = || prop::sample::select(vec!["", ".", "!", ";", " # so there", " // x"]);
    let movement = prop_oneof![
        (
            unit(),
            prop::sample::select(vec![" H", " holds", " stand", " HOLD"])
        )
            .prop_map(|(unit, hold)| format!("{unit}{hold}")),
        (
            unit(),
            prop::collection::vec((arrow(), place()), 1..4),
            prop::sample::select(vec!["", " VIA", " via convoy"])
        )
            .prop_map(|(unit, route, via)| {
                let route: String = route
                    .into_iter()
                    .map(|(arrow, place)| format!("{arrow}{place}"))
                    .collect();
                format!("{unit}{route}{via}")
            }),
        (
            unit(),
            prop::sample::select(vec![" S ", " supports "]),
            unit(),
            prop::option::of((arrow(), place()))
        )
            .prop_map(|(unit, verb, other, to)| {
                let to = to.map_or(String::new(), |(arrow, place)| format!("{arrow}{place}"));
                format!("{unit}{verb}{other}{to}")
            }),
        (
            unit(),
            prop::sample::select(vec![" C ", " convoys ", " t ", " fast ferry "]),
            unit(),
            arrow(),
            place()
        )
            .prop_map(|(unit, verb, other, arrow, place)| format!(
                "{unit}{verb}{other}{arrow}{place}"
            )),
        unit().prop_map(|unit| format!("{unit} disbands")),
        (
            unit(),
            prop::sample::select(vec![" proxy to ", " p ", " give proxy to "]),
            prop::sample::select(vec!["T", "Turkey", "Italian"])
        )
            .prop_map(|(unit, verb, power)| format!("{unit}{verb}{power}")),
    ];
    let retreat = prop_oneof![
        (
            unit(),
            prop::sample::select(vec![" R ", " - ", " retreats to "]),
            place()
        )
            .prop_map(|(unit, verb, place)| format!("{unit}{verb}{place}")),
        unit().prop_map(|unit| format!("{unit} d")),
    ];
    let adjustment = prop_oneof![
        (
            prop::sample::select(vec!["Build ", "b ", "+ ", "builds "]),
            kinded()
        )
            .prop_map(|(verb, unit)| format!("{verb}{unit}")),
        (
            prop::sample::select(vec!["Remove ", "r ", "- ", "d "]),
            unit()
        )
            .prop_map(|(verb, unit)| format!("{verb}{unit}")),
        unit(),
        prop::sample::select(vec!["waive", "WAIVE 3", "w all"]).prop_map(str::to_owned),
    ];
    prop_oneof![
        (movement, tail()).prop_map(|(line, tail)| (PhaseKind::Movement, line + tail)),
        (retreat, tail()).prop_map(|(line, tail)| (PhaseKind::Retreats, line + tail)),
        (adjustment, tail()).prop_map(|(line, tail)| (PhaseKind::Adjustments, line + tail)),
    ]
}
