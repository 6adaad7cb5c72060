//! Scenes: a few quiet phases at the table of a run, in which everybody gives orders and says nothing else; in each scene somebody
//! says one thing more, or does not. Much that is hidden shows only where little else happens, where another does the same
//! thing later, or at one hour of a phase: long runs of chance hardly ever meet it.

use std::collections::BTreeSet;

use dipjudge::folding::fold;
use dipjudge::game::{Event, Game, Phase, Record, VariantGame};
use dipjudge::mails::outbound::Templates;
use dipjudge::map::Power;
use dipjudge::variants;
use dipjudge::view::Viewer;
use jiff::{SignedDuration, Timestamp};

use super::acquaintance::Acquaintances;
use super::aimed;
use super::author::{Author, Run, Written, write_still};
use super::civilizations::Stored;
use super::complete;
use super::conditions::{led, then};
use super::dice::Dice;
use super::fixture::{Casting, Fixture, GAME, NAMES, Part, labels};
use super::fog;
use super::letters::{Letter, Line, Press, Sign, Wrap};
use super::stage::{Stage, log};
use super::starts;
use super::tongue::bends_the_calendar;
use super::twins::{self, Kind, Pair, gives_orders};

/// Lines of which one scene says what do something.
const LINES: usize = 3;
/// Lines that are looked at for a scene.
const TRIED: usize = 24;
/// Scenes of a sort that is manifold.
const OFTEN: usize = 2;
/// Scenes of what somebody submits, however many kinds there are.
const MOST_SUBMITTED: usize = 6;
/// How many runs of a hundred have a scene that most tables allow.
const SOMETIMES: u32 = 50;
/// How many phases a quiet run has.
const PHASES: usize = 2;
/// The same where strangers have to meet first, where a variant has phases of its own, and where years are counted in secret.
const MORE_PHASES: usize = 4;
/// Message ids that no other letter has.
const IDS: u64 = 1 << 44;

/// A mail of a scene, as it is in each of the two runs.
pub(super) struct Said {
    at: Timestamp,
    one: (usize, Sign, Vec<Line>),
    other: (usize, Sign, Vec<Line>),
}

impl Said {
    /// The same in both.
    pub(super) fn alike(at: Timestamp, from: usize, sign: Sign, lines: Vec<Line>) -> Said {
        Said::otherwise(at, from, sign, lines.clone(), lines)
    }

    /// By the same person, in other words.
    pub(super) fn otherwise(
        at: Timestamp,
        from: usize,
        sign: Sign,
        one: Vec<Line>,
        other: Vec<Line>,
    ) -> Said {
        Said {
            at,
            one: (from, sign.clone(), one),
            other: (from, sign, other),
        }
    }
}

/// A stage for scenes: a quiet run at a table.
pub struct Scenes<'s> {
    pub fixture: &'s Fixture,
    pub templates: &'s Templates,
    pub quiet: &'s Written,
    /// The run with much in it, for what needs a board on which much happens.
    pub written: &'s Written,
}

/// How many phases a quiet run at a table has.
pub fn phases(fixture: &Fixture) -> usize {
    let own = !variants::of(fixture.variant).card().grammar.is_empty();
    match own || fixture.options.blind {
        true => MORE_PHASES,
        false => PHASES,
    }
}

/// A pair that is held against its readers, and whether it is a change of the quiet run.
pub struct Scene {
    pub pair: Pair,
    pub quiet: bool,
}

impl Scenes<'_> {
    /// All scenes that the table allows.
    pub fn all(&self, seed: u64, dice: &mut Dice) -> Vec<Scene> {
        let fixture = self.fixture;
        let (gunboat, blind) = (fixture.options.gunboat, fixture.options.blind);
        let own = !variants::of(fixture.variant).card().grammar.is_empty();
        let mut quiet: Vec<Option<Pair>> = Vec::new();
        if own || dice.chance(SOMETIMES) {
            quiet.push(Some(self.sign_ons()));
        }
        let mut known = BTreeSet::new();
        quiet.extend((0..OFTEN).map(|_| self.said_twice(&mut known, dice)));
        if own {
            let kinds = variants::of(fixture.variant).submissions().len();
            let often = kinds.clamp(OFTEN, MOST_SUBMITTED);
            quiet.extend((0..often).map(|_| self.submitted(&mut known, dice)));
        }
        if gunboat || blind || !fixture.game().settings.latelist {
            quiet.push(self.absent(dice));
        }
        if gunboat || blind {
            if dice.chance(SOMETIMES) {
                quiet.push(self.successor(dice));
            }
            if dice.chance(SOMETIMES) {
                quiet.push(self.heir(dice));
            }
        }
        if dice.chance(SOMETIMES) {
            quiet.push(self.dated(dice));
        }
        if complete::applies(fixture) {
            let (run, kept) = (&self.quiet.run, &self.quiet.kept);
            quiet.push(complete::pair(fixture, run, kept, dice));
        }
        if blind && fixture.has_start() {
            // So that two runs with such tables have all ways.
            for place in 0..starts::WAYS.div_ceil(2) {
                let way = (seed as usize + 2 * place) % starts::WAYS;
                quiet.push(self.begins(way as u8, dice));
            }
        }
        if fixture.is_of_civilizations() {
            quiet.push(self.exchange(dice));
            quiet.push(self.refusals(dice));
            let dice = &mut Dice::new(seed.wrapping_mul(3011));
            quiet.push(self.letter_to_unmet(dice));
            let dice = &mut Dice::new(seed.wrapping_mul(3019));
            quiet.push(self.gift(dice));
            quiet.push(self.same_name(dice));
        }
        quiet.push(self.sent_otherwise(&mut Dice::new(seed.wrapping_mul(3049))));
        if gunboat {
            let dice = &mut Dice::new(seed.wrapping_mul(3023));
            quiet.push(self.others_are_named(dice));
        }
        // What shows seldom has dice of its own, so that more of it changes nothing in the rest.
        let rare = self.rare(seed, &mut known, &mut Dice::new(seed.wrapping_mul(3001)));
        let loud = match blind {
            true => vec![self.partner(dice), self.retreat(dice)],
            false => Vec::new(),
        };
        let usual = scenes(quiet, true).chain(scenes(loud, false));
        usual.chain(scenes(rare, true)).collect()
    }

    /// Scenes in a run in which all units hold until a year is over. They are written with all planted leaks closed: when a phase
    /// ends, by which their letters go, may come of one that is closed afterwards.
    pub fn still(&self, seed: u64) -> Vec<Scene> {
        if !self.fixture.options.blind || !self.fixture.has_start() {
            return Vec::new();
        }
        let dice = &mut Dice::new(seed.wrapping_mul(3037));
        let still = write_still(self.fixture, self.templates, dice);
        let held = Scenes {
            quiet: &still,
            ..*self
        };
        // Two powers are level in the end, or have what they had.
        let level = held.begins(starts::LEVEL, dice);
        let pairs = vec![level, held.hindsight(dice), held.wreck(dice)];
        scenes(pairs, true).collect()
    }

    /// Scenes that show little, and in few games: each run with such a table has them.
    fn rare(&self, seed: u64, known: &mut BTreeSet<String>, dice: &mut Dice) -> Vec<Option<Pair>> {
        let fixture = self.fixture;
        let mut all = vec![self.said_twice(known, dice), self.by_either(dice)];
        if fixture.options.gunboat || fixture.options.blind {
            all.push(self.away(dice));
        }
        if fixture.options.gunboat && dice.chance(SOMETIMES) {
            all.push(Some(self.others_lead()));
        }
        let words = self.own_words();
        let often = words.len().min(MOST_SUBMITTED);
        all.extend((0..often).map(|place| {
            let word = (seed as usize + place) % words.len();
            self.all_but_one(&words[word], dice)
        }));
        if fixture.options.blind && fixture.has_start() {
            if fixture.has_lost() {
                all.push(self.begins(starts::TAKEN, dice));
            }
            if fixture.options.gunboat {
                all.push(self.successor(dice));
            }
        }
        all
    }

    // Making pairs -------------------------------------------------------------------

    /// The two runs that come of it if these things are said in the quiet run, up to an hour.
    pub(super) fn pair(
        &self,
        kind: Kind,
        said: Vec<Said>,
        until: Timestamp,
        authors: Vec<usize>,
    ) -> Pair {
        let quiet = self.quiet.run.letters.iter();
        let quiet = quiet.filter(|letter| letter.at < until).cloned();
        let mut letters: Vec<(Letter, Letter)> = quiet.map(|one| (one.clone(), one)).collect();
        for (n, said) in said.into_iter().enumerate() {
            let id = IDS | n as u64;
            let written = |(from, sign, mut lines): (usize, Sign, Vec<Line>)| {
                if lines.is_empty() {
                    lines.push(Line::Ask("VERSION".to_owned()));
                }
                Letter {
                    id: usize::MAX,
                    at: said.at,
                    from,
                    elsewhere: None,
                    sign,
                    lines,
                    instead: Vec::new(),
                    phase: 0,
                    wrap: Wrap::plain(id),
                }
            };
            letters.push((written(said.one), written(said.other)));
        }
        letters.sort_by_key(|(one, _)| one.at);
        for (id, (one, other)) in letters.iter_mut().enumerate() {
            (one.id, other.id) = (id, id);
        }
        let (ones, others) = letters.into_iter().unzip();
        let run = |letters: Vec<Letter>| Run { letters, until };
        Pair {
            kind,
            one: run(ones),
            other: run(others),
            casting: Casting::Usual,
            authors,
        }
    }

    pub(super) fn sign(&self, person: usize) -> Sign {
        let one = &self.fixture.cast.people[person];
        let master = if one.part == Part::Master { "M" } else { "" };
        Sign::Line(format!("SIGNON {master}{GAME} {}", one.word))
    }

    /// Hours at which the phases of the quiet run opened, each with its deadline.
    pub(super) fn openings(&self) -> Vec<(Timestamp, Timestamp)> {
        let records = log(&self.quiet.kept.records, GAME);
        let mut openings = Vec::new();
        let begins = self.fixture.kept.now;
        let played = records.iter().filter(|record| {
            let plays = |event: &Event| matches!(event, Event::Played(_));
            record.events.iter().any(plays)
        });
        let hours = std::iter::once(begins).chain(played.map(|record| record.at));
        for hour in hours {
            let soon = hour + SignedDuration::from_secs(1);
            let game = then(&records, soon);
            let times = game.and_then(|game| game.timing.times);
            openings.extend(times.map(|times| (hour, times.deadline)));
        }
        openings
    }

    /// An early minute of a phase, at which nobody else writes.
    pub(super) fn minute(&self, opening: Timestamp, minute: i64) -> Timestamp {
        let second = opening.as_second() - opening.as_second().rem_euclid(60);
        Timestamp::from_second(second + (minute + 1) * 60).expect("a time")
    }

    /// A minute of a phase behind all that is sent in it: what is said last counts.
    fn last_minute(&self, place: usize, opened: Timestamp) -> Timestamp {
        let openings = self.openings();
        let next = openings.get(place + 1).map(|(opened, _)| *opened);
        let letters = self.quiet.run.letters.iter().map(|letter| letter.at);
        let own = letters.filter(|at| *at > opened && next.is_none_or(|next| *at < next));
        let last = own.max().map(|last| self.minute(last, 1));
        let in_time = last.filter(|last| next.is_none_or(|next| *last < next));
        in_time.unwrap_or_else(|| self.minute(opened, 5))
    }

    /// When a phase of the quiet run was over, and its report read.
    pub(super) fn end(&self, phase: usize) -> Timestamp {
        let openings = self.openings();
        let next = openings.get(phase + 1).map(|(opened, _)| *opened);
        next.map_or(self.quiet.run.until, |next| {
            next + SignedDuration::from_mins(50)
        })
    }

    /// Those who lead a power when the game begins, and lead no other game.
    pub(super) fn players(&self) -> Vec<(usize, Power)> {
        let game = self.fixture.game();
        let players = self.fixture.of(Part::Player).into_iter();
        let led = players.filter_map(|person| {
            let address = &self.fixture.cast.people[person].address;
            Some((person, led(&game, address)?))
        });
        led.collect()
    }

    // What is said -------------------------------------------------------------------

    /// Nobody says anything; who waits elsewhere has come in another order.
    fn sign_ons(&self) -> Pair {
        let until = self.minute(self.fixture.kept.now, 10);
        let mut pair = self.pair(Kind::SignOns, Vec::new(), until, Vec::new());
        pair.casting = Casting::OtherSignOns;
        pair.authors = self.fixture.of(Part::Elsewhere);
        pair
    }

    /// Nobody says anything; half of the powers have other leaders.
    fn others_lead(&self) -> Pair {
        let until = self.minute(self.fixture.kept.now, 10);
        let cast = &self.fixture.cast;
        let authors = (0..cast.people.len()).filter(|n| cast.changes(*n));
        let mut pair = self.pair(Kind::People, Vec::new(), until, authors.collect());
        pair.casting = Casting::OtherPeople;
        pair
    }

    /// Half of the powers have other leaders; one of the rest writes a letter in which the name of one stands who leads a power in
    /// one run alone.
    fn others_are_named(&self, dice: &mut Dice) -> Option<Pair> {
        let cast = &self.fixture.cast;
        let leaders = self.players().into_iter().map(|(person, _)| person);
        let (others, same): (Vec<usize>, Vec<usize>) = leaders.partition(|n| cast.changes(*n));
        let (writer, named) = (*dice.pick(&same)?, *dice.pick(&others)?);
        let letter = Line::Press(Press {
            options: "TO M".to_owned(),
            to: Some(Vec::new()),
            word: cast.people[named].name.clone(),
            signed: false,
        });
        let begins = self.fixture.kept.now;
        let said = Said::alike(
            self.minute(begins, 2),
            writer,
            self.sign(writer),
            vec![letter],
        );
        let authors = (0..cast.people.len()).filter(|n| cast.changes(*n));
        let until = self.minute(begins, 10);
        let mut pair = self.pair(Kind::People, vec![said], until, authors.collect());
        pair.casting = Casting::OtherPeople;
        Some(pair)
    }

    /// The same letter comes in mails with other ids.
    fn sent_otherwise(&self, dice: &mut Dice) -> Option<Pair> {
        let (writer, _) = *dice.pick(&self.players())?;
        let letter = Line::Press(Press {
            options: "TO M".to_owned(),
            to: Some(Vec::new()),
            word: dice.word() + &dice.word(),
            signed: false,
        });
        let at = self.minute(self.fixture.kept.now, 2);
        let said = Said::alike(at, writer, self.sign(writer), vec![letter]);
        let until = self.minute(at, 5);
        let mut pair = self.pair(Kind::Arrival, vec![said], until, vec![writer]);
        let mut written = pair.other.letters.iter_mut();
        let written = written.find(|letter| letter.at == at)?;
        written.wrap.id ^= 1 << 41;
        Some(pair)
    }

    /// All phases, in any order; each with the minute at which something is said in it.
    fn phases_in_turn(&self, dice: &mut Dice) -> Vec<(usize, Timestamp)> {
        let mut openings: Vec<(usize, Timestamp)> = self
            .openings()
            .into_iter()
            .map(|(opened, _)| opened)
            .enumerate()
            .collect();
        let first = dice.below(openings.len());
        openings.rotate_left(first);
        openings
    }

    /// A phase, rather the first.
    fn some_phase(&self, dice: &mut Dice) -> (usize, Timestamp, Timestamp) {
        let openings = self.openings();
        let place = match dice.chance(60) {
            true => 0,
            false => dice.below(openings.len()),
        };
        let (opened, deadline) = openings
            .get(place)
            .copied()
            .unwrap_or((self.fixture.kept.now, self.quiet.run.until));
        (place, opened, deadline)
    }

    /// Lines that do something at an hour, each of them something else, and nothing that `known` holds already.
    fn effective(
        &self,
        (person, power, at): (usize, Power, Timestamp),
        known: &mut BTreeSet<String>,
        own: bool,
        dice: &mut Dice,
    ) -> Vec<Line> {
        let stage = self.quiet.stage_at(at, self.fixture, self.templates);
        let mut author = Author::at(self.fixture, stage, dice);
        let mut found = Vec::new();
        let first = author.dice.below(1 << 20);
        for place in first..first + TRIED {
            if found.len() >= if own { 1 } else { LINES } {
                break;
            }
            let line = match own {
                true => author.own_line(power),
                false => author.said_of_oneself(person, power, place),
            };
            let text = line.text();
            if bends_the_calendar(&text, self.fixture) || changes_hands(&text) {
                continue;
            }
            let Some(effect) = self.effect(&author.stage, (person, at), &line) else {
                continue;
            };
            if known.insert(effect) {
                found.push(line);
            }
        }
        found
    }

    /// Somebody says something, or does not; then another says the same.
    fn said_twice(&self, known: &mut BTreeSet<String>, dice: &mut Dice) -> Option<Pair> {
        let mut players = self.players();
        let (first, power) = drawn(&mut players, dice)?;
        let (second, _) = *dice.pick(&players)?;
        let mut phases = self.phases_in_turn(dice).into_iter();
        let (place, opened, lines) = phases.find_map(|(place, opened)| {
            let at = self.minute(opened, 5);
            let lines = self.effective((first, power, at), known, false, dice);
            (!lines.is_empty()).then_some((place, opened, lines))
        })?;
        let at = self.minute(opened, 5);
        let again = Said::alike(
            self.minute(opened, 20),
            second,
            self.sign(second),
            lines.clone(),
        );
        let said = Said::otherwise(at, first, self.sign(first), Vec::new(), lines);
        let mut authors = vec![first];
        authors.extend(self.fixture.of(Part::Master));
        Some(self.pair(Kind::Doings, vec![said, again], self.end(place), authors))
    }

    /// What a line of somebody's does at an hour, if it does anything.
    fn effect(
        &self,
        stage: &Stage,
        (person, at): (usize, Timestamp),
        line: &Line,
    ) -> Option<String> {
        let letter = Letter {
            id: usize::MAX,
            at,
            from: person,
            elsewhere: None,
            sign: self.sign(person),
            lines: vec![line.clone()],
            instead: Vec::new(),
            phase: 0,
            wrap: Wrap::plain(IDS),
        };
        let address = &self.fixture.cast.people[person].address;
        aimed::effect(&[], &stage.would(&letter, address).records)
    }

    /// The same is said in each run by another of two, so that what comes of it is the same.
    fn by_either(&self, dice: &mut Dice) -> Option<Pair> {
        let known = &mut BTreeSet::new();
        let mut players = self.players();
        let (first, power) = drawn(&mut players, dice)?;
        let (second, _) = *dice.pick(&players)?;
        let mut phases = self.phases_in_turn(dice).into_iter();
        let (place, at, lines) = phases.find_map(|(place, opened)| {
            let at = self.minute(opened, 5);
            let mut lines = self.effective((first, power, at), known, false, dice);
            let stage = self.quiet.stage_at(at, self.fixture, self.templates);
            lines.retain(|line| self.effect(&stage, (second, at), line).is_some());
            (!lines.is_empty()).then_some((place, at, lines))
        })?;
        let mut pair = self.of_either(Kind::Doings, (first, second), at, lines, self.end(place));
        pair.authors.extend(self.fixture.of(Part::Master));
        Some(pair)
    }

    /// One of two will be away at the next deadline, in each run another.
    fn away(&self, dice: &mut Dice) -> Option<Pair> {
        let mut players = self.players();
        let (first, _) = drawn(&mut players, dice)?;
        let (second, _) = *dice.pick(&players)?;
        let openings = self.openings();
        let later = openings.len().checked_sub(1).filter(|count| *count > 0)?;
        let place = 1 + dice.below(later);
        let (_, deadline) = *openings.get(place)?;
        let day = |hours: i64| {
            let at = deadline + SignedDuration::from_hours(hours);
            at.strftime("%d %b %Y").to_string()
        };
        let line = Line::Other(format!("SET ABSENCE {} TO {}", day(-24), day(24)));
        let at = self.minute(openings[place - 1].0, 5);
        let until = self.end(place - 1);
        let mut pair = self.of_either(Kind::Away, (first, second), at, vec![line], until);
        pair.authors.extend(self.fixture.of(Part::Master));
        Some(pair)
    }

    fn of_either(
        &self,
        kind: Kind,
        (first, second): (usize, usize),
        at: Timestamp,
        lines: Vec<Line>,
        until: Timestamp,
    ) -> Pair {
        let later = at + SignedDuration::from_mins(10);
        let said = vec![
            Said::otherwise(at, first, self.sign(first), lines.clone(), Vec::new()),
            Said::otherwise(later, second, self.sign(second), Vec::new(), lines),
        ];
        self.pair(kind, said, until, vec![first, second])
    }

    /// The words with which lines of the variant's own begin in the quiet run.
    fn own_words(&self) -> Vec<String> {
        let lines = self.quiet.run.letters.iter().flat_map(|one| &one.lines);
        let words: BTreeSet<String> = lines.filter_map(twins::own_word).collect();
        words.into_iter().collect()
    }

    /// All who may say it say the same line of the variant's own, beginning with this word; one of them says otherwise.
    fn all_but_one(&self, word: &str, dice: &mut Dice) -> Option<Pair> {
        let begins = |line: &&Line| twins::own_word(line).is_some_and(|own| own == word);
        let letters = self.quiet.run.letters.iter();
        let said =
            letters.filter_map(|letter| Some((letter.at, letter.lines.iter().find(begins)?)));
        let said: Vec<(Timestamp, &Line)> = said.collect();
        let (hour, line) = *dice.pick(&said)?;
        let openings = self.openings();
        let place = openings.iter().rposition(|(opened, _)| *opened <= hour)?;
        let opened = openings[place].0;
        let closed = openings
            .get(place + 1)
            .map_or(self.quiet.run.until, |next| next.0);
        let at = self.last_minute(place, opened);
        let early = self.minute(opened, 5);
        let stage = self.quiet.stage_at(early, self.fixture, self.templates);
        let may = |person: usize| self.effect(&stage, (person, at), line).is_some();
        let mut all = self.players();
        all.retain(|(person, _)| may(*person));
        let (first, _) = drawn(&mut all, dice)?;
        if all.is_empty() {
            return None;
        }
        let mut otherwise = vec![line.clone()];
        twins::says_otherwise(&mut otherwise, self.fixture, dice);
        let lines = || vec![line.clone()];
        let mut said = vec![Said::otherwise(
            at,
            first,
            self.sign(first),
            lines(),
            otherwise,
        )];
        said.extend((1..).zip(&all).map(|(second, (person, _))| {
            let at = at + SignedDuration::from_secs(second);
            Said::alike(at, *person, self.sign(*person), lines())
        }));
        let mut pair = self.pair(Kind::Own, said, self.end(place + 1), vec![first]);
        for letter in pair.one.letters.iter_mut().chain(&mut pair.other.letters) {
            let other = letter.wrap.id & IDS == 0;
            if other && (opened..closed).contains(&letter.at) {
                letter.lines.retain(|line| !begins(&line));
            }
        }
        Some(pair)
    }

    /// Somebody submits something, or the same about other places and numbers, and two phases are played.
    fn submitted(&self, known: &mut BTreeSet<String>, dice: &mut Dice) -> Option<Pair> {
        if variants::of(self.fixture.variant).card().grammar.is_empty() {
            return None;
        }
        let (first, power) = *dice.pick(&self.players())?;
        let mut phases = self.phases_in_turn(dice).into_iter();
        let (place, at, line) = phases.find_map(|(place, opened)| {
            let at = self.last_minute(place, opened);
            let lines = self.effective((first, power, at), known, true, dice);
            Some((place, at, lines.last()?.clone()))
        })?;
        let mut otherwise = vec![line.clone()];
        twins::says_otherwise(&mut otherwise, self.fixture, dice);
        if otherwise.first() == Some(&line) || dice.chance(30) {
            otherwise.clear();
        }
        let said = Said::otherwise(at, first, self.sign(first), vec![line], otherwise);
        Some(self.pair(Kind::Own, vec![said], self.end(place + 1), vec![first]))
    }

    /// One of three gives no orders in both runs; of the others one in this and one in that.
    fn absent(&self, dice: &mut Dice) -> Option<Pair> {
        let mut players = self.players();
        let mut three: Vec<(usize, Power)> =
            (0..3).filter_map(|_| drawn(&mut players, dice)).collect();
        // Where he stands among those who are late may tell him who the others are.
        three.sort_by_key(|(_, power)| *power);
        let [(one, _), (both, _), (other, _)] = three.as_slice() else {
            return None;
        };
        let (_, opened, deadline) = self.some_phase(dice);
        let until = deadline + SignedDuration::from_hours(30);
        let mut pair = self.pair(Kind::Absence, Vec::new(), until, vec![*one, *other]);
        let hours = opened..deadline;
        for (run, silent) in [
            (&mut pair.one, [*one, *both]),
            (&mut pair.other, [*other, *both]),
        ] {
            for letter in &mut run.letters {
                if silent.contains(&letter.from) && hours.contains(&letter.at) {
                    letter.lines.retain(|line| !line.orders());
                }
            }
        }
        Some(pair)
    }

    /// Who leads a power resigns, and another comes in his place, or does not; the same letter comes from the power.
    fn successor(&self, dice: &mut Dice) -> Option<Pair> {
        let mut players = self.players();
        let (leader, power) = drawn(&mut players, dice)?;
        let (reader, reading) = *dice.pick(&players)?;
        let heir = *dice.pick(&self.fixture.of(Part::Candidate))?;
        let opened = self.fixture.kept.now;
        let (mine, theirs) = (self.sign(leader), self.takes_over(heir, power)?);
        let ask = || vec![Line::Ask("VERSION".to_owned())];
        let game = self.fixture.game();
        // Where readers call others as they like, they may not know one another.
        let press = match self.fixture.hides_existence() {
            true => Line::Wait(false),
            false => Line::Press(Press {
                // Grey letters have no address to answer at.
                options: match game.settings.grey {
                    true => format!("WHITE TO {}", labels(&game).name(reading)),
                    false => format!("TO {}", labels(&game).name(reading)),
                },
                to: Some(vec![reading.0]),
                word: dice.word() + &dice.word(),
                signed: false,
            }),
        };
        let code = labels(&game).letter(power);
        let answer = Line::Answer(Press {
            options: String::new(),
            to: Some(vec![power.0]),
            word: dice.word() + &dice.word(),
            signed: false,
        });
        let said = vec![
            Said::otherwise(
                self.minute(opened, 2),
                leader,
                mine.clone(),
                Vec::new(),
                vec![Line::Other("RESIGN".to_owned())],
            ),
            Said {
                at: self.minute(opened, 6),
                one: (heir, Sign::Nothing, ask()),
                other: (heir, theirs.clone(), ask()),
            },
            Said {
                at: self.minute(opened, 20),
                one: (leader, mine, vec![press.clone()]),
                other: (heir, theirs.clone(), vec![press]),
            },
            Said::alike(
                self.minute(opened, 30),
                reader,
                Sign::Relay(code),
                vec![answer],
            ),
        ];
        let authors = vec![leader, heir];
        let mut pair = self.pair(Kind::Turnover, said, self.end(0), authors);
        hand_over(
            &mut pair.other,
            leader,
            heir,
            &theirs,
            self.minute(opened, 10),
        );
        Some(pair)
    }

    /// Somebody has set something for himself, or has not, before another comes to lead his power, who then asks after all that there is.
    fn heir(&self, dice: &mut Dice) -> Option<Pair> {
        let (leader, power) = *dice.pick(&self.players())?;
        let heir = *dice.pick(&self.fixture.of(Part::Candidate))?;
        let opened = self.fixture.kept.now;
        let later = self.openings().get(1)?.0;
        let theirs = self.takes_over(heir, power)?;
        let settings = ["SET ZONE Asia/Tokyo", "SET ZONE America/New_York"];
        let setting = Line::Other((*dice.pick(&settings)?).to_owned());
        let asks = ["HISTORY", "LIST", "SUMMARY", "WHOGAME"];
        let asks = asks.map(|what| Line::Ask(format!("{what} {GAME}")));
        let said = vec![
            Said::otherwise(
                self.minute(opened, 2),
                leader,
                self.sign(leader),
                Vec::new(),
                vec![setting],
            ),
            Said::alike(
                self.minute(later, 2),
                leader,
                self.sign(leader),
                vec![Line::Other("RESIGN".to_owned())],
            ),
            Said::alike(self.minute(later, 6), heir, theirs.clone(), asks.to_vec()),
        ];
        let mut pair = self.pair(Kind::Zones, said, self.end(1), vec![leader]);
        for run in [&mut pair.one, &mut pair.other] {
            hand_over(run, leader, heir, &theirs, self.minute(later, 10));
        }
        Some(pair)
    }

    fn takes_over(&self, heir: usize, power: Power) -> Option<Sign> {
        let letters = self.fixture.letters();
        let code = letters.get(usize::from(power.0))?;
        let word = &self.fixture.cast.people[heir].word;
        Some(Sign::Line(format!("SIGNON {code}{GAME} {word}")))
    }

    /// A master whose zone differs sets an hour, which all are told.
    fn dated(&self, dice: &mut Dice) -> Option<Pair> {
        let master = *self.fixture.of(Part::Master).first()?;
        let (_, opened, deadline) = self.some_phase(dice);
        let which = *dice.pick(&["DEADLINE", "DEADLINE", "GRACE", "START"])?;
        let days = if which == "START" {
            -1
        } else {
            1 + dice.below(3) as i64
        };
        let at = deadline + SignedDuration::from_hours(24 * days);
        // The zone of what is written is named, or the hour itself would be another.
        let date = at.strftime("%d %b %Y %H:%M UTC");
        let said = vec![
            Said::otherwise(
                self.minute(opened, 2),
                master,
                self.sign(master),
                Vec::new(),
                vec![Line::Other("SET ZONE Asia/Tokyo".to_owned())],
            ),
            Said::alike(
                self.minute(opened, 10),
                master,
                self.sign(master),
                vec![Line::Other(format!("SET {which} {date}"))],
            ),
        ];
        let until = self.minute(opened, 50);
        Some(self.pair(Kind::Zones, said, until, vec![master]))
    }

    /// A power begins otherwise, and nobody moves it; often nothing happens at all before questions are put.
    fn begins(&self, way: u8, dice: &mut Dice) -> Option<Pair> {
        let opened = self.fixture.kept.now;
        let until = match dice.chance(60) && !starts::shows_in_time(way) {
            true => self.minute(opened, 10),
            false => self.quiet.run.until,
        };
        // Votes may name whom they leave out, and few centers win.
        let master = *self.fixture.of(Part::Master).first()?;
        let few = starts::more_than_any(&self.fixture.game().position, self.fixture.map());
        let lines = ["SET NO DIAS".to_owned(), format!("SET CENTERS {few}")].map(Line::Other);
        let said = Said::alike(
            self.minute(opened, 1),
            master,
            self.sign(master),
            lines.to_vec(),
        );
        // A list of powers for a draw may name those that are gone. If all sent it, the game would end.
        let all = self.fixture.letters().concat();
        let voters = self.players().into_iter().step_by(2);
        let votes = (0..).zip(voters).map(|(second, (person, _))| {
            let at = self.minute(opened, 3) + SignedDuration::from_secs(second);
            let vote = Line::Vote(format!("SET DRAW {all}"));
            Said::alike(at, person, self.sign(person), vec![vote])
        });
        let mut said: Vec<Said> = std::iter::once(said).chain(votes).collect();
        let mut last = until;
        if starts::shows_in_time(way) {
            let watches = *self.fixture.of(Part::Observer).first()?;
            let ask = vec![Line::Ask(format!("LIST {GAME}"))];
            said.push(Said::alike(until, watches, Sign::Nothing, ask));
            last = self.minute(until, 2);
        }
        let mut pair = self.pair(Kind::Start, said, last, Vec::new());
        twins::begin_otherwise(&mut pair, self.fixture, way, dice);
        Some(pair)
    }

    // Who has met ---------------------------------------------------------------------

    /// Those who lead a power when the quiet run is over, and the game as it is then.
    fn last(&self) -> Option<(Game, Vec<(usize, Power)>)> {
        let records = log(&self.quiet.kept.records, GAME);
        let game = then(&records, self.quiet.run.until)?;
        let people = 0..self.fixture.cast.people.len();
        let led = people.filter_map(|person| {
            let address = &self.fixture.cast.people[person].address;
            Some((person, led(&game, address)?))
        });
        let led = led.collect();
        Some((game, led))
    }

    /// By which name one power calls another.
    fn name_by(&self, game: &Game, reader: Power, of: Power) -> Option<String> {
        let variant = variants::of(self.fixture.variant);
        let seen = VariantGame::new(game, variant).seen_by(Viewer::Power(reader));
        let roster = seen.roster();
        let known = roster.iter().find(|(power, _)| *power == of);
        known.map(|(_, info)| info.name.clone())
    }

    /// Somebody proposes an exchange, or does not, to two who have not met each other.
    fn exchange(&self, dice: &mut Dice) -> Option<Pair> {
        let (game, led) = self.last()?;
        let (who, power, one, other) = *dice.pick(&apart(&game, &led))?;
        let (first, second) = (
            self.name_by(&game, power, one)?,
            self.name_by(&game, power, other)?,
        );
        let line = Line::Own(format!("EXCHANGE MAPS WITH {first}, {second}"));
        let begins = self.quiet.run.until;
        let said = vec![Said::otherwise(
            self.minute(begins, 2),
            who,
            self.sign(who),
            Vec::new(),
            vec![line],
        )];
        let until = self.minute(begins, 20);
        Some(self.pair(Kind::Dealings, said, until, vec![who]))
    }

    /// Somebody writes to one whom he has met, or also to another whom that one has not met.
    fn letter_to_unmet(&self, dice: &mut Dice) -> Option<Pair> {
        let (game, led) = self.last()?;
        let (who, power, one, other) = *dice.pick(&apart(&game, &led))?;
        let (first, second) = (
            self.name_by(&game, power, one)?,
            self.name_by(&game, power, other)?,
        );
        let word = dice.word() + &dice.word();
        let press = |options: String, to: Vec<u8>| {
            vec![Line::Press(Press {
                options,
                to: Some(to),
                word: word.clone(),
                signed: false,
            })]
        };
        let begins = self.quiet.run.until;
        let said = vec![Said::otherwise(
            self.minute(begins, 2),
            who,
            self.sign(who),
            press(format!("TO {first}"), vec![one.0]),
            press(format!("TO {first}, {second}"), vec![one.0, other.0]),
        )];
        let leader = led.iter().find(|(_, leads)| *leads == other)?.0;
        let until = self.minute(begins, 20);
        Some(self.pair(Kind::Dealings, said, until, vec![who, leader]))
    }

    /// Somebody has refused the same thing three times, or twice; then a third offers him something.
    fn refusals(&self, dice: &mut Dice) -> Option<Pair> {
        let (game, led) = self.last()?;
        let known = Acquaintances::of(&game);
        let mut found = Vec::new();
        for (refuses, power) in &led {
            let met = known.met_by(*power);
            let others = led.iter().filter(|(_, other)| met.contains(other));
            let others: Vec<&(usize, Power)> = others.collect();
            for asks in &others {
                let thirds = others.iter().filter(|third| third.0 != asks.0);
                found.extend(thirds.map(|third| ((*refuses, *power), **asks, **third)));
            }
        }
        let ((refuses, power), (asks, asking), (third, offering)) = *dice.pick(&found)?;
        let offer = |by: Power| {
            let name = self.name_by(&game, by, power)?;
            Some(vec![Line::Own(format!("GIVE MAP TO {name}"))])
        };
        let refusal = || vec![Line::Own("REJECT".to_owned())];
        let begins = self.quiet.run.until;
        let mut said = Vec::new();
        for time in 0..3 {
            said.push(Said::alike(
                self.minute(begins, 4 * time + 2),
                asks,
                self.sign(asks),
                offer(asking)?,
            ));
            let last = time == 2;
            said.push(Said::otherwise(
                self.minute(begins, 4 * time + 4),
                refuses,
                self.sign(refuses),
                refusal(),
                if last { Vec::new() } else { refusal() },
            ));
        }
        said.push(Said::alike(
            self.minute(begins, 20),
            third,
            self.sign(third),
            offer(offering)?,
        ));
        let until = self.minute(begins, 40);
        Some(self.pair(Kind::Dealings, said, until, vec![refuses, asks]))
    }

    /// A unit is given away, or the gift is not taken.
    fn gift(&self, dice: &mut Dice) -> Option<Pair> {
        let records = log(&self.quiet.kept.records, GAME);
        let mut found = Vec::new();
        for (opened, _) in self.openings() {
            let soon = opened + SignedDuration::from_secs(1);
            let game = then(&records, soon).filter(|game| game.phase == Phase::Movement);
            let Some(game) = game else { continue };
            let known = Acquaintances::of(&game);
            let players = self.players();
            for (gives, giver) in &players {
                let met = known.met_by(*giver);
                let takers = players.iter().filter(|(_, power)| met.contains(power));
                let takers: Vec<&(usize, Power)> = takers.collect();
                for unit in game.position.units_of(*giver) {
                    let watch = |reader: &Power| {
                        let sees = fog::horizon(&game, &game.position, *reader, self.fixture);
                        sees.contains(&unit.at.province)
                    };
                    let center = game.map().centers().contains(&unit.at.province);
                    for (takes, taker) in takers.iter().filter(|_| !center) {
                        let parties = [*giver, *taker];
                        let mut others = players.iter().map(|(_, power)| *power);
                        let unseen = others.any(|one| !parties.contains(&one) && !watch(&one));
                        let name = self.name_by(&game, *giver, *taker);
                        if let Some(name) = name.filter(|_| unseen) {
                            let unit = format!("{} {}", unit.kind, unit.at.province);
                            let offer = format!("GIVE {unit} TO {name}");
                            found.push((opened, *gives, *takes, offer));
                        }
                    }
                }
            }
        }
        let (opened, gives, takes, offer) = dice.pick(&found)?.clone();
        let said = vec![
            Said::alike(
                self.minute(opened, 2),
                gives,
                self.sign(gives),
                vec![Line::Own(offer)],
            ),
            Said::otherwise(
                self.minute(opened, 6),
                takes,
                self.sign(takes),
                Vec::new(),
                vec![Line::Own("ACCEPT".to_owned())],
            ),
        ];
        let until = self.minute(opened, 20);
        Some(self.pair(Kind::Dealings, said, until, vec![gives, takes]))
    }

    /// Of two that have one name, and have not met, one takes another name or keeps it; then the other asks for his own once more.
    fn same_name(&self, dice: &mut Dice) -> Option<Pair> {
        let game = self.fixture.game();
        let names = Stored::of(&game).names;
        let known = Acquaintances::of(&game);
        let name = |power: Power| names.get(usize::from(power.0)).map(|name| fold(name));
        let players = self.players();
        let mut found = Vec::new();
        for (first, power) in &players {
            let same = game.all_powers().filter(|one| name(*one) == name(*power));
            let met = known.met_by(*power);
            let others = players.iter().filter(|(_, other)| {
                let unmet = other != power && !met.contains(other);
                unmet && name(*other) == name(*power)
            });
            if same.count() == 2 {
                found.extend(others.map(|(second, other)| (*first, *second, *other)));
            }
        }
        let (first, second, other) = *dice.pick(&found)?;
        let free = NAMES.iter().find(|free| {
            let mut taken = names.iter();
            free.is_ascii() && !taken.any(|name| fold(name) == fold(free))
        });
        let calls = |name: &str| vec![Line::Own(format!("NAME {name}"))];
        let begins = self.fixture.kept.now;
        let said = vec![
            Said::otherwise(
                self.minute(begins, 2),
                first,
                self.sign(first),
                Vec::new(),
                calls(free.copied().unwrap_or("Xerxes")),
            ),
            Said::alike(
                self.minute(begins, 6),
                second,
                self.sign(second),
                calls(names.get(usize::from(other.0))?),
            ),
        ];
        let until = self.minute(begins, 20);
        Some(self.pair(Kind::Names, said, until, vec![first]))
    }

    // One order alone -------------------------------------------------------------------

    /// A unit that somebody sees supports or convoys what he does not see, or holds.
    fn partner(&self, dice: &mut Dice) -> Option<Pair> {
        self.one_order(dice, |game, line, power| {
            let (own, named) = line.split_once(" S ").or_else(|| line.split_once(" C "))?;
            let at = place(own)?;
            let of = place(named)?;
            let units = &game.position;
            let whose = units.standing(of)?.power;
            let seen_apart = game.all_powers().any(|reader| {
                let sees = fog::horizon(game, units, reader, self.fixture);
                let else_s = reader != power && reader != whose;
                else_s && sees.contains(&at) && !sees.contains(&of)
            });
            seen_apart.then(|| format!("{own} H"))
        })
    }

    /// A unit goes to a place to which another, dislodged in the same phase, could retreat, or holds.
    fn retreat(&self, dice: &mut Dice) -> Option<Pair> {
        let records = log(&self.written.kept.records, GAME);
        let mut found = Vec::new();
        for (letter, game, power) in self.movements(&records) {
            let Some(next) = self.played(&records, letter.at) else {
                continue;
            };
            let soon = next + SignedDuration::from_secs(1);
            let Some(after) = then(&records, soon).filter(|one| one.phase == Phase::Retreats)
            else {
                continue;
            };
            let map = game.map();
            for unit in game.position.units_of(power) {
                let reach = map.reach(map.travel(unit.kind), unit.at);
                for dislodged in &after.position.dislodged {
                    let near = dislodged.options.iter().filter_map(|option| {
                        let reach = reach.iter();
                        let mut there = reach.filter(|to| to.province == option.province);
                        there.next()
                    });
                    let own = format!("{} {}", unit.kind, unit.at);
                    if dislodged.unit.power != power {
                        let moves = near.map(|to| (format!("{own}-{to}"), format!("{own} H")));
                        found.extend(moves.map(|moves| (letter.id, moves, next)));
                    }
                }
            }
        }
        let (id, (goes, holds), next) = dice.pick(&found)?.clone();
        let until = next + SignedDuration::from_mins(20);
        Some(self.loud_pair(Kind::FarSide, id, &holds, &goes, until))
    }

    /// Two runs in which one order of one letter differs; the phase is played, and soon afterwards they end.
    fn one_order(
        &self,
        dice: &mut Dice,
        otherwise: impl Fn(&Game, &str, Power) -> Option<String>,
    ) -> Option<Pair> {
        let records = log(&self.written.kept.records, GAME);
        let mut found = Vec::new();
        for (letter, game, power) in self.movements(&records) {
            for line in &letter.lines {
                if let Line::Order(text) = line
                    && let Some(other) = otherwise(&game, text, power)
                {
                    found.push((letter.id, text.clone(), other));
                }
            }
        }
        let (id, one, other) = dice.pick(&found)?.clone();
        let at = self.written.run.letters[id].at;
        let until = self.played(&records, at)? + SignedDuration::from_mins(20);
        Some(self.loud_pair(Kind::FarSide, id, &one, &other, until))
    }

    /// The letters of movement phases in which orders stand, each with the game as it found it and the power of its writer.
    fn movements<'r>(
        &'r self,
        records: &'r [Record],
    ) -> impl Iterator<Item = (&'r Letter, Game, Power)> {
        let letters = self.written.run.letters.iter();
        let letters = letters.filter(|letter| gives_orders(letter));
        letters.filter_map(move |letter| {
            let game = then(records, letter.at).filter(|one| one.phase == Phase::Movement)?;
            let author = &self.fixture.cast.people[letter.from].address;
            let power = led(&game, author)?;
            Some((letter, game, power))
        })
    }

    /// When the phase of an hour was played.
    fn played(&self, records: &[Record], at: Timestamp) -> Option<Timestamp> {
        let plays = |event: &Event| matches!(event, Event::Played(_));
        let mut later = records.iter().filter(|record| record.at >= at);
        let played = later.find(|record| record.events.iter().any(plays))?;
        Some(played.at)
    }

    fn loud_pair(&self, kind: Kind, id: usize, one: &str, other: &str, until: Timestamp) -> Pair {
        let letters = self.written.run.letters.iter();
        let letters: Vec<Letter> = letters.filter(|one| one.at < until).cloned().collect();
        let author = letters[id].from;
        let unit = place(one);
        let write = |order: &str| {
            let mut letters = letters.clone();
            let about = |line: &Line| matches!(line, Line::Order(text) if place(text) == unit);
            let lines = &mut letters[id].lines;
            lines.retain(|line| !about(line));
            lines.push(Line::Order(order.to_owned()));
            Run { letters, until }
        };
        Pair {
            kind,
            one: write(one),
            other: write(other),
            casting: Casting::Usual,
            authors: vec![author],
        }
    }
}

/// Those of these pairs in which anything differs.
fn scenes(pairs: Vec<Option<Pair>>, quiet: bool) -> impl Iterator<Item = Scene> {
    let differs = |pair: &Pair| {
        let said = pair.one.letters != pair.other.letters;
        said || pair.casting != Casting::Usual
    };
    let pairs = pairs.into_iter().flatten().filter(differs);
    pairs.map(move |pair| Scene { pair, quiet })
}

/// Those who have met two that have not met each other: the person, his power, and the two.
fn apart(game: &Game, led: &[(usize, Power)]) -> Vec<(usize, Power, Power, Power)> {
    let known = Acquaintances::of(game);
    let mut found = Vec::new();
    for (who, power) in led {
        let met = known.met_by(*power);
        for one in &met {
            let others = met.iter().filter(|other| *other != one);
            let apart = others.filter(|other| !known.met_by(*one).contains(other));
            found.extend(apart.map(|other| (*who, *power, *one, *other)));
        }
    }
    found
}

/// One of these, who is taken out.
fn drawn(players: &mut Vec<(usize, Power)>, dice: &mut Dice) -> Option<(usize, Power)> {
    (!players.is_empty()).then(|| players.swap_remove(dice.below(players.len())))
}

/// The province of the unit that an order begins with.
pub(super) fn place(order: &str) -> Option<dipjudge::map::Province> {
    let word = order.split([' ', '-']).nth(1)?;
    word.get(..3)?.to_uppercase().parse().ok()
}

/// What a leader would have sent since an hour another sends, who leads his power now.
fn hand_over(run: &mut Run, leader: usize, heir: usize, sign: &Sign, since: Timestamp) {
    for letter in &mut run.letters {
        if letter.from == leader && letter.at > since {
            (letter.from, letter.sign) = (heir, sign.clone());
        }
    }
}

/// Whether a line gives up what somebody is, or moves his mail: there are scenes of its own for that.
fn changes_hands(text: &str) -> bool {
    let text = text.to_uppercase();
    let words = ["RESIGN", "ADDRESS", "PASSWORD", "SET PW", "SET P ", "TOKEN"];
    let letters = ["PRESS", "BROADCAST", "POSTAL", "OFFICIAL"];
    words.iter().any(|word| text.contains(word))
        || letters.iter().any(|word| text.starts_with(word))
}
