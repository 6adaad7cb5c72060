//! The engine: adjudicates the phase in hand with the orders that are in, then continues until a phase asks somebody, or the
//! game is over. A variant changes the rules through the hooks of `Variant` only, which are called here.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::clock::PhaseStart;
use super::event::{Adjusted, Adjustment, Ending, Event, Outcome, Played};
use super::{Game, GameEdit, Phase, State, Tally, VariantGame, to_come};
use dipjudge_rules::adjudicator::{self, Contradiction, Mark};
use dipjudge_rules::calendar::Turn;
use dipjudge_rules::map::{Map, Power, Province};
use dipjudge_rules::orders::{Action, Order, OrderSheet};
use dipjudge_rules::position::{Dislodged, Position, Unit, UnitId};

/// The limit of phases in a row that ask nobody, in case a variant never asks anybody again.
const MOST_PHASES: usize = 32;

/// Sets the board up and opens the first phase that asks somebody.
pub fn begin(edit: &mut GameEdit) {
    let variant = edit.variant;
    let game = &edit.game;
    let position = variant.set_up(game.map(), &game.powers, &game.settings, edit.dice());
    let data = variant.first_state(&game.powers, &position, &game.settings, edit.dice());
    let position = VariantGame::new(game, variant).opening_position(position);
    let turn = VariantGame::new(game, variant).first_turn();
    let phase = variant
        .order_of_play(turn)
        .into_iter()
        .next()
        .unwrap_or(Phase::Movement);
    edit.emit(Event::Begun {
        turn,
        phase,
        position,
        data,
    });
    to_come::come_about(edit);
    if asks_nobody(&edit.game, edit) {
        advance(edit);
    }
    open(edit, PhaseStart::First);
}

/// Adjudicates the phase in hand, then continues.
///
/// # Errors
/// If the results of the phase do not hold against the rules, so that it was not played.
pub fn run(edit: &mut GameEdit) -> Result<(), Contradiction> {
    count_missed(edit);
    run_uncounted(edit)
}

/// Does the same for a position without a clock: nobody reads the deadline of the next phase.
///
/// # Errors
/// If the results of the phase do not hold against the rules, so that it was not played.
pub fn run_untimed(edit: &mut GameEdit) -> Result<(), Contradiction> {
    adjudicated(edit)?.come_about_untimed(edit);
    Ok(())
}

/// What happens if the phase in hand is played as it stands: its results, and the steps that ask nobody. Nothing happens if the
/// results do not hold.
pub(super) fn played_again(mut edit: GameEdit<'_>) -> Vec<Event> {
    match adjudicated(&edit) {
        Ok(results) => {
            results.come_about_untimed(&mut edit);
            edit.events
        }
        Err(_) => Vec::new(),
    }
}

/// Goes on with a game that was over: from a phase in which nobody has anything to decide to the next in which somebody has.
/// Nothing is adjudicated again.
pub fn go_on(edit: &mut GameEdit) {
    if asks_nobody(&edit.game, edit) {
        advance(edit);
    }
}

/// The results of the phase in hand, before they come about.
pub struct PhaseResults {
    by: AdjudicatedBy,
    events: Vec<Event>,
}

impl PhaseResults {
    /// Adjudicates the phase in hand as [`run`] does, and continues in the trial no further.
    ///
    /// # Errors
    /// If the results do not hold against the rules.
    pub fn of(mut trial: GameEdit<'_>) -> Result<PhaseResults, Contradiction> {
        count_missed(&mut trial);
        adjudicated(&trial)
    }

    /// Applies them to the game, then goes on like [`run`]. The game must be the one from which they were made.
    pub fn take_over(self, edit: &mut GameEdit<'_>) {
        count_missed(edit);
        self.come_about(edit);
    }

    fn come_about(self, edit: &mut GameEdit<'_>) {
        self.come_about_untimed(edit);
        if !edit.game.over() {
            open(edit, PhaseStart::Later);
        }
    }

    /// Continues to the next phase, which gets no deadline.
    fn come_about_untimed(self, edit: &mut GameEdit<'_>) {
        self.events.into_iter().for_each(|event| edit.emit(event));
        if !ended(edit) {
            advance(edit);
        }
    }
}

/// Does the same without counting who sent nothing, for a phase that is replayed.
pub(super) fn run_uncounted(edit: &mut GameEdit) -> Result<(), Contradiction> {
    adjudicated(edit)?.come_about(edit);
    Ok(())
}

/// Sets the deadline of the phase in hand.
fn open(edit: &mut GameEdit, start: PhaseStart) {
    let times = edit
        .variant_game()
        .times_on_schedule(edit.fell_due, edit.now, start);
    edit.emit(Event::Timed { times });
    settle(edit);
}

/// Records when the orders became complete or incomplete; the delay before processing counts from there.
pub fn settle(edit: &mut GameEdit) {
    let running = edit.game.state == State::Running;
    let complete = running && edit.variant_game().all_in();
    match (complete, edit.game.timing.all_in) {
        (true, None) => edit.emit(Event::AllIn {
            since: Some(edit.now),
        }),
        (false, Some(_)) => edit.emit(Event::AllIn { since: None }),
        _ => {}
    }
}

/// Continues to the next phase that asks somebody, and adjudicates those that ask nobody.
fn advance(edit: &mut GameEdit) {
    for _ in 0..MOST_PHASES {
        let (turn, phase) = next_phase(edit);
        edit.emit(Event::Opened {
            turn,
            phase: phase.clone(),
        });
        to_come::come_about(edit);
        match phase {
            Phase::Ownership => {
                let position = owned(edit);
                edit.emit(Event::Owned { position });
                if ended(edit) {
                    return;
                }
                raise_the_limit(edit);
            }
            Phase::Own(name) if asks_nobody(&edit.game, edit) => {
                let events = edit
                    .variant
                    .play(&name, &edit.game, edit.dice(), &edit.access());
                events.into_iter().for_each(|event| edit.emit(event));
                if ended(edit) {
                    return;
                }
            }
            _ if asks_nobody(&edit.game, edit) => {}
            _ => return,
        }
    }
}

fn asks_nobody(game: &Game, edit: &GameEdit) -> bool {
    let requirements = VariantGame::new(game, edit.variant).requirements();
    let common = matches!(
        game.phase,
        Phase::Movement | Phase::Retreats | Phase::Adjustments
    );
    let held = requirements.held_anyway
        || (common
            && VariantGame::new(game, edit.variant)
                .pace()
                .holds_empty_phases);
    requirements.due.is_empty() && !held
}

/// Counts the powers that have ordered nothing in the movement phase in hand, in a game that replaces such leaders.
fn count_missed(edit: &mut GameEdit) {
    let game = &edit.game;
    if game.phase != Phase::Movement {
        return;
    }
    let Some(most) = VariantGame::new(game, edit.variant).pace().replaced_after else {
        return;
    };
    let due = VariantGame::new(game, edit.variant).requirements().due;
    let silent = |power: &Power| game.standing(*power).orders.is_empty();
    let powers: Vec<Power> = due.into_keys().filter(silent).collect();
    let often = |power: &Power| game.standing(*power).missed + 1 >= most;
    let free = powers.iter().copied().filter(often).collect();
    edit.emit(Event::Missed { powers, free });
}

fn next_phase(edit: &GameEdit) -> (Turn, Phase) {
    let Game { turn, phase, .. } = &edit.game;
    let order = edit.variant.order_of_play(*turn);
    let here = order.iter().position(|step| step == phase);
    if let Some(next) = here.and_then(|here| order.get(here + 1)) {
        return (*turn, next.clone());
    }
    let mut turn = *turn;
    for _ in 0..MOST_PHASES {
        turn = edit.variant.next_turn(turn);
        if let Some(first) = edit.variant.order_of_play(turn).into_iter().next() {
            return (turn, first);
        }
    }
    (turn, Phase::Movement)
}

/// Returns whether the game is over now, and emits its end if so.
fn ended(edit: &mut GameEdit) -> bool {
    let after = edit.game.phase.clone();
    let Some(ending) = edit
        .variant
        .ending(&edit.game, &after)
        .or_else(|| edit.variant_game().ending_without_players())
    else {
        return false;
    };
    edit.emit(Event::Ended { ending });
    true
}

/// Raises the winning number if powers are level at or above it: from now on it is one more than they have (`judge-workflow.md`
/// 1.1).
fn raise_the_limit(edit: &mut GameEdit) {
    let winning = edit.variant.card().winning;
    if winning.tally != Tally::Centers {
        return;
    }
    let number = edit.game.winning_number(winning);
    let level = edit.game.powers_with_centers(number as usize);
    if let [first, _, ..] = level.as_slice() {
        let centers = edit.game.center_count(*first) + 1;
        let number = u32::try_from(centers).unwrap_or(u32::MAX);
        edit.emit(Event::Raised { number });
    }
}

impl VariantGame<'_> {
    /// If all powers have vanished from the board, the game ends as a draw of nobody, since it would never end otherwise.
    fn ending_without_players(self) -> Option<Ending> {
        (self.game.begun() && self.powers_taking_part().is_empty())
            .then_some(Ending::Drawn(Vec::new()))
    }
}

/// What adjudicated a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AdjudicatedBy {
    /// The engine, amended by the hooks of the variant.
    Engine,
    /// The variant, with steps of its own.
    Variant,
}

/// Adjudicates the phase in hand, and no step after it, if its results hold.
pub(super) fn play(edit: &mut GameEdit<'_>) -> Result<AdjudicatedBy, Contradiction> {
    let results = adjudicated(edit)?;
    results
        .events
        .into_iter()
        .for_each(|event| edit.emit(event));
    Ok(results.by)
}

/// The results of the phase in hand, if they hold.
fn adjudicated(edit: &GameEdit<'_>) -> Result<PhaseResults, Contradiction> {
    let phase = &edit.game.phase;
    let (dice, access) = (edit.dice(), edit.access());
    if let Some(own) = edit.variant.adjudicate(&edit.game, phase, dice, &access) {
        if let Some(contradiction) = own.contradiction {
            return Err(contradiction);
        }
        let played = Played {
            outcomes: own.outcomes,
            destroyed: own.destroyed,
            adjusted: own.adjusted,
            ..blank(&edit.game, own.position)
        };
        return Ok(results(AdjudicatedBy::Variant, played, own.events));
    }
    Ok(match phase {
        Phase::Movement => results(AdjudicatedBy::Engine, movement(edit)?, Vec::new()),
        Phase::Retreats => results(AdjudicatedBy::Engine, retreats(edit), Vec::new()),
        Phase::Adjustments => results(AdjudicatedBy::Engine, adjustments(edit), Vec::new()),
        Phase::Ownership => PhaseResults {
            by: AdjudicatedBy::Engine,
            events: Vec::new(),
        },
        Phase::Own(name) => {
            let events = edit
                .variant
                .play(name, &edit.game, edit.dice(), &edit.access());
            let played = blank(&edit.game, edit.game.position.clone());
            results(AdjudicatedBy::Variant, played, events)
        }
    })
}

/// What was played, then the variant's own events.
fn results(by: AdjudicatedBy, played: Played, own: Vec<Event>) -> PhaseResults {
    let mut events = vec![Event::Played(Arc::new(played))];
    events.extend(own);
    PhaseResults { by, events }
}

/// A phase in which nothing came of the orders but this position.
fn blank(game: &Game, position: Position) -> Played {
    Played {
        number: game.number + 1,
        turn: game.turn,
        phase: game.phase.clone(),
        outcomes: Vec::new(),
        destroyed: Vec::new(),
        adjusted: Vec::new(),
        position,
    }
}

/// The order of each unit on the board, including those that borrowers gave to lent units, and the powers whose units in shared
/// provinces they mean. A unit that needs no order holds.
fn orders_given<'g>(
    game: &'g Game,
    idle: &BTreeSet<UnitId>,
) -> (Vec<Option<&'g Action>>, BTreeMap<UnitId, Power>) {
    let mut given = Vec::with_capacity(game.position.units.len());
    let mut meant = BTreeMap::new();
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
        given.push(action);
        let whose = orders.and_then(|orders| orders.meant(unit.id));
        meant.extend(whose.map(|whose| (unit.id, whose)));
    }
    (given, meant)
}

/// Lets the variant change an order sheet before it is adjudicated.
pub fn amend_orders(edit: &GameEdit, sheet: &mut OrderSheet) {
    let (dice, access) = (edit.dice(), edit.access());
    edit.variant.amend_orders(&edit.game, sheet, dice, &access);
}

fn movement(edit: &GameEdit) -> Result<Played, Contradiction> {
    let game = &edit.game;
    let idle = VariantGame::new(game, edit.variant).requirements().idle;
    let (given, beneficiaries) = orders_given(game, &idle);
    let units = game.position.units.iter().zip(given);
    let orders = units
        .clone()
        .map(|(unit, action)| Order {
            unit: unit.id,
            action: action.cloned().unwrap_or(Action::Hold),
        })
        .collect();
    let mut sheet = OrderSheet {
        orders,
        overlay: edit.variant.overlay(game),
        beneficiaries,
        ..OrderSheet::default()
    };
    amend_orders(edit, &mut sheet);
    let resolution = adjudicator::checked_movement(game.map(), &game.position, &sheet);
    if let Some(contradiction) = resolution.contradiction {
        return Err(contradiction);
    }
    let mut dislodged = resolution.dislodged.clone();
    // Nobody would order their retreats.
    for neutral in dislodged
        .iter_mut()
        .filter(|one| one.unit.power == Power::NEUTRAL)
    {
        neutral.options.clear();
    }
    edit.variant
        .amend_retreats(game, &mut dislodged, edit.dice());
    if game.settings.auto_disband {
        dislodged.iter_mut().for_each(|one| one.options.clear());
    }
    let mut played = blank(game, resolution.apply(&game.position));
    for (unit, action) in units {
        let outcome = resolution.outcome(unit.id);
        // A neutral unit without an order is not marked as unordered: it does what the sheet says.
        let own = (unit.power == Power::NEUTRAL).then(|| sheet.action(unit.id));
        played.outcomes.push(Outcome {
            unit: *unit,
            action: action.or(own.flatten()).cloned(),
            marks: outcome.map_or_else(Vec::new, |outcome| outcome.marks.iter().collect()),
            reason: outcome.and_then(|outcome| outcome.reason.clone()),
        });
    }
    let (stay, destroyed): (Vec<Dislodged>, Vec<Dislodged>) = dislodged
        .into_iter()
        .partition(|dislodged| !dislodged.options.is_empty());
    played.position.dislodged = stay;
    played.destroyed = destroyed
        .into_iter()
        .map(|dislodged| dislodged.unit)
        .collect();
    Ok(played)
}

fn retreats(edit: &GameEdit) -> Played {
    let game = &edit.game;
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
    let mut played = blank(game, resolution.apply(&game.position));
    for unit in units() {
        let outcome = resolution.outcome(unit.id);
        // Disbanding by order or without one is not a failure; only retreats that conflict are marked.
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

fn adjustments(edit: &GameEdit) -> Played {
    let game = &edit.game;
    let allowances = VariantGame::new(game, edit.variant).allowances();
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
                // Orders are checked when they are read; one that is illegal here has been displaced by a later order.
                adjudicator::Adjustment::Refused(..) => return None,
            };
            Some(Adjusted { power, what })
        });
    Played {
        adjusted: told.collect(),
        ..blank(game, adjusted.position)
    }
}

/// Centers change owners.
fn owned(edit: &GameEdit) -> Position {
    let mut position = edit.game.position.clone();
    let taken: Vec<(Province, Power)> = taken(edit.game.map(), &position).collect();
    position.owners.extend(taken);
    position
}

/// The centers that are owned from now on: a unit that occupies a center at the end of Fall takes it.
pub fn taken(map: &Map, position: &Position) -> impl Iterator<Item = (Province, Power)> {
    let centers = position.units.iter().filter(|unit| {
        let info = map.info(unit.at.province);
        unit.power != Power::NEUTRAL && info.is_some_and(|info| info.center)
    });
    centers.map(|unit| (unit.at.province, unit.power))
}
