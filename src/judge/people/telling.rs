//! Finds words of a text that would tell who leads a power, in games that hide it: a mail address, or the writer's own
//! name, which occurs in quotations and in signatures that a mail program adds (`visibility.md` L33).
//!
//! Any address counts, whoever owns it: otherwise a writer could find out who plays by trying addresses. For the same
//! reason a name counts only if it is the writer's own: if others' names counted, a writer could find out that a person
//! of some name is in the game, and a player whose name is a common word would block the letters of all others.

use std::fmt;
use std::sync::OnceLock;

use regex::Regex;

use crate::work::GameWork;
use crate::work::acting::Acting;
use dipjudge_game::planted::{Leak, planted};
use dipjudge_game::{Role, Seat, VariantGame};
use dipjudge_rules::folding::{fold, is_invisible};

/// Words of a text that would tell who leads a power.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum IdentityHint {
    /// A mail address, as the text has it.
    Address(String),
    /// The writer's name, as registered or as the From header shows it.
    Name(String),
}

impl fmt::Display for IdentityHint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IdentityHint::Address(address) => write!(f, "the address {address}"),
            IdentityHint::Name(name) => write!(f, "the name {name}"),
        }
    }
}

/// The first such words in a text by this writer; `shown` is the name in the From header of his mail. The masters of a
/// game are known to all in it and may write anything; their addresses and the judge's are allowed.
pub(crate) fn telling(
    work: &GameWork,
    acting: Acting,
    shown: Option<&str>,
    text: &str,
) -> Option<IdentityHint> {
    let (game, variant) = (work.game(), work.variant());
    let open =
        VariantGame::new(game, variant).shows_addresses() || game.over() && game.settings.reveal;
    if open || !VariantGame::new(game, variant).hides_leaders() {
        return None;
    }
    let seat = game.seat(acting.seat)?;
    if seat.role == Role::Master {
        return None;
    }
    let masters = game.seated(Role::Master).map(|seat| seat.address.as_str());
    let harmless: Vec<&str> = masters
        .chain([work.judge.settings.address.as_str()])
        .collect();
    let plays = |other: &Seat| other.role == Role::Player && !other.left;
    let looked_for =
        |other: &&Seat| other.id == seat.id || plays(other) && planted(Leak::NameInPress);
    let names = game
        .seats
        .iter()
        .filter(looked_for)
        .filter_map(|seat| work.registry.person(seat.person))
        .map(|person| person.name.as_str())
        .chain(shown);
    let powers = work.labels(acting.recipient());
    let called = |name: &str| {
        powers
            .words()
            .iter()
            .any(|power| fold(&power.name) == fold(name))
    };
    address_in(text, &harmless)
        .map(IdentityHint::Address)
        .or_else(|| {
            // A person whose name is also that of a power could not write about that power.
            let mut names = names.filter(|name| !called(name));
            let found = names.find(|name| Name::of(name).stands_in(text))?;
            Some(IdentityHint::Name(found.to_owned()))
        })
}

/// The first mail address in a text that is not in `harmless`.
fn address_in(text: &str, harmless: &[&str]) -> Option<String> {
    static ADDRESS: OnceLock<Option<Regex>> = OnceLock::new();
    let pattern = ADDRESS.get_or_init(|| {
        Regex::new(r"[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}][\p{L}\p{N}-]*(?:\.[\p{L}\p{N}-]+)+").ok()
    });
    let known = |address: &&str| harmless.iter().any(|one| one.eq_ignore_ascii_case(address));
    pattern
        .as_ref()?
        .find_iter(text)
        .map(|found| found.as_str())
        .find(|address| !known(address))
        .map(str::to_owned)
}

/// A person's name, prepared for the search.
enum Name {
    /// Nothing to search for.
    None,
    /// One word, in the case in which the person writes it.
    One(String),
    /// A name in a script without capitals, which may not separate words; folded.
    Uncased(String),
    /// Several words, which must all occur in one line, in any order; folded.
    Several(Vec<String>),
}

impl Name {
    fn of(name: &str) -> Name {
        let all = words(name);
        // Initials are often omitted.
        let mut full: Vec<&Word> = all
            .iter()
            .filter(|word| word.folded.chars().nth(1).is_some())
            .collect();
        if full.is_empty() {
            full = all.iter().collect();
        }
        match full.as_slice() {
            [] => Name::None,
            [one] if one.folded.chars().all(|c| !c.is_lowercase()) => {
                Name::Uncased(one.folded.clone())
            }
            [one] => Name::One(one.text.clone()),
            several => Name::Several(several.iter().map(|word| word.folded.clone()).collect()),
        }
    }

    fn stands_in(&self, text: &str) -> bool {
        text.lines().any(|line| self.stands_in_line(line))
    }

    fn stands_in_line(&self, line: &str) -> bool {
        match self {
            Name::None => false,
            Name::Uncased(name) => fold(line).contains(name.as_str()),
            Name::One(name) => {
                let words = words(line);
                let count = words.len();
                words
                    .iter()
                    .enumerate()
                    .any(|(at, word)| word.is(name) && !(at == 0 && count > 1 && !word.parted))
            }
            Name::Several(name) => {
                let words = words(line);
                name.iter()
                    .all(|part| words.iter().any(|word| word.folded == *part))
            }
        }
    }
}

/// A word of a line.
struct Word {
    text: String,
    folded: String,
    /// Whether punctuation or nothing follows: then the word is not the first of a sentence.
    parted: bool,
}

impl Word {
    /// Whether this word is a name of one word. A capitalized name may be a common word in lower case: `Will`.
    fn is(&self, name: &str) -> bool {
        let capital = |text: &str| text.chars().any(char::is_uppercase);
        self.folded == fold(name) && (capital(&self.text) || !capital(name))
    }
}

fn words(line: &str) -> Vec<Word> {
    let seen: String = line.chars().filter(|c| !is_invisible(*c)).collect();
    let mut words: Vec<Word> = Vec::new();
    let mut rest = seen.as_str();
    while let Some(start) = rest.find(char::is_alphanumeric) {
        let from = rest.get(start..).unwrap_or_default();
        let end = from
            .find(|c: char| !c.is_alphanumeric())
            .unwrap_or(from.len());
        let (text, behind) = from.split_at(end);
        let next = behind.trim_start().chars().next();
        words.push(Word {
            text: text.to_owned(),
            folded: fold(text),
            parted: next.is_none_or(|c| !c.is_alphanumeric()),
        });
        rest = behind;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_found_in_prose_but_the_judges_is_none() {
        let judge = ["judge@usxx.example.org"];
        for (text, found) in [
            ("write to ben@ex.org.", Some("ben@ex.org")),
            (
                "On Monday <o'brien@mail.ex.org> wrote:",
                Some("o'brien@mail.ex.org"),
            ),
            ("Message-ID: <1.2.3@host.ex.org>", Some("1.2.3@host.ex.org")),
            ("answer to Judge@usxx.example.org", None),
            (
                "judge@usxx.example.org or müller@köln.example",
                Some("müller@köln.example"),
            ),
            ("meet me @ Munich", None),
            ("SIGNON Ekaiser", None),
        ] {
            assert_eq!(address_in(text, &judge).as_deref(), found, "{text}");
        }
    }

    #[test]
    fn a_name_is_found_with_all_its_words_in_one_line() {
        for (name, text, found) in [
            ("Anna Example", "Кому: Anna Example", true),
            ("Anna Example", "yours,\nEXAMPLE, Anna (Oslo)", true),
            ("Anna Example", "An\u{200b}na \u{ff25}xample", true),
            ("Anna Example", "Anna\nis an example", false),
            ("Anna Example", "Joanna sets examples", false),
            ("Anna B. Example", "Anna Example", true),
            ("Sean O'Neill", "o'neill, sean", true),
            ("Will", "I will help, will you?", false),
            ("Will", "Will you help?", false),
            ("Will", "So be it. Will", true),
            ("Will", "WILL, Oslo", true),
            ("Will", "Will", true),
            ("will", "we will", true),
            ("田中", "敬具 田中太郎", true),
            ("田中", "敬具", false),
            ("", "nothing", false),
            ("-", "- nothing", false),
        ] {
            assert_eq!(Name::of(name).stands_in(text), found, "{name}: {text}");
        }
    }
}
