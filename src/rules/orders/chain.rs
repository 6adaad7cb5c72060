//! Chains of convoying fleets: which seas join two provinces.

use super::Overlay;
use crate::map::{Map, Province, ProvinceSet};

/// The provinces among `seas` that can be part of a chain of convoying fleets between the two provinces: those in a connected
/// group that borders on both. The result is empty if there is no chain.
///
/// `seas` are the provinces whose units can convoy, by [`Map::number`].
#[must_use]
pub fn chain(
    map: &Map,
    overlay: &Overlay,
    from: Province,
    to: Province,
    seas: ProvinceSet,
) -> ProvinceSet {
    let (Some(start), Some(end)) = (map.number(from), map.number(to)) else {
        return ProvinceSet::EMPTY;
    };
    let near = |number: u8| near_with_links(map, overlay, number);
    let touches_end = near(end);
    let mut left = seas;
    let mut joined = ProvinceSet::EMPTY;
    // Each connected group of seas is visited once, beginning at the neighbors of the start.
    for sea in near(start).intersection(seas).iter() {
        if !left.has(sea) {
            continue;
        }
        let mut stretch = ProvinceSet::EMPTY;
        stretch.add(sea);
        left.remove(sea);
        let mut edge = stretch;
        while !edge.is_empty() {
            let beside = edge
                .iter()
                .fold(ProvinceSet::EMPTY, |beside, sea| beside.union(near(sea)));
            edge = beside.intersection(left);
            for sea in edge.iter() {
                left.remove(sea);
            }
            stretch = stretch.union(edge);
        }
        if !stretch.intersection(touches_end).is_empty() {
            joined = joined.union(stretch);
        }
    }
    joined
}

fn near_with_links(map: &Map, overlay: &Overlay, number: u8) -> ProvinceSet {
    let mut near = map.neighbors_of_number(number);
    if !overlay.links.is_empty()
        && let Some(info) = map.provinces().get(usize::from(number))
    {
        for linked in overlay
            .linked(info.code)
            .filter_map(|linked| map.number(linked))
        {
            near.add(linked);
        }
    }
    near
}

/// Whether there is a [`chain`].
#[must_use]
pub fn is_joined(
    map: &Map,
    overlay: &Overlay,
    from: Province,
    to: Province,
    seas: ProvinceSet,
) -> bool {
    let one_is_enough = map
        .neighbor_set(from)
        .intersection(map.neighbor_set(to))
        .intersection(seas);
    !one_is_enough.is_empty() || !chain(map, overlay, from, to, seas).is_empty()
}

/// Whether a fleet on `sea` can be needed for a convoy between the two provinces over `seas`: there is a chain in which no sea
/// before it borders on the end and no sea after it borders on the start. The order of a fleet that cannot be needed does not
/// mean that its power intends the army to go by convoy (DATC 6.G.19).
#[must_use]
pub fn needed_in_chain(
    map: &Map,
    overlay: &Overlay,
    from: Province,
    to: Province,
    sea: Province,
    seas: ProvinceSet,
) -> bool {
    let without_those_near = |province: Province| {
        let near = map.number(province).map_or(ProvinceSet::EMPTY, |number| {
            near_with_links(map, overlay, number)
        });
        let mut rest: ProvinceSet = seas.iter().filter(|&sea| !near.has(sea)).collect();
        if let Some(own) = map.number(sea) {
            rest.add(own);
        }
        rest
    };
    let joined = |end: Province, seas: ProvinceSet| {
        touch(map, overlay, end, sea) || !chain(map, overlay, end, sea, seas).is_empty()
    };
    joined(from, without_those_near(to)) && joined(to, without_those_near(from))
}

/// Whether the two provinces are adjacent for any kind of unit.
#[must_use]
pub(super) fn touch(map: &Map, overlay: &Overlay, a: Province, b: Province) -> bool {
    map.number(b).is_some_and(|b| map.neighbor_set(a).has(b))
        || overlay.linked(a).any(|linked| linked == b)
}
