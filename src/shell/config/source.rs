//! The values of a config in the file and, over it, in the environment.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;

use toml::de::{DeTable, DeValue};

use super::error::{Fault, Origin};
use super::keys::{self, Key, ValueKind};

/// The start of the names of environment variables; then come section, two underscores and key, in capitals.
const PREFIX: &str = "DIPJUDGE_";

/// A value of the kind that its key takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// Text, one of some words, or a path.
    Text(String),
    /// A whole number within its bounds.
    Whole(i64),
    /// True or false.
    Flag(bool),
    /// At least one word.
    Command(Vec<String>),
}

/// A value and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Located<T> {
    pub(super) value: T,
    pub(super) origin: Origin,
}

/// Why a value is refused; the text follows the name of the key.
#[derive(Debug, thiserror::Error)]
enum ValueError {
    #[error("must not be empty")]
    Empty,
    #[error("must be one line of text")]
    ControlCharacter,
    #[error("must be text in UTF-8")]
    NotUtf8,
    #[error("{0}")]
    WrongKind(ValueKind),
    #[error("{kind}; the nearest to {text:?} is {nearest:?}")]
    UnknownWord {
        kind: ValueKind,
        text: String,
        nearest: &'static str,
    },
}

/// The values of a config by section and key, not yet checked against one another.
#[derive(Debug, Default)]
pub(super) struct RawConfig {
    pub(super) values: BTreeMap<(&'static str, &'static str), Located<Value>>,
    pub(super) faults: Vec<Fault>,
    /// The keys with a value that was refused.
    refused: BTreeSet<(&'static str, &'static str)>,
    /// Whether the file is not TOML. Then nothing is said about what is missing.
    pub(super) unreadable: bool,
}

impl RawConfig {
    fn fault(&mut self, origin: Origin, what: impl Into<String>) {
        self.faults.push(Fault {
            origin: Some(origin),
            what: what.into(),
        });
    }

    fn put(&mut self, key: &Key, origin: Origin, value: Result<Value, ValueError>) {
        let place = (key.section, key.name);
        match value {
            Ok(value) => {
                self.values.insert(place, Located { value, origin });
            }
            Err(error) => {
                // No default takes its place: it could contradict another value, which would be reported as a fault.
                self.refused.insert(place);
                self.fault(origin, format!("{} of [{}] {error}", key.name, key.section));
            }
        }
    }

    /// Whether a value of this key was refused.
    pub(super) fn is_refused(&self, section: &str, key: &str) -> bool {
        self.refused.contains(&(section, key))
    }

    /// Reads the text of a file.
    pub(super) fn read_file(&mut self, text: &str) {
        let line = |offset: usize| {
            let before = text.bytes().take(offset);
            Origin::Line(1 + before.filter(|byte| *byte == b'\n').count())
        };
        let (table, errors) = DeTable::parse_recoverable(text);
        for error in &errors {
            let place = line(error.span().map_or(0, |span| span.start));
            self.fault(place, format!("this is not TOML: {}", error.message()));
        }
        if !errors.is_empty() {
            self.unreadable = true;
            return;
        }
        for (section, values) in table.get_ref() {
            let (name, place) = (section.get_ref().as_ref(), line(section.span().start));
            if !keys::sections().contains(&name) {
                self.fault(place, keys::no_section(name));
                continue;
            }
            let Some(values) = values.get_ref().as_table() else {
                self.fault(place, format!("{name} is a section: write [{name}]"));
                continue;
            };
            for (key, value) in values {
                let place = line(key.span().start);
                match keys::find(name, key.get_ref()) {
                    Some(key) => self.put(key, place, from_toml(key.kind, value.get_ref())),
                    None => self.fault(place, keys::no_key(name, key.get_ref())),
                }
            }
        }
    }

    /// Reads the environment: `DIPJUDGE_SECTION__KEY` replaces the value in the file, and an empty value removes it.
    /// Returns whether there was such a variable.
    pub(super) fn read_environment(
        &mut self,
        environment: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> bool {
        let mut any = false;
        for (variable, value) in environment {
            let Some(variable) = variable.to_str() else {
                continue;
            };
            let Some(name) = variable.strip_prefix(PREFIX) else {
                continue;
            };
            let origin = Origin::Variable(variable.to_owned());
            let Some((section, key)) = name.split_once("__") else {
                if let Some(key) = with_one_underscore(name) {
                    let right = format!("{PREFIX}{}__{}", key.section, key.name).to_uppercase();
                    self.fault(
                        origin,
                        format!("two underscores part section and key: {right}"),
                    );
                }
                continue;
            };
            any = true;
            let (section, name) = (section.to_lowercase(), key.to_lowercase());
            if !keys::sections().contains(&section.as_str()) {
                self.fault(origin, keys::no_section(&section));
                continue;
            }
            let Some(key) = keys::find(&section, &name) else {
                self.fault(origin, keys::no_key(&section, &name));
                continue;
            };
            match value.to_str() {
                Some("") => {
                    self.values.remove(&(key.section, key.name));
                }
                Some(value) => self.put(key, origin, from_variable(key.kind, value)),
                None => self.put(key, origin, Err(ValueError::NotUtf8)),
            }
        }
        any
    }
}

/// The key that a variable with one underscore too few was meant for.
fn with_one_underscore(name: &str) -> Option<&'static Key> {
    let name = name.to_lowercase();
    keys::all().find(|key| format!("{}_{}", key.section, key.name) == name)
}

fn from_toml(kind: ValueKind, value: &DeValue<'_>) -> Result<Value, ValueError> {
    match (kind, value) {
        (ValueKind::Text | ValueKind::Path | ValueKind::Word(_), DeValue::String(text)) => {
            from_text(kind, text)
        }
        (ValueKind::Whole(..), DeValue::Integer(digits)) => whole(
            kind,
            i64::from_str_radix(digits.as_str(), digits.radix()).ok(),
        ),
        (ValueKind::Flag, DeValue::Boolean(flag)) => Ok(Value::Flag(*flag)),
        (ValueKind::Command, DeValue::Array(words)) => {
            let words = words
                .iter()
                .map(|word| word.get_ref().as_str().map(str::to_owned));
            command(words.collect())
        }
        (kind, _) => Err(ValueError::WrongKind(kind)),
    }
}

fn from_variable(kind: ValueKind, value: &str) -> Result<Value, ValueError> {
    match kind {
        ValueKind::Text | ValueKind::Path | ValueKind::Word(_) => from_text(kind, value),
        ValueKind::Whole(..) => whole(kind, value.trim().parse().ok()),
        ValueKind::Flag => match value.trim() {
            "true" => Ok(Value::Flag(true)),
            "false" => Ok(Value::Flag(false)),
            _ => Err(ValueError::WrongKind(kind)),
        },
        ValueKind::Command => match DeValue::parse(value.trim()) {
            Ok(value) => from_toml(kind, value.get_ref()),
            Err(_) => Err(ValueError::WrongKind(kind)),
        },
    }
}

fn from_text(kind: ValueKind, text: &str) -> Result<Value, ValueError> {
    match kind {
        _ if text.trim().is_empty() => Err(ValueError::Empty),
        _ if text.contains(char::is_control) => Err(ValueError::ControlCharacter),
        ValueKind::Word(words) if !words.contains(&text) => Err(ValueError::UnknownWord {
            kind,
            text: text.to_owned(),
            nearest: keys::nearest(text, words.iter().copied()),
        }),
        _ => Ok(Value::Text(text.to_owned())),
    }
}

fn whole(kind: ValueKind, number: Option<i64>) -> Result<Value, ValueError> {
    match (kind, number) {
        (ValueKind::Whole(least, most), Some(number)) if (least..=most).contains(&number) => {
            Ok(Value::Whole(number))
        }
        _ => Err(ValueError::WrongKind(kind)),
    }
}

fn command(words: Option<Vec<String>>) -> Result<Value, ValueError> {
    let words = words.ok_or(ValueError::WrongKind(ValueKind::Command))?;
    match words.first() {
        Some(program) if !program.trim().is_empty() => Ok(Value::Command(words)),
        _ => Err(ValueError::WrongKind(ValueKind::Command)),
    }
}
