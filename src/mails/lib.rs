//! Mails read (`inbound`) and mails written (`outbound`).

// Nothing here touches the world: see clippy.toml. Tests may read files.
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

pub mod inbound;
pub mod outbound;
