//! The checks of whether a game admits a person.

use std::collections::BTreeSet;

use crate::registry::{Person, Right};
use crate::work::acting::{Refusal, refuse};
use dipjudge_game::{Game, Level, Role, Seat, Settings, VariantGame, in_play, secrecy};
use dipjudge_rules::map::Power;
use dipjudge_variants as variants;

/// Whether a list of addresses names a person.
pub(crate) fn is_named(person: &Person, list: &BTreeSet<String>) -> bool {
    person
        .addresses
        .iter()
        .any(|address| list.contains(address))
}

/// Checks that the keeper has not denied something to a person.
pub(crate) fn check_right(person: &Person, right: Right) -> Result<(), Refusal> {
    if !person.denied.contains(&right) {
        return Ok(());
    }
    refuse(match right {
        Right::Player => {
            "The keeper of this judge does not let you join games.  Write to the keeper if that is a mistake."
        }
        Right::Master => {
            "The keeper of this judge does not let you run games.  Write to the keeper if that is a mistake."
        }
    })
}

/// Whether another seat of the game may know more.
fn hides_play(game: &Game) -> bool {
    VariantGame::new(game, variants::of(&game.variant))
        .secrecy()
        .leaders_or_board()
}

/// Checks that a person may lead a power, considering the powers that he has led before. In games that hide leaders or
/// the board, nobody may know two powers from inside, but a former leader may take back his own.
pub(crate) fn check_once_a_leader(
    game: &Game,
    person: &Person,
    power: Power,
) -> Result<(), Refusal> {
    match secrecy::own_powers(game, person.id) {
        Some(own) if hides_play(game) && !own.contains(&power) => Err(once_a_leader(game)),
        _ => Ok(()),
    }
}

fn once_a_leader(game: &Game) -> Refusal {
    Refusal::from(format!(
        "You have led a power of '{}'.  Nobody leads two in a game that hides leaders or board; your own you may take back while it has no leader.",
        game.name
    ))
}

/// The first power without a leader that a person may lead. A former leader is told nothing of powers other than his
/// own.
pub(crate) fn opening(game: &Game, person: &Person) -> Result<Option<Power>, Refusal> {
    let mut vacant = in_play(game, variants::of(&game.variant))
        .into_iter()
        .filter(|power| game.standing(*power).vacant());
    let own = if hides_play(game) {
        secrecy::own_powers(game, person.id)
    } else {
        None
    };
    match own {
        Some(own) => match vacant.find(|power| own.contains(power)) {
            Some(power) => Ok(Some(power)),
            None => Err(once_a_leader(game)),
        },
        None => Ok(vacant.next()),
    }
}

/// Checks that a person may join the stand-by list, from which he may come to lead any power. A former leader may
/// return to his own power while it has no leader. The refusal is the same for everybody whom the game remembers.
pub(crate) fn check_stand_by(game: &Game, person: &Person) -> Result<(), Refusal> {
    let variant = variants::of(&game.variant);
    let free = |power: &Power| variant.in_play(game, *power) && game.standing(*power).vacant();
    let own = secrecy::own_powers(game, person.id);
    let has_led = own.is_some_and(|own| !own.iter().any(free));
    if has_led || has_ruled(game, person) || has_watched(game, person) {
        return refuse(format!(
            "Who has led a power of '{}', has been its Master, or has observed it since it began does not stand by in it.",
            game.name
        ));
    }
    check_limits(game, person)
}

/// Whether a person is a master of the game, or once was if it hides something: then he knows it, or who it is about.
fn has_ruled(game: &Game, person: &Person) -> bool {
    let remembers = hides_play(game);
    let rules = |seat: &Seat| {
        seat.role == Role::Master && seat.person == person.id && (remembers || !seat.left)
    };
    game.seats.iter().any(rules)
}

/// Whether a person has observed a game that hides something from its players.
fn has_watched(game: &Game, person: &Person) -> bool {
    let watched = |seat: &Seat| seat.watched && seat.person == person.id;
    hides_play(game) && game.seats.iter().any(watched)
}

/// Checks that this person may play.
pub(crate) fn check_entry(game: &Game, person: &Person) -> Result<(), Refusal> {
    if has_ruled(game, person) {
        return refuse(format!("Masters of '{}' do not play in it.", game.name));
    }
    if has_watched(game, person) {
        return refuse(format!(
            "You have observed '{}', which hides something from its players, so you do not play in it.",
            game.name
        ));
    }
    check_limits(game, person)
}

/// Checks that the master's limits admit this person.
fn check_limits(game: &Game, person: &Person) -> Result<(), Refusal> {
    check_right(person, Right::Player)?;
    let Settings {
        allow,
        deny,
        dedication,
        level,
        ..
    } = &game.settings;
    if (!allow.is_empty() && !is_named(person, allow)) || is_named(person, deny) {
        return refuse(format!(
            "The master of '{}' does not let you join.",
            game.name
        ));
    }
    if person.own_dedication() < *dedication {
        return refuse(format!(
            "Game '{}' asks for a dedication of {dedication}; yours is {}.",
            game.name,
            person.own_dedication()
        ));
    }
    if *level != Level::Any && person.level < *level {
        return refuse(format!(
            "Game '{}' asks for the level {level}; you registered as {}.",
            game.name, person.level
        ));
    }
    let percent = |part: u32, whole: u32| (part * 100).checked_div(whole);
    if let (Some(least), Some(own)) = (game.settings.on_time, percent(person.on_time, person.turns))
        && own < least
    {
        return refuse(format!(
            "Game '{}' asks for {least} of 100 turns on time; yours are {own}.",
            game.name
        ));
    }
    if let (Some(most), Some(own)) = (
        game.settings.resigned,
        percent(person.resigned, person.started + person.taken_over),
    ) && own > most
    {
        return refuse(format!(
            "Game '{}' allows {most} of 100 games resigned; yours are {own}.",
            game.name
        ));
    }
    Ok(())
}
