//! Which spaces touch: surface, UNDERPASS and LINK (2.1), and rings around a space (3.3).

use std::collections::BTreeSet;

use super::{CORFU, DOM, FEMALE, ICELAND, MASTERMIND, is_island};
use dipjudge_rules::map::{Location, Map, Power, Province, Terrain, Travel, UnitKind};
use dipjudge_rules::orders::Overlay;

/// The five provinces that the Mont Blanc UNDERPASS joins.
const UNDERPASS: [Province; 5] = [
    Province::literal(b"BUR"),
    Province::literal(b"MAR"),
    Province::literal(b"MUN"),
    Province::literal(b"PIE"),
    Province::literal(b"TYR"),
];

/// Whether a map has the provinces that the UNDERPASS joins: without them the game is another.
pub(super) fn has_underpass(map: &Map) -> bool {
    UNDERPASS.iter().all(|place| map.info(*place).is_some())
}

/// Whether a unit may enter Iceland and Corfu (R82).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Islands {
    Open,
    Closed,
}

impl Islands {
    /// For the units of a power.
    pub(super) fn for_units_of(power: Power) -> Islands {
        if power == MASTERMIND {
            Islands::Open
        } else {
            Islands::Closed
        }
    }
}

/// The map of a season.
#[derive(Clone, Copy)]
pub(super) struct Ground<'m> {
    pub map: &'m Map,
    /// The spaces that are linked through hyperspace [7].
    pub link: Option<(Province, Province)>,
}

impl Ground<'_> {
    /// The spaces that touch a space on the surface.
    pub(super) fn surface(&self, place: Province) -> &[Province] {
        self.map.neighbors(place)
    }

    fn linked(&self, place: Province) -> Option<Province> {
        match self.link? {
            (a, b) if a == place => Some(b),
            (a, b) if b == place => Some(a),
            _ => None,
        }
    }

    fn is_linked(&self, a: Province, b: Province) -> bool {
        self.linked(a) == Some(b)
    }

    /// `near(p)`: all that touches a space, UNDERPASS and LINK included.
    pub(super) fn near(&self, place: Province) -> BTreeSet<Province> {
        let mut near: BTreeSet<Province> = self.surface(place).iter().copied().collect();
        if UNDERPASS.contains(&place) {
            near.extend(UNDERPASS.iter().filter(|other| **other != place));
        }
        near.extend(self.linked(place));
        near
    }

    /// Whether two spaces touch.
    pub(super) fn touch(&self, a: Province, b: Province) -> bool {
        self.near(a).contains(&b)
    }

    /// `near(p)` without the UNDERPASS: what a Shoo reaches (R53).
    pub(super) fn above(&self, place: Province) -> BTreeSet<Province> {
        let mut above: BTreeSet<Province> = self.surface(place).iter().copied().collect();
        above.extend(self.linked(place));
        above
    }

    /// `air(p)`: where BIRDS can fly in one step; over the islands only those of the MASTERMIND.
    pub(super) fn air(&self, place: Province, islands: Islands) -> BTreeSet<Province> {
        let mut air = self.above(place);
        air.retain(|place| islands == Islands::Open || !is_island(*place));
        air
    }

    /// Whether the way between two spaces leads through the UNDERPASS: no other joins them (R35).
    pub(super) fn through_underpass(&self, from: Province, to: Province) -> bool {
        from != to
            && UNDERPASS.contains(&from)
            && UNDERPASS.contains(&to)
            && !self.surface(from).contains(&to)
            && !self.is_linked(from, to)
    }

    /// Where the UNDERPASS leads a unit of this kind that stands there.
    pub(super) fn by_underpass(&self, kind: UnitKind, from: Province) -> Vec<Location> {
        let walks = kind == UnitKind::ARMY || kind == FEMALE || kind == DOM;
        let others = UNDERPASS.iter().filter(|to| **to != from);
        if walks && UNDERPASS.contains(&from) {
            others.map(|to| Location::from(*to)).collect()
        } else {
            Vec::new()
        }
    }

    /// The LINK for the adjudicator.
    pub(super) fn overlay(&self) -> Overlay {
        Overlay {
            links: self.link.into_iter().collect(),
            ..Overlay::default()
        }
    }

    /// `reach`: where a unit of this kind can go in one step of its own, the islands left out where they are closed to it.
    pub(super) fn reach(&self, kind: UnitKind, from: Location, islands: Islands) -> Vec<Location> {
        let travel = self.map.travel(kind);
        let linked = self.linked(from.province).into_iter();
        let mut reach: Vec<Location> = self.map.reach(travel, from).to_vec();
        reach.extend(linked.flat_map(|to| self.map.stations(travel, to)));
        reach.extend(self.by_underpass(kind, from.province));
        reach.retain(|to| islands == Islands::Open || !is_island(to.province));
        reach.sort_unstable();
        reach.dedup();
        reach
    }

    /// How many of these stand so many steps from a space, from 0 up to the last of them.
    pub(super) fn rings(&self, around: Province, standing: &[Province]) -> Vec<usize> {
        let mut rings = Vec::new();
        let mut reached = BTreeSet::from([around]);
        let mut edge = reached.clone();
        while !edge.is_empty() {
            let on_it = standing.iter().filter(|place| edge.contains(place));
            rings.push(on_it.count());
            let next: BTreeSet<Province> = edge
                .iter()
                .flat_map(|place| self.near(*place))
                .filter(|place| !reached.contains(place))
                .collect();
            reached.extend(&next);
            edge = next;
        }
        let last = rings.iter().rposition(|count| *count > 0);
        rings.truncate(last.map_or(0, |last| last + 1));
        rings
    }

    /// Every space but the islands.
    pub(super) fn standard_spaces(&self) -> impl Iterator<Item = Province> {
        let spaces = self.map.provinces().iter().map(|info| info.code);
        spaces.filter(|place| *place != ICELAND && *place != CORFU)
    }

    pub(super) fn terrain(&self, place: Province) -> Terrain {
        let info = self.map.info(place);
        info.map_or(Terrain::Sea, |info| info.terrain)
    }

    pub(super) fn is_sea(&self, place: Province) -> bool {
        self.terrain(place) == Terrain::Sea
    }

    pub(super) fn is_center(&self, place: Province) -> bool {
        self.map.info(place).is_some_and(|info| info.center)
    }

    /// Where a unit that travels so can stand in a space: the alphabetically first coast, where it has several.
    pub(super) fn first_station(&self, travel: Travel, place: Province) -> Option<Location> {
        self.map.stations(travel, place).into_iter().min()
    }
}

#[cfg(test)]
mod tests {
    use super::super::PLACES;
    use super::*;

    fn place(code: &str) -> Province {
        code.to_uppercase().parse().unwrap()
    }

    /// 2.1: five pairs are joined by the UNDERPASS alone; a LINK between them is no UNDERPASS.
    #[test]
    fn the_underpass_is_what_nothing_else_joins() {
        let map = Map::with_places("standard", PLACES).unwrap();
        let ground = Ground { map, link: None };
        let mut pairs = Vec::new();
        for a in UNDERPASS {
            for b in UNDERPASS {
                if a < b && ground.through_underpass(a, b) {
                    pairs.push(format!("{a}-{b}"));
                }
            }
        }
        assert_eq!(
            pairs,
            ["BUR-PIE", "BUR-TYR", "MAR-MUN", "MAR-TYR", "MUN-PIE"]
        );
        let linked = Ground {
            map,
            link: Some((place("Pie"), place("Mun"))),
        };
        assert!(!linked.through_underpass(place("Mun"), place("Pie")));
        assert!(linked.touch(place("Mun"), place("Pie")));
        assert_eq!(ground.standard_spaces().count(), 75);
    }
}
