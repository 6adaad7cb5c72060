//! The last mail of a game: what its rules hid is open to everybody now.

use super::super::{Ending, Game, Secrecy, State, Variant, endings};
use super::reports::center_table;
use super::{Reader, Visibility, labels, units_in_sight};
use dipjudge_rules::map::Power;
use dipjudge_view::LastBoard;

/// The board of a game that is over, where parts of it were hidden while it ran.
pub fn last_board(game: &Game, variant: &dyn Variant, reader: &Reader) -> Option<LastBoard> {
    if !game.over() || !Secrecy::of(game, variant).board {
        return None;
    }
    let labels = labels(game, variant, reader.viewer);
    Some(LastBoard {
        reached: reached(game, variant),
        units: units_in_sight(game, &labels, &Visibility::whole()),
        centers: center_table(game, variant, &labels),
    })
}

/// What the only winner has reached.
fn reached(game: &Game, variant: &dyn Variant) -> Option<String> {
    let State::Over(Ending::Won(winners)) = &game.state else {
        return None;
    };
    let [winner] = winners.as_slice() else {
        return None;
    };
    let winning = variant.card().winning;
    let (own, enough) = (count(game, variant, *winner), game.winning_number(winning));
    let noun = winning.tally.noun();
    Some(if own >= enough as usize {
        format!("{own} {noun}, and {enough} win")
    } else {
        "all that is left on the board".to_owned()
    })
}

fn count(game: &Game, variant: &dyn Variant, power: Power) -> usize {
    let counts = endings::counts(game, variant.card().winning.tally);
    let own = counts.into_iter().find(|(one, _)| *one == power);
    own.map_or(0, |(_, count)| count)
}
