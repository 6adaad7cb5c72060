use serde_json::{Value, json};

use super::test_variant::Barns;
use crate::tests::{ask, sentences};
use crate::{Options, input};

fn barns_with(line: &Value, options: &Options<'_>) -> Value {
    let line = line.to_string();
    let input = input::read(line.as_bytes()).unwrap();
    let mut out = Vec::new();
    super::adjudicate_by(&Barns, &input, options, &mut out);
    assert!(out.ends_with(b"\n"));
    serde_json::from_slice(&out).unwrap()
}

fn barns(line: &Value) -> Value {
    barns_with(line, &Options::default())
}

#[test]
fn the_engine_plays_the_variants_steps_up_to_the_next_that_asks() {
    let line = json!({
        "id": "1", "name": "S1901M", "draws": {"S1901L/harvest/ROW": 3, "S1901L/harvest/BOW": 0},
        "state": {"units": {"ROW": ["A PAR"], "BOW": ["A BUR"]}, "barns": {"BOW": 1}},
        "orders": {"ROW": ["A PAR - PIC"], "BOW": ["A BUR H"]}
    });
    let answer = barns(&line);
    assert_eq!(answer["id"], "1");
    assert_eq!(answer["results"], json!({"A PAR": [], "A BUR": []}));
    assert_eq!(answer["errors"], json!([]));
    let next = &answer["next"];
    assert_eq!(next["name"], "S1901L");
    assert_eq!(
        next["state"]["units"],
        json!({"BOW": ["A BUR"], "ROW": ["A PIC"]})
    );
    assert_eq!(next["state"]["barns"], json!({"BOW": 1, "ROW": 3}));
    assert_eq!(
        next["draws"],
        json!({"S1901L/harvest/BOW": 0, "S1901L/harvest/ROW": 3})
    );
    // The `next` of the answer is the next line, and the variant's own lines are orders of its phase.
    let gifts = barns(&json!({
        "name": next["name"], "state": next["state"],
        "orders": {"ROW": ["GIVE 2"], "BOW": ["GIVE 5", "A BUR H"]}
    }));
    assert_eq!(gifts["name"], "S1901L");
    assert_eq!(gifts["results"], json!({"A BUR": [], "A PIC": []}));
    assert_eq!(gifts["errors"][0]["error"], "Your barn holds 1.");
    assert_eq!(gifts["errors"].as_array().unwrap().len(), 2);
    assert_eq!(
        gifts["events"],
        json!([{"step": "gift", "from": "ROW", "grain": 2}])
    );
    assert_eq!(gifts["next"]["name"], "F1901M");
    assert_eq!(gifts["next"]["state"]["barns"], json!({"BOW": 1, "ROW": 1}));
    assert_eq!(gifts["next"]["draws"], json!({}));
}

#[test]
fn a_draw_that_is_not_forced_follows_from_the_seed() {
    let line = |seed: &str| json!({"name": "S1901M", "seed": seed.repeat(64), "state": {"units": {"ROW": ["A PAR"]}}});
    assert_eq!(
        barns(&line("0")),
        barns(&json!({"name": "S1901M", "state": {"units": {"ROW": ["A PAR"]}}}))
    );
    let draws: std::collections::BTreeSet<String> = ["1", "2", "3", "4", "5", "6", "7", "8"]
        .iter()
        .map(|digit| barns(&line(digit))["next"]["draws"].to_string())
        .collect();
    assert!(draws.len() > 1);
}

#[test]
fn several_units_in_one_place_are_numbered_in_the_order_of_the_orders() {
    let answer = barns(&json!({
        "name": "F1901M",
        "state": {"units": {"ROW": ["A MEA", "A MEA", "A PIC"], "BOW": ["A MEA", "F LON"]}},
        "orders": {"BOW": ["A MEA - BUR"], "ROW": ["A PIC H"]}
    }));
    assert_eq!(
        answer["results"],
        json!({"A MEA#1": [], "A MEA#2": [], "A MEA#3": [], "A PIC": [], "F LON": []})
    );
    // Provinces with room for one unit still have no room for two.
    let shared_province = barns(&json!({
        "name": "F1901M", "state": {"units": {"ROW": ["A PIC"], "BOW": ["A PIC"]}}
    }));
    assert_eq!(shared_province["error"], "Two units stand in PIC.");
}

#[test]
fn a_power_is_shown_its_own_and_what_is_in_its_sight() {
    let line = json!({
        "name": "S1901M", "settings": {"Weather": "misty"}, "draws": {"S1901L/harvest/ROW": 2, "S1901L/harvest/BOW": 2},
        "state": {
            "units": {"ROW": ["A PAR", "A MEA"], "BOW": ["A MEA", "A MUN"]},
            "centers": {"ROW": ["BRE"], "BOW": ["MUN", "PAR"]}
        },
        "orders": {"ROW": ["A PAR H"], "BOW": ["A MUN - BUR", "A MUN - LON"]}
    });
    let options = Options {
        as_power: Some("ROW"),
        ..Options::default()
    };
    let answer = barns_with(&line, &options);
    assert!(answer.get("results").is_none());
    let sees = &answer["sees"];
    assert_eq!(sees["results"], json!({"A MEA": [], "A PAR": []}));
    assert_eq!(sees["errors"], json!([]));
    let state = &sees["next"]["state"];
    assert_eq!(
        state["units"],
        json!({"BOW": ["A MEA"], "ROW": ["A MEA", "A PAR"]})
    );
    assert_eq!(state["centers"], json!({"BOW": ["PAR"], "ROW": ["BRE"]}));
    assert_eq!(state["barns"], json!({"ROW": 2}));
    // The seed is secret before the end, and draws would reveal it.
    assert!(sees["next"].get("draws").is_none());
    let whole = barns(&line);
    assert_eq!(whole["next"]["state"]["barns"], json!({"BOW": 2, "ROW": 2}));
    assert_eq!(whole["errors"][0]["power"], "BOW");
}

#[test]
fn what_cannot_be_is_an_error_of_the_line() {
    let line = |more: Value| {
        let mut line = json!({"name": "S1901M", "state": {"units": {"ROW": ["A PAR"]}}});
        line.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        barns(&line)["error"].as_str().unwrap_or("none").to_owned()
    };
    for (more, sentence) in [
        (
            json!({"draws": {"S1901L/harvest/ROW": 4}}),
            "The forced draw is impossible: the draw `S1901L/harvest/ROW` cannot be 4: it goes from 0 to 3.",
        ),
        (
            json!({"draws": {"a": -1}}),
            "The draw `a` has to be a whole number from 0 on, not -1.",
        ),
        (json!({"draws": [1]}), "`draws` has to be an object."),
        (
            json!({"settings": {"wether": "misty"}}),
            "No setting is called `wether`; the nearest is `weather`.",
        ),
        (
            json!({"settings": {"weather": "rain"}}),
            "The setting `weather` takes clear or misty, not \"rain\".",
        ),
        (
            json!({"settings": {"build_sites": "roof"}}),
            "The setting `build_sites` cannot be \"roof\".",
        ),
        (
            json!({"settings": {"own": {}}}),
            "No setting is called `own`; the nearest is `deny`.",
        ),
        (
            json!({"name": "U1901M"}),
            "`U1901M` is not a phase of the Barns calendar.",
        ),
        (
            json!({"name": "later"}),
            "`later` is not a phase of the Barns calendar.",
        ),
        (
            json!({"seed": "12"}),
            "`seed` has to be 64 hexadecimal digits.",
        ),
        (json!({"map": "atlantis"}), "No map is called `atlantis`."),
        (
            json!({"state": {"barns": 3}}),
            "`barns` has to be numbers by village.",
        ),
    ] {
        assert_eq!(line(more), sentence);
    }
    let nobody = Options {
        as_power: Some("NOW"),
        ..Options::default()
    };
    let line = json!({"name": "S1901M", "state": {"units": {"ROW": ["A PAR"]}}});
    assert_eq!(
        barns_with(&line, &nobody)["error"],
        "No power is called `NOW`."
    );
}

#[test]
fn orders_are_read_in_both_notations() {
    let answer = barns(&json!({
        "name": "F1901M",
        "state": {"units": {"ROW": ["A PAR", "F LON", "A YOR"], "BOW": ["A MUN"], "NEUTRAL": ["A RUH"]}},
        "orders": {
            "ROW": ["a paris moves to burgundy", "F LON - NTH; A YOR H", "A YOR - NWY"],
            "BOW": ["A MUN S A PAR - BUR", "A PAR H"],
            "NEUTRAL": ["A RUH - BUR"]
        }
    }));
    assert_eq!(
        sentences(&answer),
        [
            "The army in Paris does not belong to BOW.",
            "Nobody gives orders to neutral units.",
            "Each order must be a text of its own.",
            "The army in Yorkshire cannot reach Norway.",
        ]
    );
    assert_eq!(
        answer["results"],
        json!({"A MUN": [], "A PAR": [], "A RUH": [], "A YOR": ["void"], "F LON": []})
    );
    assert_eq!(
        answer["next"]["state"]["units"]["NEUTRAL"],
        json!(["A RUH"])
    );
}

#[test]
fn settings_of_every_game_are_taken() {
    let state =
        json!({"units": {"FRANCE": ["A BUR"]}, "centers": {"FRANCE": ["PAR", "SPA", "BRE"]}});
    let with_settings = |settings: Value| {
        ask(&json!({
            "name": "W1901A", "state": state, "settings": settings, "orders": {"FRANCE": ["A SPA B"]}
        }))
    };
    let homes = with_settings(json!({}));
    assert_eq!(
        homes["errors"][0]["error"],
        "Spain is not a home center of France, so you cannot build there."
    );
    let any = with_settings(json!({"build-sites": "any"}));
    assert_eq!(
        any["next"]["state"]["units"]["FRANCE"],
        json!(["A BUR", "A SPA"])
    );
    let three = ask(&json!({
        "name": "F1901M", "state": state, "settings": {"centers": 3}, "orders": {}
    }));
    assert_eq!(three["winner"], "FRANCE");
    assert_eq!(three["next"]["name"], Value::Null);
}

/// The same line, adjudicated by `job` and by the engine.
fn both_ways(mut line: Value) -> (Value, Value) {
    let mut fast = ask(&line);
    line["settings"] = json!({});
    let mut slow = ask(&line);
    slow.as_object_mut().unwrap().remove("events");
    if let Some(next) = slow.get_mut("next").and_then(Value::as_object_mut) {
        next.remove("draws");
    }
    for answer in [&mut fast, &mut slow] {
        let object = answer.as_object_mut().unwrap();
        // Faults are reported in the order in which they are found, which differs.
        object.remove("errors");
        // `job` does not mark an order for a helped unit of the wrong kind.
        for marks in object["results"].as_object_mut().unwrap().values_mut() {
            marks.as_array_mut().unwrap().retain(|mark| mark != "void");
        }
    }
    (fast, slow)
}

#[test]
fn the_fast_way_and_the_engine_agree_on_the_datc() {
    for case in include_str!("../../rules/tests/datc/datc.jsonl").lines() {
        let line: Value = serde_json::from_str(case).unwrap();
        let (fast, slow) = both_ways(line);
        assert_eq!(fast, slow, "{case}");
    }
}

fn any_value() -> impl proptest::strategy::Strategy<Value = Value> {
    use proptest::prelude::*;
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<i64>().prop_map(Value::from),
        (-3..40i64).prop_map(Value::from),
        "[A-Z]{3}|A|F|F/NC|FRANCE|[a-z ]{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 12, 3, |inner| {
        let key = "FRANCE|TURKEY|NEUTRAL|PAR|STP|ORB|colonize|[A-Z]{3}";
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            proptest::collection::btree_map(key, inner, 0..3)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(150))]

    #[test]
    fn any_state_is_survived(
        name in "[SUFW](1900|1901|99999|0)[MRAL]",
        units in proptest::collection::vec("[*]?(A|F|NEW) (PAR|STP|STP/NC|NTH|ORB|MEA|MUN|BRE)", 0..7),
        orders in proptest::collection::vec(
            "(A|F) (PAR|STP|NTH|ORB|MUN)( - | S | C | COL|)(A |)(PAR|ORB|BRE)?|BID [0-9]{1,20}|BIRTH [A-Z]{3} F|FORTIFY PAR|WAIVE|.{0,20}", 0..6),
        keys in proptest::collection::btree_map(
            "forts|balance|held|bids|due|births|standing|choices|colonies|attempts|barns|centers|retreats",
            any_value(), 0..4),
        as_power in proptest::option::of("FRANCE|ROW"),
    ) {
        let mut state: serde_json::Map<String, Value> = keys.into_iter().collect();
        state.insert("units".to_owned(), json!({"FRANCE": units, "NEUTRAL": []}));
        let line = json!({"name": name, "state": state, "orders": {"FRANCE": orders}}).to_string();
        let options = Options { as_power: as_power.as_deref(), ..Options::default() };
        let Ok(input) = input::read(line.as_bytes()) else { return Ok(()) };
        let barns: &dyn dipjudge_game::Variant = &Barns;
        for variant in dipjudge_variants::ALL.iter().copied().chain([barns]) {
            let mut out = Vec::new();
            super::adjudicate_by(variant, &input, &options, &mut out);
            proptest::prop_assert!(serde_json::from_slice::<Value>(&out).is_ok());
        }
    }
}
