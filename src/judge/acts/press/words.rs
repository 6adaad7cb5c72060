//! Makes a message of a press block as it was written.

use super::{Address, Announcement, BEFORE_THE_START, Echo, Request, ShownRecipients, To};
use crate::acts::among_contacts::{
    ADDRESS_INSIDE, NAME_INSIDE, NOT_ENDED, PASSWORD_INSIDE, writes_among_contacts,
};
use crate::people::telling::{IdentityHint, telling};
use crate::session::Session;
use crate::work::acting::{Refusal, refuse};
use dipjudge_commands::mail_reader::Block;
use dipjudge_commands::power_list::Addressees;
use dipjudge_commands::power_list_error::PowerListError;
use dipjudge_commands::press_options::{
    Fake, PressError, PressOptions, Recipients, read_broadcast, read_press,
};
use dipjudge_game::{Game, Role};

/// Sends a press block. If anything is wrong, nothing is sent and the answer repeats the text.
pub(crate) fn send(session: &mut Session, line: &str, block: &Block) {
    let result = try_send(session, block);
    if let Err(why) = result {
        let text = block.text();
        // A text that contains a password is not repeated either.
        let repeated = !text.is_empty() && !block.holds_sign_on && !session.holds_password(&text);
        let says_so = [NOT_ENDED, ADDRESS_INSIDE, NAME_INSIDE, PASSWORD_INSIDE]
            .contains(&why.text().as_str());
        let back = match (says_so, repeated) {
            (false, true) => {
                Some("Your message was not sent. Here it is, to correct and send again:")
            }
            (false, false) => Some("It was not sent."),
            (true, true) => Some("Here is its text:"),
            (true, false) => None,
        };
        let back = back.map(str::to_owned);
        let mut sentences = why.into_sentences();
        sentences.extend(back);
        session.fault(line, sentences);
        if repeated {
            let text = session.quotable(&text);
            session.show(dipjudge_mails::outbound::player_words(&text));
        }
        if repeated || text.is_empty() {
            session.propose_press(block);
        }
    }
}

fn try_send(session: &mut Session, block: &Block) -> Result<(), Refusal> {
    let Some(acting) = session.sender.acting else {
        return refuse("Sign on to a game to write press.");
    };
    if session.work.judge.is_mass_mail(session.mail) {
        return refuse(
            "Press is not sent on from a mail that went to many, or that a program sent.",
        );
    }
    let roster = session.roster();
    let official = block.rule == "official";
    let options = match block.rule.as_str() {
        "press" => read_press(&block.options, &roster),
        "postal" if !block.options.trim().is_empty() => {
            return refuse("POSTAL PRESS goes to all with the next results and takes no options.");
        }
        "official" | "postal" => Ok(PressOptions {
            to: Some(Recipients::All),
            ..PressOptions::default()
        }),
        _ => read_broadcast(&block.options, &roster),
    };
    let begun = session.game().is_some_and(Game::begun);
    let options = options.map_err(|error| match error {
        // Powers that are not assigned yet cannot be found.
        PressError::List(PowerListError::Unknown { .. }) if !begun && roster.is_empty() => {
            Refusal::from(BEFORE_THE_START.to_owned())
        }
        error => Refusal::from(error.to_string()),
    })?;
    let master = session
        .game()
        .and_then(|game| game.seat(acting.seat))
        .is_some_and(|s| s.role == Role::Master);
    if official && !master {
        return refuse("Only the Master can use OFFICIAL.");
    }
    if options.from.is_some() {
        return refuse("Press cannot be sent in another power's name in this game.");
    }
    let among_contacts = session.try_act(|work, acting| Ok(writes_among_contacts(work, acting)))?;
    if among_contacts && !block.closed {
        return Err(Refusal::from(NOT_ENDED.to_owned()));
    }
    // The first wording is for games in which players write only to their contacts, the second for others.
    let words = |hidden: &str, open: String| {
        Refusal::from(if among_contacts {
            hidden.to_owned()
        } else {
            open
        })
    };
    if block.holds_sign_on {
        let open = "Your text contains a SIGNON line, which would show your password. Did you forget ENDPRESS?";
        return Err(words(PASSWORD_INSIDE, open.to_owned()));
    }
    let request = Request {
        to: options.to.as_ref().map_or(To::All, to),
        color: options.color,
        shown: match &options.fake {
            None => ShownRecipients::Default,
            Some(Fake::No) => ShownRecipients::True,
            Some(Fake::Broadcast) => ShownRecipients::Fake(To::All),
            Some(Fake::To(list)) => ShownRecipients::Fake(to(list)),
        },
        echo: if options.quiet {
            Echo::Brief
        } else {
            Echo::Copy
        },
        official: official.then(|| Announcement {
            subject: subject(session, &block.options),
        }),
        text: session.without_tokens(&block.text()),
    };
    if session.holds_password(&request.text) {
        let open = "The text holds your password.";
        return Err(words(PASSWORD_INSIDE, open.to_owned()));
    }
    let shown = session.mail.from.name();
    let telling =
        session.try_act(|work, acting| Ok(telling(work, acting, shown, &request.text)))?;
    if let Some(telling) = telling {
        let hidden = match telling {
            IdentityHint::Address(_) => ADDRESS_INSIDE,
            IdentityHint::Name(_) => NAME_INSIDE,
        };
        let open = format!(
            "Players are secret in this game, and your text contains {telling}. Take it out."
        );
        return Err(words(hidden, open));
    }
    let said = session.try_act(|work, acting| {
        if block.rule == "postal" {
            super::record_postal(work, acting, &request)
        } else {
            super::send(work, acting, &request)
        }
    })?;
    session.tell(said);
    Ok(())
}

/// The longest subject of an announcement, in characters.
const SUBJECT: usize = 60;

/// The subject behind OFFICIAL.
fn subject(session: &Session, words: &str) -> Option<String> {
    let words = session.without_tokens(words.trim());
    let cut: String = words.chars().take(SUBJECT).collect();
    let cut = cut.trim().to_owned();
    (!cut.is_empty() && !session.holds_password(&cut)).then_some(cut)
}

fn to(recipients: &Recipients) -> To {
    match recipients {
        Recipients::All => To::All,
        Recipients::Only(list) => To::Only(addresses(list)),
        Recipients::AllBut(list) => To::AllBut(addresses(list)),
    }
}

fn addresses(list: &Addressees) -> Vec<Address> {
    let mut addresses: Vec<Address> = list
        .powers
        .iter()
        .map(|power| Address::Power(*power))
        .collect();
    addresses.extend(list.masters.then_some(Address::Master));
    addresses.extend(list.observers.then_some(Address::Observers));
    addresses
}
