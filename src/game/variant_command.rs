//! Commands that a variant adds to those of every game: lines of its own grammar that act at once and are no orders.

use super::project::Sight;
use super::sentence::Sentence;
use super::{Dice, Event, Game, Refusal, SeatId};
use dipjudge_grammar::Line;
use dipjudge_rules::map::{Power, Province};
use dipjudge_rules::orders::VariantData;

/// A row of a variant's table of commands. What its answers tell follows from who may give it: a power's is decided by what
/// that power sees, a player's before the start by what all at the table may know, a master's by all of the game.
pub struct VariantCommand {
    /// The rule of the variant's grammar that it is read by.
    pub rule: &'static str,
    /// Lines that are read as it; the words in capitals of the first are its name.
    pub examples: &'static [&'static str],
    /// What HELP says of it: its forms at the margin, what it does indented by four.
    pub help: &'static str,
    /// The lines behind it are its text, up to `END` or to a line that is read by this rule, which is a line of its own
    /// again.
    pub text_until: Option<&'static str>,
    /// What it does.
    pub act: VariantAct,
}

impl VariantCommand {
    /// Its name, as sentences call it.
    pub fn name(&self) -> String {
        command_name(self.examples)
    }
}

/// The name of a command that has these examples: the words in capitals that the first begins with.
pub fn command_name(examples: &[&str]) -> String {
    let example = examples.first().copied().unwrap_or_default();
    let capitals = |word: &&str| word.chars().all(|letter| letter.is_ascii_uppercase());
    let words: Vec<&str> = example.split_whitespace().take_while(capitals).collect();
    words.join(" ")
}

/// What a variant's command does, by who may give it.
pub enum VariantAct {
    /// A player's at a table that is still forming.
    Seat(fn(&Line, &Game, SeatId) -> Result<Joining, Refusal>),
    /// A player's at a table that is still forming, and a power's once the game has begun.
    SeatThenPower {
        /// Before the start.
        seat: fn(&Line, &Game, SeatId) -> Result<Joining, Refusal>,
        /// As in `Power`.
        decide: fn(&CommandInput, &Sight) -> Result<CommandDecision, Refusal>,
        /// As in `Power`.
        carry_out: fn(&Game, Power, &VariantData, Dice) -> CommandEffects,
    },
    /// A power's: taken or refused by what the power sees alone, then carried out on the game. Where its sender has contacts
    /// of his own, a line that names himself, or nobody whom he may address, is refused before.
    Power {
        /// Whether it can be taken.
        decide: fn(&CommandInput, &Sight) -> Result<CommandDecision, Refusal>,
        /// What follows for the game and for others.
        carry_out: fn(&Game, Power, &VariantData, Dice) -> CommandEffects,
    },
    /// A master's.
    Master(fn(&CommandInput, &Game, Dice) -> Result<MasterDecision, Refusal>),
}

/// A command as it was given.
#[derive(Clone, Copy, Debug)]
pub struct CommandInput<'l> {
    /// Its line.
    pub line: &'l Line,
    /// The text behind the line; empty where none follows.
    pub text: &'l str,
}

/// What a line of a player at a forming table comes to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Joining {
    /// What the seat brings along from now on.
    pub brings: VariantData,
    /// Sentences for the sender.
    pub said: Vec<String>,
}

/// A power's command that can be taken.
#[derive(Clone, Debug, PartialEq)]
pub struct CommandDecision {
    /// What is to be carried out, in the variant's own form.
    pub act: VariantData,
    /// Sentences for the sender.
    pub said: Vec<String>,
}

/// A master's command that is carried out.
#[derive(Clone, Debug, PartialEq)]
pub struct MasterDecision {
    /// Sentences for the master.
    pub said: Vec<String>,
    /// What follows for the game and for others.
    pub happened: CommandEffects,
}

/// What a command does to the game and who else is told.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CommandEffects {
    /// What happens, in order.
    pub events: Vec<Event>,
    /// What the sender reads of it in the reply, behind what was decided.
    pub said: Vec<Sentence>,
    /// What others read of it; a sender, what is for the power that he leads by name.
    pub told: Vec<Notification>,
}

/// What others read of something that happens between phases.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notification {
    /// Who.
    pub to: Audience,
    /// The end of the subject.
    pub subject: Sentence,
    /// The lines.
    pub lines: Vec<Sentence>,
    /// Powers that are introduced by it: each of its readers who has no label for one of them is given it before. To whom they
    /// are not, and who does not see them, a sentence says `Unknown` for their names.
    pub introduces: Vec<Power>,
    /// Of whom the position in sight stands below the lines, as its reader calls those in it; they are introduced by that. Whom
    /// he may not address is marked so. Of its reader himself it stands there as in his reports.
    pub sight_of: Option<Power>,
    /// Whether a map of the board comes with it, as its reader sees the board when the mail is sent.
    pub shows_board: bool,
}

/// For whom something is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Audience {
    /// Everybody in the game.
    Everyone,
    /// The leader of a power.
    Power(Power),
    /// Those who see what happens in a province.
    Watching(Province),
    /// The leader of a power, and those who may write to it.
    Contacts(Power),
    /// The game's masters.
    #[default]
    Masters,
}
