//! What a variant may change.

use crate::data_error::{DataError, unreadable};
use std::ops::RangeInclusive;

use super::project::{Sight, ToldGame};
use super::requirements::Requirements;
use super::variant_parts::{
    Enrolment, Interchange, OptionalPowers, OrderChecks, OwnCalendar, OwnMovement, OwnOverruling,
};
use super::{
    Access, BoardSign, Card, Considered, Dice, Ending, Event, Game, KeptState, OwnLabels, Phase,
    Refusal, RememberedData, Section, Settings, Stored, SubmissionKind, Tally, endings, horizon,
};
use dipjudge_grammar::Line;
use dipjudge_rules::adjudicator::Allowances;
use dipjudge_rules::calendar::{PhaseName, Season, Turn};
use dipjudge_rules::map::{Map, Power, PowerInfo, Province};
use dipjudge_rules::position::{Position, Unit, UnitId};
use dipjudge_view::OfferedLine;

/// Something that a variant hides from its players until the game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hidden {
    /// Parts of the board.
    Board,
    /// Which others exist, and how many. Nobody reads of a power that he has no label for (`own_labels`) or, at the forming
    /// table, who has signed on; and nobody joins once the game has begun. Masters, and everybody once the game is over, know
    /// everything. Such a variant also hides its board from all others, from the first day on.
    Existence,
}

/// What a reader has in sight if he does not see the whole board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Horizon {
    /// Provinces whose units and owners are seen.
    pub provinces: std::collections::BTreeSet<Province>,
    /// Units that are seen wherever they stand; a variant shows them in addition to the provinces.
    pub glimpsed: std::collections::BTreeSet<UnitId>,
    /// Whether only moves of others are shown: a unit that supports or convoys is shown like one that does nothing.
    pub moves_alone: bool,
}

impl Horizon {
    /// Whether a unit is in sight.
    pub fn shows(&self, unit: &Unit) -> bool {
        self.provinces.contains(&unit.at.province) || self.glimpsed.contains(&unit.id)
    }
}

/// A variant: its card, and its rules by their duties; what few variants need comes as a part that they return
/// (`variant_parts`). Defaults of the rules are those of the standard game, so a variant
/// implements only its differences. Hooks that play receive the game at the time, its dice, and access to the submissions of
/// players; hooks that tell something receive a `ToldGame`, which holds no more than its reader may know. They have no clock and
/// no mail.
pub trait Variant: Course + Submissions + Adjudication + Views + Sync {}

impl<T: Course + Submissions + Adjudication + Views + Sync> Variant for T {}

/// What is known of a variant without a game.
pub trait Described {
    /// Its data.
    fn card(&self) -> &'static Card;
}

/// The players, the start of a game, and its phases.
pub trait Course: Described {
    // Before the first turn -------------------------------------------------

    /// How many may play.
    fn players(&self, map: &Map) -> RangeInclusive<usize> {
        map.powers().len()..=map.powers().len()
    }

    /// What it lays over the map in a game with these settings, for example other names of unit kinds. Default: that of its
    /// card.
    fn places(&self, _settings: &Settings) -> String {
        self.card().places.to_owned()
    }

    /// How its players come to a table, if not by signing on until it is full.
    fn enrolment(&self) -> Option<&dyn Enrolment> {
        None
    }

    /// The powers that a game begins and goes on without, if there are any.
    fn optional_powers(&self) -> Option<&dyn OptionalPowers> {
        None
    }

    /// Its calendar, if it has one of its own.
    fn calendar(&self) -> Option<&dyn OwnCalendar> {
        None
    }

    /// The powers, and the roles without units, for this number of players.
    fn powers(&self, map: &Map, _players: usize, _settings: &Settings) -> Vec<PowerInfo> {
        map.powers().to_vec()
    }

    /// The position at the start. In a game that begins on an empty board only its owners are used.
    fn set_up(
        &self,
        map: &Map,
        _powers: &[PowerInfo],
        _settings: &Settings,
        _dice: Dice,
    ) -> Position {
        Position::at_start(map)
    }

    /// Its own state at the start, given the position of `set_up`.
    fn first_state(
        &self,
        _powers: &[PowerInfo],
        _start: &Position,
        _settings: &Settings,
        _dice: Dice,
    ) -> KeptState {
        KeptState::default()
    }

    /// The homes of a power, if they differ from those of the map's power of its name.
    fn homes(&self, _game: &Game, _power: Power) -> Option<Vec<Province>> {
        None
    }

    /// Whether a power still takes part: it votes, gets mails, and may be led. A power that is out never returns, unless the
    /// rules allow it. The variant decides it for a role without units. If one is always in play, only the variant's `ending`
    /// ends a game whose board is empty.
    fn in_play(&self, game: &Game, power: Power) -> bool {
        game.unit_count(power) > 0 || game.center_count(power) > 0
    }

    // The order of play -----------------------------------------------------

    /// The phases of a turn.
    fn order_of_play(&self, turn: Turn) -> Vec<Phase> {
        Phase::standard(turn).to_vec()
    }
}

/// What powers submit: lines of the variant's own, and its checks of common orders.
pub trait Submissions: Described {
    /// Checks whether this version can read the variant's own data in a log; the error describes the fault. Called before the
    /// data become part of a game (`game::stored`). Default: a variant without data of its own.
    fn can_read(&self, _stored: Stored) -> Result<(), DataError> {
        unreadable(format!("{} keeps nothing of the kind", self.card().title))
    }

    /// The part of its own state by which a power's lines are checked, as far as it is open to the power; `read` gets it as
    /// `Sight::own`. Default: nothing.
    fn visible_state(&self, _game: &Game, _power: Power, _access: &Access<'_>) -> RememberedData {
        RememberedData::default()
    }

    /// Reads one of its own lines and checks it against what its sender sees.
    fn read(&self, _line: &Line, _sight: &Sight) -> Result<Considered, Refusal> {
        Err("This line is not an order of this variant.".into())
    }

    /// Its checks of common orders.
    fn order_checks(&self) -> Option<&dyn OrderChecks> {
        None
    }

    /// The kinds of submissions that its lines make, and who reads each when. Submissions of no kind are shown to their owner
    /// only.
    fn submissions(&self) -> &'static [SubmissionKind] {
        &[]
    }

    /// A power's submissions of the variant's own, line by line, in a form that it could send again, each with its kind. They
    /// are shown below its orders to the power itself, and to readers to whom the kind is open.
    fn submitted(
        &self,
        _game: &ToldGame<'_>,
        _power: Power,
    ) -> Vec<(&'static SubmissionKind, String)> {
        Vec::new()
    }

    /// The lines of the variant's own that a power may send in this phase, each ready to be sent, with what it does, how often it
    /// may be sent and what becomes of it if it is not. The end of every mail to the power offers them. Default: none.
    fn offered_lines(&self, _game: &ToldGame<'_>, _power: Power) -> Vec<OfferedLine> {
        Vec::new()
    }
}

/// How a phase is adjudicated: the engine prepares the standard case, which the variant edits, and runs the variant's own steps.
pub trait Adjudication: Described {
    /// What the phase requires from each power. A phase that asks nobody is adjudicated at once.
    fn amend_requirements(
        &self,
        _game: &Game,
        _requirements: &mut Requirements,
        _access: &Access<'_>,
    ) {
    }

    /// What it changes in movement and retreats.
    fn movement(&self) -> Option<&dyn OwnMovement> {
        None
    }

    /// What masters overrule beside the board.
    fn overruling(&self) -> Option<&dyn OwnOverruling> {
        None
    }

    /// Builds and removals due, and where and what may be built.
    fn amend_allowances(&self, _game: &Game, _allowances: &mut Allowances) {}

    /// Runs a `Phase::Own` of its order of play: at once if it asks nobody, otherwise when it is adjudicated. Consequences of an
    /// ordinary phase (a marker lost, a count) are such a phase after it that asks nobody. It is not called for a variant that
    /// lists no such phase.
    fn play(&self, _phase: &str, _game: &Game, _dice: Dice, _access: &Access<'_>) -> Vec<Event> {
        Vec::new()
    }

    /// Called after every phase, its own included; `None` while the game goes on.
    fn ending(&self, game: &Game, after: &Phase) -> Option<Ending> {
        if *after != Phase::Ownership {
            return None;
        }
        let enough = game.winning_number(self.card().winning);
        endings::most(
            &endings::counts(game, Tally::Centers),
            enough,
            endings::Tie::PlayOn,
        )
    }
}

/// What each reader may see, and the reports of the variant.
pub trait Views: Course {
    /// What it hides from its players, whether or not the game is BLIND. There is no default: each variant decides. Callers use
    /// `VariantGame::hides_board` and `GameView::hides_existence`.
    fn hides(&self, game: &Game) -> &'static [Hidden];

    /// What a power has in sight where parts of the board are hidden. Default: the fog of BLIND. Callers use
    /// `VariantGame::hides_board` only.
    fn in_sight(&self, game: &Game, power: Power) -> Horizon {
        horizon::fog(game, self, power)
    }

    /// The rules of the labels by which its readers call the powers, if not all use the same names.
    fn own_labels(&self) -> Option<&dyn OwnLabels> {
        None
    }

    /// Whether everybody may know all that it keeps beside the board once the game is over, so that it stands in the game's proof.
    fn all_is_open_after_the_end(&self) -> bool {
        self.interchange().is_none()
    }

    /// Its part of a position in the saved-game format, if it keeps anything beside the board.
    fn interchange(&self) -> Option<&dyn Interchange> {
        None
    }

    /// Sections for the report of the phase last adjudicated.
    fn report(&self, _game: &ToldGame<'_>) -> Vec<Section> {
        Vec::new()
    }

    /// The status of its own things, for LIST, `show` and the opening report.
    fn tables(&self, _game: &ToldGame<'_>) -> Vec<Section> {
        Vec::new()
    }

    /// Its marks in a picture of the present board: forts, colonies, and other things in provinces. A reader gets no mark in a
    /// province that he does not see.
    fn signs(&self, _game: &ToldGame<'_>) -> Vec<BoardSign> {
        Vec::new()
    }
}

/// The powers that still take part.
pub fn in_play<V: Course + ?Sized>(game: &Game, variant: &V) -> Vec<Power> {
    let powers = game.all_powers();
    powers
        .filter(|power| variant.in_play(game, *power))
        .collect()
}

/// The phases of a name in a variant's year, each with its turn. A phase that asks nobody has no name of its own.
pub fn phases_named(variant: &dyn Variant, name: PhaseName) -> Vec<(Turn, Phase)> {
    let card = variant.card();
    let year = name.turn.year;
    let turns = Season::ALL.map(|season| Turn { year, season });
    let phases = turns.into_iter().flat_map(|turn| {
        let phases = variant.order_of_play(turn).into_iter();
        phases.map(move |phase| (turn, phase))
    });
    phases
        .filter(|(turn, phase)| card.names(phase, *turn, name))
        .collect()
}

/// Checks that the trait is usable behind a pointer.
const _: fn(&dyn Variant) = |_| {};
