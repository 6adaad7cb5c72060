//! Tests of the processor with a judge that records its calls: their order, and the state after a failure.

use std::cell::Cell;
use std::sync::{Arc, Mutex, RwLock};

use jiff::{SignedDuration, Timestamp};

use super::Processor;
use crate::clock::Clock;
use crate::daemon::backups::{BackupOutcome, DayBackup};
use crate::daemon::mail_handler::MailHandler;
use crate::daemon::memory::Memory;
use crate::daemon::notice::Notices;
use crate::daemon::set_aside::SetAsideMessage;
use crate::daemon::source::{INBOX, Mailbox, MailboxError, SPOOL, Source};
use crate::inbox::{FetchedMessage, Handle, InboxError, Look};
use dipjudge_judge::{
    Ids, Incoming, JudgeError, Library, NewRecord, Outage, Outgoing, Queue, RateLimits, Ruling,
    Settings, Snapshot, Verdict,
};
use dipjudge_mails::outbound::Templates;
use dipjudge_store::{Batch, Store};

fn at(text: &str) -> Timestamp {
    format!("2026-03-02T{text}Z").parse().unwrap()
}

/// A judge that records its calls. The text of a message says how it is ruled on.
#[derive(Default)]
struct RecordingJudge {
    told: Mutex<Vec<String>>,
    deadlines: Vec<Timestamp>,
    done: Vec<Timestamp>,
    outages: Mutex<Vec<Outage>>,
    /// Whether junk is accepted.
    lenient: bool,
}

impl RecordingJudge {
    fn tell(&self, line: String) {
        self.told.lock().unwrap().push(line);
    }
}

fn record(json: String) -> NewRecord {
    NewRecord {
        log: "kaiser".into(),
        json: json.into_bytes(),
    }
}

impl MailHandler for RecordingJudge {
    fn receive(
        &self,
        mail: &Incoming,
        now: Timestamp,
        _: &mut dyn Ids,
        library: &dyn Library,
    ) -> Ruling {
        let text = String::from_utf8(mail.bytes.clone()).unwrap();
        let mut key = [0; 32];
        key[..text.len().min(32)].copy_from_slice(&text.as_bytes()[..text.len().min(32)]);
        if library.seen(&key, Timestamp::MIN) {
            self.tell(format!("{text} again"));
            return Ruling {
                at: now,
                ..Ruling::default()
            };
        }
        self.tell(format!("{text} {}", mail.arrived.strftime("%H:%M:%S")));
        assert!(!text.contains("panic"), "on purpose");
        let mut ruling = Ruling {
            at: now,
            seen: vec![key],
            ..Ruling::default()
        };
        if text.contains("spam") {
            ruling.seen.clear();
            ruling.verdict = Verdict::Rejected("it is spam".into());
            return ruling;
        }
        if text.contains("junk") && !self.lenient {
            ruling.verdict = Verdict::Rejected("it is junk".into());
            return ruling;
        }
        ruling
            .records
            .push(record(format!("{{\"mail\":{text:?}}}")));
        ruling.mails.push(Outgoing {
            envelope_from: "judge+b@example.org".into(),
            to: "anna@example.org".into(),
            letter: format!("re {text}").into_bytes().into(),
            game: None,
            rank: 1,
        });
        ruling
    }

    fn redact(&self, text: &str, from: &str) -> String {
        text.replace(&format!("word of {from}"), "****")
    }

    /// Texts that begin with `flood` come from one sender, who may send two.
    fn queue(&self, bytes: &[u8], _: Timestamp) -> Option<Queue> {
        let text = String::from_utf8_lossy(bytes);
        let account = text.split(' ').next()?.to_owned();
        let told = self.told.lock().unwrap();
        let taken = told.iter().filter(|line| line.starts_with("flood"));
        Some(Queue {
            behind: account == "flood" && taken.count() >= 2,
            account,
        })
    }

    fn tick(
        &self,
        by: Timestamp,
        now: Timestamp,
        outages: &[Outage],
        _: &mut dyn Ids,
        _: &dyn Library,
    ) -> Option<Ruling> {
        *self.outages.lock().unwrap() = outages.to_vec();
        let due = self.next_due().filter(|due| *due <= by)?;
        self.tell(format!("process {}", due.strftime("%H:%M:%S")));
        // A deadline at this minute makes the judge panic.
        assert!(due != at("13:13:00"), "on purpose");
        Some(Ruling {
            at: now,
            records: vec![record(format!("{{\"due\":\"{due}\"}}"))],
            ..Ruling::default()
        })
    }

    fn next_due(&self) -> Option<Timestamp> {
        self.deadlines
            .iter()
            .filter(|due| !self.done.contains(due))
            .min()
            .copied()
    }

    fn snapshot(&self, _: &str) -> Option<Snapshot> {
        None
    }

    fn absorb(&mut self, ruling: &Ruling) -> Result<(), JudgeError> {
        for record in &ruling.records {
            let json: serde_json::Value = serde_json::from_slice(&record.json).unwrap();
            if let Some(due) = json["due"].as_str() {
                self.done.push(due.parse().unwrap());
            }
        }
        Ok(())
    }
}

/// An inbox in memory, which records what is set aside.
#[derive(Clone, Default)]
struct TestInbox(Arc<RwLock<InboxState>>);

#[derive(Default)]
struct InboxState {
    mails: Vec<FetchedMessage>,
    at_once: Option<usize>,
    away: bool,
    stuck: bool,
    rejected: Vec<Handle>,
}

impl TestInbox {
    fn put(&self, text: &str, arrived: Timestamp) {
        let handle = Handle::Maildir(text.into());
        let mail = FetchedMessage {
            handle,
            bytes: text.as_bytes().to_vec(),
            arrived,
            oversize: false,
        };
        self.0.write().unwrap().mails.push(mail);
    }

    fn count(&self) -> usize {
        self.0.read().unwrap().mails.len()
    }
}

fn failure(why: &str) -> MailboxError {
    let error = InboxError::Unreachable {
        server: "test".to_owned(),
        why: why.to_owned(),
    };
    error.into()
}

impl Mailbox for TestInbox {
    fn look(&mut self) -> Result<Look, MailboxError> {
        let state = self.0.read().unwrap();
        if state.away {
            return Err(failure("away"));
        }
        let n = state.at_once.unwrap_or(usize::MAX);
        let mails: Vec<FetchedMessage> = state.mails.iter().take(n).cloned().collect();
        Ok(Look {
            complete: mails.len() == state.mails.len(),
            mails,
            unreadable: Vec::new(),
        })
    }

    fn done(&mut self, handles: &[Handle]) -> Result<(), MailboxError> {
        let mut state = self.0.write().unwrap();
        if state.stuck {
            return Err(failure("stuck"));
        }
        state.mails.retain(|mail| !handles.contains(&mail.handle));
        Ok(())
    }

    fn reject(&mut self, handle: &Handle) -> Result<(), MailboxError> {
        self.0.write().unwrap().rejected.push(handle.clone());
        self.done(std::slice::from_ref(handle))
    }
}

struct Fixture {
    folder: tempfile::TempDir,
    store: Arc<Store>,
    judge: Arc<RwLock<RecordingJudge>>,
    inbox: TestInbox,
    spool: TestInbox,
}

impl Fixture {
    fn new(deadlines: &[&str]) -> Fixture {
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(Store::create(&folder.path().join("data")).unwrap());
        let judge = RecordingJudge {
            deadlines: deadlines.iter().map(|text| at(text)).collect(),
            ..RecordingJudge::default()
        };
        Fixture {
            folder,
            store,
            judge: Arc::new(RwLock::new(judge)),
            inbox: TestInbox::default(),
            spool: TestInbox::default(),
        }
    }

    fn processor(&self, now: Timestamp) -> Processor<RecordingJudge> {
        let settings = Settings {
            name: "USXX".into(),
            address: "judge@example.org".into(),
            keeper: "keeper@example.org".into(),
            timezone: "UTC".into(),
            auto_master: false,
            creators: None,
            dedication_to_create: -10,
            max_running: 0,
            bytes: 1000,
            limits: RateLimits::default(),
            authserv_id: None,
            others: Vec::new(),
        };
        let notices = Notices::new(&settings, &Templates::built_in());
        Processor::new(
            self.judge.clone(),
            self.store.clone(),
            Clock::At(now),
            notices,
        )
        .unwrap()
    }

    fn sources(&self) -> Vec<Source> {
        vec![
            Source::new(
                INBOX,
                Box::new(self.inbox.clone()),
                "the first place".into(),
            ),
            Source::new(
                SPOOL,
                Box::new(self.spool.clone()),
                "the second place".into(),
            ),
        ]
    }

    /// One step as of this time; returns the calls of the judge.
    fn step(&self, now: &str) -> Vec<String> {
        self.judge.read().unwrap().told.lock().unwrap().clear();
        let mut processor = self.processor(at(now));
        processor.step(&mut self.sources(), &|| true).unwrap();
        processor.note(at(now)).unwrap();
        self.told()
    }

    fn told(&self) -> Vec<String> {
        self.judge.read().unwrap().told.lock().unwrap().clone()
    }

    fn sent(&self) -> Vec<(String, String)> {
        let due = self.store.due(Timestamp::MAX, 99).unwrap();
        due.into_iter()
            .map(|row| (row.to, String::from_utf8(row.bytes).unwrap()))
            .collect()
    }
}

impl Fixture {
    /// Delivers all that waits, and gives the texts. One reader's mails go out one after the other.
    fn delivered(&self) -> Vec<String> {
        let mut texts = Vec::new();
        loop {
            let due = self.store.due(Timestamp::MAX, 99).unwrap();
            if due.is_empty() {
                return texts;
            }
            for mail in due {
                texts.push(String::from_utf8(mail.bytes).unwrap());
                self.store.delivered(mail.id).unwrap();
            }
        }
    }
}

#[test]
fn a_phase_is_closed_between_the_last_message_in_time_and_the_first_one_late() {
    let fixture = Fixture::new(&["18:00:00"]);
    fixture.inbox.put("late", at("18:00:01"));
    fixture.inbox.put("early", at("17:00:00"));
    fixture.spool.put("in time", at("18:00:00.9"));
    assert_eq!(
        fixture.step("19:00:00"),
        [
            "early 17:00:00",
            "in time 18:00:00",
            "process 18:00:00",
            "late 18:00:01"
        ]
    );
    assert_eq!((fixture.inbox.count(), fixture.spool.count()), (0, 0));
}

#[test]
fn who_sends_too_much_waits_behind_everybody_else_but_not_past_a_deadline() {
    let fixture = Fixture::new(&["18:00:00"]);
    for minute in 1..6 {
        let arrived = at(&format!("17:0{minute}:00"));
        fixture.inbox.put(&format!("flood {minute}"), arrived);
    }
    fixture.spool.put("ben", at("17:30:00"));
    fixture.inbox.put("flood late", at("18:00:30"));
    fixture.spool.put("anna", at("18:01:00"));
    fixture.spool.put("cleo", at("18:02:00"));
    assert_eq!(
        fixture.step("19:00:00"),
        [
            "flood 1 17:01:00",
            "flood 2 17:02:00",
            "ben 17:30:00",
            "flood 3 17:03:00",
            "flood 4 17:04:00",
            "flood 5 17:05:00",
            "process 18:00:00",
            "anna 18:01:00",
            "cleo 18:02:00",
            "flood late 18:00:30",
        ]
    );
    assert_eq!((fixture.inbox.count(), fixture.spool.count()), (0, 0));
}

#[test]
fn of_many_that_wait_behind_a_few_are_taken_before_the_inbox_is_looked_at_again() {
    let fixture = Fixture::new(&[]);
    for number in 0..60 {
        fixture
            .inbox
            .put(&format!("flood {number:02}"), at("17:00:00"));
    }
    fixture.inbox.0.write().unwrap().at_once = Some(50);
    fixture.inbox.put("ben", at("17:00:01"));
    let told = fixture.step("19:00:00");
    let place = |text: &str| told.iter().position(|line| line.starts_with(text)).unwrap();
    assert_eq!(told.len(), 61);
    // It was found when the first few had been put away.
    assert_eq!(place("ben"), 18);
    assert_eq!((place("flood 17"), place("flood 59")), (17, 60));
    assert_eq!(fixture.inbox.count(), 0);
}

#[test]
fn what_is_due_is_done_without_mail_too_and_once() {
    let fixture = Fixture::new(&["18:00:00", "17:00:00"]);
    assert_eq!(fixture.step("16:59:59"), Vec::<String>::new());
    assert_eq!(
        fixture.step("18:00:00"),
        ["process 17:00:00", "process 18:00:00"]
    );
    assert_eq!(fixture.step("18:00:00"), Vec::<String>::new());
    assert_eq!(fixture.store.record_count("kaiser").unwrap(), 2);
}

#[test]
fn while_the_inbox_is_away_nothing_is_adjudicated_but_the_spool_is_read() {
    let fixture = Fixture::new(&["18:00:00"]);
    fixture.inbox.0.write().unwrap().away = true;
    fixture.spool.put("hello", at("18:30:00"));
    assert_eq!(fixture.step("19:00:00"), ["hello 18:30:00"]);
    fixture.inbox.0.write().unwrap().away = false;
    fixture.inbox.put("in time", at("17:00:00"));
    assert_eq!(
        fixture.step("19:10:00"),
        ["in time 17:00:00", "process 18:00:00"]
    );
}

#[test]
fn an_outage_of_over_an_hour_is_told_to_the_judge() {
    let fixture = Fixture::new(&[]);
    fixture.step("17:00:00");
    fixture.inbox.0.write().unwrap().away = true;
    for minute in (0..70).step_by(10) {
        fixture.step(&format!("18:{:02}:00", minute % 60));
        if minute == 60 {
            fixture.step("19:00:00");
        }
    }
    fixture.inbox.0.write().unwrap().away = false;
    fixture.step("19:05:00");
    let outages = fixture
        .judge
        .read()
        .unwrap()
        .outages
        .lock()
        .unwrap()
        .clone();
    assert_eq!(
        outages,
        [Outage {
            from: at("18:00:00"),
            until: at("19:05:00"),
        }]
    );
}

#[test]
fn a_message_found_late_arrived_no_earlier_than_the_last_look() {
    let fixture = Fixture::new(&["18:00:00"]);
    assert_eq!(fixture.step("18:30:00"), ["process 18:00:00"]);
    fixture.inbox.put("forged", at("17:00:00"));
    assert_eq!(fixture.step("19:00:00"), ["forged 18:30:00"]);
    fixture.inbox.put("future", at("23:00:00"));
    assert_eq!(fixture.step("20:00:00"), ["future 20:00:00"]);
}

#[test]
fn a_full_inbox_is_taken_piece_by_piece_in_order() {
    let fixture = Fixture::new(&["18:00:00"]);
    fixture.inbox.0.write().unwrap().at_once = Some(2);
    for (text, hour) in [
        ("a", "17:00:00"),
        ("b", "17:30:00"),
        ("c", "17:45:00"),
        ("d", "18:10:00"),
        ("e", "18:20:00"),
    ] {
        fixture.inbox.put(text, at(hour));
    }
    fixture.spool.put("x", at("17:40:00"));
    let told = fixture.step("19:00:00");
    assert_eq!(
        told,
        [
            "a 17:00:00",
            "b 17:30:00",
            "x 17:40:00",
            "c 17:45:00",
            "process 18:00:00",
            "d 18:10:00",
            "e 18:20:00"
        ]
    );
}

#[test]
fn a_message_that_could_not_be_put_away_counts_once() {
    let fixture = Fixture::new(&[]);
    fixture.inbox.put("hello", at("17:00:00"));
    fixture.inbox.0.write().unwrap().stuck = true;
    assert_eq!(fixture.step("18:00:00"), ["hello 17:00:00"]);
    assert_eq!(fixture.step("18:01:00"), ["hello again"]);
    assert_eq!(fixture.sent().len(), 1);
}

#[test]
fn a_message_over_which_the_program_fails_is_set_aside_and_the_others_go_on() {
    let fixture = Fixture::new(&[]);
    fixture.inbox.put("panic", at("17:00:00"));
    fixture.inbox.put("hello", at("17:01:00"));
    assert_eq!(
        fixture.step("18:00:00"),
        ["panic 17:00:00", "hello 17:01:00"]
    );
    assert_eq!(
        fixture.inbox.0.read().unwrap().rejected,
        [Handle::Maildir("panic".into())]
    );
    let (to, text) = fixture
        .sent()
        .into_iter()
        .find(|(to, _)| to == "keeper@example.org")
        .unwrap();
    assert!(
        text.contains("Subject: USXX: Message 1 set aside"),
        "to {to}: {text}"
    );
    let memory = Memory::read(&fixture.store).unwrap();
    assert_eq!((memory.messages, memory.set_aside), (2, 1));
    let aside = SetAsideMessage::all(&fixture.store).unwrap();
    assert_eq!(
        (aside[0].number, aside[0].arrived, aside[0].source.as_str()),
        (1, at("17:00:00"), "inbox")
    );
    // The store keeps a readable copy; the original stays in the inbox.
    let copy = SetAsideMessage::copy(&fixture.store, 1).unwrap().unwrap();
    assert!(!copy.contains("panic"), "it has no header: {copy}");
}

#[test]
fn the_store_keeps_no_word_that_the_judge_knows_as_the_senders() {
    let fixture = Fixture::new(&[]);
    let spam = "From: anna@x.example, ben@x.example\nSubject: spam\n\nword of ben@x.example, and another\n";
    fixture.inbox.put(spam, at("17:00:00"));
    fixture.step("18:00:00");
    let copy = SetAsideMessage::copy(&fixture.store, 1).unwrap().unwrap();
    assert!(copy.ends_with("\n****, and another\n"), "{copy}");
}

/// A message is set aside; the keeper has it read again, first without and then with success.
#[test]
fn a_message_set_aside_is_read_again_past_the_mark_that_it_was_seen() {
    let fixture = Fixture::new(&[]);
    fixture.inbox.put("junk", at("17:00:00"));
    fixture.step("18:00:00");
    fixture.inbox.put("junk", at("17:00:00"));
    assert_eq!(fixture.step("18:01:00"), ["junk again"]);
    let aside = SetAsideMessage::read(&fixture.store, 1).unwrap().unwrap();
    let read_again = |hour: &str| {
        let mark = (aside.retry_mark(), b"1".to_vec());
        let batch = Batch {
            meta: vec![mark],
            ..Batch::default()
        };
        fixture.store.commit(&batch).unwrap();
        fixture.inbox.put("junk", at("17:00:00"));
        fixture.step(hour)
    };
    assert_eq!(read_again("18:02:00"), ["junk 18:01:00"]);
    let kept = SetAsideMessage::all(&fixture.store).unwrap();
    assert_eq!(
        (kept.len(), kept[0].number, kept[0].at),
        (1, 1, at("18:02:00"))
    );
    fixture.judge.write().unwrap().lenient = true;
    assert_eq!(read_again("18:03:00"), ["junk 18:02:00"]);
    assert_eq!(SetAsideMessage::all(&fixture.store).unwrap(), []);
    assert_eq!(SetAsideMessage::copy(&fixture.store, 1).unwrap(), None);
    // The mark is used up.
    fixture.inbox.put("junk", at("17:00:00"));
    assert_eq!(fixture.step("18:04:00"), ["junk again"]);
    let to: Vec<String> = fixture.sent().into_iter().map(|(to, _)| to).collect();
    assert_eq!(
        to,
        ["anna@example.org", "keeper@example.org"],
        "answered, and told once"
    );
}

#[test]
fn two_backups_that_fail_in_a_row_are_told() {
    let fixture = Fixture::new(&[]);
    let mut processor = fixture.processor(at("18:00:00"));
    let mut fail = |hour: &str| {
        processor
            .record_backup(&BackupOutcome {
                at: at(hour),
                folder: Some("backup".into()),
                backup: DayBackup::Failed("the disk is full".to_owned()),
            })
            .unwrap();
        fixture.sent().len()
    };
    assert_eq!(
        [fail("18:00:00"), fail("19:00:00"), fail("20:00:00")],
        [0, 1, 1]
    );
    let (to, text) = fixture.sent().remove(0);
    assert_eq!(to, "keeper@example.org");
    assert!(text.contains("the disk is full"), "{text}");
    assert_eq!(Memory::read(&fixture.store).unwrap().backups.failures, 3);
}

#[test]
fn a_message_set_aside_that_cannot_be_moved_is_told_once() {
    let fixture = Fixture::new(&[]);
    fixture.inbox.put("spam", at("17:00:00"));
    fixture.inbox.0.write().unwrap().stuck = true;
    fixture.step("18:00:00");
    fixture.step("18:01:00");
    fixture.inbox.0.write().unwrap().stuck = false;
    fixture.step("18:02:00");
    assert_eq!(fixture.inbox.count(), 0);
    assert_eq!(Memory::read(&fixture.store).unwrap().set_aside, 1);
    assert_eq!(fixture.sent().len(), 1);
}

#[test]
fn the_keeper_is_not_flooded() {
    let fixture = Fixture::new(&[]);
    for n in 0..40 {
        fixture.inbox.put(&format!("spam {n}"), at("17:00:00"));
    }
    fixture.step("18:00:00");
    assert_eq!(Memory::read(&fixture.store).unwrap().set_aside, 40);
    let notices = fixture.store.waiting().unwrap();
    assert_eq!(notices.len(), 5);
    assert!(notices.iter().all(|mail| mail.to == "keeper@example.org"));
}

#[test]
fn many_junk_mails_do_not_hide_a_backup_that_fails_and_stand_in_the_digest() {
    let fixture = Fixture::new(&[]);
    fixture.step("12:00:00");
    for n in 0..40 {
        fixture.inbox.put(&format!("spam {n}"), at("12:30:00"));
    }
    fixture.step("13:00:00");
    fixture.delivered();
    let mut processor = fixture.processor(at("14:00:00"));
    for _ in 0..2 {
        let outcome = BackupOutcome {
            at: at("14:00:00"),
            folder: Some("backup".into()),
            backup: DayBackup::Failed("the disk is full".to_owned()),
        };
        processor.record_backup(&outcome).unwrap();
    }
    let alarms = fixture.delivered();
    assert_eq!(alarms.len(), 1);
    assert!(alarms[0].contains("the disk is full"), "{alarms:?}");
    drop(processor);

    let next_day = at("12:00:00") + SignedDuration::from_hours(24);
    let mut processor = fixture.processor(next_day);
    for _ in 0..2 {
        processor.step(&mut fixture.sources(), &|| true).unwrap();
    }
    let digest = fixture.delivered();
    assert_eq!(digest.len(), 1, "{digest:?}");
    let text = digest[0].split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains("40 messages were set aside: numbers 1 to 40"),
        "{text}"
    );
    assert!(text.contains("failed 2 times"), "{text}");
    drop(processor);

    // A day on which nothing happens has none.
    processor_of_a_quiet_day(&fixture, next_day);
}

fn processor_of_a_quiet_day(fixture: &Fixture, day: Timestamp) {
    let mut processor = fixture.processor(day + SignedDuration::from_hours(1));
    let outcome = BackupOutcome {
        at: day,
        folder: Some("backup".into()),
        backup: DayBackup::Written(day),
    };
    processor.record_backup(&outcome).unwrap();
    drop(processor);
    fixture.delivered();
    let mut processor = fixture.processor(day + SignedDuration::from_hours(25));
    processor.step(&mut fixture.sources(), &|| true).unwrap();
    assert!(fixture.delivered().is_empty());
}

#[test]
fn a_game_that_cannot_be_adjudicated_stops_neither_mail_nor_program() {
    let fixture = Fixture::new(&["13:13:00"]);
    let mut processor = fixture.processor(at("14:00:00"));
    let stepped = processor.step(&mut fixture.sources(), &|| true).unwrap();
    assert!(stepped.fault);
    fixture.inbox.put("hello", at("14:00:00"));
    let stepped = processor.step(&mut fixture.sources(), &|| true).unwrap();
    assert_eq!((stepped.handled, stepped.fault), (1, true));
    // It was tried once, and the keeper told once.
    assert_eq!(fixture.told(), ["process 13:13:00", "hello 14:00:00"]);
    assert_eq!(
        fixture
            .store
            .waiting()
            .unwrap()
            .iter()
            .filter(|mail| mail.to == "keeper@example.org")
            .count(),
        1
    );
}

#[test]
fn asked_to_stop_it_finishes_the_message_in_hand() {
    let fixture = Fixture::new(&["18:00:00"]);
    fixture.inbox.put("a", at("17:00:00"));
    fixture.inbox.put("b", at("17:01:00"));
    let mut processor = fixture.processor(at("19:00:00"));
    let asked = Cell::new(0);
    let stepped = processor
        .step(&mut fixture.sources(), &|| {
            asked.set(asked.get() + 1);
            asked.get() < 2
        })
        .unwrap();
    assert_eq!(stepped.handled, 1);
    assert_eq!(fixture.told(), ["a 17:00:00"]);
    assert_eq!(fixture.inbox.count(), 1);
    // The rest did not count as seen.
    assert_eq!(fixture.step("19:00:00"), ["b 17:01:00", "process 18:00:00"]);
}

#[test]
fn nothing_happens_before_what_has_happened() {
    let fixture = Fixture::new(&[]);
    fixture.inbox.put("a", at("17:00:00"));
    fixture.step("19:00:00");
    let processor = fixture.processor(at("18:00:00"));
    assert_eq!(processor.now(), at("19:00:00"));
    assert_eq!(processor.memory().newest, Some(at("19:00:00")));
}

#[test]
fn a_clock_that_jumps_both_ways_loses_and_doubles_nothing() {
    let fixture = Fixture::new(&["18:00:00"]);
    fixture.inbox.put("a", at("17:00:00"));
    assert_eq!(fixture.step("17:01:00"), ["a 17:00:00"]);
    // Six hours ahead: what is due by then is done, once.
    fixture.inbox.put("b", at("23:00:00"));
    assert_eq!(fixture.step("23:01:00"), ["process 18:00:00", "b 23:00:00"]);
    // And back: what arrives now counts from the newest event on, in the order of arrival.
    fixture.inbox.put("c", at("17:02:00"));
    fixture.inbox.put("d", at("17:03:00"));
    let told = fixture.step("17:04:00");
    let names: Vec<&str> = told.iter().map(|call| &call[..1]).collect();
    assert_eq!(names, ["c", "d"], "{told:?}");
    assert_eq!(
        fixture.processor(at("17:04:00")).memory().newest,
        Some(at("23:01:00"))
    );
    assert_eq!(fixture.step("23:30:00"), [""; 0]);
    assert_eq!(fixture.store.record_count("kaiser").unwrap(), 5);
    assert_eq!((fixture.inbox.count(), fixture.sent().len()), (0, 1));
    assert_eq!(fixture.store.waiting().unwrap().len(), 4);
}

#[test]
fn looks_are_remembered_though_nothing_happens() {
    let fixture = Fixture::new(&[]);
    fixture.step("17:00:00");
    assert_eq!(
        Memory::read(&fixture.store).unwrap().looks.get(INBOX),
        Some(&at("17:00:00"))
    );
    let mut processor = fixture.processor(at("17:00:00") + SignedDuration::from_mins(10));
    processor.step(&mut fixture.sources(), &|| true).unwrap();
    assert_eq!(
        Memory::read(&fixture.store).unwrap().looks.get(SPOOL),
        Some(&at("17:10:00"))
    );
}

#[test]
fn two_copies_in_one_look_count_once() {
    let fixture = Fixture::new(&[]);
    fixture.inbox.put("hello", at("17:00:00"));
    fixture.spool.put("hello", at("17:00:01"));
    assert_eq!(fixture.step("18:00:00"), ["hello 17:00:00", "hello again"]);
    assert_eq!(fixture.sent().len(), 1);
    assert_eq!((fixture.inbox.count(), fixture.spool.count()), (0, 0));
}

#[test]
fn many_messages_are_all_kept_though_they_are_stored_in_groups() {
    let fixture = Fixture::new(&["18:00:00"]);
    for n in 0..150 {
        fixture.inbox.put(&format!("m{n}"), at("17:00:00"));
    }
    assert_eq!(fixture.step("18:30:00").len(), 151);
    assert_eq!(fixture.store.record_count("kaiser").unwrap(), 151);
    assert_eq!((fixture.inbox.count(), fixture.sent().len()), (0, 1));
    assert_eq!(fixture.store.waiting().unwrap().len(), 150);
}

#[test]
fn what_could_not_be_stored_has_not_happened() {
    let fixture = Fixture::new(&[]);
    fixture.inbox.put("hello", at("17:00:00"));
    let blobs = fixture.folder.path().join("data/blobs");
    std::fs::rename(&blobs, fixture.folder.path().join("elsewhere")).unwrap();
    let mut processor = fixture.processor(at("18:00:00"));
    assert!(processor.step(&mut fixture.sources(), &|| true).is_err());
    // The judge is ahead of the store now, and is not called again.
    assert!(processor.step(&mut fixture.sources(), &|| true).is_err());
    assert_eq!(fixture.told(), ["hello 17:00:00"]);
    assert_eq!(fixture.inbox.count(), 1);
    std::fs::rename(fixture.folder.path().join("elsewhere"), &blobs).unwrap();
    assert_eq!(fixture.step("18:00:00"), ["hello 17:00:00"]);
    assert_eq!((fixture.inbox.count(), fixture.sent().len()), (0, 1));
}
