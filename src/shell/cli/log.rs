//! What the program says about itself, on standard error, where the service manager picks it up.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::{self, IsTerminal};

use tracing_subscriber::filter::{FilterExt, filter_fn};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Registry, fmt};

/// The program's own parts, whose lines are written with care for what they hold.
const OWN: &str = env!("CARGO_CRATE_NAME");

/// Begins to log at the `usual` level. `RUST_LOG` overrides it, but only for lines of the program itself: libraries write
/// down what they send and receive, passwords and letters too.
pub(super) fn start(usual: &str) {
    let wanted = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(usual));
    let own = filter_fn(|line| is_own(line.target()));
    let lines = fmt::layer()
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .with_target(false);
    // The journal has its own clock.
    let lines: Box<dyn Layer<Registry> + Send + Sync> =
        if std::env::var_os("JOURNAL_STREAM").is_some() {
            lines.without_time().boxed()
        } else {
            lines.boxed()
        };
    // A second start in one process is not worth a word.
    let _ = tracing_subscriber::registry()
        .with(lines.with_filter(own.and(wanted)))
        .try_init();
}

fn is_own(target: &str) -> bool {
    target
        .strip_prefix(OWN)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
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
