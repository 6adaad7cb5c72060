//! Logging in with OAuth 2.0: a token service of the test's own, Dovecot with its own OAuth 2 passdb that asks it whether a token holds, and
//! Exim.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use crate::checks::{configured, fails_saying, imap, smtp};
use crate::imap_settings;
use crate::judge_folder::JudgeFolder;
use crate::mail_system::MailSystem;
use dipjudge::shell::config::Tls;
use dipjudge::shell::inbox::imap::{ImapInbox, ImapSettings};
use dipjudge::shell::inbox::{Inbox, InboxError};
use dipjudge::shell::secret::{RefreshToken, SecretSource, WebAddress};

/// What the service has given out.
#[derive(Default)]
struct Given {
    /// How many access tokens; the newest alone holds, unless it is withdrawn.
    access: usize,
    /// How many refresh tokens; the newest alone holds.
    refresh: usize,
    withdrawn: bool,
}

/// A token endpoint, and the place where a server asks whether a token holds (RFC 7662, as Dovecot asks).
#[derive(Clone)]
struct TokenService {
    port: u16,
    given: Arc<Mutex<Given>>,
}

impl TokenService {
    fn start() -> TokenService {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let service = TokenService {
            port: listener.local_addr().unwrap().port(),
            given: Arc::default(),
        };
        let serving = service.clone();
        std::thread::spawn(move || {
            for socket in listener.incoming().flatten() {
                let serving = serving.clone();
                std::thread::spawn(move || serving.serve(socket));
            }
        });
        service
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}/token", self.port)
    }

    fn given(&self) -> usize {
        self.given.lock().unwrap().access
    }

    /// The newest access token holds no more.
    fn withdraw(&self) {
        self.given.lock().unwrap().withdrawn = true;
    }

    fn serve(&self, socket: TcpStream) {
        let mut reader = BufReader::new(socket.try_clone().unwrap());
        let mut first = String::new();
        let mut length = 0;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or(0) == 0 {
                return;
            }
            if first.is_empty() {
                first.clone_from(&line);
            }
            if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let (status, said) = if first.starts_with("POST /token ") {
            self.token(&String::from_utf8(body).unwrap())
        } else {
            ("200 OK", self.holds(&first))
        };
        let mut socket = socket;
        let _ = write!(
            socket,
            "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{said}",
            said.len()
        );
    }

    /// A new access token for the newest refresh token, which is replaced.
    fn token(&self, form: &str) -> (&'static str, String) {
        let mut given = self.given.lock().unwrap();
        let wanted = format!(
            "grant_type=refresh_token&refresh_token=refresh-{}&client_id=dipjudge&client_secret=s%26cret",
            given.refresh
        );
        // These two signs may be written either way.
        if form.replace("%5F", "_").replace("%2D", "-") != wanted {
            return (
                "400 Bad Request",
                "{\"error\":\"invalid_grant\"}".to_owned(),
            );
        }
        given.access += 1;
        given.refresh += 1;
        given.withdrawn = false;
        let said = format!(
            "{{\"access_token\":\"access-{}\",\"token_type\":\"Bearer\",\"expires_in\":3600,\"refresh_token\":\"refresh-{}\"}}",
            given.access, given.refresh
        );
        ("200 OK", said)
    }

    fn holds(&self, request: &str) -> String {
        let given = self.given.lock().unwrap();
        // Some releases of Dovecot add empty names of a client.
        let newest = format!("access-{}", given.access);
        let token = request.split_once("token=").map(|(_, rest)| rest);
        let token = token.and_then(|rest| rest.split(['&', ' ']).next());
        if token == Some(newest.as_str()) && !given.withdrawn {
            "{\"active\":true,\"email\":\"judge@mail.test\"}".to_owned()
        } else {
            "{\"active\":false}".to_owned()
        }
    }
}

/// Mail servers that take tokens of the service.
struct Servers {
    mail: MailSystem,
    service: TokenService,
    folder: tempfile::TempDir,
}

impl Servers {
    fn start() -> Option<Servers> {
        let service = TokenService::start();
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let settings = folder.path().join("dovecot-oauth2.conf.ext");
        fs::write(
            &settings,
            format!(
                "introspection_mode = get\nintrospection_url = http://127.0.0.1:{}/holds?token=\n\
                 username_attribute = email\nactive_attribute = active\nactive_value = true\n",
                service.port
            ),
        )
        .unwrap();
        let lines = format!(
            "auth_mechanisms = plain login xoauth2 oauthbearer\n\
             passdb {{\n  driver = oauth2\n  mechanisms = xoauth2 oauthbearer\n  args = {}\n}}\n",
            settings.display()
        );
        let mail = MailSystem::start_with(&["judge", "player1"], &lines)?;
        let servers = Servers {
            mail,
            service,
            folder,
        };
        servers.private_file("token", "refresh-0\n");
        servers.private_file("client-secret", "s&cret\n");
        Some(servers)
    }

    fn private_file(&self, name: &str, text: &str) -> PathBuf {
        let file = self.folder.path().join(name);
        fs::write(&file, text).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        file
    }

    /// The refresh token that is kept.
    fn kept(&self) -> String {
        fs::read_to_string(self.folder.path().join("token")).unwrap()
    }

    /// The lines of a section that name the refresh token.
    fn login_lines(&self) -> String {
        let folder = self.folder.path().display();
        format!(
            "user = \"judge@mail.test\"\noauth2_token_file = \"{folder}/token\"\noauth2_token_url = \"{}\"\n\
             oauth2_client_id = \"dipjudge\"\noauth2_client_secret_file = \"{folder}/client-secret\"\n",
            self.service.url()
        )
    }

    fn imap_section(&self, login: &str) -> String {
        let section = imap("localhost", self.mail.ports.imaps, "implicit");
        section.replace("user = \"judge\"\npassword_file = \"password\"\n", login)
    }

    /// What Exim takes for a login.
    fn exim_takes(&self, access: &str) {
        let file = self.mail.path().join("xoauth2");
        fs::write(
            &file,
            format!("user=judge@mail.test\u{1}auth=Bearer {access}\u{1}\u{1}"),
        )
        .unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    }
}

#[test]
fn a_refresh_token_in_a_file_lets_the_judge_into_both_servers() {
    let Some(servers) = Servers::start() else {
        return;
    };
    let judge = JudgeFolder::new("mail.test", "");
    let trusted = servers.mail.ca_file();
    configured(
        &judge,
        &servers.imap_section(&servers.login_lines()),
        &trusted,
    );
    let said = judge.says("fetch-check");
    assert!(said.contains("lets us in"), "{said}");
    // The provider gave a new refresh token, which alone holds now, for the judge's user alone.
    assert_eq!(servers.kept(), "refresh-1\n");
    let mode = fs::metadata(servers.folder.path().join("token"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);

    let relay = smtp("localhost", servers.mail.ports.smtps, "implicit") + &servers.login_lines();
    configured(&judge, &relay, &trusted);
    servers.exim_takes("access-2");
    let said = judge.says("send-check player1@mail.test");
    assert!(said.contains("has taken the mail"), "{said}");
    servers.mail.await_mails("player1", "INBOX", 1);
    // One token does for both logins of the check.
    assert_eq!(servers.service.given(), 2);

    servers.private_file("token", "refresh-0\n");
    fails_saying(
        &judge,
        "send-check player1@mail.test",
        &[
            "does not take the refresh token",
            "invalid_grant",
            "allow this program once more",
        ],
    );
}

#[test]
fn a_command_that_prints_a_token_lets_the_judge_in() {
    let Some(servers) = Servers::start() else {
        return;
    };
    let judge = JudgeFolder::new("mail.test", "");
    let login = "user = \"judge@mail.test\"\noauth2_command = [\"cat\", \"token\"]\n";
    configured(
        &judge,
        &servers.imap_section(login),
        &servers.mail.ca_file(),
    );
    // The newest token before the first is given.
    fs::write(judge.path("token"), "access-0\n").unwrap();
    assert!(judge.says("fetch-check").contains("lets us in"));
    fs::write(judge.path("token"), "access-9\n").unwrap();
    fails_saying(
        &judge,
        "fetch-check",
        &[
            "refuses the login of judge@mail.test",
            "access token is for the user in [inbox]",
        ],
    );
}

#[test]
fn a_token_that_is_withdrawn_is_replaced_at_the_next_login() {
    let Some(servers) = Servers::start() else {
        return;
    };
    let token = RefreshToken::new(
        servers.folder.path().join("token"),
        WebAddress::parse(&servers.service.url()).unwrap(),
        "dipjudge".into(),
        Some(servers.folder.path().join("client-secret")),
    );
    let mut inbox = ImapInbox::new(ImapSettings {
        tls: Tls::Implicit,
        ca_file: Some(servers.mail.ca_file()),
        user: "judge@mail.test".into(),
        secret: SecretSource::OAuth2Refresh(Box::new(token)),
        ..imap_settings::plain(servers.mail.ports.imaps)
    });
    inbox.look().unwrap();
    servers.mail.kick("*");
    servers.mail.stop_imap();
    lost(&mut inbox);
    servers.mail.start_imap();
    inbox.look().unwrap();
    // The token was kept for the second login.
    assert_eq!(servers.service.given(), 1);

    servers.service.withdraw();
    servers.mail.kick("*");
    servers.mail.stop_imap();
    lost(&mut inbox);
    servers.mail.start_imap();
    let refused = inbox.look();
    assert!(
        matches!(refused, Err(InboxError::Login { .. })),
        "{refused:?}"
    );
    inbox.look().unwrap();
    assert_eq!(
        (servers.service.given(), servers.kept().as_str()),
        (2, "refresh-2\n")
    );
}

/// Looks until the connection to a server that was stopped is gone: its processes end one by one.
fn lost(inbox: &mut ImapInbox) {
    for _ in 0..100 {
        if inbox.look().is_err() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    panic!("the server was stopped, but the connection is not lost");
}
