//! Sentences as one reader reads them.

use super::{Reader, labels, leader_shown};
use crate::{Game, Sentence, SentencePart, Variant};

/// A sentence with the names by which this reader knows the powers.
pub fn sentence(
    game: &Game,
    variant: &dyn Variant,
    reader: &Reader,
    sentence: &Sentence,
) -> String {
    let labels = labels(game, variant, reader.viewer);
    let part = |part: &SentencePart| match part {
        SentencePart::Words(words) => words.clone(),
        SentencePart::Power(power) => labels.name(*power).to_owned(),
        SentencePart::Powers(powers) => {
            let mut names: Vec<&str> = powers.iter().map(|power| labels.name(*power)).collect();
            names.sort_unstable();
            names.join(", ")
        }
        SentencePart::Leader(power) => leader_shown(game, variant, reader, *power)
            .map_or_else(String::new, |leader| format!("  Its leader: {leader}.")),
    };
    sentence.parts().iter().map(part).collect()
}
