//! The server that takes the judge's mail does not take it for a day: before the text or after it. Then every mail arrives once, in order.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use jiff::{SignedDuration, Timestamp};

use crate::judge_folder::JudgeFolder;
use crate::scripted_smtp::{Response, Server};

/// The server answers a command that begins so with 451 for a day.
fn refuses_for_a_day(refused: &'static str) {
    let open = Arc::new(AtomicBool::new(false));
    let opened = Arc::clone(&open);
    let server = Server::start(move |_, command| {
        if command.starts_with(refused) && !opened.load(Ordering::SeqCst) {
            Response::Says("451 4.3.0 try again later\r\n")
        } else {
            Response::AsUsual
        }
    });
    let judge = JudgeFolder::sending_to(server.port);
    // After the real hour, as of which registrations arrive.
    let start = Timestamp::now() + SignedDuration::from_hours(1);
    let look = |hour: i64| {
        let at = start + SignedDuration::from_hours(hour);
        // A server that takes nothing may be said to fail.
        judge.run(&format!("tick --at {at}"));
    };
    let texts = || server.texts.lock().unwrap().clone();
    judge.people_register(3);
    look(0);
    for hour in 1..=24 {
        if hour == 12 {
            judge.arrives("player1@domain1.test", "LIST");
        }
        look(hour);
    }
    open.store(true, Ordering::SeqCst);
    let refused_texts = texts().len();
    for hour in 25..=32 {
        look(hour);
    }
    let taken = texts().split_off(refused_texts);
    assert_eq!(judge.outbox()["mails"], 0, "{}", judge.outbox());
    let to_first: Vec<&String> = taken
        .iter()
        .filter(|text| text.contains("To: player1@domain1.test"))
        .collect();
    assert_eq!(
        (taken.len(), to_first.len()),
        (4, 2),
        "each once: {taken:#?}"
    );
    assert!(
        to_first[0].contains("In-Reply-To: <1@players.test>"),
        "in order: {to_first:#?}"
    );
}

#[test]
fn a_server_that_puts_off_every_recipient_for_a_day_gets_each_mail_once() {
    refuses_for_a_day("RCPT");
}

#[test]
fn a_server_that_refuses_after_the_text_for_a_day_gets_each_mail_once() {
    refuses_for_a_day("TEXT");
}
