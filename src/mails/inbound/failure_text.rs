//! Delivery failures in words alone, as hosts write them that know no reports (RFC 3464).

use super::address::Address;
use super::machine::is_machine;

/// How the subjects of such notices begin, in lower case.
const SUBJECTS: &[&str] = &[
    "delivery failure",
    "delivery notification",
    "delivery status notification",
    "failure notice",
    "failed mail",
    "mail delivery failed",
    "mail delivery failure",
    "mail delivery problem",
    "mail failure",
    "mail system error",
    "message status - undeliverable",
    "nondeliverable mail",
    "permanent delivery failure",
    "returned mail",
    "undeliverable",
    "undelivered mail",
    "unzustellbar",
    "warning: could not send message",
    "warning: message",
];

/// What such notices say, in lower case.
const SENTENCES: &[&str] = &[
    "could not be delivered",
    "delivery failed",
    "couldn't be delivered",
    "delivery has failed",
    "delivery to the following recipient",
    "failed permanently",
    "following address",
    "has been delayed",
    "mailbox unavailable",
    "no such user",
    "not able to deliver",
    "not found in directory",
    "permanent fatal errors",
    "recipient address rejected",
    "undeliverable",
    "undelivered",
    "unknown user",
    "user unknown",
    "was not delivered",
    "wasn't able to deliver",
    "your message did not reach",
];

/// What no person says of his own mail; such a notice may name no address.
const AUTOMATIC: &[&str] = &[
    "created automatically by mail delivery software",
    "generated automatically by mail delivery software",
    "automatically generated delivery status notification",
    "mail delivery subsystem",
];

/// Above the copy of the mail that came back.
const COPIES: &[&str] = &[
    "below this line is a copy",
    "original message",
    "this is a copy of",
    "received: from",
    "return-path:",
    "unsent message",
];

/// Whether a notice says that a mail was not delivered: by its subject and by a sentence, since a person may write either.
pub(super) fn tells_failure(subject: &str, text: &str) -> bool {
    let subject = subject.trim().to_lowercase();
    let text = text.to_lowercase();
    let holds = |sentences: &[&str]| sentences.iter().any(|words| text.contains(words));
    let named = SUBJECTS.iter().any(|words| subject.starts_with(words))
        || subject.ends_with("(delivery failed)");
    named && (holds(AUTOMATIC) || (holds(SENTENCES) && text.contains('@')))
}

/// The address that a notice names first, above the mail that came back, except those of programs and the notice's own.
pub(super) fn failed_address(text: &str, own: &[&Address]) -> Option<Address> {
    let above = text.lines().take_while(|line| {
        let line = line.to_lowercase();
        !COPIES.iter().any(|words| line.contains(words))
    });
    let words = above
        .flat_map(|line| line.split(|c: char| c.is_whitespace() || "<>()[]\"',;:=".contains(c)));
    words
        .filter(|word| word.contains('@'))
        .filter_map(|word| Address::parse(word.trim_matches(['.', '\''])).ok())
        .find(|address| !is_machine(address) && !own.iter().any(|one| one.key() == address.key()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_failing_address_is_found_in_words() {
        let judge = Address::parse("judge@example.org").unwrap();
        for text in [
            "Hi. This is the qmail-send program at mx.example.net.\n<ben@example.net>:\nno such user",
            "The following address(es) failed:\n\n  ben@example.net\n    SMTP error 550",
            "Your mail from judge@example.org to mailto:ben@example.net could not be delivered",
            "550 5.1.1 RCPT TO:<ben@example.net> user unknown, ask postmaster@example.net",
        ] {
            let found = failed_address(text, &[&judge]).map(|address| address.to_string());
            assert_eq!(found.as_deref(), Some("ben@example.net"), "{text}");
        }
        let copy = "It failed.\n--- Below this line is a copy of the message.\nTo: eve@example.net";
        assert_eq!(failed_address(copy, &[&judge]), None);
    }

    #[test]
    fn a_person_who_writes_of_a_failure_is_no_host() {
        assert!(tells_failure(
            "Undeliverable: USXX",
            "ben@example.net: user unknown"
        ));
        assert!(tells_failure(
            "Mail delivery failed: returning message to sender",
            "This message was created automatically by mail delivery software."
        ));
        for (subject, text) in [
            ("Re: Undeliverable: USXX", "ben@example.net: user unknown"),
            ("Undeliverable: USXX", "A Par - Bur"),
            (
                "Undeliverable: USXX",
                "My mail to you was undelivered.\nA Par - Bur",
            ),
            ("USXX orders", "no such user ben@example.net"),
        ] {
            assert!(!tells_failure(subject, text), "{subject}: {text}");
        }
    }
}
