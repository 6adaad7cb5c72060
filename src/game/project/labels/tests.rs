//! Labels of readers who each have their own, and public ones.

use std::sync::Arc;

use jiff::Timestamp;

use super::*;
use crate::labels::testing::{
    AUSTRIA, ENGLAND, FRANCE, GERMANY, ITALY, OwnNames, RUSSIA, TURKEY, armies, begun, contacts,
};
use crate::testing::Plain;
use crate::{Event, Phase, Played, Variant, VariantGame, apply};

/// Turkey in Burgundy, with three neighbors, two of which are out of sight of each other, and Russia far away.
const AROUND_BURGUNDY: [(Power, &str); 5] = [
    (TURKEY, "bur"),
    (FRANCE, "par"),
    (GERMANY, "mun"),
    (ENGLAND, "bel"),
    (RUSSIA, "mos"),
];

fn happens(game: &mut Game, event: &Event) {
    apply::apply(game, Timestamp::UNIX_EPOCH, event);
}

/// Gives a reader the labels that he needs now; returns each power with its label.
fn given(game: &mut Game, viewer: Viewer) -> Vec<(Power, String)> {
    let new = VariantGame::new(game, &OwnNames)
        .seen_by(viewer)
        .labels_to_give();
    for label in &new {
        assert_eq!(label.reader, viewer);
        happens(game, &Event::Labelled(label.clone()));
    }
    new.into_iter().map(|one| (one.power, one.label)).collect()
}

fn list(pairs: &[(Power, &str)]) -> Vec<(Power, String)> {
    let owned = |(power, label): &(Power, &str)| (*power, (*label).to_owned());
    pairs.iter().map(owned).collect()
}

const TURK: Viewer = Viewer::Power(TURKEY);

#[test]
fn where_all_call_the_powers_the_same_nothing_is_given() {
    let game = begun(&AROUND_BURGUNDY);
    for viewer in [TURK, Viewer::Master, Viewer::Observer, Viewer::Stranger] {
        assert!(
            VariantGame::new(&game, &Plain)
                .seen_by(viewer)
                .labels_to_give()
                .is_empty()
        );
        let labels = VariantGame::new(&game, &Plain).seen_by(viewer).labels();
        assert_eq!(labels.name(RUSSIA), "Russia");
        assert_eq!(labels.adjective(RUSSIA), "Russian");
        assert_eq!(labels.letter(RUSSIA), "R");
        assert_eq!(labels.between_letters(), "");
        assert_eq!(labels.known().count(), 7);
        assert_eq!(
            VariantGame::new(&game, &Plain)
                .seen_by(viewer)
                .roster()
                .iter()
                .count(),
            7
        );
    }
    let log = serde_json::to_string(&game).unwrap();
    assert!(!log.contains("labels"), "{log}");
}

#[test]
fn the_same_name_wanted_twice_is_numbered_in_the_order_of_provinces() {
    let mut game = begun(&AROUND_BURGUNDY);
    let first = given(&mut game, TURK);
    assert_eq!(
        first,
        list(&[
            (TURKEY, "Kush"),
            (ENGLAND, "Babel"),
            (GERMANY, "babel II"),
            (FRANCE, "Babel III"),
        ]),
        "himself, then BEL, MUN, PAR"
    );
    assert_eq!(
        VariantGame::new(&game, &OwnNames)
            .seen_by(TURK)
            .labels()
            .name(FRANCE),
        "Babel III"
    );
    // Another reader has other labels for the same powers: his own name belongs to him.
    assert_eq!(
        given(&mut game, Viewer::Power(FRANCE)),
        list(&[(FRANCE, "Babel"), (TURKEY, "Kush")])
    );
    let french = VariantGame::new(&game, &OwnNames)
        .seen_by(Viewer::Power(FRANCE))
        .labels();
    assert_eq!(
        (french.name(FRANCE), french.letter(TURKEY).as_str()),
        ("Babel", "Kush")
    );
}

#[test]
fn whom_a_reader_has_not_met_he_is_told_nothing_of() {
    let mut game = begun(&AROUND_BURGUNDY);
    given(&mut game, TURK);
    given(&mut game, Viewer::Master);
    let turkish = VariantGame::new(&game, &OwnNames).seen_by(TURK).labels();
    for words in [
        turkish.name(RUSSIA).to_owned(),
        turkish.label(RUSSIA).to_string(),
        turkish.introduced(RUSSIA).to_string(),
        turkish.adjective(RUSSIA).to_owned(),
        turkish.letter(RUSSIA),
        turkish.key(RUSSIA).to_owned(),
    ] {
        assert_eq!(words, "Unknown");
    }
    assert!(turkish.known().all(|power| power != RUSSIA));
    assert!(
        turkish
            .words()
            .iter()
            .all(|info| info.name != "Russia" && info.letter.is_none())
    );
    // Before the first mail a reader has no labels, and one who never gets a mail never has any.
    assert_eq!(
        VariantGame::new(&game, &OwnNames)
            .seen_by(Viewer::Power(ENGLAND))
            .labels()
            .name(ENGLAND),
        "Unknown"
    );
    assert_eq!(
        VariantGame::new(&game, &OwnNames)
            .seen_by(Viewer::Stranger)
            .labels()
            .known()
            .count(),
        0
    );
    assert!(
        VariantGame::new(&game, &OwnNames)
            .seen_by(Viewer::Stranger)
            .roster()
            .is_empty()
    );
}

#[test]
fn a_label_once_given_is_never_changed() {
    let mut game = begun(&AROUND_BURGUNDY);
    given(&mut game, TURK);
    assert!(given(&mut game, TURK).is_empty());
    // Austria arrives where it would have been first.
    let mut list_of_armies = AROUND_BURGUNDY.to_vec();
    list_of_armies.push((AUSTRIA, "gas"));
    list_of_armies.push((ITALY, "mar"));
    happens(
        &mut game,
        &Event::Board {
            position: armies(&list_of_armies),
        },
    );
    assert_eq!(
        given(&mut game, TURK),
        list(&[(AUSTRIA, "Elam"), (ITALY, "Elam II")])
    );
    // They leave, and all labels stay.
    happens(
        &mut game,
        &Event::Board {
            position: armies(&[(TURKEY, "bur")]),
        },
    );
    assert!(given(&mut game, TURK).is_empty());
    let labels = VariantGame::new(&game, &OwnNames).seen_by(TURK).labels();
    assert_eq!(labels.known().count(), 6);
    assert_eq!(
        (labels.name(ITALY), labels.name(GERMANY)),
        ("Elam II", "babel II")
    );
}

#[test]
fn a_master_reads_of_all_by_labels_of_his_own() {
    let mut game = begun(&[
        (TURKEY, "bur"),
        (FRANCE, "par"),
        (GERMANY, "mun"),
        (RUSSIA, "mos"),
    ]);
    assert_eq!(
        given(&mut game, Viewer::Master),
        list(&[
            (TURKEY, "Kush"),
            (RUSSIA, "Aram"),
            (GERMANY, "babel"),
            (FRANCE, "Babel II"),
            // A power without anything on the board comes last.
            (AUSTRIA, "Elam"),
            (ENGLAND, "Babel III"),
            (ITALY, "Elam II"),
        ])
    );
    assert!(
        given(&mut game, Viewer::Observer).is_empty(),
        "he sees nothing of a hidden board"
    );
}

#[test]
fn who_was_seen_only_on_the_way_is_named_in_the_report() {
    let mut game = begun(&[(TURKEY, "bur"), (RUSSIA, "mos")]);
    given(&mut game, TURK);
    // Russia arrived beside Turkey, was dislodged there and had no retreat.
    let came = armies(&[(TURKEY, "bur"), (RUSSIA, "par")]);
    let after = armies(&[(TURKEY, "bur")]);
    let (turn, number) = (game.turn, game.number + 1);
    happens(
        &mut game,
        &Event::Played(Arc::new(Played {
            number,
            turn,
            phase: Phase::Movement,
            outcomes: Vec::new(),
            destroyed: vec![came.units[1]],
            adjusted: Vec::new(),
            position: after,
        })),
    );
    assert_eq!(given(&mut game, TURK), list(&[(RUSSIA, "Aram")]));
}

#[test]
fn a_sender_addresses_his_contacts_by_his_own_labels() {
    let mut game = begun(&AROUND_BURGUNDY);
    happens(
        &mut game,
        &contacts(&[(TURKEY, RUSSIA), (FRANCE, TURKEY), (ENGLAND, FRANCE)]),
    );
    // A contact out of sight comes behind those in sight.
    assert_eq!(
        given(&mut game, TURK).last(),
        Some(&(RUSSIA, "Aram".to_owned()))
    );
    let called = |viewer: Viewer| -> Vec<(Power, String)> {
        let roster = VariantGame::new(&game, &OwnNames).seen_by(viewer).roster();
        let names = roster
            .iter()
            .map(|(power, info)| (power, info.name.clone()));
        names.collect()
    };
    assert_eq!(
        called(TURK),
        list(&[(FRANCE, "Babel III"), (RUSSIA, "Aram"), (TURKEY, "Kush")]),
        "not whom he sees only"
    );
}

#[test]
fn a_game_that_is_dealt_anew_begins_without_labels() {
    let mut game = begun(&AROUND_BURGUNDY);
    given(&mut game, TURK);
    happens(&mut game, &Event::Unstarted);
    assert_eq!(
        VariantGame::new(&game, &OwnNames)
            .seen_by(TURK)
            .labels()
            .known()
            .count(),
        0
    );
    assert!(
        VariantGame::new(&game, &OwnNames)
            .seen_by(TURK)
            .labels_to_give()
            .is_empty(),
        "nobody is in play"
    );
}

#[test]
fn numbers_behind_names_are_roman() {
    let numerals: Vec<String> = [2, 3, 4, 9, 14, 40, 99, 255]
        .into_iter()
        .map(roman)
        .collect();
    assert_eq!(
        numerals,
        ["II", "III", "IV", "IX", "XIV", "XL", "XCIX", "CCLV"]
    );
}

#[test]
fn whom_a_mail_introduces_is_given_a_label_though_nothing_of_his_is_seen() {
    let mut game = begun(&AROUND_BURGUNDY);
    given(&mut game, TURK);
    let introduced = |game: &Game, viewer| {
        let new = VariantGame::new(game, &OwnNames)
            .seen_by(viewer)
            .labels_to_introduce(&[RUSSIA, FRANCE, ITALY]);
        let new = new.into_iter().map(|one| (one.power, one.label));
        new.collect::<Vec<_>>()
    };
    // The reader has a label for France already; the others are in the order of introduction.
    assert_eq!(
        introduced(&game, TURK),
        list(&[(RUSSIA, "Aram"), (ITALY, "Elam")])
    );
    assert_eq!(
        introduced(&game, Viewer::Power(AUSTRIA)),
        list(&[(RUSSIA, "Aram"), (FRANCE, "Babel"), (ITALY, "Elam")])
    );
    assert!(
        VariantGame::new(&game, &Plain)
            .seen_by(TURK)
            .labels_to_introduce(&[RUSSIA])
            .is_empty()
    );
}

#[test]
fn a_power_writes_to_whom_it_may_address_and_where_names_are_public_to_all() {
    let mut game = begun(&AROUND_BURGUNDY);
    happens(&mut game, &contacts(&[(TURKEY, RUSSIA)]));
    assert!((&OwnNames as &dyn Variant).may_press(&game, TURKEY, RUSSIA));
    assert!((&OwnNames as &dyn Variant).may_press(&game, RUSSIA, TURKEY));
    assert!(
        !(&OwnNames as &dyn Variant).may_press(&game, TURKEY, FRANCE),
        "it sees him, and has not met him"
    );
    assert!((&Plain as &dyn Variant).may_press(&game, TURKEY, FRANCE));
}
