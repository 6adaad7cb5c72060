//! The board of a line, or the one that results from its orders, for a picture.

use crate::board::PowerKeys;
use crate::input::Input;
use dipjudge_game::{DataError, Event, Game, GameEdit, Played, Variant, VariantGame, unreadable};
use dipjudge_variants as variants;
use dipjudge_view::{Board, Viewer};

use super::further::Further;
use super::{orders, table};

/// The board; the error is a sentence.
pub(crate) fn board(input: &Input<'_>, as_power: Option<&str>) -> Result<Board, DataError> {
    let name = input.variant.as_ref().map(|variant| variant.as_str());
    let variant = match name {
        Some(name) => {
            variants::named(name).ok_or_else(|| format!("No variant is called `{name}`."))?
        }
        None => variants::UNNAMED,
    };
    let further = Further::of(input)?;
    let before = table::set_up(variant, input, &further)?;
    let keys = PowerKeys::in_game(&before, variant.card());
    let viewer = as_power.map(|key| keys.power(key)).transpose()?;
    let viewer = viewer.map(Viewer::Power);
    let mut edit = GameEdit::of(&before, variant, jiff::Timestamp::UNIX_EPOCH);
    let mut board = match &input.orders {
        None => {
            give_labels(&mut edit, viewer);
            drawn(&edit.game, variant, viewer)
        }
        Some(orders) => {
            let orders = orders::PowersOrders::of(orders, &keys)?;
            let given = orders::give(&mut edit, Some(&orders));
            if let Some(refused) = given.errors.first() {
                return unreadable(format!("`{}`: {}", refused.order, refused.sentence));
            }
            let before = edit.game.clone();
            let orders_end = edit.events.len();
            super::play(&mut edit)?;
            let played = played(edit.events.get(orders_end..).unwrap_or_default());
            give_labels(&mut edit, viewer);
            match (played, viewer) {
                (None, _) => drawn(&edit.game, variant, viewer),
                (Some(played), None) => {
                    Some(VariantGame::new(&edit.game, variant).whole_results(&before, &played))
                }
                (Some(played), Some(viewer)) => VariantGame::new(&edit.game, variant)
                    .seen_by(viewer)
                    .board_of_results(&before, &played),
            }
        }
    }
    .ok_or_else(|| "That power sees nothing of the board any more.".to_owned())?;
    let phase = before.phase_name(variant);
    board.title = format!("{}, {phase}", variant.card().called());
    Ok(board)
}

fn drawn(game: &Game, variant: &dyn Variant, viewer: Option<Viewer>) -> Option<Board> {
    match viewer {
        Some(viewer) => VariantGame::new(game, variant).seen_by(viewer).board(),
        None => Some(VariantGame::new(game, variant).whole_board()),
    }
}

/// The powers that the reader sees, in his words.
fn give_labels(edit: &mut GameEdit<'_>, viewer: Option<Viewer>) {
    if let Some(viewer) = viewer {
        for label in edit.variant_game().seen_by(viewer).labels_to_give() {
            edit.emit(Event::Labelled(label));
        }
    }
}

fn played(events: &[Event]) -> Option<Played> {
    events.iter().find_map(|event| match event {
        Event::Played(played) => Some((**played).clone()),
        _ => None,
    })
}
