//! What a variant tells goes to its readers as facts: the source knows no other way.

use dipjudge::mails::outbound::{Block, Document};

use super::sources::{names, sources};

/// Headings, sentences and items of a text as they were written, each on one line.
pub(crate) fn lines(Document(blocks): &Document) -> Vec<String> {
    let lines = |block: &Block| match block {
        Block::Heading(line) | Block::Verbatim(line) => vec![line.clone()],
        Block::Paragraph(lines) | Block::List(lines) => lines.clone(),
        Block::Table(table) => table.rows.iter().map(|row| row.join(" ")).collect(),
        other => panic!("no section has such a part: {other:?}"),
    };
    blocks.iter().flat_map(lines).collect()
}

/// The hooks by which a variant tells something in reports and lists are handed no reader's words and return no text: what
/// they name, they name by number, and the projection makes words of it.
#[test]
fn no_hook_that_tells_returns_text() {
    let sources = sources();
    let hooks = sources
        .iter()
        .find(|source| source.name == "src/game/variant.rs")
        .unwrap();
    for hook in ["forming_tables", "report", "tables"] {
        let declared = hooks.code.split(&format!("fn {hook}(")).nth(1).unwrap();
        let signature = declared.split('{').next().unwrap();
        assert!(signature.contains("-> Vec<Section>"), "{hook}: {signature}");
    }
}

/// A variant has no labels of a reader's to put into a text; only the steps of the saved-game format name powers themselves.
#[test]
fn no_variant_asks_for_a_readers_labels() {
    let with_labels: Vec<String> = sources()
        .into_iter()
        .filter(|source| source.name.starts_with("src/variants/"))
        .filter(|source| !source.name.ends_with("/interchange.rs"))
        .filter(|source| names(&source.code, "Labels") || source.code.contains(".labels()"))
        .map(|source| source.name)
        .collect();
    assert_eq!(with_labels, Vec::<String>::new());
}
