//! The table of commands, joined from the rows of all families.

use super::table::{Act, Command, Who};
use super::{
    diary, not_offered, overruling, persons, playing, questions, replaying, running, settings,
    showing, signing_on, trying, writing,
};
use crate::session::Session;
use crate::work::acting::{Refusal, not_signed_on};
use dipjudge_grammar::Line;

/// All commands, in the order of the pages.
pub(crate) fn commands() -> impl Iterator<Item = &'static Command> {
    [
        signing_on::COMMANDS,
        questions::COMMANDS,
        persons::COMMANDS,
        playing::COMMANDS,
        trying::COMMANDS,
        writing::COMMANDS,
        diary::COMMANDS,
        running::COMMANDS,
        overruling::COMMANDS,
        replaying::COMMANDS,
        showing::COMMANDS,
        not_offered::COMMANDS,
    ]
    .into_iter()
    .flatten()
}

/// The command that a grammar rule belongs to.
pub(crate) fn command(rule: &str) -> Option<&'static Command> {
    commands().find(|command| command.rules.contains(&rule))
}

impl Session<'_, '_> {
    /// Executes a line as the command of the given grammar rule, if the sender may use it.
    pub(crate) fn carry_out(&mut self, text: &str, line: &Line, rule: &str) {
        let Some(command) = command(rule) else {
            let why = "This command is not offered by this judge.";
            return self.fault(text, why);
        };
        if command.question && !self.is_to_be_answered(line, questions::is_understood(line)) {
            return;
        }
        if command.who != Who::Anyone
            && let Err(refused) = self.may(command)
        {
            let refused = settings::why_not_offered(line).unwrap_or(refused);
            return self.outcome(text, Err(refused));
        }
        match &command.act {
            Act::Line(act) => act(self, text, line),
            Act::Game(act) => {
                self.act(text, |work, acting| act(work, acting, line));
            }
            Act::Text(_) | Act::Form(_) | Act::End => {}
        }
        if command.question {
            let held_back = std::mem::take(&mut self.work.withheld);
            self.reply.note_question(text, held_back);
        }
    }

    /// Whether the sender may use a command that requires a sign-on.
    fn may(&mut self, command: &Command) -> Result<(), Refusal> {
        let acting = self.sender.acting;
        if acting.is_some() && command.proof.asks_for_home() {
            self.proven()?;
        }
        let (Some(work), Some(acting)) = (self.in_game(), acting) else {
            return Err(not_signed_on());
        };
        command.who.check(&work, acting, &command.name())
    }
}
