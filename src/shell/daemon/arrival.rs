//! The order of messages: by arrival, not by the order in which they were found.

use jiff::Timestamp;

use crate::inbox::FetchedMessage;

/// What was found in one source.
#[derive(Debug, Default)]
pub(super) struct SourceLook {
    pub(super) mails: Vec<FetchedMessage>,
    /// Whether these are all.
    pub(super) complete: bool,
    /// When this source was last seen completely.
    pub(super) last_look: Option<Timestamp>,
}

/// A message and the time that counts as its arrival.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ArrivedMessage {
    /// The index of its source.
    pub(super) source: usize,
    pub(super) mail: FetchedMessage,
    pub(super) at: Timestamp,
}

/// The messages in the order of arrival, as far as that order is certain.
///
/// A message arrives at the time that its server stamped on it, but not later than `now`, and not before the last complete
/// look at its source, which did not find it: so nobody gains from a wrong clock. If a look was incomplete, messages that
/// arrived after its last one are left for the next look, since an earlier message may still be found.
pub(super) fn in_order(found: Vec<SourceLook>, now: Timestamp) -> Vec<ArrivedMessage> {
    let mut arrived = Vec::new();
    let mut horizon = None;
    for (source, found) in found.into_iter().enumerate() {
        let counts = |mail: &FetchedMessage| {
            found
                .last_look
                .map_or(mail.arrived, |look| mail.arrived.max(look))
                .min(now)
        };
        if !found.complete {
            let newest = found.mails.iter().map(counts).max();
            horizon = [horizon, newest].into_iter().flatten().min();
        }
        arrived.extend(found.mails.into_iter().map(|mail| ArrivedMessage {
            source,
            at: counts(&mail),
            mail,
        }));
    }
    arrived.retain(|message| horizon.is_none_or(|horizon| message.at <= horizon));
    // A stable sort: messages of the same time stay in the order of their source.
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

    fn mail(name: &str, second: i64) -> FetchedMessage {
        let handle = Handle::Maildir(name.into());
        FetchedMessage {
            handle,
            bytes: Vec::new(),
            arrived: at(second),
            oversize: false,
        }
    }

    fn names(found: Vec<SourceLook>, now: i64) -> Vec<(String, i64)> {
        let name = |mail: &FetchedMessage| match &mail.handle {
            Handle::Maildir(name) => name.to_string_lossy().into_owned(),
            Handle::Imap { .. } => String::new(),
        };
        in_order(found, at(now))
            .iter()
            .map(|message| (name(&message.mail), message.at.as_second()))
            .collect()
    }

    fn found(mails: Vec<FetchedMessage>, complete: bool, last_look: Option<i64>) -> SourceLook {
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
