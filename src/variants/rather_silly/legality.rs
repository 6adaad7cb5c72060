//! Whether a unit can be told something (5.1): each refusal is a sentence.

use super::board::Board;
use super::distraction::can_distract;
use super::orders::Told;
use super::{BIRDS, DOM, FEMALE, MASTERMIND, MONSTERS, combat, is_conventional, is_idle_army};
use crate::map::{PowerInfo, Province, UnitKind};
use crate::orders::legal;
use crate::position::Unit;

/// How many spaces BIRDS fly alone.
const ALONE: usize = 3;
/// How many they fly with an army or the TARDIS.
const LADEN: usize = 2;

/// What a unit can be told, held against the position at the start of the season; the error says why it cannot.
pub(super) fn check(
    board: &Board<'_>,
    powers: &[PowerInfo],
    unit: &Unit,
    told: &Told,
) -> Result<(), String> {
    match told {
        Told::Hold | Told::HoldTardis => Ok(()),
        Told::Shoo if unit.kind == BIRDS => refuse("BIRDS do not Shoo."),
        Told::Shoo => Ok(()),
        Told::Distract(whom) => distract(board, unit, board.unit(*whom)),
        Told::Expose if unit.kind == DOM => Ok(()),
        Told::Expose => refuse("Only a DIRTY OLD MAN ARMY can EXPOSE."),
        Told::Fly {
            route,
            army,
            tardis,
        } => fly(board, unit, route, army.is_some() || *tardis),
        Told::Ride { route, .. } => ride(board, unit, route),
        Told::Move { .. } if unit.kind == BIRDS => {
            refuse("BIRDS fly: name every space, B(Lon)-NTH-Den.")
        }
        Told::Move { .. } => common(board, powers, unit, told),
        Told::SupportHold { .. } | Told::SupportMove { .. } => support(board, powers, unit, told),
        Told::Convoy { .. } if !is_conventional(unit.kind) => {
            refuse("FEMALE and DIRTY OLD MAN armies and BIRDS convoy nobody.")
        }
        Told::Convoy { .. } => common(board, powers, unit, told),
    }
}

fn refuse<T>(sentence: &str) -> Result<T, String> {
    Err(sentence.to_owned())
}

/// By the rules of every game.
fn common(board: &Board<'_>, powers: &[PowerInfo], unit: &Unit, told: &Told) -> Result<(), String> {
    let overlay = combat::overlay(board);
    let units = Some(board.position.units.as_slice());
    legal(board.map, &overlay, unit, &told.action(), units)
        .map_err(|illegal| illegal.sentence(board.map, powers))
}

fn support(
    board: &Board<'_>,
    powers: &[PowerInfo],
    unit: &Unit,
    told: &Told,
) -> Result<(), String> {
    if !is_conventional(unit.kind) {
        return refuse(
            "FEMALE and DIRTY OLD MAN armies and BIRDS have no combat value: they support nobody.",
        );
    }
    let at = match told {
        Told::SupportMove { from, .. } => *from,
        Told::SupportHold { at } => *at,
        _ => return Ok(()),
    };
    match board.solid(at) {
        None => refuse("Only armies and fleets can be supported, and none is there."),
        Some(supported) if supported.power == MONSTERS => refuse("Monsters take no support."),
        Some(_) => common(board, powers, unit, told),
    }
}

fn distract(board: &Board<'_>, female: &Unit, whom: Option<&Unit>) -> Result<(), String> {
    if female.kind != FEMALE {
        return refuse("Only a FEMALE ARMY can DISTRACT.");
    }
    let Some(whom) = whom else {
        return refuse("There is no such unit.");
    };
    if can_distract(board, female, whom) {
        Ok(())
    } else if !is_conventional(whom.kind) || board.traits(whom.id).gay {
        refuse(
            "Gay fleets, BIRDS, FEMALE and DIRTY OLD MAN armies and monsters cannot be distracted.",
        )
    } else {
        refuse("That unit cannot reach her in one step, so she cannot distract it.")
    }
}

fn fly(board: &Board<'_>, unit: &Unit, route: &[Province], laden: bool) -> Result<(), String> {
    if unit.kind != BIRDS {
        return refuse("Only BIRDS fly.");
    }
    let over_islands = unit.power == MASTERMIND;
    flyable(
        board,
        unit.at.province,
        route,
        over_islands,
        if laden { LADEN } else { ALONE },
    )
}

fn ride(board: &Board<'_>, unit: &Unit, route: &[Province]) -> Result<(), String> {
    if unit.kind != UnitKind::ARMY && !is_idle_army(unit.kind) {
        return refuse("Only armies can be carried.");
    }
    if board.traits(unit.id).siamese {
        return refuse("A SIAMESE army cannot be carried.");
    }
    flyable(board, unit.at.province, route, true, LADEN)
}

fn flyable(
    board: &Board<'_>,
    from: Province,
    route: &[Province],
    over_islands: bool,
    most: usize,
) -> Result<(), String> {
    let ground = board.ground();
    if route.len() > most {
        return refuse("BIRDS fly three spaces, two with an army or the TARDIS.");
    }
    let mut here = from;
    for next in route {
        if !ground.air(here, over_islands).contains(next) {
            let name = |place: Province| board.map.full_name(place.into());
            return Err(format!(
                "BIRDS cannot fly from {} to {} in one step.",
                name(here),
                name(*next)
            ));
        }
        here = *next;
    }
    Ok(())
}

/// Whether the LINK can join two spaces: any two different ones (R41).
pub(super) fn can_be_linked(a: Province, b: Province) -> bool {
    a != b
}
