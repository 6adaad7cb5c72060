//! Names of phases.

use super::{Season, Turn};
use crate::text::Text;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The kind of a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PhaseKind {
    /// Moves, letter `M`.
    Movement,
    /// Retreats of dislodged units, letter `R`.
    Retreats,
    /// Builds and removals, letter `A`, or `B` in [`PhaseName::in_mail`].
    Adjustments,
    /// A kind that only a variant has, with its capital letter.
    Own(char),
}

impl PhaseKind {
    /// The kinds of the standard game, in the order of play.
    pub const STANDARD: [Self; 3] = [Self::Movement, Self::Retreats, Self::Adjustments];

    /// The kind with this capital letter. `P` and `X` are no kinds: they follow the letter of the kind if a game is paused or
    /// over.
    pub fn of_letter(letter: char) -> Option<Self> {
        match letter {
            'M' => Some(Self::Movement),
            'R' => Some(Self::Retreats),
            'A' | 'B' => Some(Self::Adjustments),
            'P' | 'X' => None,
            letter => letter.is_ascii_uppercase().then_some(Self::Own(letter)),
        }
    }

    /// The letter in names of phases: the `M` of `S1901M`.
    pub fn letter(self) -> char {
        match self {
            Self::Movement => 'M',
            Self::Retreats => 'R',
            Self::Adjustments => 'A',
            Self::Own(letter) => letter,
        }
    }
}

/// The name of a phase: a season, a year and a kind. Names are ordered as phases are played. That there is a name does not mean
/// that a game has such a phase.
///
/// `Display` and serialisation give names such as `W1901A`, and [`PhaseName::in_mail`] gives `F1901B` for the same phase. Both
/// can be read, and so can `Winter 1901`, `fall 1901 builds` and the like:
///
/// ```
/// use dipjudge_rules::calendar::PhaseName;
///
/// let winter: PhaseName = "Winter 1901".parse()?;
/// assert_eq!(winter.to_string(), "W1901A");
/// assert_eq!(winter.in_mail(), "F1901B");
/// assert!(winter > "F1901M".parse()?);
/// # Ok::<(), dipjudge_rules::calendar::PhaseNameError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PhaseName {
    /// The season and the year.
    pub turn: Turn,
    /// The kind of phase within the turn.
    pub kind: PhaseKind,
}

/// The error for a text that is not the name of a phase.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not the name of a phase")]
pub struct PhaseNameError(String);

impl PhaseName {
    /// The phase of this kind in a turn. Adjustments in spring are taken as those of summer, adjustments in fall as those of
    /// winter.
    pub fn new(turn: Turn, kind: PhaseKind) -> Self {
        Self::of(turn.season, turn.year, Some(kind))
    }

    /// The name in the notation of email judges, which mapping programs expect: `F1901B` for the adjustments of winter,
    /// `S1901B` for those of summer.
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

    /// Reads the name of a phase that begins at a position of the text. Returns the position after it, and the phase.
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
        // Other words after the year do not belong to the name.
        let (at, kind) = match part(text, at) {
            Some((end, kind)) => (end, Some(kind)),
            None if text.in_word(at) => return None,
            None => (at, None),
        };
        Some((at, Self::of(season, year, kind)))
    }

    /// The position after the name of a phase or year that begins here: one that [`PhaseName::read`] reads, or a year such as
    /// `3250BC` or `AD 251`.
    pub fn end(text: &Text<'_>, at: usize) -> Option<usize> {
        let of_season = Self::read(text, at).map(|(end, _)| end);
        of_season.or_else(|| end_of_era(text, at))
    }

    /// The phase of this kind; without a kind, movement in spring and fall and adjustments in summer and winter.
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

/// The position after `3250BC`, `AD 251` or `251 AD`.
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

/// The kind of phase after the year. Its letter may be followed by `P` or `X`, for a game that is paused or over.
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

/// The letters after a year: `3250BC`.
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
