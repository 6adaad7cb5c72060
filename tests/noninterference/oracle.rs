//! What a reader may know of a run, written down from `visibility.md` and the rules files alone: slow, small, and without
//! a line of `game::project`. The log says what happened; this says who may learn of it.

use std::collections::BTreeMap;
use std::rc::Rc;

use dipjudge::game::{
    Event, Game, Played, Record, Role, SeatChange, SeatId, SettingChange, State, Times,
    VariantGame, apply,
};
use dipjudge::judge::registry;
use dipjudge::map::Power;
use dipjudge::variants;
use dipjudge::view::Viewer;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use super::acquaintance::Acquaintances;
use super::author::Run;
use super::calendar::Calendar;
use super::civilizations::{self, Glimpsed};
use super::fixture::{FORMING, Fixture, GAME, Part};
use super::fog;
use super::letters::{Letter, Line, Sign};
use super::own;
use super::stage::{Kept, Sent, name};

mod among_unmet;

/// Something that a reader may know from a moment on.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    pub at: Timestamp,
    pub what: Rc<str>,
}

/// All that each of the cast may know, in the order of time. Moments are told to the minute: no finer clock is public
/// (`visibility.md` 1, P6).
pub fn observe(run: &Run, kept: &Kept, fixture: &Fixture) -> Vec<Vec<Seen>> {
    let people = fixture.cast.people.iter();
    let mut oracle = Oracle {
        fixture,
        sent: &kept.sent,
        game: None,
        forming: None,
        elsewhere: BTreeMap::new(),
        readers: people
            .map(|person| Reader {
                name: name(&person.address).to_owned(),
                ..Reader::default()
            })
            .collect(),
        told_late: Vec::new(),
        people: Vec::new(),
        story: String::new(),
        forms: String::new(),
        points: String::new(),
        letters: String::new(),
        told: BTreeMap::new(),
        own: BTreeMap::new(),
        views: BTreeMap::new(),
        glimpses: Glimpsed::default(),
        registered: BTreeMap::new(),
        calendar: Calendar::default(),
        writing: None,
    };
    // What was sent at a moment comes before what followed from it.
    let mut letters = run.letters.iter().peekable();
    for (place, record) in kept.records.iter().enumerate() {
        match record.log.as_str() {
            GAME | FORMING => {
                let read: Record = serde_json::from_slice(&record.json).expect("our own record");
                while let Some(letter) = letters.next_if(|letter| letter.at <= read.at) {
                    oracle.letter(letter);
                }
                oracle.record(&record.log, &read);
            }
            registry::LOG => {
                let read: serde_json::Value =
                    serde_json::from_slice(&record.json).expect("our own record");
                let at = read["at"].as_str().and_then(|at| at.parse().ok());
                let at: Timestamp = at.expect("a record bears its hour");
                while let Some(letter) = letters.next_if(|letter| letter.at <= at) {
                    oracle.letter(letter);
                }
                // What a phase brings its players in points is of its hour, and stands before it.
                let next = kept.records.get(place + 1);
                let next = next.filter(|next| next.log == GAME).and_then(|next| {
                    let read: Record = serde_json::from_slice(&next.json).ok()?;
                    (read.at == at).then_some(read)
                });
                let at = next.map_or(at, |next| oracle.hour(&next));
                oracle.register(at, &read);
            }
            other => {
                let read: Record = serde_json::from_slice(&record.json).expect("our own record");
                oracle.record_elsewhere(other, &read);
            }
        }
    }
    letters.for_each(|letter| oracle.letter(letter));
    let seen = oracle.readers.into_iter().map(|reader| {
        let mut seen = reader.seen;
        // What the judge did too early belongs where it had to be.
        seen.sort_by_key(|one| one.at);
        seen
    });
    seen.collect()
}

/// What a reader is to a game at a moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Standing {
    /// The seats that are his.
    pub seats: Vec<SeatId>,
    /// The powers that he leads.
    pub powers: Vec<Power>,
    /// Whether he runs it.
    pub master: bool,
}

/// One of the cast.
#[derive(Default)]
struct Reader {
    /// How his addresses begin, of which he may have several.
    name: String,
    /// His number in the register.
    person: Option<u64>,
    /// What he is to either game.
    standing: Standing,
    waiting: Standing,
    seen: Vec<Seen>,
}

impl Reader {
    fn push(&mut self, at: Timestamp, what: &str) {
        self.share(at, &told(at, what));
    }

    fn share(&mut self, at: Timestamp, what: &Rc<str>) {
        self.seen.push(Seen {
            at,
            what: what.clone(),
        });
    }
}

/// A game before a phase was adjudicated, with what was seen beyond all horizons then and is now.
struct Before<'g> {
    game: &'g Game,
    glimpses: (&'g Glimpsed, &'g Glimpsed),
}

impl Before<'_> {
    /// What is told of the phase to a reader.
    fn lines(
        &self,
        after: &Game,
        played: &Played,
        standing: &Standing,
        fixture: &Fixture,
    ) -> Vec<String> {
        fog::lines(self.game, after, played, standing, fixture, self.glimpses)
    }
}

/// Whoever leads a power, and is nothing else.
fn leading(power: Power) -> Standing {
    Standing {
        powers: vec![power],
        ..Standing::default()
    }
}

fn told(at: Timestamp, what: &str) -> Rc<str> {
    let minute = at.as_second().div_euclid(60);
    format!("{minute}: {what}").into()
}

/// Whether a word of press, written at a moment, was sent to a reader.
fn passed(sent: &[Sent], reader: &Reader, at: Timestamp, word: &str) -> bool {
    let soon = at + SignedDuration::from_mins(1);
    let mut then = sent
        .iter()
        .filter(|mail| name(&mail.to) == reader.name && (at..=soon).contains(&mail.at));
    then.any(|mail| String::from_utf8_lossy(&mail.bytes).contains(word))
}

/// What stands beside the words of a letter to an address that passes letters on: commands may go with them, orders never.
fn along(letter: &Letter) -> impl Iterator<Item = String> {
    let lines = letter.lines.iter();
    let beside = lines.filter(|line| {
        let is_passed_on = matches!(letter.sign, Sign::Relay(_));
        is_passed_on && line.press().is_none() && !line.orders()
    });
    beside.map(Line::text)
}

/// All whom somebody's powers have met.
fn met_by(acquaintances: &Acquaintances, standing: &Standing) -> Vec<Power> {
    let powers = standing.powers.iter();
    powers
        .flat_map(|power| acquaintances.met_by(*power))
        .collect()
}

struct Oracle<'f> {
    fixture: &'f Fixture,
    /// The judge's mails, for what only they can say: whether press passed a rule by which it depends on hidden things.
    sent: &'f [Sent],
    game: Option<Game>,
    forming: Option<Game>,
    /// All other games by their names.
    elsewhere: BTreeMap<String, Game>,
    readers: Vec<Reader>,
    told_late: Vec<Power>,
    /// Numbers and addresses of everybody in the register.
    people: Vec<(u64, String)>,
    /// Everything that was adjudicated, for the day on which it is all open.
    story: String,
    /// What those who play have registered as, for the same day.
    forms: String,
    /// Points that were withheld, for the same day.
    points: String,
    /// Letters that are kept for the same day.
    letters: String,
    /// What each power had submitted for each phase, and in a blind game was told so far: its next leader may read it.
    told: BTreeMap<Power, String>,
    /// Where it is hidden who exists: what each power may know of what the variant keeps, and what it has in sight.
    own: BTreeMap<Power, String>,
    views: BTreeMap<Power, String>,
    /// Units that are seen beyond all horizons.
    glimpses: Glimpsed,
    /// As what those who have addresses have registered.
    registered: BTreeMap<String, String>,
    /// When the phases of the game that is played end.
    calendar: Calendar,
    /// Who wrote last, and when.
    writing: Option<(usize, Timestamp)>,
}

impl Oracle<'_> {
    fn everybody(&mut self, at: Timestamp, what: &str) {
        let what = told(at, what);
        self.readers
            .iter_mut()
            .for_each(|reader| reader.share(at, &what));
    }

    /// Whether who plays is hidden, or anything of the board.
    fn hidden(&self) -> bool {
        self.fixture.options.gunboat || self.fixture.options.blind
    }

    // Letters -------------------------------------------------------------------

    fn letter(&mut self, letter: &Letter) {
        self.writing = Some((letter.from, letter.at));
        // The same bytes in both runs; what counts is when.
        let sent = format!("sends letter {}", letter.id);
        if let Some(author) = self.readers.get_mut(letter.from) {
            author.push(letter.at, &sent);
        }
        if self.fixture.hides_existence() {
            self.shown_map(letter);
            self.acted_for(letter);
            self.hears_of_names(letter);
        }
        for line in &letter.lines {
            let Some(press) = line.press() else { continue };
            let author = self.readers.get(letter.from);
            let author = author.map_or(Standing::default(), |author| author.standing.clone());
            if self.fixture.hides_existence() {
                self.among_strangers(letter, press, &author);
                continue;
            }
            // Where leaders are not hidden a letter names who wrote it, also one who has come to lead his power unseen.
            let writer = self.readers.get(letter.from);
            let writer = writer.filter(|_| !self.fixture.options.gunboat);
            let writer = writer.map_or("somebody", |writer| writer.name.as_str());
            let what = format!(
                "may read the word {} of letter {}, from {writer} as {:?}",
                press.word, letter.id, author.powers
            );
            // A game that takes press from those alone whose orders are in tells by it that they are: so the master has wished.
            // And who has just lost his power, perhaps to a newcomer, can no longer write.
            let conditional = author.seats.is_empty()
                || self
                    .game
                    .as_ref()
                    .is_some_and(|game| game.settings.must_order || !game.settings.late_press);
            let sent = self.sent;
            let arrived = |reader: &Reader| passed(sent, reader, letter.at, &press.word);
            if conditional && press.to.is_none() {
                // What went to all stands in the HISTORY that anybody may ask for. Its author reads it in a refusal, too.
                let others = self.readers.iter().enumerate();
                let mut others = others.filter(|(n, _)| *n != letter.from);
                if others.any(|(_, reader)| arrived(reader)) {
                    self.everybody(letter.at, &what);
                }
                continue;
            }
            let kept = self
                .game
                .as_ref()
                .is_some_and(|game| game.settings.reveal_press);
            let sent_to_somebody = self.readers.iter().any(arrived);
            if kept && press.to.is_some() && sent_to_somebody {
                self.letters.push_str(&what);
            }
            for (n, reader) in self.readers.iter_mut().enumerate() {
                if conditional && !arrived(reader) {
                    continue;
                }
                let standing = &reader.standing;
                let watches = self.game.as_ref().is_some_and(|game| {
                    game.settings.watch_all_press
                        && game.seats.iter().any(|seat| {
                            seat.role == Role::Observer && standing.seats.contains(&seat.id)
                        })
                });
                let reaches = match &press.to {
                    _ if watches => true,
                    None => !standing.seats.is_empty(),
                    Some(list) => {
                        let named = |power: &Power| list.contains(&power.0);
                        standing.master || standing.powers.iter().any(named)
                    }
                };
                if reaches && n != letter.from {
                    reader.push(letter.at, &what);
                    for line in along(letter) {
                        if passed(sent, reader, letter.at, &line) {
                            reader.push(letter.at, &format!("may read with it: {line}"));
                        }
                    }
                }
            }
        }
    }

    // The register ----------------------------------------------------------------

    fn register(&mut self, at: Timestamp, record: &serde_json::Value) {
        let hidden = self.hidden();
        for event in record["events"].as_array().into_iter().flatten() {
            let text = event.to_string();
            match event["event"].as_str().unwrap_or_default() {
                "registered" | "linked" => {
                    let address = event["address"].as_str().unwrap_or_default().to_owned();
                    let number = event["person"].as_u64().unwrap_or_default();
                    for reader in &mut self.readers {
                        if name(&address) == reader.name {
                            reader.person = Some(number);
                        }
                    }
                    self.registered
                        .insert(name(&address).to_owned(), text.clone());
                    self.people.push((number, address));
                    let public = self.is_public(number);
                    let plays = self.plays(number);
                    if plays {
                        self.forms.push_str(&text);
                    }
                    for reader in &mut self.readers {
                        // A master knows who plays in his game.
                        let knows = public || (plays && reader.standing.master);
                        if reader.person == Some(number) || knows {
                            reader.push(at, &text);
                        }
                    }
                }
                // Points follow from who was late: where that is hidden, they are their owner's (L36).
                "due" | "joined" => {
                    let people = event["people"].as_array().cloned().unwrap_or_default();
                    for reader in &mut self.readers {
                        let known = people.iter().filter(|one| {
                            let number = one.as_u64().or_else(|| one[0].as_u64());
                            !hidden || (number.is_some() && number == reader.person)
                        });
                        let known: Vec<String> = known.map(ToString::to_string).collect();
                        if !known.is_empty() {
                            let kind = &event["event"];
                            reader.push(at, &format!("{kind} {}", known.join(" ")));
                        }
                    }
                }
                "dedication" => {
                    let number = event["person"].as_u64();
                    self.points.push_str(&text);
                    for reader in &mut self.readers {
                        if !hidden || (number.is_some() && number == reader.person) {
                            reader.push(at, &text);
                        }
                    }
                }
                "settled" => {
                    let points = std::mem::take(&mut self.points);
                    self.everybody(at, &points);
                }
                _ => {}
            }
        }
    }

    /// Which of the cast has this number.
    fn who(&self, number: u64) -> Option<usize> {
        let people = &self.fixture.cast.people;
        let mut known = self.people.iter().filter(|(known, _)| *known == number);
        known.find_map(|(_, address)| people.iter().position(|one| one.reads(address)))
    }

    /// Whether this person is in the game, or may come to be.
    fn plays(&self, number: u64) -> bool {
        let one = self.who(number);
        one.is_some_and(|one| self.fixture.cast.people[one].part != Part::Stranger)
    }

    fn over(&self) -> bool {
        let game = self.game.as_ref();
        game.is_some_and(|game| matches!(game.state, State::Over(_)))
    }

    /// Whether a master has shown who leads the powers.
    fn lifted(&self) -> bool {
        self.game
            .as_ref()
            .is_some_and(|game| game.settings.was_gunboat)
    }

    /// Whether anybody may learn who this person is: the leaders of an open game are public.
    fn is_public(&self, number: u64) -> bool {
        let people = &self.fixture.cast.people;
        let Some(one) = self.who(number) else {
            return false;
        };
        let players = people.iter().take(one).filter(|p| p.part == Part::Player);
        match people[one].part {
            // Who played is told when it is over.
            Part::Player | Part::Observer if self.over() => true,
            Part::Master | Part::Candidate => true,
            // The second player waits in the forming game, which is open.
            Part::Player if players.count() == 1 => true,
            Part::Player | Part::Observer => !self.fixture.options.gunboat || self.lifted(),
            Part::Stranger | Part::Elsewhere => false,
        }
    }

    // The games -------------------------------------------------------------------

    /// The time at which what a record of the game that is played tells had to happen.
    fn hour(&self, record: &Record) -> Timestamp {
        let game = self.game.as_ref();
        game.map_or(record.at, |game| self.calendar.hour(game, record))
    }

    /// What happens in another game is told to nobody who is not in it. Those who are read its seed at the end.
    fn record_elsewhere(&mut self, log: &str, record: &Record) {
        let before = self.elsewhere.remove(log);
        let was_over = before.as_ref().is_some_and(Game::over);
        let Ok(game) = apply::replay(before, record) else {
            return;
        };
        if game.over() && !was_over {
            let what = told(record.at, &format!("{log}: over: {}", json!(game.seed)));
            let sits = |reader: &&mut Reader| {
                let mut seats = game.seats.iter();
                seats.any(|seat| name(&seat.address) == reader.name)
            };
            let seated = self.readers.iter_mut().filter(sits);
            seated.for_each(|reader| reader.share(record.at, &what));
        }
        self.elsewhere.insert(log.to_owned(), game);
    }

    fn record(&mut self, log: &str, record: &Record) {
        let main = log == GAME;
        let mut moved = false;
        let mut given = false;
        let mut renewed = false;
        let at = if main { self.hour(record) } else { record.at };
        // As it was before somebody's line acted on another.
        let mut untouched: Option<Game> = None;
        for event in &record.events {
            let slot = if main {
                &mut self.game
            } else {
                &mut self.forming
            };
            let before = slot
                .as_ref()
                .filter(|_| matches!(event, Event::Played(_)) && self.fixture.options.blind)
                .cloned();
            // What a power had submitted stands in its saved game of each phase.
            if let (Event::Played(_), true, Some(game)) = (event, main, slot.as_ref()) {
                for (power, standing) in &game.standings {
                    let submitted = json!([standing.orders.submissions, standing.submissions]);
                    let told = self.told.entry(*power).or_default();
                    told.push_str(&submitted.to_string());
                }
            }
            // Postal press is everybody's with the results.
            let postal = slot.as_ref().filter(|_| matches!(event, Event::Played(_)));
            let postal = postal.filter(|game| !game.postal.is_empty());
            if let Some(postal) = postal.map(|game| json!(game.postal).to_string()) {
                self.everybody(at, &format!("{log}: postal press {postal}"));
            }
            let slot = if main {
                &mut self.game
            } else {
                &mut self.forming
            };
            let civilizations = main && self.fixture.is_of_civilizations();
            if civilizations && matches!(event, Event::Board { .. } | Event::Data { .. }) {
                untouched = untouched.or_else(|| slot.clone());
            }
            match slot {
                None => *slot = apply::create(event, record.at).ok(),
                Some(game) => apply::apply(game, at, event),
            }
            let Some(after) = slot.take() else { continue };
            moved |= matches!(
                event,
                Event::Begun { .. }
                    | Event::Played(_)
                    | Event::Owned { .. }
                    | Event::RolledBack { .. }
                    | Event::Opened { .. }
            );
            let board = matches!(event, Event::Board { .. });
            moved |= board && !civilizations;
            given |= board && civilizations;
            let glimpses = self.glimpses.clone();
            if civilizations {
                self.glimpse(event, untouched.as_ref(), &after);
            }
            // Whoever leaves with this event still reads of it.
            let standings = self.standings(main, &after, event);
            renewed |= Calendar::renews(event);
            match event {
                Event::Timed { times } if main => {
                    let times = self.calendar.set(&after, at, renewed, *times);
                    self.everybody(at, &self.dates(times));
                }
                Event::Timed { times } => self.everybody(at, &format!("{log}: {times:?}")),
                _ => {
                    let seen = before.as_ref().map(|before| (before, &glimpses));
                    self.tell(at, log, event, seen, &after, &standings);
                }
            }
            if matches!(event, Event::Data { .. })
                && let Some(before) = untouched.take()
            {
                self.dealings_end(at, record, &before, &after);
                // Whoever is replaced when the phase is over led his power until then.
                if after.begun() {
                    self.know(at, &after);
                }
            }
            if main && matches!(event, Event::Played(_) | Event::RolledBack { .. }) {
                self.calendar.turn();
            }
            if main {
                self.game = Some(after);
            } else {
                self.forming = Some(after);
            }
        }
        if main && let Some(game) = self.game.take() {
            if self.calendar.rest(&game, at) && !own::is_completed_unseen(&game) {
                self.all_in(at);
            }
            self.late_now(at, &game);
            if (moved || given) && self.fixture.options.blind && game.state != State::Forming {
                self.look(at, &game, moved);
            }
            if self.fixture.hides_existence() && game.begun() {
                self.know(at, &game);
            }
            self.game = Some(game);
        }
    }

    /// The times of a phase. That they were moved for an absence is told where nothing is hidden.
    fn dates(&self, times: Times) -> String {
        let minute = |at: Timestamp| at.as_second().div_euclid(60);
        format!(
            "times {} {} {} {}",
            minute(times.start),
            minute(times.deadline),
            minute(times.grace),
            times.adjusted && !self.fixture.options.blind
        )
    }

    /// That all orders are in is public, but where the board is hidden.
    fn all_in(&mut self, at: Timestamp) {
        let blind = self.fixture.options.blind;
        let since = self.calendar.all_in;
        let minute = since.map(|at| at.as_second().div_euclid(60));
        let what = told(at, &format!("all in since {minute:?}"));
        let readers = self.readers.iter_mut();
        readers
            .filter(|reader| !blind || reader.standing.master)
            .for_each(|reader| reader.share(at, &what));
    }

    /// What each reader is to the game, before and after an event together; what he is from now on is kept.
    fn standings(&mut self, main: bool, game: &Game, event: &Event) -> Vec<Standing> {
        let seats_change = matches!(
            event,
            Event::Seated { .. }
                | Event::SeatChanged { .. }
                | Event::Dealt { .. }
                | Event::Begun { .. }
                | Event::Vacated { .. }
                | Event::Taken { .. }
                | Event::Disorder { .. }
                | Event::Unstarted
        );
        let now = |reader: &Reader| {
            let own =
                |seat: &&dipjudge::game::Seat| name(&seat.address) == reader.name && !seat.left;
            let seats: Vec<SeatId> = game.seats.iter().filter(own).map(|seat| seat.id).collect();
            let mut masters = game.seated(Role::Master);
            Standing {
                powers: seats.iter().flat_map(|seat| game.led_by(*seat)).collect(),
                master: masters.any(|seat| seats.contains(&seat.id)),
                seats,
            }
        };
        let mut all = Vec::with_capacity(self.readers.len());
        for reader in &mut self.readers {
            let after = seats_change.then(|| now(reader));
            let kept = if main {
                &mut reader.standing
            } else {
                &mut reader.waiting
            };
            let mut both = kept.clone();
            if let Some(after) = after {
                both.seats.extend(&after.seats);
                both.powers.extend(&after.powers);
                both.seats.sort_unstable();
                both.seats.dedup();
                both.powers.sort_unstable();
                both.powers.dedup();
                both.master |= after.master;
                *kept = after;
            }
            all.push(both);
        }
        all
    }

    /// Who of those told to be late has completed his orders since: LIST shows it where the late are named.
    fn late_now(&mut self, at: Timestamp, game: &Game) {
        if self.hidden() || !game.settings.latelist || game.settings.quiet {
            return;
        }
        let variant = variants::of(&game.variant);
        let late: Vec<Power> = game
            .all_powers()
            .filter(|power| {
                let told = game.standings.get(power).is_some_and(|one| one.late);
                told && !VariantGame::new(game, variant).is_complete(*power)
            })
            .collect();
        if late != self.told_late {
            self.everybody(at, &format!("late are {late:?}"));
            self.told_late = late;
        }
    }

    fn tell(
        &mut self,
        at: Timestamp,
        log: &str,
        event: &Event,
        before: Option<(&Game, &Glimpsed)>,
        after: &Game,
        standings: &[Standing],
    ) {
        let main = log == GAME;
        let fixture = self.fixture;
        let now = self.glimpses.clone();
        let before = before.map(|(before, then)| Before {
            game: before,
            glimpses: (then, &now),
        });
        let before = before.as_ref();
        if let (Event::Played(played), Some(before)) = (event, before) {
            for power in after.all_powers() {
                let standing = leading(power);
                let lines = before.lines(after, played, &standing, fixture);
                let told = self.told.entry(power).or_default();
                told.push_str(&lines.join(" "));
            }
        }
        if let Event::Taken { power, seat } = event
            && main
            && let Some(at_seat) = after.seat(*seat)
        {
            let own = match self.own.get(power) {
                Some(own) => own.clone(),
                None => own::left_to(after, &leading(*power)),
            };
            let heritage = format!(
                "takes over {} {own} {:?}",
                json!(after.standing(*power)),
                self.told.get(power)
            );
            let who = name(&at_seat.address);
            let taker = self.readers.iter_mut().find(|one| one.name == who);
            taker.into_iter().for_each(|one| one.push(at, &heritage));
        }
        if matches!(event, Event::Nudged) && is_nudged_too_early(at, after) {
            return;
        }
        let public = self.public(main, event, after);
        if let Some(text) = public {
            return self.everybody(at, &format!("{log}: {text}"));
        }
        let wrote = self.writing.filter(|(_, then)| *then == at);
        for (n, (reader, standing)) in self.readers.iter_mut().zip(standings).enumerate() {
            // What is made of his own words follows from them, and from what else he may know.
            let author = wrote.is_some_and(|(who, _)| who == n);
            let his = ordered_by(event).is_some_and(|power| standing.powers.contains(&power))
                || set_by(event).is_some_and(|seat| standing.seats.contains(&seat));
            if author && his {
                continue;
            }
            let asked = match event {
                Event::Offered(offer) => Some(offer),
                Event::OfferClosed { id } => before.and_then(|before| before.game.offer(id)),
                _ => None,
            };
            // Whom a master asks by mail learns of it, wherever he sits.
            if let Some(offer) = asked.filter(|offer| name(&offer.address) == reader.name) {
                reader.push(at, &format!("{log}: asked {}", json!(offer.what)));
            }
            for what in private(fixture, main, event, before, after, standing) {
                reader.push(at, &format!("{log}: {what}"));
            }
        }
    }

    /// What everybody may know of an event in the same words.
    fn public(&mut self, main: bool, event: &Event, after: &Game) -> Option<String> {
        // The forming game hides nobody.
        let blind = main && self.fixture.options.blind;
        let gunboat = main && hides_leaders(self.fixture, after);
        let whole = || json!(event).to_string();
        Some(match event {
            Event::Created {
                name, variant, map, ..
            } => format!("created {name} {variant} {map}"),
            Event::Set(SettingChange::Own(_)) if main && self.fixture.hides_existence() => {
                return None;
            }
            Event::Set(SettingChange::WasGunboat(true)) if main => {
                let holders = after.all_powers().map(|power| after.holder(power));
                let addresses = holders.map(|seat| seat.map(|seat| &seat.address));
                let who: Vec<_> = addresses.collect();
                let seats: Vec<&String> = after.seats.iter().map(|one| &one.address).collect();
                format!("leaders are shown {who:?} {seats:?}")
            }
            Event::Set(_)
            | Event::Variant { .. }
            | Event::Ready
            | Event::Unstarted
            | Event::Opened { .. }
            | Event::Paused
            | Event::Halted
            | Event::Resumed
            | Event::RolledBack { .. }
            | Event::VotesCleared => whole(),
            Event::Standstill
            | Event::Nudged
            | Event::Abandoned { .. }
            | Event::Missed { .. }
            | Event::Vacated { .. }
            | Event::Disorder { .. }
                if !blind || after.over() =>
            {
                whole()
            }
            Event::Played(played) => {
                let text = json!(played).to_string();
                self.story.push_str(&text);
                self.story.push_str(&own::opened_in_the_end(after));
                if blind {
                    return None;
                }
                text
            }
            Event::Raised { .. } if !blind => whole(),
            Event::Renamed { .. } if !(main && self.fixture.hides_existence()) => whole(),
            Event::Owned { position } | Event::Board { position } if !blind => {
                format!("centers are counted {}", json!(position))
            }
            Event::Ended { ending } => {
                // All is open now, back to the first turn; the seed is told, and who it was that played.
                // What everybody wanted to be called is no secret any more, either.
                let names = main && self.fixture.hides_existence();
                let names = names.then(|| json!(after.data()).to_string());
                let who: Vec<&str> = after.seats.iter().map(|one| one.address.as_str()).collect();
                // Diaries are published, and letters where SET REVEALPRESS had them kept.
                let diaries = after.seats.iter().map(|one| json!(one.diary).to_string());
                let diaries: String = diaries.collect();
                let letters = if main { self.letters.as_str() } else { "" };
                let all = format!(
                    "{ending:?} {} {} {} {} {}",
                    json!(after.seed),
                    self.story,
                    self.forms,
                    names.unwrap_or_default(),
                    own::opened_by_the_end(after)
                );

                format!(
                    "over: {all} {diaries} {letters} {} {who:?}",
                    json!(after.position)
                )
            }
            Event::Seated { .. } | Event::Dealt { .. } | Event::Taken { .. }
                if !gunboat && !blind =>
            {
                secretless(event, after)
            }
            _ => return None,
        })
    }
}

/// Whether a master who processes himself may not know yet that everything has come.
fn is_nudged_too_early(at: Timestamp, game: &Game) -> bool {
    let times = game.timing.times;
    own::is_completed_unseen(game) && times.is_some_and(|times| at < times.deadline)
}

/// Whether it is hidden who leads the powers: a master may have shown it.
fn hides_leaders(fixture: &Fixture, game: &Game) -> bool {
    fixture.options.gunboat && !game.settings.was_gunboat
}

/// Whose word an event is, if it is a power's.
fn ordered_by(event: &Event) -> Option<Power> {
    match event {
        Event::Ordered { power, .. }
        | Event::Adjusting { power, .. }
        | Event::Submitted { power, .. }
        | Event::Lent { power, .. }
        | Event::Cleared { power }
        | Event::Ahead { power, .. }
        | Event::AheadDropped { power, .. }
        | Event::Voted { power, .. }
        | Event::VotedToEnd { power, .. }
        | Event::Waits { power, .. }
        | Event::Flagged { power, .. } => Some(*power),
        _ => None,
    }
}

/// Who has set something for himself, or written it down, if that is what an event is.
fn set_by(event: &Event) -> Option<SeatId> {
    match event {
        Event::SeatChanged {
            change: SeatChange::Left | SeatChange::Back | SeatChange::Role(_),
            ..
        } => None,
        Event::SeatChanged { seat, .. } => Some(*seat),
        _ => None,
    }
}

/// An event of people without what is only in the log: numbers of persons, hashes of passwords.
fn secretless(event: &Event, game: &Game) -> String {
    let address = |seat: &SeatId| {
        let seat = game.seat(*seat);
        seat.map_or_else(String::new, |seat| seat.address.clone())
    };
    match event {
        Event::Seated { seat, role, .. } => format!("{} sits down as {role:?}", address(seat)),
        Event::Taken { power, seat } => format!("{} takes {power:?}", address(seat)),
        Event::Dealt { powers, holders } => {
            let who = holders.iter();
            let who = who.map(|(power, seat)| format!("{power:?} {}", address(seat)));
            format!(
                "dealt {} {}",
                json!(powers),
                who.collect::<Vec<_>>().join(" ")
            )
        }
        _ => String::new(),
    }
}

/// What one reader may know of an event that is not everybody's.
fn private(
    fixture: &Fixture,
    main: bool,
    event: &Event,
    before: Option<&Before>,
    after: &Game,
    standing: &Standing,
) -> Vec<String> {
    let (gunboat, blind) = (
        main && hides_leaders(fixture, after),
        main && fixture.options.blind,
    );
    let strangers = main && fixture.hides_existence();
    let own_power = |power: &Power| standing.powers.contains(power) || standing.master;
    let own_seat = |seat: &SeatId| standing.seats.contains(seat);
    let named = |seat: &SeatId| {
        let master = after
            .seat(*seat)
            .is_some_and(|seat| seat.role == Role::Master);
        if !gunboat || own_seat(seat) || master || standing.master {
            after
                .seat(*seat)
                .map_or_else(String::new, |seat| seat.address.clone())
        } else {
            "somebody".to_owned()
        }
    };
    let observes = |seat: &SeatId| {
        let seat = after.seat(*seat);
        seat.is_some_and(|seat| seat.role == Role::Observer)
    };
    let own = |is: bool, text: String| if is { vec![text] } else { Vec::new() };
    let whole = || json!(event).to_string();
    // What a power does before adjudication may be sealed from the master; some submissions of a variant always are.
    let writes = |power: &Power| {
        let sealed = after.settings.blind_master;
        standing.powers.contains(power) || (standing.master && !sealed)
    };
    match event {
        // Who comes to lead a power of a blind game that has begun is his affair and the master's; among strangers who plays.
        Event::Seated { seat, role, .. } => own(
            !(blind && (after.begun() || strangers) && *role == Role::Player)
                || own_seat(seat)
                || standing.master,
            format!("{} sits down as {role:?}", named(seat)),
        ),
        Event::SeatChanged { seat, change } => match change {
            // What the judge notes of its own mails is nothing that anybody learns otherwise.
            SeatChange::Thread(_) | SeatChange::CalendarSent { .. } => Vec::new(),
            // Whom else it concerns learns it from what becomes of the power; who stands by has none.
            SeatChange::Left => own(
                // Who has signed on stands in the list of a forming game, and observers are told of everywhere.
                !main || observes(seat) || own_seat(seat) || standing.master,
                format!("{seat:?} leaves"),
            ),
            // What is written after the end is published at once.
            SeatChange::DiaryWritten(_) if after.over() => {
                vec![format!("seat {seat:?} {change:?}")]
            }
            SeatChange::Password(_) => own(own_seat(seat), "a new password".to_owned()),
            SeatChange::Role(role) => vec![format!("{} is now {role:?}", named(seat))],
            SeatChange::Address(_) if !gunboat && !blind => {
                vec![format!("seat {seat:?} {change:?}")]
            }
            change => own(
                own_seat(seat) || standing.master,
                format!("{seat:?} {change:?}"),
            ),
        },
        Event::Dealt { powers, holders } if strangers && !standing.master => {
            let mine = holders.iter().filter(|(power, _)| own_power(power));
            let mine = mine.map(|(power, _)| json!(powers[usize::from(power.0)]).to_string());
            let mine: Vec<String> = mine.collect();
            own(!mine.is_empty(), format!("dealt {mine:?}"))
        }
        Event::Dealt { powers, holders } => {
            let who = holders.iter();
            let who = who.map(|(power, seat)| format!("{power:?} {}", named(seat)));
            let who: Vec<String> = who.collect();
            vec![format!("dealt {} {}", json!(powers), who.join(" "))]
        }
        Event::StandsBy { seat } => own(own_seat(seat) || standing.master, whole()),
        Event::Offered(offer) => own(
            standing.master,
            format!("{} is asked {}", offer.address, json!(offer.what)),
        ),
        Event::OfferClosed { .. } => own(standing.master, "an offer is closed".to_owned()),
        Event::Posted(press) => own(own_seat(&press.seat) || standing.master, whole()),
        Event::Begun {
            turn,
            phase,
            position,
            data,
        } => {
            let board = if blind && !standing.master {
                String::new()
            } else {
                let data = own::data(after, data.as_data(), standing);
                format!("{} {data}", json!(position))
            };
            vec![format!("begun {turn:?} {phase:?} {board}")]
        }
        // What is a power's own before adjudication, and what is never told to anybody else.
        Event::Submitted { power, name, .. } => {
            let sealed = own::seals(&after.variant, name) && !standing.powers.contains(power);
            let text = match sealed {
                // A master reads no bid, nor that one has come; after the deadline he must know for whom the game waits.
                true if own::is_unseen(&after.variant) && after.timing.late_notice.is_none() => {
                    return Vec::new();
                }
                true => {
                    let complete =
                        VariantGame::new(after, variants::of(&after.variant)).is_complete(*power);
                    format!("{power:?} has sent all: {complete}")
                }
                false => whole(),
            };
            own(writes(power), text)
        }
        Event::Ahead { power, lines } => {
            let own_power = standing.powers.contains(power);
            let reads = |line: &str| own_power || !own::seals_line(&after.variant, line);
            let known = lines.iter().filter(|line| reads(&line.line));
            let known: Vec<String> = known.map(|line| json!(line).to_string()).collect();
            own(
                writes(power) && !known.is_empty(),
                format!("{power:?} has stored {known:?}"),
            )
        }
        Event::Ordered { power, .. }
        | Event::Adjusting { power, .. }
        | Event::Lent { power, .. }
        | Event::Cleared { power }
        | Event::AheadDropped { power, .. }
        | Event::Voted { power, .. }
        | Event::VotedToEnd { power, .. } => {
            let borrower = matches!(event, Event::Lent { to: Some(to), .. } if own_power(to));
            own(writes(power) || borrower, whole())
        }
        // What somebody is called to whom follows from whom he knows, and in which order he came to.
        Event::Labelled(_) if strangers => Vec::new(),
        Event::Renamed { .. } => Vec::new(),
        Event::Labelled(given) => own(
            match given.reader() {
                Viewer::Power(power) => own_power(&power),
                Viewer::Master => standing.master,
                Viewer::Observer | Viewer::Stranger => true,
            },
            whole(),
        ),
        Event::Waits { power, .. }
        | Event::Flagged { power, .. }
        | Event::Approved { power, .. } => own(own_power(power), whole()),
        Event::Raised { .. } => own(standing.master, whole()),
        Event::Retitled { .. } => vec![whole()],
        Event::Standstill | Event::Nudged => own(standing.master, whole()),
        Event::Late { powers } => late(fixture, after, powers, standing),
        Event::Abandoned { powers } => {
            let mine: Vec<_> = powers.iter().filter(|power| own_power(power)).collect();
            own(!mine.is_empty(), format!("abandoned {mine:?}"))
        }
        Event::Missed { powers, .. } => {
            let mine: Vec<_> = powers.iter().filter(|power| own_power(power)).collect();
            own(!mine.is_empty(), format!("missed {mine:?}"))
        }
        Event::Disorder { power, .. } | Event::Vacated { power, .. } => {
            own(own_power(power), whole())
        }
        Event::Taken { power, seat } => own(
            !blind || own_power(power),
            format!("{} takes {power:?}", named(seat)),
        ),
        Event::Played(played) if standing.master => vec![json!(played).to_string()],
        Event::Played(played) => {
            let calendar = format!(
                "played {} {:?} {:?}",
                played.number, played.turn, played.phase
            );
            let mut told = vec![calendar];
            if let Some(before) = before {
                told.extend(before.lines(after, played, standing, fixture));
            }
            told
        }
        Event::Set(SettingChange::Own(set)) if strangers => {
            let mut set = set.clone();
            let told = |name: &str| standing.master || !civilizations::UNTOLD.contains(&name);
            set.retain(|name, _| told(name));
            vec![json!(set).to_string()]
        }
        Event::MapGiven { to, .. } => own(own_power(to), whole()),
        // What changes hands by gift is seen by whom it is in sight of.
        Event::Board { position } if strangers => own(standing.master, json!(position).to_string()),
        Event::Owned { position } | Event::Board { position } => {
            let board = standing.master.then(|| json!(position).to_string());
            vec![format!("centers are counted {board:?}")]
        }
        Event::Data { data } if strangers => own(standing.master, json!(data).to_string()),
        Event::Data { data } => vec![own::data(after, data.as_data(), standing)],
        // When somebody is reminded follows from the deadline, his own wish and his own orders.
        Event::Reminded { .. }
        | Event::Reseeded { .. }
        | Event::Created { .. }
        | Event::Set(_)
        | Event::Variant { .. }
        | Event::Ready
        | Event::Unstarted
        | Event::Opened { .. }
        | Event::Paused
        | Event::Halted
        | Event::Resumed
        | Event::RolledBack { .. }
        | Event::VotesCleared
        | Event::Timed { .. }
        | Event::AllIn { .. }
        | Event::Ended { .. } => Vec::new(),
    }
}

fn late(fixture: &Fixture, game: &Game, powers: &[Power], standing: &Standing) -> Vec<String> {
    // A notice names those whom this reader may know; of the others it tells how many.
    let options = fixture.options;
    let hidden = hides_leaders(fixture, game) || options.blind;
    let named = !hidden && game.settings.latelist && !game.settings.quiet;
    let missing: Vec<Power> = VariantGame::new(game, variants::of(&game.variant)).powers_missing();
    let mine = |power: &&Power| named || standing.master || standing.powers.contains(power);
    let known: Vec<&Power> = powers.iter().chain(&missing).filter(mine).collect();
    if options.blind && known.is_empty() {
        return Vec::new();
    }
    let count = if options.blind { 0 } else { missing.len() };
    vec![format!("late: {known:?}, {count} in all")]
}
