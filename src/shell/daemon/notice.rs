//! Notices to the keeper: what failed, and what to do about it.
//!
//! They are sent with the null return path, so that they never bounce, and only so many of each kind in a day: a fault that
//! occurs a thousand times is not reported a thousand times, and does not hide one of another kind. What is ordinary stands in
//! the daily digest as well (`digest.rs`).

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::probe::{Probe, ProbeError};
use dipjudge_judge::{Ids, Settings};
use dipjudge_mails::outbound::{self, Letter, LetterError, Parts, RenderError, Stamp, Templates};
use dipjudge_store::{NewMail, to_hex};

/// The most notices of one kind in a day.
const MAX_PER_DAY: usize = 5;
const DAY: SignedDuration = SignedDuration::from_hours(24);
/// The rank of notices of a game: after results and answers.
const RANK: u8 = 2;

/// What a notice is about. Each kind has a budget of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoticeKind {
    /// A message was set aside.
    SetAside,
    /// A mail was given up.
    GivenUp,
    /// The daily copies fail.
    Backup,
    /// The outbox had stopped.
    Sending,
    /// Something due cannot be done.
    Due,
    /// A test mail did not come back as it was sent.
    Probe,
    /// What happened in a day.
    Digest,
}

/// The notices of the last day, by kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NoticesSent(BTreeMap<NoticeKind, Vec<Timestamp>>);

impl NoticesSent {
    /// How many of this kind there were in the last day.
    fn count(&mut self, kind: NoticeKind, now: Timestamp) -> usize {
        let times = self.0.entry(kind).or_default();
        times.retain(|at| now.duration_since(*at) < DAY);
        times.len()
    }

    fn add(&mut self, kind: NoticeKind, now: Timestamp) {
        self.0.entry(kind).or_default().push(now);
    }
}

/// Writes the notices to the keeper.
#[derive(Debug, Clone)]
pub struct Notices {
    name: String,
    address: String,
    keeper: String,
    templates: Templates,
}

impl Notices {
    /// Notices to the keeper of this judge.
    pub fn new(settings: &Settings, templates: &Templates) -> Notices {
        Notices {
            name: settings.name.clone(),
            address: settings.address.clone(),
            keeper: settings.keeper.clone(),
            templates: templates.clone(),
        }
    }

    /// Whether an address is the keeper's.
    pub fn is_keeper(&self, address: &str) -> bool {
        address.eq_ignore_ascii_case(&self.keeper)
    }

    /// A notice to the keeper; `None` if there were too many of its kind in the last day, or if it cannot be written, which is
    /// logged. `sent` holds the times of earlier ones.
    pub fn write(
        &self,
        kind: NoticeKind,
        sent: &mut NoticesSent,
        now: Timestamp,
        ids: &mut dyn Ids,
        subject: &str,
        lines: &[String],
    ) -> Option<NewMail> {
        let before = sent.count(kind, now);
        if before >= MAX_PER_DAY {
            tracing::warn!(
                subject,
                "the keeper is not told at once: {MAX_PER_DAY} notices of a kind in a day are enough"
            );
            return None;
        }
        let mut lines = lines.to_vec();
        if before + 1 == MAX_PER_DAY {
            lines.push(format!(
                "This is notice {MAX_PER_DAY} of its kind within a day. Further ones stand in the log, and what they are about in \
                 the daily digest."
            ));
        }
        match self.letter(now, ids, subject, &lines) {
            Ok(letter) => {
                sent.add(kind, now);
                Some(NewMail {
                    envelope_from: String::new(),
                    to: self.keeper.clone(),
                    letter,
                    rank: RANK,
                    game: None,
                    due: now,
                })
            }
            Err(error) => {
                let why = error.to_string();
                tracing::error!(subject, why, "a notice to the keeper cannot be written");
                None
            }
        }
    }

    /// A test mail with a picture and a calendar entry.
    pub(super) fn test_mail(
        &self,
        probe: &Probe,
        ids: &mut dyn Ids,
        now: Timestamp,
    ) -> Result<NewMail, ProbeError> {
        let stamp = stamp(&self.name, &self.address, &probe.to, now, ids);
        let names = to_hex(&ids.id());
        Ok(NewMail {
            envelope_from: self.address.clone(),
            to: probe.to.clone(),
            letter: probe.letter(&self.name, &stamp, &self.templates, &names)?,
            rank: RANK,
            game: None,
            due: now,
        })
    }

    /// The judge's own address.
    pub(super) fn judge_address(&self) -> &str {
        &self.address
    }

    fn letter(
        &self,
        now: Timestamp,
        ids: &mut dyn Ids,
        subject: &str,
        lines: &[String],
    ) -> Result<Letter, NoticeError> {
        let text = outbound::keeper_notice(&self.templates, &self.name, subject, lines)?;
        let stamp = stamp(&self.name, &self.address, &self.keeper, now, ids);
        Ok(outbound::letter(&text, &Parts::default(), &stamp, "")?)
    }
}

/// Why a notice cannot be written.
#[derive(Debug, thiserror::Error)]
enum NoticeError {
    #[error(transparent)]
    Template(#[from] RenderError),
    #[error(transparent)]
    Letter(#[from] LetterError),
}

/// The header fields of a mail that the shell itself writes.
pub fn stamp(
    judge: &str,
    judge_address: &str,
    to: &str,
    now: Timestamp,
    ids: &mut dyn Ids,
) -> Stamp {
    let host = judge_address
        .rsplit_once('@')
        .map_or("localhost", |(_, host)| host);
    let id = to_hex(&ids.id());
    Stamp::plain(judge, judge_address, to, format!("<{id}@{host}>"), now)
}
