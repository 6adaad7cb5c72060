//! Commands and settings: one file for each family, with a table that has a row for each. Code that several rows share
//! is in the other files of this folder.

pub(crate) mod absence;
pub(crate) mod among_contacts;
mod archived;
mod asked;
mod board_told;
mod builds_ahead;
pub(crate) mod commands;
mod diary;
mod entering;
pub(crate) mod files;
pub(crate) mod help;
mod help_topics;
pub(crate) mod info;
mod map;
mod map_page;
pub(crate) mod master;
pub(crate) mod missed;
mod moves_ahead;
mod not_offered;
#[cfg(test)]
mod old_judges;
pub(crate) mod overruling;
mod own_lines;
mod past_orders;
mod persons;
mod places;
mod playing;
pub(crate) mod press;
#[cfg(test)]
mod proofs;
pub(crate) mod questions;
mod reach;
mod replaying;
mod report_quoted;
mod retreats_told;
pub(crate) mod rows;
mod rules_asked;
mod running;
pub(crate) mod seats;
pub(crate) mod settings;
mod showing;
mod signing_on;
pub(crate) mod subjects;
mod substituting;
pub(crate) mod table;
#[cfg(test)]
mod tests;
mod timing_told;
mod trying;
pub(crate) mod votes;
mod writing;
