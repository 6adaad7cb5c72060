//! What a mail itself betrays (`visibility.md` 5, 12): attempts that need two runs, a late clock or a planted fault, and so
//! cannot be told as a transcript. The others are `tests/transcripts/standard/leak-*.txt`.

use std::collections::{BTreeMap, BTreeSet};

use crate::games::PLAYERS;
use crate::memory::MemoryLibrary;
use dipjudge::judge::{Ids, Incoming, Judge, Outgoing, Ruling, Settings};
use dipjudge::mails::outbound::Templates;
use jiff::{SignedDuration, Timestamp};
use mail_parser::MessageParser;
use proptest::prelude::*;
use sha2::{Digest, Sha256};

const JUDGE: &str = "judge@usxx.example.org";
const KEEPER: &str = "keeper@usxx.example.org";

/// Reproducible ids: a stream for each reader, and one for everything else.
#[derive(Clone, Default)]
struct Streams {
    others: u64,
    readers: BTreeMap<String, u64>,
}

fn bits<const N: usize>(of: &str) -> [u8; N] {
    let hash = Sha256::digest(of);
    std::array::from_fn(|n| hash[n])
}

impl Ids for Streams {
    fn id(&mut self) -> [u8; 16] {
        self.others += 1;
        bits(&format!("id {}", self.others))
    }

    fn seed(&mut self) -> [u8; 32] {
        self.others += 1;
        bits(&format!("seed {}", self.others))
    }

    fn mail_id(&mut self, reader: &str) -> [u8; 16] {
        let count = self.readers.entry(reader.to_owned()).or_insert(0);
        *count += 1;
        bits(&format!("mail {count} to {reader}"))
    }

    fn user_id(&mut self, address: &str) -> [u8; 16] {
        bits(&format!("user {address}"))
    }
}

/// A judge, and everything that it ever sent.
struct TestJudge {
    judge: Judge,
    ids: Streams,
    library: MemoryLibrary,
    now: Timestamp,
    sent: Vec<Outgoing>,
    notes: Vec<String>,
}

impl TestJudge {
    /// `options` stand behind the game's name in CREATE and SIGNON; `tokyo` has begun.
    fn with(templates: Templates, options: &str) -> TestJudge {
        TestJudge::with_trust(templates, options, None)
    }

    /// The same, with the host whose word proves senders.
    fn with_trust(templates: Templates, options: &str, authserv_id: Option<&str>) -> TestJudge {
        let settings = Settings {
            limits: crate::memory::no_limits(),
            authserv_id: authserv_id.map(str::to_owned),
            ..crate::memory::settings(JUDGE)
        };
        let mut table = TestJudge {
            judge: Judge::new(settings, templates).with_pictures(crate::memory::pictures()),
            ids: Streams::default(),
            library: MemoryLibrary::default(),
            now: "2026-11-30T10:00:00Z".parse().unwrap(),
            sent: Vec::new(),
            notes: Vec::new(),
        };
        for name in ["gm"]
            .into_iter()
            .chain(PLAYERS.iter().map(|(name, _)| *name))
        {
            table.write(
                name,
                "",
                &format!("REGISTER\nName: {name}\nLevel: Amateur\nCountry: Sweden\nEND"),
            );
        }
        table.write(
            "gm",
            "",
            &format!("CREATE ?tokyo gms-word {options}\nBECOME MASTER\nSET LIST"),
        );
        for (name, letter) in PLAYERS {
            table.write(
                name,
                "",
                &format!("SIGNON ?tokyo {name}s-word {options}\nSET PREFERENCE {letter}"),
            );
        }
        assert!(table.judge.game("tokyo").is_some_and(|game| game.begun()));
        table
    }

    fn gunboat() -> TestJudge {
        TestJudge::with(Templates::built_in(), "gunboat")
    }

    /// Receives a mail a minute after the one before; returns the mails that follow.
    fn write(&mut self, from: &str, header: &str, body: &str) -> Vec<Outgoing> {
        self.write_to(JUDGE, from, header, body)
    }

    fn write_to(&mut self, to: &str, from: &str, header: &str, body: &str) -> Vec<Outgoing> {
        self.now += SignedDuration::from_mins(1);
        let bytes = format!(
            "From: {from}@ex.org\r\nTo: {to}\r\nMessage-ID: <{}.{from}@ex.org>\r\n{header}\
             Content-Type: text/plain; charset=utf-8\r\n\r\n{}\r\n",
            self.now.as_second(),
            body.replace('\n', "\r\n")
        );
        let incoming = Incoming {
            bytes: bytes.into_bytes(),
            arrived: self.now,
            envelope_from: Some(format!("{from}@ex.org")),
            envelope_to: Some(to.to_owned()),
            oversize: false,
            signed: None,
        };
        let ruling = self
            .judge
            .receive(&incoming, self.now, &mut self.ids, &self.library);
        self.keep(ruling)
    }

    /// Has the judge look at the clock at `now`, for what fell due until `by`.
    fn clock(&mut self, by: Timestamp, now: Timestamp) -> Vec<Outgoing> {
        self.now = now;
        let mut sent = Vec::new();
        for _ in 0..100 {
            let ruling = self.judge.tick(by, now, &[], &mut self.ids, &self.library);
            match ruling {
                Some(ruling) => sent.extend(self.keep(ruling)),
                None => return sent,
            }
        }
        panic!("the judge does not come to rest");
    }

    fn keep(&mut self, ruling: Ruling) -> Vec<Outgoing> {
        self.judge.absorb(&ruling).unwrap();
        self.library.take_in(&ruling);
        self.notes.extend(ruling.notes);
        self.sent.extend(ruling.mails.iter().cloned());
        ruling.mails
    }

    /// The newest mail to somebody with these words in its subject.
    fn newest(&self, to: &str, subject: &str) -> &Outgoing {
        let wanted =
            |mail: &&Outgoing| mail.to == format!("{to}@ex.org") && seen(mail).0.contains(subject);
        self.sent.iter().rev().find(wanted).unwrap()
    }

    /// Answers the newest mail to somebody with these words in its subject.
    fn answer(&mut self, from: &str, subject: &str, body: &str) -> Vec<Outgoing> {
        let to = field(self.newest(from, subject), "Reply-To: ").unwrap();
        self.write_to(&to, from, "Subject: Re: your letter\r\n", body)
    }
}

/// Subject and text as a reader sees them.
fn seen(mail: &Outgoing) -> (String, String) {
    let bytes = mail.letter.bytes();
    let message = MessageParser::default().parse(&bytes[..]).unwrap();
    (
        message.subject().unwrap_or_default().to_owned(),
        message
            .body_text(0)
            .unwrap_or_default()
            .replace("\r\n", "\n"),
    )
}

/// A field of the header.
fn field(mail: &Outgoing, name: &str) -> Option<String> {
    let text = String::from_utf8_lossy(&mail.letter.own);
    let header = text.split("\r\n\r\n").next().unwrap_or_default();
    header
        .lines()
        .find_map(|line| line.strip_prefix(name))
        .map(str::to_owned)
}

fn to<'a>(mails: &'a [Outgoing], who: &str) -> Vec<&'a Outgoing> {
    let address = format!("{who}@ex.org");
    mails.iter().filter(|mail| mail.to == address).collect()
}

/// The same game, with or without others' letters, questions, machines and mistakes.
fn anna_reads(others_write: bool) -> Vec<Outgoing> {
    let mut table = TestJudge::gunboat();
    table.write(
        "ben",
        "",
        "SIGNON Etokyo bens-word\nPRESS TO AF\nTo you both.\nENDPRESS",
    );
    let hour = table.now;
    if others_write {
        for n in 0..3 {
            table.answer("cleo", "Press from E to AF", &format!("Number {n}."));
            table.answer("ben", "Press from F to E", &format!("I know, {n}."));
        }
        table.write("dirk", "", "SIGNON Gtokyo wrong-word\nA Mun-Ruh");
        table.write(
            "finn",
            "",
            "SIGNON Rtokyo finns-word\nA Mos-Ukr\nLIST\nSUMMARY",
        );
        table.write("zoe", "", "LIST\nHELP");
        table.write("emma", "Auto-Submitted: auto-replied\r\n", "I am away.");
    }
    table.now = hour + SignedDuration::from_mins(30);
    table.answer("anna", "Press from E to AF", "Count me in.");
    table.write("anna", "", "SIGNON Atokyo annas-word\nA Vie-Gal");
    let after = table.now + SignedDuration::from_hours(8 * 24);
    table.clock(after, after);
    to(&table.sent, "anna").into_iter().cloned().collect()
}

#[test]
fn leak_l09_ids_do_not_count_what_others_got() {
    let (quiet, busy) = (anna_reads(false), anna_reads(true));
    assert!(quiet.len() > 5);
    for (one, other) in quiet.iter().zip(&busy) {
        assert_eq!(one, other, "{}", String::from_utf8_lossy(&other.letter.own));
    }
    assert_eq!(quiet.len(), busy.len());
    let ids: BTreeSet<String> = quiet
        .iter()
        .map(|mail| field(mail, "Message-ID: ").unwrap())
        .collect();
    let paths: BTreeSet<&String> = quiet.iter().map(|mail| &mail.envelope_from).collect();
    assert_eq!((ids.len(), paths.len()), (quiet.len(), quiet.len()));
    for id in ids {
        let bits = id.trim_start_matches('<').split('@').next().unwrap().len();
        assert_eq!(bits, 26, "{id}");
    }
}

#[test]
fn leak_l10_a_phase_mail_bears_its_deadline_or_the_minute_of_playing() {
    let mut table = TestJudge::gunboat();
    let times = table.judge.game("tokyo").unwrap().timing.times.unwrap();
    for (name, letter) in PLAYERS {
        let units = if name == "anna" { "A Vie H" } else { "" };
        table.write(
            name,
            "",
            &format!("SIGNON {letter}tokyo {name}s-word\n{units}"),
        );
    }
    let late = times.deadline + SignedDuration::from_secs(9 * 60 + 17);
    let notices = table.clock(times.deadline, late);
    let notices: Vec<&Outgoing> = notices
        .iter()
        .filter(|mail| seen(mail).0.contains("Late Notice"))
        .collect();
    assert_eq!(notices.len(), 8);
    let date = |at: Timestamp| {
        at.to_zoned_datetime(jiff::tz::TimeZone::UTC)
            .strftime("%a, %d %b %Y %H:%M:00 +0000")
            .to_string()
    };
    for mail in notices {
        assert_eq!(
            field(mail, "Date: "),
            Some(date(times.deadline)),
            "{:?}",
            seen(mail).0
        );
    }
    // All orders come in; the phase falls due after its delay, and the judge wakes up much later: one minute is told to all.
    for (name, letter) in PLAYERS {
        let orders = match letter {
            'A' => "A Vie H\nA Bud H\nF Tri H",
            'E' => "A Lvp H\nF Edi H\nF Lon H",
            'F' => "A Mar H\nA Par H\nF Bre H",
            'G' => "A Ber H\nA Mun H\nF Kie H",
            'I' => "A Rom H\nA Ven H\nF Nap H",
            'R' => "A Mos H\nA War H\nF Sev H\nF Stp H",
            _ => "A Con H\nA Smy H\nF Ank H",
        };
        table.write(
            name,
            "",
            &format!("SIGNON {letter}tokyo {name}s-word\n{orders}"),
        );
    }
    let due = table.judge.next_due().unwrap();
    let woke = due + SignedDuration::from_secs(2 * 3600 + 41);
    let results = table.clock(due, woke);
    let results: Vec<&Outgoing> = results
        .iter()
        .filter(|mail| seen(mail).0.ends_with("S1901M Results"))
        .collect();
    assert_eq!(results.len(), 8);
    for mail in results {
        assert_eq!(field(mail, "Date: "), Some(date(woke)));
    }
}

#[test]
fn a_password_in_a_letter_stays_here_even_without_a_sign_on() {
    let mut table = TestJudge::gunboat();
    table.write(
        "ben",
        "",
        "SIGNON Etokyo bens-word\nPRESS TO F\nHello.\nENDPRESS",
    );
    table.write("cleo", "", "SIGNON Ftokyo cleos-word\nA Par H");
    let sent = table.answer(
        "cleo",
        "Press from E to F",
        "If I am away, use \"Cleos-Word\" for me.",
    );
    assert!(to(&sent, "ben").is_empty());
    let (_, text) = seen(to(&sent, "cleo")[0]);
    assert!(text.contains("holds your password"), "{text}");
    assert!(!text.to_lowercase().contains("cleos-word"), "{text}");
}

#[test]
fn open_games_have_relay_addresses_for_white_press_too() {
    let mut table = TestJudge::with(Templates::built_in(), "");
    table.write(
        "ben",
        "",
        "SIGNON Etokyo bens-word\nPRESS TO F\nHello.\nENDPRESS",
    );
    let letter = field(table.newest("cleo", "Press from E to F"), "Reply-To: ");
    table.write("cleo", "", "SIGNON Ftokyo cleos-word\nA Par H");
    assert_ne!(field(table.newest("cleo", "Re: "), "Reply-To: "), letter);
    let sent = table.answer("cleo", "Press from E to F", "Where do you go?");
    let texts: Vec<_> = sent.iter().map(|mail| (&mail.to, seen(mail))).collect();
    let came = |(to, (_, text)): &(&String, (String, String))| {
        *to == "ben@ex.org" && text.contains("Where do you go?")
    };
    assert!(texts.iter().any(came), "{texts:#?}");
}

#[test]
fn a_relay_address_is_of_one_reader_and_one_writer() {
    let mut table = TestJudge::gunboat();
    table.write(
        "ben",
        "",
        "SIGNON Etokyo bens-word\nPRESS TO FG\nHello.\nENDPRESS",
    );
    table.write(
        "emma",
        "",
        "SIGNON Itokyo emmas-word\nPRESS TO F\nHello.\nENDPRESS",
    );
    let reply_to = |who: &str, subject: &str| field(table.newest(who, subject), "Reply-To: ");
    let all: BTreeSet<Option<String>> = [
        reply_to("cleo", "Press from E to FG"),
        reply_to("dirk", "Press from E to FG"),
        reply_to("cleo", "Press from I to F"),
        reply_to("cleo", "Re: "),
    ]
    .into();
    assert_eq!(all.len(), 4);
    let first = reply_to("cleo", "Press from E to FG");
    table.write(
        "ben",
        "",
        "SIGNON Etokyo bens-word\nPRESS TO FG\nAnd again.\nENDPRESS",
    );
    assert_eq!(
        first,
        field(table.newest("cleo", "Press from E to FG"), "Reply-To: ")
    );
}

/// Templates with a planted fault: every notice ends with Anna's address.
fn telling_templates() -> Templates {
    let text = "{% for line in lines %}{{ line }}\n{% endfor %}\nAsk Anna@ex.org about it.";
    Templates::new(
        &[],
        &[("player-notice.md".to_owned(), text.to_owned())].into(),
    )
    .unwrap()
}

/// What stands for a part that was taken out.
const TAKEN_OUT: &str = "The judge took this part out";

#[test]
fn the_last_net_takes_the_address_of_a_hidden_leader_out_and_the_rest_goes() {
    let mut table = TestJudge::with(telling_templates(), "gunboat");
    let (before, noted) = (table.sent.len(), table.notes.len());
    table.write("gm", "", "SIGNON Mtokyo gms-word\nSET NMR");
    let sent = table.sent.split_off(before);
    let mut readers = BTreeSet::new();
    for mail in sent.iter().filter(|mail| mail.to != KEEPER) {
        let (subject, text) = seen(mail);
        assert!(subject.contains("tokyo"), "{subject}");
        // The master may read it, and Anna knows her address.
        let knows = ["anna@ex.org", "gm@ex.org"].contains(&mail.to.as_str());
        let shows = text.to_lowercase().contains("anna@ex.org");
        assert!(knows || !shows, "{}: {text}", mail.to);
        assert_eq!(text.contains(TAKEN_OUT), !knows, "{}: {text}", mail.to);
        readers.insert(mail.to.as_str());
    }
    assert_eq!(readers.len(), 8, "nobody goes without: {readers:?}");
    let told: Vec<&Outgoing> = sent.iter().filter(|mail| mail.to == KEEPER).collect();
    assert_eq!(told.len(), 1, "the keeper is told once");
    let (subject, text) = seen(told[0]);
    assert_eq!(subject, "USXX: A part of a mail was taken out");
    assert!(text.contains("tokyo S1901M"), "{text}");
    assert!(text.contains("held an address"), "{text}");
    assert!(
        !text.to_lowercase().contains("anna") && !text.contains("Ask"),
        "{text}"
    );
    let notes = &table.notes[noted..];
    // Six players, and what is kept for those who watch and for who is told no addresses.
    assert_eq!(notes.len(), 8, "{notes:?}");
    assert!(
        notes
            .iter()
            .all(|note| note.contains("tokyo S1901M") && !note.contains('@')),
        "{notes:?}"
    );
}

#[test]
fn no_word_of_press_blinds_the_last_net_and_press_goes_without_what_it_finds() {
    let text = "{{ headline }}\n\n{{ text }}\n\nAsk Anna@ex.org about it.";
    let edited = [("player-press.md".to_owned(), text.to_owned())].into();
    let mut table = TestJudge::with(Templates::new(&[], &edited).unwrap(), "gunboat");
    for press in ["a", "Anna", "about it.", "Ask about it."] {
        let sent = table.write(
            "ben",
            "",
            &format!("SIGNON Etokyo bens-word\nPRESS TO F\n{press}\nENDPRESS"),
        );
        let (_, text) = seen(to(&sent, "cleo")[0]);
        assert!(text.contains(press) && text.contains(TAKEN_OUT), "{text}");
        assert!(!text.to_lowercase().contains("anna@"), "{text}");
        assert_eq!(told_keeper(&sent), 1, "{press}");
    }
}

/// How many mails went to the keeper.
fn told_keeper(sent: &[Outgoing]) -> usize {
    sent.iter().filter(|mail| mail.to == KEEPER).count()
}

#[test]
fn the_last_net_asks_whose_words_an_answer_repeats() {
    let mut table = TestJudge::gunboat();
    table.write("ben", "", "SIGNON Etokyo bens-word\nA Lvp-Yor");
    let at_bens = field(table.newest("ben", "Re: "), "Reply-To: ").unwrap();
    // Emma knows his address. She writes who she is in a line that comes back as unreadable.
    let sent = table.write_to(&at_bens, "emma", "", "Emma@ex.org plays Italy\nF Lon-Nth");
    let (_, text) = seen(to(&sent, "ben")[0]);
    assert!(text.contains("London -> North Sea"), "{text}");
    assert!(!text.to_lowercase().contains("emma"), "{text}");
    // His own words are no secret from him.
    let sent = table.write(
        "ben",
        "",
        "SIGNON Etokyo bens-word\nDoes emma@ex.org play Italy?",
    );
    let (_, text) = seen(to(&sent, "ben")[0]);
    assert!(text.contains("Does emma@ex.org play"), "{text}");
    assert_eq!(told_keeper(&table.sent), 0);
}

/// Otherwise the answer would tell who plays.
#[test]
fn a_mail_from_a_strange_address_is_answered_alike_whoever_has_the_address_in_it() {
    let mut table = TestJudge::gunboat();
    table.write("ben", "", "SIGNON Etokyo bens-word\nA Lvp-Yor");
    let at_bens = field(table.newest("ben", "Re: "), "Reply-To: ").unwrap();
    let mut answered = |address: &str| {
        let sent = table.write_to(&at_bens, "bens-other", "", &format!("Does {address} play?"));
        seen(to(&sent, "ben")[0]).1
    };
    for address in [
        "emma@ex.org",
        "nina@ex.org",
        "Em\u{200b}ma@ex.org",
        "\u{ff4e}ina@ex.org",
    ] {
        let text = answered(address);
        assert!(text.contains("holds an address, which"), "{text}");
        assert!(!text.contains("@ex.org play"), "{text}");
    }
}

#[test]
fn an_honest_mail_that_ends_a_game_and_resumes_it_is_answered() {
    let mut table = TestJudge::gunboat();
    table.write("gm", "", "SIGNON Mtokyo gms-word\nSET UNMODERATED");
    let sent = table.write(
        "ben",
        "",
        "SIGNON Etokyo bens-word\nTERMINATE\nLIST\nRESUME",
    );
    assert!(!to(&sent, "ben").is_empty());
    assert_eq!(told_keeper(&table.sent), 0, "{:?}", table.notes);
}

#[test]
fn the_last_net_lets_everything_pass_where_leaders_are_known() {
    let mut table = TestJudge::with(telling_templates(), "");
    let sent = table.write("gm", "", "SIGNON Mtokyo gms-word\nSET NMR");
    assert_eq!(
        sent.iter()
            .filter(|mail| seen(mail).1.contains("Ask Anna"))
            .count(),
        8
    );
    assert!(to(&sent, "keeper").is_empty());
}

/// Lines of which a letter may consist, some of them hostile.
fn line() -> impl Strategy<Value = String> {
    let hostile = prop_oneof![
        Just("SIGNON Ftokyo cleos-word"),
        Just("> SIGNON Ftokyo cleos-word"),
        Just("sign on Ftokyo cleos-word"),
        Just("my word is cleos-word"),
        Just("From: Cleo <cleo@ex.org>"),
        Just("On Monday cleo@ex.org wrote:"),
        Just("PRESS TO E"),
        Just("ENDPRESS"),
        Just("F Bre-Mid"),
        Just(":: Judge: USXX  Game: Tokyo"),
        Just("-- "),
        Just(""),
    ];
    prop_oneof![
        2 => "[ -~]{0,60}",
        2 => "\\PC{0,30}",
        2 => Just("Dear England,".to_owned()),
        2 => hostile.prop_map(str::to_owned),
    ]
}

#[test]
fn whatever_is_answered_at_a_relay_address_tells_nobody_who_wrote_it() {
    let mut table = TestJudge::gunboat();
    table.write(
        "ben",
        "",
        "SIGNON Etokyo bens-word\nPRESS TO F\nHello.\nENDPRESS",
    );
    table.write("cleo", "", "SIGNON Ftokyo cleos-word\nLIST");
    let address = field(table.newest("cleo", "Press from E to F"), "Reply-To: ").unwrap();
    let table = std::cell::RefCell::new(table);
    let mut passed = 0;
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: 300,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let orders = |table: &TestJudge| format!("{:?}", table.judge.game("tokyo").unwrap().standings);
    let passed = std::cell::RefCell::new(&mut passed);
    runner
        .run(&proptest::collection::vec(line(), 0..8), |lines| {
            let mut table = table.borrow_mut();
            let before = orders(&table);
            let sent = table.write_to(&address, "cleo", "X-Mailer: Suisen\r\n", &lines.join("\n"));
            prop_assert!(sent.len() <= 2, "{} mails", sent.len());
            for mail in to(&sent, "ben") {
                **passed.borrow_mut() += 1;
                let whole = String::from_utf8_lossy(&mail.letter.own).to_lowercase();
                let (subject, text) = seen(mail);
                prop_assert_eq!(subject, "USXX:tokyo - S1901M Press from F to E");
                let text = text.to_lowercase();
                prop_assert!(
                    !text.contains("cleo@") && !text.contains("cleos-word"),
                    "{}",
                    text
                );
                prop_assert!(!whole.contains("suisen") && !whole.contains(".cleo@ex.org"));
            }
            // A mail that begins with PRESS, or signs on and then sends PRESS, is for the judge, who takes its orders as well.
            let mut written = lines.iter().filter(|line| !line.trim().is_empty());
            let holds_press = lines.iter().any(|line| line == "PRESS TO E");
            let is_for_judge = written.next().is_some_and(|line| {
                line == "PRESS TO E" || holds_press && line.starts_with("SIGNON ")
            });
            let ordered = before != orders(&table);
            prop_assert!(
                is_for_judge || !ordered || to(&sent, "ben").is_empty(),
                "no line of a letter is carried out"
            );
            Ok(())
        })
        .unwrap();
    assert!(**passed.borrow() > 30, "too few letters went through");
}

#[test]
fn where_a_host_vouches_for_senders_a_forged_one_takes_no_power_over() {
    for options in ["", "blind"] {
        let host = Some("mx.usxx.example.org");
        let mut table = TestJudge::with_trust(Templates::built_in(), options, host);
        let proof = "Authentication-Results: mx.usxx.example.org; dkim=pass header.d=ex.org\r\n";
        table.write("finn", proof, "SIGNON Rtokyo finns-word\nRESIGN");
        let leads = |table: &TestJudge| {
            let game = table.judge.game("tokyo").unwrap();
            let russia = game.all_powers().find(|power| game.key(*power) == "RUSSIA");
            !game.standing(russia.unwrap()).vacant()
        };
        for sign in ["SIGNON Rtokyo a-new-word", "SIGNON ?tokyo a-new-word"] {
            table.write("finn", "", sign);
            assert!(!leads(&table), "{options} {sign}");
        }
        table.write("finn", proof, "SIGNON Rtokyo a-new-word");
        assert!(leads(&table), "{options}");
    }
}
