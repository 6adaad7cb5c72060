//! What sentences are about that no rule reads: the subjects that are offered, counted over sentences which nobody looked at when
//! the examples were written.

use dipjudge_commands::mail_reader::{BodyLine, ItemKind, SignOnBy, read_mail};
use dipjudge_commands::settings::{SetItem, read_settings};
use dipjudge_commands::slots::with_examples;
use dipjudge_commands::subjects::{Asker, Meant, subject_of};

/// The keys of `grammar/subjects.txt` that hold lines to be sent.
const KEYS: [&str; 3] = ["ask: ", "propose: ", "write: "];
/// What stands in the lines for words of a game.
const OF_GAMES: [(&str, &str); 10] = [
    ("{tomorrow}", "20 December"),
    ("{next week}", "27 December"),
    ("{wanted variant}", "CHAOS"),
    ("{wanted map}", "ANCIENT"),
    ("{power}", "France"),
    ("{unit}", "A Par"),
    ("{next}", "F1902M"),
    ("{game}", "kaiser"),
    ("{variant}", "STANDARD"),
    ("{called}", "friends"),
];

/// The least share of the sentences whose subject is among those offered, in percent.
const KNOWN: usize = 94;
/// The greatest share of those that are taken for another subject alone, in percent.
const MISTAKEN: usize = 2;
/// The greatest share of talk for which something is offered, in percent.
const TALK_OFFERED: usize = 25;

struct Asked<'a> {
    subject: &'a str,
    asker: Asker,
    sentence: &'a str,
}

fn read(line: &str) -> Option<Asked<'_>> {
    let (head, sentence) = line.split_once("): ")?;
    let (subject, who) = head.split_once(" (")?;
    let asker = match who {
        "player" => Asker::Player,
        "master" => Asker::Master,
        "observer" => Asker::Observer,
        "newcomer" => Asker::Newcomer,
        "stranger" => Asker::Stranger,
        _ => return None,
    };
    Some(Asked {
        subject,
        asker,
        sentence,
    })
}

#[test]
fn most_sentences_are_offered_their_subject() {
    let text = std::fs::read_to_string("tests/mails/subjects.txt").unwrap();
    let rows = text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty());
    let rows = rows.map(|line| read(line).expect(line));
    let (talk, rows): (Vec<Asked>, Vec<Asked>) = rows.partition(|row| row.subject == "talk");
    let offered = talk.iter().filter(|row| {
        let meant = subject_of(row.sentence, row.asker);
        !matches!(meant, Meant::Nothing)
    });
    let offered = offered.count();
    println!(
        "for {offered} of {} that are talk something is offered",
        talk.len()
    );
    assert!(
        offered * 100 <= talk.len() * TALK_OFFERED,
        "{offered} offered"
    );
    let mut unknown = Vec::new();
    let mut mistaken = 0;
    for row in &rows {
        let offered = match subject_of(row.sentence, row.asker) {
            Meant::Clear(subject) => {
                mistaken += usize::from(subject.name != row.subject);
                vec![subject.name]
            }
            Meant::OneOf(subjects) => subjects.iter().map(|subject| subject.name).collect(),
            Meant::Nothing => Vec::new(),
        };
        if !offered.contains(&row.subject) {
            unknown.push(format!("{}: {} {offered:?}", row.subject, row.sentence));
        }
    }
    let known = rows.len() - unknown.len();
    println!("{known} of {} known, {mistaken} mistaken", rows.len());
    assert!(known * 100 >= rows.len() * KNOWN, "{}", unknown.join("\n"));
    assert!(
        mistaken * 100 <= rows.len() * MISTAKEN,
        "{mistaken} mistaken"
    );
}

/// Whether a line is read as it is shown: as a command, a setting or a text, or left for the orders.
fn is_read(kind: &ItemKind) -> bool {
    match kind {
        ItemKind::Command(line) if line.rule == "set" => {
            let items = read_settings(line.words().unwrap_or_default());
            items.iter().all(|item| matches!(item, SetItem::Known(_)))
        }
        ItemKind::Invalid { .. } => false,
        _ => true,
    }
}

#[test]
fn the_lines_that_subjects_show_are_read() {
    let text = std::fs::read_to_string("grammar/subjects.txt").unwrap();
    let shown = text
        .lines()
        .filter_map(|line| KEYS.iter().find_map(|key| line.strip_prefix(key)));
    let mut unread = Vec::new();
    for shown in shown {
        let filled = with_examples(shown, "");
        let filled = OF_GAMES
            .iter()
            .fold(filled, |line, (slot, word)| line.replace(slot, word));
        let parts = (1..).zip(filled.split(" / "));
        let lines: Vec<BodyLine> = parts
            .map(|(number, text)| BodyLine::own(number, text))
            .collect();
        let items = read_mail(&lines, SignOnBy::ReplyAddress).items;
        if items.is_empty() || !items.iter().all(|item| is_read(&item.kind)) {
            unread.push(filled);
        }
    }
    assert!(unread.is_empty(), "{}", unread.join("\n"));
}

#[test]
fn opposites_name_each_other() {
    let text = std::fs::read_to_string("grammar/subjects.txt").unwrap();
    let mut name = "";
    let mut opposites = Vec::new();
    for line in text.lines() {
        if let Some(head) = line.strip_prefix('[') {
            name = head.split(':').next().unwrap_or_default();
        } else if let Some(opposite) = line.strip_prefix("opposite: ") {
            opposites.push((name, opposite));
        }
    }
    assert!(!opposites.is_empty());
    for (one, other) in &opposites {
        assert!(opposites.contains(&(*other, *one)), "{one}: {other}");
    }
}
