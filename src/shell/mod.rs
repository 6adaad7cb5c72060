//! Everything that touches the world.
pub mod config;
pub mod store;
