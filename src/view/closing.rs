//! What becomes public at the end of a game.

use serde::Serialize;

use super::{CenterTable, Label, SeenUnit, Summary};

/// What the last mail of a game tells beside the winners.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct EndDisclosure {
    /// The board.
    pub board: Option<FinalBoard>,
    /// The powers and their leaders, unless they were hidden and are not revealed.
    pub leaders: Vec<(Label, String)>,
    /// The history of the game, of which the mail shows the centers by year.
    pub summary: Option<Summary>,
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
