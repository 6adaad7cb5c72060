//! Whether the value of a variant's setting leaves a place for everybody who has joined a forming game.

use crate::work::GameWork;
use crate::work::acting::{Refusal, refuse};
use dipjudge_game::{LeaderNeed, Role, VariantGame};
use dipjudge_view::Viewer;

/// Refuses a value that would take away a power that a player has chosen, or leave too few places.
pub(super) fn check(work: &GameWork, name: &str, value: &str) -> Result<(), Refusal> {
    let variant = work.variant();
    let mut after = work.game().clone();
    after.settings.own.insert(name.to_owned(), value.to_owned());
    let closed =
        |power: &_| VariantGame::new(&after, variant).need_of(*power) == LeaderNeed::Closed;
    let mut chosen = after.seated(Role::Player).filter_map(|seat| seat.chosen);
    if let Some(power) = chosen.find(closed) {
        let labels = VariantGame::new(&after, variant)
            .seen_by(Viewer::Stranger)
            .labels();
        return refuse(format!(
            "A player has chosen {} already, so it stays in the game.",
            labels.name(power)
        ));
    }
    let (before, now) = (
        VariantGame::new(work.game(), variant).players(),
        VariantGame::new(&after, variant).players(),
    );
    let seated = after.seated(Role::Player).count();
    if now != before && seated > *now.end() {
        return refuse(format!(
            "There are {seated} players already, and then there would be places for {}.",
            now.end()
        ));
    }
    Ok(())
}
