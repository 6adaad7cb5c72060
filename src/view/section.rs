//! Sections of a report or list that have words of their own.

use serde::Serialize;
use serde_json::Value;

/// The words of a section: a template in Markdown that begins with a heading.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Words {
    /// Its file in `mailtemplates/`, by which a keeper's own takes its place: `life/step.md`.
    pub file: &'static str,
    /// What stands in the file.
    pub text: &'static str,
}

/// Names the words in a file of `mailtemplates/`, which becomes part of the program.
#[macro_export]
macro_rules! words {
    ($file:literal) => {
        $crate::Words {
            file: $file,
            text: include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/../../mailtemplates/",
                $file
            )),
        }
    };
}

/// A section as one reader may have it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ToldSection {
    /// What it is told in.
    pub words: &'static Words,
    /// What is put into the words: an object.
    pub fields: Value,
}
