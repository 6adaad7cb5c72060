//! The texts of `mailtemplates/`, filled.
//!
//! The defaults are part of the program; a keeper may provide edited ones under the same names. An edited template is
//! checked when it is loaded (its syntax, and that its fields exist). If it fails nevertheless when it is filled, the
//! default is used for that mail, so that no mail is lost to a typing error.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use minijinja::Environment;
use serde_json::Value;

use super::document::{self, Document, DocumentParts};
use super::{RenderError, filters};
use dipjudge_view::{FilledSection, MAIL_TEXTS, Words};

/// Functions that templates may call.
const FUNCTIONS: [&str; 5] = ["debug", "dict", "loop", "namespace", "range"];

/// The templates in force for the games of one variant.
#[derive(Clone, Debug)]
pub struct Templates {
    edited: Arc<Environment<'static>>,
    built_in: Arc<Environment<'static>>,
    folder: Option<String>,
    #[cfg(test)]
    pub(super) filled: Option<Arc<std::sync::Mutex<Vec<Filling>>>>,
}

/// An edited template that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TemplateError {
    /// A syntax error.
    #[error("cannot read mail template \"{name}\": {source}")]
    Syntax {
        /// The file's name.
        name: String,
        /// The error, with its line.
        source: minijinja::Error,
    },
    /// No mail uses a template of this name.
    #[error("no mail uses a template \"{name}\"; did you mean \"{nearest}\"?")]
    Name {
        /// The file's name.
        name: String,
        /// The most similar name.
        nearest: String,
    },
    /// It uses a field that its mail does not have.
    #[error(
        "mail template \"{name}\" asks for \"{field}\", which that mail does not have; there are {known}"
    )]
    Field {
        /// The file's name.
        name: String,
        /// The missing field.
        field: String,
        /// The fields of that mail.
        known: String,
    },
}

/// A template's name and the fields it was filled with.
#[cfg(test)]
pub(super) type Filling = (String, Value);

/// A filled template.
pub(super) struct Filled {
    pub(super) document: Document,
    /// Why an edited template failed and the default was used instead.
    pub(super) fault: Option<String>,
}

impl Filled {
    /// Takes over the fault of a part unless it has one of its own.
    pub(super) fn or_fault(mut self, fault: Option<String>) -> Filled {
        self.fault = self.fault.or(fault);
        self
    }
}

impl Templates {
    /// The default templates.
    pub fn built_in() -> Templates {
        static DEFAULTS: OnceLock<Arc<Environment<'static>>> = OnceLock::new();
        let built_in = DEFAULTS
            .get_or_init(|| {
                let mut environment = filters::environment();
                for (name, text) in MAIL_TEXTS {
                    // A test finds a default that cannot be read, and filling it is an error.
                    let _ = environment.add_template(name, text);
                }
                Arc::new(environment)
            })
            .clone();
        Templates {
            edited: Arc::new(filters::environment()),
            built_in,
            folder: None,
            #[cfg(test)]
            filled: None,
        }
    }

    /// The defaults, overridden by those that the keeper has edited. These are named by their file relative to his template
    /// folder: `player-turn-report.md`, `bridge/player-turn-report.md` for games of one variant, and the words of a section.
    pub fn new(
        sections: &[&'static Words],
        edited: &BTreeMap<String, String>,
    ) -> Result<Templates, TemplateError> {
        let mut templates = Templates::built_in();
        let mut environment = filters::environment();
        let sections = sections.iter().map(|words| (words.file, words.text));
        for (name, text) in MAIL_TEXTS.iter().copied().chain(sections) {
            environment
                .add_template(name, text)
                .map_err(|source| syntax(name, source))?;
        }
        templates.built_in = Arc::new(environment);
        let mut edited_ones = filters::environment();
        for (name, text) in edited {
            templates.check(name, text)?;
            edited_ones
                .add_template_owned(name.clone(), text.clone())
                .map_err(|source| syntax(name, source))?;
        }
        templates.edited = Arc::new(edited_ones);
        Ok(templates)
    }

    /// The templates for games of a variant: those in the folder of its name override the others.
    pub fn within(&self, variant: &str) -> Templates {
        Templates {
            folder: Some(variant.to_owned()),
            ..self.clone()
        }
    }

    /// The names and texts of all default templates: for `init`, and for keepers who want to edit one.
    pub fn defaults() -> &'static [(&'static str, &'static str)] {
        MAIL_TEXTS
    }

    fn nearest(&self, name: &str) -> String {
        let distance = |known: &str| strsim::damerau_levenshtein(known, name);
        let all = self.built_in.templates().map(|(known, _)| known);
        all.min_by_key(|known| distance(known))
            .unwrap_or_default()
            .to_owned()
    }

    fn check(&self, name: &str, text: &str) -> Result<(), TemplateError> {
        let plain = name.rsplit('/').next().unwrap_or(name);
        let known = match self
            .built_in
            .get_template(name)
            .or_else(|_| self.built_in.get_template(plain))
        {
            Ok(template) => template
                .undeclared_variables(true)
                .into_iter()
                .collect::<BTreeSet<String>>(),
            Err(_) => {
                return Err(TemplateError::Name {
                    name: name.to_owned(),
                    nearest: self.nearest(name),
                });
            }
        };
        let mut trial = filters::environment();
        trial
            .add_template(name, text)
            .map_err(|source| syntax(name, source))?;
        let template = trial
            .get_template(name)
            .map_err(|source| syntax(name, source))?;
        for field in template
            .undeclared_variables(true)
            .into_iter()
            .collect::<BTreeSet<String>>()
        {
            let inside = format!("{field}.");
            let exists =
                known.contains(&field) || known.iter().any(|other| other.starts_with(&inside));
            if !exists && !FUNCTIONS.contains(&field.as_str()) {
                let known = known.into_iter().collect::<Vec<_>>().join(", ");
                return Err(TemplateError::Field {
                    name: name.to_owned(),
                    field,
                    known,
                });
            }
        }
        Ok(())
    }

    /// The fields that a default template uses, without fields inside them.
    #[cfg(test)]
    pub(super) fn names_asked(&self, name: &str) -> BTreeSet<String> {
        let asked = self
            .built_in
            .get_template(name)
            .unwrap()
            .undeclared_variables(false);
        asked
            .into_iter()
            .filter(|field| !FUNCTIONS.contains(&field.as_str()))
            .collect()
    }

    /// Fills the template `name` with `fields`; documents among them are made by [`Document::field`].
    pub(super) fn fill(&self, name: &'static str, fields: Value) -> Result<Filled, RenderError> {
        #[cfg(test)]
        if let Some(filled) = &self.filled {
            filled
                .lock()
                .unwrap()
                .push((name.to_owned(), fields.clone()));
        }
        let mut parts = DocumentParts::default();
        let fields = parts.take(&fields);
        let mut fault = None;
        let own = self
            .folder
            .as_ref()
            .map(|folder| format!("{folder}/{name}"));
        for wanted in own.as_deref().into_iter().chain([name]) {
            if let Ok(template) = self.edited.get_template(wanted) {
                match template.render(fields.clone()) {
                    Ok(text) => {
                        let document = read(wanted, &text, &parts);
                        return Ok(Filled { document, fault });
                    }
                    Err(error) => fault = Some(not_used(wanted, &error)),
                }
            }
            if let Ok(template) = self.built_in.get_template(wanted) {
                let text =
                    template
                        .render(fields.clone())
                        .map_err(|source| RenderError::Template {
                            name: wanted.to_owned(),
                            source,
                        })?;
                let document = read(wanted, &text, &parts);
                return Ok(Filled { document, fault });
            }
        }
        Err(RenderError::Missing {
            name: name.to_owned(),
        })
    }

    /// Fills the words of a section with its fields.
    pub(super) fn section(&self, section: &FilledSection) -> Result<Filled, RenderError> {
        let Words { file, text } = *section.words;
        let fields = minijinja::Value::from(minijinja::value::Serde(&section.fields));
        let mut fault = None;
        if let Ok(edited) = self.edited.get_template(file) {
            match edited.render(fields.clone()) {
                Ok(text) => {
                    let document = document::read(&text);
                    return Ok(Filled { document, fault });
                }
                Err(error) => fault = Some(not_used(file, &error)),
            }
        }
        let filled = self.built_in.render_named_str(file, text, fields);
        let text = filled.map_err(|source| RenderError::Template {
            name: file.to_owned(),
            source,
        })?;
        let document = document::read(&text);
        Ok(Filled { document, fault })
    }
}

fn not_used(name: &str, error: &minijinja::Error) -> String {
    format!("mail template \"{name}\" was not used: {error}")
}

impl Default for Templates {
    fn default() -> Templates {
        Templates::built_in()
    }
}

fn syntax(name: &str, source: minijinja::Error) -> TemplateError {
    TemplateError::Syntax {
        name: name.to_owned(),
        source,
    }
}

/// Reads a filled template: Markdown if its name ends with `.md`, else unchanged lines.
fn read(name: &str, text: &str, parts: &DocumentParts) -> Document {
    if name.ends_with(".md") {
        document::read_mail(text, parts)
    } else {
        Document::verbatim(parts.in_words(text.trim_end_matches(['\n', ' '])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(name: &str, text: &str) -> Result<Templates, TemplateError> {
        Templates::new(&[], &BTreeMap::from([(name.to_owned(), text.to_owned())]))
    }

    #[test]
    fn every_text_of_a_mail_is_readable() {
        for (name, text) in MAIL_TEXTS {
            filters::environment().add_template(name, text).unwrap();
        }
    }

    #[test]
    fn an_edited_template_is_used() {
        let templates = edited(
            "forming-waiting.md",
            "Only {{ players }} to go in {{ game }}!\n",
        )
        .unwrap();
        let fields = serde_json::json!({ "game": "kaiser", "players": "3 more players" });
        assert_eq!(
            templates
                .fill("forming-waiting.md", fields)
                .unwrap()
                .document
                .text(),
            "Only 3 more players to go in kaiser!"
        );
    }

    #[test]
    fn a_variant_has_words_of_its_own() {
        let templates = edited("bridge/forming-waiting.md", "Bridge {{ game }}").unwrap();
        let fields = serde_json::json!({ "game": "kaiser", "players": "3 more players" });
        let bridge = templates
            .within("bridge")
            .fill("forming-waiting.md", fields.clone())
            .unwrap();
        assert_eq!(bridge.document.text(), "Bridge kaiser");
        assert_ne!(
            templates
                .within("life")
                .fill("forming-waiting.md", fields)
                .unwrap()
                .document
                .text(),
            "Bridge kaiser"
        );
    }

    #[test]
    fn mistakes_in_edited_templates_are_told_when_loading() {
        let message = |name, text| edited(name, text).unwrap_err().to_string();
        assert!(message("forming-waiting.md", "{{ game").starts_with("cannot read mail template"));
        assert!(message("forming-waiting.md", "{{ gmae }}").contains("asks for \"gmae\""));
        assert!(
            message("forming-wating.md", "x").ends_with("did you mean \"forming-waiting.md\"?")
        );
    }

    #[test]
    fn the_default_stands_in_for_an_edited_template_that_fails() {
        let templates = edited("forming-waiting.md", "{{ game | nosuchfilter }}");
        // Whether an unknown filter is found when loading or when filling is the engine's affair.
        if let Ok(templates) = templates {
            let fields = serde_json::json!({ "game": "kaiser", "players": "3 more players" });
            let filled = templates.fill("forming-waiting.md", fields).unwrap();
            assert!(filled.document.text().contains("kaiser"));
            assert!(filled.fault.unwrap().contains("was not used"));
        }
        let templates = edited("forming-waiting.md", "{{ players - game }}").unwrap();
        let fields = serde_json::json!({ "game": "kaiser", "players": "3 more players" });
        let filled = templates.fill("forming-waiting.md", fields).unwrap();
        assert!(filled.document.text().contains("kaiser"));
        assert!(filled.fault.unwrap().contains("was not used"));
    }
}
