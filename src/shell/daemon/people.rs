//! The people whom the judge knows, for the keeper.

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::library::read_game_log;
use super::query_error::QueryError;
use dipjudge_game::{Cause, Event, Game, PersonId, Seat, State, VariantGame};
use dipjudge_judge::{Judge, Person, Right};
use dipjudge_store::Store;
use dipjudge_variants as variants;
use dipjudge_view::Viewer;

/// One person, as the keeper sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserFacts {
    /// The number by which logs of games refer to the person.
    pub number: u32,
    /// The name.
    pub name: String,
    /// The addresses; mail goes to the first.
    pub addresses: Vec<String>,
    /// Dedication, with points that are withheld from others.
    pub dedication: i64,
    /// How many turns were in time.
    pub on_time: u32,
    /// Of how many.
    pub turns: u32,
    /// The games that are not over in which the person has a place, with what for.
    pub places: Vec<String>,
    /// What the keeper has denied.
    pub denied: Vec<Right>,
    /// Whether mail is not read.
    pub blocked: bool,
}

impl fmt::Display for UserFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UserFacts {
            number,
            name,
            addresses,
            dedication,
            on_time,
            turns,
            places,
            denied,
            blocked,
        } = self;
        write!(f, "{number}  {name}  {}", addresses.join(", "))?;
        write!(
            f,
            "  dedication {dedication}, {on_time} of {turns} turns on time"
        )?;
        if !places.is_empty() {
            write!(f, "; in {}", places.join(", "))?;
        }
        for right in denied {
            let right = match right {
                Right::Player => "join games",
                Right::Master => "run games",
            };
            write!(f, "; may not {right}")?;
        }
        if *blocked {
            write!(f, "; blocked")?;
        }
        Ok(())
    }
}

/// All people, or the one with this address.
pub(super) fn users(judge: &Judge, address: Option<&str>) -> Result<Vec<UserFacts>, QueryError> {
    match address {
        None => {
            let known = judge.registry().people();
            let known = known.filter(|person| !person.addresses.is_empty());
            Ok(known.map(|person| facts(judge, person)).collect())
        }
        Some(address) => Ok(vec![facts(judge, named(judge, address)?)]),
    }
}

fn named<'j>(judge: &'j Judge, address: &str) -> Result<&'j Person, QueryError> {
    let key = address.trim().to_lowercase();
    judge.registry().by_address(&key).ok_or(QueryError::NoUser {
        address: address.to_owned(),
    })
}

fn facts(judge: &Judge, person: &Person) -> UserFacts {
    let places = seats(judge, person.id).filter(|(game, seat)| !seat.left && !game.over());
    let first = person.addresses.first();
    UserFacts {
        number: person.id.0,
        name: person.name.clone(),
        addresses: person.addresses.clone(),
        dedication: person.own_dedication(),
        on_time: person.on_time,
        turns: person.turns,
        places: places.map(|(game, seat)| place(game, seat)).collect(),
        denied: person.denied.iter().copied().collect(),
        blocked: first.is_some_and(|address| judge.registry().is_blocked(address)),
    }
}

fn seats(judge: &Judge, id: PersonId) -> impl Iterator<Item = (&Game, &Seat)> {
    judge.games().flat_map(move |game| {
        let own = game.seats.iter().filter(move |seat| seat.person == id);
        own.map(move |seat| (game, seat))
    })
}

/// `kaiser (England)`, as the master of the game would read it.
fn place(game: &Game, seat: &Seat) -> String {
    let variant = variants::of(&game.variant);
    let labels = VariantGame::new(game, variant)
        .seen_by(Viewer::Master)
        .labels();
    let powers: Vec<&str> = game
        .led_by(seat.id)
        .into_iter()
        .map(|power| labels.name(power))
        .collect();
    let role = format!("{:?}", seat.role).to_lowercase();
    let what = if powers.is_empty() {
        role
    } else {
        powers.join(", ")
    };
    format!("{} ({what})", game.name)
}

/// All that is kept about a person, as JSON: what is registered, each place at a game, and what he sent to it as it stands in the
/// log.
pub(super) fn data(judge: &Judge, store: &Store, address: &str) -> Result<String, QueryError> {
    let person = named(judge, address)?;
    let mut games = Vec::new();
    for (game, seat) in seats(judge, person.id) {
        let mut sent: Vec<Value> = Vec::new();
        for record in read_game_log(store, &game.name)? {
            let record = record?;
            if record.cause == Cause::Mail(Some(seat.id)) {
                sent.push(sent_at(record.at, &record.events)?);
            }
        }
        games.push(json!({
            "game": game.name,
            "over": matches!(game.state, State::Over(_)),
            "place": place(game, seat),
            "left": seat.left,
            "address": seat.address,
            "zone": seat.zone,
            "preference": seat.preference,
            "absences": serde_json::to_value(&seat.absences)?,
            "diary": serde_json::to_value(&seat.diary)?,
            "sent": sent,
        }));
    }
    let all = json!({
        "registered": serde_json::to_value(person)?,
        "games": games,
    });
    Ok(serde_json::to_string_pretty(&all)?)
}

/// What one mail of his has changed. Others' addresses and secrets of the game are no data of his.
fn sent_at(at: Timestamp, events: &[Event]) -> Result<Value, serde_json::Error> {
    let own = events.iter().filter(|event| {
        matches!(
            event,
            Event::Ordered { .. } | Event::SeatChanged { .. } | Event::Flagged { .. }
        )
    });
    let own: Result<Vec<Value>, _> = own.map(serde_json::to_value).collect();
    Ok(json!({ "at": at, "events": own? }))
}
