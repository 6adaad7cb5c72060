//! The reports of a game: one struct for each kind of mail or section, filled by `game::project` for one reader.

use serde::Serialize;

use super::{Label, Moment, OrderLine, SeenUnit, Span, Viewer, WinterLine};

/// The `::` lines at the head of every mail about a game (`judge-workflow.md` 6.1).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Heading {
    /// For whom it was made: every mail that bears it goes to such a reader, and to no other.
    #[serde(skip)]
    pub reader: Viewer,
    /// The judge's code: `USXX`.
    pub judge: String,
    /// The game's name as in subjects: `kaiser`.
    pub game: String,
    /// The game's name as in the heading: `Kaiser`.
    pub title: String,
    /// Variant and options: `Standard Gunboat`.
    pub variant: String,
    /// The phase token of mails: `F1901M`, with `P` or `X` behind it while paused or over.
    pub phase: String,
    /// The deadline, or none: `not set`.
    pub deadline: Option<Moment>,
}

/// `Movement ... for Spring of 1901.  (kaiser.001)`: the words around are the template's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PhaseTitle {
    /// `Movement`, `Retreat`, `Adjustment`.
    pub kind: String,
    /// `Spring of 1901`.
    pub turn: String,
    /// `kaiser.001`.
    pub number: String,
}

/// The results of one phase (`judge-workflow.md` 6.3 to 6.5).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PhaseReport {
    /// Which phase was adjudicated.
    pub title: PhaseTitle,
    /// Movement: all orders by power; empty in other phases.
    pub movement: Vec<Vec<OrderLine>>,
    /// Retreats: all orders by power; empty in other phases.
    pub retreats: Vec<Vec<OrderLine>>,
    /// Adjustments: all lines by power; empty in other phases.
    pub winter: Vec<Vec<WinterLine>>,
    /// Dislodged units that may retreat, then those destroyed.
    pub dislodged: Vec<Retreating>,
    /// Units destroyed for want of a retreat.
    pub destroyed: Vec<Destroyed>,
    /// The tables of ownership, with the last report of Fall.
    pub centers: Option<CenterTable>,
    /// Sections with words of their own.
    pub sections: Vec<super::FilledSection>,
    /// Why each order failed: sentences, in the order of the orders.
    pub reasons: Vec<String>,
    /// What comes next; `None` when the game is over.
    pub next: Option<NextPhase>,
}

/// `The French Army in Burgundy can retreat to Gascony or Paris.`
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Retreating {
    /// The dislodged unit.
    pub unit: SeenUnit,
    /// The full names of the places to which it can retreat.
    pub options: Vec<String>,
}

/// `The Turkish Army in Bulgaria with no valid retreats was destroyed.`
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Destroyed {
    /// The dislodged unit.
    pub unit: SeenUnit,
}

/// The phase to come and its deadline.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NextPhase {
    /// `Movement`, `Retreats`, `Adjustments`.
    pub kind: String,
    /// `Spring of 1902`.
    pub turn: String,
    /// When; `None` where none is set.
    pub deadline: Option<Moment>,
    /// Whether the deadline was moved for somebody's absence.
    pub adjusted: bool,
}

/// Who owns what, and who builds or removes how much.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CenterTable {
    /// By power, full names of its centers in alphabetical order; powers without centers are left out.
    pub owners: Vec<(Label, Vec<String>)>,
    /// Full names of centers that nobody owns.
    pub unowned: Vec<String>,
    /// One line for each power that has a center or a unit.
    pub counts: Vec<CenterCount>,
}

/// `Turkey:    4 Supply centers,  3 Units:  Builds   1 unit.  (* CD *)`
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CenterCount {
    /// The power that this is about.
    pub power: Label,
    /// The number of centers that the power owns.
    pub centers: usize,
    /// Units on the board.
    pub units: usize,
    /// Builds (positive) or removals (negative) due; builds that have no free home are counted in.
    pub due: i32,
    /// Whether the power is in civil disorder.
    pub disorder: bool,
    /// Whether the power has won.
    pub victory: bool,
}

/// The orders of one power as they now stand, in a reply or reminder (`judge-workflow.md` 6.2).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OrdersSection {
    /// Which phase they are for.
    pub title: PhaseTitle,
    /// One entry for each power shown: only the reader's own, or all for a master.
    pub powers: Vec<PowerOrders>,
}

/// One power's standing orders.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PowerOrders {
    /// The power that this is about.
    pub power: Label,
    /// Its letter or code as a prefix of quoted lines: `E`.
    pub letter: String,
    /// `Move Submitted, Error Flag, WAIT`: shown to masters.
    pub status: String,
    /// Movement or retreat orders, one line for each unit.
    pub orders: Vec<OrderLine>,
    /// Adjustment orders, one line for each.
    pub winter: Vec<WinterLine>,
    /// What it has submitted of the variant's own: lines as they could be sent again.
    pub own: Vec<String>,
    /// `DRAW YES`, `DRAW EFT`, `CONCEDE Russia`, `TERMINATE`; for the voter and masters.
    pub votes: Vec<String>,
    /// Lines stored for later phases, each as it will be read.
    pub pending: Vec<String>,
}

/// The warning at the foot of a reply; exactly one of them (`judge-workflow.md` 6.2).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Warning {
    /// All is in: nothing to say.
    None,
    /// Orders are missing.
    Incomplete {
        /// The deadline of the phase; `None` if none is set.
        deadline: Option<Moment>,
        /// When the power is given up.
        grace: Option<Moment>,
        /// What becomes of it then: `abandoned`, or `in civil disorder` in an NMR game.
        nmr: bool,
    },
    /// Orders that a rollback brought back are not confirmed.
    Unconfirmed {
        /// The deadline of the phase; `None` if none is set.
        deadline: Option<Moment>,
        /// When the power is given up.
        grace: Option<Moment>,
        /// Whether the power goes into civil disorder then (an NMR game) instead of being abandoned.
        nmr: bool,
    },
    /// The error flag stands.
    ErrorFlag {
        /// The deadline of the phase; `None` if none is set.
        deadline: Option<Moment>,
        /// When the power is given up.
        grace: Option<Moment>,
        /// Whether the power goes into civil disorder then (an NMR game) instead of being abandoned.
        nmr: bool,
    },
    /// Something is open that is decided without the reader if nothing comes; nobody is late for it.
    Open {
        /// The deadline of the phase; `None` if none is set.
        deadline: Option<Moment>,
    },
    /// WAIT is set: not processed before the deadline.
    Wait {
        /// The deadline of the phase; `None` if none is set.
        deadline: Option<Moment>,
    },
    /// The deadline has passed.
    Late {
        /// When the power is given up.
        grace: Option<Moment>,
        /// Whether the power goes into civil disorder then (an NMR game) instead of being abandoned.
        nmr: bool,
    },
    /// Paused, over or terminated.
    Stopped {
        /// `paused`, `over`.
        state: String,
    },
}

/// *Game Starting* (`judge-workflow.md` 6.7).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameStart {
    /// `France`; `None` for masters and observers.
    pub selected: Option<Label>,
    /// `Diplomacy`, or the variant's title.
    pub variant: String,
    /// The page that tells a variant's own lines, as `GET` takes it; `None` where there are none.
    pub rules: Option<String>,
    /// The page that tells the map, as `GET` takes it; `None` where the variant is played on its own.
    pub map: Option<String>,
    /// The players: masters, then powers, then observers.
    pub players: Vec<StartPlayer>,
    /// `Spring of 1901`.
    pub turn: String,
    /// Whether the whole opening position is told.
    pub disclosed: bool,
    /// What a power sees of it where it is not.
    pub sight: Option<super::InSight>,
    /// The opening position by power.
    pub units: Vec<Vec<SeenUnit>>,
    /// What the reader builds before anything else, where the game begins so.
    pub builds: Option<OpeningBuilds>,
    /// Tables of the variant, with words of their own.
    pub tables: Vec<super::FilledSection>,
    /// The deadline of the first phase; `None` if none is set.
    pub deadline: Option<Moment>,
    /// The SHA-256 of the seed, which is told at the end.
    pub seed_sha256: String,
}

/// What a power builds in the opening Winter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OpeningBuilds {
    /// How many units it can build.
    pub count: usize,
    /// A line that builds one: `BUILD A Vie`.
    pub example: String,
    /// What silence builds: `Army Vienna`.
    pub otherwise: Vec<String>,
}

/// One line of the list of players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StartPlayer {
    /// `Master`, `Austria`, `Observer`.
    pub role: String,
    /// The address, or `someone@somewhere`; the name, for who is told no addresses.
    pub called: String,
}

/// *Reminder*: the reader's own orders before a deadline.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reminder {
    /// The orders of the reader as they stand.
    pub orders: OrdersSection,
    /// Hours that the reader is reminded before a deadline.
    pub hours: u32,
    /// The reader's error flag holds the orders back.
    pub flag: bool,
    /// The orders are all there, from before a rollback, and the reader has not confirmed them.
    pub unconfirmed: bool,
}

/// *Late Notice* (`judge-workflow.md` 6.6).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LateNotice {
    /// Who is waited for, and how often each was late where the game counts it.
    pub powers: Vec<(Label, Option<u32>)>,
    /// How many are waited for, where the list may not name them.
    pub unnamed: usize,
    /// When they are given up.
    pub grace: Option<Moment>,
    /// Whether the power goes into civil disorder then (an NMR game) instead of being abandoned.
    pub nmr: bool,
    /// NMR games, the last day: already free for takeover.
    pub abandoned: bool,
}

/// *Waiting for Replacements*.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WaitingNotice {
    /// The powers that need a new leader.
    pub powers: Vec<Label>,
}

/// Time left, at the foot of a reply.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TimeLeft {
    /// The time until the deadline.
    pub deadline: Option<Span>,
    /// The time until the end of the grace period.
    pub grace: Option<Span>,
}
