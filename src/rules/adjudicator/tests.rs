//! Decisions against the rulebook: whatever order they were made in, each is what the rulebook says of it once all are
//! known. Only what a rule for cycles decided (a paradox, help cut in a cycle) may differ.

use proptest::prelude::*;

use super::field::{Field, Verdict};
use super::planted::{Fault, plant};
use super::resolver::Resolver;
use crate::map::{Map, Power, Province, Travel, UnitKind};
use crate::orders::{Action, Order, OrderSheet, Passage};
use crate::position::{Position, Unit, UnitId};

/// Units on the provinces around one, and orders among them, from numbers.
fn board(start: usize, numbers: &[usize]) -> (Position, OrderSheet) {
    let map = Map::standard();
    let mut numbers = numbers.iter().copied().cycle();
    let mut below = |limit: usize| numbers.next().unwrap_or(0) % limit.max(1);
    let mut area = vec![map.provinces()[start % 75].code];
    for _ in 0..60 {
        let near = map.neighbors(area[below(area.len())]);
        let next = near[below(near.len())];
        if !area.contains(&next) && area.len() < 24 {
            area.push(next);
        }
    }
    let mut position = Position::default();
    for (id, province) in (0u32..).zip(area) {
        let travel = if map.stations(Travel::Land, province).is_empty() || below(3) == 0 {
            Travel::Sea
        } else {
            Travel::Land
        };
        let stations = map.stations(travel, province);
        let Some(&at) = stations.get(below(stations.len())) else {
            continue;
        };
        let kind = if travel == Travel::Sea {
            UnitKind::FLEET
        } else {
            UnitKind::ARMY
        };
        let power = Power(u8::try_from(below(3)).unwrap());
        position.units.push(Unit {
            id: UnitId(id),
            power,
            kind,
            at,
        });
    }
    let mut sheet = OrderSheet::default();
    for unit in &position.units {
        let other = position.units[below(position.units.len())];
        let reach = map.reach(map.travel(unit.kind), unit.at);
        let action = match below(6) {
            0..=2 if !reach.is_empty() => Action::Move {
                to: reach[below(reach.len())],
                by: Passage::Auto,
            },
            3 => {
                let to = map.reach(map.travel(other.kind), other.at);
                let to = to.get(below(to.len())).copied().unwrap_or(other.at);
                Action::SupportMove {
                    from: other.at.province,
                    to,
                }
            }
            4 => Action::SupportHold {
                at: other.at.province,
            },
            _ => Action::Hold,
        };
        sheet.orders.push(Order {
            unit: unit.id,
            action,
        });
    }
    (position, sheet)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_decision_is_what_the_rulebook_says(start in 0usize..75, numbers in proptest::collection::vec(any::<usize>(), 40..90)) {
        let (position, sheet) = board(start, &numbers);
        let resolver = Resolver::new(Field::new(Map::standard(), &position, &sheet)).resolve();
        prop_assert_eq!(resolver.contradiction(), None, "{:?}", sheet.orders);
    }
    #[test]
    fn a_decision_turned_round_is_found(start in 0usize..75, numbers in proptest::collection::vec(any::<usize>(), 40..90)) {
        let (position, sheet) = board(start, &numbers);
        let mut resolver = Resolver::new(Field::new(Map::standard(), &position, &sheet)).resolve();
        let nodes: Vec<_> = resolver.nodes().collect();
        for node in nodes {
            let verdict = resolver.state(node);
            resolver.set(node, if verdict == Verdict::Yes { Verdict::No } else { Verdict::Yes });
            prop_assert!(resolver.contradiction().is_some(), "{:?} of {:?}", node, sheet.orders);
            resolver.set(node, verdict);
        }
    }
}

/// An army is convoyed by one fleet, which a supported attack dislodges.
fn disrupted_convoy() -> (Position, OrderSheet) {
    let [tunis, greece, ionian, tyrrhenian, naples] =
        ["TUN", "GRE", "ION", "TYS", "NAP"].map(|code| code.parse::<Province>().unwrap());
    let orders = [
        (
            UnitKind::ARMY,
            tunis,
            Action::Move {
                to: greece.into(),
                by: Passage::Convoy,
            },
        ),
        (
            UnitKind::FLEET,
            ionian,
            Action::Convoy {
                from: tunis,
                to: greece,
            },
        ),
        (
            UnitKind::FLEET,
            tyrrhenian,
            Action::Move {
                to: ionian.into(),
                by: Passage::Auto,
            },
        ),
        (
            UnitKind::FLEET,
            naples,
            Action::SupportMove {
                from: tyrrhenian,
                to: ionian.into(),
            },
        ),
    ];
    let (mut position, mut sheet) = (Position::default(), OrderSheet::default());
    for (number, (kind, at, action)) in (0u8..).zip(orders) {
        let id = UnitId(number.into());
        position.units.push(Unit {
            id,
            power: Power(number / 2),
            kind,
            at: at.into(),
        });
        sheet.orders.push(Order { unit: id, action });
    }
    (position, sheet)
}

/// Whatever a fault does to a result, the check sees it.
#[test]
fn a_planted_fault_that_changes_a_result_is_found() {
    let map = Map::standard();
    let resolved = |fault, position, sheet| {
        plant(fault);
        let resolver = Resolver::new(Field::new(map, position, sheet)).resolve();
        plant(None);
        resolver
    };
    let boards: Vec<_> = (0usize..300)
        .map(|start| {
            let numbers: Vec<usize> = (1..60).map(|step| (start + 7) * step * step / 3).collect();
            board(start, &numbers)
        })
        .chain([disrupted_convoy()])
        .collect();
    for fault in Fault::ALL {
        let mut changed = 0;
        for (position, sheet) in &boards {
            let right = resolved(None, position, sheet);
            let wrong = resolved(Some(fault), position, sheet);
            let differs = right
                .nodes()
                .any(|node| right.state(node) != wrong.state(node));
            assert_eq!(wrong.contradiction().is_some(), differs, "{fault:?}");
            changed += usize::from(differs);
        }
        assert!(changed > 0, "{fault:?}");
    }
}
