//! What somebody has missed whose mail came back: one mail for each of his games, once a mail comes from his address again.

use super::info::{self, HistoryRequest};
use crate::work::acting::Acting;
use crate::work::game_work::OpenGame;
use crate::work::reader_context::ReaderContext;
use crate::work::{GameWork, MailClass, Work};
use dipjudge_game::{Game, Seat};
use dipjudge_mails::outbound::Document;

/// Tells whoever sits at an address what has gone there since mail came back from it, unless another address of his was used.
pub(crate) fn tell(work: &mut Work, address: &str) {
    let judge = work.judge;
    let Some(since) = judge.returned.unreached_since(address) else {
        return;
    };
    let other_used = |seat: &Seat| {
        let person = work.registry.person(seat.person);
        let mut others = person.into_iter().flat_map(|person| &person.addresses);
        others.any(|other| other != address && !judge.returned.is_unreached(other))
    };
    let missed = |game: &'_ Game| {
        let mut seats = game.seats.iter();
        let seat = seats.find(|seat| !seat.left && seat.address == address && !other_used(seat))?;
        let power = game.led_by(seat.id).first().copied();
        Some(Acting {
            seat: seat.id,
            power,
            from_home: true,
            by_token: false,
        })
    };
    let games = judge.games();
    let missed: Vec<(&Game, Acting)> = games
        .filter_map(|game| Some((game, missed(game)?)))
        .collect();
    for (game, acting) in missed {
        let mut open = OpenGame::of(game, work.now);
        let context = ReaderContext {
            work: &*work,
            open: Some(&open),
            acting: Some(acting),
            address: address.to_owned(),
        };
        let Ok(Document(history)) = info::history(&context, &HistoryRequest::since(since)) else {
            continue;
        };
        let sentence = "Mail of this game to you came back for a while.  Mail of yours has come again, so here is what the judge sent in the meantime; letters to you alone are not in it.";
        let Document(mut told) = Document::from(sentence.to_owned());
        told.extend(history);
        let mut in_game = GameWork::new(work, &mut open);
        let to = acting.recipient();
        if let Some(text) = in_game.notice(to, "What You Have Missed", Document(told)) {
            // What a mail of press is not: it brings no calendar entry, so nothing of the game changes by it.
            in_game.send(to, text, MailClass::Press);
        }
    }
}
