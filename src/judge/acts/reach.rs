//! Questions of where a unit can go: `Can my fleet go from Trieste to Venice?`, `Where can my army in Vienna go?` They are answered
//! from the map and the asker's own unit there, so the answer is the same whatever else stands where. Whose units can go to a province
//! is told from the board as the asker sees it.

use crate::session::Session;
use dipjudge_commands::orders::grammar_of;
use dipjudge_commands::reach_question::{AskedBefore, AskedReach, asked_reach};
use dipjudge_commands::retreat_question::{SupposedRetreat, supposed_retreat};
use dipjudge_game::Phase;
use dipjudge_rules::calendar::{PhaseKind, PhaseName};
use dipjudge_rules::map::{
    Coast, Location, Map, Province, Terrain, Travel, UnitKind, UnitKindInfo,
};
use dipjudge_rules::orders::{Action, article};
use dipjudge_view::{Board, UnitOnBoard, UnitState, and_list, or_list};

/// Two units that go to where the other one is stand each other off (DATC 6.C.5), unless one is convoyed (6.G).
const SWAP: &str = "Two units cannot change places, unless an army of them is convoyed.  Three or more can go round in a ring.";

impl Session<'_, '_> {
    /// Answers a question of where a unit can go in one move, if a line is one.
    pub(crate) fn answer_reach(&mut self, line: &str) -> bool {
        self.make_names();
        let (Some(names), Some(edit)) = (&self.reading.names, self.edit()) else {
            return false;
        };
        let asked = asked_reach(
            grammar_of(edit.variant),
            line,
            names,
            self.reading.asked_reach,
        );
        let (kind, from, coast, to) = match asked {
            Some(AskedReach::Goals {
                kind,
                from,
                coast,
                to,
            }) => (kind, from, coast, to),
            Some(AskedReach::Anyone(to) | AskedReach::Others(to)) => {
                let Some(board) = self.board_seen() else {
                    return false;
                };
                let left_out = match asked {
                    Some(AskedReach::Others(_)) => self.own_units(),
                    _ => Vec::new(),
                };
                self.reply.wanted = true;
                self.fault(line, told_who_borders(&board, to, &left_out));
                return true;
            }
            Some(AskedReach::OthersOwn) => {
                let Some(board) = self.board_seen() else {
                    return false;
                };
                let own = self.own_units();
                let told = own
                    .iter()
                    .map(|unit| told_who_borders(&board, unit.at.province, &own));
                self.reply.wanted = true;
                self.fault(line, told.collect::<Vec<String>>().join("  "));
                return true;
            }
            Some(AskedReach::Own(to)) => {
                let map = edit.game.map();
                let own = self.own_units();
                let told = match to {
                    Some(to) => told_who_reaches(map, &own, to),
                    None => told_of_each(map, &own),
                };
                self.reply.wanted = true;
                self.reading.asked_reach = AskedBefore { from: None, to };
                self.fault(line, told);
                return true;
            }
            Some(AskedReach::Support { from, to }) => {
                let Some(own) = self.own_unit_at(from) else {
                    return false;
                };
                let told = told_support(edit.game.map(), own, to);
                self.reply.wanted = true;
                self.fault(line, told);
                return true;
            }
            Some(AskedReach::Swap) => {
                self.reply.wanted = true;
                self.fault(line, SWAP);
                return true;
            }
            None => return false,
        };
        let own = self.own_unit_at(from);
        let kind = kind.or(own.map(|own| own.kind));
        let map = edit.game.map();
        let kinds: Vec<&UnitKindInfo> = map
            .kinds()
            .iter()
            .filter(|info| kind.is_none_or(|kind| kind == info.kind))
            .filter(|info| kind.is_some() || is_ordinary(info.kind))
            .filter(|info| !map.stations(map.travel(info.kind), from).is_empty())
            .collect();
        let said: Vec<String> = kinds
            .iter()
            .map(|info| match to {
                Some(to) => told_of_goal(map, info, stations(map, info, (from, coast), own), to),
                None => told_of_all(map, info, stations(map, info, (from, coast), own)),
            })
            .collect();
        if said.is_empty() {
            return false;
        }
        self.reply.wanted = true;
        self.reading.asked_reach = AskedBefore {
            from: Some(from),
            to,
        };
        let by_convoy = to.and_then(|to| told_convoy(map, &kinds, from, to));
        let said: Vec<String> = said.into_iter().chain(by_convoy).collect();
        self.fault(line, said.join("  "));
        if to.is_some() && asks_success(line) {
            self.say(DEPENDS);
        }
        true
    }

    /// Answers where a unit of the sender's could retreat that might be dislodged, and proposes the retreat that a line orders for
    /// that case, as an order for the phase of retreats.
    pub(crate) fn answer_retreats(&mut self, line: &str) -> bool {
        self.make_names();
        let (Some(names), Some(edit)) = (&self.reading.names, self.edit()) else {
            return false;
        };
        let supposed = supposed_retreat(grammar_of(edit.variant), line, names);
        let (from, to) = match supposed.filter(|_| edit.game.phase == Phase::Movement) {
            Some(SupposedRetreat::Asked(from)) => (from, None),
            Some(SupposedRetreat::Ordered { from, to }) => (from, Some(to)),
            None => return false,
        };
        let Some(own) = self.own_unit_at(from) else {
            return false;
        };
        let map = edit.game.map();
        let phase = PhaseName::new(edit.game.turn, PhaseKind::Retreats).in_mail();
        let goals = map.reach(map.travel(own.kind), own.at);
        let Some(to) = to else {
            let kind = map.kind(own.kind).map_or("", |kind| kind.name.as_str());
            let example = goals.first().copied().unwrap_or(own.at);
            let example = Action::Retreat { to: example }.order_text(own.kind, own.at);
            let told = format!(
                "{} {} borders {}.  If it is dislodged, it can retreat to one of these that is empty after the moves, where no two units stood each other off, and which is not where its attacker came from; else it is disbanded.  You are asked then, or send it ahead: the lines PHASE {phase}, such as {example}, and ENDPHASE.",
                kind,
                map.full_name(own.at),
                told_goals(map, own.kind, &[own.at]),
            );
            self.reply.wanted = true;
            self.fault(line, told);
            return true;
        };
        let reached = goals.iter().find(|goal| {
            goal.province == to.province && (to.coast.is_none() || goal.coast == to.coast)
        });
        let Some(goal) = reached else {
            return false;
        };
        let order = Action::Retreat { to: *goal }.order_text(own.kind, own.at);
        self.ask_before(line);
        self.propose_all(vec![format!("PHASE {phase}"), order, "ENDPHASE".to_owned()]);
        self.say("It counts only if that unit is dislodged.  Where it cannot go there then, you are asked, and without an answer it is disbanded.");
        true
    }

    /// The asker's own unit in a province.
    fn own_unit_at(&self, province: Province) -> Option<OwnUnit> {
        let mut own = self.own_units().into_iter();
        own.find(|unit| unit.at.province == province)
    }

    /// The asker's own units.
    fn own_units(&self) -> Vec<OwnUnit> {
        let power = self.sender.acting.and_then(|acting| acting.power);
        let (Some(power), Some(edit)) = (power, self.edit()) else {
            return Vec::new();
        };
        let units = edit.game.position.units_of(power);
        let own = units.map(|unit| OwnUnit {
            kind: unit.kind,
            at: unit.at,
        });
        own.collect()
    }
}

/// What is said to who asks whether a move will succeed.
const DEPENDS: &str = "Whether it comes through depends on the orders of all: ask what happens if somebody moves there, too, and the judge tries it for you.";

/// Whether a question is about what comes of a move, and not about the map.
fn asks_success(line: &str) -> bool {
    let line = line.to_lowercase();
    let words = [
        "get into",
        "get in",
        "come through",
        "get through",
        "make it",
        "succeed",
        "work",
    ];
    words.iter().any(|word| line.contains(word))
}

/// A unit of the asker's.
#[derive(Clone, Copy)]
struct OwnUnit {
    kind: UnitKind,
    at: Location,
}

/// Whether a unit can support another one at or into a province. It needs only the reach of a move of its own there (DATC 6.D).
fn told_support(map: &Map, own: OwnUnit, to: Province) -> String {
    let unit = named(map, own);
    let place = map.full_name(to.into());
    let why = format!("a unit supports only where it could move to itself, and {unit}");
    if reaches(map, own.kind, own.at, to) {
        format!("Yes: {why} could move to {place}.")
    } else {
        format!("No: {why} cannot move to {place}.")
    }
}

/// Which of the asker's units can go to a province in one move.
fn told_who_reaches(map: &Map, own: &[OwnUnit], to: Province) -> String {
    let reaches = |unit: &&OwnUnit| reaches(map, unit.kind, unit.at, to);
    let names: Vec<String> = own
        .iter()
        .filter(reaches)
        .map(|unit| named(map, *unit))
        .collect();
    let to = map.full_name(to.into());
    match names.as_slice() {
        [] => format!("None of your units can move to {to} in one turn, but for a convoy."),
        _ => format!("Of your units {} can move to {to}.", and_list(names)),
    }
}

/// Where each of the asker's units can go in one move.
fn told_of_each(map: &Map, own: &[OwnUnit]) -> String {
    let told = own.iter().map(|unit| {
        let goals = told_goals(map, unit.kind, &[unit.at]);
        format!("{}: {goals}.", named(map, *unit))
    });
    let told: Vec<String> = told.collect();
    format!(
        "So your units can move in one turn, without convoys.  {}",
        told.join("  ")
    )
}

/// A unit by its kind and place: `A Vienna`.
fn named(map: &Map, unit: OwnUnit) -> String {
    let kind = map.kind(unit.kind).map_or(unit.kind, UnitKindInfo::code);
    format!("{kind} {}", map.full_name(unit.at))
}

/// The kinds of which every game has units.
fn is_ordinary(kind: UnitKind) -> bool {
    kind == UnitKind::ARMY || kind == UnitKind::FLEET
}

/// Where a unit of a kind is in a province: on the coast that was named, the asker's own where it is, any other on each coast.
fn stations(
    map: &Map,
    info: &UnitKindInfo,
    (from, coast): (Province, Option<Coast>),
    own: Option<OwnUnit>,
) -> Vec<Location> {
    let all = map.stations(map.travel(info.kind), from);
    let named = all
        .iter()
        .find(|station| station.coast.is_some() && station.coast == coast);
    match (named, own) {
        (Some(named), _) => vec![*named],
        (None, Some(own)) if own.kind == info.kind => vec![own.at],
        _ => all,
    }
}

/// Whose units can go to a province in one move, as far as the board shows them.
fn told_who_borders(board: &Board, to: Province, left_out: &[OwnUnit]) -> String {
    let map = board.map;
    let is_left_out = |unit: &UnitOnBoard| {
        let mut own = left_out.iter();
        own.any(|own| own.kind == unit.kind && own.at == unit.at)
    };
    let reach = board.units.iter().filter(|unit| {
        matches!(unit.state, UnitState::Stands | UnitState::Built)
            && !is_left_out(unit)
            && reaches(map, unit.kind, unit.at, to)
    });
    let told: Vec<String> = reach.map(|unit| told_unit_at(board, unit)).collect();
    let to = map.full_name(to.into());
    let of_others = if left_out.is_empty() {
        ""
    } else {
        " of others"
    };
    if told.is_empty() {
        return format!(
            "No unit{of_others} that you see can move to {to} in one turn, but for a convoy."
        );
    }
    format!(
        "These units{of_others} can move to {to} in one turn, without convoys: {}.",
        told.join(", ")
    )
}

/// A unit by its kind, place and power: `A Vienna (Austria)`.
fn told_unit_at(board: &Board, unit: &UnitOnBoard) -> String {
    let own = OwnUnit {
        kind: unit.kind,
        at: unit.at,
    };
    let named = named(board.map, own);
    match board.power(unit.whose) {
        Some(power) => format!("{named} ({})", power.label),
        None => named,
    }
}

/// Where a unit of a kind can go from these places.
fn goals(map: &Map, kind: UnitKind, from: &[Location]) -> Vec<Location> {
    let travel = map.travel(kind);
    let mut goals: Vec<Location> = Vec::new();
    for goal in from.iter().flat_map(|station| map.reach(travel, *station)) {
        if !goals.contains(goal) {
            goals.push(*goal);
        }
    }
    goals
}

/// The names of these places, in alphabetical order.
fn told_goals(map: &Map, kind: UnitKind, from: &[Location]) -> String {
    let goals = goals(map, kind, from);
    let mut names: Vec<String> = goals.iter().map(|goal| map.full_name(*goal)).collect();
    names.sort();
    names.join(", ")
}

/// Whether a unit of a kind can go from a place to a province.
fn reaches(map: &Map, kind: UnitKind, from: Location, to: Province) -> bool {
    map.reaches(map.travel(kind), from, to)
}

fn told_of_goal(map: &Map, info: &UnitKindInfo, from: Vec<Location>, to: Province) -> String {
    let reaches = |station: &Location| reaches(map, info.kind, *station, to);
    let (can, cannot): (Vec<Location>, Vec<Location>) = from.iter().copied().partition(reaches);
    let (kind, province, to) = (introduced(info), to, map.full_name(to.into()));
    let names = |places: &[Location]| -> String {
        let names = places.iter().map(|place| map.full_name(*place));
        and_list(names)
    };
    match (can.as_slice(), cannot.as_slice()) {
        ([], _) => {
            let from = told_place(map, &from);
            format!("{kind} cannot move directly from {from} to {to}.")
        }
        (_, []) => {
            let goals = goals(map, info.kind, &can).into_iter();
            let goals: Vec<Location> = goals.filter(|goal| goal.province == province).collect();
            let from = told_place(map, &from);
            if goals.iter().any(|goal| goal.coast.is_some()) {
                let coasts = or_list(goals.iter().map(|goal| map.full_name(*goal)));
                return format!(
                    "{kind} can move from {from} to {coasts}.  Its order names the coast."
                );
            }
            format!("{kind} can move from {from} to {to}.")
        }
        (can, cannot) => format!(
            "{kind} can move to {to} from {}, but not from {}.",
            names(can),
            names(cannot)
        ),
    }
}

fn told_of_all(map: &Map, info: &UnitKindInfo, from: Vec<Location>) -> String {
    let goals = told_goals(map, info.kind, &from);
    let from = told_place(map, &from);
    format!("{} can move from {from} to {goals}.", introduced(info))
}

/// How an army that cannot go from one coast to another by land can be convoyed there (DATC 6.F).
fn told_convoy(map: &Map, kinds: &[&UnitKindInfo], from: Province, to: Province) -> Option<String> {
    let army = kinds
        .iter()
        .find(|info| map.travel(info.kind) == Travel::Land)?;
    let is_sea = map
        .info(to)
        .is_some_and(|info| info.terrain == Terrain::Sea);
    if is_sea || map.reaches(Travel::Land, from.into(), to) {
        return None;
    }
    let all = map.provinces().iter();
    let seas = all.filter(|info| info.terrain == Terrain::Sea);
    let seas: Vec<Province> = seas.map(|info| info.code).collect();
    let beside = |land: Province| -> Vec<Province> {
        let borders = |sea: &Province| map.reaches(Travel::Sea, (*sea).into(), land);
        seas.iter().copied().filter(borders).collect()
    };
    let (here, there) = (beside(from), beside(to));
    let both: Vec<String> = here
        .iter()
        .filter(|sea| there.contains(sea))
        .map(|sea| map.full_name((*sea).into()))
        .collect();
    let kind = army.code();
    let orders = |sea: &str| {
        format!(
            "{kind} {from} - {to} for the army, and F {sea} C {kind} {from} - {to} for the fleet"
        )
    };
    match (both.as_slice(), here.first()) {
        (_, None) => None,
        _ if there.is_empty() => None,
        ([], Some(sea)) => Some(format!(
            "It can be convoyed there if fleets stand in a chain of seas from the one to the other; {} {} beside {}.  The orders are then {} in each of the seas.",
            and_list(
                here.iter()
                    .map(|sea| map.full_name((*sea).into()))
                    .collect::<Vec<String>>()
            ),
            if here.len() == 1 { "lies" } else { "lie" },
            map.full_name(from.into()),
            orders(sea.as_str()),
        )),
        (both, _) => {
            let sea = here.iter().find(|sea| there.contains(sea))?;
            Some(format!(
                "It can be convoyed there by a fleet that stands in {} before the turn: {}.",
                or_list(both.to_vec()),
                orders(sea.as_str()),
            ))
        }
    }
}

/// The place of a unit; that of several coasts is the province.
fn told_place(map: &Map, from: &[Location]) -> String {
    match from {
        [only] => map.full_name(*only),
        [first, ..] => map.full_name(first.province.into()),
        [] => String::new(),
    }
}

/// `An army`.
fn introduced(info: &UnitKindInfo) -> String {
    let kind = info.name.to_lowercase();
    match article(&kind) {
        "an" => format!("An {kind}"),
        _ => format!("A {kind}"),
    }
}
