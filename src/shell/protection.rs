//! How connections are protected, and where that is not needed: on this machine.

use std::net::IpAddr;

/// How a connection to a mail server is protected. What is configured is required, never only used if offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tls {
    /// TLS from the first byte (ports 993 and 465; RFC 8314 3).
    Implicit,
    /// A plain connection, then STARTTLS before anything else (ports 143 and 587).
    StartTls,
    /// No protection; only to a server on this machine.
    None,
}

/// Whether a host is this machine. The name alone decides, so that no name server has a say in it.
pub(crate) fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    bare.eq_ignore_ascii_case("localhost")
        || bare
            .parse::<IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}
