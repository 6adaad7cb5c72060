//! The last check before the sender (`visibility.md` 10.2, rules 4 and 12): a mail goes to the reader it was written for, and
//! what the judge itself says in it names nobody whom that reader may not know. While projections do their duty nothing
//! is ever caught; what is caught stays here, and the keeper is told.
//!
//! What may be known can change within one unit of work: a list is shown, then the game hides its leaders. So answers and lines
//! of notices are looked at when they are said (`may_say_…`), and a mail holds them as parts that have passed. What stands
//! around these parts is looked at when it is posted: all words of the document, those that only HTML shows among them. Since
//! plain text and HTML are made of the document and of nothing else, no other word leaves.

use std::collections::BTreeSet;

use crate::game::{PersonId, project};
use crate::judge::boundary::Readership;
use crate::judge::work::sending::OrLogged;
use crate::judge::work::{GameWork, Recipient};
use crate::mails::outbound::{self, Text};
use crate::view::Viewer;

/// Why a mail is not posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Caught {
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

/// Somebody who is going to read something.
struct Reading {
    as_whom: project::Reader,
    /// Who he is, where the judge knows him.
    person: Option<PersonId>,
    /// The mail in hand is his own: what he wrote may be repeated to him.
    his_mail: bool,
    /// He reads it once the game is over, when nobody's existence is hidden any more.
    at_the_end: bool,
}

impl Reading {
    /// One of those in the game in hand.
    fn in_game(work: &GameWork, to: Recipient) -> Reading {
        Reading {
            as_whom: work.reader(to),
            person: work.game().seat(to.seat).map(|seat| seat.person),
            his_mail: work.open.actor == Some(to.seat)
                && work.lives_at(to.seat, &work.answered.from),
            at_the_end: false,
        }
    }

    /// Somebody at an address outside the game in hand.
    fn outside(work: &GameWork, address: &str) -> Reading {
        Reading {
            as_whom: project::Reader::stranger(work.game()),
            person: work.registry.by_address(address).map(|person| person.id),
            his_mail: address == work.answered.from,
            at_the_end: false,
        }
    }

    /// Whoever reads as this viewer.
    fn anybody(as_whom: project::Reader) -> Reading {
        Reading {
            as_whom,
            person: None,
            his_mail: false,
            at_the_end: false,
        }
    }
}

/// Looks at a text about the game in hand before it goes to one of those in it.
pub(crate) fn try_in_game(work: &GameWork, to: Recipient, text: &Text) -> Result<(), Caught> {
    look(work, &Reading::in_game(work, to), text)
}

/// Looks at a text that goes to an address outside the game in hand.
pub(crate) fn try_outside(work: &GameWork, address: &str, text: &Text) -> Result<(), Caught> {
    look(work, &Reading::outside(work, address), text)
}

/// Whether something may be said to one of those in the game in hand, as that now stands.
pub(crate) fn may_say_in_game(work: &GameWork, to: Recipient, words: &str) -> bool {
    !tells(work, &Reading::in_game(work, to), &[words])
}

/// Whether something may be said to an address outside the game in hand, as that now stands.
pub(crate) fn may_say_outside(work: &GameWork, address: &str, words: &str) -> bool {
    !tells(work, &Reading::outside(work, address), &[words])
}

fn look(work: &GameWork, reading: &Reading, text: &Text) -> Result<(), Caught> {
    if !text.may_go_to(reading.as_whom.viewer) {
        return Err(Caught::Astray);
    }
    look_whoever_reads(work, reading, text)
}

fn look_whoever_reads(work: &GameWork, reading: &Reading, text: &Text) -> Result<(), Caught> {
    let around = text.document.around_passed();
    let parts: Vec<&str> = around
        .iter()
        .map(String::as_str)
        .chain([text.subject.as_str()])
        .collect();
    match tells(work, reading, &parts) {
        true => Err(Caught::Telling),
        false => Ok(()),
    }
}

/// Whether one of these texts holds what this reader must not learn.
fn tells(work: &GameWork, reading: &Reading, texts: &[&str]) -> bool {
    let secrets = secrets(work, reading);
    if secrets.is_empty() {
        return false;
    }
    let own = reading.his_mail.then(|| unwrapped(&work.answered.words));
    let texts: Vec<String> = texts.iter().map(|text| unwrapped(text)).collect();
    secrets.iter().any(|secret| {
        // What the reader himself has just written may be repeated to him.
        let written = own.as_ref().is_some_and(|words| holds(words, secret));
        !written && texts.iter().any(|text| holds(text, secret))
    })
}

/// A text in small letters and as one line: where a mail breaks its lines parts no name in two.
fn unwrapped(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

/// What this reader must not read: every address of those whose leaders are hidden from him, and the names that the
/// variant keeps from him. His own are none, nor are those of people whom he knows from another seat.
fn secrets(work: &GameWork, reading: &Reading) -> BTreeSet<String> {
    let (game, reader, variant) = (work.game(), &reading.as_whom, work.variant());
    let contact =
        |seat: &&crate::game::Seat| project::is_contact(game, variant, reader.viewer, seat);
    let hidden = |seat: &&crate::game::Seat| {
        project::hides_leader(game, variant, reader, seat) || contact(seat)
    };
    let known: BTreeSet<PersonId> = game
        .seats
        .iter()
        .filter(|seat| !hidden(seat))
        .map(|seat| seat.person)
        .chain(reading.person)
        .collect();
    // Of a contact's leader one address is shown, and no other that he has.
    let shown: BTreeSet<String> = game
        .seats
        .iter()
        .filter(contact)
        .map(|seat| unwrapped(&seat.address))
        .collect();
    let addresses = |seat: &crate::game::Seat| {
        let registered = work.registry.person(seat.person);
        let all = registered.map(|person| person.addresses.clone());
        all.unwrap_or_default()
            .into_iter()
            .chain([seat.address.clone()])
    };
    // What the master wrote about the game he told everybody.
    let told = [&game.settings.comment, &game.settings.information]
        .into_iter()
        .flatten()
        .map(|text| unwrapped(text))
        .collect::<Vec<_>>()
        .join("\n");
    game.seats
        .iter()
        .filter(hidden)
        .filter(|seat| !known.contains(&seat.person))
        .flat_map(addresses)
        .chain(hidden_names(work, reading))
        .map(|secret| unwrapped(&secret))
        .filter(|secret| !secret.is_empty() && !shown.contains(secret) && !holds(&told, secret))
        .collect()
}

/// The names that this reader must not find. Names of powers are their players' choice, and what is held back tells that
/// somebody is called so: what stands in mails by another's choice, or in the reader's own labels, is never taken for one.
fn hidden_names(work: &GameWork, reading: &Reading) -> Vec<String> {
    let (game, variant, viewer) = (work.game(), work.variant(), reading.as_whom.viewer);
    let mut names = match reading.at_the_end {
        true => Vec::new(),
        false => project::hidden_names(game, variant, viewer),
    };
    if names.is_empty() {
        return names;
    }
    let labels = project::labels(game, variant, viewer);
    let mut chosen: Vec<&str> = vec![&game.name, &work.judge.settings.name];
    chosen.extend(labels.known().map(|power| labels.name(power)));
    let people = game.seats.iter().map(|seat| seat.person);
    let people: Vec<_> = people
        .filter_map(|person| work.registry.person(person))
        .collect();
    chosen.extend(people.iter().map(|person| person.name.as_str()));
    chosen.extend(people.iter().filter_map(|person| person.country.as_deref()));
    // So is what he stored himself for a later phase, in words that were never read.
    if let Viewer::Power(power) = viewer {
        let stored = game.standing(power).ahead.iter();
        chosen.extend(stored.map(|ahead| ahead.line.as_str()));
        let came = work.open.came_into_force.iter();
        let own = came.filter(|(owner, _)| *owner == power);
        chosen.extend(own.map(|(_, line)| line.as_str()));
    }
    let chosen = unwrapped(&chosen.join("\n"));
    names.retain(|name| !holds(&chosen, &unwrapped(name)));
    names
}

/// Whether a text holds a word or address as a whole. Both unwrapped.
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

/// Notes that a mail about the game in hand stays here, and tells the keeper once: which game and phase, and no word of the
/// mail.
pub(crate) fn stop(work: &mut GameWork, caught: Caught, kind: &str) {
    let heading = work.heading(Recipient::ANY_OBSERVER);
    let place = format!("{} {}", heading.game, heading.phase);
    let place = place.trim_end();
    work.ruling.notes.push(format!(
        "{kind} of {place} {}; it was not sent",
        caught.words()
    ));
    if std::mem::replace(&mut work.keeper_told, true) {
        return;
    }
    let lines = vec![
        format!(
            "A mail of the judge ({kind} of {place}) {}. It was not sent, and neither is any like it.",
            caught.words()
        ),
        "This is a fault of the program, or of a mail template that was edited. The log names every mail that was held back."
            .to_owned(),
    ];
    let settings = work.judge.settings();
    let (judge, keeper) = (settings.name.clone(), settings.keeper.clone());
    let subject = "A mail was held back";
    if let Some(text) =
        outbound::keeper_notice(&work.judge.templates, &judge, subject, lines).or_logged()
    {
        work.send_to_keeper(&keeper, text);
    }
}

/// Whether a text may be kept for those readers. What is kept whole is a master's while the game runs, but read by all
/// once it is over: so no watcher may be told too much by it.
pub(crate) fn try_archived(
    work: &GameWork,
    readers: Readership,
    text: &Text,
) -> Result<(), Caught> {
    match readers {
        Readership::Everyone => look(work, &Reading::anybody(work.observer()), text),
        Readership::Whole => {
            let reading = Reading {
                at_the_end: true,
                ..Reading::anybody(work.observer())
            };
            look_whoever_reads(work, &reading, text)
        }
        // Who leads the power now is nobody that a later leader may know of where leaders are hidden.
        Readership::Power(power) => {
            let later = work.reader(Recipient::later_leader(power));
            look(work, &Reading::anybody(later), text)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_break_hides_a_name() {
        assert!(holds(&unwrapped("the fleet of Babel\n   II."), "babel ii"));
    }

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
