//! Registering, making games, joining, watching, taking over (`judge-workflow.md` 1.1, 2.1, 4.7).

use super::errand::{Errand, NOTICES, Recipient};
use super::registry::{Person, RegistryEvent};
use super::sign_on::{Acting, Refused, invalid};
use super::{passwords, starting};
use crate::game::{Event, Game, Role, SeatChange, SeatId, Settings, State, clock, project};
use crate::mails::inbound::Address;
use crate::mails::outbound;
use crate::map::Power;
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

fn refuse<T>(why: impl Into<String>) -> Result<T, Refused> {
    Err(Refused(why.into()))
}

/// What a registration form said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Form {
    /// The name.
    pub name: Option<String>,
    /// The address; that of the mail if none is named.
    pub email: Option<String>,
    /// How well the person plays.
    pub level: Option<String>,
    /// Where the person lives.
    pub country: Option<String>,
    /// Fields that were read and thrown away.
    pub ignored: Vec<String>,
}

/// Registers the sender, or replaces the form of one who is registered. Returns the answer's sentences.
pub(super) fn register(
    errand: &mut Errand,
    from: &Address,
    form: &Form,
) -> Result<Vec<String>, Refused> {
    let Some(name) = form
        .name
        .as_deref()
        .map(clean_name)
        .filter(|name| !name.is_empty())
    else {
        return refuse(
            "The form lacks a name: write a line such as Name: Anna Example between REGISTER and END.",
        );
    };
    let key = from.key();
    if let Some(email) = &form.email
        && Address::parse(email).map(|address| address.key()) != Ok(key.clone())
    {
        return refuse(format!(
            "The form names the address {email}, but this mail came from {key}.  Send the form from the address that you want to use."
        ));
    }
    let level = match form.level.as_deref().map(super::settings_words::level) {
        None => crate::game::Level::Any,
        Some(Some(level)) => level,
        Some(None) => {
            return refuse(
                "The level is one of Novice, Amateur, Intermediate, Advanced or Expert.",
            );
        }
    };
    let known = errand.registry.by_address(&key).map(|person| person.id);
    let person = known.unwrap_or_else(|| errand.registry.next_id());
    errand.register(RegistryEvent::Registered {
        person,
        name: name.clone(),
        address: key.clone(),
        level,
        country: form.country.as_deref().map(clean_name),
    });
    let text = outbound::user_registered(
        &errand.judge.templates,
        &name,
        &key,
        known.is_some(),
        &form.ignored,
    );
    text.map(|text| vec![text])
        .map_err(|error| Refused(error.to_string()))
}

fn clean_name(name: &str) -> String {
    crate::mails::inbound::clean_header_text(name)
        .trim()
        .to_owned()
}

/// The registered person behind an address, or how to become one.
pub(super) fn registered<'e>(errand: &'e Errand, from: &str) -> Result<&'e Person, Refused> {
    errand.registry.by_address(from).ok_or_else(|| {
        Refused(format!(
            "The address {from} is not registered with this judge.  Send a mail with the lines REGISTER, Name: your name, END; then repeat this one."
        ))
    })
}

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
    if person.dedication < needed {
        return refuse(format!(
            "Your dedication of {} is below the {needed} that creating a game needs.",
            person.dedication
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
        others,
    } = wishes_of(wishes)?;
    if let Some(other) = others.first() {
        return refuse(format!("'{other}' is no variant or option.  {}", offer()));
    }
    let seed = crate::game::Seed::new(errand.ids.seed());
    let event = Event::Created {
        name,
        variant: variant.name().to_owned(),
        map: variant.map().to_owned(),
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
    if gunboat {
        errand.emit(Event::Set {
            name: "gunboat".into(),
            value: true.into(),
        });
    }
    let acting = sit(errand, &person, from, word, Role::Player)?;
    let Some(course) = &errand.course else {
        return Err(invalid());
    };
    let mut said = vec![format!(
        "Game '{}' has been created.  {}",
        course.game.name,
        still_missing(
            &course.game,
            project::missing_players(&course.game, course.variant)
        )
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
        Some(game) => refuse(format!(
            "'{name}' is too like the game '{}': a power's letter before one gives the other.  Choose another name.",
            game.name
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
    others: Vec<String>,
}

fn wishes_of(words: &[String]) -> Result<Wishes, Refused> {
    let mut wishes = Wishes {
        variant: variants::of("standard"),
        gunboat: false,
        others: Vec::new(),
    };
    for word in words {
        match word.to_lowercase().as_str() {
            "gunboat" => wishes.gunboat = true,
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
    format!("Variants: {}.  Options: gunboat.", names.join(", "))
}

/// `You'll be notified when 6 more players sign on.`
fn still_missing(game: &Game, missing: usize) -> String {
    let _ = game;
    match missing {
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
        let list = if seat.preference.is_empty() {
            "empty".to_owned()
        } else {
            format!("'{}'", seat.preference)
        };
        let said = format!(
            "You are already signed up for '{}'.  Your preference list is {list}.",
            game.name
        );
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
        return take_over(errand, from, power, word).map(|acting| (acting, Vec::new()));
    }
    if game.state == State::Ready {
        return refuse(format!("Game '{}' is full.", game.name));
    }
    if game.over() {
        return refuse(format!("Game '{}' was terminated.", game.name));
    }
    check_wishes(&game, word, wishes)?;
    check_entry(&game, &person)?;
    if !passwords::allowed(word) {
        return refuse("A password of visible characters without blanks is needed.");
    }
    let acting = sit(errand, &person, from, word, Role::Player)?;
    let Some(course) = &errand.course else {
        return Err(invalid());
    };
    let missing = project::missing_players(&course.game, course.variant);
    let players = course.game.seated(Role::Player).count();
    let said = vec![format!(
        "You are now signed up for '{}'.  {}",
        game.name,
        still_missing(&game, missing)
    )];
    errand.tell_others(
        Some(acting.seat),
        &format!("New Player Signon: #{players}"),
        |errand, to| {
            let who = errand.address_for(to, acting.seat)?;
            let rest = if missing == 0 {
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
fn check_wishes(game: &Game, word: &str, wishes: &[String]) -> Result<(), Refused> {
    let given = wishes_of(wishes)?;
    let variant = variants::of(&game.variant);
    let standard = variant.name() == "standard";
    let fits = given.variant.name() == variant.name()
        && given.gunboat == game.settings.gunboat
        && given.others.is_empty();
    if fits {
        return Ok(());
    }
    let mut line = format!("SIGNON ?{} {word}", game.name);
    if !standard {
        line.push_str(&format!(" {}", variant.name()));
    }
    if game.settings.gunboat {
        line.push_str(" gunboat");
    }
    refuse(format!(
        "Game '{}' is {}.  To join it, send this line:\n    {line}",
        game.name,
        project::variant_line(game, variant)
    ))
}

/// Whether the game's limits let this person in.
fn check_entry(game: &Game, person: &Person) -> Result<(), Refused> {
    let Settings {
        allow,
        deny,
        dedication,
        level,
        ..
    } = &game.settings;
    let named = |list: &std::collections::BTreeSet<String>| {
        person
            .addresses
            .iter()
            .any(|address| list.contains(address))
    };
    if (!allow.is_empty() && !named(allow)) || named(deny) {
        return refuse(format!(
            "The master of '{}' does not let you join.",
            game.name
        ));
    }
    if person.dedication < *dedication {
        return refuse(format!(
            "Game '{}' asks for a dedication of {dedication}; yours is {}.",
            game.name, person.dedication
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
    let named = |list: &std::collections::BTreeSet<String>| {
        person
            .addresses
            .iter()
            .any(|address| list.contains(address))
    };
    if named(&game.settings.deny) {
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

fn sit(
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

/// A vacant power is taken over by a newcomer, or taken back by who led it (`judge-workflow.md` 4.7).
pub(super) fn take_over(
    errand: &mut Errand,
    from: &str,
    power: Power,
    word: &str,
) -> Result<Acting, Refused> {
    let person = registered(errand, from)?.clone();
    let Some(game) = errand.game().cloned() else {
        return Err(invalid());
    };
    if game.over() {
        return refuse(format!("Game '{}' is over.", game.name));
    }
    if !game.survives(power) {
        return refuse(format!(
            "{} has been eliminated from '{}'.",
            game.power_name(power),
            game.name
        ));
    }
    if !passwords::allowed(word) {
        return refuse("A password of visible characters without blanks is needed.");
    }
    let other = game.all_powers().find(|other| {
        *other != power
            && !game.standing(*other).vacant()
            && game
                .holder(*other)
                .is_some_and(|seat| seat.person == person.id)
    });
    if let Some(other) = other {
        return refuse(format!(
            "You play {} in '{}' already.",
            game.power_name(other),
            game.name
        ));
    }
    let standing = game.standing(power);
    let holder = game.holder(power).cloned();
    let returning = holder
        .as_ref()
        .filter(|seat| seat.person == person.id && !seat.left);
    if let Some(seat) = returning {
        let acting = Acting {
            seat: seat.id,
            power: Some(power),
            from_home: true,
            by_token: false,
        };
        take_back(
            errand,
            acting,
            power,
            standing.disorder && game.settings.nmr,
            word,
        )?;
        return Ok(acting);
    }
    check_entry(&game, &person)?;
    // An observer who takes over leaves his chair among the observers.
    for seat in game
        .seats
        .iter()
        .filter(|seat| !seat.left && seat.person == person.id && seat.role == Role::Observer)
    {
        errand.emit(Event::SeatChanged {
            seat: seat.id,
            change: SeatChange::Left,
        });
    }
    let acting = Acting {
        power: Some(power),
        ..sit(errand, &person, from, word, Role::Player)?
    };
    errand.emit(Event::Taken {
        power,
        seat: acting.seat,
    });
    errand.emit(Event::Waits { power, on: true });
    errand.register(RegistryEvent::Joined {
        people: vec![person.id],
        at_start: false,
    });
    let before = standing_word(&standing);
    announce(
        errand,
        acting,
        power,
        "New Player Signon",
        &format!("has taken over the {before}"),
    );
    errand.send_notices();
    if let Some(old) = holder.filter(|seat| game.led_by(seat.id).len() == 1) {
        let notice = format!(
            "{} in game '{}' has been taken over.\nYou get no more mail of this game.",
            game.power_name(power),
            game.name
        );
        if let Some(heading) = errand.heading(Recipient {
            seat: old.id,
            power: None,
        }) && let Ok(mut text) =
            outbound::notice(&errand.judge.templates, &heading, "Notice", &[notice])
        {
            text.subject = format!("Diplomacy notice: {}", game.name);
            errand.send(
                Recipient {
                    seat: old.id,
                    power: None,
                },
                text,
                NOTICES,
            );
        }
        errand.emit(Event::SeatChanged {
            seat: old.id,
            change: SeatChange::Left,
        });
    }
    Ok(acting)
}

fn standing_word(standing: &crate::game::Standing) -> &'static str {
    if standing.resigned && !standing.abandoned {
        "vacant"
    } else {
        "abandoned"
    }
}

fn take_back(
    errand: &mut Errand,
    acting: Acting,
    power: Power,
    from_disorder: bool,
    word: &str,
) -> Result<(), Refused> {
    let salt = errand.ids.id();
    let password = passwords::hash(word, salt).ok_or_else(invalid)?;
    errand.emit(Event::SeatChanged {
        seat: acting.seat,
        change: SeatChange::Password(password),
    });
    errand.emit(Event::Taken {
        power,
        seat: acting.seat,
    });
    if from_disorder {
        let Some(name) = errand.game().map(|game| game.power_name(power).to_owned()) else {
            return Err(invalid());
        };
        let tail = format!("{name} is no longer in CD");
        errand.tell_others(Some(acting.seat), &tail, |errand, _| {
            Some(vec![format!(
                "{name} in game '{}' is no longer in civil disorder.",
                errand.game()?.name
            )])
        });
    } else {
        announce(
            errand,
            acting,
            power,
            "Returning Player Signon",
            "has returned to",
        );
    }
    Ok(())
}

/// Tells everybody of a new or returning leader, and gives the game time where it stood still.
fn announce(errand: &mut Errand, acting: Acting, power: Power, tail: &str, done: &str) {
    let Some(course) = &errand.course else { return };
    let game = &course.game;
    let others_vacant = game
        .survivors()
        .iter()
        .any(|other| *other != power && game.standing(*other).vacant());
    let next = crate::game::deadline::minutes(game.settings.clock(&game.phase).next);
    let near = game
        .timing
        .times
        .is_some_and(|times| times.deadline < errand.now + next / 2);
    let times = (!others_vacant && near).then(|| clock::times_from(game, errand.now, false));
    if let Some(times) = times {
        errand.emit(Event::Timed { times });
    }
    let Some(letter) = errand.game().map(|game| game.power_letter(power)) else {
        return;
    };
    let quiet = errand.game().is_some_and(|game| game.settings.quiet);
    let name = errand
        .game()
        .map(|game| game.power_name(power).to_owned())
        .unwrap_or_default();
    errand.tell_others(
        Some(acting.seat),
        &format!("{tail}: {letter}"),
        |errand, to| {
            if quiet && !errand.is_master(to) {
                return None;
            }
            let game = errand.game()?;
            let reader = errand.reader(to)?;
            let who = errand.address_for(to, acting.seat)?;
            let mut lines = vec![format!("{who} {done} {name} in game '{}'.", game.name)];
            if let Some(times) = times {
                lines.push(format!(
                    "Deadline for '{}' advanced to {}.",
                    game.name,
                    reader.moment(times.deadline)
                ));
                lines.push(format!(
                    "Grace period for '{}' advanced to {}.",
                    game.name,
                    reader.moment(times.grace)
                ));
            }
            Some(lines)
        },
    );
}

/// Starts the game if this joining has filled the table.
pub(super) fn after_joining(errand: &mut Errand) {
    starting::begin_if_full(errand);
}
