//! A variant for unit tests.

use super::{
    Adjudication, Card, Course, Described, Event, Game, GameEdit, Hidden, Submissions, Views,
    phases,
};
use dipjudge_rules::map::Power;
use dipjudge_rules::orders::Action;

/// Orders all units of the selected powers to hold.
pub(crate) fn hold(edit: &mut GameEdit, selects: impl Fn(Power) -> bool) {
    for unit in edit.game.position.units.clone() {
        if selects(unit.power) {
            edit.emit(Event::Ordered {
                power: unit.power,
                unit: unit.id,
                action: Action::Hold,
                named: None,
            });
        }
    }
    phases::settle(edit);
}

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
    fn hides(&self, _: &Game) -> &'static [Hidden] {
        &[]
    }
}
