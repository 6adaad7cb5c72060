//! Reports that somebody does not want a mail of the judge (RFC 5965).

use super::address::Address;
use super::fields::Fields;
use super::part_tree::Part;
use super::report::is_returned;

/// What such a report says of the mail that it is about. Providers leave out much of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AbuseReport {
    /// The return path of that mail.
    pub return_path: Option<Address>,
    /// Whom it went to.
    pub recipients: Vec<Address>,
    /// Its subject.
    pub subject: Option<String>,
}

impl AbuseReport {
    /// Reads the part for programs, and the mail that is reported among the parts below `root`.
    pub(super) fn read(report: &[u8], root: &Part<'_>) -> AbuseReport {
        let (fields, _) = Fields::split(report);
        let mut told = AbuseReport {
            return_path: fields.addresses("original-mail-from").pop(),
            recipients: fields.addresses("original-rcpt-to"),
            subject: None,
        };
        if let Some(leaf) = root.leaves().into_iter().find(|leaf| is_returned(leaf)) {
            let bytes = leaf.bytes();
            let (fields, _) = Fields::split(&bytes);
            told.return_path = told
                .return_path
                .or_else(|| fields.addresses("return-path").pop());
            if told.recipients.is_empty() {
                told.recipients = fields.addresses("to");
            }
            told.subject = fields.decoded("subject");
        }
        told
    }
}
