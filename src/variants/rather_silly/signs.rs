//! What a picture of the board marks: BORG, the TARDIS, the ends of the LINK, herds as far as they are open, and units that
//! are more than they look.

use super::board::Board;
use super::names::Flavor;
use super::state::{Borg, Tardis};
use dipjudge_game::project::ToldGame;
use dipjudge_game::{Audience, BoardSign};

/// The marks of a game.
pub(super) fn signs(game: &ToldGame<'_>) -> Vec<BoardSign> {
    let board = Board::as_told(game);
    let names = Flavor::of(game.settings()).names();
    let mut signs = Vec::new();
    if let Borg::At(place) = board.state.borg {
        signs.push(BoardSign::token(Audience::Everyone, place, "BORG"));
    }
    if let Tardis::At(place) = board.state.tardis {
        signs.push(BoardSign::token(Audience::Everyone, place, "TARDIS"));
    }
    if let Some((one, other)) = board.state.link {
        let end =
            |end| BoardSign::token(Audience::Everyone, end, "LINK").meaning("ends of the link");
        signs.extend([one, other].map(end));
    }
    for (power, herds) in &board.herds {
        let herd = |place| {
            BoardSign::token(Audience::Everyone, place, "HERD")
                .meaning("llamas")
                .of(*power)
        };
        signs.extend(herds.iter().copied().map(herd));
    }
    for unit in board.units() {
        let traits = board.traits(unit.id);
        let mut words: Vec<String> = Vec::new();
        words.extend((traits.n > 1).then(|| format!("x{}", traits.n)));
        words.extend((traits.soul > 0).then(|| names.sold_mark.to_owned()));
        if !words.is_empty() {
            let meaning = if traits.n > 1 {
                "counts as so many"
            } else {
                "soul sold"
            };
            signs.push(
                BoardSign::token(Audience::Everyone, unit.at.province, &words.join(" "))
                    .meaning(meaning)
                    .of(unit.power),
            );
        }
    }
    signs
}
