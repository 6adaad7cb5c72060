//! Notices to the keeper: what failed, and what to do about it.
//!
//! They are sent with the null return path, so that they never bounce, and only so many in a day: a fault that occurs a
//! thousand times is not reported a thousand times.

use jiff::{SignedDuration, Timestamp};

use dipjudge_judge::{Ids, Settings};
use dipjudge_mails::outbound::{self, Letter, LetterError, Parts, RenderError, Stamp, Templates};
use dipjudge_store::{NewMail, to_hex};

/// The most notices in a day.
const MAX_PER_DAY: usize = 20;
const DAY: SignedDuration = SignedDuration::from_hours(24);
/// The rank of notices of a game: after results and answers.
const RANK: u8 = 2;

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

    /// A notice to the keeper; `None` if there were too many in the last day, or if it cannot be written, which is logged.
    /// `sent` holds the times of earlier ones.
    pub fn write(
        &self,
        sent: &mut Vec<Timestamp>,
        now: Timestamp,
        ids: &mut dyn Ids,
        subject: &str,
        lines: &[String],
    ) -> Option<NewMail> {
        sent.retain(|at| now.duration_since(*at) < DAY);
        if sent.len() >= MAX_PER_DAY {
            tracing::warn!(
                subject,
                "the keeper is not told: {MAX_PER_DAY} notices in a day are enough"
            );
            return None;
        }
        let mut lines = lines.to_vec();
        if sent.len() + 1 == MAX_PER_DAY {
            lines.push(format!(
                "This is notice {MAX_PER_DAY} within a day. Further ones stand in the log only."
            ));
        }
        match self.letter(now, ids, subject, &lines) {
            Ok(letter) => {
                sent.push(now);
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
