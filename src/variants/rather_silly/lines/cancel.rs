//! `CANCEL line`: one line is taken back by its subject.

use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Reader;
use crate::data_of;
use crate::rather_silly::slots;
use crate::rather_silly::submissions::{Jest, Prediction};
use dipjudge_game::{Effect, Refusal, Submission, refuse};
use dipjudge_grammar::Line;
use dipjudge_rules::orders::VariantData;

impl Reader<'_> {
    /// Takes back what a line has put down before.
    pub(super) fn take_back(&self, line: &Line) -> Result<Vec<Effect>, Refusal> {
        let line = line.parts.first().ok_or("CANCEL what?")?;
        let name = match line.rule.as_str() {
            "cancelled-question" => slots::QUESTION,
            "cancelled-answer" => slots::ANSWER,
            "cancelled-reorder" => {
                if !line.has("cancels-all-reorders") {
                    self.check_is_one::<Jest>(slots::JESTS)?;
                }
                slots::JESTS
            }
            "cancelled-predict" => {
                if !line.has("cancels-all-predictions") {
                    self.check_is_one::<Prediction>(slots::PREDICTIONS)?;
                }
                slots::PREDICTIONS
            }
            "order" => {
                let (unit, _) = self.common(line)?;
                return self.without(Effect::Withdraw(unit.id)).map(|one| vec![one]);
            }
            _ => {
                let alone = Reader {
                    sight: self.sight,
                    board: Arc::clone(&self.board),
                    view: self.view.clone(),
                    asked: self.asked,
                    alone: true,
                };
                // What a line takes back beside what it puts down is not put down again.
                let puts = |effect: &Effect| match effect {
                    Effect::Submission(submission) => submission.data.is_some(),
                    Effect::Withdraw(_) => false,
                    _ => true,
                };
                let effects = alone.read(line)?.effects.into_iter().filter(puts);
                return effects.map(|one| self.without(one)).collect();
            }
        };
        self.without(slots::put::<()>(name.to_owned(), None))
            .map(|one| vec![one])
    }

    /// Refuses to take back one of several lines where none is named.
    fn check_is_one<T: Serialize + DeserializeOwned>(&self, name: &str) -> Result<(), Refusal> {
        let kept: Vec<T> = self.kept(name);
        if kept.len() < 2 {
            return Ok(());
        }
        refuse(format!(
            "Several such lines stand: {}.  Name the one that is taken back, behind CANCEL.",
            self.new_lines(name, &kept).join("; ")
        ))
    }

    /// What takes back what a line would do.
    fn without(&self, effect: Effect) -> Result<Effect, Refusal> {
        match effect {
            Effect::Order(id, _) | Effect::Withdraw(id) => {
                if self.sight.orders.units.contains_key(&id) {
                    Ok(Effect::Withdraw(id))
                } else {
                    refuse("That unit has no order from you.")
                }
            }
            Effect::Submission(Submission {
                name,
                data,
                lasting,
            }) => {
                let Some(kept) = self.sight.kept(&name) else {
                    return refuse("You have sent no such line.");
                };
                let left = left(kept, data.as_ref())?;
                Ok(Effect::Submission(Submission {
                    name,
                    data: left,
                    lasting,
                }))
            }
            effect => Ok(effect),
        }
    }
}

/// What is left of lines for one subject without these; where a subject has one line alone, nothing.
fn left(kept: &VariantData, taken: Option<&VariantData>) -> Result<Option<VariantData>, Refusal> {
    let all = |data: &VariantData| data.read::<Vec<Value>>().ok();
    let (Some(mut lines), Some(taken)) = (all(kept), taken.and_then(all)) else {
        return Ok(None);
    };
    for line in &taken {
        let last = lines.iter().rposition(|other| says_the_same(other, line));
        match last {
            Some(index) => lines.remove(index),
            None => return refuse("You have sent no such line."),
        };
    }
    Ok((!lines.is_empty()).then(|| data_of(&lines)))
}

/// Whether two lines say the same, wherever they stand among others.
fn says_the_same(one: &Value, other: &Value) -> bool {
    let without_place = |line: &Value| {
        let mut line = line.clone();
        if let Some(fields) = line.as_object_mut() {
            fields.remove("number");
        }
        line
    };
    without_place(one) == without_place(other)
}
