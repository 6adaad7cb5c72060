//! What a read order tells its unit to do.

use super::order_words::{PlaceWords, UnitWords, Verb, Waive};
use super::parse_error::{ParseReason, Wanted};
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
        "support" => supported(action.part("bracketed-move").unwrap_or(action))?,
        "convoy" => convoyed(action)?,
        "proxy" => match action.power() {
            Some(to) => Verb::Proxy { to },
            None => {
                return Err(ParseReason::PowerMissing {
                    word: String::new(),
                });
            }
        },
        "disband" => Verb::Disband,
        _ => goes(action),
    })
}

/// A move to the places of a node; those that `via` names come before the last one.
fn goes(node: Node<'_>) -> Verb {
    let mut route = places(node);
    let via = node.part("via");
    if let Some(by) = via.and_then(|via| via.part("via-route"))
        && let Some(to) = route.pop()
    {
        route.extend(places(by));
        route.push(to);
    }
    Verb::Move {
        route,
        via: via.is_some(),
    }
}

fn supported(node: Node<'_>) -> Result<Verb, ParseReason> {
    let unit = helped(node)?;
    let goal = node.part("support-move").or_else(|| node.part("bare-goal"));
    Ok(match goal.and_then(|goal| places(goal).pop()) {
        Some(to) => Verb::SupportMove { unit, to },
        None => Verb::SupportHold { unit },
    })
}

fn convoyed(node: Node<'_>) -> Result<Verb, ParseReason> {
    let unit = helped(node)?;
    let goal = node.part("convoy-move").or_else(|| node.part("bare-goal"));
    let mut route = goal.map(places).unwrap_or_default();
    match (route.pop(), route.is_empty()) {
        (Some(to), true) => Ok(Verb::Convoy { unit, to }),
        _ => Err(ParseReason::RouteInConvoy),
    }
}

/// An order of a movement phase that is not written as orders are: a rule beneath `irregular`.
pub(super) fn irregular(node: Node<'_>) -> Option<VerbReading> {
    let own = ["unit", "bare-unit", "bracketed-unit"];
    let unit = own.iter().find_map(|rule| node.part(rule));
    let from = || node.part("from-unit").and_then(|from| from.part("unit"));
    let to = || place_words(node.part("place")?);
    let verb = match node.rule() {
        "hold-all" => {
            return Some(VerbReading {
                unit: None,
                verb: Ok(Verb::HoldAll),
            });
        }
        "hold-first" => Ok(Verb::Hold),
        "support-first" | "convoy-first" => {
            let by = node.part("by-unit")?.part("unit")?;
            return Some(VerbReading {
                unit: Some(unit_words(by)?),
                verb: if node.rule() == "support-first" {
                    supported(node)
                } else {
                    convoyed(node)
                },
            });
        }
        "support-from" => Ok(Verb::SupportMove {
            unit: unit_words(from()?)?,
            to: to()?,
        }),
        "convoy-from" => Ok(Verb::Convoy {
            unit: unit_words(from()?)?,
            to: to()?,
        }),
        "convoyed" => Ok(Verb::Move {
            route: places(node),
            via: true,
        }),
        "bracketed" => match (
            node.part("bracketed-support"),
            node.part("bracketed-convoy"),
        ) {
            (Some(support), _) => supported(support),
            (None, Some(convoy)) => convoyed(convoy),
            (None, None) => Ok(Verb::Hold),
        },
        // The verb of a regular order behind a colon or the like, else the place alone.
        _ => match node.part("action").or_else(|| node.part("move")) {
            Some(action) if action.rule() == "action" => moved(action.first()?),
            Some(action) => moved(action),
            None => Ok(goes(node)),
        },
    };
    Some(VerbReading {
        unit: Some(unit_words(unit?)?),
        verb,
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
        .or_else(|| first.part("bare-unit"))
        .or_else(|| root.part("unit"))
        .and_then(unit_words);
    let to = root
        .find("retreat-to")
        .or_else(|| root.find("retreat-place"))
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
    if waive.part("waive-all").is_some() || waive.part("waive-none").is_some() {
        return Ok(Waive::All);
    }
    let Some(number) = waive.number() else {
        return Ok(Waive::One);
    };
    let number = u32::try_from(number).map_err(|_| ParseReason::Expected {
        wanted: vec![Wanted::from("a number of builds")],
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
    let by_letter = || node.part("by-letter")?.power();
    let place = node
        .part("place")
        .or_else(|| node.part("bracketed-place"))?;
    Some(UnitWords {
        nation: node.part("nation").and_then(nation).or_else(by_letter),
        kind: node.part("kind").and_then(|kind| kind.kind()),
        place: place_words(place)?,
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
    let coast = node
        .part("coast")
        .or_else(|| node.part("long-coast"))
        .and_then(coast);
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
