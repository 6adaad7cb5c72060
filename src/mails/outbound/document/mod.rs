//! What a mail says, part by part: read from Markdown (`markdown`), told in plain text (`text`) and in HTML (`html`).

mod field;
mod html;
mod markdown;
mod text;
mod words;

pub(super) use field::{DocumentParts, hanging, named, wrapped};
pub(super) use markdown::{escaped, read, read_mail};

use serde::{Deserialize, Serialize};

/// A text of parts, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document(pub Vec<Block>);

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Block {
    /// The line above what belongs together.
    Heading(String),
    /// Sentences, of which each begins a line of its own.
    Paragraph(Vec<String>),
    /// Sentences that stand in plain text in these lines, neither joined nor broken; in HTML they run on.
    Running(Vec<String>),
    /// Items, a line each.
    List(Vec<String>),
    /// Words and the list of names behind them.
    Named(Named),
    /// Words and the text behind them, which goes on below itself.
    Hanging(Hanging),
    /// Columns.
    Table(Table),
    /// Lines that are printed as they are.
    Verbatim(String),
    /// What a player wrote, in his own lines.
    Words(String),
    /// Lines that are printed as they are, and what tells the same where it need not be lines.
    Fixed(Fixed),
    /// Parts that stand below each other with no empty line between them.
    Group(Vec<Block>),
    /// Parts that were looked at for secrets when they were said, or that a player wrote: the last check on the way out
    /// does not look at them again.
    Passed(Vec<Block>),
}

/// Words and the list of names behind them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// `Austria:`
    pub head: String,
    /// The names; where there are none, "none" is told.
    pub names: Vec<String>,
}

/// Words and the text behind them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hanging {
    /// `   Access:  `, with the blanks around it.
    pub head: String,
    /// What stands behind.
    pub text: String,
}

/// Lines of a form that tools know, and what shows the same facts to people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fixed {
    /// The lines, without a line end behind them.
    pub text: String,
    /// The same facts; never shown in plain text.
    pub shown: Vec<Block>,
}

/// A picture that comes with the HTML part of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Where it is found: `cid:` and the id of its part of the message.
    pub source: String,
    /// What it shows, for those who do not see it.
    pub shows: String,
    /// Its width in pixels, as it is drawn.
    pub width: u32,
    /// Its height in pixels, as it is drawn.
    pub height: u32,
}

/// Rows of cells; each row has as many as there are columns. Where a table is for HTML alone, the last cell of a row stands
/// across the columns that are left, and a row of one cell is a heading within the table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// On which side the cells of each column stand.
    pub sides: Vec<Side>,
    /// The names of the columns; all empty where they have none.
    pub head: Vec<String>,
    /// The rows below.
    pub rows: Vec<Vec<String>>,
}

/// A side of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Side {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

impl Table {
    /// A table with these columns.
    pub fn new(columns: &[(&str, Side)], rows: Vec<Vec<String>>) -> Table {
        Table {
            sides: columns.iter().map(|(_, side)| *side).collect(),
            head: columns.iter().map(|(name, _)| (*name).to_owned()).collect(),
            rows,
        }
    }

    /// Whether its columns have names.
    fn has_names(&self) -> bool {
        self.head.iter().any(|name| !name.is_empty())
    }

    /// The same without the columns in which nothing stands.
    pub fn without_empty_columns(mut self) -> Table {
        for column in (0..self.sides.len()).rev() {
            let stands = |row: &Vec<String>| row.get(column).is_some_and(|cell| !cell.is_empty());
            if !self.rows.iter().any(stands) {
                self.sides.remove(column);
                self.head.remove(column);
                for row in self.rows.iter_mut().filter(|row| row.len() > column) {
                    row.remove(column);
                }
            }
        }
        self
    }
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

    /// Lines that are printed as they are; nothing where there are none.
    pub fn verbatim(text: impl Into<String>) -> Document {
        let text = text.into();
        if text.is_empty() {
            return Document::default();
        }
        Document(vec![Block::Verbatim(text)])
    }

    /// Lines of a fixed form and what shows the same; nothing where there are none.
    pub fn fixed(text: String, shown: impl Into<Document>) -> Document {
        if text.is_empty() {
            return Document::default();
        }
        let Document(shown) = shown.into();
        Document(vec![Block::Fixed(Fixed { text, shown })])
    }

    /// The same, not to be looked at for secrets again.
    pub fn passed(self) -> Document {
        Document(vec![Block::Passed(self.0)])
    }

    /// The same, its parts with no empty line between them.
    pub fn grouped(self) -> Document {
        match self.0.len() {
            0 | 1 => self,
            _ => Document(vec![Block::Group(self.0)]),
        }
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
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

impl From<Table> for Document {
    fn from(table: Table) -> Document {
        Document(vec![Block::Table(table)])
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
