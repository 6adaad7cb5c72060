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
        let can_succeed = |node: &Node| ring.contains(node) || self.state(*node) == Verdict::Yes;
        let next = |node: Node| match node {
            Node::Move(mover) if self.fighter(mover).head_on == NONE => {
                let occupant = self.field().occupant[usize::from(self.fighter(mover).to)];
                Some(occupant)
                    .filter(|&occupant| occupant != NONE)
                    .map(Node::Move)
                    .filter(can_succeed)
            }
            _ => None,
        };
        let returns = |start: &Node| {
            let way = std::iter::successors(next(*start), |&node| next(node));
            way.take(self.field().fighters.len())
                .any(|node| node == *start)
        };
        ring.iter().copied().filter(returns).collect()
    }

    /// All consistent outcomes of the ring; nothing where they are too many to find.
    fn consistent_outcomes(&mut self, ring: &[Node]) -> Vec<Decisions> {
        let mut ring_by_weight = ring.to_vec();
        ring_by_weight.sort_unstable_by_key(|&node| weight(node));
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
    /// search completes. It is kept on its own stack, since a sheet may be as long as somebody likes to make it.
    fn innermost_ring(&self, open: &[Node]) -> Vec<Node> {
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

/// Whether the success of the node never stands in the way of another.
fn only_helps(node: Node) -> bool {
    matches!(node, Node::Move(_) | Node::Room(_))
}

/// What is guessed first: what decides most of the rest.
fn weight(node: Node) -> (u8, Node) {
    let weight = match node {
        Node::Path(_) => 0,
        Node::Assist(_) => 1,
        Node::Support(_) => 2,
        Node::Move(_) | Node::Room(_) => 3,
    };
    (weight, node)
}

/// The nodes on which the outcomes do not agree; all, where there are no outcomes.
fn disputed(ring: &[Node], found: &[Decisions]) -> Vec<Node> {
    let Some((first, others)) = found.split_first() else {
        return ring.to_vec();
    };
    let differs = |place: usize| others.iter().any(|other| other[place] != first[place]);
    let nodes = ring.iter().copied().enumerate();
    let disputed = nodes.filter(|(place, _)| differs(*place));
    disputed.map(|(_, node)| node).collect()
}
