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
//! SMTP; [`store`] for the disk. Each is a crate of its own (`ARCHITECTURE.md`).

pub use dipjudge_commands as commands;
pub use dipjudge_drawing as drawing;
pub use dipjudge_game as game;
pub use dipjudge_game::planted;
pub use dipjudge_grammar as grammar;
pub use dipjudge_interchange as interchange;
pub use dipjudge_judge as judge;
pub use dipjudge_mails as mails;
pub use dipjudge_rules::{
    adjudicator, calendar, conditions, folding, map, notation, orders, position, sorted_map,
};
pub use dipjudge_shell as shell;
pub use dipjudge_store as store;
pub use dipjudge_variants as variants;
pub use dipjudge_view as view;
pub use dipjudge_view::markup;
