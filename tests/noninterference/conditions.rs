//! Twins for conditions: somebody asks, with IF, after a unit that stands out of his sight in one run and not in the other.
//! Chance alone would hardly ever ask after one that differs.

use dipjudge::game::{Game, Phase, Record, apply};
use dipjudge::map::Power;
use dipjudge::position::Unit;
use jiff::Timestamp;

use super::author::Run;
use super::dice::Dice;
use super::fixture::{Fixture, GAME, Part, labels};
use super::fog;
use super::letters::{Letter, Line};
use super::stage::{Kept, log};
use super::twins::gives_orders;

/// The same question put into a letter of both runs: the letter's place, and the lines.
pub struct Question {
    /// Which letter.
    pub letter: usize,
    line: Line,
}

impl Question {
    /// Puts the question.
    pub fn ask(&self, run: &mut Run) {
        if let Some(letter) = run.letters.get_mut(self.letter) {
            letter.lines.push(self.line.clone());
        }
    }
}

/// A question to which two runs have different answers that its author cannot know.
pub fn question(
    fixture: &Fixture,
    run: &Run,
    kept: (&Kept, &Kept),
    authors: &[usize],
    dice: &mut Dice,
) -> Option<Question> {
    let able = |letter: &&Letter| {
        let people = &fixture.cast.people;
        !authors.contains(&letter.from)
            && people[letter.from].part == Part::Player
            && gives_orders(letter)
    };
    let mut letters: Vec<&Letter> = run.letters.iter().filter(able).collect();
    let logs = (log(&kept.0.records, GAME), log(&kept.1.records, GAME));
    while !letters.is_empty() {
        let letter = letters.swap_remove(dice.below(letters.len()));
        let (Some(one), Some(other)) = (then(&logs.0, letter.at), then(&logs.1, letter.at)) else {
            continue;
        };
        let address = &fixture.cast.people[letter.from].address;
        if let Some(line) = differing(fixture, &one, &other, address, dice) {
            return Some(Question {
                letter: letter.id,
                line,
            });
        }
    }
    None
}

/// The game as it was just before an hour.
pub fn then(log: &[Record], at: Timestamp) -> Option<Game> {
    let mut earlier = log.iter().take_while(|record| record.at < at);
    earlier.try_fold(None, |game, record| {
        apply::replay(game, record).ok().map(Some)
    })?
}

fn differing(
    fixture: &Fixture,
    one: &Game,
    other: &Game,
    address: &str,
    dice: &mut Dice,
) -> Option<Line> {
    let power = led(one, address)?;
    if one.phase != Phase::Movement
        || other.phase != Phase::Movement
        || led(other, address)? != power
    {
        return None;
    }
    let unseen = |game: &Game, unit: &Unit| {
        let watched = fog::horizon(game, &game.position, power, fixture);
        unit.power != power && !watched.contains(&unit.at.province)
    };
    let stands = |game: &Game, unit: &Unit| {
        let same = |own: &&Unit| own.kind == unit.kind && own.power == unit.power;
        let mut there = game.position.units.iter().filter(same);
        there.any(|own| own.at.province == unit.at.province)
    };
    let found: Vec<&Unit> = [(one, other), (other, one)]
        .into_iter()
        .flat_map(|(here, there)| {
            let units = here.position.units.iter();
            units.filter(move |unit| {
                unseen(here, unit) && unseen(there, unit) && !stands(there, unit)
            })
        })
        .collect();
    let asked = dice.pick(&found)?;
    let own: Vec<&Unit> = one
        .position
        .units_of(power)
        .filter(|unit| {
            other
                .position
                .units_of(power)
                .any(|same| same.at == unit.at)
        })
        .collect();
    let unit = dice.pick(&own)?;
    let map = one.map();
    let reach = map.reach(map.travel(unit.kind), unit.at);
    let to = dice.pick(reach)?;
    Some(Line::Other(format!(
        "IF {} {} {}\n{} {} H\nELSE\n{} {}-{to}\nENDIF",
        labels(one).name(asked.power),
        asked.kind,
        asked.at.province,
        unit.kind,
        unit.at,
        unit.kind,
        unit.at
    )))
}

/// Which power somebody leads.
pub fn led(game: &Game, address: &str) -> Option<Power> {
    let mut powers = game.all_powers();
    powers.find(|power| {
        let holder = game.holder(*power).filter(|seat| !seat.left);
        holder.is_some_and(|seat| seat.address == address) && !game.standing(*power).vacant()
    })
}
