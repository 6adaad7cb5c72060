//! The body of a mail as a list of parts: read from Markdown (`markdown`), written as plain text (`text`) and HTML (`html`).

mod field;
mod html;
mod lines;
mod markdown;
mod text;
mod words;

pub(super) use field::{DocumentParts, hanging, named, wrapped};
pub(super) use markdown::{escaped, read, read_mail};

use serde::{Deserialize, Serialize};

/// A text as a list of parts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document(pub Vec<Block>);

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Block {
    /// The line above a section.
    Heading(String),
    /// Sentences, each beginning a new line.
    Paragraph(Vec<String>),
    /// Lines that are neither joined nor broken in plain text; in HTML they are one paragraph.
    KeptLines(Vec<String>),
    /// Items, a line each.
    List(Vec<String>),
    /// Words followed by a list of names.
    NameList(NameList),
    /// Words followed by a text whose further lines are indented.
    HangingText(HangingText),
    /// A table.
    Table(Table),
    /// Lines that are printed unchanged.
    Verbatim(String),
    /// What a player wrote, in his lines.
    PlayerWords(String),
    /// Lines for tools, and the parts that replace them in HTML.
    FixedLines(FixedLines),
    /// Links that open an answer which is written already. They are shown in HTML alone: the lines of the answers stand beside
    /// them.
    AnswerLinks(Vec<AnswerLink>),
    /// Parts without empty lines between them.
    Group(Vec<Block>),
    /// Parts that were checked for secrets when they were made, or that a player wrote: the last check before sending skips
    /// them.
    Checked(Vec<Block>),
}

/// A link that opens a filled-in answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerLink {
    /// What the answer is: `Send your orders`.
    pub name: String,
    /// The `mailto:` URL.
    pub url: String,
}

/// Words followed by a list of names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NameList {
    /// `Austria:`
    pub head: String,
    /// The names; an empty list is written as `none`.
    pub names: Vec<String>,
}

/// Words followed by a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HangingText {
    /// `   Access:  `, with the blanks around it.
    pub head: String,
    /// The text after it.
    pub text: String,
}

/// Lines that tools read, and the same facts for people who read HTML.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FixedLines {
    /// The lines, without a final line end.
    pub text: String,
    /// The same facts as parts of HTML.
    pub html: Vec<Block>,
}

/// A picture that comes with the HTML part of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HtmlPicture {
    /// Its URL: `cid:` and the id of its part of the message.
    pub source: String,
    /// The alternative text.
    pub alt: String,
    /// Its width in pixels.
    pub width: u32,
    /// Its height in pixels.
    pub height: u32,
}

/// Rows of cells, one for each column. In a table for HTML a row may be shorter: its last cell spans the remaining columns,
/// and a row of one cell is a heading within the table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// The alignment of each column.
    pub sides: Vec<Side>,
    /// The names of the columns; all empty if they have none.
    pub head: Vec<String>,
    /// The rows below.
    pub rows: Vec<Vec<String>>,
}

/// The side at which the cells of a column are aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Side {
    /// For words.
    Left,
    /// For numbers.
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

    /// Removes columns whose cells are all empty.
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

    /// Lines that are printed unchanged; nothing for an empty text.
    pub fn verbatim(text: impl Into<String>) -> Document {
        let text = text.into();
        if text.is_empty() {
            return Document::default();
        }
        Document(vec![Block::Verbatim(text)])
    }

    /// Lines for tools and the parts that replace them in HTML; nothing for an empty text.
    pub fn fixed_lines(text: String, html: impl Into<Document>) -> Document {
        if text.is_empty() {
            return Document::default();
        }
        let Document(html) = html.into();
        Document(vec![Block::FixedLines(FixedLines { text, html })])
    }

    /// Marks all parts as checked for secrets.
    pub fn checked(self) -> Document {
        Document(vec![Block::Checked(self.0)])
    }

    /// Joins the parts without empty lines between them.
    pub fn grouped(self) -> Document {
        match self.0.len() {
            0 | 1 => self,
            _ => Document(vec![Block::Group(self.0)]),
        }
    }

    /// Whether it has no parts.
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
