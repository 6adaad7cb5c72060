//! The legibility of pictures, measured on random boards: units, heads of arrows and names are counted in the points of the picture,
//! and lines are held against units and one another. At most one board in a hundred may have a fault; those that have are told.
//!
//! `DIPJUDGE_BOARDS=10000 cargo test --release -p dipjudge-drawing legib -- --nocapture` draws as many boards as are asked for,
//! `DIPJUDGE_BOARDS=300..400` those numbers; `DIPJUDGE_LOOK=FOLDER` writes those with faults there, and some others, to be looked at.

pub(super) mod boards;
mod faults;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use dipjudge_view::{Board, Owner};

use boards::random_board;
use faults::{Fault, FaultKind, Judge};

use super::{png, svg};

/// How many boards are drawn if the environment names no number.
const FEW: u64 = 24;
/// One in so many boards without faults is written as well.
const SAMPLE: u64 = 100;

/// The numbers of the boards that are asked for.
fn asked() -> Range<u64> {
    let Ok(asked) = std::env::var("DIPJUDGE_BOARDS") else {
        return 0..FEW;
    };
    let number = |words: &str| words.parse::<u64>().unwrap();
    match asked.split_once("..") {
        Some((first, end)) => number(first)..number(end),
        None => 0..number(&asked),
    }
}

/// A board with something wrong.
struct FaultyBoard {
    seed: u64,
    map: String,
    width: i32,
    faults: Vec<Fault>,
}

/// Judges the boards with these numbers.
fn judged(seeds: &[u64]) -> Vec<FaultyBoard> {
    let look = std::env::var_os("DIPJUDGE_LOOK");
    let mut judge = Judge::default();
    let mut faulty = Vec::new();
    for seed in seeds {
        let board = random_board(*seed);
        let faults = judge.faults(&board);
        let picture = svg(&board);
        if let Some(look) = &look
            && (!faults.is_empty() || seed % SAMPLE == 0)
        {
            let file = Path::new(look).join(format!("board-{seed}.png"));
            std::fs::write(file, png(&picture).unwrap().png).unwrap();
        }
        if !faults.is_empty() {
            faulty.push(FaultyBoard {
                seed: *seed,
                map: board.map.name().to_string(),
                width: picture.width,
                faults,
            });
        }
    }
    faulty
}

/// What is kept of a map while its boards are drawn.
fn ground(board: &Board) -> (usize, &'static str) {
    (std::ptr::from_ref(board.map).addr(), board.drawing)
}

#[test]
fn random_boards_are_legible() {
    let asked = asked();
    let boards = asked.end - asked.start;
    // Boards of one map one after another: what is kept of a map is made once.
    let mut seeds: Vec<u64> = asked.collect();
    seeds.sort_by_key(|seed| ground(&random_board(*seed)));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = seeds.len().div_ceil(threads).max(1);
    let mut faulty: Vec<FaultyBoard> = std::thread::scope(|scope| {
        let parts: Vec<_> = seeds
            .chunks(share)
            .map(|part| scope.spawn(|| judged(part)))
            .collect();
        let parts = parts.into_iter().map(|part| part.join().unwrap());
        parts.flatten().collect()
    });
    faulty.sort_by_key(|board| board.seed);
    let mut counts: BTreeMap<FaultKind, usize> = BTreeMap::new();
    for board in &faulty {
        let FaultyBoard {
            seed, map, width, ..
        } = board;
        for Fault { kind, at } in &board.faults {
            println!("{seed} {map} {width} {kind:?} {:.0} {:.0}", at.x, at.y);
            *counts.entry(*kind).or_default() += 1;
        }
    }
    let faulty = faulty.len() as u64;
    println!("{faulty} of {boards} boards have faults: {counts:?}");
    assert!(
        faulty <= 1.max(boards / 100),
        "{faulty} of {boards}: {counts:?}"
    );
}

/// Draws pictures and nothing else, so that a clock beside it tells what one costs:
/// `DIPJUDGE_BOARDS=500 cargo test --release -p dipjudge-drawing --lib draws_pictures -- --ignored`.
#[test]
#[ignore = "measures nothing by itself"]
fn draws_pictures() {
    draw_all(|board| board);
}

/// The same for the surroundings of one power.
#[test]
#[ignore = "measures nothing by itself"]
fn draws_near_pictures() {
    draw_all(|board| Board {
        near: Some(Owner(Some(0))),
        ..board
    });
}

fn draw_all(shown: impl Fn(Board) -> Board) {
    let mut seeds: Vec<u64> = asked().collect();
    seeds.sort_by_key(|seed| ground(&random_board(*seed)));
    let sizes = seeds.iter().map(|seed| {
        let picture = png(&svg(&shown(random_board(*seed)))).unwrap();
        picture.png.len()
    });
    println!("the largest file has {} bytes", sizes.max().unwrap());
}
