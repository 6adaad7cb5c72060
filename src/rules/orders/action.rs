//! What a unit can be told.

use std::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Notation;

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

/// What an [`Action`] names places, units and routes by: provinces of the board, words of a line, what a reader calls them.
pub trait Names {
    /// Where a unit goes, with the coast where that matters.
    type Place: Clone + fmt::Debug + PartialEq;
    /// A province where the coast does not matter.
    type Province: Clone + fmt::Debug + PartialEq;
    /// Another unit: supported, convoyed or removed.
    type Unit: Clone + fmt::Debug + PartialEq;
    /// How a moving unit gets to its destination.
    type Route: Clone + fmt::Debug + PartialEq;
    /// A unit to be built.
    type NewUnit: Clone + fmt::Debug + PartialEq;
    /// An order that has no variant of its own in [`Action`].
    type Special: Clone + fmt::Debug + PartialEq;
}

/// Names actions by provinces of the board, as the rules and the records of a game do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnBoard {}

impl Names for OnBoard {
    type Place = Location;
    type Province = Province;
    /// Whatever unit is in the province.
    type Unit = Province;
    type Route = Passage;
    type NewUnit = NewUnit;
    type Special = VariantOrder;
}

/// Stands for what a naming never names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Never {}

/// What a unit, or in an adjustment phase a power, can be told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Action<N: Names = OnBoard> {
    /// The unit stays where it is.
    Hold,
    /// Moves. A fleet to a province with several coasts may leave the coast out where only one is in reach.
    Move {
        /// Where it goes, with the coast for a fleet.
        to: N::Place,
        /// Whether by land or by which convoy.
        by: N::Route,
    },
    /// Supports another unit that does not move.
    SupportHold {
        /// The supported unit.
        at: N::Unit,
    },
    /// Supports the move of another unit.
    SupportMove {
        /// The supported unit.
        from: N::Unit,
        /// Where it moves to. A coast may be left out; one that is named must be the one moved to (DATC 6.B.9).
        to: N::Place,
    },
    /// Convoys an army.
    Convoy {
        /// The army.
        from: N::Unit,
        /// Where it moves to.
        to: N::Province,
    },
    /// A dislodged unit goes to another province.
    Retreat {
        /// Where it goes, with the coast for a fleet.
        to: N::Place,
    },
    /// Disbands instead of retreating.
    Disband,
    /// Builds a unit.
    Build(N::NewUnit),
    /// Removes a unit.
    Remove {
        /// The unit.
        at: N::Unit,
    },
    /// Uses one build for nothing.
    Waive,
    /// What only this naming has; on the board, an order that only the game's variant understands.
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

/// An order that only the game's variant understands: what reports print, and its data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariantOrder(pub String, pub VariantData);

/// Gives what one naming names its names in another, for [`Action::map`].
pub trait Rename<From: Names, To: Names> {
    /// Why something has no name in the other naming; [`Infallible`](std::convert::Infallible) where everything has.
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

    /// The order in the notation of saved games, as `A LON - BEL VIA`. The kinds of supported and convoyed units are
    /// left out, since an action does not know them.
    #[must_use]
    pub fn of_unit(&self, kind: UnitKind, at: Location) -> String {
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
