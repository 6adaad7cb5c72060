//! The room that each unit has: as near its place in the drawing as possible, and as large as names, centers, other units and the
//! borders of its province allow.

use std::collections::BTreeMap;

use super::curve::Spot;
use super::rect::Rect;
use super::region_grid::RegionGrid;
use dipjudge_rules::map::drawing::{Drawing, Place, Surface};
use dipjudge_rules::map::{Location, Province};

/// Half the width of a unit's symbol at scale 1.
pub(super) const HALF_WIDTH: f64 = 21.0;
/// Half the height of a unit's symbol at scale 1.
pub(super) const HALF_HEIGHT: f64 = 16.0;
/// The largest scale of a unit that stands.
const LARGEST: f64 = 1.7;
/// The largest scale of a dislodged unit.
const LARGEST_ASIDE: f64 = 1.35;
/// How much a unit grows in one round.
const GROWTH: f64 = 0.05;
/// How far a unit moves in one round to have more room.
const SHIFT: f64 = 4.0;
/// The least distance between the symbols of units and other things.
const GAP: f64 = 3.0;

/// Where a unit is drawn, and at which scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Room {
    pub(super) spot: Spot,
    pub(super) scale: f64,
}

impl Room {
    /// What the symbol of a unit takes up.
    pub(super) fn rect(self) -> Rect {
        Rect {
            middle: self.spot,
            half_width: HALF_WIDTH * self.scale,
            half_height: HALF_HEIGHT * self.scale,
        }
    }
}

/// The room of the units at each location of a drawing.
pub(super) struct Rooms {
    units: BTreeMap<Location, Room>,
    aside: BTreeMap<Province, Room>,
}

impl Rooms {
    pub(super) fn of(drawing: &Drawing, grid: &RegionGrid, names: &[Rect]) -> Rooms {
        let mut slots = Vec::new();
        for (province, place) in &drawing.places {
            let mut add = |at: Location, is_aside: bool, spot: Spot| {
                slots.push(Slot {
                    at,
                    is_aside,
                    room: Room { spot, scale: 1.0 },
                    is_full: false,
                });
            };
            let at = Location::from(*province);
            add(at, false, Spot::from(place.unit));
            for (coast, spot) in &place.coasts {
                let coast = Location {
                    coast: Some(*coast),
                    ..at
                };
                add(coast, false, Spot::from(*spot));
            }
            add(at, true, Spot::from(place.dislodged));
        }
        let centers = drawing.places.values().filter_map(|place| place.center);
        let centers = centers.map(|at| Rect::from(Place::center_area(at)));
        let fixed: Vec<Rect> = names.iter().copied().chain(centers).collect();
        let ground = Ground { drawing, grid };
        grow(&mut slots, &fixed, &ground, LARGEST, |slot| !slot.is_aside);
        grow(&mut slots, &fixed, &ground, LARGEST_ASIDE, |slot| slot.is_aside);
        let rooms = |is_aside: bool| {
            let slots = slots.iter().filter(move |slot| slot.is_aside == is_aside);
            slots.map(|slot| (slot.at, slot.room))
        };
        Rooms {
            units: rooms(false).collect(),
            aside: rooms(true).map(|(at, room)| (at.province, room)).collect(),
        }
    }

    /// The room of a unit that stands at a location.
    pub(super) fn standing(&self, at: Location) -> Option<Room> {
        let anywhere = || self.units.get(&Location::from(at.province));
        self.units.get(&at).or_else(anywhere).copied()
    }

    /// The room of a dislodged unit.
    pub(super) fn aside(&self, province: Province) -> Option<Room> {
        self.aside.get(&province).copied()
    }
}

/// A room in the making.
struct Slot {
    at: Location,
    is_aside: bool,
    room: Room,
    /// Whether it cannot grow any more.
    is_full: bool,
}

impl Slot {
    /// Whether units can be in both rooms at once. A province with coasts has a unit on one of them.
    fn can_meet(&self, other: &Slot) -> bool {
        self.at.province != other.at.province || self.is_aside != other.is_aside
    }
}

fn grow(
    slots: &mut [Slot],
    fixed: &[Rect],
    ground: &Ground<'_>,
    largest: f64,
    grows: impl Fn(&Slot) -> bool,
) {
    let mut is_growing = true;
    while is_growing {
        is_growing = false;
        for number in 0..slots.len() {
            let Some(slot) = slots.get(number) else { break };
            if slot.is_full || !grows(slot) {
                continue;
            }
            let next = wider(slots, slot, fixed, ground);
            let Some(slot) = slots.get_mut(number) else { break };
            match next {
                Some(room) => slot.room = room,
                None => slot.is_full = true,
            }
            slot.is_full |= slot.room.scale + GROWTH > largest;
            is_growing |= !slot.is_full;
        }
    }
}

/// A larger room at the same place or close by.
fn wider(slots: &[Slot], slot: &Slot, fixed: &[Rect], ground: &Ground<'_>) -> Option<Room> {
    const SHIFTS: [(f64, f64); 9] = [
        (0.0, 0.0),
        (0.0, -1.0),
        (0.0, 1.0),
        (-1.0, 0.0),
        (1.0, 0.0),
        (-1.0, -1.0),
        (1.0, -1.0),
        (-1.0, 1.0),
        (1.0, 1.0),
    ];
    let scale = slot.room.scale + GROWTH;
    let rooms = SHIFTS.map(|(right, down)| Room {
        spot: Spot {
            x: slot.room.spot.x + right * SHIFT,
            y: slot.room.spot.y + down * SHIFT,
        },
        scale,
    });
    rooms.into_iter().find(|room| {
        let rect = room.rect();
        let wide = rect.grown(GAP);
        !fixed.iter().any(|fixed| fixed.overlaps(wide))
            && !slots
                .iter()
                .any(|other| slot.can_meet(other) && other.room.rect().overlaps(wide))
            && ground.holds(slot.at.province, rect)
    })
}

/// The drawing below the units.
struct Ground<'d> {
    drawing: &'d Drawing,
    grid: &'d RegionGrid,
}

impl Ground<'_> {
    /// Whether a unit in this rectangle is seen to be in the province: most of it is, and it covers next to nothing of others.
    /// Units on land may reach out over water.
    fn holds(&self, province: Province, rect: Rect) -> bool {
        let mut own = 0;
        let mut foreign = 0;
        let mut all = 0;
        let at = |spot| self.drawing.regions.get(self.grid.region_at(spot)?);
        let is_sea = at(rect.middle).is_some_and(|region| region.surface == Surface::Water);
        for spot in rect.points() {
            all += 1;
            match at(spot) {
                Some(region) if region.province == Some(province) => own += 1,
                Some(region) if !is_sea && region.surface == Surface::Water => {}
                Some(region) if region.province.is_none() && !is_sea => {}
                _ => foreign += 1,
            }
        }
        own * 10 >= all * 6 && foreign * 10 <= all
    }
}
