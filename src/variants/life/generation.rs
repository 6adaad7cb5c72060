//! The Life step itself: who dies and what is born, read off one position (`rules.md`, A.4 to A.6, rulings 1, 5, 6).

use serde::{Deserialize, Serialize};

use super::wishes::{self, Wish};
use crate::remembered;
use dipjudge_game::{Game, KeptState};
use dipjudge_rules::calendar::Turn;
use dipjudge_rules::map::{Map, Power, Province};
use dipjudge_rules::position::{Position, Unit, UnitId};

/// What a step did; the variant's own state is the last of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Generation {
    /// The Summer or Winter of the step.
    pub(super) turn: Turn,
    /// How many phases had been adjudicated before the step; the report of the last of them includes it.
    pub(super) after: u32,
    /// The powers that had a unit before it.
    pub(super) alive: Vec<Power>,
    /// Units that died, by their provinces.
    pub(super) deaths: Vec<Death>,
    pub(super) births: Vec<Birth>,
}

/// A unit that died.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Death {
    pub unit: Unit,
    /// The neighboring provinces that held a unit; never two of them.
    pub neighbors: Vec<Province>,
}

/// A unit that was born.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Birth {
    /// The unit as it is on the board; of the kind of [`wishes::UNDECIDED`] while its type is open.
    pub unit: Unit,
    /// The three units beside it.
    pub parents: Vec<Unit>,
    /// What was drawn for it.
    #[serde(default, skip_serializing_if = "Wish::is_nothing")]
    pub drawn: Wish,
    /// The births phase that decided its kind, as `after` counts them; `None` if the step itself did, and while it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided: Option<u32>,
}

impl Birth {
    /// Whether its owner still has a choice.
    pub(super) fn open(&self) -> bool {
        self.unit.kind == wishes::UNDECIDED
    }
}

/// The last Life step of a game; `None` before the first.
pub(super) fn last(game: &Game) -> Option<Generation> {
    game.state::<super::Life>()
}

/// The births that are still open: there are some only within a births phase.
pub(super) fn open(last: Option<Generation>) -> Vec<Birth> {
    last.map_or_else(Vec::new, |generation| {
        generation.births.into_iter().filter(Birth::open).collect()
    })
}

impl Generation {
    /// The Life step of a position. It leaves every coastal birth open and does not change the board.
    pub(super) fn of(map: &Map, position: &Position, turn: Turn, after: u32) -> Generation {
        let beside = |province: Province| -> Vec<Unit> {
            map.neighbors(province)
                .iter()
                .filter_map(|near| position.standing(*near).copied())
                .collect()
        };
        let mut alive: Vec<Power> = position.units.iter().map(|unit| unit.power).collect();
        alive.retain(|power| *power != Power::NEUTRAL);
        alive.sort_unstable();
        alive.dedup();
        let (mut deaths, mut births) = (Vec::new(), Vec::new());
        let mut id = position.free_id();
        for info in map.provinces() {
            let near = beside(info.code);
            match (position.standing(info.code), near.as_slice()) {
                (Some(_), [_, _]) => {}
                (Some(unit), _) => deaths.push(Death {
                    unit: *unit,
                    neighbors: near.iter().map(|unit| unit.at.province).collect(),
                }),
                (None, [a, b, c]) => {
                    let unit = Unit {
                        id,
                        power: owner([a.power, b.power, c.power]),
                        kind: wishes::by_nature(info.terrain).unwrap_or(wishes::UNDECIDED),
                        at: info.code.into(),
                    };
                    id = UnitId(id.0.saturating_add(1));
                    births.push(Birth {
                        unit,
                        parents: near,
                        drawn: Wish::default(),
                        decided: None,
                    });
                }
                (None, _) => {}
            }
        }
        Generation {
            turn,
            after,
            alive,
            deaths,
            births,
        }
    }

    /// The board after it.
    pub(super) fn apply(&self, position: &Position) -> Position {
        let mut position = position.clone();
        position
            .units
            .retain(|unit| !self.deaths.iter().any(|death| death.unit.id == unit.id));
        position
            .units
            .extend(self.births.iter().map(|birth| birth.unit));
        position
    }

    /// The data of it, for the game.
    pub(super) fn kept(&self) -> KeptState {
        remembered(Some(self.clone())).into()
    }
}

/// The owner of the child of three units: the power that owns two of them, else nobody. Nobody counts as a nationality, so
/// two neutral parents have a neutral child (ruling 6).
fn owner([a, b, c]: [Power; 3]) -> Power {
    if a == b || a == c {
        a
    } else if b == c {
        b
    } else {
        Power::NEUTRAL
    }
}
