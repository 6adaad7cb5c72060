//! Views: what one reader may know of a game. A view consists of texts and numbers that the reader may read. It has no index or
//! id of the game, so that code which renders a view cannot disclose anything else. Only `game::project` makes views.

// Nothing here touches the world: see clippy.toml. Tests may read files.
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

mod and_list;
mod board;
mod closing;
mod listing;
mod mail_texts;
pub mod markup;
mod moment;
mod next_step;
mod orders;
mod own_changes;
mod reckoning;
mod reports;
mod saved;
mod section;
mod sight;

pub use and_list::{and_list, or_list};
pub use board::{
    Board, DrawnLocations, OpenFor, OpenPlace, OrderFate, OrderOnBoard, Owner, PowerOnBoard, Sign,
    SignLook, UnitOnBoard, UnitState,
};
pub use closing::{EndDisclosure, FinalBoard};
pub use listing::{
    ListedGame, ListedPerson, Listing, ParameterBlock, PhaseParameters, Summary, SummaryPlayer,
    SummaryRow,
};
pub use mail_texts::{MAIL_TEXTS, columns};
pub use moment::{Moment, Span, whole_minute};
pub use next_step::{NextStep, OfferedLine, OtherAnswer, ReadyAnswer};
pub use orders::{
    InNames, Mark, OrderLine, SeenUnit, SpecialInNames, SupportedUnit, UnitOrder, WinterAction,
    WinterLine,
};
pub use own_changes::{OwnChange, OwnChanges};
pub use reckoning::{OrdersTold, Reckoning, SmallestChange};
pub use reports::{
    CenterCount, CenterTable, Destroyed, GameStart, Heading, LateNotice, NextPhase, OpeningBuilds,
    OrdersSection, PhaseReport, PhaseTitle, PowerOrders, Reminder, Retreating, StartPlayer,
    TimeLeft, WaitingNotice, Warning,
};
pub use saved::{ByPower, SavedBuilds, SavedGame, SavedPhase};
pub use section::{FilledSection, Words};
pub use sight::{
    CalendarReport, CenterChange, CenterChanges, InSight, OwnLine, Results, SeenAction,
    SightReport, Sighting, UnitInSight,
};

use serde::{Deserialize, Serialize};

use dipjudge_rules::map::Power;

/// The class of a reader, which decides what he may know (`visibility.md` 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Viewer {
    /// The moderator: sees everything that the variant does not seal from a master.
    Master,
    /// The leader of a position.
    Power(Power),
    /// Signed on to watch: the public part.
    Observer,
    /// Anybody with an address: the public listing only.
    Stranger,
}

/// The name of a power for one reader. Only `game::project` makes labels.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Label(String);

impl Label {
    /// A label with this text.
    pub fn new(text: impl Into<String>) -> Label {
        Label(text.into())
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for Label {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&self.0)
    }
}
