//! What reports and lists tell of spacecraft, colonies, colonization and elimination.

use super::names;
use super::refusals::names as listed;
use super::room::aboard;
use super::state::{Colonized, State};
use crate::game::Game;
use crate::game::project::Labels;
use crate::map::{Location, Power};
use crate::view::and_list;

/// The width of a mail.
const WIDTH: usize = 78;

/// A heading and its lines.
type Section = (String, Vec<String>);

/// The empires, what is aboard their spacecraft, and their colonies.
pub(super) fn standing(game: &Game, labels: &Labels) -> Vec<Section> {
    let state = State::of(game);
    let longest = game
        .all_powers()
        .map(|power| labels.adjective(power).chars().count())
        .max()
        .unwrap_or(0);
    let empire = |power: Power| {
        let armies = match aboard(&game.position.units, power) {
            _ if !state.in_play.contains(&power) => "eliminated".to_owned(),
            0 => "no armies in orbit".to_owned(),
            1 => "1 army in orbit".to_owned(),
            n => format!("{n} armies in orbit"),
        };
        format!(
            "{}:  {:longest$}  {armies}.",
            labels.name(power),
            labels.adjective(power)
        )
    };
    let empires = game.all_powers().map(empire).collect();
    let colonies: Vec<String> = game
        .all_powers()
        .filter(|power| state.colonies_of(*power).next().is_some())
        .flat_map(|power| {
            let mut names: Vec<String> = state
                .colonies_of(power)
                .map(|province| game.map().full_name(Location::from(province)))
                .collect();
            names.sort();
            columns(&format!("{}:  ", labels.name(power)), &names)
        })
        .collect();
    let mut sections = vec![("Empires and their spacecraft:".to_owned(), empires)];
    if !colonies.is_empty() {
        sections.push(("Colonies:".to_owned(), colonies));
    }
    sections
}

/// Names behind a head, with commas between and a full stop behind, broken after commas under the first name.
fn columns(head: &str, names: &[String]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = head.to_owned();
    for (index, name) in names.iter().enumerate() {
        let first = line.ends_with(' ');
        if !first && line.chars().count() + name.chars().count() + 2 > WIDTH {
            lines.push(std::mem::replace(
                &mut line,
                " ".repeat(head.chars().count()),
            ));
        } else if !first {
            line.push(' ');
        }
        line.push_str(name);
        line.push(if index + 1 == names.len() { '.' } else { ',' });
    }
    lines.push(line);
    lines
}

/// The names chosen so far at a forming table.
pub(super) fn forming_tables(game: &Game) -> Vec<Section> {
    let lines: Vec<String> = names::chosen(game)
        .into_iter()
        .map(|empire| format!("{}:  {}.", empire.code, empire.name))
        .collect();
    match lines.is_empty() {
        true => Vec::new(),
        false => vec![("Empires so far:".to_owned(), lines)],
    }
}

/// What the end of a turn brought, if it followed the phase last adjudicated.
pub(super) fn news(game: &Game, labels: &Labels) -> Vec<Section> {
    let state = State::of(game);
    if state.news.number != game.number {
        return Vec::new();
    }
    let name = |power: Power| labels.name(power);
    let attempts: Vec<String> = state
        .news
        .attempts
        .iter()
        .map(|attempted| {
            let who = name(attempted.power);
            let what = game.map().full_name(Location::from(attempted.province));
            match &attempted.result {
                Colonized::Done(None) => format!("{who} has colonized {what}."),
                Colonized::Done(Some(old)) if *old == attempted.power => {
                    format!("{who} has colonized {what} again, which was its colony already.")
                }
                Colonized::Done(Some(old)) => {
                    format!(
                        "{who} has colonized {what}, until now a colony of {}.",
                        name(*old)
                    )
                }
                Colonized::Occupied(by) => format!(
                    "{who} has not colonized {what}, since a unit of {} stands there.",
                    name(*by)
                ),
                Colonized::Contested(rivals) => format!(
                    "{who} has not colonized {what}, since {} tried for it too.",
                    and_list(rivals.iter().map(|power| name(*power)))
                ),
                Colonized::Dislodged => {
                    format!("{who} has not colonized {what}, since its unit was dislodged.")
                }
            }
        })
        .collect();
    let eliminated: Vec<String> = state
        .news
        .eliminated
        .iter()
        .map(|(power, freed)| {
            let who = labels.introduced(*power);
            let colonies = match freed.as_slice() {
                [] => String::new(),
                [_] => format!(
                    "; its colony {} is free",
                    listed(game.map(), freed.iter().copied())
                ),
                _ => format!(
                    "; its colonies {} are free",
                    listed(game.map(), freed.iter().copied())
                ),
            };
            format!("{who} has neither a unit nor a center and is eliminated{colonies}.")
        })
        .collect();
    [("Colonization:", attempts), ("Eliminated:", eliminated)]
        .into_iter()
        .filter(|(_, lines)| !lines.is_empty())
        .map(|(heading, lines)| (heading.to_owned(), lines))
        .collect()
}
