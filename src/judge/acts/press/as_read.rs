//! A message as one reader reads it (`judge-workflow.md` 5.3).

use std::collections::BTreeSet;

use super::cleared::Cleared;
use super::{Address, To};
use crate::acts::among_contacts::{self, existence_hidden};
use crate::people::press_sender;
use crate::work::{GameWork, Recipient};
use dipjudge_commands::press_options::PressColor;
use dipjudge_game::project::Labels;
use dipjudge_mails::outbound::{Addressee, Audience, HeadlineForm, PressMail, Sender};
use dipjudge_rules::map::Power;
use dipjudge_view::Viewer;

impl Cleared {
    /// The message for `to`, with powers named by `labels`.
    pub(super) fn as_read_by(
        &self,
        work: &GameWork,
        to: Recipient,
        labels: &Labels,
    ) -> Option<PressMail> {
        let viewer = work.reader(to).viewer;
        let addressees = Addressees {
            labels,
            told: (!to.is_any_observer())
                .then(|| work.variant_game().seen_by(viewer).told_in_lists()),
            // The order of the powers' numbers may be used only where it is no secret which powers exist.
            order: if existence_hidden(work) {
                Order::ByName
            } else {
                Order::ByNumber
            },
        };
        let truth = addressees.audience(&self.to);
        let fake = self.fake.as_ref().map(|fake| addressees.audience(fake));
        let (audience, really) = match fake {
            Some(fake) => (fake, (viewer == Viewer::Master).then_some(truth)),
            None => (truth, None),
        };
        let head = if among_contacts::writes_among_contacts(work, self.acting) {
            HeadlineForm::Contacts
        } else if let Some(announcement) = &self.official {
            HeadlineForm::Official(announcement.subject.clone())
        } else {
            HeadlineForm::Message
        };
        Some(PressMail {
            sender: self.sender(work, to, labels)?,
            audience,
            really,
            text: self.text.clone(),
            headline: head,
        })
    }

    /// What this reader may know of the writer.
    fn sender(&self, work: &GameWork, to: Recipient, labels: &Labels) -> Option<Sender> {
        let led = self.acting.power;
        if self.color == PressColor::White {
            return press_sender::white_by(work, to, &self.writer, led, labels);
        }
        work.person_for(to, self.acting.seat)?;
        if work.reader(to).viewer != Viewer::Master {
            return Some(Sender::Unknown);
        }
        let (power, _) = press_sender::name_of_writer(&self.writer, led, labels);
        Some(Sender::Unmasked {
            address: self.writer.address.clone(),
            power,
        })
    }
}

/// The order in which a list names powers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    ByName,
    ByNumber,
}

/// How a list of recipients is written for one reader.
struct Addressees<'l> {
    labels: &'l Labels<'l>,
    /// The powers that the list may name; `None` for all.
    told: Option<BTreeSet<Power>>,
    order: Order,
}

impl Addressees<'_> {
    fn audience(&self, to: &To) -> Audience {
        match to {
            To::All => Audience::All,
            To::Only(list) => Audience::Only(self.named(list)),
            To::AllBut(list) => Audience::AllBut(self.named(list)),
        }
    }

    /// Powers are listed first, then masters and observers, whatever their order in the command.
    fn named(&self, list: &[Address]) -> Vec<Addressee> {
        let mut list = list.to_vec();
        list.retain(|address| self.may_name(*address));
        list.sort_by_key(|address| match address {
            Address::Power(power) => (0, self.name_to_sort_by(*power), power.0),
            Address::Master => (1, None, 0),
            Address::Observers => (2, None, 0),
        });
        list.dedup();
        list.into_iter()
            .map(|address| self.addressee(address))
            .collect()
    }

    fn may_name(&self, address: Address) -> bool {
        match (address, &self.told) {
            (Address::Power(power), Some(told)) => told.contains(&power),
            _ => true,
        }
    }

    fn name_to_sort_by(&self, power: Power) -> Option<&str> {
        (self.order == Order::ByName).then(|| self.labels.name(power))
    }

    fn addressee(&self, address: Address) -> Addressee {
        match address {
            Address::Master => Addressee {
                name: "Master".to_owned(),
                letter: "M".to_owned(),
            },
            Address::Observers => Addressee {
                name: "Observers".to_owned(),
                letter: "O".to_owned(),
            },
            Address::Power(power) => Addressee {
                name: self.labels.name(power).to_owned(),
                letter: self.labels.letter(power),
            },
        }
    }
}
