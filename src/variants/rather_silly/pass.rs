//! PASS: nothing more comes from a seat in the phase in hand. Its next line takes that back.

use std::collections::BTreeMap;

use crate::data_of;
use dipjudge_game::project::Sight;
use dipjudge_game::{Access, Considered, Effect, Game, Refusal, Submission, refuse};
use dipjudge_grammar::Line;
use dipjudge_rules::map::Power;
use dipjudge_rules::orders::VariantData;

/// Under which name it is put down, with the orders of the phase.
pub(super) const PASS: &str = "pass";

fn put(data: Option<VariantData>) -> Effect {
    Effect::Submission(Submission {
        name: PASS.to_owned(),
        data,
        lasting: false,
    })
}

/// The line, if it is this one.
pub(super) fn read(line: &Line, sight: &Sight) -> Option<Result<Considered, Refusal>> {
    if line.rule != PASS {
        return None;
    }
    if sight.ask.is_none() {
        return Some(refuse(
            "You have nothing to do this phase, so you need not pass.",
        ));
    }
    Some(Ok(Considered {
        effects: vec![put(Some(data_of(&true)))],
        notes: vec![
            "Passed: the game will not wait for you this phase. Any new line takes that back."
                .to_owned(),
        ],
    }))
}

/// Any other line that is taken: its sender has more to say.
pub(super) fn taken_back(
    read: Result<Considered, Refusal>,
    sight: &Sight,
) -> Result<Considered, Refusal> {
    let mut considered = read?;
    if sight.submitted(PASS).is_some() {
        considered.effects.push(put(None));
    }
    Ok(considered)
}

/// Whether a seat has passed.
pub(super) fn has_passed(game: &Game, seat: Power, access: &Access<'_>) -> bool {
    is_passed(&game.submissions(seat, access))
}

/// Whether a seat that has submitted this sends nothing more.
pub(super) fn is_passed(submitted: &BTreeMap<&str, &VariantData>) -> bool {
    submitted.contains_key(PASS)
}
