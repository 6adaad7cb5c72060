//! All words of a document, whichever way it is shown: what the last check on the way out searches.

use super::{Block, Document};

impl Document {
    /// All words, of plain text and of HTML.
    pub(crate) fn all_words(&self) -> String {
        words_of(&self.0)
    }

    /// The words between the parts that have passed, and before and behind them.
    pub(crate) fn around_passed(&self) -> Vec<String> {
        let mut stretches = vec![String::new()];
        gather(&self.0, &mut stretches);
        stretches
    }
}

impl Block {
    /// All words, of plain text and of HTML.
    pub(crate) fn all_words(&self) -> String {
        words_of(std::slice::from_ref(self))
    }
}

fn words_of(blocks: &[Block]) -> String {
    blocks
        .iter()
        .map(block_words)
        .collect::<Vec<_>>()
        .join("\n")
}

fn block_words(block: &Block) -> String {
    match block {
        Block::Fixed(fixed) => format!("{}\n{}", fixed.text, words_of(&fixed.shown)),
        Block::Group(parts) | Block::Passed(parts) => words_of(parts),
        other => other.text(),
    }
}

fn gather(blocks: &[Block], stretches: &mut Vec<String>) {
    for block in blocks {
        match (block, stretches.last_mut()) {
            (Block::Passed(_), _) => stretches.push(String::new()),
            (Block::Group(parts), _) => gather(parts, stretches),
            (other, Some(stretch)) => {
                stretch.push_str(&block_words(other));
                stretch.push('\n');
            }
            (_, None) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Fixed;
    use super::*;

    #[test]
    fn what_only_html_shows_is_searched_and_what_has_passed_is_not() {
        let document = Document(vec![
            Block::from("Before."),
            Block::Group(vec![
                Block::Passed(vec![Block::from("Hidden.")]),
                Block::Fixed(Fixed {
                    text: "Lines.".to_owned(),
                    shown: vec![Block::from("Shown.")],
                }),
            ]),
        ]);
        assert_eq!(document.around_passed(), ["Before.\n", "Lines.\nShown.\n"]);
        assert_eq!(document.all_words(), "Before.\nHidden.\nLines.\nShown.");
        assert_eq!(document.text(), "Before.\n\nHidden.\nLines.");
    }
}
