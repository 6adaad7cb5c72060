//! Names in disguise. Whoever writes a name that nobody has told him is answered as if nobody bore it, whatever word it is and
//! however it is written, and so is everybody else to whom its bearer is unknown.

use std::sync::LazyLock;

use dipjudge::mails::outbound::Templates;
use dipjudge::map::Power;
use dipjudge::{folding, variants};
use jiff::{SignedDuration, Timestamp};
use mail_parser::MessageParser;

use super::acquaintance::Acquaintances;
use super::civilizations;
use super::compare::{difference, lines_that_differ};
use super::dice::Dice;
use super::fixture::{Casting, Fixture, GAME, Options, Part};
use super::letters::{Letter, Line, Sign, Wrap};
use super::stage::{Kept, Sent, Stage};

/// Every word that the judge itself can print, as `tests/it/judges_words.rs` finds them.
pub static WORDS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let all = include_str!("../../src/game/judges_words.txt").lines();
    // Names have letters A to Z.
    let all: Vec<&str> = all.filter(|word| word.is_ascii()).collect();
    assert!(all.len() > 2000, "only {}", all.len());
    all
});

/// How a name can be written.
pub const DISGUISES: usize = 10;

/// A name as somebody may write it: other capitals, letters that nobody sees, letters of other forms.
pub fn disguise(name: &str, which: usize) -> String {
    let (first, rest) = name.split_at(name.chars().next().map_or(0, char::len_utf8));
    let other_form = |capital: u32, small: u32| -> String {
        let form = |c: char| match c {
            'A'..='Z' => capital + u32::from(c) - u32::from('A'),
            'a'..='z' => small + u32::from(c) - u32::from('a'),
            _ => u32::from(c),
        };
        name.chars()
            .filter_map(|c| char::from_u32(form(c)))
            .collect()
    };
    match which % DISGUISES {
        0 => name.to_owned(),
        1 => name.to_uppercase(),
        2 => format!("{}{}", first.to_lowercase(), rest.to_uppercase()),
        // Nothing that is seen: of no width, a soft hyphen, a joiner of marks, a filler, and several at once.
        3 => format!("{first}\u{200b}{rest}"),
        4 => format!("{first}\u{ad}{rest}"),
        5 => format!("{first}{rest}\u{34f}"),
        6 => format!("\u{3164}{first}\u{2060}{rest}\u{feff}"),
        // Of full width, and bold.
        7 => other_form(0xff21, 0xff41),
        8 => other_form(0x1d400, 0x1d41a),
        // Put together of a letter and a mark: another name, which is nobody's either.
        _ => format!("{first}\u{301}{rest}"),
    }
}

/// Names that one civilization each bears, so that another can stand in their place.
const PLACES: [&str; 4] = ["Aram", "Susa", "Mari", "Punt"];

/// A table of CivDip: some bear words, and all others write to them.
pub struct Table {
    fixture: Fixture,
    templates: Templates,
    /// Who bears which of the names in whose place words stand.
    bearers: Vec<(Power, &'static str)>,
}

/// What came of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Played {
    /// Readers whose mails were held against each other.
    pub readers: usize,
    /// Answers by which a name is nobody's.
    pub unknown: usize,
}

/// So many civilizations bear words; the others read.
const BEARERS: usize = 3;
/// In so many phases somebody meets somebody.
const MOST_PHASES: usize = 12;

impl Table {
    /// A table at which the game has begun and nobody has met anybody.
    pub fn laid(flavor: usize) -> Table {
        let templates = Templates::built_in();
        let options = Options {
            gunboat: true,
            blind: true,
            flavor,
        };
        let variant = variants::named(civilizations::NAME).expect("it is offered");
        let fixture = Fixture::set_up(variant, options, Casting::Usual, &templates);
        let stage = Stage::again(&fixture.kept, &templates);
        let names = civilizations::Stored::of(stage.game(GAME)).names;
        let place = |name: &String| PLACES.into_iter().find(|place| place == name);
        let borne = names.iter().enumerate();
        let borne = borne.filter_map(|(power, name)| Some((Power(power as u8), place(name)?)));
        let bearers: Vec<(Power, &str)> = borne.take(BEARERS).collect();
        assert_eq!(bearers.len(), BEARERS, "{names:?}");
        Table {
            fixture,
            templates,
            bearers,
        }
    }

    /// The same table when units have gone about at random until somebody has met a bearer.
    pub fn played(mut self) -> Table {
        let mut dice = Dice::new(7);
        for phase in 0..MOST_PHASES {
            if self.who_has_met_a_bearer().is_some() {
                return self;
            }
            let mut stage = Stage::again(&self.fixture.kept, &self.templates);
            for letter in self.moves(&stage, phase, &mut dice) {
                stage.receive(&letter, &self.fixture.cast.people[letter.from].address);
            }
            let due = stage.judge.next_due().expect("the game has a deadline");
            stage.clock(due);
            self.fixture.kept = stage.kept;
        }
        panic!("nobody meets anybody");
    }

    /// Everybody's orders to go somewhere.
    fn moves(&self, stage: &Stage, phase: usize, dice: &mut Dice) -> Vec<Letter> {
        let (game, map) = (stage.game(GAME), stage.game(GAME).map());
        let letter = |power: u8| {
            let from = *self.fixture.leaders(power).first()?;
            let own = game.position.units.iter();
            let own = own.filter(|unit| unit.power == Power(power));
            let lines = own.filter_map(|unit| {
                let to = *dice.pick(map.neighbors(unit.at.province))?;
                let to = &map.info(to)?.code;
                Some(Line::Order(format!("{} {}-{to}", unit.kind, unit.at)))
            });
            let lines = lines.collect();
            let count = 100 * (1 + phase) + usize::from(power);
            Some(self.letter(from, count, lines))
        };
        (0..self.fixture.powers.len() as u8)
            .filter_map(letter)
            .collect()
    }

    /// Plays it twice: with these words for names, and with names that nobody writes. What somebody reads to whom their bearers
    /// are unknown must be the same.
    ///
    /// # Errors
    /// With the first mail that is another.
    pub fn play(&self, words: &[&str], dice: &mut Dice) -> Result<Played, String> {
        // To whom it is known who bears a word it does make a difference, and so to those to whom they write.
        let letters = self.letters(&self.readers(), words, dice);
        let one = self.after(&self.named(words), &letters);
        let other = self.after(&self.fixture.kept, &letters);
        let mut played = Played::default();
        for reader in self.readers() {
            let person = &self.fixture.cast.people[reader];
            let addresses = [person.address.as_str(), person.elsewhere.as_str()];
            if let Some((one, other)) =
                difference(&one, &other, &addresses.map(|one| (one, None)), true)
            {
                return Err(format!(
                    "{words:?} are borne or not, and {} ({:?}) reads it:\n{}",
                    person.name,
                    person.part,
                    lines_that_differ(one.as_ref(), other.as_ref())
                ));
            }
            played.readers += 1;
            played.unknown += self.unknown_to(reader, &one);
        }
        Ok(played)
    }

    /// Whether a bearer's name is somebody's to a reader who has met the bearer.
    pub fn tells_whom_one_has_met(&self) -> bool {
        let Some(reader) = self.who_has_met_a_bearer() else {
            return false;
        };
        let words = ["Qart", "Tanis", "Sidon"];
        let letters = self.letters(&[reader], &words, &mut Dice::new(1));
        let one = self.after(&self.named(&words), &letters);
        let other = self.after(&self.fixture.kept, &letters);
        self.unknown_to(reader, &one) < self.unknown_to(reader, &other)
    }

    /// Somebody who bears none of the names and has met a bearer.
    fn who_has_met_a_bearer(&self) -> Option<usize> {
        let known = self.acquaintances();
        let met = self.bearers.iter().find_map(|(bearer, _)| {
            let by = known.met_by(*bearer);
            by.into_iter().find(|power| !self.bears(*power))
        });
        self.fixture.leaders(met?.0).first().copied()
    }

    /// How often somebody has read that a name is nobody's.
    fn unknown_to(&self, reader: usize, kept: &Kept) -> usize {
        let address = &self.fixture.cast.people[reader].address;
        let own = kept.sent.iter().filter(|sent| sent.to == *address);
        own.map(|sent| body(sent).matches(NOBODY).count()).sum()
    }

    fn acquaintances(&self) -> Acquaintances {
        let stage = Stage::again(&self.fixture.kept, &self.templates);
        Acquaintances::of(stage.game(GAME))
    }

    fn bears(&self, power: Power) -> bool {
        self.bearers.iter().any(|(bearer, _)| *bearer == power)
    }

    /// All but masters, the bearers, and who has met one of them.
    fn readers(&self) -> Vec<usize> {
        let known = self.acquaintances();
        let told = |power: &Power| {
            let met = known.met_by(*power);
            self.bears(*power) || met.into_iter().any(|other| self.bears(other))
        };
        let powers = (0..self.fixture.powers.len() as u8).map(Power).filter(told);
        let told: Vec<usize> = powers
            .flat_map(|power| self.fixture.leaders(power.0))
            .collect();
        let people = &self.fixture.cast.people;
        (0..people.len())
            .filter(|n| people[*n].part != Part::Master && !told.contains(n))
            .collect()
    }

    /// The table with these words in place of the bearers' names.
    fn named(&self, words: &[&str]) -> Kept {
        let mut kept = self.fixture.kept.clone();
        for ((_, place), word) in self.bearers.iter().zip(words) {
            for record in &mut kept.records {
                let json = String::from_utf8(record.json.clone()).expect("records are text");
                record.json = json.replace(place, &capital(word)).into_bytes();
            }
        }
        let stage = Stage::again(&kept, &self.templates);
        let names = civilizations::Stored::of(stage.game(GAME)).names;
        for word in words {
            assert!(names.contains(&capital(word)), "{word} of {names:?}");
        }
        kept
    }

    /// What these people write, whether or not a civilization of that name exists.
    fn letters(&self, writers: &[usize], words: &[&str], dice: &mut Dice) -> Vec<Letter> {
        let letter = |(count, from): (usize, usize)| {
            let own = self.own_name(from);
            let lines = words.iter().flat_map(|word| {
                let name = disguise(&capital(word), dice.below(DISGUISES));
                lines(&name, &own)
            });
            self.letter(from, count, lines.map(Line::Other).collect())
        };
        writers.iter().copied().enumerate().map(letter).collect()
    }

    fn letter(&self, from: usize, count: usize, lines: Vec<Line>) -> Letter {
        let word = &self.fixture.cast.people[from].word;
        Letter {
            id: count,
            at: self.fixture.kept.now + SignedDuration::from_mins(1 + (count % 100) as i64),
            from,
            elsewhere: None,
            sign: Sign::Line(format!("SIGNON {GAME} {word}")),
            lines,
            instead: Vec::new(),
            phase: 0,
            wrap: Wrap::plain(1 << 41 | count as u64),
        }
    }

    /// What somebody's own civilization is called: a name that he knows.
    fn own_name(&self, person: usize) -> String {
        let powers = 0..self.fixture.powers.len() as u8;
        let mut own = powers.filter(|power| self.fixture.leaders(*power).contains(&person));
        let own = own
            .next()
            .map(|power| self.fixture.powers[usize::from(power)].clone());
        own.unwrap_or_else(|| "Elam".to_owned())
    }

    /// What was sent since.
    fn after(&self, kept: &Kept, letters: &[Letter]) -> Kept {
        let mut stage = Stage::again(kept, &self.templates);
        stage.kept.sent.clear();
        for letter in letters {
            stage.receive(letter, &self.fixture.cast.people[letter.from].address);
        }
        stage.kept
    }
}

/// How an answer says that a name is nobody's.
const NOBODY: &str = "You have no contact with a civilization called";

/// Every kind of line in which a name can stand.
fn lines(name: &str, own: &str) -> Vec<String> {
    let letter = |head: &str| format!("PRESS TO {head}\nIs anybody there?\nENDPRESS");
    let mut all = vec![
        letter(name),
        letter(&format!("{name}, MASTER")),
        letter(&format!("ALL BUT {name}")),
        // What is nearly the name: nothing may be proposed that the reader has not met.
        letter(&name.chars().skip(1).collect::<String>()),
        format!("IF {name} A UKR\nA MUN-BOH\nELSE\nA MUN-BUR\nENDIF"),
        format!("IF NOT {name} CENTERS 3\nA MUN H\nENDIF"),
    ];
    let rest = [
        "GIVE MAP TO {}",
        "GIVE CONTACT {} TO OWN",
        "GIVE CONTACT OWN TO {}",
        "GIVE ARMY MUNICH TO {}",
        "EXCHANGE MAPS WITH {}",
        "EXCHANGE MAPS WITH OWN, {}",
        "CONTACTS {}",
        "OFFERS {}",
        "ACCEPT {}",
        "REJECT {}",
        "CANCEL {}",
        "NAME {}",
        "HOME {}",
        "SET CONCEDE {}",
        "SET DRAW {}",
        "SET NO CONCEDE {}",
        "SET PREFERENCE {}",
        "SET PROXY {}",
        "A MUN S {} A VIE-BOH",
        "{}: A MUN-BOH",
        "{} A MUN H",
        "BUILD {} A MUN",
        "LIST {}",
        "SUMMARY {}",
        "HISTORY {}",
        "WHOGAME {}",
        "WHOIS {}",
        "WHO {}",
        "INFO PLAYER {}",
        "MAP {}",
        "STATUS {}",
        "HELP {}",
        "GET {}",
        "BECOME {}",
        "EJECT {}",
        "SHOW AS {}",
        "SET APPROVE {}",
        "DUMMY {}",
        "REVIVE {}",
        "RENAME {}",
        "OVERRULE MOVE {} A MUN TO BOH",
        "SIGNON {}@tokyo word",
    ];
    all.extend(rest.map(|line| line.replace("{}", name).replace("OWN", own)));
    all
}

/// A word as a name begins.
fn capital(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    format!("{}{rest}", first.to_uppercase())
}

/// The text of a mail.
fn body(sent: &Sent) -> String {
    let mail = MessageParser::default().parse(&sent.bytes).expect("a mail");
    let text = mail.body_text(0).expect("a text").into_owned();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A table of CivDip that is forming, at which one may take a name.
pub struct Forming {
    fixture: Fixture,
    templates: Templates,
    begun: Kept,
}

/// The game that is forming there.
const NEW: &str = "avalon";

impl Forming {
    pub fn laid() -> Forming {
        let Table {
            fixture, templates, ..
        } = Table::laid(3);
        let mut forming = Forming {
            begun: fixture.kept.clone(),
            fixture,
            templates,
        };
        let master = &forming.fixture.cast.people[0];
        let create = format!("CREATE ?{NEW} {} civdip", master.word);
        let lines = vec!["BECOME MASTER".to_owned(), "SET LIST".to_owned()];
        forming.begun = forming.after(&[forming.letter(0, 0, create, lines)]);
        forming
    }

    /// Two who wait, and one who is in no game.
    fn waiting(&self) -> (usize, usize, usize) {
        let waiting = self.fixture.of(Part::Candidate);
        (waiting[0], waiting[1], self.fixture.of(Part::Stranger)[0])
    }

    /// The answer to somebody who wants to be called so, name by name.
    pub fn answer(&self, names: &[String]) -> String {
        let (one, ..) = self.waiting();
        let letter = self.names(one, 1, names);
        let sent = self.after(&[letter]).sent;
        let own = sent
            .iter()
            .filter(|sent| sent.to == self.fixture.cast.people[one].address);
        own.map(body).collect::<Vec<_>>().join("\n")
    }

    /// Plays it twice: somebody wants to be called by this name, or by another. What others read who want the name too, or ask
    /// for the table, must be the same.
    ///
    /// # Errors
    /// With the first mail that is another.
    pub fn play(&self, name: &str, dice: &mut Dice) -> Result<(), String> {
        let (one, other, stranger) = self.waiting();
        let disguised = disguise(name, dice.below(DISGUISES - 1));
        let ask = |from, count| {
            let lines = [
                format!("LIST {NEW}"),
                format!("WHOGAME {NEW}"),
                format!("LIST {disguised}"),
            ];
            self.letter(from, count, "VERSION".to_owned(), lines.to_vec())
        };
        let play = |borne: &str| {
            self.after(&[
                self.names(one, 1, &[borne.to_owned()]),
                self.names(other, 2, std::slice::from_ref(&disguised)),
                ask(other, 3),
                ask(stranger, 4),
            ])
        };
        let (with, without) = (play(name), play("Qart"));
        for reader in [other, stranger] {
            let address = self.fixture.cast.people[reader].address.as_str();
            if let Some((one, other)) = difference(&with, &without, &[(address, None)], true) {
                return Err(lines_that_differ(one.as_ref(), other.as_ref()));
            }
        }
        let taken = with.sent.iter().map(|sent| folding::fold(&body(sent)));
        let taken = taken
            .filter(|text| text.contains(&folding::fold(&format!("Your name will be {name}."))));
        match taken.count() {
            2 => Ok(()),
            count => Err(format!(
                "{name} was taken {count} times, once as {disguised:?}"
            )),
        }
    }

    fn names(&self, from: usize, count: usize, names: &[String]) -> Letter {
        let word = &self.fixture.cast.people[from].word;
        let lines = names.iter().map(|name| format!("NAME {name}"));
        self.letter(
            from,
            count,
            format!("SIGNON ?{NEW} {word} civdip"),
            lines.collect(),
        )
    }

    fn letter(&self, from: usize, count: usize, sign: String, lines: Vec<String>) -> Letter {
        Letter {
            id: count,
            at: self.at(count),
            from,
            elsewhere: None,
            sign: Sign::Line(sign),
            lines: lines.into_iter().map(Line::Other).collect(),
            instead: Vec::new(),
            phase: 0,
            wrap: Wrap::plain(1 << 42 | count as u64),
        }
    }

    fn at(&self, count: usize) -> Timestamp {
        self.fixture.kept.now + SignedDuration::from_mins(1 + count as i64)
    }

    fn after(&self, letters: &[Letter]) -> Kept {
        let mut stage = Stage::again(&self.begun, &self.templates);
        stage.kept.sent.clear();
        for letter in letters {
            stage.receive(letter, &self.fixture.cast.people[letter.from].address);
        }
        stage.kept
    }
}

/// Whether two ways of writing are one name.
pub fn are_alike(one: &str, other: &str) -> bool {
    folding::fold(one) == folding::fold(other)
}
