//! How often something was done recently, by account: the counts behind the limits of `[limits]`. A count consists of
//! times and numbers; it contains no password and no word of a mail. A ruling includes the counts that it changes, so
//! that the store keeps them beside the logs and a restarted judge can load them.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};

use crate::memos::MemoChange;
use dipjudge_game::SeatId;

/// The numbers of `[limits]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimits {
    /// The largest number of answers to one writer in an hour.
    pub replies_per_hour: u64,
    /// The largest number of answers to one writer in a day.
    pub replies_per_day: u64,
    /// The largest number of answers in a day to mails of one writer that asked for nothing the judge can do.
    pub empty_replies_per_day: u64,
    /// The largest number of bytes of text in the answers to one mail.
    pub reply_bytes: u64,
    /// The largest number of bytes of answers to one writer in an hour.
    pub reply_bytes_per_hour: u64,
    /// The largest first answer, in bytes with its headers, to an address that has proven nothing; 0 for no limit on what such
    /// addresses are sent.
    pub unproven_reply_bytes: u64,
    /// How many times the bytes received from addresses that have proven nothing they are answered in a day, beyond the first
    /// answer: per address, per domain, and all together.
    pub unproven_reply_times: u64,
    /// The largest number of maps in a minute that come with answers to orders, to all writers together: a map takes far longer
    /// than the rest of a mail.
    pub order_maps_per_minute: u64,
    /// The number of mails in an hour after which a writer's mails wait behind those of all others.
    pub mails_per_hour: u64,
    /// The largest number of wrong passwords of one sender in one game in an hour.
    pub wrong_passwords_per_sender: u64,
    /// The largest number of wrong passwords at one seat in an hour, from all senders together.
    pub wrong_passwords_per_seat: u64,
    /// The largest number of press messages of one person in one game in an hour.
    pub press_per_hour: u64,
    /// The largest number of bytes of press of one person in one game in an hour.
    pub press_bytes_per_hour: u64,
    /// The largest number of press messages of all observers of one game in an hour.
    pub observer_press_per_hour: u64,
    /// The largest number of trials of orders and questions after results of one person in one game in an hour.
    pub tries_per_hour: u64,
    /// The largest number of games that one person creates in a day.
    pub creates_per_day: u64,
}

impl Default for RateLimits {
    fn default() -> RateLimits {
        RateLimits {
            replies_per_hour: 20,
            replies_per_day: 100,
            empty_replies_per_day: 10,
            reply_bytes: 100_000,
            reply_bytes_per_hour: 1_000_000,
            unproven_reply_bytes: 2_000,
            unproven_reply_times: 5,
            order_maps_per_minute: 300,
            mails_per_hour: 30,
            wrong_passwords_per_sender: 10,
            wrong_passwords_per_seat: 10,
            press_per_hour: 60,
            press_bytes_per_hour: 200_000,
            observer_press_per_hour: 60,
            tries_per_hour: 30,
            creates_per_day: 5,
        }
    }
}

const MINUTE: SignedDuration = SignedDuration::from_mins(1);
/// The period of most counts.
pub(super) const HOUR: SignedDuration = SignedDuration::from_hours(1);
const DAY: SignedDuration = SignedDuration::from_hours(24);
/// The number of intervals into which the period of a count is divided, which limits the size of a count.
const STRETCHES: i32 = 60;
/// The largest number of counts that are kept. Beyond it, counts of senders' addresses are deleted, oldest first:
/// anybody can invent any number of addresses, while the number of seats is limited.
const MOST: usize = 20_000;
/// The prefixes of the accounts of an unproven address, of one that a trusted host vouches for, of one whose reader answers what
/// was sent there, and of a domain.
const CLAIMED: &str = "from ";
const VOUCHED: &str = "vouched ";
const ANSWERED: &str = "answered ";
const DOMAIN: &str = "domain ";
/// Those whose number is not limited, since anybody can invent addresses.
const OF_ADDRESSES: [&str; 4] = [CLAIMED, VOUCHED, ANSWERED, DOMAIN];
/// The account of all addresses that have proven nothing.
pub(super) const ALL_UNPROVEN: &str = "unproven";
/// The account of all writers together.
pub(super) const ALL_WRITERS: &str = "all";

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CountKind {
    /// Mails handled.
    Mail,
    /// Answers, in an hour.
    Reply,
    /// Answers, in a day.
    ReplyOfDay,
    ReplyBytes,
    /// Answers to mails that asked for nothing the judge can do.
    EmptyReply,
    /// Notices to a writer that answers pause for a while.
    PauseTold,
    /// Notices to a writer that answers pause for the day.
    PauseOfDayTold,
    WrongPassword,
    /// Closings of a seat to passwords.
    Closed,
    /// Notices to the keeper that passwords are being guessed.
    KeeperTold,
    Create,
    Press,
    PressBytes,
    /// Bytes of mails from addresses that have proven nothing.
    UnprovenReceived,
    /// Bytes of answers to such addresses.
    UnprovenAnswered,
    /// Notices to somebody who has left a game that a mail came to an address of before.
    EndedTold,
    /// Maps with answers to orders.
    OrderMap,
    /// Trials of orders, and questions why an order came out as it did.
    Try,
}

impl CountKind {
    fn word(self) -> &'static str {
        match self {
            CountKind::Mail => "mail",
            CountKind::Reply => "reply",
            CountKind::ReplyOfDay => "reply-of-day",
            CountKind::ReplyBytes => "reply-bytes",
            CountKind::EmptyReply => "empty-reply",
            CountKind::PauseTold => "pause-told",
            CountKind::PauseOfDayTold => "pause-of-day-told",
            CountKind::WrongPassword => "wrong-password",
            CountKind::Closed => "closed",
            CountKind::KeeperTold => "keeper-told",
            CountKind::Create => "create",
            CountKind::Press => "press",
            CountKind::PressBytes => "press-bytes",
            CountKind::UnprovenReceived => "unproven-received",
            CountKind::UnprovenAnswered => "unproven-answered",
            CountKind::EndedTold => "ended-told",
            CountKind::OrderMap => "order-map",
            CountKind::Try => "try",
        }
    }

    /// The period of the count.
    fn window(self) -> SignedDuration {
        match self {
            CountKind::ReplyOfDay
            | CountKind::EmptyReply
            | CountKind::PauseOfDayTold
            | CountKind::EndedTold
            | CountKind::UnprovenReceived
            | CountKind::UnprovenAnswered
            | CountKind::Create => DAY,
            CountKind::OrderMap => MINUTE,
            _ => HOUR,
        }
    }
}

/// An amount to add to the count of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Count {
    pub kind: CountKind,
    pub account: String,
    pub amount: u64,
}

/// Amounts with the second at which each interval began, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
struct Tally {
    /// The period of the count, in seconds.
    window: i64,
    parts: Vec<(i64, u64)>,
}

impl Tally {
    fn add(&mut self, amount: u64, now: i64) {
        self.parts.retain(|(at, _)| *at > now - self.window);
        let stretch = self.window / i64::from(STRETCHES);
        match self.parts.last_mut() {
            Some((at, sum)) if now - *at < stretch => *sum = sum.saturating_add(amount),
            _ => self.parts.push((now, amount)),
        }
    }

    fn sum(&self, now: i64) -> u64 {
        let counts = self.parts.iter().filter(|(at, _)| *at > now - self.window);
        counts.fold(0, |sum, (_, amount)| sum.saturating_add(*amount))
    }

    fn newest(&self) -> i64 {
        self.parts.last().map_or(i64::MIN, |(at, _)| *at)
    }
}

/// All counts.
#[derive(Debug, Default)]
pub(super) struct Rates {
    tallies: BTreeMap<String, Tally>,
    /// When expired counts were last deleted.
    swept: Option<Timestamp>,
}

impl Rates {
    /// The sum of a count over its period.
    pub(super) fn sum(&self, kind: CountKind, account: &str, now: Timestamp) -> u64 {
        let tally = self.tallies.get(&name(kind, account));
        tally.map_or(0, |tally| tally.sum(now.as_second()))
    }

    /// The stored form of all counts that the given amounts change.
    pub(super) fn changes(&self, counts: &[Count], now: Timestamp) -> Vec<MemoChange> {
        let mut changed: BTreeMap<String, Tally> = BTreeMap::new();
        for count in counts {
            let name = name(count.kind, &count.account);
            let before = || {
                let known = self.tallies.get(&name).cloned();
                known.unwrap_or_else(|| Tally {
                    window: count.kind.window().as_secs(),
                    parts: Vec::new(),
                })
            };
            let tally = changed.entry(name.clone()).or_insert_with(before);
            tally.add(count.amount, now.as_second());
        }
        let mut gone: BTreeSet<&String> = BTreeSet::new();
        if self.is_sweep_due(now) {
            let past = |tally: &Tally| tally.newest() <= now.as_second() - tally.window;
            gone.extend(self.tallies.iter().filter(|(_, t)| past(t)).map(|(n, _)| n));
        }
        if self.tallies.len() - gone.len() + changed.len() > MOST {
            gone.extend(self.oldest(MOST / 10));
        }
        let gone = gone.into_iter().filter(|name| !changed.contains_key(*name));
        let gone: Vec<MemoChange> = gone
            .map(|name| MemoChange {
                name: name.clone(),
                content: None,
            })
            .collect();
        let kept = changed.into_iter().filter_map(|(name, tally)| {
            // Numbers can always be serialized.
            let json = serde_json::to_vec(&tally).ok()?;
            Some(MemoChange {
                name,
                content: Some(json),
            })
        });
        kept.chain(gone).collect()
    }

    /// Applies the result of [`Rates::changes`].
    pub(super) fn absorb(
        &mut self,
        changes: &[MemoChange],
        now: Timestamp,
    ) -> Result<(), serde_json::Error> {
        for change in changes {
            match &change.content {
                Some(json) => self.recall(&change.name, json)?,
                None => _ = self.tallies.remove(&change.name),
            }
        }
        if !changes.is_empty() && self.is_sweep_due(now) {
            self.swept = Some(now);
        }
        Ok(())
    }

    /// Loads a stored count.
    pub(super) fn recall(&mut self, name: &str, json: &[u8]) -> Result<(), serde_json::Error> {
        let tally = serde_json::from_slice(json)?;
        self.tallies.insert(name.to_owned(), tally);
        Ok(())
    }

    fn is_sweep_due(&self, now: Timestamp) -> bool {
        self.swept
            .is_none_or(|swept| now.duration_since(swept).abs() >= HOUR)
    }

    /// The counts of senders' addresses that have not changed for the longest time.
    fn oldest(&self, number: usize) -> impl Iterator<Item = &String> {
        let of_address = |name: &str| {
            let account = name.split_once(' ').map(|(_, account)| account);
            account
                .is_some_and(|account| OF_ADDRESSES.iter().any(|begin| account.starts_with(begin)))
        };
        let names = self.tallies.iter().filter(|(name, _)| of_address(name));
        let mut names: Vec<(i64, &String)> = names.map(|(n, t)| (t.newest(), n)).collect();
        names.sort_unstable();
        names.into_iter().take(number).map(|(_, name)| name)
    }
}

fn name(kind: CountKind, account: &str) -> String {
    format!("{} {account}", kind.word())
}

/// The writer of a mail, as far as proven: mails that others send with a forged From do not count for its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Writer {
    /// Anybody who has the token of this reply address.
    Token(String),
    /// The person for whom the trusted host vouches.
    Vouched(String),
    /// The owner of the From address, who answers a mail that went there and to nobody else.
    Answered(String),
    /// The owner of the From address, which anybody can forge.
    Claimed(String),
}

impl Writer {
    /// Whose the reply address of a seat is.
    pub(crate) fn token_of(game: &str, seat: SeatId) -> String {
        format!("{game} {}", seat.0)
    }

    /// The account of the mail.
    pub(super) fn account(&self) -> String {
        match self {
            Writer::Token(whose) => format!("token {whose}"),
            Writer::Vouched(address) => format!("{VOUCHED}{address}"),
            Writer::Answered(address) => format!("{ANSWERED}{address}"),
            Writer::Claimed(address) => claimed(address),
        }
    }
}

/// The account of the domain of an address.
pub(super) fn domain_of(address: &str) -> String {
    let (_, domain) = address.rsplit_once('@').unwrap_or(("", address));
    format!("{DOMAIN}{domain}")
}

/// The account of an unproven address.
pub(super) fn claimed(address: &str) -> String {
    format!("{CLAIMED}{address}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + second).unwrap()
    }

    fn count(rates: &mut Rates, kind: CountKind, account: &str, second: i64) -> Vec<MemoChange> {
        let one = Count {
            kind,
            account: account.to_owned(),
            amount: 1,
        };
        let changes = rates.changes(&[one], at(second));
        rates.absorb(&changes, at(second)).unwrap();
        changes
    }

    #[test]
    fn an_hour_slides() {
        let mut rates = Rates::default();
        for second in [0, 1, 600, 3_000] {
            count(&mut rates, CountKind::Reply, "from a", second);
        }
        let sum = |second| rates.sum(CountKind::Reply, "from a", at(second));
        assert_eq!((sum(3_000), sum(3_599), sum(3_601)), (4, 4, 2));
        assert_eq!((sum(4_201), sum(6_601)), (1, 0));
        assert_eq!(rates.sum(CountKind::Reply, "from b", at(0)), 0);
    }

    #[test]
    fn however_much_is_counted_few_numbers_are_kept() {
        let mut rates = Rates::default();
        for second in 0..10_000 {
            count(&mut rates, CountKind::Mail, "from a", second);
        }
        let tally = rates.tallies.get("mail from a").unwrap();
        assert!(tally.parts.len() <= 60, "{}", tally.parts.len());
        let sum = rates.sum(CountKind::Mail, "from a", at(9_999));
        assert!((3_540..=3_600).contains(&sum), "{sum}");
    }

    #[test]
    fn what_is_past_is_forgotten_in_the_store_too() {
        let mut rates = Rates::default();
        count(&mut rates, CountKind::Mail, "from a", 0);
        count(&mut rates, CountKind::Create, "from a", 0);
        let changes = count(&mut rates, CountKind::Mail, "from b", 3_601);
        assert!(
            changes.contains(&MemoChange {
                name: "mail from a".to_owned(),
                content: None,
            }),
            "{changes:?}"
        );
        assert_eq!(rates.tallies.len(), 2, "a day is not over");
    }

    #[test]
    fn invented_senders_push_no_seat_out() {
        let mut rates = Rates::default();
        count(&mut rates, CountKind::Closed, "kaiser power 1", 0);
        for sender in 0..MOST + 10 {
            count(&mut rates, CountKind::Mail, &format!("from {sender}"), 1);
        }
        assert!(rates.tallies.len() <= MOST);
        assert_eq!(rates.sum(CountKind::Closed, "kaiser power 1", at(2)), 1);
        let last = format!("from {}", MOST + 9);
        assert_eq!(rates.sum(CountKind::Mail, &last, at(2)), 1);
    }

    #[test]
    fn a_judge_that_starts_anew_knows_what_was_kept() {
        let mut rates = Rates::default();
        let changes = count(&mut rates, CountKind::WrongPassword, "from a kaiser", 0);
        let mut again = Rates::default();
        again.absorb(&changes, at(5)).unwrap();
        assert_eq!(
            again.sum(CountKind::WrongPassword, "from a kaiser", at(5)),
            1
        );
    }
}
