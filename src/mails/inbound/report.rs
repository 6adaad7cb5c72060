//! Delivery status notifications (RFC 3464): which address failed, for good or for now.

use std::fmt;

use super::address::Address;
use super::fields::Fields;
use super::limits::Limits;
use super::part_tree::Part;

/// The most recipients read from one report; mails of the judge have one each.
const MAX_COUNT: usize = 50;

/// What a bounce says. Empty if it is not in the standard form (old hosts send only text): then only the token of the
/// address that it came to is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DsnReport {
    /// One for each address that it reports on.
    pub recipients: Vec<DsnRecipient>,
    /// The Message-ID, in angle brackets, of the mail that came back, if the report contains its header.
    pub returned_message_id: Option<String>,
    /// What the judge has called the mail for such notices (RFC 3461 4.4), if a host repeats it.
    pub envelope_id: Option<String>,
}

/// What became of a mail to one address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DsnRecipient {
    /// What the host did.
    pub action: DsnAction,
    /// The status code (RFC 3463), if there is a valid one.
    pub status: Option<Status>,
    /// The address that was tried in the end, if it is usable.
    pub final_recipient: Option<Address>,
    /// The address that the judge wrote to, if it is given and usable.
    pub original_recipient: Option<Address>,
}

/// `Action` of RFC 3464 2.3.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DsnAction {
    /// The server has given up on this recipient.
    Failed,
    /// Tried again later.
    Delayed,
    /// In the mailbox.
    Delivered,
    /// Handed to a host that sends no reports.
    Relayed,
    /// Handed to several more addresses.
    Expanded,
    /// Missing or unknown.
    Unknown,
}

/// A status code, `5.1.1` (RFC 3463).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// 2 success, 4 a passing failure, 5 a lasting one.
    pub class: u16,
    /// 1 about the address, 2 the mailbox, 3 the host, 4 the network, 5 the protocol, 6 the content, 7 policy.
    pub subject: u16,
    /// The third number of the enhanced status code (RFC 3463).
    pub detail: u16,
}

impl DsnRecipient {
    /// Whether delivery has failed for good, which counts against the address: `failed` with a status 5.x or none.
    pub fn is_failure(&self) -> bool {
        self.action == DsnAction::Failed && self.status.is_none_or(|status| status.class == 5)
    }

    /// Whether there is no such mailbox (5.1.1, 5.1.10).
    pub fn is_no_such_address(&self) -> bool {
        self.is_failure()
            && self
                .status
                .is_some_and(|status| status.subject == 1 && matches!(status.detail, 1 | 10))
    }
}

impl DsnReport {
    /// Reads the header of a bounce by Exim and similar programs.
    pub(super) fn from_header(fields: &Fields<'_>) -> Self {
        let failed = fields
            .addresses("x-failed-recipients")
            .into_iter()
            .take(MAX_COUNT);
        let recipients = failed.map(|address| DsnRecipient {
            action: DsnAction::Failed,
            status: None,
            final_recipient: Some(address),
            original_recipient: None,
        });
        DsnReport {
            recipients: recipients.collect(),
            returned_message_id: None,
            envelope_id: None,
        }
    }

    /// Whether it names an address that it is about.
    pub(super) fn names_address(&self) -> bool {
        self.recipients.iter().any(|recipient| {
            recipient.final_recipient.is_some() || recipient.original_recipient.is_some()
        })
    }

    /// Adds the addresses that the words of a notice name; of a mail that is still tried they have not failed yet.
    pub(super) fn add_named_in_words(&mut self, addresses: Vec<Address>, retried: bool) {
        let action = if retried {
            DsnAction::Delayed
        } else {
            DsnAction::Failed
        };
        // The machine-readable part says better what became of the one that it does not name.
        if let ([only], [address]) = (self.recipients.as_mut_slice(), addresses.as_slice()) {
            only.final_recipient = Some(address.clone());
            return;
        }
        self.recipients
            .extend(addresses.into_iter().map(|address| DsnRecipient {
                action,
                status: None,
                final_recipient: Some(address),
                original_recipient: None,
            }));
    }

    /// Adds what the mail that came back says, where the notice names nobody: whom it went to. It may be a notice itself,
    /// which a host has wrapped into one of its own.
    pub(super) fn add_from_returned(&mut self, root: &Part<'_>, own: &[&Address], limits: &Limits) {
        for leaf in root.leaves() {
            if !is_returned(leaf) {
                continue;
            }
            let bytes = leaf.bytes();
            let (fields, body) = Fields::split(&bytes);
            let wrapped = Part::read(&fields, body, limits).ok();
            let is_notice = |part: &Part<'_>| {
                part.leaves()
                    .iter()
                    .any(|leaf| leaf.media.is_delivery_status())
            };
            if let Some(inner) = wrapped.filter(is_notice) {
                *self = std::mem::take(self).with_parts(&inner);
                return;
            }
            let mut to = fields.addresses("to");
            to.retain(|address| !own.iter().any(|one| one.key() == address.key()));
            if let [only] = to.as_slice() {
                self.add_named_in_words(vec![only.clone()], false);
                return;
            }
        }
    }

    /// Adds what the parts say: the machine-readable part about recipients, the returned mail about its id.
    pub(super) fn with_parts(mut self, root: &Part<'_>) -> Self {
        for leaf in root.leaves() {
            if leaf.media.is_delivery_status() {
                let bytes = leaf.bytes();
                let (fields, _) = Fields::split(&bytes);
                self.envelope_id = fields
                    .plain("original-envelope-id")
                    .map(|id| id.trim().to_owned());
                let told = recipients(&bytes);
                if !told.is_empty() {
                    self.recipients = told;
                }
            }
            if is_returned(leaf) && self.returned_message_id.is_none() {
                let bytes = leaf.bytes();
                self.returned_message_id = Fields::split(&bytes).0.ids("message-id").pop();
            }
        }
        self
    }
}

/// Whether a part is the mail that came back, or its header.
pub(super) fn is_returned(leaf: &Part<'_>) -> bool {
    leaf.media.is("message", "rfc822")
        || leaf.media.is("message", "global")
        || leaf.media.is("text", "rfc822-headers")
        || leaf.media.is("message", "global-headers")
}

/// Reads blocks of fields separated by empty lines; the first one is about the mail as a whole.
fn recipients(bytes: &[u8]) -> Vec<DsnRecipient> {
    let mut found = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() && found.len() < MAX_COUNT {
        let (fields, after) = Fields::split(rest);
        let address = |name: &str| {
            let value = fields.plain(name)?;
            // `rfc822; ben@example.org`: the kind of address comes first, with some hosts twice.
            let bare = value
                .rsplit_once(';')
                .map_or(value.as_str(), |(_, address)| address);
            Address::parse(bare.trim().trim_matches(['<', '>'])).ok()
        };
        // The fields may be in any order: Exim writes the action before the address.
        if fields.has("action") || fields.has("final-recipient") {
            found.push(DsnRecipient {
                action: action(&fields.plain("action").unwrap_or_default()),
                status: fields.plain("status").and_then(|text| status(&text)),
                final_recipient: address("final-recipient"),
                original_recipient: address("original-recipient"),
            });
        }
        rest = after;
    }
    found
}

fn action(text: &str) -> DsnAction {
    let word = text
        .split(|c: char| !c.is_ascii_alphabetic())
        .next()
        .unwrap_or_default();
    match word.to_ascii_lowercase().as_str() {
        "failed" => DsnAction::Failed,
        "delayed" => DsnAction::Delayed,
        "delivered" => DsnAction::Delivered,
        "relayed" => DsnAction::Relayed,
        "expanded" => DsnAction::Expanded,
        _ => DsnAction::Unknown,
    }
}

/// `5.1.1 (bad mailbox)`.
fn status(text: &str) -> Option<Status> {
    let code = text.split_whitespace().next()?;
    let mut numbers = code.split('.').map(|number| number.parse::<u16>().ok());
    let status = Status {
        class: numbers.next()??,
        subject: numbers.next()??,
        detail: numbers.next()??,
    };
    (matches!(status.class, 2 | 4 | 5) && numbers.next().is_none()).then_some(status)
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.class, self.subject, self.detail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_read_in_any_order_of_fields() {
        let report = b"Reporting-MTA: dns; mx.example.org\r\n\r\nAction: failed\r\nFinal-Recipient: rfc822;ben@example.org\r\n\
            Status: 5.1.1 (no such user)\r\n\r\nFinal-Recipient: RFC822; <eve@example.net>\r\nStatus: 4.4.1\r\nACTION: Delayed\r\n";
        let told = recipients(report);
        assert_eq!(told.len(), 2);
        assert!(told[0].is_failure() && told[0].is_no_such_address());
        assert_eq!(
            told[0].final_recipient.as_ref().unwrap().to_string(),
            "ben@example.org"
        );
        assert_eq!(told[0].status.unwrap().to_string(), "5.1.1");
        assert!(!told[1].is_failure());
        assert_eq!(told[1].action, DsnAction::Delayed);
    }

    #[test]
    fn broken_codes_are_none() {
        for text in ["", "5", "5.1", "5.1.1.1", "9.1.1", "five", "5.1.99999999"] {
            assert_eq!(status(text), None, "{text}");
        }
    }
}
