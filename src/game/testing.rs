//! A variant for unit tests.

use super::{Adjudication, Card, Course, Described, Game, Interchange, Submissions, Views};

/// The standard game.
pub(crate) struct Plain;

impl Described for Plain {
    fn card(&self) -> &'static Card {
        &Card::PLAIN
    }
}

impl Course for Plain {}

impl Submissions for Plain {}

impl Adjudication for Plain {}

impl Views for Plain {
    fn hides_board(&self, _: &Game) -> bool {
        false
    }
}

impl Interchange for Plain {}
