//! The state of a game of CivDip: names, contacts, units seen by bounces, homes, and open offers.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::CivDip;
use super::dealings::Dealings;
use crate::remembered;
use dipjudge_game::{Event, Game, KeptState, Phase};
use dipjudge_rules::calendar::Turn;
use dipjudge_rules::map::{Power, Province};
use dipjudge_rules::position::UnitId;

/// The state of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct CivDipState {
    /// What civilizations are called, by their numbers.
    pub(super) names: Vec<String>,
    pub(super) met: Vec<Contact>,
    /// Units that were seen beyond the horizon.
    pub(super) glimpses: Glimpses,
    /// The homes of each civilization, by its number, in the order in which they became homes; a lost home stays in the list.
    pub(super) homes: Vec<Vec<Province>>,
    /// Centers gained in one Fall, of which only some can become homes: their owner chooses in the Winter that follows.
    pub(super) open_homes: BTreeMap<Power, Vec<Province>>,
    pub(super) dealings: Dealings,
}

/// How two civilizations come into contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meeting {
    /// Their units or centers have met.
    OnBoard,
    /// A third civilization introduces them.
    Introduction,
}

/// Two civilizations that may write to each other and trade.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Contact {
    /// The two, the lower number first.
    pub between: (Power, Power),
    /// When they met: the turn and phase.
    pub since: (Turn, Phase),
    /// Whether a third civilization introduced them; such a contact never lapses.
    pub introduced: bool,
    /// Whether they have bounced, or stood next to each other, since the last movement was adjudicated.
    pub renewed: bool,
}

/// What bounces have shown, until the next moves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Glimpses {
    /// The number of the movement phase in which they bounced.
    pub of: u32,
    /// Who sees which unit.
    pub seen: BTreeSet<(Power, UnitId)>,
}

impl CivDipState {
    pub(super) fn of(game: &Game) -> CivDipState {
        game.state::<CivDip>()
    }

    /// The same, for what only looks at it.
    pub(super) fn known(game: &Game) -> Cow<'_, CivDipState> {
        game.known_state::<CivDip>()
    }

    /// As a game keeps it.
    pub(super) fn data(&self) -> KeptState {
        remembered(self.clone()).into()
    }

    /// The event that makes it the game's.
    pub(super) fn kept(&self) -> Event {
        Event::Data { data: self.data() }
    }

    /// What one civilization knows of it: its own name, homes, contacts and transactions. What it calls others is a matter of
    /// its labels.
    pub(super) fn known_to(mut self, power: Power) -> CivDipState {
        for (of, name) in (0u8..).map(Power).zip(&mut self.names) {
            if of != power {
                name.clear();
            }
        }
        for (of, homes) in (0u8..).map(Power).zip(&mut self.homes) {
            if of != power {
                homes.clear();
            }
        }
        self.met
            .retain(|contact| contact.between.0 == power || contact.between.1 == power);
        self.glimpses.seen.retain(|(seer, _)| *seer == power);
        self.open_homes.retain(|of, _| *of == power);
        self.dealings.keep_those_of(power);
        self
    }

    /// What a civilization is called.
    pub(super) fn name(&self, power: Power) -> String {
        let name = power.index().and_then(|index| self.names.get(index));
        name.cloned().unwrap_or_default()
    }

    /// The homes of a civilization.
    pub(super) fn homes(&self, power: Power) -> &[Province] {
        let homes = power.index().and_then(|index| self.homes.get(index));
        homes.map_or(&[], Vec::as_slice)
    }

    /// Makes a center a home.
    pub(super) fn add_home(&mut self, power: Power, center: Province) {
        if let Some(homes) = power.index().and_then(|index| self.homes.get_mut(index)) {
            homes.push(center);
        }
    }

    /// The contacts of a civilization, each with when they met.
    pub(super) fn contacts(&self, power: Power) -> Vec<(Power, (Turn, Phase))> {
        let other = |contact: &Contact| {
            let (one, other) = contact.between;
            let met = match power {
                power if power == one => other,
                power if power == other => one,
                _ => return None,
            };
            Some((met, contact.since.clone()))
        };
        self.met.iter().filter_map(other).collect()
    }

    /// Whether two are in contact.
    pub(super) fn have_met(&self, one: Power, other: Power) -> bool {
        let pair = (one.min(other), one.max(other));
        self.met.iter().any(|contact| contact.between == pair)
    }

    /// Makes two civilizations meet, or renews their contact. Returns whether the contact is new.
    pub(super) fn meet(
        &mut self,
        one: Power,
        other: Power,
        since: (Turn, Phase),
        meeting: Meeting,
    ) -> bool {
        let introduced = meeting == Meeting::Introduction;
        let pair = (one.min(other), one.max(other));
        let known = self.met.iter_mut().find(|known| known.between == pair);
        if let Some(known) = known {
            known.introduced |= introduced;
            known.renewed |= !introduced;
            return false;
        }
        self.met.push(Contact {
            between: pair,
            since,
            introduced,
            renewed: !introduced,
        });
        true
    }
}
