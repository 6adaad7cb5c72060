//! The sample game of Bridge through real mail servers, mail by mail, to its victory; and the same through Maildirs.

use crate::games::play::{PlayEvent, came, play};
use crate::games::received::Received;
use crate::games::{sample, weeks_until};
use crate::servers_host::{Servers, told};
use crate::whole_game::played_through_maildirs;
use dipjudge::shell::demo::script::{Script, Step};

/// When the game begins as it is written.
const BEGINS: &str = "2027-02-01T09:00:00Z";

/// Every phase is reported once to everybody, and no other.
fn results_come_once_to_all(script: &Script, record: &[PlayEvent]) {
    for phase in [
        "F1900B", "S1901M", "F1901M", "F1901B", "S1902M", "F1902M", "F1902R", "F1902B",
    ] {
        let subject = format!("USXX:friday - {phase} Results");
        let mut readers: Vec<&str> = came(record)
            .filter(|mail| mail.subject == subject)
            .map(Received::reader)
            .collect();
        readers.sort_unstable();
        let mut all: Vec<&str> = script
            .people
            .iter()
            .map(|person| person.name.as_str())
            .collect();
        all.sort_unstable();
        assert_eq!(readers, all, "{subject}");
    }
}

/// A bid stands in mails to its own power, and in nobody else's before the Winter in which it is revealed.
fn bids_stay_secret(script: &Script, record: &[PlayEvent]) {
    let mut told = 0;
    for mail in came(record) {
        for line in mail
            .body
            .lines()
            .filter(|line| line.contains(": BID ") && !line.contains("no bid yet"))
        {
            let reader = script.person(mail.reader()).unwrap();
            let own = format!("{}: BID ", reader.role);
            let quoted = format!("{}: BID ", &reader.role[..1]);
            assert!(
                line.starts_with(&own) || line.starts_with(&quoted),
                "{} reads {line:?}",
                reader.name
            );
            told += 1;
        }
    }
    assert!(told >= 14, "everybody reads the own bids: {told}");
}

/// What the reports of the game's turning points say.
fn the_reports_tell_the_game(record: &[PlayEvent]) {
    let holds = |phase: &str, lines: &[&str]| {
        let subject = format!("USXX:friday - {phase} Results");
        for mail in came(record).filter(|mail| mail.subject == subject) {
            for line in lines {
                assert!(
                    mail.body.lines().any(|other| other == *line),
                    "{line}\n{}",
                    mail.body
                );
            }
        }
    };
    holds(
        "F1900B",
        &["Russia:                   Builds a fleet in St Petersburg (north coast)."],
    );
    holds(
        "F1901M",
        &[
            "France      3    5     5  exact         +1        6      3  build 3",
            "Italy       3    4     5  over           0        5      3  build 2, fortify 1",
            "Turkey      3    5     4  short         -1        3      3  only a bid",
        ],
    );
    holds(
        "F1901B",
        &[
            "Germany:  Belgium.",
            "Germany:                  1 build saved for later.",
        ],
    );
    holds("S1902M", &["France: Army Burgundy -> Belgium.  (*bounce*)"]);
    holds(
        "F1902M",
        &["Belgium: the German fort falls to the French Army."],
    );
    holds(
        "F1902R",
        &["France      5    6     6  exact         +2        8      6  build 2"],
    );
}

#[test]
fn a_game_of_bridge_comes_through_real_servers_to_its_victory() {
    let script = sample("bridge", weeks_until(BEGINS));
    let Some(mut servers) = Servers::start(crate::games::people(&script)) else {
        return;
    };
    let mut record = Vec::new();
    play(&script, &script.steps, &mut servers, &mut record);
    results_come_once_to_all(&script, &record);
    bids_stay_secret(&script, &record);
    the_reports_tell_the_game(&record);
    let won: Vec<&Received> = came(&record)
        .filter(|mail| {
            mail.body.contains("France")
                && mail.subject.contains("friday")
                && mail.body.contains("Every random draw")
        })
        .collect();
    assert_eq!(
        won.len(),
        script.people.len(),
        "all are told who won, and the seed"
    );
    servers.keeper_has_heard_nothing();
    stands_as_written(&script, &servers.program.run(&["export", "friday"]));

    // The same through Maildirs.
    let script = sample("bridge", 0);
    let same = played_through_maildirs(&script);
    for person in &script.people {
        let (by_servers, by_maildirs) = (told(&person.name, &record), told(&person.name, &same));
        assert_eq!(by_servers, by_maildirs, "what {} read", person.name);
    }
}

/// Every position of the script, held against the exported game.
fn stands_as_written(script: &Script, exported: &str) {
    let game: serde_json::Value = serde_json::from_str(exported).unwrap();
    let phases = game["phases"].as_array().unwrap();
    let mut compared = 0;
    for step in &script.steps {
        let Step::Position(position) = step else {
            continue;
        };
        let name = match position.phase.as_str() {
            "the end" => "COMPLETED",
            phase => phase,
        };
        let phase = phases.iter().find(|phase| phase["name"] == name);
        let state = &phase.unwrap_or_else(|| panic!("no phase {name}"))["state"];
        for (power, holdings) in &position.powers {
            let listed = |key: &str| -> Vec<String> {
                let list = state[key][power.to_uppercase()].as_array();
                let mut list: Vec<String> = list
                    .into_iter()
                    .flatten()
                    .map(|item| item.as_str().unwrap().to_owned())
                    .collect();
                list.sort();
                list
            };
            let starred = holdings.dislodged.iter().map(|unit| format!("*{unit}"));
            let mut units: Vec<String> = holdings.units.iter().cloned().chain(starred).collect();
            units.sort();
            assert_eq!(listed("units"), units, "{power} in {name}");
            assert_eq!(listed("centers"), holdings.centers, "{power} in {name}");
            compared += 1;
        }
    }
    assert_eq!(compared, 8 * 7);
}
