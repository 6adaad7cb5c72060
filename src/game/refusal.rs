//! Why something is not done.

/// Sentences that tell the sender of a line, or of a mail, why it is not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(pub Vec<String>);

impl Refusal {
    /// The sentences, each for a line of its own.
    #[must_use]
    pub fn into_sentences(self) -> Vec<String> {
        self.0
    }

    /// The sentences in one text, a line for each.
    #[must_use]
    pub fn text(&self) -> String {
        self.0.join("\n")
    }
}

/// Each line of the text is a sentence.
impl From<String> for Refusal {
    fn from(text: String) -> Refusal {
        Refusal::from(text.as_str())
    }
}

impl From<&str> for Refusal {
    fn from(text: &str) -> Refusal {
        Refusal(text.split('\n').map(str::to_owned).collect())
    }
}

impl From<Vec<String>> for Refusal {
    fn from(sentences: Vec<String>) -> Refusal {
        Refusal(sentences)
    }
}

impl From<Refusal> for Vec<String> {
    fn from(refusal: Refusal) -> Vec<String> {
        refusal.0
    }
}

/// Refuses what was asked for.
///
/// # Errors
/// Always.
pub fn refuse<T>(why: impl Into<Refusal>) -> Result<T, Refusal> {
    Err(why.into())
}
