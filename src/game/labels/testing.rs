//! A variant for tests: each reader calls the powers by labels of his own, derived from names some of which are equal.
#![expect(
    missing_docs,
    reason = "the powers of the standard game say it themselves"
)]

use jiff::Timestamp;

use crate::{
    Adjudication, Card, Course, Described, Event, Game, Hidden, KeptState, OwnLabels, PersonId,
    Phase, Role, SeatId, Seed, Submissions, Views, apply,
};
use dipjudge_rules::calendar::{Season, Turn};
use dipjudge_rules::map::{Map, Power, UnitKind};
use dipjudge_rules::orders::VariantData;
use dipjudge_rules::position::{Position, Unit};

pub const AUSTRIA: Power = Power(0);
pub const ENGLAND: Power = Power(1);
pub const FRANCE: Power = Power(2);
pub const GERMANY: Power = Power(3);
pub const ITALY: Power = Power(4);
pub const RUSSIA: Power = Power(5);
pub const TURKEY: Power = Power(6);

/// The names that the powers want, by their numbers.
const WANTED: [&str; 7] = ["Elam", "Babel", "Babel", "babel", "Elam", "Aram", "Kush"];

/// The test variant. Its state is a list of pairs in contact.
pub struct OwnNames;

impl Described for OwnNames {
    fn card(&self) -> &'static Card {
        &Card {
            name: "own-names",
            title: "Own Names",
            ..Card::PLAIN
        }
    }
}

impl Course for OwnNames {}

impl Submissions for OwnNames {}

impl Adjudication for OwnNames {}

impl Views for OwnNames {
    fn hides(&self, _: &Game) -> &'static [Hidden] {
        &[]
    }

    fn own_labels(&self) -> Option<&dyn OwnLabels> {
        Some(self)
    }
}

impl OwnLabels for OwnNames {
    fn wanted(&self, _: &Game, power: Power) -> String {
        WANTED[power.index().unwrap()].to_owned()
    }

    fn contacts(&self, game: &Game, power: Power) -> Vec<Power> {
        let pairs: Vec<(Power, Power)> = game.data().read().unwrap_or_default();
        let other = |(one, other): &(Power, Power)| match power {
            power if power == *one => Some(*other),
            power if power == *other => Some(*one),
            _ => None,
        };
        pairs.iter().filter_map(other).collect()
    }
}

/// The same variant with hidden existence.
pub struct Strangers;

impl Described for Strangers {
    fn card(&self) -> &'static Card {
        OwnNames.card()
    }
}

impl Course for Strangers {}

impl Submissions for Strangers {}

impl Adjudication for Strangers {}

impl Views for Strangers {
    fn hides(&self, _: &Game) -> &'static [Hidden] {
        &[Hidden::Existence]
    }

    fn own_labels(&self) -> Option<&dyn OwnLabels> {
        Some(&OwnNames)
    }
}

/// Puts these powers in contact.
pub fn contacts(pairs: &[(Power, Power)]) -> Event {
    Event::Data {
        data: VariantData::of(&pairs).unwrap().into(),
    }
}

/// A position of armies: `bur` of Turkey.
pub fn armies(list: &[(Power, &str)]) -> Position {
    let mut position = Position::default();
    for (power, at) in list {
        position.units.push(Unit {
            id: position.free_id(),
            power: *power,
            kind: UnitKind::ARMY,
            at: Map::standard().find_province(at).unwrap().into(),
        });
    }
    position
}

/// A player takes the seat of this number; he is the person of this number.
pub fn player_seated(number: u32) -> Event {
    Event::Seated {
        seat: SeatId(number),
        person: PersonId(number),
        address: format!("p{number}@example.org"),
        role: Role::Player,
        password: String::new(),
    }
}

/// A BLIND game that has begun with these armies. Seat 1 belongs to the master, seats 2 to 8 to the powers.
pub fn begun(list: &[(Power, &str)]) -> Game {
    let at = Timestamp::UNIX_EPOCH;
    let made = Card::PLAIN.created("many", Seed::new([7; 32]));
    let mut game = apply::create(&made, at).unwrap();
    game.settings.blind = true;
    for n in 1..=8 {
        let seated = Event::Seated {
            seat: SeatId(n),
            person: PersonId(n),
            address: format!("p{n}@ex.org"),
            role: if n == 1 { Role::Master } else { Role::Player },
            password: String::new(),
        };
        apply::apply(&mut game, at, &seated);
    }
    let powers = Map::standard().powers().to_vec();
    let holders = game.all_powers().map(|power| (power, seat_of(power)));
    let holders = holders.collect();
    apply::apply(&mut game, at, &Event::Dealt { powers, holders });
    let begun = Event::Begun {
        turn: Turn {
            year: 1901,
            season: Season::Spring,
        },
        phase: Phase::Movement,
        position: armies(list),
        data: KeptState::default(),
    };
    apply::apply(&mut game, at, &begun);
    game
}

/// The seat of a power's leader.
pub fn seat_of(power: Power) -> SeatId {
    SeatId(u32::from(power.0) + 2)
}
