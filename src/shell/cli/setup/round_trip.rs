//! Whether a mail that the relay takes comes into the inbox, at the judge's own address and at one with a plus sign.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::cli::check;
use crate::clock::Clock;
use crate::config::Config;
use crate::daemon::notice;
use crate::inbox::{FetchedMessage, Inbox};
use crate::outbox::{Outgoing, SendOutcome};
use crate::random::SystemIds;
use dipjudge_judge::Ids;
use dipjudge_mails::outbound::{Parts, Text, letter};
use dipjudge_store::to_hex;

/// What the token of the test's address begins with. No reply address has such a token.
const MARK: &str = "setup";
/// How long a server that put the mail off is left alone.
const AGAIN: Duration = Duration::from_secs(10);
/// How long one wait for new mail takes at most.
const LOOK: Duration = Duration::from_secs(2);

/// A mail that setup sends to itself.
struct TestMail {
    to: String,
    id: String,
    back: bool,
}

impl TestMail {
    fn is(&self, mail: &FetchedMessage) -> bool {
        let lines = mail.bytes.split(|byte| *byte == b'\n');
        let mut header = lines.take_while(|line| !line.trim_ascii().is_empty());
        header.any(|line| {
            let line = String::from_utf8_lossy(line).to_lowercase();
            line.starts_with("message-id:") && line.contains(&self.id)
        })
    }
}

/// Sends a mail to the judge's address and one to an address with a plus sign, and takes them out of the inbox.
///
/// # Errors
/// A sentence that says which of the two does not come back.
pub(super) fn prove(
    config: &Config,
    inbox: &mut dyn Inbox,
    patience: Duration,
    out: &mut dyn Write,
) -> Result<()> {
    let until = Instant::now() + patience;
    let address = &config.judge.address;
    let (local, host) = address.rsplit_once('@').unwrap_or((address, ""));
    let mut ids = SystemIds::new();
    let token = to_hex(&ids.id());
    let own = dispatch(config, address, until, &mut ids)?;
    let plus = format!("{local}+{MARK}{token}@{host}");
    let plus = dispatch(config, &plus, until, &mut ids)?;
    writeln!(
        out,
        "  The relay has taken a mail to {address} and one to {}; they should come into the inbox.",
        plus.to
    )?;
    let begun = Instant::now();
    let mut test_mails = [own, plus];
    loop {
        let look = inbox.look()?;
        for mail in &look.mails {
            if let Some(test_mail) = test_mails.iter_mut().find(|one| one.is(mail)) {
                test_mail.back = true;
                inbox.done(&mail.handle)?;
            }
        }
        let left = until.saturating_duration_since(Instant::now());
        match (&test_mails, left.is_zero()) {
            ([TestMail { back: true, .. }, TestMail { back: true, .. }], _) => break,
            (_, false) => inbox.wait(left.min(LOOK))?,
            ([own, plus], true) => bail!(lost(own, plus, patience)),
        }
    }
    writeln!(
        out,
        "  Both are there after {} s: mail comes in, at addresses with a plus sign too.",
        begun.elapsed().as_secs()
    )?;
    Ok(())
}

/// Sends one of them; a server that puts it off is asked again.
fn dispatch(config: &Config, to: &str, until: Instant, ids: &mut SystemIds) -> Result<TestMail> {
    let judge = &config.judge;
    let stamp = notice::stamp(&judge.name, &judge.address, to, Clock::System.now(), ids);
    let id = stamp.message_id.to_lowercase();
    if let Some(fault) = ids.fault() {
        bail!("the system gives no random bytes: {fault}");
    }
    let text = Text::new(
        "Test of the mail".to_owned(),
        "This mail of a judge to itself shows whether mail goes out and comes in.\n".to_owned(),
    );
    let letter = letter(&text, &Parts::default(), &stamp, "")
        .with_context(|| format!("cannot write to {to}"))?;
    let mail = Outgoing {
        envelope_from: judge.address.clone(),
        to: to.to_owned(),
        bytes: letter.own,
    };
    loop {
        let sent = check::dispatch(config, &mail)?;
        let put_off = matches!(sent, SendOutcome::Later { .. } | SendOutcome::Away { .. });
        if !put_off || Instant::now() + AGAIN >= until {
            check::taken(config, &mail, sent)?;
            return Ok(TestMail {
                to: mail.to,
                id,
                back: false,
            });
        }
        std::thread::sleep(AGAIN);
    }
}

/// Which of the two is not there, and what to do.
fn lost(own: &TestMail, plus: &TestMail, patience: Duration) -> String {
    let seconds = patience.as_secs();
    match (own.back, plus.back) {
        (true, _) => format!(
            "the mail to {} came back, and the one to {} did not within {seconds} seconds: let the mail server put whatever goes to \
             the judge with a plus sign into the same mailbox (Postfix: recipient_delimiter = +; Exim: local_part_suffix = +*; \
             Dovecot: recipient_delimiter = + and lmtp_save_to_detail_mailbox = no), and see whether it lies in another folder or among the spam",
            own.to, plus.to
        ),
        (false, true) => format!(
            "the mail to {} came back, and the one to {} did not within {seconds} seconds: see whether it lies among the spam",
            plus.to, own.to
        ),
        (false, false) => format!(
            "the relay has taken the mails to {}, and none came into the inbox within {seconds} seconds: see whether that address leads \
             to this inbox (its MX, an alias), and whether they lie among the spam or came back to you as undeliverable",
            own.to
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test_mail(to: &str, back: bool) -> TestMail {
        TestMail {
            to: to.to_owned(),
            id: "<1@games.test>".to_owned(),
            back,
        }
    }

    #[test]
    fn what_is_missing_is_told_with_the_next_step() {
        let said = |own, plus| {
            lost(
                &test_mail("judge@games.test", own),
                &test_mail("judge+setup1@games.test", plus),
                Duration::from_secs(9),
            )
        };
        assert!(said(true, false).contains("recipient_delimiter"));
        assert!(said(false, true).contains("the one to judge@games.test"));
        assert!(said(false, false).contains("its MX"));
        assert!(said(false, false).contains("9 seconds"));
    }

    #[test]
    fn a_mail_is_known_by_its_id_in_the_header_alone() {
        let mail = |text: &str| FetchedMessage {
            handle: crate::inbox::Handle::Maildir("1".into()),
            bytes: text.into(),
            arrived: jiff::Timestamp::UNIX_EPOCH,
            oversize: false,
        };
        let one = test_mail("judge@games.test", false);
        assert!(one.is(&mail("To: x\r\nMessage-ID: <1@Games.test>\r\n\r\ntext")));
        assert!(!one.is(&mail("To: x\r\n\r\nMessage-ID: <1@games.test>\r\n")));
    }
}
