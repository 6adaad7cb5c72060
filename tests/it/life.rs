//! The worked cases of Life, by the engine: the tables of `tests/life/`, and those that are told in words.

mod scene;
use dipjudge::game::{DrawSheet, Ending, Game, Phase, State, VariantGame, phases};
use dipjudge::map::Power;
use dipjudge::orders::VariantData;
use dipjudge::view::Viewer;
use scene::*;
use serde_json::json;

#[test]
fn the_life_step() {
    let rows = rows(include_str!("../life/step.txt"));
    assert_eq!(rows.len(), 27);
    for row in rows {
        let [case, units, deaths, births, _] = row.as_slice() else {
            panic!("{row:?}")
        };
        // A game of nobody is over before it begins, so somebody lives far away.
        let nobodys = units.split(';').all(|side| side.trim().starts_with("NEU"));
        let before = match nobodys {
            true => game(&format!("{units}; TUR: A ANK, A SMY, A CON")),
            false => game(units),
        };
        let mut edit = edit(&before, None);
        phases::run(&mut edit).expect("the results hold");
        check(case, &before.position, &edit.game, deaths, births);
    }
}

/// The changes of a step against a row's cells. Where the game is over, open types are drawn for the record.
fn check(
    case: &str,
    before: &dipjudge::position::Position,
    game: &dipjudge::game::Game,
    deaths: &str,
    births: &str,
) {
    let (dead, born) = changes(before, game);
    assert_eq!(dead, list(deaths, ' '), "{case}: deaths");
    let wanted = list(births, ';');
    assert_eq!(born.len(), wanted.len(), "{case}: births {born:?}");
    for wanted in wanted {
        let drawn = game.over() || wanted.starts_with("NEU");
        let fits = |born: &String| {
            let [owner, kind, place] = born.split(' ').collect::<Vec<_>>()[..] else {
                panic!("{born}")
            };
            let place = place.split('/').next().unwrap();
            let kind = if drawn && wanted.contains('?') {
                assert_ne!(kind, "?", "{case}: {born} has to be drawn");
                "?"
            } else {
                kind
            };
            format!("{owner} {kind} {place}") == wanted
        };
        assert!(born.iter().any(fits), "{case}: {wanted} is not in {born:?}");
    }
}

#[test]
fn movement_retreats_and_then_life() {
    let rows = rows(include_str!("../life/season.txt"));
    assert_eq!(rows.len(), 9);
    for row in rows {
        let [case, units, orders, dislodged, retreats, deaths, births, _] = row.as_slice() else {
            panic!("{row:?}")
        };
        let start = game(units);
        let mut edit = edit(&start, None);
        for side in orders.split(';') {
            let (name, orders) = side.split_once(':').unwrap();
            let power = power(&edit.game, name.trim());
            for order in orders.split(',') {
                send(&mut edit, power, order.trim()).unwrap_or_else(|why| panic!("{case}: {why}"));
            }
        }
        phases::run(&mut edit).expect("the results hold");
        let (who, options) = match *dislodged {
            "none" => ("", ""),
            told => told.split_once('>').unwrap(),
        };
        let played = edit.game.last.clone().unwrap();
        let mut options: Vec<String> = list(options, ' ');
        options.sort();
        let found: Vec<(String, Vec<String>)> = played
            .position
            .dislodged
            .iter()
            .map(|dislodged| {
                let places = dislodged.options.iter().map(ToString::to_string);
                (named(&start, &dislodged.unit), places.collect())
            })
            .chain(
                played
                    .destroyed
                    .iter()
                    .map(|unit| (named(&start, unit), Vec::new())),
            )
            .collect();
        match who.trim() {
            "" => assert_eq!(found, [], "{case}: dislodged"),
            who => assert_eq!(found, [(who.to_owned(), options)], "{case}: dislodged"),
        }
        let mut moved = played.position.clone();
        if edit.game.phase == Phase::Retreats {
            if let Some((unit, to)) = retreats.split_once('>') {
                let (name, unit) = unit.trim().split_once(' ').unwrap();
                let power = power(&edit.game, name);
                send(&mut edit, power, &format!("{unit} R {to}")).unwrap();
            }
            phases::run(&mut edit).expect("the results hold");
            moved = edit.game.last.as_ref().unwrap().position.clone();
        }
        check(case, &moved, &edit.game, deaths, births);
    }
}

/// A position in which that birth is due, and no other has a choice.
fn parents(birth: &str) -> &'static str {
    match birth {
        "GER PRU" => "GER: F BER, A SIL, F LVN",
        "RUS STP" => "RUS: A MOS, F FIN, A LVN",
        "TUR BUL" => "TUR: F RUM, A CON, A GRE",
        "NEU SPA" => "FRA: A GAS; ITA: A MAR; ENG: F POR",
        "AUS BUD" => "AUS: A SER, F TRI, A VIE",
        "ITA ADR" => "ITA: A TRI, A VEN, A APU",
        "ENG LON" => "ENG: F ENG, F NTH, A YOR",
        other => panic!("no position gives {other}"),
    }
}

#[test]
fn the_type_of_a_birth() {
    let rows = rows(include_str!("../life/types.txt"));
    assert_eq!(rows.len(), 14);
    for row in rows {
        let [case, birth, before, during, forced, opens, result] = row.as_slice() else {
            panic!("{row:?}")
        };
        let (owner, province) = birth.split_once(' ').unwrap();
        // Somebody far away, so that the game goes on.
        let far = match owner {
            "TUR" => "ENG: F NAO, F NWG, A CLY",
            "NEU" => "TUR: A ANK, A SMY, A CON; RUS: A MOS, A WAR, A UKR",
            _ => "TUR: A ANK, A SMY, A CON",
        };
        let start = game(&format!("{}; {far}", parents(birth)));
        let sheet = DrawSheet::forcing(draws("U1901L", province, forced));
        let mut edit = edit(&start, Some(&sheet));
        let owner = power(&start, owner);
        for line in before.split(',').filter(|line| *line != "none") {
            send(&mut edit, owner, line.trim()).unwrap_or_else(|why| panic!("{case}: {why}"));
        }
        phases::run(&mut edit).expect("the results hold");
        let opened = edit.game.phase == Phase::Own("Life".to_owned());
        assert_eq!(opened, *opens == "yes", "{case}: a births phase");
        if opened {
            assert_eq!(
                edit.game.phase_name(edit.variant).to_string(),
                "U1901L",
                "{case}"
            );
            let wanted = |edit: &dipjudge::game::GameEdit| {
                VariantGame::new(&edit.game, life()).powers_missing()
            };
            assert_eq!(wanted(&edit), [owner], "{case}: who is asked");
            for line in during.split(',').filter(|line| *line != "none") {
                send(&mut edit, owner, line.trim()).unwrap_or_else(|why| panic!("{case}: {why}"));
                assert_eq!(wanted(&edit), [], "{case}: nobody is asked any more");
            }
            phases::run(&mut edit).expect("the results hold");
        }
        let (_, born) = changes(&start.position, &edit.game);
        assert_eq!(born, [*result], "{case}");
        assert_eq!(
            sheet.made(),
            draws("U1901L", province, forced),
            "{case}: the draws that were made"
        );
        assert_eq!(
            edit.game.phase_name(edit.variant).to_string(),
            "F1901M",
            "{case}"
        );
    }
}

#[test]
fn the_end_of_the_game() {
    let rows = rows(include_str!("../life/ends.txt"));
    assert_eq!(rows.len(), 8);
    for row in rows {
        let [case, units, _, result] = row.as_slice() else {
            panic!("{row:?}")
        };
        let mut game = empty();
        let counts: Vec<(Power, usize)> = units
            .split(',')
            .map(|side| {
                let (name, count) = side.trim().split_once(' ').unwrap();
                (power(&game, name), count.parse().unwrap())
            })
            .collect();
        game.position = shared_province(&counts);
        let alive: Vec<Power> = counts
            .iter()
            .map(|(power, _)| *power)
            .filter(|power| *power != Power::NEUTRAL)
            .collect();
        game.set_data(VariantData::from(json!({
            "turn": {"year": 1901, "season": "Summer"}, "after": 1, "alive": alive, "deaths": [], "births": [],
        })));
        let found = life().ending(&game, &Phase::Own("Generation".to_owned()));
        let named = |names: &str| -> Vec<Power> {
            names.split(' ').map(|name| power(&game, name)).collect()
        };
        let wanted = match *result {
            "game goes on" => None,
            "draw of those alive before the step" => Some(Ending::Drawn(alive)),
            result => Some(match result.strip_prefix("draw ") {
                Some(names) => Ending::Drawn(named(names)),
                None => Ending::Won(named(result.strip_suffix(" wins").unwrap())),
            }),
        };
        assert_eq!(found, wanted, "{case}");
        let elsewhere = life().ending(&game, &Phase::Movement);
        assert_eq!(elsewhere, None, "{case}: only after a Life step");
    }
}

#[test]
fn settings_change_the_end_where_the_author_is_silent() {
    let end = |units: &str, setting: Option<(&str, &str)>| {
        let mut start = game(units);
        if let Some((name, value)) = setting {
            start.settings.own.insert(name.to_owned(), value.to_owned());
        }
        let mut edit = edit(&start, None);
        phases::run(&mut edit).expect("the results hold");
        match edit.game.state {
            State::Over(ending) => Some(ending),
            _ => None,
        }
    };
    let (austria, germany) = (Power(0), Power(3));
    // A triangle never changes.
    let triangle = "GER: F KIE, A BER, A MUN";
    assert_eq!(end(triangle, None), Some(Ending::Won(vec![germany])));
    assert_eq!(end(triangle, Some(("last-survivor", "play-on"))), None);
    // Three powers with a unit each in a triangle.
    let lone = "GER: F KIE; AUS: A BER; FRA: A MUN";
    let all = vec![austria, Power(2), germany];
    assert_eq!(end(lone, None), Some(Ending::Drawn(all)));
    assert_eq!(end(lone, Some(("hopeless", "play-on"))), None);
    // All die at once.
    let far = "GER: F KIE; AUS: A BUD";
    for setting in [
        None,
        Some(("hopeless", "play-on")),
        Some(("last-survivor", "play-on")),
    ] {
        assert_eq!(
            end(far, setting),
            Some(Ending::Drawn(vec![austria, germany]))
        );
    }
    // Eighteen each: five triangles and more would be needed, so the board is taken as it is after a step.
    let mut tie = empty();
    tie.position = shared_province(&[(austria, 18), (germany, 18)]);
    tie.settings
        .own
        .insert("victory-tie".to_owned(), "shared".to_owned());
    assert_eq!(
        life().ending(&tie, &Phase::Own("Generation".to_owned())),
        Some(Ending::Won(vec![austria, germany]))
    );
}

#[test]
fn without_a_births_phase_open_types_are_drawn_at_once() {
    let mut start = game("GER: F BER, A SIL, F LVN; TUR: A ANK, A SMY, A CON");
    start
        .settings
        .own
        .insert("births-phase".to_owned(), "never".to_owned());
    let sheet = DrawSheet::default();
    let mut edit = edit(&start, Some(&sheet));
    phases::run(&mut edit).expect("the results hold");
    assert_eq!(edit.game.phase_name(edit.variant).to_string(), "F1901M");
    assert_eq!(
        sheet.made(),
        [("U1901L/birth-type/PRU".to_owned(), 0)].into()
    );
    assert_eq!(changes(&start.position, &edit.game).1, ["GER A PRU"]);
}

/// L63: a victory does not wait for types; they are drawn for the record.
#[test]
fn a_victory_while_types_are_open_is_declared_at_once() {
    let start = game(
        "AUS: F ADR, A ALB, A BEL, A BER, F BLA, A CLY, A DEN, F EAS, A GAL, A GAS, A HOL, A KIE, A LVP, F MAO, A NAP, \
         A NWY, A PIE, A ROM, A RUM, F SKA, A STP, A TYR, A VIE, A WAL; ENG: A TUS",
    );
    let sheet = DrawSheet::default();
    let mut edit = edit(&start, Some(&sheet));
    // One of the two coastal births has a line, which counts; the other is drawn.
    send(&mut edit, Power(0), "BIRTH APU F").unwrap();
    phases::run(&mut edit).expect("the results hold");
    assert_eq!(edit.game.state, State::Over(Ending::Won(vec![Power(0)])));
    let drawn: Vec<String> = sheet.made().into_keys().collect();
    assert_eq!(drawn, ["U1901L/birth-type/SWE"]);
    let (_, born) = changes(&start.position, &edit.game);
    assert!(born.contains(&"AUS F APU".to_owned()), "{born:?}");
    assert!(!born.iter().any(|unit| unit.contains('?')), "{born:?}");
}

/// L65: a line for what becomes another's birth has no effect, is deleted after the step, and nobody learns of it.
#[test]
fn a_line_for_anothers_birth_is_forgotten() {
    let start = game("FRA: F BRE, A PAR, F ENG; RUS: A MOS, A WAR, A UKR");
    let mut with = edit(&start, None);
    let (france, russia) = (Power(2), Power(5));
    for line in ["BIRTH PIC A", "BIRTH ANY F"] {
        send(&mut with, russia, line).unwrap();
    }
    let kept = |game: &Game| -> Vec<String> {
        let sight = VariantGame::new(game, life()).sight_of(russia);
        sight.lasting().map(str::to_owned).collect()
    };
    assert_eq!(kept(&with.game).len(), 2);
    phases::run(&mut with).expect("the results hold");
    let mut without = edit(&start, None);
    phases::run(&mut without).expect("the results hold");
    assert_eq!(with.game.position, without.game.position);
    assert_eq!(with.game.data(), without.game.data());
    assert_eq!(
        report(&start, &with.game),
        report(&start, &without.game),
        "nobody learns of it"
    );
    // The standing line stays.
    assert_eq!(kept(&with.game), ["ANY"]);
    assert_eq!(
        VariantGame::new(&with.game, life()).powers_missing(),
        [france]
    );
}

/// The absent owner of an open birth is not waited for (ruling 23).
#[test]
fn a_power_in_civil_disorder_is_not_asked() {
    let mut start = game("GER: F BER, A SIL, F LVN; TUR: A ANK, A SMY, A CON");
    let germany = Power(3);
    start.standings.entry(germany).or_default().disorder = true;
    let mut edit = edit(&start, None);
    phases::run(&mut edit).expect("the results hold");
    assert_eq!(edit.game.phase_name(edit.variant).to_string(), "F1901M");
    assert!(report(&start, &edit.game).contains("Germany: Army Prussia (drawn: A PRU), beside"));
}

#[test]
fn a_line_may_be_changed_until_the_phase_ends() {
    let start = game("RUS: A MOS, F FIN, A LVN; TUR: A ANK, A SMY, A CON");
    let russia = Power(5);
    let mut edit = edit(&start, None);
    phases::run(&mut edit).expect("the results hold");
    let mut send = |line: &str| {
        send(&mut edit, russia, line).unwrap();
        VariantGame::new(&edit.game, life())
            .seen_by(Viewer::Power(russia))
            .submitted_by(russia)
    };
    assert_eq!(send("BIRTH STP A"), ["BIRTH STP A"]);
    assert_eq!(send("BIRTH STP F/NC"), ["BIRTH STP F/NC"]);
    assert_eq!(send("BIRTH ANY A"), ["BIRTH ANY A", "BIRTH STP F/NC"]);
    assert_eq!(send("BIRTH NONE"), ["BIRTH ANY A"]);
    assert_eq!(send("BIRTH ANY ASK"), ["BIRTH STP ASK"]);
    assert_eq!(send("BIRTH STP F"), ["BIRTH STP F"]);
    phases::run(&mut edit).expect("the results hold");
    // The coast alone is drawn: with the seed of zeros the second.
    assert_eq!(changes(&start.position, &edit.game).1, ["RUS F STP/SC"]);
    assert!(
        report(&start, &edit.game)
            .contains("Russia: Fleet St Petersburg (south coast) (coast drawn: SC).")
    );
}

/// L59 to L61 on the author's example: who is asked, and what the seed of zeros draws for the one who says nothing.
#[test]
fn the_example_asks_only_who_has_no_line() {
    let example = rows(include_str!("../life/step.txt"))[0][1];
    let (england, france, germany, italy) = (Power(1), Power(2), Power(3), Power(4));
    for (with_line, asked) in [
        (&[england, france, germany, italy][..], &[][..]),
        (&[england, france, germany], &[italy]),
        (&[germany], &[england, france, italy]),
    ] {
        let start = game(example);
        let sheet = DrawSheet::default();
        let mut edit = edit(&start, Some(&sheet));
        for power in with_line {
            send(&mut edit, *power, "BIRTH ANY A").unwrap();
        }
        phases::run(&mut edit).expect("the results hold");
        if asked.is_empty() {
            assert_eq!(edit.game.phase_name(edit.variant).to_string(), "F1901M");
            continue;
        }
        assert_eq!(edit.game.phase_name(edit.variant).to_string(), "U1901L");
        assert_eq!(VariantGame::new(&edit.game, life()).powers_missing(), asked);
        phases::run(&mut edit).expect("the results hold");
        assert_eq!(sheet.made()["U1901L/birth-type/ROM"], 1);
        assert!(
            changes(&start.position, &edit.game)
                .1
                .contains(&"ITA F ROM".to_owned())
        );
        assert!(report(&start, &edit.game).contains("Italy: Fleet Rome (drawn: F ROM)."));
    }
}

/// Another map: powers without letters, an isle of three coasts, seas that touch nothing else.
#[test]
fn another_map_is_played_by_its_own_data() {
    let start = empty_on(
        "no homes\nno start\nno powers\npower Red  Reddish\npower Blue  Bluish\n\
         QNO  North Water  sea\nfleet ISL/NC\nQSO  South Water  sea\nfleet ISL/SC\nQWE  West Water  sea\nfleet ISL/WC\n\
         ISL  Isle  coast\nfleet/nc QNO\nfleet/sc QSO\nfleet/wc QWE\n\
         start Red  F QNO, F QSO\nstart Blue  F QWE, A PAR, A BUR, A PIC\n",
    );
    let (red, blue) = (power(&start, "RED"), power(&start, "BLU"));
    let ahead = |line: &str| send(&mut edit(&start, None), red, line);
    assert_eq!(
        ahead("BIRTH ISL F/EC").unwrap_err(),
        "Isle has the coasts NC, SC and WC: write BIRTH ISL F/NC or BIRTH ISL F/SC or BIRTH ISL F/WC."
    );
    assert!(ahead("BIRTH ANY F").unwrap()[0].contains("Bulgaria, Isle, Spain or St Petersburg"));
    let sheet = DrawSheet::forcing(draws("U1901L", "ISL", "type=F"));
    let mut edit = edit(&start, Some(&sheet));
    phases::run(&mut edit).expect("the results hold");
    assert_eq!(VariantGame::new(&edit.game, life()).powers_missing(), [red]);
    assert!(report(&start, &edit.game).contains(
        "Red: Unit Isle (type open), beside Reddish Fleet North Water, Reddish Fleet South Water"
    ));
    phases::run(&mut edit).expect("the results hold");
    // The coast is drawn among three.
    assert_eq!(sheet.made().len(), 2);
    let (dead, born) = changes(&start.position, &edit.game);
    assert_eq!(dead, ["QNO", "QSO", "QWE"]);
    assert!(born[0].starts_with("RED F ISL/"), "{born:?}");
    assert_eq!(edit.game.unit_count(blue), 3);
    assert_eq!(edit.game.phase_name(edit.variant).to_string(), "F1901M");
}
