//! Units in a reader's words.

use super::{Labels, Visibility};
use crate::Game;
use dipjudge_rules::map::{Location, Power, Terrain, UnitKind};
use dipjudge_rules::position::Unit;
use dipjudge_view::SeenUnit;

/// Names units and their actions: places by the board of a game, powers by the labels of one reader.
#[derive(Clone, Copy)]
pub(super) struct Naming<'g> {
    pub(super) game: &'g Game,
    pub(super) labels: &'g Labels<'g>,
}

impl<'g> Naming<'g> {
    pub(super) fn new(game: &'g Game, labels: &'g Labels<'g>) -> Naming<'g> {
        Naming { game, labels }
    }

    /// A unit in names.
    pub(super) fn seen_unit(self, unit: &Unit) -> SeenUnit {
        let map = self.game.map();
        let shared = map.info(unit.at.province).is_some_and(|info| info.shared);
        // Where several units may stand without a combat, they are not numbered.
        let number = match self.game.position.number_among_like(unit) {
            Some(number) if !shared => format!(" #{number}"),
            _ => String::new(),
        };
        SeenUnit {
            power: self.labels.label(unit.power),
            adjective: self.labels.adjective(unit.power).to_owned(),
            kind: kind_name(self.game, unit.kind),
            place: format!("{}{number}", map.full_name(unit.at)),
            province: map.full_name(Location {
                coast: None,
                ..unit.at
            }),
            at_sea: map
                .info(unit.at.province)
                .is_some_and(|info| info.terrain == Terrain::Sea),
        }
    }

    /// The units in sight, by power; powers without units are left out.
    pub(super) fn units_in_sight(self, visibility: &Visibility) -> Vec<Vec<SeenUnit>> {
        let of = |power: Power| -> Vec<SeenUnit> {
            let own = self
                .game
                .position
                .units
                .iter()
                .filter(|unit| unit.power == power && visibility.sees(unit));
            let mut seen: Vec<SeenUnit> = Vec::new();
            for unit in own.map(|unit| self.seen_unit(unit)) {
                // A second unit with the same description stands in the same shared province.
                if !seen.contains(&unit) {
                    seen.push(unit);
                }
            }
            for (unit, count) in self.sharing_provinces(visibility, power) {
                let place = format!("{} ({count})", unit.place);
                seen.iter_mut()
                    .filter(|other| **other == unit)
                    .for_each(|other| other.place.clone_from(&place));
            }
            seen
        };
        self.game
            .all_powers()
            .chain([Power::NEUTRAL])
            .map(of)
            .filter(|units| !units.is_empty())
            .collect()
    }

    /// Units of a power with the same description, since they share a shared province, and their number.
    fn sharing_provinces(self, visibility: &Visibility, power: Power) -> Vec<(SeenUnit, usize)> {
        let mut shared_provinces: Vec<(SeenUnit, usize)> = Vec::new();
        let shared = |unit: &&Unit| {
            let info = self.game.map().info(unit.at.province);
            unit.power == power && visibility.sees(unit) && info.is_some_and(|info| info.shared)
        };
        for unit in self.game.position.units.iter().filter(shared) {
            let unit = self.seen_unit(unit);
            match shared_provinces
                .iter_mut()
                .find(|(other, _)| *other == unit)
            {
                Some((_, count)) => *count += 1,
                None => shared_provinces.push((unit, 1)),
            }
        }
        shared_provinces.retain(|(_, count)| *count > 1);
        shared_provinces
    }
}

/// `Army`.
pub(super) fn kind_name(game: &Game, kind: UnitKind) -> String {
    game.map()
        .kind(kind)
        .map_or_else(|| kind.to_string(), |info| info.name.clone())
}
