//! The phases: which steps are played when, on a game (3.1).

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use super::board::{Board, Draws, HalfYear};
use super::names::Flavor;
use super::news::{Loss, News, PrivateNews, Step};
use super::report::is_leaked;
use super::rules::Rules;
use super::slots::SubmissionLifetime;
use super::state::{Borg, Herds, SillyState, Tardis};
use super::steps::SeasonInPlay;
use super::{DOCTOR, RatherSilly, order_text, slots};
use crate::data_of;
use dipjudge_game::planted::{Leak, planted};
use dipjudge_game::project::{Sight, ToldGame};
use dipjudge_game::{
    Access, Adjudicated, Adjusted, Adjustment, Dice, Ending, Event, Game, KeptState, LeaderNeed,
    Outcome, OwnPhase, Phase, Sealed, StateKey,
};
use dipjudge_rules::adjudicator::Mark;
use dipjudge_rules::calendar::{Season, Turn};
use dipjudge_rules::map::Power;
use dipjudge_rules::orders::VariantData;
use dipjudge_rules::position::Position;
use dipjudge_view::Viewer;

/// Winter 1900: herds are put down.
pub(super) const HERDS: OwnPhase = OwnPhase {
    name: "Llamas",
    season: None,
    letter: 'A',
};
/// Summer: the question is answered, the LINK voted on, free units are built.
pub(super) const SUMMER: OwnPhase = OwnPhase {
    name: "Summer",
    season: Some(Season::Summer),
    letter: 'A',
};
/// Monsters arrive; in Autumn the centers are counted.
pub(super) const AFTERMATH: &str = "aftermath";

/// The order of play of a turn.
pub(super) fn order_of_play(turn: Turn) -> Vec<Phase> {
    let own = |name: &str| Phase::Own(name.to_owned());
    match turn.season {
        Season::Spring => vec![
            Phase::Movement,
            Phase::Retreats,
            own(AFTERMATH),
            own(SUMMER.name),
        ],
        Season::Fall => vec![Phase::Movement, Phase::Retreats, own(AFTERMATH)],
        Season::Winter if turn.year < 1901 => vec![own(HERDS.name)],
        Season::Winter => vec![Phase::Adjustments],
        Season::Summer => Vec::new(),
    }
}

fn half(turn: Turn) -> HalfYear {
    match turn.season {
        Season::Spring | Season::Summer => HalfYear::Spring,
        Season::Fall | Season::Winter => HalfYear::Autumn,
    }
}

/// The season that a turn belongs to, as draws name it: `S1903`, `F1903`.
fn season(turn: Turn) -> String {
    let letter = match half(turn) {
        HalfYear::Spring => 'S',
        HalfYear::Autumn => 'F',
    };
    format!("{letter}{}", turn.year)
}

impl Board<'static> {
    /// The board of a game, without herds.
    pub(super) fn of(game: &Game) -> Board<'static> {
        Board {
            map: game.map(),
            position: game.position.clone(),
            state: SillyState::of(game),
            herds: BTreeMap::new(),
            step: Step::default(),
        }
    }

    /// The same with the units as they stood when the season began.
    pub(super) fn at_start(&self) -> Board<'static> {
        let mut board = self.clone();
        board.position.units.clone_from(&self.state.season.start);
        board.position.dislodged.clear();
        board
    }

    /// The board of a game, with the herds that the access opens.
    pub(super) fn opened(game: &Game, access: &Access<'_>) -> Board<'static> {
        let board = Board::of(game);
        Board {
            herds: board.state.herds(access),
            ..board
        }
    }

    /// The board as far as it may be told, with the herds that are open.
    pub(super) fn as_told(game: &ToldGame<'_>) -> Board<'static> {
        let state = game.state(&RatherSilly);
        Board {
            map: game.map(),
            position: game.position().into_owned(),
            herds: state.herds(game.access()),
            state,
            step: Step::default(),
        }
    }

    /// The state as it is kept.
    pub(super) fn kept(mut self) -> Event {
        self.state.herds = sealed(self.herds);
        self.state.kept()
    }
}

/// Herds as they are kept: powers without herds are left out.
fn sealed(herds: BTreeMap<Power, Herds>) -> BTreeMap<Power, Sealed<Herds>> {
    let left = herds.into_iter().filter(|(_, herds)| !herds.is_empty());
    left.map(|(power, herds)| (power, Sealed::new(herds)))
        .collect()
}

/// The state with the herds, as a game keeps it.
#[derive(Serialize)]
struct KeptSilly<'s> {
    #[serde(flatten)]
    state: &'s SillyState,
    herds: BTreeMap<Power, &'s Herds>,
}

impl SillyState {
    /// That of a game.
    pub(super) fn of(game: &Game) -> SillyState {
        game.state::<RatherSilly>()
    }

    /// The same, for what only looks at it.
    fn known(game: &Game) -> Cow<'_, SillyState> {
        game.known_state::<RatherSilly>()
    }

    /// The herds that this opens.
    pub(super) fn herds(&self, access: &Access<'_>) -> BTreeMap<Power, Herds> {
        let all = self.herds.iter();
        let open = all.filter_map(|(power, herds)| {
            let herds = herds.open(&slots::HERD, *power, access)?;
            Some((*power, herds.clone()))
        });
        open.collect()
    }

    /// What a reader may know of it: no answers that are accepted before the question closes, and of what single seats are told
    /// his own. Herds are sealed.
    pub(super) fn opened(mut self, access: &Access<'_>) -> SillyState {
        let Some(reader) = access.reader() else {
            return self;
        };
        if let Some(question) = &mut self.question
            && !planted(Leak::Accepted)
        {
            question.accepted.clear();
        }
        for step in &mut self.steps {
            step.private
                .retain(|(seat, what)| reader == Viewer::Power(*seat) || is_leaked(what));
        }
        self
    }

    /// As a game keeps it.
    pub(super) fn kept_state(self) -> KeptState {
        KeptState::of(self, SillyState::written)
    }

    fn written(&self, key: &StateKey) -> VariantData {
        let herds = self.herds.iter();
        let herds = herds.map(|(power, herds)| (*power, key.written(herds)));
        data_of(&KeptSilly {
            state: self,
            herds: herds.collect(),
        })
    }

    /// As it is kept.
    pub(super) fn kept(self) -> Event {
        Event::Data {
            data: self.kept_state(),
        }
    }
}

/// The seats that somebody fills; in a position from outside, where nobody is known to lead anything, all.
pub(super) fn seats(game: &Game) -> BTreeSet<Power> {
    let all = || game.all_powers();
    if all().all(|power| game.holder(power).is_none()) {
        return all().collect();
    }
    all()
        .filter(|power| !game.standing(*power).vacant())
        .collect()
}

/// Whether the DOCTOR's seat is filled: without him there is no TARDIS.
fn has_doctor(game: &Game) -> bool {
    seats(game).contains(&DOCTOR)
}

/// Plays steps of the season on the board of a game: what happens in them is told beside what is told already.
fn with_season<T>(
    game: &Game,
    dice: Dice,
    access: &Access<'_>,
    play: impl FnOnce(&SeasonInPlay<'_>, &mut Board<'static>) -> T,
) -> (Board<'static>, T) {
    let mut board = Board::opened(game, access);
    let ruled = board.state.season.ruled.clone();
    let everybody = slots::everybody(game, access);
    let (rules, seats) = (Rules::of(&game.settings), seats(game));
    let (season, made) = (season(game.turn), RefCell::default());
    let playing = SeasonInPlay {
        rules: &rules,
        everybody: &everybody,
        seats: &seats,
        ruled: &ruled,
        draws: Draws {
            dice,
            season: &season,
            made: &made,
        },
        half: half(game.turn),
        year: u16::try_from(game.turn.year).unwrap_or(u16::MAX),
    };
    let came = play(&playing, &mut board);
    (board, came)
}

/// A movement, retreat or adjustment phase.
pub(super) fn adjudicate(
    game: &Game,
    phase: &Phase,
    dice: Dice,
    access: &Access<'_>,
) -> Option<Adjudicated> {
    match phase {
        Phase::Movement => Some(movement(game, dice, access)),
        Phase::Retreats => Some(retreats(game, dice, access)),
        Phase::Adjustments => Some(winter(game, dice, access)),
        _ => None,
    }
}

/// Steps 1 to 6.
fn movement(game: &Game, dice: Dice, access: &Access<'_>) -> Adjudicated {
    let (board, moved) = with_season(game, dice, access, |season, board| {
        board.state.steps.clear();
        if board.state.tardis == Tardis::None && has_doctor(game) {
            board.state.tardis = Tardis::Hyperspace;
        }
        let moved = season.movement(board);
        season.merge(board);
        season.run_souls_down(board);
        season.sell_souls(board);
        season.feed_borg(board);
        season.explode(board);
        super::retreats::note_options(board);
        season.publish_question(board);
        moved
    });
    let before = Board::of(game);
    let names = Flavor::of(&game.settings).names();
    let outcomes = game.position.units.iter().map(|unit| {
        let told = moved.orders.sheet.order(unit.id);
        let mut all = Outcome {
            unit: *unit,
            action: Some(order_text::action(&before, names, told)),
            marks: Vec::new(),
            reason: None,
        };
        // The adjudicator plays the solid units alone.
        if super::is_solid(unit.kind)
            && let Some(outcome) = moved.resolution.outcome(unit.id)
        {
            all.marks = outcome.marks.iter().collect();
            all.reason = outcome.reason.clone();
        }
        all
    });
    let (outcomes, position) = (outcomes.collect(), board.position.clone());
    let mut events = vec![board.kept()];
    events.extend(forget(game, SubmissionLifetime::Movement, access));
    Adjudicated {
        outcomes,
        position,
        events,
        contradiction: moved.resolution.contradiction,
        ..Adjudicated::default()
    }
}

/// Step 7.
fn retreats(game: &Game, dice: Dice, access: &Access<'_>) -> Adjudicated {
    let (board, ()) = with_season(game, dice, access, |season, board| {
        board.state.steps.clear();
        season.retreat(board);
    });
    let outcomes = game.position.dislodged.iter().map(|one| {
        let lost = board.unit(one.unit.id).is_none();
        let order = game.standing(one.unit.power).orders.units.get(&one.unit.id);
        Outcome {
            unit: one.unit,
            action: order.cloned(),
            marks: lost.then_some(Mark::Disband).into_iter().collect(),
            reason: None,
        }
    });
    let (outcomes, position) = (outcomes.collect(), board.position.clone());
    let mut events = vec![board.kept()];
    events.extend(forget(game, SubmissionLifetime::Retreats, access));
    Adjudicated {
        outcomes,
        position,
        events,
        ..Adjudicated::default()
    }
}

/// Steps 9 to 11, and the end of the season.
fn winter(game: &Game, dice: Dice, access: &Access<'_>) -> Adjudicated {
    let (mut board, winners) = with_season(game, dice, access, |season, board| {
        board.state.steps.clear();
        season.adjust(board);
        let winners = season.winners(board);
        if winners.is_empty() {
            season.question(board);
            super::winter::count_out(board);
            season.vote(board);
        }
        winners
    });
    board.state.winners = winners;
    let adjusted = adjusted(&board.state.steps);
    let position = board.position.clone();
    let mut events = vec![board.kept()];
    events.extend(forget(game, SubmissionLifetime::Year, access));
    Adjudicated {
        position,
        adjusted,
        events,
        ..Adjudicated::default()
    }
}

/// Removals and builds of Winter, as those of every game are told.
fn adjusted(steps: &[Step]) -> Vec<Adjusted> {
    let winter = steps.iter().filter(|step| step.number == 9);
    let told = |step: &Step| {
        let lost = step.lost.iter().map(|lost| Adjusted {
            power: lost.unit.power,
            what: match lost.how {
                Loss::Defaulted => Adjustment::Defaulted(lost.unit),
                _ => Adjustment::Removed(lost.unit),
            },
        });
        let built = step.news.iter().filter_map(|news| match news {
            News::Built(unit) => Some(Adjusted {
                power: unit.power,
                what: Adjustment::Built(*unit),
            }),
            _ => None,
        });
        lost.chain(built).collect::<Vec<_>>()
    };
    let mut all: Vec<Adjusted> = winter.flat_map(told).collect();
    all.sort_by_key(|adjusted| adjusted.power);
    all
}

/// Removes the submissions that are used up by now.
fn forget(game: &Game, now: SubmissionLifetime, access: &Access<'_>) -> Vec<Event> {
    let names = |power: Power| {
        let names = game.lasting_submissions(power, access).into_keys();
        let names: Vec<String> = names
            .filter(|name| slots::lifetime(name) <= now)
            .map(str::to_owned)
            .collect();
        names.into_iter().map(move |name| Event::Submitted {
            power,
            name,
            data: None,
            lasting: true,
        })
    };
    game.all_powers().flat_map(names).collect()
}

/// A phase of its own.
pub(super) fn play(phase: &str, game: &Game, dice: Dice, access: &Access<'_>) -> Vec<Event> {
    if phase == HERDS.name {
        return put_herds(game, access);
    }
    let (mut board, winners) = with_season(game, dice, access, |season, board| {
        if phase == SUMMER.name {
            board.state.steps.clear();
            season.question(board);
            season.vote(board);
            return BTreeSet::new();
        }
        if !board.position.dislodged.is_empty() {
            season.retreat(board);
        }
        season.monsters_arrive(board);
        match season.half {
            HalfYear::Spring => season.winners(board),
            HalfYear::Autumn => {
                season.count(board);
                BTreeSet::new()
            }
        }
    });
    board.state.winners = winners;
    let position = board.position.clone();
    let counted = phase == AFTERMATH && game.turn.season == Season::Fall;
    let stands = if counted {
        Event::Owned { position }
    } else {
        Event::Board { position }
    };
    let mut events = vec![stands, board.kept()];
    let now = if phase == SUMMER.name {
        SubmissionLifetime::Season
    } else {
        SubmissionLifetime::Retreats
    };
    events.extend(forget(game, now, access));
    events
}

/// Winter 1900: each power's herds are where it has put them.
fn put_herds(game: &Game, access: &Access<'_>) -> Vec<Event> {
    let mut board = Board::opened(game, access);
    for power in game.all_powers() {
        let submitted = game.lasting_submissions(power, access);
        if let Some(herds) = submitted.get(slots::HERDS) {
            board.herds.insert(power, herds.stored());
        }
    }
    let placed = board.herds.iter().map(|(power, herds)| {
        let spaces = herds.iter().copied().collect();
        (*power, PrivateNews::Placed(spaces))
    });
    board.state.steps = vec![Step {
        private: placed.collect(),
        ..Step::default()
    }];
    let mut events = vec![board.kept()];
    events.extend(forget(game, SubmissionLifetime::Year, access));
    events
}

/// The state of a game that begins.
pub(super) fn first_state() -> SillyState {
    SillyState {
        borg: Borg::Due,
        ..SillyState::default()
    }
}

/// Whether somebody has won.
pub(super) fn ending(game: &Game) -> Option<Ending> {
    let winners = &SillyState::known(game).winners;
    (!winners.is_empty()).then(|| Ending::Won(winners.iter().copied().collect()))
}

/// What a seat's lines are held against.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct SillyView {
    /// The state, as far as the seat may know it.
    state: SillyState,
    /// Its own herds.
    herds: Herds,
    pub rules: Rules,
    /// A question is open.
    pub asked: bool,
    /// Made once for all lines of the seat.
    #[serde(skip)]
    board: OnceLock<SeenBoard>,
}

/// A board with these units, as a seat sees it.
#[derive(Clone)]
struct SeenBoard {
    units: Arc<Position>,
    board: Arc<Board<'static>>,
}

impl SillyView {
    /// The board as the seat sees it, or supposes it to be.
    pub(super) fn board(&self, sight: &Sight) -> Arc<Board<'static>> {
        let made = || SeenBoard {
            units: Arc::clone(&sight.position),
            board: Arc::new(Board {
                map: sight.map,
                position: Position::clone(&sight.position),
                state: self.state.clone(),
                herds: [(sight.power, self.herds.clone())].into(),
                step: Step::default(),
            }),
        };
        let kept = self.board.get_or_init(made);
        if Arc::ptr_eq(&kept.units, &sight.position) {
            Arc::clone(&kept.board)
        } else {
            made().board
        }
    }
}

/// What a seat may know when it submits something.
pub(super) fn view_of(game: &Game, power: Power, access: &Access<'_>) -> SillyView {
    let mut state = SillyState::of(game);
    let herds = state.herds(access).remove(&power).unwrap_or_default();
    state.herds.clear();
    let asked = state.question.take().is_some();
    state.steps.clear();
    SillyView {
        state,
        herds,
        rules: Rules::of(&game.settings),
        asked,
        board: OnceLock::new(),
    }
}

/// Whether a seat takes part: a role always does that may be played.
pub(super) fn in_play(game: &Game, power: Power) -> bool {
    is_in(game, power, || SillyState::known(game).out.contains(&power))
}

/// The seats that take part.
pub(super) fn all_in_play(game: &Game) -> Vec<Power> {
    let out = &SillyState::known(game).out;
    let powers = game.all_powers();
    powers
        .filter(|power| is_in(game, *power, || out.contains(power)))
        .collect()
}

fn is_in(game: &Game, power: Power, is_out: impl Fn() -> bool) -> bool {
    match super::rules::need(power, &game.settings) {
        LeaderNeed::Required => !is_out(),
        LeaderNeed::Optional => true,
        LeaderNeed::Closed => false,
    }
}
