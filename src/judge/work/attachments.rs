//! The parts of a game's mail apart from its text. This file decides on them for every mail, by the reader's settings.

use crate::tokens;
use crate::work::{GameWork, MailClass, Recipient};
use dipjudge_game::planted::{Leak, planted};
use dipjudge_game::{CalendarDate, Event, GameEdit, Pictures, SeatChange, SeatId, State};
use dipjudge_mails::outbound::{
    CalendarEntry, CalendarMethod, CalendarPart, Parts, Text, calendar_entry,
};
use dipjudge_view::{Board, Viewer};

impl GameWork<'_, '_> {
    /// The parts of a mail to this reader, apart from the text.
    pub(super) fn parts(&mut self, to: Recipient, text: &Text, class: MailClass) -> Parts {
        // The date of a letter is when a player wrote; it says nothing of deadlines.
        let calendar = match class {
            MailClass::Press => None,
            _ => self.calendar(to),
        };
        let form = self.game().seat(to.seat).map(|seat| seat.form);
        let form = form.unwrap_or_default();
        // A reader who asks for a map gets it, whatever his setting for reports.
        let wanted = form.pictures != Pictures::Off || class == MailClass::Answer;
        Parts {
            html: form.html,
            picture: if wanted { text.picture.clone() } else { None },
            calendar,
        }
    }

    /// A mail with a picture of the present board.
    pub(crate) fn with_board(&self, to: Recipient, text: Text) -> Text {
        self.illustrated(to, text, |edit, viewer| {
            edit.variant_game().seen_by(viewer).board()
        })
    }

    /// A mail with the picture of a board as its reader sees it, or of the surroundings of what is his own there, if he prefers
    /// that; without one for a reader who does not want pictures.
    pub(crate) fn illustrated(
        &self,
        to: Recipient,
        text: Text,
        board: impl FnOnce(&GameEdit, Viewer) -> Option<Board>,
    ) -> Text {
        let is_near = self.pictures_for(to) == Pictures::Near;
        self.with_whole(to, text, |edit, viewer| {
            let board = board(edit, viewer)?;
            let view = edit.variant_game().seen_by(viewer);
            Some(if is_near { view.near(board) } else { board })
        })
    }

    /// The same with all that a board shows.
    pub(crate) fn with_whole(
        &self,
        to: Recipient,
        mut text: Text,
        board: impl FnOnce(&GameEdit, Viewer) -> Option<Board>,
    ) -> Text {
        let wanted = self.pictures_for(to) != Pictures::Off;
        let board = wanted.then(|| board(&self.open.edit, self.reader(to).viewer));
        text.picture = board
            .flatten()
            .and_then(|board| self.judge.pictures.of(&board));
        text
    }

    fn pictures_for(&self, to: Recipient) -> Pictures {
        let seat = self.game().seat(to.seat);
        seat.map_or(Pictures::Off, |seat| seat.form.pictures)
    }

    /// The entry for this reader's calendar, if what he may know of the deadline differs from the last entry.
    fn calendar(&mut self, to: Recipient) -> Option<CalendarPart> {
        let game = self.game();
        let heading = self.heading(to);
        let seat = game.seat(to.seat)?;
        let now = match &heading.deadline {
            Some(deadline) if game.state == State::Running && seat.calendar.wanted => {
                Some(CalendarDate {
                    phase: heading.phase.clone(),
                    at: deadline.at(),
                    alarm: if planted(Leak::AlarmAllIn)
                        && self.variant_game().powers_missing().is_empty()
                    {
                        0
                    } else if planted(Leak::CommonAlarm) {
                        let seats = game.seats.iter().filter(|seat| !seat.left);
                        seats.map(|seat| seat.remind).max().unwrap_or_default()
                    } else {
                        seat.remind
                    },
                })
            }
            _ => None,
        };
        let known = &seat.calendar;
        if now == known.says {
            return None;
        }
        let sequence = if planted(Leak::CalendarSeries) {
            game.seats.iter().map(|seat| seat.calendar.sent).sum()
        } else {
            known.sent
        };
        let (reader, known_id) = (seat.address.clone(), known.id.clone());
        // A cancellation repeats the data of the entry that it removes.
        let told = now.clone().or_else(|| known.says.clone())?;
        let id = match known_id {
            Some(id) => id,
            None => self.fresh_entry(&reader),
        };
        let judge = &self.judge.settings;
        let part = calendar_entry(
            &heading,
            &CalendarEntry {
                id: &id,
                sequence,
                written: self.date,
                phase: &told.phase,
                at: told.at,
                alarm: told.alarm,
                method: if now.is_some() {
                    CalendarMethod::Request
                } else {
                    CalendarMethod::Cancel
                },
                judge_name: &judge.name,
                judge_address: &judge.address,
                reader: &reader,
            },
        );
        self.note_entry(to.seat, id, now);
        Some(part)
    }

    /// Ends a seat's calendar entry before its person leaves: the next mail to him that is not press removes the entry
    /// from his calendar.
    pub(crate) fn ends_entry(&mut self, seat: SeatId) {
        let wanted = self.game().seat(seat).map(|seat| seat.calendar.wanted);
        if wanted.unwrap_or_default() {
            let change = SeatChange::Calendar(false);
            self.emit(Event::SeatChanged { seat, change });
        }
    }

    fn fresh_entry(&mut self, reader: &str) -> String {
        let id = tokens::base32(&self.ids.mail_id(reader));
        format!("{id}@{}", self.judge.settings.host())
    }

    fn note_entry(&mut self, seat: SeatId, id: String, says: Option<CalendarDate>) {
        let change = SeatChange::CalendarSent { id, says };
        self.emit(Event::SeatChanged { seat, change });
    }
}
