//! One judge, one store: where the data is looked for, whose an inbox is, what is set aside, and the copies of it all.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::piped::piped;

use dipjudge::shell::maildir::Maildir;

const PATIENCE: Duration = Duration::from_secs(60);
/// A password that stands in a message.
pub(super) const SECRET: &str = "hazelnut";

/// A judge in a folder.
pub(super) struct Judge {
    pub(super) folder: PathBuf,
}

impl Judge {
    /// As `init` makes it.
    pub(super) fn made(folder: &Path) -> Judge {
        let judge = Judge {
            folder: folder.to_owned(),
        };
        fs::create_dir_all(folder).unwrap();
        judge.ends("init", 0);
        judge
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub(super) fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dipjudge"));
        command
            .env_clear()
            .current_dir(&self.folder)
            .args(line.split_whitespace())
            .stdin(Stdio::null());
        command
    }

    /// The output of a command that must end with this success or failure.
    pub(super) fn ends(&self, line: &str, code: i32) -> String {
        said(line, &self.command(line).output().unwrap(), code)
    }

    pub(super) fn deliver(&self, message: &str) -> Output {
        piped(&mut self.command("deliver"), message)
    }

    pub(super) fn configure(&self, from: &str, to: &str) {
        let file = self.path("dipjudge.toml");
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains(from), "{from}");
        fs::write(file, text.replacen(from, to, 1)).unwrap();
    }

    pub(super) fn inbox(&self) -> Maildir {
        Maildir::at(self.path("mail/in"))
    }

    /// The texts of the mails that were sent to somebody.
    pub(super) fn sent_to(&self, to: &str) -> Vec<String> {
        let outbox = Maildir::at(self.path("mail/out"));
        let texts = outbox.waiting().unwrap().into_iter().map(|waiting| {
            let bytes = outbox.read(&waiting.name, 1 << 20).unwrap().unwrap().bytes;
            String::from_utf8(bytes).unwrap()
        });
        let to = format!("To: {to}@example.org");
        texts.filter(|text| text.contains(&to)).collect()
    }

    pub(super) fn start(&self, line: &str) -> Daemon {
        self.start_as(self.command(line))
    }

    fn start_as(&self, mut command: Command) -> Daemon {
        let log = fs::File::create(self.path("log")).unwrap();
        let child = command.stdout(Stdio::null()).stderr(log).spawn();
        Daemon {
            child: child.unwrap(),
            log: self.path("log"),
        }
    }
}

/// A running daemon, killed when a test is done with it.
pub(super) struct Daemon {
    child: Child,
    log: PathBuf,
}

impl Daemon {
    pub(super) fn waits_for(&self, text: &str) {
        let log = || fs::read_to_string(&self.log).unwrap();
        until(
            || log().contains(text),
            || format!("no {text:?} in:\n{}", log()),
        );
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(super) fn until(mut holds: impl FnMut() -> bool, why: impl Fn() -> String) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < PATIENCE, "{}", why());
        std::thread::sleep(Duration::from_millis(20));
    }
}

pub(super) fn said(line: &str, output: &Output, code: i32) -> String {
    assert_eq!(output.status.code(), Some(code), "{line}: {output:?}");
    String::from_utf8([output.stdout.clone(), output.stderr.clone()].concat()).unwrap()
}

pub(super) fn registration(name: &str) -> String {
    format!(
        "From: {name}@example.org\nTo: judge@example.org\nSubject: hello\nMessage-ID: <1.{name}@example.org>\n\n\
         REGISTER\nName: {name}\nLevel: Novice\nEND\n"
    )
}

/// A message with two senders, which only a keeper can make sense of. Its words are in base64.
pub(super) fn riddle(number: u32) -> String {
    format!(
        "From: anna@example.org, ben@example.org\nTo: judge@example.org\nSubject: SIGNON Ekaiser {SECRET}\n\
         Message-ID: <{number}.riddle@example.org>\nContent-Transfer-Encoding: base64\n\n\
         U0lHTk9OIEVrYWlzZXIgaGF6ZWxudXQKQSBQYXItQnVyCg==\n"
    )
}

/// The files of a folder, wherever they lie in it.
pub(super) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => found.push(path),
        }
    }
    found
}

pub(super) fn holds(path: &Path, word: &str) -> bool {
    fs::read(path).is_ok_and(|bytes| {
        bytes
            .windows(word.len())
            .any(|have| have == word.as_bytes())
    })
}

fn is_root() -> bool {
    let root = fs::metadata("/proc/self").is_ok_and(|metadata| metadata.uid() == 0);
    let required = std::env::var("DIPJUDGE_REQUIRE_MAIL_SERVERS").is_ok_and(|value| value == "1");
    assert!(root || !required, "the tests with several users need root");
    if !root {
        eprintln!("SKIPPED: several users need root");
    }
    root
}

#[test]
fn whoever_finds_no_store_says_where_it_looked_and_makes_none() {
    let folder = tempfile::tempdir().unwrap();
    let judge = Judge::made(folder.path());
    fs::remove_dir_all(judge.path("data")).unwrap();
    let place = judge.path("data").display().to_string();
    judge
        .inbox()
        .deliver(registration("anna").as_bytes(), None)
        .unwrap();
    for line in [
        "run",
        "tick",
        "games",
        "show kaiser",
        "export kaiser",
        "status",
        "set-aside",
        "backup copy.jsonl",
        "fetch-check",
        "send-check anna@example.org",
    ] {
        let said = judge.ends(line, 1);
        assert!(said.contains(&place), "{line}: {said}");
        assert_eq!(said.trim_end().lines().count(), 1, "{line}: {said}");
    }
    let said = said("deliver", &judge.deliver(&registration("ben")), 75);
    assert!(said.contains(&place), "{said}");
    assert!(!judge.path("data").exists() && !judge.path("copy.jsonl").exists());
    assert_eq!(judge.inbox().waiting().unwrap().len(), 1);

    // `init` makes the store of a config that is there, and only once.
    let said = judge.ends("init", 0);
    assert!(
        said.contains("stays as it is") && said.contains(&place),
        "{said}"
    );
    judge.ends("tick", 0);
    assert_eq!(judge.sent_to("anna").len(), 1);
    assert!(judge.ends("init", 1).contains("nothing was changed"));
}

#[test]
fn init_writes_where_the_data_is_and_everybody_finds_it_there() {
    let folder = tempfile::tempdir().unwrap();
    let etc = Judge {
        folder: folder.path().join("etc"),
    };
    fs::create_dir(&etc.folder).unwrap();
    let data = folder.path().join("var/the \"data\"");
    let mut init = etc.command("init . --data");
    said("init", &init.arg(&data).output().unwrap(), 0);
    assert!(data.join("store.id").is_file() && !etc.path("data").exists());
    // From anywhere.
    let elsewhere = folder.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let mut deliver = etc.command("--config");
    deliver
        .arg("../etc/dipjudge.toml")
        .arg("deliver")
        .current_dir(&elsewhere);
    said("deliver", &piped(&mut deliver, &registration("anna")), 0);
    let status = etc.ends("status --json", 0);
    let status: serde_json::Value = serde_json::from_str(&status).unwrap();
    assert_eq!(status["messages"], 1);
    assert!(folder.path().join("var/mail/out/new").is_dir());
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
}

#[test]
fn init_finds_a_store_that_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let first = Judge::made(&folder.path().join("first"));
    first.deliver(&registration("anna"));
    let id = fs::read(first.path("data/store.id")).unwrap();
    let second = Judge {
        folder: folder.path().join("second"),
    };
    fs::create_dir(&second.folder).unwrap();
    let data = first.path("data").display().to_string();
    let said = second.ends(&format!("init . --data {data}"), 0);
    assert!(
        said.contains(&format!("There is a store already in {data}.")) && !said.contains("Made"),
        "{said}"
    );
    assert_eq!(fs::read(first.path("data/store.id")).unwrap(), id);
    let status: serde_json::Value = serde_json::from_str(&second.ends("status --json", 0)).unwrap();
    assert_eq!(status["messages"], 1);
}

#[test]
fn a_store_without_its_id_is_named_as_such_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let judge = Judge::made(&folder.path().join("judge"));
    fs::remove_file(judge.path("data/store.id")).unwrap();
    let place = judge.path("data").display().to_string();
    let is_told = |said: &str, line: &str| {
        let words = [place.as_str(), "has no file store.id", "restore a backup"];
        let told = words.iter().all(|words| said.contains(words));
        assert!(told && !said.contains("damaged"), "{line}: {said}");
    };
    for line in ["run", "tick", "games", "status", "set-aside", "init"] {
        is_told(&judge.ends(line, 1), line);
    }
    let refused = said("deliver", &judge.deliver(&registration("anna")), 75);
    is_told(&refused, "deliver");
    assert_eq!(files(&judge.path("data/spool")).len(), 0);
    // A second config is not written for it.
    let second = Judge {
        folder: folder.path().join("second"),
    };
    fs::create_dir(&second.folder).unwrap();
    let line = format!("init . --data {place}");
    is_told(&second.ends(&line, 1), &line);
    assert_eq!(files(&second.folder).len(), 0);
    assert!(!judge.path("data/store.id").exists());
}

#[test]
fn an_inbox_is_left_to_the_store_whose_id_it_bears() {
    let folder = tempfile::tempdir().unwrap();
    let first = Judge::made(&folder.path().join("first"));
    let second = Judge::made(&folder.path().join("second"));
    let shared = first.inbox();
    let path = |judge: &Judge| judge.path("mail/in").display().to_string();
    second.configure(&path(&second), &path(&first));
    first.ends("tick", 0);
    first.ends("backup copy.jsonl", 0);

    shared
        .deliver(registration("anna").as_bytes(), None)
        .unwrap();
    for line in ["tick", "fetch-check"] {
        let said = second.ends(line, 1);
        assert!(
            said.contains("belongs to the judge with the store"),
            "{line}: {said}"
        );
    }
    let daemon = second.start("run");
    daemon.waits_for("belongs to the judge with the store");
    drop(daemon);
    assert_eq!(shared.waiting().unwrap().len(), 1);
    first.ends("tick", 0);
    assert_eq!(
        (first.sent_to("anna").len(), second.sent_to("anna").len()),
        (1, 0)
    );

    // The same store in another place has the same id.
    fs::remove_dir_all(first.path("data")).unwrap();
    first.ends("restore copy.jsonl", 0);
    shared
        .deliver(registration("ben").as_bytes(), None)
        .unwrap();
    first.ends("tick", 0);
    assert_eq!(first.sent_to("ben").len(), 1);

    // Taken over.
    shared
        .deliver(registration("cleo").as_bytes(), None)
        .unwrap();
    let daemon = second.start("run --take-inbox");
    until(
        || second.sent_to("cleo").len() == 1,
        || "no answer".to_owned(),
    );
    drop(daemon);
    let said = first.ends("tick", 1);
    assert!(said.contains("--take-inbox"), "{said}");
    second.ends("tick", 0);
}

#[test]
fn what_came_by_the_pipe_and_was_set_aside_can_be_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let judge = Judge::made(folder.path());
    assert_eq!(judge.ends("set-aside", 0), "No message is set aside.\n");
    said("deliver", &judge.deliver(&riddle(1)), 0);
    set_aside_and_back(&judge, &judge.path("data/rejected"));
}

#[test]
fn beside_a_daemon_too() {
    let folder = tempfile::tempdir().unwrap();
    let judge = Judge::made(folder.path());
    let daemon = judge.start("run");
    daemon.waits_for("running");
    said("deliver", &judge.deliver(&riddle(1)), 0);
    daemon.waits_for("a message is set aside");
    set_aside_and_back(&judge, &judge.path("data/rejected"));
}

#[test]
fn and_what_came_into_a_maildir() {
    let folder = tempfile::tempdir().unwrap();
    let judge = Judge::made(folder.path());
    judge.inbox().deliver(riddle(1).as_bytes(), None).unwrap();
    judge.ends("tick", 0);
    set_aside_and_back(&judge, &judge.path("mail/in/.Rejected"));
}

/// Message 1 is set aside, and its original in this Maildir.
fn set_aside_and_back(judge: &Judge, place: &Path) {
    let originals = || {
        files(place)
            .into_iter()
            .filter(|path| holds(path, SECRET))
            .collect::<Vec<_>>()
    };
    until(|| originals().len() == 1, || "no original".to_owned());
    let mode = fs::metadata(&originals()[0]).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let place = place.display().to_string();

    let list = judge.ends("set-aside list", 0);
    assert!(
        list.contains("1  arrived") && list.contains(&place),
        "{list}"
    );
    let shown = judge.ends("set-aside show 1", 0);
    assert!(
        shown.contains("A Par-Bur") && shown.contains("SIGNON Ekaiser ****"),
        "{shown}"
    );
    assert!(shown.contains(&place), "{shown}");
    assert!(judge.ends("status", 0).contains("with several senders"));
    // The original alone holds the password: neither the store, nor a copy of it, nor any mail.
    judge.ends("backup copy.jsonl", 0);
    until(
        || judge.sent_to("keeper").len() == 1,
        || "no notice".to_owned(),
    );
    let notice = &judge.sent_to("keeper")[0];
    assert!(
        notice.replace("=\n", "").contains("set-aside show 1"),
        "{notice}"
    );
    for path in files(&judge.folder) {
        assert!(
            path.starts_with(&place)
                || path.starts_with(judge.path("data/spool"))
                || !holds(&path, SECRET),
            "{path:?}"
        );
    }

    // It is still unreadable when it is read again; nobody is told a second time, since the keeper asked for it.
    let said = judge.ends("set-aside retry 1", 0);
    assert!(said.contains("read again"), "{said}");
    let again = || judge.ends("set-aside list", 0);
    until(
        || originals().len() == 1 && again().contains("1  arrived"),
        again,
    );
    judge.ends("set-aside show 2", 1);
    assert_eq!(judge.sent_to("keeper").len(), 1);

    let said = judge.ends("set-aside delete 1", 0);
    assert!(said.contains("removed"), "{said}");
    assert_eq!(originals(), Vec::<PathBuf>::new());
    assert_eq!(
        judge.ends("set-aside list", 0),
        "No message is set aside.\n"
    );
    assert!(judge.ends("set-aside retry 1", 1).contains("no message 1"));
}

/// Too large and from a machine, so neither read nor answered; with another limit it is read.
#[test]
fn a_message_read_again_under_other_limits_is_handled() {
    let folder = tempfile::tempdir().unwrap();
    let judge = Judge::made(folder.path());
    judge.configure("#bytes = 1048576", "bytes = 4096");
    // A picture comes first, so that no text stands at the beginning; and nobody may be answered.
    let picture = "QUJD".repeat(18) + "\n";
    let (header, text) = registration("anna")
        .split_once("\n\n")
        .map(|(header, text)| (header.to_owned(), text.to_owned()))
        .unwrap();
    let large = format!(
        "{header}\nPrecedence: bulk\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=cut\n\n\
         --cut\nContent-Type: image/jpeg\nContent-Transfer-Encoding: base64\n\n{}\n\
         --cut\nContent-Type: text/plain\n\n{text}\n--cut--\n",
        picture.repeat(80)
    );
    said("deliver", &judge.deliver(&large), 0);
    assert!(judge.ends("set-aside", 0).contains("more than 4096 bytes"));
    judge.configure("bytes = 4096", "bytes = 1048576");
    judge.ends("set-aside retry 1", 0);
    assert_eq!(judge.ends("set-aside", 0), "No message is set aside.\n");
    assert_eq!(files(&judge.path("data/rejected/new")).len(), 0);
}

#[test]
fn a_backup_writes_over_no_file_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let judge = Judge::made(folder.path());
    fs::write(judge.path("mine"), "mine").unwrap();
    let said = judge.ends("backup mine", 1);
    assert!(
        said.contains("already a file") && said.contains("--overwrite"),
        "{said}"
    );
    assert_eq!(fs::read_to_string(judge.path("mine")).unwrap(), "mine");
    judge.ends("backup mine --overwrite", 0);
    assert!(holds(&judge.path("mine"), "\"backup\""));
}

#[test]
fn backups_lie_beside_the_data_and_their_failing_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let judge = Judge::made(folder.path());
    judge.configure("#file = \"metrics.prom\"", "file = \"metrics.prom\"");
    judge.ends("tick --at 2026-03-02T12:00:00Z", 0);
    assert!(judge.path("backup/dipjudge-2026-03-02.jsonl").is_file());
    let status = judge.ends("status", 0);
    assert!(
        status.contains("last good one 2026-03-02T12:00:00Z"),
        "{status}"
    );

    // Nothing can be written there any more.
    fs::rename(judge.path("backup"), judge.path("old")).unwrap();
    fs::write(judge.path("backup"), "no folder").unwrap();
    for hour in ["12:00", "12:30", "13:00", "14:00"] {
        judge.ends(&format!("tick --at 2026-03-03T{hour}:00Z"), 0);
    }
    let told = judge.sent_to("keeper");
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("No backup can be written"), "{told:?}");
    let status = judge.ends("status", 0);
    assert!(
        status.contains("last good one 2026-03-02T12:00:00Z") && status.contains("FAILED 3 times"),
        "{status}"
    );
    let daemon = judge.start("run");
    let numbers = || fs::read_to_string(judge.path("metrics.prom")).unwrap_or_default();
    until(|| numbers().contains("dipjudge_backup_failures"), numbers);
    assert!(
        numbers().contains("dipjudge_backup_written_seconds 1772452800\n"),
        "{}",
        numbers()
    );

    // And it works again.
    drop(daemon);
    fs::remove_file(judge.path("backup")).unwrap();
    let daemon = judge.start("run");
    daemon.waits_for("running");
    let good = || judge.ends("status", 0);
    until(|| !good().contains("FAILED"), good);
    assert_eq!(files(&judge.path("backup")).len(), 1);
    drop(daemon);
}

/// The service's mask lets nobody else read what it writes; a collector of numbers is somebody else.
#[test]
fn the_numbers_are_for_everybody_to_read_whatever_the_mask() {
    let folder = tempfile::tempdir().unwrap();
    let judge = Judge::made(folder.path());
    judge.configure("#file = \"metrics.prom\"", "file = \"metrics.prom\"");
    let mut masked = Command::new("sh");
    masked
        .env_clear()
        .current_dir(&judge.folder)
        .args(["-c", "umask 077; exec \"$0\" run"])
        .arg(env!("CARGO_BIN_EXE_dipjudge"))
        .stdin(Stdio::null());
    let daemon = judge.start_as(masked);
    let file = judge.path("metrics.prom");
    until(|| file.exists(), || "no numbers".to_owned());
    let mode = fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o644);
    drop(daemon);
}

#[test]
fn deliver_as_another_user_leaves_nothing_that_the_daemon_cannot_read() {
    if !is_root() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let judge = Judge::made(folder.path());
    // Everybody may enter the folder, nobody else the store.
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let own = |user: &str, what: &Path| {
        let done = Command::new("chown").args(["-R", user]).arg(what).status();
        assert!(done.unwrap().success());
    };
    for part in ["data", "mail", "dipjudge.toml"] {
        own("65534:65534", &judge.path(part));
    }
    let spool = judge.path("data/spool/new");
    // Others may not read the folder in which it was built.
    let program = judge.path("dipjudge");
    fs::copy(env!("CARGO_BIN_EXE_dipjudge"), &program).unwrap();
    let as_user = |user: &str| {
        let mut command = Command::new("setpriv");
        command
            .args(["--reuid", user, "--regid", user, "--clear-groups"])
            .arg(&program)
            .arg("deliver")
            .current_dir(&judge.folder);
        piped(&mut command, &registration("anna"))
    };
    // A stranger, even one who may write there.
    for path in [
        "data",
        "data/spool",
        "data/spool/new",
        "data/spool/tmp",
        "data/spool/cur",
    ] {
        fs::set_permissions(judge.path(path), fs::Permissions::from_mode(0o777)).unwrap();
    }
    fs::set_permissions(
        judge.path("dipjudge.toml"),
        fs::Permissions::from_mode(0o644),
    )
    .unwrap();
    let refused = said("deliver", &as_user("1234"), 75);
    assert!(refused.contains("the user whose store it is"), "{refused}");
    assert_eq!(files(&judge.path("data/spool")).len(), 0);

    // Root hands it over, and leaves the rest to who may do it.
    let silent = said("deliver", &judge.deliver(&registration("anna")), 0);
    assert_eq!(silent, "", "some mail servers send it to the mail's writer");
    let waiting = files(&spool);
    assert_eq!(waiting.len(), 1);
    let metadata = fs::metadata(&waiting[0]).unwrap();
    assert_eq!((metadata.uid(), metadata.mode() & 0o777), (65534, 0o600));
    let said_by_root = judge.ends("tick", 1);
    assert!(said_by_root.contains("runuser -u"), "{said_by_root}");
    said("deliver", &as_user("65534"), 0);
    assert_eq!(files(&spool).len(), 0);
    for path in files(&judge.path("data")) {
        assert_eq!(fs::metadata(&path).unwrap().uid(), 65534, "{path:?}");
    }
}
