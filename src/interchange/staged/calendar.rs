//! Names of phases in the calendar of a variant.

use crate::commands::phase_name::{PhaseKind, PhaseName, Season as Named};
use crate::game::{Course, Phase, Season, Turn, Variant, asks};

/// The turn that a name means, and which of its phases: several only where the variant has several steps of its own in it.
pub(super) fn read(variant: &dyn Variant, name: &str) -> Result<(Turn, Vec<Phase>), String> {
    let unknown = || {
        format!(
            "`{name}` is not a phase of the {} calendar.",
            variant.title()
        )
    };
    let named: PhaseName = name.parse().map_err(|_| unknown())?;
    let season = match named.season {
        Named::Spring => Season::Spring,
        Named::Summer => Season::Summer,
        Named::Fall => Season::Fall,
        Named::Winter => Season::Winter,
    };
    let turn = Turn {
        year: named.year,
        season,
    };
    // A variant may have its adjustments of summer in the turn of spring: `S1901A` is both.
    let spring =
        (season == Season::Summer && named.kind == PhaseKind::Adjustments).then_some(Turn {
            season: Season::Spring,
            ..turn
        });
    for turn in [turn].into_iter().chain(spring) {
        let phases: Vec<Phase> = variant
            .order_of_play(turn)
            .into_iter()
            .filter(|phase| is_kind(phase, named.kind))
            .collect();
        if !phases.is_empty() {
            return Ok((turn, phases));
        }
    }
    Err(unknown())
}

fn is_kind(phase: &Phase, kind: PhaseKind) -> bool {
    match phase {
        Phase::Movement => kind == PhaseKind::Movement,
        Phase::Retreats => kind == PhaseKind::Retreats,
        Phase::Adjustments => kind == PhaseKind::Adjustments,
        Phase::Own(_) => kind == PhaseKind::Life,
        // Asks nobody, so it is never the phase in hand.
        Phase::Ownership => false,
    }
}

/// Of several steps of the variant, the one that asks somebody now; the last if none does.
pub(super) fn choose(course: &mut Course<'_>, phases: &[Phase]) {
    for phase in phases {
        course.game.phase = phase.clone();
        let asks = asks::asks(&course.game, course.variant);
        if !asks.due.is_empty() || asks.held_anyway {
            return;
        }
    }
}
