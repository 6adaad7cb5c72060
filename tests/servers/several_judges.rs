//! Several judges behind one domain, each with its own store and local part, by the files in `deploy/several-judges`: two behind a real
//! Exim, and Postfix's map asked by `postmap -q`.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::mail_system::MailSystem;

const ROUTERS: &str = include_str!("../../deploy/several-judges/exim-routers.conf");
const TRANSPORTS: &str = include_str!("../../deploy/several-judges/exim-transports.conf");
const POSTFIX: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/deploy/several-judges/postfix-transport"
);
/// Where `deploy/install-test-needs.sh` unpacks Postfix, which Debian does not install beside Exim.
const UNPACKED: &str = "/opt/dipjudge-tests/postfix/usr";

/// A judge in a folder of its own, whose mail Exim puts into its Maildir.
struct Judge<'a> {
    mail: &'a MailSystem,
    folder: std::path::PathBuf,
}

impl Judge<'_> {
    fn new<'a>(mail: &'a MailSystem, home: &Path, name: &str, other: &str) -> Judge<'a> {
        let folder = home.join(name);
        fs::create_dir_all(&folder).unwrap();
        let config = format!(
            "[judge]\nname = \"{}\"\naddress = \"{name}@mail.test\"\nkeeper = \"keeper@mail.test\"\ndata = \"data\"\ntimezone = \"UTC\"\n\
             others = \"{other}@mail.test\"\n\n[inbox]\nkind = \"maildir\"\npath = \"mail/in\"\n\n\
             [outbox]\nkind = \"smtp\"\nhost = \"localhost\"\nport = {}\ntls = \"starttls\"\n[trust]\nca_file = \"{}\"\n\
             [limits]\nunproven_reply_bytes = 0\n",
            name.to_uppercase(),
            mail.ports.smtp,
            mail.ca_file().display()
        );
        fs::write(folder.join("dipjudge.toml"), config).unwrap();
        let judge = Judge { mail, folder };
        judge.run("init");
        // Exim delivers as another user.
        for path in [
            "",
            "mail",
            "mail/in",
            "mail/in/tmp",
            "mail/in/new",
            "mail/in/cur",
        ] {
            let mode = fs::Permissions::from_mode(0o777);
            fs::set_permissions(judge.folder.join(path), mode).unwrap();
        }
        judge
    }

    fn run(&self, line: &str) -> String {
        let output = Command::new(env!("CARGO_BIN_EXE_dipjudge"))
            .args(line.split_whitespace())
            .current_dir(&self.folder)
            .env_clear()
            .output()
            .unwrap();
        assert!(output.status.success(), "{line}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Takes the one message that comes, and gives the answer to it.
    fn answers(&self, number: usize) -> String {
        crate::mail_system::until(
            "the message",
            || {
                let new = fs::read_dir(self.folder.join("mail/in/new"));
                new.is_ok_and(|mut entries| entries.next().is_some())
            },
            || self.mail.logs(),
        );
        self.run("tick");
        let answers = format!("In-Reply-To: <{number}@players.test>");
        let mails = self.mail.await_mails("anna", "INBOX", number);
        let mut mails = mails.into_iter();
        mails.find(|mail| mail.contains(&answers)).unwrap()
    }
}

fn reply_address(answer: &str) -> String {
    let line = answer
        .lines()
        .find_map(|line| line.strip_prefix("Reply-To: "));
    line.expect("an address for the reply").trim().to_owned()
}

#[test]
fn two_judges_behind_one_exim_get_their_own_mail_and_name_each_other() {
    let Some(mail) = MailSystem::start(&["keeper", "anna"]) else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let first = Judge::new(&mail, home.path(), "usxx", "usxy");
    let second = Judge::new(&mail, home.path(), "usxy", "usxx");
    let transports = TRANSPORTS
        .replace("/var/lib", &home.path().display().to_string())
        // The tests' Exim may not become another user.
        .replace("  user = $local_part_data\n", "");
    mail.restart_smtp_without_queue_runs(&|config| {
        config
            .replace("begin routers\n", &format!("begin routers\n{ROUTERS}"))
            .replace(
                "begin transports\n",
                &format!("begin transports\n{transports}"),
            )
    });
    let writes = |to: &str, number: u32, text: &str| {
        let message = format!(
            "From: anna@mail.test\nTo: {to}\nSubject: mail {number}\nMessage-ID: <{number}@players.test>\n\n{text}"
        );
        mail.send("anna@mail.test", to, &message);
    };
    let form = "REGISTER\nName: Anna\nLevel: Novice\nEND";
    writes("usxx@mail.test", 1, form);
    assert!(first.answers(1).contains("Judge: USXX"));
    writes("usxx@mail.test", 2, "CREATE ?kaiser apw");
    let created = first.answers(2);
    // The reply address bears the judge's own local part and a token.
    let reply = reply_address(&created);
    assert!(reply.starts_with("usxx+"), "{reply}");
    writes(&reply, 3, "LIST kaiser");
    assert!(first.answers(3).contains("kaiser"));
    // The other judge knows nobody of it, and says where else games are.
    writes("usxy@mail.test", 4, form);
    assert!(second.answers(4).contains("Judge: USXY"));
    writes("usxy@mail.test", 5, "SIGNON ?kaiser apw");
    let answer = second.answers(5);
    let words: Vec<&str> = answer.split_whitespace().collect();
    assert!(
        words
            .join(" ")
            .contains("other games are at usxx@mail.test"),
        "{answer}"
    );
    assert!(!second.run("games").contains("kaiser"));
}

#[test]
fn the_map_of_postfix_sends_each_address_to_its_judge() {
    let postmap = Path::new(UNPACKED).join("sbin/postmap");
    if !postmap.exists() {
        eprintln!("SKIPPED: Postfix is not unpacked (deploy/install-test-needs.sh does it)");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // Users and groups that are on every Debian.
    let config = "compatibility_level = 3.6\nmail_owner = mail\nsetgid_group = games\nmyhostname = example.org\nmynetworks_style = host\n";
    fs::write(folder.path().join("main.cf"), config).unwrap();
    let asked = |address: &str| {
        let output = Command::new(&postmap)
            .args(["-c", folder.path().to_str().unwrap(), "-q", address])
            .arg(format!("regexp:{POSTFIX}"))
            .env("LD_LIBRARY_PATH", Path::new(UNPACKED).join("lib/postfix"))
            .output()
            .unwrap();
        assert!(output.stderr.is_empty(), "{output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    for (address, judge) in [
        ("usxx@example.org", "dipjudge-usxx:"),
        ("usxx+b7tk2@example.org", "dipjudge-usxx:"),
        ("USXY@example.org", "dipjudge-usxy:"),
        ("usxy+a.b@example.org", "dipjudge-usxy:"),
        ("usxz@example.org", ""),
        ("usxx@example.com", ""),
        ("xusxx@example.org", ""),
        ("anna@example.org", ""),
    ] {
        assert_eq!(asked(address), judge, "{address}");
    }
}
