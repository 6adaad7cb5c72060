//! The engine: adjudicates the phase in hand with what there is, then plays on until a phase asks somebody, or the
//! game is over. What a variant changes it changes through the hooks of `Variant`, asked here and nowhere else.

use std::collections::{BTreeMap, BTreeSet};

use super::event::{Adjusted, Adjustment, Ending, Event, Outcome, Played};
use super::{Course, Game, Phase, State, Tally, asks, clock};
use crate::adjudicator::{self, Mark};
use crate::calendar::Turn;
use crate::map::{Power, Province};
use crate::orders::{Action, Order, OrderSheet};
use crate::position::{Dislodged, Position, Unit, UnitId};

/// No game plays through more phases than this without asking anybody: a guard against a variant without rest.
const MOST_PHASES: usize = 32;

/// Sets the board up and opens the first phase that asks somebody.
pub fn begin(course: &mut Course) {
    let variant = course.variant;
    let game = &course.game;
    let (position, data) = variant.set_up(game.map(), &game.powers, &game.settings, course.dice());
    let turn = variant.first_turn();
    let phase = variant
        .order_of_play(turn)
        .into_iter()
        .next()
        .unwrap_or(Phase::Movement);
    course.emit(Event::Begun {
        turn,
        phase,
        position,
        data,
    });
    if asks_nobody(&course.game, course) {
        advance(course);
    }
    open(course, true);
}

/// Adjudicates the phase in hand, then plays on.
pub fn run(course: &mut Course) {
    play(course);
    if ended(course) {
        return;
    }
    advance(course);
    if !course.game.over() {
        open(course, false);
    }
}

/// Sets the deadline of the phase in hand.
fn open(course: &mut Course, first: bool) {
    let times = clock::times_from(&course.game, course.variant, course.now, first);
    course.emit(Event::Timed { times });
    settle(course);
}

/// Notes when the set of orders became complete, or no longer is: the delay before processing counts from there.
pub fn settle(course: &mut Course) {
    let running = course.game.state == State::Running;
    let complete = running && asks::missing(&course.game, course.variant).is_empty();
    match (complete, course.game.timing.all_in) {
        (true, None) => course.emit(Event::AllIn {
            since: Some(course.now),
        }),
        (false, Some(_)) => course.emit(Event::AllIn { since: None }),
        _ => {}
    }
}

/// Goes on to the next phase that asks somebody, playing those that ask nobody.
fn advance(course: &mut Course) {
    for _ in 0..MOST_PHASES {
        let (turn, phase) = next_phase(course);
        course.emit(Event::Opened {
            turn,
            phase: phase.clone(),
        });
        match phase {
            Phase::Ownership => {
                let position = owned(course);
                course.emit(Event::Owned { position });
                if ended(course) {
                    return;
                }
                raise_the_limit(course);
            }
            Phase::Own(name) if asks_nobody(&course.game, course) => {
                let events = course.variant.play(&name, &course.game, course.dice());
                events.into_iter().for_each(|event| course.emit(event));
                if ended(course) {
                    return;
                }
            }
            _ if asks_nobody(&course.game, course) => {}
            _ => return,
        }
    }
}

fn asks_nobody(game: &Game, course: &Course) -> bool {
    let asks = asks::asks(game, course.variant);
    asks.due.is_empty() && !asks.held_anyway
}

fn next_phase(course: &Course) -> (Turn, Phase) {
    let Game { turn, phase, .. } = &course.game;
    let order = course.variant.order_of_play(*turn);
    let here = order.iter().position(|step| step == phase);
    if let Some(next) = here.and_then(|here| order.get(here + 1)) {
        return (*turn, next.clone());
    }
    let mut turn = *turn;
    for _ in 0..MOST_PHASES {
        turn = course.variant.next_turn(turn);
        if let Some(first) = course.variant.order_of_play(turn).into_iter().next() {
            return (turn, first);
        }
    }
    (turn, Phase::Movement)
}

/// Whether the game is over now; says so if it is.
fn ended(course: &mut Course) -> bool {
    let after = course.game.phase.clone();
    let Some(ending) = course
        .variant
        .ending(&course.game, &after)
        .or_else(|| nobody_left(&course.game))
    else {
        return false;
    };
    course.emit(Event::Ended { ending });
    true
}

/// Powers that are level at the winning number or above it: from now on it takes one more than they have
/// (`judge-workflow.md` 1.1).
fn raise_the_limit(course: &mut Course) {
    let winning = course.variant.winning();
    if winning.tally != Tally::Centers {
        return;
    }
    let number = course.game.winning_number(winning);
    let level = course.game.powers_with_centers(number as usize);
    if let [first, _, ..] = level.as_slice() {
        let centers = course.game.center_count(*first) + 1;
        let number = u32::try_from(centers).unwrap_or(u32::MAX);
        course.emit(Event::Raised { number });
    }
}

/// A board from which everybody has vanished is a draw of nobody rather than a game that never ends.
fn nobody_left(game: &Game) -> Option<Ending> {
    (game.begun() && game.survivors().is_empty()).then_some(Ending::Drawn(Vec::new()))
}

/// Adjudicates the phase in hand.
fn play(course: &mut Course) {
    let mut played = match course.game.phase.clone() {
        Phase::Movement => movement(course),
        Phase::Retreats => retreats(course),
        Phase::Adjustments => adjustments(course),
        Phase::Ownership => return,
        Phase::Own(name) => {
            let events = course.variant.play(&name, &course.game, course.dice());
            let played = blank(&course.game);
            course.emit(Event::Played(Box::new(played)));
            events.into_iter().for_each(|event| course.emit(event));
            return;
        }
    };
    played.number = course.game.number + 1;
    course.emit(Event::Played(Box::new(played)));
}

fn blank(game: &Game) -> Played {
    Played {
        number: game.number + 1,
        turn: game.turn,
        phase: game.phase.clone(),
        outcomes: Vec::new(),
        destroyed: Vec::new(),
        adjusted: Vec::new(),
        position: game.position.clone(),
    }
}

/// What every unit was told, the orders of lent units by their borrowers included, and whose units in crowded places
/// they mean. A unit that does well without an order holds.
fn orders_given(
    game: &Game,
    idle: &BTreeSet<UnitId>,
) -> (BTreeMap<UnitId, Action>, BTreeMap<UnitId, Power>) {
    let (mut given, mut meant) = (BTreeMap::new(), BTreeMap::new());
    for unit in &game.position.units {
        let owner = game.standings.get(&unit.power);
        let by = owner
            .and_then(|owner| owner.orders.lent.get(&unit.id))
            .copied()
            .unwrap_or(unit.power);
        let orders = game.standings.get(&by).map(|standing| &standing.orders);
        let action = orders
            .and_then(|orders| orders.units.get(&unit.id))
            .or_else(|| idle.contains(&unit.id).then_some(&Action::Hold));
        given.extend(action.map(|action| (unit.id, action.clone())));
        let whose = orders.and_then(|orders| orders.meant(unit.id));
        meant.extend(whose.map(|whose| (unit.id, whose)));
    }
    (given, meant)
}

fn movement(course: &Course) -> Played {
    let game = &course.game;
    let idle = asks::asks(game, course.variant).idle;
    let (given, beneficiaries) = orders_given(game, &idle);
    let orders = game
        .position
        .units
        .iter()
        .map(|unit| Order {
            unit: unit.id,
            action: given.get(&unit.id).cloned().unwrap_or(Action::Hold),
        })
        .collect();
    let mut sheet = OrderSheet {
        orders,
        overlay: course.variant.overlay(game),
        beneficiaries,
        ..OrderSheet::default()
    };
    course.variant.amend_orders(game, &mut sheet, course.dice());
    let resolution = adjudicator::movement(game.map(), &game.position, &sheet);
    let mut dislodged = resolution.dislodged.clone();
    // Nobody would order their retreats.
    for neutral in dislodged
        .iter_mut()
        .filter(|one| one.unit.power == Power::NEUTRAL)
    {
        neutral.options.clear();
    }
    course
        .variant
        .amend_retreats(game, &mut dislodged, course.dice());
    let mut played = blank(game);
    for unit in &game.position.units {
        let outcome = resolution.outcome(unit.id);
        // Nobody forgot to order a neutral unit: it does what the sheet has it do.
        let own = (unit.power == Power::NEUTRAL).then(|| sheet.action(unit.id));
        played.outcomes.push(Outcome {
            unit: *unit,
            action: given.get(&unit.id).or(own.flatten()).cloned(),
            marks: outcome.map_or_else(Vec::new, |outcome| outcome.marks.iter().collect()),
            reason: outcome.and_then(|outcome| outcome.reason.clone()),
        });
    }
    let (stay, destroyed): (Vec<Dislodged>, Vec<Dislodged>) = dislodged
        .into_iter()
        .partition(|dislodged| !dislodged.options.is_empty());
    played.position = resolution.apply(&game.position);
    played.position.dislodged = stay;
    played.destroyed = destroyed
        .into_iter()
        .map(|dislodged| dislodged.unit)
        .collect();
    played
}

fn retreats(course: &Course) -> Played {
    let game = &course.game;
    let given = |unit: &Unit| {
        game.standings
            .get(&unit.power)
            .and_then(|s| s.orders.units.get(&unit.id))
            .cloned()
    };
    let units = || {
        game.position
            .dislodged
            .iter()
            .map(|dislodged| &dislodged.unit)
    };
    let orders: Vec<Order> = units()
        .filter_map(|unit| {
            given(unit).map(|action| Order {
                unit: unit.id,
                action,
            })
        })
        .collect();
    let resolution = adjudicator::retreats(game.map(), &game.position, &orders);
    let mut played = blank(game);
    played.position = resolution.apply(&game.position);
    for unit in units() {
        let outcome = resolution.outcome(unit.id);
        // Whoever disbands by order or by silence has not failed; only retreats that met are marked.
        let met = outcome.filter(|outcome| outcome.marks.has(Mark::Bounce));
        played.outcomes.push(Outcome {
            unit: *unit,
            action: given(unit),
            marks: met.map_or_else(Vec::new, |outcome| outcome.marks.iter().collect()),
            reason: met.and_then(|outcome| outcome.reason.clone()),
        });
    }
    played
}

fn adjustments(course: &Course) -> Played {
    let game = &course.game;
    let allowances = asks::allowances(game, course.variant);
    let orders = game
        .standings
        .iter()
        .map(|(power, standing)| (*power, standing.orders.winter.clone()))
        .collect();
    let adjusted = adjudicator::adjustments(game.map(), &game.position, &allowances, &orders);
    let told = adjusted
        .adjustments
        .into_iter()
        .filter_map(|(power, what)| {
            let what = match what {
                adjudicator::Adjustment::Built(unit) => Adjustment::Built(unit),
                adjudicator::Adjustment::Removed(unit) => Adjustment::Removed(unit),
                adjudicator::Adjustment::Defaulted(unit) => Adjustment::Defaulted(unit),
                adjudicator::Adjustment::Waived => Adjustment::Waived,
                adjudicator::Adjustment::Unusable(n) => Adjustment::Unusable(n),
                adjudicator::Adjustment::Saved(n) => Adjustment::Saved(n),
                // Orders are refused when they are read; what comes here is one that a later order has displaced.
                adjudicator::Adjustment::Refused(..) => return None,
            };
            Some(Adjusted { power, what })
        });
    Played {
        adjusted: told.collect(),
        position: adjusted.position,
        ..blank(game)
    }
}

/// Centers change owners: whoever stands on one when Fall is over owns it.
fn owned(course: &Course) -> Position {
    let game = &course.game;
    let mut position = game.position.clone();
    let mut owners: BTreeMap<Province, Power> = position.owners.clone();
    for unit in &position.units {
        let center = game
            .map()
            .info(unit.at.province)
            .is_some_and(|info| info.center);
        if center && unit.power != Power::NEUTRAL {
            owners.insert(unit.at.province, unit.power);
        }
    }
    course.variant.amend_owners(game, &mut owners);
    position.owners = owners;
    position
}
