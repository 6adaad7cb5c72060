//! POSTAL PRESS: white press to all that comes with the next results (`judge-workflow.md` 5.4). Masters read it at once.

use super::cleared::Cleared;
use super::{Echo, Request, To};
use crate::work::acting::{ActOutcome, Acting, refuse, say};
use crate::work::{GameWork, Recipient};
use dipjudge_commands::press_options::PressColor;
use dipjudge_game::{Event, Game, PostalPress, State};
use dipjudge_mails::outbound::{Block, Document, player_words, press_copy};

/// Keeps postal press for the next results.
pub(crate) fn record(work: &mut GameWork, acting: Acting, request: &Request) -> ActOutcome {
    let game = work.game();
    if !game.settings.postal_press {
        return refuse("This game has no postal press; BROADCAST writes to all at once.");
    }
    if game.state != State::Running {
        return refuse("Postal press comes with the next results, and the game is not running.");
    }
    let message = request.clear(work, acting)?;
    message.count(work);
    let phase = work.game().token(work.variant());
    work.emit(Event::Posted(PostalPress {
        seat: acting.seat,
        power: acting.power,
        text: message.text.clone(),
    }));
    work.tell_others(Some(acting.seat), "Postal press recorded", |work, to| {
        if !work.is_master(to) || to.seat == acting.seat {
            return None;
        }
        let labels = work.labels(to);
        let who = acting
            .power
            .map_or("Somebody without a power", |power| labels.name(power));
        let mut told = Document::from(format!("{who} has written postal press for {phase}:"));
        told.append(player_words(&message.text).checked());
        Some(told)
    });
    say(vec![format!(
        "Your postal press comes to all with the results of {phase}."
    )])
}

/// The postal press that comes with the results of a phase, as one reader gets it.
pub(crate) fn postal_of(work: &GameWork, before: &Game, to: Recipient) -> Document {
    let mut told = Document::default();
    for press in &before.postal {
        let Some(writer) = work.game().seat(press.seat) else {
            continue;
        };
        let message = Cleared {
            acting: Acting {
                seat: press.seat,
                power: press.power,
                from_home: true,
                by_token: false,
            },
            writer: writer.clone(),
            to: To::All,
            color: PressColor::White,
            fake: None,
            echo: Echo::Brief,
            official: None,
            text: press.text.clone(),
            note: None,
        };
        let mail = message.as_read_by(work, to, &work.labels(to));
        let Some(mail) = mail else { continue };
        if told.is_empty() {
            told.push(Block::Heading("Postal press:".to_owned()));
        }
        told.append(press_copy(&work.heading(to), &mail));
    }
    told
}
