//! An adjustment phase: builds, waivers, removals.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{AdjustmentCounts, Allowance, Allowances, civil_disorder};
use crate::map::{Location, Map, Power, Province, UnitKind};
use crate::orders::{Action, Illegal, NewUnit, may_enter};
use crate::position::{Position, Unit};

/// One thing that happened in an adjustment phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Adjustment {
    /// A unit was built.
    Built(Unit),
    /// A build was waived, or no order used it.
    Waived,
    /// A unit was removed as ordered.
    Removed(Unit),
    /// A unit was removed although it was not ordered to be, because the power owed a removal.
    Defaulted(Unit),
    /// This many builds could not be used for want of a free site.
    Unusable(u32),
    /// This many unused builds can be used in a later year ([`Allowance::saves_builds`]).
    Saved(u32),
    /// The order with this index in the power's list was not legal, or all builds or removals were used by earlier orders.
    Refused(usize, Illegal),
}

/// The result of an adjustment phase.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdjustmentResolution {
    /// What happened, sorted by power. Within a power, first what came of each order in the order of the list, then what
    /// happened without an order.
    pub adjustments: Vec<(Power, Adjustment)>,
    /// The position after the phase.
    pub position: Position,
}

/// Carries out an adjustment phase.
///
/// The legal orders of a power are carried out in their order until its builds or removals are used up; the others are
/// refused (DATC 4.D.4, 4.D.6). Builds without an order are waived. Removals without an order follow
/// [`Allowance::removal_order`], or else [`civil_disorder`].
#[must_use]
pub fn adjustments(
    map: &Map,
    position: &Position,
    allowances: &Allowances,
    orders: &BTreeMap<Power, Vec<Action>>,
) -> AdjustmentResolution {
    let mut adjusted = AdjustmentResolution {
        adjustments: Vec::new(),
        position: position.clone(),
    };
    for (&power, actions) in orders {
        if allowances.of(power).is_none() {
            for index in 0..actions.len() {
                adjusted.note(power, Adjustment::Refused(index, Illegal::NoBuilds(power)));
            }
        }
    }
    for (&power, allowance) in &allowances.powers {
        let actions = orders.get(&power).map_or(&[][..], Vec::as_slice);
        adjusted.adjust(map, power, allowance, actions);
    }
    adjusted
}

impl AdjustmentResolution {
    fn note(&mut self, power: Power, adjustment: Adjustment) {
        self.adjustments.push((power, adjustment));
    }

    fn adjust(&mut self, map: &Map, power: Power, allowance: &Allowance, actions: &[Action]) {
        let AdjustmentCounts {
            builds,
            removals,
            unusable_builds,
        } = allowance.counts();
        let mut left = builds;
        let mut lost = 0;
        let mut waived: usize = 0;
        let mut built: BTreeMap<UnitKind, u32> = BTreeMap::new();
        for (index, action) in actions.iter().enumerate() {
            let result = match action {
                Action::Build(NewUnit { kind, at }) => {
                    let free = allowance.kinds.get(kind).is_some_and(|limits| limits.free);
                    let count = built.get(kind).copied().unwrap_or(0);
                    self.may_build(map, power, allowance, *kind, *at, count)
                        .and_then(|at| {
                            if !free && left == 0 {
                                return Err(Illegal::NoBuilds(power));
                            }
                            left -= usize::from(!free);
                            *built.entry(*kind).or_default() += 1;
                            Ok(Adjustment::Built(self.place(power, *kind, at)))
                        })
                }
                Action::Waive if !allowance.may_waive => Err(Illegal::CannotWaive(power)),
                Action::Waive if left == 0 => Err(Illegal::NoBuilds(power)),
                Action::Waive => {
                    left -= 1;
                    waived += 1;
                    if allowance.saves_builds {
                        continue;
                    }
                    Ok(Adjustment::Waived)
                }
                Action::Remove { at } if lost < removals || allowance.removes_at_will => {
                    let mut units = self.position.units.iter();
                    let is_own = |unit: &Unit| unit.at.province == *at && unit.power == power;
                    match units.position(is_own) {
                        Some(index) => {
                            lost += 1;
                            Ok(Adjustment::Removed(self.position.units.remove(index)))
                        }
                        None => Err(Illegal::NoUnitToRemove(*at, power)),
                    }
                }
                Action::Remove { .. } => Err(Illegal::NoRemovals(power)),
                _ => Err(Illegal::Other(
                    "Such an order has no meaning in an adjustment phase.".to_owned(),
                )),
            };
            match result {
                Ok(adjustment) => self.note(power, adjustment),
                Err(illegal) => self.note(power, Adjustment::Refused(index, illegal)),
            }
        }
        for &(kind, at) in &allowance.default_builds {
            let count = built.get(&kind).copied().unwrap_or(0);
            if left > 0
                && let Ok(at) = self.may_build(map, power, allowance, kind, at, count)
            {
                left -= 1;
                *built.entry(kind).or_default() += 1;
                let unit = self.place(power, kind, at);
                self.note(power, Adjustment::Built(unit));
            }
        }
        let saved = if allowance.saves_builds {
            left + waived + unusable_builds
        } else {
            (0..left).for_each(|_| self.note(power, Adjustment::Waived));
            0
        };
        for _ in lost..removals {
            let Some(unit) = self.forfeited(map, power, allowance) else {
                break;
            };
            self.position.units.retain(|other| other.id != unit.id);
            self.note(power, Adjustment::Defaulted(unit));
        }
        // Neither is more than the allowance's change, an i32.
        if saved > 0 {
            self.note(power, Adjustment::Saved(saved as u32));
        } else if unusable_builds > 0 {
            self.note(power, Adjustment::Unusable(unusable_builds as u32));
        }
    }

    fn may_build(
        &self,
        map: &Map,
        power: Power,
        allowance: &Allowance,
        kind: UnitKind,
        at: Location,
        built: u32,
    ) -> Result<Location, Illegal> {
        may_build(map, &self.position, allowance, power, kind, at)?;
        let limit = allowance.kinds.get(&kind).and_then(|limits| limits.at_most);
        if limit.is_some_and(|limit| built >= limit) {
            return Err(Illegal::NoBuilds(power));
        }
        Ok(settle(map, kind, at))
    }

    fn place(&mut self, power: Power, kind: UnitKind, at: Location) -> Unit {
        let unit = Unit {
            id: self.position.free_id(),
            power,
            kind,
            at,
        };
        self.position.units.push(unit);
        unit
    }

    fn forfeited(&self, map: &Map, power: Power, allowance: &Allowance) -> Option<Unit> {
        let own = |id| {
            self.position
                .units
                .iter()
                .find(|unit| unit.id == id && unit.power == power)
                .copied()
        };
        let first = allowance
            .removal_order
            .iter()
            .flatten()
            .find_map(|&id| own(id));
        first.or_else(|| civil_disorder(map, &self.position, power))
    }
}

/// Checks whether the power may build this unit there. Whether the power has a build left is not checked.
///
/// # Errors
/// [`Illegal::NoBuilds`] if the power must remove units, [`Illegal::Occupied`], [`Illegal::NoCenter`], [`Illegal::NotOwned`],
/// [`Illegal::NotHome`], or [`Illegal::CannotStand`].
pub fn may_build(
    map: &Map,
    position: &Position,
    allowance: &Allowance,
    power: Power,
    kind: UnitKind,
    at: Location,
) -> Result<(), Illegal> {
    if allowance.change < 0 {
        return Err(Illegal::NoBuilds(power));
    }
    let shared = map.info(at.province).is_some_and(|info| info.shared);
    let occupied = !shared && position.standing(at.province).is_some();
    let sites = allowance.sites_for(kind);
    if occupied || !sites.contains(&at.province) {
        let is_home = |site: &Province| map.homes(power).contains(site);
        // What stands there leaves in time, so a center that never becomes a site is named as such.
        let only_homes = !sites.is_empty() && sites.iter().all(is_home);
        return Err(match position.owners.get(&at.province) {
            _ if !map.info(at.province).is_some_and(|info| info.center) => {
                Illegal::NoCenter(at.province)
            }
            owner if owner != Some(&power) => Illegal::NotOwned(at.province, power),
            _ if occupied && (is_home(&at.province) || !only_homes) => {
                Illegal::Occupied(at.province)
            }
            _ => Illegal::NotHome(at.province, power),
        });
    }
    if !map.can_stand(map.travel(kind), settle(map, kind, at))
        || !may_enter(map, &Default::default(), power, at.province)
    {
        return Err(Illegal::CannotStand(kind, at));
    }
    Ok(())
}

/// The location without its coast, if the unit needs none there.
fn settle(map: &Map, kind: UnitKind, at: Location) -> Location {
    let bare = Location::from(at.province);
    if map.can_stand(map.travel(kind), bare) {
        bare
    } else {
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adjudicator::KindAllowance;
    use crate::notation;
    use crate::position::UnitId;

    const AUSTRIA: Power = Power(0);
    const ITALY: Power = Power(4);

    fn place(text: &str) -> Location {
        notation::place(Map::standard(), text).unwrap()
    }

    fn province(text: &str) -> Province {
        place(text).province
    }

    fn unit(id: u32, power: Power, words: &str) -> Unit {
        let read = notation::unit(Map::standard(), words).unwrap();
        Unit {
            id: UnitId(id),
            power,
            kind: read.kind,
            at: read.at,
        }
    }

    fn build(words: &str) -> Action {
        let unit = notation::unit(Map::standard(), words).unwrap();
        Action::Build(NewUnit {
            kind: unit.kind,
            at: unit.at,
        })
    }

    fn remove(at: &str) -> Action {
        Action::Remove { at: province(at) }
    }

    /// Austria's board: its home centers and Serbia.
    fn board(units: &[Unit]) -> Position {
        let mut position = Position::default();
        position.units.extend_from_slice(units);
        for center in ["VIE", "BUD", "TRI", "SER"] {
            position.owners.insert(province(center), AUSTRIA);
        }
        position
    }

    /// An allowance of so many builds, which may stand here.
    fn allowance(change: i32, sites: &[&str]) -> Allowance {
        Allowance {
            change,
            sites: sites.iter().map(|site| province(site)).collect(),
            ..Allowance::default()
        }
    }

    /// What comes of Austria's orders, in words.
    fn adjusted(position: &Position, allowance: Allowance, orders: &[Action]) -> Vec<String> {
        let allowances = Allowances {
            powers: BTreeMap::from([(AUSTRIA, allowance)]),
        };
        let orders = BTreeMap::from([(AUSTRIA, orders.to_vec())]);
        let adjusted = adjustments(Map::standard(), position, &allowances, &orders);
        let words = |adjustment: &Adjustment| match adjustment {
            Adjustment::Built(unit) => format!("built {} {}", unit.kind, unit.at),
            Adjustment::Removed(unit) => format!("removed {} {}", unit.kind, unit.at),
            Adjustment::Defaulted(unit) => format!("defaulted {} {}", unit.kind, unit.at),
            Adjustment::Refused(index, why) => format!("{index}: {why:?}"),
            other => format!("{other:?}"),
        };
        let built = adjusted.adjustments.iter().map(|(_, one)| words(one));
        built.collect()
    }

    #[test]
    fn builds_and_waivers_use_up_what_is_allowed() {
        let board = board(&[]);
        let homes = ["VIE", "BUD", "TRI"];
        let none_left = format!("2: {:?}", Illegal::NoBuilds(AUSTRIA));
        let orders = [build("A VIE"), build("F TRI"), build("A BUD")];
        assert_eq!(
            adjusted(&board, allowance(2, &homes), &orders),
            ["built A VIE", "built F TRI", &none_left]
        );
        let orders = [Action::Waive, build("A VIE"), build("A BUD")];
        assert_eq!(
            adjusted(&board, allowance(2, &homes), &orders),
            ["Waived", "built A VIE", &none_left]
        );
        let orders = [Action::Waive, Action::Waive, Action::Waive];
        assert_eq!(
            adjusted(&board, allowance(2, &homes), &orders),
            ["Waived", "Waived", &none_left]
        );
        let silent = adjusted(&board, allowance(2, &homes), &[]);
        assert_eq!(silent, ["Waived", "Waived"]);
    }

    #[test]
    fn where_waiving_is_forbidden_the_build_stays_due() {
        let must_build = Allowance {
            may_waive: false,
            ..allowance(1, &["VIE"])
        };
        let refused = format!("0: {:?}", Illegal::CannotWaive(AUSTRIA));
        let orders = [Action::Waive, build("A VIE")];
        assert_eq!(
            adjusted(&board(&[]), must_build, &orders),
            [&refused, "built A VIE"]
        );
    }

    #[test]
    fn builds_without_a_free_place_are_told_or_saved() {
        let board = board(&[]);
        assert_eq!(
            adjusted(&board, allowance(3, &["VIE"]), &[build("A VIE")]),
            ["built A VIE", "Unusable(2)"]
        );
        let saving = |change, sites: &[&str]| Allowance {
            saves_builds: true,
            ..allowance(change, sites)
        };
        let orders = [Action::Waive, build("A VIE")];
        assert_eq!(
            adjusted(&board, saving(3, &["VIE", "BUD", "TRI"]), &orders),
            ["built A VIE", "Saved(2)"]
        );
        assert_eq!(adjusted(&board, saving(3, &["VIE"]), &[]), ["Saved(3)"]);
        let all = adjusted(&board, saving(1, &["VIE"]), &[build("A VIE")]);
        assert_eq!(all, ["built A VIE"]);
    }

    #[test]
    fn silence_builds_what_is_set_for_it_as_far_as_builds_and_places_reach() {
        let set = [(UnitKind::ARMY, "VIE"), (UnitKind::ARMY, "VIE")]
            .into_iter()
            .chain([(UnitKind::FLEET, "TRI"), (UnitKind::ARMY, "BUD")]);
        let default_builds: Vec<_> = set.map(|(kind, at)| (kind, place(at))).collect();
        let allowance = |change| Allowance {
            default_builds: default_builds.clone(),
            ..allowance(change, &["VIE", "BUD", "TRI"])
        };
        let board = board(&[]);
        assert_eq!(
            adjusted(&board, allowance(2), &[]),
            ["built A VIE", "built F TRI"]
        );
        assert_eq!(
            adjusted(&board, allowance(2), &[build("A BUD")]),
            ["built A BUD", "built A VIE"]
        );
        let mut one_army = allowance(3);
        let limit = KindAllowance {
            at_most: Some(1),
            ..KindAllowance::default()
        };
        one_army.kinds.insert(UnitKind::ARMY, limit);
        assert_eq!(
            adjusted(&board, one_army, &[]),
            ["built A VIE", "built F TRI", "Waived"]
        );
    }

    #[test]
    fn a_kind_has_its_own_limit_and_may_be_free() {
        let mut fleets = allowance(1, &["VIE", "BUD", "TRI"]);
        let free = KindAllowance {
            free: true,
            ..KindAllowance::default()
        };
        fleets.kinds.insert(UnitKind::FLEET, free);
        let board = board(&[]);
        let orders = [build("A VIE"), build("F TRI"), build("A BUD")];
        assert_eq!(
            adjusted(&board, fleets, &orders),
            [
                "built A VIE",
                "built F TRI",
                &format!("2: {:?}", Illegal::NoBuilds(AUSTRIA))
            ]
        );
        let mut one_army = allowance(3, &["VIE", "BUD", "TRI"]);
        let limit = KindAllowance {
            at_most: Some(1),
            ..KindAllowance::default()
        };
        one_army.kinds.insert(UnitKind::ARMY, limit);
        let orders = [build("A VIE"), build("A BUD"), build("F TRI")];
        assert_eq!(
            adjusted(&board, one_army, &orders),
            [
                "built A VIE",
                &format!("1: {:?}", Illegal::NoBuilds(AUSTRIA)),
                "built F TRI",
                "Waived"
            ]
        );
    }

    #[test]
    fn removals_are_of_own_units_and_no_more_than_are_due() {
        let units = [
            unit(0, AUSTRIA, "A VIE"),
            unit(1, ITALY, "A TYR"),
            unit(2, AUSTRIA, "A GAL"),
            unit(3, AUSTRIA, "A BOH"),
        ];
        let board = board(&units);
        let orders = [remove("TYR"), remove("VIE"), remove("GAL")];
        assert_eq!(
            adjusted(&board, allowance(-1, &[]), &orders),
            [
                format!("0: {:?}", Illegal::NoUnitToRemove(province("TYR"), AUSTRIA)),
                "removed A VIE".to_owned(),
                format!("2: {:?}", Illegal::NoRemovals(AUSTRIA)),
            ]
        );
        let silent = adjusted(&board, allowance(-2, &[]), &[remove("VIE")]);
        assert_eq!(silent, ["removed A VIE", "defaulted A BOH"]);
        let ordered = Allowance {
            removal_order: Some(vec![UnitId(1), UnitId(2)]),
            ..allowance(-1, &[])
        };
        assert_eq!(adjusted(&board, ordered, &[]), ["defaulted A GAL"]);
    }

    #[test]
    fn a_refused_build_says_why() {
        let mut board = board(&[unit(0, ITALY, "A BUD")]);
        board.owners.insert(province("ROM"), ITALY);
        let why_kind = |kind: UnitKind, at: &str| {
            let allowance = allowance(1, &["VIE", "TRI"]);
            may_build(
                Map::standard(),
                &board,
                &allowance,
                AUSTRIA,
                kind,
                place(at),
            )
        };
        let why = |at: &str| why_kind(UnitKind::ARMY, at);
        assert_eq!(why("VIE"), Ok(()));
        assert_eq!(why("BUD"), Err(Illegal::Occupied(province("BUD"))));
        assert_eq!(why("BOH"), Err(Illegal::NoCenter(province("BOH"))));
        let not_owned = Illegal::NotOwned(province("ROM"), AUSTRIA);
        assert_eq!(why("ROM"), Err(not_owned));
        let not_home = Illegal::NotHome(province("SER"), AUSTRIA);
        assert_eq!(why("SER"), Err(not_home));
        let cannot_stand = Illegal::CannotStand(UnitKind::FLEET, place("VIE"));
        assert_eq!(why_kind(UnitKind::FLEET, "VIE"), Err(cannot_stand));
    }
}
