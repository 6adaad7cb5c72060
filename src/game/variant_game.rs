//! A game together with the variant by whose rules it is played.

use crate::{Game, Variant};

/// A game and its variant. Its methods depend on both; methods that also depend on the reader are those of the values that
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
