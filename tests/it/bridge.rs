//! The worked cases of Bridge's rules page that are tables: `tests/bridge/*.txt`, one case a line.

use std::collections::BTreeSet;

use dipjudge::calendar::PhaseKind;
use dipjudge::calendar::{Season, Turn};
use dipjudge::commands::consider::consider;
use dipjudge::commands::names::Names;
use dipjudge::commands::orders::{grammar_of, read_orders_by};
use dipjudge::game::{
    Adjustment, Ending, Event, Game, GameEdit, Phase, Seed, SettingChange, State, Variant,
    VariantGame, apply, phases,
};
use dipjudge::map::{Map, Power, Province};
use dipjudge::orders::{Action, Stronghold};
use dipjudge::position::{Position, Unit};
use dipjudge::variants;
use dipjudge::view::Viewer;
use serde_json::{Value, json};

fn bridge() -> &'static dyn Variant {
    variants::named("bridge").unwrap()
}

/// The cells of every line that is a case.
fn cases(text: &str) -> Vec<Vec<&str>> {
    let lines = text.lines().filter(|line| line.starts_with("| "));
    lines
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect()
}

fn number(text: &str) -> i64 {
    text.replace('−', "-")
        .trim_start_matches('+')
        .parse()
        .unwrap()
}

/// A power by the first letters of its key.
fn power(word: &str) -> Power {
    let found = Map::standard()
        .powers()
        .iter()
        .position(|info| info.key.starts_with(word));
    Power(u8::try_from(found.unwrap()).unwrap())
}

fn key(power: Power) -> &'static str {
    &Map::standard().powers()[usize::from(power.0)].key
}

/// `GER: A BER, A MUN; RUS: A PRU` as lists by power.
fn sides(text: &str) -> Vec<(Power, Vec<&str>)> {
    if text == "none" {
        return Vec::new();
    }
    text.split("; ")
        .map(|side| {
            let (name, list) = side.split_once(": ").unwrap();
            (power(name), list.split(", ").collect())
        })
        .collect()
}

/// A game of Bridge in the middle of things.
struct Scene {
    turn: Turn,
    phase: Phase,
    position: Position,
    settings: Value,
    state: Value,
}

impl Scene {
    fn at(season: Season, phase: Phase) -> Scene {
        Scene {
            turn: Turn { year: 1905, season },
            phase,
            position: Position::default(),
            settings: json!({}),
            state: json!({}),
        }
    }

    fn unit(&mut self, power: Power, text: &str) {
        let (kind, at) = text.split_once(' ').unwrap();
        self.position.units.push(Unit {
            id: self.position.free_id(),
            power,
            kind: kind.parse().unwrap(),
            at: at.parse().unwrap(),
        });
    }

    fn own(&mut self, power: Power, center: &str) {
        self.position.owners.insert(center.parse().unwrap(), power);
    }

    fn edit(&self) -> GameEdit<'static> {
        let variant = bridge();
        let created = variant.card().created("scene", Seed::new([0; 32]));
        let now = "2026-11-30T10:30:00Z".parse().unwrap();
        let game = apply::create(&created, now).unwrap();
        let mut edit = GameEdit::of(&game, variant, now);
        let own = serde_json::from_value(self.settings.clone()).unwrap();
        edit.emit(Event::Set(SettingChange::Own(own)));
        edit.emit(Event::Dealt {
            powers: Map::standard().powers().to_vec(),
            holders: Vec::new(),
        });
        edit.emit(Event::Begun {
            turn: self.turn,
            phase: self.phase.clone(),
            position: self.position.clone(),
            data: Default::default(),
        });
        let keys = self.state.as_object().unwrap();
        for event in variant.read_state(keys, &edit.game).unwrap() {
            edit.emit(event);
        }
        edit
    }
}

/// Gives an order as its power would write it.
fn order(edit: &mut GameEdit<'_>, power: Power, line: &str) {
    let kind = match edit.game.phase {
        Phase::Movement => PhaseKind::Movement,
        Phase::Retreats => PhaseKind::Retreats,
        _ => PhaseKind::Adjustments,
    };
    let roster = edit.variant_game().seen_by(Viewer::Power(power)).roster();
    let names = Names::of(edit.game.map(), roster);
    for words in read_orders_by(grammar_of(edit.variant), line, kind, &names) {
        let words = words.unwrap_or_else(|error| panic!("{line}: {error}"));
        let sight = edit.variant_game().sight_of(power);
        let considered =
            consider(&sight, edit.variant, &words).unwrap_or_else(|why| panic!("{line}: {why:?}"));
        for effect in considered.effects {
            edit.emit(effect.event(power));
        }
    }
}

fn own_state(game: &Game) -> Value {
    Value::Object(VariantGame::new(game, bridge()).own_state(None))
}

fn forts(game: &Game) -> BTreeSet<String> {
    own_state(game)["forts"]
        .as_object()
        .unwrap()
        .values()
        .flat_map(|list| list.as_array().unwrap())
        .map(|province| province.as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn the_ladder_has_the_rungs_of_the_rules_page() {
    // B1 to B4: what a defender counts, by both settings.
    for (setting, rungs) in [("plus1", [1, 2, 3, 4]), ("times2", [1, 2, 4, 6])] {
        let mut scene = Scene::at(Season::Spring, Phase::Movement);
        scene.own(power("GER"), "BER");
        scene.unit(power("GER"), "A KIE");
        scene.settings = json!({"fort-strength": setting});
        scene.state = json!({"forts": {"GERMANY": ["BER"]}});
        let edit = scene.edit();
        let overlay = bridge().overlay(&edit.game);
        let berlin: Province = "BER".parse().unwrap();
        let fort: &Stronghold = &overlay.strongholds[&berlin];
        let against = |strength| fort.against(power("RUS"), strength);
        assert_eq!([0, 1, 2, 3].map(against), rungs, "{setting}");
        assert_eq!(
            [0, 1, 2, 3].map(|n| fort.against(power("GER"), n)),
            [0, 1, 2, 3]
        );
    }
}

/// `A PRU-BER`
fn told(unit: &Unit, action: &Action) -> Option<String> {
    match action {
        Action::Move { to, .. } => Some(format!("{} {}-{to}", unit.kind, unit.at)),
        _ => None,
    }
}

#[test]
fn movement_with_forts() {
    let all = cases(include_str!("../bridge/movement.txt"));
    assert_eq!(all.len(), 32);
    for case in all {
        let [name, standing, units, orders, expected, what] = case.as_slice() else {
            panic!("six columns: {case:?}");
        };
        let mut scene = Scene::at(Season::Spring, Phase::Movement);
        if name.ends_with("times2") {
            scene.settings = json!({"fort-strength": "times2"});
        }
        let mut own = serde_json::Map::new();
        for (owner, centers) in sides(standing) {
            centers.iter().for_each(|center| scene.own(owner, center));
            own.insert(key(owner).to_owned(), json!(centers));
        }
        scene.state = json!({ "forts": own });
        for (owner, units) in sides(units) {
            units.iter().for_each(|unit| scene.unit(owner, unit));
        }
        let mut edit = scene.edit();
        let before = forts(&edit.game);
        for (owner, orders) in sides(orders) {
            for line in orders {
                order(&mut edit, owner, line);
            }
        }
        phases::run(&mut edit).expect("the results hold");
        let game = &edit.game;
        let played = game.last.as_ref().unwrap();
        let mut found: Vec<(&str, BTreeSet<String>)> = Vec::new();
        let moves = |well: bool| -> BTreeSet<String> {
            played
                .outcomes
                .iter()
                .filter(|outcome| outcome.marks.is_empty() == well)
                .filter_map(|outcome| told(&outcome.unit, outcome.action.as_ref()?))
                .collect()
        };
        found.push(("ok", moves(true)));
        found.push(("fail", moves(false)));
        let out = |unit: &Unit, options: String| {
            let short = &key(unit.power)[..3];
            format!("{short} {} {} > {options}", unit.kind, unit.at)
        };
        let retreating = played.position.dislodged.iter().map(|dislodged| {
            let mut options: Vec<String> =
                dislodged.options.iter().map(|to| to.to_string()).collect();
            options.sort();
            out(&dislodged.unit, options.join(" "))
        });
        let gone = played
            .destroyed
            .iter()
            .map(|unit| out(unit, "none".to_owned()));
        found.push(("out", retreating.chain(gone).collect()));
        found.push(("lost", before.difference(&forts(game)).cloned().collect()));
        for (word, found) in found {
            let listed: BTreeSet<String> = expected
                .split("; ")
                .filter_map(|part| part.strip_prefix(&format!("{word}: ")))
                .flat_map(|list| list.split(", "))
                .map(str::to_owned)
                .collect();
            assert_eq!(found, listed, "{name} ({what}): {word}");
        }
    }
}

/// Places where a unit takes no center, and centers, Germany's homes first.
const LAND: [&str; 12] = [
    "BOH", "GAL", "SIL", "RUH", "BUR", "TYR", "PIE", "GAS", "PIC", "UKR", "LVN", "PRU",
];
const CENTERS: [&str; 12] = [
    "BER", "KIE", "MUN", "DEN", "HOL", "SWE", "BEL", "NWY", "WAR", "PAR", "VIE", "TRI",
];

/// Germany with so many centers and units, and Turkey at the other end of the board.
fn germany(season: Season, phase: Phase, centers: usize, units: usize) -> Scene {
    let mut scene = Scene::at(season, phase);
    let (germany, turkey) = (power("GER"), power("TUR"));
    CENTERS[..centers]
        .iter()
        .for_each(|at| scene.own(germany, at));
    LAND[..units]
        .iter()
        .for_each(|at| scene.unit(germany, &format!("A {at}")));
    scene.own(turkey, "CON");
    scene.unit(turkey, "A CON");
    scene
}

#[test]
fn the_reckoning_at_the_opening_of_winter() {
    let all = cases(include_str!("../bridge/reckoning.txt"));
    assert_eq!(all.len(), 20);
    for case in all {
        let [name, numbers @ .., what] = case.as_slice() else {
            panic!("no case: {case:?}");
        };
        let numbers: Vec<i64> = numbers.iter().map(|text| number(text)).collect();
        let [h, b, c, e, units, after, t, adjust, due] = numbers.as_slice() else {
            panic!("nine numbers: {case:?}");
        };
        let (centers, count) = (
            usize::try_from(*c).unwrap(),
            usize::try_from(*units).unwrap(),
        );
        let mut scene = germany(Season::Fall, Phase::Movement, centers, count);
        scene.state = json!({
            "balance": {"GERMANY": e}, "held": {"GERMANY": h, "TURKEY": 1}, "bids": {"GERMANY": b, "TURKEY": 1},
        });
        let mut edit = scene.edit();
        phases::run(&mut edit).expect("the results hold");
        let (game, power) = (&edit.game, power("GER"));
        let state = own_state(game);
        let of = |key: &str| state[key]["GERMANY"].as_i64().unwrap_or(0);
        let allowance = i64::from(VariantGame::new(game, edit.variant).allowances().due(power));
        assert_eq!(of("balance"), *after, "{name} ({what}): balance");
        assert_eq!(allowance + *units, *t, "{name} ({what}): units allowed");
        assert_eq!(allowance, *adjust, "{name} ({what}): builds and removals");
        assert_eq!(of("due"), *due, "{name} ({what}): forts");
        assert_eq!(game.phase, Phase::Adjustments);
        // Read at the opening of the Winter itself, the same bids come to the same.
        let mut winter = germany(Season::Winter, Phase::Adjustments, centers, count);
        winter.state = scene.state.clone();
        assert_eq!(own_state(&winter.edit().game), state, "{name}");
    }
}

#[test]
fn builds_are_used_or_saved() {
    let all = cases(include_str!("../bridge/building.txt"));
    assert_eq!(all.len(), 4);
    for case in all {
        let [name, c, e, units, homes, occupied, result, what] = case.as_slice() else {
            panic!("eight columns: {case:?}");
        };
        let listed = |text: &'static str| -> Vec<&'static str> {
            text.split_whitespace()
                .filter(|word| *word != "none")
                .collect()
        };
        let (homes, occupied) = (listed(homes), listed(occupied));
        let mut scene = germany(Season::Winter, Phase::Adjustments, 0, 0);
        let power = power("GER");
        let others = CENTERS[3..].iter().copied();
        let centers = usize::try_from(number(c)).unwrap();
        homes
            .iter()
            .copied()
            .chain(others)
            .take(centers)
            .for_each(|at| scene.own(power, at));
        let places = occupied
            .iter()
            .copied()
            .chain(LAND)
            .take(units.parse().unwrap());
        places.for_each(|at| scene.unit(power, &format!("A {at}")));
        scene.state = json!({"balance": {"GERMANY": number(e)}});
        let mut edit = scene.edit();
        let free = homes.iter().filter(|home| !occupied.contains(home));
        free.take(edit.variant_game().allowances().counts(power).builds)
            .for_each(|home| order(&mut edit, power, &format!("Build A {home}")));
        phases::run(&mut edit).expect("the results hold");
        let (mut built, mut removed, mut saved) = (0, 0, 0);
        for adjusted in &edit.game.last.as_ref().unwrap().adjusted {
            match adjusted.what {
                Adjustment::Built(_) => built += 1,
                Adjustment::Removed(_) | Adjustment::Defaulted(_) => removed += 1,
                Adjustment::Saved(n) => saved += n,
                _ => panic!("{name}: nothing is waived: {adjusted:?}"),
            }
        }
        let found = match removed {
            0 => format!("build {built}, save {saved}"),
            removed => format!("remove {removed}"),
        };
        assert_eq!(&found, result, "{name} ({what})");
    }
}

/// Austria and England with so many units each, anywhere, and as many centers as are told; the game after the Winter.
fn after_winter(austria: usize, england: usize, centers: usize, settings: Value) -> State {
    let mut scene = Scene::at(Season::Winter, Phase::Adjustments);
    scene.settings = settings;
    let map = Map::standard();
    let (a, e) = (power("AUS"), power("ENG"));
    let free = |unit: &str| -> Vec<String> {
        let info = map.provinces().iter().filter(|info| match unit {
            "A" => info.terrain != dipjudge::map::Terrain::Sea,
            _ => info.terrain == dipjudge::map::Terrain::Sea,
        });
        info.map(|info| format!("{unit} {}", info.code)).collect()
    };
    let mut places = free("A").into_iter().chain(free("F"));
    places
        .by_ref()
        .take(austria)
        .for_each(|unit| scene.unit(a, &unit));
    places.take(england).for_each(|unit| scene.unit(e, &unit));
    for center in &map.centers()[..centers] {
        scene.position.owners.insert(*center, a);
    }
    let balance = |units: usize, centers: usize| units as i64 - centers as i64;
    scene.state =
        json!({"balance": {"AUSTRIA": balance(austria, centers).max(0), "ENGLAND": england}});
    let mut edit = scene.edit();
    phases::run(&mut edit).expect("the results hold");
    assert_eq!(edit.game.unit_count(a), austria);
    edit.game.state
}

#[test]
fn nineteen_units_win_when_a_winter_closes() {
    let (austria, england) = (power("AUS"), power("ENG"));
    let won = |winners: &[Power]| State::Over(Ending::Won(winners.to_vec()));
    let none = || json!({});
    // B61 to B64; B62 owns twenty centers and has no room for more than eighteen units.
    assert_eq!(after_winter(19, 12, 17, none()), won(&[austria]));
    assert_eq!(after_winter(18, 9, 20, none()), State::Running);
    assert_eq!(after_winter(19, 19, 17, none()), State::Running);
    assert_eq!(after_winter(20, 19, 17, none()), won(&[austria]));
    let shared = json!({"victory-tie": "shared"});
    assert_eq!(after_winter(19, 19, 17, shared), won(&[austria, england]));
}

#[test]
fn a_fort_that_fell_protects_nobody() {
    // B73: Russia enters the fort with one support, and a year's half later Germany takes Berlin back with one.
    let mut scene = Scene::at(Season::Spring, Phase::Movement);
    let (germany, russia) = (power("GER"), power("RUS"));
    scene.own(germany, "BER");
    scene.own(germany, "MUN");
    for (owner, unit) in [
        (germany, "A KIE"),
        (germany, "A MUN"),
        (russia, "A PRU"),
        (russia, "A SIL"),
    ] {
        scene.unit(owner, unit);
    }
    scene.state = json!({"forts": {"GERMANY": ["BER"]}});
    let mut edit = scene.edit();
    order(&mut edit, russia, "A PRU-BER; A SIL S A PRU-BER");
    phases::run(&mut edit).expect("the results hold");
    assert_eq!(forts(&edit.game), BTreeSet::new());
    order(&mut edit, germany, "A KIE-BER; A MUN S A KIE-BER");
    phases::run(&mut edit).expect("the results hold");
    let berlin = "BER".parse().unwrap();
    assert_eq!(edit.game.position.standing(berlin).unwrap().power, germany);
}

#[test]
fn who_is_out_is_not_asked_for_a_bid() {
    // B75: Turkey has neither unit nor center when the Winter closes; its last bid was published with the others.
    let mut scene = germany(Season::Fall, Phase::Movement, 4, 4);
    let (russia, turkey) = (power("RUS"), power("TUR"));
    scene.own(russia, "MOS");
    scene.unit(russia, "A ANK");
    scene.unit(russia, "A BUL");
    scene.own(turkey, "ANK");
    scene.state = json!({
        "held": {"GERMANY": 4, "RUSSIA": 1, "TURKEY": 2}, "bids": {"GERMANY": 4, "RUSSIA": 1, "TURKEY": 2},
        "balance": {"TURKEY": -1},
    });
    let mut edit = scene.edit();
    order(&mut edit, russia, "A BUL-CON; A ANK S A BUL-CON");
    phases::run(&mut edit).expect("the results hold");
    while edit.game.phase != Phase::Adjustments {
        phases::run(&mut edit).expect("the results hold");
    }
    assert!(!edit.variant.in_play(&edit.game, turkey));
    let due = |edit: &GameEdit<'_>| -> Vec<Power> {
        edit.variant_game().requirements().due.into_keys().collect()
    };
    assert_eq!(due(&edit), [power("GER"), russia]);
    let steps = VariantGame::new(&scene.edit().game, bridge()).own_steps(&edit.game, None);
    let told = steps.iter().map(|step| {
        let step: Value = serde_json::from_str(step.as_str()).unwrap();
        step["power"].as_str().map(str::to_owned)
    });
    let told: Vec<String> = told.flatten().collect();
    assert_eq!(told, ["GERMANY", "RUSSIA", "TURKEY"]);
    phases::run(&mut edit).expect("the results hold");
    let bids = own_state(&edit.game)["bids"].clone();
    assert_eq!(bids, json!({"GERMANY": 4, "RUSSIA": 3}));
}
