//! The places of units and tokens. The first unit of a province and one that was dislodged are drawn in the rooms kept for them;
//! others where there is room close by, with a line to their province if that is outside of it.

use std::collections::BTreeMap;

use super::base_map::BaseMap;
use super::rect::Rect;
use super::rooms::{HALF_WIDTH, Room};
use super::spot::{Direction, Spot};
use dipjudge_rules::map::drawing::{Drawing, Place};
use dipjudge_rules::map::{Location, Province};
use dipjudge_view::{Board, Owner, Sign, SignLook, UnitOnBoard, UnitState};

/// A symbol of the size of a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Piece<'b> {
    /// A number of units that look alike.
    Unit(&'b UnitOnBoard, usize),
    /// A variant's plate.
    Token(&'b Sign),
}

impl Piece<'_> {
    /// What it takes up in a room.
    fn rect(self, room: Room) -> Rect {
        match self {
            Piece::Unit(..) => room.rect(),
            Piece::Token(_) => Rect {
                half_height: PLATE_HALF_HEIGHT * room.scale,
                ..room.rect()
            },
        }
    }
}

/// Half the height of a plate.
const PLATE_HALF_HEIGHT: f64 = 11.0;

/// A piece and where it is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PlacedPiece<'b> {
    pub(super) piece: Piece<'b>,
    pub(super) province: Province,
    pub(super) room: Room,
    /// Where the line from the piece ends, if it is drawn outside its province.
    pub(super) leads_to: Option<Spot>,
}

impl PlacedPiece<'_> {
    pub(super) fn rect(&self) -> Rect {
        self.piece.rect(self.room)
    }
}

/// An end of an order's line: a point, and what is drawn around it, into which no line leads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Site {
    pub(super) spot: Spot,
    pub(super) taken: Rect,
    /// Whether a piece is drawn there.
    pub(super) has_piece: bool,
}

/// The room around an empty place.
const EMPTY_ROOM: f64 = 14.0;

impl Site {
    /// The point beside its middle at which a line aims that comes in this direction, so many parts of its room to the right.
    pub(super) fn beside(self, heading: Direction, parts: f64) -> Spot {
        let room = self.taken.half_width.min(self.taken.half_height);
        let aside = self.spot.offset(heading, 0.0, parts * room.max(EMPTY_ROOM));
        if self.has_piece {
            self.taken.grown(-2.0).nearest(aside)
        } else {
            aside
        }
    }
}

/// Whether a unit is drawn beside the one that stands in its province.
fn is_aside(unit: &UnitOnBoard) -> bool {
    match unit.state {
        UnitState::Stands | UnitState::Built | UnitState::Gone => false,
        UnitState::Dislodged | UnitState::GoneWhenDislodged => true,
    }
}

/// All pieces of a board.
pub(super) struct PieceLayout<'b> {
    board: &'b Board,
    base_map: &'b BaseMap,
    pub(super) placed: Vec<PlacedPiece<'b>>,
}

/// The least scale of a dislodged unit; one that would be smaller is drawn where there is room.
const LEAST_ASIDE: f64 = 0.95;
/// The scale of a piece that is drawn beside others.
const BESIDE: f64 = 1.15;
/// How far from its province's unit a piece may be drawn, in steps.
const REACH: i32 = 18;
/// The length of such a step.
const STEP: f64 = 10.0;
/// How much farther away a place may be for being in its own province.
const OUTSIDE: f64 = 70.0;

impl<'b> PieceLayout<'b> {
    pub(super) fn of(board: &'b Board, base_map: &'b BaseMap) -> PieceLayout<'b> {
        let mut crowds: BTreeMap<Province, ProvincePieces<'b>> = BTreeMap::new();
        for unit in &board.units {
            let crowd = crowds.entry(unit.at.province).or_default();
            let pieces = if is_aside(unit) {
                &mut crowd.aside
            } else {
                &mut crowd.here
            };
            pieces.push(Piece::Unit(unit, 1));
        }
        for sign in board
            .signs
            .iter()
            .filter(|sign| sign.look == SignLook::Token)
        {
            let crowd = crowds.entry(sign.at).or_default();
            crowd.tokens.push(Piece::Token(sign));
        }
        let mut places = PieceLayout {
            board,
            base_map,
            placed: Vec::new(),
        };
        let mut others = Vec::new();
        for (province, crowd) in crowds {
            let others_here = places.put(province, crowd);
            others.extend(others_here.into_iter().map(|piece| (province, piece)));
        }
        for (province, piece) in others {
            places.put_beside(province, piece);
        }
        places
    }

    fn drawing(&self) -> &'b Drawing {
        &self.base_map.drawing
    }

    /// Puts the pieces for which rooms are kept, and returns the others.
    fn put(&mut self, province: Province, crowd: ProvincePieces<'b>) -> Vec<Piece<'b>> {
        let Some(place) = self.drawing().places.get(&province) else {
            return Vec::new();
        };
        if self.is_shared(province) {
            self.put_in_row(province, place, crowd);
            return Vec::new();
        }
        let mut here = crowd.here.into_iter();
        let mut aside = crowd.aside.into_iter();
        let first = here.next();
        let at = match first {
            Some(Piece::Unit(unit, _)) => unit.at,
            _ => Location::from(province),
        };
        let rooms = &self.base_map.rooms;
        if let (Some(piece), Some(room)) = (first, rooms.standing(at)) {
            self.add(province, piece, room);
        }
        // A room in which a unit would be too small stays empty.
        if let Some(room) = rooms
            .aside(province)
            .filter(|room| room.scale >= LEAST_ASIDE)
            && let Some(piece) = aside.next()
        {
            self.add(province, piece, room);
        }
        here.chain(aside).chain(crowd.tokens).collect()
    }

    /// Puts a piece where there is room, as close to its province's unit as possible.
    fn put_beside(&mut self, province: Province, piece: Piece<'b>) {
        let Some(anchor) = self.base_map.rooms.standing(Location::from(province)) else {
            return;
        };
        let Drawing { width, height, .. } = *self.drawing();
        let reach = Rect::square(anchor.spot, f64::from(REACH) * STEP + HALF_WIDTH);
        let taken: Vec<Rect> = self
            .placed
            .iter()
            .map(PlacedPiece::rect)
            .chain(self.base_map.name_rects.iter().copied())
            .chain(self.base_map.center_rects())
            .chain(self.marks())
            .filter(|taken| taken.overlaps(reach))
            .collect();
        let mut best: Option<FreeRoom> = None;
        for right in -REACH..=REACH {
            for down in -REACH..=REACH {
                let room = Room {
                    spot: Spot {
                        x: anchor.spot.x + f64::from(right) * STEP,
                        y: anchor.spot.y + f64::from(down) * STEP,
                    },
                    scale: BESIDE,
                };
                let rect = piece.rect(room);
                let is_outside = !rect.points().all(|spot| self.is_in(province, spot));
                let far = anchor.spot.distance(room.spot);
                let cost = far + if is_outside { OUTSIDE } else { 0.0 };
                let is_on_map = rect.points().all(|spot| {
                    spot.x > 0.0
                        && spot.y > 0.0
                        && spot.x < f64::from(width)
                        && spot.y < f64::from(height)
                });
                if best.as_ref().is_some_and(|best| best.cost <= cost) || !is_on_map {
                    continue;
                }
                let wide = rect.grown(2.0);
                if !taken.iter().any(|taken| taken.overlaps(wide)) {
                    best = Some(FreeRoom { room, cost });
                }
            }
        }
        // Where there is none, it is drawn small upon the others.
        let room = best.map_or(
            Room {
                spot: anchor.spot,
                scale: 0.5,
            },
            |best| best.room,
        );
        let leads_to = (!self.is_in(province, room.spot)).then_some(anchor.spot);
        self.placed.push(PlacedPiece {
            piece,
            province,
            room,
            leads_to,
        });
    }

    /// Where a variant marks that something ended.
    fn crosses(&self) -> impl Iterator<Item = &'b Sign> {
        let signs = self.board.signs.iter();
        signs.filter(|sign| sign.look == SignLook::Cross)
    }

    /// What marks in places without a unit take up.
    pub(super) fn marks(&self) -> impl Iterator<Item = Rect> {
        let standoffs = self.board.standoffs.iter().copied().map(Location::from);
        let open = self.board.open.iter().map(|open| open.at);
        let ends = self.crosses();
        let rooms = standoffs
            .chain(open)
            .chain(ends.map(|sign| Location::from(sign.at)))
            .filter_map(|at| self.base_map.rooms.standing(at));
        rooms.map(|room| Rect::square(room.spot, STANDOFF))
    }

    fn is_in(&self, province: Province, spot: Spot) -> bool {
        let region = self.base_map.grid.region_at(spot);
        let region = region.and_then(|region| self.drawing().regions.get(region));
        region.is_some_and(|region| region.province == Some(province))
    }

    /// Places the pieces of a shared province side by side. Units that look alike are one piece with their number.
    fn put_in_row(&mut self, province: Province, place: &Place, crowd: ProvincePieces<'b>) {
        let mut row: Vec<Piece<'b>> = Vec::new();
        for piece in crowd
            .here
            .into_iter()
            .chain(crowd.aside)
            .chain(crowd.tokens)
        {
            let like = row.iter_mut().find_map(|other| match (other, &piece) {
                (Piece::Unit(one, count), Piece::Unit(unit, _)) if *one == *unit => Some(count),
                _ => None,
            });
            match like {
                Some(count) => *count += 1,
                None => row.push(piece),
            }
        }
        let mut regions = self.drawing().regions.iter();
        let region = regions.find(|region| region.province == Some(province));
        let points = || {
            region
                .into_iter()
                .flat_map(|region| region.outline.iter().flatten())
        };
        let left = points().map(|point| point.x).min().unwrap_or(place.unit.x);
        let right = points().map(|point| point.x).max().unwrap_or(place.unit.x);
        let room = f64::from(right - left) - 40.0;
        let step = (room / row.len().max(1) as f64).min(100.0);
        let begin = f64::from(left + right) / 2.0 - step * (row.len() as f64 - 1.0) / 2.0;
        for (number, piece) in row.into_iter().enumerate() {
            let spot = Spot {
                x: begin + step * number as f64,
                y: f64::from(place.unit.y) + 14.0,
            };
            let scale = (step / (2.0 * HALF_WIDTH + 8.0)).min(1.6);
            self.add(province, piece, Room { spot, scale });
        }
    }

    fn add(&mut self, province: Province, piece: Piece<'b>, room: Room) {
        self.placed.push(PlacedPiece {
            piece,
            province,
            room,
            leads_to: None,
        });
    }

    /// The beginning of the line for an order of a power's unit at this location, beside it if the unit was dislodged there.
    pub(super) fn beginning(&self, at: Location, whose: Owner) -> Option<Site> {
        let found = self.unit_of(at.province, whose, &|unit| {
            is_aside(unit) || self.is_shared(at.province)
        });
        found.or_else(|| self.site(at))
    }

    /// The end of the line for a move of a power's unit to this location.
    pub(super) fn end(&self, at: Location, whose: Owner) -> Option<Site> {
        let found = self.unit_of(at.province, whose, &|_| self.is_shared(at.province));
        found.or_else(|| self.site(at))
    }

    /// The place of a unit that stands at this location.
    pub(super) fn site(&self, at: Location) -> Option<Site> {
        let room = self.base_map.rooms.standing(at)?;
        Some(self.around(at.province, room.spot))
    }

    /// The place of a power's unit that was dislodged at this location.
    pub(super) fn site_aside(&self, at: Location, whose: Owner) -> Option<Site> {
        let drawn = self.unit_of(at.province, whose, &is_aside);
        let room = || self.base_map.rooms.aside(at.province);
        drawn.or_else(|| Some(self.around(at.province, room()?.spot)))
    }

    fn around(&self, province: Province, spot: Spot) -> Site {
        let mut rects = self.placed.iter().map(PlacedPiece::rect);
        let piece = rects.find(|rect| rect.contains(spot));
        let mut open = self.board.open.iter();
        let is_marked = self.board.standoffs.contains(&province)
            || open.any(|open| open.at.province == province)
            || self.crosses().any(|sign| sign.at == province);
        let empty = if is_marked { STANDOFF } else { VACATED };
        Site {
            spot,
            taken: piece.unwrap_or(Rect::square(spot, empty)),
            has_piece: piece.is_some(),
        }
    }

    fn unit_of(
        &self,
        province: Province,
        whose: Owner,
        is_it: &dyn Fn(&UnitOnBoard) -> bool,
    ) -> Option<Site> {
        let mut placed = self.placed.iter();
        let found = placed.find(|placed| match placed.piece {
            Piece::Unit(unit, _) => {
                unit.at.province == province && unit.whose == whose && is_it(unit)
            }
            Piece::Token(_) => false,
        })?;
        Some(Site {
            spot: found.room.spot,
            taken: found.rect(),
            has_piece: true,
        })
    }

    fn is_shared(&self, province: Province) -> bool {
        self.board
            .map
            .info(province)
            .is_some_and(|info| info.shared)
    }
}

/// Half the width of the mark of a standoff.
const STANDOFF: f64 = 20.0;
/// Half the width of the mark of a place that a unit has left.
const VACATED: f64 = 8.0;

/// A room for a piece beside others; the one of the least cost is the best.
struct FreeRoom {
    room: Room,
    cost: f64,
}

/// The pieces of one province.
#[derive(Default)]
struct ProvincePieces<'b> {
    here: Vec<Piece<'b>>,
    aside: Vec<Piece<'b>>,
    tokens: Vec<Piece<'b>>,
}
