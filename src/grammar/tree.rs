//! The result of reading: the rules and terms that matched, and where.

use super::{Grammar, Text, Value};
use dipjudge_rules::map::{Power, Province, UnitKind};
use std::ops::Range;

/// A rule or term that matched. Items are in the order of the text, a rule before its parts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Item {
    pub(super) kind: ItemKind,
    pub(super) span: Range<usize>,
    /// The index of the first item after this one and its parts.
    pub(super) next: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum ItemKind {
    /// A rule, by its index in the grammar.
    Rule(usize),
    /// A term with its value.
    Term(Value),
}

/// A successful reading.
#[derive(Debug, Clone)]
pub struct Tree<'g> {
    pub(super) grammar: &'g Grammar,
    pub(super) items: Vec<Item>,
    /// The position after the text that was read.
    pub end: usize,
}

impl<'g> Tree<'g> {
    /// The rule that was asked for.
    pub fn root<'t>(&'t self, text: &'t Text<'t>) -> Node<'t> {
        Node {
            grammar: self.grammar,
            items: &self.items,
            index: 0,
            text,
        }
    }
}

/// A rule or term of a [`Tree`].
#[derive(Debug, Clone, Copy)]
pub struct Node<'t> {
    grammar: &'t Grammar,
    items: &'t [Item],
    index: usize,
    text: &'t Text<'t>,
}

impl<'t> Node<'t> {
    fn item(&self) -> Option<&'t Item> {
        self.items.get(self.index)
    }

    /// The rule's name; empty for a term.
    pub fn rule(&self) -> &'t str {
        match self.item().map(|item| &item.kind) {
            Some(ItemKind::Rule(rule)) => self.grammar.rule_name(*rule),
            _ => "",
        }
    }

    /// The value of a term; `None` for a rule.
    pub fn value(&self) -> Option<&'t Value> {
        match self.item().map(|item| &item.kind) {
            Some(ItemKind::Term(value)) => Some(value),
            _ => None,
        }
    }

    /// Its span in the folded text.
    pub fn span(&self) -> Range<usize> {
        self.item().map_or(0..0, |item| item.span.clone())
    }

    /// Its original words.
    pub fn text(&self) -> &'t str {
        self.text.source(self.span())
    }

    /// Its folded words.
    pub fn folded(&self) -> &'t str {
        self.text.folded(self.span())
    }

    /// Its parts, in order.
    pub fn parts(&self) -> impl Iterator<Item = Node<'t>> + use<'t> {
        let node = *self;
        let end = self.item().map_or(0, |item| item.next);
        let mut index = self.index + 1;
        std::iter::from_fn(move || {
            if index >= end {
                return None;
            }
            let item = node.items.get(index)?;
            let part = Node { index, ..node };
            index = item.next;
            Some(part)
        })
    }

    /// Its first part.
    pub fn first(&self) -> Option<Node<'t>> {
        self.parts().next()
    }

    /// Its first part that is a rule of that name.
    pub fn part(&self, rule: &str) -> Option<Node<'t>> {
        self.parts().find(|part| part.rule() == rule)
    }

    /// The node and all its descendants, in the order of the text.
    pub fn all(&self) -> impl Iterator<Item = Node<'t>> + use<'t> {
        let node = *self;
        let end = self.item().map_or(0, |item| item.next);
        (self.index..end).map(move |index| Node { index, ..node })
    }

    /// The first descendant that is a rule of this name.
    pub fn find(&self, rule: &str) -> Option<Node<'t>> {
        self.all().skip(1).find(|node| node.rule() == rule)
    }

    /// The first province beneath.
    pub fn province(&self) -> Option<Province> {
        self.all().find_map(|node| match node.value() {
            Some(Value::Province(province)) => Some(*province),
            _ => None,
        })
    }

    /// The first power beneath.
    pub fn power(&self) -> Option<Power> {
        self.all().find_map(|node| match node.value() {
            Some(Value::Power(power)) => Some(*power),
            _ => None,
        })
    }

    /// The first kind of unit beneath.
    pub fn kind(&self) -> Option<UnitKind> {
        self.all().find_map(|node| match node.value() {
            Some(Value::Kind(kind)) => Some(*kind),
            _ => None,
        })
    }

    /// The first whole number beneath.
    pub fn number(&self) -> Option<i64> {
        self.all().find_map(|node| match node.value() {
            Some(Value::Number(number)) => Some(*number),
            _ => None,
        })
    }

    /// The first word, date or other piece of free text beneath, as it was sent.
    pub fn words(&self) -> Option<&'t str> {
        self.all()
            .find(|node| matches!(node.value(), Some(Value::Text)))
            .map(|node| node.text())
    }

    /// A copy of the node and its descendants that does not borrow the text.
    pub fn to_line(&self) -> Line {
        Line {
            rule: self.rule().to_owned(),
            text: self.text().to_owned(),
            value: self.value().cloned(),
            parts: self.parts().map(|part| part.to_line()).collect(),
        }
    }
}

/// A [`Node`] that owns its data: the rule that matched, the original words, and the parts. A term is a part without a rule.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The rule's name; empty for a term.
    pub rule: String,
    /// The original words.
    pub text: String,
    /// The value of a term; `None` for a rule.
    pub value: Option<Value>,
    /// The parts, in the order of the text.
    pub parts: Vec<Line>,
}

impl Line {
    /// The first descendant that is a rule of this name.
    pub fn find(&self, rule: &str) -> Option<&Line> {
        self.parts.iter().find_map(|part| {
            if part.rule == rule {
                Some(part)
            } else {
                part.find(rule)
            }
        })
    }

    /// The words of the first descendant that is a rule of this name.
    pub fn text_of(&self, rule: &str) -> Option<&str> {
        self.find(rule).map(|part| part.text.as_str())
    }

    /// The words of this line and all its descendants that are rules of this name, in the order of the text.
    pub fn texts_of(&self, rule: &str) -> Vec<&str> {
        let own = (self.rule == rule).then_some(self.text.as_str());
        let beneath = self.parts.iter().flat_map(|part| part.texts_of(rule));
        own.into_iter().chain(beneath).collect()
    }

    /// Whether a descendant is a rule of this name.
    pub fn has(&self, rule: &str) -> bool {
        self.find(rule).is_some()
    }

    /// All values beneath, in the order of the text.
    pub fn values(&self) -> Vec<&Value> {
        let mut found = Vec::new();
        self.gather(&mut found);
        found
    }

    fn gather<'l>(&'l self, found: &mut Vec<&'l Value>) {
        found.extend(&self.value);
        for part in &self.parts {
            part.gather(found);
        }
    }

    /// All provinces beneath, in the order of the text.
    pub fn provinces(&self) -> Vec<Province> {
        let province = |value: &&Value| match value {
            Value::Province(province) => Some(*province),
            _ => None,
        };
        self.values().iter().filter_map(province).collect()
    }

    /// The first province beneath.
    pub fn province(&self) -> Option<Province> {
        self.provinces().first().copied()
    }

    /// The first power beneath.
    pub fn power(&self) -> Option<Power> {
        self.values().iter().find_map(|value| match value {
            Value::Power(power) => Some(*power),
            _ => None,
        })
    }

    /// The first kind of unit beneath.
    pub fn kind(&self) -> Option<UnitKind> {
        self.values().iter().find_map(|value| match value {
            Value::Kind(kind) => Some(*kind),
            _ => None,
        })
    }

    /// The first whole number beneath.
    pub fn number(&self) -> Option<i64> {
        self.values().iter().find_map(|value| match value {
            Value::Number(number) => Some(*number),
            _ => None,
        })
    }

    /// The first piece of free text beneath, as it was sent.
    pub fn words(&self) -> Option<&str> {
        if self.value == Some(Value::Text) {
            return Some(&self.text);
        }
        self.parts.iter().find_map(Line::words)
    }
}
