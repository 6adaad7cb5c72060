//! What the keeper has done on the command line: lines of a master, changes of people, all games at once (`cli.md`). Each act is a
//! ruling like that on a mail, and what it says goes to the keeper's terminal.

mod all_games;
mod game_lines;
mod importing;
mod persons;
mod retitling;
mod seat;

pub use importing::Import;
pub use persons::forgotten_address;

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::Judge;
use crate::boundary::{Ids, Library, Ruling};
use crate::registry::Right;
use crate::work::Work;
use crate::work::acting::Refusal;

/// What the keeper asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "kebab-case")]
pub enum KeeperAct {
    /// Lines of a mail, executed as a master of a game, or as a power as after BECOME.
    Lines {
        /// The name of the game.
        game: String,
        /// The power, in the words of the game.
        as_power: Option<String>,
        /// The lines.
        lines: String,
    },
    /// Something changes for a registered person.
    Person {
        /// One of the person's addresses.
        address: String,
        /// What changes.
        change: PersonChange,
    },
    /// Mail from an address, or from a domain written as `@example.org`, is not read any more.
    Block {
        /// The address or domain.
        address: String,
    },
    /// It is read again.
    Unblock {
        /// The address or domain.
        address: String,
    },
    /// Every running game is paused.
    PauseAll,
    /// Every game goes on that was paused by [`KeeperAct::PauseAll`].
    ResumeAll,
    /// These games are paused, since they were made again after the loss of the machine. [`KeeperAct::ResumeAll`] resumes them too.
    PauseRestored {
        /// Their names.
        games: BTreeSet<String>,
    },
    /// A letter to many, each for itself.
    Write {
        /// To whom.
        to: Audience,
        /// The subject, without the judge's name.
        subject: String,
        /// The text.
        text: String,
    },
    /// A game that was played elsewhere goes on here.
    Import(Import),
    /// A game gets another name. The caller renames its log.
    Retitle {
        /// The name of before.
        game: String,
        /// The new one.
        to: String,
    },
}

/// What changes for a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PersonChange {
    /// Points of dedication, added or taken.
    Dedication(i64),
    /// Another address becomes the person's too.
    Link(String),
    /// The person's mail goes to another address from now on, in all games.
    Address(String),
    /// Something is denied.
    Deny(Right),
    /// It is allowed again.
    Allow(Right),
    /// The reply addresses in mails that were sent are valid no more.
    EndTokens,
    /// Name and addresses are removed. What the store holds of them the caller erases.
    Forget,
}

/// To whom a letter of the keeper goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Audience {
    /// Everybody who plays in a game that is not over.
    Players,
    /// Every master of such a game.
    Masters,
    /// Everybody who is registered.
    Everybody,
}

/// What an act of the keeper brings about, and what is said of it.
#[derive(Clone, Debug, PartialEq)]
pub struct KeeperRuling {
    /// The effects.
    pub ruling: Ruling,
    /// For the keeper.
    pub said: String,
}

/// Why an act of the keeper is not done: sentences.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct KeeperRefusal(String);

impl From<Refusal> for KeeperRefusal {
    fn from(refusal: Refusal) -> KeeperRefusal {
        KeeperRefusal(refusal.into_sentences().join("  "))
    }
}

impl Judge {
    /// Rules on an act of the keeper; changes nothing.
    ///
    /// # Errors
    /// If it cannot be done. Refusals of single lines of [`KeeperAct::Lines`] stand in what is said.
    pub fn for_keeper(
        &self,
        act: &KeeperAct,
        now: Timestamp,
        ids: &mut dyn Ids,
        library: &dyn Library,
    ) -> Result<KeeperRuling, KeeperRefusal> {
        let mut work = Work::for_keeper(self, now, ids, library);
        let said = match act {
            KeeperAct::Lines {
                game,
                as_power,
                lines,
            } => return game_lines::execute(work, game, as_power.as_deref(), lines),
            KeeperAct::Person { address, change } => persons::change(&mut work, address, change)?,
            KeeperAct::Block { address } => persons::block(&mut work, address)?,
            KeeperAct::Unblock { address } => persons::unblock(&mut work, address)?,
            KeeperAct::PauseAll => all_games::pause(&mut work),
            KeeperAct::PauseRestored { games } => all_games::pause_restored(&mut work, games),
            KeeperAct::ResumeAll => all_games::resume(&mut work),
            KeeperAct::Write { to, subject, text } => {
                all_games::write(&mut work, *to, subject, text)?
            }
            KeeperAct::Import(import) => importing::import(&mut work, import)?,
            KeeperAct::Retitle { game, to } => retitling::retitle(&mut work, game, to)?,
        };
        Ok(KeeperRuling {
            ruling: work.finish(),
            said: said.join("\n"),
        })
    }
}
