//! Leaks planted on purpose, so that the test of secrecy is itself tested: each must make it fail. None of this is part of
//! an ordinary build; the feature `planted-leaks` brings it in.

use std::cell::Cell;
use std::fmt::{Display, Write as _};

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
    /// An answer about a variant's slips counts the slips of all.
    Slips,
}

impl Leak {
    /// All of them.
    pub const ALL: [Leak; 9] = [
        Leak::Report,
        Leak::Reply,
        Leak::Refusal,
        Leak::Counter,
        Leak::Clock,
        Leak::History,
        Leak::Export,
        Leak::Sequence,
        Leak::Slips,
    ];
}

thread_local! {
    static PLANTED: Cell<Option<Leak>> = const { Cell::new(None) };
}

/// Opens one leak in this thread, or closes all.
pub fn plant(leak: Option<Leak>) {
    PLANTED.set(leak);
}

/// Whether this leak is open in this thread.
pub fn leaks(leak: Leak) -> bool {
    PLANTED.get() == Some(leak)
}

/// Writes a secret behind a text, if this leak is open.
pub fn spill(leak: Leak, into: &mut String, secret: impl Display) {
    if leaks(leak) {
        // Writing to a text cannot fail.
        let _ = write!(into, " ({secret})");
    }
}
