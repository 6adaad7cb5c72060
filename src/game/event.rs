//! What can happen in a game. The log of these is the game: state is their fold (`apply`), and a changed rule never
//! rewrites a running game, since results stand in the events.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::deadline::{Absence, Times};
use super::dice::Seed;
use super::people::{AheadLine, PersonId, Role, SeatId, Vote};
use super::settings::SettingChange;
use super::turn::Phase;
use crate::adjudicator::{Mark, Reason};
use crate::calendar::Turn;
use crate::map::{Power, PowerInfo, UnitKind};
use crate::orders::{Action, VariantData};
use crate::position::{Position, Unit, UnitId};

/// A line of a game's log: what happened at one moment from one cause.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Version of this form.
    pub v: u32,
    /// When.
    pub at: Timestamp,
    /// From what.
    pub cause: Cause,
    /// What, in order.
    pub events: Vec<Event>,
}

/// Why something happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cause {
    /// A mail that passed authorisation; the seat that sent it, unless it made one.
    Mail(Option<SeatId>),
    /// The time.
    Clock,
    /// The keeper, on the command line.
    Keeper,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// Won by these.
    Won(Vec<Power>),
    /// A draw between these.
    Drawn(Vec<Power>),
    /// Conceded to one.
    Conceded(Power),
    /// Ended by the master.
    Terminated,
}

/// How a seat loses its power.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Leave {
    /// The player resigned.
    Resigned,
    /// The master ejected the player.
    Ejected,
}

/// A change at one seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)] // The fields of `Seat` bear the same names.
pub enum SeatChange {
    Role(Role),
    Address(String),
    WantsAddress(Option<String>),
    Password(String),
    Preference(String),
    Zone(Option<String>),
    Remind(u32),
    AllPress(bool),
    Absent(Absence),
    /// The absence that covers this moment is cancelled.
    Present(Timestamp),
    Token(u32),
    Thread(String),
    Brings(VariantData),
    Left,
}

/// What became of one unit's order, for the reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The unit as it stood when the phase began.
    pub unit: Unit,
    /// What it was told; `None` if nothing.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub action: Option<Action>,
    /// The words behind it; none is success.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub marks: Vec<Mark>,
    /// Why it failed, if it did.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<Reason>,
}

/// One adjustment as it was carried out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Adjusted {
    /// The power concerned.
    pub power: Power,
    /// What.
    pub what: Adjustment,
}

/// What was done in Winter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Adjustment {
    /// Built.
    Built(Unit),
    /// Removed by order.
    Removed(Unit),
    /// Removed since nobody said which.
    Defaulted(Unit),
    /// A build waived, by order or by silence.
    Waived,
    /// Builds that had no free home.
    Unusable(u32),
    /// Builds not used that stay due.
    Saved(u32),
}

/// The results of one phase that was adjudicated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// Counts adjudicated phases from 1.
    pub number: u32,
    /// When in the game.
    pub turn: Turn,
    /// Which phase.
    pub phase: Phase,
    /// Movement and retreats.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub outcomes: Vec<Outcome>,
    /// Dislodged units that had nowhere to go.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub destroyed: Vec<Unit>,
    /// Adjustments.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub adjusted: Vec<Adjusted>,
    /// The position afterwards, with the dislodged units that still have to retreat.
    pub position: Position,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// A game was made.
    Created {
        /// Its name.
        name: String,
        /// Its variant.
        variant: String,
        /// Its map.
        map: String,
        /// What the variant lays over the map for good: lines of a map file, so that a changed variant does not
        /// redraw the board of a running game.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        places: String,
        /// All its chance.
        seed: Seed,
    },
    /// Somebody sat down.
    Seated {
        /// The new seat.
        seat: SeatId,
        /// Who.
        person: PersonId,
        /// Where mail goes.
        address: String,
        /// For what.
        role: Role,
        /// The word, hashed.
        password: String,
    },
    /// Something changed at a seat.
    SeatChanged {
        /// Which.
        seat: SeatId,
        /// What.
        change: SeatChange,
    },
    /// A setting has another value: the change stands beside `event` as `name` and `value`.
    Set(SettingChange),
    /// The variant or map of a forming game changed.
    Variant {
        /// The variant.
        variant: String,
        /// The map.
        map: String,
        /// What the variant lays over the map for good.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        places: String,
    },
    /// Powers were dealt.
    Dealt {
        /// The powers, in the order of the roster.
        powers: Vec<PowerInfo>,
        /// Who leads which; the rest is vacant.
        holders: Vec<(Power, SeatId)>,
    },
    /// The board is set up.
    Begun {
        /// The first turn.
        turn: Turn,
        /// The first phase.
        phase: Phase,
        /// What stands where.
        position: Position,
        /// The variant's own state.
        data: VariantData,
    },
    /// A forming game has all its players and waits for its master.
    Ready,
    /// Back to forming.
    Unstarted,
    /// Deadlines were set.
    Timed {
        /// The times.
        times: Times,
    },
    /// A unit was given an order.
    Ordered {
        /// By whom.
        power: Power,
        /// Which unit.
        unit: UnitId,
        /// What.
        action: Action,
        /// The kind that a support or convoy named, where it is to be echoed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        named: Option<UnitKind>,
    },
    /// A power's adjustments are now these.
    Adjusting {
        /// The power concerned.
        power: Power,
        /// All of them.
        orders: Vec<Action>,
    },
    /// A submission of the variant's own was put down or withdrawn.
    Submitted {
        /// The power concerned.
        power: Power,
        /// Under which name.
        name: String,
        /// What it says; none takes it back.
        data: Option<VariantData>,
        /// Kept beyond the phase.
        lasting: bool,
    },
    /// A unit was lent, or taken back.
    Lent {
        /// By whom.
        power: Power,
        /// Which unit.
        unit: UnitId,
        /// To whom.
        to: Option<Power>,
    },
    /// All orders of the phase in hand were withdrawn.
    Cleared {
        /// The power concerned.
        power: Power,
    },
    /// Lines for later phases were added.
    Ahead {
        /// The power concerned.
        power: Power,
        /// The lines.
        lines: Vec<AheadLine>,
    },
    /// Lines for later phases were dropped: those of one phase, or all.
    AheadDropped {
        /// The power concerned.
        power: Power,
        /// Of which phase.
        phase: Option<String>,
    },
    /// WAIT was set or lifted.
    Waits {
        /// The power concerned.
        power: Power,
        /// Set.
        on: bool,
    },
    /// The error flag was set or cleared.
    Flagged {
        /// The power concerned.
        power: Power,
        /// Set.
        on: bool,
    },
    /// A vote was cast or withdrawn.
    Voted {
        /// The power concerned.
        power: Power,
        /// The vote.
        vote: Option<Vote>,
    },
    /// A vote to end the game, TERMINATE, was cast or withdrawn.
    VotedToEnd {
        /// The power concerned.
        power: Power,
        /// Cast.
        on: bool,
    },
    /// All votes on how the game ends are void.
    VotesCleared,
    /// The master's approval.
    Approved {
        /// The power concerned.
        power: Power,
        /// Given.
        on: bool,
    },
    /// All orders are in since then, or no longer.
    AllIn {
        /// Since when.
        since: Option<Timestamp>,
    },
    /// These were reminded.
    Reminded {
        /// Who.
        powers: Vec<Power>,
    },
    /// A late notice was sent; those late for the first time this phase.
    Late {
        /// Who.
        powers: Vec<Power>,
    },
    /// Given up: free for takeover.
    Abandoned {
        /// Who.
        powers: Vec<Power>,
    },
    /// Into or out of civil disorder.
    Disorder {
        /// Who.
        power: Power,
        /// Into.
        on: bool,
    },
    /// The game stands still, waiting for replacements; told to all again.
    Standstill,
    /// A periodic notice was sent: of forming, of a pause, of a turn that waits for its master.
    Nudged,
    /// A power lost its leader.
    Vacated {
        /// Which.
        power: Power,
        /// How.
        how: Leave,
    },
    /// A vacant power was taken over.
    Taken {
        /// Which.
        power: Power,
        /// By whom.
        seat: SeatId,
    },
    /// A phase was adjudicated.
    Played(Box<Played>),
    /// Centers changed owners.
    Owned {
        /// The position afterwards.
        position: Position,
    },
    /// Leaders are level: from now on it takes so many to win.
    Raised {
        /// The new number.
        number: u32,
    },
    /// The variant changed what stands where, or who owns what.
    Board {
        /// The position afterwards.
        position: Position,
    },
    /// The variant's own state changed.
    Data {
        /// The new state.
        data: VariantData,
    },
    /// A phase begins that somebody has to decide something in.
    Opened {
        /// When in the game.
        turn: Turn,
        /// Which.
        phase: Phase,
    },
    /// Nothing is processed any more.
    Paused,
    /// The game goes on.
    Resumed,
    /// A game that was over, and whose seed was told, goes on with another.
    Reseeded {
        /// All its further chance.
        seed: Seed,
    },
    /// The game ended.
    Ended {
        /// How.
        ending: Ending,
    },
    /// Back to before this turn was processed.
    RolledBack {
        /// Its number.
        number: u32,
    },
}
