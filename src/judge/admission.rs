//! Whether a game's limits let somebody in.

use std::collections::BTreeSet;

use super::registry::Person;
use super::sign_on::{Refused, refuse};
use crate::game::{Game, Level, Role, Seat, Settings};

/// Whether a list of addresses names a person.
pub(super) fn is_named(person: &Person, list: &BTreeSet<String>) -> bool {
    person
        .addresses
        .iter()
        .any(|address| list.contains(address))
}

/// Whether the game's limits let this person in.
pub(super) fn check_entry(game: &Game, person: &Person) -> Result<(), Refused> {
    let Settings {
        allow,
        deny,
        dedication,
        level,
        ..
    } = &game.settings;
    // Where something is hidden from players, who once was a master knows it.
    let remembers = game.settings.gunboat || game.settings.blind;
    let rules = |seat: &Seat| {
        seat.role == Role::Master && seat.person == person.id && (remembers || !seat.left)
    };
    if game.seats.iter().any(rules) {
        return refuse(format!("Masters of '{}' do not play in it.", game.name));
    }
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
