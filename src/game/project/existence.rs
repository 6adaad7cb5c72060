//! Who exists, to readers who may not know of everybody (`visibility.md` 3, existence hidden). Lists and letters
//! ask here, and so none of them has a rule of its own.

use std::collections::BTreeSet;

use super::labels::{labels, roster};
use crate::planted::{Leak, planted};
use crate::{Game, Variant};
use dipjudge_rules::map::Power;
use dipjudge_view::Viewer;

/// Whether it is hidden from a reader, as the game now is, who else exists.
pub fn hides_existence(game: &Game, variant: &dyn Variant, viewer: Viewer) -> bool {
    variant.hides_existence(game) && !game.over() && viewer != Viewer::Master
}

/// The powers that a reader may know of, by their numbers: all; where it is hidden who exists, those he has labels for.
pub fn known_powers(game: &Game, variant: &dyn Variant, viewer: Viewer) -> Vec<Power> {
    if !hides_existence(game, variant, viewer) || planted(Leak::Existence) {
        return game.all_powers().collect();
    }
    let himself = Viewer::Power;
    let labels = variant
        .own_labels()
        .map(|_| labels(game, variant, viewer))
        .map(|labels| labels.known().collect::<BTreeSet<Power>>());
    let known = |power: &Power| match &labels {
        Some(labels) => labels.contains(power),
        None => viewer == himself(*power),
    };
    game.all_powers().filter(known).collect()
}

/// The powers that a list of addressees may name to a reader: all; where it is hidden who exists, himself and those whom he
/// may address himself.
pub fn told_in_lists(game: &Game, variant: &dyn Variant, viewer: Viewer) -> BTreeSet<Power> {
    if !hides_existence(game, variant, viewer) || planted(Leak::Addressees) {
        return game.all_powers().collect();
    }
    let may_be_addressed = roster(game, variant, viewer);
    let known = known_powers(game, variant, viewer).into_iter();
    let himself = |power: &Power| viewer == Viewer::Power(*power);
    known
        .filter(|power| himself(power) || may_be_addressed.info(*power).is_some())
        .collect()
}

#[cfg(test)]
mod tests;
