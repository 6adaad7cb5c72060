//! Relay addresses: where leaders are hidden, white press from one player to another bears a reply address of its own.
//! What its reader answers there goes to the writer as white press, by all rules of press, and nothing of the answer but
//! its words goes on (`visibility.md` 5, L33, L34). It is no place for orders and commands: none is carried out.

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
    /// On whose account letters to this address are.
    pub(crate) fn account(&self) -> String {
        let [reader, peer] =
            [self.reader, self.peer].map(|end| format!("{} {}", end.seat.0, end.power.0));
        format!("{} relay {reader} {peer}", self.game)
    }

    /// The token of the address.
    pub(crate) fn token(&self, secret: &Seed) -> String {
        tokens::of_relay(secret, &self.game, self.reader, self.peer)
    }

    /// The keys by which a letter to this address is known again: the same words to another address are another letter.
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

/// The relay address, if any, that a token is of in this game; one that has died as well, so that its holder can be told.
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

/// Whether a game has relay addresses: leaders are hidden in it, or were, and it is no secret who exists. Where it is one,
/// letters are the text between PRESS and ENDPRESS, and nothing else (CivDip 11.5).
pub(crate) fn has_relays(game: &Game) -> bool {
    let gunboat = game.settings.gunboat || game.settings.was_gunboat;
    gunboat && !variants::of(&game.variant).hides_existence(game)
}

/// Whether it is hidden from the other players who has left his power and who came: then an address that ended with its
/// writer, or differed from his successor's, would tell (`visibility.md` 3, V12).
pub(crate) fn hides_who_left(game: &Game) -> bool {
    VariantGame::new(game, variants::of(&game.variant)).hides_board()
}

/// Whether this end still leads its power.
pub(crate) fn is_there(game: &Game, end: RelayEnd) -> bool {
    game.holder(end.power)
        .is_some_and(|seat| seat.id == end.seat && !seat.left)
        && !game.standing(end.power).resigned
}
