//! Prints two mails side by side, as two columns of plain text.

use dipjudge_mails::outbound::wrap_line;

/// How wide a column is.
const WIDTH: usize = 52;
/// The indent of the continuation of a wrapped line.
const INDENT: usize = 4;

/// Two texts in two columns. If both have the same number of paragraphs, these are aligned.
pub(super) fn columns(left: &str, right: &str) -> String {
    let (left, right) = (paragraphs(left), paragraphs(right));
    if left.len() != right.len() {
        return row(&left.join("\n\n"), &right.join("\n\n"));
    }
    let rows: Vec<String> = left
        .iter()
        .zip(&right)
        .map(|(left, right)| row(left, right))
        .collect();
    rows.join(&line("", ""))
}

fn paragraphs(text: &str) -> Vec<String> {
    let paragraphs = text.trim_end().split("\n\n");
    paragraphs.map(str::to_owned).collect()
}

/// Two paragraphs side by side.
fn row(left: &str, right: &str) -> String {
    let (left, right) = (wrapped(left), wrapped(right));
    let height = left.len().max(right.len());
    let (left, right) = (padded(left, height), padded(right, height));
    left.iter()
        .zip(&right)
        .map(|(left, right)| line(left, right))
        .collect()
}

/// The lines, filled up with empty ones.
fn padded(mut lines: Vec<String>, height: usize) -> Vec<String> {
    lines.resize(height, String::new());
    lines
}

/// The lines of a paragraph, wrapped. An indented line continues the line before it in the mail.
fn wrapped(paragraph: &str) -> Vec<String> {
    let whole = paragraph.replace(&format!("\n{}", " ".repeat(INDENT)), " ");
    let lines = whole.lines();
    lines
        .flat_map(|line| wrap_line(line, WIDTH, INDENT))
        .collect()
}

fn line(left: &str, right: &str) -> String {
    let line = format!("{left:<WIDTH$} | {right}");
    format!("{}\n", line.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_stand_beside_one_another_and_long_lines_are_wrapped() {
        let long = "In sight:  Babel: Army Trieste,\n    Carthage: Fleet Adriatic Sea.\n";
        let text = columns(&format!("Seen:\n\n{long}"), "Seen:\n\nnone");
        let blank = " ".repeat(WIDTH);
        let expected = [
            format!("{:<WIDTH$} | Seen:", "Seen:"),
            format!("{blank} |"),
            format!(
                "{:<WIDTH$} | none",
                "In sight: Babel: Army Trieste, Carthage: Fleet"
            ),
            format!("{:<WIDTH$} |", "    Adriatic Sea."),
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn texts_of_unlike_shape_stand_beside_one_another_too() {
        let text = columns("one\n\ntwo", "three");
        let left: Vec<&str> = text.lines().map(|line| line[..WIDTH].trim_end()).collect();
        assert_eq!(left, ["one", "", "two"]);
        assert_eq!(text.matches("three").count(), 1);
    }
}
