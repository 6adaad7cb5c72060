//! Which powers a reader may know of, where existence is hidden (`visibility.md` 3). Lists and letters ask here and have no
//! rules of their own.

use std::collections::BTreeSet;

use super::GameView;
use crate::planted::{Leak, planted};
use dipjudge_rules::map::Power;
use dipjudge_view::Viewer;

impl GameView<'_> {
    /// Whether the existence of other powers is hidden from a reader at the moment.
    pub fn hides_existence(self) -> bool {
        self.variant.hides_existence(self.game)
            && !self.game.over()
            && self.viewer != Viewer::Master
    }

    /// The powers that a reader may know of, by their numbers: all, or, where existence is hidden, those he has labels for.
    pub fn known_powers(self) -> Vec<Power> {
        if !self.hides_existence() || planted(Leak::Existence) {
            return self.game.all_powers().collect();
        }
        let himself = Viewer::Power;
        let labels = self
            .variant
            .own_labels()
            .map(|_| self.labels())
            .map(|labels| labels.known().collect::<BTreeSet<Power>>());
        let known = |power: &Power| match &labels {
            Some(labels) => labels.contains(power),
            None => self.viewer == himself(*power),
        };
        self.game.all_powers().filter(known).collect()
    }

    /// The powers that a list of addressees may name to a reader: all, or, where existence is hidden, his own and those that he
    /// may address himself.
    pub fn told_in_lists(self) -> BTreeSet<Power> {
        if !self.hides_existence() || planted(Leak::Addressees) {
            return self.game.all_powers().collect();
        }
        let may_be_addressed = self.roster();
        let known = self.known_powers().into_iter();
        let himself = |power: &Power| self.viewer == Viewer::Power(*power);
        known
            .filter(|power| himself(power) || may_be_addressed.info(*power).is_some())
            .collect()
    }
}

#[cfg(test)]
mod tests;
