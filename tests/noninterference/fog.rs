//! The fog of a BLIND game, from `rules/civdip.md` 6.2 to 6.5: who sees which place, and which line is told of a unit.

use std::collections::BTreeSet;

use dipjudge::adjudicator::Mark;
use dipjudge::game::{Game, Outcome, Played, State};
use dipjudge::map::{Power, Province};
use dipjudge::orders::Action;
use dipjudge::position::{Position, Unit, UnitId};
use serde_json::json;

use super::fixture::Fixture;
use super::oracle::Standing;
use super::strangers;

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
pub fn snapshot(game: &Game, standing: &Standing, fixture: &Fixture) -> String {
    if standing.master || matches!(game.state, State::Over(_)) {
        return format!("sees all: {}", json!(game.position));
    }
    let mut told = Vec::new();
    for power in &standing.powers {
        let watched = horizon(game, &game.position, *power, fixture);
        let seen = |unit: &&Unit| unit.power == *power || watched.contains(&unit.at.province);
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
            .filter(|(center, owner)| *owner == power || watched.contains(center))
            .map(|(center, owner)| format!("{center} {owner:?}"))
            .collect();
        let retreats: Vec<String> = game
            .position
            .dislodged
            .iter()
            .filter(|one| one.unit.power == *power)
            .map(|one| json!(one.options).to_string())
            .collect();
        told.push(format!(
            "{power:?} sees {units:?} {owners:?} {retreats:?} {watched:?}"
        ));
    }
    with_names(told.join("; "), game, fixture)
}

/// What is told of powers by their numbers, with their names where these are no public knowledge.
fn with_names(mut told: String, game: &Game, fixture: &Fixture) -> String {
    if fixture.is_of_strangers() {
        let state: strangers::State = game.data.stored();
        for (n, name) in state.names.iter().enumerate() {
            told = told.replace(&format!("Power({n})"), &format!("{name} {n}"));
        }
    }
    told
}

/// What is told of a phase to a reader: his own units' fate, and a line for each foreign unit within sight.
pub fn lines(
    before: &Game,
    after: &Game,
    played: &Played,
    standing: &Standing,
    fixture: &Fixture,
) -> Vec<String> {
    let mut told = Vec::new();
    for power in &standing.powers {
        let sight = Sight {
            power: *power,
            began: horizon(before, &before.position, *power, fixture),
            ended: horizon(before, &after.position, *power, fixture),
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
    let named = |line| with_names(line, after, fixture);
    told.into_iter().map(named).collect()
}

struct Sight<'p> {
    power: Power,
    began: BTreeSet<Province>,
    ended: BTreeSet<Province>,
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
        let (s0, s1) = (
            self.began.contains(&from),
            to.is_some_and(|to| self.ended.contains(&to)),
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
        let object = |from: &Province| self.began.contains(from);
        match &outcome.action {
            Some(Action::Move { to, .. }) if bounced && self.sees(to.province) => {
                format!("{named} -> {to} bounces")
            }
            Some(Action::Retreat { to }) if bounced && self.sees(to.province) => {
                format!("{named} -> {to} bounces")
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
