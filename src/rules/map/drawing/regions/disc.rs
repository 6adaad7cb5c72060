//! Puts cells into a disc, so that the lines between cells that meet do not cross.
//!
//! The cells at the edge of the picture are on a circle, and every other cell is in the weighted middle of the cells around it. That
//! is an embedding for any weights (Tutte, Floater). Lines that are long get more weight, round after round, so that all cells get room.

use super::super::spot::{Spot, sine};
use super::mesh::Mesh;
use std::f64::consts::PI;

/// How often weights are changed.
const ROUNDS: usize = 60;
/// How often every cell is moved between two changes.
const SWEEPS: usize = 40;
/// The first weight of a line to a wall, which needs little room; that of others is 1.
const WALL_WEIGHT: f64 = 3.0;
/// Lines that are shorter are alike.
const LEAST_LENGTH: f64 = 0.002;
/// How often every cell is moved at last, until none moves any more.
const LAST_SWEEPS: usize = 1500;
/// The heaviest line in weights of the lightest.
const MOST_WEIGHT: f64 = 1e4;

/// The places of cells around the middle of a disc with a radius of 1.
pub(super) fn placed(mesh: &Mesh, around: &[Vec<usize>], provinces: usize) -> Vec<Spot> {
    let mut spots = vec![Spot { x: 0.0, y: 0.0 }; mesh.cells];
    for (cell, spot) in mesh.edge.iter().zip(on_circle(mesh, around)) {
        spots[*cell] = spot;
    }
    let first = |cell: usize, near: &usize| {
        let is_wall = cell >= provinces || *near >= provinces;
        if is_wall { WALL_WEIGHT } else { 1.0 }
    };
    let mut weights: Vec<Vec<f64>> = (0..)
        .zip(around)
        .map(|(cell, around)| around.iter().map(|near| first(cell, near)).collect())
        .collect();
    let inner: Vec<usize> = (0..mesh.cells)
        .filter(|cell| !mesh.edge.contains(cell))
        .collect();
    let settle = |spots: &mut [Spot], weights: &[Vec<f64>], sweeps: usize| {
        for _ in 0..sweeps {
            for &cell in &inner {
                spots[cell] = middle(spots, &around[cell], &weights[cell]);
            }
        }
    };
    for _ in 0..ROUNDS {
        settle(&mut spots, &weights, SWEEPS);
        for (cell, (around, weights)) in around.iter().zip(&mut weights).enumerate() {
            for (near, weight) in around.iter().zip(weights) {
                let length = spots[cell].distance(spots[*near]);
                *weight = (*weight * (LEAST_LENGTH + length)).clamp(1.0 / MOST_WEIGHT, MOST_WEIGHT);
            }
        }
    }
    settle(&mut spots, &weights, LAST_SWEEPS);
    spots
}

/// Places on the circle, with more room for cells that meet many others.
fn on_circle(mesh: &Mesh, around: &[Vec<usize>]) -> Vec<Spot> {
    let room = |cell: &usize| 2.0 + around[*cell].len() as f64;
    let whole: f64 = mesh.edge.iter().map(room).sum();
    let mut before = 0.0;
    let spots = mesh.edge.iter().map(|cell| {
        let half = room(cell) / 2.0;
        before += half;
        let angle = 2.0 * PI * before / whole - PI;
        before += half;
        Spot {
            x: sine(angle),
            y: sine(PI / 2.0 - angle.abs()),
        }
    });
    spots.collect()
}

fn middle(spots: &[Spot], around: &[usize], weights: &[f64]) -> Spot {
    let mut middle = Spot { x: 0.0, y: 0.0 };
    let all: f64 = weights.iter().sum();
    for (near, weight) in around.iter().zip(weights) {
        middle.x += spots[*near].x * weight / all;
        middle.y += spots[*near].y * weight / all;
    }
    middle
}
