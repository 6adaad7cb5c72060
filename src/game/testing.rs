//! A game and a variant for unit tests.

use jiff::Timestamp;

use super::{
    Adjudication, Card, Course, Described, Event, Game, GameEdit, Hidden, Seed, Submissions, Views,
    apply, phases,
};
use dipjudge_rules::map::Power;
use dipjudge_rules::orders::Action;

/// Orders all units of the selected powers to hold.
pub fn hold(edit: &mut GameEdit, selects: impl Fn(Power) -> bool) {
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

/// A game that was just made, with a fixed seed.
pub fn created(name: &str) -> Game {
    let made = Card::PLAIN.created(name, Seed::new([7; 32]));
    apply::create(&made, Timestamp::UNIX_EPOCH).unwrap()
}

/// The standard game.
pub struct Plain;

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
