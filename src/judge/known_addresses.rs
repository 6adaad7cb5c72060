//! The addresses in the events of a game, with their owners. They serve to display records of HISTORY that were
//! archived before names were kept: in such a record each word that is one of these addresses is replaced by the name
//! of its owner; no other word changes.

use std::collections::BTreeMap;

use crate::registry::Registry;
use dipjudge_game::{Event, PersonId, Record, SeatChange, SeatId};

/// The addresses that the log of a game has assigned to its seats, each with the name of the person who had the seat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownAddresses(BTreeMap<String, String>);

impl KnownAddresses {
    /// The addresses in this log of a game.
    pub fn of(registry: &Registry, log: &[Record]) -> KnownAddresses {
        let mut sitting: BTreeMap<SeatId, PersonId> = BTreeMap::new();
        let mut known = BTreeMap::new();
        let mut note = |address: &str, person: PersonId| {
            let name = registry.person(person).map(|person| person.name.trim());
            let name = name.filter(|name| !name.is_empty()).unwrap_or("somebody");
            known.insert(address.to_lowercase(), name.to_owned());
        };
        for event in log.iter().flat_map(|record| &record.events) {
            match event {
                Event::Seated {
                    seat,
                    person,
                    address,
                    ..
                } => {
                    sitting.insert(*seat, *person);
                    note(address, *person);
                }
                Event::SeatChanged {
                    seat,
                    change: SeatChange::Address(address),
                } => {
                    if let Some(person) = sitting.get(seat) {
                        note(address, *person);
                    }
                }
                _ => {}
            }
        }
        KnownAddresses(known)
    }

    /// A text with names in place of these addresses.
    pub(crate) fn named(&self, text: &str) -> String {
        let mut told = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find(may_stand_in_an_address) {
            let (between, from) = rest.split_at(start);
            let end = from.find(|c| !may_stand_in_an_address(c));
            let (word, behind) = from.split_at(end.unwrap_or(from.len()));
            told.push_str(between);
            // A full stop ends a sentence and is not part of the address.
            let address = word.trim_end_matches('.');
            match self.0.get(&address.to_lowercase()) {
                Some(name) => {
                    told.push_str(name);
                    told.push_str(word.get(address.len()..).unwrap_or_default());
                }
                None => told.push_str(word),
            }
            rest = behind;
        }
        told.push_str(rest);
        told
    }
}

/// Whether a character may occur in an unquoted address (RFC 5322 3.2.3, RFC 6531).
fn may_stand_in_an_address(c: char) -> bool {
    c.is_alphanumeric() || "@.!#$%&'*+-/=?^_`{|}~".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_that_is_one_of_the_addresses_becomes_a_name() {
        let known = [("ben@ex.org", "Ben Example"), ("o'b@ex.org", "Ó Briain")];
        let known = known.map(|(address, name)| (address.to_owned(), name.to_owned()));
        let known = KnownAddresses(BTreeMap::from(known));
        for (text, told) in [
            (
                "Message from ben@ex.org as England in 'kaiser':",
                "Message from Ben Example as England in 'kaiser':",
            ),
            ("It is Ben@Ex.org.\n", "It is Ben Example.\n"),
            (
                "<ben@ex.org>, [o'b@ex.org as]",
                "<Ben Example>, [Ó Briain as]",
            ),
            ("ben@ex.org.uk, joben@ex.org", "ben@ex.org.uk, joben@ex.org"),
            ("ben @ ex.org", "ben @ ex.org"),
            ("", ""),
        ] {
            assert_eq!(known.named(text), told);
        }
    }
}
