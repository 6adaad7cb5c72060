//! What a master offers by mail to somebody who is not at the table: to become a master too (PROMOTE), or to lead a power for a time
//! (SUBSTITUTE). Whoever is asked confirms by an answer, and alone learns why he cannot.

use crate::people::admission::{check_entry, check_once_a_leader, check_right};
use crate::people::passwords;
use crate::people::seating::sit;
use crate::people::take_over::{LeaderChange, tell_of_leader};
use crate::registry::{Person, Right};
use crate::tokens;
use crate::work::acting::{ActOutcome, Acting, Refusal, refuse, say};
use crate::work::or_logged::OrLogged;
use crate::work::{GameWork, MailClass, Recipient};
use dipjudge_commands::command_reader::Consent;
use dipjudge_game::{
    Event, Game, Offer, Offered, Role, Seat, SeatChange, SeatId, State, Substitution,
    SubstitutionState, VariantGame, secrecy,
};
use dipjudge_mails::outbound::{self, Text};
use dipjudge_rules::map::Power;
use dipjudge_view::Viewer;
use jiff::Timestamp;

/// Sends an offer to an address. Whether it can be taken, its reader alone is told.
pub(crate) fn offer(work: &mut GameWork, address: &str, what: Offered) {
    let replaced = |open: &&Offer| match (&open.what, &what) {
        (Offered::Master, Offered::Master) => open.address == address,
        (Offered::Substitution(open), Offered::Substitution(new)) => open.power == new.power,
        (Offered::Power(open), Offered::Power(new)) => open == new,
        _ => false,
    };
    let old = work.game().offers.iter().find(replaced);
    if let Some(id) = old.map(|open| open.id.clone()) {
        work.emit(Event::OfferClosed { id });
    }
    let drawn = work.ids.id();
    let offer = Offer {
        id: tokens::base32(&drawn),
        address: address.to_owned(),
        what,
    };
    let person = work.registry.by_address(address).cloned();
    let refused = person.and_then(|person| admits(work.game(), &person, &offer.what).err());
    work.emit(Event::Offered(offer.clone()));
    if let Some(refused) = refused {
        let line = format!("{} {}", asked_of(work, &offer), refused.text());
        let lines = [line, "You need not do anything.".to_owned()];
        work.emit(Event::OfferClosed { id: offer.id });
        if let Some(text) = letter(work, "You cannot be asked", &lines) {
            work.send_to(address, text, MailClass::Notice);
        }
        return;
    }
    let known = work.registry.by_address(address).is_some();
    let mut lines = vec![proposed(work, &offer)];
    if !known {
        lines.push(
            "You are not registered with this judge yet: send REGISTER first (HELP REGISTER)."
                .to_owned(),
        );
    }
    lines.push(
        "Answer this mail with YES, and it is so. Answer NO, or nothing, and it is not.".to_owned(),
    );
    let Some(reply_to) = reply_address(work, &offer.id) else {
        return;
    };
    if let Some(text) = letter(work, "You are asked", &lines) {
        work.send_for_answer(address, text, reply_to);
    }
}

/// The address at which an open offer is answered.
pub(crate) fn reply_address(work: &GameWork, id: &str) -> Option<String> {
    let offer = work.game().offer(id)?;
    let secret = work.registry.secret()?;
    let token = tokens::of_offer(secret, &work.game().name, offer);
    Some(work.judge.settings.with_token(&token))
}

/// A mail to somebody who has no seat.
fn letter(work: &GameWork, subject: &str, lines: &[String]) -> Option<Text> {
    let judge = work.judge;
    outbound::stranger_notice(&judge.templates, &judge.settings.name, subject, lines).or_logged()
}

/// What is asked, for somebody who cannot take it: neither the power nor the days, which are nothing to him.
fn asked_of(work: &GameWork, offer: &Offer) -> String {
    let game = &work.game().name;
    match offer.what {
        Offered::Master => {
            format!("The Master of game '{game}' would like you to be its Master too.")
        }
        Offered::Substitution(_) => {
            format!("The Master of game '{game}' would like you to stand in for a player.")
        }
        Offered::Power(_) => {
            format!("Game '{game}' goes on at this judge, and a place in it is yours if you like.")
        }
    }
}

/// What is asked, whole.
fn proposed(work: &GameWork, offer: &Offer) -> String {
    let game = &work.game().name;
    match &offer.what {
        Offered::Master => asked_of(work, offer),
        Offered::Power(power) => format!(
            "Game '{game}' goes on at this judge. You are asked to lead {} in it, from {} on.",
            public_name(work, *power),
            work.game().token(work.variant()).trim_end_matches('P')
        ),
        Offered::Substitution(what) => format!(
            "The Master of game '{game}' asks you to lead {} from {} until {}, in place of its player. After that it goes back to him by itself.",
            public_name(work, what.power),
            shown(work, what.from),
            shown(work, what.until)
        ),
    }
}

fn public_name(work: &GameWork, power: Power) -> String {
    let labels = work.variant_game().seen_by(Viewer::Stranger).labels();
    labels.name(power).to_owned()
}

fn shown(work: &GameWork, at: Timestamp) -> String {
    work.reader(Recipient::ANY_OBSERVER).moment(at).to_string()
}

/// Checks that a person may take what is offered.
fn admits(game: &Game, person: &Person, what: &Offered) -> Result<(), Refusal> {
    let sits = |role: Role| {
        let seats = game.seats.iter();
        seats
            .filter(|seat| !seat.left && seat.person == person.id)
            .any(|seat| seat.role == role)
    };
    let variant = dipjudge_variants::of(&game.variant);
    let hides = VariantGame::new(game, variant).secrecy().leaders_or_board();
    let has_led = secrecy::own_powers(game, person.id).is_some();
    match what {
        Offered::Master => {
            check_right(person, Right::Master)?;
            if sits(Role::Player) || (hides && has_led) {
                return refuse("Whoever plays in a game is not its Master.");
            }
            if sits(Role::Master) {
                return refuse("You are its Master already.");
            }
            Ok(())
        }
        Offered::Power(_) | Offered::Substitution(_) => {
            if [Role::Player, Role::Observer, Role::Master]
                .into_iter()
                .any(sits)
            {
                return refuse("You have a place in it, so you cannot.");
            }
            let power = match what {
                Offered::Substitution(what) => what.power,
                Offered::Power(power) => *power,
                Offered::Master => return Ok(()),
            };
            check_once_a_leader(game, person, power)?;
            check_entry(game, person)
        }
    }
}

/// What an answer to an offer does.
pub(crate) fn answered(work: &mut GameWork, id: &str, consent: Option<Consent>) -> ActOutcome {
    let Some(offer) = work.game().offer(id).cloned() else {
        return refuse("That offer is closed.");
    };
    if work.game().over() {
        return refuse(format!("Game '{}' is over.", work.game().name));
    }
    match consent {
        None => refuse("Answer this mail with YES or NO: only one of these words counts."),
        Some(Consent::No) => decline(work, &offer),
        Some(Consent::Yes) => accept(work, offer),
    }
}

fn decline(work: &mut GameWork, offer: &Offer) -> ActOutcome {
    if let Offered::Substitution(what) = &offer.what
        && matches!(what.state, SubstitutionState::Leads { .. })
    {
        return refuse("You lead the power already; RESIGN gives it back.");
    }
    work.emit(Event::OfferClosed {
        id: offer.id.clone(),
    });
    say(vec![
        "You have declined. You get no more mail about it.".to_owned(),
    ])
}

fn accept(work: &mut GameWork, offer: Offer) -> ActOutcome {
    let Some(person) = work.registry.by_address(&offer.address).cloned() else {
        return refuse(
            "You are not registered with this judge yet. Send REGISTER, then answer this mail with YES.",
        );
    };
    if let Err(refused) = admits(work.game(), &person, &offer.what) {
        work.emit(Event::OfferClosed { id: offer.id });
        return Err(refused);
    }
    match offer.what.clone() {
        Offered::Master => become_master(work, &person, offer),
        Offered::Substitution(what) => agree(work, &person, offer, what),
        Offered::Power(power) => lead(work, &person, offer, power),
    }
}

fn lead(work: &mut GameWork, person: &Person, offer: Offer, power: Power) -> ActOutcome {
    work.emit(Event::OfferClosed { id: offer.id });
    if !work.game().standing(power).vacant() {
        return refuse("Somebody else leads that power now.");
    }
    let acting = Acting {
        power: Some(power),
        ..sit_without_word(work, person, &offer.address, Role::Player)?
    };
    work.emit(Event::Taken {
        power,
        seat: acting.seat,
    });
    let change = LeaderChange {
        acting,
        power,
        times: None,
    };
    tell_of_leader(work, change, "New Player Signon", "now leads");
    work.send_notices();
    let to = acting.recipient();
    let line = format!(
        "You lead {} in game '{}'. Answer its mails; LIST FULL shows where everything stands, and SET PASSWORD sets a password.",
        work.labels(to).name(power),
        work.game().name
    );
    notify(work, to, "Your Power", vec![line.clone()]);
    say(vec![line])
}

fn become_master(work: &mut GameWork, person: &Person, offer: Offer) -> ActOutcome {
    let acting = sit_without_word(work, person, &offer.address, Role::Master)?;
    work.emit(Event::OfferClosed { id: offer.id });
    let seat = acting.seat;
    let name = work.game().name.clone();
    work.tell_each(
        Some(seat),
        |work, to| Some(format!("Promotion of {}", work.person_for(to, seat)?)),
        |work, to| {
            let who = work.introduced_to(to, seat)?;
            Some(vec![format!("{who} is now a Master of game '{name}'.")])
        },
    );
    let goes_on = match work.game().state {
        State::Paused => " The game is paused: RESUME goes on with it.",
        _ => "",
    };
    say(vec![format!(
        "You are now a Master of game '{name}'.{goes_on} Answer the mails of the game; GET MASTER tells what you may do."
    )])
}

/// A seat whose password nobody knows: its mails are answered, and SET PASSWORD sets one.
fn sit_without_word(
    work: &mut GameWork,
    person: &Person,
    address: &str,
    role: Role,
) -> Result<Acting, Refusal> {
    let drawn = work.ids.id();
    let word = tokens::base32(&drawn);
    debug_assert!(passwords::allowed(&word));
    sit(work, person, address, &word, role)
}

fn agree(work: &mut GameWork, person: &Person, offer: Offer, what: Substitution) -> ActOutcome {
    if what.state != SubstitutionState::Asked {
        return refuse("You have agreed already.");
    }
    let said = format!(
        "You lead {} in game '{}' from {} until {}. What there is to do comes by mail; answer it with your orders.",
        public_name(work, what.power),
        work.game().name,
        shown(work, what.from),
        shown(work, what.until)
    );
    let state = SubstitutionState::Agreed(person.id);
    let begins = what.from <= work.now;
    let id = offer.id.clone();
    let what = Offered::Substitution(Substitution { state, ..what });
    work.emit(Event::Offered(Offer { what, ..offer }));
    if begins {
        turn(work, &id);
    }
    say(vec![said])
}

/// A substitution begins, or it is over.
pub(crate) fn turn(work: &mut GameWork, id: &str) {
    let Some(offer) = work.game().offer(id).cloned() else {
        return;
    };
    let Offered::Substitution(what) = &offer.what else {
        return;
    };
    match what.state {
        SubstitutionState::Agreed(_) if what.until > work.now => begin(work, &offer, what),
        SubstitutionState::Agreed(_) | SubstitutionState::Asked => {
            work.emit(Event::OfferClosed { id: offer.id });
        }
        SubstitutionState::Leads { seat, instead_of } => {
            work.emit(Event::OfferClosed { id: offer.id });
            go_back(work, what.power, seat, instead_of);
        }
    }
}

fn begin(work: &mut GameWork, offer: &Offer, what: &Substitution) {
    let power = what.power;
    let game = work.game();
    let instead_of = game
        .holder(power)
        .filter(|seat| !seat.left)
        .map(|seat| seat.id);
    let needed = work.variant().in_play(game, power) && !game.standing(power).vacant();
    let person = work.registry.by_address(&offer.address).cloned();
    let person = person.filter(|person| admits(game, person, &offer.what).is_ok());
    let (Some(instead_of), Some(person), true) = (instead_of, person, needed) else {
        let line = format!(
            "You were to stand in for a player of game '{}' from now on. That is not possible any more.",
            game.name
        );
        work.emit(Event::OfferClosed {
            id: offer.id.clone(),
        });
        if let Some(text) = letter(work, "You are not needed", &[line]) {
            work.send_to(&offer.address, text, MailClass::Notice);
        }
        return;
    };
    let Ok(acting) = sit_without_word(work, &person, &offer.address, Role::Player) else {
        return;
    };
    let acting = Acting {
        power: Some(power),
        ..acting
    };
    let until = what.until;
    tell_who_is_away(work, instead_of, power, until);
    work.emit(Event::Taken {
        power,
        seat: acting.seat,
    });
    work.emit(Event::Waits { power, on: true });
    if work.game().led_by(instead_of).is_empty() {
        work.ends_entry(instead_of);
        work.emit(Event::SeatChanged {
            seat: instead_of,
            change: SeatChange::Left,
        });
    }
    let state = SubstitutionState::Leads {
        seat: acting.seat,
        instead_of,
    };
    let offered = Offered::Substitution(Substitution {
        state,
        ..what.clone()
    });
    work.emit(Event::Offered(Offer {
        what: offered,
        ..offer.clone()
    }));
    let change = LeaderChange {
        acting,
        power,
        times: None,
    };
    tell_of_leader(
        work,
        change,
        "New Player Signon",
        "stands in for the player of",
    );
    work.send_notices();
    let to = acting.recipient();
    let lines = vec![
        format!(
            "You lead {} in game '{}' now, until {}.",
            work.labels(to).name(power),
            work.game().name,
            work.reader(to).moment(until)
        ),
        "STATUS shows what is due and the orders that stand. WAIT is set for you: NOWAIT lifts it once your orders are in.".to_owned(),
    ];
    notify(work, to, "Your Substitution", lines);
}

fn tell_who_is_away(work: &mut GameWork, seat: SeatId, power: Power, until: Timestamp) {
    let to = Recipient::new(seat, Some(power));
    let lines = vec![
        format!(
            "Somebody leads {} in game '{}' for you until {}.",
            work.labels(to).name(power),
            work.game().name,
            work.reader(to).moment(until)
        ),
        "Its mails go to him until then. After that you lead it again, with your address and your password of now. To come back earlier, write to the Master.".to_owned(),
    ];
    notify(work, to, "Your Substitute", lines);
}

fn notify(work: &mut GameWork, to: Recipient, tail: &str, lines: Vec<String>) {
    if let Some(text) = work.notice(to, tail, lines) {
        work.send(to, text, MailClass::Notice);
    }
}

/// The player leads his power again, if the one who stood in for him, or nobody, leads it now.
fn go_back(work: &mut GameWork, power: Power, stood_in: SeatId, player: SeatId) {
    let game = work.game();
    let standing = game.standing(power);
    let away = game.seat(player).cloned();
    let Some(away) = away.filter(|_| standing.holder == Some(stood_in)) else {
        return;
    };
    let elsewhere = |other: &Seat| other.id != player && other.person == away.person && !other.left;
    if game.seats.iter().any(elsewhere) {
        let line = format!(
            "Whoever led {} has another place in '{}' now, so you lead it from now on.",
            public_name(work, power),
            work.game().name
        );
        return notify(
            work,
            Recipient::new(stood_in, Some(power)),
            "Your Substitution",
            vec![line],
        );
    }
    let leaves = game.seat(stood_in).is_some_and(|seat| !seat.left);
    if away.left {
        work.emit(Event::SeatChanged {
            seat: player,
            change: SeatChange::Back,
        });
    }
    if leaves {
        let to = Recipient::new(stood_in, Some(power));
        let lines = vec![
            format!(
                "The player of {} in game '{}' leads it again.",
                work.labels(to).name(power),
                work.game().name
            ),
            "You get no more mail from it, and your mails to it count no longer. Thank you for standing in.".to_owned(),
        ];
        notify(work, to, "Your Substitution", lines);
        work.ends_entry(stood_in);
    }
    work.emit(Event::Taken {
        power,
        seat: player,
    });
    if leaves {
        work.emit(Event::SeatChanged {
            seat: stood_in,
            change: SeatChange::Left,
        });
    }
    let acting = Acting {
        seat: player,
        power: Some(power),
        from_home: true,
        by_token: false,
    };
    let change = LeaderChange {
        acting,
        power,
        times: None,
    };
    tell_of_leader(work, change, "Returning Player Signon", "has returned to");
    work.send_notices();
    let to = acting.recipient();
    let line = format!(
        "You lead {} in game '{}' again. STATUS shows the orders that stand.",
        work.labels(to).name(power),
        work.game().name
    );
    notify(work, to, "Your Substitute", vec![line]);
}

/// NO SUBSTITUTE: the player leads his power again at once, or nobody comes to lead it.
pub(crate) fn withdraw(work: &mut GameWork, power: Power) {
    let Some((offer, what)) = work.game().substitution(power) else {
        return;
    };
    let (offer, state) = (offer.clone(), what.state.clone());
    if matches!(state, SubstitutionState::Leads { .. }) {
        return turn(work, &offer.id);
    }
    work.emit(Event::OfferClosed { id: offer.id });
    let line = format!(
        "You need not stand in for a player of game '{}': its Master has taken that back.",
        work.game().name
    );
    if let Some(text) = letter(work, "You are not needed", &[line]) {
        work.send_to(&offer.address, text, MailClass::Notice);
    }
}
