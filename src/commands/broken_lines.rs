//! Prose that a mail program has broken into lines.

use super::command_reader::{is, read_command};

/// Mail programs break lines at some 72 characters; a shorter line ends where its writer ended it.
const NARROWEST: usize = 50;

/// Whether the sentence of a line goes on in the next one, which a mail program has broken off there. Neither is a command;
/// whether one is an order depends on the game.
pub(super) fn goes_on(rule: &str, line: &str, next: &str) -> bool {
    let (line, next) = (line.trim(), next.trim());
    let ends = line.ends_with(['.', '!', '?', ':', ';', ')', '"']);
    let last = line.rsplit(' ').next().unwrap_or_default();
    let begins_small = next.starts_with(char::is_lowercase);
    let is_broken = begins_small && line.chars().count() >= NARROWEST || is("unfinished", last);
    !ends
        && line.contains(' ')
        && is_broken
        && next.starts_with(char::is_alphanumeric)
        && read_command(rule, line).is_none()
        && read_command(rule, next).is_none()
}

#[cfg(test)]
mod tests {
    use super::goes_on;

    #[test]
    fn a_sentence_goes_on_where_a_mail_program_has_broken_it() {
        for (line, next) in [
            (
                "Good evening, I would like to have my fleet in the North Sea sail",
                "over to Norway, if that is possible.",
            ),
            ("Please take the army in Yorkshire to", "London this time"),
            ("could you tell me how many centers the", "Turks have"),
        ] {
            assert!(goes_on("command", line, next), "{line} / {next}");
        }
    }

    #[test]
    fn what_its_writer_ended_stays_apart() {
        for (line, next) in [
            ("Hello judge", "my fleet in London goes to the North Sea"),
            (
                "I would like my fleet in London to sail to the North Sea today.",
                "and thanks",
            ),
            (
                "the fleet that stands in the North Sea goes to Norway this time",
                "- my army in London holds",
            ),
            (
                "SET ABSENCE 20 December 2026 TO 27 December 2026 AND THEN TO",
                "x",
            ),
            ("to", "you"),
        ] {
            assert!(!goes_on("command", line, next), "{line} / {next}");
        }
    }
}
