//! Orders as text: what follows the unit that is told them.

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
    /// As in saved games: `S A PAR - BUR`. Lines that were read are written so too.
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

    /// As in reports: `SUPPORT Army Paris -> Burgundy`.
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

/// A route as an order says it.
pub trait Way {
    /// A place on the way.
    type Place: Display;

    /// The places before the destination.
    fn over(&self) -> &[Self::Place];

    /// Whether the order insists on a convoy without naming its fleets.
    fn via(&self) -> bool;
}

impl Way for Passage {
    type Place = crate::map::Province;

    fn over(&self) -> &[Self::Place] {
        match self {
            Self::Route(seas) => seas,
            Self::Auto | Self::Land | Self::Convoy => &[],
        }
    }

    fn via(&self) -> bool {
        *self == Self::Convoy
    }
}

/// The names of the places before the destination.
impl Way for Vec<String> {
    type Place = String;

    fn over(&self) -> &[String] {
        self
    }

    fn via(&self) -> bool {
        false
    }
}

impl<N: Names> Action<N>
where
    N::Place: Display,
    N::Province: Display,
    N::Unit: Display,
    N::Route: Way,
{
    /// Writes what follows the unit in an order; `special` writes what only this naming has. A unit that is built or removed
    /// is the one before, so it is not written again.
    ///
    /// # Errors
    /// If the text cannot be written to.
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
                for place in by.over() {
                    write!(text, "{arrow} {place} ")?;
                }
                write!(text, "{arrow} {to}")?;
                if by.via() {
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
