//! The story of a recorded game, from its log.

use dipjudge::calendar::PhaseName;
use dipjudge::game::project::Chronicle;
use dipjudge::game::{Event, Record};
use dipjudge::variants;

pub(crate) struct Story {
    pub(crate) chronicle: Chronicle,
    /// The adjudicated phases in order.
    pub(crate) phases: Vec<PhaseName>,
}

/// The story that a log tells.
pub(crate) fn of_log(log: &str) -> Story {
    let records: Vec<Record> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let chronicle = Chronicle::of(&records).unwrap();
    let card = variants::of(&chronicle.now().variant).card();
    let events = records.iter().flat_map(|record| &record.events);
    let phases = events.filter_map(|event| match event {
        Event::Played(played) => Some(card.phase_name(&played.phase, played.turn)),
        _ => None,
    });
    let phases = phases.collect();
    Story { chronicle, phases }
}
