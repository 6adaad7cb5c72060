//! Which of a person's addresses mail goes to.

use crate::work::Work;
use dipjudge_game::Seat;

impl Work<'_> {
    /// Whether mail does not reach an address. What the mail in hand came from is reached.
    pub(crate) fn is_unreached(&self, address: &str) -> bool {
        self.answered.from != address && self.judge.returned.is_unreached(address)
    }

    /// The address to which mail for a seat goes: another one of its person where its own is not reached.
    pub(crate) fn reached_address(&self, seat: &Seat) -> String {
        if !self.is_unreached(&seat.address) {
            return seat.address.clone();
        }
        let person = self.registry.person(seat.person);
        let others = person.into_iter().flat_map(|person| &person.addresses);
        let other = others
            .filter(|address| **address != seat.address)
            .find(|address| !self.is_unreached(address));
        other.unwrap_or(&seat.address).clone()
    }
}
