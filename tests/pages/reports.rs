//! Results as masters and powers of the recorded games of every variant get them (`tests/recorded/`).

use std::collections::BTreeMap;

use crate::recorded;
use dipjudge::game::project::Reader;
use dipjudge::game::{Game, Record, Role, VariantGame, apply};
use dipjudge::mails::outbound::{self, Templates};
use dipjudge::variants;
use dipjudge::view::Viewer;

/// How many reports of a game are rendered.
const LONGEST: usize = 3;

/// Every report, by game, phase and reader.
pub(crate) fn all() -> BTreeMap<String, String> {
    recorded::logs().flat_map(|log| of_game(&log)).collect()
}

/// The longest reports of every game.
pub(crate) fn longest() -> BTreeMap<String, String> {
    let mut by_game: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for (name, html) in all() {
        let game = name.split(' ').next().unwrap().to_owned();
        by_game.entry(game).or_default().push((name, html));
    }
    let chosen = by_game.into_values().flat_map(|mut reports| {
        reports.sort_by_key(|(_, html)| std::cmp::Reverse(html.len()));
        reports.truncate(LONGEST);
        reports
    });
    chosen.collect()
}

fn of_game(log: &str) -> Vec<(String, String)> {
    let mut reports = Vec::new();
    let mut game: Option<Game> = None;
    for line in log.lines() {
        let record: Record = serde_json::from_str(line).unwrap();
        let before = game.take();
        let now = apply::replay(before.clone(), &record).unwrap();
        if let Some(before) = before.filter(|before| before.last != now.last) {
            reports.extend(of_phase(&before, &now));
        }
        game = Some(now);
    }
    reports
}

fn of_phase(before: &Game, game: &Game) -> Vec<(String, String)> {
    let Some(played) = &game.last else {
        return Vec::new();
    };
    let variant = variants::of(&game.variant);
    let templates = Templates::built_in();
    // Which of the players reads it makes no difference to what a power reads.
    let player = game.seats.iter().find(|seat| seat.role == Role::Player);
    let powers = player.into_iter().flat_map(|seat| {
        let powers = game.standings.keys();
        powers.map(move |power| Reader::of(game, seat, Some(*power)))
    });
    let readers = powers.chain([Reader::any_master(game)]);
    let mut reports = Vec::new();
    for reader in readers {
        let view = VariantGame::new(game, variant).read_by(&reader);
        let Some(results) = view.results(before, played) else {
            continue;
        };
        let changes = view.own_changes(before, played, &results);
        let changes: Vec<_> = changes.into_iter().collect();
        let heading = VariantGame::new(before, variant)
            .read_by(&reader)
            .heading("USXX");
        let text = outbound::results(&templates, &heading, &results, &changes).unwrap();
        let who = match reader.viewer {
            Viewer::Power(power) => format!("power {}", power.0),
            other => format!("{other:?}"),
        };
        reports.push((
            format!("{} {} {who}", game.name, heading.phase),
            text.html(None).unwrap(),
        ));
    }
    reports
}
