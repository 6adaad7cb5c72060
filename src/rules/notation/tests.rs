use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::calendar::PhaseKind;
use crate::map::{Location, Map, Power, Travel, UnitKind};
use crate::orders::{Action, Order, Passage};
use crate::position::{Position, Unit, UnitId};

fn read(phase: PhaseKind, text: &str) -> Result<WrittenOrder, NotationError> {
    WrittenOrder::read(Map::standard(), phase, text)
}

#[test]
fn every_form_of_an_order_reads_back_as_itself() {
    use PhaseKind::{Adjustments, Movement, Retreats};
    for (phase, text) in [
        (Movement, "A MAR H"),
        (Movement, "A MUN - BUR"),
        (Movement, "F MAO - SPA/NC"),
        (Movement, "A LON - NWY VIA"),
        (Movement, "A LON - NTH - NWG - NWY"),
        (Movement, "A PAR S A MAR"),
        (Movement, "F GAS S F SPA/NC - MAO"),
        (Movement, "F NTH C A LON - NWY"),
        (Retreats, "F SPA/SC R WES"),
        (Retreats, "A MUN D"),
        (Adjustments, "F STP/NC B"),
        (Adjustments, "A MUN D"),
        (Adjustments, "WAIVE"),
    ] {
        assert_eq!(read(phase, text).unwrap().to_string(), text);
    }
    let support = read(Movement, "A PAR S A MAR H").unwrap();
    assert_eq!(support.to_string(), "A PAR S A MAR");
}

#[test]
fn an_error_says_what_is_wrong() {
    use PhaseKind::{Adjustments, Movement, Retreats};
    for (phase, text, error) in [
        (Movement, "", "the text ends where a unit is expected"),
        (Movement, "A", "the text ends where a place is expected"),
        (
            Movement,
            "A MUN",
            "the text ends where an order is expected",
        ),
        (
            Movement,
            "A MUN -",
            "the text ends where a place is expected",
        ),
        (Movement, "X MUN H", "`X` is not a kind of unit"),
        (Movement, "A MUX H", "`MUX` is not a place on this map"),
        (
            Movement,
            "F STP/XC H",
            "`STP/XC` is not a place on this map",
        ),
        (Movement, "A MÜN H", "`MÜN` is not a place on this map"),
        (Movement, "A MUN R BOH", "`R` is not an order of this phase"),
        (Retreats, "A MUN H", "`H` is not an order of this phase"),
        (Adjustments, "A MUN H", "`H` is not an order of this phase"),
        (Movement, "A MUN H BUR", "unexpected `BUR`"),
        (Movement, "A MUN - BUR VIA NTH", "unexpected `NTH`"),
        (Movement, "F NTH C A LON H", "unexpected `H`"),
        (
            Movement,
            "F NTH C A LON",
            "the text ends where `-` is expected",
        ),
    ] {
        assert_eq!(read(phase, text).unwrap_err().to_string(), error, "{text}");
    }
}

#[test]
fn a_board_names_its_faulty_line() {
    let map = Map::standard();
    for (text, error) in [
        (
            "France A PAR",
            "line 1: the text ends where a colon is expected",
        ),
        ("Gaul: A PAR", "line 1: `Gaul` is not a power of this map"),
        (
            "France: A PAR\n\nItaly: F PAR",
            "line 3: F PAR cannot stand there",
        ),
        ("France: F SPA", "line 1: F SPA cannot stand there"),
        ("France: A PAR, A PAR", "line 1: two units stand in PAR"),
    ] {
        assert_eq!(position(map, text).unwrap_err().to_string(), error);
    }
    assert_eq!(
        centers(map, "France: PAR, BUR").unwrap_err().to_string(),
        "line 1: BUR is not a supply center"
    );
    let board = position(map, "neutral: A BEL\nFRANCE: A PAR").unwrap();
    assert_eq!(
        board.standing(Province::literal(b"BEL")).unwrap().power,
        Power::NEUTRAL
    );
    assert_eq!(
        write_position(map, &board),
        "France: A PAR\nNeutral: A BEL\n"
    );
    assert_eq!(
        movement_orders(map, &board, "F PAR H")
            .unwrap_err()
            .to_string(),
        "line 1: there is no F PAR to order"
    );
    assert_eq!(
        retreat_orders(map, &board, "A PAR D")
            .unwrap_err()
            .to_string(),
        "line 1: there is no A PAR to order"
    );
}

/// A board with a unit in each of some provinces, where the numbers say which.
fn board(map: &Map, numbers: &[usize]) -> Position {
    let mut position = Position::default();
    for (id, &number) in (0u32..).zip(numbers) {
        let info = &map.provinces()[number % map.provinces().len()];
        let kinds = [
            (UnitKind::ARMY, Travel::Land),
            (UnitKind::FLEET, Travel::Sea),
        ];
        let standing = kinds.into_iter().flat_map(|(kind, travel)| {
            let stations = map.stations(travel, info.code).into_iter();
            stations.map(move |at| (kind, at))
        });
        let standing: Vec<(UnitKind, Location)> = standing.collect();
        let (kind, at) = standing[number % standing.len()];
        if position.standing(info.code).is_none() {
            position.units.push(Unit {
                id: UnitId(id),
                power: Power(u8::try_from(number % 7).unwrap()),
                kind,
                at,
            });
        }
    }
    position
}

/// Any order of a movement phase that can be written, legal or not.
fn any_action(map: &'static Map, position: &Position) -> impl Strategy<Value = Action> + use<> {
    let codes: Vec<_> = map.provinces().iter().map(|info| info.code).collect();
    let mut places: Vec<Location> = codes.iter().map(|&code| code.into()).collect();
    places.extend(
        codes
            .iter()
            .flat_map(|&code| map.stations(Travel::Sea, code)),
    );
    let occupied: Vec<_> = position.units.iter().map(|unit| unit.at.province).collect();
    let seas = prop::collection::vec(select(codes.clone()), 1..4);
    let by = prop_oneof![
        Just(Passage::Auto),
        Just(Passage::Convoy),
        seas.prop_map(Passage::Route)
    ];
    prop_oneof![
        Just(Action::Hold),
        (select(places.clone()), by).prop_map(|(to, by)| Action::Move { to, by }),
        select(occupied.clone()).prop_map(|at| Action::SupportHold { at }),
        (select(occupied.clone()), select(places))
            .prop_map(|(from, to)| Action::SupportMove { from, to }),
        (select(occupied), select(codes)).prop_map(|(from, to)| Action::Convoy { from, to }),
    ]
}

fn board_and_orders() -> impl Strategy<Value = (Position, Vec<Order>)> {
    let map = Map::standard();
    prop::collection::vec(any::<usize>(), 1..30).prop_flat_map(move |numbers| {
        let position = board(map, &numbers);
        let actions = prop::collection::vec(any_action(map, &position), position.units.len());
        actions.prop_map(move |actions| {
            let units = position.units.iter().map(|unit| unit.id);
            let orders = units
                .zip(actions)
                .map(|(unit, action)| Order { unit, action });
            (position.clone(), orders.collect())
        })
    })
}

proptest! {
    #[test]
    fn written_orders_read_back_as_themselves((position, orders) in board_and_orders()) {
        let map = Map::standard();
        let written = orders.iter().map(|order| WrittenOrder::of(order, &position).unwrap());
        let text: Vec<String> = written.map(|order| order.to_string()).collect();
        prop_assert_eq!(movement_orders(map, &position, &text.join("\n")), Ok(orders), "{:?}", text);
    }

    #[test]
    fn a_written_board_reads_back_as_itself((board, _) in board_and_orders()) {
        let map = Map::standard();
        let again = position(map, &write_position(map, &board)).unwrap();
        let named = |board: &Position| {
            let mut units: Vec<_> = board.units.iter().map(|unit| (unit.at, unit.kind, unit.power)).collect();
            units.sort();
            units
        };
        prop_assert_eq!(named(&again), named(&board));
    }

    #[test]
    fn no_text_is_too_odd(text in "([AF] )?[A-Z]{0,3}(/[NSX]C)?[ -]{0,3}(H|S|C|VIA|.{0,5})( [AF] PAR)?") {
        for phase in [PhaseKind::Movement, PhaseKind::Retreats, PhaseKind::Adjustments] {
            if let Ok(order) = read(phase, &text) {
                prop_assert_eq!(read(phase, &order.to_string()), Ok(order));
            }
        }
    }
}
