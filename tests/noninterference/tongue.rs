//! Lines for every row of the judge's tables: commands, settings, and what a variant adds. They come from the grammar that
//! reads them, so a new row is sent without anybody writing it down here. Names in them are those of the table, of
//! others at the judge, of games that are in no list, and some of them are misspelt.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use dipjudge::game::{Game, Variant};
use dipjudge::grammar::files;
use dipjudge::judge::{Row, RowKind, rows};
use dipjudge::map::Power;
use serde_json::{Value, json};

use super::dice::Dice;
use super::fixture::{CELLAR, FORMING, Fixture, GAME, OTHER_CELLAR, labels};
use super::orders::neighborhood;
use super::sentences::{Sentences, Vocabulary};

/// How many names of a hundred are misspelt.
const MISSPELT: u32 = 12;
/// How many lines of a hundred are the examples of a row, rather than any sentence of its grammar.
const EXAMPLES: u32 = 30;
/// The games that lines name.
const GAMES: [&str; 4] = [GAME, FORMING, CELLAR, OTHER_CELLAR];

/// What can be said to the judge in games of one variant.
#[derive(Debug)]
pub struct Tongue {
    rows: Vec<Row>,
    commands: Sentences,
    settings: Sentences,
    press: Sentences,
    own: Sentences,
}

/// The name of a row, for counting.
pub fn name_of(row: &Row) -> String {
    let kind = match row.kind {
        RowKind::Command => "",
        RowKind::Setting => "SET ",
        RowKind::OfVariant => "own ",
        RowKind::SettingOfVariant => "own SET ",
    };
    format!("{kind}{}", row.rules.first().copied().unwrap_or_default())
}

/// What was read of grammars already, by variant.
static TONGUES: Mutex<BTreeMap<&str, Arc<Tongue>>> = Mutex::new(BTreeMap::new());

impl Tongue {
    pub fn of(variant: &dyn Variant) -> Arc<Tongue> {
        let mut known = TONGUES.lock().unwrap_or_else(PoisonError::into_inner);
        let name = variant.card().name;
        known
            .entry(name)
            .or_insert_with(|| Arc::new(Tongue::read(variant)))
            .clone()
    }

    fn read(variant: &dyn Variant) -> Tongue {
        Tongue {
            rows: rows(variant),
            commands: Sentences::of_file(files::COMMANDS.text),
            settings: Sentences::of_file(files::SETTINGS.text),
            press: Sentences::of_file(files::PRESS.text),
            own: Sentences::of(variant.card().grammar),
        }
    }

    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// An order, or a line of the variant's own, about whatever the person knows or misspells.
    pub fn order(&self, words: &Words, dice: &mut Dice) -> String {
        let rules: &[&str] = match self.own.any() {
            true => &["line", "line", "movement"],
            false => &["movement"],
        };
        let said = Saying {
            tongue: self,
            words,
        };
        let rule = dice.pick(rules).copied().unwrap_or("movement");
        let line = self.own.sentence(rule, &said, dice);
        line.unwrap_or_else(|| words.order.clone())
    }

    /// What a player or an observer sets for himself.
    pub fn own_setting(&self, words: &Words, dice: &mut Dice) -> Option<String> {
        let said = Saying {
            tongue: self,
            words,
        };
        let setting = self.settings.sentence("player", &said, dice)?;
        // Where mail goes is a matter of its own.
        (!setting.starts_with("ad")).then(|| format!("SET {setting}"))
    }

    /// What a master sets: any row of the table of settings.
    pub fn setting(&self, words: &Words, dice: &mut Dice) -> Option<String> {
        let is = |row: &&Row| row.kind == RowKind::Setting;
        let rows: Vec<&Row> = self.rows.iter().filter(is).collect();
        let row = dice.pick(&rows)?;
        Some(self.line(row, words, dice))
    }

    /// A line of a row, with the lines that must follow it.
    pub fn line(&self, row: &Row, words: &Words, dice: &mut Dice) -> String {
        let said = match dice.chance(EXAMPLES) {
            true => self.example(row, words, dice),
            false => None,
        };
        let said = said.or_else(|| self.sentence(row, words, dice));
        let said = said.or_else(|| self.example(row, words, dice));
        let mut said = said.unwrap_or_default();
        if said.to_lowercase().starts_with("create") {
            // Whoever wants a name for a game of his own has to learn that it is taken.
            for hidden in [CELLAR, OTHER_CELLAR] {
                said = said.replace(hidden, GAME);
            }
        }
        self.with_more(said, words, dice)
    }

    fn sentence(&self, row: &Row, words: &Words, dice: &mut Dice) -> Option<String> {
        let rule = *dice.pick(&row.rules)?;
        let said = Saying {
            tongue: self,
            words,
        };
        match row.kind {
            RowKind::Command => self.commands.sentence(rule, &said, dice),
            RowKind::Setting => {
                let setting = self.settings.sentence(rule, &said, dice)?;
                Some(format!("SET {setting}"))
            }
            RowKind::OfVariant => self.own.sentence(rule, &said, dice),
            RowKind::SettingOfVariant => Some(format!("SET {rule} {}", dice.below(30))),
        }
    }

    /// An example of the row with names of this table in the place of its own.
    fn example(&self, row: &Row, words: &Words, dice: &mut Dice) -> Option<String> {
        let example = dice.pick(&row.examples)?;
        let named = example.split(' ').map(|word| match word {
            word if word.contains('@') => words.person(dice),
            word if word.contains("kaiser") => word.replace("kaiser", &words.game(dice)),
            "password" => words.password.clone(),
            word if ["England", "France", "Germany", "Elam", "Kush"].contains(&word) => {
                words.power(dice)
            }
            word => word.to_owned(),
        });
        let named = named.collect::<Vec<_>>().join(" ");
        let set = matches!(row.kind, RowKind::Setting | RowKind::SettingOfVariant);
        Some(if set { format!("SET {named}") } else { named })
    }

    /// Forms, texts and what stands between two lines of orders.
    fn with_more(&self, said: String, words: &Words, dice: &mut Dice) -> String {
        let begins = said.to_lowercase();
        let begins = |word: &str| begins.starts_with(word);
        let order = || words.order.clone();
        if ["press", "broadcast", "postal", "official", "diary record"]
            .into_iter()
            .any(begins)
            || begins("diary") && said.trim().len() == 5
        {
            // Somebody is often named in a letter.
            let about = match dice.chance(60) {
                true => words.person(dice),
                false => words.power(dice),
            };
            return format!("{said}\nWords about {about}.\nENDPRESS");
        }
        if begins("register") {
            let name = dice.pick(&["Somebody Else", "Nobody"]).copied();
            return format!(
                "{said}\nName: {}\nLevel: Novice\nCountry: Japan\nEND",
                name.unwrap_or_default()
            );
        }
        if begins("phase") || begins("endphase") {
            return format!("PHASE {}\n{}\nENDPHASE", words.phase(dice), order());
        }
        if begins("try") {
            let supposed = (0..4).map(|_| {
                let (from, to) = (words.province(dice), words.province(dice));
                format!("{}: A {from} - {to}", words.power(dice))
            });
            let supposed: Vec<String> = supposed.collect();
            let own = self.order(words, dice);
            return format!(
                "{said}\n{}\n{own}\n{}\nEND TRY",
                order(),
                supposed.join("\n")
            );
        }
        if begins("if") || begins("else") || begins("endif") {
            let asked = format!("{} A {}", words.power(dice), words.province(dice));
            return format!("IF {asked}\n{}\nELSE\n{}\nENDIF", order(), order());
        }
        said
    }
}

/// Names and words that lines may hold, as one person knows them at one moment.
#[derive(Clone, Debug)]
pub struct Words {
    people: Vec<String>,
    powers: Vec<String>,
    letters: Vec<String>,
    near: Vec<String>,
    far: Vec<String>,
    phases: Vec<String>,
    /// Provinces in which twins differ.
    differing: Vec<String>,
    /// Addresses and names of people who are not the same in twins.
    differing_people: Vec<String>,
    /// Powers that have something else in twins, or do something else.
    differing_powers: Vec<String>,
    /// Games that are not the same in twins.
    differing_games: Vec<String>,
    password: String,
    order: String,
    /// Own units as they stood when the last phase with orders began.
    ordered: Vec<String>,
}

/// Whatever a game keeps of one power.
fn state_of(game: &Game, power: Power) -> Value {
    let units: Vec<_> = game.position.units_of(power).collect();
    let centers = game.position.owners.iter();
    let centers: Vec<_> = centers.filter(|(_, owner)| **owner == power).collect();
    json!([units, centers, game.standings.get(&power)])
}

/// Provinces that stand in one state of a game where another has something else.
fn differing(one: &Game, other: &Game) -> Vec<String> {
    let state = |game: &Game| json!([game.data(), game.standings, game.position]);
    let mut found = BTreeSet::new();
    differing_leaves(&state(one), &state(other), &mut found);
    let provinces = one.map().provinces().iter();
    let codes = provinces.map(|info| info.code.to_string());
    codes.filter(|code| found.contains(code)).collect()
}

fn differing_leaves(one: &Value, other: &Value, found: &mut BTreeSet<String>) {
    if one == other {
        return;
    }
    match (one, other) {
        (Value::Object(ones), Value::Object(others)) => {
            for key in ones.keys().chain(others.keys()) {
                let of = |all: &serde_json::Map<String, Value>| all.get(key).cloned();
                let (one, other) = (of(ones), of(others));
                if one.is_none() || other.is_none() {
                    found.insert(key.clone());
                }
                differing_leaves(&one.unwrap_or_default(), &other.unwrap_or_default(), found);
            }
        }
        (Value::Array(ones), Value::Array(others)) => {
            for index in 0..ones.len().max(others.len()) {
                let of = |all: &[Value]| all.get(index).cloned().unwrap_or_default();
                differing_leaves(&of(ones), &of(others), found);
            }
        }
        (one, other) => {
            let mut leaves = |value: &Value| match value {
                Value::String(text) => {
                    found.insert(text.clone());
                }
                Value::Array(all) => all.iter().for_each(|one| {
                    found.extend(one.as_str().map(str::to_owned));
                }),
                Value::Object(all) => all.iter().for_each(|(key, one)| {
                    found.insert(key.clone());
                    found.extend(one.as_str().map(str::to_owned));
                }),
                _ => {}
            };
            leaves(one);
            leaves(other);
        }
    }
}

impl Words {
    /// The same words, which prefer what differs between two states of the game.
    #[must_use]
    pub fn asking_after(mut self, one: &Game, other: &Game) -> Words {
        self.differing = differing(one, other);
        self.differing_powers = one
            .all_powers()
            .zip(&self.powers)
            .filter(|(power, _)| state_of(one, *power) != state_of(other, *power))
            .map(|(_, name)| name.clone())
            .collect();
        self
    }

    /// The same words, which prefer these people.
    #[must_use]
    pub fn asking_about(mut self, people: Vec<String>) -> Words {
        self.differing_people = people;
        self
    }

    /// The same words, which prefer these games.
    #[must_use]
    pub fn asking_of(mut self, games: Vec<String>) -> Words {
        self.differing_games = games;
        self
    }

    /// WHOIS and somebody.
    pub fn whois(&self, dice: &mut Dice) -> String {
        format!("WHOIS {}", self.person(dice))
    }

    /// Votes about a power.
    pub fn votes(&self, dice: &mut Dice) -> Vec<String> {
        let power = self.power(dice);
        vec![format!("SET DRAW {power}"), format!("SET CONCEDE {power}")]
    }

    pub fn of(fixture: &Fixture, game: &Game, person: usize) -> Words {
        let one = &fixture.cast.people[person];
        let address = |one: &super::fixture::Person| [one.address.clone(), one.name.clone()];
        let labels = labels(game);
        let power = game.all_powers().find(|power| {
            let holder = game.holder(*power);
            holder.is_some_and(|seat| seat.address == one.address)
        });
        let card = dipjudge::variants::of(fixture.variant).card();
        let past = game.past.iter().filter(|past| card.is_called(&past.phase));
        let past = past.map(|past| card.phase_name(&past.phase, past.turn).to_string());
        let units = power
            .into_iter()
            .flat_map(|power| game.position.units_of(power));
        let results = game.last.iter().flat_map(|played| &played.outcomes);
        let ordered = results.map(|outcome| &outcome.unit);
        let ordered = ordered.filter(|unit| Some(unit.power) == power);
        let ordered = ordered.map(|unit| format!("{} {}", unit.kind, unit.at.province));
        let order = units
            .map(|unit| format!("{} {} H", unit.kind, unit.at))
            .next();
        Words {
            people: fixture.cast.people.iter().flat_map(address).collect(),
            powers: fixture.powers.clone(),
            letters: game
                .all_powers()
                .map(|power| labels.letter(power))
                .collect(),
            near: power
                .map(|power| neighborhood(game, power))
                .unwrap_or_default(),
            far: game
                .map()
                .provinces()
                .iter()
                .map(|info| info.code.to_string())
                .collect(),
            differing: Vec::new(),
            differing_people: Vec::new(),
            differing_powers: Vec::new(),
            differing_games: Vec::new(),
            phases: past
                .chain(["S1902M".to_owned(), "F1901M".to_owned()])
                .collect(),
            password: one.word.clone(),
            order: order.unwrap_or_else(|| "A Mun H".to_owned()),
            ordered: ordered.collect(),
        }
    }

    fn one_of(&self, names: &[String], dice: &mut Dice) -> String {
        let name = dice.pick(names).cloned().unwrap_or_default();
        match dice.chance(MISSPELT) {
            true => misspelt(&name, dice),
            false => name,
        }
    }

    fn game(&self, dice: &mut Dice) -> String {
        let name = dice.pick(&GAMES).copied().unwrap_or(GAME);
        let name = match dice.pick(&self.differing_games) {
            Some(differs) if dice.chance(50) => differs.as_str(),
            _ => name,
        };
        match dice.chance(2 * MISSPELT) {
            true => misspelt(name, dice),
            false => name.to_owned(),
        }
    }

    fn power(&self, dice: &mut Dice) -> String {
        if !self.differing_powers.is_empty() && dice.chance(60) {
            return self.one_of(&self.differing_powers, dice);
        }
        match dice.chance(20) {
            true => self.one_of(&self.letters, dice),
            false => self.one_of(&self.powers, dice),
        }
    }

    fn person(&self, dice: &mut Dice) -> String {
        if !self.differing_people.is_empty() && dice.chance(60) {
            return self.one_of(&self.differing_people, dice);
        }
        self.one_of(&self.people, dice)
    }

    fn province(&self, dice: &mut Dice) -> String {
        if !self.differing.is_empty() && dice.chance(60) {
            return self.one_of(&self.differing, dice);
        }
        let near = !self.near.is_empty() && dice.chance(60);
        self.one_of(if near { &self.near } else { &self.far }, dice)
    }

    /// A unit that had an order in the last phase, or any.
    fn ordered(&self, dice: &mut Dice) -> String {
        match dice.pick(&self.ordered) {
            Some(unit) if dice.chance(80) => unit.clone(),
            _ => format!("A {}", self.province(dice)),
        }
    }

    /// A question after a result. Few of them meet something hidden, so they are asked more often than other rows.
    pub fn why(&self, dice: &mut Dice) -> String {
        format!("WHY {}", self.ordered(dice))
    }

    fn phase(&self, dice: &mut Dice) -> String {
        dice.pick(&self.phases).cloned().unwrap_or_default()
    }

    /// A seat as it stands behind SIGNON.
    fn seat(&self, dice: &mut Dice) -> String {
        let game = self.game(dice);
        match dice.below(6) {
            0 => format!("?{game}"),
            1 => format!("M{game}"),
            2 => format!("O{game}"),
            3 => format!("{}@{game}", self.power(dice)),
            _ => format!("{}{game}", self.one_of(&self.letters, dice)),
        }
    }

    /// A sign-on that may fit nobody.
    pub fn sign_on(&self, dice: &mut Dice) -> String {
        let word = if dice.chance(85) {
            self.password.as_str()
        } else {
            "wrong"
        };
        format!("SIGNON {} {word}", self.seat(dice))
    }

    /// What somebody writes who knows no commands, and asks for a game or a power by name. Which it is, the number says.
    pub fn first_sentence(&self, number: usize) -> String {
        let game = GAMES.get(number / 6 % GAMES.len()).copied().unwrap_or(GAME);
        let powers = if self.differing_powers.is_empty() {
            &self.powers
        } else {
            &self.differing_powers
        };
        let power = powers.get(number / 24 % powers.len().max(1));
        let power = power.cloned().unwrap_or_default();
        match number % 6 {
            0 => format!("Hi, I am Tom and want to join {game}."),
            1 => format!("I would like to play {game} as {power}"),
            2 => format!("I want to watch {game}"),
            3 => format!("PLAY {power}@{game}"),
            4 => format!("Tell {power}: shall we meet in {game}?"),
            _ => format!("When is the deadline of {game}?"),
        }
    }

    /// BECOME and the name of a power.
    pub fn become_one(&self, dice: &mut Dice) -> String {
        format!("BECOME {}", self.power(dice))
    }
}

/// Whether a line lets a master change, in mid-phase, when a calendar that nobody's doing moves goes on: then the oracle cannot
/// reckon when a phase had to end.
pub fn bends_the_calendar(line: &str, fixture: &Fixture) -> bool {
    fixture.hides_existence() && line.to_uppercase().contains("EARLY")
}

/// What a line says, by the rules of the grammar in which its terms stand.
struct Saying<'t> {
    tongue: &'t Tongue,
    words: &'t Words,
}

impl Saying<'_> {
    fn word(&self, within: &str, dice: &mut Dice) -> String {
        let words = self.words;
        match within {
            "seat" => words.seat(dice),
            "password" | "new-password" => words.password.clone(),
            "game" | "history-game" | "map-game" | "asked-players" => words.game(dice),
            "someone" | "address" | "listed-address" => match dice.chance(75) {
                true => words.person(dice),
                false => words.power(dice),
            },
            "zone" => "Asia/Tokyo".to_owned(),
            "file" => {
                let game = words.game(dice);
                let files = [
                    "flist",
                    "rules",
                    "syntax",
                    "master",
                    "map.standard",
                    game.as_str(),
                ];
                dice.pick(&files)
                    .map_or_else(String::new, |file| (*file).to_owned())
            }
            "topic" => {
                let rows = self.tongue.rows();
                let row = dice.pick(rows).and_then(|row| row.examples.first());
                let topic = row.and_then(|example| example.split(' ').next());
                topic.unwrap_or("draw").to_owned()
            }
            "map-name" => "standard".to_owned(),
            "variant" | "variant-off" | "some-words" => "gunboat".to_owned(),
            _ => match dice.below(4) {
                0 => words.game(dice),
                1 => words.person(dice),
                _ => words.power(dice),
            },
        }
    }

    fn rest(&self, within: &str, dice: &mut Dice) -> String {
        let words = self.words;
        let press = |dice: &mut Dice| {
            let said = self.tongue.press.sentence("options", self, dice);
            said.unwrap_or_else(|| format!("TO {}", words.power(dice)))
        };
        match within {
            "set" => {
                let is = |row: &&Row| row.kind == RowKind::Setting;
                let rows: Vec<&Row> = self.tongue.rows().iter().filter(is).collect();
                let row = dice.pick(&rows);
                let line = row.and_then(|row| self.tongue.example(row, words, dice));
                line.map_or_else(String::new, |line| {
                    line.trim_start_matches("SET ").to_owned()
                })
            }
            "press" | "broadcast" | "postal" | "official" => press(dice),
            "behind" => words.order.clone(),
            "powers" | "eject" => words.power(dice),
            "preference-list" => "EF".to_owned(),
            "addresses" => words.person(dice),
            "phase" => words.phase(dice),
            "asked-why" => words.ordered(dice),
            "if" | "else-if" => format!("{} A {}", words.power(dice), words.province(dice)),
            "overrule" => format!("A {} to {}", words.province(dice), words.province(dice)),
            _ => self.word(within, dice),
        }
    }
}

impl Vocabulary for Saying<'_> {
    fn term(&self, term: &str, within: &str, dice: &mut Dice) -> String {
        let words = self.words;
        match term {
            "province" => words.province(dice),
            "power" => words.power(dice),
            "power-letter" => words.one_of(&words.letters, dice),
            "unit-kind" => (if dice.chance(50) { "A" } else { "F" }).to_owned(),
            "number" | "count" => dice.below(40).to_string(),
            "decimal" => format!("{}.5", dice.below(4)),
            "date" => {
                let dates = ["tomorrow", "20 Dec 2026", "1 Jan 2027", "10 Dec 2026 18:00"];
                dice.pick(&dates).copied().unwrap_or_default().to_owned()
            }
            "phase" => words.phase(dice),
            "end" => String::new(),
            "rest" => self.rest(within, dice),
            _ => self.word(within, dice),
        }
    }
}

/// A word with a letter too few, too many or in another place.
fn misspelt(word: &str, dice: &mut Dice) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    if letters.len() < 3 {
        return word.to_owned();
    }
    let at = 1 + dice.below(letters.len() - 2);
    match dice.below(3) {
        0 => {
            letters.remove(at);
        }
        1 => letters.insert(at, letters[at]),
        _ => letters.swap(at, at + 1),
    }
    letters.into_iter().collect()
}
