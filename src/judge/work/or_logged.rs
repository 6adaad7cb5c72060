//! Logs an error if a mail cannot be written.

use dipjudge_mails::outbound::RenderError;

/// The result of a template; an error is logged, so that no mail is left out silently.
pub(crate) trait OrLogged<T> {
    /// The result; `None` after logging the error.
    fn or_logged(self) -> Option<T>;
}

impl<T> OrLogged<T> for Result<T, RenderError> {
    fn or_logged(self) -> Option<T> {
        self.inspect_err(
            |error| tracing::error!(%error, "a mail cannot be written, so its reader goes without"),
        )
        .ok()
    }
}
