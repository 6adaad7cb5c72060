//! Saved games of the `diplomacy` package.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{KeptGame, KeptPhase, MOST_PHASES, NotKept, not_kept};

#[derive(Deserialize)]
struct Saved {
    #[serde(default)]
    id: String,
    #[serde(default)]
    map: Option<String>,
    #[serde(default)]
    variant: Option<String>,
    phases: Vec<Phase>,
}

#[derive(Deserialize)]
struct Phase {
    name: String,
    #[serde(default)]
    state: State,
    #[serde(default)]
    orders: BTreeMap<String, Option<Vec<String>>>,
}

#[derive(Default, Deserialize)]
struct State {
    #[serde(default)]
    units: BTreeMap<String, Vec<String>>,
}

/// Reads a saved game. The last phase is that in hand, if it has no orders.
pub(super) fn read(text: &[u8]) -> Result<KeptGame, NotKept> {
    let saved: Saved = match serde_json::from_slice(text) {
        Ok(saved) => saved,
        Err(error) => return not_kept(format!("it is no saved game: {error}")),
    };
    if saved.phases.len() > MOST_PHASES {
        return not_kept(format!("it has more than {MOST_PHASES} phases"));
    }
    let map = saved.map.unwrap_or_else(|| "standard".to_owned());
    let phases = saved.phases.into_iter();
    let mut phases: Vec<KeptPhase> = phases
        .take_while(|phase| phase.name != "COMPLETED")
        .map(phase)
        .collect();
    if phases.last().is_some_and(|last| last.orders.is_empty()) {
        phases.pop();
    }
    if phases.is_empty() {
        return not_kept("no phase of it has orders");
    }
    Ok(KeptGame {
        name: saved.id.to_ascii_lowercase(),
        variant: saved.variant.unwrap_or(map),
        phases,
        ..KeptGame::default()
    })
}

fn phase(phase: Phase) -> KeptPhase {
    let lines = phase.orders.into_iter().map(|(power, orders)| {
        let orders = orders.unwrap_or_default();
        let orders = orders.iter().map(|order| in_words(&phase.name, order));
        (power, orders.collect())
    });
    KeptPhase {
        orders: lines
            .filter(|(_, orders): &(String, Vec<String>)| !orders.is_empty())
            .collect(),
        units: phase.state.units,
        token: phase.name,
        said: Vec::new(),
    }
}

/// An order as players write it: the package says what is built or removed behind the place.
fn in_words(phase: &str, order: &str) -> String {
    let order = order.trim();
    let winter = phase.starts_with('W') || phase.ends_with('A');
    if let Some(unit) = order.strip_suffix(" B") {
        return format!("Build {unit}");
    }
    match order.strip_suffix(" D") {
        Some(unit) if winter => format!("Remove {unit}"),
        _ => order.to_owned(),
    }
}
