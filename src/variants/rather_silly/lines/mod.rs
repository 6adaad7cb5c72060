//! The variant's own lines, as its grammar reads them, held against the board as their sender sees it: here what a line is, and
//! the sender's word on orders of every game. Beneath: who is meant (`units`), what is asked for (`conditions`), what is done
//! in a movement (`movement`), what the four roles and the herds do (`roles`), what later steps do (`later_steps`), of that builds
//! and removals (`adjusting`), what comes in place of what (`replacing`), and what is taken back (`cancel`).

mod adjusting;
mod cancel;
mod conditions;
mod later_steps;
mod movement;
mod replacing;
mod roles;
mod units;

use std::borrow::Cow;
use std::sync::Arc;

use super::board::Board;
use super::conditions::Condition;
use super::legality::OrderCheck;
use super::names::Names;
use super::orders::UnitOrder;
use super::phases::{HERDS, SillyView};
use super::rules::Rules;
use super::submissions::RetreatChoice;
use super::{JESTER, order_text, slots};
use crate::rather_silly::line_parts::part;
use dipjudge_game::project::Sight;
use dipjudge_game::{Considered, Effect, Phase, Refusal, refuse};
use dipjudge_grammar::Line;
use dipjudge_rules::map::Power;
use dipjudge_rules::orders::{Action, VariantData};
use dipjudge_rules::position::Unit;

fn no_order<T>() -> Result<T, Refusal> {
    refuse("This line is not an order of this variant.")
}

fn noted(effects: Vec<Effect>, notes: Vec<String>) -> Considered {
    Considered { effects, notes }
}

fn plain(effects: Vec<Effect>) -> Considered {
    noted(effects, Vec::new())
}

/// What lines are checked against.
struct Reader<'s> {
    sight: &'s Sight,
    board: Arc<Board<'static>>,
    view: Cow<'s, SillyView>,
    /// A question is open.
    asked: bool,
    /// Whether the line is read alone, as if no others were kept for its subject.
    alone: bool,
}

/// Checks a line against its sender's sight.
pub(super) fn read(line: &Line, sight: &Sight) -> Result<Considered, Refusal> {
    Reader::of(sight).read(line)
}

/// The variant's word on an order of every game: retreats and builds are put down among its own, which may have conditions,
/// and a move is checked for what this unit can do.
pub(super) fn reconsider(effect: Effect, sight: &Sight) -> Result<Considered, Refusal> {
    Reader::of(sight).reconsider(effect)
}

impl<'s> Reader<'s> {
    fn of(sight: &'s Sight) -> Reader<'s> {
        let known = sight.own.known::<SillyView>();
        Reader {
            sight,
            board: known.board(sight),
            asked: known.asked,
            view: known,
            alone: false,
        }
    }

    fn reconsider(&self, effect: Effect) -> Result<Considered, Refusal> {
        match effect {
            Effect::Order(id, action) if self.sight.phase == Phase::Movement => {
                let unit = self.board.unit(id).copied();
                let unit = unit.ok_or("There is no such unit.")?;
                self.checked(&unit, slots::unit_order(&action))?;
                Ok(plain(vec![Effect::Order(id, action)]))
            }
            Effect::Order(id, Action::Retreat { to }) => {
                self.retreat_now(id, None, RetreatChoice::To(to))
            }
            Effect::Order(id, Action::Disband) => {
                self.retreat_now(id, None, RetreatChoice::Disband)
            }
            Effect::Adjust(_) => refuse(
                "Say what to build or to remove, and where: BUILD A Par, REMOVE A Par.  WAIVE builds nothing.",
            ),
            effect => Ok(plain(vec![effect])),
        }
    }

    fn read(&self, line: &Line) -> Result<Considered, Refusal> {
        let in_winter_1900 = self.sight.phase == Phase::Own(HERDS.name.to_owned());
        if in_winter_1900 && !matches!(line.rule.as_str(), "herds" | "cancel") {
            return refuse(if self.sight.power >= JESTER {
                "You have nothing to do this Winter. For the first moves, put a line PHASE S1901M above your lines."
            } else {
                "This Winter you only place your llamas: PLACE LLAMAS Bur, NTH, Gal. For your first moves, put a line \
                 PHASE S1901M above them."
            });
        }
        if line.rule == "cancel" {
            return self.take_back(line).map(plain);
        }
        let (condition, line) = match part(line, "facts") {
            Some(facts) if line.rule == "if-then" => {
                let condition = self.condition(facts)?;
                let then = line.parts.iter().find(|part| part.rule != "facts");
                (Some(condition), then.unwrap_or(line))
            }
            _ => (None, line),
        };
        let line = match line.rule.as_str() {
            "submission" => line.parts.first().unwrap_or(line),
            _ => line,
        };
        self.submission(line, condition)
    }

    fn submission(&self, line: &Line, condition: Option<Condition>) -> Result<Considered, Refusal> {
        match (line.rule.as_str(), condition) {
            ("herds", None) => self.herds(line),
            ("predict", None) => self.predict(line),
            ("reorder", None) => self.reorder(line),
            ("tardis", None) => self.tardis_line(line),
            ("told-own", None) => self.own_orders(line).map(plain),
            ("question", None) => self.question(line).map(plain),
            ("accept", None) => self.accept(line),
            ("answer", None) => self.answer(line),
            ("vote", condition) => self.vote(line, condition),
            ("detonation", condition) => self.detonation(line, condition),
            ("sale", condition) => self.sale(line, condition),
            ("free-build", condition) => self.free_build(line, condition),
            ("pair-build", condition) => self.pair_build(line, condition),
            ("lone-twin", _) => refuse(format!(
                "A {} pair is two units: BUILD {} A Ber + F Kie.",
                self.names().siamese,
                self.names().siamese_code
            )),
            ("own-retreat" | "own-disband", condition) => self.retreat(line, condition),
            ("own-build" | "own-remove" | "removed-last" | "own-waive", condition) => {
                self.adjustment(line, condition)
            }
            (_, Some(_)) => refuse(
                "Nothing in its season goes before this line, so it takes no condition: that is for sales, explosions, retreats, builds, removals and votes.",
            ),
            _ => no_order(),
        }
    }

    /// The words of the game.
    fn names(&self) -> &'static Names {
        self.rules().flavor.names()
    }

    /// The rules of the game.
    fn rules(&self) -> &Rules {
        &self.view.rules
    }

    fn check(&self) -> OrderCheck<'_> {
        OrderCheck {
            board: &self.board,
            overlay: &self.sight.overlay,
            powers: &self.sight.powers,
            names: self.names(),
        }
    }

    fn checked(&self, unit: &Unit, order: UnitOrder) -> Result<UnitOrder, Refusal> {
        self.check().check(unit, &order)?;
        Ok(order)
    }

    fn order(&self, unit: &Unit, order: UnitOrder) -> Result<Effect, Refusal> {
        let order = self.checked(unit, order)?;
        let action = order_text::action(&self.board, self.names(), &order);
        Ok(Effect::Order(unit.id, action))
    }

    /// Lines of the movement.
    fn in_movement(&self) -> Result<(), Refusal> {
        match self.sight.phase {
            Phase::Movement => Ok(()),
            _ => refuse("This is sent with the moves; that phase is over."),
        }
    }

    /// The sender must hold this seat.
    fn is(&self, seat: Power, name: &str) -> Result<(), Refusal> {
        if self.sight.power == seat {
            Ok(())
        } else {
            refuse(format!("Only the {name} sends this."))
        }
    }

    /// The data that are kept under a name already.
    fn kept_data(&self, name: &str) -> Option<&VariantData> {
        if self.alone {
            None
        } else {
            self.sight.kept(name)
        }
    }

    /// The lines that are kept under a name already.
    fn kept<T: serde::de::DeserializeOwned>(&self, name: &str) -> Vec<T> {
        self.kept_data(name)
            .map(VariantData::stored)
            .unwrap_or_default()
    }

    /// Whether an earlier line of the mail has put something down under a name.
    fn has_said(&self, name: &str) -> bool {
        self.sight.said.slots.contains(name) && !self.alone
    }
}
