//! Checks a decided field: each decision follows from the others by the rulebook, and no two units end in the same province.

use super::field::{Task, Verdict};
use super::outcome::{Combatant, Contradiction};
use super::resolver::{Node, Resolver};
use crate::map::{Province, ProvinceSet};

impl Resolver<'_> {
    /// The first contradiction. What a rule for cycles has refused need not follow from the other decisions.
    pub(super) fn contradiction(&self) -> Option<Contradiction> {
        let holds = |node: Node| {
            let verdict = self.state(node);
            if self.by_rule.contains(&node) {
                verdict == Verdict::No
            } else {
                verdict != Verdict::Undecided && verdict == self.judge(node)
            }
        };
        match self.nodes().find(|&node| !holds(node)) {
            Some(wrong) => Some(self.about(wrong)),
            None => self.crowded().map(Contradiction::Crowded),
        }
    }

    fn about(&self, node: Node) -> Contradiction {
        let unit = |index: u16| Combatant::from(self.fighter(index).unit);
        match node {
            Node::Path(index) => Contradiction::Convoy(unit(index)),
            Node::Move(index) => Contradiction::Move(unit(index)),
            Node::Support(index) => Contradiction::Support(unit(index)),
            Node::Assist(index) => {
                let assist = &self.field().assists[usize::from(index)];
                Contradiction::Assist(unit(assist.by))
            }
            Node::Room(index) => {
                let at = self.field().rooms[usize::from(index)].at;
                Contradiction::Room(self.field().province(at))
            }
        }
    }

    /// A province that is not shared and in which two units end.
    fn crowded(&self) -> Option<Province> {
        let mut taken = ProvinceSet::EMPTY;
        for (index, fighter) in (0u16..).zip(&self.field().fighters) {
            if fighter.task == Task::Absent {
                continue;
            }
            let moved = fighter.moved == Verdict::Yes;
            let (at, shared) = if moved {
                (fighter.to, fighter.to_shared)
            } else {
                (fighter.at, fighter.from_shared)
            };
            if shared || (!moved && self.dislodged(index) == Verdict::Yes) {
                continue;
            }
            if taken.has(at) {
                return Some(self.field().province(at));
            }
            taken.add(at);
        }
        None
    }
}
