//! The outbox against a real Exim.

use std::path::PathBuf;
use std::time::Duration;

use crate::mail_system::{MailSystem, until};
use dipjudge::shell::config::Tls;
use dipjudge::shell::outbox::{
    Outbox, Outgoing, SendOutcome, SmtpOutbox, SmtpSettings, SmtpTimeouts,
};
use dipjudge::shell::secret::SecretSource;

fn settings(mail: &MailSystem, tls: Tls) -> SmtpSettings {
    SmtpSettings {
        host: "localhost".into(),
        port: if tls == Tls::Implicit {
            mail.ports.smtps
        } else {
            mail.ports.smtp
        },
        tls,
        ca_file: Some(mail.ca_file()),
        user: None,
        secret: None,
        connections: 2,
        mails_per_connection: 10,
        timeouts: SmtpTimeouts {
            connect: Duration::from_secs(10),
            ..SmtpTimeouts::default()
        },
    }
}

fn login(settings: SmtpSettings, word: &str) -> SmtpSettings {
    SmtpSettings {
        user: Some("judge".into()),
        secret: Some(SecretSource::Password(word.into())),
        ..settings
    }
}

fn mail_to(to: &str, text: &str) -> Outgoing {
    let bytes = format!("From: judge@mail.test\r\nTo: {to}\r\nSubject: test\r\n\r\n{text}");
    Outgoing {
        envelope_from: "judge+b123@mail.test".into(),
        to: to.into(),
        bytes: bytes.into_bytes(),
    }
}

/// Runs inside a runtime, in which the outbox is built and dropped, too.
fn run<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(work)
}

fn try_one(settings: SmtpSettings, mail: &Outgoing) -> SendOutcome {
    run(async {
        let outbox = SmtpOutbox::new(settings).unwrap();
        let sent = outbox.send(mail).await;
        outbox.close().await;
        sent
    })
}

#[test]
fn mail_arrives_as_it_was_written_over_each_kind_of_connection() {
    let Some(mail) = MailSystem::start(&["judge", "player1"]) else {
        return;
    };
    for (number, tls) in [Tls::None, Tls::StartTls, Tls::Implicit]
        .into_iter()
        .enumerate()
    {
        let outgoing = mail_to(
            "player1@mail.test",
            ".dots\r\n..\r\nZürich – one line\nanother\r\n.\r\nend",
        );
        let settings = if tls == Tls::None {
            settings(&mail, tls)
        } else {
            login(settings(&mail, tls), "pw-judge")
        };
        assert_eq!(
            try_one(settings, &outgoing),
            SendOutcome::Delivered,
            "{tls:?}"
        );
        let arrived = mail
            .await_mails("player1", "INBOX", number + 1)
            .pop()
            .unwrap()
            .replace("\r\n", "\n");
        assert!(
            arrived.ends_with("\n\n.dots\n..\nZürich – one line\nanother\n.\nend\n"),
            "{arrived}"
        );
        assert!(arrived.contains("judge+b123@mail.test"), "{arrived}");
    }
}

#[test]
fn every_refusal_is_told_from_the_others() {
    let Some(mail) = MailSystem::start(&["judge", "player1"]) else {
        return;
    };
    run(async {
        let outbox = SmtpOutbox::new(settings(&mail, Tls::None)).unwrap();
        let later = outbox.send(&mail_to("tempfail@mail.test", "x")).await;
        assert!(
            matches!(&later, SendOutcome::Later { slow_all: true, why } if why.contains("451")),
            "{later:?}"
        );
        let refused = outbox.send(&mail_to("reject@mail.test", "x")).await;
        assert!(
            matches!(&refused, SendOutcome::Refused { why, .. } if why.contains("5.1.1 no such user here")),
            "{refused:?}"
        );
        let relay = outbox.send(&mail_to("anna@elsewhere.test", "x")).await;
        assert!(
            matches!(&relay, SendOutcome::Stop { why } if why.contains("relay not permitted")),
            "{relay:?}"
        );
        let nonsense = outbox
            .send(&mail_to("anna\r\nRCPT TO:<x@mail.test>", "x"))
            .await;
        assert!(
            matches!(&nonsense, SendOutcome::Refused { .. }),
            "{nonsense:?}"
        );
        let large = outbox
            .send(&mail_to(
                "player1@mail.test",
                &"0123456789\r\n".repeat(40_000),
            ))
            .await;
        assert!(matches!(&large, SendOutcome::Unwanted { .. }), "{large:?}");
        let mut spam = mail_to("player1@mail.test", "x");
        spam.bytes.splice(0..0, *b"X-Test: spam\r\n");
        let unwanted = outbox.send(&spam).await;
        assert!(
            matches!(&unwanted, SendOutcome::Unwanted { why, .. } if why.contains("looks like spam")),
            "{unwanted:?}"
        );
        // And none of them spoilt the connection for the next.
        assert_eq!(
            outbox
                .send(&mail_to("player1@mail.test", "after all that"))
                .await,
            SendOutcome::Delivered
        );
        outbox.close().await;
    });
    assert!(mail.await_mails("player1", "INBOX", 1)[0].contains("after all that"));
}

#[test]
fn a_greylisting_server_takes_the_second_attempt() {
    let Some(mail) = MailSystem::start(&["judge", "greylist"]) else {
        return;
    };
    let outgoing = mail_to("greylist@mail.test", "x");
    run(async {
        let outbox = SmtpOutbox::new(settings(&mail, Tls::None)).unwrap();
        assert!(matches!(
            outbox.send(&outgoing).await,
            SendOutcome::Later { slow_all: true, .. }
        ));
        std::fs::write(mail.path().join("open"), "").unwrap();
        assert_eq!(outbox.send(&outgoing).await, SendOutcome::Delivered);
        outbox.close().await;
    });
    mail.await_mails("greylist", "INBOX", 1);
}

#[test]
fn a_wrong_password_stops_the_queue_and_a_wrong_authority_does_not() {
    let Some(mail) = MailSystem::start(&["judge", "player1"]) else {
        return;
    };
    let outgoing = mail_to("player1@mail.test", "x");
    let sent = try_one(login(settings(&mail, Tls::StartTls), "wrong"), &outgoing);
    assert!(
        matches!(&sent, SendOutcome::Stop { why } if why.contains("535 at the login")),
        "{sent:?}"
    );
    for tls in [Tls::StartTls, Tls::Implicit] {
        let other = SmtpSettings {
            ca_file: Some(mail.other_ca_file()),
            ..settings(&mail, tls)
        };
        let sent = try_one(other, &outgoing);
        assert!(
            matches!(&sent, SendOutcome::Away { why, slow_all: false } if why.contains("certificate")),
            "{sent:?}"
        );
    }
    let wrong_name = SmtpSettings {
        host: "127.0.0.2".into(),
        ..settings(&mail, Tls::Implicit)
    };
    assert!(matches!(
        try_one(wrong_name, &outgoing),
        SendOutcome::Away { .. }
    ));
    let missing = SmtpSettings {
        user: Some("judge".into()),
        secret: Some(SecretSource::PasswordFile(PathBuf::from("/nowhere/at/all"))),
        ..settings(&mail, Tls::StartTls)
    };
    let sent = try_one(missing, &outgoing);
    assert!(
        matches!(&sent, SendOutcome::Stop { why } if why.contains("/nowhere/at/all")),
        "{sent:?}"
    );
}

#[test]
fn a_server_that_is_away_is_tried_again_and_found_when_it_is_back() {
    let Some(mail) = MailSystem::start(&["judge", "player1"]) else {
        return;
    };
    run(async {
        let outbox = SmtpOutbox::new(settings(&mail, Tls::StartTls)).unwrap();
        assert_eq!(
            outbox.send(&mail_to("player1@mail.test", "one")).await,
            SendOutcome::Delivered
        );
        // With a connection in the pool that is about to die.
        mail.stop_smtp();
        let away = outbox.send(&mail_to("player1@mail.test", "two")).await;
        // Exim's process for the open connection may outlive the daemon, and take it.
        if away != SendOutcome::Delivered {
            assert!(
                matches!(
                    &away,
                    SendOutcome::Away {
                        slow_all: false,
                        ..
                    }
                ),
                "{away:?}"
            );
        }
        outbox.close().await;
        let away = outbox.send(&mail_to("player1@mail.test", "three")).await;
        assert!(
            matches!(&away, SendOutcome::Away { slow_all: false, why } if why.contains("refused")),
            "{away:?}"
        );
        mail.start_smtp();
        assert_eq!(
            outbox.send(&mail_to("player1@mail.test", "four")).await,
            SendOutcome::Delivered
        );
        outbox.close().await;
    });
}

#[test]
fn many_mails_share_a_few_connections() {
    let Some(mail) = MailSystem::start(&["judge", "player1"]) else {
        return;
    };
    let settings = SmtpSettings {
        mails_per_connection: 100,
        ..settings(&mail, Tls::StartTls)
    };
    run(async {
        let outbox = std::sync::Arc::new(SmtpOutbox::new(settings).unwrap());
        let sends: Vec<_> = (0..40)
            .map(|n| {
                let outbox = std::sync::Arc::clone(&outbox);
                tokio::spawn(async move {
                    outbox
                        .send(&mail_to("player1@mail.test", &format!("number {n}")))
                        .await
                })
            })
            .collect();
        for send in sends {
            assert_eq!(send.await.unwrap(), SendOutcome::Delivered);
        }
        outbox.close().await;
    });
    mail.await_mails("player1", "INBOX", 40);
    let log = std::fs::read_to_string(mail.path().join("log/mainlog")).unwrap();
    let connections = log.matches("TCP/IP connection count").count();
    // One more for the test's own knock at the door when the server started.
    assert!(connections <= 3, "{connections} connections\n{log}");
}

#[test]
fn an_exim_as_it_comes_holds_no_mail_back() {
    let Some(mail) = MailSystem::start(&["judge", "player1"]) else {
        return;
    };
    // Its own limit of ten mails a connection, and no queue run that would hide what it kept.
    mail.restart_smtp_without_queue_runs(&|config| {
        config.replace("smtp_accept_queue_per_connection = 0\n", "")
    });
    let many = |mails_per_connection, count| {
        let settings = SmtpSettings {
            connections: 1,
            mails_per_connection,
            ..settings(&mail, Tls::None)
        };
        run(async {
            let outbox = SmtpOutbox::new(settings).unwrap();
            for n in 0..count {
                let mail = mail_to("player1@mail.test", &format!("number {n}"));
                assert_eq!(outbox.send(&mail).await, SendOutcome::Delivered);
            }
            outbox.close().await;
        });
    };
    many(10, 25);
    mail.await_mails("player1", "INBOX", 25);
    let held = || {
        let log = std::fs::read_to_string(mail.path().join("log/mainlog")).unwrap();
        log.matches("no immediate delivery: more than 10 messages received in one connection")
            .count()
    };
    assert_eq!(held(), 0, "{}", mail.logs());
    // So it is the server's way, and not one that it lost.
    many(100, 12);
    mail.await_mails("player1", "INBOX", 35);
    // The log is written after the answer.
    until("two mails are held back", || held() == 2, || mail.logs());
}

#[test]
fn a_bounce_comes_back_to_the_envelope_sender() {
    let Some(mail) = MailSystem::start(&["judge"]) else {
        return;
    };
    assert_eq!(
        try_one(
            settings(&mail, Tls::None),
            &mail_to("nobody@mail.test", "x")
        ),
        SendOutcome::Delivered
    );
    let bounce = mail.await_mails("judge", "INBOX", 1).pop().unwrap();
    assert!(
        bounce.contains("Delivered-To: judge+b123@mail.test"),
        "{bounce}"
    );
    assert!(bounce.contains("report-type=delivery-status"), "{bounce}");
}
