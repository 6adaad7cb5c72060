//! Whether an order can be given to a unit (5.1).

use super::board::Board;
use super::distraction::can_distract;
use super::ground::Islands;
use super::names::Names;
use super::orders::UnitOrder;
use super::{BIRDS, DOM, FEMALE, MASTERMIND, MONSTERS, is_conventional, is_idle_army, is_island};
use dipjudge_game::{Refusal, refuse};
use dipjudge_rules::map::{PowerInfo, Province, UnitKind};
use dipjudge_rules::orders::{Action, Overlay, legal};
use dipjudge_rules::position::Unit;

/// How many spaces BIRDS fly alone.
const ALONE: usize = 3;
/// How many they fly with an army or the TARDIS.
const LADEN: usize = 2;

/// What orders are checked against: the board, and the words of the game.
#[derive(Clone, Copy)]
pub(super) struct OrderCheck<'b> {
    pub board: &'b Board<'b>,
    /// What is laid over the map: that of the board.
    pub overlay: &'b Overlay,
    pub powers: &'b [PowerInfo],
    pub names: &'b Names,
}

impl OrderCheck<'_> {
    /// Refuses an order that a unit cannot have in the position at the start of the season.
    pub(super) fn check(&self, unit: &Unit, told: &UnitOrder) -> Result<(), Refusal> {
        let names = self.names;
        match told {
            UnitOrder::HoldTardis => Ok(()),
            UnitOrder::Shoo if unit.kind == BIRDS => refuse("BIRDS do not Shoo."),
            UnitOrder::Shoo => Ok(()),
            UnitOrder::Distract(whom) => self.distract(unit, self.board.unit(*whom)),
            UnitOrder::Expose if unit.kind == DOM => Ok(()),
            UnitOrder::Expose => refuse(format!("Only a {} can {}.", names.dom, names.expose)),
            UnitOrder::Fly {
                route,
                army,
                tardis,
            } => {
                let most = if army.is_some() || *tardis {
                    LADEN
                } else {
                    ALONE
                };
                self.fly(unit, route, most)
            }
            UnitOrder::Ride { route, .. } => self.ride(unit, route),
            UnitOrder::Carry { to, by } => self.common(
                unit,
                &Action::Move {
                    to: *to,
                    by: by.clone(),
                },
            ),
            UnitOrder::Common(action) => self.common(unit, action),
        }
    }

    /// An order of every game: by the rules of every game, and for this kind of unit.
    fn common(&self, unit: &Unit, action: &Action) -> Result<(), Refusal> {
        let names = self.names;
        match action {
            Action::Hold => return Ok(()),
            Action::Move { .. } if unit.kind == BIRDS => {
                return refuse("BIRDS fly: name every space, B(Lon)-NTH-Den.");
            }
            Action::Move { to, .. } => self.open(unit, to.province)?,
            Action::SupportHold { at } | Action::SupportMove { from: at, .. } => {
                self.support(unit, *at)?;
            }
            Action::Convoy { .. } if !is_conventional(unit.kind) => {
                return refuse(format!(
                    "{}, {} and BIRDS convoy nobody.",
                    names.females, names.doms
                ));
            }
            _ => {}
        }
        let units = Some(self.board.position.units.as_slice());
        legal(self.board.map, self.overlay, unit, action, units)
            .map_err(|illegal| illegal.sentence(self.board.map, self.powers).into())
    }

    /// Why a unit cannot go to a space that looks near: the islands, and the UNDERPASS.
    fn open(&self, unit: &Unit, to: Province) -> Result<(), Refusal> {
        let ground = self.board.ground();
        if is_island(to) && unit.power != MASTERMIND {
            return refuse("Iceland and Corfu are open to the MASTERMIND's units and BORG alone.");
        }
        if unit.kind == UnitKind::FLEET && ground.through_underpass(unit.at.province, to) {
            return refuse("Only armies go through the UNDERPASS.");
        }
        Ok(())
    }

    fn support(&self, unit: &Unit, at: Province) -> Result<(), Refusal> {
        let names = self.names;
        if !is_conventional(unit.kind) {
            return refuse(format!(
                "{}, {} and BIRDS have no combat value: they support nobody.",
                names.females, names.doms
            ));
        }
        match self.board.solid(at) {
            None => refuse("Only armies and fleets can be supported, and none is there."),
            Some(supported) if supported.power == MONSTERS => refuse("Monsters take no support."),
            Some(_) => Ok(()),
        }
    }

    fn distract(&self, female: &Unit, whom: Option<&Unit>) -> Result<(), Refusal> {
        let names = self.names;
        if female.kind != FEMALE {
            return refuse(format!("Only a {} can {}.", names.female, names.distract));
        }
        let Some(whom) = whom else {
            return refuse("There is no such unit.");
        };
        if can_distract(self.board, female, whom) {
            Ok(())
        } else if !is_conventional(whom.kind) || self.board.traits(whom.id).gay {
            refuse(format!(
                "BIRDS, {}, {}, {} and monsters cannot be {}.",
                names.females, names.doms, names.gay_fleets, names.distracted
            ))
        } else {
            refuse(format!(
                "That unit cannot reach the {} in one step, so it cannot be {}.",
                names.female, names.distracted
            ))
        }
    }

    fn fly(&self, unit: &Unit, route: &[Province], most: usize) -> Result<(), Refusal> {
        if unit.kind != BIRDS {
            return refuse("Only BIRDS fly.");
        }
        self.flyable(
            unit.at.province,
            route,
            Islands::for_units_of(unit.power),
            most,
        )
    }

    fn ride(&self, unit: &Unit, route: &[Province]) -> Result<(), Refusal> {
        if unit.kind != UnitKind::ARMY && !is_idle_army(unit.kind) {
            return refuse("Only armies can be carried.");
        }
        if self.board.traits(unit.id).siamese {
            return refuse(format!("A {} army cannot be carried.", self.names.siamese));
        }
        self.flyable(unit.at.province, route, Islands::Open, LADEN)
    }

    fn flyable(
        &self,
        from: Province,
        route: &[Province],
        islands: Islands,
        most: usize,
    ) -> Result<(), Refusal> {
        let ground = self.board.ground();
        if route.len() > most {
            return refuse("BIRDS fly three spaces, two with an army or the TARDIS.");
        }
        let mut here = from;
        for next in route {
            if !ground.air(here, islands).contains(next) {
                let name = |place: Province| self.board.map.full_name(place.into());
                return refuse(format!(
                    "BIRDS cannot fly from {} to {} in one step.",
                    name(here),
                    name(*next)
                ));
            }
            here = *next;
        }
        Ok(())
    }
}

/// Whether the LINK can join two spaces: any two different ones (R41).
pub(super) fn can_be_linked(a: Province, b: Province) -> bool {
    a != b
}
