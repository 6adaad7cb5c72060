//! What a read order tells its unit to do.

use super::order_words::{PlaceWords, UnitWords, Verb, Waive};
use super::parse_error::ParseReason;
use dipjudge_grammar::{Node, Value};
use dipjudge_rules::map::{Coast, Power};

/// What was read by one of the common rules.
pub(super) struct VerbReading {
    pub(super) unit: Option<UnitWords>,
    /// What the unit is to do, or why the words are no order.
    pub(super) verb: Result<Verb, ParseReason>,
}

pub(super) fn moved(action: Node<'_>) -> Result<Verb, ParseReason> {
    Ok(match action.rule() {
        "hold" => Verb::Hold,
        "support" => {
            let unit = helped(action)?;
            match action.part("support-move").map(places) {
                None => Verb::SupportHold { unit },
                Some(mut route) => match route.pop() {
                    Some(to) => Verb::SupportMove { unit, to },
                    None => Verb::SupportHold { unit },
                },
            }
        }
        "convoy" => {
            let unit = helped(action)?;
            let mut route = action.part("convoy-move").map(places).unwrap_or_default();
            match (route.pop(), route.is_empty()) {
                (Some(to), true) => Verb::Convoy { unit, to },
                _ => return Err(ParseReason::RouteInConvoy),
            }
        }
        "proxy" => match action.power() {
            Some(to) => Verb::Proxy { to },
            None => {
                return Err(ParseReason::PowerMissing {
                    word: String::new(),
                });
            }
        },
        "disband" => Verb::Disband,
        _ => Verb::Move {
            route: places(action),
            via: action.part("via").is_some(),
        },
    })
}

fn helped(action: Node<'_>) -> Result<UnitWords, ParseReason> {
    action
        .part("unit")
        .and_then(unit_words)
        .ok_or(ParseReason::NotAnOrder)
}

pub(super) fn retreated(root: Node<'_>, first: Node<'_>) -> Option<VerbReading> {
    // "Retreat A Ber - Sil" has its unit within the first part, "A Ber - Sil" beside it.
    let unit = first
        .part("unit")
        .or_else(|| root.part("unit"))
        .and_then(unit_words);
    let to = root
        .find("retreat-to")
        .or_else(|| root.part("retreat-first"));
    let verb = match to {
        Some(to) => Verb::Retreat {
            to: place_words(to.part("place")?)?,
        },
        None => Verb::Disband,
    };
    Some(VerbReading {
        unit,
        verb: Ok(verb),
    })
}

pub(super) fn adjusted(first: Node<'_>) -> Option<VerbReading> {
    let unit = first.part("unit").and_then(unit_words);
    let verb = match first.rule() {
        "build" | "build-last" => return built(first),
        "waive" => {
            return Some(VerbReading {
                unit: None,
                verb: waived(first).map(Verb::Waive),
            });
        }
        "maintain" => Verb::Maintain,
        "remove" | "remove-last" => Verb::Remove,
        _ => Verb::Adjust,
    };
    Some(VerbReading {
        unit,
        verb: Ok(verb),
    })
}

fn built(build: Node<'_>) -> Option<VerbReading> {
    let place = place_words(build.part("place")?)?;
    let kind = build.part("kind").and_then(|kind| kind.kind());
    let verb = if kind.is_some() {
        Ok(Verb::Build)
    } else {
        Err(ParseReason::KindMissing)
    };
    let unit = UnitWords {
        nation: None,
        kind,
        place,
        number: None,
    };
    Some(VerbReading {
        unit: Some(unit),
        verb,
    })
}

fn waived(waive: Node<'_>) -> Result<Waive, ParseReason> {
    if waive.part("waive-all").is_some() {
        return Ok(Waive::All);
    }
    let Some(number) = waive.number() else {
        return Ok(Waive::One);
    };
    let number = u32::try_from(number).map_err(|_| ParseReason::Expected {
        wanted: vec!["a number of builds".to_owned()],
        word: number.to_string(),
    })?;
    Ok(Waive::Number(number))
}

/// Whose a rule `nation` says that something is.
pub(super) fn nation(node: Node<'_>) -> Option<Power> {
    let nobodys = node.part("nobody").map(|_| Power::NEUTRAL);
    node.power().or(nobodys)
}

/// The unit that a rule `unit` stands for.
pub(super) fn unit_words(node: Node<'_>) -> Option<UnitWords> {
    Some(UnitWords {
        nation: node.part("nation").and_then(nation),
        kind: node.part("kind").and_then(|kind| kind.kind()),
        place: place_words(node.part("place")?)?,
        number: node.part("unit-number").map(unit_number),
    })
}

/// A number that is none of a unit's says that there is no such unit.
fn unit_number(node: Node<'_>) -> usize {
    let number = node
        .number()
        .and_then(|number| usize::try_from(number).ok());
    number.unwrap_or(0)
}

fn places(node: Node<'_>) -> Vec<PlaceWords> {
    node.parts()
        .filter(|part| part.rule() == "place")
        .filter_map(place_words)
        .collect()
}

/// A place as a rule `place` has it.
pub(super) fn place_words(node: Node<'_>) -> Option<PlaceWords> {
    let province = node
        .parts()
        .find(|part| matches!(part.value(), Some(Value::Province(_))))?;
    // "F(Stp/nc)sc" names two; the first is as good as the other.
    let coast = node.part("coast").and_then(coast);
    Some(PlaceWords {
        province: province.province()?,
        coast,
        word: province.text().to_owned(),
    })
}

/// The coast that a rule `coast` stands for.
pub(super) fn coast(node: Node<'_>) -> Option<Coast> {
    node.all().find_map(|part| match part.rule() {
        "north" | "short-north" => Some(Coast::North),
        "south" | "short-south" => Some(Coast::South),
        "east" | "short-east" => Some(Coast::East),
        "west" | "short-west" => Some(Coast::West),
        _ => None,
    })
}
