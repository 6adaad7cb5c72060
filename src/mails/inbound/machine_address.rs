//! Addresses that belong to programs.

use super::address::Address;

/// Mailboxes that nobody reads.
const MACHINES: &[&str] = &[
    "mailer-daemon",
    "postmaster",
    "noreply",
    "no-reply",
    "donotreply",
    "do-not-reply",
    "mailerdaemon",
    "mail-daemon",
    "listserv",
    "majordomo",
    "sympa",
    "mailman",
    "virus-alert",
    "virusalert",
    "antivirus",
    "amavis",
    "amavisd",
    "mailsweeper",
    "mailscanner",
    "imss",
    "mail.delivery.system",
    "mdaemon",
    "post_master",
    "post-master",
];

/// Whether an address belongs to a program, by the names in RFC 3834 and common ones.
pub(super) fn is_machine(address: &Address) -> bool {
    let local = address.local().to_lowercase();
    MACHINES.contains(&local.as_str())
        || local.starts_with("owner-")
        || local.starts_with("bounce")
        || local.starts_with("noreply-")
        || local.starts_with("mailer-daemon")
        || ["-request", "-bounces", "-owner"]
            .iter()
            .any(|end| local.ends_with(end))
}
