//! Reply addresses `judge+TOKEN@…`: a token identifies one seat of one game and contains no readable data. It derives
//! from the judge's secret, so the store holds no tokens; increasing a seat's counter makes its old tokens invalid.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use dipjudge_game::{Offer, Seat, SeatId, Seed};
use dipjudge_rules::map::Power;

const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

/// The number of characters of a token.
pub(crate) const LENGTH: usize = 26;

/// Encodes 128 bits as 26 lower-case letters and digits, since mail systems ignore case.
pub(crate) fn base32(bytes: &[u8; 16]) -> String {
    let number = u128::from_be_bytes(*bytes);
    (0..LENGTH)
        .rev()
        .filter_map(|place| ALPHABET.get((number >> (place * 5) & 31) as usize))
        .map(|letter| char::from(*letter))
        .collect()
}

/// The token of a seat.
pub(crate) fn of_seat(secret: &Seed, game: &str, seat: &Seat) -> String {
    token(secret, game, seat.id, seat.token)
}

fn token(secret: &Seed, game: &str, seat: SeatId, count: u32) -> String {
    hashed(&[
        "reply",
        &secret.to_hex(),
        game,
        &seat.0.to_string(),
        &count.to_string(),
    ])
}

fn hashed(parts: &[&str]) -> String {
    base32(&half_hash(parts))
}

/// The keyed hash of a token, in upper or lower case. Tokens can be compared by it, but not recovered from it.
pub(crate) fn key(secret: &Seed, token: &str) -> u128 {
    let hash = half_hash(&["key", &secret.to_hex(), &token.to_ascii_lowercase()]);
    u128::from_be_bytes(hash)
}

/// The keyed hash by which the address of a forgotten person is recognized.
pub(crate) fn of_forgotten(secret: &Seed, address: &str) -> String {
    hashed(&["forgotten", &secret.to_hex(), address])
}

/// A mark by which a secret is recognized, and from which it cannot be recovered.
pub(crate) fn mark_of(secret: &Seed) -> String {
    base32(&half_hash(&["mark", &secret.to_hex()]))
}

/// What the tokens of return paths begin with, so that they are no reply addresses.
pub(crate) const RETURN_MARK: &str = "b";

/// The token of the return path of a mail to this address, from 128 drawn bits: half of them stay, and the other half is what
/// shows to whom the mail went, to the judge alone.
pub(crate) fn of_return_path(secret: &Seed, drawn: [u8; 16], address: &str) -> String {
    let mut bytes = drawn;
    let (kept, shown) = bytes.split_at_mut(RETURN_HALF);
    let hash = half_hash(&["return", &secret.to_hex(), &hex(kept), address]);
    shown.iter_mut().zip(hash).for_each(|(to, from)| *to = from);
    base32(&bytes)
}

/// Whether this is the token of the return path of a mail to this address; compared in constant time.
pub(crate) fn is_return_path(secret: &Seed, token: &str, address: &str) -> bool {
    from_base32(token).is_some_and(|bytes| same(&of_return_path(secret, bytes, address), token))
}

/// How many bytes of a return path's token are drawn.
const RETURN_HALF: usize = 8;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bits of 26 letters and digits.
fn from_base32(token: &str) -> Option<[u8; 16]> {
    let mut number: u128 = 0;
    for letter in token.bytes() {
        let letter = letter.to_ascii_lowercase();
        let digit = ALPHABET.iter().position(|known| *known == letter)?;
        number = number.checked_mul(32)? | digit as u128;
    }
    Some(number.to_be_bytes())
}

fn half_hash(parts: &[&str]) -> [u8; 16] {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    let digest = hash.finalize();
    let mut half = [0; 16];
    half.iter_mut()
        .zip(digest.iter())
        .for_each(|(to, from)| *to = *from);
    half
}

/// One end of a relay address: who leads, or led, which power.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RelayEnd {
    pub seat: SeatId,
    /// The number of tokens that the seat has had.
    pub count: u32,
    pub power: Power,
}

/// The token of the relay address by which `reader`, and nobody else, answers `peer`. It derives from both seats, so it
/// becomes invalid when either power gets another leader or the reader's count increases; the peer's count does not
/// matter. If the far end is a power with any leader, the token depends on the reader alone.
pub(crate) fn of_relay(secret: &Seed, game: &str, reader: RelayEnd, peer: RelayEnd) -> String {
    let peer = RelayEnd { count: 0, ..peer };
    let end = |end: RelayEnd| format!("{} {} {}", end.seat.0, end.count, end.power.0);
    hashed(&["relay", &secret.to_hex(), game, &end(reader), &end(peer)])
}

/// The random part of the id of a calendar entry.
pub(crate) fn of_entry(id: &str) -> &str {
    id.split_once('@').map_or(id, |(letters, _)| letters)
}

/// The token by which a new address of a seat is proven: an answer from there goes to the address with this token.
pub(crate) fn of_address(secret: &Seed, game: &str, seat: SeatId, address: &str) -> String {
    token(secret, &format!("{game} {address}"), seat, u32::MAX)
}

/// The token by which an offer is answered: it went to the address of the offer alone.
pub(crate) fn of_offer(secret: &Seed, game: &str, offer: &Offer) -> String {
    let Offer { id, address, .. } = offer;
    hashed(&["offer", &secret.to_hex(), game, id, address])
}

/// The token by which an address is proven outside every game: an answer to a mail that went there. All addresses of a mailbox that
/// differ in what follows `+` have one, since some programs answer under another of them.
pub(crate) fn of_proof(secret: &Seed, address: &str) -> String {
    let (local, host) = address.rsplit_once('@').unwrap_or((address, ""));
    let mailbox = local.split('+').next().unwrap_or_default();
    hashed(&["proof", &secret.to_hex(), mailbox, host])
}

/// The token by which one of two addresses says that both are its reader's.
pub(crate) fn of_link(secret: &Seed, to: &str, other: &str, which: &str) -> String {
    hashed(&["link", &secret.to_hex(), to, other, which])
}

/// Whether a word in a mail is the token of this seat; compared in constant time.
pub(crate) fn fits(secret: &Seed, game: &str, seat: &Seat, given: &str) -> bool {
    same(&of_seat(secret, game, seat), given)
}

/// Whether two tokens are equal; compared in constant time.
pub(crate) fn same(own: &str, given: &str) -> bool {
    use subtle::ConstantTimeEq;
    own.as_bytes()
        .ct_eq(given.to_ascii_lowercase().as_bytes())
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_26_letters_of_its_seat_alone() {
        let secret = Seed::new([1; 32]);
        let first = token(&secret, "kaiser", SeatId(1), 0);
        assert_eq!(first.len(), 26);
        assert_ne!(first, token(&secret, "kaiser", SeatId(1), 1));
        assert_ne!(first, token(&secret, "kaiser", SeatId(2), 0));
        assert_ne!(first, token(&secret, "konig", SeatId(1), 0));
        assert_eq!(base32(&[0; 16]), "a".repeat(26));
    }

    #[test]
    fn a_return_path_shows_its_address_to_the_judge_alone() {
        let secret = Seed::new([1; 32]);
        let token = of_return_path(&secret, [7; 16], "ben@ex.org");
        assert_eq!(token.len(), LENGTH);
        assert!(is_return_path(&secret, &token.to_uppercase(), "ben@ex.org"));
        assert!(!is_return_path(&secret, &token, "cleo@ex.org"));
        assert!(!is_return_path(&Seed::new([2; 32]), &token, "ben@ex.org"));
        assert_ne!(token, of_return_path(&secret, [8; 16], "ben@ex.org"));
        for wrong in ["", "!", &"z".repeat(26), &"7".repeat(40), &base32(&[7; 16])] {
            assert!(!is_return_path(&secret, wrong, "ben@ex.org"), "{wrong}");
        }
    }

    #[test]
    fn a_relay_token_is_of_one_pair_and_one_direction() {
        let secret = Seed::new([1; 32]);
        let end = |seat, count, power| RelayEnd {
            seat: SeatId(seat),
            count,
            power: Power(power),
        };
        let (anna, ben) = (end(1, 0, 0), end(2, 0, 1));
        let own = of_relay(&secret, "tokyo", anna, ben);
        assert_eq!(own.len(), 26);
        for other in [
            of_relay(&secret, "tokyo", ben, anna),
            of_relay(&secret, "kyoto", anna, ben),
            of_relay(&secret, "tokyo", end(1, 1, 0), ben),
            of_relay(&secret, "tokyo", anna, end(3, 0, 1)),
            of_relay(&secret, "tokyo", end(1, 0, 2), ben),
            of_relay(&Seed::new([2; 32]), "tokyo", anna, ben),
            token(&secret, "tokyo", SeatId(1), 0),
        ] {
            assert!(!same(&own, &other), "{other}");
        }
        assert!(same(&own, &own.to_uppercase()));
        assert!(same(&own, &of_relay(&secret, "tokyo", anna, end(2, 1, 1))));
    }
}
