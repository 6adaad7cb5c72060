//! SET name value: the settings that a variant registers. They can be set before the start; if the variant lets masters
//! change them later, they take effect at once or from a phase on.

use std::collections::BTreeMap;

use super::change::{
    CHANGED, before_start, by, irregular_after_start, not_fixed, while_sign_up_is_open,
};
use super::places;
use super::variant::{begin_if_enough, number, unless_it_fits};
use crate::work::GameWork;
use crate::work::acting::{ActOutcome, Acting, Refusal, refuse, say};
use crate::work::authority::{only_master, only_ruler};
use dipjudge_commands::settings::{OwnValue, SetItem};
use dipjudge_game::{
    Event, Game, Phase, Role, Setting, SettingAsked, SettingChange, ToCome, order_of_play,
};
use dipjudge_rules::calendar::Turn;
use dipjudge_variants as variants;

/// Sets a setting of the variant. If the variant has none of this name, the refusal quotes `wanted`, the values that
/// the judge's setting of this name takes.
pub(super) fn set(
    work: &mut GameWork,
    acting: Acting,
    name: &str,
    words: &str,
    wanted: &[String],
) -> ActOutcome {
    let game = work.game();
    let key = SetItem::key(name);
    let known = variants::of(&game.variant).card().settings;
    let Some(own) = known.iter().find(|own| own.name == key) else {
        let hint = match wanted {
            [] => String::new(),
            wanted => format!("  {} takes {}.", name.to_uppercase(), wanted.join(" or ")),
        };
        return refuse(format!(
            "There is no such setting.{hint} GET SYNTAX and GET MASTER list them all."
        ));
    };
    let words = OwnValue::read(words);
    let from = may_be_set(work, acting, own, words.from.as_deref())?;
    let value = checked(work.game(), acting, own, &words.value)?;
    places::check(work, own.name, &value)?;
    change(work, acting, own, value, from, words.because.as_deref())
}

/// Whether this sender can set it now; if it takes effect later, from which phase.
fn may_be_set(
    work: &GameWork,
    acting: Acting,
    own: &Setting,
    from: Option<&str>,
) -> Result<Option<(Turn, Phase)>, Refusal> {
    let game = work.game();
    let name = own.name.to_uppercase();
    if !own.later {
        before_start(work)?;
        if from.is_some() {
            return refuse(format!(
                "{name} cannot be put off: it is fixed when the game begins, so leave FROM away."
            ));
        }
    }
    if game.begun() {
        only_master(
            work,
            acting,
            &format!("SET {name} in a game that has begun"),
        )?;
        while_sign_up_is_open(work)?;
    } else {
        only_ruler(work, acting, "this setting")?;
    }
    if game.over() {
        return refuse("The game is over, so nothing is set in it any more.");
    }
    let Some(from) = from else {
        return Ok(None);
    };
    let variant = work.variant();
    let (turn, phase) = order_of_play::named(variant, from)?;
    if !game.begun() {
        return Ok(Some((turn, phase)));
    }
    let now = order_of_play::place(variant, game.turn, &game.phase);
    let then = order_of_play::place(variant, turn, &phase);
    if then < now {
        return refuse(format!(
            "{} has begun already, so nothing can act from it on.  Without FROM a setting changes at once; REPLAY \
             FROM plays phases again.",
            variant.card().phase_name(&phase, turn).in_mail()
        ));
    }
    // From the current phase on means at once.
    Ok((then > now).then_some((turn, phase)))
}

/// Checks the value and returns it as stored.
fn checked(game: &Game, acting: Acting, own: &Setting, words: &str) -> Result<String, Refusal> {
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let role = game.seat(acting.seat).map(|seat| seat.role);
    let value = own.check(&SettingAsked {
        value: &SetItem::key(&words),
        map: game.map(),
        by_master: role == Some(Role::Master),
    })?;
    Ok(value)
}

/// What everybody may know of a setting: its value, and a value that takes effect later.
fn told(game: &Game, own: &Setting) -> (Option<String>, Option<(String, ToCome)>) {
    let to_come = game.settings.own_to_come.get(own.name);
    let to_come = to_come.and_then(|one| Some((own.told(game.map(), &one.value)?, one.clone())));
    (own.told(game.map(), own.of(game)), to_come)
}

fn change(
    work: &mut GameWork,
    acting: Acting,
    own: &Setting,
    value: String,
    from: Option<(Turn, Phase)>,
    because: Option<&str>,
) -> ActOutcome {
    let game = work.game();
    let before = told(game, own);
    let (mut now, mut to_come) = (game.settings.own.clone(), game.settings.own_to_come.clone());
    let tail = from.as_ref().map(|(turn, phase)| {
        let name = work.variant().card().phase_name(phase, *turn);
        format!(" from {} on", name.in_mail())
    });
    let tail = tail.unwrap_or_default();
    match from {
        Some((turn, phase)) => {
            let value = value.clone();
            let one = ToCome { value, turn, phase };
            to_come.insert(own.name.to_owned(), one);
        }
        None => {
            now.insert(own.name.to_owned(), value.clone());
            to_come.remove(own.name);
        }
    }
    let changes = [SettingChange::Own(now), SettingChange::OwnToCome(to_come)];
    let mut changes = changes.to_vec();
    changes.retain(|change| game.settings.differs(change));
    if changes.is_empty() {
        return say(vec![format!(
            "{} is {value}{tail} already.",
            own.name.to_uppercase()
        )]);
    }
    let players = number(work);
    for change in changes {
        not_fixed(work, &change)?;
        if let SettingChange::Own(own) = &change {
            lay(work, own);
        }
        work.emit(Event::Set(change));
    }
    irregular_after_start(work);
    let (name, shown) = (own.name, own.told(work.game().map(), &value));
    // What others may know of the setting does not always change, and may differ from what was set.
    let is_seen = before != told(work.game(), own);
    if is_seen && let Some(shown) = &shown {
        let done = format!("set {name} to {shown}{tail}");
        let because = because.map(|because| format!("Because: {because}"));
        work.tell_others(Some(acting.seat), CHANGED, |work, to| {
            let said = by(work, to, acting, &done)?;
            let lines: Vec<String> = [said].into_iter().chain(because.clone()).collect();
            Some(lines)
        });
    }
    let mut said = vec![if is_seen && shown.as_ref() == Some(&value) {
        format!("You set {name} to {value}{tail}.")
    } else {
        format!("You set {name} to {value}{tail}; nobody else is told.")
    }];
    said.extend(unless_it_fits(work));
    begin_if_enough(work, players);
    say(said)
}

/// Updates the map of a forming game to what the variant has for its current settings, if that differs from before.
fn lay(work: &mut GameWork, own: &BTreeMap<String, String>) {
    let (game, variant) = (work.game(), work.variant());
    let mut settings = game.settings.clone();
    settings.own.clone_from(own);
    let places = variant.places(&settings);
    if places == variant.places(&game.settings) {
        return;
    }
    let (variant, map) = (game.variant.clone(), game.map.clone());
    work.emit(Event::Variant {
        variant,
        map,
        places,
    });
}
