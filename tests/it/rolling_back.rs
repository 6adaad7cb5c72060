//! ROLLBACK restores what it says and nothing else (README, Decided 41): over every recorded game and each of its phases, as it
//! was played, and with orders ahead, votes, absences and civil disorder put between.

use std::collections::BTreeMap;
use std::sync::Arc;

use dipjudge::game::{
    Absence, AheadLine, Cause, Conduct, Event, Game, GameEdit, Record, Restores, SeatChange, Vote,
    apply, phases,
};
use dipjudge::map::Power;
use dipjudge::variants;
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::recorded;

/// A game's story.
struct Story {
    name: String,
    records: Vec<Record>,
    /// The game behind each record.
    games: Vec<Game>,
}

impl Story {
    fn of(name: &str, records: Vec<Record>) -> Story {
        let mut games: Vec<Game> = Vec::new();
        for record in &records {
            let before = games.last().cloned();
            games.push(apply::replay(before, record).unwrap());
        }
        let name = name.to_owned();
        Story {
            name,
            records,
            games,
        }
    }

    fn end(&self) -> &Game {
        self.games.last().unwrap()
    }

    /// The turns that were processed, each with its record and the place of the event that played it.
    fn turns(&self) -> Vec<Turn> {
        let of_record = |(record, told): (usize, &Record)| {
            told.events
                .iter()
                .enumerate()
                .find_map(|(event, what)| match what {
                    Event::Played(played) => Some(Turn {
                        number: played.number,
                        record,
                        event,
                    }),
                    _ => None,
                })
        };
        self.records
            .iter()
            .enumerate()
            .filter_map(of_record)
            .collect()
    }

    /// The game just before a turn was played.
    fn before(&self, turn: &Turn) -> Game {
        let mut game = self.games[turn.record - 1].clone();
        let record = &self.records[turn.record];
        for event in &record.events[..turn.event] {
            apply::apply(&mut game, record.at, event);
        }
        game
    }

    /// How each power had kept its deadlines when the phase of a turn began.
    fn conduct(&self, turn: &Turn) -> BTreeMap<Power, Conduct> {
        let begins = |event: &Event| matches!(event, Event::Opened { .. } | Event::Begun { .. });
        let opened = |record: &usize| self.records[*record].events.iter().any(begins);
        let first = (0..turn.record).rev().find(opened).unwrap();
        let standings = self.games[first].standings.iter();
        let mut conduct: BTreeMap<Power, Conduct> = standings
            .map(|(power, one)| (*power, Conduct::of(one)))
            .collect();
        let later = self.records[first + 1..=turn.record].iter();
        for event in later.flat_map(|record| &record.events) {
            if let Event::Taken { power, .. } = event {
                let own = conduct.get_mut(power).unwrap();
                let times_late = own.times_late;
                *own = Conduct {
                    times_late,
                    ..Conduct::default()
                };
            }
        }
        conduct
    }

    /// The powers that the same seat leads at the end as just before a turn.
    fn same_leaders(&self, then: &Game) -> Vec<Power> {
        let led = |game: &Game, power: Power| {
            let standing = game.standing(power);
            (standing.holder, standing.resigned)
        };
        let powers = then.standings.keys().copied();
        powers
            .filter(|power| led(then, *power) == led(self.end(), *power))
            .collect()
    }

    fn rolled_back(&self, number: u32) -> Game {
        let mut game = self.end().clone();
        let restores = Restores::Everything;
        let at = self.records.last().unwrap().at;
        apply::apply(&mut game, at, &Event::RolledBack { number, restores });
        game
    }
}

struct Turn {
    number: u32,
    record: usize,
    event: usize,
}

/// Whether an event concerns people, addresses, settings or labels: it is not undone, so it does not come again.
fn stays(event: &Event) -> bool {
    match event {
        Event::SeatChanged { change, .. } => {
            !matches!(change, SeatChange::Absent(_) | SeatChange::Present(_))
        }
        Event::Seated { .. }
        | Event::Set(_)
        | Event::Labelled(_)
        | Event::MapGiven { .. }
        | Event::Renamed { .. }
        | Event::StandsBy { .. }
        | Event::Vacated { .. }
        | Event::Taken { .. } => true,
        _ => false,
    }
}

/// What ROLLBACK to before a turn must bring back of a game; `conduct` of powers that the same people lead.
fn restored(game: &Game, conduct: &BTreeMap<Power, Conduct>) -> Value {
    let standings = conduct.iter().map(|(power, conduct)| {
        let standing = game.standing(*power);
        json!([
            standing.orders,
            standing.submissions,
            standing.ahead,
            standing.vote,
            standing.terminates,
            conduct,
        ])
    });
    let absences = game
        .seats
        .iter()
        .map(|seat| (seat.id, seat.absences.clone()));
    json!({
        "turn": game.turn,
        "phase": game.phase,
        "number": game.number,
        "position": game.position,
        "data": game.data(),
        "years": game.years,
        "past": game.past,
        "standings": standings.collect::<Vec<_>>(),
        // Of seats that nobody had taken then, nothing can come back.
        "absences": absences.filter(|(_, some)| !some.is_empty()).collect::<Vec<_>>(),
    })
}

/// The whole of a game but the clock, who must confirm, and powers with other leaders.
fn whole(game: &Game, powers: &[Power]) -> Value {
    let mut game = game.clone();
    game.standings.retain(|power, _| powers.contains(power));
    for standing in game.standings.values_mut() {
        standing.required = false;
    }
    for past in &mut game.past {
        let past = Arc::make_mut(past);
        past.standings.retain(|power, _| powers.contains(power));
    }
    let mut value = serde_json::to_value(&game).unwrap();
    value.as_object_mut().unwrap().remove("timing");
    value
}

/// Goes back to before each turn from the end, and comes forward again by the same events.
fn goes_back_and_comes_again(story: &Story) {
    for turn in story.turns() {
        let place = format!("{}, turn {}", story.name, turn.number);
        let then = story.before(&turn);
        let rolled = story.rolled_back(turn.number);
        let same = story.same_leaders(&then);
        let mut conduct = story.conduct(&turn);
        conduct.retain(|power, _| same.contains(power));
        let now = same
            .iter()
            .map(|power| (*power, Conduct::of(rolled.standing(*power))));
        assert_eq!(
            restored(&rolled, &now.collect()),
            restored(&then, &conduct),
            "{place}"
        );
        assert!(
            rolled.standings.values().all(|standing| standing.required),
            "{place}"
        );
        assert_eq!(rolled.settings, story.end().settings, "{place}");
        let people = |game: &Game| -> Vec<_> {
            let seats = game.seats.iter();
            seats
                .map(|seat| {
                    (
                        seat.id,
                        seat.address.clone(),
                        seat.password.clone(),
                        seat.token,
                    )
                })
                .collect()
        };
        assert_eq!(people(&rolled), people(story.end()), "{place}");

        let mut again = rolled;
        let first = &story.records[turn.record];
        let rest = story.records[turn.record + 1..].iter();
        let rest = rest.flat_map(|record| record.events.iter().map(|event| (record.at, event)));
        let played = first.events[turn.event..]
            .iter()
            .map(|event| (first.at, event));
        // What was counted against powers before the turn was played comes again too.
        let counted = first.events[..turn.event].iter().filter(|event| {
            matches!(
                event,
                Event::Missed { .. } | Event::Disorder { .. } | Event::Late { .. }
            )
        });
        let late = late_in_phase(story, &turn);
        let counted = late
            .into_iter()
            .chain(counted)
            .map(|event| (first.at, event));
        for (at, event) in counted.chain(played).chain(rest) {
            // Who comes back to his own power is its leader already; that he was silent is forgotten once more.
            let comes_back = matches!(event, Event::Taken { power, seat }
                if again.standing(*power).holder == Some(*seat));
            if comes_back || !stays(event) {
                apply::apply(&mut again, at, event);
            }
        }
        let (again, end) = (whole(&again, &same), whole(story.end(), &same));
        assert_eq!(differing(&again, &end), None, "{place}");
    }
}

/// Where two values differ first.
fn differing(one: &Value, other: &Value) -> Option<String> {
    let entries = |value: &Value| -> Vec<(String, Value)> {
        match value {
            Value::Object(entries) => entries.clone().into_iter().collect(),
            Value::Array(items) => {
                let numbered = items.iter().cloned().enumerate();
                numbered.map(|(at, item)| (at.to_string(), item)).collect()
            }
            _ => Vec::new(),
        }
    };
    let (ones, others) = (entries(one), entries(other));
    let keys = |all: &[(String, Value)]| -> Vec<String> {
        all.iter().map(|(key, _)| key.clone()).collect()
    };
    if one == other {
        return None;
    }
    if ones.is_empty() || keys(&ones) != keys(&others) {
        return Some(format!(": {one} is not {other}"));
    }
    let mut pairs = ones.iter().zip(&others);
    pairs.find_map(|((key, one), (_, other))| {
        let deeper = differing(one, other)?;
        Some(format!("/{key}{deeper}"))
    })
}

/// What was counted in earlier records of the phase of a turn.
fn late_in_phase<'s>(story: &'s Story, turn: &Turn) -> Vec<&'s Event> {
    let begins = |event: &Event| matches!(event, Event::Opened { .. } | Event::Begun { .. });
    let opened = |record: &usize| story.records[*record].events.iter().any(begins);
    let first = (0..turn.record).rev().find(opened).unwrap();
    let counts = |event: &&Event| {
        matches!(
            event,
            Event::Late { .. }
                | Event::Abandoned { .. }
                | Event::Disorder { .. }
                | Event::Taken { .. }
        )
    };
    let records = story.records[first + 1..turn.record].iter();
    records
        .flat_map(|record| &record.events)
        .filter(counts)
        .collect()
}

fn stories() -> Vec<Story> {
    let games = recorded::games().into_iter();
    games
        .map(|(name, records)| Story::of(&name, records))
        .collect()
}

#[test]
fn every_phase_of_every_recorded_game_goes_back_and_comes_again() {
    let stories = stories();
    assert!(stories.len() >= 8);
    stories.iter().for_each(goes_back_and_comes_again);
}

/// The engine plays the turn once more from the orders of then: the same results and the same draws.
#[test]
fn a_turn_that_is_played_again_comes_out_the_same() {
    for story in stories() {
        let variant = variants::of(&story.end().variant);
        for turn in story.turns() {
            let record = &story.records[turn.record];
            let mut game = story.games[turn.record].clone();
            let (number, restores) = (turn.number, Restores::Everything);
            apply::apply(
                &mut game,
                record.at,
                &Event::RolledBack { number, restores },
            );
            let mut edit = GameEdit::of(&game, variant, record.at);
            phases::run(&mut edit).expect("the results hold");
            let results = |events: &[Event]| -> Vec<Value> {
                let told = events.iter().filter(|event| {
                    matches!(
                        event,
                        Event::Played(_)
                            | Event::Owned { .. }
                            | Event::Raised { .. }
                            | Event::Board { .. }
                            | Event::Data { .. }
                            | Event::Opened { .. }
                            | Event::Ended { .. }
                    )
                });
                told.map(|event| serde_json::to_value(event).unwrap())
                    .collect()
            };
            assert_eq!(
                results(&edit.events),
                results(&record.events[turn.event..]),
                "{}, turn {}",
                story.name,
                turn.number
            );
        }
    }
}

/// Orders ahead, votes, absences and disorder around each turn of a game in turn.
#[test]
fn what_was_sent_and_counted_between_goes_back_too() {
    for plain in stories() {
        for (place, turn) in plain.turns().iter().enumerate().step_by(3) {
            let mut records = plain.records.clone();
            disturb(&plain, turn, place, &mut records);
            let name = format!("{} disturbed in turn {}", plain.name, turn.number);
            goes_back_and_comes_again(&Story::of(&name, records));
        }
    }
}

/// Puts events before, into and behind the record of a turn.
fn disturb(story: &Story, turn: &Turn, place: usize, records: &mut Vec<Record>) {
    let then = story.before(turn);
    let powers: Vec<Power> = then.standings.keys().copied().collect();
    let [one, other] = [place, place + 1].map(|index| powers[index % powers.len()]);
    let record = &story.records[turn.record];
    let line = |phase: &str| AheadLine {
        phase: phase.to_owned(),
        line: format!("A Vie H of {phase}"),
        kinds: Default::default(),
    };
    let ahead = |power: Power, phase: &str| Event::Ahead {
        power,
        lines: vec![line(phase)],
    };
    let absent = |days: i64| {
        let from = record.at + SignedDuration::from_hours(24 * days);
        let to = from + SignedDuration::from_hours(48);
        let change = SeatChange::Absent(Absence { from, to });
        let seat = then.seats[place % then.seats.len()].id;
        Event::SeatChanged { seat, change }
    };
    let of = |events: Vec<Event>| Record {
        at: record.at,
        cause: Cause::Clock,
        events,
        ..record.clone()
    };
    let voted = |power: Power, vote: Option<Vote>| Event::Voted { power, vote };
    let before = of(vec![
        ahead(one, "F1930M"),
        ahead(other, "S1931M"),
        voted(one, Some(Vote::All)),
        Event::VotedToEnd {
            power: other,
            on: true,
        },
        Event::Late {
            powers: vec![other],
        },
        absent(3),
    ]);
    let after = of(vec![
        Event::AheadDropped {
            power: one,
            phase: None,
        },
        ahead(other, "W1931A"),
        absent(9),
    ]);
    let event = Event::Disorder {
        power: one,
        on: true,
    };
    records[turn.record].events.insert(turn.event, event);
    records.insert(turn.record + 1, after);
    records.insert(turn.record, before);
}
