//! What each seat has submitted that counts, and whether conditions hold (section 4).

use std::collections::BTreeMap;

use dipjudge::game::Game;
use dipjudge::orders::Action;
use serde_json::{Value, json};

use super::MONSTERS;
use super::board::Board;

/// What a seat has submitted; conditions as they are written, nothing for none.
#[derive(Clone, Debug, Default)]
pub(super) struct Said {
    pub sales: Vec<(u32, Value)>,
    pub detonations: Vec<(String, Value)>,
    /// Where to, with the coast; nothing to disband.
    pub retreats: Vec<(u32, Value, Option<String>)>,
    pub predictions: Vec<(String, Option<String>)>,
    pub adjusting: Vec<(Value, Value)>,
    pub free_builds: Vec<(Value, Value)>,
    /// Nothing for no LINK.
    pub votes: Vec<(Value, Option<(String, String)>)>,
    pub answer: Option<String>,
    pub question: Value,
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn lines(value: &Value) -> impl Iterator<Item = (Value, Value)> {
    let all = value.as_array().into_iter().flatten();
    all.map(|line| (line["condition"].clone(), line["then"].clone()))
}

fn flight(then: &Value) -> Option<String> {
    then["To"].as_str().map(str::to_owned)
}

/// What everybody has submitted, as the game holds it.
pub(super) fn said(game: &Game) -> BTreeMap<u8, Said> {
    let mut everybody = BTreeMap::new();
    for (power, standing) in &game.standings {
        let mut said = Said::default();
        let submitted = serde_json::to_value(&standing.submissions).unwrap();
        let mut adjusting: Vec<&Value> = Vec::new();
        for (name, data) in submitted.as_object().into_iter().flatten() {
            said.put(name, data);
            if name.starts_with("adjustment ") {
                adjusting.extend(data.as_array().unwrap());
            }
        }
        // Of builds and removals each says which of all it is.
        adjusting.sort_by_key(|line| line["number"].as_u64().unwrap());
        let adjusting = adjusting.into_iter();
        said.adjusting = adjusting
            .map(|line| (line["condition"].clone(), line["then"].clone()))
            .collect();
        // A retreat that was ordered in its phase comes behind those that were sent early.
        for (unit, action) in &standing.orders.units {
            match action {
                Action::Retreat { to } => {
                    let to = Some(to.to_string());
                    said.retreats.push((unit.0, Value::Null, to));
                }
                Action::Disband => said.retreats.push((unit.0, Value::Null, None)),
                _ => {}
            }
        }
        everybody.insert(power.0, said);
    }
    everybody
}

impl Said {
    fn put(&mut self, name: &str, data: &Value) {
        let id = |name: &str| name.parse::<u32>().unwrap();
        let list = || data.as_array().into_iter().flatten();
        if let Some(unit) = name.strip_prefix("sale of ") {
            let sales = lines(data).map(|(condition, _)| (id(unit), condition));
            self.sales.extend(sales);
        } else if let Some(space) = name.strip_prefix("herd in ") {
            let herds = lines(data).map(|(condition, _)| (space.to_owned(), condition));
            self.detonations.extend(herds);
        } else if let Some(unit) = name.strip_prefix("retreat of ") {
            let flights = lines(data).map(|(condition, then)| (id(unit), condition, flight(&then)));
            self.retreats.extend(flights);
        }
        match name {
            "predictions" => {
                let kind = |one: &Value| one["kind"].as_str().map(str::to_owned);
                self.predictions = list().map(|one| (text(&one["at"]), kind(one))).collect();
            }
            "free builds" => self.free_builds = lines(data).collect(),
            "vote" => {
                let pair = |then: &Value| {
                    let ends = then.as_array()?;
                    let (one, other) = (text(&ends[0]), text(&ends[1]));
                    Some((one.clone().min(other.clone()), one.max(other)))
                };
                let votes = lines(data).map(|(condition, then)| (condition, pair(&then)));
                self.votes = votes.collect();
            }
            "answer" => self.answer = data.as_str().map(str::to_owned),
            "question" => self.question = data.clone(),
            _ => {}
        }
    }
}

/// The first of the lines whose condition holds.
pub(super) fn first<'l, T>(
    board: &Board,
    seat: u8,
    mut lines: impl Iterator<Item = (&'l Value, &'l T)>,
) -> Option<&'l T> {
    let line = lines.find(|(condition, _)| holds(board, seat, condition))?;
    Some(line.1)
}

/// Whether a condition holds, of which a seat asks.
pub(super) fn holds(board: &Board, seat: u8, condition: &Value) -> bool {
    if condition.is_null() {
        return true;
    }
    let (joined, parts) = condition.as_object().unwrap().iter().next().unwrap();
    match joined.as_str() {
        "Not" => !holds(board, seat, parts),
        "And" => holds(board, seat, &parts[0]) && holds(board, seat, &parts[1]),
        "Or" => holds(board, seat, &parts[0]) || holds(board, seat, &parts[1]),
        _ => {
            let (fact, of) = parts.as_object().unwrap().iter().next().unwrap();
            so(board, seat, fact, of)
        }
    }
}

fn so(board: &Board, seat: u8, fact: &str, of: &Value) -> bool {
    let space = || of.as_str().unwrap();
    let in_space = |at: &Value| {
        let at = at.as_str().unwrap().to_owned();
        board.units.iter().filter(move |unit| unit.space() == at)
    };
    let named = |value: &Value| value.as_u64().unwrap() as u32;
    let at = |place: &Option<String>, space: &str| place.as_deref() == Some(space);
    match fact {
        "BorgIn" => at(&board.borg, space()),
        "TardisIn" if of.is_null() => board.has_tardis && board.tardis.is_none(),
        "TardisIn" => at(&board.tardis, space()),
        "MonstersIn" => in_space(&of[1]).any(|unit| {
            unit.owner == MONSTERS && (of[0].is_null() || of[0].as_str() == Some(&unit.kind))
        }),
        "UnitIn" => in_space(&of[2]).any(|unit| {
            let whose = match &of[0] {
                whose if whose == "My" => unit.owner == seat,
                whose if whose == "Enemy" => unit.owner != seat,
                whose if whose == "Any" => true,
                whose => whose["Of"] == unit.owner,
            };
            let kind = of[1].is_null() || of[1].as_str() == Some(&unit.kind);
            unit.owner != MONSTERS && whose && kind
        }),
        "Empty" => {
            in_space(of).next().is_none()
                && !at(&board.borg, space())
                && !at(&board.tardis, space())
        }
        "Link" => {
            let link = board.link.as_ref();
            link.is_some_and(|(a, b)| *of == json!([a, b]) || *of == json!([b, a]))
        }
        "Owns" => board.owners.get(of[1].as_str().unwrap()).copied() == Some(named(&of[0]) as u8),
        "Centers" => {
            let owner = named(&of[0]) as u8;
            let owned = board.owners.values().filter(|other| **other == owner);
            let (owned, than) = (owned.count(), named(&of[2]) as usize);
            match of[1].as_str().unwrap() {
                "Less" => owned < than,
                "AtMost" => owned <= than,
                "Exactly" => owned == than,
                "AtLeast" => owned >= than,
                _ => owned > than,
            }
        }
        "Sold" => board.unit(named(of)).is_some_and(|unit| unit.soul > 0),
        "Dislodged" => board.unit(named(of)).is_some_and(|unit| unit.away),
        "Moved" => {
            let id = named(&of[0]);
            let to = board.moves.get(&id);
            let there = of[1].is_null() || of[1].as_str() == to.map(String::as_str);
            to.is_some() && there && of[2] == board.arrived.contains(&id)
        }
        "Destroyed" => board.unit(named(of)).is_none(),
        "Eaten" => board.eaten.contains(&named(of)),
        "StandOff" => board.register.contains_key(space()),
        "Merged" => board.merged.contains(space()),
        "Exploded" => board.exploded.contains(space()),
        "Right" => board.right.contains(&(named(of) as u8)),
        _ => panic!("no fact: {fact}"),
    }
}
