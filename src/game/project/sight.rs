//! What an order is considered by: the board as its sender sees it (`visibility.md` 10.1, `consider`).

use std::collections::{BTreeMap, BTreeSet};

use super::super::asks::{Ask, asks};
use super::super::horizon::horizon;
use super::super::{Game, Horizon, Orders, Phase, Variant};
use crate::calendar::Turn;
use crate::map::{Map, Power, PowerInfo, Province};
use crate::orders::{Overlay, VariantData};
use crate::position::{Dislodged, Position, Unit, UnitId};
use crate::view::Viewer;

/// Decides whether something is in a viewer's sight.
pub struct Eye {
    horizon: Option<Horizon>,
    own: Option<Power>,
}

impl Eye {
    /// The eye of a viewer on a game as it is.
    pub fn of(game: &Game, variant: &dyn Variant, viewer: Viewer) -> Eye {
        let own = match viewer {
            Viewer::Power(power) => Some(power),
            _ => None,
        };
        Eye {
            horizon: horizon(game, variant, viewer),
            own,
        }
    }

    /// The eye from which nothing is hidden.
    pub(super) fn whole() -> Eye {
        Eye {
            horizon: None,
            own: None,
        }
    }

    /// Whether a unit is in sight.
    pub fn sees(&self, unit: &Unit) -> bool {
        self.own == Some(unit.power)
            || self
                .horizon
                .as_ref()
                .is_none_or(|horizon| horizon.shows(unit))
    }

    /// Whether a province is in sight: who owns it, and whether it is empty.
    pub fn watches(&self, province: Province) -> bool {
        self.horizon
            .as_ref()
            .is_none_or(|horizon| horizon.provinces.contains(&province))
    }

    /// A dislodged unit as this eye knows it: where another's can go is not for it to know.
    fn of_dislodged(&self, dislodged: &Dislodged) -> Dislodged {
        if self.horizon.is_none() || self.own == Some(dislodged.unit.power) {
            return dislodged.clone();
        }
        Dislodged {
            unit: dislodged.unit,
            attacker: None,
            options: Vec::new(),
        }
    }

    /// Whether anything at all may be hidden from this eye.
    pub fn is_bounded(&self) -> bool {
        self.horizon.is_some()
    }
}

/// The board as one power sees it, with its own orders. Orders are considered by this alone, so that an answer
/// cannot betray what is hidden.
#[derive(Clone, Debug)]
pub struct Sight {
    /// Who looks.
    pub power: Power,
    /// All powers, to read names by.
    pub powers: Vec<PowerInfo>,
    /// The map.
    pub map: &'static Map,
    /// The turn in hand.
    pub turn: Turn,
    /// The phase in hand.
    pub phase: Phase,
    /// Units, dislodged units and owners in sight.
    pub position: Position,
    /// The provinces in sight; `None` is the whole board. Where it is some, an order is refused for what the map and the
    /// own units say alone; what stands out of sight is neither commented nor filled in.
    pub horizon: Option<BTreeSet<Province>>,
    /// What is laid over the map this turn.
    pub overlay: Overlay,
    /// What the power has ordered so far.
    pub orders: Orders,
    /// Slips of the variant's own that outlast the phase.
    pub slips: BTreeMap<String, VariantData>,
    /// What the variant lets this power's lines know (`Variant::insight`).
    pub own: VariantData,
    /// Units that an earlier line of the same mail has ordered.
    pub ordered_just_now: BTreeSet<UnitId>,
    /// Units lent to this power.
    pub borrowed: Vec<UnitId>,
    /// What the phase wants from this power; `None` if nothing.
    pub ask: Option<Ask>,
    /// Where the power may build.
    pub sites: Vec<Province>,
    /// Whether units may be lent in this game.
    pub proxy: bool,
    /// Whether a coast must be named where two are within reach.
    pub strict_coasts: bool,
}

/// What a power sees.
pub fn sight(game: &Game, variant: &dyn Variant, power: Power) -> Sight {
    let eye = Eye::of(game, variant, Viewer::Power(power));
    let position = Position {
        units: game
            .position
            .units
            .iter()
            .filter(|unit| eye.sees(unit))
            .cloned()
            .collect(),
        dislodged: game
            .position
            .dislodged
            .iter()
            .filter(|dislodged| eye.sees(&dislodged.unit))
            .map(|dislodged| eye.of_dislodged(dislodged))
            .collect(),
        owners: seen_owners(game, &eye, power),
    };
    let borrowed = game
        .standings
        .values()
        .flat_map(|standing| standing.orders.lent.iter())
        .filter(|(unit, to)| **to == power && position.unit(**unit).is_some())
        .map(|(unit, _)| *unit)
        .collect();
    Sight {
        power,
        powers: game.powers.clone(),
        map: game.map(),
        turn: game.turn,
        horizon: eye.horizon.map(|horizon| horizon.provinces),
        phase: game.phase.clone(),
        position,
        overlay: variant.overlay(game),
        orders: game.standing(power).orders,
        slips: game.standing(power).slips,
        own: variant.insight(game, power),
        ordered_just_now: BTreeSet::new(),
        borrowed,
        ask: asks(game, variant).due.get(&power).cloned(),
        sites: super::super::asks::allowances(game, variant).sites(power),
        proxy: game.settings.proxy,
        strict_coasts: game.settings.strict_coasts,
    }
}

fn seen_owners(game: &Game, eye: &Eye, power: Power) -> BTreeMap<Province, Power> {
    let seen = |province: &Province, owner: &Power| *owner == power || eye.watches(*province);
    game.position
        .owners
        .iter()
        .filter(|(province, owner)| seen(province, owner))
        .map(|(p, o)| (*p, *o))
        .collect()
}
