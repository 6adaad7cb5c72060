//! What players submit is sealed by what their variant declares of it: the source knows no other way.

use dipjudge::calendar::PhaseKind;
use dipjudge::commands::names::Names;
use dipjudge::commands::submission_kinds::of_orders;
use dipjudge::map::Map;
use dipjudge::variants;

use super::sources::{Source, names, sources};

fn found(sources: &[Source], wrong: impl Fn(&Source) -> bool) -> Vec<&str> {
    let found = sources.iter().filter(|source| wrong(source));
    found.map(|source| source.name.as_str()).collect()
}

const NOWHERE: [&str; 0] = [];

/// Nothing seals a submission at the place where it is told, kept or foretold.
#[test]
fn no_code_seals_anything_by_itself() {
    let sources = sources();
    for word in ["seal", "seals", "unspeakable"] {
        let has = |source: &Source| names(&source.code, word);
        assert_eq!(found(&sources, has), NOWHERE, "{word}");
    }
}

/// Who may make what opens submissions: the engine for the rules, the projection for a reader.
#[test]
fn only_the_engine_and_the_projection_open_submissions() {
    let sources = sources();
    let may = |maker: &str, places: &[&str]| {
        let makes = |source: &Source| {
            let own = source.name == "src/game/sealed.rs";
            let allowed = places.iter().any(|place| source.name.starts_with(place));
            !own && !allowed && names(&source.code, maker)
        };
        assert_eq!(found(&sources, makes), NOWHERE, "{maker}");
    };
    may(
        "Access::whole",
        &[
            "src/game/game_edit.rs",
            "src/game/requirements.rs",
            "src/game/project/own.rs",
        ],
    );
    may("Access::of_reader", &["src/game/project/own.rs"]);
    may("Access::foretelling", &["src/game/game_edit.rs"]);
}

/// Outside the game nobody takes submissions as they are stored: they are asked for with an access.
#[test]
fn nobody_else_takes_submissions_as_they_are_stored() {
    let field = ".submissions";
    let sources = sources();
    let takes = |source: &Source| {
        let mut uses = source.code.match_indices(field);
        uses.any(|(place, _)| !source.code[place + field.len()..].starts_with('('))
            && !source.name.starts_with("src/game/")
    };
    assert_eq!(found(&sources, takes), NOWHERE);
}

/// What a line of a player is, its grammar says: no variant looks for words in it.
#[test]
fn no_variant_looks_for_words_in_a_line() {
    // Texts are empty in the code that is searched.
    let looks = ["contains", "starts_with", "ends_with"].map(|look| format!(".{look}(\"\")"));
    let sources = sources();
    let wrong = |source: &Source| {
        source.name.starts_with("src/variants/")
            && looks.iter().any(|look| source.code.contains(look))
    };
    assert_eq!(found(&sources, wrong), NOWHERE);
}

fn kinds(variant: &str, line: &str, phase: PhaseKind) -> String {
    let map = Map::standard();
    let names = Names::shared(map, map.powers());
    let kinds = of_orders(variants::of(variant), line, phase, &names);
    kinds.into_iter().collect::<Vec<_>>().join(" ")
}

/// What cannot be read is of no kind, so that it may have been meant for any.
#[test]
fn the_kinds_of_a_stored_line_are_known_from_how_the_grammar_reads_it() {
    for (variant, line, wanted) in [
        ("bridge", "BID 9", "bid"),
        ("bridge", "fort mun", "forts"),
        ("bridge", "BUILD A VEN", "orders"),
        ("bridge", "BUILD A VEN; BID 9", "bid orders"),
        // The word in a remark makes no bid.
        ("bridge", "BUILD A VEN  % no bid, no forts", "orders"),
        ("bridge", "BIDD 9", ""),
        ("life", "BIRTH PIC A", "births"),
        ("life", "BUILD F STP/NC", "births"),
        ("life", "WAIVE BUILDS", "undeclared"),
        ("standard", "BUILD F STP/NC", "orders"),
        ("standard", "BID 9", ""),
    ] {
        let told = kinds(variant, line, PhaseKind::Adjustments);
        assert_eq!(told, wanted, "{variant}: {line}");
    }
    let told = kinds("outer-space", "A MUN COL", PhaseKind::Movement);
    assert_eq!(told, "beaming");
}
