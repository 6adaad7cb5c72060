//! One unit of work of the judge: a mail handled or a look at the clock. It collects the effects and becomes a
//! `Ruling`. A [`GameWork`] does what concerns a game.

pub(crate) mod acting;
mod attachments;
pub(crate) mod authority;
mod contacts;
mod counting;
pub(crate) mod game_work;
pub(crate) mod keeping;
pub(crate) mod labelling;
pub(crate) mod leak_check;
mod next_step;
pub(crate) mod or_logged;
pub(crate) mod own_sight;
pub(crate) mod pictures;
mod proof;
mod reached;
pub(crate) mod reader_context;
mod recalling;
pub(crate) mod sending;
pub(crate) mod sending_order;

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};

use crate::Judge;
use crate::Registry;
use crate::boundary::{Ids, Library, NewRecord, Ruling};
use crate::links::LinkChange;
use crate::proposals::Proposal;
use crate::rates::{Count, Writer};
use crate::registry;
use crate::registry::{RegistryEvent, RegistryRecord};
use crate::returned::ReturnNews;
use crate::sent_lines::SentMail;
use crate::work::game_work::OpenGame;
use dipjudge_game::planted::{Leak, planted};
use dipjudge_game::{Cause, Event, PersonId, Record, SeatId};
use dipjudge_mails::outbound::Text;
use dipjudge_rules::map::Power;
use dipjudge_view::whole_minute;

pub(crate) use crate::work::game_work::{GameWork, UntoldOverrulings};

/// The class of a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MailClass {
    /// The results of a phase.
    Results,
    /// An answer to a mail.
    Answer,
    /// The start of a game, or the orders stored for a phase that begins: some of it may be for its first reader alone.
    Opening,
    /// An event between phases.
    Notice,
    Press,
    /// That something is due, or still missing.
    Reminder,
}

impl MailClass {
    /// The priority of an answer to an address that has proven nothing: nobody's mail waits for it.
    pub(crate) const UNPROVEN_RANK: u8 = 4;

    /// Its priority in the outbox: the lowest is sent first.
    pub(crate) fn rank(self) -> u8 {
        match self {
            MailClass::Results => 0,
            MailClass::Answer => 1,
            MailClass::Opening | MailClass::Notice | MailClass::Press => 2,
            MailClass::Reminder => 3,
        }
    }

    /// Its name in the log.
    fn name(self) -> &'static str {
        match self {
            MailClass::Results => "results",
            MailClass::Answer => "an answer",
            MailClass::Opening | MailClass::Notice | MailClass::Press => "a notice or press",
            MailClass::Reminder => "a reminder",
        }
    }
}

/// The seat number of recipients without a seat; seats are numbered from one.
const NOBODYS: SeatId = SeatId(0);

/// The recipient of something about a game, and the role in which he reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Recipient {
    pub seat: SeatId,
    /// The power as whose leader he reads it.
    pub power: Option<Power>,
    /// Whether he reads names of people where others in that role read addresses: for the copy without addresses.
    pub by_name: bool,
}

impl Recipient {
    /// A recipient without a seat who reads as any observer does.
    pub(crate) const ANY_OBSERVER: Recipient = Recipient::new(NOBODYS, None);

    /// The person at a seat, as the leader of this power.
    pub(crate) const fn new(seat: SeatId, power: Option<Power>) -> Recipient {
        Recipient {
            seat,
            power,
            by_name: false,
        }
    }

    /// A later leader of a power: a recipient without a seat, to whom nothing is sent and for whom it is archived.
    pub(crate) fn later_leader(power: Power) -> Recipient {
        Recipient::new(NOBODYS, Some(power))
    }

    /// The same reader, who reads names instead of addresses.
    pub(crate) fn by_name(self) -> Recipient {
        Recipient {
            by_name: true,
            ..self
        }
    }

    /// Whether this is the recipient without a seat who reads as any observer does.
    pub(crate) fn is_any_observer(self) -> bool {
        self.is_nobodys() && self.power.is_none()
    }

    /// Whether nobody receives what is sent to this recipient.
    pub(crate) fn is_nobodys(self) -> bool {
        self.seat == NOBODYS
    }
}

/// The mail being answered: the data that an answer to its sender refers to.
#[derive(Clone, Debug, Default)]
pub(crate) struct AnsweredMail {
    /// Its sender, as a normalized address.
    pub from: String,
    /// The address at which a sender is answered who has not signed on, normalized.
    pub to: String,
    pub message_id: Option<String>,
    /// The ids of its thread, with its own last.
    pub references: Vec<String>,
    /// All that its sender wrote, in lower case.
    pub words: String,
}

pub(crate) struct Work<'j> {
    /// The judge as it was when the unit of work began.
    pub judge: &'j Judge,
    pub now: Timestamp,
    /// The date of the mails: when the mail in hand arrived, or when the duty that is done fell due.
    pub date: Timestamp,
    pub ids: &'j mut dyn Ids,
    pub library: &'j dyn Library,
    /// The register in its present state.
    pub registry: Registry,
    /// The records of the games that have been closed again.
    finished: Vec<NewRecord>,
    registry_events: Vec<RegistryEvent>,
    /// The effects so far.
    pub ruling: Ruling,
    /// The mail being answered.
    pub answered: AnsweredMail,
    /// Whether the keeper was told that something was taken out of a mail.
    pub keeper_told: bool,
    /// The writer of the mail, as far as proven.
    pub writer: Option<Writer>,
    /// The counts so far.
    pub(crate) counts: Vec<Count>,
    /// The addresses that this mail has proven.
    proven: BTreeSet<String>,
    /// The addresses from which mail has come, or has come back.
    pub(crate) returns: ReturnNews,
    /// What this mail changes of requests that two addresses be one person's.
    pub(crate) links: Vec<LinkChange>,
    /// Whether an answer was not sent, since its reader has proven nothing.
    pub(crate) withheld: bool,
    /// The proposals that were made or ended so far, by the ids of their mails.
    pub(crate) proposals: BTreeMap<String, Proposal>,
    /// The lines of the mails to seats so far, by the ids of the mails.
    pub(crate) sent_lines: BTreeMap<String, SentMail>,
    /// For an act of the keeper: what his seat is answered, which goes to his terminal. `None` for mails and the clock.
    keeper: Option<Vec<String>>,
}

impl<'j> Work<'j> {
    /// Whether nothing was done so far beside the changes of the game in hand: no mail is sent, and no register or other game changed.
    pub(crate) fn has_done_nothing(&self) -> bool {
        self.ruling.mails.is_empty() && self.registry_events.is_empty() && self.finished.is_empty()
    }

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
            proven: BTreeSet::new(),
            returns: ReturnNews::default(),
            links: Vec::new(),
            withheld: false,
            proposals: BTreeMap::new(),
            sent_lines: BTreeMap::new(),
            keeper: None,
        };
        if work.registry.secret().is_none() {
            let secret = dipjudge_game::Seed::new(work.ids.seed());
            work.register(RegistryEvent::Secret { secret });
        }
        work
    }

    /// A unit of work for an act of the keeper.
    pub(crate) fn for_keeper(
        judge: &'j Judge,
        now: Timestamp,
        ids: &'j mut dyn Ids,
        library: &'j dyn Library,
    ) -> Work<'j> {
        Work {
            keeper: Some(Vec::new()),
            ..Work::new(judge, now, ids, library)
        }
    }

    /// What the keeper's seat was answered.
    pub(crate) fn said_to_keeper(&self) -> String {
        self.keeper.clone().unwrap_or_default().join("\n")
    }

    /// Applies an event to the register and records it.
    pub(crate) fn register(&mut self, event: RegistryEvent) {
        self.registry.apply(&event);
        self.registry_events.push(event);
    }

    /// Whether somebody at this seat is the keeper, who is answered at his terminal. Takes down what an answer says.
    pub(crate) fn tells_keeper(&mut self, person: PersonId, class: MailClass, text: &Text) -> bool {
        let Some(said) = self.keeper.as_mut().filter(|_| person == PersonId::KEEPER) else {
            return false;
        };
        if class == MailClass::Answer {
            said.push(text.body());
        }
        true
    }

    /// Closes the game in hand: its events become a record.
    pub(crate) fn close(&mut self, open: OpenGame) {
        let log = open.edit.game.name.clone();
        self.close_as(open, &log);
    }

    /// Like [`Work::close`], for a game whose log has another name than the game has now.
    pub(crate) fn close_as(&mut self, open: OpenGame, log: &str) {
        let cause = if self.keeper.is_some() {
            Cause::Keeper
        } else if self.ruling.seen.is_empty() {
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
                log: log.to_owned(),
                json,
            }),
            Err(error) => self.ruling.notes.push(format!(
                "a record of {} cannot be written: {error}",
                edit.game.name
            )),
        }
    }

    /// Returns the ruling, once no game is in hand.
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
        self.ruling.memos = self.judge.rates.changes(&self.counts, self.now);
        let proposals = self.judge.proposals.changes(&self.proposals, self.now);
        self.ruling.memos.extend(proposals);
        let sent = self.judge.sent_lines.changes(&self.sent_lines, self.now);
        self.ruling.memos.extend(sent);
        let proven = self.judge.proven.changes(&self.proven, self.now);
        self.ruling.memos.extend(proven);
        let returned = self.judge.returned.changes(&self.returns, self.now);
        self.ruling.memos.extend(returned);
        let links = self.judge.links.changes(&self.links, self.now);
        self.ruling.memos.extend(links);
        self.ruling
    }

    /// The number of events so far in the register and in games that have been closed.
    pub(crate) fn happenings(&self) -> usize {
        self.finished.len() + self.registry_events.len()
    }

    /// Sets the date of mails to this due time if it is recent, otherwise to the present minute. A mail with a date
    /// some days ago is sorted below read mails, and looks like spam.
    pub(crate) fn dated_as_due(&mut self, due: Timestamp) {
        let soon = self.now.duration_since(due) <= SOON;
        self.date = date_of(if soon { due.min(self.now) } else { self.now });
    }

    /// Sets the date of mails to the present again.
    pub(crate) fn dated_now(&mut self) {
        self.date = date_of(self.now);
    }
}

/// The time after a due time within which mails have the due time as their date (README, Decided 34).
const SOON: SignedDuration = SignedDuration::from_mins(10);

/// The date of a mail or of an entry of HISTORY.
fn date_of(at: Timestamp) -> Timestamp {
    if planted(Leak::Clock) {
        at
    } else {
        whole_minute(at)
    }
}
