//! Life Diplomacy (ra10) by Jef Bryant: no supply centers; after each Spring and each Autumn units die and are born as
//! their neighbors have it. The rules page of this folder holds the author's rules and our rulings.

mod births;
mod ends;
mod generation;
mod interchange;
mod lines;
mod report;

use serde_json::{Map as Keys, Value};

use crate::calendar::{Season, Turn};
use crate::game::project::{self, Sight};
use crate::game::{
    Considered, Dice, Effect, Ending, Event, Game, Horizon, Phase, Requirements, Setting, Variant,
    Winning,
};
use crate::grammar::Line;
use crate::map::Power;
use crate::orders::VariantData;
use crate::position::{Dislodged, Unit};
use crate::view::Viewer;

/// The Life step, which asks nobody.
const STEP: &str = "Generation";
/// The phase in which owners say what their open births become.
const BIRTHS: &str = "Life";

/// Life.
pub(super) struct Life;

impl Variant for Life {
    fn name(&self) -> &'static str {
        "life"
    }

    fn title(&self) -> &'static str {
        "Life"
    }

    fn rules(&self) -> &'static str {
        include_str!("rules.md")
    }

    fn grammar(&self) -> &'static str {
        include_str!("../../../grammar/life.grammar")
    }

    fn settings(&self) -> &'static [Setting] {
        ends::SETTINGS
    }

    fn places(&self) -> &'static str {
        births::PLACES
    }

    fn next_turn(&self, turn: Turn) -> Turn {
        match turn.season {
            Season::Spring => Turn {
                season: Season::Summer,
                ..turn
            },
            _ => turn.next(),
        }
    }

    fn order_of_play(&self, turn: Turn) -> Vec<Phase> {
        match turn.season {
            Season::Spring | Season::Fall => vec![Phase::Movement, Phase::Retreats],
            Season::Summer | Season::Winter => {
                vec![Phase::Own(STEP.to_owned()), Phase::Own(BIRTHS.to_owned())]
            }
        }
    }

    fn date(&self, turn: Turn) -> String {
        match turn.season {
            Season::Fall => format!("Autumn of {}", turn.year),
            season => format!("{season} of {}", turn.year),
        }
    }

    fn visible_state(&self, game: &Game, power: Power) -> VariantData {
        lines::visible_state(game, power)
    }

    fn read(&self, line: &Line, sight: &Sight) -> Result<Considered, Vec<String>> {
        lines::read(line, sight)
    }

    fn reconsider(&self, effect: Effect, sight: &Sight) -> Result<Considered, Vec<String>> {
        Ok(lines::reconsider(effect, sight))
    }

    fn submitted(&self, game: &Game, power: Power, viewer: Viewer) -> Vec<String> {
        if viewer == Viewer::Power(power) {
            lines::submitted(game, power)
        } else {
            Vec::new()
        }
    }

    fn seals(&self, line: &str) -> bool {
        let line = line.to_lowercase();
        line.contains("birth") || line.contains("build")
    }

    fn seal(&self, game: &mut Game) -> Option<String> {
        births::seal(game);
        Some(
            "BIRTH lines are sealed from you too, and so is chance: types that hang on them are told as open."
                .to_owned(),
        )
    }

    fn amend_requirements(&self, game: &Game, requirements: &mut Requirements) {
        births::ask(game, requirements);
    }

    fn amend_retreats(&self, _game: &Game, options: &mut [Dislodged], _dice: Dice) {
        // A neutral unit vanishes (rules A.5).
        options
            .iter_mut()
            .filter(|dislodged| dislodged.unit.power == Power::NEUTRAL)
            .for_each(|dislodged| dislodged.options.clear());
    }

    fn play(&self, phase: &str, game: &Game, dice: Dice) -> Vec<Event> {
        match phase {
            STEP => births::step(game, dice),
            BIRTHS => births::close(game, dice),
            _ => Vec::new(),
        }
    }

    fn winning(&self) -> Winning {
        ends::WINNING
    }

    fn ending(&self, game: &Game, after: &Phase) -> Option<Ending> {
        if *after != Phase::Own(STEP.to_owned()) {
            return None;
        }
        ends::of_game(game)
    }

    fn horizon(&self, _game: &Game, _viewer: Viewer) -> Option<Horizon> {
        None
    }

    fn report(&self, game: &Game, viewer: Viewer) -> Vec<(String, Vec<String>)> {
        report::sections(game, &project::labels(game, self, viewer))
    }

    fn tables(&self, game: &Game, viewer: Viewer) -> Vec<(String, Vec<String>)> {
        report::open_births(game, &project::labels(game, self, viewer))
            .into_iter()
            .collect()
    }

    fn is_saved_as_unit(&self, unit: &Unit) -> bool {
        // An open birth stands among the `births`: readers of the format know armies and fleets.
        unit.kind != births::UNDECIDED
    }

    fn read_state(&self, keys: &Keys<String, Value>, game: &Game) -> Result<Vec<Event>, String> {
        interchange::read(keys, game)
    }

    fn write_state(&self, game: &Game, viewer: Viewer) -> Keys<String, Value> {
        interchange::write(game, &|power| viewer == Viewer::Power(power))
    }

    fn write_whole_state(&self, game: &Game) -> Keys<String, Value> {
        interchange::write(game, &|_| true)
    }

    fn steps(&self, before: &Game, after: &Game, _viewer: Option<Viewer>) -> Vec<Value> {
        interchange::steps(before, after)
    }
}

/// The phase code of a turn's Life step and of its births phase, as draws name it: `U1901L`.
fn code(turn: Turn) -> String {
    Phase::Own(STEP.to_owned()).name_in(turn).to_string()
}

/// The powers in their order, and behind them nobody.
fn owners(game: &Game) -> impl Iterator<Item = Power> {
    game.all_powers().chain([Power::NEUTRAL])
}
