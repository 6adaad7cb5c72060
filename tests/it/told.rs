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

/// The declaration of a hook, in whichever trait of a variant it stands.
fn declared(hook: &str) -> String {
    let traits = sources().into_iter().filter(|source| {
        ["src/game/variant.rs", "src/game/variant_parts.rs"].contains(&source.name.as_str())
    });
    let mut declared = traits.filter_map(|source| {
        let behind = source.code.split(&format!("fn {hook}(")).nth(1)?;
        behind.split('{').next().map(str::to_owned)
    });
    declared.next().unwrap_or_else(|| panic!("no hook {hook}"))
}

/// The hooks by which a variant tells something in reports and lists are handed no reader's words and return no text: what
/// they name, they name by number, and the projection makes words of it.
#[test]
fn no_hook_that_tells_returns_text() {
    for hook in ["forming_tables", "report", "tables"] {
        let signature = declared(hook);
        assert!(signature.contains("-> Vec<Section>"), "{hook}: {signature}");
    }
}

/// What tells is handed no game and no access of its own, but what one reader may know.
#[test]
fn no_hook_that_tells_is_handed_the_game() {
    for hook in [
        "forming_tables",
        "report",
        "tables",
        "signs",
        "submitted",
        "pending",
        "write_state",
        "steps",
    ] {
        let signature = declared(hook);
        assert!(signature.contains("&ToldGame<"), "{hook}: {signature}");
        for whole in ["&Game", "Access"] {
            assert!(!signature.contains(whole), "{hook}: {signature}");
        }
    }
}

/// A variant has as few hooks as can be: what few variants need comes as a part that they return.
#[test]
fn the_traits_of_a_variant_stay_small() {
    let sources = sources();
    let traits = sources
        .iter()
        .find(|source| source.name == "src/game/variant.rs")
        .unwrap();
    let hooks = traits.code.matches("    fn ").count();
    assert!(hooks <= 33, "{hooks} hooks");
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
