//! A mail's lines made into commands or refusals.

pub mod date_words;
pub mod misread;
mod misread_cause;
pub mod names;
pub mod order_words;
pub mod orders;
pub mod phase_name;

#[cfg(test)]
mod testing;
