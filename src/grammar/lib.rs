//! Reads the files of the top folder `grammar/` and matches lines of text against them.
//!
//! The notation is told in `grammar/README.md`. A [`Grammar`] is compiled once from one or more
//! files; [`Grammar::read`] then tries one of its rules at a place of a [`Text`] and gives a
//! [`Tree`], or a [`Failure`] that says how far reading came and what would have been accepted
//! there. What no file can know, the names of provinces, powers and units, is supplied by whoever
//! implements [`Terms`].

// Nothing here touches the world: see clippy.toml. Tests may read files.
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

mod check;
mod engine;
mod notation;
mod terms;
mod tree;

pub use dipjudge_rules::text::Text;
pub use engine::{Failure, WantedTerm};
pub use notation::{Grammar, GrammarError, GrammarFault, Source};
pub use terms::{Term, Terms, Value};
pub use tree::{Line, Node, Tree};

/// The files that every game uses, and those of the judge's commands.
pub mod files {
    use super::Source;

    /// Orders: `grammar/orders.grammar`.
    pub const ORDERS: Source<'static> = Source {
        name: "orders.grammar",
        text: include_str!("../../grammar/orders.grammar"),
    };
    /// Commands: `grammar/commands.grammar`.
    pub const COMMANDS: Source<'static> = Source {
        name: "commands.grammar",
        text: include_str!("../../grammar/commands.grammar"),
    };
    /// What may follow `PRESS`: `grammar/press.grammar`.
    pub const PRESS: Source<'static> = Source {
        name: "press.grammar",
        text: include_str!("../../grammar/press.grammar"),
    };
    /// What may follow `SET`: `grammar/settings.grammar`.
    pub const SETTINGS: Source<'static> = Source {
        name: "settings.grammar",
        text: include_str!("../../grammar/settings.grammar"),
    };
}
