//! What a picture of a board costs: its SVG, and its PNG as it is attached to mails.

use dipjudge::drawing;
use dipjudge::interchange;
use dipjudge::view::Board;

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

/// A picture made points, once its map is known.
#[divan::bench(args = [BUSY, OTHERS[0], OTHERS[1]])]
fn png(bencher: divan::Bencher<'_, '_>, name: &str) {
    let svg = drawing::svg(&board(name));
    let first = drawing::png(&svg);
    assert!(first.is_some_and(|picture| picture.png.len() < 150_000));
    bencher.bench(|| drawing::png(divan::black_box(&svg)));
}
