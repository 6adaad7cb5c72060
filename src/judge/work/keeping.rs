//! The archive of mailings for HISTORY. For an open game it has one copy of each mailing, as observers received it. If
//! the board is hidden, it has the mails to each power, and one copy of the whole for masters and for everybody once
//! the game is over. Press, answers and reminders do not belong to a power's archive.
//!
//! The mails to a power are archived for its later leaders, so also while it has no leader. If a mail contains nothing
//! about the person, the mail itself is archived. A notice may be about the person, for example that he is ejected; a
//! mail may have dates in his time zone; and in games that hide leaders, a mail may name him to himself. For these, a
//! separate copy is written for later leaders.
//!
//! The archive is also shown to people outside the game, to whom LIST shows names and no addresses. So each text is
//! written twice from the same data: with addresses, as it was sent, and with names.

use crate::boundary::{Archived, ByName, Readership};
use crate::work::leak_check;
use crate::work::{GameWork, MailClass, Recipient};
use dipjudge_game::flows::written_for;
use dipjudge_game::planted::{Leak, planted};
use dipjudge_mails::outbound::Text;
use dipjudge_rules::map::Power;

/// The kind of a text that is archived for HISTORY.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HistoryKind {
    /// A broadcast of press, which HISTORY shows on request.
    Broadcast,
    /// A mailing of the judge.
    Mailing,
}

impl MailClass {
    /// Whether mailings of this class belong to the archive of their recipients.
    fn is_history(self) -> bool {
        match self {
            MailClass::Results | MailClass::Opening | MailClass::Notice => true,
            MailClass::Answer | MailClass::Press | MailClass::Reminder => false,
        }
    }
}

impl GameWork<'_, '_> {
    /// Whether each power of the game in hand has an archive of its own.
    pub(crate) fn keeps_by_power(&self) -> bool {
        self.game().begun() && self.hides()
    }

    /// The readers of a copy that is archived for all.
    pub(crate) fn readers_of_all(&self) -> Readership {
        if self.keeps_by_power() {
            Readership::Whole
        } else {
            Readership::Everyone
        }
    }

    /// The recipient of what is sent to a power: its leader; or, if it has none and each power has an archive of its
    /// own, its later leader.
    pub(crate) fn leader_or_later(&self, power: Power) -> Option<Recipient> {
        let later = || {
            self.keeps_by_power()
                .then(|| Recipient::later_leader(power))
        };
        self.leader(power).or_else(later)
    }

    /// The recipients of a mailing, with the later leaders of their powers if those are to read another text.
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

    /// Whether the mail to a recipient is what is archived for his power; true if there are no archives by power.
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
            || self.reader(to).zone != later.zone && !planted(Leak::Zone);
        to.is_nobodys() || !of_the_person
    }

    /// Archives a mail to one of the people in the game for his power, if it belongs to the archive. `write` makes it
    /// for another reader.
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
                let by_name = to.by_name();
                written_for(self.reader(by_name).viewer, || write(self, by_name))
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

    /// Whether a mailing of this class may name people: results do so only in games that show leaders to their
    /// contacts.
    fn names_people(&self, class: MailClass) -> bool {
        class != MailClass::Results || self.variant_game().shows_addresses()
    }

    /// Archives a text for some readers, with a version for those who may not read addresses.
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
            // HISTORY shows the date of the mail.
            at,
            subject,
            body,
            by_name,
            broadcast: kind == HistoryKind::Broadcast,
        });
    }
}
