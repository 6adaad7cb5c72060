//! Headless Chromium, and what it measures of pages.

use std::fs;
use std::process::Command;

use serde::{Deserialize, Serialize};

/// What a reader's device asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Day,
    Dark,
}

/// A page to be measured.
#[derive(Serialize)]
pub(crate) struct Page {
    pub(crate) name: String,
    /// In pixels.
    pub(crate) width: u32,
    pub(crate) html: String,
}

/// What was measured of a page.
#[derive(Debug, Deserialize)]
pub(crate) struct Measured {
    pub(crate) name: String,
    /// How many words are shown.
    pub(crate) words: usize,
    /// By how many pixels it is wider than the window.
    pub(crate) overflow: f64,
    /// Elements whose box is not within the page.
    pub(crate) outside: Vec<String>,
    /// The widths of the pictures.
    pub(crate) picture_widths: Vec<f64>,
    /// What pictures show that are not loaded, or have no size.
    pub(crate) pictures_missing: Vec<String>,
    /// The least contrast of words and what they stand on.
    pub(crate) contrast: f64,
    /// The words that have it.
    pub(crate) faintest: String,
    /// Whether the page is dark.
    pub(crate) dark: bool,
}

/// Measures every page in a frame of its own.
const SCRIPT: &str = concat!(include_str!("frames.js"), include_str!("measure.js"));

/// Steps through every page by keys, in a frame of its own.
const STEPS: &str = concat!(include_str!("frames.js"), include_str!("step.js"));

/// What was seen of a book while keys were pressed.
#[derive(Debug, Deserialize)]
pub(crate) struct Stepped {
    pub(crate) name: String,
    /// How many sections it has.
    pub(crate) sections: usize,
    /// Behind each key, which sections are shown, by number.
    pub(crate) shown: Vec<Vec<usize>>,
    /// By how many pixels it is wider than the window, at most.
    pub(crate) overflow: f64,
    /// The sections whose map has no height.
    pub(crate) flat_maps: Vec<usize>,
}

/// Steps through books: to the end, back by one, and to all. `None` where there is no Chromium.
pub(crate) fn step(pages: &[Page]) -> Option<Vec<Stepped>> {
    let stepped = rendered(pages, STEPS, Mode::Day)?;
    Some(serde_json::from_str(&stepped).unwrap())
}

/// Renders pages, all of them in one run, and measures them. `None` where there is no Chromium.
pub(crate) fn measure(pages: &[Page], mode: Mode) -> Option<Vec<Measured>> {
    let measured = rendered(pages, SCRIPT, mode)?;
    Some(serde_json::from_str(&measured).unwrap())
}

/// What a script says of pages, as JSON.
fn rendered(pages: &[Page], script: &str, mode: Mode) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let sheet = folder.path().join("sheet.html");
    // No `</script>` ends the list before its end.
    let list = serde_json::to_string(pages)
        .unwrap()
        .replace('<', "\\u003c");
    let text = format!(
        "<!DOCTYPE html><meta charset=utf-8><body><script>const PAGES={list};\n{script}</script>"
    );
    fs::write(&sheet, text).unwrap();
    let mut command = Command::new("chromium");
    command
        .args([
            "--headless",
            "--disable-gpu",
            "--hide-scrollbars",
            "--dump-dom",
        ])
        .args(["--disable-dev-shm-usage", "--virtual-time-budget=60000"])
        .arg(format!(
            "--user-data-dir={}",
            folder.path().join("profile").display()
        ))
        .arg("--window-size=1300,1000");
    // Chromium refuses to run its sandbox as root.
    if is_root() {
        command.arg("--no-sandbox");
    }
    if mode == Mode::Dark {
        command.arg("--blink-settings=preferredColorScheme=0");
    }
    let output = match command.arg(&sheet).output() {
        Ok(output) => output,
        Err(error) => {
            let required =
                std::env::var("DIPJUDGE_REQUIRE_CHROMIUM").is_ok_and(|value| value == "1");
            assert!(
                !required,
                "Chromium is required, but it cannot be run: {error}"
            );
            eprintln!("SKIPPED: no Chromium ({error}; deploy/install-test-needs.sh installs it)");
            return None;
        }
    };
    let dumped = String::from_utf8(output.stdout).unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let measured = dumped.split_once("<pre id=\"measured\">");
    let measured = measured.and_then(|(_, behind)| behind.split_once("</pre>"));
    let (measured, _) = measured.unwrap_or_else(|| panic!("nothing was measured: {said}"));
    let measured = measured
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&nbsp;", " ")
        .replace("&amp;", "&");
    Some(measured)
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout.starts_with(b"0"))
}
