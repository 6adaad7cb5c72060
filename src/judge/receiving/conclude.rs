//! The end of a mail: the error flag, notices to others, and the reply that answers every line (`judge-workflow.md` 0,
//! 3.8, 6.2).

use crate::acts::overruling;
use crate::clock::{ahead, processing, starting};
use crate::orders::lines::OrderOutcomes;
use crate::orders::warnings;
use crate::receiving::reply::{Replies, Reply};
use crate::session::Session;
use crate::session::reading::OrdersFor;
use crate::work::acting::Acting;
use crate::work::leak_check;
use crate::work::or_logged::OrLogged;
use crate::work::own_sight::LinesOf;
use crate::work::{GameWork, MailClass, Recipient, Work};
use dipjudge_game::{Event, GameEdit, masters_read_orders};
use dipjudge_mails::outbound::{self, FlagChange, RenderError};
use dipjudge_rules::calendar::{PhaseKind, PhaseName};
use dipjudge_rules::map::Power;

impl Session<'_, '_> {
    /// Updates the error flag and the votes, notifies others, and writes the reply.
    pub(crate) fn conclude(&mut self) {
        self.order_warnings();
        self.tell_kept_ahead();
        if !self.seals_orders() {
            self.name_units_left();
        }
        self.show_parameters();
        self.tell_unread();
        self.tell_left_out();
        self.settle_flag();
        self.end_replaced_proposals();
        let joined = self.sender.joined;
        if let Some(mut work) = self.in_game() {
            overruling::tell(&mut work);
            processing::settle(&mut work);
            // If the last player joins, the mails of the starting game come before the notice of the sign-on.
            if joined {
                starting::begin_if_full(&mut work);
            }
            work.send_notices();
        }
        if self.reply.wanted {
            self.answer_unless_muted();
        }
    }

    /// Ends the part of a mail in which a master acted as a power: its leader is answered, and what follows is the master's
    /// own again.
    pub(crate) fn end_acting_as_power(&mut self) {
        let Some(master) = self.sender.master else {
            return;
        };
        self.order_warnings();
        self.tell_kept_ahead();
        self.settle_flag();
        let wanted = self.reply.wanted && !self.reply.muted;
        let apart = self
            .sender
            .acting
            .is_some_and(|acting| acting.seat != master.seat);
        let Session {
            work,
            open,
            sender,
            reply,
            ..
        } = self;
        if let Some(open) = open {
            if wanted
                && apart
                && let Some(replies) = Replies::of(reply, sender, None)
            {
                let leader = replies.acting.recipient();
                send_replies(&mut GameWork::new(work, open), &replies, &[leader]);
            }
            open.acts_as_power = false;
        }
        self.sender.acting = Some(master);
        self.sender.master = None;
        self.orders = OrderOutcomes::default();
        self.reading.orders_for = OrdersFor::Now;
    }

    /// Shows the parameters where the mail has changed the timing, however many of its lines did.
    fn show_parameters(&mut self) {
        let acting = self.sender.acting;
        let work = self.in_game().filter(|work| work.open.timing_changed);
        let shown = acting
            .zip(work)
            .map(|(acting, work)| work.parameters(acting.recipient()));
        if let Some(shown) = shown {
            self.tell(shown);
        }
    }

    /// Ends a mail to a relay address, which changes nothing in the game.
    pub(crate) fn conclude_letter(&mut self) {
        if let Some(mut work) = self.in_game() {
            work.send_notices();
        }
        self.answer_unless_muted();
    }

    fn answer_unless_muted(&mut self) {
        if !self.reply.muted || self.changed_the_game_from_elsewhere() {
            self.close_answers();
            if !self.reply.held_back.is_empty() {
                self.ask_to_prove();
            }
            let proposed = self.reply.proposed.clone();
            self.write_reply();
            if !std::mem::take(&mut self.work.withheld) {
                return;
            }
            self.reply.proposed = proposed.clone();
            if self.reply.hold_back_beside_page() {
                let notes = self.reply.notes.clone();
                self.ask_to_prove();
                self.write_reply();
                self.reply.notes = notes;
                if !std::mem::take(&mut self.work.withheld) {
                    return;
                }
            }
            self.reply.hold_back_all();
            self.reply.proposed = proposed;
            self.ask_to_prove();
            self.write_reply();
        }
    }

    /// Says that an answer was held back until its reader shows that he gets the mails of the judge, and proposes to ask again.
    fn ask_to_prove(&mut self) {
        let questions = std::mem::take(&mut self.reply.held_back);
        let how = if !questions.is_empty() {
            self.reply.proposed.clear();
            self.propose_all(questions);
            self.reply.asks_again = true;
            "Answer this mail with the word YES, and you get all of it."
        } else if self.reply.proposed.is_empty() {
            "Answer this mail with what you want to know, and you get all of it."
        } else {
            "Answer this mail, with YES or with what you want to know, and nothing is held back any more."
        };
        let why = format!(
            "What could be done was done.  The rest of the answer waits until the judge knows this address to be yours.  {how}"
        );
        self.reply.notes.insert(0, why);
    }

    /// Whether an unanswered mail (because of its kind, or because answers pause) came from a strange address and
    /// changed the game or sent something: the player of the seat must be told of that. A mail without effect is not
    /// reported, so that two programs do not answer each other forever.
    fn changed_the_game_from_elsewhere(&self) -> bool {
        let strange = self.sender.acting.is_some_and(|acting| !acting.from_home);
        let changed = self
            .game()
            .is_some_and(|game| self.work.judge.game(&game.name) != Some(game));
        // Press does not change the game, but goes out under the player's name.
        strange && (changed || !self.work.ruling.mails.is_empty())
    }

    /// Sets the error flag if an order line had an error, and clears it if the mail confirms the current orders: by an
    /// accepted order, by a SIGNON line and nothing else, by a YES to the orders as they stand, or by a NO to what was
    /// proposed for the lines with errors. CLEAR ORDERS has already cleared it. Any other mail leaves it unchanged. Sentences whose
    /// orders wait for a YES are no errors while units of the power lack orders, which keep the phase open by themselves.
    fn settle_flag(&mut self) {
        let Some(power) = self.sender.acting.and_then(|acting| acting.power) else {
            return;
        };
        let Some(open) = &mut self.open else {
            return;
        };
        let mut work = GameWork::new(&mut self.work, open);
        let requirements = work.variant_game().requirements();
        let owes = if work.open.acts_as_power {
            // It may be sealed from the master whether the power has submitted a pass.
            requirements.asks(power)
        } else {
            requirements.owes(power)
        };
        let waits_anyway = !work.open.acts_as_power && work.variant_game().lacks_orders(power);
        let errors = match self.orders.errors {
            errors if waits_anyway => errors.saturating_sub(self.orders.errors_in_words()),
            errors => errors,
        };
        let signs_on_alone = self.reading.signed_on_by_line && !self.reading.has_more;
        let confirms = self.orders.accepted > 0 || signs_on_alone || self.reading.confirms_orders;
        let (flag, required) = {
            let standing = work.game().standing(power);
            (standing.flag, standing.required)
        };
        let sets = errors > 0 && owes;
        if sets {
            work.emit(Event::Flagged { power, on: true });
        } else if errors == 0 && confirms && (flag || required) {
            work.emit(Event::Flagged { power, on: false });
        }
        let stands = work.game().standing(power).flag;
        let is_answered = !self.reply.answers.is_empty() || !self.reply.proposed.is_empty();
        self.reply.words_alone = is_answered
            && self.orders.accepted == 0
            && errors == 0
            && !stands
            && self.reading.commands.iter().all(|rule| is_of_letter(rule))
            && !self.reading.shows_orders
            && self.sender.master.is_none();
        self.reply.accepted = self.orders.accepted;
        self.reply.errors = errors;
        self.reply.flag = if sets {
            FlagChange::Set
        } else if self.sender.flag_before && !stands {
            FlagChange::Cleared
        } else if stands && owes {
            FlagChange::Stays
        } else {
            FlagChange::None
        };
    }

    /// Answers the person who signed on. The writer of a mail from a strange address reads that it was accepted, if he
    /// is answered at all.
    fn write_reply(&mut self) {
        if let Some(claimed) = self.sender.claimed {
            return self.reply_without_proof(claimed);
        }
        if self.game().is_none() || self.sender.acting.is_none() {
            return self.reply_to_stranger();
        }
        let strange = self.sender.acting.is_some_and(|acting| !acting.from_home);
        let note = strange.then(|| self.strange_address());
        self.name_power_of_proposal();
        let Session {
            work,
            open,
            sender,
            reply,
            ..
        } = self;
        let mut id = None;
        if let Some(open) = open
            && let Some(replies) = Replies::of(reply, sender, note)
        {
            let recipients = replies.recipients();
            id = send_replies(&mut GameWork::new(work, open), &replies, &recipients);
        }
        let owner = self.owner_as(self.sender.signed_on());
        self.keep_proposal(id, owner);
        if strange && !self.reply.muted {
            self.confirm_to_strange_address();
        }
    }

    /// Tells the writer of a mail from a strange address that it was accepted.
    fn confirm_to_strange_address(&mut self) {
        let from = self.sender.address.clone();
        let Some(mut work) = self.in_game() else {
            return;
        };
        let line = format!(
            "Your mail for game '{}' was read. The answer has gone to the player's registered address.",
            work.game().name
        );
        let judge = work.judge;
        let name = &judge.settings.name;
        if let Some(text) =
            outbound::stranger_notice(&judge.templates, name, "Your mail", line).or_logged()
        {
            work.send_to(&from, text, MailClass::Answer);
        }
    }

    /// The note that a mail for a seat came from a strange address. In games that hide leaders, the address might be
    /// that of a leader, so the note does not quote it (README, Decided 23).
    fn strange_address(&self) -> String {
        let hidden = |edit: &GameEdit| edit.variant_game().hides_leaders();
        if self.edit().is_some_and(hidden) {
            return "This mail came from an address that is not yours, as far as the judge knows."
                .to_owned();
        }
        format!(
            "This mail came from {}, which is not your registered address. If you did not send it, change your \
             password: SET PASSWORD word.",
            self.sender.address
        )
    }

    /// Whether a master acts for a power whose orders are sealed from him: then he reads only what he wrote himself.
    fn seals_orders(&self) -> bool {
        let open = self.game().is_none_or(masters_read_orders);
        self.sender.master.is_some() && !open
    }

    /// Answers somebody who has proven nothing at the address of record of the seat that he seems to mean.
    fn reply_without_proof(&mut self, claimed: Acting) {
        let to = claimed.recipient();
        let Some(open) = &mut self.open else {
            return;
        };
        let mut work = GameWork::new(&mut self.work, open);
        let reply = Reply::without_proof(&self.reply, work.heading(to));
        let id = match reply.text(&work.templates()) {
            Ok(text) => work.send(to, text, MailClass::Answer),
            Err(error) => return not_written(&mut work, &error),
        };
        let owner = self.owner_as(Some(claimed));
        self.keep_proposal(id, owner);
    }

    fn reply_to_stranger(&mut self) {
        let to = self.answer_to();
        let reply = Reply::to_stranger(&self.reply);
        match reply.text(&self.work.judge.templates) {
            Ok(text) => {
                let id = match self.reply.answered_at.clone() {
                    Some(reply_to) => self
                        .in_game()
                        .and_then(|mut work| work.send_answer_for_answer(&to, text, reply_to)),
                    None => self.send_to(&to, text, MailClass::Answer),
                };
                let owner = self.owner();
                self.keep_proposal(id, owner);
            }
            Err(error) => not_written(&mut self.work, &error),
        }
    }

    /// Says what orders for later phases count for, once all have been kept. A mail that was sent once more counts once.
    fn tell_kept_ahead(&mut self) {
        let Some(power) = self.sender.acting.and_then(|acting| acting.power) else {
            return;
        };
        for (phase, lines) in std::mem::take(&mut self.reading.kept_for) {
            if let Some(mut work) = self.in_game() {
                ahead::drop_repeated(&mut work, power, phase, lines);
            }
            if phase.kind != PhaseKind::Movement {
                continue;
            }
            let named = phase.in_mail();
            self.say(format!(
                "Kept for {named}: each order counts if the unit that it names is then yours and stands there."
            ));
            for note in self.notes_ahead(power, phase) {
                self.say(format!("For {named}: {note}"));
            }
        }
    }

    /// Notes on orders for a later phase that do not match any other order for it.
    fn notes_ahead(&mut self, power: Power, phase: PhaseName) -> Vec<String> {
        if self.seals_orders() {
            return Vec::new();
        }
        let work = self.in_game();
        work.map_or_else(Vec::new, |mut work| ahead::notes(&mut work, power, phase))
    }

    /// Adds notes on orders that do not match any other order, once all have been read.
    fn order_warnings(&mut self) {
        let Some(power) = self.sender.acting.and_then(|acting| acting.power) else {
            return;
        };
        if self.seals_orders() {
            return;
        }
        if self.orders.accepted == 0 {
            return;
        }
        let Some(mut work) = self.in_game() else {
            return;
        };
        let own = work.take_sight(power, LinesOf::Leader);
        let mut notes = warnings::notes(&own.sight);
        notes.extend(work.variant().order_warnings(&own.sight));
        for note in notes {
            self.say(note);
        }
    }
}

/// Whether a command sends a letter.
fn is_of_letter(rule: &str) -> bool {
    matches!(rule, "press" | "broadcast")
}

/// Sends the replies. Returns the id of the reply to whoever may take what it proposes.
fn send_replies(
    work: &mut GameWork,
    replies: &Replies,
    recipients: &[Recipient],
) -> Option<String> {
    let mut id = None;
    work.give_labels(recipients);
    let mut subject = replies.draft.subject.as_str();
    for to in recipients.iter().copied() {
        // If the subject of a mail from a strange address contains an address, no further recipient reads that subject.
        if !replies.acting.from_home && !leak_check::may_answer_in_game(work, to, subject) {
            subject = "";
        }
        let reply = replies.reply_to(work, to, subject);
        match reply.text(&work.templates()) {
            Ok(text) => {
                let text = replies.with_orders(work, to, text);
                let sent = work.send(to, text, MailClass::Answer);
                if to == replies.proposed_to() {
                    id = sent;
                }
            }
            Err(error) => not_written(work, &error),
        }
    }
    id
}

fn not_written(work: &mut Work, error: &RenderError) {
    let note = format!("a reply could not be written: {error}");
    work.ruling.notes.push(note);
}
