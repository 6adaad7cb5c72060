//! What readers of the game in hand call its powers: by which labels, and that those are given before a mail is made.

use crate::game::Event;
use crate::game::project::{self, Labels, Roster};
use crate::judge::work::{GameWork, Recipient};
use crate::view::Viewer;

impl GameWork<'_, '_> {
    /// What a recipient calls the powers.
    pub(crate) fn labels(&self, to: Recipient) -> Labels<'_> {
        project::labels(self.game(), self.variant(), self.reader(to).viewer)
    }

    /// Those whom somebody may address.
    pub(crate) fn roster(&self, sender: Recipient) -> Roster {
        project::roster(self.game(), self.variant(), self.reader(sender).viewer)
    }

    /// Gives recipients labels for all whom the next mail names to them first. To be done before the mail is made, since
    /// what a projection shows is a matter of the log alone.
    pub(crate) fn give_labels(&mut self, to: &[Recipient]) {
        let viewers: Vec<Viewer> = to.iter().map(|to| self.reader(*to).viewer).collect();
        self.give_labels_to(&viewers);
    }

    /// The same for readers whose seat may be nobody's: what they would have got is kept for HISTORY.
    pub(crate) fn give_labels_to(&mut self, viewers: &[Viewer]) {
        for viewer in viewers {
            for given in project::labels_to_give(self.game(), self.variant(), *viewer) {
                self.emit(Event::Labelled(given));
            }
        }
    }
}
