//! What a unit can be told.

use std::fmt::{self, Write as _};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::map::{Location, Province, UnitKind};
use crate::position::UnitId;

/// How a moving army gets to its destination.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Passage {
    /// Nothing said: by land if there is a border, unless an own fleet is ordered to convoy this very move
    /// (rulebook 2023, DATC 4.A.3); else by whatever convoy there is.
    #[default]
    Auto,
    /// By land and never by convoy.
    Land,
    /// `VIA`: by convoy. An army ordered so to a neighboring province stays if no convoy is ordered (DATC 6.G.8).
    Convoy,
    /// By these seas only, in this order.
    Route(Vec<Province>),
}

/// What a unit, or in an adjustment phase a power, can be told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Action {
    /// The unit stays where it is.
    Hold,
    /// Moves. A fleet to a province with several coasts may leave the coast out where only one is in reach.
    Move {
        /// Where it goes, with the coast for a fleet.
        to: Location,
        /// Whether by land or by which convoy.
        by: Passage,
    },
    /// Supports whatever unit is in the province and does not move.
    SupportHold {
        /// Where the supported unit is.
        at: Province,
    },
    /// Supports the move of another unit.
    SupportMove {
        /// Where that unit is.
        from: Province,
        /// Where it moves to. A coast may be left out; one that is named must be the one moved to (DATC 6.B.9).
        to: Location,
    },
    /// Convoys an army.
    Convoy {
        /// Where the army is.
        from: Province,
        /// Where it moves to.
        to: Province,
    },
    /// A dislodged unit goes to another province.
    Retreat {
        /// Where it goes, with the coast for a fleet.
        to: Location,
    },
    /// Disbands instead of retreating.
    Disband,
    /// Builds a unit.
    Build {
        /// An army, a fleet, or a kind of the variant's.
        kind: UnitKind,
        /// The province, with the coast of a fleet where it has several.
        at: Location,
    },
    /// Removes the unit in the province.
    Remove {
        /// Where it is.
        at: Province,
    },
    /// Uses one build for nothing.
    Waive,
    /// Something that only the game's variant understands: what reports print, and its data.
    Special(String, VariantData),
}

impl Action {
    /// The province that the unit moves or retreats to.
    #[must_use]
    pub fn destination(&self) -> Option<Province> {
        match self {
            Self::Move { to, .. } | Self::Retreat { to } => Some(to.province),
            _ => None,
        }
    }

    /// The order in the notation of saved games, as `A LON - BEL VIA`. The kinds of supported and convoyed units are
    /// left out, since an action does not know them.
    #[must_use]
    pub fn of_unit(&self, kind: UnitKind, at: Location) -> String {
        let mut text = format!("{kind} {at} ");
        // Writing to a String cannot fail.
        let _ = match self {
            Self::Hold => write!(text, "H"),
            Self::Move {
                to,
                by: Passage::Auto | Passage::Land,
            } => write!(text, "- {to}"),
            Self::Move {
                to,
                by: Passage::Convoy,
            } => write!(text, "- {to} VIA"),
            Self::Move {
                to,
                by: Passage::Route(seas),
            } => {
                for sea in seas {
                    let _ = write!(text, "- {sea} ");
                }
                write!(text, "- {to}")
            }
            Self::SupportHold { at } => write!(text, "S {at}"),
            Self::SupportMove { from, to } => write!(text, "S {from} - {to}"),
            Self::Convoy { from, to } => write!(text, "C {from} - {to}"),
            Self::Retreat { to } => write!(text, "R {to}"),
            Self::Disband | Self::Remove { .. } => write!(text, "D"),
            Self::Build { .. } => write!(text, "B"),
            Self::Waive => return "WAIVE".to_owned(),
            Self::Special(words, _) => write!(text, "{words}"),
        };
        text
    }
}

/// An action and the unit that is told it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// A unit of the position that is adjudicated.
    pub unit: UnitId,
    /// What that unit is to do, legal or not.
    pub action: Action,
}

/// Data that only the game's variant reads: state, orders and submissions are kept in it, typed again inside the variant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct VariantData(serde_json::Value);

impl VariantData {
    /// The data of a value.
    ///
    /// # Errors
    /// If the value cannot be told as JSON (keys of a map that are no texts).
    pub fn of<T: Serialize>(value: &T) -> Result<Self, serde_json::Error> {
        serde_json::to_value(value).map(Self)
    }

    /// The value again.
    ///
    /// # Errors
    /// If the data are those of another type.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        T::deserialize(&self.0)
    }

    /// The value again, of data that are part of a game. Data that its variant cannot read never are (`game::stored`), so
    /// where there is no value, none was put in.
    #[must_use]
    pub fn stored<T: DeserializeOwned + Default>(&self) -> T {
        self.read().unwrap_or_default()
    }

    /// Whether nothing was ever put in.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_null()
    }
}

impl From<serde_json::Value> for VariantData {
    fn from(value: serde_json::Value) -> Self {
        Self(value)
    }
}

impl fmt::Display for VariantData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
