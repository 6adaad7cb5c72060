//! Orders among words: behind a number, a name or a courtesy, with words after them, or with a mistake in them. A letter is
//! searched for its writer's own before it leaves.

use super::due::Due;
use super::names::Names;
use super::order_reader::{OrderReader, ReadOrder, Style};
use super::order_words::{UnitWords, Verb};
use super::plain_line::plain_line;
use super::verb_reader::unit_words;
use dipjudge_grammar::{Grammar, Terms, Text};
use dipjudge_rules::map::{Power, Province};

/// An order that stands in a line, as far as it can be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrderInWords {
    /// Where its unit stands or is built: several, if a misspelt name may mean them; none, if no unit is in it.
    pub provinces: Vec<Province>,
    /// Whose the unit is, if the line says so.
    pub nation: Option<Power>,
}

impl OrderInWords {
    fn of(unit: Option<&UnitWords>) -> OrderInWords {
        OrderInWords {
            provinces: unit.map(|unit| unit.place.province).into_iter().collect(),
            nation: unit.and_then(|unit| unit.nation),
        }
    }
}

/// Whether a line holds an order of which this is true. Each place at which one may begin is looked at once, and what stands
/// within one order (the unit that it supports) is none of its own.
pub fn holds_order(
    grammar: &Grammar,
    line: &str,
    due: Due,
    names: &Names,
    wanted: impl Fn(&OrderInWords) -> bool,
) -> bool {
    let plain = plain_line(line);
    let lines = std::iter::once(line).chain(plain.as_deref());
    lines.into_iter().any(|line| {
        let text = Text::new(line);
        OrderReader::new(grammar, &text, &due, names, Style::Forgiving).holds_order(&wanted)
    })
}

/// What stands before a place in a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// Nothing, or a sign: the number of a list, a colon, a comma.
    Sign,
    /// A word.
    Word,
}

impl OrderReader<'_> {
    fn holds_order(&self, wanted: impl Fn(&OrderInWords) -> bool) -> bool {
        let text = self.text;
        let mut at = 0;
        while at < text.len() {
            match self.found_at(at) {
                Some((order, _)) if wanted(&order) => return true,
                Some((_, end)) if end > at => at = end,
                _ => at = text.word_end(at).max(at + 1),
            }
            while at < text.len() && !self.begins(at) {
                at += 1;
            }
        }
        false
    }

    /// Whether a word begins here.
    fn begins(&self, at: usize) -> bool {
        self.text.in_word(at) && (at == 0 || !self.text.in_word(at - 1))
    }

    fn before(&self, at: usize) -> Before {
        let last = (0..at).rev().find(|before| self.text.byte(*before) != b' ');
        match last {
            Some(last) if self.text.in_word(last) => Before::Word,
            _ => Before::Sign,
        }
    }

    /// Whether one word and nothing else stands before this place.
    fn is_second_word(&self, at: usize) -> bool {
        let first = self.text.skip_blanks(0);
        self.text.skip_blanks(self.text.word_end(first)) == at
    }

    /// The order that begins here, with the position after it.
    fn found_at(&self, at: usize) -> Option<(OrderInWords, usize)> {
        let before = self.before(at);
        let kind = self.stands("kind", at);
        let likely = before == Before::Sign
            || kind.is_some()
            || self.names.province(self.text, at).is_some()
            || self.stands("verb", at).is_some();
        if !likely {
            return None;
        }
        let due = self.order(at).ok();
        let whole = due.filter(|read| self.is_order(before, at, read));
        let whole = whole.or_else(|| self.of_other_phase(at));
        whole
            .map(|read| (OrderInWords::of(read.order.unit.as_ref()), read.end))
            .or_else(|| self.mistaken(before, at, kind.is_some()))
            .or_else(|| self.of_misspelt_unit(kind?))
    }

    /// Whether words that can be read as an order are meant as one where they stand.
    fn is_order(&self, before: Before, at: usize, ReadOrder { order, end }: &ReadOrder) -> bool {
        let ends = self.at_end(*end) || self.at_joint(*end);
        let named = order.unit.as_ref().is_some_and(|unit| unit.kind.is_some());
        let arrow = self.signs_in(at, *end);
        match (&order.verb, before) {
            // "please waive", but not "we shall waive".
            (Verb::Own(_) | Verb::Waive(_), before) => {
                ends && (before == Before::Sign || self.is_second_word(at))
            }
            (Verb::Adjust, before) => ends && named && before == Before::Sign,
            (_, Before::Sign) => ends || named || arrow,
            // "I hope Paris holds" is a sentence; "please Par-Bur" is an order.
            (_, Before::Word) => named || (ends && arrow),
        }
    }

    /// Whether an arrow that is no word stands between these.
    fn signs_in(&self, at: usize, end: usize) -> bool {
        (at..end).any(|at| matches!(self.text.byte(at), b'-' | b'=' | b'>'))
    }

    /// A whole order of another kind of phase than is due, with the kind of its unit.
    fn of_other_phase(&self, at: usize) -> Option<ReadOrder> {
        self.standard_orders(at).find(|ReadOrder { order, .. }| {
            let named = order.unit.as_ref().is_some_and(|unit| unit.kind.is_some());
            named && order.verb != Verb::Adjust
        })
    }

    /// A unit with an arrow or verb behind it, the rest of which cannot be read: "A Par-Burgndy", "A Par S the king".
    fn mistaken(&self, before: Before, at: usize, named: bool) -> Option<(OrderInWords, usize)> {
        let tree = self.grammar.read("unit", self.text, at, self.names)?;
        let next = self.text.skip_blanks(tree.end);
        let arrow = self.arrow(next);
        let goal = arrow.is_some_and(|end| {
            let goal = self.text.skip_blanks(end);
            let word = self.text.source(goal..self.text.word_end(goal));
            !word.is_empty() && !self.names.nearest(word).is_empty()
        });
        let meant = if named {
            arrow.is_some() || self.stands("verb", next).is_some()
        } else {
            before == Before::Sign && goal
        };
        if !meant {
            return None;
        }
        let unit = unit_words(tree.root(self.text))?;
        Some((OrderInWords::of(Some(&unit)), next))
    }

    /// A unit in a province of a misspelt name, with an arrow behind it: "F Brset - MAO". `at` is behind its kind.
    fn of_misspelt_unit(&self, at: usize) -> Option<(OrderInWords, usize)> {
        let at = self.text.skip_blanks(at);
        let end = self.text.word_end(at);
        let arrow = self.arrow(self.text.skip_blanks(end))?;
        let provinces = self.names.nearest(self.text.source(at..end));
        let order = OrderInWords {
            provinces,
            nation: None,
        };
        (!order.provinces.is_empty()).then_some((order, arrow))
    }

    /// The position after the arrow of signs that stands here.
    pub(super) fn arrow(&self, at: usize) -> Option<usize> {
        if !matches!(self.text.byte(at), b'-' | b'=' | b'>') {
            return None;
        }
        self.stands("arrow", at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orders::standard;
    use crate::testing::names;
    use dipjudge_rules::calendar::PhaseKind;
    use dipjudge_rules::map::Map;

    /// Whether a line holds an order of a unit in one of these provinces, or of none.
    fn holds(line: &str, own: &[&str], phase: PhaseKind) -> bool {
        let map = Map::standard();
        let own: Vec<Province> = own
            .iter()
            .filter_map(|code| map.find_province(code))
            .collect();
        holds_order(standard(), line, Due::from(phase), names(), |order| {
            order.provinces.is_empty() || order.provinces.iter().any(|one| own.contains(one))
        })
    }

    #[test]
    fn orders_are_found_however_they_are_written() {
        for line in [
            "A Par-Bur",
            "Hi, A Par-Bur",
            "Austria: A Par-Bur",
            "please A Par-Bur",
            "please par-bur",
            "A Par-Bur please",
            "Par-Bur, please",
            "1. A Par-Bur",
            "2) Par-Bur",
            "- A Par-Bur",
            "* Par - Bur",
            "(a) Army Paris holds",
            "\u{2022} F Bre \u{2192} MAO",
            "My orders: A Par S F Bre",
            "*A Par-Bur*",
            "I shall do A Par-Bur and hope",
            "A Par-Lon",
            "A Par-Burgndy",
            "Par-Burgndy",
            "F Brset - MAO",
            "A Par S the king of Italy",
            "France: Army Paris -> Burgundy.",
            "Build A Par",
            "A Par R Gas",
            "A Par > Bur",
            "F Bre Eng",
            "| F Bre | Eng |",
            "Paris: Burgundy",
            "please move A Par into Bur",
            "support A Mar - Bur with A Par",
            "everyone holds",
            "Sorry, A Par - Bur instead",
        ] {
            assert!(holds(line, &["par", "bre"], PhaseKind::Movement), "{line}");
        }
        for line in [
            "A Par B",
            "1. Build A Par",
            "Waive",
            "remove F Bre",
            "A Par",
        ] {
            assert!(
                holds(line, &["par", "bre"], PhaseKind::Adjustments),
                "{line}"
            );
        }
    }

    #[test]
    fn sentences_and_orders_of_others_are_none() {
        for line in [
            "Shall we leave the Channel empty?",
            "Help me to Belgium.",
            "I want Burgundy, and Paris holds no grudge against you",
            "I hope that Paris holds.",
            "Press on, England!",
            "A friend to all - and a foe to none",
            "a well-known fact",
            "How about F Lon-Nth?",
            "You could order F Lon C A Par-Bel.",
            "Paris is quiet.",
            "Spain - what a place!",
            "We waive all claims to Paris",
            "Yours, F",
            "A.",
            "",
            "1. e4 e5",
            "I attack Munich tomorrow",
            "Paris Burgundy is nice",
            "Paris: what a city",
            "Everyone holds his breath",
            "All hold a grudge against Paris",
            "I hold Paris dear",
            "Hold on, and stay in Paris",
            "Support me into Burgundy with your army",
            "Send my love to Paris",
        ] {
            assert!(!holds(line, &["par", "bre"], PhaseKind::Movement), "{line}");
            assert!(!holds(line, &["par", "bre"], PhaseKind::Retreats), "{line}");
        }
        assert!(!holds(
            "We shall waive all claims",
            &[],
            PhaseKind::Adjustments
        ));
    }
}
