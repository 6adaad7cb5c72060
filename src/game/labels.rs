//! What powers are called where not all readers call them the same (CivDip 2.5): what a variant says of it, and the labels
//! that were given. Who is called what to whom is answered by `project::GameView::labels` alone.

#[cfg(any(test, feature = "testing"))]
pub mod testing;

use serde::{Deserialize, Serialize};

use super::Game;
use dipjudge_rules::map::{Power, Province};
use dipjudge_view::Viewer;

/// A label as it was given: by it this reader calls this power, from now on to the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenLabel {
    /// The reader whose label it is.
    pub reader: Viewer,
    /// Who is called so.
    pub power: Power,
    /// What he is called.
    pub label: String,
}

/// What a variant says where its readers each call the powers by labels of their own. A label is given when a power first
/// appears in mail to a reader; one that he has for another already gets II, III and so on.
pub trait OwnLabels: Sync {
    /// What a power would be called by all, if no two were called alike.
    fn wanted(&self, game: &Game, power: Power) -> String;

    /// Whom the leader of a power may address, itself left out. They are named to it, whether it sees anything of them or
    /// not.
    fn contacts(&self, game: &Game, power: Power) -> Vec<Power>;

    /// In which order those are given labels whom one mail names first. Default: by the first province in which the reader
    /// sees anything of theirs.
    fn arrange(&self, _game: &Game, newcomers: &mut Vec<Newcomer>) {
        newcomers.sort_by_key(|one| (one.seen_at.is_none(), one.seen_at, one.power));
    }

    /// Which beginnings of a label are taken for it.
    fn beginnings(&self) -> Beginnings {
        Beginnings {
            shortest: 3,
            before_letters: 3,
        }
    }

    /// What a power is called where a sender reads that his word is none of his contacts: `You have no contact with a
    /// civilization called "Xerxes".`
    fn noun(&self) -> &'static str {
        "power"
    }
}

/// A sender whose words mean himself and his contacts, and nobody else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnContacts {
    /// The power that he leads.
    pub himself: Power,
    /// What the variant calls a power.
    pub noun: &'static str,
}

/// A power whom the next mail names to a reader who has no label for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Newcomer {
    /// Who it is.
    pub power: Power,
    /// Of the provinces in which the reader sees a unit or center of theirs, the first by abbreviation.
    pub seen_at: Option<Province>,
}

/// From how many letters on the beginning of one power's name stands for that power, in the words of a sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beginnings {
    /// Fewer are never taken for it.
    pub shortest: usize,
    /// So many are taken for it even where each of them is a power's letter too.
    pub before_letters: usize,
}

impl Default for Beginnings {
    fn default() -> Beginnings {
        Beginnings {
            shortest: 2,
            before_letters: 4,
        }
    }
}
