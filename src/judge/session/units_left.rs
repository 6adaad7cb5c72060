//! The units of the sender that no line of a mail orders: what its sentences may say of them, and that they are named next to what is
//! proposed.

use std::collections::BTreeSet;

use crate::orders::{meant, warnings};
use crate::session::Session;
use crate::session::proposing::begins_letter;
use crate::session::reading::OrdersFor;
use crate::work::GameWork;
use dipjudge_commands::mentions::provinces_in;
use dipjudge_commands::order_clauses::Movement;
use dipjudge_commands::order_words::Verb;
use dipjudge_commands::orders::grammar_of;
use dipjudge_commands::prose::sentences;
use dipjudge_game::Phase;
use dipjudge_rules::map::{Power, Province};
use dipjudge_rules::position::Unit;

/// What the orders of a mail, taken or proposed, say of the sender's units.
#[derive(Default)]
pub(super) struct OrderedSoFar {
    /// Where the units stand that they order.
    pub(super) units: BTreeSet<Province>,
    moves: Vec<Movement>,
    /// Whether they order all units at once.
    all: bool,
}

impl Session<'_, '_> {
    /// Proposes orders for the units that have none by a mail of orders, where a sentence of it names them.
    pub(crate) fn propose_for_units_left(&mut self) {
        let is_all_read = self.reading.unread.is_empty()
            && self.reply.proposed.is_empty()
            && self.orders.errors == 0;
        let Some(power) = self.writes_orders_alone().filter(|_| !is_all_read) else {
            return;
        };
        let own = self.mail.own_lines().map(|own| own.text.trim());
        let text: Vec<&str> = own.filter(|line| !is_notation(line)).collect();
        let text = text.join(" ");
        let sentences = sentences(&text);
        let mut ordered = self.ordered_so_far();
        for unit in self.units_alone(power) {
            if ordered.all {
                return;
            }
            let at = unit.at.province;
            if ordered.units.contains(&at) {
                continue;
            }
            let found = sentences.iter().find_map(|sentence| {
                let order = self.loose_order(power, sentence, at, &ordered.moves)?;
                Some((*sentence, order))
            });
            if let Some((sentence, order)) = found {
                let unread = &mut self.reading.unread;
                unread.retain(|unread| !sentence.contains(unread.as_str()));
                self.propose(&order);
                ordered = self.ordered_so_far();
            }
        }
    }

    /// The sender's units that have no order even if what is proposed is taken, as `Fleet Holland`; none where nothing is proposed.
    pub(crate) fn name_units_left(&mut self) {
        if self.reply.proposed.is_empty() {
            return;
        }
        let Some(power) = self.writes_orders_alone() else {
            return;
        };
        let ordered = self.ordered_so_far();
        if ordered.all {
            return;
        }
        let units = self.units_alone(power);
        let Some(mut work) = self.in_game() else {
            return;
        };
        let own = work.take_sight(power, work.lines_of());
        let sight = &own.sight;
        let without = units.iter().filter(|unit| {
            !sight.orders.units.contains_key(&unit.id) && !ordered.units.contains(&unit.at.province)
        });
        let left = without.map(|unit| warnings::party(sight, unit)).collect();
        work.keep_sight(own);
        self.reply.units_left = left;
    }

    /// The power whose orders of movement the mail gives, as orders for now and without letters.
    fn writes_orders_alone(&mut self) -> Option<Power> {
        let power = self.sender.acting.and_then(|acting| acting.power)?;
        let game = self.game()?;
        let reads_now = game.phase == Phase::Movement
            && self.reading.orders_for == OrdersFor::Now
            && self.reading.branches.is_empty()
            && self.reading.letter.is_none();
        let letters = ["press", "broadcast"];
        let writes = letters
            .iter()
            .any(|rule| self.reading.commands.contains(*rule))
            || self.reply.proposed.iter().any(|line| begins_letter(line));
        let orders = self.orders.accepted > 0 || !self.ordered_so_far().units.is_empty();
        (reads_now && !writes && orders).then_some(power)
    }

    /// The units of a power that stand alone in their provinces.
    fn units_alone(&self, power: Power) -> Vec<Unit> {
        let Some(game) = self.game() else {
            return Vec::new();
        };
        let units: Vec<&Unit> = game.position.units_of(power).collect();
        let alone = units.iter().filter(|unit| {
            let here = units
                .iter()
                .filter(|other| other.at.province == unit.at.province);
            here.count() == 1
        });
        alone.map(|unit| **unit).collect()
    }

    pub(super) fn ordered_so_far(&mut self) -> OrderedSoFar {
        let mut ordered = OrderedSoFar::default();
        let lines = self.orders.taken.iter().chain(&self.reply.proposed);
        for line in lines.cloned().collect::<Vec<String>>() {
            for words in self.read_orders(&line).into_iter().flatten() {
                ordered.all |= words.verb == Verb::HoldAll;
                let Some(unit) = &words.unit else {
                    // "A Lvp COL"
                    if is_notation(&line) && matches!(words.verb, Verb::Own(_)) {
                        ordered.units.extend(self.first_named(&line));
                    }
                    continue;
                };
                let from = unit.place.province;
                ordered.units.insert(from);
                if let Verb::Move { route, .. } = &words.verb
                    && let Some(to) = route.last()
                {
                    let to = to.province;
                    ordered.moves.push(Movement { from, to });
                }
            }
        }
        ordered
    }

    /// The first province that a line names.
    pub(super) fn first_named(&self, line: &str) -> Option<Province> {
        let (names, edit) = (self.reading.names.as_ref()?, self.edit()?);
        provinces_in(grammar_of(edit.variant), line, names)
            .into_iter()
            .next()
    }

    fn loose_order(
        &mut self,
        power: Power,
        sentence: &str,
        unit: Province,
        moves: &[Movement],
    ) -> Option<String> {
        self.make_names();
        let (Some(names), Some(open)) = (&self.reading.names, &mut self.open) else {
            return None;
        };
        let mut work = GameWork::new(&mut self.work, open);
        meant::loose_order(&mut work, power, sentence, unit, names, moves)
    }
}

/// Whether a line is in the notation of orders, so that its mistakes are told and nothing else is looked for in it.
fn is_notation(line: &str) -> bool {
    let is_sign = |word: &str| ["S", "C", "H", "->"].contains(&word);
    // "A(Mar)"
    let holds_place = |word: &str| word.find('(').is_some_and(|at| at > 0);
    let mut words = line.split_whitespace();
    words
        .next()
        .is_some_and(|word| ["A", "F"].contains(&word) || holds_place(word))
        || words.any(|word| is_sign(word) || holds_place(word))
}
