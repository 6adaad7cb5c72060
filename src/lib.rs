//! dipjudge: a judge for the board game Diplomacy that is played by email.
//!
//! The program `dipjudge` is a small `main.rs` around this library. The rules stand by themselves: a phase is adjudicated
//! without a mailbox, a clock or a disk.
//!
//! ```
//! use dipjudge::interchange::{Options, adjudicate};
//!
//! // Munich to Burgundy, against nobody in the form of the Python package `diplomacy`.
//! let line = r#"{"name": "S1901M", "state": {"units": {"GERMANY": ["A MUN"]}},
//!                "orders": {"GERMANY": ["A MUN - BUR"]}}"#;
//! let mut answer = Vec::new();
//! assert!(adjudicate(line.as_bytes(), &Options::default(), &mut answer));
//! let answer: serde_json::Value = serde_json::from_slice(&answer)?;
//! assert_eq!(answer["next"]["state"]["units"]["GERMANY"][0], "A BUR");
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! Where to look: [`adjudicator`] for movement, retreats and adjustments by the DATC; [`game`] for one game in time, which is
//! the fold of its events, and its trait [`Variant`](game::Variant); [`judge`] for what a mail comes to; [`shell`] for IMAP,
//! SMTP and the store. Imports go down, never up (`ARCHITECTURE.md`, kept by `tests/it/floor_plan.rs`).

// What lies below the shell is pure: see clippy.toml. Tests may read files.
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

// board: what the printed rules are about
pub mod adjudicator;
pub mod calendar;
pub mod conditions;
pub mod folding;
pub mod grammar;
pub mod map;
pub mod markup;
pub mod orders;
pub mod planted;
pub mod position;
pub mod view;

// game: one game in time, and what variants change
pub mod game;
pub mod variants;

// desk: one mail or one tick in; records, mails and pictures out
pub mod commands;
pub mod drawing;
pub mod interchange;
pub mod judge;
pub mod mails;

// shell: bytes, sockets, files, the clock, the command line
pub mod shell;
