//! A board set up from text for tests: `Austria: A VIE, F TRI; Italy: A VEN`, and orders given by the place of the unit.

#![allow(dead_code)]

use dipjudge::adjudicator::{Mark, Resolution, movement};
use dipjudge::map::{Location, Map, Power, Province};
use dipjudge::orders::{Action, Order, OrderSheet, Passage};
use dipjudge::position::{Position, Unit, UnitId};

/// A position, its powers by name, and the order sheet.
pub(crate) struct Scene<'a> {
    pub(crate) map: &'a Map,
    pub(crate) powers: Vec<String>,
    pub(crate) position: Position,
    pub(crate) sheet: OrderSheet,
}

pub(crate) fn province(text: &str) -> Province {
    text.parse().unwrap()
}

impl<'a> Scene<'a> {
    /// `3 A ORB` stands for three units.
    pub(crate) fn new(map: &'a Map, text: &str) -> Self {
        let mut scene = Self {
            map,
            powers: Vec::new(),
            position: Position::default(),
            sheet: OrderSheet::default(),
        };
        for side in text
            .split(';')
            .map(str::trim)
            .filter(|side| !side.is_empty())
        {
            let (name, units) = side.split_once(':').unwrap();
            let power = Power(u8::try_from(scene.powers.len()).unwrap());
            scene.powers.push(name.trim().to_owned());
            for unit in units.split(',') {
                let mut words: Vec<&str> = unit.split_whitespace().collect();
                let count = words[0].parse().unwrap_or(1);
                if words.len() > 2 {
                    words.remove(0);
                }
                for _ in 0..count {
                    let id = UnitId(u32::try_from(scene.position.units.len()).unwrap());
                    let unit = Unit {
                        id,
                        power,
                        kind: words[0].parse().unwrap(),
                        at: words[1].parse().unwrap(),
                    };
                    scene.position.units.push(unit);
                }
            }
        }
        scene
    }

    pub(crate) fn standard(text: &str) -> Scene<'static> {
        Scene::new(Map::standard(), text)
    }

    pub(crate) fn power(&self, name: &str) -> Power {
        Power(u8::try_from(self.powers.iter().position(|power| power == name).unwrap()).unwrap())
    }

    pub(crate) fn unit(&self, at: &str) -> UnitId {
        self.position.standing(province(at)).unwrap().id
    }

    /// Orders as `VIE - TYR`, `TYR S VIE - BOH`, `NTH C LON - BEL`, `LON - BEL VIA`, `PAR H`.
    pub(crate) fn orders(mut self, orders: &[&str]) -> Self {
        for order in orders {
            let (at, rest) = order.split_once(' ').unwrap();
            let order = Order {
                unit: self.unit(at),
                action: action(rest),
            };
            self.sheet.orders.push(order);
        }
        self
    }

    pub(crate) fn with(mut self, amend: impl FnOnce(&mut OrderSheet)) -> Self {
        amend(&mut self.sheet);
        self
    }

    pub(crate) fn resolve(&self) -> Resolution {
        movement(self.map, &self.position, &self.sheet)
    }

    /// The marks of the unit that stood there, as reports print them; empty for success.
    pub(crate) fn marks(&self, at: &str) -> String {
        let resolution = self.resolve();
        let marks = resolution.outcome(self.unit(at)).unwrap().marks;
        marks.iter().map(Mark::code).collect::<Vec<_>>().join(", ")
    }

    pub(crate) fn reason(&self, at: &str) -> String {
        let resolution = self.resolve();
        resolution
            .outcome(self.unit(at))
            .unwrap()
            .reason
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default()
    }

    pub(crate) fn retreats(&self, at: &str) -> Vec<String> {
        let resolution = self.resolve();
        let dislodged = resolution
            .dislodged
            .iter()
            .find(|dislodged| dislodged.unit.id == self.unit(at))
            .unwrap();
        dislodged.options.iter().map(Location::to_string).collect()
    }
}

pub(crate) fn action(text: &str) -> Action {
    let words: Vec<&str> = text.split_whitespace().collect();
    let place = |word: &str| -> Location { word.parse().unwrap() };
    match words.as_slice() {
        ["H"] => Action::Hold,
        ["-", to] => Action::Move {
            to: place(to),
            by: Passage::Auto,
        },
        ["-", to, "VIA"] => Action::Move {
            to: place(to),
            by: Passage::Convoy,
        },
        ["-", to, "BY", seas @ ..] => Action::Move {
            to: place(to),
            by: Passage::Route(seas.iter().map(|sea| province(sea)).collect()),
        },
        ["S", at] => Action::SupportHold { at: province(at) },
        ["S", from, "-", to] => Action::SupportMove {
            from: province(from),
            to: place(to),
        },
        ["C", from, "-", to] => Action::Convoy {
            from: province(from),
            to: province(to),
        },
        other => panic!("{other:?}"),
    }
}
