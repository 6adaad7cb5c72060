//! The IMAP inbox against a real Dovecot.

use std::time::{Duration, Instant};

use crate::imap_settings;
use crate::mail_system::{MailSystem, PATIENCE};
use dipjudge::mails::inbound::{Envelope, Limits, read_delivered};
use dipjudge::shell::config::Tls;
use dipjudge::shell::inbox::imap::{ImapInbox, ImapSettings, ImapTimeouts};
use dipjudge::shell::inbox::{
    Claim, FetchedMessage, ForeignInbox, Inbox, InboxError, RecallAction, Recalled,
};
use dipjudge::shell::secret::SecretSource;
use dipjudge::store::StoreId;

fn settings(mail: &MailSystem, tls: Tls) -> ImapSettings {
    let port = if tls == Tls::Implicit {
        mail.ports.imaps
    } else {
        mail.ports.imap
    };
    ImapSettings {
        tls,
        ca_file: Some(mail.ca_file()),
        timeouts: ImapTimeouts {
            connect: Duration::from_secs(5),
            answer: Duration::from_secs(10),
            idle: Duration::from_secs(600),
        },
        ..imap_settings::plain(port)
    }
}

fn message(subject: &str) -> String {
    format!("From: anna@example.org\nTo: judge@mail.test\nSubject: {subject}\n\n{subject}\n")
}

fn subjects(mails: &[FetchedMessage]) -> Vec<String> {
    let text = |mail: &FetchedMessage| String::from_utf8_lossy(&mail.bytes).into_owned();
    mails
        .iter()
        .filter_map(|mail| {
            text(mail)
                .lines()
                .find_map(|line| Some(line.strip_prefix("Subject: ")?.to_owned()))
        })
        .collect()
}

/// Waits for new mail and looks, as the daemon does, until so many messages are there.
fn await_look(inbox: &mut dyn Inbox, count: usize) -> Vec<FetchedMessage> {
    let start = Instant::now();
    loop {
        match inbox.look() {
            Ok(look) if look.mails.len() >= count => return look.mails,
            other => assert!(
                start.elapsed() < PATIENCE,
                "{count} messages did not come: {other:?}"
            ),
        }
        if inbox.wait(Duration::from_secs(10)).is_err() {
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

#[test]
fn mail_comes_in_over_each_kind_of_connection() {
    let Some(mail) = MailSystem::start(&["judge", "player1"]) else {
        return;
    };
    for tls in [Tls::None, Tls::StartTls, Tls::Implicit] {
        mail.send(
            "anna@example.org",
            "judge+tok123@mail.test",
            &message("orders"),
        );
        let mut inbox = ImapInbox::new(settings(&mail, tls));
        let mails = await_look(&mut inbox, 1);
        assert_eq!(subjects(&mails), ["orders"], "{tls:?}");
        let text = String::from_utf8_lossy(&mails[0].bytes).into_owned();
        assert!(
            text.contains("Delivered-To: judge+tok123@mail.test"),
            "{text}"
        );
        assert!(text.contains("Return-Path: <anna@example.org>"), "{text}");
        inbox.done(&mails[0].handle).unwrap();
        assert_eq!(inbox.look().unwrap().mails, Vec::new());
    }
    assert_eq!(mail.await_mails("judge", "Processed", 3).len(), 3);
    assert_eq!(mail.mails("judge", "INBOX").len(), 0);
}

#[test]
fn a_check_says_what_the_server_can_do() {
    let Some(mail) = MailSystem::start(&["judge"]) else {
        return;
    };
    mail.drop_into("judge", message("one").as_bytes(), None);
    let report = ImapInbox::new(settings(&mail, Tls::Implicit))
        .check()
        .unwrap();
    assert_eq!(
        (
            report.waiting,
            report.messages,
            report.idle,
            report.moves,
            report.keyword
        ),
        (1, 1, true, true, true)
    );
    // It has made the mailboxes, and does not mind that they are there the next time.
    assert!(
        mail.maildir("judge", "Processed").exists() && mail.maildir("judge", "Rejected").exists()
    );
    ImapInbox::new(settings(&mail, Tls::Implicit))
        .check()
        .unwrap();
}

#[test]
fn what_is_wrong_with_the_settings_is_said_plainly() {
    let Some(mail) = MailSystem::start(&["judge"]) else {
        return;
    };
    let right = settings(&mail, Tls::Implicit);
    let wrong_word = SecretSource::Password("wrong".into());
    let error = |settings| ImapInbox::new(settings).check().unwrap_err();

    let refused = error(ImapSettings {
        secret: wrong_word,
        ..right.clone()
    });
    assert!(
        matches!(&refused, InboxError::Login { user, .. } if user == "judge"),
        "{refused}"
    );
    let stranger = error(ImapSettings {
        ca_file: Some(mail.other_ca_file()),
        ..right.clone()
    });
    assert!(
        matches!(stranger, InboxError::Handshake { .. }),
        "{stranger}"
    );
    assert!(stranger.to_string().contains("certificate"), "{stranger}");
    let stranger = error(ImapSettings {
        ca_file: Some(mail.other_ca_file()),
        ..settings(&mail, Tls::StartTls)
    });
    assert!(
        matches!(stranger, InboxError::Handshake { .. }),
        "{stranger}"
    );
    let other_name = error(ImapSettings {
        host: "127.0.0.2".into(),
        port: mail.ports.imaps,
        ..right.clone()
    });
    assert!(
        matches!(
            other_name,
            InboxError::Unreachable { .. } | InboxError::Handshake { .. }
        ),
        "{other_name}"
    );
    let mailbox = error(ImapSettings {
        mailbox: "Nowhere".into(),
        ..right.clone()
    });
    assert!(
        matches!(&mailbox, InboxError::Mailbox { name, .. } if name == "Nowhere"),
        "{mailbox}"
    );
    let not_tls = error(ImapSettings {
        port: mail.ports.imap,
        ..right.clone()
    });
    assert!(matches!(not_tls, InboxError::Handshake { .. }), "{not_tls}");
    let not_imap = error(ImapSettings {
        port: mail.ports.smtp,
        tls: Tls::None,
        ..right.clone()
    });
    assert!(
        matches!(not_imap, InboxError::Unreachable { .. }),
        "{not_imap}"
    );
    let nobody = error(ImapSettings {
        port: 1,
        ..right.clone()
    });
    assert!(matches!(nobody, InboxError::Unreachable { .. }), "{nobody}");
    let no_name = error(ImapSettings {
        host: "no-such-host.invalid".into(),
        ..right.clone()
    });
    assert!(
        matches!(no_name, InboxError::Unreachable { .. }),
        "{no_name}"
    );
    let far = error(ImapSettings {
        host: "imap.example.org".into(),
        tls: Tls::None,
        ..right
    });
    assert!(matches!(far, InboxError::Tls(_)), "{far}");
}

#[test]
fn new_mail_ends_an_idle() {
    let Some(mail) = MailSystem::start(&["judge"]) else {
        return;
    };
    let mut inbox = ImapInbox::new(settings(&mail, Tls::Implicit));
    assert_eq!(inbox.look().unwrap().mails, Vec::new());
    let start = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(300));
            mail.send("anna@example.org", "judge@mail.test", &message("orders"));
        });
        inbox.wait(Duration::from_secs(600)).unwrap();
    });
    assert!(
        start.elapsed() < Duration::from_secs(300),
        "{:?}",
        start.elapsed()
    );
    assert_eq!(subjects(&inbox.look().unwrap().mails), ["orders"]);
    // What is in hand does not end the next one.
    let start = Instant::now();
    inbox.wait(Duration::from_secs(2)).unwrap();
    assert!(start.elapsed() >= Duration::from_secs(1));
}

#[test]
fn an_idle_is_stopped_from_outside_and_leaves_the_connection_whole() {
    let Some(mail) = MailSystem::start(&["judge"]) else {
        return;
    };
    let mut inbox = ImapInbox::new(settings(&mail, Tls::StartTls));
    inbox.look().unwrap();
    for stop in [false, true] {
        let stopper = inbox.stopper();
        let start = Instant::now();
        let thread = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(300));
            if stop { stopper.stop() } else { stopper.wake() }
        });
        inbox.wait(Duration::from_secs(600)).unwrap();
        assert!(start.elapsed() < Duration::from_secs(300));
        thread.join().unwrap();
        inbox.look().unwrap();
    }
    drop(inbox);
    let log = mail.logs();
    assert_eq!(log.matches("Login: user=<judge>").count(), 1, "{log}");
}

#[test]
fn a_server_without_idle_is_polled_and_one_without_move_is_served_too() {
    let plain = "imap_capability = IMAP4rev1 UIDPLUS AUTH=PLAIN";
    let Some(mail) = MailSystem::start_with(&["judge"], plain) else {
        return;
    };
    let mut inbox = ImapInbox::new(settings(&mail, Tls::Implicit));
    let report = inbox.check().unwrap();
    assert!(!report.idle && report.moves);
    mail.drop_into("judge", message("one").as_bytes(), None);
    mail.drop_into("judge", message("two").as_bytes(), None);
    let mails = await_look(&mut inbox, 2);
    inbox.done(&mails[0].handle).unwrap();
    inbox.reject(&mails[1].handle).unwrap();
    assert_eq!(inbox.look().unwrap().mails, Vec::new());
    assert_eq!(mail.mails("judge", "INBOX").len(), 0);
    assert!(mail.mails("judge", "Processed")[0].contains("Subject: one"));
    assert!(mail.mails("judge", "Rejected")[0].contains("Subject: two"));
    mail.drop_into("judge", message("three").as_bytes(), None);
    assert_eq!(subjects(&await_look(&mut inbox, 1)), ["three"]);
}

#[test]
fn a_server_that_can_neither_move_nor_expunge_keeps_what_is_handled_marked() {
    let Some(mail) = MailSystem::start_with(&["judge"], "imap_capability = IMAP4rev1 AUTH=PLAIN")
    else {
        return;
    };
    mail.drop_into("judge", message("one").as_bytes(), None);
    let mut inbox = ImapInbox::new(settings(&mail, Tls::Implicit));
    let mails = await_look(&mut inbox, 1);
    inbox.done(&mails[0].handle).unwrap();
    assert_eq!(inbox.look().unwrap().mails, Vec::new());
    assert_eq!(
        (
            mail.mails("judge", "INBOX").len(),
            mail.mails("judge", "Processed").len()
        ),
        (1, 1)
    );
    // Nor does it come again after a restart of the judge.
    let mut inbox = ImapInbox::new(settings(&mail, Tls::Implicit));
    assert_eq!(inbox.look().unwrap().mails, Vec::new());
    mail.drop_into("judge", message("two").as_bytes(), None);
    assert_eq!(subjects(&await_look(&mut inbox, 1)), ["two"]);
}

#[test]
fn a_server_restarted_under_an_idle_is_found_again() {
    let Some(mail) = MailSystem::start(&["judge"]) else {
        return;
    };
    let mut inbox = ImapInbox::new(settings(&mail, Tls::Implicit));
    inbox.look().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(500));
            mail.stop_imap();
        });
        let start = Instant::now();
        let ended = inbox.wait(Duration::from_secs(600));
        assert!(matches!(ended, Err(InboxError::Lost { .. })), "{ended:?}");
        assert!(
            start.elapsed() < Duration::from_secs(300),
            "{:?}",
            start.elapsed()
        );
    });
    let away = inbox.look();
    assert!(
        matches!(away, Err(InboxError::Unreachable { .. })),
        "{away:?}"
    );
    mail.drop_into("judge", message("meanwhile").as_bytes(), None);
    mail.start_imap();
    assert_eq!(subjects(&await_look(&mut inbox, 1)), ["meanwhile"]);
}

#[test]
fn a_dropped_connection_loses_nothing() {
    let Some(mail) = MailSystem::start(&["judge"]) else {
        return;
    };
    let mut inbox = ImapInbox::new(settings(&mail, Tls::Implicit));
    mail.drop_into("judge", message("one").as_bytes(), None);
    let mails = await_look(&mut inbox, 1);
    mail.kick("judge");
    // One of the next uses finds out, as soon as the server has closed the connection; the use after it is over a new one, where the
    // handle is still good.
    if inbox.done(&mails[0].handle).is_err() {
        inbox.done(&mails[0].handle).unwrap();
    }
    let looked = inbox.look().or_else(|_| inbox.look());
    assert_eq!(looked.unwrap().mails, Vec::new());
    assert_eq!(mail.mails("judge", "Processed").len(), 1);
}

#[test]
fn after_a_change_of_uidvalidity_old_handles_are_void_and_everything_is_seen_again() {
    let Some(mail) = MailSystem::start(&["judge"]) else {
        return;
    };
    for subject in ["one", "two"] {
        mail.drop_into("judge", message(subject).as_bytes(), None);
    }
    let mut inbox = ImapInbox::new(settings(&mail, Tls::Implicit));
    let before = await_look(&mut inbox, 2);
    mail.stop_imap();
    mail.forget_uids("judge");
    // The second of which is fixed when the index is made.
    std::thread::sleep(Duration::from_millis(1100));
    mail.start_imap();
    let _ = inbox.look();
    inbox.done(&before[0].handle).unwrap();
    let after = await_look(&mut inbox, 2);
    assert_eq!(subjects(&after), ["one", "two"]);
    assert_ne!(before[0].handle, after[0].handle);
    inbox
        .done_all(
            &after
                .iter()
                .map(|mail| mail.handle.clone())
                .collect::<Vec<_>>(),
        )
        .unwrap();
    assert_eq!(mail.mails("judge", "Processed").len(), 2);
}

#[test]
fn arrival_is_the_servers_stamp() {
    let Some(mail) = MailSystem::start(&["judge"]) else {
        return;
    };
    let at: jiff::Timestamp = "2026-03-02T18:00:07Z".parse().unwrap();
    mail.drop_into("judge", message("orders").as_bytes(), Some(at));
    let mut inbox = ImapInbox::new(settings(&mail, Tls::Implicit));
    assert_eq!(await_look(&mut inbox, 1)[0].arrived, at);
}

#[test]
fn of_an_oversize_message_only_the_beginning_comes_and_its_text_is_read() {
    let Some(mail) = MailSystem::start(&["judge"]) else {
        return;
    };
    let photo = format!("{}\r\n", "/9j/4AAQ".repeat(9)).repeat(40_000);
    let large = format!(
        "From: ben@example.org\r\nSubject: large\r\nMIME-Version: 1.0\r\n\
         Content-Type: multipart/mixed; boundary=photo\r\n\r\n\
         --photo\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n\
         U0lHTk9OIEVrYWlzZXIgZXB3CkYgTG9uIOKAkyBOdGgK\r\n\
         --photo\r\nContent-Type: image/jpeg\r\nContent-Disposition: attachment; filename=photo.jpg\r\n\
         Content-Transfer-Encoding: base64\r\n\r\n{photo}--photo--\r\n"
    );
    mail.drop_into("judge", large.as_bytes(), None);
    mail.drop_into("judge", message("small").as_bytes(), None);
    let mut inbox = ImapInbox::new(settings(&mail, Tls::Implicit));
    let mails = await_look(&mut inbox, 2);
    assert_eq!(subjects(&mails), ["large", "small"]);
    assert!(mails[0].oversize && large.as_bytes().starts_with(&mails[0].bytes));
    assert!(mails[0].bytes.len() <= 256 << 10);
    let envelope = Envelope {
        oversize: true,
        ..Envelope::default()
    };
    let read = read_delivered(&mails[0].bytes, &envelope, &Limits::default()).unwrap();
    let lines: Vec<&str> = read.own_lines().map(|line| line.text.as_str()).collect();
    assert_eq!(lines, ["SIGNON Ekaiser epw", "F Lon - Nth"]);
    assert!(!mails[1].oversize && mails[1].bytes.ends_with(b"\r\nsmall\r\n"));
}

#[test]
fn a_full_mailbox_comes_in_several_looks_each_message_once() {
    let Some(mail) = MailSystem::start(&["judge"]) else {
        return;
    };
    for number in 0..450 {
        mail.drop_into("judge", message(&format!("{number:03}")).as_bytes(), None);
    }
    let mut inbox = ImapInbox::new(settings(&mail, Tls::Implicit));
    let mut seen = Vec::new();
    loop {
        let look = inbox.look().unwrap();
        seen.extend(subjects(&look.mails));
        inbox
            .done_all(
                &look
                    .mails
                    .iter()
                    .map(|mail| mail.handle.clone())
                    .collect::<Vec<_>>(),
            )
            .unwrap();
        if look.complete {
            break;
        }
    }
    seen.sort();
    assert_eq!(
        seen,
        (0..450)
            .map(|number| format!("{number:03}"))
            .collect::<Vec<_>>()
    );
    assert_eq!(mail.mails("judge", "INBOX").len(), 0);
}

#[test]
fn a_name_beyond_ascii_can_be_a_mailbox() {
    let Some(mail) = MailSystem::start(&["judge"]) else {
        return;
    };
    mail.drop_into("judge", message("one").as_bytes(), None);
    let mut inbox = ImapInbox::new(ImapSettings {
        done: "Erledigt & geprüft".into(),
        ..settings(&mail, Tls::Implicit)
    });
    let mails = await_look(&mut inbox, 1);
    inbox.done(&mails[0].handle).unwrap();
    assert_eq!(mail.mails("judge", "Erledigt &- gepr&APw-ft").len(), 1);
}

fn store(digit: char) -> StoreId {
    StoreId::parse(&digit.to_string().repeat(32)).unwrap()
}

#[test]
fn a_mailbox_is_left_to_the_store_whose_mark_lies_beside_the_processed_mail() {
    let Some(mail) = MailSystem::start(&["judge"]) else {
        return;
    };
    mail.drop_into("judge", message("one").as_bytes(), None);
    let inbox = |digit, foreign| {
        let settings = ImapSettings {
            done: "Judge.Processed".into(),
            ..settings(&mail, Tls::Implicit)
        };
        let store = store(digit);
        ImapInbox::new(settings).on_behalf_of(Claim { store, foreign })
    };
    let (mut first, mut second) = (
        inbox('a', ForeignInbox::Leave),
        inbox('b', ForeignInbox::Leave),
    );
    assert_eq!(first.owners().unwrap(), []);
    assert_eq!(subjects(&first.look().unwrap().mails), ["one"]);
    let mark = |digit| mail.maildir("judge", &format!("Judge.dipjudge-store-{}", store(digit)));
    assert!(mark('a').is_dir());
    for _ in 0..2 {
        let left = second.look().unwrap_err();
        assert!(matches!(left, InboxError::Foreign { .. }), "{left}");
        assert!(left.to_string().contains(store('a').as_str()), "{left}");
    }
    assert_eq!(second.owners().unwrap(), [store('a')]);

    // Taken over, also from one who is connected.
    let mut taker = inbox('b', ForeignInbox::TakeOver);
    assert_eq!(subjects(&taker.look().unwrap().mails), ["one"]);
    assert!(mark('b').is_dir() && !mark('a').is_dir());
    assert!(matches!(first.look(), Err(InboxError::Foreign { .. })));
    assert_eq!(subjects(&second.look().unwrap().mails), ["one"]);
    let one = second.look().unwrap().mails.remove(0);
    second.done(&one.handle).unwrap();
    assert_eq!(mail.mails("judge", "Judge.Processed").len(), 1);

    // What is set aside there is its new judge's, too.
    mail.drop_into("judge", message("two").as_bytes(), None);
    let two = await_look(&mut second, 1).remove(0);
    second.reject(&two.handle).unwrap();
    for disposal in [RecallAction::PutBack, RecallAction::Remove] {
        let left = first.recall(&|_| true, disposal).unwrap_err();
        assert!(matches!(left, InboxError::Foreign { .. }), "{left}");
        assert_eq!(mail.mails("judge", "Rejected").len(), 1);
    }
    assert_eq!(
        second.recall(&|_| true, RecallAction::Remove).unwrap(),
        Recalled::Found
    );
    assert_eq!(mail.mails("judge", "Rejected").len(), 0);
}

#[test]
fn what_was_set_aside_on_the_server_comes_back_or_goes() {
    let Some(mail) = MailSystem::start(&["judge"]) else {
        return;
    };
    for number in 0..60 {
        mail.drop_into("judge", message(&format!("{number:02}")).as_bytes(), None);
    }
    let mut inbox = ImapInbox::new(settings(&mail, Tls::Implicit));
    for fetched in await_look(&mut inbox, 60) {
        inbox.reject(&fetched.handle).unwrap();
    }
    let named = |subject: &'static str| {
        move |mail: &FetchedMessage| subjects(std::slice::from_ref(mail)) == [subject]
    };
    assert_eq!(
        inbox.recall(&named("07"), RecallAction::PutBack).unwrap(),
        Recalled::Found
    );
    assert_eq!(subjects(&await_look(&mut inbox, 1)), ["07"]);
    assert_eq!(
        inbox.recall(&named("07"), RecallAction::Remove).unwrap(),
        Recalled::Missing
    );
    assert_eq!(
        inbox.recall(&named("08"), RecallAction::Remove).unwrap(),
        Recalled::Found
    );
    assert_eq!(mail.mails("judge", "Rejected").len(), 58);
    assert_eq!(subjects(&inbox.look().unwrap().mails), ["07"]);
}
