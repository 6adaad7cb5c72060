//! All words of a document, whichever way it is shown: what the last check on the way out searches.

use super::{Block, Document};

impl Document {
    /// All words, of plain text and of HTML.
    pub fn all_words(&self) -> String {
        words_of(&self.0)
    }

    /// The words between the parts that have passed, and before and behind them.
    pub fn around_passed(&self) -> Vec<String> {
        let mut stretches = vec![String::new()];
        gather(&self.0, &mut stretches);
        stretches
    }
}

impl Document {
    /// Puts a sentence in the place of every smallest part that is a secret, those that have passed left alone; says what the
    /// first of them was.
    pub fn take_out(
        &mut self,
        is_secret: &dyn Fn(&str) -> bool,
        instead: &str,
    ) -> Option<&'static str> {
        take_out(&mut self.0, is_secret, instead)
    }
}

fn take_out(
    blocks: &mut [Block],
    is_secret: &dyn Fn(&str) -> bool,
    instead: &str,
) -> Option<&'static str> {
    let mut first = None;
    for block in blocks {
        let taken = match block {
            Block::Passed(_) => None,
            Block::Group(parts) => take_out(parts, is_secret, instead),
            Block::Paragraph(sentences) | Block::Running(sentences) => {
                among(sentences, is_secret, instead).then_some("a sentence")
            }
            Block::List(items) => among(items, is_secret, instead).then_some("an item of a list"),
            Block::Verbatim(text) => {
                let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
                let taken = among(&mut lines, is_secret, instead);
                *text = lines.join("\n");
                taken.then_some("a line")
            }
            other => {
                let taken = is_secret(&block_words(other)).then(|| name(other));
                if taken.is_some() {
                    *other = Block::from(instead);
                }
                taken
            }
        };
        first = first.or(taken);
    }
    first
}

/// Puts a sentence in the place of each text that is a secret; whether any was.
fn among(texts: &mut [String], is_secret: &dyn Fn(&str) -> bool, instead: &str) -> bool {
    let mut any = false;
    for text in texts.iter_mut().filter(|text| is_secret(text)) {
        instead.clone_into(text);
        any = true;
    }
    any
}

/// What the keeper reads of a part of this kind.
fn name(block: &Block) -> &'static str {
    match block {
        Block::Heading(_) => "a heading",
        Block::Table(_) => "a table",
        Block::Words(_) => "a player's words",
        Block::Named(_) => "a list of names",
        Block::Fixed(_) => "a part with columns",
        _ => "a part",
    }
}

impl Block {
    /// All words, of plain text and of HTML.
    pub fn all_words(&self) -> String {
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
