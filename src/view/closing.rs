//! What becomes public at the end of a game.

use serde::Serialize;

use super::{CenterTable, Label, SeenUnit};

/// What the last mail of a game discloses beside the winners: only what was hidden before.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct EndDisclosure {
    /// The board, if parts of it were hidden.
    pub board: Option<FinalBoard>,
    /// The powers and their leaders, if these were hidden and are revealed.
    pub leaders: Vec<(Label, String)>,
    /// The seed of the game's random numbers, in hexadecimal digits.
    pub seed: String,
}

/// The board at the end of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FinalBoard {
    /// What the winner has reached: `18 centers, and 18 win`; `None` where several won, or the game was not won on the board.
    pub reached: Option<String>,
    /// The units by power.
    pub units: Vec<Vec<SeenUnit>>,
    /// The owners of centers and the number of centers of each power.
    pub centers: CenterTable,
}
