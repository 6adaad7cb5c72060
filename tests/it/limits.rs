//! Limits, through the program as its keeper runs it: they hold in `run`, in `tick` and in `deliver` alike, whether one
//! process handles all mail or each mail has its own.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use dipjudge::shell::maildir::Maildir;
use jiff::{SignedDuration, Timestamp};
use mail_parser::MessageParser;

const PATIENCE: Duration = Duration::from_secs(120);

/// How mail gets to the judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// One process for each mail, which gets it on its standard input.
    Deliver,
    /// One process for each mail, which finds it in the inbox.
    Tick,
    /// A daemon, which is stopped and started again after each mail.
    Run,
}

/// The usual limits on what is sent to addresses that have proven nothing.
const UNPROVEN: &str = "[limits]\nunproven_reply_bytes = 2000\n";

const WAYS: [Way; 3] = [Way::Deliver, Way::Tick, Way::Run];

/// A mail of the judge.
#[derive(Clone, Debug)]
struct Letter {
    from: String,
    to: String,
    reply_to: Option<String>,
    subject: String,
    text: String,
    bytes: usize,
}

/// A judge's folder.
struct KeeperQueries {
    folder: tempfile::TempDir,
    judge: String,
    mails: u32,
    now: Timestamp,
}

impl KeeperQueries {
    fn new(more: &str) -> KeeperQueries {
        KeeperQueries::at("judge@example.org", more)
    }

    fn at(judge: &str, more: &str) -> KeeperQueries {
        let queries = KeeperQueries {
            folder: tempfile::tempdir().unwrap(),
            judge: judge.to_owned(),
            mails: 0,
            now: Timestamp::now(),
        };
        // Most tests are of other limits.
        let open = "[limits]\nunproven_reply_bytes = 0\n";
        let more = match more {
            _ if more.contains("unproven") => more.to_owned(),
            _ if more.contains("[limits]\n") => more.replace("[limits]\n", open),
            _ => format!("{more}{open}"),
        };
        let config = format!(
            "[judge]\nname = \"USXX\"\naddress = \"{judge}\"\nkeeper = \"keeper@keeper.example\"\ndata = \"data\"\n\
             [inbox]\nkind = \"maildir\"\npath = \"in\"\n[outbox]\nkind = \"maildir\"\npath = \"out\"\n{more}"
        );
        fs::write(queries.path("dipjudge.toml"), config).unwrap();
        let made = queries.program("init").output().unwrap();
        assert!(made.status.success(), "{made:?}");
        queries
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn inbox(&self) -> Maildir {
        Maildir::at(self.path("in"))
    }

    fn program(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dipjudge"));
        command
            .env_clear()
            .current_dir(self.folder.path())
            .args(line.split_whitespace());
        command
    }

    /// Somebody's mail to an address of the judge's, with further header fields.
    fn mail(&mut self, from: &str, to: &str, header: &str, text: &str) -> String {
        self.mails += 1;
        format!(
            "From: {from}\nTo: {to}\nSubject: mail {}\nMessage-ID: <{}.{from}>\n{header}\n{text}\n",
            self.mails, self.mails
        )
    }

    /// The mail lies in the inbox.
    fn arrives(&mut self, from: &str, text: &str) {
        let judge = self.judge.clone();
        let mail = self.mail(from, &judge, "", text);
        self.inbox()
            .deliver(mail.as_bytes(), Some(self.now))
            .unwrap();
    }

    /// What the judge says while it handles all that lies there, as of the time.
    fn tick(&self) -> String {
        let output = self
            .program(&format!("tick --at {}", self.now))
            .env("RUST_LOG", "info")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{said}");
        said
    }

    /// The judge handles one mail on this way; what it sends.
    fn handles(&mut self, way: Way, mail: &str) -> Vec<Letter> {
        match way {
            Way::Deliver => {
                let mut child = self
                    .program(&format!("deliver --at {}", self.now))
                    .stdin(Stdio::piped())
                    .stderr(Stdio::null())
                    .spawn()
                    .unwrap();
                let mut input = child.stdin.take().unwrap();
                input.write_all(mail.as_bytes()).unwrap();
                drop(input);
                assert!(child.wait().unwrap().success());
            }
            Way::Tick => {
                self.inbox()
                    .deliver(mail.as_bytes(), Some(self.now))
                    .unwrap();
                self.tick();
            }
            Way::Run => {
                self.inbox().deliver(mail.as_bytes(), None).unwrap();
                let mut daemon = self.start();
                self.waits_for_an_empty_inbox();
                daemon.stop();
                // What is not sent yet waits in the outbox.
                self.now = Timestamp::now() + SignedDuration::from_secs(1);
                self.tick();
            }
        }
        self.collect()
    }

    fn writes(&mut self, way: Way, from: &str, text: &str) -> Vec<Letter> {
        let judge = self.judge.clone();
        let mail = self.mail(from, &judge, "", text);
        self.handles(way, &mail)
    }

    fn start(&self) -> Daemon {
        let child = self
            .program("run")
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Daemon(child)
    }

    fn waits_for_an_empty_inbox(&self) {
        let begun = Instant::now();
        while !self.inbox().waiting().unwrap().is_empty() {
            assert!(begun.elapsed() < PATIENCE, "the inbox stays full");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// What was sent since it was last asked for.
    fn collect(&self) -> Vec<Letter> {
        let outbox = Maildir::at(self.path("out"));
        let mut letters = Vec::new();
        for waiting in outbox.waiting().unwrap_or_default() {
            let bytes = outbox.read(&waiting.name, 1 << 24).unwrap().unwrap().bytes;
            letters.push(letter(&bytes));
            outbox.finish(&waiting.name).unwrap();
        }
        letters
    }

    fn registers(&mut self, who: &str) {
        let name = who.split('@').next().unwrap();
        let form = format!("REGISTER\nName: {name}\nLevel: Novice\nCountry: Sweden\nEND");
        self.arrives(who, &form);
    }

    /// Anna is the master of a game that is forming.
    fn with_a_game(more: &str) -> KeeperQueries {
        let mut queries = KeeperQueries::new(more);
        queries.registers("anna@ex.org");
        queries.arrives("anna@ex.org", "CREATE ?kaiser apw\nBECOME MASTER");
        queries.tick();
        assert!(
            has(&queries.collect(), "anna@ex.org", "You are now the Master"),
            "no game"
        );
        queries
    }
}

fn letter(bytes: &[u8]) -> Letter {
    let message = MessageParser::new().parse(bytes).unwrap();
    let address = |field: Option<&mail_parser::Address>| {
        let first = field.and_then(|list| list.first()?.address());
        first.map(str::to_owned)
    };
    Letter {
        from: address(message.from()).unwrap(),
        to: address(message.to()).unwrap(),
        reply_to: address(message.reply_to()),
        subject: message.subject().unwrap().to_owned(),
        text: message.body_text(0).unwrap().into_owned(),
        bytes: bytes.len(),
    }
}

/// Whether somebody got a mail with these words, wherever the lines break.
fn has(letters: &[Letter], to: &str, words: &str) -> bool {
    letters.iter().any(|letter| {
        let text: Vec<&str> = letter.text.split_whitespace().collect();
        letter.to == to && text.join(" ").contains(words)
    })
}

/// A running daemon, killed if a test forgets it.
struct Daemon(Child);

impl Daemon {
    fn stop(&mut self) {
        let id = self.0.id().to_string();
        let asked = Command::new("kill").args(["-TERM", &id]).status().unwrap();
        assert!(asked.success());
        assert!(self.0.wait().unwrap().success());
    }

    /// The most memory that it has had, in kB.
    fn most_memory(&self) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.0.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_seat_guessed_at_by_many_is_closed_to_passwords_and_not_to_its_player() {
    for way in WAYS {
        let mut queries = KeeperQueries::with_a_game("");
        let mut all = Vec::new();
        for number in 0..12 {
            let guess = format!("SIGNON Mkaiser guess{number}\nSET NOLIST");
            all.extend(queries.writes(way, &format!("stranger{number}@ex{number}.net"), &guess));
        }
        let told = |who: &str, subject: &str| {
            let to_him = |letter: &&Letter| letter.to == who && letter.subject.contains(subject);
            all.iter().filter(to_him).cloned().collect::<Vec<_>>()
        };
        let notices = told("anna@ex.org", "Wrong Passwords");
        assert_eq!(notices.len(), 1, "{way:?}");
        let keepers = told("keeper@keeper.example", "Passwords are guessed at");
        assert_eq!(keepers.len(), 1, "{way:?}");
        assert!(has(
            &all,
            "stranger9@ex9.net",
            "Wrong password, or not your power"
        ));
        assert!(has(&all, "stranger10@ex10.net", "No password is taken"));

        // Not even the right one, not even from her address, which anybody can write.
        for from in ["eve@ex.net", "anna@ex.org"] {
            let sent = queries.writes(way, from, "SIGNON Mkaiser apw\nSET COMMENT gone");
            assert!(has(&sent, from, "No password is taken"), "{way:?} {sent:?}");
        }
        // She answers the notice.
        let token = notices[0].reply_to.clone().unwrap();
        let answer = queries.mail("anna@ex.org", &token, "", "SET COMMENT mine\nLIST");
        let sent = queries.handles(way, &answer);
        let done = has(&sent, "anna@ex.org", "You changed the comment");
        assert!(done, "{way:?} {sent:?}");
    }
}

#[test]
fn an_hour_later_the_password_counts_again() {
    let mut queries = KeeperQueries::with_a_game("");
    for number in 0..10 {
        queries.arrives(
            &format!("s{number}@ex.net"),
            &format!("SIGNON Mkaiser g{number}"),
        );
    }
    queries.tick();
    queries.now += SignedDuration::from_mins(59);
    let sent = queries.writes(Way::Tick, "anna@ex.org", "SIGNON Mkaiser apw");
    assert!(has(&sent, "anna@ex.org", "No password is taken"));
    queries.now += SignedDuration::from_mins(2);
    let sent = queries.writes(Way::Tick, "anna@ex.org", "SIGNON Mkaiser apw");
    assert!(!has(&sent, "anna@ex.org", "No password is taken"));
}

#[test]
fn whom_the_trusted_host_vouches_for_signs_on_at_a_seat_that_is_closed() {
    let mut queries = KeeperQueries::with_a_game("[trust]\nauthserv_id = \"mx.example.org\"\n");
    let vouched = "Authentication-Results: mx.example.org; dmarc=pass header.from=ex.org\n";
    // Some of the guesses bear her From: they are not on her account.
    for number in 0..24 {
        let from = match number % 2 {
            0 => "anna@ex.org".to_owned(),
            _ => format!("s{number}@ex.net"),
        };
        queries.arrives(&from, &format!("SIGNON Mkaiser guess{number}"));
    }
    queries.tick();
    let judge = queries.judge.clone();
    let plain = queries.mail("anna@ex.org", &judge, "", "SIGNON Mkaiser apw");
    let sent = queries.handles(Way::Tick, &plain);
    assert!(!has(&sent, "anna@ex.org", "game 'kaiser' is forming"));
    let proven = queries.mail("anna@ex.org", &judge, vouched, "SIGNON Mkaiser apw\nLIST");
    let sent = queries.handles(Way::Tick, &proven);
    assert!(has(&sent, "anna@ex.org", "kaiser"), "{sent:?}");
    assert!(
        !has(&sent, "anna@ex.org", "No password is taken"),
        "{sent:?}"
    );
    assert!(!has(&sent, "anna@ex.org", "Too many"), "{sent:?}");
}

#[test]
fn guesses_at_a_game_that_forms_count_too() {
    let mut queries = KeeperQueries::new("");
    queries.registers("anna@ex.org");
    queries.arrives("anna@ex.org", "CREATE ?kaiser apw");
    for number in 0..12 {
        let line = format!("SIGNON ?kaiser guess{number}\nSET PASSWORD mine");
        queries.arrives("anna@ex.org", &line);
    }
    queries.arrives("anna@ex.org", "SIGNON ?kaiser apw\nSET PASSWORD mine");
    queries.tick();
    let sent = queries.collect();
    assert!(
        has(&sent, "anna@ex.org", "guessing your password"),
        "{sent:?}"
    );
    assert!(!has(&sent, "anna@ex.org", "Your password has been changed"));
}

#[test]
fn answers_to_one_address_end_whichever_process_gives_them() {
    for way in WAYS {
        let mut queries = KeeperQueries::with_a_game("[limits]\nreplies_per_hour = 5\n");
        let mut all = Vec::new();
        for number in 0..12 {
            all.extend(queries.writes(way, "zoe@ex.org", &format!("VERSION\nLIST x{number}")));
        }
        assert_eq!(all.len(), 6, "{way:?}");
        assert_eq!(all[5].subject, "Answers pause", "{way:?}");
        // Somebody else is answered all the same, and who was not is answered by the next day.
        assert_eq!(queries.writes(way, "ben@ex.org", "VERSION").len(), 1);
        if way != Way::Run {
            queries.now += SignedDuration::from_mins(61);
            assert_eq!(queries.writes(way, "zoe@ex.org", "VERSION").len(), 1);
        }
    }
}

#[test]
fn what_others_write_under_her_address_costs_her_no_answer_to_her_own_mails() {
    let mut queries = KeeperQueries::with_a_game("");
    let sent = queries.writes(Way::Tick, "anna@ex.org", "SIGNON Mkaiser apw\nLIST");
    let token = sent.iter().find_map(|letter| letter.reply_to.clone());
    for _ in 0..40 {
        queries.arrives("anna@ex.org", "VERSION");
    }
    queries.tick();
    queries.collect();
    let answer = queries.mail("anna@ex.org", &token.unwrap(), "", "VERSION");
    let sent = queries.handles(Way::Tick, &answer);
    assert!(has(&sent, "anna@ex.org", "This is dipjudge"), "{sent:?}");
}

#[test]
fn two_judges_whose_mails_lose_their_marks_fall_silent() {
    // Each looks for mail now and then, and once more often than it may answer in an hour; one knows the other, or not.
    for (minutes, registered, limits) in [
        (1, false, ""),
        (5, false, ""),
        (60, false, ""),
        (5, true, ""),
        (5, false, UNPROVEN),
    ] {
        let mut first = KeeperQueries::at("judge@one.example", limits);
        let mut second = KeeperQueries::at("judge@two.example", limits);
        if registered {
            first.registers("judge@two.example");
            first.arrives("judge@two.example", "CREATE ?kaiser apw");
            first.tick();
        }
        first.arrives("judge@two.example", "Good morning");
        let (mut silent, mut last) = (false, String::new());
        for _ in 0..60 {
            let mut passed = 0;
            for forth in [true, false] {
                let (from, to) = match forth {
                    true => (&mut first, &mut second),
                    false => (&mut second, &mut first),
                };
                from.tick();
                to.now = from.now + SignedDuration::from_mins(minutes);
                for letter in from.collect() {
                    let address = letter.reply_to.unwrap_or(letter.from);
                    assert!(letter.to.contains("judge"), "to {}", letter.to);
                    // As it comes: with no mark of a program, and answered where the other judge asks for answers.
                    let host = address.split('@').next_back().unwrap();
                    let mail = format!(
                        "From: {address}\nTo: {}\nSubject: {}\nMessage-ID: <{}.{minutes}.{forth}@{host}>\n\n{}\n",
                        letter.to, letter.subject, to.now, letter.text
                    );
                    passed += 1;
                    last = letter.text.clone();
                    let now = to.now;
                    to.inbox().deliver(mail.as_bytes(), Some(now)).unwrap();
                }
            }
            silent = passed == 0;
            if silent {
                break;
            }
        }
        assert!(silent, "they write on, every {minutes} minutes:\n{last}");
    }
}

#[test]
fn a_small_mail_is_not_answered_with_a_large_one() {
    let mut queries = KeeperQueries::with_a_game("");
    queries.writes(Way::Tick, "anna@ex.org", "SIGNON Mkaiser apw\nSET LIST");
    let same = "LIST kaiser\n".repeat(490);
    let sent = queries.writes(Way::Tick, "zoe@ex.org", &same);
    assert_eq!(sent.len(), 1);
    assert!(sent[0].bytes < 8_000, "{}", sent[0].bytes);
    assert!(has(&sent, "zoe@ex.org", "asked more than once"));

    // Different questions, and all files, again and again.
    let mut other: String = (0..400).map(|n| format!("LIST nobody{n}\n")).collect();
    for file in [
        "guide",
        "syntax",
        "master",
        "rules.life",
        "rules.bridge",
        "rules.outerspace",
        "map",
    ] {
        other += &format!("GET {file}\nGET PACKAGE\nVERSION\nGET info.{file}\n");
    }
    for most in [20_000, 100_000] {
        let mut queries = KeeperQueries::new(&format!("[limits]\nreply_bytes = {most}\n"));
        let sent = queries.writes(Way::Tick, "zoe@ex.org", &other);
        let text: usize = sent.iter().map(|letter| letter.text.len()).sum();
        let heads = 1_000 * sent.len();
        assert!(text < most + heads, "{text} of {most}");
        assert_eq!(
            has(&sent, "zoe@ex.org", "Ask for the rest in further mails"),
            text > most / 2
        );
    }
}

#[test]
fn sixty_heavy_mails_under_anothers_address_send_him_little() {
    let mut queries = KeeperQueries::new("[limits]\nreply_bytes_per_hour = 200000\n");
    for number in 0..60 {
        let files = "GET guide\nGET syntax\nGET master\nGET map\nGET press\nGET blind\n";
        let heavy = format!("VERSION\nLIST x{number}\n{files}GET PACKAGE\n");
        queries.arrives("victim@ex.org", &heavy);
    }
    queries.tick();
    let sent: usize = queries.collect().iter().map(|letter| letter.bytes).sum();
    assert!(sent < 300_000, "{sent}");
}

#[test]
fn who_sends_too_much_waits_but_not_with_what_bears_his_token() {
    let mut queries = KeeperQueries::with_a_game("[limits]\nmails_per_hour = 10\n");
    let sent = queries.writes(Way::Tick, "anna@ex.org", "SIGNON Mkaiser apw\nLIST");
    let token = sent.iter().find_map(|letter| letter.reply_to.clone());
    let begin = queries.now;
    for _ in 0..60 {
        queries.now += SignedDuration::from_secs(1);
        queries.arrives("anna@ex.org", "VERSION");
    }
    queries.now = begin + SignedDuration::from_mins(2);
    queries.arrives("ben@ex.org", "VERSION");
    queries.now = begin + SignedDuration::from_mins(3);
    let answer = queries.mail("anna@ex.org", &token.unwrap(), "", "VERSION");
    queries
        .inbox()
        .deliver(answer.as_bytes(), Some(queries.now))
        .unwrap();
    queries.now = begin + SignedDuration::from_mins(4);
    let said = queries.tick();
    let arrivals: Vec<Timestamp> = said
        .lines()
        .filter(|line| line.contains("message handled"))
        .filter_map(|line| {
            line.split("arrived=")
                .nth(1)?
                .split_whitespace()
                .next()?
                .parse()
                .ok()
        })
        .collect();
    assert_eq!(arrivals.len(), 62, "{said}");
    let place = |at: Timestamp| arrivals.iter().position(|arrived| *arrived == at).unwrap();
    let minute = |n| begin + SignedDuration::from_mins(n);
    let (ben, anna) = (place(minute(2)), place(minute(3)));
    assert!(ben <= 10 && anna <= 11, "{ben} {anna}");
    let rest: Vec<Timestamp> = arrivals[anna + 1..].to_vec();
    assert!(rest.is_sorted(), "her other mails keep their order");
}

#[test]
fn press_and_new_games_have_their_limits_over_processes() {
    let limits = "[limits]\npress_per_hour = 3\ncreates_per_day = 2\n";
    for way in [Way::Deliver, Way::Tick] {
        let mut queries = KeeperQueries::with_a_game(limits);
        queries.registers("ben@ex.org");
        queries.arrives("ben@ex.org", "SIGNON ?kaiser bpw");
        queries.tick();
        queries.collect();
        let mut letters = 0;
        for number in 0..5 {
            let press = format!("SIGNON ?kaiser bpw\nPRESS TO M\nnumber {number}\nENDPRESS");
            let sent = queries.writes(way, "ben@ex.org", &press);
            let refused = has(
                &sent,
                "ben@ex.org",
                "all the press I can forward within an hour",
            );
            assert_eq!(refused, number >= 3, "{way:?} {number}: {sent:?}");
            letters += sent
                .iter()
                .filter(|letter| letter.to == "anna@ex.org")
                .count();
        }
        assert_eq!(letters, 3, "{way:?}");
        for number in 0..4 {
            let create = format!("CREATE ?game{number} bpw");
            let sent = queries.writes(way, "ben@ex.org", &create);
            let done = has(&sent, "ben@ex.org", "has been created");
            assert_eq!(done, number < 2, "{way:?} {number}: {sent:?}");
        }
        queries.now += SignedDuration::from_hours(25);
        let sent = queries.writes(way, "ben@ex.org", "CREATE ?another bpw");
        assert!(has(&sent, "ben@ex.org", "has been created"), "{sent:?}");
    }
}

#[test]
fn a_thousand_passwords_take_no_more_memory_than_one() {
    let mut queries = KeeperQueries::new("");
    for number in 0..1_000 {
        queries.registers(&format!("p{number}@ex.org"));
        queries.arrives(
            &format!("p{number}@ex.org"),
            &format!("CREATE ?g{number}x w{number}"),
        );
    }
    let child = queries
        .program(&format!("tick --at {}", queries.now))
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut ticking = Daemon(child);
    let mut most = 0;
    let status = loop {
        most = ticking.most_memory().unwrap_or(0).max(most);
        match ticking.0.try_wait().unwrap() {
            Some(status) => break status,
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    assert!(status.success());
    let created = |letter: &&Letter| letter.text.contains("has been created");
    assert_eq!(queries.collect().iter().filter(created).count(), 1_000);
    assert!(most > 19_000, "it was not measured: {most} kB");
    assert!(most < 100_000, "{most} kB");
}

#[test]
fn an_address_that_has_proven_nothing_gets_a_little_and_the_rest_by_an_answer() {
    for way in WAYS {
        let mut queries = KeeperQueries::with_a_game(UNPROVEN);
        // A page is longer than a first answer.
        let sent = queries.writes(way, "tom@ex.net", "GET SYNTAX");
        let [asks] = sent.as_slice() else {
            panic!("{way:?} {sent:?}");
        };
        assert!(asks.bytes <= 2_000, "{way:?} {asks:?}");
        assert!(has(&sent, "tom@ex.net", "knows this address to be yours"));
        assert!(
            has(&sent, "tom@ex.net", "You asked this:"),
            "{way:?} {sent:?}"
        );
        assert!(has(&sent, "tom@ex.net", "GET SYNTAX"), "{way:?} {sent:?}");
        let token = asks.reply_to.clone().unwrap();

        // Somebody else who has learnt the token proves nothing by it.
        let stolen = queries.mail("eve@ex.com", &token, "", "GET SYNTAX");
        let sent = queries.handles(way, &stolen);
        assert!(sent.iter().all(|letter| letter.bytes <= 2_000), "{way:?}");

        let answer = queries.mail("tom@ex.net", &token, "", "YES");
        let sent = queries.handles(way, &answer);
        assert!(has(&sent, "tom@ex.net", "SIGNON"), "{way:?} {sent:?}");
        assert!(sent.iter().any(|letter| letter.bytes > 5_000), "{way:?}");
        // From now on he writes to the judge's own address.
        let sent = queries.writes(way, "tom@ex.net", "GET MASTER");
        assert!(sent.iter().any(|letter| letter.bytes > 5_000), "{way:?}");
    }
}

#[test]
fn a_map_goes_to_no_address_that_has_proven_nothing() {
    let mut queries = KeeperQueries::with_a_game(UNPROVEN);
    queries.arrives("anna@ex.org", "SIGNON Mkaiser apw\nSET LIST");
    queries.tick();
    queries.collect();
    let sent = queries.writes(Way::Tick, "victim@ex.com", "MAP kaiser");
    let bytes: usize = sent.iter().map(|letter| letter.bytes).sum();
    assert!(bytes <= 2_000, "{sent:?}");
    assert!(
        !sent
            .iter()
            .any(|letter| letter.text.contains("see the picture"))
    );
}

/// The flood bears the names of people in three domains; one of them is written often.
#[test]
fn a_flood_from_invented_addresses_carries_few_bytes_and_holds_no_player_back() {
    const FLOOD: usize = 1_000;
    let mut queries = KeeperQueries::with_a_game(UNPROVEN);
    queries.arrives("anna@ex.org", "SIGNON Mkaiser apw\nLIST");
    queries.tick();
    let known = queries.collect();
    let token = known
        .iter()
        .find_map(|letter| letter.reply_to.clone())
        .unwrap();

    let (judge, mut received) = (queries.judge.clone(), BTreeMap::new());
    for number in 0..FLOOD {
        let from = match number % 10 {
            0 => "often@ex.com".to_owned(),
            _ => format!("s{number}@ex{}.net", number % 3),
        };
        let text = ["MAP kaiser", "GET SYNTAX", "LIST", "HELP", "hello"][number % 5];
        let mail = queries.mail(&from, &judge, "", text);
        *received.entry(domain(&from)).or_insert(0) += mail.len();
        *received.entry("all".to_owned()).or_insert(0) += mail.len();
        queries
            .inbox()
            .deliver(mail.as_bytes(), Some(queries.now))
            .unwrap();
    }
    let mine = queries.mail("anna@ex.org", &token, "", "SET COMMENT mine");
    queries
        .inbox()
        .deliver(mine.as_bytes(), Some(queries.now))
        .unwrap();
    queries.tick();

    let sent = queries.collect();
    let place = sent.iter().position(|letter| letter.to == "anna@ex.org");
    assert!(place.is_some_and(|place| place < 10), "{place:?}");
    let (mut answered, mut first) = (BTreeMap::new(), BTreeSet::new());
    for letter in sent
        .iter()
        .filter(|letter| letter.to.starts_with(['s', 'o']))
    {
        if first.insert(letter.to.clone()) {
            assert!(letter.bytes <= 2_000, "{letter:?}");
        }
        *answered.entry(domain(&letter.to)).or_insert(0) += letter.bytes;
        *answered.entry("all".to_owned()).or_insert(0) += letter.bytes;
    }
    assert!(first.len() > 100, "{} were answered", first.len());
    for (account, bytes) in answered {
        let most = 2_000 + 5 * received[&account];
        assert!(bytes <= most, "{account}: {bytes} bytes of {most}");
    }
}

fn domain(address: &str) -> String {
    let (_, domain) = address.split_once('@').unwrap();
    domain.to_owned()
}
