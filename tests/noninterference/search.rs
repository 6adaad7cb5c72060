//! The property that every mail depends on nothing but what its reader may see (`visibility.md` 11).
//!
//! A run is a table (`fixture`) and the letters that people send (`author`). A twin of it differs in something hidden
//! (`twins`). An oracle written from the rules alone says what each reader may know of a run (`oracle`); up to the first
//! difference of that, all that the judge sends him must be the same, byte for byte (`compare`).

#![allow(dead_code, unreachable_pub)] // shared by two test programs; neither needs all of it

pub mod acquaintance;
pub mod author;
mod calendar;
pub mod canaries;
pub mod civilizations;
pub mod compare;
mod conditions;
mod dealings;
pub mod dice;
pub mod disguises;
pub mod fixture;
pub mod fog;
pub mod letters;
mod meddling;
#[path = "../common/memory/mod.rs"]
pub mod memory;
pub mod oracle;
pub mod orders;
pub mod own;
mod persons;
mod phantoms;
pub mod property;
pub mod sentences;
pub mod silly;
pub mod stage;
#[path = "../common/strangers/mod.rs"]
pub mod strangers;
mod turnover;
pub mod twins;
