//! The last net before the post (`visibility.md` 10.2, rules 4 and 12): a mail goes to the reader it was written for, and
//! what the judge itself says in it names nobody whom that reader may not know. While projections do their duty nothing
//! is ever caught; what is caught stays here, and the keeper is told.

use std::collections::BTreeSet;

use super::errand::{Errand, Recipient};
use super::seam::Readership;
use crate::game::{PersonId, project};
use crate::mails::outbound::{self, Text};
use crate::view::Viewer;

/// Why a mail is not posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Caught {
    /// It was written for another reader.
    Astray,
    /// It names somebody whom its reader may not know.
    Telling,
}

impl Caught {
    /// What the keeper is told of it; nothing of the mail's contents.
    fn words(self) -> &'static str {
        match self {
            Caught::Astray => "was written for another reader than it was to go to",
            Caught::Telling => "held an address or a name that its reader must not learn",
        }
    }
}

/// Looks at a text about the game in hand before it goes to one of those in it.
pub(super) fn try_in_game(errand: &Errand, to: Recipient, text: &Text) -> Result<(), Caught> {
    let Some(reader) = errand.reader(to) else {
        return Ok(());
    };
    let seat = errand.game().and_then(|game| game.seat(to.seat));
    let answer = errand.actor == Some(to.seat);
    look(
        errand,
        &reader,
        seat.map(|seat| seat.person),
        text,
        answer.then_some(&errand.answered.words),
    )
}

/// Looks at a text that goes to an address outside the game in hand.
pub(super) fn try_outside(
    errand: &Errand,
    address: &str,
    text: &Text,
    answer: bool,
) -> Result<(), Caught> {
    let Some(game) = errand.game() else {
        return Ok(());
    };
    let person = errand.registry.by_address(address).map(|person| person.id);
    look(
        errand,
        &project::Reader::stranger(game),
        person,
        text,
        answer.then_some(&errand.answered.words),
    )
}

fn look(
    errand: &Errand,
    reader: &project::Reader,
    person: Option<PersonId>,
    text: &Text,
    own_words: Option<&String>,
) -> Result<(), Caught> {
    if !text.may_go_to(reader.viewer) {
        return Err(Caught::Astray);
    }
    tells(errand, reader, person, text, own_words)
}

/// Whether the judge's own part of a text holds what this reader must not learn.
fn tells(
    errand: &Errand,
    reader: &project::Reader,
    person: Option<PersonId>,
    text: &Text,
    own_words: Option<&String>,
) -> Result<(), Caught> {
    let secrets = secrets(errand, reader, person);
    if secrets.is_empty() {
        return Ok(());
    }
    let mut ours = format!("{}\n{}", text.subject, text.body).to_lowercase();
    for passage in &errand.not_ours {
        ours = ours.replace(&passage.to_lowercase(), "");
    }
    // What the reader himself has just written may be repeated to him.
    let telling = secrets
        .iter()
        .any(|secret| holds(&ours, secret) && !own_words.is_some_and(|words| holds(words, secret)));
    if telling {
        Err(Caught::Telling)
    } else {
        Ok(())
    }
}

/// What this reader must not read: every address of those whose leaders are hidden from him, and the names that the
/// variant keeps from him. His own are none, nor are those of people whom he knows from another seat.
fn secrets(
    errand: &Errand,
    reader: &project::Reader,
    person: Option<PersonId>,
) -> BTreeSet<String> {
    let Some(course) = &errand.course else {
        return BTreeSet::new();
    };
    let game = &course.game;
    let hidden = |seat: &&crate::game::Seat| project::hides_leader(game, reader, seat);
    let known: BTreeSet<PersonId> = game
        .seats
        .iter()
        .filter(|seat| !hidden(seat))
        .map(|seat| seat.person)
        .chain(person)
        .collect();
    let addresses = |seat: &crate::game::Seat| {
        let registered = errand.registry.person(seat.person);
        let all = registered.map(|person| person.addresses.clone());
        all.unwrap_or_default()
            .into_iter()
            .chain([seat.address.clone()])
    };
    // What the master wrote about the game he told everybody.
    let told = [&game.settings.comment, &game.settings.information]
        .into_iter()
        .flatten()
        .map(|text| text.to_lowercase())
        .collect::<Vec<_>>()
        .join("\n");
    game.seats
        .iter()
        .filter(hidden)
        .filter(|seat| !known.contains(&seat.person))
        .flat_map(addresses)
        .chain(course.variant.unspeakable(game, reader.viewer))
        .map(|secret| secret.to_lowercase())
        .filter(|secret| !secret.is_empty() && !holds(&told, secret))
        .collect()
}

/// Whether a text holds a word or address as a whole. Both in small letters.
fn holds(text: &str, secret: &str) -> bool {
    let of_a_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '+' | '%');
    text.match_indices(secret).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at + secret.len()..).unwrap_or_default();
        let mut next = after.chars();
        let joined_before = before
            .chars()
            .next_back()
            .is_some_and(|c| of_a_word(c) || matches!(c, '.' | '-'));
        // A full stop ends a sentence, or a host's name goes on behind it.
        let joined_after = match next.next() {
            Some('.' | '-') => next.next().is_some_and(of_a_word),
            Some(c) => of_a_word(c),
            None => false,
        };
        !joined_before && !joined_after
    })
}

/// Notes that a mail stays here, and tells the keeper once: which game and phase, and no word of the mail.
pub(super) fn stop(errand: &mut Errand, caught: Caught, kind: &str) {
    let place = match errand.heading(Recipient::ANY_OBSERVER) {
        Some(heading) => format!("{} {}", heading.game, heading.phase),
        None => "no game".to_owned(),
    };
    errand.ruling.notes.push(format!(
        "{kind} of {} {}; it was not sent",
        place.trim_end(),
        caught.words()
    ));
    if std::mem::replace(&mut errand.keeper_told, true) {
        return;
    }
    let lines = [
        format!(
            "A mail of the judge ({kind} of {}) {}. It was not sent, and neither is any like it.",
            place.trim_end(),
            caught.words()
        ),
        "This is a fault of the program, or of a mail template that was edited. The log names every mail that was held back."
            .to_owned(),
    ];
    let settings = errand.judge.settings();
    let (judge, keeper) = (settings.name.clone(), settings.keeper.clone());
    let subject = "A mail was held back";
    if let Ok(text) = outbound::keeper_notice(&errand.judge.templates, &judge, subject, &lines) {
        errand.send_to_keeper(&keeper, text);
    }
}

/// Whether a text may be kept for those readers. What is kept whole is a master's while the game runs, but read by all
/// once it is over: so no watcher may be told too much by it.
pub(super) fn try_archived(
    errand: &Errand,
    readers: Readership,
    text: &Text,
) -> Result<(), Caught> {
    let Some(watcher) = errand.reader(Recipient::ANY_OBSERVER) else {
        return Ok(());
    };
    match readers {
        Readership::Everyone => look(errand, &watcher, None, text, None),
        Readership::Whole => tells(errand, &watcher, None, text, None),
        Readership::Power(power) => {
            let leader = project::Reader {
                viewer: Viewer::Power(power),
                ..watcher
            };
            look(errand, &leader, None, text, None)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_found_as_a_whole_only() {
        for (text, found) in [
            ("from anna@ex.org as austria", true),
            ("from [anna@ex.org as] austria", true),
            ("<anna@ex.org>", true),
            ("it is anna@ex.org.", true),
            ("anna@ex.org", true),
            ("anna@ex.org,ben@ex.org", true),
            ("joanna@ex.org", false),
            ("jo.anna@ex.org", false),
            ("judge+anna@ex.org", false),
            ("anna@ex.org.uk", false),
            ("anna@ex.organic", false),
            ("anna@ex.org-x.net", false),
            ("joanna@ex.org and anna@ex.org", true),
            ("", false),
        ] {
            assert_eq!(holds(text, "anna@ex.org"), found, "{text}");
        }
        assert!(holds("the fleet of babel ii.", "babel ii"));
        assert!(!holds("the fleet of babel iii.", "babel ii"));
    }
}
