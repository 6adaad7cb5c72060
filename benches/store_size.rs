//! What one message and one due game cost, by how much lies in the store.
//!
//! The games are written straight into a store: copies of the recorded game of the standard variant up to its last Spring,
//! each with people of its own. Then the judge begins from that store, and each message and each look at the clock goes the
//! whole way: read, ruled on, stored and synced, taken over. `cargo bench --bench store_size -- 10 1000` names the numbers
//! of games.

mod many_games;

use std::fmt::Write as _;
use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};

use dipjudge::game::Game;
use dipjudge::judge::{Ids, Incoming, Judge};
use dipjudge::mails::outbound::Templates;
use dipjudge::map::Power;
use dipjudge::shell::clock::Clock;
use dipjudge::shell::daemon::{INBOX, Mailbox, MailboxError, Notices, Processor, Source, setup};
use dipjudge::shell::inbox::{FetchedMessage, Handle, Look};
use dipjudge::shell::random::SystemIds;
use dipjudge::store::Store;
use jiff::{SignedDuration, Timestamp};
use many_games::{Nothing, address, fill, hour, named_numbers, one_each_minute, settings};

/// The number of the seat that writes, and the word that it signs on with.
const WRITER: (&str, &str) = ("cleo", "fpw");
/// Its power: France.
const POWER: Power = Power(2);
/// So many due games are measured, each in one of two ways, and messages in so many games,
const SAMPLES: usize = 10;
/// so many of each kind in each.
const ROUNDS: usize = 5;
/// What is sent to whom, or that a game is due; the last two without what storing it takes.
const KINDS: [&str; 7] = [
    "an order mail to its reply address",
    "an order mail with SIGNON",
    "a mail to an address that is nobody's",
    "a registration",
    "a due game",
    "of an order mail, the judge's part",
    "of a due game, the judge's part",
];

fn main() {
    let sizes = match named_numbers() {
        None => vec![1],
        Some(named) if named.is_empty() => vec![10, 1_000, 10_000],
        Some(named) => named,
    };
    // The largest first: it takes minutes to make, and a machine's other work changes less within seconds.
    let mut measured: Vec<[Cost; KINDS.len()]> =
        sizes.iter().rev().map(|games| measure(*games)).collect();
    measured.reverse();
    let show = |title: &str, of: &dyn Fn(&Cost) -> Duration| {
        let mut table = format!("{title:40}");
        sizes
            .iter()
            .for_each(|games| _ = write!(table, "{games:>12}"));
        table.push_str("       ratio\n");
        for (row, kind) in KINDS.iter().enumerate() {
            let times: Vec<Duration> = measured.iter().map(|costs| of(&costs[row])).collect();
            let most = times.iter().max().copied().unwrap_or_default();
            let least = times.iter().min().copied().unwrap_or_default();
            _ = write!(table, "{kind:40}");
            times
                .iter()
                .for_each(|time| _ = write!(table, "{:>9.2} ms", time.as_secs_f64() * 1e3));
            _ = writeln!(table, "{:>12.2}", most.as_secs_f64() / least.as_secs_f64());
        }
        println!("{table}");
    };
    show("processor time, by number of games", &|cost| cost.processor);
    show("whole, with waiting for the disk", &|cost| cost.whole);
}

/// What something took.
#[derive(Clone, Copy, Default)]
struct Cost {
    whole: Duration,
    /// Of this thread.
    processor: Duration,
}

impl Cost {
    fn of<T>(work: impl FnOnce() -> T) -> (Cost, T) {
        let (begun, processor) = (Instant::now(), processor_time());
        let done = work();
        let cost = Cost {
            processor: processor_time() - processor,
            whole: begun.elapsed(),
        };
        (cost, done)
    }

    /// The middle ones.
    fn median(costs: &[Cost]) -> Cost {
        let middle = |of: &dyn Fn(&Cost) -> Duration| {
            let mut times: Vec<Duration> = costs.iter().map(of).collect();
            times.sort_unstable();
            times.get(times.len() / 2).copied().unwrap_or_default()
        };
        Cost {
            whole: middle(&|cost| cost.whole),
            processor: middle(&|cost| cost.processor),
        }
    }
}

/// How long this thread has run so far.
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).expect("a time that has passed")
}

/// The medians of each kind in a store of so many games.
fn measure(games: usize) -> [Cost; KINDS.len()] {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::create(folder.path()).expect("a store");
    let begun = Instant::now();
    fill(&store, games, one_each_minute);
    let filled = begun.elapsed();
    let templates = Templates::built_in();
    let begun = Instant::now();
    // Opened anew, as a judge finds it that starts.
    drop(store);
    let store = Store::open(folder.path()).expect("the store");
    let judge = setup::judge(&store, settings(), templates.clone()).expect("a judge");
    let read = begun.elapsed();
    eprintln!("{games} games: written in {filled:.1?}, read in {read:.1?}");
    let mut office = Office {
        notices: Notices::new(&settings(), &templates),
        judge: Arc::new(RwLock::new(judge)),
        store: Arc::new(store),
        mails: 0,
    };
    let mut costs: [Vec<Cost>; KINDS.len()] = Default::default();
    // The first of each kind makes ready what is made ready once.
    let samples = SAMPLES.min(games);
    let rounds = (0..samples).cycle().take(samples * ROUNDS);
    for sample in (0..1).chain(rounds) {
        let token = office.reply_address(sample);
        let orders = office.orders(sample);
        let writer = address(WRITER.0, sample);
        let signed = format!("SIGNON Fg{sample:05} {}\n{orders}", WRITER.1);
        let number = office.mails;
        let form = format!("REGISTER\nName: Nobody {number}\nLevel: Novice\nEND\n");
        let stray = format!("judge+{}@judge.test", "a".repeat(26));
        let new = format!("new{number}@people.test");
        costs[0].push(office.mail(&writer, &token, &orders));
        costs[1].push(office.mail(&writer, "judge@judge.test", &signed));
        costs[2].push(office.mail(&writer, &stray, "HELP\n"));
        costs[3].push(office.mail(&new, "judge@judge.test", &form));
        costs[5].push(office.ruling_on(&writer, &token, &orders));
    }
    for kind in [0, 1, 2, 3, 5] {
        costs[kind].remove(0);
    }
    for sample in 0..samples {
        // The map of a game is kept once it is drawn: of every other game the judge's part alone is measured, before the whole.
        let judges_part = (sample % 2 == 1).then(|| office.ruling_on_the_clock());
        let whole = office.due();
        match judges_part {
            Some(cost) => costs[6].extend(cost),
            None => costs[4].push(whole),
        }
    }
    costs.map(|costs| Cost::median(&costs))
}

/// The judge between an inbox in memory and its store.
struct Office {
    judge: Arc<RwLock<Judge>>,
    store: Arc<Store>,
    notices: Notices,
    /// So many mails have come.
    mails: u32,
}

impl Office {
    /// What a mail costs.
    fn mail(&mut self, from: &str, to: &str, text: &str) -> Cost {
        let now = self.next_hour();
        let bytes = self.message(from, to, text);
        let inbox = Letters(vec![FetchedMessage {
            handle: Handle::Maildir(self.mails.to_string().into()),
            bytes,
            arrived: now,
            oversize: false,
        }]);
        let (cost, done) = self.step(now, inbox);
        assert_eq!(done, (1, 0), "{text}");
        cost
    }

    /// What the game costs that is due next.
    fn due(&mut self) -> Cost {
        let judge = self.judge.read().expect("a judge");
        let due = judge.next_due().expect("something is due");
        drop(judge);
        let (cost, done) = self.step(due, Letters(Vec::new()));
        assert_eq!(done, (0, 1));
        cost
    }

    /// What it costs to rule on a mail.
    fn ruling_on(&mut self, from: &str, to: &str, text: &str) -> Cost {
        let now = self.next_hour();
        let incoming = incoming(self.message(from, to, text), now);
        let judge = self.judge.read().expect("a judge");
        let ids = &mut SystemIds::new();
        let (cost, ruling) = Cost::of(|| judge.receive(&incoming, now, ids, &Nothing));
        assert!(!ruling.mails.is_empty());
        cost
    }

    /// What it costs to rule on the game that is due next, which stays due.
    fn ruling_on_the_clock(&self) -> Option<Cost> {
        let judge = self.judge.read().expect("a judge");
        let due = judge.next_due()?;
        let ids = &mut SystemIds::new();
        let (cost, ruling) = Cost::of(|| judge.tick(due, due, &[], ids, &Nothing));
        let played = ruling.is_some_and(|ruling| ruling.mails.len() > 5);
        played.then_some(cost)
    }

    /// One step of the processor: what it cost, and how many messages and how many games it handled.
    fn step(&self, now: Timestamp, inbox: Letters) -> (Cost, (usize, usize)) {
        let (judge, store) = (self.judge.clone(), self.store.clone());
        let processor = Processor::new(judge, store, Clock::At(now), self.notices.clone());
        let mut processor = processor.expect("a processor");
        let mut sources = [Source::new(INBOX, Box::new(inbox), String::new())];
        let (cost, stepped) = Cost::of(|| processor.step(&mut sources, &|| true));
        let stepped = stepped.expect("a step");
        (cost, (stepped.handled, stepped.ruled))
    }

    /// The reply address of the writer in a game, from an answer to him; the judge remembers his word from then on, so that
    /// to hash it is no part of what follows.
    fn reply_address(&mut self, game: usize) -> String {
        let now = self.next_hour();
        let text = format!("SIGNON Fg{game:05} {}\n", WRITER.1);
        let message = self.message(&address(WRITER.0, game), "judge@judge.test", &text);
        let incoming = incoming(message, now);
        let mut judge = self.judge.write().expect("a judge");
        let ruling = judge.receive(
            &incoming,
            now,
            &mut SystemIds::new() as &mut dyn Ids,
            &Nothing,
        );
        judge.absorb(&ruling).expect("a ruling");
        let answer = String::from_utf8_lossy(&ruling.mails[0].letter.own).replace("\r\n ", " ");
        let reply_to = answer
            .lines()
            .find_map(|line| line.strip_prefix("Reply-To: "));
        let start = answer
            .find("judge+")
            .unwrap_or_else(|| panic!("{reply_to:?} {answer}"));
        answer[start..]
            .split(['>', '\r', '\n', ' '])
            .next()
            .expect("an address")
            .to_owned()
    }

    /// Orders for the units of the writer's power.
    fn orders(&self, game: usize) -> String {
        let judge = self.judge.read().expect("a judge");
        let game: &Game = judge.game(&format!("g{game:05}")).expect("a game");
        let units = game.position.units_of(POWER);
        units
            .map(|unit| format!("{} {} H\n", unit.kind.as_str(), unit.at))
            .collect()
    }

    fn message(&mut self, from: &str, to: &str, text: &str) -> Vec<u8> {
        self.mails += 1;
        let number = self.mails;
        format!(
            "From: {from}\r\nTo: {to}\r\nSubject: mail {number}\r\nMessage-ID: <{number}@people.test>\r\n\
             Date: Tue, 05 Jan 2027 21:00:00 +0000\r\n\r\n{}",
            text.replace('\n', "\r\n")
        )
        .into_bytes()
    }

    /// Later than all mails before, earlier than anything that is due.
    fn next_hour(&self) -> Timestamp {
        hour("2027-01-05T21:00:00Z") + SignedDuration::from_secs(self.mails.into())
    }
}

fn incoming(bytes: Vec<u8>, arrived: Timestamp) -> Incoming {
    Incoming {
        bytes,
        arrived,
        envelope_from: None,
        envelope_to: None,
        oversize: false,
        signed: None,
    }
}

/// An inbox in memory: shown once.
struct Letters(Vec<FetchedMessage>);

impl Mailbox for Letters {
    fn look(&mut self) -> Result<Look, MailboxError> {
        let mails = std::mem::take(&mut self.0);
        Ok(Look {
            mails,
            complete: true,
            ..Look::default()
        })
    }

    fn done(&mut self, _: &[Handle]) -> Result<(), MailboxError> {
        Ok(())
    }

    fn reject(&mut self, handle: &Handle) -> Result<(), MailboxError> {
        panic!("{handle:?} is set aside")
    }
}
