//! SET: what players may set for themselves, and masters for their games (`judge-workflow.md` 2.6 to 2.8). Masters'
//! settings answer "already" when nothing changes, and are announced to all.

use serde_json::{Value, json};

use super::errand::{Errand, Recipient};
use super::joining::may_be_blind;
use super::master::{game_of, may_rule, only_master, parameter_lines, who_as};
use super::passwords;
use super::registry::RegistryEvent;
use super::sign_on::{Acting, Refused, refuse};
use super::starting;
use super::tokens;
use crate::game::{Days, Event, PhaseClock, Role, SeatChange, SeatId, SightFrom, State};
use crate::mails::outbound;
use crate::map::Power;

type Said = Result<Vec<String>, Refused>;

/// Refuses what masters alone may set (in an unmoderated game: any player).
fn ruler(errand: &Errand, acting: Acting, what: &str) -> Result<(), Refused> {
    let game = game_of(errand)?;
    if may_rule(game, acting) {
        Ok(())
    } else {
        only_master(errand, acting, what)
    }
}

// The master's ------------------------------------------------------------------

/// A switch of the game. `name` is what players call it, `field` the field of `Settings`.
pub(super) fn switch(
    errand: &mut Errand,
    acting: Acting,
    name: &str,
    field: &str,
    on: bool,
) -> Said {
    ruler(errand, acting, &format!("SET {}", name.to_uppercase()))?;
    let game = game_of(errand)?;
    if game.settings.value(field) == Some(json!(on)) {
        return Ok(vec![format!(
            "The {name} flag is already {}.",
            if on { "set" } else { "cleared" }
        )]);
    }
    let word = if on { "set" } else { "cleared" };
    errand.emit(Event::Set {
        name: field.to_owned(),
        value: json!(on),
    });
    if field == "dias" {
        errand.emit(Event::VotesCleared);
    }
    announce(
        errand,
        acting,
        "Parameter Change",
        &format!("{word} the {name} flag"),
        false,
    );
    let said = vec![format!("You {word} the {name} flag.")];
    // A master who lifts ManualStart from a full table begins the game.
    if field == "manual_start"
        && !on
        && errand
            .game()
            .is_some_and(|game| matches!(game.state, State::Ready | State::Forming))
    {
        errand.send_notices();
        starting::begin_if_full(errand);
    }
    Ok(said)
}

/// A setting with a value. `done` completes "<who> as Master in 'g' …".
pub(super) fn value(
    errand: &mut Errand,
    acting: Acting,
    field: &str,
    value: Value,
    tail: &str,
    done: &str,
) -> Said {
    ruler(errand, acting, "this setting")?;
    let game = game_of(errand)?;
    if game.settings.value(field).as_ref() == Some(&value) {
        return Ok(vec!["That is already so.".to_owned()]);
    }
    if let Err(error) = game.settings.with(field, &value) {
        return refuse(format!("This cannot be set: {error}."));
    }
    errand.emit(Event::Set {
        name: field.to_owned(),
        value,
    });
    announce(errand, acting, tail, done, false);
    Ok(vec![format!("You {done}.")])
}

/// What can be set only before the start.
pub(super) fn before_start(errand: &Errand) -> Result<(), Refused> {
    let game = game_of(errand)?;
    if game.begun() {
        refuse("This can be set only before the game begins.")
    } else {
        Ok(())
    }
}

/// After the start, what changes the rules makes a game irregular, which is then not rated.
pub(super) fn irregular_after_start(errand: &mut Errand) {
    if errand
        .game()
        .is_some_and(|game| game.begun() && !game.settings.irregular)
    {
        errand.emit(Event::Set {
            name: "irregular".to_owned(),
            value: json!(true),
        });
    }
}

fn announce(errand: &mut Errand, acting: Acting, tail: &str, done: &str, parameters: bool) {
    let name = errand
        .game()
        .map(|game| game.name.clone())
        .unwrap_or_default();
    errand.tell_others(Some(acting.seat), tail, |errand, to| {
        let mut lines = vec![format!(
            "{} in '{name}' {done}.",
            who_as(errand, to, acting)?
        )];
        if parameters {
            lines.extend(parameter_lines(errand, to));
        }
        Some(lines)
    });
}

/// One of the three clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clock {
    /// Movement phases.
    Move,
    /// Retreat phases.
    Retreat,
    /// Adjustment phases.
    Adjust,
}

/// One key of a clock and what it shall be.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ClockChange {
    /// Minute of the day; -1 for none.
    Clock(i64),
    /// Hours.
    Min(f64),
    /// Hours.
    Next(f64),
    /// Hours.
    Grace(f64),
    /// Hours.
    Delay(f64),
    /// Seven characters.
    Days(String),
}

/// SET MOVE …: for deadlines computed from now on.
pub(super) fn clock(
    errand: &mut Errand,
    acting: Acting,
    which: Clock,
    changes: &[ClockChange],
) -> Said {
    ruler(errand, acting, "SET MOVE, SET RETREAT and SET ADJUST")?;
    let game = game_of(errand)?;
    let (field, title, mut clock) = match which {
        Clock::Move => ("moves", "movement", game.settings.moves.clone()),
        Clock::Retreat => ("retreats", "retreat", game.settings.retreats.clone()),
        Clock::Adjust => ("adjusts", "adjustment", game.settings.adjusts.clone()),
    };
    for change in changes {
        change_clock(&mut clock, change)?;
    }
    let value = serde_json::to_value(&clock).map_err(|error| Refused(error.to_string()))?;
    errand.emit(Event::Set {
        name: field.to_owned(),
        value,
    });
    announce(
        errand,
        acting,
        "Parameter Change",
        &format!("changed the {title} timing"),
        true,
    );
    let mut said = vec![format!(
        "The {title} timing is changed for deadlines computed from now on."
    )];
    let own = Recipient {
        seat: acting.seat,
        power: acting.power,
    };
    said.extend(parameter_lines(errand, own));
    Ok(said)
}

fn change_clock(clock: &mut PhaseClock, change: &ClockChange) -> Result<(), Refused> {
    let hours = |name: &str, hours: f64, least: u32| {
        let minutes = (hours * 60.0).round();
        if !(f64::from(least)..=10_000.0 * 60.0).contains(&minutes) {
            return refuse(format!(
                "{name} {hours} is not possible: write hours, such as {name} 48."
            ));
        }
        Ok(minutes as u32)
    };
    match change {
        ClockChange::Clock(-1) => clock.clock = None,
        ClockChange::Clock(minute) => match u16::try_from(*minute) {
            Ok(minute) if minute < 1440 => clock.clock = Some(minute),
            _ => {
                return refuse(format!(
                    "CLOCK {minute} is not possible: write the minute of the day from 0 to 1439, or -1 for none."
                ));
            }
        },
        ClockChange::Min(n) => clock.min = hours("MIN", *n, 0)?,
        ClockChange::Next(n) => clock.next = hours("NEXT", *n, 1)?,
        ClockChange::Grace(n) => clock.grace = hours("GRACE", *n, 0)?,
        ClockChange::Delay(n) => clock.delay = hours("DELAY", *n, 0)?,
        ClockChange::Days(days) => {
            clock.days = Days::try_from(days.clone())
                .map_err(|error| Refused(format!("DAYS {days}: {error}.")))?;
        }
    }
    Ok(())
}

/// SET APPROVE, SET NOT APPROVE.
pub(super) fn approve(errand: &mut Errand, acting: Acting, powers: &[Power], on: bool) -> Said {
    only_master(errand, acting, "SET APPROVE")?;
    let game = game_of(errand)?;
    if !game.begun() {
        return refuse("Powers can be approved once the game has begun.");
    }
    let tail = if on {
        "Player moves approved"
    } else {
        "Player moves not approved"
    };
    for power in powers {
        errand.emit(Event::Approved { power: *power, on });
    }
    let powers = powers.to_vec();
    errand.tell_others(Some(acting.seat), tail, |errand, to| {
        let own = to.power.filter(|power| powers.contains(power))?;
        let word = if on { "now takes" } else { "no longer takes" };
        Some(vec![format!(
            "The Master of '{}' {word} orders of {}.",
            errand.game()?.name,
            errand.game()?.power_name(own)
        )])
    });
    Ok(vec!["Done.".to_owned()])
}

// Everybody's own -----------------------------------------------------------------

/// SET WAIT, SET NOWAIT.
pub(super) fn wait(errand: &mut Errand, acting: Acting, on: bool) -> Said {
    let Some(course) = &errand.course else {
        return refuse("Sign on to a game first.");
    };
    let game = &course.game;
    if game.state != State::Running {
        return refuse("The game is not running, so there is nothing to wait for.");
    }
    let Some(power) = acting.power.filter(|power| game.survives(*power)) else {
        return refuse("Only players can WAIT.");
    };
    let due = crate::game::asks::asks(game, course.variant)
        .due
        .contains_key(&power);
    if on && game.settings.strict_wait && !due {
        return refuse("In this game only powers that have something due can WAIT.");
    }
    errand.emit(Event::Waits { power, on });
    Ok(vec![
        if on {
            "'Wait' status set."
        } else {
            "'Wait' status cleared."
        }
        .to_owned(),
    ])
}

/// SET PREFERENCE.
pub(super) fn preference(errand: &mut Errand, acting: Acting, list: &str) -> Said {
    let Some(course) = &errand.course else {
        return refuse("Sign on to a game first.");
    };
    let game = &course.game;
    if game.begun() || game.over() {
        return refuse("The powers have been dealt, so preferences can no longer be set.");
    }
    let Some(seat) = game
        .seat(acting.seat)
        .filter(|seat| seat.role == Role::Player)
    else {
        return refuse("Only players have a preference list.");
    };
    let remains = if seat.preference.is_empty() {
        "empty".to_owned()
    } else {
        seat.preference.clone()
    };
    let list: String = list
        .chars()
        .filter(|c| !c.is_whitespace() && *c != ',')
        .collect::<String>()
        .to_uppercase();
    let powers = course.variant.powers(
        game.map(),
        game.seated(Role::Player).count(),
        &game.settings,
    );
    if course.variant.roster(game).is_some() {
        return refuse(
            "Every player brings a power along to this game, so there are no preference lists.",
        );
    }
    let known = |letter: char| powers.iter().any(|power| power.letter == Some(letter));
    let mut seen = Vec::new();
    let mut depth = 0;
    for letter in list.chars().filter(|_| list != "*") {
        match letter {
            '[' if depth == 0 => depth = 1,
            ']' if depth == 1 => depth = 0,
            letter if known(letter) && !seen.contains(&letter) => seen.push(letter),
            letter if known(letter) => {
                return refuse(format!(
                    "Duplicate power '{letter}' in preference list.  Your list remains {remains}."
                ));
            }
            letter => {
                return refuse(format!(
                    "Invalid character '{letter}' in preference list.  Your list remains {remains}."
                ));
            }
        }
    }
    if depth != 0 {
        return refuse(format!(
            "A bracket is not closed in the preference list.  Your list remains {remains}."
        ));
    }
    errand.emit(Event::SeatChanged {
        seat: acting.seat,
        change: SeatChange::Preference(list.clone()),
    });
    errand.tell_others(Some(acting.seat), "Preference Change", |errand, to| {
        if !errand.is_master(to) {
            return None;
        }
        let game = errand.game()?;
        let line = |seat: &crate::game::Seat| {
            format!(
                "{}: {}",
                seat.address,
                if seat.preference.is_empty() {
                    "no list"
                } else {
                    &seat.preference
                }
            )
        };
        Some(game.seated(Role::Player).map(line).collect())
    });
    Ok(vec![if list.is_empty() {
        "Your preference list is now empty.".to_owned()
    } else {
        format!("Your preference list is now {list}.")
    }])
}

/// SET PASSWORD. The reply never shows it.
pub(super) fn password(errand: &mut Errand, acting: Acting, word: &str) -> Said {
    if !passwords::allowed(word) {
        return refuse(
            "A password is 1 to 40 visible characters without blanks: SET PASSWORD word.",
        );
    }
    let salt = errand.ids.id();
    let Some(hash) = passwords::hash(word, salt) else {
        return refuse("The password could not be set.");
    };
    errand.emit(Event::SeatChanged {
        seat: acting.seat,
        change: SeatChange::Password(hash),
    });
    Ok(vec!["Your password has been changed.".to_owned()])
}

/// SET ZONE, SET NOZONE: in which zone this reader wants dates.
pub(super) fn zone(errand: &mut Errand, acting: Acting, zone: Option<&str>) -> Said {
    if let Some(name) = zone
        && jiff::tz::TimeZoneDatabase::bundled().get(name).is_err()
    {
        return refuse(format!(
            "'{name}' is no time zone; use a name such as Europe/Berlin or UTC."
        ));
    }
    errand.emit(Event::SeatChanged {
        seat: acting.seat,
        change: SeatChange::Zone(zone.map(str::to_owned)),
    });
    Ok(vec![match zone {
        Some(name) => format!("Dates are now shown to you in the zone {name}."),
        None => "Dates are now shown to you in the game's own zone.".to_owned(),
    }])
}

/// SET REMIND hours.
pub(super) fn remind(errand: &mut Errand, acting: Acting, hours: i64) -> Said {
    let Some(hours) = u32::try_from(hours).ok().filter(|hours| *hours <= 240) else {
        return refuse("SET REMIND takes hours from 0 (never) to 240.");
    };
    errand.emit(Event::SeatChanged {
        seat: acting.seat,
        change: SeatChange::Remind(hours),
    });
    Ok(vec![match hours {
        0 => "You will not be reminded of deadlines.".to_owned(),
        hours => format!(
            "You will be reminded {hours} hours before a deadline if your orders are not complete."
        ),
    }])
}

/// SET ALL PRESS, SET NORMAL PRESS.
pub(super) fn all_press(errand: &mut Errand, acting: Acting, on: bool) -> Said {
    let game = game_of(errand)?;
    let role = game.seat(acting.seat).map(|seat| seat.role);
    match role {
        Some(Role::Master) => {}
        Some(Role::Observer) if game.settings.watch_all_press => {}
        Some(Role::Observer) => return refuse("Observers see no partial press in this game."),
        _ => return refuse("Only the Master can use SET ALL PRESS."),
    }
    errand.emit(Event::SeatChanged {
        seat: acting.seat,
        change: SeatChange::AllPress(on),
    });
    Ok(vec![
        if on {
            "You get copies of all press."
        } else {
            "You get the press that is addressed to you."
        }
        .to_owned(),
    ])
}

/// SET ADDRESS: where mail of this game goes; the mail's own address if none is named. A new one counts once it has
/// answered a mail that is sent to it, so that nobody's mail can be sent elsewhere by forging one.
pub(super) fn address(
    errand: &mut Errand,
    acting: Acting,
    from: &str,
    address: Option<&str>,
) -> Said {
    let wanted = address.unwrap_or(from);
    let Ok(wanted) = crate::mails::inbound::Address::parse(wanted) else {
        return refuse(format!("'{wanted}' is not an address."));
    };
    let key = wanted.key();
    let game = game_of(errand)?;
    let Some(seat) = game.seat(acting.seat) else {
        return refuse("Sign on to a game first.");
    };
    if seat.address == key {
        return Ok(vec![format!("Mail of this game goes to {key} already.")]);
    }
    let (name, person) = (game.name.clone(), seat.person);
    match errand.registry.by_address(&key).map(|known| known.id) {
        Some(known) if known == person => return confirm_address(errand, acting.seat, &key),
        Some(_) => return Ok(ask_another(errand, &name, &key)),
        None => {}
    }
    errand.emit(Event::SeatChanged {
        seat: acting.seat,
        change: SeatChange::WantsAddress(Some(key.clone())),
    });
    let Some(secret) = errand.registry.secret() else {
        return refuse("The address could not be set.");
    };
    let token = tokens::of_address(secret, &name, acting.seat, &key);
    let lines = [
        format!(
            "Somebody who plays in game '{name}' on this judge wants its mail to be sent to {key}."
        ),
        "If that is you, answer this mail; what you write does not matter.  If not, do nothing."
            .to_owned(),
    ];
    if let Ok(text) = outbound::stranger_notice(
        &errand.judge.templates,
        &errand.judge.settings.name,
        "Your new address",
        &lines,
    ) {
        let reply_to = errand.judge.settings.with_token(&token);
        errand.send_for_answer(&key, text, reply_to);
    }
    Ok(vec![asked_of(&key)])
}

fn asked_of(address: &str) -> String {
    format!("A mail has been sent to {address}; once it is answered, mail of this game goes there.")
}

/// The address is somebody else's. Whom the judge knows is nobody's business, so he who asked reads what he always reads;
/// the owner is told, and can give nothing away by an answer.
fn ask_another(errand: &mut Errand, game: &str, key: &str) -> Vec<String> {
    let lines = [
        format!(
            "Somebody who plays in game '{game}' on this judge wants its mail to be sent to {key}."
        ),
        "You are registered here yourself, so that is not possible.  You need not do anything."
            .to_owned(),
    ];
    if let Ok(text) = outbound::stranger_notice(
        &errand.judge.templates,
        &errand.judge.settings.name,
        "Your address",
        &lines,
    ) {
        errand.send_to(key, text, false);
    }
    vec![asked_of(key)]
}

/// An address is proven to be a seat's: mail goes there from now on, and the old address and the others are told.
pub(super) fn confirm_address(errand: &mut Errand, seat: SeatId, address: &str) -> Said {
    let game = game_of(errand)?;
    let Some((old, person)) = game
        .seat(seat)
        .map(|seat| (seat.address.clone(), seat.person))
    else {
        return refuse("Nobody sits there.");
    };
    let (name, hidden) = (game.name.clone(), game.settings.gunboat || errand.hides());
    let letters = game
        .led_by(seat)
        .iter()
        .map(|power| game.power_letter(*power))
        .collect::<Vec<_>>()
        .join(game.between_letters());
    if errand.registry.by_address(address).is_none() {
        errand.register(RegistryEvent::Linked {
            person,
            address: address.to_owned(),
        });
    }
    errand.emit(Event::SeatChanged {
        seat,
        change: SeatChange::Address(address.to_owned()),
    });
    let line = format!("Mail of game '{name}' now goes to {address} instead of {old}.");
    if let Ok(text) = outbound::stranger_notice(
        &errand.judge.templates,
        &errand.judge.settings.name,
        "Your address",
        &[line],
    ) {
        errand.send_to(&old, text, false);
    }
    if !hidden && !letters.is_empty() {
        errand.tell_others(
            Some(seat),
            &format!("Player Address Change: {letters}"),
            |errand, to| {
                Some(vec![format!(
                    "The address of {letters} in game '{name}' is now {}.",
                    errand.address_for(to, seat)?
                )])
            },
        );
    }
    Ok(vec![format!(
        "Mail of game '{name}' now goes to {address}."
    )])
}

/// SET MAP name, before the start.
pub(super) fn map(errand: &mut Errand, acting: Acting, map: &str) -> Said {
    ruler(errand, acting, "SET MAP")?;
    let game = game_of(errand)?;
    let (variant, places) = (game.variant.clone(), game.places.clone());
    errand.emit(Event::Variant {
        variant,
        map: map.to_owned(),
        places,
    });
    told(
        errand,
        acting,
        "Parameter Change",
        &format!("set the map to {map}"),
    )
}

/// SET VARIANT name, SET VARIANT GUNBOAT, SET NOT VARIANT option.
pub(super) fn variant(errand: &mut Errand, acting: Acting, words: &str, on: bool) -> Said {
    ruler(errand, acting, "SET VARIANT")?;
    before_start(errand)?;
    let word = words.trim().to_lowercase();
    let option = match word.as_str() {
        "gunboat" => Some(("gunboat", "Gunboat")),
        "blind" => Some(("blind", "Blind")),
        _ => None,
    };
    if let Some((field, name)) = option {
        let current = crate::variants::of(&game_of(errand)?.variant);
        if field == "blind" && on {
            may_be_blind(current)?;
        }
        let done = format!("{} the {name} option", if on { "set" } else { "cleared" });
        return value(errand, acting, field, json!(on), "Parameter Change", &done);
    }
    let Some(variant) = crate::variants::named(&word).filter(|_| on) else {
        return refuse(format!(
            "'{word}' is no variant or option.  {}",
            super::joining::offer()
        ));
    };
    if game_of(errand)?.settings.blind {
        may_be_blind(variant)?;
    }
    let other = game_of(errand)?.variant != variant.name();
    errand.emit(Event::Variant {
        variant: variant.name().to_owned(),
        map: variant.map().to_owned(),
        places: variant.places().to_owned(),
    });
    // What was set for one variant means something else in another, or nothing.
    let reset = other && reset_to_variant(errand)?;
    let mut said = told(
        errand,
        acting,
        "Parameter Change",
        &format!("set the variant to {}", variant.title()),
    )?;
    if reset {
        said.push(
            "Its own settings and the number that wins are as the variant has them.".to_owned(),
        );
    }
    Ok(said)
}

/// Takes back what only one variant knows: its own settings, and what wins. Whether anything had been set.
fn reset_to_variant(errand: &mut Errand) -> Result<bool, Refused> {
    let settings = &game_of(errand)?.settings;
    let set = !settings.own.is_empty() || settings.centers.is_some();
    if set {
        for (name, value) in [("own", json!({})), ("centers", json!(null))] {
            errand.emit(Event::Set {
                name: name.to_owned(),
                value,
            });
        }
    }
    Ok(set)
}

/// SET SIGHT: what gives sight in a blind game, before the start; units and owned centers where nothing is named.
pub(super) fn sight(errand: &mut Errand, acting: Acting, from: SightFrom) -> Said {
    ruler(errand, acting, "SET SIGHT")?;
    before_start(errand)?;
    if !game_of(errand)?.settings.blind {
        return refuse("SIGHT is for blind games; SET VARIANT BLIND makes this one blind.");
    }
    let from = match from {
        SightFrom {
            units: false,
            centers: false,
            homes: false,
        } => SightFrom::default(),
        named => named,
    };
    value(
        errand,
        acting,
        "sight",
        json!(from),
        "Parameter Change",
        &format!("gave sight to {from}"),
    )
}

/// Announces a change that was made already.
pub(super) fn told(errand: &mut Errand, acting: Acting, tail: &str, done: &str) -> Said {
    ruler(errand, acting, "this setting")?;
    announce(errand, acting, tail, done, false);
    Ok(vec![format!("You {done}.")])
}
