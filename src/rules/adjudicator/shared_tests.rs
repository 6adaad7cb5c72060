//! Movement from and to a shared province, which holds many units and in which there is no combat. Here it is an orbit above the
//! standard map; armies in it are aboard.

use std::collections::BTreeMap;

use super::{Resolution, movement};
use crate::map::{Location, Map, Power, Province, UnitKind};
use crate::orders::{Action, Order, OrderSheet, Passage};
use crate::position::{Position, Unit, UnitId};

const AUSTRIA: Power = Power(0);
const ITALY: Power = Power(4);

fn map() -> &'static Map {
    Map::with_places(
        Map::DEFAULT,
        "ORB  Orbit  inland  shared\nMOO  Moon  inland  shared\n",
    )
    .unwrap()
}

fn province(code: &str) -> Province {
    map().find_province(code).unwrap()
}

/// A movement phase in which armies can go up from everywhere, and down to Galicia, Bohemia and Vienna.
#[derive(Default)]
struct Phase {
    position: Position,
    sheet: OrderSheet,
}

impl Phase {
    /// Adds an army, and its move if it has one.
    fn army(mut self, power: Power, at: &str, to: Option<&str>) -> Phase {
        let id = UnitId(self.position.units.len() as u32);
        self.position.units.push(Unit {
            id,
            power,
            kind: UnitKind::ARMY,
            at: province(at).into(),
        });
        let places: &[&str] = if at == "orb" {
            &["gal", "boh", "vie"]
        } else {
            &["orb", "moo"]
        };
        let places = places.iter().map(|place| province(place).into());
        self.sheet.overlay.reach.insert(id, places.collect());
        if let Some(to) = to {
            self.sheet.orders.push(Order {
                unit: id,
                action: Action::Move {
                    to: province(to).into(),
                    by: Passage::Auto,
                },
            });
        }
        self
    }

    /// Adds an army that supports a move.
    fn support(mut self, power: Power, at: &str, from: &str, to: &str) -> Phase {
        self = self.army(power, at, None);
        let unit = self.last();
        self.sheet.orders.push(Order {
            unit,
            action: Action::SupportMove {
                from: province(from),
                to: province(to).into(),
            },
        });
        self
    }

    fn last(&self) -> UnitId {
        self.position.units.last().unwrap().id
    }

    /// With room for so many armies of a power.
    fn room(mut self, power: Power, limit: u32) -> Phase {
        self.sheet.room.insert((province("orb"), power), limit);
        self
    }

    fn first_come(mut self) -> Phase {
        self.sheet.first_come = true;
        self
    }

    /// The last army takes no part.
    fn withdrawn(mut self) -> Phase {
        let last = self.last();
        self.sheet.withdrawn.insert(last);
        self
    }

    fn resolve(&self) -> Resolution {
        movement(map(), &self.position, &self.sheet)
    }

    /// For each army, whether it moved.
    fn moved(&self) -> Vec<bool> {
        let outcomes = self.resolve().outcomes;
        outcomes.iter().map(|one| one.moved.is_some()).collect()
    }

    /// Whether the only dislodged army may retreat into orbit.
    fn retreats_up(&self) -> bool {
        let dislodged = self.resolve().dislodged;
        assert_eq!(dislodged.len(), 1, "{dislodged:?}");
        dislodged[0]
            .options
            .contains(&Location::from(province("orb")))
    }
}

#[test]
fn without_a_limit_there_is_room_for_all() {
    let phase = Phase::default()
        .army(AUSTRIA, "orb", None)
        .army(AUSTRIA, "vie", Some("orb"))
        .army(AUSTRIA, "bud", Some("orb"));
    assert_eq!(phase.moved(), [false, true, true]);
}

#[test]
fn where_there_is_not_room_for_all_that_come_none_gets_in() {
    let three = Phase::default()
        .army(AUSTRIA, "orb", None)
        .army(AUSTRIA, "vie", Some("orb"))
        .army(AUSTRIA, "bud", Some("orb"));
    assert_eq!(three.room(AUSTRIA, 2).moved(), [false, false, false]);
    let fits = Phase::default()
        .army(AUSTRIA, "orb", None)
        .army(AUSTRIA, "vie", Some("orb"))
        .army(AUSTRIA, "bud", None);
    assert_eq!(fits.room(AUSTRIA, 2).moved(), [false, true, false]);
}

#[test]
fn if_the_first_come_first_those_listed_first_get_in() {
    let phase = Phase::default()
        .army(AUSTRIA, "orb", None)
        .army(AUSTRIA, "vie", Some("orb"))
        .army(ITALY, "rom", Some("orb"))
        .army(AUSTRIA, "bud", Some("orb"))
        .army(AUSTRIA, "tri", Some("orb"))
        .room(AUSTRIA, 3)
        .first_come();
    assert_eq!(phase.moved(), [false, true, true, true, false]);
}

#[test]
fn each_power_has_room_of_its_own() {
    let phase = Phase::default()
        .army(ITALY, "orb", None)
        .army(ITALY, "orb", None)
        .army(AUSTRIA, "vie", Some("orb"))
        .army(ITALY, "rom", Some("orb"))
        .room(AUSTRIA, 1)
        .room(ITALY, 2);
    assert_eq!(phase.moved(), [false, false, true, false]);
}

#[test]
fn a_unit_that_leaves_makes_room_and_one_that_bounces_does_not() {
    let leaves = Phase::default()
        .army(AUSTRIA, "orb", Some("gal"))
        .army(AUSTRIA, "bud", Some("orb"))
        .room(AUSTRIA, 1);
    assert_eq!(leaves.moved(), [true, true]);
    let bounces = Phase::default()
        .army(AUSTRIA, "orb", Some("gal"))
        .army(AUSTRIA, "bud", Some("orb"))
        .army(ITALY, "war", Some("gal"))
        .room(AUSTRIA, 1);
    assert_eq!(bounces.moved(), [false, false, false]);
    let takes_no_part = Phase::default()
        .army(AUSTRIA, "bud", Some("orb"))
        .army(AUSTRIA, "orb", None)
        .withdrawn()
        .room(AUSTRIA, 1);
    assert_eq!(takes_no_part.moved(), [true, false]);
}

#[test]
fn armies_change_places_with_one_aboard_even_if_there_is_no_more_room() {
    let phase = Phase::default()
        .army(AUSTRIA, "orb", Some("vie"))
        .army(AUSTRIA, "vie", Some("orb"))
        .room(AUSTRIA, 1);
    assert_eq!(phase.moved(), [true, true]);
}

#[test]
fn a_support_is_for_the_first_listed_move_of_the_own_power() {
    let phase = |first: Power, second: Power| {
        Phase::default()
            .army(first, "orb", Some("gal"))
            .army(second, "orb", Some("gal"))
            .support(AUSTRIA, "bud", "orb", "gal")
    };
    assert_eq!(phase(AUSTRIA, AUSTRIA).moved(), [true, false, false]);
    assert_eq!(phase(ITALY, AUSTRIA).moved(), [false, true, false]);
    // The supporter may name another's army.
    let mut of_italy = phase(ITALY, AUSTRIA);
    of_italy.sheet.beneficiaries = BTreeMap::from([(of_italy.last(), ITALY)]);
    assert_eq!(of_italy.moved(), [true, false, false]);
    // A support for one province does not help a move to another.
    let elsewhere = Phase::default()
        .army(AUSTRIA, "orb", Some("boh"))
        .army(AUSTRIA, "orb", Some("gal"))
        .army(ITALY, "war", Some("gal"))
        .support(AUSTRIA, "bud", "orb", "gal");
    assert_eq!(elsewhere.moved(), [true, true, false, false]);
}

/// An army of Austria in Vienna is dislodged from Bohemia.
fn dislodged_in_vienna() -> Phase {
    Phase::default()
        .army(AUSTRIA, "vie", None)
        .army(ITALY, "boh", Some("vie"))
        .support(ITALY, "tyr", "boh", "vie")
}

#[test]
fn a_dislodged_army_goes_up_if_there_is_room_after_the_moves() {
    assert!(dislodged_in_vienna().retreats_up());
    assert!(dislodged_in_vienna().room(AUSTRIA, 1).retreats_up());
    assert!(!dislodged_in_vienna().room(AUSTRIA, 0).retreats_up());
    let with_one_aboard = |to: Option<&str>| {
        let phase = dislodged_in_vienna().army(AUSTRIA, "orb", to);
        phase.room(AUSTRIA, 1)
    };
    assert!(!with_one_aboard(None).retreats_up());
    assert!(with_one_aboard(Some("gal")).retreats_up(), "it has landed");
    assert!(with_one_aboard(None).withdrawn().retreats_up());
    let comes = dislodged_in_vienna().army(AUSTRIA, "bud", Some("orb"));
    assert!(!comes.room(AUSTRIA, 1).retreats_up(), "another has come");
    let of_italy = dislodged_in_vienna().army(ITALY, "orb", None);
    assert!(of_italy.room(AUSTRIA, 1).retreats_up(), "it is another's");
}

#[test]
fn what_stays_aboard_keeps_nobody_from_a_province_and_what_is_withdrawn_neither() {
    let phase = dislodged_in_vienna().army(AUSTRIA, "gal", None).withdrawn();
    let options = phase.resolve().dislodged[0].options.clone();
    assert!(options.contains(&province("gal").into()), "{options:?}");
}

#[test]
fn the_room_of_one_power_in_one_place_is_nobody_elses_and_nowhere_else() {
    let of_two_powers = Phase::default()
        .army(AUSTRIA, "bud", Some("orb"))
        .army(ITALY, "rom", Some("orb"))
        .room(AUSTRIA, 0)
        .room(ITALY, 1);
    assert_eq!(of_two_powers.moved(), [false, true]);
    let in_two_places = Phase::default()
        .army(AUSTRIA, "bud", Some("orb"))
        .army(AUSTRIA, "vie", Some("moo"))
        .room(AUSTRIA, 0);
    assert_eq!(in_two_places.moved(), [false, true]);
}
