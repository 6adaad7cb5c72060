//! The last check before a mail is sent (`visibility.md` 10.2, rules 4 and 12): the mail goes to the reader for whom it
//! was written, and the judge's own words in it show no address that this reader may not know. As long as projections
//! are correct, the check finds nothing. If it finds something, a constant sentence replaces that part, the rest of the
//! mail is sent, and the keeper is told which part it was and why. No mail is held back, since a missing mail would
//! show that there was something to find.
//!
//! The check does not search for names of powers. A name can be any word, so a search would find it in unrelated text,
//! and a hit would show that somebody has that name. Names enter a mail only by the number of their power
//! (`GameView::labels`), and a reader without a label for a power reads a word that is the same for all. Addresses in
//! what people typed about themselves or their game are allowed; so are those that the reader wrote himself.
//!
//! What a reader may know can change within one unit of work: a list is shown, then the game hides its leaders. So
//! answers and lines of notices are checked when they are added (`may_say_…`), and a mail holds them in `Checked`
//! blocks. The text outside these blocks is checked when the mail is sent: all words of the document, including those
//! that only the HTML form shows. Since plain text and HTML are made from the document alone, no other word is sent.

use std::collections::BTreeSet;

use crate::boundary::Readership;
use crate::work::or_logged::OrLogged;
use crate::work::{GameWork, Recipient};
use dipjudge_game::{PersonId, VariantGame, project};
use dipjudge_mails::outbound::{self, Block, Document, Text};
use dipjudge_rules::folding::fold;

/// The text that replaces a part taken out of a mail.
pub(crate) const TAKEN_OUT: &str =
    "The judge took this part out by mistake or by caution; its keeper has been told.";

/// Why a part of a mail was taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeakFound {
    /// All of it: the mail was written for another reader.
    Astray,
    /// This part: it shows the address of a person whom the reader may not know.
    Telling(&'static str),
}

impl LeakFound {
    /// The words for the keeper, without anything of the mail's contents.
    fn words(self) -> String {
        match self {
            LeakFound::Astray => {
                "was written for another reader than it was to go to; all of it was taken out"
                    .to_owned()
            }
            LeakFound::Telling(part) => {
                format!("held an address that its reader must not learn; {part} was taken out")
            }
        }
    }
}

/// A text as it may be sent to its reader, and what was taken out of it.
pub(crate) struct CheckedText {
    pub(crate) text: Text,
    pub(crate) caught: Option<LeakFound>,
}

/// The reader of a text.
struct Reading {
    as_whom: project::Reader,
    /// The person, if the judge knows one.
    person: Option<PersonId>,
    /// Whether the reader sent the mail being answered: then his own words may be repeated.
    answers_reader: bool,
}

impl Reading {
    /// One of the people in the game in hand. A mail that nothing proves to be his is answered at his address too, and repeats
    /// the words that were written from there: whether they are taken out would show whose address stands in them.
    fn in_game(work: &GameWork, to: Recipient) -> Reading {
        let actor = work.open.actor;
        Reading {
            as_whom: work.reader(to),
            person: work.game().seat(to.seat).map(|seat| seat.person),
            answers_reader: actor.is_none_or(|actor| actor == to.seat)
                && work.lives_at(to.seat, &work.answered.from),
        }
    }

    /// A reader at an address outside the game in hand.
    fn outside(work: &GameWork, address: &str) -> Reading {
        Reading {
            as_whom: project::Reader::stranger(work.game()),
            person: work.registry.by_address(address).map(|person| person.id),
            answers_reader: address == work.answered.from,
        }
    }

    /// Any person who reads as this viewer.
    fn anybody(as_whom: project::Reader) -> Reading {
        Reading {
            as_whom,
            person: None,
            answers_reader: false,
        }
    }
}

/// Checks a text about the game in hand before it is sent to one of the people in it.
pub(crate) fn look_in_game(work: &GameWork, to: Recipient, text: Text) -> CheckedText {
    look(work, &Reading::in_game(work, to), text)
}

/// Checks a text that is sent to an address outside the game in hand.
pub(crate) fn look_outside(work: &GameWork, address: &str, text: Text) -> CheckedText {
    look(work, &Reading::outside(work, address), text)
}

/// Whether one of the people in the game in hand may be told something, in its present state.
pub(crate) fn may_say_in_game(work: &GameWork, to: Recipient, words: &str) -> bool {
    !tells(&secrets(work, &Reading::in_game(work, to)), words)
}

/// Whether the answer to a mail may contain these words, to one of the people in the game in hand. If the mail came
/// from another address than his, its writer may be somebody else, so no address in it is repeated, whether it belongs
/// to anybody or not.
pub(crate) fn may_answer_in_game(work: &GameWork, to: Recipient, words: &str) -> bool {
    let reading = Reading::in_game(work, to);
    let mut withheld = secrets(work, &reading);
    if !reading.answers_reader && work.variant_game().hides_leaders() {
        let own = work.game().seat(to.seat).map(|seat| folded(&seat.address));
        let judge = folded(&work.judge.settings.address);
        let written = addresses_in(&work.answered.words);
        let strange = |address: &String| Some(address) != own.as_ref() && *address != judge;
        withheld.extend(written.filter(strange));
    }
    !tells(&withheld, words)
}

/// Whether a reader at an address outside the game in hand may be told something, in its present state.
pub(crate) fn may_say_outside(work: &GameWork, address: &str, words: &str) -> bool {
    !tells(&secrets(work, &Reading::outside(work, address)), words)
}

/// Checks a text that is archived for readers who may not read addresses: it may show no person's address.
pub(crate) fn look_at_names(work: &GameWork, text: Text) -> CheckedText {
    let anybody = Reading::anybody(work.observer().by_name());
    look_whoever_reads(work, &anybody, text)
}

fn look(work: &GameWork, reading: &Reading, text: Text) -> CheckedText {
    if text.may_go_to(reading.as_whom.viewer) {
        return look_whoever_reads(work, reading, text);
    }
    let heading = format!("{}: {TAKEN_OUT}", work.judge.settings.name);
    CheckedText {
        text: Text::new(heading, TAKEN_OUT),
        caught: Some(LeakFound::Astray),
    }
}

fn look_whoever_reads(work: &GameWork, reading: &Reading, mut text: Text) -> CheckedText {
    let secrets = secrets(work, reading);
    let mut caught = None;
    if secrets.is_empty() {
        return CheckedText { text, caught };
    }
    let is_secret = |words: &str| tells(&secrets, words);
    if let Some(part) = text.document.replace_secrets(&is_secret, TAKEN_OUT) {
        caught = Some(LeakFound::Telling(part));
    }
    // Several parts together may show what none of them shows alone.
    if text
        .document
        .unchecked_words()
        .iter()
        .any(|words| is_secret(words))
    {
        text.document = Document(vec![Block::from(TAKEN_OUT)]);
        caught = Some(LeakFound::Telling("its text"));
    }
    if is_secret(&text.subject) {
        text.subject = format!("{}: {TAKEN_OUT}", work.judge.settings.name);
        caught = caught.or(Some(LeakFound::Telling("its subject")));
    }
    CheckedText { text, caught }
}

/// Whether a text contains one of these addresses.
fn tells(secrets: &BTreeSet<String>, words: &str) -> bool {
    if secrets.is_empty() {
        return false;
    }
    let words = folded(words);
    secrets.iter().any(|secret| holds(&words, secret))
}

/// The addresses in a text, each folded.
fn addresses_in(text: &str) -> impl Iterator<Item = String> {
    let text = folded(text);
    let of_an_address =
        |c: char| c.is_alphanumeric() || matches!(c, '@' | '.' | '-' | '_' | '+' | '%');
    let words: Vec<String> = text
        .split(|c: char| !of_an_address(c))
        .map(|word| word.trim_matches(['.', '-']).to_owned())
        .filter(|word| word.contains('@'))
        .collect();
    words.into_iter()
}

/// A text folded for the comparison of addresses, in one line, so that line breaks do not split an address.
fn folded(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    fold(&words.join(" "))
}

/// The addresses that this reader must not read: those of all people whose leadership is hidden from him, or of
/// everybody if he reads names only. Excluded are the reader's own addresses, those of people whom he knows from
/// another seat, those in what people typed for others to read, and those in what the reader wrote.
fn secrets(work: &GameWork, reading: &Reading) -> BTreeSet<String> {
    let (game, reader, variant) = (work.game(), &reading.as_whom, work.variant());
    let contact = |seat: &&dipjudge_game::Seat| {
        VariantGame::new(game, variant)
            .seen_by(reader.viewer)
            .is_contact(seat)
    };
    let hidden = |seat: &&dipjudge_game::Seat| {
        reader.by_name
            || VariantGame::new(game, variant)
                .read_by(reader)
                .hides_leader(seat)
            || contact(seat)
    };
    let known: BTreeSet<PersonId> = game
        .seats
        .iter()
        .filter(|seat| !hidden(seat))
        .map(|seat| seat.person)
        .chain(reading.person)
        .collect();
    // Of a contact's leader one address is shown, but no other address of that person.
    let shown: BTreeSet<String> = game
        .seats
        .iter()
        .filter(contact)
        .map(|seat| folded(&seat.address))
        .collect();
    let addresses = |seat: &dipjudge_game::Seat| {
        let registered = work.registry.person(seat.person);
        let all = registered.map(|person| person.addresses.clone());
        all.unwrap_or_default()
            .into_iter()
            .chain([seat.address.clone()])
    };
    let named: BTreeSet<PersonId> = if reader.by_name {
        game.seats.iter().map(|seat| seat.person).collect()
    } else {
        known.clone()
    };
    let told = folded(&typed_for_others(work, &named));
    let own = reading.answers_reader.then(|| folded(&work.answered.words));
    let written = |secret: &str| own.as_ref().is_some_and(|words| holds(words, secret));
    game.seats
        .iter()
        .filter(hidden)
        .filter(|seat| !known.contains(&seat.person))
        .flat_map(addresses)
        .map(|secret| folded(&secret))
        .filter(|secret| !secret.is_empty() && !shown.contains(secret))
        .filter(|secret| !holds(&told, secret) && !written(secret))
        .collect()
}

/// What was typed for a reader of the game in hand, about the game and about the people whom he may know by name.
fn typed_for_others(work: &GameWork, named: &BTreeSet<PersonId>) -> String {
    let game = work.game();
    let mut typed: Vec<&str> = vec![&game.name, &work.judge.settings.name];
    typed.extend(game.settings.comment.as_deref());
    typed.extend(game.settings.information.as_deref());
    for person in named
        .iter()
        .filter_map(|person| work.registry.person(*person))
    {
        typed.push(&person.name);
        typed.extend(person.country.as_deref());
    }
    typed.join("\n")
}

/// Whether a text contains an address as a whole. Both are folded.
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
        // A full stop ends a sentence, unless the host's name continues after it.
        let joined_after = match next.next() {
            Some('.' | '-') => next.next().is_some_and(of_a_word),
            Some(c) => of_a_word(c),
            None => false,
        };
        !joined_before && !joined_after
    })
}

/// Records that something was taken out of a mail about the game in hand, and tells the keeper once: the kind of mail,
/// the game and the phase, and none of its words.
pub(crate) fn tell_keeper_of_leak(work: &mut GameWork, caught: LeakFound, kind: &str) {
    let heading = work.heading(Recipient::ANY_OBSERVER);
    let place = format!("{} {}", heading.game, heading.phase);
    let place = place.trim_end();
    let why = caught.words();
    work.ruling.notes.push(format!("{kind} of {place} {why}"));
    if std::mem::replace(&mut work.keeper_told, true) {
        return;
    }
    let lines = vec![
        format!("A mail of the judge ({kind} of {place}) {why}. The rest was sent."),
        "This is a fault of the program, or of a mail template that was edited. The log names every mail from which something was taken.".to_owned(),
    ];
    let settings = work.judge.settings();
    let (judge, keeper) = (settings.name.clone(), settings.keeper.clone());
    let subject = "A part of a mail was taken out";
    if let Some(text) =
        outbound::keeper_notice(&work.judge.templates, &judge, subject, lines).or_logged()
    {
        work.send_to_keeper(&keeper, text);
    }
}

/// Checks a text before it is archived for these readers. A text of the whole game is read by masters while it runs and
/// by everybody once it is over, so it may show nothing that any observer must not read.
pub(crate) fn look_at_archived(work: &GameWork, readers: Readership, text: Text) -> CheckedText {
    match readers {
        Readership::Everyone | Readership::AtTheEnd => {
            look(work, &Reading::anybody(work.observer()), text)
        }
        Readership::Whole => look_whoever_reads(work, &Reading::anybody(work.observer()), text),
        // In games that hide leaders, a later leader may not know the present one.
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
    fn an_address_is_found_in_every_disguise() {
        let secrets = BTreeSet::from(["anna@ex.org".to_owned()]);
        for words in [
            "ANNA@EX.ORG",
            "An\u{200b}na@ex.org",
            "a\u{ad}nna@ex\u{2060}.org",
            "\u{ff41}nna@ex.org",
            "it is\n  anna@ex.org.",
        ] {
            assert!(tells(&secrets, words), "{words}");
        }
        let found: Vec<String> = addresses_in("<Anna@ex.org>, an\u{34f}na@ex.org.").collect();
        assert_eq!(found, ["anna@ex.org", "anna@ex.org"]);
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
    }
}
