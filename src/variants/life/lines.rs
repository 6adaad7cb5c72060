//! The variant's own lines, `BIRTH`, and warnings about orders that depend on neutral units (`rules.md`, part B).

use std::collections::BTreeMap;

use super::wishes::{self, ANY, Wish};
use super::{BIRTHS, Life, generation};
use crate::{data_of, remembered};
use dipjudge_game::project::{Sight, ToldGame};
use dipjudge_game::{Considered, Effect, Game, Phase, Refusal, RememberedData, Submission, refuse};
use dipjudge_grammar::{Line, Value};
use dipjudge_rules::map::{Coast, Location, Power, Province, Terrain, UnitKind};
use dipjudge_rules::orders::{Action, VariantData};
use dipjudge_view::and_list;

/// What a power's lines are considered by: the provinces of its open births.
pub(super) fn visible_state(game: &Game, power: Power) -> RememberedData {
    let own: Vec<Province> = generation::open(generation::last(game))
        .iter()
        .filter(|birth| birth.unit.power == power)
        .map(|birth| birth.unit.at.province)
        .collect();
    remembered(own)
}

/// What a power has submitted, as it could send it again; open births without a line as `ASK`.
pub(super) fn submitted(game: &ToldGame<'_>, power: Power) -> Vec<String> {
    let submissions = game.lasting_submissions(power);
    let line = |name: &str, data: &VariantData| format!("BIRTH {name} {}", Wish::of(data));
    let mut lines: Vec<String> = submissions
        .get(ANY)
        .map(|data| line(ANY, data))
        .into_iter()
        .collect();
    lines.extend(
        submissions
            .iter()
            .filter(|(name, _)| **name != ANY)
            .map(|(name, data)| line(name, data)),
    );
    // Where the wishes are sealed, nobody knows whether one is missing.
    if !game.opens(&super::WISHES, power) {
        return lines;
    }
    lines.extend(
        generation::open(game.state(&Life))
            .iter()
            .filter(|birth| birth.unit.power == power)
            .map(|birth| birth.unit.at.province)
            .filter(|province| wishes::wish(&submissions, *province).is_nothing())
            .map(|province| format!("BIRTH {province} ASK")),
    );
    lines
}

/// Reads one of the lines of `grammar/life.grammar`.
pub(super) fn read(line: &Line, sight: &Sight) -> Result<Considered, Refusal> {
    if sight.position.units_of(sight.power).next().is_none() {
        return refuse(
            "You have no unit left and are out of the game, so nothing can be born to you.",
        );
    }
    match line.rule.as_str() {
        "birth-any" => Ok(any(line, sight)),
        "birth-none" => Ok(none(sight)),
        "birth-one" => one(line, sight),
        "birth-bare" => refuse(bare(line)),
        _ => by_hand(line, sight),
    }
}

fn submission(name: &str, wish: Option<Wish>) -> Effect {
    Effect::Submission(Submission {
        name: name.to_owned(),
        data: wish.map(|wish| data_of(&wish)),
        // Lines given with the movement hold for the Life step behind it, whatever retreats come between.
        lasting: true,
    })
}

fn noted(effects: Vec<Effect>, notes: Vec<String>) -> Result<Considered, Refusal> {
    Ok(Considered { effects, notes })
}

/// `BIRTH ANY A`: until it is changed.
fn any(line: &Line, sight: &Sight) -> Considered {
    let mut notes = Vec::new();
    let kind = kind(line);
    if kind == Some(UnitKind::FLEET) {
        let names: Vec<String> = sight
            .map
            .provinces()
            .iter()
            .filter(|info| !info.coasts.is_empty())
            .map(|info| info.name.clone())
            .collect();
        if let Some((last, rest)) = names.split_last() {
            let names = match rest {
                [] => last.clone(),
                rest => format!("{} or {last}", rest.join(", ")),
            };
            notes.push(format!(
                "For a fleet born in {names} you are still asked for the coast."
            ));
        }
    }
    let wish = kind.map(|kind| Wish {
        kind: Some(kind),
        coast: None,
    });
    Considered {
        effects: vec![submission(ANY, wish)],
        notes,
    }
}

/// `BIRTH NONE`: takes the one-shot lines back; the standing line stays.
fn none(sight: &Sight) -> Considered {
    let names: Vec<&str> = sight.lasting().filter(|name| *name != ANY).collect();
    let notes = match names.as_slice() {
        [] => vec!["You had given no line for a single province.".to_owned()],
        _ => Vec::new(),
    };
    Considered {
        effects: names
            .into_iter()
            .map(|name| submission(name, None))
            .collect(),
        notes,
    }
}

/// A line that does not say what.
fn bare(line: &Line) -> String {
    let what = line
        .province()
        .map_or_else(|| "ANY".to_owned(), |province| province.to_string());
    format!("Say what it becomes: BIRTH {what} A or BIRTH {what} F.")
}

/// `BIRTH PIC A`, `BIRTH STP F/NC`.
fn one(line: &Line, sight: &Sight) -> Result<Considered, Refusal> {
    let Some((province, coast)) = place(line) else {
        return refuse("Name the province: BIRTH PIC A.");
    };
    let Some(info) = sight.map.info(province) else {
        return refuse("There is no such province on this map.");
    };
    if sight.phase == Phase::Own(BIRTHS.to_owned()) {
        may_choose(sight, province)?;
    }
    let name = &info.name;
    let Some(kind) = kind(line) else {
        return noted(vec![submission(province.as_str(), None)], Vec::new());
    };
    match (wishes::by_nature(info.terrain), info.terrain) {
        (Some(fixed), _) if fixed == kind => {
            let note = format!(
                "A birth in {name} is always {}, so you need not choose.",
                word(kind)
            );
            return noted(Vec::new(), vec![note]);
        }
        (Some(_), Terrain::Sea) => {
            return refuse(format!(
                "{name} is sea: a birth there is a fleet, so there is nothing to choose."
            ));
        }
        (Some(_), _) => {
            return refuse(format!(
                "{name} has no coast: a birth there is an army, so there is nothing to choose."
            ));
        }
        (None, _) => {}
    }
    let mut notes = Vec::new();
    let coasts = info.coasts.as_slice();
    let lines = |sep: &str| -> String {
        let mut all: Vec<String> = coasts
            .iter()
            .map(|coast| format!("BIRTH {province} F/{coast}"))
            .collect();
        all.sort();
        all.join(sep)
    };
    let coast = match (kind, coast) {
        (UnitKind::FLEET, Some(coast)) if coasts.contains(&coast) => Some(coast),
        (UnitKind::FLEET, Some(_)) if !coasts.is_empty() => {
            let mut names: Vec<&str> = coasts.iter().map(|coast| coast.as_str()).collect();
            names.sort_unstable();
            return refuse(format!(
                "{name} has the coasts {}: write {}.",
                and_list(names),
                lines(" or ")
            ));
        }
        (UnitKind::FLEET, None) if !coasts.is_empty() => {
            notes.push(format!("Which coast? {}.", lines(" or ")));
            None
        }
        (UnitKind::ARMY, Some(_)) => {
            notes.push("An army needs no coast.".to_owned());
            None
        }
        (_, Some(_)) => {
            notes.push(format!("{name} has only one coast; none need be named."));
            None
        }
        (_, None) => None,
    };
    let wish = Wish {
        kind: Some(kind),
        coast,
    };
    noted(vec![submission(province.as_str(), Some(wish))], notes)
}

/// Refuses a line of a births phase that is not about an open birth of the sender.
fn may_choose(sight: &Sight, province: Province) -> Result<(), Refusal> {
    let open: Vec<Province> = sight.own.stored();
    if open.contains(&province) {
        return Ok(());
    }
    let name = |province: &Province| sight.map.full_name(Location::from(*province));
    let names: Vec<String> = open.iter().map(name).collect();
    let rest = match names.as_slice() {
        [] => "nor anywhere else".to_owned(),
        names => format!("only in {}", and_list(names)),
    };
    refuse(format!(
        "You have no open birth in {}, {rest}.",
        name(&province)
    ))
}

/// Builds and removals, which players do not order in Life. In a retreat phase `REMOVE` means `DISBAND`.
fn by_hand(line: &Line, sight: &Sight) -> Result<Considered, Refusal> {
    let dislodged = line
        .province()
        .and_then(|province| sight.position.dislodged_from(province));
    match dislodged {
        Some(one) if sight.phase == Phase::Retreats && one.unit.power == sight.power => noted(
            vec![Effect::Order(one.unit.id, Action::Disband)],
            Vec::new(),
        ),
        _ => refuse(
            "In Life you never build or remove: births and deaths follow from the board. BIRTH PIC A chooses army or fleet.",
        ),
    }
}

/// Accepts an order that depends on a move of a neutral unit, with a warning: neutral units never move.
pub(super) fn reconsider(effect: Effect, sight: &Sight) -> Considered {
    let from = match &effect {
        Effect::Order(_, Action::SupportMove { from, .. } | Action::Convoy { from, .. }) => {
            Some(*from)
        }
        _ => None,
    };
    let neutral = from
        .and_then(|from| sight.position.standing(from))
        .filter(|unit| unit.power == Power::NEUTRAL);
    let note = neutral.map(|unit| {
        format!(
            "Warning: the {} in {} is neutral, and neutral units never move, so this has no effect.",
            match unit.kind {
                UnitKind::FLEET => "fleet",
                _ => "army",
            },
            sight.map.full_name(unit.at)
        )
    });
    Considered {
        effects: vec![effect],
        notes: note.into_iter().collect(),
    }
}

fn kind(line: &Line) -> Option<UnitKind> {
    match (line.has("army"), line.has("fleet")) {
        (true, _) => Some(UnitKind::ARMY),
        (_, true) => Some(UnitKind::FLEET),
        _ => None,
    }
}

fn word(kind: UnitKind) -> &'static str {
    match kind {
        UnitKind::FLEET => "a fleet",
        _ => "an army",
    }
}

/// The province of a line, and the coast that was named last.
fn place(line: &Line) -> Option<(Province, Option<Coast>)> {
    let names: BTreeMap<&str, Coast> = BTreeMap::from([
        ("north", Coast::North),
        ("south", Coast::South),
        ("east", Coast::East),
        ("west", Coast::West),
    ]);
    let mut province = None;
    let mut coast = None;
    let mut rest = vec![line];
    while let Some(part) = rest.pop() {
        if let Some(Value::Province(found)) = &part.value {
            province = Some(*found);
        }
        let name = part.rule.strip_prefix("short-").unwrap_or(&part.rule);
        coast = coast.or(names.get(name).copied());
        rest.extend(&part.parts);
    }
    province.map(|province| (province, coast))
}
