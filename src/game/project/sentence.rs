//! Sentences as one reader reads them.

use super::ReaderView;
use crate::{Sentence, SentencePart};

impl ReaderView<'_> {
    /// A sentence with the names by which this reader knows the powers.
    pub fn sentence(self, sentence: &Sentence) -> String {
        let labels = self.view().labels();
        let part = |part: &SentencePart| match part {
            SentencePart::Words(words) => words.clone(),
            SentencePart::Power(power) => labels.name(*power).to_owned(),
            SentencePart::Powers(powers) => {
                let mut names: Vec<&str> = powers.iter().map(|power| labels.name(*power)).collect();
                names.sort_unstable();
                names.join(", ")
            }
            SentencePart::Leader(power) => self
                .leader_shown(*power)
                .map_or_else(String::new, |leader| format!("  Its leader: {leader}.")),
        };
        sentence.parts().iter().map(part).collect()
    }
}
