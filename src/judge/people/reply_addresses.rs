//! Which reply addresses a game has given out, and of which game a token is.
//!
//! An address follows from the judge's secret and from who sits where, so a list of all of them would let its reader act
//! for anybody. What is kept in memory is each token under a keyed hash, from which none can be told; to look one up takes
//! a time that says nothing of how much of it is right. Whose it is in its game is tried there, as ever.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::people::relay::has_relays;
use crate::tokens::{self, RelayEnd};
use dipjudge_game::{Game, SeatId, Seed};
use dipjudge_rules::map::Power;

/// What the tokens of a game follow from, beside its name and the secret.
#[derive(Clone, Debug, Default, PartialEq)]
struct TokenBasis {
    /// The seats that are taken.
    seats: Vec<SeatBasis>,
    /// Between whom there are relay addresses.
    ends: Vec<RelayEnd>,
}

/// What the tokens of a seat follow from.
#[derive(Clone, Debug, PartialEq)]
struct SeatBasis {
    seat: SeatId,
    /// How many tokens it has had.
    tokens: u32,
    /// The address that is to prove itself.
    wanted_address: Option<String>,
    calendar_entry: Option<String>,
}

/// The tokens of a game as they were entered.
#[derive(Debug, Default)]
struct GameTokens {
    basis: TokenBasis,
    keys: Vec<[u8; 16]>,
}

impl TokenBasis {
    fn of(game: &Game) -> TokenBasis {
        let taken = game.seats.iter().filter(|seat| !seat.left);
        TokenBasis {
            seats: taken
                .map(|seat| SeatBasis {
                    seat: seat.id,
                    tokens: seat.token,
                    wanted_address: seat.wanted_address.clone(),
                    calendar_entry: seat.calendar.id.clone(),
                })
                .collect(),
            ends: ends(game),
        }
    }
}

/// The games by the tokens of their addresses.
#[derive(Debug, Default)]
pub(crate) struct TokenIndex {
    /// By a token under a keyed hash.
    games: BTreeMap<[u8; 16], Arc<str>>,
    /// What stands there for each game.
    entered: BTreeMap<Arc<str>, GameTokens>,
}

impl TokenIndex {
    /// The name of the game that has given out a token.
    pub(crate) fn game(&self, secret: &Seed, token: &str) -> Option<&str> {
        let key = tokens::key(secret, token);
        self.games.get(&key).map(AsRef::as_ref)
    }

    /// Takes out the tokens of a game.
    pub(crate) fn leave(&mut self, game: &str) {
        let known = self.entered.remove(game).unwrap_or_default();
        for key in &known.keys {
            self.games.remove(key);
        }
    }

    /// Enters the tokens of a game as it now is.
    pub(crate) fn enter(&mut self, secret: &Seed, game: &Game) {
        let basis = TokenBasis::of(game);
        let known = self.entered.get(game.name.as_str());
        if known.is_some_and(|known| known.basis == basis) {
            return;
        }
        for key in known.into_iter().flat_map(|known| &known.keys) {
            self.games.remove(key);
        }
        let name: Arc<str> = game.name.as_str().into();
        let all = all(secret, game);
        let keys: Vec<_> = all.iter().map(|token| tokens::key(secret, token)).collect();
        for key in &keys {
            self.games.insert(*key, name.clone());
        }
        self.entered.insert(name, GameTokens { basis, keys });
    }
}

/// The tokens of all addresses of a game, and of the entries in calendars.
fn all(secret: &Seed, game: &Game) -> Vec<String> {
    let mut all = Vec::new();
    for seat in game.seats.iter().filter(|seat| !seat.left) {
        all.push(tokens::of_seat(secret, &game.name, seat));
        let wanted = seat.wanted_address.as_deref();
        all.extend(wanted.map(|to| tokens::of_address(secret, &game.name, seat.id, to)));
        let entry = seat.calendar.id.as_deref();
        all.extend(entry.map(|id| tokens::of_entry(id).to_owned()));
    }
    let relays = relays(game).into_iter();
    all.extend(relays.map(|(reader, peer)| tokens::of_relay(secret, &game.name, reader, peer)));
    all
}

/// The relay addresses of a game, those that have died as well, so that their holders can be told: who answers whom.
pub(crate) fn relays(game: &Game) -> Vec<(RelayEnd, RelayEnd)> {
    let ends = ends(game);
    let pairs = ends
        .iter()
        .flat_map(|reader| ends.iter().map(move |peer| (*reader, *peer)));
    pairs
        .filter(|(reader, peer)| reader.power != peer.power)
        .flat_map(|(reader, peer)| [(reader, peer), (reader, whoever_leads(peer.power))])
        .collect()
}

/// The far end of an address that tells nobody whether the leader of a power has changed.
pub(crate) fn whoever_leads(power: Power) -> RelayEnd {
    RelayEnd {
        seat: SeatId(0),
        count: 0,
        power,
    }
}

/// Everybody who leads or led a power, where there are relay addresses.
fn ends(game: &Game) -> Vec<RelayEnd> {
    let mut ends = Vec::new();
    if !has_relays(game) {
        return ends;
    }
    for power in game.all_powers() {
        let standing = game.standing(power);
        let held = standing.held.iter().map(|(seat, _)| *seat);
        for seat in held.chain(standing.holder) {
            if let Some(end) = end(game, seat, power)
                && !ends.contains(&end)
            {
                ends.push(end);
            }
        }
    }
    ends
}

/// A seat as the end of a relay address for a power.
pub(crate) fn end(game: &Game, seat: SeatId, power: Power) -> Option<RelayEnd> {
    let seat = game.seat(seat)?;
    Some(RelayEnd {
        seat: seat.id,
        count: seat.token,
        power,
    })
}
