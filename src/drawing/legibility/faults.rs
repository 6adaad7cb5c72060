//! What is wrong with a picture: its points are counted, and its lines are held against units and one another.

use std::collections::{BTreeMap, BTreeSet};

use dipjudge_rules::map::{Location, UnitKind};
use dipjudge_rules::orders::Action;
use dipjudge_view::{Board, OpenFor, OrderFate, UnitState};

use super::super::arrows::{self, OrderLine};
use super::super::base_map::BaseMap;
use super::super::colors::{INK, Rgb, SEA_NAME};
use super::super::paint::style_of;
use super::super::places::{Piece, PieceLayout, PlacedPiece};
use super::super::raster::{drawn, png};
use super::super::rect::Rect;
use super::super::spot::Spot;
use super::super::{Svg, legend, svg};

/// The width of the pictures, in points.
const WIDTH: u32 = 1200;

/// Something that is wrong with a picture, and where.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fault {
    pub(super) kind: FaultKind,
    pub(super) at: Spot,
    /// How bad it is: what is less than 1 is allowed, and only tells which boards are the worst.
    pub(super) degree: f64,
}

impl Fault {
    pub(super) fn is_allowed(&self) -> bool {
        self.degree <= 1.0
    }
}

impl FaultKind {
    /// What is not allowed at all.
    fn at(self, at: Spot) -> Fault {
        self.of_degree(OUTRIGHT, at)
    }

    fn of_degree(self, degree: f64, at: Spot) -> Fault {
        Fault {
            kind: self,
            at,
            degree,
        }
    }
}

/// The degree of what is not allowed at all, and the most of any other.
const OUTRIGHT: f64 = 2.0;
/// What is not as bad as this is not told.
const TOLD: f64 = 0.6;

/// How far the parts of a color are from another that counts as the same: the points at the edges of small things are mixed.
const SMOOTHED: u8 = 20;

/// What is wrong with a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum FaultKind {
    /// Most of a unit is not seen.
    Unit,
    /// Most of the head of an arrow is not seen.
    Head,
    /// Most of a name is not seen.
    Name,
    /// A line leads through a unit that has nothing to do with it.
    ThroughUnit,
    /// Two lines run along one another.
    Along,
    /// The legend lacks something that is there, or explains something that is not.
    Legend,
    /// A color in which something is drawn is another one in the file.
    Color,
    /// The file is too large for a mail.
    Size,
}

impl Rgb {
    /// Whether a point has this color, but for what is mixed at edges.
    fn is_nearly(self, point: [u8; 4]) -> bool {
        let Rgb(red, green, blue) = self;
        let mut parts = point.iter().zip([red, green, blue]);
        parts.all(|(one, other)| one.abs_diff(other) <= SMOOTHED)
    }
}

impl Spot {
    /// Whether it is within a polygon.
    fn is_within(self, corners: &[Spot]) -> bool {
        let next = corners.iter().cycle().skip(1);
        let crossed = corners.iter().zip(next).filter(|(from, to)| {
            let is_level = (from.y > self.y) != (to.y > self.y);
            is_level && self.x < from.x + (self.y - from.y) / (to.y - from.y) * (to.x - from.x)
        });
        crossed.count() % 2 == 1
    }
}

/// The points of a picture, by place on the map.
struct Points {
    colors: Vec<[u8; 4]>,
    scale: f64,
    left: f64,
}

impl Points {
    /// The number of points of this color within a rectangle.
    fn count(&self, rect: Rect, color: Rgb) -> usize {
        let column = |x: f64| {
            ((x + self.left) * self.scale)
                .round()
                .clamp(0.0, f64::from(WIDTH)) as usize
        };
        let row = |y: f64| {
            ((y + f64::from(legend::TITLE)) * self.scale)
                .round()
                .max(0.0) as usize
        };
        let (left, right) = (
            column(rect.middle.x - rect.half_width),
            column(rect.middle.x + rect.half_width),
        );
        let (top, bottom) = (
            row(rect.middle.y - rect.half_height),
            row(rect.middle.y + rect.half_height),
        );
        let is_it = |point: &&[u8; 4]| color.is_nearly(**point);
        (top..bottom)
            .filter_map(|row| {
                self.colors
                    .get(row * WIDTH as usize + left..row * WIDTH as usize + right)
            })
            .map(|points| points.iter().filter(is_it).count())
            .sum()
    }

    /// The part of the points within a polygon that have this color.
    fn share(&self, corners: &[Spot], color: Rgb) -> f64 {
        let rect = Rect::around(corners);
        let step = 1.0 / self.scale;
        let (mut all, mut seen) = (0, 0);
        let columns = (rect.half_width * 2.0 / step) as usize;
        let rows = (rect.half_height * 2.0 / step) as usize;
        for number in 0..columns * rows {
            let at = |begin: f64, number: usize| begin + (number as f64 + 0.5) * step;
            let spot = Spot {
                x: at(rect.middle.x - rect.half_width, number % columns),
                y: at(rect.middle.y - rect.half_height, number / columns),
            };
            if spot.is_within(corners) {
                all += 1;
                seen += usize::from(self.is_colored(spot, color));
            }
        }
        f64::from(seen as u32) / f64::from(all.max(1))
    }

    /// Whether a point of the map has this color, but for what is mixed at edges.
    fn is_colored(&self, spot: Spot, color: Rgb) -> bool {
        let column = ((spot.x + self.left) * self.scale).floor();
        let row = ((spot.y + f64::from(legend::TITLE)) * self.scale).floor();
        if column < 0.0 || row < 0.0 || column >= f64::from(WIDTH) {
            return false;
        }
        let point = self
            .colors
            .get(row as usize * WIDTH as usize + column as usize);
        point.is_some_and(|point| color.is_nearly(*point))
    }

    fn of(picture: &Svg) -> Points {
        let pixmap = drawn(picture, WIDTH).unwrap();
        Points {
            colors: pixmap.data().as_chunks::<4>().0.to_vec(),
            scale: f64::from(WIDTH) / f64::from(picture.width),
            left: f64::from((picture.width - picture.base_map.drawing.width) / 2),
        }
    }
}

/// Measures pictures against ones with nothing on them.
#[derive(Default)]
pub(super) struct Judge {
    /// By map: the points of its names.
    empty: BTreeMap<MapKey, Points>,
    /// How many boards were judged.
    count: usize,
}

/// A map, by its address, and what a variant lays over its drawing.
type MapKey = (usize, &'static str);

/// The files of one in so many pictures are read, which takes long.
const FILES: usize = 8;
/// The size of a file in bytes that may not be exceeded.
const MOST_BYTES: usize = 150_000;

impl Judge {
    pub(super) fn faults(&mut self, board: &Board) -> Vec<Fault> {
        let base_map = BaseMap::of(board);
        let places = PieceLayout::of(board, &base_map);
        let lines = arrows::routed(board, &base_map, &places);
        let picture = svg(board);
        let points = Points::of(&picture);
        let mut faults = Vec::new();
        faults.extend(hidden_units(&places, &points));
        for line in &lines {
            let seen = points.share(&line.head_corners(), style_of(line.order.whose).line);
            if let Some(tip) = line.curve().end() {
                let degree = (1.0 - seen) / (1.0 - HEAD_SEEN);
                faults.push(FaultKind::Head.of_degree(degree, tip));
            }
        }
        faults.extend(self.hidden_names(board, &base_map, &points));
        faults.extend(through_units(&lines, &places));
        faults.extend(along(&lines, points.scale));
        if !legend_is_right(board, &lines, &picture) {
            faults.push(FaultKind::Legend.at(CORNER));
        }
        self.count += 1;
        if self.count % FILES == 1 {
            faults.extend(faults_of_file(&picture));
        }
        faults.retain(|fault| fault.degree > TOLD);
        faults
    }

    fn hidden_names(&mut self, board: &Board, base_map: &BaseMap, points: &Points) -> Vec<Fault> {
        let key = (std::ptr::from_ref(board.map).addr(), board.drawing);
        let empty = self.empty.entry(key).or_insert_with(|| {
            let mut empty = board.clone();
            (empty.units, empty.orders, empty.signs) = (Vec::new(), Vec::new(), Vec::new());
            empty.owners.clear();
            empty.standoffs.clear();
            empty.open.clear();
            empty.in_sight = None;
            Points::of(&svg(&empty))
        });
        let letters =
            |points: &Points, rect: Rect| points.count(rect, INK) + points.count(rect, SEA_NAME);
        let names = base_map.name_rects.iter();
        let hidden = names.map(|rect| {
            let all = letters(empty, *rect) as f64;
            let hidden = 1.0 - letters(points, *rect) as f64 / all.max(1.0);
            let degree = if all > 0.0 {
                hidden / (1.0 - NAME_SEEN)
            } else {
                0.0
            };
            FaultKind::Name.of_degree(degree, rect.middle)
        });
        hidden.collect()
    }
}

/// Units, by how little of them is seen, or that lie upon other pieces.
fn hidden_units(places: &PieceLayout<'_>, points: &Points) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (number, placed) in places.placed.iter().enumerate() {
        let rect = placed.rect();
        let upon = places.placed.iter().take(number);
        let is_upon = upon
            .map(PlacedPiece::rect)
            .any(|other| rect.overlaps(other.grown(-UPON)) && other.overlaps(rect.grown(-UPON)));
        let degree = match placed.piece {
            _ if is_upon => OUTRIGHT,
            Piece::Unit(unit, _) => {
                let side = points.scale * placed.room.scale;
                let seen = points.count(rect, style_of(unit.whose).unit) as f64;
                // A third of the least body of a unit, in which letters stand.
                (80.0 * side * side / seen).min(OUTRIGHT)
            }
            Piece::Token(_) => 0.0,
        };
        faults.push(FaultKind::Unit.of_degree(degree, rect.middle));
    }
    faults
}

/// How far pieces may reach into one another.
const UPON: f64 = 3.0;
/// The part of a head that has to be seen.
const HEAD_SEEN: f64 = 0.5;
/// The part of a name that has to be seen.
const NAME_SEEN: f64 = 0.6;
/// How long a line may run within a unit.
const WITHIN: f64 = 6.0;
/// How near two lines are that run along one another, and how long they may, in points.
const ALONG: f64 = 6.0;
const ALONG_FOR: f64 = 12.0;

/// Where something is that has no place on the map.
const CORNER: Spot = Spot { x: 0.0, y: 0.0 };

/// The file of a picture: its size, and that what is drawn in a flat color has this color.
fn faults_of_file(picture: &Svg) -> Vec<Fault> {
    let file = png(picture).unwrap();
    let mut faults = Vec::new();
    if file.png.len() > MOST_BYTES {
        faults.push(FaultKind::Size.at(CORNER));
    }
    let drawn = drawn(picture, file.width).unwrap();
    let mut decoder = ::png::Decoder::new(std::io::Cursor::new(file.png));
    decoder.set_transformations(::png::Transformations::EXPAND);
    let mut reader = decoder.read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut bytes).unwrap();
    let exact: BTreeSet<[u8; 3]> = picture
        .colors()
        .iter()
        .map(|one| [one.0, one.1, one.2])
        .collect();
    let differs = |(drawn, kept): (&[u8; 4], &[u8; 3])| {
        let drawn = [drawn[0], drawn[1], drawn[2]];
        drawn != *kept && exact.contains(&drawn)
    };
    let (drawn, _) = drawn.data().as_chunks::<4>();
    let (kept, _) = bytes.as_chunks::<3>();
    if drawn.iter().zip(kept).any(differs) {
        faults.push(FaultKind::Color.at(CORNER));
    }
    faults
}

/// Whether the legend explains what is there and nothing else.
fn legend_is_right(board: &Board, lines: &[OrderLine<'_>], picture: &Svg) -> bool {
    let state = |wanted: &[UnitState]| board.units.iter().any(|unit| wanted.contains(&unit.state));
    let fate = |fate| lines.iter().any(|line| line.order.fate == fate);
    let action = |is_it: fn(&Action<dipjudge_view::DrawnLocations>) -> bool| {
        lines.iter().any(|line| is_it(&line.order.action))
    };
    let opens = |purpose| board.open.iter().any(|open| open.purpose == purpose);
    let signs = |meaning| board.signs.iter().any(|sign| sign.meaning == meaning);
    let kinds = |kind| board.units.iter().any(|unit| unit.kind == kind);
    let mut provinces = board.map.provinces().iter();
    let expected = [
        ("center", provinces.any(|info| info.center)),
        ("army", kinds(UnitKind::ARMY)),
        ("fleet", kinds(UnitKind::FLEET)),
        ("built", state(&[UnitState::Built])),
        ("dislodged", state(&[UnitState::Dislodged])),
        (
            "gone",
            state(&[UnitState::Gone, UnitState::GoneWhenDislodged]),
        ),
        ("failed", fate(OrderFate::Failed)),
        ("depends on others", fate(OrderFate::Doubtful)),
        (
            "support",
            action(|action| matches!(action, Action::SupportMove { .. })),
        ),
        (
            "support to hold",
            action(|action| matches!(action, Action::SupportHold { .. })),
        ),
        (
            "by convoy",
            action(|action| matches!(action, Action::Move { by, .. } if !by.is_empty())),
        ),
        (
            "convoy",
            action(|action| matches!(action, Action::Convoy { .. })),
        ),
        ("standoff", !board.standoffs.is_empty()),
        ("open for a retreat", opens(OpenFor::Retreat)),
        ("open for a build", opens(OpenFor::Build)),
        ("out of sight", board.in_sight.is_some()),
        ("colony", signs("colony")),
        ("fort", signs("fort")),
        ("born", signs("born")),
        ("died", signs("died")),
    ];
    expected
        .into_iter()
        .all(|(words, is_there)| picture.legend.contains(&format!(">{words}<")) == is_there)
}

fn through_units(lines: &[OrderLine<'_>], places: &PieceLayout<'_>) -> Vec<Fault> {
    let mut faults = Vec::new();
    for line in lines {
        let (Some(first), Some(last)) = (line.curve().spots().first(), line.curve().end()) else {
            continue;
        };
        for rect in places.placed.iter().map(PlacedPiece::rect) {
            let is_end = rect.grown(8.0).contains(*first) || rect.grown(8.0).contains(last);
            let inside = line.curve().spots().windows(2).filter(|pair| {
                let middle = pair[0].toward(pair[1], 0.5);
                rect.grown(-2.0).contains(middle)
            });
            let inside: f64 = inside.map(|pair| pair[0].distance(pair[1])).sum();
            if !is_end {
                let degree = (inside / WITHIN).min(OUTRIGHT);
                faults.push(FaultKind::ThroughUnit.of_degree(degree, rect.middle));
            }
        }
    }
    faults
}

/// How long the ends of two supports of one move may run beside one another.
const MEETING: f64 = 40.0;

/// The beginning of the move that a line supports.
fn supported<'o>(line: &OrderLine<'o>) -> Option<&'o Location> {
    match &line.order.action {
        Action::SupportMove { from, .. } => Some(from),
        _ => None,
    }
}

/// Lines that run near one another in about the same direction, by how long they do.
fn along(lines: &[OrderLine<'_>], scale: f64) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (number, one) in lines.iter().enumerate() {
        for other in &lines[number + 1..] {
            // Supports of one move meet at it.
            let meets = supported(one).is_some() && supported(one) == supported(other);
            let apart = |line: &OrderLine<'_>| {
                let curve = line.curve().clone();
                if meets {
                    curve.shortened(MEETING)
                } else {
                    curve
                }
            };
            let (first, second) = (apart(one), apart(other));
            let close = close_stretch(first.spots(), second.spots(), ALONG / scale);
            if let Some(at) = close.begin {
                let degree = (close.length * scale / ALONG_FOR).min(OUTRIGHT);
                faults.push(FaultKind::Along.of_degree(degree, at));
            }
        }
    }
    faults
}

/// The stretches of a line that run along another one.
#[derive(Default)]
struct CloseStretch {
    length: f64,
    begin: Option<Spot>,
}

fn close_stretch(one: &[Spot], other: &[Spot], near: f64) -> CloseStretch {
    let mut close = CloseStretch::default();
    if !Rect::around(one).grown(near).overlaps(Rect::around(other)) {
        return close;
    }
    for pair in one.windows(2) {
        let heading = pair[0].direction(pair[1]);
        let middle = pair[0].toward(pair[1], 0.5);
        let is_near = other.windows(2).any(|pair| {
            middle.distance_to_line(pair[0], pair[1]) < near
                && pair[0].direction(pair[1]).is_along(heading, 0.94)
        });
        if is_near {
            close.length += pair[0].distance(pair[1]);
            close.begin.get_or_insert(middle);
        }
    }
    close
}
