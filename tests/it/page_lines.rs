//! The lines that the rules pages of the variants show under *Your first mail* and *A year, mail by mail* are read as lines of a
//! mail in such a game.

use dipjudge::calendar::PhaseKind;
use dipjudge::commands::mail_reader::{BodyLine, ItemKind, SignOnBy, read_mail};
use dipjudge::commands::names::Names;
use dipjudge::commands::orders::{grammar_of, read_orders_by};
use dipjudge::game::{Event, Seed, Settings, Variant, apply};
use dipjudge::map::Map;
use dipjudge::variants;

/// The headings below which lines are shown.
const HEADINGS: [&str; 2] = ["Your first mail", "A year, mail by mail"];
/// How lines to be sent are indented.
const INDENT: &str = "     ";

/// The lines that a page shows, each without what is said of it behind.
fn shown(page: &str) -> Vec<&str> {
    let mut below = false;
    let mut lines = Vec::new();
    for line in page.lines() {
        if !line.starts_with(' ') && !line.is_empty() {
            below = HEADINGS.iter().any(|heading| line.starts_with(heading));
        }
        let sent = line
            .strip_prefix(INDENT)
            .filter(|rest| !rest.starts_with(' '));
        if let (true, Some(sent)) = (below, sent) {
            lines.push(sent.split("  ").next().unwrap_or_default().trim());
        }
    }
    // The table of CivDip's calendar is no line of a mail.
    lines.retain(|line| !line.starts_with("subject") && !line.starts_with("called"));
    lines
}

/// Whether the line is read as a command of every game or of the variant, or as an order in some phase.
fn is_read(variant: &'static dyn Variant, line: &str) -> bool {
    let places = variant.places(&Settings::default());
    let made = Event::Created {
        name: "page".to_owned(),
        variant: variant.card().name.to_owned(),
        map: Map::DEFAULT.to_owned(),
        places,
        seed: Seed::new([7; 32]),
    };
    let game = apply::create(&made, jiff::Timestamp::UNIX_EPOCH).unwrap();
    let names = Names::of(game.map(), game.map().powers());
    let sign_on = "SIGNON Akaiser apw";
    let texts = [sign_on, line, "ENDPRESS"];
    let lines: Vec<BodyLine<'_>> = (1..)
        .zip(texts)
        .map(|(number, text)| BodyLine::own(number, text))
        .collect();
    let reading = read_mail(&lines, SignOnBy::Line);
    let command = reading.items.iter().skip(1).any(|item| {
        matches!(
            item.kind,
            ItemKind::Command(_) | ItemKind::Block(_) | ItemKind::SecondSignOn(_)
        )
    });
    // A command of the variant's own is a rule of its grammar.
    let first = line.split_whitespace().next().unwrap_or_default();
    let own = variant.card().commands.iter().any(|row| {
        row.examples
            .iter()
            .any(|example| example.split_whitespace().next() == Some(first))
    });
    let kinds = [
        PhaseKind::Movement,
        PhaseKind::Retreats,
        PhaseKind::Adjustments,
    ];
    let order = kinds.into_iter().any(|kind| {
        let read = read_orders_by(grammar_of(variant), line, kind, &names);
        !read.is_empty() && read.iter().all(Result::is_ok)
    });
    command || own || order
}

#[test]
fn every_line_that_a_rules_page_shows_is_read() {
    let mut pages = 0;
    for variant in variants::ALL {
        let card = variant.card();
        let lines = shown(card.rules);
        if card.to_be_read {
            assert!(lines.len() > 3, "{} shows no mails", card.name);
            pages += 1;
        }
        for line in lines {
            assert!(is_read(*variant, line), "{}: {line}", card.name);
        }
    }
    assert!(pages >= 5, "only {pages} pages are looked at");
}
