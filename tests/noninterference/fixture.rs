//! A table that is laid: everybody registered, one game begun, another still forming. Laid once for each cast and copied.

use dipjudge::game::project::Labels;
use dipjudge::game::{Game, Hidden, Settings, Variant, VariantGame, apply};
use dipjudge::mails::outbound::Templates;
use dipjudge::map::{Map, Power};
use dipjudge::variants;
use dipjudge::view::Viewer;
use jiff::{SignedDuration, Timestamp};

use super::acquaintance;
use super::civilizations;
use super::dice::Dice;
use super::letters::{Letter, Line, Sign, Wrap};
use super::silly;
use super::spies;
use super::stage::{Kept, Stage, log};
use super::starts;
use super::strangers;

/// The game that is played.
pub const GAME: &str = "tokyo";
/// The game that is forming.
pub const FORMING: &str = "konig";

/// A game that is forming, whose leaders nobody will know. Those who wait in it have to do with no other but the next.
pub const HALL: &str = "lima";
/// What they say in it. Most of it means something in some variants alone.
const WAITING: [[&str; 3]; 2] = [
    [
        "SET PREFERENCE EF",
        "EMPIRE Zorn Dominion AS ZOR",
        "NAME Mari",
    ],
    [
        "SET PREFERENCE FG",
        "EMPIRE Jedi Knights AS JED",
        "NAME Elam",
    ],
];

/// A game in no list, of which nobody of the others may know.
pub const CELLAR: &str = "lagos";
/// What that game is called in a twin.
pub const OTHER_CELLAR: &str = "quito";

/// How many ways there are to set a game.
pub const FLAVORS: usize = 5;
/// How many powers have no leader where the master begins early.
const VACANT: usize = 2;
/// No more than these play where a variant has many powers: the others have no leader.
const MOST_PLAYERS: usize = 7;
/// How many play where the variant leaves it open.
const USUAL_PLAYERS: usize = 4;

/// Who hides what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Options {
    /// Leaders are hidden.
    pub gunboat: bool,
    /// The board is seen through a fog.
    pub blind: bool,
    /// Which settings the master has made.
    pub flavor: usize,
}

impl Options {
    /// The words that stand behind CREATE and SIGNON.
    fn wishes(self, variant: &dyn Variant) -> String {
        let mut words = vec![variant.card().name.to_owned()];
        words.extend(self.gunboat.then(|| "gunboat".to_owned()));
        let blind = self.blind && variant.card().blind;
        words.extend(blind.then(|| "blind".to_owned()));
        words.join(" ")
    }

    /// What gives sight where the board is hidden by BLIND.
    fn sees(self) -> &'static str {
        match self.flavor {
            0 | 3 => "units centers",
            1 => "units",
            _ => "units centers homes",
        }
    }

    /// Whether the master begins the game before everybody has come: some powers have no leader.
    fn begins_early(self) -> bool {
        self.flavor == 3
    }

    /// Whether the game begins in a position that comes about late in a game rather than at its start.
    fn is_scattered(self) -> bool {
        matches!(self.flavor, 0 | 1 | 4)
    }

    fn settings(self) -> &'static [&'static str] {
        match self.flavor {
            0 => &["SET LIST"],
            1 => &[
                "SET LIST",
                "SET NMR",
                "SET NO DIAS",
                "SET GREY/WHITE",
                "SET PARTIAL MAY BE FAKED",
            ],
            2 => &[
                "SET LIST",
                "SET LATE LIST OFF",
                "SET PROXY",
                "SET CONCESSIONS",
                "SET LATE COUNT",
            ],
            3 => &["SET LIST", "SET CENTERS 4", "SET EARLY", "SET NMR"],
            _ => &[
                "SET LIST",
                "SET BLINDMASTER",
                "SET GREY/WHITE",
                "SET WATCH ALL PRESS",
                "SET CENTERS 5",
            ],
        }
    }
}

/// What somebody is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Runs both games.
    Master,
    /// Plays.
    Player,
    /// Watches.
    Observer,
    /// Has an address, and is not registered.
    Stranger,
    /// Waits for the other game to begin.
    Candidate,
    /// Plays, or runs, the game that is in no list.
    Elsewhere,
}

/// Somebody.
#[derive(Clone, Debug)]
pub struct Person {
    pub part: Part,
    pub address: String,
    /// Another mailbox of his, which the judge does not know.
    pub elsewhere: String,
    pub name: String,
    pub word: String,
    zone: Option<&'static str>,
    level: &'static str,
    country: &'static str,
}

/// Everybody.
#[derive(Clone, Debug)]
pub struct Cast {
    pub people: Vec<Person>,
}

impl Person {
    /// Whether an address is one of his.
    pub fn reads(&self, address: &str) -> bool {
        self.address == address || self.elsewhere == address
    }
}

impl Cast {
    /// The usual people, so many of them players.
    fn usual(players: usize) -> Cast {
        let parts = [Part::Master]
            .into_iter()
            .chain(std::iter::repeat_n(Part::Player, players))
            .chain([
                Part::Observer,
                Part::Stranger,
                Part::Candidate,
                Part::Candidate,
                Part::Stranger,
                Part::Elsewhere,
                Part::Elsewhere,
                Part::Elsewhere,
            ]);
        let people = parts.enumerate().map(|(n, part)| person(n as u64, part));
        Cast {
            people: people.collect(),
        }
    }

    /// Whether this one is another in `of_others`.
    pub fn changes(&self, n: usize) -> bool {
        n % 2 == 1
            && self
                .people
                .get(n)
                .is_some_and(|one| one.part == Part::Player)
    }

    /// Who waits for the other game last.
    fn last_waiting(&self) -> usize {
        let waits = |one: &Person| one.part == Part::Candidate;
        let last = self.people.iter().rposition(waits);
        last.expect("somebody waits")
    }

    /// Every second player is somebody else.
    fn of_others(players: usize) -> Cast {
        let mut cast = Cast::usual(players);
        for (n, one) in cast.people.iter_mut().enumerate() {
            if one.part == Part::Player && n % 2 == 1 {
                *one = Person {
                    word: one.word.clone(),
                    zone: Some("Asia/Tokyo"),
                    level: "Novice",
                    country: "Japan",
                    ..person(n as u64 + 100, one.part)
                };
            }
        }
        cast
    }
}

fn person(number: u64, part: Part) -> Person {
    let mut dice = Dice::new(number ^ 0x00c0_ffee_0000_0000);
    let (local, name, word) = (dice.word(), dice.word(), dice.word());
    Person {
        part,
        address: format!("{local}@mail.example.net"),
        elsewhere: format!("{local}@home.example.net"),
        name: format!("{}{}", name[..1].to_uppercase(), &name[1..]),
        word,
        zone: None,
        level: "Expert",
        country: "Norway",
    }
}

/// A table with its people.
#[derive(Clone, Debug)]
pub struct Fixture {
    pub variant: &'static str,
    pub options: Options,
    pub cast: Cast,
    /// The names of the powers, in the order of the roster.
    pub powers: Vec<String>,
    pub kept: Kept,
}

/// Which cast plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Casting {
    /// The usual one.
    Usual,
    /// The usual people, each with the power that he has, and dice that fall otherwise from now on.
    OtherChance,
    /// Other people in half of the places.
    OtherPeople,
    /// The usual people, and one player more whom nobody has met.
    OneMore,
    /// The usual people, half of the powers under other names.
    OtherNames,
    /// The usual people, and the game that is in no list under another name.
    OtherCellar,
    /// The usual people; those who wait in the other forming game have come to it in another order.
    OtherSignOns,
    /// The usual people; this power begins otherwise, in this way.
    OtherStart(u8, u8),
}

/// What the powers are called where their players name them, by their places; the fifth is one player more among strangers, who is
/// called like another. Some write theirs in disguise.
pub const NAMES: [&str; 9] = [
    "Elam",
    "Kush",
    "Aram",
    "Susa",
    "E\u{200b}lam",
    "Mari",
    "Punt",
    "\u{ff2b}ush",
    "El\u{ad}am",
];
/// The same, those of every second player changed (`Cast::changes`), to names that are others' too.
const OTHER_NAMES: [&str; 9] = [
    "Susa",
    "Kush",
    "Ku\u{34f}sh",
    "Susa",
    "E\u{200b}lam",
    "Mari",
    "\u{feff}Mari",
    "\u{ff2b}ush",
    "Sais",
];

impl Fixture {
    /// Whether it is hidden here who exists.
    pub fn hides_existence(&self) -> bool {
        acquaintance::hides_existence(self.variant)
    }

    /// Whether CivDip is played here.
    pub fn is_of_civilizations(&self) -> bool {
        self.variant == civilizations::NAME
    }

    /// The map that is played on.
    pub fn map(&self) -> &'static Map {
        self.game().map()
    }

    /// Whether there can be one power more whom nobody has met, while all else is as it is.
    pub fn can_have_one_more(&self) -> bool {
        let open = civilizations::has_open_number(self.options.flavor);
        self.hides_existence() && (open || !self.is_of_civilizations())
    }

    /// Whether powers are called what their players wish, and others are not told.
    pub fn has_chosen_names(&self) -> bool {
        let chosen = civilizations::has_chosen_names(self.options.flavor);
        self.hides_existence() && (chosen || !self.is_of_civilizations())
    }

    /// Who leads a power where there is one more: the first of those who stand by, or who waits for the other game otherwise.
    pub fn one_more(&self) -> usize {
        let game = self.game();
        let first = game.stand_by.first().and_then(|seat| game.seat(*seat));
        let people = &self.cast.people;
        let first =
            first.and_then(|seat| people.iter().position(|one| one.address == seat.address));
        first.unwrap_or_else(|| self.cast.last_waiting())
    }

    /// What gives sight where the board is hidden.
    pub fn sees(&self) -> &'static str {
        match self.hides_existence() {
            true => "units centers",
            false => self.options.sees(),
        }
    }

    /// Everybody who is there for something.
    pub fn of(&self, part: Part) -> Vec<usize> {
        let people = &self.cast.people;
        (0..people.len())
            .filter(|n| people[*n].part == part)
            .collect()
    }

    /// Who leads a power when the game begins.
    pub fn leaders(&self, power: u8) -> Vec<usize> {
        let game = self.game();
        let holder = game.holder(Power(power));
        let Some(address) = holder.map(|seat| seat.address.clone()) else {
            return Vec::new();
        };
        (0..self.cast.people.len())
            .filter(|n| self.cast.people[*n].address == address)
            .collect()
    }

    /// The game when it begins.
    pub fn game(&self) -> Game {
        let records = log(&self.kept.records, GAME);
        let game = records
            .iter()
            .try_fold(None, |game, record| apply::replay(game, record).map(Some));
        game.ok().flatten().expect("the table was laid")
    }

    /// The same table, at which the dice fall otherwise from now on.
    pub fn with_other_chance(&self) -> Fixture {
        let mut other = self.clone();
        other.kept.let_chance_turn();
        other
    }

    /// By what letters masters call the powers, in the order of the roster.
    pub fn letters(&self) -> Vec<String> {
        let game = self.game();
        let labels = labels(&game);
        game.all_powers()
            .map(|power| labels.letter(power))
            .collect()
    }

    /// Orders by which the units of a power stay where they begin.
    pub fn holds_of(&self, power: u8) -> Vec<String> {
        let game = self.game();
        let units = game.position.units_of(Power(power));
        units
            .map(|unit| format!("{} {} H", unit.kind, unit.at))
            .collect()
    }

    /// Whether every power has units when the game begins, and the variant keeps nothing of where they are.
    pub fn has_start(&self) -> bool {
        let game = self.game();
        let has_units = |power: Power| game.position.units_of(power).next().is_some();
        !self.hides_existence() && game.all_powers().all(has_units)
    }

    /// Whether powers have lost centers since the game began.
    pub fn has_lost(&self) -> bool {
        self.game().years.len() > 1
    }

    /// The same table, at which one power begins otherwise.
    pub fn with_other_start(&self, power: u8, way: u8) -> Fixture {
        let mut other = self.clone();
        let map = self.map();
        let seed = u64::from(power) << 8 | u64::from(way) << 16 | self.options.flavor as u64;
        let dice = Dice::new(seed);
        let among = starts::whose(Power(power), way, self.powers.len());
        let mut begun = None;
        other.kept.begin_with(|position| {
            // What is counted later differs in the same.
            let mut dice = dice.clone();
            match &begun {
                Some(begun) if starts::is_of_the_past(way) => {
                    starts::taken_by_another(position, begun, Power(power));
                }
                _ => {
                    let who = (Power(power), way, among.as_slice());
                    starts::otherwise(position, who, map, &mut dice);
                }
            }
            begun.get_or_insert_with(|| position.clone());
        });
        other
    }

    /// The same table, at which units begin in each other's way, near one another and far from home.
    fn scattered(mut self) -> Fixture {
        let map = self.map();
        let mut dice = Dice::new(self.options.flavor as u64);
        self.kept
            .begin_with(|position| starts::scatter(position, map, &mut dice));
        self.kept
            .count_with(|position| starts::lose(position, map, &mut dice));
        self
    }

    /// Lays a table with the usual people, or with others.
    pub fn set_up(
        variant: &'static dyn Variant,
        options: Options,
        casting: Casting,
        templates: &Templates,
    ) -> Fixture {
        // The game that is in no list is of one of them.
        spies::add();
        let card = variant.card();
        let map = Map::with_places(card.map, card.places).expect("a map");
        let range = variant.players(map);
        let fixed = range.start() == range.end();
        let of_civilizations = card.name == civilizations::NAME;
        // Roles that nobody leads would hide nothing.
        let seats = match card.name == silly::NAME {
            true => *range.end(),
            false => USUAL_PLAYERS.clamp(*range.start(), *range.end()),
        };
        let early = fixed && (options.begins_early() || seats > MOST_PLAYERS);
        // How many play is told by no setting where nobody may know it: the master says when they begin, or sign-up closes.
        let hidden = acquaintance::hides_existence(card.name);
        let led = seats.min(MOST_PLAYERS + VACANT);
        let players = match early {
            _ if of_civilizations => civilizations::CANDIDATES,
            true => led - VACANT,
            false => seats,
        };
        let cast = match casting {
            Casting::Usual
            | Casting::OtherChance
            | Casting::OneMore
            | Casting::OtherNames
            | Casting::OtherCellar
            | Casting::OtherSignOns
            | Casting::OtherStart(..) => Cast::usual(players),
            Casting::OtherPeople => Cast::of_others(players),
        };
        let mut setting = Setting {
            stage: Stage::new(start(), templates),
            cast: &cast,
            at: start(),
            count: 0,
        };
        let codes: Vec<Option<String>> = variant
            .powers(map, seats, &Settings::default())
            .iter()
            .map(|power| match power.letter {
                Some(letter) => Some(letter.to_string()),
                None => fixed.then(|| power.key.clone()),
            })
            .collect();
        setting.everybody_registers();
        setting.everybody_has_played();
        let count = (!fixed && !hidden).then(|| format!("SET PLAYERS {players}"));
        let names: &[&str] = match (hidden, casting) {
            (false, _) => &[],
            (true, Casting::OtherNames) => &OTHER_NAMES,
            (true, _) => &NAMES,
        };
        let own = card.settings.iter().filter_map(|one| {
            let words = one.words();
            let value = words.get(options.flavor % words.len().max(1))?;
            Some(format!("SET {} {value}", one.name))
        });
        let own: Vec<String> = match of_civilizations {
            true => civilizations::settings(options.flavor, casting == Casting::OneMore),
            false => own.collect(),
        };
        let settings = own.into_iter().chain(count);
        let sees = (options.blind && variant.card().blind)
            .then(|| format!("SET SIGHT {}", options.sees().to_uppercase()));
        let settings: Vec<String> = options
            .settings()
            .iter()
            .map(|line| (*line).to_owned())
            .chain(settings)
            .chain(sees)
            .collect();
        // The same minute passes where he only asks for something.
        let joins = hidden && !of_civilizations;
        let one_more = joins.then(|| (cast.last_waiting(), casting == Casting::OneMore));
        setting.the_game(&options.wishes(variant), settings, &codes, names, one_more);
        match of_civilizations && civilizations::closes_at_a_date(options.flavor) {
            true => setting.at += SignedDuration::from_hours(12),
            false if early || hidden => setting.begins(),
            false => {}
        }
        setting.the_forming_game();
        setting.the_cellar(match casting {
            Casting::OtherCellar => OTHER_CELLAR,
            _ => CELLAR,
        });
        setting.the_hall(variant.card().name, casting == Casting::OtherSignOns);
        let stage = setting.stage;
        assert!(
            stage.game(GAME).begun(),
            "{} with {options:?} does not begin: {}",
            variant.card().name,
            stage
                .kept
                .sent
                .iter()
                .filter(|sent| sent.to == cast.people[0].address)
                .map(|sent| String::from_utf8_lossy(&sent.bytes))
                .filter(|text| text.contains(GAME))
                .collect::<Vec<_>>()
                .join("\n=====\n")
        );
        let game = stage.game(GAME);
        // What is hidden the game says, not the words with which it was made.
        let hides = VariantGame::new(game, variant);
        assert_eq!(
            variant.hides(game).contains(&Hidden::Existence),
            acquaintance::hides_existence(card.name),
            "{} hides who exists, and the oracle must read from it who has met whom",
            card.name
        );
        let options = Options {
            gunboat: hides.hides_leaders(),
            blind: hides.hides_board(),
            ..options
        };
        let names = labels(game);
        let powers = game.all_powers().map(|power| names.name(power).to_owned());
        let powers: Vec<String> = powers.collect();
        let fixture = Fixture {
            variant: variant.card().name,
            options,
            cast,
            powers,
            kept: stage.kept,
        };
        match options.is_scattered() && fixture.has_start() {
            true => fixture.scattered(),
            false => fixture,
        }
    }
}

/// What a master calls the powers of a game, and in all these games everybody.
pub fn labels(game: &Game) -> Labels<'_> {
    VariantGame::new(game, variants::of(&game.variant))
        .seen_by(Viewer::Master)
        .labels()
}

fn start() -> Timestamp {
    "2026-11-30T10:00:00Z".parse().expect("a time")
}

struct Setting<'c> {
    stage: Stage,
    cast: &'c Cast,
    at: Timestamp,
    count: usize,
}

impl Setting<'_> {
    fn say(&mut self, from: usize, sign: String, lines: Vec<String>) {
        self.at += SignedDuration::from_secs(60);
        self.count += 1;
        let letter = Letter {
            id: usize::MAX,
            at: self.at,
            from,
            elsewhere: None,
            sign: Sign::Line(sign),
            lines: lines.into_iter().map(Line::Other).collect(),
            instead: Vec::new(),
            phase: 0,
            wrap: Wrap::plain(1 << 40 | self.count as u64),
        };
        self.stage.receive(&letter, &self.cast.people[from].address);
    }

    fn of(&self, part: Part) -> Vec<usize> {
        (0..self.cast.people.len())
            .filter(|n| self.cast.people[*n].part == part)
            .collect()
    }

    fn everybody_registers(&mut self) {
        for (n, person) in self.cast.people.iter().enumerate() {
            if person.part != Part::Stranger {
                let form = vec![
                    format!("Name: {}", person.name),
                    format!("Level: {}", person.level),
                    format!("Country: {}", person.country),
                    "END".to_owned(),
                ];
                self.say(n, "REGISTER".to_owned(), form);
            }
        }
    }

    /// Everybody comes with points of other games, by which he could be told from others.
    fn everybody_has_played(&mut self) {
        for one in &self.cast.people {
            let letters = one.address.bytes().map(i64::from);
            let points = letters.sum::<i64>() % 60 - 5;
            self.stage.give_points(&one.address, points);
        }
    }

    fn the_game(
        &mut self,
        wishes: &str,
        settings: Vec<String>,
        codes: &[Option<String>],
        names: &[&str],
        one_more: Option<(usize, bool)>,
    ) {
        let word = |n: usize| self.cast.people[n].word.clone();
        let mut lines = vec!["BECOME MASTER".to_owned(), "SET CALENDAR ON".to_owned()];
        lines.extend(settings);
        let create = format!("CREATE ?{GAME} {} {wishes}", word(0));
        let players = self.of(Part::Player);
        let observers = self.of(Part::Observer);
        let words: Vec<String> = (0..self.cast.people.len()).map(word).collect();
        self.say(0, create, lines);
        for n in observers {
            let line = format!("OBSERVE {GAME} {}", words[n]);
            self.say(n, line, Vec::new());
        }
        let plays = players.into_iter().map(|n| (n, true)).chain(one_more);
        for (place, (n, plays)) in plays.enumerate() {
            if !plays {
                self.say(n, "VERSION".to_owned(), Vec::new());
                continue;
            }
            let mut lines = Vec::new();
            lines.extend(names.get(place).map(|name| format!("NAME {name}")));
            if let Some(Some(code)) = codes.get(place) {
                lines.push(format!("SET PREFERENCE {code}"));
            }
            // Some read their deadlines in a calendar, some all in plain text.
            match place % 3 {
                0 => lines.push("SET CALENDAR ON".to_owned()),
                1 => lines.push("SET HTML OFF".to_owned()),
                _ => {}
            }
            if let Some(zone) = self.cast.people[n].zone {
                lines.push(format!("SET ZONE {zone}"));
            }
            let line = format!("SIGNON ?{GAME} {} {wishes}", words[n]);
            self.say(n, line, lines);
        }
    }

    fn begins(&mut self) {
        let word = self.cast.people[0].word.clone();
        let line = format!("SIGNON M{GAME} {word}");
        self.say(0, line, vec!["FORCE BEGIN".to_owned()]);
    }

    /// A game in no list, which runs and stands still.
    fn the_cellar(&mut self, name: &str) {
        let people = self.of(Part::Elsewhere);
        let Some((master, players)) = people.split_first() else {
            return;
        };
        // A game with a power that nobody leads answers whoever knows its name: in this one everybody who plays has come.
        let variant = strangers::NAME;
        let word = |n: usize| self.cast.people[n].word.clone();
        let masters = word(*master);
        let create = format!("CREATE ?{name} {masters} {variant} gunboat");
        let lines = ["BECOME MASTER", "SET NO LIST"].map(str::to_owned).to_vec();
        self.say(*master, create, lines);
        for player in players {
            let line = format!("SIGNON ?{name} {} {variant} gunboat", word(*player));
            self.say(*player, line, Vec::new());
        }
        let lines = ["FORCE BEGIN", "PAUSE"].map(str::to_owned).to_vec();
        self.say(*master, format!("SIGNON M{name} {masters}"), lines);
        let begun = self.stage.game(name).begun();
        assert!(begun, "the game that is in no list does not begin");
    }

    /// A game that forms and hides who leads what, in which two wait.
    fn the_hall(&mut self, variant: &str, turned: bool) {
        let people = self.of(Part::Elsewhere);
        let [master, one, other, ..] = people.as_slice() else {
            return;
        };
        let word = |n: &usize| self.cast.people[*n].word.clone();
        let create = format!("CREATE ?{HALL} {} {variant} gunboat", word(master));
        let sign_on = |n: &usize| format!("SIGNON ?{HALL} {} {variant} gunboat", word(n));
        let [first, second] = WAITING.map(|lines| lines.map(str::to_owned).to_vec());
        let mut signing = [
            (*one, sign_on(one), first),
            (*other, sign_on(other), second),
        ];
        if turned {
            signing.reverse();
        }
        let lines = vec!["BECOME MASTER".to_owned(), "SET LIST".to_owned()];
        self.say(*master, create, lines);
        for (person, line, lines) in signing {
            self.say(person, line, lines);
        }
        let begun = self.stage.game(HALL).begun();
        assert!(!begun, "the game of which all wait begins");
    }

    /// One of the players of the first game waits in it too.
    fn the_forming_game(&mut self) {
        let words: Vec<String> = self
            .cast
            .people
            .iter()
            .map(|one| one.word.clone())
            .collect();
        let create = format!("CREATE ?{FORMING} {}", words[0]);
        self.say(
            0,
            create,
            vec!["BECOME MASTER".to_owned(), "SET LIST".to_owned()],
        );
        let mut waiting = self.of(Part::Candidate);
        waiting.extend(self.of(Part::Player).get(1));
        for n in waiting {
            let line = format!("SIGNON ?{FORMING} {}", words[n]);
            self.say(n, line, vec!["SET PREFERENCE FG".to_owned()]);
        }
    }
}
