//! What a reader may do next: the end of every mail about a game that is no press.

use serde::Serialize;

/// What is needed from a reader, and what else he may answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct NextStep {
    /// What is needed and by when, or that nothing is: whole sentences.
    pub sentences: Vec<String>,
    /// The answer that is needed.
    pub answer: Option<ReadyAnswer>,
    /// Lines of the variant's own that the reader may send now.
    pub offers: Vec<OfferedLine>,
    /// Other answers that fit the phase.
    pub others: Vec<OtherAnswer>,
}

/// An answer that is written already, but for what its lines leave open at their ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReadyAnswer {
    /// What it is: `Send your orders`.
    pub name: String,
    /// Its lines.
    pub lines: Vec<String>,
}

/// A line of the variant's own, as it is offered to the power that may send it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OfferedLine {
    /// The line, ready to be sent.
    pub line: String,
    /// What it does, how often it may be sent, and what becomes of it if it is not: whole sentences.
    pub does: String,
    /// Whether it has been sent, so that nothing is missing without another.
    pub is_spent: bool,
}

/// An answer that is possible beside the one that is needed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OtherAnswer {
    /// The answer.
    pub ready: ReadyAnswer,
    /// The clause that offers it in plain text: `SET WAIT keeps this phase open until its deadline`.
    pub clause: String,
}
