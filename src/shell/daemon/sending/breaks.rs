//! Connections that break: a fault of the server, unless the same mail breaks them every time while others are sent.

use std::collections::{BTreeMap, BTreeSet};

/// After this many breaks in a row without a mail taken the server counts as away.
const AWAY_AFTER: u32 = 3;
/// After this many breaks a mail counts as the cause, if others were taken meanwhile.
const AT_FAULT_AFTER: u32 = 5;
/// After this many breaks in a row a mail lets others go first.
const POSTPONED_AFTER: u32 = 2;

/// What follows from a break.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BreakVerdict {
    /// Nothing yet: the mail is tried again over another connection.
    Again,
    /// The server cannot be reached.
    Server,
    /// This mail breaks connections, and others do not.
    Mail,
}

/// The breaks since a mail was last taken, and those of each mail.
#[derive(Debug, Default)]
pub(super) struct Breaks {
    in_row: u32,
    /// The mail with all of these breaks; `None` if there were several mails.
    of_one: Option<u64>,
    taken: u64,
    mails: BTreeMap<u64, MailBreaks>,
    postponed: BTreeSet<u64>,
}

/// The breaks of one mail.
#[derive(Debug)]
struct MailBreaks {
    times: u32,
    /// How many mails had been taken before it was first tried.
    taken_before: u64,
}

impl Breaks {
    /// A mail is being sent. If others are taken from now on, the server works.
    pub(super) fn started(&mut self, id: u64) {
        self.of_mail(id);
    }

    /// The connection broke over this mail.
    pub(super) fn record_break(&mut self, id: u64) -> BreakVerdict {
        self.of_one = (self.in_row == 0 || self.of_one == Some(id)).then_some(id);
        self.in_row = self.in_row.saturating_add(1);
        let taken = self.taken;
        let mail = self.of_mail(id);
        mail.times = mail.times.saturating_add(1);
        let (times, others_go) = (mail.times, taken > mail.taken_before);
        if times >= AT_FAULT_AFTER && others_go {
            self.forget(id);
            return BreakVerdict::Mail;
        }
        if times >= POSTPONED_AFTER {
            self.postponed.insert(id);
        }
        // If no other mail was tried, it is the server or this mail; further breaks will show which.
        let in_doubt = others_go && self.of_one.is_some();
        if self.in_row >= AWAY_AFTER && !in_doubt {
            return BreakVerdict::Server;
        }
        BreakVerdict::Again
    }

    fn of_mail(&mut self, id: u64) -> &mut MailBreaks {
        let taken_before = self.taken;
        self.mails.entry(id).or_insert(MailBreaks {
            times: 0,
            taken_before,
        })
    }

    /// The server was away: one more break shows that it still is.
    pub(super) fn server_was_away(&mut self) {
        self.in_row = self.in_row.min(AWAY_AFTER - 1);
        self.postponed.clear();
    }

    /// A mail was taken.
    pub(super) fn taken(&mut self, id: u64) {
        self.taken = self.taken.saturating_add(1);
        self.in_row = 0;
        self.postponed.clear();
        self.mails.remove(&id);
    }

    /// The breaks of this mail no longer matter.
    pub(super) fn forget(&mut self, id: u64) {
        self.mails.remove(&id);
        self.postponed.remove(&id);
    }

    /// Mails that let others go first.
    pub(super) fn postponed(&self) -> &BTreeSet<u64> {
        &self.postponed
    }

    /// There are no other mails, so those that were postponed are next. Returns whether there are any.
    pub(super) fn release_postponed(&mut self) -> bool {
        !std::mem::take(&mut self.postponed).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_breaks_every_connection_is_away() {
        let mut breaks = Breaks::default();
        assert_eq!(breaks.record_break(1), BreakVerdict::Again);
        assert!(breaks.postponed().is_empty(), "once more at once");
        assert_eq!(breaks.record_break(1), BreakVerdict::Again);
        assert_eq!(breaks.postponed(), &[1].into(), "then others go first");
        assert_eq!(breaks.record_break(2), BreakVerdict::Server);
        breaks.server_was_away();
        assert_eq!(breaks.record_break(2), BreakVerdict::Server);
    }

    #[test]
    fn a_mail_is_at_fault_only_where_others_go() {
        let mut alone = Breaks::default();
        for _ in 0..50 {
            assert_ne!(alone.record_break(1), BreakVerdict::Mail);
        }
        let mut breaks = Breaks::default();
        breaks.record_break(1);
        breaks.taken(2);
        for _ in 0..3 {
            assert_eq!(breaks.record_break(1), BreakVerdict::Again);
        }
        assert_eq!(breaks.record_break(1), BreakVerdict::Mail);
        assert_eq!(
            breaks.record_break(3),
            BreakVerdict::Server,
            "the others do not go now"
        );
    }

    #[test]
    fn what_goes_while_a_mail_is_on_its_way_counts_for_it() {
        let mut breaks = Breaks::default();
        breaks.started(1);
        breaks.taken(2);
        for _ in 0..4 {
            assert_eq!(breaks.record_break(1), BreakVerdict::Again);
        }
        assert_eq!(breaks.record_break(1), BreakVerdict::Mail);
    }

    #[test]
    fn breaks_now_and_then_are_nobodys_fault() {
        let mut breaks = Breaks::default();
        for id in 0..100 {
            assert_eq!(breaks.record_break(id), BreakVerdict::Again);
            breaks.taken(id);
        }
    }
}
