//! What a mail says, part by part: read from Markdown (`markdown`), told in plain text (`text`).

mod markdown;
mod text;

pub(super) use markdown::{escaped, read};

/// A text of parts, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document(pub Vec<Block>);

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// The line above what belongs together.
    Heading(String),
    /// Sentences, of which each begins a line of its own.
    Paragraph(Vec<String>),
    /// Items, a line each.
    List(Vec<String>),
    /// Columns.
    Table(Table),
    /// Lines that are printed as they are.
    Verbatim(String),
}

/// Rows of cells; each row has as many as there are columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// On which side the cells of each column stand.
    pub sides: Vec<Side>,
    /// The names of the columns; all empty where they have none.
    pub head: Vec<String>,
    /// The rows below.
    pub rows: Vec<Vec<String>>,
}

/// A side of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

impl Document {
    /// Adds a part at the end.
    pub fn push(&mut self, block: impl Into<Block>) {
        self.0.push(block.into());
    }

    /// Adds all of another text at the end.
    pub fn append(&mut self, other: Document) {
        self.0.extend(other.0);
    }
}

impl From<String> for Block {
    fn from(sentence: String) -> Block {
        Block::Paragraph(vec![sentence])
    }
}

impl From<&str> for Block {
    fn from(sentence: &str) -> Block {
        Block::from(sentence.to_owned())
    }
}

impl From<Vec<Block>> for Document {
    fn from(blocks: Vec<Block>) -> Document {
        Document(blocks)
    }
}

impl From<&[String]> for Document {
    fn from(sentences: &[String]) -> Document {
        Document(sentences.iter().cloned().map(Block::from).collect())
    }
}

impl From<String> for Document {
    fn from(sentence: String) -> Document {
        Document(vec![Block::from(sentence)])
    }
}

impl From<Vec<String>> for Document {
    fn from(sentences: Vec<String>) -> Document {
        Document(sentences.into_iter().map(Block::from).collect())
    }
}
