//! Mails read (`inbound`), mails written (`outbound`), and games in mails that players have kept (`kept`).

// Nothing here touches the world: see clippy.toml. Tests may read files.
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

pub mod inbound;
pub mod kept;
pub mod outbound;
