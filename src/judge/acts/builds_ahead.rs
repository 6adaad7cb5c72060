//! Builds that a line orders before they are due: `If I conquer Tunis, I build a fleet in Brest`, `In winter I want an army in
//! Paris`. They are proposed for the next phase of adjustments.

use crate::clock::ahead::next_phase_of;
use crate::orders::meant::builds_meant;
use crate::session::Session;
use crate::work::GameWork;
use dipjudge_commands::orders::grammar_of;
use dipjudge_commands::orders_ahead::build_ahead;
use dipjudge_game::Phase;
use dipjudge_rules::calendar::PhaseKind;

impl Session<'_, '_> {
    /// Proposes the builds that a line orders for the winter, if it does.
    pub(crate) fn propose_builds_ahead(&mut self, line: &str) -> bool {
        self.make_names();
        let power = self.sender.acting.and_then(|acting| acting.power);
        let (Some(power), Some(names), Some(open)) = (power, &self.reading.names, &mut self.open)
        else {
            return false;
        };
        let mut work = GameWork::new(&mut self.work, open);
        let is_before = matches!(work.game().phase, Phase::Movement | Phase::Retreats);
        let grammar = grammar_of(work.variant());
        let Some((before, ordered)) = build_ahead(grammar, line, names).filter(|_| is_before)
        else {
            return false;
        };
        let Some(phase) = next_phase_of(work.game(), PhaseKind::Adjustments) else {
            return false;
        };
        let builds = builds_meant(&mut work, power, ordered, names);
        let are_builds = builds.iter().all(|order| order.starts_with("BUILD "));
        if builds.is_empty() || !are_builds {
            return false;
        }
        // "For the fall Warsaw goes to Moscow. And if I get it, I build an army in Warsaw."
        if !before.trim().is_empty() && !self.propose_moves_ahead(before.trim()) {
            self.take_sentences(before.trim());
        }
        self.ask_before(line.get(before.len()..).unwrap_or(line));
        let lines = std::iter::once(format!("PHASE {}", phase.in_mail()));
        let lines = lines.chain(builds).chain(["ENDPHASE".to_owned()]);
        self.propose_all(lines.collect());
        self.say("It counts only if you may build there then.");
        true
    }
}
