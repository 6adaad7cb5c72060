//! The room that each unit has: as near its place in the drawing as possible, and as large as names, centers, other units and the
//! borders of its province allow.

use std::collections::BTreeMap;

use super::rect::Rect;
use super::region_grid::RegionGrid;
use super::spot::Spot;
use dipjudge_rules::map::drawing::{Drawing, Place, Surface};
use dipjudge_rules::map::{Location, Province};

/// Half the width of a unit's symbol at scale 1.
pub(super) const HALF_WIDTH: f64 = 21.0;
/// Half the height of a unit's symbol at scale 1.
pub(super) const HALF_HEIGHT: f64 = 16.0;
/// The scales of a unit that stands, from the largest.
const SCALES: [f64; 7] = [1.6, 1.5, 1.4, 1.3, 1.2, 1.1, 1.0];
/// Those of a dislodged unit.
const SCALES_ASIDE: [f64; 6] = [1.3, 1.2, 1.1, 1.0, 0.9, 0.8];
/// How far a unit is from its place in the drawing at most, in steps.
const REACH: i32 = 9;
/// The length of such a step.
const STEP: f64 = 8.0;
/// How far a unit is moved to be twice as large.
const WORTH: f64 = 150.0;
/// The least distance between the symbols of units and other things.
const GAP: f64 = 2.0;

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
        for number in 0..slots.len() {
            enlarge(&mut slots, number, &fixed, &ground);
        }
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
}

impl Slot {
    /// Whether units can be in both rooms at once. A province with coasts has a unit on one of them.
    fn can_meet(&self, other: &Slot) -> bool {
        self.at.province != other.at.province || self.is_aside != other.is_aside
    }
}

/// Gives a unit that stands the best room, where a dislodged unit still finds one too.
fn enlarge(slots: &mut [Slot], number: usize, fixed: &[Rect], ground: &Ground<'_>) {
    let Some(slot) = slots.get(number) else {
        return;
    };
    if slot.is_aside {
        return;
    }
    let province = slot.at.province;
    let aside = slots
        .iter()
        .position(|other| other.is_aside && other.at.province == province);
    let before = [Some(number), aside].map(|number| Some(slots.get(number?)?.room));
    let best = best_room(slots, number, aside, &SCALES, fixed, ground);
    if let (Some(slot), Some(room)) = (slots.get_mut(number), best) {
        slot.room = room;
    }
    let Some(aside) = aside else { return };
    let beside = best_room(slots, aside, None, &SCALES_ASIDE, fixed, ground);
    if let (Some(slot), Some(room)) = (slots.get_mut(aside), beside) {
        slot.room = room;
        return;
    }
    for (number, room) in [number, aside].into_iter().zip(before) {
        if let (Some(slot), Some(room)) = (slots.get_mut(number), room) {
            slot.room = room;
        }
    }
}

/// The best room for a unit: large and near its place. Another slot can be left out of account.
fn best_room(
    slots: &[Slot],
    number: usize,
    left_out: Option<usize>,
    scales: &[f64],
    fixed: &[Rect],
    ground: &Ground<'_>,
) -> Option<Room> {
    let slot = slots.get(number)?;
    let reach = f64::from(REACH) * STEP + HALF_WIDTH * 2.0;
    let near = Rect::square(slot.room.spot, reach);
    let others = slots
        .iter()
        .enumerate()
        .filter(|(other, one)| *other != number && Some(*other) != left_out && slot.can_meet(one));
    let others = others.map(|(_, one)| one.room.rect());
    let taken: Vec<Rect> = others
        .chain(fixed.iter().copied())
        .filter(|taken| taken.overlaps(near))
        .collect();
    let mut best: Option<(f64, Room)> = None;
    for right in -REACH..=REACH {
        for down in -REACH..=REACH {
            let spot = Spot {
                x: slot.room.spot.x + f64::from(right) * STEP,
                y: slot.room.spot.y + f64::from(down) * STEP,
            };
            let far = spot.distance(slot.room.spot) / WORTH;
            for scale in scales {
                let worth = scale - far;
                if best.is_some_and(|(most, _)| most >= worth) {
                    break;
                }
                let room = Room {
                    spot,
                    scale: *scale,
                };
                let rect = room.rect();
                let wide = rect.grown(GAP);
                if !taken.iter().any(|taken| taken.overlaps(wide))
                    && ground.holds(slot.at.province, rect)
                {
                    best = Some((worth, room));
                    break;
                }
            }
        }
    }
    best.map(|(_, room)| room)
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
