//! Texts of orders that were read before: those of many lines are alike, and to look one up takes much less time than to read it.

use std::rc::Rc;

use dipjudge_commands::order_words::OrderWords;
use dipjudge_game::{DataError, Phase};

/// How many texts are kept at most.
const PLACES: usize = 1 << 13;

/// What a text was read as, whoever sends it.
#[derive(Clone)]
pub(super) struct ReadText {
    /// In the package's syntax.
    pub(super) in_package: Option<Rc<OrderWords>>,
    /// By the grammar; `None` where the package's syntax is enough.
    pub(super) by_grammar: Option<Result<Rc<OrderWords>, DataError>>,
}

/// Each text has one place, and a later one of the same place replaces it.
pub(super) struct KnownTexts(Vec<Option<KnownText>>);

struct KnownText {
    phase: Phase,
    text: Box<str>,
    read: ReadText,
}

impl KnownTexts {
    pub(super) fn new() -> KnownTexts {
        KnownTexts((0..PLACES).map(|_| None).collect())
    }

    /// What the text was read as in this phase, or is read as now.
    pub(super) fn read(
        &mut self,
        phase: &Phase,
        text: &str,
        read: impl FnOnce() -> ReadText,
    ) -> ReadText {
        let Some(place) = self.0.get_mut(place(text)) else {
            return read();
        };
        match place {
            Some(known) if *known.text == *text && known.phase == *phase => known.read.clone(),
            _ => {
                let read = read();
                *place = Some(KnownText {
                    phase: phase.clone(),
                    text: text.into(),
                    read: read.clone(),
                });
                read
            }
        }
    }
}

/// The place of a text: FNV-1a of its bytes.
fn place(text: &str) -> usize {
    let hash = text.bytes().fold(0xCBF2_9CE4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    });
    // The upper bits depend on all bytes.
    usize::try_from(hash >> 51).unwrap_or(0) % PLACES
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_as(words: &str) -> ReadText {
        ReadText {
            in_package: None,
            by_grammar: Some(Err(words.into())),
        }
    }

    fn words(read: &ReadText) -> String {
        match &read.by_grammar {
            Some(Err(words)) => words.to_string(),
            _ => String::new(),
        }
    }

    #[test]
    fn a_text_is_read_once_in_a_phase_until_another_takes_its_place() {
        let mut known = KnownTexts::new();
        let mut read = |phase: &Phase, text: &str, as_words: &str| {
            words(&known.read(phase, text, || read_as(as_words)))
        };
        assert_eq!(read(&Phase::Movement, "A PAR H", "one"), "one");
        assert_eq!(read(&Phase::Movement, "A PAR H", "two"), "one");
        assert_eq!(read(&Phase::Retreats, "A PAR H", "three"), "three");
        assert_eq!(read(&Phase::Movement, "A PAR H", "four"), "four");
        let other = (0..).map(|number| format!("A PAR {number}"));
        let mut same_place = other.filter(|text| place(text) == place("A PAR H"));
        assert_eq!(
            read(&Phase::Movement, &same_place.next().unwrap(), "five"),
            "five"
        );
        assert_eq!(read(&Phase::Movement, "A PAR H", "six"), "six");
    }
}
