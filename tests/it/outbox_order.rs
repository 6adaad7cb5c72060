//! In which order the mails of a mailing are handed to the server: masters, powers by name, observers, however long each of
//! them takes, and with other games' mails beside them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::judge_folder::{JudgeFolder, smtp};
use crate::scripted_smtp::{Response, Server};

const PLAYERS: [&str; 7] = ["anna", "ben", "cleo", "dirk", "emma", "finn", "gwen"];

/// Two games fill, in which the same people lead other powers, and their masters write to all.
fn two_games_begin(judge: &JudgeFolder) {
    let arrives = |name: &str, text: &str| judge.arrives(&format!("{name}@{name}.test"), text);
    for name in PLAYERS.iter().chain(&["gm", "olga"]) {
        arrives(name, &format!("REGISTER\nName: {name}\nLevel: Novice\nEND"));
    }
    for (game, first) in [("kaiser", 0), ("friday", 3)] {
        arrives("gm", &format!("CREATE ?{game} hazelnut\nBECOME MASTER"));
        arrives("olga", &format!("OBSERVE {game} willow"));
        for (n, name) in PLAYERS.iter().enumerate() {
            let letter = ["A", "E", "F", "G", "I", "R", "T"][(first + n) % 7];
            arrives(
                name,
                &format!("SIGNON ?{game} blackthorn\nSET PREFERENCE {letter}"),
            );
        }
    }
    for game in ["kaiser", "friday"] {
        arrives(
            "gm",
            &format!("SIGNON M{game} hazelnut\nBROADCAST\nHello all\nENDBROADCAST"),
        );
    }
}

/// Each reader's server takes a different time, so that mails sent side by side would arrive out of order.
fn slow(command: &str) {
    let sum: u64 = command.bytes().map(u64::from).sum();
    std::thread::sleep(Duration::from_millis(sum * 7 % 23));
}

fn header<'t>(text: &'t str, name: &str) -> &'t str {
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.unwrap_or_default().trim()
}

/// To whom the mails with this in their subject went, in order.
fn mailing(texts: &[String], subject: &str) -> Vec<String> {
    let of_it = texts
        .iter()
        .filter(|text| header(text, "Subject:").contains(subject));
    of_it.map(|text| header(text, "To:").to_owned()).collect()
}

/// Masters, powers by name, observers, as the mail of the start lists them.
fn listed(texts: &[String], game: &str) -> Vec<String> {
    let subject = format!("USXX:{game} - S1901M Game Starting");
    let start = texts
        .iter()
        .find(|text| header(text, "Subject:") == subject)
        .unwrap();
    let rest = start.split("players are in this game:").nth(1).unwrap();
    let lines = rest.lines().skip(1).map_while(|line| line.split_once(": "));
    lines
        .map(|(_, address)| address.trim().to_owned())
        .collect()
}

fn check(texts: &[String]) {
    for game in ["kaiser", "friday"] {
        let order = listed(texts, game);
        assert_eq!(order.len(), 9, "{order:?}");
        assert_eq!(order[0], "gm@gm.test");
        assert_eq!(
            mailing(texts, &format!("USXX:{game} - S1901M Game Starting")),
            order
        );
        let press: Vec<String> = mailing(texts, &format!("USXX:{game} - S1901M Broadcast"));
        let but_the_answer: Vec<String> = press;
        assert_eq!(but_the_answer, order);
    }
    assert_ne!(listed(texts, "kaiser"), listed(texts, "friday"));
    let place = |game: &str| {
        let subject = format!("USXX:{game} ");
        let of_it = |text: &String| header(text, "Subject:").contains(&subject);
        (texts.iter().position(of_it), texts.iter().rposition(of_it))
    };
    let ((first, last), (other_first, other_last)) = (place("kaiser"), place("friday"));
    assert!(other_first < last && first < other_last, "side by side");
}

#[test]
fn each_game_hands_its_mails_over_in_order_and_games_go_side_by_side() {
    let server = Server::start(|_, command| {
        slow(command);
        Response::AsUsual
    });
    let judge = JudgeFolder::sending_to(server.port);
    two_games_begin(&judge);
    judge.says("tick");
    assert_eq!(judge.outbox()["mails"], 0);
    check(&server.read());
}

/// The openings of two games have 18 mails with maps of 150 to 200 kB.
#[test]
fn mails_beyond_the_allowance_of_pictures_go_without_theirs() {
    let server = Server::start(|_, _| Response::AsUsual);
    let limited = format!("{}\npictures_mb_per_hour = 1", smtp(server.port));
    let judge = JudgeFolder::new("judge.test", &limited);
    two_games_begin(&judge);
    judge.says("tick");
    assert_eq!(judge.outbox()["mails"], 0);
    let texts = server.read();
    let begins = |text: &&String| header(text, "Subject:").ends_with("Game Starting");
    let (with, without): (Vec<&String>, Vec<&String>) = texts
        .iter()
        .filter(begins)
        .partition(|text| text.contains("image/png"));
    assert_eq!(with.len() + without.len(), 18);
    assert!((4..=7).contains(&with.len()), "{} with maps", with.len());
}

#[test]
fn the_daemon_keeps_the_order_too() {
    let server = Server::start(|_, command| {
        slow(command);
        Response::AsUsual
    });
    let judge = JudgeFolder::sending_to(server.port);
    two_games_begin(&judge);
    let _daemon = judge.daemon();
    judge.await_until("everything is sent", || {
        mailing(&server.read(), "USXX:friday - S1901M Broadcast").len() == 9
            && judge.outbox()["mails"] == 0
    });
    check(&server.read());
}

#[test]
fn one_who_is_put_off_holds_up_nobody_and_gets_his_mails_in_order() {
    let closed = std::sync::Arc::new(AtomicBool::new(true));
    let still = closed.clone();
    let server = Server::start(move |_, command| {
        slow(command);
        match command.starts_with("RCPT TO:<cleo@") && still.load(Ordering::SeqCst) {
            true => Response::Says("450 4.2.1 mailbox busy\r\n"),
            false => Response::AsUsual,
        }
    });
    let judge = JudgeFolder::sending_to(server.port);
    two_games_begin(&judge);
    judge.says("tick");
    let before = server.read();
    for game in ["kaiser", "friday"] {
        let mut order = listed(&before, game);
        order.retain(|to| to != "cleo@cleo.test");
        let subject = format!("USXX:{game} - S1901M Game Starting");
        assert_eq!(mailing(&before, &subject), order);
    }
    closed.store(false, Ordering::SeqCst);
    assert_eq!(judge.outbox_of("status --retry --json")["mails"], 0);
    let all = server.read();
    let late: Vec<&str> = all[before.len()..]
        .iter()
        .inspect(|text| assert_eq!(header(text, "To:"), "cleo@cleo.test"))
        .map(|text| header(text, "Subject:"))
        .collect();
    let place = |subject: &str| late.iter().position(|other| other.contains(subject));
    assert!(place("kaiser - S1901M Game Starting") < place("friday - S1901M Game Starting"));
    assert!(place("friday - S1901M Game Starting") < place("kaiser - S1901M Broadcast"));
    assert!(place("kaiser - S1901M Broadcast") < place("friday - S1901M Broadcast"));
}
