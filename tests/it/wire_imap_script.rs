//! The IMAP inbox against servers that misbehave: each trap that a real server was seen in, or may be in, as a script.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use dipjudge::shell::config::Tls;
use dipjudge::shell::inbox::imap::{ImapInbox, ImapSettings, ImapTimeouts};
use dipjudge::shell::inbox::{Handle, Inbox, InboxError};
use dipjudge::shell::secret::SecretSource;

/// How long a server may be silent in these tests.
const ANSWER: Duration = Duration::from_millis(1500);

/// What a scripted server does with a command; `TAG` in a text becomes the command's tag.
enum Response {
    /// Answers as a good server would.
    AsUsual,
    /// Says this.
    Says(String),
    /// Says this, and then nothing for so long, with the connection open.
    SaysThenSleeps(&'static str, Duration),
    /// Says this, and closes the connection.
    SaysThenCloses(&'static str),
    /// Says this, and then sends bytes for as long as somebody takes them.
    Floods(&'static str),
}

type Script = dyn Fn(&str) -> Response + Send + Sync;

/// A server with two small messages, UIDs 5 and 8, unless its script says otherwise.
struct Server {
    port: u16,
    connections: Arc<AtomicUsize>,
    commands: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn start(script: impl Fn(&str) -> Response + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Server {
            port: listener.local_addr().unwrap().port(),
            connections: Arc::default(),
            commands: Arc::default(),
        };
        let (connections, commands) = (
            Arc::clone(&server.connections),
            Arc::clone(&server.commands),
        );
        let script: Arc<Script> = Arc::new(script);
        std::thread::spawn(move || {
            for socket in listener.incoming().flatten() {
                connections.fetch_add(1, Ordering::SeqCst);
                let (script, commands) = (Arc::clone(&script), Arc::clone(&commands));
                std::thread::spawn(move || serve(socket, &*script, &commands));
            }
        });
        server
    }

    /// Says `reply` to commands that begin with `verb`, and answers others as usual.
    fn replying(verb: &'static str, reply: impl Into<String>) -> Server {
        let reply = reply.into();
        Server::start(move |command| {
            if command.starts_with(verb) {
                says(&reply)
            } else {
                Response::AsUsual
            }
        })
    }

    fn inbox(&self) -> ImapInbox {
        ImapInbox::new(self.settings())
    }

    fn settings(&self) -> ImapSettings {
        ImapSettings {
            host: "127.0.0.1".into(),
            port: self.port,
            tls: Tls::None,
            ca_file: None,
            user: "judge".into(),
            secret: SecretSource::Password("pw".into()),
            mailbox: "INBOX".into(),
            done: "Processed".into(),
            rejected: "Rejected".into(),
            poll: Duration::from_millis(100),
            max_bytes: 1000,
            timeouts: ImapTimeouts {
                connect: Duration::from_secs(5),
                answer: ANSWER,
                idle: Duration::from_secs(20),
            },
        }
    }

    fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    fn heard(&self, part: &str) -> usize {
        self.commands
            .lock()
            .unwrap()
            .iter()
            .filter(|command| command.contains(part))
            .count()
    }
}

fn serve(mut socket: TcpStream, script: &Script, commands: &Mutex<Vec<String>>) {
    let mut lines = BufReader::new(socket.try_clone().unwrap()).lines();
    let greeting = match script("GREETING") {
        Response::Says(text) => text,
        _ => "* OK scripted\r\n".to_owned(),
    };
    let _ = socket.write_all(greeting.as_bytes());
    let mut idle_tag = String::new();
    while let Some(Ok(line)) = lines.next() {
        let (tag, command) = if line == "DONE" {
            (idle_tag.as_str(), "DONE")
        } else {
            line.split_once(' ').unwrap_or((&line, ""))
        };
        commands.lock().unwrap().push(command.to_owned());
        let tag = tag.to_owned();
        if command == "IDLE" {
            idle_tag.clone_from(&tag);
        }
        let said = match script(command) {
            Response::AsUsual => socket.write_all(usual(command).replace("TAG", &tag).as_bytes()),
            Response::Says(text) => socket.write_all(text.replace("TAG", &tag).as_bytes()),
            Response::SaysThenSleeps(text, time) => {
                let said = socket.write_all(text.replace("TAG", &tag).as_bytes());
                std::thread::sleep(time);
                said
            }
            Response::SaysThenCloses(text) => {
                let _ = socket.write_all(text.replace("TAG", &tag).as_bytes());
                let _ = socket.shutdown(std::net::Shutdown::Both);
                return;
            }
            Response::Floods(text) => {
                let _ = socket.write_all(text.replace("TAG", &tag).as_bytes());
                while socket.write_all(&[b'x'; 64 * 1024]).is_ok() {}
                return;
            }
        };
        if said.is_err() || command == "LOGOUT" {
            return;
        }
    }
}

const STAMPS: &str = "* 1 FETCH (UID 5 INTERNALDATE \" 2-Mar-2026 18:00:07 +0000\" RFC822.SIZE 12)\r\n\
                      * 2 FETCH (UID 8 INTERNALDATE \"02-Mar-2026 20:00:07 +0100\" RFC822.SIZE 12)\r\n";
const BODIES: &str = "* 1 FETCH (UID 5 BODY[]<0> {12}\r\nA: 5\r\n\r\nfive)\r\n* 2 FETCH (UID 8 BODY[]<0> {12}\r\nA: 8\r\n\r\neigh)\r\n";

fn usual(command: &str) -> String {
    let words: Vec<&str> = command.split(' ').collect();
    let untagged = match words[..] {
        ["CAPABILITY", ..] => "* CAPABILITY IMAP4rev1 IDLE MOVE UIDPLUS\r\n",
        ["SELECT", ..] => {
            "* 2 EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n* OK [PERMANENTFLAGS (\\Seen \\Deleted \\*)] ok\r\n"
        }
        ["UID", "SEARCH", ..] => "* SEARCH 8 5\r\n",
        ["UID", "FETCH", _, "(UID", "INTERNALDATE", ..] => STAMPS,
        ["UID", "FETCH", ..] => BODIES,
        ["IDLE"] => return "+ idling\r\n".to_owned(),
        _ => "",
    };
    format!("{untagged}TAG OK done\r\n")
}

fn says(text: &str) -> Response {
    Response::Says(text.to_owned())
}

/// UIDs and bodies of a look.
fn found(inbox: &mut ImapInbox) -> Vec<(u32, String)> {
    let mails = inbox.look().unwrap().mails;
    mails
        .into_iter()
        .map(|mail| match mail.handle {
            Handle::Imap { uid, validity: 7 } => (uid, String::from_utf8(mail.bytes).unwrap()),
            other => panic!("{other:?}"),
        })
        .collect()
}

fn both() -> Vec<(u32, String)> {
    vec![
        (5, "A: 5\r\n\r\nfive".to_owned()),
        (8, "A: 8\r\n\r\neigh".to_owned()),
    ]
}

/// Runs something that must come to an end soon, whatever the server does.
fn soon<T>(what: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let outcome = what();
    assert!(
        start.elapsed() < Duration::from_secs(10),
        "it took {:?}",
        start.elapsed()
    );
    outcome
}

/// What comes of a look into the inbox and of waiting for new mail then.
fn look_and_wait(inbox: &mut ImapInbox) -> Result<(), InboxError> {
    soon(|| {
        inbox
            .look()
            .and_then(|_| inbox.wait(Duration::from_secs(60)))
    })
}

#[test]
fn a_good_server_is_understood() {
    let server = Server::start(|_| Response::AsUsual);
    let mut inbox = server.inbox();
    let look = inbox.look().unwrap();
    let arrived: Vec<String> = look
        .mails
        .iter()
        .map(|mail| mail.arrived.to_string())
        .collect();
    assert_eq!(arrived, ["2026-03-02T18:00:07Z", "2026-03-02T19:00:07Z"]);
    assert_eq!(found(&mut inbox), both());
    inbox
        .done_all(&[
            Handle::Imap {
                validity: 7,
                uid: 5,
            },
            Handle::Imap {
                validity: 6,
                uid: 8,
            },
        ])
        .unwrap();
    assert_eq!(
        (
            server.heard("UID MOVE 5 \"Processed\""),
            server.heard("UID MOVE")
        ),
        (1, 1)
    );
    drop(inbox);
    assert_eq!((server.connections(), server.heard("LOGOUT")), (1, 1));
}

#[test]
fn a_server_silent_after_done_is_given_up() {
    let server = Server::start(|command| match command {
        "IDLE" => says("+ idling\r\n* 3 EXISTS\r\n"),
        "DONE" => Response::SaysThenSleeps("", Duration::from_secs(60)),
        _ => Response::AsUsual,
    });
    let mut inbox = server.inbox();
    inbox.look().unwrap();
    let outcome = soon(|| inbox.wait(Duration::from_secs(60)));
    assert!(
        matches!(outcome, Err(InboxError::Lost { what: "IDLE", .. })),
        "{outcome:?}"
    );
    assert_eq!(found(&mut inbox), both());
    assert_eq!(server.connections(), 2);
}

#[test]
fn a_notice_before_the_plus_of_idle_is_understood() {
    let server = Server::replying("IDLE", "* 3 EXISTS\r\n+ idling\r\n");
    let mut inbox = server.inbox();
    inbox.look().unwrap();
    soon(|| inbox.wait(Duration::from_secs(60))).unwrap();
    assert_eq!(server.heard("DONE"), 1);
    assert_eq!(found(&mut inbox), both());
    assert_eq!(server.connections(), 1);
}

#[test]
fn a_plus_without_a_word_is_one() {
    let server = Server::replying("IDLE", "+\r\n* 1 RECENT\r\n");
    let mut inbox = server.inbox();
    inbox.look().unwrap();
    soon(|| inbox.wait(Duration::from_secs(60))).unwrap();
    assert_eq!(server.connections(), 1);
}

#[test]
fn after_three_idles_gone_wrong_it_polls() {
    let server = Server::start(|command| match command {
        "IDLE" => Response::SaysThenSleeps("", Duration::from_secs(60)),
        _ => Response::AsUsual,
    });
    let mut inbox = server.inbox();
    for _ in 0..3 {
        inbox.look().unwrap();
        assert!(soon(|| inbox.wait(Duration::from_secs(60))).is_err());
    }
    let start = Instant::now();
    for _ in 0..5 {
        inbox.look().unwrap();
        inbox.wait(Duration::from_secs(60)).unwrap();
    }
    assert!(start.elapsed() < Duration::from_secs(10));
    assert_eq!(server.heard("IDLE"), 3);
}

#[test]
fn an_idle_refused_or_ended_by_the_server_is_no_catastrophe() {
    for reply in [
        "TAG NO not now\r\n",
        "TAG BAD what\r\n",
        "+ idling\r\nTAG OK that was it\r\n",
        "TAG OK never mind\r\n",
    ] {
        let server = Server::replying("IDLE", reply);
        let mut inbox = server.inbox();
        inbox.look().unwrap();
        let outcome = soon(|| inbox.wait(Duration::from_secs(60)));
        assert!(
            matches!(outcome, Ok(()) | Err(InboxError::Refused { .. })),
            "{reply}: {outcome:?}"
        );
        assert_eq!(found(&mut inbox), both());
        assert_eq!(server.connections(), 1, "{reply}");
    }
}

#[test]
fn still_here_is_no_news() {
    let server = Server::replying("IDLE", "+ idling\r\n* OK Still here\r\n* OK Still here\r\n");
    let mut inbox = server.inbox();
    inbox.look().unwrap();
    let start = Instant::now();
    inbox.wait(Duration::from_secs(2)).unwrap();
    assert!(start.elapsed() >= Duration::from_secs(1));
    assert_eq!(server.heard("DONE"), 1);
}

#[test]
fn mail_announced_in_another_commands_reply_is_not_slept_through() {
    let searches = AtomicUsize::new(0);
    let server = Server::start(move |command| match command {
        // The new message is in the mailbox, though the reply to the second search does not list it yet.
        _ if command.starts_with("UID SEARCH") => match searches.fetch_add(1, Ordering::SeqCst) {
            0 => says("* SEARCH 5\r\nTAG OK done\r\n"),
            1 => says("* SEARCH 5\r\n* 2 EXISTS\r\nTAG OK done\r\n"),
            _ => Response::AsUsual,
        },
        _ => Response::AsUsual,
    });
    let mut inbox = server.inbox();
    assert_eq!(found(&mut inbox), both()[..1]);
    soon(|| inbox.wait(Duration::from_secs(60))).unwrap();
    assert_eq!((server.heard("IDLE"), found(&mut inbox)), (0, both()));
}

#[test]
fn a_notice_in_the_same_packet_as_a_reply_ends_the_idle() {
    let server = Server::replying(
        "UID SEARCH",
        "* SEARCH 5 8\r\nTAG OK done\r\n* 3 EXISTS\r\n",
    );
    let mut inbox = server.inbox();
    inbox.look().unwrap();
    soon(|| inbox.wait(Duration::from_secs(60))).unwrap();
}

#[test]
fn a_goodbye_ends_the_idle_though_the_connection_stays_open() {
    let server = Server::start(|command| match command {
        "IDLE" => Response::SaysThenSleeps(
            "+ idling\r\n* BYE shutting down\r\n",
            Duration::from_secs(60),
        ),
        _ => Response::AsUsual,
    });
    let mut inbox = server.inbox();
    inbox.look().unwrap();
    let start = Instant::now();
    assert!(matches!(
        inbox.wait(Duration::from_secs(60)),
        Err(InboxError::Lost { .. })
    ));
    assert!(start.elapsed() < Duration::from_secs(10));
    assert_eq!(found(&mut inbox), both());
}

#[test]
fn a_flood_is_cut_off() {
    for (verb, start) in [
        (
            "UID FETCH 5,8 (UID BODY",
            "* 1 FETCH (UID 5 BODY[]<0> {200000000}\r\n",
        ),
        ("UID FETCH 5,8 (UID INTERNALDATE", "* 1 FETCH (UID 5 "),
        ("IDLE", "+ idling\r\n* "),
        ("UID SEARCH", "* SEARCH "),
        ("CAPABILITY", "* CAPABILITY "),
    ] {
        let server = Server::start(move |command| {
            if command.starts_with(verb) {
                Response::Floods(start)
            } else {
                Response::AsUsual
            }
        });
        let mut inbox = server.inbox();
        let outcome = look_and_wait(&mut inbox);
        assert!(
            matches!(outcome, Err(InboxError::Nonsense { .. })),
            "{verb}: {outcome:?}"
        );
    }
}

#[test]
fn nonsense_costs_the_connection_and_not_the_judge() {
    for (verb, reply) in [
        ("IDLE", "+ idling\r\n%$§& ((\r\n"),
        ("IDLE", "+ idling\r\n* 1 EXISTS\r\nwrong OK done\r\n"),
        ("UID SEARCH", "a999 OK done\r\n"),
        ("UID SEARCH", "* SEARCH five\r\nTAG OK done\r\n"),
        (
            "UID FETCH 5,8 (UID INTERNALDATE",
            "* 1 FETCH (UID 5 INTERNALDATE \"yes\r\nTAG OK done\r\n",
        ),
        ("UID FETCH 5,8 (UID INTERNALDATE", "\0\0\0\r\n"),
        (
            "UID FETCH 5,8 (UID BODY",
            "* 1 FETCH (BODY[]<0> {-3}\r\nTAG OK done\r\n",
        ),
        ("UID FETCH 5,8 (UID BODY", "* 1 FETCH )))\r\n"),
    ] {
        let first = AtomicUsize::new(0);
        let server = Server::start(move |command| {
            let wrong = command.starts_with(verb) && first.fetch_add(1, Ordering::SeqCst) == 0;
            if wrong {
                says(reply)
            } else {
                Response::AsUsual
            }
        });
        let mut inbox = server.inbox();
        let outcome = look_and_wait(&mut inbox);
        assert!(
            matches!(
                outcome,
                Err(InboxError::Nonsense { .. } | InboxError::Lost { .. })
            ),
            "{verb} {reply}: {outcome:?}"
        );
        assert_eq!(found(&mut inbox), both(), "{verb} {reply}");
        assert_eq!(server.connections(), 2, "{verb} {reply}");
    }
}

#[test]
fn warnings_and_foreign_words_are_no_nonsense() {
    let server = Server::start(|command| match command {
        _ if command.starts_with("SELECT") => says(
            "* NO Ihr Postfach ist übervoll\r\n* 2 EXISTS\r\n* OK [UIDVALIDITY 7] gültig\r\nTAG OK [READ-WRITE] geöffnet\r\n",
        ),
        _ if command.starts_with("UID SEARCH") => says("* SEARCH 5 8\r\nTAG OK – fertig\r\n"),
        _ => Response::AsUsual,
    });
    assert_eq!(found(&mut server.inbox()), both());
}

#[test]
fn a_message_of_foreign_letters_is_not_changed() {
    let server = Server::start(|command| match command {
        _ if command.starts_with("UID FETCH 5,8 (UID BODY") => {
            let body = "A: ü\r\n\r\nZürich {7}\r\nende – {3}\r\n";
            says(&format!(
                "* 1 FETCH (UID 5 BODY[]<0> {{{}}}\r\n{body})\r\nTAG OK done\r\n",
                body.len()
            ))
        }
        _ => Response::AsUsual,
    });
    assert_eq!(
        found(&mut server.inbox()),
        [(5, "A: ü\r\n\r\nZürich {7}\r\nende – {3}\r\n".to_owned())]
    );
}

#[test]
fn notices_of_flags_in_a_fetch_are_skipped() {
    let server = Server::start(|command| match command {
        _ if command.starts_with("UID FETCH 5,8 (UID INTERNALDATE") => says(&format!(
            "* 9 FETCH (FLAGS (\\Seen))\r\n{STAMPS}* 4 FETCH (FLAGS ())\r\nTAG OK done\r\n"
        )),
        _ if command.starts_with("UID FETCH") => says(&format!(
            "* 9 FETCH (FLAGS (\\Seen))\r\n{BODIES}TAG OK done\r\n"
        )),
        _ => Response::AsUsual,
    });
    assert_eq!(found(&mut server.inbox()), both());
}

#[test]
fn a_message_gone_meanwhile_is_skipped() {
    for bodies in [
        "* 1 FETCH (UID 5 BODY[]<0> NIL)\r\n* 2 FETCH (UID 8 BODY[]<0> {12}\r\nA: 8\r\n\r\neigh)\r\nTAG OK done\r\n",
        "* 2 FETCH (UID 8 BODY[]<0> {12}\r\nA: 8\r\n\r\neigh)\r\nTAG OK done\r\n",
    ] {
        let server = Server::replying("UID FETCH 5,8 (UID BODY", bodies);
        assert_eq!(found(&mut server.inbox()), both()[1..]);
    }
}

#[test]
fn a_message_larger_than_the_server_says_is_oversize_all_the_same() {
    let server = Server::replying(
        "UID FETCH 5,8 (UID BODY",
        format!(
            "* 1 FETCH (UID 5 BODY[]<0> {{1001}}\r\nA: 5\r\n\r\n{})\r\nTAG OK done\r\n",
            "x".repeat(993)
        ),
    );
    let mails = server.inbox().look().unwrap().mails;
    assert_eq!(
        (mails.len(), mails[0].oversize, mails[0].bytes.len()),
        (1, true, 1000)
    );
    assert_eq!(server.heard("BODY.PEEK[]<0.1001>"), 1);
}

#[test]
fn one_unreadable_message_does_not_hold_up_the_others() {
    let server = Server::start(|command| match command {
        "UID FETCH 8 (UID BODY.PEEK[]<0.1001>)" => {
            says("* 2 FETCH (UID 8 BODY[]<0> {12}\r\nA: 8\r\n\r\neigh)\r\nTAG OK done\r\n")
        }
        _ if command.starts_with("UID FETCH 5") && command.contains("BODY") => {
            says("* 1 FETCH (UID 5 BODY[]<0> oops\r\n")
        }
        _ => Response::AsUsual,
    });
    let mut inbox = server.inbox();
    let failed = (0..20).take_while(|_| inbox.look().is_err()).count();
    assert!((1..=7).contains(&failed), "{failed}");
    let look = inbox.look().unwrap();
    assert!(look.complete);
    assert_eq!(look.mails.len(), 1);
    assert_eq!(
        look.unreadable,
        ["The server cannot show message 5 of the mailbox INBOX."]
    );
}

#[test]
fn a_message_that_cannot_be_moved_is_marked_and_does_not_come_again() {
    let marked = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&marked);
    let server = Server::start(move |command| match command {
        _ if command.starts_with("UID MOVE") => says("TAG NO over quota\r\n"),
        _ if command.contains("$DipjudgeHandled)") => {
            seen.fetch_add(1, Ordering::SeqCst);
            Response::AsUsual
        }
        _ => Response::AsUsual,
    });
    let mut inbox = server.inbox();
    assert_eq!(found(&mut inbox), both());
    let refused = inbox.done(&Handle::Imap {
        validity: 7,
        uid: 5,
    });
    assert!(
        matches!(&refused, Err(InboxError::Refused { what: "MOVE", why }) if why == "over quota"),
        "{refused:?}"
    );
    assert_eq!(marked.load(Ordering::SeqCst), 1);
    assert_eq!(found(&mut inbox), both()[1..]);
    assert_eq!(server.connections(), 1);
}

#[test]
fn a_message_that_cannot_be_removed_is_copied_once() {
    for keywords in [true, false] {
        let server = Server::start(move |command| match command {
            "CAPABILITY" => says("* CAPABILITY IMAP4rev1 IDLE UIDPLUS\r\nTAG OK done\r\n"),
            "SELECT \"INBOX\"" if !keywords => says(
                "* 2 EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n* OK [PERMANENTFLAGS (\\Seen)] ok\r\nTAG OK done\r\n",
            ),
            command if command.starts_with("UID STORE") && command.contains("\\Deleted") => {
                says("TAG NO [NOPERM] nobody deletes here\r\n")
            }
            _ => Response::AsUsual,
        });
        let mut inbox = server.inbox();
        assert_eq!(found(&mut inbox).len(), 2);
        let handle = Handle::Imap {
            validity: 7,
            uid: 5,
        };
        let put_away = inbox.done(&handle);
        assert_eq!(put_away.is_ok(), keywords, "{put_away:?}");
        assert_eq!(server.heard("UID COPY 5"), 1);
        assert_eq!(server.heard("CREATE"), 0);
        assert_eq!(server.heard("$DipjudgeHandled)") > 0, keywords);
    }
}

#[test]
fn a_target_removed_meanwhile_is_made_again() {
    let made = Arc::new(AtomicUsize::new(0));
    let making = Arc::clone(&made);
    let server = Server::start(move |command| match command {
        _ if command.starts_with("STATUS") => says("TAG NO [NONEXISTENT] no such mailbox\r\n"),
        _ if command.starts_with("CREATE \"Processed\"") => {
            making.fetch_add(1, Ordering::SeqCst);
            Response::AsUsual
        }
        _ if command.starts_with("UID MOVE") && making.load(Ordering::SeqCst) < 2 => {
            says("TAG NO [TRYCREATE] no such mailbox\r\n")
        }
        _ => Response::AsUsual,
    });
    let mut inbox = server.inbox();
    inbox.look().unwrap();
    inbox
        .done(&Handle::Imap {
            validity: 7,
            uid: 5,
        })
        .unwrap();
    assert_eq!(
        (made.load(Ordering::SeqCst), server.heard("UID MOVE")),
        (2, 2)
    );
}

#[test]
fn a_server_that_sends_us_away_is_out_of_reach() {
    for greeting in [
        "* BYE too many connections\r\n",
        "220 mail.example.org ESMTP\r\n",
    ] {
        let server = Server::replying("GREETING", greeting);
        let outcome = server.inbox().look();
        assert!(
            matches!(outcome, Err(InboxError::Unreachable { .. })),
            "{outcome:?}"
        );
    }
}

#[test]
fn a_login_refused_for_now_is_not_the_keepers_trouble() {
    for (reply, keeper) in [
        ("TAG NO [UNAVAILABLE] backend down\r\n", false),
        ("TAG NO [AUTHENTICATIONFAILED] wrong\r\n", true),
    ] {
        let server = Server::replying("LOGIN", reply);
        let error = server.inbox().look().unwrap_err();
        assert_eq!(error.needs_keeper(), keeper, "{error}");
        assert!(!error.to_string().contains("pw"), "{error}");
    }
}

#[test]
fn a_token_is_shown_by_xoauth2_and_a_refusal_is_answered_with_an_empty_line() {
    let server = Server::start(|command| match command {
        "AUTHENTICATE XOAUTH2" => says("+ \r\n"),
        // base64 of user=judge^Aauth=Bearer tok^A^A arrives as a line of its own; then the server tells why not, and waits.
        "" => says("+ eyJzdGF0dXMiOiI0MDEifQ==\r\n"),
        _ => Response::AsUsual,
    });
    // The scripted server does not know the tags of lines that are no commands: that it hears both lines is enough.
    let secret = SecretSource::OAuth2Command(vec!["printf".into(), "tok".into()]);
    let mut inbox = ImapInbox::new(ImapSettings {
        secret,
        ..server.settings()
    });
    let outcome = soon(|| inbox.look());
    assert!(outcome.is_err());
    assert_eq!(server.heard("AUTHENTICATE XOAUTH2"), 1);
    assert!(
        server
            .commands
            .lock()
            .unwrap()
            .iter()
            .filter(|command| command.is_empty())
            .count()
            >= 2
    );
}

#[test]
fn a_connection_closed_in_the_middle_is_lost_and_made_again() {
    let closed = AtomicUsize::new(0);
    let server = Server::start(move |command| {
        let now = command.starts_with("UID FETCH 5,8 (UID BODY")
            && closed.fetch_add(1, Ordering::SeqCst) == 0;
        if now {
            Response::SaysThenCloses("* 1 FETCH (UID 5 BODY[]<0> {12}\r\nA: 5")
        } else {
            Response::AsUsual
        }
    });
    let mut inbox = server.inbox();
    let outcome = inbox.look();
    assert!(
        matches!(outcome, Err(InboxError::Lost { what: "FETCH", .. })),
        "{outcome:?}"
    );
    assert_eq!(found(&mut inbox), both());
}

#[test]
fn a_message_left_out_of_an_answer_twice_is_told() {
    let server = Server::start(|command| {
        if command.starts_with("UID FETCH") {
            // The server names both messages when it is asked what waits, and answers for one.
            if command.contains("INTERNALDATE") {
                says(
                    "* 2 FETCH (UID 8 INTERNALDATE \"02-Mar-2026 18:00:00 +0000\" RFC822.SIZE 9)\r\nTAG OK done\r\n",
                )
            } else {
                says("* 2 FETCH (UID 8 BODY[]<0> {9}\r\nFrom: a\r\n)\r\nTAG OK done\r\n")
            }
        } else {
            Response::AsUsual
        }
    });
    let mut inbox = server.inbox();
    let first = inbox.look().unwrap();
    assert_eq!((first.mails.len(), first.unreadable.len()), (1, 0));
    let second = inbox.look().unwrap();
    assert_eq!(second.mails.len(), 1);
    assert_eq!(
        second.unreadable,
        ["The server leaves message 5 of the mailbox INBOX out of its answers."]
    );
}

#[test]
fn mailboxes_get_the_prefix_of_the_servers_namespace() {
    let server = Server::start(|command| match command {
        "CAPABILITY" => {
            says("* CAPABILITY IMAP4rev1 IDLE MOVE UIDPLUS NAMESPACE\r\nTAG OK done\r\n")
        }
        "NAMESPACE" => says(
            "* OK [ALERT] a word before it\r\n* NAMESPACE ((\"INBOX/\" \"/\")) NIL NIL\r\nTAG OK done\r\n",
        ),
        _ if command.starts_with("STATUS \"INBOX/") => Response::AsUsual,
        _ if command.starts_with("STATUS") => says("TAG NO there is none\r\n"),
        _ => Response::AsUsual,
    });
    let report = server.inbox().check().unwrap();
    assert_eq!(
        (report.done.as_str(), report.rejected.as_str()),
        ("INBOX/Processed", "INBOX/Rejected")
    );
    assert_eq!(server.heard("SELECT \"INBOX\""), 1);
    // A server that does not answer what it says it can is used as one that does not tell.
    let silent = Server::start(|command| match command {
        "CAPABILITY" => says("* CAPABILITY IMAP4rev1 NAMESPACE\r\nTAG OK done\r\n"),
        "NAMESPACE" => says("TAG BAD what?\r\n"),
        _ => Response::AsUsual,
    });
    assert_eq!(silent.inbox().check().unwrap().done, "Processed");
}
