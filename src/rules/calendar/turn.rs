//! Seasons and turns.

use serde::{Deserialize, Serialize};

/// A season. Summer is used by variants only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Season {
    /// Moves, then retreats.
    Spring,
    /// Between Spring and Fall, in variants.
    Summer,
    /// Moves, retreats, then ownership of centers.
    Fall,
    /// Adjustments.
    Winter,
}

impl Season {
    /// All of them, in the order of a year.
    pub const ALL: [Season; 4] = [Season::Spring, Season::Summer, Season::Fall, Season::Winter];

    /// `S U F W` (README, Decided 4).
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

/// A season of a year. Every variant numbers its turns so; what players call them is the variant's `date`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Turn {
    /// The year.
    pub year: i32,
    /// The season.
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
