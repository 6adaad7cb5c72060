//! The lines of a document, as a quotation of it may hold them.

use super::{Block, Document};

impl Document {
    /// Its lines as they stand in plain text and in HTML, where a row of a table is one line.
    pub fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.text().lines().map(str::to_owned).collect();
        self.0
            .iter()
            .for_each(|block| add_html_lines(block, &mut lines));
        lines
    }

    /// Whether it holds what a player wrote.
    pub fn holds_player_words(&self) -> bool {
        self.0.iter().any(holds_player_words)
    }
}

fn add_html_lines(block: &Block, lines: &mut Vec<String>) {
    let below = |text: &str, lines: &mut Vec<String>| {
        lines.extend(text.lines().map(str::to_owned));
    };
    match block {
        Block::Heading(text) | Block::Verbatim(text) | Block::PlayerWords(text) => {
            below(text, lines);
        }
        Block::Paragraph(texts) | Block::List(texts) => {
            texts.iter().for_each(|text| below(text, lines));
        }
        Block::KeptLines(texts) => below(&texts.join(" "), lines),
        Block::NameList(named) => {
            below(
                &format!("{} {}.", named.head.trim(), named.names.join(", ")),
                lines,
            );
        }
        Block::HangingText(hanging) => {
            below(&format!("{} {}", hanging.head.trim(), hanging.text), lines);
        }
        Block::Table(table) => {
            for row in table.rows.iter().chain([&table.head]) {
                below(&row.join(" ").replace('\n', " "), lines);
            }
        }
        Block::FixedLines(fixed) => {
            fixed
                .html
                .iter()
                .for_each(|part| add_html_lines(part, lines));
        }
        Block::AnswerLinks(links) => {
            let names: Vec<&str> = links.iter().map(|link| link.name.as_str()).collect();
            below(&names.join(" "), lines);
        }
        Block::Group(parts) | Block::Checked(parts) => {
            parts.iter().for_each(|part| add_html_lines(part, lines));
        }
    }
}

fn holds_player_words(block: &Block) -> bool {
    match block {
        Block::PlayerWords(_) => true,
        Block::FixedLines(fixed) => fixed.html.iter().any(holds_player_words),
        Block::Group(parts) | Block::Checked(parts) => parts.iter().any(holds_player_words),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Side, Table};
    use super::*;

    #[test]
    fn a_row_of_a_table_is_a_line() {
        let row = ["Army Vienna", "\u{2192} Galicia"]
            .map(str::to_owned)
            .to_vec();
        let table = Table::new(&[("Unit", Side::Left), ("Order", Side::Left)], vec![row]);
        let fixed = "Austria: Army Vienna -> Galicia.".to_owned();
        let document = Document::fixed_lines(fixed, Document::from(table));
        let lines = document.lines();
        assert!(lines.contains(&"Austria: Army Vienna -> Galicia.".to_owned()));
        assert!(lines.contains(&"Army Vienna \u{2192} Galicia".to_owned()));
        assert!(!document.holds_player_words());
    }

    #[test]
    fn words_of_a_player_are_found_wherever_they_stand() {
        let words = Document(vec![Block::PlayerWords("A Vie - Gal?".to_owned())]);
        assert!(words.checked().grouped().holds_player_words());
    }
}
