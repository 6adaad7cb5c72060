//! Whether an order is legal. The checks use only what the player can know: the map and the units in sight, never the orders of
//! others.

use super::chain::touch;
use super::{Action, Ferry, Illegal, Overlay, Passage, chain, is_joined};
use crate::map::{Location, Map, Power, Province, ProvinceSet, Terrain, Travel, UnitKind};
use crate::position::{Dislodged, Unit};

/// Whether the province is open to the power's units.
#[must_use]
pub fn may_enter(map: &Map, overlay: &Overlay, power: Power, province: Province) -> bool {
    match overlay.only.get(&province) {
        Some(powers) => powers.contains(&power),
        None => map
            .info(province)
            .and_then(|info| info.only)
            .is_none_or(|only| only == power),
    }
}

/// Whether the unit can move to the province without a convoy, to any coast of it. A unit that supports must be able to move to
/// the province at which its support is directed.
#[must_use]
pub fn within_reach(map: &Map, overlay: &Overlay, unit: &Unit, province: Province) -> bool {
    let on_map = map
        .number(province)
        .is_some_and(|number| map.reach_set(map.travel(unit.kind), unit.at).has(number));
    on_map
        || (!overlay.is_empty()
            && extra_places(map, overlay, unit)
                .iter()
                .any(|to| to.province == province))
}

/// The places that the unit can reach only because of the overlay.
fn extra_places(map: &Map, overlay: &Overlay, unit: &Unit) -> Vec<Location> {
    let travel = map.travel(unit.kind);
    let linked = overlay
        .linked(unit.at.province)
        .flat_map(|to| map.stations(travel, to));
    linked
        .chain(overlay.reach.get(&unit.id).into_iter().flatten().copied())
        .collect()
}

/// The location at which the unit arrives if it moves to `to` without a convoy. For a fleet it has a coast if the province has
/// several; a coast that `to` leaves out is added if the fleet can reach only one (DATC 6.B.2). The coast of an army is
/// dropped (DATC 6.B.12).
///
/// # Errors
/// [`Illegal::CannotReach`], [`Illegal::CoastNeeded`] (DATC 6.B.1) or [`Illegal::Closed`].
pub fn arrival(
    map: &Map,
    overlay: &Overlay,
    unit: &Unit,
    to: Location,
) -> Result<Location, Illegal> {
    if to.province == unit.at.province && map.info(to.province).is_none_or(|info| !info.shared) {
        return Err(Illegal::CannotReach(unit.into(), to));
    }
    if !may_enter(map, overlay, unit.power, to.province) {
        return Err(Illegal::Closed(unit.into(), to.province));
    }
    let travel = map.travel(unit.kind);
    if travel == Travel::Land && overlay.is_empty() {
        // Armies know no coasts, so a look at the borders is enough.
        return if within_reach(map, overlay, unit, to.province) {
            Ok(to.province.into())
        } else {
            Err(Illegal::CannotReach(unit.into(), to))
        };
    }
    let extra = if overlay.is_empty() {
        Vec::new()
    } else {
        extra_places(map, overlay, unit)
    };
    let mut places = map
        .reach(travel, unit.at)
        .iter()
        .chain(&extra)
        .filter(|place| place.province == to.province);
    let coast_matters = travel == Travel::Sea && to.coast.is_some();
    if coast_matters {
        // A coast named where the province has only one is dropped.
        return places
            .find(|place| place.coast == to.coast || place.coast.is_none())
            .copied()
            .ok_or(Illegal::CannotReach(unit.into(), to));
    }
    let first = *places.next().ok_or(Illegal::CannotReach(unit.into(), to))?;
    if places.any(|place| *place != first) {
        return Err(Illegal::CoastNeeded(unit.into(), to.province));
    }
    Ok(first)
}

/// Checks whether a movement order is legal. `units` are the units in sight, dislodged ones excepted. With `None` the checks
/// that need them are left out, for an order of a later phase or a board that is partly hidden.
///
/// # Errors
/// The reason why it is not.
pub fn legal(
    map: &Map,
    overlay: &Overlay,
    unit: &Unit,
    action: &Action,
    units: Option<&[Unit]>,
) -> Result<(), Illegal> {
    if is_legal_alone(map, overlay, unit, action) {
        return Ok(());
    }
    check(map, overlay, unit, action, units.map(KnownUnits::Listed))
}

/// Whether the action is legal whatever other units there are, so that they need no index.
fn is_legal_alone(map: &Map, overlay: &Overlay, unit: &Unit, action: &Action) -> bool {
    match action {
        Action::Hold => true,
        Action::Move {
            to,
            by: Passage::Auto | Passage::Land,
        } => arrival(map, overlay, unit, *to).is_ok(),
        _ => false,
    }
}

/// An index of units by province, to check many orders of one position.
#[derive(Clone, Debug)]
pub struct UnitsByProvince<'a> {
    units: &'a [Unit],
    /// By province: one more than the index of a unit there, or 0. It is the first unit that fights, or else the first one.
    first: [u16; 256],
    fleets: ProvinceSet,
}

impl<'a> UnitsByProvince<'a> {
    /// Makes the index.
    #[must_use]
    pub fn of(map: &Map, units: &'a [Unit]) -> Self {
        let mut by_province = Self {
            units,
            first: [0; 256],
            fleets: ProvinceSet::EMPTY,
        };
        for (index, unit) in (1u16..).zip(units) {
            let Some(number) = map.number(unit.at.province) else {
                continue;
            };
            let first = &mut by_province.first[usize::from(number)];
            let before = first
                .checked_sub(1)
                .and_then(|at| units.get(usize::from(at)));
            let is_first = |before: &Unit| !fights(map, before.kind) && fights(map, unit.kind);
            if before.is_none_or(is_first) {
                *first = index;
            }
            if map.seas().has(number) && map.travel(unit.kind) == Travel::Sea {
                by_province.fleets.add(number);
            }
        }
        by_province
    }

    /// The unit in the province with this number: the first one that fights, or else the first one.
    #[must_use]
    pub fn at(&self, number: u8) -> Option<&'a Unit> {
        self.units
            .get(usize::from(self.first[usize::from(number)].checked_sub(1)?))
    }

    /// The provinces with a fleet that can convoy.
    #[must_use]
    pub fn fleets(&self) -> ProvinceSet {
        self.fleets
    }
}

/// Checks an order as [`legal`] does, with an index of the units.
///
/// # Errors
/// The reason why it is not.
pub fn legal_among(
    map: &Map,
    overlay: &Overlay,
    unit: &Unit,
    action: &Action,
    by_province: Option<&UnitsByProvince<'_>>,
) -> Result<(), Illegal> {
    check(
        map,
        overlay,
        unit,
        action,
        by_province.map(KnownUnits::Indexed),
    )
}

/// The units among which an order is checked. A single order asks after so few of them that an index would take longer than to
/// look for them.
#[derive(Clone, Copy)]
enum KnownUnits<'a, 'i> {
    Listed(&'a [Unit]),
    Indexed(&'i UnitsByProvince<'a>),
}

impl<'a> KnownUnits<'a, '_> {
    fn units(self) -> &'a [Unit] {
        match self {
            KnownUnits::Listed(units) => units,
            KnownUnits::Indexed(by_province) => by_province.units,
        }
    }

    /// The unit in the province: the first one that fights, or else the first one.
    fn at(self, map: &Map, province: Province) -> Option<&'a Unit> {
        let number = map.number(province)?;
        match self {
            KnownUnits::Listed(units) => {
                let mut there = units.iter().filter(|unit| unit.at.province == province);
                let first = there.next()?;
                if fights(map, first.kind) {
                    return Some(first);
                }
                there.find(|unit| fights(map, unit.kind)).or(Some(first))
            }
            KnownUnits::Indexed(by_province) => by_province.at(number),
        }
    }

    /// The provinces with a fleet that can convoy.
    fn fleets(self, map: &Map) -> ProvinceSet {
        match self {
            KnownUnits::Listed(units) => {
                let at_sea = units
                    .iter()
                    .filter(|unit| map.travel(unit.kind) == Travel::Sea)
                    .filter_map(|unit| map.number(unit.at.province));
                at_sea.filter(|&number| map.seas().has(number)).collect()
            }
            KnownUnits::Indexed(by_province) => by_province.fleets,
        }
    }
}

fn check(
    map: &Map,
    overlay: &Overlay,
    unit: &Unit,
    action: &Action,
    known: Option<KnownUnits<'_, '_>>,
) -> Result<(), Illegal> {
    match action {
        Action::Hold | Action::Special(_) => Ok(()),
        Action::Move { to, by } => legal_move(map, overlay, unit, *to, by, known),
        Action::SupportHold { at } => {
            if *at == unit.at.province {
                return Err(Illegal::SupportsItself(unit.into()));
            }
            let combat = !is_shared(map, *at) && !is_shared(map, unit.at.province);
            if !combat
                || !within_reach(map, overlay, unit, *at)
                || !may_enter(map, overlay, unit.power, *at)
            {
                return Err(Illegal::CannotReachToSupport(unit.into(), *at));
            }
            find(map, known, *at).map(|_| ())
        }
        Action::SupportMove { from, to } => {
            let to = to.province;
            if *from == unit.at.province {
                return Err(Illegal::SupportsItself(unit.into()));
            }
            let combat = !is_shared(map, to) && !is_shared(map, unit.at.province);
            if !combat || to == unit.at.province || !within_reach(map, overlay, unit, to) {
                return Err(Illegal::CannotReachToSupport(unit.into(), to));
            }
            let Some(supported) = find(map, known, *from)? else {
                return Ok(());
            };
            if *from != to && within_reach(map, overlay, supported, to) {
                return Ok(());
            }
            let can_come = if is_shared(map, *from) {
                // The order may be for any of the units there.
                known
                    .into_iter()
                    .flat_map(|known| known.units())
                    .filter(|unit| unit.at.province == *from)
                    .any(|other| within_reach(map, overlay, other, to))
            } else {
                // A fleet that supports cannot be the one that convoys (DATC 6.D.31).
                let mut seas = passable(map, known);
                if let Some(own) = map.number(unit.at.province) {
                    seas.remove(own);
                }
                could_be_convoyed(map, overlay, supported, to, seas, Some(unit))
            };
            if can_come {
                Ok(())
            } else {
                Err(Illegal::SupportedCannotReach(
                    unit.into(),
                    supported.into(),
                    to,
                ))
            }
        }
        Action::Convoy { from, to } => legal_convoy(map, overlay, unit, *from, *to, known),
        Action::Retreat { .. }
        | Action::Disband
        | Action::Build(_)
        | Action::Remove { .. }
        | Action::Waive => Err(Illegal::WrongPhase(unit.into())),
    }
}

fn legal_move(
    map: &Map,
    overlay: &Overlay,
    unit: &Unit,
    to: Location,
    by: &Passage,
    known: Option<KnownUnits<'_, '_>>,
) -> Result<(), Illegal> {
    let by_itself = arrival(map, overlay, unit, to).map(|_| ());
    if matches!(
        by_itself,
        Err(Illegal::Closed(..) | Illegal::CoastNeeded(..))
    ) || to.province == unit.at.province
    {
        return by_itself;
    }
    match by {
        Passage::Land => by_itself,
        Passage::Auto if by_itself.is_ok() => by_itself,
        Passage::Auto | Passage::Convoy => {
            if map.travel(unit.kind) == Travel::Sea {
                // A fleet that can get there by itself ignores VIA.
                return by_itself.map_err(|_| Illegal::CannotReach(unit.into(), to));
            }
            let seas = passable(map, known);
            if could_be_convoyed(map, overlay, unit, to.province, seas, None) {
                Ok(())
            } else if by_itself.is_ok() && known.is_some() {
                // With a land border the order stands, though without any fleet it cannot succeed (DATC 6.G.8).
                Ok(())
            } else {
                Err(Illegal::CannotReach(unit.into(), to))
            }
        }
        Passage::Route(route) => {
            if map.travel(unit.kind) == Travel::Sea {
                return Err(Illegal::CannotBeConvoyed(unit.into()));
            }
            if !is_landing(map, to.province) {
                return Err(Illegal::CannotReach(unit.into(), to));
            }
            if is_ferry_route(overlay, unit, to.province, route, known) {
                return Ok(());
            }
            let mut seas = passable(map, known);
            if let Some(end) = map.number(to.province) {
                seas.remove(end);
            }
            let mut before = unit.at.province;
            for &sea in route {
                let open = map.number(sea).is_some_and(|number| seas.has(number))
                    && touch(map, overlay, before, sea);
                if !open {
                    return Err(Illegal::BrokenRoute(unit.into(), sea));
                }
                before = sea;
            }
            if touch(map, overlay, before, to.province) {
                Ok(())
            } else {
                Err(Illegal::CannotReach(unit.into(), to))
            }
        }
    }
}

/// Whether the route consists of the province of one ferry for this unit.
fn is_ferry_route(
    overlay: &Overlay,
    unit: &Unit,
    to: Province,
    route: &[Province],
    known: Option<KnownUnits<'_, '_>>,
) -> bool {
    let Some(known) = known else {
        return false;
    };
    overlay.ferries_to(unit.id, to).any(|by| {
        known
            .units()
            .iter()
            .any(|other| other.id == by && *route == [other.at.province])
    })
}

fn legal_convoy(
    map: &Map,
    overlay: &Overlay,
    unit: &Unit,
    from: Province,
    to: Province,
    known: Option<KnownUnits<'_, '_>>,
) -> Result<(), Illegal> {
    let number = map.number(unit.at.province);
    let mut ferries = overlay.ferries.iter();
    let is_ferry = ferries.any(|ferry| ferry.by == unit.id);
    let at_sea =
        map.travel(unit.kind) == Travel::Sea && number.is_some_and(|number| map.seas().has(number));
    if !at_sea && !is_ferry {
        return Err(Illegal::CannotConvoy(unit.into()));
    }
    let passenger = passenger(map, known, from)?;
    if let Some(passenger) = passenger {
        if map.travel(passenger.kind) == Travel::Sea {
            return Err(Illegal::CannotBeConvoyed(passenger.into()));
        }
        let mut ferries = overlay.ferries_to(passenger.id, to);
        if is_landing(map, to) && from != to && ferries.any(|by| by == unit.id) {
            return Ok(());
        }
        if !at_sea {
            let carries = |ferry: &Ferry| ferry.by == unit.id && ferry.passenger == passenger.id;
            return Err(if overlay.ferries.iter().any(carries) {
                Illegal::CannotConvoyBetween(unit.into(), from, to)
            } else {
                Illegal::CannotConvoy(unit.into())
            });
        }
    }
    let mut seas = match passenger {
        Some(_) => passable(map, known),
        None => map.seas(),
    };
    if let Some(end) = map.number(to) {
        seas.remove(end);
    }
    if let Some(number) = number {
        seas.add(number);
    }
    let alone =
        touch(map, overlay, from, unit.at.province) && touch(map, overlay, unit.at.province, to);
    let joined = || number.is_some_and(|number| chain(map, overlay, from, to, seas).has(number));
    // An army cannot be convoyed to the province of the fleet.
    let elsewhere = unit.at.province != to;
    if elsewhere && from != to && is_landing(map, to) && (alone || joined()) {
        Ok(())
    } else {
        Err(Illegal::CannotConvoyBetween(unit.into(), from, to))
    }
}

/// Checks whether a retreat or disband order is legal. `dislodged` is the entry of the unit in
/// [`Position::dislodged`](crate::position::Position::dislodged).
///
/// # Errors
/// [`Illegal::NotDislodged`], [`Illegal::CannotRetreat`], [`Illegal::CoastNeeded`] or [`Illegal::WrongPhase`].
pub fn legal_retreat(
    unit: &Unit,
    dislodged: Option<&Dislodged>,
    action: &Action,
) -> Result<(), Illegal> {
    let Some(dislodged) = dislodged else {
        return Err(Illegal::NotDislodged(unit.into()));
    };
    match action {
        Action::Disband | Action::Special(_) => Ok(()),
        Action::Retreat { to } => {
            let mut fitting = dislodged
                .options
                .iter()
                .filter(|option| option.province == to.province);
            if to.coast.is_some() {
                // An army's coast is dropped.
                return if fitting.any(|option| option.coast == to.coast || option.coast.is_none()) {
                    Ok(())
                } else {
                    Err(Illegal::CannotRetreat(unit.into(), *to))
                };
            }
            match (fitting.next(), fitting.next()) {
                (None, _) => Err(Illegal::CannotRetreat(unit.into(), *to)),
                (Some(_), None) => Ok(()),
                (Some(_), Some(_)) => Err(Illegal::CoastNeeded(unit.into(), to.province)),
            }
        }
        _ => Err(Illegal::WrongPhase(unit.into())),
    }
}

/// Whether the province is shared. There is no combat in such a province, and so no support.
fn is_shared(map: &Map, province: Province) -> bool {
    map.info(province).is_some_and(|info| info.shared)
}

fn is_landing(map: &Map, province: Province) -> bool {
    map.info(province)
        .is_some_and(|info| info.terrain != Terrain::Sea)
}

/// The seas through which fleets in sight can convoy; all seas if the units are not known.
fn passable(map: &Map, known: Option<KnownUnits<'_, '_>>) -> ProvinceSet {
    known.map_or(map.seas(), |known| known.fleets(map))
}

/// Whether the unit can be convoyed over these seas, or by a ferry other than `but`.
fn could_be_convoyed(
    map: &Map,
    overlay: &Overlay,
    unit: &Unit,
    to: Province,
    mut seas: ProvinceSet,
    but: Option<&Unit>,
) -> bool {
    if let Some(end) = map.number(to) {
        seas.remove(end);
    }
    map.travel(unit.kind) != Travel::Sea
        && is_landing(map, to)
        && may_enter(map, overlay, unit.power, to)
        && (is_joined(map, overlay, unit.at.province, to, seas)
            || overlay
                .ferries_to(unit.id, to)
                .any(|by| but.is_none_or(|but| but.id != by)))
}

/// The unit in the province that can be convoyed, even if it is of a kind that does not fight.
fn passenger<'a>(
    map: &Map,
    known: Option<KnownUnits<'a, '_>>,
    from: Province,
) -> Result<Option<&'a Unit>, Illegal> {
    let can_be_carried = |unit: &Unit| map.travel(unit.kind) != Travel::Sea;
    let found = find(map, known, from);
    if matches!(&found, Ok(Some(unit)) if can_be_carried(unit)) {
        return found;
    }
    let mut units = known.map_or(&[][..], |known| known.units()).iter();
    match units.find(|unit| unit.at.province == from && can_be_carried(unit)) {
        Some(unit) => Ok(Some(unit)),
        None => found,
    }
}

/// Whether units of the kind take part in combat.
#[must_use]
#[inline]
pub fn fights(map: &Map, kind: UnitKind) -> bool {
    kind == UnitKind::ARMY
        || kind == UnitKind::FLEET
        || map.kind(kind).is_none_or(|info| info.fights)
}

/// The unit in the province; `None` if the units are not known.
fn find<'a>(
    map: &Map,
    known: Option<KnownUnits<'a, '_>>,
    province: Province,
) -> Result<Option<&'a Unit>, Illegal> {
    match known {
        None => Ok(None),
        Some(known) => known
            .at(map, province)
            .map(Some)
            .ok_or(Illegal::NothingThere(None, province)),
    }
}
