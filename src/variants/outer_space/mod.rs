//! ...It Came from Outer Space!: empires beam armies down from spacecraft and colonize what they can.
//!
//! The orbit is one shared province of the map in which each empire's armies are its own; beaming is movement by reach that
//! the overlay gives, with room in the spacecraft decided in the one adjudicator. A colony is a mark on a province.

mod colonizing;
mod names;
mod orders;
mod refusals;
mod room;
mod state;
mod steps;
mod tables;
mod turn;
mod winter;

use std::ops::RangeInclusive;

use crate::adjudicator::Allowances;
use crate::calendar::{Season, Turn};
use crate::game::project::{self, Sight};
use crate::game::{
    Considered, Dice, Effect, Ending, Event, Game, Horizon, Phase, Requirements, SeatId, Setting,
    Settings, Variant, VariantCommand,
};
use crate::grammar::Line;
use crate::map::{Map, Power, PowerInfo, Province, UnitKind};
use crate::orders::{Illegal, OrderSheet, Overlay, VariantData};
use crate::position::{Dislodged, Position, Unit};
use crate::view::Viewer;

use state::State;

/// The variant.
pub(super) struct OuterSpace;

/// Where all spacecraft are. Armies of different empires never meet there.
const ORBIT: Province = Province::literal(b"ORB");

/// Armies that a spacecraft holds.
const BERTHS: usize = 3;

/// More beam-ups than places: nobody is taken aboard, or those listed first.
const OVERBOOKED: Setting = Setting {
    name: "overbooked",
    default: "bounce",
    values: &["bounce", "listed"],
};
/// Whether a colonization counts though its unit was dislodged.
const DISLODGED_COLONIZER: Setting = Setting {
    name: "dislodged-colonizer",
    default: "counts",
    values: &["counts", "fails"],
};

impl Variant for OuterSpace {
    fn name(&self) -> &'static str {
        "outer-space"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["outerspace", "space"]
    }

    fn title(&self) -> &'static str {
        "Outer Space"
    }

    fn called(&self) -> &'static str {
        "...It Came from Outer Space"
    }

    fn rules(&self) -> &'static str {
        include_str!("rules.md")
    }

    fn grammar(&self) -> &'static str {
        include_str!("../../../grammar/outer-space.grammar")
    }

    fn commands(&self) -> &'static [VariantCommand] {
        names::COMMANDS
    }

    fn settings(&self) -> &'static [Setting] {
        &[OVERBOOKED, DISLODGED_COLONIZER]
    }

    fn places(&self) -> &'static str {
        "no powers\nORB  Orbit  inland  shared\n"
    }

    fn players(&self, map: &Map) -> RangeInclusive<usize> {
        2..=map.centers().len().max(2)
    }

    fn powers(&self, map: &Map, players: usize, _settings: &Settings) -> Vec<PowerInfo> {
        names::unnamed(map, players)
    }

    fn roster(&self, game: &Game) -> Option<Vec<(PowerInfo, SeatId)>> {
        Some(names::roster(game))
    }

    fn forming_tables(&self, game: &Game) -> Vec<(String, Vec<String>)> {
        tables::forming_tables(game)
    }

    fn set_up(
        &self,
        _map: &Map,
        powers: &[PowerInfo],
        _settings: &Settings,
        _dice: Dice,
    ) -> (Position, VariantData) {
        let all: Vec<Power> = (0u8..).zip(powers).map(|(index, _)| Power(index)).collect();
        let mut position = Position::default();
        for power in &all {
            for _ in 0..BERTHS {
                position.units.push(Unit {
                    id: position.free_id(),
                    power: *power,
                    kind: UnitKind::ARMY,
                    at: ORBIT.into(),
                });
            }
        }
        let state = State {
            in_play: all,
            ..State::default()
        };
        (position, state.to_data())
    }

    fn order_of_play(&self, turn: Turn) -> Vec<Phase> {
        let own = |name: &str| Phase::Own(name.to_owned());
        match turn.season {
            Season::Spring | Season::Summer => vec![
                Phase::Movement,
                own(turn::ATTEMPTS),
                Phase::Retreats,
                own(turn::COLONIES),
                own(turn::ELIMINATIONS),
            ],
            Season::Fall => vec![
                Phase::Movement,
                own(turn::ATTEMPTS),
                Phase::Retreats,
                own(turn::COLONIES),
                Phase::Ownership,
                own(turn::ELIMINATIONS),
            ],
            Season::Winter => vec![Phase::Adjustments, own(turn::ELIMINATIONS)],
        }
    }

    fn visible_state(&self, game: &Game, _power: Power) -> VariantData {
        state::VisibleState::of(game).to_data()
    }

    fn read(&self, line: &Line, sight: &Sight) -> Result<Considered, Vec<String>> {
        orders::read(line, sight).map_err(|sentence| vec![sentence])
    }

    fn reconsider(&self, effect: Effect, sight: &Sight) -> Result<Considered, Vec<String>> {
        orders::reconsider(effect, sight).map_err(|sentence| vec![sentence])
    }

    fn objection(&self, illegal: &Illegal, sight: &Sight) -> Option<String> {
        refusals::objection(illegal, sight)
    }

    fn order_warnings(&self, sight: &Sight) -> Vec<String> {
        room::notes(sight).into_iter().collect()
    }

    fn amend_requirements(&self, game: &Game, requirements: &mut Requirements) {
        room::amend_requirements(game, requirements);
    }

    fn overlay(&self, game: &Game) -> Overlay {
        room::overlay(game)
    }

    fn amend_orders(&self, game: &Game, sheet: &mut OrderSheet, _dice: Dice) {
        room::amend_orders(game, sheet);
    }

    fn amend_retreats(&self, game: &Game, options: &mut [Dislodged], _dice: Dice) {
        let state = State::of(game);
        for dislodged in options {
            let power = dislodged.unit.power;
            dislodged
                .options
                .retain(|place| state.shelters(game.map(), power, place.province));
        }
    }

    fn amend_allowances(&self, game: &Game, allowances: &mut Allowances) {
        winter::amend_allowances(game, allowances);
    }

    fn play(&self, phase: &str, game: &Game, _dice: Dice) -> Vec<Event> {
        turn::play(phase, game)
    }

    fn ending(&self, game: &Game, after: &Phase) -> Option<Ending> {
        turn::ending(game, after)
    }

    fn horizon(&self, _game: &Game, _viewer: Viewer) -> Option<Horizon> {
        None
    }

    fn report(&self, game: &Game, viewer: Viewer) -> Vec<(String, Vec<String>)> {
        let labels = project::labels(game, self, viewer);
        let mut sections = tables::news(game, &labels);
        if !game.over() {
            sections.extend(tables::standing(game, &labels));
        }
        sections
    }

    fn tables(&self, game: &Game, viewer: Viewer) -> Vec<(String, Vec<String>)> {
        tables::standing(game, &project::labels(game, self, viewer))
    }

    fn read_state(
        &self,
        keys: &serde_json::Map<String, serde_json::Value>,
        game: &Game,
    ) -> Result<Vec<Event>, String> {
        state::read_keys(keys, game)
    }

    fn write_state(
        &self,
        game: &Game,
        _viewer: Viewer,
    ) -> serde_json::Map<String, serde_json::Value> {
        state::write_keys(game)
    }
    fn steps(
        &self,
        before: &Game,
        after: &Game,
        _viewer: Option<Viewer>,
    ) -> Vec<serde_json::Value> {
        steps::steps(before, after)
    }
}
