//! Orders of past phases with their results, as reports told them, that have to do with some places or powers.

use super::export::PlayedPhase;
use super::{ChronicleView, Naming};
use crate::{Outcome, Phase};
use dipjudge_rules::map::{Power, Province};
use dipjudge_rules::orders::Action;
use dipjudge_view::{OrdersTold, WinterLine};

/// Which orders are asked after.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AskedOrders {
    /// Orders of units there, and those that name one of these. Empty: wherever.
    pub places: Vec<Province>,
    /// Orders of these powers. Empty: of all.
    pub of: Vec<Power>,
    /// Orders that have to do with where units of these powers stood. Empty: with whatever.
    pub to_do_with: Vec<Power>,
    /// The phases of moves, as a mail names them, such as `S1901M`. Empty: the last one.
    pub phases: Vec<String>,
}

impl ChronicleView<'_> {
    /// The orders of past phases that are asked after, with those of the retreats and adjustments behind each phase of moves. None
    /// where reports are bounded by what their reader sees.
    pub fn orders_told(self, asked: &AskedOrders) -> Vec<OrdersTold> {
        let mut turns: Vec<Vec<PlayedPhase>> = Vec::new();
        for phase in self.chronicle.played() {
            match turns.last_mut() {
                Some(turn) if phase.played.phase != Phase::Movement => turn.push(phase),
                _ => turns.push(vec![phase]),
            }
        }
        let last = turns.len().saturating_sub(1);
        let chosen = turns.iter().enumerate().filter(|(at, turn)| {
            let first = turn.first();
            let name = first.map(|first| self.name_of(*first));
            asked.phases.is_empty() && *at == last
                || name.is_some_and(|name| asked.phases.contains(&name))
        });
        let phases = chosen.flat_map(|(_, turn)| turn);
        phases
            .filter_map(|phase| self.told_of(*phase, asked))
            .collect()
    }

    fn told_of(self, phase: PlayedPhase<'_>, asked: &AskedOrders) -> Option<OrdersTold> {
        let before = self.of(phase.before);
        let after = self.of(phase.after);
        if before.visibility().is_bounded() || after.visibility().is_bounded() {
            return None;
        }
        let (played, labels) = (phase.played, &after.labels());
        let outcomes = played.outcomes.iter();
        let met = outcomes.filter(|outcome| asked.to_do_with.contains(&outcome.unit.power));
        let met: Vec<Province> = met.map(|outcome| outcome.unit.at.province).collect();
        let is_near = |outcome: &Outcome, places: &[Province]| {
            places.is_empty() || places_of(outcome).iter().any(|at| places.contains(at))
        };
        let asked_after = |outcome: &&Outcome| {
            (asked.of.is_empty() || asked.of.contains(&outcome.unit.power))
                && is_near(outcome, &asked.places)
                && is_near(outcome, &met)
        };
        let orders = played.outcomes.iter().filter(asked_after);
        let naming = Naming::new(phase.before, labels);
        let orders: Vec<_> = orders
            .map(|outcome| naming.order_line(played, outcome))
            .collect();
        let winter = Naming::new(phase.after, labels).winter_by_power(played);
        let is_told = |line: &WinterLine| {
            let mut powers = asked.of.iter();
            powers.any(|power| labels.label(*power) == line.power)
        };
        let winter = winter.into_iter().flatten().filter(is_told);
        let winter: Vec<WinterLine> = winter.collect();
        if orders.is_empty() && winter.is_empty() {
            return None;
        }
        let (movement, retreats) = match played.phase {
            Phase::Retreats => (Vec::new(), orders),
            _ => (orders, Vec::new()),
        };
        Some(OrdersTold {
            title: before
                .variant_game()
                .phase_title(played.number, played.turn, &played.phase),
            movement,
            retreats,
            winter,
        })
    }
}

/// Where a unit stands, and the places that its order names.
fn places_of(outcome: &Outcome) -> Vec<Province> {
    let named = match &outcome.action {
        Some(Action::Move { to, .. } | Action::Retreat { to }) => vec![to.province],
        Some(Action::SupportHold { at }) => vec![*at],
        Some(Action::SupportMove { from, to }) => vec![*from, to.province],
        Some(Action::Convoy { from, to }) => vec![*from, *to],
        _ => Vec::new(),
    };
    std::iter::once(outcome.unit.at.province)
        .chain(named)
        .collect()
}
