//! A message that has passed the checks: who reads it, and how it is delivered, archived and confirmed.

use super::checks::has_touch_press;
use super::{Address, Announcement, Echo, To, rate};
use crate::acts::among_contacts::{self, existence_hidden};
use crate::boundary::Readership;
use crate::people::quotation;
use crate::work::acting::{Acting, Refusal, refuse};
use crate::work::keeping::HistoryKind;
use crate::work::or_logged::OrLogged;
use crate::work::{GameWork, MailClass, Recipient};
use dipjudge_commands::press_options::PressColor;
use dipjudge_game::{Event, Role, Seat, SeatChange};
use dipjudge_mails::outbound::{self, Document, Text, press_echo};

/// A message that has passed every check except the one on its readers.
pub(super) struct Cleared {
    pub acting: Acting,
    pub writer: Seat,
    pub to: To,
    pub color: PressColor,
    /// The recipients that readers see in place of the true ones.
    pub fake: Option<To>,
    pub echo: Echo,
    pub official: Option<Announcement>,
    pub text: String,
    /// A note for the writer, put before the rest of the answer.
    pub note: Option<&'static str>,
}

impl Cleared {
    /// The readers of the message, or the refusal if there are none.
    ///
    /// If the board is hidden, so is which powers are eliminated or have no leader, so a message to such a power is
    /// accepted like any other.
    pub(super) fn readers(&self, work: &GameWork) -> Result<Vec<Recipient>, Refusal> {
        let mut readers = work.everyone();
        readers.retain(|to| self.goes_to(work, *to));
        let to_himself = self
            .acting
            .power
            .is_some_and(|power| self.to == To::Only(vec![Address::Power(power)]));
        if readers.is_empty() && (to_himself || !work.hides()) {
            return refuse("Nobody would read this message; it was not sent.");
        }
        Ok(readers)
    }

    /// Masters receive a copy of their own press; other writers do not.
    fn goes_to(&self, work: &GameWork, to: Recipient) -> bool {
        let seat = work.game().seat(to.seat);
        let wants_no_broadcasts = seat.is_some_and(|seat| seat.without_broadcasts);
        if wants_no_broadcasts && self.to == To::All {
            return false;
        }
        if to.seat == self.acting.seat {
            return self.writer.role == Role::Master;
        }
        (self.addresses(work, to) && self.reaches(work, to)) || reads_all_press(work, to)
    }

    fn addresses(&self, work: &GameWork, to: Recipient) -> bool {
        let own = match (work.game().seat(to.seat).map(|seat| seat.role), to.power) {
            (Some(Role::Master), _) => Address::Master,
            (_, Some(power)) => Address::Power(power),
            // Before powers are assigned, only broadcasts reach players.
            (Some(Role::Player), None) => return matches!(self.to, To::All | To::AllBut(_)),
            _ => Address::Observers,
        };
        match &self.to {
            To::All => true,
            To::Only(list) => list.contains(&own),
            To::AllBut(list) => !list.contains(&own),
        }
    }

    /// Whether the variant lets the writer's message reach a recipient.
    fn reaches(&self, work: &GameWork, to: Recipient) -> bool {
        match (self.acting.power, to.power) {
            (Some(from), Some(to)) => work.variant().may_press(work.game(), from, to),
            (Some(_), None) => !existence_hidden(work) || work.is_master(to),
            (None, _) => true,
        }
    }

    pub(super) fn count(&self, work: &mut GameWork) {
        rate::count(work, &self.writer, &self.text);
    }

    /// Notes a player's press to all, where he may write such once a turn.
    pub(super) fn note_broadcast(&self, work: &mut GameWork) {
        if self.to != To::All || self.writer.role != Role::Player || !has_touch_press(work) {
            return;
        }
        let turn = work.game().number;
        work.emit(Event::SeatChanged {
            seat: self.acting.seat,
            change: SeatChange::HasBroadcast(turn),
        });
    }

    pub(super) fn deliver(&self, work: &mut GameWork, readers: &[Recipient]) {
        work.broadcast_answered_at(
            readers,
            MailClass::Press,
            |work, to| self.mail(work, to),
            |work, to| self.reply_address(work, to),
        );
        work.give_labels(&[Recipient::ANY_OBSERVER]);
        for to in readers {
            if let Some(address) = self.reply_address(work, *to) {
                let keys = quotation::keys(&address, &self.text);
                work.ruling.seen.extend(keys);
            }
        }
    }

    /// The mail to one reader.
    fn mail(&self, work: &GameWork, to: Recipient) -> Option<Text> {
        let mail = self.as_read_by(work, to, &work.labels(to))?;
        let mut text = outbound::press(&work.templates(), &work.heading(to), &mail).or_logged()?;
        text.answering = self.answering(work, to, &mail.sender);
        Some(text)
    }

    /// Archives a broadcast for HISTORY, and where SET REVEALPRESS says so other press, to be read when the game is over.
    ///
    /// Otherwise partial press is not archived (`judge-workflow.md` 5.4), nor are its fakes. In games that hide which
    /// powers exist, no broadcast goes to all.
    pub(super) fn archive(&self, work: &mut GameWork) {
        let partial = self.to != To::All;
        if existence_hidden(work) || partial && !work.game().settings.reveal_press {
            return;
        }
        let observer = Recipient::ANY_OBSERVER;
        let Some(text) = self.mail(work, observer) else {
            return;
        };
        let by_name = self.mail(work, observer.by_name());
        // If each power has an archive of its own, only the archive of the whole game holds broadcasts.
        let readers = if partial {
            Readership::AtTheEnd
        } else if work.hides() {
            Readership::Whole
        } else {
            Readership::Everyone
        };
        work.archive(readers, &text, by_name, HistoryKind::Broadcast);
    }

    /// What the answer tells the writer about the message.
    pub(super) fn receipt(&self, work: &GameWork) -> Document {
        let mut said = Document::default();
        if let Some(note) = self.note {
            said.push(note);
        }
        if among_contacts::writes_among_contacts(work, self.acting) {
            let names = among_contacts::accepted_for(work, self.acting, &self.to);
            said.push(outbound::press_accepted(&names));
        } else if self.echo == Echo::Copy {
            let observer = Recipient::ANY_OBSERVER;
            // The message as any observer reads it, but with the writer's own labels.
            let labels = work.labels(self.acting.recipient());
            if let Some(mail) = self.as_read_by(work, observer, &labels) {
                said.append(press_echo(&work.heading(observer), &mail));
            }
        } else {
            said.push("Message sent.");
        }
        said
    }
}

/// Whether a master or observer has asked to read all press.
fn reads_all_press(work: &GameWork, to: Recipient) -> bool {
    let game = work.game();
    game.seat(to.seat).is_some_and(|seat| match seat.role {
        Role::Master => seat.all_press,
        Role::Observer => seat.all_press && game.settings.watch_all_press,
        Role::Player => false,
    })
}
