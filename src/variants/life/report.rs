//! The Life step as everybody reads it: with the neighbors and parents, so that it can be checked by hand (ruling 22).

use super::births::Wish;
use super::ends;
use super::generation::{self, Birth, Death, Generation};
use super::owners;
use crate::game::project::Labels;
use crate::game::{Course, Game};
use crate::map::{Location, Power, UnitKind};
use crate::position::Unit;
use crate::view::and_list;

type Section = (String, Vec<String>);

/// What is told with the report of the last adjudicated phase: the step behind it, or the births that it decided.
pub(super) fn sections(game: &Game, labels: &Labels) -> Vec<Section> {
    let number = game.last.as_ref().map(|played| played.number);
    let Some(generation) = generation::last(game).filter(|_| number.is_some()) else {
        return Vec::new();
    };
    if Some(generation.after) == number {
        return step(game, labels, &generation);
    }
    let decided: Vec<&Birth> = generation
        .births
        .iter()
        .filter(|birth| birth.decided.is_some() && birth.decided == number)
        .collect();
    if decided.is_empty() {
        return Vec::new();
    }
    let lines = by_owner(
        game,
        labels,
        &decided,
        |birth| birth.unit.power,
        |birth| newborn(game, birth),
    );
    vec![(format!("Births decided in {}:", date(&generation)), lines)]
}

/// The births that are still open, if any.
pub(super) fn open_births(game: &Game, labels: &Labels) -> Option<Section> {
    // Where no births phase opens, types are open in predictions alone.
    if ends::BIRTHS_PHASE.is(game, "never") {
        return None;
    }
    let open = generation::open(game);
    let lines: Vec<String> = game
        .all_powers()
        .filter_map(|power| {
            let own: Vec<String> = open
                .iter()
                .filter(|birth| birth.unit.power == power)
                .map(|birth| game.map().full_name(birth.unit.at))
                .collect();
            (!own.is_empty()).then(|| format!("{}: {}.", labels.name(power), and_list(&own)))
        })
        .collect();
    (!lines.is_empty()).then(|| {
        (
            "Open births (their owners send BIRTH lines by the deadline):".to_owned(),
            lines,
        )
    })
}

fn date(generation: &Generation) -> String {
    super::Life.date(generation.turn)
}

fn step(game: &Game, labels: &Labels, generation: &Generation) -> Vec<Section> {
    let date = date(generation);
    let mut sections = Vec::new();
    let deaths: Vec<&Death> = generation.deaths.iter().collect();
    let births: Vec<&Birth> = generation.births.iter().collect();
    let dead = by_owner(
        game,
        labels,
        &deaths,
        |death| death.unit.power,
        |death| died(game, death),
    );
    let born = by_owner(
        game,
        labels,
        &births,
        |birth| birth.unit.power,
        |birth| {
            let parents: Vec<String> = birth
                .parents
                .iter()
                .map(|unit| format!("{} {}", labels.adjective(unit.power), named(game, unit)))
                .collect();
            format!("{}, beside {}", newborn(game, birth), and_list(&parents))
        },
    );
    let nothing = |lines: Vec<String>, word: &str| match lines.is_empty() {
        true => vec![format!("No unit {word}.")],
        false => lines,
    };
    sections.push((
        format!("Deaths in {date} (with other than two neighbors):"),
        nothing(dead, "dies"),
    ));
    sections.push((
        format!("Births in {date} (where there are three neighbors):"),
        nothing(born, "is born"),
    ));
    sections.push((
        format!("Units after {date}:"),
        standing(game, labels, generation),
    ));
    sections.extend(open_births(game, labels));
    let gone: Vec<String> = generation
        .alive
        .iter()
        .filter(|power| game.unit_count(**power) == 0)
        .map(|power| {
            format!(
                "{} has no unit left and is out of the game.",
                labels.name(*power)
            )
        })
        .collect();
    if !gone.is_empty() {
        sections.push(("Eliminated:".to_owned(), gone));
    }
    sections
}

/// What stands after the step: who lived on, and who was born.
fn standing(game: &Game, labels: &Labels, generation: &Generation) -> Vec<String> {
    let born = |unit: &Unit| {
        generation
            .births
            .iter()
            .any(|birth| birth.unit.id == unit.id)
    };
    owners(game)
        .filter_map(|power| {
            let units: Vec<String> = game
                .position
                .units_of(power)
                .map(|unit| {
                    let mark = if born(unit) { " (born)" } else { "" };
                    format!("{}{mark}", named(game, unit))
                })
                .collect();
            (!units.is_empty()).then(|| {
                format!(
                    "{}, {}: {}.",
                    labels.name(power),
                    units.len(),
                    units.join(", ")
                )
            })
        })
        .collect()
}

/// One line each, by the owners in their order: `Austria: …`.
fn by_owner<T>(
    game: &Game,
    labels: &Labels,
    all: &[&T],
    power: impl Fn(&T) -> Power,
    words: impl Fn(&T) -> String,
) -> Vec<String> {
    owners(game)
        .flat_map(|owner| {
            all.iter()
                .filter(|one| power(one) == owner)
                .map(|one| format!("{}: {}.", labels.name(owner), words(one)))
                .collect::<Vec<_>>()
        })
        .collect()
}

/// `Fleet Trieste, 3 neighbors: Budapest, Serbia and Vienna`
fn died(game: &Game, death: &Death) -> String {
    let names: Vec<String> = death
        .neighbors
        .iter()
        .map(|province| game.map().full_name(Location::from(*province)))
        .collect();
    let unit = named(game, &death.unit);
    match names.len() {
        0 => format!("{unit}, no neighbor"),
        1 => format!("{unit}, 1 neighbor: {}", names.concat()),
        count => format!("{unit}, {count} neighbors: {}", and_list(&names)),
    }
}

/// `Army Prussia (drawn: A PRU)`, `Unit Rome (type open)`
fn newborn(game: &Game, birth: &Birth) -> String {
    let unit = named(game, &birth.unit);
    let drawn = match birth.drawn {
        _ if birth.open() => " (type open)".to_owned(),
        Wish {
            kind: None,
            coast: None,
        } => String::new(),
        Wish {
            kind: None,
            coast: Some(coast),
        } => format!(" (coast drawn: {coast})"),
        Wish { .. } => format!(" (drawn: {} {})", birth.unit.kind, birth.unit.at),
    };
    format!("{unit}{drawn}")
}

/// `Fleet St Petersburg (north coast)`
fn named(game: &Game, unit: &Unit) -> String {
    let kind = match unit.kind {
        UnitKind::ARMY => "Army",
        UnitKind::FLEET => "Fleet",
        _ => "Unit",
    };
    format!("{kind} {}", game.map().full_name(unit.at))
}
