//! Points and directions.

use dipjudge_rules::map::drawing::Point;

/// A point of the drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spot {
    pub(super) x: f64,
    pub(super) y: f64,
}

/// A vector of length 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Direction {
    x: f64,
    y: f64,
}

impl From<Point> for Spot {
    fn from(point: Point) -> Spot {
        Spot {
            x: f64::from(point.x),
            y: f64::from(point.y),
        }
    }
}

impl Spot {
    /// The point on the way to another: this one for a share of 0, the other for 1.
    pub(super) fn toward(self, other: Spot, share: f64) -> Spot {
        Spot {
            x: self.x + (other.x - self.x) * share,
            y: self.y + (other.y - self.y) * share,
        }
    }

    pub(super) fn distance(self, other: Spot) -> f64 {
        let (x, y) = (self.x - other.x, self.y - other.y);
        (x * x + y * y).sqrt()
    }

    /// The distance to the nearest point of a straight line between two points.
    pub(super) fn distance_to_line(self, from: Spot, to: Spot) -> f64 {
        let (x, y) = (to.x - from.x, to.y - from.y);
        let length = (x * x + y * y).max(1e-6);
        let share = ((self.x - from.x) * x + (self.y - from.y) * y) / length;
        self.distance(from.toward(to, share.clamp(0.0, 1.0)))
    }

    /// The point at a distance in a direction (`on`) and to the right of it (`right`).
    pub(super) fn offset(self, Direction { x, y }: Direction, on: f64, right: f64) -> Spot {
        Spot {
            x: self.x + x * on - y * right,
            y: self.y + y * on + x * right,
        }
    }

    /// This point, moved as far as from one point to another.
    pub(super) fn moved(self, from: Spot, to: Spot) -> Spot {
        Spot {
            x: self.x + to.x - from.x,
            y: self.y + to.y - from.y,
        }
    }

    /// The direction to another point, of length 1.
    pub(super) fn direction(self, other: Spot) -> Direction {
        let far = self.distance(other).max(1e-6);
        Direction {
            x: (other.x - self.x) / far,
            y: (other.y - self.y) / far,
        }
    }
}

impl Direction {
    /// Whether the directions are the same or opposite, where 1 is exactly so.
    pub(super) fn is_along(self, other: Direction, least: f64) -> bool {
        (self.x * other.x + self.y * other.y).abs() > least
    }
}
