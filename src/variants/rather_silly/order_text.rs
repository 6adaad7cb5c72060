//! Orders of the variant's own, as reports print them behind their units.

use super::board::Board;
use super::names::{Flavor, Names};
use super::orders::UnitOrder;
use crate::data_of;
use dipjudge_rules::map::{Location, Province};
use dipjudge_rules::orders::{Action, VariantOrder};
use dipjudge_rules::position::UnitId;

/// An order as it is kept and printed: those of every game are what they are there.
pub(super) fn action(board: &Board<'_>, names: &Names, order: &UnitOrder) -> Action {
    let Some(words) = words(board, names, order) else {
        return order.action();
    };
    Action::Special(VariantOrder(words, data_of(order)))
}

/// What stands behind the unit; nothing for an order of every game.
fn words(board: &Board<'_>, names: &Names, order: &UnitOrder) -> Option<String> {
    let unit = |id: UnitId| unit(board, names, id);
    Some(match order {
        UnitOrder::Common(_) => return None,
        UnitOrder::Shoo => "HOLD and SHOO".to_owned(),
        UnitOrder::HoldTardis => "HOLD TARDIS".to_owned(),
        UnitOrder::Expose => names.expose.to_owned(),
        UnitOrder::Distract(whom) => format!("{} {}", names.distract, unit(*whom)),
        UnitOrder::Fly {
            route,
            army: Some(army),
            ..
        } if route.is_empty() => format!("PICK UP {}", unit(*army)),
        UnitOrder::Fly {
            route,
            army: Some(army),
            ..
        } => format!("{} CARRYING {}", way(board, route), unit(*army)),
        UnitOrder::Fly {
            route,
            tardis: true,
            ..
        } => format!("{} CARRYING TARDIS", way(board, route)),
        UnitOrder::Fly { route, .. } => way(board, route),
        UnitOrder::Ride { route, .. } => format!("{} BY BIRDS", way(board, route)),
        UnitOrder::Carry { to, .. } => format!("-> {} CARRYING TARDIS", board.map.full_name(*to)),
    })
}

fn way(board: &Board<'_>, route: &[Province]) -> String {
    let name = |place: Province| board.map.full_name(Location::from(place));
    let spaces = route.iter().map(|place| format!("-> {}", name(*place)));
    spaces.collect::<Vec<_>>().join(" ")
}

/// `FEMALE ARMY Burgundy #2`
fn unit(board: &Board<'_>, names: &Names, id: UnitId) -> String {
    let Some(unit) = board.unit(id) else {
        return String::new();
    };
    let number = board.position.number_among_like(unit);
    let number = number.map_or_else(String::new, |number| format!(" #{number}"));
    let place = board.map.full_name(Location::from(unit.at.province));
    format!("{} {place}{number}", names.kind(unit.kind))
}

/// Any order as it stands behind its unit.
pub(super) fn text(board: &Board<'_>, order: &UnitOrder) -> String {
    let names = Flavor::on(board.map).names();
    let name = |place: Province| board.map.full_name(place.into());
    let unit = |at: Province| {
        let kind = board.solid(at).map(|unit| format!("{} ", unit.kind));
        format!("{}{}", kind.unwrap_or_default(), name(at))
    };
    words(board, names, order).unwrap_or_else(|| match order.action() {
        Action::Move { to, .. } => format!("-> {}", board.map.full_name(to)),
        Action::SupportHold { at } => format!("SUPPORT {}", unit(at)),
        Action::SupportMove { from, to } => {
            format!("SUPPORT {} -> {}", unit(from), board.map.full_name(to))
        }
        Action::Convoy { from, to } => format!("CONVOY {} -> {}", unit(from), name(to)),
        _ => "HOLD".to_owned(),
    })
}
