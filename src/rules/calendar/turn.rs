//! Seasons and turns.

use serde::{Deserialize, Serialize};

/// A season. The standard game has no turns in summer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Season {
    /// Moves, then retreats.
    Spring,
    /// Used by variants for turns between Spring and Fall.
    Summer,
    /// Moves, retreats, then ownership of centers.
    Fall,
    /// Adjustments.
    Winter,
}

impl Season {
    /// All of them, in the order of a year.
    pub const ALL: [Season; 4] = [Season::Spring, Season::Summer, Season::Fall, Season::Winter];

    /// The letter in names of phases: `S`, `U` (summer), `F` or `W`.
    pub fn letter(self) -> char {
        match self {
            Season::Spring => 'S',
            Season::Summer => 'U',
            Season::Fall => 'F',
            Season::Winter => 'W',
        }
    }
}

impl std::fmt::Display for Season {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Season::Spring => "Spring",
            Season::Summer => "Summer",
            Season::Fall => "Fall",
            Season::Winter => "Winter",
        })
    }
}

/// A season of a year. Turns are ordered in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Turn {
    /// The year; negative before the Common Era.
    pub year: i32,
    /// The season within the year.
    pub season: Season,
}

impl Turn {
    /// The next turn of the standard calendar: Spring, Fall, Winter.
    pub fn next(self) -> Turn {
        match self.season {
            Season::Spring | Season::Summer => Turn {
                season: Season::Fall,
                ..self
            },
            Season::Fall => Turn {
                season: Season::Winter,
                ..self
            },
            Season::Winter => Turn {
                year: self.year + 1,
                season: Season::Spring,
            },
        }
    }
}
