//! A document as plain text, as wide as a mail.

use super::super::wrap::{NO_BREAK, WIDTH, wrap_after, wrap_line, wrap_list};
use super::{Block, Document, HangingText, NameList, Side, Table};

/// The column at which further lines of a list of names begin.
const INDENT: usize = 4;
/// Blanks between columns.
const GAP: &str = "  ";

impl Document {
    /// Its parts separated by empty lines, without a final line end.
    pub fn text(&self) -> String {
        joined(&self.0, "\n\n")
    }
}

fn joined(blocks: &[Block], between: &str) -> String {
    let shown = |block: &&Block| !matches!(block, Block::AnswerLinks(_));
    let parts = blocks.iter().filter(shown).map(Block::text);
    parts.collect::<Vec<_>>().join(between)
}

impl Block {
    /// The plain text, without a final line end.
    pub fn text(&self) -> String {
        let lines = match self {
            Block::Heading(heading) => wrapped(heading),
            Block::Paragraph(lines) | Block::List(lines) => {
                lines.iter().flat_map(|line| wrapped(line)).collect()
            }
            Block::KeptLines(lines) => lines.clone(),
            Block::NameList(named) => named.lines(),
            Block::HangingText(hanging) => hanging.lines(),
            Block::Table(table) => table.lines(),
            Block::Verbatim(text) | Block::PlayerWords(text) => return text.clone(),
            Block::FixedLines(fixed) => return fixed.text.clone(),
            Block::AnswerLinks(links) => links.iter().map(|link| link.name.clone()).collect(),
            Block::Group(parts) => return joined(parts, "\n"),
            Block::Checked(parts) => return joined(parts, "\n\n"),
        };
        lines.join("\n").replace(NO_BREAK, " ")
    }
}

impl NameList {
    /// `In sight:  Army Budapest, Army Serbia.`
    fn lines(&self) -> Vec<String> {
        if self.names.is_empty() {
            return vec![format!("{}  none.", self.head)];
        }
        wrap_list(&format!("{} ", self.head), &self.names, INDENT)
    }
}

impl HangingText {
    /// `   Access:  Any-site, Level: Any.`
    fn lines(&self) -> Vec<String> {
        let column = self.head.chars().count();
        wrap_after(&self.head, &self.text, WIDTH, column)
    }
}

impl Table {
    /// Its rows in columns; the last column is wrapped if the line is too long.
    fn lines(&self) -> Vec<String> {
        let rows = self
            .has_names()
            .then_some(&self.head)
            .into_iter()
            .chain(&self.rows);
        let width = |column: usize| {
            let cells = rows.clone().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.sides.len()).map(width).collect();
        rows.clone()
            .flat_map(|row| self.row(row, &widths))
            .collect()
    }

    fn row(&self, row: &[String], widths: &[usize]) -> Vec<String> {
        let Some((last, others)) = row.split_last() else {
            return Vec::new();
        };
        let cell = |column: usize, text: &str| {
            let width = widths.get(column).copied().unwrap_or(0);
            match self.sides.get(column) {
                Some(Side::Right) => format!("{text:>width$}"),
                _ => format!("{text:<width$}"),
            }
        };
        let head: String = others
            .iter()
            .enumerate()
            .map(|(column, text)| cell(column, text) + GAP)
            .collect();
        let indent = head.chars().count();
        let last = match self.sides.last() {
            Some(Side::Right) => cell(others.len(), last),
            _ => last.clone(),
        };
        let lines = if indent + last.chars().count() <= WIDTH {
            vec![head + &last]
        } else {
            wrap_after(&head, &last, WIDTH, indent)
        };
        lines
            .iter()
            .map(|line| line.trim_end().to_owned())
            .collect()
    }
}

fn wrapped(line: &str) -> Vec<String> {
    wrap_line(line, WIDTH, 0)
}

#[cfg(test)]
mod tests {
    use super::super::read;

    #[test]
    fn columns_stand_below_each_other() {
        let text = read(
            "| Power | Bid | Due |\n|---|---:|---|\n| Austria | 3 | build 1 |\n| Italy | 11 | |",
        )
        .text();
        assert_eq!(
            text,
            "Power    Bid  Due\nAustria    3  build 1\nItaly     11"
        );
    }

    #[test]
    fn a_list_of_names_goes_on_below_its_first_name_and_no_name_is_torn() {
        let names: Vec<String> = (1..=12)
            .map(|n| format!("North\u{a0}Sea\u{a0}{n}"))
            .collect();
        let text = read(&format!(
            "| | |\n|---|---|\n| Germany: | {}. |",
            names.join(", ")
        ))
        .text();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3);
        assert!(lines[1].starts_with("          North Sea"), "{text}");
        assert!(lines.iter().all(|line| line.chars().count() <= 78));
        assert!(lines[..2].iter().all(|line| line.ends_with(',')), "{text}");
    }
}
