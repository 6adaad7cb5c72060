//! What a picture of a board costs: its SVG, and its PNG as it is attached to mails.

use dipjudge::drawing;
use dipjudge::interchange;
use dipjudge::map::Province;
use dipjudge::view::{Board, Owner};

/// A board in the middle of a game with the orders of a movement phase, as `tests/pictures` has it too.
const BUSY: &str = "standard-busy";
/// The same sort of picture where most is out of sight, and of the map with the most provinces.
const OTHERS: [&str; 2] = ["blind-as-france", "modern-orders"];

fn main() {
    divan::main();
}

fn board(name: &str) -> Board {
    let lines = include_str!("../tests/pictures/positions.jsonl").lines();
    let mut lines = lines.filter(|line| line.contains(&format!("\"id\": \"{name}\"")));
    let line = lines.next().expect("a position of this name");
    let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
    interchange::board(line, value["as"].as_str()).expect("a board")
}

/// What is written into a picture.
#[divan::bench]
fn svg(bencher: divan::Bencher<'_, '_>) {
    let board = board(BUSY);
    bencher.bench(|| drawing::svg(divan::black_box(&board)));
}

/// A picture made points, once its map is known and a picture with the same owners of the land was made.
#[divan::bench(args = [BUSY, OTHERS[0], OTHERS[1]])]
fn png(bencher: divan::Bencher<'_, '_>, name: &str) {
    let mut board = board(name);
    let first = drawing::png(&drawing::svg(&board));
    assert!(first.is_some_and(|picture| picture.png.len() < 150_000));
    let mut year = 1900;
    let next = || {
        year += 1;
        board.title = format!("kaiser, F{year}M");
        drawing::svg(&board)
    };
    bencher
        .with_inputs(next)
        .bench_local_values(|svg| drawing::png(divan::black_box(&svg)));
}

/// A picture of the surroundings of one power's units, from the board to points, once its map is known.
#[divan::bench(args = [BUSY, OTHERS[0], OTHERS[1]])]
fn near_png(bencher: divan::Bencher<'_, '_>, name: &str) {
    let mut board = board(name);
    board.near = board.units.first().map(|unit| unit.whose);
    let first = drawing::svg(&board);
    assert!(first.is_near());
    assert!(drawing::png(&first).is_some_and(|picture| picture.png.len() < 150_000));
    let mut year = 1900;
    let next = || {
        year += 1;
        board.title = format!("kaiser, F{year}M");
        board.clone()
    };
    bencher
        .with_inputs(next)
        .bench_local_values(|board| drawing::png(&drawing::svg(divan::black_box(&board))));
}

/// A picture made points, once its map is known, with owners of the land that no picture had before.
#[divan::bench]
fn png_of_new_owners(bencher: divan::Bencher<'_, '_>) {
    let mut board = board(BUSY);
    let centers: Vec<Province> = board.owners.keys().copied().collect();
    let mut count = 0;
    let next = || {
        count += 1;
        // Each picture has one center more of somebody else's, so that the last ones differ from it.
        let center = centers[count % centers.len()];
        let owner = board.owners.get_mut(&center).expect("a center");
        *owner = Owner(owner.0.map(|number| (number + 1) % board.powers.len()));
        drawing::svg(&board)
    };
    bencher
        .with_inputs(next)
        .bench_local_values(|svg| drawing::png(divan::black_box(&svg)));
}
