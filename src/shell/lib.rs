//! Mailboxes, servers, files, the clock and the command line: everything that touches the world outside the program.
#![expect(
    clippy::disallowed_methods,
    reason = "this crate does the I/O of the program"
)]

pub mod cli;
pub mod clock;
pub mod config;
pub mod daemon;
pub mod demo;
pub mod inbox;
pub mod maildir;
pub mod outbox;
pub mod pages;
mod painters;
pub mod preflight;
pub mod protection;
pub mod random;
pub mod secret;
mod server_words;
pub mod signed;
pub mod tls;
