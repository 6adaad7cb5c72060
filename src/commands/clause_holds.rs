//! Clauses by which several units hold: `all fleets hold`, `everyone sits tight except Sweden`.

use super::mentions::{Mention, words};
use super::order_clauses::{BoardInSight, ClauseReader};
use dipjudge_grammar::Text;
use dipjudge_rules::map::Province;

impl<B: BoardInSight> ClauseReader<'_, B> {
    /// `Everyone sits tight except the fleet in Sweden`: each of the others.
    pub(super) fn holds_all_but(&mut self, text: &Text<'_>, named: &[Mention]) -> bool {
        let (Some(every), Some(hold), Some(except)) = (
            self.marker("clause-every", text),
            self.marker("clause-hold", text),
            self.marker("clause-except", text),
        ) else {
            return false;
        };
        let left_out = named.iter().filter(|one| one.start >= except.end);
        let left_out: Vec<Province> = left_out.map(Mention::province).collect();
        if every.start > except.start || hold.start > except.start || left_out.is_empty() {
            return false;
        }
        let units = self.board.all();
        let others = units.into_iter().filter(|at| !left_out.contains(at));
        let others: Vec<Province> = others.collect();
        self.all_hold(&others);
        self.excepting = true;
        // "... except Silesia, which goes to Berlin"
        if let [.., unit, goal] = named
            && unit.start >= except.end
            && !self.board.is_own(goal.province())
        {
            self.goes(&unit.place, &goal.place);
        }
        true
    }

    /// `The boat stays where it is`: the only unit of its kind. `All fleets hold`: each of them.
    pub(super) fn holds_by_kind(&mut self, text: &Text<'_>) {
        let mut kinds = words(text)
            .into_iter()
            .filter_map(|at| Some((at, self.kind(text, at)?)));
        let Some((at, kind)) = kinds.next() else {
            // "Both hold"
            let units = self.board.all();
            if units.len() == 2 && self.marker("clause-both", text).is_some() {
                self.all_hold(&units);
            }
            return;
        };
        let units = self.board.all_of_kind(kind);
        // "The fleets stay as they are": those of which nothing else was said.
        let named = text.folded(at..text.word_end(at));
        let all = self.marker("clause-all", text).is_some() || named.ends_with('s');
        if all || units.len() == 1 {
            let units = units.into_iter().filter(|at| {
                let unit = format!("{} ", self.names.full_name(*at));
                !self.orders.iter().any(|order| order.starts_with(&unit))
            });
            let units: Vec<Province> = units.collect();
            self.all_hold(&units);
        }
    }

    fn all_hold(&mut self, units: &[Province]) {
        let names = units.iter().map(|at| self.names.full_name(*at));
        self.orders.extend(names.map(|name| format!("{name} H")));
    }
}
