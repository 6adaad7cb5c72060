//! Removes words that are or may be passwords from texts that quote a mail.

use crate::Judge;
use dipjudge_game::SeatId;
use dipjudge_mails::inbound::{redact, redact_quoted};
use dipjudge_mails::outbound::Answer;

impl Judge {
    /// A text from this address without its passwords: without words that may be one, and without remembered ones.
    pub fn redact(&self, text: &str, from: &str) -> String {
        let remembered = self.remembered_of(from);
        redact(text, |word| {
            !remembered.is_empty() && remembered.contains(&self.keyed(word))
        })
    }

    /// An answer about earlier lines from this address, without the passwords in what it quotes.
    pub(crate) fn redact_answer(&self, answer: &Answer, from: &str) -> Answer {
        let remembered = self.remembered_of(from);
        let known = |word: &str| !remembered.is_empty() && remembered.contains(&self.keyed(word));
        Answer {
            quote: answer.quote.as_ref().map(|quote| redact(quote, known)),
            lines: answer
                .lines
                .iter()
                .map(|line| redact_quoted(line, known))
                .collect(),
            ..answer.clone()
        }
    }

    /// The keyed hashes of the passwords with which the owner of this address signed on last.
    pub(crate) fn remembered_of(&self, from: &str) -> Vec<[u8; 32]> {
        let person = self.registry.by_address(from).map(|person| person.id);
        let own = |name: &str, seat: SeatId| {
            let seat = self.games.get(name).and_then(|game| game.seat(seat));
            seat.is_some_and(|seat| Some(seat.person) == person || seat.address == from)
        };
        self.passed
            .iter()
            .filter(|((game, seat), _)| own(game, *seat))
            .map(|(_, (_, keyed))| *keyed)
            .collect()
    }
}
