//! The worked cases of the rules (`tests/adjudication/rather-silly/cases.txt`), each played step by step.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::board::{Board, Draws};
use super::orders::{Everybody, Submissions};
use super::rules::Rules;
use super::state::{Borg, Drawn, State, Tardis, WHOLE};
use super::steps::Season;
use super::{DOCTOR, JESTER, MASTERMIND, MONSTERS, PLACES, SOOTHSAYER, notation};
use crate::game::{Dice, DrawSheet, Seed};
use crate::map::{Map, Power, Province};
use crate::position::Position;

const CASES: &str = include_str!("../../../tests/adjudication/rather-silly/cases.txt");

/// A case as it is written down.
struct Case<'c> {
    title: &'c str,
    position: &'c str,
    sent: Vec<(&'c str, &'c str)>,
    after: Vec<(u8, &'c str)>,
}

fn cases() -> Vec<Case<'static>> {
    let mut cases: Vec<Case<'static>> = Vec::new();
    for line in CASES
        .lines()
        .map(|line| line.split(" -- ").next().unwrap().trim())
    {
        if let Some(title) = line.strip_prefix("# T") {
            cases.push(Case {
                title,
                position: "",
                sent: Vec::new(),
                after: Vec::new(),
            });
            continue;
        }
        let Some(case) = cases.last_mut().filter(|_| !line.is_empty()) else {
            continue;
        };
        if case.position.is_empty() {
            case.position = line;
            continue;
        }
        let (head, rest) = line.split_once(':').unwrap();
        match head.parse() {
            Ok(step) => case.after.push((step, rest.trim())),
            Err(_) => case.sent.push((head, rest.trim())),
        }
    }
    cases
}

fn power(name: &str) -> Power {
    const NAMES: [&str; 11] = [
        "AUSTRIA",
        "ENGLAND",
        "FRANCE",
        "GERMANY",
        "ITALY",
        "RUSSIA",
        "TURKEY",
        "JESTER",
        "MASTERMIND",
        "DOCTOR",
        "SOOTHSAYER",
    ];
    match NAMES.iter().position(|other| *other == name) {
        Some(index) => Power(index as u8),
        None if name == "MONSTERS" => MONSTERS,
        None => panic!("no seat: {name}"),
    }
}

fn place(word: &str) -> Province {
    word.to_uppercase()
        .parse()
        .unwrap_or_else(|_| panic!("no space: {word}"))
}

fn places(words: &[&str]) -> BTreeSet<Province> {
    words.iter().map(|word| place(word)).collect()
}

/// A fraction of a free unit.
fn parts(text: &str) -> u32 {
    let (over, under) = text.split_once('/').unwrap_or((text, "1"));
    over.parse::<u32>().unwrap() * WHOLE / under.parse::<u32>().unwrap()
}

/// What a case begins with.
struct Beginning {
    board: Board<'static>,
    step: u8,
    season: String,
    /// Whether the MASTERMIND's question counts in it.
    asks: bool,
    draws: Vec<(String, String)>,
}

fn beginning(text: &str) -> Beginning {
    let mut parts_of = text.split('|').map(str::trim);
    let season = parts_of.next().unwrap();
    let (season, step) = season.split_once('@').unwrap_or((season, "1"));
    let mut state = State {
        borg: Borg::Never,
        tardis: Tardis::Hyperspace,
        ..State::default()
    };
    let map = Map::with_places("standard", PLACES).unwrap();
    let mut beginning = Beginning {
        board: Board {
            map,
            position: Position::default(),
            state: State::default(),
        },
        step: step.parse().unwrap(),
        season: season.to_owned(),
        asks: false,
        draws: Vec::new(),
    };
    let mut units = Vec::new();
    for part in parts_of.filter(|part| !part.is_empty()) {
        let words: Vec<&str> = part.split_whitespace().collect();
        match words[0] {
            "BORG" if words[1] == "DUE" => state.borg = Borg::Due,
            "BORG" => state.borg = Borg::At(place(words[1])),
            "TARDIS" if words[1] == "HYPERSPACE" => state.tardis = Tardis::Hyperspace,
            "TARDIS" => state.tardis = Tardis::At(place(words[1])),
            "LINK" => {
                let (a, b) = words[1].split_once('-').unwrap();
                let (a, b) = (place(a), place(b));
                state.link = Some((a.min(b), a.max(b)));
            }
            "LLAMAS" => {
                let herds = places(&words[2..]);
                state.herds.insert(power(words[1]), herds);
            }
            "OWN" if words[1] == "NOBODY" => {}
            "OWN" => {
                for center in places(&words[2..]) {
                    beginning
                        .board
                        .position
                        .owners
                        .insert(center, power(words[1]));
                }
            }
            "CREDIT" => {
                state.accounts.insert(power(words[1]), parts(words[2]));
            }
            "LOST" => {
                state
                    .lost_souls
                    .insert(power(words[1]), words[2].parse().unwrap());
            }
            "VP" => state.points = words[1].parse().unwrap(),
            "BONUS" => state.bonus = words[1..].iter().map(|word| power(word)).collect(),
            "CENTRES" => state.doctors_centers = words[2].parse().unwrap(),
            "FLEETS" => {
                state
                    .fleets_built
                    .insert(power(words[1]), words[2].parse().unwrap());
            }
            "PAIRUSED" => {
                state.paired.insert(power(words[1]));
            }
            "ELIM" => state.out = words[1..].iter().map(|word| power(word)).collect(),
            "QUESTION" => {
                beginning.asks = true;
                let accepted = part["QUESTION".len()..].split("; ");
                state.question = Some(
                    accepted
                        .map(|line| notation::accepted(line.trim()).unwrap())
                        .collect(),
                );
            }
            "NOQUESTION" => beginning.asks = true,
            "DRAW" => {
                for word in &words[1..] {
                    let (label, result) = word.split_once('=').unwrap();
                    beginning.draws.push((label.to_owned(), result.to_owned()));
                }
            }
            _ => units.push(part),
        }
    }
    beginning.board.state = state;
    for part in units {
        let (seat, all) = part.split_once(' ').unwrap();
        for unit in all.split(", ") {
            let unit = notation::unit(unit).unwrap_or_else(|| panic!("no unit: {unit}"));
            let id = beginning.board.put(power(seat), unit.kind, unit.at);
            beginning.board.alter(id, |traits| *traits = unit.traits);
        }
    }
    beginning
}

/// What a case came to: the board after each step, and what was refused or came to nothing.
struct Played {
    beginning: Beginning,
    after: BTreeMap<u8, Board<'static>>,
    winners: BTreeSet<Power>,
    errors: Vec<String>,
    made: Vec<Drawn>,
    options: BTreeMap<String, BTreeSet<String>>,
}

fn play(case: &Case<'_>, forced: &BTreeMap<String, u64>) -> Played {
    let beginning = beginning(case.position);
    let mut board = beginning.board.clone();
    let rules = Rules::default();
    let mut errors = Vec::new();
    let mut everybody = Everybody::new();
    let mut ruled = Vec::new();
    for (seat, lines) in &case.sent {
        for line in lines.split("; ") {
            if *seat == "MASTER" {
                let words: Vec<&str> = line.split_whitespace().collect();
                ruled.push((power(words[2]), words[3] == "RIGHT"));
                continue;
            }
            let seat = power(seat);
            let own: &mut Submissions = everybody.entry(seat).or_default();
            let winter = beginning.season.starts_with('W');
            if let Err(refused) = notation::line(&mut board, &rules, own, seat, line, winter) {
                errors.extend(refused.into_iter().map(|why| format!("{line}: {why}")));
            }
        }
    }
    let seed = Seed::new([0; 32]);
    let season = match beginning.season.strip_prefix('W') {
        Some(year) => format!("F{year}"),
        None => beginning.season.clone(),
    };
    let stream = |(label, index): (&String, &u64)| (format!("{season}/{label}"), *index);
    let sheet = DrawSheet::forcing(forced.iter().map(stream).collect());
    let made = RefCell::new(Vec::new());
    let all: BTreeSet<Power> = (0..=SOOTHSAYER.0).map(Power).collect();
    let playing = Season {
        rules: &rules,
        everybody: &everybody,
        seats: &all,
        ruled: &ruled,
        draws: Draws {
            dice: Dice::new(&seed).beside(Some(&sheet)),
            season: &season,
            made: &made,
        },
        spring: season.starts_with('S'),
        year: season[1..].parse().unwrap(),
        notices: RefCell::default(),
    };
    let mut after = BTreeMap::new();
    let mut winners = BTreeSet::new();
    let last = case.after.last().map_or(0, |(step, _)| *step);
    let mut options: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    if last == 0 {
        after.insert(0, board.clone());
    }
    for step in beginning.step..=last {
        let wanted = case.after.iter().any(|(other, _)| *other == step);
        match step {
            1 => {
                playing.movement(&mut board);
            }
            2 => playing.merge(&mut board),
            3 => super::souls::run_down(&mut board, &rules),
            4 => playing.sell_souls(&mut board),
            5 => playing.feed_borg(&mut board),
            6 => playing.explode(&mut board),
            7 => playing.retreat(&mut board),
            // No monsters arrive unless the case says where.
            8 => {
                if beginning
                    .draws
                    .iter()
                    .any(|(label, _)| label.contains("-monsters"))
                {
                    playing.monsters_arrive(&mut board);
                }
                if playing.spring {
                    winners = playing.winners(&board);
                }
            }
            9 if !playing.spring => {
                super::winter::count(&mut board, &rules);
                playing.adjust(&mut board);
                winners = playing.winners(&board);
            }
            10 => {
                if beginning.asks {
                    playing.close_question(&mut board);
                }
                playing.build_free(&mut board);
            }
            11 => playing.vote(&mut board),
            _ => {}
        }
        if step < 7 {
            super::retreats::note_options(&mut board);
            for one in &board.position.dislodged {
                let name = notation::written(&board, &one.unit);
                let open = one.options.iter().map(|to| to.province.to_string());
                options.insert(name.trim_end_matches('!').to_owned(), open.collect());
            }
        }
        if wanted {
            after.insert(step, board.clone());
        }
    }
    let notices = playing.notices.take().into_iter();
    errors.extend(notices.map(|notice| format!("{:?}: {}", notice.seat, notice.said)));
    Played {
        beginning,
        after,
        winners,
        errors,
        made: made.into_inner(),
        options,
    }
}

/// Plays a case with the draws that it forces: what was drawn from is known only once it has been played.
fn play_forced(case: &Case<'_>) -> Result<Played, String> {
    let mut forced = BTreeMap::new();
    loop {
        let played = play(case, &forced);
        let open = played
            .beginning
            .draws
            .iter()
            .find(|(label, _)| !forced.contains_key(label));
        let Some((label, result)) = open else {
            return Ok(played);
        };
        let Some(drawn) = played.made.iter().find(|drawn| drawn.label == *label) else {
            return Err(format!("nothing is drawn for {label}: {:?}", played.made));
        };
        let index = drawn
            .options
            .iter()
            .position(|option| option.eq_ignore_ascii_case(result));
        let index = index.ok_or_else(|| format!("{result} of {:?}", drawn.options))?;
        forced.insert(label.clone(), index as u64);
    }
}

/// What is otherwise than a case has it.
fn faults(case: &Case<'_>) -> Vec<String> {
    let played = match play_forced(case) {
        Ok(played) => played,
        Err(fault) => return vec![fault],
    };
    let mut faults = Vec::new();
    let mut errors = 0;
    for (step, text) in &case.after {
        let board = &played.after[step];
        let mut wanted: BTreeSet<String> = BTreeSet::new();
        let mut fault = |what: &str, is: String, should: String| {
            if is != should {
                faults.push(format!(
                    "after {step}, {what}: {is}\n          and not {should}"
                ));
            }
        };
        for part in text
            .split('|')
            .map(str::trim)
            .filter(|part| !part.is_empty())
        {
            let words: Vec<&str> = part.split_whitespace().collect();
            let rest = || words[1..].to_vec();
            let named = |names: &[&str]| -> BTreeSet<Power> {
                names
                    .iter()
                    .filter(|name| **name != "NONE")
                    .map(|name| power(name))
                    .collect()
            };
            let state = &board.state;
            match words[0] {
                "BORG" => fault(
                    part,
                    format!("{:?}", state.borg),
                    format!("{:?}", Borg::At(place(words[1]))),
                ),
                "TARDIS" if words[1] == "HYPERSPACE" => {
                    fault(
                        part,
                        format!("{:?}", state.tardis),
                        format!("{:?}", Tardis::Hyperspace),
                    );
                }
                "TARDIS" => fault(
                    part,
                    format!("{:?}", state.tardis),
                    format!("{:?}", Tardis::At(place(words[1]))),
                ),
                "LINK" if words[1] == "NONE" => {
                    fault(part, format!("{:?}", state.link), "None".to_owned())
                }
                "LINK" => {
                    let (a, b) = words[1].split_once('-').unwrap();
                    let (a, b) = (place(a), place(b));
                    fault(
                        part,
                        format!("{:?}", state.link),
                        format!("{:?}", Some((a.min(b), a.max(b)))),
                    );
                }
                "LLAMAS" if words[1] == "NONE" => {
                    fault(part, format!("{:?}", state.herds), "{}".to_owned())
                }
                "LLAMAS" => {
                    let herds = state
                        .herds
                        .get(&power(words[1]))
                        .cloned()
                        .unwrap_or_default();
                    fault(
                        part,
                        format!("{herds:?}"),
                        format!("{:?}", places(&words[2..])),
                    );
                }
                "OWN" if words[1] == "NOBODY" => {
                    for center in places(&words[2..]) {
                        fault(
                            part,
                            format!("{:?}", board.position.owners.get(&center)),
                            "None".to_owned(),
                        );
                    }
                }
                "OWN" => {
                    for center in places(&words[2..]) {
                        let owner = board.position.owners.get(&center);
                        fault(
                            part,
                            format!("{owner:?}"),
                            format!("{:?}", Some(power(words[1]))),
                        );
                    }
                }
                "CREDIT" => {
                    let account = state.accounts.get(&power(words[1])).copied().unwrap_or(0);
                    fault(part, account.to_string(), parts(words[2]).to_string());
                }
                "LOST" => {
                    let lost = state.lost_souls.get(&power(words[1])).copied().unwrap_or(0);
                    fault(part, lost.to_string(), words[2].to_owned());
                }
                "VP" => fault(part, state.points.to_string(), words[1].to_owned()),
                "BONUS" => fault(
                    part,
                    format!("{:?}", state.bonus),
                    format!("{:?}", named(&rest())),
                ),
                "RIGHT" => fault(
                    part,
                    format!("{:?}", state.season.right),
                    format!("{:?}", named(&rest())),
                ),
                "WINNER" => fault(
                    part,
                    format!("{:?}", played.winners),
                    format!("{:?}", named(&rest())),
                ),
                "STANDOFF" => {
                    let names: Vec<&str> =
                        rest().into_iter().filter(|name| *name != "NONE").collect();
                    let register: BTreeSet<Province> =
                        state.season.register.keys().copied().collect();
                    fault(
                        part,
                        format!("{register:?}"),
                        format!("{:?}", places(&names)),
                    );
                }
                "RETREATS" => {
                    let (unit, open) = part["RETREATS ".len()..].split_once(':').unwrap();
                    let (kind, at) = unit.split_once(' ').unwrap();
                    let name = format!("{kind} {}", at.to_uppercase());
                    let found = played.options.iter().find(|(other, _)| {
                        other
                            .split_once(' ')
                            .is_some_and(|(_, unit)| unit.split('[').next() == Some(name.as_str()))
                    });
                    let open: BTreeSet<String> =
                        open.split_whitespace().map(str::to_owned).collect();
                    fault(
                        part,
                        format!("{:?}", found.map(|(_, open)| open)),
                        format!("{:?}", Some(&open)),
                    );
                }
                "ERRORS" => errors += words[1].parse::<usize>().unwrap(),
                seat => {
                    for unit in part[seat.len()..].trim().split(", ") {
                        let unit =
                            notation::unit(unit).unwrap_or_else(|| panic!("no unit: {unit}"));
                        wanted.insert(unit.written(power(seat)));
                    }
                }
            }
        }
        let units: BTreeSet<String> = board
            .units()
            .map(|unit| notation::written(board, unit))
            .collect();
        fault("units", format!("{units:?}"), format!("{wanted:?}"));
    }
    if played.errors.len() != errors {
        faults.push(format!(
            "{} errors and not {errors}: {:#?}",
            played.errors.len(),
            played.errors
        ));
    }
    faults
}

#[test]
fn every_worked_case_comes_out_as_it_should() {
    let cases = cases();
    assert_eq!(cases.len(), 133);
    let wanted = std::env::var("CASE").unwrap_or_default();
    let mut faulty = Vec::new();
    for case in cases.iter().filter(|case| case.title.starts_with(&wanted)) {
        let faults = faults(case);
        if !faults.is_empty() {
            faulty.push(format!("T{}\n    {}", case.title, faults.join("\n    ")));
        }
    }
    assert!(
        faulty.is_empty(),
        "{} cases:\n\n{}",
        faulty.len(),
        faulty.join("\n\n")
    );
}

#[test]
fn the_seats_are_where_their_numbers_say() {
    let map = Map::with_places("standard", PLACES).unwrap();
    for (seat, name) in [
        (JESTER, "Jester"),
        (MASTERMIND, "Mastermind"),
        (DOCTOR, "Doctor"),
        (SOOTHSAYER, "Soothsayer"),
    ] {
        assert_eq!(map.powers()[seat.0 as usize].name, name);
    }
}
