//! Lines made at random, the same in every run, for tests and for `benches/compare`.

use dipjudge_rules::map::{Location, Map, Power, Travel, UnitKind};
use dipjudge_rules::orders::{Action, Overlay, Passage, legal};
use dipjudge_rules::position::{Unit, UnitId};
use serde_json::{Value, json};

/// Numbers that look random, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit.max(1)
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        all.get(self.below(all.len())).copied()
    }
}

/// Units around a few provinces, and orders that often concern each other.
pub(crate) fn line(number: u64) -> String {
    let map = Map::standard();
    let mut numbers = Numbers(number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let start = numbers.below(map.provinces().len());
    let mut area = vec![map.provinces()[start].code];
    let size = 3 + numbers.below(40);
    for _ in 0..size * 4 {
        let from = numbers.pick(&area).unwrap();
        let next = numbers.pick(map.neighbors(from)).unwrap();
        if !area.contains(&next) && area.len() < size {
            area.push(next);
        }
    }
    let powers = 1 + numbers.below(7);
    let mut units: Vec<Unit> = Vec::new();
    for province in area {
        let travel = if numbers.below(5) < 3 {
            Travel::Land
        } else {
            Travel::Sea
        };
        let stations = map.stations(travel, province);
        if let Some(at) = numbers.pick(&stations) {
            let kind = if travel == Travel::Sea {
                UnitKind::FLEET
            } else {
                UnitKind::ARMY
            };
            let power = Power(u8::try_from(numbers.below(powers)).unwrap());
            units.push(Unit {
                id: UnitId(0),
                power,
                kind,
                at,
            });
        }
    }
    let mut orders: Vec<String> = vec![String::new(); units.len()];
    // Destinations first, so that supports and convoys can be for moves that are ordered.
    let mut moves = Vec::new();
    for unit in &units {
        let reach = map.reach(map.travel(unit.kind), unit.at);
        let elsewhere = numbers.below(8) == 0 && unit.kind == UnitKind::ARMY;
        let to = if elsewhere {
            numbers.pick(&units).map(|unit| unit.at.province.into())
        } else {
            numbers.pick(reach)
        };
        let is_wanted = |to: &Location| {
            let action = Action::Move {
                to: *to,
                by: Passage::Auto,
            };
            let careless = numbers.below(30) == 0;
            numbers.below(5) < 3
                && (careless
                    || legal(map, &Overlay::default(), unit, &action, Some(&units)).is_ok())
        };
        moves.push(to.filter(is_wanted));
    }
    for (index, unit) in units.iter().enumerate() {
        let text = match (moves[index], numbers.below(12)) {
            (Some(to), 0) => format!(" - {to} VIA"),
            (Some(to), 1) => format!(" - {}", to.province),
            (Some(to), _) => format!(" - {to}"),
            (None, 0) => " H".to_owned(),
            (None, 1) => continue,
            (None, _) => help(&mut numbers, &units, &moves, unit),
        };
        orders[index] = format!("{} {}{text}", unit.kind, unit.at);
    }
    let key = |power: Power| map.powers()[usize::from(power.0)].key.clone();
    let mut state = json!({"units": {}, "centers": {}});
    let mut given = json!({});
    let push = |list: &mut Value, power: Power, text: String| {
        let list = &mut list[key(power)];
        if list.is_null() {
            *list = json!([]);
        }
        list.as_array_mut().unwrap().push(text.into());
    };
    for (unit, order) in units.iter().zip(orders) {
        push(
            &mut state["units"],
            unit.power,
            format!("{} {}", unit.kind, unit.at),
        );
        if !order.is_empty() {
            push(&mut given, unit.power, order);
        }
    }
    let owners = 1 + numbers.below(9);
    for &center in map.centers() {
        let owner = numbers.below(owners);
        if owner < powers {
            let owner = Power(u8::try_from(owner).unwrap());
            push(&mut state["centers"], owner, center.to_string());
        }
    }
    let season = if numbers.below(2) == 0 { "S" } else { "F" };
    let name = format!("{season}{}M", 1901 + numbers.below(1200));
    format!(r#"{{"id":"x{number}","name":"{name}","state":{state},"orders":{given}}}"#)
}

/// A support or a convoy, mostly a legal one.
fn help(numbers: &mut Numbers, units: &[Unit], moves: &[Option<Location>], unit: &Unit) -> String {
    let map = Map::standard();
    let careless = numbers.below(30) == 0;
    for _ in 0..40 {
        let index = numbers.below(units.len());
        let other = units[index];
        let from = other.at.province;
        let (action, text) = match moves[index] {
            Some(Location { province: to, .. })
                if unit.kind == UnitKind::FLEET
                    && other.kind == UnitKind::ARMY
                    && numbers.below(3) > 0 =>
            {
                (Action::Convoy { from, to }, format!(" C A {from} - {to}"))
            }
            Some(to) => {
                let text = format!(" S {} {} - {to}", other.kind, other.at);
                (Action::SupportMove { from, to }, text)
            }
            None => {
                let text = format!(" S {} {}", other.kind, other.at);
                (Action::SupportHold { at: from }, text)
            }
        };
        if careless || legal(map, &Overlay::default(), unit, &action, Some(units)).is_ok() {
            return text;
        }
    }
    " H".to_owned()
}
