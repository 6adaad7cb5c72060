//! Reads and compiles grammar files. `grammar/README.md` describes the notation.

use super::compiled::{Expression, Grammar, Rule, Word};
use super::{Term, check};
use std::collections::BTreeMap;
use thiserror::Error;

/// A grammar file: its name for errors, and its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source<'a> {
    /// The name of the file in errors: `bridge.grammar`.
    pub name: &'a str,
    /// The contents of the file.
    pub text: &'a str,
}

/// Why a grammar cannot be compiled.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{file}, line {line}: {fault}")]
pub struct GrammarError {
    /// The name of the file ([`Source::name`]).
    pub file: String,
    /// The line in the file, from 1.
    pub line: usize,
    /// What is wrong there.
    pub fault: GrammarFault,
}

/// What can be wrong with a grammar.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GrammarFault {
    /// Two rules have this name, and the second does not use `|=`.
    #[error("the rule `{0}` exists already")]
    DuplicateRule(String),
    /// A rule refers to a rule that no file has.
    #[error("the rule `{rule}` asks for `{wanted}`, which does not exist")]
    UnknownRule {
        /// The rule that refers to it.
        rule: String,
        /// The name that no rule has.
        wanted: String,
    },
    /// Angle brackets enclose a name that is not a [`Term`].
    #[error("there is no term <{0}>")]
    UnknownTerm(String),
    /// A rule can call itself without having read anything, so that reading would never end.
    #[error("the rule `{0}` calls itself before anything is read")]
    LeftRecursion(String),
    /// Something other than a name where a rule should begin.
    #[error("a rule must begin with its name")]
    NoRuleName,
    /// The name of a rule is followed by neither `=` nor `|=`.
    #[error("`=` is missing after `{0}`")]
    NoEqualsSign(String),
    /// A closing bracket without an opening one.
    #[error("a bracket closes that was never opened")]
    UnopenedBracket,
    /// A closing bracket or quotation mark is missing.
    #[error("`{0}` is missing")]
    Unclosed(String),
    /// An alternative is empty.
    #[error("something is missing here; use `[ ]` for what may be left out")]
    EmptyAlternative,
    /// Brackets are nested deeper than the reader allows.
    #[error("too many brackets within one another")]
    TooDeep,
    /// A quoted word is empty or has letters that are not ASCII.
    #[error("a quoted word must be plain ASCII and not empty")]
    BadWord,
    /// An operator has nothing to apply to.
    #[error("a word, a term, a rule or a bracket is missing here")]
    NothingToMatch,
    /// A character that the notation does not use.
    #[error("`{0}` means nothing here")]
    UnknownSign(char),
}

impl Grammar {
    /// Compiles files into one grammar. `name = …` defines a rule, which must not exist yet; `name |= …` adds alternatives, which
    /// are tried before those of earlier files.
    ///
    /// # Errors
    /// The first fault, with its file and line.
    pub fn compile(sources: &[Source<'_>]) -> Result<Self, GrammarError> {
        let mut drafts: Vec<Draft> = Vec::new();
        for source in sources {
            for draft in Reader::new(source)?.rules()? {
                let known = drafts.iter_mut().find(|known| known.name == draft.name);
                match (known, draft.definition) {
                    (None, _) => drafts.push(draft),
                    (Some(known), Definition::MoreAlternatives) => known.prepend(draft.body),
                    (Some(_), Definition::New) => {
                        let fault = GrammarFault::DuplicateRule(draft.name.clone());
                        return Err(draft.error(fault));
                    }
                }
            }
        }
        let names: BTreeMap<String, usize> = drafts
            .iter()
            .enumerate()
            .map(|(index, draft)| (draft.name.clone(), index))
            .collect();
        let mut rules = Vec::with_capacity(drafts.len());
        for draft in drafts {
            let body = draft.body.resolve(&names).map_err(|unknown| {
                draft.error(GrammarFault::UnknownRule {
                    rule: draft.name.clone(),
                    wanted: unknown.name,
                })
            })?;
            rules.push(Rule {
                name: draft.name,
                body,
                file: draft.file,
                line: draft.line,
            });
        }
        let grammar = Self { rules, names };
        check::no_left_recursion(&grammar)?;
        Ok(grammar)
    }

    /// The names of the rules that cannot be reached from any of these roots.
    pub fn unreachable<'g>(&'g self, roots: &[&str]) -> Vec<&'g str> {
        check::unreachable(self, roots)
    }
}

/// Whether a definition makes a rule or adds to one.
#[derive(Clone, Copy)]
enum Definition {
    /// `name = …`
    New,
    /// `name |= …`
    MoreAlternatives,
}

/// A rule whose references are still names.
struct Draft {
    name: String,
    definition: Definition,
    body: Unresolved,
    file: String,
    line: usize,
}

impl Draft {
    fn error(&self, fault: GrammarFault) -> GrammarError {
        GrammarError {
            file: self.file.clone(),
            line: self.line,
            fault,
        }
    }

    fn prepend(&mut self, more: Unresolved) {
        let old = std::mem::replace(&mut self.body, Unresolved::Choice(Vec::new()));
        self.body = Unresolved::Choice(vec![more, old]);
    }
}

/// A name that no rule has.
struct UnknownName {
    name: String,
}

/// An expression whose references to rules are still names.
enum Unresolved {
    Sequence(Vec<Unresolved>),
    Choice(Vec<Unresolved>),
    Optional(Box<Unresolved>),
    Repeat(Box<Unresolved>),
    Not(Box<Unresolved>),
    Done(Expression),
    Named(String),
}

impl Unresolved {
    fn resolve(&self, names: &BTreeMap<String, usize>) -> Result<Expression, UnknownName> {
        let all = |parts: &[Unresolved]| -> Result<Vec<Expression>, UnknownName> {
            parts.iter().map(|part| part.resolve(names)).collect()
        };
        Ok(match self {
            Self::Sequence(parts) => Expression::Sequence(all(parts)?),
            Self::Choice(parts) => Expression::choice(all(parts)?),
            Self::Optional(part) => Expression::Optional(Box::new(part.resolve(names)?)),
            Self::Repeat(part) => Expression::Repeat(Box::new(part.resolve(names)?)),
            Self::Not(part) => Expression::Not(Box::new(part.resolve(names)?)),
            Self::Done(expression) => expression.clone(),
            Self::Named(name) => match names.get(name) {
                Some(rule) => Expression::Rule(*rule),
                None => return Err(UnknownName { name: name.clone() }),
            },
        })
    }

    /// Makes a sequence or choice, or the only part if there is one.
    fn grouped(mut parts: Vec<Self>, group: fn(Vec<Self>) -> Self) -> Self {
        match parts.pop() {
            Some(only) if parts.is_empty() => only,
            Some(last) => {
                parts.push(last);
                group(parts)
            }
            None => group(parts),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Name(String),
    Quoted(String),
    Angled(String),
    Sign(&'static str),
}

/// The signs of the notation; `|=` must come before `|`.
const SIGNS: [&str; 10] = ["|=", "=", "|", "[", "]", "{", "}", "(", ")", "!"];

/// The deepest nesting of brackets, to limit the depth of recursion.
const MAX_DEPTH: usize = 32;

/// A token and its place in the file.
struct PlacedToken {
    token: Token,
    line: usize,
}

/// The tokens of a file, and how far they have been read.
struct Reader<'a> {
    file: &'a str,
    tokens: Vec<PlacedToken>,
    next: usize,
}

impl<'a> Reader<'a> {
    fn new(source: &Source<'a>) -> Result<Self, GrammarError> {
        let mut tokens = Vec::new();
        for (line, text) in (1..).zip(source.text.lines()) {
            let mut rest = text.trim_start();
            while !rest.is_empty() && !rest.starts_with('#') {
                let first = FirstToken::of(rest).map_err(|fault| GrammarError {
                    file: source.name.to_owned(),
                    line,
                    fault,
                })?;
                tokens.push(PlacedToken {
                    token: first.token,
                    line,
                });
                rest = first.rest.trim_start();
            }
        }
        Ok(Self {
            file: source.name,
            tokens,
            next: 0,
        })
    }

    fn rules(mut self) -> Result<Vec<Draft>, GrammarError> {
        let mut rules = Vec::new();
        while self.next < self.tokens.len() {
            let line = self.line();
            let Some(Token::Name(name)) = self.take() else {
                return Err(self.error(GrammarFault::NoRuleName));
            };
            let definition = match self.take() {
                Some(Token::Sign("=")) => Definition::New,
                Some(Token::Sign("|=")) => Definition::MoreAlternatives,
                _ => return Err(self.error(GrammarFault::NoEqualsSign(name))),
            };
            let body = self.choice(0)?;
            if self.next < self.tokens.len() && !self.rule_begins() {
                return Err(self.error(GrammarFault::UnopenedBracket));
            }
            rules.push(Draft {
                name,
                definition,
                body,
                file: self.file.to_owned(),
                line,
            });
        }
        Ok(rules)
    }

    fn choice(&mut self, depth: usize) -> Result<Unresolved, GrammarError> {
        let mut parts = vec![self.sequence(depth)?];
        while self.peek() == Some(&Token::Sign("|")) {
            self.next += 1;
            parts.push(self.sequence(depth)?);
        }
        Ok(Unresolved::grouped(parts, Unresolved::Choice))
    }

    fn sequence(&mut self, depth: usize) -> Result<Unresolved, GrammarError> {
        let mut parts = Vec::new();
        loop {
            let ends = match self.peek() {
                None | Some(Token::Sign("|" | "]" | "}" | ")")) => true,
                _ => self.rule_begins(),
            };
            if ends {
                break;
            }
            parts.push(self.part(depth)?);
        }
        if parts.is_empty() {
            return Err(self.error(GrammarFault::EmptyAlternative));
        }
        Ok(Unresolved::grouped(parts, Unresolved::Sequence))
    }

    fn part(&mut self, depth: usize) -> Result<Unresolved, GrammarError> {
        if depth > MAX_DEPTH {
            return Err(self.error(GrammarFault::TooDeep));
        }
        match self.take() {
            Some(Token::Name(name)) => Ok(Unresolved::Named(name)),
            Some(Token::Quoted(word)) => match Word::new(&word) {
                Some(word) => Ok(Unresolved::Done(Expression::Word(word))),
                None => Err(self.error(GrammarFault::BadWord)),
            },
            Some(Token::Angled(name)) if name == "end" => Ok(Unresolved::Done(Expression::End)),
            Some(Token::Angled(name)) => match Term::named(&name) {
                Some(term) => Ok(Unresolved::Done(Expression::Term(term))),
                None => Err(self.error(GrammarFault::UnknownTerm(name))),
            },
            Some(Token::Sign("!")) => Ok(Unresolved::Not(Box::new(self.part(depth + 1)?))),
            Some(Token::Sign("[")) => Ok(Unresolved::Optional(Box::new(self.bracket(depth, "]")?))),
            Some(Token::Sign("{")) => Ok(Unresolved::Repeat(Box::new(self.bracket(depth, "}")?))),
            Some(Token::Sign("(")) => self.bracket(depth, ")"),
            _ => Err(self.error(GrammarFault::NothingToMatch)),
        }
    }

    fn bracket(&mut self, depth: usize, closing: &str) -> Result<Unresolved, GrammarError> {
        let inner = self.choice(depth + 1)?;
        match self.take() {
            Some(Token::Sign(sign)) if sign == closing => Ok(inner),
            _ => Err(self.error(GrammarFault::Unclosed(closing.to_owned()))),
        }
    }

    fn peek(&self) -> Option<&Token> {
        self.token_at(self.next)
    }

    fn token_at(&self, index: usize) -> Option<&Token> {
        self.tokens.get(index).map(|placed| &placed.token)
    }

    fn take(&mut self) -> Option<Token> {
        let token = self.peek().cloned();
        self.next += 1;
        token
    }

    fn rule_begins(&self) -> bool {
        matches!(self.peek(), Some(Token::Name(_)))
            && matches!(self.token_at(self.next + 1), Some(Token::Sign("=" | "|=")))
    }

    /// The line of the next token, or of the last token at the end of the file.
    fn line(&self) -> usize {
        self.line_of(self.next)
    }

    /// The line of a token; of the last one if there are fewer, and 1 if there are none.
    fn line_of(&self, index: usize) -> usize {
        let placed = self.tokens.get(index).or_else(|| self.tokens.last());
        placed.map_or(1, |placed| placed.line)
    }

    /// An error at the token that was taken last.
    fn error(&self, fault: GrammarFault) -> GrammarError {
        GrammarError {
            file: self.file.to_owned(),
            line: self.line_of(self.next.saturating_sub(1)),
            fault,
        }
    }
}

/// The first token of a text, and the text after it.
struct FirstToken<'t> {
    token: Token,
    rest: &'t str,
}

impl<'t> FirstToken<'t> {
    /// Reads the first token of a text that does not begin with a blank.
    fn of(text: &'t str) -> Result<Self, GrammarFault> {
        for sign in SIGNS {
            if let Some(rest) = text.strip_prefix(sign) {
                let token = Token::Sign(sign);
                return Ok(Self { token, rest });
            }
        }
        for quote in ['"', '\''] {
            if let Some(inner) = text.strip_prefix(quote) {
                let (word, rest) = split_at_closing(inner, quote)?;
                let token = Token::Quoted(word.to_owned());
                return Ok(Self { token, rest });
            }
        }
        if let Some(inner) = text.strip_prefix('<') {
            let (name, rest) = split_at_closing(inner, '>')?;
            let token = Token::Angled(name.to_owned());
            return Ok(Self { token, rest });
        }
        let rest = text.trim_start_matches(|letter: char| {
            letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-'
        });
        let name = text.strip_suffix(rest).unwrap_or_default();
        match text.chars().next() {
            Some(sign) if name.is_empty() => Err(GrammarFault::UnknownSign(sign)),
            _ => Ok(Self {
                token: Token::Name(name.to_owned()),
                rest,
            }),
        }
    }
}

fn split_at_closing(text: &str, closing: char) -> Result<(&str, &str), GrammarFault> {
    text.split_once(closing)
        .ok_or_else(|| GrammarFault::Unclosed(closing.to_string()))
}
