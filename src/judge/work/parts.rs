//! What a mail of a game has beside its text: decided in this one place for every mail, by its reader's settings.

use crate::game::{CalendarDate, Event, SeatChange, SeatId, State};
use crate::judge::people::tokens;
use crate::judge::work::{GameWork, MailClass, Recipient};
use crate::mails::outbound::{CalendarPart, Entry, Parts, Text, calendar_entry};

impl GameWork<'_, '_> {
    /// The parts of a mail that goes to this reader, beside the text.
    pub(super) fn parts(&mut self, to: Recipient, _text: &Text, class: MailClass) -> Parts {
        // A letter's date is when somebody wrote; it is no word of the judge's about deadlines.
        let calendar = match class {
            MailClass::Press => None,
            _ => self.calendar(to),
        };
        Parts {
            html: false,
            picture: None,
            calendar,
        }
    }

    /// The entry for this reader's calendar, if that does not say yet what he may know of the deadline.
    fn calendar(&mut self, to: Recipient) -> Option<CalendarPart> {
        let game = self.game();
        let heading = self.heading(to);
        let running = game.state == State::Running;
        let deadline = heading.deadline.as_ref().filter(|_| running);
        let seat = game.seat(to.seat)?;
        let now = deadline
            .filter(|_| seat.calendar.wanted)
            .map(|deadline| CalendarDate {
                phase: heading.phase.clone(),
                at: deadline.at(),
            });
        let known = &seat.calendar;
        if now == known.says {
            return None;
        }
        let (sequence, alarm) = (known.sent, seat.remind);
        let (reader, known_id) = (seat.address.clone(), known.id.clone());
        // What goes away is told by what it said.
        let told = now.clone().or_else(|| known.says.clone())?;
        let id = match known_id {
            Some(id) => id,
            None => self.fresh_entry(&reader),
        };
        let judge = &self.judge.settings;
        let part = calendar_entry(
            &heading,
            &Entry {
                id: &id,
                sequence,
                written: self.date,
                phase: &told.phase,
                at: told.at,
                alarm,
                cancelled: now.is_none(),
                judge: (&judge.name, &judge.address),
                reader: &reader,
            },
        );
        self.note_entry(to.seat, id, now);
        Some(part)
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
