//! Making games, joining, watching (`judge-workflow.md` 1.1, 2.1).

use std::collections::BTreeSet;

use super::errand::Errand;
use super::registering::registered;
use super::registry::Person;
use super::sign_on::{Acting, Refused, invalid, refuse};
use super::{passwords, starting, take_over};
use crate::game::{Course, Event, Game, Role, Seat, SeatChange, SeatId, Settings, State, project};
use crate::variants;

/// Names that no game may bear (`judge-workflow.md` 0).
const RESERVED: &[&str] = &[
    "all",
    "full",
    "any",
    "new",
    "from",
    "to",
    "lines",
    "exclstart",
    "exclend",
    "broad",
    "judge",
    "master",
    "observer",
];

/// CREATE.
pub(super) fn create(
    errand: &mut Errand,
    from: &str,
    name: &str,
    word: &str,
    wishes: &[String],
) -> Result<(Acting, Vec<String>), Refused> {
    let person = registered(errand, from)?.clone();
    let name = name.trim_start_matches('?').to_lowercase();
    check_name(errand, &name)?;
    if !passwords::allowed(word) {
        return refuse(
            "CREATE needs a password of visible characters without blanks: CREATE ?name password.",
        );
    }
    let needed = errand.judge.settings.dedication_to_create;
    if person.own_dedication() < needed {
        return refuse(format!(
            "Your dedication of {} is below the {needed} that creating a game needs.",
            person.own_dedication()
        ));
    }
    let most = errand.judge.settings.max_running as usize;
    if most > 0 && errand.judge.games().filter(|game| !game.over()).count() >= most {
        return refuse(
            "This judge runs as many games as it can; ask its keeper, or join one of them.",
        );
    }
    let Wishes {
        variant,
        gunboat,
        blind,
        others,
    } = wishes_of(wishes)?;
    if let Some(other) = others.first() {
        return refuse(format!("'{other}' is no variant or option.  {}", offer()));
    }
    if blind {
        may_be_blind(variant)?;
    }
    let seed = crate::game::Seed::new(errand.ids.seed());
    let event = Event::Created {
        name,
        variant: variant.name().to_owned(),
        map: variant.map().to_owned(),
        places: variant.places().to_owned(),
        seed,
    };
    let game = crate::game::apply::create(&event, errand.now).map_err(|_| invalid())?;
    errand.open(&game);
    // The game as it was before it was made is nothing: its first event leads the record.
    if let Some(course) = &mut errand.course {
        course.events.push(event);
    }
    errand.emit(Event::Set {
        name: "timezone".into(),
        value: errand.judge.settings.timezone.clone().into(),
    });
    for (option, on) in [("gunboat", gunboat), ("blind", blind)] {
        if on {
            errand.emit(Event::Set {
                name: option.into(),
                value: true.into(),
            });
        }
    }
    let acting = sit(errand, &person, from, word, Role::Player)?;
    let Some(course) = &errand.course else {
        return Err(invalid());
    };
    let mut said = vec![format!(
        "Game '{}' has been created.  {}",
        course.game.name,
        still_missing(course)
    )];
    if errand.judge.settings.auto_master {
        said.extend(become_master(errand, acting.seat)?);
    }
    Ok((acting, said))
}

fn check_name(errand: &Errand, name: &str) -> Result<(), Refused> {
    let shape = name.chars().next().is_some_and(|c| c.is_ascii_lowercase())
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
        && name.len() <= 15;
    if !shape {
        return refuse(
            "A game's name is 1 to 15 letters and digits, beginning with a letter: CREATE ?kaiser password.",
        );
    }
    let powers = crate::map::Map::standard().powers();
    if RESERVED.contains(&name)
        || powers
            .iter()
            .any(|power| power.name.eq_ignore_ascii_case(name))
    {
        return refuse(format!(
            "'{name}' cannot be the name of a game, since the judge reads it as another word."
        ));
    }
    if errand.judge.game(name).is_some() {
        return refuse(format!(
            "There is a game '{name}' already.  Send SIGNON ?{name} password to join it, or choose another name."
        ));
    }
    // With a letter before one of the two names a sign-on would have two meanings (README, Decided 9).
    let clash = errand
        .judge
        .games()
        .find(|game| one_letter_before(&game.name, name) || one_letter_before(name, &game.name));
    match clash {
        Some(game) if game.settings.list => refuse(format!(
            "'{name}' is too like the game '{}': a power's letter before one gives the other.  Choose another name.",
            game.name
        )),
        Some(_) => refuse(format!(
            "'{name}' is too like the name of another game: a power's letter before one gives the other.  Choose another name."
        )),
        None => Ok(()),
    }
}

fn one_letter_before(long: &str, short: &str) -> bool {
    long.len() == short.len() + 1 && long.ends_with(short)
}

/// Variant and options named behind a password.
struct Wishes {
    variant: &'static dyn crate::game::Variant,
    gunboat: bool,
    blind: bool,
    others: Vec<String>,
}

fn wishes_of(words: &[String]) -> Result<Wishes, Refused> {
    let mut wishes = Wishes {
        variant: variants::UNNAMED,
        gunboat: false,
        blind: false,
        others: Vec::new(),
    };
    for word in words {
        match word.to_lowercase().as_str() {
            "gunboat" => wishes.gunboat = true,
            "blind" => wishes.blind = true,
            // The old judges' filler.
            "," | "diplomacy" => {}
            other => match variants::named(other) {
                Some(variant) => wishes.variant = variant,
                None => wishes.others.push(word.clone()),
            },
        }
    }
    Ok(wishes)
}

/// Which variants and options there are.
pub(super) fn offer() -> String {
    let names: Vec<&str> = variants::ALL.iter().map(|variant| variant.name()).collect();
    format!("Variants: {}.  Options: gunboat, blind.", names.join(", "))
}

/// Refuses BLIND for a variant that knows no fog.
pub(super) fn may_be_blind(variant: &dyn crate::game::Variant) -> Result<(), Refused> {
    match variant.blind() {
        true => Ok(()),
        false => refuse(format!("{} cannot be played blind.", variant.title())),
    }
}

/// `You'll be notified when 6 more players sign on.`
fn still_missing(course: &Course) -> String {
    match project::missing_players(&course.game, course.variant) {
        0 if project::begins_by_word(&course.game, course.variant) => {
            "There are players enough, and more may come; the game begins when its Master says so."
                .to_owned()
        }
        0 => "All players are there.".to_owned(),
        1 => "You'll be notified when 1 more player signs on.".to_owned(),
        n => format!("You'll be notified when {n} more players sign on."),
    }
}

/// SIGNON ?game: joins a forming game, returns to a running one, or takes its first vacant power.
pub(super) fn join(
    errand: &mut Errand,
    from: &str,
    word: &str,
    wishes: &[String],
) -> Result<(Acting, Vec<String>), Refused> {
    let Some(game) = errand.game().cloned() else {
        return Err(invalid());
    };
    let known = errand.registry.by_address(from).map(|person| person.id);
    let own = game
        .seats
        .iter()
        .find(|seat| !seat.left && Some(seat.person) == known && seat.role == Role::Player);
    if let Some(seat) = own {
        // Already in: a plain sign-on, whatever the word; nothing is shown but the preference list.
        let mut said = format!("You are already signed up for '{}'.", game.name);
        if variants::of(&game.variant).roster(&game).is_none() {
            let list = if seat.preference.is_empty() {
                "empty".to_owned()
            } else {
                format!("'{}'", seat.preference)
            };
            said.push_str(&format!("  Your preference list is {list}."));
        }
        let acting = Acting {
            seat: seat.id,
            power: game.led_by(seat.id).first().copied(),
            from_home: true,
            by_token: false,
        };
        return Ok((acting, vec![said]));
    }
    let person = registered(errand, from)?.clone();
    if game.begun() {
        // Who may not come in is told so before anybody looks whether there is an opening: that may be hidden.
        check_entry(&game, &person)?;
        let vacant = game
            .survivors()
            .into_iter()
            .find(|power| game.standing(*power).vacant());
        let Some(power) = vacant.filter(|_| !game.over()) else {
            return refuse(format!(
                "Game '{}' is in progress and has no opening.  Send OBSERVE {} password to watch it.",
                game.name, game.name
            ));
        };
        return take_over::take_over(errand, from, power, word).map(|acting| (acting, Vec::new()));
    }
    if game.state == State::Ready {
        return refuse(format!("Game '{}' is full.", game.name));
    }
    if game.over() {
        return refuse(format!("Game '{}' was terminated.", game.name));
    }
    check_wishes(&game, wishes)?;
    check_entry(&game, &person)?;
    if !passwords::allowed(word) {
        return refuse("A password of visible characters without blanks is needed.");
    }
    let acting = sit(errand, &person, from, word, Role::Player)?;
    let Some(course) = &errand.course else {
        return Err(invalid());
    };
    let (missing, by_word) = (
        project::missing_players(&course.game, course.variant),
        project::begins_by_word(&course.game, course.variant),
    );
    let players = course.game.seated(Role::Player).count();
    let said = vec![format!(
        "You are now signed up for '{}'.  {}",
        game.name,
        still_missing(course)
    )];
    errand.tell_others(
        Some(acting.seat),
        &format!("New Player Signon: #{players}"),
        |errand, to| {
            let who = errand.address_for(to, acting.seat)?;
            let rest = if by_word {
                "enough to begin".to_owned()
            } else if missing == 0 {
                "the table is full".to_owned()
            } else {
                format!("{missing} still missing")
            };
            Some(vec![format!(
                "{who} has signed up for game '{}': player {players}, {rest}.",
                errand.game()?.name
            )])
        },
    );
    Ok((acting, said))
}

/// The variant and options must be named if the game has them; else the reply prints the line to send.
fn check_wishes(game: &Game, wishes: &[String]) -> Result<(), Refused> {
    let given = wishes_of(wishes)?;
    let variant = variants::of(&game.variant);
    let fits = given.variant.name() == variant.name()
        && given.gunboat == game.settings.gunboat
        && given.blind == game.settings.blind
        && given.others.is_empty();
    if fits {
        return Ok(());
    }
    // A password is never written back.
    let mut line = format!("SIGNON ?{} password", game.name);
    if variant.name() != variants::UNNAMED.name() {
        line.push_str(&format!(" {}", variant.name()));
    }
    if game.settings.gunboat {
        line.push_str(" gunboat");
    }
    if game.settings.blind {
        line.push_str(" blind");
    }
    refuse(format!(
        "Game '{}' is {}.  To join it, send this line:\n    {line}",
        game.name,
        project::variant_line(game, variant)
    ))
}

/// Whether a list of addresses names a person.
fn is_named(person: &Person, list: &BTreeSet<String>) -> bool {
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
    if *level != crate::game::Level::Any && person.level < *level {
        return refuse(format!(
            "Game '{}' asks for the level {level:?}; you registered as {:?}.",
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

/// OBSERVE.
pub(super) fn observe(
    errand: &mut Errand,
    from: &str,
    word: &str,
) -> Result<(Acting, Vec<String>), Refused> {
    let person = registered(errand, from)?.clone();
    let Some(game) = errand.game().cloned() else {
        return Err(invalid());
    };
    let own = game
        .seats
        .iter()
        .find(|seat| !seat.left && seat.person == person.id && seat.role == Role::Observer);
    if own.is_some() {
        let acting =
            super::sign_on::by_password(errand, from, super::sign_on::Wanted::Observer, word)?;
        return Ok((
            acting,
            vec![format!("You are an Observer in game '{}'.", game.name)],
        ));
    }
    if game
        .seats
        .iter()
        .any(|seat| !seat.left && seat.person == person.id && seat.role == Role::Player)
    {
        return refuse(format!(
            "You play in '{}', so you cannot observe it.",
            game.name
        ));
    }
    if is_named(&person, &game.settings.deny) {
        return refuse(format!(
            "The master of '{}' does not let you observe it.",
            game.name
        ));
    }
    if !passwords::allowed(word) {
        return refuse(
            "A password of visible characters without blanks is needed: OBSERVE game password.",
        );
    }
    let acting = sit(errand, &person, from, word, Role::Observer)?;
    errand.tell_others(Some(acting.seat), "New Player Signon: O", |errand, to| {
        let who = errand.address_for(to, acting.seat)?;
        Some(vec![format!(
            "{who} is now an Observer in game '{}'.",
            errand.game()?.name
        )])
    });
    Ok((
        acting,
        vec![format!("You are now an Observer in game '{}'.", game.name)],
    ))
}

pub(super) fn sit(
    errand: &mut Errand,
    person: &Person,
    from: &str,
    word: &str,
    role: Role,
) -> Result<Acting, Refused> {
    let seat = next_seat(errand);
    let salt = errand.ids.id();
    let password = passwords::hash(word, salt).ok_or_else(invalid)?;
    let address = person
        .addresses
        .first()
        .map_or_else(|| from.to_owned(), Clone::clone);
    errand.emit(Event::Seated {
        seat,
        person: person.id,
        address,
        role,
        password,
    });
    Ok(Acting {
        seat,
        power: None,
        from_home: true,
        by_token: false,
    })
}

fn next_seat(errand: &Errand) -> SeatId {
    SeatId(errand.game().map_or(1, |game| game.seats.len() as u32 + 1))
}

/// BECOME MASTER: the sole player of a forming game becomes its master.
pub(super) fn become_master(errand: &mut Errand, seat: SeatId) -> Result<Vec<String>, Refused> {
    let Some(game) = errand.game() else {
        return Err(invalid());
    };
    let alone = game
        .seats
        .iter()
        .all(|other| other.left || other.id == seat);
    let player = game
        .seat(seat)
        .is_some_and(|seat| seat.role == Role::Player);
    if game.state != State::Forming || !player || !alone {
        return refuse("BECOME MASTER is for the sole player of a game that is still forming.");
    }
    let name = game.name.clone();
    errand.emit(Event::SeatChanged {
        seat,
        change: SeatChange::Role(Role::Master),
    });
    errand.emit(Event::Set {
        name: "moderated".into(),
        value: true.into(),
    });
    Ok(vec![format!(
        "You are now the Master of game '{name}', and your place as a player is free."
    )])
}

/// Starts the game if this joining has filled the table.
pub(super) fn after_joining(errand: &mut Errand) {
    starting::begin_if_full(errand);
}
