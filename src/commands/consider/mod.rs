//! Orders as their sender meant them, held against the board as the sender sees it: no `Game` is in reach here, so no
//! answer can betray what is hidden (`visibility.md` 10.1).

pub mod ahead;
mod movement;
mod retreats;
mod units;
mod winter;

pub(super) use units::party;

use super::hidden;
use super::order_words::{OrderWords, Verb};
use super::shared_province;
use dipjudge_game::project::{SaidSoFar, Sight};
use dipjudge_game::{Ask, Considered, Effect, Phase, Variant};
use dipjudge_rules::map::{Location, Map, Province, UnitKind};
use dipjudge_rules::orders::{Action, Illegal, legal};
use dipjudge_rules::position::{Unit, UnitId};

/// Holds one order against the sender's sight; the error is sentences that say why it cannot be given.
pub fn consider(
    sight: &Sight,
    variant: &dyn Variant,
    words: &OrderWords,
) -> Result<Considered, Vec<String>> {
    let mut notes: Vec<String> = words
        .remarks
        .iter()
        .map(|remark| format!("I ignored {remark} as a comment."))
        .collect();
    let effect = match (&sight.phase, &words.verb) {
        (_, Verb::Own(line)) => {
            let mut considered = variant.read(line, sight)?;
            notes.append(&mut considered.notes);
            considered.notes = notes;
            return Ok(considered);
        }
        (Phase::Movement, Verb::HoldAll) => return hold_all(sight, variant, notes),
        (Phase::Movement, _) => movement::read(sight, words, &mut notes),
        (Phase::Retreats, _) => retreats::read(sight, words, &mut notes).map(OrderEffects::from),
        (Phase::Adjustments, _) => winter::read(sight, words, &mut notes).map(OrderEffects::from),
        (Phase::Ownership | Phase::Own(_), _) => {
            let due = match &sight.ask {
                Some(Ask::Own(due) | Ask::May(due)) => due.words(sight),
                _ => None,
            };
            Err(Fault::Said(match due {
                Some(due) => format!("This phase takes only: {due}."),
                None => "You have nothing to order in this phase.".to_owned(),
            }))
        }
    };
    match effect {
        Ok(OrderEffects { effect, aside }) => {
            let mut considered = variant.reconsider(effect, sight)?;
            considered.effects.extend(aside);
            notes.append(&mut considered.notes);
            considered.notes = notes;
            Ok(considered)
        }
        Err(Fault::Said(sentence)) => Err(vec![sentence]),
        Err(Fault::Illegal(illegal)) => {
            if let Some(sentence) = variant.objection(&illegal, sight) {
                return Err(vec![sentence]);
            }
            let mut sentences = vec![illegal.sentence(sight.map, &sight.powers)];
            sentences.extend(also_meant(sight, words, &illegal));
            Err(sentences)
        }
    }
}

/// All units of the sender hold that no earlier line of the mail orders.
fn hold_all(
    sight: &Sight,
    variant: &dyn Variant,
    notes: Vec<String>,
) -> Result<Considered, Vec<String>> {
    let mut considered = Considered {
        effects: Vec::new(),
        notes,
    };
    let own = sight.position.units.iter();
    let own = own.filter(|unit| hidden::own(sight, unit));
    let (ordered, rest): (Vec<&Unit>, Vec<&Unit>) =
        own.partition(|unit| sight.said.units.contains(&unit.id));
    if !ordered.is_empty() {
        let kept = "Units that an earlier line of this mail orders keep that order.";
        considered.notes.push(kept.to_owned());
    }
    if ordered.is_empty() && rest.is_empty() {
        return Err(vec!["You have no unit to order.".to_owned()]);
    }
    for unit in rest {
        let hold = legal(sight.map, &sight.overlay, unit, &Action::Hold, None);
        if let Err(illegal) = hold {
            considered.notes.push(sentence(sight, variant, &illegal));
            continue;
        }
        let mut held = variant.reconsider(Effect::Order(unit.id, Action::Hold), sight)?;
        considered.effects.append(&mut held.effects);
        considered.notes.append(&mut held.notes);
    }
    Ok(considered)
}

/// Why an order is not legal, in the variant's words where it has some.
fn sentence(sight: &Sight, variant: &dyn Variant, illegal: &Illegal) -> String {
    let own = variant.objection(illegal, sight);
    own.unwrap_or_else(|| illegal.sentence(sight.map, &sight.powers))
}

/// The units that a line ordered.
pub fn ordered(sight: &Sight, words: &OrderWords, effects: &[Effect]) -> Vec<UnitId> {
    shared_province::ordered(sight, words, effects)
}

/// Notes what a line has said, for the lines of the same mail behind it.
pub fn note(said: &mut SaidSoFar, sight: &Sight, words: &OrderWords, effects: &[Effect]) {
    said.units.extend(ordered(sight, words, effects));
    for effect in effects {
        if let Effect::Submission(submission) = effect {
            said.slots.insert(submission.name.clone());
        }
    }
}

/// The kind that a support or convoy names for its unit.
pub fn named_kind(words: &OrderWords) -> Option<UnitKind> {
    match &words.verb {
        Verb::SupportHold { unit } | Verb::SupportMove { unit, .. } | Verb::Convoy { unit, .. } => {
            unit.kind
        }
        _ => None,
    }
}

/// What an order does.
struct OrderEffects {
    effect: Effect,
    /// What follows from it for other units and submissions.
    aside: Vec<Effect>,
}

impl From<Effect> for OrderEffects {
    fn from(effect: Effect) -> OrderEffects {
        OrderEffects {
            effect,
            aside: Vec::new(),
        }
    }
}

/// Why an order cannot be given.
pub(super) enum Fault {
    Illegal(Illegal),
    Said(String),
}

impl From<Illegal> for Fault {
    fn from(illegal: Illegal) -> Fault {
        Fault::Illegal(illegal)
    }
}

pub(super) fn said<T>(sentence: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::Said(sentence.into()))
}

/// A short name that was understood, but cannot be meant, may have meant a neighbour (`judge-workflow.md` 3.3 c).
fn also_meant(sight: &Sight, words: &OrderWords, illegal: &Illegal) -> Option<String> {
    let Illegal::CannotReach(party, to) = illegal else {
        return None;
    };
    let Verb::Move { route, .. } = &words.verb else {
        return None;
    };
    let word = route.last()?.word.to_lowercase();
    let travel = sight.map.travel(party.kind);
    let near = sight
        .map
        .reach(travel, party.at)
        .iter()
        .map(|place| place.province)
        .filter(|p| *p != to.province);
    let mut meant: Vec<String> = near
        .filter(|province| {
            name(sight.map, *province).to_lowercase().starts_with(&word) && word.len() >= 3
        })
        .map(|province| format!("{} ({province})", name(sight.map, province)))
        .collect();
    meant.dedup();
    (!meant.is_empty()).then(|| {
        format!(
            "\"{word}\" is read as {}; did you mean {}?",
            name(sight.map, to.province),
            meant.join(" or ")
        )
    })
}

pub(super) fn name(map: &Map, province: Province) -> String {
    map.full_name(Location::from(province))
}
