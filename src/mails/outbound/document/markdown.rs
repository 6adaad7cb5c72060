//! Documents written in Markdown, as the words of sections are.
//!
//! Headings, paragraphs, lists, tables and blocks of code are read; code is printed unchanged. Everything else (emphasis,
//! links, quotations) is reduced to its words.

use pulldown_cmark::{Alignment, Event, Options, Parser, Tag, TagEnd};

use super::field::{DocumentParts, KEPT, Line};
use super::{Block, Document, Side, Table};

/// Reads a section: every line of a paragraph is a sentence, wrapped if it is too long.
pub(crate) fn read(markdown: &str) -> Document {
    read_by(Reader::default(), markdown)
}

/// Reads a mail with the documents of its fields: lines of a paragraph are kept.
pub(in super::super) fn read_mail(markdown: &str, parts: &DocumentParts) -> Document {
    let reader = Reader {
        parts: Some(parts),
        ..Reader::default()
    };
    read_by(reader, markdown)
}

fn read_by(mut reader: Reader<'_>, markdown: &str) -> Document {
    Parser::new_ext(markdown, Options::ENABLE_TABLES).for_each(|event| reader.read(event));
    Document(reader.blocks)
}

/// Escapes a text for Markdown: one line in which no character has a special meaning.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_ascii_punctuation() {
            escaped.push('\\');
        }
        let unusable = letter.is_control() || KEPT.contains(&letter);
        escaped.push(if unusable { ' ' } else { letter });
    }
    escaped
}

#[derive(Default)]
struct Reader<'a> {
    /// The documents of the fields, if a mail is read.
    parts: Option<&'a DocumentParts>,
    blocks: Vec<Block>,
    /// The lines of the current part.
    lines: Vec<String>,
    /// The numbers of those that end with a hard break.
    ended: Vec<usize>,
    /// The number of open items, one within the other.
    items: usize,
    table: Table,
    row: Vec<String>,
}

impl Reader<'_> {
    fn read(&mut self, event: Event<'_>) {
        match event {
            Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => {
                match self.lines.last_mut() {
                    Some(line) => line.push_str(&text),
                    None => self.lines.push(text.to_string()),
                }
            }
            Event::SoftBreak => self.lines.push(String::new()),
            Event::HardBreak => {
                self.ended.push(self.lines.len());
                self.lines.push(String::new());
            }
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Item => self.items += 1,
            // A list within an item continues the outer list.
            Tag::List(_) => {
                self.finish_lines();
                if self.items == 0 {
                    self.blocks.push(Block::List(Vec::new()));
                }
            }
            Tag::Table(sides) => {
                let side = |side: &Alignment| match side {
                    Alignment::Right => Side::Right,
                    _ => Side::Left,
                };
                self.table.sides = sides.iter().map(side).collect();
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => {
                let heading = self.joined();
                self.blocks.push(Block::Heading(heading));
            }
            TagEnd::Paragraph => self.finish_lines(),
            TagEnd::Item => {
                self.finish_lines();
                self.items -= 1;
            }
            TagEnd::CodeBlock | TagEnd::HtmlBlock => {
                let text = std::mem::take(&mut self.lines).concat();
                let text = text.trim_end_matches('\n').to_owned();
                self.blocks.push(Block::Verbatim(self.in_words(text)));
            }
            TagEnd::TableCell => {
                let cell = self.joined();
                self.row.push(cell);
            }
            TagEnd::TableHead => self.table.head = std::mem::take(&mut self.row),
            TagEnd::TableRow => self.table.rows.push(std::mem::take(&mut self.row)),
            TagEnd::Table => {
                let table = std::mem::take(&mut self.table);
                self.blocks.push(Block::Table(table));
            }
            _ => {}
        }
    }

    fn joined(&mut self) -> String {
        self.ended.clear();
        let line = std::mem::take(&mut self.lines).join(" ");
        self.in_words(line)
    }

    fn in_words(&self, text: String) -> String {
        match self.parts {
            Some(parts) => parts.in_words(&text),
            None => text,
        }
    }

    /// Ends a paragraph, or within a list an item.
    fn finish_lines(&mut self) {
        if self.lines.is_empty() {
            return;
        }
        if self.items > 0 {
            let item = self.joined();
            match self.blocks.last_mut() {
                Some(Block::List(items)) => items.push(item),
                _ => self.blocks.push(Block::from(item)),
            }
            return;
        }
        let lines = std::mem::take(&mut self.lines);
        let ended = std::mem::take(&mut self.ended);
        match self.parts {
            None => self.blocks.push(Block::Paragraph(lines)),
            Some(parts) => self.blocks.extend(paragraph(&lines, &ended, parts)),
        }
    }
}

/// A paragraph of a mail: sentences, and documents on lines of their own.
fn paragraph(lines: &[String], ended: &[usize], parts: &DocumentParts) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut running = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        match parts.line(line) {
            Line::Part(Document(part)) if lines.len() == 1 => return part.clone(),
            Line::Part(Document(part)) => {
                finish(&mut running, &mut blocks);
                blocks.extend(part.iter().cloned());
            }
            Line::Block(block) => {
                finish(&mut running, &mut blocks);
                blocks.push(block);
            }
            Line::Plain(sentence) => running.push(sentence),
        }
        if ended.contains(&(index + 1)) {
            finish(&mut running, &mut blocks);
        }
    }
    finish(&mut running, &mut blocks);
    Document(blocks).grouped().0
}

fn finish(running: &mut Vec<String>, blocks: &mut Vec<Block>) {
    if !running.is_empty() {
        blocks.push(Block::KeptLines(std::mem::take(running)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn strings(all: &[&str]) -> Vec<String> {
        all.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_part_is_read() {
        let markdown = "# Bids for 1901:\n\nOne.  Two\nlines.\n\n- Italy: 3.\n\n- Turkey: 4.\n\n\
            | Power | Bid |\n|:------|----:|\n| Italy |   3 |\n\n```\na   b\n c\n```\n";
        let Document(blocks) = read(markdown);
        assert_eq!(
            blocks,
            [
                Block::Heading("Bids for 1901:".to_owned()),
                Block::Paragraph(strings(&["One.  Two", "lines."])),
                Block::List(strings(&["Italy: 3.", "Turkey: 4."])),
                Block::Table(Table {
                    sides: vec![Side::Left, Side::Right],
                    head: strings(&["Power", "Bid"]),
                    rows: vec![strings(&["Italy", "3"])],
                }),
                Block::Verbatim("a   b\n c".to_owned()),
            ]
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]
        #[test]
        fn words_put_in_are_read_as_they_were(text in r"[!-~äλ]([ -~äλ]{0,40}[!-~äλ])?") {
            let alone = Document(vec![Block::Paragraph(vec![text.clone()])]);
            prop_assert_eq!(read(&escaped(&text)), alone);
            let item = Document(vec![Block::List(vec![format!("Italy: {text}.")])]);
            prop_assert_eq!(read(&format!("- Italy: {}.", escaped(&text))), item);
            let cells = format!("| A | B |\n|---|---|\n| {} | 1 |", escaped(&text));
            let Document(blocks) = read(&cells);
            let [Block::Table(table)] = blocks.as_slice() else {
                return Err(TestCaseError::fail("no table"));
            };
            prop_assert_eq!(&table.rows[0][0], &text);
        }
    }
}
