//! A game together with the variant by whose rules it is played.

use crate::{Game, Variant};

/// A game and its variant. What depends on both is asked here; what depends on the reader too is asked of what
/// [`VariantGame::seen_by`] and [`VariantGame::read_by`] return.
#[derive(Clone, Copy)]
pub struct VariantGame<'g> {
    pub(crate) game: &'g Game,
    pub(crate) variant: &'g dyn Variant,
}

impl<'g> VariantGame<'g> {
    /// A game and the variant that it is played by.
    pub fn new(game: &'g Game, variant: &'g dyn Variant) -> VariantGame<'g> {
        VariantGame { game, variant }
    }
}
