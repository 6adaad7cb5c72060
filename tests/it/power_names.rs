//! What a power is called depends on who reads: `GameView::labels` and `GameView::roster` answer it. No other way leads to a
//! power's words: a game keeps them to itself (the field is private to the room), and the other sources of them, a map, a
//! variant and the event that deals, may be used only where no game has readers yet, or for keys and letters of data.

use super::sources::sources;

/// What gives the words of powers past the projection. A file that has one of these must stand in [`ALLOWED`].
const WAYS: [&str; 7] = [
    // The type, by which they could be handed on.
    "PowerInfo",
    // Those of a map, or of a variant's table.
    ".powers(",
    ".powers_named(",
    // The event that deals them.
    "Event::Dealt",
    // The game's own, within its room.
    "game.powers",
    // Keys are for data; to a reader they are names too.
    "game.key(",
    "game().key(",
];

/// Which file may use which way, and why no reader reads by it what he should not.
const ALLOWED: [(&str, &[&str], &str); 15] = [
    ("src/rules/map/", &["PowerInfo"], "where the words are made"),
    (
        "src/rules/map/drawing/regions/north.rs",
        &[".powers("],
        "which way a map lies, by the words in its names",
    ),
    (
        "src/rules/notation/",
        &[".powers("],
        "a board as text, of no game",
    ),
    (
        "src/rules/orders/",
        &["PowerInfo"],
        "written with a `Sight`'s words",
    ),
    (
        "src/game/",
        &[
            "PowerInfo",
            ".powers(",
            ".powers_named(",
            "Event::Dealt",
            "game.powers",
            "game.key(",
        ],
        "rules and log; who reads gets them by `project` alone",
    ),
    (
        "src/variants/",
        &["PowerInfo", ".powers(", "game.key("],
        "makes the powers; keys for `state` objects",
    ),
    (
        "src/interchange/",
        &["PowerInfo", ".powers(", ".powers_named(", "game.key("],
        "files name powers by keys",
    ),
    ("src/commands/names.rs", &["PowerInfo"], "reads by a roster"),
    (
        "src/judge/clock/starting.rs",
        &[".powers(", "Event::Dealt"],
        "deals them, unread",
    ),
    (
        "src/judge/keeper/importing.rs",
        &[".powers(", "Event::Dealt"],
        "deals those of a game of another judge, unread",
    ),
    (
        "src/judge/people/creating.rs",
        &[".powers("],
        "words that name no game",
    ),
    (
        "src/judge/acts/map_page.rs",
        &[".powers("],
        "a map, of no game",
    ),
    (
        "src/judge/acts/settings/preference.rs",
        &["PowerInfo"],
        "letters that are still to be dealt",
    ),
    (
        "src/judge/people/preferences.rs",
        &["PowerInfo", ".powers("],
        "letters that are still to be dealt",
    ),
    (
        "src/judge/work/sending_order.rs",
        &["game.key("],
        "an order in which nothing is written",
    ),
];

/// Whether code has a way: a name as a whole word, a method of whatever.
fn uses(code: &str, way: &str) -> bool {
    code.match_indices(way).any(|(place, _)| {
        let part = |c: char| c.is_alphanumeric() || c == '_';
        let begins = way.starts_with('.') || !code[..place].ends_with(part);
        let ends = !way.ends_with(part) || !code[place + way.len()..].starts_with(part);
        begins && ends
    })
}

#[test]
fn a_powers_name_comes_from_the_projection_alone() {
    let mut faults = Vec::new();
    let mut needed = std::collections::BTreeSet::new();
    for source in sources() {
        for way in WAYS.iter().filter(|way| uses(&source.code, way)) {
            let row = ALLOWED
                .iter()
                .find(|(place, ways, _)| source.name.starts_with(place) && ways.contains(way));
            match row {
                Some((place, ..)) => {
                    needed.insert((*place, *way));
                }
                None => faults.push(format!("{} has `{way}`", source.name)),
            }
        }
    }
    assert!(
        faults.is_empty(),
        "these may tell a power's name to whom it is not known by it; ask GameView::labels or GameView::roster:\n{}",
        faults.join("\n")
    );
    for (place, ways, _) in ALLOWED {
        for way in ways {
            assert!(
                needed.contains(&(place, *way)),
                "{place} has no `{way}` any more"
            );
        }
    }
}

/// Rooms whose code has the words of powers at hand, and which of their files read one by one what only keys and letters of
/// preference lists are for.
#[test]
fn rules_read_no_names_of_powers() {
    for source in sources() {
        let room = source.name.starts_with("src/game/");
        if !room || source.name.starts_with("src/game/project/") {
            continue;
        }
        for way in [".adjective", "introduced()", "info.name"] {
            assert!(
                !source.code.contains(way),
                "{} reads `{way}`: rules and log name powers by number and key",
                source.name
            );
        }
    }
}

#[test]
fn a_way_is_seen_however_it_is_come_by() {
    for (code, way, found) in [
        ("let all = game.map().powers();", ".powers(", true),
        ("edit.game.powers.clone()", "game.powers", true),
        ("let x: &MyPowerInfo", "PowerInfo", false),
        ("self.game().key(power)", "game().key(", true),
        ("endgame.key(power)", "game.key(", false),
        ("game.powers_with_centers(1)", "game.powers", false),
    ] {
        assert_eq!(uses(code, way), found, "{code}");
    }
}
