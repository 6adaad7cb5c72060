//! A movement phase.

use crate::map::{Location, Map, Province, ProvinceSet};
use crate::orders::{Action, OrderSheet, is_joined, may_enter};
use crate::position::{Dislodged, Position, Unit};

use super::field::{Field, NONE, Task, Verdict};
use super::outcome::{ConvoyOutcome, Reason, Resolution, StandOff};
use super::planted::{Fault, planted};
use super::resolver::Resolver;

/// Adjudicates a movement phase.
///
/// A unit without a legal order holds. The resolution has one outcome for each unit in `position.units`, in that order. The
/// sequence of the orders does not matter, except for shared provinces (see [`OrderSheet::orders`]).
///
/// [`Resolution::apply`] gives the position after the phase.
///
/// With debug assertions, each resolution is checked as in [`checked_movement`]. Without them it is not, since the check takes
/// a fifth of the time of an adjudication.
#[must_use]
pub fn movement(map: &Map, position: &Position, sheet: &OrderSheet) -> Resolution {
    if cfg!(debug_assertions) {
        return checked_movement(map, position, sheet);
    }
    resolution_of(&Resolver::new(Field::new(map, position, sheet)).resolve())
}

/// Adjudicates as [`movement`] does, then checks that each decision follows from the others by the rules. If one does not,
/// the adjudicator has a fault, and [`Resolution::contradiction`] says where.
#[must_use]
pub fn checked_movement(map: &Map, position: &Position, sheet: &OrderSheet) -> Resolution {
    let resolver = Resolver::new(Field::new(map, position, sheet)).resolve();
    let contradiction = resolver.contradiction();
    debug_assert!(
        contradiction.is_none() || Fault::ALL.into_iter().any(planted),
        "{contradiction:?} in {sheet:?}"
    );
    Resolution {
        contradiction,
        ..resolution_of(&resolver)
    }
}

fn resolution_of(resolver: &Resolver<'_>) -> Resolution {
    let outcomes = resolver.explain();
    let mut after = BoardAfterMoves::of(resolver);
    let dislodged = after.dislodged(resolver);
    let routes = routes(resolver);
    Resolution {
        outcomes,
        dislodged,
        stand_offs: after.stand_offs,
        routes,
        contradiction: None,
    }
}

/// The board after the moves, before retreats.
struct BoardAfterMoves {
    occupied: ProvinceSet,
    stand_offs: Vec<StandOff>,
}

impl BoardAfterMoves {
    fn of(resolver: &Resolver<'_>) -> Self {
        let mut occupied = ProvinceSet::EMPTY;
        let fighters = &resolver.field().fighters;
        for (index, fighter) in (0u16..).zip(fighters) {
            if fighter.task != Task::Absent
                && (resolver.moved(index) == Verdict::Yes || !fighter.from_shared)
            {
                let stands = if fighter.moved == Verdict::Yes {
                    fighter.to
                } else {
                    fighter.at
                };
                occupied.add(stands);
            }
        }
        let mut stand_offs = Vec::new();
        let mut seen = ProvinceSet::EMPTY;
        for fighter in fighters
            .iter()
            .filter(|fighter| fighter.task == Task::Move && !fighter.to_shared)
        {
            if occupied.has(fighter.to) || seen.has(fighter.to) {
                continue;
            }
            seen.add(fighter.to);
            let contenders: Vec<_> = resolver
                .movers(fighter.to)
                .filter(|&mover| resolver.prevent(mover).max > 0)
                .map(|mover| resolver.fighter(mover).unit.id)
                .collect();
            if !contenders.is_empty() {
                stand_offs.push(StandOff {
                    province: resolver.field().province(fighter.to),
                    contenders,
                });
            }
        }
        stand_offs.sort_by_key(|stand_off| stand_off.province);
        Self {
            occupied,
            stand_offs,
        }
    }

    fn dislodged(&mut self, resolver: &Resolver<'_>) -> Vec<Dislodged> {
        let mut all = Vec::new();
        for (index, fighter) in (0u16..).zip(&resolver.field().fighters) {
            if fighter.task == Task::Absent
                || resolver.field().movers[usize::from(fighter.at)] == NONE
            {
                continue;
            }
            if resolver.dislodged(index) != Verdict::Yes {
                continue;
            }
            let attacker = resolver
                .movers(fighter.at)
                .map(|mover| resolver.fighter(mover))
                .find(|mover| mover.moved == Verdict::Yes)
                .filter(|mover| !mover.convoyed && !mover.from_shared)
                .map(|mover| mover.unit.at.province);
            let options = self.retreats(resolver.field(), fighter.unit, attacker);
            all.push(Dislodged {
                unit: *fighter.unit,
                attacker,
                options,
            });
        }
        all.sort_by_key(|dislodged| dislodged.unit.id);
        all
    }

    /// The places to which a unit may retreat: those that it can reach, without a unit or a stand-off, except the province from
    /// which its attacker came.
    fn retreats(
        &self,
        field: &Field<'_>,
        unit: &Unit,
        attacker: Option<Province>,
    ) -> Vec<Location> {
        let (map, overlay) = (field.map, &field.sheet.overlay);
        let travel = map.travel(unit.kind);
        let open = |to: &Location| {
            let Some(number) = map.number(to.province) else {
                return false;
            };
            if to.province == unit.at.province || !may_enter(map, overlay, unit.power, to.province)
            {
                return false;
            }
            if field.is_shared(number) {
                return self.has_room(field, number, unit);
            }
            // A move that a stronghold repelled without any other unit is not a stand-off (Bridge 5.3).
            let contested = self.stand_offs.iter().any(|stand_off| {
                stand_off.province == to.province && stand_off.contenders.len() > 1
            });
            !self.occupied.has(number) && !contested && attacker != Some(to.province)
        };
        let mut options: Vec<Location> = map
            .reach(travel, unit.at)
            .iter()
            .copied()
            .filter(&open)
            .collect();
        if !overlay.is_empty() {
            let linked = overlay
                .linked(unit.at.province)
                .flat_map(|to| map.stations(travel, to));
            let own = overlay.reach.get(&unit.id).into_iter().flatten().copied();
            options.extend(linked.chain(own).filter(open));
            options.sort_unstable();
            options.dedup();
        }
        options
    }

    fn has_room(&self, field: &Field<'_>, shared_province: u8, unit: &Unit) -> bool {
        let province = field.province(shared_province);
        let Some(&limit) = field.sheet.room.get(&(province, unit.power)) else {
            return true;
        };
        let inside = field
            .fighters
            .iter()
            .filter(|fighter| fighter.unit.power == unit.power && fighter.task != Task::Absent)
            .filter(|fighter| {
                shared_province
                    == if fighter.moved == Verdict::Yes {
                        fighter.to
                    } else {
                        fighter.at
                    }
            })
            .count();
        inside < limit as usize
    }
}

/// The convoys that were ordered and whether they were disrupted, also those of units without an order to move.
fn routes(resolver: &Resolver<'_>) -> Vec<ConvoyOutcome> {
    let field = resolver.field();
    let convoys = || {
        (0u16..)
            .zip(&field.actions)
            .filter_map(|(index, action)| match action {
                Some(Action::Convoy { from, to }) => Some((index, *from, *to)),
                _ => None,
            })
    };
    let mut routes: Vec<ConvoyOutcome> = Vec::new();
    for (_, from, to) in convoys() {
        if routes
            .iter()
            .any(|route| route.from == from && route.to == to)
        {
            continue;
        }
        let stands = |index: &u16| {
            let refused = matches!(
                field.fault(*index),
                Some(Reason::Illegal(_) | Reason::Voided(_))
            );
            resolver.fighter(*index).task != Task::Absent
                && !refused
                && resolver.dislodged(*index) == Verdict::No
        };
        let seas: ProvinceSet = convoys()
            .filter(|(_, start, end)| *start == from && *end == to)
            .map(|(index, ..)| index)
            .filter(stands)
            .map(|index| resolver.fighter(index).at)
            .collect();
        let fleets = seas.intersection(field.map.seas());
        let stands = is_joined(field.map, &field.sheet.overlay, from, to, fleets);
        let mut through: Vec<Province> = seas.iter().map(|sea| field.province(sea)).collect();
        through.sort_unstable();
        routes.push(ConvoyOutcome {
            from,
            to,
            stands,
            through,
        });
    }
    routes
}
