//! The reply addresses of games, and which game a token belongs to.
//!
//! An address derives from the judge's secret and from who holds which seat, so a list of all addresses would let its
//! reader act for anybody. Memory holds only a keyed hash of each token, from which the token cannot be recovered; the
//! time of a look-up does not depend on how much of a token is right. To whom a token belongs within its game is then
//! tested there.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::tokens::{self, RelayEnd};
use dipjudge_game::{Game, Seat, SeatId, Seed};
use dipjudge_rules::map::Power;
use dipjudge_variants as variants;

/// The inputs from which the tokens of a game derive, apart from its name and the secret.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct TokenBasis {
    /// All seats, those that were left too.
    seats: Vec<SeatBasis>,
    /// The ends of its relay addresses.
    ends: Vec<RelayEnd>,
    /// The offers that can be answered.
    #[serde(default)]
    offers: Vec<OfferBasis>,
}

/// The inputs from which the token of an offer derives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct OfferBasis {
    id: String,
    address: String,
}

/// The inputs from which the tokens of a seat derive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SeatBasis {
    seat: SeatId,
    /// Whether its person has left the game: then all its tokens have ended.
    left: bool,
    /// The number of tokens that the seat has had.
    tokens: u32,
    /// The new address that is to be proven.
    wanted_address: Option<String>,
    calendar_entry: Option<String>,
}

/// The indexed tokens of a game.
#[derive(Debug, Default)]
struct GameTokens {
    basis: TokenBasis,
    keys: Vec<u128>,
}

/// The keys of a game's tokens as a snapshot has them, since to hash all of them takes long at a start. Those of another secret or
/// basis are not used.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct KnownTokens {
    /// Shows of which secret they are.
    secret: String,
    basis: TokenBasis,
    #[serde(with = "hexadecimal")]
    keys: Vec<u128>,
}

/// Keys one after another, in hexadecimal digits. They are read with the snapshot, by one of the threads that do that.
mod hexadecimal {
    use std::fmt;

    use serde::de::{Error, Visitor};
    use serde::{Deserializer, Serializer};

    /// The digits of a key.
    const DIGITS: usize = 32;

    pub(super) fn serialize<S: Serializer>(keys: &[u128], to: S) -> Result<S::Ok, S::Error> {
        let digits = keys.iter().map(|key| format!("{key:0DIGITS$x}"));
        to.serialize_str(&digits.collect::<String>())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u128>, D::Error> {
        from.deserialize_str(Digits)
    }

    struct Digits;

    impl Visitor<'_> for Digits {
        type Value = Vec<u128>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("hexadecimal digits")
        }

        fn visit_str<E: Error>(self, digits: &str) -> Result<Vec<u128>, E> {
            let keys = digits.as_bytes().chunks(DIGITS).map(key);
            let keys: Option<Vec<u128>> = keys.collect();
            keys.ok_or_else(|| E::custom("a key is no number"))
        }
    }

    fn key(digits: &[u8]) -> Option<u128> {
        let (upper, lower) = digits.split_at_checked(DIGITS / 2)?;
        Some(u128::from(half(upper)?) << 64 | u128::from(half(lower)?))
    }

    fn half(digits: &[u8]) -> Option<u64> {
        digits.iter().try_fold(0, |half, digit| {
            let digit = char::from(*digit).to_digit(16)?;
            Some(half << 4 | u64::from(digit))
        })
    }
}

impl KnownTokens {
    /// The keys, if they are of this secret and basis.
    fn of(self, secret: &Seed, basis: &TokenBasis) -> Option<Vec<u128>> {
        let fits = self.secret == tokens::mark_of(secret) && self.basis == *basis;
        fits.then_some(self.keys)
    }
}

impl TokenBasis {
    fn of(game: &Game) -> TokenBasis {
        TokenBasis {
            seats: game
                .seats
                .iter()
                .map(|seat| SeatBasis {
                    seat: seat.id,
                    left: seat.left,
                    tokens: seat.token,
                    wanted_address: seat.wanted_address.clone(),
                    calendar_entry: seat.calendar.id.clone(),
                })
                .collect(),
            ends: ends(game),
            offers: game
                .offers
                .iter()
                .map(|offer| OfferBasis {
                    id: offer.id.clone(),
                    address: offer.address.clone(),
                })
                .collect(),
        }
    }
}

/// The games by the keyed hash of a token. Ten thousand games have a million of them, which a start puts in one after another. Hashes are
/// spread evenly, so those that begin alike are few, and none needs to be compared with more than these.
#[derive(Debug, Default)]
struct GamesByKey(Vec<Vec<(u128, Arc<str>)>>);

impl GamesByKey {
    /// How many first bits of those in one list are alike.
    const BITS: u32 = 12;

    fn place(key: u128) -> usize {
        // So few bits are a number of any size.
        (key >> (u128::BITS - Self::BITS)) as usize
    }

    /// The game of a key; of several, the one that came last.
    fn get(&self, key: u128) -> Option<&str> {
        let alike = self.0.get(Self::place(key))?;
        let found = alike.iter().rev().find(|(other, _)| *other == key);
        found.map(|(_, game)| game.as_ref())
    }

    fn insert(&mut self, key: u128, game: Arc<str>) {
        if self.0.is_empty() {
            self.0.resize_with(1 << Self::BITS, Vec::new);
        }
        self.0[Self::place(key)].push((key, game));
    }

    fn remove(&mut self, key: u128) {
        if let Some(alike) = self.0.get_mut(Self::place(key)) {
            alike.retain(|(other, _)| *other != key);
        }
    }
}

/// An index from the tokens of reply addresses to games.
#[derive(Debug, Default)]
pub(crate) struct TokenIndex {
    games: GamesByKey,
    /// The index entries of each game.
    entered: BTreeMap<Arc<str>, GameTokens>,
}

impl TokenIndex {
    /// The name of the game that a token belongs to.
    pub(crate) fn game(&self, secret: &Seed, token: &str) -> Option<&str> {
        self.games.get(tokens::key(secret, token))
    }

    /// Removes the tokens of a game.
    pub(crate) fn leave(&mut self, game: &str) {
        let known = self.entered.remove(game).unwrap_or_default();
        for key in &known.keys {
            self.games.remove(*key);
        }
    }

    /// The keys of a game's tokens, for a snapshot.
    pub(crate) fn known(&self, secret: &Seed, game: &str) -> Option<KnownTokens> {
        let GameTokens { basis, keys } = self.entered.get(game)?;
        Some(KnownTokens {
            secret: tokens::mark_of(secret),
            basis: basis.clone(),
            keys: keys.clone(),
        })
    }

    /// Updates the tokens of a game to its present state.
    pub(crate) fn enter(&mut self, secret: &Seed, game: &Game, kept: Option<KnownTokens>) {
        let basis = TokenBasis::of(game);
        let known = self.entered.get(game.name.as_str());
        if known.is_some_and(|known| known.basis == basis) {
            return;
        }
        for key in known.into_iter().flat_map(|known| &known.keys) {
            self.games.remove(*key);
        }
        let name: Arc<str> = game.name.as_str().into();
        let kept = kept.and_then(|kept| kept.of(secret, &basis));
        let keys = kept.unwrap_or_else(|| {
            let all = all(secret, game);
            all.iter().map(|token| tokens::key(secret, token)).collect()
        });
        for key in &keys {
            self.games.insert(*key, Arc::clone(&name));
        }
        self.entered.insert(name, GameTokens { basis, keys });
    }
}

/// The tokens of all reply addresses of a game, and of its calendar entries.
fn all(secret: &Seed, game: &Game) -> Vec<String> {
    let mut all = Vec::new();
    for seat in game.seats.iter().filter(|seat| !seat.left) {
        all.push(tokens::of_seat(secret, &game.name, seat));
        let wanted = seat.wanted_address.as_deref();
        all.extend(wanted.map(|to| tokens::of_address(secret, &game.name, seat.id, to)));
        let entry = seat.calendar.id.as_deref();
        all.extend(entry.map(|id| tokens::of_entry(id).to_owned()));
    }
    all.extend(ended(secret, game).map(|(token, _)| token));
    let offers = game.offers.iter();
    all.extend(offers.map(|offer| tokens::of_offer(secret, &game.name, offer)));
    let relays = relays(game).into_iter();
    all.extend(relays.map(|(reader, peer)| tokens::of_relay(secret, &game.name, reader, peer)));
    all
}

/// The most tokens of a seat that have ended and are still recognized: the last ones.
const MOST_ENDED: u32 = 16;

/// The tokens of reply addresses and relay addresses that have ended, with the seats whose they were.
pub(crate) fn ended(secret: &Seed, game: &Game) -> impl Iterator<Item = (String, SeatId)> {
    let of_seats = game.seats.iter().flat_map(move |seat| {
        let counts = ended_counts(seat);
        counts.map(move |token| {
            let earlier = Seat {
                token,
                ..seat.clone()
            };
            (tokens::of_seat(secret, &game.name, &earlier), seat.id)
        })
    });
    let of_relays = relays(game).into_iter().flat_map(move |(reader, peer)| {
        let seat = game.seat(reader.seat);
        // A letter to the address of somebody who has left is answered as one that goes nowhere.
        let counts = seat.filter(|seat| !seat.left).map(ended_counts);
        counts.into_iter().flatten().map(move |count| {
            let earlier = RelayEnd { count, ..reader };
            let token = tokens::of_relay(secret, &game.name, earlier, peer);
            (token, reader.seat)
        })
    });
    of_seats.chain(of_relays)
}

/// The numbers of a seat's tokens that have ended.
fn ended_counts(seat: &Seat) -> Range<u32> {
    let end = seat.token + u32::from(seat.left);
    end.saturating_sub(MOST_ENDED)..end
}

/// Whether a game has relay addresses. In games that hide which powers exist, a letter is the text between PRESS and
/// ENDPRESS, and nothing else (CivDip 11.5).
pub(crate) fn has_relays(game: &Game) -> bool {
    !variants::of(&game.variant).hides_existence(game)
}

/// The relay addresses of a game, as pairs of who answers and whom. Expired addresses are included, so that their
/// holders can be told.
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

/// The far end of an address that does not show whether the leader of a power has changed.
pub(crate) fn whoever_leads(power: Power) -> RelayEnd {
    RelayEnd {
        seat: SeatId(0),
        count: 0,
        power,
    }
}

/// Everybody who leads or led a power, in games with relay addresses.
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

/// A seat and a power as an end of a relay address.
pub(crate) fn end(game: &Game, seat: SeatId, power: Power) -> Option<RelayEnd> {
    let seat = game.seat(seat)?;
    Some(RelayEnd {
        seat: seat.id,
        count: seat.token,
        power,
    })
}
