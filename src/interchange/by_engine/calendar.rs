//! Names of phases in the calendar of a variant.

use crate::calendar::{PhaseKind, PhaseName, Season, Turn};
use crate::game::{GameEdit, Phase, Variant, requirements};

/// The turn that a name means, and which of its phases: several only where the variant has several steps of its own in it.
pub(super) fn read(variant: &dyn Variant, name: &str) -> Result<(Turn, Vec<Phase>), String> {
    let unknown = || {
        format!(
            "`{name}` is not a phase of the {} calendar.",
            variant.card().title
        )
    };
    let PhaseName { turn, kind } = name.parse().map_err(|_| unknown())?;
    // A variant may have its adjustments of summer in the turn of spring: `S1901A` is both.
    let spring =
        (turn.season == Season::Summer && kind == PhaseKind::Adjustments).then_some(Turn {
            season: Season::Spring,
            ..turn
        });
    for turn in [turn].into_iter().chain(spring) {
        let phases: Vec<Phase> = variant
            .order_of_play(turn)
            .into_iter()
            // Ownership asks nobody, so it is never the phase in hand.
            .filter(|phase| *phase != Phase::Ownership && phase.phase_kind() == kind)
            .collect();
        if !phases.is_empty() {
            return Ok((turn, phases));
        }
    }
    Err(unknown())
}

/// Of several steps of the variant, the one that asks somebody now; the last if none does.
pub(super) fn choose(edit: &mut GameEdit<'_>, phases: &[Phase]) {
    for phase in phases {
        edit.game.phase = phase.clone();
        let requirements = requirements::of(&edit.game, edit.variant);
        if !requirements.due.is_empty() || requirements.held_anyway {
            return;
        }
    }
}
