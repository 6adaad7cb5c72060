//! Steps of a way over the squares of a grid.

/// A step from a square to one of the eight around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridStep {
    /// The columns to the right.
    pub right: i32,
    /// The rows down.
    pub down: i32,
    /// The length, in tenths of a square.
    pub length: u32,
}

/// The steps to the sides, up and down, and aslant.
pub const STEPS: [GridStep; 8] = [
    straight(1, 0),
    straight(-1, 0),
    straight(0, 1),
    straight(0, -1),
    aslant(1, 1),
    aslant(1, -1),
    aslant(-1, 1),
    aslant(-1, -1),
];

const fn straight(right: i32, down: i32) -> GridStep {
    GridStep {
        right,
        down,
        length: 10,
    }
}

const fn aslant(right: i32, down: i32) -> GridStep {
    GridStep {
        right,
        down,
        length: 14,
    }
}
