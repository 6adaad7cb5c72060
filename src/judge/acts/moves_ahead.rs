//! Movements that a line orders for later: in a phase of retreats or adjustments, or of another season. They are proposed for the next
//! phase of movement.

use crate::clock::ahead::next_phase_of;
use crate::orders::meant::movements_meant;
use crate::session::Session;
use crate::session::reading::OrdersFor;
use crate::work::GameWork;
use dipjudge_commands::order_words::Verb;
use dipjudge_commands::orders::{grammar_of, read_orders_by};
use dipjudge_commands::orders_ahead::{moves_ahead, without_arrival};
use dipjudge_commands::prose::{asks_judge, bare_words, sentences};
use dipjudge_commands::subjects::asks;
use dipjudge_game::Phase;
use dipjudge_rules::calendar::{PhaseKind, Season};

/// Words of sentences about what is to come.
const FUTURE: [&str; 7] = ["shall", "will", "should", "want", "must", "please", "then"];

impl Session<'_, '_> {
    /// Proposes the movements that a line orders for later: it says so, an earlier line of the mail does, or nothing is due from the
    /// sender now.
    pub(crate) fn propose_moves_ahead(&mut self, line: &str) -> bool {
        // Each line of orders comes here.
        let Some(game) = self.game() else {
            return false;
        };
        let is_movement = game.phase == Phase::Movement;
        let may_be_later = match game.phase {
            Phase::Retreats | Phase::Adjustments => true,
            // "And for the autumn already: Bulgaria to Serbia."
            Phase::Movement => {
                self.reading.speaks_of_later || names_other_season(line, game.turn.season)
            }
            _ => false,
        };
        let reads_now =
            self.reading.orders_for == OrdersFor::Now && self.reading.branches.is_empty();
        // "And please say to Harry: this fleet goes south in spring."
        if !may_be_later || !reads_now || self.asks_for_letter(line) {
            return false;
        }
        self.make_names();
        let is_for_later = self.reading.speaks_of_later || !is_movement && self.has_nothing_due();
        let (Some(names), Some(edit)) = (&self.reading.names, self.edit()) else {
            return false;
        };
        let parts = moves_ahead(grammar_of(edit.variant), line, names);
        let says_later = parts.is_some();
        let (before, ahead) = match parts {
            Some(parts) => parts,
            None if is_for_later => ("", line),
            None => return false,
        };
        // "And could you already note for the spring that Serbia goes to Greece?"
        let wish = ahead.trim_start_matches("And ").trim_start_matches("and ");
        let is_question = asks(wish) && !asks_judge(wish);
        if is_question || self.is_for_something_else(ahead) {
            return false;
        }
        let meant_before = self.orders_meant(before);
        let last = sentences(before).pop().map(str::trim).unwrap_or_default();
        let last = if self.reads_as_order(last) {
            Some(last.to_owned())
        } else {
            let meant = meant_before.last().cloned();
            meant.or_else(|| self.orders.last.clone())
        };
        let mut of_now = self.proposed_for_now();
        of_now.extend_from_slice(&meant_before);
        of_now.push(before.to_owned());
        let power = self.sender.acting.and_then(|acting| acting.power);
        let (Some(power), Some(names), Some(open)) = (power, &self.reading.names, &mut self.open)
        else {
            return false;
        };
        let mut work = GameWork::new(&mut self.work, open);
        let ordered = without_arrival(grammar_of(work.variant()), ahead, names);
        let movements =
            movements_meant(&mut work, power, &ordered, names, last.as_deref(), &of_now);
        if movements.is_empty() {
            // "I retreat to Helgoland. In the fall I want it back in Holland."
            if says_later && !meant_before.is_empty() {
                self.order_line(before.trim());
                self.leave_unread(ahead.trim());
                return true;
            }
            return says_later && self.tell_unread_ahead(ahead.trim());
        }
        if !before.trim().is_empty() {
            self.take_sentences(before.trim());
        }
        self.reading.speaks_of_later = true;
        self.ask_before(ahead.trim());
        self.note_left_out(ahead, &movements);
        let others = self.hold_of_others(ahead);
        for order in movements.into_iter().chain(others) {
            self.propose_for_phase(PhaseKind::Movement, order);
        }
        true
    }

    /// Says of a sentence for a later phase that it was not read, and how such lines are written. `false` if it orders nothing for later.
    fn tell_unread_ahead(&mut self, line: &str) -> bool {
        let is_future = |word: &str| FUTURE.iter().any(|known| word.eq_ignore_ascii_case(known));
        let orders_later = bare_words(line).any(is_future) && self.is_prose_without_orders(line);
        let phase = self
            .game()
            .and_then(|game| next_phase_of(game, PhaseKind::Movement));
        let Some(phase) = phase.filter(|_| orders_later && self.names_province(line)) else {
            return false;
        };
        let phase = phase.in_mail();
        self.reply.wanted = true;
        self.fault(line, format!("I could not read these orders for later, so nothing was kept.  Write the line PHASE {phase}, below it one order a line, and the line ENDPHASE."));
        true
    }

    /// The words of a line by which all other units hold: `Burgundy goes to Belgium, all the others stay`.
    fn hold_of_others(&self, line: &str) -> Option<String> {
        let (names, edit) = (self.reading.names.as_ref()?, self.edit()?);
        let grammar = grammar_of(edit.variant);
        let clauses = line.split([',', ';', ':', '.']).map(str::trim);
        let mut clauses = clauses.filter(|clause| !clause.is_empty());
        let found = clauses.find(|clause| {
            let read = read_orders_by(grammar, clause, PhaseKind::Movement, names);
            matches!(read.as_slice(), [Ok(order)] if order.verb == Verb::HoldAll)
        });
        found.map(str::to_owned)
    }

    /// Whether a line has an order for adjustments, or a line of the variant's own.
    fn is_for_something_else(&mut self, line: &str) -> bool {
        let orders = self.read_orders(line);
        let mut kinds = orders.iter().flatten().map(|order| order.verb.phase_kind());
        kinds.any(|kind| kind.is_none_or(|kind| kind == PhaseKind::Adjustments))
    }
}

/// Whether a line names the other season of movement.
fn names_other_season(line: &str, season: Season) -> bool {
    let (spring, fall): (&[&str], &[&str]) = (&["spring"], &["fall", "autumn"]);
    let (own, other) = match season {
        Season::Spring | Season::Summer => (spring, fall),
        Season::Fall | Season::Winter => (fall, spring),
    };
    let names = |season: &[&str]| {
        bare_words(line).any(|word| season.contains(&word.to_lowercase().as_str()))
    };
    names(other) && !names(own)
}
