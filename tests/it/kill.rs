//! The daemon is killed at random moments all through a game, and nothing is lost, doubled or out of order.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::games::maildir_host::MaildirHost;
use crate::games::oracle::Board;
use crate::games::play::{JudgeHost, PlayEvent, came, post};
use crate::games::program::Program;
use crate::games::received::Received;
use crate::games::{checks, standard};
use dipjudge::shell::demo::script::{Mail, Position, Script, Step};

/// The least number of kills.
const KILLS: usize = 100;

/// A small random number generator: the same seed gives the same numbers everywhere.
struct Chance(u64);

impl Chance {
    fn next(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % below
    }
}

/// The game as it can be played without waiting for a date: Italy's first player stays, and phases follow each other at once.
fn hurried() -> Vec<(Vec<Mail>, Option<Position>)> {
    let script = standard(0);
    let mut phases = vec![(Vec::new(), None)];
    for step in &script.steps {
        match step {
            Step::Mail(mail) => {
                let skipped = ["Italy, then", "I am back!", "pace", "Italy", "how it went"];
                if skipped.contains(&mail.subject.as_str()) {
                    continue;
                }
                let mut mail = mail.clone();
                mail.twice = false;
                if mail.from == "hugo" && !mail.text.starts_with("REGISTER") {
                    mail.from = "emma".to_owned();
                    mail.text = mail.text.replace("hpw", "ipw");
                }
                if mail.text.contains("BECOME MASTER") {
                    mail.text = mail.text.replace(
                        "SET MOVE MIN 0 DELAY 0.002",
                        "SET MOVE MIN 0 DELAY 0\nSET RETREAT DELAY 0\nSET ADJUST DELAY 0",
                    );
                }
                // A date of the script may be past.
                mail.text = mail
                    .text
                    .lines()
                    .filter(|line| !line.starts_with("SET DEADLINE"))
                    .map(|line| format!("{line}\n"))
                    .collect();
                phases.last_mut().unwrap().0.push(mail);
            }
            Step::Position(position) => {
                phases.last_mut().unwrap().1 = Some(position.clone());
                phases.push((Vec::new(), None));
            }
            Step::Clock(_) | Step::Part(_) | Step::Seed(_) => {}
        }
    }
    phases.retain(|(mails, position)| !mails.is_empty() && position.is_some());
    phases
}

/// Starts the daemon and kills it until it is told to stop; then starts it once more and lets it run.
fn torment(
    program: Program,
    mut chance: Chance,
    kills: Arc<AtomicUsize>,
    wanted: Arc<AtomicUsize>,
    over: Arc<AtomicBool>,
) {
    while !over.load(Ordering::Relaxed) {
        let mut daemon = program.daemon();
        // Often soon after its start, sometimes in the middle of much work.
        let span = [40, 200, 700][usize::try_from(chance.next(3)).unwrap()];
        let end = Instant::now() + Duration::from_millis(10 + chance.next(span));
        while Instant::now() < end {
            assert!(
                daemon.runs(),
                "the daemon died by itself\n{}",
                program.log()
            );
            std::thread::sleep(Duration::from_micros(500));
        }
        // No more than its share of this phase, so that every part of the game has some.
        while kills.load(Ordering::Relaxed) >= wanted.load(Ordering::Relaxed)
            && !over.load(Ordering::Relaxed)
        {
            assert!(
                daemon.runs(),
                "the daemon died by itself\n{}",
                program.log()
            );
            std::thread::sleep(Duration::from_millis(1));
        }
        daemon.kill();
        kills.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn a_daemon_killed_at_any_moment_loses_and_doubles_nothing() {
    let seed = std::env::var("DIPJUDGE_KILL_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok())
        .unwrap_or_else(|| {
            let now = std::time::SystemTime::now()
                .duration_since(std::time::UNIX_EPOCH)
                .unwrap();
            u64::from(now.subsec_nanos()) | 1
        });
    println!("DIPJUDGE_KILL_SEED={seed}");
    let folder = tempfile::tempdir().unwrap();
    let mut host = MaildirHost::new(
        folder.path(),
        "[limits]\nreplies_per_hour = 100000\nreplies_per_day = 100000\nempty_replies_per_day = 100000\n\
         reply_bytes_per_hour = 1000000000\nmails_per_hour = 100000\npress_per_hour = 100000\n\
         press_bytes_per_hour = 1000000000\n",
    );
    let (kills, wanted, over) = (
        Arc::new(AtomicUsize::new(0)),
        Arc::new(AtomicUsize::new(0)),
        Arc::new(AtomicBool::new(false)),
    );
    let killer = {
        let (program, kills, wanted, over) = (
            Program {
                folder: folder.path().to_owned(),
            },
            kills.clone(),
            wanted.clone(),
            over.clone(),
        );
        std::thread::spawn(move || torment(program, Chance(seed), kills, wanted, over))
    };
    let script = standard(0);
    let phases = hurried();
    let mut chance = Chance(seed ^ 0x9e37_79b9_7f4a_7c15);
    let mut record = Vec::new();
    let share = KILLS.div_ceil(phases.len());
    let mut phase = "S1901M".to_owned();
    for (mails, position) in &phases {
        wanted.fetch_add(share, Ordering::Relaxed);
        for mail in mails {
            post_now(&script, mail, &mut host, &mut record);
            std::thread::sleep(Duration::from_millis(chance.next(40)));
        }
        let begun = Instant::now();
        let results = |record: &[PlayEvent]| {
            let readers: BTreeSet<String> = came(record)
                .filter(|mail| checks::is_results(mail, &phase))
                .map(|mail| mail.reader().to_owned())
                .collect();
            readers.len() == 9
        };
        // The next phase begins when this one is over and has had its share of kills.
        while !results(&record) || kills.load(Ordering::Relaxed) < wanted.load(Ordering::Relaxed) {
            assert!(
                begun.elapsed() < Duration::from_secs(300),
                "{phase} does not end\n{}\n{}",
                told(&record),
                host.program.log()
            );
            assert!(!killer.is_finished(), "{}", host.program.log());
            std::thread::sleep(Duration::from_millis(10));
            record.extend(host.collect().into_iter().map(PlayEvent::Received));
        }
        let position = position.clone().unwrap();
        phase.clone_from(&position.phase);
        record.push(PlayEvent::Expected(position));
    }
    over.store(true, Ordering::Relaxed);
    killer.join().unwrap();
    let kills = kills.load(Ordering::Relaxed);
    // What the last daemon left to do.
    let daemon = host.program.daemon();
    let begun = Instant::now();
    let mut quiet = Instant::now();
    while quiet.elapsed() < Duration::from_secs(2) || host.waiting() > 0 {
        assert!(
            begun.elapsed() < Duration::from_secs(300),
            "the daemon does not come to rest\n{}",
            host.program.log()
        );
        std::thread::sleep(Duration::from_millis(50));
        let found = host.collect();
        if !found.is_empty() {
            quiet = Instant::now();
        }
        record.extend(found.into_iter().map(PlayEvent::Received));
    }
    daemon.stop();
    println!(
        "{kills} kills, {} mails in, {} mails out, {} of them sent again",
        phases.iter().map(|(mails, _)| mails.len()).sum::<usize>(),
        came(&record).count(),
        came(&record).count()
            - came(&record)
                .map(|mail| &mail.message_id)
                .collect::<BTreeSet<_>>()
                .len(),
    );
    assert!(kills >= 50);
    once_each_and_in_order(&record);
    let games = host.program.run(&["games"]);
    assert!(games.contains("kaiser"), "{games}");
}

fn post_now(script: &Script, mail: &Mail, host: &mut MaildirHost, record: &mut Vec<PlayEvent>) {
    struct Now<'a>(&'a mut MaildirHost);
    impl JudgeHost for Now<'_> {
        fn post(&mut self, _from: &str, _to: &str, bytes: &[u8], _at: jiff::Timestamp) {
            self.0.drop_in(bytes, None);
        }
        fn look(&mut self, _at: jiff::Timestamp) {}
        fn collect(&mut self) -> Vec<Received> {
            Vec::new()
        }
    }
    post(script, mail, &mut Now(host), record);
}

/// The last mails, for a test that fails.
fn told(record: &[PlayEvent]) -> String {
    let subjects: Vec<String> = came(record)
        .map(|mail| format!("{}: {}", mail.reader(), mail.subject))
        .collect();
    let answered: BTreeSet<&str> = came(record)
        .filter_map(|mail| mail.in_reply_to.as_deref())
        .collect();
    let silent: Vec<String> = record
        .iter()
        .filter_map(|happened| match happened {
            PlayEvent::Sent(sent)
                if !answered.contains(format!("<kaiser-{}@mail.test>", sent.number).as_str()) =>
            {
                Some(format!("{sent:?}"))
            }
            _ => None,
        })
        .collect();
    format!(
        "{}\nwithout an answer: {silent:#?}",
        subjects[subjects.len().saturating_sub(30)..].join("\n")
    )
}

fn once_each_and_in_order(record: &[PlayEvent]) {
    // A mail may be sent again after a kill, but then it is the same mail.
    let mut by_id: BTreeMap<&str, &Received> = BTreeMap::new();
    let mut first: Vec<&Received> = Vec::new();
    for mail in came(record) {
        match by_id.get(mail.message_id.as_str()) {
            None => {
                by_id.insert(&mail.message_id, mail);
                first.push(mail);
            }
            Some(same) => assert_eq!(
                (&same.to, &same.subject, &same.body),
                (&mail.to, &mail.subject, &mail.body),
                "one id, one mail"
            ),
        }
    }
    // Each message is answered exactly once.
    let mut answers: BTreeMap<&str, usize> = BTreeMap::new();
    for mail in &first {
        if let Some(id) = mail
            .in_reply_to
            .as_deref()
            .filter(|id| id.starts_with("<kaiser-"))
        {
            *answers.entry(id).or_default() += 1;
        }
    }
    for happened in record {
        if let PlayEvent::Sent(sent) = happened {
            let id = format!("<kaiser-{}@mail.test>", sent.number);
            assert_eq!(
                answers.remove(id.as_str()),
                Some(1),
                "answers to {} by {}: {}",
                id,
                sent.from,
                sent.subject
            );
        }
    }
    assert!(answers.is_empty());
    // What is no answer comes once to each reader.
    let mut seen = BTreeSet::new();
    for mail in first
        .iter()
        .filter(|mail| mail.field("Auto-Submitted") == Some("auto-generated"))
    {
        assert!(
            seen.insert((mail.reader(), mail.subject.clone(), mail.body.clone())),
            "twice to {}: {}",
            mail.reader(),
            mail.subject
        );
    }
    // Each reader got every phase's results once, in order, and the answers to the orders for a phase before its results.
    let positions: Vec<&Position> = checks::positions(record).collect();
    let phases: Vec<String> = std::iter::once("S1901M".to_owned())
        .chain(positions.iter().map(|position| position.phase.clone()))
        .collect();
    let mut readers: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for mail in first
        .iter()
        .filter(|mail| mail.subject.ends_with(" Results") && !mail.subject.starts_with("Re:"))
    {
        readers
            .entry(mail.reader())
            .or_default()
            .push(&mail.subject);
    }
    let expected: Vec<String> = phases[..positions.len()]
        .iter()
        .map(|phase| format!("USXX:kaiser - {} Results", checks::printed(phase)))
        .collect();
    assert_eq!(readers.len(), 9);
    for (reader, subjects) in readers {
        assert_eq!(subjects, expected, "results to {reader}");
    }
    // And the game was the real one.
    let mut board = Board::default();
    let mut first = BTreeSet::new();
    for happened in record {
        match happened {
            PlayEvent::Received(mail)
                if mail.reader() == "olga"
                    && !mail.subject.starts_with("Re:")
                    && first.insert(mail.message_id.clone()) =>
            {
                board.read(&crate::old_tools::read(&mail.subject, &mail.body));
            }
            PlayEvent::Expected(position) => board.compare(position),
            _ => {}
        }
    }
}
