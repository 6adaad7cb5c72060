//! The actions that can be ordered.

use std::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Notation;

use crate::map::{Location, Province, UnitKind};
use crate::position::UnitId;

/// Whether a moving army goes by land or by convoy.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Passage {
    /// The order does not say. The army goes by land if it can, unless a fleet of the same power is ordered to convoy this move
    /// (rulebook 2023, DATC 4.A.3); otherwise it goes by any convoy.
    #[default]
    Auto,
    /// By land and never by convoy.
    Land,
    /// By any convoy, and never by land: an army with this order to an adjacent province stays if no convoy is ordered
    /// (DATC 6.G.8). Written `VIA`.
    Convoy,
    /// By a convoy over these seas, in this order, and no others.
    Route(Vec<Province>),
}

/// The types by which an [`Action`] names places, units and routes. The rules use [`OnBoard`]: provinces and locations of the
/// map. Programs can use others, such as names to be printed.
pub trait Names {
    /// The destination of a unit, with the coast where it matters.
    type Place: Clone + fmt::Debug + PartialEq;
    /// A province where the coast does not matter.
    type Province: Clone + fmt::Debug + PartialEq;
    /// Another unit: supported, convoyed or removed.
    type Unit: Clone + fmt::Debug + PartialEq;
    /// Whether a move goes by land or by convoy.
    type Route: Clone + fmt::Debug + PartialEq;
    /// A unit to be built.
    type NewUnit: Clone + fmt::Debug + PartialEq;
    /// Any other order.
    type Special: Clone + fmt::Debug + PartialEq;
}

/// The naming of the rules and of stored games: by provinces and locations of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnBoard {}

impl Names for OnBoard {
    type Place = Location;
    type Province = Province;
    /// The province of the unit.
    type Unit = Province;
    type Route = Passage;
    type NewUnit = NewUnit;
    type Special = VariantOrder;
}

/// A type without values, for the parts of an [`Action`] that a naming does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Never {}

/// What a unit is ordered to do, or in an adjustment phase a power.
///
/// `N` says by which types places and units are named; see [`Names`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Action<N: Names = OnBoard> {
    /// The unit stays where it is.
    Hold,
    /// The unit moves. The coast of a fleet's destination may be left out if the fleet can reach only one (DATC 6.B.2).
    Move {
        /// The destination, with the coast of a fleet.
        to: N::Place,
        /// By land, or by which convoy.
        by: N::Route,
    },
    /// The unit supports another one that does not move.
    SupportHold {
        /// The unit that is supported.
        at: N::Unit,
    },
    /// The unit supports the move of another one.
    SupportMove {
        /// The unit that is supported.
        from: N::Unit,
        /// The destination of its move. The coast may be left out; a coast that is named must be that of the move (DATC 6.B.9).
        to: N::Place,
    },
    /// The fleet convoys an army.
    Convoy {
        /// The army that is convoyed.
        from: N::Unit,
        /// The destination of the army.
        to: N::Province,
    },
    /// The dislodged unit retreats.
    Retreat {
        /// The destination, with the coast of a fleet.
        to: N::Place,
    },
    /// The dislodged unit disbands.
    Disband,
    /// The power builds a unit.
    Build(N::NewUnit),
    /// The power removes a unit.
    Remove {
        /// The unit that is removed.
        at: N::Unit,
    },
    /// The power gives up one build.
    Waive,
    /// Any other order; in the naming [`OnBoard`] an order of a variant.
    Special(N::Special),
}

/// A unit to be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewUnit {
    /// An army, a fleet, or a kind of the variant's.
    pub kind: UnitKind,
    /// The province, with the coast of a fleet where it has several.
    pub at: Location,
}

/// An order that only a variant of the game understands: the text that reports print, and its data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariantOrder(pub String, pub VariantData);

/// A translation from one naming to another, for [`Action::map`]. Each method translates one of the types of [`Names`].
pub trait Rename<From: Names, To: Names> {
    /// The error for something that has no name in the other naming; [`Infallible`](std::convert::Infallible) if everything
    /// has one.
    type Error;

    /// # Errors
    /// If it has no name in the other naming.
    fn place(&self, place: &From::Place) -> Result<To::Place, Self::Error>;

    /// # Errors
    /// If it has no name in the other naming.
    fn province(&self, province: &From::Province) -> Result<To::Province, Self::Error>;

    /// # Errors
    /// If it has no name in the other naming.
    fn unit(&self, unit: &From::Unit) -> Result<To::Unit, Self::Error>;

    /// # Errors
    /// If it has no name in the other naming.
    fn route(&self, route: &From::Route) -> Result<To::Route, Self::Error>;

    /// # Errors
    /// If it has no name in the other naming.
    fn new_unit(&self, unit: &From::NewUnit) -> Result<To::NewUnit, Self::Error>;

    /// # Errors
    /// If it has no name in the other naming.
    fn special(&self, special: &From::Special) -> Result<To::Special, Self::Error>;
}

impl<N: Names> Action<N> {
    /// The same action in another naming.
    ///
    /// # Errors
    /// If something that it names has no name there.
    pub fn map<M: Names, R: Rename<N, M>>(&self, names: &R) -> Result<Action<M>, R::Error> {
        Ok(match self {
            Self::Hold => Action::Hold,
            Self::Move { to, by } => Action::Move {
                to: names.place(to)?,
                by: names.route(by)?,
            },
            Self::SupportHold { at } => Action::SupportHold {
                at: names.unit(at)?,
            },
            Self::SupportMove { from, to } => Action::SupportMove {
                from: names.unit(from)?,
                to: names.place(to)?,
            },
            Self::Convoy { from, to } => Action::Convoy {
                from: names.unit(from)?,
                to: names.province(to)?,
            },
            Self::Retreat { to } => Action::Retreat {
                to: names.place(to)?,
            },
            Self::Disband => Action::Disband,
            Self::Build(unit) => Action::Build(names.new_unit(unit)?),
            Self::Remove { at } => Action::Remove {
                at: names.unit(at)?,
            },
            Self::Waive => Action::Waive,
            Self::Special(special) => Action::Special(names.special(special)?),
        })
    }

    /// The unit that is supported or convoyed.
    #[must_use]
    pub fn helped(&self) -> Option<&N::Unit> {
        match self {
            Self::SupportHold { at: unit }
            | Self::SupportMove { from: unit, .. }
            | Self::Convoy { from: unit, .. } => Some(unit),
            _ => None,
        }
    }
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

    /// The order of this unit in the notation of saved games: `A LON - BEL VIA`. The kinds of supported and convoyed units are
    /// left out, since the action does not contain them; a [`WrittenOrder`](crate::notation::WrittenOrder) does.
    #[must_use]
    pub fn order_text(&self, kind: UnitKind, at: Location) -> String {
        if *self == Self::Waive {
            return "WAIVE".to_owned();
        }
        let mut text = format!("{kind} {at} ");
        // Writing to a String cannot fail.
        let _ = self.write(
            &mut text,
            &Notation::SHORT,
            |text, VariantOrder(words, _)| {
                text.push_str(words);
                Ok(())
            },
        );
        text
    }
}

/// An action that is ordered for a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// The unit, which must be in the position.
    pub unit: UnitId,
    /// The action, whether or not it is legal.
    pub action: Action,
}

/// Data whose type only a variant of the game knows, stored as JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct VariantData(serde_json::Value);

impl VariantData {
    /// Stores a value.
    ///
    /// # Errors
    /// If the value has no form in JSON, such as a map whose keys are not texts.
    pub fn of<T: Serialize>(value: &T) -> Result<Self, serde_json::Error> {
        serde_json::to_value(value).map(Self)
    }

    /// Reads the value.
    ///
    /// # Errors
    /// If the data do not have the type `T`.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        T::deserialize(&self.0)
    }

    /// Reads the value, or gives the default if none was stored.
    ///
    /// Data that do not have the type `T` give the default too. The data of a stored game are checked with [`VariantData::read`]
    /// when the game is loaded, so that this does not happen there.
    #[must_use]
    pub fn stored<T: DeserializeOwned + Default>(&self) -> T {
        self.read().unwrap_or_default()
    }

    /// Whether no value is stored.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Logs of games hold actions, so their JSON must not change.
    #[test]
    fn actions_have_the_json_of_stored_logs() {
        let at = |text: &str| text.parse::<Location>().unwrap();
        let (paris, gascony) = (at("PAR"), at("GAS"));
        let actions = [
            (Action::Hold, "\"Hold\""),
            (
                Action::Move {
                    to: at("STP/NC"),
                    by: Passage::Route(vec![gascony.province]),
                },
                r#"{"Move":{"to":"STP/NC","by":{"Route":["GAS"]}}}"#,
            ),
            (
                Action::SupportHold { at: paris.province },
                r#"{"SupportHold":{"at":"PAR"}}"#,
            ),
            (
                Action::SupportMove {
                    from: paris.province,
                    to: gascony,
                },
                r#"{"SupportMove":{"from":"PAR","to":"GAS"}}"#,
            ),
            (
                Action::Build(NewUnit {
                    kind: UnitKind::FLEET,
                    at: at("STP/SC"),
                }),
                r#"{"Build":{"kind":"F","at":"STP/SC"}}"#,
            ),
            (
                Action::Remove { at: paris.province },
                r#"{"Remove":{"at":"PAR"}}"#,
            ),
            (Action::Waive, "\"Waive\""),
            (
                Action::Special(VariantOrder("DANCES".to_owned(), VariantData::default())),
                r#"{"Special":["DANCES",null]}"#,
            ),
        ];
        for (action, json) in actions {
            assert_eq!(serde_json::to_string(&action).unwrap(), json);
            assert_eq!(serde_json::from_str::<Action>(json).unwrap(), action);
        }
    }
}
