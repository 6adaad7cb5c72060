//! The steps of a turn.

use serde::{Deserialize, Serialize};

use crate::calendar::{PhaseKind, PhaseName, Season, Turn};

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
    pub fn standard(turn: Turn) -> &'static [Phase] {
        match turn.season {
            Season::Spring => &[Phase::Movement, Phase::Retreats],
            Season::Fall => &[Phase::Movement, Phase::Retreats, Phase::Ownership],
            Season::Winter => &[Phase::Adjustments],
            Season::Summer => &[],
        }
    }

    /// What is done in it, as names of phases have it; ownership is part of the adjustments.
    pub fn phase_kind(&self) -> PhaseKind {
        match self {
            Phase::Movement => PhaseKind::Movement,
            Phase::Retreats => PhaseKind::Retreats,
            Phase::Adjustments | Phase::Ownership => PhaseKind::Adjustments,
            Phase::Own(_) => PhaseKind::Own,
        }
    }

    /// The name that it has in a turn.
    pub fn name_in(&self, turn: Turn) -> PhaseName {
        PhaseName {
            turn,
            kind: self.phase_kind(),
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
        assert_eq!(Phase::Retreats.name_in(fall).to_string(), "F1901R");
        assert_eq!(Phase::Adjustments.name_in(winter).to_string(), "W1901A");
        assert_eq!(Phase::Adjustments.name_in(winter).in_mail(), "F1901B");
    }
}
