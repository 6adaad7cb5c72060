//! The state in the saved-game format: the words of the cases' notation (`rules.md`, 8.4), in small letters. A unit is named as it
//! stands, `A BUR`,
//! `*A BUR` if it must retreat, `B LON#2` if it is the second of those that are called so.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map as Keys, Value, json};

use super::board::Board;
use super::news::Step;
use super::state::{Accepted, Borg, Herds, Question, Tardis, Traits, WHOLE, fraction};
use super::{DOCTOR, MONSTERS, news_facts};
use dipjudge_game::project::ToldGame;
use dipjudge_game::{DataError, Event, Fact, Game, StepJson, by_power, unreadable};
use dipjudge_rules::map::{Map, Power, Province};
use dipjudge_rules::position::{Unit, UnitId};
use dipjudge_rules::sorted_map::SortedMap;

/// The names of units, each once: those that are called alike are numbered in the order of the position.
fn names(board: &Board<'_>) -> BTreeMap<UnitId, String> {
    let mut alike: BTreeMap<String, Vec<UnitId>> = BTreeMap::new();
    for unit in board.units() {
        alike.entry(named(board, unit)).or_default().push(unit.id);
    }
    let mut names = BTreeMap::new();
    for (name, ids) in alike {
        let several = ids.len() > 1;
        for (number, id) in (1..).zip(ids) {
            let name = if several {
                format!("{name}#{number}")
            } else {
                name.clone()
            };
            names.insert(id, name);
        }
    }
    names
}

impl Traits {
    /// As `flags` have them.
    fn flags(&self) -> Vec<String> {
        let words = [
            (self.soul > 0, format!("soul{}", self.soul)),
            (self.n > 1, format!("x{}", self.n)),
            (self.gay, "gay".to_owned()),
            (self.siamese, "sia".to_owned()),
            (self.free, "free".to_owned()),
            (self.sold, "sold".to_owned()),
        ];
        let set = words.into_iter().filter(|(is_so, _)| *is_so);
        set.map(|(_, word)| word).collect()
    }

    fn of_flags(flags: &[String]) -> Result<Traits, DataError> {
        let mut traits = Traits::default();
        for flag in flags {
            let number = |begins: &str| flag.strip_prefix(begins)?.parse::<u8>().ok();
            match flag.as_str() {
                "gay" => traits.gay = true,
                "sia" => traits.siamese = true,
                "free" => traits.free = true,
                "sold" => traits.sold = true,
                _ => match (number("soul"), number("x")) {
                    (Some(soul @ 1..=2), _) => traits.soul = soul,
                    (_, Some(n @ 2..)) => traits.n = u32::from(n),
                    _ => return unreadable(format!("`{flag}` is nothing that a unit can be.")),
                },
            }
        }
        Ok(traits)
    }
}

// Writing ----------------------------------------------------------------------------------------

/// Its own keys of a position, as far as this opens it.
pub(super) fn write(game: &ToldGame<'_>) -> Keys<String, Value> {
    let board = Board::as_told(game);
    let state = &board.state;
    let key = |power: &Power| game.key(*power);
    let seats = |all: &BTreeSet<Power>| all.iter().map(key).collect::<Vec<_>>();
    let numbers = |all: &BTreeMap<Power, u32>| {
        let some = all.iter().filter(|(_, number)| **number > 0);
        some.map(|(power, number)| (key(power), json!(number)))
            .collect::<Keys<_, _>>()
    };
    let mut keys = Keys::new();
    let mut put = |name: &str, value: Value| {
        let empty = match &value {
            Value::Null => true,
            Value::Object(all) => all.is_empty(),
            Value::Array(all) => all.is_empty(),
            Value::Number(number) => number.as_u64() == Some(0),
            _ => false,
        };
        if !empty {
            keys.insert(name.to_owned(), value);
        }
    };
    put("flags", Value::Object(flags(&board)));
    put("borg", json!(borg(state.borg)));
    put("tardis", json!(tardis(state.tardis)));
    put("link", json!(state.link.map(|(a, b)| format!("{a}-{b}"))));
    let herds = board.herds.iter();
    let herds: Keys<String, Value> = herds
        .map(|(power, herds)| (key(power), json!(codes(herds))))
        .collect();
    put("llamas", Value::Object(herds));
    let credit = state.accounts.iter().filter(|(_, parts)| **parts > 0);
    let credit: Keys<String, Value> = credit
        .map(|(power, parts)| (key(power), json!(fraction(*parts))))
        .collect();
    put("credit", Value::Object(credit));
    put("lost", Value::Object(numbers(&state.lost_souls)));
    put("fleets", Value::Object(numbers(&state.fleets_built)));
    put("vp", json!(state.points));
    let centers = BTreeMap::from([(DOCTOR, state.doctors_centers)]);
    put("centres", Value::Object(numbers(&centers)));
    put("bonus", json!(seats(&state.bonus)));
    put("pairused", json!(seats(&state.paired)));
    put("elim", json!(seats(&state.out)));
    put(
        "standoffs",
        json!(codes(&state.season.register.keys().copied().collect())),
    );
    put("shooed", json!(codes(&state.season.shooed)));
    if let Some(question) = &state.question {
        let accepted: Vec<String> = question.accepted.iter().map(ToString::to_string).collect();
        put(
            "question",
            json!({"text": question.text, "accept": accepted}),
        );
    }
    keys
}

fn codes(spaces: &BTreeSet<Province>) -> Vec<&str> {
    spaces.iter().map(Province::as_str).collect()
}

fn flags(board: &Board<'_>) -> Keys<String, Value> {
    // Most boards have plain units alone, and to name all units takes long.
    if board.state.traits.is_empty() {
        return Keys::new();
    }
    let all = names(board).into_iter();
    all.map(|(id, name)| (name, board.traits(id).flags()))
        .filter(|(_, flags)| !flags.is_empty())
        .map(|(name, flags)| (name, json!(flags)))
        .collect()
}

fn borg(borg: Borg) -> String {
    match borg {
        Borg::Due => "DUE".to_owned(),
        Borg::Never => "OFF".to_owned(),
        Borg::At(place) => place.to_string(),
    }
}

fn tardis(tardis: Tardis) -> Option<String> {
    match tardis {
        Tardis::None => None,
        Tardis::Hyperspace => Some("HYPERSPACE".to_owned()),
        Tardis::At(place) => Some(place.to_string()),
    }
}

// Reading ----------------------------------------------------------------------------------------

/// Reads its own keys of a position in which units, centers and retreats stand already.
pub(super) fn read(keys: &Keys<String, Value>, game: &Game) -> Result<Vec<Event>, DataError> {
    let map = game.map();
    let mut board = Board::of(game);
    let text = |name: &str| match keys.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.as_str())),
        Some(_) => unreadable(format!("`{name}` has to be a text.")),
    };
    read_flags(keys, &mut board)?;
    // As in the cases, he is off the board where nothing is said of him.
    board.state.borg = match text("borg")? {
        Some("DUE") => Borg::Due,
        Some("OFF") | None => Borg::Never,
        Some(place) => Borg::At(space(map, place)?),
    };
    if let Some(text) = text("tardis")? {
        board.state.tardis = match text {
            "HYPERSPACE" => Tardis::Hyperspace,
            place => Tardis::At(space(map, place)?),
        };
    }
    if let Some(text) = text("link")? {
        let ends = text.split_once('-');
        let (a, b) = ends.ok_or("`link` has to be two spaces, as LON-TUN.")?;
        let (a, b) = (space(map, a)?, space(map, b)?);
        board.state.link = Some((a.min(b), a.max(b)));
    }
    for (power, spaces) in by_power::read::<Vec<String>>(keys, "llamas", game)? {
        let herds: Result<Herds, DataError> = spaces.iter().map(|name| space(map, name)).collect();
        board.herds.insert(power, herds?);
    }
    for (power, text) in by_power::read::<String>(keys, "credit", game)? {
        let parts = parts(&text).ok_or_else(|| format!("`{text}` is no account of free units."))?;
        board.state.accounts.insert(power, parts);
    }
    let state = &mut board.state;
    state.lost_souls = by_power::read(keys, "lost", game)?.into_iter().collect();
    state.fleets_built = by_power::read(keys, "fleets", game)?.into_iter().collect();
    let centers: BTreeMap<Power, u32> =
        by_power::read(keys, "centres", game)?.into_iter().collect();
    state.doctors_centers = centers.get(&DOCTOR).copied().unwrap_or(0);
    state.points = match keys.get("vp") {
        None => 0,
        Some(points) => points
            .as_u64()
            .and_then(|points| u32::try_from(points).ok())
            .ok_or("`vp` has to be a whole number.")?,
    };
    state.bonus = seats(keys, "bonus", game)?;
    state.paired = seats(keys, "pairused", game)?;
    state.out = seats(keys, "elim", game)?;
    state.season.shooed = spaces(keys, "shooed", map)?;
    let stand_offs = spaces(keys, "standoffs", map)?.into_iter();
    state.season.register = stand_offs.map(|place| (place, Vec::new())).collect();
    state.question = read_question(keys)?;
    Ok(vec![board.kept()])
}

fn space(map: &Map, name: &str) -> Result<Province, DataError> {
    map.find_province(name)
        .ok_or_else(|| format!("No province is called {name}.").into())
}

fn list(keys: &Keys<String, Value>, name: &str) -> Result<Vec<String>, DataError> {
    match keys.get(name) {
        None => Ok(Vec::new()),
        Some(value) => serde_json::from_value(value.clone())
            .map_err(|_| format!("`{name}` has to be a list of texts.").into()),
    }
}

fn spaces(
    keys: &Keys<String, Value>,
    name: &str,
    map: &Map,
) -> Result<BTreeSet<Province>, DataError> {
    let all = list(keys, name)?;
    all.iter().map(|name| space(map, name)).collect()
}

fn seats(
    keys: &Keys<String, Value>,
    name: &str,
    game: &Game,
) -> Result<BTreeSet<Power>, DataError> {
    let all = list(keys, name)?;
    let seat = |key: &String| {
        let mut powers = game.all_powers();
        let found = powers.find(|power| game.key(*power).eq_ignore_ascii_case(key));
        found.ok_or_else(|| DataError::from(format!("No power is called `{key}`.")))
    };
    all.iter().map(seat).collect()
}

/// An exact fraction in parts of a unit; nothing if they do not make one.
pub(super) fn parts(text: &str) -> Option<u32> {
    let (over, under) = text.split_once('/').unwrap_or((text, "1"));
    let (over, under): (u32, u32) = (over.trim().parse().ok()?, under.trim().parse().ok()?);
    let all = over.checked_mul(WHOLE)?;
    (under > 0 && all.is_multiple_of(under)).then(|| all / under)
}

fn read_flags(keys: &Keys<String, Value>, board: &mut Board<'_>) -> Result<(), DataError> {
    let Some(value) = keys.get("flags") else {
        return Ok(());
    };
    let flags: BTreeMap<String, Vec<String>> = serde_json::from_value(value.clone())
        .map_err(|_| "`flags` has to be an object of lists of texts.".to_owned())?;
    let names = names(board);
    for (name, flags) in flags {
        let found = names.iter().find(|(_, known)| **known == name);
        let (id, _) = found.ok_or_else(|| format!("`{name}` is none of the units."))?;
        let read = Traits::of_flags(&flags)?;
        board.alter(*id, |traits| *traits = read);
    }
    Ok(())
}

fn read_question(keys: &Keys<String, Value>) -> Result<Option<Question>, DataError> {
    let Some(value) = keys.get("question").filter(|value| !value.is_null()) else {
        return Ok(None);
    };
    let lines: Vec<String> = match value.get("accept") {
        None => Vec::new(),
        Some(lines) => serde_json::from_value(lines.clone())
            .map_err(|_| "`accept` has to be a list of texts.".to_owned())?,
    };
    let accepted = lines.iter().map(|line| {
        let read = Accepted::written(line);
        read.ok_or_else(|| format!("`{line}` is nothing that can be accepted.").into())
    });
    let accepted: Result<Vec<_>, DataError> = accepted.collect();
    Ok(Some(Question {
        text: value["text"].as_str().unwrap_or_default().to_owned(),
        accepted: accepted?,
    }))
}

// Steps ------------------------------------------------------------------------------------------

/// What happened, step by step: `{"step": 5, "units": {…}, "flags": {…}, …}` with the units as they stand behind the step, and what
/// its news are.
pub(super) fn steps(before: &ToldGame<'_>, after: &ToldGame<'_>) -> Vec<StepJson> {
    if after.number() <= before.number() {
        return Vec::new();
    }
    let mut board = Board::as_told(before);
    let now = Board::as_told(after);
    let start = LazyCell::new(|| now.at_start());
    let mut units_now: Option<String> = None;
    let steps = now.state.steps.iter();
    steps
        .map(|step| {
            if follow(&mut board, step) {
                units_now = None;
            }
            let units = units_now.get_or_insert_with(|| units(after, &board));
            let lost = step.lost.iter().map(|lost| {
                json!({
                    "power": key(after, lost.unit.power),
                    "unit": short(&lost.unit),
                    "how": lost.how,
                    "soul": lost.soul,
                })
            });
            let lost: Value = lost.collect();
            let news = step
                .news
                .iter()
                .map(|news| news_facts::of_news(&start, news));
            let private = step.private.iter().map(|(seat, what)| {
                let told = news_facts::of_private(&start, what);
                Fact::record([("for", (*seat).into()), ("told", told)])
            });
            let all = news.chain(private).map(|fact| plain(after, &fact));
            let news: Value = all.collect();
            let (flags, number) = (Value::Object(flags(&board)), step.number);
            // Keys in the order of the alphabet, as values have them.
            let mut text = String::with_capacity(units.len() + 256);
            for (key, value) in [
                ("{\"flags\":", flags),
                (",\"lost\":", lost),
                (",\"news\":", news),
            ] {
                text.push_str(key);
                text.push_str(&json_text(&value));
            }
            text.push_str(",\"step\":");
            text.push_str(&number.to_string());
            text.push_str(",\"units\":");
            text.push_str(units);
            text.push('}');
            StepJson::written(text)
        })
        .collect()
}

/// A fact in codes and keys.
fn plain(game: &ToldGame<'_>, fact: &Fact) -> Value {
    match fact {
        Fact::None => Value::Null,
        Fact::Text(text) => json!(text.as_str()),
        Fact::Number(number) => json!(number),
        Fact::Flag(flag) => json!(flag),
        Fact::Power(power) => json!(key(game, *power)),
        Fact::Place(at) => json!(at.to_string()),
        Fact::Unit(unit) => json!({"power": key(game, unit.power), "unit": short(unit)}),
        Fact::List(all) => all.iter().map(|fact| plain(game, fact)).collect(),
        Fact::Record(fields) => {
            let fields = fields.iter();
            let fields = fields.map(|(name, fact)| ((*name).to_owned(), plain(game, fact)));
            Value::Object(fields.collect())
        }
        Fact::For(_, inner) => plain(game, inner),
    }
}

fn key(game: &ToldGame<'_>, power: Power) -> String {
    match power {
        MONSTERS => super::CARD.nobody.key.to_owned(),
        power => game.key(power),
    }
}

/// Makes the changes of a step on a board, and returns whether other units stand there, or stand elsewhere.
fn follow(board: &mut Board<'_>, step: &Step) -> bool {
    for lost in &step.lost {
        board.take_off(lost.unit.id, lost.how);
    }
    for unit in &step.change.stand {
        board.position.units.retain(|other| other.id != unit.id);
        board
            .position
            .dislodged
            .retain(|one| one.unit.id != unit.id);
        board.position.units.push(*unit);
    }
    board.position.units.sort_by_key(|unit| unit.id);
    for id in &step.change.away {
        board.drive_out(*id, None);
    }
    for (id, traits) in &step.change.traits {
        board.alter(*id, |own| *own = *traits);
    }
    !(step.lost.is_empty() && step.change.stand.is_empty() && step.change.away.is_empty())
}

/// A unit as `units` have it, with a star if it must retreat.
fn named(board: &Board<'_>, unit: &Unit) -> String {
    let star = if board.must_retreat(unit.id) { "*" } else { "" };
    written(star, unit)
}

fn short(unit: &Unit) -> String {
    written("", unit)
}

/// Every step names all units, so this is written without the formatter.
fn written(star: &str, unit: &Unit) -> String {
    let mut text = String::with_capacity(16);
    text.push_str(star);
    text.push_str(unit.kind.as_str());
    text.push(' ');
    text.push_str(unit.at.province.as_str());
    if let Some(coast) = unit.at.coast {
        text.push('/');
        text.push_str(coast.as_str());
    }
    text
}

/// A value as text; every value has one.
fn json_text(value: &Value) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// All units by power, as the text of a JSON object.
fn units(game: &ToldGame<'_>, board: &Board<'_>) -> String {
    let mut by_power: SortedMap<Power, Vec<String>> = SortedMap::new();
    for unit in board.units() {
        let units = by_power.get_or_default(unit.power);
        units.push(named(board, unit));
    }
    let by_power = by_power.into_iter();
    let mut by_key: Vec<_> = by_power
        .map(|(power, units)| (key(game, power), units))
        .collect();
    by_key.sort_unstable();
    let mut text = String::with_capacity(1024);
    for (key, mut units) in by_key {
        units.sort_unstable();
        text.push(if text.is_empty() { '{' } else { ',' });
        // The keys of powers and the names of units are letters, spaces and strokes.
        text.push('"');
        text.push_str(&key);
        text.push_str("\":[\"");
        text.push_str(&units.join("\",\""));
        text.push_str("\"]");
    }
    if text.is_empty() {
        text.push('{');
    }
    text.push('}');
    text
}
