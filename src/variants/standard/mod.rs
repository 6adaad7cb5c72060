//! Standard Diplomacy: every default of the trait, on a board that everybody sees.

use crate::game::{Card, Game, Horizon, Variant};
use crate::view::Viewer;

/// The standard game.
pub(super) struct Standard;

/// Its card.
pub(super) const CARD: Card = Card {
    name: "standard",
    title: "Standard",
    called: Some("Diplomacy"),
    rules: include_str!("rules.md"),
    blind: true,
    ..Card::PLAIN
};

impl Variant for Standard {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn horizon(&self, _game: &Game, _viewer: Viewer) -> Option<Horizon> {
        None
    }
}
