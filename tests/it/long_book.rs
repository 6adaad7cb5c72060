//! The book of a long game: 110 years with a map of each phase, as `export --html` makes it.

use std::time::Instant;

use crate::random_play::{Beside, Table, play_beside};
use dipjudge::drawing::{CenterCounts, PageMaps, centers_chart};
use dipjudge::game::project::Chronicle;
use dipjudge::game::{Event, SettingChange};
use dipjudge::map::Map;
use dipjudge::shell::pages::record::{Entry, GameRecord};
use dipjudge::variants;
use dipjudge::view::Viewer;

/// The last year: the first is 1901.
const LAST: i32 = 2010;
/// No book of such a game is larger: 4 MB.
const MOST_BYTES: usize = 4_000_000;
/// A report has some 1,200 characters.
const REPORT: &str = "England: Fleet North Sea CONVOYS Army Yorkshire -> Norway.\n";

#[test]
fn the_book_of_a_game_of_110_years_is_small_enough() {
    let variant = variants::named("standard").unwrap();
    let table = Table {
        variant,
        players: None,
        // More than there are.
        settings: vec![SettingChange::Centers(Some(35))],
        lines: &|_, _, _| Vec::new(),
        longest: 1_000,
    };
    let beside = Beside {
        held: &[],
        begins: &|_, _| {},
        master: &|_, _| Vec::new(),
        long_enough: &|game| game.turn.year > LAST,
    };
    let finished = play_beside(Map::DEFAULT, &table, &beside, 1, &mut |_| {});
    assert!(finished.game.turn.year > LAST);
    let begun = Instant::now();
    let chronicle = Chronicle::of(&finished.log).unwrap();
    let (mut maps, mut counts, mut entries) = (PageMaps::default(), Vec::new(), Vec::new());
    let events = finished.log.iter().flat_map(|record| &record.events);
    for event in events {
        let Event::Played(played) = event else {
            continue;
        };
        let phase = variant.card().phase_name(&played.phase, played.turn);
        let board = chronicle
            .seen_by(variant, Viewer::Master)
            .board_as_seen(phase);
        let board = board.expect("a board");
        counts.extend(CenterCounts::of(&board, &phase.turn.year.to_string()));
        entries.push(Entry {
            date: "2026-03-02 12:00 UTC".to_owned(),
            subject: format!("USXX:random - {phase} Results"),
            body: REPORT.repeat(20),
            map: Some(maps.map(&board)),
        });
    }
    let phases = entries.len();
    let record = GameRecord {
        title: "random, Standard".to_owned(),
        told: String::new(),
        entries,
        chart: centers_chart(&counts),
        definitions: maps.definitions(),
    };
    let bytes = record.page().len();
    println!(
        "{phases} phases: {bytes} bytes, of them {} defined once, in {:.2?}",
        record.definitions.len(),
        begun.elapsed()
    );
    assert!(phases > 300, "{phases}");
    assert!(bytes < MOST_BYTES, "{bytes}");
}
