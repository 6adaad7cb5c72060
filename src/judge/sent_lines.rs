//! Which lines the judge's mails to a seat hold, so that what somebody types into a quotation of one is told from what stood
//! there. No words are kept: a line is a short digest, made with the id of its mail.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::mail_memos::{MailMemos, OfMail};
use crate::memos::MemoChange;
use dipjudge_game::SeatId;
use dipjudge_rules::folding::fold;

/// The most lines of a mail. The lines of a longer one are not kept, since a quotation of it could not be compared.
const MOST_LINES: usize = 500;

/// The lines of one mail to a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SentMail {
    /// To whom it went.
    pub game: String,
    pub seat: SeatId,
    /// When it was sent.
    pub at: Timestamp,
    /// The digests of its lines.
    lines: BTreeSet<u32>,
}

impl SentMail {
    /// The lines of a mail, by its id; `None` if there are too many.
    pub(crate) fn new(
        game: &str,
        seat: SeatId,
        id: &str,
        at: Timestamp,
        lines: &[String],
    ) -> Option<SentMail> {
        let lines: BTreeSet<u32> = lines.iter().filter_map(|line| digest(id, line)).collect();
        (lines.len() <= MOST_LINES).then(|| SentMail {
            game: game.to_owned(),
            seat,
            at,
            lines,
        })
    }

    /// Whether the mail with this id, whose lines these are, holds a line. A line without words stands in every mail.
    pub(crate) fn holds(&self, id: &str, line: &str) -> bool {
        digest(id, line).is_none_or(|digest| self.lines.contains(&digest))
    }
}

/// What parts words for a digest: blanks, rules of tables, emphasis, and arrows of all kinds.
const PARTING: [char; 10] = [
    '>', '|', '*', '_', '-', '\u{2010}', '\u{2013}', '\u{2014}', '\u{2192}', '\u{a0}',
];

/// The digest of a line, whatever a mail program has made of its blanks, arrows and rules; `None` if it has no words.
fn digest(id: &str, line: &str) -> Option<u32> {
    let words: Vec<&str> = line
        .split(|sign: char| sign.is_whitespace() || PARTING.contains(&sign))
        .filter(|word| !word.is_empty())
        .collect();
    let line = fold(&words.join(" "));
    if !line.contains(char::is_alphanumeric) {
        return None;
    }
    let hash = Sha256::digest(format!("{id}\n{line}"));
    let (first, _) = hash.split_first_chunk::<4>()?;
    Some(u32::from_be_bytes(*first))
}

impl OfMail for SentMail {
    const PREFIX: &'static str = "lines of ";

    fn at(&self) -> Timestamp {
        self.at
    }
}

/// The lines of the mails of some days.
#[derive(Debug, Default)]
pub(crate) struct SentLines(MailMemos<SentMail>);

impl SentLines {
    /// The lines of the mail with this id.
    pub(crate) fn of_mail(&self, id: &str) -> Option<&SentMail> {
        self.0.of_mail(id)
    }

    /// What is to be stored for these new mails, and what is forgotten for it.
    pub(crate) fn changes(
        &self,
        new: &BTreeMap<String, SentMail>,
        now: Timestamp,
    ) -> Vec<MemoChange> {
        if new.is_empty() {
            return Vec::new();
        }
        MailMemos::changes(new, self.0.outdated(new.len(), now))
    }

    /// Whether what is kept under a name is of this kind.
    pub(crate) fn is_one(name: &str) -> bool {
        MailMemos::<SentMail>::is_one(name)
    }

    /// Takes in what was kept under a name, or forgets it.
    ///
    /// # Errors
    /// If no version of this program wrote it.
    pub(crate) fn absorb(
        &mut self,
        name: &str,
        json: Option<&[u8]>,
    ) -> Result<(), serde_json::Error> {
        self.0.absorb(name, json).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(hour: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + hour * 3_600).unwrap()
    }

    fn mail(id: &str, hour: i64, lines: &[&str]) -> SentMail {
        let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        SentMail::new("kaiser", SeatId(1), id, at(hour), &lines).unwrap()
    }

    #[test]
    fn a_line_is_known_whatever_a_program_makes_of_its_blanks() {
        let sent = mail(
            "<a>",
            0,
            &["Austria: Army Vienna -> Galicia.", "Vienna  Galicia"],
        );
        for line in [
            "Austria: Army Vienna -> Galicia.",
            "  austria: Army   Vienna -> Galicia.",
            "> Austria: Army Vienna -> Galicia.",
            "| Vienna | Galicia |",
            "Austria: Army Vienna \u{2192} Galicia.",
            "  ---  ",
        ] {
            assert!(sent.holds("<a>", line), "{line}");
        }
        assert!(!sent.holds("<a>", "Austria: Army Vienna -> Bohemia."));
        assert!(!sent.holds("<b>", "Austria: Army Vienna -> Galicia."));
    }
}
