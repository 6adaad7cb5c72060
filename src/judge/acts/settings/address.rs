//! SET ADDRESS: the address to which mail of a game goes. A new address takes effect once a mail sent to it has been
//! answered, so that nobody can redirect another's mail by a forged one.

use crate::registry::RegistryEvent;
use crate::tokens;
use crate::work::acting::{ActOutcome, Acting, not_signed_on, refuse, say};
use crate::work::or_logged::OrLogged;
use crate::work::{GameWork, MailClass, Recipient};
use dipjudge_game::{Event, SeatChange, SeatId, VariantGame};
use dipjudge_mails::inbound::Address;
use dipjudge_mails::outbound::{self, Text};

/// Sets the named address, or the address that the mail came from if the line names none.
pub(super) fn set(
    work: &mut GameWork,
    acting: Acting,
    from: &str,
    address: Option<&str>,
) -> ActOutcome {
    let wanted = address.unwrap_or(from);
    let Ok(wanted) = Address::parse(wanted) else {
        return refuse(format!("'{wanted}' is not an address."));
    };
    let key = wanted.key();
    if work.judge.settings.is_own(&wanted) {
        return refuse(format!(
            "{key} is the address of this judge itself; name one at which you read mail."
        ));
    }
    let game = work.game();
    let Some(seat) = game.seat(acting.seat) else {
        return Err(not_signed_on());
    };
    if seat.address == key {
        return say(vec![format!("Mail of this game goes to {key} already.")]);
    }
    let (name, person) = (game.name.clone(), seat.person);
    // The answer goes to the seat's address; where leaders are hidden it must not say who wrote from elsewhere.
    let hidden = VariantGame::new(game, work.variant()).hides_leaders();
    let shown = if hidden && !work.lives_at(acting.seat, from) {
        "the address that was asked for".to_owned()
    } else {
        key.clone()
    };
    let asked = format!(
        "I wrote to {shown}. Answer that mail, and this game's mail goes there from then on."
    );
    match work.registry.by_address(&key).map(|known| known.id) {
        Some(known) if known == person => return confirm(work, acting.seat, &key),
        Some(_) => {
            ask_another(work, &name, &key);
            return say(vec![asked]);
        }
        None => {}
    }
    work.emit(Event::SeatChanged {
        seat: acting.seat,
        change: SeatChange::WantsAddress(Some(key.clone())),
    });
    let Some(secret) = work.registry.secret() else {
        return refuse("The address could not be set.");
    };
    let token = tokens::of_address(secret, &name, acting.seat, &key);
    let lines = [
        wanted_by(&name, &key),
        "If that is you, answer this mail; what you write does not matter.  If not, do nothing."
            .to_owned(),
    ];
    if let Some(text) = letter(work, "Your new address", &lines) {
        let reply_to = work.judge.settings.with_token(&token);
        work.send_for_answer(&key, text, reply_to);
    }
    say(vec![asked])
}

fn wanted_by(game: &str, address: &str) -> String {
    format!("Someone playing in '{game}' asked for their game mail to go to {address}.")
}

/// A mail to an address, whoever reads it.
fn letter(work: &GameWork, subject: &str, lines: &[String]) -> Option<Text> {
    let judge = work.judge;
    outbound::stranger_notice(&judge.templates, &judge.settings.name, subject, lines).or_logged()
}

/// The address belongs to somebody else. The sender reads the usual answer, which does not show whom the judge knows;
/// the owner is notified, and an answer from him reveals nothing.
fn ask_another(work: &mut GameWork, game: &str, key: &str) {
    let lines = [
        wanted_by(game, key),
        "You are registered here yourself, so that is not possible.  You need not do anything."
            .to_owned(),
    ];
    if let Some(text) = letter(work, "Your address", &lines) {
        work.send_to(key, text, MailClass::Notice);
    }
}

/// Makes an address that has been proven the seat's: mail goes there from now on, and the old address and the others
/// are notified. Mails in the old mailbox can no longer act for the seat: its reply addresses end.
pub(crate) fn confirm(work: &mut GameWork, seat: SeatId, address: &str) -> ActOutcome {
    let game = work.game();
    let Some((old, person, token)) = game
        .seat(seat)
        .map(|seat| (seat.address.clone(), seat.person, seat.token))
    else {
        return refuse("Nobody sits there.");
    };
    let (name, hidden) = (game.name.clone(), work.secrecy().leaders_or_board());
    let powers = game.led_by(seat);
    let letters_for = |work: &GameWork, to: Recipient| {
        let labels = work.labels(to);
        let letters: Vec<String> = powers.iter().map(|power| labels.letter(*power)).collect();
        letters.join(labels.between_letters())
    };
    if work.registry.by_address(address).is_none() {
        work.register(RegistryEvent::Linked {
            person,
            address: address.to_owned(),
        });
    }
    work.emit(Event::SeatChanged {
        seat,
        change: SeatChange::Address(address.to_owned()),
    });
    work.emit(Event::SeatChanged {
        seat,
        change: SeatChange::Token(token + 1),
    });
    let line = format!("Mail of game '{name}' now goes to {address} instead of {old}.");
    if let Some(text) = letter(work, "Your address", &[line]) {
        work.send_to(&old, text, MailClass::Notice);
    }
    if !hidden && !powers.is_empty() {
        work.tell_each(
            Some(seat),
            |work, to| Some(format!("Player Address Change: {}", letters_for(work, to))),
            |work, to| {
                let letters = letters_for(work, to);
                // A name does not show the new address.
                let line = if to.by_name {
                    format!("The address of {letters} in game '{name}' has changed.")
                } else {
                    let new = work.person_for(to, seat)?;
                    format!("The address of {letters} in game '{name}' is now {new}.")
                };
                Some(vec![line])
            },
        );
    }
    say(vec![format!(
        "Mail of game '{name}' now goes to {address}.  Answer what comes there from now on: answers to earlier mails \
         no longer sign you on."
    )])
}
