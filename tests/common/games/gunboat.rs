//! A gunboat game of twelve years, in which all that befalls a long game happens: two observers, two absences, a substitute, a
//! rollback, two replacement players, partial and fake press, and a draw of all survivors. Its orders are drawn; its players read
//! nothing but their mails.

use std::collections::{BTreeMap, BTreeSet};

use dipjudge::map::Map;
use dipjudge::notation;
use jiff::{SignedDuration, Timestamp};

use super::oracle::Board;
use super::play::JudgeHost;
use super::received::Received;
use super::{JUDGE, PLAYERS};
use crate::old_tools::{self, Parsed};

/// The last year that is played.
const LAST_YEAR: i32 = 1912;

/// Everybody with an account.
pub const PEOPLE: [&str; 13] = [
    "gm", "anna", "ben", "cleo", "dirk", "emma", "finn", "gwen", "hugo", "ivan", "jill", "olga",
    "otto",
];

/// A small random number generator: the same seed gives the same numbers everywhere.
struct Chance(u64);

impl Chance {
    fn below(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % below as u64).unwrap()
    }
}

/// The table, with what its people have read.
pub struct GunboatGame<'h> {
    host: &'h mut dyn JudgeHost,
    hour: Timestamp,
    chance: Chance,
    /// Who leads each power.
    leaders: BTreeMap<&'static str, &'static str>,
    /// Every mail that came.
    pub record: Vec<Received>,
    board: Board,
    /// The last results that the first observer got.
    last: Parsed,
    numbered: u32,
}

/// A mail to the judge.
struct Letter {
    from: &'static str,
    to: String,
    text: String,
}

const POWERS: [(&str, char); 7] = [
    ("Austria", 'A'),
    ("England", 'E'),
    ("France", 'F'),
    ("Germany", 'G'),
    ("Italy", 'I'),
    ("Russia", 'R'),
    ("Turkey", 'T'),
];

fn letter_of(power: &str) -> char {
    POWERS.iter().find(|(name, _)| *name == power).unwrap().1
}

impl<'h> GunboatGame<'h> {
    pub fn at(host: &'h mut dyn JudgeHost, begins: Timestamp) -> GunboatGame<'h> {
        let leaders = PLAYERS.iter().zip(POWERS);
        GunboatGame {
            host,
            hour: begins,
            chance: Chance(0x9e37_79b9_7f4a_7c15),
            leaders: leaders
                .map(|((name, _), (power, _))| (power, *name))
                .collect(),
            record: Vec::new(),
            board: Board::default(),
            last: Parsed::default(),
            numbered: 0,
        }
    }

    fn to_judge(&self, from: &'static str, text: impl Into<String>) -> Letter {
        Letter {
            from,
            to: JUDGE.to_owned(),
            text: text.into(),
        }
    }

    /// An answer to the newest mail to somebody with these words in its subject.
    fn answer(&self, from: &'static str, subject: &str, text: &str) -> Letter {
        let answered = self.record.iter().rev();
        let mut answered =
            answered.filter(|mail| mail.reader() == from && mail.subject.contains(subject));
        let mail = answered
            .next()
            .unwrap_or_else(|| panic!("{from} got no {subject}"));
        Letter {
            from,
            to: mail.reply_to.clone().unwrap(),
            text: text.to_owned(),
        }
    }

    fn signed_on(&self, power: &'static str, text: &str) -> Letter {
        let leader = self.leaders[power];
        let letter = letter_of(power);
        self.to_judge(
            leader,
            format!("SIGNON {letter}tokyo {leader}s-word\n{text}"),
        )
    }

    fn master(&self, text: &str) -> Letter {
        self.to_judge("gm", format!("SIGNON Mtokyo gms-word\n{text}"))
    }

    /// Lets this much time pass, sends the letters, and collects what comes of them.
    fn round(&mut self, hours: i64, letters: Vec<Letter>) -> Vec<Received> {
        self.hour += SignedDuration::from_hours(hours);
        self.host.expect(self.hour);
        let before = self.host.collect();
        for Letter { from, to, text } in letters {
            self.numbered += 1;
            let message = format!(
                "From: {from} Example <{from}@mail.test>\r\nTo: {to}\r\nX-Mailer: {from}-mailer\r\nMessage-ID: <{}.{from}@laptop.mail.test>\r\n\r\n{}\r\n",
                self.numbered,
                text.replace('\n', "\r\n")
            );
            let address = format!("{from}@mail.test");
            self.host.post(&address, &to, message.as_bytes(), self.hour);
        }
        self.host.look(self.hour);
        let mut came = before;
        came.extend(self.host.collect());
        for mail in &came {
            self.follow(mail);
        }
        self.record.extend(came.clone());
        came
    }

    /// The first observer follows the board with the old tools alone.
    fn follow(&mut self, mail: &Received) {
        let read = old_tools::read(&mail.subject, &mail.body);
        assert!(
            read.header.is_some()
                || mail.subject.contains("Your new")
                || !mail.subject.contains("USXX:tokyo"),
            "no header line in {}",
            mail.subject
        );
        if mail.reader() == "olga" && !mail.subject.starts_with("Re:") {
            self.board.read(&read);
            if read.next.is_some() {
                self.last = read;
            }
        }
    }

    fn kind_of_phase(&self) -> &str {
        self.last
            .next
            .as_ref()
            .map_or("Movement", |(_, kind, ..)| kind.as_str())
    }

    fn year(&self) -> i32 {
        self.last.next.as_ref().map_or(1901, |(.., year)| *year)
    }

    /// The powers that have to send something, each with its lines.
    fn orders(&mut self) -> BTreeMap<&'static str, String> {
        let mut all = BTreeMap::new();
        for (power, _) in POWERS {
            let lines = match self.kind_of_phase() {
                "Movement" => self.moves(power),
                "Retreats" => self.retreats(power),
                _ => self.adjustments(power),
            };
            if !lines.is_empty() {
                all.insert(power, lines.join("\n"));
            }
        }
        all
    }

    fn moves(&mut self, power: &'static str) -> Vec<String> {
        let map = Map::standard();
        let units = self.board.units_of(power);
        let mut taken = BTreeSet::new();
        let mut lines = Vec::new();
        for text in &units {
            let unit = notation::unit(map, text).unwrap();
            let reach = map.reach(map.travel(unit.kind), unit.at);
            let to = reach[self.chance.below(reach.len())];
            // Own units never bounce for one place.
            let free = taken.insert(to.province);
            let holds = self.chance.below(5) == 0;
            lines.push(if holds || !free {
                format!("{text} H")
            } else {
                format!("{text} - {}", map.full_name(to))
            });
        }
        lines
    }

    fn retreats(&self, power: &str) -> Vec<String> {
        let dislodged = self.last.dislodged.iter();
        let own = dislodged.filter(|(adjective, ..)| super::places::power(adjective) == power);
        own.map(|(_, kind, place, _)| format!("{kind} {place} disband"))
            .collect()
    }

    fn adjustments(&mut self, power: &'static str) -> Vec<String> {
        let due = self.last.counts.iter().find(|(of, ..)| of == power);
        let due = due.map_or(0, |(.., due)| *due);
        let units = self.board.units_of(power);
        if due < 0 {
            let gone = units.iter().take(due.unsigned_abs() as usize);
            return gone.map(|unit| format!("Remove {unit}")).collect();
        }
        let map = Map::standard();
        let homes = map.provinces().iter().filter(|info| {
            let home = info
                .home
                .and_then(|home| map.powers().get(usize::from(home.0)));
            home.is_some_and(|home| home.name == power)
        });
        let owned = self.board.centers_of(power);
        let free = homes.filter(|info| {
            let code = info.code.to_string();
            let stands = |unit: &String| unit[2..5] == code;
            owned.contains(&code) && !units.iter().any(stands)
        });
        let free: Vec<String> = free.map(|info| info.code.to_string()).collect();
        free.iter()
            .take(due as usize)
            .map(|home| format!("Build A {home}"))
            .collect()
    }

    /// Plays the phase in hand: everybody sends his orders, and lifts WAIT.
    fn play_phase(&mut self) -> BTreeMap<&'static str, String> {
        let orders = self.orders();
        self.send(24, &orders);
        orders
    }

    fn send(&mut self, hours: i64, orders: &BTreeMap<&'static str, String>) {
        let before = self.results_to("olga").len();
        let lines = |orders: &String| format!("{orders}\nSET NOWAIT");
        let letters = orders.iter();
        let letters = letters
            .map(|(power, orders)| self.signed_on(power, &lines(orders)))
            .collect();
        let came = self.round(hours, letters);
        let after = self.results_to("olga").len();
        assert_eq!(
            after,
            before + 1,
            "the phase is not played: {:#?}",
            came.iter()
                .map(|mail| (mail.reader(), &mail.subject, &mail.body))
                .collect::<Vec<_>>()
        );
    }

    /// The bodies of the results that somebody got.
    fn results_to(&self, reader: &str) -> Vec<&Received> {
        let mails = self.record.iter();
        mails
            .filter(|mail| mail.reader() == reader && mail.subject.ends_with(" Results"))
            .collect()
    }

    fn play_until(&mut self, year: i32) {
        while self.year() < year {
            self.play_phase();
        }
    }

    /// The whole game.
    pub fn play(&mut self) {
        self.begin();
        self.play_until(1902);
        self.press();
        self.play_until(1903);
        self.absences();
        self.play_until(1905);
        self.rollback();
        self.play_until(1906);
        self.substitute();
        self.play_until(1909);
        self.replacements();
        self.play_until(LAST_YEAR);
        while self.year() == LAST_YEAR && self.kind_of_phase() == "Movement" {
            self.play_phase();
        }
        self.draw();
        self.nobody_reads_who_plays();
    }

    fn begin(&mut self) {
        let people = PEOPLE.iter().map(|name| {
            self.to_judge(
                name,
                format!("REGISTER\nName: {name} Example\nEmail: {name}@mail.test\nEND"),
            )
        });
        let people = people.collect();
        self.round(1, people);
        let create = "CREATE ?tokyo gms-word gunboat\nBECOME MASTER\nSET LIST\nSET GREY/WHITE\nSET PARTIAL MAY BE FAKED\nSET MOVE NEXT 48 CLOCK -1 MIN 0 GRACE 24 DELAY 0 DAYS SMTWTFS\n\
                      SET RETREAT NEXT 48 CLOCK -1 MIN 0 GRACE 24 DELAY 0 DAYS SMTWTFS\nSET ADJUST NEXT 48 CLOCK -1 MIN 0 GRACE 24 DELAY 0 DAYS SMTWTFS\nSET MAP OFF\nSET HTML OFF";
        let made = vec![self.to_judge("gm", create)];
        self.round(1, made);
        let watch =
            |name: &'static str| format!("OBSERVE tokyo {name}s-word\nSET MAP OFF\nSET HTML OFF");
        let seen = ["olga", "otto"].map(|name| self.to_judge(name, watch(name)));
        self.round(1, Vec::from(seen));
        let join = PLAYERS.iter().map(|(name, letter)| {
            let lines = format!("SIGNON ?tokyo {name}s-word gunboat\nSET PREFERENCE {letter}\nSET MAP OFF\nSET HTML OFF");
            self.to_judge(name, lines)
        });
        let join = join.collect();
        let begun = self.round(1, join);
        let starts = begun
            .iter()
            .filter(|mail| mail.subject.ends_with("Game Starting"));
        assert_eq!(
            starts.count(),
            10,
            "seven players, the master and two observers"
        );
    }

    /// Partial press, grey press with a list that is not the true one, and what each reader sees of it.
    fn press(&mut self) {
        let letters = vec![
            self.signed_on(
                "England",
                "PRESS WHITE TO F\nShall we leave the Channel empty?\nENDPRESS",
            ),
            self.signed_on("Italy", "PRESS TO FR FAKE TO G\npsst\nENDPRESS"),
        ];
        let came = self.round(1, letters);
        let to = |name: &str, words: &str| {
            came.iter().any(|mail| {
                mail.reader() == name
                    && mail.body.contains(words)
                    && !mail.subject.starts_with("Re:")
            })
        };
        assert!(to("cleo", "Message from England to France in 'tokyo':"));
        assert!(
            to("cleo", "Message to Germany in 'tokyo':")
                && to("finn", "Message to Germany in 'tokyo':")
        );
        for other in ["anna", "dirk", "gwen", "olga", "otto", "gm"] {
            assert!(!to(other, "psst") && !to(other, "Channel empty"), "{other}");
        }
    }

    /// Two players are away, and no deadline falls into that time.
    fn absences(&mut self) {
        let day = |hours: i64| {
            let at = self.hour + SignedDuration::from_hours(hours);
            at.strftime("%d %b %Y").to_string()
        };
        let lines = format!("SET ABSENCE {} TO {}", day(48), day(96));
        let other = format!("SET ABSENCE {} TO {}", day(72), day(144));
        let letters = vec![
            self.signed_on("England", &lines),
            self.signed_on("Germany", &other),
        ];
        let back = self.hour + SignedDuration::from_hours(144);
        let came = self.round(1, letters);
        let notices = came
            .iter()
            .filter(|mail| mail.subject.ends_with("Absence Notice"));
        assert!(notices.clone().all(|mail| mail.reader() == "gm"));
        assert_eq!(notices.count(), 2);
        self.play_phase();
        // The next deadline waits for both; nobody is late meanwhile.
        let orders = self.orders();
        let deadline = self.last.next_deadline.clone().unwrap();
        let deadline = jiff::fmt::strtime::parse("%a %b %d %Y %H:%M:%S %z", &deadline).unwrap();
        assert!(
            deadline.to_timestamp().unwrap() > back,
            "the deadline is behind the absences"
        );
        let here = orders
            .iter()
            .filter(|(power, _)| !["England", "Germany"].contains(*power));
        let here =
            here.map(|(power, orders)| self.signed_on(power, &format!("{orders}\nSET NOWAIT")));
        let here = here.collect();
        let came = self.round(1, here);
        assert!(!came.iter().any(|mail| mail.subject.contains("Late Notice")));
        let quiet = self.round(20, Vec::new());
        assert!(
            !quiet
                .iter()
                .any(|mail| mail.subject.contains("Late Notice")),
            "{quiet:?}"
        );
        let away = orders
            .into_iter()
            .filter(|(power, _)| ["England", "Germany"].contains(power));
        let away: BTreeMap<_, _> = away.collect();
        if !away.is_empty() {
            self.send(1, &away);
        }
    }

    /// Back by two phases; the same orders give the same results.
    fn rollback(&mut self) {
        while self.kind_of_phase() != "Movement" {
            self.play_phase();
        }
        let (board, last) = (self.board.clone(), self.last.clone());
        let first = self.results_to("olga").len();
        let (_, _, season, year) = self.last.next.clone().unwrap();
        let token = format!("{}{year}M", &season[..1]);
        let played: Vec<_> = (0..2).map(|_| self.play_phase()).collect();
        let bodies = |game: &GunboatGame, from: usize| -> Vec<String> {
            let results = game.results_to("olga");
            results[from..]
                .iter()
                .map(|mail| without_dates(&mail.body))
                .collect()
        };
        let once = bodies(self, first);
        let back = vec![self.master(&format!("ROLLBACK {token}"))];
        let came = self.round(1, back);
        let told = came
            .iter()
            .filter(|mail| mail.subject.contains("Rollback to"));
        assert_eq!(told.count(), 10, "all are told");
        (self.board, self.last) = (board, last);
        for orders in &played {
            self.send(24, orders);
        }
        assert_eq!(
            bodies(self, first + 2),
            once,
            "the same orders give the same results"
        );
    }

    /// Somebody leads France for a while, and it goes back by itself.
    fn substitute(&mut self) {
        // He is still there when the powers are abandoned, whatever the hour of the day is.
        let until = self.hour + SignedDuration::from_hours(24 * 7);
        let line = format!(
            "SUBSTITUTE FOR France hugo@mail.test UNTIL {}",
            until.strftime("%d %b %Y")
        );
        let asked = vec![self.master(&line)];
        self.round(1, asked);
        let yes = vec![self.answer("hugo", "You are asked", "YES")];
        let came = self.round(1, yes);
        assert!(
            came.iter()
                .any(|mail| mail.reader() == "cleo" && mail.body.contains("Somebody leads France"))
        );
        for other in ["anna", "olga"] {
            let told = came.iter().find(|mail| mail.reader() == other).unwrap();
            assert!(
                !told.body.contains("hugo") && !told.body.contains("cleo"),
                "{}",
                told.body
            );
        }
        let word = vec![self.answer(
            "hugo",
            "Your Substitution",
            "SET PASSWORD hugos-word\nSET MAP OFF\nSET HTML OFF",
        )];
        self.round(1, word);
        self.leaders.insert("France", "hugo");
        for _ in 0..3 {
            self.play_phase();
        }
        let came = self.round(24 * 5, Vec::new());
        assert!(
            came.iter()
                .any(|mail| mail.reader() == "cleo" && mail.body.contains("You lead France")),
            "{came:?}"
        );
        assert!(
            came.iter()
                .any(|mail| mail.reader() == "hugo" && mail.body.contains("leads it again"))
        );
        let late = vec![self.to_judge("hugo", "SIGNON Ftokyo hugos-word\nSET NOWAIT")];
        let refused = self.round(1, late);
        assert!(
            refused.iter().all(|mail| mail.reader() == "hugo"),
            "{refused:?}"
        );
        self.leaders.insert("France", "cleo");
    }

    /// A player resigns, another is ejected, and others take their powers over.
    fn replacements(&mut self) {
        let letters = vec![
            self.signed_on("Italy", "RESIGN"),
            self.master("EJECT Turkey"),
        ];
        let came = self.round(1, letters);
        assert!(
            came.iter()
                .any(|mail| mail.subject.contains("Resignation: "))
        );
        let letters = vec![
            self.to_judge(
                "ivan",
                "SIGNON Itokyo ivans-word\nSET MAP OFF\nSET HTML OFF",
            ),
            self.to_judge(
                "jill",
                "SIGNON Ttokyo jills-word\nSET MAP OFF\nSET HTML OFF",
            ),
        ];
        let came = self.round(1, letters);
        let told = came
            .iter()
            .filter(|mail| mail.subject.contains("New Player Signon"));
        assert!(told.count() >= 2);
        self.leaders.insert("Italy", "ivan");
        self.leaders.insert("Turkey", "jill");
    }

    fn draw(&mut self) {
        let alive = POWERS.iter().filter(|(power, _)| {
            !self.board.units_of(power).is_empty() || !self.board.centers_of(power).is_empty()
        });
        let letters: Vec<Letter> = alive
            .map(|(power, _)| self.signed_on(power, "SET DRAW"))
            .collect();
        let voters = letters.len();
        let came = self.round(1, letters);
        let ends = came
            .iter()
            .filter(|mail| mail.subject.contains("Draw Declared: "));
        let readers: BTreeSet<&str> = ends.map(Received::reader).collect();
        assert!(voters > 1 && readers.len() >= voters + 3, "{readers:?}");
    }

    /// Until the end nobody but the master reads a name or an address of another player.
    fn nobody_reads_who_plays(&self) {
        let end = self
            .record
            .iter()
            .position(|mail| mail.subject.contains("Draw Declared: "))
            .unwrap();
        let begun = self
            .record
            .iter()
            .position(|mail| mail.subject.ends_with("Game Starting"))
            .unwrap();
        let players = [
            "anna", "ben", "cleo", "dirk", "emma", "finn", "gwen", "hugo", "ivan", "jill",
        ];
        for mail in &self.record[begun..end] {
            if mail.reader() == "gm" {
                continue;
            }
            let all = format!("{} {} {:?}", mail.subject, mail.body, mail.fields).to_lowercase();
            for player in players.iter().filter(|player| **player != mail.reader()) {
                let named = [
                    format!("{player}@"),
                    format!("{player} example"),
                    format!("{player}-mailer"),
                ];
                let found = named.iter().find_map(|name| word_in(&all, name));
                assert!(
                    found.is_none(),
                    "{} reads of {player}: {} in {all}",
                    mail.reader(),
                    found.unwrap_or_default()
                );
            }
        }
    }
}

/// This word with what surrounds it in the text, unless letters or digits precede it: the random part of an address may end like
/// the name of a player.
fn word_in<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let (at, _) = text.match_indices(word).find(|(at, _)| {
        !text[..*at]
            .chars()
            .next_back()
            .is_some_and(char::is_alphanumeric)
    })?;
    let begins = (at.saturating_sub(60)..=at).find(|from| text.is_char_boundary(*from));
    Some(&text[begins.unwrap_or(at)..at + word.len()])
}

/// Results without the deadlines, which differ from one play to the next.
fn without_dates(body: &str) -> String {
    let lines = body.lines().filter(|line| {
        !line.starts_with(":: Deadline") && !line.starts_with("The deadline for orders will be")
    });
    let report = lines.take_while(|line| !line.starts_with("What you may do next"));
    report.collect::<Vec<_>>().join("\n")
}
