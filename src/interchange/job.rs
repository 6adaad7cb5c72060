//! Reads, adjudicates and answers one line: a plain one in `plain`, any other here or by the engine.

use std::collections::BTreeMap;

use dipjudge_game::{DataError, Winning};
use dipjudge_rules::adjudicator::{
    self, Adjustment, Allowances, Mark, Marks, Reason, Resolution, Sites,
};
use dipjudge_rules::map::{Map, Power};
use dipjudge_rules::orders::{Action, Illegal, Order, OrderSheet, legal};
use dipjudge_rules::position::{Position, Unit};
use dipjudge_variants as variants;

use super::board::{PowerKeys, position};
use super::input::{self, Input, Section};
use super::next_phase::follow;
use super::order_text::{self, Misread, Spoken};
use super::output::{Legend, OrderError, StandardAnswer};
use super::phase::{not_standard, standard_phase};
use super::seats::{OrderedUnits, Seats};
use super::{Options, by_engine, output, plain};
use dipjudge_rules::calendar::{PhaseKind, PhaseName};

/// Adjudicates one line of JSON and appends the answer, with its line end, to `out`. Returns whether it was an adjudication: an
/// invalid line is answered with an object that has the key `error`.
pub fn adjudicate(line: &[u8], options: &Options<'_>, out: &mut Vec<u8>) -> bool {
    plain::adjudicate(line, options, out).is_some() || adjudicate_any(line, options, out)
}

/// Answers any line as [`adjudicate`] does, whatever is in it.
pub(super) fn adjudicate_any(line: &[u8], options: &Options<'_>, out: &mut Vec<u8>) -> bool {
    let input = match input::read(line) {
        Ok(input) => input,
        Err(sentence) => {
            let identity: Option<input::Identity<'_>> = serde_json::from_slice(line).ok();
            output::error(
                out,
                identity
                    .as_ref()
                    .and_then(|line| line.id.as_ref())
                    .map(|id| id.as_str()),
                &sentence,
            );
            return false;
        }
    };
    if by_engine::is_for(&input) {
        return by_engine::adjudicate(&input, options, out);
    }
    match answer(&input, options) {
        Ok(answer) => {
            let as_power = match options
                .as_power
                .map(|key| answer.legend.keys.power(key))
                .transpose()
            {
                Ok(as_power) => as_power,
                Err(sentence) => {
                    output::error(out, answer.id, &sentence);
                    return false;
                }
            };
            output::answer(out, &answer, as_power);
            true
        }
        Err(sentence) => {
            output::error(out, input.id.as_ref().map(|id| id.as_str()), &sentence);
            false
        }
    }
}

fn answer<'a>(
    input: &'a Input<'_>,
    options: &Options<'_>,
) -> Result<StandardAnswer<'a>, DataError> {
    let card = variants::UNNAMED.card();
    let name = input.map.as_ref().map_or(card.map, |map| map.as_str());
    let map = Map::named(name).ok_or_else(|| format!("No map is called `{name}`."))?;
    answer_on(map, card.winning, input, options)
}

/// The answer on this map, with this number needed to win.
pub(super) fn answer_on<'a>(
    map: &'a Map,
    winning: Winning,
    input: &'a Input<'_>,
    options: &Options<'_>,
) -> Result<StandardAnswer<'a>, DataError> {
    // Nothing is drawn in a standard game, but an invalid seed is still reported.
    if let Some(seed) = &input.seed {
        by_engine::seed(seed.as_str())?;
    }
    let phase = input
        .name
        .as_ref()
        .ok_or("The object has no `name`.")?
        .as_str();
    let phase = standard_phase(phase)?;
    let state = input.state.as_ref().ok_or("The object has no `state`.")?;
    let keys = PowerKeys::of(map.powers(), variants::UNNAMED.card());
    let (position, owners) = position(map, &keys, &phase, Some(phase.kind), state)?;
    let mut job = Job {
        map,
        keys,
        phase,
        position,
        options,
        errors: Vec::new(),
    };
    let PhaseOutcome { results, position } = match phase.kind {
        PhaseKind::Movement => job.movement(input.orders.as_ref())?,
        PhaseKind::Retreats => job.retreats(input.orders.as_ref())?,
        PhaseKind::Adjustments => job.adjustments(input.orders.as_ref())?,
        PhaseKind::Own(_) => return Err(not_standard(&phase.to_string())),
    };
    let Job { keys, errors, .. } = job;
    let (next, winner) = follow(map, winning, phase, position, owners);
    let next = (!options.results_only).then_some(next);
    Ok(StandardAnswer {
        id: input.id.as_ref().map(|id| id.as_str()),
        legend: Legend { map, keys },
        phase,
        results,
        errors,
        next,
        winner,
    })
}

struct Job<'a, 'o> {
    map: &'a Map,
    keys: PowerKeys<'a>,
    phase: PhaseName,
    position: Position,
    options: &'o Options<'o>,
    errors: Vec<OrderError>,
}

/// An order as it was read, with the power that gives it and its original text.
struct SpokenOrder<'t> {
    power: Power,
    text: &'t str,
    spoken: Spoken,
}

/// A unit's order with its original text.
struct OrderSource<'a> {
    power: Power,
    text: &'a str,
    unit: Unit,
}

/// The results of the units, and the position after the phase.
struct PhaseOutcome {
    results: Vec<(Unit, Marks)>,
    position: Position,
}

impl<'a> Job<'a, '_> {
    fn refuse(&mut self, power: Power, order: &str, sentence: String) {
        self.errors.push(OrderError {
            power,
            order: order.to_owned(),
            sentence,
        });
    }

    fn refuse_illegal(&mut self, power: Power, order: &str, illegal: &Illegal) {
        let powers = self.map.powers();
        self.refuse(power, order, illegal.sentence(self.map, powers));
    }

    /// Reads every order; those that cannot be read are recorded as errors.
    fn spoken<'t>(
        &mut self,
        orders: Option<&'t Section<'_>>,
    ) -> Result<Vec<SpokenOrder<'t>>, DataError> {
        let Some(orders) = orders else {
            return Ok(Vec::new());
        };
        let powers = self.keys.powers(orders)?;
        let mut all = Vec::with_capacity(orders.entries.len());
        for (key, text) in &orders.entries {
            let power = powers.get(*key).copied().unwrap_or(Power::NEUTRAL);
            match order_text::read(
                text.as_str(),
                self.phase.kind,
                self.map,
                self.options.fallback,
            ) {
                Ok(spoken) => all.push(SpokenOrder {
                    power,
                    text: text.as_str(),
                    spoken,
                }),
                Err(Misread(sentence)) => self.refuse(power, text.as_str(), sentence),
            }
        }
        Ok(all)
    }

    /// The orders of units, each with its unit, in the order of the input.
    fn sheet<'t>(
        &mut self,
        orders: Option<&'t Section<'_>>,
    ) -> Result<(Vec<Order>, Vec<OrderSource<'t>>), DataError> {
        let units = if self.phase.kind == PhaseKind::Retreats {
            OrderedUnits::Dislodged
        } else {
            OrderedUnits::Standing
        };
        let Some(orders) = orders else {
            return Ok((Vec::new(), Vec::new()));
        };
        let powers = self.keys.powers(orders)?;
        let mut seats = Seats::of(self.map, &self.position, units);
        let mut sheet: Vec<Order> = Vec::with_capacity(orders.entries.len());
        let mut given: Vec<OrderSource<'t>> = Vec::with_capacity(orders.entries.len());
        for (key, text) in &orders.entries {
            let text = text.as_str();
            let power = powers.get(*key).copied().unwrap_or(Power::NEUTRAL);
            let spoken =
                match order_text::read(text, self.phase.kind, self.map, self.options.fallback) {
                    Ok(spoken) => spoken,
                    Err(Misread(sentence)) => {
                        self.refuse(power, text, sentence);
                        continue;
                    }
                };
            let (unit, slot) = match seats.find(self.map, &self.position, power, &spoken) {
                Ok(found) => found,
                Err(illegal) => {
                    self.refuse_illegal(power, text, &illegal);
                    continue;
                }
            };
            let order = Order {
                unit: unit.id,
                action: spoken.action,
            };
            let place = slot.and_then(|slot| seats.ordered.get_mut(slot));
            match place {
                Some(place) if *place != 0 => {
                    // A later order replaces an earlier one, but a later invalid one does not.
                    let among = Some(&self.position.units[..]);
                    let verdict = if units == OrderedUnits::Dislodged {
                        Ok(())
                    } else {
                        legal(self.map, &Default::default(), &unit, &order.action, among)
                    };
                    match (
                        verdict,
                        sheet.get_mut(*place - 1),
                        given.get_mut(*place - 1),
                    ) {
                        (Ok(()), Some(old), Some(told)) => {
                            *old = order;
                            *told = OrderSource { power, text, unit };
                        }
                        (Err(illegal), ..) => self.refuse_illegal(power, text, &illegal),
                        _ => {}
                    }
                }
                place => {
                    sheet.push(order);
                    given.push(OrderSource { power, text, unit });
                    if let Some(place) = place {
                        *place = sheet.len();
                    }
                }
            }
        }
        Ok((sheet, given))
    }

    fn movement(&mut self, orders: Option<&Section<'_>>) -> Result<PhaseOutcome, DataError> {
        let (orders, given) = self.sheet(orders)?;
        let sheet = OrderSheet {
            orders,
            ..OrderSheet::default()
        };
        let mut resolution = adjudicator::checked_movement(self.map, &self.position, &sheet);
        if let Some(contradiction) = &resolution.contradiction {
            return Err(by_engine::fault(contradiction));
        }
        self.tell_illegal(&resolution, &given);
        for dislodged in resolution
            .dislodged
            .iter()
            .filter(|dislodged| dislodged.options.is_empty())
        {
            // Without a retreat, it leaves the board at once.
            if let Some(outcome) = resolution
                .outcomes
                .iter_mut()
                .find(|outcome| outcome.unit == dislodged.unit.id)
            {
                outcome.marks.add(Mark::Disband);
            }
        }
        resolution
            .dislodged
            .retain(|dislodged| !dislodged.options.is_empty());
        let units = self.position.units.iter();
        let results = units
            .zip(&resolution.outcomes)
            .map(|(unit, outcome)| (*unit, outcome.marks))
            .collect();
        Ok(PhaseOutcome {
            results,
            position: resolution.apply(&self.position),
        })
    }

    fn retreats(&mut self, orders: Option<&Section<'_>>) -> Result<PhaseOutcome, DataError> {
        let (orders, given) = self.sheet(orders)?;
        let resolution = adjudicator::retreats(self.map, &self.position, &orders);
        self.tell_illegal(&resolution, &given);
        let units = self
            .position
            .dislodged
            .iter()
            .map(|dislodged| dislodged.unit);
        let results = units
            .zip(&resolution.outcomes)
            .map(|(unit, outcome)| (unit, outcome.marks))
            .collect();
        Ok(PhaseOutcome {
            results,
            position: resolution.apply(&self.position),
        })
    }

    fn tell_illegal(&mut self, resolution: &Resolution, given: &[OrderSource<'_>]) {
        for outcome in &resolution.outcomes {
            let Some(Reason::Illegal(illegal)) = &outcome.reason else {
                continue;
            };
            if let Some(given) = given.iter().find(|given| given.unit.id == outcome.unit) {
                self.refuse_illegal(given.power, given.text, illegal);
            }
        }
    }

    fn adjustments(&mut self, orders: Option<&Section<'_>>) -> Result<PhaseOutcome, DataError> {
        let mut actions: BTreeMap<Power, Vec<Action>> = BTreeMap::new();
        let mut texts: BTreeMap<Power, Vec<&str>> = BTreeMap::new();
        for SpokenOrder {
            power,
            text,
            spoken,
        } in self.spoken(orders)?
        {
            // A removal names the unit, so its kind has to be right.
            let removed = match (&spoken.action, spoken.kind) {
                (Action::Remove { at }, Some(kind)) => self
                    .position
                    .standing(*at)
                    .filter(|unit| unit.power == power && unit.kind != kind)
                    .map(|u| (*u, kind)),
                _ => None,
            };
            if let Some((unit, kind)) = removed {
                self.refuse_illegal(power, text, &Illegal::WrongKind((&unit).into(), kind));
                continue;
            }
            actions.entry(power).or_default().push(spoken.action);
            texts.entry(power).or_default().push(text);
        }
        let allowances = Allowances::standard(
            self.map,
            &self.position,
            self.map.powers().len(),
            Sites::Homes,
        );
        let adjusted = adjudicator::adjustments(self.map, &self.position, &allowances, &actions);
        let mut results: Vec<(Unit, Marks)> = self
            .position
            .units
            .iter()
            .map(|unit| (*unit, Marks::NONE))
            .collect();
        for (power, adjustment) in &adjusted.adjustments {
            match adjustment {
                Adjustment::Removed(unit) | Adjustment::Defaulted(unit) => {
                    if let Some((_, marks)) = results
                        .iter_mut()
                        .find(|(standing, _)| standing.id == unit.id)
                    {
                        marks.add(Mark::Disband);
                    }
                }
                Adjustment::Refused(index, illegal) => {
                    let text = texts
                        .get(power)
                        .and_then(|texts| texts.get(*index))
                        .copied()
                        .unwrap_or("");
                    self.refuse_illegal(*power, text, illegal);
                }
                Adjustment::Built(_)
                | Adjustment::Waived
                | Adjustment::Unusable(_)
                | Adjustment::Saved(_) => {}
            }
        }
        Ok(PhaseOutcome {
            results,
            position: adjusted.position,
        })
    }
}
