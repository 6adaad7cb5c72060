//! The legibility of pictures, measured on random boards: units, heads of arrows and names are counted in the points of the picture,
//! and lines are held against units and one another. At most one board in a hundred may have a fault; those that have are told.
//!
//! `DIPJUDGE_BOARDS=10000 cargo test --release -p dipjudge-drawing legibility` draws as many boards as are asked for;
//! `DIPJUDGE_LOOK=FOLDER` writes those with faults there, and some others, to be looked at.

mod boards;
mod faults;

use std::collections::BTreeMap;
use std::path::Path;

use boards::random_board;
use faults::{Fault, FaultKind, Judge};

use super::{png, svg};

/// How many boards are drawn if the environment names no number.
const FEW: usize = 24;
/// One in so many boards without faults is written as well.
const SAMPLE: u64 = 25;

#[test]
fn random_boards_are_legible() {
    let asked = std::env::var("DIPJUDGE_BOARDS").ok();
    let boards: u64 = asked.map_or(FEW as u64, |count| count.parse().unwrap());
    let look = std::env::var_os("DIPJUDGE_LOOK");
    let mut judge = Judge::default();
    let mut counts: BTreeMap<FaultKind, usize> = BTreeMap::new();
    let mut faulty = 0;
    for seed in 0..boards {
        let board = random_board(seed);
        let faults = judge.faults(&board);
        faulty += u64::from(!faults.is_empty());
        let (map, width) = (board.map.name(), svg(&board).width);
        for Fault { kind, at } in &faults {
            println!("{seed} {map} {width} {kind:?} {:.0} {:.0}", at.x, at.y);
            *counts.entry(*kind).or_default() += 1;
        }
        if let Some(look) = &look
            && (!faults.is_empty() || seed % SAMPLE == 0)
        {
            let file = Path::new(look).join(format!("board-{seed}.png"));
            std::fs::write(file, png(&svg(&board)).unwrap().png).unwrap();
        }
    }
    println!("{faulty} of {boards} boards have faults: {counts:?}");
    assert!(
        faulty <= 1.max(boards / 100),
        "{faulty} of {boards}: {counts:?}"
    );
}
