//! The report of a phase for a reader who sees only part of the board. A line about a foreign unit is one of a few kinds and never
//! free text, so that it cannot disclose anything that the rules do not mention (`visibility.md` 10.2.3).

use dipjudge_rules::orders::{Action, Names, Rename};
use serde::Serialize;

use super::{InNames, Label, NextPhase, OrderLine, PhaseTitle, Retreating, SeenUnit, WinterLine};

/// The results of one phase for one power of a game in which each sees only his part.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SightReport {
    /// Which phase was adjudicated.
    pub title: PhaseTitle,
    /// Own orders and what came of them, in the order of the own units.
    pub own: Vec<OwnLine>,
    /// What was seen of others, by power and province.
    pub saw: Vec<Sighting>,
    /// Centers that changed hands, with the last report of Fall.
    pub count: Option<CenterChanges>,
    /// What is in sight now.
    pub now: InSight,
    /// Own dislodged units and where they can go; `None` in phases in which nothing can be dislodged.
    pub retreats: Option<Vec<Retreating>>,
    /// Own units that were destroyed for want of a retreat.
    pub destroyed: Vec<SeenUnit>,
    /// Sections with words of their own.
    pub sections: Vec<super::FilledSection>,
    /// The reader has neither unit nor center left.
    pub fallen: bool,
    /// What comes next; `None` when the game is over.
    pub next: Option<NextPhase>,
}

/// A line of a reader's own orders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum OwnLine {
    /// Movement, or a retreat that succeeded or was not tried.
    Order(OrderLine),
    /// A retreat on which another unit was set too, so that both are gone.
    Collided(OrderLine),
    /// A build or removal.
    Winter(WinterLine),
}

/// What was seen of one foreign unit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sighting {
    /// The unit, where the line says it is: before the phase, or behind it if it came.
    pub unit: SeenUnit,
    /// What it was seen to do.
    pub did: SeenAction,
    /// It was dislodged in sight.
    pub dislodged: bool,
}

/// What a foreign unit was seen to do. It is not always an order, and it can be the effect of an order alone.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(bound(serialize = "N::Place: Serialize, Action<N>: Serialize"))]
pub enum SeenAction<N: Names = InNames> {
    /// It did what this order says: moved, supported, convoyed or disbanded. A support or convoy names its unit without
    /// nationality.
    Action(Action<N>),
    /// `-> Budapest.  (*bounce*)`.
    StandOff {
        /// Where it did not get to.
        to: N::Place,
    },
    /// `stays`: nothing else that could be seen.
    Stay,
    /// `leaves`: the place is watched, and it is gone.
    Leave,
    /// `is no longer in sight`.
    PassOutOfSight,
    /// `Army arrives in Budapest`: the place was watched, and it came.
    Arrive,
    /// `comes into sight`.
    ComeIntoSight,
    /// `builds Army Warsaw`: it is the new unit.
    Build,
    /// `removes Army Warsaw`: it is the removed unit.
    Remove,
}

impl<N: Names> SeenAction<N> {
    /// The same in another naming.
    ///
    /// # Errors
    /// If something that it names has no name there.
    pub fn map<M: Names, R: Rename<N, M>>(&self, names: &R) -> Result<SeenAction<M>, R::Error> {
        Ok(match self {
            Self::Action(action) => SeenAction::Action(action.map(names)?),
            Self::StandOff { to } => SeenAction::StandOff {
                to: names.place(to)?,
            },
            Self::Stay => SeenAction::Stay,
            Self::Leave => SeenAction::Leave,
            Self::PassOutOfSight => SeenAction::PassOutOfSight,
            Self::Arrive => SeenAction::Arrive,
            Self::ComeIntoSight => SeenAction::ComeIntoSight,
            Self::Build => SeenAction::Build,
            Self::Remove => SeenAction::Remove,
        })
    }
}

/// The changes of centers after Fall that are in sight.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CenterChanges {
    /// By name of the center.
    pub changes: Vec<CenterChange>,
    /// Builds (positive) or removals (negative) due to the reader.
    pub due: i32,
}

/// `Trieste: Austria -> Italy.`
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CenterChange {
    /// The full name of the center.
    pub center: String,
    /// The owner before; `None` for nobody.
    pub from: Option<Label>,
    /// The owner now; `None` for nobody.
    pub to: Option<Label>,
}

/// What a reader owns and sees at one time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct InSight {
    /// The power that sees this, if it is shown to another reader. All units and centers are foreign to that reader.
    pub whose: Option<Label>,
    /// Own units, by place.
    pub units: Vec<UnitInSight>,
    /// Own centers by name, and whether each is a home.
    pub centers: Vec<(String, bool)>,
    /// Own homes that are lost.
    pub lost_homes: Vec<String>,
    /// Foreign units, by power and place.
    pub foreign: Vec<UnitInSight>,
    /// Centers that are not the reader's, by name, with their owners.
    pub foreign_centers: Vec<(String, Option<Label>)>,
    /// Provinces without a unit.
    pub empty: Vec<String>,
}

/// A unit in sight.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnitInSight {
    /// The unit that is in sight.
    pub unit: SeenUnit,
    /// It is dislodged and has not retreated yet.
    pub dislodged: bool,
    /// It stands beyond the provinces in sight: a bounce alone has shown it (CivDip 5.4).
    pub glimpsed: bool,
}

impl UnitInSight {
    /// Where the unit stands in a list: by power, by place, a standing unit before a dislodged one.
    #[must_use]
    pub fn in_lists(&self) -> (&Label, &str, bool) {
        (&self.unit.power, &self.unit.place, self.dislodged)
    }
}

/// What observers of such a game are told of a phase.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CalendarReport {
    /// Which phase was adjudicated.
    pub title: PhaseTitle,
    /// The next phase; `None` when the game is over.
    pub next: Option<NextPhase>,
}

/// The results of one phase, as one reader may have them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Results {
    /// All of it.
    Whole(Box<super::PhaseReport>),
    /// What one power sees.
    Sight(Box<SightReport>),
    /// That it was adjudicated.
    Calendar(CalendarReport),
}
