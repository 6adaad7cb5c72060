//! The adjudicator alone, on positions made for it.

pub(crate) mod crowd;
mod hooks;
mod orbit;
mod properties;
pub(crate) mod scene;
