//! The opening Winter of a game that begins on an empty board. Each power builds a unit in each of its home centers; where it
//! orders nothing, the traditional unit is built. Clock and press follow the rules of movement phases, since the first
//! negotiations are held in this phase.

use super::{Ask, Opening, Phase, Requirements, VariantGame, in_play};
use dipjudge_rules::adjudicator::Allowances;
use dipjudge_rules::calendar::{Season, Turn};
use dipjudge_rules::map::{Location, Map, Power, UnitKind};
use dipjudge_rules::orders::{Action, NewUnit};
use dipjudge_rules::position::Position;

/// The opening Winter.
pub const WINTER: Turn = Turn {
    year: SPRING.year - 1,
    season: Season::Winter,
};

/// The turn in which all other games begin.
const SPRING: Turn = Turn {
    year: 1901,
    season: Season::Spring,
};

impl VariantGame<'_> {
    /// Whether a game begins on an empty board, because of its variant or because its master has chosen so.
    pub fn begins_on_empty_board(self) -> bool {
        match self.variant.card().opening {
            Opening::Blank => true,
            Opening::Standing => self.game.settings.blank_board,
            Opening::Own | Opening::Winter => false,
        }
    }

    /// Whether the opening Winter is the phase in hand.
    pub fn is_opening_winter(self) -> bool {
        self.game.turn == WINTER
            && self.game.phase == Phase::Adjustments
            && self.begins_on_empty_board()
    }

    /// The turn in which a game begins.
    pub(super) fn first_turn(self) -> Turn {
        if self.begins_on_empty_board() || self.variant.card().opening == Opening::Winter {
            WINTER
        } else {
            SPRING
        }
    }

    /// The position in which the game begins, derived from the one with which its variant begins otherwise.
    pub(super) fn opening_position(self, mut position: Position) -> Position {
        if self.begins_on_empty_board() {
            position.units.clear();
        }
        position
    }

    /// A unit is built in every home center: no build can be waived, and a center without an order gets its traditional unit, or
    /// an army where the map has none.
    pub(super) fn amend_opening_allowances(self, allowances: &mut Allowances) {
        if !self.is_opening_winter() {
            return;
        }
        let map = self.game.map();
        for (power, allowance) in &mut allowances.powers {
            allowance.may_waive = false;
            allowance.default_builds = traditional(map, *power);
            // On some maps units also stand elsewhere at the start; these cannot be built.
            allowance
                .default_builds
                .retain(|(_, at)| allowance.sites.contains(&at.province));
            let left = |site: &&_| {
                let mut taken = allowance.default_builds.iter();
                !taken.any(|(_, at)| at.province == **site)
            };
            let armies: Vec<_> = allowance
                .sites
                .iter()
                .filter(left)
                .map(|site| (UnitKind::ARMY, Location::from(*site)))
                .collect();
            allowance.default_builds.extend(armies);
        }
    }

    /// The opening Winter is played even if nobody has a choice. A power that sends nothing has chosen the traditional units, so
    /// nobody can be late.
    pub(super) fn amend_opening_requirements(
        self,
        allowances: &Allowances,
        requirements: &mut Requirements,
    ) {
        if !self.is_opening_winter() {
            return;
        }
        requirements.held_anyway = true;
        requirements.without_grace = true;
        for power in in_play(self.game, self.variant) {
            let ask = Ask::adjust(allowances, power);
            requirements.due.insert(power, ask);
        }
    }

    /// The units that a power gets without further orders, as a note to that power alone. The note is not a valid order.
    pub(super) fn opening_builds_left_open(self, power: Power) -> Option<String> {
        if !self.is_opening_winter() {
            return None;
        }
        let orders = &self.game.standing(power).orders.winter;
        let ordered = |place: &Location| {
            let mut builds = orders.iter();
            builds
            .any(|order| matches!(order, Action::Build(NewUnit { at, .. }) if at.province == place.province))
        };
        let allowances = self.allowances();
        let units: Vec<String> = allowances
            .of(power)?
            .default_builds
            .iter()
            .filter(|(_, at)| !ordered(at))
            .map(|(kind, at)| format!("{kind} {at}"))
            .collect();
        (!units.is_empty()).then(|| format!("(unless you order otherwise: {})", units.join(", ")))
    }

    /// The kind of phase by which clock and press treat the phase in hand.
    pub fn timed_as(self) -> Phase {
        if self.is_opening_winter() {
            Phase::Movement
        } else {
            self.game.phase.clone()
        }
    }
}

/// The units with which a power of the map traditionally starts.
fn traditional(map: &Map, power: Power) -> Vec<(UnitKind, Location)> {
    map.start()
        .iter()
        .filter(|unit| unit.power == power)
        .map(|unit| (unit.kind, unit.at))
        .collect()
}
