//! What a variant may change.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::project::Sight;
use super::requirements::Requirements;
use super::{
    Considered, Dice, Effect, Ending, Event, Game, OwnLabels, Pace, Phase, SeatId, Settings,
    VariantCommand,
};
use crate::adjudicator::Allowances;
use crate::calendar::{Season, Turn};
use crate::grammar::Line;
use crate::map::{Map, Power, PowerInfo, Province};
use crate::orders::{Illegal, OrderSheet, Overlay, VariantData};
use crate::position::{Dislodged, Position, Unit, UnitId};
use crate::view::Viewer;

/// A setting that a variant registers (README, Decided 10): read by `SET name value`, shown by LIST.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Its name, in lower case with hyphens.
    pub name: &'static str,
    /// Its value where nobody set it.
    pub default: &'static str,
    /// The values it may have; any if empty.
    pub values: &'static [&'static str],
}

impl Setting {
    /// What it is in a game.
    pub fn of<'g>(&self, game: &'g Game) -> &'g str {
        let set = game.settings.own.get(self.name);
        set.map_or(self.default, String::as_str)
    }

    /// Whether it has this value in a game.
    pub fn is(&self, game: &Game, value: &str) -> bool {
        self.of(game) == value
    }
}

/// What a power wins by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Winning {
    /// How many, unless the master sets another number.
    pub number: u32,
    /// Of what.
    pub tally: Tally,
}

/// What is counted towards victory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tally {
    /// Centers owned. Where two powers are level at the winning number, it rises.
    Centers,
    /// Units on the board.
    Units,
}

impl Tally {
    /// `centers`, `units`.
    pub fn noun(self) -> &'static str {
        match self {
            Tally::Centers => "centers",
            Tally::Units => "units",
        }
    }
}

/// What a reader has in sight, where not the whole board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Horizon {
    /// Provinces whose units and owners are seen.
    pub provinces: std::collections::BTreeSet<Province>,
    /// Units that are seen wherever they stand: what a variant shows beyond the provinces.
    pub glimpsed: std::collections::BTreeSet<UnitId>,
}

impl Horizon {
    /// Whether a unit is in sight.
    pub fn shows(&self, unit: &Unit) -> bool {
        self.provinces.contains(&unit.at.province) || self.glimpsed.contains(&unit.id)
    }
}

/// What a variant may change. Every default is the standard rule, so that a variant states only its differences.
/// The headings follow a game's life. Hooks are handed the time's game and its dice; they know no clock and no mail.
pub trait Variant: Sync {
    // Its name and its words ------------------------------------------------

    /// The name players type, as in `CREATE ?ur pw bridge` and `GET rules.bridge`.
    fn name(&self) -> &'static str;

    /// Other names that are read as this one.
    fn aliases(&self) -> &'static [&'static str] {
        &[]
    }

    /// What it is called in headings: `Standard`.
    fn title(&self) -> &'static str;

    /// What the opening mail says that a game is of.
    fn called(&self) -> &'static str {
        self.title()
    }

    /// Its rules page: `rules.md` of its folder.
    fn rules(&self) -> &'static str;

    /// The lines it understands beyond the common ones: its file in `grammar/`.
    fn grammar(&self) -> &'static str {
        ""
    }

    /// Commands that it adds to those of every game.
    fn commands(&self) -> &'static [VariantCommand] {
        &[]
    }

    /// Its own settings.
    fn settings(&self) -> &'static [Setting] {
        &[]
    }

    // Before the first turn -------------------------------------------------

    /// Its own map, unless the game names another.
    fn map(&self) -> &'static str {
        "standard"
    }

    /// What it lays over the map for good, whichever map that is: lines of a map file (`src/map/README.md`).
    fn places(&self) -> &'static str {
        ""
    }

    /// How many may play.
    fn players(&self, map: &Map) -> RangeInclusive<usize> {
        map.powers().len()..=map.powers().len()
    }

    /// The powers, and the roles without units, when so many play.
    fn powers(&self, map: &Map, _players: usize, _settings: &Settings) -> Vec<PowerInfo> {
        map.powers().to_vec()
    }

    /// The powers with their leaders, where players bring their powers along; otherwise `powers` are dealt.
    fn roster(&self, _game: &Game) -> Option<Vec<(PowerInfo, SeatId)>> {
        None
    }

    /// What LIST tells of a table that is forming, all of it public: names chosen so far. A heading and lines each.
    fn forming_tables(&self, _game: &Game) -> Vec<(String, Vec<String>)> {
        Vec::new()
    }

    /// Who starts where.
    fn set_up(
        &self,
        map: &Map,
        _powers: &[PowerInfo],
        _settings: &Settings,
        _dice: Dice,
    ) -> (Position, VariantData) {
        (start_of(map), VariantData::default())
    }

    // The order of play -----------------------------------------------------

    /// The sort of phase that clock and press take a phase for: builds that open a game may be given the time of moves.
    fn timed_as(&self, _turn: Turn, phase: &Phase) -> Phase {
        phase.clone()
    }

    /// How the clock treats its games, where they have a calendar of their own; otherwise their options say so.
    fn pace(&self, _settings: &Settings) -> Option<Pace> {
        None
    }

    /// The turn in which a game begins.
    fn first_turn(&self) -> Turn {
        Turn {
            year: 1901,
            season: Season::Spring,
        }
    }

    /// The turn after a turn.
    fn next_turn(&self, turn: Turn) -> Turn {
        turn.next()
    }

    /// The phases of a turn.
    fn order_of_play(&self, turn: Turn) -> Vec<Phase> {
        Phase::standard(turn)
    }

    /// What players call the turn: `Spring of 1901`.
    fn date(&self, turn: Turn) -> String {
        format!("{} of {}", turn.season, turn.year)
    }

    // Its own lines ----------------------------------------------------------

    /// What of its own state a power's lines are considered by; it comes to `read` as `Sight::own`. Default: nothing.
    fn visible_state(&self, _game: &Game, _power: Power) -> VariantData {
        VariantData::default()
    }

    /// One of its own lines, held against what its sender sees; the error is sentences for the sender.
    fn read(&self, _line: &Line, _sight: &Sight) -> Result<Considered, Vec<String>> {
        Err(vec![
            "This line is not an order of this variant.".to_owned(),
        ])
    }

    /// A word on an order of every game that is legal by the common rules: notes added, the effect changed, or sentences
    /// that refuse it.
    fn reconsider(&self, effect: Effect, _sight: &Sight) -> Result<Considered, Vec<String>> {
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

    /// What a power has submitted of the variant's own, line by line, as it could send it again: shown below its orders to
    /// that power itself, and to masters as far as the variant does not seal it from them.
    fn submitted(&self, _game: &Game, _power: Power, _viewer: Viewer) -> Vec<String> {
        Vec::new()
    }

    /// Whether a line that a power has stored for a later phase is sealed from masters.
    fn seals(&self, _line: &str) -> bool {
        false
    }

    /// Whether what powers submit stays sealed from the others beyond the phase for which they did: bids that are revealed a
    /// year later.
    fn seals_beyond_phase(&self) -> bool {
        false
    }

    /// Takes out of a copy of the game what is sealed from its masters, before PREDICT plays the copy on; what a master
    /// should know of that, in a sentence.
    fn seal(&self, _game: &mut Game) -> Option<String> {
        None
    }

    // Amendments: the engine prepares the standard case, the variant edits it --

    /// What the phase wants from whom. A phase that asks nobody runs at once.
    fn amend_requirements(&self, _game: &Game, _requirements: &mut Requirements) {}

    /// Borders and strongholds laid over the map this turn; consulted when an order is checked and again when it is
    /// adjudicated.
    fn overlay(&self, _game: &Game) -> Overlay {
        Overlay::default()
    }

    /// The last word on the order sheet before movement is adjudicated.
    fn amend_orders(&self, _game: &Game, _sheet: &mut OrderSheet, _dice: Dice) {}

    /// Where dislodged units may retreat to.
    fn amend_retreats(&self, _game: &Game, _options: &mut [Dislodged], _dice: Dice) {}

    /// Who owns which center after a Fall.
    fn amend_owners(&self, _game: &Game, _owners: &mut BTreeMap<Province, Power>) {}

    /// Builds and removals due, and where and what may be built.
    fn amend_allowances(&self, _game: &Game, _allowances: &mut Allowances) {}

    // Its own doings ---------------------------------------------------------

    /// Plays a `Phase::Own` of its order of play: at once where it asks nobody, otherwise when it is adjudicated. What
    /// follows from an ordinary phase (a marker lost, a reckoning) is such a phase behind it that asks nobody. A variant that
    /// lists no such phase is never asked.
    fn play(&self, _phase: &str, _game: &Game, _dice: Dice) -> Vec<Event> {
        Vec::new()
    }

    // The end ----------------------------------------------------------------

    /// What a power wins by.
    fn winning(&self) -> Winning {
        Winning {
            number: 18,
            tally: Tally::Centers,
        }
    }

    /// Asked after every phase, its own included; none while the game goes on.
    fn ending(&self, game: &Game, after: &Phase) -> Option<Ending> {
        if *after != Phase::Ownership {
            return None;
        }
        let number = game.winning_number(self.winning());
        let leaders = game.powers_with_centers(number as usize);
        (leaders.len() == 1).then_some(Ending::Won(leaders))
    }

    // What each may see ------------------------------------------------------

    /// Whether it may be played BLIND, with the fog of `game::horizon` over its board. Only a variant that keeps nothing on
    /// the board but units and centers can say yes: its sections and tables know no fog.
    fn blind(&self) -> bool {
        false
    }

    /// The provinces in sight; `None` is the whole board (unless the game is BLIND). No default: each variant says so
    /// itself. To be asked through `game::horizon` alone.
    fn horizon(&self, game: &Game, viewer: Viewer) -> Option<Horizon>;

    /// Whether some of its readers are not to know who else exists, be it only how many.
    fn hides_existence(&self, _game: &Game) -> bool {
        false
    }

    /// Names that this reader must not find in what the judge writes: searched for once more before a mail leaves.
    fn hidden_names(&self, _game: &Game, _viewer: Viewer) -> Vec<String> {
        Vec::new()
    }

    /// By what labels its readers call the powers, where not all call them by one name.
    fn own_labels(&self) -> Option<&dyn OwnLabels> {
        None
    }

    /// Whether one power may write to another.
    fn may_press(&self, _game: &Game, _from: Power, _to: Power) -> bool {
        true
    }

    /// Sections for the report of the phase last adjudicated: a heading and lines each.
    fn report(&self, _game: &Game, _viewer: Viewer) -> Vec<(String, Vec<String>)> {
        Vec::new()
    }

    /// How things of its own stand, for LIST, `show` and the opening report: a heading and lines each.
    fn tables(&self, _game: &Game, _viewer: Viewer) -> Vec<(String, Vec<String>)> {
        Vec::new()
    }

    // Interchange ------------------------------------------------------------

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

    /// Its own keys of a `state` object, as a viewer may know them.
    fn write_state(
        &self,
        _game: &Game,
        _viewer: Viewer,
    ) -> serde_json::Map<String, serde_json::Value> {
        serde_json::Map::new()
    }

    /// All of its own keys, for whoever holds the whole position: what `read_state` has read comes back. Default: what a
    /// master sees; a variant that seals things from masters adds them.
    fn write_whole_state(&self, game: &Game) -> serde_json::Map<String, serde_json::Value> {
        self.write_state(game, Viewer::Master)
    }

    /// What happened step by step, in its own vocabulary: objects `{"step": …, …}`. `before` is the game when the phase was
    /// adjudicated, `after` as it then stood in the next; no viewer is whoever may know everything.
    fn steps(
        &self,
        _before: &Game,
        _after: &Game,
        _viewer: Option<Viewer>,
    ) -> Vec<serde_json::Value> {
        Vec::new()
    }
}

/// The opening position of a map: its units in the order of the map file, each power owning its homes.
pub(super) fn start_of(map: &Map) -> Position {
    let mut position = Position::default();
    for (power, kind, at) in map.start() {
        position.units.push(Unit {
            id: position.free_id(),
            power: *power,
            kind: *kind,
            at: *at,
        });
    }
    for power in (0..map.powers().len()).map(|index| Power(index as u8)) {
        position
            .owners
            .extend(map.homes(power).iter().map(|home| (*home, power)));
    }
    position
}

/// Holds the trait to being usable behind a pointer.
const _: fn(&dyn Variant) = |_| {};
