//! What one power sees of the others in one step of the game: the table of CivDip 6.3 and 6.4, used by every game with a horizon
//! (README, Decided 15). It is computed from the moments before and after, and from orders if both ends of them are in sight.

use super::{Labels, Naming, kind_name};
use crate::planted::{Leak, planted};
use crate::{Game, Horizon, Outcome, VariantGame};
use dipjudge_rules::adjudicator::Mark;
use dipjudge_rules::map::{Location, Power, Province};
use dipjudge_rules::orders::{Action, Names, Never, Passage, Rename};
use dipjudge_rules::position::{Position, Unit, UnitId};
use dipjudge_view::{
    InNames, InSight, Label, SeenAction, Sighting, SpecialInNames, SupportedUnit, UnitInSight,
};
use std::convert::Infallible;

/// Two moments of a game as one power sees them, and the results between them.
pub(super) struct Step<'a> {
    /// The power that looks.
    pub power: Power,
    /// The position before.
    pub before: &'a Position,
    /// The sight before.
    pub h0: &'a Horizon,
    /// The position after.
    pub after: &'a Position,
    /// The sight after.
    pub h1: &'a Horizon,
    /// Orders and their results, in a movement step.
    pub moves: &'a [Outcome],
    /// Units removed in Winter (not disbanded).
    pub removed: &'a [UnitId],
}

/// One fact about a foreign unit, with places not yet in words.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SeenFact {
    /// The unit as the line names it.
    pub unit: Unit,
    /// What it was seen to do.
    pub did: SeenAction<InSteps>,
    /// Whether it was dislodged in sight.
    pub dislodged: bool,
}

/// An order that a foreign unit may have had, as far as it was seen.
pub(super) struct SeenOrder {
    pub(super) unit: Unit,
    pub(super) action: Action,
}

impl SeenFact {
    /// The order that fits what the unit did; `None` if it went where it is not seen.
    pub(super) fn as_order(&self) -> Option<SeenOrder> {
        let move_to = |to: Location| Action::Move {
            to,
            by: Passage::Auto,
        };
        let action = match &self.did {
            SeenAction::Action(Action::Move { to, .. }) | SeenAction::StandOff { to } => {
                move_to(*to)
            }
            SeenAction::Action(Action::SupportHold { at }) => {
                Action::SupportHold { at: at.at.province }
            }
            SeenAction::Action(Action::SupportMove { from, to }) => Action::SupportMove {
                from: from.at.province,
                to: *to,
            },
            SeenAction::Action(Action::Convoy { from, to }) => Action::Convoy {
                from: from.at.province,
                to: *to,
            },
            SeenAction::Stay => Action::Hold,
            _ => return None,
        };
        Some(SeenOrder {
            unit: self.unit,
            action,
        })
    }
}

/// Names actions by what is seen of them: units, but not routes or actions that only a variant understands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum InSteps {}

impl Names for InSteps {
    type Place = Location;
    type Province = Province;
    type Unit = Unit;
    type Route = ();
    type NewUnit = Never;
    type Special = Never;
}

/// A unit, and whether it is dislodged.
type Found<'a> = (&'a Unit, bool);

fn all(position: &Position) -> impl Iterator<Item = Found<'_>> {
    let standing = position.units.iter().map(|unit| (unit, false));
    standing.chain(position.dislodged.iter().map(|one| (&one.unit, true)))
}

impl Step<'_> {
    /// Everything seen of foreign units, in no particular order.
    pub(super) fn facts(&self) -> Vec<SeenFact> {
        let foreign = |found: &Found| found.0.power != self.power;
        let later = |id: UnitId| all(self.after).find(|(unit, _)| unit.id == id);
        let mut facts: Vec<SeenFact> = all(self.before)
            .filter(foreign)
            .filter_map(|(unit, _)| match later(unit.id) {
                Some((now, dislodged)) => self.still_there(unit, now, dislodged),
                None => self.gone(unit),
            })
            .collect();
        let new = |found: &Found| !all(self.before).any(|(unit, _)| unit.id == found.0.id);
        facts.extend(
            all(self.after)
                .filter(foreign)
                .filter(new)
                .filter_map(|(unit, _)| self.built(unit)),
        );
        facts
    }

    fn still_there(&self, unit: &Unit, now: &Unit, dislodged: bool) -> Option<SeenFact> {
        let fact = |unit: &Unit, did, dislodged| {
            Some(SeenFact {
                unit: *unit,
                did,
                dislodged,
            })
        };
        let moved = unit.at.province != now.at.province;
        match (self.h0.shows(unit), self.h1.shows(now)) {
            (true, true) if moved => fact(
                unit,
                SeenAction::Action(Action::Move { to: now.at, by: () }),
                false,
            ),
            (true, true) => {
                let told = self.moves.iter().find(|told| told.unit.id == unit.id)?;
                fact(unit, self.in_place(told), dislodged)
            }
            (true, false) if self.h1.provinces.contains(&unit.at.province) => {
                fact(unit, SeenAction::Leave, false)
            }
            (true, false) => fact(unit, SeenAction::PassOutOfSight, false),
            (false, true) if !self.h1.provinces.contains(&now.at.province) => {
                // It is seen because of this stand-off only.
                let told = self.moves.iter().find(|told| told.unit.id == unit.id)?;
                let did = self.stood_off(told)?;
                fact(unit, did, dislodged)
            }
            (false, true) if self.h0.provinces.contains(&now.at.province) => {
                fact(now, SeenAction::Arrive, dislodged)
            }
            (false, true) => fact(now, SeenAction::ComeIntoSight, dislodged),
            (false, false) => None,
        }
    }

    /// The fact about a unit that was in sight all the time and did not move.
    fn in_place(&self, told: &Outcome) -> SeenAction<InSteps> {
        match told.action.as_ref() {
            Some(Action::Move { .. }) => self.stood_off(told),
            _ if self.h1.moves_alone => None,
            Some(Action::SupportHold { at }) => self
                .began_in_sight(*at)
                .map(|at| SeenAction::Action(Action::SupportHold { at })),
            Some(Action::SupportMove { from, to }) if self.either(to.province) => {
                self.began_in_sight(*from).map(|from| {
                    let to = to.province.into();
                    SeenAction::Action(Action::SupportMove { from, to })
                })
            }
            Some(Action::Convoy { from, to }) if self.either(*to) => self
                .began_in_sight(*from)
                .map(|from| SeenAction::Action(Action::Convoy { from, to: *to })),
            _ => None,
        }
        .unwrap_or(SeenAction::Stay)
    }

    fn stood_off(&self, told: &Outcome) -> Option<SeenAction<InSteps>> {
        match &told.action {
            Some(Action::Move { to, .. })
                if told.marks.contains(&Mark::Bounce) && self.either(to.province) =>
            {
                Some(SeenAction::StandOff { to: *to })
            }
            _ => None,
        }
    }

    /// Whether a province was or is in sight.
    pub(super) fn either(&self, province: Province) -> bool {
        self.h0.provinces.contains(&province) || self.h1.provinces.contains(&province)
    }

    /// The unit that stood in a province, if it was in sight. The looking power's own units always are.
    fn began_in_sight(&self, province: Province) -> Option<Unit> {
        let unit = self.before.standing(province)?;
        let seen = self.h0.shows(unit) || planted(Leak::HiddenPartner);
        (unit.power == self.power || seen).then_some(*unit)
    }

    fn gone(&self, unit: &Unit) -> Option<SeenFact> {
        if !self.h0.shows(unit) {
            return None;
        }
        let did = match (self.h1.shows(unit), self.removed.contains(&unit.id)) {
            (false, _) => SeenAction::PassOutOfSight,
            (true, true) => SeenAction::Remove,
            (true, false) => SeenAction::Action(Action::Disband),
        };
        Some(SeenFact {
            unit: *unit,
            did,
            dislodged: false,
        })
    }

    fn built(&self, unit: &Unit) -> Option<SeenFact> {
        let place = &unit.at.province;
        if !self.h1.provinces.contains(place) {
            return None;
        }
        let did = if self.h0.provinces.contains(place) {
            SeenAction::Build
        } else {
            SeenAction::ComeIntoSight
        };
        Some(SeenFact {
            unit: *unit,
            did,
            dislodged: false,
        })
    }

    /// Whether the facts rule out that the unit in `from` did what a support or convoy of the looking power names: to stay (`to`
    /// is `None`), or to go to `to` (CivDip 6.2, `void`). `own` holds the looking power's own orders.
    pub(super) fn excludes(
        &self,
        facts: &[SeenFact],
        own: &dyn Fn(UnitId) -> Option<Action>,
        from: Province,
        to: Option<Province>,
    ) -> bool {
        let Some(named) = self.before.standing(from) else {
            return self.h0.provinces.contains(&from);
        };
        if named.power == self.power {
            let goes = match own(named.id) {
                Some(Action::Move { to, .. }) => Some(to.province),
                _ => None,
            };
            return goes != to;
        }
        let Some(fact) = facts.iter().find(|fact| fact.unit.id == named.id) else {
            return false;
        };
        match (&fact.did, to) {
            (
                SeenAction::Action(Action::Move { .. })
                | SeenAction::StandOff { .. }
                | SeenAction::Leave,
                None,
            ) => true,
            (
                SeenAction::Action(Action::Move { to: went, .. })
                | SeenAction::StandOff { to: went },
                Some(to),
            ) => went.province != to,
            (SeenAction::Leave, Some(to)) => self.h1.provinces.contains(&to),
            (SeenAction::Stay, Some(to)) => self.either(to),
            (SeenAction::Action(action), Some(to)) => action.helped().is_some() && self.either(to),
            _ => false,
        }
    }
}

impl VariantGame<'_> {
    /// What a power has in sight in a position.
    pub(super) fn position_seen(self, labels: &Labels, power: Power, horizon: &Horizon) -> InSight {
        let position = &self.game.position;
        let map = self.game.map();
        let name = |province: Province| map.full_name(Location::from(province));
        let naming = Naming::new(self.game, labels);
        let (own, others): (Vec<_>, Vec<_>) =
            all(position).partition(|(unit, _)| unit.power == power);
        let foreign = others.into_iter().filter(|(unit, _)| horizon.shows(unit));
        let homes = super::super::horizon::homes(self.game, self.variant, power);
        let owner = |center: &Province| position.owners.get(center).copied();
        let mut centers: Vec<(String, bool)> = position
            .centers_of(power)
            .map(|center| (name(center), homes.contains(&center)))
            .collect();
        centers.sort();
        let mut lost_homes: Vec<String> = homes
            .iter()
            .filter(|home| owner(home) != Some(power))
            .map(|home| name(*home))
            .collect();
        lost_homes.sort();
        let mut foreign_centers: Vec<(String, Option<Label>)> = map
            .centers()
            .iter()
            .filter(|center| horizon.provinces.contains(center) && owner(center) != Some(power))
            .map(|center| {
                (
                    name(*center),
                    owner(center).map(|power| labels.label(power)),
                )
            })
            .collect();
        foreign_centers.sort();
        let mut empty: Vec<String> = horizon
            .provinces
            .iter()
            .filter(|province| !all(position).any(|(unit, _)| unit.at.province == **province))
            .map(|province| name(*province))
            .collect();
        empty.sort();
        InSight {
            whose: None,
            units: naming.in_sight(horizon, own.into_iter()),
            centers,
            lost_homes,
            foreign: naming.in_sight(horizon, foreign),
            foreign_centers,
            empty,
        }
    }
}

impl Naming<'_> {
    /// Units in the reader's words, sorted as in lists.
    fn in_sight<'u>(
        self,
        horizon: &Horizon,
        found: impl Iterator<Item = Found<'u>>,
    ) -> Vec<UnitInSight> {
        let mut units: Vec<UnitInSight> = found
            .map(|(unit, dislodged)| UnitInSight {
                unit: self.seen_unit(unit),
                dislodged,
                glimpsed: !horizon.provinces.contains(&unit.at.province),
            })
            .collect();
        units.sort_by(|one, other| one.in_lists().cmp(&other.in_lists()));
        units
    }

    /// Facts in the reader's words, ordered by power and by the province at the start of each line. Lines of arriving units have
    /// no such province and come last.
    pub(super) fn sightings(self, facts: Vec<SeenFact>) -> Vec<Sighting> {
        let mut seen: Vec<Sighting> = facts
            .into_iter()
            .map(|fact| {
                let Ok(did) = fact.did.map(&StepsToNames(self.game));
                Sighting {
                    unit: self.seen_unit(&fact.unit),
                    did,
                    dislodged: fact.dislodged,
                }
            })
            .collect();
        let key = |one: &Sighting| {
            let arrives = one.did == SeenAction::Arrive;
            (one.unit.power.clone(), arrives, one.unit.place.clone())
        };
        seen.sort_by_key(key);
        seen
    }
}

/// Full names, and units without their nationality.
struct StepsToNames<'a>(&'a Game);

impl Rename<InSteps, InNames> for StepsToNames<'_> {
    type Error = Infallible;

    fn place(&self, place: &Location) -> Result<String, Infallible> {
        Ok(self.0.map().full_name(*place))
    }

    fn province(&self, province: &Province) -> Result<String, Infallible> {
        self.place(&Location::from(*province))
    }

    fn unit(&self, unit: &Unit) -> Result<SupportedUnit, Infallible> {
        Ok(SupportedUnit {
            adjective: None,
            kind: Some(kind_name(self.0, unit.kind)),
            place: self.place(&unit.at)?,
        })
    }

    fn route(&self, (): &()) -> Result<Vec<String>, Infallible> {
        Ok(Vec::new())
    }

    fn new_unit(&self, never: &Never) -> Result<SupportedUnit, Infallible> {
        match *never {}
    }

    fn special(&self, never: &Never) -> Result<SpecialInNames, Infallible> {
        match *never {}
    }
}
