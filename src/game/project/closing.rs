//! The last mail of a game, in which everything that its rules hid is shown.

use super::{GameView, Naming, Visibility};
use crate::{Ending, State, VariantGame, endings};
use dipjudge_rules::map::Power;
use dipjudge_view::FinalBoard;

impl GameView<'_> {
    /// The board of a finished game.
    pub fn last_board(self) -> Option<FinalBoard> {
        if !self.game.over() {
            return None;
        }
        let labels = self.labels();
        Some(FinalBoard {
            reached: self.variant_game().reached_by_winner(),
            units: Naming::new(self.game, &labels).units_in_sight(&Visibility::whole()),
            centers: self.variant_game().center_table(&labels),
        })
    }
}

impl VariantGame<'_> {
    /// The count with which the only winner has won.
    fn reached_by_winner(self) -> Option<String> {
        let State::Over(Ending::Won(winners)) = &self.game.state else {
            return None;
        };
        let [winner] = winners.as_slice() else {
            return None;
        };
        let winning = self.variant.card().winning;
        let (own, enough) = (self.tally_of(*winner), self.game.winning_number(winning));
        let noun = winning.tally.noun();
        Some(if own >= enough as usize {
            format!("{own} {noun}, and {enough} win")
        } else {
            "all that is left on the board".to_owned()
        })
    }

    fn tally_of(self, power: Power) -> usize {
        let counts = endings::counts(self.game, self.variant.card().winning.tally);
        let own = counts.into_iter().find(|(one, _)| *one == power);
        own.map_or(0, |(_, count)| count)
    }
}
