//! What has become of the commands and settings of the judges before: the page `deploy/FROM-OLD-JUDGES.md` is made of this and of the
//! tables, and a test keeps it equal.

use std::collections::{BTreeMap, BTreeSet};
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
    ("map-from", New),
    ("play", New),
    ("spectate", New),
    ("observe", Better("SPECTATE takes no password")),
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
        Better("both addresses answer a mail before they count as one person's"),
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
        Better("without a game, behind a sign-on: your orders and what is due, in short"),
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
    ("substitute", New),
    ("reveal", Same),
    (
        "promote",
        Better("somebody who is no observer is asked by mail first"),
    ),
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
    // Of players.
    (
        "wait",
        Better("observers cannot hold up a game; WAIT alone is enough"),
    ),
    (
        "preference",
        Better("names of powers may be written out; an empty list clears it"),
    ),
    ("draw", Better("only the voter and the masters are told")),
    ("concede", Same),
    (
        "password",
        Better("capitals do not matter, and it is stored as a hash"),
    ),
    ("token", New),
    (
        "address",
        Better("takes effect when the new address has answered; word to the old one"),
    ),
    (
        "absence",
        Better(
            "dates in your own zone, weekdays too; stands at the head of replies, and never before the `::` lines",
        ),
    ),
    (
        "remind",
        Better(
            "nJudge reminded eight hours before; here each player sets the hours, and 0 for none",
        ),
    ),
    (
        "zone",
        Better(
            "DPjudge had it; all dates that a mail shows are in the reader's zone, but for the `::` lines",
        ),
    ),
    ("all-press", Same),
    ("no-broadcast", Same),
    ("html-on", New),
    ("pictures-on", New),
    ("calendar-on", New),
    // Time.
    (
        "deadline",
        Better("also `+3 days`, counted from the deadline; the reply repeats the whole date"),
    ),
    ("sign-up", New),
    ("timing", Same),
    ("max-absence", Same),
    ("nmr", Same),
    ("manual-start", Same),
    ("manual-process", Same),
    ("strict-wait", Same),
    ("strict-grace", Same),
    ("late-count", Same),
    ("late-list", New),
    ("early", New),
    // Who may come in, and what others see of it.
    (
        "dedication",
        Better("points that a hidden game withholds keep nobody out by them"),
    ),
    (
        "access",
        Gone(
            "a site is what anybody says; it is read and shown, and refuses nobody; use SET ALLOW PLAYER",
        ),
    ),
    ("allow", Better("it counts for observers too")),
    ("approve", Same),
    ("approval", Same),
    (
        "listed",
        Better("a game in no list is not there for outsiders once it has begun"),
    ),
    ("moderated", Same),
    ("quiet", Same),
    ("secret", Same),
    (
        "show",
        Better("SET NO SHOW had no effect; here it hides who changes settings"),
    ),
    ("reveal", Same),
    ("rated", Same),
    (
        "resume",
        Better(
            "in moderated games the master's, unless it is set; never after the end of a game that hid something",
        ),
    ),
    ("blind-master", New),
    ("shown-addresses", New),
    ("comment", Same),
    ("comment-begin", Same),
    ("archive", Same),
    // Variant and rules.
    (
        "variant",
        Better("GUNBOAT may also be lifted later, with word to all"),
    ),
    ("map", New),
    ("blank-board", Same),
    ("sight", New),
    ("position", New),
    (
        "players",
        Better(
            "where any number may play; FORCE BEGIN begins other games with fewer, and the rest is vacant",
        ),
    ),
    ("preference-method", Same),
    ("centers", Same),
    ("build-anywhere", Same),
    ("auto-disband", Same),
    ("any-disband", Same),
    (
        "disband",
        Gone(
            "no game here disbands in movement; units disband in retreats and in Winter (SET ANY DISBAND)",
        ),
    ),
    (
        "strict-convoy",
        Better("it is always so: a convoy whose ends touch no sea is refused in every game"),
    ),
    (
        "strict-coasts",
        Better("DPjudge's way, for games that want it"),
    ),
    ("proxy", Better("the taker is told, and is not late by it")),
    (
        "dias",
        Better(
            "also cleared votes are told; where it is hidden who exists, draws are of all survivors",
        ),
    ),
    ("concessions", Same),
    // Press.
    ("press-none", Same),
    (
        "partial",
        Better("SET NO PARTIAL no longer changes what observers may write"),
    ),
    ("may-be-faked", Same),
    ("observer", Same),
    (
        "watch-all-press",
        Better("where something is hidden, for what is written afterwards and with word to all"),
    ),
    ("late-press", Same),
    ("minor-press", Same),
    (
        "grace-press",
        Better("nJudge set another flag by it; here it does what it says"),
    ),
    ("must-order", Same),
    ("reveal-press", New),
    ("touch-press", Same),
    ("postal-press", Same),
    ("blank-press", Better("nJudge took it without an effect")),
    // Not offered.
    (
        "powers-wanted",
        Gone(
            "how many powers there are is the variant's; GET VARIANTS lists variants for fewer, and FORCE BEGIN begins with who is there",
        ),
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
        Gone(
            "of Machiavelli, or raw bits: GET VARIANTS lists what is played here, and GET MASTER the settings by their names",
        ),
    ),
];

/// The page.
fn page() -> String {
    let mut page = String::from(
        "# From the old judges to this one\n\nWhat has become of each command and setting of nJudge, and of DPjudge's. This page is made from \
         the tables of the program:\nchange `src/judge/acts/old_judges.rs`, not this file.\n",
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
        let what = match what.expect("a row without an entry") {
            Same => "the same".to_owned(),
            Better(how) => format!("the same, better: {how}"),
            Gone(why) => format!("**gone**: {why}"),
            New => "new here".to_owned(),
        };
        let _ = writeln!(page, "| {} | {what} |", examples.join(", "));
    }
}

#[test]
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
fn every_row_stands_in_the_table_and_nothing_else_does() {
    holds(&rules_of(commands().map(|row| row.rules)), COMMANDS);
    holds(&rules_of(settings().map(|row| row.rules)), SETTINGS);
}

fn rules_of(rows: impl Iterator<Item = Rules>) -> Vec<Rules> {
    rows.collect()
}

type Rules = &'static [&'static str];

fn holds(rows: &[Rules], became: &[(&str, Became)]) {
    let named: Vec<&str> = became.iter().map(|(rule, _)| *rule).collect();
    let once: BTreeSet<&str> = named.iter().copied().collect();
    assert_eq!(once.len(), named.len(), "a row has two entries");
    let missing: Vec<_> = rows
        .iter()
        .filter(|rules| !rules.iter().any(|rule| once.contains(rule)))
        .collect();
    assert!(missing.is_empty(), "say what became of {missing:?}");
    let unknown = named.iter().filter(|rule| {
        let firsts = rows.iter().filter_map(|rules| rules.first());
        !firsts.into_iter().any(|first| first == *rule)
    });
    let unknown: Vec<_> = unknown.collect();
    assert!(unknown.is_empty(), "no row begins with {unknown:?}");
}
