//! The adjudicator alone, on positions made for it.

mod hooks;
mod islands;
mod orbit;
mod properties;
pub(crate) mod scene;
pub(crate) mod shared_province;
