//! Matches rules against text, as a parsing expression grammar: of several alternatives the first one that matches is taken.

use super::compiled::{Beginnings, Expression, Word};
use super::terms;
use super::tree::{Item, ItemKind, Tree};
use super::{Grammar, Term, Terms, Text};

/// The most attempts to match a word, term or rule in one reading. An order takes some hundred; without the limit, some lines
/// would take millions.
const MAX_STEPS: usize = 50_000;

/// The deepest nesting of rules.
const MAX_DEPTH: usize = 64;

/// Why a rule does not match: the farthest position that any alternative has reached, and what would have matched there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Failure {
    /// The position in the folded text.
    pub at: usize,
    /// The words that would have matched there, as they are in the grammar file.
    pub words: Vec<String>,
    /// The terms that would have matched there.
    pub terms: Vec<WantedTerm>,
    /// Whether the end of the line would have matched there.
    pub end: bool,
    /// Whether reading was stopped because it took too many steps.
    pub tangled: bool,
}

/// A term that would have matched where reading failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedTerm {
    /// The term itself.
    pub term: Term,
    /// The names of the rules that were being read, from the outermost to the innermost.
    pub rules: Vec<String>,
}

impl Failure {
    /// Whether this term would have matched.
    pub fn wants(&self, term: Term) -> bool {
        self.terms.iter().any(|wanted| wanted.term == term)
    }
}

impl Grammar {
    /// Reads a rule at a position of the text, after any blanks. The text after it is ignored; it begins at [`Tree::end`]. Returns
    /// `None` if the rule does not match; [`Grammar::explain`] tells why.
    pub fn read<T: Terms + ?Sized>(
        &self,
        rule: &str,
        text: &Text<'_>,
        at: usize,
        terms: &T,
    ) -> Option<Tree<'_>> {
        let mut attempt = Attempt::new(self, text, terms, None);
        let end = attempt.rule(self.number_of(rule)?, at)?;
        Some(Tree {
            grammar: self,
            items: attempt.items,
            end,
        })
    }

    /// Reads a rule that does not match, to tell how far any alternative matches.
    pub fn explain<T: Terms + ?Sized>(
        &self,
        rule: &str,
        text: &Text<'_>,
        at: usize,
        terms: &T,
    ) -> Failure {
        self.explain_from(text.skip_blanks(at), rule, text, at, terms)
    }

    /// As [`Grammar::explain`], where alternatives count that match a beginning of the text; `None` if none does.
    pub fn explain_begun<T: Terms + ?Sized>(
        &self,
        rule: &str,
        text: &Text<'_>,
        at: usize,
        terms: &T,
    ) -> Option<Failure> {
        let failure = self.explain_from(text.skip_blanks(at) + 1, rule, text, at, terms);
        let begun = failure.end || !failure.words.is_empty() || !failure.terms.is_empty();
        begun.then_some(failure)
    }

    /// As [`Grammar::explain`], of what is expected at a position or behind it.
    fn explain_from<T: Terms + ?Sized>(
        &self,
        from: usize,
        rule: &str,
        text: &Text<'_>,
        at: usize,
        terms: &T,
    ) -> Failure {
        let start = Failure {
            at: from,
            ..Failure::default()
        };
        let mut attempt = Attempt::new(self, text, terms, Some(start));
        if let Some(rule) = self.number_of(rule) {
            attempt.rule(rule, at);
        }
        let tangled = attempt.steps >= MAX_STEPS;
        Failure {
            tangled,
            ..attempt.failure.unwrap_or_default()
        }
    }
}

struct Attempt<'g, 't, 's, T: ?Sized> {
    grammar: &'g Grammar,
    text: &'t Text<'s>,
    terms: &'t T,
    items: Vec<Item>,
    steps: usize,
    /// The rules that are being read, from the outermost to the innermost.
    trail: Vec<usize>,
    /// The number of `!` around. Within one, a failure is not recorded, since its words were not expected.
    quiet: usize,
    failure: Option<Failure>,
}

impl<'g, 't, 's, T: Terms + ?Sized> Attempt<'g, 't, 's, T> {
    fn new(
        grammar: &'g Grammar,
        text: &'t Text<'s>,
        terms: &'t T,
        failure: Option<Failure>,
    ) -> Self {
        let items = Vec::with_capacity(24);
        let trail = Vec::with_capacity(16);
        Self {
            grammar,
            text,
            terms,
            items,
            steps: 0,
            trail,
            quiet: 0,
            failure,
        }
    }

    fn rule(&mut self, rule: usize, at: usize) -> Option<usize> {
        let grammar = self.grammar;
        let body = &grammar.rules.get(rule)?.body;
        if self.trail.len() >= MAX_DEPTH {
            self.steps = MAX_STEPS;
            return None;
        }
        let index = self.items.len();
        let start = self.text.skip_blanks(at);
        self.items.push(Item {
            kind: ItemKind::Rule(rule),
            span: start..start,
            next: index,
        });
        self.trail.push(rule);
        let end = self.expression(body, at);
        self.trail.pop();
        let next = self.items.len();
        match (end, self.items.get_mut(index)) {
            (Some(end), Some(item)) => {
                item.span.end = end.max(start);
                item.next = next;
            }
            _ => self.items.truncate(index),
        }
        end
    }

    fn expression(&mut self, expression: &'g Expression, at: usize) -> Option<usize> {
        self.steps += 1;
        if self.steps >= MAX_STEPS {
            return None;
        }
        let index = self.items.len();
        let end = match expression {
            Expression::Sequence(parts) => {
                let mut here = at;
                for part in parts {
                    match self.expression(part, here) {
                        Some(end) => here = end,
                        None => {
                            self.items.truncate(index);
                            return None;
                        }
                    }
                }
                Some(here)
            }
            Expression::Choice(_, Some(beginnings)) if self.cannot_begin(beginnings, at) => {
                self.steps += beginnings.attempts;
                None
            }
            Expression::Choice(parts, _) => parts.iter().find_map(|part| self.expression(part, at)),
            Expression::Optional(part) => Some(self.expression(part, at).unwrap_or(at)),
            Expression::Repeat(part) => {
                let mut here = at;
                while let Some(end) = self.expression(part, here).filter(|end| *end > here) {
                    here = end;
                }
                Some(here)
            }
            Expression::Not(part) => {
                self.quiet += 1;
                let found = self.expression(part, at).is_some();
                self.quiet -= 1;
                self.items.truncate(index);
                (!found).then_some(at)
            }
            Expression::Word(word) => self.word(word, at),
            Expression::Term(term) => self.term(*term, at),
            Expression::End => {
                let end = self.text.skip_blanks(at);
                let ended = end >= self.text.len();
                if !ended {
                    self.note(end, |failure| failure.end = true);
                }
                ended.then_some(end)
            }
            Expression::Rule(rule) => self.rule(*rule, at),
        };
        if end.is_none() {
            self.items.truncate(index);
        }
        end
    }

    /// Whether nothing with these beginnings can be at a position, where it need not be told what was expected there.
    fn cannot_begin(&self, beginnings: &Beginnings, at: usize) -> bool {
        let start = self.text.skip_blanks(at);
        let is_noted = |failure: &Failure| start >= failure.at;
        let noted = self.quiet == 0 && self.failure.as_ref().is_some_and(is_noted);
        !noted && !beginnings.have(self.text.byte(start))
    }

    fn word(&mut self, word: &Word, at: usize) -> Option<usize> {
        let start = self.text.skip_blanks(at);
        let end = word.pieces.iter().try_fold(start, |here, piece| {
            let here = self.text.skip_blanks(here);
            let fits = self.text.rest(here).starts_with(piece);
            fits.then_some(here + piece.len())
        });
        if let Some(end) = end
            && !(word.bounded && self.text.in_word(end))
        {
            return Some(end);
        }
        self.note(start, |failure| {
            if !failure.words.contains(&word.shown) {
                failure.words.push(word.shown.clone());
            }
        });
        None
    }

    fn term(&mut self, term: Term, at: usize) -> Option<usize> {
        let start = self.text.skip_blanks(at);
        let Some((end, value)) = terms::read(term, self.terms, self.text, start) else {
            let (grammar, trail) = (self.grammar, std::mem::take(&mut self.trail));
            self.note(start, |failure| {
                let rules = trail.iter().map(|rule| grammar.rule_name(*rule).to_owned());
                let wanted = WantedTerm {
                    term,
                    rules: rules.collect(),
                };
                if !failure.terms.contains(&wanted) {
                    failure.terms.push(wanted);
                }
            });
            self.trail = trail;
            return None;
        };
        let next = self.items.len() + 1;
        self.items.push(Item {
            kind: ItemKind::Term(value),
            span: start..end,
            next,
        });
        Some(end)
    }

    /// Records what was expected, unless another alternative has got farther.
    fn note(&mut self, at: usize, add: impl FnOnce(&mut Failure)) {
        if self.quiet > 0 {
            return;
        }
        let Some(failure) = &mut self.failure else {
            return;
        };
        if at > failure.at {
            *failure = Failure {
                at,
                ..Failure::default()
            };
        }
        if at == failure.at {
            add(failure);
        }
    }
}
