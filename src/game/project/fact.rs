//! Facts as one reader reads them.

use super::{Reader, labels};
use crate::game::{Fact, FactPart, Game, Variant};

/// A sentence with the names by which this reader knows the powers.
pub fn fact(game: &Game, variant: &dyn Variant, reader: &Reader, fact: &Fact) -> String {
    let labels = labels(game, variant, reader.viewer);
    let part = |part: &FactPart| match part {
        FactPart::Words(words) => words.clone(),
        FactPart::Power(power) => labels.name(*power).to_owned(),
    };
    fact.parts().iter().map(part).collect()
}
