//! What the store promises: what is committed is there after it is opened again, each thing once and in order.

use std::fs;
use std::io::BufReader;
use std::path::Path;

use dipjudge::judge::{ByName, MemoChange};
use dipjudge::mails::outbound::{Image, Letter, Shared};
use dipjudge::store::{
    Archived, Batch, MailForm, NewArchived, NewMail, OutboxMail, Store, StoreError, restore,
};
use jiff::Timestamp;
use tempfile::TempDir;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn mail(to: &str, text: &str, rank: u8, due: i64) -> NewMail {
    NewMail {
        envelope_from: "judge+bounce@judge.example".to_owned(),
        to: to.to_owned(),
        letter: text.as_bytes().to_vec().into(),
        rank,
        game: None,
        due: at(due),
    }
}

fn archived(game: &str, second: i64, body: &str) -> NewArchived {
    NewArchived {
        game: game.to_owned(),
        reader: (second % 3 == 0).then(|| format!("reader {second}")),
        at: at(second),
        subject: format!("USXX:{game}"),
        body: body.to_owned(),
        by_name: ByName::Same,
        broadcast: second % 2 == 0,
    }
}

fn records(pairs: &[(&str, &str)]) -> Batch {
    Batch {
        records: pairs
            .iter()
            .map(|(log, text)| (log.to_string(), text.as_bytes().into()))
            .collect(),
        ..Batch::default()
    }
}

fn mails(mails: Vec<NewMail>) -> Batch {
    Batch {
        mails,
        ..Batch::default()
    }
}

/// A mail to each of two people.
fn two_mails(first: &str, second: &str) -> Batch {
    mails(vec![
        mail("a@x.example", first, 1, 0),
        mail("b@x.example", second, 1, 0),
    ])
}

fn log(store: &Store, name: &str) -> Vec<String> {
    let records = store.records(name).unwrap();
    records
        .map(|record| String::from_utf8(record.unwrap()).unwrap())
        .collect()
}

fn due_to(rows: &[OutboxMail]) -> Vec<&str> {
    rows.iter().map(|row| row.to.as_str()).collect()
}

fn blobs(dir: &Path) -> usize {
    fs::read_dir(dir.join("blobs")).unwrap().count()
}

fn open() -> (TempDir, Store) {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::create(dir.path()).unwrap();
    (dir, store)
}

/// A store with something of everything in it, large and small, text and not.
fn furnish(store: &Store) {
    store
        .commit(&Batch {
            at: at(1000),
            seen: vec![[1; 32], [2; 32]],
            records: vec![
                (
                    "friday".to_owned(),
                    b"{\"v\":1,\"made\":\"friday\"}".to_vec(),
                ),
                ("@judge".to_owned(), vec![0xff, 0x00, 0x0a]),
                ("friday".to_owned(), vec![b'x'; 40_000]),
            ],
            mails: vec![
                mail("anna@x.example", "Subject: one\r\n\r\nHello", 1, 1000),
                mail("bert@x.example", &"long ".repeat(10_000), 0, 1000),
                mail("gone@x.example", "never taken", 0, 1000),
            ],
            archive: vec![
                archived("friday", 1000, "Broadcast: hello\nto all"),
                archived("friday", 1001, &"Movement results. ".repeat(1000)),
                archived("onlyheard", 5, "a game without a log"),
            ],
            meta: vec![
                ("deadline index".to_owned(), b"[]".to_vec()),
                ("cache".to_owned(), vec![0xfe; 20_000]),
            ],
            forget: Vec::new(),
            memos: Vec::new(),
        })
        .unwrap();
    let rows = store.due(at(1000), 9).unwrap();
    let id = |to: &str| rows.iter().find(|row| row.to == to).unwrap().id;
    store
        .later(
            id("anna@x.example"),
            at(1001),
            at(1061),
            "451 4.7.1 greylisted",
        )
        .unwrap();
    store
        .given_up(id("gone@x.example"), at(1002), "550 5.1.1 no such user")
        .unwrap();
}

/// Everything that can be read out of a store, as text.
fn contents(store: &Store) -> String {
    let mut out = String::new();
    for name in store.logs().unwrap() {
        let all: Vec<_> = store.records(&name).unwrap().map(Result::unwrap).collect();
        out += &format!("{name} {} {all:?}\n", store.record_count(&name).unwrap());
    }
    for game in ["friday", "onlyheard"] {
        out += &format!("{:?}\n", store.archive(game, at(0), at(9999)).unwrap());
    }
    for key in [1, 2, 3] {
        out += &format!("{}", store.seen(&[key; 32], at(1000)).unwrap());
    }
    for key in ["deadline index", "cache"] {
        out += &format!("{:?}\n", store.meta(key).unwrap());
    }
    for mut row in store.due(at(9999), 99).unwrap() {
        row.id = 0;
        out += &format!("{row:?}\n");
    }
    for mut failed in store.failed().unwrap() {
        let text = store.failed_text(failed.mail.id).unwrap();
        failed.mail.id = 0;
        out += &format!("{failed:?} {text:?}\n");
    }
    out
}

#[test]
fn everything_is_still_there_after_opening_again() {
    let (dir, store) = open();
    furnish(&store);
    let before = contents(&store);
    drop(store);
    let store = Store::open(dir.path()).unwrap();
    assert_eq!(contents(&store), before);
    assert_eq!(store.logs().unwrap(), ["@judge", "friday"]);
    assert_eq!(store.record_count("friday").unwrap(), 2);
    assert_eq!(
        (store.queue_len().unwrap(), store.failed().unwrap().len()),
        (2, 1)
    );
}

#[test]
fn two_processes_cannot_open_one_store() {
    let (dir, store) = open();
    let second = Store::open(dir.path()).unwrap_err();
    assert!(matches!(second, StoreError::Busy { .. }));
    assert!(second.to_string().contains("the daemon is running"));
    drop(store);
    Store::open(dir.path()).unwrap();
}

#[test]
fn each_log_keeps_its_own_order_over_many_batches() {
    let (dir, store) = open();
    store
        .commit(&records(&[
            ("friday", "a"),
            ("monday", "1"),
            ("friday", "b"),
        ]))
        .unwrap();
    store
        .commit(&records(&[("monday", "2"), ("friday", "c")]))
        .unwrap();
    drop(store);
    let store = Store::open(dir.path()).unwrap();
    store.commit(&records(&[("friday", "d")])).unwrap();
    assert_eq!(log(&store, "friday"), ["a", "b", "c", "d"]);
    assert_eq!(log(&store, "monday"), ["1", "2"]);
    assert_eq!(log(&store, "nobody"), [""; 0]);
}

#[test]
fn a_key_is_seen_from_its_last_time_on_and_forgotten_after_sixty_days() {
    let (_dir, store) = open();
    let day = 24 * 3600;
    let seen = |key: u8, second| Batch {
        at: at(second),
        seen: vec![[key; 32]],
        ..Batch::default()
    };
    store.commit(&seen(1, 100)).unwrap();
    store.commit(&seen(2, 200)).unwrap();
    assert!(store.seen(&[1; 32], at(0)).unwrap());
    assert!(store.seen(&[1; 32], at(100)).unwrap());
    assert!(
        !store.seen(&[1; 32], at(101)).unwrap(),
        "outside the window of ten minutes, say"
    );
    assert!(!store.seen(&[3; 32], at(0)).unwrap());
    store.commit(&seen(1, 300)).unwrap();
    assert!(store.seen(&[1; 32], at(101)).unwrap());
    assert_eq!(store.forget_seen(at(200 + 60 * day)).unwrap(), 0);
    assert_eq!(store.forget_seen(at(201 + 60 * day)).unwrap(), 1);
    assert!(store.seen(&[1; 32], at(0)).unwrap());
    assert!(!store.seen(&[2; 32], at(0)).unwrap());
}

#[test]
fn the_archive_gives_what_lies_between_two_times_both_included() {
    let (_dir, store) = open();
    let texts: Vec<_> = [(30, "c"), (10, "a"), (20, "b"), (20, "b2")]
        .map(|(second, body)| archived("friday", second, body))
        .into();
    store
        .commit(&Batch {
            archive: texts,
            ..Batch::default()
        })
        .unwrap();
    store
        .commit(&Batch {
            archive: vec![archived("monday", 20, "other")],
            ..Batch::default()
        })
        .unwrap();
    let bodies = |from, to| -> Vec<String> {
        let texts: Vec<Archived> = store.archive("friday", at(from), at(to)).unwrap();
        texts.into_iter().map(|text| text.body).collect()
    };
    assert_eq!(bodies(0, 99), ["a", "b", "b2", "c"]);
    assert_eq!(bodies(10, 20), ["a", "b", "b2"]);
    assert_eq!(bodies(11, 19), [""; 0]);
    assert_eq!(bodies(20, 10), [""; 0]);
    let later = at(20)
        .checked_add(jiff::SignedDuration::from_nanos(1))
        .unwrap();
    assert_eq!(store.archive("friday", later, at(29)).unwrap(), []);
    let readers = store.archive("friday", at(0), at(99)).unwrap();
    let readers: Vec<Option<String>> = readers.into_iter().map(|text| text.reader).collect();
    assert_eq!(readers, [None, None, None, Some("reader 30".to_owned())]);
}

#[test]
fn memos_are_kept_with_what_they_belong_to_and_are_in_no_backup() {
    let (dir, store) = open();
    let memos = |memos: &[(&str, Option<&str>)]| Batch {
        memos: memos
            .iter()
            .map(|(name, text)| MemoChange {
                name: (*name).to_owned(),
                content: text.map(|text| text.as_bytes().to_vec()),
            })
            .collect(),
        ..Batch::default()
    };
    store
        .commit(&memos(&[("a", Some("1")), ("b", Some("2"))]))
        .unwrap();
    store
        .commit(&memos(&[("a", Some("3")), ("b", None), ("c", Some("4"))]))
        .unwrap();
    drop(store);
    let store = Store::open(dir.path()).unwrap();
    let kept = [("a", "3"), ("c", "4")].map(|(name, n)| (name.to_owned(), n.as_bytes().to_vec()));
    assert_eq!(store.memos().unwrap(), kept);
    let mut backup = Vec::new();
    store.backup(&mut backup).unwrap();
    let target = tempfile::tempdir().unwrap();
    restore(target.path(), &mut backup.as_slice()).unwrap();
    let restored = Store::open(target.path()).unwrap();
    assert_eq!(restored.memos().unwrap(), []);
}

#[test]
fn a_store_of_an_earlier_form_is_refused_in_words_and_left_alone() {
    let (dir, store) = open();
    drop(store);
    let version = |write: Option<u64>| {
        let db = sled::Config::new().path(dir.path().join("sled"));
        let own = db.open().unwrap().open_tree("own").unwrap();
        if let Some(number) = write {
            own.insert("version", &number.to_be_bytes()).unwrap();
            own.flush().unwrap();
        }
        own.get("version").unwrap().unwrap().to_vec()
    };
    version(Some(1));
    let error = Store::open(dir.path()).unwrap_err();
    assert!(
        matches!(error, StoreError::Older { found: 1, known: 4 }),
        "{error}"
    );
    assert!(error.to_string().contains("reads no older one"), "{error}");
    assert_eq!(version(None), 1_u64.to_be_bytes());
}

#[test]
fn a_text_of_before_there_were_readers_is_for_everybody() {
    let row = r#"{"at":"2026-12-01T22:06:00Z","subject":"s","body":"b","broadcast":false}"#;
    let text: Archived = serde_json::from_str(row).unwrap();
    assert_eq!((&text.reader, &text.by_name), (&None, &ByName::NotKept));
    assert_eq!(serde_json::to_string(&text).unwrap(), row);
    assert!(text.is_as_sent(), "nobody knows better");
}

#[test]
fn a_text_that_was_changed_is_not_as_it_was_sent() {
    let (_dir, store) = open();
    store
        .commit(&Batch {
            at: at(5),
            archive: vec![archived("friday", 5, "Ben's army has moved.")],
            ..Batch::default()
        })
        .unwrap();
    let read = || store.archive("friday", at(0), at(9)).unwrap().remove(0);
    assert!(read().is_as_sent());
    let mut other = read();
    other.body = "Ben's army has not moved.".to_owned();
    assert!(!other.is_as_sent());
    // Whoever is forgotten goes out of what was sent to others.
    let forget = |row: &str| row.contains("Ben").then(|| row.replace("Ben", "Somebody"));
    store.rewrite(&forget).unwrap();
    let after = read();
    assert_eq!(after.body, "Somebody's army has moved.");
    assert!(after.is_as_sent());
}

#[test]
fn a_mail_stays_until_it_is_delivered_with_the_same_bytes_and_its_text_goes_with_it() {
    let (dir, store) = open();
    let text = "Message-ID: <1@judge.example>\r\n\r\nbody";
    store
        .commit(&Batch {
            at: at(5),
            mails: vec![mail("a@x.example", text, 1, 10)],
            ..Batch::default()
        })
        .unwrap();
    assert_eq!(store.due(at(9), 9).unwrap(), []);
    assert_eq!(store.next_due().unwrap(), Some(at(10)));
    let first = store.due(at(10), 9).unwrap().remove(0);
    assert_eq!(
        (first.attempts, first.first_tried, first.created),
        (0, None, at(5))
    );
    store
        .later(first.id, at(11), at(71), "connection refused")
        .unwrap();
    store
        .later(first.id, at(72), at(372), "connection refused")
        .unwrap();
    drop(store);
    let store = Store::open(dir.path()).unwrap();
    assert_eq!(store.next_due().unwrap(), Some(at(372)));
    let again = store.due(at(372), 9).unwrap().remove(0);
    assert_eq!((again.attempts, again.first_tried), (2, Some(at(11))));
    assert_eq!(
        (again.id, again.bytes),
        (first.id, text.as_bytes().to_vec())
    );
    assert_eq!(
        store.waiting().unwrap().remove(0).why.as_deref(),
        Some("connection refused")
    );
    store.delivered(again.id).unwrap();
    assert_eq!(
        (store.queue_len().unwrap(), store.next_due().unwrap()),
        (0, None)
    );
    assert_eq!(blobs(dir.path()), 0);
    assert!(matches!(
        store.delivered(again.id),
        Err(StoreError::NoSuchMail(_))
    ));
}

#[test]
fn mails_to_one_recipient_go_one_after_another_and_the_urgent_ones_first() {
    let (_dir, store) = open();
    store
        .commit(&mails(vec![
            mail("a@x.example", "reminder", 3, 0),
            mail("b@x.example", "answer", 1, 0),
            mail("A@x.example", "second to a", 2, 0),
            mail("c@x.example", "result", 0, 0),
        ]))
        .unwrap();
    let rows = store.due(at(0), 9).unwrap();
    assert_eq!(due_to(&rows), ["c@x.example", "b@x.example", "a@x.example"]);
    assert_eq!(
        due_to(&store.due(at(0), 2).unwrap()),
        ["c@x.example", "b@x.example"]
    );
    store
        .later(rows[2].id, at(0), at(60), "450 try later")
        .unwrap();
    assert_eq!(
        due_to(&store.due(at(1), 9).unwrap()),
        ["c@x.example", "b@x.example"]
    );
    assert_eq!(
        store.wake(at(1), &|to| to.ends_with("@y.example")).unwrap(),
        0
    );
    assert_eq!(
        store.wake(at(1), &|to| to.ends_with("@x.example")).unwrap(),
        1
    );
    let rows = store.due(at(1), 9).unwrap();
    assert_eq!(due_to(&rows), ["c@x.example", "b@x.example", "a@x.example"]);
    store.delivered(rows[2].id).unwrap();
    assert_eq!(
        due_to(&store.due(at(1), 9).unwrap()),
        ["c@x.example", "b@x.example", "A@x.example"]
    );
}

#[test]
fn a_mail_given_up_is_kept_for_the_keeper_and_can_be_tried_again_or_forgotten() {
    let (dir, store) = open();
    store.commit(&two_mails("one", "two")).unwrap();
    for row in store.due(at(0), 9).unwrap() {
        store.given_up(row.id, at(7), "550 no such user").unwrap();
    }
    assert_eq!(store.due(at(99), 9).unwrap(), []);
    let failed = store.failed().unwrap();
    assert_eq!(failed[0].at, at(7));
    assert_eq!(failed[0].mail.why.as_deref(), Some("550 no such user"));
    assert_eq!(store.failed_text(failed[1].mail.id).unwrap(), b"two");
    store.try_again(failed[0].mail.id, at(50)).unwrap();
    store.forget(failed[1].mail.id).unwrap();
    assert_eq!(store.failed().unwrap(), []);
    let rows = store.due(at(50), 9).unwrap();
    assert_eq!((due_to(&rows), rows[0].attempts), (vec!["a@x.example"], 0));
    assert_eq!(blobs(dir.path()), 1);
}

#[test]
fn a_mail_that_is_not_wanted_whole_is_kept_whole() {
    let (dir, store) = open();
    store
        .commit(&mails(vec![mail("a@x.example", "with a picture", 1, 0)]))
        .unwrap();
    let row = store.due(at(0), 1).unwrap().remove(0);
    assert_eq!(row.form, MailForm::Whole);
    store
        .later_in_form(
            row.id,
            at(0),
            at(1),
            "552 too large",
            MailForm::WithoutPicture,
        )
        .unwrap();
    let row = store.due(at(1), 1).unwrap().remove(0);
    assert_eq!(row.form, MailForm::WithoutPicture);
    assert_eq!(row.bytes, b"with a picture");
    assert_eq!(blobs(dir.path()), 1);
    store.whole_again().unwrap();
    assert_eq!(store.due(at(1), 1).unwrap()[0].form, MailForm::Whole);
}

#[test]
fn what_is_given_up_stays_a_month_and_can_be_brought_back() {
    const DAY: i64 = 24 * 60 * 60;
    let (dir, store) = open();
    store.commit(&two_mails("one", "two")).unwrap();
    for row in store.due(at(0), 9).unwrap() {
        store
            .later_in_form(row.id, at(0), at(0), "554 no", MailForm::TextAlone)
            .unwrap();
        store.given_up(row.id, at(0), "554 no").unwrap();
    }
    assert_eq!(store.forget_failed(at(30 * DAY)).unwrap(), 0);
    assert_eq!(store.try_all_again(at(30 * DAY)).unwrap(), 2);
    assert_eq!(store.failed().unwrap(), []);
    let rows = store.due(at(30 * DAY), 9).unwrap();
    assert_eq!(due_to(&rows), ["a@x.example", "b@x.example"]);
    for row in rows {
        assert_eq!((row.attempts, row.form), (0, MailForm::Whole));
        store.given_up(row.id, at(30 * DAY), "554 no").unwrap();
    }
    assert_eq!(store.forget_failed(at(61 * DAY)).unwrap(), 2);
    assert_eq!(store.try_all_again(at(61 * DAY)).unwrap(), 0);
    assert_eq!((store.failed().unwrap(), blobs(dir.path())), (vec![], 0));
}

#[test]
fn a_mail_whose_text_is_lost_does_not_hold_up_the_others() {
    let (dir, store) = open();
    store
        .commit(&mails(vec![mail("a@x.example", "lost", 0, 0)]))
        .unwrap();
    for entry in fs::read_dir(dir.path().join("blobs")).unwrap() {
        fs::remove_file(entry.unwrap().path()).unwrap();
    }
    store
        .commit(&mails(vec![mail("b@x.example", "fine", 1, 0)]))
        .unwrap();
    assert_eq!(due_to(&store.due(at(0), 9).unwrap()), ["b@x.example"]);
    let failed = store.failed().unwrap();
    assert_eq!(failed[0].mail.to, "a@x.example");
    assert!(failed[0].mail.why.as_deref().unwrap().contains("missing"));
}

#[test]
fn equal_texts_share_a_file_until_the_last_holder_goes() {
    let (dir, store) = open();
    store.commit(&two_mails("same", "same")).unwrap();
    assert_eq!(blobs(dir.path()), 1);
    let rows = store.due(at(0), 9).unwrap();
    store.delivered(rows[0].id).unwrap();
    assert_eq!(store.due(at(0), 9).unwrap()[0].bytes, b"same");
    store.delivered(rows[1].id).unwrap();
    assert_eq!(blobs(dir.path()), 0);
}

/// A mail with a picture among its bytes.
fn mail_with(picture: &Image, to: &str) -> NewMail {
    let shared = Shared {
        at: 3,
        image: picture.clone(),
    };
    NewMail {
        letter: Letter {
            own: format!("to {to}").into_bytes(),
            shared: Some(shared),
        },
        ..mail(to, "", 1, 0)
    }
}

#[test]
fn a_picture_that_mails_share_is_stored_once_and_goes_with_the_last_of_them() {
    let (dir, store) = open();
    let picture = Image::png(vec![7; 30_000]);
    let drawn = picture.encoded().len() as u64;
    let of_batch = |names: [&str; 2]| mails(names.map(|name| mail_with(&picture, name)).to_vec());
    let stored = || -> u64 {
        let files = fs::read_dir(dir.path().join("blobs")).unwrap();
        files
            .map(|file| file.unwrap().metadata().unwrap().len())
            .sum()
    };
    store
        .commit(&of_batch(["a@x.example", "b@x.example"]))
        .unwrap();
    store
        .commit(&of_batch(["c@x.example", "d@x.example"]))
        .unwrap();
    assert!((drawn..drawn + 200).contains(&stored()), "{}", stored());
    let mut copy = Vec::new();
    store.backup(&mut copy).unwrap();
    assert!((copy.len() as u64) < 2 * drawn, "in a backup too");
    let other = tempfile::tempdir().unwrap();
    let place = other.path().join("store");
    restore(&place, &mut copy.as_slice()).unwrap();

    for store in [store, Store::open(&place).unwrap()] {
        let rows = store.due(at(0), 9).unwrap();
        assert_eq!(rows.len(), 4);
        for row in &rows {
            let whole = [b"to ", &picture.encoded()[..], row.to.as_bytes()].concat();
            assert_eq!(row.bytes, whole);
        }
        store
            .later_in_form(
                rows[0].id,
                at(0),
                at(1),
                "552 too large",
                MailForm::TextAlone,
            )
            .unwrap();
        store.given_up(rows[1].id, at(0), "550 no").unwrap();
        store.delivered_all(&[rows[2].id, rows[3].id]).unwrap();
        assert!(store.failed_text(rows[1].id).unwrap().len() as u64 > drawn);
        store.forget(rows[1].id).unwrap();
        let rows = store.due(at(1), 9).unwrap();
        assert!(
            rows[0].bytes.len() as u64 > drawn,
            "the store has the whole"
        );
        store.delivered(rows[0].id).unwrap();
    }
    assert_eq!(blobs(dir.path()) + blobs(&place), 0);
}

#[test]
fn mails_written_together_lie_in_one_file_until_the_last_is_gone_and_keep_no_other_value() {
    let (dir, store) = open();
    let texts = ["one", "two", "three"];
    let mails = texts.map(|text| mail(&format!("{text}@x.example"), text, 1, 0));
    let large = vec![("k".to_owned(), vec![1; 20_000])];
    store
        .commit(&Batch {
            mails: mails.to_vec(),
            meta: large,
            ..Batch::default()
        })
        .unwrap();
    assert_eq!(blobs(dir.path()), 2);
    drop(store);
    let store = Store::open(dir.path()).unwrap();
    for text in texts {
        assert_eq!(blobs(dir.path()), 2);
        let to = format!("{text}@x.example");
        let rows = store.due(at(0), 9).unwrap();
        let row = rows.iter().find(|row| row.to == to).unwrap();
        assert_eq!(row.bytes, text.as_bytes());
        store.delivered(row.id).unwrap();
    }
    assert_eq!(blobs(dir.path()), 1);
    assert_eq!(store.meta("k").unwrap().unwrap(), [1; 20_000]);
}

#[test]
fn the_last_value_of_a_key_counts_and_the_file_of_the_one_before_goes() {
    let (dir, store) = open();
    let put = |values: &[&[u8]]| {
        let meta = values
            .iter()
            .map(|value| ("k".to_owned(), value.to_vec()))
            .collect();
        store
            .commit(&Batch {
                meta,
                ..Batch::default()
            })
            .unwrap();
    };
    put(&[&[1; 20_000]]);
    put(&[&[2; 20_000], &[3; 20_000]]);
    assert_eq!(store.meta("k").unwrap().unwrap(), [3; 20_000]);
    assert_eq!(blobs(dir.path()), 1);
    put(&[b"small"]);
    assert_eq!(store.meta("k").unwrap().unwrap(), b"small");
    assert_eq!((blobs(dir.path()), store.meta("none").unwrap()), (0, None));
}

#[test]
fn a_game_keeps_its_log_and_archive_under_a_new_name() {
    let (dir, store) = open();
    furnish(&store);
    let (before, texts) = (
        log_bytes(&store, "friday"),
        store.archive("friday", at(0), at(9999)),
    );
    assert!(matches!(
        store.rename_log("friday", "@judge"),
        Err(StoreError::NameTaken(_))
    ));
    assert!(matches!(
        store.rename_log("nobody", "new"),
        Err(StoreError::NoSuchLog(_))
    ));
    store.rename_log("friday", "saturday").unwrap();
    drop(store);
    let store = Store::open(dir.path()).unwrap();
    assert_eq!(log_bytes(&store, "friday"), Vec::<Vec<u8>>::new());
    assert_eq!(log_bytes(&store, "saturday"), before);
    assert_eq!(
        store.archive("saturday", at(0), at(9999)).unwrap(),
        texts.unwrap()
    );
}

fn log_bytes(store: &Store, name: &str) -> Vec<Vec<u8>> {
    store.records(name).unwrap().map(Result::unwrap).collect()
}

#[test]
fn a_dropped_game_leaves_nothing_behind_and_its_name_is_free() {
    let (dir, store) = open();
    for _ in 0..3 {
        let many = (0..400).map(|number| ("big".to_owned(), format!("{number}").into_bytes()));
        store
            .commit(&Batch {
                records: many.collect(),
                ..Batch::default()
            })
            .unwrap();
    }
    let large = Batch {
        records: vec![("big".to_owned(), vec![7; 50_000])],
        archive: vec![archived("big", 1, &"long ".repeat(5000))],
        ..records(&[])
    };
    store.commit(&large).unwrap();
    store.commit(&records(&[("small", "stays")])).unwrap();
    assert_eq!(blobs(dir.path()), 2);
    store.drop_log("big").unwrap();
    assert_eq!(
        (store.logs().unwrap(), blobs(dir.path())),
        (vec!["small".to_owned()], 0)
    );
    assert!(matches!(
        store.drop_log("big"),
        Err(StoreError::NoSuchLog(_))
    ));
    store.commit(&records(&[("big", "new")])).unwrap();
    assert_eq!(log(&store, "big"), ["new"]);
    assert_eq!(store.archive("big", at(0), at(9)).unwrap(), []);
}

#[test]
fn a_backup_taken_while_open_restores_to_the_same_and_backs_up_to_the_same() {
    let (_dir, store) = open();
    furnish(&store);
    let mut backup = Vec::new();
    store.backup(&mut backup).unwrap();
    let text = String::from_utf8(backup.clone()).unwrap();
    assert!(
        text.lines()
            .all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok())
    );

    let target = tempfile::tempdir().unwrap();
    restore(target.path(), &mut BufReader::new(&backup[..])).unwrap();
    let restored = Store::open(target.path()).unwrap();
    assert_eq!(contents(&restored), contents(&store));
    let mut again = Vec::new();
    restored.backup(&mut again).unwrap();
    assert_eq!(String::from_utf8(again).unwrap(), text);

    restored.commit(&records(&[("friday", "goes on")])).unwrap();
    assert_eq!(restored.record_count("friday").unwrap(), 3);
}

#[test]
fn a_backup_is_restored_into_an_empty_folder_only() {
    let (dir, store) = open();
    let mut backup = Vec::new();
    store.backup(&mut backup).unwrap();
    drop(store);
    let refused = restore(dir.path(), &mut &backup[..]);
    assert!(matches!(refused, Err(StoreError::NotEmpty { .. })));
    restore(&dir.path().join("new/place"), &mut &backup[..]).unwrap();
}

#[test]
fn a_backup_that_was_cut_or_changed_is_refused_and_the_folder_left_empty() {
    let (_dir, store) = open();
    furnish(&store);
    let mut backup = Vec::new();
    store.backup(&mut backup).unwrap();
    let text = String::from_utf8(backup).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let without = |number: usize| -> String {
        let rest = lines.iter().enumerate().filter(|(line, _)| *line != number);
        rest.map(|(_, line)| format!("{line}\n")).collect()
    };
    let faulty = [
        ("nothing", String::new()),
        ("the first half", text[..text.len() / 2].to_owned()),
        ("whole lines missing at the end", without(lines.len() - 1)),
        ("a line missing", without(2)),
        ("no first line", without(0)),
        ("a changed word", text.replace("greylisted", "graylisted")),
        ("something after the end", format!("{text}\n")),
        ("no backup at all", "From: anna\n".to_owned()),
    ];
    for (what, text) in faulty {
        let target = tempfile::tempdir().unwrap();
        let error = restore(target.path(), &mut text.as_bytes()).unwrap_err();
        assert!(
            matches!(error, StoreError::BadBackup { .. }),
            "{what}: {error}"
        );
        assert_eq!(fs::read_dir(target.path()).unwrap().count(), 0, "{what}");
    }
    let newer = text.replacen("\"format\":2", "\"format\":3", 1);
    let target = tempfile::tempdir().unwrap();
    let error = restore(target.path(), &mut newer.as_bytes()).unwrap_err();
    assert!(
        matches!(error, StoreError::Newer { found: 3, known: 2 }),
        "{error}"
    );
}

#[test]
fn a_folder_in_which_a_restore_was_cut_off_is_not_taken_for_a_new_store() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir_all(dir.path().join("restoring/sled")).unwrap();
    let error = Store::open(dir.path()).unwrap_err();
    assert!(matches!(error, StoreError::Unfinished { .. }), "{error}");
}

#[test]
fn a_disk_that_takes_no_more_files_fails_the_batch_and_leaves_the_store_usable() {
    let (dir, store) = open();
    store.commit(&records(&[("friday", "one")])).unwrap();
    let folder = dir.path().join("blobs");
    fs::remove_dir(&folder).unwrap();
    let batch = Batch {
        mails: vec![mail("a@x.example", "text", 1, 0)],
        ..records(&[("friday", "two")])
    };
    assert!(matches!(store.commit(&batch), Err(StoreError::Io { .. })));
    assert_eq!(
        (log(&store, "friday"), store.queue_len().unwrap()),
        (vec!["one".to_owned()], 0)
    );
    fs::create_dir(&folder).unwrap();
    store.commit(&batch).unwrap();
    assert_eq!(
        (log(&store, "friday").len(), store.queue_len().unwrap()),
        (2, 1)
    );
}
