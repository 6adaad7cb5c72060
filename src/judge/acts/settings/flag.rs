//! Switches of a game.

use serde_json::json;

use super::change::{CHANGED, announce, before_start, moderator_where_hidden, ruler};
use crate::commands::set_item::Flag;
use crate::game::{Event, State};
use crate::judge::clock::starting;
use crate::judge::work::Work;
use crate::judge::work::acting::{Acting, Said, refuse};
use crate::judge::work::authority::{game_of, only_master};

/// Turns a switch on or off.
pub(super) fn set(work: &mut Work, acting: Acting, flag: Flag, on: bool) -> Said {
    let Some(field) = field(flag) else {
        return refuse(format!(
            "{} is not offered by this judge.",
            flag.name().replace('-', " ").to_uppercase()
        ));
    };
    let game = game_of(work)?;
    let changes = game.settings.value(field) != Some(json!(on));
    match (flag, on) {
        (Flag::MinorPress, _) => before_start(work)?,
        // What was sealed from the master is not for him to open.
        (Flag::BlindMaster, false) if changes => before_start(work)?,
        (Flag::BlindMaster, true) if changes && work.secrecy().any() => before_start(work)?,
        (Flag::WatchAllPress, _) if changes => {
            moderator_where_hidden(work, acting, "WATCH ALL PRESS")?
        }
        // Who ends a game that hides something was agreed on when it began.
        (Flag::Moderated, true) if changes && work.secrecy().any() => before_start(work)?,
        // Where nobody moderates, no player names the others.
        (Flag::Reveal, true) if changes && game.begun() => {
            only_master(work, acting, "SET REVEAL")?;
        }
        _ => {}
    }
    let name = camel(flag.name());
    ruler(work, acting, &format!("SET {}", name.to_uppercase()))?;
    let word = if on { "set" } else { "cleared" };
    if !changes {
        return Ok(vec![format!("The {name} flag is already {word}.")]);
    }
    work.emit(Event::Set {
        name: field.to_owned(),
        value: json!(on),
    });
    if flag == Flag::Dias {
        work.emit(Event::VotesCleared);
    }
    let done = format!("{word} the {name} flag");
    announce(work, acting, CHANGED, &done);
    let waits = |state: &State| matches!(state, State::Ready | State::Forming);
    if flag == Flag::ManualStart && !on && waits(&game_of(work)?.state) {
        // A master who lifts it from a full table begins the game.
        work.send_notices();
        starting::begin_if_full(work);
    }
    Ok(vec![format!("You {done}.")])
}

/// The field of `Settings` that a switch is kept in. A switch that changes nothing would deceive: what has no effect has
/// none, and is not offered.
fn field(flag: Flag) -> Option<&'static str> {
    Some(match flag {
        Flag::Nmr => "nmr",
        Flag::Listed => "list",
        Flag::Moderated => "moderated",
        Flag::ManualProcess => "manual_process",
        Flag::ManualStart => "manual_start",
        Flag::StrictWait => "strict_wait",
        Flag::StrictGrace => "strict_grace",
        Flag::StrictCoasts => "strict_coasts",
        Flag::LateList => "latelist",
        Flag::LateCount => "late_count",
        Flag::Dias => "dias",
        Flag::Concessions => "concessions",
        Flag::Approval => "approval",
        Flag::BlindMaster => "blind_master",
        Flag::Reveal => "reveal",
        Flag::Quiet => "quiet",
        Flag::Rated => "rated",
        Flag::Resume => "resume_any",
        Flag::WatchAllPress => "watch_all_press",
        Flag::LatePress => "late_press",
        Flag::MinorPress => "minor_press",
        Flag::GracePress => "grace_press",
        Flag::MustOrder => "must_order",
        Flag::Early => "early",
        Flag::Partial => "partial",
        Flag::Proxy => "proxy",
        Flag::StrictConvoy
        | Flag::RevealPress
        | Flag::Secret
        | Flag::Show
        | Flag::TouchPress
        | Flag::PostalPress
        | Flag::BlankPress
        | Flag::AutoDisband
        | Flag::AnyDisband
        | Flag::Disband
        | Flag::BlankBoard => return None,
    })
}

/// `strict-wait` as players read it: `StrictWait`; short words wholly in capitals.
fn camel(name: &str) -> String {
    if matches!(name, "nmr" | "dias") {
        return name.to_uppercase();
    }
    name.split('-')
        .map(|word| {
            let mut letters = word.chars();
            letters
                .next()
                .map(|first| first.to_uppercase().chain(letters).collect::<String>())
                .unwrap_or_default()
        })
        .collect()
}
