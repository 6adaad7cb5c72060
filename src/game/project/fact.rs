//! Facts as one reader reads them.

use super::Reader;
use crate::game::{Fact, FactPart, Game};

/// A sentence with the names by which this reader knows the powers.
pub fn fact(game: &Game, _reader: &Reader, fact: &Fact) -> String {
    let part = |part: &FactPart| match part {
        FactPart::Words(words) => words.clone(),
        FactPart::Power(power) => game.power_name(*power).to_owned(),
    };
    fact.parts().iter().map(part).collect()
}
