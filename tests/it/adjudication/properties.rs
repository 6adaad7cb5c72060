//! What holds of every movement phase whatever is ordered.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use super::shared_province::{Numbers, board, shuffled};
use dipjudge::adjudicator::{Allowances, Mark, Sites, adjustments, movement, retreats};
use dipjudge::map::{Location, Map, Power, UnitKind};
use dipjudge::orders::{Action, Assist, Ferry, NewUnit, Order, Passage, Strength, Stronghold};
use dipjudge::position::{Position, UnitId};
use proptest::prelude::*;

fn provinces(position: &Position) -> Vec<dipjudge::map::Province> {
    position.units.iter().map(|unit| unit.at.province).collect()
}

/// The standard board with a shared province and a kind of unit that does not fight.
fn space() -> &'static Map {
    static SPACE: OnceLock<Map> = OnceLock::new();
    let text = "name x\nuse standard\nORB  Orbit  inland  shared\nkind DOM  Old Man  land  idle\n";
    SPACE.get_or_init(|| Map::parse(text, Map::named).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn orders_in_any_sequence_give_one_resolution(seed: u64, other: u64) {
        let map = Map::standard();
        let (position, sheet) = board(map, seed, 30);
        let first = movement(map, &position, &sheet);
        let second = movement(map, &position, &shuffled(&sheet, other));
        prop_assert_eq!(first.outcomes, second.outcomes);
        prop_assert_eq!(first.dislodged, second.dislodged);
        prop_assert_eq!(first.stand_offs, second.stand_offs);
    }

    #[test]
    fn units_are_conserved_and_share_no_province(seed: u64) {
        let map = Map::standard();
        let (position, sheet) = board(map, seed, 34);
        let resolution = movement(map, &position, &sheet);
        prop_assert_eq!(resolution.outcomes.len(), position.units.len());
        for (unit, outcome) in position.units.iter().zip(&resolution.outcomes) {
            prop_assert_eq!(unit.id, outcome.unit);
            // A success has no reason against it, a failed move has one.
            let failed = outcome.marks.iter().any(|mark| mark != Mark::Dislodged);
            prop_assert_eq!(failed, outcome.reason.is_some());
            prop_assert_eq!(outcome.marks.has(Mark::Dislodged), outcome.dislodged_by.is_some());
            prop_assert!(outcome.moved.is_none() || outcome.marks.is_empty());
        }
        let after = resolution.apply(&position);
        prop_assert_eq!(after.units.len() + after.dislodged.len(), position.units.len());
        let stand = provinces(&after);
        let distinct: BTreeSet<_> = stand.iter().collect();
        prop_assert_eq!(distinct.len(), stand.len());
        for dislodged in &after.dislodged {
            prop_assert!(stand.contains(&dislodged.unit.at.province));
            for option in &dislodged.options {
                prop_assert!(!stand.contains(&option.province));
                prop_assert_ne!(Some(option.province), dislodged.attacker);
                prop_assert!(map.can_stand(map.travel(dislodged.unit.kind), *option));
            }
        }
        for unit in &after.units {
            prop_assert!(map.can_stand(map.travel(unit.kind), unit.at));
        }
        for stand_off in &resolution.stand_offs {
            prop_assert!(!stand.contains(&stand_off.province));
            prop_assert!(stand_off.contenders.len() > 1);
        }
    }

    #[test]
    fn nobody_is_dislodged_by_the_own_power(seed: u64) {
        let map = Map::standard();
        let (position, sheet) = board(map, seed, 34);
        let resolution = movement(map, &position, &sheet);
        for outcome in &resolution.outcomes {
            if let Some(by) = outcome.dislodged_by {
                prop_assert_ne!(position.unit(outcome.unit).unwrap().power, by.power);
            }
        }
    }

    #[test]
    fn every_retreat_phase_empties_itself(seed: u64) {
        let map = Map::standard();
        let (position, sheet) = board(map, seed, 34);
        let position = movement(map, &position, &sheet).apply(&position);
        let mut numbers = Numbers::from(seed);
        let mut orders: Vec<Order> = Vec::new();
        for dislodged in &position.dislodged {
            if let Some(to) = numbers.pick(&dislodged.options) {
                orders.push(Order { unit: dislodged.unit.id, action: Action::Retreat { to } });
            }
        }
        let resolution = retreats(map, &position, &orders);
        prop_assert_eq!(resolution.outcomes.len(), position.dislodged.len());
        for outcome in &resolution.outcomes {
            prop_assert_ne!(outcome.moved.is_some(), outcome.marks.has(Mark::Disband));
        }
        let after = resolution.apply(&position);
        prop_assert!(after.dislodged.is_empty());
        let stand = provinces(&after);
        prop_assert_eq!(stand.iter().collect::<BTreeSet<_>>().len(), stand.len());
    }

    #[test]
    fn after_the_adjustments_nobody_has_more_units_than_centers(seed: u64, owners in proptest::collection::vec(0u8..8, 34)) {
        let map = Map::standard();
        let (mut position, _) = board(map, seed, 30);
        for (center, owner) in map.centers().iter().zip(owners) {
            if owner < 7 {
                position.owners.insert(*center, Power(owner));
            }
        }
        let allowances = Allowances::standard(map, &position, 7, Sites::Homes);
        let mut orders = std::collections::BTreeMap::new();
        let mut numbers = Numbers::from(seed);
        for power in (0..7).map(Power) {
            let mut actions: Vec<Action> = Vec::new();
            for _ in 0..numbers.below(6) {
                let province = map.provinces()[numbers.below(75)].code;
                let site = numbers.pick(&allowances.sites(power)).unwrap_or(province);
                let kind = if numbers.below(2) == 0 { UnitKind::ARMY } else { UnitKind::FLEET };
                actions.push(match numbers.below(4) {
                    0 => Action::Waive,
                    1 => Action::Remove { at: position.units[numbers.below(position.units.len())].at.province },
                    _ => Action::Build(NewUnit { kind, at: Location::from(site) }),
                });
            }
            orders.insert(power, actions);
        }
        let adjusted = adjustments(map, &position, &allowances, &orders);
        for power in (0..7).map(Power) {
            let centers = position.centers_of(power).count();
            let (before, after) = (position.units_of(power).count(), adjusted.position.units_of(power).count());
            prop_assert!(after <= centers.max(before));
            prop_assert!(before <= centers || after == centers);
        }
        let stand = provinces(&adjusted.position);
        prop_assert_eq!(stand.iter().collect::<BTreeSet<_>>().len(), stand.len());
    }

    /// Any sheet at all: orders of the wrong phase, for units that are not there, to places that do not exist, with
    /// everything that a variant may add set at random.
    #[test]
    fn arbitrary_sheets_neither_panic_nor_hang(seed: u64) {
        let map = space();
        let (mut position, mut sheet) = board(map, seed, 34);
        let mut numbers = Numbers::from(!seed);
        let count = position.units.len();
        let any_unit = |numbers: &mut Numbers| UnitId(u32::try_from(numbers.below(count + 2)).unwrap());
        let mut codes: Vec<_> = map.provinces().iter().map(|info| info.code).collect();
        codes.push("XYZ".parse().unwrap());
        for index in 0..numbers.below(6) {
            let mut unit = position.units[index % count];
            unit.id = UnitId(u32::try_from(count + index).unwrap());
            unit.at = "ORB".parse().unwrap();
            position.units.push(unit);
        }
        for _ in 0..numbers.below(20) {
            let place = numbers.pick(&codes).unwrap();
            let from = numbers.pick(&codes).unwrap();
            let action = match numbers.below(9) {
                0 => Action::Waive,
                1 => Action::Retreat { to: place.into() },
                2 => Action::Build(NewUnit { kind: UnitKind::FLEET, at: place.into() }),
                3 => Action::Move { to: place.into(), by: Passage::Route(vec![from, place]) },
                4 => Action::Move { to: place.into(), by: Passage::Convoy },
                5 => Action::SupportMove { from, to: place.into() },
                6 => Action::SupportHold { at: place },
                7 => Action::Convoy { from, to: place },
                _ => Action::Move { to: place.into(), by: Passage::Land },
            };
            sheet.orders.push(Order { unit: any_unit(&mut numbers), action });
        }
        for _ in 0..numbers.below(8) {
            let unit = any_unit(&mut numbers);
            let place = numbers.pick(&codes).unwrap();
            let strength = u32::try_from(numbers.below(4)).unwrap();
            match numbers.below(7) {
                0 => { sheet.strengths.insert(unit, Strength { attack: strength, hold: 1, support: u32::MAX }); }
                1 => sheet.overlay.links.push((place, numbers.pick(&codes).unwrap())),
                2 => { sheet.overlay.reach.insert(unit, vec![place.into(), "ORB".parse().unwrap()]); }
                3 => {
                    let fort = Stronghold { owner: Power(1), plus: strength, times: u32::MAX, at_least: 1 };
                    sheet.overlay.strongholds.insert(place, fort);
                }
                4 => sheet.overlay.ferries.push(Ferry { by: unit, passenger: any_unit(&mut numbers), to: map.neighbors(place).to_vec() }),
                5 => sheet.withdraw(unit),
                _ => { sheet.room.insert(("ORB".parse().unwrap(), Power(0)), strength); }
            }
        }
        for _ in 0..numbers.below(12) {
            let (by, of) = (any_unit(&mut numbers), any_unit(&mut numbers));
            sheet.assists.push(Assist { by, of, cut_at: u32::try_from(numbers.below(4)).unwrap() });
        }
        let resolution = movement(map, &position, &sheet);
        prop_assert_eq!(resolution.outcomes.len(), position.units.len());
        let again = movement(map, &position, &sheet);
        prop_assert_eq!(resolution, again);
    }
}
