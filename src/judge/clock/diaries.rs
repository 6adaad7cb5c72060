//! The diaries of players, which are told when their game is over.

use crate::work::{GameWork, MailClass};
use dipjudge_game::{Event, Seat, SeatChange};
use dipjudge_mails::outbound::{Document, player_words};

/// Tells everybody the diaries of a game that is over, as far as they have not been told. Where its leaders stay secret
/// they are not, since what players write may show who they are.
pub(crate) fn publish(work: &mut GameWork) {
    let game = work.game();
    if !game.settings.reveal && work.secrecy().leaders {
        return;
    }
    let has_more = |seat: &&Seat| seat.diary.unpublished().next().is_some();
    let writers: Vec<Seat> = game.seats.iter().filter(has_more).cloned().collect();
    if writers.is_empty() {
        return;
    }
    let everyone = work.everyone();
    work.broadcast(&everyone, MailClass::Notice, |work, to| {
        let mut told = Document::default();
        for seat in &writers {
            let labels = work.labels(to);
            for (number, entry) in seat.diary.unpublished() {
                let who = entry.power.map_or("a player", |power| labels.name(power));
                told.push(format!("Diary of {who}, entry {number}, {}:", entry.phase));
                told.append(player_words(&entry.text).checked());
            }
        }
        work.notice(to, "Diaries", told)
    });
    for seat in writers {
        work.emit(Event::SeatChanged {
            seat: seat.id,
            change: SeatChange::DiaryPublished,
        });
    }
}
