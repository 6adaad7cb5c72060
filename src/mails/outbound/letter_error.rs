//! Why a message cannot be written.

/// Why a message cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum LetterError {
    /// An address is malformed.
    #[error("cannot write to or from the address \"{address}\": {source}")]
    Address {
        /// The malformed address.
        address: String,
        /// What is wrong with it.
        source: lettre::address::AddressError,
    },
    /// A message id has characters that are not allowed.
    #[error("unusable message id \"{id}\"")]
    MessageId {
        /// The malformed id.
        id: String,
    },
    /// The library does not know the media type of a part.
    #[error("cannot name the type of a part")]
    MediaType,
    /// The token that names the parts is not of letters and digits, or has the wrong length.
    #[error("unusable names of parts")]
    Token,
    /// The library refused.
    #[error("cannot build the message: {source}")]
    Build {
        /// What the library says.
        source: lettre::error::Error,
    },
}
