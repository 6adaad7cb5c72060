//! The sample game of Life through real mail servers, mail by mail, to its victory: the board is followed by what the
//! reports tell, and nobody reads another's lines.

use std::collections::BTreeMap;

use crate::games::play::{PlayEvent, came, play};
use crate::games::received::Received;
use crate::games::{places, sample, weeks_until};
use crate::servers_host::Servers;
use dipjudge::shell::demo::script::{Position, Script, Step};

/// When the game begins as it is written.
const BEGINS: &str = "2026-11-30T09:00:00Z";

/// Units by power, as reports tell them.
#[derive(Default)]
struct Board(BTreeMap<String, Vec<String>>);

impl Board {
    /// Reads the results of a phase: the units after a Life step, or what was decided of open births.
    fn read(&mut self, body: &str) {
        let mut lines = Vec::new();
        let mut section = "";
        for paragraph in body.split("\n\n").map(str::trim) {
            match paragraph.lines().count() {
                1 if paragraph.ends_with(':') => section = paragraph,
                _ if section.starts_with("Units after ") => {
                    self.0.clear();
                    lines = sentences(paragraph);
                    section = "";
                }
                _ if section.starts_with("Births decided in ") => {
                    lines = sentences(paragraph);
                    section = "decided";
                }
                _ if section != "decided" => section = "",
                _ => {}
            }
        }
        for line in lines {
            let (power, rest) = line.split_once(": ").unwrap();
            let (power, count) = match power.split_once(", ") {
                Some((power, count)) => (power, count.parse::<usize>().ok()),
                None => (power, None),
            };
            let list = self.0.entry(power.to_owned()).or_default();
            let units: Vec<String> = rest.trim_end_matches('.').split(", ").map(unit).collect();
            if let Some(count) = count {
                assert_eq!(units.len(), count, "{line}");
            }
            for unit in units {
                list.retain(|other| other[4..] != unit[2..5] || !other.starts_with("NEW"));
                list.push(unit);
            }
            list.sort();
        }
    }

    /// Fails unless it is that of the script. At the end the types of births are drawn, so only places count.
    fn compare(&self, position: &Position) {
        let place = |unit: &String| {
            let (_, place) = unit.split_once(' ').unwrap();
            place[..3].to_owned()
        };
        for (power, holdings) in &position.powers {
            let found = self.0.get(power).cloned().unwrap_or_default();
            if position.phase == "the end" {
                let places = |units: &[String]| {
                    let mut places: Vec<String> = units.iter().map(place).collect();
                    places.sort();
                    places
                };
                assert_eq!(
                    places(&found),
                    places(&holdings.units),
                    "{power} at the end"
                );
            } else {
                assert_eq!(found, holdings.units, "{power} in {}", position.phase);
            }
        }
    }
}

/// Wrapped lines as the sentences that they were.
fn sentences(paragraph: &str) -> Vec<String> {
    let mut sentences: Vec<String> = Vec::new();
    for line in paragraph.lines() {
        match sentences.last_mut().filter(|last| !last.ends_with('.')) {
            Some(last) => {
                last.push(' ');
                last.push_str(line);
            }
            None => sentences.push(line.to_owned()),
        }
    }
    sentences
}

/// `Fleet St Petersburg (north coast) (born)` as `F STP/NC`, `Unit Rome (born)` as `NEW ROM`.
fn unit(words: &str) -> String {
    let words = words.trim_end_matches(" (born)");
    let words = words.split(" (drawn").next().unwrap();
    let words = words.split(" (coast drawn").next().unwrap();
    let (kind, place) = words.split_once(' ').unwrap();
    match kind {
        "Unit" => format!("NEW {}", places::abbreviation(place)),
        kind => places::unit(kind, place),
    }
}

/// Everybody follows the game by the reports, and all read the same.
fn the_reports_tell_the_board(script: &Script, record: &[PlayEvent]) {
    for person in &script.people {
        let mut board = Board::default();
        let mut compared = 0;
        for happened in record {
            match happened {
                PlayEvent::Received(mail)
                    if mail.reader() == person.name && mail.subject.ends_with(" Results") =>
                {
                    board.read(&mail.body);
                }
                PlayEvent::Expected(position) => {
                    board.compare(position);
                    compared += 1;
                }
                _ => {}
            }
        }
        assert_eq!(compared, 11, "{}", person.name);
    }
}

/// A line about births is read by who sent it, and by nobody else.
fn lines_stay_secret(script: &Script, record: &[PlayEvent]) {
    let mut told = 0;
    for mail in came(record) {
        let role = &script.person(mail.reader()).unwrap().role;
        for line in mail.body.lines().filter(|line| line.contains(": BIRTH ")) {
            assert!(
                line.starts_with(&format!("{role}: BIRTH ")),
                "{} reads {line:?}",
                mail.reader()
            );
            told += 1;
        }
    }
    assert!(told > 10, "{told} lines are shown to those who sent them");
}

#[test]
fn a_game_of_life_comes_through_real_servers_to_its_victory() {
    let script = sample("life", weeks_until(BEGINS));
    let Some(mut servers) = Servers::start(crate::games::people(&script)) else {
        return;
    };
    let mut record = Vec::new();
    play(&script, &script.steps, &mut servers, &mut record);
    let positions = script
        .steps
        .iter()
        .filter(|step| matches!(step, Step::Position(_)))
        .count();
    assert_eq!(positions, 11);
    the_reports_tell_the_board(&script, &record);
    lines_stay_secret(&script, &record);
    let won: Vec<&Received> = came(&record)
        .filter(|mail| mail.subject == "USXX:conway - S1904M Victory: I")
        .collect();
    assert_eq!(won.len(), script.people.len(), "all are told who won");
    for mail in won {
        assert!(mail.body.contains("The game was won by Italy."));
        assert!(mail.body.contains("seed"));
    }
    servers.keeper_has_heard_nothing();
}
