//! A mail from its arrival to the reply: its lines in order, each executed and answered.

pub(crate) mod answer_to_press;
pub(crate) mod answering;
mod by_game;
pub(crate) mod conclude;
pub(crate) mod letter;
pub(crate) mod lines;
pub(crate) mod pasted;
pub(crate) mod receive;
pub(crate) mod reply;
pub(crate) mod unsigned;
