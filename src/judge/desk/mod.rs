//! One mail at the desk: its lines in order, each answered, and the one reply.

pub(crate) mod answer_room;
pub(crate) mod answering;
pub(crate) mod branches;
pub(crate) mod entering;
pub(crate) mod letter;
pub(crate) mod lines;
pub(crate) mod order_lines;
pub(crate) mod order_warnings;
pub(crate) mod press_words;
pub(crate) mod quoting;
pub(crate) mod receive;
pub(crate) mod reply;
pub(crate) mod reply_draft;
pub(crate) mod session;
pub(crate) mod session_orders;
pub(crate) mod variant_lines;
