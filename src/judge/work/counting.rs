//! The counts that a unit of work adds for the limits.

use crate::rates::{ALL_WRITERS, Count, CountKind, Writer, claimed};
use crate::work::{MailClass, Work};
use dipjudge_mails::inbound::InboundMail;

impl Work<'_> {
    /// Adds an amount to the count of an account.
    pub(crate) fn count(&mut self, kind: CountKind, account: impl Into<String>, amount: u64) {
        self.counts.push(Count {
            kind,
            account: account.into(),
            amount,
        });
    }

    /// The sum of a count, including what this mail has added.
    pub(crate) fn counted(&self, kind: CountKind, account: &str) -> u64 {
        let own = self
            .counts
            .iter()
            .filter(|count| count.kind == kind && count.account == account);
        own.fold(
            self.judge.rates.sum(kind, account, self.now),
            |sum, count| sum.saturating_add(count.amount),
        )
    }

    /// Sets the writer of this mail, and its account.
    pub(crate) fn written_by(&mut self, writer: Writer, mail: &InboundMail) {
        self.count(CountKind::Mail, writer.account(), 1);
        if let Writer::Vouched(address) | Writer::Answered(address) = &writer {
            self.prove(address);
        }
        self.writer = Some(writer);
        self.answered.to = mail.answer_to().key();
        self.count_unproven_mail(mail.bytes as u64);
    }

    /// The account of this mail.
    pub(crate) fn account(&self) -> String {
        self.writer
            .as_ref()
            .map_or_else(String::new, Writer::account)
    }

    /// Whether a map that nobody asked for may come with the answer: half of an hour's bytes are kept for answers in words, an
    /// address that has proven nothing is sent no picture, and a judge to which very many write at once answers in words.
    pub(crate) fn has_room_for_map(&self) -> bool {
        let drawn = self.counted(CountKind::OrderMap, ALL_WRITERS);
        if drawn >= self.judge.settings.limits.order_maps_per_minute {
            return false;
        }
        let answered = self.counted(CountKind::ReplyBytes, &self.account());
        answered < self.judge.settings.limits.reply_bytes_per_hour / 2
            && !self.is_unproven(&self.answered.to)
    }

    /// Counts a map that nobody asked for.
    pub(crate) fn count_order_map(&mut self) {
        self.count(CountKind::OrderMap, ALL_WRITERS, 1);
    }

    /// Counts the answers to this mail.
    pub(crate) fn count_answers(&mut self) {
        let Some(writer) = self.writer.clone() else {
            return;
        };
        let answers = self.ruling.mails.iter().filter(|mail| {
            [MailClass::Answer.rank(), MailClass::UNPROVEN_RANK].contains(&mail.rank)
        });
        let answers: Vec<(String, u64)> = answers
            .map(|mail| (mail.to.clone(), mail.letter.counted_bytes() as u64))
            .collect();
        for (to, bytes) in answers {
            let mut accounts = vec![writer.account()];
            // A writer who uses many names must not be able to direct all the answers at one address.
            let other = matches!(writer, Writer::Claimed(_)) && to == self.answered.to;
            if other && !accounts.contains(&claimed(&to)) {
                accounts.push(claimed(&to));
            }
            for account in accounts {
                self.count(CountKind::Reply, &account, 1);
                self.count(CountKind::ReplyOfDay, &account, 1);
                self.count(CountKind::ReplyBytes, account, bytes);
            }
        }
    }
}
