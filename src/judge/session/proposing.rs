//! What is proposed to the sender at the top of an answer, and how it is kept until he answers (README, Decided 36).

use std::collections::BTreeSet;

use crate::orders::lines::{about, replaced_by_another};
use crate::people::unlisted;
use crate::proposals::{FLAG, ORDERS, Owner, Proposal, ProposalState};
use crate::session::Session;
use crate::session::reading::OrdersFor;
use crate::work::acting::Acting;
use dipjudge_commands::corrections::{are_alike, of_command};
use dipjudge_commands::mail_reader::{Block, ItemKind, SignOnBy, read_mail};
use dipjudge_commands::press_options::{press_lines, read_press};
use dipjudge_commands::settings::{SetItem, read_settings, rule_of};
use dipjudge_grammar::Line;
use dipjudge_mails::inbound::secrets;
use dipjudge_mails::outbound::FlagChange;
use dipjudge_variants as variants;
use dipjudge_view::Viewer;

/// The most bytes that the lines of one proposal have.
const MAX_BYTES: usize = 4_000;

/// Whether a proposed line begins a letter.
pub(super) fn begins_letter(line: &str) -> bool {
    line.starts_with("PRESS ") || line == "BROADCAST"
}

/// Whether each of these lines stands in a letter or among lines for a later phase.
fn in_blocks(lines: &[String]) -> Vec<bool> {
    let mut in_block = false;
    let each = lines.iter().map(|line| {
        in_block |= begins_letter(line) || line.starts_with("PHASE ");
        let is_in = in_block;
        in_block &= !line.starts_with("END");
        is_in
    });
    each.collect()
}

/// Whether these lines are letters and nothing else.
pub(crate) fn are_letters_alone(lines: &[String]) -> bool {
    let mut in_letter = false;
    let all = lines.iter().all(|line| {
        in_letter |= begins_letter(line);
        let is_of_letter = in_letter;
        in_letter &= !line.starts_with("END");
        is_of_letter
    });
    all && !lines.is_empty()
}

const RESIGN: &str = "RESIGN";

impl Session<'_, '_> {
    /// Proposes a line that the sender has probably meant, for the phase that his lines are for. Nothing is proposed that may hold
    /// a password, nor where lines stand behind a condition.
    pub(crate) fn propose(&mut self, line: &str) {
        let reading = &self.reading;
        let plain = reading.branches.is_empty() && !reading.secrets.in_line();
        let lines = match reading.orders_for {
            OrdersFor::Now => vec![line.to_owned()],
            OrdersFor::Later(phase) => vec![
                format!("PHASE {}", phase.in_mail()),
                line.to_owned(),
                "ENDPHASE".to_owned(),
            ],
            OrdersFor::Nothing => return,
        };
        if plain && !self.reply.proposed.iter().any(|known| known == line) {
            self.drop_replaced_order(line);
            self.propose_all(lines);
        }
    }

    /// Says which of the proposed orders are for units that have another one by this mail.
    pub(crate) fn note_replaced_orders(&mut self) {
        let mut in_letter = false;
        for line in self.reply.proposed.clone() {
            in_letter = begins_letter(&line) || in_letter && !line.starts_with("END");
            let unit = if in_letter {
                None
            } else {
                self.only_unit_of(&line)
            };
            if unit.is_some_and(|unit| self.orders.about.contains(&unit)) {
                let line = self.quotable(&line);
                self.say(format!(
                    "`{line}`, which is proposed at the top, would replace the order that this mail gives to the same unit."
                ));
            }
        }
    }

    /// Drops what is proposed so far for the unit that a line orders too: `Back to Rome. No wait, Tuscany.`
    fn drop_replaced_order(&mut self, line: &str) {
        let unit = self.only_unit_of(line);
        self.drop_replaced_orders(&unit.into_iter().collect());
    }

    /// Drops what is proposed so far for units that a later line orders: `Denmark and Ruhr defend, no wait, Ruhr goes back to Munich`.
    pub(super) fn drop_replaced_orders(&mut self, units: &BTreeSet<String>) {
        if units.is_empty() {
            return;
        }
        let proposed = std::mem::take(&mut self.reply.proposed);
        let in_blocks = in_blocks(&proposed);
        for (known, in_block) in proposed.into_iter().zip(in_blocks) {
            if in_block {
                self.reply.proposed.push(known);
            } else {
                let kept = self.keep_of_meant(vec![known], |session, order| {
                    let unit = session.only_unit_of(order);
                    unit.is_none_or(|unit| !units.contains(&unit))
                });
                self.reply.proposed.extend(kept);
            }
        }
    }

    /// The lines proposed so far that stand neither in a letter nor for a later phase.
    pub(crate) fn proposed_for_now(&self) -> Vec<String> {
        let lines = self.reply.proposed.iter();
        let lines = lines.zip(in_blocks(&self.reply.proposed));
        let for_now = lines.filter(|(_, in_block)| !in_block);
        for_now.map(|(line, _)| line.clone()).collect()
    }

    /// `OrderOutcomes::keep_of_meant` with a condition that reads orders. It cannot look at the outcomes.
    pub(super) fn keep_of_meant(
        &mut self,
        lines: Vec<String>,
        mut keeps: impl FnMut(&mut Self, &str) -> bool,
    ) -> Vec<String> {
        let mut outcomes = std::mem::take(&mut self.orders);
        let kept = outcomes.keep_of_meant(lines, |order| keeps(self, order));
        self.orders = outcomes;
        kept
    }

    /// What a line is about, if it is one order that names its unit.
    fn only_unit_of(&mut self, line: &str) -> Option<String> {
        match self.read_orders(line).as_slice() {
            [Ok(words)] => replaced_by_another(words, self.game()?.map()),
            _ => None,
        }
    }

    /// Proposes all of these lines, which belong together, or none.
    pub(crate) fn propose_all(&mut self, lines: Vec<String>) {
        // What two sentences ask for is proposed once. Lines of letters may repeat.
        if let [line] = lines.as_slice()
            && self.reply.proposed.contains(line)
        {
            return;
        }
        let proposed = self.reply.proposed.iter().chain(&lines);
        let bytes: usize = proposed.map(String::len).sum();
        let shown = bytes <= MAX_BYTES && lines.iter().all(|line| self.is_free_of_secrets(line));
        if shown && !self.reply.muted && lines.iter().all(|line| self.may_say(line)) {
            // Whoever resigns can send nothing behind it.
            let resigns = self.reply.proposed.pop_if(|last| last == RESIGN);
            self.reply.proposed.extend(lines);
            self.reply.proposed.extend(resigns);
        }
    }

    /// Whether a line, which may be another than the sender's own, holds nothing that may be a password.
    fn is_free_of_secrets(&self, line: &str) -> bool {
        self.quotable(line) == line && secrets(line, |_| false).is_empty()
    }

    /// Proposes press that was refused, where a word of its line is nearly the name of just one power that the sender may address.
    pub(crate) fn propose_press(&mut self, block: &Block) {
        let roster = self.roster();
        let reads = |options: &str| match block.rule.as_str() {
            "press" => read_press(options, &roster).is_ok(),
            _ => false,
        };
        if reads(&block.options) || block.holds_sign_on {
            return;
        }
        // "Press to England: don't panic"
        if let Some((options, first)) = block.options.split_once(':')
            && !first.trim().is_empty()
            && reads(options.trim())
        {
            let lines = block.lines.iter().map(|line| line.trim().to_owned());
            let (words, others): (Vec<String>, Vec<String>) = if block.closed {
                (lines.collect(), Vec::new())
            } else {
                (Vec::new(), lines.collect())
            };
            let words = std::iter::once(first.trim().to_owned()).chain(words);
            self.propose_all(press_lines(options.trim(), words));
            for line in others.iter().filter(|line| !line.is_empty()) {
                let meant = self.lines_meant(line);
                self.propose_all(meant);
            }
            return;
        }
        let names: Vec<&str> = roster.iter().map(|(_, info)| info.name.as_str()).collect();
        // "Ela" is no misspelt Elam where there is Elam II too.
        let begins_several = |word: &str| {
            let word = word.to_lowercase();
            let begun = names
                .iter()
                .filter(|name| name.to_lowercase().starts_with(&word));
            begun.count() > 1
        };
        let mut meant = BTreeSet::new();
        for name in &names {
            for word in block
                .options
                .split([' ', ','])
                .filter(|word| are_alike(word, name) && !begins_several(word))
            {
                let options = block.options.replacen(word, name, 1);
                if reads(&options) {
                    meant.insert(options);
                }
            }
        }
        let mut meant = meant.into_iter();
        if let (Some(options), None) = (meant.next(), meant.next()) {
            let text = block.text();
            self.propose_all(press_lines(&options, text.lines().map(str::to_owned)));
        }
    }

    /// Proposes the command that a line was probably meant as, where it begins with a word that is nearly that of just one.
    pub(crate) fn propose_command(&mut self, line: &str) {
        if let Some(meant) = of_command(line) {
            self.propose(&meant);
        }
    }

    /// Proposes a refused question again, about the game whose name is nearly a word of it.
    pub(super) fn propose_game(&mut self, line: &str) {
        let asked: Vec<&str> = line.split_whitespace().collect();
        let meant = asked.iter().enumerate().skip(1).find_map(|(place, word)| {
            let word = [(*word).to_owned()];
            let name = unlisted::meant(&self.work, &self.sender.address, &word)?;
            Some((place, name.to_owned()))
        });
        let Some((place, name)) = meant else {
            return;
        };
        let mut words = asked;
        if let Some(word) = words.get_mut(place) {
            *word = &name;
        }
        self.propose(&words.join(" "));
    }

    /// As whom the sender has something proposed.
    pub(crate) fn owner(&self) -> Owner {
        self.owner_as(self.sender.acting)
    }

    /// Who owns what is proposed to somebody who acts, or seems to act, in this role.
    pub(crate) fn owner_as(&self, acting: Option<Acting>) -> Owner {
        match (acting, self.game()) {
            (Some(acting), Some(game)) => Owner::Seat {
                game: game.name.clone(),
                seat: acting.seat,
                power: acting.power,
            },
            _ => Owner::Address(self.sender.address.clone()),
        }
    }

    /// The phase of the game in hand, as a mail writes it.
    pub(super) fn phase_in_mail(&self) -> Option<String> {
        let game = self.game().filter(|game| game.begun())?;
        Some(game.phase_name(variants::of(&game.variant)).in_mail())
    }

    /// Ends the sender's earlier proposals about what this mail has changed otherwise.
    pub(crate) fn end_replaced_proposals(&mut self) {
        let mut done = std::mem::take(&mut self.reading.commands);
        if done.contains("clear-orders") || done.contains("clear") {
            done.insert(ORDERS.to_owned());
        }
        done.append(&mut self.orders.about);
        self.replace_proposals(&self.owner(), &done);
    }

    /// Marks the open proposals of an owner that are about any of this.
    fn replace_proposals(&mut self, owner: &Owner, about: &BTreeSet<String>) {
        let open = self.work.judge.proposals().open_to(owner, self.work.now);
        let replaced = open.filter(|(id, proposal)| {
            proposal.is_about_any_of(about) && !self.work.proposals.contains_key(*id)
        });
        let replaced: Vec<(String, Proposal)> = replaced
            .map(|(id, proposal)| {
                let state = ProposalState::Replaced;
                let proposal = proposal.clone();
                (id.to_owned(), Proposal { state, ..proposal })
            })
            .collect();
        self.work.proposals.extend(replaced);
    }

    /// Puts the line before the proposed lines by which a master acts as the power for which they are.
    pub(crate) fn name_power_of_proposal(&mut self) {
        let power = self.sender.acting.and_then(|acting| acting.power);
        let (Some(_), Some(power), Some(edit)) = (self.sender.master, power, self.edit()) else {
            return;
        };
        let labels = edit.variant_game().seen_by(Viewer::Master).labels();
        let line = format!("BECOME {}", labels.name(power));
        if !self.reply.proposed.is_empty() {
            self.reply.proposed.insert(0, line);
        }
    }

    /// Keeps what an answer has proposed, under the id of its mail: nothing but that the orders count as they stand, where it tells
    /// of an error flag and proposes no lines.
    pub(crate) fn keep_proposal(&mut self, id: Option<String>, owner: Owner) {
        let lines = std::mem::take(&mut self.reply.proposed);
        let confirms = matches!(self.reply.flag, FlagChange::Set | FlagChange::Stays);
        let Some(id) = id.filter(|_| !lines.is_empty() || confirms) else {
            return;
        };
        let mut about: BTreeSet<String> = lines.iter().map(|line| self.subject_of(line)).collect();
        if lines.is_empty() {
            about.insert(FLAG.to_owned());
        }
        self.replace_proposals(&owner, &about);
        let proposal = Proposal {
            owner,
            about,
            lines,
            at: self.work.now,
            phase: self.phase_in_mail(),
            state: ProposalState::Open,
        };
        self.work.proposals.insert(id, proposal);
    }

    /// What a line is about: its command, or the unit that it orders.
    fn subject_of(&mut self, line: &str) -> String {
        let body = dipjudge_commands::mail_reader::BodyLine::own(1, line);
        let items = read_mail(&[body], SignOnBy::ReplyAddress).items;
        if let Some(ItemKind::Command(line)) = items.into_iter().next().map(|item| item.kind) {
            return subject_of_command(&line);
        }
        match self.read_orders(line).first() {
            Some(Ok(words)) => about(words),
            _ => line.to_owned(),
        }
    }
}

/// What a command is about: its rule; a setting's is that of the setting.
pub(crate) fn subject_of_command(line: &Line) -> String {
    if line.rule != "set" {
        return line.rule.clone();
    }
    let items = read_settings(line.words().unwrap_or_default());
    let rules = items.iter().filter_map(|item| match item {
        SetItem::Known(item) => Some(rule_of(item)),
        _ => None,
    });
    let rules: Vec<&str> = rules.collect();
    format!("set {}", rules.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_lines_for_later_stand_in_blocks() {
        let lines = [
            "Rome - Venice",
            "PRESS TO Austria",
            "Naples - Apulia",
            "ENDPRESS",
            "Venice H",
            "PHASE F1901M",
            "Venice - Trieste",
            "ENDPHASE",
            "Naples H",
        ];
        let lines = lines.map(str::to_owned);
        let outside = lines.iter().zip(in_blocks(&lines));
        let outside = outside.filter(|(_, in_block)| !in_block);
        let outside: Vec<&str> = outside.map(|(line, _)| line.as_str()).collect();
        assert_eq!(outside, ["Rome - Venice", "Venice H", "Naples H"]);
    }
}
