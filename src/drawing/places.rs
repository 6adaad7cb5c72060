//! The places of units and tokens. They are drawn at the places that the drawing reserves; several at one place are drawn smaller
//! and side by side.

use std::collections::BTreeMap;

use super::curve::Spot;
use dipjudge_rules::map::drawing::{Area, Drawing, Place};
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

/// A piece and where it is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PlacedPiece<'b> {
    pub(super) piece: Piece<'b>,
    pub(super) province: Province,
    pub(super) spot: Spot,
    /// The scale of the symbol; 1 is the full size.
    pub(super) scale: f64,
}

/// All pieces of a board.
pub(super) struct PieceLayout<'b> {
    board: &'b Board,
    drawing: &'b Drawing,
    pub(super) placed: Vec<PlacedPiece<'b>>,
}

impl<'b> PieceLayout<'b> {
    pub(super) fn of(board: &'b Board, drawing: &'b Drawing) -> PieceLayout<'b> {
        let mut crowds: BTreeMap<Province, ProvincePieces<'b>> = BTreeMap::new();
        for unit in &board.units {
            let crowd = crowds.entry(unit.at.province).or_default();
            let pieces = match unit.state {
                UnitState::Stands | UnitState::Built | UnitState::Gone => &mut crowd.here,
                UnitState::Dislodged | UnitState::GoneWhenDislodged => &mut crowd.aside,
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
            drawing,
            placed: Vec::new(),
        };
        for (province, crowd) in crowds {
            places.put(province, crowd);
        }
        places
    }

    fn put(&mut self, province: Province, crowd: ProvincePieces<'b>) {
        let Some(place) = self.drawing.places.get(&province) else {
            return;
        };
        let info = self.board.map.info(province);
        if info.is_some_and(|info| info.shared) {
            self.put_in_row(province, place, crowd);
            return;
        }
        let mut here = crowd.here.into_iter();
        let mut aside = crowd.aside;
        if let Some(first) = here.next() {
            let at = match first {
                Piece::Unit(unit, _) => unit.at,
                Piece::Token(_) => Location::from(province),
            };
            self.add(province, first, standing(place, at), 1.0);
        }
        aside.extend(here);
        aside.extend(crowd.tokens);
        let mut rows = 1;
        while rows * rows < aside.len() {
            rows += 1;
        }
        let Area { width, height, .. } = Place::unit_area(place.dislodged);
        let corner = Spot::from(place.dislodged);
        let cell = |count: usize, whole: i32| {
            let step = f64::from(whole) / rows as f64;
            (count as f64 + 0.5) * step - f64::from(whole) / 2.0
        };
        for (number, piece) in aside.into_iter().enumerate() {
            let spot = Spot {
                x: corner.x + cell(number % rows, width),
                y: corner.y + cell(number / rows, height),
            };
            self.add(province, piece, spot, 1.0 / rows as f64);
        }
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
        let mut regions = self.drawing.regions.iter();
        let region = regions.find(|region| region.province == Some(province));
        let points = || {
            region
                .into_iter()
                .flat_map(|region| region.outline.iter().flatten())
        };
        let left = points().map(|point| point.x).min().unwrap_or(place.unit.x);
        let right = points().map(|point| point.x).max().unwrap_or(place.unit.x);
        let room = f64::from(right - left) - 40.0;
        let step = (room / row.len().max(1) as f64).min(68.0);
        let begin = f64::from(left + right) / 2.0 - step * (row.len() as f64 - 1.0) / 2.0;
        for (number, piece) in row.into_iter().enumerate() {
            let spot = Spot {
                x: begin + step * number as f64,
                y: f64::from(place.unit.y) + 14.0,
            };
            self.add(province, piece, spot, (step / 56.0).min(1.0));
        }
    }

    fn add(&mut self, province: Province, piece: Piece<'b>, spot: Spot, scale: f64) {
        self.placed.push(PlacedPiece {
            piece,
            province,
            spot,
            scale,
        });
    }

    /// The beginning of the line for an order of a power's unit at this location, beside it if the unit was dislodged there.
    pub(super) fn beginning(&self, at: Location, whose: Owner) -> Option<Spot> {
        let is_aside = |unit: &UnitOnBoard| {
            matches!(
                unit.state,
                UnitState::Dislodged | UnitState::GoneWhenDislodged
            )
        };
        let found = self.unit_of(at.province, whose, &|unit| {
            is_aside(unit) || self.is_shared(at.province)
        });
        found.or_else(|| self.place(at))
    }

    /// The end of the line for a move of a power's unit to this location.
    pub(super) fn end(&self, at: Location, whose: Owner) -> Option<Spot> {
        let found = self.unit_of(at.province, whose, &|_| self.is_shared(at.province));
        found.or_else(|| self.place(at))
    }

    /// The center of a unit at this location.
    pub(super) fn place(&self, at: Location) -> Option<Spot> {
        Some(standing(self.drawing.places.get(&at.province)?, at))
    }

    /// The center of a dislodged unit at this location.
    pub(super) fn aside(&self, at: Location) -> Option<Spot> {
        let place = self.drawing.places.get(&at.province)?;
        Some(Spot::from(place.dislodged))
    }

    fn unit_of(
        &self,
        province: Province,
        whose: Owner,
        is_it: &dyn Fn(&UnitOnBoard) -> bool,
    ) -> Option<Spot> {
        for placed in &self.placed {
            if let Piece::Unit(unit, _) = placed.piece
                && unit.at.province == province
                && unit.whose == whose
                && is_it(unit)
            {
                return Some(placed.spot);
            }
        }
        None
    }

    /// The area around a unit that lines do not enter.
    pub(super) fn around(spot: Spot) -> Area {
        let at = dipjudge_rules::map::drawing::Point {
            x: spot.x.round() as i32,
            y: spot.y.round() as i32,
        };
        let Area { width, height, .. } = Place::unit_area(at);
        Area {
            middle: at,
            width: width + 8,
            height: height + 8,
        }
    }

    fn is_shared(&self, province: Province) -> bool {
        self.board
            .map
            .info(province)
            .is_some_and(|info| info.shared)
    }
}

/// The pieces of one province.
#[derive(Default)]
struct ProvincePieces<'b> {
    here: Vec<Piece<'b>>,
    aside: Vec<Piece<'b>>,
    tokens: Vec<Piece<'b>>,
}

/// The center of a unit at this location.
pub(super) fn standing(place: &Place, at: Location) -> Spot {
    let coast = at.coast.and_then(|coast| place.coasts.get(&coast));
    Spot::from(coast.copied().unwrap_or(place.unit))
}
