//! All keys that a config may have, and the nearest one to a key that it may not have.

/// What a key's value must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Any text but an empty one.
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    /// The name of a file or folder.
    Path,
    /// A whole number from the first to the second.
    Whole(i64, i64),
    /// True or false.
    Flag,
    /// A program and its arguments.
    Command,
}

/// A key and what it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) section: &'static str,
    pub(super) name: &'static str,
    pub(super) kind: Kind,
}

const fn key(section: &'static str, name: &'static str, kind: Kind) -> Key {
    Key {
        section,
        name,
        kind,
    }
}

const PORT: Kind = Kind::Whole(1, 65_535);
const COUNT: Kind = Kind::Whole(1, 100_000);
const TLS: Kind = Kind::Word(&["implicit", "starttls", "none"]);

/// Every one of them.
pub(super) const KEYS: &[Key] = &[
    key("judge", "name", Kind::Text),
    key("judge", "address", Kind::Text),
    key("judge", "keeper", Kind::Text),
    key("judge", "data", Kind::Path),
    key("judge", "timezone", Kind::Text),
    key("inbox", "kind", Kind::Word(&["maildir", "imap"])),
    key("inbox", "path", Kind::Path),
    key("inbox", "host", Kind::Text),
    key("inbox", "port", PORT),
    key("inbox", "tls", TLS),
    key("inbox", "user", Kind::Text),
    key("inbox", "password_file", Kind::Path),
    key("inbox", "password_command", Kind::Command),
    key("inbox", "oauth2_command", Kind::Command),
    key("inbox", "mailbox", Kind::Text),
    key("inbox", "done", Kind::Text),
    key("inbox", "rejected", Kind::Text),
    key("inbox", "poll_seconds", Kind::Whole(1, 86_400)),
    key("outbox", "kind", Kind::Word(&["maildir", "smtp"])),
    key("outbox", "path", Kind::Path),
    key("outbox", "host", Kind::Text),
    key("outbox", "port", PORT),
    key("outbox", "tls", TLS),
    key("outbox", "user", Kind::Text),
    key("outbox", "password_file", Kind::Path),
    key("outbox", "password_command", Kind::Command),
    key("outbox", "oauth2_command", Kind::Command),
    key("outbox", "rate_per_minute", Kind::Whole(1, 100_000)),
    key("outbox", "mails_per_connection", Kind::Whole(1, 100_000)),
    key("trust", "authserv_id", Kind::Text),
    key("trust", "ca_file", Kind::Path),
    key("games", "auto_master", Kind::Flag),
    key("games", "create", Kind::Word(&["registered", "allowed"])),
    key("games", "creators", Kind::Text),
    key(
        "games",
        "dedication_to_create",
        Kind::Whole(-1_000_000, 1_000_000),
    ),
    key("games", "max_running", Kind::Whole(0, 1_000_000)),
    key("limits", "bytes", Kind::Whole(4_096, 64 << 20)),
    key("limits", "replies_per_hour", COUNT),
    key("limits", "replies_per_day", COUNT),
    key("limits", "empty_replies_per_day", COUNT),
    key("limits", "reply_bytes", Kind::Whole(10_000, 10_000_000)),
    key(
        "limits",
        "reply_bytes_per_hour",
        Kind::Whole(10_000, 1_000_000_000),
    ),
    key("limits", "mails_per_hour", COUNT),
    key("limits", "wrong_passwords_per_sender", COUNT),
    key("limits", "wrong_passwords_per_seat", COUNT),
    key("limits", "press_per_hour", COUNT),
    key(
        "limits",
        "press_bytes_per_hour",
        Kind::Whole(10_000, 1_000_000_000),
    ),
    key("limits", "observer_press_per_hour", COUNT),
    key("limits", "creates_per_day", COUNT),
    key("backup", "path", Kind::Path),
    key("backup", "keep", Kind::Whole(0, 10_000)),
    key("metrics", "file", Kind::Path),
];

/// The names of the sections, in order.
pub(super) fn sections() -> Vec<&'static str> {
    let mut sections: Vec<_> = KEYS.iter().map(|key| key.section).collect();
    sections.dedup();
    sections
}

/// The key of this name in this section.
pub(super) fn find(section: &str, name: &str) -> Option<&'static Key> {
    KEYS.iter()
        .find(|key| key.section == section && key.name == name)
}

/// Why there is no such section, with the nearest one.
pub(super) fn no_section(section: &str) -> String {
    // Somebody may have forgotten the line with the section.
    if let Some(key) = KEYS.iter().find(|key| key.name == section) {
        return format!("{section:?} stands outside its section [{}]", key.section);
    }
    let nearest = nearest(section, sections().into_iter());
    format!("there is no section [{section}]; the nearest one is [{nearest}]")
}

/// Why there is no such key in this section, with the nearest one.
pub(super) fn no_key(section: &str, name: &str) -> String {
    if matches!(name, "password" | "passwd" | "pass" | "secret" | "token") {
        return "a password never stands in the config: name a password_file or a password_command"
            .to_owned();
    }
    let others: Vec<_> = KEYS
        .iter()
        .filter(|key| key.name == name)
        .map(|key| format!("[{}]", key.section))
        .collect();
    if !others.is_empty() {
        return format!(
            "[{section}] has no key {name:?}; it belongs to {}",
            others.join(" or ")
        );
    }
    let own = KEYS
        .iter()
        .filter(|key| key.section == section)
        .map(|key| key.name);
    let nearest = nearest(name, own);
    format!("[{section}] has no key {name:?}; the nearest one is {nearest:?}")
}

/// The nearest of some words; of equally near ones the first.
pub(super) fn nearest<'a>(word: &str, words: impl Iterator<Item = &'a str>) -> &'a str {
    let word = word.to_lowercase();
    words
        .min_by_key(|known| strsim::damerau_levenshtein(&word, &known.to_lowercase()))
        .unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::super::COMMENTED;
    use super::*;

    #[test]
    fn the_commented_config_shows_every_key_in_its_section() {
        for key in KEYS {
            let start = COMMENTED.find(&format!("\n[{}]\n", key.section)).unwrap();
            let rest = &COMMENTED[start + 1..];
            let section = &rest[..rest.find("\n[").unwrap_or(rest.len())];
            let shown = |mark| section.contains(&format!("\n{mark}{} = ", key.name));
            assert!(shown("") || shown("#"), "{key:?}");
        }
    }
}
