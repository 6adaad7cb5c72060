//! What a reader may know of a run, written down from `visibility.md` and the rules files alone: slow, small, and without
//! a line of `game::project`. The log says what happened; this says who may learn of it.

use dipjudge::game::{Event, Game, Played, Record, SeatChange, SeatId, State, apply, asks};
use dipjudge::map::Power;
use dipjudge::variants;
use jiff::Timestamp;
use serde_json::json;

use super::author::Run;
use super::fixture::{FORMING, Fixture, GAME, Part};
use super::fog;
use super::letters::Line;
use super::own;
use super::stage::Kept;

/// Something that a reader may know from a moment on.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    pub at: Timestamp,
    pub what: String,
}

/// All that one of the cast may know, in the order of time. Moments are told to the minute: no finer clock is public
/// (`visibility.md` 1, P6).
pub fn observe(run: &Run, kept: &Kept, fixture: &Fixture, who: usize) -> Vec<Seen> {
    let mut oracle = Oracle {
        fixture,
        who,
        game: None,
        forming: None,
        seen: Vec::new(),
        told_late: Vec::new(),
        person: None,
        people: Vec::new(),
        story: Vec::new(),
    };
    // What was sent at a moment comes before what followed from it.
    let mut letters = run.letters.iter().peekable();
    for record in &kept.records {
        match record.log.as_str() {
            GAME | FORMING => {
                let read: Record = serde_json::from_slice(&record.json).expect("our own record");
                while let Some(letter) = letters.next_if(|letter| letter.at <= read.at) {
                    oracle.letter(letter);
                }
                oracle.record(&record.log, &read);
            }
            _ => {
                let read: serde_json::Value =
                    serde_json::from_slice(&record.json).expect("our own record");
                let at = read["at"].as_str().and_then(|at| at.parse().ok());
                let at: Timestamp = at.expect("a record bears its hour");
                while let Some(letter) = letters.next_if(|letter| letter.at <= at) {
                    oracle.letter(letter);
                }
                oracle.register(at, &read);
            }
        }
    }
    letters.for_each(|letter| oracle.letter(letter));
    oracle.seen
}

/// What a reader is to the game at a moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Standing {
    /// The seats that are his.
    pub seats: Vec<SeatId>,
    /// The powers that he leads.
    pub powers: Vec<Power>,
    /// Whether he runs it.
    pub master: bool,
}

struct Oracle<'f> {
    fixture: &'f Fixture,
    who: usize,
    game: Option<Game>,
    forming: Option<Game>,
    seen: Vec<Seen>,
    told_late: Vec<Power>,
    /// The reader's number in the register.
    person: Option<u64>,
    /// Numbers and addresses of everybody in the register.
    people: Vec<(u64, String)>,
    /// Everything that was adjudicated, for the day on which it is all open.
    story: Vec<String>,
}

impl Oracle<'_> {
    fn address(&self) -> &str {
        &self.fixture.cast.people[self.who].address
    }

    fn push(&mut self, at: Timestamp, what: impl Into<String>) {
        let minute = at.as_second().div_euclid(60);
        self.seen.push(Seen {
            at,
            what: format!("{minute}: {}", what.into()),
        });
    }

    /// Whether who plays is hidden, or anything of the board.
    fn hidden(&self) -> bool {
        self.fixture.options.gunboat || self.fixture.options.blind
    }

    // Letters -------------------------------------------------------------------

    fn letter(&mut self, letter: &super::letters::Letter) {
        if letter.from == self.who {
            // The same bytes in both runs; what counts is when.
            self.push(letter.at, format!("sends letter {}", letter.id));
            return;
        }
        for line in &letter.lines {
            let Line::Press(press) = line else { continue };
            let standing = self.game.as_ref().map(|game| self.standing(game));
            let standing = standing.unwrap_or_default();
            let in_game = !standing.seats.is_empty();
            let reaches = match &press.to {
                None => in_game,
                Some(list) => {
                    standing.master || standing.powers.iter().any(|power| list.contains(&power.0))
                }
            };
            if reaches {
                let what = format!("may read the word {} of letter {}", press.word, letter.id);
                self.push(letter.at, what);
            }
        }
    }

    // The register ----------------------------------------------------------------

    fn register(&mut self, at: Timestamp, record: &serde_json::Value) {
        for event in record["events"].as_array().into_iter().flatten() {
            let text = event.to_string();
            match event["event"].as_str().unwrap_or_default() {
                "registered" | "linked" => {
                    let address = event["address"].as_str().unwrap_or_default().to_owned();
                    let number = event["person"].as_u64().unwrap_or_default();
                    if address == self.address() {
                        self.person = Some(number);
                    }
                    self.people.push((number, address));
                    if self.person == Some(number) || self.is_public(number) {
                        self.push(at, text);
                    }
                }
                "due" | "joined" => {
                    let people: Vec<String> = event["people"]
                        .as_array()
                        .into_iter()
                        .flatten()
                        .filter(|one| {
                            let number = one.as_u64().or_else(|| one[0].as_u64());
                            !self.hidden() || (number.is_some() && number == self.person)
                        })
                        .map(ToString::to_string)
                        .collect();
                    if !people.is_empty() {
                        let kind = &event["event"];
                        self.push(at, format!("{kind} {}", people.join(" ")));
                    }
                }
                // Points follow from who was late: where that is hidden, they are their owner's (L36).
                "dedication" => {
                    let number = event["person"].as_u64();
                    if !self.hidden() || (number.is_some() && number == self.person) {
                        self.push(at, text);
                    }
                }
                _ => {}
            }
        }
    }

    /// Whether anybody may learn who this person is: the leaders of an open game are public.
    fn is_public(&self, number: u64) -> bool {
        let people = &self.fixture.cast.people;
        let one = self
            .people
            .iter()
            .find(|(known, _)| *known == number)
            .and_then(|(_, address)| people.iter().position(|one| one.address == *address));
        let Some(one) = one else { return false };
        let players = people.iter().take(one).filter(|p| p.part == Part::Player);
        match people[one].part {
            Part::Master | Part::Candidate => true,
            // The second player waits in the forming game, which is open.
            Part::Player if players.count() == 1 => true,
            Part::Player | Part::Observer => !self.fixture.options.gunboat,
            Part::Stranger => false,
        }
    }

    // The games -------------------------------------------------------------------

    fn standing(&self, game: &Game) -> Standing {
        let own = |seat: &&dipjudge::game::Seat| seat.address == self.address() && !seat.left;
        let seats: Vec<SeatId> = game.seats.iter().filter(own).map(|seat| seat.id).collect();
        let masters = game.seated(dipjudge::game::Role::Master);
        Standing {
            powers: seats.iter().flat_map(|seat| game.led_by(*seat)).collect(),
            master: masters.into_iter().any(|seat| seats.contains(&seat.id)),
            seats,
        }
    }

    fn record(&mut self, log: &str, record: &Record) {
        let main = log == GAME;
        let mut moved = false;
        for event in &record.events {
            let slot = if main {
                &mut self.game
            } else {
                &mut self.forming
            };
            let before = slot.clone();
            match slot {
                None => *slot = apply::create(event, record.at).ok(),
                Some(game) => apply::apply(game, record.at, event),
            }
            let Some(after) = slot.clone() else { continue };
            // Whoever leaves with this event still reads of it.
            let mut standing = self.standing(&after);
            if let Some(before) = &before {
                let was = self.standing(before);
                standing.seats.extend(was.seats);
                standing.powers.extend(was.powers);
            }
            moved |= matches!(
                event,
                Event::Begun { .. }
                    | Event::Played(_)
                    | Event::Owned { .. }
                    | Event::Board { .. }
                    | Event::RolledBack { .. }
                    | Event::Opened { .. }
            );
            let told = self.told(main, event, before.as_ref(), &after, &standing);
            for what in told {
                self.push(record.at, format!("{log}: {what}"));
            }
        }
        if main && let Some(game) = self.game.clone() {
            self.late_now(record.at, &game);
            if moved && self.fixture.options.blind && game.state != State::Forming {
                let standing = self.standing(&game);
                let view = fog::snapshot(&game, &standing, self.fixture);
                self.push(record.at, view);
            }
        }
    }

    /// Who of those told to be late has completed his orders since: LIST shows it where the late are named.
    fn late_now(&mut self, at: Timestamp, game: &Game) {
        if self.hidden() || !game.settings.latelist || game.settings.quiet {
            return;
        }
        let variant = variants::of(&game.variant);
        let late: Vec<Power> = game
            .all_powers()
            .filter(|power| game.standing(*power).late && !asks::complete(game, variant, *power))
            .collect();
        if late != self.told_late {
            self.push(at, format!("late are {late:?}"));
            self.told_late = late;
        }
    }

    /// What this reader may know of an event.
    fn told(
        &mut self,
        main: bool,
        event: &Event,
        before: Option<&Game>,
        after: &Game,
        standing: &Standing,
    ) -> Vec<String> {
        let options = self.fixture.options;
        // The forming game hides nobody.
        let (gunboat, blind) = (main && options.gunboat, main && options.blind);
        let own_power = |power: &Power| standing.powers.contains(power) || standing.master;
        let own_seat = |seat: &SeatId| standing.seats.contains(seat);
        let known_address = |seat: &SeatId| {
            let master = after
                .seat(*seat)
                .is_some_and(|seat| seat.role == dipjudge::game::Role::Master);
            if !gunboat || own_seat(seat) || master || standing.master {
                after
                    .seat(*seat)
                    .map_or_else(String::new, |seat| seat.address.clone())
            } else {
                "somebody".to_owned()
            }
        };
        let open = |text: String| vec![text];
        let own = |is: bool, text: String| if is { vec![text] } else { Vec::new() };
        let whole = |event: &Event| json!(event).to_string();
        match event {
            Event::Created {
                name, variant, map, ..
            } => open(format!("created {name} {variant} {map}")),
            Event::Seated { seat, role, .. } => {
                open(format!("{} sits down as {role:?}", known_address(seat)))
            }
            Event::SeatChanged { seat, change } => match change {
                SeatChange::Thread(_) | SeatChange::Left => Vec::new(),
                SeatChange::Password(_) => own(own_seat(seat), "a new password".to_owned()),
                SeatChange::Role(role) => open(format!("{} is now {role:?}", known_address(seat))),
                SeatChange::Address(_) | SeatChange::Absent(_) | SeatChange::Present(_)
                    if !gunboat =>
                {
                    open(format!("seat {seat:?} {change:?}"))
                }
                change => own(
                    own_seat(seat) || standing.master,
                    format!("{seat:?} {change:?}"),
                ),
            },
            Event::Dealt { powers, holders } => {
                let who: Vec<String> = holders
                    .iter()
                    .map(|(power, seat)| format!("{power:?} {}", known_address(seat)))
                    .collect();
                open(format!("dealt {} {}", json!(powers), who.join(" ")))
            }
            Event::Begun {
                turn,
                phase,
                position,
                data,
            } => {
                let board = if blind && !standing.master {
                    String::new()
                } else {
                    format!(
                        "{} {}",
                        json!(position),
                        own::data(&after.variant, data, standing)
                    )
                };
                open(format!("begun {turn:?} {phase:?} {board}"))
            }
            Event::Set { .. }
            | Event::Variant { .. }
            | Event::Ready
            | Event::Unstarted
            | Event::Opened { .. }
            | Event::Paused
            | Event::Resumed
            | Event::RolledBack { .. }
            | Event::VotesCleared => open(whole(event)),
            Event::Timed { times } => {
                let minute = |at: Timestamp| at.as_second().div_euclid(60);
                open(format!(
                    "times {} {} {} {}",
                    minute(times.start),
                    minute(times.deadline),
                    minute(times.grace),
                    times.adjusted
                ))
            }
            // What is a power's own before adjudication, and what was never told to anybody else.
            Event::Ordered { power, .. }
            | Event::Adjusting { power, .. }
            | Event::Slipped { power, .. }
            | Event::Lent { power, .. }
            | Event::Cleared { power }
            | Event::Ahead { power, .. }
            | Event::AheadDropped { power, .. }
            | Event::Waits { power, .. }
            | Event::Flagged { power, .. }
            | Event::Voted { power, .. }
            | Event::Approved { power, .. } => {
                let borrower = matches!(event, Event::Lent { to: Some(to), .. } if own_power(to));
                own(own_power(power) || borrower, whole(event))
            }
            Event::AllIn { since } => {
                let minute = since.map(|at| at.as_second().div_euclid(60));
                own(
                    !blind || standing.master,
                    format!("all in since {minute:?}"),
                )
            }
            Event::Reminded { powers } => {
                let mine = powers.iter().filter(|power| own_power(power));
                let mine: Vec<_> = mine.collect();
                own(!mine.is_empty(), format!("reminded {mine:?}"))
            }
            Event::Late { powers } => self.late(after, powers, standing),
            Event::Abandoned { powers } => {
                let mine: Vec<_> = powers
                    .iter()
                    .filter(|power| !blind || own_power(power))
                    .collect();
                own(!mine.is_empty(), format!("abandoned {mine:?}"))
            }
            Event::Disorder { power, .. } | Event::Vacated { power, .. } => {
                own(!blind || own_power(power), whole(event))
            }
            Event::Taken { power, seat } => own(
                !blind || own_power(power),
                format!("{} takes {power:?}", known_address(seat)),
            ),
            Event::Standstill | Event::Nudged => own(!blind || standing.master, whole(event)),
            Event::Played(played) => self.played(played, before, after, blind, standing),
            Event::Owned { position } | Event::Board { position } => {
                let board = if blind && !standing.master {
                    String::new()
                } else {
                    json!(position).to_string()
                };
                open(format!("centers are counted {board}"))
            }
            Event::Data { data } => open(own::data(&after.variant, data, standing)),
            Event::Reseeded { .. } => Vec::new(),
            Event::Ended { ending } => {
                // All is open now, back to the first turn; the seed is told.
                let all = format!("{ending:?} {} {}", json!(after.seed), self.story.join(" "));
                open(format!("over: {all} {}", json!(after.position)))
            }
        }
    }

    fn late(&self, game: &Game, powers: &[Power], standing: &Standing) -> Vec<String> {
        // A notice names those whom this reader may know; of the others it tells how many.
        let named = !self.hidden() && game.settings.latelist && !game.settings.quiet;
        let missing: Vec<Power> = asks::missing(game, variants::of(&game.variant));
        let mine = |power: &&Power| named || standing.master || standing.powers.contains(power);
        let known: Vec<&Power> = powers.iter().chain(&missing).filter(mine).collect();
        if self.fixture.options.blind && known.is_empty() {
            return Vec::new();
        }
        let count = if self.fixture.options.blind {
            0
        } else {
            missing.len()
        };
        vec![format!("late: {known:?}, {count} in all")]
    }

    fn played(
        &mut self,
        played: &Played,
        before: Option<&Game>,
        after: &Game,
        blind: bool,
        standing: &Standing,
    ) -> Vec<String> {
        self.story.push(json!(played).to_string());
        if !blind || standing.master {
            return vec![json!(played).to_string()];
        }
        let calendar = format!(
            "played {} {:?} {:?}",
            played.number, played.turn, played.phase
        );
        let mut told = vec![calendar];
        if let Some(before) = before {
            told.extend(fog::lines(before, after, played, standing, self.fixture));
        }
        told
    }
}
