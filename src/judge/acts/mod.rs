//! What can be asked of the judge: a file for each family of commands and settings.

pub(crate) mod absence;
pub(crate) mod info;
pub(crate) mod master;
pub(crate) mod press;
pub(crate) mod seats;
pub(crate) mod settings;
pub(crate) mod votes;
