//! The adjudicator alone, on positions made for it.

mod by_trial;
mod hooks;
mod islands;
mod orbit;
mod properties;
mod rings;
pub(crate) mod scene;
pub(crate) mod shared_province;
mod tangles;
