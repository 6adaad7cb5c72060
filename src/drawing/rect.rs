//! Rectangles that symbols and names take up.

use super::spot::Spot;
use dipjudge_rules::map::drawing::Area;

/// A rectangle, by its middle and half its extent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rect {
    pub(super) middle: Spot,
    pub(super) half_width: f64,
    pub(super) half_height: f64,
}

impl From<Area> for Rect {
    fn from(area: Area) -> Rect {
        Rect {
            middle: Spot::from(area.middle),
            half_width: f64::from(area.width) / 2.0,
            half_height: f64::from(area.height) / 2.0,
        }
    }
}

impl Rect {
    pub(super) fn square(middle: Spot, half: f64) -> Rect {
        Rect {
            middle,
            half_width: half,
            half_height: half,
        }
    }

    /// The rectangle with a margin around it.
    pub(super) fn grown(self, margin: f64) -> Rect {
        Rect {
            half_width: self.half_width + margin,
            half_height: self.half_height + margin,
            ..self
        }
    }

    /// The rectangle with a margin above and below it.
    pub(super) fn heightened(self, margin: f64) -> Rect {
        Rect {
            half_height: self.half_height + margin,
            ..self
        }
    }

    pub(super) fn left(self) -> f64 {
        self.middle.x - self.half_width
    }

    pub(super) fn right(self) -> f64 {
        self.middle.x + self.half_width
    }

    pub(super) fn top(self) -> f64 {
        self.middle.y - self.half_height
    }

    pub(super) fn bottom(self) -> f64 {
        self.middle.y + self.half_height
    }

    pub(super) fn contains(self, spot: Spot) -> bool {
        (spot.x - self.middle.x).abs() <= self.half_width
            && (spot.y - self.middle.y).abs() <= self.half_height
    }

    /// The point of the rectangle that is the nearest to another point.
    pub(super) fn nearest(self, spot: Spot) -> Spot {
        let within = |at: f64, middle: f64, half: f64| {
            let half = half.max(0.0);
            at.clamp(middle - half, middle + half)
        };
        Spot {
            x: within(spot.x, self.middle.x, self.half_width),
            y: within(spot.y, self.middle.y, self.half_height),
        }
    }

    /// Whether the rectangles have more than an edge in common.
    pub(super) fn overlaps(self, other: Rect) -> bool {
        (self.middle.x - other.middle.x).abs() < self.half_width + other.half_width
            && (self.middle.y - other.middle.y).abs() < self.half_height + other.half_height
    }

    /// The part of the smaller of two rectangles that both have in common.
    pub(super) fn share_below(self, other: Rect) -> f64 {
        let common = |middle: f64, half: f64, other_half: f64| {
            (half + other_half - middle.abs()).clamp(0.0, 2.0 * half.min(other_half))
        };
        let (x, y) = (
            self.middle.x - other.middle.x,
            self.middle.y - other.middle.y,
        );
        let area = common(x, self.half_width, other.half_width)
            * common(y, self.half_height, other.half_height);
        let smaller = f64::min(
            self.half_width * self.half_height,
            other.half_width * other.half_height,
        );
        area / (4.0 * smaller).max(1e-6)
    }

    /// The smallest rectangle around all of these points.
    pub(super) fn around(spots: &[Spot]) -> Rect {
        let least = |part: fn(&Spot) -> f64| spots.iter().map(part).fold(f64::MAX, f64::min);
        let most = |part: fn(&Spot) -> f64| spots.iter().map(part).fold(f64::MIN, f64::max);
        let (left, right) = (least(|spot| spot.x), most(|spot| spot.x));
        let (top, bottom) = (least(|spot| spot.y), most(|spot| spot.y));
        Rect {
            middle: Spot {
                x: (left + right) / 2.0,
                y: (top + bottom) / 2.0,
            },
            half_width: (right - left) / 2.0,
            half_height: (bottom - top) / 2.0,
        }
    }

    /// The smallest rectangle around all of these.
    pub(super) fn around_all(rects: &[Rect]) -> Rect {
        let corners: Vec<Spot> = rects
            .iter()
            .flat_map(|rect| {
                let (left, right) = (rect.left(), rect.right());
                [(left, rect.top()), (right, rect.bottom())].map(|(x, y)| Spot { x, y })
            })
            .collect();
        Rect::around(&corners)
    }

    /// Whether another rectangle lies within this one.
    pub(super) fn holds(self, other: Rect) -> bool {
        self.left() <= other.left()
            && self.right() >= other.right()
            && self.top() <= other.top()
            && self.bottom() >= other.bottom()
    }

    /// Points spread evenly over the rectangle.
    pub(super) fn points(self) -> impl Iterator<Item = Spot> {
        const COLUMNS: i32 = 6;
        const ROWS: i32 = 5;
        (0..COLUMNS * ROWS).map(move |number| {
            let across = f64::from(number % COLUMNS) / f64::from(COLUMNS - 1) * 2.0 - 1.0;
            let down = f64::from(number / COLUMNS) / f64::from(ROWS - 1) * 2.0 - 1.0;
            Spot {
                x: self.middle.x + self.half_width * across,
                y: self.middle.y + self.half_height * down,
            }
        })
    }
}
