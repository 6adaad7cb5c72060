//! What sentences are about that no rule reads: the subjects that are offered, counted over sentences which nobody looked at when
//! the examples were written.

use dipjudge_commands::subjects::{Asker, Meant, subject_of};

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
