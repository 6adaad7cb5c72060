//! How a setting of a game is changed: who may do it, no change to the same value, and a notice to all others.

use crate::work::acting::{ActOutcome, Acting, Refusal, refuse, say};
use crate::work::authority::{only_master, only_ruler, who_as};
use crate::work::{GameWork, Recipient};
use dipjudge_game::{Event, Role, SettingChange, VariantGame};

/// The end of the subject of most notices of a change.
pub(super) const CHANGED: &str = "Parameter Change";

/// Refuses a setting that can be changed only before the start, once the game has begun.
pub(super) fn before_start(work: &GameWork) -> Result<(), Refusal> {
    let game = work.game();
    if game.begun() {
        refuse("This can be set only before the game begins.")
    } else {
        Ok(())
    }
}

/// In a game that begins at a date, refuses a setting that was fixed when sign-up closed.
pub(super) fn while_sign_up_is_open(work: &GameWork) -> Result<(), Refusal> {
    let game = work.game();
    if game.begun() && VariantGame::new(game, work.variant()).begins_at_a_date() {
        refuse("All settings of this game were fixed when sign-up closed.")
    } else {
        Ok(())
    }
}

/// Refuses a change of who reads or knows what: after the start of a game that hides something, only the master of a
/// moderated game can make it.
pub(super) fn moderator_where_hidden(
    work: &GameWork,
    acting: Acting,
    what: &str,
) -> Result<(), Refusal> {
    let game = work.game();
    if !game.begun() || !work.secrecy().any() {
        return Ok(());
    }
    if game.settings.moderated {
        return only_master(work, acting, what);
    }
    refuse(format!(
        "{what} can be set only before the game begins, since '{}' hides something and nobody moderates it.",
        game.name
    ))
}

/// Refuses a setting that the variant fixes for all its games.
pub(super) fn not_fixed(work: &GameWork, change: &SettingChange) -> Result<(), Refusal> {
    let card = work.variant().card();
    if card.fixes(change) {
        refuse(format!(
            "This is the same in every game of {} and cannot be set.",
            card.title
        ))
    } else {
        Ok(())
    }
}

/// Changes a setting of the game. `done` completes the sentences "You …" and "<who> as Master in 'g' …".
pub(super) fn setting(
    work: &mut GameWork,
    acting: Acting,
    change: SettingChange,
    done: &str,
) -> ActOutcome {
    setting_under(work, acting, change, CHANGED, done)
}

/// Like [`setting`], with a subject of its own for the notice.
pub(super) fn setting_under(
    work: &mut GameWork,
    acting: Acting,
    change: SettingChange,
    subject: &str,
    done: &str,
) -> ActOutcome {
    only_ruler(work, acting, "this setting")?;
    if !work.game().settings.differs(&change) {
        return say(vec!["It is set that way already.".to_owned()]);
    }
    not_fixed(work, &change)?;
    work.emit(Event::Set(change));
    announce(work, acting, subject, done);
    say(vec![format!("You {done}.")])
}

/// Announces a change that has already been made.
pub(super) fn told(work: &mut GameWork, acting: Acting, done: &str) -> ActOutcome {
    only_ruler(work, acting, "this setting")?;
    announce(work, acting, CHANGED, done);
    say(vec![format!("You {done}.")])
}

/// Tells all others who did what.
pub(super) fn announce(work: &mut GameWork, acting: Acting, subject: &str, done: &str) {
    work.tell_others(Some(acting.seat), subject, |work, to| {
        Some(vec![by(work, to, acting, done)?])
    });
}

/// `Anna as Master in 'g' set …`, with the person named as far as one reader may know, and not at all after SET NO SHOW.
pub(super) fn by(work: &GameWork, to: Recipient, acting: Acting, done: &str) -> Option<String> {
    let game = work.game();
    let master = game
        .seat(acting.seat)
        .is_some_and(|seat| seat.role == Role::Master);
    let who = match (game.settings.show, master) {
        (true, _) => who_as(work, to, acting)?,
        (false, true) => "The Master".to_owned(),
        (false, false) => "A player".to_owned(),
    };
    Some(format!("{who} in '{}' {done}.", game.name))
}

/// Marks the game as irregular if it has begun: a game whose rules change after the start is not rated.
pub(super) fn irregular_after_start(work: &mut GameWork) {
    let game = work.game();
    if game.begun() && !game.settings.irregular {
        work.emit(Event::Set(SettingChange::Irregular(true)));
    }
}
