//! ...It Came from Outer Space!: empires beam armies down from spacecraft and colonize what they can.
//!
//! The orbit is one shared province of the map in which each empire's armies are its own; beaming is movement by reach that
//! the overlay gives, with room in the spacecraft decided in the one adjudicator. A colony is a mark on a province.

mod colonizing;
mod names;
mod offered;
mod orders;
mod place_names;
mod refusals;
mod room;
mod state;
mod steps;
mod tables;
mod turn;
mod winter;

use std::ops::RangeInclusive;

use crate::remembered;
use dipjudge_game::project::{Sight, ToldGame};
use dipjudge_game::{
    Access, Adjudication, Audience, BoardSign, Card, Considered, Course, DataError, Described,
    Dice, Effect, Ending, Enrolment, Event, Game, Hidden, Interchange, KeepsState, KeptState,
    Opening, OrderChecks, OwnMovement, Phase, Refusal, RememberedData, Requirements, Seating,
    Section, Setting, Settings, StepJson, Stored, SubmissionKind, Submissions, Views, unreadable,
};
use dipjudge_grammar::Line;
use dipjudge_rules::adjudicator::Allowances;
use dipjudge_rules::calendar::{Season, Turn};
use dipjudge_rules::map::{Map, Power, PowerInfo, Province, UnitKind};
use dipjudge_rules::orders::{Illegal, OrderSheet, Overlay};
use dipjudge_rules::position::{Dislodged, Position, Unit, UnitId};

use dipjudge_view::{OfferedLine, SignLook};
use state::OuterSpaceState;

/// The variant.
pub(super) struct OuterSpace;

/// Where all spacecraft are. Armies of different empires never meet there.
const ORBIT: Province = Province::literal(b"ORB");

/// Armies that a spacecraft holds.
const BERTHS: usize = 3;

/// More beam-ups than places: nobody is taken aboard, or those listed first.
const OVERBOOKED: Setting = Setting::one_of("overbooked", &["bounce", "listed"]);
/// Whether a colonization counts though its unit was dislodged.
const DISLODGED_COLONIZER: Setting = Setting::one_of("dislodged-colonizer", &["counts", "fails"]);

/// Its card.
const CARD: Card = Card {
    name: "outer-space",
    aliases: &["outerspace", "space"],
    title: "Outer Space",
    called: Some("...It Came from Outer Space"),
    rules: include_str!("rules.md"),
    worked_turn: include_str!("worked.json"),
    to_be_read: true,
    grammar: include_str!("../../../grammar/outer-space.grammar"),
    commands: names::COMMANDS,
    words: tables::WORDS,
    settings: &[OVERBOOKED, DISLODGED_COLONIZER],
    places: "no powers\nORB  Orbit  inland  shared\n",
    opening: Opening::Own,
    ..Card::PLAIN
};

/// Every empire of a roster.
fn all(powers: &[PowerInfo]) -> impl Iterator<Item = Power> {
    (0u8..).zip(powers).map(|(index, _)| Power(index))
}

impl Described for OuterSpace {
    fn card(&self) -> &'static Card {
        &CARD
    }
}

impl KeepsState for OuterSpace {
    type State = OuterSpaceState;

    /// All of it.
    fn opened(&self, state: OuterSpaceState, _: &Access<'_>) -> OuterSpaceState {
        state
    }
}

impl Course for OuterSpace {
    fn players(&self, map: &Map) -> RangeInclusive<usize> {
        2..=map.centers().len().max(2)
    }

    fn powers(&self, map: &Map, players: usize, _settings: &Settings) -> Vec<PowerInfo> {
        names::unnamed(map, players)
    }

    fn set_up(
        &self,
        _map: &Map,
        powers: &[PowerInfo],
        _settings: &Settings,
        _dice: Dice,
    ) -> Position {
        let mut position = Position::default();
        for power in all(powers) {
            for _ in 0..BERTHS {
                position.units.push(Unit {
                    id: position.free_id(),
                    power,
                    kind: UnitKind::ARMY,
                    at: ORBIT.into(),
                });
            }
        }
        position
    }

    fn first_state(
        &self,
        powers: &[PowerInfo],
        _start: &Position,
        _settings: &Settings,
        _: Dice,
    ) -> KeptState {
        let state = OuterSpaceState {
            in_play: all(powers).collect(),
            ..OuterSpaceState::default()
        };
        state.kept()
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

    fn enrolment(&self) -> Option<&dyn Enrolment> {
        Some(self)
    }
}

impl Enrolment for OuterSpace {
    fn roster(&self, game: &Game) -> Option<Seating> {
        Some(Seating {
            powers: names::roster(game),
            stand_by: Vec::new(),
        })
    }

    fn forming_tables(&self, game: &ToldGame<'_>) -> Vec<Section> {
        tables::forming_tables(game)
    }
}

impl Submissions for OuterSpace {
    fn can_read(&self, stored: Stored) -> Result<(), DataError> {
        match stored {
            Stored::State(data) => Stored::is::<OuterSpaceState>(data),
            Stored::Submission(state::WRITTEN, data) => Stored::is::<Vec<UnitId>>(data),
            Stored::Order(data) => Stored::is::<Province>(data),
            Stored::Brought(data) => Stored::is::<names::Empire>(data),
            Stored::Submission(..) => unreadable("Outer Space keeps nothing of the kind"),
        }
    }

    fn visible_state(&self, game: &Game, _power: Power, _access: &Access<'_>) -> RememberedData {
        remembered(state::OuterSpaceView::of(game))
    }

    fn read(&self, line: &Line, sight: &Sight) -> Result<Considered, Refusal> {
        orders::read(line, sight)
    }

    fn offered_lines(&self, game: &ToldGame<'_>, power: Power) -> Vec<OfferedLine> {
        offered::lines(game, power)
    }

    fn submissions(&self) -> &'static [SubmissionKind] {
        &[room::OWN_ORDERS]
    }

    fn order_checks(&self) -> Option<&dyn OrderChecks> {
        Some(self)
    }
}

impl OrderChecks for OuterSpace {
    fn reconsider(&self, effect: Effect, sight: &Sight) -> Result<Considered, Refusal> {
        orders::reconsider(effect, sight)
    }

    fn objection(&self, illegal: &Illegal, sight: &Sight) -> Option<String> {
        refusals::objection(illegal, sight)
    }

    fn order_warnings(&self, sight: &Sight) -> Vec<String> {
        room::notes(sight).into_iter().collect()
    }
}

impl Adjudication for OuterSpace {
    fn amend_requirements(
        &self,
        game: &Game,
        requirements: &mut Requirements,
        _access: &Access<'_>,
    ) {
        room::amend_requirements(game, requirements);
    }

    fn amend_allowances(&self, game: &Game, allowances: &mut Allowances) {
        winter::amend_allowances(game, allowances);
    }

    fn play(&self, phase: &str, game: &Game, _dice: Dice, _access: &Access<'_>) -> Vec<Event> {
        turn::play(phase, game)
    }

    fn ending(&self, game: &Game, after: &Phase) -> Option<Ending> {
        turn::ending(game, after)
    }

    fn movement(&self) -> Option<&dyn OwnMovement> {
        Some(self)
    }
}

impl OwnMovement for OuterSpace {
    fn overlay(&self, game: &Game) -> Overlay {
        room::overlay(game)
    }

    fn amend_orders(&self, game: &Game, sheet: &mut OrderSheet, _dice: Dice, access: &Access<'_>) {
        room::amend_orders(game, sheet, access);
    }

    fn amend_retreats(&self, game: &Game, options: &mut [Dislodged], _dice: Dice) {
        let state = OuterSpaceState::known(game);
        for dislodged in options {
            let power = dislodged.unit.power;
            dislodged
                .options
                .retain(|place| state.shelters(game.map(), power, place.province));
        }
    }
}

impl Views for OuterSpace {
    fn hides(&self, _game: &Game) -> &'static [Hidden] {
        &[]
    }

    fn all_is_open_after_the_end(&self) -> bool {
        true
    }

    fn report(&self, game: &ToldGame<'_>) -> Vec<Section> {
        let mut sections = tables::news(game);
        if !game.over() {
            sections.extend(tables::standing(game));
        }
        sections
    }

    fn tables(&self, game: &ToldGame<'_>) -> Vec<Section> {
        tables::standing(game)
    }

    fn signs(&self, game: &ToldGame<'_>) -> Vec<BoardSign> {
        let colonies = game.state(self).colonies.into_iter();
        colonies
            .map(|(province, owner)| {
                BoardSign::new(Audience::Everyone, province, SignLook::Stripes, "colony").of(owner)
            })
            .collect()
    }

    fn interchange(&self) -> Option<&dyn Interchange> {
        Some(self)
    }
}

impl Interchange for OuterSpace {
    fn read_state(
        &self,
        keys: &serde_json::Map<String, serde_json::Value>,
        game: &Game,
    ) -> Result<Vec<Event>, DataError> {
        state::read_keys(keys, game)
    }

    fn write_state(&self, game: &ToldGame<'_>) -> serde_json::Map<String, serde_json::Value> {
        state::write_keys(game)
    }

    fn steps(&self, before: &ToldGame<'_>, after: &ToldGame<'_>) -> Vec<StepJson> {
        let steps = steps::steps(before, after).into_iter();
        steps.map(StepJson::from).collect()
    }
}
