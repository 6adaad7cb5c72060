//! The state of a mail while it is handled: its sender, the game in hand, and the answers so far.

pub(crate) mod answer_room;
pub(crate) mod asked_in_words;
pub(crate) mod consenting;
pub(crate) mod joining_lines;
mod letter_readers;
mod letter_text;
pub(crate) mod letters_in_words;
mod order_lines;
pub(crate) mod own_orders;
mod phases_asked;
pub(crate) mod proposing;
mod quoted_orders;
pub(crate) mod quoting;
pub(crate) mod reading;
pub(crate) mod reply_draft;
pub(crate) mod sender;
mod sentences;
mod state;
pub(crate) mod subject;
mod units_left;

pub(crate) use state::Session;
