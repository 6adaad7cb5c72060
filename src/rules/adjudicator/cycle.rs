//! Cycles: decisions that depend on each other. All possible outcomes of a cycle are tried. An outcome is consistent if every
//! decision in it follows from the others.
//!
//! * If exactly one outcome is consistent, it is the result.
//! * If several outcomes are consistent, or none, then the decisions in which they differ (all, if there is none) are made by
//!   rule. First, disputed convoys fail (Szykman, DATC 4.A.2). Otherwise, outcomes in which all circular movements succeed are
//!   preferred (DATC 6.C). Otherwise, disputed assists are cut, or if there are none, disputed supports.
//! * A cycle of only moves and room succeeds without being tried: success of one such decision never makes another fail
//!   (circular movement, DATC 6.C; Outer Space 5.2.3).
//!
//! Decisions that depend on a cycle without being part of it have no influence on its outcome.

use super::field::{NONE, Verdict};
use super::resolver::{Node, Resolver};

/// The most guesses for one cycle, since the number of guesses can grow exponentially with the length of the cycle. A cycle
/// that needs more is decided by rule.
const MAX_GUESSES: usize = 4096;

/// The decisions of one consistent outcome, parallel to the cycle.
type Decisions = Vec<Verdict>;

/// Something assumed while a cycle is tried.
struct Guess {
    node: Node,
    verdict: Verdict,
    /// The number of decisions before it.
    before: usize,
}

impl Resolver<'_> {
    /// Decides at least one node of a cycle that depends on nothing outside itself.
    pub(super) fn decide_cycle(&mut self, open: &mut Vec<Node>) {
        let cycle = self.innermost_cycle(open);
        if cycle.iter().all(|&node| only_helps(node)) {
            for &node in &cycle {
                self.set(node, Verdict::Yes);
            }
        } else {
            let found = self.consistent_outcomes(&cycle);
            match found.as_slice() {
                [outcome] => self.write(&cycle, outcome),
                _ => self.decide_by_rule(&cycle, found),
            }
        }
        open.retain(|&node| self.state(node) == Verdict::Undecided);
    }

    fn write(&mut self, cycle: &[Node], decisions: &[Verdict]) {
        for (&node, &verdict) in cycle.iter().zip(decisions) {
            self.set(node, verdict);
        }
    }

    fn decide_by_rule(&mut self, cycle: &[Node], mut found: Vec<Decisions>) {
        let is_path = |node| matches!(node, Node::Path(_));
        if self.refuse(&disputed(cycle, &found), is_path) {
            return;
        }
        let circles = self.circular_moves(cycle);
        if !circles.is_empty() {
            let all_succeed = |decisions: &Decisions| {
                let mut decided = cycle.iter().zip(decisions);
                decided.all(|(node, &verdict)| verdict == Verdict::Yes || !circles.contains(node))
            };
            if found.iter().any(all_succeed) {
                found.retain(all_succeed);
            }
            if let [outcome] = found.as_slice() {
                return self.write(cycle, outcome);
            }
        }
        let disputed = disputed(cycle, &found);
        let refused = self.refuse(&disputed, |node| matches!(node, Node::Assist(_)))
            || self.refuse(&disputed, |node| matches!(node, Node::Support(_)));
        if !refused {
            for node in disputed {
                self.set(node, Verdict::Yes);
            }
        }
    }

    /// Decides the nodes of this sort as failed. Returns whether there are any.
    fn refuse(&mut self, nodes: &[Node], sort: fn(Node) -> bool) -> bool {
        let mut any = false;
        for &node in nodes.iter().filter(|&&node| sort(node)) {
            self.set(node, Verdict::No);
            self.by_rule.push(node);
            any = true;
        }
        any
    }

    /// The moves of the cycle that are part of a circular movement, which may also contain moves that are decided already.
    fn circular_moves(&self, cycle: &[Node]) -> Vec<Node> {
        let returns = |start: &Node| {
            let first = self.next_in_circle(cycle, *start);
            std::iter::successors(first, |&node| self.next_in_circle(cycle, node))
                .take(self.field().fighters.len())
                .any(|node| node == *start)
        };
        cycle.iter().copied().filter(returns).collect()
    }

    /// All consistent outcomes of the cycle; none if finding them takes too many guesses.
    fn consistent_outcomes(&mut self, cycle: &[Node]) -> Vec<Decisions> {
        let mut cycle_by_weight = cycle.to_vec();
        cycle_by_weight.sort_unstable_by_key(|&node| (weight(node), node));
        let mut found = Vec::new();
        let mut decided: Vec<Node> = Vec::new();
        let mut guesses: Vec<Guess> = Vec::new();
        for _ in 0..MAX_GUESSES {
            if self.follow(&cycle_by_weight, &mut decided, &guesses) {
                let is_open = |&&node: &&Node| self.state(node) == Verdict::Undecided;
                if let Some(&node) = cycle_by_weight.iter().find(is_open) {
                    let before = decided.len();
                    self.assume(node, Verdict::Yes, before, &mut decided, &mut guesses);
                    continue;
                }
                found.push(cycle.iter().map(|&node| self.state(node)).collect());
            }
            // Goes back to the last guess of which the opposite was not tried.
            loop {
                let Some(guess) = guesses.pop() else {
                    return found;
                };
                for node in decided.drain(guess.before..) {
                    self.set(node, Verdict::Undecided);
                }
                if guess.verdict == Verdict::Yes {
                    let before = guess.before;
                    self.assume(guess.node, Verdict::No, before, &mut decided, &mut guesses);
                    break;
                }
            }
        }
        for node in decided {
            self.set(node, Verdict::Undecided);
        }
        Vec::new()
    }

    fn assume(
        &mut self,
        node: Node,
        verdict: Verdict,
        before: usize,
        decided: &mut Vec<Node>,
        guesses: &mut Vec<Guess>,
    ) {
        self.set(node, verdict);
        decided.push(node);
        guesses.push(Guess {
            node,
            verdict,
            before,
        });
    }

    /// Decides what follows from the guesses. Returns whether nothing contradicts them.
    fn follow(&mut self, cycle: &[Node], decided: &mut Vec<Node>, guesses: &[Guess]) -> bool {
        loop {
            let before = decided.len();
            for &node in cycle {
                if self.state(node) != Verdict::Undecided {
                    continue;
                }
                let verdict = self.judge(node);
                if verdict != Verdict::Undecided {
                    self.set(node, verdict);
                    decided.push(node);
                }
            }
            let contradicted = |guess: &Guess| {
                let verdict = self.judge(guess.node);
                verdict != Verdict::Undecided && verdict != guess.verdict
            };
            if guesses.iter().any(contradicted) {
                return false;
            }
            if decided.len() == before {
                return true;
            }
        }
    }

    /// Undecided nodes that depend on each other and on nothing else: the first strongly connected component that Tarjan's
    /// search completes.
    fn innermost_cycle(&self, open: &[Node]) -> Vec<Node> {
        let mut nodes = open.to_vec();
        nodes.sort_unstable();
        let search = ComponentSearch {
            resolver: self,
            order: vec![NOT_VISITED; nodes.len()],
            low: vec![NOT_VISITED; nodes.len()],
            nodes,
            stack: Vec::new(),
            visited: 0,
        };
        search.first_component()
    }

    /// The unit in the destination of the move, if it is on the field and nobody moves head-on.
    fn occupant_of_destination(&self, mover: u16) -> Option<u16> {
        let fighter = self.fighter(mover);
        let occupant = self.field().occupant[usize::from(fighter.to)];
        (fighter.head_on == NONE && occupant != NONE).then_some(occupant)
    }

    /// The next move of a circular movement: that of the unit in the destination, if it is in the cycle or has succeeded.
    fn next_in_circle(&self, cycle: &[Node], node: Node) -> Option<Node> {
        let Node::Move(mover) = node else {
            return None;
        };
        let next = Node::Move(self.occupant_of_destination(mover)?);
        (cycle.contains(&next) || self.state(next) == Verdict::Yes).then_some(next)
    }
}

/// Stands for the visiting number of a node that was not visited yet.
const NOT_VISITED: usize = usize::MAX;

/// Tarjan's search for strongly connected components. It keeps its own stack instead of recursing, since an order sheet may
/// be so long that recursion would overflow the stack of the program.
struct ComponentSearch<'r, 'a> {
    resolver: &'r Resolver<'a>,
    /// The open nodes, sorted; the search knows a node by its index here.
    nodes: Vec<Node>,
    /// By node: when it was visited.
    order: Vec<usize>,
    /// By node: the earliest visit of those that can be reached from it.
    low: Vec<usize>,
    /// The visited nodes that are in no completed component.
    stack: Vec<usize>,
    visited: usize,
}

/// A node whose successors are being visited.
struct Visit {
    node: usize,
    waits_for: Vec<Node>,
    next: usize,
}

impl ComponentSearch<'_, '_> {
    fn visit(&mut self, node: usize) -> Visit {
        self.order[node] = self.visited;
        self.low[node] = self.visited;
        self.visited += 1;
        self.stack.push(node);
        Visit {
            node,
            waits_for: self.resolver.waits_for(self.nodes[node]),
            next: 0,
        }
    }

    fn first_component(mut self) -> Vec<Node> {
        let mut path = vec![self.visit(0)];
        while let Some(top) = path.last_mut() {
            let node = top.node;
            if let Some(next) = top.waits_for.get(top.next) {
                top.next += 1;
                let Ok(next) = self.nodes.binary_search(next) else {
                    continue;
                };
                if self.order[next] == NOT_VISITED {
                    path.push(self.visit(next));
                } else {
                    // No component is complete yet, so every visited node is on the stack.
                    self.low[node] = self.low[node].min(self.order[next]);
                }
                continue;
            }
            if self.low[node] == self.order[node] {
                return self.component_of(node);
            }
            path.pop();
            if let Some(below) = path.last() {
                self.low[below.node] = self.low[below.node].min(self.low[node]);
            }
        }
        self.nodes
    }

    /// The component whose first visited node this is.
    fn component_of(mut self, first: usize) -> Vec<Node> {
        let mut component = Vec::new();
        while let Some(member) = self.stack.pop() {
            component.push(self.nodes[member]);
            if member == first {
                break;
            }
        }
        component.reverse();
        component
    }
}

/// Whether the success of the node can never make another node fail.
fn only_helps(node: Node) -> bool {
    matches!(node, Node::Move(_) | Node::Room(_))
}

/// The order of guesses: nodes on which many others depend come first.
fn weight(node: Node) -> u8 {
    match node {
        Node::Path(_) => 0,
        Node::Assist(_) => 1,
        Node::Support(_) => 2,
        Node::Move(_) | Node::Room(_) => 3,
    }
}

/// The nodes in which the outcomes differ; all, if there are no outcomes.
fn disputed(cycle: &[Node], found: &[Decisions]) -> Vec<Node> {
    let Some((first, others)) = found.split_first() else {
        return cycle.to_vec();
    };
    let differs = |place: usize| others.iter().any(|other| other[place] != first[place]);
    cycle
        .iter()
        .enumerate()
        .filter(|(place, _)| differs(*place))
        .map(|(_, node)| *node)
        .collect()
}
