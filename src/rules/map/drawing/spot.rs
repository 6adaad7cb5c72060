//! Points of a drawing in the making, and what is needed of geometry: the same on every machine.

/// A place in the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spot {
    pub(super) x: f64,
    pub(super) y: f64,
}

impl Spot {
    pub(super) fn distance(self, other: Self) -> f64 {
        let (x, y) = (self.x - other.x, self.y - other.y);
        // Square roots are the same on every machine; other functions need not be.
        (x * x + y * y).sqrt()
    }

    /// How far it is from the nearest point of a line between two others.
    pub(super) fn distance_from_line(self, [from, to]: [Self; 2]) -> f64 {
        let (right, down) = (to.x - from.x, to.y - from.y);
        let squared = right * right + down * down;
        let along = (self.x - from.x) * right + (self.y - from.y) * down;
        let share = if squared > 0.0 {
            (along / squared).clamp(0.0, 1.0)
        } else {
            0.0
        };
        self.distance(Self {
            x: from.x + right * share,
            y: from.y + down * share,
        })
    }

    /// The middle of several spots.
    pub(super) fn mean(spots: &[Self]) -> Self {
        let sum = |part: fn(&Self) -> f64| spots.iter().map(part).sum::<f64>() / spots.len() as f64;
        Self {
            x: sum(|spot| spot.x),
            y: sum(|spot| spot.y),
        }
    }
}

/// The sine of an angle of at most half a turn, by its series: the same on every machine.
pub(super) fn sine(angle: f64) -> f64 {
    let (mut sum, mut term) = (0.0, angle);
    for number in 1u32..=15 {
        sum += term;
        let next = f64::from(2 * number) * f64::from(2 * number + 1);
        term *= -angle * angle / next;
    }
    sum
}

/// Twice the area of a triangle, negative if it goes the other way.
fn side(a: Spot, b: Spot, c: Spot) -> f64 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

/// Whether two lines have a point in common.
pub(super) fn cross([a, b]: [Spot; 2], [c, d]: [Spot; 2]) -> bool {
    side(a, b, c) * side(a, b, d) <= 0.0 && side(c, d, a) * side(c, d, b) <= 0.0
}

/// The area in an outline, negative if it goes the other way.
pub(super) fn area(outline: &[Spot]) -> f64 {
    let ends = outline.iter().zip(outline.iter().cycle().skip(1));
    let doubled = ends.map(|(from, to)| from.x * to.y - from.y * to.x);
    doubled.sum::<f64>() / 2.0
}
