//! Planar graphs: which borders of a map can be borders of regions in a plane, and which regions then meet at each point.
//!
//! The faces of an embedded graph are found as Demoucron, Malgrange and Pertuiset do: a part of the graph is embedded, what is left
//! falls into fragments, and a path of a fragment that fits into the fewest faces is embedded next. A graph with a fragment that fits
//! into no face is not planar.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Two vertices, by their numbers.
pub(super) type Edge = [usize; 2];

/// A face: the vertices around it. All faces of a graph are told in the same direction. A vertex occurs several times where a part of
/// the graph hangs on nothing else.
pub(super) type Face = Vec<usize>;

/// If more edges are left out, it is not worth the time to look for others.
const FEW: usize = 8;

/// Edges of a graph.
pub(super) struct Divided {
    /// Edges that can be embedded together.
    pub(super) kept: Vec<Edge>,
    /// Edges that cannot be embedded with them.
    pub(super) left_out: Vec<Edge>,
}

impl Divided {
    /// Divides edges so that few are left out, and rather later than earlier ones.
    pub(super) fn of(edges: &[Edge]) -> Self {
        let mut divided = Self::with(Vec::new(), edges);
        while divided.left_out.len() <= FEW
            && let Some(better) = divided.with_another_left_out()
        {
            divided = better;
        }
        divided
    }

    /// Keeps these edges, and of further ones as many as possible, the first ones first.
    fn with(mut kept: Vec<Edge>, mut rest: &[Edge]) -> Self {
        let mut left_out = Vec::new();
        while !rest.is_empty() {
            // At least `some` further edges can be kept, and fewer than `too_many`.
            let (mut some, mut too_many) = (0, rest.len() + 1);
            let mut tried = rest.len();
            while some + 1 < too_many {
                if faces(&[&kept, &rest[..tried]].concat()).is_some() {
                    some = tried;
                } else {
                    too_many = tried;
                }
                tried = some.midpoint(too_many);
            }
            kept.extend(&rest[..some]);
            left_out.extend(rest.get(some));
            rest = rest.get(some + 1..).unwrap_or_default();
        }
        Self { kept, left_out }
    }

    /// Leaves out one kept edge for several others, if there is one. It has a vertex in common with one of them.
    fn with_another_left_out(&self) -> Option<Self> {
        let vertices: BTreeSet<usize> = self.left_out.iter().flatten().copied().collect();
        let is_near = |edge: &&Edge| edge.iter().any(|end| vertices.contains(end));
        self.kept.iter().filter(is_near).find_map(|edge| {
            let others = self.kept.iter().filter(|other| *other != edge);
            let rest = [self.left_out.as_slice(), &[*edge]].concat();
            let better = Self::with(others.copied().collect(), &rest);
            (better.left_out.len() < self.left_out.len()).then_some(better)
        })
    }
}

/// The faces of a graph that is embedded in a sphere; `None` if it is not planar. Each connected part has faces of its own.
pub(super) fn faces(edges: &[Edge]) -> Option<Vec<Face>> {
    let mut embedding = Embedding::of(edges);
    while let Some(number) = embedding.narrowest()? {
        let fragment = embedding.fragments.swap_remove(number);
        embedding.add_path_of(&fragment);
    }
    Some(embedding.faces)
}

struct Embedding {
    /// Whether each vertex is embedded.
    embedded: Vec<bool>,
    faces: Vec<Face>,
    fragments: Vec<Fragment>,
}

/// Edges that are not embedded and hang together without the embedded vertices.
struct Fragment {
    edges: Vec<Edge>,
    /// The embedded vertices that it hangs on.
    contacts: Vec<usize>,
    /// The faces around all of them.
    fitting: Vec<usize>,
}

impl Embedding {
    /// An embedding of one vertex of each part of the graph.
    fn of(edges: &[Edge]) -> Self {
        let count = edges.iter().flatten().max().map_or(0, |last| last + 1);
        let mut embedding = Self {
            embedded: vec![false; count],
            faces: Vec::new(),
            fragments: Vec::new(),
        };
        for part in embedding.parts(edges) {
            let Some(&[first, _]) = part.first() else {
                continue;
            };
            embedding.embedded[first] = true;
            embedding.faces.push(vec![first]);
            embedding.add_fragments(&part);
        }
        embedding
    }

    /// The fragment that fits into the fewest faces; `Some(None)` if all is embedded, and `None` if one fits into no face.
    fn narrowest(&self) -> Option<Option<usize>> {
        let fragments = self.fragments.iter().enumerate();
        let narrowest = fragments.min_by_key(|(_, fragment)| fragment.fitting.len());
        match narrowest {
            Some((_, fragment)) if fragment.fitting.is_empty() => None,
            found => Some(found.map(|(number, _)| number)),
        }
    }

    /// Edges by what hangs together without the embedded vertices.
    fn parts(&self, edges: &[Edge]) -> Vec<Vec<Edge>> {
        let mut parts = Vec::new();
        let mut rest = edges.to_vec();
        while let Some(first) = rest.pop() {
            let mut part = vec![first];
            let mut number = 0;
            while let Some(&edge) = part.get(number) {
                let inner = edge.into_iter().filter(|vertex| !self.embedded[*vertex]);
                for vertex in inner {
                    part.extend(rest.extract_if(.., |other| other.contains(&vertex)));
                }
                number += 1;
            }
            parts.push(part);
        }
        parts
    }

    fn add_fragments(&mut self, edges: &[Edge]) {
        for edges in self.parts(edges) {
            let ends = edges.iter().flatten().copied();
            let contacts: BTreeSet<usize> = ends.filter(|end| self.embedded[*end]).collect();
            let mut fragment = Fragment {
                edges,
                contacts: contacts.into_iter().collect(),
                fitting: Vec::new(),
            };
            let all = 0..self.faces.len();
            fragment.fitting = all.filter(|face| self.fits(&fragment, *face)).collect();
            self.fragments.push(fragment);
        }
    }

    fn fits(&self, fragment: &Fragment, face: usize) -> bool {
        let face = &self.faces[face];
        fragment
            .contacts
            .iter()
            .all(|contact| face.contains(contact))
    }

    /// Embeds a path of a fragment; what is left of it becomes fragments of its own.
    fn add_path_of(&mut self, fragment: &Fragment) {
        let (Some(&face), path) = (fragment.fitting.first(), self.path_through(fragment)) else {
            return;
        };
        let new = self.faces.len();
        self.add(&path, face);
        let is_new = |edge: &&Edge| {
            !path
                .windows(2)
                .any(|pair| pair.iter().all(|end| edge.contains(end)))
        };
        let rest: Vec<Edge> = fragment.edges.iter().filter(is_new).copied().collect();
        let mut fragments = std::mem::take(&mut self.fragments);
        for other in &mut fragments {
            if let Some(place) = other.fitting.iter().position(|fitting| *fitting == face) {
                other.fitting.swap_remove(place);
                let parts = [face, new]
                    .into_iter()
                    .filter(|part| *part < self.faces.len());
                let fitting: Vec<usize> = parts.filter(|part| self.fits(other, *part)).collect();
                other.fitting.extend(fitting);
            }
        }
        self.fragments = fragments;
        self.add_fragments(&rest);
    }

    /// A path through a fragment from one contact to another, or one edge if it hangs on a single vertex.
    fn path_through(&self, fragment: &Fragment) -> Vec<usize> {
        let Some(&from) = fragment.contacts.first() else {
            return Vec::new();
        };
        let is_end = |to: usize| fragment.contacts.len() == 1 || self.embedded[to];
        let mut before: BTreeMap<usize, usize> = BTreeMap::new();
        let mut open = VecDeque::from([from]);
        while let Some(here) = open.pop_front() {
            let edges = fragment.edges.iter().filter(|edge| edge.contains(&here));
            for &[one, other] in edges {
                let to = if one == here { other } else { one };
                if to == from || before.contains_key(&to) {
                    continue;
                }
                before.insert(to, here);
                if is_end(to) {
                    let back = std::iter::successors(Some(to), |at| before.get(at).copied());
                    let mut path: Vec<usize> = back.collect();
                    path.reverse();
                    return path;
                }
                open.push_back(to);
            }
        }
        Vec::new()
    }

    /// Embeds a path in a face. Its first vertex is embedded.
    fn add(&mut self, path: &[usize], face: usize) {
        let [from, inner @ .., to] = path else { return };
        let mut around = std::mem::take(&mut self.faces[face]);
        let begin = around.iter().position(|at| at == from).unwrap_or(0);
        around.rotate_left(begin);
        if self.embedded[*to] {
            let end = around.iter().position(|at| at == to).unwrap_or(0);
            let one = around[..=end].iter().chain(inner.iter().rev());
            let other = around[end..].iter().chain([from]).chain(inner);
            self.faces[face] = one.copied().collect();
            self.faces.push(other.copied().collect());
        } else if around.len() == 1 {
            self.faces[face] = path.to_vec();
        } else {
            // There and back again.
            self.faces[face] = [&[*from, *to], around.as_slice()].concat();
        }
        for vertex in path {
            self.embedded[*vertex] = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All pairs of these vertices.
    fn complete(count: usize) -> Vec<Edge> {
        (0..count)
            .flat_map(|one| (one + 1..count).map(move |other| [one, other]))
            .collect()
    }

    #[test]
    fn faces_are_as_many_as_euler_says() {
        let cube: Vec<Edge> = (0..8usize)
            .flat_map(|one| [1, 2, 4].map(|bit| [one, one | bit]))
            .filter(|[one, other]| one != other)
            .collect();
        let tree = vec![[0, 1], [1, 2], [1, 3]];
        for (edges, lengths) in [
            (complete(4), vec![3; 4]),
            (cube, vec![4; 6]),
            (tree, vec![6]),
        ] {
            let faces = faces(&edges).unwrap();
            let found: Vec<usize> = faces.iter().map(Vec::len).collect();
            assert_eq!(found, lengths, "{edges:?}");
        }
    }

    #[test]
    fn each_side_of_an_edge_is_in_one_face() {
        let edges = complete(4);
        let faces = faces(&edges).unwrap();
        let sides: BTreeSet<Edge> = faces
            .iter()
            .flat_map(|face| face.iter().zip(face.iter().cycle().skip(1)))
            .map(|(one, other)| [*one, *other])
            .collect();
        assert_eq!(sides.len(), 2 * edges.len());
    }

    #[test]
    fn what_cannot_be_embedded_is_left_out() {
        let houses_and_wells: Vec<Edge> = (0..3)
            .flat_map(|one| (3..6).map(move |other| [one, other]))
            .collect();
        for (edges, left_out) in [(complete(4), 0), (complete(5), 1), (houses_and_wells, 1)] {
            assert_eq!(faces(&edges).is_some(), left_out == 0);
            let divided = Divided::of(&edges);
            assert_eq!(divided.left_out.len(), left_out);
            assert_eq!(divided.kept.len() + left_out, edges.len());
        }
    }
}
