//! Clauses of a movement phase: which unit goes where, and what points back to it.

use super::mentions::{Marker, Mention, words};
use super::order_clauses::{
    BoardInSight, ClauseReader, MOST_OF_PLACE, Movement, Pointed, SpokenOf, place,
};
use super::order_words::PlaceWords;
use dipjudge_grammar::Text;
use dipjudge_rules::map::{Coast, Province, UnitKind};

/// The most words of a clause that tells where another unit lands: `and the other one to Wales`.
const MOST_OF_LANDING: usize = 6;

impl<B: BoardInSight> ClauseReader<'_, B> {
    pub(super) fn movement(&mut self, clause: &str) {
        let text = Text::new(clause);
        let named = self.mentions(&text);
        if self.holds_all_but(&text, &named) {
            return;
        }
        if std::mem::take(&mut self.excepting)
            && let [other, more @ ..] = named.as_slice()
        {
            let holds = format!("{} H", self.names.full_name(other.province()));
            let is_alone = more.is_empty() && words(&text).len() <= MOST_OF_PLACE;
            // "... and Tyrolia, which goes to Vienna"
            if is_alone || self.board.is_own(other.province()) && !more.is_empty() {
                self.orders.retain(|order| *order != holds);
            }
            if is_alone {
                self.excepting = true;
                return;
            }
        }
        if self.lands(&text, &named) {
            return;
        }
        if let [helper] = named.as_slice()
            && std::mem::take(&mut self.helping)
            && words(&text).len() <= MOST_OF_PLACE
            && self.marker("clause-hold", &text).is_none()
        {
            self.helping = true;
            return self.supports_last(&helper.place, None);
        }
        if let [other] = named.as_slice()
            && words(&text).len() <= MOST_OF_PLACE
            && self.marker("clause-too", &text).is_some()
            && self.repeats_last(&other.place)
        {
            return;
        }
        if let Some(support) = self.support_marker(&text) {
            return self.support(&text, &named, support);
        }
        // "Scrap the fleet in the Aegean and give me an army in Constantinople": not now.
        let first = named.first().map_or(usize::MAX, |mention| mention.start);
        let asks_adjustment = ["clause-remove", "clause-raise"].iter().any(|rule| {
            self.marker(rule, &text)
                .is_some_and(|verb| verb.start < first)
        });
        if asks_adjustment {
            return;
        }
        // "The ship of London goes to the North Sea" names a unit, "North Sea ships Yorkshire to Norway" is a convoy.
        let convoy = self.marker("clause-convoy", &text);
        let names_unit = |verb: Marker| {
            text.source(verb.start..verb.end)
                .to_lowercase()
                .starts_with("ship")
        };
        if convoy.is_some_and(|verb| named.len() > 2 || !names_unit(verb)) {
            return self.convoy(&named);
        }
        if self.goes_over(&text, &named)
            || self.goes_by_sea(&text, &named)
            || self.lifts(&text, &named)
        {
            return;
        }
        match named.as_slice() {
            [] if self.marker("clause-hold", &text).is_some() => self.holds_by_kind(&text),
            [unit] if self.marker("clause-hold", &text).is_some() || self.stays(clause) => {
                let at = unit.place.province;
                if self.board.has_order(at) && self.marker("as-before", &text).is_some() {
                    self.spoken = Some(SpokenOf::told(at));
                } else if self.board.is_own(at) {
                    // "Naples and Tunis hold"
                    let alone = self.spoken.is_some_and(|spoken| spoken.alone);
                    let listed = std::mem::take(&mut self.listed);
                    for other in listed.into_iter().filter(|other| alone && *other != at) {
                        let name = self.names.full_name(other);
                        self.orders.push(format!("{name} H"));
                    }
                    let name = self.name(&unit.place);
                    self.orders.push(format!("{name} H"));
                    self.pointed = Some(Pointed::Held(at));
                    self.spoken = Some(SpokenOf::told(at));
                }
            }
            [unit] if self.marker("clause-behind", &text).is_some() => {
                match self.pointed.clone() {
                    // "Spain to Portugal, and the fleet goes to Spain behind it"
                    Some(Pointed::Moved(moved)) if moved.from == unit.province() => {
                        let goal = self.with_coast(&text, unit);
                        self.goes_alone(&text, &goal, false);
                    }
                    Some(Pointed::Moved(moved)) => self.goes(&unit.place, &place(moved.from)),
                    _ => {}
                }
            }
            // "London goes to the Channel and Brest goes there, too"
            [from] if self.is_own_going_there(&text, from) => {
                match (self.pointed.clone(), self.aim.take()) {
                    (_, Some(aim)) => self.goes(&from.place, &aim),
                    (Some(Pointed::Moved(moved)), None) => {
                        self.goes(&from.place, &place(moved.to));
                    }
                    _ => {}
                }
            }
            [goal] => {
                let goal = self.with_coast(&text, goal);
                self.goes_alone(&text, &goal, self.marker("clause-it", &text).is_some());
            }
            [to, from] if self.comes_from(&text, to, from) => self.goes(&from.place, &to.place),
            [from, to] => {
                let other = self
                    .spoken
                    .filter(|spoken| spoken.alone && spoken.is_one_of_two);
                if let Some(other) = other.filter(|other| other.at != from.province()) {
                    self.goes(&place(other.at), &to.place);
                }
                let to = self.with_coast(&text, to);
                self.goes(&from.place, &to.place);
            }
            _ => {}
        }
    }

    /// A goal with the coast that its clause names apart from it: `the fleet goes to Spain behind it but on the south coast`.
    fn with_coast(&self, text: &Text<'_>, goal: &Mention) -> Mention {
        let named = self.marker("clause-coast", text);
        let named = named.filter(|coast| !goal.covers(coast.start));
        let letter = named.and_then(|coast| text.folded(coast.start..coast.end).chars().next());
        let coast = letter.and_then(|letter| format!("{letter}c").parse().ok());
        let has = |coast: &Coast| self.board.has_coast(goal.province(), *coast);
        let mut goal = goal.clone();
        goal.place.coast = goal.place.coast.or(coast.filter(has));
        goal
    }

    /// A unit of a shared place that lands: `one lands in Naples and one in Rome`.
    fn lands(&mut self, text: &Text<'_>, named: &[Mention]) -> bool {
        let goes_on = std::mem::take(&mut self.landing) && words(text).len() <= MOST_OF_LANDING;
        let (Some(above), [goal]) = (self.board.shared_place(), named) else {
            return false;
        };
        let lands = goes_on || self.marker("clause-land", text).is_some();
        if !lands || self.board.is_own(goal.province()) {
            return false;
        }
        self.goes(&place(above), &goal.place);
        self.landing = true;
        true
    }

    /// Gives a unit the order that was read last, if that is a support or to hold: `and Munich too`. Returns whether it is.
    fn repeats_last(&mut self, unit: &PlaceWords) -> bool {
        let last = self.orders.last().cloned().unwrap_or_default();
        if !self.board.is_own(unit.province) {
            return false;
        }
        if let Some((_, helped)) = last.split_once(" S ") {
            let order = format!("{} S {helped}", self.name(unit));
            self.orders.push(order);
            return true;
        }
        let holds = last.ends_with(" H");
        if holds {
            let order = format!("{} H", self.name(unit));
            self.orders.push(order);
        }
        holds
    }

    /// Whether a clause sends a unit to where the order that was read last goes.
    fn is_own_going_there(&self, text: &Text<'_>, from: &Mention) -> bool {
        let is_other =
            matches!(&self.pointed, Some(Pointed::Moved(moved)) if moved.from != from.province());
        (is_other || self.aim.is_some())
            && self.board.is_own(from.province())
            && self.marker("clause-there", text).is_some()
    }

    /// A clause with one province: the goal of a unit that is named by its kind or was named before, or a unit. `points` says whether a
    /// word such as "it" names the unit.
    fn goes_alone(&mut self, text: &Text<'_>, goal: &Mention, points: bool) {
        let to = goal.place.province;
        let by_kind = words(text)
            .into_iter()
            .filter(|at| !(goal.start..goal.end).contains(at))
            .find_map(|at| {
                let kind = self.kind(text, at)?;
                let other = self.marker("clause-other", text);
                let other = other.and_then(|_| self.only_other_of_kind(kind));
                other.or_else(|| self.board.only_that_reaches(kind, to))
            });
        let spoken = self.spoken.filter(|spoken| points || spoken.alone);
        // "Build a fleet in Smyrna. In spring that one goes to the Aegean."
        let pointed = || match self.pointed.as_ref().filter(|_| points)? {
            Pointed::Moved(moved) => Some(moved.from),
            Pointed::Held(at) => Some(*at),
        };
        let spoken = spoken.map(|spoken| spoken.at).or_else(pointed);
        let is_left = matches!(&self.pointed, Some(Pointed::Moved(moved)) if moved.from == to);
        let is_own = self.board.is_own(to) && !is_left;
        let from = spoken
            .filter(|_| points || !is_own)
            .or(by_kind.filter(|_| !is_own))
            .or_else(|| self.board.place_of_all().filter(|_| !is_own));
        match from {
            Some(from) => self.goes(&place(from), &goal.place),
            None if is_own => {
                let goes_on = self.spoken.is_some_and(|spoken| spoken.alone);
                if !goes_on {
                    self.listed.clear();
                }
                self.listed.push(to);
                self.spoken = Some(SpokenOf {
                    at: to,
                    alone: true,
                    is_one_of_two: self.marker("clause-both", text).is_some(),
                });
            }
            None if !text.source(0..text.len()).ends_with('?') => {
                self.aim = Some(goal.place.clone());
            }
            None => {}
        }
    }

    /// The one unit of a kind to which the text, or else the writer, has given no order yet: `My army sails to Belgium over the North Sea,
    /// the other fleet takes Norway`.
    fn only_other_of_kind(&self, kind: UnitKind) -> Option<Province> {
        let is_told = |at: &Province| {
            let unit = format!("{} ", self.names.full_name(*at));
            self.orders.iter().any(|order| order.starts_with(&unit))
        };
        let mut others = self.board.all_of_kind(kind);
        others.retain(|at| !is_told(at));
        if others.len() > 1 {
            others.retain(|at| !self.board.has_order(*at));
        }
        match others.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    pub(super) fn goes(&mut self, from: &PlaceWords, to: &PlaceWords) {
        if from.province == to.province || !self.board.is_own(from.province) {
            return;
        }
        let line = format!("{} - {}", self.name(from), self.name(to));
        self.orders.push(line);
        self.over = false;
        self.spoken = Some(SpokenOf::told(from.province));
        self.pointed = Some(Pointed::Moved(Movement {
            from: from.province,
            to: to.province,
        }));
    }
}
