//! Orders of the variant's own, as reports print them behind their units.

use super::board::Board;
use super::orders::Told;
use crate::map::Province;
use crate::orders::{Action, VariantData};
use crate::position::UnitId;

/// An order as it is kept and printed: those of every game are what they are there.
pub(super) fn action(board: &Board<'_>, told: &Told) -> Action {
    let Some(words) = words(board, told) else {
        return told.action();
    };
    Action::Special(words, VariantData::of(told).unwrap_or_default())
}

/// What stands behind the unit; nothing for an order of every game.
fn words(board: &Board<'_>, told: &Told) -> Option<String> {
    let name = |place: Province| board.map.full_name(place.into());
    let way = |route: &[Province]| {
        let spaces = route.iter().map(|place| format!("-> {}", name(*place)));
        spaces.collect::<Vec<_>>().join(" ")
    };
    let unit = |id: UnitId| {
        let unit = board.unit(id);
        unit.map_or_else(String::new, |unit| {
            format!("{} {}", unit.kind, name(unit.at.province))
        })
    };
    Some(match told {
        Told::Shoo => "HOLD and SHOO".to_owned(),
        Told::HoldTardis => "HOLD TARDIS".to_owned(),
        Told::Expose => "EXPOSE".to_owned(),
        Told::Distract(whom) => format!("DISTRACT {}", unit(*whom)),
        Told::Fly {
            route,
            army: Some(army),
            ..
        } => format!("{} CARRYING {}", way(route), unit(*army)),
        Told::Fly {
            route,
            tardis: true,
            ..
        } => format!("{} CARRYING TARDIS", way(route)),
        Told::Fly { route, .. } => way(route),
        Told::Ride { route, .. } => format!("{} BY BIRDS", way(route)),
        Told::Move {
            to, tardis: true, ..
        } => format!("-> {} CARRYING TARDIS", board.map.full_name(*to)),
        _ => return None,
    })
}

/// Any order as it stands behind its unit.
pub(super) fn text(board: &Board<'_>, told: &Told) -> String {
    let name = |place: Province| board.map.full_name(place.into());
    let unit = |at: Province| {
        let kind = board.solid(at).map(|unit| format!("{} ", unit.kind));
        format!("{}{}", kind.unwrap_or_default(), name(at))
    };
    words(board, told).unwrap_or_else(|| match told.action() {
        Action::Move { to, .. } => format!("-> {}", board.map.full_name(to)),
        Action::SupportHold { at } => format!("SUPPORT {}", unit(at)),
        Action::SupportMove { from, to } => {
            format!("SUPPORT {} -> {}", unit(from), board.map.full_name(to))
        }
        Action::Convoy { from, to } => format!("CONVOY {} -> {}", unit(from), name(to)),
        _ => "HOLD".to_owned(),
    })
}
