//! Who exists, to readers who may not know of everybody (`visibility.md` 3, existence hidden). Lists and letters
//! ask here, and so none of them has a rule of its own.

use std::collections::BTreeSet;

use super::GameView;
use crate::planted::{Leak, planted};
use dipjudge_rules::map::Power;
use dipjudge_view::Viewer;

impl GameView<'_> {
    /// Whether it is hidden from a reader, as the game now is, who else exists.
    pub fn hides_existence(self) -> bool {
        self.variant.hides_existence(self.game)
            && !self.game.over()
            && self.viewer != Viewer::Master
    }

    /// The powers that a reader may know of, by their numbers: all; where it is hidden who exists, those he has labels for.
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

    /// The powers that a list of addressees may name to a reader: all; where it is hidden who exists, himself and those whom he
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
