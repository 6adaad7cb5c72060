//! The outbox against SMTP servers that misbehave.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::scripted_smtp::{Response, Server};
use dipjudge::shell::config::Tls;
use dipjudge::shell::outbox::{
    Outbox, Outgoing, SendOutcome, SmtpOutbox, SmtpSettings, SmtpTimeouts,
};
use dipjudge::shell::secret::SecretSource;

/// The outcomes of mails at a server with this script.
trait Client {
    fn settings(&self) -> SmtpSettings;
    fn send(&self, count: usize) -> Vec<SendOutcome>;
    fn send_with(&self, settings: SmtpSettings, count: usize) -> Vec<SendOutcome>;
}

impl Client for Server {
    fn settings(&self) -> SmtpSettings {
        SmtpSettings {
            host: "127.0.0.1".into(),
            port: self.port,
            tls: Tls::None,
            ca_file: None,
            user: None,
            secret: None,
            connections: 2,
            mails_per_connection: 10,
            timeouts: SmtpTimeouts {
                connect: Duration::from_secs(2),
                answer: Duration::from_millis(1500),
                text: Duration::from_secs(2),
            },
        }
    }

    /// The outcomes of this many mails, one after the other.
    fn send(&self, count: usize) -> Vec<SendOutcome> {
        self.send_with(self.settings(), count)
    }

    fn send_with(&self, settings: SmtpSettings, count: usize) -> Vec<SendOutcome> {
        let start = Instant::now();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let sent = runtime.block_on(async {
            let outbox = SmtpOutbox::new(settings).unwrap();
            let mut sent = Vec::new();
            for _ in 0..count {
                sent.push(outbox.send(&mail_to("anna@example.org")).await);
            }
            outbox.close().await;
            sent
        });
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "it took {:?}",
            start.elapsed()
        );
        sent
    }
}

fn mail_to(to: &str) -> Outgoing {
    let bytes = format!("To: {to}\r\n\r\n.x\n").into_bytes();
    Outgoing {
        envelope_from: String::new(),
        to: to.to_owned(),
        bytes,
    }
}

#[test]
fn a_good_server_gets_each_mail_over_one_connection() {
    let server = Server::start(|_, _| Response::AsUsual);
    assert_eq!(
        server.send(3),
        [
            SendOutcome::Delivered,
            SendOutcome::Delivered,
            SendOutcome::Delivered
        ]
    );
    assert_eq!(server.connections(), 1);
    assert_eq!(
        server.texts.lock().unwrap()[0],
        "To: anna@example.org\n\n..x"
    );
}

#[test]
fn after_so_many_mails_a_connection_is_closed_and_another_one_opened() {
    let server = Server::start(|_, _| Response::AsUsual);
    let settings = SmtpSettings {
        mails_per_connection: 3,
        ..server.settings()
    };
    assert_eq!(
        server.send_with(settings, 7),
        vec![SendOutcome::Delivered; 7],
        "none is lost by it"
    );
    assert_eq!(server.connections(), 3);
}

#[test]
fn the_null_path_is_written_as_such() {
    let server = Server::start(|_, command| match command {
        _ if command.starts_with("MAIL FROM:<>") => Response::AsUsual,
        _ if command.starts_with("MAIL") => Response::Says("501 not so\r\n"),
        _ => Response::AsUsual,
    });
    assert_eq!(server.send(1), [SendOutcome::Delivered]);
}

#[test]
fn a_connection_that_the_server_closed_meanwhile_is_made_again() {
    for again in [
        Response::Closes,
        Response::Says("421 4.4.2 idle for too long\r\n"),
    ] {
        let closes = matches!(again, Response::Closes);
        let mails = AtomicUsize::new(0);
        let server = Server::start(move |connection, command| {
            let second = command.starts_with("MAIL") && mails.fetch_add(1, Ordering::SeqCst) == 1;
            match (second && connection == 1, closes) {
                (true, true) => Response::Closes,
                (true, false) => Response::Says("421 4.4.2 idle for too long\r\n"),
                _ => Response::AsUsual,
            }
        });
        assert_eq!(
            server.send(2),
            [SendOutcome::Delivered, SendOutcome::Delivered]
        );
        assert_eq!(server.connections(), 2);
    }
}

#[test]
fn a_server_that_is_silent_or_closes_is_tried_again_later() {
    for stage in ["GREETING", "EHLO", "MAIL", "RCPT", "DATA", "TEXT"] {
        for silent in [false, true] {
            let server = Server::start(move |_, command| match command.starts_with(stage) {
                true if silent => Response::Sleeps,
                true => Response::Closes,
                false => Response::AsUsual,
            });
            let sent = server.send(1);
            assert!(
                matches!(
                    sent[..],
                    [SendOutcome::Away {
                        slow_all: false,
                        ..
                    }]
                ),
                "{stage} {silent}: {sent:?}"
            );
        }
    }
}

#[test]
fn a_refusal_is_judged_by_the_step_at_which_it_comes() {
    for (stage, stops) in [
        ("GREETING", true),
        ("EHLO", true),
        ("MAIL", true),
        ("RCPT", false),
        ("DATA", false),
        ("TEXT", false),
    ] {
        let server = Server::start(move |_, command| match command.starts_with(stage) {
            true => Response::Says("550 5.7.1 no\r\n"),
            false => Response::AsUsual,
        });
        let sent = server.send(1);
        assert_eq!(
            matches!(sent[..], [SendOutcome::Stop { .. }]),
            stops,
            "{stage}: {sent:?}"
        );
    }
}

#[test]
fn a_busy_server_slows_everything() {
    let server = Server::start(|_, command| match command {
        "GREETING" => Response::Says("421 4.3.2 too busy\r\n"),
        _ => Response::AsUsual,
    });
    let sent = server.send(1);
    assert!(
        matches!(sent[..], [SendOutcome::Away { slow_all: true, .. }]),
        "{sent:?}"
    );
}

#[test]
fn nonsense_is_tried_again_later() {
    for reply in ["\0\0\0\r\n", "hello\r\n", "250\r\n", "999 x\r\n"] {
        let server = Server::start(move |_, command| {
            if command.starts_with("RCPT") {
                Response::Says(reply)
            } else {
                Response::AsUsual
            }
        });
        let sent = server.send(1);
        assert!(
            matches!(
                sent[..],
                [SendOutcome::Later { .. } | SendOutcome::Away { .. } | SendOutcome::Delivered]
            ),
            "{reply:?}: {sent:?}"
        );
    }
}

#[test]
fn a_server_without_what_is_configured_gets_neither_password_nor_mail() {
    let server = Server::start(|_, _| Response::AsUsual);
    let base = SmtpSettings {
        host: "localhost".into(),
        ..server.settings()
    };
    // A certificate authority of any kind, or the machine's lack of one would be what fails.
    let folder = tempfile::tempdir().unwrap();
    let made = std::process::Command::new("openssl")
        .args([
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out",
            "ca.pem", "-subj", "/CN=x",
        ])
        .current_dir(folder.path())
        .output();
    if !made.is_ok_and(|output| output.status.success()) {
        eprintln!("SKIPPED: openssl is not installed");
        return;
    }
    let tls = SmtpSettings {
        tls: Tls::StartTls,
        ca_file: Some(folder.path().join("ca.pem")),
        ..base.clone()
    };
    let sent = server.send_with(tls, 1);
    assert!(
        matches!(&sent[..], [SendOutcome::Away { why, .. }] if why.contains("does not offer STARTTLS")),
        "{sent:?}"
    );
    let login = SmtpSettings {
        user: Some("judge".into()),
        secret: Some(SecretSource::Password("pw".into())),
        ..base
    };
    let sent = server.send_with(login, 1);
    assert!(
        matches!(&sent[..], [SendOutcome::Stop { why }] if why.contains("offers no login")),
        "{sent:?}"
    );
    assert_eq!(server.texts.lock().unwrap().len(), 0);
}

/// The sender and recipient commands of one mail, at a server that greets so.
fn envelope_at(greeting: &'static str) -> Vec<String> {
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let commands = Arc::clone(&seen);
    let server = Server::start(move |_, command| {
        let is_envelope = command.starts_with("MAIL") || command.starts_with("RCPT");
        if is_envelope {
            commands.lock().unwrap().push(command.to_owned());
        }
        match command.split(' ').next() {
            Some("EHLO") => Response::Says(greeting),
            _ => Response::AsUsual,
        }
    });
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let outbox = SmtpOutbox::new(server.settings()).unwrap();
        let mail = Outgoing {
            envelope_from: "judge+babc234@judge.test".to_owned(),
            ..mail_to("anna+games@example.org")
        };
        assert_eq!(outbox.send(&mail).await, SendOutcome::Delivered);
        outbox.close().await;
    });
    let seen = seen.lock().unwrap();
    seen.clone()
}

#[test]
fn a_server_that_repeats_them_is_told_what_a_mail_is_called_and_for_whom_it_is() {
    let plain = envelope_at("250-scripted\r\n250 8BITMIME\r\n");
    assert_eq!(
        plain,
        [
            "MAIL FROM:<judge+babc234@judge.test>",
            "RCPT TO:<anna+games@example.org>"
        ]
    );
    let marked = envelope_at("250-scripted\r\n250-DSN\r\n250 8BITMIME\r\n");
    assert_eq!(
        marked,
        [
            "MAIL FROM:<judge+babc234@judge.test> ENVID=babc234",
            "RCPT TO:<anna+games@example.org> ORCPT=rfc822;anna+2Bgames@example.org"
        ]
    );
}
