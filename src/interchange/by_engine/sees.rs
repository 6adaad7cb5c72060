//! The part of an answer that one power may know.

use dipjudge_game::{Game, Horizon, Variant, VariantGame};
use dipjudge_rules::adjudicator::{Mark, Marks};
use dipjudge_rules::map::{Power, Province};
use dipjudge_rules::position::{Position, Unit};
use dipjudge_view::Viewer;

/// The whole answer, or as much as one power may know of it.
pub(super) struct View {
    power: Option<Power>,
    before: Option<Horizon>,
    after: Option<Horizon>,
}

impl View {
    /// The view of a power on the phase that was adjudicated and on the game after it; `None` sees everything.
    pub(super) fn of(
        before: &Game,
        after: &Game,
        variant: &dyn Variant,
        power: Option<Power>,
    ) -> View {
        // Nothing is hidden once the game is over.
        let hidden = if after.over() {
            None
        } else {
            power.map(Viewer::Power)
        };
        let reach = |game: &Game| {
            hidden.and_then(|viewer| VariantGame::new(game, variant).seen_by(viewer).horizon())
        };
        View {
            power,
            before: reach(before),
            after: reach(after),
        }
    }

    /// The power whose view this is, if any.
    pub(super) fn power(&self) -> Option<Power> {
        self.power
    }

    /// Whether anything may be hidden.
    fn is_bounded(&self) -> bool {
        self.before.is_some() || self.after.is_some()
    }

    /// Results where there is a horizon: the power's own, and only those of their marks that the unit itself suffered. A verdict
    /// on a hidden partner would reveal it (`visibility.md` 7, P9).
    pub(super) fn results(&self, mut all: Vec<(Unit, Marks)>) -> Vec<(Unit, Marks)> {
        if self.is_bounded() {
            all.retain(|(unit, _)| self.is_own(unit.power));
            for (_, marks) in &mut all {
                let told = [Mark::Bounce, Mark::Dislodged, Mark::Disband];
                let mut seen = Marks::NONE;
                let had = told.into_iter().filter(|mark| marks.has(*mark));
                had.for_each(|mark| seen.add(mark));
                *marks = seen;
            }
        }
        all
    }

    /// The visible part of a position of the next phase. Retreats of other powers' dislodged units are left out.
    pub(super) fn position(&self, position: &Position) -> Position {
        let mut seen = position.clone();
        seen.units.retain(|unit| self.sees_unit(unit));
        seen.dislodged.retain(|one| self.sees_unit(&one.unit));
        if self.is_bounded() {
            for one in &mut seen.dislodged {
                if !self.is_own(one.unit.power) {
                    one.options.clear();
                }
            }
        }
        seen.owners
            .retain(|center, owner| self.is_own(*owner) || self.sees(*center));
        seen
    }

    /// Whether builds of a power are shown.
    pub(super) fn sees_affairs_of(&self, power: Power) -> bool {
        !self.is_bounded() || self.is_own(power)
    }

    fn is_own(&self, power: Power) -> bool {
        self.power == Some(power)
    }

    fn sees(&self, province: Province) -> bool {
        self.after
            .as_ref()
            .is_none_or(|horizon| horizon.provinces.contains(&province))
    }

    fn sees_unit(&self, unit: &Unit) -> bool {
        self.is_own(unit.power)
            || self
                .after
                .as_ref()
                .is_none_or(|horizon| horizon.shows(unit))
    }
}
