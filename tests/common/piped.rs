//! Programs with text on their standard input.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs a command with this text on its standard input.
pub(crate) fn piped(command: &mut Command, input: &str) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It may end without having read everything.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}
