//! Reply addresses `judge+TOKEN@…`: a token names one seat of one game, and nothing in it can be read. It follows from
//! the judge's secret, so the store holds none; raising a seat's counter makes the old ones void.

use sha2::{Digest, Sha256};

use crate::game::{Seat, SeatId, Seed};

const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

/// 128 bits as 26 small letters and digits, since mail systems fold case.
pub(super) fn base32(bytes: &[u8; 16]) -> String {
    let number = u128::from_be_bytes(*bytes);
    (0..26)
        .rev()
        .filter_map(|place| ALPHABET.get((number >> (place * 5) & 31) as usize))
        .map(|letter| char::from(*letter))
        .collect()
}

/// The token of a seat.
pub(super) fn of_seat(secret: &Seed, game: &str, seat: &Seat) -> String {
    token(secret, game, seat.id, seat.token)
}

fn token(secret: &Seed, game: &str, seat: SeatId, count: u32) -> String {
    let mut hash = Sha256::new();
    for part in [
        "reply",
        &secret.to_hex(),
        game,
        &seat.0.to_string(),
        &count.to_string(),
    ] {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    let digest = hash.finalize();
    let mut half = [0; 16];
    half.iter_mut()
        .zip(digest.iter())
        .for_each(|(to, from)| *to = *from);
    base32(&half)
}

/// The token by which an address proves that it is a seat's: it answers to the address that bears it.
pub(super) fn of_address(secret: &Seed, game: &str, seat: SeatId, address: &str) -> String {
    token(secret, &format!("{game} {address}"), seat, u32::MAX)
}

/// Whether a word that came with a mail is the token of this seat; compared without telling by time how much fits.
pub(super) fn fits(secret: &Seed, game: &str, seat: &Seat, given: &str) -> bool {
    use subtle::ConstantTimeEq;
    let own = of_seat(secret, game, seat);
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
}
