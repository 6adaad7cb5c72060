//! Sections of a report or list that have their own template.

use serde::Serialize;
use serde_json::Value;

/// The template of a section, in Markdown. It begins with a heading.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Words {
    /// The file in `mailtemplates/`: `life/step.md`. The keeper of a judge can replace it.
    pub file: &'static str,
    /// The contents of the file.
    pub text: &'static str,
}

/// Includes a file of `mailtemplates/` as the [`Words`] of a section.
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

/// Declares the texts of sections, each by its name and its file, and the list `WORDS` of all of them.
#[macro_export]
macro_rules! all_words {
    ($visible:vis static WORDS; $($(#[doc = $doc:literal])* $name:ident = $file:literal;)+) => {
        $($(#[doc = $doc])* static $name: $crate::Words = $crate::words!($file);)+
        /// All texts of sections that are declared here.
        $visible static WORDS: &[&$crate::Words] = &[$(&$name,)+];
    };
}

/// A section with the values for one reader.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FilledSection {
    /// The template.
    pub words: &'static Words,
    /// The values of the template's variables, as an object.
    pub fields: Value,
}
