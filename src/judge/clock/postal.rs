//! The postal press that comes with results.

use crate::people::press_sender;
use crate::work::{GameWork, Recipient};
use dipjudge_game::Game;
use dipjudge_mails::outbound::{Audience, Block, Document, HeadlineForm, PressMail, press_copy};

/// The postal press that comes with the results of a phase, as one reader gets it; `before` is the game in that phase.
pub(super) fn of(work: &GameWork, before: &Game, to: Recipient) -> Document {
    let mut told = Document::default();
    for press in &before.postal {
        let Some(writer) = work.game().seat(press.seat) else {
            continue;
        };
        let Some(sender) = press_sender::white(work, to, writer, press.power) else {
            continue;
        };
        let mail = PressMail {
            sender,
            audience: Audience::All,
            really: None,
            text: press.text.clone(),
            headline: HeadlineForm::Message,
        };
        if told.is_empty() {
            told.push(Block::Heading("Postal press:".to_owned()));
        }
        told.append(press_copy(&work.heading(to), &mail));
    }
    told
}
