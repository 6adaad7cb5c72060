//! What is decided here is what the general way decides, and what is left to it; the check finds decisions that do not follow from
//! the others.

use super::super::outcome::Outcome;
use super::super::planted::{Fault, plant};
use super::super::reason_tests::Phase;
use super::resolve::PlainDecisions;
use super::*;
use crate::map::{Location, Map, Province};
use crate::orders::{Action, Overlay, Passage, needed_in_chain};

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
    movement.link();
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

/// The orders of a phase; `None` if one of them is left to the general way.
fn ordered<'s>(stations: &'s Stations, phase: &Phase) -> Option<PlainMovement<'s>> {
    let map = Map::standard();
    let place = |province: Province| map.number(province).unwrap();
    let destination = |to: &Location| PlainDestination {
        to: place(to.province),
        coast: to.coast,
    };
    let units = &phase.position.units;
    let travel = |at: Province| {
        let unit = units.iter().find(|unit| unit.at.province == at).unwrap();
        map.travel(unit.kind)
    };
    let mut movement = PlainMovement::new(stations);
    for unit in units {
        let at = place(unit.at.province);
        let station = unit.at.coast.and_then(|coast| stations.coast(at, coast));
        movement.add(unit.power.0, map.travel(unit.kind), station.unwrap_or(at))?;
    }
    for order in &phase.sheet.orders {
        let unit = &units[order.unit.0 as usize];
        let subject = PlainSubject {
            power: unit.power.0,
            travel: map.travel(unit.kind),
            at: place(unit.at.province),
        };
        match &order.action {
            Action::Hold => movement.hold(subject)?,
            Action::Move { to, by } => {
                let via = if *by == Passage::Convoy {
                    Via::Convoy
                } else {
                    Via::Any
                };
                movement.march(subject, destination(to), via)?;
            }
            Action::SupportHold { at } => {
                movement.support_hold(subject, travel(*at), place(*at))?;
            }
            Action::SupportMove { from, to } => {
                movement.support_move(subject, travel(*from), place(*from), destination(to))?;
            }
            Action::Convoy { from, to } => movement.convoy(subject, place(*from), place(*to))?,
            other => panic!("{other:?}"),
        }
    }
    Some(movement)
}

/// What comes of the unit with this number, in the words of the results.
fn result(outcome: &PlainOutcome, number: u8) -> String {
    let marks = [
        (outcome.moved, "moved"),
        (outcome.bounced, "bounce"),
        (outcome.cut, "cut"),
        (outcome.void, "void"),
        (outcome.no_convoy, "no convoy"),
        (outcome.disrupted, "disrupted"),
        (outcome.dislodged, "dislodged"),
    ];
    let of_unit = marks.iter().filter(|(set, _)| set & only(number) != 0);
    of_unit.map(|(_, word)| *word).collect::<Vec<_>>().join(" ")
}

/// The same from the general way.
fn general_result(outcome: &Outcome) -> String {
    let moved = outcome.moved.map(|_| "moved");
    let marks = outcome.marks.iter().map(|mark| mark.code());
    moved.into_iter().chain(marks).collect::<Vec<_>>().join(" ")
}

/// What comes of each unit of a phase, in order; it must be decided here, and as in the general way.
#[track_caller]
fn results(text: &str) -> Vec<String> {
    let phase = Phase::new(text);
    let stations = Stations::of(Map::standard()).unwrap();
    let mut movement = ordered(&stations, &phase).expect("orders that are legal here");
    let outcome = movement.resolve().expect("a phase without paradox");
    let general = phase.resolve().outcomes;
    let general: Vec<String> = general.iter().map(general_result).collect();
    let plain: Vec<String> = (0..movement.count)
        .map(|number| result(&outcome, number))
        .collect();
    assert_eq!(plain, general, "{text}");
    plain
}

#[test]
fn the_stronger_of_two_moves_succeeds() {
    assert_eq!(
        results("A: A VIE - GAL, A BUD S A VIE - GAL; R: A WAR - GAL"),
        ["moved", "", "bounce"]
    );
}

#[test]
fn equal_moves_stand_off_whatever_else_has_moved_before() {
    assert_eq!(
        results("T: A SMY - SYR; A: A VIE - GAL; R: A WAR - GAL"),
        ["moved", "bounce", "bounce"]
    );
}

#[test]
fn a_support_that_is_decided_late_still_keeps_an_equal_move_out() {
    // Whether Ukraine supports is open until it is clear that Galicia does not dislodge it.
    assert_eq!(
        results(
            "A: A VIE - GAL, A BUD S A VIE - GAL; R: A WAR - GAL, A UKR S A WAR - GAL; T: A GAL - UKR"
        ),
        ["bounce", "", "bounce", "", "bounce"]
    );
}

#[test]
fn a_unit_that_is_dislodged_head_on_keeps_nobody_out() {
    assert_eq!(
        results("G: A MUN - BOH, A SIL S A MUN - BOH; A: A BOH - MUN; F: A BUR - MUN"),
        ["moved", "", "bounce dislodged", "moved"]
    );
}

#[test]
fn a_support_for_a_move_that_is_not_ordered_is_void() {
    assert_eq!(
        results("A: A VIE - GAL, A BUD S A VIE - TRI; R: A GAL H"),
        ["bounce", "void", ""]
    );
}

#[test]
fn a_convoy_stands_unless_its_fleet_is_dislodged() {
    assert_eq!(
        results("E: A LON - NWY, F NTH C A LON - NWY; G: F SKA - NTH"),
        ["moved", "", "bounce"]
    );
    assert_eq!(
        results("E: A LON - NWY, F NTH C A LON - NWY; G: F SKA - NTH, F DEN S F SKA - NTH"),
        ["disrupted", "dislodged", "moved", ""]
    );
    assert_eq!(results("E: A LON - NWY, F NTH H"), ["no convoy", ""]);
}

#[test]
fn a_move_by_convoy_is_supported_as_any_other() {
    assert_eq!(
        results("E: A LON - BEL, F NTH C A LON - BEL; F: A BUR S A LON - BEL; G: A BEL H"),
        ["moved", "", "", "dislodged"]
    );
}

#[test]
fn an_army_beside_its_destination_goes_by_a_convoy_of_its_own_power_that_can_be_needed() {
    let exchange = |convoys: &str| results(&format!("A: A TRI - ALB; I: A ALB - TRI; {convoys}"));
    // They pass each other only if one goes by sea.
    assert_eq!(
        exchange("A: F ADR C A TRI - ALB"),
        ["moved", "moved", ""],
        "its own power means it to"
    );
    assert_eq!(
        exchange("E: F ADR C A TRI - ALB"),
        ["bounce", "bounce", "void"],
        "another power may mean to keep it"
    );
    assert_eq!(
        exchange("A: F ION C A TRI - ALB; E: F ADR C A TRI - ALB"),
        ["bounce", "bounce", "void", "void"],
        "the fleet of its own power cannot be needed"
    );
    assert_eq!(
        exchange("A: F ADR C A TRI - ALB; F: F ION - ADR, F VEN S F ION - ADR"),
        ["disrupted", "bounce", "dislodged", "moved", ""],
        "it does not go by land after all"
    );
}

#[test]
fn a_fleet_can_be_needed_where_the_general_rules_say_so() {
    let map = Map::standard();
    let stations = Stations::of(map).unwrap();
    let all: Vec<u8> = map.seas().iter().collect();
    let landings: Vec<u8> = (0u8..)
        .zip(map.provinces())
        .filter(|(number, _)| !map.seas().has(*number))
        .map(|(number, _)| number)
        .collect();
    let code = |number: u8| map.provinces()[usize::from(number)].code;
    let mut random = 1u64;
    let mut below = |limit: usize| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (random >> 33) as usize % limit
    };
    let mut needed = 0;
    for _ in 0..5_000 {
        let seas: Vec<u8> = all.iter().copied().filter(|_| below(2) == 0).collect();
        let from = landings[below(landings.len())];
        // Mostly one near by, since there it matters.
        let near = map.neighbors(code(from));
        let to = match below(4) {
            0 => landings[below(landings.len())],
            _ => map.number(near[below(near.len())]).unwrap(),
        };
        let Some(&sea) = seas.get(below(all.len())) else {
            continue;
        };
        let general = needed_in_chain(
            map,
            &Overlay::default(),
            code(from),
            code(to),
            code(sea),
            seas.iter().copied().collect(),
        );
        let set = seas.iter().fold(0, |set: PlaceSet, sea| set | 1 << sea);
        assert_eq!(stations.is_needed(from, to, sea, set), general);
        needed += u32::from(general);
    }
    assert!(needed > 50, "{needed}");
}

#[test]
fn a_unit_whose_order_is_not_legal_holds() {
    let stations = Stations::of(Map::standard()).unwrap();
    let refused = |text| ordered(&stations, &Phase::new(text)).unwrap().refused();
    for text in [
        // A move that the unit cannot make.
        "A: A VIE - ROM, A TYR S A VIE; I: A VEN - TYR",
        // A move that no fleet can convoy.
        "E: A LON - SWE, A YOR S A LON; G: F NTH - LON",
        // A support of what the supporting unit cannot reach.
        "A: A VIE - GAL, A TYR S A VIE - GAL",
        // A support of its own move.
        "A: A VIE S A VIE - GAL",
        // A support of a move to where the unit stands.
        "A: A VIE H, A TYR S A VIE - VIE",
        // A support of a move that the fleet cannot make.
        "I: F NAP H, F TYS S F NAP - TUN",
        // A support by the only fleet that could convoy the army (DATC 6.D.31).
        "R: A RUM H; T: F BLA S A RUM - ARM",
        // A convoy by a fleet that is on no way there.
        "E: A LON H; T: F BLA C A LON - BEL",
    ] {
        assert_ne!(refused(text), 0, "{text}");
        results(text);
    }
    // The same orders, where they are legal.
    for text in [
        "A: A VIE - GAL, A BUD S A VIE - GAL",
        "I: F NAP H, F TYS S F NAP - ROM",
        "R: A RUM H, F ARM H; T: F BLA S A RUM - BUL",
        "E: A LON H; T: F NTH C A LON - BEL",
    ] {
        assert_eq!(refused(text), 0, "{text}");
    }
}

#[test]
fn an_order_is_taken_once_and_from_the_power_that_has_such_a_unit_there() {
    use Travel::{Land, Sea};
    let stations = Stations::of(Map::standard()).unwrap();
    let mut movement = PlainMovement::new(&stations);
    movement.add(0, Land, number(b"TRI")).unwrap();
    for wrong in [
        subject(1, Land, b"TRI"),
        subject(0, Sea, b"TRI"),
        subject(0, Land, b"VIE"),
    ] {
        assert_eq!(movement.hold(wrong), None, "{wrong:?}");
    }
    let right = subject(0, Land, b"TRI");
    assert_eq!(movement.hold(right), Some(()));
    assert_eq!(movement.hold(right), None);
}
