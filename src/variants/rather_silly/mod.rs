//! Rather Silly: the seven powers, four roles by mail, and what the judge plays himself: BORG, the monsters, LLAMAS, souls, BIRDS,
//! hyperspace and the Mont Blanc Underpass.
//!
//! What is solid fights in the one adjudicator (`combat`), by strengths, assists and voided supports; all else moves
//! beside it. A season is a row of steps, each a file of its own, which work on one `Board`: the position and what the
//! variant keeps beside it. `[n]` is a rule of the designers', `Rn` a ruling, both of `rules/rather-silly.md`.

mod adjustment_counts;
mod bigotry;
mod birds;
mod board;
mod borg;
mod combat;
mod conditions;
mod distraction;
mod finished_sheet;
mod ground;
mod interchange;
mod legality;
mod line_parts;
mod line_text;
mod lines;
mod llamas;
mod merging;
mod monsters;
mod movement;
mod names;
mod news;
mod news_facts;
mod offered;
mod order_text;
mod orders;
mod overrule;
mod pass;
mod phases;
mod question;
mod report;
mod requirements;
mod retreats;
mod rings;
mod rules;
mod rulings;
mod siamese;
mod signs;
mod sites;
mod slots;
mod souls;
mod state;
mod steps;
mod submissions;
mod submitted;
mod tardis;
mod underpass;
mod vote;
mod winter;

use std::ops::RangeInclusive;

use crate::remembered;
use dipjudge_game::overrule::Overruled;
use dipjudge_game::project::{Sight, ToldGame};
use dipjudge_game::{
    Access, Adjudicated, Adjudication, BoardSign, Card, Considered, Course, DataError, Described,
    Dice, Effect, Ending, Event, Game, Hidden, Interchange, KeepsState, KeptState, LeaderNeed,
    LongLine, Nobody, Opening, OptionalPowers, OrderChecks, OwnMovement, OwnOverruling, Pending,
    Phase, Refusal, RememberedData, Requirements, Section, Settings, StepJson, Stored,
    SubmissionKind, Submissions, Views, unreadable,
};
use dipjudge_grammar::Line;
use dipjudge_rules::adjudicator::Allowances;
use dipjudge_rules::calendar::Turn;
use dipjudge_rules::map::{Map, Power, PowerInfo, Province, UnitKind};
use dipjudge_rules::orders::Overlay;
use dipjudge_rules::position::Position;
use dipjudge_view::OfferedLine;

/// The variant.
pub(super) struct RatherSilly;

/// Its card.
const CARD: Card = Card {
    name: "rather-silly",
    aliases: &["silly"],
    title: "Rather Silly",
    rules: include_str!("rules.md"),
    worked_turn: include_str!("worked.json"),
    to_be_read: true,
    grammar: include_str!("../../../grammar/rather-silly.grammar"),
    facts: FACTS,
    long_lines: &[QUESTION],
    words: report::WORDS,
    overrules: overrule::HELP,
    commands: rulings::COMMANDS,
    settings: rules::SETTINGS,
    places: PLACES,
    nobody: Nobody {
        name: "Monsters",
        key: "MONSTERS",
    },
    drawing: include_str!("places.drawing"),
    opening: Opening::Winter,
    phases: &[phases::HERDS, phases::SUMMER],
    ..Card::PLAIN
};

impl Described for RatherSilly {
    fn card(&self) -> &'static Card {
        &CARD
    }
}

impl KeepsState for RatherSilly {
    type State = state::SillyState;

    fn opened(&self, state: state::SillyState, access: &Access<'_>) -> state::SillyState {
        state.opened(access)
    }
}

impl Course for RatherSilly {
    /// The seven powers, and any of the four roles; nobody where the map lacks what the rules name.
    fn players(&self, map: &Map) -> RangeInclusive<usize> {
        let least = if ground::has_underpass(map) {
            usize::from(JESTER.0)
        } else {
            usize::MAX
        };
        least..=map.powers().len()
    }

    fn places(&self, settings: &Settings) -> String {
        names::Flavor::of(settings).places()
    }

    fn first_state(
        &self,
        _powers: &[PowerInfo],
        _start: &Position,
        _settings: &Settings,
        _: Dice,
    ) -> KeptState {
        phases::first_state().kept_state()
    }

    fn in_play(&self, game: &Game, power: Power) -> bool {
        phases::in_play(game, power)
    }

    fn order_of_play(&self, turn: Turn) -> Vec<Phase> {
        phases::order_of_play(turn)
    }

    fn optional_powers(&self) -> Option<&dyn OptionalPowers> {
        Some(self)
    }
}

impl OptionalPowers for RatherSilly {
    fn need(&self, power: Power, settings: &Settings) -> LeaderNeed {
        rules::need(power, settings)
    }

    fn draw_needs(&self, game: &Game, power: Power) -> bool {
        rules::draw_needs(game, power)
    }
}

impl Submissions for RatherSilly {
    fn can_read(&self, stored: Stored) -> Result<(), DataError> {
        match stored {
            Stored::State(data) => Stored::is::<state::SillyState>(data),
            Stored::Order(data) => Stored::is::<orders::UnitOrder>(data),
            Stored::Submission(name, data) => slots::can_read(name, data),
            Stored::Brought(_) => unreadable("Rather Silly keeps nothing of the kind"),
        }
    }

    fn visible_state(&self, game: &Game, power: Power, access: &Access<'_>) -> RememberedData {
        remembered(phases::view_of(game, power, access))
    }

    fn read(&self, line: &Line, sight: &Sight) -> Result<Considered, Refusal> {
        pass::read(line, sight).unwrap_or_else(|| pass::taken_back(lines::read(line, sight), sight))
    }

    fn offered_lines(&self, game: &ToldGame<'_>, power: Power) -> Vec<OfferedLine> {
        offered::lines(game, power)
    }

    fn submissions(&self) -> &'static [SubmissionKind] {
        slots::KINDS
    }

    fn submitted(
        &self,
        game: &ToldGame<'_>,
        power: Power,
    ) -> Vec<(&'static SubmissionKind, String)> {
        submitted::submitted(game, power)
    }

    fn order_checks(&self) -> Option<&dyn OrderChecks> {
        Some(self)
    }
}

impl OrderChecks for RatherSilly {
    fn reconsider(&self, effect: Effect, sight: &Sight) -> Result<Considered, Refusal> {
        pass::taken_back(lines::reconsider(effect, sight), sight)
    }

    fn order_warnings(&self, sight: &Sight) -> Vec<String> {
        submitted::order_warnings(sight)
    }

    fn pending(&self, game: &ToldGame<'_>, power: Power) -> Option<Pending> {
        requirements::pending(game, power)
    }
}

impl Adjudication for RatherSilly {
    fn amend_requirements(
        &self,
        game: &Game,
        requirements: &mut Requirements,
        access: &Access<'_>,
    ) {
        requirements::amend_requirements(game, requirements, access);
    }

    fn amend_allowances(&self, game: &Game, allowances: &mut Allowances) {
        let board = board::Board::of(game);
        for seat in game.all_powers() {
            allowances.powers.entry(seat).or_default().change = winter::due(&board, seat);
        }
    }

    fn play(&self, phase: &str, game: &Game, dice: Dice, access: &Access<'_>) -> Vec<Event> {
        phases::play(phase, game, dice, access)
    }

    fn ending(&self, game: &Game, _after: &Phase) -> Option<Ending> {
        phases::ending(game)
    }

    fn overruling(&self) -> Option<&dyn OwnOverruling> {
        Some(self)
    }

    fn movement(&self) -> Option<&dyn OwnMovement> {
        Some(self)
    }
}

impl OwnOverruling for RatherSilly {
    fn overrule(
        &self,
        line: &Line,
        game: &Game,
        access: &Access<'_>,
    ) -> Result<Overruled, Refusal> {
        overrule::overrule(line, game, access)
    }
}

impl OwnMovement for RatherSilly {
    fn adjudicate(
        &self,
        game: &Game,
        phase: &Phase,
        dice: Dice,
        access: &Access<'_>,
    ) -> Option<Adjudicated> {
        phases::adjudicate(game, phase, dice, access)
    }

    fn overlay(&self, game: &Game) -> Overlay {
        combat::overlay(&board::Board::of(game))
    }
}

impl Views for RatherSilly {
    fn hides(&self, _game: &Game) -> &'static [Hidden] {
        &[]
    }

    fn report(&self, game: &ToldGame<'_>) -> Vec<Section> {
        report::report(game)
    }

    fn tables(&self, game: &ToldGame<'_>) -> Vec<Section> {
        report::tables(game)
    }

    fn signs(&self, game: &ToldGame<'_>) -> Vec<BoardSign> {
        signs::signs(game)
    }

    fn interchange(&self) -> Option<&dyn Interchange> {
        Some(self)
    }
}

impl Interchange for RatherSilly {
    /// All eleven, whoever is named.
    fn powers_named(
        &self,
        map: &Map,
        _keys: &dyn Fn() -> Vec<String>,
        settings: &Settings,
    ) -> Vec<PowerInfo> {
        self.powers(map, map.powers().len(), settings)
    }

    fn read_state(
        &self,
        keys: &serde_json::Map<String, serde_json::Value>,
        game: &Game,
    ) -> Result<Vec<Event>, DataError> {
        interchange::read(keys, game)
    }

    fn write_state(&self, game: &ToldGame<'_>) -> serde_json::Map<String, serde_json::Value> {
        interchange::write(game)
    }

    fn steps(&self, before: &ToldGame<'_>, after: &ToldGame<'_>) -> Vec<StepJson> {
        interchange::steps(before, after)
    }
}

/// The FEMALE ARMY.
const FEMALE: UnitKind = UnitKind::literal("FA");
/// The DIRTY OLD MAN ARMY.
const DOM: UnitKind = UnitKind::literal("DOM");
/// A flock of BIRDS.
const BIRDS: UnitKind = UnitKind::literal("B");
/// A group of SEA MONSTERS.
const SEA: UnitKind = UnitKind::literal("SEA");
/// A group of SPACE MONSTERS.
const SPACE: UnitKind = UnitKind::literal("SPACE");

/// Re-orders units of others.
const JESTER: Power = Power(7);
/// Asks the questions.
const MASTERMIND: Power = Power(8);
/// Travels in the TARDIS.
const DOCTOR: Power = Power(9);
/// Foresees stand-offs.
const SOOTHSAYER: Power = Power(10);
/// Whose the monsters are: nobody leads them.
const MONSTERS: Power = Power::NEUTRAL;

/// Open to the MASTERMIND's units and to BORG alone (R82).
const ICELAND: Province = Province::literal(b"ICE");
/// Like Iceland.
const CORFU: Province = Province::literal(b"COR");

/// Whether the place is one of the two islands.
fn is_island(place: Province) -> bool {
    place == ICELAND || place == CORFU
}

/// Armies and fleets.
fn is_conventional(kind: UnitKind) -> bool {
    kind == UnitKind::ARMY || kind == UnitKind::FLEET
}

/// What fights, and of which there is room for one in a space.
fn is_solid(kind: UnitKind) -> bool {
    is_conventional(kind) || kind == SEA || kind == SPACE
}

/// FEMALE and DIRTY OLD MAN armies: they walk, and share their space with anything.
fn is_idle_army(kind: UnitKind) -> bool {
    kind == FEMALE || kind == DOM
}

/// What conditions may say (section 4).
const FACTS: &str = "BORG IN Mun, TARDIS IN Mun, MONSTERS IN NTH, FRENCH A IN Bur, EMPTY Bur, LINK Lon-Tun, OWNS FRANCE Bel, \
    CENTRES FRANCE >= 5, A(Par) SOLD, DISLODGED, SUCCEEDED, FAILED, DESTROYED or EATEN, STANDOFF Bur, MERGED Bur, EXPLODED Bur, \
    RIGHT FRANCE, joined by AND, OR and NOT";

/// The question goes on to its first answer, and not beyond a line that was meant as one.
const QUESTION: LongLine = LongLine {
    rule: "question",
    by: MASTERMIND,
    until: "accept",
    broken_by: &["answer"],
    missing: "A question without an answer: behind its text stand one or more lines with what is right, such as ACCEPT: Allan Calhamer. \
        Nothing of this was taken, and an earlier question stands.",
};

/// What is laid over the map.
const PLACES: &str = include_str!("places.txt");
