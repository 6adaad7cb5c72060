//! What the program says about itself, on standard error, where the service manager picks it up.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;

/// Begins to log. The daemon tells what it does; other commands only what goes wrong. `RUST_LOG` overrides both.
pub(super) fn start(daemon: bool) {
    let usual = if daemon { "info" } else { "warn" };
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(usual));
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .with_target(false);
    // The journal has its own clock. A second start in one process is not worth a word.
    let _ = if std::env::var_os("JOURNAL_STREAM").is_some() {
        lines.without_time().try_init()
    } else {
        lines.try_init()
    };
}

/// From now on a fault in the program says only where it is: what it says otherwise may quote a mail or an order.
pub(super) fn hush_faults() {
    std::panic::set_hook(Box::new(|fault| {
        let place = fault
            .location()
            .map_or_else(|| "an unknown place".to_owned(), ToString::to_string);
        tracing::error!(place, "a fault in the program");
        let trace = Backtrace::capture();
        if trace.status() == BacktraceStatus::Captured {
            tracing::error!("{trace}");
        }
    }));
}
