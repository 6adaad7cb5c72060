//! What a unit can be told, whether it is legal, and the order sheet of a phase.

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
pub use illegal::Illegal;
pub use legal::{
    UnitsByProvince, arrival, legal, legal_among, legal_retreat, may_enter, within_reach,
};
pub use notation::{Notation, Way};
pub use overlay::{Ferry, Overlay, Stronghold};
pub use sheet::{Assist, OrderSheet, Strength};

pub use legal::fights;
