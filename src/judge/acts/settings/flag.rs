//! Switches of a game.

use super::change::{CHANGED, announce, before_start, moderator_where_hidden, ruler};
use crate::commands::set_item::Flag;
use crate::game::{Event, SettingChange, State};
use crate::judge::clock::starting;
use crate::judge::work::Work;
use crate::judge::work::acting::{Acting, Said, refuse};
use crate::judge::work::authority::{game_of, only_master};

/// Turns a switch on or off.
pub(super) fn set(work: &mut Work, acting: Acting, flag: Flag, on: bool) -> Said {
    let Some(change) = change(flag, on) else {
        return refuse(format!(
            "{} is not offered by this judge.",
            flag.name().replace('-', " ").to_uppercase()
        ));
    };
    let game = game_of(work)?;
    let changes = game.settings.differs(&change);
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
    work.emit(Event::Set(change));
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

/// The setting that a switch turns on or off. A switch that changes nothing would deceive: what has no effect has
/// none, and is not offered.
fn change(flag: Flag, on: bool) -> Option<SettingChange> {
    Some(match flag {
        Flag::Nmr => SettingChange::Nmr(on),
        Flag::Listed => SettingChange::List(on),
        Flag::Moderated => SettingChange::Moderated(on),
        Flag::ManualProcess => SettingChange::ManualProcess(on),
        Flag::ManualStart => SettingChange::ManualStart(on),
        Flag::StrictWait => SettingChange::StrictWait(on),
        Flag::StrictGrace => SettingChange::StrictGrace(on),
        Flag::StrictCoasts => SettingChange::StrictCoasts(on),
        Flag::LateList => SettingChange::Latelist(on),
        Flag::LateCount => SettingChange::LateCount(on),
        Flag::Dias => SettingChange::Dias(on),
        Flag::Concessions => SettingChange::Concessions(on),
        Flag::Approval => SettingChange::Approval(on),
        Flag::BlindMaster => SettingChange::BlindMaster(on),
        Flag::Reveal => SettingChange::Reveal(on),
        Flag::Quiet => SettingChange::Quiet(on),
        Flag::Rated => SettingChange::Rated(on),
        Flag::Resume => SettingChange::ResumeAny(Some(on)),
        Flag::WatchAllPress => SettingChange::WatchAllPress(on),
        Flag::LatePress => SettingChange::LatePress(on),
        Flag::MinorPress => SettingChange::MinorPress(on),
        Flag::GracePress => SettingChange::GracePress(on),
        Flag::MustOrder => SettingChange::MustOrder(on),
        Flag::Early => SettingChange::Early(Some(on)),
        Flag::Partial => SettingChange::Partial(on),
        Flag::Proxy => SettingChange::Proxy(on),
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
