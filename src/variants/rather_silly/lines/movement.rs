//! What units are told in a movement beside ordinary orders, and ordinary orders within a line of the variant's.

use super::units::Named;
use super::{Reader, no_order};
use crate::rather_silly::line_parts::{part, parts};
use crate::rather_silly::orders::UnitOrder;
use crate::rather_silly::{BIRDS, slots};
use dipjudge_game::{Effect, Refusal, refuse};
use dipjudge_grammar::Line;
use dipjudge_rules::map::{Location, Province};
use dipjudge_rules::orders::{Action, Passage};
use dipjudge_rules::position::{Unit, UnitId};

impl Reader<'_> {
    pub(super) fn own_orders(&self, line: &Line) -> Result<Vec<Effect>, Refusal> {
        self.in_movement()?;
        let line = line.parts.first().ok_or("An order is missing.")?;
        let orders = self.orders_in(line)?;
        let mut effects = Vec::new();
        for (unit, order) in orders {
            if unit.power == self.sight.power {
                effects.push(self.order(&unit, order)?);
            }
        }
        if effects.is_empty() {
            refuse("That unit is not yours.")
        } else {
            Ok(effects)
        }
    }

    /// The orders of a line, each with its unit. A line about a lift orders both units; the order of each counts only if its owner
    /// gives it.
    pub(super) fn orders_in(&self, line: &Line) -> Result<Vec<(Unit, UnitOrder)>, Refusal> {
        let only = |unit: Unit, order: UnitOrder| Ok(vec![(unit, order)]);
        match line.rule.as_str() {
            "distract" => {
                let mut units = parts(line, "unit");
                let (Some(who), Some(whom)) = (units.next(), units.next()) else {
                    return no_order();
                };
                only(self.unit(who)?, UnitOrder::Distract(self.unit(whom)?.id))
            }
            "expose" => only(self.unit(line)?, UnitOrder::Expose),
            "shoo" => only(self.unit(line)?, UnitOrder::Shoo),
            "hold-tardis" => only(self.unit(line)?, UnitOrder::HoldTardis),
            "flight" => {
                let flock = self.flock(part(line, "flock").ok_or("Which BIRDS?")?)?;
                let flight = UnitOrder::Fly {
                    route: self.route(line)?,
                    army: self.waiting_army(&flock),
                    tardis: part(line, "with-tardis").is_some(),
                };
                only(flock, flight)
            }
            "carrying" => {
                let (to, by) = passage(self.way(line)?, direct(line))?;
                only(self.unit(line)?, UnitOrder::Carry { to, by })
            }
            "lift" => self.lift(line, None),
            "pick-up" => self.pick_up(line),
            _ => no_order(),
        }
    }

    fn way(&self, line: &Line) -> Result<Vec<Location>, Refusal> {
        self.places(part(line, "path").ok_or("Where to?")?)
    }

    fn route(&self, line: &Line) -> Result<Vec<Province>, Refusal> {
        let way = self.way(line)?;
        Ok(way.into_iter().map(|at| at.province).collect())
    }

    /// `A/B(Lon)-NTH-Den`: of the BIRDS' owner, of the army's, or of both.
    fn lift(&self, line: &Line, picked: Option<Unit>) -> Result<Vec<(Unit, UnitOrder)>, Refusal> {
        let rider = part(line, "rider").and_then(Line::kind);
        let words = part(line, "flock").ok_or("Which BIRDS?")?;
        let flock = self.flock_of(words)?;
        let army = match picked {
            Some(army) => army,
            None => self.meant(Named {
                nation: None,
                kind: rider,
                at: flock.at.province,
                number: None,
            })?,
        };
        let named = part(words, "nation").is_some() || flock.power == self.sight.power;
        let route = self.route(line)?;
        let fly = UnitOrder::Fly {
            route: route.clone(),
            army: Some(army.id),
            tardis: false,
        };
        let ride = UnitOrder::Ride {
            route,
            flock: named.then_some(flock.id),
        };
        Ok(vec![(flock, fly), (army, ride)])
    }

    /// `B(Lon) PICK UP A(Lon)`, with or without the flight behind it.
    fn pick_up(&self, line: &Line) -> Result<Vec<(Unit, UnitOrder)>, Refusal> {
        let mut units = parts(line, "unit");
        let (Some(flock), Some(army)) = (units.next(), units.next()) else {
            return no_order();
        };
        let (flock, army) = (self.unit(flock)?, self.unit(army)?);
        if let Some(lift) = part(line, "lift") {
            return self.lift(lift, Some(army));
        }
        // Where they fly may be said by another line.
        let route = match self.ordered(&flock) {
            Some(UnitOrder::Fly { route, .. }) => route,
            _ => Vec::new(),
        };
        Ok(vec![(
            flock,
            UnitOrder::Fly {
                route,
                army: Some(army.id),
                tardis: false,
            },
        )])
    }

    /// What the sender has ordered of his own unit so far.
    fn ordered(&self, unit: &Unit) -> Option<UnitOrder> {
        self.sight.orders.units.get(&unit.id).map(slots::unit_order)
    }

    /// The army that a flock was told to pick up by a line that does not say where it flies.
    fn waiting_army(&self, flock: &Unit) -> Option<UnitId> {
        match self.ordered(flock)? {
            UnitOrder::Fly { route, army, .. } if route.is_empty() => army,
            _ => None,
        }
    }

    /// The flock of a lift: an army need not say whose BIRDS carry it.
    fn flock_of(&self, words: &Line) -> Result<Unit, Refusal> {
        if part(words, "nation").is_some() {
            return self.flock(words);
        }
        let at = self.province(words)?;
        let here = |unit: &&Unit| unit.kind == BIRDS && unit.power != self.sight.power;
        let mut others = self.board.in_space(at).filter(here);
        let own = |unit: &Unit| unit.power == self.sight.power && unit.kind == BIRDS;
        match (self.board.in_space(at).any(own), others.next()) {
            (false, Some(other)) => Ok(*other),
            _ => self.flock(words),
        }
    }

    /// An order of every game, as a line of the variant's has it.
    pub(super) fn common(&self, line: &Line) -> Result<(Unit, UnitOrder), Refusal> {
        let unit = self.unit(line)?;
        let action = part(line, "action").and_then(|action| action.parts.first());
        let action = action.ok_or("An order is missing.")?;
        let order = match action.rule.as_str() {
            "hold" => Action::Hold,
            "support" => {
                let from = self.unit(action)?.at.province;
                match part(action, "support-move") {
                    None => Action::SupportHold { at: from },
                    Some(to) => Action::SupportMove {
                        from,
                        to: self.last(to)?,
                    },
                }
            }
            "convoy" => {
                let to = part(action, "convoy-move").ok_or("Where to?")?;
                Action::Convoy {
                    from: self.unit(action)?.at.province,
                    to: self.last(to)?.province,
                }
            }
            "move" => {
                let (to, by) = passage(self.places(action)?, direct(action))?;
                Action::Move { to, by }
            }
            _ => return refuse("A re-order is an order of the movement."),
        };
        Ok((unit, UnitOrder::Common(order)))
    }

    fn last(&self, line: &Line) -> Result<Location, Refusal> {
        let places = self.places(line)?;
        Ok(places.last().copied().ok_or("Where to?")?)
    }
}

/// How a line moves a unit if it names no place on the way.
fn direct(line: &Line) -> Passage {
    if part(line, "via").is_some() {
        Passage::Convoy
    } else {
        Passage::Auto
    }
}

/// Where a way leads, and how: by all its places but the last, or as `direct` says if it has no others.
fn passage(mut way: Vec<Location>, direct: Passage) -> Result<(Location, Passage), Refusal> {
    let to = way.pop().ok_or("Where to?")?;
    let seas: Vec<Province> = way.into_iter().map(|at| at.province).collect();
    let by = if seas.is_empty() {
        direct
    } else {
        Passage::Route(seas)
    };
    Ok((to, by))
}
