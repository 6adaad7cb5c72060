//! The report of a phase for a power that sees only part of the board (CivDip 6.1 to 6.5).

use super::actions::{mark_of, own_action};
use super::board_orders::ToldOrder;
use super::reports::last_of_fall;
use super::seen::{SeenFact, SeenOrder, Step};
use super::{GameView, Labels, Naming, ReaderView};
use crate::planted::{Leak, planted};
use crate::{Adjustment, Game, Horizon, Outcome, Phase, Played, Standing, VariantGame};
use dipjudge_rules::adjudicator;
use dipjudge_rules::map::{Location, Power, Province};
use dipjudge_rules::orders::Action;
use dipjudge_rules::position::{Dislodged, Position, Unit, UnitId};
use dipjudge_view::{
    CenterChange, CenterChanges, InSight, Label, Mark, OrderLine, OwnLine, SightReport, UnitOrder,
    Viewer,
};

impl ReaderView<'_> {
    /// The report of the last adjudicated phase for one power. `before` is the game when the phase was adjudicated, `game` the
    /// present one. `None` for a power that had fallen before.
    pub(super) fn sight_report(
        self,
        before: &Game,
        played: &Played,
        power: Power,
    ) -> Option<SightReport> {
        if !self.variant.in_play(before, power) {
            return None;
        }
        let view = self.variant_game().seen_by(Viewer::Power(power));
        let earlier = view.at(before);
        let first = earlier.horizon()?;
        let last = view.horizon()?;
        let removed: Vec<UnitId> = played.adjusted.iter().filter_map(removed_unit).collect();
        let labels = &view.labels();
        let naming = Naming::new(self.game, labels);
        let looks = Looks {
            before: earlier,
            labels,
            power,
            played,
            first: &first,
        };
        let (own, facts) = match played.phase {
            Phase::Movement => looks.movement(self.game, &last),
            _ => {
                let step = Step {
                    power,
                    before: &before.position,
                    h0: &first,
                    after: &self.game.position,
                    h1: &last,
                    moves: &[],
                    removed: &removed,
                };
                let own = match played.phase {
                    Phase::Retreats => looks.own_retreats(),
                    _ => own_winter(naming, played, power),
                };
                (own, vec![step.facts()])
            }
        };
        let saw = facts
            .into_iter()
            .flat_map(|facts| naming.sightings(facts))
            .collect();
        let mine = |unit: &Unit| unit.power == power;
        Some(SightReport {
            title: self
                .variant_game()
                .phase_title(played.number, played.turn, &played.phase),
            own,
            saw,
            count: last_of_fall(self.game, played)
                .then(|| self.variant_game().fall_count(before, labels, power, &last)),
            now: self.variant_game().position_seen(labels, power, &last),
            retreats: (played.phase == Phase::Movement).then(|| {
                let dislodged = played.position.dislodged.iter();
                dislodged
                    .filter(|one| mine(&one.unit))
                    .map(|one| naming.retreating(one))
                    .collect()
            }),
            destroyed: played
                .destroyed
                .iter()
                .filter(|unit| mine(unit))
                .map(|unit| naming.seen_unit(unit))
                .collect(),
            sections: self.report_sections(before),
            fallen: !self.variant.in_play(self.game, power),
            next: self.next_phase(),
        })
    }
}

impl GameView<'_> {
    /// What a power has in sight now, itself included, in the words of another reader. Everything is listed by owner, and owners
    /// whom he may not address are marked. `None` if that power sees the whole board, or there is none.
    pub fn position_in_sight_of(self, of: Power) -> Option<InSight> {
        if !self.game.begun() {
            return None;
        }
        let seen = self.variant_game().seen_by(Viewer::Power(of)).horizon()?;
        let labels = self.labels();
        let met = self.told_in_lists();
        let unmet = self.game.all_powers().filter(|power| !met.contains(power));
        let unmet: Vec<Label> = unmet.map(|power| labels.label(power)).collect();
        let marked = |label: &Label| {
            if unmet.contains(label) {
                Label::new(format!("{label} (not met)"))
            } else {
                label.clone()
            }
        };
        let InSight {
            units,
            centers,
            mut foreign,
            mut foreign_centers,
            empty,
            ..
        } = self.variant_game().position_seen(&labels, of, &seen);
        foreign.extend(units);
        let own = |(center, _): (String, bool)| (center, Some(labels.label(of)));
        foreign_centers.extend(centers.into_iter().map(own));
        for seen in &mut foreign {
            seen.unit.power = marked(&seen.unit.power);
        }
        for owner in foreign_centers
            .iter_mut()
            .filter_map(|(_, owner)| owner.as_mut())
        {
            *owner = marked(owner);
        }
        foreign.sort_by(|one, other| one.in_lists().cmp(&other.in_lists()));
        foreign_centers.sort();
        Some(InSight {
            whose: Some(labels.label(of)),
            foreign,
            foreign_centers,
            empty,
            ..InSight::default()
        })
    }
}

impl VariantGame<'_> {
    /// What a power has and sees now; `None` if it sees the whole board, or there is none.
    pub fn position_in_sight(self, power: Power) -> Option<InSight> {
        if !self.game.begun() {
            return None;
        }
        let view = self.seen_by(Viewer::Power(power));
        let seen = view.horizon()?;
        Some(self.position_seen(&view.labels(), power, &seen))
    }

    /// The powers that `position_in_sight_of` names, in the order in which a reader gets labels for them.
    pub fn powers_in_sight_of(self, of: Power) -> Vec<Power> {
        let others = self.powers_seen_now(of).into_iter();
        std::iter::once(of).chain(others).collect()
    }

    /// One power's own orders of a movement or retreat phase with the marks of its report; empty for other phases.
    pub(super) fn own_orders_of(
        self,
        before: &Game,
        played: &Played,
        power: Power,
    ) -> Vec<ToldOrder> {
        let told = self.looked_at(before, played, power, |looks| match played.phase {
            Phase::Movement => looks.own_moves_told(),
            Phase::Retreats => looks.own_outcomes().map(ToldOrder::whole).collect(),
            _ => Vec::new(),
        });
        told.unwrap_or_default()
    }

    /// What the report of a movement phase tells one power of foreign units, as orders that they may have had. Units that went
    /// where they are not seen are left out.
    pub(super) fn seen_orders_of(
        self,
        before: &Game,
        played: &Played,
        power: Power,
    ) -> Vec<SeenOrder> {
        let seen = self.looked_at(before, played, power, |looks| {
            let between = looks.when_moves_are_done();
            let seen = looks.before.at(&between).horizon().unwrap_or_default();
            let facts = looks.moves(&between, &seen).facts();
            facts.iter().filter_map(SeenFact::as_order).collect()
        });
        seen.unwrap_or_default()
    }

    /// What is told of a phase as a power looked at it; `None` if the power saw the whole board.
    fn looked_at<T>(
        self,
        before: &Game,
        played: &Played,
        power: Power,
        tell: impl FnOnce(&Looks<'_>) -> T,
    ) -> Option<T> {
        let view = self.seen_by(Viewer::Power(power));
        let before = view.at(before);
        let first = before.horizon()?;
        Some(tell(&Looks {
            before,
            labels: &view.labels(),
            power,
            played,
            first: &first,
        }))
    }

    /// The centers of which the owner now is not the owner `before`, as far as it is told of a center and these owners; by name.
    pub(super) fn centers_changed(
        self,
        before: &Game,
        labels: &Labels,
        is_told: impl Fn(Province, [Option<Power>; 2]) -> bool,
    ) -> Vec<CenterChange> {
        let map = self.game.map();
        let owner = |game: &Game, center: &Province| game.position.owners.get(center).copied();
        let name = |power: Power| labels.label(power);
        let changes = map.centers().iter().filter_map(|center| {
            let (from, to) = (owner(before, center), owner(self.game, center));
            (from != to && is_told(*center, [from, to])).then(|| CenterChange {
                center: map.full_name(Location::from(*center)),
                from: from.map(name),
                to: to.map(name),
            })
        });
        let mut changes: Vec<CenterChange> = changes.collect();
        changes.sort_by(|a, b| a.center.cmp(&b.center));
        changes
    }

    /// The count of Fall: centers that changed owners in sight, and those that the reader has lost.
    fn fall_count(
        self,
        before: &Game,
        labels: &Labels,
        power: Power,
        last: &Horizon,
    ) -> CenterChanges {
        let changes = self.centers_changed(before, labels, |center, [from, to]| {
            last.provinces.contains(&center) || from == Some(power) || to == Some(power)
        });
        CenterChanges {
            changes,
            due: self.allowances().due(power),
        }
    }
}

fn removed_unit(adjusted: &super::super::Adjusted) -> Option<UnitId> {
    match &adjusted.what {
        Adjustment::Removed(unit) | Adjustment::Defaulted(unit) => Some(unit.id),
        _ => None,
    }
}

/// One power's view of a phase.
struct Looks<'a> {
    /// The game as the power saw it before the phase.
    before: GameView<'a>,
    /// What it calls the powers now.
    labels: &'a Labels<'a>,
    power: Power,
    played: &'a Played,
    first: &'a Horizon,
}

impl Looks<'_> {
    /// Own lines and what was seen of a movement phase: of the moves, then of the steps that followed at once (units destroyed,
    /// the count of Fall).
    fn movement(&self, game: &Game, last: &Horizon) -> (Vec<OwnLine>, Vec<Vec<SeenFact>>) {
        let between = self.when_moves_are_done();
        let seen = self.before.at(&between).horizon().unwrap_or_default();
        let moves = self.moves(&between, &seen);
        let facts = moves.facts();
        let own = self.own_moves(&moves, &facts);
        let aftermath = Step {
            before: &between.position,
            h0: &seen,
            after: &game.position,
            h1: last,
            moves: &[],
            ..moves
        };
        let then = aftermath.facts();
        (own, vec![facts, then])
    }

    /// The moves: from the board before them to the board after them.
    fn moves<'s>(&'s self, between: &'s Game, seen: &'s Horizon) -> Step<'s> {
        Step {
            power: self.power,
            before: &self.before.game.position,
            h0: self.first,
            after: &between.position,
            h1: seen,
            moves: &self.played.outcomes,
            removed: &[],
        }
    }

    /// Own orders of a movement phase with their marks.
    fn own_moves_told(&self) -> Vec<ToldOrder> {
        let between = self.when_moves_are_done();
        let seen = self.before.at(&between).horizon().unwrap_or_default();
        let moves = self.moves(&between, &seen);
        let facts = moves.facts();
        self.own_outcomes()
            .map(|told| ToldOrder {
                unit: told.unit,
                action: told.action.clone(),
                marks: self.marks(told, &moves, &facts),
            })
            .collect()
    }

    /// The game after the moves and before the retreats: units that cannot retreat are still on the board.
    fn when_moves_are_done(&self) -> Game {
        let mut position: Position = self.played.position.clone();
        position
            .dislodged
            .extend(self.played.destroyed.iter().map(|unit| Dislodged {
                unit: *unit,
                attacker: None,
                options: Vec::new(),
            }));
        Game {
            position,
            last: Some(self.played.clone().into()),
            ..self.before.game.clone()
        }
    }

    fn own_outcomes(&self) -> impl Iterator<Item = &Outcome> {
        let mut own: Vec<&Outcome> = self
            .played
            .outcomes
            .iter()
            .filter(|told| told.unit.power == self.power)
            .collect();
        let map = self.before.game.map();
        own.sort_by_key(|told| map.full_name(told.unit.at));
        own.into_iter()
    }

    fn own_line(&self, told: &Outcome, marks: Vec<Mark>) -> OrderLine {
        let standing = self.orders_of(told);
        let visibility = self.before.visibility();
        OrderLine {
            unit: Naming::new(self.before.game, self.labels).seen_unit(&told.unit),
            ordered: own_action(
                self.before.game,
                &visibility,
                standing,
                &told.unit,
                told.action.as_ref(),
            ),
            marks,
            reason: None,
            warning: None,
        }
    }

    /// The power that ordered a unit: its owner, or its borrower.
    fn orders_of(&self, told: &Outcome) -> &Standing {
        let own = self.before.game.standing(self.power);
        match own.orders.lent.get(&told.unit.id) {
            Some(to) => self.before.game.standing(*to),
            None => own,
        }
    }

    fn own_moves(&self, step: &Step, facts: &[SeenFact]) -> Vec<OwnLine> {
        self.own_outcomes()
            .map(|told| OwnLine::Order(self.own_line(told, self.marks(told, step, facts))))
            .collect()
    }

    /// The marks of an own order (CivDip 6.2). None of them reveals anything that was not seen.
    fn marks(&self, told: &Outcome, step: &Step, facts: &[SeenFact]) -> Vec<Mark> {
        let has = |mark| told.marks.contains(&mark);
        let is_void = |from: Province, to| {
            if planted(Leak::Void) {
                has(adjudicator::Mark::Void)
            } else {
                step.excludes(facts, &|id| self.order_of(id), from, to)
            }
        };
        let mut marks = Vec::new();
        if matches!(told.action, Some(Action::Move { .. })) {
            if has(adjudicator::Mark::Bounce) {
                marks.push(Mark::Bounce);
            } else if failed_on_the_way(told) {
                marks.push(Mark::NoConvoy);
            }
        }
        let (cut, void) = match &told.action {
            Some(Action::SupportHold { at }) => (self.is_cut(told, *at), is_void(*at, None)),
            Some(Action::SupportMove { from, to }) => (
                self.is_cut(told, to.province),
                is_void(*from, Some(to.province)),
            ),
            Some(Action::Convoy { from, to }) => (false, is_void(*from, Some(*to))),
            _ => (false, false),
        };
        if cut {
            marks.push(Mark::Cut);
        }
        if void {
            marks.push(Mark::Void);
        }
        if has(adjudicator::Mark::Dislodged) {
            marks.push(mark_of(adjudicator::Mark::Dislodged));
        }
        marks
    }

    /// The order of a unit in the phase.
    fn order_of(&self, id: UnitId) -> Option<Action> {
        let mut outcomes = self.played.outcomes.iter();
        outcomes.find(|told| told.unit.id == id)?.action.clone()
    }

    /// Whether a support towards a province was attacked in a way that cuts it, whether or not there is a unit to support: by a
    /// foreign unit that arrived there, from anywhere but that province, or from there with success.
    fn is_cut(&self, told: &Outcome, toward: Province) -> bool {
        let here = told.unit.at.province;
        self.played.outcomes.iter().any(|other| {
            let attacks =
                matches!(&other.action, Some(Action::Move { to, .. }) if to.province == here);
            attacks
                && other.unit.power != self.power
                && !failed_on_the_way(other)
                && (other.unit.at.province != toward || other.marks.is_empty())
        })
    }

    fn own_retreats(&self) -> Vec<OwnLine> {
        let line = |told: &Outcome| match &told.action {
            None => OwnLine::Order(OrderLine {
                ordered: UnitOrder::NoRetreat,
                ..self.own_line(told, Vec::new())
            }),
            Some(_) if told.marks.contains(&adjudicator::Mark::Bounce) => {
                OwnLine::Collided(self.own_line(told, Vec::new()))
            }
            Some(_) => OwnLine::Order(self.own_line(told, Vec::new())),
        };
        self.own_outcomes().map(line).collect()
    }
}

/// Whether a move failed because its route failed: no fleet was there, it was ordered otherwise, or it was dislodged. All three
/// have one mark, and the move does not attack its target.
fn failed_on_the_way(told: &Outcome) -> bool {
    use adjudicator::Mark::{Disrupted, NoConvoy, Void};
    [NoConvoy, Disrupted, Void]
        .iter()
        .any(|mark| told.marks.contains(mark))
}

fn own_winter(naming: Naming<'_>, played: &Played, power: Power) -> Vec<OwnLine> {
    let name = naming.labels.label(power);
    naming
        .winter_by_power(played)
        .into_iter()
        .flatten()
        .filter(|line| line.power == name)
        .map(OwnLine::Winter)
        .collect()
}
