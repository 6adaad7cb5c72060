//! Twelve years of a gunboat game through the judge alone (`games::gunboat`).

use crate::games::gunboat::GunboatGame;
use crate::games::memory_host::MemoryHost;

#[test]
fn twelve_years_of_gunboat_through_the_judge_alone() {
    let mut host = MemoryHost::new();
    let begins = "2026-11-30T09:00:00Z".parse().unwrap();
    GunboatGame::at(&mut host, begins).play();
}
