//! The steps of a turn.

use serde::{Deserialize, Serialize};

use dipjudge_rules::calendar::{PhaseKind, Season, Turn};

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
    /// A variant's own step, by its name. The card names it if it may ask somebody (`Card::phases`).
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

    /// Its kind in the names of phases; ownership is part of the adjustments. `None` for a variant's own step.
    pub fn phase_kind(&self) -> Option<PhaseKind> {
        match self {
            Phase::Movement => Some(PhaseKind::Movement),
            Phase::Retreats => Some(PhaseKind::Retreats),
            Phase::Adjustments | Phase::Ownership => Some(PhaseKind::Adjustments),
            Phase::Own(_) => None,
        }
    }

    /// `Movement`, `Retreats`, `Adjustments`: as mails announce the next phase.
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
    fn a_year_has_five_phases() {
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
        let named = |turn| Phase::standard(turn).len();
        assert_eq!([spring, fall, winter].map(named), [2, 3, 1]);
    }
}
