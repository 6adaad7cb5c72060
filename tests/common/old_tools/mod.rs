//! Reads our mails as the programs of the old judges' world do: jDip's importer, Mapper, and the judges' own readers
//! (`judge-workflow.md` 6.10). Only the patterns are theirs. Whatever a test wants to know of a mail, it can learn here
//! without knowing how the mail was made.
//!
//! ```ignore
//! mod old_tools;
//! let mail = old_tools::read(subject, body);
//! assert_eq!(mail.subject.unwrap().phase, "S1901M");
//! ```

#![allow(dead_code, unreachable_pub, unused_imports)] // shared by several test programs; none needs all of it

mod lines;

pub use lines::{Order, Parsed, Retreat, Subject, Winter};

/// A mail as tools read it. Lines that no tool knows are left out.
pub fn read(subject: &str, body: &str) -> Parsed {
    lines::read(subject, body)
}

/// A HISTORY made into its mails: subject and body, by `Date:` and `Subject:` on adjoining lines.
pub fn history(body: &str) -> Vec<(String, String)> {
    let lines: Vec<&str> = body.lines().collect();
    let mut mails: Vec<(String, Vec<&str>)> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let next = lines.get(at + 1).copied().unwrap_or_default();
        if lines[at].starts_with("Date:") && next.starts_with("Subject:") {
            mails.push((next["Subject:".len()..].trim().to_owned(), Vec::new()));
            at += 2;
            continue;
        }
        if let Some((_, text)) = mails.last_mut() {
            text.push(lines[at]);
        }
        at += 1;
    }
    mails
        .into_iter()
        .map(|(subject, text)| (subject, text.join("\n")))
        .collect()
}
