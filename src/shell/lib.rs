//! Everything that touches the world.
#![expect(
    clippy::disallowed_methods,
    reason = "this is the room that touches it"
)]

pub mod cli;
pub mod clock;
pub mod config;
pub mod daemon;
pub mod demo;
pub mod inbox;
pub mod maildir;
pub mod outbox;
pub mod pages;
pub mod random;
pub mod secret;
pub mod tls;
