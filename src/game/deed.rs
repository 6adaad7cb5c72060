//! What a line of a player comes to, once it is held against what the player sees.

use crate::map::Power;
use crate::orders::{Action, VariantData};
use crate::position::UnitId;

/// One thing that a player's line does.
#[derive(Clone, Debug, PartialEq)]
pub enum Deed {
    /// A unit is told something.
    Order(UnitId, Action),
    /// A unit is lent to another power.
    Lend(UnitId, Power),
    /// The power's adjustments are now these.
    Adjust(Vec<Action>),
    /// Something of the variant's own is put down or, without data, withdrawn: a bid, a standing choice.
    Slip(Slip),
}

/// A secret submission of the variant's own, by a name that the variant chooses. Nobody but its power (and the variant's
/// own hooks) reads it.
#[derive(Clone, Debug, PartialEq)]
pub struct Slip {
    /// Under which name; a later slip of that name replaces it.
    pub name: String,
    /// What it says; none takes it back.
    pub data: Option<VariantData>,
    /// Kept until the variant takes it back; otherwise it goes with the orders of the phase.
    pub lasting: bool,
}

/// A line that can be taken, with what its sender should know.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Considered {
    /// What it comes to, in order.
    pub deeds: Vec<Deed>,
    /// Sentences for the sender; none of them is an error.
    pub notes: Vec<String>,
}
