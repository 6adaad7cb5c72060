//! A whole real game through real mail servers: Dovecot and Exim on this machine, with the program as its user would run it. The first phase is
//! played under the daemon by the clock, all others with `dipjudge tick --at`. And the same game through Maildirs gives the same mails.

mod games;
mod mail_system;
mod old_tools;

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use dipjudge::shell::demo::script::Step;
use games::maildir_office::{MaildirOffice, files};
use games::play::{Happened, Office, play, post};
use games::program::Program;
use games::received::Received;
use games::{checks, standard};
use jiff::Timestamp;
use mail_system::MailSystem;

/// The judge and everybody who plays, each with an account.
struct Servers {
    mail: MailSystem,
    program: Program,
    people: Vec<String>,
    taken: BTreeSet<PathBuf>,
}

impl Servers {
    fn new(mail: MailSystem, folder: &Path, people: &[&str]) -> Servers {
        let (ca_file, password_file) = (mail.ca_file(), folder.join("password"));
        fs::write(&password_file, MailSystem::password("judge")).unwrap();
        let ends = format!(
            "[inbox]\nkind = \"imap\"\nhost = \"localhost\"\nport = {}\ntls = \"implicit\"\nuser = \"judge\"\npassword_file = \"{password}\"\n\n\
             [outbox]\nkind = \"smtp\"\nhost = \"localhost\"\nport = {}\ntls = \"implicit\"\nuser = \"judge\"\npassword_file = \"{password}\"\n\n\
             [trust]\nca_file = \"{}\"\n",
            mail.ports.imaps,
            mail.ports.smtps,
            ca_file.display(),
            password = password_file.display(),
        );
        let people = people.iter().map(|name| (*name).to_owned()).collect();
        Servers {
            mail,
            program: Program::new(folder, &ends),
            people,
            taken: BTreeSet::new(),
        }
    }

    fn waiting(&self) -> usize {
        self.mail.mails("judge", "INBOX").len()
    }

    /// Until Exim has handed everything on.
    fn settle(&self) {
        let queue = self.mail.path().join("spool/input");
        let begun = Instant::now();
        while fs::read_dir(&queue).is_ok_and(|mut entries| entries.next().is_some()) {
            assert!(
                begun.elapsed() < Duration::from_secs(60),
                "mail stays in the queue\n{}",
                self.mail.logs()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Collects until something is there, or fails.
    fn await_until(
        &mut self,
        record: &mut Vec<Happened>,
        what: &str,
        there: &dyn Fn(&[Happened]) -> bool,
    ) {
        let begun = Instant::now();
        while !there(record) {
            assert!(
                begun.elapsed() < Duration::from_secs(90),
                "{what} does not come\n{}\n{}",
                self.program.log(),
                self.mail.logs()
            );
            std::thread::sleep(Duration::from_millis(50));
            record.extend(self.collect().into_iter().map(Happened::Came));
        }
    }
}

impl Office for Servers {
    /// Each look means a process, a connection and a mail through two servers.
    fn together(&self) -> bool {
        true
    }

    /// The judge's last look is at the hour at which a mail shall have arrived: whatever stamp the server gives it, it arrives then.
    fn expect(&mut self, at: Timestamp) {
        self.program.tick(at);
    }

    fn post(&mut self, from: &str, to: &str, bytes: &[u8], _at: Timestamp) {
        let before = self.waiting();
        smtp(self.mail.ports.smtp, from, to, bytes);
        let begun = Instant::now();
        // One after another, so that they lie in the mailbox in order. A daemon may have taken it already.
        while self.waiting() <= before && begun.elapsed() < Duration::from_secs(2) {
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn look(&mut self, at: Timestamp) {
        self.program.tick(at);
        assert_eq!(self.waiting(), 0, "every message was taken");
    }

    fn collect(&mut self) -> Vec<Received> {
        self.settle();
        let mut found = Vec::new();
        for name in &self.people {
            let inbox = self.mail.maildir(name, "INBOX");
            let mut paths: Vec<PathBuf> = ["new", "cur"]
                .iter()
                .flat_map(|part| files(&inbox.join(part)))
                .collect();
            paths.sort_by_key(|path| stamp(path));
            for path in paths {
                if self.taken.insert(path.clone()) {
                    found.push(Received::read(&fs::read(path).unwrap()));
                }
            }
        }
        found
    }
}

/// When Dovecot stored a message: seconds and microseconds of `1763708661.M45678P15652.host`.
fn stamp(path: &Path) -> (u64, u64) {
    let name = path.file_name().unwrap().to_str().unwrap();
    let (seconds, rest) = name.split_once('.').unwrap();
    let digits: String = rest
        .trim_start_matches('M')
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    (seconds.parse().unwrap_or(0), digits.parse().unwrap_or(0))
}

/// Hands one message to a mail server, as another mail server would.
fn smtp(port: u16, from: &str, to: &str, message: &[u8]) {
    let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let mut lines = BufReader::new(stream.try_clone().unwrap());
    let mut expect = |code: &str| {
        let mut line = String::new();
        while line.is_empty() || line.as_bytes().get(3) == Some(&b'-') {
            line.clear();
            lines.read_line(&mut line).unwrap();
        }
        assert!(line.starts_with(code), "{code} was expected: {line}");
    };
    let say = |line: &str| {
        (&stream)
            .write_all(format!("{line}\r\n").as_bytes())
            .unwrap()
    };
    expect("220");
    for (line, code) in [
        ("EHLO players.example", "250"),
        (&format!("MAIL FROM:<{from}>"), "250"),
        (&format!("RCPT TO:<{to}>"), "250"),
        ("DATA", "354"),
    ] {
        say(line);
        expect(code);
    }
    for line in message.split_inclusive(|byte| *byte == b'\n') {
        if line.starts_with(b".") {
            (&stream).write_all(b".").unwrap();
        }
        (&stream).write_all(line).unwrap();
    }
    say(".");
    expect("250");
    say("QUIT");
}

/// The first whole weeks by which the game is so much later than written that its second phase begins after now.
fn weeks() -> i64 {
    let second_phase: Timestamp = "2026-12-01T08:00:00Z".parse().unwrap();
    let behind = Timestamp::now().as_second() + 3600 - second_phase.as_second();
    (behind.max(0) + 7 * 86_400 - 1) / (7 * 86_400)
}

#[test]
fn the_game_comes_through_real_servers_as_through_maildirs() {
    let script = standard(weeks());
    let people: Vec<&str> = script
        .people
        .iter()
        .map(|person| person.name.as_str())
        .collect();
    let names: Vec<&str> = ["judge", "keeper"]
        .into_iter()
        .chain(people.iter().copied())
        .collect();
    let Some(mail) = MailSystem::start(&names) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let mut servers = Servers::new(mail, folder.path(), &people);
    let mut record = Vec::new();

    // The first phase, by the clock.
    let first = 1 + script
        .steps
        .iter()
        .position(|step| matches!(step, Step::Position(_)))
        .unwrap();
    let mut daemon = servers.program.daemon();
    for step in &script.steps[..first] {
        let Step::Mail(mail) = step else { continue };
        post(&script, mail, &mut servers, &mut record);
        let id = format!("<kaiser-{}@mail.test>", mail.number);
        servers.await_until(&mut record, &format!("the answer to {id}"), &|record| {
            record.iter().any(|happened| matches!(happened, Happened::Came(came) if came.reader() == mail.from && came.in_reply_to.as_ref() == Some(&id)))
        });
        assert!(daemon.runs(), "{}", servers.program.log());
    }
    servers.await_until(&mut record, "the first results", &|record| {
        record.iter().filter(|happened| matches!(happened, Happened::Came(came) if checks::is_results(came, "S1901M"))).count() == 9
    });
    daemon.stop();
    record.extend(
        script.steps[..first]
            .iter()
            .rev()
            .find_map(|step| match step {
                Step::Position(position) => Some(Happened::Should(position.clone())),
                _ => None,
            }),
    );

    // All others, with dates.
    play(&script, &script.steps[first..], &mut servers, &mut record);
    checks::everything(&script, &record);
    assert!(
        servers.mail.mails("keeper", "INBOX").is_empty(),
        "nothing is wrong that the keeper would hear of"
    );

    // The same through Maildirs.
    let folder = tempfile::tempdir().unwrap();
    let script = standard(0);
    let mut office = MaildirOffice::new(folder.path(), "");
    office.together = true;
    let mut same = Vec::new();
    play(&script, &script.steps, &mut office, &mut same);
    for person in &script.people {
        let (by_servers, by_maildirs) = (told(&person.name, &record), told(&person.name, &same));
        for (at, (a, b)) in by_servers.iter().zip(&by_maildirs).enumerate() {
            assert_eq!(a, b, "mail {at} to {}", person.name);
        }
        assert_eq!(
            by_servers.len(),
            by_maildirs.len(),
            "mails to {}",
            person.name
        );
    }
}

/// Seven players who do not know each other, and a letter with its answer, through two servers each way.
#[test]
fn a_letter_to_a_hidden_player_is_answered_through_real_servers() {
    const POWERS: [(&str, char); 7] = [
        ("anna", 'A'),
        ("ben", 'E'),
        ("cleo", 'F'),
        ("dirk", 'G'),
        ("emma", 'I'),
        ("finn", 'R'),
        ("gwen", 'T'),
    ];
    let people: Vec<&str> = POWERS.iter().map(|(name, _)| *name).collect();
    let names: Vec<&str> = ["judge", "keeper"]
        .into_iter()
        .chain(people.iter().copied())
        .collect();
    let Some(mail) = MailSystem::start(&names) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let mut servers = Servers::new(mail, folder.path(), &people);
    let mut hour = Timestamp::now();
    let mut round = |mails: &[(&str, &str, String)]| -> Vec<Received> {
        hour += jiff::SignedDuration::from_mins(1);
        servers.expect(hour);
        for (from, to, body) in mails {
            let message = format!(
                "From: {from} Example <{from}@mail.test>\r\nTo: {to}\r\nX-Mailer: Suisen 7.2\r\n\
                 Date: Mon, 30 Nov 2026 20:47:05 +0900\r\nMessage-ID: <{}.{from}@laptop.mail.test>\r\n\r\n{}\r\n",
                hour.as_millisecond(),
                body.replace('\n', "\r\n")
            );
            servers.post(&format!("{from}@mail.test"), to, message.as_bytes(), hour);
        }
        servers.look(hour);
        servers.collect()
    };
    let judge = games::JUDGE;
    let each = |words: &dyn Fn(&str, char) -> String| {
        POWERS.map(|(name, letter)| (name, judge, words(name, letter)))
    };
    round(&each(&|name, _| {
        format!("REGISTER\nName: {name}\nEmail: {name}@mail.test\nEND")
    }));
    let create = "CREATE ?tokyo annas-word gunboat\nSET PREFERENCE A";
    round(&[("anna", judge, create.to_owned())]);
    let joined = round(&each(&|name, letter| match letter {
        'A' => "LIST".to_owned(),
        _ => format!("SIGNON ?tokyo {name}s-word gunboat\nSET PREFERENCE {letter}"),
    }));
    let begun = |mail: &&Received| mail.subject.ends_with("Game Starting");
    assert_eq!(joined.iter().filter(begun).count(), 7);

    let press = "SIGNON Etokyo bens-word\nPRESS TO F\nShall we leave the Channel empty?\nENDPRESS";
    let sent = round(&[("ben", judge, press.to_owned())]);
    let letter = sent.iter().find(|mail| mail.reader() == "cleo").unwrap();
    let address = letter.reply_to.clone().unwrap();
    let words = "We shall.\n\nOn Mon, 30 Nov 2026 at 19:30, USXX judge <judge@mail.test> wrote:\n> Shall we leave the \
                 Channel empty?\n\n-- \nCleo Example, Osaka";
    let answered = round(&[("cleo", &address, words.to_owned())]);
    let answer = answered.iter().find(|mail| mail.reader() == "ben").unwrap();
    assert_eq!(answer.subject, "USXX:tokyo - S1901M Press from F to E");
    assert!(
        answer
            .body
            .contains("Message from France to England in 'tokyo':")
    );
    assert!(answer.body.contains("We shall.") && !answer.body.contains("Channel"));
    let header = format!("{:?}", answer).to_lowercase();
    for telling in ["cleo", "suisen", "laptop", "osaka", "+0900"] {
        assert!(!header.contains(telling), "{telling}: {header}");
    }
    let own = answered
        .iter()
        .find(|mail| mail.reader() == "cleo")
        .unwrap();
    assert!(own.body.contains("Message sent to England:"));
    assert_eq!(answered.len(), 2);
}

/// What somebody read, without dates and ids. Mails of one hour may overtake each other on the way: they are sorted by what the judge's own
/// date and subject say.
fn told(name: &str, record: &[Happened]) -> Vec<(String, String)> {
    let mut hours: Vec<Vec<(String, String)>> = vec![Vec::new()];
    for happened in record {
        match happened {
            Happened::Came(came) if came.reader() == name => {
                hours.last_mut().unwrap().push(came.normalised())
            }
            Happened::Should(_) => hours.push(Vec::new()),
            _ => {}
        }
    }
    hours.iter_mut().for_each(|hour| hour.sort());
    hours.concat()
}
