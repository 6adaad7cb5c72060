//! All keys that a config may have, and the nearest one to a key that it may not have.

use std::fmt;

/// What a key's value must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueKind {
    /// Text that is not empty.
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    /// The name of a file or folder.
    Path,
    /// A whole number between two bounds, both included.
    Whole(i64, i64),
    /// True or false.
    Flag,
    /// A program and its arguments.
    Command,
}

impl fmt::Display for ValueKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text => f.write_str("must be text in quotes"),
            Self::Path => f.write_str("must be the name of a file or folder in quotes"),
            Self::Word(words) => {
                let words: Vec<_> = words.iter().map(|word| format!("{word:?}")).collect();
                write!(f, "must be {}", words.join(" or "))
            }
            Self::Whole(least, most) => write!(f, "must be a whole number from {least} to {most}"),
            Self::Flag => f.write_str("must be true or false"),
            Self::Command => {
                f.write_str("must be a program and its arguments, such as [\"pass\", \"judge\"]")
            }
        }
    }
}

/// A key and what it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) section: &'static str,
    pub(super) name: &'static str,
    pub(super) kind: ValueKind,
}

const fn key(section: &'static str, name: &'static str, kind: ValueKind) -> Key {
    Key {
        section,
        name,
        kind,
    }
}

const PORT: ValueKind = ValueKind::Whole(1, 65_535);
const COUNT: ValueKind = ValueKind::Whole(1, 100_000);
const TLS: ValueKind = ValueKind::Word(&["implicit", "starttls", "none"]);

/// How the judge gets into a mail server: the same for fetching and for sending.
const fn server(section: &'static str) -> [Key; 11] {
    [
        key(section, "host", ValueKind::Text),
        key(section, "port", PORT),
        key(section, "tls", TLS),
        key(section, "user", ValueKind::Text),
        key(section, "password_file", ValueKind::Path),
        key(section, "password_command", ValueKind::Command),
        key(section, "oauth2_command", ValueKind::Command),
        key(section, "oauth2_token_file", ValueKind::Path),
        key(section, "oauth2_token_url", ValueKind::Text),
        key(section, "oauth2_client_id", ValueKind::Text),
        key(section, "oauth2_client_secret_file", ValueKind::Path),
    ]
}

/// All keys, section by section, in runs.
const KEYS: &[&[Key]] = &[
    &[
        key("judge", "name", ValueKind::Text),
        key("judge", "address", ValueKind::Text),
        key("judge", "keeper", ValueKind::Text),
        key("judge", "data", ValueKind::Path),
        key("judge", "timezone", ValueKind::Text),
        key("judge", "others", ValueKind::Text),
        key("inbox", "kind", ValueKind::Word(&["maildir", "imap"])),
        key("inbox", "path", ValueKind::Path),
    ],
    &server("inbox"),
    &[
        key("inbox", "mailbox", ValueKind::Text),
        key("inbox", "done", ValueKind::Text),
        key("inbox", "rejected", ValueKind::Text),
        key("inbox", "poll_seconds", ValueKind::Whole(1, 86_400)),
        key("outbox", "kind", ValueKind::Word(&["maildir", "smtp"])),
        key("outbox", "path", ValueKind::Path),
    ],
    &server("outbox"),
    &[
        key("outbox", "rate_per_minute", ValueKind::Whole(1, 100_000)),
        key(
            "outbox",
            "mails_per_connection",
            ValueKind::Whole(1, 100_000),
        ),
        key(
            "outbox",
            "pictures_mb_per_hour",
            ValueKind::Whole(0, 1_000_000),
        ),
        key("trust", "authserv_id", ValueKind::Text),
        key("trust", "dkim", ValueKind::Flag),
        key("trust", "arc_sealers", ValueKind::Text),
        key("trust", "ca_file", ValueKind::Path),
        key("games", "auto_master", ValueKind::Flag),
        key(
            "games",
            "create",
            ValueKind::Word(&["registered", "allowed"]),
        ),
        key("games", "creators", ValueKind::Text),
        key(
            "games",
            "dedication_to_create",
            ValueKind::Whole(-1_000_000, 1_000_000),
        ),
        key("games", "max_running", ValueKind::Whole(0, 1_000_000)),
        key("limits", "bytes", ValueKind::Whole(4_096, 64 << 20)),
        key("limits", "replies_per_hour", COUNT),
        key("limits", "replies_per_day", COUNT),
        key("limits", "empty_replies_per_day", COUNT),
        key(
            "limits",
            "reply_bytes",
            ValueKind::Whole(10_000, 10_000_000),
        ),
        key(
            "limits",
            "reply_bytes_per_hour",
            ValueKind::Whole(10_000, 1_000_000_000),
        ),
        key(
            "limits",
            "unproven_reply_bytes",
            ValueKind::Whole(0, 10_000_000),
        ),
        key("limits", "unproven_reply_times", ValueKind::Whole(0, 1_000)),
        key(
            "limits",
            "order_maps_per_minute",
            ValueKind::Whole(0, 1_000_000),
        ),
        key("limits", "mails_per_hour", COUNT),
        key("limits", "wrong_passwords_per_sender", COUNT),
        key("limits", "wrong_passwords_per_seat", COUNT),
        key("limits", "press_per_hour", COUNT),
        key(
            "limits",
            "press_bytes_per_hour",
            ValueKind::Whole(10_000, 1_000_000_000),
        ),
        key("limits", "observer_press_per_hour", COUNT),
        key("limits", "tries_per_hour", COUNT),
        key("limits", "creates_per_day", COUNT),
        key("backup", "path", ValueKind::Path),
        key("backup", "keep", ValueKind::Whole(0, 10_000)),
        key("backup", "copy_to", ValueKind::Path),
        key("metrics", "file", ValueKind::Path),
        key("probe", "daily", ValueKind::Flag),
        key("publish", "path", ValueKind::Path),
        key("publish", "manual", ValueKind::Flag),
    ],
];

/// All keys, section by section.
pub(super) fn all() -> impl Iterator<Item = &'static Key> {
    KEYS.iter().copied().flatten()
}

/// The names of the sections, in order.
pub(super) fn sections() -> Vec<&'static str> {
    let mut sections: Vec<_> = all().map(|key| key.section).collect();
    sections.dedup();
    sections
}

/// The key of this name in this section.
pub(super) fn find(section: &str, name: &str) -> Option<&'static Key> {
    all().find(|key| key.section == section && key.name == name)
}

/// What to say about an unknown section: the nearest one.
pub(super) fn no_section(section: &str) -> String {
    // The line with the section may be missing.
    if let Some(key) = all().find(|key| key.name == section) {
        return format!("{section:?} stands outside its section [{}]", key.section);
    }
    let nearest = nearest(section, sections().into_iter());
    format!("there is no section [{section}]; the nearest one is [{nearest}]")
}

/// What to say about a key that this section does not have: where it belongs, or the nearest one.
pub(super) fn no_key(section: &str, name: &str) -> String {
    if matches!(name, "password" | "passwd" | "pass" | "secret" | "token") {
        return "a password never stands in the config: name a password_file or a password_command"
            .to_owned();
    }
    let others: Vec<_> = all()
        .filter(|key| key.name == name)
        .map(|key| format!("[{}]", key.section))
        .collect();
    if !others.is_empty() {
        return format!(
            "[{section}] has no key {name:?}; it belongs to {}",
            others.join(" or ")
        );
    }
    let own = all()
        .filter(|key| key.section == section)
        .map(|key| key.name);
    let nearest = nearest(name, own);
    format!("[{section}] has no key {name:?}; the nearest one is {nearest:?}")
}

/// The nearest of some words; the first of those equally near.
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
        for key in all() {
            let start = COMMENTED.find(&format!("\n[{}]\n", key.section)).unwrap();
            let rest = &COMMENTED[start + 1..];
            let section = &rest[..rest.find("\n[").unwrap_or(rest.len())];
            let shown = |mark| section.contains(&format!("\n{mark}{} = ", key.name));
            assert!(shown("") || shown("#"), "{key:?}");
        }
    }
}
