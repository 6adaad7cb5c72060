//! What no mail of the judge may be, whatever a transcript says about it.

use std::collections::{BTreeMap, BTreeSet};

use super::post::Letter;
use super::stage::{JUDGE, KEEPER};

/// Header fields that every mail has.
const FIELDS: [&str; 6] = [
    "Auto-Submitted: auto-",
    "Precedence: bulk",
    "X-Auto-Response-Suppress: All",
    "X-Loop: ",
    "Message-ID: <",
    "Date: ",
];

/// Addresses of people in a header. Ids are none: which of them a mail may name is looked at elsewhere; and a subject may
/// name somebody in an open game.
fn addresses(header: &str) -> Vec<String> {
    let unfolded = header.replace("\r\n ", " ").replace("\r\n\t", " ");
    let others = ["Message-ID:", "In-Reply-To:", "References:", "Subject:"];
    unfolded
        .lines()
        .filter(|line| !others.iter().any(|field| line.starts_with(field)))
        .flat_map(|line| line.split(|c: char| c.is_whitespace() || "<>,;\"()".contains(c)))
        // "mailto:judge@usxx.example.org?subject=HELP"
        .map(|word| word.split('?').next().unwrap_or(word))
        .filter(|word| word.contains('@') && !word.ends_with("usxx.example.org"))
        .map(str::to_owned)
        .collect()
}

/// What is wrong with the series of entries for a reader's calendar: there is one entry for a game, and each mail moves it.
pub(crate) fn broken_series(sent: &[Letter]) -> Vec<String> {
    let mut series: BTreeMap<(&str, &str), (&str, u32)> = BTreeMap::new();
    let mut faults = Vec::new();
    for letter in sent {
        let value = |name: &str| {
            let mut lines = letter.calendar.iter();
            lines
                .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))
                .unwrap_or_default()
        };
        let game = value("SUMMARY").split(' ').next().unwrap_or_default();
        let (id, next) = series
            .entry((&letter.to, game))
            .or_insert((value("UID"), 0));
        if *id != value("UID") || value("SEQUENCE") != next.to_string() {
            let (to, subject) = (&letter.to, &letter.subject);
            faults.push(format!(
                "the mail to {to} ({subject}) has not entry {id} for the time {next}, but {} for {}",
                value("UID"),
                value("SEQUENCE")
            ));
        }
        *next += 1;
    }
    let ids: BTreeSet<&str> = series.values().map(|(id, _)| *id).collect();
    if ids.len() != series.len() {
        faults.push("two readers, or two games, have the same entry for a calendar".to_owned());
    }
    faults
}

pub(crate) fn faults(sent: &[Letter], passwords: &BTreeSet<String>) -> Vec<String> {
    let mut faults = Vec::new();
    for letter in sent {
        let mut fault = |what: String| {
            faults.push(format!(
                "the mail to {} ({}) {what}",
                letter.to, letter.subject
            ))
        };
        for field in FIELDS
            .iter()
            .filter(|field| !letter.header.lines().any(|line| line.starts_with(**field)))
        {
            fault(format!("has no field \"{field}\""));
        }
        if !letter.header.contains(JUDGE) {
            fault("does not say that it comes from the judge".to_owned());
        }
        let strange = addresses(&letter.header)
            .into_iter()
            .filter(|address| *address != letter.to);
        for address in strange {
            fault(format!("names {address} in its header"));
        }
        let keepers = letter.to == KEEPER;
        if !keepers && !letter.body.starts_with(":: Judge: USXX") {
            fault("does not begin with the judge's header".to_owned());
        }
        for word in letter
            .body
            .split(|c: char| !c.is_alphanumeric())
            .chain(letter.subject.split(' '))
        {
            // The line that a joiner is to send back is his own, and useless without his word.
            let own = letter.body.contains("send this line");
            if passwords.contains(&word.to_lowercase()) && !own {
                fault(format!("holds the password {word}"));
            }
        }
        if let Some(line) = letter
            .body
            .lines()
            .find(|line| line.contains("{{") || line.contains("{%"))
        {
            fault(format!("shows its template: {line}"));
        }
    }
    faults
}
