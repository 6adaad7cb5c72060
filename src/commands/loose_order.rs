//! The order of one unit in a sentence that cannot be read as orders: by the verb next to its name and the provinces behind it, whatever
//! else the sentence says.

use super::mentions::{Mention, marker_among, words};
use super::names::Names;
use super::order_clauses::{BoardInSight, ClauseReader, Movement};
use super::prose::denies;
use dipjudge_grammar::{Grammar, Text};
use dipjudge_rules::map::Province;
use std::ops::Range;

/// What ends the part of a sentence that may belong to a unit.
const ENDS: [&str; 8] = [", ", "; ", ". ", " - ", " (", ": ", "... ", " and "];
/// What stands between the units of a list: `Clyde, Skagerrak and the North Sea hold`.
const JOINTS: [&str; 9] = [
    "and", "the", "my", "fleet", "army", "both", "also", "of", "from",
];

/// The orders that a sentence may give to the unit in a province, the likeliest first. Whoever proposes one must find that it can be
/// given. `moves` are the moves that the rest of the mail orders, in its order, to which a support may point.
pub fn loose_orders(
    grammar: &Grammar,
    sentence: &str,
    unit: Province,
    names: &Names,
    board: &impl BoardInSight,
    moves: &[Movement],
) -> Vec<String> {
    let sentence = without_remarks(sentence);
    let text = Text::new(&sentence);
    let reader = ClauseReader::new(grammar, names, board, None);
    let named = reader.mentions(&text);
    let loose = Loose {
        reader,
        text: &text,
        named: &named,
        moves,
    };
    let places = named
        .iter()
        .enumerate()
        .filter(|(_, one)| one.province() == unit);
    places
        .flat_map(|(place, _)| loose.orders_at(place))
        .collect()
}

/// A sentence without what stands in brackets and the smileys in them, but with coasts: `Mid Atlantic goes to Irish Sea (surprise :-) ).`
fn without_remarks(sentence: &str) -> String {
    let plain = [":-)", ":)", ";-)", ";)"]
        .iter()
        .fold(sentence.to_owned(), |text, smiley| text.replace(smiley, ""));
    let mut kept = String::new();
    let mut rest = plain.as_str();
    while let Some((before, behind)) = rest.split_once(" (") {
        let Some((_, after)) = behind.split_once(')') else {
            break;
        };
        kept.push_str(before);
        rest = after;
    }
    kept.push_str(rest);
    kept
}

/// A sentence in which the order of a unit is looked for.
struct Loose<'a, B> {
    reader: ClauseReader<'a, B>,
    text: &'a Text<'a>,
    named: &'a [Mention],
    moves: &'a [Movement],
}

impl<B: BoardInSight> Loose<'_, B> {
    fn says(&self, rule: &str, range: &Range<usize>) -> bool {
        let ClauseReader { grammar, names, .. } = &self.reader;
        let within = words(self.text).into_iter().filter(|at| range.contains(at));
        marker_among(grammar, names, rule, self.text, within).is_some()
    }

    /// The orders that the sentence may give to the unit that it names at this place.
    fn orders_at(&self, place: usize) -> Vec<String> {
        let Some(unit) = self.named.get(place) else {
            return Vec::new();
        };
        let last = self.last_of_list(place);
        let Some(listed) = self.named.get(last) else {
            return Vec::new();
        };
        let lead = self.lead(place);
        let end = self.end_behind(listed.end);
        let mut behind = self
            .named
            .iter()
            .skip(last + 1)
            .take_while(|one| one.start < end);
        let first = behind.next();
        let verb = listed.end..first.map_or(end, |first| first.start);
        let whole = lead.start..end;
        let text = self.text.source(whole.clone());
        let is_remark = ["clause-if", "clause-remark"]
            .iter()
            .any(|rule| self.says(rule, &whole));
        if denies(text) || text.ends_with('?') || is_remark || self.reader.leaves_open(text) {
            return Vec::new();
        }
        let name = self.reader.name(&unit.place);
        let pointed = || self.last_move(unit).map(way(self.reader.names));
        let holds = || vec![format!("{name} H")];
        let supports = |what: Option<String>| -> Vec<String> {
            let what = what.into_iter();
            what.map(|what| format!("{name} S {what}")).collect()
        };
        if self.says("clause-hold", &verb) {
            return holds();
        }
        if self.says("clause-support", &verb) {
            return match first {
                Some(first) => self.supports_of(first, behind.next(), &supports),
                None => supports(pointed()),
            };
        }
        if self.says("clause-convoy", &verb) {
            let from = first.map(|first| self.reader.name(&first.place));
            let to = behind.next().map(|to| self.reader.name(&to.place));
            let convoyed = from.zip(to).map(|(from, to)| format!("{from} - {to}"));
            let convoyed = convoyed.or_else(pointed).into_iter();
            return convoyed.map(|way| format!("{name} C {way}")).collect();
        }
        // "York takes the boat over the North Sea to Denmark"
        let is_way = |sea: &Mention, said: &Range<usize>| {
            self.says("clause-over", said) && self.reader.board.is_sea(sea.province())
        };
        if let Some(goal) = first
            && is_way(unit, &lead)
            && let Some(army) = place.checked_sub(1).and_then(|at| self.named.get(at))
        {
            let (army, goal) = (self.reader.name(&army.place), self.reader.name(&goal.place));
            return vec![format!("{name} C {army} - {goal}")];
        }
        let goal = match first {
            Some(sea) if is_way(sea, &verb) => behind.next().or(first),
            first => first,
        };
        if let Some(goal) = goal {
            return vec![format!("{name} - {}", self.reader.name(&goal.place))];
        }
        // "with support from North Africa"
        if self.says("clause-support", &lead) && self.says("clause-of", &lead) {
            return supports(pointed());
        }
        // "London to Norway, over the North Sea"
        if self.says("clause-over", &lead) && self.reader.board.is_sea(unit.province()) {
            let way = pointed().into_iter();
            return way.map(|way| format!("{name} C {way}")).collect();
        }
        if self.says("clause-hold", &lead) {
            return holds();
        }
        Vec::new()
    }

    /// The supports of what is named behind the verb: of its move, of the move that is ordered from or to there, of the unit itself.
    fn supports_of(
        &self,
        first: &Mention,
        second: Option<&Mention>,
        supports: &impl Fn(Option<String>) -> Vec<String>,
    ) -> Vec<String> {
        let place = |one: &Mention| self.reader.name(&one.place);
        let to_second = second.map(|second| format!("{} - {}", place(first), place(second)));
        let mut known = self.moves.iter().rev();
        let known = known.find(|one| one.from == first.province() || one.to == first.province());
        let known = known.map(way(self.reader.names));
        let may_be = [to_second, known, Some(place(first))];
        may_be.into_iter().flat_map(supports).collect()
    }

    /// The last unit of the list of own units that begins at this place.
    fn last_of_list(&self, place: usize) -> usize {
        let pairs = self.named.get(place..).unwrap_or_default().windows(2);
        place + pairs.take_while(|pair| self.are_listed(pair)).count()
    }

    /// Whether two provinces are named one behind the other in a list.
    fn are_listed(&self, pair: &[Mention]) -> bool {
        let [one, next] = pair else {
            return false;
        };
        let between = self.text.folded(one.end..next.start);
        let mut words = between
            .split([' ', ',', '&'])
            .filter(|word| !word.is_empty());
        self.reader.board.is_own(next.province())
            && !between.trim().is_empty()
            && words.all(|word| JOINTS.contains(&word))
    }

    /// What stands before a unit or the list in which it stands, from the province or the joint before it.
    fn lead(&self, place: usize) -> Range<usize> {
        let pair = place
            .checked_sub(1)
            .and_then(|one| self.named.get(one..=place));
        if pair.is_some_and(|pair| self.are_listed(pair)) {
            return self.lead(place - 1);
        }
        let end = self.named.get(place).map_or(0, |unit| unit.start);
        let before = place.checked_sub(1).and_then(|one| self.named.get(one));
        let start = before.map_or(0, |before| before.end);
        let text = self.text.folded(start..end);
        let joint = ENDS
            .iter()
            .filter_map(|sign| Some(text.rfind(sign)? + sign.len()))
            .max();
        start + joint.unwrap_or(0)..end
    }

    fn end_behind(&self, start: usize) -> usize {
        let behind = self.text.folded(start..self.text.len());
        let ends = ENDS.iter().filter_map(|sign| behind.find(sign));
        ends.min().map_or(self.text.len(), |end| start + end)
    }

    /// The move to which a unit's words point: of the unit named before it, else the last one.
    fn last_move(&self, unit: &Mention) -> Option<&Movement> {
        let before = self.named.iter().rev();
        let mut before = before.filter(|one| one.end <= unit.start);
        let of_before =
            before.find_map(|one| self.moves.iter().find(|moved| moved.from == one.province()));
        of_before.or_else(|| {
            self.moves
                .iter()
                .rev()
                .find(|moved| moved.from != unit.province())
        })
    }
}

/// A move as an order names it.
fn way(names: &Names) -> impl Fn(&Movement) -> String + '_ {
    |moved| {
        let [from, to] = [moved.from, moved.to].map(|at| names.full_name(at));
        format!("{from} - {to}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orders::standard;
    use crate::testing::{Board, names, provinces};

    fn loose(sentence: &str, unit: &str) -> String {
        let own = [
            "rom", "nap", "tun", "wes", "bel", "mao", "nth", "lon", "cly", "ska",
        ];
        let board = Board {
            own: provinces(&own),
            others: Vec::new(),
            sites: Vec::new(),
        };
        let [from, to, at] = ["lon", "nwy", unit].map(|code| provinces(&[code])[0]);
        let moves = [Movement { from, to }];
        loose_orders(standard(), sentence, at, names(), &board, &moves).join("; ")
    }

    #[test]
    fn the_verb_next_to_the_unit_tells_its_order() {
        for (sentence, unit, order) in [
            (
                "Naples follows into Rome, because the fleet of Rome tries again the Tyrrhenian Sea, this time with help from Tunis.",
                "rom",
                "Rome - Tyrrhenian Sea",
            ),
            (
                "Belgium to Holland - won't get in but should try",
                "bel",
                "Belgium - Holland",
            ),
            (
                "Mid Atlantic goes to Irish Sea (surprise for Ben :-) ).",
                "mao",
                "Mid-Atlantic Ocean - Irish Sea",
            ),
            (
                "Clyde, Skagerrak and the North Sea hold",
                "ska",
                "Skagerrak H",
            ),
            (
                "London to Norway with the supports of Clyde and of Skagerrak",
                "ska",
                "Skagerrak S London - Norway",
            ),
            (
                "London to Norway, over the North Sea",
                "nth",
                "North Sea C London - Norway",
            ),
            (
                "Army in York takes the boat over the North Sea to Denmark",
                "nth",
                "North Sea C Yorkshire - Denmark",
            ),
            (
                "Army in York takes the boat over the North Sea to Denmark",
                "yor",
                "Yorkshire - Denmark",
            ),
            (
                "Tunis keeps supporting the fleet in Rome like last time",
                "tun",
                "Tunis S Rome",
            ),
            ("Should Belgium go to Holland?", "bel", ""),
            ("Belgium goes to Holland if he lets me", "bel", ""),
        ] {
            assert_eq!(loose(sentence, unit), order, "{sentence}");
        }
    }
}
