//! Leaks planted on purpose, so that the test of secrecy is itself tested: each must make it fail. Wherever one could be
//! open, `planted` is asked; without the feature `planted-leaks` it is never open, and the compiler takes the question
//! away.

#[cfg(feature = "planted-leaks")]
use std::cell::Cell;

/// Where something hidden gets out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leak {
    /// A report counts the votes of all.
    Report,
    /// An answer counts the orders of all.
    Reply,
    /// A refusal tells whether anybody waits.
    Refusal,
    /// A Message-ID counts the mails to everybody.
    Counter,
    /// A date is finer than the minute.
    Clock,
    /// HISTORY counts the votes of all.
    History,
    /// An export holds the orders of others before they are adjudicated.
    Export,
    /// Who gets his mail first is turned by how many orders are in for later phases.
    Sequence,
    /// An answer about a variant's submissions counts the submissions of all.
    Submissions,
    /// A master reads what its declaration seals from him.
    Sealed,
    /// A return path counts the mails to everybody.
    ReturnPath,
    /// A blind game without EARLY is adjudicated as soon as all orders are in.
    Early,
    /// Results bear the reply address of another seat.
    ReplyAddress,
    /// Everybody reads who will be absent.
    Absence,
    /// A condition is tried on the whole board.
    Condition,
    /// Whether a support was void is told by the whole board.
    Void,
    /// Dedication tells at once who was late in a game that hides it.
    Dedication,
    /// Lists of players name those whom their reader has not met.
    Existence,
    /// A letter names all its addressees, be they known to its reader or not.
    Addressees,
    /// A power that the sender has not met is found by its name.
    Unmet,
    /// A reader has labels for powers of whom he never read.
    Labels,
    /// All are told of what one power does to another.
    Told,
    /// What a bounce has shown to one civilization is shown to all.
    Glimpse,
    /// A map that is given shows what another sees whom its giver has met.
    MapGift,
    /// Everybody is told that a unit has changed hands.
    UnitGift,
    /// An exchange is told to members who have not met all others.
    Exchange,
    /// Transactions of all are numbered in one series.
    Numbers,
    /// A name that another has is refused.
    NameTaken,
    /// Homes of others are told as one's own.
    Homes,
    /// The picture of a report shows the whole board.
    Picture,
    /// MAP shows the whole board.
    Map,
    /// Everybody reads where all herds are.
    Herds,
    /// All are told what was foreseen and has not come true.
    Prediction,
    /// All are told which souls were not sold, since what it was to depend on was not so.
    Unsold,
    /// All are told which herds did not explode.
    Unfired,
    /// What is accepted as an answer stands beside the question.
    Accepted,
    /// A master's lines for a power are checked against what is sealed from him.
    Lent,
    /// An answer to a letter leaves with the orders that stand in it.
    Letters,
}

impl Leak {
    /// All of them.
    pub const ALL: [Leak; 38] = [
        Leak::Report,
        Leak::Reply,
        Leak::Refusal,
        Leak::Counter,
        Leak::Clock,
        Leak::History,
        Leak::Export,
        Leak::Sequence,
        Leak::Submissions,
        Leak::Sealed,
        Leak::ReturnPath,
        Leak::Early,
        Leak::ReplyAddress,
        Leak::Absence,
        Leak::Condition,
        Leak::Void,
        Leak::Dedication,
        Leak::Existence,
        Leak::Addressees,
        Leak::Unmet,
        Leak::Labels,
        Leak::Told,
        Leak::Glimpse,
        Leak::MapGift,
        Leak::UnitGift,
        Leak::Exchange,
        Leak::Numbers,
        Leak::NameTaken,
        Leak::Homes,
        Leak::Picture,
        Leak::Map,
        Leak::Herds,
        Leak::Prediction,
        Leak::Unsold,
        Leak::Unfired,
        Leak::Accepted,
        Leak::Lent,
        Leak::Letters,
    ];
}

#[cfg(feature = "planted-leaks")]
thread_local! {
    static PLANTED: Cell<Option<Leak>> = const { Cell::new(None) };
}

/// Opens one leak in this thread, or closes all.
#[cfg(feature = "planted-leaks")]
pub fn plant(leak: Option<Leak>) {
    PLANTED.set(leak);
}

/// Whether this leak is open in this thread.
#[cfg(feature = "planted-leaks")]
pub fn planted(leak: Leak) -> bool {
    PLANTED.get() == Some(leak)
}

/// Whether this leak is open: none ever is.
#[cfg(not(feature = "planted-leaks"))]
#[inline(always)]
pub const fn planted(_: Leak) -> bool {
    false
}
