//! What is kept of mailings for HISTORY. Of an open game that is one copy of each, as observers got it. Where the board is
//! hidden it is, for each power, what the power was sent, and one copy of the whole for masters and the time behind the
//! end. Press, answers and reminders are no power's history.
//!
//! What a power was sent is kept for whoever leads it later, so also where nobody leads it now. The mail itself is kept
//! where it says nothing of the person. A notice may: that he is ejected is his own affair. So may a mail in his own zone,
//! and where leaders are hidden one that names him to himself. Of these a copy is written for whoever leads later.
//!
//! What is kept is told to people outside the game too, to whom LIST shows names and no addresses. So each text is written twice,
//! from the same facts: with addresses, as it was sent, and with names.

use crate::boundary::{Archived, ByName, Readership};
use crate::work::leak_check;
use crate::work::{GameWork, MailClass, Recipient};
use dipjudge_mails::outbound::Text;
use dipjudge_rules::map::Power;

/// What a text that is kept for HISTORY is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HistoryKind {
    /// A broadcast of press, which HISTORY shows on request.
    Broadcast,
    /// A mailing of the judge.
    Mailing,
}

impl MailClass {
    /// Whether a mailing of this class is part of the history of those to whom it goes.
    fn is_history(self) -> bool {
        match self {
            MailClass::Results | MailClass::Opening | MailClass::Notice => true,
            MailClass::Answer | MailClass::Press | MailClass::Reminder => false,
        }
    }
}

impl GameWork<'_, '_> {
    /// Whether each power has a history of its own in the game in hand.
    pub(crate) fn keeps_by_power(&self) -> bool {
        self.game().begun() && self.hides()
    }

    /// Who reads a copy that is kept for all.
    pub(crate) fn readers_of_all(&self) -> Readership {
        if self.keeps_by_power() {
            Readership::Whole
        } else {
            Readership::Everyone
        }
    }

    /// Who is told what a power is told: its leader, or where nobody leads it and each power has a history of its own,
    /// whoever will lead it.
    pub(crate) fn leader_or_later(&self, power: Power) -> Option<Recipient> {
        let later = || {
            self.keeps_by_power()
                .then(|| Recipient::later_leader(power))
        };
        self.leader(power).or_else(later)
    }

    /// Those of a mailing, and whoever leads their powers later where he is to read another text than they do.
    pub(super) fn with_later_leaders(&self, to: &[Recipient], class: MailClass) -> Vec<Recipient> {
        let later = |to: &Recipient| Some(Recipient::later_leader(to.power?));
        let apart = |to: &&Recipient| class.is_history() && !self.is_kept_as_sent(**to, class);
        let apart = to.iter().filter(apart);
        let later: Vec<Recipient> = apart.filter_map(later).collect();
        let mut all = to.to_vec();
        for one in later {
            if !all.contains(&one) {
                all.push(one);
            }
        }
        all
    }

    /// Whether what a recipient reads is what is kept for his power; where nothing is kept by power it makes no
    /// difference.
    fn is_kept_as_sent(&self, to: Recipient, class: MailClass) -> bool {
        let Some(power) = to.power else {
            return true;
        };
        if !self.keeps_by_power() {
            return true;
        }
        let later = self.reader(Recipient::later_leader(power));
        let of_the_person = class == MailClass::Notice
            || self.variant_game().hides_leaders()
            || self.reader(to).zone != later.zone;
        to.is_nobodys() || !of_the_person
    }

    /// Keeps a mail to one of those in the game for his power, if it is part of its history. `write` makes it for another
    /// reader.
    pub(super) fn keep_for_power(
        &mut self,
        to: Recipient,
        text: &Text,
        class: MailClass,
        write: impl FnOnce(&GameWork, Recipient) -> Option<Text>,
    ) {
        let kept = class.is_history() && self.keeps_by_power() && self.is_kept_as_sent(to, class);
        if kept && let Some(power) = to.power {
            let by_name = if self.names_people(class) {
                write(self, to.by_name())
            } else {
                Some(text.clone())
            };
            self.archive(
                Readership::Power(power),
                text,
                by_name,
                HistoryKind::Mailing,
            );
        }
    }

    /// Whether a mailing of this class may name people: results do so only where leaders are shown to contacts.
    fn names_people(&self, class: MailClass) -> bool {
        class != MailClass::Results || self.variant_game().shows_addresses()
    }

    /// Keeps a text for some readers, with the same for who is told no addresses.
    pub(crate) fn archive(
        &mut self,
        readers: Readership,
        text: &Text,
        by_name: Option<Text>,
        kind: HistoryKind,
    ) {
        let game = self.game().name.clone();
        let looked = leak_check::look_at_archived(self, readers, text.clone());
        let text = self.told_keeper(looked, "an entry of HISTORY");
        let by_name = by_name.map_or(ByName::NotKept, |by_name| {
            let looked = leak_check::look_at_names(self, by_name);
            let by_name = self.told_keeper(looked, "an entry of HISTORY");
            if by_name.subject == text.subject && by_name.body() == text.body() {
                ByName::Same
            } else {
                ByName::Other {
                    subject: by_name.subject.clone(),
                    body: by_name.body(),
                }
            }
        });
        let (subject, body) = (text.subject.clone(), text.body());
        let at = self.date;
        self.ruling.archive.push(Archived {
            game,
            readers,
            // HISTORY shows the date that the mail bears.
            at,
            subject,
            body,
            by_name,
            broadcast: kind == HistoryKind::Broadcast,
        });
    }
}
