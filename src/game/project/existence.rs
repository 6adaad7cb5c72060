//! Who exists, to readers who may not know of everybody (`visibility.md` 3, existence hidden). Lists, letters and the last check
//! of a mail ask here, and so none of them has a rule of its own.

use std::collections::BTreeSet;

use super::labels::{Labels, alike, labels, roster};
use crate::game::{Game, Variant};
use crate::map::Power;
use crate::planted::{Leak, planted};
use crate::view::Viewer;

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

/// Names that a reader must not find in what the judge writes: those that the variant says, and what powers would be called
/// of whom he is not to know, as far as he calls nobody else so.
pub fn hidden_names(game: &Game, variant: &dyn Variant, viewer: Viewer) -> Vec<String> {
    let mut hidden = variant.hidden_names(game, viewer);
    let own = variant.own_labels().filter(|_| game.begun());
    let Some(own) = own.filter(|_| hides_existence(game, variant, viewer)) else {
        return hidden;
    };
    let labels: Labels = labels(game, variant, viewer);
    let known: BTreeSet<Power> = labels.known().collect();
    let unknown = game.all_powers().filter(|power| !known.contains(power));
    let called_so = |name: &String| known.iter().any(|one| alike(labels.name(*one), name));
    hidden.extend(
        unknown
            .map(|power| own.wanted(game, power))
            .filter(|name| !called_so(name)),
    );
    hidden
}

#[cfg(test)]
mod tests;
