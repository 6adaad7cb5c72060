//! How far a mail is read, and what earlier lines mean for later ones.

use std::collections::BTreeSet;

use crate::orders::branches::Branches;
use crate::orders::variant_lines::TextUntil;
use crate::session::quoting::Secrets;
use dipjudge_commands::names::Names;
use dipjudge_rules::calendar::PhaseName;

/// The state of reading a mail.
#[derive(Debug)]
pub(crate) struct ReadingState {
    /// No further line is read.
    pub stopped: bool,
    /// A SIGNON line was taken.
    pub signed_on_by_line: bool,
    /// Something stands in the mail beside its sign-on.
    pub has_more: bool,
    /// The phase that order lines are for.
    pub orders_for: OrdersFor,
    /// The conditions around order lines.
    pub branches: Branches,
    /// The answer that orders came too late for their phase was given.
    pub told_too_late: bool,
    /// The names that orders are read by, once they are needed.
    pub names: Option<Names>,
    /// Where the variant's text ends that is being read.
    pub own_text_until: Option<TextUntil>,
    /// The rules of the commands that the mail has given.
    pub commands: BTreeSet<String>,
    /// The words that no answer repeats.
    pub secrets: Secrets,
}

/// The phase that order lines are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OrdersFor {
    Now,
    Later(PhaseName),
    /// None: the PHASE line could not be taken, so the lines behind it are dropped.
    Nothing,
}

impl ReadingState {
    /// Nothing is read yet.
    pub(crate) fn new(secrets: Secrets) -> ReadingState {
        ReadingState {
            stopped: false,
            signed_on_by_line: false,
            has_more: false,
            orders_for: OrdersFor::Now,
            branches: Branches::default(),
            told_too_late: false,
            names: None,
            own_text_until: None,
            commands: BTreeSet::new(),
            secrets,
        }
    }
}
