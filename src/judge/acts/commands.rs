//! The table of commands: the rows of all families.

use super::table::Command;
use super::{
    not_offered, overruling, persons, playing, questions, replaying, running, showing, signing_on,
    writing,
};

/// All commands, in the order of the pages.
pub(crate) fn commands() -> impl Iterator<Item = &'static Command> {
    [
        signing_on::COMMANDS,
        questions::COMMANDS,
        persons::COMMANDS,
        playing::COMMANDS,
        writing::COMMANDS,
        running::COMMANDS,
        overruling::COMMANDS,
        replaying::COMMANDS,
        showing::COMMANDS,
        not_offered::COMMANDS,
    ]
    .into_iter()
    .flatten()
}

/// The command that a rule reads.
pub(crate) fn command(rule: &str) -> Option<&'static Command> {
    commands().find(|command| command.rules.contains(&rule))
}
