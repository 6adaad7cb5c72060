//! A keeper who follows the manual word by word gets one judge with one store: the lines are read from `deploy/KEEPER.md`
//! and typed on a machine of its own, and mail comes by the pipe, by cron's tick, by a Maildir and by IMAP.

pub(crate) mod machine;

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use crate::mail_system::{MailSystem, until};
use crate::unit::Service;
use dipjudge::shell::maildir::Maildir;
use dipjudge::store::Owner;
use machine::{Machine, said};

const MANUAL: &str = include_str!("../../deploy/KEEPER.md");
const CONTAINER: &str = include_str!("../../deploy/Containerfile");
/// What the manual leaves to the system: the daemon is started by the test, and nobody reads a journal.
const SYSTEMD: &str = "systemctl enable --now dipjudge";
const JOURNAL: &str = "journalctl -u dipjudge -f";

/// The lines of the block behind these words.
fn block(behind: &str) -> Vec<&'static str> {
    let (_, rest) = MANUAL
        .split_once(behind)
        .expect("these words are in the manual");
    let (_, rest) = rest.split_once("```").expect("a block follows");
    let (block, _) = rest.split_once("```").expect("the block ends");
    block.lines().skip(1).collect()
}

/// Types what makes a service, to the end; `instead` is typed for the lines that it names.
fn install(machine: &Machine, instead: &[(&str, &str)]) -> Service {
    let mut service = None;
    for line in block("As a service, with systemd:") {
        match line {
            SYSTEMD => service = Some(machine.start_unit("dipjudge")),
            JOURNAL => {}
            line => {
                let found = instead.iter().find(|(old, _)| line.contains(old));
                let typed = found.map(|(old, new)| line.replace(old, new));
                machine.types(typed.as_deref().unwrap_or(line));
            }
        }
    }
    service.expect("the manual starts the service")
}

/// All commands that the manual gives for a pipe.
fn pipes() -> Vec<String> {
    let starts = MANUAL.match_indices("/usr/local/bin/dipjudge deliver --config ");
    let commands: Vec<String> = starts
        .map(|(at, _)| {
            let end = MANUAL[at..].find(['"', '`', '\n']).unwrap() + at;
            MANUAL[at..end].to_owned()
        })
        .collect();
    assert!(commands.len() >= 2, "{commands:?}");
    commands
}

/// The user and the command of the line for cron.
fn cron() -> (String, String) {
    let line = MANUAL.lines().find(|line| line.starts_with("*/5 * * * *"));
    let rest = line.unwrap().trim_start_matches("*/5 * * * *").trim();
    let (user, command) = rest.split_once(' ').unwrap();
    (user.to_owned(), command.trim().to_owned())
}

fn registration(name: &str) -> String {
    format!(
        "From: {name}@mail.test\nTo: judge@mail.test\nSubject: hello\nMessage-ID: <1.{name}@mail.test>\n\n\
         REGISTER\nName: {name}\nEmail: {name}@mail.test\nLevel: Novice\nEND\n"
    )
}

/// What a keeper types to look at his judge, and how many messages it has handled.
fn handled(machine: &Machine) -> u64 {
    let status = machine.types("runuser -u dipjudge -- dipjudge status --json");
    let status: serde_json::Value = serde_json::from_str(&status).unwrap();
    status["messages"].as_u64().unwrap()
}

fn awaits(machine: &Machine, messages: u64, service: &Service) {
    until(
        &format!("message {messages}"),
        || handled(machine) == messages,
        || service.log(),
    );
}

/// Every command of the pipe takes one message each.
fn pipe_all(machine: &Machine, who: &str) -> u64 {
    for (number, command) in pipes().iter().enumerate() {
        let output = machine.starts(
            "dipjudge",
            command,
            &registration(&format!("{who}{number}")),
        );
        said(command, &output, 0);
    }
    pipes().len() as u64
}

/// There is one store, where the config says; all that was made belongs to who may read it; and it was backed up.
fn all_in_one_place(machine: &Machine) {
    let state = machine.place("/var/lib/dipjudge");
    assert_eq!(machine.stores(), [state.join("data/store.id")]);
    let owner = fs::metadata(&state).unwrap().uid();
    assert_ne!(owner, 0);
    let foreign = |path: &Path| fs::symlink_metadata(path).unwrap().uid() != owner;
    assert_eq!(
        machine.find(&state, &foreign),
        Vec::<std::path::PathBuf>::new()
    );
    until(
        "a backup",
        || {
            let backup = |path: &Path| path.extension().is_some_and(|ending| ending == "jsonl");
            !machine.find(&state.join("backup"), &backup).is_empty()
        },
        || machine.types("runuser -u dipjudge -- dipjudge status"),
    );
    let status = machine.types("runuser -u dipjudge -- dipjudge status");
    assert!(status.contains("backup       last good one"), "{status}");
}

#[test]
fn the_pipe_cron_and_the_service_have_one_store() {
    let Some(machine) = Machine::new() else {
        return;
    };
    let service = install(&machine, &[]);
    let mut messages = pipe_all(&machine, "beside");
    awaits(&machine, messages, &service);

    // Mail that another program puts into the Maildir, as the manual's own user.
    let inbox = Maildir::at(machine.place("/var/lib/dipjudge/mail/in"));
    let owner = fs::metadata(inbox.root()).unwrap();
    let into_maildir = |name: &str| {
        let owner = Some(Owner {
            user: owner.uid(),
            group: owner.gid(),
        });
        inbox
            .deliver_to(registration(name).as_bytes(), None, owner)
            .unwrap();
    };
    into_maildir("anna");
    messages += 1;
    awaits(&machine, messages, &service);
    let (user, tick) = cron();
    let output = machine.starts(&user, &tick, "");
    assert!(said(&tick, &output, 1).contains("the daemon is running"));
    // The daemon answers root, who writes nothing by that.
    assert!(
        machine
            .types("dipjudge status")
            .contains("daemon       running")
    );
    all_in_one_place(&machine);
    service.stop();

    // Without the service: by the pipe, by cron.
    messages += pipe_all(&machine, "alone");
    assert_eq!(handled(&machine), messages);
    into_maildir("ben");
    said(&tick, &machine.starts(&user, &tick, ""), 0);
    messages += 1;
    assert_eq!(handled(&machine), messages);
    let sent = Maildir::at(machine.place("/var/lib/dipjudge/mail/out"))
        .waiting()
        .unwrap();
    // One answer each, and the mail by which the outbox was tried.
    assert_eq!(sent.len() as u64, messages + 1);

    // Root is told whom the judge belongs to, and spoils nothing; his pipe hands over.
    let refused = machine.ends("dipjudge status", 1);
    assert!(
        refused.contains("runuser -u dipjudge -- dipjudge"),
        "{refused}"
    );
    let command = &pipes()[0];
    said(
        command,
        &machine.starts("root", command, &registration("root")),
        0,
    );
    said(&tick, &machine.starts(&user, &tick, ""), 0);
    assert_eq!(handled(&machine), messages + 1);
    said(
        command,
        &machine.starts("nobody", command, &registration("nobody")),
        75,
    );
    all_in_one_place(&machine);
}

#[test]
fn imap_the_pipe_and_cron_have_one_store() {
    let Some(machine) = Machine::new() else {
        return;
    };
    let mut accounts: Vec<String> = ["judge", "keeper", "anna", "ben", "cleo"]
        .map(str::to_owned)
        .into();
    for number in 0..pipes().len() {
        accounts.extend([format!("beside{number}"), format!("alone{number}")]);
    }
    let accounts: Vec<&str> = accounts.iter().map(String::as_str).collect();
    let Some(mail) = MailSystem::start(&accounts) else {
        return;
    };
    let ports = mail.ports;
    let server = |kind: &str, port: u16| {
        format!(
            "kind = \"{kind}\"\\nhost = \"localhost\"\\nport = {port}\\ntls = \"implicit\"\\nuser = \"judge\"\\n\
             password_file = \"judge.password\""
        )
    };
    // As the keeper edits it: both ends on servers, and their authority.
    machine.will_edit(&format!(
        "s/example\\.org/mail.test/\n/^path = /d\n\
         /^\\[inbox\\]/,/^\\[outbox\\]/s/^kind = .*/{}/\n\
         /^\\[outbox\\]/,/^\\[trust\\]/s/^kind = \"maildir\"/{}/\n\
         s/^#ca_file = .*/ca_file = \"ca.pem\"/\n",
        server("imap", ports.imaps),
        server("smtp", ports.smtps),
    ));
    // Before he edits, he has put the password and the certificate beside the config.
    let beside = format!(
        "install -o dipjudge -m 0400 /dev/null /etc/dipjudge/judge.password && \
         printf %s pw-judge >/etc/dipjudge/judge.password && \
         install -m 0644 {} /etc/dipjudge/ca.pem && editor",
        mail.ca_file().display()
    );
    let service = install(
        &machine,
        &[("editor", &beside), ("you@example.org", "keeper@mail.test")],
    );
    mail.await_mails("keeper", "INBOX", 1);
    mail.send("anna@mail.test", "judge@mail.test", &registration("anna"));
    mail.await_mails("anna", "INBOX", 1);
    let mut messages = 1 + pipe_all(&machine, "beside");
    awaits(&machine, messages, &service);
    all_in_one_place(&machine);

    // Set aside on the server, and had back.
    let riddle = "From: anna@mail.test, ben@mail.test\nTo: judge@mail.test\nSubject: SIGNON Ekaiser hazelnut\n\
                  Message-ID: <riddle@mail.test>\n\nA Par-Bur\n";
    mail.send("anna@mail.test", "judge@mail.test", riddle);
    mail.await_mails("judge", "Rejected", 1);
    let shown = machine.types("runuser -u dipjudge -- dipjudge set-aside show 1");
    assert!(
        shown.contains("A Par-Bur") && !shown.contains("hazelnut"),
        "{shown}"
    );
    let before = handled(&machine);
    machine.types("runuser -u dipjudge -- dipjudge set-aside retry 1");
    awaits(&machine, before + 1, &service);
    mail.await_mails("judge", "Rejected", 1);
    service.stop();
    machine.types("runuser -u dipjudge -- dipjudge set-aside retry 1");
    mail.await_mails("judge", "Rejected", 1);
    messages = handled(&machine);
    machine.types("runuser -u dipjudge -- dipjudge set-aside delete 1");
    assert_eq!(mail.mails("judge", "Rejected").len(), 0);

    // Cron, and the pipe, without the service.
    mail.send("ben@mail.test", "judge@mail.test", &registration("ben"));
    mail.await_mails("judge", "INBOX", 1);
    let (user, tick) = cron();
    said(&tick, &machine.starts(&user, &tick, ""), 0);
    mail.await_mails("ben", "INBOX", 1);
    messages += 1 + pipe_all(&machine, "alone");
    assert_eq!(handled(&machine), messages);
    all_in_one_place(&machine);

    // A second judge, made by mistake, leaves the mailbox alone.
    machine.types("mkdir second && chown dipjudge second && cp /etc/dipjudge/* second/ && chown dipjudge second/*");
    machine.types("sed -i s,/var/lib/dipjudge/data,$PWD/second/data, second/dipjudge.toml");
    let second = |line: &str, code| {
        machine.ends(
            &format!("cd second && runuser -u dipjudge -- dipjudge {line}"),
            code,
        )
    };
    second("init", 0);
    mail.send("ben@mail.test", "judge@mail.test", &registration("cleo"));
    mail.await_mails("judge", "INBOX", 1);
    for line in ["tick", "fetch-check"] {
        let refused = second(line, 1);
        assert!(
            refused.contains("belongs to the judge with the store"),
            "{refused}"
        );
    }
    assert_eq!(mail.mails("judge", "INBOX").len(), 1);
    // Told to take it, it does; then the first one leaves it alone.
    let taking = machine.run_service(&format!(
        "cd {}/second && exec setpriv --reuid=dipjudge --regid=dipjudge --init-groups dipjudge run --take-inbox",
        machine.checkout().display()
    ));
    taking.waits_for("message handled");
    taking.stop();
    let refused = said(&tick, &machine.starts(&user, &tick, ""), 1);
    assert!(refused.contains("--take-inbox"), "{refused}");
}

/// The container file's commands in its working folder, without a container: as its user, with nothing but its environment.
#[test]
fn the_container_has_its_config_and_its_data_in_one_folder() {
    let Some(machine) = Machine::new() else {
        return;
    };
    assert!(
        !CONTAINER.contains("DIPJUDGE_JUDGE__DATA"),
        "the config says it alone"
    );
    let line = |start: &str| {
        let line = CONTAINER.lines().rfind(|line| line.starts_with(start));
        line.unwrap().trim_start_matches(start).trim()
    };
    let words = |start: &str| -> String {
        let words: Vec<String> = serde_json::from_str(line(start)).unwrap();
        words.join(" ")
    };
    let (entry, command) = (words("ENTRYPOINT"), words("CMD"));
    let folder = CONTAINER
        .lines()
        .find_map(|line| line.strip_prefix("# install -d"))
        .unwrap();
    machine.types("install -m 0755 target/release/dipjudge /usr/local/bin/");
    machine.types(&format!("useradd --system --uid 990 {}", line("USER")));
    machine.types(&format!("install -d{folder}"));
    // `./judge` stands in the place of `/data`, which is the working folder.
    assert_eq!(
        (line("WORKDIR"), folder.ends_with(" judge")),
        ("/data", true)
    );
    let inside = |words: &str| {
        format!(
            "cd {}/judge && exec setpriv --reuid=990 --regid=990 --clear-groups {entry} {words}",
            machine.checkout().display()
        )
    };
    machine.types(&inside("init"));
    let service = machine.run_service(&inside(&command));
    let status = || machine.types(&inside("status"));
    until("a backup", || status().contains("last good one"), status);
    service.stop();
    let judge = machine.checkout().join("judge");
    assert_eq!(machine.stores(), [judge.join("data/store.id")]);
    let mode = fs::metadata(judge.join("data"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o700);
}
