//! What the refusal of a server concerns: the recipient, the mail, or the judge (RFC 5321 4.2, RFC 3463).

use super::SendOutcome;

/// The step of an SMTP dialogue at which the server refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SmtpStage {
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

impl SmtpStage {
    fn words(self) -> &'static str {
        match self {
            SmtpStage::Connect => "at the greeting",
            SmtpStage::Auth => "at the login",
            SmtpStage::Mail => "for our sender's address",
            SmtpStage::Recipient => "for the recipient",
            SmtpStage::Data => "before the text",
            SmtpStage::Text => "after the text",
        }
    }
}

/// The text of a permanent refusal without what differs from mail to mail, to recognize that a server refuses several mails
/// with the same words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal(String);

impl Refusal {
    fn new(code: u16, text: &str, recipient: &str) -> Refusal {
        let recipient = recipient.to_ascii_lowercase();
        let (local, domain) = local_and_domain(&recipient);
        let mut said = code.to_string();
        for (place, word) in text.to_ascii_lowercase().split_whitespace().enumerate() {
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
            let of_this_mail = bare.contains('@') || bare == local || bare == domain;
            // Numbers of sessions and queues differ; but the enhanced status at the start is kept.
            let number = place > 0 && bare.contains(|c: char| c.is_ascii_digit());
            if !of_this_mail && !number {
                said.push(' ');
                said.push_str(word);
            }
        }
        Refusal(said)
    }

    /// The words.
    pub fn words(&self) -> &str {
        &self.0
    }
}

/// What follows from the refusal of a mail to this recipient, with this code and text. The token in the envelope `sender`
/// is removed from the text for the keeper.
pub fn interpret_refusal(
    stage: SmtpStage,
    code: u16,
    text: &str,
    recipient: &str,
    sender: &str,
) -> SendOutcome {
    let shown: String = without_token(text, sender)
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(300)
        .collect();
    let why = format!("the server says {code} {}: {}", stage.words(), shown.trim());
    let status = enhanced(text, code);
    // A refused login concerns the judge, but 454 is a temporary fault of the server (RFC 4954 6).
    if !(500..600).contains(&code) {
        let slow_all = code == 421 || matches!((code, status), (450 | 451, Some((4, 7, _))));
        // Before the recipient is named, or if the server closes the connection, it does not concern the recipient.
        return match stage {
            SmtpStage::Connect | SmtpStage::Auth | SmtpStage::Mail => {
                SendOutcome::Away { why, slow_all }
            }
            _ if code == 421 => SendOutcome::Away { why, slow_all },
            _ => SendOutcome::Later { why, slow_all },
        };
    }
    if matches!(stage, SmtpStage::Connect | SmtpStage::Auth) {
        return SendOutcome::Stop { why };
    }
    let refusal = Refusal::new(code, text, recipient);
    match (code, status) {
        // The recipient's mailbox is full, whatever we send.
        (552, Some((5, 2, 2))) => {}
        (552, _) | (_, Some((_, 3, 4))) => return SendOutcome::Unwanted { why, refusal },
        (530, _) => return SendOutcome::Stop { why },
        _ => {}
    }
    match (stage, status.map(subject_of)) {
        (SmtpStage::Mail | SmtpStage::Connect | SmtpStage::Auth, _) => SendOutcome::Stop { why },
        (SmtpStage::Recipient, _) if refuses_to_relay(code, status, text, recipient) => {
            SendOutcome::Stop { why }
        }
        (SmtpStage::Text, None | Some(StatusSubject::Sender | StatusSubject::Unknown)) => {
            SendOutcome::Unwanted { why, refusal }
        }
        (_, Some(StatusSubject::Recipient))
        | (SmtpStage::Recipient, Some(StatusSubject::Unknown) | None) => SendOutcome::Refused {
            why,
            refusal: Some(refusal),
        },
        (_, Some(StatusSubject::Sender)) => SendOutcome::PutOff { why, refusal },
        (SmtpStage::Data, Some(StatusSubject::Unknown) | None) => SendOutcome::Stop { why },
    }
}

fn local_and_domain(address: &str) -> (&str, &str) {
    address.rsplit_once('@').unwrap_or((address, ""))
}

/// What an enhanced status concerns (RFC 3463).
enum StatusSubject {
    /// The recipient's address or mailbox.
    Recipient,
    /// The address of the judge, its protocol, or a policy of the server.
    Sender,
    /// Something else.
    Unknown,
}

fn subject_of(status: (u16, u16, u16)) -> StatusSubject {
    match status {
        (_, 1, 1 | 2 | 3 | 6 | 10) | (_, 2, _) => StatusSubject::Recipient,
        (_, 1, 0 | 7 | 8) | (_, 5 | 7, _) => StatusSubject::Sender,
        _ => StatusSubject::Unknown,
    }
}

/// The text of a server without the token of the envelope sender, which servers repeat: with the token anybody could forge
/// bounces.
fn without_token(text: &str, sender: &str) -> String {
    let local = sender.rsplit_once('@').map_or(sender, |(local, _)| local);
    let Some((_, token)) = local.split_once('+').filter(|(_, token)| !token.is_empty()) else {
        return text.to_owned();
    };
    let (lower, secret) = (text.to_ascii_lowercase(), token.to_ascii_lowercase());
    let mut shown = String::new();
    let mut from = 0;
    for (at, _) in lower.match_indices(&secret) {
        shown.push_str(text.get(from..at).unwrap_or_default());
        shown.push_str("...");
        from = at + secret.len();
    }
    shown.push_str(text.get(from..).unwrap_or_default());
    shown
}

/// The enhanced status code that starts the text (RFC 2034), if its class is that of the reply.
fn enhanced(text: &str, code: u16) -> Option<(u16, u16, u16)> {
    let word = text.split_whitespace().next()?;
    let mut numbers = word.split('.').map(|digits| digits.parse::<u16>().ok());
    let status = (numbers.next()??, numbers.next()??, numbers.next()??);
    (numbers.next().is_none() && status.0 == code / 100).then_some(status)
}

/// Whether the server refuses to relay mail for the judge. That is a fault of the configuration, not of the recipient.
///
/// Servers repeat the address in their text, and players choose their addresses, so the address and its parts are removed
/// before the text is searched; else `relay-denied@…` could stop the judge.
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
    let (local, domain) = local_and_domain(&recipient);
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
        "relaying is prohibited",
        "not permitted to relay",
        "relaying prohibited",
        "we do not relay",
        "relaying not permitted",
    ]
    .into_iter()
    .any(|words| text.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANNA: &str = "anna@example.org";
    const JUDGE: &str = "judge+b7tk2@judge.test";

    fn kind(stage: SmtpStage, code: u16, text: &str) -> &'static str {
        kind_for(stage, code, text, ANNA)
    }

    fn kind_for(stage: SmtpStage, code: u16, text: &str, recipient: &str) -> &'static str {
        match interpret_refusal(stage, code, text, recipient, JUDGE) {
            SendOutcome::Delivered => "delivered",
            SendOutcome::Later {
                slow_all: false, ..
            } => "later",
            SendOutcome::Later { slow_all: true, .. } => "later, all slower",
            SendOutcome::Away {
                slow_all: false, ..
            } => "away",
            SendOutcome::Away { slow_all: true, .. } => "away, all slower",
            SendOutcome::Refused { .. } => "refused",
            SendOutcome::PutOff { .. } => "put off",
            SendOutcome::Unwanted { .. } => "unwanted",
            SendOutcome::Stop { .. } => "stop",
        }
    }

    #[test]
    fn each_row_of_the_table() {
        for (stage, code, text, expected) in [
            (SmtpStage::Recipient, 450, "mailbox busy", "later"),
            (
                SmtpStage::Recipient,
                451,
                "4.7.1 greylisted, try again later",
                "later, all slower",
            ),
            (SmtpStage::Recipient, 450, "4.7.1 rate", "later, all slower"),
            (SmtpStage::Recipient, 452, "4.2.2 mailbox full", "later"),
            (SmtpStage::Recipient, 451, "4.3.0 local problem", "later"),
            (SmtpStage::Mail, 421, "4.3.2 closing", "away, all slower"),
            (SmtpStage::Mail, 451, "4.3.0 no room", "away"),
            (
                SmtpStage::Recipient,
                421,
                "4.3.2 closing",
                "away, all slower",
            ),
            (
                SmtpStage::Connect,
                421,
                "too many connections",
                "away, all slower",
            ),
            (
                SmtpStage::Auth,
                454,
                "4.7.0 temporary authentication failure",
                "away",
            ),
            (
                SmtpStage::Recipient,
                550,
                "5.1.1 no such user here",
                "refused",
            ),
            (SmtpStage::Recipient, 553, "no such mailbox", "refused"),
            (SmtpStage::Recipient, 552, "5.2.2 over quota", "refused"),
            (SmtpStage::Recipient, 550, "5.1.2 no such domain", "refused"),
            (SmtpStage::Recipient, 550, "5.1.3 bad syntax", "refused"),
            (SmtpStage::Recipient, 551, "5.1.6 has moved", "refused"),
            (SmtpStage::Recipient, 556, "5.1.10 null MX", "refused"),
            (SmtpStage::Data, 550, "5.1.1 no such user here", "refused"),
            (SmtpStage::Recipient, 550, "5.4.4 no route", "refused"),
            (
                SmtpStage::Recipient,
                550,
                "5.7.1 blocked by policy",
                "put off",
            ),
            (
                SmtpStage::Recipient,
                553,
                "5.7.1 <judge+b7tk2@judge.test>: Sender address rejected: not owned by user judge",
                "put off",
            ),
            (
                SmtpStage::Recipient,
                554,
                "5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.dnsbl.test",
                "put off",
            ),
            (SmtpStage::Recipient, 553, "5.1.8 bad sender", "put off"),
            (SmtpStage::Recipient, 553, "5.1.7 bad sender", "put off"),
            (SmtpStage::Recipient, 550, "5.1.0 sender unknown", "put off"),
            (SmtpStage::Recipient, 503, "5.5.1 out of order", "put off"),
            (SmtpStage::Data, 554, "5.7.1 access denied", "put off"),
            (SmtpStage::Data, 554, "no valid recipients", "stop"),
            (SmtpStage::Mail, 550, "5.7.1 sender not allowed", "stop"),
            (SmtpStage::Mail, 553, "sender rejected", "stop"),
            (SmtpStage::Data, 554, "5.5.1 no valid recipients", "put off"),
            (SmtpStage::Auth, 535, "5.7.8 wrong password", "stop"),
            (SmtpStage::Auth, 504, "mechanism unknown", "stop"),
            (SmtpStage::Connect, 554, "no SMTP service here", "stop"),
            (
                SmtpStage::Mail,
                530,
                "5.7.0 must issue STARTTLS first",
                "stop",
            ),
            (SmtpStage::Recipient, 530, "authentication required", "stop"),
            (
                SmtpStage::Recipient,
                554,
                "5.7.1 <anna@example.org>: Relay access denied",
                "stop",
            ),
            (SmtpStage::Recipient, 550, "relay not permitted", "stop"),
            (
                SmtpStage::Mail,
                552,
                "5.3.4 message size exceeds fixed limit",
                "unwanted",
            ),
            (SmtpStage::Text, 552, "too much mail data", "unwanted"),
            (SmtpStage::Text, 554, "5.3.4 too big", "unwanted"),
            (SmtpStage::Text, 550, "5.1.1 no such user here", "refused"),
            (SmtpStage::Text, 554, "Sending suspended", "unwanted"),
            (
                SmtpStage::Text,
                550,
                "5.7.1 this looks like spam",
                "unwanted",
            ),
            (SmtpStage::Text, 451, "4.7.1 later", "later, all slower"),
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
                kind_for(SmtpStage::Recipient, 550, text, address),
                "refused",
                "{address}"
            );
        }
    }

    #[test]
    fn one_refusal_is_known_again_whoever_it_is_told() {
        let said = |text: &str, recipient: &str| Refusal::new(550, text, recipient);
        assert_eq!(
            said(
                "5.7.1 <anna@example.org>: Sender <judge+b7@judge.test> rejected (session 4a71)",
                ANNA
            ),
            said(
                "5.7.1 <ben@other.test>: Sender <judge+bq@judge.test> rejected (session 98bc)",
                "ben@other.test"
            )
        );
        assert_eq!(
            said("no anna at example.org here", ANNA),
            said("no ben at other.test here", "ben@other.test")
        );
        assert_ne!(said("5.7.1 no", ANNA), said("5.1.1 no", ANNA));
        assert_ne!(said("access denied", ANNA), said("no such user", ANNA));
    }

    #[test]
    fn the_keeper_does_not_read_the_token_of_the_envelope() {
        let text = "5.7.1 <judge+b7tk2@judge.test> JUDGE+B7TK2@judge.test: rejected";
        let SendOutcome::PutOff { why, .. } =
            interpret_refusal(SmtpStage::Recipient, 553, text, ANNA, JUDGE)
        else {
            panic!()
        };
        assert_eq!(
            why,
            "the server says 553 for the recipient: 5.7.1 <judge+...@judge.test> JUDGE+...@judge.test: rejected"
        );
    }

    #[test]
    fn the_keeper_reads_the_servers_words_on_one_line() {
        let SendOutcome::Refused { why, .. } = interpret_refusal(
            SmtpStage::Recipient,
            550,
            "5.1.1 no\r\nsuch user",
            ANNA,
            JUDGE,
        ) else {
            panic!()
        };
        assert_eq!(
            why,
            "the server says 550 for the recipient: 5.1.1 no  such user"
        );
    }
}
