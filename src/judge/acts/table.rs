//! A row of the table of commands: all that the judge knows of each, but the words it is read by, which stand in
//! `grammar/commands.grammar`. A family of commands is a file of this room; `commands` joins their rows.

use crate::session::Session;
use crate::work::GameWork;
use crate::work::acting::{ActOutcome, Acting};
use dipjudge_commands::form::Form;
use dipjudge_commands::mail_reader::Block;
use dipjudge_game::command_name;
use dipjudge_grammar::Line;

/// A command, or several that are one to its readers.
pub(crate) struct Command {
    /// The rules of `grammar/commands.grammar` that it is read by.
    pub rules: &'static [&'static str],
    /// Lines that are read as it, at least one for each rule.
    pub examples: &'static [&'static str],
    /// Who may give it.
    pub who: Who,
    /// What proves who sent it (`judge-workflow.md` 7).
    pub proof: Proof,
    /// It asks for something to be shown and changes nothing, so it is answered once a mail unless something happens between.
    pub question: bool,
    pub act: Act,
    /// The page that its help stands on.
    pub page: Page,
    /// The entry of its page, which HELP quotes: its forms at the margin, what it does indented by four.
    pub help: &'static str,
    /// What an answer tells, by the columns of `visibility.md` 7: open games, gunboat, blind, CivDip.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests hold the acts to it"))]
    pub tells: [Discloses; 4],
}

/// Who may give a command or a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    /// Anybody, signed on or not.
    Anyone,
    /// Whoever has signed on to a game; the act itself says what masters, players and observers may.
    SignedOn,
    /// A game's masters, and in an unmoderated game its players.
    Ruler,
    Master,
}

/// What must prove the sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proof {
    /// What signs on is enough.
    SignOn,
    /// The mail must come from the address of record as well, since what it does cannot be taken back, or decides who reads
    /// what.
    Home,
}

/// The page that a command or a setting stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Page {
    /// `GET SYNTAX`.
    Syntax,
    /// The commands of `GET MASTER`.
    Master,
    /// The settings of `GET MASTER`.
    MasterSettings,
    /// None: it is read so that its sender learns that it is not offered.
    None,
}

/// What an answer tells of what others did or are (`visibility.md` 7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Discloses {
    /// What everybody may know of a game: all of an open one.
    All,
    /// The same without who leads which power.
    WithoutLeaders,
    /// What is in the sender's view.
    View,
    /// Mails that were sent to the sender before.
    OwnMails,
    /// The sender's own line.
    OwnLine,
    /// Documents that everybody may have.
    Documents,
    /// Only that the sender's own act was taken or why not; what others learn of it is told to them in a notice.
    OwnAct,
    /// The same words whatever has come of it.
    Constant,
}

/// An answer tells the same in every kind of game.
pub(crate) const fn everywhere(tells: Discloses) -> [Discloses; 4] {
    [tells; 4]
}

/// What carries a command out.
pub(crate) enum Act {
    /// With or without a game: the line as it was sent, and as it was read.
    Line(fn(&mut Session, &str, &Line)),
    /// With the game that is signed on to; what it gives is the answer.
    Game(fn(&mut GameWork, Acting, &Line) -> ActOutcome),
    /// With the text that stands behind the line.
    Text(fn(&mut Session, &str, &Block)),
    /// With the form that stands behind the line.
    Form(fn(&mut Session, &Form)),
    /// Ends the mail; the mail reader does it.
    End,
}

impl Command {
    /// What most rows share.
    pub(crate) const BASE: Command = Command {
        rules: &[],
        examples: &[],
        who: Who::SignedOn,
        proof: Proof::SignOn,
        question: false,
        act: Act::End,
        page: Page::Syntax,
        help: "",
        tells: everywhere(Discloses::OwnAct),
    };

    /// A question that anybody may ask.
    pub(crate) const QUESTION: Command = Command {
        who: Who::Anyone,
        question: true,
        ..Command::BASE
    };

    /// What masters do to their game.
    pub(crate) const MASTER: Command = Command {
        who: Who::Master,
        proof: Proof::Home,
        page: Page::Master,
        ..Command::BASE
    };

    /// Its name, as sentences call it: the words of its first example that are in capitals.
    pub(crate) fn name(&self) -> String {
        command_name(self.examples)
    }
}
