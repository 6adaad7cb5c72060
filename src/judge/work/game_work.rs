//! The part of a unit of work that concerns one game: what happens to it, and who of those in it is told.

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
use dipjudge_game::overrule::Overrulings;
use dipjudge_game::{
    Event, Game, GameEdit, Role, Seat, SeatChange, SeatId, Secrecy, Variant, VariantGame, project,
};
use dipjudge_mails::outbound::{self, Block, Document, Templates, Text};
use dipjudge_rules::map::Power;
use dipjudge_variants as variants;
use dipjudge_view::Heading;

/// A game that a unit of work has in hand, with all of the work that concerns this game alone.
pub(crate) struct OpenGame {
    /// A working copy, and what happened to it.
    pub edit: GameEdit<'static>,
    /// Whose doing this is.
    pub actor: Option<SeatId>,
    /// A master acts as the power in hand: BECOME.
    pub acts_as_power: bool,
    /// A master sent PROCESS: to be done once his reply is written.
    pub process_after_reply: bool,
    /// Who resigned or was ejected: he reads of it, then gets nothing more.
    pub close_seats_after: Vec<SeatId>,
    /// What this mail has overruled, of which nobody has been told yet.
    pub overruled: Option<UntoldOverrulings>,
    /// Lines that powers had stored for the phase that has begun: each may be repeated to its owner.
    pub came_into_force: Vec<(Power, String)>,
    /// The sight by which the last line was considered.
    pub(super) sight: Option<OwnSight>,
    notices: Vec<Notice>,
    /// What any observer is told of it, and who reads that in HISTORY.
    observed: Option<(Notice, Readership)>,
}

/// What a mail has overruled, of which nobody has been told yet.
pub(crate) struct UntoldOverrulings {
    /// The master.
    pub by: Acting,
    pub what: Overrulings,
}

/// What one recipient will be told of this mail.
struct Notice {
    to: Recipient,
    /// As the game was when it happened.
    heading: Heading,
    tail: String,
    /// What its reader might know when it was written has passed.
    told: Vec<Block>,
    /// Whether a map comes with it.
    shows_board: bool,
    /// Of what is kept for HISTORY: the same for who is told no addresses.
    by_name: Option<Box<Notice>>,
}

impl Notice {
    /// Tells of something that happened later, too: under its subject, and as the game was then.
    fn go_on(&mut self, later: Notice) {
        self.heading = later.heading;
        self.tail = later.tail;
        self.told.extend(later.told);
        self.shows_board |= later.shows_board;
        if let (Some(by_name), Some(later)) = (&mut self.by_name, later.by_name) {
            by_name.go_on(*later);
        }
    }
}

impl OpenGame {
    /// Takes a game in hand.
    pub(crate) fn of(game: &Game, now: Timestamp) -> OpenGame {
        OpenGame {
            edit: GameEdit::of(game, variants::of(&game.variant), now),
            actor: None,
            acts_as_power: false,
            process_after_reply: false,
            close_seats_after: Vec::new(),
            overruled: None,
            came_into_force: Vec::new(),
            sight: None,
            notices: Vec::new(),
            observed: None,
        }
    }

    /// How often something has happened so far to the game; what answers to one question may depend on. That a thread of
    /// mails begins, or a reader is given a label, is no such thing.
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

/// A unit of work with the game that it has in hand. It is the unit of work as well, so that acts of a game count, look up
/// and register as all others do.
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
    /// A unit of work with a game that it has in hand.
    pub(crate) fn new(work: &'w mut Work<'j>, open: &'w mut OpenGame) -> GameWork<'w, 'j> {
        GameWork { work, open }
    }

    /// The game as it now is.
    pub(crate) fn game(&self) -> &Game {
        &self.open.edit.game
    }

    /// Its variant.
    pub(crate) fn variant(&self) -> &'static dyn Variant {
        self.open.edit.variant
    }

    /// The game as it now is, with its variant.
    pub(crate) fn variant_game(&self) -> VariantGame<'_> {
        self.open.edit.variant_game()
    }

    /// Something happens to the game.
    pub(crate) fn emit(&mut self, event: Event) {
        let changes_variant = matches!(event, Event::Variant { .. });
        let leaders = contacts::leaders(self);
        self.open.edit.emit(event);
        contacts::tell_of_others_than(self, &leaders);
        // What follows in the same mail, even the start, goes by the new rules.
        if changes_variant {
            self.open.edit.variant = variants::of(&self.open.edit.game.variant);
        }
    }

    // Who is told ------------------------------------------------------------

    /// Everybody in the game in hand: masters, powers, observers. Whoever leads several powers is there once for each, and
    /// where each power has a history of its own, whoever will lead those that nobody leads. In which order they are sent
    /// to is said by [`Work::in_order_of_sending`].
    pub(crate) fn everyone(&self) -> Vec<Recipient> {
        let game = self.game();
        let plain = |seat: &Seat| Recipient::new(seat.id, None);
        let mut all: Vec<Recipient> = game.seated(Role::Master).map(plain).collect();
        if game.begun() {
            let hidden = self.hides();
            // The fallen of a game whose board is hidden hear no more of it until the end.
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

    /// Those who stand by in the game in hand: while it runs nothing is sent to them that is for everybody.
    pub(crate) fn those_who_stand_by(&self) -> Vec<Recipient> {
        let seats = self.game().stand_by.iter();
        let plain = |seat: &SeatId| Recipient::new(*seat, None);
        seats.map(plain).collect()
    }

    /// Whether parts of the board of the game in hand are hidden from some of its readers.
    pub(crate) fn hides(&self) -> bool {
        self.variant_game().hides_board()
    }

    /// What the game in hand hides by its rules, also once it is over.
    pub(crate) fn secrecy(&self) -> Secrecy {
        self.variant_game().secrecy()
    }

    /// Whether the game in hand keeps something from its masters that its players submit.
    pub(crate) fn keeps_from_masters(&self) -> bool {
        self.variant_game().keeps_from_masters()
    }

    /// Whether a recipient is a master.
    pub(crate) fn is_master(&self, to: Recipient) -> bool {
        self.game()
            .seat(to.seat)
            .is_some_and(|seat| seat.role == Role::Master)
    }

    /// The recipient who leads a power.
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

    /// The reader that a recipient is: nobody's seat reads as whoever will lead the power, or as an observer.
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

    /// The words of mails about the game in hand.
    pub(crate) fn templates(&self) -> Templates {
        self.judge.templates_of(self.variant())
    }

    // Sending ------------------------------------------------------------------

    /// Adds lines to the notice of this mail: whatever concerns others is collected into one mail to each, whose subject
    /// names the last thing that happened (`judge-workflow.md` 0). The actor reads it in his reply, unless he is a master.
    pub(crate) fn tell_others<T: Into<Document>>(
        &mut self,
        actor: Option<SeatId>,
        tail: &str,
        write: impl Fn(&GameWork, Recipient) -> Option<T>,
    ) {
        self.tell_each(actor, |_, _| Some(tail.to_owned()), write);
    }

    /// The same, where the subject too depends on the reader.
    pub(crate) fn tell_each<T: Into<Document>>(
        &mut self,
        actor: Option<SeatId>,
        tail: impl Fn(&GameWork, Recipient) -> Option<String>,
        write: impl Fn(&GameWork, Recipient) -> Option<T>,
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
            // A reader who is told nothing gets no labels now: their order would tell when others were told.
            named.retain(|to| write(self, *to).is_some() && tail(self, *to).is_some());
        }
        self.give_labels(&named);
        for to in others {
            let Some(notice) = self.noticed(to, &tail, &write) else {
                continue;
            };
            let notices = &mut self.open.notices;
            match notices.iter_mut().find(|notice| notice.to == to) {
                Some(before) => before.go_on(notice),
                None => notices.push(notice),
            }
        }
        if let Some(notice) = self.noticed(Recipient::ANY_OBSERVER, &tail, &write) {
            let readers = self.readers_of_all();
            match &mut self.open.observed {
                Some((before, _)) => before.go_on(notice),
                observed => *observed = Some((notice, readers)),
            }
        }
    }

    /// The notices that these are to get come with a map of the board, as each sees it when they are sent.
    pub(crate) fn show_board(&mut self, whom: impl Fn(&GameWork, Recipient) -> bool) {
        let mut notices = std::mem::take(&mut self.open.notices);
        for notice in &mut notices {
            notice.shows_board |= whom(self, notice.to);
        }
        self.open.notices = notices;
    }

    /// What a recipient is told under which subject; what is kept for HISTORY, by name too.
    fn noticed<T: Into<Document>>(
        &self,
        to: Recipient,
        tail: &impl Fn(&GameWork, Recipient) -> Option<String>,
        write: &impl Fn(&GameWork, Recipient) -> Option<T>,
    ) -> Option<Notice> {
        let Document(told) = write(self, to)?.into();
        let kept_twice = to.is_nobodys() && !to.by_name;
        let by_name = kept_twice.then(|| self.noticed(to.by_name(), tail, write));
        Some(Notice {
            to,
            heading: self.heading(to),
            tail: tail(self, to)?,
            told: self.passed_parts(to, told),
            shows_board: false,
            by_name: by_name.flatten().map(Box::new),
        })
    }

    /// The same parts: those that their reader may know now have passed.
    fn passed_parts(&self, to: Recipient, told: Vec<Block>) -> Vec<Block> {
        let looked_at = told.into_iter().map(|part| {
            if leak_check::may_say_in_game(self, to, &part.all_words()) {
                Block::Checked(vec![part])
            } else {
                part
            }
        });
        looked_at.collect()
    }

    /// Sends what was collected so far, in the order of every broadcast.
    pub(crate) fn send_notices(&mut self) {
        let mut notices = std::mem::take(&mut self.open.notices);
        // A master reads what he did himself only beside others who read it. A player's notices come whoever reads beside
        // him: else a missing one would tell who is there.
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
            if notice.shows_board {
                text = self.with_board(notice.to, text);
            }
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
        let written = outbound::notice(
            &self.templates(),
            &notice.heading,
            &notice.tail,
            notice.told.clone(),
        );
        written.or_logged()
    }

    /// Whether an address is that of a seat, or another of the same person.
    pub(crate) fn lives_at(&self, seat: SeatId, address: &str) -> bool {
        let Some(seat) = self.game().seat(seat) else {
            return false;
        };
        let person = self.registry.by_address(address);
        seat.address == address || person.is_some_and(|person| person.id == seat.person)
    }

    /// What the person at a seat is called to a recipient: the address, or the name to who is told no addresses, as far as he
    /// may know it.
    pub(crate) fn person_for(&self, to: Recipient, seat: SeatId) -> Option<String> {
        let (game, name) = (self.game(), self.name_of(seat));
        let (reader, seat) = (self.reader(to), game.seat(seat)?);
        Some(
            VariantGame::new(game, self.variant())
                .read_by(&reader)
                .called(seat, &name),
        )
    }

    /// The name of the person at a seat.
    pub(crate) fn name_of(&self, seat: SeatId) -> String {
        let seat = self.game().seat(seat);
        let person = seat.and_then(|seat| self.registry.person(seat.person));
        person.map_or_else(String::new, |person| person.name.clone())
    }
}
