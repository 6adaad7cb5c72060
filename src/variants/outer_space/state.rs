//! The state of a game: colonies, empires in play, and what the season's movement attempted.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map as Keys, Value};

use super::{BERTHS, ORBIT, OVERBOOKED, OuterSpace};
use crate::remembered;
use dipjudge_game::project::{Sight, ToldGame};
use dipjudge_game::{DataError, Event, Game, KeptState, by_power, in_play, unreadable};
use dipjudge_rules::map::{Map, Power, Province, Terrain};
use dipjudge_rules::position::Unit;

/// The variant's own state of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OuterSpaceState {
    /// The owner of each colony.
    #[serde(default)]
    pub(super) colonies: BTreeMap<Province, Power>,
    /// Empires that are not eliminated.
    #[serde(default)]
    pub(super) in_play: Vec<Power>,
    /// What the season's movement attempted, until its end of turn.
    #[serde(default)]
    pub(super) attempts: Vec<Attempt>,
    /// What happened at the last end of a turn.
    #[serde(default)]
    pub(super) news: TurnNews,
}

/// An attempt of a movement phase that matters to colonization.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Attempt {
    /// To colonize a province.
    Colonize {
        power: Power,
        province: Province,
        /// Whether that unit was dislodged.
        dislodged: bool,
    },
    /// To move or beam down into a province, on a way that existed.
    Enter { power: Power, province: Province },
}

/// What happened at the end of a turn, for the report of the phase before it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct TurnNews {
    /// The number of that phase.
    pub number: u32,
    /// What became of each attempt to colonize.
    pub attempts: Vec<Attempted>,
    /// Eliminated empires, each with the colonies that it has lost.
    pub eliminated: Vec<(Power, Vec<Province>)>,
}

/// An attempt to colonize and its result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Attempted {
    pub power: Power,
    pub province: Province,
    pub result: Colonized,
}

/// The result of an attempt to colonize.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Colonized {
    /// A colony now; whose it was before.
    Done(Option<Power>),
    /// A unit of this empire stands there.
    Occupied(Power),
    /// Nobody stands there, but these empires tried for it too.
    Contested(Vec<Power>),
    /// The unit that tried was dislodged, which counts in this game.
    Dislodged,
}

impl OuterSpaceState {
    /// The state of a game; of one that has none yet, nothing.
    pub(super) fn known(game: &Game) -> Cow<'_, OuterSpaceState> {
        game.known_state::<OuterSpace>()
    }

    /// As the game keeps it.
    pub(super) fn kept(&self) -> KeptState {
        remembered(self.clone()).into()
    }

    /// Whether no army of this power may beam down to the province.
    pub(super) fn jams(&self, power: Power, province: Province) -> bool {
        self.colonies
            .get(&province)
            .is_some_and(|owner| *owner != power)
    }

    /// Whether a power's dislodged unit may retreat to the place, if it can get there.
    pub(super) fn shelters(&self, map: &Map, power: Power, province: Province) -> bool {
        let sea = map
            .info(province)
            .is_some_and(|info| info.terrain == Terrain::Sea);
        sea || province == ORBIT || self.colonies.get(&province) == Some(&power)
    }

    /// The colonies of a power, in the order of their codes.
    pub(super) fn colonies_of(&self, power: Power) -> impl Iterator<Item = Province> + '_ {
        self.colonies
            .iter()
            .filter(move |(_, owner)| **owner == power)
            .map(|(province, _)| *province)
    }

    /// The news of the phase with this number; those of an earlier phase are cleared.
    pub(super) fn news_of(&mut self, number: u32) -> &mut TurnNews {
        if self.news.number != number {
            self.news = TurnNews {
                number,
                ..TurnNews::default()
            };
        }
        &mut self.news
    }
}

/// What one power attempted, as a `state` object has it under `attempts`: only between movement and the end of the turn.
#[derive(Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Attempts {
    /// Provinces that it is to colonize.
    colonize: BTreeSet<Province>,
    /// The same, where the unit that was to do it has been dislodged.
    dislodged: BTreeSet<Province>,
    /// Provinces that it tried to enter.
    enter: BTreeSet<Province>,
}

/// By power `colonies`, its provinces, and `attempts`.
pub(super) fn read_keys(keys: &Keys<String, Value>, game: &Game) -> Result<Vec<Event>, DataError> {
    let mut state = OuterSpaceState {
        in_play: in_play(game, &OuterSpace),
        ..OuterSpaceState::default()
    };
    for power in game.all_powers() {
        let aboard = aboard(&game.position.units, power);
        if aboard > BERTHS {
            return unreadable(format!(
                "`units` gives {} {aboard} armies in {ORBIT}, and a spacecraft holds {BERTHS}.",
                game.key(power)
            ));
        }
    }
    let colonies: BTreeMap<Power, Vec<Province>> = by_power::read(keys, "colonies", game)?;
    for (power, provinces) in colonies {
        for province in provinces {
            if !is_land(game.map(), province) {
                return unreadable(format!(
                    "`colonies` names {province}, which is no land province."
                ));
            }
            if state.colonies.insert(province, power).is_some() {
                return unreadable(format!("`colonies` gives {province} twice."));
            }
        }
    }
    let attempts: BTreeMap<Power, Attempts> = by_power::read(keys, "attempts", game)?;
    for (power, attempts) in attempts {
        let colonize = |dislodged: bool| {
            move |province: Province| Attempt::Colonize {
                power,
                province,
                dislodged,
            }
        };
        let enter = |province: Province| Attempt::Enter { power, province };
        let Attempts {
            colonize: some,
            dislodged,
            enter: entered,
        } = attempts;
        state.attempts.extend(some.into_iter().map(colonize(false)));
        state
            .attempts
            .extend(dislodged.into_iter().map(colonize(true)));
        state.attempts.extend(entered.into_iter().map(enter));
    }
    Ok(vec![Event::Data { data: state.kept() }])
}

/// The keys of the whole state, as `by_power` and its like read them.
pub(super) fn write_keys(game: &ToldGame<'_>) -> Keys<String, Value> {
    let state = game.state(&OuterSpace);
    let mut colonies = Keys::new();
    for power in game.known_powers() {
        let own: Vec<Value> = state
            .colonies_of(power)
            .map(|province| Value::from(province.as_str()))
            .collect();
        if !own.is_empty() {
            colonies.insert(game.key(power), Value::from(own));
        }
    }
    let mut keys = Keys::new();
    keys.insert("colonies".to_owned(), Value::from(colonies));
    let mut attempts: BTreeMap<String, Attempts> = BTreeMap::new();
    for attempt in &state.attempts {
        let power = match attempt {
            Attempt::Colonize { power, .. } | Attempt::Enter { power, .. } => *power,
        };
        let of_power = attempts.entry(game.key(power)).or_default();
        let (provinces, province) = match attempt {
            Attempt::Colonize {
                province,
                dislodged: false,
                ..
            } => (&mut of_power.colonize, province),
            Attempt::Colonize { province, .. } => (&mut of_power.dislodged, province),
            Attempt::Enter { province, .. } => (&mut of_power.enter, province),
        };
        provinces.insert(*province);
    }
    if !attempts.is_empty() {
        let attempts = serde_json::to_value(attempts).unwrap_or_default();
        keys.insert("attempts".to_owned(), attempts);
    }
    keys
}

/// Whether a unit is in its spacecraft.
pub(super) fn is_aboard(unit: &Unit) -> bool {
    unit.at.province == ORBIT
}

/// Armies of a power in its spacecraft.
pub(super) fn aboard(units: &[Unit], power: Power) -> usize {
    units
        .iter()
        .filter(|unit| unit.power == power && is_aboard(unit))
        .count()
}

/// Whether armies may stand in the province and it may be colonized: land, and no orbit.
pub(super) fn is_land(map: &Map, province: Province) -> bool {
    map.info(province)
        .is_some_and(|info| info.terrain != Terrain::Sea && !info.shared)
}

/// The submission that keeps in which order armies were told to beam up.
pub(super) const WRITTEN: &str = "beam-ups";

/// What an empire knows when its lines are considered: all of it is public.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct OuterSpaceView {
    pub state: OuterSpaceState,
    /// Those listed first are taken aboard.
    pub listed: bool,
    /// Empires may still be named: no phase has been processed.
    pub names_are_open: bool,
}

impl OuterSpaceView {
    /// For a game.
    pub(super) fn of(game: &Game) -> OuterSpaceView {
        let state = OuterSpaceState::known(game);
        OuterSpaceView {
            state: OuterSpaceState {
                colonies: state.colonies.clone(),
                in_play: state.in_play.clone(),
                ..OuterSpaceState::default()
            },
            listed: OVERBOOKED.is(game, "listed"),
            names_are_open: game.number == 0,
        }
    }

    /// As a sight holds it.
    pub(super) fn seen(sight: &Sight) -> OuterSpaceView {
        sight.own.stored()
    }
}
