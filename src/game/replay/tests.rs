//! Replays of phases in the standard game.

use jiff::Timestamp;

use super::super::SettingChange;
use super::super::testing::{Plain, created};
use super::*;
use dipjudge_rules::calendar::Season;
use dipjudge_rules::map::{Location, Province, UnitKind};
use dipjudge_rules::orders::{Action, NewUnit, Passage};
use dipjudge_rules::position::UnitId;

fn begun() -> GameEdit<'static> {
    let mut edit = GameEdit::of(&created("again"), &Plain, Timestamp::UNIX_EPOCH);
    let powers = edit.game.powers.to_vec();
    edit.emit(Event::Dealt {
        powers,
        holders: Vec::new(),
    });
    phases::begin(&mut edit);
    edit
}

fn province(code: &str) -> Province {
    code.parse().unwrap()
}

fn unit(edit: &GameEdit, at: &str) -> Unit {
    *edit.game.position.standing(province(at)).unwrap()
}

fn order(edit: &mut GameEdit, at: &str, action: Action) {
    let Unit { id, power, .. } = unit(edit, at);
    edit.emit(Event::Ordered {
        power,
        unit: id,
        action,
        named: None,
    });
}

fn go(edit: &mut GameEdit, from: &str, to: &str) {
    let to = Location::from(province(to));
    let by = Passage::Auto;
    order(edit, from, Action::Move { to, by });
}

fn support(edit: &mut GameEdit, at: &str, from: &str, to: &str) {
    let (from, to) = (province(from), province(to).into());
    order(edit, at, Action::SupportMove { from, to });
}

/// What a master has overruled.
fn set_down(edit: &mut GameEdit, id: UnitId, at: &str) {
    let mut position = edit.game.position.clone();
    let mut units = position.units.iter_mut();
    units.find(|unit| unit.id == id).unwrap().at = province(at).into();
    edit.emit(Event::Board { position });
}

fn replay(edit: &mut GameEdit, number: u32) -> Came {
    let mut replay = Replay::from(edit, number);
    while replay.play_on(edit).expect("the results hold") {}
    replay.finish(edit)
}

fn phase(season: Season, phase: Phase) -> (Turn, Phase) {
    (Turn { year: 1901, season }, phase)
}

/// A German army enters Burgundy in Spring, the master moves it to Belgium, and France enters Burgundy with support.
fn until_winter() -> GameEdit<'static> {
    let mut edit = begun();
    go(&mut edit, "MUN", "BUR");
    phases::run(&mut edit).expect("the results hold");
    let army = unit(&edit, "BUR").id;
    set_down(&mut edit, army, "BEL");
    order(&mut edit, "BEL", Action::Hold);
    go(&mut edit, "PAR", "BUR");
    support(&mut edit, "MAR", "PAR", "BUR");
    phases::run(&mut edit).expect("the results hold");
    assert_eq!(edit.game.phase, Phase::Adjustments);
    edit
}

#[test]
fn the_same_comes_of_the_same() {
    let mut edit = begun();
    go(&mut edit, "MUN", "BUR");
    phases::run(&mut edit).expect("the results hold");
    go(&mut edit, "BUR", "BEL");
    phases::run(&mut edit).expect("the results hold");
    let germany = unit(&edit, "BEL").power;
    edit.emit(Event::Waits {
        power: germany,
        on: true,
    });
    let before = edit.game.clone();
    let came = replay(&mut edit, 1);
    let expected = Came {
        in_same_phase: true,
        ..Came::default()
    };
    assert_eq!(came, expected);
    assert_eq!(edit.game.position, before.position);
    assert_eq!(edit.game.number, before.number);
    assert_eq!(edit.game.last, before.last);
    assert_eq!(edit.game.years, before.years);
    assert!(edit.game.standing(germany).wait);
}

#[test]
fn what_was_overruled_is_not_repeated_and_a_new_phase_has_no_orders() {
    let mut edit = until_winter();
    let germany = unit(&edit, "BEL").power;
    let build = Action::Build(NewUnit {
        kind: UnitKind::ARMY,
        at: province("MUN").into(),
    });
    edit.emit(Event::Adjusting {
        power: germany,
        orders: vec![build.clone()],
    });
    let came = replay(&mut edit, 1);
    assert_eq!(came.new, [phase(Season::Fall, Phase::Retreats)]);
    assert_eq!(came.skipped, []);
    let [left_out] = came.left_out.as_slice() else {
        panic!("{:?}", came.left_out);
    };
    assert_eq!(left_out.power, germany);
    assert_eq!(left_out.unit.unwrap().at.province, province("BEL"));
    assert!(came.in_same_phase);
    assert_eq!(edit.game.unit_count(germany), 2);
    assert_eq!(edit.game.standing(germany).orders.winter, [build]);
}

#[test]
fn a_phase_that_does_not_come_again_is_skipped() {
    let mut edit = until_winter();
    // The first replay turns this into a retreat, which the second does not have.
    replay(&mut edit, 1);
    let number = edit.game.past.last().unwrap().number;
    assert_eq!(edit.game.past.last().unwrap().phase, Phase::Retreats);
    let mut past = edit.game.past[1].as_ref().clone();
    past.orders.clear();
    edit.game.past[1] = past.into();
    let came = replay(&mut edit, 2);
    // Nor does the Winter that was in hand occur: the lost army survives.
    let skipped = [
        phase(Season::Fall, Phase::Retreats),
        phase(Season::Winter, Phase::Adjustments),
    ];
    assert_eq!(came.skipped, skipped);
    assert_eq!(came.new, []);
    assert_eq!(edit.game.number + 1, number);
}

#[test]
fn a_build_that_is_not_due_any_more_is_left_out() {
    let mut edit = begun();
    go(&mut edit, "MUN", "BUR");
    phases::run(&mut edit).expect("the results hold");
    let army = unit(&edit, "BUR").id;
    set_down(&mut edit, army, "BEL");
    phases::run(&mut edit).expect("the results hold");
    let germany = unit(&edit, "BEL").power;
    edit.emit(Event::Adjusting {
        power: germany,
        orders: vec![Action::Waive],
    });
    // Without Belgium nobody builds, so Winter does not occur, and its orders are dropped.
    let came = replay(&mut edit, 1);
    assert!(!came.in_same_phase);
    assert_eq!(came.skipped, [phase(Season::Winter, Phase::Adjustments)]);
    assert_eq!(edit.game.phase, Phase::Movement);
    assert!(edit.game.standing(germany).orders.is_empty());
}

#[test]
fn a_replay_that_comes_to_an_end_stops_there() {
    let mut edit = begun();
    for (from, to) in [("MUN", "RUH"), ("KIE", "DEN"), ("BER", "KIE")] {
        go(&mut edit, from, to);
    }
    phases::run(&mut edit).expect("the results hold");
    for (from, to) in [("RUH", "BEL"), ("KIE", "HOL")] {
        go(&mut edit, from, to);
    }
    phases::run(&mut edit).expect("the results hold");
    phases::run(&mut edit).expect("the results hold");
    edit.emit(Event::Set(SettingChange::Centers(Some(6))));
    assert!(!edit.game.over());
    let came = replay(&mut edit, 1);
    assert!(edit.game.over() && !came.in_same_phase);
    assert_eq!(edit.game.number, 2);
}

#[test]
fn a_game_that_was_paused_is_paused_again() {
    let mut edit = begun();
    phases::run(&mut edit).expect("the results hold");
    edit.emit(Event::Paused);
    replay(&mut edit, 1);
    assert_eq!(edit.game.state, State::Paused);
}
