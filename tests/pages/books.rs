//! The books of the recorded games of every variant (`tests/recorded/`), with a map for each phase as its masters saw it.

use crate::recorded;
use crate::story::{Story, of_log};
use dipjudge::drawing::{CenterCounts, PageMaps, centers_chart};
use dipjudge::shell::pages::record::{Entry, GameRecord};
use dipjudge::variants;
use dipjudge::view::Viewer;

/// How many phases of a game are shown.
const PHASES: usize = 12;

/// A book with its name.
pub(crate) struct Book {
    pub(crate) name: String,
    pub(crate) page: String,
    pub(crate) phases: usize,
}

/// All books.
pub(crate) fn all() -> Vec<Book> {
    recorded::logs().map(|log| book(&log)).collect()
}

fn book(log: &str) -> Book {
    let Story { chronicle, phases } = of_log(log);
    let game = chronicle.now();
    let variant = variants::of(&game.variant);
    let mut maps = PageMaps::default();
    let mut counts = Vec::new();
    let mut entries = vec![Entry {
        date: "2026-03-02 12:00 UTC".to_owned(),
        subject: format!("USXX:{} - Start", game.name),
        body: "The game begins.".to_owned(),
        map: None,
    }];
    for phase in phases.into_iter().take(PHASES) {
        let seen = chronicle.seen_by(variant, Viewer::Master);
        let board = seen.board_as_seen(phase);
        counts.extend(
            board
                .as_ref()
                .and_then(|board| CenterCounts::of(board, &phase.to_string())),
        );
        entries.push(Entry {
            date: "2026-03-02 12:00 UTC".to_owned(),
            subject: format!("USXX:{} - {phase} Results", game.name),
            body: "Movement results.\n\nEngland: Army London - Yorkshire.".to_owned(),
            map: board.map(|board| maps.map(&board)),
        });
    }
    let phases = entries.len();
    let record = GameRecord {
        title: format!("{}, {}", game.name, variant.card().title),
        told: "The reports and notices that were mailed to all.".to_owned(),
        entries,
        chart: centers_chart(&counts),
        definitions: maps.definitions(),
    };
    Book {
        name: game.name.clone(),
        page: record.page(),
        phases,
    }
}
