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
//! Words are in capital letters and separated by blanks. The notation is for data, not for what players type: each order has
//! one spelling, and an order that was written is read as the same order.
//!
//! A [`WrittenOrder`] is one order. [`movement_orders`] and [`retreat_orders`] read the orders of a phase, one on each line;
//! [`adjustment_orders`], [`position`] and [`centers`] read texts with a line for each power; [`write_position`] writes the units
//! of a position:
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
    /// The map does not have this kind of unit.
    #[error("`{0}` is not a kind of unit")]
    UnknownKind(String),
    /// The text is not a place, or its province is not on the map.
    #[error("`{0}` is not a place on this map")]
    UnknownPlace(String),
    /// The map does not have a power of this name.
    #[error("`{0}` is not a power of this map")]
    UnknownPower(String),
    /// The word after the unit is not an order of this phase.
    #[error("`{0}` is not an order of this phase")]
    UnknownOrder(String),
    /// The text ends too early, or a line of a power lacks its colon.
    #[error("the text ends where {0} is expected")]
    Missing(&'static str),
    /// The text goes on after its end with this word.
    #[error("unexpected `{0}`")]
    Unexpected(String),
    /// The unit cannot be there: an army at sea, a fleet inland, or a coast that is missing or wrong.
    #[error("{0} cannot stand there")]
    CannotStand(NamedUnit),
    /// There are two units in a province that is not shared.
    #[error("two units stand in {0}")]
    Occupied(Province),
    /// The position does not have this unit, or not dislodged as the order requires.
    #[error("there is no {0} to order")]
    NoSuchUnit(NamedUnit),
    /// The province is not a supply center.
    #[error("{0} is not a supply center")]
    NoCenter(Province),
}

/// Why a text cannot be read, with the line.
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
