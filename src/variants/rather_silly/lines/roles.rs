//! What the four roles send with the moves, answers, and the herds of Winter 1900.

use std::collections::BTreeSet;

use super::{Reader, noted};
use crate::rather_silly::line_parts::{part, parts};
use crate::rather_silly::orders::TardisOrder;
use crate::rather_silly::phases::HERDS;
use crate::rather_silly::state::{Accepted, Question};
use crate::rather_silly::submissions::{Jest, Prediction};
use crate::rather_silly::{
    DOCTOR, JESTER, MASTERMIND, MONSTERS, SOOTHSAYER, is_island, llamas, slots,
};
use dipjudge_game::{Considered, Effect, Phase, Refusal, refuse};
use dipjudge_grammar::Line;
use dipjudge_rules::map::{Province, UnitKind};

/// For an ACCEPT line without a question.
const NO_QUESTION_ABOVE: &str = "An ACCEPT line stands behind its QUESTION, in the same mail.";

impl Reader<'_> {
    fn tardis(&self, line: &Line) -> Result<TardisOrder, Refusal> {
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

    pub(super) fn tardis_line(&self, line: &Line) -> Result<Considered, Refusal> {
        self.in_movement()?;
        self.is(DOCTOR, "DOCTOR")?;
        let order = self.tardis(line)?;
        Ok(self.put_in_place(slots::TARDIS, &order))
    }

    /// What the JESTER has a unit of another do: any order of a movement.
    pub(super) fn reorder(&self, line: &Line) -> Result<Considered, Refusal> {
        self.in_movement()?;
        self.is(JESTER, "JESTER")?;
        let (subject, jest) = if part(line, "tardis").is_some() {
            (DOCTOR, Jest::Tardis(self.tardis(line)?))
        } else {
            let (unit, order) = match part(line, "told-own").and_then(|own| own.parts.first()) {
                // Of a line that tells both sides of a lift, `A/B(Lon)-NTH` is about the army, `PICK UP` about the BIRDS.
                Some(own) if own.rule == "lift" => self.orders_in(own)?.pop().ok_or("Whom?")?,
                Some(own) => self.orders_in(own)?.into_iter().next().ok_or("Whom?")?,
                None => self.common(part(line, "order").unwrap_or(line))?,
            };
            if unit.power == MONSTERS {
                return refuse("Monsters take no orders.");
            }
            let order = self.checked(&unit, order)?;
            (unit.power, Jest::Unit(unit.id, order))
        };
        let mut jests: Vec<Jest> = self.kept(slots::JESTS);
        let owner = |jest: &Jest| match jest {
            Jest::Tardis(_) => DOCTOR,
            Jest::Unit(id, _) => self.board.unit(*id).map_or(MONSTERS, |unit| unit.power),
        };
        jests.retain(|other| owner(other) != subject || !same_subject(other, &jest));
        let most = 1 + usize::from(self.board.state.bonus.contains(&JESTER));
        if jests.len() >= most {
            return refuse(
                "You have no re-order left in this season. CANCEL REORDER takes one back.",
            );
        }
        if jests.iter().any(|other| owner(other) == subject) {
            return refuse("A second re-order is for another player's unit.");
        }
        jests.push(jest);
        Ok(self.put_in_place(slots::JESTS, &jests))
    }

    pub(super) fn predict(&self, line: &Line) -> Result<Considered, Refusal> {
        self.in_movement()?;
        self.is(SOOTHSAYER, "SOOTHSAYER")?;
        let most = 2 + usize::from(self.board.state.bonus.contains(&SOOTHSAYER));
        let mut predictions: Vec<Prediction> = self.kept(slots::PREDICTIONS);
        let mut notes = Vec::new();
        if let Some(instead) = part(line, "foreseen-instead") {
            let at = self.province(instead)?;
            predictions.retain(|old| old.at != at);
        }
        for foreseen in parts(line, "foreseen") {
            let at = self.province(foreseen)?;
            let kind = match (foreseen.has("as-fleet"), foreseen.has("as-army")) {
                (true, _) => Some(UnitKind::FLEET),
                (_, true) => Some(UnitKind::ARMY),
                _ => None,
            };
            let new = Prediction { at, kind };
            if let Some(old) = predictions.iter_mut().find(|old| old.at == at) {
                let [before, now] =
                    [*old, new].map(|one| self.new_lines(slots::PREDICTIONS, &[one]));
                notes.extend(self.in_place_of(&before, &now));
                *old = new;
            } else if predictions.len() < most {
                predictions.push(new);
            } else {
                notes.push(self.no_prediction_left(at, &predictions));
            }
        }
        let effect = slots::put(slots::PREDICTIONS.to_owned(), Some(&predictions));
        Ok(noted(vec![effect], notes))
    }

    fn no_prediction_left(&self, at: Province, predictions: &[Prediction]) -> String {
        format!(
            "You have no prediction left for {}: {}.  CANCEL PREDICT and a space takes one back.",
            self.name(at),
            self.new_lines(slots::PREDICTIONS, &predictions).join("; ")
        )
    }

    /// The question waits for the ACCEPT lines behind it; without one an earlier question stands.
    pub(super) fn question(&self, line: &Line) -> Result<Vec<Effect>, Refusal> {
        self.in_movement()?;
        self.is(MASTERMIND, "MASTERMIND")?;
        let words = line.words().unwrap_or_default().trim();
        if let Some(field) = field_within(words) {
            return refuse(format!(
                "`{field}` stands within the question and would be published with it, so nothing of this was taken.  What is right goes into lines of its own behind the question: ACCEPT: Allan Calhamer."
            ));
        }
        if words.is_empty() {
            refuse("A question is missing: QUESTION: Who invented this game?")
        } else {
            Ok(vec![slots::put(slots::DRAFT.to_owned(), Some(&words))])
        }
    }

    /// An answer that is right: the first behind a question makes that the one that stands.
    pub(super) fn accept(&self, line: &Line) -> Result<Considered, Refusal> {
        self.in_movement()?;
        self.is(MASTERMIND, "MASTERMIND")?;
        let accepted = accepted(line, line.words().unwrap_or_default().trim())?;
        if let Some(draft) = self.sight.kept(slots::DRAFT) {
            let question = Question {
                text: draft.stored(),
                accepted: vec![accepted],
            };
            let mut asked = self.put_in_place(slots::QUESTION, &question);
            let draft = slots::put::<String>(slots::DRAFT.to_owned(), None);
            asked.effects.push(draft);
            return Ok(asked);
        }
        let Some(kept) = self.sight.kept(slots::QUESTION) else {
            return refuse(NO_QUESTION_ABOVE);
        };
        if !self.has_said(slots::QUESTION) {
            return refuse(NO_QUESTION_ABOVE);
        }
        let mut question: Question = kept.stored();
        question.accepted.push(accepted);
        Ok(self.put_in_place(slots::QUESTION, &question))
    }

    pub(super) fn answer(&self, line: &Line) -> Result<Considered, Refusal> {
        let words = line.words().unwrap_or_default().trim().to_owned();
        if self.sight.power == MASTERMIND {
            return refuse(format!(
                "The MASTERMIND does not answer his own question.  Behind a question stands what is right, such as ACCEPT: {words}."
            ));
        }
        if !self.asked && !self.alone {
            return refuse(slots::NO_QUESTION);
        }
        Ok(self.put_in_place(slots::ANSWER, &words))
    }

    pub(super) fn herds(&self, line: &Line) -> Result<Considered, Refusal> {
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
        let mut put = self.put_in_place(slots::HERDS, &placed);
        put.notes.splice(0..0, notes);
        Ok(put)
    }
}

/// The name of a field that stands within a text: `Answer:`.
fn field_within(text: &str) -> Option<&str> {
    let words = text.split_whitespace();
    let fields = ["answer:", "answers:", "accept:", "accepted:", "solution:"];
    let mut found = words.filter(|word| fields.contains(&word.to_lowercase().as_str()));
    found.next()
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
fn accepted(line: &Line, words: &str) -> Result<Accepted, Refusal> {
    if line.has("accepted-words") {
        Ok(Accepted::words(words))
    } else if line.has("accepted-number") {
        let number = Accepted::number(words)
            .ok_or("This takes a number and how far off it may be: ACCEPT NUMBER: 8848 +- 1%.")?;
        Ok(number)
    } else {
        Ok(Accepted::Text(words.to_owned()))
    }
}
