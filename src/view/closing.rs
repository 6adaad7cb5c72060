//! What the end of a game opens to everybody where its rules hid it.

use serde::Serialize;

use super::{CenterTable, Label, SeenUnit};

/// What the last mail of a game tells beside the winners; nothing of what was open before.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Closing {
    /// The board, where parts of it were hidden.
    pub board: Option<LastBoard>,
    /// Who led which power, where that was hidden and is revealed.
    pub leaders: Vec<(Label, String)>,
    /// The seed of all chance in the game, in hexadecimal digits.
    pub seed: String,
}

/// What stands on the board when a game ends.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LastBoard {
    /// What the winner has reached: `18 centers, and 18 win`; `None` where several won, or the game was not won on the board.
    pub reached: Option<String>,
    /// The units by power.
    pub units: Vec<Vec<SeenUnit>>,
    /// Who owns which center, and how many each.
    pub centers: CenterTable,
}
