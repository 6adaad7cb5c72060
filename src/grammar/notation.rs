//! The notation of grammar files, read and compiled. `grammar/README.md` tells it to authors.

use super::{Term, check};
use std::collections::BTreeMap;
use thiserror::Error;

/// A grammar file: its name for errors, and its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source<'a> {
    /// For errors, such as `bridge.grammar`.
    pub name: &'a str,
    /// The whole file.
    pub text: &'a str,
}

/// Why a grammar cannot be compiled.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{file}, line {line}: {fault}")]
pub struct GrammarError {
    /// The file's name.
    pub file: String,
    /// Line in the file, from 1.
    pub line: usize,
    /// What is wrong.
    pub fault: String,
}

/// A compiled grammar: the rules of one or more files.
#[derive(Debug, Clone, PartialEq)]
pub struct Grammar {
    pub(super) rules: Vec<Rule>,
    names: BTreeMap<String, usize>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rule {
    pub(super) name: String,
    pub(super) body: Expression,
    pub(super) file: String,
    pub(super) line: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expression {
    /// All of these, one after the other.
    Sequence(Vec<Expression>),
    /// The first of these that matches.
    Choice(Vec<Expression>),
    /// This or nothing.
    Optional(Box<Expression>),
    /// This as often as it comes, also never.
    Repeat(Box<Expression>),
    /// Nothing, provided that this does not follow.
    Not(Box<Expression>),
    Word(Word),
    Term(Term),
    /// Nothing but blanks up to the end of the line.
    End,
    /// A rule; a name until all files are read.
    Rule(usize),
}

/// A quoted word.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Word {
    /// As the file has it, for "expected here".
    pub(super) shown: String,
    /// Lower case, parted where blanks may stand.
    pub(super) pieces: Vec<Box<[u8]>>,
    /// Whether no letter or digit may follow.
    pub(super) bounded: bool,
}

impl Word {
    fn new(quoted: &str) -> Option<Self> {
        let pieces: Vec<Box<[u8]>> = quoted
            .split_whitespace()
            .map(|part| part.to_ascii_lowercase().into_bytes().into())
            .collect();
        let bounded = quoted.ends_with(|last: char| last.is_ascii_alphanumeric());
        (!pieces.is_empty() && quoted.is_ascii()).then(|| Self {
            shown: quoted.trim().to_owned(),
            pieces,
            bounded,
        })
    }
}

impl Grammar {
    /// Compiles files into one grammar. `name = …` makes a rule, which must not exist yet;
    /// `name |= …` puts alternatives before those that an earlier file gave it.
    ///
    /// # Errors
    /// The first fault, with file and line: bad notation, a rule or term that does not exist, a
    /// rule made twice, a rule that calls itself before anything is read.
    pub fn compile(sources: &[Source<'_>]) -> Result<Self, GrammarError> {
        let mut drafts: Vec<Draft> = Vec::new();
        for source in sources {
            for (draft, adds) in Reader::new(source)?.rules()? {
                let known = drafts.iter_mut().find(|known| known.name == draft.name);
                match (known, adds) {
                    (None, _) => drafts.push(draft),
                    (Some(known), true) => known.prepend(draft.body),
                    (Some(_), false) => {
                        return Err(
                            draft.fault(format!("the rule `{}` exists already", draft.name))
                        );
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
            let body = draft.body.resolve(&names).map_err(|name| {
                draft.fault(format!(
                    "the rule `{}` asks for `{name}`, which does not exist",
                    draft.name
                ))
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

    /// Whether there is a rule of that name.
    pub fn has(&self, rule: &str) -> bool {
        self.names.contains_key(rule)
    }

    /// Names of the rules that none of these roots leads to.
    pub fn unreachable<'g>(&'g self, roots: &[&str]) -> Vec<&'g str> {
        check::unreachable(self, roots)
    }

    pub(super) fn number_of(&self, rule: &str) -> Option<usize> {
        self.names.get(rule).copied()
    }

    pub(super) fn rule_name(&self, rule: usize) -> &str {
        self.rules.get(rule).map_or("", |rule| rule.name.as_str())
    }
}

/// A rule whose references are still names.
struct Draft {
    name: String,
    body: Unresolved,
    file: String,
    line: usize,
}

impl Draft {
    fn fault(&self, fault: String) -> GrammarError {
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
    fn resolve(&self, names: &BTreeMap<String, usize>) -> Result<Expression, String> {
        let all = |parts: &[Unresolved]| -> Result<Vec<Expression>, String> {
            parts.iter().map(|part| part.resolve(names)).collect()
        };
        Ok(match self {
            Self::Sequence(parts) => Expression::Sequence(all(parts)?),
            Self::Choice(parts) => Expression::Choice(all(parts)?),
            Self::Optional(part) => Expression::Optional(Box::new(part.resolve(names)?)),
            Self::Repeat(part) => Expression::Repeat(Box::new(part.resolve(names)?)),
            Self::Not(part) => Expression::Not(Box::new(part.resolve(names)?)),
            Self::Done(expression) => expression.clone(),
            Self::Named(name) => Expression::Rule(*names.get(name).ok_or_else(|| name.clone())?),
        })
    }

    /// A sequence or choice of one is that one.
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

/// Brackets deeper than this are a mistake, and would cost stack.
const DEEPEST: usize = 32;

/// Tokens of a file with their lines, and how far they have been read.
struct Reader<'a> {
    file: &'a str,
    tokens: Vec<(Token, usize)>,
    next: usize,
}

impl<'a> Reader<'a> {
    fn new(source: &Source<'a>) -> Result<Self, GrammarError> {
        let mut tokens = Vec::new();
        for (line, text) in source.text.lines().enumerate() {
            let fault = |fault: String| GrammarError {
                file: source.name.to_owned(),
                line: line + 1,
                fault,
            };
            let mut rest = text.trim_start();
            while !rest.is_empty() && !rest.starts_with('#') {
                let (token, after) = token(rest).map_err(fault)?;
                tokens.push((token, line + 1));
                rest = after.trim_start();
            }
        }
        Ok(Self {
            file: source.name,
            tokens,
            next: 0,
        })
    }

    fn rules(mut self) -> Result<Vec<(Draft, bool)>, GrammarError> {
        let mut rules = Vec::new();
        while self.next < self.tokens.len() {
            let line = self.line();
            let Some(Token::Name(name)) = self.take() else {
                return Err(self.fault("a rule must begin with its name".to_owned()));
            };
            let adds = match self.take() {
                Some(Token::Sign("=")) => false,
                Some(Token::Sign("|=")) => true,
                _ => return Err(self.fault(format!("`=` is missing after `{name}`"))),
            };
            let body = self.choice(0)?;
            if self.next < self.tokens.len() && !self.rule_begins() {
                return Err(self.fault("a bracket closes that was never opened".to_owned()));
            }
            rules.push((
                Draft {
                    name,
                    body,
                    file: self.file.to_owned(),
                    line,
                },
                adds,
            ));
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
            return Err(self.fault(
                "something is missing here; use `[ ]` for what may be left out".to_owned(),
            ));
        }
        Ok(Unresolved::grouped(parts, Unresolved::Sequence))
    }

    fn part(&mut self, depth: usize) -> Result<Unresolved, GrammarError> {
        if depth > DEEPEST {
            return Err(self.fault("too many brackets within one another".to_owned()));
        }
        match self.take() {
            Some(Token::Name(name)) => Ok(Unresolved::Named(name)),
            Some(Token::Quoted(word)) => match Word::new(&word) {
                Some(word) => Ok(Unresolved::Done(Expression::Word(word))),
                None => {
                    Err(self.fault("a quoted word must be plain ASCII and not empty".to_owned()))
                }
            },
            Some(Token::Angled(name)) if name == "end" => Ok(Unresolved::Done(Expression::End)),
            Some(Token::Angled(name)) => match Term::named(&name) {
                Some(term) => Ok(Unresolved::Done(Expression::Term(term))),
                None => Err(self.fault(format!("there is no term <{name}>"))),
            },
            Some(Token::Sign("!")) => Ok(Unresolved::Not(Box::new(self.part(depth + 1)?))),
            Some(Token::Sign("[")) => Ok(Unresolved::Optional(Box::new(self.bracket(depth, "]")?))),
            Some(Token::Sign("{")) => Ok(Unresolved::Repeat(Box::new(self.bracket(depth, "}")?))),
            Some(Token::Sign("(")) => self.bracket(depth, ")"),
            _ => Err(self.fault("a word, a term, a rule or a bracket is missing here".to_owned())),
        }
    }

    fn bracket(&mut self, depth: usize, closing: &str) -> Result<Unresolved, GrammarError> {
        let inner = self.choice(depth + 1)?;
        match self.take() {
            Some(Token::Sign(sign)) if sign == closing => Ok(inner),
            _ => Err(self.fault(format!("`{closing}` is missing"))),
        }
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next).map(|(token, _)| token)
    }

    fn take(&mut self) -> Option<Token> {
        let token = self.peek().cloned();
        self.next += 1;
        token
    }

    fn rule_begins(&self) -> bool {
        let sign = self.tokens.get(self.next + 1).map(|(token, _)| token);
        matches!(self.peek(), Some(Token::Name(_))) && matches!(sign, Some(Token::Sign("=" | "|=")))
    }

    /// The line of the next token, or of the last one behind the end.
    fn line(&self) -> usize {
        let here = self.tokens.get(self.next).or_else(|| self.tokens.last());
        here.map_or(1, |(_, line)| *line)
    }

    /// A fault at the token just taken.
    fn fault(&self, fault: String) -> GrammarError {
        let here = self
            .next
            .saturating_sub(1)
            .min(self.tokens.len().saturating_sub(1));
        let line = self.tokens.get(here).map_or(1, |(_, line)| *line);
        GrammarError {
            file: self.file.to_owned(),
            line,
            fault,
        }
    }
}

/// The first token of a text that does not begin with a blank, and what follows it.
fn token(text: &str) -> Result<(Token, &str), String> {
    if let Some(sign) = SIGNS.into_iter().find(|sign| text.starts_with(sign)) {
        return Ok((
            Token::Sign(sign),
            text.get(sign.len()..).unwrap_or_default(),
        ));
    }
    let delimited = |open: char, close: char| {
        let inner = text.strip_prefix(open)?;
        Some(
            inner
                .split_once(close)
                .ok_or_else(|| format!("`{close}` is missing")),
        )
    };
    if let Some(quoted) = delimited('"', '"') {
        let (word, rest) = quoted?;
        return Ok((Token::Quoted(word.to_owned()), rest));
    }
    if let Some(angled) = delimited('<', '>') {
        let (name, rest) = angled?;
        return Ok((Token::Angled(name.to_owned()), rest));
    }
    let named =
        |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    let length = text.find(|letter| !named(letter)).unwrap_or(text.len());
    match text.split_at_checked(length) {
        Some((name, rest)) if length > 0 => Ok((Token::Name(name.to_owned()), rest)),
        _ => Err(format!(
            "`{}` means nothing here",
            text.chars().next().unwrap_or(' ')
        )),
    }
}
