//! The resolver: it asks the rulebook about everything that is open until nothing new becomes certain, and when the rest
//! waits for itself in a circle it decides that circle. It knows next to no rule.
//!
//! Everything certain is certain for good, so each round decides something or the rest is a set of circles. A circle that
//! waits for nothing outside itself is decided first, by what it is made of:
//!
//! * a convoy is in it: the armies in it have no way (Szykman, DATC 4.A.2);
//! * supports are in it (only assists that are cut by strength can do that): help that would have to stand and to fall at
//!   once is cut;
//! * nothing but moves and room: they all succeed (circular movement, DATC 6.C; Outer Space 5.2.3).

use std::cell::{Cell, RefCell};

use super::field::{Field, Fighter, NONE, Told, Verdict};

/// One thing to be decided: by index of the fighter, the assist or the room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Node {
    Path(u16),
    Move(u16),
    Support(u16),
    Assist(u16),
    Room(u16),
}

/// A field while it is being decided.
pub(super) struct Resolver<'a> {
    field: Field<'a>,
    /// What was read while it was open, noted only when a circle is looked for.
    noted: RefCell<Vec<Node>>,
    noting: Cell<bool>,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(field: Field<'a>) -> Self {
        Self {
            field,
            noted: RefCell::new(Vec::new()),
            noting: Cell::new(false),
        }
    }

    pub(super) fn field(&self) -> &Field<'a> {
        &self.field
    }

    #[inline]
    pub(super) fn fighter(&self, index: u16) -> &Fighter<'a> {
        &self.field.fighters[usize::from(index)]
    }

    /// The fighters of a list of supporters or convoyers.
    #[inline]
    pub(super) fn helpers(&self, first: u16) -> impl Iterator<Item = u16> {
        let next =
            |index: &u16| Some(self.fighter(*index).next_helper).filter(|&next| next != NONE);
        std::iter::successors(Some(first).filter(|&first| first != NONE), next)
    }

    /// The moves into a province.
    #[inline]
    pub(super) fn movers(&self, to: u8) -> impl Iterator<Item = u16> {
        let first = self.field.movers[usize::from(to)];
        let next = |index: &u16| Some(self.fighter(*index).next_mover).filter(|&next| next != NONE);
        std::iter::successors(Some(first).filter(|&first| first != NONE), next)
    }

    #[inline]
    fn note(&self, verdict: Verdict, node: Node) -> Verdict {
        if verdict == Verdict::Open && self.noting.get() {
            self.noted.borrow_mut().push(node);
        }
        verdict
    }

    #[inline]
    pub(super) fn moved(&self, index: u16) -> Verdict {
        self.note(self.fighter(index).moved, Node::Move(index))
    }

    #[inline]
    pub(super) fn path_of(&self, index: u16) -> Verdict {
        self.note(self.fighter(index).path, Node::Path(index))
    }

    #[inline]
    pub(super) fn given(&self, index: u16) -> Verdict {
        self.note(self.fighter(index).given, Node::Support(index))
    }

    pub(super) fn assisted(&self, index: u16) -> Verdict {
        let given = self
            .field
            .assists
            .get(usize::from(index))
            .map_or(Verdict::No, |assist| assist.given);
        self.note(given, Node::Assist(index))
    }

    pub(super) fn room_of(&self, at: u8, power: crate::map::Power, mover: u16) -> Verdict {
        let found = (0u16..).zip(&self.field.rooms).find(|(_, room)| {
            let for_it = room
                .queue
                .as_ref()
                .is_none_or(|queue| queue.last() == Some(&mover));
            room.at == at && room.power == power && for_it
        });
        found.map_or(Verdict::Yes, |(index, room)| {
            self.note(room.granted, Node::Room(index))
        })
    }

    fn set(&mut self, node: Node, verdict: Verdict) {
        let field = &mut self.field;
        match node {
            Node::Path(index) => field.fighters[usize::from(index)].path = verdict,
            Node::Move(index) => field.fighters[usize::from(index)].moved = verdict,
            Node::Support(index) => field.fighters[usize::from(index)].given = verdict,
            Node::Assist(index) => field.assists[usize::from(index)].given = verdict,
            Node::Room(index) => field.rooms[usize::from(index)].granted = verdict,
        }
    }

    /// Decides everything.
    pub(super) fn resolve(mut self) -> Self {
        let mut open = self.open_nodes();
        loop {
            loop {
                let before = open.len();
                open.retain(|&node| match self.judge(node) {
                    Verdict::Open => true,
                    verdict => {
                        self.set(node, verdict);
                        false
                    }
                });
                if open.len() == before || open.is_empty() {
                    break;
                }
            }
            if open.is_empty() {
                return self;
            }
            self.decide_circle(&mut open);
        }
    }

    /// Supports first: most of them are certain at once, and moves ask for them.
    fn open_nodes(&self) -> Vec<Node> {
        let mut open = Vec::with_capacity(self.field.fighters.len() + self.field.assists.len() + 4);
        let fighters = || (0u16..).zip(&self.field.fighters);
        open.extend(
            fighters()
                .filter(|(_, fighter)| fighter.given == Verdict::Open)
                .map(|(i, _)| Node::Support(i)),
        );
        open.extend(
            fighters()
                .filter(|(_, fighter)| fighter.path == Verdict::Open)
                .map(|(i, _)| Node::Path(i)),
        );
        open.extend(
            (0u16..)
                .zip(&self.field.assists)
                .map(|(i, _)| Node::Assist(i)),
        );
        open.extend(
            fighters()
                .filter(|(_, fighter)| fighter.told == Told::Move)
                .map(|(i, _)| Node::Move(i)),
        );
        open.extend((0u16..).zip(&self.field.rooms).map(|(i, _)| Node::Room(i)));
        open
    }

    fn decide_circle(&mut self, open: &mut Vec<Node>) {
        let circle = self.innermost_circle(open);
        let has = |kind: fn(&Node) -> bool| circle.iter().any(kind);
        if has(|node| matches!(node, Node::Path(_))) {
            for &node in circle.iter().filter(|node| matches!(node, Node::Path(_))) {
                self.set(node, Verdict::No);
                if let Node::Path(index) = node {
                    self.field.fighters[usize::from(index)].paradox = true;
                }
            }
        } else if has(|node| matches!(node, Node::Support(_) | Node::Assist(_))) {
            for &node in circle
                .iter()
                .filter(|node| matches!(node, Node::Support(_) | Node::Assist(_)))
            {
                self.set(node, Verdict::No);
            }
        } else {
            for &node in &circle {
                self.set(node, Verdict::Yes);
            }
        }
        open.retain(|&node| self.state(node) == Verdict::Open);
    }

    fn state(&self, node: Node) -> Verdict {
        match node {
            Node::Path(index) => self.fighter(index).path,
            Node::Move(index) => self.fighter(index).moved,
            Node::Support(index) => self.fighter(index).given,
            Node::Assist(index) => self.field.assists[usize::from(index)].given,
            Node::Room(index) => self.field.rooms[usize::from(index)].granted,
        }
    }

    /// What the node waits for.
    fn waits_for(&self, node: Node) -> Vec<Node> {
        self.noting.set(true);
        self.judge(node);
        self.noting.set(false);
        let mut noted = self.noted.take();
        noted.sort_unstable();
        noted.dedup();
        noted
    }

    /// A circle of open nodes that waits for nothing outside itself: the first strongly connected component that Tarjan's
    /// search completes. It is kept on its own stack, since a sheet may be as long as somebody likes to make it.
    fn innermost_circle(&self, open: &[Node]) -> Vec<Node> {
        struct Visit {
            node: usize,
            waits_for: Vec<Node>,
            next: usize,
        }
        let mut nodes: Vec<Node> = open.to_vec();
        nodes.sort_unstable();
        let place = |node: Node| nodes.binary_search(&node).ok();
        let mut low: Vec<usize> = vec![usize::MAX; nodes.len()];
        let mut order: Vec<usize> = vec![usize::MAX; nodes.len()];
        let mut stack: Vec<usize> = Vec::new();
        let mut counter = 0;
        let visit = |node: usize,
                     counter: &mut usize,
                     low: &mut [usize],
                     order: &mut [usize],
                     stack: &mut Vec<usize>| {
            order[node] = *counter;
            low[node] = *counter;
            *counter += 1;
            stack.push(node);
            Visit {
                node,
                waits_for: self.waits_for(nodes[node]),
                next: 0,
            }
        };
        let mut path = vec![visit(0, &mut counter, &mut low, &mut order, &mut stack)];
        while let Some(top) = path.last_mut() {
            let node = top.node;
            if let Some(&next) = top.waits_for.get(top.next) {
                top.next += 1;
                let Some(next) = place(next) else { continue };
                if order[next] == usize::MAX {
                    path.push(visit(next, &mut counter, &mut low, &mut order, &mut stack));
                } else {
                    // Nothing was completed yet, so everything met before is on the stack.
                    low[node] = low[node].min(order[next]);
                }
                continue;
            }
            if low[node] == order[node] {
                let from = stack.iter().position(|&member| member == node).unwrap_or(0);
                return stack[from..].iter().map(|&member| nodes[member]).collect();
            }
            path.pop();
            if let Some(below) = path.last() {
                low[below.node] = low[below.node].min(low[node]);
            }
        }
        nodes
    }
}
