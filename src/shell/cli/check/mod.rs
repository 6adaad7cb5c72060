//! `fetch-check` and `send-check`: whether inbox and outbox work; if not, one sentence with what is wrong and the next step.

mod next_step;

use std::io::Write;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};

use crate::clock::Clock;
use crate::config::{Config, ImapConfig, InboxConfig, OutboxConfig, SmtpConfig};
use crate::daemon::notice;
use crate::inbox::imap::{ImapInbox, ImapSettings, ImapTimeouts};
use crate::inbox::maildir::MaildirInbox;
use crate::inbox::{Inbox, InboxError};
use crate::maildir::Maildir;
use crate::outbox::smtp::LoginFailure;
use crate::outbox::{
    MaildirOutbox, Outbox, Outgoing, SendOutcome, SmtpOutbox, SmtpSettings, SmtpTimeouts,
};
use crate::preflight::{self, MailProtocol, Preflight};
use crate::random::SystemIds;
use dipjudge_mails::outbound::{Parts, Text, letter};
use dipjudge_store::{self as store, StoreId};

/// How long a server may take to answer a check after the way to it is known to be right.
const ANSWER: Duration = preflight::PATIENCE;
/// The same for a whole text, which servers examine before they answer.
const TEXT_ANSWER: Duration = Duration::from_secs(60);

/// Connects to the inbox and reports what the server can do.
pub(super) fn fetch(config: &Config, out: &mut dyn Write) -> Result<()> {
    let store = own_store(config)?;
    refuse_samples(config)?;
    let data = &config.judge.data;
    writeln!(out, "The judge's data is in {}.", data.display())?;
    match &config.inbox {
        InboxConfig::Maildir { path } => {
            let maildir = Maildir::at(path);
            leave_to_others(&store, &mut MaildirInbox::open(maildir.clone(), 0)?)?;
            let waiting = maildir.waiting()?.len();
            writeln!(
                out,
                "The Maildir {} can be read; {}.",
                path.display(),
                messages(waiting)
            )?;
        }
        InboxConfig::Imap(imap) => {
            let mut inbox = mailbox(config, imap, out)?;
            leave_to_others(&store, &mut inbox)?;
        }
    }
    match &config.trust.authserv_id {
        Some(host) => writeln!(
            out,
            "Who wrote a mail is believed if {host} vouches for it."
        )?,
        None => writeln!(
            out,
            "Warning: there is no authserv_id in [trust], so whoever writes another's address into From is believed. That \
             is as it always was among friends; otherwise name the host that writes your Authentication-Results."
        )?,
    }
    Ok(())
}

/// The mailbox of a server that can be used; says what the server can do.
pub(in crate::cli) fn mailbox(
    config: &Config,
    imap: &ImapConfig,
    out: &mut dyn Write,
) -> Result<ImapInbox> {
    let mut inbox = reach(config, imap, out)?;
    let failed = |error| with_next_step(&error, imap);
    let report = inbox.check().map_err(failed)?;
    let (host, name) = (&imap.server.host, &imap.mailbox);
    writeln!(
        out,
        "{host} lets us in, and its mailbox {name} can be used; {}.",
        messages(report.waiting)
    )?;
    if report.idle {
        writeln!(out, "The server tells of new mail by itself (IDLE).")?;
    } else {
        let seconds = imap.poll.as_secs();
        writeln!(
            out,
            "The server has no IDLE, so it is asked every {seconds} seconds."
        )?;
    }
    if report.moves {
        writeln!(
            out,
            "What is handled is moved to {}, what is set aside to {}.",
            report.done, report.rejected
        )?;
    } else if report.keyword {
        writeln!(
            out,
            "The server cannot move single messages: what is handled stays, marked."
        )?;
    } else {
        writeln!(
            out,
            "The server can neither move nor mark single messages: what is handled stays, and only the store knows \
             it. Delete it now and then."
        )?;
    }
    Ok(inbox)
}

/// An inbox to whose server the way is known to be right.
fn reach(config: &Config, imap: &ImapConfig, out: &mut dyn Write) -> Result<ImapInbox> {
    Preflight {
        protocol: MailProtocol::Imap,
        server: &imap.server,
        ca_file: config.trust.ca_file.as_deref(),
        patience: preflight::PATIENCE,
    }
    .run()?;
    warn(next_step::readable_by_others(Some(&imap.login)), out)?;
    Ok(ImapInbox::new(ImapSettings {
        timeouts: ImapTimeouts {
            connect: ANSWER,
            answer: ANSWER,
            ..ImapTimeouts::default()
        },
        ..ImapSettings::of(imap, &config.trust, config.limits.bytes)
    }))
}

/// An error of the inbox and what to do about it.
fn with_next_step(error: &InboxError, imap: &ImapConfig) -> anyhow::Error {
    match next_step::for_inbox(error, &imap.login) {
        step if step.is_empty() => anyhow!("{error}"),
        step => anyhow!("{error}; {step}"),
    }
}

fn refuse_samples(config: &Config) -> Result<()> {
    match next_step::sample_address(config) {
        Some(sentence) => bail!(sentence),
        None => Ok(()),
    }
}

fn warn(warning: Option<String>, out: &mut dyn Write) -> Result<()> {
    if let Some(warning) = warning {
        writeln!(out, "{warning}")?;
    }
    Ok(())
}

/// The id of the store, which must exist and belong to the user who runs this.
fn own_store(config: &Config) -> Result<StoreId> {
    let data = &config.judge.data;
    let id = store::find(data)?;
    store::refuse_root(data)?;
    Ok(id)
}

/// Fails if the inbox belongs to another store.
fn leave_to_others(store: &StoreId, inbox: &mut dyn Inbox) -> Result<()> {
    let other = inbox.owners()?.into_iter().find(|owner| owner != store);
    match other {
        Some(other) => bail!(InboxError::Foreign {
            place: "the inbox".to_owned(),
            store: other.to_string(),
        }),
        None => Ok(()),
    }
}

fn messages(count: usize) -> String {
    match count {
        0 => "no message waits".to_owned(),
        1 => "one message waits".to_owned(),
        count => format!("{count} messages wait"),
    }
}

/// Sends a test mail to this address.
pub(super) fn send(config: &Config, address: &str, out: &mut dyn Write) -> Result<()> {
    own_store(config)?;
    refuse_samples(config)?;
    test_mail(config, address, out)
}

/// Sends the test mail, and says what became of it.
pub(in crate::cli) fn test_mail(config: &Config, address: &str, out: &mut dyn Write) -> Result<()> {
    let now = Clock::System.now();
    let judge = &config.judge;
    let mut ids = SystemIds::new();
    let stamp = notice::stamp(&judge.name, &judge.address, address, now, &mut ids);
    let body = format!(
        "This is a test of the judge {}.  If you read it, mail from {} arrives.\n",
        judge.name, judge.address
    );
    let text = Text::new(format!("{}: a test of the outbox", judge.name), body);
    let letter = letter(&text, &Parts::default(), &stamp, "")
        .with_context(|| format!("cannot write to {address}"))?;
    let mail = Outgoing {
        envelope_from: judge.address.clone(),
        to: address.to_owned(),
        bytes: letter.own,
    };
    let sent = dispatch(config, &mail)?;
    taken(config, &mail, sent)?;
    match &config.outbox {
        OutboxConfig::Maildir { path } => {
            writeln!(out, "The mail lies in the Maildir {}.", path.display())?;
        }
        OutboxConfig::Smtp(smtp) => {
            warn(next_step::readable_by_others(smtp.login.as_ref()), out)?;
            writeln!(
                out,
                "{} has taken the mail for {address}. Look whether it arrives, and not among the spam.",
                smtp.server.host
            )?;
        }
    }
    Ok(())
}

/// Hands a mail to the outbox once.
///
/// # Errors
/// If the way to its server or the login is wrong.
pub(in crate::cli) fn dispatch(config: &Config, mail: &Outgoing) -> Result<SendOutcome> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot send")?;
    match &config.outbox {
        OutboxConfig::Maildir { path } => {
            let outbox = MaildirOutbox::open(Maildir::at(path))?;
            Ok(runtime.block_on(outbox.send(mail)))
        }
        OutboxConfig::Smtp(smtp) => {
            Preflight {
                protocol: MailProtocol::Smtp,
                server: &smtp.server,
                ca_file: config.trust.ca_file.as_deref(),
                patience: preflight::PATIENCE,
            }
            .run()?;
            runtime.block_on(send_by(config, smtp, mail))
        }
    }
}

/// Logs in at the server, and sends the mail.
async fn send_by(config: &Config, smtp: &SmtpConfig, mail: &Outgoing) -> Result<SendOutcome> {
    let settings = SmtpSettings {
        timeouts: SmtpTimeouts {
            connect: ANSWER,
            answer: ANSWER,
            text: TEXT_ANSWER,
        },
        ..SmtpSettings::of(smtp, &config.trust)
    };
    let outbox = SmtpOutbox::new(settings)?;
    if let (Err(failure), Some(login)) = (outbox.try_login().await, &smtp.login) {
        let step = match &failure {
            LoginFailure::Refused(_) => next_step::login_refused("[outbox]", &login.secret),
            LoginFailure::NotOffered(_) => {
                "look at port and tls of [outbox]: many servers take a login only over TLS, and at port 465 or 587".to_owned()
            }
            LoginFailure::Secret(error) => next_step::for_secret(error),
            LoginFailure::Broken(_) => {
                "try again in a minute; if it stays so, look at host, port and tls of [outbox]".to_owned()
            }
        };
        bail!("{failure}; {step}");
    }
    let sent = outbox.send(mail).await;
    outbox.close().await;
    Ok(sent)
}

/// Nothing if the mail was taken.
///
/// # Errors
/// What became of it otherwise, and what to do about it.
pub(in crate::cli) fn taken(config: &Config, mail: &Outgoing, sent: SendOutcome) -> Result<()> {
    let address = &mail.to;
    match sent {
        SendOutcome::Delivered => Ok(()),
        SendOutcome::Later { why, .. } => bail!(
            "{why}; that passes by itself mostly (servers put off a sender whom they see for the first time), and the judge \
             would try again: try again in ten minutes"
        ),
        SendOutcome::Away { why, .. } => bail!(
            "{why}; the judge would try again: try again in a minute, and if it stays so look at host, port and tls of [outbox]"
        ),
        SendOutcome::Refused { why, .. } => bail!(
            "the address {address} is refused: {why}; look for a slip in it, or try another one"
        ),
        SendOutcome::PutOff { why, .. } => bail!(
            "{why}; that is about the judge rather than about {address}: look whether the server lets the user in [outbox] \
             send as {}, and what it holds against this machine",
            config.judge.address
        ),
        SendOutcome::Unwanted { why, .. } => bail!(
            "a mail of {} bytes is refused for its content or its size: {why}; look whether the domain of {} has SPF and DKIM \
             for this server, and show this to its keeper",
            mail.bytes.len(),
            config.judge.address
        ),
        SendOutcome::Stop { why } => bail!(
            "{why}; the server does not send for whom it does not know: set user and password_file in [outbox], and as address \
             in [judge] one as which that user may send"
        ),
    }
}
