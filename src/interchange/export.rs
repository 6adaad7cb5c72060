//! Writes a saved game as JSON, with sorted keys and no time but the game's calendar, so that the same game always gives the
//! same text.

use serde_json::{Map, Value, json};

use dipjudge_view::{SavedGame, SavedPhase};

/// The whole game in the saved-game format of the `diplomacy` package, indented, with a line end.
///
/// Beside the package's keys stand `variant` and, once the game is over, `seed`; each phase's `name`, `state` and
/// `orders` are what `adjudicate` reads.
#[must_use]
pub fn export(game: &SavedGame) -> String {
    let phases: Vec<Value> = game.phases.iter().map(|one| phase(game, one)).collect();
    let mut saved = json!({
        "id": game.id,
        "map": game.map,
        "phases": phases,
        "rules": game.rules,
        "variant": game.variant,
    });
    if let (Some(seed), Some(object)) = (&game.seed, saved.as_object_mut()) {
        object.insert("seed".to_owned(), json!(seed));
    }
    format!("{saved:#}\n")
}

fn phase(game: &SavedGame, phase: &SavedPhase) -> Value {
    json!({
        // Only those who wrote or received press keep it.
        "messages": [],
        "name": phase.name,
        "orders": phase.orders,
        "results": phase.results,
        "state": state(game, phase),
    })
}

fn state(game: &SavedGame, phase: &SavedPhase) -> Value {
    let builds: Map<String, Value> = phase
        .builds
        .iter()
        .map(|(power, builds)| {
            let entry = json!({"count": builds.count, "homes": builds.homes});
            (power.clone(), entry)
        })
        .collect();
    // The variant's keys are inserted first, so that none can replace a common one.
    let mut state: Map<String, Value> = phase
        .own
        .iter()
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    let common = [
        ("builds", Value::Object(builds)),
        ("centers", json!(phase.centers)),
        ("game_id", json!(game.id)),
        ("homes", json!(phase.homes)),
        ("map", json!(game.map)),
        ("name", json!(phase.name)),
        ("note", json!("")),
        ("retreats", json!(phase.retreats)),
        ("rules", json!(game.rules)),
        ("units", json!(phase.units)),
    ];
    state.extend(common.map(|(key, value)| (key.to_owned(), value)));
    Value::Object(state)
}
