//! The rules page of each variant tells a turn of its sample game, under *A turn, worked*. What the page shows was sent and was told
//! in that game, and the position and orders of which the manual shows the picture are the game's. `demo` plays the games.

use std::fs;
use std::path::Path;
use std::process::Command;

use dipjudge::interchange::{self, Options};
use dipjudge::variants;
use mail_parser::MessageParser;
use serde_json::Value;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
/// How the heading of the turn begins.
const HEADING: &str = "A turn, worked: ";
/// How shown lines are indented.
const INDENT: &str = "     ";

/// The turn that a rules page tells.
struct WorkedPage<'p> {
    /// The name of the sample game.
    game: &'p str,
    /// Its phases, as subjects name them.
    phases: Vec<&'p str>,
    /// Lines that players sent.
    sent: Vec<&'p str>,
    /// Lines that they read; three full stops stand for words that are left out.
    told: Vec<&'p str>,
}

impl<'p> WorkedPage<'p> {
    /// Reads it from a rules page.
    fn of(page: &'p str) -> Option<WorkedPage<'p>> {
        let (_, section) = page.split_once(HEADING)?;
        let mut lines = section.lines();
        let (about, phases) = lines.next()?.trim_end_matches(')').split_once(" (")?;
        let (_, game) = about.rsplit_once(' ')?;
        let mut worked = WorkedPage {
            game,
            phases: phases.split(", ").collect(),
            sent: Vec::new(),
            told: Vec::new(),
        };
        let mut before = "";
        for line in lines {
            if !line.starts_with(' ') && !line.is_empty() {
                break;
            }
            match line.strip_prefix(INDENT) {
                Some(shown) if before.ends_with("send:") || before.ends_with("sends:") => {
                    worked.sent.push(shown);
                }
                Some(shown) => worked.told.push(shown),
                None => before = line,
            }
        }
        Some(worked)
    }
}

/// All pages, by the names of their variants.
fn pages() -> Vec<(&'static str, WorkedPage<'static>)> {
    let cards = variants::ALL.iter().map(|variant| variant.card());
    let pages = cards.map(|card| {
        let worked = WorkedPage::of(card.rules);
        let worked = worked.unwrap_or_else(|| panic!("{} tells no turn", card.name));
        (card.name, worked)
    });
    pages.collect()
}

/// A text with one blank between its words.
fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The script of the sample game.
fn script(variant: &str) -> String {
    let file = match variant {
        "standard" => "src/shell/demo/standard.game".to_owned(),
        other => format!("src/variants/{}/demo.game", other.replace('-', "_")),
    };
    fs::read_to_string(Path::new(ROOT).join(file)).unwrap()
}

#[test]
fn what_a_page_says_was_sent_is_sent_in_the_sample_game() {
    for (variant, page) in pages() {
        assert!(!page.sent.is_empty(), "{variant} shows no mail");
        let script = script(variant).replace('–', "-");
        for line in page.sent {
            let is_sent = script.lines().any(|sent| folded(sent) == folded(line));
            assert!(is_sent, "{variant}: {line}");
        }
    }
}

/// Looks for what the pages say was told in the mails of a demo of all games.
pub(super) fn were_told(demo: &Path) {
    let boxes = fs::read_dir(demo.join("mailboxes")).unwrap();
    let boxes: Vec<_> = boxes.map(|entry| entry.unwrap().path()).collect();
    for (variant, page) in pages() {
        let is_of_turn = |name: &str| {
            let subjects = page.phases.iter();
            let mut subjects = subjects.map(|phase| format!("{} - {phase} Results", page.game));
            subjects.any(|subject| name.contains(&subject))
        };
        let mut reports = Vec::new();
        for mail in boxes
            .iter()
            .flat_map(|mailbox| fs::read_dir(mailbox).unwrap())
        {
            let mail = mail.unwrap();
            if is_of_turn(&mail.file_name().to_string_lossy()) {
                let bytes = fs::read(mail.path()).unwrap();
                let mail = MessageParser::default().parse(&bytes).unwrap();
                reports.push(folded(&mail.body_text(0).unwrap()));
            }
        }
        assert!(!page.told.is_empty(), "{variant} shows no results");
        // A sentence may go on over several lines; each of them is in a report.
        for line in page.told {
            let words: Vec<String> = line.split("...").map(folded).collect();
            let tells = |report: &String| words.iter().all(|words| report.contains(words));
            assert!(reports.iter().any(tells), "{variant}: {line}");
        }
    }
}

/// A game of the demo in the saved-game format.
fn saved(demo: &Path, game: &str) -> Value {
    let exported = Command::new(env!("CARGO_BIN_EXE_dipjudge"))
        .arg("--config")
        .arg(demo.join("dipjudge.toml"))
        .args(["export", game])
        .output()
        .unwrap();
    serde_json::from_slice(&exported.stdout).unwrap()
}

/// Where the units stand, without powers that have none and what nobody leads.
fn units(state: &Value) -> Vec<String> {
    let powers = state["units"].as_object().unwrap().iter();
    let mut units: Vec<String> = powers
        .flat_map(|(power, units)| {
            let units = units.as_array().unwrap().iter();
            units.map(move |unit| format!("{power} {unit}"))
        })
        .collect();
    units.sort();
    units
}

/// Compares the position and orders of which the manual shows the picture with the game of the demo.
pub(super) fn were_played(demo: &Path) {
    for variant in variants::ALL {
        let card = variant.card();
        let page = WorkedPage::of(card.rules).unwrap();
        let line: Value = serde_json::from_str(card.worked_turn).unwrap();
        let name = line["name"].as_str().unwrap();
        let saved = saved(demo, page.game);
        let phases = saved["phases"].as_array().unwrap();
        let at = phases.iter().position(|phase| phase["name"] == name);
        let at = at.unwrap_or_else(|| panic!("{} has no {name}", page.game));
        for (key, value) in line["state"].as_object().unwrap() {
            assert_eq!(&phases[at]["state"][key], value, "{}: {key}", card.name);
        }
        let options = Options {
            fallback: Some(&interchange::judge_syntax),
            ..Options::default()
        };
        let mut answer = Vec::new();
        let is_played = interchange::adjudicate(line.to_string().as_bytes(), &options, &mut answer);
        let answer: Value = serde_json::from_slice(&answer).unwrap();
        assert!(
            is_played && answer["errors"] == Value::Array(Vec::new()),
            "{answer}"
        );
        let after = &phases[at + 1]["state"];
        assert_eq!(
            units(&answer["next"]["state"]),
            units(after),
            "{}",
            card.name
        );
    }
}
