//! The order in which the mails of one mailing are written, and thus handed over: the outbox keeps that order within a
//! game.

use sha2::{Digest, Sha256};

use crate::work::{GameWork, Recipient};
use dipjudge_game::planted::{Leak, planted};
use dipjudge_game::{Game, Role};

impl GameWork<'_, '_> {
    /// Masters, powers by their keys, observers (`judge-workflow.md` 1.2). In games that hide which powers exist, the
    /// order is random for each mailing, since a fixed one would show a reader how many come before him.
    pub(crate) fn in_order_of_sending(&mut self, mut to: Vec<Recipient>) -> Vec<Recipient> {
        to.sort_by_cached_key(|to| place(self.game(), *to));
        if planted(Leak::Sequence) {
            let waiting = self.game().standings.values().map(|one| one.ahead.len());
            let turn = waiting.sum::<usize>() % to.len().max(1);
            to.rotate_left(turn);
        }
        if self.variant().hides_existence(self.game()) {
            let draw = self.ids.id();
            to.sort_by_cached_key(|to| drawn(&draw, *to));
        }
        to
    }
}

/// The sort key of a recipient: the class, then the power's key or the number of the seat.
fn place(game: &Game, to: Recipient) -> (u8, String, u32) {
    let class = match (to.power, game.seat(to.seat).map(|seat| seat.role)) {
        (None, Some(Role::Master)) => 0,
        (Some(_), _) | (None, Some(Role::Player)) => 1,
        (None, _) => 2,
    };
    // A notice collected before the start names the seat alone.
    let power = to.power.or_else(|| game.led_by(to.seat).first().copied());
    let name = power.map(|power| game.key(power).to_lowercase());
    (class, name.unwrap_or_default(), to.seat.0)
}

/// The sort key of a recipient in a random order.
fn drawn(draw: &[u8; 16], to: Recipient) -> [u8; 32] {
    Sha256::new()
        .chain_update(draw)
        .chain_update(to.seat.0.to_be_bytes())
        .chain_update([to.power.map_or(u8::MAX, |power| power.0)])
        .finalize()
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dipjudge_game::SeatId;
    use dipjudge_rules::map::Power;

    #[test]
    fn an_order_that_is_drawn_holds_everybody_and_changes_with_the_draw() {
        let readers = (0..9).map(|n| Recipient::new(SeatId(n), (n > 0).then_some(Power(n as u8))));
        let readers: Vec<Recipient> = readers.collect();
        let order = |draw: u8| {
            let mut order: Vec<usize> = (0..readers.len()).collect();
            order.sort_by_key(|n| drawn(&[draw; 16], readers[*n]));
            order
        };
        let orders: std::collections::BTreeSet<Vec<usize>> = (0..20).map(order).collect();
        assert_eq!(orders.len(), 20);
        let firsts: std::collections::BTreeSet<usize> =
            (0..200).map(|draw| order(draw)[0]).collect();
        assert_eq!(
            firsts.len(),
            readers.len(),
            "everybody comes first at some time"
        );
    }
}
