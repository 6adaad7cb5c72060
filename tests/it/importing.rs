//! `dipjudge import`: the mails of a whole game give the same game back, phase by phase, and what they cannot tell is asked.

use std::collections::BTreeMap;
use std::fs;

use dipjudge::game::Game;
use dipjudge::judge::{Import, KeeperAct};
use dipjudge::mails::kept;
use dipjudge::notation;
use jiff::Timestamp;

use super::keeper_store::Judge;
use crate::games::memory_host::MemoryHost;
use crate::games::play::{JudgeHost, came, play};
use crate::games::received::Received;
use crate::games::{sample, standard};

/// What an observer of a game has got.
fn observed(host: &mut MemoryHost, variant: &str) -> Vec<Received> {
    let script = if variant == "standard" {
        standard(0)
    } else {
        sample(variant, 0)
    };
    let mut record = Vec::new();
    play(&script, &script.steps, host, &mut record);
    let observed = came(&record).filter(|mail| mail.reader() == "olga");
    observed
        .filter(|mail| !mail.subject.starts_with("Re:"))
        .cloned()
        .collect()
}

/// One mail behind another, as HISTORY has them.
fn history(host: &mut MemoryHost, variant: &str) -> String {
    let observed = observed(host, variant);
    let entries = observed.iter().map(|mail| {
        format!(
            "Date:    Tue Dec  1 22:06:00 2026\nSubject: {}\n\n{}\n",
            mail.subject, mail.body
        )
    });
    entries.collect()
}

/// A mailbox file, as mail programs keep them.
fn mailbox(mails: &[Received]) -> String {
    let messages = mails.iter().map(|mail| {
        let Received { subject, body, .. } = mail;
        format!(
            "From judge@mail.test Tue Dec  1 22:06:00 2026\nFrom: judge@mail.test\nTo: olga@mail.test\nSubject: {subject}\n\n{body}\n\n"
        )
    });
    messages.collect()
}

fn now() -> Timestamp {
    "2027-06-01T12:00:00Z".parse().unwrap()
}

fn import_of(text: &str) -> Import {
    Import {
        game: kept::read(text.as_bytes()).unwrap(),
        name: Some("again".to_owned()),
        people: BTreeMap::new(),
        until: None,
    }
}

/// The positions in which phases were played, and the last one.
fn positions(game: &Game) -> Vec<(String, String)> {
    let map = game.map();
    let mut all: Vec<(String, String)> = game
        .past
        .iter()
        .map(|past| {
            let phase = format!("{:?} {:?}", past.turn, past.phase);
            (phase, notation::write_position(map, &past.position))
        })
        .collect();
    all.push((
        "the end".to_owned(),
        notation::write_position(map, &game.position),
    ));
    all
}

#[test]
fn the_mails_of_a_whole_game_give_it_back_phase_by_phase() {
    let mut first = MemoryHost::new();
    let text = history(&mut first, "standard");
    let game = first.judge.game("kaiser").unwrap();
    let mut host = MemoryHost::new();
    let act = KeeperAct::Import(import_of(&text));
    let said = host.keeper(&act, now()).unwrap();
    assert!(said.contains("played again and found the same"), "{said}");
    let again = host.judge.game("again").unwrap();
    let (ours, theirs) = (positions(again), positions(game));
    assert!(theirs.len() > 10);
    assert_eq!(ours, theirs);
    assert_eq!(again.over(), game.over());
    assert_ne!(again.seed, game.seed, "a new seed");
    let owners = |game: &Game| {
        game.years
            .iter()
            .map(|year| year.owners.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(owners(again), owners(game));
}

#[test]
fn a_mailbox_file_of_a_whole_game_is_read_as_its_history_is() {
    let mails = observed(&mut MemoryHost::new(), "standard");
    let by_mailbox = kept::read(mailbox(&mails).as_bytes()).unwrap();
    let by_history = import_of(&history(&mut MemoryHost::new(), "standard")).game;
    assert_eq!(by_mailbox, by_history);
}

/// Whoever sends a text to the keeper may have written anything into it.
#[test]
fn what_is_cut_short_or_changed_is_played_again_or_refused_in_words() {
    let text = history(&mut MemoryHost::new(), "standard");
    let mut refused = 0;
    let mut tried = |text: &[u8]| {
        let Ok(game) = kept::read(text) else {
            refused += 1;
            return;
        };
        let import = Import {
            game,
            name: None,
            people: BTreeMap::new(),
            until: None,
        };
        if let Err(why) = MemoryHost::new().keeper(&KeeperAct::Import(import), now()) {
            assert!(!why.is_empty());
            refused += 1;
        }
    };
    for part in 1..40 {
        let mut bytes = text.as_bytes()[..text.len() * part / 40].to_vec();
        tried(&bytes);
        let at = bytes.len() / 2;
        bytes.truncate(bytes.len().min(20_000));
        if let Some(byte) = bytes.get_mut(at.min(19_000)) {
            *byte ^= 0x15;
        }
        tried(&bytes);
    }
    assert!(refused > 0);
}

#[test]
fn a_game_that_goes_on_is_offered_to_who_held_it() {
    let mut first = MemoryHost::new();
    let text = history(&mut first, "standard");
    let mut import = import_of(&text);
    let third = import.game.phases[2].token.clone();
    import.until = Some(third);
    import.game.people.clear();
    let mut host = MemoryHost::new();
    let refused = host
        .keeper(&KeeperAct::Import(import.clone()), now())
        .unwrap_err();
    assert!(
        refused.contains("do not say who its master is"),
        "{refused}"
    );
    assert!(
        host.judge.game("again").is_none(),
        "nothing is made of what is refused"
    );
    for (role, who) in [("Master", "gm"), ("France", "cleo")] {
        import
            .people
            .insert(role.to_owned(), format!("{who}@mail.test"));
    }
    let said = host.keeper(&KeeperAct::Import(import), now()).unwrap();
    assert!(
        said.contains("cleo@mail.test is asked to lead France."),
        "{said}"
    );
    assert!(
        said.contains("where the player of Turkey reads mail"),
        "{said}"
    );
    let sent = host.collect();
    let asked = sent.iter().find(|mail| mail.reader() == "cleo").unwrap();
    assert!(
        asked.body.contains("You are asked to lead France"),
        "{}",
        asked.body
    );
    let at = now();
    let form =
        "From: cleo@mail.test\r\nTo: judge@mail.test\r\n\r\nREGISTER\r\nName: Cleo\r\nEND\r\n";
    host.post("cleo@mail.test", "judge@mail.test", form.as_bytes(), at);
    let to = asked.reply_to.clone().unwrap();
    let yes =
        format!("From: cleo@mail.test\r\nTo: {to}\r\nSubject: Re: You are asked\r\n\r\nYES\r\n");
    host.post("cleo@mail.test", &to, yes.as_bytes(), at);
    host.look(at);
    let told: String = host
        .collect()
        .iter()
        .map(|mail| mail.body.clone())
        .collect();
    assert!(told.contains("You lead France in game 'again'."), "{told}");
}

#[test]
fn a_keeper_takes_a_game_over_on_the_command_line() {
    let text = history(&mut MemoryHost::new(), "standard");
    let third = import_of(&text).game.phases[2].token.clone();
    let folder = tempfile::tempdir().unwrap();
    let judge = Judge::made(folder.path());
    fs::write(judge.path("history.txt"), &text).unwrap();
    let line = format!(
        "import history.txt --name again --until {third} --player Master=gm@example.org --player France=cleo@example.org"
    );
    let would = judge.ends(&format!("{line} --dry-run"), 0);
    assert!(would.contains("Nothing was done"), "{would}");
    let said = judge.ends(&line, 0);
    assert!(
        said.contains("cleo@example.org is asked to lead France."),
        "{said}"
    );
    assert!(judge.ends("games", 0).contains("again"));
    judge.ends("tick", 0);
    let asked = judge.sent_to("cleo");
    assert_eq!(asked.len(), 1);
    assert!(asked[0].contains("You are asked to lead France"));
}

#[test]
fn what_does_not_follow_from_the_rules_is_refused_in_words() {
    let mut first = MemoryHost::new();
    let text = history(&mut first, "standard");
    let whole = import_of(&text);
    let refused = |import: Import| {
        let mut host = MemoryHost::new();
        host.keeper(&KeeperAct::Import(import), now()).unwrap_err()
    };
    let mut missing = whole.clone();
    missing.game.phases.remove(1);
    assert!(refused(missing).contains("are missing"));
    let mut changed = whole.clone();
    let said = &mut changed.game.phases[0].said;
    said.push("The French Army in Paris can retreat to Picardy".to_owned());
    let why = refused(changed);
    assert!(
        why.contains("the mails say [The French Army in Paris can retreat to Picardy]"),
        "{why}"
    );
    let mut hidden = whole.clone();
    hidden.game.variant = "Standard Gunboat".to_owned();
    hidden.game.phases.truncate(2);
    hidden.game.ending = None;
    assert!(refused(hidden).contains("only where it was begun"));
    let mut blind = whole.clone();
    blind.game.variant = "Standard Blind".to_owned();
    assert!(refused(blind).contains("the board is hidden"));
    let mut unknown = whole.clone();
    unknown.game.variant = "Machiavelli".to_owned();
    assert!(refused(unknown).contains("no variant of this judge"));
    let mut foreign = whole;
    foreign.game.phases[0]
        .orders
        .insert("Prussia".to_owned(), vec!["Army Paris HOLD".to_owned()]);
    assert!(refused(foreign).contains("'Prussia' is no power"));
}

#[test]
fn a_saved_game_that_the_judge_exports_comes_back() {
    let mut first = MemoryHost::new();
    history(&mut first, "standard");
    let game = first.judge.game("kaiser").unwrap();
    let records = first.records.iter().filter(|(log, _)| log == "kaiser");
    let records: Vec<dipjudge::game::Record> = records
        .map(|(_, json)| serde_json::from_slice(json).unwrap())
        .collect();
    let chronicle = dipjudge::game::project::Chronicle::of(&records).unwrap();
    let variant = dipjudge::variants::of(&game.variant);
    let saved = chronicle
        .seen_by(variant, dipjudge::view::Viewer::Master)
        .export();
    let text = dipjudge::interchange::export(&saved);
    let mut import = import_of(&text);
    if !game.over() {
        import
            .people
            .insert("Master".to_owned(), "gm@mail.test".to_owned());
    }
    // A saved game does not say how its players ended it.
    import
        .people
        .insert("Master".to_owned(), "gm@mail.test".to_owned());
    let mut host = MemoryHost::new();
    host.keeper(&KeeperAct::Import(import), now()).unwrap();
    assert_eq!(
        positions(host.judge.game("again").unwrap()),
        positions(game)
    );
}
