//! Commands that a variant adds to the common ones: lines of its own grammar that take effect at once and are not orders.

use super::project::Sight;
use super::sentence::Sentence;
use super::{Dice, Event, Game, Refusal, SeatId};
use dipjudge_grammar::Line;
use dipjudge_rules::map::{Power, Province};
use dipjudge_rules::orders::VariantData;

/// A row of a variant's table of commands. Its sender determines what its answers may reveal: a power's command is decided by
/// what that power sees, a player's before the start by what all at the table may know, a master's by the whole game.
pub struct VariantCommand {
    /// The rule of the variant's grammar that reads it.
    pub rule: &'static str,
    /// Example lines; the words in capitals at the start of the first are its name.
    pub examples: &'static [&'static str],
    /// Its entry in HELP: its forms at the margin, what it does indented by four.
    pub help: &'static str,
    /// Whether the lines behind it are its text, up to `END` or to a line that is read by this rule, which is a line of its own
    /// again.
    pub text_until: Option<&'static str>,
    /// What it does.
    pub act: VariantAct,
}

impl VariantCommand {
    /// Its name, as used in sentences.
    pub fn name(&self) -> String {
        command_name(self.examples)
    }
}

/// The name of a command with these examples: the words in capitals at the start of the first.
pub fn command_name(examples: &[&str]) -> String {
    let example = examples.first().copied().unwrap_or_default();
    let capitals = |word: &&str| word.chars().all(|letter| letter.is_ascii_uppercase());
    let words: Vec<&str> = example.split_whitespace().take_while(capitals).collect();
    words.join(" ")
}

/// The effect of a variant's command, by its sender.
pub enum VariantAct {
    /// For a player at a forming table.
    Seat(fn(&Line, &Game, SeatId) -> Result<Joining, Refusal>),
    /// For a player at a forming table, and for a power once the game has begun.
    SeatThenPower {
        /// Before the start.
        seat: fn(&Line, &Game, SeatId) -> Result<Joining, Refusal>,
        /// As in `Power`.
        decide: fn(&CommandInput, &Sight) -> Result<CommandDecision, Refusal>,
        /// As in `Power`.
        carry_out: fn(&Game, Power, &VariantData, Dice) -> CommandEffects,
    },
    /// For a power: accepted or refused only by what the power sees, then carried out on the game. An answer that is made of the
    /// game does not compile:
    ///
    /// ```
    /// # use dipjudge_game::{CommandDecision, CommandEffects, CommandInput, Refusal, VariantAct, project::Sight};
    /// fn decide(_: &CommandInput, _: &Sight) -> Result<CommandDecision, Refusal> {
    ///     Err("Nobody has told you.".into())
    /// }
    ///
    /// const ASK: VariantAct = VariantAct::Power { decide, carry_out: |_, _, _, _| CommandEffects::default() };
    /// ```
    ///
    /// ```compile_fail
    /// # use dipjudge_game::{CommandDecision, CommandEffects, CommandInput, Game, Refusal, VariantAct};
    /// fn decide(_: &CommandInput, _: &Game) -> Result<CommandDecision, Refusal> {
    ///     Err("Nobody has told you.".into())
    /// }
    ///
    /// const ASK: VariantAct = VariantAct::Power { decide, carry_out: |_, _, _, _| CommandEffects::default() };
    /// ```
    ///
    /// Where its sender has contacts
    /// of his own, a line that names himself or somebody whom he may not address is refused earlier.
    Power {
        /// Decides whether it is accepted.
        decide: fn(&CommandInput, &Sight) -> Result<CommandDecision, Refusal>,
        /// Computes its effects on the game and on others.
        carry_out: fn(&Game, Power, &VariantData, Dice) -> CommandEffects,
    },
    /// For a master.
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

/// The result of a line of a player at a forming table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Joining {
    /// What the seat brings to the game from now on.
    pub brings: VariantData,
    /// Sentences for the sender.
    pub said: Vec<String>,
}

/// A power's command that is accepted.
#[derive(Clone, Debug, PartialEq)]
pub struct CommandDecision {
    /// The data to carry out, in the variant's own form.
    pub act: VariantData,
    /// Sentences for the sender.
    pub said: Vec<String>,
}

/// A master's command that is carried out.
#[derive(Clone, Debug, PartialEq)]
pub struct MasterDecision {
    /// Sentences for the master.
    pub said: Vec<String>,
    /// The effects on the game and on others.
    pub happened: CommandEffects,
}

/// The effects of a command on the game, and its notices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CommandEffects {
    /// The events, in order.
    pub events: Vec<Event>,
    /// Lines for the sender's reply, after the decision.
    pub said: Vec<Sentence>,
    /// Notices to others; the sender gets those that name his power.
    pub told: Vec<Notification>,
}

/// A notice about something that happens between phases. It is made for an audience:
///
/// ```
/// use dipjudge_game::{Audience, Notification, Sentence};
///
/// fn told() -> Notification {
///     Notification {
///         lines: vec![Sentence::of("Something has changed.")],
///         ..Notification::new(Audience::Masters, Sentence::of("Change"))
///     }
/// }
/// ```
///
/// ```compile_fail
/// # use dipjudge_game::{Audience, Notification, Sentence};
/// fn told() -> Notification {
///     Notification {
///         lines: vec![Sentence::of("Something has changed.")],
///         ..Notification::default()
///     }
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Notification {
    /// Its audience.
    pub to: Audience,
    /// The end of the subject.
    pub subject: Sentence,
    /// The lines.
    pub lines: Vec<Sentence>,
    /// Powers that it introduces: each reader without a label for one of them gets a label first. For readers to whom they are
    /// not introduced, and who do not see them, a sentence names them `Unknown`.
    pub introduces: Vec<Power>,
    /// The power whose position in sight is printed below the lines, in the labels of the reader. This introduces the powers in
    /// it, and those whom he may not address are marked. The reader's own things are printed as in his reports.
    pub sight_of: Option<Power>,
    /// Whether a map of the board is attached, as its reader sees the board when the mail is sent.
    pub shows_board: bool,
}

impl Notification {
    /// A notice without lines.
    pub fn new(to: Audience, subject: Sentence) -> Notification {
        Notification {
            to,
            subject,
            lines: Vec::new(),
            introduces: Vec::new(),
            sight_of: None,
            shows_board: false,
        }
    }
}

/// An audience.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    Masters,
}
