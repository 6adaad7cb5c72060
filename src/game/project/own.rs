//! What a variant adds of its own, to one reader: its submissions, its keys and steps of the saved-game format.
//! Here the variant's hooks get their access to submissions.

use serde_json::{Map, Value};

use super::super::{Access, Game, SubmissionKind, Variant};
use crate::planted::{Leak, planted};
use dipjudge_rules::map::Power;
use dipjudge_view::Viewer;

/// What a power has submitted of the variant's own, line by line, as far as a reader may know it.
pub fn submitted(game: &Game, variant: &dyn Variant, power: Power, reader: Viewer) -> Vec<String> {
    own_lines(
        game,
        variant,
        power,
        &Access::of_reader(game, variant, reader),
    )
}

pub(super) fn own_lines(
    game: &Game,
    variant: &dyn Variant,
    power: Power,
    access: &Access<'_>,
) -> Vec<String> {
    let own = variant.submitted(game, power, access).into_iter();
    let mut lines: Vec<String> = own
        .filter(|(kind, _)| access.opens(kind, power))
        .map(|(_, line)| line)
        .collect();
    if planted(Leak::Submissions) {
        lines.push(format!("({})", sum_of_all(game, variant)));
    }
    lines
}

/// The sum of the numbers that all powers have submitted, for the planted leak.
fn sum_of_all(game: &Game, variant: &dyn Variant) -> u64 {
    let access = Access::whole(variant);
    let all = game.all_powers().flat_map(|power| {
        let own = game.submissions(power, &access).into_values();
        own.filter_map(|data| data.read::<u64>().ok())
            .collect::<Vec<_>>()
    });
    all.sum()
}

/// The variant's own keys of a `state` object, as a reader may know them; all of them for whoever holds the whole position.
pub fn own_state(game: &Game, variant: &dyn Variant, reader: Option<Viewer>) -> Map<String, Value> {
    variant.write_state(game, &access(game, variant, reader))
}

/// What happened step by step in the variant's own vocabulary, as a reader may know it or as it was.
pub fn own_steps(
    before: &Game,
    after: &Game,
    variant: &dyn Variant,
    reader: Option<Viewer>,
) -> Vec<Value> {
    variant.steps(before, after, &access(before, variant, reader))
}

pub(super) fn access<'v>(
    game: &Game,
    variant: &'v dyn Variant,
    reader: Option<Viewer>,
) -> Access<'v> {
    match reader {
        Some(reader) => Access::of_reader(game, variant, reader),
        None => Access::whole(variant),
    }
}

/// For a phase of a game that is over by now: everybody reads it as its master.
pub(super) fn access_after_the_end<'v>(game: &Game, variant: &'v dyn Variant) -> Access<'v> {
    Access::of_reader(game, variant, Viewer::Master).after_the_end(true)
}

/// What the reader of a prediction should know of what was left out of it.
pub fn left_out(game: &Game, variant: &dyn Variant, reader: Viewer) -> Vec<&'static str> {
    let access = Access::of_reader(game, variant, reader);
    let is_sealed =
        |kind: &&SubmissionKind| game.all_powers().any(|power| !access.opens(kind, power));
    let kinds = variant.submissions().iter();
    kinds
        .filter(is_sealed)
        .filter_map(|kind| (kind.left_out)(game.turn))
        .collect()
}
