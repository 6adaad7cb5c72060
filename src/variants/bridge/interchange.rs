//! The variant's keys of a `state` object, and its steps, in the saved-game format:
//!
//! | key | value |
//! | --- | --- |
//! | `forts` | power → list of provinces |
//! | `balance` | power → signed count |
//! | `held` | power → centers held when the running bid was made |
//! | `bids` | power → the running bid |
//! | `due` | power → forts due; in Winter only |
//!
//! Bids that stand in the state of a Winter are those of the year before: they are revealed as it is read.

use std::collections::BTreeMap;

use serde_json::{Map as Object, Value, json};

use super::bids;
use super::state::{Bid, BridgeState, Reckoned};
use super::{Bridge, MISSING_BID, OPENING, bids_are_fixed, running};
use dipjudge_game::project::ToldGame;
use dipjudge_game::{Course, DataError, Event, Game, Phase, VariantGame, by_power, unreadable};
use dipjudge_rules::map::{Power, Province};
use dipjudge_view::Viewer;

/// Reads the keys.
pub(super) fn read(keys: &Object<String, Value>, game: &Game) -> Result<Vec<Event>, DataError> {
    let mut state = BridgeState::of(game);
    for (power, provinces) in by_power::read::<Vec<Province>>(keys, "forts", game)? {
        for province in provinces {
            if game.position.owners.get(&province) != Some(&power) {
                return unreadable(format!(
                    "`forts`: {} does not own {province}.",
                    VariantGame::new(game, &super::Bridge)
                        .seen_by(Viewer::Master)
                        .labels()
                        .name(power)
                ));
            }
            state.forts.insert(province, power);
        }
    }
    for (power, balance) in by_power::read(keys, "balance", game)? {
        state.set_balance(power, balance);
    }
    state.due = by_power::read(keys, "due", game)?;
    let bids = running_bids(keys, game)?;
    let winter = game.phase == Phase::Adjustments;
    if winter && game.turn != OPENING && !bids.is_empty() {
        bids::reckon(game, &mut state, bids);
    } else {
        let sealed = bids.into_iter().map(|(power, bid)| (power, bid.into()));
        state.bids = sealed.collect();
    }
    Ok(state.change(game).into_iter().collect())
}

/// The running bids: those told; where only the centers held are, the bid that silence makes; in the first year the fixed
/// ones.
fn running_bids(
    keys: &Object<String, Value>,
    game: &Game,
) -> Result<BTreeMap<Power, Bid>, DataError> {
    let held: BTreeMap<Power, usize> = by_power::read(keys, "held", game)?;
    let told: BTreeMap<Power, usize> = by_power::read(keys, "bids", game)?;
    let most = game.map().centers().len();
    if let Some(bid) = told.values().find(|bid| **bid > most) {
        return unreadable(format!("`bids`: nobody can hold {bid} centers."));
    }
    let silent = |held: usize| MISSING_BID.is(game, "held").then_some(held);
    let first_year = game.turn != OPENING && bids_are_fixed(game.turn);
    let mut bids = BTreeMap::new();
    for power in game.all_powers() {
        let (held, told) = (held.get(&power).copied(), told.get(&power).copied());
        let homes = game.map().homes(power).len();
        let bid = match (held, told) {
            (held, Some(bid)) => Bid {
                held: held.unwrap_or(bid),
                bid: Some(bid),
            },
            (Some(held), None) => Bid {
                held,
                bid: silent(held),
            },
            (None, None) if first_year && Bridge.in_play(game, power) => Bid {
                held: homes,
                bid: Some(bids::fixed(game.map(), power)),
            },
            (None, None) => continue,
        };
        bids.insert(power, bid);
    }
    Ok(bids)
}

/// Writes the keys, as far as they are open.
pub(super) fn write(game: &ToldGame<'_>) -> Object<String, Value> {
    let state = game.state(&Bridge);
    let mut keys = Object::new();
    let mut forts: BTreeMap<String, Vec<Province>> = BTreeMap::new();
    for (province, owner) in &state.forts {
        forts.entry(game.key(*owner)).or_default().push(*province);
    }
    keys.insert("forts".to_owned(), json!(forts));
    keys.insert("balance".to_owned(), by_power::write(game, &state.balance));
    let held = state.bids.iter().map(|(power, bid)| (*power, bid.held));
    keys.insert("held".to_owned(), by_power::write(game, &held.collect()));
    let bids = state
        .opened_bids(running(game.turn()), game.access())
        .into_iter();
    let bids = bids.filter_map(|(power, bid)| bid.bid.map(|bid| (power, bid)));
    keys.insert("bids".to_owned(), by_power::write(game, &bids.collect()));
    if *game.phase() == Phase::Adjustments {
        keys.insert("due".to_owned(), by_power::write(game, &state.due));
    }
    keys
}

/// What happened step by step: forts lost, bids revealed, forts built.
pub(super) fn steps(before: &ToldGame<'_>, after: &ToldGame<'_>) -> Vec<Value> {
    let (old, new) = (before.state(&Bridge), after.state(&Bridge));
    let key = |power: Power| after.key(power);
    let mut steps = Vec::new();
    if *before.phase() == Phase::Movement {
        steps.extend(new.lost.iter().map(|lost| {
            json!({"step": "fort lost", "province": lost.province, "owner": key(lost.owner), "by": key(lost.by)})
        }));
    }
    if *before.phase() == Phase::Adjustments {
        steps.extend(new.built.iter().map(|province| {
            let owner = new.forts.get(province).map(|owner| key(*owner));
            json!({"step": "fort built", "province": province, "owner": owner})
        }));
    }
    if let Some(revealed) = &new.revealed
        && old.revealed != new.revealed
    {
        steps.extend(revealed.lines.iter().map(|line| revealed_step(after, line)));
    }
    steps
}

fn revealed_step(game: &ToldGame<'_>, line: &Reckoned) -> Value {
    json!({
        "step": "bid revealed",
        "power": game.key(line.power),
        "held": line.held,
        "bid": line.bid,
        "centers": line.centers,
        "units": line.units,
        "outcome": line.outcome.word(),
        "balance": line.balance,
        "allowed": line.allowed(),
        "adjust": line.change(),
        "forts": line.forts,
    })
}
