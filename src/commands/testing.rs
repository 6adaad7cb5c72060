//! What the tests of this room share.

use super::names::Names;
use super::order_clauses::BoardInSight;
use dipjudge_rules::map::{Coast, Map, Province, Terrain, UnitKind};
use std::sync::OnceLock;

/// Names of the standard game.
pub(super) fn names() -> &'static Names {
    static NAMES: OnceLock<Names> = OnceLock::new();
    NAMES.get_or_init(|| Names::of(Map::standard(), Map::standard().powers()))
}

/// A board with units of the writer's in some provinces and of others in some.
pub(super) struct Board {
    pub(super) own: Vec<Province>,
    pub(super) others: Vec<Province>,
    pub(super) sites: Vec<Province>,
}

impl BoardInSight for Board {
    fn is_own(&self, province: Province) -> bool {
        self.own.contains(&province)
    }

    fn is_occupied(&self, province: Province) -> bool {
        self.is_own(province) || self.others.contains(&province)
    }

    fn is_sea(&self, province: Province) -> bool {
        let info = Map::standard().info(province);
        info.is_some_and(|info| info.terrain == Terrain::Sea)
    }

    fn has_coast(&self, province: Province, coast: Coast) -> bool {
        let info = Map::standard().info(province);
        info.is_some_and(|info| info.coasts.contains(&coast))
    }

    fn all_of_kind(&self, kind: UnitKind) -> Vec<Province> {
        let fleets = provinces(&["ion", "aeg"]).into_iter();
        let is_own = |at: &Province| kind == UnitKind::FLEET && self.own.contains(at);
        fleets.filter(is_own).collect()
    }

    fn all(&self) -> Vec<Province> {
        self.own.clone()
    }

    fn place_of_all(&self) -> Option<Province> {
        None
    }

    fn shared_place(&self) -> Option<Province> {
        None
    }

    fn only_that_reaches(&self, kind: UnitKind, _: Province) -> Option<Province> {
        match self.all_of_kind(kind).as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    fn sites(&self) -> &[Province] {
        &self.sites
    }

    fn has_order(&self, _: Province) -> bool {
        false
    }

    fn only_dislodged(&self) -> Option<Province> {
        self.own.first().copied().filter(|_| self.own.len() == 1)
    }
}

/// The provinces of the standard map with these codes.
pub(super) fn provinces(codes: &[&str]) -> Vec<Province> {
    let map = Map::standard();
    codes
        .iter()
        .filter_map(|code| map.find_province(code))
        .collect()
}
