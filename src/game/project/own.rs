//! What a variant adds for one reader: its submissions, its keys and steps of the saved-game format. This module gives the
//! variant's hooks their access to submissions.

use serde_json::{Map, Value};

use super::GameView;
use crate::planted::{Leak, planted};
use crate::{Access, Game, StepJson, SubmissionKind, VariantGame};
use dipjudge_rules::map::Power;
use dipjudge_view::Viewer;

impl<'g> GameView<'g> {
    /// The submissions of players that are open to the viewer.
    pub(super) fn access(self) -> Access<'g> {
        Access::of_reader(self.game, self.variant, self.viewer)
    }

    /// A power's submissions of the variant's own, line by line, as far as the reader may know them.
    pub fn submitted_by(self, power: Power) -> Vec<String> {
        self.variant_game().own_lines(power, &self.access())
    }

    /// Notes to the reader of a prediction about what was left out of it.
    pub fn left_out(self) -> Vec<&'static str> {
        let access = self.access();
        let is_sealed = |kind: &&SubmissionKind| {
            self.game
                .all_powers()
                .any(|power| !access.opens(kind, power))
        };
        let kinds = self.variant.submissions().iter();
        kinds
            .filter(is_sealed)
            .filter_map(|kind| (kind.left_out)(self.game.turn))
            .collect()
    }
}

impl<'g> VariantGame<'g> {
    pub(super) fn own_lines(self, power: Power, access: &Access<'_>) -> Vec<String> {
        let own = self.variant.submitted(&self.told_by(*access), power);
        let own = own.into_iter();
        let mut lines: Vec<String> = own
            .filter(|(kind, _)| access.opens(kind, power))
            .map(|(_, line)| line)
            .collect();
        if planted(Leak::Submissions) {
            lines.push(format!("({})", self.sum_of_all()));
        }
        lines
    }

    /// The sum of the numbers that all powers have submitted, for the planted leak.
    fn sum_of_all(self) -> u64 {
        let access = Access::whole(self.variant);
        let all = self.game.all_powers().flat_map(|power| {
            let own = self.game.submissions(power, &access).into_values();
            own.filter_map(|data| data.read::<u64>().ok())
                .collect::<Vec<_>>()
        });
        all.sum()
    }

    /// The variant's own keys of a `state` object, to the extent of a reader's knowledge; all of them if the caller holds the
    /// whole position.
    pub fn own_state(self, reader: Option<Viewer>) -> Map<String, Value> {
        let told = self.told_by(self.access_of(reader));
        self.variant.write_state(&told)
    }

    /// The steps of a phase in the variant's own vocabulary, to the extent of a reader's knowledge or complete.
    pub fn own_steps(self, after: &Game, reader: Option<Viewer>) -> Vec<StepJson> {
        let access = self.access_of(reader);
        let after = VariantGame::new(after, self.variant);
        self.variant
            .steps(&self.told_by(access), &after.told_by(access))
    }

    pub(super) fn access_of(self, reader: Option<Viewer>) -> Access<'g> {
        match reader {
            Some(reader) => self.seen_by(reader).access(),
            None => Access::whole(self.variant),
        }
    }

    /// For a phase of a game that is over now: everybody reads it as its master.
    pub(super) fn access_after_the_end(self) -> Access<'g> {
        self.seen_by(Viewer::Master).access().after_the_end(true)
    }
}
