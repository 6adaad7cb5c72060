//! The program as its keeper runs it: a folder, two Maildirs, and the commands.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::piped::piped;

use dipjudge::shell::maildir::Maildir;
use jiff::Timestamp;

const PATIENCE: Duration = Duration::from_secs(60);

/// A judge's folder, as `init` makes it.
struct KeeperQueries {
    folder: tempfile::TempDir,
}

impl KeeperQueries {
    fn new() -> KeeperQueries {
        let desk = KeeperQueries {
            folder: tempfile::tempdir().unwrap(),
        };
        let output = desk
            .program()
            .args(["init"])
            .arg(desk.path(""))
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        desk
    }

    /// A mail that the server stamped at this hour, or now.
    fn arrives(&self, mail: &str, hour: Option<&str>) {
        let mail = mail.as_bytes();
        self.inbox().deliver(mail, hour.map(at)).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The program, with no more of our environment than it needs.
    fn program(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dipjudge"));
        command.env_clear().current_dir(self.folder.path());
        command
    }

    fn run(&self, line: &str) -> Output {
        self.program()
            .args(line.split_whitespace())
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    fn ends(&self, line: &str, code: i32) -> String {
        let output = self.run(line);
        assert_eq!(output.status.code(), Some(code), "{line}: {output:?}");
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    }

    fn deliver(&self, words: &[&str], message: &str, sender: Option<&str>) -> Output {
        let mut command = self.program();
        command.arg("deliver").args(words);
        if let Some(sender) = sender {
            command
                .env("SENDER", sender)
                .env("RECIPIENT", "judge@example.org");
        }
        piped(&mut command, message)
    }

    fn inbox(&self) -> Maildir {
        Maildir::at(self.path("mail/in"))
    }

    fn outbox(&self) -> Maildir {
        Maildir::at(self.path("mail/out"))
    }

    /// What was sent so far: recipient, subject, text.
    fn sent(&self) -> Vec<(String, String, String)> {
        let waiting = self.outbox().waiting().unwrap();
        let read = |name| self.outbox().read(name, 1 << 20).unwrap().unwrap().bytes;
        waiting
            .iter()
            .map(|waiting| {
                let bytes = read(&waiting.name);
                let message = mail_parser::MessageParser::new().parse(&bytes).unwrap();
                let to = message
                    .to()
                    .unwrap()
                    .first()
                    .unwrap()
                    .address()
                    .unwrap()
                    .to_owned();
                (
                    to,
                    message.subject().unwrap().to_owned(),
                    message.body_text(0).unwrap().into_owned(),
                )
            })
            .collect()
    }

    fn configure(&self, from: &str, to: &str) {
        let file = self.path("dipjudge.toml");
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains(from), "{from}");
        fs::write(file, text.replacen(from, to, 1)).unwrap();
    }

    fn start(&self) -> Daemon {
        let log = fs::File::create(self.path("log")).unwrap();
        let child = self
            .program()
            .arg("run")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        let daemon = Daemon {
            child,
            log: self.path("log"),
        };
        daemon.waits_for("running");
        daemon
    }
}

/// A running daemon, killed if a test forgets it.
struct Daemon {
    child: Child,
    log: PathBuf,
}

impl Daemon {
    fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap()
    }

    fn waits_for(&self, text: &str) {
        until(
            || self.log().contains(text),
            || format!("no {text:?} in the log:\n{}", self.log()),
        );
    }

    fn signal(&self, name: &str) {
        let done = Command::new("kill")
            .arg(format!("-{name}"))
            .arg(self.child.id().to_string())
            .status()
            .unwrap();
        assert!(done.success());
    }

    fn ends(&mut self) -> i32 {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code().unwrap_or(-1);
            }
            assert!(
                begun.elapsed() < PATIENCE,
                "it does not end:\n{}",
                self.log()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn until(mut holds: impl FnMut() -> bool, why: impl Fn() -> String) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < PATIENCE, "{}", why());
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn mail(from: &str, id: u32, text: &str) -> String {
    format!(
        "From: {from}@example.org\nTo: judge@example.org\nSubject: mail {id}\nMessage-ID: <{id}.{from}@example.org>\n\
         Date: Mon, 02 Mar 2026 18:00:00 +0000\n\n{text}\n"
    )
}

fn registration(from: &str, id: u32) -> String {
    mail(
        from,
        id,
        &format!("REGISTER\nName: {from} Example\nEmail: {from}@example.org\nLevel: Novice\nEND"),
    )
}

fn count(maildir: &Path, part: &str) -> usize {
    fs::read_dir(maildir.join(part)).map_or(0, Iterator::count)
}

const NOON: &str = "2026-03-02T12:00:00Z";

#[test]
fn init_makes_a_judge_and_never_overwrites() {
    let desk = KeeperQueries::new();
    let config = fs::read_to_string(desk.path("dipjudge.toml")).unwrap();
    for maildir in ["mail/in", "mail/out", "data/spool"] {
        assert!(desk.path(maildir).join("new").is_dir(), "{maildir}");
    }
    fs::write(desk.path("dipjudge.toml"), format!("{config}\n# mine\n")).unwrap();
    let said = desk.ends("init", 1);
    assert!(said.contains("nothing was changed"), "{said}");
    assert!(
        fs::read_to_string(desk.path("dipjudge.toml"))
            .unwrap()
            .ends_with("# mine\n")
    );
}

#[test]
fn a_tick_takes_the_mail_answers_and_is_done() {
    let desk = KeeperQueries::new();
    desk.arrives(&registration("anna", 1), Some(NOON));
    desk.arrives(
        &mail("anna", 2, "CREATE ?kaiser apw"),
        Some("2026-03-02T12:05:00Z"),
    );
    desk.ends("tick --at 2026-03-02T12:10:00Z", 0);
    assert_eq!(
        (
            count(&desk.path("mail/in"), "new"),
            count(&desk.path("mail/in"), "cur")
        ),
        (0, 2)
    );
    let sent = desk.sent();
    assert!(
        sent.iter().all(|(to, ..)| to == "anna@example.org"),
        "{sent:?}"
    );
    assert!(
        sent.iter()
            .any(|(_, _, text)| text.contains("Game 'kaiser' has been created.")),
        "{sent:?}"
    );

    // The same message once more, as another file: it counts once.
    desk.arrives(&registration("anna", 1), Some(NOON));
    desk.ends("tick --at 2026-03-02T12:20:00Z", 0);
    assert_eq!(desk.sent(), sent);
    assert_eq!(count(&desk.path("mail/in"), "cur"), 3);

    let games = desk.ends("games", 0);
    assert!(games.contains("kaiser"), "{games}");
    let game = desk.ends("show Kaiser", 0);
    assert!(
        game.contains("anna@example.org") && game.contains("is forming"),
        "{game}"
    );
    let said = desk.ends("show keiser", 1);
    assert!(said.contains("did you mean 'kaiser'?"), "{said}");
}

#[test]
fn no_tick_goes_back_in_time() {
    let desk = KeeperQueries::new();
    desk.arrives(&registration("anna", 1), Some(NOON));
    desk.ends("tick --at 2026-03-02T12:10:00Z", 0);
    let said = desk.ends("tick --at 2026-03-02T12:09:59Z", 1);
    assert!(said.contains("2026-03-02T12:10:00Z"), "{said}");
    desk.ends("tick --at 2026-03-02T12:10:00Z", 0);
    let refused = desk.deliver(
        &["--at", "2026-03-02T11:00:00Z"],
        &registration("bert", 2),
        None,
    );
    assert_eq!(refused.status.code(), Some(75));
    assert_eq!(count(&desk.path("data/spool"), "new"), 0);
}

#[test]
fn a_delivered_message_is_handled_at_once() {
    let desk = KeeperQueries::new();
    let piped = format!(
        "From anna@example.org Mon Mar  2 12:00:00 2026\n{}",
        registration("anna", 1)
    );
    let output = desk.deliver(&["--at", NOON], &piped, Some("anna@example.org"));
    assert!(output.status.success(), "{output:?}");
    assert_eq!(desk.sent()[0].0, "anna@example.org");
    assert_eq!(
        (
            count(&desk.path("data/spool"), "new"),
            count(&desk.path("data/spool"), "cur")
        ),
        (0, 1)
    );
    // A bounce is never answered.
    let output = desk.deliver(
        &["--at", NOON],
        &mail("MAILER-DAEMON", 2, "No such user."),
        Some(""),
    );
    assert!(output.status.success(), "{output:?}");
    assert_eq!(desk.sent().len(), 1);
}

#[test]
fn deliver_ends_with_0_or_75_whatever_is_wrong() {
    let desk = KeeperQueries::new();
    let code = |output: Output| output.status.code();
    let message = registration("anna", 1);
    assert_eq!(code(desk.deliver(&["--wrong"], &message, None)), Some(75));
    assert_eq!(
        code(desk.deliver(&["--at", "soon"], &message, None)),
        Some(75)
    );
    assert_eq!(
        code(desk.deliver(&["--config", "nowhere.toml"], &message, None)),
        Some(75)
    );
    assert_eq!(code(desk.deliver(&[], "", None)), Some(75));
    assert!(desk.ends("deliver --help", 0).contains("Usage"));

    desk.configure("name = ", "nam = ");
    assert_eq!(code(desk.deliver(&[], &message, None)), Some(75));
    desk.configure("nam = ", "name = ");
    // A store that cannot be opened: the message is safe, and that is what counts.
    fs::remove_dir_all(desk.path("data/sled")).unwrap();
    fs::write(desk.path("data/sled"), "no store").unwrap();
    let output = desk.deliver(&[], &message, None);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(count(&desk.path("data/spool"), "new"), 1);
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("safe in the spool")
    );
}

#[test]
fn an_unknown_key_is_told_with_the_nearest_one() {
    let desk = KeeperQueries::new();
    desk.configure("timezone = ", "timezon = ");
    let said = desk.ends("tick", 1);
    assert!(
        said.contains("timezon") && said.contains("timezone"),
        "{said}"
    );
    assert_eq!(said.trim_end().lines().count(), 1, "{said}");
}

#[test]
fn the_environment_overrules_the_file() {
    let desk = KeeperQueries::new();
    let mut command = desk.program();
    command
        .args(["fetch-check"])
        .env("DIPJUDGE_INBOX__PATH", "elsewhere");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(desk.path("elsewhere/new").is_dir());
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(
        said.contains("no message waits") && said.contains("Warning: "),
        "{said}"
    );
}

#[test]
fn a_wrong_command_line_is_2() {
    let desk = KeeperQueries::new();
    for line in [
        "",
        "dance",
        "tick --at noon",
        "show",
        "--config",
        "show deliver more",
    ] {
        desk.ends(line, 2);
    }
    let help = desk.ends("--help", 0);
    for command in [
        "init",
        "run",
        "deliver",
        "tick",
        "games",
        "show",
        "backup",
        "restore",
        "status",
        "fetch-check",
    ] {
        assert!(help.contains(command), "{help}");
        assert!(
            desk.ends(&format!("{command} --help"), 0).contains("Usage"),
            "{command}"
        );
    }
    assert!(desk.ends("completions bash", 0).contains("dipjudge"));
    let man = desk.ends("man", 0);
    assert!(man.starts_with(".ie"));
    // Commands stand there as they are typed, those of a command too, and no other page is named, since there may be none.
    assert!(man.contains("dipjudge set\\-aside retry"), "{man}");
    assert!(!man.contains("(1)"), "{man}");
}

#[test]
fn each_command_has_a_manual_page_of_its_own() {
    let desk = KeeperQueries::new();
    desk.ends(&format!("man {}", desk.path("pages").display()), 0);
    let text_of = |name: &str| {
        let file = desk.path("pages").join(format!("{name}.1"));
        fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file:?}: {error}"))
    };
    let whole = text_of("dipjudge");
    let help = desk.ends("--help", 0);
    let (_, commands) = help.split_once("Commands:\n").unwrap();
    let commands = commands.lines().take_while(|line| !line.is_empty());
    let names: Vec<&str> = commands
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|name| !name.is_empty() && *name != "help")
        .collect();
    assert!(names.len() > 20, "{names:?}");
    for name in names {
        assert!(
            text_of(&format!("dipjudge-{name}")).contains(".SH SYNOPSIS"),
            "{name}"
        );
        let listed = format!("dipjudge\\-{}", name.replace('-', "\\-"));
        assert!(whole.contains(&listed), "{name}");
    }
}

#[test]
fn the_outbox_is_tried() {
    let desk = KeeperQueries::new();
    let said = desk.ends("send-check keeper@example.org", 0);
    assert!(said.contains("mail/out"), "{said}");
    assert_eq!(desk.sent()[0].0, "keeper@example.org");
    let said = desk.ends("send-check nobody", 1);
    assert!(
        said.starts_with("dipjudge: cannot write to nobody"),
        "{said}"
    );
}

#[test]
fn a_backup_is_restored_into_an_empty_folder_only() {
    let desk = KeeperQueries::new();
    desk.arrives(&registration("anna", 1), Some(NOON));
    desk.arrives(&mail("anna", 2, "CREATE ?kaiser apw"), Some(NOON));
    desk.ends("tick --at 2026-03-02T12:10:00Z", 0);
    desk.ends("backup copy.jsonl", 0);
    assert_eq!(
        fs::metadata(desk.path("copy.jsonl"))
            .unwrap()
            .permissions()
            .mode()
            & 0o777,
        0o600
    );
    let said = desk.ends("restore copy.jsonl", 1);
    assert!(said.contains("not empty"), "{said}");
    let before = desk.ends("games", 0);
    fs::remove_dir_all(desk.path("data")).unwrap();
    let said = desk.ends("games", 1);
    assert!(said.contains("has never run here"), "{said}");
    assert!(!desk.path("data").exists());
    desk.ends("restore copy.jsonl", 0);
    assert_eq!(desk.ends("games", 0), before);
    // What was handled stays handled.
    let sent = desk.sent().len();
    desk.arrives(&registration("anna", 1), Some(NOON));
    desk.ends("tick --at 2026-03-02T12:20:00Z", 0);
    assert_eq!(desk.sent().len(), sent);
}

#[test]
fn the_daemon_works_by_itself_and_answers_beside() {
    let desk = KeeperQueries::new();
    let mut daemon = desk.start();
    desk.arrives(&registration("anna", 1), None);
    until(|| desk.sent().len() == 1, || daemon.log());
    let output = desk.deliver(&[], &mail("anna", 2, "CREATE ?kaiser apw"), None);
    assert!(output.status.success(), "{output:?}");
    until(|| desk.sent().len() >= 2, || daemon.log());

    let said = desk.ends("tick", 1);
    assert!(said.contains("the daemon is running"), "{said}");
    assert!(desk.ends("games", 0).contains("kaiser"));
    assert!(desk.ends("show kaiser", 0).contains("anna@example.org"));
    assert!(desk.ends("status", 0).contains("daemon       running"));
    let status: serde_json::Value = serde_json::from_str(&desk.ends("status --json", 0)).unwrap();
    assert_eq!(
        (&status["messages"], &status["outbox"]["mails"]),
        (&2.into(), &0.into())
    );
    let socket = fs::metadata(desk.path("data/control.sock")).unwrap();
    assert_eq!(socket.permissions().mode() & 0o777, 0o600);
    desk.ends("backup copy.jsonl", 0);
    let said = desk.ends("restore copy.jsonl", 1);
    assert!(
        said.contains("running") || said.contains("not empty"),
        "{said}"
    );

    daemon.signal("TERM");
    assert_eq!(daemon.ends(), 0);
    assert!(!desk.path("data/control.sock").exists());
    let log = daemon.log();
    assert!(
        log.contains("message handled") && log.contains("kaiser"),
        "{log}"
    );
    assert!(!log.contains("apw") && !log.contains("Novice"), "{log}");

    // The copy that was made beside the daemon is whole.
    fs::remove_dir_all(desk.path("data")).unwrap();
    desk.ends("restore copy.jsonl", 0);
    assert!(desk.ends("games", 0).contains("kaiser"));
}

#[test]
fn the_daemon_reads_its_config_again() {
    let desk = KeeperQueries::new();
    let mut daemon = desk.start();
    desk.configure("name = \"USXX\"", "name = \"EUYY\"");
    daemon.signal("HUP");
    daemon.waits_for("the config was read again");
    desk.arrives(&registration("anna", 1), None);
    until(|| desk.sent().len() == 1, || daemon.log());
    assert!(
        desk.sent()[0].2.contains(":: Judge: EUYY"),
        "{:?}",
        desk.sent()
    );

    // What cannot be used changes nothing.
    desk.configure("name = \"EUYY\"", "naem = \"EUYY\"");
    daemon.signal("HUP");
    daemon.waits_for("the config in force stays");
    desk.arrives(&registration("bert", 2), None);
    until(|| desk.sent().len() == 2, || daemon.log());
    daemon.signal("INT");
    assert_eq!(daemon.ends(), 0);
}

#[test]
fn an_edited_template_is_used_and_a_wrong_one_named() {
    let desk = KeeperQueries::new();
    fs::create_dir(desk.path("mailtemplates")).unwrap();
    let file = desk.path("mailtemplates/list-brief.md");
    fs::write(&file, "Played here:\n{{ games }}\n").unwrap();
    desk.arrives(&registration("anna", 1), Some(NOON));
    desk.arrives(&mail("anna", 2, "CREATE ?kaiser apw"), Some(NOON));
    desk.ends("tick --at 2026-03-02T12:10:00Z", 0);
    let games = desk.ends("games", 0);
    let lines: Vec<&str> = games.lines().collect();
    assert_eq!(lines[0], "Played here:");
    assert!(lines[3].starts_with("kaiser "), "{games}");
    fs::write(&file, "{{ gmaes }}\n").unwrap();
    let said = desk.ends("tick", 1);
    assert!(
        said.contains("list-brief.md") && said.contains("gmaes"),
        "{said}"
    );
}

#[test]
fn a_position_is_adjudicated_from_standard_input() {
    let filter = |lines: &str, words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dipjudge"));
        command.arg("adjudicate").args(words).env_clear();
        let output = piped(&mut command, lines);
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
        )
    };
    let position = r#"{"id":"x","name":"S1901M","state":{"units":{"FRANCE":["A PAR","A MAR"],"GERMANY":["A MUN"]},"centers":{}},"orders":{"FRANCE":["Army Paris-Bur","a mar s par-bur"],"GERMANY":["A MUN - BUR"]}}"#;
    let (code, said) = filter(
        &format!("{position}\n{position}\n"),
        &["--jobs", "2", "--results-only"],
    );
    assert_eq!((code, said.lines().count()), (Some(0), 2), "{said}");
    let result: serde_json::Value = serde_json::from_str(said.lines().next().unwrap()).unwrap();
    assert_eq!(result["errors"], serde_json::json!([]));
    assert_eq!(result["results"]["A PAR"], serde_json::json!([]));
    assert_eq!(result["results"]["A MUN"], serde_json::json!(["bounce"]));
    let (code, said) = filter(&format!("no position\n{position}\n"), &[]);
    assert_eq!((code, said.lines().count()), (Some(1), 2), "{said}");
}

#[test]
fn two_deliveries_at_once_are_both_handled() {
    let desk = KeeperQueries::new();
    std::thread::scope(|scope| {
        for (n, name) in ["anna", "bert", "carl", "dora", "emma", "fritz"]
            .iter()
            .enumerate()
        {
            let desk = &desk;
            scope.spawn(move || {
                let output = desk.deliver(&[], &registration(name, n as u32), None);
                assert!(output.status.success(), "{output:?}");
            });
        }
    });
    let mut readers: Vec<String> = desk.sent().into_iter().map(|(to, ..)| to).collect();
    readers.sort();
    assert_eq!(readers.len(), 6, "{readers:?}");
    assert_eq!(count(&desk.path("data/spool"), "new"), 0);
}

/// A command such as `status` has the store for a moment and does not look into the spool.
#[test]
fn a_message_delivered_while_a_command_reads_the_store_is_handled_by_that_delivery() {
    let desk = KeeperQueries::new();
    let read = dipjudge_store::Store::open(&desk.path("data")).unwrap();
    std::thread::scope(|scope| {
        let delivery = scope.spawn(|| desk.deliver(&[], &registration("anna", 1), None));
        while count(&desk.path("data/spool"), "new") == 0 {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        drop(read);
        let output = delivery.join().unwrap();
        assert!(output.status.success(), "{output:?}");
    });
    assert_eq!(count(&desk.path("data/spool"), "new"), 0);
    assert_eq!(desk.sent().len(), 1);
}

#[test]
fn games_are_created_by_those_whom_the_keeper_names() {
    let desk = KeeperQueries::new();
    desk.configure(
        "#create = \"registered\"",
        "create = \"allowed\"\ncreators = \"Anna@example.org, gm@example.org\"",
    );
    for (name, number) in [("anna", 1), ("bert", 2)] {
        desk.arrives(&registration(name, number), Some(NOON));
    }
    desk.arrives(&mail("bert", 3, "CREATE ?konig bpw"), Some(NOON));
    desk.arrives(&mail("anna", 4, "CREATE ?kaiser apw"), Some(NOON));
    desk.ends("tick --at 2026-03-02T12:10:00Z", 0);
    let games = desk.ends("games", 0);
    assert!(
        games.contains("kaiser") && !games.contains("konig"),
        "{games}"
    );
    let refused = "Games are created here only by those whom the keeper has allowed to.";
    let to: Vec<String> = desk
        .sent()
        .into_iter()
        .filter(|(_, _, text)| text.contains(refused))
        .map(|(to, ..)| to)
        .collect();
    assert_eq!(to, ["bert@example.org"]);
}

/// A text with a photo of more than a mail may have.
fn with_photo(from: &str, id: u32, text: &str) -> String {
    let photo = format!("{}\n", "/9j/4AAQ".repeat(9)).repeat(20_000);
    let parts = format!(
        "--photo\nContent-Type: text/plain\n\n{text}\n--photo\nContent-Type: image/jpeg\n\
         Content-Disposition: attachment; filename=photo.jpg\nContent-Transfer-Encoding: base64\n\n{photo}--photo--"
    );
    let kind = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=photo\nTo: judge";
    mail(from, id, &parts).replacen("To: judge", kind, 1)
}

#[test]
fn a_mail_with_a_large_photo_is_read_through_pipe_inbox_and_daemon() {
    let desk = KeeperQueries::new();
    let form = |name: &str| format!("REGISTER\nName: {name} Example\nLevel: Novice\nEND");
    let piped = with_photo("anna", 1, &form("anna"));
    assert!(piped.len() > 1 << 20);
    let output = desk.deliver(&["--at", NOON], &piped, Some("anna@example.org"));
    assert!(output.status.success(), "{output:?}");
    desk.arrives(&with_photo("ben", 2, &form("ben")), Some(NOON));
    desk.ends("tick --at 2026-03-02T12:10:00Z", 0);
    let daemon = desk.start();
    desk.arrives(&with_photo("cleo", 3, &form("cleo")), None);
    until(|| desk.sent().len() == 3, || format!("{:?}", desk.sent()));
    drop(daemon);
    let sent = desk.sent();
    for name in ["anna", "ben", "cleo"] {
        let to = format!("{name}@example.org");
        let answer = sent.iter().find(|(have, _, _)| *have == to);
        let (_, _, text) = answer.unwrap_or_else(|| panic!("{name} is not answered: {sent:?}"));
        assert!(
            text.contains("larger than 1024 kB") && text.contains("first text"),
            "{text}"
        );
        assert!(text.contains(&format!("{name} Example")), "{text}");
        assert!(!text.contains("was not read:"), "{text}");
    }
}

#[test]
fn of_a_message_too_large_the_beginning_is_read() {
    let desk = KeeperQueries::new();
    desk.configure("#bytes = 1048576", "bytes = 4096");
    let large = mail("anna", 1, &"A Par-Bur\n".repeat(1000));
    assert!(desk.deliver(&["--at", NOON], &large, None).status.success());
    desk.inbox()
        .deliver(
            large
                .replace("mail 1", "mail 2")
                .replace("<1.", "<2.")
                .as_bytes(),
            Some(at(NOON)),
        )
        .unwrap();
    desk.ends("tick --at 2026-03-02T12:10:00Z", 0);
    let sent = desk.sent();
    assert_eq!(sent.len(), 2, "{sent:?}");
    assert!(
        sent.iter()
            .all(|(to, _, text)| to == "anna@example.org" && text.contains("large")),
        "{sent:?}"
    );
}

#[test]
fn a_test_mail_goes_out_and_comes_back_each_day() {
    let desk = KeeperQueries::new();
    let config = desk.path("dipjudge.toml");
    let text = fs::read_to_string(&config).unwrap();
    fs::write(&config, text.replace("#daily = false", "daily = true")).unwrap();
    desk.ends("tick --at 2026-03-02T12:00:00Z", 0);
    let test_mails = || -> Vec<String> {
        let sent = desk.sent().into_iter();
        let tests = sent.filter(|(_, subject, _)| subject.contains("Test of the mail"));
        tests.map(|(to, _, _)| to).collect()
    };
    assert_eq!(test_mails().len(), 1, "{:?}", desk.sent());
    assert!(test_mails()[0].contains("+probe"), "{:?}", test_mails());
    // It comes back as it was sent, and nobody hears of it.
    let message = |number: usize| {
        let waiting = desk.outbox().waiting().unwrap();
        let read = waiting.iter().map(|waiting| {
            let message = desk.outbox().read(&waiting.name, 1 << 20).unwrap().unwrap();
            String::from_utf8(message.bytes).unwrap()
        });
        let tests = read.filter(|text| text.contains("+probe"));
        tests.collect::<Vec<String>>()[number].clone()
    };
    desk.arrives(&message(0), Some("2026-03-02T12:05:00Z"));
    desk.ends("tick --at 2026-03-02T12:10:00Z", 0);
    let before = desk.sent().len();
    desk.ends("tick --at 2026-03-02T20:00:00Z", 0);
    assert_eq!(desk.sent().len(), before, "{:?}", desk.sent());
    // The next day the far end says that the relay is not allowed.
    desk.ends("tick --at 2026-03-03T12:00:00Z", 0);
    assert_eq!(test_mails().len(), 2);
    let judged =
        "Authentication-Results: mx.example.net; spf=fail smtp.mailfrom=judge@example.org\r\n";
    desk.arrives(
        &format!("{judged}{}", message(1)),
        Some("2026-03-03T12:05:00Z"),
    );
    desk.ends("tick --at 2026-03-03T12:10:00Z", 0);
    let told = |words: &str| {
        let mut sent = desk.sent().into_iter();
        sent.any(|(_, _, text)| {
            text.split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
                .contains(words)
        })
    };
    assert!(told("does not allow the relay"), "{:?}", desk.sent());
    // On the third day it does not come back.
    desk.ends("tick --at 2026-03-04T12:00:00Z", 0);
    assert!(!told("it has not come back"));
    desk.ends("tick --at 2026-03-04T18:00:00Z", 0);
    assert!(told("it has not come back"), "{:?}", desk.sent());
}
