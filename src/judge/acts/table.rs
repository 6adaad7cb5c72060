//! A row of the table of commands: all that the judge knows of a command, except its grammar, which is in
//! `grammar/commands.grammar`. Each family of commands has a file in this folder; `commands` joins their rows.

use crate::session::Session;
use crate::work::GameWork;
use crate::work::acting::{ActOutcome, Acting, Refusal};
use crate::work::authority::{only_master, only_ruler};
use dipjudge_commands::form::Form;
use dipjudge_commands::mail_reader::Block;
use dipjudge_game::command_name;
use dipjudge_grammar::Line;

/// A command, or several that users regard as one.
pub(crate) struct Command {
    /// The rules of `grammar/commands.grammar` that parse it.
    pub rules: &'static [&'static str],
    /// Example lines, at least one for each rule.
    pub examples: &'static [&'static str],
    /// Who may use it.
    pub who: Who,
    /// How the sender must be proven (`judge-workflow.md` 7).
    pub proof: Proof,
    /// Whether it only shows something and changes nothing. The same question is answered once for each mail, unless
    /// something happens in between.
    pub question: bool,
    pub act: Act,
    /// The page that contains its help.
    pub page: Page,
    /// The entry of its page, which HELP quotes: the forms are not indented, what it does is indented by four.
    pub help: &'static str,
    /// What an answer discloses, by the columns of `visibility.md` 7: open games, gunboat, blind, CivDip.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests hold the acts to it"))]
    pub tells: [Discloses; 4],
}

/// Who may use a command or a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    /// Anybody, signed on or not.
    Anyone,
    /// Everybody who has signed on to a game; the function checks what masters, players and observers may do.
    SignedOn,
    /// A game's masters, and the players of an unmoderated game.
    Ruler,
    Master,
}

impl Who {
    /// Refuses others who have signed on. `what` is the command or setting as the refusal calls it.
    pub(super) fn check(self, work: &GameWork, acting: Acting, what: &str) -> Result<(), Refusal> {
        match self {
            Who::Anyone | Who::SignedOn => Ok(()),
            Who::Ruler => only_ruler(work, acting, what),
            Who::Master => only_master(work, acting, what),
        }
    }
}

/// How the sender must be proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proof {
    /// A sign-on is enough.
    SignOn,
    /// The mail must also come from the address of record, because the effect cannot be undone, or decides who reads
    /// what.
    Home,
    /// As `Home`, and a mail to the address that the line names must be answered.
    HomeAndAnswer,
    /// Mails to both of the sender's addresses must be answered.
    BothAnswer,
    /// The function asks for what these words say, since it depends on who acts or on the line.
    AskedByAct(&'static str),
}

impl Proof {
    /// Whether the mail must come from the address of record.
    pub(crate) fn asks_for_home(self) -> bool {
        matches!(self, Proof::Home | Proof::HomeAndAnswer)
    }
}

/// The page that contains the help of a command or a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Page {
    /// `GET SYNTAX`.
    Syntax,
    /// The commands of `GET MASTER`.
    Master,
    /// The settings of `GET MASTER`.
    MasterSettings,
    /// None: it is parsed only so that its sender reads that it is not offered.
    None,
}

/// What an answer discloses of other people and what they did (`visibility.md` 7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Discloses {
    /// What everybody may know of a game: all of an open one.
    All,
    /// The same as `All`, without who leads which power.
    WithoutLeaders,
    /// What is in the sender's view.
    View,
    /// Mails that were sent to the sender before.
    OwnMails,
    /// The sender's own line.
    OwnLine,
    /// Documents that everybody may read.
    Documents,
    /// Only whether the sender's own command was accepted, or why not; others learn of it by a notice.
    OwnAct,
    /// The same words whatever the result is.
    Constant,
}

/// The row of an answer that discloses the same in every kind of game.
pub(crate) const fn everywhere(tells: Discloses) -> [Discloses; 4] {
    [tells; 4]
}

/// What executes a command.
pub(crate) enum Act {
    /// With or without a game: takes the line as it was sent, and as it was parsed.
    Line(fn(&mut Session, &str, &Line)),
    /// With the game that the sender has signed on to; the result is the answer.
    Game(fn(&mut GameWork, Acting, &Line) -> ActOutcome),
    /// With the text that follows the line.
    Text(fn(&mut Session, &str, &Block)),
    /// With the form that follows the line.
    Form(fn(&mut Session, &Form)),
    /// Ends the mail; the mail reader handles it.
    End,
}

impl Command {
    /// The fields that most rows share.
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

    /// The base row of a question that anybody may ask.
    pub(crate) const QUESTION: Command = Command {
        who: Who::Anyone,
        question: true,
        ..Command::BASE
    };

    /// The base row of what masters do to their games.
    pub(crate) const MASTER: Command = Command {
        who: Who::Master,
        proof: Proof::Home,
        page: Page::Master,
        ..Command::BASE
    };

    /// The name of the command in sentences: the capitalized words of its first example.
    pub(crate) fn name(&self) -> String {
        command_name(self.examples)
    }
}
