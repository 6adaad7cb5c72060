//! Connects to a server, logs in and selects the mailbox; errors say plainly what is wrong.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::time::Instant;

use imap::{Client, Session};
use rustls::{ClientConnection, StreamOwned};

use super::names::{encode, quote};
use super::places::{Places, is_there};
use super::transport::{Transport, TransportControl, Wire, untagged_word};
use super::{HANDLED_KEYWORD, ImapSettings, client_error};
use crate::config::Tls;
use crate::inbox::{InboxError, Stopper};
use crate::secret::Credential;
use crate::server_words::readable;
use crate::tls;

/// The limit in bytes for the answers to the commands in this file.
const SHORT_ANSWER: u64 = 1 << 20;

/// A connection with the mailbox selected.
pub(super) struct Connection {
    pub(super) session: Session<Transport>,
    pub(super) control: Arc<TransportControl>,
    /// What the mailboxes of the config are called here.
    pub(super) places: Places,
    pub(super) validity: u32,
    pub(super) exists: u32,
    pub(super) idle: bool,
    pub(super) moves: bool,
    pub(super) uidplus: bool,
    /// Whether the keyword of the judge may be set on messages.
    pub(super) keyword: bool,
}

/// What names a message: its UID under the mailbox's UIDVALIDITY.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct MessageId {
    pub(super) validity: u32,
    pub(super) uid: u32,
}

impl Connection {
    /// The message with this UID in the selected mailbox.
    pub(super) fn message_id(&self, uid: u32) -> MessageId {
        MessageId {
            validity: self.validity,
            uid,
        }
    }
}

/// Connects, logs in, selects the mailbox, and makes the two target mailboxes if they are missing.
pub(super) fn connect(
    settings: &ImapSettings,
    stopper: &Stopper,
) -> Result<Connection, InboxError> {
    let server = format!("{}:{}", settings.host, settings.port);
    tls::permitted(settings.tls, &settings.host)?;
    let credential = settings.secret.fetch()?;
    let socket = open_socket(settings, &server)?;
    let wire = protect(settings, &server, socket)?;
    let control = TransportControl::new(settings.timeouts.answer);
    let unusable = |e: io::Error| InboxError::Unreachable {
        server: server.clone(),
        why: e.to_string(),
    };
    let transport =
        Transport::new(wire, Arc::clone(&control), stopper.clone()).map_err(unusable)?;
    let mut client = Client::new(transport);
    // After STARTTLS there is no second greeting.
    if settings.tls != Tls::StartTls {
        let greeting = client
            .read_greeting()
            .map_err(|e| client_error("the greeting", e))?;
        check_greeting(&greeting, &server)?;
    }
    let session = log_in(client, settings, &server, credential, &control)
        .inspect_err(|_| settings.secret.forget())?;
    open(session, settings, control)
}

/// A socket to the first of the host's addresses that answers.
fn open_socket(settings: &ImapSettings, server: &str) -> Result<TcpStream, InboxError> {
    let unreachable = |why: String| InboxError::Unreachable {
        server: server.to_owned(),
        why,
    };
    let addresses = (settings.host.as_str(), settings.port)
        .to_socket_addrs()
        .map_err(|e| unreachable(format!("the name is not known ({e})")))?;
    let mut why = "the name has no address".to_owned();
    for address in addresses {
        match TcpStream::connect_timeout(&address, settings.timeouts.connect) {
            Ok(socket) => {
                let patience = Some(settings.timeouts.answer);
                let ready = socket
                    .set_nodelay(true)
                    .and_then(|()| socket.set_read_timeout(patience))
                    .and_then(|()| socket.set_write_timeout(patience));
                ready.map_err(|e| unreachable(e.to_string()))?;
                return Ok(socket);
            }
            Err(e) => why = e.to_string(),
        }
    }
    Err(unreachable(why))
}

fn protect(
    settings: &ImapSettings,
    server: &str,
    mut socket: TcpStream,
) -> Result<Wire, InboxError> {
    let failed = |why: String| InboxError::Handshake {
        server: server.to_owned(),
        why,
    };
    match settings.tls {
        Tls::None => return Ok(Wire::Plain(socket)),
        Tls::StartTls => starttls(&mut socket, server, settings)?,
        Tls::Implicit => {}
    }
    let config = tls::client_config(settings.ca_file.as_deref())?;
    let name = tls::server_name(&settings.host)?;
    let mut connection = ClientConnection::new(config, name).map_err(|e| failed(e.to_string()))?;
    let start = Instant::now();
    while connection.is_handshaking() {
        if start.elapsed() > settings.timeouts.answer {
            return Err(failed("the server does not answer".to_owned()));
        }
        connection
            .complete_io(&mut socket)
            .map_err(|e| match e.kind() {
                io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                    failed("the server does not answer".to_owned())
                }
                io::ErrorKind::UnexpectedEof => {
                    failed("the server closed the connection".to_owned())
                }
                _ => failed(e.to_string()),
            })?;
    }
    Ok(Wire::Tls(Box::new(StreamOwned::new(connection, socket))))
}

/// Does STARTTLS on the socket itself, since the client cannot run a command before the login. Lines are read byte by byte,
/// so that nothing sent before the handshake is taken for something sent after it.
fn starttls(
    socket: &mut TcpStream,
    server: &str,
    settings: &ImapSettings,
) -> Result<(), InboxError> {
    let lost = |e: io::Error| InboxError::Lost {
        what: "STARTTLS",
        why: e.to_string(),
    };
    let until = Instant::now() + settings.timeouts.answer;
    let greeting = read_line(socket, until).map_err(lost)?;
    check_greeting(&greeting, server)?;
    socket.write_all(b"s1 STARTTLS\r\n").map_err(lost)?;
    loop {
        let line = read_line(socket, until).map_err(lost)?;
        match line.split_at_checked(6) {
            Some((start, _)) if start.eq_ignore_ascii_case(b"s1 OK ") => return Ok(()),
            _ if line.starts_with(b"* ") => {}
            _ => {
                let why = format!(
                    "it refuses STARTTLS: {}",
                    readable(&String::from_utf8_lossy(&line))
                );
                return Err(InboxError::Handshake {
                    server: server.to_owned(),
                    why,
                });
            }
        }
    }
}

fn read_line(socket: &mut TcpStream, until: Instant) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    let mut byte = [0];
    while line.last() != Some(&b'\n') {
        if line.len() > 4096 || Instant::now() > until {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "the server does not come to an end",
            ));
        }
        if socket.read(&mut byte)? == 0 {
            return Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                "the server closed the connection",
            ));
        }
        line.extend_from_slice(&byte);
    }
    Ok(line)
}

fn check_greeting(greeting: &[u8], server: &str) -> Result<(), InboxError> {
    let refused = |why: String| InboxError::Unreachable {
        server: server.to_owned(),
        why,
    };
    match untagged_word(greeting).as_deref() {
        Some(b"OK") => Ok(()),
        Some(b"BYE") => Err(refused(format!(
            "it sends us away: {}",
            readable(&String::from_utf8_lossy(greeting))
        ))),
        _ if greeting.is_empty() => Err(refused("it closes the connection at once".to_owned())),
        _ => Err(refused(format!(
            "it does not greet as an IMAP server does: {}",
            readable(&String::from_utf8_lossy(greeting))
        ))),
    }
}

/// XOAUTH2: sends the token; if the server answers with the reason of a refusal, it expects an empty line.
struct Xoauth2 {
    words: String,
    said: std::cell::Cell<bool>,
}

impl imap::Authenticator for Xoauth2 {
    type Response = String;

    fn process(&self, _challenge: &[u8]) -> String {
        if self.said.replace(true) {
            String::new()
        } else {
            self.words.clone()
        }
    }
}

/// AUTHENTICATE PLAIN (RFC 4616), for logins that LOGIN cannot send.
struct Plain(String);

impl imap::Authenticator for Plain {
    type Response = String;

    fn process(&self, _challenge: &[u8]) -> String {
        self.0.clone()
    }
}

fn log_in(
    mut client: Client<Transport>,
    settings: &ImapSettings,
    server: &str,
    credential: Credential,
    control: &TransportControl,
) -> Result<Session<Transport>, InboxError> {
    control.expect(SHORT_ANSWER);
    let offers = client
        .capabilities()
        .map_err(|e| client_error("CAPABILITY", e))?;
    let plain = offers.has_str("AUTH=PLAIN");
    control.expect(SHORT_ANSWER);
    let user = &settings.user;
    let outcome = match credential {
        Credential::Token(token) => {
            let words = format!("user={user}\u{1}auth=Bearer {token}\u{1}\u{1}");
            client.authenticate(
                "XOAUTH2",
                &Xoauth2 {
                    words,
                    said: std::cell::Cell::new(false),
                },
            )
        }
        // LOGIN is limited to ASCII, and some servers have disabled it.
        Credential::Password(password)
            if plain
                && (!password.is_ascii()
                    || !user.is_ascii()
                    || offers.has_str("LOGINDISABLED")) =>
        {
            client.authenticate("PLAIN", &Plain(format!("\0{user}\0{password}")))
        }
        Credential::Password(password) => client.login(user, password),
    };
    outcome.map_err(|(error, _)| match error {
        // RFC 5530: a temporary fault of the server.
        imap::Error::No(no)
            if format!("{no}").contains("UNAVAILABLE")
                || format!("{:?}", no.code).contains("navailable") =>
        {
            InboxError::Refused {
                what: "the login for now",
                why: no.to_string(),
            }
        }
        imap::Error::No(no) => refused_login(server, user, no.to_string()),
        imap::Error::Bad(bad) => refused_login(server, user, bad.to_string()),
        imap::Error::Validate(_) => {
            refused_login(server, user, "name or password holds a line end".to_owned())
        }
        other => client_error("the login", other),
    })
}

fn refused_login(server: &str, user: &str, why: String) -> InboxError {
    InboxError::Login {
        server: server.to_owned(),
        user: user.to_owned(),
        why,
    }
}

/// Selects the mailbox and makes the target mailboxes. The `select` of the client panics on a warning (`* NO`) in the
/// reply, so the reply is parsed here.
fn open(
    mut session: Session<Transport>,
    settings: &ImapSettings,
    control: Arc<TransportControl>,
) -> Result<Connection, InboxError> {
    control.expect(SHORT_ANSWER);
    let offers = session
        .capabilities()
        .map_err(|e| client_error("CAPABILITY", e))?;
    let places = Places::find(
        &mut session,
        &control,
        settings,
        offers.has_str("NAMESPACE"),
    )?;
    for target in [&places.done, &places.rejected] {
        make_mailbox(&mut session, &control, target)?;
    }
    let reply = selected(&mut session, &control, &places.mailbox)?;
    Ok(Connection {
        places,
        validity: number_after(&reply, "[UIDVALIDITY ").unwrap_or(0),
        exists: exists(&reply),
        keyword: permits_keyword(&reply),
        idle: offers.has_str("IDLE"),
        moves: offers.has_str("MOVE"),
        uidplus: offers.has_str("UIDPLUS"),
        session,
        control,
    })
}

/// Selects another mailbox on a connection.
pub(super) fn select(live: &mut Connection, mailbox: &str) -> Result<(), InboxError> {
    let reply = selected(&mut live.session, &live.control, mailbox)?;
    live.validity = number_after(&reply, "[UIDVALIDITY ").unwrap_or(0);
    live.exists = exists(&reply);
    live.keyword = permits_keyword(&reply);
    Ok(())
}

/// The reply to SELECT, if the mailbox may be changed.
fn selected(
    session: &mut Session<Transport>,
    control: &TransportControl,
    mailbox: &str,
) -> Result<String, InboxError> {
    control.expect(SHORT_ANSWER);
    let (reply, _) = session
        .run(format!("SELECT {}", quote(&encode(mailbox))))
        .map_err(|e| mailbox_error(mailbox, "SELECT", e))?;
    let reply = String::from_utf8_lossy(&reply).into_owned();
    if reply.to_ascii_uppercase().contains("[READ-ONLY]") {
        let why = "it may be read but not changed".to_owned();
        return Err(InboxError::Mailbox {
            name: mailbox.to_owned(),
            why,
        });
    }
    Ok(reply)
}

/// How many messages a mailbox holds, by the reply to SELECT.
fn exists(reply: &str) -> u32 {
    reply
        .lines()
        .filter_map(|line| {
            line.strip_prefix("* ")?
                .strip_suffix(" EXISTS")?
                .parse()
                .ok()
        })
        .next_back()
        .unwrap_or(0)
}

/// Makes a mailbox if it is missing. Uses STATUS first, because the refusal of CREATE does not say that the mailbox exists.
pub(super) fn make_mailbox(
    session: &mut Session<Transport>,
    control: &TransportControl,
    name: &str,
) -> Result<(), InboxError> {
    if is_there(session, control, name)? {
        return Ok(());
    }
    control.expect(SHORT_ANSWER);
    session
        .create(encode(name))
        .map_err(|e| mailbox_error(name, "CREATE", e))
}

pub(super) fn mailbox_error(name: &str, what: &'static str, error: imap::Error) -> InboxError {
    match error {
        imap::Error::No(no) => InboxError::Mailbox {
            name: name.to_owned(),
            why: no.to_string(),
        },
        imap::Error::Bad(bad) => InboxError::Mailbox {
            name: name.to_owned(),
            why: bad.to_string(),
        },
        other => client_error(what, other),
    }
}

fn number_after(reply: &str, mark: &str) -> Option<u32> {
    let (_, rest) = reply.split_once(mark)?;
    rest.split(|c: char| !c.is_ascii_digit())
        .next()?
        .parse()
        .ok()
}

/// Whether the keyword of the judge may be set: it is listed, or `\*` allows new keywords (RFC 3501 7.1, PERMANENTFLAGS).
fn permits_keyword(reply: &str) -> bool {
    let Some((_, rest)) = reply.split_once("[PERMANENTFLAGS (") else {
        return false;
    };
    let flags = rest.split(')').next().unwrap_or_default();
    flags
        .split(' ')
        .any(|flag| flag == "\\*" || flag.eq_ignore_ascii_case(HANDLED_KEYWORD))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_select_says_is_read() {
        let reply = "* FLAGS (\\Seen)\r\n* OK [PERMANENTFLAGS (\\Seen \\*)] new ones too\r\n* OK [UIDVALIDITY 17] ok\r\n";
        assert_eq!(number_after(reply, "[UIDVALIDITY "), Some(17));
        assert_eq!(number_after(reply, "[UIDNEXT "), None);
        assert!(permits_keyword(reply));
        assert!(permits_keyword(
            "* OK [PERMANENTFLAGS ($dipjudgehandled)] x"
        ));
        assert!(!permits_keyword("* OK [PERMANENTFLAGS (\\Seen)] x"));
        assert!(!permits_keyword(""));
    }

    #[test]
    fn a_greeting_must_be_one() {
        assert!(check_greeting(b"* OK ready\r\n", "h:1").is_ok());
        for (greeting, why) in [
            (b"* BYE overloaded\r\n".as_slice(), "sends us away"),
            (b"220 mail.example.org ESMTP\r\n", "does not greet"),
            (b"", "closes the connection"),
        ] {
            let said = check_greeting(greeting, "h:1").unwrap_err().to_string();
            assert!(said.contains(why), "{said}");
        }
    }
}
