//! In which order messages count: by arrival, whatever the order in which they were found.

use jiff::Timestamp;

use crate::inbox::Fetched;

/// What a look into one source brought.
#[derive(Debug, Default)]
pub(super) struct SourceLook {
    /// The messages.
    pub(super) mails: Vec<Fetched>,
    /// Whether there are no more.
    pub(super) complete: bool,
    /// When this source was last seen completely before.
    pub(super) last_look: Option<Timestamp>,
}

/// A message in its place in time.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Arrived {
    /// Which of the sources it lies in.
    pub(super) source: usize,
    /// The message.
    pub(super) mail: Fetched,
    /// The time that counts.
    pub(super) at: Timestamp,
}

/// All messages in the order of their arrival, as far as it is certain.
///
/// A message arrived when its server stamped it, but never later than `now`, and never before the last complete look at its
/// source, in which it was not there: so nobody gains by a clock that goes wrong. Where a look was not complete, what
/// arrived after the last that it brought is left for the next one, since something before it may still be to come.
pub(super) fn in_order(found: Vec<SourceLook>, now: Timestamp) -> Vec<Arrived> {
    let mut arrived = Vec::new();
    let mut horizon = None;
    for (source, found) in found.into_iter().enumerate() {
        let counts = |mail: &Fetched| {
            found
                .last_look
                .map_or(mail.arrived, |look| mail.arrived.max(look))
                .min(now)
        };
        if !found.complete {
            let newest = found.mails.iter().map(counts).max();
            horizon = [horizon, newest].into_iter().flatten().min();
        }
        arrived.extend(found.mails.into_iter().map(|mail| Arrived {
            source,
            at: counts(&mail),
            mail,
        }));
    }
    arrived.retain(|message| horizon.is_none_or(|horizon| message.at <= horizon));
    // Stable: within one moment the order of the source stands.
    arrived.sort_by_key(|message| message.at);
    arrived
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inbox::Handle;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn mail(name: &str, second: i64) -> Fetched {
        let handle = Handle::Maildir(name.into());
        Fetched {
            handle,
            bytes: Vec::new(),
            arrived: at(second),
            oversize: false,
        }
    }

    fn names(found: Vec<SourceLook>, now: i64) -> Vec<(String, i64)> {
        let name = |mail: &Fetched| match &mail.handle {
            Handle::Maildir(name) => name.to_string_lossy().into_owned(),
            Handle::Imap { .. } => String::new(),
        };
        in_order(found, at(now))
            .iter()
            .map(|message| (name(&message.mail), message.at.as_second()))
            .collect()
    }

    fn found(mails: Vec<Fetched>, complete: bool, last_look: Option<i64>) -> SourceLook {
        SourceLook {
            mails,
            complete,
            last_look: last_look.map(at),
        }
    }

    fn pairs(expected: &[(&str, i64)]) -> Vec<(String, i64)> {
        expected
            .iter()
            .map(|(name, at)| ((*name).to_owned(), *at))
            .collect()
    }

    #[test]
    fn two_sources_are_read_as_one() {
        let inbox = found(vec![mail("b", 20), mail("a", 10)], true, None);
        let spool = found(vec![mail("c", 15), mail("d", 20)], true, None);
        assert_eq!(
            names(vec![inbox, spool], 99),
            pairs(&[("a", 10), ("c", 15), ("b", 20), ("d", 20)])
        );
    }

    #[test]
    fn no_message_comes_from_the_future_or_from_before_the_last_look() {
        let inbox = found(
            vec![mail("future", 500), mail("past", 10), mail("now", 60)],
            true,
            Some(50),
        );
        assert_eq!(
            names(vec![inbox], 99),
            pairs(&[("past", 50), ("now", 60), ("future", 99)])
        );
    }

    #[test]
    fn a_clock_set_back_wins_over_a_look_in_the_future() {
        assert_eq!(
            names(vec![found(vec![mail("a", 10)], true, Some(200))], 99),
            pairs(&[("a", 99)])
        );
    }

    #[test]
    fn what_may_have_something_before_it_waits() {
        let inbox = found(vec![mail("a", 10), mail("b", 20)], false, None);
        let spool = found(vec![mail("c", 15), mail("d", 25)], true, None);
        assert_eq!(
            names(vec![inbox, spool], 99),
            pairs(&[("a", 10), ("c", 15), ("b", 20)])
        );
    }

    #[test]
    fn of_two_full_sources_the_slower_sets_the_pace() {
        let inbox = found(vec![mail("a", 10), mail("b", 40)], false, None);
        let spool = found(vec![mail("c", 15), mail("d", 25)], false, None);
        assert_eq!(
            names(vec![inbox, spool], 99),
            pairs(&[("a", 10), ("c", 15), ("d", 25)])
        );
    }
}
