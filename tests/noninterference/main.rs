//! The property that every mail depends on nothing but what its reader may see (`visibility.md` 11).
//!
//! A run is a table (`fixture`) and the letters that people send (`author`). A twin of it differs in something hidden
//! (`twins`). An oracle written from the rules alone says what each reader may know of a run (`oracle`); up to the first
//! difference of that, all that the judge sends him must be the same, byte for byte (`compare`).
//!
//! `PAIRS=40000 cargo test --test noninterference` searches longer; `SEED=…` begins elsewhere; `VARIANT=strangers` looks at the
//! tables of that variant alone, `HIDES` and `FLAVOR` at other tables, `KINDS=Own,Lent` at twins of these kinds; `WORDS=4000` plays as names all words that the judge writes, rather than 600 of them;
//! `RUNS=40` shows the first lines of all failures in so many runs (`TRIALS=0`: none of them is made smaller); `THREADS=1` leaves the other cores alone; `LEAK=History` plants that leak alone. `tests/run --long` searches with many more
//! pairs. `cargo test --release` is worth its build from some thousands of pairs on.

#![allow(
    unreachable_pub,
    reason = "the modules share their items with one another"
)]

mod acquaintance;
mod aimed;
mod asking;
mod author;
mod calendar;
mod canaries;
mod civilizations;
mod compare;
mod complete;
mod conditions;
mod dealings;
mod detours;
mod dice;
mod disguises;
mod fixture;
mod fog;
mod letters;
mod meddling;
#[path = "../common/memory/mod.rs"]
mod memory;
mod names;
mod openings;
mod oracle;
mod orders;
mod own;
mod persons;
mod phantoms;
mod planted_leaks;
mod property;
mod property_holds;
mod published;
mod scenes;
mod sentences;
mod silly;
#[path = "../common/spies/mod.rs"]
mod spies;
mod stage;
mod starts;
#[path = "../common/strangers/mod.rs"]
mod strangers;
mod tongue;
mod turnover;
mod twins;
mod unseen;
