//! Sections that have words of their own, as text.

use super::{Document, RenderError, Templates};
use crate::view::ToldSection;

/// The sections of a report or a list, for the template of its mail.
#[derive(Default)]
pub(super) struct SectionTexts {
    /// The text of each.
    pub(super) texts: Vec<String>,
    /// What was wrong with the keeper's words for one, in whose place the default stood.
    pub(super) fault: Option<String>,
}

/// Sections, each as a text without a line end behind it.
pub(super) fn section_texts(
    templates: &Templates,
    sections: &[ToldSection],
) -> Result<SectionTexts, RenderError> {
    let mut told = SectionTexts::default();
    for section in sections {
        let filled = templates.section(section)?;
        told.texts.push(filled.document.text());
        told.fault = told.fault.or(filled.fault);
    }
    Ok(told)
}

/// Sections as one text.
pub fn sections(templates: &Templates, sections: &[ToldSection]) -> Result<Document, RenderError> {
    let mut told = Document::default();
    for section in sections {
        told.append(templates.section(section)?.document);
    }
    Ok(told)
}
