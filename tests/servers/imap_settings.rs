//! How the tests reach a mailbox by IMAP.

use std::time::Duration;

use dipjudge::shell::config::Tls;
use dipjudge::shell::inbox::imap::{ImapSettings, ImapTimeouts};
use dipjudge::shell::secret::SecretSource;

/// The judge's mailbox at this port, without TLS.
pub(crate) fn plain(port: u16) -> ImapSettings {
    ImapSettings {
        host: "localhost".into(),
        port,
        tls: Tls::None,
        ca_file: None,
        user: "judge".into(),
        secret: SecretSource::Password("pw-judge".into()),
        mailbox: "INBOX".into(),
        done: "Processed".into(),
        rejected: "Rejected".into(),
        poll: Duration::from_millis(200),
        max_bytes: 100_000,
        timeouts: ImapTimeouts::default(),
    }
}
