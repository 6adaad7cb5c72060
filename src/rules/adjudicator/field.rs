//! The field: units and provinces of one movement phase, numbered densely on entry, with every order joined to the units
//! that it speaks of. Nothing is decided here; nothing later looks anything up by name.

use crate::map::{Location, Map, Power, Province, Travel};
use crate::orders::{
    Action, Illegal, OrderSheet, Passage, Strength, Stronghold, UnitsByProvince, arrival, fights,
    legal_among, needed_in_chain,
};
use crate::position::{Position, Unit, UnitId};

use super::outcome::Reason;

/// No unit, no province.
pub(super) const NONE: u16 = u16::MAX;

/// What a fighter does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    Stay,
    Move,
    SupportHold,
    SupportMove,
    Convoy,
    /// Takes no part: withdrawn, of a kind that does not fight, or nowhere on the map.
    Nothing,
}

/// Something that is not decided yet, or how it was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Open,
    Yes,
    No,
}

impl From<bool> for Verdict {
    fn from(yes: bool) -> Self {
        if yes { Self::Yes } else { Self::No }
    }
}

/// One unit and its order.
#[derive(Clone, Debug)]
pub(super) struct Fighter<'a> {
    pub(super) unit: &'a Unit,
    pub(super) told: Told,
    pub(super) at: u8,
    /// Where it moves to; where the supported or convoyed move goes; where the unit is whose hold is supported.
    pub(super) to: u8,
    pub(super) strength: Strength,
    /// The unit supported or convoyed.
    pub(super) other: u16,
    /// Where a move would arrive.
    pub(super) arrival: Location,
    pub(super) convoyed: bool,
    /// Its origin is shared.
    pub(super) from_shared: bool,
    /// Its destination is shared: only room counts there.
    pub(super) to_crowd: bool,
    /// The seas of its route, if it named them.
    pub(super) route: Option<&'a [Province]>,
    /// The unit that moves the other way over the same border.
    pub(super) head_on: u16,
    /// First of the units that support it, linked by `next_helper`.
    pub(super) helpers: u16,
    /// First of the units that convoy it, linked by `next_helper`.
    pub(super) carriers: u16,
    pub(super) next_helper: u16,
    /// Next of the moves to the same province.
    pub(super) next_mover: u16,
    /// First of the assists that it gets, linked in the list of assists.
    pub(super) assists: u16,
    /// Whether the move succeeds; `No` for what does not move.
    pub(super) moved: Verdict,
    /// Whether its way exists; `Yes` by land.
    pub(super) path: Verdict,
    /// Whether the support is not cut.
    pub(super) given: Verdict,
}

/// Help that costs no order.
#[derive(Clone, Debug)]
pub(super) struct Assistance {
    pub(super) by: u16,
    /// The province that it is directed to.
    pub(super) toward: u8,
    pub(super) cut_at: u32,
    pub(super) given: Verdict,
    pub(super) next: u16,
}

/// Room in one shared province for units of one power.
#[derive(Clone, Debug)]
pub(super) struct Room {
    pub(super) at: u8,
    pub(super) power: Power,
    pub(super) limit: u32,
    /// Whose room it is, where those listed first get in: those listed before, and last the one that it is for. Nothing
    /// where it is for all together.
    pub(super) queue: Option<Vec<u16>>,
    pub(super) granted: Verdict,
}

/// All of it.
pub(super) struct Field<'a> {
    pub(super) map: &'a Map,
    pub(super) sheet: &'a OrderSheet,
    pub(super) fighters: Vec<Fighter<'a>>,
    pub(super) assists: Vec<Assistance>,
    pub(super) rooms: Vec<Room>,
    /// By province: who stands there; nobody in a shared province.
    pub(super) occupant: [u16; 256],
    /// By province: first of the moves to it, shared provinces excepted.
    pub(super) movers: [u16; 256],
    pub(super) strongholds: Vec<(u8, Stronghold)>,
    /// Orders without effect, and why.
    pub(super) faults: Vec<(u16, Reason)>,
    /// The order that counts, parallel to the fighters.
    pub(super) actions: Vec<Option<&'a Action>>,
    /// Who was ordered to convoy.
    convoys: Vec<u16>,
}

impl<'a> Field<'a> {
    /// Numbers the units in the order of the position's list and joins the orders.
    pub(super) fn new(map: &'a Map, position: &'a Position, sheet: &'a OrderSheet) -> Self {
        let count = position.units.len().min(usize::from(NONE));
        let mut field = Self {
            map,
            sheet,
            fighters: Vec::with_capacity(count),
            assists: Vec::new(),
            rooms: Vec::new(),
            occupant: [NONE; 256],
            movers: [NONE; 256],
            strongholds: Vec::new(),
            faults: Vec::new(),
            actions: vec![None; count],
            convoys: Vec::new(),
        };
        for (index, unit) in (0u16..).zip(position.units.iter().take(count)) {
            field.enter(index, unit);
        }
        for (&province, &stronghold) in &sheet.overlay.strongholds {
            if let Some(number) = map.number(province) {
                field.strongholds.push((number, stronghold));
            }
        }
        field.read_orders(position);
        field.join_supports();
        field.join_assists();
        field.join_movers();
        field
    }

    fn enter(&mut self, index: u16, unit: &'a Unit) {
        let sheet = self.sheet;
        let number = self.map.number(unit.at.province);
        let shared = number.is_some_and(|number| self.is_shared(number));
        let absent = number
            .is_none_or(|number| !shared && self.occupant[usize::from(number)] != NONE)
            || (!sheet.withdrawn.is_empty() && sheet.withdrawn.contains(&unit.id))
            || !fights(self.map, unit.kind);
        let at = number.unwrap_or(u8::MAX);
        if !absent && !shared {
            self.occupant[usize::from(at)] = index;
        }
        let strength = if sheet.strengths.is_empty() {
            None
        } else {
            sheet.strengths.get(&unit.id).copied()
        };
        self.fighters.push(Fighter {
            unit,
            told: if absent { Told::Nothing } else { Told::Stay },
            at,
            to: at,
            strength: strength.unwrap_or_default(),
            other: NONE,
            arrival: unit.at,
            convoyed: false,
            from_shared: shared,
            to_crowd: false,
            route: None,
            head_on: NONE,
            helpers: NONE,
            carriers: NONE,
            next_helper: NONE,
            next_mover: NONE,
            assists: NONE,
            moved: Verdict::No,
            path: Verdict::Yes,
            given: Verdict::No,
        });
    }

    /// The indices of the fighters, in their order.
    pub(super) fn indices(&self) -> impl DoubleEndedIterator<Item = u16> + use<> {
        (0..NONE).take(self.fighters.len())
    }

    /// The province with this number.
    pub(super) fn province(&self, number: u8) -> Province {
        self.map.provinces()[usize::from(number)].code
    }

    pub(super) fn is_shared(&self, number: u8) -> bool {
        self.map
            .provinces()
            .get(usize::from(number))
            .is_some_and(|info| info.shared)
    }

    /// The unit's number on the field.
    pub(super) fn index_of(&self, id: UnitId) -> Option<u16> {
        // In a new game a unit's id is its index.
        if let Ok(index) = u16::try_from(id.0)
            && let Some(fighter) = self.fighters.get(usize::from(index))
            && fighter.unit.id == id
        {
            return Some(index);
        }
        let found = self
            .fighters
            .binary_search_by_key(&id, |fighter| fighter.unit.id);
        match found {
            Ok(index) => self.indices().nth(index),
            // The units need not be sorted by id.
            Err(_) => (0u16..)
                .zip(&self.fighters)
                .find(|(_, fighter)| fighter.unit.id == id)
                .map(|(index, _)| index),
        }
    }

    fn read_orders(&mut self, position: &'a Position) {
        let sheet = self.sheet;
        let by_province = UnitsByProvince::of(self.map, &position.units);
        // The last order for a unit counts, so the first one met from behind.
        for order in sheet.orders.iter().rev() {
            let Some(index) = self.index_of(order.unit) else {
                continue;
            };
            let action = &mut self.actions[usize::from(index)];
            if action.is_some() {
                continue;
            }
            *action = Some(&order.action);
            if matches!(order.action, Action::Convoy { .. }) {
                self.convoys.push(index);
            }
        }
        for index in self.indices() {
            let fighter = &self.fighters[usize::from(index)];
            if fighter.told == Told::Nothing {
                continue;
            }
            let Some(action) = self.actions[usize::from(index)] else {
                continue;
            };
            if let Err(illegal) = self.take(index, fighter.unit, action, &by_province) {
                self.faults.push((index, Reason::Illegal(illegal)));
            }
        }
    }

    /// Why the fighter's order has no effect, if it has none.
    pub(super) fn fault(&self, index: u16) -> Option<&Reason> {
        self.faults
            .iter()
            .find(|(faulty, _)| *faulty == index)
            .map(|(_, reason)| reason)
    }

    fn take(
        &mut self,
        index: u16,
        unit: &Unit,
        action: &'a Action,
        by_province: &UnitsByProvince<'_>,
    ) -> Result<(), Illegal> {
        let (map, overlay) = (self.map, &self.sheet.overlay);
        let number = |province: Province| {
            map.number(province)
                .ok_or(Illegal::CannotReach(unit.into(), province.into()))
        };
        match action {
            Action::Move { to, by } => {
                let destination = number(to.province)?;
                let by_itself = arrival(map, overlay, unit, *to);
                // By land there is nothing else to check.
                if by_itself.is_err() || !matches!(by, Passage::Auto | Passage::Land) {
                    legal_among(map, overlay, unit, action, Some(by_province))?;
                }
                let convoyed = match by {
                    _ if by_itself.is_err() => true,
                    // What sails by itself needs no convoy.
                    _ if by_itself.as_ref().is_ok_and(|at| at.coast.is_some()) => false,
                    Passage::Auto => self.is_intended(unit, to.province, by_province),
                    Passage::Land => false,
                    Passage::Convoy | Passage::Route(_) => map.travel(unit.kind) != Travel::Sea,
                };
                let to_crowd = self.is_shared(destination);
                let fighter = &mut self.fighters[usize::from(index)];
                fighter.told = Told::Move;
                fighter.to = destination;
                fighter.to_crowd = to_crowd;
                fighter.moved = Verdict::Open;
                fighter.convoyed = convoyed;
                if convoyed {
                    fighter.path = Verdict::Open;
                    fighter.arrival = to.province.into();
                    if let Passage::Route(seas) = by {
                        fighter.route = Some(seas);
                    }
                } else if let Ok(at) = by_itself {
                    fighter.arrival = at;
                }
            }
            Action::SupportHold { at } => {
                legal_among(map, overlay, unit, action, Some(by_province))?;
                let to = number(*at)?;
                let fighter = &mut self.fighters[usize::from(index)];
                fighter.told = Told::SupportHold;
                fighter.to = to;
            }
            Action::SupportMove { from, to } => {
                legal_among(map, overlay, unit, action, Some(by_province))?;
                let other = self.meant(unit, *from, Some(*to)).unwrap_or(NONE);
                let to = number(to.province)?;
                let fighter = &mut self.fighters[usize::from(index)];
                fighter.told = Told::SupportMove;
                fighter.to = to;
                fighter.other = other;
            }
            Action::Convoy { from, to } => {
                legal_among(map, overlay, unit, action, Some(by_province))?;
                let other = self.meant(unit, *from, Some((*to).into())).unwrap_or(NONE);
                let to = number(*to)?;
                let fighter = &mut self.fighters[usize::from(index)];
                fighter.told = Told::Convoy;
                fighter.to = to;
                fighter.other = other;
            }
            _ => legal_among(map, overlay, unit, action, Some(by_province))?,
        }
        Ok(())
    }

    /// Whether an army with a land border is to go by convoy all the same: an own fleet that could be needed for it is
    /// ordered to convoy this very move (rulebook 2023; DATC 4.A.3, 6.G.2, 6.G.19).
    fn is_intended(&self, unit: &Unit, to: Province, by_province: &UnitsByProvince<'_>) -> bool {
        if self.convoys.is_empty() || self.map.travel(unit.kind) == Travel::Sea {
            return false;
        }
        let (map, overlay) = (self.map, &self.sheet.overlay);
        self.convoys
            .iter()
            .map(|&index| usize::from(index))
            .any(|index| match self.actions[index] {
                Some(action @ Action::Convoy { from, to: end })
                    if *from == unit.at.province && *end == to =>
                {
                    let fleet = self.fighters[index].unit;
                    fleet.power == unit.power
                        && legal_among(map, overlay, fleet, action, Some(by_province)).is_ok()
                        && (overlay.ferries_to(unit.id, to).any(|by| by == fleet.id)
                            || needed_in_chain(
                                map,
                                overlay,
                                *from,
                                to,
                                fleet.at.province,
                                by_province.fleets(),
                            ))
                }
                _ => false,
            })
    }

    /// The unit that a support or convoy speaks of. In a shared province it is the first listed of the meant power's units
    /// that does what is supported (Outer Space 5.2 1f).
    fn meant(&self, by: &Unit, from: Province, to: Option<Location>) -> Option<u16> {
        let number = self.map.number(from)?;
        if !self.is_shared(number) {
            return Some(self.occupant[usize::from(number)]);
        }
        let power = self
            .sheet
            .beneficiaries
            .get(&by.id)
            .copied()
            .unwrap_or(by.power);
        self.sheet.orders.iter().find_map(|order| {
            let index = self.index_of(order.unit)?;
            let fighter = &self.fighters[usize::from(index)];
            let fits = match &order.action {
                Action::Move { to: end, .. } => to.is_some_and(|to| to.province == end.province),
                _ => false,
            };
            let alive = fighter.at == number
                && fighter.unit.power == power
                && fighter.told != Told::Nothing;
            let counts = self.actions[usize::from(index)]
                .is_some_and(|action| std::ptr::eq(action, &order.action));
            (alive && fits && counts).then_some(index)
        })
    }
}
