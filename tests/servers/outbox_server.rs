//! The outbox of the whole program against a mail server that refuses the judge, breaks off, or is away: what is kept,
//! what is given up, what the keeper sees.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use crate::judge_folder::{JudgeFolder, smtp};
use crate::mail_system::MailSystem;
use crate::scripted_smtp::{Response, Server};
use serde_json::json;

/// What relays say to a recipient of a sender whom they do not serve. `SENDER` and `RECIPIENT` stand for the addresses.
const REFUSALS: [&str; 6] = [
    // Postfix, which by default reports at RCPT what it holds against sender or client.
    "553 5.7.1 <SENDER>: Sender address rejected: not owned by user judge",
    "554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.dnsbl.test",
    "550 5.7.1 <RECIPIENT>: Recipient address rejected: access denied",
    // Exim's own words for a denied RCPT.
    "550 Administrative prohibition",
    "550 <SENDER> is not welcome (session 4fa9c1-RECIPIENT)",
    // A relay that takes itself for everybody's last stop.
    "550 5.1.1 <RECIPIENT>: Recipient address rejected: User unknown",
];

/// The address in `MAIL FROM:<...>` and the like.
fn address(command: &str) -> String {
    let start = command.find('<').map_or(0, |at| at + 1);
    command[start..]
        .split('>')
        .next()
        .unwrap_or_default()
        .to_owned()
}

/// A server that refuses every recipient in these words as long as the switch is on.
fn refusing(words: &'static str, on: &Arc<AtomicBool>) -> Server {
    let on = on.clone();
    let senders = std::sync::Mutex::new(std::collections::BTreeMap::new());
    Server::start(move |connection, command| {
        if command.starts_with("MAIL") {
            senders.lock().unwrap().insert(connection, address(command));
        }
        if !command.starts_with("RCPT") || !on.load(Ordering::SeqCst) {
            return Response::AsUsual;
        }
        let sender = senders.lock().unwrap()[&connection].clone();
        let line = words
            .replace("SENDER", &sender)
            .replace("RECIPIENT", &address(command));
        Response::Answers(line)
    })
}

#[test]
fn a_relay_that_refuses_the_judge_costs_no_mail() {
    for words in REFUSALS {
        let on = Arc::new(AtomicBool::new(true));
        let server = refusing(words, &on);
        let judge = JudgeFolder::sending_to(server.port);
        judge.people_register(8);
        let complaint = judge.fails("tick");
        assert!(
            complaint.contains("mail cannot be sent"),
            "{words}: {complaint}"
        );
        assert!(
            complaint.contains("domains in a row"),
            "{words}: {complaint}"
        );
        assert!(!complaint.contains("judge+b"), "no token: {complaint}");
        let outbox = judge.outbox();
        assert_eq!(outbox["given_up"], 0, "{words}: {outbox}");
        assert!(outbox["mails"].as_u64() >= Some(8), "{words}: {outbox}");
        assert!(outbox["stopped"]["why"].is_string(), "{words}: {outbox}");
        assert!(judge.says("status").contains("STOPPED since"));

        // The keeper has put it right.
        on.store(false, Ordering::SeqCst);
        let outbox = judge.outbox_of("status --retry --json");
        assert_eq!(outbox["mails"], 0, "{words}: {outbox}");
        assert_eq!(outbox["given_up"], 0, "{words}: {outbox}");
        assert_eq!(outbox["stopped"], json!(null), "{words}: {outbox}");
        let read = server.read();
        for n in 1..=8 {
            let to = format!("To: player{n}@domain{n}.test");
            let copies = read.iter().filter(|text| text.contains(&to)).count();
            assert_eq!(copies, 1, "{words}: mails to player {n}");
        }
    }
}

/// A server that refuses texts in these words as long as the script says so, and the texts that it has taken.
fn disliking(
    words: &'static str,
    dislikes: impl Fn(&str) -> bool + Send + Sync + 'static,
) -> (Server, Arc<Mutex<Vec<String>>>) {
    let taken: Arc<Mutex<Vec<String>>> = Arc::default();
    let takes = taken.clone();
    let server = Server::start(move |_, command| {
        let Some(text) = command.strip_prefix("TEXT\n") else {
            return Response::AsUsual;
        };
        if dislikes(text) {
            return Response::Says(words);
        }
        takes.lock().unwrap().push(text.to_owned());
        Response::AsUsual
    });
    (server, taken)
}

/// How many of these texts go to an address.
fn copies(taken: &Mutex<Vec<String>>, to: &str) -> usize {
    let to = format!("To: {to}");
    let taken = taken.lock().unwrap();
    taken.iter().filter(|text| text.contains(&to)).count()
}

/// Seven people at as many domains begin a game, of which each gets pages and a map.
fn a_game_begins(judge: &JudgeFolder) {
    judge.people_register(7);
    for n in 1..=7 {
        let line = match n {
            1 => "CREATE ?kaiser hazelnut",
            _ => "SIGNON ?kaiser blackthorn",
        };
        judge.arrives(&format!("player{n}@domain{n}.test"), line);
    }
}

/// The texts by which the game was begun.
fn starts(taken: &Mutex<Vec<String>>) -> Vec<String> {
    let taken = taken.lock().unwrap();
    let starts = taken.iter().filter(|text| text.contains("Game Starting"));
    starts.cloned().collect()
}

/// What servers say after the text to an account that they do not serve any more, and to any mail of it.
const REFUSED_TEXTS: [&str; 5] = [
    "554 Sending suspended for this account\r\n",
    "550 5.7.1 rejected as spam\r\n",
    "554 5.6.0 line too long\r\n",
    "552 5.3.4 too large\r\n",
    "550 5.1.1 no such user\r\n",
];

#[test]
fn a_relay_that_refuses_every_text_costs_no_mail() {
    for words in REFUSED_TEXTS {
        let on = Arc::new(AtomicBool::new(true));
        let refuses = on.clone();
        let (server, taken) = disliking(words, move |_| refuses.load(Ordering::SeqCst));
        let judge = JudgeFolder::sending_to(server.port);
        a_game_begins(&judge);
        let complaint = judge.fails("tick");
        assert!(
            complaint.contains("domains in a row"),
            "{words}: {complaint}"
        );
        let outbox = judge.outbox();
        assert_eq!(outbox["given_up"], 0, "{words}: {outbox}");
        assert!(outbox["mails"].as_u64() >= Some(21), "{words}: {outbox}");
        assert!(outbox["stopped"]["why"].is_string(), "{words}: {outbox}");
        // Still so at another tick.
        judge.fails("tick");
        assert_eq!(judge.outbox()["given_up"], 0, "{words}");

        on.store(false, Ordering::SeqCst);
        let outbox = judge.outbox_of("status --retry --json");
        assert_eq!(outbox["mails"], 0, "{words}: {outbox}");
        assert_eq!(outbox["given_up"], 0, "{words}: {outbox}");
        assert_eq!(outbox["stopped"], json!(null), "{words}: {outbox}");
        let starts = starts(&taken);
        assert_eq!(starts.len(), 7, "{words}");
        for text in &starts {
            assert!(text.contains("image/png"), "{words}: it goes whole");
        }
        let taken = taken.lock().unwrap();
        let ids = taken.iter().flat_map(|text| text.lines());
        let ids: Vec<&str> = ids.filter(|line| line.starts_with("Message-ID:")).collect();
        let different: std::collections::BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(ids.len(), different.len(), "{words}: none goes twice");
    }
}

#[test]
fn a_mail_goes_with_as_much_as_is_wanted_of_it() {
    for (disliked, has_page) in [("image/png", true), ("text/html", false)] {
        let words = "550 5.7.1 not this\r\n";
        let (server, taken) = disliking(words, move |text| text.contains(disliked));
        let judge = JudgeFolder::sending_to(server.port);
        a_game_begins(&judge);
        judge.says("tick");
        let outbox = judge.outbox();
        assert_eq!(
            (&outbox["mails"], &outbox["given_up"], &outbox["stopped"]),
            (&json!(0), &json!(0), &json!(null)),
            "{disliked}"
        );
        let starts = starts(&taken);
        assert_eq!(starts.len(), 7, "{disliked}");
        for text in &starts {
            assert!(text.contains("text/plain"), "{text}");
            assert!(!text.contains("image/png"), "{text}");
            assert_eq!(text.contains("text/html"), has_page, "{text}");
        }
    }
}

#[test]
fn what_a_domain_does_not_want_is_learned() {
    let refused = Arc::new(AtomicUsize::new(0));
    let count = refused.clone();
    let (server, taken) = disliking("550 5.7.1 no pictures\r\n", move |text| {
        let dislikes = text.contains("image/png") && text.contains("To: player2@domain2.test");
        count.fetch_add(usize::from(dislikes), Ordering::SeqCst);
        dislikes
    });
    let judge = JudgeFolder::sending_to(server.port);
    a_game_begins(&judge);
    judge.says("tick");
    assert_eq!(
        refused.load(Ordering::SeqCst),
        1,
        "the first mail with a map"
    );
    // The program starts anew for each tick, so what it knows is in the store.
    for _ in 0..2 {
        for n in [2, 3] {
            judge.arrives(&format!("player{n}@domain{n}.test"), "MAP kaiser");
        }
        judge.says("tick");
    }
    assert_eq!(refused.load(Ordering::SeqCst), 1, "later ones go without");
    let taken = taken.lock().unwrap();
    let maps = |to: &str| {
        let to = format!("To: {to}");
        let mails = taken.iter().filter(|text| text.contains(&to));
        mails.filter(|text| text.contains("image/png")).count()
    };
    assert_eq!(maps("player2@domain2.test"), 0);
    assert!(maps("player3@domain3.test") >= 3);
}

#[test]
fn texts_that_alone_are_refused_are_given_up_and_come_back_when_the_keeper_says_so() {
    let on = Arc::new(AtomicBool::new(true));
    let refuses = on.clone();
    let disliked = ["To: player2@", "To: player3@", "To: player4@"];
    let (server, taken) = disliking("554 5.7.1 spam\r\n", move |text| {
        refuses.load(Ordering::SeqCst) && disliked.iter().any(|to| text.contains(to))
    });
    let judge = JudgeFolder::sending_to(server.port);
    judge.people_register(7);
    judge.says("tick");
    let outbox = judge.outbox();
    assert_eq!(outbox["given_up"], 3, "{outbox}");
    assert_eq!(outbox["mails"], 0, "{outbox}");
    assert_eq!(outbox["stopped"], json!(null), "{outbox}");
    assert_eq!(copies(&taken, "keeper@judge.test"), 3);
    on.store(false, Ordering::SeqCst);
    let outbox = judge.outbox_of("status --retry --json");
    assert_eq!(
        (&outbox["mails"], &outbox["given_up"]),
        (&json!(0), &json!(0))
    );
    for n in 1..=7 {
        assert_eq!(copies(&taken, &format!("player{n}@domain{n}.test")), 1);
    }
}

#[test]
fn a_text_that_nobody_takes_does_not_silence_the_judge() {
    // All readers of the judge get it, so there is no further domain to try.
    let (server, taken) = disliking("550 5.7.1 spam\r\n", |text| {
        text.contains("Player") || text.contains("is given up")
    });
    let judge = JudgeFolder::sending_to(server.port);
    judge.people_register(3);
    judge.fails("tick");
    assert_eq!(judge.outbox()["given_up"], 0);
    for n in 1..=3 {
        judge.arrives(&format!("player{n}@domain{n}.test"), "GET INDEX");
    }
    judge.says("tick");
    let outbox = judge.outbox();
    assert_eq!(outbox["stopped"], json!(null), "{outbox}");
    // The three, and what the keeper was to be told of each.
    assert_eq!(
        (&outbox["mails"], &outbox["given_up"]),
        (&json!(0), &json!(6)),
        "{outbox}"
    );
    for n in 1..=3 {
        assert!(copies(&taken, &format!("player{n}@domain{n}.test")) >= 1);
    }
}

#[test]
fn refusals_one_at_a_time_are_counted_over_ticks() {
    let on = Arc::new(AtomicBool::new(true));
    let server = refusing("550 access denied", &on);
    let judge = JudgeFolder::sending_to(server.port);
    for n in 1..=3 {
        judge.arrives(
            &format!("player{n}@domain{n}.test"),
            &format!("REGISTER\nName: Player {n}\nLevel: Novice\nEND"),
        );
        let _ = judge.run("tick");
    }
    let outbox = judge.outbox();
    assert_eq!(outbox["given_up"], 0, "{outbox}");
    assert!(outbox["stopped"]["why"].is_string(), "{outbox}");
    on.store(false, Ordering::SeqCst);
    let outbox = judge.outbox_of("status --retry --json");
    assert_eq!(
        (&outbox["mails"], &outbox["given_up"]),
        (&json!(0), &json!(0))
    );
}

#[test]
fn dead_recipients_are_given_up_and_stop_nobody() {
    for words in ["550 5.1.1 <RECIPIENT>: no such user", "550 unknown"] {
        let server = Server::start(move |_, command| {
            let dead = ["player2@", "player3@", "player4@"];
            if command.starts_with("RCPT") && dead.iter().any(|name| command.contains(name)) {
                return Response::Answers(words.replace("RECIPIENT", &address(command)));
            }
            Response::AsUsual
        });
        let judge = JudgeFolder::sending_to(server.port);
        judge.people_register(7);
        judge.says("tick");
        let outbox = judge.outbox();
        assert_eq!(outbox["given_up"], 3, "{words}: {outbox}");
        assert_eq!(outbox["mails"], 0, "{words}: {outbox}");
        assert_eq!(outbox["stopped"], json!(null), "{words}: {outbox}");
        let told = server.read();
        let to = |name: &str| told.iter().filter(|text| text.contains(name)).count();
        for n in [1, 5, 6, 7] {
            assert_eq!(to(&format!("To: player{n}@")), 1, "{words}");
        }
        // Of each dead address the keeper hears once.
        assert_eq!(to("To: keeper@judge.test"), 3, "{words}");
    }
}

#[test]
fn a_policy_against_three_domains_puts_their_mail_off_and_stops_nobody() {
    let server = Server::start(|_, command| {
        let blocked = ["player2@", "player3@", "player4@"];
        match command.starts_with("RCPT") && blocked.iter().any(|name| command.contains(name)) {
            true => Response::Says("550 5.7.1 not to there\r\n"),
            false => Response::AsUsual,
        }
    });
    let judge = JudgeFolder::sending_to(server.port);
    judge.people_register(7);
    judge.says("tick");
    let outbox = judge.outbox();
    assert_eq!(
        (&outbox["mails"], &outbox["in_retry"]),
        (&json!(3), &json!(3))
    );
    assert_eq!(outbox["given_up"], 0);
    assert_eq!(outbox["stopped"], json!(null), "{outbox}");
    assert_eq!(server.read().len(), 4);
}

#[test]
fn a_policy_refusal_of_one_recipient_puts_his_mail_off() {
    let server = Server::start(
        |_, command| match command.starts_with("RCPT TO:<player2@") {
            true => Response::Says("550 5.7.1 not from you\r\n"),
            false => Response::AsUsual,
        },
    );
    let judge = JudgeFolder::sending_to(server.port);
    judge.people_register(4);
    judge.says("tick");
    let outbox = judge.outbox();
    assert_eq!(
        (&outbox["mails"], &outbox["in_retry"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(outbox["given_up"], 0);
    assert_eq!(outbox["stopped"], json!(null));
}

#[test]
fn a_connection_that_breaks_is_held_against_nobody_who_reads() {
    for stage in ["GREETING", "EHLO", "MAIL", "RCPT", "DATA", "TEXT"] {
        for reply in [None, Some("421 4.3.2 going down\r\n")] {
            let times = AtomicUsize::new(0);
            let server = Server::start(move |_, command| {
                let here = command.starts_with(stage);
                match (here && times.fetch_add(1, Ordering::SeqCst) % 4 == 1, reply) {
                    (true, None) => Response::Closes,
                    (true, Some(reply)) => Response::Says(reply),
                    (false, _) => Response::AsUsual,
                }
            });
            let judge = JudgeFolder::sending_to(server.port);
            judge.people_register(12);
            judge.says("tick");
            let outbox = judge.outbox();
            let context = format!("{stage} {reply:?}: {outbox}");
            assert_eq!(outbox["in_retry"], 0, "{context}");
            assert_eq!(outbox["given_up"], 0, "{context}");
            assert_eq!(outbox["mails"], 0, "{context}");
            assert_eq!(outbox["away"], json!(null), "{context}");
        }
    }
}

#[test]
fn a_mail_that_alone_breaks_the_connection_holds_up_nobody() {
    let server = Server::start(
        |_, command| match command.starts_with("RCPT TO:<player1@") {
            true => Response::Closes,
            false => Response::AsUsual,
        },
    );
    let judge = JudgeFolder::sending_to(server.port);
    judge.people_register(6);
    judge.says("tick");
    let outbox = judge.outbox();
    assert_eq!(
        (&outbox["mails"], &outbox["in_retry"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(outbox["away"], json!(null), "the others went: {outbox}");
    assert_eq!(server.read().len(), 5);
}

#[test]
fn a_server_that_is_away_is_seen_and_costs_no_attempt() {
    // A port at which nobody listens.
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let judge = JudgeFolder::sending_to(port);
    judge.people_register(5);
    for _ in 0..2 {
        let output = judge.run("tick");
        assert!(output.status.success(), "{output:?}");
        let log = String::from_utf8(output.stderr).unwrap();
        assert!(log.contains("the mail server is away"), "{log}");
        let outbox = judge.outbox();
        assert_eq!(
            (&outbox["mails"], &outbox["in_retry"]),
            (&json!(5), &json!(0))
        );
        assert!(outbox["away"]["at"].is_string(), "{outbox}");
        assert!(judge.says("status").contains("the server is away since"));
    }
    {
        let _daemon = judge.daemon();
        judge.await_until("the numbers", || {
            std::fs::read_to_string(judge.path("metrics"))
                .is_ok_and(|text| text.contains("\ndipjudge_outbox_away_seconds "))
        });
    }
    let server = Server::start(|_, _| Response::AsUsual);
    judge.configure(&smtp(server.port));
    judge.says("tick");
    let outbox = judge.outbox();
    assert_eq!(
        (&outbox["mails"], &outbox["away"]),
        (&json!(0), &json!(null))
    );
    assert_eq!(server.read().len(), 5);
}

#[test]
fn the_daemon_tries_a_stopped_queue_when_the_keeper_says_so() {
    let on = Arc::new(AtomicBool::new(true));
    let refuses = on.clone();
    let server = Server::start(move |_, command| {
        match command == "GREETING" && refuses.load(Ordering::SeqCst) {
            true => Response::Says("554 5.7.1 you are blocked\r\n"),
            false => Response::AsUsual,
        }
    });
    let judge = JudgeFolder::sending_to(server.port);
    judge.people_register(3);
    let _daemon = judge.daemon();
    judge.await_until("the queue stops", || {
        judge
            .log()
            .contains("nothing is sent until this is put right")
    });
    assert!(judge.outbox()["stopped"]["why"].is_string());
    on.store(false, Ordering::SeqCst);
    judge.says("status --retry");
    judge.await_until("everything is sent", || {
        let outbox = judge.outbox();
        outbox["mails"] == 0 && outbox["stopped"] == json!(null)
    });
    let log = judge.log();
    assert!(
        log.contains("the keeper has everything tried at once"),
        "{log}"
    );
}

#[test]
fn a_real_exim_that_denies_every_recipient_costs_no_mail() {
    let Some(mail) = MailSystem::start(&["judge"]) else {
        return;
    };
    let deny = "acl_rcpt:\n  deny\n    !condition = ${if exists{OPEN}}\n"
        .replace("OPEN", &mail.path().join("open").display().to_string());
    mail.restart_smtp_without_queue_runs(&|config| {
        config.replace("acl_rcpt:\n", &deny).replace(
            "domainlist local_domains = mail.test",
            "domainlist local_domains = *",
        )
    });
    let judge = JudgeFolder::sending_to(mail.ports.smtp);
    judge.people_register(8);
    let complaint = judge.fails("tick");
    assert!(
        complaint.contains("Administrative prohibition"),
        "{complaint}"
    );
    let outbox = judge.outbox();
    assert_eq!(outbox["given_up"], 0, "{outbox}");
    assert!(outbox["mails"].as_u64() >= Some(8), "{outbox}");
    std::fs::write(mail.path().join("open"), "").unwrap();
    let outbox = judge.outbox_of("status --retry --json");
    assert_eq!(
        (&outbox["mails"], &outbox["given_up"]),
        (&json!(0), &json!(0))
    );
}
