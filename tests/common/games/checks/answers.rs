//! That each mail is answered.

use super::super::DOMAIN;
use super::super::play::{PlayEvent, came};

/// Every mail that was sent about a game has one answer, which finds no fault in it. How many were sent.
pub fn every_mail_has_its_answer(game: &str, record: &[PlayEvent]) -> usize {
    let mut sent = 0;
    for happened in record {
        let PlayEvent::Sent(mail) = happened else {
            continue;
        };
        sent += 1;
        let id = format!("<{game}-{}@{DOMAIN}>", mail.number);
        let answers = came(record)
            .filter(|came| came.reader() == mail.from && came.in_reply_to.as_ref() == Some(&id))
            .filter(|came| came.subject.starts_with("Re: "))
            .count();
        assert_eq!(
            answers, 1,
            "answers to {id} of {}: {}",
            mail.from, mail.text
        );
    }
    let flagged: Vec<&str> = came(record)
        .filter(|came| came.subject.contains("[Error Flag]"))
        .map(|came| came.body.as_str())
        .collect();
    assert!(flagged.is_empty(), "{flagged:?}");
    sent
}
