//! What a unit that is born can be, and what its owner wishes it to be (`rules.md`, A.7).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use dipjudge_rules::map::{Coast, Map, Province, Terrain, UnitKind};
use dipjudge_rules::orders::VariantData;

/// The kind of a unit that is born, but whose type is not known yet.
pub(super) const UNDECIDED: UnitKind = UnitKind::literal("NEW");

/// What is laid over any map: no supply centers, and units whose type is not known yet.
pub(super) const PLACES: &str = "no centers\nkind NEW  Unit  both  idle\n";

/// The name under which the standing line is kept; other lines are kept by the codes of their provinces.
pub(super) const ANY: &str = "ANY";

/// What an owner or a draw wants a new unit to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Wish {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<UnitKind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coast: Option<Coast>,
}

impl Wish {
    /// Whether it says nothing.
    pub(super) fn is_nothing(&self) -> bool {
        *self == Wish::default()
    }

    /// What a submission says.
    pub(super) fn of(data: &VariantData) -> Wish {
        data.stored()
    }
}

/// `F/NC`
impl std::fmt::Display for Wish {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.kind, self.coast) {
            (Some(kind), Some(coast)) => write!(f, "{kind}/{coast}"),
            (Some(kind), None) => write!(f, "{kind}"),
            (None, Some(coast)) => write!(f, "{coast}"),
            (None, None) => Ok(()),
        }
    }
}

/// The kind that is born in a terrain; `None` where the owner has a choice.
pub(super) fn by_nature(terrain: Terrain) -> Option<UnitKind> {
    match terrain {
        Terrain::Sea => Some(UnitKind::FLEET),
        Terrain::Inland => Some(UnitKind::ARMY),
        Terrain::Coast | Terrain::Islands => None,
    }
}

/// What submissions say of a province: its own line, else the standing one.
pub(super) fn wish(submissions: &BTreeMap<&str, &VariantData>, province: Province) -> Wish {
    submissions
        .get(province.as_str())
        .or_else(|| submissions.get(ANY))
        .map_or_else(Wish::default, |data| Wish::of(data))
}

/// Whether a wish leaves something open in a province.
pub(super) fn leaves_open(map: &Map, wish: Wish, province: Province) -> bool {
    match wish.kind {
        None => true,
        Some(UnitKind::FLEET) => wish.coast.is_none() && !coasts(map, province).is_empty(),
        Some(_) => false,
    }
}

pub(super) fn coasts(map: &Map, province: Province) -> &[Coast] {
    map.info(province).map_or(&[], |info| &info.coasts)
}
