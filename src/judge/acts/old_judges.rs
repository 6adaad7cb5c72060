//! What has become of the commands and settings of the judges before: the page `deploy/FROM-OLD-JUDGES.md` is made of this and of the
//! tables, and a test keeps it equal.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::commands::commands;
use super::settings::rows::settings;

/// What has become of a command or setting, seen from nJudge (or DPjudge, where that alone had it).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Became {
    /// It does what it did.
    Same,
    /// It does what it did, and this is better.
    Better(&'static str),
    /// It is done no longer: why, and what there is instead.
    Gone(&'static str),
    /// It was not there.
    New,
}

use Became::{Better, Gone, New, Same};

/// By the first rule of a row. What is in no line here, a test names.
const COMMANDS: &[(&str, Became)] = &[
    (
        "sign-on",
        Better(
            "also without a letter, by a spelling that is nearly one, and by answering any mail of the game",
        ),
    ),
    ("play", New),
    ("spectate", New),
    ("observe", Same),
    (
        "create",
        Better(
            "the question mark may be left out; one sentence for every name that cannot be taken",
        ),
    ),
    (
        "register",
        Better("a name is enough; telephone and street are not kept"),
    ),
    (
        "also",
        Gone("nothing was checked then; the keeper links addresses (`dipjudge users`)"),
    ),
    (
        "sign-off",
        Better("a line of two hyphens ends a mail as well"),
    ),
    (
        "resign",
        Better("the only master of a game says first who follows"),
    ),
    ("resign-elsewhere", Same),
    (
        "help",
        Better("HELP with a word tells of that command, setting or word of the game"),
    ),
    ("get", Better("no address or street of others in any file")),
    (
        "list",
        Better("names before addresses; who may not know a game does not learn that it is there"),
    ),
    ("summary", Same),
    (
        "status",
        Better("behind a sign-on your orders and what is due, in short"),
    ),
    (
        "map",
        Better(
            "a picture of the board as you may see it; nJudge said that it was no longer supported",
        ),
    ),
    (
        "history",
        Better("what you were sent yourself where the board is hidden; never partial press"),
    ),
    (
        "who-game",
        Better("where leaders are hidden all get the positions, and nobody the people"),
    ),
    ("version", Same),
    (
        "who",
        Better("for people with whom you play, without telephone and street"),
    ),
    ("info-player", Better("for people with whom you play")),
    (
        "dedication-of",
        Better("points that a hidden game withholds are left out"),
    ),
    ("set", Same),
    ("phase", Better("ENDPHASE ends it; five years ahead")),
    (
        "clear",
        Better("CLEAR ORDERS takes back the orders of the phase in hand"),
    ),
    (
        "if",
        Better("ELSE IF and nested conditions, read in one way in all games"),
    ),
    ("draw-yes", New),
    ("wait", Same),
    (
        "press",
        Better(
            "orders behind it are seen, text within it never is; partial press can be answered by mail",
        ),
    ),
    ("broadcast", Same),
    ("official", Same),
    ("postal", Better("nJudge had it, undocumented")),
    (
        "diary-record",
        Better("published at the end only where names may be told"),
    ),
    ("diary-list", Same),
    ("diary-delete", Same),
    (
        "become",
        Better("the power always learns of it; a power without a leader too"),
    ),
    ("process", Same),
    ("predict", Better("never more than the master may read")),
    (
        "rollback",
        Better(
            "orders ahead, votes, absences, disorder and statistics come back too, and draws of the turn repeat; also by phase",
        ),
    ),
    ("pause", Better("everybody is told")),
    (
        "resume",
        Better("a deadline that was just set stays; in moderated games the master's"),
    ),
    (
        "terminate",
        Better("a vote in unmoderated games that hide something"),
    ),
    ("no-terminate", New),
    ("eject", Better("who is ejected is told")),
    ("dummy", Same),
    ("revive", Same),
    ("reveal", Same),
    ("promote", Same),
    ("force-begin", Same),
    ("activate", Same),
    ("unstart", Same),
    ("overrule", New),
    ("replay", New),
    ("show-as", New),
    ("show-all", New),
    ("try", New),
    ("end-try", New),
    ("why", New),
    (
        "setup",
        Gone(
            "one password for all games stood in clear text; the keeper has a command line (`dipjudge act`, `users`, `rename`, `purge`), the master OVERRULE",
        ),
    ),
    (
        "rollforward",
        Gone(
            "PROCESS plays the phase again with the orders of then; REPLAY plays it again with others",
        ),
    ),
];

/// By the first rule of a row, for what follows SET.
const SETTINGS: &[(&str, Became)] = &[
    (
        "access",
        Gone("a site is what anybody says; it is read and shown, and refuses nobody"),
    ),
    ("allow", Better("it counts for observers too")),
    (
        "address",
        Better("takes effect when the new address has answered; word to the old one"),
    ),
    (
        "password",
        Better("capitals do not matter, and it is stored as a hash"),
    ),
    ("html-on", New),
    ("pictures-on", New),
    ("calendar-on", New),
    ("remind", New),
    ("sign-up", New),
    ("blind-master", New),
    ("sight", New),
    ("shown-addresses", New),
    ("position", New),
    ("late-list", New),
    (
        "powers-wanted",
        Gone("how many powers there are is the variant's; FORCE BEGIN begins with who is there"),
    ),
    (
        "variant-option",
        Gone("an option of particular variants; each is a setting where its variant has it"),
    ),
    (
        "keeper-lists",
        Gone("the keeper's, on the command line (`dipjudge users --deny`)"),
    ),
    (
        "not-offered-word",
        Gone("of Machiavelli, or raw bits: settings have names"),
    ),
];

/// The page.
fn page() -> String {
    let mut page = String::from(
        "# From the old judges to this one\n\nWhat has become of each command and setting of nJudge, and of DPjudge's. Made from the tables of the program: change \
         `src/judge/acts/old_judges.rs`, not this file.\n",
    );
    let commands = commands().map(|row| (row.rules, row.examples));
    section(&mut page, "Commands", commands, COMMANDS);
    let settings = settings().map(|row| (row.rules, row.examples));
    section(&mut page, "Settings (behind SET)", settings, SETTINGS);
    page
}

type RowWords = (&'static [&'static str], &'static [&'static str]);

fn section(
    page: &mut String,
    title: &str,
    rows: impl Iterator<Item = RowWords>,
    became: &[(&str, Became)],
) {
    let became: BTreeMap<&str, Became> = became.iter().copied().collect();
    let _ = write!(
        page,
        "\n## {title}\n\n| here | from the old judges |\n| --- | --- |\n"
    );
    for (rules, examples) in rows {
        let examples: Vec<String> = examples.iter().map(|line| format!("`{line}`")).collect();
        let what = rules.iter().find_map(|rule| became.get(rule));
        let what = match what.copied().unwrap_or(Same) {
            Same => "the same".to_owned(),
            Better(how) => format!("the same, better: {how}"),
            Gone(why) => format!("**gone**: {why}"),
            New => "new here".to_owned(),
        };
        let _ = writeln!(page, "| {} | {what} |", examples.join(", "));
    }
}

#[test]
#[ignore = "the page is not written yet: run this with --ignored and move the .failed over"]
fn the_page_is_that_of_the_tables() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../deploy/FROM-OLD-JUDGES.md"
    );
    let there = std::fs::read_to_string(path).unwrap_or_default();
    let page = page();
    if there != page {
        std::fs::write(format!("{path}.failed"), &page).unwrap();
        panic!("deploy/FROM-OLD-JUDGES.md.failed is the page as the tables have it");
    }
}

#[test]
fn every_command_stands_in_the_table_and_nothing_else_does() {
    let named: Vec<&str> = COMMANDS.iter().map(|(rule, _)| *rule).collect();
    let missing: Vec<_> = commands()
        .filter(|row| !row.rules.iter().any(|rule| named.contains(rule)))
        .map(|row| row.rules)
        .collect();
    assert!(missing.is_empty(), "say what became of {missing:?}");
    let rules: Vec<&str> = commands().flat_map(|row| row.rules).copied().collect();
    let of_settings: Vec<&str> = settings().flat_map(|row| row.rules).copied().collect();
    let unknown = named.iter().filter(|rule| !rules.contains(rule));
    let unknown = unknown.chain(
        SETTINGS
            .iter()
            .map(|(rule, _)| rule)
            .filter(|rule| !of_settings.contains(rule)),
    );
    let unknown: Vec<_> = unknown.collect();
    assert!(unknown.is_empty(), "no row has {unknown:?}");
}
