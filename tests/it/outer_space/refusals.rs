//! What is said to lines that cannot be taken as they are.

use dipjudge::calendar::Season;
use dipjudge::game::{Phase, VariantGame};

use super::table::Table;

#[test]
fn every_refusal_says_why() {
    let text = include_str!("../../outer_space/refusals.txt");
    let mut lines = 0;
    for case in text.split("\n== ").skip(1) {
        let (title, rest) = case.split_once('\n').unwrap();
        let mut table = Table::of(&["JED", "ZOR", "KLA"], &[]);
        let line = |key: &str| rest.lines().find_map(|line| line.strip_prefix(key));
        table.place(
            line("position: ").unwrap(),
            "",
            line("colonies: ").unwrap_or(""),
        );
        let jed = table.power("JED");
        for (order, answer) in rest.lines().filter_map(|line| line.split_once(" => ")) {
            lines += 1;
            let said = match table.write(jed, order) {
                Ok(notes) if notes.is_empty() => "taken".to_owned(),
                Ok(notes) => format!("taken: {}", notes.join(" ")),
                Err(why) => format!("refused: {why}"),
            };
            assert_eq!(said, answer, "{title}: {order}");
        }
        let sight = VariantGame::new(table.game(), table.variant()).sight_of(jed);
        let notes = table.variant().order_warnings(&sight).join(" ");
        assert_eq!(notes, line("note: ").unwrap_or(""), "{title}");
    }
    assert_eq!(lines, 65);
}

/// O73
#[test]
fn no_more_retreats_go_aboard_than_there_is_room() {
    let mut table = Table::of(&["JED", "ZOR"], &[]);
    table.place(
        "JED: A MUN, A PRU, A KIE, A GAL; ZOR: A BER, A SIL, 2 A ORB",
        "",
        "",
    );
    let (jed, zor) = (table.power("JED"), table.power("ZOR"));
    table
        .write(
            jed,
            "A KIE - BER, A MUN S A KIE - BER, A GAL - SIL, A PRU S A GAL - SIL",
        )
        .unwrap();
    table.run();
    assert_eq!(table.game().phase, Phase::Retreats);
    assert_eq!(
        table.write(zor, "A BER R PAR").unwrap_err(),
        "The army in Berlin may retreat to Orbit and nowhere else, or disband."
    );
    table.write(zor, "A BER R ORB").unwrap();
    assert_eq!(
        table.write(zor, "RETREAT A SIL - ORB").unwrap_err(),
        "Your spacecraft has room for one army, and other retreats are ordered there already."
    );
    table.write(zor, "A BER R ORB").unwrap();
    table.run();
    let aboard = table.game().position.units_of(zor).count();
    assert_eq!(aboard, 3, "one came aboard, the other is gone");
}

#[test]
fn sites_are_owned_colonized_and_vacant() {
    let mut table = Table::of(&["JED", "ZOR"], &[]);
    table.place(
        "JED: A KIE; ZOR: A LON",
        "JED: MUN BER KIE VIE; ZOR: LON EDI",
        "JED: BER KIE PAR BOH VIE; ZOR: YOR",
    );
    table.open(Season::Winter, 1903, Phase::Adjustments);
    let (jed, zor) = (table.power("JED"), table.power("ZOR"));
    for (line, why) in [
        (
            "BUILD A MUN",
            "Nothing can be built in Munich: it is not your colony.  You can build in Berlin and Vienna.",
        ),
        (
            "BUILD A PAR",
            "Nothing can be built in Paris: you do not own it.  You can build in Berlin and Vienna.",
        ),
        (
            "BUILD A KIE",
            "Nothing can be built in Kiel: it is not vacant.  You can build in Berlin and Vienna.",
        ),
        (
            "BUILD A BOH",
            "Nothing can be built in Bohemia: it is no supply center.  You can build in Berlin and Vienna.",
        ),
        (
            "BUILD A EDI",
            "Nothing can be built in Edinburgh: you do not own it and it is not your colony.  You can build in Berlin \
             and Vienna.",
        ),
        ("BUILD A ORB", "Nothing is built in orbit."),
    ] {
        assert_eq!(table.write(jed, line).unwrap_err(), why, "{line}");
    }
    table.write(jed, "BUILD F BER; Build A Vie").unwrap();
    assert_eq!(
        table.write(zor, "BUILD A EDI").unwrap_err(),
        "You have builds but nowhere to build: you need a vacant center that you own and have colonized."
    );
}

#[test]
fn armies_aboard_are_removed_one_by_one() {
    let mut table = Table::of(&["JED", "ZOR"], &[]);
    table.place(
        "JED: A MUN, A BER, 2 A ORB; ZOR: A LON",
        "JED: MUN; ZOR: LON",
        "",
    );
    table.open(Season::Winter, 1903, Phase::Adjustments);
    let jed = table.power("JED");
    table.write(jed, "REMOVE A ORB").unwrap();
    // A new mail orders those aboard anew.
    table.mail();
    table.write(jed, "REMOVE A ORB; REMOVE A BER").unwrap();
    table.write(jed, "Remove A Orb").unwrap();
    assert_eq!(
        table.write(jed, "Remove A Orb").unwrap_err(),
        "You have only 2 armies in Orbit, and the lines above order all of them."
    );
    table.run();
    let left: Vec<String> = table
        .game()
        .position
        .units_of(jed)
        .map(|unit| unit.at.to_string())
        .collect();
    assert_eq!(left, ["MUN"]);
}
