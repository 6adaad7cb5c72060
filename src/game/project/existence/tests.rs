//! Who exists, to readers who may not know of everybody.

use super::*;
use crate::labels::testing::{
    ENGLAND, FRANCE, GERMANY, OwnNames, RUSSIA, Strangers, TURKEY, begun, contacts,
};
use crate::testing::Plain;
use crate::{Ending, Event, Game, Variant, VariantGame, apply};

const TURK: Viewer = Viewer::Power(TURKEY);

fn happens(game: &mut Game, event: &Event) {
    apply::apply(game, jiff::Timestamp::UNIX_EPOCH, event);
}

/// Turkey sees France and has met Russia without seeing it; each reader has his labels.
fn game() -> Game {
    let mut game = begun(&[
        (TURKEY, "bur"),
        (FRANCE, "par"),
        (GERMANY, "ber"),
        (ENGLAND, "lon"),
        (RUSSIA, "mos"),
    ]);
    happens(&mut game, &contacts(&[(TURKEY, RUSSIA)]));
    for viewer in [TURK, Viewer::Master, Viewer::Observer] {
        for label in VariantGame::new(&game, &Strangers)
            .seen_by(viewer)
            .labels_to_give()
        {
            happens(&mut game, &Event::Labelled(label));
        }
    }
    game
}

#[test]
fn where_everybody_is_known_all_are() {
    let game = game();
    for viewer in [TURK, Viewer::Master, Viewer::Observer, Viewer::Stranger] {
        for variant in [&Plain as &dyn Variant, &OwnNames] {
            assert!(
                !VariantGame::new(&game, variant)
                    .seen_by(viewer)
                    .hides_existence()
            );
            assert_eq!(
                VariantGame::new(&game, variant)
                    .seen_by(viewer)
                    .known_powers()
                    .len(),
                7
            );
            assert_eq!(
                VariantGame::new(&game, variant)
                    .seen_by(viewer)
                    .told_in_lists()
                    .len(),
                7
            );
        }
    }
}

#[test]
fn a_reader_knows_of_those_alone_whom_he_has_read_of() {
    let game = game();
    let known = |viewer| {
        VariantGame::new(&game, &Strangers)
            .seen_by(viewer)
            .known_powers()
    };
    assert_eq!(known(TURK), [FRANCE, RUSSIA, TURKEY]);
    assert!(known(Viewer::Observer).is_empty());
    assert!(known(Viewer::Stranger).is_empty());
    assert_eq!(known(Viewer::Master).len(), 7);
    let told = VariantGame::new(&game, &Strangers)
        .seen_by(TURK)
        .told_in_lists();
    assert!(
        told.into_iter().eq([RUSSIA, TURKEY]),
        "not whom he sees only"
    );
}

#[test]
fn once_the_game_is_over_all_are_known() {
    let mut game = game();
    happens(
        &mut game,
        &Event::Ended {
            ending: Ending::Terminated,
        },
    );
    assert_eq!(
        VariantGame::new(&game, &Strangers)
            .seen_by(Viewer::Stranger)
            .known_powers()
            .len(),
        7
    );
}

#[test]
fn a_map_that_is_shown_is_in_its_readers_words_and_marks_whom_he_has_not_met() {
    let mut game = begun(&[
        (TURKEY, "bur"),
        (FRANCE, "par"),
        (GERMANY, "mun"),
        (RUSSIA, "mos"),
    ]);
    happens(&mut game, &contacts(&[(RUSSIA, TURKEY)]));
    let reader = Viewer::Power(RUSSIA);
    let shown = VariantGame::new(&game, &Strangers).powers_in_sight_of(TURKEY);
    // Turkey itself, then by the first province: Munich, Paris.
    assert_eq!(shown, [TURKEY, GERMANY, FRANCE]);
    for label in VariantGame::new(&game, &Strangers)
        .seen_by(reader)
        .labels_to_introduce(&shown)
    {
        happens(&mut game, &Event::Labelled(label));
    }
    let seen = VariantGame::new(&game, &Strangers)
        .seen_by(reader)
        .position_in_sight_of(TURKEY)
        .unwrap();
    let units: Vec<String> = seen
        .foreign
        .iter()
        .map(|seen| format!("{}: {}", seen.unit.power, seen.unit.place))
        .collect();
    assert_eq!(
        units,
        [
            "Babel II (not met): Paris",
            "Kush: Burgundy",
            "babel (not met): Munich",
        ]
    );
    assert!(seen.units.is_empty() && seen.centers.is_empty());
    assert_eq!(seen.whose.unwrap().to_string(), "Kush");
    // The list shows the sight of the power, not that of its reader: Russia's own army is outside of it.
    assert!(seen.empty.contains(&"Picardy".to_owned()));
}
