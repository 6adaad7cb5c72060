//! dipjudge: a judge for the board game Diplomacy that is played by email.
//!
//! The rooms, from the ground up; imports go down, never up (`ARCHITECTURE.md`, kept by `tests/it/floor_plan.rs`).

// What lies below the shell is pure: see clippy.toml. Tests may read files.
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

// board: what the printed rules are about
pub mod adjudicator;
pub mod calendar;
pub mod grammar;
pub mod map;
pub mod orders;
pub mod planted;
pub mod position;
pub mod view;

// game: one game in time, and what variants change
pub mod game;
pub mod variants;

// desk: one mail or one tick in; records, mails and pictures out
pub mod commands;
pub mod interchange;
pub mod judge;
pub mod mails;

// shell: bytes, sockets, files, the clock, the command line
pub mod shell;
