//! One game. `Game` is the fold of its events; the engine (`phases`, `clock`) computes further events from it, with the time and
//! the seed as arguments; only `project` decides what readers may see.

// Nothing here touches the world: see clippy.toml. Tests may read files.
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

pub mod apply;
pub mod by_power;
mod card;
pub mod clock;
mod data_error;
pub mod deadline;
pub mod deal;
mod diary;
pub mod dice;
pub mod effect;
pub mod endings;
mod event;
pub mod flows;
mod game_edit;
pub mod horizon;
mod judges_words;
mod kept_state;
pub mod labels;
pub mod need;
mod offers;
pub mod opening;
pub mod order_of_play;
pub mod overrule;
mod pace;
mod people;
pub mod phases;
pub mod planted;
mod postal;
pub mod project;
pub mod proof;
mod recalling;
mod refusal;
mod remembered;
pub mod replay;
pub mod requirements;
mod rolling_back;
mod sealed;
pub mod secrecy;
mod section;
mod sentence;
mod settings;
mod sign;
pub mod sign_up;
pub mod stored;
mod submission;
mod tagged;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod to_come;
mod turn;
mod variant;
mod variant_command;
mod variant_game;
mod variant_parts;
pub mod verifying;
pub mod votes;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

use jiff::{Timestamp, tz::TimeZone};
use serde::{Deserialize, Serialize};

pub use card::{
    Card, LongLine, Nobody, Opening, OwnPhase, PRESS_AMONG_CONTACTS, Setting, SettingAsked, Takes,
    Tally, Winning, WinningNumber,
};
pub use data_error::{DataError, unreadable};
pub use deadline::{Absence, Times};
pub use diary::{Diary, DiaryEntry};
pub use dice::{Dice, DrawSheet, Seed};
pub use effect::{Considered, Effect, Submission};
pub use event::{
    Adjudicated, Adjusted, Adjustment, Cause, Ending, Event, Leave, Outcome, Played, Record,
    SeatChange,
};
pub use game_edit::GameEdit;
pub use judges_words::is_judges_word;
pub use kept_state::{KeepsState, KeptState, StateKey};
pub use labels::{Beginnings, GivenLabel, Newcomer, OwnContacts, OwnLabels};
pub use need::LeaderNeed;
pub use offers::{Offer, Offered, Substitution, SubstitutionState};
pub use pace::{Pace, Reminder};
pub use people::{
    AheadLine, CalendarDate, CalendarEntry, MailForm, Orders, PersonId, Pictures, Role, Seat,
    SeatId, Standing, Vote,
};
pub use postal::PostalPress;
pub use recalling::{OtherPast, PastTurn};
pub use refusal::{Refusal, refuse};
pub use remembered::RememberedData;
pub use requirements::{Ask, AskedOf, Pending, Requirements};
pub use rolling_back::{Conduct, Past, PastStanding, Restores};
pub use sealed::{Access, Sealed, Submitted, masters_read_orders};
pub use secrecy::{AFTER_THE_END, Finality, Secrecy};
pub use section::{Fact, Section};
pub use sentence::{Sentence, SentencePart};
pub use settings::{
    Addresses, Assignment, BuildSites, DayRule, Days, DaysError, Fakes, Level, ObserverPress,
    PhaseClock, SettingChange, Settings, SightFrom,
};
pub use sign::BoardSign;
pub use sign_up::{Begins, Seating};
pub use stored::Stored;
pub use submission::{ORDERS, OpenTo, OpenedBy, Slots, SubmissionKind};
pub use to_come::ToCome;
pub use turn::Phase;
pub use variant::{
    Adjudication, Course, Described, Hidden, Horizon, Submissions, Variant, Views, in_play,
    phases_named,
};
pub use variant_command::{
    Audience, CommandDecision, CommandEffects, CommandInput, Joining, MasterDecision, Notification,
    VariantAct, VariantCommand, command_name,
};
pub use variant_game::VariantGame;
pub use variant_parts::{
    Enrolment, Interchange, OptionalPowers, OrderChecks, OwnCalendar, OwnMovement, OwnOverruling,
    StepJson,
};

use dipjudge_rules::calendar::{PhaseName, Turn};
use dipjudge_rules::map::{Map, Power, PowerInfo, Province};
use dipjudge_rules::position::Position;
use dipjudge_rules::sorted_map::SortedMap;

/// The state of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Players are missing.
    Forming,
    /// All players are there, and the master begins the game.
    Ready,
    /// Phases are adjudicated as their deadlines pass.
    Running,
    /// Stopped by the master.
    Paused,
    /// Stopped by the judge, since the results of the phase in hand do not hold against the rules.
    Halted {
        /// When this was found.
        since: Timestamp,
    },
    /// The game is over, with this ending.
    Over(Ending),
}

/// The moments that the clock remembers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// The times of the phase in hand.
    pub times: Option<Times>,
    /// Whether they were set while the game was paused.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub set_in_pause: bool,
    /// When the game was made.
    pub created: Option<Timestamp>,
    /// When it began.
    pub begun: Option<Timestamp>,
    /// When it ended.
    pub ended: Option<Timestamp>,
    /// When the last phase was adjudicated, or the game began.
    pub processed: Option<Timestamp>,
    /// The moment since which all orders are in.
    pub all_in: Option<Timestamp>,
    /// The powers that were reminded in this phase.
    pub reminded: Vec<Power>,
    /// When the last late notice of this phase was sent.
    pub late_notice: Option<Timestamp>,
    /// When the notice that powers are given up was sent.
    pub abandoned_notice: Option<Timestamp>,
    /// When all were last told that the game waits for replacements.
    pub standstill: Option<Timestamp>,
    /// When a periodic notice was last sent.
    pub nudged: Option<Timestamp>,
}

/// The owners of centers at the end of a year, and the builds that went unused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Year {
    /// The year.
    pub year: i32,
    /// Owners after its Fall; in the year before the first, the owners at the start.
    pub owners: SortedMap<Province, Power>,
    /// Builds not used in its Winter.
    pub unused: BTreeMap<Power, u32>,
    /// The winning number from then on, if it rose because leaders were level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// A game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Game {
    /// Its name, in lower case.
    pub name: String,
    /// Its variant's name.
    pub variant: String,
    /// Its map's name.
    pub map: String,
    /// What its variant laid over the map: lines of a map file.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub places: String,
    /// The seed of all draws; secret until the end.
    pub seed: Seed,
    /// How far it is.
    pub state: State,
    /// What the master set.
    pub settings: Settings,
    /// Its seats, in order of sign-on.
    pub seats: Vec<Seat>,
    /// The powers, once dealt (before that, those of the map). Only `project` decides what readers call them.
    pub(crate) powers: Arc<[PowerInfo]>,
    /// The labels by which readers call the powers, where not all use the same names; in the order in which they were given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) labels: Vec<GivenLabel>,
    /// The standing of each power.
    pub standings: BTreeMap<Power, Standing>,
    /// The stand-by list: players who take over a power that needs a leader, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stand_by: Vec<SeatId>,
    /// What masters have offered by mail: places at the table that nobody has taken yet, and powers led for a time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub offers: Vec<Offer>,
    /// Press that waits for the next results.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub postal: Vec<PostalPress>,
    /// The turn in hand.
    pub turn: Turn,
    /// The phase in hand.
    pub phase: Phase,
    /// How many phases were adjudicated.
    pub number: u32,
    /// The position.
    pub position: Position,
    /// The results of the last adjudicated phase.
    pub last: Option<Arc<Played>>,
    /// Years of ownership, shared between copies of a game.
    pub years: Vec<Arc<Year>>,
    /// The states to which ROLLBACK can return, oldest first.
    pub past: Vec<Arc<Past>>,
    /// The turns before those of `past`, whose states are not in memory (`recalling`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) earlier: Vec<PastTurn>,
    /// The moments that the clock remembers.
    pub timing: Timing,
    /// The variant's own state.
    pub(crate) data: KeptState,
}

impl AsRef<Settings> for Game {
    fn as_ref(&self) -> &Settings {
        &self.settings
    }
}

impl Game {
    /// The map it is played on.
    pub fn map(&self) -> &'static Map {
        Map::with_places(&self.map, &self.places).unwrap_or_else(Map::standard)
    }

    /// A power's key, or `NEUTRAL` if unowned: its name in rules and data. It never occurs in what a player reads.
    pub fn key(&self, power: Power) -> &str {
        let info = power.index().and_then(|index| self.powers.get(index));
        info.map_or("NEUTRAL", |info| info.key.as_str())
    }

    /// The power with this key. Only data name powers by keys; `commands::power_list` reads what players write.
    pub fn power_of_key(&self, key: &str) -> Option<Power> {
        let mut numbered = self.all_powers().zip(self.powers.iter());
        let (power, _) = numbered.find(|(_, info)| info.key == key)?;
        Some(power)
    }

    /// All powers, in the order of the roster. It is alphabetical unless the players name their powers themselves.
    pub fn all_powers(&self) -> impl Iterator<Item = Power> + use<> {
        (0..self.powers.len().min(usize::from(u8::MAX))).map(|n| Power(n as u8))
    }

    /// Units of a power, dislodged ones included.
    pub fn unit_count(&self, power: Power) -> usize {
        let standing = self
            .position
            .units
            .iter()
            .filter(|unit| unit.power == power)
            .count();
        standing
            + self
                .position
                .dislodged
                .iter()
                .filter(|dislodged| dislodged.unit.power == power)
                .count()
    }

    /// Centers that a power owns.
    pub fn center_count(&self, power: Power) -> usize {
        self.position
            .owners
            .values()
            .filter(|owner| **owner == power)
            .count()
    }

    /// The centers of a power, each with the number of years in a row at whose ends it has held it.
    pub fn holdings(&self, power: Power) -> BTreeMap<Province, usize> {
        let years_held = |center: Province| {
            let years = self.years.iter().rev();
            let held = years.take_while(|year| year.owners.get(&center) == Some(&power));
            (center, held.count())
        };
        self.position.centers_of(power).map(years_held).collect()
    }

    /// Powers with at least `least` centers and strictly more than any other.
    pub fn powers_with_centers(&self, least: usize) -> Vec<Power> {
        let counts: Vec<(Power, usize)> = self
            .all_powers()
            .map(|power| (power, self.center_count(power)))
            .collect();
        let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(0);
        counts
            .into_iter()
            .filter(|(_, count)| *count >= least && *count == most)
            .map(|(power, _)| power)
            .collect()
    }

    /// The number needed to win: the number raised because leaders were level, the master's, or the variant's.
    pub fn winning_number(&self, winning: Winning) -> u32 {
        let raised = self.years.iter().rev().find_map(|year| year.limit);
        raised.unwrap_or_else(|| self.announced_number(winning))
    }

    /// The announced number needed to win: the master's, otherwise the variant's. A raised number reveals that two powers are
    /// level, so where the board is hidden only this one is shown.
    pub fn announced_number(&self, winning: Winning) -> u32 {
        let number = || winning.number_on(self.map());
        self.settings.centers.unwrap_or_else(number)
    }

    /// The clock of the phase in hand.
    pub fn clock(&self, variant: &dyn Variant) -> &PhaseClock {
        self.settings
            .clock(&VariantGame::new(self, variant).timed_as())
    }

    /// How a power stands.
    pub fn standing(&self, power: Power) -> &Standing {
        static NOBODY: LazyLock<Standing> = LazyLock::new(Standing::default);
        self.standings.get(&power).unwrap_or(&NOBODY)
    }

    /// A seat by its number.
    pub fn seat(&self, id: SeatId) -> Option<&Seat> {
        self.seats.iter().find(|seat| seat.id == id)
    }

    /// Seats that are still taken, of one role, in order of sign-on.
    pub fn seated(&self, role: Role) -> impl Iterator<Item = &Seat> {
        self.seats
            .iter()
            .filter(move |seat| seat.role == role && !seat.left)
    }

    /// Whether a unit or a center of one power is in or next to a province with a unit or a center of the other.
    pub fn are_neighbors(&self, one: Power, other: Power) -> bool {
        let map = self.map();
        let places = |power: Power| {
            let units = self.position.units_of(power);
            let units = units.map(|unit| unit.at.province);
            let centers = self.position.centers_of(power);
            units.chain(centers).collect::<BTreeSet<Province>>()
        };
        let others = places(other);
        places(one).into_iter().any(|place| {
            let mut near = map.neighbors(place).iter();
            others.contains(&place) || near.any(|near| others.contains(near))
        })
    }

    /// The powers that a seat leads.
    pub fn led_by(&self, seat: SeatId) -> Vec<Power> {
        self.all_powers()
            .filter(|power| {
                self.standings
                    .get(power)
                    .is_some_and(|s| s.holder == Some(seat))
            })
            .collect()
    }

    /// The seat that leads a power.
    pub fn holder(&self, power: Power) -> Option<&Seat> {
        self.standings
            .get(&power)
            .and_then(|standing| standing.holder)
            .and_then(|id| self.seat(id))
    }

    /// The zone of the game's own times.
    pub fn zone(&self) -> TimeZone {
        TimeZone::get(&self.settings.timezone).unwrap_or(TimeZone::UTC)
    }

    /// The zone in which a seat's reader wants dates.
    pub fn zone_of(&self, seat: Option<&Seat>) -> TimeZone {
        seat.and_then(|seat| seat.zone.as_deref())
            .and_then(|name| TimeZone::get(name).ok())
            .unwrap_or_else(|| self.zone())
    }

    /// The phase that players are told, and its number. This is the phase in hand, except when the game ended in a step after a
    /// phase that asked nobody (a change of ownership, a variant's count): then it is the last adjudicated phase.
    pub fn phase_shown(&self) -> (Turn, &Phase, u32) {
        let in_passing = match self.phase {
            Phase::Ownership => true,
            Phase::Own(_) => self.over() && self.timing.ended == self.timing.processed,
            _ => false,
        };
        match &self.last {
            Some(last) if in_passing => (last.turn, &last.phase, last.number),
            _ => (self.turn, &self.phase, self.number + 1),
        }
    }

    /// The phase in hand as mails write it, followed by `P` while paused and by `X` when over. `None` before the game has begun.
    pub fn token(&self, variant: &dyn Variant) -> String {
        let mark = match self.state {
            State::Paused | State::Halted { .. } => "P",
            State::Over(_) => "X",
            _ => "",
        };
        format!("{}{mark}", self.phase_name(variant).in_mail())
    }

    /// The name of the phase in hand.
    pub fn phase_name(&self, variant: &dyn Variant) -> PhaseName {
        let (turn, phase, _) = self.phase_shown();
        variant.card().phase_name(phase, turn)
    }

    /// Whether the board is set up: the game is running, paused or over.
    pub fn begun(&self) -> bool {
        self.timing.begun.is_some()
    }

    /// Whether the game is over.
    pub fn over(&self) -> bool {
        matches!(self.state, State::Over(_))
    }

    /// Its dice.
    pub fn dice(&self) -> Dice<'_> {
        Dice::new(&self.seed)
    }
}
