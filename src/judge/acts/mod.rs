//! What can be asked of the judge: a file for each family of commands and settings. The tables hold a row for each; what
//! several rows share stands in the files beside them.

pub(crate) mod absence;
pub(crate) mod among_contacts;
mod archived;
mod asked;
pub(crate) mod commands;
mod entering;
mod files;
pub(crate) mod help;
pub(crate) mod info;
mod map;
mod map_page;
pub(crate) mod master;
mod not_offered;
pub(crate) mod overruling;
mod persons;
mod playing;
pub(crate) mod press;
pub(crate) mod questions;
mod replaying;
mod running;
pub(crate) mod seats;
pub(crate) mod settings;
mod showing;
mod signing_on;
pub(crate) mod table;
#[cfg(test)]
mod tests;
pub(crate) mod votes;
mod writing;
