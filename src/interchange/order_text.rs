//! Orders in the package's syntax (`A MAR S A PAR - BUR`). Others go to the fallback, which reads the judge's own syntax.

use dipjudge_rules::calendar::PhaseKind;
use dipjudge_rules::map::{Location, Map, UnitKind};
use dipjudge_rules::notation::WrittenOrder;
use dipjudge_rules::orders::{Action, Passage};
use dipjudge_rules::position::NamedUnit;

/// An order as it was written: its unit, by kind and place as far as they were named, and its action.
#[derive(Clone, Debug, PartialEq)]
pub struct Spoken {
    /// The unit's kind, if it was named.
    pub kind: Option<UnitKind>,
    /// Where it is; `None` only for `WAIVE`.
    pub at: Option<Location>,
    /// Its action.
    pub action: Action,
    /// The kind of the supported or convoyed unit, if it was named.
    pub other_kind: Option<UnitKind>,
}

/// Why a text is not an order: a whole sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread(pub String);

/// Reads an order in some other syntax; the judge's own order language is used through this type only.
pub type Fallback = dyn Fn(&str, PhaseKind, &Map) -> Result<Spoken, Misread> + Sync;

/// Reads an order.
pub(super) fn read(
    text: &str,
    phase: PhaseKind,
    map: &Map,
    fallback: Option<&Fallback>,
) -> Result<Spoken, Misread> {
    match (package_syntax(text, phase, map), fallback) {
        (Some(spoken), _) => Ok(spoken),
        (None, Some(fallback)) => fallback(text, phase, map),
        (None, None) => Err(Misread("The order cannot be read.".to_owned())),
    }
}

/// Reads an order in the package's syntax only, which has armies and fleets but no routes.
pub(super) fn package_syntax(text: &str, phase: PhaseKind, map: &Map) -> Option<Spoken> {
    let order = WrittenOrder::read(map, phase, text).ok()?;
    let named = [order.unit, order.helped];
    let foreign_kind = |unit: &NamedUnit| !matches!(unit.kind, UnitKind::ARMY | UnitKind::FLEET);
    let route = matches!(
        order.action,
        Action::Move {
            by: Passage::Route(_),
            ..
        }
    );
    if route || named.iter().flatten().any(foreign_kind) {
        return None;
    }
    Some(Spoken {
        kind: order.unit.map(|unit| unit.kind),
        at: order.unit.map(|unit| unit.at),
        action: order.action,
        other_kind: order.helped.map(|unit| unit.kind),
    })
}
