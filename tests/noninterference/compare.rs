//! What came of two runs, held against each other as one reader sees it.

use dipjudge::game::{Event, Record};
use jiff::Timestamp;

use super::oracle::Seen;
use super::stage::{Kept, Sent, log};

/// Fields of the message whose values may differ between runs that a reader cannot tell apart. None: ids are random in production, but
/// drawn from a stream of the reader's own, which is the same in both runs here. All must be the same to the byte.
pub const DECLARED: &[&str] = &[];

/// Up to when two readings agree: the time of the first difference, and its place; none if there is none.
pub fn parting(one: &[Seen], other: &[Seen]) -> Option<(Timestamp, usize)> {
    let index = one
        .iter()
        .zip(other)
        .position(|(one, other)| one.what != other.what)
        .unwrap_or(one.len().min(other.len()));
    let at = [one.get(index), other.get(index)]
        .into_iter()
        .flatten()
        .map(|seen| seen.at)
        .min()?;
    Some((at, index))
}

/// When phases were adjudicated.
pub fn phases(kept: &Kept, game: &str) -> Vec<Timestamp> {
    let records = log(&kept.records, game);
    let played = |record: &Record| {
        let played = record.events.iter();
        let count = played.filter(|event| matches!(event, Event::Played(_)));
        std::iter::repeat_n(record.at, count.count())
    };
    records.iter().flat_map(played).collect()
}

/// Mails to these addresses, to each before an hour of its own, in the order of their sending; where that is `drawn`, those of one
/// moment by their readers.
pub fn received<'k>(
    kept: &'k Kept,
    readers: &'k [(&str, Option<Timestamp>)],
    drawn: bool,
) -> impl Iterator<Item = &'k Sent> {
    let reads = |sent: &&Sent| {
        let mut readers = readers.iter();
        readers.any(|(address, until)| {
            *address == sent.to && until.is_none_or(|until| sent.at < until)
        })
    };
    let mut received: Vec<&Sent> = kept.sent.iter().filter(reads).collect();
    if drawn {
        received.sort_by_key(|sent| (sent.at, sent.to.as_str()));
    }
    received.into_iter()
}

/// The first mail in which two sequences differ, declared fields apart.
pub fn difference(
    one: &Kept,
    other: &Kept,
    readers: &[(&str, Option<Timestamp>)],
    drawn: bool,
) -> Option<(Option<Sent>, Option<Sent>)> {
    let mut ones = received(one, readers, drawn);
    let mut others = received(other, readers, drawn);
    loop {
        let pair = (ones.next(), others.next());
        match pair {
            (None, None) => return None,
            (Some(one), Some(other)) if same(one, other) => {}
            (one, other) => return Some((one.cloned(), other.cloned())),
        }
    }
}

/// Whether two mails are one to their reader: the same bytes in the same envelope, as urgent, and sent in the same minute
/// (no finer clock is public, `visibility.md` 1, P6).
pub fn same(one: &Sent, other: &Sent) -> bool {
    envelope(one) == envelope(other)
        && (one.bytes == other.bytes || masked(&one.bytes) == masked(&other.bytes))
}

/// A mail in which all of the judge's addresses are the same: what acts for a seat is a keyed digest of the seat's number.
pub fn without_tokens(sent: &Sent) -> Sent {
    let text = String::from_utf8_lossy(&sent.bytes);
    let mut parts = text.split("judge+");
    let mut bytes = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let host = part.find('@').map_or(part, |at| &part[at..]);
        bytes.push_str("judge+TOKEN");
        bytes.push_str(host);
    }
    Sent {
        bytes: bytes.into_bytes().into(),
        ..sent.clone()
    }
}

fn envelope(sent: &Sent) -> (&str, &str, u8, i64) {
    let minute = sent.at.as_second().div_euclid(60);
    (&sent.to, &sent.envelope, sent.rank, minute)
}

/// A message without the values of the declared fields.
pub fn masked(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let mut kept = String::with_capacity(text.len());
    let mut hiding = false;
    for line in head.split("\r\n") {
        if line.starts_with([' ', '\t']) {
            if !hiding {
                kept.push_str(line);
                kept.push('\n');
            }
            continue;
        }
        let name = line.split(':').next().unwrap_or_default();
        hiding = DECLARED.iter().any(|one| one.eq_ignore_ascii_case(name));
        kept.push_str(if hiding { name } else { line });
        kept.push('\n');
    }
    kept.push('\n');
    kept.push_str(body);
    kept
}

/// Lines in which two mails differ, for a report.
pub fn lines_that_differ(one: Option<&Sent>, other: Option<&Sent>) -> String {
    let text = |sent: Option<&Sent>| match sent {
        Some(sent) => format!(
            "rank {}, sent at {}\nReturn-Path: {}\n{}",
            sent.rank,
            sent.at,
            sent.envelope,
            masked(&sent.bytes)
        ),
        None => "(no mail)".to_owned(),
    };
    let (one, other) = (text(one), text(other));
    let (ones, others): (Vec<&str>, Vec<&str>) = (one.lines().collect(), other.lines().collect());
    let mut told = String::new();
    if let Some(subject) = ones.iter().find(|line| line.starts_with("Subject:")) {
        told.push_str(&format!("  {subject}\n"));
    }
    for index in 0..ones.len().max(others.len()) {
        let (one, other) = (ones.get(index), others.get(index));
        if one != other {
            let show = |line: Option<&&str>| line.map_or("(ended)", |line| *line).to_owned();
            told.push_str(&format!("  - {}\n  + {}\n", show(one), show(other)));
        }
        if told.len() > 3000 {
            break;
        }
    }
    told
}
