//! Which cells of a picture meet at each point: those of provinces, and walls where provinces meet that are not neighbors.

use std::collections::BTreeSet;

use super::planar::Face;

/// The cells of a picture. No more than three meet at a point.
pub(super) struct Mesh {
    /// The number of cells.
    pub(super) cells: usize,
    /// The cells that meet at each corner, all in the same direction.
    pub(super) corners: Vec<[usize; 3]>,
    /// The cells at the edge of the picture, in the opposite direction; each occurs once.
    pub(super) edge: Vec<usize>,
}

impl Mesh {
    /// The cells of these provinces, whose borders have these faces. The longest face is the outside of the picture. Walls have
    /// the numbers behind those of the provinces. `is_closed` says of three provinces whether a wall lies between them.
    pub(super) fn of(
        provinces: usize,
        faces: Vec<Face>,
        is_closed: impl Fn(&[usize]) -> bool,
    ) -> Self {
        let mut mesh = Self {
            cells: provinces,
            corners: Vec::new(),
            edge: Vec::new(),
        };
        let mut outer = Face::new();
        let mut inner = Vec::new();
        for mut part in parts(faces) {
            let longest = (0..part.len()).rev().max_by_key(|face| part[*face].len());
            let outside = longest.map(|face| part.swap_remove(face));
            outer = mesh.joined(outer, outside.unwrap_or_default());
            inner.extend(part);
        }
        for face in inner {
            let face = mesh.without_repeats(face);
            if let &[one, two, three] = face.as_slice()
                && !is_closed(&face)
            {
                mesh.corners.push([one, two, three]);
            } else {
                let wall = mesh.new_wall();
                let pairs = face.iter().zip(face.iter().cycle().skip(1));
                let corners = pairs.map(|(one, other)| [*one, *other, wall]);
                mesh.corners.extend(corners);
            }
        }
        mesh.edge = mesh.without_repeats(outer);
        mesh
    }

    fn new_wall(&mut self) -> usize {
        self.cells += 1;
        self.cells - 1
    }

    /// The outside of two parts, joined by a wall.
    fn joined(&mut self, one: Face, other: Face) -> Face {
        let (Some(&first), Some(&second)) = (one.first(), other.first()) else {
            return [one, other].concat();
        };
        let wall = self.new_wall();
        [one, vec![first, wall], other, vec![second, wall]].concat()
    }

    /// Puts walls into corners of a face, until no cell occurs in it more than once.
    fn without_repeats(&mut self, mut face: Face) -> Face {
        let mut number = 0;
        while number < face.len() {
            let at = |far: usize| face[(number + far) % face.len()];
            let [before, here, after] = [at(face.len() - 1), at(0), at(1)];
            let times = face.iter().filter(|cell| **cell == here).count();
            if times > 1 && before != after {
                let wall = self.new_wall();
                self.corners.push([before, here, wall]);
                self.corners.push([here, after, wall]);
                face[number] = wall;
            }
            number += 1;
        }
        face
    }

    /// The cells around each cell, those at its corners one after another, and whether they go all around. Those of a cell at the
    /// edge of the picture begin and end there.
    pub(super) fn around(&self) -> Vec<Vec<usize>> {
        let mut around = vec![Vec::new(); self.cells];
        let mut next = vec![Vec::new(); self.cells];
        for &[one, two, three] in &self.corners {
            for [here, from, to] in [[one, two, three], [two, three, one], [three, one, two]] {
                next[here].push((from, to));
            }
        }
        for (here, next) in next.into_iter().enumerate() {
            let ends: BTreeSet<usize> = next.iter().map(|(_, to)| *to).collect();
            let begin = next
                .iter()
                .map(|(from, _)| *from)
                .find(|from| !ends.contains(from));
            let mut cell = begin.or(next.first().map(|(from, _)| *from));
            while let Some(from) = cell
                && !around[here].contains(&from)
            {
                around[here].push(from);
                let pair = next.iter().find(|(one, _)| *one == from);
                cell = pair.map(|(_, to)| *to);
            }
        }
        around
    }
}

/// Faces by what part of the graph they belong to.
fn parts(faces: Vec<Face>) -> Vec<Vec<Face>> {
    let mut parts: Vec<Vec<Face>> = Vec::new();
    for face in faces {
        let is_near = |part: &mut Vec<Face>| part.iter().flatten().any(|cell| face.contains(cell));
        let near: Vec<Vec<Face>> = parts.extract_if(.., is_near).collect();
        let whole = near.into_iter().flatten().chain([face.clone()]);
        parts.push(whole.collect());
    }
    parts
}
