//! Connections that break: the server's fault, unless it is the same mail every time while others go.

use std::collections::{BTreeMap, BTreeSet};

/// So many breaks in a row, with no mail taken between them, mean that the server is away.
const IN_ROW: u32 = 3;
/// So often a mail may break the connection before it is at fault itself, if others were taken meanwhile.
const TIMES: u32 = 5;
/// A mail that broke the connection so often in a row lets others go first.
const ASIDE: u32 = 2;

/// What a break comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BreakVerdict {
    /// Nothing yet: it is tried again over another connection.
    Again,
    /// The server cannot be reached.
    Server,
    /// This mail breaks what others do not.
    Mail,
}

/// The breaks since a mail was last taken, and those of each mail.
#[derive(Debug, Default)]
pub(super) struct Breaks {
    in_row: u32,
    /// The mail that met all of them, unless there were several.
    of_one: Option<u64>,
    taken: u64,
    mails: BTreeMap<u64, MailBreaks>,
    aside: BTreeSet<u64>,
}

/// The breaks of one mail.
#[derive(Debug)]
struct MailBreaks {
    times: u32,
    /// How many mails had been taken before it was first on its way.
    taken_before: u64,
}

impl Breaks {
    /// A mail is on its way: those that are taken from now on show that others go.
    pub(super) fn begun(&mut self, id: u64) {
        self.of_mail(id);
    }

    /// The connection broke over this mail.
    pub(super) fn broke(&mut self, id: u64) -> BreakVerdict {
        self.of_one = (self.in_row == 0 || self.of_one == Some(id)).then_some(id);
        self.in_row = self.in_row.saturating_add(1);
        let taken = self.taken;
        let mail = self.of_mail(id);
        mail.times = mail.times.saturating_add(1);
        let (times, others_go) = (mail.times, taken > mail.taken_before);
        if times >= TIMES && others_go {
            self.forget(id);
            return BreakVerdict::Mail;
        }
        if times >= ASIDE {
            self.aside.insert(id);
        }
        // With nobody else there to try, it is the server or this mail: some more breaks will tell.
        let in_doubt = others_go && self.of_one.is_some();
        if self.in_row >= IN_ROW && !in_doubt {
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

    /// The server was away: one more break is enough to know that it still is.
    pub(super) fn rested(&mut self) {
        self.in_row = self.in_row.min(IN_ROW - 1);
        self.aside.clear();
    }

    /// A mail was taken.
    pub(super) fn taken(&mut self, id: u64) {
        self.taken = self.taken.saturating_add(1);
        self.in_row = 0;
        self.aside.clear();
        self.mails.remove(&id);
    }

    /// What becomes of this mail does not hang on breaks any more.
    pub(super) fn forget(&mut self, id: u64) {
        self.mails.remove(&id);
        self.aside.remove(&id);
    }

    /// Mails that let others go first.
    pub(super) fn aside(&self) -> &BTreeSet<u64> {
        &self.aside
    }

    /// There are no others: they are next.
    pub(super) fn nobody_else(&mut self) -> bool {
        !std::mem::take(&mut self.aside).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_breaks_every_connection_is_away() {
        let mut breaks = Breaks::default();
        assert_eq!(breaks.broke(1), BreakVerdict::Again);
        assert!(breaks.aside().is_empty(), "once more at once");
        assert_eq!(breaks.broke(1), BreakVerdict::Again);
        assert_eq!(breaks.aside(), &[1].into(), "then others go first");
        assert_eq!(breaks.broke(2), BreakVerdict::Server);
        breaks.rested();
        assert_eq!(breaks.broke(2), BreakVerdict::Server);
    }

    #[test]
    fn a_mail_is_at_fault_only_where_others_go() {
        let mut alone = Breaks::default();
        for _ in 0..50 {
            assert_ne!(alone.broke(1), BreakVerdict::Mail);
        }
        let mut breaks = Breaks::default();
        breaks.broke(1);
        breaks.taken(2);
        for _ in 0..3 {
            assert_eq!(breaks.broke(1), BreakVerdict::Again);
        }
        assert_eq!(breaks.broke(1), BreakVerdict::Mail);
        assert_eq!(
            breaks.broke(3),
            BreakVerdict::Server,
            "the others do not go now"
        );
    }

    #[test]
    fn what_goes_while_a_mail_is_on_its_way_counts_for_it() {
        let mut breaks = Breaks::default();
        breaks.begun(1);
        breaks.taken(2);
        for _ in 0..4 {
            assert_eq!(breaks.broke(1), BreakVerdict::Again);
        }
        assert_eq!(breaks.broke(1), BreakVerdict::Mail);
    }

    #[test]
    fn breaks_now_and_then_are_nobodys_fault() {
        let mut breaks = Breaks::default();
        for id in 0..100 {
            assert_eq!(breaks.broke(id), BreakVerdict::Again);
            breaks.taken(id);
        }
    }
}
