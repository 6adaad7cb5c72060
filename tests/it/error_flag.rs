//! The error flag over random mails of one power: an order line with an error sets it; CLEAR ORDERS, a SIGNON line alone, or an
//! accepted order without such a line clears it; every other mail leaves it (`judge-workflow.md` 3.8).

use dipjudge::game::{Game, VariantGame};
use dipjudge::map::Power;
use dipjudge::variants;
use jiff::{SignedDuration, Timestamp};

use crate::games::memory_host::MemoryHost;
use crate::games::play::JudgeHost;
use crate::games::received::Received;
use crate::games::{JUDGE, PLAYERS};
use crate::random_play::numbers::Numbers;

const ENGLAND: Power = Power(1);

/// How a line of a mail affects the error flag.
#[derive(Clone, Copy, PartialEq)]
enum Line {
    Order,
    Mistake,
    Clears,
    Other,
}

const LINES: [(Line, &str); 24] = [
    (Line::Order, "F Lon-Nth"),
    (Line::Order, "A Lvp-Yor"),
    (Line::Order, "F Edi H"),
    (Line::Order, "F Lon-Eng; A Lvp-Wal; F Edi-Nwg"),
    (Line::Mistake, "F Lon-Foo"),
    (Line::Mistake, "F Lon-Nor"),
    (Line::Mistake, "A Par-Bur"),
    (Line::Mistake, "F Edi S F Lon-Spa"),
    (Line::Mistake, "A Lvp-"),
    (Line::Mistake, "PHASE S1900M\nA Lvp-Yor\nENDPHASE"),
    (Line::Clears, "CLEAR ORDERS"),
    (Line::Other, "LIST"),
    (Line::Other, "SET WIAT"),
    (Line::Other, "SET WAIT"),
    (Line::Other, "NOWAIT"),
    (Line::Other, "Thanks!"),
    (Line::Other, "I quit."),
    (Line::Other, "cancel my orders"),
    (
        Line::Other,
        "Could you tell me when the deadline is, please",
    ),
    (
        Line::Other,
        "BROADCAST\nA Lvp-Foo is what I play.\nENDPRESS",
    ),
    (Line::Other, "CLEAR"),
    (Line::Other, "PHASE F1901M\nF Lon-Foo\nENDPHASE"),
    (Line::Other, "PROCESS"),
    (Line::Other, "SET DRAW"),
];

/// A game at a table of seven, in which England writes.
struct Table {
    host: MemoryHost,
    now: Timestamp,
    mails: usize,
}

impl Table {
    fn new() -> Table {
        let now = "2026-11-30T10:00:00Z".parse().unwrap();
        let mut table = Table {
            host: MemoryHost::new(),
            now,
            mails: 0,
        };
        for (name, _) in PLAYERS {
            table.write(
                name,
                JUDGE,
                &format!("REGISTER\nName: {name}\nLevel: Amateur\nCountry: Sweden\nEND"),
            );
        }
        table.write(
            "anna",
            JUDGE,
            "CREATE ?tokyo annas-word\nSET LIST\nSET PREFERENCE A",
        );
        for (name, letter) in &PLAYERS[1..] {
            table.write(
                name,
                JUDGE,
                &format!("SIGNON ?tokyo {name}s-word\nSET PREFERENCE {letter}"),
            );
        }
        assert!(table.game().begun());
        table
    }

    fn game(&self) -> &Game {
        self.host.judge.game("tokyo").unwrap()
    }

    /// Receives a mail an hour after the one before; returns the mails that follow.
    fn write(&mut self, from: &str, to: &str, body: &str) -> Vec<Received> {
        self.now += SignedDuration::from_hours(1);
        self.mails += 1;
        let message = format!(
            "From: {from}@ex.org\r\nTo: {to}\r\nMessage-ID: <{}.{from}@ex.org>\r\n\r\n{}\r\n",
            self.mails,
            body.replace('\n', "\r\n")
        );
        let from = format!("{from}@ex.org");
        self.host.post(&from, to, message.as_bytes(), self.now);
        self.host.look(self.now);
        self.host.collect()
    }
}

#[test]
fn only_mistakes_in_orders_set_it_and_only_a_confirmation_clears_it() {
    let (mut set, mut cleared, mut left) = (0, 0, 0);
    for seed in 0..12 {
        let mut numbers = Numbers::from(seed);
        let mut table = Table::new();
        let mut flag = false;
        let mut reply_to = None;
        for _ in 0..60 {
            let count = numbers.below(4);
            let lines: Vec<(Line, &str)> =
                (0..count).map(|_| *numbers.pick(&LINES).unwrap()).collect();
            let by_line = reply_to.is_none() || numbers.once_in(2);
            let to = match (&reply_to, by_line) {
                (Some(address), false) => String::clone(address),
                _ => JUDGE.to_owned(),
            };
            let sign_on = by_line.then_some("SIGNON Etokyo bens-word");
            let own = lines.iter().map(|(_, line)| *line);
            let body: Vec<&str> = sign_on.into_iter().chain(own).collect();
            let mails = table.write("ben", &to, &body.join("\n"));
            let has = |sort| lines.iter().any(|(line, _)| *line == sort);
            let before = flag;
            if has(Line::Mistake) {
                flag = true;
                set += 1;
            } else if has(Line::Order) || has(Line::Clears) || (by_line && lines.is_empty()) {
                flag = false;
                cleared += usize::from(before);
            } else {
                left += usize::from(before);
            }
            let game = table.game();
            assert_eq!(game.standing(ENGLAND).flag, flag, "{seed}: {body:?}");
            let standard = variants::of("standard");
            let all = VariantGame::new(game, standard).all_ordered(ENGLAND);
            assert_eq!(
                VariantGame::new(game, standard)
                    .powers_missing()
                    .contains(&ENGLAND),
                flag || !all,
                "{seed}: {body:?}"
            );
            // A mail without text signs nobody on: it is answered like any other that asks for nothing.
            let Some(reply) = mails
                .iter()
                .find(|mail| mail.to == ["ben@ex.org"] && mail.subject.starts_with("Re: "))
            else {
                assert!(!by_line && lines.is_empty(), "{seed}: {body:?}");
                continue;
            };
            assert_eq!(
                reply.subject.contains("[Error Flag]"),
                flag,
                "{seed}: {body:?}"
            );
            let told = match (before, flag) {
                (_, true) if has(Line::Mistake) => {
                    "Error flag set: the orders above do not count yet."
                }
                (true, true) => "The error flag is still set: the orders above do not count yet.",
                (true, false) => "Error flag cleared: the orders above now count.",
                (false, _) => "",
            };
            assert!(reply.body.contains(told), "{told}: {}", reply.body);
            assert_eq!(
                reply.body.contains("rror flag"),
                !told.is_empty(),
                "{}",
                reply.body
            );
            reply_to = reply.reply_to.clone();
        }
    }
    assert!(
        set > 100 && cleared > 50 && left > 50,
        "{set} {cleared} {left}"
    );
}
