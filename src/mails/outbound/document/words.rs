//! All words of a document, in plain text and in HTML: what the last check before sending searches.

use super::{Block, Document};

impl Document {
    /// All words, of plain text and of HTML.
    pub fn all_words(&self) -> String {
        words_of(&self.0)
    }

    /// The words of each stretch of parts that were not checked before: before, between and after the checked parts.
    pub fn unchecked_words(&self) -> Vec<String> {
        let mut stretches = vec![String::new()];
        gather(&self.0, &mut stretches);
        stretches
    }
}

impl Document {
    /// Replaces every smallest part that is a secret by a sentence, except checked parts. Returns the kind of the first one
    /// replaced.
    pub fn replace_secrets(
        &mut self,
        is_secret: &dyn Fn(&str) -> bool,
        instead: &str,
    ) -> Option<&'static str> {
        replace_secrets(&mut self.0, is_secret, instead)
    }
}

fn replace_secrets(
    blocks: &mut [Block],
    is_secret: &dyn Fn(&str) -> bool,
    instead: &str,
) -> Option<&'static str> {
    let mut first = None;
    for block in blocks {
        let taken = match block {
            Block::Checked(_) => None,
            Block::Group(parts) => replace_secrets(parts, is_secret, instead),
            Block::Paragraph(sentences) | Block::KeptLines(sentences) => {
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

/// Replaces each text that is a secret by a sentence; returns whether any was.
fn among(texts: &mut [String], is_secret: &dyn Fn(&str) -> bool, instead: &str) -> bool {
    let mut any = false;
    for text in texts.iter_mut().filter(|text| is_secret(text)) {
        instead.clone_into(text);
        any = true;
    }
    any
}

/// The name of this kind of part, for the keeper.
fn name(block: &Block) -> &'static str {
    match block {
        Block::Heading(_) => "a heading",
        Block::Table(_) => "a table",
        Block::PlayerWords(_) => "a player's words",
        Block::NameList(_) => "a list of names",
        Block::FixedLines(_) => "a part with columns",
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
        Block::FixedLines(fixed) => format!("{}\n{}", fixed.text, words_of(&fixed.html)),
        Block::Group(parts) | Block::Checked(parts) => words_of(parts),
        other => other.text(),
    }
}

fn gather(blocks: &[Block], stretches: &mut Vec<String>) {
    for block in blocks {
        match (block, stretches.last_mut()) {
            (Block::Checked(_), _) => stretches.push(String::new()),
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
    use super::super::FixedLines;
    use super::*;

    #[test]
    fn what_only_html_shows_is_searched_and_checked_parts_are_not() {
        let document = Document(vec![
            Block::from("Before."),
            Block::Group(vec![
                Block::Checked(vec![Block::from("Hidden.")]),
                Block::FixedLines(FixedLines {
                    text: "Lines.".to_owned(),
                    html: vec![Block::from("Shown.")],
                }),
            ]),
        ]);
        assert_eq!(
            document.unchecked_words(),
            ["Before.\n", "Lines.\nShown.\n"]
        );
        assert_eq!(document.all_words(), "Before.\nHidden.\nLines.\nShown.");
        assert_eq!(document.text(), "Before.\n\nHidden.\nLines.");
    }
}
