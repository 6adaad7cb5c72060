//! Orders and units as text, in the notation that saved games and test cases use.
//!
//! | order | written |
//! | --- | --- |
//! | hold | `A MAR H` |
//! | move | `A MUN - BUR`, `F STP/SC - BOT`, `F MAO - SPA/NC` |
//! | move by convoy | `A LON - NWY VIA`, or by the seas named: `A LON - NTH - NWY` |
//! | support to hold, to move | `A PAR S A MAR`, `A PAR S A MAR - BUR` |
//! | convoy | `F NTH C A LON - NWY` |
//! | retreat, disband | `A MUN R BOH`, `A MUN D` |
//! | build, remove, waive | `F BRE B`, `A MUN D`, `WAIVE` |
//!
//! Kinds of units, provinces and orders are capitals, parted by blanks. What else players may type is for the program that
//! reads their mail; here an order has one spelling, and what is written reads back as itself.
//!
//! [`WrittenOrder`] is one order. [`movement_orders`], [`retreat_orders`] and [`adjustment_orders`] read those of a phase, an
//! order or a power a line; [`position`], [`centers`] and [`write_position`] read and write a board:
//!
//! ```
//! use dipjudge_rules::map::Map;
//! use dipjudge_rules::notation::{self, LineError, NotationError};
//!
//! let map = Map::standard();
//! let text = "France: A PAR, F SPA/NC\nGermany: A MUN\n";
//! let position = notation::position(map, text)?;
//! assert_eq!(notation::write_position(map, &position), text);
//!
//! let misspelt = notation::movement_orders(map, &position, "A PAR - BUR\nA MUN - BRU");
//! assert_eq!(misspelt.unwrap_err().to_string(), "line 2: `BRU` is not a place on this map");
//! # Ok::<(), LineError>(())
//! ```

mod board;
mod order;
mod phase;

use crate::map::Province;
use crate::position::NamedUnit;

pub use board::{centers, position, unit, write_position};
pub use order::{WrittenOrder, place};
pub use phase::{adjustment_orders, movement_orders, retreat_orders};

/// Why a text cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotationError {
    /// The map has no unit with these letters.
    #[error("`{0}` is not a kind of unit")]
    UnknownKind(String),
    /// No province with an optional coast, or none of this map.
    #[error("`{0}` is not a place on this map")]
    UnknownPlace(String),
    /// The map has no power of this name.
    #[error("`{0}` is not a power of this map")]
    UnknownPower(String),
    /// The word behind the unit is not an order of this phase.
    #[error("`{0}` is not an order of this phase")]
    UnknownOrder(String),
    /// The text ends too early, or a line of a power lacks its colon.
    #[error("the text ends where {0} is expected")]
    Missing(&'static str),
    /// The text should have ended before this word.
    #[error("unexpected `{0}`")]
    Unexpected(String),
    /// An army at sea, an inland fleet, or a coast that is missing or wrong.
    #[error("{0} cannot stand there")]
    CannotStand(NamedUnit),
    /// A province of a position holds more units than it has room for.
    #[error("two units stand in {0}")]
    Occupied(Province),
    /// The position has no such unit that could be given the order.
    #[error("there is no {0} to order")]
    NoSuchUnit(NamedUnit),
    /// The province is not a supply center.
    #[error("{0} is not a supply center")]
    NoCenter(Province),
}

/// Which line of a text cannot be read, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {error}")]
pub struct LineError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    #[source]
    pub error: NotationError,
}

/// Hands each line that is not blank to `read`, and adds the line's number to its error.
fn each_line(
    text: &str,
    mut read: impl FnMut(&str) -> Result<(), NotationError>,
) -> Result<(), LineError> {
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.trim();
        if !text.is_empty() {
            read(text).map_err(|error| LineError { line, error })?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
