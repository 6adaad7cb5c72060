//! Names of phases, as players write them and as the judge does.

use super::{Season, Turn};
use crate::text::Text;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// What is done in a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PhaseKind {
    /// Letter `M`.
    Movement,
    /// Letter `R`.
    Retreats,
    /// Letter `A`; in mails of summer and winter `B`.
    Adjustments,
    /// A variant's own, which asks somebody: by a capital letter of the variant's choice.
    Own(char),
}

impl PhaseKind {
    /// The kind with this capital letter. `P` and `X` stand behind the letter of a game that is paused or over, so they are
    /// no phase's.
    pub fn of_letter(letter: char) -> Option<Self> {
        match letter {
            'M' => Some(Self::Movement),
            'R' => Some(Self::Retreats),
            'A' | 'B' => Some(Self::Adjustments),
            'P' | 'X' => None,
            letter => letter.is_ascii_uppercase().then_some(Self::Own(letter)),
        }
    }

    /// The last letter of its tokens: the `M` of `S1901M`.
    pub fn letter(self) -> char {
        match self {
            Self::Movement => 'M',
            Self::Retreats => 'R',
            Self::Adjustments => 'A',
            Self::Own(letter) => letter,
        }
    }
}

/// A phase: season, year and what is done. It is shown as files and JSON have it, `W1901A`;
/// [`PhaseName::in_mail`] gives `F1901B`. Both are read, and so is `Winter 1901`; that a game has a
/// phase of that name is not said. Phases are ordered as they are played.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PhaseName {
    /// The season of a year; years BC are negative.
    pub turn: Turn,
    /// What is done.
    pub kind: PhaseKind,
}

/// A text that names no phase.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not the name of a phase")]
pub struct PhaseNameError(String);

impl PhaseName {
    /// The phase in which this is done in a turn: adjustments of spring are those of summer, those of fall those of winter.
    pub fn new(turn: Turn, kind: PhaseKind) -> Self {
        Self::of(turn.season, turn.year, Some(kind))
    }

    /// The token of mails, which mapping programs expect: `F1901B` for the adjustments of winter, `S1901B` for those of
    /// summer.
    pub fn in_mail(self) -> String {
        let season = match self.turn.season {
            Season::Winter => 'F',
            Season::Summer => 'S',
            Season::Spring | Season::Fall => return self.to_string(),
        };
        match self.kind {
            PhaseKind::Adjustments => {
                let year = self.turn.year;
                format!("{season}{}{}B", year.unsigned_abs(), era(year))
            }
            _ => self.to_string(),
        }
    }

    /// Reads the phase that begins at a position of the text; gives the position after it.
    pub fn read(text: &Text<'_>, at: usize) -> Option<(usize, Self)> {
        let mut at = text.skip_blanks(at);
        let letters = letters(text, at);
        let season = season(letters)?;
        at = text.skip_blanks(at + letters.len());
        let digits = text
            .rest(at)
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        if !(1..=5).contains(&digits) {
            return None;
        }
        let mut year: i32 = text.folded(at..at + digits).parse().ok()?;
        at += digits;
        if text.folded(at..at + 2) == "bc" {
            year = -year;
            at += 2;
        }
        // What is left may be another command's word: then it is no part of the phase.
        let (at, kind) = match part(text, at) {
            Some((end, kind)) => (end, Some(kind)),
            None if text.in_word(at) => return None,
            None => (at, None),
        };
        Some((at, Self::of(season, year, kind)))
    }

    /// The position behind the name of a phase that begins here, in the words of any variant's players: a season and its year,
    /// or a year of an era, `3250BC`, `AD 251`.
    pub fn end(text: &Text<'_>, at: usize) -> Option<usize> {
        let of_season = Self::read(text, at).map(|(end, _)| end);
        of_season.or_else(|| end_of_era(text, at))
    }

    /// What a season's name alone means, and `F1901A` and `S1901A` with it.
    fn of(season: Season, year: i32, kind: Option<PhaseKind>) -> Self {
        let kind = kind.unwrap_or(match season {
            Season::Spring | Season::Fall => PhaseKind::Movement,
            Season::Summer | Season::Winter => PhaseKind::Adjustments,
        });
        let season = match (season, kind) {
            (Season::Spring, PhaseKind::Adjustments) => Season::Summer,
            (Season::Fall, PhaseKind::Adjustments) => Season::Winter,
            (season, _) => season,
        };
        Self {
            turn: Turn { year, season },
            kind,
        }
    }
}

/// The position behind `3250BC`, `AD 251` or `251 AD`.
fn end_of_era(text: &Text<'_>, at: usize) -> Option<usize> {
    let mut at = text.skip_blanks(at);
    let before = letters(text, at) == "ad";
    if before {
        at = text.skip_blanks(at + 2);
    }
    let digits = text.rest(at).iter();
    let digits = digits.take_while(|byte| byte.is_ascii_digit()).count();
    at += digits;
    if !(1..=5).contains(&digits) {
        return None;
    }
    if !before {
        at = text.skip_blanks(at);
        let era = letters(text, at);
        at += ["bc", "ad"].contains(&era).then_some(era.len())?;
    }
    (!text.in_word(at)).then_some(at)
}

/// The letters that begin here.
fn letters<'t>(text: &'t Text<'_>, at: usize) -> &'t str {
    let length = text
        .rest(at)
        .iter()
        .take_while(|byte| byte.is_ascii_lowercase())
        .count();
    text.folded(at..at + length)
}

fn season(letters: &str) -> Option<Season> {
    Some(match letters {
        "s" | "spring" => Season::Spring,
        "u" | "su" | "summer" => Season::Summer,
        "f" | "fall" | "a" | "autumn" => Season::Fall,
        "w" | "winter" => Season::Winter,
        _ => return None,
    })
}

/// The kind of phase after the year. Behind its letter a paused or finished game's `P` or `X` may
/// stand.
fn part(text: &Text<'_>, at: usize) -> Option<(usize, PhaseKind)> {
    let at = text.skip_blanks(at);
    let letters = letters(text, at);
    let end = at + letters.len();
    let bare = match letters.as_bytes() {
        [_, b'p' | b'x'] => letters.get(..1).unwrap_or_default(),
        _ => letters,
    };
    let kind = match bare {
        "move" | "moves" | "movement" | "movements" => PhaseKind::Movement,
        "retreat" | "retreats" => PhaseKind::Retreats,
        "adjustment" | "adjustments" | "build" | "builds" => PhaseKind::Adjustments,
        _ => {
            let mut letters = bare.chars();
            match (letters.next(), letters.next()) {
                (Some(letter), None) => PhaseKind::of_letter(letter.to_ascii_uppercase())?,
                _ => return None,
            }
        }
    };
    (!text.in_word(end)).then_some((end, kind))
}

impl fmt::Display for PhaseName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let season = match (self.turn.season, self.kind) {
            (Season::Summer, PhaseKind::Adjustments) => 'S',
            (season, _) => season.letter(),
        };
        let year = self.turn.year;
        write!(
            f,
            "{season}{}{}{}",
            year.unsigned_abs(),
            era(year),
            self.kind.letter()
        )
    }
}

/// What stands behind a year: `3250BC`.
fn era(year: i32) -> &'static str {
    if year < 0 { "BC" } else { "" }
}

impl fmt::Debug for PhaseName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl FromStr for PhaseName {
    type Err = PhaseNameError;

    fn from_str(words: &str) -> Result<Self, PhaseNameError> {
        let text = Text::new(words);
        match Self::read(&text, 0) {
            Some((end, phase)) if text.skip_blanks(end) == text.len() => Ok(phase),
            _ => Err(PhaseNameError(words.to_owned())),
        }
    }
}

impl Serialize for PhaseName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PhaseName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_of_naming_a_phase_is_read() {
        for (words, token, mail) in [
            ("S1902M", "S1902M", "S1902M"),
            ("spring 1902 movement", "S1902M", "S1902M"),
            ("Spring 1902", "S1902M", "S1902M"),
            ("s 1902 m", "S1902M", "S1902M"),
            ("Spring1902R", "S1902R", "S1902R"),
            ("F1901B", "W1901A", "F1901B"),
            ("F1901A", "W1901A", "F1901B"),
            ("W1901A", "W1901A", "F1901B"),
            ("w1901b", "W1901A", "F1901B"),
            ("Winter 1901", "W1901A", "F1901B"),
            ("Fall 1901 builds", "W1901A", "F1901B"),
            ("Autumn 1901 Retreat", "F1901R", "F1901R"),
            ("S1901A", "S1901A", "S1901B"),
            ("U1901A", "S1901A", "S1901B"),
            ("S1901B", "S1901A", "S1901B"),
            ("U1901L", "U1901L", "U1901L"),
            ("W1901L", "W1901L", "W1901L"),
            ("f 1901 q", "F1901Q", "F1901Q"),
            ("F1901QP", "F1901Q", "F1901Q"),
            ("S1901MX", "S1901M", "S1901M"),
            ("W1900A", "W1900A", "F1900B"),
            ("W3250BCA", "W3250BCA", "F3250BCB"),
            ("S3250BCM", "S3250BCM", "S3250BCM"),
        ] {
            let phase: PhaseName = words.parse().unwrap();
            assert_eq!(phase.to_string(), token, "{words}");
            assert_eq!(phase.in_mail(), mail, "{words}");
            assert_eq!(token.parse(), Ok(phase), "{token}");
            assert_eq!(mail.parse(), Ok(phase), "{mail}");
        }
    }

    #[test]
    fn other_words_are_no_phase() {
        for words in [
            "",
            "S",
            "1902",
            "X1902M",
            "S1902X",
            "S1902QQ",
            "Sprung 1902",
            "S123456M",
            "S1902M M",
        ] {
            assert!(words.parse::<PhaseName>().is_err(), "{words}");
        }
    }

    #[test]
    fn phases_come_in_the_order_of_play() {
        let order = [
            "S1901M", "S1901R", "S1901A", "U1901L", "F1901M", "F1901R", "W1901A", "S1902M",
        ];
        let phases: Vec<PhaseName> = order.iter().map(|token| token.parse().unwrap()).collect();
        assert!(phases.is_sorted());
    }
}
