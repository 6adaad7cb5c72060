//! Everything that touches the world.
pub mod store;
