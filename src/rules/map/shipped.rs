//! The maps of this folder. Each is read when it is first used.

use std::sync::OnceLock;

use super::Map;

macro_rules! shipped {
    ($($name:literal),+ $(,)?) => {
        [$(Shipped {
            name: $name,
            text: include_str!(concat!($name, ".map")),
            map: OnceLock::new(),
        }),+]
    };
}

/// All maps, in alphabetical order.
static SHIPPED: [Shipped; 6] =
    shipped!["ancient", "hundred", "modern", "pure", "sailho", "standard",];

/// A map file of this folder.
struct Shipped {
    name: &'static str,
    text: &'static str,
    map: OnceLock<Map>,
}

/// The map of this name, in any case.
pub(super) fn named(name: &str) -> Option<&'static Map> {
    let shipped = SHIPPED
        .iter()
        .find(|shipped| shipped.name.eq_ignore_ascii_case(name))?;
    let read = || match Map::parse(shipped.text, named) {
        Ok(map) => map,
        Err(error) => unreachable!("{}.map: {error}", shipped.name),
    };
    Some(shipped.map.get_or_init(read))
}

/// The names of all.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    SHIPPED.iter().map(|shipped| shipped.name)
}
