//! The resolver asks the rulebook about every undecided node until no answer is new. The remaining nodes then depend on each
//! other in cycles; the resolver has one cycle decided (`cycle`) and starts again. It contains no rule of the game.
//!
//! A decision never changes, so the number of undecided nodes falls with every round. A cycle that depends on nothing outside
//! itself is decided first.

use std::cell::{Cell, RefCell};

use super::field::{Field, Fighter, NONE, Task, Verdict};
use super::planted::{Fault, planted};

/// Something to be decided, with the index of the fighter, assist or room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Node {
    Path(u16),
    Move(u16),
    Support(u16),
    Assist(u16),
    Room(u16),
}

/// A field and the state of its resolution.
pub(super) struct Resolver<'a> {
    field: Field<'a>,
    /// The undecided nodes that were read, recorded only while dependencies are collected.
    reads: RefCell<Vec<Node>>,
    is_recording: Cell<bool>,
    /// The nodes that a rule for cycles has refused, so that their decisions need not follow from the others.
    pub(super) by_rule: Vec<Node>,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(field: Field<'a>) -> Self {
        Self {
            field,
            reads: RefCell::new(Vec::new()),
            is_recording: Cell::new(false),
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

    /// The fighters of a linked list of supporting or convoying units.
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
    fn record(&self, verdict: Verdict, node: Node) -> Verdict {
        if verdict == Verdict::Undecided && self.is_recording.get() {
            self.reads.borrow_mut().push(node);
        }
        verdict
    }

    #[inline]
    pub(super) fn moved(&self, index: u16) -> Verdict {
        self.record(self.fighter(index).moved, Node::Move(index))
    }

    #[inline]
    pub(super) fn path_of(&self, index: u16) -> Verdict {
        self.record(self.fighter(index).path, Node::Path(index))
    }

    #[inline]
    pub(super) fn support_given(&self, index: u16) -> Verdict {
        self.record(self.fighter(index).support_given, Node::Support(index))
    }

    pub(super) fn assisted(&self, index: u16) -> Verdict {
        let support_given = self
            .field
            .assists
            .get(usize::from(index))
            .map_or(Verdict::No, |assist| assist.support_given);
        self.record(support_given, Node::Assist(index))
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
            self.record(room.granted, Node::Room(index))
        })
    }

    pub(super) fn set(&mut self, node: Node, verdict: Verdict) {
        let field = &mut self.field;
        match node {
            Node::Path(index) => field.fighters[usize::from(index)].path = verdict,
            Node::Move(index) => field.fighters[usize::from(index)].moved = verdict,
            Node::Support(index) => field.fighters[usize::from(index)].support_given = verdict,
            Node::Assist(index) => field.assists[usize::from(index)].support_given = verdict,
            Node::Room(index) => field.rooms[usize::from(index)].granted = verdict,
        }
    }

    /// Decides everything.
    pub(super) fn resolve(mut self) -> Self {
        let mut open: Vec<Node> = self.nodes().collect();
        loop {
            loop {
                let before = open.len();
                open.retain(|&node| match self.decide(node) {
                    Verdict::Undecided => true,
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
            self.decide_cycle(&mut open);
        }
    }

    /// What the rulebook says of the node, unless a fault is planted.
    fn decide(&self, node: Node) -> Verdict {
        let is_faulty = match node {
            Node::Support(_) => planted(Fault::UncutSupports),
            Node::Path(_) => planted(Fault::UnbrokenConvoys),
            Node::Move(mover) => {
                planted(Fault::SwappedPlaces) && self.fighter(mover).head_on != NONE
            }
            Node::Assist(_) | Node::Room(_) => false,
        };
        if is_faulty {
            Verdict::Yes
        } else {
            self.judge(node)
        }
    }

    /// All nodes. Supports come first, since most of them can be decided at once and moves depend on them.
    pub(super) fn nodes(&self) -> impl Iterator<Item = Node> {
        let fighters = || (0u16..).zip(&self.field.fighters);
        let supports = fighters()
            .filter(|(_, fighter)| matches!(fighter.task, Task::SupportHold | Task::SupportMove))
            .map(|(index, _)| Node::Support(index));
        let paths = fighters()
            .filter(|(_, fighter)| fighter.convoyed)
            .map(|(index, _)| Node::Path(index));
        let assists = (0u16..)
            .zip(&self.field.assists)
            .map(|(index, _)| Node::Assist(index));
        let moves = fighters()
            .filter(|(_, fighter)| fighter.task == Task::Move)
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
            Node::Support(index) => self.fighter(index).support_given,
            Node::Assist(index) => self.field.assists[usize::from(index)].support_given,
            Node::Room(index) => self.field.rooms[usize::from(index)].granted,
        }
    }

    /// The undecided nodes on which the node depends.
    pub(super) fn waits_for(&self, node: Node) -> Vec<Node> {
        self.is_recording.set(true);
        self.judge(node);
        self.is_recording.set(false);
        let mut reads = self.reads.take();
        reads.sort_unstable();
        reads.dedup();
        reads
    }
}
