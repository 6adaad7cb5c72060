//! `fetch-check` and `send-check` against servers that are misconfigured, or configured otherwise than the judge believes: each is told in
//! one sentence that names the remedy.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::judge_folder::JudgeFolder;
use crate::mail_system::MailSystem;
use crate::scripted_smtp::{Response, Server};

/// What a section of the config says, and what the check has to answer.
struct Case<'a> {
    section: String,
    trust: &'a Path,
    says: &'a [&'a str],
}

/// Certificates that no server should have, in a folder that Dovecot can read.
struct BadCertificates(tempfile::TempDir);

impl BadCertificates {
    fn new() -> BadCertificates {
        let folder = BadCertificates(tempfile::tempdir().unwrap());
        fs::set_permissions(folder.0.path(), fs::Permissions::from_mode(0o755)).unwrap();
        folder.openssl("ecparam -genkey -name prime256v1 -noout -out key.pem");
        folder.make("self-signed", "127.0.0.3", 10);
        folder.make("expired", "127.0.0.4", -1);
        folder
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    /// A certificate that is signed by itself, for this address and for so many days.
    fn make(&self, name: &str, address: &str, days: i32) {
        let extensions =
            format!("basicConstraints=critical,CA:FALSE\nsubjectAltName=IP:{address}\n");
        fs::write(self.0.path().join("extensions"), extensions).unwrap();
        self.openssl("req -new -key key.pem -subj /CN=test -out request.csr");
        self.openssl(&format!(
            "x509 -req -in request.csr -signkey key.pem -days {days} -extfile extensions -out {name}.pem"
        ));
    }

    fn openssl(&self, line: &str) {
        let output = Command::new("openssl")
            .args(line.split_whitespace())
            .current_dir(self.0.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "openssl {line}: {output:?}");
    }

    /// Lines by which Dovecot shows them at addresses of their own, and its right one at 127.0.0.2, for which that is not.
    fn dovecot_lines(&self) -> String {
        let local = |address, name: &str| {
            let (certificate, key) = (self.path(&format!("{name}.pem")), self.path("key.pem"));
            format!("local {address} {{\n  ssl_cert = <{certificate}\n  ssl_key = <{key}\n}}\n")
        };
        format!(
            "listen = 127.0.0.1, 127.0.0.2, 127.0.0.3, 127.0.0.4\n{}{}",
            local("127.0.0.3", "self-signed"),
            local("127.0.0.4", "expired")
        )
    }
}

/// The section of an inbox at this server.
pub(crate) fn imap(host: &str, port: u16, tls: &str) -> String {
    format!(
        "[inbox]\nkind = \"imap\"\nhost = \"{host}\"\nport = {port}\ntls = \"{tls}\"\nuser = \"judge\"\npassword_file = \"password\"\n"
    )
}

/// The section of an outbox at this server, without a login.
pub(crate) fn smtp(host: &str, port: u16, tls: &str) -> String {
    format!("[outbox]\nkind = \"smtp\"\nhost = \"{host}\"\nport = {port}\ntls = \"{tls}\"\n")
}

fn with_login(section: &str) -> String {
    format!("{section}user = \"judge\"\npassword_file = \"password\"\n")
}

/// A judge with this section and this authority.
pub(crate) fn configured(judge: &JudgeFolder, section: &str, authority: &Path) {
    judge.configure(&format!(
        "{section}\n[trust]\nca_file = \"{}\"\n",
        authority.display()
    ));
}

fn judge(password: &str) -> JudgeFolder {
    let judge = JudgeFolder::new("mail.test", "");
    let file = judge.path("password");
    fs::write(&file, password).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    judge
}

/// The one sentence in which a command fails, and it names all of this.
pub(crate) fn fails_saying(judge: &JudgeFolder, command: &str, says: &[&str]) {
    let said = judge.fails(command);
    assert_eq!(said.trim_end().lines().count(), 1, "{said}");
    for words in says {
        assert!(said.contains(words), "{words:?} is not in: {said}");
    }
}

#[test]
fn each_misconfigured_mailbox_is_told_in_a_sentence_that_names_the_remedy() {
    let certificates = BadCertificates::new();
    let Some(mail) = MailSystem::start_with(&["judge"], &certificates.dovecot_lines()) else {
        return;
    };
    let (right, other) = (mail.ca_file(), mail.other_ca_file());
    let ports = mail.ports;
    let cases = [
        Case {
            section: imap("imap.no-such-host.invalid", 993, "implicit"),
            trust: &right,
            says: &["imap.no-such-host.invalid", "a slip in host of [inbox]"],
        },
        Case {
            section: imap("localhost", 1, "implicit"),
            trust: &right,
            says: &["localhost:1 takes no connection", "usually 993"],
        },
        Case {
            section: imap("localhost", ports.imap, "implicit"),
            trust: &right,
            says: &["does not speak TLS", "tls = \"starttls\" in [inbox]"],
        },
        Case {
            section: imap("localhost", ports.imaps, "starttls"),
            trust: &right,
            says: &["10 seconds", "tls = \"implicit\" in [inbox]"],
        },
        Case {
            section: imap("localhost", ports.imaps, "implicit"),
            trust: &other,
            says: &[
                "an authority that this machine does not know",
                "other-ca.pem, which ca_file",
            ],
        },
        Case {
            section: imap("localhost", ports.imap, "starttls"),
            trust: &other,
            says: &["an authority that this machine does not know", "ca_file"],
        },
        Case {
            section: imap("127.0.0.2", ports.imaps, "implicit"),
            trust: &right,
            says: &["is for localhost", "not for 127.0.0.2", "host of [inbox]"],
        },
        Case {
            section: imap("127.0.0.3", ports.imaps, "implicit"),
            trust: &right,
            says: &["signed by itself", "ca_file"],
        },
        Case {
            section: imap("127.0.0.4", ports.imaps, "implicit"),
            trust: &right,
            says: &["has expired", "renew"],
        },
        Case {
            section: imap("localhost", ports.smtp, "starttls"),
            trust: &right,
            says: &["speaks SMTP and not IMAP", "port of [inbox]"],
        },
        Case {
            section: imap("localhost", ports.imaps, "implicit") + "mailbox = \"Nowhere\"\n",
            trust: &right,
            says: &[
                "the mailbox Nowhere",
                "mailbox, done or rejected of [inbox]",
            ],
        },
    ];
    let judge = judge("pw-judge");
    for case in cases {
        configured(&judge, &case.section, case.trust);
        fails_saying(&judge, "fetch-check", case.says);
    }
    // A certificate that is signed by itself is taken when the keeper vouches for it.
    let own = certificates.0.path().join("self-signed.pem");
    configured(&judge, &imap("127.0.0.3", ports.imaps, "implicit"), &own);
    assert!(judge.says("fetch-check").contains("lets us in"));
}

#[test]
fn each_fault_of_a_login_is_told_with_the_next_step() {
    let Some(mail) = MailSystem::start(&["judge"]) else {
        return;
    };
    let right = mail.ca_file();
    let section = imap("localhost", mail.ports.imaps, "implicit");
    let wrong = judge("pw-other");
    configured(&wrong, &section, &right);
    fails_saying(
        &wrong,
        "fetch-check",
        &["refuses the login of judge", "app password", "[inbox]"],
    );
    let file = wrong.path("password");
    fs::write(&file, "pw-judge").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    let said = wrong.says("fetch-check");
    assert!(
        said.contains("can read the password") && said.contains("chmod o= "),
        "{said}"
    );
    fs::write(&file, "").unwrap();
    fails_saying(&wrong, "fetch-check", &["is empty", "first line"]);
    fs::remove_file(&file).unwrap();
    fails_saying(
        &wrong,
        "fetch-check",
        &[
            "cannot read the password file",
            "write the password into that file",
        ],
    );
    let command = section.replace(
        "password_file = \"password\"",
        "password_command = [\"false\"]",
    );
    configured(&wrong, &command, &right);
    fails_saying(
        &wrong,
        "fetch-check",
        &["false failed", "type that command"],
    );
}

#[test]
fn an_address_left_as_in_the_sample_is_told_before_any_server_is_asked() {
    let judge = JudgeFolder::new("example.org", "");
    judge.configure(&imap("imap.example.org", 993, "implicit"));
    for command in ["fetch-check", "send-check anna@mail.test"] {
        fails_saying(
            &judge,
            command,
            &[
                "address in [judge] is still judge@example.org",
                "put your own there",
            ],
        );
    }
}

#[test]
fn each_misconfigured_relay_is_told_in_a_sentence_that_names_the_remedy() {
    let Some(mail) = MailSystem::start(&["judge", "player1"]) else {
        return;
    };
    let (right, other) = (mail.ca_file(), mail.other_ca_file());
    let ports = mail.ports;
    let cases = [
        Case {
            section: smtp("smtp.no-such-host.invalid", 465, "implicit"),
            trust: &right,
            says: &["smtp.no-such-host.invalid", "a slip in host of [outbox]"],
        },
        Case {
            section: smtp("localhost", ports.smtp, "implicit"),
            trust: &right,
            says: &["does not speak TLS", "tls = \"starttls\" in [outbox]"],
        },
        Case {
            section: smtp("localhost", ports.smtps, "starttls"),
            trust: &right,
            says: &["10 seconds", "tls = \"implicit\" in [outbox]"],
        },
        Case {
            section: smtp("localhost", ports.smtp, "starttls"),
            trust: &other,
            says: &["an authority that this machine does not know", "ca_file"],
        },
        Case {
            section: smtp("127.0.0.1", ports.imap, "starttls"),
            trust: &right,
            says: &["speaks IMAP and not SMTP", "port of [outbox]"],
        },
    ];
    let judge = judge("pw-other");
    for case in cases {
        configured(&judge, &case.section, case.trust);
        fails_saying(&judge, "send-check player1@mail.test", case.says);
    }
    let relay = smtp("localhost", ports.smtp, "starttls");
    configured(&judge, &with_login(&relay), &right);
    fails_saying(
        &judge,
        "send-check player1@mail.test",
        &["refuses the login: 535", "app password", "[outbox]"],
    );
    configured(&judge, &relay, &right);
    for (address, says) in [
        (
            "anna@elsewhere.test",
            [
                "relay not permitted",
                "set user and password_file in [outbox]",
            ],
        ),
        (
            "reject@mail.test",
            ["reject@mail.test is refused", "a slip in it"],
        ),
        (
            "tempfail@mail.test",
            ["4.7.1 greylisted", "try again in ten minutes"],
        ),
    ] {
        fails_saying(&judge, &format!("send-check {address}"), &says);
    }
    fs::write(judge.path("password"), "pw-judge").unwrap();
    configured(&judge, &with_login(&relay), &right);
    let said = judge.says("send-check player1@mail.test");
    assert!(said.contains("has taken the mail"), "{said}");
    mail.await_mails("player1", "INBOX", 1);
}

#[test]
fn a_relay_without_tls_or_without_a_login_is_told_so() {
    let plain = Server::start(|_, _| Response::AsUsual);
    let judge = judge("pw-judge");
    judge.configure(&with_login(&smtp("localhost", plain.port, "starttls")));
    fails_saying(
        &judge,
        "send-check anna@mail.test",
        &[
            "does not offer STARTTLS",
            "tls = \"implicit\" and port = 465 in [outbox]",
        ],
    );
    judge.configure(&with_login(&smtp("localhost", plain.port, "none")));
    fails_saying(
        &judge,
        "send-check anna@mail.test",
        &["offers no login", "465 or 587"],
    );
    let spam = Server::start(|_, command| {
        if command.starts_with("TEXT") {
            Response::Says("554 5.7.1 this looks like spam\r\n")
        } else {
            Response::AsUsual
        }
    });
    judge.configure(&smtp("localhost", spam.port, "none"));
    fails_saying(
        &judge,
        "send-check anna@mail.test",
        &["looks like spam", "SPF and DKIM"],
    );
}
