//! Lines between places. They are bent a little, so that lines in opposite directions do not coincide, and end where symbols
//! begin.

use super::rect::Rect;
use super::spot::{Direction, Spot};
use super::xml::{add, number};

/// A point of a line and the direction of the line there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LinePoint {
    pub(super) spot: Spot,
    pub(super) heading: Direction,
}

/// A line as a list of close points.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Curve(Vec<Spot>);

/// How far the points of a line are apart, and how many it has at least and at most.
const SPACING: f64 = 9.0;
const LEAST_POINTS: u32 = 12;
const MOST_POINTS: u32 = 240;

/// How many points a line of this length has.
fn points_for(length: f64) -> u32 {
    ((length / SPACING) as u32).clamp(LEAST_POINTS, MOST_POINTS)
}

impl Curve {
    /// From one point to another, bent to the right by this height.
    pub(super) fn bent(from: Spot, to: Spot, height: f64) -> Curve {
        // An arc reaches half of the height of the point that it is bent to.
        let between = from
            .toward(to, 0.5)
            .offset(from.direction(to), 0.0, height * 2.0);
        Curve::arc(from, between, to)
    }

    fn arc(from: Spot, by: Spot, to: Spot) -> Curve {
        let count = points_for(from.distance(by) + by.distance(to));
        let point = |number: u32| {
            let share = f64::from(number) / f64::from(count);
            from.toward(by, share).toward(by.toward(to, share), share)
        };
        Curve((0..=count).map(point).collect())
    }

    /// Through all of these points, without corners.
    pub(super) fn through(points: &[Spot]) -> Curve {
        let mut all: Vec<Spot> = points.first().copied().into_iter().collect();
        for (number, pair) in points.windows(2).enumerate() {
            let &[from, to] = pair else { continue };
            // The line begins and ends as if its first and last point were there twice.
            let before = points[number.saturating_sub(1)];
            let behind = points.get(number + 2).copied().unwrap_or(to);
            let count = points_for(from.distance(to));
            for step in 1..=count {
                let share = f64::from(step) / f64::from(count);
                all.push(Spot {
                    x: smooth([before.x, from.x, to.x, behind.x], share),
                    y: smooth([before.y, from.y, to.y, behind.y], share),
                });
            }
        }
        Curve(all)
    }

    /// Near all of these points, without corners.
    pub(super) fn smoothed(mut points: Vec<Spot>, rounds: usize) -> Curve {
        for _ in 0..rounds {
            let inner = points.windows(3).map(|three| match three {
                [before, here, behind] => here.toward(before.toward(*behind, 0.5), 0.67),
                _ => Spot { x: 0.0, y: 0.0 },
            });
            let (first, last) = (points.first().copied(), points.last().copied());
            points = first.into_iter().chain(inner).chain(last).collect();
        }
        Curve(points)
    }

    /// The line without its beginning in the first rectangle and its end in the last.
    pub(super) fn between(self, first: Option<Rect>, last: Option<Rect>) -> Curve {
        let Curve(points) = self;
        let mut kept = points.as_slice();
        if let Some(rect) = first
            && let Some(inside) = kept.iter().rposition(|spot| rect.contains(*spot))
        {
            kept = &kept[inside + 1..];
        }
        if let Some(rect) = last
            && let Some(inside) = kept.iter().position(|spot| rect.contains(*spot))
        {
            kept = &kept[..inside];
        }
        if kept.len() > 1 {
            return Curve(kept.to_vec());
        }
        // The two nearly touch: a short line between them is better than none.
        let middle = points.len() / 2;
        Curve(
            points
                .get(middle.saturating_sub(3)..middle + 3)
                .unwrap_or_default()
                .to_vec(),
        )
    }

    pub(super) fn spots(&self) -> &[Spot] {
        &self.0
    }

    pub(super) fn length(&self) -> f64 {
        let parts = self.0.iter().zip(self.0.iter().skip(1));
        parts.map(|(from, to)| from.distance(*to)).sum()
    }

    pub(super) fn end(&self) -> Option<Spot> {
        self.0.last().copied()
    }

    /// The point at this share of its points.
    pub(super) fn at(&self, share: f64) -> Option<LinePoint> {
        let last = self.0.len().checked_sub(2)?;
        let number = (last as f64 * share).round() as usize;
        let (spot, next) = (*self.0.get(number)?, *self.0.get(number + 1)?);
        Some(LinePoint {
            spot,
            heading: spot.direction(next),
        })
    }

    /// The direction in which it ends.
    pub(super) fn heading(&self) -> Option<Direction> {
        let end = self.end()?;
        let before = self.0.iter().rev().find(|spot| spot.distance(end) > 6.0);
        before
            .or(self.0.first())
            .map(|before| before.direction(end))
    }

    /// The line without the part of this length at its end.
    pub(super) fn shortened(self, by: f64) -> Curve {
        let Some(end) = self.end() else { return self };
        let mut points = self.0;
        while points.len() > 2 && points.last().is_some_and(|spot| spot.distance(end) < by) {
            points.pop();
        }
        Curve(points)
    }

    /// The line without the part at its end that is not as it should be; the whole line if no part is.
    pub(super) fn ended_where(self, fits: impl Fn(&Curve) -> bool) -> Curve {
        let mut shorter = self.clone();
        while shorter.0.len() > 4 {
            if fits(&shorter) {
                return shorter;
            }
            shorter.0.pop();
        }
        self
    }

    /// The line in waves.
    pub(super) fn waved(&self, height: f64, length: f64) -> Curve {
        let mut waved = Vec::new();
        let mut gone = 0.0;
        for (from, to) in self.0.iter().zip(self.0.iter().skip(1)) {
            let far = from.distance(*to);
            let steps = (far / 2.5).ceil().max(1.0) as u32;
            for step in 0..steps {
                let share = f64::from(step) / f64::from(steps);
                let along = (gone + far * share) / length;
                let part = along.fract() * 2.0;
                let side = if part < 1.0 {
                    4.0 * part * (1.0 - part)
                } else {
                    -4.0 * (part - 1.0) * (2.0 - part)
                };
                waved.push(
                    from.toward(*to, share)
                        .offset(from.direction(*to), 0.0, side * height),
                );
            }
            gone += far;
        }
        waved.extend(self.end());
        Curve(waved)
    }

    /// The data of an SVG path, with as few points as look the same.
    pub(super) fn path(&self) -> String {
        let mut path = String::new();
        for (place, spot) in self.corners().into_iter().enumerate() {
            let word = if place == 0 { "M" } else { "L" };
            add!(&mut path, "{word}{} {}", number(spot.x), number(spot.y));
        }
        path
    }

    /// The points without those that lie on the straight way between others.
    fn corners(&self) -> Vec<Spot> {
        let points = &self.0;
        let mut kept: Vec<Spot> = points.first().copied().into_iter().collect();
        let mut begin = 0;
        for end in 2..points.len() {
            let (Some(from), Some(to)) = (points.get(begin), points.get(end)) else {
                continue;
            };
            let between = points.get(begin + 1..end).unwrap_or_default();
            let is_straight = between
                .iter()
                .all(|spot| spot.distance_to_line(*from, *to) < UNSEEN);
            if !is_straight {
                begin = end - 1;
                kept.extend(points.get(begin).copied());
            }
        }
        kept.extend(self.end().filter(|_| points.len() > 1));
        kept
    }
}

/// By how much a line may differ from what it should be without anybody seeing it.
const UNSEEN: f64 = 0.3;

/// A coordinate of the smooth line through four points, between the second and the third (Catmull-Rom).
fn smooth([before, from, to, behind]: [f64; 4], share: f64) -> f64 {
    let (two, three) = (share * share, share * share * share);
    0.5 * (2.0 * from
        + (to - before) * share
        + (2.0 * before - 5.0 * from + 4.0 * to - behind) * two
        + (3.0 * from - before - 3.0 * to + behind) * three)
}
