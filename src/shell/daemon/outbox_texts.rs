//! `outbox`: the mails that wait and those that were given up, and what the keeper can do with them. Their words are their
//! readers': a keeper sees to whom they go and how they fared.

use std::fmt::Write as _;

use jiff::Timestamp;

use super::query_error::QueryError;
use dipjudge_store::{FailedMail, QueuedMail, Store};

/// Whether mails are being sent meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SendingState {
    /// By the daemon that answers.
    Goes,
    /// By nobody.
    Rests,
}

/// Lists the mails that wait, then those that were given up.
///
/// # Errors
/// If the store cannot be read.
pub(super) fn list(store: &Store) -> Result<String, QueryError> {
    let (waiting, failed) = (store.waiting()?, store.failed()?);
    let mut text = String::new();
    for mail in &waiting {
        let _ = writeln!(text, "{}", waiting_line(mail));
    }
    for failed in &failed {
        let _ = writeln!(text, "{}", failed_line(failed));
    }
    if text.is_empty() {
        text.push_str("No mail waits, and none was given up in the last month.");
    }
    Ok(text)
}

/// Shows one mail, without its words.
///
/// # Errors
/// If there is none with this number, or the store cannot be read.
pub(super) fn show(store: &Store, number: u64) -> Result<String, QueryError> {
    let found = Found::of(store, number)?;
    let mail = found.mail();
    let mut text = format!(
        "Mail {} to {}\nwhat:     {}\nwritten:  {}\ntried:    {}\n",
        mail.id,
        mail.to,
        kind(mail),
        minute(mail.created),
        times(mail.attempts)
    );
    let fate = match &found {
        Found::Waiting(mail) => format!("next try: {}", minute(mail.due)),
        Found::Failed(failed) => format!("given up: {}", minute(failed.at)),
    };
    let _ = writeln!(text, "{fate}");
    if let Some(why) = &mail.why {
        let _ = writeln!(text, "server:   {why}");
    }
    Ok(text)
}

/// Has one mail tried again now, with what else waits for the same address.
///
/// # Errors
/// If there is none with this number, or the store cannot be written.
pub(super) fn retry(
    store: &Store,
    number: u64,
    now: Timestamp,
    sending: SendingState,
) -> Result<String, QueryError> {
    let found = Found::of(store, number)?;
    let to = found.mail().to.clone();
    if let Found::Failed(_) = found {
        store.try_again(number, now)?;
    }
    store.wake(now, &|address| address == to)?;
    Ok(match sending {
        SendingState::Goes => format!("Mail {number} to {to} is tried again now."),
        SendingState::Rests => {
            format!(
                "Mail {number} to {to} is due; the next `dipjudge tick` or the daemon sends it."
            )
        }
    })
}

/// Removes one mail for good.
///
/// # Errors
/// If there is none with this number, if it may be on its way at this moment, or if the store cannot be written.
pub(super) fn drop_mail(
    store: &Store,
    number: u64,
    now: Timestamp,
    sending: SendingState,
) -> Result<String, QueryError> {
    let found = Found::of(store, number)?;
    let to = found.mail().to.clone();
    if let Found::Waiting(_) = found {
        if sending == SendingState::Goes {
            return Err(QueryError::OnItsWay { number });
        }
        store.given_up(number, now, "dropped by the keeper")?;
    }
    store.forget(number)?;
    Ok(format!("Mail {number} to {to} is dropped; nobody gets it."))
}

enum Found {
    Waiting(QueuedMail),
    Failed(FailedMail),
}

impl Found {
    fn of(store: &Store, number: u64) -> Result<Found, QueryError> {
        let is_it = |mail: &QueuedMail| mail.id == number;
        if let Some(mail) = store.waiting()?.into_iter().find(is_it) {
            return Ok(Found::Waiting(mail));
        }
        let mut failed = store.failed()?.into_iter();
        let found = failed.find(|failed| is_it(&failed.mail));
        found
            .map(Found::Failed)
            .ok_or(QueryError::NoMail { number })
    }

    fn mail(&self) -> &QueuedMail {
        match self {
            Found::Waiting(mail) => mail,
            Found::Failed(failed) => &failed.mail,
        }
    }
}

fn waiting_line(mail: &QueuedMail) -> String {
    let fate = match mail.attempts {
        0 => format!("waits since {}", minute(mail.created)),
        _ => format!(
            "tried {}, next at {}{}",
            times(mail.attempts),
            minute(mail.due),
            said(mail)
        ),
    };
    format!("{:>6}  {:<28} {:<18} {fate}", mail.id, mail.to, kind(mail))
}

fn failed_line(failed: &FailedMail) -> String {
    let mail = &failed.mail;
    format!(
        "{:>6}  {:<28} {:<18} given up at {}{}",
        mail.id,
        mail.to,
        kind(mail),
        minute(failed.at),
        said(mail)
    )
}

fn said(mail: &QueuedMail) -> String {
    mail.why
        .as_ref()
        .map_or_else(String::new, |why| format!(": {why}"))
}

/// What kind of mail it is, by its rank.
fn kind(mail: &QueuedMail) -> &'static str {
    match mail.rank {
        0 => "results",
        1 => "an answer",
        2 => "notice or press",
        3 => "a reminder",
        _ => "a first answer",
    }
}

fn times(count: u32) -> String {
    match count {
        0 => "not yet".to_owned(),
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        count => format!("{count} times"),
    }
}

fn minute(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M UTC").to_string()
}
