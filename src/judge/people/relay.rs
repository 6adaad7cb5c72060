//! Relay addresses: white press from one player to another has a reply address of its own. The words of a reply go to
//! the writer as white press, subject to all rules of press, and nothing else of the reply does (`visibility.md` 5, L33,
//! L34). What a reply with orders or commands in it becomes, `receiving::letter` decides (README, Decided 37).

use sha2::{Digest, Sha256};

use crate::people::reply_addresses;
use crate::tokens::{self, RelayEnd};
use dipjudge_game::{Game, Seed, VariantGame};
use dipjudge_variants as variants;

/// A relay address: who answers whom by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Relay {
    pub game: String,
    pub reader: RelayEnd,
    pub peer: RelayEnd,
}

impl Relay {
    /// The account of letters to this address.
    pub(crate) fn account(&self) -> String {
        let [reader, peer] =
            [self.reader, self.peer].map(|end| format!("{} {}", end.seat.0, end.power.0));
        format!("{} relay {reader} {peer}", self.game)
    }

    pub(crate) fn token(&self, secret: &Seed) -> String {
        tokens::of_relay(secret, &self.game, self.reader, self.peer)
    }

    /// The keys that identify a letter to this address. The same words to another address are another letter.
    pub(crate) fn keys(&self, keys: Vec<[u8; 32]>) -> Vec<[u8; 32]> {
        let ends = [self.reader, self.peer].map(|end| format!("{} {}", end.seat.0, end.power.0));
        keys.into_iter()
            .map(|key| {
                let mut hash = Sha256::new();
                hash.update(key);
                hash.update(format!("{} {}", self.game, ends.join(" ")));
                hash.finalize().into()
            })
            .collect()
    }
}

/// The relay address of a token in this game, if the token belongs to one. Expired addresses are included, so that
/// their holders can be told.
pub(crate) fn of_token(secret: &Seed, game: &Game, token: &str) -> Option<Relay> {
    reply_addresses::relays(game)
        .into_iter()
        .find(|(reader, peer)| {
            let own = tokens::of_relay(secret, &game.name, *reader, *peer);
            tokens::same(&own, token)
        })
        .map(|(reader, peer)| Relay {
            game: game.name.clone(),
            reader,
            peer,
        })
}

/// Whether changes of leaders are hidden from other players. If they are, an address that expired with its writer, or
/// differed from that of the next leader, would show the change (`visibility.md` 3, V12).
pub(crate) fn hides_who_left(game: &Game) -> bool {
    VariantGame::new(game, variants::of(&game.variant)).hides_board()
}

/// Whether this end still leads its power.
pub(crate) fn is_there(game: &Game, end: RelayEnd) -> bool {
    game.holder(end.power)
        .is_some_and(|seat| seat.id == end.seat && !seat.left)
        && !game.standing(end.power).resigned
}
