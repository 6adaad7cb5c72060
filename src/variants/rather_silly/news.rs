//! What happens in a season, step by step: for the report, and for those who follow a position from outside.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::orders::{Source, UnitOrder};
use super::rings::Round;
use super::state::{Drawn, Tardis, Traits};
use dipjudge_rules::map::{Power, Province};
use dipjudge_rules::position::{Unit, UnitId};

/// What happened in one step (3.4, 3.5).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Step {
    /// Its number in the order of play, from 1 to 11; 0 for Winter 1900.
    pub number: u8,
    pub news: Vec<News>,
    /// What one seat alone is told.
    pub private: Vec<(Power, PrivateNews)>,
    /// The units that left the board.
    pub lost: Vec<LostUnit>,
    pub drew: Vec<Drawn>,
    pub change: UnitChanges,
}

/// A unit that left the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LostUnit {
    /// As it stood last.
    pub unit: Unit,
    pub how: Loss,
    /// Whether a soul that was sold is lost with it.
    pub soul: bool,
}

/// How a unit leaves the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Loss {
    /// It was carried and dropped over the sea.
    Drowned,
    /// It was carried and dropped on another unit.
    Dropped,
    /// Monsters where the TARDIS arrives.
    Banished,
    /// A SIAMESE unit without its twin, or apart from it.
    Parted,
    Eaten,
    Exploded,
    /// It should have retreated and was not told where.
    Neglected,
    /// It had nowhere to retreat to.
    Cornered,
    /// It retreated to where another did.
    Met,
    /// Told to disband.
    Disbanded,
    /// One of those that became a merged unit: nothing is destroyed.
    Merged,
    /// By order in Winter: nothing is destroyed.
    Removed,
    /// In Winter, since nobody said which unit goes: nothing is destroyed.
    Defaulted,
    /// With its twin, which was removed in Winter: nothing is destroyed.
    WithTwin,
}

impl Loss {
    /// Whether it is destroyed, and its soul with it if it has sold it (3.6, R32).
    pub(super) fn destroys(self) -> bool {
        !matches!(
            self,
            Loss::Merged | Loss::Removed | Loss::Defaulted | Loss::WithTwin
        )
    }
}

/// Why a carried army does not arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum FailedLanding {
    /// A unit stands there.
    Occupied,
    /// Others have stood each other off there.
    StandOff,
    /// BIRDS are shooed there.
    Shooed,
    /// Another army is carried there.
    Another,
    /// BIRDS and army were told different ways.
    Parted,
}

/// How the TARDIS came to where it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum TardisTravel {
    /// It was held by these.
    Held(Vec<Unit>),
    /// Those who held it were dislodged, so it left for hyperspace.
    Freed(Vec<Unit>),
    /// It left for hyperspace.
    Left,
    /// It landed where it was to.
    Landed,
    /// It was to land there and malfunctioned.
    Astray(Province),
    /// It was carried by this unit.
    Carried(Unit),
    /// It was to be carried by this unit, which did not carry it.
    NotCarried(Unit),
    /// It was to land there, which it does from hyperspace alone.
    NotFromSpace(Province),
}

/// Why a distraction is not in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum FailedDistraction {
    /// A DIRTY OLD MAN ARMY exposes himself next to her.
    Exposed,
    /// Another FEMALE ARMY distracts the unit.
    Another(Unit),
}

/// Something that everybody is told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum News {
    /// A unit does what somebody else has it do, because of another unit where there is one.
    Changed {
        unit: Unit,
        by: Source,
        because: Option<Unit>,
        #[serde(rename = "told")]
        order: UnitOrder,
    },
    /// A FEMALE ARMY's distraction is not in force.
    NoDistraction(Unit, FailedDistraction),
    /// Where a group of monsters goes, if it goes, and how that was found.
    Hunt {
        group: Unit,
        to: Option<Province>,
        rounds: Vec<Round>,
    },
    /// BIRDS flew, to where they were told or less far.
    Flew {
        flock: Unit,
        to: Province,
    },
    /// An army was carried: to where it was told if nothing was in the way. Whether it is lost stands among the lost.
    Carried {
        army: Unit,
        flock: Unit,
        at: Province,
        why: Option<FailedLanding>,
    },
    /// An army that was to be carried, or BIRDS that were to carry one: the other side did not agree.
    NoLift(Unit),
    /// BIRDS may not end their way in these spaces.
    Shooed(Vec<Province>),
    /// A FEMALE or DIRTY OLD MAN ARMY was not convoyed.
    NoConvoy(Unit),
    /// A FEMALE ARMY must leave the unit that she has distracted.
    MustLeave {
        female: Unit,
        victim: Unit,
    },
    /// BIRDS must leave a space from which they are shooed.
    Driven(Unit),
    Travelled {
        from: Tardis,
        to: Tardis,
        how: TardisTravel,
        /// Whether the JESTER said where to.
        by_jester: bool,
    },
    /// A soul that was sold is free again.
    Exorcised(Unit),
    /// Units merged, as was foreseen.
    Merged {
        merged: Unit,
        units: Vec<Unit>,
        strength: u32,
    },
    /// How many seasons of double strength a unit has left.
    RanDown(Unit, u8),
    /// A unit has sold its soul.
    Sold(Unit),
    /// BORG went, came or stayed, and how that was found.
    Borg {
        from: Option<Province>,
        to: Province,
        rounds: Vec<Round>,
    },
    /// A herd exploded; of whom, where that is told.
    Exploded {
        owner: Option<Power>,
        at: Province,
    },
    /// Monsters retreated, and how their way was found.
    Fled {
        group: Unit,
        to: Province,
        rounds: Vec<Round>,
    },
    Arrived(Unit),
    /// A center changed its owner.
    Owned {
        center: Province,
        before: Option<Power>,
        now: Option<Power>,
    },
    /// Something was built; a gay fleet and a twin are told as such.
    Built(Unit),
    /// A free unit was built.
    BuiltFree(Unit),
    /// Who answered rightly, what was accepted, and what is on the accounts now, in parts of a unit.
    Answered {
        right: Vec<Power>,
        /// Nothing if there was no question.
        accepted: Option<Vec<String>>,
        accounts: BTreeMap<Power, u32>,
    },
    /// The question of the season; nothing if there is none.
    Asked(Option<String>),
    /// The spaces that are linked now, and the votes where they are open.
    Linked {
        link: Option<(Province, Province)>,
        votes: Vec<(Power, Province, Province)>,
    },
    /// The DOCTOR's points.
    Points(u32),
}

/// Something that only its author is told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum PrivateNews {
    /// Where his herds are.
    Placed(Vec<Province>),
    /// What he told a unit, which does something else.
    Replaced {
        unit: Unit,
        #[serde(rename = "told")]
        order: UnitOrder,
    },
    /// The JESTER has said where the TARDIS goes, so the DOCTOR's word did not count.
    Overruled,
    /// What he foresaw there has not come true.
    NotForeseen(Province),
    /// His herd there has not exploded: its condition did not hold.
    NotExploded(Province),
    /// His unit has not sold its soul: its condition did not hold.
    NotSold(Unit),
    /// Something could not be done: a sentence.
    Failed(String),
}

/// How a step has changed the units on the board.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct UnitChanges {
    /// Units that are new, or stand elsewhere than before: what retreats does.
    pub stand: Vec<Unit>,
    /// Units that must retreat from now on.
    pub away: Vec<UnitId>,
    /// What units are beyond their kinds, where that has changed.
    pub traits: Vec<(UnitId, Traits)>,
}
