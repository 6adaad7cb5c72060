//! What of a mail each domain takes, learned from what it refused: later mails go there with that at once.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use dipjudge_store::{MailForm, Store, StoreError};

/// So long a domain is believed; then a whole mail is tried again.
const BELIEVED: SignedDuration = SignedDuration::from_hours(7 * 24);
/// The most domains that are remembered.
const MOST: usize = 1000;
/// The key in the store.
const KEY: &str = "outbox-forms";

/// The forms by domain.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LearnedForms {
    domains: BTreeMap<String, LearnedForm>,
    /// Mails that were refused for their content and are tried with less.
    #[serde(skip)]
    tried: BTreeMap<u64, MailForm>,
}

/// What a domain takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct LearnedForm {
    form: MailForm,
    since: Timestamp,
}

impl LearnedForms {
    /// Reads them from the store.
    pub(super) fn read(store: &Store) -> Result<LearnedForms, StoreError> {
        Ok(super::read_note(store, KEY)?.unwrap_or_default())
    }

    /// The entry for the store.
    pub(super) fn entry(&self) -> Result<(String, Vec<u8>), serde_json::Error> {
        Ok((KEY.to_owned(), serde_json::to_vec(self)?))
    }

    /// In which form a mail to this address goes; never in a larger one than it already has.
    pub(super) fn form_for(&self, to: &str, has: MailForm, now: Timestamp) -> MailForm {
        let known = self.domains.get(&super::refusals::domain(to));
        let learned = known
            .filter(|known| now.duration_since(known.since) < BELIEVED)
            .map_or(MailForm::Whole, |known| known.form);
        match (has, learned) {
            (MailForm::TextAlone, _) | (_, MailForm::TextAlone) => MailForm::TextAlone,
            (MailForm::WithoutPicture, _) | (_, MailForm::WithoutPicture) => {
                MailForm::WithoutPicture
            }
            (MailForm::Whole, MailForm::Whole) => MailForm::Whole,
        }
    }

    /// A mail was refused for its content, and is tried in this form.
    pub(super) fn tries(&mut self, mail: u64, form: MailForm) {
        self.tried.insert(mail, form);
    }

    /// No refusal was for the content: the server refuses the judge.
    pub(super) fn forget_tries(&mut self) {
        self.tried.clear();
    }

    /// A mail was accepted. Says whether something was learned, which then is to be stored.
    pub(super) fn accepted(&mut self, mail: u64, to: &str, now: Timestamp) -> bool {
        let Some(form) = self.tried.remove(&mail) else {
            return false;
        };
        while self.domains.len() >= MOST {
            let oldest = self.domains.iter().min_by_key(|(_, known)| known.since);
            let Some(oldest) = oldest.map(|(domain, _)| domain.clone()) else {
                break;
            };
            self.domains.remove(&oldest);
        }
        let domain = super::refusals::domain(to);
        tracing::info!(mail, ?form, "later mails to this domain go with less");
        self.domains
            .insert(domain, LearnedForm { form, since: now });
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_gets_what_it_has_taken_and_in_a_week_the_whole_is_tried_again() {
        let now = Timestamp::UNIX_EPOCH;
        let mut forms = LearnedForms::default();
        assert!(!forms.accepted(1, "ben@example.net", now));
        forms.tries(2, MailForm::WithoutPicture);
        assert!(forms.accepted(2, "ben@Example.net", now));
        let form = |to, has, days: i64| {
            forms.form_for(to, has, now + SignedDuration::from_hours(24 * days))
        };
        let (whole, less) = (MailForm::Whole, MailForm::WithoutPicture);
        assert_eq!(form("eve@example.net", whole, 6), less);
        assert_eq!(form("eve@example.org", whole, 6), whole);
        assert_eq!(form("eve@example.net", whole, 8), whole);
        assert_eq!(
            form("eve@example.net", MailForm::TextAlone, 0),
            MailForm::TextAlone
        );
        let (_, bytes) = forms.entry().unwrap();
        assert_eq!(
            serde_json::from_slice::<LearnedForms>(&bytes).unwrap(),
            forms
        );
    }

    #[test]
    fn nothing_is_learned_of_a_server_that_refuses_everything() {
        let mut forms = LearnedForms::default();
        forms.tries(1, MailForm::TextAlone);
        forms.forget_tries();
        assert!(!forms.accepted(1, "ben@example.net", Timestamp::UNIX_EPOCH));
    }
}
