//! What proves who writes: tokens that end, signatures, and seats that are closed to passwords.

use jiff::{SignedDuration, Timestamp};

use crate::games::JUDGE;
use crate::memory::{self, MemoryLibrary};
use dipjudge::judge::{Ids, Incoming, Judge, Outgoing, RateLimits, Settings, SignedBy};
use dipjudge::mails::outbound::Templates;

/// Bits that never repeat.
#[derive(Default)]
struct Count(u64);

impl Ids for Count {
    fn id(&mut self) -> [u8; 16] {
        self.0 += 1;
        let mut id = [5; 16];
        id[..8].copy_from_slice(&self.0.to_be_bytes());
        id
    }

    fn seed(&mut self) -> [u8; 32] {
        [9; 32]
    }
}

/// A judge with the game kaiser, which waits for players: Anna is its master, and Ben plays in it.
struct Desk {
    judge: Judge,
    ids: Count,
    library: MemoryLibrary,
    now: Timestamp,
    mails: u32,
    signed: Option<SignedBy>,
}

impl Desk {
    fn new() -> Desk {
        let mut desk = Desk {
            judge: Judge::new(
                Settings {
                    limits: RateLimits::default(),
                    ..memory::settings(JUDGE)
                },
                Templates::built_in(),
            ),
            ids: Count::default(),
            library: MemoryLibrary::default(),
            now: "2026-11-30T10:00:00Z".parse().unwrap(),
            mails: 0,
            signed: None,
        };
        for name in ["anna", "ben"] {
            desk.writes(
                &format!("{name}@ex.org"),
                &format!("REGISTER\nName: {name}\nEND"),
            );
        }
        desk.writes("anna@ex.org", "CREATE ?kaiser apw\nBECOME MASTER");
        desk.writes("ben@ex.org", "SIGNON ?kaiser bpw");
        desk
    }

    fn writes(&mut self, from: &str, text: &str) -> Vec<Outgoing> {
        self.writes_to(JUDGE, from, text)
    }

    fn writes_to(&mut self, to: &str, from: &str, text: &str) -> Vec<Outgoing> {
        self.now += SignedDuration::from_mins(1);
        self.mails += 1;
        let bytes = format!(
            "From: {from}\r\nTo: {to}\r\nMessage-ID: <{}@ex.org>\r\nSubject: mail {}\r\n\r\n{}\r\n",
            self.mails,
            self.mails,
            text.replace('\n', "\r\n")
        );
        let incoming = Incoming {
            bytes: bytes.into_bytes(),
            arrived: self.now,
            envelope_from: Some(from.to_owned()),
            envelope_to: Some(to.to_owned()),
            oversize: false,
            signed: self.signed.take(),
        };
        let ruling = self
            .judge
            .receive(&incoming, self.now, &mut self.ids, &self.library);
        self.judge.absorb(&ruling).unwrap();
        self.library.take_in(&ruling);
        ruling.mails
    }

    fn signed_with(&mut self, number: u8) -> &mut Desk {
        self.signed = Some(SignedBy { key: [number; 32] });
        self
    }

    /// The reply address of Ben's seat.
    fn bens_token(&mut self) -> String {
        let sent = self.writes("ben@ex.org", "SIGNON kaiser bpw\nVERSION");
        let mail = sent.iter().find(|mail| mail.to == "ben@ex.org").unwrap();
        let text = String::from_utf8_lossy(&mail.letter.own).into_owned();
        let field = text
            .lines()
            .find_map(|line| line.strip_prefix("Reply-To: "));
        field.unwrap().trim_matches(['<', '>']).to_owned()
    }

    /// Wrong passwords close Ben's seat.
    fn closes_bens_seat(&mut self) {
        for number in 0..12 {
            self.writes(
                &format!("s{number}@guess{number}.example"),
                &format!("SIGNON kaiser guess{number}\nVERSION"),
            );
        }
    }
}

fn says(sent: &[Outgoing], to: &str, words: &str) -> bool {
    sent.iter().any(|mail| {
        let text = String::from_utf8_lossy(&mail.letter.bytes()).replace("=\r\n", "");
        let text: Vec<&str> = text.split_whitespace().collect();
        mail.to == to && text.join(" ").contains(words)
    })
}

#[test]
fn who_is_proven_by_a_token_or_a_signature_signs_on_at_a_seat_that_is_closed() {
    let mut desk = Desk::new();
    let token = desk.bens_token();
    desk.closes_bens_seat();
    let line = "SIGNON kaiser bpw\nSET PREFERENCE EFG";
    let plain = desk.writes("ben@ex.org", line);
    assert!(says(&plain, "ben@ex.org", "No password is taken"));
    let by_token = desk.writes_to(&token, "ben@ex.org", line);
    assert!(!says(&by_token, "ben@ex.org", "No password is taken"));
    assert!(!says(&by_token, "ben@ex.org", "Wrong password"));
    let by_signature = desk.signed_with(1).writes("ben@ex.org", line);
    assert!(!says(&by_signature, "ben@ex.org", "No password is taken"));
    assert!(!says(&by_signature, "ben@ex.org", "Wrong password"));
    let game = desk.judge.game("kaiser").unwrap();
    assert!(game.seats.iter().any(|seat| seat.preference == "EFG"));
    // Another's signature opens it to nobody.
    let other = desk.signed_with(2).writes("eve@ex.org", line);
    assert!(!says(&other, "eve@ex.org", "kaiser.001"));
}

#[test]
fn a_signature_counts_once() {
    let mut desk = Desk::new();
    desk.closes_bens_seat();
    let set = |list: &str| format!("SIGNON kaiser bpw\nSET PREFERENCE {list}");
    let preference = |desk: &Desk| {
        let game = desk.judge.game("kaiser").unwrap();
        let bens = game.seats.iter().find(|seat| seat.address == "ben@ex.org");
        bens.unwrap().preference.clone()
    };
    desk.signed_with(1).writes("ben@ex.org", &set("EFG"));
    assert_eq!(preference(&desk), "EFG");
    desk.signed_with(1).writes("ben@ex.org", &set("RTI"));
    assert_eq!(preference(&desk), "EFG", "it has been seen");
    desk.signed_with(2).writes("ben@ex.org", &set("RTI"));
    assert_eq!(preference(&desk), "RTI");
}

#[test]
fn addresses_of_a_game_end_ninety_days_after_it() {
    let mut desk = Desk::new();
    let token = desk.bens_token();
    desk.writes("anna@ex.org", "SIGNON Mkaiser apw\nTERMINATE");
    assert!(desk.judge.game("kaiser").unwrap().over());
    desk.now += SignedDuration::from_hours(89 * 24);
    let sent = desk.writes_to(&token, "ben@ex.org", "VERSION");
    assert!(!says(&sent, "ben@ex.org", "which ended 90 days after"));
    desk.now += SignedDuration::from_hours(2 * 24);
    let sent = desk.writes_to(&token, "eve@evil.example", "VERSION");
    assert!(
        says(&sent, "ben@ex.org", "which ended 90 days after the game"),
        "{sent:?}"
    );
    assert!(sent.iter().all(|mail| mail.to == "ben@ex.org"), "{sent:?}");
}
