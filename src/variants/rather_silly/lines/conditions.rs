//! Conditions of lines, and the facts that they ask for.

use super::{Reader, no_order};
use crate::rather_silly::conditions::{Comparison, Condition, ConditionFact, UnitOwner, is_known};
use crate::rather_silly::line_parts::{part, parts};
use crate::rather_silly::lines::units::number;
use crate::rather_silly::{SEA, SPACE};
use dipjudge_game::{Phase, Refusal, refuse};
use dipjudge_grammar::Line;
use dipjudge_rules::conditions;
use dipjudge_rules::position::Unit;

impl Reader<'_> {
    pub(super) fn condition(&self, facts: &Line) -> Result<Condition, Refusal> {
        let mut all = parts(facts, "fact-and").map(|part| {
            let mut both = parts(part, "fact-not").map(|part| self.negated(part));
            let first = both.next().unwrap_or_else(no_order)?;
            both.try_fold(first, |whole, next| {
                Ok(conditions::Condition::And(Box::new(whole), Box::new(next?)))
            })
        });
        let first = all.next().unwrap_or_else(no_order)?;
        all.try_fold(first, |whole, next| {
            Ok(conditions::Condition::Or(Box::new(whole), Box::new(next?)))
        })
    }

    fn negated(&self, line: &Line) -> Result<Condition, Refusal> {
        if part(line, "never").is_some() {
            let inner = part(line, "fact-not").ok_or("NOT what?")?;
            let inner = self.negated(inner)?;
            return Ok(conditions::Condition::Not(Box::new(inner)));
        }
        if let Some(facts) = part(line, "facts") {
            return self.condition(facts);
        }
        let fact = part(line, "fact").and_then(|fact| fact.parts.first());
        let fact = fact.ok_or("A condition is missing.")?;
        Ok(conditions::Condition::Fact(self.fact(fact)?))
    }

    fn fact(&self, line: &Line) -> Result<ConditionFact, Refusal> {
        let power = || line.power().ok_or("A power is missing.");
        let at = || self.province(line);
        Ok(match line.rule.as_str() {
            "borg-in" => ConditionFact::BorgIn(at()?),
            "tardis-in" if line.has("hyperspace") => ConditionFact::TardisIn(None),
            "tardis-in" => ConditionFact::TardisIn(Some(at()?)),
            "monsters-in" => {
                let kind = match (line.has("sea"), line.has("space")) {
                    (true, _) => Some(SEA),
                    (_, true) => Some(SPACE),
                    _ => None,
                };
                ConditionFact::MonstersIn(kind, at()?)
            }
            "empty" => ConditionFact::Empty(at()?),
            "linked" => match self.places(line)?.as_slice() {
                [a, b] => ConditionFact::Link(a.province, b.province),
                _ => return no_order(),
            },
            "owns" => ConditionFact::Owns(power()?, at()?),
            "centers" => {
                let than = line.find("than").and_then(|than| than.parts.first());
                let than = match than.map(|than| than.rule.as_str()) {
                    Some("at-most") => Comparison::AtMost,
                    Some("at-least") => Comparison::AtLeast,
                    Some("less") => Comparison::Less,
                    Some("more") => Comparison::More,
                    _ => Comparison::Exactly,
                };
                let number = line.number().and_then(|number| u32::try_from(number).ok());
                ConditionFact::Centers(power()?, than, number.ok_or("A number is missing.")?)
            }
            "stand-off" => ConditionFact::StandOff(at()?),
            "merged" => ConditionFact::Merged(at()?),
            "exploded" => ConditionFact::Exploded(at()?),
            "right" => ConditionFact::Right(power()?),
            "unit-in" => ConditionFact::UnitIn(self.whose(line), line.kind(), at()?),
            _ => self.fact_of_unit(line)?,
        })
    }

    fn whose(&self, line: &Line) -> UnitOwner {
        let whose = part(line, "whose").and_then(|whose| whose.parts.first());
        match whose.map(|whose| (whose.rule.as_str(), whose.power())) {
            Some(("my", _)) => UnitOwner::My,
            Some(("enemy", _)) => UnitOwner::Enemy,
            Some(("nation", Some(power))) => UnitOwner::Of(power),
            _ => UnitOwner::Any,
        }
    }

    /// Units are named by where they stood when the season began.
    fn fact_of_unit(&self, line: &Line) -> Result<ConditionFact, Refusal> {
        let at = self.province(line)?;
        let whose = self.whose(line);
        let fits = |unit: &&Unit| {
            let owned = match whose {
                UnitOwner::Any => true,
                UnitOwner::My => unit.power == self.sight.power,
                UnitOwner::Enemy => unit.power != self.sight.power,
                UnitOwner::Of(power) => unit.power == power,
            };
            owned && unit.at.province == at && line.kind().is_none_or(|kind| kind == unit.kind)
        };
        let started = &self.board.state.season.start;
        let before: Vec<Unit> = if started.is_empty() || self.sight.phase == Phase::Movement {
            self.board.units().copied().collect()
        } else {
            started.clone()
        };
        let mut found: Vec<&Unit> = before.iter().filter(fits).collect();
        found.sort_by_key(|unit| (unit.power != self.sight.power, unit.power, unit.id));
        let first = found.first().copied();
        let foreign = first.is_some_and(|first| first.power != self.sight.power);
        if foreign
            && found
                .iter()
                .any(|unit| Some(unit.power) != first.map(|first| first.power))
        {
            return refuse(format!(
                "Units of that name of several players stood in {}: say whose is meant.",
                self.name(at)
            ));
        }
        let alike = |unit: &&&Unit| {
            first.is_some_and(|first| (first.power, first.kind) == (unit.power, unit.kind))
        };
        let wanted = number(line).unwrap_or(1);
        let found = found.iter().filter(alike).nth(wanted.saturating_sub(1));
        let unit = found.map(|unit| unit.id);
        let unit = unit.ok_or_else(|| format!("No such unit stood in {}.", self.name(at)))?;
        let to = part(line, "ends")
            .map(|ends| self.province(ends))
            .transpose()?;
        let end = line.parts.last().map_or("", |part| part.rule.as_str());
        Ok(match end {
            "sold" => ConditionFact::Sold(unit),
            "dislodged" => ConditionFact::Dislodged(unit),
            "destroyed" => ConditionFact::Destroyed(unit),
            "eaten" => ConditionFact::Eaten(unit),
            "succeeded" => ConditionFact::Moved(unit, to, true),
            "failed" => ConditionFact::Moved(unit, to, false),
            _ => return no_order(),
        })
    }

    /// A condition must be known before its step.
    pub(super) fn known(&self, condition: Option<&Condition>, step: u8) -> Result<(), Refusal> {
        if condition.is_none_or(|condition| is_known(condition, step)) {
            Ok(())
        } else {
            refuse("That is not known by then; only what comes before this step can be asked for.")
        }
    }
}
