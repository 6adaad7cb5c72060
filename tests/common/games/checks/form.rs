//! The form of mails: who they are to, their fields and ids, answers and threads.

use std::collections::{BTreeMap, BTreeSet};

use super::Game;
use crate::games::play::PlayEvent;
use crate::games::received::Received;
use crate::games::{DOMAIN, JUDGE};
use crate::old_tools;

impl Game<'_> {
    pub(super) fn every_mail_is_well_formed(&self) {
        let known: BTreeSet<&str> = self
            .script
            .people
            .iter()
            .map(|person| person.address.as_str())
            .collect();
        let mut ids = BTreeSet::new();
        let mut addresses: BTreeMap<&str, &str> = BTreeMap::new();
        for mail in self.came() {
            let name = || format!("\"{}\" to {:?}", mail.subject, mail.to);
            assert_eq!(mail.to.len(), 1, "one recipient: {}", name());
            assert!(
                known.contains(mail.to[0].as_str()),
                "nobody else is written to: {}",
                name()
            );
            assert_eq!(mail.from, JUDGE, "{}", name());
            assert!(
                mail.field("Cc").is_none() && mail.field("Bcc").is_none(),
                "{}",
                name()
            );
            assert!(
                ids.insert(mail.message_id.clone()),
                "a Message-ID of its own: {}",
                name()
            );
            assert_eq!(mail.field("Precedence"), Some("bulk"), "{}", name());
            assert_eq!(
                mail.field("X-Auto-Response-Suppress"),
                Some("All"),
                "{}",
                name()
            );
            assert_eq!(mail.field("X-Loop"), Some(JUDGE), "{}", name());
            let submitted = mail.field("Auto-Submitted").unwrap_or_default();
            assert!(
                ["auto-replied", "auto-generated"].contains(&submitted),
                "{}",
                name()
            );
            assert!(
                mail.field("Date").is_some() && mail.field("MIME-Version") == Some("1.0"),
                "{}",
                name()
            );
            // Whoever has a part in the game is answered at an address that is his alone.
            if let Some(reply_to) = &mail.reply_to {
                assert!(
                    reply_to.starts_with("judge+") && reply_to.ends_with(&format!("@{DOMAIN}")),
                    "{}: {reply_to}",
                    name()
                );
                let owner = addresses.entry(reply_to).or_insert(mail.reader());
                assert_eq!(
                    *owner,
                    mail.reader(),
                    "an address for answers is nobody else's: {}",
                    name()
                );
            }
            if mail.subject.contains("USXX:kaiser") {
                let read = old_tools::read(&mail.subject, &mail.body);
                let header = read
                    .header
                    .unwrap_or_else(|| panic!("the header block: {}\n{}", name(), mail.body));
                assert_eq!(
                    (header.0.as_str(), header.1.as_str()),
                    ("USXX", "Kaiser"),
                    "{}",
                    name()
                );
                assert!(mail.field("List-Id").is_some(), "{}", name());
            }
            for line in mail.body.lines() {
                let may_be_long = line.contains(" clock ")
                    || line.starts_with("Time to ")
                    || line.contains("is waiting for someone to take over")
                    || line.contains(" -> ")
                    || line.contains("SUPPORT")
                    || line.contains("CONVOY")
                    || line.starts_with("> ");
                assert!(
                    may_be_long || line.chars().count() <= 78,
                    "{}: a line is too long: {line}",
                    name()
                );
            }
            // The judge's words are plain: nothing that looks like a template that was not filled.
            for sign in ["{{", "}}", "{%", "undefined", "None,"] {
                assert!(
                    !mail.body.contains(sign) && !mail.subject.contains(sign),
                    "{}: {sign}",
                    name()
                );
            }
        }
    }

    /// One mail in, one reply out; the second delivery of one message is silent.
    pub(super) fn every_message_has_its_answer(&self) {
        let mut answers: BTreeMap<&str, Vec<&Received>> = BTreeMap::new();
        for mail in self
            .came()
            .filter(|mail| mail.field("Auto-Submitted") == Some("auto-replied"))
        {
            let id = mail
                .in_reply_to
                .as_deref()
                .unwrap_or_else(|| panic!("an answer names what it answers: {}", mail.subject));
            answers.entry(id).or_default().push(mail);
        }
        for sent in self.sent() {
            let id = format!("<kaiser-{}@{DOMAIN}>", sent.number);
            let mut readers: Vec<&str> = answers
                .remove(id.as_str())
                .unwrap_or_default()
                .iter()
                .map(|mail| mail.reader())
                .collect();
            readers.sort_unstable();
            let as_another = sent.text.contains("BECOME G");
            let expected = if as_another {
                vec!["dirk", "gm"]
            } else {
                vec![sent.from.as_str()]
            };
            // The player for whom the master acts never wrote that message: his copy does not name it.
            let own = readers.contains(&sent.from.as_str())
                && readers.iter().all(|reader| expected.contains(reader));
            assert!(
                own && readers.len() <= expected.len(),
                "the answer to {} by {}: {readers:?}",
                sent.number,
                sent.from
            );
        }
        assert!(
            answers.is_empty(),
            "answers to nothing: {:?}",
            answers.keys()
        );
    }

    pub(super) fn nothing_comes_twice(&self) {
        let mut seen = BTreeSet::new();
        for mail in self.came() {
            // Answers may read alike when somebody says the same thing again.
            if mail
                .in_reply_to
                .as_deref()
                .is_some_and(|id| id.starts_with("<kaiser-"))
            {
                continue;
            }
            let what = (mail.reader(), mail.date, &mail.subject, &mail.body);
            assert!(
                seen.insert(what),
                "twice to {}: {}\n{}",
                mail.reader(),
                mail.subject,
                mail.body
            );
        }
    }

    /// What answers a mail names it; what belongs together names what came before.
    pub(super) fn threads_hold(&self) {
        let mut known: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for happened in self.record {
            match happened {
                PlayEvent::Sent(sent) => {
                    known
                        .entry(&sent.from)
                        .or_default()
                        .insert(format!("<kaiser-{}@{DOMAIN}>", sent.number));
                }
                PlayEvent::Received(came) => {
                    let ids = came
                        .field("References")
                        .unwrap_or_default()
                        .split_whitespace()
                        .map(str::to_owned);
                    let ids: Vec<String> = ids.chain(came.in_reply_to.clone()).collect();
                    let own = known.entry(came.reader()).or_default();
                    for id in ids {
                        assert!(
                            own.contains(&id),
                            "{} names a mail that {} never saw: {id}",
                            came.subject,
                            came.reader()
                        );
                    }
                    own.insert(came.message_id.clone());
                }
                _ => {}
            }
        }
    }
}
