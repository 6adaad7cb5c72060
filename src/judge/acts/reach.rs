//! Questions of where a unit can go: `Can my fleet go from Trieste to Venice?`, `Where can my army in Vienna go?` They are answered
//! from the map alone, so the answer is the same whatever stands where.

use crate::session::Session;
use dipjudge_commands::orders::grammar_of;
use dipjudge_commands::reach_question::{AskedReach, asked_reach};
use dipjudge_rules::map::{Location, Map, Province, UnitKind, UnitKindInfo};
use dipjudge_rules::orders::article;

/// Two units that go to where the other one is stand each other off (DATC 6.C.5), unless one is convoyed (6.G).
const SWAP: &str = "Two units cannot change places, unless an army of them is convoyed.  Three or more can go round in a ring.";

impl Session<'_, '_> {
    /// Answers a question of where a unit can go in one move, if a line is one.
    pub(crate) fn answer_reach(&mut self, line: &str) -> bool {
        self.make_names();
        let (Some(names), Some(edit)) = (&self.reading.names, self.edit()) else {
            return false;
        };
        let (kind, from, to) = match asked_reach(grammar_of(edit.variant), line, names) {
            Some(AskedReach::Goals { kind, from, to }) => (kind, from, to),
            Some(AskedReach::Swap) => {
                self.reply.wanted = true;
                self.fault(line, SWAP);
                return true;
            }
            None => return false,
        };
        let map = edit.game.map();
        let kinds: Vec<&UnitKindInfo> = map
            .kinds()
            .iter()
            .filter(|info| kind.is_none_or(|kind| kind == info.kind))
            .filter(|info| kind.is_some() || is_ordinary(info.kind))
            .filter(|info| !map.stations(map.travel(info.kind), from).is_empty())
            .collect();
        let said: Vec<String> = kinds
            .into_iter()
            .map(|info| match to {
                Some(to) => told_of_goal(map, info, from, to),
                None => told_of_all(map, info, from),
            })
            .collect();
        if said.is_empty() {
            return false;
        }
        self.reply.wanted = true;
        self.fault(line, said.join("  "));
        true
    }
}

/// The kinds of which every game has units.
fn is_ordinary(kind: UnitKind) -> bool {
    kind == UnitKind::ARMY || kind == UnitKind::FLEET
}

/// Where a unit of a kind can go from a province, whichever of its coasts it is on.
fn goals(map: &Map, kind: UnitKind, from: Province) -> Vec<Location> {
    let travel = map.travel(kind);
    let mut goals: Vec<Location> = Vec::new();
    for station in map.stations(travel, from) {
        for goal in map.reach(travel, station) {
            if !goals.contains(goal) {
                goals.push(*goal);
            }
        }
    }
    goals
}

fn told_of_goal(map: &Map, info: &UnitKindInfo, from: Province, to: Province) -> String {
    let (from_name, to_name) = (map.full_name(from.into()), map.full_name(to.into()));
    let goals = goals(map, info.kind, from);
    let can = if goals.iter().any(|goal| goal.province == to) {
        "can move"
    } else {
        "cannot move directly"
    };
    format!("{} {can} from {from_name} to {to_name}.", introduced(info))
}

fn told_of_all(map: &Map, info: &UnitKindInfo, from: Province) -> String {
    let goals = goals(map, info.kind, from);
    let mut names: Vec<String> = goals.iter().map(|goal| map.full_name(*goal)).collect();
    names.sort();
    let from = map.full_name(from.into());
    format!(
        "{} can move from {from} to {}.",
        introduced(info),
        names.join(", ")
    )
}

/// `An army`.
fn introduced(info: &UnitKindInfo) -> String {
    let kind = info.name.to_lowercase();
    match article(&kind) {
        "an" => format!("An {kind}"),
        _ => format!("A {kind}"),
    }
}
