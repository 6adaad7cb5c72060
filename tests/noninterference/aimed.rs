//! Twins in which somebody says one thing more that the judge takes: it is tried before. A line drawn from a grammar is refused
//! more often than not, and then the twins differ in nothing but an answer.

use std::collections::BTreeMap;

use dipjudge::game::{Event, Record};
use dipjudge::judge::NewRecord;
use dipjudge::map::Power;

use super::author::{Author, Written};
use super::dice::Dice;
use super::fixture::{Casting, Fixture, GAME, Part};
use super::letters::{Letter, Line, Sign};
use super::stage::log;
use super::tongue::{Words, bends_the_calendar};
use super::twins::{Kind, Pair};

/// Lines that are tried; of those that do something, one is said.
const TRIED: usize = 14;

/// A pair of which one run has a line more that does something; rather something that is seldom done.
pub fn pair(
    fixture: &Fixture,
    written: &Written,
    templates: &dipjudge::mails::outbound::Templates,
    dice: &mut Dice,
) -> Option<Pair> {
    let letters = &written.run.letters;
    let fits = |letter: &&Letter| {
        let signed = match &letter.sign {
            Sign::Line(sign) => sign.contains(GAME),
            Sign::Token => true,
            Sign::Relay(_) | Sign::Nothing => false,
        };
        let part = fixture.cast.people[letter.from].part;
        let says_nothing = letter.lines.iter().all(|line| line.press().is_none());
        signed && says_nothing && matches!(part, Part::Player | Part::Candidate)
    };
    let able: Vec<&Letter> = letters.iter().filter(fits).collect();
    let letter = (*dice.pick(&able)?).clone();
    let stage = written.stage_at(letter.at, fixture, templates);
    let address = fixture.cast.people[letter.from].address.clone();
    let usual = stage.would(&letter, &address).records;
    // What others say may be said by him as well.
    let others = letters.iter().filter(|one| one.phase == letter.phase);
    let others: Vec<Line> = others
        .flat_map(|one| one.lines.iter())
        .filter(|line| matches!(line, Line::Own(_) | Line::Vote(_) | Line::Ahead(_)))
        .cloned()
        .collect();
    let mut author = Author::at(fixture, stage, dice);
    let power = author.power_of(letter.from)?;
    let mut by_effect: BTreeMap<String, Vec<Line>> = BTreeMap::new();
    for _ in 0..TRIED {
        let line = match author.dice.pick(&others) {
            Some(line) if author.dice.chance(20) => line.clone(),
            _ => author.any_line(letter.from, power),
        };
        let text = line.text();
        if bends_the_calendar(&text, fixture) || text.contains("ENDPRESS") || moves_mail(&text) {
            continue;
        }
        let mut more = letter.clone();
        more.lines.push(line.clone());
        let records = author.stage.would(&more, &address).records;
        if let Some(effect) = effect(&usual, &records) {
            by_effect.entry(effect).or_default().push(line);
        }
    }
    let mut count: BTreeMap<String, usize> = BTreeMap::new();
    for record in log(&written.kept.records, GAME) {
        for event in &record.events {
            *count.entry(name_of(event)).or_default() += 1;
        }
    }
    let rare = |effect: &&String| {
        let names = effect.split(' ');
        names
            .map(|name| count.get(name).copied().unwrap_or_default())
            .min()
    };
    let seldom = by_effect.keys().min_by_key(rare)?.clone();
    let effects: Vec<&String> = by_effect.keys().collect();
    let chosen = match dice.chance(60) {
        true => &seldom,
        false => *dice.pick(&effects)?,
    };
    let line = dice.pick(by_effect.get(chosen)?)?.clone();
    let mut other = written.run.clone();
    let public = matches!(line, Line::Other(_));
    other.letters[letter.id].lines.push(line);
    let mut authors = vec![letter.from];
    if public {
        // What is no line of the variant's own is a master's to read.
        authors.extend(fixture.of(Part::Master));
    }
    Some(Pair {
        kind: Kind::Doings,
        one: written.run.clone(),
        other,
        casting: Casting::Usual,
        authors,
    })
}

/// Where mail goes is a matter of its own.
fn moves_mail(text: &str) -> bool {
    text.to_uppercase().contains("ADDRESS")
}

/// The names of what happens by one ruling and not by another; none where both do the same.
pub fn effect(usual: &[NewRecord], records: &[NewRecord]) -> Option<String> {
    let events = |records: &[NewRecord]| -> Vec<Event> {
        let all: Vec<Record> = log(records, GAME);
        all.into_iter().flat_map(|record| record.events).collect()
    };
    let (usual, now) = (events(usual), events(records));
    let new: Vec<String> = now
        .iter()
        .filter(|event| !usual.contains(event))
        .map(name_of)
        .collect();
    (!new.is_empty()).then(|| new.join(" "))
}

/// What an event is called; a submission and what happens to a seat by names of their own.
fn name_of(event: &Event) -> String {
    let told = serde_json::to_value(event).unwrap_or_default();
    let word = |key: &str| told[key].as_str().unwrap_or_default().to_owned();
    match event {
        Event::Submitted { .. } => format!("submitted-{}", word("name")),
        Event::SeatChanged { .. } => {
            let change = &told["change"];
            let keys = change.as_object().and_then(|change| change.keys().next());
            let name = keys.map(String::as_str).or(change.as_str());
            format!("seat-{}", name.unwrap_or_default())
        }
        _ => word("event"),
    }
}

impl<'a> Author<'a> {
    /// The same, or a line of the judge's tables, in the order of their rows.
    pub(super) fn said_of_oneself(&mut self, person: usize, power: Power, place: usize) -> Line {
        if self.dice.chance(40) {
            return self.any_line(person, power);
        }
        let words = Words::of(self.fixture, self.game(), person);
        let rows = self.tongue.rows();
        let line = self
            .tongue
            .line(&rows[place % rows.len()], &words, self.dice);
        Line::Other(line)
    }

    /// A line that whoever leads a power may send now: orders, votes, lines of the variant's own, lines for later phases, settings
    /// of the sender's own.
    fn any_line(&mut self, person: usize, power: Power) -> Line {
        match self.dice.below(20) {
            0..8 if self.speaks() => self.own_line(power),
            0..10 if self.fixture.is_of_civilizations() => self.dealing(power),
            0..11 => self.ahead(power),
            11..13 => self.vote(power),
            13 => Line::Wait(true),
            14..16 => self.own_doing(power),
            16 | 17 => {
                let orders = self.order_lines(power, false);
                let order = self.dice.pick(&orders).cloned();
                order.unwrap_or(Line::Wait(false))
            }
            _ => Line::Other(self.own_setting(person).unwrap_or_default()),
        }
    }
}
