//! Orders, the check whether an order is legal, and the order sheet of a phase.
//!
//! An [`Order`] is an [`Action`] for a unit. [`legal`] and [`legal_retreat`] check one; an illegal order has a reason,
//! [`Illegal`]. All orders of a movement phase are an [`OrderSheet`]. It also holds what a variant of the game adds to the
//! phase, such as strengths, strongholds and further borders ([`Overlay`]); the standard game needs only its `orders`.

mod action;
mod chain;
mod illegal;
mod legal;
mod notation;
mod overlay;
mod sheet;

pub use action::{
    Action, Names, Never, NewUnit, OnBoard, Order, Passage, Rename, VariantData, VariantOrder,
};
pub use chain::{chain, is_joined, needed_in_chain};
pub use illegal::{Illegal, article};
pub use legal::{
    UnitsByProvince, arrival, legal, legal_among, legal_retreat, may_enter, within_reach,
};
pub use notation::{Notation, WrittenRoute};
pub use overlay::{Ferry, Overlay, Stronghold};
pub use sheet::{Assist, OrderSheet, Strength};

pub use legal::fights;
