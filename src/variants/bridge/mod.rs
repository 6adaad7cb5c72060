//! Bridge Diplomacy by Konrad Baumeister (rb16): every Winter each power bids how many centers it will hold a year later,
//! in secret. An exact bid is a unit more for good, a bid too high a unit less, and whoever holds more than was bid
//! fortifies centers. Nineteen units win. The rules as players read them are `rules.md`.

mod bids;
mod forts;
mod interchange;
mod state;
mod words;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map as Object, Value};

use crate::adjudicator::Allowances;
use crate::calendar::{Season, Turn};
use crate::game::project::{self, Sight};
use crate::game::{
    Ask, Considered, Dice, Effect, Ending, Event, Game, Horizon, Phase, Requirements, Setting,
    Settings, Tally, Variant, Winning, requirements,
};
use crate::grammar::Line;
use crate::map::{Map, Power, PowerInfo, Province};
use crate::orders::{Action, Illegal, Overlay, VariantData};
use crate::position::{Dislodged, Position};
use crate::view::Viewer;
use state::State;

/// The Winter in which the first units are built.
const OPENING: Turn = Turn {
    year: 1900,
    season: Season::Winter,
};

/// Steps that ask nobody: behind movement, before and behind the adjustments.
const SACK: &str = "Forts";
const REVEAL: &str = "Reckoning";
const CLOSE: &str = "Close of Winter";

/// The variant.
pub(super) struct Bridge;

/// What a power's own lines are considered by: all of it public.
#[derive(Debug, Default, Serialize, Deserialize)]
struct VisibleState {
    /// Forts due to it.
    due: usize,
    /// All fortified centers.
    forts: BTreeSet<Province>,
    /// Nobody may bid more than twice its centers.
    capped: bool,
}

/// What a fort adds to the defence.
const FORT_STRENGTH: Setting = Setting {
    name: "fort-strength",
    default: "plus1",
    values: &["plus1", "times2"],
};
/// What a missing bid comes to: the centers held, or the penalty of a wrong one.
const MISSING_BID: Setting = Setting {
    name: "missing-bid",
    default: "held",
    values: &["held", "penalty"],
};
/// How high a bid may be.
const BID_CAP: Setting = Setting {
    name: "bid-cap",
    default: "none",
    values: &["none", "double"],
};
/// Whether a bid too high can cost the last unit.
const LAST_UNIT: Setting = Setting {
    name: "last-unit",
    default: "removable",
    values: &["removable", "kept"],
};
/// What becomes of several powers with the most units, enough to win.
const VICTORY_TIE: Setting = Setting {
    name: "victory-tie",
    default: "continue",
    values: &["continue", "shared"],
};

/// Whether the running bids are those of the first year, which are the same in every game and no secret.
fn bids_are_fixed(turn: Turn) -> bool {
    let year = OPENING.year + 1;
    turn == OPENING || (turn.year == year && turn.season != Season::Winter)
}

impl Variant for Bridge {
    fn name(&self) -> &'static str {
        "bridge"
    }

    fn title(&self) -> &'static str {
        "Bridge"
    }

    fn rules(&self) -> &'static str {
        include_str!("rules.md")
    }

    fn grammar(&self) -> &'static str {
        include_str!("../../../grammar/bridge.grammar")
    }

    fn settings(&self) -> &'static [Setting] {
        &[FORT_STRENGTH, MISSING_BID, BID_CAP, LAST_UNIT, VICTORY_TIE]
    }

    /// An empty board: the opening Winter fills it.
    fn set_up(
        &self,
        map: &Map,
        _powers: &[PowerInfo],
        _settings: &Settings,
        _dice: Dice,
    ) -> (Position, VariantData) {
        let mut position = Position::default();
        for power in (0u8..).take(map.powers().len()).map(Power) {
            let homes = map.homes(power).iter();
            position.owners.extend(homes.map(|home| (*home, power)));
        }
        (position, State::default().data())
    }

    fn first_turn(&self) -> Turn {
        OPENING
    }

    fn order_of_play(&self, turn: Turn) -> Vec<Phase> {
        let own = |name: &str| Phase::Own(name.to_owned());
        match turn.season {
            Season::Spring => vec![Phase::Movement, own(SACK), Phase::Retreats],
            Season::Summer => Vec::new(),
            Season::Fall => vec![
                Phase::Movement,
                own(SACK),
                Phase::Retreats,
                Phase::Ownership,
            ],
            Season::Winter if turn == OPENING => vec![Phase::Adjustments, own(CLOSE)],
            Season::Winter => vec![own(REVEAL), Phase::Adjustments, own(CLOSE)],
        }
    }

    /// The opening builds are negotiated for as long as moves are.
    fn timed_as(&self, turn: Turn, phase: &Phase) -> Phase {
        match phase {
            Phase::Adjustments if turn == OPENING => Phase::Movement,
            phase => phase.clone(),
        }
    }

    fn visible_state(&self, game: &Game, power: Power) -> VariantData {
        let state = State::of(game);
        let visible_state = VisibleState {
            due: state.due(power),
            forts: state.forts.keys().copied().collect(),
            capped: BID_CAP.is(game, "double"),
        };
        VariantData::of(&visible_state).unwrap_or_default()
    }

    fn read(&self, line: &Line, sight: &Sight) -> Result<Considered, Vec<String>> {
        let visible_state: VisibleState = sight.own.read().unwrap_or_default();
        match line.rule.as_str() {
            "bid" => bids::read(line, sight, &visible_state).map_err(|sentence| vec![sentence]),
            "fortify" => forts::read(line, sight, &visible_state),
            _ => Err(vec![
                "This is neither a bid nor a list of forts.".to_owned(),
            ]),
        }
    }

    /// Every home center starts with a unit.
    fn reconsider(&self, effect: Effect, sight: &Sight) -> Result<Considered, Vec<String>> {
        if let Effect::Adjust(orders) = &effect
            && sight.turn == OPENING
            && orders.contains(&Action::Waive)
        {
            return Err(vec![
                "Every home center starts with a unit, so no build can be waived in this Winter."
                    .to_owned(),
            ]);
        }
        Ok(Considered {
            effects: vec![effect],
            notes: Vec::new(),
        })
    }

    fn objection(&self, illegal: &Illegal, sight: &Sight) -> Option<String> {
        words::objection(illegal, sight)
    }

    fn submitted(&self, game: &Game, power: Power, viewer: Viewer) -> Vec<String> {
        match viewer {
            Viewer::Power(reader) if reader == power => words::submitted(game, power),
            // Bids and forts are sealed from the masters too.
            _ => Vec::new(),
        }
    }

    fn seals(&self, line: &str) -> bool {
        let line = line.to_lowercase();
        line.contains("bid") || line.contains("fort")
    }

    fn seals_beyond_phase(&self) -> bool {
        true
    }

    fn seal(&self, game: &mut Game) -> Option<String> {
        let mut state = State::of(game);
        let sealed = match game.turn.season {
            Season::Winter if game.turn != OPENING => {
                "Forts are sealed from you too, so this is told as if nobody had named any."
            }
            Season::Fall if !bids_are_fixed(game.turn) => {
                state.bids.clear();
                "Bids are sealed from you too, so what they will come to in Winter is left out."
            }
            _ => return None,
        };
        game.data = state.data();
        for standing in game.standings.values_mut() {
            standing.orders.submissions.clear();
        }
        Some(sealed.to_owned())
    }

    /// Every Winter opens, and every power in play bids.
    fn amend_requirements(&self, game: &Game, requirements: &mut Requirements) {
        if game.phase != Phase::Adjustments {
            return;
        }
        requirements.held_anyway = true;
        // Who says nothing at the opening has chosen the traditional units: nobody can be late for them.
        requirements.without_grace = game.turn == OPENING;
        requirements.sealed = game.turn != OPENING;
        let allowances = requirements::allowances(game, self);
        let state = State::of(game);
        for power in game.survivors() {
            requirements
                .due
                .insert(power, Ask::adjust(&allowances, power));
            let submissions = game
                .standings
                .get(&power)
                .map(|own| &own.orders.submissions);
            let lacks =
                |name: &str| submissions.is_none_or(|submissions| !submissions.contains_key(name));
            let wanted = game.turn != OPENING
                && (lacks(bids::SUBMISSION) || (state.due(power) > 0 && lacks(forts::SUBMISSION)));
            requirements.wanting.extend(wanted.then_some(power));
        }
    }

    fn overlay(&self, game: &Game) -> Overlay {
        forts::overlay(game)
    }

    fn amend_retreats(&self, game: &Game, options: &mut [Dislodged], _dice: Dice) {
        forts::bar_retreats(game, options);
    }

    fn amend_allowances(&self, game: &Game, allowances: &mut Allowances) {
        let state = State::of(game);
        let opening = game.turn == OPENING;
        for (power, allowance) in &mut allowances.powers {
            allowance.change += state.balance(*power);
            allowance.keeps = true;
            if opening {
                allowance.may_waive = false;
                let traditional = game.map().start().iter();
                allowance.default_builds = traditional
                    .filter(|(owner, ..)| owner == power)
                    .map(|(_, kind, at)| (*kind, *at))
                    .collect();
            }
        }
    }

    fn play(&self, phase: &str, game: &Game, _dice: Dice) -> Vec<Event> {
        let mut state = State::of(game);
        match phase {
            SACK => forts::sack(game, &mut state),
            REVEAL => bids::reckon(game, &mut state),
            CLOSE => {
                state.revealed = None;
                forts::build(game, &mut state);
                bids::take(game, &mut state);
            }
            _ => {}
        }
        state.change(game).into_iter().collect()
    }

    fn winning(&self) -> Winning {
        Winning {
            number: 19,
            tally: Tally::Units,
        }
    }

    /// After Fall a power may be left alone; units on the board are counted when a Winter closes (rules page, section 6).
    fn ending(&self, game: &Game, after: &Phase) -> Option<Ending> {
        let Phase::Own(step) = after else { return None };
        if step == SACK {
            return None;
        }
        if let [only] = game.survivors().as_slice() {
            return Some(Ending::Won(vec![*only]));
        }
        if step != CLOSE {
            return None;
        }
        let number = game.winning_number(self.winning()) as usize;
        let most = game
            .all_powers()
            .map(|power| game.unit_count(power))
            .max()?;
        let leaders: Vec<Power> = game
            .all_powers()
            .filter(|power| most >= number && game.unit_count(*power) == most)
            .collect();
        let shared = VICTORY_TIE.is(game, "shared");
        (leaders.len() == 1 || (shared && !leaders.is_empty())).then_some(Ending::Won(leaders))
    }

    fn horizon(&self, _game: &Game, _viewer: Viewer) -> Option<Horizon> {
        None
    }

    fn report(&self, game: &Game, viewer: Viewer) -> Vec<(String, Vec<String>)> {
        words::report(game, &project::labels(game, self, viewer))
    }

    fn tables(&self, game: &Game, viewer: Viewer) -> Vec<(String, Vec<String>)> {
        words::tables(game, &project::labels(game, self, viewer), viewer)
    }

    fn read_state(&self, keys: &Object<String, Value>, game: &Game) -> Result<Vec<Event>, String> {
        interchange::read(keys, game)
    }

    fn write_state(&self, game: &Game, viewer: Viewer) -> Object<String, Value> {
        interchange::write(game, Some(viewer))
    }

    fn write_whole_state(&self, game: &Game) -> Object<String, Value> {
        interchange::write(game, None)
    }

    fn steps(&self, before: &Game, after: &Game, _viewer: Option<Viewer>) -> Vec<Value> {
        interchange::steps(before, after)
    }
}
