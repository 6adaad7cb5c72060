//! Clauses with a verb of support: `with the help of Trieste`, `Munich backs it up`.

use super::mentions::{Marker, Mention, marker_among, words};
use super::order_clauses::{BoardInSight, ClauseReader, Pointed, place};
use super::order_words::PlaceWords;
use dipjudge_grammar::Text;
use dipjudge_rules::map::Province;

impl<B: BoardInSight> ClauseReader<'_, B> {
    /// The verb of support that a clause has. The "s" of "Cleo's" does not count as one.
    pub(super) fn support_marker(&self, text: &Text<'_>) -> Option<Marker> {
        let starts = words(text).into_iter();
        let starts = starts.filter(|at| !text.source(0..*at).ends_with(['\'', '\u{2019}']));
        marker_among(self.grammar, self.names, "clause-support", text, starts)
    }

    /// Adds a support of a move between these.
    fn supports_move(&mut self, helper: &PlaceWords, from: &PlaceWords, to: &PlaceWords) {
        let helper = self.name(helper);
        let line = format!("{helper} S {} - {}", self.name(from), self.name(to));
        self.orders.push(line);
    }

    /// Adds a support of a unit where it stands.
    fn supports_hold(&mut self, helper: &PlaceWords, held: Province) {
        let helper = self.name(helper);
        let line = format!("{helper} S {}", self.names.full_name(held));
        self.orders.push(line);
    }

    /// Whether the order that was read last moves a unit from there.
    fn moves_from(&self, at: Province) -> bool {
        matches!(&self.pointed, Some(Pointed::Moved(moved)) if moved.from == at)
    }

    /// Adds a support of what was ordered last, if that is about this province.
    pub(super) fn supports_last(&mut self, helper: &PlaceWords, at: Option<Province>) {
        match self.pointed.clone() {
            Some(Pointed::Moved(moved)) if at.is_none_or(|at| at == moved.to) => {
                self.supports_move(helper, &place(moved.from), &place(moved.to));
            }
            Some(Pointed::Held(held)) if at.is_none_or(|at| at == held) => {
                self.supports_hold(helper, held);
            }
            _ => {}
        }
    }

    /// A clause with a verb of support. The unit that the clause before it named alone helps too: `the Aegean and the Black Sea
    /// support it`.
    pub(super) fn support(&mut self, text: &Text<'_>, named: &[Mention], support: Marker) {
        let first = self.orders.len();
        let joined = self.spoken.filter(|spoken| {
            spoken.alone && named.iter().all(|one| one.place.province != spoken.at)
        });
        if self.marker("clause-mutual", text).is_some() {
            return self.support_each_other(joined.map(|spoken| spoken.at), named);
        }
        let before = named.iter().filter(|one| one.end <= support.start).count();
        let verb = text.folded(support.start..support.end);
        // "In spring Munich supported Belgium to the Ruhr" tells of the past.
        if before == 1 && verb.ends_with("ed") && !self.is_of_helper(text, support) {
            return;
        }
        self.support_of_one(text, named, support);
        let helper = named
            .iter()
            .find(|one| one.end <= support.start)
            .map(|one| self.name(&one.place));
        let (Some(joined), Some(helper)) = (joined, helper) else {
            return;
        };
        let more: Vec<String> = self
            .orders
            .iter()
            .skip(first)
            .filter_map(|order| {
                let helped = order.strip_prefix(&helper)?.strip_prefix(" S ")?;
                Some(format!("{} S {helped}", self.names.full_name(joined.at)))
            })
            .collect();
        self.orders.extend(more);
    }

    /// `Holland and Belgium support each other`
    fn support_each_other(&mut self, joined: Option<Province>, named: &[Mention]) {
        let named = named.iter().map(Mention::province);
        let units: Vec<Province> = joined.into_iter().chain(named).collect();
        if let [one, other] = units.as_slice()
            && [one, other].iter().all(|at| self.board.is_own(**at))
        {
            self.supports_hold(&place(*one), *other);
            self.supports_hold(&place(*other), *one);
        }
    }

    fn support_of_one(&mut self, text: &Text<'_>, named: &[Mention], support: Marker) {
        let (before, after): (Vec<&Mention>, Vec<&Mention>) = named
            .iter()
            .partition(|mention| mention.end <= support.start);
        // "and Cleo holds there with support from the Western Mediterranean", behind a move to where she stands
        if let ([], [helper]) = (before.as_slice(), after.as_slice())
            && let Some(held) = self.held_there(text, support)
        {
            return self.supports_hold(&helper.place, held);
        }
        // "Dirk holds there with Kiel's support"
        if let ([helper], []) = (before.as_slice(), after.as_slice())
            && let Some(held) = self.held_there(text, support)
        {
            return self.supports_hold(&helper.place, held);
        }
        match (before.as_slice(), after.as_slice()) {
            // "Tyrolia attacks Venice with help from the fleet in Trieste"
            ([from, to], [helper]) => {
                let (from, to) = self.in_order_of_move(text, from, to);
                self.goes(&from.place, &to.place);
                self.supports_move(&helper.place, &from.place, &to.place);
                self.helping = true;
            }
            // "Tunis holds with the support of the Ionian"
            ([held], [helper]) if self.is_of_helper(text, support) => {
                let at = held.place.province;
                if self.moves_from(at) {
                    return self.supports_last(&helper.place, None);
                }
                if self.board.is_own(at) {
                    self.orders.push(format!("{} H", self.name(&held.place)));
                    self.pointed = Some(Pointed::Held(at));
                    self.helping = true;
                }
                let line = format!("{} S {}", self.name(&helper.place), self.name(&held.place));
                self.orders.push(line);
            }
            // "support Tyrolia to Venice with Trieste"
            ([], [from, to, helper]) if self.comes_from(text, to, helper) => {
                self.supports_move(&helper.place, &from.place, &to.place);
            }
            ([helper], [from, to]) => self.supports_move(&helper.place, &from.place, &to.place),
            // "Bulgaria to Greece with the Aegean supporting"
            ([from, to, helper], []) => {
                let (from, to) = self.in_order_of_move(text, from, to);
                self.goes(&from.place, &to.place);
                self.supports_move(&helper.place, &from.place, &to.place);
            }
            ([], [helped]) if self.goes_on_with(text, support) => self.supports_by_spoken(helped),
            // "London goes to Belgium by sea, and Holland supports the attack on Belgium"
            ([helper], [helped]) if self.supports_attack_on(text, support, helped) => {
                self.supports_last(&helper.place, Some(helped.place.province));
            }
            // "Burgundy goes to the Ruhr. Munich helps Burgundy with that."
            ([helper], [helped]) if self.moves_from(helped.place.province) => {
                self.supports_last(&helper.place, None);
            }
            ([helper], [helped]) if self.board.is_occupied(helped.place.province) => {
                let line = format!(
                    "{} S {}",
                    self.name(&helper.place),
                    self.name(&helped.place)
                );
                self.orders.push(line);
            }
            ([helper], [to]) => self.supports_last(&helper.place, Some(to.place.province)),
            // "Black Sea helping it", "with support from Trieste" behind the move
            ([helper], []) | ([], [helper]) => {
                self.supports_last(&helper.place, None);
                self.helping = self.is_of_helper(text, support);
            }
            // "Our other squadron, in the Norwegian Sea, will assist it"
            ([], []) => {
                if let Some(helper) = self.spoken.filter(|spoken| spoken.alone) {
                    self.supports_last(&place(helper.at), None);
                }
            }
            _ => {}
        }
    }

    /// Whether the words behind a verb of support name who supports: `with the support of Munich`.
    fn is_of_helper(&self, text: &Text<'_>, support: Marker) -> bool {
        let mut behind = words(text).into_iter().filter(|at| *at >= support.end);
        behind.next().is_some_and(|at| {
            self.grammar
                .read("clause-of", text, at, self.names)
                .is_some()
        })
    }

    /// Whether a clause supports the attack on a province to which the order that was read last moves a unit.
    fn supports_attack_on(&self, text: &Text<'_>, support: Marker, goal: &Mention) -> bool {
        let goes_there =
            matches!(&self.pointed, Some(Pointed::Moved(moved)) if moved.to == goal.place.province);
        let attack = self.marker("clause-attack", text);
        let between = support.end..goal.start;
        goes_there && attack.is_some_and(|attack| between.contains(&attack.start))
    }

    /// Where a move begins and ends, of which a clause names both: the second where it begins, in `attack Denmark from the North Sea`.
    fn in_order_of_move<'m>(
        &self,
        text: &Text<'_>,
        first: &'m Mention,
        second: &'m Mention,
    ) -> (&'m Mention, &'m Mention) {
        if self.comes_from(text, first, second) {
            (second, first)
        } else {
            (first, second)
        }
    }

    /// Where somebody holds before these words of support, if the order that was read last moves a unit there.
    fn held_there(&self, text: &Text<'_>, support: Marker) -> Option<Province> {
        let Some(Pointed::Moved(moved)) = &self.pointed else {
            return None;
        };
        let holds = self.marker("clause-hold", text)?;
        self.marker("clause-there", text)?;
        let is_met = holds.end <= support.start && self.board.is_occupied(moved.to);
        is_met.then_some(moved.to)
    }

    /// Whether a clause begins with this verb and says what the unit does that was spoken of: `Ionian: support Tunis`, `Kiel should
    /// better stay and support Denmark`.
    fn goes_on_with(&self, text: &Text<'_>, verb: Marker) -> bool {
        let begins = words(text).first() == Some(&verb.start);
        let says = text.source(verb.start..verb.end).to_lowercase();
        let stays = match (&self.pointed, self.spoken) {
            (Some(Pointed::Held(held)), Some(spoken)) => *held == spoken.at,
            (_, Some(spoken)) => spoken.alone,
            (_, None) => false,
        };
        begins && !says.ends_with("ed") && stays
    }

    /// The unit that was spoken of supports another where that stands, in place of holding.
    fn supports_by_spoken(&mut self, helped: &Mention) {
        let Some(spoken) = self.spoken else {
            return;
        };
        let helper = self.names.full_name(spoken.at).to_owned();
        let holds = format!("{helper} H");
        self.orders.retain(|order| *order != holds);
        let line = format!("{helper} S {}", self.name(&helped.place));
        self.orders.push(line);
    }
}
