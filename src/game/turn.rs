//! Turns and phases, and how they are written.

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

/// A step in a turn's order of play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// Units move.
    Movement,
    /// Dislodged units retreat.
    Retreats,
    /// Centers change owners; asks nobody.
    Ownership,
    /// Builds and removals.
    Adjustments,
    /// A variant's own step, by its name.
    Own(String),
}

impl Phase {
    /// The standard order of play of a turn.
    pub fn standard(turn: Turn) -> Vec<Phase> {
        match turn.season {
            Season::Spring => vec![Phase::Movement, Phase::Retreats],
            Season::Fall => vec![Phase::Movement, Phase::Retreats, Phase::Ownership],
            Season::Winter => vec![Phase::Adjustments],
            Season::Summer => vec![],
        }
    }

    /// `M R A`, and `L` for a step of a variant that asks somebody; none for ownership.
    pub fn letter(&self) -> char {
        match self {
            Phase::Movement => 'M',
            Phase::Retreats => 'R',
            Phase::Adjustments | Phase::Ownership => 'A',
            Phase::Own(_) => 'L',
        }
    }

    /// `Movement`, `Retreats`, `Adjustments`: as the next phase is announced.
    pub fn title(&self) -> &str {
        match self {
            Phase::Movement => "Movement",
            Phase::Retreats => "Retreats",
            Phase::Adjustments | Phase::Ownership => "Adjustments",
            Phase::Own(name) => name,
        }
    }

    /// `Movement`, `Retreat`, `Adjustment`: before "orders" and "results".
    pub fn kind(&self) -> &str {
        match self {
            Phase::Movement => "Movement",
            Phase::Retreats => "Retreat",
            Phase::Adjustments | Phase::Ownership => "Adjustment",
            Phase::Own(name) => name,
        }
    }
}

/// A turn's phase as files and JSON write it: `W1901A`.
pub fn token(turn: Turn, phase: &Phase) -> String {
    format!("{}{}{}", turn.season.letter(), turn.year, phase.letter())
}

/// A turn's phase as mails write it: nJudge's `F1901B` for the adjustments of Winter 1901, since mapping tools
/// expect it (README, Decided 4).
pub fn mail_token(turn: Turn, phase: &Phase) -> String {
    match (turn.season, phase) {
        (Season::Winter, Phase::Adjustments) => format!("F{}B", turn.year),
        _ => token(turn, phase),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_year_has_five_phases_and_two_spellings_of_winter() {
        let spring = Turn {
            year: 1901,
            season: Season::Spring,
        };
        let fall = spring.next();
        let winter = fall.next();
        assert_eq!(
            winter.next(),
            Turn {
                year: 1902,
                season: Season::Spring
            }
        );
        assert_eq!(token(fall, &Phase::Retreats), "F1901R");
        assert_eq!(token(winter, &Phase::Adjustments), "W1901A");
        assert_eq!(mail_token(winter, &Phase::Adjustments), "F1901B");
    }
}
