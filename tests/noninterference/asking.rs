//! Questions put to both runs of a pair at an hour at which their readers can know of no difference: every row of the judge's
//! tables, by everybody who may be told nothing, and every export. Nothing of it is kept, so much can be asked at one hour.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use dipjudge::game::project::Chronicle;
use dipjudge::game::{Record, Variant};
use dipjudge::interchange;
use dipjudge::planted::{Leak, reached};
use dipjudge::shell::daemon::record_of;
use dipjudge::view::{Board, Viewer};
use jiff::{SignedDuration, Timestamp};

use super::author::Run;
use super::compare::{lines_that_differ, parting, same, without_tokens};
use super::conditions::led;
use super::dice::Dice;
use super::fixture::{CELLAR, FORMING, Fixture, GAME, HALL, OTHER_CELLAR, Part};
use super::letters::{Letter, Line, Sign, Wrap};
use super::openings::Openings;
use super::oracle::observe;
use super::published;
use super::stage::{Answer, Kept, Sent, Stage, log};
use super::tongue::{Tongue, Words, bends_the_calendar, name_of};

/// What everybody asks of the game that is played.
const USUAL: [&str; 4] = ["LIST", "WHOGAME", "SUMMARY", "HISTORY"];
/// Lines of others that one mail repeats.
const ECHOES: usize = 6;
/// Rows of one mail.
const ROWS: usize = 6;
/// Hours that pass after something was asked for good.
const AFTER: i64 = 30;
/// Orders and lines of the variant's own, as a row.
const ORDER: &str = "orders and lines of the variant";
/// A sentence of somebody who does not say who he is, as a row.
const UNSIGNED: &str = "a first sentence without a sign-on";
/// The answer to a proposal, as a row.
const YES: &str = "YES to whatever is proposed";

/// How often what was asked while the twins differed in something hidden.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// By row.
    pub rows: BTreeMap<String, usize>,
    /// By the class of who asks.
    pub parts: BTreeMap<Part, usize>,
    /// By variant.
    pub variants: BTreeMap<&'static str, usize>,
    /// By what is read beside answers.
    pub exports: BTreeMap<&'static str, usize>,
}

impl Asked {
    pub fn add(&mut self, other: &Asked) {
        for (row, count) in &other.rows {
            *self.rows.entry(row.clone()).or_default() += count;
        }
        for (part, count) in &other.parts {
            *self.parts.entry(*part).or_default() += count;
        }
        for (variant, count) in &other.variants {
            *self.variants.entry(variant).or_default() += count;
        }
        for (what, count) in &other.exports {
            *self.exports.entry(what).or_default() += count;
        }
    }
}

/// Two runs at one hour.
pub struct Hour<'h> {
    pub at: Timestamp,
    pub variant: &'static dyn Variant,
    pub fixtures: (&'h Fixture, &'h Fixture),
    pub runs: (&'h Run, &'h Run),
    /// Played again when a planted leak of which something in them came is closed.
    pub stages: RefCell<Rc<(Stage, Stage)>>,
    /// The same stages, played from the beginning.
    pub anew: &'h dyn Fn() -> (Stage, Stage),
    /// Those who can know of no difference.
    pub readers: Vec<usize>,
    /// What the rows of the first mail are, among all.
    pub first_row: usize,
    /// Mails with rows of the tables that are tried.
    pub mails: usize,
}

/// What was told differently, to whom.
pub struct Told {
    pub reader: usize,
    pub what: String,
    /// Planted leaks that were open on the way.
    pub past: BTreeSet<Leak>,
}

/// What is held against each other at two stages; what was told differently, if anything was.
type Look<'l> = &'l dyn Fn(&(Stage, Stage)) -> Option<Told>;

impl Hour<'_> {
    /// Asks everything.
    ///
    /// # Errors
    /// The first answer that differs, though its reader may know of no difference, and no planted leak explains it.
    pub fn ask(
        mut self,
        dice: &mut Dice,
        asked: &mut Asked,
        openings: &mut Openings,
    ) -> Result<(), Told> {
        let tongue = Tongue::of(self.variant);
        let rows = tongue.rows();
        let mut next = self.first_row;
        for reader in self.askers(dice) {
            let letter = self.usual(reader, dice);
            self.hold(&|stages| self.differs(stages, &letter), openings)
                .map_err(|told| self.smaller(&letter, told))?;
        }
        for letter in self.echoes(dice) {
            self.hold(&|stages| self.differs(stages, &letter), openings)
                .map_err(|told| self.smaller(&letter, told))?;
        }
        for _ in 0..self.mails {
            let Some(reader) = dice.pick(&self.readers).copied() else {
                return Ok(());
            };
            let words = self.words(reader);
            let mut lines = Vec::new();
            if dice.chance(20) || self.part(reader) == Part::Master && dice.chance(50) {
                lines.push(words.become_one(dice));
            }
            let mut of: Vec<String> = Vec::new();
            if dice.chance(40) {
                lines.push(tongue.order(&words, dice));
                of.push(ORDER.to_owned());
            }
            if dice.chance(25) {
                lines.push(words.why(dice));
            }
            for _ in 0..ROWS {
                // A step that is prime to most lengths, so that each mail has rows of several families.
                next += 37;
                let row = &rows[next % rows.len()];
                lines.push(tongue.line(row, &words, dice));
                of.push(name_of(row));
            }
            let sign = self.sign(reader, &words, dice);
            if sign == Sign::Nothing {
                lines.insert(0, words.first_sentence(next));
                of.push(UNSIGNED.to_owned());
            }
            let letter = self.letter(reader, sign, &lines);
            self.hold(&|stages| self.differs(stages, &letter), openings)
                .map_err(|told| self.smaller(&letter, told))?;
            *asked.parts.entry(self.part(reader)).or_default() += 1;
            *asked.variants.entry(self.fixtures.0.variant).or_default() += 1;
            for row in of {
                *asked.rows.entry(row).or_default() += 1;
            }
        }
        let mut strangers = self.readers.iter().copied();
        if let Some(stranger) = strangers.find(|one| self.part(*one) == Part::Stranger) {
            self.hold(&|stages| self.sites(stages, stranger), openings)?;
            *asked.exports.entry("site").or_default() += 1;
        }
        for reader in self.viewers() {
            self.hold(&|stages| self.exports(stages, reader), openings)?;
            for what in ["saved game", "map", "page"] {
                *asked.exports.entry(what).or_default() += 1;
            }
        }
        if !self.readers.is_empty() {
            self.hold(&|stages| self.past_maps(stages), openings)?;
            *asked.exports.entry("past map").or_default() += 1;
        }
        self.for_good(&tongue, dice, asked, openings)
    }

    /// What everybody asks who looks for a difference: of each game in a list, and who leads a power votes about one that differs.
    fn usual(&self, reader: usize, dice: &mut Dice) -> Letter {
        let words = self.words(reader);
        let mut lines: Vec<String> = USUAL.iter().map(|what| format!("{what} {GAME}")).collect();
        lines.push(format!("LIST {FORMING}"));
        lines.push(format!("LIST {HALL}"));
        lines.push(words.whois(dice));
        if led(self.stages().0.game(GAME), self.address(reader)).is_some() {
            lines.extend(words.votes(dice));
        }
        if self.part(reader) == Part::Master {
            lines.push("PREDICT".to_owned());
        }
        self.letter(reader, self.own_sign(reader, dice), &lines)
    }

    /// All readers, and of those who have to do with no game, or with another, one of each.
    fn askers(&self, dice: &mut Dice) -> Vec<usize> {
        let (mut apart, mut askers): (Vec<usize>, Vec<usize>) = self
            .readers
            .iter()
            .partition(|reader| matches!(self.part(**reader), Part::Stranger | Part::Elsewhere));
        while !apart.is_empty() {
            let one = apart.swap_remove(dice.below(apart.len()));
            apart.retain(|other| self.part(*other) != self.part(one));
            askers.push(one);
        }
        askers
    }

    /// What was said in one run alone is said again by all who play or run the game: what counts in one series, or is refused to the
    /// second who wants it, shows by that.
    fn echoes(&self, dice: &mut Dice) -> Vec<Letter> {
        let (one, other) = (&self.runs.0.letters, &self.runs.1.letters);
        let pairs = one.iter().zip(other).filter(|(one, _)| one.at < self.at);
        let mut said: Vec<String> = Vec::new();
        for (one, other) in pairs.filter(|(one, other)| one.lines != other.lines) {
            for (lines, others) in [(&one.lines, &other.lines), (&other.lines, &one.lines)] {
                let alone = lines.iter().filter(|line| !others.contains(line));
                let alone = alone.filter(|line| !matches!(line, Line::Press(_) | Line::Answer(_)));
                said.extend(alone.map(Line::text));
            }
        }
        // What gives a power up would leave nobody to say the rest.
        said.retain(|line| line != "RESIGN");
        said.dedup();
        if said.is_empty() {
            return Vec::new();
        }
        let readers = self.readers.iter().copied();
        let plays = readers.filter(|reader| {
            let leads = led(self.stages().0.game(GAME), self.address(*reader)).is_some();
            leads || self.part(*reader) == Part::Master
        });
        // And taken back by them, who have nothing to take back.
        let taken_back: Vec<String> = said.iter().filter_map(|line| opposite(line)).collect();
        let mut letters = Vec::new();
        for reader in plays {
            for said in [&said, &taken_back]
                .into_iter()
                .filter(|said| !said.is_empty())
            {
                let first = dice.below(said.len());
                let lines = said.iter().cycle().skip(first).take(said.len().min(ECHOES));
                let lines: Vec<String> = lines.cloned().collect();
                letters.push(self.letter(reader, self.own_sign(reader, dice), &lines));
            }
        }
        letters
    }

    /// Looks until nothing differs any more, or until something does of which no planted leak is the cause.
    fn hold(&self, look: Look<'_>, openings: &mut Openings) -> Result<(), Told> {
        reached();
        while let Some(told) = look(&self.stages()) {
            let mut here = || look(&self.stages()).is_some();
            let mut anew = || look(&(self.anew)()).is_some();
            if !openings.explain(&told.what, &told.past, &mut [&mut here, &mut anew]) {
                return Err(told);
            }
            if look(&self.stages()).is_some() {
                self.stages.replace(Rc::new((self.anew)()));
            }
        }
        Ok(())
    }

    fn stages(&self) -> Rc<(Stage, Stage)> {
        self.stages.borrow().clone()
    }

    /// Those who lead powers, and one of the others, who all see the same.
    fn viewers(&self) -> Vec<usize> {
        let stages = self.stages();
        let mut looked = BTreeSet::new();
        let readers = self.readers.iter().copied();
        let first = readers.filter(|reader| {
            let power = led(stages.0.game(GAME), self.address(*reader));
            looked.insert(power)
        });
        first.collect()
    }

    /// What is drawn of each phase of the past for those who may ask for it.
    fn past_maps(&self, stages: &(Stage, Stage)) -> Option<Told> {
        let logs = (records(&stages.0), records(&stages.1));
        let (one, other) = (Chronicle::of(&logs.0).ok()?, Chronicle::of(&logs.1).ok()?);
        let card = self.variant.card();
        let drawn = |chronicle: &Chronicle, viewer: Viewer| -> String {
            let past = chronicle.now().past.iter();
            let played = past.filter(|past| card.is_called(&past.phase));
            let seen = chronicle.seen_by(self.variant, viewer);
            let boards = played.filter_map(|past| {
                let name = card.phase_name(&past.phase, past.turn);
                seen.board_of_phase(name)
            });
            let boards: Vec<String> = boards.map(|board| on_board(&board)).collect();
            boards.join("\n")
        };
        for reader in self.viewers() {
            let power = led(one.now(), self.address(reader));
            if power != led(other.now(), self.address(reader)) {
                continue;
            }
            let viewer = power.map_or(Viewer::Observer, Viewer::Power);
            let (one, other) = (drawn(&one, viewer), drawn(&other, viewer));
            let told = self.compare(reader, "past map", &one, &other);
            if told.is_some() {
                return told;
            }
        }
        None
    }

    /// Something is asked for good, and perhaps a proposal taken; then time passes.
    fn for_good(
        &mut self,
        tongue: &Tongue,
        dice: &mut Dice,
        asked: &mut Asked,
        openings: &mut Openings,
    ) -> Result<(), Told> {
        let Some(reader) = dice.pick(&self.readers).copied() else {
            return Ok(());
        };
        let words = self.words(reader);
        let mut lines = Vec::new();
        for _ in 0..2 {
            let row = dice.pick(tongue.rows());
            lines.push(match row {
                Some(row) if dice.chance(50) => tongue.line(row, &words, dice),
                _ => tongue.order(&words, dice),
            });
        }
        lines.extend(tongue.own_setting(&words, dice));
        lines.retain(|line| !bends_the_calendar(line, self.fixtures.0));
        let sign = self.sign(reader, &words, dice);
        let first = self.letter(reader, sign, &lines);
        let mut second = self.letter(reader, Sign::Nothing, &["YES".to_owned()]);
        second.at += SignedDuration::from_mins(1);
        second.wrap.id += 1;
        *asked.rows.entry(YES.to_owned()).or_default() += 1;
        self.hold(
            &|stages| self.passes(stages, &[first.clone(), second.clone()]),
            openings,
        )
    }

    /// Letters come, and time passes.
    fn passes(&self, stages: &(Stage, Stage), letters: &[Letter]) -> Option<Told> {
        let address = |letter: &Letter| self.address(letter.from);
        let until = self.at + SignedDuration::from_hours(AFTER);
        let later = |stage: &Stage| {
            let mut later = stage.copy();
            for letter in letters {
                later.receive(letter, address(letter));
            }
            later.clock(until);
            later
        };
        let later = (later(&stages.0), later(&stages.1));
        let sent = (
            later.0.sent_since(stages.0.kept.sent.len()),
            later.1.sent_since(stages.1.kept.sent.len()),
        );
        let differs = |reader: &usize| self.first_difference(*reader, sent.0, sent.1, None);
        let differing = self.readers.iter().copied();
        let differing: Vec<usize> = differing.filter(|one| differs(one).is_some()).collect();
        if differing.is_empty() {
            return None;
        }
        let seen = |run: &Run, stage: &Stage, fixture: &Fixture| {
            let mut run = run.clone();
            run.letters.retain(|letter| letter.at < self.at);
            run.letters.extend(letters.iter().cloned());
            observe(&run, &stage.kept, fixture)
        };
        let ones = seen(self.runs.0, &later.0, self.fixtures.0);
        let others = seen(self.runs.1, &later.1, self.fixtures.1);
        let mut told = differing.into_iter().filter_map(|reader| {
            let until = parting(&ones[reader], &others[reader]).map(|(at, _)| at);
            self.first_difference(reader, sent.0, sent.1, until)
        });
        let mut told = told.next()?;
        let bodies = letters
            .iter()
            .map(|letter| letter.body().replace('\n', " / "));
        let asked: Vec<String> = bodies.collect();
        told.what = format!("after {} at {}\n{}", asked.join(" // "), self.at, told.what);
        Some(told)
    }

    /// What a reader may ask after, what differs above all.
    fn words(&self, reader: usize) -> Words {
        let stages = self.stages();
        let (one, other) = (stages.0.game(GAME), stages.1.game(GAME));
        let words = Words::of(self.fixtures.0, one, reader);
        words
            .asking_after(one, other)
            .asking_of(self.games_that_differ())
            .asking_about(self.people_who_differ())
    }

    /// Games that are not the same in the other run.
    fn games_that_differ(&self) -> Vec<String> {
        let stages = self.stages();
        let games = [GAME, FORMING, HALL, CELLAR, OTHER_CELLAR];
        let games = games.iter().filter(|name| {
            let (one, other) = (&stages.0.judge, &stages.1.judge);
            one.game(name) != other.game(name)
        });
        games.map(|name| (*name).to_owned()).collect()
    }

    /// Addresses and names of those who are somebody else in the other run, or something else in its games.
    fn people_who_differ(&self) -> Vec<String> {
        let of = |stage: &Stage, fixture: &Fixture, n: usize| {
            let person = fixture.cast.people[n].clone();
            let games = [GAME, FORMING].into_iter().map(|name| {
                let game = stage.game(name);
                let seats = game.seats.iter().filter(|seat| person.reads(&seat.address));
                let seats = seats.map(|seat| (seat.role, seat.left, game.led_by(seat.id)));
                seats.collect::<Vec<_>>()
            });
            let games: Vec<_> = games.collect();
            (person, games)
        };
        let stages = self.stages();
        let people = 0..self.fixtures.0.cast.people.len();
        let mut found = Vec::new();
        for n in people {
            let (one, games) = of(&stages.0, self.fixtures.0, n);
            let (other, other_games) = of(&stages.1, self.fixtures.1, n);
            if one.address != other.address || games != other_games {
                for person in [one, other] {
                    found.extend([person.address, person.name]);
                }
            }
        }
        found
    }

    fn part(&self, reader: usize) -> Part {
        self.fixtures.0.cast.people[reader].part
    }

    fn address(&self, reader: usize) -> &str {
        &self.fixtures.0.cast.people[reader].address
    }

    fn sign(&self, reader: usize, words: &Words, dice: &mut Dice) -> Sign {
        if dice.chance(15) {
            return Sign::Line(words.sign_on(dice));
        }
        if dice.chance(8) {
            return Sign::Nothing;
        }
        self.own_sign(reader, dice)
    }

    fn own_sign(&self, reader: usize, dice: &mut Dice) -> Sign {
        let word = &self.fixtures.0.cast.people[reader].word;
        let leads = led(self.stages().0.game(GAME), self.address(reader)).is_some();
        match self.part(reader) {
            Part::Candidate if leads => Sign::Line(format!("SIGNON {GAME} {word}")),
            Part::Master => Sign::Line(format!("SIGNON M{GAME} {word}")),
            Part::Observer => Sign::Line(format!("SIGNON O{GAME} {word}")),
            Part::Player => Sign::Line(format!("SIGNON {GAME} {word}")),
            Part::Candidate if dice.chance(50) => Sign::Line(format!("SIGNON {} {word}", FORMING)),
            Part::Candidate | Part::Elsewhere => Sign::Token,
            Part::Stranger => Sign::Nothing,
        }
    }

    fn letter(&self, from: usize, sign: Sign, lines: &[String]) -> Letter {
        Letter {
            id: usize::MAX,
            at: self.at,
            from,
            elsewhere: None,
            sign,
            lines: lines.iter().cloned().map(Line::Other).collect(),
            instead: Vec::new(),
            phase: 0,
            wrap: Wrap::plain(1 << 42),
        }
    }

    /// As few lines of a letter as still show a difference.
    fn smaller(&self, letter: &Letter, told: Told) -> Told {
        let mut smaller = letter.clone();
        let mut found = told;
        for index in (0..letter.lines.len()).rev() {
            let mut less = smaller.clone();
            less.lines.remove(index);
            if let Some(told) = self.differs(&self.stages(), &less) {
                (smaller, found) = (less, told);
            }
        }
        let body = smaller.body().replace('\n', " / ");
        found.what = format!("asked at {}: {body}\n{}", self.at, found.what);
        found
    }

    /// The same letter in both runs.
    fn differs(&self, stages: &(Stage, Stage), letter: &Letter) -> Option<Told> {
        let address = self.address(letter.from);
        let one = stages.0.would(letter, address);
        let other = stages.1.would(letter, address);
        let differs = |reader: &usize| self.differs_to(*reader, &one, &other);
        let told = self.readers.iter().find_map(differs)?;
        // What it brought about may be something that its reader may know.
        let may_know = self.may_know(stages, told.reader, letter, (&one, &other));
        (!may_know).then_some(told)
    }

    fn differs_to(&self, reader: usize, one: &Answer, other: &Answer) -> Option<Told> {
        self.first_difference(reader, &one.mails, &other.mails, None)
    }

    /// The first of the mails to a reader before an hour that is not the same.
    fn first_difference(
        &self,
        reader: usize,
        one: &[Sent],
        other: &[Sent],
        until: Option<Timestamp>,
    ) -> Option<Told> {
        let person = &self.fixtures.0.cast.people[reader];
        let to = |mails: &[Sent]| -> Vec<Sent> {
            let mails = mails.iter().filter(|mail| person.reads(&mail.to));
            let mails = mails.filter(|mail| until.is_none_or(|until| mail.at < until));
            mails.cloned().collect()
        };
        let (ones, others) = (to(one), to(other));
        let most = ones.len().max(others.len());
        // Who sits down now gets another number where somebody more sits already, and so another address to answer at.
        let seats = |stage: &Stage| stage.game(GAME).seats.len();
        let stages = self.stages();
        let (stage, with_other) = &*stages;
        let numbers_differ = seats(stage) != seats(with_other);
        let place = (0..most).find(|n| match (ones.get(*n), others.get(*n)) {
            (Some(one), Some(other)) if numbers_differ => {
                !same(&without_tokens(one), &without_tokens(other))
            }
            (Some(one), Some(other)) => !same(one, other),
            _ => true,
        })?;
        let (one, other) = (ones.get(place), others.get(place));
        let both = [one, other].into_iter().flatten();
        Some(Told {
            reader,
            what: format!("to {}:\n{}", person.address, lines_that_differ(one, other)),
            past: both.flat_map(|sent| sent.past.iter().copied()).collect(),
        })
    }

    fn may_know(
        &self,
        stages: &(Stage, Stage),
        reader: usize,
        letter: &Letter,
        answers: (&Answer, &Answer),
    ) -> bool {
        let seen = |run: &Run, stage: &Stage, answer: &Answer, fixture: &Fixture| {
            let mut run = run.clone();
            run.letters.retain(|letter| letter.at < self.at);
            run.letters.push(letter.clone());
            let kept: Kept = stage.kept_with(answer);
            observe(&run, &kept, fixture).swap_remove(reader)
        };
        let one = seen(self.runs.0, &stages.0, answers.0, self.fixtures.0);
        let other = seen(self.runs.1, &stages.1, answers.1, self.fixtures.1);
        parting(&one, &other).is_some()
    }

    /// What a reader may have of the game beside mails: saved games, pictures, the page.
    fn exports(&self, stages: &(Stage, Stage), reader: usize) -> Option<Told> {
        let logs = (records(&stages.0), records(&stages.1));
        let (one, other) = (Chronicle::of(&logs.0).ok()?, Chronicle::of(&logs.1).ok()?);
        let power = led(one.now(), self.address(reader));
        let same = led(other.now(), self.address(reader)) == power;
        if !same {
            return None;
        }
        let viewer = power.map_or(Viewer::Observer, Viewer::Power);
        let saved = |chronicle: &Chronicle| {
            interchange::export(&chronicle.seen_by(self.variant, viewer).export())
        };
        let saved = self.compare(reader, "saved game", &saved(&one), &saved(&other));
        let (None, Some(power)) = (&saved, power) else {
            return saved;
        };
        let map = |chronicle: &Chronicle| {
            let game = chronicle.now();
            let seen = dipjudge::game::VariantGame::new(game, self.variant).seen_by(viewer);
            let board = seen.board();
            board.map_or_else(String::new, |board| on_board(&board))
        };
        let page = |stage: &Stage, records: &[Record]| {
            let archive = stage.archive(GAME);
            let game = stage.game(GAME);
            let record = record_of(&stage.judge, game, Some(power), archive, records);
            record.map_or_else(|_| String::new(), |record| record.page())
        };
        self.compare(reader, "map", &map(&one), &map(&other))
            .or_else(|| {
                let one = page(&stages.0, &logs.0);
                self.compare(reader, "page", &one, &page(&stages.1, &logs.1))
            })
    }

    /// What everybody may have who has to do with no game: the site.
    fn sites(&self, stages: &(Stage, Stage), reader: usize) -> Option<Told> {
        let (one, other) = (published::text(&stages.0), published::text(&stages.1));
        self.compare(reader, "site", &one, &other)
    }

    fn compare(&self, reader: usize, what: &str, one: &str, other: &str) -> Option<Told> {
        if one == other {
            return None;
        }
        let (ones, others): (Vec<&str>, Vec<&str>) =
            (one.lines().collect(), other.lines().collect());
        let place = (0..).find(|n| ones.get(*n) != others.get(*n)).unwrap_or(0);
        let cut = |line: Option<&&str>| -> String {
            line.map_or("(ended)".to_owned(), |line| {
                line.chars().take(2000).collect()
            })
        };
        Some(Told {
            reader,
            past: reached(),
            what: format!(
                "in the {what} at {}:\n  - {}\n  + {}",
                self.at,
                cut(ones.get(place)),
                cut(others.get(place))
            ),
        })
    }
}

/// The line that takes a setting back, or sets what a line takes back; of days the first is named.
fn opposite(line: &str) -> Option<String> {
    let set = line.strip_prefix("SET ")?;
    match set.strip_prefix("NO ") {
        Some(set) => Some(format!("SET {set}")),
        None => {
            let set = set.split(" TO ").next().unwrap_or(set);
            Some(format!("SET NO {set}"))
        }
    }
}

/// What is drawn of each does not depend on the others.
fn in_any_order<T: std::fmt::Debug>(drawn: &[T]) -> String {
    let mut drawn: Vec<String> = drawn.iter().map(|one| format!("{one:?}")).collect();
    drawn.sort();
    drawn.join(" ")
}

/// All that a picture is drawn from, which takes long itself, but for the map.
fn on_board(board: &Board) -> String {
    let Board {
        map: _,
        drawing,
        title,
        powers,
        in_sight,
        owners,
        units,
        orders,
        standoffs,
        open,
        signs,
        near,
    } = board;
    let parts = [
        format!("{title} {drawing}"),
        format!("{powers:?}"),
        format!("{in_sight:?}"),
        format!("{owners:?}"),
        in_any_order(units),
        in_any_order(orders),
        format!("{standoffs:?} {open:?} {signs:?} {near:?}"),
    ];
    parts.join("\n")
}

fn records(stage: &Stage) -> Vec<Record> {
    log(&stage.kept.records, GAME)
}

/// An hour between the first letter that differs and the first difference that somebody may know of, and those who know of none
/// by then.
pub fn hour(
    changed: Timestamp,
    partings: &[(usize, Timestamp)],
    retreats: &[Timestamp],
    dice: &mut Dice,
) -> Option<(Timestamp, Vec<usize>)> {
    let second = SignedDuration::from_secs(1);
    let able: Vec<Timestamp> = partings
        .iter()
        .map(|(_, until)| *until)
        .filter(|until| *until > changed + second + second)
        .collect();
    let until = *dice.pick(&able)?;
    let last = until - second;
    // Few hours have dislodged units: those in which somebody retreats are asked at more often.
    let in_retreats: Vec<Timestamp> = retreats
        .iter()
        .map(|opened| *opened + second)
        .filter(|at| *at > changed && *at <= last)
        .collect();
    let at = match dice.below(10) {
        0..3 if !in_retreats.is_empty() => dice.pick(&in_retreats).copied()?,
        0..6 => last,
        _ => {
            let span = last.duration_since(changed).as_secs().max(1) as usize;
            changed + SignedDuration::from_secs(1 + dice.below(span) as i64)
        }
    };
    let readers = partings.iter().filter(|(_, until)| *until > at);
    Some((at, readers.map(|(who, _)| *who).collect()))
}
