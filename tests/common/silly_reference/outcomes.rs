//! What comes of a fight: a search for all assignments in which each fact follows from the others. Where there is exactly one
//! it is that one. Else what waits for itself is decided ring by ring, and a ring that has not one outcome alone by the rules for
//! rings (DATC 4.A.2 as Szykman has it, 6.C).

use super::fight::{Fact, Fight};

/// How a fight came out.
pub(super) struct Outcome {
    /// By number of fact.
    pub so: Vec<bool>,
    pub how: How,
}

/// What decided it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum How {
    /// Nothing waited for itself.
    Straight,
    /// Of all outcomes one alone was consistent.
    OnlyOne,
    /// A convoy in a paradox does not stand.
    Paradox,
    /// A circle of moves succeeds.
    Circle,
    /// The rules say nothing: neither a convoy nor a circle is in the ring. Help without an order is cut before ordered help.
    Silent,
}

/// A search is given up where it finds more: nobody asks how many they are.
const ENOUGH: usize = 64;

struct Search<'f> {
    fight: &'f Fight,
    so: Vec<bool>,
    open: Vec<bool>,
}

pub(super) fn outcome(fight: &Fight) -> Outcome {
    let count = fight.facts.len();
    let mut search = Search {
        fight,
        so: vec![false; count],
        open: vec![true; count],
    };
    search.settle();
    let rest = search.rest();
    if rest.is_empty() {
        return search.end(How::Straight);
    }
    if let [only] = search.consistent(&rest, 2).as_slice() {
        search.write(&rest, only);
        return search.end(How::OnlyOne);
    }
    let mut how = How::OnlyOne;
    loop {
        search.settle();
        let Some(ring) = search.ring() else {
            return search.end(how);
        };
        let found = search.consistent(&ring, ENOUGH);
        match found.as_slice() {
            [only] => search.write(&ring, only),
            _ => how = how.max(search.decide(&ring, found)),
        }
    }
}

impl Search<'_> {
    fn end(self, how: How) -> Outcome {
        Outcome { so: self.so, how }
    }

    fn rest(&self) -> Vec<usize> {
        let all = 0..self.open.len();
        all.filter(|fact| self.open[*fact]).collect()
    }

    fn write(&mut self, facts: &[usize], values: &[bool]) {
        for (fact, value) in facts.iter().zip(values) {
            self.so[*fact] = *value;
            self.open[*fact] = false;
        }
    }

    /// Writes down what is so whatever the open facts are, until nothing more is.
    fn settle(&mut self) {
        loop {
            let mut any = false;
            for fact in self.rest() {
                if self.matter(fact).is_empty() {
                    self.so[fact] = self.fight.follows(fact, &self.so);
                    self.open[fact] = false;
                    any = true;
                }
            }
            if !any {
                return;
            }
        }
    }

    /// The open facts that matter for this one: with some values of the others it changes with them.
    fn matter(&self, fact: usize) -> Vec<usize> {
        let mut on = self.fight.depends[fact].clone();
        on.retain(|other| self.open[*other]);
        // All values of more would take too long; then any may matter.
        if on.is_empty() || on.len() > 12 {
            return on;
        }
        let mut so = self.so.clone();
        let table: Vec<bool> = (0..1_usize << on.len())
            .map(|bits| {
                for (place, other) in on.iter().enumerate() {
                    so[*other] = bits >> place & 1 == 1;
                }
                self.fight.follows(fact, &so)
            })
            .collect();
        let changes = |place: &usize| {
            let mut all = 0..table.len();
            all.any(|bits| table[bits] != table[bits ^ 1 << place])
        };
        let places = (0..on.len()).filter(changes);
        places.map(|place| on[place]).collect()
    }

    /// The fewest open facts that depend on nothing but each other.
    fn ring(&self) -> Option<Vec<usize>> {
        let rest = self.rest();
        let on: Vec<Vec<usize>> = (0..self.open.len())
            .map(|fact| match self.open[fact] {
                true => self.matter(fact),
                false => Vec::new(),
            })
            .collect();
        let closed = rest.iter().map(|fact| {
            let mut all = vec![*fact];
            let mut next = 0;
            while let Some(fact) = all.get(next) {
                next += 1;
                for other in &on[*fact] {
                    if !all.contains(other) {
                        all.push(*other);
                    }
                }
            }
            all
        });
        closed.min_by_key(Vec::len)
    }

    /// All assignments to these facts in which each follows from the others, up to so many.
    fn consistent(&self, facts: &[usize], most: usize) -> Vec<Vec<bool>> {
        // Facts come behind what they depend on, so that most assignments break off early.
        let mut order: Vec<usize> = Vec::new();
        for fact in facts {
            let on = self.fight.depends[*fact].iter();
            for one in on.chain([fact]) {
                if facts.contains(one) && !order.contains(one) {
                    order.push(*one);
                }
            }
        }
        let depth = |fact: &usize| order.iter().position(|other| other == fact);
        let known_at = |fact: &usize| {
            let on = self.fight.depends[*fact].iter().chain([fact]);
            on.filter_map(depth).max().unwrap()
        };
        let mut known: Vec<Vec<usize>> = vec![Vec::new(); order.len()];
        for fact in facts {
            known[known_at(fact)].push(*fact);
        }
        let mut so = self.so.clone();
        let mut found = Vec::new();
        // At each depth how many of its two values have been tried.
        let mut tried = vec![0];
        while let Some(times) = tried.last_mut() {
            if *times == 2 || found.len() == most {
                tried.pop();
                continue;
            }
            let value = *times == 0;
            *times += 1;
            let at = tried.len() - 1;
            so[order[at]] = value;
            let follows = |fact: &usize| self.fight.follows(*fact, &so) == so[*fact];
            if !known[at].iter().all(follows) {
                continue;
            }
            match tried.len() == order.len() {
                true => found.push(facts.iter().map(|fact| so[*fact]).collect()),
                false => tried.push(0),
            }
        }
        found
    }

    /// Decides at least one fact of a ring that has no outcome, or several.
    fn decide(&mut self, ring: &[usize], mut found: Vec<Vec<bool>>) -> How {
        let all = |fight: &Fight, facts: &[usize], sort: fn(&Fact, &Fight) -> bool| {
            let some = facts
                .iter()
                .filter(|fact| sort(&fight.facts[**fact], fight));
            some.copied().collect::<Vec<usize>>()
        };
        let convoys = all(self.fight, &disputed(ring, &found), |fact, _| {
            matches!(fact, Fact::Convoy(_))
        });
        if !convoys.is_empty() {
            self.write(&convoys, &vec![false; convoys.len()]);
            return How::Paradox;
        }
        let in_circle = |fact: &Fact, fight: &Fight| match fact {
            Fact::Moves(mover) => fight.circle(*mover).is_some(),
            _ => false,
        };
        let circles = all(self.fight, ring, in_circle);
        let turn = |values: &Vec<bool>| {
            let mut all = ring.iter().zip(values);
            all.all(|(fact, so)| *so || !circles.contains(fact))
        };
        if !circles.is_empty() && found.iter().any(turn) {
            found.retain(turn);
            if let [only] = found.as_slice() {
                self.write(ring, only);
                return How::Circle;
            }
        }
        let disputed = disputed(ring, &found);
        let twins = all(self.fight, &disputed, |fact, fight| match fact {
            Fact::Helps(help) => fight.helps[*help].cut_at.is_some(),
            _ => false,
        });
        let ordered = all(self.fight, &disputed, |fact, _| {
            matches!(fact, Fact::Helps(_))
        });
        match (twins.is_empty(), ordered.is_empty()) {
            (false, _) => self.write(&twins, &vec![false; twins.len()]),
            (true, false) => self.write(&ordered, &vec![false; ordered.len()]),
            _ => panic!("nothing decides {:?}", disputed.len()),
        }
        How::Silent
    }
}

/// The facts of a ring on which its outcomes do not agree; all, where there are none.
fn disputed(ring: &[usize], found: &[Vec<bool>]) -> Vec<usize> {
    let Some((first, others)) = found.split_first() else {
        return ring.to_vec();
    };
    let differs = |place: &usize| others.iter().any(|other| other[*place] != first[*place]);
    let places = (0..ring.len()).filter(differs);
    places.map(|place| ring[place]).collect()
}
