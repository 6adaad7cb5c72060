//! The filter, line by line.

use std::collections::BTreeMap;

use dipjudge_rules::map::{Map, Travel};
use serde_json::{Value, json};

use super::*;

/// The answer to a line without options.
pub(crate) fn ask(line: &Value) -> Value {
    let mut out = Vec::new();
    adjudicate(line.to_string().as_bytes(), &Options::default(), &mut out);
    serde_json::from_slice(&out).unwrap()
}

#[test]
fn the_first_moves_of_a_game() {
    let answer = ask(&json!({
        "id": "x",
        "name": "S1901M",
        "state": {"units": {"FRANCE": ["A PAR", "A MAR", "F BRE"]}, "centers": {"FRANCE": ["BRE", "MAR", "PAR"]}},
        "orders": {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - SPA"]}
    }));
    assert_eq!(answer["id"], "x");
    assert_eq!(answer["name"], "S1901M");
    assert_eq!(
        answer["results"],
        json!({"A PAR": [], "A MAR": [], "F BRE": ["void"]})
    );
    assert_eq!(
        answer["errors"],
        json!([{"power": "FRANCE", "order": "F BRE - SPA", "error": "The fleet in Brest cannot reach Spain."}])
    );
    assert_eq!(answer["next"]["name"], "F1901M");
    assert_eq!(
        answer["next"]["state"]["units"],
        json!({"FRANCE": ["A BUR", "A MAR", "F BRE"]})
    );
    assert_eq!(answer["next"]["state"]["retreats"], json!({}));
    assert_eq!(answer["winner"], Value::Null);
}

/// The sentences of an answer's errors.
pub(crate) fn sentences(answer: &Value) -> Vec<&str> {
    let errors = answer["errors"].as_array().unwrap().iter();
    errors
        .map(|error| error["error"].as_str().unwrap())
        .collect()
}

fn fault(line: &str) -> (bool, Value) {
    let mut out = Vec::new();
    let fine = adjudicate(line.as_bytes(), &Options::default(), &mut out);
    (fine, serde_json::from_slice(&out).unwrap())
}

#[test]
fn a_phase_that_has_nothing_to_decide_is_passed_over() {
    // Spring without dislodgements goes on to Fall; Fall without changes of ownership to Spring of the next year.
    let state = json!({"units": {"FRANCE": ["A PAR"]}, "centers": {"FRANCE": ["PAR"]}});
    let spring = ask(&json!({"name": "S1901M", "state": state, "orders": {}}));
    assert_eq!(spring["next"]["name"], "F1901M");
    let fall = ask(&json!({"name": "F1901M", "state": state, "orders": {}}));
    assert_eq!(fall["next"]["name"], "S1902M");
    assert!(fall["next"]["state"].get("builds").is_none());
}

#[test]
fn a_dislodged_unit_opens_the_retreats_and_one_without_retreat_is_gone() {
    let state = json!({
        "units": {"GERMANY": ["A MUN", "A SIL"], "AUSTRIA": ["A BOH"], "ITALY": ["A TYR", "A VIE"]},
        "centers": {}
    });
    let orders = json!({"GERMANY": ["A MUN - BOH", "A SIL S A MUN - BOH"]});
    let answer = ask(&json!({"name": "S1901M", "state": state, "orders": orders}));
    assert_eq!(answer["next"]["name"], "S1901R");
    assert_eq!(
        answer["next"]["state"]["units"]["AUSTRIA"],
        json!(["*A BOH"])
    );
    assert_eq!(
        answer["next"]["state"]["retreats"],
        json!({"AUSTRIA": {"A BOH": ["GAL"]}})
    );
    assert_eq!(answer["results"]["A BOH"], json!(["dislodged"]));
    let retreats = ask(&json!({
        "name": "S1901R", "state": answer["next"]["state"], "orders": {"AUSTRIA": ["A BOH R GAL"]}
    }));
    assert_eq!(retreats["results"], json!({"A BOH": []}));
    assert_eq!(retreats["next"]["name"], "F1901M");
    assert_eq!(
        retreats["next"]["state"]["units"]["AUSTRIA"],
        json!(["A GAL"])
    );
    let mut full = state.clone();
    full["units"]["RUSSIA"] = json!(["A GAL"]);
    let answer = ask(&json!({"name": "S1901M", "state": full, "orders": orders}));
    assert_eq!(answer["results"]["A BOH"], json!(["dislodged", "disband"]));
    assert_eq!(answer["next"]["name"], "F1901M");
    assert!(answer["next"]["state"]["units"].get("AUSTRIA").is_none());
}

#[test]
fn retreats_that_are_not_ordered_or_not_possible_disband() {
    let state = json!({
        "units": {"AUSTRIA": ["*A BOH", "*A TRI", "A VIE"], "GERMANY": ["A BOH"], "ITALY": ["A TRI"]},
        "centers": {"AUSTRIA": ["VIE"]},
        "retreats": {"AUSTRIA": {"A BOH": ["GAL", "TYR"], "A TRI": ["ALB", "TYR"]}}
    });
    let ask_with = |orders: Value| {
        ask(&json!({"name": "F1901R", "state": state, "orders": {"AUSTRIA": orders}}))
    };
    let met = ask_with(json!(["A BOH R TYR", "A TRI R TYR"]));
    assert_eq!(
        met["results"],
        json!({"A BOH": ["bounce", "disband"], "A TRI": ["bounce", "disband"]})
    );
    let odd = ask_with(json!(["A BOH R MUN", "A VIE R TYR"]));
    assert_eq!(
        odd["results"],
        json!({"A BOH": ["void", "disband"], "A TRI": ["disband"]})
    );
    assert_eq!(
        sentences(&odd),
        [
            "The army in Vienna was not dislodged.",
            "The army in Bohemia cannot retreat to Munich.",
        ]
    );
    let gone = ask_with(json!(["A BOH D", "A TRI R ALB"]));
    assert_eq!(gone["results"], json!({"A BOH": ["disband"], "A TRI": []}));
    // After Fall the centers change hands: Trieste is now Italy's, and no power has to remove a unit for it.
    assert_eq!(
        gone["next"]["state"]["centers"],
        json!({"AUSTRIA": ["VIE"], "ITALY": ["TRI"]})
    );
}

#[test]
fn winter_builds_and_removes() {
    let state = json!({
        "units": {"FRANCE": ["A BUR"], "ITALY": ["A ROM", "F ION"], "RUSSIA": ["F SEV"]},
        "centers": {"FRANCE": ["PAR", "MAR", "SPA"], "ITALY": ["ROM"], "RUSSIA": ["SEV", "STP"]}
    });
    let orders = json!({
        "FRANCE": ["A PAR B", "A SPA B", "F MAR B", "A PAR B"],
        "ITALY": ["F ROM D", "F ION D"],
        "RUSSIA": ["F STP B", "F STP/NC B"]
    });
    for name in ["W1901A", "F1901B", "w1901a"] {
        let answer = ask(&json!({"name": name, "state": state, "orders": orders}));
        assert_eq!(answer["name"], "W1901A");
        assert_eq!(answer["next"]["name"], "S1902M");
        let units = json!({
            "FRANCE": ["A BUR", "A PAR", "F MAR"], "ITALY": ["A ROM"], "RUSSIA": ["F SEV", "F STP/NC"]
        });
        assert_eq!(answer["next"]["state"]["units"], units);
        assert_eq!(
            answer["results"],
            json!({"A BUR": [], "A ROM": [], "F ION": ["disband"], "F SEV": []})
        );
        let sentences: Vec<(&str, &str)> = answer["errors"]
            .as_array()
            .unwrap()
            .iter()
            .map(|error| {
                (
                    error["order"].as_str().unwrap(),
                    error["error"].as_str().unwrap(),
                )
            })
            .collect();
        assert_eq!(
            sentences,
            [
                ("F ROM D", "The unit in Rome is an army, not a fleet."),
                (
                    "A SPA B",
                    "Spain is not a home center of France, so you cannot build there."
                ),
                (
                    "A PAR B",
                    "Paris is occupied, so nothing can be built there."
                ),
                (
                    "F STP B",
                    "There cannot be a fleet in St Petersburg: check the coast."
                ),
            ]
        );
    }
}

#[test]
fn builds_count_only_what_can_be_used() {
    let state = json!({
        "units": {"FRANCE": ["A PAR", "A SPA", "A POR"], "ENGLAND": ["F NTH", "F LON", "A WAL"]},
        "centers": {"FRANCE": ["PAR", "BRE", "SPA", "POR", "BEL", "HOL"], "ENGLAND": ["LON"]}
    });
    let answer =
        ask(&json!({"name": "F1901M", "state": state, "orders": {"FRANCE": ["A PAR - PIC"]}}));
    assert_eq!(answer["next"]["name"], "W1901A");
    assert_eq!(
        answer["next"]["state"]["builds"],
        json!({"ENGLAND": -2, "FRANCE": 2})
    );
}

#[test]
fn eighteen_centers_win() {
    let map = dipjudge_rules::map::Map::standard();
    let all: Vec<&str> = map
        .centers()
        .iter()
        .map(dipjudge_rules::map::Province::as_str)
        .collect();
    // Centers that Turkey does not own have no owner here.
    let state =
        |count: usize| json!({"units": {"TURKEY": ["A ANK"]}, "centers": {"TURKEY": all[..count]}});
    let not_yet = ask(&json!({"name": "F1901M", "state": state(17), "orders": {}}));
    assert_eq!(not_yet["winner"], Value::Null);
    assert_eq!(not_yet["next"]["name"], "W1901A");
    let won = ask(&json!({"name": "F1901M", "state": state(18), "orders": {}}));
    assert_eq!(won["winner"], "TURKEY");
    assert_eq!(won["next"]["name"], Value::Null);
    // Never in Spring.
    let spring = ask(&json!({"name": "S1901M", "state": state(18), "orders": {}}));
    assert_eq!(spring["winner"], Value::Null);
    assert_eq!(spring["next"]["name"], "F1901M");
}

/// `job` follows the rules of `game`: another number wins, and another map has other centers and homes.
#[test]
fn what_wins_and_the_map_are_followed() {
    use dipjudge_game::{Tally, Winning, WinningNumber};
    let asked = |map: &Map, number: WinningNumber, line: &Value| -> Value {
        let line = line.to_string();
        let input = super::input::read(line.as_bytes()).unwrap();
        let winning = Winning {
            number,
            tally: Tally::Centers,
        };
        let answer = super::job::answer_on(map, winning, &input, &Options::default()).unwrap();
        let mut out = Vec::new();
        super::output::answer(&mut out, &answer, None);
        serde_json::from_slice(&out).unwrap()
    };
    let line = json!({"name": "F1901M", "orders": {},
        "state": {"units": {"TURKEY": ["A SMY", "A ARM"], "RUSSIA": ["A MOS"]},
            "centers": {"TURKEY": ["ANK", "CON"], "RUSSIA": ["MOS", "SEV"]}}});
    let standard = Map::standard();
    let over_half = WinningNumber::OverHalf { more: 0 };
    assert_eq!(asked(standard, over_half, &line)["winner"], Value::Null);
    assert_eq!(
        asked(standard, WinningNumber::Fixed(4), &line)["winner"],
        Value::Null
    );
    assert_eq!(
        asked(standard, WinningNumber::Fixed(3), &line)["winner"],
        "TURKEY"
    );
    const SMALL: &str = "name small\npower Red  Red  R\n\
        AAA  Aa  inland  center Red\n army BBB CCC\n\
        BBB  Bb  inland  center\n army AAA CCC\n\
        CCC  Cc  inland  center\n army AAA BBB\n";
    // A small map with three centers, two of which win.
    let small = Map::parse(SMALL, Map::named).unwrap();
    let line = json!({"name": "F1901M", "orders": {"RED": ["A BBB - CCC"]},
        "state": {"units": {"RED": ["A BBB"]}, "centers": {"RED": ["AAA"]}}});
    let won = asked(&small, over_half, &line);
    assert_eq!(
        (&won["winner"], &won["next"]["name"]),
        (&json!("RED"), &Value::Null)
    );
    let three = asked(&small, WinningNumber::OverHalf { more: 1 }, &line);
    assert_eq!(three["winner"], Value::Null);
    assert_eq!(three["next"]["state"]["builds"], json!({"RED": 1}));
}

#[test]
fn a_later_order_replaces_an_earlier_one_unless_it_is_bad() {
    let state = json!({"units": {"FRANCE": ["A PAR"]}, "centers": {}});
    let ask_with = |orders: Value| {
        ask(&json!({"name": "S1901M", "state": state, "orders": {"FRANCE": orders}}))
    };
    let later = ask_with(json!(["A PAR - BUR", "A PAR - PIC"]));
    assert_eq!(later["next"]["state"]["units"]["FRANCE"], json!(["A PIC"]));
    assert_eq!(later["errors"], json!([]));
    let bad = ask_with(json!(["A PAR - BUR", "A PAR - MOS"]));
    assert_eq!(bad["next"]["state"]["units"]["FRANCE"], json!(["A BUR"]));
    assert_eq!(
        bad["errors"][0]["error"],
        "The army in Paris cannot reach Moscow."
    );
}

#[test]
fn orders_for_units_of_others_or_of_nobody_are_errors() {
    let state = json!({"units": {"FRANCE": ["A PAR"], "ENGLAND": ["F LON"]}, "centers": {}});
    let orders = json!({"FRANCE": ["F LON - NTH", "A MOS H", "F PAR H", "gibberish"]});
    let answer = ask(&json!({"name": "S1901M", "state": state, "orders": orders}));
    assert_eq!(
        sentences(&answer),
        [
            "The fleet in London does not belong to France.",
            "There is no army in Moscow.",
            "The unit in Paris is an army, not a fleet.",
            "The order cannot be read.",
        ]
    );
    assert_eq!(answer["results"], json!({"A PAR": [], "F LON": []}));
}

#[test]
fn the_judges_own_words_and_every_alias_are_read() {
    let options = Options {
        fallback: Some(&judge_syntax),
        ..Options::default()
    };
    let line = json!({
        "name": "S1901M",
        "state": {
            "units": {"ENGLAND": ["A London", "F norsea"], "FRANCE": ["A Paris"], "RUSSIA": ["F Stp/sc"]},
            "centers": {"ENGLAND": ["London"]}
        },
        "orders": {
            "ENGLAND": ["A Lon-Nth-Bel", "F(Nth) C A(Lon)-Bel"],
            "FRANCE": ["army paris moves to burgundy"],
            "RUSSIA": ["F(Stp)sc-Lvn"]
        }
    });
    let mut out = Vec::new();
    assert!(adjudicate(line.to_string().as_bytes(), &options, &mut out));
    let answer: Value = serde_json::from_slice(&out).unwrap();
    assert_eq!(answer["errors"], json!([]));
    assert_eq!(
        answer["results"],
        json!({"A LON": [], "F NTH": [], "A PAR": [], "F STP/SC": []})
    );
    let units = json!({"ENGLAND": ["A BEL", "F NTH"], "FRANCE": ["A BUR"], "RUSSIA": ["F LVN"]});
    assert_eq!(answer["next"]["state"]["units"], units);
}

#[test]
fn a_line_that_is_no_position_is_answered_with_its_error() {
    for (line, sentence) in [
        ("{\"id\":\"a\"", "The line is not JSON"),
        ("[]", "The object cannot be read"),
        ("{}", "The object has no `name`."),
        (r#"{"name":"S1901M"}"#, "The object has no `state`."),
        (
            r#"{"name":"S1901X","state":{}}"#,
            "`S1901X` is not a phase of the standard calendar",
        ),
        (
            r#"{"name":"S1901M","state":{"units":{"RURITANIA":["A PAR"]}}}"#,
            "No power is called `RURITANIA`.",
        ),
        (
            r#"{"name":"S1901M","state":{"units":{"FRANCE":["A XYZ"]}}}"#,
            "`A XYZ` is no unit.",
        ),
        (
            r#"{"name":"S1901M","state":{"units":{"FRANCE":["F MUN"]}}}"#,
            "`F MUN` cannot stand there.",
        ),
        (
            r#"{"name":"S1901M","state":{"units":{"FRANCE":["F STP"]}}}"#,
            "`F STP` cannot stand there.",
        ),
        (
            r#"{"name":"S1901M","state":{"units":{"FRANCE":["A PAR"],"ITALY":["A PAR"]}}}"#,
            "Two units stand in PAR.",
        ),
        (
            r#"{"name":"S1901M","state":{"units":{"FRANCE":["*A PAR"]}}}"#,
            "`*A PAR` is dislodged",
        ),
        (
            r#"{"name":"S1901M","state":{"centers":{"FRANCE":["BUR"]}}}"#,
            "`BUR` is no supply center.",
        ),
        (
            r#"{"name":"S1901M","state":{},"orders":{"X":["A PAR H"]}}"#,
            "No power is called `X`.",
        ),
        (
            r#"{"name":"S1901M","state":{},"map":"atlantis"}"#,
            "No map is called `atlantis`.",
        ),
        (
            r#"{"name":"S1901M","state":{},"variant":"atlantis"}"#,
            "No variant is called `atlantis`.",
        ),
        (
            r#"{"name":"S1901M","state":{},"seed":"12"}"#,
            "`seed` has to be 64 hexadecimal digits.",
        ),
    ] {
        let (fine, answer) = fault(line);
        assert!(!fine);
        assert!(
            answer["error"].as_str().unwrap().starts_with(sentence),
            "{line}: {answer}"
        );
    }
    assert_eq!(
        fault(r#"{"id":"keep \"me\"","name":7}"#).1["id"],
        "keep \"me\""
    );
}

#[test]
fn the_run_goes_on_after_a_bad_line_and_passes_over_empty_ones() {
    let good = r#"{"id":"1","name":"S1901M","state":{"units":{"FRANCE":["A PAR"]},"centers":{}},"orders":null}"#;
    let input = format!("{good}\n\nnonsense\n{good}");
    let mut out = Vec::new();
    assert!(
        !run(
            input.as_bytes(),
            &mut out,
            &Options {
                jobs: 3,
                ..Options::default()
            }
        )
        .unwrap()
    );
    let answers: Vec<Value> = String::from_utf8(out)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), 3);
    assert!(answers[1].get("error").is_some());
    assert_eq!(answers[0], answers[2]);
    let mut out = Vec::new();
    assert!(
        run(
            format!("{good}\n").as_bytes(),
            &mut out,
            &Options::default()
        )
        .unwrap()
    );
}

#[test]
fn options_leave_out_what_is_not_wanted() {
    let line = json!({
        "name": "S1901M",
        "state": {"units": {"FRANCE": ["A PAR"], "ITALY": ["A ROM"]}, "centers": {}},
        "orders": {"FRANCE": ["A PAR - MOS"], "ITALY": ["A ROM - MOS"]}
    });
    let with = |options: Options<'_>| -> Value {
        let mut out = Vec::new();
        adjudicate(line.to_string().as_bytes(), &options, &mut out);
        serde_json::from_slice(&out).unwrap()
    };
    assert!(
        with(Options {
            results_only: true,
            ..Options::default()
        })
        .get("next")
        .is_none()
    );
    let seen = with(Options {
        as_power: Some("ITALY"),
        ..Options::default()
    });
    assert!(seen.get("errors").is_none());
    assert_eq!(seen["sees"]["errors"].as_array().unwrap().len(), 1);
    assert_eq!(seen["sees"]["errors"][0]["power"], "ITALY");
    assert_eq!(seen["sees"]["next"]["name"], "F1901M");
    assert!(
        with(Options {
            as_power: Some("X"),
            ..Options::default()
        })
        .get("error")
        .is_some()
    );
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(300))]

    #[test]
    fn any_bytes_are_survived(line: Vec<u8>) {
        let mut out = Vec::new();
        adjudicate(&line, &Options::default(), &mut out);
        proptest::prop_assert!(serde_json::from_slice::<Value>(&out).is_ok());
    }

    #[test]
    fn any_texts_are_survived(
        name in "[SFW][0-9]{1,12}[MRA]",
        units in proptest::collection::vec("[*]?[AF] ?[A-Z/]{3,6}", 0..6),
        orders in proptest::collection::vec("[AF] (PAR|STP|NTH|LON)[ A-Z/-]{0,20}", 0..6),
    ) {
        let line = json!({"name": name, "state": {"units": {"FRANCE": units}}, "orders": {"FRANCE": orders}});
        let options = Options { fallback: Some(&judge_syntax), ..Options::default() };
        let mut out = Vec::new();
        adjudicate(line.to_string().as_bytes(), &options, &mut out);
        proptest::prop_assert!(serde_json::from_slice::<Value>(&out).is_ok());
    }
}

/// The filter's way on sets of bits takes 64 units on a map of 128 places; what is larger is answered all the same.
#[test]
fn more_units_than_bits_and_more_provinces_are_answered() {
    for (name, least) in [("standard", 70), ("modern", 130)] {
        let map = Map::named(name).unwrap();
        let powers = map.powers();
        let mut units: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        let mut orders: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        let mut count = 0;
        for (number, info) in map.provinces().iter().enumerate() {
            let [army, fleet] = [Travel::Land, Travel::Sea].map(|by| map.stations(by, info.code));
            let unit = match (army.first(), fleet.first()) {
                (Some(at), _) => format!("A {at}"),
                (None, Some(at)) => format!("F {at}"),
                (None, None) => continue,
            };
            let key = powers[number % powers.len()].key.as_str();
            orders.entry(key).or_default().push(format!("{unit} H"));
            units.entry(key).or_default().push(unit);
            count += 1;
        }
        assert!(count >= least, "{count} units on {name}");
        let line = json!({"map": name, "name": "S1901M", "state": {"units": units, "centers": {}}, "orders": orders});
        let answer = ask(&line);
        assert_eq!(answer["errors"], json!([]), "{name}");
        let results = answer["results"].as_object().unwrap();
        assert_eq!(results.len(), count, "{name}");
        assert!(results.values().all(|marks| *marks == json!([])));
        let after = answer["next"]["state"]["units"].as_object().unwrap();
        let after: usize = after.values().map(|of| of.as_array().unwrap().len()).sum();
        assert_eq!(after, count, "{name}");
        assert_eq!(answer["next"]["name"], "F1901M");
    }
}
