//! Orders in the judge's own language (`A Lon-Nth-Bel`, `Build A Paris`, `F(Stp)sc-Lvn`), for lines that do not use the
//! package's syntax.

use super::{Misread, Spoken};
use dipjudge_commands::names::Names;
use dipjudge_commands::order_words::{OrderWords, PlaceWords, Verb, Waive};
use dipjudge_commands::orders::read_orders;
use dipjudge_rules::calendar::PhaseKind;
use dipjudge_rules::map::{Location, Map, UnitKind};
use dipjudge_rules::orders::{Action, NewUnit, Passage};

/// Reads one order as players write it by mail.
///
/// # Errors
/// A sentence that explains why the text is not an order, or that it contains more than one.
pub fn judge_syntax(text: &str, phase: PhaseKind, map: &Map) -> Result<Spoken, Misread> {
    let shipped = Map::named(map.name()).filter(|shipped| std::ptr::eq(*shipped, map));
    let names = match shipped {
        Some(shipped) => Names::shared(shipped, shipped.powers()),
        None => Names::of(map, map.powers()),
    };
    let mut read = read_orders(text, phase, &names).into_iter();
    match (read.next(), read.next()) {
        (Some(Ok(words)), None) => spoken(&words, map),
        (Some(Err(misread)), _) => Err(Misread(misread.to_string())),
        (Some(Ok(_)), Some(_)) => Err(Misread("Each order must be a text of its own.".to_owned())),
        (None, _) => Err(Misread("The order cannot be read.".to_owned())),
    }
}

fn spoken(words: &OrderWords, map: &Map) -> Result<Spoken, Misread> {
    let at = words.unit.as_ref().map(|unit| place(&unit.place));
    let kind = words.unit.as_ref().and_then(|unit| unit.kind);
    let mut other_kind = None;
    let no = |what: &str| Err(Misread(what.to_owned()));
    let action = match &words.verb {
        Verb::Hold => Action::Hold,
        Verb::Move { route, via } => {
            let Some((last, seas)) = route.split_last() else {
                return no("A move needs a destination.");
            };
            let by = match (seas, via) {
                ([], false) => Passage::Auto,
                ([], true) => Passage::Convoy,
                (seas, _) => Passage::Route(seas.iter().map(|sea| sea.province).collect()),
            };
            Action::Move {
                to: place(last),
                by,
            }
        }
        Verb::SupportHold { unit } => {
            other_kind = unit.kind;
            Action::SupportHold {
                at: unit.place.province,
            }
        }
        Verb::SupportMove { unit, to } => {
            other_kind = unit.kind;
            Action::SupportMove {
                from: unit.place.province,
                to: place(to),
            }
        }
        Verb::Convoy { unit, to } => {
            other_kind = unit.kind;
            Action::Convoy {
                from: unit.place.province,
                to: to.province,
            }
        }
        Verb::Retreat { to } => Action::Retreat { to: place(to) },
        Verb::Disband => Action::Disband,
        Verb::Remove => match at {
            Some(at) => Action::Remove { at: at.province },
            None => return no("Say which unit to remove."),
        },
        Verb::Build | Verb::Adjust => match (kind, at) {
            (Some(kind), Some(at)) => Action::Build(NewUnit {
                kind,
                at: dropped_coast(map, kind, at),
            }),
            _ => return no("Say what to build and where: Build A Par."),
        },
        Verb::Waive(Waive::One) => Action::Waive,
        Verb::Waive(_) => return no("Each waived build must be an order of its own."),
        Verb::HoldAll | Verb::Proxy { .. } | Verb::Maintain | Verb::Own(_) => {
            return no("Such an order is not adjudicated here.");
        }
    };
    Ok(Spoken {
        kind,
        at,
        action,
        other_kind,
    })
}

fn place(words: &PlaceWords) -> Location {
    Location {
        province: words.province,
        coast: words.coast,
    }
}

/// Drops a coast that is irrelevant for the unit, as for orders by mail.
fn dropped_coast(map: &Map, kind: UnitKind, at: Location) -> Location {
    let several = map
        .info(at.province)
        .is_some_and(|info| !info.coasts.is_empty());
    if kind == UnitKind::ARMY || !several {
        at.province.into()
    } else {
        at
    }
}
