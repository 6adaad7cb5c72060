//! Which of what HTML parts use the large mail clients do not know, by the tables of caniemail.com. `clients.txt` names it, each with
//! the reason why it may be: what is not there is not used, and what is there is.
//!
//! `deploy/install-test-needs.sh` installs the npm package `caniemail`. Where it is missing the test prints so and is over; with
//! `DIPJUDGE_REQUIRE_CANIEMAIL=1` it fails instead.

use std::path::Path;
use std::process::Command;

/// Where the package is installed.
const INSTALLED: &str = "/opt/dipjudge-tests/caniemail";

#[test]
fn large_mail_clients_know_what_mails_use_but_what_has_a_reason() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages");
    let installed = Path::new(INSTALLED);
    if !installed.join("node_modules/caniemail").is_dir() {
        assert!(
            std::env::var_os("DIPJUDGE_REQUIRE_CANIEMAIL").is_none(),
            "the package caniemail is not in {INSTALLED}"
        );
        println!("left out: the package caniemail is not in {INSTALLED}");
        return;
    }
    // A module finds the packages beside it.
    let script = tempfile::Builder::new()
        .suffix(".mjs")
        .tempfile_in(installed)
        .unwrap();
    std::fs::copy(root.join("clients.mjs"), script.path()).unwrap();
    let done = Command::new("node")
        .arg(script.path())
        .arg(root.join("parts"))
        .output()
        .unwrap();
    let told = String::from_utf8(done.stdout).unwrap();
    let why = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{why}");
    let unknown: Vec<&str> = told.lines().collect();
    let list = include_str!("clients.txt").lines();
    let list: Vec<&str> = list
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .collect();
    let reasons = list.chunks(2).map(|pair| {
        let [feature, reason] = pair else {
            panic!("{pair:?} is no feature with its reason")
        };
        assert!(reason.starts_with("    "), "{reason}");
        *feature
    });
    assert_eq!(unknown, reasons.collect::<Vec<&str>>());
}
