//! `outbox`: the keeper sees to whom mails go and how they fare, and no word of them.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::piped::piped;

/// A judge whose mail server cannot be reached, with one answer in its outbox.
fn judge(folder: &Path) {
    assert!(run(folder, "init .", "").status.success());
    let file = folder.join("dipjudge.toml");
    let config = fs::read_to_string(&file).unwrap();
    let (before, outbox) = config.split_once("[outbox]").unwrap();
    let (_, behind) = outbox.split_once("\n[").unwrap();
    let smtp = "[outbox]\nkind = \"smtp\"\nhost = \"127.0.0.1\"\nport = 1\ntls = \"none\"\n";
    fs::write(&file, format!("{before}{smtp}\n[{behind}")).unwrap();
    let mail =
        "From: tom@ex.org\nTo: judge@example.org\nSubject: hi\nMessage-ID: <1@ex.org>\n\nVERSION\n";
    let output = run(folder, "deliver", mail);
    assert!(output.status.success(), "{output:?}");
}

fn run(folder: &Path, line: &str, input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dipjudge"));
    command
        .env_clear()
        .current_dir(folder)
        .args(line.split_whitespace());
    piped(&mut command, input)
}

fn says(folder: &Path, line: &str) -> String {
    let output = run(folder, line, "");
    assert!(output.status.success(), "{line}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn mails_are_listed_shown_tried_again_and_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    judge(folder);
    let listed = says(folder, "outbox");
    assert_eq!(listed.lines().count(), 1, "{listed}");
    let number = listed.split_whitespace().next().unwrap().to_owned();
    assert!(listed.contains("tom@ex.org"), "{listed}");

    let shown = says(folder, &format!("outbox show {number}"));
    assert!(shown.contains("tom@ex.org"), "{shown}");
    assert!(
        !shown.contains("version") && !shown.contains("Re: hi"),
        "{shown}"
    );

    let again = says(folder, &format!("outbox retry {number}"));
    assert!(again.contains("is due"), "{again}");
    let dropped = says(folder, &format!("outbox drop {number}"));
    assert!(dropped.contains("nobody gets it"), "{dropped}");
    assert!(says(folder, "outbox list").contains("No mail waits"));

    let output = run(folder, &format!("outbox show {number}"), "");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("dipjudge outbox lists"), "{said}");
}
