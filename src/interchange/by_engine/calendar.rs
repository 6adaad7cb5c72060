//! Names of phases in the calendar of a variant.

use dipjudge_game::{DataError, GameEdit, Phase, Variant, phases_named};
use dipjudge_rules::calendar::{PhaseName, Turn};

/// The turn of a name, and its phases: several only if the variant gives several phases of a turn the same name.
pub(super) fn read(variant: &dyn Variant, name: &str) -> Result<(Turn, Vec<Phase>), DataError> {
    let unknown = || {
        format!(
            "`{name}` is not a phase of the {} calendar.",
            variant.card().title
        )
    };
    let name: PhaseName = name.parse().map_err(|_| unknown())?;
    let found = phases_named(variant, name);
    let (turn, _) = *found.first().ok_or_else(unknown)?;
    let of_turn = found.into_iter().filter(|(of, _)| *of == turn);
    Ok((turn, of_turn.map(|(_, phase)| phase).collect()))
}

/// The one of several steps of the variant that asks somebody now, or the last if none does.
pub(super) fn choose(edit: &mut GameEdit<'_>, phases: &[Phase]) {
    for (index, phase) in phases.iter().enumerate() {
        edit.game.phase = phase.clone();
        if index + 1 == phases.len() {
            return;
        }
        let requirements = edit.variant_game().requirements();
        if !requirements.due.is_empty() || requirements.held_anyway {
            return;
        }
    }
}
