//! What players note for the end of a game.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use dipjudge_rules::map::Power;

/// A player's diary of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diary {
    /// How many entries were ever written; numbers of deleted ones are not given again.
    pub written: u32,
    /// By number.
    pub entries: BTreeMap<u32, DiaryEntry>,
    /// How many of those written have been published.
    #[serde(default)]
    pub published: u32,
}

/// One entry of a diary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiaryEntry {
    /// The phase in which it was written, as mails name it: `S1901M`.
    pub phase: String,
    /// The power that its writer led then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub power: Option<Power>,
    /// What was written.
    pub text: String,
}

impl Diary {
    /// Whether nothing was ever written.
    pub(super) fn is_unused(&self) -> bool {
        *self == Diary::default()
    }

    pub(super) fn write(&mut self, entry: DiaryEntry) {
        self.written += 1;
        self.entries.insert(self.written, entry);
    }

    /// The entries that have not been published.
    pub fn unpublished(&self) -> impl Iterator<Item = (u32, &DiaryEntry)> {
        let entries = self.entries.iter();
        let later = entries.filter(|(number, _)| **number > self.published);
        later.map(|(number, entry)| (*number, entry))
    }
}
