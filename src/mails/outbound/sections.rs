//! Sections whose words are in files of their own.

use serde_json::Value;

use super::{Document, RenderError, Templates};
use dipjudge_view::FilledSection;

/// The sections of a report or a list, for the template of its mail.
#[derive(Default)]
pub(super) struct SectionFields {
    /// Each as a field of a template.
    pub(super) fields: Vec<Value>,
    /// Why the keeper's words for one failed and the default was used instead.
    pub(super) fault: Option<String>,
}

/// Fills each section.
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

/// Fills sections and joins them.
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
