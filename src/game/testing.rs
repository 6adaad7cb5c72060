//! A variant for unit tests.

use super::{
    Adjudication, Card, Course, Described, Game, Horizon, Interchange, Submissions, Views,
};
use crate::view::Viewer;

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
    fn horizon(&self, _: &Game, _: Viewer) -> Option<Horizon> {
        None
    }
}

impl Interchange for Plain {}
