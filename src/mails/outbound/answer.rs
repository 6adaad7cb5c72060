//! The answer to one line of a mail.

use super::wrap::{WIDTH, wrap_line};
use super::{Block, Document};

/// What is said of a line whose meaning is proposed.
pub const NOT_DONE_YET: &str = "Not done yet: what this may mean stands at the top.";

/// The most lines of content between other answers, where a sentence was taken for a command.
const MOST_BETWEEN: usize = 12;

/// The answer to one line of a mail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The line answered: `E: F Lon-Nor`. Set if there is an error.
    pub quote: Option<String>,
    /// Sentences, each on lines of its own, wrapped.
    pub lines: Vec<String>,
    /// What follows the sentences: a list, a summary, a table.
    pub content: Document,
    /// It was checked for secrets when it was made.
    pub checked: bool,
    /// The command for which a sentence was taken that this answers. If it is long, it stands behind all other answers.
    pub taken_for: Option<String>,
}

impl Answer {
    /// One sentence without a quoted line.
    pub fn say(sentence: impl Into<String>) -> Answer {
        Answer {
            lines: vec![sentence.into()],
            ..Answer::default()
        }
    }

    /// A quoted line and what is to be said of it.
    pub fn about(quote: impl Into<String>, lines: Vec<String>) -> Answer {
        Answer {
            quote: Some(quote.into()),
            lines,
            ..Answer::default()
        }
    }

    /// Finished parts, such as a LIST.
    pub fn show(content: Document) -> Answer {
        Answer {
            content,
            ..Answer::default()
        }
    }

    /// Lines that are printed unchanged.
    pub fn print(text: impl Into<String>) -> Answer {
        let text: String = text.into();
        Answer::show(Document::verbatim(text.trim_end_matches('\n')))
    }

    /// Whether it is to stand behind all others, so that they can be seen.
    fn stands_last(&self) -> bool {
        self.taken_for.is_some() && self.content.text().lines().count() > MOST_BETWEEN
    }

    /// Whether it says of a line nothing but that it is not done yet.
    pub(super) fn is_waiting(&self) -> bool {
        self.lines == [NOT_DONE_YET] && self.content.is_empty()
    }

    /// The plain text, without a final line end.
    pub fn text(&self) -> String {
        self.document().text()
    }

    /// Its parts: the quoted line with its sentences below, then the content.
    pub fn document(&self) -> Document {
        let mut said: Vec<Block> = Vec::new();
        if let Some(quote) = &self.quote {
            said.push(Block::Verbatim(quote.trim_end().to_owned()));
        }
        for line in &self.lines {
            let indent = line.chars().take_while(|c| *c == ' ').count();
            match (indent, said.last_mut()) {
                (0, _) => said.push(Block::from(line.trim_end())),
                // The indentation of a sentence (the caret below a quoted line) applies to all its lines.
                (_, Some(Block::Verbatim(above))) => {
                    above.push('\n');
                    above.push_str(&indented(line, indent));
                }
                (_, _) => said.push(Block::Verbatim(indented(line, indent))),
            }
        }
        let mut document = Document(said).grouped();
        document.append(self.content.clone());
        if self.checked {
            return document.checked();
        }
        document
    }
}

/// Answers with the long ones at the end, each of them that does not stand there already below the command that it answers.
pub(super) fn with_long_last(answers: Vec<Answer>) -> Vec<Answer> {
    let stays = answers.iter().rposition(|answer| !answer.stands_last());
    let Some(last) = stays else {
        return answers;
    };
    let mut behind = answers;
    let at_the_end = behind.split_off(last + 1);
    let (long, mut arranged): (Vec<Answer>, Vec<Answer>) =
        behind.into_iter().partition(Answer::stands_last);
    let below = |answer: Answer| {
        let command = answer.taken_for.as_deref().unwrap_or_default();
        let heading = format!("The answer to {command}:");
        Answer {
            lines: std::iter::once(heading).chain(answer.lines).collect(),
            ..answer
        }
    };
    arranged.extend(long.into_iter().map(below));
    arranged.extend(at_the_end);
    arranged
}

fn indented(line: &str, indent: usize) -> String {
    wrap_line(line, WIDTH, indent.min(WIDTH / 2)).join("\n")
}
