//! The daily test mail on its way out and back.

use jiff::Timestamp;

use super::{Processor, ProcessorError};
use crate::config::Config;
use crate::daemon::mail_handler::MailHandler;
use crate::daemon::notice::NoticeKind;
use crate::daemon::probe::Probe;
use dipjudge_judge::{Ids, Ruling};
use dipjudge_store::{Batch, NewMail, to_hex};

/// How test mails are read.
#[derive(Clone, Debug)]
pub struct Probing {
    /// The host whose verdicts on them count; that of the topmost verdicts if none is trusted.
    authserv_id: Option<String>,
}

impl Probing {
    /// Test mails as the config wants them.
    pub fn of(config: &Config) -> Option<Probing> {
        let authserv_id = config.trust.authserv_id.clone();
        config.probe.then_some(Probing { authserv_id })
    }
}

impl<B: MailHandler> Processor<B> {
    /// The same processor, which sends and reads test mails so.
    #[must_use]
    pub fn with_probing(self, probing: Option<Probing>) -> Processor<B> {
        Processor { probing, ..self }
    }

    /// Sends a test mail if one is due, and tells the keeper of one that does not come back.
    pub(super) fn probe(&mut self, now: Timestamp) -> Result<(), ProcessorError> {
        if self.probing.is_none() {
            return Ok(());
        }
        self.begin_ids("probe", now);
        let overdue = self.memory.probe.clone();
        let overdue = overdue.filter(|probe| probe.is_overdue(now));
        let mut mails = Vec::new();
        if let Some(probe) = overdue {
            let sentence = probe.lost(&self.store)?;
            mails.extend(self.tell_of_probe(sentence, now));
            self.memory.probe = Some(Probe {
                told: true,
                ..probe
            });
        } else if Probe::is_due(self.memory.probe.as_ref(), now) {
            let token = to_hex(&self.ids.id());
            let probe = Probe::new(self.notices.judge_address(), &token, now);
            match self.notices.test_mail(&probe, &mut self.ids, now) {
                Ok(mail) => mails.push(mail),
                Err(error) => {
                    let why = error.to_string();
                    tracing::error!(why, "the daily test mail cannot be written");
                }
            }
            self.memory.probe = Some(probe);
        } else {
            return Ok(());
        }
        self.store_mails(now, mails)
    }

    /// Whether a message is the last test mail, on its way back.
    pub(super) fn is_probe(&self, message: &[u8]) -> bool {
        let probe = self.memory.probe.as_ref();
        self.probing.is_some() && probe.is_some_and(|probe| probe.is_this(message))
    }

    /// Notes that it is back, and tells the keeper if it is not as it was sent.
    pub(super) fn probe_is_back(
        &mut self,
        message: &[u8],
        now: Timestamp,
    ) -> Result<(), ProcessorError> {
        let Some(probe) = self.memory.probe.clone() else {
            return Ok(());
        };
        let trusted = self.probing.as_ref();
        let trusted = trusted.and_then(|probing| probing.authserv_id.as_deref());
        let fault = probe.fault_of(message, trusted);
        tracing::info!(fault, "the daily test mail is back");
        self.begin_ids("probe is back", now);
        let mails: Vec<NewMail> = fault
            .and_then(|sentence| self.tell_of_probe(sentence, now))
            .into_iter()
            .collect();
        self.memory.probe = Some(Probe {
            back: Some(now),
            ..probe
        });
        let extra = Batch {
            mails,
            meta: vec![self.memory.entry()?],
            ..Batch::default()
        };
        let nothing = Ruling {
            at: now,
            ..Ruling::default()
        };
        self.accept(&nothing, now, extra, None)
    }

    fn tell_of_probe(&mut self, sentence: String, now: Timestamp) -> Option<NewMail> {
        self.notices.write(
            NoticeKind::Probe,
            &mut self.memory.notices_sent,
            now,
            &mut self.ids,
            "The test of the mail",
            &[sentence],
        )
    }
}
