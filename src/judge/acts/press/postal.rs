//! POSTAL PRESS: white press to all that comes with the next results (`judge-workflow.md` 5.4). Masters read it at once.

use super::Request;
use crate::work::GameWork;
use crate::work::acting::{ActOutcome, Acting, refuse, say};
use dipjudge_game::{Event, PostalPress, State};
use dipjudge_mails::outbound::{Document, player_words};

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
