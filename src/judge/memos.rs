//! Memos: what the judge keeps beside the logs, each under a name of its own. Counts for the limits and proposals are memos. They
//! are in no log, no export and no backup.

/// A change of one memo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoChange {
    /// The name of the memo.
    pub name: String,
    /// The content from now on; `None` removes the memo.
    pub content: Option<Vec<u8>>,
}
