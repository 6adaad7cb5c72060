//! What is submitted for the steps behind the movement: sales, explosions, retreats, free builds and pairs, votes.

use super::replacing::BEHIND_ANY_CASE;
use super::{Reader, no_order, noted};
use crate::rather_silly::conditions::Condition;
use crate::rather_silly::conditions::Conditional;
use crate::rather_silly::line_parts::{location, part, parts};
use crate::rather_silly::sites::SiteTime;
use crate::rather_silly::souls::{self, SaleCheck};
use crate::rather_silly::submissions::{AdjustmentOrder, Build, RetreatChoice};
use crate::rather_silly::{legality, retreats, sites, slots};
use dipjudge_game::{Considered, Effect, Phase, Refusal, refuse};
use dipjudge_grammar::Line;
use dipjudge_rules::map::{Location, UnitKind};
use dipjudge_rules::orders::Action;
use dipjudge_rules::position::{Unit, UnitId};

impl Reader<'_> {
    pub(super) fn sale(
        &self,
        line: &Line,
        condition: Option<Condition>,
    ) -> Result<Considered, Refusal> {
        self.in_movement()?;
        self.known(condition.as_ref(), 4)?;
        let unit = self.own(line)?;
        let (board, rules) = (&self.board, self.rules());
        if let Some(why) = souls::objection(board, rules, unit.power, unit.id, SaleCheck::Announced)
        {
            return refuse(why);
        }
        let then = ();
        let mut sold = self.add(&slots::sale(unit.id), Conditional { condition, then })?;
        if board.traits(unit.id).soul > 1 {
            sold.notes.push(format!(
                "It {} already, so this comes to nothing, unless the TARDIS lands there first.",
                self.names().has_sold
            ));
        }
        Ok(sold)
    }

    pub(super) fn detonation(
        &self,
        line: &Line,
        condition: Option<Condition>,
    ) -> Result<Considered, Refusal> {
        self.in_movement()?;
        self.known(condition.as_ref(), 6)?;
        let place = self.province(line)?;
        let herds = self.board.herds.get(&self.sight.power);
        if !herds.is_some_and(|herds| herds.contains(&place)) {
            return refuse(format!("You have no herd in {}.", self.name(place)));
        }
        let then = ();
        self.add(&slots::detonation(place), Conditional { condition, then })
    }

    pub(super) fn retreat(
        &self,
        line: &Line,
        condition: Option<Condition>,
    ) -> Result<Considered, Refusal> {
        let to = match part(line, "place") {
            Some(_) => Some(location(line)?),
            None => None,
        };
        if self.sight.phase == Phase::Adjustments {
            // `A Par D`, as every game has it in Winter.
            return match to {
                None => self.adjustment(line, condition),
                Some(_) => refuse("This is for retreats; that phase is over."),
            };
        }
        self.known(condition.as_ref(), 7)?;
        let then = to.map_or(RetreatChoice::Disband, RetreatChoice::To);
        if self.sight.phase == Phase::Retreats {
            let unit = self.leaving(line)?;
            return self.retreat_now(unit.id, condition, then);
        }
        let unit = self.own(line)?;
        self.add(&slots::retreat(unit.id), Conditional { condition, then })
    }

    /// The sender's own unit, where several have the name the one that must retreat.
    fn leaving(&self, line: &Line) -> Result<Unit, Refusal> {
        let unit = self.own(line)?;
        let away = |id: UnitId| self.board.must_retreat(id);
        let like = |other: &&Unit| {
            (other.power, other.kind, other.at.province)
                == (unit.power, unit.kind, unit.at.province)
        };
        let mut leaving = self.board.units().filter(like).filter(|one| away(one.id));
        Ok(if away(unit.id) {
            unit
        } else {
            leaving.next().copied().unwrap_or(unit)
        })
    }

    /// A retreat in its phase. What holds in any case is an order like those of every game; only what has a condition is kept
    /// beside it, and goes before it.
    pub(super) fn retreat_now(
        &self,
        id: UnitId,
        condition: Option<Condition>,
        then: RetreatChoice,
    ) -> Result<Considered, Refusal> {
        let unit = self.board.unit(id).copied();
        let unit = unit.ok_or("There is no such unit.")?;
        self.can_retreat(&unit, then)?;
        let name = slots::retreat(id);
        let ordered = self.sight.said.units.contains(&id);
        if condition.is_some() {
            if ordered && !self.alone {
                return refuse(BEHIND_ANY_CASE);
            }
            let mut considered = self.add(&name, Conditional { condition, then })?;
            considered.effects.push(Effect::Withdraw(id));
            return Ok(considered);
        }
        let action = match then {
            RetreatChoice::To(to) => Action::Retreat { to },
            RetreatChoice::Disband => Action::Disband,
        };
        let mut effects = Vec::new();
        let mut notes = Vec::new();
        if !self.has_said(&name) {
            notes = self.in_place_of(&self.kept_lines(&name), &[]);
            effects.push(slots::put::<()>(name, None));
        }
        effects.push(Effect::Order(id, action));
        Ok(noted(effects, notes))
    }

    fn can_retreat(&self, unit: &Unit, then: RetreatChoice) -> Result<(), Refusal> {
        let mut away = self.board.position.dislodged.iter();
        let Some(one) = away.find(|one| one.unit.id == unit.id) else {
            return refuse("That unit need not retreat.");
        };
        let RetreatChoice::To(to) = then else {
            return Ok(());
        };
        if retreats::fitting(&one.options, to).is_some() {
            return Ok(());
        }
        let open = one.options.iter().map(|to| self.sight.map.full_name(*to));
        let open: Vec<String> = open.collect();
        if open.is_empty() {
            refuse("It has nowhere to retreat to.")
        } else {
            refuse(format!("It can retreat to {}.", open.join(", ")))
        }
    }

    /// What is built where, as far as it can be said now that it cannot be.
    pub(super) fn build(&self, line: &Line) -> Result<(UnitKind, Location), Refusal> {
        let kind = part(line, "kind").and_then(Line::kind);
        let kind = kind.ok_or("Say what to build: BUILD A Par.")?;
        let at = location(line)?;
        let by = if self.in_winter() {
            SiteTime::Now
        } else {
            SiteTime::SomeTime
        };
        let objection = sites::objection(&self.board, self.names(), self.sight.power, kind, at, by);
        match objection {
            Some(why) => refuse(why),
            None => Ok((kind, at)),
        }
    }

    pub(super) fn free_build(
        &self,
        line: &Line,
        condition: Option<Condition>,
    ) -> Result<Considered, Refusal> {
        self.known(condition.as_ref(), 10)?;
        let then = self.build(line)?;
        if !sites::needs_center(then.0) {
            return refuse("A free unit is an army, a fleet or BIRDS.");
        }
        Ok(self.add_choice(slots::FREE_BUILDS, Conditional { condition, then }))
    }

    pub(super) fn pair_build(
        &self,
        line: &Line,
        condition: Option<Condition>,
    ) -> Result<Considered, Refusal> {
        self.known(condition.as_ref(), 9)?;
        let mut twins = parts(line, "one-twin").map(|twin| self.build(twin));
        let (Some(one), Some(other)) = (twins.next(), twins.next()) else {
            return no_order();
        };
        let (one, other) = (one?, other?);
        let pair =
            sites::objection_to_pair(&self.board, self.names(), self.sight.power, one, other);
        if let Some(why) = pair {
            return refuse(why);
        }
        self.adjust(AdjustmentOrder::Build(Build::Pair(one, other)), condition)
    }

    pub(super) fn vote(
        &self,
        line: &Line,
        condition: Option<Condition>,
    ) -> Result<Considered, Refusal> {
        self.known(condition.as_ref(), 11)?;
        if line.has("no-space") {
            return refuse("The UNDERPASS, hyperspace and Switzerland cannot be linked.");
        }
        let ends: Result<Vec<_>, Refusal> = parts(line, "link-end")
            .map(|end| self.province(end))
            .collect();
        let then = match (part(line, "no-link"), ends?.as_slice()) {
            (Some(_), _) => None,
            (None, [a, b]) if legality::can_be_linked(*a, *b) => Some((*a, *b)),
            _ => return refuse("The LINK joins two different spaces."),
        };
        self.add(slots::VOTE, Conditional { condition, then })
    }
}
