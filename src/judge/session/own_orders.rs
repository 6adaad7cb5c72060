//! Which lines are orders of the sender's own.

use crate::session::Session;
use dipjudge_commands::due::Due;
use dipjudge_commands::names::Names;
use dipjudge_commands::orders::{begins_own_line, grammar_of};
use dipjudge_commands::orders_in_words::{OrderInWords, holds_order};
use dipjudge_game::VariantGame;
use dipjudge_game::project::Sight;
use dipjudge_grammar::Grammar;
use dipjudge_rules::map::{Province, UnitKindInfo};
use dipjudge_rules::position::Unit;

/// Distinguishes orders of the sender's own from those that he proposes to others, by the board as he sees it.
pub(crate) struct OwnOrders {
    grammar: &'static Grammar,
    names: Names,
    sight: Sight,
}

impl Session<'_, '_> {
    /// Whether a line contains an order of the sender's own, legal or not.
    pub(crate) fn holds_own_order(&self, line: &str) -> bool {
        OwnOrders::of(self).is_some_and(|own| own.holds(line))
    }
}

impl OwnOrders {
    pub(crate) fn of(session: &Session) -> Option<OwnOrders> {
        let power = session.sender.acting?.power?;
        let edit = session.edit()?;
        let game = &edit.game;
        Some(OwnOrders {
            grammar: grammar_of(edit.variant),
            names: Names::shared(game.map(), session.roster()),
            sight: VariantGame::new(game, edit.variant).sight_of(power),
        })
    }

    /// Whether a line contains an order of the sender's own, legal or not.
    pub(crate) fn holds(&self, text: &str) -> bool {
        let due = Due::in_phase(&self.sight.phase);
        holds_order(self.grammar, text, due, &self.names, |order| {
            self.is_own(order)
        })
    }

    /// Whether a line of the variant's own stands at the beginning of a text.
    pub(crate) fn begins_own_line(&self, text: &str) -> bool {
        begins_own_line(self.grammar, text, &self.names)
    }

    /// A unit of the sender's as orders name it: the one whose province the text names, else his first.
    pub(crate) fn unit_named(&self, text: &str) -> Option<String> {
        let text = text.to_lowercase();
        let units = self.sight.position.units.iter();
        let own: Vec<&Unit> = units
            .filter(|unit| unit.power == self.sight.power)
            .collect();
        let is_named = |unit: &&&Unit| {
            let name = self.names.full_name(unit.at.province).to_lowercase();
            text.contains(&name)
        };
        let unit = own.iter().find(is_named).or(own.first())?;
        let kind = self.sight.map.kind(unit.kind);
        let kind = kind.map_or(unit.kind, UnitKindInfo::code);
        Some(format!("{kind} {}", unit.at.province.titled()))
    }

    /// Whether an order may be the sender's own, that is, not clearly for another power's unit. An order for a province
    /// in which he sees no unit is taken for a mistake of his own.
    fn is_own(&self, order: &OrderInWords) -> bool {
        let own = self.sight.power;
        let named = order.nation.is_none_or(|nation| nation == own);
        named
            && (order.provinces.is_empty() || order.provinces.iter().any(|at| self.may_order(*at)))
    }

    /// Whether the sender may have something to order in a province: it contains a unit of his, or none that he sees.
    fn may_order(&self, at: Province) -> bool {
        let own = self.sight.power;
        let position = &self.sight.position;
        let dislodged = position.dislodged.iter().map(|dislodged| &dislodged.unit);
        let mut units = position
            .units
            .iter()
            .chain(dislodged)
            .filter(|unit| unit.at.province == at)
            .peekable();
        match units.peek() {
            Some(_) => {
                units.any(|unit| unit.power == own || self.sight.borrowed.contains(&unit.id))
            }
            None => position.owners.get(&at).is_none_or(|owner| *owner == own),
        }
    }
}
