//! The variant's own lines, and its checks of common orders.

use super::colonizing;
use super::room::written;
use super::state::{OuterSpaceView, WRITTEN};
use super::state::{aboard, is_aboard};
use super::{BERTHS, ORBIT, refusals};
use crate::data_of;
use dipjudge_game::project::Sight;
use dipjudge_game::{Considered, Effect, Phase, Refusal, Submission, refuse};
use dipjudge_grammar::Line;
use dipjudge_rules::map::{Power, UnitKind};
use dipjudge_rules::orders::{Action, Illegal, Passage};
use dipjudge_rules::position::Unit;

/// Holds one of the variant's lines against the sender's sight.
pub(super) fn read(line: &Line, sight: &Sight) -> Result<Considered, Refusal> {
    if line.rule == "empire" {
        return refuse("Empires are named until the first phase is processed.");
    }
    if sight.phase == Phase::Retreats && line.rule == "beam-up" {
        return refuse(
            "Beaming up is for movement phases; an army retreats to your spacecraft by A MUN R ORB.",
        );
    }
    if sight.phase != Phase::Movement {
        return refuse("Such an order is for movement phases.");
    }
    let unit = own_unit(line, sight)?;
    if is_aboard(&unit) {
        return refuse(refusals::ABOARD);
    }
    match line.rule.as_str() {
        "colonize" => {
            let to = line.provinces().get(1).copied();
            colonizing::order(sight, &unit, to.unwrap_or(unit.at.province))
                .map(|action| only(Effect::Order(unit.id, action)))
        }
        "beam-up" if line.provinces().get(1).is_some_and(|to| *to != ORBIT) => {
            refuse("Beaming up leads to the spacecraft alone.")
        }
        "beam-up" if unit.kind != UnitKind::ARMY => refuse(refusals::FLEET),
        "beam-up" => {
            let up = Action::Move {
                to: ORBIT.into(),
                by: Passage::Auto,
            };
            reconsider(Effect::Order(unit.id, up), sight)
        }
        _ => refuse("This line is not an order of this variant."),
    }
}

fn only(effect: Effect) -> Considered {
    Considered {
        effects: vec![effect],
        notes: Vec::new(),
    }
}

/// The sender's unit that a line names; of those aboard any.
fn own_unit(line: &Line, sight: &Sight) -> Result<Unit, Refusal> {
    let illegal = |illegal: Illegal| illegal.sentence(sight.map, &sight.powers);
    let named = line.find("unit").unwrap_or(line);
    let Some(province) = named.province() else {
        return refuse("Say which unit: A MUN.");
    };
    let (kind, nation) = (named.kind(), named.power());
    let own = |unit: &&Unit| unit.power == sight.power || sight.borrowed.contains(&unit.id);
    let there = || {
        sight
            .position
            .units
            .iter()
            .filter(|unit| unit.at.province == province)
    };
    let Some(unit) = there().find(own) else {
        return refuse(match there().next() {
            Some(other) if province != ORBIT => {
                illegal(Illegal::NotYours(other.into(), sight.power))
            }
            Some(_) => refusals::NOBODY_ABOARD.to_owned(),
            None => illegal(Illegal::NothingThere(kind, province)),
        });
    };
    if let Some(kind) = kind.filter(|kind| *kind != unit.kind) {
        return refuse(illegal(Illegal::WrongKind(unit.into(), kind)));
    }
    match nation.filter(|nation| *nation != unit.power) {
        Some(nation) => refuse(illegal(Illegal::NotYours(unit.into(), nation))),
        None => Ok(*unit),
    }
}

/// The variant's checks of common orders: room for retreats, and the order in which armies are to beam up.
pub(super) fn reconsider(effect: Effect, sight: &Sight) -> Result<Considered, Refusal> {
    let mut considered = only(effect);
    match considered.effects.first() {
        Some(Effect::Order(unit, Action::Retreat { to })) if to.province == ORBIT => {
            berth_for(sight, *unit)?;
        }
        Some(Effect::Order(unit, Action::Move { to, by }))
            if *by != Passage::Auto && (to.province == ORBIT || aboard_now(sight, *unit)) =>
        {
            return refuse(refusals::NO_CONVOY);
        }
        Some(Effect::Order(unit, Action::Move { to, .. }))
            if to.province == ORBIT && OuterSpaceView::seen(sight).listed =>
        {
            let mut order = written(sight.submitted(WRITTEN));
            order.retain(|other| other != unit);
            order.push(*unit);
            considered.effects.push(Effect::Submission(Submission {
                name: WRITTEN.to_owned(),
                data: Some(data_of(&order)),
                lasting: false,
            }));
        }
        _ => {}
    }
    Ok(considered)
}

fn aboard_now(sight: &Sight, unit: dipjudge_rules::position::UnitId) -> bool {
    sight
        .position
        .units
        .iter()
        .any(|other| other.id == unit && is_aboard(other))
}

/// Whether the spacecraft still has a place for a retreat; one ordered before keeps its own.
fn berth_for(sight: &Sight, unit: dipjudge_rules::position::UnitId) -> Result<(), Refusal> {
    let coming = |power: Power| {
        sight
            .position
            .dislodged
            .iter()
            .filter(|other| other.unit.power == power && other.unit.id != unit)
            .filter(|other| {
                matches!(
                    sight.orders.units.get(&other.unit.id),
                    Some(Action::Retreat { to }) if to.province == ORBIT
                )
            })
            .count()
    };
    let room = BERTHS.saturating_sub(aboard(&sight.position.units, sight.power));
    if coming(sight.power) < room {
        return Ok(());
    }
    let places = match room {
        1 => "one army".to_owned(),
        room => format!("{room} armies"),
    };
    refuse(format!(
        "Your spacecraft has room for {places}, and other retreats are ordered there already."
    ))
}
