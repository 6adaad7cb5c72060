//! Places in sentences of this variant.

use dipjudge_rules::map::{Location, Map, Province, Terrain};
use dipjudge_view::and_list;

pub(super) fn name(map: &Map, province: Province) -> String {
    map.full_name(Location::from(province))
}

/// `Munich`, `the North Sea`.
pub(super) fn in_sentence(map: &Map, province: Province) -> String {
    let sea = map
        .info(province)
        .is_some_and(|info| info.terrain == Terrain::Sea);
    if sea {
        format!("the {}", name(map, province))
    } else {
        name(map, province)
    }
}

/// `Berlin, Kiel and Munich`, names in alphabetical order.
pub(super) fn names(map: &Map, provinces: impl Iterator<Item = Province>) -> String {
    let mut names: Vec<String> = provinces.map(|province| name(map, province)).collect();
    names.sort();
    and_list(&names)
}
