//! The faults of a config, each with its place.

use std::fmt;
use std::path::PathBuf;

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// A line of the file, from 1.
    Line(usize),
    /// An environment variable.
    Variable(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Variable(name) => f.write_str(name),
        }
    }
}

/// One fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where it is; `None` if something is missing.
    pub origin: Option<Origin>,
    /// What is wrong, and what would be right.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(origin) = &self.origin {
            write!(f, "{origin}: ")?;
        }
        f.write_str(&self.what)
    }
}

/// Why there is no config.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// There is no file in the usual places, and nothing in the environment.
    #[error(
        "there is no config: neither {} is there; `dipjudge init` writes one, `--config FILE` names another",
        places(.looked)
    )]
    NotFound {
        /// The files that were looked for.
        looked: Vec<PathBuf>,
    },
    /// The file cannot be read, or a file that was named is missing.
    #[error("cannot read the config {path:?}: {source}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: std::io::Error,
    },
    /// The config has faults.
    #[error("the config{} cannot be used:{}", file_name(.file.as_ref()), list(.faults))]
    Faulty {
        /// The file, if there is one.
        file: Option<PathBuf>,
        /// All of them.
        faults: Vec<Fault>,
    },
}

fn places(looked: &[PathBuf]) -> String {
    let looked: Vec<_> = looked
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    looked.join(" nor ")
}

fn file_name(file: Option<&PathBuf>) -> String {
    file.map(|path| format!(" {path:?}")).unwrap_or_default()
}

/// A single fault on the same line, several faults each on its own line.
fn list(faults: &[Fault]) -> String {
    match faults {
        [fault] => format!(" {fault}"),
        faults => faults.iter().map(|fault| format!("\n  {fault}")).collect(),
    }
}
