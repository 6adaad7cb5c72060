//! The field: the units and provinces of one movement phase under consecutive numbers, with every order linked to the units
//! that it names. No decision is made here, and no later step looks anything up by name.

use crate::map::{Location, Map, Power, Province, Travel};
use crate::orders::{
    Action, Illegal, OrderSheet, Passage, Strength, Stronghold, UnitsByProvince, arrival, fights,
    legal_among, needed_in_chain,
};
use crate::position::{Position, Unit, UnitId};

use super::outcome::Reason;

/// Stands for no unit.
pub(super) const NONE: u16 = u16::MAX;

/// What a fighter was ordered to do; `Hold` also for a unit without a legal order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    Hold,
    Move,
    SupportHold,
    SupportMove,
    Convoy,
    /// The unit takes no part: it is withdrawn, of a kind that does not fight, or not on the map.
    Absent,
}

/// A decision, or that it is still to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Undecided,
    Yes,
    No,
}

impl Verdict {
    /// Yes if it is sure already.
    pub(super) fn yes_if(sure: bool) -> Self {
        if sure { Self::Yes } else { Self::Undecided }
    }
}

impl From<bool> for Verdict {
    fn from(yes: bool) -> Self {
        if yes { Self::Yes } else { Self::No }
    }
}

/// A unit and its order. Other fighters are known by their index in [`Field::fighters`], or [`NONE`].
#[derive(Clone, Debug)]
pub(super) struct Fighter<'a> {
    pub(super) unit: &'a Unit,
    pub(super) task: Task,
    pub(super) at: u8,
    /// The destination of the move, or of the supported or convoyed move; the province of the unit whose hold is supported.
    pub(super) to: u8,
    pub(super) strength: Strength,
    /// The unit that it supports or convoys.
    pub(super) other: u16,
    /// The destination of a move, with the coast.
    pub(super) arrival: Location,
    pub(super) convoyed: bool,
    /// Whether its province is shared.
    pub(super) from_shared: bool,
    /// Whether its destination is shared, so that only the room there counts.
    pub(super) to_shared: bool,
    /// The seas of the route that the order names.
    pub(super) route: Option<&'a [Province]>,
    /// The unit that moves in the opposite direction over the same border.
    pub(super) head_on: u16,
    /// First of the units that support it, linked by `next_helper`.
    pub(super) helpers: u16,
    /// First of the units that convoy it, linked by `next_helper`.
    pub(super) carriers: u16,
    pub(super) next_helper: u16,
    /// The next move to the same province.
    pub(super) next_mover: u16,
    /// The first of the assists for it, an index into [`Field::assists`].
    pub(super) assists: u16,
    /// Whether the move succeeds; `No` for other orders.
    pub(super) moved: Verdict,
    /// Whether the move has a path (DATC 5.B.2); `Yes` by land.
    pub(super) path: Verdict,
    /// Whether the support is given, that is, not cut.
    pub(super) support_given: Verdict,
}

/// An [`Assist`](crate::orders::Assist) between two fighters.
#[derive(Clone, Debug)]
pub(super) struct Assistance {
    pub(super) by: u16,
    /// The province to which the help is directed.
    pub(super) toward: u8,
    pub(super) cut_at: u32,
    pub(super) support_given: Verdict,
    pub(super) next: u16,
}

/// The question whether units of one power find room in a shared province.
#[derive(Clone, Debug)]
pub(super) struct Room {
    pub(super) at: u8,
    pub(super) power: Power,
    pub(super) limit: u32,
    /// If units get room in the order of the sheet: the units up to the one in question, which is the last. `None` if all
    /// units of the power get room, or none does.
    pub(super) queue: Option<Vec<u16>>,
    pub(super) granted: Verdict,
}

/// The units, orders and decisions of a movement phase.
pub(super) struct Field<'a> {
    pub(super) map: &'a Map,
    pub(super) sheet: &'a OrderSheet,
    pub(super) fighters: Vec<Fighter<'a>>,
    pub(super) assists: Vec<Assistance>,
    pub(super) rooms: Vec<Room>,
    /// By province: the unit there; [`NONE`] for a shared province.
    pub(super) occupant: [u16; 256],
    /// By province: the first of the moves to it; [`NONE`] for a shared province.
    pub(super) movers: [u16; 256],
    pub(super) strongholds: Vec<(u8, Stronghold)>,
    /// The fighters whose orders have no effect, and the reasons.
    pub(super) faults: Vec<(u16, Reason)>,
    /// The order of each fighter that counts.
    pub(super) actions: Vec<Option<&'a Action>>,
    /// The fighters that are ordered to convoy.
    convoys: Vec<u16>,
}

impl<'a> Field<'a> {
    /// Numbers the units in the order of the position and links their orders. Units after the first 65,535 are left out.
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
            field.add_fighter(index, unit);
        }
        for (&province, &stronghold) in &sheet.overlay.strongholds {
            if let Some(number) = map.number(province) {
                field.strongholds.push((number, stronghold));
            }
        }
        field.read_orders(position);
        field.link_supports();
        field.link_assists();
        field.link_movers();
        field
    }

    fn add_fighter(&mut self, index: u16, unit: &'a Unit) {
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
            task: if absent { Task::Absent } else { Task::Hold },
            at,
            to: at,
            strength: strength.unwrap_or_default(),
            other: NONE,
            arrival: unit.at,
            convoyed: false,
            from_shared: shared,
            to_shared: false,
            route: None,
            head_on: NONE,
            helpers: NONE,
            carriers: NONE,
            next_helper: NONE,
            next_mover: NONE,
            assists: NONE,
            moved: Verdict::No,
            path: Verdict::Yes,
            support_given: Verdict::No,
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

    /// The index of the unit with this id.
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
        // The last order for a unit counts.
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
            if fighter.task == Task::Absent {
                continue;
            }
            let Some(action) = self.actions[usize::from(index)] else {
                continue;
            };
            if let Err(illegal) = self.read_order(index, fighter.unit, action, &by_province) {
                self.faults.push((index, Reason::Illegal(illegal)));
            }
        }
    }

    /// The reason why the fighter's order has no effect, if it has none.
    pub(super) fn fault(&self, index: u16) -> Option<&Reason> {
        self.faults
            .iter()
            .find(|(faulty, _)| *faulty == index)
            .map(|(_, reason)| reason)
    }

    fn read_order(
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
                    // Only a fleet arrives on a coast, and it needs no convoy.
                    _ if by_itself.as_ref().is_ok_and(|at| at.coast.is_some()) => false,
                    Passage::Auto => self.is_intended(unit, to.province, by_province),
                    Passage::Land => false,
                    Passage::Convoy | Passage::Route(_) => map.travel(unit.kind) != Travel::Sea,
                };
                let to_shared = self.is_shared(destination);
                let fighter = &mut self.fighters[usize::from(index)];
                fighter.task = Task::Move;
                fighter.to = destination;
                fighter.to_shared = to_shared;
                fighter.moved = Verdict::Undecided;
                fighter.convoyed = convoyed;
                if convoyed {
                    fighter.path = Verdict::Undecided;
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
                fighter.task = Task::SupportHold;
                fighter.to = to;
            }
            Action::SupportMove { from, to } => {
                legal_among(map, overlay, unit, action, Some(by_province))?;
                let other = self.helped_unit(unit, *from, Some(*to)).unwrap_or(NONE);
                let to = number(to.province)?;
                let fighter = &mut self.fighters[usize::from(index)];
                fighter.task = Task::SupportMove;
                fighter.to = to;
                fighter.other = other;
            }
            Action::Convoy { from, to } => {
                legal_among(map, overlay, unit, action, Some(by_province))?;
                let other = self
                    .helped_unit(unit, *from, Some((*to).into()))
                    .unwrap_or(NONE);
                let to = number(*to)?;
                let fighter = &mut self.fighters[usize::from(index)];
                fighter.task = Task::Convoy;
                fighter.to = to;
                fighter.other = other;
            }
            _ => legal_among(map, overlay, unit, action, Some(by_province))?,
        }
        Ok(())
    }

    /// Whether an army goes by convoy although it could go by land: a fleet of the same power that can be needed for the
    /// convoy is ordered to convoy this move (rulebook 2023; DATC 4.A.3, 6.G.2, 6.G.19).
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

    /// The unit that a support or convoy names. In a shared province it is the first one on the sheet that belongs to the
    /// power in question and moves as the order says (Outer Space 5.2 1f).
    fn helped_unit(&self, by: &Unit, from: Province, to: Option<Location>) -> Option<u16> {
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
            let alive =
                fighter.at == number && fighter.unit.power == power && fighter.task != Task::Absent;
            let counts = self.actions[usize::from(index)]
                .is_some_and(|action| std::ptr::eq(action, &order.action));
            (alive && fits && counts).then_some(index)
        })
    }
}
