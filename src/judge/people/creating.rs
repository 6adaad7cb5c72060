//! CREATE: a new game (`judge-workflow.md` 1.1).

use std::collections::BTreeSet;

use jiff::Timestamp;

use crate::people::admission::{check_right, is_named};
use crate::people::becoming_master::become_master;
use crate::people::create_options::{CreateOptions, may_be_blind, offer};
use crate::people::joining::until_it_begins;
use crate::people::passwords;
use crate::people::registering::registered;
use crate::people::seating::sit;
use crate::people::unlisted;
use crate::rates::{CountKind, Writer};
use crate::registry::{Person, Right};
use crate::work::acting::{Entered, Refusal, invalid, refuse};
use crate::work::game_work::OpenGame;
use crate::work::{GameWork, Work};
use dipjudge_game::{Event, Role, SettingChange};
use dipjudge_mails::outbound::Document;
use dipjudge_rules::map::Map;

/// Names that no game may have (`judge-workflow.md` 0).
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

/// A game that a person may create, still without its creator.
pub(crate) struct NewGame {
    created: Event,
    gunboat: bool,
    blind: bool,
    person: Person,
}

/// Checks a CREATE line and returns the new game.
pub(crate) fn new_game(
    work: &mut Work,
    from: &str,
    name: &str,
    word: &str,
    wishes: &[String],
) -> Result<NewGame, Refusal> {
    let person = registered(work, from)?.clone();
    let name = name.trim_start_matches('?').to_lowercase();
    // A single word may be the password, so it is not quoted as a game's name.
    if !passwords::allowed(word) {
        return refuse(
            "CREATE needs a password of visible characters without blanks: CREATE ?name password.",
        );
    }
    check_name(work, from, &name)?;
    check_right(&person, Right::Master)?;
    let judge = &work.judge.settings;
    if judge
        .creators
        .as_ref()
        .is_some_and(|allowed| !is_named(&person, allowed))
    {
        return refuse(format!(
            "Games are created here only by those whom the keeper has allowed to.  Write to {} if you would like to.",
            judge.keeper
        ));
    }
    let needed = work.judge.settings.dedication_to_create;
    if person.own_dedication() < needed {
        return refuse(format!(
            "Your dedication of {} is below the {needed} that creating a game needs.",
            person.own_dedication()
        ));
    }
    let most = work.judge.settings.max_running as usize;
    if most > 0 && work.judge.games.going_on() >= most {
        return refuse(
            "This judge runs as many games as it can; ask its keeper, or join one of them.",
        );
    }
    check_rate(work, &person)?;
    let CreateOptions {
        variant,
        gunboat,
        blind,
        others,
    } = CreateOptions::read(wishes);
    if let Some(other) = others.first() {
        return refuse(format!("'{other}' is no variant or option.  {}", offer()));
    }
    if blind {
        may_be_blind(variant)?;
    }
    let seed = dipjudge_game::Seed::new(work.ids.seed());
    let created = variant.card().created(&name, seed);
    Ok(NewGame {
        created,
        gunboat,
        blind,
        person,
    })
}

impl NewGame {
    /// The new game, opened for the unit of work.
    pub(crate) fn open(&self, now: Timestamp) -> Result<OpenGame, Refusal> {
        let game = dipjudge_game::apply::create(&self.created, now).map_err(|_| invalid())?;
        let mut open = OpenGame::of(&game, now);
        // A game does not exist before its creation, so that event is the first of the record.
        open.edit.events.push(self.created.clone());
        Ok(open)
    }
}

/// CREATE: sets the options and the creator of the new game in hand.
pub(crate) fn create(
    work: &mut GameWork,
    from: &str,
    word: &str,
    new: &NewGame,
) -> Result<Entered, Refusal> {
    let zone = work.judge.settings.timezone.clone();
    work.emit(Event::Set(SettingChange::Timezone(zone)));
    for change in work.variant().card().settings_at_first() {
        work.emit(Event::Set(change));
    }
    if new.gunboat {
        work.emit(Event::Set(SettingChange::Gunboat(true)));
    }
    if new.blind {
        work.emit(Event::Set(SettingChange::Blind(true)));
    }
    let account = account(work, &new.person);
    work.count(CountKind::Create, account, 1);
    let acting = sit(work, &new.person, from, word, Role::Player)?;
    let mut said = Document::from(format!(
        "Game '{}' has been created.  {}",
        work.game().name,
        until_it_begins(work, acting)
    ));
    if work.judge.settings.auto_master {
        said.append(become_master(work, acting.seat)?);
    }
    Ok(Entered { acting, said })
}

/// Refuses to create more games in a day than the keeper allows.
fn check_rate(work: &Work, person: &Person) -> Result<(), Refusal> {
    let most = work.judge.settings.limits.creates_per_day;
    if work.counted(CountKind::Create, &account(work, person)) >= most {
        refuse(format!(
            "You have created {most} games within a day, which is the most that one person may; try again tomorrow."
        ))
    } else {
        Ok(())
    }
}

/// The account that a new game counts for. Games that others create under a forged From do not count for a person whose
/// address a trusted host has verified.
fn account(work: &Work, person: &Person) -> String {
    let vouched = matches!(work.writer, Some(Writer::Vouched(_)));
    let proof = if vouched { "vouched" } else { "from" };
    format!("{proof} person {}", person.id.0)
}

/// Refuses what cannot be the name of a new game.
pub(crate) fn check_name(work: &Work, from: &str, name: &str) -> Result<(), Refusal> {
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
    let of_a_power = |map: &Map| {
        let mut powers = map.powers().iter();
        powers.any(|power| power.name.eq_ignore_ascii_case(name))
    };
    if RESERVED.contains(&name) || Map::names().filter_map(Map::named).any(of_a_power) {
        return refuse(format!(
            "'{name}' cannot be the name of a game, since the judge reads it as another word."
        ));
    }
    match work.judge.game(name) {
        Some(game) if unlisted::answers(work, game, from) => {
            return refuse(format!(
                "There is a game '{name}' already.  Send SIGNON ?{name} password to join it, or choose another name."
            ));
        }
        Some(_) => {
            return refuse(format!(
                "The name '{name}' is not free.  Choose another one."
            ));
        }
        None => {}
    }
    // The log of a stopped game continues once it can be read, so its name is taken.
    if work.judge.stopped_game(name).is_some() {
        return refuse(format!(
            "The name '{name}' is not free.  Choose another one."
        ));
    }
    // If one name is the other with a letter in front, a sign-on would have two meanings (README, Decided 9).
    let longer = ('a'..='z').map(|letter| format!("{letter}{name}"));
    let alike: BTreeSet<String> = name
        .get(1..)
        .map(str::to_owned)
        .into_iter()
        .chain(longer)
        .collect();
    let clash = alike.iter().find_map(|name| work.judge.game(name));
    let stopped = alike
        .iter()
        .any(|name| work.judge.stopped_game(name).is_some());
    match clash {
        Some(game) if game.settings.list => refuse(format!(
            "'{name}' is too like the game '{}': a power's letter before one gives the other.  Choose another name.",
            game.name
        )),
        None if !stopped => Ok(()),
        _ => refuse(format!(
            "'{name}' is too like the name of another game: a power's letter before one gives the other.  Choose another name."
        )),
    }
}
