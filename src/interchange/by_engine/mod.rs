//! Adjudicates every variant, and the standard game with settings: sets a game up as the line says, checks its orders like those
//! of a mail, and lets the engine adjudicate the phase. This module knows no variant's rules.
//!
//! The standard game without settings is adjudicated by `job` instead, with the same answers and much faster.

mod calendar;
mod further;
mod known_texts;
mod orders;
mod outcome;
mod picture;
mod sees;
mod settings;
mod table;
mod written;

use dipjudge_game::{DataError, DrawSheet, GameEdit, Seed, Variant, phases, unreadable};
use dipjudge_rules::adjudicator::Contradiction;
use dipjudge_variants as variants;

use super::input::Input;
use super::{Options, output};

use further::Further;

pub(super) use orders::RefusedText;
pub(super) use picture::board;
#[cfg(test)]
pub(super) use settings::WITHOUT_EFFECT_ON_MOVES;
pub(super) use settings::{SettingsAfterMoves, settings_after_moves};

/// Whether the line is adjudicated by this module.
pub(super) fn is_for(input: &Input<'_>) -> bool {
    input.settings.is_some()
        || input
            .variant
            .as_ref()
            .is_some_and(|variant| variant.as_str() != variants::UNNAMED.card().name)
}

/// Answers the line; returns whether it was an adjudication.
pub(super) fn adjudicate(input: &Input<'_>, options: &Options<'_>, out: &mut Vec<u8>) -> bool {
    let name = input
        .variant
        .as_ref()
        .map_or(variants::UNNAMED.card().name, |variant| variant.as_str());
    match variants::named(name) {
        Some(variant) => adjudicate_by(variant, input, options, out),
        None => {
            let why = format!("No variant is called `{name}`.").into();
            output::error(out, input.id.as_ref().map(|id| id.as_str()), &why);
            false
        }
    }
}

/// Answers the line by the rules of this variant, whichever variant the line names.
pub(super) fn adjudicate_by(
    variant: &dyn Variant,
    input: &Input<'_>,
    options: &Options<'_>,
    out: &mut Vec<u8>,
) -> bool {
    let begun = out.len();
    match answer(variant, input, options, out) {
        Ok(()) => true,
        Err(sentence) => {
            out.truncate(begun);
            output::error(out, input.id.as_ref().map(|id| id.as_str()), &sentence);
            false
        }
    }
}

/// Why these orders of a line are refused, a sentence for each; `None` if one of them is not. None of them depends on others of the
/// line.
pub(super) fn refusals(line: &[u8], refused: &[RefusedText<'_>]) -> Option<Vec<String>> {
    let input = super::input::read(line).ok()?;
    let name = input.variant.as_ref().map(|variant| variant.as_str());
    let variant = name.map_or(Some(variants::UNNAMED), variants::named)?;
    let further = Further::of(&input).ok()?;
    let laid = table::set_up(variant, &input, &further).ok()?;
    orders::refusals(&laid, variant, refused)
}

/// The seed of 64 hexadecimal digits; the error is a sentence.
pub(super) fn seed(digits: &str) -> Result<Seed, DataError> {
    Seed::try_from(digits.to_owned()).map_err(|_| "`seed` has to be 64 hexadecimal digits.".into())
}

/// Plays the phase; the error is a sentence.
fn play(edit: &mut GameEdit<'_>) -> Result<(), DataError> {
    phases::run_untimed(edit).map_err(|contradiction| fault(&contradiction))
}

/// The sentence about results that do not hold.
pub(super) fn fault(contradiction: &Contradiction) -> DataError {
    format!("The adjudicator has a fault: {contradiction}.").into()
}

fn answer(
    variant: &dyn Variant,
    input: &Input<'_>,
    options: &Options<'_>,
    out: &mut Vec<u8>,
) -> Result<(), DataError> {
    let further = Further::of(input)?;
    let laid = table::set_up(variant, input, &further)?;
    let keys = super::board::PowerKeys::in_game(&laid, variant.card());
    let sees = options.as_power.map(|key| keys.power(key)).transpose()?;
    let orders = input.orders.as_ref();
    let orders = orders.map(|orders| orders::PowersOrders::of(orders, &keys));
    let orders = orders.transpose()?;
    let sheet = DrawSheet::forcing(further.draws);
    let mut edit = GameEdit::of_own(laid, variant, jiff::Timestamp::UNIX_EPOCH);
    edit.draws = Some(&sheet);
    let given = orders::give(&mut edit, orders.as_ref());
    let before = edit.game.clone();
    let orders_end = edit.events.len();
    play(&mut edit)?;
    if let Some(beyond) = sheet.beyond() {
        return unreadable(format!("The forced draw is impossible: {beyond}."));
    }
    let played = edit.events.get(orders_end..).unwrap_or_default();
    let results = outcome::results(&before, played, &given);
    let view = sees::View::of(&before, &edit.game, variant, sees);
    let answer = written::EngineAnswer {
        id: input.id.as_ref().map(|id| id.as_str()),
        before: &before,
        after: &edit.game,
        variant,
        results,
        ordered: &given.ordered,
        errors: &given.errors,
        draws: sheet.made(),
        next: !options.results_only,
    };
    written::write(out, &answer, &view);
    Ok(())
}

#[cfg(test)]
mod test_variant;
#[cfg(test)]
mod tests;
