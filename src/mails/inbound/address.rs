//! Mail addresses as the judge accepts, compares and shows them.

use std::cmp::Ordering;
use std::fmt;
use std::net::IpAddr;

use thiserror::Error;

use super::clean::clean_header_text;
use dipjudge_rules::folding::is_invisible;

/// The longest address that SMTP can carry (RFC 5321 4.5.3.1.3, without the angle brackets).
const MAX_LENGTH: usize = 254;

/// A mailbox, perhaps with a display name.
///
/// The domain is in lower case. The local part is kept as written, since some hosts distinguish case, but two addresses
/// that differ in case only are equal: a player is recognized even if a phone wrote `Anna@`.
#[derive(Clone, Debug)]
pub struct Address {
    name: Option<String>,
    local: String,
    domain: String,
}

/// Why a text is not an address that the judge writes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BadAddress {
    /// No `@`, or nothing on one side of it.
    #[error("an address is written name@host")]
    Incomplete,
    /// Longer than SMTP can carry.
    #[error("an address has at most 254 characters")]
    TooLong,
    /// `%` or `!`: a route through another host, by which the judge could be abused as a relay.
    #[error("an address with % or ! is a route, not a mailbox")]
    Routed,
    /// `"two words"@host`.
    #[error("quoted names before the @ are not taken")]
    Quoted,
    /// `ben@[192.0.2.1]`.
    #[error("an address needs the name of a host, not its number")]
    HostNumber,
    /// Anything else that RFC 5321 does not allow.
    #[error("this is not a mail address")]
    Malformed,
}

impl Address {
    /// Reads a bare address, without a name and without angle brackets.
    ///
    /// # Errors
    /// [`BadAddress`] for anything other than a plain mailbox at a named host.
    ///
    /// ```
    /// use dipjudge_mails::inbound::Address;
    /// let anna = Address::parse("Anna@Example.ORG").unwrap();
    /// assert_eq!(anna.to_string(), "Anna@example.org");
    /// assert_eq!(anna, Address::parse("anna@example.org").unwrap());
    /// ```
    pub fn parse(text: &str) -> Result<Self, BadAddress> {
        let text = text.trim();
        if text.len() > MAX_LENGTH {
            return Err(BadAddress::TooLong);
        }
        if text.contains('"') {
            return Err(BadAddress::Quoted);
        }
        if text.contains(['%', '!']) {
            return Err(BadAddress::Routed);
        }
        let (local, domain) = text.rsplit_once('@').ok_or(BadAddress::Incomplete)?;
        if local.is_empty() || domain.is_empty() {
            return Err(BadAddress::Incomplete);
        }
        if domain.starts_with('[') || domain.parse::<IpAddr>().is_ok() {
            return Err(BadAddress::HostNumber);
        }
        let strange = |c: char| {
            c.is_whitespace() || c.is_control() || is_invisible(c) || "@()<>,;:\\[]".contains(c)
        };
        if local.contains(strange)
            || domain.contains(strange)
            || text.parse::<lettre::Address>().is_err()
        {
            return Err(BadAddress::Malformed);
        }
        Ok(Address {
            name: None,
            local: local.to_owned(),
            domain: domain.to_lowercase(),
        })
    }

    /// Sets the display name, cleaned; an empty one is ignored.
    pub fn with_name(mut self, name: &str) -> Self {
        let name = clean_header_text(name);
        self.name = (!name.is_empty()).then_some(name);
        self
    }

    /// A placeholder for the sender of a delivery report without a usable `From`. It cannot be written to: `invalid` is
    /// reserved (RFC 2606).
    pub(super) fn of_a_machine() -> Self {
        Address {
            name: None,
            local: "mailer-daemon".to_owned(),
            domain: "invalid".to_owned(),
        }
    }

    /// The display name, without control characters, at most 64 characters.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The part before the `@`, as written.
    pub fn local(&self) -> &str {
        &self.local
    }

    /// The part after the `@`, in lower case.
    pub fn domain(&self) -> &str {
        &self.domain
    }

    /// The form in which addresses are compared and stored: all in lower case.
    pub fn key(&self) -> String {
        format!("{}@{}", self.local.to_lowercase(), self.domain)
    }

    /// The detail of a plus-form of `base`: `friday` for `judge+friday@host` where `base` is `judge@host` (RFC 5233).
    /// `Some("")` for `base` itself, `None` for other mailboxes.
    pub fn detail_of(&self, base: &Address) -> Option<&str> {
        if self.domain != base.domain {
            return None;
        }
        let (name, detail) = self.local.split_once('+').unwrap_or((&self.local, ""));
        (name.to_lowercase() == base.local.to_lowercase()).then_some(detail)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.local, self.domain)
    }
}

impl PartialEq for Address {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Address {}

impl PartialOrd for Address {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Address {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_mailboxes_are_taken() {
        for text in [
            "ben@example.org",
            "o'brien@example.org",
            "a.b+c@sub.example.co.uk",
            "Müller@example.org",
            " ben@example.org ",
            "ben@localhost",
        ] {
            assert!(Address::parse(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn what_is_no_plain_mailbox_is_refused() {
        for (text, why) in [
            ("ben", BadAddress::Incomplete),
            ("@example.org", BadAddress::Incomplete),
            ("ben@", BadAddress::Incomplete),
            ("ben%example.net@example.org", BadAddress::Routed),
            ("host!ben@example.org", BadAddress::Routed),
            ("\"ben b\"@example.org", BadAddress::Quoted),
            ("ben@[192.0.2.1]", BadAddress::HostNumber),
            ("ben@192.0.2.1", BadAddress::HostNumber),
            ("ben@a@example.org", BadAddress::Malformed),
            ("ben b@example.org", BadAddress::Malformed),
            ("ben\u{202e}@example.org", BadAddress::Malformed),
            ("ben@exa\rmple.org", BadAddress::Malformed),
            ("ben@example..org", BadAddress::Malformed),
        ] {
            assert_eq!(Address::parse(text).unwrap_err(), why, "{text}");
        }
        let long = format!("{}@example.org", "a".repeat(300));
        assert_eq!(Address::parse(&long).unwrap_err(), BadAddress::TooLong);
    }

    #[test]
    fn plus_forms_are_found_without_regard_to_case() {
        let judge = Address::parse("judge@example.org").unwrap();
        let detail = |text: &str| {
            let address = Address::parse(text).unwrap();
            address.detail_of(&judge).map(str::to_owned)
        };
        assert_eq!(detail("Judge+AbC@EXAMPLE.org"), Some("AbC".to_owned()));
        assert_eq!(detail("judge@example.org"), Some(String::new()));
        assert_eq!(detail("judges+abc@example.org"), None);
        assert_eq!(detail("judge+abc@example.net"), None);
    }
}
