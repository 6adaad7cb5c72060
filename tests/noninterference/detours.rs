//! Twins for what was out of sight once and is in sight now: a unit goes somewhere and comes back where another does not see it,
//! whose own unit then comes near. Chance alone would hardly ever bring the two together.

use std::collections::BTreeSet;

use dipjudge::game::{Game, Phase};
use dipjudge::map::{Location, Map, Power, Province};
use dipjudge::position::Unit;

use super::author::Run;
use super::conditions::{led, then};
use super::dice::Dice;
use super::fixture::{Casting, Fixture, GAME};
use super::fog;
use super::letters::{Letter, Line};
use super::stage::{Kept, log};
use super::twins::{Kind, Pair, gives_orders};

/// The movement phase in which a letter comes, and whose orders it gives.
struct Turn<'r> {
    letter: &'r Letter,
    power: Power,
    game: Game,
}

/// Two runs: in one a unit stays, in the other it is away for one phase; in both another comes to see where it stands.
pub fn pair(fixture: &Fixture, run: &Run, kept: &Kept, dice: &mut Dice) -> Option<Pair> {
    let turns = turns(fixture, run, kept);
    let map = fixture.map();
    let mut found = Vec::new();
    for away in &turns {
        let next = turns
            .iter()
            .find(|one| one.power == away.power && one.game.number > away.game.number);
        let Some(back) = next else { continue };
        let later = turns
            .iter()
            .filter(|one| one.power != away.power && one.game.number >= back.game.number);
        for comes in later {
            let ways = ways(fixture, map, (away, back), comes);
            found.extend(ways.into_iter().map(|way| (away, back, comes, way)));
        }
    }
    let (away, back, comes, way) = dice.pick(&found)?;
    let stays = format!("{} {}", way.unit.kind, way.unit.at);
    let put = |run: &mut Run, letter: &Letter, line: String| {
        run.letters[letter.id].lines.push(Line::Order(line));
    };
    let (mut one, mut other) = (run.clone(), run.clone());
    for run in [&mut one, &mut other] {
        let (kind, from) = (way.near.kind, way.near.at);
        put(run, comes.letter, format!("{kind} {from}-{}", way.to));
    }
    for letter in [away.letter, back.letter] {
        put(&mut one, letter, format!("{stays} H"));
    }
    put(&mut other, away.letter, format!("{stays}-{}", way.place));
    let (kind, place) = (way.unit.kind, way.place);
    put(
        &mut other,
        back.letter,
        format!("{kind} {place}-{}", way.unit.at),
    );
    Some(Pair {
        kind: Kind::Detour,
        one,
        other,
        casting: Casting::Usual,
        authors: vec![away.letter.from],
    })
}

/// The last letter with orders of each power in each movement phase.
fn turns<'r>(fixture: &Fixture, run: &'r Run, kept: &Kept) -> Vec<Turn<'r>> {
    let log = log(&kept.records, GAME);
    let mut turns: Vec<Turn> = Vec::new();
    for letter in run.letters.iter().filter(|letter| gives_orders(letter)) {
        let game = then(&log, letter.at).filter(|game| game.phase == Phase::Movement);
        let Some(game) = game else { continue };
        let address = &fixture.cast.people[letter.from].address;
        let Some(power) = led(&game, address) else {
            continue;
        };
        let same = |one: &Turn| (one.power, one.game.number) == (power, game.number);
        turns.retain(|one| !same(one));
        turns.push(Turn {
            letter,
            power,
            game,
        });
    }
    turns
}

/// A unit and where it goes, and another's that comes near it later.
struct Way {
    unit: Unit,
    place: Location,
    near: Unit,
    to: Location,
}

fn ways(fixture: &Fixture, map: &Map, (away, back): (&Turn, &Turn), comes: &Turn) -> Vec<Way> {
    let horizon = |game: &Game| fog::horizon(game, &game.position, comes.power, fixture);
    let seen: BTreeSet<Province> = [&away.game, &back.game, &comes.game]
        .into_iter()
        .flat_map(horizon)
        .collect();
    let stands = |game: &Game, at: Province| game.position.standing(at).is_some();
    let mut found = Vec::new();
    for unit in away.game.position.units_of(away.power) {
        let at = unit.at.province;
        if seen.contains(&at)
            || back
                .game
                .position
                .standing(at)
                .is_none_or(|one| one.id != unit.id)
        {
            continue;
        }
        let places = map.reach(map.travel(unit.kind), unit.at).iter();
        let free = places.filter(|place| {
            let to = place.province;
            !seen.contains(&to) && !stands(&away.game, to) && !stands(&back.game, to)
        });
        let free: Vec<&Location> = free.collect();
        for near in comes.game.position.units_of(comes.power) {
            let reach = map.reach(map.travel(near.kind), near.at).iter();
            let close = reach.filter(|to| {
                map.neighbors(to.province).contains(&at) && !stands(&comes.game, to.province)
            });
            found.extend(close.flat_map(|to| {
                free.iter().map(|place| Way {
                    unit: *unit,
                    place: **place,
                    near: *near,
                    to: *to,
                })
            }));
        }
    }
    found
}
