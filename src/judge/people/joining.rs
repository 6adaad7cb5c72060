//! Joining and observing (`judge-workflow.md` 1.1, 2.1).

use crate::people::admission::{check_entry, is_named, opening};
use crate::people::chosen_powers;
use crate::people::create_options::check_variant_and_options;
use crate::people::passwords;
use crate::people::registering::registered;
use crate::people::seating::sit;
use crate::people::sign_on::{self, SignOnRole};
use crate::people::stand_by;
use crate::people::take_over;
use crate::registry::Person;
use crate::work::acting::{Acting, Entered, Refusal, refuse};
use crate::work::{GameWork, Recipient};
use dipjudge_game::{
    Event, Game, GameEdit, Role, SeatChange, State, Variant, VariantAct, VariantCommand,
    VariantGame, secrecy,
};
use dipjudge_mails::outbound::Document;
use dipjudge_rules::map::Power;
use dipjudge_variants as variants;
use dipjudge_view::{Viewer, and_list};

/// `6 more players are needed; I will write when the game starts.`
fn still_missing(edit: &GameEdit) -> String {
    match edit.variant_game().missing_players() {
        0 if edit.variant_game().begins_by_word() => {
            "There are enough players, and more may still join. The master decides when to start."
                .to_owned()
        }
        0 if begins_now(edit) => {
            "The table is full and the game starts: its first mail tells you your power.".to_owned()
        }
        0 => "The table is full. The master starts the game.".to_owned(),
        1 => "One more player is needed; I will write when the game starts.".to_owned(),
        n => format!("{n} more players are needed; I will write when the game starts."),
    }
}

/// What whoever has joined should know before the first mail of the game.
const FIRST_STEPS: &str = "Once it starts, answer its mails with your orders, one a line: your address and your power are known \
                           then. GET GUIDE walks you through a first year; GET INDEX lists all help, and GET MAP the provinces.";

/// Whether the game begins with this mail, since its table is full.
fn begins_now(edit: &GameEdit) -> bool {
    edit.variant_game().begins_itself() && !edit.game.settings.manual_start
}

/// When a person who has signed on will hear of the game. It includes how many players are missing only if that is no
/// secret.
pub(crate) fn until_it_begins(work: &GameWork, acting: Acting) -> String {
    let (game, variant) = (work.game(), work.variant());
    if let Some(closes) = VariantGame::new(game, variant).sign_up_closes() {
        let closes = work.reader(acting.recipient()).moment(closes);
        return format!("Sign-up closes {closes}; I will write when the game starts.");
    }
    if VariantGame::new(game, variant)
        .seen_by(Viewer::Stranger)
        .hides_existence()
        || hides_who_joined(work, acting.recipient())
    {
        "I will write when the game starts.".to_owned()
    } else {
        still_missing(&work.open.edit)
    }
}

/// Whether this reader is not told who has joined a forming game, and how many have.
pub(crate) fn hides_who_joined(work: &GameWork, to: Recipient) -> bool {
    let viewer = work.reader(to).viewer;
    work.variant_game().seen_by(viewer).hides_who_joined()
}

/// SIGNON ?game: joins a forming game, returns to a running one, or takes its first vacant power; in a game with a
/// stand-by list, joins the end of that list. `proven` says whether the sender's address is proven well enough to take
/// a power.
pub(crate) fn join(
    work: &mut GameWork,
    from: &str,
    word: &str,
    wishes: &[String],
    proven: Result<(), Refusal>,
) -> Result<Entered, Refusal> {
    let game = work.game().clone();
    let known = work.registry.by_address(from).map(|person| person.id);
    let own = game
        .seats
        .iter()
        .find(|seat| !seat.left && Some(seat.person) == known && seat.role == Role::Player);
    if let Some(seat) = own {
        // The person is already in the game: this is a plain sign-on, whatever the password, and shows only the
        // preference list.
        let mut said = format!("You are already signed up for '{}'.", game.name);
        let labels = VariantGame::new(&game, work.variant())
            .seen_by(Viewer::Stranger)
            .labels();
        if !game.begun()
            && let Some(power) = seat.chosen
        {
            said.push_str(&format!("  You have chosen {}.", labels.name(power)));
        } else if variants::of(&game.variant).roster(&game).is_none() {
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
        return Ok(Entered::new(acting, said));
    }
    let person = registered(work, from)?.clone();
    let variant = variants::of(&game.variant);
    let hidden = VariantGame::new(&game, variant)
        .seen_by(Viewer::Stranger)
        .hides_existence();
    let has_stand_by = variant.has_stand_by(&game.settings);
    if has_stand_by && game.begun() && !game.over() {
        check_variant_and_options(&game, wishes)?;
        if secrecy::own_powers(&game, person.id).is_some() {
            proven?;
        }
        let Entered { acting, mut said } = stand_by::enrol(work, &person, from, word)?;
        if let Some(shown) = addresses_shown(work) {
            said.push(shown);
        }
        return Ok(Entered { acting, said });
    }
    if hidden && !has_stand_by && (game.begun() || game.state == State::Ready) {
        // Saying whether a seat is free would give information about another person.
        return refuse(format!(
            "'{}' keeps its players secret, so I cannot say whether it has a free place. Nobody can join it by mail \
             at present.",
            game.name
        ));
    }
    if game.begun() {
        proven?;
        // The refusal of a person who may not join comes before the search for a vacant power, since it may be hidden
        // whether there is one.
        check_entry(&game, &person)?;
        let vacant = opening(&game, &person)?;
        let power = match vacant {
            Some(power) if !game.over() => power,
            _ => {
                return refuse(format!(
                    "'{}' is already running and has no free power. To watch it, send OBSERVE {} password.",
                    game.name, game.name
                ));
            }
        };
        return take_over::take_over(work, from, power, word)
            .map(|acting| Entered::new(acting, Document::default()));
    }
    if game.state == State::Ready && !has_stand_by && !has_room(&game, variant) {
        return refuse(format!("Game '{}' is full.", game.name));
    }
    if game.over() {
        return refuse(format!("Game '{}' was terminated.", game.name));
    }
    check_variant_and_options(&game, wishes)?;
    sit_down(work, &person, from, word, None)
}

/// Whether a player can still join a game that is ready to begin: that is so if it has powers that it may begin
/// without.
fn has_room(game: &Game, variant: &dyn Variant) -> bool {
    let most = *VariantGame::new(game, variant).players().end();
    VariantGame::new(game, variant).has_optional_powers()
        && game.seated(Role::Player).count() < most
}

/// Adds a player to a forming game, with a chosen power or to have one assigned.
pub(crate) fn sit_down(
    work: &mut GameWork,
    person: &Person,
    from: &str,
    word: &str,
    chosen: Option<Power>,
) -> Result<Entered, Refusal> {
    let game = work.game().clone();
    let variant = work.variant();
    let hidden = VariantGame::new(&game, variant)
        .seen_by(Viewer::Stranger)
        .hides_existence();
    check_entry(&game, person)?;
    if !passwords::allowed(word) {
        return refuse("Choose a password without blanks and put it after the game's name.");
    }
    let acting = sit(work, person, from, word, Role::Player)?;
    if chosen.is_some() {
        work.emit(Event::SeatChanged {
            seat: acting.seat,
            change: SeatChange::Chosen(chosen),
        });
    }
    let as_power = chosen.map_or_else(String::new, |power| {
        let labels = VariantGame::new(&game, variant)
            .seen_by(Viewer::Stranger)
            .labels();
        format!(" as {}", labels.name(power))
    });
    let optional = VariantGame::new(&game, variant).has_optional_powers();
    let edit = &work.open.edit;
    let (missing, by_word) = (
        edit.variant_game().missing_players(),
        edit.variant_game().begins_by_word(),
    );
    let players = edit.game.seated(Role::Player).count();
    let at_a_date = edit.variant_game().begins_at_a_date();
    let rest = until_it_begins(work, acting);
    let mut said = vec![format!("You are in: '{}'{as_power}. {rest}", game.name)];
    if chosen.is_none() {
        said.extend(may_be_chosen(work));
    }
    said.extend(addresses_shown(work).map(str::to_owned));
    said.extend(lines_of_the_variant(variant));
    said.push(FIRST_STEPS.to_owned());
    if begins_now(&work.open.edit) {
        // The game's first mail names all who play.
        return Ok(Entered::new(acting, said));
    }
    work.tell_others(
        Some(acting.seat),
        &format!("New Player Signon: #{players}"),
        |work, to| {
            if (hidden || hides_who_joined(work, to)) && !work.is_master(to) {
                return None;
            }
            let who = work.introduced_to(to, acting.seat)?;
            let rest = if at_a_date {
                "sign-up goes on until its date".to_owned()
            } else if by_word || (missing == 0 && optional) {
                "enough to begin".to_owned()
            } else if missing == 0 {
                "the table is full".to_owned()
            } else {
                format!("{missing} still missing")
            };
            let as_power = if chosen_powers::is_told(work, to) {
                as_power.as_str()
            } else {
                ""
            };
            Some(vec![format!(
                "{who} has joined '{}'{as_power}. That makes {players}; {rest}.",
                work.game().name
            )])
        },
    );
    Ok(Entered::new(acting, said))
}

/// The powers that a player who has joined may choose instead of having one assigned, unless the game begins at once.
fn may_be_chosen(work: &GameWork) -> Option<String> {
    if begins_now(&work.open.edit) {
        return None;
    }
    let open = chosen_powers::open_names(work);
    let first = open.first()?;
    let line = format!("SIGNON {}@{}", first.to_uppercase(), work.game().name);
    let open = and_list(open.iter().map(String::as_str));
    Some(format!(
        "You will be dealt a power. Or choose an open one ({open}): send {line} and your password."
    ))
}

/// The forms of lines that a variant accepts from players of a forming game, besides those of every game.
fn lines_of_the_variant(variant: &dyn Variant) -> impl Iterator<Item = String> {
    let of_seats = |row: &&VariantCommand| {
        matches!(
            row.act,
            VariantAct::Seat(_) | VariantAct::SeatThenPower { .. }
        )
    };
    let rows = variant.card().commands.iter().filter(of_seats);
    rows.map(|row| {
        let example = row.examples.first().copied().unwrap_or_default();
        let name = row.name();
        format!(
            "In this variant you can also send a line such as {example}; HELP {name} explains it."
        )
    })
}

/// A sentence for a person who joins a game that shows leaders to their contacts; `None` in other games.
pub(crate) fn addresses_shown(work: &GameWork) -> Option<&'static str> {
    work.variant_game().shows_addresses().then_some(
        "In this game the leader of every power that you meet is given your name and your mail address, and you are \
         given his.",
    )
}

/// Signs an observer on, or gives a person a new observer's seat.
pub(crate) fn observe(work: &mut GameWork, from: &str, word: &str) -> Result<Entered, Refusal> {
    let person = registered(work, from)?.clone();
    let game = work.game().clone();
    let own = game
        .seats
        .iter()
        .find(|seat| !seat.left && seat.person == person.id && seat.role == Role::Observer);
    if own.is_some() {
        let acting = sign_on::by_password(work, from, SignOnRole::Observer, word)?;
        let said = format!("You are an Observer in game '{}'.", game.name);
        return Ok(Entered::new(acting, said));
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
    let acting = sit(work, &person, from, word, Role::Observer)?;
    work.tell_others(Some(acting.seat), "New Player Signon: O", |work, to| {
        let who = work.introduced_to(to, acting.seat)?;
        Some(vec![format!(
            "{who} is now an Observer in game '{}'.",
            work.game().name
        )])
    });
    let said = format!("You are now an Observer in game '{}'.", game.name);
    Ok(Entered::new(acting, said))
}
