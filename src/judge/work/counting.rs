//! What is counted in a unit of work, for the limits.

use crate::rates::{Count, CountKind, Writer, claimed};
use crate::work::{MailClass, Work};
use dipjudge_mails::inbound::InboundMail;

impl Work<'_> {
    /// Counts something on somebody's account.
    pub(crate) fn count(&mut self, kind: CountKind, account: impl Into<String>, amount: u64) {
        self.counts.push(Count {
            kind,
            account: account.into(),
            amount,
        });
    }

    /// How much was counted lately, with what this mail has added.
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

    /// Who wrote the mail in hand, and on whose account it is.
    pub(crate) fn written_by(&mut self, writer: Writer, mail: &InboundMail) {
        self.count(CountKind::Mail, writer.account(), 1);
        self.writer = Some(writer);
        self.answered.to = mail.answer_to().key();
    }

    /// On whose account the mail in hand is.
    pub(crate) fn account(&self) -> String {
        self.writer
            .as_ref()
            .map_or_else(String::new, Writer::account)
    }

    /// Counts the answers that go out to the mail in hand.
    pub(crate) fn count_answers(&mut self) {
        let Some(writer) = self.writer.clone() else {
            return;
        };
        let answers = self
            .ruling
            .mails
            .iter()
            .filter(|mail| mail.rank == MailClass::Answer.rank());
        let answers: Vec<(String, u64)> = answers
            .map(|mail| (mail.to.clone(), mail.letter.size() as u64))
            .collect();
        for (to, bytes) in answers {
            let mut accounts = vec![writer.account()];
            // Whoever writes under many names is not to have all answers sent to one.
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
