//! Whole games of any variant played at random, with what the judge does to a mail's order lines but without mails:
//! `play` lets every power write orders that fit together, some that do not, and the variant's own lines; each phase is
//! adjudicated, what must hold of every game is looked at, and the variant's test is called.

#![allow(dead_code, unreachable_pub)] // shared by several test programs; none needs all of it

pub mod numbers;
pub mod plan;
pub mod sound;

use std::collections::BTreeMap;

use dipjudge::commands::consider::{consider, note};
use dipjudge::commands::due::Due;
use dipjudge::commands::names::Names;
use dipjudge::commands::order_words::OrderWords;
use dipjudge::commands::orders::{grammar_of, read_orders_by};
use dipjudge::game::project::Sight;
use dipjudge::game::{
    Cause, Effect, Event, Game, GameEdit, PersonId, Phase, Record, Role, SeatId, Seed,
    SettingChange, Variant, apply, phases,
};
use dipjudge::map::Power;
use dipjudge::view::Viewer;
use jiff::{SignedDuration, Timestamp};
use numbers::Numbers;

/// A kind of game to be played at random.
pub struct Table<'a> {
    pub variant: &'static dyn Variant,
    /// How many play; the least that the variant takes if `None`.
    pub players: Option<usize>,
    /// What differs from a game that nobody set anything in.
    pub settings: Vec<SettingChange>,
    /// The variant's own lines that a power writes in the phase in hand, legal and illegal.
    pub lines: &'a dyn Fn(&Game, Power, &mut Numbers) -> Vec<String>,
    /// After so many phases a game is broken off.
    pub longest: u32,
}

/// What there is beside powers and their lines, where a variant's rules ask for it.
pub struct Beside<'a> {
    /// The powers that somebody holds; of most variants nobody needs to.
    pub held: &'a [Power],
    /// What a master changes as soon as the game has begun.
    pub begins: &'a dyn Fn(&mut GameEdit, &mut Numbers),
    /// What a master says before a phase is adjudicated.
    pub master: &'a dyn Fn(&GameEdit, &mut Numbers) -> Vec<Event>,
    /// Where a game is broken off though nobody has won.
    pub long_enough: &'a dyn Fn(&Game) -> bool,
}

impl Beside<'_> {
    const NOTHING: Beside<'static> = Beside {
        held: &[],
        begins: &|_, _| {},
        master: &|_, _| Vec::new(),
        long_enough: &|_| false,
    };
}

/// A game at its end.
pub struct Finished {
    pub game: Game,
    /// Its log.
    pub log: Vec<Record>,
    /// Lines that the judge refused, with what it said.
    pub refused: Vec<(String, String)>,
    /// How many lines it took.
    pub taken: usize,
}

impl Finished {
    /// With `DIPJUDGE_TELL` set: what was refused, and why.
    pub fn tell(&self) {
        if std::env::var_os("DIPJUDGE_TELL").is_some() {
            let refused = self.refused.iter();
            refused.for_each(|(line, why)| println!("{line}: {why}"));
        }
    }
}

/// Fails unless most lines were taken, but some refused.
pub fn some_are_refused(refused: usize, taken: usize) {
    assert!(
        taken > refused && refused > taken / 50,
        "{refused} lines were refused, {taken} taken"
    );
}

/// One phase that was played, for the variant's test.
pub struct Step<'a> {
    /// The game with all orders, as it was adjudicated.
    pub before: &'a Game,
    /// The game as it is when somebody is asked again, or at its end.
    pub after: &'a Game,
    /// What happened in between.
    pub events: &'a [Event],
}

/// Plays a game from a number to its end, on the variant's own map.
pub fn play(table: &Table, seed: u64, after_each: &mut dyn FnMut(&Step)) -> Finished {
    play_on(table.variant.card().map, table, seed, after_each)
}

/// Plays a game from a number to its end on the map of this name.
pub fn play_on(map: &str, table: &Table, seed: u64, after_each: &mut dyn FnMut(&Step)) -> Finished {
    play_beside(map, table, &Beside::NOTHING, seed, after_each)
}

/// Plays a game from a number to its end, with holders and a master.
pub fn play_beside(
    map: &str,
    table: &Table,
    beside: &Beside,
    seed: u64,
    after_each: &mut dyn FnMut(&Step),
) -> Finished {
    let mut numbers = Numbers::from(seed);
    let mut now: Timestamp = "2026-11-30T10:30:00Z".parse().unwrap();
    let mut log = Vec::new();
    let mut edit = begin(map, table, beside, &mut numbers, now, &mut log);
    let roster = edit.variant_game().seen_by(Viewer::Master).roster();
    let names = Names::of(edit.game.map(), roster);
    let (mut refused, mut taken) = (Vec::new(), 0);
    sound::board(&edit.game);
    while !edit.game.over() && edit.game.number < table.longest && !(beside.long_enough)(&edit.game)
    {
        now += SignedDuration::from_hours(24);
        edit.now = now;
        let plan = match edit.game.phase {
            Phase::Movement => plan::movement(&edit.game, &mut numbers),
            _ => BTreeMap::new(),
        };
        for power in edit.game.all_powers() {
            // Some are silent, and where seats are held those that are vacant.
            let vacant = !beside.held.is_empty() && !beside.held.contains(&power);
            if numbers.once_in(12) || vacant {
                continue;
            }
            let mut mail = Mail {
                sight: edit.variant_game().sight_of(power),
                edit: &mut edit,
                names: &names,
                refused: &mut refused,
                taken: &mut taken,
            };
            write(table, &mut mail, &plan, power, &mut numbers);
        }
        let ruled = (beside.master)(&edit, &mut numbers);
        ruled.into_iter().for_each(|event| edit.emit(event));
        keep(&mut edit, &mut log);
        let before = edit.game.clone();
        phases::run(&mut edit).expect("the results hold");
        let events = std::mem::take(&mut edit.events);
        sound::phase(&before, &edit.game, edit.variant, &events);
        after_each(&Step {
            before: &before,
            after: &edit.game,
            events: &events,
        });
        edit.events = events;
        keep(&mut edit, &mut log);
    }
    let finished = Finished {
        game: edit.game,
        log,
        refused,
        taken,
    };
    sound::replay(&finished, seed);
    finished
}

/// The game with its board set up.
fn begin<'v>(
    map: &str,
    table: &Table<'v>,
    beside: &Beside,
    numbers: &mut Numbers,
    now: Timestamp,
    log: &mut Vec<Record>,
) -> GameEdit<'v> {
    let variant = table.variant;
    let mut bytes = [0; 32];
    bytes.fill_with(|| numbers.below(256) as u8);
    let created = Event::Created {
        name: "random".to_owned(),
        variant: variant.card().name.to_owned(),
        map: map.to_owned(),
        places: variant.card().places.to_owned(),
        seed: Seed::new(bytes),
    };
    let game = apply::create(&created, now).unwrap();
    let mut edit = GameEdit::of(&game, variant, now);
    edit.events.push(created);
    for change in variant.card().usual.iter().chain(&table.settings) {
        edit.emit(Event::Set(change.clone()));
    }
    let game = &edit.game;
    let players = table
        .players
        .unwrap_or(*variant.players(game.map()).start());
    let powers = variant.powers(game.map(), players, &game.settings);
    let seats = (0..).map(SeatId).zip(beside.held);
    for (seat, power) in seats.clone() {
        edit.emit(Event::Seated {
            seat,
            person: PersonId(seat.0),
            address: format!("p{}@example.org", power.0),
            role: Role::Player,
            password: String::new(),
        });
    }
    edit.emit(Event::Dealt {
        powers,
        holders: seats.map(|(seat, power)| (*power, seat)).collect(),
    });
    phases::begin(&mut edit);
    (beside.begins)(&mut edit, numbers);
    keep(&mut edit, log);
    edit
}

/// Puts what happened into the log.
fn keep(edit: &mut GameEdit, log: &mut Vec<Record>) {
    let events = std::mem::take(&mut edit.events);
    if !events.is_empty() {
        log.push(Record {
            v: 1,
            at: edit.now,
            cause: Cause::Clock,
            events,
        });
    }
}

/// All that one power writes in a phase.
fn write(
    table: &Table,
    mail: &mut Mail,
    plan: &BTreeMap<dipjudge::position::UnitId, dipjudge::commands::order_words::Verb>,
    power: Power,
    numbers: &mut Numbers,
) {
    let game = &mail.edit.game;
    let mut orders: Vec<OrderWords> = match game.phase {
        Phase::Movement => game
            .position
            .units
            .iter()
            .filter(|unit| unit.power == power)
            .filter_map(|unit| plan.get(&unit.id).map(|verb| (unit, verb)))
            .map(|(unit, verb)| plan::words(Some(plan::named(unit)), verb.clone()))
            .collect(),
        Phase::Retreats => plan::retreats(game, power, numbers),
        Phase::Adjustments => plan::adjustments(game, power, &mail.sight.sites, numbers),
        Phase::Ownership | Phase::Own(_) => Vec::new(),
    };
    if numbers.once_in(4) {
        orders.extend(plan::nonsense(game, numbers));
    }
    let mut lines = (table.lines)(game, power, numbers);
    for order in orders {
        // Reading takes most of the time, so only some go through it.
        if numbers.once_in(10) {
            lines.push(order.to_string());
        } else {
            mail.take(&order);
        }
    }
    for mut line in lines {
        if numbers.once_in(20) {
            line = spoilt(&line, numbers);
        }
        mail.read(&line);
    }
    if numbers.once_in(40) {
        mail.edit.emit(Event::Cleared { power });
    }
}

/// A line with a character gone, doubled or changed.
fn spoilt(line: &str, numbers: &mut Numbers) -> String {
    let mut letters: Vec<char> = line.chars().collect();
    let at = numbers.below(letters.len());
    match numbers.below(3) {
        _ if letters.is_empty() => letters.push('?'),
        0 => {
            letters.remove(at);
        }
        1 => letters.insert(at, letters[at]),
        _ => letters[at] = *numbers.pick(&['-', ' ', ';', '(', '7', 'é', 'X']).unwrap(),
    }
    letters.into_iter().collect()
}

/// The lines of one power in one phase.
struct Mail<'a, 'v> {
    edit: &'a mut GameEdit<'v>,
    sight: Sight,
    names: &'a Names,
    refused: &'a mut Vec<(String, String)>,
    taken: &'a mut usize,
}

impl Mail<'_, '_> {
    fn read(&mut self, line: &str) {
        let due = Due::in_phase(&self.edit.game.phase);
        let grammar = grammar_of(self.edit.variant);
        for order in read_orders_by(grammar, line, due, self.names) {
            match order {
                Ok(words) => self.take(&words),
                Err(error) => self.refused.push((line.to_owned(), error.to_string())),
            }
        }
    }

    fn take(&mut self, words: &OrderWords) {
        let variant = self.edit.variant;
        match consider(&self.sight, variant, words) {
            Ok(considered) => {
                *self.taken += 1;
                considered
                    .notes
                    .iter()
                    .for_each(|note| sound::sentence(note));
                let mut said = self.sight.said.clone();
                note(&mut said, &self.sight, words, &considered.effects);
                self.sight.said = said;
                considered
                    .effects
                    .into_iter()
                    .for_each(|effect| self.act(effect));
            }
            Err(sentences) => {
                sentences
                    .iter()
                    .for_each(|sentence| sound::sentence(sentence));
                assert!(!sentences.is_empty(), "`{words}` is refused without a word");
                self.refused.push((words.to_string(), sentences.join(" ")));
            }
        }
    }

    fn act(&mut self, effect: Effect) {
        let power = self.sight.power;
        let event = effect.event(power);
        let submitted = matches!(event, Event::Submitted { .. });
        self.edit.emit(event);
        let standing = &self.edit.game.standings[&power];
        self.sight.orders.clone_from(&standing.orders);
        if submitted {
            self.sight.submissions.clone_from(&standing.submissions);
            self.sight.own = self.edit.variant_game().sight_of(power).own;
        }
    }
}
