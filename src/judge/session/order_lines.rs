//! Order lines of a mail, the conditions around them, and orders that come too late.

use crate::clock::ahead::{self, WrongAhead, next_phase_of};
use crate::orders::branches::{self, BlockLine};
use crate::orders::lines::{self, OrdersInWords, about};
use crate::orders::meant;
use crate::orders::variant_lines;
use crate::session::Session;
use crate::session::reading::OrdersFor;
use crate::work::GameWork;
use dipjudge_commands::conditional_order::{
    condition_before, conditional_order, support_of_tested_move,
};
use dipjudge_commands::mentions::provinces_in;
use dipjudge_commands::orders::{grammar_of, standard};
use dipjudge_commands::prose::{bare_words, denies, sentences};
use dipjudge_commands::self_correction::{TakenBack, corrected, taken_back};
use dipjudge_game::Role;
use dipjudge_game::planted::{Leak, planted};
use dipjudge_grammar::Line;
use dipjudge_rules::calendar::{PhaseKind, PhaseName, Season};
use dipjudge_rules::map::Power;
use dipjudge_variants as variants;

/// The most words that name a unit: `The army in Munich`.
const MOST_OF_UNIT: usize = 4;

/// The most words of a heading before orders on the same line.
const MOST_OF_HEADING: usize = 7;

/// What is said of a support that is to count only if its move is ordered.
const SUPPORT_WITH_CONDITION: &str = "No order can depend on what others order in the same phase.  But the support of a move does nothing unless the move is ordered, so it is proposed at the top without the condition.";

/// What is said of a sentence whose orders a later line of the mail replaces.
const REPLACED: &str = "A later line of your mail replaces this.";

/// What is said of a sentence that the words behind it take back.
const TAKEN_BACK: &str = "The words behind this take it back, so it orders nothing.";

/// Verbs of who takes something back that he names.
const SCRAPS: [&str; 6] = ["scrap", "forget", "drop", "cancel", "skip", "scratch"];

/// What is said of a retreat that depends on whether its goal is open.
const OPEN_IS_KNOWN: &str = "Where your unit can retreat is known now, so this needs no condition: what it means stands at the top.";

/// Whether a sentence begins with a condition: `But if Boris goes to Budapest`.
fn begins_with_if(sentence: &str) -> bool {
    let leads = ["but", "and", "so", "only", "i", "mean"];
    let mut words = bare_words(sentence)
        .skip_while(|word| leads.iter().any(|lead| word.eq_ignore_ascii_case(lead)));
    words
        .next()
        .is_some_and(|word| word.eq_ignore_ascii_case("if"))
}

impl Session<'_, '_> {
    /// Handles a line that is not a command: orders, for the current phase or the one that a PHASE line named.
    pub(crate) fn order_line(&mut self, line: &str) {
        self.reply.wanted = true;
        if self.reading.branches.open() && self.variant_line(line, "") {
            return;
        }
        let Some(power) = self.sender.acting.and_then(|acting| acting.power) else {
            let master = self.sender.acting.is_some_and(|acting| {
                self.game()
                    .and_then(|game| game.seat(acting.seat))
                    .is_some_and(|s| s.role == Role::Master)
            });
            if self.answer_subject(line) {
                return;
            }
            if master && !self.names_province(line) {
                self.leave_unread(line);
                return self.propose_command(line);
            }
            let why = if master {
                "That is not a master's command; GET MASTER lists them. To give a power's orders, write BECOME F first."
            } else {
                if self.is_talk(line) {
                    return self.leave_unread(line);
                }
                "I do not know this command, and you have no units to order here."
            };
            self.fault(line, why);
            return self.propose_command(line);
        };
        match self.reading.orders_for {
            // Stored lines are repeated in later answers, so none with a password may be stored.
            OrdersFor::Later(_) if self.reading.secrets.in_line() => {
                let why = "This line was not kept: it may hold a password.";
                return self.fault(line, why);
            }
            OrdersFor::Later(phase) => return self.store_ahead(power, phase, line),
            OrdersFor::Nothing => return,
            OrdersFor::Now => {}
        }
        if let Some(why) = self.too_late() {
            if self.is_talk(line) {
                return self.leave_unread(line);
            }
            if self.is_prose_without_orders(line) && self.answer_prose(line) {
                return;
            }
            // Once is enough for a mail.
            if !self.reading.told_too_late {
                self.reading.told_too_late = true;
                self.fault(line, why);
            }
            let meant = self.orders_meant(line);
            return meant.iter().for_each(|order| self.propose(order));
        }
        self.make_names();
        if !self.reading.branches.open() {
            return;
        }
        if let Some(orders) = self.behind_heading(line) {
            return self.order_line(&orders);
        }
        if let Some(taken_back) = self.taken_back(line)
            && self.takes_back(line, &taken_back)
        {
            return;
        }
        if self.closes_mail(line)
            || self.propose_like_own_lines(line)
            || self.refuse_condition(line)
            || self.refuse_condition_before(line)
            || self.refuse_condition_of_unit(line)
        {
            return;
        }
        if self.is_talk(line) {
            return self.leave_unread(line);
        }
        if self.is_prose_without_orders(line) && self.answer_prose(line) {
            return;
        }
        if self.is_question_of_places(line)
            && (self.answer_prose(line) || self.answer_by_topic(line))
        {
            return;
        }
        // "And to Apulia?" is no order, whatever is meant.
        let asks = line.trim_end().ends_with('?');
        if asks && !self.reads_as_order(line) && self.orders_meant(line).is_empty() {
            return self.leave_unread(line);
        }
        let line = self.without_closing(line);
        let accepted = self.orders.accepted;
        let is_proposed = !self.reply.proposed.is_empty();
        let before = is_proposed.then(|| self.orders.about.clone());
        self.take_orders(power, line);
        if let Some(before) = before {
            let now = self.orders.about.difference(&before).cloned().collect();
            self.drop_replaced_orders(&now);
        }
        self.tell_replaced();
        let mut unread = std::mem::take(&mut self.orders.unread);
        self.reading.unread.append(&mut unread);
        for (kind, order) in std::mem::take(&mut self.orders.of_other_phases) {
            self.propose_for_phase(kind, order);
        }
        let meant = std::mem::take(&mut self.orders.meant);
        let meant = self.without_units_ordered(line, meant);
        if meant.is_empty() && self.orders.accepted == accepted {
            self.propose_command(line);
        }
        if !meant.is_empty() {
            self.note_left_out(line, &meant);
        }
        let ordered_in_words = !meant.is_empty();
        for meant in meant {
            self.propose(&meant);
        }
        // "The fleet in Greece goes, and I bid three."
        if ordered_in_words && let Some(numbered) = self.numbered_line_named(line) {
            self.propose(&numbered);
        }
    }

    /// A line of orders without the thanks and the name behind them: `Build an army in Budapest. Thx, Anna`
    fn without_closing<'l>(&self, line: &'l str) -> &'l str {
        let mut kept = line.trim_end();
        while let Some(joint) = kept.rfind([',', '.', '!']) {
            let (before, behind) = (&kept[..joint], &kept[joint + 1..]);
            let is_end = behind.trim().is_empty();
            if before.trim().is_empty() || !(is_end || self.says_nothing(behind.trim())) {
                break;
            }
            kept = before.trim_end();
        }
        // The sign behind the last order stays.
        line.get(..=kept.len()).unwrap_or(line)
    }

    /// Says that an order cannot depend on what others do, where words behind it make it so, and proposes what the line orders
    /// otherwise. The orders before it are taken. `false` if none depends on anything.
    fn refuse_condition(&mut self, line: &str) -> bool {
        let (Some(names), Some(edit)) = (&self.reading.names, self.edit()) else {
            return false;
        };
        let grammar = grammar_of(edit.variant);
        let names_somebody = |text: &str| !self.named_in(text).is_empty();
        let Some(found) = conditional_order(grammar, line, names, names_somebody) else {
            return false;
        };
        let is_order =
            self.reads_as_order(found.order) || !self.orders_meant(found.order).is_empty();
        // Variants have lines with conditions.
        if !is_order || self.reads_as_orders_alone(line) {
            return false;
        }
        if !found.before.is_empty() {
            self.order_line(found.before);
        }
        if let Some(support) = self.support_of_tested_move(found.order, found.tested) {
            self.propose_support(found.whole, &support);
            return true;
        }
        self.orders.errors += 1;
        self.fault(found.whole, lines::CONDITION_IN_WORDS);
        if let Some(otherwise) = found.otherwise {
            self.propose_otherwise(found.order, otherwise);
        }
        true
    }

    /// The same of a condition before an order: `If Germany leaves Denmark then NTH - DEN, otherwise NTH - NWY`.
    fn refuse_condition_before(&mut self, line: &str) -> bool {
        let Some(names) = &self.reading.names else {
            return false;
        };
        let names_somebody = |text: &str| !self.named_in(text).is_empty();
        let found = sentences(line).into_iter().find_map(|sentence| {
            let begins = begins_with_if(sentence);
            let (order, otherwise) = condition_before(sentence, names, names_somebody)?;
            (begins && !sentence.ends_with('?')).then_some((sentence, order, otherwise))
        });
        let Some((sentence, order, otherwise)) = found else {
            return false;
        };
        let Some((before, behind)) = line.split_once(sentence) else {
            return false;
        };
        let tested = sentence.split(order).next().unwrap_or_default();
        let support = self.support_of_tested_move(order, tested);
        if support.is_none() && self.orders_meant(order).is_empty() {
            return false;
        }
        if !before.trim().is_empty() {
            self.order_line(before.trim());
        }
        match support {
            Some(support) => self.propose_support(sentence, &support),
            None => {
                self.refuse_if_order(sentence, order, otherwise);
            }
        }
        if !behind.trim().is_empty() {
            self.order_line(behind.trim());
        }
        true
    }

    /// The same of a condition behind a unit: `Munich: if the French go to Burgundy it holds, otherwise it goes to the Ruhr`.
    fn refuse_condition_of_unit(&mut self, line: &str) -> bool {
        let Some((unit, behind)) = line.split_once(": ") else {
            return false;
        };
        let begins = behind.trim_start().to_lowercase().starts_with("if ");
        let names_unit =
            unit.split_whitespace().count() <= MOST_OF_UNIT && self.names_province(unit);
        if !begins || !names_unit || line.ends_with('?') {
            return false;
        }
        let Some(names) = &self.reading.names else {
            return false;
        };
        let names_somebody = |text: &str| !self.named_in(text).is_empty();
        let behind = behind
            .replacen(" it ", ", it ", 1)
            .replacen(",, it ", ", it ", 1);
        let Some((order, otherwise)) = condition_before(&behind, names, names_somebody) else {
            return false;
        };
        self.refuse_if_order(line, &format!("{unit} {order}"), otherwise)
    }

    /// Proposes the retreat of a line that makes it depend on whether its goal is open: `If Vienna is still free I fall back there, if
    /// not then to Serbia.`
    fn proposes_open_retreat(&mut self, line: &str) -> bool {
        let (Some(names), Some(game)) = (&self.reading.names, self.game()) else {
            return false;
        };
        let is_due = game.phase.phase_kind() == Some(PhaseKind::Retreats);
        let open = ["free", "open", "empty", "vacant", "possible", "available"];
        let says_open =
            bare_words(line).any(|word| open.iter().any(|open| word.eq_ignore_ascii_case(open)));
        if !is_due || !says_open {
            return false;
        }
        let places = provinces_in(standard(), line, names).into_iter();
        let places: Vec<String> = places
            .map(|place| names.full_name(place).to_owned())
            .collect();
        let mut meant = places
            .iter()
            .map(|place| self.orders_meant(&format!("to {place}")));
        let Some(meant) = meant.find(|meant| !meant.is_empty()) else {
            return false;
        };
        self.reply.wanted = true;
        self.orders.errors += 1;
        self.fault(line, OPEN_IS_KNOWN);
        meant.iter().for_each(|order| self.propose(order));
        true
    }

    /// The support of the very move on whose condition an order in words stands.
    fn support_of_tested_move(&mut self, order: &str, tested: &str) -> Option<String> {
        let (names, edit) = (self.reading.names.as_ref()?, self.edit()?);
        let support = support_of_tested_move(grammar_of(edit.variant), order, tested, names)?;
        self.reads_as_orders_alone(&support).then_some(support)
    }

    /// Proposes a support of the very move on whose condition it stands, which needs none.
    fn propose_support(&mut self, words: &str, support: &str) {
        self.orders.errors += 1;
        self.fault(words, SUPPORT_WITH_CONDITION);
        self.propose(support);
    }

    /// Refuses words with a condition if what stands behind that is an order.
    fn refuse_if_order(&mut self, words: &str, order: &str, otherwise: Option<&str>) -> bool {
        if self.orders_meant(order).is_empty() {
            return false;
        }
        self.orders.errors += 1;
        self.fault(words, lines::CONDITION_IN_WORDS);
        if let Some(otherwise) = otherwise {
            self.propose_otherwise(order, otherwise);
        }
        true
    }

    /// Proposes what is to be done if a condition does not hold. It may name the unit of the conditional order by a word alone:
    /// `otherwise it should just hold`.
    fn propose_otherwise(&mut self, order: &str, otherwise: &str) {
        let otherwise = otherwise.trim_end_matches(['.', '!']);
        let mut meant = self.orders_meant(otherwise);
        if meant.is_empty() {
            meant = self.orders_meant(&format!("{order}, {otherwise}"));
            meant = meant.split_off(meant.len().min(1));
        }
        meant.iter().for_each(|order| self.propose(order));
    }

    /// Says of sentences of whose orders none is left what became of them.
    fn tell_replaced(&mut self) {
        for quote in std::mem::take(&mut self.orders.replaced) {
            let answers = self.reply.answers.iter_mut();
            for answer in answers.filter(|answer| answer.quote.as_ref() == Some(&quote)) {
                answer.lines = vec![REPLACED.to_owned()];
            }
        }
    }

    /// A line parted where its writer takes something back.
    pub(crate) fn taken_back<'l>(&self, line: &'l str) -> Option<TakenBack<'l>> {
        let (names, edit) = (self.reading.names.as_ref()?, self.edit()?);
        taken_back(grammar_of(edit.variant), line, names)
    }

    /// Handles a line in which its writer takes something back; `false` if that says nothing of orders.
    fn takes_back(&mut self, line: &str, taken_back: &TakenBack<'_>) -> bool {
        if self.leaves_out_taken_back(taken_back) || self.leaves_out_scrapped(taken_back) {
            return true;
        }
        if let Some(corrected) = self.corrected_by_writer(taken_back) {
            let read_as = format!("I read this as `{}`.", self.quotable(&corrected));
            self.fault(line, read_as);
            self.order_line(&corrected);
            return true;
        }
        let Some((kept, behind)) = self.orders_beside_taking_back(line, taken_back) else {
            return false;
        };
        let kept = kept.trim().trim_end_matches(',');
        if !kept.is_empty() {
            self.order_line(kept);
        }
        self.order_line(behind);
        true
    }

    /// Leaves out the sentence that the words behind it take back without anything in its place: `... else in North Africa. No, forget
    /// that.`
    fn leaves_out_taken_back(&mut self, taken_back: &TakenBack<'_>) -> bool {
        let TakenBack { kept, behind, .. } = *taken_back;
        let words = taken_back.words.to_lowercase();
        let takes_all = ["forget", "scrap", "scratch", "never mind"];
        let takes_all = takes_all.iter().any(|word| words.contains(word));
        if !takes_all || kept.is_empty() || self.names_province(behind) {
            return false;
        }
        let last = sentences(kept).pop().unwrap_or_default();
        let before = kept.strip_suffix(last).unwrap_or_default().trim();
        if !before.is_empty() {
            self.order_line(before);
        }
        self.reply.wanted = true;
        self.fault(last, TAKEN_BACK);
        true
    }

    /// Leaves out the clauses before these words that name what the words take back: `... and the other fleet goes to Barents. No wait,
    /// scrap the Barents thing, it supports the landing.`
    fn leaves_out_scrapped(&mut self, taken_back: &TakenBack<'_>) -> bool {
        let TakenBack { kept, behind, .. } = *taken_back;
        let behind = behind.trim_start_matches(|sign: char| !sign.is_alphanumeric());
        let (scrapped, rest) = behind.split_once(", ").unwrap_or((behind, ""));
        let verb = bare_words(scrapped).next().unwrap_or_default();
        if !SCRAPS.iter().any(|known| verb.eq_ignore_ascii_case(known)) {
            return false;
        }
        let (Some(names), Some(edit)) = (&self.reading.names, self.edit()) else {
            return false;
        };
        let grammar = grammar_of(edit.variant);
        let named = provinces_in(grammar, scrapped, names);
        if named.is_empty() {
            return false;
        }
        let names_it = |clause: &&str| {
            let mentioned = provinces_in(grammar, clause, names);
            mentioned.iter().any(|one| named.contains(one))
        };
        let clauses = kept.split_inclusive([',', '.', ';', '!']);
        let (left_out, left): (Vec<&str>, Vec<&str>) = clauses.partition(names_it);
        let left = left.concat();
        if !left.trim().is_empty() {
            self.order_line(left.trim());
        }
        self.reply.wanted = true;
        for clause in left_out {
            self.fault(clause.trim(), TAKEN_BACK);
        }
        if !rest.trim().is_empty() {
            self.order_line(rest.trim());
        }
        true
    }

    /// A line without what its writer takes back in it: `Munich to Ruhr`, of `Munich to Burgundy - no, make that Ruhr`.
    fn corrected_by_writer(&mut self, taken_back: &TakenBack<'_>) -> Option<String> {
        let (names, edit) = (self.reading.names.as_ref()?, self.edit()?);
        let moves = edit.game.phase.phase_kind() != Some(PhaseKind::Adjustments);
        // A build that was taken stays beside another one; one that is only proposed goes.
        let is_replaced = |last: &&str| moves || self.reply.proposed.iter().any(|one| one == last);
        let before = self.orders.last.as_deref().filter(is_replaced);
        let corrected = corrected(grammar_of(edit.variant), taken_back, names, before)?;
        let before = before.map(str::to_owned);
        let is_order = self.reads_as_order(&corrected) || !self.orders_meant(&corrected).is_empty();
        if let Some(before) = before.filter(|_| is_order && !moves) {
            self.orders.keep_of_meant(vec![before.clone()], |_| false);
            self.reply.proposed.retain(|one| *one != before);
        }
        is_order.then_some(corrected)
    }

    /// What stands before and behind words such as "hmm no", if orders stand behind them: `Smyrna goes to Ankara. Hmm no, leave Smyrna
    /// where it is.` The sentence before them is left out if it orders the same unit.
    fn orders_beside_taking_back<'l>(
        &mut self,
        line: &str,
        taken_back: &TakenBack<'l>,
    ) -> Option<(String, &'l str)> {
        let (names, edit) = (self.reading.names.as_ref()?, self.edit()?);
        let grammar = grammar_of(edit.variant);
        let TakenBack { kept, behind, .. } = *taken_back;
        let first_of = |words: &str| provinces_in(grammar, words, names).first().copied();
        let last = sentences(kept).pop().unwrap_or_default();
        let unit = first_of(behind);
        let before = kept.strip_suffix(last).unwrap_or_default();
        let mut clauses: Vec<&str> = last.split_inclusive([',', ';']).collect();
        let says_instead = bare_words(behind).any(|word| word == "instead");
        // "Take off Bohemia. No wait, take the Greek fleet off instead."
        let is_same = |words: &str| unit.is_some() && first_of(words) == unit;
        if is_same(last) || says_instead && clauses.len() == 1 {
            clauses.clear();
        }
        // "Rome to Venice, the boat in Naples to the Tyrrhenian. No wait, Naples to the Ionian instead."
        clauses.retain(|clause| !is_same(clause));
        let kept = [before, &clauses.concat()].concat();
        let is_whole = self.reads_as_orders_alone(line);
        let is_order = !is_whole && !self.orders_meant(behind).is_empty();
        is_order.then_some((kept, behind))
    }

    /// The orders of a line behind words that name nobody and no place: `Just this one for now: F Nth - Den`.
    fn behind_heading(&mut self, line: &str) -> Option<String> {
        let (head, orders) = line.split_once(": ")?;
        let is_heading = head.split_whitespace().count() <= MOST_OF_HEADING
            && !self.names_province(head)
            && self.named_in(head).is_empty()
            && !denies(head);
        let reads = is_heading && !self.reads_as_order(line) && self.reads_as_orders_alone(orders);
        reads.then(|| orders.to_owned())
    }

    /// Takes the orders of a line for the phase in hand, and answers it.
    fn take_orders(&mut self, power: Power, line: &str) {
        let (Some(names), Some(open)) = (&self.reading.names, &mut self.open) else {
            return;
        };
        let mut work = GameWork::new(&mut self.work, open);
        lines::take(&mut work, power, line, names, &mut self.orders);
        for answer in std::mem::take(&mut self.orders.answers) {
            let answer = self.without_passwords(answer);
            self.answer(answer);
        }
    }

    /// Whether all that is proposed are orders that are certain.
    pub(crate) fn proposes_certain_orders_alone(&self) -> bool {
        let is_certain = |line: &String| {
            let in_words = self.orders.in_words.iter();
            let mut certain = in_words.filter(|one| one.is_certain);
            certain.any(|one| one.orders == *line)
        };
        self.reply.proposed.iter().all(is_certain)
    }

    /// Takes the orders that the mail says in words, if it leaves nothing open: all that would be proposed for it are orders that are
    /// certain, it holds nothing that was not understood, and no unit has another order in it.
    pub(crate) fn take_certain_orders(&mut self) {
        let proposed = self.reply.proposed.clone();
        self.orders
            .in_words
            .retain(|one| proposed.contains(&one.orders));
        let leaves_nothing_open = !proposed.is_empty()
            && self.proposes_certain_orders_alone()
            && self.orders.errors == self.orders.errors_in_words()
            && self.reading.unread.is_empty()
            && self.reading.proposed_in_part.is_empty();
        let power = self.sender.acting.and_then(|acting| acting.power);
        let Some(power) = power.filter(|_| leaves_nothing_open) else {
            return;
        };
        let has_other_order = proposed.iter().any(|line| {
            let orders = self.read_orders(line);
            let mut units = orders.iter().flatten().map(about);
            units.any(|unit| self.orders.about.contains(&unit))
        });
        if has_other_order {
            return;
        }
        self.reply.proposed.clear();
        self.orders.errors = 0;
        for OrdersInWords { quote, orders, .. } in std::mem::take(&mut self.orders.in_words) {
            let read_as = format!("I read this as `{orders}`.");
            let answers = self.reply.answers.iter_mut();
            for answer in answers.filter(|answer| answer.quote.as_ref() == Some(&quote)) {
                answer.lines = vec![read_as.clone()];
            }
            self.take_orders(power, &orders);
        }
    }

    /// Proposes an order of another kind of phase for the next phase of that kind.
    pub(crate) fn propose_for_phase(&mut self, kind: PhaseKind, order: String) {
        let phase = self.game().and_then(|game| next_phase_of(game, kind));
        let Some(phase) = phase.filter(|_| self.reading.branches.is_empty()) else {
            return;
        };
        let power = self.sender.acting.and_then(|acting| acting.power);
        let (Some(power), Some(mut work)) = (power, self.in_game()) else {
            return;
        };
        if !ahead::could_be_kept(&mut work, power, phase, &order) {
            return;
        }
        let (begins, ends) = (format!("PHASE {}", phase.in_mail()), "ENDPHASE");
        let proposed = &mut self.reply.proposed;
        let last = proposed.iter().rfind(|line| line.starts_with("PHASE "));
        if last == Some(&begins) && proposed.last().is_some_and(|line| line == ends) {
            proposed.pop();
            return self.propose_all(vec![order, ends.to_owned()]);
        }
        self.propose_all(vec![begins, order, ends.to_owned()]);
    }

    /// Leaves units that the mail orders out of what is meant by a line that speaks of the others: `My other two fleets do nothing`.
    fn without_units_ordered(&mut self, line: &str, meant: Vec<String>) -> Vec<String> {
        let is_other = |word: &str| ["other", "others"].contains(&word.to_lowercase().as_str());
        if meant.is_empty() || !bare_words(line).any(is_other) {
            return meant;
        }
        let ordered = self.ordered_so_far().units;
        self.keep_of_meant(meant, |session, order| {
            let unit = order.strip_suffix(" H");
            let unit = unit.and_then(|unit| session.first_named(unit));
            unit.is_none_or(|unit| !ordered.contains(&unit))
        })
    }

    /// Counts the orders that the sender's units have as given by this mail: in "YES, and the rest hold" the rest are the others.
    pub(crate) fn count_orders_as_given(&mut self) {
        let power = self.sender.acting.and_then(|acting| acting.power);
        let (Some(power), Some(open)) = (power, &mut self.open) else {
            return;
        };
        let mut work = GameWork::new(&mut self.work, open);
        let own = work.take_sight(power, work.lines_of());
        let units = own.sight.position.units_of(power);
        let given = &own.sight.orders.units;
        let ordered = units.filter(|unit| given.contains_key(&unit.id));
        self.orders.said.units.extend(ordered.map(|unit| unit.id));
        work.keep_sight(own);
    }

    /// The orders of the sender's that a line means, without giving any.
    pub(crate) fn orders_meant(&mut self, line: &str) -> Vec<String> {
        let Some(power) = self.sender.acting.and_then(|acting| acting.power) else {
            return Vec::new();
        };
        self.make_names();
        let (Some(names), Some(open)) = (&self.reading.names, &mut self.open) else {
            return Vec::new();
        };
        let mut work = GameWork::new(&mut self.work, open);
        meant::orders_meant(&mut work, power, line, names, self.orders.last.as_deref())
    }

    /// Whether a line, with the text after it, is a command of the variant. If it is, the command is executed: at once,
    /// even if orders are given for a later phase.
    pub(crate) fn variant_line(&mut self, line: &str, text: &str) -> bool {
        let taken = self.try_act(|work, acting| Ok(variant_lines::take(work, acting, line, text)));
        let Ok(Some(answers)) = taken else {
            return false;
        };
        self.reply.wanted = true;
        for answer in answers {
            match answer {
                Ok(said) => said.into_iter().for_each(|sentence| self.say(sentence)),
                Err(why) => self.fault(line, why),
            }
        }
        true
    }

    /// Stores a line for a later phase.
    pub(crate) fn store_ahead(&mut self, power: Power, phase: PhaseName, line: &str) {
        let Some(mut work) = self.in_game() else {
            return;
        };
        match ahead::take(&mut work, power, phase, line) {
            Ok(None) => *self.reading.kept_for.entry(phase).or_default() += 1,
            Ok(Some(said)) => self.fault(line, said),
            Err(WrongAhead { why, meant }) => {
                self.fault(line, why);
                if let Some(meant) = meant {
                    self.propose(&meant);
                }
            }
        }
    }

    /// IF, ELSE IF, ELSE, ENDIF: stored with the orders for a later phase, otherwise tested against what the sender
    /// sees.
    pub(crate) fn condition_line(&mut self, line: &str, condition: &Line) {
        // "If MAO goes to Spain, which coast do I need?"
        if line.trim_end().ends_with('?') {
            if !self.answer_question(line) {
                self.order_line(line);
            }
            return;
        }
        let Some(power) = self.sender.acting.and_then(|acting| acting.power) else {
            // "If I may wish: France", "If anybody drops out I'd love to take over"
            if !self.propose_for_sentence(line) {
                self.order_line(line);
            }
            return;
        };
        match self.reading.orders_for {
            OrdersFor::Later(phase) => return self.store_ahead(power, phase, line),
            OrdersFor::Nothing => return,
            OrdersFor::Now => {}
        }
        self.make_names();
        if let Some(taken_back) = self.taken_back(line)
            && self.leaves_out_taken_back(&taken_back)
        {
            return;
        }
        if self.proposes_open_retreat(line) {
            return;
        }
        let (Some(names), Some(open)) = (&self.reading.names, &mut self.open) else {
            return;
        };
        let mut work = GameWork::new(&mut self.work, open);
        let variant = work.variant();
        let Some(block_line) = BlockLine::of(line, condition, variant, names) else {
            return self.order_line(line);
        };
        let mut own = work.take_sight(power, work.lines_of());
        if planted(Leak::Condition) {
            own.sight.position = work.game().position.clone().into();
        }
        let branches = &mut self.reading.branches;
        let depth = branches.depth();
        let step = branches::step(branches, &block_line, variant, names, &own.sight);
        if !planted(Leak::Condition) {
            work.keep_sight(own);
        }
        let is_sentence = line.trim_end().ends_with(['.', '!']);
        // The lines behind a sentence do not depend on it.
        let begins_block = step.is_err() && self.reading.branches.depth() > depth;
        if begins_block {
            self.reading.branches.end();
        }
        match step {
            Ok(None) => {}
            Ok(Some(then)) => self.order_line(&then),
            // "If Denmark is kicked out, it goes back to Kiel."
            Err(_) if self.answer_retreats(line) || self.propose_builds_ahead(line) => {}
            // "If something is born on my coasts I'd like a fleet."
            Err(_) if self.propose_like_own_lines(line) => {}
            // "If you ask me it is madness", "If I place none now, are they lost?"
            Err(_) if line.contains('?') && self.answer_each_question(line) => {}
            Err(_) if self.is_talk_with_if(line) => self.leave_unread(line),
            Err(_) if begins_block && self.refuse_condition_before(line) => {}
            // "If that is not possible, Sweden shall hold."
            Err(_) if !self.orders_meant(line).is_empty() => self.order_line(line),
            // "If something is born in Tuscany I want a fleet there." is no condition with a mistake in it.
            Err(_) if is_sentence && self.is_prose_without_orders(line) => {
                self.fault(line, lines::CONDITION_IN_WORDS);
            }
            Err(why) => {
                if begins_block {
                    self.reading.branches.begin_unread();
                }
                self.orders.errors += 1;
                self.fault(line, why);
            }
        }
    }

    /// Answers the questions among the sentences of a line; `false` if it has none that can be answered.
    fn answer_each_question(&mut self, line: &str) -> bool {
        let asked = sentences(line)
            .into_iter()
            .filter(|part| part.ends_with('?'));
        let mut answered = false;
        for part in asked.map(str::to_owned).collect::<Vec<String>>() {
            answered |= self.answer_question(&part);
        }
        answered
    }

    /// Whether a line that begins as a condition does is talk: many words, no province, no order.
    fn is_talk_with_if(&mut self, line: &str) -> bool {
        !self.names_province(line) && self.is_prose_without_orders(line)
    }

    /// The refusal of orders in an answer to a mail of a past phase; they do not act on the new one
    /// (`judge-workflow.md` 7).
    fn too_late(&self) -> Option<String> {
        let game = self.game().filter(|game| game.begun())?;
        let variant = variants::of(&game.variant);
        let now = game.phase_name(variant);
        let reported = game
            .last
            .as_ref()
            .map(|last| variant.card().phase_name(&last.phase, last.turn));
        let is_over = |says: &str, named: PhaseName| {
            format!(
                "Your mail {says} {}, but '{}' is already in {}, so I did not use its orders. If you meant {}, send \
                 them again as a new mail.",
                named.in_mail(),
                game.name,
                now.in_mail(),
                now.in_mail()
            )
        };
        let before = reported.filter(|before| before.turn.season != now.turn.season);
        if let Some(before) = before.filter(|before| self.names_orders_of(before.turn.season)) {
            return Some(is_over("says that its orders are for", before));
        }
        let named = phase_in_subject(&self.mail.subject, &game.name)?;
        // A report names the phase whose results it contains, so an answer to the newest report is for the current
        // phase.
        let newest = self.mail.subject.trim_end().ends_with(" Results")
            && reported.is_some_and(|reported| reported.in_mail() == named.in_mail());
        (named < now && !newest).then(|| is_over("answers", named))
    }

    /// Whether the mail says for which season its orders are: `Here are my spring orders`.
    fn names_orders_of(&self, season: Season) -> bool {
        let season = season.to_string().to_lowercase();
        let names = |line: &str| {
            let line = line.to_lowercase();
            ["orders", "moves"].iter().any(|orders| {
                line.contains(&format!("{season} {orders}"))
                    || line.contains(&format!("{orders} for {season}"))
            })
        };
        let mut own = self.mail.own_lines();
        own.any(|line| names(&line.text))
    }
}

/// The phase in a subject that a mail program derived from one of the judge's: `Re: USXX:kaiser - S1901M Results`.
fn phase_in_subject(subject: &str, game: &str) -> Option<PhaseName> {
    let (before, after) = subject.split_once(" - ")?;
    let ours = before
        .rsplit_once(':')
        .is_some_and(|(_, name)| name.trim().eq_ignore_ascii_case(game));
    let token = after
        .split_whitespace()
        .next()?
        .trim_end_matches(['P', 'X']);
    if ours { token.parse().ok() } else { None }
}
