//! The master's last word in a game of Rather Silly: every field that it keeps is overruled, phases are replayed, settings change
//! from a phase on; and the log of it all is played again.

use dipjudge::commands::names::Names;
use dipjudge::commands::orders::grammar_of;
use dipjudge::commands::overrule_words::{OverruleSubject, read_overrule};
use dipjudge::game::overrule::{self, Overruled};
use dipjudge::game::replay::Replay;
use dipjudge::game::{
    Cause, Event, Game, GameEdit, Phase, Record, Seed, SettingChange, ToCome, VariantGame, apply,
    order_of_play, phases,
};
use dipjudge::map::{Power, Province};
use dipjudge::view::Viewer;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::rather_silly::{dealt, variant};

/// A game in Winter 1900, whose seven powers have leaders.
fn begun() -> GameEdit<'static> {
    let mut edit = dealt(7, Seed::new([7; 32]));
    phases::begin(&mut edit);
    edit
}

fn in_spring() -> GameEdit<'static> {
    let mut edit = begun();
    phases::run(&mut edit).expect("the results hold");
    assert_eq!(edit.game.phase, Phase::Movement);
    edit
}

/// What comes of a line behind OVERRULE.
fn overruled(edit: &GameEdit, line: &str) -> Result<Overruled, String> {
    let game = &edit.game;
    let roster = VariantGame::new(game, variant())
        .seen_by(Viewer::Master)
        .roster();
    let names = Names::of(game.map(), &roster);
    let read = read_overrule(line, grammar_of(variant()), &names);
    match read.map_err(|error| error.to_string())?.subject {
        OverruleSubject::Board(what) => overrule::on_board(game, &what),
        OverruleSubject::Own(line) => overrule::of_variant(edit, &line),
    }
    .map_err(|refusal| refusal.0.join("  "))
}

fn rule(edit: &mut GameEdit, line: &str) {
    let overruled = overruled(edit, line).unwrap_or_else(|why| panic!("{line}: {why}"));
    for event in overruled.events {
        edit.emit(event);
    }
}

fn state(edit: &GameEdit) -> Value {
    edit.game.data().read().unwrap()
}

/// The units in a space, each with its power and kind and with what it is beyond that.
fn units(edit: &GameEdit, at: &str) -> Vec<(u8, String, Value)> {
    let traits = &state(edit)["traits"];
    let at: Province = at.parse().unwrap();
    let units = edit.game.position.units.iter();
    let there = units.filter(|unit| unit.at.province == at);
    there
        .map(|unit| {
            let traits = traits[unit.id.0.to_string()].clone();
            (unit.power.0, unit.kind.to_string(), traits)
        })
        .collect()
}

/// Lines that each change one thing of the state, with its place there and its value then.
fn tables() -> Vec<(&'static str, &'static str, Value)> {
    vec![
        ("PLACE BORG Mun", "/borg", json!({"At": "MUN"})),
        ("MOVE BORG TO Ruh", "/borg", json!({"At": "RUH"})),
        ("REMOVE BORG", "/borg", json!("Never")),
        ("PLACE TARDIS HYPERSPACE", "/tardis", json!("Hyperspace")),
        ("MOVE THE TARDIS TO Lon", "/tardis", json!({"At": "LON"})),
        ("MOVE TARDIS TO HYPERSPACE", "/tardis", json!("Hyperspace")),
        ("ACCOUNT FRANCE 3/2", "/accounts/2", json!(3780)),
        ("ACCOUNT DOCTOR 1/7", "/accounts/9", json!(360)),
        ("LOST FRANCE 2", "/lost_souls/2", json!(2)),
        ("POINTS 7", "/points", json!(7)),
        ("CENTRES DOCTOR 5", "/doctors_centers", json!(5)),
        ("LINK Tun-Lon", "/link", json!(["LON", "TUN"])),
        ("BONUS JESTER ON", "/bonus", json!([7])),
        ("BONUS SOOTHSAYER on", "/bonus", json!([7, 10])),
        ("BONUS JESTER OFF", "/bonus", json!([10])),
        ("FLEETS ENGLAND 4", "/fleets_built/1", json!(4)),
        ("PAIR GERMANY ON", "/paired", json!([3])),
        ("OUT TURKEY ON", "/out", json!([6])),
        ("STANDOFF Pic ON", "/season/register", json!({"PIC": []})),
        ("SHOO Pic ON", "/season/shooed", json!(["PIC"])),
        ("LLAMAS FRANCE ADD Gas", "/herds/2", json!(["GAS"])),
        ("LLAMAS FRANCE ADD NTH", "/herds/2", json!(["GAS", "NTH"])),
        ("LLAMAS FRANCE DROP GAS", "/herds/2", json!(["NTH"])),
    ]
}

/// Lines that take such things back.
const TAKEN_BACK: [&str; 9] = [
    "ACCOUNT FRANCE 0",
    "ACCOUNT DOCTOR 0",
    "LOST FRANCE 0",
    "LINK NONE",
    "OUT TURKEY OFF",
    "PAIR GERMANY OFF",
    "STANDOFF Pic OFF",
    "SHOO Pic OFF",
    "FLEETS ENGLAND 0",
];

#[test]
fn every_table_is_overruled() {
    let mut edit = in_spring();
    for (line, pointer, value) in tables() {
        rule(&mut edit, line);
        assert_eq!(state(&edit).pointer(pointer), Some(&value), "{line}");
    }
    for line in TAKEN_BACK {
        rule(&mut edit, line);
    }
    let state = state(&edit);
    for pointer in [
        "/accounts",
        "/lost_souls",
        "/fleets_built",
        "/season/register",
    ] {
        assert_eq!(state.pointer(pointer), Some(&json!({})), "{pointer}");
    }
    for pointer in ["/out", "/paired", "/season/shooed"] {
        assert_eq!(state.pointer(pointer), Some(&json!([])), "{pointer}");
    }
    assert_eq!(state["link"], Value::Null);
}

#[test]
fn every_field_of_a_unit_is_overruled() {
    let mut edit = in_spring();
    let plain =
        json!({"n": 1, "gay": false, "siamese": false, "free": false, "soul": 0, "sold": false});
    let with = |changed: Value| {
        let mut traits = plain.clone();
        let all = changed.as_object().unwrap().clone();
        traits.as_object_mut().unwrap().extend(all);
        traits
    };
    let army = |power: u8, traits: Value| vec![(power, "A".to_owned(), traits)];
    let whole = with(json!({"n": 2, "free": true, "gay": true, "soul": 2}));
    for (line, at, expected) in [
        (
            "PLACE FRENCH A Bur [n=2 free gay soul=2]",
            "BUR",
            army(2, whole.clone()),
        ),
        ("MOVE FRENCH A Bur TO Gas", "GAS", army(2, whole)),
        (
            "ALTER FRENCH A Gas soul=0, gay=off",
            "GAS",
            army(2, with(json!({"n": 2, "free": true}))),
        ),
        (
            "ALTER A Gas n=1 free=no sold siamese",
            "GAS",
            army(2, with(json!({"sold": true, "siamese": true}))),
        ),
        (
            "ALTER A Gas [owner=ENGLAND kind=F, sold=off]",
            "GAS",
            vec![(1, "F".to_owned(), with(json!({"siamese": true})))],
        ),
        ("REMOVE ENGLISH F Gas", "GAS", vec![]),
        ("PLACE RUSSIAN A Gas", "GAS", army(5, Value::Null)),
        ("PLACE FRENCH B Gas free", "GAS", {
            let birds = (2, "B".to_owned(), with(json!({"free": true})));
            army(5, Value::Null).into_iter().chain([birds]).collect()
        }),
        (
            "PLACE SEA MONSTERS Tun",
            "TUN",
            vec![(Power::NEUTRAL.0, "SEA".to_owned(), Value::Null)],
        ),
        ("MOVE MONSTERS SEA Tun TO WES", "TUN", vec![]),
        (
            "PLACE MASTERMIND'S F Ice [free]",
            "ICE",
            vec![(8, "F".to_owned(), with(json!({"free": true})))],
        ),
    ] {
        rule(&mut edit, line);
        assert_eq!(units(&edit, at), expected, "{line}");
    }
}

#[test]
fn what_a_unit_was_does_not_go_on_to_one_that_is_placed_later() {
    let mut edit = in_spring();
    rule(&mut edit, "PLACE FRENCH A Bur n=3");
    rule(&mut edit, "REMOVE FRENCH A Bur");
    rule(&mut edit, "PLACE FRENCH A Bur");
    assert_eq!(units(&edit, "BUR"), [(2, "A".to_owned(), Value::Null)]);
}

#[test]
fn what_does_not_fit_is_refused_in_a_sentence() {
    let mut edit = in_spring();
    rule(&mut edit, "PLACE FRENCH B Bur");
    let before = edit.game.clone();
    for (line, why) in [
        ("PLACE FRENCH B Ruh n=2", "Only armies and fleets"),
        ("PLACE FRENCH FA Ruh free", "Only armies, fleets and BIRDS"),
        ("PLACE FRENCH A Ruh soul=3", "two seasons at most"),
        ("PLACE FRENCH A Ruh n=0", "n=1"),
        ("PLACE FRENCH A Ruh n=-1", "not below zero"),
        ("PLACE A Ruh", "Say whose"),
        ("PLACE FRENCH A NTH", "cannot stand"),
        ("ALTER FRENCH A Par kind=F", "cannot stand"),
        ("ALTER FRENCH A Par owner=MONSTERS", "SEA MONSTERS"),
        ("ALTER FRENCH A Par retreats", "phase of retreats"),
        ("ALTER FRENCH A Par soul=0", "set that way already"),
        ("ALTER FRENCH A Ruh soul=0", "no such unit"),
        ("MOVE A Par TO Mar", "stands in Marseilles already"),
        ("ACCOUNT FRANCE 1/11", "exact fraction"),
        ("ACCOUNT FRANCE 1/0", "exact fraction"),
        ("ACCOUNT FRANCE -1", "exact fraction"),
        ("ACCOUNT SOOTHSAYER 1", "have no account"),
        ("LINK Lon-Lon", "two different spaces"),
        ("BONUS DOCTOR ON", "Only JESTER and SOOTHSAYER"),
        ("OUT JESTER ON", "Only the seven powers"),
        ("CENTERS FRANCE 3", "OVERRULE OWNER"),
        ("POINTS 0", "set that way already"),
        ("PLACE TARDIS Cor", "Iceland or Corfu"),
        ("LLAMAS FRANCE ADD Par", "supply center"),
        ("LLAMAS DOCTOR ADD Gas", "Only the seven powers"),
        ("LINK Lon", "missing"),
        ("POINTS many", "I expected a number instead of `many`"),
    ] {
        let told = overruled(&edit, line).unwrap_err();
        assert!(told.contains(why), "{line}: {told}");
    }
    assert_eq!(edit.game, before);
    let winter = begun();
    let told = overruled(&winter, "LLAMAS FRANCE ADD Gas").unwrap_err();
    assert!(told.contains("when this phase is over"), "{told}");
}

/// What all read, the master too, must not tell where herds are.
#[test]
fn a_herd_that_is_overruled_is_told_in_the_same_words_whatever_was_there() {
    let mut edit = in_spring();
    let mut said = Vec::new();
    for line in [
        "LLAMAS FRANCE ADD Gas",
        "LLAMAS FRANCE ADD Gas",
        "LLAMAS FRANCE ADD Pic",
        "LLAMAS FRANCE ADD Ruh",
        "LLAMAS FRANCE ADD NTH",
        "LLAMAS FRANCE DROP Sil",
        "LLAMAS FRANCE DROP Gas",
    ] {
        let overruled = overruled(&edit, line).unwrap();
        let owners: Vec<u8> = overruled.apart.iter().map(|(power, _)| power.0).collect();
        assert_eq!(owners, [2]);
        said.push(overruled.done);
        rule(&mut edit, line);
    }
    said.dedup();
    assert_eq!(said.len(), 1);
}

#[test]
fn a_unit_is_made_to_retreat_and_to_stay() {
    let mut edit = in_spring();
    rule(&mut edit, "PLACE FRENCH FA Bur");
    rule(&mut edit, "PLACE GERMAN A Bur");
    let mut driven = edit.game.position.clone();
    let army = driven.units.pop().unwrap();
    driven.dislodged.push(dipjudge::position::Dislodged {
        unit: army,
        attacker: None,
        options: vec![],
    });
    edit.emit(Event::Board { position: driven });
    let (turn, phase) = (edit.game.turn, Phase::Retreats);
    edit.emit(Event::Opened { turn, phase });
    rule(&mut edit, "ALTER GERMAN A Bur barred=Bel");
    let away = &edit.game.position.dislodged;
    assert_eq!(away.len(), 1);
    assert_eq!(away[0].attacker, Some("BEL".parse().unwrap()));
    let to: Vec<String> = away[0].options.iter().map(|to| to.to_string()).collect();
    assert!(
        !to.contains(&"BEL".to_owned()) && to.contains(&"RUH".to_owned()),
        "{to:?}"
    );
    rule(&mut edit, "ALTER GERMAN A Bur retreats=off");
    assert!(edit.game.position.dislodged.is_empty());
    rule(&mut edit, "ALTER FRENCH FA Bur retreats");
    assert_eq!(edit.game.position.dislodged.len(), 1);
}

fn to_come(edit: &mut GameEdit, name: &str, value: &str, from: &str) {
    let (turn, phase) = order_of_play::named(variant(), from).unwrap();
    let one = ToCome {
        value: value.to_owned(),
        turn,
        phase,
    };
    let mut all = edit.game.settings.own_to_come.clone();
    all.insert(name.to_owned(), one);
    edit.emit(Event::Set(SettingChange::OwnToCome(all)));
}

/// The records as they stand in a log, line by line, and the game that they make.
fn from_log(events: &[Event]) -> Game {
    let log: Vec<String> = events
        .chunks(7)
        .map(|events| Record {
            v: 1,
            at: Timestamp::UNIX_EPOCH,
            cause: Cause::Clock,
            events: events.to_vec(),
        })
        .map(|record| serde_json::to_string(&record).unwrap())
        .collect();
    let game = log.iter().fold(None, |game, line| {
        let record: Record = serde_json::from_str(line).unwrap();
        let readable = record.events.iter();
        readable.for_each(|event| dipjudge::game::stored::check(event, variant()).unwrap());
        Some(apply::replay(game, &record).unwrap())
    });
    game.unwrap()
}

#[test]
fn a_log_with_all_of_it_is_played_again_to_the_same_bytes() {
    let mut edit = in_spring();
    to_come(&mut edit, "tardis-legs", "two", "F1901");
    to_come(&mut edit, "jester-year", "1910", "F1903R");
    for (line, _, _) in tables() {
        rule(&mut edit, line);
    }
    for line in [
        "PLACE FRENCH A Bur [n=2 free gay soul=2]",
        "PLACE GERMAN FA Bur",
        "MOVE FRENCH A Bur TO Gas",
        "ALTER FRENCH A Gas soul=0",
        "REMOVE FRENCH A Par",
        "OWNER Bel FRANCE",
    ] {
        rule(&mut edit, line);
    }
    for _ in 0..5 {
        phases::run(&mut edit).expect("the results hold");
    }
    assert_eq!(edit.game.settings.own["tardis-legs"], "two");
    rule(&mut edit, "POINTS 9");
    let until = (edit.game.turn, edit.game.phase.clone());
    let number = edit.game.past[1].number;
    let mut replay = Replay::from(&mut edit, number);
    while replay.play_on(&mut edit).expect("the results hold") {}
    let came = replay.finish(&mut edit);
    assert!(came.in_same_phase);
    assert_eq!((edit.game.turn, edit.game.phase.clone()), until);
    // It was overruled behind the phases that were played again.
    assert_ne!(state(&edit)["points"], json!(9));
    for line in TAKEN_BACK {
        // Some of it has passed by itself since.
        if overruled(&edit, line).is_ok() {
            rule(&mut edit, line);
        }
    }
    let again = from_log(&edit.events);
    assert_eq!(again, edit.game);
    let bytes = |game: &Game| serde_json::to_vec(game).unwrap();
    assert_eq!(bytes(&again), bytes(&edit.game));
}

#[test]
fn the_same_seed_draws_the_same_when_phases_are_replayed() {
    let mut edit = in_spring();
    for _ in 0..4 {
        phases::run(&mut edit).expect("the results hold");
    }
    let before = edit.game.clone();
    let mut replay = Replay::from(&mut edit, 1);
    while replay.play_on(&mut edit).expect("the results hold") {}
    replay.finish(&mut edit);
    assert_eq!(edit.game.position, before.position);
    assert_eq!(edit.game.data(), before.data());
}
