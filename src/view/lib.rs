//! What one reader may know. Everything here owns its data in the reader's own words: no index, handle or id of
//! the game, so that whoever renders a view cannot look behind it. Only `game::project` makes these values.

// Nothing here touches the world: see clippy.toml. Tests may read files.
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

mod and_list;
mod board;
mod closing;
mod listing;
mod mail_texts;
pub mod markup;
mod moment;
mod orders;
mod reports;
mod saved;
mod section;
mod sight;

pub use and_list::and_list;
pub use board::{
    Board, Drawn, OrderOnBoard, PowerOnBoard, Sign, SignLook, UnitOnBoard, UnitState, Whose,
};
pub use closing::{Closing, LastBoard};
pub use listing::{
    ListedGame, ListedPerson, Listing, ParameterBlock, PhaseParameters, Summary, SummaryPlayer,
    SummaryRow,
};
pub use mail_texts::{MAIL_TEXTS, columns};
pub use moment::{Moment, Span, whole_minute};
pub use orders::{
    InNames, Mark, OrderLine, Ordered, SeenUnit, SpecialInNames, SupportedUnit, WinterAction,
    WinterLine,
};
pub use reports::{
    CenterCount, CenterTable, Destroyed, GameStart, Heading, Late, NextPhase, OpeningBuilds,
    OrdersSection, OwnPower, PhaseReport, PhaseTitle, Reminder, Retreating, StartPlayer, TimeLeft,
    Waiting, Warning,
};
pub use saved::{ByPower, SavedBuilds, SavedGame, SavedPhase};
pub use section::{ToldSection, Words};
pub use sight::{
    CalendarReport, CenterChange, Count, InSight, OwnLine, Results, Seen, SightReport, Sighting,
    UnitInSight,
};

use serde::{Deserialize, Serialize};

use dipjudge_rules::map::Power;

/// Who reads: the class of a recipient (`visibility.md` 2).
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

/// What a reader calls a power. Made by `game::project` alone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Label(String);

impl Label {
    /// A label with this text.
    pub fn new(text: impl Into<String>) -> Label {
        Label(text.into())
    }

    /// The text as the reader reads it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for Label {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&self.0)
    }
}
