//! Mails of the shell to the keeper: what failed, and what he can do.
//!
//! They go out with the null path, so that nothing ever comes back of them, and not too many of them: what is wrong a thousand
//! times need not be told a thousand times.

use jiff::{SignedDuration, Timestamp};

use dipjudge_judge::{Ids, Settings};
use dipjudge_mails::outbound::{self, Letter, LetterError, Parts, RenderError, Stamp, Templates};
use dipjudge_store::{NewMail, to_hex};

/// At most so many in a day.
const MOST: usize = 20;
const DAY: SignedDuration = SignedDuration::from_hours(24);
/// As notices of a game: behind results and answers.
const RANK: u8 = 2;

/// Who writes to whom.
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

    /// A notice to the keeper; `None` if there were too many lately, or if it cannot be written, which is logged.
    /// `sent` remembers the hours of earlier ones.
    pub fn write(
        &self,
        sent: &mut Vec<Timestamp>,
        now: Timestamp,
        ids: &mut dyn Ids,
        subject: &str,
        lines: &[String],
    ) -> Option<NewMail> {
        sent.retain(|at| now.duration_since(*at) < DAY);
        if sent.len() >= MOST {
            tracing::warn!(
                subject,
                "the keeper is not told: {MOST} notices in a day are enough"
            );
            return None;
        }
        let mut lines = lines.to_vec();
        if sent.len() + 1 == MOST {
            lines.push(format!(
                "This is notice {MOST} within a day. Further ones stand in the log only."
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
