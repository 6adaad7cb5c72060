//! Handles one message: it is ruled on, set aside if it must be, and stored.

use std::panic::{AssertUnwindSafe, catch_unwind};

use jiff::Timestamp;
use sha2::{Digest, Sha256};

use super::{Processor, ProcessorError};
use crate::daemon::arrival::ArrivedMessage;
use crate::daemon::journal::JournalCause;
use crate::daemon::library::{StoreLibrary, UnseenLibrary};
use crate::daemon::mail_handler::MailHandler;
use crate::daemon::notice::NoticeKind;
use crate::daemon::pending::HandledMessage;
use crate::daemon::set_aside::{Digests, SetAsideMessage};
use crate::daemon::source::{SPOOL, Source};
use dipjudge_judge::{Incoming, Ruling, Verdict};
use dipjudge_store::{Batch, NewMail, to_hex};

impl<B: MailHandler> Processor<B> {
    /// Handles one message.
    pub(super) fn handle(
        &mut self,
        message: ArrivedMessage,
        sources: &mut [Source],
    ) -> Result<(), ProcessorError> {
        let ArrivedMessage {
            source: number_of_source,
            mail,
            at: arrived,
        } = message;
        let Some(source) = sources.get_mut(number_of_source) else {
            return Ok(());
        };
        let now = self.now();
        let (number, stamped) = (self.memory.messages + 1, mail.arrived);
        if self.is_probe(&mail.bytes) {
            self.probe_is_back(&mail.bytes, now)?;
            self.memory.messages = number;
            self.pending.handled.push(HandledMessage {
                source: number_of_source,
                handle: mail.handle,
                rejected: false,
            });
            return Ok(());
        }
        let signed = self.signatures.as_ref();
        let signed = signed.and_then(|checks| checks.proving(&mail.bytes, arrived));
        let incoming = Incoming {
            bytes: mail.bytes,
            arrived,
            envelope_from: None,
            envelope_to: None,
            oversize: mail.oversize,
            signed,
        };
        let digests = Digests::of(&incoming.bytes);
        let again = self.to_read_again(&digests)?;
        let reading = match again {
            Some(_) => Reading::Again,
            None => Reading::First,
        };
        // The same words may come a second time, and a message that is read again may have been answered before.
        let (kind, time) = match reading {
            Reading::First => ("message", stamped),
            Reading::Again => ("message again", now),
        };
        let digest = digests.whole().to_owned();
        let parts: [&[u8]; 2] = [digest.as_bytes(), &time.as_nanosecond().to_be_bytes()];
        self.ids.begin(kind, &parts);
        let ruled = self.receive(&incoming, now, reading)?;
        let origin = match ruled {
            Some(_) => RulingOrigin::Judge,
            None => RulingOrigin::Fault,
        };
        let mut ruling = ruled.unwrap_or_else(|| set_aside_for(FAULT, now));
        let mut extra = Batch::default();
        match (&ruling.verdict, again) {
            (Verdict::Done, None) => {}
            // A message that was read again with success is no longer set aside.
            (Verdict::Done, Some(aside)) => extra.forget.extend(aside.keys()),
            (Verdict::Rejected(why), Some(aside)) => {
                tracing::warn!(set_aside = aside.number, why, "it is set aside again");
                extra.forget.push(aside.retry_mark());
                let aside = SetAsideMessage {
                    at: now,
                    why: why.clone(),
                    ..aside
                };
                extra.meta.extend(self.entries(&aside, &incoming.bytes)?);
            }
            (Verdict::Rejected(why), None) => {
                let key = set_aside_key(&incoming.bytes);
                let known = self.pending.seen(&key, Timestamp::MIN)
                    || (self.store.seen(&key, Timestamp::MIN)?
                        && SetAsideMessage::lists(&self.store, &digests)?);
                if known {
                    // It was set aside before and could not be moved then.
                    source.reject(&mail.handle);
                    return Ok(());
                }
                self.memory.set_aside += 1;
                let aside = SetAsideMessage {
                    number: self.memory.set_aside,
                    at: now,
                    arrived,
                    source: source.name.to_owned(),
                    why: why.clone(),
                    digest: digests.kept(incoming.oversize),
                };
                tracing::warn!(
                    number,
                    set_aside = aside.number,
                    why,
                    "a message is set aside"
                );
                extra.meta.extend(self.entries(&aside, &incoming.bytes)?);
                let notice = self.notify_keeper(&aside, source.rejected(), origin, now);
                extra.mails.extend(notice);
                ruling.seen.push(key);
            }
        }
        // One that could not be put away the last time is no further message.
        if !ruling.is_silent() {
            self.memory.messages = number;
        }
        let cause = self.journal.is_some().then(|| match source.name {
            SPOOL => JournalCause::Piped {
                message: to_hex(&incoming.bytes),
                stamped,
                arrived,
                oversize: incoming.oversize,
            },
            _ => JournalCause::Message {
                sha256: digest,
                stamped,
                arrived,
            },
        });
        self.accept(&ruling, now, extra, cause)?;
        tracing::info!(number, source = source.name, %arrived, mails = ruling.mails.len(), "message handled");
        let rejected = matches!(ruling.verdict, Verdict::Rejected(_));
        self.pending.handled.push(HandledMessage {
            source: number_of_source,
            handle: mail.handle,
            rejected,
        });
        Ok(())
    }

    /// The entries that the store keeps of a message set aside.
    fn entries(
        &self,
        aside: &SetAsideMessage,
        message: &[u8],
    ) -> Result<[(String, Vec<u8>); 2], ProcessorError> {
        let handler = self
            .handler
            .read()
            .map_err(|_| ProcessorError::JudgePanicked)?;
        Ok(aside.entries(message, &|text, from| handler.redact(text, from))?)
    }

    /// The entry of a message set aside, if the keeper wants it read again.
    fn to_read_again(&self, digests: &Digests) -> Result<Option<SetAsideMessage>, ProcessorError> {
        let aside = SetAsideMessage::to_retry(&self.store, digests)?;
        // A second copy in the same batch is not read again.
        Ok(aside.filter(|aside| !self.pending.forgets(&aside.retry_mark())))
    }

    /// The ruling on a message; `None` if the judge panicked.
    fn receive(
        &mut self,
        incoming: &Incoming,
        now: Timestamp,
        reading: Reading,
    ) -> Result<Option<Ruling>, ProcessorError> {
        let handler = self
            .handler
            .read()
            .map_err(|_| ProcessorError::JudgePanicked)?;
        let library = StoreLibrary::new(&self.store, &self.pending);
        let ids = &mut self.ids;
        let ruling = catch_unwind(AssertUnwindSafe(|| match reading {
            Reading::First => handler.receive(incoming, now, ids, &library),
            Reading::Again => handler.receive(incoming, now, ids, &UnseenLibrary(&library)),
        }))
        .ok();
        library.fault()?;
        match self.ids.fault() {
            Some(fault) => Err(ProcessorError::Random(fault)),
            None => Ok(ruling),
        }
    }

    fn notify_keeper(
        &mut self,
        aside: &SetAsideMessage,
        place: &str,
        origin: RulingOrigin,
        now: Timestamp,
    ) -> Option<NewMail> {
        let subject = format!("Message {} set aside", aside.number);
        let mut lines = vec![
            format!(
                "A message that arrived at {} was set aside: {}.",
                aside.arrived, aside.why
            ),
            format!("It lies in {place}. No other message was touched."),
            format!(
                "dipjudge set-aside show {number} shows what it says, passwords struck out; retry {number} has it read \
                 again, delete {number} removes it.",
                number = aside.number
            ),
        ];
        if origin == RulingOrigin::Fault {
            lines.push(
                "Please send it to the authors of the program, if its sender agrees.".to_owned(),
            );
        }
        self.notices.write(
            NoticeKind::SetAside,
            &mut self.memory.notices_sent,
            now,
            &mut self.ids,
            &subject,
            &lines,
        )
    }
}

/// How often a message is read.
#[derive(Clone, Copy)]
enum Reading {
    First,
    /// The keeper wants it read again: it counts as never seen.
    Again,
}

/// Where the ruling on a message comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RulingOrigin {
    Judge,
    /// The judge panicked, so the message is set aside.
    Fault,
}

/// Why a message over which the program failed is set aside.
const FAULT: &str = "the program failed over it, which is a fault of the program";

/// The ruling that sets a message aside.
fn set_aside_for(why: &str, now: Timestamp) -> Ruling {
    Ruling {
        at: now,
        verdict: Verdict::Rejected(why.to_owned()),
        ..Ruling::default()
    }
}

/// The key by which a message set aside is recognized.
fn set_aside_key(bytes: &[u8]) -> [u8; 32] {
    Sha256::new()
        .chain_update(b"set aside\0")
        .chain_update(bytes)
        .finalize()
        .into()
}
