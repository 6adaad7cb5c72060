//! The replies to one mail. A [`Reply`] is made from the draft for one reader, and contains only what that reader may
//! know.

use crate::acts::absence;
use crate::session::reply_draft::ReplyDraft;
use crate::session::sender::MailSender;
use crate::work::acting::Acting;
use crate::work::{GameWork, Recipient};
use dipjudge_game::{masters_read_orders, project};
use dipjudge_mails::outbound::{self, Answer, FlagChange, Picture, RenderError, Templates, Text};
use dipjudge_rules::map::Power;
use dipjudge_view::{Heading, OrdersSection, TimeLeft, Viewer, Warning};

/// The reply to one reader.
pub(super) struct Reply(outbound::Reply);

impl Reply {
    /// The reply to a person who has not signed on.
    pub(super) fn to_stranger(draft: &ReplyDraft) -> Reply {
        Reply(outbound::Reply {
            notes: draft.notes.clone(),
            answers: draft.answers.clone(),
            proposed: draft.proposed.clone(),
            held_back: draft.asks_again,
            picture: draft.picture.clone(),
            errors: draft.errors,
            flag: draft.flag,
            ..outbound::Reply::new(&draft.judge, &draft.subject)
        })
    }

    /// The reply to somebody who has proven nothing, at the address of record of the seat that he seems to mean: the answers to
    /// his mail, without how his orders stand.
    pub(super) fn without_proof(draft: &ReplyDraft, heading: Heading) -> Reply {
        Reply(outbound::Reply {
            heading: Some(heading),
            notes: draft.notes.clone(),
            answers: draft.answers.clone(),
            proposed: draft.proposed.clone(),
            held_back: draft.asks_again,
            ..outbound::Reply::new(&draft.judge, &draft.subject)
        })
    }

    /// The text of the mail with this reply.
    pub(super) fn text(&self, templates: &Templates) -> Result<Text, RenderError> {
        outbound::reply(templates, &self.0)
    }
}

/// The data for the replies to a person who has signed on: one to the seat that the mail acted for, and one to a master
/// who acted as a power.
pub(super) struct Replies<'s> {
    pub draft: &'s ReplyDraft,
    /// The role in which the mail acted.
    pub acting: Acting,
    /// The master who acted as that power.
    pub master: Option<Acting>,
    /// The note that the mail came from a strange address.
    pub strange_address: Option<String>,
}

/// Which of the replies to a mail.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ReplyFor {
    /// The reply to the seat that the mail acted for.
    Seat,
    /// The reply to the master who acted as the power, from whom some of it may be sealed.
    Master,
}

impl<'s> Replies<'s> {
    /// The replies to a sender; `None` if he has not signed on.
    pub(super) fn of(
        draft: &'s ReplyDraft,
        sender: &MailSender,
        strange_address: Option<String>,
    ) -> Option<Replies<'s>> {
        Some(Replies {
            draft,
            acting: sender.acting?,
            master: sender.master,
            strange_address,
        })
    }

    pub(super) fn recipients(&self) -> Vec<Recipient> {
        let mut recipients = vec![self.acting.recipient()];
        if let Some(master) = self.master
            && master.seat != self.acting.seat
        {
            recipients.push(Recipient::new(master.seat, None));
        }
        recipients
    }

    /// The reply to one of the recipients; it quotes `subject`.
    pub(super) fn reply_to(&self, work: &GameWork, to: Recipient, subject: &str) -> Reply {
        let reply_for = self.reply_for(work, to);
        let reply = outbound::Reply {
            heading: Some(work.heading(to)),
            notes: self.notes(work, to),
            answers: self.answers(reply_for),
            proposed: self.proposed(work, to),
            units_left: self.draft.units_left.clone(),
            picture: self.picture(reply_for).cloned(),
            errors: self.draft.errors,
            left: self.time_left(work),
            ..outbound::Reply::new(&self.draft.judge, subject)
        };
        if reply_for == ReplyFor::Master && !masters_read_orders(work.game()) {
            // The master is told that these lines have set the error flag, but not whether it was set before them.
            let set = self.draft.flag == FlagChange::Set;
            return Reply(outbound::Reply {
                flag: if set {
                    FlagChange::Set
                } else {
                    FlagChange::None
                },
                error_flag_in_subject: set,
                ..reply
            });
        }
        Reply(outbound::Reply {
            flag: self.draft.flag,
            orders: self.orders(work, reply_for),
            warning: self.warning(work, reply_for),
            error_flag_in_subject: self
                .power()
                .is_some_and(|power| work.game().standing(power).flag),
            ..reply
        })
    }

    /// The reply with a map of the orders as they stand, if the mail gave any, no other map comes with it, and the writer has
    /// not been sent too much in this hour, nor all writers too many maps in this minute.
    pub(super) fn with_orders(&self, work: &mut GameWork, to: Recipient, text: Text) -> Text {
        let Some(power) = self.power() else {
            return text;
        };
        let of_leader = self.reply_for(work, to) == ReplyFor::Seat;
        if self.draft.accepted == 0
            || text.picture.is_some()
            || !of_leader
            || !work.has_room_for_map()
        {
            return text;
        }
        let text = work.illustrated(to, text, |edit, _| {
            let view = edit.variant_game().seen_by(Viewer::Power(power));
            view.board_of_orders()
        });
        if text.picture.is_some() {
            work.count_order_map();
        }
        text
    }

    /// What is proposed to this reader: to the master alone where one acts as a power.
    fn proposed(&self, work: &GameWork, to: Recipient) -> Vec<String> {
        if self.master.is_none() || work.is_master(to) {
            self.draft.proposed.clone()
        } else {
            Vec::new()
        }
    }

    /// The recipient who may take what is proposed.
    pub(super) fn proposed_to(&self) -> Recipient {
        self.recipients()
            .last()
            .copied()
            .unwrap_or_else(|| self.acting.recipient())
    }

    fn power(&self) -> Option<Power> {
        self.acting.power
    }

    fn reply_for(&self, work: &GameWork, to: Recipient) -> ReplyFor {
        if self.master.is_some() && work.is_master(to) {
            ReplyFor::Master
        } else {
            ReplyFor::Seat
        }
    }

    /// The notes, with the one on the strange address, and absences. The former is for the person who signed on, not for
    /// the leader for whom a master acts.
    fn notes(&self, work: &GameWork, to: Recipient) -> Vec<String> {
        let signed_on = self.master.unwrap_or(self.acting);
        let mut notes = self.draft.notes.clone();
        if let Some(strange) = &self.strange_address
            && to.seat == signed_on.seat
        {
            notes.insert(0, strange.clone());
        }
        notes.extend(absence::noted(work, to));
        notes
    }

    /// The answers that this reader may know.
    fn answers(&self, reply_for: ReplyFor) -> Vec<Answer> {
        let of_master = match (&self.draft.before_become, reply_for) {
            (Some(before), ReplyFor::Seat) => before.answers,
            _ => 0,
        };
        let for_other = self.master.is_some() && reply_for == ReplyFor::Seat;
        let numbered = self.draft.answers.iter().enumerate().skip(of_master);
        let mut answers: Vec<Answer> = numbered
            .filter(|(number, _)| !for_other || !self.draft.for_writer.contains(number))
            .map(|(_, answer)| answer.clone())
            .collect();
        if self.acting.from_home {
            return answers;
        }
        // A mail from a strange address may contain what the seat's own player must not know.
        let count = answers.len();
        answers.retain(|answer| answer.checked);
        if answers.len() < count {
            answers.push(Answer::say(
                "Some of what it says holds an address, which the judge does not repeat to you, so the answers to that are left out.",
            ));
        }
        answers
    }

    fn picture(&self, reply_for: ReplyFor) -> Option<&Picture> {
        let of_master = match (&self.draft.before_become, reply_for) {
            (Some(before), ReplyFor::Master) => before.picture.as_ref(),
            _ => None,
        };
        self.draft.picture.as_ref().or(of_master)
    }

    /// The current orders of the seat that the mail acted for. A master who does something reads what he has changed; the orders
    /// of all powers he gets by a sign-on alone, or when he asks for them.
    fn orders(&self, work: &GameWork, reply_for: ReplyFor) -> Option<OrdersSection> {
        if self.draft.words_alone {
            return None;
        }
        let game = work.variant_game();
        match (self.power(), reply_for) {
            (Some(power), ReplyFor::Master) => game.lent_section(power),
            (None, _)
                if work.is_master(self.acting.recipient())
                    && !self.draft.answers.is_empty()
                    && !self.draft.all_orders =>
            {
                None
            }
            _ => game.seen_by(self.reader(work).viewer).orders_section(),
        }
    }

    fn warning(&self, work: &GameWork, reply_for: ReplyFor) -> Warning {
        if self.draft.words_alone {
            return Warning::None;
        }
        let lent = reply_for == ReplyFor::Master;
        work.variant_game()
            .read_by(&self.reader(work))
            .warning(lent)
    }

    fn time_left(&self, work: &GameWork) -> TimeLeft {
        if work.game().begun() && !self.draft.words_alone {
            project::time_left(work.game(), work.now)
        } else {
            TimeLeft {
                deadline: None,
                grace: None,
            }
        }
    }

    /// The reader as whom the orders are shown: a master who acts as a power sees that power's.
    fn reader(&self, work: &GameWork) -> project::Reader {
        let reader = work.reader(self.acting.recipient());
        match self.power() {
            Some(power) => project::Reader {
                viewer: Viewer::Power(power),
                ..reader
            },
            None => reader,
        }
    }
}
