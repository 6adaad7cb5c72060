//! The reason why a line is refused.

/// Sentences that explain to the sender of a line why it is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(pub Vec<String>);

impl From<String> for Refusal {
    fn from(sentence: String) -> Refusal {
        Refusal(vec![sentence])
    }
}

impl From<&str> for Refusal {
    fn from(sentence: &str) -> Refusal {
        Refusal::from(sentence.to_owned())
    }
}

impl From<Refusal> for Vec<String> {
    fn from(refusal: Refusal) -> Vec<String> {
        refusal.0
    }
}

/// Refuses a line.
///
/// # Errors
/// Always.
pub fn refuse<T>(why: impl Into<Refusal>) -> Result<T, Refusal> {
    Err(why.into())
}
