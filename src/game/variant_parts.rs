//! What few variants need: parts that a variant returns where it has them. Callers ask the variant itself (`impl dyn Variant`
//! below), which answers by its part or as the standard game does.

use super::overrule::Overruled;
use super::project::{Sight, ToldGame};
use super::requirements::Pending;
use super::{
    Access, Adjudicated, Begins, Card, CommandEffects, Considered, Course, Described, Dice, Effect,
    Event, Game, Hidden, LeaderNeed, Pace, Phase, Refusal, Seating, Section, Settings, Submissions,
    Variant,
};
use crate::data_error::DataError;
use dipjudge_grammar::Line;
use dipjudge_rules::calendar::Turn;
use dipjudge_rules::map::{Map, Power, PowerInfo};
use dipjudge_rules::orders::{Illegal, OrderSheet, Overlay};
use dipjudge_rules::position::{Dislodged, Unit};

/// How players come to a table of a variant that differs in it.
pub trait Enrolment: Course {
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
}

/// Powers that a game of a variant begins and goes on without.
pub trait OptionalPowers: Course {
    /// Whether a game needs a leader for a power. Default: for all of them. A closed power is never in play.
    fn need(&self, _power: Power, _settings: &Settings) -> LeaderNeed {
        LeaderNeed::Required
    }

    /// Whether a draw needs the vote of a power that takes part; all powers that take part share it.
    fn draw_needs(&self, _game: &Game, _power: Power) -> bool {
        true
    }
}

/// A calendar of a variant's own.
pub trait OwnCalendar: Course {
    /// The clock's rules for its games, if they have a calendar of their own; otherwise the options decide.
    fn pace(&self, _settings: &Settings) -> Option<Pace> {
        None
    }

    /// The turn after a turn.
    fn next_turn(&self, turn: Turn) -> Turn {
        turn.next()
    }

    /// What players call the turn: `Spring of 1901`.
    fn date(&self, turn: Turn) -> String {
        usual::date(turn)
    }
}

/// A variant's checks of common orders.
pub trait OrderChecks: Submissions {
    /// Checks a common order that is legal by the common rules: it may add notes, change the effect, or refuse it.
    fn reconsider(&self, effect: Effect, _sight: &Sight) -> Result<Considered, Refusal> {
        Ok(usual::considered(effect))
    }

    /// A whole sentence for an illegal order, where the common sentence would not fit.
    fn objection(&self, _illegal: &Illegal, _sight: &Sight) -> Option<String> {
        None
    }

    /// Notes on a power's orders as they are at the end of its mail; none of them is an error.
    fn order_warnings(&self, _sight: &Sight) -> Vec<String> {
        Vec::new()
    }

    /// Builds and removals that a power still owes, if its rules take them by lines of their own. Otherwise the common orders are
    /// counted.
    fn pending(&self, _game: &ToldGame<'_>, _power: Power) -> Option<Pending> {
        None
    }
}

/// What masters overrule beside the board.
pub trait OwnOverruling: Described {
    /// A master's change of something that the variant keeps beside the board, in a line that its grammar adds to the rule
    /// `overrule-what`. It reads everything unsealed, so neither a refusal nor the public text may depend on what is hidden from
    /// masters.
    fn overrule(
        &self,
        _line: &Line,
        _game: &Game,
        _access: &Access<'_>,
    ) -> Result<Overruled, Refusal> {
        Err(usual::nothing_to_overrule(self.card()))
    }

    /// Consequences of all that a master has overruled in one mail, given the game before the first change and after the last.
    /// Default: nothing.
    fn after_overruling(&self, _before: &Game, _now: &Game) -> CommandEffects {
        CommandEffects::default()
    }
}

/// What a variant changes in movement and retreats.
pub trait OwnMovement: Described {
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
}

/// Its part of a position in the saved-game format.
pub trait Interchange: Course {
    /// The powers of a position that is read from a file, which names them by these keys (each once, in alphabetical order).
    /// Default: those of a full table; where any number may play, players name their powers, so the keys are the powers.
    fn powers_named(
        &self,
        map: &Map,
        keys: &dyn Fn() -> Vec<String>,
        settings: &Settings,
    ) -> Vec<PowerInfo> {
        usual::powers_named(self, map, keys, settings)
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
    ) -> Result<Vec<Event>, DataError> {
        Ok(Vec::new())
    }

    /// Its own keys of a `state` object, to the extent of a reader's knowledge. A caller who holds the whole position is not a
    /// reader, and gets back what `read_state` has read.
    fn write_state(&self, _game: &ToldGame<'_>) -> serde_json::Map<String, serde_json::Value> {
        serde_json::Map::new()
    }

    /// The steps of a phase, in its own vocabulary: objects `{"step": …, …}`. `before` is the game when the phase was
    /// adjudicated, `after` the game in the next phase.
    fn steps(&self, _before: &ToldGame<'_>, _after: &ToldGame<'_>) -> Vec<StepJson> {
        Vec::new()
    }
}

/// A step of a phase, as the text of a JSON object: steps that name all units are too large to be made as values first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepJson(String);

impl StepJson {
    /// An object that is written already.
    pub fn written(object: String) -> StepJson {
        StepJson(object)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<serde_json::Value> for StepJson {
    fn from(object: serde_json::Value) -> StepJson {
        StepJson(object.to_string())
    }
}

impl<'v> dyn Variant + 'v {
    /// Whether it hides parts of its board, whether or not the game is BLIND.
    pub(super) fn hides_board(&self, game: &Game) -> bool {
        self.hides(game).contains(&Hidden::Board)
    }

    /// Whether its readers may not know which others exist.
    pub fn hides_existence(&self, game: &Game) -> bool {
        self.hides(game).contains(&Hidden::Existence)
    }

    /// Whether one power may write to another; a broadcast reaches those to whom its sender may write. Where readers have labels
    /// of their own, those whom the sender may address; where it is hidden who exists, nobody else.
    pub fn may_press(&self, game: &Game, from: Power, to: Power) -> bool {
        match self.own_labels() {
            Some(own) => own.contacts(game, from).contains(&to),
            None => !self.hides_existence(game),
        }
    }

    /// When a forming game begins.
    pub fn begins(&self, settings: &Settings) -> Begins {
        let own = self.enrolment();
        own.map_or(Begins::WhenFull, |own| own.begins(settings))
    }

    /// How many must have signed on for a game that begins at a date.
    pub fn candidates_needed(&self, map: &Map, settings: &Settings) -> usize {
        match self.enrolment() {
            Some(own) => own.candidates_needed(map, settings),
            None => *self.players(map).start(),
        }
    }

    /// Whether there is a stand-by list.
    pub fn has_stand_by(&self, settings: &Settings) -> bool {
        let own = self.enrolment();
        own.is_some_and(|own| own.has_stand_by(settings))
    }

    /// The powers with their leaders and the stand-by list, if they are not dealt.
    pub fn roster(&self, game: &Game) -> Option<Seating> {
        self.enrolment()?.roster(game)
    }

    /// What LIST prints about a forming table.
    pub(super) fn forming_tables(&self, game: &ToldGame<'_>) -> Vec<Section> {
        let own = self.enrolment();
        own.map_or_else(Vec::new, |own| own.forming_tables(game))
    }

    /// Whether a game needs a leader for a power.
    pub(super) fn need(&self, power: Power, settings: &Settings) -> LeaderNeed {
        let own = self.optional_powers();
        own.map_or(LeaderNeed::Required, |own| own.need(power, settings))
    }

    /// Whether a draw needs the vote of a power that takes part.
    pub(super) fn draw_needs(&self, game: &Game, power: Power) -> bool {
        let own = self.optional_powers();
        own.is_none_or(|own| own.draw_needs(game, power))
    }

    /// The clock's rules for its games, if they have a calendar of their own.
    pub(super) fn pace(&self, settings: &Settings) -> Option<Pace> {
        self.calendar()?.pace(settings)
    }

    /// The turn after a turn.
    pub fn next_turn(&self, turn: Turn) -> Turn {
        let own = self.calendar();
        own.map_or_else(|| turn.next(), |own| own.next_turn(turn))
    }

    /// What players call the turn: `Spring of 1901`.
    pub fn date(&self, turn: Turn) -> String {
        let own = self.calendar();
        own.map_or_else(|| usual::date(turn), |own| own.date(turn))
    }

    /// Checks a common order that is legal by the common rules.
    ///
    /// # Errors
    /// If the variant refuses it.
    pub fn reconsider(&self, effect: Effect, sight: &Sight) -> Result<Considered, Refusal> {
        match self.order_checks() {
            Some(own) => own.reconsider(effect, sight),
            None => Ok(usual::considered(effect)),
        }
    }

    /// A whole sentence for an illegal order, where the common sentence would not fit.
    pub fn objection(&self, illegal: &Illegal, sight: &Sight) -> Option<String> {
        self.order_checks()?.objection(illegal, sight)
    }

    /// Notes on a power's orders as they are at the end of its mail.
    pub fn order_warnings(&self, sight: &Sight) -> Vec<String> {
        let own = self.order_checks();
        own.map_or_else(Vec::new, |own| own.order_warnings(sight))
    }

    /// Builds and removals that a power still owes by lines of the variant's own.
    pub(super) fn pending(&self, game: &ToldGame<'_>, power: Power) -> Option<Pending> {
        self.order_checks()?.pending(game, power)
    }

    /// A master's change of something that the variant keeps beside the board.
    pub(super) fn overrule(
        &self,
        line: &Line,
        game: &Game,
        access: &Access<'_>,
    ) -> Result<Overruled, Refusal> {
        match self.overruling() {
            Some(own) => own.overrule(line, game, access),
            None => Err(usual::nothing_to_overrule(self.card())),
        }
    }

    /// Consequences of all that a master has overruled in one mail.
    pub(super) fn after_overruling(&self, before: &Game, now: &Game) -> CommandEffects {
        let own = self.overruling();
        own.map_or_else(CommandEffects::default, |own| {
            own.after_overruling(before, now)
        })
    }

    /// The result of a movement, retreat or adjustment phase that it adjudicates itself.
    pub(super) fn adjudicate(
        &self,
        game: &Game,
        phase: &Phase,
        dice: Dice,
        access: &Access<'_>,
    ) -> Option<Adjudicated> {
        self.movement()?.adjudicate(game, phase, dice, access)
    }

    /// Borders and strongholds laid over the map this turn.
    pub fn overlay(&self, game: &Game) -> Overlay {
        let own = self.movement();
        own.map_or_else(Overlay::default, |own| own.overlay(game))
    }

    /// Edits the order sheet before movement is adjudicated.
    pub(super) fn amend_orders(
        &self,
        game: &Game,
        sheet: &mut OrderSheet,
        dice: Dice,
        access: &Access<'_>,
    ) {
        if let Some(own) = self.movement() {
            own.amend_orders(game, sheet, dice, access);
        }
    }

    /// Where dislodged units may retreat to.
    pub(super) fn amend_retreats(&self, game: &Game, options: &mut [Dislodged], dice: Dice) {
        if let Some(own) = self.movement() {
            own.amend_retreats(game, options, dice);
        }
    }

    /// The powers of a position that is read from a file, which names them by these keys.
    pub fn powers_named(
        &self,
        map: &Map,
        keys: &dyn Fn() -> Vec<String>,
        settings: &Settings,
    ) -> Vec<PowerInfo> {
        match self.interchange() {
            Some(own) => own.powers_named(map, keys, settings),
            None => usual::powers_named(self, map, keys, settings),
        }
    }

    /// Whether a unit of the board is among the `units` of a `state` object.
    pub fn is_saved_as_unit(&self, unit: &Unit) -> bool {
        let own = self.interchange();
        own.is_none_or(|own| own.is_saved_as_unit(unit))
    }

    /// Reads its own keys of a `state` object.
    ///
    /// # Errors
    /// A sentence about what cannot be read.
    pub fn read_state(
        &self,
        keys: &serde_json::Map<String, serde_json::Value>,
        game: &Game,
    ) -> Result<Vec<Event>, DataError> {
        let own = self.interchange();
        own.map_or_else(|| Ok(Vec::new()), |own| own.read_state(keys, game))
    }

    /// Its own keys of a `state` object.
    pub(super) fn write_state(
        &self,
        game: &ToldGame<'_>,
    ) -> serde_json::Map<String, serde_json::Value> {
        let own = self.interchange();
        own.map_or_else(serde_json::Map::new, |own| own.write_state(game))
    }

    /// The steps of a phase, in its own vocabulary.
    pub(super) fn steps(&self, before: &ToldGame<'_>, after: &ToldGame<'_>) -> Vec<StepJson> {
        let own = self.interchange();
        own.map_or_else(Vec::new, |own| own.steps(before, after))
    }
}

/// What is so in the standard game.
mod usual {
    use super::{Card, Considered, Course, Effect, Map, PowerInfo, Refusal, Settings, Turn};

    pub(super) fn date(turn: Turn) -> String {
        format!("{} of {}", turn.season, turn.year)
    }

    pub(super) fn considered(effect: Effect) -> Considered {
        Considered {
            effects: vec![effect],
            notes: Vec::new(),
        }
    }

    pub(super) fn nothing_to_overrule(card: &Card) -> Refusal {
        format!("{} has nothing of its own to overrule.", card.title).into()
    }

    pub(super) fn powers_named<V: Course + ?Sized>(
        variant: &V,
        map: &Map,
        keys: &dyn Fn() -> Vec<String>,
        settings: &Settings,
    ) -> Vec<PowerInfo> {
        let players = variant.players(map);
        if players.start() == players.end() {
            return variant.powers(map, *players.end(), settings);
        }
        let called = |key: String| PowerInfo {
            name: key.clone(),
            adjective: key.clone(),
            key,
            letter: None,
        };
        keys().into_iter().map(called).collect()
    }
}
