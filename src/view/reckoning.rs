//! What one reader can read out of his reports: orders of the past, and why one came out as it did.

use serde::Serialize;

use super::{OrderLine, PhaseTitle, WinterLine};

/// The reckoning of one order.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reckoning {
    /// The phase in which it was given.
    pub title: PhaseTitle,
    /// The order, with its result.
    pub asked: OrderLine,
    /// Why it failed, in a sentence; `None` if it did not.
    pub reason: Option<String>,
    /// The orders that bear on it, with their results.
    pub bearing: Vec<OrderLine>,
    /// The smallest change that would have altered it.
    pub change: SmallestChange,
}

/// The smallest change of orders that would have altered the result of an order.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum SmallestChange {
    /// These orders in place of others: one or two.
    Orders(Vec<OrderLine>),
    /// None of at most two orders was found.
    NotFound,
}

/// Orders of a past phase that were asked after, as its report told them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OrdersTold {
    /// The phase in which they were given.
    pub title: PhaseTitle,
    /// The orders of moves, with their results.
    pub movement: Vec<OrderLine>,
    /// The retreats, with their results.
    pub retreats: Vec<OrderLine>,
    /// The lines of adjustments.
    pub winter: Vec<WinterLine>,
}
