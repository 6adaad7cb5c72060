//! Whether a mail is answered. Mails from programs, mailing lists or the judge itself are not, nor are those of a
//! writer who has recently received many answers. Answers count for the proven writer, so that nobody's answers are
//! used up by mails with a forged From.

use jiff::Timestamp;

use crate::Judge;
use crate::boundary::Queue;
use crate::people::sign_on::{self, ArrivedBy};
use crate::rates::{ALL_UNPROVEN, CountKind, Writer, claimed};
use crate::session::Session;
use crate::tokens;
use crate::work::MailClass;
use crate::work::or_logged::OrLogged;
use dipjudge_mails::inbound::{self, Address, InboundMail, Limits, NoAnswer, Proof};
use dipjudge_mails::outbound;

/// How a mail is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answering {
    /// With all answers.
    Full,
    /// With the one sentence that answers pause, and why.
    Paused(Pause),
    /// Not at all.
    Silent,
}

/// Why answers pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pause {
    /// Many answers within an hour.
    Hour,
    /// Many answers within a day.
    Day,
    /// Many mails within a day that asked for nothing the judge can do.
    Empty,
}

impl Pause {
    /// The count that records that the writer was told of the pause. He is told once for as long as it lasts, since a
    /// program may answer this mail too.
    fn told(self) -> CountKind {
        match self {
            Pause::Hour => CountKind::PauseTold,
            Pause::Day | Pause::Empty => CountKind::PauseOfDayTold,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Pause::Hour => {
                "That is a lot of mail for one hour, so I will stop answering for a while. I still read and carry out \
                 everything you send."
            }
            Pause::Day => {
                "You have had many answers within a day, so the judge now pauses in answering you. Your mails are \
                 still read and done."
            }
            Pause::Empty => {
                "Within a day there was nothing that could be done in many of your mails, so the judge now pauses in \
                 answering such mails. Your mails are still read and done."
            }
        }
    }
}

impl Judge {
    /// The writer of a mail that arrived at this address, as far as proven.
    pub(crate) fn writer(&self, mail: &InboundMail, arrived_by: &ArrivedBy) -> Writer {
        match arrived_by {
            // Mails that others send to a seat's reply address do not count for its player.
            ArrivedBy::Seat(game, seat) => {
                let from = mail.from.key();
                let person = self.registry.by_address(&from).map(|person| person.id);
                let sits = self.games.get(game).and_then(|game| game.seat(*seat));
                let home =
                    sits.is_some_and(|seat| seat.address == from || Some(seat.person) == person);
                let own = Writer::token_of(game, *seat);
                Writer::Token(if home {
                    own
                } else {
                    format!("{own} elsewhere")
                })
            }
            ArrivedBy::Address(game, seat, _) => Writer::Token(format!("{game} {} new", seat.0)),
            ArrivedBy::Offer(game, offer) => Writer::Token(format!("{game} {} offer", offer.id)),
            ArrivedBy::Relay(relay) => Writer::Token(relay.account()),
            // Whoever has an address that has ended writes to its owner by it, under any name.
            ArrivedBy::Ended(game, seat) => Writer::Token(format!("{game} {} ended", seat.0)),
            ArrivedBy::Linking(request, end) => {
                Writer::Token(format!("{} {end:?} linking", request.person.0))
            }
            ArrivedBy::PlainAddress | ArrivedBy::Stopped(_) => {
                let from = mail.from.key();
                match mail.proven(self.settings.authserv_id.as_deref()) {
                    Proof::Pass => Writer::Vouched(from),
                    _ if self.answers_proof(mail, &from) => Writer::Answered(from),
                    Proof::NotConfigured | Proof::Fail | Proof::None => Writer::Claimed(from),
                }
            }
        }
    }

    /// Whether a mail went to the reply address that stood in a mail to its sender alone.
    fn answers_proof(&self, mail: &InboundMail, from: &str) -> bool {
        let own = Address::parse(&self.settings.address);
        let (Ok(own), Some(secret)) = (own, self.registry.secret()) else {
            return false;
        };
        let token = tokens::of_proof(secret, from);
        mail.tokens(&own)
            .iter()
            .any(|given| tokens::same(&token, given))
    }

    /// The queue in which a message waits: behind those of all others if its writer has recently sent too many. `None`
    /// if the writer cannot be determined.
    pub fn queue(&self, bytes: &[u8], now: Timestamp) -> Option<Queue> {
        let limits = Limits {
            bytes: self.settings.bytes,
            ..Limits::default()
        };
        let mail = inbound::read_header(bytes, &limits)?;
        let writer = self.writer(&mail, &sign_on::arrived_by(self, &mail, now));
        let limits = &self.settings.limits;
        let account = match &writer {
            // Anybody can invent addresses, so those that have proven nothing have one account together.
            Writer::Claimed(from)
                if limits.unproven_reply_bytes > 0 && !self.proven.holds(from, now) =>
            {
                ALL_UNPROVEN.to_owned()
            }
            _ => writer.account(),
        };
        let mails = self.rates.sum(CountKind::Mail, &account, now);
        Some(Queue {
            behind: mails >= limits.mails_per_hour,
            account,
        })
    }

    /// Whether a mail is of a kind whose press is not sent on: from a mailing list or a mass mailing, or one of the
    /// judge's own that was returned (`judge-workflow.md` 7). Such a mail is not answered either.
    pub(crate) fn is_mass_mail(&self, mail: &InboundMail) -> bool {
        let silence = Address::parse(&self.settings.address).map(|own| mail.may_answer(&own));
        matches!(
            silence,
            Ok(Err(NoAnswer::Machine
                | NoAnswer::NullPath
                | NoAnswer::Bulk
                | NoAnswer::List
                | NoAnswer::Own))
        )
    }

    /// Whether a mail seems to be from a program, a mailing list or the judge itself.
    pub(crate) fn is_automatic(&self, mail: &InboundMail) -> bool {
        Address::parse(&self.settings.address).is_ok_and(|own| mail.may_answer(&own).is_err())
    }

    /// How a mail may be answered.
    pub(crate) fn answering(
        &self,
        mail: &InboundMail,
        writer: &Writer,
        now: Timestamp,
    ) -> Answering {
        match Address::parse(&self.settings.address) {
            Ok(own) if mail.may_answer(&own).is_ok() => {}
            _ => return Answering::Silent,
        }
        let limits = &self.settings.limits;
        let why = |account: &String| {
            let reached = |kind, most| self.rates.sum(kind, account, now) >= most;
            if reached(CountKind::Reply, limits.replies_per_hour)
                || reached(CountKind::ReplyBytes, limits.reply_bytes_per_hour)
            {
                Some(Pause::Hour)
            } else {
                reached(CountKind::ReplyOfDay, limits.replies_per_day).then_some(Pause::Day)
            }
        };
        let mut accounts = vec![writer.account()];
        if let Writer::Claimed(_) = writer {
            accounts.push(claimed(&mail.answer_to().key()));
        }
        match accounts.iter().find_map(why) {
            None => Answering::Full,
            Some(why) => self.paused(writer, why, now),
        }
    }

    /// How to answer a mail that asked for nothing the judge can do. Two programs whose mails cannot be recognized as
    /// automatic would otherwise exchange such mails forever.
    pub(crate) fn answering_empty(&self, writer: &Writer, now: Timestamp) -> Answering {
        let empty = self
            .rates
            .sum(CountKind::EmptyReply, &writer.account(), now);
        if empty < self.settings.limits.empty_replies_per_day {
            Answering::Full
        } else {
            self.paused(writer, Pause::Empty, now)
        }
    }

    /// The answer while answers pause: the writer is told once, then nothing.
    fn paused(&self, writer: &Writer, why: Pause, now: Timestamp) -> Answering {
        match self.rates.sum(why.told(), &writer.account(), now) {
            0 => Answering::Paused(why),
            _ => Answering::Silent,
        }
    }
}

impl Session<'_, '_> {
    /// Tells the writer of this mail that answers pause.
    pub(crate) fn tell_pause(&mut self, to: &str, why: Pause) {
        let judge = self.work.judge;
        let words = why.words().to_owned();
        let name = &judge.settings.name;
        let text = outbound::stranger_notice(&judge.templates, name, "Answers pause", words);
        if let Some(text) = text.or_logged() {
            self.send_to(to, text, MailClass::Answer);
            self.work.count(why.told(), self.work.account(), 1);
        }
    }
}
