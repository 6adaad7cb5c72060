//! The judge at work: from the inbox through the judge into the store, and from the store to the players.
//!
//! [`service`] is the daemon, [`once`] does the same once; both let [`Pump::step`] do the work. [`control`] and [`desk`]
//! answer the keeper.

mod arrival;
pub mod aside;
pub mod backups;
mod bench;
pub mod control;
pub mod desk;
mod exported;
mod kinds;
mod library;
mod memory;
pub mod notice;
pub mod once;
mod outage;
mod pending;
mod post;
mod postman;
mod pump;
mod reduce;
pub mod service;
pub mod setup;
mod shown;
mod signals;
mod source;
pub mod status;
pub mod upkeep;
mod watch;

pub use aside::SetAside;
pub use bench::Bench;
pub use memory::Memory;
pub use notice::Notices;
pub use outage::Outages;
pub use post::{Halt, Post, Posted};
pub use pump::{Pump, PumpError, Stepped};
pub use source::{INBOX, Mailbox, SPOOL, Source};
