//! A game of Life set up from the notation of the case files, and what is sent in it.

#![allow(unreachable_pub)] // a module of one test program

use std::collections::BTreeMap;

use dipjudge::commands::consider::consider;
use dipjudge::commands::due::Due;
use dipjudge::commands::names::Names;
use dipjudge::commands::orders::{grammar_of, read_orders_by};
use dipjudge::game::project::Reader;
use dipjudge::game::{DrawSheet, Event, Game, GameEdit, Seed, Variant, VariantGame, apply, phases};
use dipjudge::mails::outbound::{Templates, sections};
use dipjudge::map::{Location, Power, UnitKind};
use dipjudge::position::{Position, Unit};
use dipjudge::variants;
use dipjudge::view::Viewer;

/// The kind of units whose type is not known yet.
pub const OPEN: &str = "NEW";

pub fn life() -> &'static dyn Variant {
    variants::named("life").unwrap()
}

/// A game in S1901M without units, its seed all zeros.
pub fn empty() -> Game {
    empty_on("")
}

/// The same on a map over which these lines of a map file are laid.
pub fn empty_on(places: &str) -> Game {
    let now = "2026-11-30T10:30:00Z".parse().unwrap();
    let created = Event::Created {
        name: "case".to_owned(),
        variant: "life".to_owned(),
        map: "standard".to_owned(),
        places: format!("{}{places}", life().card().places),
        seed: Seed::new([0; 32]),
    };
    let game = apply::create(&created, now).unwrap();
    let mut edit = GameEdit::of(&game, life(), now);
    edit.emit(Event::Dealt {
        powers: game.map().powers().to_vec(),
        holders: Vec::new(),
    });
    phases::begin(&mut edit);
    edit.game
}

/// A game in which these stand: `AUS: A SER, F TRI; NEU: A GAL`.
pub fn game(units: &str) -> Game {
    let mut game = empty();
    game.position = position(&game, units);
    game
}

pub fn position(game: &Game, units: &str) -> Position {
    let mut position = Position::default();
    for side in units.split(';').filter(|side| *side != "none") {
        let (name, units) = side.split_once(':').unwrap();
        for unit in units.split(',') {
            let (kind, at) = unit.trim().split_once(' ').unwrap();
            let id = position.free_id();
            position.units.push(Unit {
                id,
                power: power(game, name.trim()),
                kind: kind.parse().unwrap(),
                at: at.parse().unwrap(),
            });
        }
    }
    for unit in &position.units {
        let travel = game.map().travel(unit.kind);
        assert!(
            game.map().can_stand(travel, unit.at),
            "{unit:?} cannot be there"
        );
    }
    position
}

/// The power of three letters; `NEU` is nobody.
pub fn power(game: &Game, name: &str) -> Power {
    if name == "NEU" {
        return Power::NEUTRAL;
    }
    game.all_powers()
        .find(|power| game.key(*power).starts_with(name))
        .unwrap_or_else(|| panic!("no power is called {name}"))
}

/// A course of it, with the draws that are forced.
pub fn edit<'v>(game: &Game, draws: Option<&'v DrawSheet>) -> GameEdit<'v> {
    let now = "2026-12-01T10:30:00Z".parse().unwrap();
    let mut edit = GameEdit::of(game, life(), now);
    edit.draws = draws;
    edit
}

/// What a line of a power comes to; the error is what the player reads.
pub fn send(edit: &mut GameEdit, power: Power, line: &str) -> Result<Vec<String>, String> {
    let due = Due::in_phase(&edit.game.phase);
    let names = Names::of(
        edit.game.map(),
        VariantGame::new(&edit.game, life())
            .seen_by(Viewer::Master)
            .roster(),
    );
    let mut notes = Vec::new();
    let read = read_orders_by(grammar_of(life()), line, due, &names);
    assert!(!read.is_empty(), "nothing is read from `{line}`");
    for order in read {
        let words = order.map_err(|error| error.to_string())?;
        let sight = VariantGame::new(&edit.game, life()).sight_of(power);
        let considered =
            consider(&sight, life(), &words).map_err(|sentences| sentences.join(" "))?;
        notes.extend(considered.notes);
        considered
            .effects
            .into_iter()
            .for_each(|effect| edit.emit(effect.event(power)));
    }
    Ok(notes)
}

/// `AUS A BUD`, `ENG ? LON`: the owner, type and place of a unit.
pub fn named(game: &Game, unit: &Unit) -> String {
    let owner = &game.key(unit.power)[..3];
    let kind = match unit.kind.as_str() {
        OPEN => "?",
        letters => letters,
    };
    format!("{owner} {kind} {}", unit.at)
}

/// Provinces and units after a step, against those before: who is gone, and who is new.
pub fn changes(before: &Position, game: &Game) -> (Vec<String>, Vec<String>) {
    let after = &game.position;
    let mut deaths: Vec<String> = before
        .units
        .iter()
        .filter(|unit| !after.units.contains(unit))
        .map(|unit| unit.at.province.to_string())
        .collect();
    let mut births: Vec<String> = after
        .units
        .iter()
        .filter(|unit| !before.units.contains(unit))
        .map(|unit| named(game, unit))
        .collect();
    deaths.sort();
    births.sort();
    (deaths, births)
}

/// The rows of a case file: cells parted by `|`.
pub fn rows(text: &'static str) -> Vec<Vec<&'static str>> {
    text.lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| line.split('|').map(str::trim).collect())
        .collect()
}

/// Words parted by a sign; none for `none`.
pub fn list(cell: &str, sign: char) -> Vec<String> {
    let mut all: Vec<String> = cell
        .split(sign)
        .map(|word| word.trim().to_owned())
        .filter(|word| !word.is_empty() && word != "none")
        .collect();
    all.sort();
    all
}

/// The sections of the report of the phase last adjudicated, as an observer has them.
pub fn report(before: &Game, game: &Game) -> String {
    let reader = Reader::observer(game);
    let played = game.last.as_ref().unwrap();
    let report = VariantGame::new(game, life())
        .read_by(&reader)
        .phase_report(before, played);
    crate::told::lines(&sections(&Templates::built_in(), &report.sections).unwrap()).join("\n")
}

/// So many units of each, wherever they can stand.
pub fn shared_province(counts: &[(Power, usize)]) -> Position {
    let map = empty().map().to_owned();
    let mut places = map
        .provinces()
        .iter()
        .filter(|info| map.can_stand(map.travel(UnitKind::ARMY), info.code.into()))
        .map(|info| (UnitKind::ARMY, Location::from(info.code)))
        .chain(
            map.provinces()
                .iter()
                .filter(|info| info.terrain == dipjudge::map::Terrain::Sea)
                .map(|info| (UnitKind::FLEET, Location::from(info.code))),
        );
    let mut position = Position::default();
    for (power, count) in counts {
        for _ in 0..*count {
            let (kind, at) = places.next().unwrap();
            let id = position.free_id();
            position.units.push(Unit {
                id,
                power: *power,
                kind,
                at,
            });
        }
    }
    position
}

/// Numbers by stream, as `U1901L/birth-type/PIC`.
pub fn draws(code: &str, province: &str, cell: &str) -> BTreeMap<String, u64> {
    let coasts = match province {
        "BUL" => ["EC", "SC"],
        _ => ["NC", "SC"],
    };
    list(cell, ',')
        .iter()
        .map(|draw| match draw.as_str() {
            "type=A" => (format!("{code}/birth-type/{province}"), 0),
            "type=F" => (format!("{code}/birth-type/{province}"), 1),
            other => {
                let coast = other.strip_prefix("coast=").unwrap();
                let index = coasts.iter().position(|known| *known == coast).unwrap();
                (format!("{code}/birth-coast/{province}"), index as u64)
            }
        })
        .collect()
}
