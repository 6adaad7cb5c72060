//! Sections that have words of their own.

use serde_json::Value;

use super::{Document, RenderError, Templates};
use dipjudge_view::FilledSection;

/// The sections of a report or a list, for the template of its mail.
#[derive(Default)]
pub(super) struct SectionFields {
    /// Each as a field of a template.
    pub(super) fields: Vec<Value>,
    /// What was wrong with the keeper's words for one, in whose place the default stood.
    pub(super) fault: Option<String>,
}

/// Sections, each by itself.
pub(super) fn section_fields(
    templates: &Templates,
    sections: &[FilledSection],
) -> Result<SectionFields, RenderError> {
    let mut told = SectionFields::default();
    for section in sections {
        let filled = templates.section(section)?;
        told.fields.push(filled.document.field());
        told.fault = told.fault.or(filled.fault);
    }
    Ok(told)
}

/// Sections as one text.
pub fn sections(
    templates: &Templates,
    sections: &[FilledSection],
) -> Result<Document, RenderError> {
    let mut told = Document::default();
    for section in sections {
        told.append(templates.section(section)?.document);
    }
    Ok(told)
}
