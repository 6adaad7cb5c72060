//! What a variant may change.

use std::ops::RangeInclusive;

use super::overrule::Overruled;
use super::project::Sight;
use super::requirements::{Pending, Requirements};
use super::{
    Access, Adjudicated, Begins, BoardSign, Card, CommandEffects, Considered, Dice, Effect, Ending,
    Event, Game, LeaderNeed, OwnLabels, Pace, Phase, Refusal, Seating, Section, Settings, Stored,
    SubmissionKind, Tally, endings, horizon,
};
use dipjudge_grammar::Line;
use dipjudge_rules::adjudicator::Allowances;
use dipjudge_rules::calendar::{PhaseName, Season, Turn};
use dipjudge_rules::map::{Map, Power, PowerInfo, Province};
use dipjudge_rules::orders::{Illegal, OrderSheet, Overlay, VariantData};
use dipjudge_rules::position::{Dislodged, Position, Unit, UnitId};

/// What a reader has in sight, where not the whole board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Horizon {
    /// Provinces whose units and owners are seen.
    pub provinces: std::collections::BTreeSet<Province>,
    /// Units that are seen wherever they stand: what a variant shows beyond the provinces.
    pub glimpsed: std::collections::BTreeSet<UnitId>,
    /// Of the orders of others only moves are told: whoever supports or convoys is told like one who does nothing.
    pub moves_alone: bool,
}

impl Horizon {
    /// Whether a unit is in sight.
    pub fn shows(&self, unit: &Unit) -> bool {
        self.provinces.contains(&unit.at.province) || self.glimpsed.contains(&unit.id)
    }
}

/// A variant: its card, and its rules by their duties. Every default of the rules is the standard one, so that a variant
/// states only its differences. Hooks are handed the time's game, its dice, and an access to what players have submitted;
/// they know no clock and no mail.
pub trait Variant: Course + Submissions + Adjudication + Views + Interchange + Sync {}

impl<T: Course + Submissions + Adjudication + Views + Interchange + Sync> Variant for T {}

/// What can be told of a variant without a game.
pub trait Described {
    /// Its data.
    fn card(&self) -> &'static Card;
}

/// Who plays, how a game begins, and the phases that it goes through.
pub trait Course: Described {
    // Before the first turn -------------------------------------------------

    /// How many may play.
    fn players(&self, map: &Map) -> RangeInclusive<usize> {
        map.powers().len()..=map.powers().len()
    }

    /// What it lays over the map in a game with these settings: kinds of units may be called otherwise in it. Default: what its
    /// card says.
    fn places(&self, _settings: &Settings) -> String {
        self.card().places.to_owned()
    }

    /// The powers, and the roles without units, when so many play.
    fn powers(&self, map: &Map, _players: usize, _settings: &Settings) -> Vec<PowerInfo> {
        map.powers().to_vec()
    }

    /// Whether a game needs a leader for a power: for all of them, unless some are optional. A closed one is never in play.
    fn need(&self, _power: Power, _settings: &Settings) -> LeaderNeed {
        LeaderNeed::Required
    }

    /// What a forming game waits for.
    fn begins(&self, _settings: &Settings) -> Begins {
        Begins::WhenFull
    }

    /// How many must have signed on where the game begins at a date; otherwise sign-up is prolonged.
    fn candidates_needed(&self, map: &Map, _settings: &Settings) -> usize {
        *self.players(map).start()
    }

    /// Whether there is a list of those who stand by: the first of them leads a power that falls free, at once and in
    /// silence, and whoever signs on behind the start comes to its end.
    fn has_stand_by(&self, _settings: &Settings) -> bool {
        false
    }

    /// The powers with their leaders, and who stands by, where players bring their powers along or it is drawn who of them
    /// plays; otherwise `powers` are dealt. Asked of a forming game, whoever has signed on so far.
    fn roster(&self, _game: &Game) -> Option<Seating> {
        None
    }

    /// What LIST tells of a table that is forming, all of it public: names chosen so far.
    fn forming_tables(&self, _game: &Game) -> Vec<Section> {
        Vec::new()
    }

    /// Who starts where. Of a game that begins on an empty board only the owners count.
    fn set_up(
        &self,
        map: &Map,
        _powers: &[PowerInfo],
        _settings: &Settings,
        _dice: Dice,
    ) -> Position {
        Position::at_start(map)
    }

    /// Its own state at the start, with what `set_up` has put on the board.
    fn first_state(
        &self,
        _powers: &[PowerInfo],
        _start: &Position,
        _settings: &Settings,
    ) -> VariantData {
        VariantData::default()
    }

    /// The homes of a power, where they are not those of the map's power of its name.
    fn homes(&self, _game: &Game, _power: Power) -> Option<Vec<Province>> {
        None
    }

    /// Whether a power still takes part: it votes, hears of the game, and may be led. Who is out is so for good, unless the
    /// rules bring him back. Of a role without units its variant says so; where one is always in play, nothing but the
    /// variant's `ending` ends a game whose board is empty.
    fn in_play(&self, game: &Game, power: Power) -> bool {
        game.unit_count(power) > 0 || game.center_count(power) > 0
    }

    /// Whether a draw needs the vote of a power that takes part; all who take part share it.
    fn draw_needs(&self, _game: &Game, _power: Power) -> bool {
        true
    }

    // The order of play -----------------------------------------------------

    /// How the clock treats its games, where they have a calendar of their own; otherwise their options say so.
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

/// What powers submit: lines of the variant's own, and its word on orders of every game.
pub trait Submissions: Described {
    /// Whether this version can read something of its own that a log holds; the error says where not. Asked before it becomes
    /// part of a game (`game::stored`). Default: a variant that keeps nothing of its own.
    fn can_read(&self, _stored: Stored) -> Result<(), String> {
        Err(format!("{} keeps nothing of the kind", self.card().title))
    }

    /// What of its own state a power's lines are considered by, as far as it is open to it; it comes to `read` as
    /// `Sight::own`. Default: nothing.
    fn visible_state(&self, _game: &Game, _power: Power, _access: &Access<'_>) -> VariantData {
        VariantData::default()
    }

    /// One of its own lines, held against what its sender sees.
    fn read(&self, _line: &Line, _sight: &Sight) -> Result<Considered, Refusal> {
        Err("This line is not an order of this variant.".into())
    }

    /// A word on an order of every game that is legal by the common rules: notes added, the effect changed, or a
    /// refusal.
    fn reconsider(&self, effect: Effect, _sight: &Sight) -> Result<Considered, Refusal> {
        Ok(Considered {
            effects: vec![effect],
            notes: Vec::new(),
        })
    }

    /// Why an order is not legal, where the common sentence would not tell it well: a whole sentence.
    fn objection(&self, _illegal: &Illegal, _sight: &Sight) -> Option<String> {
        None
    }

    /// Notes on a power's orders as they stand at the end of its mail; none of them is an error.
    fn order_warnings(&self, _sight: &Sight) -> Vec<String> {
        Vec::new()
    }

    /// The kinds of submissions that its lines make, and who reads each when. What belongs to none of them is shown to its
    /// owner alone.
    fn submissions(&self) -> &'static [SubmissionKind] {
        &[]
    }

    /// What a power has submitted of the variant's own, line by line, as it could send it again, each with its kind: shown
    /// below its orders to that power itself, and to whom the kind is open.
    fn submitted(
        &self,
        _game: &Game,
        _power: Power,
        _access: &Access<'_>,
    ) -> Vec<(&'static SubmissionKind, String)> {
        Vec::new()
    }

    /// Builds and removals that a power still has to order, where its rules take them by lines of their own: as far as this
    /// opens those. Otherwise they are counted by the orders of every game.
    fn pending(&self, _game: &Game, _power: Power, _access: &Access<'_>) -> Option<Pending> {
        None
    }
}

/// What comes of a phase: the engine prepares the standard case, which the variant edits, and plays the variant's own steps.
pub trait Adjudication: Described {
    /// What the phase wants from whom. A phase that asks nobody runs at once.
    fn amend_requirements(
        &self,
        _game: &Game,
        _requirements: &mut Requirements,
        _access: &Access<'_>,
    ) {
    }

    /// Adjudicates a movement, retreat or adjustment phase its own way, where steps of its own stand between an order and what
    /// becomes of its unit. None: the common way, as the hooks below amend it.
    fn adjudicate(
        &self,
        _game: &Game,
        _phase: &Phase,
        _dice: Dice,
        _access: &Access<'_>,
    ) -> Option<Adjudicated> {
        None
    }

    /// Borders and strongholds laid over the map this turn; consulted when an order is checked and again when it is
    /// adjudicated.
    fn overlay(&self, _game: &Game) -> Overlay {
        Overlay::default()
    }

    /// The last word on the order sheet before movement is adjudicated.
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

    /// Plays a `Phase::Own` of its order of play: at once where it asks nobody, otherwise when it is adjudicated. What
    /// follows from an ordinary phase (a marker lost, a reckoning) is such a phase behind it that asks nobody. A variant that
    /// lists no such phase is never asked.
    fn play(&self, _phase: &str, _game: &Game, _dice: Dice, _access: &Access<'_>) -> Vec<Event> {
        Vec::new()
    }

    /// A master's last word on something that it keeps beside the board, in a line that its grammar adds to the rule
    /// `overrule-what`. Nothing is sealed from it, so neither a refusal nor what all
    /// are told may depend on what is hidden from masters.
    fn overrule(
        &self,
        _line: &Line,
        _game: &Game,
        _access: &Access<'_>,
    ) -> Result<Overruled, Refusal> {
        let title = self.card().title;
        Err(format!("{title} has nothing of its own to overrule.").into())
    }

    /// What follows at once from what a master has overruled in one mail: the game before the first, and behind the last. By
    /// default nothing.
    fn after_overruling(&self, _before: &Game, _now: &Game) -> CommandEffects {
        CommandEffects::default()
    }

    /// Asked after every phase, its own included; none while the game goes on.
    fn ending(&self, game: &Game, after: &Phase) -> Option<Ending> {
        if *after != Phase::Ownership {
            return None;
        }
        let enough = game.winning_number(self.card().winning);
        endings::most(&endings::counts(game, Tally::Centers), enough, false)
    }
}

/// What each reader may see, and what the variant tells of itself.
pub trait Views: Course {
    /// Whether parts of the board are hidden from its players, be the game BLIND or not. No default: each variant says so
    /// itself. To be asked through `VariantGame::hides_board` alone.
    fn hides_board(&self, game: &Game) -> bool;

    /// What a power has in sight where parts of the board are hidden. Default: the fog of BLIND. To be asked through
    /// `VariantGame::hides_board` alone.
    fn in_sight(&self, game: &Game, power: Power) -> Horizon {
        horizon::fog(game, self, power)
    }

    /// Whether its readers are not to know who else exists, be it only how many: nobody is told of a power that he has no
    /// label for (`own_labels`), at the forming table nobody of who has signed on, and nobody comes in once the game has
    /// begun. For masters, and once the game is over, this holds nothing back. Such a variant has hides its board from all others,
    /// from the first day on.
    fn hides_existence(&self, _game: &Game) -> bool {
        false
    }

    /// By what labels its readers call the powers, where not all call them by one name.
    fn own_labels(&self) -> Option<&dyn OwnLabels> {
        None
    }

    /// Whether one power may write to another; a broadcast reaches those to whom its writer may. Default: where readers have
    /// labels of their own, those whom the writer may address; otherwise everybody.
    fn may_press(&self, game: &Game, from: Power, to: Power) -> bool {
        let own = self.own_labels();
        own.is_none_or(|own| own.contacts(game, from).contains(&to))
    }

    /// Sections for the report of the phase last adjudicated.
    fn report(&self, _game: &Game) -> Vec<Section> {
        Vec::new()
    }

    /// How things of its own stand, for LIST, `show` and the opening report.
    fn tables(&self, _game: &Game, _access: &Access<'_>) -> Vec<Section> {
        Vec::new()
    }

    /// What it marks in a picture of the board as it stands: forts, colonies, whatever else stands in provinces. Nobody gets a
    /// mark in a province that he does not see.
    fn signs(&self, _game: &Game, _access: &Access<'_>) -> Vec<BoardSign> {
        Vec::new()
    }
}

/// Its part of a position in the saved-game format.
pub trait Interchange: Course {
    /// The powers of a position from outside, which names them by these keys (each once, in order of the alphabet). Default:
    /// those of a full table; where any number may play, powers are what their players call them, so the keys are.
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

    /// Whether a unit of the board stands among the `units` of a `state` object, and not among the variant's own keys alone.
    fn is_saved_as_unit(&self, _unit: &Unit) -> bool {
        true
    }

    /// Reads its own keys of a `state` object (`adjudicate-json.md`, Variants): the events that lay them over a game in
    /// which units, centers and retreats stand already; the error is a sentence.
    fn read_state(
        &self,
        _keys: &serde_json::Map<String, serde_json::Value>,
        _game: &Game,
    ) -> Result<Vec<Event>, String> {
        Ok(Vec::new())
    }

    /// Its own keys of a `state` object, as a reader may know them. Whoever holds the whole position is no reader, and what
    /// `read_state` has read comes back to him.
    fn write_state(
        &self,
        _game: &Game,
        _access: &Access<'_>,
    ) -> serde_json::Map<String, serde_json::Value> {
        serde_json::Map::new()
    }

    /// What happened step by step, in its own vocabulary: objects `{"step": …, …}`. `before` is the game when the phase was
    /// adjudicated, `after` as it then stood in the next.
    fn steps(&self, _before: &Game, _after: &Game, _access: &Access<'_>) -> Vec<serde_json::Value> {
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

/// Where in a variant's year the phases stand that are called by a name: each with its turn. What asks nobody is called by
/// no name of its own.
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

/// Holds the trait to being usable behind a pointer.
const _: fn(&dyn Variant) = |_| {};
