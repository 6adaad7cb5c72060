//! What came against what was to come.

use std::collections::BTreeMap;

use super::post::Letter;
use super::script::{AsBefore, Claim, Expected, Part, Swap, What, bare};

/// All mails of a play so far, and of the play before, by reader.
#[derive(Default)]
pub(crate) struct Plays {
    now: BTreeMap<String, Vec<Letter>>,
    before: BTreeMap<String, Vec<Letter>>,
}

impl Plays {
    /// The play begins anew.
    pub(crate) fn once_more(&mut self) {
        self.before = std::mem::take(&mut self.now);
    }

    /// These were sent.
    pub(crate) fn add(&mut self, sent: &[Letter]) {
        for letter in sent {
            let so_far = self.now.entry(letter.to.clone()).or_default();
            so_far.push(letter.clone());
        }
    }

    fn last(&self, to: &str) -> Option<&Letter> {
        self.now
            .get(to)
            .and_then(|all| all.last())
            .or_else(|| self.before.get(to)?.last())
    }

    /// What is different for readers who must not notice anything: number, dates, subjects, bodies and pictures of all their mails.
    pub(crate) fn differences(&self, readers: &AsBefore) -> Vec<String> {
        let mut faults = Vec::new();
        for to in &readers.to {
            let of =
                |play: &BTreeMap<String, Vec<Letter>>| play.get(to).cloned().unwrap_or_default();
            let (before, now) = (of(&self.before), of(&self.now));
            if before.is_empty() && now.is_empty() {
                faults.push(format!("{to} got no mail in either play"));
            }
            if before.len() != now.len() {
                let subjects = |all: &[Letter]| {
                    let each: Vec<&str> = all.iter().map(|one| one.subject.as_str()).collect();
                    each.join("\n    | ")
                };
                faults.push(format!(
                    "{to} got {} mails instead of {}:\n    | {}\n  instead of\n    | {}",
                    now.len(),
                    before.len(),
                    subjects(&now),
                    subjects(&before)
                ));
            }
            for (old, new) in before.iter().zip(&now) {
                let mut found = differences_of(old, new, &readers.swaps);
                if date(old) != date(new) {
                    found.push(format!(
                        "its date is {} instead of {}",
                        date(new),
                        date(old)
                    ));
                }
                if !found.is_empty() {
                    faults.push(format!(
                        "the mail to {to} ({}) is not as before:\n    {}",
                        new.subject,
                        found.join("\n    ")
                    ));
                    break;
                }
            }
        }
        faults
    }
}

fn date(letter: &Letter) -> &str {
    letter
        .header
        .lines()
        .find_map(|line| line.strip_prefix("Date: "))
        .unwrap_or_default()
}

/// How a mail differs from another in which somebody's own words were others.
fn differences_of(old: &Letter, new: &Letter, swaps: &[Swap]) -> Vec<String> {
    let swapped = |text: &str| {
        swaps.iter().fold(text.to_owned(), |text, swap| {
            text.replace(&swap.old, &swap.new)
        })
    };
    let mut found = Vec::new();
    let (subject, body) = (swapped(&old.subject), swapped(&old.body));
    if subject != new.subject {
        found.push(format!(
            "its subject is \"{}\" instead of \"{subject}\"",
            new.subject
        ));
    }
    if swaps.is_empty() && old.picture != new.picture {
        found.push("its picture is another".to_owned());
    }
    // Other words may break the lines elsewhere.
    if swaps.is_empty() || unwrapped(&body) != unwrapped(&new.body) {
        found.extend(first_difference(&body, &new.body));
    }
    found
}

/// Faults, and the step's mails as they should be written down: what held as it stood, the rest as it came.
pub(crate) fn compare(
    expected: &[Expected],
    sent: &[Letter],
    nobody_else: bool,
    plays: &Plays,
) -> (Vec<String>, Vec<Part>) {
    let mut faults = Vec::new();
    let mut parts = Vec::new();
    let mut next = 0;
    for one in expected {
        for to in &one.to {
            let rest = sent.get(next..).unwrap_or_default();
            let fits = |letter: &Letter| {
                letter.to == *to && differences(&one.what, letter, plays).is_empty()
            };
            // A mail that does not fit is better reported as such than as one missing and one too many.
            let found = rest
                .iter()
                .position(fits)
                .or_else(|| rest.iter().position(|letter| letter.to == *to));
            let Some(found) = found else {
                faults.push(format!("no mail to {to}{}", wanted(&one.what)));
                continue;
            };
            for letter in rest.iter().take(found).filter(|_| nobody_else) {
                extra(letter, &mut faults, &mut parts);
            }
            let letter = &rest[found];
            let different = differences(&one.what, letter, plays);
            if different.is_empty() {
                parts.push(Part {
                    to: to.clone(),
                    what: one.what.clone(),
                });
            } else {
                faults.push(format!(
                    "the mail to {to} is another:\n    {}",
                    different.join("\n    ")
                ));
                parts.push(whole(letter));
            }
            next += found + 1;
        }
    }
    for letter in sent
        .get(next..)
        .unwrap_or_default()
        .iter()
        .filter(|_| nobody_else)
    {
        extra(letter, &mut faults, &mut parts);
    }
    (faults, parts)
}

fn extra(letter: &Letter, faults: &mut Vec<String>, parts: &mut Vec<Part>) {
    let body: Vec<&str> = letter.body.lines().take(6).collect();
    faults.push(format!(
        "a mail to {} that nobody expects: {}\n    | {}",
        letter.to,
        letter.subject,
        body.join("\n    | ")
    ));
    parts.push(whole(letter));
}

/// A mail written down whole.
pub(crate) fn whole(letter: &Letter) -> Part {
    let what = What::Whole {
        subject: letter.subject.clone(),
        body: letter.body.clone(),
    };
    Part {
        to: letter.to.clone(),
        what,
    }
}

fn wanted(what: &What) -> String {
    match what {
        What::Whole { subject, .. } => format!(": {subject}"),
        What::InPart(claims) => claims
            .iter()
            .find_map(|claim| {
                if let Claim::Subject(subject) = claim {
                    Some(format!(": {subject}"))
                } else {
                    None
                }
            })
            .unwrap_or_default(),
        What::Same { of, .. } => format!(": the same as {}", of.as_deref().unwrap_or("before")),
    }
}

fn differences(what: &What, letter: &Letter, plays: &Plays) -> Vec<String> {
    match what {
        What::Whole { subject, body } => {
            let mut found = Vec::new();
            if *subject != letter.subject {
                found.push(format!(
                    "its subject is \"{}\" instead of \"{subject}\"",
                    letter.subject
                ));
            }
            found.extend(first_difference(bare(body), &letter.body));
            found
        }
        What::InPart(claims) => {
            let mut found: Vec<String> = claims
                .iter()
                .filter_map(|claim| refuted(claim, letter))
                .collect();
            if !found.is_empty() {
                found.push(format!(
                    "it is: {}\n    | {}",
                    letter.subject,
                    letter.body.replace('\n', "\n    | ")
                ));
            }
            found
        }
        What::Same { of, swaps } => {
            let whose = of.as_deref().unwrap_or(&letter.to);
            match plays.last(whose) {
                Some(old) => differences_of(old, letter, swaps),
                None => vec![format!("{whose} has got no mail so far")],
            }
        }
    }
}

fn refuted(claim: &Claim, letter: &Letter) -> Option<String> {
    match claim {
        Claim::Subject(subject) => (letter.subject != *subject).then(|| {
            format!(
                "its subject is \"{}\" instead of \"{subject}\"",
                letter.subject
            )
        }),
        Claim::Contains(text) => {
            let there = letter.body.contains(text) || unwrapped(&letter.body).contains(text);
            (!there).then(|| format!("it does not contain \"{text}\""))
        }
        Claim::Lacks(text) => (letter.body.contains(text) || letter.subject.contains(text))
            .then(|| format!("it contains \"{text}\"")),
        Claim::Next(line) => {
            let fits = |other: &str| match line.strip_suffix('*') {
                Some(beginning) => other.trim_start().starts_with(beginning),
                None => other.trim_start() == line,
            };
            let there = letter.next.lines().any(fits);
            (!there).then(|| format!("its end has no line \"{line}\":\n{}", letter.next))
        }
        Claim::Nowhere(text) => {
            let there = letter.whole.contains(text)
                || letter.body.contains(text)
                || letter.subject.contains(text);
            there.then(|| format!("it holds \"{text}\" somewhere:\n{}", letter.header))
        }
        Claim::Field(field) => {
            let fits = |line: &str| match field.strip_suffix('*') {
                Some(beginning) => line.starts_with(beginning),
                None => line == field,
            };
            let there = letter.header.lines().any(fits);
            (!there).then(|| format!("it has no field \"{field}\":\n{}", letter.header))
        }
        Claim::Parts(parts) => {
            let found = letter.parts.join(" ");
            (found != *parts).then(|| format!("its parts are \"{found}\""))
        }
        Claim::Picture(alt) => (letter.alt != *alt)
            .then(|| format!("its picture is \"{}\", not \"{alt}\"", letter.alt)),
        Claim::Calendar(line) => {
            let fits = |found: &String| match line.strip_suffix('*') {
                Some(beginning) => found.starts_with(beginning),
                None => found == line,
            };
            let there = letter.calendar.iter().any(fits);
            let entry = letter.calendar.join("\n");
            (!there).then(|| format!("its entry for a calendar has no line \"{line}\":\n{entry}"))
        }
        Claim::Line(line) => (!letter.body.lines().any(|other| other == line))
            .then(|| format!("it has no line \"{line}\"")),
    }
}

/// A body without its line breaks, which fall where they must.
fn unwrapped(body: &str) -> String {
    body.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn first_difference(expected: &str, came: &str) -> Option<String> {
    if expected == came {
        return None;
    }
    let mut old = expected.lines();
    let mut new = came.lines();
    for number in 1.. {
        match (old.next(), new.next()) {
            (None, None) => break,
            (old, new) if old == new => {}
            (old, new) => {
                let show = |line: Option<&str>| {
                    line.map_or("its end".to_owned(), |line| format!("\"{line}\""))
                };
                return Some(format!(
                    "line {number}: expected {}\n    {:>13} {}",
                    show(old),
                    "came",
                    show(new)
                ));
            }
        }
    }
    Some("its line ends differ".to_owned())
}
