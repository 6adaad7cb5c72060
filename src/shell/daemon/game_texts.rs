//! Games as text for the keeper: what a master would read, and no more.

use dipjudge_game::project::{Reader, RegisteredPerson};
use dipjudge_game::{Game, Seat, State, VariantGame};
use dipjudge_judge::Judge;
use dipjudge_mails::outbound::{self, Answer, Reply, Templates};
use dipjudge_variants as variants;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::query_error::QueryError;

/// All games, a few lines each, in the order of their names.
///
/// # Errors
/// If a template fails.
pub(super) fn games(judge: &Judge, templates: &Templates) -> Result<String, QueryError> {
    let games: Vec<_> = judge
        .games()
        .map(|game| {
            let name_of = |seat| known(judge, game.seat(seat)).name;
            VariantGame::new(game, variants::of(&game.variant)).brief(&name_of)
        })
        .collect();
    let stopped: Vec<String> = stopped(judge);
    if games.is_empty() && stopped.is_empty() {
        return Ok("There is no game yet.".to_owned());
    }
    let list = outbound::list_brief(templates, &games)?;
    Ok([vec![list.text()], stopped].concat().join("\n"))
}

/// One game as its master sees it: the full list, and the orders unless they are sealed.
///
/// # Errors
/// If there is no such game, with the nearest name; or if a template fails.
pub(super) fn show(judge: &Judge, templates: &Templates, name: &str) -> Result<String, QueryError> {
    let Some(game) = judge.game(name) else {
        return Err(no_game(judge, name));
    };
    let variant = variants::of(&game.variant);
    let reader = Reader::any_master(game);
    let known = |seat: &Seat| known(judge, Some(seat));
    let listing = VariantGame::new(game, variant)
        .read_by(&reader)
        .listing(&known);
    let list = outbound::list_full(templates, &listing)?;
    let mut reply = Reply::new(judge.settings().name.clone(), "show");
    reply.heading = Some(
        VariantGame::new(game, variant)
            .read_by(&reader)
            .heading(&judge.settings().name),
    );
    reply.answers.push(Answer::show(list));
    reply.orders = VariantGame::new(game, variant)
        .seen_by(reader.viewer)
        .orders_section();
    Ok(outbound::reply(templates, &reply)?.body())
}

/// What is known of the person at a seat; only the command LIST shows the dedication.
fn known(judge: &Judge, seat: Option<&Seat>) -> RegisteredPerson {
    let person = seat.and_then(|seat| judge.registry().person(seat.person));
    RegisteredPerson {
        name: person.map_or_else(String::new, |person| person.name.clone()),
        dedication: None,
    }
}

/// The games that stand still, each as a sentence part.
pub(super) fn stopped(judge: &Judge) -> Vec<String> {
    let unreadable = judge.stopped().map(ToString::to_string);
    unreadable.chain(judge.halted()).collect()
}

/// There is no such game; says the nearest name, or that the game is stopped.
pub(super) fn no_game(judge: &Judge, name: &str) -> QueryError {
    if let Some(stopped) = judge.stopped_game(name) {
        return QueryError::GameStopped(stopped.to_string());
    }
    let lower = name.to_lowercase();
    let likeness = |game: &&Game| strsim::jaro_winkler(&game.name, &lower);
    let nearest = judge
        .games()
        .max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    let name = name.to_owned();
    match nearest {
        None => QueryError::NoGameYet { name },
        Some(game) if likeness(&game) > 0.7 => QueryError::NoGameButSimilar {
            name,
            nearest: game.name.clone(),
        },
        Some(_) => QueryError::NoGame { name },
    }
}

/// When a phase ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deadline {
    /// Its name.
    pub game: String,
    /// The phase in hand, as `S1901M`.
    pub phase: String,
    /// When orders are due.
    pub deadline: Timestamp,
    /// When grace ends.
    pub grace: Timestamp,
}

/// The deadlines of the running games, soonest first.
pub(super) fn deadlines(judge: &Judge) -> Vec<Deadline> {
    let running = judge.games().filter(|game| game.state == State::Running);
    let deadline = |game: &Game| {
        let times = game.timing.times?;
        Some(Deadline {
            game: game.name.clone(),
            phase: game.token(variants::of(&game.variant)),
            deadline: times.deadline,
            grace: times.grace,
        })
    };
    let mut deadlines: Vec<Deadline> = running.filter_map(deadline).collect();
    deadlines.sort_by(|a, b| (a.deadline, &a.game).cmp(&(b.deadline, &b.game)));
    deadlines
}

/// How many games there are, and how many of them are running.
pub(super) fn counts(judge: &Judge) -> (usize, usize) {
    (
        judge.games().count(),
        judge
            .games()
            .filter(|game| game.state == State::Running)
            .count(),
    )
}
