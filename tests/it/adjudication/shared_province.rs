//! Boards and orders made from a number, for properties: shared corners of the map, orders that mostly have to do with
//! each other.

use dipjudge::map::{Location, Map, Power, Travel, UnitKind};
use dipjudge::orders::{Action, Order, OrderSheet, Passage};
use dipjudge::position::{Position, Unit, UnitId};

/// A generator good enough to vary tests.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn from(seed: u64) -> Self {
        Self(seed ^ 0x9e37_79b9_7f4a_7c15)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap() % limit.max(1)
    }

    pub(crate) fn pick<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        (!all.is_empty()).then(|| all[self.below(all.len())])
    }
}

/// Up to `most` units in one corner of the board, and an order for most of them.
pub(crate) fn board(map: &Map, seed: u64, most: usize) -> (Position, OrderSheet) {
    let mut numbers = Numbers::from(seed);
    let joined: Vec<_> = map
        .provinces()
        .iter()
        .map(|info| info.code)
        .filter(|code| !map.neighbors(*code).is_empty())
        .collect();
    let mut corner = vec![joined[numbers.below(joined.len())]];
    let wanted = 2 + numbers.below(most);
    while corner.len() < wanted.min(joined.len()) {
        let from = corner[numbers.below(corner.len())];
        if let Some(next) = numbers
            .pick(map.neighbors(from))
            .filter(|next| !corner.contains(next))
        {
            corner.push(next);
        }
    }
    let mut position = Position::default();
    for province in corner {
        let kinds = [UnitKind::ARMY, UnitKind::FLEET];
        let kind = kinds[numbers.below(2)];
        let stations = map.stations(map.travel(kind), province);
        let (kind, stations) = if stations.is_empty() {
            let other = kinds.into_iter().find(|other| *other != kind).unwrap();
            (other, map.stations(map.travel(other), province))
        } else {
            (kind, stations)
        };
        let at = numbers.pick(&stations).unwrap();
        let id = UnitId(u32::try_from(position.units.len()).unwrap());
        let power = Power(u8::try_from(numbers.below(3)).unwrap());
        position.units.push(Unit {
            id,
            power,
            kind,
            at,
        });
    }
    let mut sheet = OrderSheet::default();
    // Moves first, so that supports and convoys have something to do with them.
    let mut moves: Vec<(Unit, Location)> = Vec::new();
    let units = position.units.clone();
    for unit in &units {
        if numbers.below(10) < 6 {
            let inland_leap = unit.kind == UnitKind::ARMY && numbers.below(3) == 0;
            let to = if inland_leap {
                numbers.pick(&units).map(|other| {
                    numbers
                        .pick(map.neighbors(other.at.province))
                        .map_or(other.at.province, |near| near)
                        .into()
                })
            } else {
                numbers.pick(map.reach(map.travel(unit.kind), unit.at))
            };
            if let Some(to) = to {
                moves.push((*unit, to));
            }
        }
    }
    for unit in &units {
        let action = if let Some((_, to)) = moves.iter().find(|(mover, _)| mover.id == unit.id) {
            let by = match numbers.below(6) {
                0 => Passage::Convoy,
                _ => Passage::Auto,
            };
            Some(Action::Move { to: *to, by })
        } else {
            let near = |at: Location| map.neighbors(unit.at.province).contains(&at.province);
            let at_sea = map.travel(unit.kind) == Travel::Sea
                && map.stations(Travel::Land, unit.at.province).is_empty();
            let supportable: Vec<_> = moves.iter().filter(|(_, to)| near(*to)).copied().collect();
            let landings: Vec<_> = moves
                .iter()
                .filter(|(mover, _)| mover.kind == UnitKind::ARMY)
                .copied()
                .collect();
            let holders: Vec<_> = units
                .iter()
                .filter(|other| near(other.at))
                .copied()
                .collect();
            match numbers.below(8) {
                0 | 1 if at_sea => numbers.pick(&landings).map(|(mover, to)| Action::Convoy {
                    from: mover.at.province,
                    to: to.province,
                }),
                0..=4 => numbers
                    .pick(&supportable)
                    .map(|(mover, to)| Action::SupportMove {
                        from: mover.at.province,
                        to,
                    }),
                5 | 6 => numbers.pick(&holders).map(|other| Action::SupportHold {
                    at: other.at.province,
                }),
                _ => Some(Action::Hold),
            }
        };
        if let Some(action) = action {
            sheet.orders.push(Order {
                unit: unit.id,
                action,
            });
        }
    }
    (position, sheet)
}

/// The sheet with its orders in another sequence.
pub(crate) fn shuffled(sheet: &OrderSheet, seed: u64) -> OrderSheet {
    let mut numbers = Numbers::from(seed);
    let mut sheet = sheet.clone();
    for last in (1..sheet.orders.len()).rev() {
        sheet.orders.swap(last, numbers.below(last + 1));
    }
    sheet
}
