//! Orders as text: the part after the unit.

use std::fmt::{self, Display, Write};

use super::{Action, Names, Passage};

/// The words in which orders are written.
#[derive(Clone, Copy, Debug)]
pub struct Notation {
    hold: &'static str,
    arrow: &'static str,
    via: &'static str,
    support: &'static str,
    convoy: &'static str,
    retreat: &'static str,
    disband: &'static str,
    build: &'static str,
    remove: &'static str,
    waive: &'static str,
}

impl Notation {
    /// The words of saved games: `S A PAR - BUR`.
    pub const SHORT: Notation = Notation {
        hold: "H",
        arrow: "-",
        via: "VIA",
        support: "S",
        convoy: "C",
        retreat: "R",
        disband: "D",
        build: "B",
        remove: "D",
        waive: "WAIVE",
    };

    /// The words of reports: `SUPPORT Army Paris -> Burgundy`.
    pub const LONG: Notation = Notation {
        hold: "HOLD",
        arrow: "->",
        via: "VIA",
        support: "SUPPORT",
        convoy: "CONVOY",
        retreat: "->",
        disband: "DISBAND",
        build: "BUILD",
        remove: "REMOVE",
        waive: "WAIVE",
    };
}

/// The way of a unit to its destination, as an order is written.
pub trait WrittenRoute {
    /// How a place is named.
    type Place: Display;

    /// The places that the order names before the destination.
    fn stops(&self) -> &[Self::Place];

    /// Whether the order ends with `VIA`: the unit goes by convoy, and the order does not name the seas.
    fn is_by_convoy(&self) -> bool;
}

impl WrittenRoute for Passage {
    type Place = crate::map::Province;

    fn stops(&self) -> &[Self::Place] {
        match self {
            Self::Route(seas) => seas,
            Self::Auto | Self::Land | Self::Convoy => &[],
        }
    }

    fn is_by_convoy(&self) -> bool {
        *self == Self::Convoy
    }
}

/// The names of the places before the destination.
impl WrittenRoute for Vec<String> {
    type Place = String;

    fn stops(&self) -> &[String] {
        self
    }

    fn is_by_convoy(&self) -> bool {
        false
    }
}

impl<N: Names> Action<N>
where
    N::Place: Display,
    N::Province: Display,
    N::Unit: Display,
    N::Route: WrittenRoute,
{
    /// Writes the part of an order that follows the unit. `special` writes an [`Action::Special`]. The unit that is built or
    /// removed is the one before that part, so it is not written.
    ///
    /// # Errors
    /// The errors of `text` and `special`.
    pub fn write<W: Write>(
        &self,
        text: &mut W,
        notation: &Notation,
        special: impl FnOnce(&mut W, &N::Special) -> fmt::Result,
    ) -> fmt::Result {
        let Notation {
            arrow,
            support,
            convoy,
            ..
        } = notation;
        match self {
            Self::Hold => text.write_str(notation.hold),
            Self::Move { to, by } => {
                for place in by.stops() {
                    write!(text, "{arrow} {place} ")?;
                }
                write!(text, "{arrow} {to}")?;
                if by.is_by_convoy() {
                    write!(text, " {}", notation.via)?;
                }
                Ok(())
            }
            Self::SupportHold { at } => write!(text, "{support} {at}"),
            Self::SupportMove { from, to } => write!(text, "{support} {from} {arrow} {to}"),
            Self::Convoy { from, to } => write!(text, "{convoy} {from} {arrow} {to}"),
            Self::Retreat { to } => write!(text, "{} {to}", notation.retreat),
            Self::Disband => text.write_str(notation.disband),
            Self::Build(_) => text.write_str(notation.build),
            Self::Remove { .. } => text.write_str(notation.remove),
            Self::Waive => text.write_str(notation.waive),
            Self::Special(order) => special(text, order),
        }
    }
}
