//! The end of a turn: colonization, then elimination; and how a game ends.

use std::collections::BTreeMap;

use super::colonizing;
use super::state::{Attempt, Attempted, Colonized, OuterSpaceState};
use super::{DISLODGED_COLONIZER, OuterSpace};
use dipjudge_game::{Course, Ending, Event, Game, Phase, Played, Tally, endings, in_play};
use dipjudge_rules::adjudicator::Mark;
use dipjudge_rules::calendar::Season;
use dipjudge_rules::map::{Power, Province};
use dipjudge_rules::orders::Action;

/// The step that records attempts after movement, before retreats.
pub(super) const ATTEMPTS: &str = "attempts";
/// The step that decides attempts to colonize.
pub(super) const COLONIES: &str = "colonies";
/// The step that frees the colonies of eliminated empires.
pub(super) const ELIMINATIONS: &str = "eliminations";

/// Plays one of these steps.
pub(super) fn play(phase: &str, game: &Game) -> Vec<Event> {
    let before = OuterSpaceState::known(game);
    let mut state = OuterSpaceState::clone(&before);
    match phase {
        ATTEMPTS => state.attempts = attempts(game),
        COLONIES => colonize(game, &mut state),
        ELIMINATIONS => eliminate(game, &mut state),
        _ => {}
    }
    if state == *before {
        Vec::new()
    } else {
        vec![Event::Data { data: state.kept() }]
    }
}

/// What the movement just played attempted.
fn attempts(game: &Game) -> Vec<Attempt> {
    let fresh = |played: &&Played| played.turn == game.turn && played.phase == Phase::Movement;
    let Some(played) = game.last.as_deref().filter(fresh) else {
        return Vec::new();
    };
    let mut attempts = Vec::new();
    for outcome in &played.outcomes {
        let power = outcome.unit.power;
        let has = |mark: Mark| outcome.marks.contains(&mark);
        match &outcome.action {
            // A way that did not exist, or an order that was void, is no attempt.
            Some(Action::Move { to, .. })
                if !has(Mark::NoConvoy) && !has(Mark::Disrupted) && !has(Mark::Void) =>
            {
                attempts.push(Attempt::Enter {
                    power,
                    province: to.province,
                });
            }
            Some(action) => {
                if let Some(province) = colonizing::target(action) {
                    attempts.push(Attempt::Colonize {
                        power,
                        province,
                        dislodged: has(Mark::Dislodged),
                    });
                }
            }
            None => {}
        }
    }
    attempts
}

/// Decides every attempt to colonize on the position as it is after retreats.
fn colonize(game: &Game, state: &mut OuterSpaceState) {
    let attempts = std::mem::take(&mut state.attempts);
    let strict = DISLODGED_COLONIZER.is(game, "fails");
    // By province who tried to colonize it, and who tried to enter it.
    let mut colonizers: BTreeMap<Province, Vec<Power>> = BTreeMap::new();
    let mut rivals: BTreeMap<Province, Vec<Power>> = BTreeMap::new();
    let mut results = Vec::new();
    let add = |map: &mut BTreeMap<Province, Vec<Power>>, province, power| {
        let powers = map.entry(province).or_default();
        if !powers.contains(&power) {
            powers.push(power);
        }
    };
    for attempt in &attempts {
        match attempt {
            Attempt::Enter { power, province } => add(&mut rivals, *province, *power),
            Attempt::Colonize {
                power,
                province,
                dislodged,
            } => {
                add(&mut rivals, *province, *power);
                if strict && *dislodged {
                    results.push(Attempted {
                        power: *power,
                        province: *province,
                        result: Colonized::Dislodged,
                    });
                } else {
                    add(&mut colonizers, *province, *power);
                }
            }
        }
    }
    // An empire that succeeds with another unit has not failed.
    results.retain(|failed: &Attempted| {
        !colonizers
            .get(&failed.province)
            .is_some_and(|powers| powers.contains(&failed.power))
    });
    let mut gained = Vec::new();
    for (province, powers) in &colonizers {
        let standing = game.position.standing(*province).map(|unit| unit.power);
        for power in powers {
            let others: Vec<Power> = rivals
                .get(province)
                .into_iter()
                .flatten()
                .filter(|other| *other != power)
                .copied()
                .collect();
            let result = match standing {
                Some(other) if other != *power => Colonized::Occupied(other),
                None if !others.is_empty() => Colonized::Contested(others),
                _ => {
                    gained.push((*province, *power));
                    Colonized::Done(state.colonies.get(province).copied())
                }
            };
            results.push(Attempted {
                power: *power,
                province: *province,
                result,
            });
        }
    }
    state.colonies.extend(gained);
    results.sort_by_key(|attempted| (attempted.power, attempted.province));
    state.news_of(game.number).attempts = results;
}

/// Eliminates empires that have neither a unit nor a center, and frees their colonies.
fn eliminate(game: &Game, state: &mut OuterSpaceState) {
    let out: Vec<Power> = state
        .in_play
        .iter()
        .filter(|power| !OuterSpace.in_play(game, **power))
        .copied()
        .collect();
    for power in out {
        let freed: Vec<Province> = state.colonies_of(power).collect();
        state.colonies.retain(|_, owner| *owner != power);
        state.in_play.retain(|other| *other != power);
        state.news_of(game.number).eliminated.push((power, freed));
    }
}

/// Whether the game is over: won by centers after a Fall, or by the last empire in play; a draw if none is left, or if
/// none of those left can ever do anything again.
pub(super) fn ending(game: &Game, after: &Phase) -> Option<Ending> {
    let state = OuterSpaceState::known(game);
    if in_play(game, &OuterSpace).is_empty() {
        // Those who were eliminated a moment ago, or are about to be.
        let last: Vec<Power> = if state.in_play.is_empty() {
            state
                .news
                .eliminated
                .iter()
                .map(|(power, _)| *power)
                .collect()
        } else {
            state.in_play.clone()
        };
        return Some(Ending::Drawn(last));
    }
    if *after == Phase::Ownership {
        let enough = game.winning_number(super::CARD.winning);
        return endings::most(
            &endings::counts(game, Tally::Centers),
            enough,
            endings::Tie::PlayOn,
        );
    }
    if *after != Phase::Own(ELIMINATIONS.to_owned()) {
        return None;
    }
    endings::last(&state.in_play).or_else(|| {
        let still = for_ever_still(game, &state);
        still.then(|| Ending::Drawn(state.in_play.clone()))
    })
}

/// Whether nothing can happen any more: nobody has a unit, and nobody owns a colony to build one in.
fn for_ever_still(game: &Game, state: &OuterSpaceState) -> bool {
    let can_build = || {
        game.position
            .owners
            .iter()
            .any(|(center, owner)| state.colonies.get(center) == Some(owner))
    };
    game.turn.season == Season::Winter
        && game.position.units.is_empty()
        && game.position.dislodged.is_empty()
        && !can_build()
}
