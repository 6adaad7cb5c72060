//! Writes runs: random letters of everybody at a table, phase by phase, with the judge looking on so that orders fit the
//! board as it is.

use std::collections::BTreeSet;
use std::sync::Arc;

use dipjudge::calendar::{Season, Turn};
use dipjudge::game::{Event, Fakes, Game, Phase, Role, State, Variant, VariantGame, apply};
use dipjudge::mails::outbound::Templates;
use dipjudge::map::Power;
use dipjudge::variants;
use dipjudge::view::Viewer;
use jiff::{SignedDuration, Timestamp};

use super::dice::Dice;
use super::fixture::{FORMING, Fixture, GAME, Part, labels};
use super::letters::{Letter, Line, Press, Sign, Wrap};
use super::orders::{neighborhood, orders};
use super::own;
use super::sentences::Sentences;
use super::silly;
use super::stage::{Kept, Stage, log, name};
use super::tongue::{Tongue, Words, bends_the_calendar};

/// Letters to a table, and until when the clock runs.
#[derive(Clone, Debug)]
pub struct Run {
    pub letters: Vec<Letter>,
    pub until: Timestamp,
}

impl Run {
    /// The letters in which such a line stands.
    pub fn letters_with(&self, such: impl Fn(&Line) -> bool) -> Vec<usize> {
        let found = self.letters.iter();
        let found = found.filter(|letter| letter.lines.iter().any(&such));
        found.map(|letter| letter.id).collect()
    }

    /// What comes of it.
    pub fn perform(&self, fixture: &Fixture, templates: &Templates) -> Written {
        let begins = Station {
            done: 0,
            kept: Arc::new(fixture.kept.clone()),
        };
        self.go_on(vec![begins], fixture, templates)
    }

    /// What comes of it from the last of these stations on.
    fn go_on(
        &self,
        mut stations: Vec<Station>,
        fixture: &Fixture,
        templates: &Templates,
    ) -> Written {
        let (done, mut stage) = match stations.last() {
            Some(last) => (last.done, Stage::again(&last.kept, templates)),
            None => (0, Stage::again(&fixture.kept, templates)),
        };
        for (index, letter) in self.letters.iter().enumerate().skip(done) {
            if index > done && index.is_multiple_of(STATION) {
                stations.push(Station {
                    done: index,
                    kept: Arc::new(stage.kept.clone()),
                });
            }
            stage.receive(letter, &fixture.cast.people[letter.from].address);
        }
        stage.clock(self.until);
        Written {
            run: self.clone(),
            kept: stage.kept,
            stations,
        }
    }
}

/// Lines that somebody who owes one tries.
const MOST_ATTEMPTS: usize = 8;
/// Settings that a master tries at the beginning.
const SETTINGS: usize = 12;
/// Phases that a quiet run has at most.
const MOST_PHASES: usize = 7;
/// Letters between two stations of a run.
const STATION: usize = 12;

/// How things stood before a letter of a run.
#[derive(Clone, Debug)]
struct Station {
    /// How many letters had come.
    done: usize,
    kept: Arc<Kept>,
}

/// A run with what came of it.
#[derive(Clone, Debug)]
pub struct Written {
    pub run: Run,
    pub kept: Kept,
    stations: Vec<Station>,
}

impl Written {
    /// What comes of a run that is the same up to some letter, at the same table.
    pub fn vary(&self, run: &Run, fixture: &Fixture, templates: &Templates) -> Written {
        let pairs = self.run.letters.iter().zip(&run.letters);
        let alike = pairs.take_while(|(one, other)| one == other).count();
        // A letter may come earlier than it did, but not before the one ahead of it.
        let shared = self.stations.iter().filter(|one| one.done <= alike);
        run.go_on(shared.cloned().collect(), fixture, templates)
    }

    /// The stage just before an hour.
    pub fn stage_at(&self, hour: Timestamp, fixture: &Fixture, templates: &Templates) -> Stage {
        self.stage_from(Some(hour), hour, fixture, templates)
    }

    /// The stage just before an hour, played again from the last station before another; from the beginning if there is no other.
    pub fn stage_from(
        &self,
        other: Option<Timestamp>,
        hour: Timestamp,
        fixture: &Fixture,
        templates: &Templates,
    ) -> Stage {
        let came = |station: &&Station| {
            let letters = self.run.letters.iter().take(station.done);
            other.is_some_and(|other| {
                station.kept.now < other && letters.into_iter().all(|letter| letter.at < other)
            })
        };
        let station = self.stations.iter().rfind(came);
        let (done, mut stage) = match station {
            Some(station) => (station.done, Stage::again(&station.kept, templates)),
            None => (0, Stage::again(&fixture.kept, templates)),
        };
        for letter in self.run.letters.iter().skip(done) {
            if letter.at < hour {
                stage.receive(letter, &fixture.cast.people[letter.from].address);
            }
        }
        stage.clock(hour - SignedDuration::from_millis(1));
        stage
    }
}

/// A run at this table, and what came of it.
pub fn write(fixture: &Fixture, templates: &Templates, dice: &mut Dice) -> Written {
    let mut author = Author::at(fixture, Stage::again(&fixture.kept, templates), dice);
    author.somebody_is_silent();
    author.table_is_set_otherwise();
    // Strangers take their time to meet.
    let longer = if fixture.hides_existence() { 3 } else { 0 };
    let phases = 3 + longer + author.dice.below(3);
    for _ in 0..phases {
        if author.stage.game(GAME).state != State::Running || !author.phase() {
            break;
        }
    }
    let last = author.stage.kept.now;
    author.questions(last);
    let until = author.stage.kept.now + SignedDuration::from_hours(1);
    author.stage.clock(until);
    let run = Run {
        letters: author.letters,
        until,
    };
    Written {
        run,
        kept: author.stage.kept,
        stations: author.stations,
    }
}

/// A run at this table of so many phases, in which everybody gives orders that are complete, and says nothing else.
pub fn write_quietly(
    fixture: &Fixture,
    templates: &Templates,
    phases: usize,
    dice: &mut Dice,
) -> Written {
    let mut author = Author::at(fixture, Stage::again(&fixture.kept, templates), dice);
    author.diligent = true;
    author.master_will_process();
    let mut played = 0;
    while played < phases || played < MOST_PHASES && author.waits_for_winter() {
        if author.stage.game(GAME).state != State::Running || !author.quiet_phase() {
            break;
        }
        played += 1;
    }
    author.written_until_soon()
}

/// A run in which all units hold until a year is over.
pub fn write_still(fixture: &Fixture, templates: &Templates, dice: &mut Dice) -> Written {
    let mut author = Author::at(fixture, Stage::again(&fixture.kept, templates), dice);
    author.diligent = true;
    author.still = true;
    let years = author.game().years.len();
    for _ in 0..MOST_PHASES {
        let running = author.game().state == State::Running;
        if !running || author.game().years.len() > years || !author.quiet_phase() {
            break;
        }
    }
    author.written_until_soon()
}

/// A letter that is not sent yet.
pub(super) struct Draft {
    pub(super) from: usize,
    pub(super) sign: Sign,
    pub(super) lines: Vec<Line>,
    pub(super) instead: Vec<Vec<Line>>,
}

pub(super) struct Author<'a> {
    pub(super) fixture: &'a Fixture,
    pub(super) variant: &'static dyn Variant,
    sentences: Sentences,
    pub(super) tongue: Arc<Tongue>,
    pub(super) stage: Stage,
    letters: Vec<Letter>,
    stations: Vec<Station>,
    /// Who never sends orders.
    silent: Option<usize>,
    /// Whether in this phase everybody else sends all that he owes, and hardly anything that is refused.
    diligent: bool,
    /// Whether in this phase lines of the variant's own that begin alike are the same whoever sends them, and those sent so far.
    alike: bool,
    said: Vec<String>,
    /// Whether all units hold.
    still: bool,
    pub(super) dice: &'a mut Dice,
}

impl<'a> Author<'a> {
    /// Somebody who writes at a stage.
    pub(super) fn at(fixture: &'a Fixture, stage: Stage, dice: &'a mut Dice) -> Author<'a> {
        let variant = variants::of(fixture.variant);
        Author {
            fixture,
            variant,
            sentences: Sentences::of(variant.card().grammar),
            tongue: Tongue::of(variant),
            stage,
            letters: Vec::new(),
            stations: Vec::new(),
            silent: None,
            diligent: false,
            alike: false,
            said: Vec::new(),
            still: false,
            dice,
        }
    }

    /// What was written, and what came of it a minute later.
    fn written_until_soon(mut self) -> Written {
        let until = self.stage.kept.now + SignedDuration::from_mins(1);
        self.stage.clock(until);
        Written {
            run: Run {
                letters: self.letters,
                until,
            },
            kept: self.stage.kept,
            stations: self.stations,
        }
    }

    /// Whether there are lines of the variant's own.
    pub(super) fn speaks(&self) -> bool {
        self.sentences.any()
    }

    /// What a player sets for himself.
    pub(super) fn own_setting(&mut self, person: usize) -> Option<String> {
        let words = Words::of(self.fixture, self.stage.game(GAME), person);
        let setting = self.tongue.own_setting(&words, self.dice);
        setting.filter(|line| !self.names_somebody(line))
    }

    /// Where somebody follows a leader who is silent too long, one may be.
    fn somebody_is_silent(&mut self) {
        let players = self.people(Part::Player);
        if self.fixture.is_of_civilizations() && self.dice.chance(40) {
            self.silent = self.dice.pick(&players).copied();
        }
    }

    pub(super) fn game(&self) -> &Game {
        self.stage.game(GAME)
    }

    /// Whom a person leads in the game, if anybody.
    pub(super) fn power_of(&self, person: usize) -> Option<Power> {
        let address = &self.fixture.cast.people[person].address;
        let game = self.game();
        let seat = game
            .seats
            .iter()
            .find(|seat| seat.address == *address && !seat.left && seat.role == Role::Player)?;
        game.led_by(seat.id).first().copied()
    }

    pub(super) fn people(&self, part: Part) -> Vec<usize> {
        self.fixture.of(part)
    }

    /// One phase: letters until it is over or stands still. Whether it went on.
    fn phase(&mut self) -> bool {
        let number = self.game().number;
        let Some(deadline) = self.game().timing.times.map(|times| times.deadline) else {
            return false;
        };
        self.diligent = self.dice.chance(35);
        self.alike = !self.fixture.is_of_civilizations() && self.dice.chance(20);
        self.said.clear();
        let mut drafts = Vec::new();
        for person in 0..self.fixture.cast.people.len() {
            drafts.extend(self.drafts_of(person));
        }
        let now = self.stage.kept.now;
        let last =
            (now + SignedDuration::from_hours(20)).min(deadline - SignedDuration::from_mins(40));
        self.send(drafts, now, last);
        if self.fixture.is_of_civilizations() {
            self.deal(deadline - SignedDuration::from_mins(40));
        }
        if self.passes(number, self.stage.kept.now + SignedDuration::from_hours(3)) {
            return true;
        }
        // Somebody is missing, or waits: the deadline, and what comes after it.
        if self.passes(number, deadline + SignedDuration::from_hours(3)) {
            return true;
        }
        if self.game().settings.manual_process {
            self.master_processes();
            if self.game().number != number {
                return true;
            }
        }
        for _ in 0..3 {
            let drafts = self.late_orders();
            let now = self.stage.kept.now;
            self.send(drafts, now, now + SignedDuration::from_hours(9));
            if self.passes(number, self.stage.kept.now + SignedDuration::from_hours(3)) {
                return true;
            }
        }
        let grace = self.game().timing.times.map(|times| times.grace);
        grace.is_some_and(|grace| self.passes(number, grace + SignedDuration::from_mins(1)))
    }

    /// Where it is secret what has come, who processes himself may not be told of it either.
    fn master_will_process(&mut self) {
        let master = self.people(Part::Master).first().copied();
        if let Some(master) = master.filter(|_| own::is_unseen(self.fixture.variant)) {
            let draft = Draft {
                from: master,
                sign: self.plain_sign(master),
                lines: vec![Line::Other("SET MANUAL PROCESS".to_owned())],
                instead: Vec::new(),
            };
            let now = self.stage.kept.now;
            self.send(vec![draft], now, now + SignedDuration::from_mins(2));
        }
    }

    /// Whether what is secret comes with the adjustments, of which none was played since the game began.
    fn waits_for_winter(&self) -> bool {
        let game = self.game();
        let winter = Turn {
            season: Season::Winter,
            ..game.turn
        };
        let due = self
            .variant
            .order_of_play(winter)
            .contains(&Phase::Adjustments);
        let mut past = game.past.iter().skip(1);
        own::is_unseen(self.fixture.variant)
            && due
            && !past.any(|past| past.phase == Phase::Adjustments)
    }

    fn plain_sign(&self, person: usize) -> Sign {
        let one = &self.fixture.cast.people[person];
        let master = if one.part == Part::Master { "M" } else { "" };
        Sign::Line(format!("SIGNON {master}{GAME} {}", one.word))
    }

    /// One phase in which everybody sends what he owes, and nothing else. The first hour of it is left to what scenes say.
    fn quiet_phase(&mut self) -> bool {
        let number = self.game().number;
        let Some(deadline) = self.game().timing.times.map(|times| times.deadline) else {
            return false;
        };
        self.alike = !self.fixture.is_of_civilizations() && self.dice.chance(50);
        self.said.clear();
        let mut drafts = Vec::new();
        for from in 0..self.fixture.cast.people.len() {
            let Some(power) = self.power_of(from) else {
                continue;
            };
            let requirements = VariantGame::new(self.game(), self.variant).requirements();
            if requirements.due.contains_key(&power) {
                let mut lines = self.order_lines(power, false);
                lines.extend(self.owed_line(from, power));
                lines.extend(self.wanted_lines(from, power));
                drafts.push(Draft {
                    from,
                    sign: self.plain_sign(from),
                    lines,
                    instead: Vec::new(),
                });
            }
        }
        drafts.retain(|draft| !draft.lines.is_empty());
        let begins = self.stage.kept.now + SignedDuration::from_hours(1);
        let ends = deadline - SignedDuration::from_mins(40);
        self.send(
            drafts,
            begins,
            ends.min(begins + SignedDuration::from_hours(9)),
        );
        let soon = self.stage.kept.now + SignedDuration::from_hours(3);
        if self.passes(number, soon)
            || self.passes(number, deadline + SignedDuration::from_hours(3))
        {
            return true;
        }
        if self.game().settings.manual_process {
            self.master_processes();
        }
        self.game().number != number
    }

    /// At some tables masters begin with settings that few have: any rows of the table that are taken.
    fn table_is_set_otherwise(&mut self) {
        let Some(master) = self.people(Part::Master).first().copied() else {
            return;
        };
        if self.dice.chance(50) {
            return;
        }
        let one = &self.fixture.cast.people[master];
        let sign = Sign::Line(format!("SIGNON M{GAME} {}", one.word));
        let address = one.address.clone();
        let mut lines = Vec::new();
        for _ in 0..SETTINGS {
            let words = Words::of(self.fixture, self.stage.game(GAME), master);
            let line = self.tongue.setting(&words, self.dice);
            let line = line.filter(|line| !bends_the_calendar(line, self.fixture));
            let Some(line) = line.filter(|line| !self.names_somebody(line)) else {
                continue;
            };
            let at = self.stage.kept.now;
            let line = Line::Other(line);
            let letter = self.letter(at, master, sign.clone(), vec![line.clone()]);
            let records = self.stage.would(&letter, &address).records;
            // A text would take in all that stands below it.
            if !log(&records, GAME).is_empty() && !line.text().contains('\n') {
                lines.push(line);
            }
        }
        // Where it is secret what has come, who processes himself may not be told of it either.
        let often = if own::is_unseen(self.fixture.variant) {
            60
        } else {
            10
        };
        if self.dice.chance(often) {
            lines.push(Line::Other("SET MANUAL PROCESS".to_owned()));
        }
        if lines.is_empty() {
            return;
        }
        let draft = Draft {
            from: master,
            sign,
            lines,
            instead: Vec::new(),
        };
        let now = self.stage.kept.now;
        self.send(vec![draft], now, now + SignedDuration::from_mins(30));
    }

    /// Whether a line holds what is hidden of somebody: whoever reads of it would learn that from its writer.
    pub(super) fn names_somebody(&self, line: &str) -> bool {
        let people = &self.fixture.cast.people;
        people.iter().any(|one| {
            // Behind the name an address may be misspelt.
            let own = [name(&one.address), one.name.as_str(), one.word.as_str()];
            own.into_iter().any(|word| line.contains(word))
        })
    }

    /// Where nothing is processed by the clock, the master does it.
    fn master_processes(&mut self) {
        let Some(master) = self.people(Part::Master).first().copied() else {
            return;
        };
        let word = &self.fixture.cast.people[master].word;
        let draft = Draft {
            from: master,
            sign: Sign::Line(format!("SIGNON M{GAME} {word}")),
            lines: vec![Line::Other("PROCESS".to_owned())],
            instead: Vec::new(),
        };
        let now = self.stage.kept.now;
        self.send(vec![draft], now, now + SignedDuration::from_mins(30));
    }

    /// A letter that may be tried.
    fn letter(&self, at: Timestamp, from: usize, sign: Sign, lines: Vec<Line>) -> Letter {
        Letter {
            id: usize::MAX,
            at,
            from,
            elsewhere: None,
            sign,
            lines,
            instead: Vec::new(),
            phase: self.game().number,
            wrap: Wrap::plain(1 << 43),
        }
    }

    /// Lets time pass; whether the phase was adjudicated.
    fn passes(&mut self, number: u32, until: Timestamp) -> bool {
        if self.game().number == number {
            let until = until.max(self.stage.kept.now);
            self.stage.clock(until);
        }
        self.game().number != number
    }

    /// Sends letters at distinct minutes within a stretch of time, in random order.
    pub(super) fn send(&mut self, mut drafts: Vec<Draft>, from: Timestamp, to: Timestamp) {
        let minutes = usize::try_from(to.duration_since(from).as_mins()).unwrap_or(0);
        let step = (minutes / (drafts.len() + 1)).clamp(1, 60);
        // Answers to a phase's end come within its own minute otherwise.
        let first = from.as_second() - from.as_second().rem_euclid(60) + 60;
        let mut minute = 0;
        while !drafts.is_empty() {
            let draft = drafts.remove(self.dice.below(drafts.len()));
            minute += 1 + self.dice.below(step) as i64;
            let at = Timestamp::from_second(first + minute * 60).expect("a time");
            self.post(draft, at.max(self.stage.kept.now));
        }
    }

    fn post(&mut self, draft: Draft, at: Timestamp) {
        let id = self.letters.len();
        if id.is_multiple_of(STATION) {
            self.stations.push(Station {
                done: id,
                kept: Arc::new(self.stage.kept.clone()),
            });
        }
        let letter = Letter {
            id,
            at,
            from: draft.from,
            elsewhere: None,
            sign: draft.sign,
            lines: draft.lines,
            instead: draft.instead,
            phase: self.game().number,
            wrap: Wrap::plain(id as u64),
        };
        let address = &self.fixture.cast.people[letter.from].address;
        self.stage.receive(&letter, address);
        self.letters.push(letter);
    }

    pub(super) fn sign(&mut self, person: usize) -> Sign {
        let one = &self.fixture.cast.people[person];
        let word = &one.word;
        // A master runs both games: where he alone is told of others' doings, these would say which of the two he answers.
        let master = one.part == Part::Master && self.fixture.is_of_civilizations();
        if self.dice.chance(20) && one.part != Part::Stranger && !master {
            return Sign::Token;
        }
        if self.dice.chance(3) {
            return self.false_sign(person);
        }
        let line = match one.part {
            Part::Master => format!("SIGNON M{GAME} {word}"),
            Part::Observer => format!("SIGNON O{GAME} {word}"),
            Part::Stranger | Part::Elsewhere => return Sign::Nothing,
            Part::Candidate if self.power_of(person).is_none() => {
                format!("SIGNON {FORMING} {word}")
            }
            Part::Player | Part::Candidate => {
                let letter = self
                    .power_of(person)
                    .map(|power| labels(self.game()).letter(power))
                    .filter(|letter| letter.len() == 1);
                match letter {
                    Some(letter) if self.dice.chance(70) => format!("SIGNON {letter}{GAME} {word}"),
                    _ => format!("SIGNON {GAME} {word}"),
                }
            }
        };
        Sign::Line(line)
    }

    fn drafts_of(&mut self, person: usize) -> Vec<Draft> {
        match self.fixture.cast.people[person].part {
            Part::Master => self.drafts_of_master(person),
            Part::Player => self.drafts_of_player(person),
            Part::Candidate if self.power_of(person).is_some() => self.drafts_of_player(person),
            Part::Candidate => self.drafts_of_candidate(person),
            Part::Elsewhere => Vec::new(),
            _ if self.dice.chance(35) => vec![self.question(person)],
            _ => Vec::new(),
        }
    }

    fn drafts_of_player(&mut self, person: usize) -> Vec<Draft> {
        let mut drafts = Vec::new();
        let Some(power) = self.power_of(person) else {
            // He has left, and tries it all the same.
            return if self.dice.chance(40) {
                vec![self.question(person)]
            } else {
                drafts
            };
        };
        let due = VariantGame::new(self.game(), self.variant)
            .requirements()
            .due
            .contains_key(&power);
        let silent = self.silent == Some(person);
        if due && !silent && (self.diligent || self.dice.chance(96)) {
            let careless = !self.diligent && self.dice.chance(30);
            drafts.push(self.orders_draft(person, power, careless));
            if careless && self.dice.chance(70) {
                drafts.push(self.orders_draft(person, power, false));
            }
        }
        let mut lines = Vec::new();
        if due && !silent && (self.diligent || self.dice.chance(80)) {
            let owed = self.owed_line(person, power);
            lines.extend(owed);
            let wanted = self.wanted_lines(person, power);
            lines.extend(wanted);
        }
        // A line that is refused keeps the phase from being complete.
        let own = match () {
            () if self.diligent => 0,
            () if self.fixture.is_of_civilizations() => 25,
            () => 60,
        };
        if self.sentences.any() && self.dice.chance(own) {
            let line = self.own_line(power);
            lines.push(line);
        }
        if self.fixture.is_of_civilizations() {
            lines.extend(self.another_name());
        }
        if self.dice.chance(20) {
            lines.push(self.vote(power));
        }
        if self.dice.chance(12) {
            lines.push(Line::Wait(self.dice.chance(60)));
        }
        if self.dice.chance(30) {
            let press = self.press(power);
            lines.push(press);
        }
        if !self.diligent && self.dice.chance(12) {
            let line = self.ahead(power);
            lines.push(line);
        }
        if self.dice.chance(30) {
            let question = self.ask(person);
            lines.push(Line::Ask(question));
        }
        if self.dice.chance(20) {
            let setting = self.own_setting(person);
            lines.extend(setting.map(Line::Other));
        }
        if !self.diligent && self.dice.chance(15) {
            let line = self.own_doing(power);
            lines.push(line);
        }
        if self.fixture.options.gunboat && self.dice.chance(50) {
            drafts.extend(self.answer_to_a_letter(person));
        }
        if self.game().number > 0 && self.dice.chance(3) {
            lines.push(Line::Other("RESIGN".to_owned()));
        }
        if !lines.is_empty() {
            let sign = self.sign(person);
            drafts.push(Draft {
                from: person,
                sign,
                lines,
                instead: Vec::new(),
            });
        }
        drafts
    }

    fn orders_draft(&mut self, person: usize, power: Power, careless: bool) -> Draft {
        let written = self.order_lines(power, careless);
        let instead = vec![
            self.order_lines(power, false),
            self.order_lines(power, true),
        ];
        let sign = self.sign(person);
        Draft {
            from: person,
            sign,
            lines: written,
            instead,
        }
    }

    pub(super) fn order_lines(&mut self, power: Power, careless: bool) -> Vec<Line> {
        let game = self.stage.game(GAME);
        if self.still && game.phase == Phase::Movement {
            let units = game.position.units_of(power);
            let holds = units.map(|unit| Line::Order(format!("{} {} H", unit.kind, unit.at)));
            return holds.collect();
        }
        let mut lines: Vec<Line> = orders(game, self.variant, power, careless, self.dice)
            .into_iter()
            .map(Line::Order)
            .collect();
        if self.fixture.is_of_civilizations() {
            lines.extend(self.meeting_moves(power));
        } else if self.sentences.any() && !self.diligent && self.dice.chance(30) {
            lines.push(self.own_line(power));
        }
        lines
    }

    pub(super) fn own_line(&mut self, power: Power) -> Line {
        Line::Own(self.own_words(power))
    }

    /// Where no orders are due, but a line of the variant's own is: one that is accepted, so that all may have sent theirs.
    fn owed_line(&mut self, person: usize, power: Power) -> Option<Line> {
        let game = self.stage.game(GAME);
        let ordered = !orders(game, self.variant, power, false, self.dice).is_empty();
        if ordered || !self.sentences.any() {
            return None;
        }
        let word = self.fixture.cast.people[person].word.clone();
        for attempt in 0..MOST_ATTEMPTS {
            // Where all say the same, it may be refused to one of them.
            let line = Line::Own(match attempt % 2 {
                0 => self.own_words(power),
                _ => self.words_of_its_own(power),
            });
            let sign = Sign::Line(format!("SIGNON {GAME} {word}"));
            let at = self.stage.kept.now;
            let letter = self.letter(at, person, sign, vec![line.clone()]);
            let address = &self.fixture.cast.people[person].address;
            let answer = self.stage.would(&letter, address);
            let records = log(&answer.records, GAME);
            let game = records
                .iter()
                .try_fold(self.game().clone(), |game, record| {
                    apply::replay(Some(game), record)
                });
            let Ok(game) = game else { continue };
            let requirements = VariantGame::new(&game, self.variant).requirements();
            if !requirements.due.contains_key(&power) {
                return Some(line);
            }
        }
        None
    }

    /// Where lines of the variant's own are due beside orders: one for each submission that is accepted.
    fn wanted_lines(&mut self, person: usize, power: Power) -> Vec<Line> {
        let lacks = |game: &Game| {
            let requirements = VariantGame::new(game, variants::of(&game.variant)).requirements();
            requirements.wanting.contains(&power)
        };
        let mut game = self.game().clone();
        let mut lines = Vec::new();
        let mut names = BTreeSet::new();
        let address = self.fixture.cast.people[person].address.clone();
        let word = self.fixture.cast.people[person].word.clone();
        let attempts = if self.diligent { 10 } else { 3 };
        for attempt in 0..attempts * MOST_ATTEMPTS {
            if !lacks(&game) {
                break;
            }
            let line = Line::Own(match attempt % 2 {
                0 => self.own_words(power),
                _ => self.words_of_its_own(power),
            });
            let sign = Sign::Line(format!("SIGNON {GAME} {word}"));
            let at = self.stage.kept.now;
            let letter = self.letter(at, person, sign, vec![line.clone()]);
            let records = log(&self.stage.would(&letter, &address).records, GAME);
            let events = records.iter().flat_map(|record| &record.events);
            let submitted = events.filter_map(|event| match event {
                Event::Submitted { name, .. } => Some(name.to_string()),
                _ => None,
            });
            let submitted: Vec<String> = submitted.collect();
            if submitted.iter().any(|name| !names.contains(name)) {
                let after = records.iter().try_fold(game.clone(), |game, record| {
                    apply::replay(Some(game), record)
                });
                // What is taken with a fault would leave the phase open.
                let after = after.ok().filter(|after| !after.standing(power).flag);
                if let Some(after) = after {
                    names.extend(submitted);
                    game = after;
                    lines.push(line);
                }
            }
        }
        lines
    }

    fn own_words(&mut self, power: Power) -> String {
        let line = self.words_of_its_own(power);
        if !self.alike {
            return line;
        }
        // What begins with the same word is said by all in the same words.
        let begins = |line: &str| line.split(' ').next().map(str::to_owned);
        let mut said = self.said.iter();
        match said.find(|said| begins(said) == begins(&line)) {
            Some(said) => said.clone(),
            None => {
                self.said.push(line.clone());
                line
            }
        }
    }

    fn words_of_its_own(&mut self, power: Power) -> String {
        let known = self.known_names(power);
        let game = self.stage.game(GAME);
        if self.fixture.variant == silly::NAME && self.dice.chance(85) {
            return silly::line(game, power, self.dice);
        }
        let near = neighborhood(game, power);
        self.sentences.line(game, &near, &known, self.dice)
    }

    /// Where readers have labels of their own: those by which a power calls the others whom it may address, mostly. None
    /// where names are public.
    fn known_names(&mut self, power: Power) -> Vec<String> {
        self.known(power)
            .into_iter()
            .map(|(_, name)| name)
            .collect()
    }

    fn known(&mut self, power: Power) -> Vec<(Power, String)> {
        let game = self.stage.game(GAME);
        if self.variant.own_labels().is_none() || power == Power::NEUTRAL || self.dice.chance(20) {
            return Vec::new();
        }
        let roster = VariantGame::new(game, self.variant)
            .seen_by(Viewer::Power(power))
            .roster();
        let others = roster.iter().filter(|(other, _)| *other != power);
        others
            .map(|(other, info)| (other, info.name.clone()))
            .collect()
    }

    pub(super) fn vote(&mut self, power: Power) -> Line {
        let other = self
            .other(power)
            .map_or("France".to_owned(), |(_, name)| name);
        Line::Vote(match self.dice.below(5) {
            0 | 1 => "SET DRAW".to_owned(),
            2 => format!("SET DRAW {other}"),
            3 => format!("SET CONCEDE {other}"),
            _ => "SET NO DRAW".to_owned(),
        })
    }

    pub(super) fn other(&mut self, power: Power) -> Option<(Power, String)> {
        let known = self.known(power);
        if !known.is_empty() {
            return self.dice.pick(&known).cloned();
        }
        let game = self.stage.game(GAME);
        let others: Vec<Power> = game.all_powers().filter(|other| *other != power).collect();
        let other = *self.dice.pick(&others)?;
        let name = labels(game).name(other).to_owned();
        // Whoever has names of his own for others may mean another by it.
        let roster = VariantGame::new(game, self.variant)
            .seen_by(Viewer::Power(power))
            .roster();
        let meant = self.variant.own_labels().and_then(|_| {
            let mut known = roster.iter();
            known.find_map(|(power, info)| (info.name == name).then_some(power))
        });
        Some((meant.unwrap_or(other), name))
    }

    fn press(&mut self, power: Power) -> Line {
        let word = self.dice.word() + &self.dice.word();
        let signed = self.is_signed();
        // What the game does not allow is refused, and that must tell nothing either.
        let allowed = self.game().settings.grey;
        let color = match self.dice.below(if allowed { 3 } else { 12 }) {
            0 => "GREY ",
            1 => "WHITE ",
            _ => "",
        };
        let fakes = self.game().settings.fakes != Fakes::No;
        let fake = match (
            self.dice.chance(if fakes { 15 } else { 2 }),
            self.other(power),
        ) {
            (true, Some((_, name))) if self.dice.chance(50) => format!(" FAKE TO {name}"),
            (true, _) => " FAKE TO ALL".to_owned(),
            (false, _) => String::new(),
        };
        let but = self.other(power);
        if let Some((options, to)) = self.letter_to_two(power, color) {
            return Line::Press(Press {
                options,
                to: Some(to),
                word,
                signed,
            });
        }
        let (options, to) = match self.dice.below(7) {
            0 => (format!("{color}TO ALL"), None),
            // Everybody but one: as far as anybody may know, everybody.
            6 => match but {
                Some((_, name)) => (format!("{color}TO ALL BUT {name}"), None),
                None => (format!("{color}TO ALL"), None),
            },
            1 => ("TO M".to_owned(), Some(Vec::new())),
            2 => match (self.other(power), self.other(power)) {
                (Some((one, first)), Some((two, second))) => (
                    format!("{color}TO {first}, {second}{fake}"),
                    Some(vec![one.0, two.0]),
                ),
                _ => ("TO ALL".to_owned(), None),
            },
            _ => match self.other(power) {
                Some((one, name)) => (format!("{color}TO {name}{fake}"), Some(vec![one.0])),
                None => ("TO ALL".to_owned(), None),
            },
        };
        Line::Press(Press {
            options,
            to,
            word,
            signed,
        })
    }

    /// Whether a letter bears its writer's name, where that must not reach its readers.
    pub(super) fn is_signed(&mut self) -> bool {
        let hidden = self.fixture.options.gunboat && !self.fixture.hides_existence();
        hidden && self.dice.chance(15)
    }

    /// Where it is hidden who exists, two whom the writer has met, who may not have met each other.
    fn letter_to_two(&mut self, power: Power, color: &str) -> Option<(String, Vec<u8>)> {
        let mut known = self.known(power);
        if known.len() < 2 || self.dice.chance(40) {
            return None;
        }
        let (one, first) = known.remove(self.dice.below(known.len()));
        let (two, second) = known.remove(self.dice.below(known.len()));
        Some((format!("{color}TO {first}, {second}"), vec![one.0, two.0]))
    }

    pub(super) fn ahead(&mut self, power: Power) -> Line {
        let game = self.stage.game(GAME);
        if self.sentences.any() && self.dice.chance(50) {
            return self.own_ahead(power);
        }
        let turn = self.variant.next_turn(game.turn);
        let phase = format!("{}{}M", turn.season.letter(), turn.year);
        let lines = orders(game, self.variant, power, true, self.dice);
        Line::Ahead(format!("PHASE {phase}\n{}\nENDPHASE", lines.join("\n")))
    }

    /// A line of the variant's own for this year's Winter, or where that asks for no adjustments for the next movement.
    fn own_ahead(&mut self, power: Power) -> Line {
        let line = self.own_words(power);
        // What acts at once is no line for a later phase, and no secret.
        let begins = |text: &str| text.split(' ').next().map(str::to_uppercase);
        let mut acts = self.variant.card().commands.iter();
        if acts.any(|act| act.examples.iter().any(|one| begins(one) == begins(&line))) {
            return Line::Own(line);
        }
        let turn = self.stage.game(GAME).turn;
        let winter = Turn {
            season: Season::Winter,
            ..turn
        };
        let played = self.variant.order_of_play(winter);
        let phase = match played.contains(&Phase::Adjustments) {
            true => format!("W{}A", winter.year),
            false => {
                let next = self.variant.next_turn(turn);
                format!("{}{}M", next.season.letter(), next.year)
            }
        };
        Line::Ahead(format!("PHASE {phase}\n{line}\nENDPHASE"))
    }

    /// A question that anybody may put.
    pub(super) fn ask(&mut self, person: usize) -> String {
        let common = [
            format!("LIST {GAME}"),
            format!("LIST {GAME}"),
            format!("SUMMARY {GAME}"),
            format!("HISTORY {GAME}"),
            format!("HISTORY {GAME}"),
            format!("WHOGAME {GAME}"),
            format!("WHOGAME {GAME} FULL"),
            self.map(),
            self.map(),
            format!("LIST {FORMING}"),
            "LIST".to_owned(),
            "VERSION".to_owned(),
            "GET DEDICATION".to_owned(),
            "STATUS".to_owned(),
        ];
        let rare = [
            format!("HISTORY {GAME} LINES 40"),
            format!("SUMMARY {FORMING}"),
            format!("WHOGAME {FORMING}"),
            format!("HISTORY {FORMING}"),
            "LIST FULL".to_owned(),
            "GET FLIST".to_owned(),
            "HELP DRAW".to_owned(),
        ];
        if self.dice.chance(12) {
            return rare[self.dice.below(rare.len())].clone();
        }
        let stranger = self.fixture.cast.people[person].part == Part::Stranger;
        let most = common.len() - if stranger { 2 } else { 0 };
        common[self.dice.below(most)].clone()
    }

    /// MAP, of the board as it stands or of a phase of the past.
    fn map(&mut self) -> String {
        let game = self.stage.game(GAME);
        let card = self.variant.card();
        let past = game.past.iter().filter(|past| card.is_called(&past.phase));
        let past = past.map(|past| card.phase_name(&past.phase, past.turn));
        let past: Vec<String> = past.map(|name| name.to_string()).collect();
        match self.dice.pick(&past) {
            Some(phase) if self.dice.chance(40) => format!("MAP {GAME} {phase}"),
            _ => format!("MAP {GAME}"),
        }
    }

    pub(super) fn question(&mut self, person: usize) -> Draft {
        let sign = match self.dice.below(3) {
            0 => Sign::Nothing,
            _ => self.sign(person),
        };
        let count = 1 + self.dice.below(2);
        let mut lines: Vec<Line> = (0..count).map(|_| Line::Ask(self.ask(person))).collect();
        if self.fixture.cast.people[person].part == Part::Observer && self.dice.chance(25) {
            lines.push(self.watchers_press());
        }
        Draft {
            from: person,
            sign,
            lines,
            instead: Vec::new(),
        }
    }

    fn drafts_of_candidate(&mut self, person: usize) -> Vec<Draft> {
        let mut drafts: Vec<Draft> = self.newcomer(person).into_iter().collect();
        if self.dice.chance(25) {
            drafts.push(self.question(person));
        }
        if self.dice.chance(25) {
            let mut lists = ["AEF", "T", "[EFG]I", "*"].to_vec();
            let list = lists.remove(self.dice.below(lists.len()));
            let other = lists.remove(self.dice.below(lists.len()));
            let setting = |list: &str| Line::Order(format!("SET PREFERENCE {list}"));
            drafts.push(Draft {
                from: person,
                sign: Sign::Line(format!(
                    "SIGNON {FORMING} {}",
                    self.fixture.cast.people[person].word
                )),
                lines: vec![setting(list)],
                instead: vec![vec![setting(other)]],
            });
        }
        drafts
    }

    /// Orders of those who are still missing, most of them.
    fn late_orders(&mut self) -> Vec<Draft> {
        let missing = VariantGame::new(self.game(), self.variant).powers_missing();
        let mut drafts = self.newcomers();
        let mut leaders = self.people(Part::Player);
        leaders.extend(self.people(Part::Candidate));
        for person in leaders {
            let power = self
                .power_of(person)
                .filter(|power| missing.contains(power));
            if let Some(power) = power
                && self.dice.chance(85)
            {
                drafts.push(self.orders_draft(person, power, false));
            }
        }
        for person in self.people(Part::Observer) {
            drafts.push(self.question(person));
        }
        drafts
    }

    /// Everybody asks once more, so that nothing stays unseen.
    fn questions(&mut self, after: Timestamp) {
        let people = &self.fixture.cast.people;
        let asks = |person: &usize| people[*person].part != Part::Elsewhere;
        let asking: Vec<usize> = (0..people.len()).filter(asks).collect();
        let drafts: Vec<Draft> = asking
            .into_iter()
            .map(|person| self.question(person))
            .collect();
        self.send(drafts, after, after + SignedDuration::from_hours(4));
    }
}
