//! Mails that cannot be written leave a word in the log.

use dipjudge_mails::outbound::RenderError;

/// What a template makes, or a word in the log: nobody's mail is left out in silence.
pub(crate) trait OrLogged<T> {
    /// What was made; `None` and an error in the log if it could not be.
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
