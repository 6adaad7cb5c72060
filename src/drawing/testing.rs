//! Boards for unit tests.

use std::collections::{BTreeMap, BTreeSet};

use dipjudge_rules::map::{Location, Map, UnitKind};
use dipjudge_rules::orders::Action;
use dipjudge_view::{
    Board, Label, OrderFate, OrderOnBoard, Owner, PowerOnBoard, Sign, SignLook, UnitOnBoard,
    UnitState,
};

/// A map as its game begins.
pub fn board_at_start(map: &str) -> Board {
    board_of(Map::named(map).unwrap())
}

/// A map with its units at the start.
pub fn board_of(map: &'static Map) -> Board {
    let powers = map.powers().iter().map(|info| PowerOnBoard {
        label: Label::new(&info.name),
        mark: info.letter.map(String::from).unwrap_or_default(),
    });
    let whose = |power: dipjudge_rules::map::Power| Owner(power.index());
    let units = map.start().iter().map(|start| UnitOnBoard {
        kind: start.kind,
        whose: whose(start.power),
        at: start.at,
        state: UnitState::Stands,
    });
    let mut owners = BTreeMap::new();
    for power in (0..map.powers().len()).map(|number| dipjudge_rules::map::Power(number as u8)) {
        owners.extend(map.homes(power).iter().map(|home| (*home, whose(power))));
    }
    Board {
        map,
        drawing: "",
        title: "A <test>".to_owned(),
        powers: powers.collect(),
        in_sight: None,
        owners,
        units: units.collect(),
        orders: Vec::new(),
        standoffs: BTreeSet::new(),
        open: BTreeSet::new(),
        signs: Vec::new(),
        near: None,
    }
}

/// A place of the standard board.
pub fn at(text: &str) -> Location {
    text.parse().unwrap()
}

/// A board with one of each thing that is drawn.
pub fn busy_board() -> Board {
    let mut board = board_at_start("standard");
    let order = |from: &str, action, fate| OrderOnBoard {
        whose: Owner(Some(1)),
        from: at(from),
        action,
        fate,
    };
    board.orders = vec![
        order(
            "LON",
            Action::Move {
                to: at("NTH"),
                by: Vec::new(),
            },
            OrderFate::Failed,
        ),
        order(
            "YOR",
            Action::Move {
                to: at("NWY"),
                by: vec![at("NTH")],
            },
            OrderFate::Succeeded,
        ),
        order(
            "EDI",
            Action::SupportMove {
                from: at("LON"),
                to: at("NTH"),
            },
            OrderFate::Failed,
        ),
        order(
            "WAL",
            Action::SupportHold { at: at("LON") },
            OrderFate::Succeeded,
        ),
        order(
            "NTH",
            Action::Convoy {
                from: at("YOR"),
                to: at("NWY"),
            },
            OrderFate::Succeeded,
        ),
        order(
            "ENG",
            Action::Convoy {
                from: at("WAL"),
                to: at("BRE"),
            },
            OrderFate::Failed,
        ),
        order(
            "PIC",
            Action::Retreat { to: at("PAR") },
            OrderFate::Succeeded,
        ),
    ];
    let unit = |kind: &str, place: &str, state| UnitOnBoard {
        kind: kind.parse::<UnitKind>().unwrap(),
        whose: Owner(Some(2)),
        at: at(place),
        state,
    };
    board.units.extend([
        unit("A", "BUR", UnitState::Built),
        unit("DOM", "BUR", UnitState::Stands),
        unit("F", "GAS", UnitState::Dislodged),
        unit("A", "SPA", UnitState::Gone),
        unit("A", "MAR", UnitState::GoneWhenDislodged),
    ]);
    let sign = |place: &str, look| Sign {
        at: at(place).province,
        look,
        text: "BORG".to_owned(),
        whose: Owner(Some(3)),
        meaning: "marked",
    };
    board.signs = vec![
        sign("PAR", SignLook::Fort),
        sign("RUH", SignLook::Stripes),
        sign("HOL", SignLook::Token),
        sign("BEL", SignLook::Ring),
        sign("DEN", SignLook::Cross),
    ];
    board.standoffs = [at("SWE").province].into();
    board
}
