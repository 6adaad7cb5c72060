//! What one `SET` line may set.

use super::date_words::DateWords;
use crate::calendar::PhaseKind;
use crate::game::{Assignment, BuildSites, Days, Level, ObserverPress, SightFrom};

/// One setting of a `SET` line.
#[derive(Debug, Clone, PartialEq)]
pub enum SetItem {
    // Players
    /// `WAIT`, `NO WAIT`.
    Wait(bool),
    /// `PREFERENCE list`; an empty list clears.
    Preference(String),
    /// `DRAW [list]`.
    Draw(Option<String>),
    /// `NO DRAW`.
    NoDraw,
    /// `CONCEDE power`.
    Concede(Option<String>),
    /// `NO CONCEDE`.
    NoConcede,
    /// `PASSWORD word`.
    Password(Option<Secret>),
    /// `ADDRESS [address, …]`; none is the mail's own.
    Address(Option<String>),
    /// `ABSENCE date [TO date]`.
    Absence {
        /// First day.
        from: DateWords,
        /// Last day.
        to: Option<DateWords>,
    },
    /// `NO ABSENCE [date]`.
    NoAbsence(Option<DateWords>),
    /// `ALL PRESS`, `NORMAL PRESS`.
    AllPress(bool),
    /// `BROADCAST`, `NO BROADCAST`: to get broadcasts.
    Broadcast(bool),
    /// `ZONE name`, `NOZONE`.
    Zone(Option<String>),
    /// `REMIND hours`.
    Remind(i64),
    /// `PICTURES ON|OFF`, `MAP ON|OFF`.
    Pictures(bool),

    // Running the game
    /// `DEADLINE date`.
    Deadline(DateWords),
    /// `GRACE date`.
    Grace(DateWords),
    /// `START date`.
    Start(DateWords),
    /// `MOVE|RETREAT|ADJUST key value …`.
    Timing {
        /// The kind of phase.
        phase: PhaseKind,
        /// What is set, in order; after [`Timing::Bad`] nothing follows.
        keys: Vec<Timing>,
    },
    /// `MAX ABSENCE days`.
    MaxAbsence(i64),
    /// `CENTERS n`.
    Centers(i64),
    /// `DEDICATION n`.
    Dedication(i64),
    /// `ONTIMERAT r`.
    OnTimeRatio(f64),
    /// `RESRAT r`.
    ResignationRatio(f64),
    /// `LEVEL word`.
    Level(Level),
    /// `ACCESS word`.
    Access(Access),
    /// `ALLOW PLAYER [-]address`.
    Allow {
        /// The address or its beginning.
        address: String,
        /// `-`: take it off the list.
        remove: bool,
    },
    /// `DENY PLAYER [-]address`.
    Deny {
        /// The address or its beginning.
        address: String,
        /// `-`: take it off the list.
        remove: bool,
    },
    /// `APPROVE powers`.
    Approve(String),
    /// `NOT APPROVE powers`.
    Disapprove(String),
    /// `MAP name`.
    Map(String),
    /// `SIGHT [UNITS] [CENTRES] [HOMES]`: what is named.
    Sight(SightFrom),
    /// `PRFLIST`, `PRFBOTH`, `PRFRAND`.
    Assignment(Assignment),
    /// `VARIANT name`.
    Variant(String),
    /// `NOT VARIANT option`.
    NotVariant(String),
    /// `PLAYERS n`.
    Players(i64),
    /// `POWERS n`.
    Powers(i64),
    /// `BN x`: an archive's number, by the archive's letters.
    Archive {
        /// `EP BN BNC MN MNC`.
        name: String,
        /// Free text.
        number: String,
    },
    /// `COMMENT text`; none clears.
    Comment(Option<String>),
    /// `COMMENT BEGIN`: the comment follows in the lines behind.
    CommentBegins,
    /// A switch, on or off.
    Flag(Flag, bool),

    // Press and rules
    /// Which press, and which color is the default.
    Press(PressColors),
    /// `PARTIAL MAY BE FAKED`.
    PartialMayBeFaked,
    /// `PARTIAL FAKES BROADCAST BY DEFAULT`.
    PartialFakesBroadcast,
    /// `NO FAKE`.
    NoFake,
    /// `NO FAKE BROADCAST`.
    NoFakeBroadcast,
    /// `OBSERVER ANY|WHITE|NONE`.
    ObserverPress(ObserverPress),
    /// `ANY|HOME|ONE CENTRE`.
    BuildSites(BuildSites),
    /// An option that only some variants know, in small letters.
    VariantOption(String, bool),

    /// A setting of the old judges that is not carried over.
    NotOffered(String),
    /// Any other: a variant's setting, or a mistake. What follows on the line is its value.
    Named {
        /// The name as it was written; see [`SetItem::key`].
        name: String,
        /// The rest of the line; may be empty.
        value: String,
        /// If the name is a setting of the judge but the value does not fit: what would have.
        wanted: Vec<String>,
    },
}

impl SetItem {
    /// The form in which names of settings are compared: small letters, `-` for `_`.
    pub fn key(name: &str) -> String {
        name.to_ascii_lowercase().replace('_', "-")
    }
}

/// A new password, kept out of logs.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub String);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// One value of `SET MOVE …`.
#[derive(Debug, Clone, PartialEq)]
pub enum Timing {
    /// `CLOCK`: minute of the day, −1 for none. `23:30` is read as 1410.
    Clock(i64),
    /// `MIN`: hours.
    Min(f64),
    /// `NEXT`: hours.
    Next(f64),
    /// `GRACE`: hours.
    Grace(f64),
    /// `DELAY`: hours.
    Delay(f64),
    /// `DAYS`
    Days(Days),
    /// A value that cannot be read.
    Bad {
        /// The key as it was written.
        key: String,
        /// The value.
        value: String,
    },
}

/// Which sites may join.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// All.
    Any,
    /// Those of one site.
    Same,
    /// Those of different sites.
    Different,
}

/// Colors of press that a game allows; the first is the default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PressColors {
    /// Only to the master.
    None,
    /// `WHITE`
    White,
    /// `GREY`
    Grey,
    /// `WHITE/GREY`
    WhiteGrey,
    /// `GREY/WHITE`
    GreyWhite,
}

/// Switches, by the rule of `grammar/settings.grammar` that reads them.
macro_rules! flags {
    ($($name:ident $rule:literal $what:literal,)*) => {
        /// A setting that is on or off.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Flag {
            $(#[doc = $what] $name,)*
        }

        impl Flag {
            /// All of them.
            pub const ALL: &'static [Flag] = &[$(Flag::$name,)*];

            /// The name that files use, such as `strict-wait`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $rule,)*
                }
            }

            /// The switch of that name.
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $($rule => Some(Self::$name),)*
                    _ => None,
                }
            }
        }
    };
}

flags! {
    Nmr "nmr" "The game goes on without a tardy power.",
    Listed "listed" "`LIST` shows the game.",
    Moderated "moderated" "Only the master may use the master's settings.",
    ManualProcess "manual-process" "Only `PROCESS` processes.",
    ManualStart "manual-start" "Only the master starts the game.",
    StrictWait "strict-wait" "Only powers with something due may wait.",
    StrictGrace "strict-grace" "Grace may end on any day.",
    StrictConvoy "strict-convoy" "Convoys whose ends touch no sea are refused.",
    StrictCoasts "strict-coasts" "A coast must be named where two can be reached.",
    LateList "late-list" "Late powers are named.",
    LateCount "late-count" "It is told how often each was late.",
    Dias "dias" "Draws include all survivors.",
    Concessions "concessions" "A game may be conceded.",
    Approval "approval" "The master approves players.",
    BlindMaster "blind-master" "Orders are sealed from the master.",
    RevealPress "reveal-press" "All press is shown at the end.",
    Reveal "reveal" "Names are shown at the end.",
    Quiet "quiet" "No notices of abandonment and takeover.",
    Secret "secret" "The number of players is hidden too.",
    Show "show" "It is told who changes settings.",
    Early "early" "Processed as soon as all orders are in.",
    Rated "rated" "The game counts for dedication.",
    Resume "resume" "Anyone may resume the game.",
    WatchAllPress "watch-all-press" "Observers may have all press.",
    LatePress "late-press" "Late powers may press.",
    MinorPress "minor-press" "Press in retreats and winter.",
    GracePress "grace-press" "Press while anyone is late.",
    MustOrder "must-order" "Press only with complete orders.",
    TouchPress "touch-press" "Press only to neighbors.",
    PostalPress "postal-press" "Press that goes out with the results.",
    BlankPress "blank-press" "Press without a text.",
    Partial "partial" "Press to some only.",
    Proxy "proxy" "Proxy orders.",
    AutoDisband "auto-disband" "No retreats.",
    AnyDisband "any-disband" "Voluntary removals in winter.",
    Disband "disband" "Disbanding in movement phases.",
    BlankBoard "blank-board" "The game begins with builds.",
}
