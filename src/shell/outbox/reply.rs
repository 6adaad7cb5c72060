//! What a server's refusal means: this recipient, this mail, or us (RFC 5321 4.2, RFC 3463).

use super::Sent;

/// The step of an SMTP dialogue at which the server refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Greeting, EHLO or STARTTLS.
    Connect,
    /// AUTH.
    Auth,
    /// MAIL FROM.
    Mail,
    /// RCPT TO.
    Recipient,
    /// DATA, before the text.
    Data,
    /// The answer to the text.
    Text,
}

impl Stage {
    fn words(self) -> &'static str {
        match self {
            Stage::Connect => "at the greeting",
            Stage::Auth => "at the login",
            Stage::Mail => "for our sender's address",
            Stage::Recipient => "for the recipient",
            Stage::Data => "before the text",
            Stage::Text => "after the text",
        }
    }
}

/// What follows from a refusal with this code and text.
pub fn judge(stage: Stage, code: u16, text: &str, recipient: &str) -> Sent {
    let shown: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(300)
        .collect();
    let why = format!("the server says {code} {}: {}", stage.words(), shown.trim());
    let status = enhanced(text, code);
    // A login is ours whatever its code; but 454 is the server's own trouble (RFC 4954 6).
    if !(500..600).contains(&code) {
        let slow_all = code == 421 || matches!((code, status), (450 | 451, Some((4, 7, _))));
        return Sent::Later { why, slow_all };
    }
    if matches!(stage, Stage::Connect | Stage::Auth) {
        return Sent::Stop { why };
    }
    match (code, status) {
        // The recipient's mailbox is full, whatever we send.
        (552, Some((5, 2, 2))) => Sent::Refused { why },
        (552, _) | (_, Some((_, 3, 4))) => Sent::TooLarge { why },
        (530, _) => Sent::Stop { why },
        _ => match stage {
            Stage::Recipient if refuses_to_relay(code, status, text, recipient) => {
                Sent::Stop { why }
            }
            Stage::Recipient => Sent::Refused { why },
            Stage::Text => Sent::Unwanted { why },
            Stage::Connect | Stage::Auth | Stage::Mail | Stage::Data => Sent::Stop { why },
        },
    }
}

/// The enhanced status code that starts the text (RFC 2034), if its class is that of the reply.
fn enhanced(text: &str, code: u16) -> Option<(u16, u16, u16)> {
    let word = text.split_whitespace().next()?;
    let mut numbers = word.split('.').map(|digits| digits.parse::<u16>().ok());
    let status = (numbers.next()??, numbers.next()??, numbers.next()??);
    (numbers.next().is_none() && status.0 == code / 100).then_some(status)
}

/// Whether the server does not know us as one for whom it sends mail on. That is our fault, not the recipient's.
///
/// Servers repeat the address in their text, and players choose their addresses: the address, and each part of it, is taken out before
/// the text is read, or `relay-denied@…` could stop the judge.
fn refuses_to_relay(
    code: u16,
    status: Option<(u16, u16, u16)>,
    text: &str,
    recipient: &str,
) -> bool {
    // 5.1.x is about the address and 5.2.x about the mailbox, whatever the words.
    if matches!(status, Some((_, 1 | 2, _))) || !matches!(code, 550 | 551 | 553 | 554) {
        return false;
    }
    let mut text = text.to_ascii_lowercase();
    let recipient = recipient.to_ascii_lowercase();
    let (local, domain) = recipient.rsplit_once('@').unwrap_or((&recipient, ""));
    for part in [recipient.as_str(), local, domain] {
        if !part.is_empty() {
            text = text.replace(part, " ");
        }
    }
    [
        "relay not permitted",
        "relay access denied",
        "relaying denied",
        "relay denied",
        "unable to relay",
        "relaying not allowed",
    ]
    .into_iter()
    .chain([
        "relaying is prohibited",
        "not permitted to relay",
        "relaying prohibited",
        "we do not relay",
        "relaying not permitted",
    ])
    .any(|words| text.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANNA: &str = "anna@example.org";

    fn kind(stage: Stage, code: u16, text: &str) -> &'static str {
        kind_for(stage, code, text, ANNA)
    }

    fn kind_for(stage: Stage, code: u16, text: &str, recipient: &str) -> &'static str {
        match judge(stage, code, text, recipient) {
            Sent::Delivered => "delivered",
            Sent::Later {
                slow_all: false, ..
            } => "later",
            Sent::Later { slow_all: true, .. } => "later, all slower",
            Sent::Refused { .. } => "refused",
            Sent::Unwanted { .. } => "unwanted",
            Sent::Stop { .. } => "stop",
            Sent::TooLarge { .. } => "too large",
        }
    }

    #[test]
    fn each_row_of_the_table() {
        for (stage, code, text, expected) in [
            (Stage::Recipient, 450, "mailbox busy", "later"),
            (
                Stage::Recipient,
                451,
                "4.7.1 greylisted, try again later",
                "later, all slower",
            ),
            (Stage::Recipient, 450, "4.7.1 rate", "later, all slower"),
            (Stage::Recipient, 452, "4.2.2 mailbox full", "later"),
            (Stage::Recipient, 451, "4.3.0 local problem", "later"),
            (Stage::Mail, 421, "4.3.2 closing", "later, all slower"),
            (
                Stage::Connect,
                421,
                "too many connections",
                "later, all slower",
            ),
            (
                Stage::Auth,
                454,
                "4.7.0 temporary authentication failure",
                "later",
            ),
            (Stage::Recipient, 550, "5.1.1 no such user here", "refused"),
            (Stage::Recipient, 553, "no such mailbox", "refused"),
            (Stage::Recipient, 552, "5.2.2 over quota", "refused"),
            (Stage::Recipient, 550, "5.7.1 blocked by policy", "refused"),
            (Stage::Mail, 550, "5.7.1 sender not allowed", "stop"),
            (Stage::Mail, 553, "sender rejected", "stop"),
            (Stage::Data, 554, "5.5.1 no valid recipients", "stop"),
            (Stage::Auth, 535, "5.7.8 wrong password", "stop"),
            (Stage::Auth, 504, "mechanism unknown", "stop"),
            (Stage::Connect, 554, "no SMTP service here", "stop"),
            (Stage::Mail, 530, "5.7.0 must issue STARTTLS first", "stop"),
            (Stage::Recipient, 530, "authentication required", "stop"),
            (
                Stage::Recipient,
                554,
                "5.7.1 <anna@example.org>: Relay access denied",
                "stop",
            ),
            (Stage::Recipient, 550, "relay not permitted", "stop"),
            (
                Stage::Mail,
                552,
                "5.3.4 message size exceeds fixed limit",
                "too large",
            ),
            (Stage::Text, 552, "too much mail data", "too large"),
            (Stage::Text, 554, "5.3.4 too big", "too large"),
            (Stage::Text, 550, "5.7.1 this looks like spam", "unwanted"),
            (Stage::Text, 451, "4.7.1 later", "later, all slower"),
        ] {
            assert_eq!(kind(stage, code, text), expected, "{stage:?} {code} {text}");
        }
    }

    #[test]
    fn an_address_cannot_stop_the_judge() {
        for (address, text) in [
            ("relay-denied@x.test", "<relay-denied@x.test> unknown"),
            ("relay@denied.test", "550 relay denied.test unknown user"),
            ("x@relaying.denied", "no host relaying.denied"),
            ("unable@x.test", "5.1.1 unable to relay to unable"),
            ("Relaying.Denied@x.test", "RELAYING.DENIED: unknown"),
        ] {
            assert_eq!(
                kind_for(Stage::Recipient, 550, text, address),
                "refused",
                "{address}"
            );
        }
    }

    #[test]
    fn the_keeper_reads_the_servers_words_on_one_line() {
        let Sent::Refused { why } = judge(Stage::Recipient, 550, "5.1.1 no\r\nsuch user", ANNA)
        else {
            panic!()
        };
        assert_eq!(
            why,
            "the server says 550 for the recipient: 5.1.1 no  such user"
        );
    }
}
