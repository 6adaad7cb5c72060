//! The end of a mail: the error flag, what others are told, and the one reply that answers every line
//! (`judge-workflow.md` 0, 3.8, 6.2).

use crate::acts::overruling;
use crate::clock::processing;
use crate::desk::order_warnings;
use crate::desk::session::Session;
use crate::people::joining;
use crate::work::leak_check;
use crate::work::sending::OrLogged;
use crate::work::{GameWork, MailClass, Recipient};
use dipjudge_game::{Event, GameEdit, masters_read_orders, project, requirements};
use dipjudge_mails::outbound::{self, Answer, Reply};
use dipjudge_view::{TimeLeft, Warning};

impl Session<'_, '_> {
    /// Settles the error flag and the votes, tells others, and writes the reply.
    pub(crate) fn conclude(&mut self, answer: bool) {
        self.order_warnings();
        self.settle_flag();
        let joined = self.joined;
        if let Some(mut work) = self.in_game() {
            overruling::tell(&mut work);
            processing::settle(&mut work);
            // The mails of a game that starts come before the notice of who completed it.
            if joined {
                joining::after_joining(&mut work);
            }
            work.send_notices();
        }
        if self.answered && (answer || self.changed_the_game_from_elsewhere()) {
            self.close_answers();
            self.write_reply(answer);
        }
    }

    /// Whether a mail that is not answered, be it for its kind or since answers pause, came from a strange address and
    /// changed the game or sent something: whoever sits there must be told of that all the same. What changes nothing is
    /// told to nobody, so that no two programs answer each other for ever.
    fn changed_the_game_from_elsewhere(&self) -> bool {
        let strange = self.acting.is_some_and(|acting| !acting.from_home);
        let changed = self
            .game()
            .is_some_and(|game| self.work.judge.game(&game.name) != Some(game));
        // Press changes no game, but goes out under his name.
        strange && (changed || !self.work.ruling.mails.is_empty())
    }

    /// Ends a letter that was to be passed on: it changes nothing but itself.
    pub(crate) fn conclude_letter(&mut self, answer: bool) {
        if let Some(mut work) = self.in_game() {
            work.send_notices();
        }
        if answer || self.changed_the_game_from_elsewhere() {
            self.close_answers();
            self.write_reply(answer);
        }
    }

    /// Sets the error flag where an order line had an error, and clears it where a mail confirms the orders as they stand:
    /// an accepted order, or a SIGNON line and nothing else. CLEAR ORDERS has cleared it already. Any other mail leaves it.
    fn settle_flag(&mut self) {
        let Some(power) = self.acting.and_then(|acting| acting.power) else {
            return;
        };
        let Some(open) = &mut self.open else {
            return;
        };
        let mut work = GameWork::new(&mut self.work, open);
        let requirements = requirements::of(work.game(), work.variant());
        let owes = match work.open.acts_as_power {
            // Whether the power has passed may be sealed from the master.
            true => requirements.asks(power),
            false => requirements.owes(power),
        };
        let standing = work.game().standing(power);
        self.reply.errors = self.taken.errors;
        let confirms = self.taken.taken > 0 || (self.signed_on_by_line && !self.has_more);
        if self.taken.errors > 0 {
            if owes {
                work.emit(Event::Flagged { power, on: true });
                self.reply.flag_set = true;
            }
        } else if confirms && (standing.flag || standing.required) {
            work.emit(Event::Flagged { power, on: false });
        }
        let stands = work.game().standing(power).flag;
        self.reply.flag_cleared = self.flag_before && !stands;
        self.reply.flag_stays = stands && !self.reply.flag_set && owes;
    }

    /// Answers whoever signed on; who wrote from elsewhere reads that his mail was taken if he is to be `answered` at all.
    fn write_reply(&mut self, answered: bool) {
        let strange = self.strange_address();
        let seals_orders = self.seals_orders();
        let (Some(acting), Some(open)) = (self.acting, &mut self.open) else {
            return self.reply_to_stranger();
        };
        let mut work = GameWork::new(&mut self.work, open);
        let reply = &mut self.reply;
        let to = acting.recipient();
        let strange = Some(strange).filter(|_| !acting.from_home);
        // Whoever signed on is told, not the leader for whom a master acts.
        let signed_on = self.became.map_or(acting.seat, |master| master.seat);
        let notes = std::mem::take(&mut reply.notes);
        let mut recipients = vec![to];
        if let Some(master) = self.became {
            recipients.push(Recipient::new(master.seat, None));
        }
        recipients.dedup_by_key(|to| to.seat);
        work.give_labels(&recipients);
        let answers = std::mem::take(&mut reply.answers);
        let map = reply.picture.take();
        for recipient in recipients {
            let lent = self.became.is_some() && work.is_master(recipient);
            // What the master asked before he became the power (a list, a prediction) its leader does not read.
            let unread = match self.became {
                Some(_) if !lent => self.answered_as_master,
                _ => 0,
            };
            reply.answers = answers.get(unread..).unwrap_or_default().to_vec();
            let as_master = self.map_as_master.as_ref().filter(|_| lent);
            reply.picture = map.as_ref().or(as_master).cloned();
            let strange = strange.iter().filter(|_| recipient.seat == signed_on);
            reply.notes = strange.chain(&notes).cloned().collect();
            if !acting.from_home {
                leave_out_names(&work, reply, recipient);
            }
            fill_state(&work, reply, to, lent);
            reply.heading = Some(work.heading(recipient));
            let written = match seals_orders && lent {
                true => outbound::reply(&work.templates(), &without_orders(reply)),
                false => outbound::reply(&work.templates(), reply),
            };
            match written {
                Ok(text) => work.send(recipient, text, MailClass::Answer),
                Err(error) => work
                    .ruling
                    .notes
                    .push(format!("a reply could not be written: {error}")),
            }
        }
        if answered && !acting.from_home {
            let line = format!(
                "Your mail for game '{}' was taken.  The answer goes to the address on file for this player.",
                work.game().name
            );
            let judge = work.judge;
            let name = &judge.settings.name;
            if let Some(text) =
                outbound::stranger_notice(&judge.templates, name, "Your mail", line).or_logged()
            {
                work.send_to(&self.from, text, true);
            }
        }
    }

    /// That a mail reached a seat from elsewhere. Where leaders are hidden the address might be that of one (README,
    /// Decided 23).
    fn strange_address(&self) -> String {
        let hidden = |edit: &GameEdit| project::hides_leaders(&edit.game, edit.variant);
        match self.edit().is_some_and(hidden) {
            true => "This mail came from an address that is not yours, as far as the judge knows."
                .to_owned(),
            false => format!(
                "This mail came from {}, which is not an address of yours that the judge knows.",
                self.from
            ),
        }
    }

    /// A master acts for a power whose orders are sealed from him: he reads what he wrote himself, no more.
    fn seals_orders(&self) -> bool {
        let open = self.game().is_none_or(masters_read_orders);
        self.became.is_some() && !open
    }

    fn reply_to_stranger(&mut self) {
        let to = self.answer_to();
        match outbound::reply(&self.work.judge.templates, &self.reply) {
            Ok(text) => self.send_to(&to, text, true),
            Err(error) => self
                .work
                .ruling
                .notes
                .push(format!("a reply could not be written: {error}")),
        }
    }

    /// What fits no other order, once all are read.
    fn order_warnings(&mut self) {
        let Some(power) = self.acting.and_then(|acting| acting.power) else {
            return;
        };
        if self.seals_orders() {
            return;
        }
        let Some(edit) = self.edit().filter(|_| self.taken.taken > 0) else {
            return;
        };
        let sight = project::sight(&edit.game, edit.variant, power);
        order_warnings::notes(&sight)
            .into_iter()
            .chain(edit.variant.order_warnings(&sight))
            .for_each(|note| self.say(note));
    }
}

/// Takes out of the answers to a mail from a strange address what its writer put there and the reader must not know: he
/// reads the rest, and that it was taken.
fn leave_out_names(work: &GameWork, reply: &mut Reply, to: Recipient) {
    if !leak_check::may_answer_in_game(work, to, &reply.subject_given) {
        reply.subject_given.clear();
    }
    let count = reply.answers.len();
    reply.answers.retain(|answer| answer.passed);
    if reply.answers.len() < count {
        let said = "Some of what it says holds an address, which the judge does not repeat to you, so the answers to that are left out.";
        reply.answers.push(Answer::say(said));
    }
}

/// The sender's orders as they now stand, warnings and time left; `lent` for a master who acts as that power, to whom
/// some of it may be sealed.
fn fill_state(work: &GameWork, reply: &mut Reply, to: Recipient, lent: bool) {
    let (game, variant, reader) = (work.game(), work.variant(), work.reader(to));
    let reader = match to.power {
        // A master who acts as a power is shown that power's orders.
        Some(power) => project::Reader {
            viewer: dipjudge_view::Viewer::Power(power),
            ..reader
        },
        None => reader,
    };
    reply.orders = match to.power.filter(|_| lent) {
        Some(power) => project::lent_section(game, variant, power, &reader),
        None => project::orders_section(game, variant, &reader),
    };
    reply.warning = project::warning(game, variant, &reader, lent);
    reply.left = match game.begun() {
        true => project::time_left(game, work.now),
        false => TimeLeft {
            deadline: None,
            grace: None,
        },
    };
    reply.error_flag_in_subject = to.power.is_some_and(|power| game.standing(power).flag);
}

/// A reply that tells nothing of the orders which were there before it. That its own lines have set the error flag is told;
/// whether it was set before them is not.
fn without_orders(reply: &Reply) -> Reply {
    Reply {
        orders: None,
        flag_cleared: false,
        flag_stays: false,
        warning: Warning::None,
        error_flag_in_subject: reply.flag_set,
        ..reply.clone()
    }
}
