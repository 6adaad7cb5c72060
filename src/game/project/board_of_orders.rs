//! The picture of a receipt: a power's own orders as they were understood, on the board as it sees it. Which of them depend on
//! orders that it has not given follows from its own orders alone.

use std::collections::BTreeSet;

use super::board::Pencil;
use super::board_orders::{KnownPlaces, ToldOrder, drawn, way};
use super::{GameView, title_case};
use crate::planted::{Leak, planted};
use crate::{Phase, Standing, VariantGame};
use dipjudge_rules::map::{Power, Province};
use dipjudge_rules::orders::{Action, NewUnit, Passage, arrival};
use dipjudge_rules::position::Unit;
use dipjudge_view::{Board, OrderFate, UnitState, Viewer};

impl GameView<'_> {
    /// The board with the orders of its viewer for the phase in hand. `None` for a viewer who leads no power, and if he has given
    /// no order that a picture shows.
    pub fn board_of_orders(self) -> Option<Board> {
        let Viewer::Power(power) = self.viewer else {
            return None;
        };
        let own = OwnOrders::of(self.variant_game(), power);
        let standing = self.game.standing(power);
        let winter = self.game.phase == Phase::Adjustments && !standing.orders.winter.is_empty();
        if own.given.is_empty() && !winter {
            return None;
        }
        let pencil = Pencil::of(self, self.visibility())?;
        let turn = self
            .variant
            .card()
            .turn_told(&self.game.phase, self.game.turn);
        let mut board = pencil.standing(format!(
            "{}: your orders for {}",
            title_case(&self.game.name),
            self.variant.date(turn)
        ));
        let known = KnownPlaces {
            before: self.game,
            now: self.game,
            then: self.visibility(),
            words: &pencil.words,
        };
        board.orders = drawn(&known, &own.given);
        for order in &mut board.orders {
            let given = own
                .given
                .iter()
                .find(|given| given.unit.at == order.from && given.action.is_some());
            order.fate = match given {
                Some(given) if own.is_doubtful(given) => OrderFate::Doubtful,
                _ => OrderFate::Given,
            };
        }
        if winter {
            pencil.add_adjustments(&mut board, power, standing);
        }
        Some(board)
    }
}

impl Pencil<'_> {
    /// Builds as new units, and removals as units that are gone.
    fn add_adjustments(&self, board: &mut Board, power: Power, standing: &Standing) {
        for action in &standing.orders.winter {
            match action {
                Action::Build(NewUnit { kind, at }) => {
                    let position = &self.shown.game.position;
                    let unit = Unit {
                        id: position.free_id(),
                        power,
                        kind: *kind,
                        at: *at,
                    };
                    board.units.push(self.unit(&unit, UnitState::Built));
                }
                Action::Remove { at } => {
                    let whose = self.words.whose(power);
                    let removed = board
                        .units
                        .iter_mut()
                        .find(|unit| unit.at.province == *at && unit.whose == whose);
                    if let Some(unit) = removed {
                        unit.state = UnitState::Gone;
                    }
                }
                _ => {}
            }
        }
    }
}

/// The orders that a power has given to units, its own and those lent to it.
struct OwnOrders<'g> {
    game: VariantGame<'g>,
    given: Vec<ToldOrder>,
}

impl<'g> OwnOrders<'g> {
    fn of(game: VariantGame<'g>, power: Power) -> OwnOrders<'g> {
        let position = &game.game.position;
        let orders = &game.game.standing(power).orders;
        let retreats = game.game.phase == Phase::Retreats;
        let dislodged = position.dislodged.iter().map(|one| &one.unit);
        let units: Vec<&Unit> = if retreats {
            dislodged.collect()
        } else {
            position.units.iter().collect()
        };
        let given = units.into_iter().filter_map(|unit| {
            Some(ToldOrder {
                unit: *unit,
                action: Some(orders.units.get(&unit.id)?.clone()),
                marks: Vec::new(),
            })
        });
        OwnOrders {
            game,
            given: given.collect(),
        }
    }

    /// Whether an order depends on one that the power has not given.
    fn is_doubtful(&self, order: &ToldOrder) -> bool {
        match &order.action {
            Some(Action::Move { to, by }) => {
                let overlay = self.game.variant.overlay(self.game.game);
                let map = self.game.game.map();
                let by_land = *by == Passage::Land
                    || (*by == Passage::Auto && arrival(map, &overlay, &order.unit, *to).is_ok());
                !by_land && !self.is_convoyed(&order.unit, to.province, by)
            }
            Some(Action::SupportHold { at }) => !self.ends_at(*at, *at),
            Some(Action::SupportMove { from, to }) => !self.ends_at(*from, to.province),
            Some(Action::Convoy { from, to }) => {
                let army = self.unit_at(*from);
                !army.is_some_and(|army| {
                    self.ends_at(*from, *to) && self.is_convoyed(&army, *to, &Passage::Convoy)
                })
            }
            _ => false,
        }
    }

    /// A unit in a province whose orders are the power's to give.
    fn unit_at(&self, province: Province) -> Option<Unit> {
        let mut given = self.given.iter();
        let ordered = given.find(|given| given.unit.at.province == province);
        ordered.map(|given| given.unit)
    }

    /// Whether the power's unit in a province is ordered to be in another province, or in the same one, after the phase.
    fn ends_at(&self, from: Province, end: Province) -> bool {
        let own = self.given.iter().any(|given| {
            given.unit.at.province == from
                && match &given.action {
                    Some(Action::Move { to, .. }) => to.province == end,
                    _ => from == end,
                }
        });
        own || (planted(Leak::OrderMap) && self.ends_at_by_any_order(from, end))
    }

    /// The same by the orders of all powers, for the planted leak.
    fn ends_at_by_any_order(&self, from: Province, end: Province) -> bool {
        let game = self.game.game;
        let mut orders = game
            .standings
            .values()
            .flat_map(|standing| &standing.orders.units);
        orders.any(|(id, action)| {
            let unit = game.position.unit(*id);
            unit.is_some_and(|unit| unit.at.province == from)
                && action.destination().unwrap_or(from) == end
        })
    }

    /// Whether the power's own fleets convoy a move all the way.
    fn is_convoyed(&self, army: &Unit, to: Province, by: &Passage) -> bool {
        let from = army.at.province;
        let fleets: BTreeSet<Province> = self
            .given
            .iter()
            .filter(|given| given.action == Some(Action::Convoy { from, to }))
            .map(|given| given.unit.at.province)
            .collect();
        match by {
            Passage::Route(seas) => seas.iter().all(|sea| fleets.contains(sea)),
            _ => !way(
                self.game.game.map(),
                &self.given,
                (from, to),
                &Passage::Convoy,
            )
            .is_empty(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::testing::{ENGLAND, FRANCE, begun};
    use crate::testing::Plain;
    use crate::{Event, Game, apply};
    use dipjudge_rules::map::Location;

    fn at(text: &str) -> Location {
        text.parse().unwrap()
    }

    fn move_to(to: &str) -> Action {
        Action::Move {
            to: at(to),
            by: Passage::Auto,
        }
    }

    /// A game in which a power has given these orders to its units, which stand in these places.
    fn ordered(power: Power, orders: &[(&str, Action)]) -> Game {
        let places: Vec<(Power, &str)> = orders.iter().map(|(place, _)| (power, *place)).collect();
        let mut game = begun(&places);
        for (place, action) in orders {
            let unit = game.position.standing(at(place).province).unwrap().id;
            let event = Event::Ordered {
                power,
                unit,
                action: action.clone(),
                named: None,
            };
            apply::apply(&mut game, jiff::Timestamp::UNIX_EPOCH, &event);
        }
        game
    }

    /// Which of its orders are in doubt, by the places of their units.
    fn doubtful(game: &Game, power: Power) -> Vec<String> {
        let view = VariantGame::new(game, &Plain).seen_by(Viewer::Power(power));
        let board = view.board_of_orders().unwrap();
        let doubtful = board
            .orders
            .iter()
            .filter(|order| order.fate == OrderFate::Doubtful);
        doubtful.map(|order| order.from.to_string()).collect()
    }

    #[test]
    fn a_support_is_in_doubt_unless_it_fits_an_own_order() {
        let supports = |to: &str| Action::SupportMove {
            from: at("PAR").province,
            to: at(to),
        };
        let orders = [("PAR", move_to("BUR")), ("MAR", supports("BUR"))];
        assert!(doubtful(&ordered(FRANCE, &orders), FRANCE).is_empty());
        let orders = [("PAR", move_to("GAS")), ("MAR", supports("BUR"))];
        assert_eq!(doubtful(&ordered(FRANCE, &orders), FRANCE), ["MAR"]);
        let hold = Action::SupportHold {
            at: at("PAR").province,
        };
        let orders = [("PAR", Action::Hold), ("MAR", hold.clone())];
        assert!(doubtful(&ordered(FRANCE, &orders), FRANCE).is_empty());
        let orders = [("BUR", hold)];
        assert_eq!(doubtful(&ordered(FRANCE, &orders), FRANCE), ["BUR"]);
    }

    #[test]
    fn orders_of_others_decide_nothing() {
        let mut game = begun(&[(FRANCE, "BUR"), (ENGLAND, "PAR")]);
        let unit =
            |game: &Game, place: &str| game.position.standing(at(place).province).unwrap().id;
        let support = Event::Ordered {
            power: FRANCE,
            unit: unit(&game, "BUR"),
            action: Action::SupportMove {
                from: at("PAR").province,
                to: at("PIC"),
            },
            named: None,
        };
        apply::apply(&mut game, jiff::Timestamp::UNIX_EPOCH, &support);
        assert_eq!(doubtful(&game, FRANCE), ["BUR"]);
        let moved = Event::Ordered {
            power: ENGLAND,
            unit: unit(&game, "PAR"),
            action: move_to("PIC"),
            named: None,
        };
        apply::apply(&mut game, jiff::Timestamp::UNIX_EPOCH, &moved);
        assert_eq!(doubtful(&game, FRANCE), ["BUR"]);
    }

    #[test]
    fn who_has_given_no_order_gets_no_map() {
        let game = begun(&[(FRANCE, "BUR")]);
        let view = VariantGame::new(&game, &Plain);
        assert!(
            view.seen_by(Viewer::Power(FRANCE))
                .board_of_orders()
                .is_none()
        );
        assert!(view.seen_by(Viewer::Master).board_of_orders().is_none());
    }
}
