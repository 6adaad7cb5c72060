//! Games of which something cannot be read: each kind of it stops its game alone, and whoever asks is told.

use std::path::Path;

use crate::games::JUDGE;
use crate::games::memory_host::MemoryHost;
use crate::games::play::JudgeHost;
use crate::games::received::Received;
use crate::keeper_store::Judge as KeptJudge;
use crate::memory::settings;
use dipjudge::judge::{Judge, JudgeError, NewRecord, Ruling};
use dipjudge::mails::outbound::Templates;
use dipjudge::store::{Batch, Store};
use jiff::Timestamp;

const LOGS: [&str; 6] = ["conway", "friday", "frost", "kaiser", "mob", "space"];

/// A log, what stands in it, and what cannot be read in its place.
const UNREADABLE: &[(&str, &str, &str)] = &[
    // The form of a record, and a setting of every game.
    (
        "conway",
        r#""name":"list","value":true"#,
        r#""name":"listed","value":true"#,
    ),
    ("kaiser", r#""event":"begun""#, r#""event":"commenced""#),
    // What is played, and on what.
    ("friday", r#""variant":"bridge""#, r#""variant":"poker""#),
    ("kaiser", r#""map":"standard""#, r#""map":"atlantis""#),
    ("mob", r"powers of centers", r"powers of seas"),
    // The variants' own states: a wrong form, or a part that is not known.
    (
        "conway",
        r#""data","data":{"after":"#,
        r#""data","data":{"later":"#,
    ),
    (
        "friday",
        r#""data","data":{"bids":{"#,
        r#""data","data":{"debts":{"#,
    ),
    ("space", r#""in_play":[0,1"#, r#""in_play":["JED",1"#),
    // A state, a submission, an order, where the variant keeps none.
    ("frost", r#""data":null"#, r#""data":{"forts":{}}"#),
    (
        "kaiser",
        r#"{"event":"waits""#,
        r#"{"event":"submitted","power":0,"name":"bid","data":7,"lasting":false},{"event":"waits""#,
    ),
    // Submissions, settings, what players bring along.
    (
        "friday",
        r#""name":"bid","data":3"#,
        r#""name":"bid","data":"three""#,
    ),
    (
        "conway",
        r#""name":"YOR","data":{"kind":"A"}"#,
        r#""name":"YOR","data":{"kind":7}"#,
    ),
    (
        "friday",
        r#""name":"list","value":true"#,
        r#""name":"own","value":{"bid-cap":"triple"}"#,
    ),
    (
        "space",
        r#"{"brings":{"code":"JED""#,
        r#"{"brings":{"codes":"JED""#,
    ),
];

fn lines(log: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded");
    let text = std::fs::read_to_string(folder.join(format!("{log}.log"))).unwrap();
    text.lines().map(str::to_owned).collect()
}

fn load(judge: &mut Judge, log: &str, lines: &[String]) {
    let records = lines.iter().map(|line| Ok(line.clone().into_bytes()));
    judge
        .replay_log::<JudgeError, JudgeError>(log, records)
        .unwrap();
}

#[test]
fn whatever_cannot_be_read_stops_its_game_and_no_other() {
    for (log, known, unknown) in UNREADABLE {
        let mut judge = Judge::new(settings(JUDGE), Templates::built_in());
        load(&mut judge, "@judge", &lines("judge"));
        let mut record = 0;
        for other in LOGS {
            let mut lines = lines(other);
            if other == *log {
                let at = lines.iter().position(|line| line.contains(known));
                let at = at.unwrap_or_else(|| panic!("{log} holds no {known}"));
                lines[at] = lines[at].replace(known, unknown);
                record = at + 1;
            }
            load(&mut judge, other, &lines);
        }
        let playing: Vec<&str> = judge.games().map(|game| game.name.as_str()).collect();
        let others: Vec<&str> = LOGS.into_iter().filter(|other| other != log).collect();
        assert_eq!(playing, others, "{unknown}");
        let stopped: Vec<String> = judge.stopped().map(ToString::to_string).collect();
        let [told] = stopped.as_slice() else {
            panic!("{unknown}: {stopped:?}")
        };
        let begins =
            format!("the game '{log}' stands still: record {record} of its log cannot be read (");
        assert!(told.starts_with(&begins), "{told}");
        assert!(!told.contains("()"), "{told}");
    }
}

/// What is as it was is read as it was.
#[test]
fn no_recorded_game_stands_still() {
    let mut judge = Judge::new(settings(JUDGE), Templates::built_in());
    for log in LOGS {
        load(&mut judge, log, &lines(log));
    }
    assert_eq!(judge.stopped().count(), 0);
    assert_eq!(judge.games().count(), LOGS.len());
}

/// A judge to which people write, and the mails that they get.
pub(crate) struct Desk {
    pub(crate) host: MemoryHost,
    count: u32,
}

impl Desk {
    pub(crate) fn with(host: MemoryHost) -> Desk {
        Desk { host, count: 0 }
    }

    /// The answers to a mail, and whatever else follows from it.
    pub(crate) fn write(&mut self, at: &str, from: &str, to: &str, text: &str) -> Vec<Received> {
        self.count += 1;
        let at: Timestamp = at.parse().unwrap();
        let message = format!(
            "From: {from}\nTo: {to}\nSubject: mail\nMessage-ID: <{}.{}@ex.org>\n\n{text}\n",
            self.count,
            at.as_second()
        );
        self.host.post(from, to, message.as_bytes(), at);
        self.host.look(at);
        self.host.collect()
    }
}

/// One game stands still, another goes on: what is said to whom, and what falls due.
#[test]
fn who_writes_to_a_game_that_stands_still_is_told_and_nothing_falls_due_in_it() {
    let mut before = Desk::with(MemoryHost::new());
    let (anna, zoe) = ("anna@ex.org", "zoe@ex.org");
    for person in [anna, zoe] {
        before.write(
            "2026-11-30T10:00:00Z",
            person,
            JUDGE,
            "REGISTER\nName: Some Body\nEND",
        );
    }
    let made = before.write(
        "2026-11-30T10:01:00Z",
        anna,
        JUDGE,
        "CREATE ?alpha apw bridge\nBECOME MASTER\nSET LIST\nFORCE BEGIN",
    );
    let reply_to = made.iter().find_map(|mail| mail.reply_to.clone()).unwrap();
    before.write(
        "2026-11-30T10:02:00Z",
        anna,
        JUDGE,
        "CREATE ?beta apw\nBECOME MASTER\nSET LIST\nFORCE BEGIN",
    );

    let mut host = MemoryHost::new();
    let mut logs: std::collections::BTreeMap<String, Vec<String>> = Default::default();
    for (log, json) in &before.host.records {
        let line = String::from_utf8(json.clone()).unwrap();
        logs.entry(log.clone()).or_default().push(line);
    }
    logs.get_mut("alpha").unwrap().push(
        r#"{"v":1,"at":"2026-11-30T11:00:00Z","cause":"clock","events":[{"event":"data","data":{"purse":5}}]}"#
            .to_owned(),
    );
    for (log, lines) in &logs {
        load(&mut host.judge, log, lines);
    }
    let mut after = Desk::with(host);
    let told = |mails: &[Received], from: &str| {
        let [mail] = mails else {
            panic!("one answer: {mails:?}")
        };
        assert_eq!(mail.to, [from]);
        let words: Vec<&str> = mail.body.split_whitespace().collect();
        let words = words.join(" ");
        assert!(words.contains("Game 'alpha' stands still"), "{words}");
        assert!(words.contains("keeper@"), "{words}");
    };
    let at = "2026-11-30T12:00:00Z";
    told(
        &after.write(at, anna, JUDGE, "SIGNON Malpha apw\nPROCESS"),
        anna,
    );
    told(&after.write(at, anna, &reply_to, "PROCESS"), anna);
    told(&after.write(at, zoe, JUDGE, "LIST alpha"), zoe);
    told(&after.write(at, zoe, JUDGE, "OBSERVE alpha zpw"), zoe);
    // Its name is not free, and so no second log begins where it goes on.
    let records = after.host.records.len();
    let answer = after.write(at, zoe, JUDGE, "CREATE ?alpha zpw");
    assert!(
        answer[0].body.contains("The name 'alpha' is not free."),
        "{answer:?}"
    );
    let written = &after.host.records[records..];
    assert!(written.iter().all(|(log, _)| log != "alpha"), "{written:?}");

    // Months later the other game has reminded and waited, and this one has done nothing.
    let late: Timestamp = "2027-03-01T10:00:00Z".parse().unwrap();
    after.host.look(late);
    let mails = after.host.collect();
    assert!(
        mails.iter().any(|mail| mail.subject.contains("beta")),
        "{mails:?}"
    );
    assert!(
        !mails.iter().any(|mail| mail.subject.contains("alpha")),
        "{mails:?}"
    );
}

/// A record that its own game cannot read, as a later version of the program may write one.
fn unreadable(log: &str) -> NewRecord {
    let json = r#"{"v":1,"at":"2026-11-30T11:00:00Z","cause":"clock","events":[{"event":"data","data":{"purse":5}}]}"#;
    NewRecord {
        log: log.to_owned(),
        json: json.as_bytes().to_vec(),
    }
}

#[test]
fn a_record_that_cannot_be_read_while_the_judge_runs_stops_its_game_and_no_other() {
    let mut desk = Desk::with(MemoryHost::new());
    let (anna, ben, zoe) = ("anna@ex.org", "ben@ex.org", "zoe@ex.org");
    for person in [anna, ben, zoe] {
        let form = "REGISTER\nName: Some Body\nEND";
        desk.write("2026-11-30T10:00:00Z", person, JUDGE, form);
    }
    for game in ["alpha", "beta"] {
        let create = format!("CREATE ?{game} mpw bridge gunboat\nBECOME MASTER\nSET LIST");
        desk.write("2026-11-30T10:01:00Z", zoe, JUDGE, &create);
        for (who, power) in [(anna, 'A'), (ben, 'E')] {
            let join = format!("SIGNON ?{game} {power}pw bridge gunboat\nSET PREFERENCE {power}");
            desk.write("2026-11-30T10:02:00Z", who, JUDGE, &join);
        }
        let begin = format!("SIGNON M{game} mpw\nFORCE BEGIN");
        desk.write("2026-11-30T10:03:00Z", zoe, JUDGE, &begin);
    }
    let letter = |game: &str| format!("SIGNON A{game} Apw\nPRESS TO E\nGood morning.\nENDPRESS");
    let relay_of = |desk: &mut Desk, game: &str| {
        let sent = desk.write("2026-11-30T10:04:00Z", anna, JUDGE, &letter(game));
        let to_ben = sent.iter().find(|mail| mail.to == [ben]).unwrap();
        to_ben.reply_to.clone().unwrap()
    };
    let relays = ["alpha", "beta"].map(|game| relay_of(&mut desk, game));
    let own = desk.write("2026-11-30T10:05:00Z", anna, JUDGE, "SIGNON Aalpha Apw");
    let own = own[0].reply_to.clone().unwrap();

    let records = desk.host.records.iter();
    let next = records.filter(|(log, _)| log == "alpha").count() + 1;
    let register = NewRecord {
        log: "@judge".to_owned(),
        ..unreadable("alpha")
    };
    let ruling = |records: Vec<NewRecord>| Ruling {
        records,
        ..Ruling::default()
    };
    // What comes behind it in the same ruling is no record of its own.
    let bad = ruling(vec![unreadable("alpha"), unreadable("alpha")]);
    desk.host.judge.absorb(&bad).unwrap();
    let told: Vec<String> = desk.host.judge.stopped().map(ToString::to_string).collect();
    let begins =
        format!("the game 'alpha' stands still: record {next} of its log cannot be read (");
    assert!(told.len() == 1 && told[0].starts_with(&begins), "{told:?}");
    let playing = desk.host.judge.games();
    let playing: Vec<&str> = playing.map(|game| game.name.as_str()).collect();
    assert_eq!(playing, ["beta"]);
    assert!(desk.host.judge.absorb(&ruling(vec![register])).is_err());

    let at = "2026-11-30T12:00:00Z";
    let words = |mail: &Received| -> String {
        let words: Vec<&str> = mail.body.split_whitespace().collect();
        words.join(" ")
    };
    // A letter to a hidden player goes nowhere, and tells its writer no more than any other mail.
    for (from, to) in [(ben, &relays[0]), (anna, &own), (zoe, &JUDGE.to_owned())] {
        let text = match from == zoe {
            true => "SIGNON Malpha mpw\nPROCESS",
            false => "Let us meet in Munich.",
        };
        let answers = desk.write(at, from, to, text);
        let [answer] = answers.as_slice() else {
            panic!("one answer: {answers:?}")
        };
        assert_eq!(answer.to, [from]);
        assert!(
            words(answer).contains("Game 'alpha' stands still"),
            "{answer:?}"
        );
        assert!(!answer.body.contains("Munich") && !answer.body.contains("Austria"));
    }
    let passed_on = desk.write(at, ben, &relays[1], "Let us meet in Munich.");
    let to_anna = passed_on.iter().find(|mail| mail.to == [anna]).unwrap();
    assert!(to_anna.body.contains("Let us meet in Munich."));

    let late: Timestamp = "2027-03-01T10:00:00Z".parse().unwrap();
    desk.host.look(late);
    let mails = desk.host.collect();
    let about = |game: &str| {
        mails
            .iter()
            .filter(|mail| mail.subject.contains(game))
            .count()
    };
    assert!(about("beta") > 0 && about("alpha") == 0, "{mails:?}");
}

/// The program itself goes on, and tells its keeper.
#[test]
fn the_keeper_reads_which_game_stands_still_and_at_which_record() {
    let folder = tempfile::tempdir().unwrap();
    let judge = KeptJudge::made(&folder.path().join("judge"));
    let conway = lines("conway")
        .into_iter()
        .map(|line| ("conway".to_owned(), line));
    let frost = lines("frost").into_iter().map(|line| {
        let line = line.replace(r#""variant":"winter-1900""#, r#""variant":"winter-2900""#);
        ("frost".to_owned(), line)
    });
    let records = conway.chain(frost);
    let batch = Batch {
        records: records
            .map(|(log, line)| (log, line.into_bytes()))
            .collect(),
        ..Batch::default()
    };
    let store = Store::open(&judge.path("data")).unwrap();
    store.commit(&batch).unwrap();
    drop(store);
    let told = "the game 'frost' stands still: record 1 of its log cannot be read (no variant is called 'winter-2900')";
    assert!(judge.ends("status", 0).contains(told));
    let games = judge.ends("games", 0);
    assert!(games.contains("conway") && games.contains(told), "{games}");
    assert!(judge.ends("show frost", 1).contains(told));
    assert!(judge.ends("show conway", 0).contains("conway"));
    let ticked = judge.ends("tick --at 2030-01-01T00:00:00Z", 0);
    assert!(ticked.contains(told), "{ticked}");
}
