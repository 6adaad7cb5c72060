//! Every file of the folder `grammar/` compiles, and each of its rules is used.

use dipjudge::commands::{command_reader, letters, orders, press_options, settings};
use dipjudge::grammar::{Grammar, Source, files};

/// The name of the rule under which a variant's file keeps its lines.
const OWN_LINES: &str = "line";

#[test]
fn the_judges_own_files_hold_no_idle_rule() {
    for (grammar, roots) in [
        (command_reader::grammar(), &command_reader::ROOTS[..]),
        (letters::grammar(), &letters::ROOTS[..]),
        (settings::grammar(), &settings::ROOTS[..]),
        (press_options::grammar(), &press_options::ROOTS[..]),
        (orders::standard(), &orders::ROOTS[..]),
    ] {
        for root in roots {
            assert!(
                grammar.has(root),
                "the reader asks for `{root}`, which does not exist"
            );
        }
        assert_eq!(grammar.unreachable(roots), Vec::<&str>::new());
    }
}

#[test]
fn every_file_compiles_and_a_variants_lines_are_reached() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/grammar");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).expect("the folder grammar/") {
        let path = entry.expect("an entry").path();
        if path
            .extension()
            .is_none_or(|extension| extension != "grammar")
        {
            continue;
        }
        seen += 1;
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .expect("a plain name")
            .to_owned();
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let source = Source {
            name: &name,
            text: &text,
        };
        let own = [
            files::ORDERS,
            files::COMMANDS,
            files::LETTERS,
            files::SETTINGS,
            files::PRESS,
        ];
        if let Some(known) = own.iter().find(|known| known.name == name) {
            assert_eq!(known.text, text, "{name} is built into the program");
            Grammar::compile(&[source]).unwrap_or_else(|error| panic!("{error}"));
            continue;
        }
        let grammar =
            orders::with_own_lines(&name, &text).unwrap_or_else(|error| panic!("{error}"));
        assert!(grammar.has(OWN_LINES), "{name} has no rule `{OWN_LINES}`");
        let mut roots = orders::ROOTS.to_vec();
        roots.push(OWN_LINES);
        assert_eq!(grammar.unreachable(&roots), Vec::<&str>::new(), "{name}");
    }
    assert!(seen >= 4, "only {seen} files found");
}
