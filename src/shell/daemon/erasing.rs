//! Takes a forgotten person's name and addresses out of everything that the store keeps.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use dipjudge_game::PersonId;
use dipjudge_judge::forgotten_address;
use dipjudge_store::{Store, StoreError};

/// What is to be taken out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Erasure {
    /// The number, which stays.
    pub person: PersonId,
    /// The name; `None` where another person bears it too, or it is not known any more.
    pub name: Option<String>,
    /// The addresses.
    pub addresses: Vec<String>,
}

impl Erasure {
    /// Takes it out of logs, archives and notes, and drops mails that wait for these addresses or were given up. Returns how many
    /// texts were changed. It may be done again.
    ///
    /// # Errors
    /// If the store cannot be read or written.
    pub fn carry_out(&self, store: &Store) -> Result<usize, StoreError> {
        for mail in store.waiting()? {
            if self.addresses.contains(&mail.to) {
                store.delivered(mail.id)?;
            }
        }
        for mail in store.failed()? {
            if self.addresses.contains(&mail.mail.to) {
                store.forget(mail.mail.id)?;
            }
        }
        store.rewrite(&|text| self.without(text))
    }

    /// A text without them; `None` if it has none.
    fn without(&self, text: &str) -> Option<String> {
        let instead = forgotten_address(self.person);
        let mut new = text.to_owned();
        for address in &self.addresses {
            new = replaced(&new, address, &instead);
        }
        if let Some(name) = &self.name {
            new = replaced(&new, &as_in_json(name), "somebody");
        }
        (new != text).then_some(new)
    }
}

/// A name as it stands within a string of JSON.
fn as_in_json(name: &str) -> String {
    let quoted = serde_json::to_string(name).unwrap_or_default();
    quoted.trim_matches('"').to_owned()
}

/// A text with other words in place of these, in any case, where no longer word or address holds them.
fn replaced(text: &str, words: &str, instead: &str) -> String {
    if words.is_empty() {
        return text.to_owned();
    }
    let lower = text.to_ascii_lowercase();
    let words = words.to_ascii_lowercase();
    let mut new = String::with_capacity(text.len());
    let mut done = 0;
    for (at, _) in lower.match_indices(&words) {
        let end = at + words.len();
        let (Some(before), Some(behind)) = (text.get(..at), text.get(end..)) else {
            continue;
        };
        if before.ends_with(is_of_address) || goes_on(behind) || at < done {
            continue;
        }
        new.push_str(text.get(done..at).unwrap_or_default());
        new.push_str(instead);
        done = end;
    }
    new.push_str(text.get(done..).unwrap_or_default());
    new
}

fn is_of_address(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '+' | '_' | '-' | '@')
}

/// Whether what stands behind belongs to a longer word or address; a full stop may end the sentence.
fn goes_on(behind: &str) -> bool {
    let mut letters = behind.chars();
    match letters.next() {
        Some('.') => letters.next().is_some_and(char::is_alphanumeric),
        Some(c) => is_of_address(c),
        None => false,
    }
}

/// The list of those who were forgotten, by the keyed hashes of their addresses: it lies beside the data folder, in no backup, so that a
/// restored copy of before can be made to forget them again.
pub fn list_beside(data: &Path) -> PathBuf {
    data.with_file_name("forgotten")
}

/// Adds hashes to that list.
///
/// # Errors
/// If it cannot be written.
pub fn add_to_list(data: &Path, keys: &[String]) -> io::Result<()> {
    let mut file = File::options()
        .create(true)
        .append(true)
        .mode(0o600)
        .open(list_beside(data))?;
    for key in keys {
        writeln!(file, "{key}")?;
    }
    file.sync_all()
}

/// The hashes in that list; without a list there are none.
///
/// # Errors
/// If it cannot be read.
pub fn listed(data: &Path) -> io::Result<Vec<String>> {
    match fs::read_to_string(list_beside(data)) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        other => Ok(other?.lines().map(str::to_owned).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_taken_out_and_a_longer_one_stays() {
        let text = "anna@ex.org, joanna@ex.org, anna@ex.org.uk; ANNA@EX.ORG. anna@ex.org";
        assert_eq!(
            replaced(text, "anna@ex.org", "X"),
            "X, joanna@ex.org, anna@ex.org.uk; X. X"
        );
        assert_eq!(
            replaced("Anna Annas anna", "Anna", "somebody"),
            "somebody Annas somebody"
        );
    }
}
