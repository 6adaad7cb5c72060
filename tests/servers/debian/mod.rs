//! From a fresh Debian to a judge that answers a player's mail, by the lines of the manuals as they stand there.

mod fresh;

use std::fs;
use std::io::Write;
use std::time::Instant;

use crate::mail_system::until;
use crate::unit::Service;
use fresh::FreshDebian;

const KEEPER: &str = include_str!("../../../deploy/KEEPER.md");
const MAIL: &str = include_str!("../../../deploy/mail/README.md");
const DOMAIN: &str = "mail.test";

/// The block of lines behind these words of a manual, with what a keeper changes in it: the first two lines.
fn block(manual: &str, behind: &str) -> String {
    let (_, rest) = manual
        .split_once(behind)
        .unwrap_or_else(|| panic!("{behind:?} is not in the manual"));
    let (_, rest) = rest.split_once("```sh\n").expect("a block follows");
    let (block, _) = rest.split_once("```").expect("the block ends");
    let (first_two, rest) = block.split_at(block.match_indices('\n').nth(1).unwrap().0);
    let changed = first_two
        .replace("domain=example.org", &format!("domain={DOMAIN}"))
        .replace("keeper=you@example.org", &format!("keeper=keeper@{DOMAIN}"));
    format!("{changed}{rest}")
}

/// A fresh Debian with the package installed and people who have mail; `None` where it cannot be made.
fn with_package() -> Option<FreshDebian> {
    let debian = FreshDebian::new(DOMAIN)?;
    debian.gets_the("deb");
    with_people(&debian);
    debian.types("apt install --yes ./dipjudge.deb");
    Some(debian)
}

/// People of the machine, whose mail lies in `/var/mail`.
fn with_people(debian: &FreshDebian) {
    debian.types("useradd --create-home keeper; useradd --create-home anna");
}

/// The line of the manual by which a person of the machine tries the judge, and how it is answered.
fn answers_a_player(debian: &FreshDebian, service: &Service) {
    let (_, rest) = KEEPER.split_once("Whether it answers").unwrap();
    let line = rest.split("```").nth(1).unwrap();
    let line = line.trim_start_matches("sh").trim();
    let line = line.replace("example.org", DOMAIN);
    fs::write(debian.place("/home/anna/try"), format!("{line}\n")).unwrap();
    debian.types("runuser -u anna -- sh /home/anna/try");
    let mailbox = debian.place("/var/mail/anna");
    let text = || fs::read_to_string(&mailbox).unwrap_or_default();
    until(
        "the answer to a player",
        || text().contains("X-Loop: judge@mail.test"),
        || format!("{}\n{}", text(), service.log()),
    );
    let keeper = fs::read_to_string(debian.place("/var/mail/keeper")).unwrap();
    assert!(keeper.contains("a test of the outbox"), "{keeper}");
}

#[test]
fn the_same_lines_do_on_the_newest_debian() {
    let Some(debian) = FreshDebian::newest(DOMAIN) else {
        return;
    };
    debian.gets_the("deb");
    with_people(&debian);
    let said = debian.types(&block(KEEPER, "**A machine of its own"));
    assert!(said.contains("at addresses with a plus sign too"), "{said}");
    let service = debian.starts_what_was_enabled();
    answers_a_player(&debian, &service);
    debian.stops(service);
}

#[test]
fn the_package_exim_and_dovecot_make_a_judge_that_answers() {
    let Some(debian) = FreshDebian::new(DOMAIN) else {
        return;
    };
    debian.gets_the("deb");
    with_people(&debian);
    let begun = Instant::now();
    let said = debian.types(&block(KEEPER, "**A machine of its own"));
    assert!(said.contains("at addresses with a plus sign too"), "{said}");
    let service = debian.starts_what_was_enabled();
    answers_a_player(&debian, &service);
    // The macros would keep it back where the test passes.
    let _ = writeln!(
        std::io::stderr(),
        "fresh Debian: from apt install to the answer to a player, by Exim, LMTP, Dovecot and IMAP: {} s",
        begun.elapsed().as_secs()
    );
    what_the_package_brings(&debian);
    debian.stops(service);
    removing_keeps_the_games(&debian);
}

/// Besides the program: pages, completions, units, samples, log rotation, a second place for copies.
fn what_the_package_brings(debian: &FreshDebian) {
    for path in [
        "/usr/share/man/man1/dipjudge.1.gz",
        "/usr/share/bash-completion/completions/dipjudge",
        "/usr/share/doc/dipjudge/KEEPER.md",
        "/usr/share/doc/dipjudge/copyright",
        "/usr/share/doc/dipjudge/LICENCES.md",
        "/usr/share/doc/dipjudge/examples/dipjudge.toml",
        "/usr/lib/systemd/system/dipjudge-tick.timer",
    ] {
        assert!(debian.place(path).exists(), "{path}");
    }
    // The copy in a second place, by its unit's own command; the daemon is asked for it.
    let unit = fs::read_to_string(debian.place("/usr/lib/systemd/system/dipjudge-backup.service"));
    let unit = unit.unwrap();
    let setting = |key: &str| {
        let line = unit.lines().find_map(|line| line.strip_prefix(key));
        line.unwrap().replace("%%", "%")
    };
    debian.types(&format!(
        "runuser -u dipjudge -- env {} {}",
        setting("Environment="),
        setting("ExecStart=")
    ));
    let copies = fs::read_dir(debian.place("/var/backups/dipjudge")).unwrap();
    assert_eq!(copies.count(), 1);
    // Log rotation, where the service writes a file.
    debian.types(
        "apt install --yes --no-install-recommends logrotate\n\
         runuser -u dipjudge -- sh -c 'echo a line >/var/log/dipjudge/dipjudge.log'\n\
         logrotate --force /etc/logrotate.d/dipjudge",
    );
    let logs = fs::read_dir(debian.place("/var/log/dipjudge")).unwrap();
    assert_eq!(logs.count(), 2);
}

/// The program goes, and what players and keeper have made stays, even after a purge; installed again, it goes on.
fn removing_keeps_the_games(debian: &FreshDebian) {
    let said = debian.types("apt purge --yes dipjudge");
    assert!(
        said.contains("The games stay in /var/lib/dipjudge"),
        "{said}"
    );
    assert!(debian.place("/var/lib/dipjudge/data/store.id").exists());
    debian.types("apt install --yes ./dipjudge.deb");
    let status = debian.types("runuser -u dipjudge -- dipjudge status");
    assert!(status.contains("backup"), "{status}");
    let again = debian.ends("dipjudge setup --address judge@mail.test --inbox pipe --relay localhost --name USXX --keeper keeper@mail.test", 1);
    assert!(again.contains("never overwrites"), "{again}");
}

#[test]
fn the_package_and_exims_pipe_make_a_judge_that_answers() {
    let Some(debian) = with_package() else {
        return;
    };
    debian.types(&block(MAIL, "## Exim and the pipe"));
    let service = debian.starts_what_was_enabled();
    answers_a_player(&debian, &service);
    // The mail that the judge sends itself comes back by the pipe.
    let config = fs::read_to_string(debian.place("/etc/dipjudge/dipjudge.toml")).unwrap();
    assert!(config.contains("\ndaily = true\n"), "{config}");
    debian.types(&block(MAIL, "* **DKIM**"));
    let key = fs::metadata(debian.place("/etc/exim4/dkim.pem")).unwrap();
    assert!(key.len() > 1000);
    debian.stops(service);
}

#[test]
fn the_package_postfix_and_dovecot_make_a_judge_that_answers() {
    let Some(debian) = with_package() else {
        return;
    };
    let said = debian.types(&block(MAIL, "## Postfix and Dovecot"));
    assert!(said.contains("at addresses with a plus sign too"), "{said}");
    let service = debian.starts_what_was_enabled();
    answers_a_player(&debian, &service);
    debian.stops(service);
    // The same judge by Postfix's pipe, while no daemon runs: each message is handled at once.
    debian.types(
        "sed -i 's/lmtp:inet:127.0.0.1:24$/judge-pipe:/' /etc/postfix/judge-transport\nservice postfix restart",
    );
    let before = handled(&debian).expect("nothing else has the store");
    debian.types("runuser -u anna -- sh /home/anna/try");
    until(
        "a message by the pipe",
        || handled(&debian).is_some_and(|now| now > before),
        || debian.types("cat /var/log/mail.log 2>&1 || true; mailq"),
    );
}

#[test]
fn a_forward_file_makes_a_judge_that_answers() {
    let Some(debian) = with_package() else {
        return;
    };
    debian.types(&block(MAIL, "## .forward, with Postfix"));
    let service = debian.starts_what_was_enabled();
    answers_a_player(&debian, &service);
    debian.stops(service);
    waits_until_it_can_be_delivered(&debian, WHY, "postqueue -f");
}

#[test]
fn procmail_makes_a_judge_that_answers() {
    let Some(debian) = with_package() else {
        return;
    };
    debian.types(&block(MAIL, "## procmail"));
    let service = debian.starts_what_was_enabled();
    answers_a_player(&debian, &service);
    debian.stops(service);
    waits_until_it_can_be_delivered(&debian, WHY, "postqueue -f");
}

#[test]
fn sieve_makes_a_judge_that_answers() {
    let Some(debian) = with_package() else {
        return;
    };
    by_sieve(&debian);
}

#[test]
fn sieve_on_the_newest_debian_makes_a_judge_that_answers() {
    let Some(debian) = FreshDebian::newest(DOMAIN) else {
        return;
    };
    debian.gets_the("deb");
    with_people(&debian);
    debian.types("apt install --yes ./dipjudge.deb");
    by_sieve(&debian);
}

fn by_sieve(debian: &FreshDebian) {
    debian.types(&block(MAIL, "## Sieve, with Exim"));
    let service = debian.starts_what_was_enabled();
    answers_a_player(debian, &service);
    debian.stops(service);
    // What could not be piped lies in the Maildir of the config.
    waits_until_it_can_be_delivered(
        debian,
        DOVECOTS_FILE,
        "runuser -u dipjudge -- dipjudge tick",
    );
}

/// Why a message waits in the queue of Postfix.
const WHY: &str = "cannot read the config";
/// A part of the name of a file that Dovecot writes into a Maildir.
const DOVECOTS_FILE: &str = ",S=";

/// A message that arrives while the pipe cannot take it is not lost: once it can again, it is handled `after` these lines.
fn waits_until_it_can_be_delivered(debian: &FreshDebian, waits_as: &str, after: &str) {
    let before = handled(debian).expect("nothing else has the store");
    let hide = "mv /etc/dipjudge/dipjudge.toml /etc/dipjudge/hidden";
    debian.types(&format!("{hide}\nrunuser -u anna -- sh /home/anna/try"));
    let waiting = "mailq; ls /var/lib/dipjudge/mail/in/new";
    until(
        "a message that waits",
        || debian.types(waiting).contains(waits_as),
        || debian.types(waiting),
    );
    debian.types("mv /etc/dipjudge/hidden /etc/dipjudge/dipjudge.toml");
    until(
        "a message that was waiting",
        || {
            debian.types(after);
            handled(debian).is_some_and(|now| now > before)
        },
        || debian.types(waiting),
    );
}

#[test]
fn a_second_judge_stands_beside_the_first_by_the_manuals_lines() {
    let Some(debian) = with_package() else {
        return;
    };
    debian.types(&block(MAIL, "## Exim and the pipe"));
    let said = debian.types(&block(KEEPER, "A judge `usxx` beside the first one"));
    assert!(said.contains("at addresses with a plus sign too"), "{said}");
    let told = fs::read_to_string(debian.place("/run/systemctl.log")).unwrap();
    assert!(told.contains("enable --now usxx"), "{told}");
    let service = debian.starts("/etc/systemd/system/usxx.service");
    fs::write(
        debian.place("/home/anna/try"),
        "printf 'Subject: hello\\n\\nHELP\\n' | sendmail usxx@mail.test\n",
    )
    .unwrap();
    debian.types("runuser -u anna -- sh /home/anna/try");
    let text = || fs::read_to_string(debian.place("/var/mail/anna")).unwrap_or_default();
    until(
        "the answer of the second judge",
        || text().contains("X-Loop: usxx@mail.test"),
        || format!("{}\n{}", text(), service.log()),
    );
    // The line of the manual by which its keeper asks for it.
    let (_, rest) = KEEPER
        .split_once("names its user and its config: `")
        .unwrap();
    let (line, _) = rest.split_once('`').unwrap();
    assert!(debian.types(line).contains("backup"));
    debian.stops(service);
}

/// How many messages the judge has handled; `None` while a delivery has the store.
fn handled(debian: &FreshDebian) -> Option<u64> {
    let status = debian.types("runuser -u dipjudge -- dipjudge status --json 2>&1 || true");
    let status: serde_json::Value = serde_json::from_str(&status).ok()?;
    status["messages"].as_u64()
}

/// A version of the compiler, to be compared.
fn version(words: &str) -> Vec<u32> {
    let parts = words.split('.');
    parts.map(|part| part.parse().unwrap()).collect()
}

/// The last stage of the container file, line by line, on a Debian that is not a container: what it runs, copies and starts. The
/// stage before builds by a command that CI runs, with a compiler that is new enough.
#[test]
fn the_container_file_makes_a_judge_from_the_package() {
    let Some(debian) = FreshDebian::new(DOMAIN) else {
        return;
    };
    debian.gets_the("deb");
    let file = include_str!("../../../deploy/Containerfile").replace("\\\n", " ");
    let (build, stage) = file.rsplit_once("\nFROM ").unwrap();
    assert!(
        build.contains("\nRUN deploy/package deb --out /\n"),
        "{build}"
    );
    let (_, image) = build.split_once("/rust:").unwrap();
    let (compiler, _) = image.split_once('-').unwrap();
    assert!(version(compiler) >= version(env!("CARGO_PKG_RUST_VERSION")));
    let (mut user, mut folder) = ("root", "/");
    for line in stage.lines().skip(1) {
        match line.split_once(' ') {
            Some(("COPY", _)) => {
                assert_eq!(line, "COPY --from=build /dipjudge.deb /tmp/dipjudge.deb");
                debian.types("mv dipjudge.deb /tmp/dipjudge.deb");
            }
            Some(("RUN", words)) => {
                debian.types(words);
            }
            Some(("USER", name)) => user = name,
            Some(("WORKDIR", path)) => folder = path,
            _ => {}
        }
    }
    let inside = |words: &str| {
        debian.types(&format!(
            "cd {folder}; runuser -u {user} -- dipjudge {words}"
        ))
    };
    // The mail of a container goes elsewhere; here two Maildirs stand for it.
    inside(
        "setup --address judge@mail.test --inbox ./in --relay ./out --name USXX --keeper keeper@mail.test",
    );
    inside("tick");
    assert!(inside("status").contains("backup"));
    let data = debian.types("stat -c %u /data/data");
    assert_eq!(data.trim(), "990");
}

#[test]
fn the_tarball_makes_a_judge_without_a_package_manager() {
    let Some(debian) = FreshDebian::oldest(DOMAIN) else {
        return;
    };
    debian.gets_the("tarball");
    let lines = block(KEEPER, "**Another Linux**").replace(
        "dipjudge setup",
        "dipjudge setup --address judge@mail.test --inbox /var/lib/dipjudge/mail/in --relay /var/lib/dipjudge/mail/out \
         --name USXX --keeper keeper@mail.test",
    );
    debian.types(&lines);
    let service = debian.starts_what_was_enabled();
    debian.stops(service);
    // On a desk.
    let said =
        debian.types("dipjudge --version\ndipjudge init my-judge\ncd my-judge\ndipjudge tick");
    assert!(said.contains(env!("CARGO_PKG_VERSION")), "{said}");
    assert!(debian.place("/root/my-judge/mail/out").exists());
}
