//! The resolver: it asks the rulebook about everything that is open until nothing new becomes certain, and when the rest
//! waits for itself in rings it has a ring decided (`ring`). It knows no rule.
//!
//! Everything certain is certain for good, so each round decides something or the rest is made of rings and of what follows
//! from them. A ring that waits for nothing outside itself is decided first.

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
    /// What a rule for rings decided and does not follow from the rest: ways that a paradox closed, help cut in a ring.
    pub(super) by_rule: Vec<Node>,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(field: Field<'a>) -> Self {
        Self {
            field,
            noted: RefCell::new(Vec::new()),
            noting: Cell::new(false),
            by_rule: Vec::new(),
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

    pub(super) fn set(&mut self, node: Node, verdict: Verdict) {
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
        let mut open: Vec<Node> = self.nodes().collect();
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
            self.decide_ring(&mut open);
        }
    }

    /// Everything that is to be decided. Supports first: most of them are certain at once, and moves ask for them.
    pub(super) fn nodes(&self) -> impl Iterator<Item = Node> {
        let fighters = || (0u16..).zip(&self.field.fighters);
        let supports = fighters()
            .filter(|(_, fighter)| matches!(fighter.told, Told::SupportHold | Told::SupportMove))
            .map(|(index, _)| Node::Support(index));
        let paths = fighters()
            .filter(|(_, fighter)| fighter.convoyed)
            .map(|(index, _)| Node::Path(index));
        let assists = (0u16..)
            .zip(&self.field.assists)
            .map(|(index, _)| Node::Assist(index));
        let moves = fighters()
            .filter(|(_, fighter)| fighter.told == Told::Move)
            .map(|(index, _)| Node::Move(index));
        let rooms = (0u16..)
            .zip(&self.field.rooms)
            .map(|(index, _)| Node::Room(index));
        let helped = supports.chain(paths).chain(assists);
        helped.chain(moves).chain(rooms)
    }

    pub(super) fn state(&self, node: Node) -> Verdict {
        match node {
            Node::Path(index) => self.fighter(index).path,
            Node::Move(index) => self.fighter(index).moved,
            Node::Support(index) => self.fighter(index).given,
            Node::Assist(index) => self.field.assists[usize::from(index)].given,
            Node::Room(index) => self.field.rooms[usize::from(index)].granted,
        }
    }

    /// What the node waits for.
    pub(super) fn waits_for(&self, node: Node) -> Vec<Node> {
        self.noting.set(true);
        self.judge(node);
        self.noting.set(false);
        let mut noted = self.noted.take();
        noted.sort_unstable();
        noted.dedup();
        noted
    }
}
