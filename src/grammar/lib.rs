//! Reads the files of the top folder `grammar/` and matches lines of text against them.
//!
//! `grammar/README.md` describes the notation. A [`Grammar`] is compiled from one or more files. [`Grammar::read`] matches one of
//! its rules at a position of a [`Text`] and returns a [`Tree`]; if the rule does not match, [`Grammar::explain`] returns a
//! [`Failure`], which says how far reading got and what would have matched there. The names of provinces, powers and units,
//! which depend on the map and the game, come from an implementation of [`Terms`].

// Nothing here touches the world: see clippy.toml. Tests may read files.
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

mod check;
mod compiled;
mod engine;
mod notation;
mod number_words;
mod terms;
mod tree;

pub use compiled::Grammar;
pub use dipjudge_rules::text::Text;
pub use engine::{Failure, WantedTerm};
pub use notation::{GrammarError, GrammarFault, Source};
pub use number_words::number_in_words;
pub use terms::{Term, Terms, Value};
pub use tree::{Line, Node, Tree};

/// The grammar files of orders and of the judge's commands.
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
    /// Letters in words: `grammar/letters.grammar`.
    pub const LETTERS: Source<'static> = Source {
        name: "letters.grammar",
        text: include_str!("../../grammar/letters.grammar"),
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
