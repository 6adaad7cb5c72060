//! Forts: who may fortify what, what a fort does, and how it falls (rules page, section 5).

use std::collections::BTreeSet;

use super::state::{BridgeState, LostFort};
use super::{BridgeView, FORT_STRENGTH};
use crate::data_of;
use dipjudge_game::project::Sight;
use dipjudge_game::{Access, Considered, Effect, Game, Phase, Refusal, Submission, refuse};
use dipjudge_grammar::Line;
use dipjudge_rules::map::{Power, Province};
use dipjudge_rules::orders::{Overlay, Stronghold};
use dipjudge_rules::position::Dislodged;

/// The name of the submission that the centers to be fortified are put down on.
pub(super) const SUBMISSION: &str = "forts";

/// The forts as strongholds: one defender more, or (a setting) twice the strength, at least one.
pub(super) fn overlay(game: &Game) -> Overlay {
    let doubled = FORT_STRENGTH.is(game, "times2");
    let stronghold = |owner: Power| {
        if doubled {
            Stronghold {
                owner,
                plus: 0,
                times: 2,
                at_least: 1,
            }
        } else {
            Stronghold::adding(owner, 1)
        }
    };
    Overlay {
        strongholds: BridgeState::known(game)
            .forts
            .iter()
            .map(|(province, owner)| (*province, stronghold(*owner)))
            .collect(),
        ..Overlay::default()
    }
}

/// Removes retreats into vacant forts of other powers.
pub(super) fn bar_retreats(game: &Game, dislodged: &mut [Dislodged]) {
    let state = BridgeState::known(game);
    let forts = &state.forts;
    for dislodged in dislodged {
        let power = dislodged.unit.power;
        dislodged
            .options
            .retain(|to| forts.get(&to.province).is_none_or(|owner| *owner == power));
    }
}

/// Removes forts in which a unit of another power stands after movement.
pub(super) fn sack(game: &Game, state: &mut BridgeState) {
    state.lost.clear();
    let owners = game.position.units.iter().filter_map(|unit| {
        let province = unit.at.province;
        let owner = *state.forts.get(&province)?;
        (owner != unit.power).then_some(LostFort {
            province,
            owner,
            by: unit.power,
            kind: unit.kind,
        })
    });
    let lost: Vec<LostFort> = owners.collect();
    for lost in &lost {
        state.forts.remove(&lost.province);
    }
    state.lost = lost;
}

/// Fortifies, when Winter closes, the first of the centers that each power named, as many as are due. Forts for which no
/// center was named are lost.
pub(super) fn build(game: &Game, state: &mut BridgeState, access: &Access<'_>) {
    state.built.clear();
    for (power, due) in std::mem::take(&mut state.due) {
        let open = |province: &Province| {
            game.position.owners.get(province) == Some(&power)
                && !state.forts.contains_key(province)
        };
        let named = written(game, power, access).into_iter().filter(open);
        let built: Vec<Province> = named.take(due).collect();
        state
            .forts
            .extend(built.iter().map(|province| (*province, power)));
        state.built.extend(built);
    }
}

/// The centers that a power named in the Winter just closed.
fn written(game: &Game, power: Power, access: &Access<'_>) -> Vec<Province> {
    let submissions = game.played_submissions(power, access);
    let named = submissions.get(SUBMISSION);
    named.map(|data| data.stored()).unwrap_or_default()
}

/// `FORTIFY MUN, BER`, `FORTIFY NONE`
pub(super) fn read(
    line: &Line,
    sight: &Sight,
    visible_state: &BridgeView,
) -> Result<Considered, Refusal> {
    if sight.phase != Phase::Adjustments {
        return refuse("Centers are fortified in Winter only, when forts are due.");
    }
    let none = line.has("none");
    if visible_state.due == 0 && !none {
        return refuse(
            "You have no fort to build this Winter: forts come from owning more centers than you bid.",
        );
    }
    let mut notes = Vec::new();
    if visible_state.due == 0 {
        notes.push("You have no fort to build this Winter: forts come from owning more centers than you bid.".to_owned());
    }
    let (mut named, mut faults, mut seen) = (Vec::new(), Vec::new(), BTreeSet::new());
    for province in line.provinces() {
        if !seen.insert(province) {
            notes.push(format!("{} is named twice.", name(sight, province)));
        } else if let Some(fault) = fault(sight, visible_state, province) {
            faults.push(fault);
        } else {
            named.push(province);
        }
    }
    if !faults.is_empty() {
        return Err(Refusal(faults));
    }
    if named.len() > visible_state.due && !none {
        let first: Vec<String> = named
            .iter()
            .take(visible_state.due)
            .map(|province| name(sight, *province))
            .collect();
        notes.push(match first.as_slice() {
            [one] => format!("One fort is due, so only {one} will be built."),
            all => format!(
                "You may build {} forts, so only the first on your list will be built: {}.",
                all.len(),
                all.join(", ")
            ),
        });
    }
    Ok(Considered {
        effects: vec![Effect::Submission(Submission {
            name: SUBMISSION.to_owned(),
            data: Some(data_of(&named)),
            lasting: false,
        })],
        notes,
    })
}

/// Why the sender cannot fortify a center.
fn fault(sight: &Sight, visible_state: &BridgeView, province: Province) -> Option<String> {
    let name = name(sight, province);
    let center = sight.map.info(province).is_some_and(|info| info.center);
    if !center {
        return Some(format!("{name} is no supply center."));
    }
    if sight.position.owners.get(&province) != Some(&sight.power) {
        return Some(format!("You do not own {name}."));
    }
    visible_state
        .forts
        .contains(&province)
        .then(|| format!("{name} is fortified already; a fort cannot be doubled again."))
}

fn name(sight: &Sight, province: Province) -> String {
    sight.map.full_name(province.into())
}
