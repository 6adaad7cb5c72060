//! Why data of a log or of a saved game cannot be read.

/// What is wrong with data, in words for whoever keeps or sends them: a sentence of a saved game, a clause of a log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct DataError(String);

impl DataError {
    /// The same, with what it is about before it.
    #[must_use]
    pub fn of(self, what: impl std::fmt::Display) -> DataError {
        DataError(format!("{what}: {self}"))
    }
}

impl From<String> for DataError {
    fn from(why: String) -> DataError {
        DataError(why)
    }
}

impl From<&str> for DataError {
    fn from(why: &str) -> DataError {
        DataError(why.to_owned())
    }
}

/// Says that data cannot be read.
///
/// # Errors
/// Always.
pub fn unreadable<T>(why: impl Into<DataError>) -> Result<T, DataError> {
    Err(why.into())
}
