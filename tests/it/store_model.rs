//! The store against a model in memory: whatever is done to it in whatever order, it answers as the model does.

use std::collections::{BTreeMap, BTreeSet};

use dipjudge::judge::ByName;
use dipjudge::mails::outbound::{Image, Letter, Shared};
use dipjudge::store::{Batch, NewArchived, NewMail, Store, restore};
use jiff::Timestamp;
use proptest::prelude::*;
use tempfile::TempDir;

const LOGS: [&str; 4] = ["@judge", "friday", "monday", "z"];
const PEOPLE: [&str; 3] = ["anna@x.example", "bert@x.example", "Anna@X.example"];

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

/// One thing done to the store. Numbers choose among what is there, by remainder.
#[derive(Clone, Debug)]
enum Effect {
    Commit(Change),
    Reopen,
    Deliver(usize),
    Later(usize, i64),
    GiveUp(usize),
    TryAgain(usize),
    Wake(i64),
    Rename(usize, usize),
    Drop(usize),
    ForgetSeen(i64),
    MoveToANewMachine,
}

#[derive(Clone, Debug)]
struct Change {
    at: i64,
    seen: Vec<u8>,
    records: Vec<(usize, Vec<u8>)>,
    mails: Vec<(usize, u8, i64)>,
    archive: Vec<(usize, i64, bool)>,
    meta: Vec<(u8, Vec<u8>)>,
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let length = prop_oneof![8 => 0..60_usize, 1 => 8190..8195_usize, 1 => Just(40_000_usize)];
    (length, any::<u8>()).prop_map(|(length, byte)| vec![byte; length])
}

fn change() -> impl Strategy<Value = Change> {
    (
        0..100_i64,
        prop::collection::vec(0..6_u8, 0..3),
        prop::collection::vec((0..LOGS.len(), bytes()), 0..4),
        prop::collection::vec((0..PEOPLE.len(), 0..4_u8, 0..100_i64), 0..4),
        prop::collection::vec((0..LOGS.len(), 0..100_i64, any::<bool>()), 0..2),
        prop::collection::vec((0..3_u8, bytes()), 0..3),
    )
        .prop_map(|(at, seen, records, mails, archive, meta)| Change {
            at,
            seen,
            records,
            mails,
            archive,
            meta,
        })
}

fn effect() -> impl Strategy<Value = Effect> {
    prop_oneof![
        8 => change().prop_map(Effect::Commit),
        2 => Just(Effect::Reopen),
        2 => any::<usize>().prop_map(Effect::Deliver),
        2 => (any::<usize>(), 0..100_i64).prop_map(|(which, due)| Effect::Later(which, due)),
        1 => any::<usize>().prop_map(Effect::GiveUp),
        1 => any::<usize>().prop_map(Effect::TryAgain),
        1 => (0..100_i64).prop_map(Effect::Wake),
        1 => (0..LOGS.len(), 0..LOGS.len()).prop_map(|(from, to)| Effect::Rename(from, to)),
        1 => (0..LOGS.len()).prop_map(Effect::Drop),
        1 => (0..100_i64).prop_map(Effect::ForgetSeen),
        1 => Just(Effect::MoveToANewMachine),
    ]
}

#[derive(Clone, Debug, PartialEq)]
struct Mail {
    number: usize,
    /// With which others it was written, and so lies in one file.
    batch: usize,
    to: &'static str,
    rank: u8,
    due: i64,
    attempts: u32,
}

/// Archived texts with their seconds.
type Texts = Vec<(i64, String)>;

#[derive(Default)]
struct Model {
    /// Name to records and archived texts; the name is there once either was.
    logs: BTreeMap<String, (Vec<Vec<u8>>, Texts)>,
    seen: BTreeMap<u8, i64>,
    meta: BTreeMap<u8, Vec<u8>>,
    outbox: Vec<Mail>,
    failed: Vec<Mail>,
    mails: usize,
    texts: usize,
    batches: usize,
}

impl Model {
    fn commit(&mut self, change: &Change) -> Batch {
        let mut batch = Batch {
            at: at(change.at),
            ..Batch::default()
        };
        for key in &change.seen {
            self.seen.insert(*key, change.at);
            batch.seen.push([*key; 32]);
        }
        for (log, bytes) in &change.records {
            self.logs
                .entry(LOGS[*log].to_owned())
                .or_default()
                .0
                .push(bytes.clone());
            batch.records.push((LOGS[*log].to_owned(), bytes.clone()));
        }
        for (log, second, broadcast) in &change.archive {
            let body = format!("text {}", self.texts);
            self.texts += 1;
            let texts = &mut self.logs.entry(LOGS[*log].to_owned()).or_default().1;
            texts.push((*second, body.clone()));
            texts.sort_by_key(|(second, _)| *second);
            batch.archive.push(NewArchived {
                game: LOGS[*log].to_owned(),
                reader: broadcast.then(|| body.clone()),
                at: at(*second),
                subject: "subject".to_owned(),
                by_name: ByName::Other {
                    subject: "subject".to_owned(),
                    body: body.clone(),
                },
                body,
                broadcast: *broadcast,
            });
        }
        self.batches += 1;
        for (to, rank, due) in &change.mails {
            let mail = Mail {
                number: self.mails,
                batch: self.batches,
                to: PEOPLE[*to],
                rank: *rank,
                due: *due,
                attempts: 0,
            };
            self.mails += 1;
            batch.mails.push(NewMail {
                envelope_from: "judge@judge.example".to_owned(),
                to: mail.to.to_owned(),
                letter: letter(&mail),
                rank: mail.rank,
                game: None,
                due: at(mail.due),
            });
            self.outbox.push(mail);
        }
        for (key, bytes) in &change.meta {
            self.meta.insert(*key, bytes.clone());
            batch.meta.push((key.to_string(), bytes.clone()));
        }
        batch
    }

    /// The texts of the mails that may go at `now`, told by the words of the promise, not by those of the program.
    fn due(&self, now: i64) -> Vec<Vec<u8>> {
        let same = |a: &Mail, b: &Mail| a.to.eq_ignore_ascii_case(b.to);
        let may_go = |mail: &&Mail| {
            let before = self
                .outbox
                .iter()
                .take_while(|other| other.number != mail.number);
            let mut before = before.filter(|other| same(other, mail));
            mail.due <= now && !before.any(|other| other.due <= now || other.attempts > 0)
        };
        let urgency = |mail: &Mail| {
            let line = self
                .outbox
                .iter()
                .filter(|other| same(other, mail) && other.due <= now);
            line.map(|other| other.rank).min()
        };
        let mut due: Vec<&Mail> = self.outbox.iter().filter(may_go).collect();
        due.sort_by_key(|mail| (urgency(mail), mail.number));
        due.into_iter().map(text).collect()
    }
}

fn text(mail: &Mail) -> Vec<u8> {
    let picture = picture(mail).map_or(Vec::new(), |image| image.encoded().to_vec());
    let behind = format!("{} to {}", mail.number, mail.to).into_bytes();
    [b"mail ".to_vec(), picture, behind].concat()
}

/// The mail as it is handed to the store: every third has one of two pictures among its bytes.
fn letter(mail: &Mail) -> Letter {
    let own = format!("mail {} to {}", mail.number, mail.to).into_bytes();
    let shared = picture(mail).map(|image| Shared { at: 5, image });
    Letter { own, shared }
}

fn picture(mail: &Mail) -> Option<Image> {
    let drawn = mail.number.is_multiple_of(3);
    drawn.then(|| Image::png(vec![(mail.number % 2) as u8; 300]))
}

/// The store that is tested, and its folder.
struct Tested {
    dir: TempDir,
    store: Option<Store>,
}

impl Tested {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let store = Some(Store::create(dir.path()).unwrap());
        Self { dir, store }
    }

    fn store(&self) -> &Store {
        self.store.as_ref().unwrap()
    }

    /// The store's number of the mail at this place of the outbox; both keep the order of writing.
    fn id(&self, place: usize) -> u64 {
        self.store().waiting().unwrap()[place].id
    }

    fn failed_id(&self, place: usize) -> u64 {
        self.store().failed().unwrap()[place].mail.id
    }
}

fn pick<T>(list: &[T], which: usize) -> Option<usize> {
    which.checked_rem(list.len())
}

fn do_it(effect: &Effect, model: &mut Model, tested: &mut Tested) {
    match effect {
        Effect::Commit(change) => tested.store().commit(&model.commit(change)).unwrap(),
        Effect::Reopen => {
            tested.store = None;
            tested.store = Some(Store::open(tested.dir.path()).unwrap());
        }
        Effect::Deliver(which) => {
            if let Some(place) = pick(&model.outbox, *which) {
                tested.store().delivered(tested.id(place)).unwrap();
                model.outbox.remove(place);
            }
        }
        Effect::Later(which, due) => {
            if let Some(place) = pick(&model.outbox, *which) {
                tested
                    .store()
                    .later(tested.id(place), at(0), at(*due), "450")
                    .unwrap();
                model.outbox[place].due = *due;
                model.outbox[place].attempts += 1;
            }
        }
        Effect::GiveUp(which) => {
            if let Some(place) = pick(&model.outbox, *which) {
                tested
                    .store()
                    .given_up(tested.id(place), at(9), "550")
                    .unwrap();
                model.failed.push(model.outbox.remove(place));
                model.failed.sort_by_key(|mail| mail.number);
            }
        }
        Effect::TryAgain(which) => {
            if let Some(place) = pick(&model.failed, *which) {
                tested
                    .store()
                    .try_again(tested.failed_id(place), at(50))
                    .unwrap();
                let mail = model.failed.remove(place);
                model.outbox.push(Mail {
                    due: 50,
                    attempts: 0,
                    ..mail
                });
                model.outbox.sort_by_key(|mail| mail.number);
            }
        }
        Effect::Wake(now) => {
            tested
                .store()
                .wake(at(*now), &|to| to.starts_with('a'))
                .unwrap();
            for mail in &mut model.outbox {
                if mail.attempts > 0 && mail.due > *now && mail.to.starts_with('a') {
                    mail.due = *now;
                }
            }
        }
        Effect::Rename(from, to) => {
            let (from, to) = (LOGS[*from], LOGS[*to]);
            let done = tested.store().rename_log(from, to).is_ok();
            assert_eq!(
                done,
                model.logs.contains_key(from) && !model.logs.contains_key(to)
            );
            if done {
                let log = model.logs.remove(from).unwrap();
                model.logs.insert(to.to_owned(), log);
            }
        }
        Effect::Drop(log) => {
            let done = tested.store().drop_log(LOGS[*log]).is_ok();
            assert_eq!(done, model.logs.remove(LOGS[*log]).is_some());
        }
        Effect::ForgetSeen(second) => {
            let forgotten = tested
                .store()
                .forget_seen(at(second + 60 * 24 * 3600))
                .unwrap();
            let before = model.seen.len();
            model.seen.retain(|_, at| *at >= *second);
            assert_eq!(forgotten, before - model.seen.len());
        }
        Effect::MoveToANewMachine => {
            let mut backup = Vec::new();
            tested.store().backup(&mut backup).unwrap();
            let dir = tempfile::tempdir().unwrap();
            restore(dir.path(), &mut &backup[..]).unwrap();
            let store = Some(Store::create(dir.path()).unwrap());
            // The store goes before its folder.
            tested.store = store;
            tested.dir = dir;
            model.batches += 1;
            for mail in model.outbox.iter_mut().chain(&mut model.failed) {
                mail.batch = model.batches;
            }
        }
    }
}

fn compare(model: &Model, store: &Store) {
    let logs: Vec<_> = model
        .logs
        .iter()
        .filter(|(_, log)| !log.0.is_empty())
        .map(|(name, _)| name)
        .collect();
    assert_eq!(store.logs().unwrap().iter().collect::<Vec<_>>(), logs);
    for name in LOGS {
        let (records, texts) = model.logs.get(name).cloned().unwrap_or_default();
        let found: Vec<_> = store.records(name).unwrap().map(Result::unwrap).collect();
        assert_eq!(found, records, "{name}");
        let archive = store.archive(name, at(20), at(80)).unwrap();
        let found: Vec<_> = archive
            .into_iter()
            .map(|text| {
                let reader = text.broadcast.then(|| text.body.clone());
                assert_eq!(text.reader, reader, "{name}");
                let by_name = ByName::Other {
                    subject: "subject".to_owned(),
                    body: text.body.clone(),
                };
                assert_eq!(text.by_name, by_name, "{name}");
                (text.at.as_second(), text.body)
            })
            .collect();
        let texts: Vec<_> = texts
            .into_iter()
            .filter(|(second, _)| (20..=80).contains(second))
            .collect();
        assert_eq!(found, texts, "{name}");
    }
    for key in 0..6 {
        for since in [0, 50, 99] {
            let seen = model.seen.get(&key).is_some_and(|at| *at >= since);
            assert_eq!(store.seen(&[key; 32], at(since)).unwrap(), seen);
        }
    }
    for key in 0..3 {
        assert_eq!(
            store.meta(&key.to_string()).unwrap().as_ref(),
            model.meta.get(&key)
        );
    }
    assert_eq!(store.queue_len().unwrap(), model.outbox.len());
    assert_eq!(store.failed().unwrap().len(), model.failed.len());
    for now in [0, 30, 60, 99] {
        let due = store.due(at(now), usize::MAX).unwrap();
        let found: Vec<_> = due.into_iter().map(|row| row.bytes).collect();
        assert_eq!(found.len(), model.due(now).len());
        assert_eq!(found, model.due(now));
        let next = store.next_due().unwrap();
        assert_eq!(next.is_some_and(|next| next <= at(now)), !found.is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_store_answers_as_the_model_does(effects in prop::collection::vec(effect(), 1..24)) {
        let (mut model, mut tested) = (Model::default(), Tested::new());
        for effect in &effects {
            do_it(effect, &mut model, &mut tested);
            compare(&model, tested.store());
        }
        do_it(&Effect::Reopen, &mut model, &mut tested);
        compare(&model, tested.store());
        let files = std::fs::read_dir(tested.dir.path().join("blobs")).unwrap().count();
        if model.logs.is_empty() && model.meta.is_empty() {
            let mails = model.outbox.iter().chain(&model.failed);
            let batches: BTreeSet<usize> = mails.map(|mail| mail.batch).collect();
            assert_eq!(files, batches.len());
        }
    }
}
