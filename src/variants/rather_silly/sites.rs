//! Where a seat may build what (9.5), and why it cannot (5.1).

use super::board::Board;
use super::ground::Ground;
use super::names::Names;
use super::state::Borg;
use super::{
    BIRDS, DOCTOR, DOM, FEMALE, JESTER, MASTERMIND, SOOTHSAYER, is_conventional, is_island,
    is_solid,
};
use dipjudge_rules::map::{Location, Power, Province, UnitKind};

/// Whether a seat may build in a place (9.5): powers in homes that they own, DOCTOR and SOOTHSAYER in any center of theirs,
/// the MASTERMIND on his islands.
fn is_site(board: &Board<'_>, seat: Power, place: Province) -> bool {
    let owned = board.position.owners.get(&place) == Some(&seat);
    match seat {
        JESTER => false,
        MASTERMIND => is_island(place),
        DOCTOR | SOOTHSAYER => owned,
        _ => owned && board.map.homes(seat).contains(&place),
    }
}

/// Whether a seat has a site for any unit: BIRDS share theirs with whoever stands there.
pub(super) fn has_any(board: &Board<'_>, seat: Power) -> bool {
    let all = board.map.provinces().iter().map(|info| info.code);
    let mut sites = all.filter(|place| is_site(board, seat, *place));
    sites.any(|place| board.state.borg != Borg::At(place))
}

/// Whether a seat may ever build in a place, whoever owns it now.
fn may_become_site(board: &Board<'_>, seat: Power, place: Province) -> bool {
    match seat {
        JESTER => false,
        MASTERMIND => is_island(place),
        DOCTOR | SOOTHSAYER => board.ground().is_center(place),
        _ => board.map.homes(seat).contains(&place),
    }
}

/// By which board it is said whether a unit can be built in a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SiteTime {
    /// As things stand now.
    Now,
    /// By any board that may come before the build.
    SomeTime,
}

/// Why a unit cannot be built in a place.
pub(super) fn objection(
    board: &Board<'_>,
    names: &Names,
    seat: Power,
    kind: UnitKind,
    at: Location,
    by: SiteTime,
) -> Option<String> {
    let place = at.province;
    let now = by == SiteTime::Now;
    let site = match by {
        SiteTime::Now => is_site(board, seat, place),
        SiteTime::SomeTime => may_become_site(board, seat, place),
    };
    let where_to = board.map.full_name(place.into());
    let kind_name = names.kind(kind);
    if seat == JESTER {
        Some("The JESTER builds nothing.".to_owned())
    } else if !needs_center(kind) && kind != FEMALE && kind != DOM {
        Some("Nobody builds such a unit.".to_owned())
    } else if !site {
        Some(match seat {
            MASTERMIND => "The MASTERMIND builds in Iceland and Corfu.".to_owned(),
            DOCTOR | SOOTHSAYER => format!("{where_to} is no center of yours."),
            _ => format!("{where_to} is no home center of yours."),
        })
    } else if !board.map.can_stand(board.map.travel(kind), at) {
        let coasts = board
            .map
            .info(place)
            .is_some_and(|info| !info.coasts.is_empty());
        Some(if at.coast.is_none() && coasts && kind == UnitKind::FLEET {
            format!("Which coast?  {where_to} has several.")
        } else {
            format!("No {kind_name} can be in {where_to}.")
        })
    } else if now && is_solid(kind) && board.is_occupied(place) {
        Some(format!("{where_to} is occupied."))
    } else if now && board.state.borg == Borg::At(place) {
        Some(format!("BORG is in {where_to}."))
    } else {
        None
    }
}

pub(super) fn needs_center(kind: UnitKind) -> bool {
    is_conventional(kind) || kind == BIRDS
}

/// Why two units cannot be built as a pair.
pub(super) fn objection_to_pair(
    board: &Board<'_>,
    names: &Names,
    seat: Power,
    (one, at): (UnitKind, Location),
    (other, there): (UnitKind, Location),
) -> Option<String> {
    let ground = Ground {
        map: board.map,
        link: None,
    };
    if !is_conventional(one) || !is_conventional(other) {
        Some(format!("A {} pair is armies and fleets.", names.siamese))
    } else if at.province == there.province || !ground.touch(at.province, there.province) {
        Some("The two sites of a pair must be next to each other, without the LINK.".to_owned())
    } else if board.state.paired.contains(&seat) {
        Some(format!(
            "You have built your {} pair already.",
            names.siamese
        ))
    } else {
        None
    }
}

/// Whether a unit can be built in a place as things stand.
pub(super) fn can_build(board: &Board<'_>, seat: Power, kind: UnitKind, at: Location) -> bool {
    let fits = board.map.can_stand(board.map.travel(kind), at);
    let vacant = !is_solid(kind) || !board.is_occupied(at.province);
    let eaten = board.state.borg == Borg::At(at.province);
    fits && vacant && !eaten && is_site(board, seat, at.province)
}
