//! Words of a sender who has contacts of his own and which are none of them: the same is said whether nobody is called so or
//! he has not met who is.

use super::names::Names;
use super::power_list_error::PowerListError;
use dipjudge_grammar::{Grammar, Terms, Text, Tree};
use dipjudge_rules::map::{Power, Province, UnitKind};

/// The words that a name may have.
const MOST_WORDS: usize = 4;

/// Why a word is no contact of its sender; nothing where all may address the same powers.
pub(super) fn no_contact(names: &Names, word: &str) -> Option<PowerListError> {
    let own = names.own_contacts()?;
    let first: String = word.chars().take_while(|c| c.is_alphanumeric()).collect();
    let long_enough = first.chars().count() >= names.beginnings().shortest;
    let several = long_enough && names.powers_beginning(&first).len() > 1;
    if several {
        return Some(PowerListError::SeveralContacts(first));
    }
    Some(PowerListError::NoContact {
        noun: own.noun,
        word: word.to_owned(),
    })
}

/// The end of the words without a blank or the sign of a list that begin here.
pub(super) fn end_of_word(text: &Text<'_>, mut at: usize) -> usize {
    while at < text.len() && !matches!(text.byte(at), b' ' | b'.' | b',' | b';' | b'&' | b'+') {
        at += 1;
    }
    at
}

/// Why the words that begin at a place are no contact, where a rule that begins at `start` could be read `whole` if they
/// were; with that reading.
pub(super) fn meant<'g>(
    grammar: &'g Grammar,
    rule: &str,
    text: &Text<'_>,
    (start, at): (usize, usize),
    names: &Names,
    whole: &dyn Fn(&Tree<'g>) -> bool,
) -> Option<(PowerListError, Tree<'g>)> {
    names.own_contacts()?;
    let mut end = at;
    for _ in 0..MOST_WORDS {
        let next = text.skip_blanks(end);
        end = end_of_word(text, next);
        if end == next {
            return None;
        }
        let taken = TakenAsPower { names, at, end };
        let read = grammar.read(rule, text, start, &taken);
        if let Some(tree) = read.filter(|tree| whole(tree)) {
            return Some((no_contact(names, text.source(at..end))?, tree));
        }
    }
    None
}

/// The names of a game, and words at one place that are taken for a power.
struct TakenAsPower<'n> {
    names: &'n Names,
    at: usize,
    end: usize,
}

impl Terms for TakenAsPower<'_> {
    fn province(&self, text: &Text<'_>, at: usize) -> Option<(usize, Province)> {
        self.names.province(text, at)
    }

    fn power(&self, text: &Text<'_>, at: usize) -> Option<(usize, Power)> {
        if at == self.at {
            Some((self.end, Power::NEUTRAL))
        } else {
            self.names.power(text, at)
        }
    }

    fn power_letter(&self, text: &Text<'_>, at: usize) -> Option<(usize, Power)> {
        self.names.power_letter(text, at)
    }

    fn unit_kind(&self, text: &Text<'_>, at: usize) -> Option<(usize, UnitKind)> {
        self.names.unit_kind(text, at)
    }

    fn date(&self, text: &Text<'_>, at: usize) -> Option<usize> {
        self.names.date(text, at)
    }

    fn phase(&self, text: &Text<'_>, at: usize) -> Option<usize> {
        self.names.phase(text, at)
    }
}
