//! Why an order came out as it did, worked out anew from what its asker's report told him: the board as he saw it then, his own
//! orders, and what he read of others. Where that gives another result than the report, something hidden has decided it, and what
//! it was is not asked.

use std::collections::BTreeSet;

use super::bearing::bearing_on;
use super::board_orders::{ToldOrder, whole_orders};
use super::export::PlayedPhase;
use super::trial::{Trial, TrialResult, TriedBy};
use super::turning_point::smallest_change;
use super::{ChronicleView, Naming};
use crate::planted::{Leak, planted};
use crate::{Outcome, Phase, Seed, VariantGame};
use dipjudge_rules::adjudicator;
use dipjudge_rules::map::{Power, Province, UnitKind};
use dipjudge_rules::orders::Action;
use dipjudge_view::{Mark, Reckoning, Viewer};

/// The unit whose order is asked after, as it was named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AskedUnit {
    /// Its power, if named.
    pub nation: Option<Power>,
    /// Its kind, if named.
    pub kind: Option<UnitKind>,
    /// Where it stood when the phase began.
    pub at: Province,
    /// Where its order went, if that is named: several units may stand in one place.
    pub to: Option<Province>,
}

impl AskedUnit {
    fn is(&self, told: &ToldOrder) -> bool {
        let unit = &told.unit;
        unit.at.province == self.at
            && self.kind.is_none_or(|kind| kind == unit.kind)
            && self.nation.is_none_or(|nation| nation == unit.power)
            && self.to.is_none_or(|to| {
                let goal = told.action.as_ref().and_then(Action::destination);
                goal == Some(to)
            })
    }
}

/// Why there is no reckoning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoReckoning {
    /// No phase in which units moved has been adjudicated.
    NoResults,
    /// The report told of no order of such a unit.
    NoSuchOrder,
    /// What the report told does not decide it.
    Undecided,
}

impl ChronicleView<'_> {
    /// The reckoning of an order in the last results: those of the last movement phase, or of the retreats after it. Where several
    /// units stood in one place, that of each order that failed, or of all if none did.
    ///
    /// # Errors
    /// Why there is none. It depends on what the viewer's report told him alone.
    pub fn why(
        self,
        power: Power,
        asked: &AskedUnit,
        seed: Seed,
    ) -> Result<Vec<Reckoning>, NoReckoning> {
        let mut phases: Vec<PlayedPhase> = Vec::new();
        for phase in self.chronicle.played() {
            match phase.played.phase {
                Phase::Movement => phases = vec![phase],
                Phase::Retreats => phases.push(phase),
                _ => {}
            }
        }
        if phases.is_empty() {
            return Err(NoReckoning::NoResults);
        }
        let phases = phases.into_iter().rev();
        let mut reports = phases.map(|phase| ReportOfPhase::of(self, phase, power));
        let report = reports.find(|report| report.own_and_open.iter().any(|told| asked.is(told)));
        let report = report.ok_or(NoReckoning::NoSuchOrder)?;
        let found = report.reckonings(&report.orders_asked(asked), seed);
        found.ok_or(NoReckoning::Undecided)
    }
}

/// What the report of a phase told one power.
struct ReportOfPhase<'g> {
    before: VariantGame<'g>,
    after: VariantGame<'g>,
    phase: PlayedPhase<'g>,
    power: Power,
    bounded: bool,
    /// The orders with their marks: all of them, or where the board is hidden the power's own.
    own_and_open: Vec<ToldOrder>,
}

impl<'g> ReportOfPhase<'g> {
    fn of(story: ChronicleView<'g>, phase: PlayedPhase<'g>, power: Power) -> ReportOfPhase<'g> {
        let before = story.of(phase.before).variant_game();
        let after = story.of(phase.after).variant_game();
        let bounded = before.seen_by(Viewer::Power(power)).horizon().is_some();
        let own_and_open = if !bounded || planted(Leak::Reckoning) {
            whole_orders(phase.played)
        } else if before.variant.in_play(phase.before, power) {
            before.own_orders_of(phase.before, phase.played, power)
        } else {
            Vec::new()
        };
        ReportOfPhase {
            before,
            after,
            phase,
            power,
            bounded,
            own_and_open,
        }
    }

    /// The orders of the units that are asked after: those that failed, or all if none did.
    fn orders_asked(&self, asked: &AskedUnit) -> Vec<&ToldOrder> {
        let told = self.own_and_open.iter();
        let mut orders: Vec<&ToldOrder> = told.filter(|told| asked.is(told)).collect();
        let failed = |told: &&ToldOrder| !told.marks.is_empty();
        if orders.iter().any(failed) {
            orders.retain(failed);
        }
        orders
    }

    /// The reckonings of these orders, as far as the report decides them; `None` if it decides none.
    fn reckonings(&self, orders: &[&ToldOrder], seed: Seed) -> Option<Vec<Reckoning>> {
        let trial = self.trial(seed)?;
        let result = trial.play()?;
        let found = orders.iter();
        let found = found.filter_map(|told| self.reckoning(told, &trial, &result));
        let found: Vec<Reckoning> = found.collect();
        (!found.is_empty()).then_some(found)
    }

    fn reckoning(
        &self,
        told: &ToldOrder,
        trial: &Trial<'g>,
        result: &TrialResult<'_>,
    ) -> Option<Reckoning> {
        let outcome = result.outcome_of(told.unit.id)?;
        if marks_of(&outcome.marks) != marks_told(&told.marks) {
            return None;
        }
        let labels = &self.after.seen_by(Viewer::Power(self.power)).labels();
        let naming = Naming::new(result.before(), labels);
        let mut asked = naming.order_line(result.played(), outcome);
        asked.marks.clone_from(&told.marks);
        Some(Reckoning {
            title: self.before.phase_title(
                self.phase.played.number,
                self.phase.played.turn,
                &self.phase.played.phase,
            ),
            asked,
            reason: naming
                .reason(outcome)
                .map(|reason| with_rule(reason, outcome))
                .or_else(|| dislodged_by(naming, result, outcome)),
            bearing: self.bearing(naming, result, outcome),
            change: smallest_change(trial, naming, outcome, self.power),
        })
    }

    /// The phase as the report told it. `None` where it cannot be tried.
    fn trial(&self, seed: Seed) -> Option<Trial<'g>> {
        let by = TriedBy::Leader;
        let mut trial = self.before.trial_for(self.power, by, seed).ok()?;
        for told in &self.own_and_open {
            if planted(Leak::Reckoning) {
                trial.see_unit(&told.unit);
            }
            if let Some(action) = &told.action {
                trial.replace_order(&told.unit, action.clone());
            }
        }
        if self.bounded {
            if self.phase.played.phase == Phase::Movement {
                let seen =
                    self.before
                        .seen_orders_of(self.phase.before, self.phase.played, self.power);
                for order in seen {
                    trial.see_unit(&order.unit);
                    trial.replace_order(&order.unit, order.action);
                }
            }
        } else {
            let reader = Viewer::Power(self.power);
            let access = self.after.seen_by(reader).access();
            for power in self.before.game.all_powers() {
                let open = self.after.game.played_submissions(power, &access);
                trial.add_submissions(power, open);
            }
        }
        Some(trial)
    }

    /// The orders of others that bear on an order: of those who go to or from the same places, help or hinder it.
    fn bearing(
        &self,
        naming: Naming<'_>,
        result: &TrialResult<'_>,
        asked: &Outcome,
    ) -> Vec<dipjudge_view::OrderLine> {
        let bearing = bearing_on(asked, &result.played().outcomes);
        bearing
            .into_iter()
            .map(|outcome| naming.order_line(result.played(), outcome))
            .collect()
    }
}

/// By which unit a unit was dislodged, in a sentence; `None` if it was not.
fn dislodged_by(naming: Naming<'_>, result: &TrialResult<'_>, asked: &Outcome) -> Option<String> {
    if !asked.marks.contains(&adjudicator::Mark::Dislodged) {
        return None;
    }
    let place = Some(asked.unit.at.province);
    let attacker = result.played().outcomes.iter().find(|outcome| {
        let to = outcome.action.as_ref().and_then(Action::destination);
        outcome.marks.is_empty() && to == place
    })?;
    let [unit, by] = [asked, attacker].map(|one| naming.seen_unit(&one.unit));
    Some(format!(
        "{} {} in {}: dislodged by {} {} from {}.",
        unit.adjective, unit.kind, unit.place, by.adjective, by.kind, by.place
    ))
}

/// The marks that tell what became of an order, as reports have them.
fn marks_told(marks: &[Mark]) -> BTreeSet<u8> {
    marks.iter().map(|mark| told_as(*mark)).collect()
}

fn marks_of(marks: &[adjudicator::Mark]) -> BTreeSet<u8> {
    let told = marks.iter().map(|mark| super::actions::mark_of(*mark));
    told.map(told_as).collect()
}

/// Marks that reports of a hidden board do not tell apart are one.
fn told_as(mark: Mark) -> u8 {
    match mark {
        Mark::Bounce => 0,
        Mark::Cut => 1,
        Mark::Void => 2,
        Mark::NoConvoy | Mark::Disrupted => 3,
        Mark::Dislodged | Mark::Destroyed => 4,
    }
}

/// A reason with the rule behind it, where players often expect another: a support is cut by an attack that fails (DATC 6.D).
fn with_rule(reason: String, outcome: &Outcome) -> String {
    let is_cut = matches!(outcome.reason, Some(adjudicator::Reason::Cut { .. }));
    let rule = if is_cut {
        "  An attack cuts a support even where it fails."
    } else {
        ""
    };
    reason + rule
}
