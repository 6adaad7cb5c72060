//! The sending of mails: each text becomes one mail to one recipient, after the leak check.

use crate::boundary::Outgoing;
use crate::sent_lines::SentMail;
use crate::tokens;
use crate::work::leak_check::{self, CheckedText};
use crate::work::{GameWork, MailClass, Recipient, Work};
use dipjudge_commands::command_reader::marks_words;
use dipjudge_game::flows::written_for;
use dipjudge_game::planted::{Leak, planted};
use dipjudge_game::{Event, PersonId, SeatChange, SeatId};
use dipjudge_mails::outbound::{Document, LetterError, Parts, Stamp, Text, letter};

/// The addressing data of a mail to a seat.
struct SeatFacts {
    person: PersonId,
    address: String,
    /// The reply address of the seat.
    reply_to: Option<String>,
    /// The message id to which the mails of the game refer.
    thread: Option<String>,
    game: String,
}

impl GameWork<'_, '_> {
    /// Sends a text about the game in hand to one recipient, without what the leak check takes out. Returns the mail's
    /// id, if it was written.
    pub(crate) fn send(&mut self, to: Recipient, text: Text, class: MailClass) -> Option<String> {
        self.send_answered_at(to, text, class, None)
    }

    /// Like [`GameWork::send`], with another reply address than the seat's own.
    pub(crate) fn send_answered_at(
        &mut self,
        to: Recipient,
        mut text: Text,
        class: MailClass,
        answers: Option<String>,
    ) -> Option<String> {
        let seat = self.seat_facts(to.seat)?;
        if self.tells_keeper(seat.person, class, &text) {
            return None;
        }
        let mut own_reply_to = seat.reply_to;
        let thread = seat.thread;
        if planted(Leak::Reply) && class == MailClass::Answer {
            let standings = self.game().standings.values();
            let orders: usize = standings.map(|one| one.orders.units.len()).sum();
            text.document.push(orders.to_string());
        }
        if planted(Leak::ReplyAddress) && class == MailClass::Results {
            let mut seats = self.game().seats.iter();
            let other = seats.find(|other| !other.left && other.id != to.seat);
            own_reply_to = other.and_then(|other| self.seat_facts(other.id)?.reply_to);
        }
        let reply_to = answers.or(own_reply_to);
        self.add_next_step(to, &mut text, class, reply_to.as_deref());
        let looked = leak_check::look_in_game(self, to, text);
        let text = self.told_keeper(looked, class.name());
        let answer = class == MailClass::Answer && self.open.actor == Some(to.seat);
        let mut references: Vec<String> = thread.iter().cloned().collect();
        let mut in_reply_to = thread.clone();
        // This reader neither sent nor received the ids of a mail that came from another address (`visibility.md` 5).
        let own = self.lives_at(to.seat, &self.answered.from);
        if answer && own && self.answered.message_id.is_some() {
            in_reply_to = self.answered.message_id.clone();
            references.extend(
                self.answered
                    .references
                    .iter()
                    .filter(|id| Some(*id) != thread.as_ref())
                    .cloned(),
            );
        }
        if class == MailClass::Press && planted(Leak::WriterThread) {
            references.extend(self.answered.message_id.clone());
        }
        let message_id = self.fresh_id(&seat.address);
        if thread.is_none() {
            self.emit(Event::SeatChanged {
                seat: to.seat,
                change: SeatChange::Thread(message_id.clone()),
            });
        }
        let (judge, date) = (&self.judge.settings, self.date);
        let stamp = Stamp {
            reply_to,
            in_reply_to,
            references,
            list_id: Some(format!("{}.{}", seat.game, judge.host())),
            answer,
            ..Stamp::plain(&judge.name, &judge.address, &seat.address, message_id, date)
        };
        let parts = if class == MailClass::Answer && self.is_unproven(&seat.address) {
            Parts::of_picture(text.picture.clone())
        } else {
            self.parts(to, &text, class)
        };
        let lines = (class != MailClass::Press)
            .then(|| own_lines(&text))
            .flatten();
        let game = seat.game.clone();
        let id = self.post(text, parts, stamp, class, Some(seat.game))?;
        let sent = lines.and_then(|lines| SentMail::new(&game, to.seat, &id, self.now, &lines));
        if let Some(sent) = sent {
            self.sent_lines.insert(id.clone(), sent);
        }
        Some(id)
    }

    /// Sends an event to many recipients, to each the version that `write` makes for that reader. Each address receives
    /// each text once, however many powers its reader leads.
    pub(crate) fn broadcast(
        &mut self,
        to: &[Recipient],
        class: MailClass,
        write: impl FnMut(&GameWork, Recipient) -> Option<Text>,
    ) {
        self.broadcast_answered_at(to, class, write, |_, _| None);
    }

    /// Like [`GameWork::broadcast`], with a reply address for each reader.
    pub(crate) fn broadcast_answered_at(
        &mut self,
        to: &[Recipient],
        class: MailClass,
        mut write: impl FnMut(&GameWork, Recipient) -> Option<Text>,
        answers: impl Fn(&GameWork, Recipient) -> Option<String>,
    ) {
        let to = self.with_later_leaders(to, class);
        self.give_labels(&to);
        let mut sent: Vec<(SeatId, Document)> = Vec::new();
        for recipient in self.in_order_of_sending(to) {
            let reader = self.reader(recipient).viewer;
            let Some(text) = written_for(reader, || write(self, recipient)) else {
                continue;
            };
            self.keep_for_power(recipient, &text, class, &mut write);
            if recipient.is_nobodys() {
                continue;
            }
            let read = (recipient.seat, text.document.clone());
            if sent.contains(&read) {
                continue;
            }
            sent.push(read);
            let answers = answers(self, recipient);
            self.send_answered_at(recipient, text, class, answers);
        }
    }

    /// Sends a text to an address that need not belong to this game, without what the leak check takes out.
    pub(crate) fn send_to(
        &mut self,
        address: &str,
        text: Text,
        class: MailClass,
    ) -> Option<String> {
        let looked = leak_check::look_outside(self, address, text);
        let text = self.told_keeper(looked, "a mail to an address");
        self.send_without_game(address, text, class)
    }

    /// Sends a text to an address that is proven by an answer from it.
    pub(crate) fn send_for_answer(&mut self, address: &str, text: Text, reply_to: String) {
        let looked = leak_check::look_outside(self, address, text);
        let text = self.told_keeper(looked, "a mail to an address");
        self.send_to_be_answered(address, text, reply_to);
    }

    /// Sends an answer, when no game is in hand, whose reader answers it at an address of its own.
    pub(crate) fn send_answer_for_answer(
        &mut self,
        address: &str,
        text: Text,
        reply_to: String,
    ) -> Option<String> {
        let looked = leak_check::look_outside(self, address, text);
        let text = self.told_keeper(looked, "a mail to an address");
        let class = MailClass::Answer;
        let stamp = Stamp {
            reply_to: Some(reply_to),
            ..self.plain_stamp(address, class)
        };
        self.post(text, Parts::default(), stamp, class, None)
    }

    /// Returns the checked text, and tells the keeper if something was taken out of it.
    pub(super) fn told_keeper(&mut self, looked: CheckedText, kind: &str) -> Text {
        if let Some(caught) = looked.caught {
            leak_check::tell_keeper_of_leak(self, caught, kind);
        }
        looked.text
    }

    fn seat_facts(&self, seat: SeatId) -> Option<SeatFacts> {
        let game = self.game();
        // A person who has left receives nothing more.
        let seat = game.seat(seat).filter(|seat| !seat.left)?;
        let token = self
            .registry
            .secret()
            .map(|secret| tokens::of_seat(secret, &game.name, seat));
        let reply_to = token.map(|token| self.judge.settings.with_token(&token));
        Some(SeatFacts {
            person: seat.person,
            address: self.reached_address(seat),
            reply_to,
            thread: seat.thread.clone(),
            game: game.name.clone(),
        })
    }
}

/// The lines of a mail, if all of them are the judge's own: it holds no letter and proposes nothing.
fn own_lines(text: &Text) -> Option<Vec<String>> {
    let own = text.asks.is_none() && !text.document.holds_player_words();
    let lines = own.then(|| text.document.lines())?;
    (!lines.iter().any(|line| marks_words(line))).then_some(lines)
}

impl Work<'_> {
    /// Sends a text to an address when no game is in hand, so there is nothing to hide from its reader.
    pub(crate) fn send_without_game(
        &mut self,
        address: &str,
        text: Text,
        class: MailClass,
    ) -> Option<String> {
        let mut stamp = self.plain_stamp(address, class);
        let parts = Parts::of_picture(text.picture.clone());
        if class == MailClass::Answer && self.is_unproven(address) {
            let secret = self.registry.secret();
            let token = secret.map(|secret| tokens::of_proof(secret, address));
            stamp.reply_to = token.map(|token| self.judge.settings.with_token(&token));
        }
        self.post(text, parts, stamp, class, None)
    }

    /// Sends a text to an address, when no game is in hand, whose reader answers at an address of its own.
    pub(crate) fn send_to_be_answered(&mut self, address: &str, text: Text, reply_to: String) {
        let stamp = Stamp {
            reply_to: Some(reply_to),
            ..self.plain_stamp(address, MailClass::Notice)
        };
        self.post(text, Parts::default(), stamp, MailClass::Notice, None);
    }

    /// Sends the keeper a text that the leak check does not examine, since it may be about what the check found.
    pub(crate) fn send_to_keeper(&mut self, keeper: &str, text: Text) {
        let stamp = self.plain_stamp(keeper, MailClass::Notice);
        self.post(text, Parts::default(), stamp, MailClass::Notice, None);
    }

    /// The header data of a mail outside every game.
    fn plain_stamp(&mut self, address: &str, class: MailClass) -> Stamp {
        let message_id = self.fresh_id(address);
        let (judge, date) = (&self.judge.settings, self.date);
        let plain = Stamp::plain(&judge.name, &judge.address, address, message_id, date);
        if class != MailClass::Answer {
            return plain;
        }
        Stamp {
            in_reply_to: self.answered.message_id.clone(),
            references: self.answered.references.clone(),
            answer: true,
            ..plain
        }
    }

    fn fresh_id(&mut self, reader: &str) -> String {
        let id = if planted(Leak::Counter) {
            self.ids.id()
        } else {
            self.ids.mail_id(reader)
        };
        format!("<{}@{}>", tokens::base32(&id), self.judge.settings.host())
    }

    /// Returns the mail's id, if it was written.
    fn post(
        &mut self,
        text: Text,
        parts: Parts,
        stamp: Stamp,
        class: MailClass,
        game: Option<String>,
    ) -> Option<String> {
        if let Some(fault) = &text.fault {
            self.ruling.notes.push(format!("mail template: {fault}"));
        }
        let bounce = if planted(Leak::ReturnPath) {
            self.ids.id()
        } else {
            self.ids.mail_id(&stamp.to)
        };
        let bounce = match self.registry.secret() {
            Some(secret) => tokens::of_return_path(secret, bounce, &stamp.to),
            None => tokens::base32(&bounce),
        };
        // A mail without further parts needs no random bits for their names.
        let names = if parts.is_empty() {
            String::new()
        } else {
            tokens::base32(&self.ids.mail_id(&stamp.to))
        };
        let error = match letter(&text, &parts, &stamp, &names) {
            Ok(letter) => {
                let most = match (class, &game) {
                    // Nobody has written under anybody's address to get it.
                    _ if self.keeper.is_some() => None,
                    (MailClass::Answer, None) => self.most_bytes_to_stranger(&stamp.to),
                    (MailClass::Answer, Some(_)) => self.most_bytes_to(&stamp.to),
                    _ => None,
                };
                let bytes = letter.counted_bytes() as u64;
                let has_picture = parts.picture.is_some();
                if most.is_some_and(|most| bytes > most || has_picture) {
                    self.withheld = true;
                    let note = format!(
                        "an answer of {bytes} bytes was not sent, since its reader has proven nothing"
                    );
                    self.ruling.notes.push(note);
                    return None;
                }
                let mut rank = class.rank();
                if most.is_some() {
                    self.count_unproven_answer(&stamp.to, bytes);
                    rank = MailClass::UNPROVEN_RANK;
                }
                self.ruling.mails.push(Outgoing {
                    envelope_from: self
                        .judge
                        .settings
                        .with_token(&format!("{}{bounce}", tokens::RETURN_MARK)),
                    to: stamp.to,
                    letter,
                    rank,
                    game,
                });
                return Some(stamp.message_id);
            }
            // The invalid address must not be in the log.
            Err(LetterError::Address { source, .. }) => source.to_string(),
            Err(error) => error.to_string(),
        };
        let note = format!("a mail could not be written: {error}");
        self.ruling.notes.push(note);
        None
    }
}
