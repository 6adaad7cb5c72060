//! The judge alone, in memory: what the program does with it, in its simplest form.

use std::collections::BTreeMap;

use dipjudge::judge::{Ids, Incoming, Judge, KeeperAct, Ruling, Verdict};
use dipjudge::mails::outbound::Templates;
use jiff::{SignedDuration, Timestamp};

use super::JUDGE;
use super::play::JudgeHost;
use super::received::Received;
use crate::memory::{self, MemoryLibrary};

pub struct MemoryHost {
    pub judge: Judge,
    /// Every record, in order.
    pub records: Vec<(String, Vec<u8>)>,
    waiting: Vec<Incoming>,
    sent: Vec<Received>,
    ids: Counter,
    library: MemoryLibrary,
}

#[derive(Default)]
struct Counter(u64, BTreeMap<String, u64>);

impl Ids for Counter {
    fn id(&mut self) -> [u8; 16] {
        self.0 += 1;
        let mut id = [7; 16];
        id[..8].copy_from_slice(&self.0.to_be_bytes());
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
        self.0 += 1;
        [u8::try_from(self.0 % 251).unwrap(); 32]
    }
}

impl MemoryHost {
    pub fn new() -> MemoryHost {
        MemoryHost {
            judge: Judge::new(memory::settings(JUDGE), Templates::built_in())
                .with_pictures(memory::pictures()),
            records: Vec::new(),
            waiting: Vec::new(),
            sent: Vec::new(),
            ids: Counter::default(),
            library: MemoryLibrary::default(),
        }
    }

    fn keep(&mut self, ruling: &Ruling) {
        assert_eq!(ruling.verdict, Verdict::Done, "{:?}", ruling.notes);
        self.library.take_in(ruling);
        self.records.extend(
            ruling
                .records
                .iter()
                .map(|record| (record.log.clone(), record.json.clone())),
        );
        self.sent.extend(
            ruling
                .mails
                .iter()
                .map(|mail| Received::read(&mail.letter.bytes())),
        );
        self.judge.absorb(ruling).unwrap();
    }

    /// A second judge with the same games, which has seen no message yet.
    #[must_use]
    pub fn once_more(&self) -> MemoryHost {
        let mut again = MemoryHost::new();
        for (log, json) in &self.records {
            again.judge.replay(log, json).unwrap();
        }
        again.records.clone_from(&self.records);
        again.ids = Counter(self.ids.0, self.ids.1.clone());
        again.library = self.library.without_messages();
        again
    }

    /// What the keeper does on the command line; the answer, or why it is refused.
    pub fn keeper(&mut self, act: &KeeperAct, now: Timestamp) -> Result<String, String> {
        let ruled = self
            .judge
            .for_keeper(act, now, &mut self.ids, &self.library);
        let ruling = ruled.map_err(|refusal| refusal.to_string())?;
        self.keep(&ruling.ruling);
        Ok(ruling.said)
    }

    fn clock(&mut self, by: Timestamp, now: Timestamp) {
        for _ in 0..1000 {
            let Some(ruling) = self.judge.tick(by, now, &[], &mut self.ids, &self.library) else {
                return;
            };
            self.keep(&ruling);
        }
        panic!("the judge does not come to rest");
    }
}

impl JudgeHost for MemoryHost {
    fn post(&mut self, from: &str, to: &str, bytes: &[u8], at: Timestamp) {
        let envelope = (Some(from.to_owned()), Some(to.to_owned()));
        self.waiting.push(Incoming {
            bytes: bytes.to_vec(),
            arrived: at,
            envelope_from: envelope.0,
            envelope_to: envelope.1,
            oversize: false,
            signed: None,
        });
    }

    fn look(&mut self, at: Timestamp) {
        for mail in std::mem::take(&mut self.waiting) {
            self.clock(mail.arrived - SignedDuration::from_nanos(1), at);
            let ruling = self.judge.receive(&mail, at, &mut self.ids, &self.library);
            self.keep(&ruling);
        }
        self.clock(at, at);
    }

    fn collect(&mut self) -> Vec<Received> {
        std::mem::take(&mut self.sent)
    }
}
