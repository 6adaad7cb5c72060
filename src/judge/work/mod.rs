//! One unit of work of the judge: a mail handled or a look at the clock. It collects what follows and becomes a `Ruling`.
//! What concerns a game is done by a [`GameWork`].

pub(crate) mod acting;
mod attachments;
pub(crate) mod authority;
mod contacts;
mod counting;
pub(crate) mod game_work;
pub(crate) mod keeping;
pub(crate) mod labelling;
pub(crate) mod leak_check;
pub(crate) mod or_logged;
pub(crate) mod own_sight;
pub(crate) mod pictures;
pub(crate) mod reader_context;
pub(crate) mod sending;
pub(crate) mod sending_order;

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

use crate::Judge;
use crate::Registry;
use crate::boundary::{Ids, Library, NewRecord, Ruling};
use crate::proposals::Proposal;
use crate::rates::{Count, Writer};
use crate::registry;
use crate::registry::{RegistryEvent, RegistryRecord};
use crate::work::game_work::OpenGame;
use dipjudge_game::planted::{Leak, planted};
use dipjudge_game::{Cause, Event, Record, SeatId};
use dipjudge_rules::map::Power;
use dipjudge_view::whole_minute;

pub(crate) use crate::work::game_work::{GameWork, UntoldOverrulings};

/// What a mail is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MailClass {
    /// The results of a phase.
    Results,
    /// An answer to a mail.
    Answer,
    /// The start of a game, or what was stored for a phase that begins: some of it may be for its first reader alone.
    Opening,
    /// Something that happened between phases.
    Notice,
    Press,
    /// That something is due, or still waits.
    Reminder,
}

impl MailClass {
    /// How urgent it is in the outbox: the least goes first.
    pub(crate) fn rank(self) -> u8 {
        match self {
            MailClass::Results => 0,
            MailClass::Answer => 1,
            MailClass::Opening | MailClass::Notice | MailClass::Press => 2,
            MailClass::Reminder => 3,
        }
    }

    /// What it is called in the log.
    fn name(self) -> &'static str {
        match self {
            MailClass::Results => "results",
            MailClass::Answer => "an answer",
            MailClass::Opening | MailClass::Notice | MailClass::Press => "a notice or press",
            MailClass::Reminder => "a reminder",
        }
    }
}

/// The seat of nobody: seats are numbered from one.
const NOBODYS: SeatId = SeatId(0);

/// To whom something of a game is sent, and as whom that reader reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Recipient {
    pub seat: SeatId,
    /// As which of its powers.
    pub power: Option<Power>,
    /// Reads names of people where others of that seat read addresses: the copy for who is told no addresses.
    pub by_name: bool,
}

impl Recipient {
    /// Nobody's seat, which reads as any observer does.
    pub(crate) const ANY_OBSERVER: Recipient = Recipient::new(NOBODYS, None);

    /// Who sits there, as the leader of this power.
    pub(crate) const fn new(seat: SeatId, power: Option<Power>) -> Recipient {
        Recipient {
            seat,
            power,
            by_name: false,
        }
    }

    /// Whoever leads a power later: nobody's seat by now, so he is sent nothing and what he is to read is kept.
    pub(crate) fn later_leader(power: Power) -> Recipient {
        Recipient::new(NOBODYS, Some(power))
    }

    /// The same reader, who is told names and no addresses.
    pub(crate) fn by_name(self) -> Recipient {
        Recipient {
            by_name: true,
            ..self
        }
    }

    /// Whether it is nobody's seat that reads as any observer does.
    pub(crate) fn is_any_observer(self) -> bool {
        self.is_nobodys() && self.power.is_none()
    }

    /// Whether nobody gets what is sent to this recipient.
    pub(crate) fn is_nobodys(self) -> bool {
        self.seat == NOBODYS
    }
}

/// The mail that is being answered: what an answer to its sender refers to.
#[derive(Clone, Debug, Default)]
pub(crate) struct AnsweredMail {
    /// Its sender, as addresses are compared.
    pub from: String,
    /// Where somebody is answered who has not signed on, as addresses are compared.
    pub to: String,
    pub message_id: Option<String>,
    /// The ids of its thread, its own last.
    pub references: Vec<String>,
    /// All that its sender wrote, in small letters.
    pub words: String,
}

/// A unit of work.
pub(crate) struct Work<'j> {
    /// The judge as it was when the unit of work began.
    pub judge: &'j Judge,
    pub now: Timestamp,
    /// The date that mails bear: when the mail in hand was taken in, or when what is done fell due.
    pub date: Timestamp,
    pub ids: &'j mut dyn Ids,
    pub library: &'j dyn Library,
    /// The register as it now is.
    pub registry: Registry,
    /// What has happened to the games that were laid down again.
    finished: Vec<NewRecord>,
    registry_events: Vec<RegistryEvent>,
    /// What follows so far.
    pub ruling: Ruling,
    /// The mail in hand.
    pub answered: AnsweredMail,
    /// The keeper was told that something was taken out of a mail.
    pub keeper_told: bool,
    /// Who wrote the mail in hand, as far as it is proven.
    pub writer: Option<Writer>,
    /// What was counted so far.
    pub(crate) counts: Vec<Count>,
    /// Proposals that were made or ended so far, by the ids of their mails.
    pub(crate) proposals: BTreeMap<String, Proposal>,
}

impl<'j> Work<'j> {
    /// A unit of work at `now`.
    pub(crate) fn new(
        judge: &'j Judge,
        now: Timestamp,
        ids: &'j mut dyn Ids,
        library: &'j dyn Library,
    ) -> Work<'j> {
        let mut work = Work {
            judge,
            now,
            date: date_of(now),
            ids,
            library,
            registry: judge.registry.clone(),
            finished: Vec::new(),
            registry_events: Vec::new(),
            ruling: Ruling {
                at: now,
                ..Ruling::default()
            },
            answered: AnsweredMail::default(),
            keeper_told: false,
            writer: None,
            counts: Vec::new(),
            proposals: BTreeMap::new(),
        };
        if work.registry.secret().is_none() {
            let secret = dipjudge_game::Seed::new(work.ids.seed());
            work.register(RegistryEvent::Secret { secret });
        }
        work
    }

    /// Something happens to the register.
    pub(crate) fn register(&mut self, event: RegistryEvent) {
        self.registry.apply(&event);
        self.registry_events.push(event);
    }

    /// Lays down the game in hand: what happened to it becomes a record.
    pub(crate) fn close(&mut self, open: OpenGame) {
        let cause = if self.ruling.seen.is_empty() {
            Cause::Clock
        } else {
            Cause::Mail(open.actor)
        };
        let edit = open.edit;
        if edit.events.is_empty() {
            return;
        }
        let ended = |event: &Event| matches!(event, Event::Ended { .. });
        if edit.events.iter().any(ended) && self.registry.withholds(&edit.game.name) {
            let game = edit.game.name.clone();
            self.register(RegistryEvent::Settled { game });
        }
        let record = Record {
            v: 1,
            at: self.now,
            cause,
            events: edit.events,
        };
        match serde_json::to_vec(&record) {
            Ok(json) => self.finished.push(NewRecord {
                log: edit.game.name,
                json,
            }),
            Err(error) => self.ruling.notes.push(format!(
                "a record of {} cannot be written: {error}",
                edit.game.name
            )),
        }
    }

    /// Everything that follows, once no game is in hand any more.
    pub(crate) fn finish(mut self) -> Ruling {
        self.count_answers();
        if !self.registry_events.is_empty() {
            let record = RegistryRecord {
                v: 1,
                at: self.now,
                events: self.registry_events,
            };
            match serde_json::to_vec(&record) {
                Ok(json) => self.ruling.records.push(NewRecord {
                    log: registry::LOG.to_owned(),
                    json,
                }),
                Err(error) => self.ruling.notes.push(format!(
                    "a record of the register cannot be written: {error}"
                )),
            }
        }
        self.ruling.records.append(&mut self.finished);
        self.ruling.counts = self.judge.rates.changes(&self.counts, self.now);
        let proposals = self.judge.proposals.changes(&self.proposals, self.now);
        self.ruling.counts.extend(proposals);
        self.ruling
    }

    /// How often something has happened so far to the register and to games that were laid down.
    pub(crate) fn happenings(&self) -> usize {
        self.finished.len() + self.registry_events.len()
    }

    /// Mails bear the date of what falls due at this moment: the moment itself where it is done soon after, else the
    /// minute in which it is done. A mail with a date of days ago is sorted below what is read, and looks like spam.
    pub(crate) fn dated_as_due(&mut self, due: Timestamp) {
        let soon = self.now.duration_since(due) <= SOON;
        self.date = date_of(if soon { due.min(self.now) } else { self.now });
    }

    /// Mails bear the date of now again.
    pub(crate) fn dated_now(&mut self) {
        self.date = date_of(self.now);
    }
}

/// What is done so soon after it fell due bears the date at which it fell due (README, Decided 34).
const SOON: SignedDuration = SignedDuration::from_mins(10);

/// The date that a mail or an entry of HISTORY bears.
fn date_of(at: Timestamp) -> Timestamp {
    if planted(Leak::Clock) {
        at
    } else {
        whole_minute(at)
    }
}
