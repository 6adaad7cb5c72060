//! Names of phases in saved games: `S1901M`, `F1901R`, `W1901A`.

use std::fmt;
use std::str::FromStr;

/// The part of the year.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Season {
    /// `S`
    Spring,
    /// `F`
    Fall,
    /// `W`
    Winter,
}

/// What is decided in a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PhaseKind {
    /// `M`
    Movement,
    /// `R`
    Retreats,
    /// `A`
    Adjustments,
}

/// A phase of the standard calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PhaseName {
    /// Which part of the year.
    pub season: Season,
    /// Which year.
    pub year: u32,
    /// What is decided.
    pub kind: PhaseKind,
}

impl PhaseName {
    /// The phase after this one, whether or not there is anything to decide in it.
    #[must_use]
    pub fn following(self) -> Self {
        use {PhaseKind as K, Season as S};
        let (season, kind) = match (self.season, self.kind) {
            (S::Spring, K::Movement) => (S::Spring, K::Retreats),
            (S::Spring, _) => (S::Fall, K::Movement),
            (S::Fall, K::Movement) => (S::Fall, K::Retreats),
            (S::Fall, _) => (S::Winter, K::Adjustments),
            (S::Winter, _) => (S::Spring, K::Movement),
        };
        Self {
            season,
            kind,
            year: if self.season == S::Winter {
                self.year.saturating_add(1)
            } else {
                self.year
            },
        }
    }
}

impl fmt::Display for PhaseName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let season = match self.season {
            Season::Spring => 'S',
            Season::Fall => 'F',
            Season::Winter => 'W',
        };
        let kind = match self.kind {
            PhaseKind::Movement => 'M',
            PhaseKind::Retreats => 'R',
            PhaseKind::Adjustments => 'A',
        };
        write!(f, "{season}{}{kind}", self.year)
    }
}

/// A text that names no phase of the standard calendar.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a phase of the standard calendar, as S1901M, F1901R or W1901A")]
pub struct NoPhase(String);

impl FromStr for PhaseName {
    type Err = NoPhase;

    fn from_str(text: &str) -> Result<Self, NoPhase> {
        let error = || NoPhase(text.to_owned());
        let mut year = text.chars();
        let season = year.next().ok_or_else(error)?.to_ascii_uppercase();
        let kind = year.next_back().ok_or_else(error)?.to_ascii_uppercase();
        let year = year.as_str();
        if !year.bytes().all(|digit| digit.is_ascii_digit()) {
            return Err(error());
        }
        let year = year.parse().map_err(|_| error())?;
        let (season, kind) = match (season, kind) {
            ('S', 'M') => (Season::Spring, PhaseKind::Movement),
            ('S', 'R') => (Season::Spring, PhaseKind::Retreats),
            ('F', 'M') => (Season::Fall, PhaseKind::Movement),
            ('F', 'R') => (Season::Fall, PhaseKind::Retreats),
            // Mails write F1901B for the same phase.
            ('W', 'A') | ('F', 'B') => (Season::Winter, PhaseKind::Adjustments),
            _ => return Err(error()),
        };
        Ok(Self { season, year, kind })
    }
}
