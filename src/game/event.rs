//! What can happen in a game. The log of these events is the game: its state is their fold (`apply`). A changed rule never
//! alters a running game, since results are stored in the events.

use std::sync::Arc;

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize};

use super::deadline::{Absence, Times};
use super::diary::DiaryEntry;
use super::dice::Seed;
use super::kept_state::KeptState;
use super::labels::GivenLabel;
use super::offers::Offer;
use super::people::{AheadLine, CalendarDate, PersonId, Role, SeatId, Vote};
use super::postal::PostalPress;
use super::rolling_back::Restores;
use super::settings::SettingChange;
use super::tagged::{self, Tagged};
use super::turn::Phase;
use dipjudge_rules::adjudicator::{Contradiction, Mark, Reason};
use dipjudge_rules::calendar::Turn;
use dipjudge_rules::map::{Power, PowerInfo, UnitKind};
use dipjudge_rules::orders::{Action, VariantData};
use dipjudge_rules::position::{Position, Unit, UnitId};

/// A record of a game's log: what happened at one moment from one cause.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Version of this form: 1.
    pub v: u32,
    /// The real time at which the mail was read or the clock triggered.
    pub at: Timestamp,
    /// What led to the events.
    pub cause: Cause,
    /// In the order of application; never empty.
    pub events: Vec<Event>,
}

/// Why something happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cause {
    /// An authorised mail, with the seat that sent it; `None` if it made one.
    Mail(Option<SeatId>),
    /// A deadline, a reminder, or another moment that the clock waits for.
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
    Chosen(Option<Power>),
    Zone(Option<String>),
    Remind(u32),
    Html(bool),
    Pictures(bool),
    /// Maps of the surroundings of what is the reader's own.
    NearPictures,
    Calendar(bool),
    /// The entry for the reader's calendar was sent; `says` is `None` where it was removed.
    CalendarSent {
        id: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        says: Option<CalendarDate>,
    },
    /// The form of mails, the reminders and the calendar entry are taken from another seat of the same person.
    Follows(SeatId),
    AllPress(bool),
    Broadcasts(bool),
    DiaryWritten(DiaryEntry),
    /// The entry of this number.
    DiaryDeleted(u32),
    /// All that was written so far is open to everybody.
    DiaryPublished,
    /// Press to all was written, in the turn behind so many played ones.
    HasBroadcast(u32),
    Absent(Absence),
    /// The absence that covers this moment is cancelled.
    Present(Timestamp),
    Token(u32),
    /// The seat is another number's of the register, since two people have turned out to be one.
    Person(PersonId),
    Thread(String),
    Brings(VariantData),
    Name(String),
    Left,
    /// Who has left is back.
    Back,
}

/// The result of one unit's order, for the reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The unit as it stood when the phase began.
    pub unit: Unit,
    /// Its order; `None` if it had none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub action: Option<Action>,
    /// The marks behind it; empty means success.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub marks: Vec<Mark>,
    /// Why it failed, if it did.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<Reason>,
}

/// One adjustment that was carried out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Adjusted {
    /// Whose build or removal it is.
    pub power: Power,
    /// What was done.
    pub what: Adjustment,
}

/// What was done in Winter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Adjustment {
    /// A unit was built, as it then stands.
    Built(Unit),
    /// Removed by order.
    Removed(Unit),
    /// Removed since no order named a unit.
    Defaulted(Unit),
    /// A build waived, by order or because none was sent.
    Waived,
    /// Builds without a free home.
    Unusable(u32),
    /// Unused builds that stay due.
    Saved(u32),
}

/// The results of one phase that was adjudicated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// Counts adjudicated phases from 1.
    pub number: u32,
    /// Its year and season.
    pub turn: Turn,
    /// Its place within them.
    pub phase: Phase,
    /// One for each unit: in movement for each unit on the board, in retreats for each dislodged one; otherwise empty.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub outcomes: Vec<Outcome>,
    /// Dislodged units that had nowhere to go.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub destroyed: Vec<Unit>,
    /// Builds and removals, in the order in which they were carried out.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub adjusted: Vec<Adjusted>,
    /// The position afterwards, with the dislodged units that still have to retreat.
    pub position: Position,
}

/// The results of a phase that a variant adjudicates itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Adjudicated {
    /// As in `Played`.
    pub outcomes: Vec<Outcome>,
    /// As in `Played`.
    pub destroyed: Vec<Unit>,
    /// As in `Played`.
    pub adjusted: Vec<Adjusted>,
    /// As in `Played`.
    pub position: Position,
    /// Events that follow from it, such as changes of the variant's own state.
    pub events: Vec<Event>,
    /// A fault in the results, which must not be used then.
    pub contradiction: Option<Contradiction>,
}

/// Makes the enum of events, and beside it the form by which serde reads them (`tagged`).
macro_rules! events {
    ($($kinds:tt)*) => {
        /// Something that happened.
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[serde(tag = "event", rename_all = "kebab-case")]
        pub enum Event {
            $($kinds)*
        }

        #[derive(Deserialize)]
        #[serde(remote = "Event", rename_all = "kebab-case")]
        enum EventForm {
            $($kinds)*
        }
    };
}

impl Tagged for Event {
    fn read<'de, D: Deserializer<'de>>(from: D) -> Result<Event, D::Error> {
        EventForm::deserialize(from)
    }
}

impl<'de> Deserialize<'de> for Event {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Event, D::Error> {
        tagged::read(from)
    }
}

events! {
    /// A game was made.
    Created {
        /// In small letters, as `SIGNON` names it.
        name: String,
        /// The name under which `variants::named` finds it.
        variant: String,
        /// The name under which `Map::named` finds it.
        map: String,
        /// What the variant lays over the map in all its games: lines of a map file, stored so that a changed variant does not
        /// redraw the board of a running game.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        places: String,
        /// The seed of all draws of the game.
        seed: Seed,
    },
    /// A person joined.
    Seated {
        /// Its number, the next that is free.
        seat: SeatId,
        /// Who sits there, by his number in the register.
        person: PersonId,
        /// Where his mails of this game go.
        address: String,
        /// As player, master or observer.
        role: Role,
        /// Its salted hash.
        password: String,
    },
    /// Something changed at a seat.
    SeatChanged {
        /// The seat that has changed.
        seat: SeatId,
        /// Its new property.
        change: SeatChange,
    },
    /// A setting has another value; in the log the change is stored beside `event` as `name` and `value`.
    Set(SettingChange),
    /// The variant or map of a forming game changed.
    Variant {
        /// As in `Created`.
        variant: String,
        /// As in `Created`.
        map: String,
        /// What the variant lays over the map in all its games.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        places: String,
    },
    /// A power appears to a reader for the first time and gets this label with him.
    Labelled(GivenLabel),
    /// A power was given the map of another: what that one saw at this moment.
    MapGiven {
        /// Whose map it is.
        of: Power,
        /// Who got it.
        to: Power,
    },
    /// A power is renamed. The labels that its readers have for it are given anew.
    Renamed {
        /// The power.
        power: Power,
        /// Its new name.
        called: PowerInfo,
    },
    /// Powers were dealt.
    Dealt {
        /// The powers, in the order of the roster.
        powers: Vec<PowerInfo>,
        /// The leaders of powers; the others are vacant.
        holders: Vec<(Power, SeatId)>,
    },
    /// A player is added at the end of the stand-by list.
    StandsBy {
        /// The seat, which leads no power yet.
        seat: SeatId,
    },
    /// A master's offer was made, or has got further; it replaces the one with its id.
    Offered(Offer),
    /// An offer was declined, has ended or has been carried out.
    OfferClosed {
        /// Its id.
        id: String,
    },
    /// Press was written that comes with the next results.
    Posted(PostalPress),
    /// The board is set up.
    Begun {
        /// The first turn.
        turn: Turn,
        /// The first phase.
        phase: Phase,
        /// All units and owners of centers.
        position: Position,
        /// The variant's own state.
        data: KeptState,
    },
    /// A forming game has all its players and waits for its master.
    Ready,
    /// Back to forming.
    Unstarted,
    /// The game has another name.
    Retitled {
        /// In small letters, as `SIGNON` names it.
        name: String,
    },
    /// Deadlines were set.
    Timed {
        /// Those of the phase in hand.
        times: Times,
    },
    /// A unit was given an order.
    Ordered {
        /// The power among whose orders it is kept.
        power: Power,
        /// The unit that gets the order.
        unit: UnitId,
        /// The ordered action.
        action: Action,
        /// The kind of unit that a support or convoy named, where it is to be echoed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        named: Option<UnitKind>,
    },
    /// A power's adjustments were replaced.
    Adjusting {
        /// The power whose adjustments these are.
        power: Power,
        /// All its adjustments from now on.
        orders: Vec<Action>,
    },
    /// A submission of the variant's own was stored or withdrawn.
    Submitted {
        /// The power whose submission it is.
        power: Power,
        /// The variant's name for it; a later submission of that name replaces it.
        name: String,
        /// Its content; `None` withdraws it.
        data: Option<VariantData>,
        /// Whether it is kept beyond the phase.
        lasting: bool,
    },
    /// A unit was lent, or taken back.
    Lent {
        /// The power that lends it.
        power: Power,
        /// The unit; an order that it had is dropped.
        unit: UnitId,
        /// The power that orders it from now on; `None` returns it to its owner, without an order.
        to: Option<Power>,
    },
    /// All orders of the phase in hand were withdrawn.
    Cleared {
        /// Whose orders they were.
        power: Power,
    },
    /// Lines for later phases were added.
    Ahead {
        /// Whose orders they are.
        power: Power,
        /// In the order of the mail; they follow those of before.
        lines: Vec<AheadLine>,
    },
    /// Lines for later phases were dropped: those of one phase, or all.
    AheadDropped {
        /// Whose orders they were.
        power: Power,
        /// The phase they were for, as `S1902M`; all if none is named.
        phase: Option<String>,
    },
    /// WAIT was set or lifted.
    Waits {
        /// The power.
        power: Power,
        /// Set, or lifted.
        on: bool,
    },
    /// The error flag was set or cleared.
    Flagged {
        /// The power.
        power: Power,
        /// Set, or cleared.
        on: bool,
    },
    /// A vote was cast or withdrawn.
    Voted {
        /// Who votes.
        power: Power,
        /// The vote; `None` withdraws it.
        vote: Option<Vote>,
    },
    /// A vote to end the game, TERMINATE, was cast or withdrawn.
    VotedToEnd {
        /// Who votes.
        power: Power,
        /// Cast, or withdrawn.
        on: bool,
    },
    /// All votes on how the game ends are void.
    VotesCleared,
    /// The master's approval.
    Approved {
        /// The power.
        power: Power,
        /// Given, or taken back.
        on: bool,
    },
    /// All orders are in since this moment, or no longer.
    AllIn {
        /// The moment at which the last came in; `None` if one is missing again.
        since: Option<Timestamp>,
    },
    /// These powers were reminded.
    Reminded {
        /// The powers that had something due.
        powers: Vec<Power>,
    },
    /// A late notice was sent.
    Late {
        /// The powers that are late for the first time in this phase; empty for a later notice.
        powers: Vec<Power>,
    },
    /// Powers were given up: they are free for takeover.
    Abandoned {
        /// Powers that others may take over from now on.
        powers: Vec<Power>,
    },
    /// A movement phase ended in a game that replaces powers that send nothing. Powers that are not named have ordered
    /// something.
    Missed {
        /// Powers without any order.
        powers: Vec<Power>,
        /// The subset that others may take over from now on.
        free: Vec<Power>,
    },
    /// A power went into or out of civil disorder.
    Disorder {
        /// The power that nobody orders, or whose leader is back.
        power: Power,
        /// Into disorder, or out of it.
        on: bool,
    },
    /// The game waits for replacements, and all were notified again.
    Standstill,
    /// A periodic notice was sent: that the game is forming, is paused, or waits for its master.
    Nudged,
    /// A power lost its leader.
    Vacated {
        /// The power without a leader.
        power: Power,
        /// Why it has no leader.
        how: Leave,
    },
    /// A vacant power was taken over.
    Taken {
        /// The power that was vacant.
        power: Power,
        /// Its new leader.
        seat: SeatId,
    },
    /// A phase was adjudicated.
    Played(Arc<Played>),
    /// Centers changed owners.
    Owned {
        /// The position afterwards.
        position: Position,
    },
    /// Leaders are level, so the number needed to win rises.
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
        data: KeptState,
    },
    /// A phase begins in which somebody has something to decide.
    Opened {
        /// Its year and season.
        turn: Turn,
        /// Its place within them.
        phase: Phase,
    },
    /// The game was paused: nothing is processed any more.
    Paused,
    /// The results of the phase in hand do not hold against the rules, so nothing is processed any more.
    Halted,
    /// The game goes on.
    Resumed,
    /// A game that was over, and whose seed was published, continues with another seed.
    Reseeded {
        /// The new seed.
        seed: Seed,
    },
    /// The game ended.
    Ended {
        /// How, and who won, drew or was conceded to.
        ending: Ending,
    },
    /// Back to before this turn was processed.
    RolledBack {
        /// Counts adjudicated phases from 1, as `Played::number`.
        number: u32,
        /// How much of what has happened since is reverted.
        #[serde(default, skip_serializing_if = "Restores::orders_alone")]
        restores: Restores,
    },
}

impl Event {
    /// Whether it changes nothing but orders and submissions of this power.
    pub fn only_gives_orders_of(&self, own: Power) -> bool {
        match self {
            Event::Ordered { power, .. }
            | Event::Lent { power, .. }
            | Event::Adjusting { power, .. }
            | Event::Submitted { power, .. }
            | Event::Flagged { power, .. } => *power == own,
            _ => false,
        }
    }
}
