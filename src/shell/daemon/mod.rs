//! The mail loop: from the inbox through the judge into the store, and from the store to the players.
//!
//! [`service`] is the daemon, [`once`] does the same once; both call [`Processor::step`]. [`control`] and
//! [`keeper_queries`] answer the keeper.

mod acting_for_keeper;
mod arrival;
pub mod backups;
pub mod catch_up;
pub mod control;
mod digest;
pub mod erasing;
pub mod event;
mod event_kinds;
mod exported;
mod game_texts;
mod journal;
pub mod keeper_acts;
pub mod keeper_queries;
mod library;
mod mail_form;
mod mail_handler;
mod memory;
pub mod notice;
pub mod once;
mod outage;
mod outbox_texts;
mod pending;
pub mod people;
pub mod probe;
mod processor;
mod published;
mod publisher;
mod query_error;
mod record_page;
mod sender_thread;
mod sending;
pub mod service;
pub mod set_aside;
pub mod setup;
mod signals;
pub mod site_folder;
mod source;
mod starting;
pub mod status;
mod unfinished;
pub mod upkeep;
mod verified;
mod watch;

pub use mail_handler::MailHandler;
pub use memory::Memory;
pub use notice::Notices;
pub use outage::Outages;
pub use processor::{Probing, Processor, ProcessorError, StepOutcome};
pub use published::site_of;
pub use record_page::{KeptGame, record_of};
pub use sending::{Halt, OutboxSender, RoundOutcome, SenderError};
pub use set_aside::SetAsideMessage;
pub use source::{INBOX, Mailbox, MailboxError, SPOOL, Source};
