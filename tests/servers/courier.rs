//! The IMAP inbox against a real Courier, which keeps all mailboxes of a user below `INBOX.`.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::imap_settings;
use crate::mail_system::until;
use dipjudge::shell::inbox::imap::{ImapInbox, ImapSettings};
use dipjudge::shell::inbox::{Claim, ForeignInbox, Handle, Inbox, RecallAction, Recalled};
use dipjudge::store::StoreId;

/// Where `deploy/install-test-needs.sh` unpacks Courier, which Debian does not install beside Dovecot.
const COURIER: &str = "/opt/dipjudge-tests/courier";

/// Lays Courier over `/usr` in a mount namespace of its own, and starts authentication and server, whose folders in `/etc` and `/run` are the test's own: their names are compiled in.
const START: &str = r#"set -e
mount -t overlay overlay -o "lowerdir=$COURIER/usr:/usr" /usr
mkdir -p /etc/courier /run/courier
mount --bind "$T/etc" /etc/courier
mount --bind "$T/run" /run/courier
password=$(openssl passwd -1 pw-judge)
printf 'judge\tuid=%s|gid=%s|home=%s|mail=%s|imappw=%s\n' \
    "$(id -u mail)" "$(id -g mail)" "$T/mail" "$T/mail/Maildir" "$password" >/etc/courier/userdb
chmod 600 /etc/courier/userdb
chown -R mail:mail "$T/mail"
makeuserdb
/usr/lib/courier/courier-authlib/authdaemond &
while [ ! -S /run/courier/authdaemon/socket ]; do sleep 0.05; done
exec env -i PATH=/usr/bin:/bin IMAP_KEYWORDS=1 IMAP_USELOCKS=1 IMAP_STARTTLS=NO IMAP_TLS_REQUIRED=0 IMAP_IDLE_TIMEOUT=60 \
    IMAP_CAPABILITY="IMAP4rev1 UIDPLUS CHILDREN NAMESPACE SORT QUOTA IDLE" \
    /usr/sbin/couriertcpd -address=127.0.0.1 -nodnslookup -noidentlookup "$PORT" \
    /usr/lib/courier/courier/imaplogin /usr/bin/imapd Maildir
"#;

/// A running Courier with the account `judge`; it ends when this is dropped.
struct Courier {
    folder: tempfile::TempDir,
    port: u16,
    namespace: Child,
}

impl Courier {
    fn start() -> Option<Courier> {
        if let Some(missing) = missing() {
            eprintln!("SKIPPED: {missing} (deploy/install-test-needs.sh installs what is needed)");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        for part in [
            "etc",
            "run/authdaemon",
            "mail/Maildir/new",
            "mail/Maildir/cur",
            "mail/Maildir/tmp",
        ] {
            fs::create_dir_all(path.join(part)).unwrap();
        }
        fs::write(
            path.join("etc/authdaemonrc"),
            "authmodulelist=\"authuserdb\"\ndaemons=2\nauthdaemonvar=/run/courier/authdaemon\n",
        )
        .unwrap();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        let said = fs::File::create(path.join("log")).unwrap();
        let namespace = Command::new("unshare")
            .args([
                "--mount",
                "--pid",
                "--fork",
                "--kill-child",
                "--propagation",
                "private",
                "sh",
                "-c",
                START,
            ])
            .env("T", path)
            .env("COURIER", COURIER)
            .env("PORT", port.to_string())
            .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
            .stdin(Stdio::null())
            .stdout(said.try_clone().unwrap())
            .stderr(said)
            .spawn()
            .unwrap();
        let courier = Courier {
            folder,
            port,
            namespace,
        };
        until(
            "Courier",
            || std::net::TcpStream::connect(("127.0.0.1", port)).is_ok(),
            || fs::read_to_string(courier.folder.path().join("log")).unwrap_or_default(),
        );
        Some(courier)
    }

    fn settings(&self) -> ImapSettings {
        imap_settings::plain(self.port)
    }

    fn inbox(&self, digit: char) -> ImapInbox {
        ImapInbox::new(self.settings()).on_behalf_of(Claim {
            store: store(digit),
            foreign: ForeignInbox::Leave,
        })
    }

    /// The folder of a mailbox.
    fn mailbox(&self, name: &str) -> PathBuf {
        self.folder.path().join("mail/Maildir").join(name)
    }

    fn arrives(&self, subject: &str) {
        let text = format!(
            "From: anna@example.org\r\nTo: judge@mail.test\r\nSubject: {subject}\r\n\r\n{subject}\r\n"
        );
        let file = self.mailbox("new").join(format!("17{subject}.test"));
        fs::write(&file, text).unwrap();
        let owner = fs::metadata(self.mailbox("new")).unwrap();
        std::os::unix::fs::chown(&file, Some(owner.uid()), Some(owner.gid())).unwrap();
    }

    fn count(&self, name: &str) -> usize {
        ["new", "cur"]
            .iter()
            .filter_map(|part| fs::read_dir(self.mailbox(name).join(part)).ok())
            .flatten()
            .count()
    }
}

impl Drop for Courier {
    fn drop(&mut self) {
        let _ = self.namespace.kill();
        let _ = self.namespace.wait();
    }
}

fn store(digit: char) -> StoreId {
    StoreId::parse(&digit.to_string().repeat(32)).unwrap()
}

/// What is missing for a Courier of one's own, if anything.
fn missing() -> Option<String> {
    if fs::metadata("/proc/self").map_or(1, |metadata| metadata.uid()) != 0 {
        return Some("Courier needs root to start".to_owned());
    }
    let programs = [
        "/usr/sbin/couriertcpd",
        "/usr/sbin/makeuserdb",
        "/usr/lib/courier/courier/imaplogin",
        "/usr/lib/courier/courier-authlib/authdaemond",
    ];
    let lacks = |path: &&&str| !Path::new(&format!("{COURIER}{path}")).exists();
    if let Some(path) = programs.iter().find(lacks) {
        return Some(format!("{COURIER}{path} is not there"));
    }
    let may = Command::new("unshare")
        .args(["--mount", "--pid", "--fork", "true"])
        .status();
    let may = may.is_ok_and(|status| status.success());
    (!may).then(|| "unshare is not permitted".to_owned())
}

#[test]
fn mailboxes_are_kept_below_the_prefix_that_the_server_tells() {
    let Some(courier) = Courier::start() else {
        return;
    };
    for subject in ["one", "two"] {
        courier.arrives(subject);
    }
    let mut inbox = courier.inbox('a');
    let report = inbox.check().unwrap();
    assert_eq!(
        (report.done.as_str(), report.rejected.as_str()),
        ("INBOX.Processed", "INBOX.Rejected")
    );
    let handles: Vec<Handle> = inbox
        .look()
        .unwrap()
        .mails
        .into_iter()
        .map(|mail| mail.handle)
        .collect();
    let [one, two] = handles.as_slice() else {
        panic!("{handles:?}")
    };
    inbox.done(one).unwrap();
    inbox.reject(two).unwrap();
    assert_eq!(inbox.look().unwrap().mails, Vec::new());
    assert_eq!(
        (
            courier.count(""),
            courier.count(".Processed"),
            courier.count(".Rejected")
        ),
        (0, 1, 1)
    );
    // The mark of the store lies there too, and another store reads it.
    assert!(
        courier
            .mailbox(&format!(".dipjudge-store-{}", store('a')))
            .is_dir()
    );
    assert_eq!(courier.inbox('b').owners().unwrap(), [store('a')]);
    assert!(courier.inbox('b').look().is_err());

    assert_eq!(
        inbox.recall(&|_| true, RecallAction::PutBack).unwrap(),
        Recalled::Found
    );
    assert_eq!(inbox.look().unwrap().mails.len(), 1);

    // Who wrote the whole name into the config means the same mailboxes.
    drop(inbox);
    let mut named = ImapInbox::new(ImapSettings {
        done: "INBOX.Processed".into(),
        rejected: "INBOX.Rejected".into(),
        ..courier.settings()
    });
    assert_eq!(named.check().unwrap().done, "INBOX.Processed");
    let waiting = named.look().unwrap().mails.remove(0);
    named.done(&waiting.handle).unwrap();
    assert_eq!(courier.count(".Processed"), 2);
}
