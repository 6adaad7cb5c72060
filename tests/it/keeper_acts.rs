//! What keepers do on the command line: each command with what it brings about, what it only says with `--dry-run`, and as JSON.

use serde_json::Value;

use super::keeper_store::{Judge, registration, said};
use crate::piped::piped;

/// A judge with a running game: gm is its master, anna and ben lead the first powers, the others stand empty.
pub(super) fn judge_with_game() -> (tempfile::TempDir, Judge) {
    let folder = tempfile::tempdir().unwrap();
    let judge = Judge::made(folder.path());
    for name in ["gm", "anna", "ben"] {
        delivers(&judge, &registration(name));
    }
    writes(
        &judge,
        "gm",
        "CREATE ?kaiser mpw\nBECOME MASTER\nSET LIST\nSET PRFRAND",
    );
    writes(&judge, "anna", "SIGNON ?kaiser apw");
    writes(&judge, "ben", "SIGNON ?kaiser bpw");
    writes(&judge, "gm", "SIGNON Mkaiser mpw\nFORCE BEGIN");
    assert!(
        judge.sent_to("ben").len() >= 3,
        "registered, joined, started"
    );
    (folder, judge)
}

fn delivers(judge: &Judge, message: &str) {
    said("deliver", &judge.deliver(message), 0);
}

/// A mail of one of these people.
pub(super) fn writes(judge: &Judge, name: &str, lines: &str) {
    let number = judge.sent_to(name).len() + 100;
    delivers(
        judge,
        &format!(
            "From: {name}@example.org\nTo: judge@example.org\nSubject: game\nMessage-ID: <{number}.{name}@example.org>\n\n{lines}\n"
        ),
    );
}

/// A command with lines on its standard input.
fn told(judge: &Judge, line: &str, input: &str, code: i32) -> String {
    said(line, &piped(&mut judge.command(line), input), code)
}

fn json(judge: &Judge, line: &str, input: &str) -> Value {
    serde_json::from_str(&told(judge, line, input, 0)).unwrap()
}

/// Which power somebody leads, as `users` shows it.
fn power_of(judge: &Judge, name: &str) -> String {
    let shown = judge.ends(&format!("users {name}@example.org"), 0);
    let (_, rest) = shown.split_once("kaiser (").expect("a place in kaiser");
    rest.split_once(')').unwrap().0.to_owned()
}

#[test]
fn lines_are_done_as_the_master_and_those_concerned_are_told() {
    let (_folder, judge) = judge_with_game();
    let before = judge.sent_to("ben").len();
    let would = told(&judge, "act kaiser --dry-run", "SET NMR\n", 0);
    assert!(would.contains("Nothing was done"), "{would}");
    assert_eq!(judge.sent_to("ben").len(), before);
    assert!(!judge.ends("show kaiser", 0).contains(", NMR"));

    let done = json(&judge, "act kaiser --json", "SET NMR\nLIST\n");
    assert_eq!(done["mode"], "real", "{done}");
    assert!(done["mails"].as_u64().unwrap() >= 3, "{done}");
    judge.ends("tick", 0);
    let mails = judge.sent_to("ben");
    let notice = mails.last().unwrap();
    assert!(notice.contains("keeper@example.org) as Master"), "{notice}");
    assert!(judge.ends("verify kaiser", 0).contains("kaiser"));

    let refused = told(&judge, "act kaiser", "EJECT nobody@example.org\n", 0);
    assert!(refused.contains("Nobody in 'kaiser'"), "{refused}");
    let none = told(&judge, "act kaisre", "PAUSE\n", 1);
    assert!(none.contains("no game 'kaisre'"), "{none}");
}

#[test]
fn lines_of_a_power_are_answered_to_its_leader_too() {
    let (_folder, judge) = judge_with_game();
    let power = power_of(&judge, "ben");
    let before = judge.sent_to("ben").len();
    let line = format!("act kaiser --as {power}");
    let done = told(&judge, &line, "SET WAIT\nSET PASSWORD fresher\n", 0);
    assert!(
        done.contains(&format!("assuming identity of {power}")),
        "{done}"
    );
    judge.ends("tick", 0);
    let mails = judge.sent_to("ben");
    assert_eq!(mails.len(), before + 1);
    assert!(mails.last().unwrap().contains("assuming identity"));
    // The new password is his.
    let letter = power.chars().next().unwrap();
    writes(&judge, "ben", &format!("SIGNON {letter}kaiser fresher"));
    let mails = judge.sent_to("ben");
    assert!(
        !mails.last().unwrap().contains("Wrong password"),
        "{mails:?}"
    );
}

#[test]
fn people_are_listed_and_changed() {
    let (_folder, judge) = judge_with_game();
    // What refusals say, whoever has proven his address.
    judge.configure("#unproven_reply_bytes = 2000", "unproven_reply_bytes = 0");
    let all = judge.ends("users", 0);
    assert_eq!(all.lines().count(), 3, "{all}");
    let anna = json(&judge, "users anna@example.org --json", "");
    assert_eq!(anna[0]["name"], "anna");
    assert_eq!(anna[0]["dedication"], 0);

    judge.ends("users anna@example.org --dedication -7 --dry-run", 0);
    assert_eq!(
        json(&judge, "users anna@example.org --json", "")[0]["dedication"],
        0
    );
    judge.ends("users anna@example.org --dedication -7 --deny master", 0);
    let anna = json(&judge, "users anna@example.org --json", "");
    assert_eq!(anna[0]["dedication"], -7);
    assert_eq!(anna[0]["denied"][0], "master");
    writes(&judge, "anna", "CREATE ?hohenzollern apw");
    let mails = judge.sent_to("anna");
    let refuses = |mail: &String| mail.contains("does not let you run games");
    assert!(mails.iter().any(refuses), "{mails:?}");
    judge.ends("users anna@example.org --allow master --deny player", 0);
    writes(&judge, "anna", "CREATE ?hohenzollern apw");
    assert!(judge.ends("games", 0).contains("hohenzollern"));
    writes(&judge, "gm", "CREATE ?tudor mpw");
    writes(&judge, "anna", "SIGNON ?tudor apw");
    let mails = judge.sent_to("anna");
    let refuses = |mail: &String| mail.contains("does not let you join games");
    assert!(mails.iter().any(refuses), "{mails:?}");

    judge.ends("users anna@example.org --link anna@home.test", 0);
    let anna = json(&judge, "users anna@home.test --json", "");
    assert_eq!(anna[0]["addresses"][1], "anna@home.test");
    let taken = judge.ends("users ben@example.org --link anna@home.test", 1);
    assert!(taken.contains("is an address of anna already"), "{taken}");
    let unknown = judge.ends("users nobody@example.org", 1);
    assert!(unknown.contains("nobody is registered"), "{unknown}");
}

#[test]
fn an_address_that_is_dead_is_changed_in_all_games_and_tokens_end() {
    let (_folder, judge) = judge_with_game();
    let reply_to = |mail: &str| {
        let line = mail.lines().find(|line| line.starts_with("Reply-To:"));
        line.unwrap()
            .trim_start_matches("Reply-To:")
            .trim()
            .to_owned()
    };
    let token = reply_to(judge.sent_to("ben").last().unwrap());
    judge.ends("users ben@example.org --end-tokens", 0);
    let mail = format!(
        "From: ben@elsewhere.test\nTo: {token}\nSubject: x\nMessage-ID: <9.ben@example.org>\n\nSET WAIT\n"
    );
    let before = judge.sent_to("ben").len();
    delivers(&judge, &mail);
    assert_eq!(
        judge.sent_to("ben").len(),
        before,
        "the address is nobody's"
    );

    judge.ends("users ben@example.org --address-now ben.new@example.org", 0);
    told(&judge, "act kaiser", "BROADCAST\nhello\nENDBROADCAST\n", 0);
    judge.ends("tick", 0);
    assert_eq!(judge.sent_to("ben").len(), before);
    assert_eq!(judge.sent_to("ben.new").len(), 1);
    assert!(
        judge
            .ends("users ben@example.org", 1)
            .contains("nobody is registered")
    );
}

#[test]
fn who_is_blocked_is_not_read_and_not_answered() {
    let (_folder, judge) = judge_with_game();
    let would = judge.ends("block spam@example.org --dry-run", 0);
    assert!(would.contains("Nothing was done"), "{would}");
    judge.ends("block spam@example.org", 0);
    delivers(&judge, &registration("spam"));
    assert_eq!(judge.sent_to("spam").len(), 0);
    judge.ends("unblock spam@example.org", 0);
    delivers(&judge, &registration("spam").replace("<1.", "<2."));
    assert_eq!(judge.sent_to("spam").len(), 1);

    // A player by his address, wherever his seat's mail comes from; and a whole domain.
    let said = judge.ends("block ben@example.org", 0);
    assert!(said.contains("still has a place in 'kaiser'"), "{said}");
    let before = judge.sent_to("ben").len();
    writes(&judge, "ben", "SIGNON ?kaiser bpw");
    assert_eq!(judge.sent_to("ben").len(), before);
    judge.ends("block ben@example.org --undo", 0);
    judge.ends("block @junk.test", 0);
    delivers(
        &judge,
        &registration("x").replace("x@example.org", "x@junk.test"),
    );
    assert!(judge.ends("users x@junk.test", 1).contains("nobody"));
    assert!(
        judge
            .ends("block keeper@example.org", 1)
            .contains("the keeper's own")
    );
}

#[test]
fn all_clocks_are_stopped_and_started_again() {
    let (_folder, judge) = judge_with_game();
    let nothing = judge.ends("resume-all", 0);
    assert!(
        nothing.contains("No game is paused by the keeper"),
        "{nothing}"
    );
    let before = judge.sent_to("ben").len();
    let said = judge.ends("pause-all", 0);
    assert!(said.contains("Game 'kaiser' is now paused."), "{said}");
    judge.ends("tick", 0);
    assert_eq!(judge.sent_to("ben").len(), before + 1);
    assert!(
        judge
            .ends("pause-all --dry-run", 0)
            .contains("No game is running")
    );
    assert!(
        json(&judge, "resume-all --json --dry-run", "")["said"]
            .as_str()
            .unwrap()
            .contains("kaiser")
    );
    judge.ends("resume-all", 0);
    judge.ends("tick", 0);
    assert_eq!(judge.sent_to("ben").len(), before + 2);
    assert!(
        judge
            .ends("resume-all", 0)
            .contains("No game is paused by the keeper")
    );
}

#[test]
fn a_letter_goes_to_each_of_an_audience() {
    let (_folder, judge) = judge_with_game();
    let text = "The judge is away on Sunday.\nYours, the keeper\n";
    let would = told(&judge, "write players --subject Sunday --dry-run", text, 0);
    assert!(would.contains("2 address(es)"), "{would}");
    told(&judge, "write masters --subject Sunday", text, 0);
    told(&judge, "write everybody --subject Monday", text, 0);
    judge.ends("tick", 0);
    let gm = judge.sent_to("gm");
    let letters = gm.iter().filter(|mail| mail.contains("away on Sunday"));
    assert_eq!(letters.count(), 2);
    let ben = judge.sent_to("ben");
    let letter = ben.last().unwrap();
    assert!(letter.contains("Subject: USXX: Monday"), "{letter}");
    assert!(!letter.contains("anna@"), "nobody reads who else got it");
    let empty = told(&judge, "write players --subject x", "\n", 1);
    assert!(empty.contains("no text"), "{empty}");
}

#[test]
fn a_game_gets_another_name_and_goes_on() {
    let (_folder, judge) = judge_with_game();
    judge.ends("rename kaiser tudor --dry-run", 0);
    assert!(judge.ends("games", 0).contains("kaiser"));
    judge.ends("rename kaiser tudor", 0);
    let games = judge.ends("games", 0);
    assert!(
        games.contains("tudor") && !games.contains("kaiser"),
        "{games}"
    );
    judge.ends("tick", 0);
    let notice = judge.sent_to("ben").last().unwrap().clone();
    assert!(notice.contains("is called 'tudor'"), "{notice}");
    writes(&judge, "gm", "SIGNON Mtudor mpw\nPROCESS");
    assert!(judge.ends("show tudor", 0).contains("F1901M"));
    assert!(judge.ends("verify tudor", 0).contains("tudor"));
    let refused = judge.ends("rename tudor england", 1);
    assert!(refused.contains("cannot be the name"), "{refused}");
}

#[test]
fn a_game_is_removed_and_a_copy_is_kept() {
    let (_folder, judge) = judge_with_game();
    let would = judge.ends("purge kaiser", 0);
    assert!(would.contains("would be removed"), "{would}");
    assert!(judge.ends("games", 0).contains("kaiser"));
    let done = judge.ends("purge kaiser --yes", 0);
    assert!(done.contains("is removed"), "{done}");
    assert!(judge.ends("games", 0).contains("no game"));
    let copy = judge.path("backup/before-purge-of-kaiser.jsonl");
    std::fs::rename(judge.path("data"), judge.path("old")).unwrap();
    judge.ends(&format!("restore {}", copy.display()), 0);
    assert!(judge.ends("games", 0).contains("kaiser"));
}

#[test]
fn a_person_is_forgotten_in_all_that_is_kept() {
    let (_folder, judge) = judge_with_game();
    judge.ends("backup before.jsonl", 0);
    let data = json(&judge, "users ben@example.org --data", "");
    assert_eq!(data["registered"]["name"], "ben");
    assert_eq!(data["games"][0]["game"], "kaiser");
    let number = data["registered"]["id"].as_u64().unwrap();

    let would = judge.ends("forget ben@example.org", 0);
    assert!(would.contains("Nothing was done"), "{would}");
    judge.ends("users ben@example.org", 0);
    let done = judge.ends("forget ben@example.org --yes", 0);
    assert!(
        done.contains(&format!("Number {number} is forgotten")),
        "{done}"
    );
    // The notices that he was taken out of the game go out first.
    judge.ends("tick", 0);
    judge.ends("backup after.jsonl", 0);
    let kept = std::fs::read_to_string(judge.path("after.jsonl")).unwrap();
    let lines = kept.lines().filter(|line| line.contains("ben@example.org"));
    let kept: Vec<&str> = lines.collect();
    assert!(kept.is_empty(), "{kept:#?}");
    assert!(judge.ends("verify", 0).contains("kaiser"));
    assert!(
        judge
            .ends("users ben@example.org", 1)
            .contains("nobody is registered")
    );

    // A copy of before is made to forget him too.
    std::fs::rename(judge.path("data"), judge.path("old")).unwrap();
    judge.ends("restore before.jsonl", 0);
    assert!(
        judge
            .ends("users ben@example.org", 1)
            .contains("nobody is registered")
    );
    judge.ends("tick", 0);
    judge.ends("backup again.jsonl", 0);
    let again = std::fs::read_to_string(judge.path("again.jsonl")).unwrap();
    assert!(!again.contains("ben@example.org"));

    // The number comes back with the address.
    delivers(&judge, &registration("ben").replace("<1.", "<77."));
    let ben = json(&judge, "users ben@example.org --json", "");
    assert_eq!(ben[0]["number"].as_u64(), Some(number));
}

#[test]
fn beside_a_daemon_acts_are_done_by_it_and_what_rewrites_logs_is_refused() {
    let (_folder, judge) = judge_with_game();
    let daemon = judge.start("run");
    daemon.waits_for("running");
    let done = told(&judge, "act kaiser", "PAUSE\n", 0);
    assert!(done.contains("is now paused"), "{done}");
    assert!(
        judge
            .ends("users anna@example.org --dedication +3", 0)
            .contains("to 3")
    );
    for line in [
        "rename kaiser tudor",
        "purge kaiser --yes",
        "forget ben@example.org --yes",
    ] {
        assert!(judge.ends(line, 1).contains("stop it"), "{line}");
    }
    drop(daemon);
    assert!(judge.ends("show kaiser", 0).contains("S1901MP"));
}

#[test]
fn each_act_has_a_dry_run_that_changes_nothing_and_json() {
    let (_folder, judge) = judge_with_game();
    let state = || {
        let shown = ["users --json", "games", "show kaiser"].map(|line| judge.ends(line, 0));
        (shown, judge.sent_to("ben").len(), judge.sent_to("gm").len())
    };
    judge.ends("block spam@example.org", 0);
    let before = state();
    let person = "users anna@example.org";
    let acts = [
        ("act kaiser".to_owned(), "PAUSE\n"),
        ("act kaiser --as Turkey".to_owned(), "SET WAIT\n"),
        (format!("{person} --dedication +5"), ""),
        (format!("{person} --link anna@home.test"), ""),
        (format!("{person} --address-now anna@home.test"), ""),
        (format!("{person} --deny master"), ""),
        (format!("{person} --end-tokens"), ""),
        ("block scam@example.org".to_owned(), ""),
        ("unblock spam@example.org".to_owned(), ""),
        ("pause-all".to_owned(), ""),
        ("resume-all".to_owned(), ""),
        ("write everybody --subject Sunday".to_owned(), "Closed.\n"),
        ("rename kaiser tudor".to_owned(), ""),
        ("purge kaiser".to_owned(), ""),
        ("forget anna@example.org".to_owned(), ""),
    ];
    for (line, input) in acts {
        let said = json(&judge, &format!("{line} --dry-run --json"), input);
        assert!(said.is_object(), "{line}: {said}");
        judge.ends("tick", 0);
        assert_eq!(state(), before, "{line}");
    }
}

/// A day as the manual has it: every line of its block is typed, in order.
#[test]
fn a_day_of_the_manual_is_typed_line_by_line() {
    let (_folder, judge) = judge_with_game();
    delivers(&judge, &registration("cleo"));
    writes(&judge, "cleo", "OBSERVE kaiser cpw");
    let england = (power_of(&judge, "ben"), power_of(&judge, "anna"));
    // A mail that was too large for the limit of that day.
    judge.configure("#bytes = 1048576", "bytes = 4096");
    let (header, text) = (
        "From: dora@example.org\nTo: judge@example.org\nSubject: hello\nMessage-ID: <1.dora@example.org>",
        "REGISTER\nName: dora\nEND",
    );
    let picture = "QUJD".repeat(18) + "\n";
    delivers(
        &judge,
        &format!(
            "{header}\nPrecedence: bulk\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=cut\n\n--cut\nContent-Type: image/jpeg\nContent-Transfer-Encoding: base64\n\n{}\n--cut\nContent-Type: text/plain\n\n{text}\n--cut--\n",
            picture.repeat(80)
        ),
    );
    judge.configure("bytes = 4096", "bytes = 1048576");

    let manual = include_str!("../../deploy/KEEPER.md");
    let (_, day) = manual.split_once("## 13 A keeper's day").unwrap();
    let block = day.split("```").nth(1).unwrap();
    let folder = std::path::Path::new(env!("CARGO_BIN_EXE_dipjudge"))
        .parent()
        .unwrap();
    for line in block.lines().skip(1) {
        // The lot decides who leads England.
        let line = line.replace("England", &england.0);
        let mut shell = std::process::Command::new("sh");
        shell
            .env_clear()
            .env("PATH", format!("{}:/usr/bin:/bin", folder.display()))
            .current_dir(&judge.folder)
            .args(["-c", &line]);
        let output = shell.output().unwrap();
        assert!(output.status.success(), "{line}: {output:?}");
        if line.starts_with("dipjudge restore") {
            let users = judge.ends("users", 0);
            assert!(!users.contains("cleo"), "forgotten again: {users}");
        }
    }
    // The spammer is not heard; ben has his new address and password; dora's mail was handled; the observer is nobody's.
    let before = judge.sent_to("spam").len();
    delivers(&judge, &registration("spam"));
    assert_eq!(judge.sent_to("spam").len(), before);
    let users = judge.ends("users", 0);
    assert!(
        users.contains("ben.new@example.org") && !users.contains("dora@example.org"),
        "a program's mail registers nobody: {users}"
    );
    let aside = judge.ends("set-aside", 0);
    assert!(!aside.contains("dora"), "handled: {aside}");
    let letter = england.0.chars().next().unwrap();
    writes(
        &judge,
        "ben.new",
        &format!("SIGNON {letter}kaiser fresher\nSET WAIT"),
    );
    let answer = judge.sent_to("ben.new").last().unwrap().clone();
    assert!(answer.contains("WAIT set: the phase waits"), "{answer}");
    let store = std::fs::read_to_string(judge.path("safe.jsonl")).unwrap();
    assert!(store.contains("cleo@example.org"), "the copy is of before");
    judge.ends("backup after.jsonl", 0);
    let store = std::fs::read_to_string(judge.path("after.jsonl")).unwrap();
    assert!(!store.contains("cleo@example.org"));
}
