//! Standard Diplomacy: every default of the trait, on a board that everybody sees.

use dipjudge_game::{Adjudication, Card, Course, Described, Game, Hidden, Submissions, Views};

/// The standard game.
pub(super) struct Standard;

/// Its card.
pub(super) const CARD: Card = Card {
    name: "standard",
    title: "Standard",
    called: Some("Diplomacy"),
    rules: include_str!("rules.md"),
    worked_turn: include_str!("worked.json"),
    blind: true,
    ..Card::PLAIN
};

impl Described for Standard {
    fn card(&self) -> &'static Card {
        &CARD
    }
}

impl Course for Standard {}

impl Submissions for Standard {}

impl Adjudication for Standard {}

impl Views for Standard {
    fn hides(&self, _game: &Game) -> &'static [Hidden] {
        &[]
    }
}
