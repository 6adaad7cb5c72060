//! Many games for a day, with faults at random steps. The day is that on which the clocks change. By default a few games are played;
//! `DIPJUDGE_SOAK_GAMES=1000` plays so many, `DIPJUDGE_SOAK_SEED` repeats a run.

use std::collections::BTreeMap;
use std::time::Instant;

use jiff::{SignedDuration, Timestamp};

use crate::folder::{Folder, SentMail};
use crate::planted_faults::{Fault, FaultReport, met};

/// Players beside the master.
const PLAYERS: u64 = 20;
/// The program looks at everything so often.
const MINUTES: i64 = 30;
const LIMITS: &str = "keep = 0\n";

/// A small generator of random numbers: the same seed gives the same numbers everywhere.
struct Chance(u64);

impl Chance {
    fn below(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % below
    }
}

fn number_of(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

fn after(minutes: i64) -> Timestamp {
    // At one in the morning of the next day, UTC, Berlin sets its clocks an hour ahead.
    let start: Timestamp = "2030-03-30T12:00:00Z".parse().unwrap();
    start + SignedDuration::from_mins(minutes)
}

/// Names of games are words, as people choose them.
fn name(game: u64) -> String {
    const SYLLABLES: [&str; 10] = ["ba", "du", "fe", "gi", "ko", "lu", "mo", "ni", "ru", "ze"];
    let digits = format!("{game:04}");
    let syllables = digits
        .bytes()
        .map(|digit| SYLLABLES[usize::from(digit - b'0')]);
    syllables.collect()
}

/// The soak as it goes.
struct Soak {
    folder: Folder,
    written: u32,
    /// The messages by their ids, each with what it asks for.
    messages: BTreeMap<String, String>,
    report: FaultReport,
}

impl Soak {
    fn writes(&mut self, who: &str, lines: &str, at: Timestamp) {
        self.written += 1;
        let id = format!("<{}.{who}@players.test>", self.written);
        self.messages.insert(id, lines.to_owned());
        self.folder.writes(who, self.written, lines, at);
    }

    fn looks(&mut self, at: Timestamp) {
        let output = self.folder.tick(at).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }

    fn looks_and_fails(&mut self, at: Timestamp, games: u64, chance: &mut Chance) {
        let fault = Fault::ALL[usize::try_from(chance.below(4)).unwrap()];
        let step = 1 + chance.below(25 + games / 2);
        let report = self.folder.path.join("steps");
        if let Some(step) = met(&mut self.folder.tick(at), fault, step, &report) {
            self.report.count(fault, &step);
        }
    }
}

#[test]
fn a_day_of_many_games_with_random_faults_ends_with_every_mail_answered_once() {
    let games = number_of("DIPJUDGE_SOAK_GAMES").unwrap_or(6);
    let seed = number_of("DIPJUDGE_SOAK_SEED").unwrap_or(20_300_330);
    println!("DIPJUDGE_SOAK_GAMES={games} DIPJUDGE_SOAK_SEED={seed}");
    let (begun, mut chance) = (Instant::now(), Chance(seed | 1));
    let place = tempfile::tempdir().unwrap();
    let mut soak = Soak {
        folder: Folder::without_limits(&place.path().join("game"), LIMITS),
        written: 0,
        messages: BTreeMap::new(),
        report: FaultReport::default(),
    };
    let player = |number: u64| format!("player{}", number % PLAYERS);
    for who in (0..PLAYERS).map(player).chain(["gm".to_owned()]) {
        let form = format!("REGISTER\nName: {who}\nLevel: Novice\nEND");
        soak.writes(&who, &form, after(0));
    }
    soak.looks(after(1));
    let sits = |game: u64| [player(game), player(game + 7)];
    for game in 0..games {
        let name = name(game);
        soak.writes(
            "gm",
            &format!("CREATE ?{name} mpw\nBECOME MASTER"),
            after(2),
        );
        for who in sits(game) {
            soak.writes(&who, &format!("SIGNON ?{name} ppw"), after(3));
        }
        soak.writes(
            "gm",
            &format!("SIGNON M{name} mpw\nFORCE BEGIN\nSET NMR"),
            after(4),
        );
    }
    soak.looks(after(5));
    let looks = 24 * 60 / MINUTES;
    for look in 1..=looks {
        let at = after(look * MINUTES);
        for _ in 0..games.div_ceil(10) {
            let game = chance.below(games);
            let name = name(game);
            let who = &sits(game)[usize::try_from(chance.below(2)).unwrap()];
            let arrived =
                at - SignedDuration::from_secs(i64::try_from(chance.below(1700)).unwrap());
            match chance.below(5) {
                0 => soak.writes("gm", &format!("SIGNON M{name} mpw\nPROCESS"), arrived),
                1 => soak.writes(who, &format!("SIGNON {name} ppw\nSET WAIT"), arrived),
                2 => soak.writes(who, &format!("SIGNON {name} ppw\nLIST"), arrived),
                _ => {
                    // No two are alike: the same letter that comes twice is one that was sent twice.
                    let number = soak.written;
                    let letter =
                        format!("SIGNON {name} ppw\nPRESS TO ALL\nLetter {number}.\nENDPRESS");
                    soak.writes(who, &letter, arrived);
                }
            }
        }
        if chance.below(2) == 0 {
            soak.looks_and_fails(at, games, &mut chance);
        }
        soak.looks(at);
        if look % 10 == 0 {
            // The clock jumps back: nothing is done before what was done.
            let back = soak.folder.tick(after(-600)).output().unwrap();
            assert!(!back.status.success(), "{back:?}");
        }
    }
    // The clock jumps ahead, and what was put off is sent.
    soak.looks(after(24 * 60 + 60));
    let content = soak.folder.content();
    assert!(!content.mails_wait());
    assert_eq!(
        (content.waiting, content.handled),
        (0, soak.written as usize)
    );
    soak.report.again += each_answered_once(&content.sent, &soak.messages);
    let verified = soak.folder.run(&["verify"]);
    assert_eq!(verified.lines().count() as u64, games, "{verified}");
    soak.report.print();
    println!(
        "{games} games, {} mails in, {} mails out, {} s",
        soak.written,
        content.sent.len(),
        begun.elapsed().as_secs()
    );
}

/// Every message has one answer; the number of mails that came again with the id of before.
fn each_answered_once(sent: &[SentMail], messages: &BTreeMap<String, String>) -> usize {
    let mut known: BTreeMap<&str, &SentMail> = BTreeMap::new();
    let mut answers: BTreeMap<&str, usize> = BTreeMap::new();
    let mut again = 0;
    for mail in sent {
        if let Some(same) = known.insert(&mail.id, mail) {
            assert_eq!(same, mail, "one id, one mail");
            again += 1;
            continue;
        }
        let mut head = mail.text.lines().take_while(|line| !line.is_empty());
        let replies = mail.text.contains("Auto-Submitted: auto-replied");
        let reply = head.find_map(|line| line.strip_prefix("In-Reply-To: "));
        if let Some(reply) = reply.filter(|reply| replies && reply.contains("@players.test")) {
            *answers.entry(reply).or_default() += 1;
        }
    }
    let twice: Vec<_> = answers.iter().filter(|(_, count)| **count != 1).collect();
    assert!(twice.is_empty(), "answered twice: {twice:?}");
    let unanswered = messages
        .iter()
        .filter(|(id, _)| !answers.contains_key(id.as_str()));
    let unanswered: Vec<_> = unanswered.collect();
    assert!(unanswered.is_empty(), "not answered: {unanswered:#?}");
    again
}
