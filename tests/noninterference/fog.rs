//! The fog of a BLIND game, from `rules/civdip.md` 6.2 to 6.5: who sees which place, and which line is told of a unit.

use std::collections::BTreeSet;

use dipjudge::adjudicator::Mark;
use dipjudge::game::{Game, Outcome, Played, State};
use dipjudge::map::{Power, Province};
use dipjudge::orders::Action;
use dipjudge::position::{Position, Unit, UnitId};
use serde_json::json;

use super::acquaintance::Acquaintances;
use super::civilizations::{self, Glimpsed};
use super::fixture::Fixture;
use super::oracle::Standing;

/// The provinces that a power watches: what gives sight, and all around it.
pub fn horizon(
    game: &Game,
    position: &Position,
    power: Power,
    fixture: &Fixture,
) -> BTreeSet<Province> {
    let map = game.map();
    let from = fixture.sees();
    let mut watched = BTreeSet::new();
    let own = position.units_of(power).count() > 0 || position.centers_of(power).count() > 0;
    if !own {
        return watched;
    }
    if from.contains("units") {
        watched.extend(position.units_of(power).map(|unit| unit.at.province));
    }
    if from.contains("centers") {
        watched.extend(position.centers_of(power));
    }
    if from.contains("homes") {
        watched.extend(map.homes(power).iter().copied());
    }
    // Search of the map: a place is seen from any place that it touches.
    let touched: Vec<Province> = map
        .provinces()
        .iter()
        .map(|info| info.code)
        .filter(|place| {
            map.neighbors(*place)
                .iter()
                .any(|next| watched.contains(next))
        })
        .collect();
    watched.extend(touched);
    watched
}

/// Everything on the board that a reader sees.
pub fn snapshot(
    game: &Game,
    standing: &Standing,
    fixture: &Fixture,
    glimpses: &Glimpsed,
) -> String {
    if standing.master || matches!(game.state, State::Over(_)) {
        return format!("sees all: {}", json!(game.position));
    }
    let mut told = Vec::new();
    for power in &standing.powers {
        let map = map(game, *power, fixture, glimpses);
        let retreats: Vec<String> = game
            .position
            .dislodged
            .iter()
            .filter(|one| one.unit.power == *power)
            .map(|one| json!(one.options).to_string())
            .collect();
        told.push(format!("{map} {retreats:?}"));
    }
    Acquaintances::of(game).put_names_in(told.join("; "))
}

/// What a power has in sight, itself included: what it may show another.
pub fn map(game: &Game, power: Power, fixture: &Fixture, glimpses: &Glimpsed) -> String {
    let watched = horizon(game, &game.position, power, fixture);
    let glimpsed = glimpses.by(power);
    let seen = |unit: &&Unit| {
        unit.power == power || watched.contains(&unit.at.province) || glimpsed.contains(&unit.id)
    };
    let dislodged = game.position.dislodged.iter().map(|one| &one.unit);
    let mut units: Vec<String> = game
        .position
        .units
        .iter()
        .filter(seen)
        .map(|unit| format!("{:?} {} {}", unit.power, unit.kind, unit.at))
        .collect();
    units.extend(
        dislodged
            .filter(seen)
            .map(|unit| format!("{:?} *{} {}", unit.power, unit.kind, unit.at)),
    );
    units.sort();
    let owners: Vec<String> = game
        .position
        .owners
        .iter()
        .filter(|(center, owner)| **owner == power || watched.contains(center))
        .map(|(center, owner)| format!("{center} {owner:?}"))
        .collect();
    let told = format!("{power:?} sees {units:?} {owners:?} {watched:?}");
    Acquaintances::of(game).put_names_in(told)
}

/// What is told of a phase to a reader: his own units' fate, and a line for each foreign unit within sight.
pub fn lines(
    before: &Game,
    after: &Game,
    played: &Played,
    standing: &Standing,
    fixture: &Fixture,
    glimpses: (&Glimpsed, &Glimpsed),
) -> Vec<String> {
    let mut told = Vec::new();
    for power in &standing.powers {
        let sight = Sight {
            power: *power,
            began: horizon(before, &before.position, *power, fixture),
            ended: horizon(before, &after.position, *power, fixture),
            glimpsed: (glimpses.0.by(*power), glimpses.1.by(*power)),
            moves_alone: civilizations::is(before, "orders", "moves"),
            after: &after.position,
            played,
        };
        told.extend(played.outcomes.iter().filter_map(|outcome| {
            if outcome.unit.power == *power {
                Some(sight.own(outcome))
            } else {
                sight.foreign(outcome)
            }
        }));
        for adjusted in &played.adjusted {
            if adjusted.power == *power {
                told.push(format!("{:?}", adjusted.what));
            }
        }
    }
    let acquaintances = Acquaintances::of(after);
    let named = |line| acquaintances.put_names_in(line);
    told.into_iter().map(named).collect()
}

struct Sight<'p> {
    power: Power,
    began: BTreeSet<Province>,
    ended: BTreeSet<Province>,
    /// Units seen beyond that, before and now.
    glimpsed: (BTreeSet<UnitId>, BTreeSet<UnitId>),
    /// Of others moves alone are told.
    moves_alone: bool,
    after: &'p Position,
    played: &'p Played,
}

impl Sight<'_> {
    fn sees(&self, province: Province) -> bool {
        self.began.contains(&province) || self.ended.contains(&province)
    }

    /// A marker of one's own order tells what the unit itself suffered.
    fn own(&self, outcome: &Outcome) -> String {
        let has = |mark: Mark| outcome.marks.contains(&mark);
        let moves = matches!(
            outcome.action,
            Some(Action::Move { .. } | Action::Retreat { .. })
        );
        let supports = matches!(
            outcome.action,
            Some(Action::SupportHold { .. } | Action::SupportMove { .. })
        );
        let stranded = moves && (has(Mark::NoConvoy) || has(Mark::Disrupted));
        let attacked = supports && self.is_attacked(outcome);
        let fate = self
            .where_is(outcome.unit.id)
            .map(|unit| unit.at.to_string());
        format!(
            "own unit {} {}: {:?} bounce {} dislodged {} stranded {stranded} attacked {attacked} now {fate:?}",
            outcome.unit.kind,
            outcome.unit.at,
            outcome.action,
            has(Mark::Bounce),
            has(Mark::Dislodged),
        )
    }

    /// Whether a foreign unit really came against it.
    fn is_attacked(&self, outcome: &Outcome) -> bool {
        self.played.outcomes.iter().any(|other| {
            let failed = [Mark::NoConvoy, Mark::Void]
                .iter()
                .any(|mark| other.marks.contains(mark));
            let comes = matches!(
                &other.action,
                Some(Action::Move { to, .. }) if to.province == outcome.unit.at.province
            );
            other.unit.power != self.power && comes && !failed
        }) || outcome.marks.contains(&Mark::Cut)
    }

    fn where_is(&self, id: UnitId) -> Option<&Unit> {
        self.after.unit(id)
    }

    fn foreign(&self, outcome: &Outcome) -> Option<String> {
        let unit = &outcome.unit;
        let from = unit.at.province;
        let to = self.where_is(unit.id).map(|unit| unit.at.province);
        let (before, now) = (&self.glimpsed.0, &self.glimpsed.1);
        let (s0, s1) = (
            self.began.contains(&from) || before.contains(&unit.id),
            to.is_some_and(|to| self.ended.contains(&to) || now.contains(&unit.id)),
        );
        let named = format!("{:?} {} {from}", unit.power, unit.kind);
        let dislodged = outcome.marks.contains(&Mark::Dislodged);
        let text = match (s0, s1) {
            (true, true) if to != Some(from) => format!("{named} -> {to:?}"),
            (true, true) => self.stays(outcome),
            (true, false) => {
                let why = if self.ended.contains(&from) {
                    "leaves"
                } else {
                    "is out of sight"
                };
                format!("{named} {why}")
            }
            (false, true) if !to.is_some_and(|to| self.ended.contains(&to)) => self.stays(outcome),
            (false, true) => format!("{named} comes to {to:?}"),
            (false, false) => return None,
        };
        Some(format!("{text} dislodged {dislodged}"))
    }

    /// A unit that stays is told with its order only as far as the order's objects are in sight.
    fn stays(&self, outcome: &Outcome) -> String {
        let unit = &outcome.unit;
        let named = format!("{:?} {} {}", unit.power, unit.kind, unit.at);
        let bounced = outcome.marks.contains(&Mark::Bounce);
        let glimpsed = |from: &Province| {
            let units = self.played.outcomes.iter().map(|told| told.unit);
            let mut there = units.filter(|unit| unit.at.province == *from);
            there.any(|unit| self.glimpsed.0.contains(&unit.id))
        };
        let object = |from: &Province| self.began.contains(from) || glimpsed(from);
        match &outcome.action {
            Some(Action::Move { to, .. }) if bounced && self.sees(to.province) => {
                format!("{named} -> {to} bounces")
            }
            Some(Action::Retreat { to }) if bounced && self.sees(to.province) => {
                format!("{named} -> {to} bounces")
            }
            Some(
                Action::SupportHold { .. } | Action::SupportMove { .. } | Action::Convoy { .. },
            ) if self.moves_alone => {
                format!("{named} stays")
            }
            Some(action @ Action::SupportHold { at }) if object(at) => {
                format!("{named} {action:?}")
            }
            Some(action @ Action::SupportMove { from, to })
                if object(from) && self.sees(to.province) =>
            {
                format!("{named} {action:?}")
            }
            Some(action @ Action::Convoy { from, to }) if object(from) && self.sees(*to) => {
                format!("{named} {action:?}")
            }
            _ => format!("{named} stays"),
        }
    }
}
