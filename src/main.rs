//! The program: see `dipjudge --help`.
fn main() {}
