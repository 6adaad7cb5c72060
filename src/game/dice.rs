//! The only source of chance: a pure function of the game's seed (`adjudicate-json.md`, "Recorded draws").

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The 32 secret bytes from which everything random in a game is derived. They are secret until the end, so `Debug` does not
/// print them; the store writes them as 64 hexadecimal digits.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Seed([u8; 32]);

impl Seed {
    /// The seed with these bytes.
    pub fn new(bytes: [u8; 32]) -> Seed {
        Seed(bytes)
    }

    /// 64 hexadecimal digits, for the store and for the game's last mail.
    pub fn to_hex(&self) -> String {
        let digits = self.0.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        digits
            .filter_map(|digit| char::from_digit(u32::from(digit), 16))
            .collect()
    }

    /// The SHA-256 of its bytes, as hexadecimal digits. It is told when the game begins, so that everybody can see at the end that
    /// no other seed was taken.
    pub fn sha256(&self) -> String {
        Seed(Sha256::digest(self.0).into()).to_hex()
    }
}

impl std::fmt::Debug for Seed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seed(sealed)")
    }
}

/// A text that is not 64 hexadecimal digits.
#[derive(Debug, thiserror::Error)]
#[error("a seed is 64 hexadecimal digits")]
pub struct NotASeed;

impl TryFrom<String> for Seed {
    type Error = NotASeed;

    fn try_from(text: String) -> Result<Seed, NotASeed> {
        let digits: Option<Vec<u8>> = text
            .chars()
            .map(|c| c.to_digit(16).map(|d| d as u8))
            .collect();
        let digits = digits.filter(|d| d.len() == 64).ok_or(NotASeed)?;
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
            *byte = pair.iter().fold(0, |sum, digit| sum * 16 + digit);
        }
        Ok(Seed(bytes))
    }
}

impl From<Seed> for String {
    fn from(seed: Seed) -> String {
        seed.to_hex()
    }
}

/// Draws from one game's seed. An additional draw in one stream does not change any other stream.
#[derive(Clone, Copy, Debug)]
pub struct Dice<'a> {
    seed: &'a Seed,
    sheet: Option<&'a DrawSheet>,
}

/// Forced draws, and a record of the draws that were made. Games by mail do not use one.
#[derive(Debug, Default)]
pub struct DrawSheet {
    forced: BTreeMap<String, u64>,
    made: RefCell<BTreeMap<String, u64>>,
    beyond: RefCell<Option<Beyond>>,
}

/// A forced draw that exceeds what can be drawn there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the draw `{stream}` cannot be {forced}: it goes from 0 to {most}")]
pub struct Beyond {
    /// The stream, followed by `#i` if i > 0.
    pub stream: String,
    /// The forced value.
    pub forced: u64,
    /// The greatest number that can be drawn.
    pub most: u64,
}

impl DrawSheet {
    /// A sheet that forces these draws: numbers by stream, followed by `#i` if i > 0.
    pub fn forcing(forced: BTreeMap<String, u64>) -> DrawSheet {
        DrawSheet {
            forced,
            ..DrawSheet::default()
        }
    }

    /// The draws that were made, in the same form. A draw with only one possible result is not recorded.
    pub fn made(&self) -> BTreeMap<String, u64> {
        self.made.borrow().clone()
    }

    /// The first forced draw that was out of range.
    pub fn beyond(&self) -> Option<Beyond> {
        self.beyond.borrow().clone()
    }

    fn draw(&self, stream: &str, i: u64, m: u64, seed: impl FnOnce() -> u64) -> u64 {
        let name = match i {
            0 => stream.to_owned(),
            i => format!("{stream}#{i}"),
        };
        let forced = self.forced.get(&name).copied();
        if let Some(forced) = forced.filter(|forced| *forced >= m) {
            self.beyond.borrow_mut().get_or_insert(Beyond {
                stream: name.clone(),
                forced,
                most: m - 1,
            });
        }
        let drawn = forced.filter(|forced| *forced < m).unwrap_or_else(seed);
        self.made.borrow_mut().insert(name, drawn);
        drawn
    }
}

impl<'a> Dice<'a> {
    /// The dice of a game.
    pub fn new(seed: &'a Seed) -> Dice<'a> {
        Dice { seed, sheet: None }
    }

    /// The same dice, with a sheet beside them.
    #[must_use]
    pub fn beside(self, sheet: Option<&'a DrawSheet>) -> Dice<'a> {
        Dice { sheet, ..self }
    }

    /// Draw `i` of `stream`: a number from 0 to `m - 1`; 0 where there is nothing to choose.
    pub fn draw(&self, stream: &str, i: u64, m: u64) -> u64 {
        if m < 2 {
            return 0;
        }
        match self.sheet {
            None => self.seeded(stream, i, m),
            Some(sheet) => sheet.draw(stream, i, m, || self.seeded(stream, i, m)),
        }
    }

    fn seeded(&self, stream: &str, i: u64, m: u64) -> u64 {
        // floor(2^64 / m) * m: numbers from here on would favor the small remainders, so they are drawn again.
        let limit = (1u128 << 64) / u128::from(m) * u128::from(m);
        for t in 0u64.. {
            let mut hash = Sha256::new();
            hash.update(self.seed.0);
            for part in [
                stream.as_bytes(),
                i.to_string().as_bytes(),
                t.to_string().as_bytes(),
            ] {
                hash.update([0]);
                hash.update(part);
            }
            let digest = hash.finalize();
            let u = digest
                .iter()
                .take(8)
                .fold(0u64, |sum, byte| sum << 8 | u64::from(*byte));
            if u128::from(u) < limit {
                return u % m;
            }
        }
        0
    }

    /// Shuffles in place (`rules/civdip.md` 2.3): for k = 0, 1, ... and i = last, last - 1, ..., 1 swaps items i and
    /// `draw(stream, k, i + 1)`.
    pub fn shuffle<T>(&self, stream: &str, items: &mut [T]) {
        for (k, i) in (1..items.len()).rev().enumerate() {
            items.swap(i, self.draw(stream, k as u64, i as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The vectors of `rules/rather-silly.md` 3.2, for the seed of 32 zero bytes.
    #[test]
    fn draws_agree_with_the_published_vectors() {
        let seed = Seed::new([0; 32]);
        let dice = Dice::new(&seed);
        assert_eq!(dice.draw("S1901/sea-monsters", 0, 61), 56);
        assert_eq!(dice.draw("F1901/space-monsters", 0, 56), 21);
        assert_eq!(dice.draw("S1901/tardis", 0, 2), 1);
        assert_eq!(dice.draw("F1903/tardis-space", 0, 74), 62);
    }

    #[test]
    fn a_sheet_forces_draws_and_notes_all_that_were_made() {
        let seed = Seed::new([0; 32]);
        let sheet = DrawSheet::forcing([("a".to_owned(), 2), ("b#3".to_owned(), 9)].into());
        let dice = Dice::new(&seed).beside(Some(&sheet));
        assert_eq!(dice.draw("a", 0, 3), 2);
        assert_eq!(dice.draw("S1901/sea-monsters", 0, 61), 56);
        assert_eq!(dice.draw("nothing to choose", 0, 1), 0);
        assert_eq!(sheet.beyond(), None);
        // A forced value that is out of range is drawn from the seed instead, and reported.
        assert!(dice.draw("b", 3, 9) < 9);
        assert_eq!(
            sheet.beyond().map(|beyond| beyond.to_string()).as_deref(),
            Some("the draw `b#3` cannot be 9: it goes from 0 to 8")
        );
        let made: Vec<String> = sheet.made().into_keys().collect();
        assert_eq!(made, ["S1901/sea-monsters", "a", "b#3"]);
    }

    #[test]
    fn a_seed_survives_its_hexadecimal_form_and_hides_in_debug() {
        let seed = Seed::new([0xa5; 32]);
        let text: String = seed.clone().into();
        assert_eq!(Seed::try_from(text).ok(), Some(seed.clone()));
        assert!(!format!("{seed:?}").contains("a5"));
        assert!(Seed::try_from("zz".to_owned()).is_err());
    }
}
