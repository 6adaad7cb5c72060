//! Rings: decisions that wait for each other. A ring is decided by trying: an outcome is consistent if every decision in it
//! follows from the others.
//!
//! * Exactly one outcome is consistent: it is that one.
//! * Two or more are, or none is: what they disagree on (all of the ring, where there is none) goes by the rules for rings.
//!   Convoys first: their armies have no way (Szykman, DATC 4.A.2). Then, of several outcomes, one in which all circles of
//!   moves in the ring succeed (DATC 6.C). Then help: it is cut, first that which costs no order.
//! * A ring of nothing but moves and room needs no trying. Each of these decisions can only help the others, so that all of
//!   them succeed is always consistent (circular movement, DATC 6.C; Outer Space 5.2.3).
//!
//! A ring is decided by itself: what only follows from it does not choose between its outcomes.

use super::field::{NONE, Verdict};
use super::resolver::{Node, Resolver};

/// How many guesses are made for one ring. A sheet may be made to need more than anybody can wait for.
const MOST_GUESSES: usize = 4096;

/// The decisions of one consistent outcome, parallel to the ring.
type Decisions = Vec<Verdict>;

/// Something assumed while a ring is tried.
struct Guess {
    node: Node,
    verdict: Verdict,
    /// How much was decided before it.
    before: usize,
}

impl Resolver<'_> {
    /// Decides at least one node of a ring that waits for nothing outside itself.
    pub(super) fn decide_ring(&mut self, open: &mut Vec<Node>) {
        let ring = self.innermost_ring(open);
        if ring.iter().all(|&node| only_helps(node)) {
            for &node in &ring {
                self.set(node, Verdict::Yes);
            }
        } else {
            let found = self.consistent_outcomes(&ring);
            match found.as_slice() {
                [outcome] => self.write(&ring, outcome),
                _ => self.decide_by_rule(&ring, found),
            }
        }
        open.retain(|&node| self.state(node) == Verdict::Open);
    }

    fn write(&mut self, ring: &[Node], decisions: &[Verdict]) {
        for (&node, &verdict) in ring.iter().zip(decisions) {
            self.set(node, verdict);
        }
    }

    fn decide_by_rule(&mut self, ring: &[Node], mut found: Vec<Decisions>) {
        let is_path = |node| matches!(node, Node::Path(_));
        if self.refuse(&disputed(ring, &found), is_path) {
            return;
        }
        let circles = self.circles_of_moves(ring);
        if !circles.is_empty() {
            let all_succeed = |decisions: &Decisions| {
                let mut decided = ring.iter().zip(decisions);
                decided.all(|(node, &verdict)| verdict == Verdict::Yes || !circles.contains(node))
            };
            if found.iter().any(all_succeed) {
                found.retain(all_succeed);
            }
            if let [outcome] = found.as_slice() {
                return self.write(ring, outcome);
            }
        }
        let disputed = disputed(ring, &found);
        let refused = self.refuse(&disputed, |node| matches!(node, Node::Assist(_)))
            || self.refuse(&disputed, |node| matches!(node, Node::Support(_)));
        if !refused {
            for node in disputed {
                self.set(node, Verdict::Yes);
            }
        }
    }

    /// Decides the nodes of this sort against themselves; whether there are any.
    fn refuse(&mut self, nodes: &[Node], sort: fn(Node) -> bool) -> bool {
        let mut any = false;
        for &node in nodes.iter().filter(|&&node| sort(node)) {
            self.set(node, Verdict::No);
            self.by_rule.push(node);
            any = true;
        }
        any
    }

    /// The moves of the ring that lead from one to the next and back to the first, through moves that succeed anyway too.
    fn circles_of_moves(&self, ring: &[Node]) -> Vec<Node> {
        let returns = |start: &Node| {
            let first = self.next_in_circle(ring, *start);
            std::iter::successors(first, |&node| self.next_in_circle(ring, node))
                .take(self.field().fighters.len())
                .any(|node| node == *start)
        };
        ring.iter().copied().filter(returns).collect()
    }

    /// All consistent outcomes of the ring; nothing where they are too many to find.
    fn consistent_outcomes(&mut self, ring: &[Node]) -> Vec<Decisions> {
        let mut ring_by_weight = ring.to_vec();
        ring_by_weight.sort_unstable_by_key(|&node| (weight(node), node));
        let mut found = Vec::new();
        let mut decided: Vec<Node> = Vec::new();
        let mut guesses: Vec<Guess> = Vec::new();
        for _ in 0..MOST_GUESSES {
            if self.follow(&ring_by_weight, &mut decided, &guesses) {
                let is_open = |&&node: &&Node| self.state(node) == Verdict::Open;
                if let Some(&node) = ring_by_weight.iter().find(is_open) {
                    let before = decided.len();
                    self.assume(node, Verdict::Yes, before, &mut decided, &mut guesses);
                    continue;
                }
                found.push(ring.iter().map(|&node| self.state(node)).collect());
            }
            // Back to the last guess that has another side.
            loop {
                let Some(guess) = guesses.pop() else {
                    return found;
                };
                for node in decided.drain(guess.before..) {
                    self.set(node, Verdict::Open);
                }
                if guess.verdict == Verdict::Yes {
                    let before = guess.before;
                    self.assume(guess.node, Verdict::No, before, &mut decided, &mut guesses);
                    break;
                }
            }
        }
        for node in decided {
            self.set(node, Verdict::Open);
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

    /// Decides what follows from the guesses; whether nothing contradicts them.
    fn follow(&mut self, ring: &[Node], decided: &mut Vec<Node>, guesses: &[Guess]) -> bool {
        loop {
            let before = decided.len();
            for &node in ring {
                if self.state(node) != Verdict::Open {
                    continue;
                }
                let verdict = self.judge(node);
                if verdict != Verdict::Open {
                    self.set(node, verdict);
                    decided.push(node);
                }
            }
            let contradicted = |guess: &Guess| {
                let verdict = self.judge(guess.node);
                verdict != Verdict::Open && verdict != guess.verdict
            };
            if guesses.iter().any(contradicted) {
                return false;
            }
            if decided.len() == before {
                return true;
            }
        }
    }

    /// Open nodes that wait for each other and for nothing else: the first strongly connected component that Tarjan's
    /// search completes.
    fn innermost_ring(&self, open: &[Node]) -> Vec<Node> {
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

    /// The move that has to succeed for this one to succeed in a circle of moves: that of the unit in the destination, if it
    /// is in the ring or has succeeded.
    fn next_in_circle(&self, ring: &[Node], node: Node) -> Option<Node> {
        let Node::Move(mover) = node else {
            return None;
        };
        let next = Node::Move(self.occupant_of_destination(mover)?);
        (ring.contains(&next) || self.state(next) == Verdict::Yes).then_some(next)
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

/// Whether the success of the node never stands in the way of another.
fn only_helps(node: Node) -> bool {
    matches!(node, Node::Move(_) | Node::Room(_))
}

/// What is guessed first: what decides most of the rest.
fn weight(node: Node) -> u8 {
    match node {
        Node::Path(_) => 0,
        Node::Assist(_) => 1,
        Node::Support(_) => 2,
        Node::Move(_) | Node::Room(_) => 3,
    }
}

/// The nodes on which the outcomes do not agree; all, where there are no outcomes.
fn disputed(ring: &[Node], found: &[Decisions]) -> Vec<Node> {
    let Some((first, others)) = found.split_first() else {
        return ring.to_vec();
    };
    let differs = |place: usize| others.iter().any(|other| other[place] != first[place]);
    ring.iter()
        .enumerate()
        .filter(|(place, _)| differs(*place))
        .map(|(_, node)| *node)
        .collect()
}
