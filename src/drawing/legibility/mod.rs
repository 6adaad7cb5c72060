//! The legibility of pictures, measured on random boards: units, heads of arrows and names are counted in the points of the picture,
//! and lines are held against units and one another. At most one board in a hundred may have a fault; those that have are told.
//!
//! `DIPJUDGE_BOARDS=10000 cargo test --release -p dipjudge-drawing legib -- --nocapture` draws as many boards as are asked for,
//! `DIPJUDGE_BOARDS=300..400` those numbers; `DIPJUDGE_LOOK=FOLDER` writes the worst boards there, one in a hundred, to be looked at.

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
/// One in so many boards may have a fault, and so many, the worst, are written.
const ALLOWED: u64 = 100;

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

/// A board and what is wrong with it, or nearly wrong.
struct JudgedBoard {
    seed: u64,
    map: String,
    width: i32,
    faults: Vec<Fault>,
}

impl JudgedBoard {
    fn is_faulty(&self) -> bool {
        self.faults.iter().any(|fault| !fault.is_allowed())
    }

    /// How bad it is: the square sum of its faults, so that one fault is worse than several that are nearly one.
    fn badness(&self) -> f64 {
        let degrees = self.faults.iter().map(|fault| fault.degree.powi(2));
        degrees.sum()
    }
}

/// Judges the boards with these numbers.
fn judge_all(seeds: &[u64]) -> Vec<JudgedBoard> {
    let mut judge = Judge::default();
    let judged = seeds.iter().map(|seed| {
        let board = random_board(*seed);
        JudgedBoard {
            seed: *seed,
            map: board.map.name().to_string(),
            width: svg(&board).width,
            faults: judge.faults(&board),
        }
    });
    judged.collect()
}

/// Writes pictures of the worst boards, the worst first.
fn write_worst(judged: &[JudgedBoard], folder: &Path) {
    let mut worst: Vec<&JudgedBoard> = judged.iter().collect();
    worst.sort_by(|one, other| {
        let by_fault = other.is_faulty().cmp(&one.is_faulty());
        by_fault.then(other.badness().total_cmp(&one.badness()))
    });
    let count = judged.len() as u64 / ALLOWED;
    for (place, board) in worst.into_iter().take(1.max(count) as usize).enumerate() {
        let JudgedBoard { seed, faults, .. } = board;
        let file = folder.join(format!("worst-{place:03}-board-{seed}.png"));
        std::fs::write(file, png(&svg(&random_board(*seed))).unwrap().png).unwrap();
        for Fault { kind, at, degree } in faults {
            println!(
                "worst {place} {seed} {kind:?} {degree:.2} {:.0} {:.0}",
                at.x, at.y
            );
        }
    }
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
    let mut judged: Vec<JudgedBoard> = std::thread::scope(|scope| {
        let parts: Vec<_> = seeds
            .chunks(share)
            .map(|part| scope.spawn(|| judge_all(part)))
            .collect();
        let parts = parts.into_iter().map(|part| part.join().unwrap());
        parts.flatten().collect()
    });
    judged.sort_by_key(|board| board.seed);
    if let Some(folder) = std::env::var_os("DIPJUDGE_LOOK") {
        write_worst(&judged, Path::new(&folder));
    }
    let mut counts: BTreeMap<FaultKind, usize> = BTreeMap::new();
    for board in &judged {
        let JudgedBoard {
            seed, map, width, ..
        } = board;
        let faults = board.faults.iter().filter(|fault| !fault.is_allowed());
        for Fault { kind, at, .. } in faults {
            println!("{seed} {map} {width} {kind:?} {:.0} {:.0}", at.x, at.y);
            *counts.entry(*kind).or_default() += 1;
        }
    }
    let faulty = judged.iter().filter(|board| board.is_faulty()).count() as u64;
    println!("{faulty} of {boards} boards have faults: {counts:?}");
    assert!(
        faulty <= 1.max(boards / ALLOWED),
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
