//! One reader's mails as a text to read, kept in a file beside the test.

use std::fs;
use std::path::Path;

use super::play::PlayEvent;
use super::received::Received;

/// What somebody wrote and got, one after another.
pub fn of(name: &str, record: &[PlayEvent]) -> String {
    let mut text = String::new();
    for happened in record {
        match happened {
            PlayEvent::Sent(sent) if sent.from == name => {
                text.push_str(&format!(
                    "== at {}, {name} writes\nSubject: {}\n\n{}\n",
                    sent.at,
                    sent.subject,
                    hidden(&sent.text)
                ));
            }
            PlayEvent::Received(came) if came.reader() == name => {
                text.push_str(&came_as_text(came))
            }
            _ => {}
        }
    }
    text
}

fn came_as_text(came: &Received) -> String {
    let body = came
        .body
        .lines()
        .map(|line| without_digest(line.trim_end()))
        .collect::<Vec<_>>()
        .join("\n");
    format!(
        "== at {}, to {}\nSubject: {}\n\n{}\n\n",
        came.date,
        came.reader(),
        came.subject,
        body.trim_end()
    )
}

/// The digest of the seed is another one each time.
fn without_digest(line: &str) -> &str {
    let digest = line.trim_end_matches('.');
    let is_digest = digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_digest { "(a digest)" } else { line }
}

/// Nobody's words of passing stand in a file.
fn hidden(text: &str) -> String {
    text.replace("ipw", "********")
}

/// Compares with the file; what differs is put beside it, to be looked at and moved over it if it is right.
pub fn compare(file: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/common/games")
        .join(file);
    let expected = fs::read_to_string(&path).unwrap_or_default();
    let failed = path.with_extension("failed");
    if expected != text {
        fs::write(&failed, text).unwrap();
        let line = expected
            .lines()
            .zip(text.lines())
            .position(|(a, b)| a != b)
            .unwrap_or(expected.lines().count().min(text.lines().count()));
        panic!(
            "{} differs from line {} on; what came is in {}",
            path.display(),
            line + 1,
            failed.display()
        );
    }
    let _ = fs::remove_file(failed);
}
