//! Chains of convoying fleets: which seas join two provinces.

use super::Overlay;
use crate::map::{Map, Province, ProvinceSet, Travel};
use crate::position::Unit;

/// Which of `seas` (numbers of provinces whose units could pass an army on) can be part of a chain that carries an army
/// from one province to the other: those in one connected stretch that touches both. Empty if there is no chain.
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
    // Each stretch of sea is walked once, from the sides of the start.
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
    let mut near = map.near(number);
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

/// The numbers of the seas on which a unit of these stands that travels there.
#[must_use]
pub fn fleets_at_sea(map: &Map, units: &[Unit]) -> ProvinceSet {
    units
        .iter()
        .filter(|unit| map.travel(unit.kind) == Travel::Sea)
        .filter_map(|unit| map.number(unit.at.province))
        .filter(|&number| map.seas().has(number))
        .collect()
}
