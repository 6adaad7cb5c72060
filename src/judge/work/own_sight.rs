//! The board as one power sees it, against which its lines are checked. It is made once for a mail, and again only if
//! anything except orders of this power has happened since.

use crate::work::GameWork;
use dipjudge_game::VariantGame;
use dipjudge_game::planted::{Leak, planted};
use dipjudge_game::project::{SaidSoFar, Sight};
use dipjudge_rules::map::Power;

/// The person who gives the lines that a sight is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinesOf {
    /// The leader of the power.
    Leader,
    /// A master who acts as the power: the sight leaves out what is sealed from masters.
    Master,
}

pub(crate) struct OwnSight {
    pub sight: Sight,
    lines_of: LinesOf,
    /// The number of events of the game in hand that it includes.
    events: usize,
}

impl OwnSight {
    fn of(game: VariantGame<'_>, power: Power, lines_of: LinesOf) -> OwnSight {
        let sight = match lines_of {
            LinesOf::Leader => game.sight_of(power),
            LinesOf::Master => game.lent_sight_of(power),
        };
        OwnSight {
            sight,
            lines_of,
            events: 0,
        }
    }
}

impl GameWork<'_, '_> {
    /// The person who gives the lines of this mail, when it acts for a power.
    pub(crate) fn lines_of(&self) -> LinesOf {
        if self.open.acts_as_power && !planted(Leak::Lent) {
            LinesOf::Master
        } else {
            LinesOf::Leader
        }
    }

    /// The sight against which lines for a power are checked. [`GameWork::keep_sight`] keeps it for the following
    /// lines.
    pub(crate) fn take_sight(&mut self, power: Power, lines_of: LinesOf) -> OwnSight {
        let kept = self.open.sight.take();
        let edit = &self.open.edit;
        let kept = kept.filter(|kept| {
            let later = edit.events.get(kept.events..);
            kept.sight.power == power
                && kept.lines_of == lines_of
                && later.is_some_and(|later| {
                    later.iter().all(|event| event.only_gives_orders_of(power))
                })
        });
        let mut own = match kept {
            Some(mut kept) => {
                kept.sight.said = SaidSoFar::default();
                if kept.events < edit.events.len() {
                    kept.sight.update_orders(edit.variant_game());
                }
                kept
            }
            None => OwnSight::of(edit.variant_game(), power, lines_of),
        };
        own.events = edit.events.len();
        own
    }

    /// Keeps a sight for the next line.
    pub(crate) fn keep_sight(&mut self, own: OwnSight) {
        self.open.sight = Some(own);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::with_game;
    use dipjudge_game::Event;
    use dipjudge_game::labels::testing::{ENGLAND, FRANCE, begun};
    use dipjudge_rules::orders::{Action, VariantData};
    use dipjudge_rules::position::UnitId;

    /// The units of a power, in their order.
    fn units(work: &GameWork, power: Power) -> Vec<UnitId> {
        let units = work.game().position.units.iter();
        let own = units.filter(|unit| unit.power == power);
        own.map(|unit| unit.id).collect()
    }

    /// Applies events. After each, the kept sight must equal one made from scratch. Returns whether it was kept every
    /// time.
    fn stays(work: &mut GameWork, lines_of: LinesOf, events: Vec<Event>) -> bool {
        let mut kept = true;
        for event in events {
            let mut own = work.take_sight(FRANCE, lines_of);
            // A value that no sight of this game has.
            own.sight.opening = true;
            work.keep_sight(own);
            work.emit(event);
            let mut own = work.take_sight(FRANCE, lines_of);
            kept &= own.sight.opening;
            own.sight.opening = false;
            let fresh = OwnSight::of(work.variant_game(), FRANCE, lines_of).sight;
            assert_eq!(format!("{:?}", own.sight), format!("{fresh:?}"));
            assert!(own.sight.submissions == fresh.submissions);
            assert!(own.sight.orders == fresh.orders);
            work.keep_sight(own);
        }
        kept
    }

    #[test]
    fn a_sight_is_kept_while_only_its_power_gives_orders() {
        let game = begun(&[(FRANCE, "par"), (FRANCE, "bre"), (ENGLAND, "lon")]);
        for lines_of in [LinesOf::Leader, LinesOf::Master] {
            with_game(&game, |work| {
                let own = units(work, FRANCE);
                let ordered = |unit: UnitId| Event::Ordered {
                    power: FRANCE,
                    unit,
                    action: Action::Hold,
                    named: None,
                };
                let submitted = |lasting: bool| Event::Submitted {
                    power: FRANCE,
                    name: "wish".to_owned(),
                    data: Some(VariantData::of(&"anything").unwrap()),
                    lasting,
                };
                let lent = Event::Lent {
                    power: FRANCE,
                    unit: own[1],
                    to: Some(ENGLAND),
                };
                let orders = vec![
                    ordered(own[0]),
                    lent,
                    submitted(true),
                    submitted(false),
                    ordered(own[1]),
                ];
                assert!(stays(work, lines_of, orders));
            });
        }
    }

    #[test]
    fn a_sight_is_made_anew_once_something_else_has_happened() {
        let game = begun(&[(FRANCE, "par"), (ENGLAND, "pic")]);
        with_game(&game, |work| {
            let lent = Event::Lent {
                power: ENGLAND,
                unit: units(work, ENGLAND)[0],
                to: Some(FRANCE),
            };
            assert!(!stays(work, LinesOf::Leader, vec![lent]));
            let own = work.take_sight(FRANCE, LinesOf::Leader);
            assert_eq!(own.sight.borrowed, units(work, ENGLAND));
        });
    }
}
