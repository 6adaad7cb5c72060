//! How a player gets a power that the game may begin without: he names it when he signs on, and keeps it until he
//! leaves or chooses another.

use crate::people::chosen_powers::{is_told, name, open_names};
use crate::people::create_options::check_options;
use crate::people::joining;
use crate::people::registering::registered;
use crate::people::sign_on::{self, SignOnRole};
use crate::work::GameWork;
use crate::work::acting::{Entered, Refusal, invalid, refuse};
use dipjudge_game::{
    Event, Game, LeaderNeed, Role, Seat, SeatChange, SeatId, State, Variant, VariantGame,
};
use dipjudge_mails::outbound::Document;
use dipjudge_rules::map::Power;
use dipjudge_variants as variants;
use dipjudge_view::and_list;

/// Whether a sign-on that names this power chooses it, in a forming game.
pub(crate) fn is_choice(game: &Game, power: Power) -> bool {
    let variant = variants::of(&game.variant);
    matches!(game.state, State::Forming | State::Ready)
        && VariantGame::new(game, variant).need_of(power) != LeaderNeed::Required
}

/// Handles a sign-on that names a power of a forming game: a newcomer joins, a player proves his identity with the
/// password.
pub(crate) fn choose(
    work: &mut GameWork,
    from: &str,
    word: &str,
    wishes: &[String],
    power: Power,
) -> Result<Entered, Refusal> {
    let person = work.registry.by_address(from).map(|person| person.id);
    let own = |seat: &&Seat| Some(seat.person) == person;
    let Some(seat) = work.game().seated(Role::Player).find(own).map(|own| own.id) else {
        return join(work, from, word, wishes, power);
    };
    let acting = sign_on::by_password(work, from, SignOnRole::Whoever, word)?;
    if acting.seat != seat {
        return Err(invalid());
    }
    let said = take(work, seat, power)?;
    Ok(Entered { acting, said })
}

/// A person who has not joined yet joins as this power.
fn join(
    work: &mut GameWork,
    from: &str,
    word: &str,
    wishes: &[String],
    power: Power,
) -> Result<Entered, Refusal> {
    let person = registered(work, from)?.clone();
    check(work, power, None)?;
    check_options(work.game(), wishes)?;
    joining::sit_down(work, &person, from, word, Some(power))
}

/// Gives a player who has already joined this power, in place of another that he may have chosen.
pub(crate) fn take(work: &mut GameWork, seat: SeatId, power: Power) -> Result<Document, Refusal> {
    check(work, power, Some(seat))?;
    let game = work.game();
    let (title, own) = (game.name.clone(), game.seat(seat));
    if own.is_none_or(|own| own.role != Role::Player) {
        return refuse("Only players choose a power.");
    }
    let power_name = name(work, power);
    if own.is_some_and(|own| own.chosen == Some(power)) {
        return Ok(format!("You have chosen {power_name} in '{title}' already.").into());
    }
    if game.state == State::Ready && leaves_too_few(game, work.variant(), seat) {
        return refuse(format!(
            "Game '{title}' is ready to begin, and without you there would be too few players for the powers that it needs, so you cannot choose {power_name} now."
        ));
    }
    work.emit(Event::SeatChanged {
        seat,
        change: SeatChange::Chosen(Some(power)),
    });
    tell(work, seat, power);
    let said =
        format!("You have chosen {power_name} in '{title}', which nobody else can have now.");
    Ok(said.into())
}

/// Whether the game would have too few players to begin if the player at this seat chose a power.
fn leaves_too_few(game: &Game, variant: &dyn Variant, seat: SeatId) -> bool {
    let without_choice = game.seat(seat).is_some_and(|own| own.chosen.is_none());
    let spare = VariantGame::new(game, variant).spare_players();
    without_choice && spare == 0
}

/// Notifies the other players, unless it is hidden who leads which power.
fn tell(work: &mut GameWork, seat: SeatId, power: Power) {
    let (title, power_name) = (work.game().name.clone(), name(work, power));
    work.tell_others(Some(seat), "New Player Signon", |work, to| {
        let who = work.introduced_to(to, seat)?;
        is_told(work, to).then(|| vec![format!("{who} has chosen {power_name} in game '{title}'.")])
    });
}

/// Checks that the player at this seat, or a newcomer, can choose the power.
fn check(work: &GameWork, power: Power, seat: Option<SeatId>) -> Result<(), Refusal> {
    let game = work.game();
    let (title, power_name) = (&game.name, name(work, power));
    if VariantGame::new(game, work.variant()).need_of(power) == LeaderNeed::Closed {
        return refuse(format!(
            "There is no {power_name} in game '{title}'.{}",
            offer(work)
        ));
    }
    let has_it = |other: &&Seat| other.chosen == Some(power);
    let other = game.seated(Role::Player).find(has_it);
    match other.filter(|other| Some(other.id) != seat) {
        Some(_) => refuse(format!(
            "Somebody else has chosen {power_name} in game '{title}' already.{}",
            offer(work)
        )),
        None => Ok(()),
    }
}

/// A sentence about the powers that can still be chosen.
fn offer(work: &GameWork) -> String {
    let title = &work.game().name;
    let open = open_names(work);
    if open.is_empty() {
        format!("  SIGNON ?{title} and a password takes any place.")
    } else {
        format!("  Open are {}.", and_list(open.iter().map(String::as_str)))
    }
}
