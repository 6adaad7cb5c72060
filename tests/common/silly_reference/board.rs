//! The board as the reference has it, read from what the program keeps and from what it says of each step.

use std::collections::{BTreeMap, BTreeSet};

use dipjudge::game::Game;
use dipjudge::map::Map;
use serde_json::Value;

use super::ways;

/// A unit, with all that it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// Its number in the program; of units that the reference has made it means nothing.
    pub id: u32,
    pub owner: u8,
    pub kind: String,
    /// Its space, with the coast.
    pub at: String,
    pub n: u32,
    pub gay: bool,
    pub siamese: bool,
    pub free: bool,
    pub soul: u8,
    pub sold: bool,
    /// It must retreat.
    pub away: bool,
}

impl Unit {
    pub fn space(&self) -> &str {
        ways::space_of(&self.at)
    }
}

/// What stands where, and what is kept beside it.
#[derive(Clone)]
pub struct Board {
    pub map: &'static Map,
    pub units: Vec<Unit>,
    pub owners: BTreeMap<String, u8>,
    /// The space that a unit may not retreat to.
    pub attackers: BTreeMap<u32, String>,
    pub borg: Option<String>,
    pub tardis: Option<String>,
    pub has_tardis: bool,
    pub link: Option<(String, String)>,
    pub herds: BTreeMap<u8, BTreeSet<String>>,
    pub lost: BTreeMap<u8, u32>,
    pub lost_until: Vec<(u8, u8)>,
    pub accounts: BTreeMap<u8, u32>,
    pub fleets: BTreeMap<u8, u32>,
    pub paired: BTreeSet<u8>,
    pub points: u32,
    pub doctors_centers: u32,
    pub bonus: BTreeSet<u8>,
    pub question: Value,
    pub out: BTreeSet<u8>,
    pub winners: BTreeSet<u8>,
    /// The season.
    pub start: BTreeMap<u32, Unit>,
    pub moves: BTreeMap<u32, String>,
    pub arrived: BTreeSet<u32>,
    pub register: BTreeMap<String, BTreeSet<u32>>,
    pub walked: BTreeMap<u32, String>,
    pub coasts: BTreeMap<u32, String>,
    pub shooed: BTreeSet<String>,
    pub merged: BTreeSet<String>,
    pub destroyed: BTreeSet<u32>,
    pub eaten: BTreeSet<u32>,
    pub exploded: BTreeSet<String>,
    pub right: BTreeSet<u8>,
}

pub(super) fn texts(value: &Value) -> BTreeSet<String> {
    let all = value.as_array().into_iter().flatten();
    all.map(|text| text.as_str().unwrap().to_owned()).collect()
}

pub(super) fn numbers<T: TryFrom<u64> + Ord>(value: &Value) -> BTreeSet<T> {
    let all = value.as_array().into_iter().flatten();
    all.filter_map(|number| T::try_from(number.as_u64().unwrap()).ok())
        .collect()
}

/// An object whose keys are numbers.
pub(super) fn by_number(value: &Value) -> impl Iterator<Item = (u32, &Value)> {
    let all = value.as_object().into_iter().flatten();
    all.map(|(key, value)| (key.parse().unwrap(), value))
}

fn amounts(value: &Value) -> BTreeMap<u8, u32> {
    let all = by_number(value).map(|(key, amount)| (key as u8, amount.as_u64().unwrap() as u32));
    all.filter(|(_, amount)| *amount > 0).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// Where BORG or the TARDIS is, if it is in a space.
fn place(value: &Value) -> Option<String> {
    value["At"].as_str().map(str::to_owned)
}

impl Unit {
    fn plain(unit: &dipjudge::position::Unit, away: bool) -> Unit {
        Unit {
            away,
            ..Unit::new(
                unit.id.0,
                unit.power.0,
                &unit.kind.to_string(),
                unit.at.to_string(),
            )
        }
    }

    /// A unit without traits, on the board.
    pub(super) fn new(id: u32, owner: u8, kind: &str, at: String) -> Unit {
        Unit {
            id,
            owner,
            kind: kind.to_owned(),
            at,
            n: 1,
            gay: false,
            siamese: false,
            free: false,
            soul: 0,
            sold: false,
            away: false,
        }
    }

    pub(super) fn set(&mut self, traits: &Value) {
        let is = |name: &str| traits[name].as_bool().unwrap_or(false);
        self.n = traits["n"].as_u64().unwrap_or(1) as u32;
        self.soul = traits["soul"].as_u64().unwrap_or(0) as u8;
        self.gay = is("gay");
        self.siamese = is("siamese");
        self.free = is("free");
        self.sold = is("sold");
    }

    /// How it is compared: all of it but its number.
    fn written(&self) -> String {
        let mut text = format!("{} {} {}", self.owner, self.kind, self.at);
        let flags = [
            (self.n != 1, format!(" x{}", self.n)),
            (self.gay, " gay".to_owned()),
            (self.siamese, " sia".to_owned()),
            (self.free, " free".to_owned()),
            (self.soul != 0, format!(" soul{}", self.soul)),
            (self.sold, " sold".to_owned()),
            (self.away, " !".to_owned()),
        ];
        let set = flags.into_iter().filter(|(is, _)| *is);
        set.for_each(|(_, flag)| text.push_str(&flag));
        text
    }
}

impl Board {
    pub fn of(game: &Game) -> Board {
        let state: Value = game.data().read().unwrap();
        let season = &state["season"];
        let position = &game.position;
        let standing = position.units.iter().map(|unit| Unit::plain(unit, false));
        let away = position.dislodged.iter();
        let away = away.map(|one| Unit::plain(&one.unit, true));
        let mut units: Vec<Unit> = standing.chain(away).collect();
        for unit in &mut units {
            unit.set(&state["traits"][unit.id.to_string()]);
        }
        let attackers = position.dislodged.iter();
        let attackers =
            attackers.filter_map(|one| Some((one.unit.id.0, one.attacker?.to_string())));
        let owners = position.owners.iter();
        let named = |value: &Value| by_number(value).map(|(id, at)| (id, text(at))).collect();
        let link = state["link"].as_array();
        let pair = |value: &Value| {
            let number = |at: usize| value[at].as_u64().unwrap() as u8;
            (number(0), number(1))
        };
        let until = state["lost_until"].as_array().into_iter().flatten();
        let register = season["register"].as_object().into_iter().flatten();
        Board {
            map: game.map(),
            attackers: attackers.collect(),
            owners: owners
                .map(|(at, owner)| (at.to_string(), owner.0))
                .collect(),
            borg: place(&state["borg"]),
            tardis: place(&state["tardis"]),
            has_tardis: state["tardis"] != "None",
            link: link.map(|ends| (text(&ends[0]), text(&ends[1]))),
            herds: by_number(&state["herds"])
                .map(|(power, herds)| (power as u8, texts(herds)))
                .collect(),
            lost: amounts(&state["lost_souls"]),
            lost_until: until.map(pair).collect(),
            accounts: amounts(&state["accounts"]),
            fleets: amounts(&state["fleets_built"]),
            paired: numbers(&state["paired"]),
            points: state["points"].as_u64().unwrap_or(0) as u32,
            doctors_centers: state["doctors_centers"].as_u64().unwrap_or(0) as u32,
            bonus: numbers(&state["bonus"]),
            question: state["question"].clone(),
            out: numbers(&state["out"]),
            winners: numbers(&state["winners"]),
            start: season["start"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|unit| {
                    let unit = serde_json::from_value(unit.clone()).unwrap();
                    let unit = Unit::plain(&unit, false);
                    (unit.id, unit)
                })
                .collect(),
            moves: named(&season["moves"]),
            arrived: numbers(&season["arrived"]),
            register: register
                .map(|(at, who)| (at.clone(), numbers(who)))
                .collect(),
            walked: named(&season["walked"]),
            coasts: named(&season["coasts"]),
            shooed: texts(&season["shooed"]),
            merged: texts(&season["merged"]),
            destroyed: numbers(&season["destroyed"]),
            eaten: numbers(&season["eaten"]),
            exploded: texts(&season["exploded"]),
            right: numbers(&season["right"]),
            units,
        }
    }

    pub(super) fn unit(&self, id: u32) -> Option<&Unit> {
        self.units.iter().find(|unit| unit.id == id)
    }

    /// The units as they are compared.
    pub(super) fn written(&self) -> Vec<String> {
        let mut all: Vec<String> = self.units.iter().map(Unit::written).collect();
        all.sort();
        all
    }

    /// Makes the changes of a step that the program tells of.
    pub(super) fn follow(&mut self, step: &Value) {
        for lost in step["lost"].as_array().into_iter().flatten() {
            let id = lost["unit"]["id"].as_u64().unwrap() as u32;
            self.units.retain(|unit| unit.id != id);
        }
        let change = &step["change"];
        for stands in change["stand"].as_array().into_iter().flatten() {
            let stands: dipjudge::position::Unit = serde_json::from_value(stands.clone()).unwrap();
            let mut new = Unit::plain(&stands, false);
            if let Some(old) = self.unit(new.id) {
                new = Unit {
                    kind: new.kind,
                    at: new.at,
                    away: false,
                    ..old.clone()
                };
            }
            self.units.retain(|unit| unit.id != new.id);
            self.units.push(new);
        }
        let away: BTreeSet<u32> = numbers(&change["away"]);
        for unit in &mut self.units {
            unit.away |= away.contains(&unit.id);
        }
        for changed in change["traits"].as_array().into_iter().flatten() {
            let id = changed[0].as_u64().unwrap() as u32;
            let mut units = self.units.iter_mut();
            units.find(|unit| unit.id == id).unwrap().set(&changed[1]);
        }
    }
}
