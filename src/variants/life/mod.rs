//! Life Diplomacy (ra10) by Jef Bryant: no supply centers; after each Spring and each Autumn units die and are born as
//! their neighbors have it. The rules page of this folder holds the author's rules and our rulings.

mod births;
mod ends;
mod generation;
mod interchange;
mod lines;
mod offered;
mod report;
mod wishes;

use serde_json::{Map as Keys, Value};

use dipjudge_game::project::{Sight, ToldGame};
use dipjudge_game::{
    Access, Adjudication, BoardSign, Card, Considered, Course, DataError, Described, Dice, Effect,
    Ending, Event, Game, Hidden, Interchange, KeepsState, OpenedBy, Opening, OrderChecks,
    OwnCalendar, OwnMovement, OwnPhase, Phase, Refusal, RememberedData, Requirements, Section,
    Slots, StepJson, Stored, SubmissionKind, Submissions, Views, unreadable,
};
use dipjudge_grammar::Line;
use dipjudge_rules::calendar::{Season, Turn};
use dipjudge_rules::map::Power;
use dipjudge_rules::position::{Dislodged, Unit};
use dipjudge_view::OfferedLine;

/// The Life step, which asks nobody.
const STEP: &str = "Generation";
/// The phase in which owners say what their open births become.
const BIRTHS: &str = "Life";

/// What owners want their births to be: theirs alone until it is played, and what is born tells it then.
const WISHES: SubmissionKind = SubmissionKind {
    name: "births",
    slots: Slots::Others,
    lines: &["birth-any", "birth-none", "birth-one", "birth-bare"],
    opens: &[OpenedBy::Played],
    left_out: |_| {
        Some(
            "BIRTH lines are sealed from you too, and so is chance: types that hang on them are told as open.",
        )
    },
    ..SubmissionKind::SEALED
};

/// Life.
pub(super) struct Life;

/// Its card.
const CARD: Card = Card {
    name: "life",
    title: "Life",
    rules: include_str!("rules.md"),
    worked_turn: include_str!("worked.json"),
    to_be_read: true,
    grammar: include_str!("../../../grammar/life.grammar"),
    words: report::WORDS,
    settings: ends::SETTINGS,
    places: wishes::PLACES,
    opening: Opening::Own,
    phases: &[OwnPhase {
        name: BIRTHS,
        season: None,
        letter: 'L',
    }],
    winning: ends::WINNING,
    ..Card::PLAIN
};

impl Described for Life {
    fn card(&self) -> &'static Card {
        &CARD
    }
}

impl KeepsState for Life {
    type State = Option<generation::Generation>;

    /// All of it: everybody reads what a step did.
    fn opened(&self, state: Self::State, _: &Access<'_>) -> Self::State {
        state
    }
}

impl Course for Life {
    fn order_of_play(&self, turn: Turn) -> Vec<Phase> {
        match turn.season {
            Season::Spring | Season::Fall => vec![Phase::Movement, Phase::Retreats],
            Season::Summer | Season::Winter => {
                vec![Phase::Own(STEP.to_owned()), Phase::Own(BIRTHS.to_owned())]
            }
        }
    }

    fn calendar(&self) -> Option<&dyn OwnCalendar> {
        Some(self)
    }
}

impl OwnCalendar for Life {
    fn next_turn(&self, turn: Turn) -> Turn {
        match turn.season {
            Season::Spring => Turn {
                season: Season::Summer,
                ..turn
            },
            _ => turn.next(),
        }
    }

    fn date(&self, turn: Turn) -> String {
        match turn.season {
            Season::Fall => format!("Autumn of {}", turn.year),
            season => format!("{season} of {}", turn.year),
        }
    }
}

impl Submissions for Life {
    fn can_read(&self, stored: Stored) -> Result<(), DataError> {
        match stored {
            Stored::State(data) => Stored::is::<generation::Generation>(data),
            Stored::Submission(_, data) => Stored::is::<wishes::Wish>(data),
            _ => unreadable("Life keeps nothing of the kind"),
        }
    }

    fn visible_state(&self, game: &Game, power: Power, _access: &Access<'_>) -> RememberedData {
        lines::visible_state(game, power)
    }

    fn read(&self, line: &Line, sight: &Sight) -> Result<Considered, Refusal> {
        lines::read(line, sight)
    }

    fn offered_lines(&self, game: &ToldGame<'_>, power: Power) -> Vec<OfferedLine> {
        offered::lines(game, power)
    }

    fn submissions(&self) -> &'static [SubmissionKind] {
        &[WISHES]
    }

    fn submitted(
        &self,
        game: &ToldGame<'_>,
        power: Power,
    ) -> Vec<(&'static SubmissionKind, String)> {
        let lines = lines::submitted(game, power).into_iter();
        lines.map(|line| (&WISHES, line)).collect()
    }

    fn order_checks(&self) -> Option<&dyn OrderChecks> {
        Some(self)
    }
}

impl OrderChecks for Life {
    fn reconsider(&self, effect: Effect, sight: &Sight) -> Result<Considered, Refusal> {
        Ok(lines::reconsider(effect, sight))
    }
}

impl Adjudication for Life {
    fn amend_requirements(
        &self,
        game: &Game,
        requirements: &mut Requirements,
        access: &Access<'_>,
    ) {
        births::ask(game, requirements, access);
    }

    fn play(&self, phase: &str, game: &Game, dice: Dice, access: &Access<'_>) -> Vec<Event> {
        match phase {
            STEP => births::step(game, dice, access),
            BIRTHS => births::close(game, dice, access),
            _ => Vec::new(),
        }
    }

    fn ending(&self, game: &Game, after: &Phase) -> Option<Ending> {
        if *after != Phase::Own(STEP.to_owned()) {
            return None;
        }
        ends::of_game(game)
    }

    fn movement(&self) -> Option<&dyn OwnMovement> {
        Some(self)
    }
}

impl OwnMovement for Life {
    fn amend_retreats(&self, _game: &Game, options: &mut [Dislodged], _dice: Dice) {
        // A neutral unit vanishes (rules A.5).
        options
            .iter_mut()
            .filter(|dislodged| dislodged.unit.power == Power::NEUTRAL)
            .for_each(|dislodged| dislodged.options.clear());
    }
}

impl Views for Life {
    fn hides(&self, _game: &Game) -> &'static [Hidden] {
        &[]
    }

    fn all_is_open_after_the_end(&self) -> bool {
        true
    }

    fn report(&self, game: &ToldGame<'_>) -> Vec<Section> {
        report::sections(game)
    }

    fn tables(&self, game: &ToldGame<'_>) -> Vec<Section> {
        report::open_births(game).into_iter().collect()
    }

    fn signs(&self, game: &ToldGame<'_>) -> Vec<BoardSign> {
        report::signs(game)
    }

    fn interchange(&self) -> Option<&dyn Interchange> {
        Some(self)
    }
}

impl Interchange for Life {
    fn is_saved_as_unit(&self, unit: &Unit) -> bool {
        // An open birth stands among the `births`: readers of the format know armies and fleets.
        unit.kind != wishes::UNDECIDED
    }

    fn read_state(&self, keys: &Keys<String, Value>, game: &Game) -> Result<Vec<Event>, DataError> {
        interchange::read(keys, game)
    }

    fn write_state(&self, game: &ToldGame<'_>) -> Keys<String, Value> {
        interchange::write(game)
    }

    fn steps(&self, before: &ToldGame<'_>, after: &ToldGame<'_>) -> Vec<StepJson> {
        let steps = interchange::steps(before, after).into_iter();
        steps.map(StepJson::from).collect()
    }
}

/// The phase code of a turn's births phase, by which draws name its Life step too: `U1901L`.
fn code(turn: Turn) -> String {
    let births = Phase::Own(BIRTHS.to_owned());
    CARD.phase_name(&births, turn).to_string()
}

/// The powers in their order, and behind them nobody.
fn owners(game: &ToldGame<'_>) -> impl Iterator<Item = Power> {
    game.known_powers().into_iter().chain([Power::NEUTRAL])
}
