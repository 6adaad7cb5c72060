//! The units in `deploy`: systemd finds no fault in them, and little that their services could do beside their work.

use std::fs;
use std::path::Path;
use std::process::Command;

const DEPLOY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/deploy");

/// The units, with a program that is there; `None` where there is no systemd-analyze.
fn units() -> Option<tempfile::TempDir> {
    if !Path::new("/usr/bin/systemd-analyze").exists() {
        eprintln!("SKIPPED: systemd-analyze is not installed");
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(DEPLOY).unwrap() {
        let path = entry.unwrap().path();
        let ending = path.extension().unwrap_or_default();
        if ending == "service" || ending == "timer" {
            let text = fs::read_to_string(&path).unwrap();
            let text = text.replace("/usr/local/bin/dipjudge", "/bin/true");
            fs::write(folder.path().join(path.file_name().unwrap()), text).unwrap();
        }
    }
    Some(folder)
}

#[test]
fn systemd_finds_no_fault_in_any_unit() {
    let Some(folder) = units() else {
        return;
    };
    let files = fs::read_dir(folder.path()).unwrap();
    let files: Vec<_> = files.map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 5, "{files:?}");
    let output = Command::new("systemd-analyze")
        .args(["verify", "--man=no"])
        .args(&files)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{said}");
}

#[test]
fn each_service_is_as_hardened_as_the_manual_says() {
    let Some(folder) = units() else {
        return;
    };
    let manual = include_str!("../../deploy/KEEPER.md");
    for (name, exposure) in [
        ("dipjudge", "1.1"),
        ("dipjudge-tick", "1.1"),
        ("dipjudge-backup", "0.2"),
    ] {
        let output = Command::new("systemd-analyze")
            .args(["security", "--offline=true", "--no-pager"])
            .arg(folder.path().join(format!("{name}.service")))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        let line = said.lines().find(|line| line.contains("Overall exposure"));
        let level = line.and_then(|line| line.split_once(": "));
        let level = level.and_then(|(_, rest)| rest.split_whitespace().next());
        let found: f64 = level.unwrap_or_else(|| panic!("{said}")).parse().unwrap();
        assert!(found <= exposure.parse().unwrap(), "{name}: {said}");
    }
    assert!(manual.contains("gives the unit 1.1 of 10"));
}
