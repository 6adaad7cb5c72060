//! Which signatures count. A valid signature says that its domain sent these words; it has to be shown too that they were sent as
//! this mail to this judge, since a signed mail to somebody else can be sent on by everybody who has it.

use jiff::{SignedDuration, Timestamp};
use mail_auth::AuthenticatedMessage;
use mail_auth::common::crypto::Algorithm;
use mail_auth::dkim::Signature;
use mail_parser::parsers::MessageStream;

use super::Sealers;
use dipjudge_mails::inbound::Address;

/// The fields that a signature must cover, each of which a mail must have once.
const COVERED: [&str; 4] = ["from", "to", "date", "subject"];
/// How far the date of a signed mail may lie before its arrival. It is recognized for longer, if it comes again.
const OLDEST: SignedDuration = SignedDuration::from_hours(14 * 24);
/// How far it may lie behind it, since clocks differ.
const AHEAD: SignedDuration = SignedDuration::from_hours(1);
/// The longest header in which signatures are looked for.
const MOST_HEADER: usize = 256 * 1024;

/// Whether a message has a field of a signature, so that there is something to check.
pub(super) fn may_be_signed(message: &[u8]) -> bool {
    let header = message.get(..MOST_HEADER).unwrap_or(message);
    let mut lines = header.split(|byte| *byte == b'\n');
    let begins = |line: &[u8], name: &[u8]| {
        let begin = line.get(..name.len());
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(name))
    };
    lines
        .by_ref()
        .take_while(|line| !matches!(line, [] | [b'\r']))
        .any(|line| begins(line, b"dkim-signature:") || begins(line, b"arc-seal:"))
}

/// What a signature says of itself, of DKIM or of ARC.
pub(super) struct SignatureFacts<'a> {
    pub(super) algorithm: Algorithm,
    pub(super) covered: &'a [String],
    /// The bytes of the body that it covers; 0 for all.
    pub(super) length: u64,
}

impl<'a> From<&'a Signature> for SignatureFacts<'a> {
    fn from(signature: &'a Signature) -> Self {
        SignatureFacts {
            algorithm: signature.a,
            covered: &signature.h,
            length: signature.l,
        }
    }
}

impl<'a> From<&'a mail_auth::arc::Signature> for SignatureFacts<'a> {
    fn from(signature: &'a mail_auth::arc::Signature) -> Self {
        SignatureFacts {
            algorithm: signature.a,
            covered: &signature.h,
            length: signature.l,
        }
    }
}

impl SignatureFacts<'_> {
    /// Whether it covers all that makes a mail this mail, in a way that is held for safe today (RFC 8301).
    pub(super) fn covers_the_mail(&self) -> bool {
        let covers = |name: &&str| {
            let mut covered = self.covered.iter();
            covered.any(|covered| covered.trim().eq_ignore_ascii_case(name))
        };
        self.algorithm != Algorithm::RsaSha1 && self.length == 0 && COVERED.iter().all(covers)
    }
}

/// Whether a domain that signs is that of the address itself or one above it, as for the word of a trusted host.
pub(super) fn signs_for(signer: &str, from: &Address) -> bool {
    let signer = signer.trim_end_matches('.').to_lowercase();
    let domain = from.domain();
    let above = || {
        let rest = domain.strip_suffix(signer.as_str());
        rest.is_some_and(|rest| rest.ends_with('.'))
    };
    signer == domain || (signer.contains('.') && above())
}

/// Whether all these domains are among the named sealers.
pub(super) fn are_named<'a>(mut sealed: impl Iterator<Item = &'a str>, sealers: &Sealers) -> bool {
    !sealers.is_empty() && sealed.all(|domain| sealers.contains(&domain.to_lowercase()))
}

/// Whether a mail is addressed to this judge, dated about when it came, and has each field once that a signature must cover.
pub(super) fn is_for_this_judge(
    message: &AuthenticatedMessage<'_>,
    date: Option<Timestamp>,
    arrived: Timestamp,
    judge: &Address,
) -> bool {
    let fields = |name: &'static str| {
        let fields = message.headers.iter();
        fields.filter(move |(field, _)| field.trim_ascii().eq_ignore_ascii_case(name.as_bytes()))
    };
    let once = COVERED.iter().all(|name| fields(name).count() == 1);
    let recent = date.is_some_and(|date| {
        let age = arrived.duration_since(date);
        age <= OLDEST && age >= -AHEAD
    });
    once && recent && fields("to").any(|(_, value)| names(value, judge))
}

/// Whether a `To` field names the judge, with or without a token.
fn names(field: &[u8], judge: &Address) -> bool {
    let mut terminated = field.to_vec();
    if !terminated.ends_with(b"\n") {
        terminated.extend_from_slice(b"\r\n");
    }
    let read = MessageStream::new(&terminated).parse_address();
    let Some(list) = read.as_address() else {
        return false;
    };
    list.iter().any(|one| {
        let address = one.address().and_then(|text| Address::parse(text).ok());
        address.is_some_and(|address| address.detail_of(judge).is_some())
    })
}
