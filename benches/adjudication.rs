//! What a movement phase and a whole line of the filter cost.

use dipjudge::adjudicator::movement;
use dipjudge::interchange::{Options, adjudicate};
use dipjudge::map::Map;
use dipjudge::orders::{Action, Order, OrderSheet, Passage};
use dipjudge::position::{Position, Unit, UnitId};

/// The board in the middle of a game, 34 units, and orders as players give them: supported attacks, cut supports, a
/// convoy, stand-offs, a ring.
const GAME: &str = include_str!("middle-game.json");

fn main() {
    divan::main();
}

/// A movement phase of a real size, everything in memory.
#[divan::bench]
fn movement_phase(bencher: divan::Bencher<'_, '_>) {
    let (position, sheet) = read(GAME);
    bencher.bench(|| {
        movement(
            Map::standard(),
            divan::black_box(&position),
            divan::black_box(&sheet),
        )
    });
}

/// The same as a line of JSON, answered as a line of JSON.
#[divan::bench]
fn line_of_json(bencher: divan::Bencher<'_, '_>) {
    let mut out = Vec::with_capacity(8192);
    bencher.bench_local(|| {
        out.clear();
        adjudicate(
            divan::black_box(GAME.as_bytes()),
            &Options::default(),
            &mut out,
        )
    });
}

/// All cases of the DATC, one after the other: paradoxes, rings, odd orders.
#[divan::bench]
fn datc(bencher: divan::Bencher<'_, '_>) {
    let cases = include_str!("../src/rules/tests/datc/datc.jsonl");
    let mut out = Vec::with_capacity(1 << 20);
    bencher.bench_local(|| {
        out.clear();
        cases
            .lines()
            .filter(|case| adjudicate(case.as_bytes(), &Options::default(), &mut out))
            .count()
    });
}

/// The position and the orders of a line in the package's syntax.
fn read(line: &str) -> (Position, OrderSheet) {
    let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
    let map = Map::standard();
    let mut position = Position::default();
    let mut sheet = OrderSheet::default();
    let lists = |key: &serde_json::Value| key.as_object().cloned().unwrap_or_default();
    for (power, units) in lists(&line["state"]["units"]) {
        let index = map
            .powers()
            .iter()
            .position(|info| info.key == power)
            .expect("a power");
        for unit in units
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(serde_json::Value::as_str)
        {
            let (kind, at) = unit.split_once(' ').expect("a unit");
            position.units.push(Unit {
                id: UnitId(u32::try_from(position.units.len()).expect("few units")),
                power: dipjudge::map::Power(u8::try_from(index).expect("few powers")),
                kind: kind.parse().expect("a kind"),
                at: at.parse().expect("a place"),
            });
        }
    }
    for (_, orders) in lists(&line["orders"]) {
        for order in orders
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(serde_json::Value::as_str)
        {
            let words: Vec<&str> = order.split(' ').collect();
            let place = |word: usize| {
                words[word]
                    .parse::<dipjudge::map::Location>()
                    .expect("a place")
            };
            let unit = position
                .standing(place(1).province)
                .expect("a unit there")
                .id;
            let action = match (words[2], words.len()) {
                ("H", _) => Action::Hold,
                ("-", 4) => Action::Move {
                    to: place(3),
                    by: Passage::Auto,
                },
                ("-", _) => Action::Move {
                    to: place(3),
                    by: Passage::Convoy,
                },
                ("S", 5) => Action::SupportHold {
                    at: place(4).province,
                },
                ("S", _) => Action::SupportMove {
                    from: place(4).province,
                    to: place(6),
                },
                ("C", _) => Action::Convoy {
                    from: place(4).province,
                    to: place(6).province,
                },
                other => panic!("{other:?} in {order}"),
            };
            sheet.orders.push(Order { unit, action });
        }
    }
    (position, sheet)
}
