//! What a phase has changed for a reader's power, told from his own report of it.

use super::ReaderView;
use crate::{Game, Phase, Played};
use dipjudge_rules::map::Power;
use dipjudge_rules::orders::Action;
use dipjudge_view::{
    CenterChange, Label, Mark, OrderLine, OwnChange, OwnChanges, OwnLine, Results, SeenUnit,
    UnitOrder, Viewer, WinterAction, WinterLine,
};

/// What a report tells a power of its own.
#[derive(Default)]
struct OwnReport<'r> {
    orders: Vec<&'r OrderLine>,
    /// Retreats on which another unit was set too.
    collided: Vec<&'r OrderLine>,
    winter: Vec<&'r WinterLine>,
    /// The centers that changed owners, if they were counted, and what is due for it.
    counted: Option<(Vec<CenterChange>, i32)>,
}

impl ReaderView<'_> {
    /// What the last phase has changed for this reader's power, from the results that he gets; `None` if the results do not say
    /// what became of anything of his.
    pub fn own_changes(
        self,
        before: &Game,
        played: &Played,
        results: &Results,
    ) -> Option<OwnChanges> {
        let Viewer::Power(power) = self.reader.viewer else {
            return None;
        };
        let labels = self.view().labels();
        let own = labels.label(power);
        let report = match results {
            Results::Whole(report) => {
                let lines = report.movement.iter().chain(&report.retreats).flatten();
                let winter = report.winter.iter().flatten();
                let counts = report.centers.as_ref().map(|table| table.counts.iter());
                let due = counts.map(|mut counts| {
                    let count = counts.find(|count| count.power == own);
                    count.map_or(0, |count| count.due)
                });
                let moved = || {
                    let is_own = |_, owners: [Option<Power>; 2]| owners.contains(&Some(power));
                    let game = self.view().variant_game();
                    game.centers_changed(before, &labels, is_own)
                };
                OwnReport {
                    orders: lines.filter(|line| line.unit.power == own).collect(),
                    winter: winter.filter(|line| line.power == own).collect(),
                    counted: due.map(|due| (moved(), due)),
                    ..OwnReport::default()
                }
            }
            Results::Sight(report) => {
                let mut told = OwnReport {
                    counted: report
                        .count
                        .as_ref()
                        .map(|count| (count.changes.clone(), count.due)),
                    ..OwnReport::default()
                };
                for line in &report.own {
                    match line {
                        OwnLine::Order(line) => told.orders.push(line),
                        OwnLine::Collided(line) => told.collided.push(line),
                        OwnLine::Winter(line) => told.winter.push(line),
                    }
                }
                told
            }
            Results::Calendar(_) => return None,
        };
        let what = report.change(&played.phase, &own)?;
        Some(OwnChanges { power: own, what })
    }
}

impl OwnReport<'_> {
    fn change(self, phase: &Phase, own: &Label) -> Option<OwnChange> {
        if let Some((changes, due)) = self.counted {
            let centers = |owner: fn(&CenterChange) -> &Option<Label>| {
                let own = changes
                    .iter()
                    .filter(|one| owner(one).as_ref() == Some(own));
                own.map(|change| change.center.clone()).collect()
            };
            return Some(OwnChange::Counted {
                took: centers(|change| &change.to),
                lost: centers(|change| &change.from),
                due,
            });
        }
        match phase {
            Phase::Movement => {
                let marked = |wanted: fn(&Mark) -> bool| -> Vec<SeenUnit> {
                    let lines = self
                        .orders
                        .iter()
                        .filter(|line| line.marks.iter().any(wanted));
                    lines.map(|line| line.unit.clone()).collect()
                };
                let is_ordered = |line: &&&OrderLine| matches!(line.ordered, UnitOrder::Action(_));
                (!self.orders.is_empty()).then(|| OwnChange::Moved {
                    orders: self.orders.iter().filter(is_ordered).count(),
                    failed: marked(|mark| !matches!(mark, Mark::Dislodged | Mark::Destroyed)),
                    dislodged: marked(|mark| matches!(mark, Mark::Dislodged | Mark::Destroyed)),
                })
            }
            Phase::Retreats => {
                let is_kept = |line: &&OrderLine| {
                    line.marks.is_empty()
                        && matches!(line.ordered, UnitOrder::Action(Action::Retreat { .. }))
                };
                let (kept, gone): (Vec<_>, Vec<_>) = self.orders.into_iter().partition(is_kept);
                let gone = gone.into_iter().chain(self.collided);
                let gone: Vec<SeenUnit> = gone.map(|line| line.unit.clone()).collect();
                (!kept.is_empty() || !gone.is_empty()).then_some(OwnChange::Retreated {
                    kept: kept.len(),
                    gone,
                })
            }
            Phase::Adjustments => {
                let units = |named: fn(&WinterAction) -> Option<(&String, &String)>| {
                    let units = self.winter.iter().filter_map(|line| named(&line.action));
                    units
                        .map(|(kind, place)| format!("{kind} {place}"))
                        .collect()
                };
                (!self.winter.is_empty()).then(|| OwnChange::Adjusted {
                    built: units(|action| match action {
                        WinterAction::Build { kind, place } => Some((kind, place)),
                        _ => None,
                    }),
                    removed: units(|action| match action {
                        WinterAction::Remove { kind, place, .. }
                        | WinterAction::DefaultRemove { kind, place, .. } => Some((kind, place)),
                        _ => None,
                    }),
                })
            }
            _ => None,
        }
    }
}
