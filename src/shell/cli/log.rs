//! The log on standard error, where the service manager reads it.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::{self, IsTerminal};

use tracing_subscriber::filter::{FilterExt, Targets, filter_fn};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Registry, fmt};

/// How the names of this program's crates begin, whose log lines contain no passwords and no texts of mails.
const OWN: &str = "dipjudge";

/// Starts logging at the level `usual`. `RUST_LOG` overrides it, but only for lines of this program: libraries log what they
/// send and receive, including passwords and mails.
pub(super) fn start(usual: &str) {
    let named = std::env::var("RUST_LOG").unwrap_or_default();
    let levels = [named.as_str(), usual].into_iter();
    let wanted = levels
        .filter(|levels| !levels.is_empty())
        .find_map(|levels| levels.parse::<Targets>().ok())
        .unwrap_or_default();
    let own = filter_fn(|line| is_own(line.target()));
    let lines = fmt::layer()
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .with_target(false);
    // The journal adds the time itself.
    let lines: Box<dyn Layer<Registry> + Send + Sync> =
        if std::env::var_os("JOURNAL_STREAM").is_some() {
            lines.without_time().boxed()
        } else {
            lines.boxed()
        };
    // It fails if logging was started before in this process, which is harmless.
    let _ = tracing_subscriber::registry()
        .with(lines.with_filter(own.and(wanted)))
        .try_init();
}

fn is_own(target: &str) -> bool {
    target
        .strip_prefix(OWN)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with("::") || rest.starts_with('_'))
}

/// From now on a panic logs only its location: the message may quote a mail or an order.
pub(super) fn log_panics() {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_crate_of_the_program_is_logged_and_no_library() {
        for own in ["dipjudge", "dipjudge_judge::work", "dipjudge_store"] {
            assert!(is_own(own), "{own}");
        }
        for other in ["lettre", "rustls::client", "dipjudgement::court"] {
            assert!(!is_own(other), "{other}");
        }
        assert!(is_own(module_path!()));
    }
}
