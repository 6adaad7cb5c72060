//! The part of a unit of work that concerns one game: its events, and the notices to the people in it.

use std::ops::{Deref, DerefMut};

use jiff::Timestamp;

use crate::boundary::Readership;
use crate::work::acting::Acting;
use crate::work::contacts;
use crate::work::keeping::HistoryKind;
use crate::work::leak_check;
use crate::work::or_logged::OrLogged;
use crate::work::own_sight::OwnSight;
use crate::work::{MailClass, Recipient, Work};
use dipjudge_game::flows::{given, written_for};
use dipjudge_game::overrule::Overrulings;
use dipjudge_game::{
    Event, Game, GameEdit, PersonId, Role, Seat, SeatChange, SeatId, Secrecy, Variant, VariantGame,
    project,
};
use dipjudge_mails::outbound::{self, Block, Document, Templates, Text};
use dipjudge_rules::map::Power;
use dipjudge_variants as variants;
use dipjudge_view::Heading;

/// A game that a unit of work has in hand, with all of the work that concerns this game alone.
pub(crate) struct OpenGame {
    /// The working copy, with its events.
    pub edit: GameEdit<'static>,
    /// The seat of the person who acts.
    pub actor: Option<SeatId>,
    /// Whether a master acts as the power in hand (BECOME).
    pub acts_as_power: bool,
    /// Whether a master sent PROCESS, which is executed once his reply is written.
    pub process_after_reply: bool,
    /// The seats of people who resigned or were ejected: they are told, then receive nothing more.
    pub close_seats_after: Vec<SeatId>,
    /// What this mail has overruled and nobody has been told yet.
    pub overruled: Option<UntoldOverrulings>,
    /// Lines that powers had stored for the phase that has begun: each may be repeated to its owner.
    pub came_into_force: Vec<(Power, String)>,
    /// Whether the mail has changed the clock of deadlines to come, so that its answer shows the parameters.
    pub timing_changed: bool,
    /// The sight that was used for the last line.
    pub(super) sight: Option<OwnSight>,
    notices: Vec<Notice>,
    /// The notice for any observer, and who reads it in HISTORY.
    observed: Option<(Notice, Readership)>,
}

/// What a mail has overruled and nobody has been told yet.
pub(crate) struct UntoldOverrulings {
    /// The master who overruled it.
    pub by: Acting,
    pub what: Overrulings,
}

/// The notice to one recipient about this mail.
struct Notice {
    to: Recipient,
    /// The heading, with the state of the game when the last event in it happened.
    heading: Heading,
    tail: String,
    /// The parts. Those that the reader could know when they were written are wrapped in `Checked`.
    told: Vec<Block>,
    /// Whether the block of parameters stands at the end, as it is when the notice is sent.
    parameters: bool,
    /// The map that is attached.
    map: NoticeMap,
    /// For a notice that is archived for HISTORY: the same for readers who may not read addresses.
    by_name: Option<Box<Notice>>,
}

/// The map that comes with a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NoticeMap {
    None,
    /// The board as its reader sees it.
    Own,
    /// What this power sees, which has given it to the reader.
    Given(Power),
}

impl Notice {
    /// Adds a later notice to this one, and takes over its subject and heading.
    fn go_on(&mut self, later: Notice) {
        self.heading = later.heading;
        self.tail = later.tail;
        self.told.extend(later.told);
        self.parameters |= later.parameters;
        if self.map == NoticeMap::None {
            self.map = later.map;
        }
        if let (Some(by_name), Some(later)) = (&mut self.by_name, later.by_name) {
            by_name.go_on(*later);
        }
    }

    fn with_parameters(self) -> Notice {
        let by_name = self.by_name.map(|notice| notice.with_parameters());
        Notice {
            parameters: true,
            by_name: by_name.map(Box::new),
            ..self
        }
    }
}

impl OpenGame {
    /// Opens a game.
    pub(crate) fn of(game: &Game, now: Timestamp) -> OpenGame {
        OpenGame {
            edit: GameEdit::of(game, variants::of(&game.variant), now),
            actor: None,
            acts_as_power: false,
            process_after_reply: false,
            close_seats_after: Vec::new(),
            overruled: None,
            came_into_force: Vec::new(),
            timing_changed: false,
            sight: None,
            notices: Vec::new(),
            observed: None,
        }
    }

    /// The number of events of the game so far on which the answer to a question may depend. The start of a mail thread
    /// and a new label of a reader are not counted.
    pub(crate) fn happenings(&self) -> usize {
        let of_mails = |event: &&Event| match event {
            Event::SeatChanged { change, .. } => matches!(change, SeatChange::Thread(_)),
            Event::Labelled(_) => true,
            _ => false,
        };
        let events = self.edit.events.iter();
        events.filter(|event| !of_mails(event)).count()
    }
}

/// A unit of work with the game that it has in hand. It dereferences to the unit of work, so that actions of a game can
/// count, look up and register like all others.
pub(crate) struct GameWork<'w, 'j> {
    work: &'w mut Work<'j>,
    /// The game in hand.
    pub open: &'w mut OpenGame,
}

impl<'j> Deref for GameWork<'_, 'j> {
    type Target = Work<'j>;

    fn deref(&self) -> &Work<'j> {
        self.work
    }
}

impl<'j> DerefMut for GameWork<'_, 'j> {
    fn deref_mut(&mut self) -> &mut Work<'j> {
        self.work
    }
}

impl<'w, 'j> GameWork<'w, 'j> {
    pub(crate) fn new(work: &'w mut Work<'j>, open: &'w mut OpenGame) -> GameWork<'w, 'j> {
        GameWork { work, open }
    }

    /// The game in its present state.
    pub(crate) fn game(&self) -> &Game {
        &self.open.edit.game
    }

    pub(crate) fn variant(&self) -> &'static dyn Variant {
        self.open.edit.variant
    }

    /// The game in its present state, with its variant.
    pub(crate) fn variant_game(&self) -> VariantGame<'_> {
        self.open.edit.variant_game()
    }

    /// Applies an event to the game and records it.
    pub(crate) fn emit(&mut self, event: Event) {
        let changes_variant = matches!(event, Event::Variant { .. });
        let leaders = contacts::leaders(self);
        self.open.edit.emit(event);
        contacts::tell_of_others_than(self, &leaders);
        // Everything that follows in the same mail, even the start, uses the new rules.
        if changes_variant {
            self.open.edit.variant = variants::of(&self.open.edit.game.variant);
        }
    }

    // Who is told ------------------------------------------------------------

    /// Everybody in the game in hand: masters, powers, observers. A leader of several powers is included once for each.
    /// If each power has an archive of its own, the later leaders of vacant powers are included too.
    /// [`Work::in_order_of_sending`] determines the order in which they are sent to.
    pub(crate) fn everyone(&self) -> Vec<Recipient> {
        let game = self.game();
        let plain = |seat: &Seat| Recipient::new(seat.id, None);
        let mut all: Vec<Recipient> = game.seated(Role::Master).map(plain).collect();
        if game.begun() {
            let hidden = self.hides();
            // In a game with a hidden board, eliminated powers receive nothing until the end.
            let hears = |power: &Power| !hidden || self.variant().in_play(game, *power);
            let powers = game.all_powers().filter(hears);
            all.extend(powers.filter_map(|power| self.leader_or_later(power)));
        } else {
            all.extend(game.seated(Role::Player).map(plain));
        }
        all.extend(game.seated(Role::Observer).map(plain));
        if game.over() {
            all.extend(self.those_who_stand_by());
        }
        all
    }

    /// The people on the stand-by list of the game in hand; while it runs, they do not receive what is for everybody.
    pub(crate) fn those_who_stand_by(&self) -> Vec<Recipient> {
        let seats = self.game().stand_by.iter();
        let plain = |seat: &SeatId| Recipient::new(*seat, None);
        seats.map(plain).collect()
    }

    /// Whether parts of the board of the game in hand are hidden from some of its readers.
    pub(crate) fn hides(&self) -> bool {
        self.variant_game().hides_board()
    }

    /// What the game in hand hides by its rules, even once it is over.
    pub(crate) fn secrecy(&self) -> Secrecy {
        self.variant_game().secrecy()
    }

    /// Whether the game in hand keeps submissions of its players from its masters.
    pub(crate) fn keeps_from_masters(&self) -> bool {
        self.variant_game().keeps_from_masters()
    }

    /// Whether a recipient is a master.
    pub(crate) fn is_master(&self, to: Recipient) -> bool {
        self.game()
            .seat(to.seat)
            .is_some_and(|seat| seat.role == Role::Master)
    }

    /// The leader of a power as a recipient.
    pub(crate) fn leader(&self, power: Power) -> Option<Recipient> {
        let seat = self.game().holder(power).filter(|seat| !seat.left)?;
        Some(Recipient::new(seat.id, Some(power)))
    }

    /// The heading of the game in hand for one recipient.
    pub(crate) fn heading(&self, to: Recipient) -> Heading {
        self.variant_game()
            .read_by(&self.reader(to))
            .heading(&self.judge.settings.name)
    }

    /// A mail about the game in a few lines. `tail` ends its subject. Returns `None`, with a line in the log, if the template
    /// cannot be filled.
    pub(crate) fn notice(
        &self,
        to: Recipient,
        tail: &str,
        lines: impl Into<Document>,
    ) -> Option<Text> {
        outbound::notice(&self.templates(), &self.heading(to), tail, lines).or_logged()
    }

    /// The reader that a recipient is. A recipient without a seat reads as the later leader of the power, or as an
    /// observer.
    pub(crate) fn reader(&self, to: Recipient) -> project::Reader {
        let game = self.game();
        let reader = match (game.seat(to.seat), to.power) {
            (Some(seat), power) => project::Reader::of(game, seat, power),
            (None, Some(power)) => project::Reader::later_leader(game, power),
            (None, None) => self.observer(),
        };
        project::Reader {
            by_name: to.by_name,
            ..reader
        }
    }

    /// Any observer, as a reader.
    pub(crate) fn observer(&self) -> project::Reader {
        project::Reader::observer(self.game())
    }

    /// The templates for mails about the game in hand.
    pub(crate) fn templates(&self) -> Templates {
        self.judge.templates_of(self.variant())
    }

    // Sending ------------------------------------------------------------------

    /// Adds lines to the notice about this mail. All that concerns others is collected into one mail to each, whose
    /// subject names the last event (`judge-workflow.md` 0). The acting person reads it in his reply, so he gets no
    /// notice unless he is a master.
    pub(crate) fn tell_others<T: Into<Document>>(
        &mut self,
        actor: Option<SeatId>,
        tail: &str,
        write: impl Fn(&GameWork, Recipient) -> Option<T>,
    ) {
        self.tell_each(actor, |_, _| Some(tail.to_owned()), write);
    }

    /// Like [`GameWork::tell_others`], with a subject that depends on the reader.
    pub(crate) fn tell_each<T: Into<Document>>(
        &mut self,
        actor: Option<SeatId>,
        tail: impl Fn(&GameWork, Recipient) -> Option<String>,
        write: impl Fn(&GameWork, Recipient) -> Option<T>,
    ) {
        self.add_to_notices(actor, |work, to| work.noticed(to, &tail, &write));
    }

    /// Like [`GameWork::tell_each`], of a change to the timing: the notices end with the block of parameters, once.
    pub(crate) fn tell_each_of_timing<T: Into<Document>>(
        &mut self,
        actor: Option<SeatId>,
        tail: impl Fn(&GameWork, Recipient) -> Option<String>,
        write: impl Fn(&GameWork, Recipient) -> Option<T>,
    ) {
        self.add_to_notices(actor, |work, to| {
            let notice = work.noticed(to, &tail, &write)?;
            Some(notice.with_parameters())
        });
    }

    fn add_to_notices(
        &mut self,
        actor: Option<SeatId>,
        noticed: impl Fn(&GameWork, Recipient) -> Option<Notice>,
    ) {
        let others = self
            .everyone()
            .into_iter()
            .filter(|to| Some(to.seat) != actor || self.is_master(*to));
        let others: Vec<Recipient> = others.collect();
        let others = self.with_later_leaders(&others, MailClass::Notice);
        let mut named: Vec<Recipient> = others.clone();
        named.push(Recipient::ANY_OBSERVER);
        if self.variant().own_labels().is_some() {
            // A reader without a notice gets no labels now: the order of his labels would show when others were told
            // something.
            named.retain(|to| noticed(self, *to).is_some());
        }
        self.give_labels(&named);
        for to in others {
            let Some(notice) = noticed(self, to) else {
                continue;
            };
            let notices = &mut self.open.notices;
            match notices.iter_mut().find(|notice| notice.to == to) {
                Some(before) => before.go_on(notice),
                None => notices.push(notice),
            }
        }
        if let Some(notice) = noticed(self, Recipient::ANY_OBSERVER) {
            let readers = self.readers_of_all();
            match &mut self.open.observed {
                Some((before, _)) => before.go_on(notice),
                observed => *observed = Some((notice, readers)),
            }
        }
    }

    /// Attaches a map of the board to the notices of these recipients, as each sees it when the notice is sent.
    pub(crate) fn show_board(&mut self, whom: impl Fn(&GameWork, Recipient) -> bool) {
        let mut notices = std::mem::take(&mut self.open.notices);
        for notice in &mut notices {
            if whom(self, notice.to) {
                notice.map = NoticeMap::Own;
            }
        }
        self.open.notices = notices;
    }

    /// Attaches the map that a power has given to a power, to the notice to its leader. One comes with a mail.
    pub(crate) fn show_given_map(&mut self, of: Power, to: Power) {
        let mut notices = self.open.notices.iter_mut();
        let notice = notices.find(|notice| notice.to.power == Some(to));
        if let Some(notice) = notice.filter(|notice| notice.map == NoticeMap::None) {
            notice.map = NoticeMap::Given(of);
        }
    }

    /// The notice to a recipient, and its version with names if it is archived for HISTORY. `None` if the recipient is
    /// not told.
    fn noticed<T: Into<Document>>(
        &self,
        to: Recipient,
        tail: &impl Fn(&GameWork, Recipient) -> Option<String>,
        write: &impl Fn(&GameWork, Recipient) -> Option<T>,
    ) -> Option<Notice> {
        let reader = self.reader(to).viewer;
        let Document(told) = written_for(reader, || write(self, to))?.into();
        let kept_twice = to.is_nobodys() && !to.by_name;
        let by_name = kept_twice.then(|| self.noticed(to.by_name(), tail, write));
        Some(Notice {
            to,
            heading: self.heading(to),
            tail: tail(self, to)?,
            told: self.mark_passed(to, told),
            parameters: false,
            map: NoticeMap::None,
            by_name: by_name.flatten().map(Box::new),
        })
    }

    /// The block of parameters as LIST shows it; repeated whenever the timing changes.
    pub(crate) fn parameters(&self, to: Recipient) -> Document {
        let reader = self.reader(to).viewer;
        let parameters = self.variant_game().seen_by(reader).parameters();
        let block = outbound::parameter_block(&self.templates(), &parameters).or_logged();
        block.unwrap_or_default()
    }

    /// Wraps the parts that their reader may know now in `Checked`.
    fn mark_passed(&self, to: Recipient, told: Vec<Block>) -> Vec<Block> {
        let looked_at = told.into_iter().map(|part| {
            if leak_check::may_say_in_game(self, to, &part.all_words()) {
                Block::Checked(vec![part])
            } else {
                part
            }
        });
        looked_at.collect()
    }

    /// Sends the collected notices, in the order of every broadcast.
    pub(crate) fn send_notices(&mut self) {
        let mut notices = std::mem::take(&mut self.open.notices);
        // A master reads his own action only if others read of it too. A player's notices are sent whoever else reads
        // them: otherwise a missing notice would show who is in the game.
        let actor = self.open.actor;
        let own = |to: Recipient| Some(to.seat) == actor && self.is_master(to);
        let nobody_else = notices
            .iter()
            .all(|notice| own(notice.to) || notice.to.is_nobodys());
        if nobody_else {
            notices.retain(|notice| notice.to.is_nobodys());
        }
        if notices.is_empty() {
            return;
        }
        let order = self.in_order_of_sending(notices.iter().map(|notice| notice.to).collect());
        notices.sort_by_key(|notice| order.iter().position(|to| *to == notice.to));
        let mut sent: Vec<(SeatId, Vec<String>)> = Vec::new();
        for notice in notices {
            let Some(mut text) = self.notice_text(&notice) else {
                continue;
            };
            self.keep_for_power(notice.to, &text, MailClass::Notice, |work, _| {
                work.notice_text(notice.by_name.as_deref()?)
            });
            let told = notice.told.iter().map(Block::text);
            let read = (notice.to.seat, told.collect());
            if sent.contains(&read) {
                continue;
            }
            text = match notice.map {
                NoticeMap::None => text,
                NoticeMap::Own => self.with_board(notice.to, text),
                NoticeMap::Given(of) => self.with_whole(notice.to, text, |edit, viewer| {
                    let reader = edit.variant_game().seen_by(viewer);
                    given(|| reader.board_given(of, &edit.game))
                }),
            };
            self.send(notice.to, text, MailClass::Notice);
            sent.push(read);
        }
        let observed = self.open.observed.take();
        if let Some((notice, readers)) = observed.filter(|(notice, _)| !notice.told.is_empty())
            && let Some(text) = self.notice_text(&notice)
        {
            let by_name = notice.by_name.as_deref();
            let by_name = by_name.and_then(|notice| self.notice_text(notice));
            self.archive(readers, &text, by_name, HistoryKind::Mailing);
        }
    }

    fn notice_text(&self, notice: &Notice) -> Option<Text> {
        let mut told = notice.told.clone();
        if notice.parameters {
            let Document(parameters) = self.parameters(notice.to);
            told.extend(self.mark_passed(notice.to, parameters));
        }
        let written = outbound::notice(&self.templates(), &notice.heading, &notice.tail, told);
        written.or_logged()
    }

    /// Whether an address is that of a seat, or another address of the same person.
    pub(crate) fn lives_at(&self, seat: SeatId, address: &str) -> bool {
        let Some(seat) = self.game().seat(seat) else {
            return false;
        };
        let person = self.registry.by_address(address);
        seat.address == address || person.is_some_and(|person| person.id == seat.person)
    }

    /// How a recipient reads of the person at a seat: by address, or by name if he may not read addresses; `None` if he
    /// may not know who it is.
    pub(crate) fn person_for(&self, to: Recipient, seat: SeatId) -> Option<String> {
        let (game, name) = (self.game(), self.name_of(seat));
        let (reader, seat) = (self.reader(to), game.seat(seat)?);
        Some(
            VariantGame::new(game, self.variant())
                .read_by(&reader)
                .called(seat, &name),
        )
    }

    /// Like [`GameWork::person_for`], with his name before the address.
    pub(crate) fn introduced_to(&self, to: Recipient, seat: SeatId) -> Option<String> {
        let (game, name) = (self.game(), self.name_of(seat));
        let (reader, seat) = (self.reader(to), game.seat(seat)?);
        let view = VariantGame::new(game, self.variant()).read_by(&reader);
        Some(view.introduced(seat, &name))
    }

    /// The name of the person at a seat.
    pub(crate) fn name_of(&self, seat: SeatId) -> String {
        let seat = self.game().seat(seat);
        if seat.is_some_and(|seat| seat.person == PersonId::KEEPER) {
            return "The keeper".to_owned();
        }
        let person = seat.and_then(|seat| self.registry.person(seat.person));
        person.map_or_else(String::new, |person| person.name.clone())
    }
}
