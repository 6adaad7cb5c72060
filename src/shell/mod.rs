//! Everything that touches the world.
pub mod config;
pub mod inbox;
pub mod maildir;
pub mod outbox;
pub mod secret;
pub mod demo;
pub mod store;
pub mod tls;
