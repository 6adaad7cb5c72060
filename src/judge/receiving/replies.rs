//! The replies to one mail, each as its reader may read it.

use crate::session::reply_draft::ReplyDraft;
use crate::work::acting::Acting;
use crate::work::{GameWork, Recipient};
use dipjudge_game::{VariantGame, project};
use dipjudge_mails::outbound::{Answer, Picture, Reply};
use dipjudge_rules::map::Power;
use dipjudge_view::{OrdersSection, TimeLeft, Viewer, Warning};

/// The replies to one mail: to the seat that it acted for, and to the master where he acted as a power.
pub(super) struct Replies {
    pub draft: ReplyDraft,
    /// As whom the mail acted.
    pub acting: Acting,
    /// The master who acted as that power.
    pub became: Option<Acting>,
    /// The number of answers to lines before BECOME, which only the master reads.
    pub answered_as_master: usize,
    /// The map that the master asked for before BECOME.
    pub map_as_master: Option<Picture>,
    /// The note that the mail came from a strange address.
    pub strange_address: Option<String>,
    /// A master acts for a power whose orders are sealed from him.
    pub seals_orders: bool,
}

/// Which of the replies to a mail one is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Copy {
    /// The one to the seat that the mail acted for.
    Seat,
    /// The one to the master who acted as the power, from whom some of it may be sealed.
    Master,
}

impl Replies {
    pub(super) fn recipients(&self) -> Vec<Recipient> {
        let mut recipients = vec![self.acting.recipient()];
        if let Some(master) = self.became
            && master.seat != self.acting.seat
        {
            recipients.push(Recipient::new(master.seat, None));
        }
        recipients
    }

    /// The reply to one of the recipients, in which `subject` is quoted.
    pub(super) fn reply_to(&self, work: &GameWork, to: Recipient, subject: &str) -> Reply {
        let copy = self.copy_for(work, to);
        let flag = self.draft.flag;
        let reply = Reply {
            heading: Some(work.heading(to)),
            notes: self.notes(to),
            answers: self.answers(copy),
            picture: self.picture(copy),
            errors: flag.errors,
            flag_set: flag.set,
            left: time_left(work),
            ..Reply::new(self.draft.judge.clone(), subject)
        };
        if self.seals_orders && copy == Copy::Master {
            // That its own lines have set the error flag is told; whether it was set before them is not.
            return Reply {
                error_flag_in_subject: flag.set,
                ..reply
            };
        }
        Reply {
            orders: self.orders(work, copy),
            flag_cleared: flag.cleared,
            flag_stays: flag.stays,
            warning: self.warning(work, copy),
            error_flag_in_subject: self
                .power()
                .is_some_and(|power| work.game().standing(power).flag),
            ..reply
        }
    }

    fn power(&self) -> Option<Power> {
        self.acting.power
    }

    fn copy_for(&self, work: &GameWork, to: Recipient) -> Copy {
        if self.became.is_some() && work.is_master(to) {
            Copy::Master
        } else {
            Copy::Seat
        }
    }

    /// Whoever signed on is told of the strange address, not the leader for whom a master acts.
    fn notes(&self, to: Recipient) -> Vec<String> {
        let signed_on = self.became.unwrap_or(self.acting);
        let mut notes = self.draft.notes.clone();
        if let Some(strange) = &self.strange_address
            && to.seat == signed_on.seat
        {
            notes.insert(0, strange.clone());
        }
        notes
    }

    /// The answers, without those that this reader must not know.
    fn answers(&self, copy: Copy) -> Vec<Answer> {
        // What the master asked before he became the power (a list, a prediction) its leader does not read.
        let unread = if self.became.is_some() && copy == Copy::Seat {
            self.answered_as_master
        } else {
            0
        };
        let mut answers: Vec<Answer> = self.draft.answers.iter().skip(unread).cloned().collect();
        if self.acting.from_home {
            return answers;
        }
        // A mail from a strange address may say what the seat's own player must not know.
        let count = answers.len();
        answers.retain(|answer| answer.passed);
        if answers.len() < count {
            answers.push(Answer::say(
                "Some of what it says holds an address, which the judge does not repeat to you, so the answers to that are left out.",
            ));
        }
        answers
    }

    fn picture(&self, copy: Copy) -> Option<Picture> {
        let of_master = self.map_as_master.as_ref().filter(|_| copy == Copy::Master);
        self.draft.picture.as_ref().or(of_master).cloned()
    }

    /// The orders of the seat that the mail acted for, as they now stand.
    fn orders(&self, work: &GameWork, copy: Copy) -> Option<OrdersSection> {
        let (game, variant, reader) = (work.game(), work.variant(), self.reader(work));
        match (self.power(), copy) {
            (Some(power), Copy::Master) => VariantGame::new(game, variant).lent_section(power),
            _ => VariantGame::new(game, variant)
                .seen_by(reader.viewer)
                .orders_section(),
        }
    }

    fn warning(&self, work: &GameWork, copy: Copy) -> Warning {
        let lent = copy == Copy::Master;
        work.variant_game()
            .read_by(&self.reader(work))
            .warning(lent)
    }

    /// As whom the orders are read: a master who acts as a power is shown that power's.
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

fn time_left(work: &GameWork) -> TimeLeft {
    if work.game().begun() {
        project::time_left(work.game(), work.now)
    } else {
        TimeLeft {
            deadline: None,
            grace: None,
        }
    }
}
