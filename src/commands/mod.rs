//! A mail's lines made into commands or refusals.

pub mod date_words;
pub mod phase_name;
