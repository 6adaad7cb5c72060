//! A mail's lines made into commands or refusals.
//!
//! [`mail_reader::read_mail`] sorts the lines of a mail into commands, texts and order lines without
//! knowing any game. What depends on the game is then read with its [`names::Names`]: orders by
//! [`orders`], conditions by [`condition_words`], lists of powers by [`power_list`], options of press
//! by [`press_options`]. What players may type is defined by the files of the folder `grammar/`.

// Nothing here touches the world: see clippy.toml. Tests may read files.
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

pub mod asides;
mod broken_lines;
pub mod certain_orders;
mod clause_adjustments;
mod clause_convoys;
mod clause_holds;
mod clause_movements;
mod clause_supports;
pub mod command_reader;
pub mod condition_words;
pub mod conditional_order;
pub mod consider;
pub mod corrections;
pub mod date_meaning;
pub mod date_words;
pub mod due;
pub mod form;
pub mod frequent;
pub mod games_named;
mod hidden;
pub mod letters;
pub mod like_example;
mod likeness;
pub mod loose_order;
pub mod mail_reader;
pub mod mentions;
mod name_index;
pub mod names;
mod no_contact;
pub mod order_clauses;
pub mod order_corrections;
mod order_reader;
pub mod order_words;
pub mod orders;
pub mod orders_ahead;
pub mod orders_in_words;
pub mod overrule_words;
mod parse_cause;
pub mod parse_error;
pub mod passages;
pub mod past_question;
pub mod place_question;
mod plain_line;
pub mod power_list;
pub mod power_list_error;
pub mod press_options;
pub mod prose;
pub mod reach_question;
pub mod report_passages;
pub mod retreat_question;
pub mod self_correction;
pub mod settings;
mod shared_province;
pub mod sign_on;
pub mod slots;
pub mod subjects;
pub mod submission_kinds;
mod verb_reader;

#[cfg(test)]
mod testing;
