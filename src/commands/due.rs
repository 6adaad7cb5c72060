//! What is due when lines of orders are read.

use super::parse_error::word;
use dipjudge_game::Phase;
use dipjudge_rules::calendar::PhaseKind;

/// What lines of orders are read for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Due {
    /// The kind of phase whose orders are read beside the variant's own lines. None where nothing but those can be given: in
    /// a phase of the variant's own, and at a table that is forming, which is in no phase.
    pub(super) orders: Option<PhaseKind>,
    /// What is due, in a sentence: `movement`.
    pub(super) called: String,
}

impl Due {
    /// In a phase of a game.
    pub fn in_phase(phase: &Phase) -> Due {
        Due {
            orders: phase.phase_kind(),
            called: phase.kind().to_lowercase(),
        }
    }

    /// Before the start, and wherever else no line but the variant's own is asked for.
    pub fn own_lines() -> Due {
        Due {
            orders: None,
            called: String::new(),
        }
    }
}

impl From<PhaseKind> for Due {
    fn from(kind: PhaseKind) -> Due {
        Due {
            orders: Some(kind).filter(|kind| rule_for(*kind).is_some()),
            called: word(kind).to_owned(),
        }
    }
}

/// The rule that reads the orders of a kind of phase.
pub(super) fn rule_for(phase: PhaseKind) -> Option<&'static str> {
    match phase {
        PhaseKind::Movement => Some("movement"),
        PhaseKind::Retreats => Some("retreat"),
        PhaseKind::Adjustments => Some("adjustment"),
        PhaseKind::Own(_) => None,
    }
}
