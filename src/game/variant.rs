//! What a variant may change.

use std::ops::RangeInclusive;

use super::overrule::Overruled;
use super::project::{Sight, ToldGame};
use super::requirements::{Pending, Requirements};
use super::{
    Access, Adjudicated, Begins, BoardSign, Card, CommandEffects, Considered, Dice, Effect, Ending,
    Event, Game, KeptState, LeaderNeed, OwnLabels, Pace, Phase, Refusal, Seating, Section,
    Settings, Stored, SubmissionKind, Tally, endings, horizon,
};
use dipjudge_grammar::Line;
use dipjudge_rules::adjudicator::Allowances;
use dipjudge_rules::calendar::{PhaseName, Season, Turn};
use dipjudge_rules::map::{Map, Power, PowerInfo, Province};
use dipjudge_rules::orders::{Illegal, OrderSheet, Overlay, VariantData};
use dipjudge_rules::position::{Dislodged, Position, Unit, UnitId};

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

/// A variant: its card, and its rules by their duties. Defaults of the rules are those of the standard game, so a variant
/// implements only its differences. Hooks that play receive the game at the time, its dice, and access to the submissions of
/// players; hooks that tell something receive a `ToldGame`, which holds no more than its reader may know. They have no clock and
/// no mail.
pub trait Variant: Course + Submissions + Adjudication + Views + Interchange + Sync {}

impl<T: Course + Submissions + Adjudication + Views + Interchange + Sync> Variant for T {}

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

    /// The powers, and the roles without units, for this number of players.
    fn powers(&self, map: &Map, _players: usize, _settings: &Settings) -> Vec<PowerInfo> {
        map.powers().to_vec()
    }

    /// Whether a game needs a leader for a power. Default: for all of them. A closed power is never in play.
    fn need(&self, _power: Power, _settings: &Settings) -> LeaderNeed {
        LeaderNeed::Required
    }

    /// When a forming game begins.
    fn begins(&self, _settings: &Settings) -> Begins {
        Begins::WhenFull
    }

    /// How many must have signed on for a game that begins at a date; otherwise sign-up is extended.
    fn candidates_needed(&self, map: &Map, _settings: &Settings) -> usize {
        *self.players(map).start()
    }

    /// Whether there is a stand-by list: its first member silently takes over a power that becomes vacant, and everybody who
    /// signs on after the start is added at the end.
    fn has_stand_by(&self, _settings: &Settings) -> bool {
        false
    }

    /// The powers with their leaders and the stand-by list, for variants whose players bring their powers along or are chosen by
    /// draw; otherwise `powers` are dealt. Called for a forming game with the players of that moment.
    fn roster(&self, _game: &Game) -> Option<Seating> {
        None
    }

    /// What LIST prints about a forming table, all of it public: names chosen so far.
    fn forming_tables(&self, _game: &ToldGame<'_>) -> Vec<Section> {
        Vec::new()
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

    /// Whether a draw needs the vote of a power that takes part; all powers that take part share it.
    fn draw_needs(&self, _game: &Game, _power: Power) -> bool {
        true
    }

    // The order of play -----------------------------------------------------

    /// The clock's rules for its games, if they have a calendar of their own; otherwise the options decide.
    fn pace(&self, _settings: &Settings) -> Option<Pace> {
        None
    }

    /// The turn after a turn.
    fn next_turn(&self, turn: Turn) -> Turn {
        turn.next()
    }

    /// The phases of a turn.
    fn order_of_play(&self, turn: Turn) -> Vec<Phase> {
        Phase::standard(turn).to_vec()
    }

    /// What players call the turn: `Spring of 1901`.
    fn date(&self, turn: Turn) -> String {
        format!("{} of {}", turn.season, turn.year)
    }
}

/// What powers submit: lines of the variant's own, and its checks of common orders.
pub trait Submissions: Described {
    /// Checks whether this version can read the variant's own data in a log; the error describes the fault. Called before the
    /// data become part of a game (`game::stored`). Default: a variant without data of its own.
    fn can_read(&self, _stored: Stored) -> Result<(), String> {
        Err(format!("{} keeps nothing of the kind", self.card().title))
    }

    /// The part of its own state by which a power's lines are checked, as far as it is open to the power; `read` gets it as
    /// `Sight::own`. Default: nothing.
    fn visible_state(&self, _game: &Game, _power: Power, _access: &Access<'_>) -> VariantData {
        VariantData::default()
    }

    /// Reads one of its own lines and checks it against what its sender sees.
    fn read(&self, _line: &Line, _sight: &Sight) -> Result<Considered, Refusal> {
        Err("This line is not an order of this variant.".into())
    }

    /// Checks a common order that is legal by the common rules: it may add notes, change the effect, or refuse it.
    fn reconsider(&self, effect: Effect, _sight: &Sight) -> Result<Considered, Refusal> {
        Ok(Considered {
            effects: vec![effect],
            notes: Vec::new(),
        })
    }

    /// A whole sentence for an illegal order, where the common sentence would not fit.
    fn objection(&self, _illegal: &Illegal, _sight: &Sight) -> Option<String> {
        None
    }

    /// Notes on a power's orders as they are at the end of its mail; none of them is an error.
    fn order_warnings(&self, _sight: &Sight) -> Vec<String> {
        Vec::new()
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

    /// Builds and removals that a power still owes, if its rules take them by lines of their own. Otherwise the common orders are
    /// counted.
    fn pending(&self, _game: &ToldGame<'_>, _power: Power) -> Option<Pending> {
        None
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

    /// Adjudicates a movement, retreat or adjustment phase itself, for variants with steps of their own between an order and its
    /// result. `None`: the common way, edited by the hooks below.
    fn adjudicate(
        &self,
        _game: &Game,
        _phase: &Phase,
        _dice: Dice,
        _access: &Access<'_>,
    ) -> Option<Adjudicated> {
        None
    }

    /// Borders and strongholds laid over the map this turn; used when an order is checked and again when it is adjudicated.
    fn overlay(&self, _game: &Game) -> Overlay {
        Overlay::default()
    }

    /// Edits the order sheet before movement is adjudicated.
    fn amend_orders(
        &self,
        _game: &Game,
        _sheet: &mut OrderSheet,
        _dice: Dice,
        _access: &Access<'_>,
    ) {
    }

    /// Where dislodged units may retreat to.
    fn amend_retreats(&self, _game: &Game, _options: &mut [Dislodged], _dice: Dice) {}

    /// Builds and removals due, and where and what may be built.
    fn amend_allowances(&self, _game: &Game, _allowances: &mut Allowances) {}

    /// Runs a `Phase::Own` of its order of play: at once if it asks nobody, otherwise when it is adjudicated. Consequences of an
    /// ordinary phase (a marker lost, a count) are such a phase after it that asks nobody. It is not called for a variant that
    /// lists no such phase.
    fn play(&self, _phase: &str, _game: &Game, _dice: Dice, _access: &Access<'_>) -> Vec<Event> {
        Vec::new()
    }

    /// A master's change of something that the variant keeps beside the board, in a line that its grammar adds to the rule
    /// `overrule-what`. It reads everything unsealed, so neither a refusal nor the public text may depend on what is hidden from
    /// masters.
    fn overrule(
        &self,
        _line: &Line,
        _game: &Game,
        _access: &Access<'_>,
    ) -> Result<Overruled, Refusal> {
        let title = self.card().title;
        Err(format!("{title} has nothing of its own to overrule.").into())
    }

    /// Consequences of all that a master has overruled in one mail, given the game before the first change and after the last.
    /// Default: nothing.
    fn after_overruling(&self, _before: &Game, _now: &Game) -> CommandEffects {
        CommandEffects::default()
    }

    /// Called after every phase, its own included; `None` while the game goes on.
    fn ending(&self, game: &Game, after: &Phase) -> Option<Ending> {
        if *after != Phase::Ownership {
            return None;
        }
        let enough = game.winning_number(self.card().winning);
        endings::most(&endings::counts(game, Tally::Centers), enough, false)
    }
}

/// What each reader may see, and the reports of the variant.
pub trait Views: Course {
    /// Whether parts of the board are hidden from its players, whether or not the game is BLIND. There is no default: each
    /// variant decides. Callers use `VariantGame::hides_board` only.
    fn hides_board(&self, game: &Game) -> bool;

    /// What a power has in sight where parts of the board are hidden. Default: the fog of BLIND. Callers use
    /// `VariantGame::hides_board` only.
    fn in_sight(&self, game: &Game, power: Power) -> Horizon {
        horizon::fog(game, self, power)
    }

    /// Whether its readers may not know which others exist, nor how many. Nobody reads of a power that he has no label for
    /// (`own_labels`) or, at the forming table, who has signed on; and nobody joins once the game has begun. Masters, and
    /// everybody once the game is over, know everything. Such a variant also hides its board from all others, from the first day
    /// on.
    fn hides_existence(&self, _game: &Game) -> bool {
        false
    }

    /// The rules of the labels by which its readers call the powers, if not all use the same names.
    fn own_labels(&self) -> Option<&dyn OwnLabels> {
        None
    }

    /// Whether one power may write to another; a broadcast reaches those to whom its sender may write. Default: where readers
    /// have labels of their own, those whom the sender may address; otherwise everybody.
    fn may_press(&self, game: &Game, from: Power, to: Power) -> bool {
        let own = self.own_labels();
        own.is_none_or(|own| own.contacts(game, from).contains(&to))
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

/// Its part of a position in the saved-game format.
pub trait Interchange: Course {
    /// The powers of a position that is read from a file, which names them by these keys (each once, in alphabetical order).
    /// Default: those of a full table; where any number may play, players name their powers, so the keys are the powers.
    fn powers_named(&self, map: &Map, keys: &[String], settings: &Settings) -> Vec<PowerInfo> {
        let players = self.players(map);
        if players.start() == players.end() {
            return self.powers(map, *players.end(), settings);
        }
        let called = |key: &String| PowerInfo {
            name: key.clone(),
            adjective: key.clone(),
            key: key.clone(),
            letter: None,
        };
        keys.iter().map(called).collect()
    }

    /// Whether a unit of the board is among the `units` of a `state` object, rather than in the variant's own keys only.
    fn is_saved_as_unit(&self, _unit: &Unit) -> bool {
        true
    }

    /// Reads its own keys of a `state` object (`adjudicate-json.md`, Variants): returns events that apply them to a game that
    /// already has its units, centers and retreats; the error is a sentence.
    fn read_state(
        &self,
        _keys: &serde_json::Map<String, serde_json::Value>,
        _game: &Game,
    ) -> Result<Vec<Event>, String> {
        Ok(Vec::new())
    }

    /// Its own keys of a `state` object, to the extent of a reader's knowledge. A caller who holds the whole position is not a
    /// reader, and gets back what `read_state` has read.
    fn write_state(&self, _game: &ToldGame<'_>) -> serde_json::Map<String, serde_json::Value> {
        serde_json::Map::new()
    }

    /// The steps of a phase, in its own vocabulary: objects `{"step": …, …}`. `before` is the game when the phase was
    /// adjudicated, `after` the game in the next phase.
    fn steps(&self, _before: &ToldGame<'_>, _after: &ToldGame<'_>) -> Vec<serde_json::Value> {
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
