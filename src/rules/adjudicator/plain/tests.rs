//! The check finds decisions that do not follow from the others.

use super::super::planted::{Fault, plant};
use super::resolve::PlainDecisions;
use super::*;
use crate::map::{Map, Province};

fn subject(power: u8, travel: Travel, at: &[u8; 3]) -> PlainSubject {
    PlainSubject {
        power,
        travel,
        at: number(at),
    }
}

fn number(letters: &[u8; 3]) -> u8 {
    Map::standard().number(Province::literal(letters)).unwrap()
}

fn to(letters: &[u8; 3]) -> PlainDestination {
    PlainDestination {
        to: number(letters),
        coast: None,
    }
}

/// Every sort of decision: a supported attack that succeeds, a cut support, a bounce, a convoy that stands, one that is
/// disrupted, a unit of the same power in the way, and units that exchange places over a border in vain.
fn position(stations: &Stations) -> PlainMovement<'_> {
    use Travel::{Land, Sea};
    let mut movement = PlainMovement::new(stations);
    let units = [
        (0, Land, b"MUN"),
        (0, Land, b"RUH"),
        (1, Land, b"BUR"),
        (1, Land, b"MAR"),
        (2, Land, b"PIE"),
        (2, Land, b"TYR"),
        (3, Land, b"LON"),
        (3, Sea, b"NTH"),
        (3, Land, b"YOR"),
        (4, Land, b"TUN"),
        (4, Sea, b"ION"),
        (5, Sea, b"TYS"),
        (5, Sea, b"NAP"),
        (6, Land, b"SEV"),
        (6, Land, b"UKR"),
        (6, Land, b"MOS"),
        (5, Land, b"WAR"),
        (1, Land, b"SWE"),
        (1, Land, b"NWY"),
        (2, Land, b"FIN"),
    ];
    for (power, travel, at) in units {
        movement.add(power, travel, number(at)).unwrap();
    }
    let mut orders = || {
        movement.march(subject(0, Land, b"MUN"), to(b"BUR"), Via::Any)?;
        movement.support_move(subject(0, Land, b"RUH"), Land, number(b"MUN"), to(b"BUR"))?;
        movement.march(subject(1, Land, b"BUR"), to(b"MUN"), Via::Any)?;
        movement.support_move(subject(1, Land, b"MAR"), Land, number(b"TYR"), to(b"PIE"))?;
        movement.march(subject(2, Land, b"PIE"), to(b"MAR"), Via::Any)?;
        movement.march(subject(2, Land, b"TYR"), to(b"PIE"), Via::Any)?;
        movement.march(subject(3, Land, b"LON"), to(b"BEL"), Via::Convoy)?;
        movement.convoy(subject(3, Sea, b"NTH"), number(b"LON"), number(b"BEL"))?;
        movement.march(subject(3, Land, b"YOR"), to(b"LON"), Via::Any)?;
        movement.march(subject(4, Land, b"TUN"), to(b"GRE"), Via::Convoy)?;
        movement.convoy(subject(4, Sea, b"ION"), number(b"TUN"), number(b"GRE"))?;
        movement.march(subject(5, Sea, b"TYS"), to(b"ION"), Via::Any)?;
        movement.support_move(subject(5, Sea, b"NAP"), Sea, number(b"TYS"), to(b"ION"))?;
        movement.support_hold(subject(1, Land, b"SWE"), Land, number(b"NWY"))?;
        movement.march(subject(2, Land, b"FIN"), to(b"SWE"), Via::Any)?;
        movement.march(subject(6, Land, b"SEV"), to(b"UKR"), Via::Any)?;
        movement.march(subject(6, Land, b"MOS"), to(b"UKR"), Via::Any)?;
        movement.support_hold(subject(6, Land, b"UKR"), Land, number(b"MOS"))
    };
    // The last order does not match, since Moscow moves.
    orders().unwrap();
    movement
}

#[test]
fn a_decision_turned_round_is_found() {
    let stations = Stations::of(Map::standard()).unwrap();
    let mut movement = position(&stations);
    movement.link().unwrap();
    let right = movement.decide().unwrap();
    assert!(movement.holds(&right));
    assert_ne!((right.moved, right.given, right.stranded), (0, 0, 0));
    for number in 0..movement.count {
        let turned = only(number);
        let faults = [
            PlainDecisions {
                moved: right.moved ^ turned,
                ..right
            },
            PlainDecisions {
                given: right.given ^ turned,
                ..right
            },
            PlainDecisions {
                stranded: right.stranded ^ turned,
                ..right
            },
        ];
        let task = movement.unit(number).task;
        let decided = match task {
            PlainTask::Move => [true, false, true],
            PlainTask::SupportHold | PlainTask::SupportMove => [true, true, false],
            PlainTask::Hold | PlainTask::Convoy => [true, false, false],
        };
        for (fault, _) in faults.iter().zip(decided).filter(|(_, is)| *is) {
            assert!(!movement.holds(fault), "{number} {task:?} {fault:?}");
        }
    }
}

#[test]
fn a_planted_fault_is_found() {
    let stations = Stations::of(Map::standard()).unwrap();
    for fault in Fault::ALL {
        let mut movement = position(&stations);
        plant(Some(fault));
        let outcome = movement.resolve();
        plant(None);
        assert_eq!(outcome, None, "{fault:?}");
        assert!(movement.resolve().is_some());
    }
}

#[test]
fn a_ring_succeeds_unless_somebody_else_comes() {
    let stations = Stations::of(Map::standard()).unwrap();
    let ring = |others: &[&[u8; 3]]| {
        let mut movement = PlainMovement::new(&stations);
        for at in [b"HOL", b"BEL", b"RUH"]
            .into_iter()
            .chain(others.iter().copied())
        {
            movement.add(0, Travel::Land, number(at)).unwrap();
        }
        for (at, destination) in [(b"HOL", b"BEL"), (b"BEL", b"RUH"), (b"RUH", b"HOL")] {
            let subject = subject(0, Travel::Land, at);
            movement.march(subject, to(destination), Via::Any).unwrap();
        }
        for at in others {
            let subject = subject(0, Travel::Land, at);
            movement.march(subject, to(b"RUH"), Via::Any).unwrap();
        }
        movement.resolve().unwrap().moved
    };
    assert_eq!(ring(&[]), 0b111);
    assert_eq!(ring(&[b"MUN"]), 0);
}

#[test]
fn maps_with_more_places_or_shared_ones_have_no_stations() {
    assert!(Stations::of(Map::named("modern").unwrap()).is_none());
    assert!(Stations::of(Map::standard()).is_some());
}

#[test]
fn more_units_than_bits_are_left_to_the_general_way() {
    let stations = Stations::of(Map::standard()).unwrap();
    let mut movement = PlainMovement::new(&stations);
    let mut is_added = |province: u8| {
        let travel = if stations.borders(Travel::Land).can_stand(province) {
            Travel::Land
        } else {
            Travel::Sea
        };
        movement.add(0, travel, province).is_some()
    };
    let added = (0..75u8).map(&mut is_added).filter(|&is| is).count();
    assert_eq!(added, MOST_UNITS);
}
