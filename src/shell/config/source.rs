//! The values of a config as they were given: by the file, and over it by the environment.

use std::collections::BTreeMap;
use std::ffi::OsString;

use toml::de::{DeTable, DeValue};

use super::error::{Fault, Origin};
use super::keys::{self, Key, Kind};

/// Begins the names of the environment variables; then come section, two underscores and key, in capitals.
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

/// What was given, by section and key.
#[derive(Debug, Default)]
pub(super) struct Given {
    pub(super) values: BTreeMap<(&'static str, &'static str), (Value, Origin)>,
    pub(super) faults: Vec<Fault>,
    /// The file is not TOML: what else is found missing is not worth saying.
    pub(super) unreadable: bool,
}

impl Given {
    fn fault(&mut self, origin: Origin, what: impl Into<String>) {
        self.faults.push(Fault {
            origin: Some(origin),
            what: what.into(),
        });
    }

    fn put(&mut self, key: &Key, origin: Origin, value: Result<Value, String>) {
        match value {
            Ok(value) => {
                self.values.insert((key.section, key.name), (value, origin));
            }
            Err(wrong) => {
                // A default in its place would bring faults that are none.
                self.fault(origin, format!("{} of [{}] {wrong}", key.name, key.section));
            }
        }
    }

    /// Reads the text of a file.
    pub(super) fn read_file(&mut self, text: &str) {
        let line = |offset: usize| {
            Origin::Line(
                1 + text
                    .bytes()
                    .take(offset)
                    .filter(|byte| *byte == b'\n')
                    .count(),
            )
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

    /// Lays the environment over it: `DIPJUDGE_SECTION__KEY`. An empty value means: as if the key were not given.
    /// Returns whether there was any.
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
                None => self.put(key, origin, Err("must be text in UTF-8".to_owned())),
            }
        }
        any
    }
}

/// The key that somebody meant who wrote one underscore too few.
fn with_one_underscore(name: &str) -> Option<&'static Key> {
    let name = name.to_lowercase();
    keys::KEYS
        .iter()
        .find(|key| format!("{}_{}", key.section, key.name) == name)
}

fn from_toml(kind: Kind, value: &DeValue<'_>) -> Result<Value, String> {
    match (kind, value) {
        (Kind::Text | Kind::Path | Kind::Word(_), DeValue::String(text)) => from_text(kind, text),
        (Kind::Whole(least, most), DeValue::Integer(digits)) => whole(
            i64::from_str_radix(digits.as_str(), digits.radix()).ok(),
            least,
            most,
        ),
        (Kind::Flag, DeValue::Boolean(flag)) => Ok(Value::Flag(*flag)),
        (Kind::Command, DeValue::Array(words)) => {
            let words = words
                .iter()
                .map(|word| word.get_ref().as_str().map(str::to_owned));
            command(words.collect())
        }
        (kind, _) => Err(wants(kind)),
    }
}

fn from_variable(kind: Kind, value: &str) -> Result<Value, String> {
    match kind {
        Kind::Text | Kind::Path | Kind::Word(_) => from_text(kind, value),
        Kind::Whole(least, most) => whole(value.trim().parse().ok(), least, most),
        Kind::Flag => match value.trim() {
            "true" => Ok(Value::Flag(true)),
            "false" => Ok(Value::Flag(false)),
            _ => Err(wants(kind)),
        },
        Kind::Command => match DeValue::parse(value.trim()) {
            Ok(value) => from_toml(kind, value.get_ref()),
            Err(_) => Err(wants(kind)),
        },
    }
}

fn from_text(kind: Kind, text: &str) -> Result<Value, String> {
    match kind {
        _ if text.trim().is_empty() => Err("must not be empty".to_owned()),
        _ if text.contains(char::is_control) => Err("must be one line of text".to_owned()),
        Kind::Word(words) if !words.contains(&text) => {
            let nearest = keys::nearest(text, words.iter().copied());
            Err(format!(
                "{}; the nearest to {text:?} is {nearest:?}",
                wants(kind)
            ))
        }
        _ => Ok(Value::Text(text.to_owned())),
    }
}

fn whole(number: Option<i64>, least: i64, most: i64) -> Result<Value, String> {
    match number {
        Some(number) if (least..=most).contains(&number) => Ok(Value::Whole(number)),
        _ => Err(wants(Kind::Whole(least, most))),
    }
}

fn command(words: Option<Vec<String>>) -> Result<Value, String> {
    match words {
        Some(words)
            if words
                .first()
                .is_some_and(|program| !program.trim().is_empty()) =>
        {
            Ok(Value::Command(words))
        }
        _ => Err(wants(Kind::Command)),
    }
}

fn wants(kind: Kind) -> String {
    match kind {
        Kind::Text => "must be text in quotes".to_owned(),
        Kind::Path => "must be the name of a file or folder in quotes".to_owned(),
        Kind::Word(words) => {
            let words: Vec<_> = words.iter().map(|word| format!("{word:?}")).collect();
            format!("must be {}", words.join(" or "))
        }
        Kind::Whole(least, most) => format!("must be a whole number from {least} to {most}"),
        Kind::Flag => "must be true or false".to_owned(),
        Kind::Command => {
            "must be a program and its arguments, such as [\"pass\", \"judge\"]".to_owned()
        }
    }
}
