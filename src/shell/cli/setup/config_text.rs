//! The commented config as a text in which keys are given values, so that its comments stay.

use std::path::Path;

use anyhow::{Context, Result};

use crate::config::COMMENTED;

/// A config with its comments.
#[derive(Clone, Debug)]
pub(in crate::cli) struct ConfigText(Vec<String>);

impl ConfigText {
    /// The commented config, in which nothing is set but what the sample sets.
    pub(in crate::cli) fn commented() -> ConfigText {
        ConfigText(COMMENTED.lines().map(str::to_owned).collect())
    }

    /// Gives a key of a section this value, in the line where the config shows it.
    ///
    /// # Errors
    /// If the commented config does not show such a key.
    pub(in crate::cli) fn set(
        &mut self,
        section: &str,
        key: &str,
        value: impl Into<toml::Value>,
    ) -> Result<()> {
        let value = value.into();
        *self.line(section, key)? = format!("{key} = {value}");
        Ok(())
    }

    /// Gives a key the name of a file or folder.
    ///
    /// # Errors
    /// If the name is not in UTF-8, or as [`ConfigText::set`].
    pub(in crate::cli) fn set_path(&mut self, section: &str, key: &str, path: &Path) -> Result<()> {
        let name = path
            .to_str()
            .with_context(|| format!("the folder {} has no name in UTF-8", path.display()))?;
        self.set(section, key, name)
    }

    /// Makes a key a comment again, which shows its value.
    ///
    /// # Errors
    /// As [`ConfigText::set`].
    pub(super) fn switch_off(&mut self, section: &str, key: &str) -> Result<()> {
        let line = self.line(section, key)?;
        if !line.starts_with('#') {
            line.insert(0, '#');
        }
        Ok(())
    }

    /// The whole text.
    pub(in crate::cli) fn text(&self) -> String {
        self.0.join("\n") + "\n"
    }

    fn line(&mut self, section: &str, key: &str) -> Result<&mut String> {
        let (head, shown) = (format!("[{section}]"), format!("{key} = "));
        let within = self.0.iter_mut().skip_while(|line| **line != head).skip(1);
        within
            .take_while(|line| !line.starts_with('['))
            .find(|line| line.trim_start_matches('#').starts_with(&shown))
            .with_context(|| format!("the commented config shows no {key} in [{section}]"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, InboxConfig};

    #[test]
    fn keys_are_set_where_the_comments_speak_of_them() {
        let mut text = ConfigText::commented();
        text.set("inbox", "kind", "imap").unwrap();
        text.switch_off("inbox", "path").unwrap();
        text.set("inbox", "host", "imap.games.test").unwrap();
        text.set("inbox", "port", 1993).unwrap();
        text.set("inbox", "user", "a \"quoted\" name").unwrap();
        text.set_path("inbox", "password_file", Path::new("inbox.password"))
            .unwrap();
        let config = Config::parse(&text.text(), Path::new("/etc/dipjudge.toml"), []).unwrap();
        let InboxConfig::Imap(imap) = config.inbox else {
            panic!("no IMAP");
        };
        assert_eq!(
            (imap.server.host.as_str(), imap.server.port),
            ("imap.games.test", 1993)
        );
        assert_eq!(imap.login.user, "a \"quoted\" name");
        // The outbox has keys of the same names, and those stay as they are.
        assert!(text.text().contains("#host = \"smtp.example.org\""));
        assert_eq!(text.text().lines().count(), COMMENTED.lines().count());
    }

    #[test]
    fn a_key_that_no_comment_speaks_of_is_a_fault() {
        assert!(
            ConfigText::commented()
                .set("inbox", "colour", "blue")
                .is_err()
        );
    }
}
