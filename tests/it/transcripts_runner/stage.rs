//! The judge on a stage: its store is a `BTreeMap`, its random bytes are a counter, its clock is the transcript.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use dipjudge::judge::{Ids, Incoming, Judge, LogState, NewRecord, Ruling};
use dipjudge::mails::outbound::Templates;
use jiff::Timestamp;

use super::kept;
use super::post::{self, Letter};
use super::script::Mail;
use crate::memory::{self, MemoryLibrary};

/// The judge's address in every transcript.
pub(crate) const JUDGE: &str = "judge@usxx.example.org";

/// The keeper's.
pub(crate) const KEEPER: &str = "keeper@usxx.example.org";

/// More looks at the clock than this at one minute are a judge that never comes to rest.
const MOST_TICKS: usize = 200;

pub(crate) struct Stage {
    judge: Judge,
    ids: Counter,
    library: MemoryLibrary,
    now: Timestamp,
    records: Vec<NewRecord>,
    /// The mails that each address got.
    got: BTreeMap<String, Vec<Letter>>,
    /// The ids of the mails that each address sent and got.
    ids_known: BTreeMap<String, BTreeSet<String>>,
    mails_in: u32,
    /// Words by which somebody signed on: no mail may hold one.
    pub words: BTreeSet<String>,
}

/// Random bytes that are none.
#[derive(Clone, Default)]
struct Counter(u64, BTreeMap<String, u64>);

impl Ids for Counter {
    fn id(&mut self) -> [u8; 16] {
        self.0 += 1;
        let mut id = [0; 16];
        id[8..].copy_from_slice(&self.0.to_be_bytes());
        id
    }

    fn mail_id(&mut self, reader: &str) -> [u8; 16] {
        // Seeds come of one count with all else, since what was written down shows them.
        self.id();
        memory::mail_id(&mut self.1, reader)
    }

    fn user_id(&mut self, address: &str) -> [u8; 16] {
        memory::user_id(address)
    }

    fn seed(&mut self) -> [u8; 32] {
        let mut seed = [7; 32];
        seed[..16].copy_from_slice(&self.id());
        seed
    }
}

impl Stage {
    pub(crate) fn new() -> Stage {
        Stage {
            judge: Judge::new(memory::settings(JUDGE), Templates::built_in())
                .with_pictures(memory::pictures()),
            ids: Counter::default(),
            library: MemoryLibrary::default(),
            now: Timestamp::UNIX_EPOCH,
            records: Vec::new(),
            got: BTreeMap::new(),
            ids_known: BTreeMap::new(),
            mails_in: 0,
            words: BTreeSet::new(),
        }
    }

    /// The same stage once more; the judge of it is made from the records alone.
    pub(crate) fn copy(&self) -> Result<Stage, String> {
        Ok(Stage {
            judge: {
                let mut judge = replayed(&self.records)?;
                self.library.restore_memos(&mut judge);
                judge
            },
            ids: self.ids.clone(),
            library: self.library.clone(),
            now: self.now,
            records: self.records.clone(),
            got: self.got.clone(),
            ids_known: self.ids_known.clone(),
            mails_in: self.mails_in,
            words: self.words.clone(),
        })
    }

    /// Somebody writes; what the clock demanded before and demands because of it is done too.
    pub(crate) fn mail(
        &mut self,
        at: Timestamp,
        mail: &Mail,
        folder: &Path,
    ) -> Result<Vec<Letter>, String> {
        let mut sent = self.run_clock(at - jiff::SignedDuration::from_secs(1))?;
        self.go_to(at)?;
        self.mails_in += 1;
        self.words.extend(post::words(&mail.body));
        let answered = mail.answering.as_ref().and_then(|which| {
            let got = self.got.get(&which.who)?;
            got.iter()
                .rev()
                .find(|letter| letter.subject.contains(&which.subject))
        });
        let incoming = match &mail.file {
            Some(file) => {
                let path = folder.join(file);
                let bytes =
                    fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
                Incoming {
                    bytes,
                    arrived: at,
                    envelope_from: Some(mail.from.clone()),
                    envelope_to: None,
                    oversize: false,
                    signed: None,
                }
            }
            None => post::incoming(mail, at, self.mails_in, answered)?,
        };
        let header = String::from_utf8_lossy(&incoming.bytes).into_owned();
        let known = self.ids_known.entry(mail.from.clone()).or_default();
        known.extend(post::ids(&header));
        let ruling = self
            .judge
            .receive(&incoming, at, &mut self.ids, &self.library);
        sent.extend(self.take(ruling)?);
        sent.extend(self.run_clock(at)?);
        Ok(sent)
    }

    /// The time comes; everything that is due till then is done at its own minute.
    pub(crate) fn clock(&mut self, at: Timestamp) -> Result<Vec<Letter>, String> {
        let sent = self.run_clock(at)?;
        self.go_to(at)?;
        Ok(sent)
    }

    /// The judge runs again after a while; everything that is due by now is done now.
    pub(crate) fn late_clock(&mut self, at: Timestamp) -> Result<Vec<Letter>, String> {
        self.go_to(at)?;
        self.run_clock(at)
    }

    fn go_to(&mut self, at: Timestamp) -> Result<(), String> {
        if at < self.now {
            return Err(format!("time goes backwards: it was {} already", self.now));
        }
        self.now = at;
        Ok(())
    }

    fn run_clock(&mut self, until: Timestamp) -> Result<Vec<Letter>, String> {
        let mut sent = Vec::new();
        for _ in 0..MOST_TICKS {
            let Some(due) = self.judge.next_due().filter(|due| *due <= until) else {
                return Ok(sent);
            };
            let now = due.max(self.now);
            self.go_to(now)?;
            let ruling = self.judge.tick(due, now, &[], &mut self.ids, &self.library);
            let ruling = ruling.ok_or(format!("something is due at {due}, but nothing is done"))?;
            sent.extend(self.take(ruling)?);
        }
        Err(format!("the clock never comes to rest before {until}"))
    }

    /// Reads a log's state from a snapshot, as a judge does that starts.
    fn start_again(&mut self, log: &str) -> Result<(), String> {
        let snapshot = self.judge.snapshot(log);
        let snapshot = snapshot.ok_or_else(|| format!("no snapshot of {log} can be made"))?;
        let read = LogState::of_snapshot(log, &snapshot);
        let read = read.ok_or_else(|| format!("the snapshot of {log} cannot be read"))?;
        self.judge
            .take_over(read)
            .map_err(|error| error.to_string())
    }

    /// A ruling becomes true, and its mails are delivered.
    fn take(&mut self, ruling: Ruling) -> Result<Vec<Letter>, String> {
        self.judge
            .absorb(&ruling)
            .map_err(|error| error.to_string())?;
        self.library.take_in(&ruling);
        for record in &ruling.records {
            self.start_again(&record.log)?;
        }
        self.records.extend(ruling.records);
        let mut sent = Vec::new();
        for outgoing in &ruling.mails {
            let letter = Letter::read(outgoing)?;
            let known = self.ids_known.entry(letter.to.clone()).or_default();
            known.insert(letter.message_id.clone());
            // A person who has moved knows what came to him before.
            let person = self.judge.registry().by_address(&letter.to);
            let homes = person.map_or(vec![letter.to.clone()], |person| person.addresses.clone());
            let knows = |id: &String| {
                homes.iter().any(|home| {
                    let known = self.ids_known.get(home);
                    known.is_some_and(|ids| ids.contains(id))
                })
            };
            if let Some(id) = post::ids(&letter.header).find(|id| !knows(id)) {
                return Err(format!(
                    "the mail to {} refers to {id}, which he neither sent nor got",
                    letter.to
                ));
            }
            let got = self.got.entry(letter.to.clone()).or_default();
            got.push(letter.clone());
            sent.push(letter);
        }
        match kept::fault(&self.judge, &ruling.archive, &sent) {
            Some(fault) => Err(fault),
            None => Ok(sent),
        }
    }

    /// A judge that knows the records alone must know the same games and persons.
    pub(crate) fn replay_faults(&self) -> Vec<String> {
        let other = match replayed(&self.records) {
            Ok(other) => other,
            Err(error) => return vec![error],
        };
        let mut faults = Vec::new();
        for (game, again) in self.judge.games().zip(other.games()) {
            // Snapshots leave out the states before past turns.
            if game.with_last_past_alone() != again.with_last_past_alone() {
                faults.push(format!(
                    "game {} replayed from its log is not the game that was played",
                    game.name
                ));
            }
        }
        if self.judge.games().count() != other.games().count() {
            faults.push("the log does not hold the same games".to_owned());
        }
        if self.judge.registry() != other.registry() {
            faults.push("the register replayed from its log is not the same".to_owned());
        }
        if self.judge.next_due() != other.next_due() {
            faults.push("after a replay something else is due next".to_owned());
        }
        faults
    }
}

fn replayed(records: &[NewRecord]) -> Result<Judge, String> {
    let mut judge = Judge::new(memory::settings(JUDGE), Templates::built_in())
        .with_pictures(memory::pictures());
    for record in records {
        judge
            .replay(&record.log, &record.json)
            .map_err(|error| error.to_string())?;
    }
    Ok(judge)
}
