//! The state of a mail while it is handled: its sender, the game in hand, and the answers so far.

pub(crate) mod answer_room;
mod order_lines;
mod proposing;
pub(crate) mod quoting;
pub(crate) mod reading;
pub(crate) mod reply_draft;
pub(crate) mod sender;
mod state;

pub(crate) use state::Session;
