//! Standard Diplomacy: every default of the trait, on a board that everybody sees.

use crate::game::{Game, Horizon, Variant};
use crate::view::Viewer;

/// The standard game.
pub(super) struct Standard;

impl Variant for Standard {
    fn name(&self) -> &'static str {
        "standard"
    }

    fn title(&self) -> &'static str {
        "Standard"
    }

    fn called(&self) -> &'static str {
        "Diplomacy"
    }

    fn rules(&self) -> &'static str {
        include_str!("rules.md")
    }

    fn blind(&self) -> bool {
        true
    }

    fn horizon(&self, _game: &Game, _viewer: Viewer) -> Option<Horizon> {
        None
    }
}
