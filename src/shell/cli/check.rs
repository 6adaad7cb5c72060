//! `fetch-check` and `send-check`: whether inbox and outbox work, in plain words.

use std::io::Write;

use anyhow::{Context, Result, bail};

use crate::clock::Clock;
use crate::config::{Config, InboxConfig, OutboxConfig};
use crate::daemon::{notice, setup};
use crate::inbox::imap::{ImapInbox, ImapSettings};
use crate::inbox::maildir::MaildirInbox;
use crate::inbox::{Inbox, InboxError};
use crate::maildir::Maildir;
use crate::outbox::{Outgoing, SendOutcome};
use crate::random::SystemIds;
use dipjudge_mails::outbound::{Parts, Text, letter};
use dipjudge_store::{self as store, StoreId};

/// Connects to the inbox and reports what the server can do.
pub(super) fn fetch(config: &Config, out: &mut dyn Write) -> Result<()> {
    let store = own_store(config)?;
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
            let settings = ImapSettings::of(imap, &config.trust, config.limits.bytes);
            let mut inbox = ImapInbox::new(settings);
            let report = inbox.check()?;
            leave_to_others(&store, &mut inbox)?;
            let (host, mailbox) = (&imap.server.host, &imap.mailbox);
            writeln!(
                out,
                "{host} lets us in, and its mailbox {mailbox} can be used; {}.",
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
                    imap.done, imap.rejected
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
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot send")?;
    let sent = runtime.block_on(async {
        let outbox = setup::outbox(config)?.outbox;
        let sent = outbox.send(&mail).await;
        outbox.close().await;
        anyhow::Ok(sent)
    })?;
    match sent {
        SendOutcome::Delivered => {
            match &config.outbox {
                OutboxConfig::Maildir { path } => {
                    writeln!(out, "The mail lies in the Maildir {}.", path.display())?
                }
                OutboxConfig::Smtp(smtp) => writeln!(
                    out,
                    "{} has taken the mail for {address}. Look whether it arrives, and not among the spam.",
                    smtp.server.host
                )?,
            }
            Ok(())
        }
        SendOutcome::Later { why, .. } | SendOutcome::Away { why, .. } => {
            bail!("not now: {why}; the judge would try again")
        }
        SendOutcome::Refused { why, .. } => bail!("the address {address} is refused: {why}"),
        SendOutcome::PutOff { why, .. } => bail!(
            "{why}; that is about the judge rather than about {address}: look at [outbox] and address in the config, and at \
             what the server holds against this machine"
        ),
        SendOutcome::Unwanted { why, .. } => bail!(
            "a mail of {} bytes is refused for its content or its size: {why}",
            mail.bytes.len()
        ),
        SendOutcome::Stop { why } => bail!("{why}; look at [outbox] and address in the config"),
    }
}
