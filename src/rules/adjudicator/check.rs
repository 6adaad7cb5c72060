//! Checks a decided field against the rulebook once more: each decision follows from the others, and no two units end in one
//! place.

use super::field::{Told, Verdict};
use super::outcome::{Combatant, Contradiction};
use super::resolver::{Node, Resolver};
use crate::map::{Province, ProvinceSet};

impl Resolver<'_> {
    /// The first thing that does not hold. What a rule for rings refused need not follow from the rest.
    pub(super) fn contradiction(&self) -> Option<Contradiction> {
        let holds = |node: Node| {
            let verdict = self.state(node);
            if self.by_rule.contains(&node) {
                verdict == Verdict::No
            } else {
                verdict != Verdict::Open && verdict == self.judge(node)
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

    /// A province with room for one in which two units end.
    fn crowded(&self) -> Option<Province> {
        let mut taken = ProvinceSet::EMPTY;
        for (index, fighter) in (0u16..).zip(&self.field().fighters) {
            if fighter.told == Told::Nothing {
                continue;
            }
            let moved = fighter.moved == Verdict::Yes;
            let (at, shared) = if moved {
                (fighter.to, fighter.to_crowd)
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
