//! Actions in a reader's words: the orders of a unit, as its owner or a report reads them.

use super::sight::Visibility;
use super::{Naming, kind_name};
use crate::{Game, Standing};
use dipjudge_rules::adjudicator;
use dipjudge_rules::map::{Location, Power, Province};
use dipjudge_rules::orders::{
    Action, NewUnit, OnBoard, Passage, Rename, VariantOrder, WrittenRoute, fights,
};
use dipjudge_rules::position::{Position, Unit};
use dipjudge_view::{InNames, Mark, SpecialInNames, SupportedUnit, UnitOrder, WinterAction};
use std::convert::Infallible;

/// What reports call a mark.
pub(super) fn mark_of(mark: adjudicator::Mark) -> Mark {
    match mark {
        adjudicator::Mark::Bounce => Mark::Bounce,
        adjudicator::Mark::Cut => Mark::Cut,
        adjudicator::Mark::Void => Mark::Void,
        adjudicator::Mark::NoConvoy => Mark::NoConvoy,
        adjudicator::Mark::Disrupted => Mark::Disrupted,
        adjudicator::Mark::Dislodged => Mark::Dislodged,
        adjudicator::Mark::Disband => Mark::Destroyed,
    }
}

impl Naming<'_> {
    /// A build, a removal or a waiver in names; `None` for any other action.
    pub(super) fn winter_action(self, action: &Action) -> Option<WinterAction> {
        let map = self.game.map();
        Some(match action {
            Action::Build(NewUnit { kind, at }) => WinterAction::Build {
                kind: kind_name(self.game, *kind),
                place: map.full_name(*at),
            },
            Action::Remove { at } => {
                let unit = unit_at(&self.game.position, *at)?;
                let seen = self.seen_unit(unit);
                WinterAction::Remove {
                    kind: seen.kind,
                    place: seen.place,
                    at_sea: seen.at_sea,
                }
            }
            Action::Waive => WinterAction::Waive,
            _ => return None,
        })
    }

    /// An action in names.
    pub(super) fn seen_action(self, unit: &Unit, action: Option<&Action>) -> UnitOrder {
        action_in_names(self.game, action, &|province| {
            self.supported_unit(unit, province)
        })
    }

    fn supported_unit(self, by: &Unit, province: Province) -> SupportedUnit {
        let map = self.game.map();
        if map.info(province).is_some_and(|info| info.shared) {
            return self.supported_in_shared_province(by, province);
        }
        // Where units that do not fight also stand, the order means the one that does.
        let position = &self.game.position;
        let mut there = position.units.iter();
        let fighting = there.find(|unit| unit.at.province == province && fights(map, unit.kind));
        match fighting.or_else(|| unit_at(position, province)) {
            Some(unit) => SupportedUnit {
                adjective: (unit.power != by.power).then(|| self.seen_unit(unit).adjective),
                kind: Some(kind_name(self.game, unit.kind)),
                place: map.full_name(unit.at),
            },
            None => SupportedUnit {
                adjective: None,
                kind: None,
                place: map.full_name(Location {
                    province,
                    coast: None,
                }),
            },
        }
    }

    /// Where several units stand, the order also says whose is meant.
    fn supported_in_shared_province(self, by: &Unit, province: Province) -> SupportedUnit {
        let owner = self.game.standing(by.power);
        let giver = owner
            .orders
            .lent
            .get(&by.id)
            .map(|to| self.game.standing(*to));
        let orders = &giver.unwrap_or(owner).orders;
        let whose = orders.meant(by.id).unwrap_or(by.power);
        let unit = self
            .game
            .position
            .units
            .iter()
            .find(|unit| unit.at.province == province && unit.power == whose);
        SupportedUnit {
            adjective: (whose != by.power && whose != Power::NEUTRAL)
                .then(|| self.labels.adjective(whose).to_owned()),
            kind: unit.map(|unit| kind_name(self.game, unit.kind)),
            place: self.game.map().full_name(Location::from(province)),
        }
    }
}

pub(super) fn unit_at(position: &Position, province: Province) -> Option<&Unit> {
    position
        .units
        .iter()
        .find(|unit| unit.at.province == province)
}

/// An action in the words of its sender: of a unit out of his sight he reads only what he wrote.
pub(super) fn own_action(
    game: &Game,
    visibility: &Visibility,
    standing: &Standing,
    unit: &Unit,
    action: Option<&Action>,
) -> UnitOrder {
    let map = game.map();
    let named = standing.orders.named.get(&unit.id).copied();
    action_in_names(game, action, &|province| {
        let seen = unit_at(&game.position, province).filter(|other| visibility.sees(other));
        let kind = match seen {
            Some(other) if other.power == unit.power => Some(other.kind),
            _ => named.or(seen.map(|other| other.kind)),
        };
        SupportedUnit {
            adjective: None,
            kind: kind.map(|kind| kind_name(game, kind)),
            place: map.full_name(seen.map_or(Location::from(province), |other| other.at)),
        }
    })
}

fn action_in_names(
    game: &Game,
    action: Option<&Action>,
    supported: &dyn Fn(Province) -> SupportedUnit,
) -> UnitOrder {
    match action {
        None | Some(Action::Build(_) | Action::Remove { .. } | Action::Waive) => UnitOrder::Nothing,
        Some(action) => {
            let Ok(action) = action.map(&BoardToNames { game, supported });
            UnitOrder::Action(action)
        }
    }
}

/// Full names of places, and what the reader may know of units that orders name.
struct BoardToNames<'a> {
    game: &'a Game,
    supported: &'a dyn Fn(Province) -> SupportedUnit,
}

impl Rename<OnBoard, InNames> for BoardToNames<'_> {
    type Error = Infallible;

    fn place(&self, place: &Location) -> Result<String, Infallible> {
        Ok(self.game.map().full_name(*place))
    }

    fn province(&self, province: &Province) -> Result<String, Infallible> {
        self.place(&Location::from(*province))
    }

    fn unit(&self, unit: &Province) -> Result<SupportedUnit, Infallible> {
        Ok((self.supported)(*unit))
    }

    fn route(&self, route: &Passage) -> Result<Vec<String>, Infallible> {
        route.stops().iter().map(|sea| self.province(sea)).collect()
    }

    fn new_unit(&self, unit: &NewUnit) -> Result<SupportedUnit, Infallible> {
        Ok(SupportedUnit {
            adjective: None,
            kind: Some(kind_name(self.game, unit.kind)),
            place: self.place(&unit.at)?,
        })
    }

    fn special(&self, order: &VariantOrder) -> Result<SpecialInNames, Infallible> {
        Ok(SpecialInNames::Own {
            words: order.0.clone(),
        })
    }
}
