//! The saved-game format of the `diplomacy` package: the `adjudicate` filter, and games written for `export`.
//!
//! JSON Lines in, JSON Lines out, one position and its orders a line. [`run`] is the whole filter, [`adjudicate`] one line
//! of it. Nothing here reads a file, a clock or a socket.

// Nothing here touches the world: see clippy.toml. Tests may read files.
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

mod board;
mod by_engine;
mod export;
mod input;
mod job;
mod judge_syntax;
mod next_phase;
mod order_text;
mod output;
mod phase;
mod picture;
mod plain;
mod run;
mod seats;

pub use export::export;
pub use job::adjudicate;
pub use judge_syntax::judge_syntax;
pub use order_text::{Fallback, Misread, Spoken};
pub use picture::board;
pub use run::run;

/// The options of the filter.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// How many threads adjudicate; 0 counts as 1.
    pub jobs: usize,
    /// Omits `next`.
    pub results_only: bool,
    /// Reduces every answer to what this power may know (`sees`).
    pub as_power: Option<&'a str>,
    /// Reads orders that are not in the package's own syntax.
    pub fallback: Option<&'a Fallback>,
}

#[cfg(test)]
mod tests;
