//! The daily test mail: from the judge over the relay to an address of its own, and back through the mailbox. It shows whether mail
//! goes out and comes in, what the far end says of it, and whether picture and calendar entry arrive as they were sent.

use jiff::{SignedDuration, Timestamp};
use mail_parser::{HeaderValue, Message, MessageParser, MimeHeaders, PartType};
use serde::{Deserialize, Serialize};

use dipjudge_mails::outbound::{
    self, CalendarPart, Image, Letter, LetterError, Parts, Picture, RenderError, Stamp, Templates,
};
use dipjudge_store::{Store, StoreError};

/// How often one is sent.
const EVERY: SignedDuration = SignedDuration::from_hours(24);
/// How long it may be on its way.
const PATIENCE: SignedDuration = SignedDuration::from_hours(6);
/// What the token of its address begins with, so that it is nobody's reply address.
const MARK: &str = "probe";
/// The picture that it carries: eight by eight grey dots, PNG.
const PICTURE: &[u8] = &[
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x08, 0x08, 0x00, 0x00, 0x00, 0x00, 0xe1, 0x64, 0xe1,
    0x57, 0x00, 0x00, 0x00, 0x53, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x01, 0x48, 0x00, 0xb7, 0xff,
    0x00, 0x00, 0x20, 0x40, 0x60, 0x80, 0xa0, 0xc0, 0xe0, 0x00, 0x11, 0x31, 0x51, 0x71, 0x91, 0xb1,
    0xd1, 0xf1, 0x00, 0x22, 0x42, 0x62, 0x82, 0xa2, 0xc2, 0xe2, 0x02, 0x00, 0x33, 0x53, 0x73, 0x93,
    0xb3, 0xd3, 0xf3, 0x13, 0x00, 0x44, 0x64, 0x84, 0xa4, 0xc4, 0xe4, 0x04, 0x24, 0x00, 0x55, 0x75,
    0x95, 0xb5, 0xd5, 0xf5, 0x15, 0x35, 0x00, 0x66, 0x86, 0xa6, 0xc6, 0xe6, 0x06, 0x26, 0x46, 0x00,
    0x77, 0x97, 0xb7, 0xd7, 0xf7, 0x17, 0x37, 0x57, 0x3b, 0x34, 0x1e, 0xe1, 0x42, 0xac, 0x0c, 0x6d,
    0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
];
/// What its calendar entry says of itself.
const ENTRY: &str = "SUMMARY:Test of the judge's mail";

/// The last test mail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    /// The address that it went to.
    pub to: String,
    /// When it was written.
    pub sent: Timestamp,
    /// When it came back.
    pub back: Option<Timestamp>,
    /// Whether the keeper has been told that it did not.
    pub told: bool,
}

/// Why a test mail cannot be written.
#[derive(Debug, thiserror::Error)]
pub(super) enum ProbeError {
    #[error(transparent)]
    Template(#[from] RenderError),
    #[error(transparent)]
    Letter(#[from] LetterError),
}

impl Probe {
    /// A new one from a judge with this address.
    pub(super) fn new(judge_address: &str, token: &str, now: Timestamp) -> Probe {
        let (local, host) = judge_address
            .rsplit_once('@')
            .unwrap_or((judge_address, ""));
        Probe {
            to: format!("{local}+{MARK}{token}@{host}"),
            sent: now,
            back: None,
            told: false,
        }
    }

    /// Whether the next one is due.
    pub(super) fn is_due(last: Option<&Probe>, now: Timestamp) -> bool {
        last.is_none_or(|last| now.duration_since(last.sent) >= EVERY)
    }

    /// Whether it should have come back by now, and the keeper does not know.
    pub(super) fn is_overdue(&self, now: Timestamp) -> bool {
        self.back.is_none() && !self.told && now.duration_since(self.sent) >= PATIENCE
    }

    /// Its message.
    pub(super) fn letter(
        &self,
        judge: &str,
        stamp: &Stamp,
        templates: &Templates,
        names: &str,
    ) -> Result<Letter, ProbeError> {
        let line = "This mail of the judge to itself shows whether mail goes out and comes in.  Nobody needs to do anything.";
        let text =
            outbound::stranger_notice(templates, judge, "Test of the mail", line.to_owned())?;
        let second = self.sent.strftime("%Y%m%dT%H%M%SZ");
        let object = format!(
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//dipjudge//probe//EN\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nUID:{}\r\nDTSTAMP:{second}\r\n\
             DTSTART:{second}\r\n{ENTRY}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
            self.to
        );
        let parts = Parts {
            html: true,
            picture: Some(Picture {
                image: Image::png(PICTURE.to_vec()),
                width: 8,
                height: 8,
                alt: "Eight by eight dots".to_owned(),
            }),
            calendar: Some(CalendarPart {
                method: "REQUEST",
                object,
            }),
        };
        Ok(outbound::letter(&text, &parts, stamp, names)?)
    }

    /// Whether a message is this test mail on its way back.
    pub(super) fn is_this(&self, message: &[u8]) -> bool {
        if self.back.is_some() {
            return false;
        }
        let address = self.to.to_lowercase();
        let lines = message.split(|byte| *byte == b'\n');
        let mut header = lines.take_while(|line| !line.trim_ascii().is_empty());
        // A notice that it was not delivered names it too, elsewhere.
        header.any(|line| {
            let line = String::from_utf8_lossy(line).to_lowercase();
            line.starts_with("to:") && line.contains(&address)
        })
    }

    /// What is wrong with it as it came back: a sentence for the keeper that names the broken link.
    pub(super) fn fault_of(&self, message: &[u8], trusted: Option<&str>) -> Option<String> {
        let Some(read) = MessageParser::default().parse(message) else {
            return Some("The daily test mail came back, and cannot be read: look at what the relay and the mailbox do to messages.".to_owned());
        };
        if let Some(results) = Verdicts::of(&read, trusted)
            && let Some(sentence) = results.fault(&self.to)
        {
            return Some(sentence);
        }
        let has_picture = read
            .parts
            .iter()
            .any(|part| matches!(&part.body, PartType::InlineBinary(bytes) | PartType::Binary(bytes) if bytes.as_ref() == PICTURE));
        if !has_picture {
            return Some("The daily test mail came back without its picture as it was sent: something on the way takes out or changes attachments; look at the filters of the relay and of the mailbox.".to_owned());
        }
        let has_entry = read.parts.iter().any(|part| {
            let kind = part.content_type();
            let is_calendar = kind.is_some_and(|kind| kind.subtype() == Some("calendar"));
            let text = match &part.body {
                PartType::Text(text) => text.to_string(),
                PartType::Binary(bytes) | PartType::InlineBinary(bytes) => {
                    String::from_utf8_lossy(bytes).into_owned()
                }
                _ => String::new(),
            };
            is_calendar && text.lines().any(|line| line.trim_end() == ENTRY)
        });
        if !has_entry {
            return Some("The daily test mail came back without its calendar entry as it was sent: something on the way takes it for an invitation of its own; look at the filters of the relay and of the mailbox.".to_owned());
        }
        None
    }

    /// Why it has not come back: a sentence for the keeper that names the broken link.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub(super) fn lost(&self, store: &Store) -> Result<String, StoreError> {
        let said =
            |why: Option<String>| why.map_or_else(String::new, |why| format!(" It said: {why}."));
        let waiting = store.waiting()?.into_iter().find(|mail| mail.to == self.to);
        if let Some(mail) = waiting {
            return Ok(format!(
                "The daily test mail still waits in the outbox: the relay has not taken it.{} Type dipjudge send-check {}.",
                said(mail.why),
                self.to
            ));
        }
        let failed = store
            .failed()?
            .into_iter()
            .find(|failed| failed.mail.to == self.to);
        if let Some(failed) = failed {
            return Ok(format!(
                "The relay has refused the daily test mail.{} It must take mail to the judge's own address with anything behind a plus sign: {}.",
                said(failed.mail.why),
                self.to
            ));
        }
        Ok(format!(
            "The relay has taken the daily test mail of {}, and it has not come back to {}: see whether the mailbox takes addresses with a plus sign, and whether the mail lies among its spam.",
            self.sent, self.to
        ))
    }
}

/// What the far end found out about the mail (RFC 8601).
struct Verdicts {
    host: String,
    results: Vec<(String, String)>,
}

impl Verdicts {
    /// Those of the host that is trusted, or else the topmost ones.
    fn of(message: &Message<'_>, trusted: Option<&str>) -> Option<Verdicts> {
        let fields = message.headers().iter().filter(|field| {
            field
                .name
                .as_str()
                .eq_ignore_ascii_case("authentication-results")
        });
        let texts = fields.filter_map(|field| match &field.value {
            HeaderValue::Text(text) => Some(text.to_string()),
            _ => None,
        });
        let mut all = texts.filter_map(|text| Verdicts::read(&text));
        all.find(|one| trusted.is_none_or(|trusted| one.host.eq_ignore_ascii_case(trusted)))
    }

    fn read(text: &str) -> Option<Verdicts> {
        let mut clauses = text.split(';').map(str::trim);
        let host = clauses.next()?.split_whitespace().next()?.to_owned();
        let results = clauses.filter_map(|clause| {
            let (name, rest) = clause.split_once('=')?;
            let word = rest.split_whitespace().next()?;
            Some((name.trim().to_lowercase(), word.to_lowercase()))
        });
        Some(Verdicts {
            host,
            results: results.collect(),
        })
    }

    /// The first verdict that keeps mail out of inboxes.
    fn fault(&self, address: &str) -> Option<String> {
        let domain = address.rsplit_once('@').map_or("", |(_, domain)| domain);
        let host = &self.host;
        let has = |name: &str| {
            let results = self.results.iter();
            let bad = ["fail", "softfail", "permerror", "temperror"];
            results
                .filter(|(method, _)| method == name)
                .map(|(_, result)| result.as_str())
                .find(|result| bad.contains(result))
        };
        if let Some(result) = has("spf") {
            return Some(format!(
                "The daily test mail came back, and {host} says spf={result}: the SPF record of {domain} does not allow the relay; add it there."
            ));
        }
        if let Some(result) = has("dkim") {
            return Some(format!(
                "The daily test mail came back, and {host} says dkim={result}: the relay's signature does not fit the key that {domain} publishes, or something changes the mail behind it."
            ));
        }
        has("dmarc").map(|result| {
            format!(
                "The daily test mail came back, and {host} says dmarc={result}: neither SPF nor DKIM passes for {domain} itself; let the relay sign for it."
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const JUDGE: &str = "judge@example.org";
    const NAMES: &str = "00112233445566778899aabbccddeeff";

    fn at(hour: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + hour * 3_600).unwrap()
    }

    fn probe() -> Probe {
        Probe::new(JUDGE, "abc", at(0))
    }

    fn message() -> String {
        let probe = probe();
        let id = "<a@example.org>".to_owned();
        let stamp = Stamp::plain("USXX", JUDGE, &probe.to, id, at(0));
        let letter = probe.letter("USXX", &stamp, &Templates::built_in(), NAMES);
        String::from_utf8(letter.unwrap().bytes().into_owned()).unwrap()
    }

    fn fault(message: &str) -> String {
        let fault = probe().fault_of(message.as_bytes(), None);
        fault.unwrap_or_default()
    }

    fn judged(results: &str) -> String {
        let field = format!("Authentication-Results: mx.example.net;\r\n {results}\r\n");
        fault(&format!("{field}{}", message()))
    }

    #[test]
    fn a_test_mail_is_known_and_whole_when_it_comes_back() {
        let message = message();
        assert!(probe().is_this(message.as_bytes()));
        assert!(!probe().is_this(b"To: judge@example.org\r\n\r\n"));
        let notice = format!(
            "To: judge@example.org\r\nX-Failed-Recipients: {to}\r\n\r\nTo: {to}\r\n",
            to = probe().to
        );
        assert!(!probe().is_this(notice.as_bytes()));
        assert_eq!(fault(&message), "");
        assert_eq!(
            judged("spf=pass; dkim=pass header.d=example.org; dmarc=pass"),
            ""
        );
        assert_eq!(judged("none"), "");
    }

    #[test]
    fn each_broken_link_is_told_in_a_sentence_that_names_it() {
        for (results, named) in [
            (
                "spf=softfail smtp.mailfrom=judge@example.org",
                "SPF record of example.org",
            ),
            (
                "spf=pass; dkim=fail header.d=example.org",
                "the relay's signature",
            ),
            ("dmarc=fail; spf=none", "let the relay sign for it"),
        ] {
            assert!(
                judged(results).contains(named),
                "{results}: {}",
                judged(results)
            );
        }
        let whole = message();
        let encoded = Image::png(PICTURE.to_vec());
        let encoded = String::from_utf8(encoded.encoded().to_vec()).unwrap();
        let first = encoded.lines().next().unwrap();
        assert!(whole.contains(first));
        assert!(fault(&whole.replace(first, "AAAA")).contains("without its picture"));
        let taken = whole.replace("text/calendar", "text/x-taken");
        assert!(
            fault(&taken).contains("without its calendar entry"),
            "{taken}"
        );
        let other = "Authentication-Results: evil.example; spf=fail\r\n";
        let other = format!("{other}{whole}");
        assert_eq!(
            probe().fault_of(other.as_bytes(), Some("mx.example.net")),
            None
        );
    }

    #[test]
    fn one_a_day_is_sent_and_missed_after_six_hours() {
        let mut probe = probe();
        assert!(Probe::is_due(None, at(0)) && !Probe::is_due(Some(&probe), at(23)));
        assert!(Probe::is_due(Some(&probe), at(24)));
        assert!(!probe.is_overdue(at(5)) && probe.is_overdue(at(6)));
        probe.told = true;
        assert!(!probe.is_overdue(at(6)));
    }

    #[test]
    fn what_has_not_come_back_is_told_by_where_it_was_last() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::create(&folder.path().join("data")).unwrap();
        let lost = probe().lost(&store).unwrap();
        assert!(lost.contains("takes addresses with a plus sign"), "{lost}");
    }
}
