//! The handling of one mail: whether it is known or new, who sent it, what it says, what follows, who is told. All
//! decisions are made on a working copy; nothing takes effect before the ruling is stored.

use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};

use crate::Judge;
use crate::acts::missed;
use crate::boundary::{Ids, Incoming, Library, Ruling, Verdict};
use crate::clock::due;
use crate::clock::ending;
use crate::clock::processing;
use crate::links::LinkEnd;
use crate::people::bounces;
use crate::people::linking;
use crate::people::sign_on::{self, ArrivedBy};
use crate::people::stand_by;
use crate::people::unwanted;
use crate::rates::CountKind;
use crate::receiving::answering::Answering;
use crate::receiving::by_game::{self, GamePart};
use crate::receiving::letter;
use crate::receiving::pasted;
use crate::session::Session;
use crate::work::or_logged::OrLogged;
use crate::work::{AnsweredMail, GameWork, MailClass, Work};
use dipjudge_commands::mail_reader::holds_sign_on;
use dipjudge_game::{Event, SeatChange};
use dipjudge_mails::inbound::{
    self, CalendarWords, Envelope, InboundMail, Limits, MailKind, Treatment, Unusable,
};
use dipjudge_mails::outbound;

/// How long a message is recognized: longer than any mail system retries.
const KNOWN: SignedDuration = SignedDuration::from_hours(60 * 24);
/// How long a mail with the same words from the same sender counts as the same mail.
const SAME_WORDS: SignedDuration = SignedDuration::from_mins(10);

impl Judge {
    /// Handles one message completely. Nothing takes effect before the ruling is stored and absorbed.
    pub fn receive(
        &self,
        incoming: &Incoming,
        now: Timestamp,
        ids: &mut dyn Ids,
        library: &dyn Library,
    ) -> Ruling {
        let envelope = Envelope {
            from: incoming.envelope_from.as_deref(),
            to: incoming.envelope_to.as_deref(),
            oversize: incoming.oversize,
        };
        let limits = Limits {
            bytes: self.settings.bytes,
            ..Limits::default()
        };
        match inbound::read_delivered(&incoming.bytes, &envelope, &limits) {
            Ok(mail) => {
                let fresh = incoming
                    .signed
                    .filter(|_| self.settings.authserv_id.is_none());
                let fresh = fresh.filter(|signed| !library.seen(&signed.key, now - KNOWN));
                let mail = match fresh {
                    Some(_) => mail.signed_by_its_domain(),
                    None => mail,
                };
                let mut ruling = self.handle(&mail, now, ids, library);
                ruling.seen.extend(fresh.map(|signed| signed.key));
                ruling
            }
            Err(unusable) => self.unusable(&unusable, now, ids, library),
        }
    }

    /// Handles a message that cannot be parsed: it is set aside for the keeper, or answered with one sentence.
    fn unusable(
        &self,
        unusable: &Unusable,
        now: Timestamp,
        ids: &mut dyn Ids,
        library: &dyn Library,
    ) -> Ruling {
        let mut work = Work::new(self, now, ids, library);
        let why = unusable.reason.to_string();
        if let Some(mail) = &unusable.mail {
            work.ruling.seen = keys(mail);
            if seen(library, &work.ruling.seen, true, now) {
                return repeated(now);
            }
            let arrived_by = sign_on::arrived_by(self, mail, now);
            work.proven_by(&arrived_by);
            work.written_by(self.writer(mail, &arrived_by), mail);
        }
        if unusable.reason.treatment() == Treatment::Answer
            && let Some(mail) = &unusable.mail
            && let Some(sentence) = unusable.reason.sentence()
            && let Some(writer) = &work.writer
            && self.answering(mail, writer, now) == Answering::Full
            && self.answering_empty(writer, now) == Answering::Full
        {
            work.count(CountKind::EmptyReply, work.account(), 1);
            let to = mail.answer_to().key();
            if let Some(text) = outbound::stranger_notice(
                &self.templates,
                &self.settings.name,
                "Your mail",
                sentence,
            )
            .or_logged()
            {
                work.send_without_game(&to, text, MailClass::Answer);
            }
            work.ruling
                .notes
                .push(format!("a mail was answered unread: {why}"));
        } else {
            work.ruling.verdict = Verdict::Rejected(why);
        }
        work.finish()
    }

    fn handle(
        &self,
        mail: &InboundMail,
        now: Timestamp,
        ids: &mut dyn Ids,
        library: &dyn Library,
    ) -> Ruling {
        let arrived_by = sign_on::arrived_by(self, mail, now);
        let typed = self.typed_into_calendar(mail, &arrived_by, now, ids, library);
        let mail = typed.as_ref().unwrap_or(mail);
        let marked = pasted::marked(self, mail, &arrived_by);
        let mail = marked.as_ref().unwrap_or(mail);
        let keys = match &arrived_by {
            ArrivedBy::Relay(relay) => relay.keys(keys(mail)),
            _ => keys(mail),
        };
        let speaks = matches!(arrived_by, ArrivedBy::Relay(_)) || speaks_to_others(mail);
        if seen(library, &keys, speaks, now) {
            return repeated(now);
        }
        let mut work = Work::new(self, now, ids, library);
        work.ruling.seen = keys;
        if self.is_blocked(mail, &arrived_by) {
            let note = "a mail from a blocked address was not read".to_owned();
            work.ruling.notes.push(note);
            return work.finish();
        }
        let writer = self.writer(mail, &arrived_by);
        work.answered = AnsweredMail {
            from: mail.from.key(),
            to: mail.answer_to().key(),
            message_id: mail.message_id.clone(),
            references: mail.answer_references(),
            words: words(mail),
        };
        work.proven_by(&arrived_by);
        work.written_by(writer.clone(), mail);
        match &mail.kind {
            MailKind::Ordinary => {
                let from = mail.from.key();
                missed::tell(&mut work, &from);
                work.returns.heard.insert(from);
            }
            MailKind::Bounce(report) => {
                let failed = report
                    .recipients
                    .iter()
                    .filter(|recipient| recipient.is_failure())
                    .count();
                work.ruling
                    .notes
                    .push(format!("a bounce came back: {failed} recipient(s) failed"));
                bounces::note(&mut work, mail, report);
                return work.finish();
            }
            MailKind::AutoSubmitted { .. } => {
                let note = "an automatic answer was not read".to_owned();
                work.ruling.notes.push(note);
                return work.finish();
            }
            MailKind::AbuseReport(report) => {
                unwanted::tell_keeper(&mut work, mail, report);
                let why = "an abuse report: somebody does not want a mail of the judge".to_owned();
                work.ruling.notes.push(why.clone());
                work.ruling.verdict = Verdict::Rejected(why);
                return work.finish();
            }
            MailKind::ReadReceipt => {
                let note = "a receipt was not read".to_owned();
                work.ruling.notes.push(note);
                return work.finish();
            }
            MailKind::CalendarAnswer(_) => {
                let note = "a calendar's answer was not read".to_owned();
                work.ruling.notes.push(note);
                return work.finish();
            }
        }
        let mut answering = self.answering(mail, &writer, now);
        if answering != Answering::Full {
            work.ruling
                .notes
                .push("a mail was read, but not answered".to_owned());
        }
        if matches!(arrived_by, ArrivedBy::Relay(_)) && self.is_automatic(mail) {
            let note =
                "a letter to a relay address was not passed on: no person seems to have sent it";
            work.ruling.notes.push(note.to_owned());
            return work.finish();
        }
        if let ArrivedBy::Linking(request, end) = arrived_by {
            if !self.is_automatic(mail) {
                linking::answered(&mut work, request, end);
            }
            return work.finish();
        }
        let parts = by_game::parts(self, mail, &arrived_by);
        if !parts.is_empty() {
            return read_parts(work, parts, answering == Answering::Full);
        }
        let mut session = Session::new(work, mail);
        session.reply.muted = answering != Answering::Full;
        match arrived_by {
            ArrivedBy::Relay(relay) => letter::handle(&mut session, &relay),
            arrived_by => {
                session.read(arrived_by);
                if answering == Answering::Full && session.is_empty() {
                    session
                        .work
                        .count(CountKind::EmptyReply, writer.account(), 1);
                    answering = self.answering_empty(&writer, now);
                }
                session.reply.muted = answering != Answering::Full;
                session.conclude();
            }
        }
        if let Answering::Paused(why) = answering {
            session.tell_pause(&mail.from.key(), why);
        }
        finish_session(session).finish()
    }
}

/// Handles each part of a mail that is about several games.
fn read_parts(mut work: Work, parts: Vec<GamePart>, answers: bool) -> Ruling {
    for part in parts {
        let mut session = Session::new(work, &part.mail);
        session.reply.muted = !answers;
        session.reply.notes.push(format!(
            "Your mail is about several of your games.  This answers what it says for '{}' alone.",
            part.game
        ));
        session.about = Some(part.game);
        session.read(part.arrived_by);
        session.conclude();
        work = finish_session(session);
    }
    work.finish()
}

/// Ends the work on the game that a mail was about.
fn finish_session<'j>(session: Session<'j, '_>) -> Work<'j> {
    let Session { mut work, open, .. } = session;
    if let Some(mut open) = open {
        finish_game(&mut GameWork::new(&mut work, &mut open));
        work.close(open);
    }
    work
}

impl Judge {
    /// A calendar program's answer, converted to an ordinary mail if a person typed words into it. If the words may be
    /// the program's own, only an order or a sign-on shows that a person wrote them.
    fn typed_into_calendar(
        &self,
        mail: &InboundMail,
        arrived_by: &ArrivedBy,
        now: Timestamp,
        ids: &mut dyn Ids,
        library: &dyn Library,
    ) -> Option<InboundMail> {
        let MailKind::CalendarAnswer(answer) = &mail.kind else {
            return None;
        };
        mail.own_lines().next()?;
        if answer.words == CalendarWords::SenderOrCalendar {
            let mut trial = Session::new(Work::new(self, now, ids, library), mail);
            trial.sign_on_by_token(arrived_by.clone());
            let is_typed = |line: &str| holds_sign_on(line) || trial.is_meant_as_order(line);
            if !mail
                .own_lines()
                .map(|line| line.text.as_str())
                .any(is_typed)
            {
                return None;
            }
        }
        let mut typed = mail.clone();
        typed.kind = MailKind::Ordinary;
        Some(typed)
    }
}

impl Judge {
    /// Whether the keeper has blocked the sender of a mail, or the person whose seat it reaches.
    fn is_blocked(&self, mail: &InboundMail, arrived_by: &ArrivedBy) -> bool {
        let seat = match arrived_by {
            ArrivedBy::Seat(game, seat) => self.game(game).and_then(|game| game.seat(*seat)),
            _ => None,
        };
        self.registry.is_blocked(&mail.from.key())
            || seat.is_some_and(|seat| self.registry.is_blocked(&seat.address))
    }
}

impl Work<'_> {
    /// Notes the address that is proven by the token with which a mail came: the token stood in mails to it alone.
    fn proven_by(&mut self, arrived_by: &ArrivedBy) {
        match arrived_by {
            ArrivedBy::Seat(game, seat) => {
                let game = self.judge.game(game);
                if let Some(seat) = game.and_then(|game| game.seat(*seat)) {
                    self.prove(&seat.address);
                }
            }
            ArrivedBy::Address(_, _, address) => self.prove(address),
            ArrivedBy::Offer(_, offer) => self.prove(&offer.address),
            ArrivedBy::Linking(request, LinkEnd::Old) => self.prove(&request.old),
            ArrivedBy::Linking(request, LinkEnd::New) => self.prove(&request.new),
            ArrivedBy::PlainAddress
            | ArrivedBy::Relay(_)
            | ArrivedBy::Ended(..)
            | ArrivedBy::Stopped(_) => {}
        }
    }
}

/// Does what a mail made due in its game, once its reply is written.
pub(crate) fn finish_game(work: &mut GameWork) {
    if work.open.process_after_reply {
        processing::process(work, &[]);
    }
    for seat in std::mem::take(&mut work.open.close_seats_after) {
        work.emit(Event::SeatChanged {
            seat,
            change: SeatChange::Left,
        });
    }
    if stand_by::is_kept(work) {
        stand_by::fill_vacancies(work);
        ending::one_leader_less(work);
    }
    // There may be duties at once, in a game whose DELAY is zero.
    due::do_duties(work, work.now);
}

/// The keys that identify a message: that of its id and its words, and that of its words alone.
fn keys(mail: &InboundMail) -> Vec<[u8; 32]> {
    // The same id with other words is another mail, since the sender can choose any id.
    let named = mail.message_key().map(|key| {
        let mut hash = Sha256::new();
        hash.update(key);
        hash.update(mail.content_key);
        hash.finalize().into()
    });
    named.into_iter().chain([mail.content_key]).collect()
}

/// All that the sender wrote himself, in lower case; an answer to him may repeat it.
fn words(mail: &InboundMail) -> String {
    let lines = mail.lines.iter().map(|line| line.original.as_str());
    let all: Vec<&str> = lines.chain([mail.subject.as_str()]).collect();
    format!("{}\n{}", mail.from.key(), all.join("\n")).to_lowercase()
}

/// Whether a mail may contain press. The same orders or the same question under another id are intended as a new mail;
/// the same press is a copy (`judge-workflow.md` 7).
fn speaks_to_others(mail: &InboundMail) -> bool {
    mail.lines
        .iter()
        .filter_map(|line| line.text.split_whitespace().next())
        .any(|word| {
            ["press", "broadcast", "postal", "official"]
                .iter()
                .any(|spoken| word.eq_ignore_ascii_case(spoken))
        })
}

fn seen(library: &dyn Library, keys: &[[u8; 32]], spoken: bool, now: Timestamp) -> bool {
    let (words, named) = match keys {
        [named, words] => (words, Some(named)),
        [words] => (words, None),
        _ => return false,
    };
    let same_words = spoken || named.is_none();
    named.is_some_and(|named| library.seen(named, now - KNOWN))
        || (same_words && library.seen(words, now - SAME_WORDS))
}

fn repeated(now: Timestamp) -> Ruling {
    Ruling {
        at: now,
        notes: vec!["a mail that was handled before came again".to_owned()],
        ..Ruling::default()
    }
}
