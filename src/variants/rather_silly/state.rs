//! The state of a game beside the position (2.2).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::news::Step;
use dipjudge_game::Sealed;
use dipjudge_rules::map::{Location, Power, Province};
use dipjudge_rules::position::{Unit, UnitId};
use dipjudge_rules::sorted_map::SortedMap;

/// What an army or fleet is beyond its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Traits {
    /// How many units it counts for: more than one when it was merged.
    pub n: u32,
    pub gay: bool,
    /// One of its owner's SIAMESE pair.
    pub siamese: bool,
    /// It needs no center.
    pub free: bool,
    /// Seasons for which it has double strength.
    pub soul: u8,
    /// It has sold its soul at some time.
    pub sold: bool,
}

impl Default for Traits {
    fn default() -> Traits {
        Traits {
            n: 1,
            gay: false,
            siamese: false,
            free: false,
            soul: 0,
            sold: false,
        }
    }
}

/// Where BORG is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Borg {
    /// He has not come yet.
    #[default]
    Due,
    /// He does not come.
    Never,
    /// He is there.
    At(Province),
}

/// Where the TARDIS is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Tardis {
    /// There is none: nobody is the DOCTOR.
    #[default]
    None,
    Hyperspace,
    At(Province),
}

/// How many parts make a free unit. Shares of up to ten divide it without a rest.
pub(super) const WHOLE: u32 = 2520;

/// Parts of a unit as an exact fraction: `3/2`.
pub(super) fn fraction(parts: u32) -> String {
    let (mut a, mut b) = (parts, WHOLE);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    let (over, under) = (parts / a.max(1), WHOLE / a.max(1));
    match under {
        1 => over.to_string(),
        _ => format!("{over}/{under}"),
    }
}

/// An answer that the MASTERMIND accepts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Accepted {
    /// This text, small misspellings aside.
    Text(String),
    /// All of these words, in any order.
    Words(Vec<String>),
    /// A number from the first to the second.
    Number(f64, f64),
}

impl std::fmt::Display for Accepted {
    /// As data have it, and as players read it when the question closes.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Accepted::Text(text) => f.write_str(text),
            Accepted::Words(words) => write!(f, "CONTAINS: {}", words.join(" ")),
            Accepted::Number(low, high) => {
                // What was written in decimals comes back without the last places of a binary number.
                let rounded = |number: f64| (number * 1e6).round() / 1e6;
                let (number, by) = (rounded((low + high) / 2.0), rounded((high - low) / 2.0));
                if by == 0.0 {
                    write!(f, "NUMBER: {number}")
                } else {
                    write!(f, "NUMBER: {number} +- {by}")
                }
            }
        }
    }
}

/// What the MASTERMIND asks, and what he accepts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Question {
    pub text: String,
    pub accepted: Vec<Accepted>,
}

/// The spaces of a power's herds.
pub(super) type Herds = BTreeSet<Province>;

/// The state of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct SillyState {
    /// What units are beyond their kinds; one that is not here is plain.
    pub(super) traits: BTreeMap<UnitId, Traits>,
    pub(super) borg: Borg,
    pub(super) tardis: Tardis,
    /// The spaces that are linked, the lesser first.
    pub(super) link: Option<(Province, Province)>,
    #[serde(skip_serializing)]
    pub(super) herds: BTreeMap<Power, Sealed<Herds>>,
    /// How many units a power must do without because their souls were lost.
    pub(super) lost_souls: BTreeMap<Power, u32>,
    /// Lost souls that count for a time only: whose, and for how many more seasons.
    pub(super) lost_until: Vec<(Power, u8)>,
    /// Accounts of free units, in parts of `WHOLE`.
    pub(super) accounts: BTreeMap<Power, u32>,
    /// Fleets that were built since Winter 1901.
    pub(super) fleets_built: BTreeMap<Power, u32>,
    /// Who has built his SIAMESE pair.
    pub(super) paired: BTreeSet<Power>,
    pub(super) points: u32,
    /// The DOCTOR's centers at the last Winter.
    pub(super) doctors_centers: u32,
    /// Whether the JESTER has a second re-order, the SOOTHSAYER a third prediction, in the coming season.
    pub(super) bonus: BTreeSet<Power>,
    /// The question that is open; nothing if the MASTERMIND has not asked.
    pub(super) question: Option<Question>,
    /// The powers that are out.
    pub(super) out: BTreeSet<Power>,
    /// What has happened in the season.
    pub(super) season: SeasonRecord,
    /// What happened in the phase adjudicated last.
    pub(super) steps: Vec<Step>,
    pub(super) winners: BTreeSet<Power>,
}

/// What has happened in a season, for its later steps and for conditions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct SeasonRecord {
    /// The units as they stood when it began.
    pub start: Vec<Unit>,
    /// Where units were finally ordered to move.
    pub moves: SortedMap<UnitId, Province>,
    /// Those that arrived.
    pub arrived: BTreeSet<UnitId>,
    /// Empty spaces into which moves failed, with the units.
    pub register: BTreeMap<Province, Vec<UnitId>>,
    /// FEMALE and DIRTY OLD MAN armies that walked to a space in the register.
    pub walked: BTreeMap<UnitId, Province>,
    /// The coasts that fleets were ordered to go to, in spaces of the register.
    pub coasts: BTreeMap<UnitId, Location>,
    /// Where BIRDS may not end.
    pub shooed: BTreeSet<Province>,
    pub merged: BTreeSet<Province>,
    pub destroyed: BTreeSet<UnitId>,
    /// Those that BORG ate.
    pub eaten: BTreeSet<UnitId>,
    pub exploded: BTreeSet<Province>,
    /// What the master has ruled of answers, in order: whether they are right.
    pub ruled: Vec<(Power, bool)>,
    /// Who answered rightly.
    pub right: BTreeSet<Power>,
}

/// A draw that was made, for the report (section 6).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Drawn {
    pub label: String,
    /// In the order in which they are numbered.
    pub options: Vec<String>,
    pub result: String,
}
