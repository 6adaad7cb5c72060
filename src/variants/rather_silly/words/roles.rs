//! What the four roles send with the moves, answers, and the herds of Winter 1900.

use std::collections::BTreeSet;

use super::{Read, Reader, noted, refuse};
use crate::game::{Considered, Effect, Phase};
use crate::grammar::Line;
use crate::map::UnitKind;
use crate::variants::rather_silly::orders::TardisOrder;
use crate::variants::rather_silly::parts::{part, parts};
use crate::variants::rather_silly::play::HERDS;
use crate::variants::rather_silly::state::{Accepted, Question};
use crate::variants::rather_silly::submissions::{Jest, Prediction};
use crate::variants::rather_silly::{
    DOCTOR, JESTER, MASTERMIND, MONSTERS, SOOTHSAYER, is_island, llamas, slots,
};

impl Reader<'_> {
    fn tardis(&self, line: &Line) -> Read<TardisOrder> {
        let line = part(line, "tardis").unwrap_or(line);
        let order = line.parts.first().ok_or("The TARDIS what?")?;
        Ok(match order.rule.as_str() {
            "stay" => TardisOrder::Stay,
            "with-unit" => TardisOrder::With(self.unit(order)?.id),
            "off" => TardisOrder::ToHyperspace,
            _ => {
                let to = self.province(order)?;
                if is_island(to) {
                    return refuse("The TARDIS does not land in Iceland or Corfu.");
                }
                TardisOrder::To(to)
            }
        })
    }

    pub(super) fn tardis_line(&self, line: &Line) -> Read<Vec<Effect>> {
        self.in_movement()?;
        self.is(DOCTOR, "DOCTOR")?;
        let order = self.tardis(line)?;
        Ok(vec![slots::put(slots::TARDIS.to_owned(), Some(&order))])
    }

    /// What the JESTER has a unit of another do: any order of a movement.
    pub(super) fn reorder(&self, line: &Line) -> Read<Vec<Effect>> {
        self.in_movement()?;
        self.is(JESTER, "JESTER")?;
        let (subject, jest) = if part(line, "tardis").is_some() {
            (DOCTOR, Jest::Tardis(self.tardis(line)?))
        } else {
            let (unit, told) = match part(line, "told-own").and_then(|own| own.parts.first()) {
                // Of a line that tells both sides of a lift, `A/B(Lon)-NTH` is about the army, `PICK UP` about the BIRDS.
                Some(own) if own.rule == "lift" => self.told(own)?.pop().ok_or("Whom?")?,
                Some(own) => self.told(own)?.into_iter().next().ok_or("Whom?")?,
                None => self.common(part(line, "order").unwrap_or(line))?,
            };
            if unit.power == MONSTERS {
                return refuse("Monsters take no orders.");
            }
            let told = self.checked(&unit, told)?;
            (unit.power, Jest::Unit(unit.id, told))
        };
        let mut jests: Vec<Jest> = self.kept(slots::JESTS);
        let owner = |jest: &Jest| match jest {
            Jest::Tardis(_) => DOCTOR,
            Jest::Unit(id, _) => self.board.unit(*id).map_or(MONSTERS, |unit| unit.power),
        };
        jests.retain(|other| owner(other) != subject || !same_subject(other, &jest));
        let most = 1 + usize::from(self.board.state.bonus.contains(&JESTER));
        if jests.len() >= most {
            return refuse("You have no re-order left in this season.");
        }
        if jests.iter().any(|other| owner(other) == subject) {
            return refuse("A second re-order is for another player's unit.");
        }
        jests.push(jest);
        Ok(vec![slots::put(slots::JESTS.to_owned(), Some(&jests))])
    }

    pub(super) fn predict(&self, line: &Line) -> Read<Considered> {
        self.in_movement()?;
        self.is(SOOTHSAYER, "SOOTHSAYER")?;
        let most = 2 + usize::from(self.board.state.bonus.contains(&SOOTHSAYER));
        let mut predictions = Vec::new();
        let mut notes = Vec::new();
        for foreseen in parts(line, "foreseen") {
            let at = self.province(foreseen)?;
            let kind = match (foreseen.has("as-fleet"), foreseen.has("as-army")) {
                (true, _) => Some(UnitKind::FLEET),
                (_, true) => Some(UnitKind::ARMY),
                _ => None,
            };
            match predictions.len() < most {
                true => predictions.push(Prediction { at, kind }),
                false => notes.push(format!(
                    "You have no prediction left for {}.",
                    self.name(at)
                )),
            }
        }
        let effect = slots::put(slots::PREDICTIONS.to_owned(), Some(&predictions));
        Ok(noted(vec![effect], notes))
    }

    /// The question waits for the ACCEPT lines behind it; without one an earlier question stands.
    pub(super) fn question(&self, line: &Line) -> Read<Vec<Effect>> {
        self.in_movement()?;
        self.is(MASTERMIND, "MASTERMIND")?;
        let words = line.words().unwrap_or_default().trim();
        match words.is_empty() {
            true => refuse("A question is missing: QUESTION: Who invented this game?"),
            false => Ok(vec![slots::put(slots::DRAFT.to_owned(), Some(&words))]),
        }
    }

    /// An answer that is right: the first behind a question makes that the one that stands.
    pub(super) fn accept(&self, line: &Line) -> Read<Vec<Effect>> {
        self.in_movement()?;
        self.is(MASTERMIND, "MASTERMIND")?;
        let accepted = accepted(line, line.words().unwrap_or_default().trim())?;
        let asked = self.sight.kept(slots::DRAFT);
        if let Some(text) = asked.and_then(|asked| asked.read::<String>().ok()) {
            let question = Question {
                text,
                accepted: vec![accepted],
            };
            return Ok(vec![
                slots::put(slots::QUESTION.to_owned(), Some(&question)),
                slots::put::<String>(slots::DRAFT.to_owned(), None),
            ]);
        }
        let kept = self.sight.kept(slots::QUESTION);
        let kept = kept.filter(|_| self.has_said(slots::QUESTION));
        let Some(mut question) = kept.and_then(|data| data.read::<Question>().ok()) else {
            return refuse("An ACCEPT line stands behind its QUESTION, in the same mail.");
        };
        question.accepted.push(accepted);
        Ok(vec![slots::put(
            slots::QUESTION.to_owned(),
            Some(&question),
        )])
    }

    pub(super) fn answer(&self, line: &Line) -> Read<Vec<Effect>> {
        if self.sight.power == MASTERMIND {
            return refuse("The MASTERMIND does not answer his own question.");
        }
        let words = line.words().unwrap_or_default().trim().to_owned();
        Ok(vec![slots::put(slots::ANSWER.to_owned(), Some(&words))])
    }

    pub(super) fn herds(&self, line: &Line) -> Read<Considered> {
        if self.sight.power >= JESTER {
            return refuse("Only the seven powers have LLAMAS.");
        }
        if self.sight.phase != Phase::Own(HERDS.name.to_owned()) {
            return refuse("Herds are put down in Winter 1900; that phase is over.");
        }
        let mut placed = BTreeSet::new();
        let mut notes = Vec::new();
        for part in parts(line, "herd-place") {
            if part.has("no-space") {
                notes.push(format!("{}: no herd can be put there.", part.text));
                continue;
            }
            let place = self.province(part)?;
            match llamas::objection(&self.board, &placed, place) {
                Some(why) => notes.push(format!("{}: {why}", self.name(place))),
                None => {
                    placed.insert(place);
                }
            }
        }
        let effect = slots::put(slots::HERDS.to_owned(), Some(&placed));
        Ok(noted(vec![effect], notes))
    }
}

/// Whether two re-orders are for one unit, or both for the TARDIS.
fn same_subject(one: &Jest, other: &Jest) -> bool {
    match (one, other) {
        (Jest::Tardis(_), Jest::Tardis(_)) => true,
        (Jest::Unit(one, _), Jest::Unit(other, _)) => one == other,
        _ => false,
    }
}

/// What a line of the MASTERMIND's accepts.
fn accepted(line: &Line, words: &str) -> Read<Accepted> {
    if line.has("accepted-words") {
        Ok(Accepted::words(words))
    } else if line.has("accepted-number") {
        Accepted::number(words).ok_or_else(|| {
            "This takes a number and how far off it may be: ACCEPT NUMBER: 8848 +- 1%.".to_owned()
        })
    } else {
        Ok(Accepted::Text(words.to_owned()))
    }
}
