//! Who sits at a game: players, observers and masters, and how each power stands.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::deadline::Absence;
use super::sealed::Submitted;
use super::{Conduct, Phase};
use dipjudge_rules::calendar::Turn;
use dipjudge_rules::map::{Power, UnitKind};
use dipjudge_rules::orders::{Action, VariantData};
use dipjudge_rules::position::UnitId;

/// A person of the judge's register. The game knows no more of persons than this number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PersonId(pub u32);

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
    /// Watches and gets what everybody may know.
    Observer,
}

/// One person in one game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Seat {
    /// Its number.
    pub id: SeatId,
    /// Who sits there, by his number in the register.
    pub person: PersonId,
    /// Where mail for this seat goes.
    pub address: String,
    /// Whether he plays, watches or moderates.
    pub role: Role,
    /// The word for this game, as an Argon2 string.
    pub password: String,
    /// The preference list as given, in capitals: `E[FGR][TAI]`, `*`, or empty.
    pub preference: String,
    /// The power that he has chosen at the table, one that the game may begin without; the others are dealt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chosen: Option<Power>,
    /// When no deadline may fall.
    pub absences: Vec<Absence>,
    /// An address that has not answered yet.
    pub wanted_address: Option<String>,
    /// The zone in which this reader wants dates; the game's if none.
    pub zone: Option<String>,
    /// Hours before a deadline at which to be reminded; 0 for never.
    pub remind: u32,
    /// In which form this reader wants mails.
    #[serde(default, skip_serializing_if = "MailForm::is_usual")]
    pub form: MailForm,
    /// The entry for the game in this reader's own calendar.
    #[serde(default, skip_serializing_if = "CalendarEntry::is_none")]
    pub calendar: CalendarEntry,
    /// Wants copies of all partial press (masters; observers where the game allows it).
    pub all_press: bool,
    /// Counts the reply tokens: raised when old ones shall no longer hold.
    pub token: u32,
    /// The id of the first mail to this seat: what later ones thread under.
    pub thread: Option<String>,
    /// What a variant's line has noted here before the start: the name that the player wants to bear.
    #[serde(default, skip_serializing_if = "VariantData::is_empty")]
    pub brings: VariantData,
    /// The name of who sits there, as he was registered when he came: in games that show it to his contacts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Has been an observer since the game began, if only for a while.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub watched: bool,
    /// Resigned, ejected or replaced: gets nothing more.
    pub left: bool,
}

/// In which form a reader wants mails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailForm {
    /// With HTML beside the text.
    pub html: bool,
    /// With maps.
    pub pictures: bool,
}

impl MailForm {
    /// Whether it is that of whoever has said nothing about it.
    fn is_usual(&self) -> bool {
        *self == MailForm::default()
    }
}

impl Default for MailForm {
    fn default() -> MailForm {
        MailForm {
            html: true,
            pictures: true,
        }
    }
}

/// The entry for a game in a reader's own calendar: one for the whole game, which moves from deadline to deadline.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CalendarEntry {
    /// Whether the reader wants it.
    pub wanted: bool,
    /// Its id, random and the reader's alone; none before it was first sent.
    pub id: Option<String>,
    /// How often it was sent.
    pub sent: u32,
    /// What it says by now; none where it is not in the calendar.
    pub says: Option<CalendarDate>,
}

impl CalendarEntry {
    /// Whether there is none, nor ever was.
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
    /// So many hours before it rings; 0: it does not.
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
    /// The phase it is for, as files write it: `W1901A`.
    pub phase: String,
    /// The line as sent.
    pub line: String,
    /// The kinds of what it submits (`SubmissionKind`), as the grammar read it when it came; none where it could not be read.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub kinds: BTreeSet<String>,
}

/// What one power has told its units in the phase in hand.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Orders {
    /// Movement and retreats: the last valid order of each unit.
    pub units: BTreeMap<UnitId, Action>,
    /// The kind that a support or convoy named for its unit, where the board is not seen by all: what is echoed there are
    /// the sender's own words.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub named: BTreeMap<UnitId, UnitKind>,
    /// Adjustments, in the order in which they came.
    pub winter: Vec<Action>,
    /// Units lent by PROXY, and to whom.
    pub lent: BTreeMap<UnitId, Power>,
    /// Submissions of the variant's own that go with the phase.
    #[serde(default, skip_serializing_if = "Submitted::is_empty")]
    pub submissions: Submitted,
}

impl Orders {
    /// Whether nothing was sent for the phase.
    pub fn is_empty(&self) -> bool {
        *self == Orders::default()
    }
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// How one power stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// Who leads it; nobody if it is vacant.
    pub holder: Option<SeatId>,
    /// Who has led it, newest last, with the turn and phase in which each came; none where the game began with him.
    pub held: Vec<(SeatId, Option<(Turn, Phase)>)>,
    /// Who was dealt it when the game began, whoever leads it now; nobody if it was vacant.
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
    /// After a rollback: the orders stand, but the power has not confirmed them.
    pub required: bool,
    /// Was not complete at the deadline of this phase.
    pub late: bool,
    /// How often late in the whole game.
    pub times_late: u32,
    /// Movement phases in a row without any order, where that is counted (`Pace::replaced_after`).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub missed: u32,
    /// How it had kept its deadlines when the phase in hand began.
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
    /// Approved by the master to give orders, where the game asks for it.
    pub approved: bool,
}

impl Standing {
    /// Whether anybody may take it over.
    pub fn vacant(&self) -> bool {
        self.holder.is_none() || self.abandoned || self.disorder || self.resigned
    }
}
