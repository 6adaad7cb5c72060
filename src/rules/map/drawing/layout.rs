//! Lays out the provinces of a map in a plane, using only the borders between them.
//!
//! The distance of each pair of provinces in the plane approximates their distance in moves, and close pairs have more weight
//! than distant ones (stress majorization). The initial places are computed from the distances to four provinces, so that the
//! same map always gives the same layout. Where all are neighbors of all, they stand in a ring.

use std::f64::consts::PI;

use super::super::{Map, Province};

/// How often each province is moved according to its distances to all others.
const ROUNDS: usize = 150;
/// How often provinces that are too close to each other are pushed apart.
const PUSHES: usize = 200;
/// The intended distance of neighbors. The least distance of two provinces is 1.
const STEP: f64 = 1.4;

/// A place in the plane. The least distance of two provinces is 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spot {
    pub(super) x: f64,
    pub(super) y: f64,
}

impl Spot {
    fn distance(self, other: Self) -> f64 {
        let (x, y) = (self.x - other.x, self.y - other.y);
        // Square roots are the same on every machine; other functions need not be.
        (x * x + y * y).sqrt()
    }
}

/// The places of these provinces, in their order. No two are closer than 1.
pub(super) fn laid_out(map: &Map, provinces: &[Province]) -> Vec<Spot> {
    let steps = steps(map, provinces);
    let is_neighbor = |far: &f64| *far <= 1.0;
    if provinces.len() > 3 && steps.iter().flatten().all(is_neighbor) {
        return ring(provinces.len());
    }
    let mut spots = beginning(&steps);
    for _ in 0..ROUNDS {
        for number in 0..spots.len() {
            settle(&mut spots, &steps, number);
        }
    }
    for _ in 0..PUSHES {
        if !push_apart(&mut spots) {
            break;
        }
    }
    spread(&mut spots);
    spots
}

/// A ring, from the top clockwise: where each province is a neighbor of all others, none is in the middle.
fn ring(count: usize) -> Vec<Spot> {
    let part = 2.0 * PI / f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    let radius = STEP / 2.0 / sine(part / 2.0).max(0.01);
    (0u32..)
        .take(count)
        .map(|number| {
            // From half a turn back to half a turn on.
            let angle = part * f64::from(number) - PI;
            Spot {
                x: -radius * sine(angle),
                y: radius * sine(PI / 2.0 - angle.abs()),
            }
        })
        .collect()
}

/// The sine of an angle of at most half a turn, by its series: the same on every machine.
fn sine(angle: f64) -> f64 {
    let (mut sum, mut term) = (0.0, angle);
    for number in 1u32..=15 {
        sum += term;
        let next = f64::from(2 * number) * f64::from(2 * number + 1);
        term *= -angle * angle / next;
    }
    sum
}

/// The distances of all pairs in moves. A province that cannot be reached is one move farther away than the farthest.
fn steps(map: &Map, provinces: &[Province]) -> Vec<Vec<f64>> {
    let tables: Vec<_> = provinces
        .iter()
        .map(|&from| map.distances([from]))
        .collect();
    let reached =
        |table: &super::super::Distances<'_>| provinces.iter().filter_map(|&to| table.to(to)).max();
    let furthest = tables.iter().filter_map(reached).max().unwrap_or(0);
    tables
        .iter()
        .map(|table| {
            let far = |&to: &Province| f64::from(table.to(to).unwrap_or(furthest + 1));
            provinces.iter().map(far).collect()
        })
        .collect()
}

/// The initial places. The x of a province is the difference of its distances from two provinces that are far from each other,
/// the y that of another such pair. Each is shifted a little, so that no two are at the same place.
fn beginning(steps: &[Vec<f64>]) -> Vec<Spot> {
    let row = |number: usize| steps.get(number).map_or(&[][..], Vec::as_slice);
    let left = furthest(row(0));
    let right = furthest(row(left));
    let nearer_of_both: Vec<f64> = row(left)
        .iter()
        .zip(row(right))
        .map(|(to_left, to_right)| to_left.min(*to_right))
        .collect();
    let upper = furthest(&nearer_of_both);
    let lower = furthest(row(upper));
    let across = row(left).iter().zip(row(right));
    let down = row(upper).iter().zip(row(lower));
    (0u32..)
        .zip(across.zip(down))
        .map(
            |(number, ((to_left, to_right), (to_upper, to_lower)))| Spot {
                x: STEP * ((to_left - to_right) / 2.0 + shift(number, 5, 13) / 2.0),
                y: STEP * ((to_upper - to_lower) / 2.0 + shift(number, 7, 17) / 2.0),
            },
        )
        .collect()
}

/// The number of the province with the most steps, the first one of several.
fn furthest(steps: &[f64]) -> usize {
    let (mut best, mut most) = (0, f64::MIN);
    for (number, &far) in steps.iter().enumerate() {
        if far > most {
            (best, most) = (number, far);
        }
    }
    best
}

/// A shift of at most half a step, different for provinces with close numbers.
fn shift(number: u32, times: u32, of: u32) -> f64 {
    f64::from(number * times % of) / f64::from(of) - 0.5
}

/// Moves a province to the weighted mean of the places that have the intended distances to the others.
fn settle(spots: &mut [Spot], steps: &[Vec<f64>], number: usize) {
    let (Some(&here), Some(steps)) = (spots.get(number), steps.get(number)) else {
        return;
    };
    let (mut x, mut y, mut weights) = (0.0, 0.0, 0.0);
    for (other, (spot, steps)) in spots.iter().zip(steps).enumerate() {
        if other == number {
            continue;
        }
        let wanted = steps * STEP;
        let ratio = wanted / here.distance(*spot).max(1e-6);
        let weight = 1.0 / (wanted * wanted);
        x += weight * (spot.x + (here.x - spot.x) * ratio);
        y += weight * (spot.y + (here.y - spot.y) * ratio);
        weights += weight;
    }
    if weights > 0.0
        && let Some(spot) = spots.get_mut(number)
    {
        *spot = Spot {
            x: x / weights,
            y: y / weights,
        };
    }
}

/// Pushes provinces apart that are closer than 1. Returns whether there were any.
fn push_apart(spots: &mut [Spot]) -> bool {
    let mut pushed = false;
    for number in 1..spots.len() {
        let (before, after) = spots.split_at_mut(number);
        let Some(one) = after.first_mut() else { break };
        for other in before {
            let apart = one.distance(*other);
            if apart >= 1.0 {
                continue;
            }
            pushed = true;
            let push = (1.001 - apart) / 2.0 / apart.max(1e-6);
            let (x, y) = ((one.x - other.x) * push, (one.y - other.y) * push);
            (one.x, one.y) = (one.x + x, one.y + y);
            (other.x, other.y) = (other.x - x, other.y - y);
        }
    }
    pushed
}

/// Enlarges the layout if some provinces are still closer than 1.
fn spread(spots: &mut [Spot]) {
    let mut least: f64 = 1.0;
    for (number, one) in spots.iter().enumerate() {
        for other in spots.iter().skip(number + 1) {
            least = least.min(one.distance(*other));
        }
    }
    let factor = 1.0 / least.max(0.05);
    for spot in spots {
        (spot.x, spot.y) = (spot.x * factor, spot.y * factor);
    }
}
