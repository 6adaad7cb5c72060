//! One unit of work of the judge: a mail handled or a look at the clock. It holds a working copy of the game concerned,
//! collects what follows, and becomes a `Ruling`.

pub(crate) mod acting;
pub(crate) mod authority;
pub(crate) mod leak_check;
pub(crate) mod sending;
pub(crate) mod sending_order;

use jiff::Timestamp;

use crate::game::{
    Cause, Event, Game, GameEdit, Record, Role, Seat, SeatChange, SeatId, Secrecy, horizon,
    keeps_from_masters, project,
};
use crate::judge::Judge;
use crate::judge::Registry;
use crate::judge::boundary::{Archived, Ids, Library, NewRecord, Readership, Ruling};
use crate::judge::rates::{Count, Writer};
use crate::judge::registry;
use crate::judge::registry::{RegistryEvent, RegistryRecord};
use crate::judge::work::sending::OrLogged;
use crate::mails::outbound::{self, Text};
use crate::map::Power;
use crate::planted::{Leak, planted};
use crate::variants;
use crate::view::{Heading, Viewer, whole_minute};

/// How urgent a mail is in the outbox.
pub(crate) const RESULTS: u8 = 0;
/// Answers to mails.
pub(crate) const ANSWERS: u8 = 1;
/// Press and notices.
pub(crate) const NOTICES: u8 = 2;
/// Reminders and other nudges.
pub(crate) const REMINDERS: u8 = 3;

/// To whom something of a game is sent, and as whom that reader reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Recipient {
    /// The seat.
    pub seat: SeatId,
    /// As which of its powers.
    pub power: Option<Power>,
}

impl Recipient {
    /// Nobody's seat, which reads as any observer does.
    pub(crate) const ANY_OBSERVER: Recipient = Recipient {
        seat: SeatId(0),
        power: None,
    };
}

/// The mail that is being answered: what an answer to its sender refers to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answered {
    /// Its sender, as addresses are compared.
    pub from: String,
    /// Where somebody is answered who has not signed on, as addresses are compared.
    pub to: String,
    /// Its id.
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
    /// The time.
    pub now: Timestamp,
    /// The date that mails bear: when the mail in hand was taken in, or when what is done fell due.
    pub date: Timestamp,
    /// Random bytes.
    pub ids: &'j mut dyn Ids,
    /// Look-ups.
    pub library: &'j dyn Library,
    /// The register as it now is.
    pub registry: Registry,
    /// The game concerned, as it now is.
    pub edit: Option<GameEdit<'static>>,
    /// Games that were named so far, each with what happened: finished courses.
    finished: Vec<NewRecord>,
    registry_events: Vec<RegistryEvent>,
    /// What follows so far.
    pub ruling: Ruling,
    /// Whose doing this is.
    pub actor: Option<SeatId>,
    /// The mail in hand.
    pub answered: Answered,
    /// A master acts as the power in hand: BECOME.
    pub acts_as_power: bool,
    /// A master sent PROCESS: to be done once his reply is written.
    pub process_after_reply: bool,
    /// Who resigned or was ejected: he reads of it, then gets nothing more.
    pub close_seats_after: Vec<SeatId>,
    /// The keeper was told that a mail was held back.
    pub keeper_told: bool,
    /// Who wrote the mail in hand, as far as it is proven.
    pub writer: Option<Writer>,
    /// What was counted so far.
    pub(crate) counts: Vec<Count>,
    notices: Vec<Notice>,
    observed_lines: Vec<String>,
    observed_passed: Vec<String>,
    observed_tail: String,
}

/// What one recipient will be told of this mail.
struct Notice {
    to: Recipient,
    /// As the game was when it happened.
    heading: Heading,
    tail: String,
    lines: Vec<String>,
    /// Those of the lines that its reader might know when they were written.
    passed: Vec<String>,
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
            edit: None,
            finished: Vec::new(),
            registry_events: Vec::new(),
            ruling: Ruling {
                at: now,
                ..Ruling::default()
            },
            actor: None,
            answered: Answered::default(),
            acts_as_power: false,
            process_after_reply: false,
            close_seats_after: Vec::new(),
            keeper_told: false,
            writer: None,
            counts: Vec::new(),
            notices: Vec::new(),
            observed_lines: Vec::new(),
            observed_passed: Vec::new(),
            observed_tail: String::new(),
        };
        if work.registry.secret().is_none() {
            let secret = crate::game::Seed::new(work.ids.seed());
            work.register(RegistryEvent::Secret { secret });
        }
        work
    }

    /// Something happens to the register.
    pub(crate) fn register(&mut self, event: RegistryEvent) {
        self.registry.apply(&event);
        self.registry_events.push(event);
    }

    /// Takes a game in hand.
    pub(crate) fn open(&mut self, game: &Game) {
        self.close(Cause::Clock);
        self.edit = Some(GameEdit::of(game, variants::of(&game.variant), self.now));
    }

    /// The game in hand.
    pub(crate) fn game(&self) -> Option<&Game> {
        self.edit.as_ref().map(|edit| &edit.game)
    }

    /// Something happens to the game in hand.
    pub(crate) fn emit(&mut self, event: Event) {
        if let Some(edit) = &mut self.edit {
            edit.emit(event);
        }
    }

    /// Lays the game in hand down: what happened becomes a record.
    pub(crate) fn close(&mut self, cause: Cause) {
        let Some(edit) = self.edit.take() else {
            return;
        };
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

    /// Everything that follows.
    pub(crate) fn finish(mut self) -> Ruling {
        self.count_answers();
        let cause = if self.ruling.seen.is_empty() {
            Cause::Clock
        } else {
            Cause::Mail(self.actor)
        };
        self.close(cause);
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
        self.ruling
    }

    /// How often something has happened so far to the game in hand and to the register; what answers to one question may
    /// depend on. That a thread of mails begins is no such thing.
    pub(crate) fn happenings(&self) -> usize {
        let thread = |event: &&Event| {
            let change = match event {
                Event::SeatChanged { change, .. } => Some(change),
                _ => None,
            };
            matches!(change, Some(SeatChange::Thread(_)))
        };
        let events = self.edit.as_ref().map_or(0, |edit| {
            edit.events.iter().filter(|event| !thread(event)).count()
        });
        events + self.finished.len() + self.registry_events.len()
    }

    /// Mails bear this date from now on, in whole minutes, but never one to come.
    pub(crate) fn dated(&mut self, at: Timestamp) {
        self.date = date_of(at.min(self.now));
    }

    // Who is told ------------------------------------------------------------

    /// Everybody in the game in hand: masters, powers, observers. Whoever leads several powers is there once for each. In
    /// which order they are sent to is said by [`Work::in_order_of_sending`].
    pub(crate) fn everyone(&self) -> Vec<Recipient> {
        let Some(game) = self.game() else {
            return Vec::new();
        };
        let plain = |seat: &Seat| Recipient {
            seat: seat.id,
            power: None,
        };
        let mut all: Vec<Recipient> = game.seated(Role::Master).map(plain).collect();
        if game.begun() {
            let hidden = self.hides();
            let leads = |power: Power| {
                // The fallen of a game whose board is hidden hear no more of it until the end.
                game.holder(power)
                    .filter(|seat| !seat.left && (!hidden || game.survives(power)))
                    .map(|seat| (seat.id, power))
            };
            all.extend(
                game.all_powers()
                    .filter_map(leads)
                    .map(|(seat, power)| Recipient {
                        seat,
                        power: Some(power),
                    }),
            );
        } else {
            all.extend(game.seated(Role::Player).map(plain));
        }
        all.extend(game.seated(Role::Observer).map(plain));
        all
    }

    /// Whether parts of the board of the game in hand are hidden from some of its readers.
    pub(crate) fn hides(&self) -> bool {
        self.edit
            .as_ref()
            .is_some_and(|edit| horizon::hides(&edit.game, edit.variant))
    }

    /// What the game in hand hides by its rules, be it over or not; nothing where there is no game.
    pub(crate) fn secrecy(&self) -> Secrecy {
        self.edit.as_ref().map_or_else(Secrecy::default, |edit| {
            Secrecy::of(&edit.game, edit.variant)
        })
    }

    /// Whether the game in hand keeps something from its masters that its players submit.
    pub(crate) fn keeps_from_masters(&self) -> bool {
        let edit = self.edit.as_ref();
        edit.is_some_and(|edit| keeps_from_masters(&edit.game, edit.variant))
    }

    /// Whether a recipient is a master.
    pub(crate) fn is_master(&self, to: Recipient) -> bool {
        self.game()
            .and_then(|game| game.seat(to.seat))
            .is_some_and(|seat| seat.role == Role::Master)
    }

    /// The recipient who leads a power.
    pub(crate) fn leader(&self, power: Power) -> Option<Recipient> {
        let seat = self.game()?.holder(power).filter(|seat| !seat.left)?;
        Some(Recipient {
            seat: seat.id,
            power: Some(power),
        })
    }

    /// The heading of the game in hand for one recipient.
    pub(crate) fn heading(&self, to: Recipient) -> Option<Heading> {
        let edit = self.edit.as_ref()?;
        Some(project::heading(
            &edit.game,
            edit.variant,
            &self.reader(to)?,
            &self.judge.settings.name,
        ))
    }

    /// The reader that a recipient is: nobody's seat reads as an observer.
    pub(crate) fn reader(&self, to: Recipient) -> Option<project::Reader> {
        let game = self.game()?;
        Some(match game.seat(to.seat) {
            Some(seat) => project::Reader::of(game, seat, to.power),
            None => project::Reader {
                viewer: Viewer::Observer,
                zone: game.zone(),
            },
        })
    }

    // Sending ------------------------------------------------------------------

    /// Adds lines to the notice of this mail: whatever concerns others is collected into one mail to each, whose subject
    /// names the last thing that happened (`judge-workflow.md` 0). The actor reads it in his reply, unless he is a master.
    pub(crate) fn tell_others(
        &mut self,
        actor: Option<SeatId>,
        tail: &str,
        write: impl Fn(&Work, Recipient) -> Option<Vec<String>>,
    ) {
        self.tell_each(actor, |_, _| Some(tail.to_owned()), write);
    }

    /// The same, where the subject too depends on the reader.
    pub(crate) fn tell_each(
        &mut self,
        actor: Option<SeatId>,
        tail: impl Fn(&Work, Recipient) -> Option<String>,
        write: impl Fn(&Work, Recipient) -> Option<Vec<String>>,
    ) {
        let others = self
            .everyone()
            .into_iter()
            .filter(|to| Some(to.seat) != actor || self.is_master(*to));
        for to in others.collect::<Vec<_>>() {
            let (Some(lines), Some(tail)) = (write(self, to), tail(self, to)) else {
                continue;
            };
            let heading = self.heading(to);
            let passed = self.passed_lines(to, &lines);
            match self.notices.iter_mut().find(|notice| notice.to == to) {
                Some(notice) => {
                    if let Some(heading) = heading {
                        notice.heading = heading;
                    }
                    notice.tail = tail;
                    notice.lines.extend(lines);
                    notice.passed.extend(passed);
                }
                None => {
                    let Some(heading) = self.heading(to) else {
                        continue;
                    };
                    self.notices.push(Notice {
                        to,
                        heading,
                        tail,
                        lines,
                        passed,
                    });
                }
            }
        }
        if let (Some(lines), Some(tail)) = (
            write(self, Recipient::ANY_OBSERVER),
            tail(self, Recipient::ANY_OBSERVER),
        ) {
            let passed = self.passed_lines(Recipient::ANY_OBSERVER, &lines);
            self.observed_passed.extend(passed);
            self.observed_lines.extend(lines);
            self.observed_tail = tail;
        }
    }

    /// The lines that their reader may know now, as they will stand in his notice.
    fn passed_lines(&self, to: Recipient, lines: &[String]) -> Vec<String> {
        let passed = lines
            .iter()
            .filter(|line| leak_check::may_say_in_game(self, to, line));
        passed.map(|line| outbound::notice_line(line)).collect()
    }

    /// Sends what was collected so far, in the order of every broadcast.
    pub(crate) fn send_notices(&mut self) {
        let mut notices = std::mem::take(&mut self.notices);
        // A master reads what he did himself only beside others who read it.
        if notices
            .iter()
            .all(|notice| Some(notice.to.seat) == self.actor)
        {
            return;
        }
        let order = self.in_order_of_sending(notices.iter().map(|notice| notice.to).collect());
        notices.sort_by_key(|notice| order.iter().position(|to| *to == notice.to));
        let mut sent: Vec<(SeatId, Vec<String>)> = Vec::new();
        for notice in notices {
            if sent
                .iter()
                .any(|(seat, lines)| *seat == notice.to.seat && *lines == notice.lines)
            {
                continue;
            }
            if let Some(mut text) = outbound::notice(
                &self.judge.templates,
                &notice.heading,
                &notice.tail,
                &notice.lines,
            )
            .or_logged()
            {
                text.passed = notice.passed;
                self.send(notice.to, text, NOTICES);
            }
            sent.push((notice.to.seat, notice.lines));
        }
        let lines = std::mem::take(&mut self.observed_lines);
        let passed = std::mem::take(&mut self.observed_passed);
        if !lines.is_empty()
            && let Some(edit) = &self.edit
        {
            let reader = project::Reader {
                viewer: Viewer::Observer,
                zone: edit.game.zone(),
            };
            let heading =
                project::heading(&edit.game, edit.variant, &reader, &self.judge.settings.name);
            if let Some(mut text) = outbound::notice(
                &self.judge.templates,
                &heading,
                &self.observed_tail.clone(),
                &lines,
            )
            .or_logged()
            {
                text.passed = passed;
                self.archive(&text, false);
            }
        }
    }

    /// Whether an address is that of a seat, or another of the same person.
    pub(crate) fn lives_at(&self, seat: SeatId, address: &str) -> bool {
        let Some(seat) = self.game().and_then(|game| game.seat(seat)) else {
            return false;
        };
        let person = self.registry.by_address(address);
        seat.address == address || person.is_some_and(|person| person.id == seat.person)
    }

    /// The address of a seat as a recipient may know it.
    pub(crate) fn address_for(&self, to: Recipient, seat: SeatId) -> Option<String> {
        let game = self.game()?;
        Some(project::address(game, &self.reader(to)?, game.seat(seat)?))
    }

    /// Keeps what observers got, for HISTORY.
    pub(crate) fn archive(&mut self, text: &Text, broadcast: bool) {
        self.archive_for(Readership::Everyone, text, broadcast);
    }

    /// Keeps what some readers got, where not all read the same.
    pub(crate) fn archive_for(&mut self, readers: Readership, text: &Text, broadcast: bool) {
        let Some(game) = self.game().map(|game| game.name.clone()) else {
            return;
        };
        if let Err(caught) = leak_check::try_archived(self, readers, text) {
            return leak_check::stop(self, caught, "an entry of HISTORY");
        }
        let (subject, body) = (text.subject.clone(), text.body.clone());
        self.ruling.archive.push(Archived {
            game,
            readers,
            // HISTORY shows it, and no finer clock than that of the mails is anybody's.
            at: date_of(self.now),
            subject,
            body,
            broadcast,
        });
    }
}

/// The date that a mail or an entry of HISTORY bears.
fn date_of(at: Timestamp) -> Timestamp {
    match planted(Leak::Clock) {
        true => at,
        false => whole_minute(at),
    }
}
