//! Twins for supports: a unit that somebody supports where it stands does stand there, or tries in vain to go where he does
//! not see. Chance alone would hardly ever bring that about.

use dipjudge::game::{Game, Phase};
use dipjudge::map::Power;
use dipjudge::position::Unit;

use super::author::Run;
use super::conditions::{led, then};
use super::dice::Dice;
use super::fixture::{Casting, Fixture, GAME};
use super::fog;
use super::letters::{Letter, Line};
use super::stage::{Kept, log};
use super::twins::{Kind, Pair, gives_orders};

/// A support, and the two orders of the unit that it is for.
struct Support {
    line: String,
    whose: Power,
    stays: String,
    goes: String,
}

/// Two runs with a support put into one letter, in which the supported unit is ordered differently.
pub fn pair(fixture: &Fixture, run: &Run, kept: &Kept, dice: &mut Dice) -> Option<Pair> {
    let mut letters: Vec<&Letter> = run.letters.iter().filter(|one| gives_orders(one)).collect();
    let log = log(&kept.records, GAME);
    while !letters.is_empty() {
        let letter = letters.swap_remove(dice.below(letters.len()));
        let Some(game) = then(&log, letter.at).filter(|game| game.phase == Phase::Movement) else {
            continue;
        };
        let address = |who: usize| &fixture.cast.people[who].address;
        let Some(power) = led(&game, address(letter.from)) else {
            continue;
        };
        // The last letter of a phase counts.
        let last = |power: Power| {
            run.letters.iter().rfind(|one| {
                let now = one.phase == letter.phase && gives_orders(one);
                now && led(&game, address(one.from)) == Some(power)
            })
        };
        let mut supports = supports(&game, power, fixture);
        supports.retain(|support| last(support.whose).is_some());
        let Some(support) = dice.pick(&supports) else {
            continue;
        };
        let (own, theirs) = (last(power)?, last(support.whose)?);
        let write = |line: &String| {
            let mut run = run.clone();
            for (letter, line) in [(own, &support.line), (theirs, line)] {
                let letter = run.letters.get_mut(letter.id)?;
                letter.lines.push(Line::Order(line.clone()));
            }
            Some(run)
        };
        return Some(Pair {
            kind: Kind::Phantom,
            one: write(&support.stays)?,
            other: write(&support.goes)?,
            casting: Casting::Usual,
            authors: vec![theirs.from],
        });
    }
    None
}

/// Supports that a power can give to others' units, beside which stands another out of its sight.
fn supports(game: &Game, power: Power, fixture: &Fixture) -> Vec<Support> {
    let map = game.map();
    let watched = fog::horizon(game, &game.position, power, fixture);
    let reach = |unit: &Unit| map.reach(map.travel(unit.kind), unit.at).to_vec();
    let mut found = Vec::new();
    for own in game.position.units_of(power) {
        for place in reach(own) {
            let standing = game.position.standing(place.province);
            let Some(other) = standing.filter(|other| other.power != power) else {
                continue;
            };
            for to in reach(other) {
                let taken = game.position.standing(to.province).is_some();
                if taken && !watched.contains(&to.province) {
                    let (named, here) = (format!("{} {}", other.kind, other.at), own);
                    found.push(Support {
                        line: format!("{} {} S {named}", here.kind, here.at),
                        whose: other.power,
                        stays: format!("{named} H"),
                        goes: format!("{named}-{to}"),
                    });
                }
            }
        }
    }
    found
}
