//! Random orders from the board: legal ones, a share of supports and convoys, some that cannot be, some that are nothing.

use dipjudge::game::{Game, Phase, Variant, VariantGame};
use dipjudge::map::{Location, Map, Power, Terrain, Travel};
use dipjudge::position::Unit;

use super::dice::Dice;

/// Orders of one power for the phase in hand, a line each. `careless`: some may be missing or nonsense.
pub fn orders(
    game: &Game,
    variant: &dyn Variant,
    power: Power,
    careless: bool,
    dice: &mut Dice,
) -> Vec<String> {
    let mut lines: Vec<String> = match game.phase {
        Phase::Movement => match attack(game, power, dice) {
            Some(lines) if dice.chance(60) => lines,
            _ => units(game, power)
                .map(|unit| movement(game, unit, careless, dice))
                .collect(),
        },
        Phase::Retreats => retreats(game, power, dice),
        Phase::Adjustments => adjustments(game, variant, power, dice),
        _ => Vec::new(),
    };
    if careless {
        if !lines.is_empty() && dice.chance(25) {
            let gone = dice.below(lines.len());
            lines.remove(gone);
        }
        if dice.chance(30) {
            lines.push(nonsense(game, power, dice));
        }
    }
    lines
}

fn units(game: &Game, power: Power) -> impl Iterator<Item = &Unit> {
    let own = move |unit: &&Unit| unit.power == power;
    game.position.units.iter().filter(own)
}

/// All that can reach one unit of another power attack it together; the others do as they like.
fn attack(game: &Game, power: Power, dice: &mut Dice) -> Option<Vec<String>> {
    let map = game.map();
    let reaches = |unit: &Unit, to: &Unit| {
        let mut reach = map.reach(map.travel(unit.kind), unit.at).iter();
        reach
            .find(|place| place.province == to.at.province)
            .copied()
    };
    let foes = game
        .position
        .units
        .iter()
        .filter(|unit| unit.power != power);
    let able = foes.filter(|foe| {
        let near = units(game, power).filter(|unit| reaches(unit, foe).is_some());
        near.count() > 1
    });
    let able: Vec<&Unit> = able.collect();
    let foe = *dice.pick(&able)?;
    let mut first = None;
    let lines = units(game, power).map(|unit| {
        let own = format!("{} {}", unit.kind, unit.at);
        match (reaches(unit, foe), &first) {
            (None, _) => movement(game, unit, false, dice),
            (Some(to), None) => {
                first = Some(own.clone());
                format!("{own}-{to}")
            }
            (Some(to), Some(first)) => format!("{own} S {first}-{}", to.province),
        }
    });
    Some(lines.collect())
}

fn movement(game: &Game, unit: &Unit, careless: bool, dice: &mut Dice) -> String {
    let map = game.map();
    let own = format!("{} {}", unit.kind, unit.at);
    let reach = map.reach(map.travel(unit.kind), unit.at);
    let roll = dice.below(100);
    if careless && roll < 6 {
        // Somewhere it cannot go, or by a convoy that nobody has heard of.
        let far = dice.pick(map.provinces()).map(|info| info.code);
        return far.map_or(own.clone(), |far| format!("{own}-{far}"));
    }
    match roll {
        0..=49 => match dice.pick(reach) {
            Some(to) => format!("{own}-{to}"),
            None => format!("{own} H"),
        },
        50..=74 => support(game, &own, reach, careless, dice),
        75..=84 => convoy(game, unit, &own, dice).unwrap_or_else(|| format!("{own} H")),
        _ => format!("{own} H"),
    }
}

/// A support of a unit that can come where this one can; a careless player guesses what stands there.
fn support(game: &Game, own: &str, reach: &[Location], careless: bool, dice: &mut Dice) -> String {
    let map = game.map();
    let Some(to) = dice.pick(reach).map(|to| to.province) else {
        return format!("{own} H");
    };
    if careless && dice.chance(40) {
        let from = dice.pick(map.neighbors(to)).copied().unwrap_or(to);
        let kind = if dice.chance(50) { 'A' } else { 'F' };
        return format!("{own} S {kind} {from}-{to}");
    }
    let others: Vec<&Unit> = game
        .position
        .units
        .iter()
        // No unit supports itself.
        .filter(|other| format!("{} {}", other.kind, other.at) != own)
        .filter(|other| {
            map.reach(map.travel(other.kind), other.at)
                .iter()
                .any(|place| place.province == to)
        })
        .collect();
    if let Some(standing) = game.position.standing(to)
        && dice.chance(40)
    {
        return format!("{own} S {} {}", standing.kind, standing.at);
    }
    match dice.pick(&others) {
        Some(other) => format!("{own} S {} {}-{to}", other.kind, other.at),
        None => format!("{own} H"),
    }
}

/// A fleet at sea carries an army from one shore to another; an army has itself carried.
fn convoy(game: &Game, unit: &Unit, own: &str, dice: &mut Dice) -> Option<String> {
    let map = game.map();
    let shores = |sea| {
        map.neighbors(sea)
            .iter()
            .copied()
            .filter(|shore| {
                map.info(*shore)
                    .is_some_and(|info| info.terrain != Terrain::Sea)
            })
            .collect::<Vec<_>>()
    };
    let at_sea = |unit: &Unit| {
        map.travel(unit.kind) == Travel::Sea
            && map
                .info(unit.at.province)
                .is_some_and(|info| info.terrain == Terrain::Sea)
    };
    if at_sea(unit) {
        let shores = shores(unit.at.province);
        let armies: Vec<&Unit> = game
            .position
            .units
            .iter()
            .filter(|army| map.travel(army.kind) == Travel::Land)
            .filter(|army| shores.contains(&army.at.province))
            .collect();
        let army = dice.pick(&armies)?;
        let to = dice.pick(&shores)?;
        return Some(format!("{own} C {} {}-{to}", army.kind, army.at));
    }
    let fleets: Vec<&Unit> = game
        .position
        .units
        .iter()
        .filter(|fleet| at_sea(fleet) && shores(fleet.at.province).contains(&unit.at.province))
        .collect();
    let fleet = dice.pick(&fleets)?;
    let shores = shores(fleet.at.province);
    let to = dice.pick(&shores)?;
    Some(format!("{own}-{}-{to}", fleet.at))
}

fn retreats(game: &Game, power: Power, dice: &mut Dice) -> Vec<String> {
    let own = game
        .position
        .dislodged
        .iter()
        .filter(|dislodged| dislodged.unit.power == power);
    own.map(|dislodged| {
        let unit = format!("{} {}", dislodged.unit.kind, dislodged.unit.at);
        match dice.pick(&dislodged.options) {
            Some(to) if dice.chance(75) => format!("{unit}-{to}"),
            _ => format!("{unit} D"),
        }
    })
    .collect()
}

fn adjustments(game: &Game, variant: &dyn Variant, power: Power, dice: &mut Dice) -> Vec<String> {
    let map = game.map();
    let allowances = VariantGame::new(game, variant).allowances();
    let counts = allowances.counts(power);
    let mut lines = Vec::new();
    let mut sites = allowances.sites(power);
    for _ in 0..counts.builds {
        if dice.chance(12) || sites.is_empty() {
            lines.push("WAIVE".to_owned());
            continue;
        }
        let site = sites.remove(dice.below(sites.len()));
        let kind = if dice.chance(50) {
            Travel::Land
        } else {
            Travel::Sea
        };
        let stations = map.stations(kind, site);
        let at = dice.pick(&stations).copied().unwrap_or_else(|| site.into());
        let letter = if kind == Travel::Sea && !stations.is_empty() {
            'F'
        } else {
            'A'
        };
        lines.push(format!("BUILD {letter} {at}"));
    }
    let mut standing: Vec<&Unit> = units(game, power).collect();
    for _ in 0..counts.removals.min(standing.len()) {
        let unit = standing.remove(dice.below(standing.len()));
        lines.push(format!("REMOVE {} {}", unit.kind, unit.at));
    }
    lines
}

/// A line that is no order of this power: of another's unit, of nobody's, or no words at all.
fn nonsense(game: &Game, power: Power, dice: &mut Dice) -> String {
    let map = game.map();
    let place = |map: &Map, dice: &mut Dice| {
        dice.pick(map.provinces())
            .map_or_else(String::new, |info| info.code.to_string())
    };
    match dice.below(5) {
        0 => {
            let others: Vec<&Unit> = game
                .position
                .units
                .iter()
                .filter(|unit| unit.power != power)
                .collect();
            dice.pick(&others).map_or_else(
                || "A Atlantis H".to_owned(),
                |unit| format!("{} {} H", unit.kind, unit.at),
            )
        }
        1 => format!("A {} H", place(map, dice)),
        2 => format!("F {}-{}", place(map, dice), place(map, dice)),
        3 => "March on the capital".to_owned(),
        _ => format!("A {} S", place(map, dice)),
    }
}

/// The provinces of a power's units and their neighbors, for lines of a variant's own.
pub fn neighborhood(game: &Game, power: Power) -> Vec<String> {
    let mut near = Vec::new();
    for unit in units(game, power) {
        near.push(unit.at.province.to_string());
        near.extend(
            game.map()
                .neighbors(unit.at.province)
                .iter()
                .map(ToString::to_string),
        );
    }
    near
}
