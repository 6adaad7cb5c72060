//! The people of a game: players, observers and masters, and the standing of each power.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::deadline::Absence;
use super::diary::Diary;
use super::sealed::Submitted;
use super::{Conduct, Phase};
use dipjudge_rules::calendar::Turn;
use dipjudge_rules::map::{Power, UnitKind};
use dipjudge_rules::orders::{Action, VariantData};
use dipjudge_rules::position::UnitId;
use dipjudge_rules::sorted_map::SortedMap;

/// A person in the judge's register. The game knows only this number of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PersonId(pub u32);

impl PersonId {
    /// The keeper of the judge, who takes a place at a game for as long as an act on the command line lasts. No person has
    /// this number.
    pub const KEEPER: PersonId = PersonId(0);
}

/// A place at one game's table, numbered in order of sign-on from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SeatId(pub u32);

/// What a seat is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Runs the game.
    Master,
    /// Leads a power, or waits for one to be dealt.
    Player,
    /// Watches, and receives what everybody may know.
    Observer,
}

/// One person in one game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Seat {
    /// Its number.
    pub id: SeatId,
    /// The person, by number in the register.
    pub person: PersonId,
    /// Where mail for this seat goes.
    pub address: String,
    /// Whether he plays, watches or moderates.
    pub role: Role,
    /// The word for this game, as an Argon2 string.
    pub password: String,
    /// The preference list as given, in capitals: `E[FGR][TAI]`, `*`, or empty.
    pub preference: String,
    /// The optional power that he has chosen at the table; all others are dealt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chosen: Option<Power>,
    /// When no deadline may fall.
    pub absences: Vec<Absence>,
    /// An address that is not confirmed yet.
    pub wanted_address: Option<String>,
    /// The zone in which this reader wants dates; `None` means the game's.
    pub zone: Option<String>,
    /// Hours before a deadline at which to be reminded; 0 for never.
    pub remind: u32,
    /// The form in which this reader wants mails.
    #[serde(default, skip_serializing_if = "MailForm::is_usual")]
    pub form: MailForm,
    /// The entry for the game in this reader's own calendar.
    #[serde(default, skip_serializing_if = "CalendarEntry::is_none")]
    pub calendar: CalendarEntry,
    /// Wants copies of all partial press (masters; observers where the game allows it).
    pub all_press: bool,
    /// Wants no press to all (masters and observers).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub without_broadcasts: bool,
    /// In games with touch press: the number of turns played when he last wrote to all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_broadcast: Option<u32>,
    /// His diary.
    #[serde(default, skip_serializing_if = "Diary::is_unused")]
    pub diary: Diary,
    /// The generation of the reply tokens; raising it invalidates older ones.
    pub token: u32,
    /// The id of the first mail to this seat; later mails refer to it as their thread.
    pub thread: Option<String>,
    /// What a line of the variant has stored here before the start: the name that the player wants.
    #[serde(default, skip_serializing_if = "VariantData::is_empty")]
    pub brings: VariantData,
    /// The person's name as registered when he joined; for games that show it to contacts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether he has been an observer at any time since the game began.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub watched: bool,
    /// Resigned, ejected or replaced: receives nothing more.
    pub left: bool,
}

/// The form in which a reader wants mails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailForm {
    /// With HTML beside the text.
    pub html: bool,
    /// With maps.
    pub pictures: Pictures,
}

/// What of the board the maps of a reader's mails show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pictures {
    /// His mails have no maps, unless he asks for one.
    Off,
    /// The surroundings of what is his own, for a narrow screen.
    Near,
    /// All of it.
    Whole,
}

impl MailForm {
    /// Whether it is the default.
    fn is_usual(&self) -> bool {
        *self == MailForm::default()
    }
}

impl Default for MailForm {
    fn default() -> MailForm {
        MailForm {
            html: true,
            pictures: Pictures::Whole,
        }
    }
}

/// The entry for a game in a reader's own calendar. One entry serves the whole game and moves from deadline to deadline.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CalendarEntry {
    /// Whether the reader wants it.
    pub wanted: bool,
    /// Its id, random and different for each reader; `None` before it was first sent.
    pub id: Option<String>,
    /// How often it was sent.
    pub sent: u32,
    /// What it says now; `None` while it is not in the calendar.
    pub says: Option<CalendarDate>,
}

impl CalendarEntry {
    /// Whether there is no entry and never was one.
    fn is_none(&self) -> bool {
        *self == CalendarEntry::default()
    }
}

/// What the entry in a calendar says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CalendarDate {
    /// The phase, as subjects name it: `S1901M`.
    pub phase: String,
    /// Its deadline.
    pub at: Timestamp,
    /// The alarm, in hours before the deadline; 0 means none.
    #[serde(default)]
    pub alarm: u32,
}

/// A vote for a draw (`judge-workflow.md` 1.4).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Vote {
    /// For a draw of all survivors.
    All,
    /// For a draw among any of these.
    Among(Vec<Power>),
    /// For a win of this power.
    Concede(Power),
}

/// A line stored for a later phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AheadLine {
    /// Its phase, as files write it: `W1901A`.
    pub phase: String,
    /// The line as sent.
    pub line: String,
    /// The kinds of what it submits (`SubmissionKind`), as the grammar read it on arrival; empty if it could not be read.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub kinds: BTreeSet<String>,
}

/// The orders of one power for the phase in hand.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Orders {
    /// Movement and retreats: the last valid order of each unit.
    pub units: SortedMap<UnitId, Action>,
    /// The kind that a support or convoy named for its unit, in games with a hidden board: there, replies repeat the sender's
    /// own words.
    #[serde(default, skip_serializing_if = "SortedMap::is_empty")]
    pub named: SortedMap<UnitId, UnitKind>,
    /// Adjustments, in the order in which they came.
    pub winter: Vec<Action>,
    /// Units lent by PROXY, and to whom.
    pub lent: SortedMap<UnitId, Power>,
    /// Submissions of the variant's own that go with the phase.
    #[serde(default, skip_serializing_if = "Submitted::is_empty")]
    pub submissions: Submitted,
}

impl Orders {
    /// Whether nothing was sent for the phase.
    pub fn is_empty(&self) -> bool {
        *self == Orders::default()
    }

    /// Gives a unit an order, in place of an earlier one.
    pub(super) fn order(&mut self, unit: UnitId, action: &Action, named: Option<UnitKind>) {
        self.units.insert(unit, action.clone());
        match named {
            Some(kind) => self.named.insert(unit, kind),
            None => self.named.remove(&unit),
        };
        self.lent.remove(&unit);
    }
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// The standing of one power.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// Its leader; `None` if vacant.
    pub holder: Option<SeatId>,
    /// All its leaders, newest last, with the turn and phase in which each took over; `None` for a leader since the start.
    pub held: Vec<(SeatId, Option<(Turn, Phase)>)>,
    /// The leader who was dealt it when the game began, even if another leads it now; `None` if it was vacant.
    #[serde(default)]
    pub dealt: Option<SeatId>,
    /// Orders of the phase in hand.
    pub orders: Orders,
    /// Submissions of the variant's own that outlast the phase.
    #[serde(default, skip_serializing_if = "Submitted::is_empty")]
    pub submissions: Submitted,
    /// Lines for later phases.
    pub ahead: Vec<AheadLine>,
    /// Not to be processed before the deadline.
    pub wait: bool,
    /// The last mail held an error in an order.
    pub flag: bool,
    /// Whether a rollback restored orders that the power has not confirmed yet.
    pub required: bool,
    /// Whether it was incomplete at the deadline of this phase.
    pub late: bool,
    /// How often late in the whole game.
    pub times_late: u32,
    /// Movement phases in a row without any order, if they are counted (`Pace::replaced_after`).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub missed: u32,
    /// Its conduct when the phase in hand began.
    #[serde(default, skip_serializing_if = "Conduct::is_spotless")]
    pub at_first: Conduct,
    /// Given up: free for takeover.
    pub abandoned: bool,
    /// In civil disorder.
    pub disorder: bool,
    /// Resigned or ejected.
    pub resigned: bool,
    /// The vote of this phase.
    pub vote: Option<Vote>,
    /// Votes in this phase to end the game without a result.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub terminates: bool,
    /// Approved by the master to give orders, where the game requires it.
    pub approved: bool,
}

impl Standing {
    /// Whether anybody may take it over.
    pub fn vacant(&self) -> bool {
        self.holder.is_none() || self.abandoned || self.disorder || self.resigned
    }
}
