//! Random sentences of a grammar file, so that a variant's own lines are played without anybody writing them down here:
//! a new variant is included by being registered.

use std::collections::BTreeMap;

use dipjudge::game::Game;
use dipjudge::grammar::files;

use super::dice::Dice;
use super::disguises::{DISGUISES, disguise};
use super::fixture::labels;

/// How deep a sentence may nest before its shortest way out is taken.
const DEEPEST: usize = 12;

#[derive(Clone, Debug)]
enum Part {
    Sequence(Vec<Part>),
    Choice(Vec<Part>),
    Optional(Box<Part>),
    Repeat(Box<Part>),
    /// What must not follow: nothing is written for it.
    Not,
    Word(String),
    Term(String),
    Rule(String),
}

/// The rules of a variant's file and of the common orders, by name.
#[derive(Clone, Debug, Default)]
pub struct Sentences {
    rules: BTreeMap<String, Part>,
    own: bool,
}

impl Sentences {
    /// Those of a variant's grammar file; none if it has no lines of its own.
    pub fn of(grammar: &str) -> Sentences {
        let mut sentences = Sentences::default();
        sentences.read(files::ORDERS.text);
        sentences.read(grammar);
        sentences.own = sentences.rules.contains_key("line") && !grammar.trim().is_empty();
        sentences
    }

    /// Those of one file alone.
    pub fn of_file(text: &str) -> Sentences {
        let mut sentences = Sentences::default();
        sentences.read(text);
        sentences
    }

    /// A random sentence of a rule, with what a vocabulary has for its terms; none if there is no such rule.
    pub fn sentence(&self, rule: &str, words: &dyn Vocabulary, dice: &mut Dice) -> Option<String> {
        let part = self.rules.get(rule)?;
        let mut written = Vec::new();
        self.write(part, rule, 0, words, dice, &mut written);
        written.retain(|word| !word.is_empty());
        Some(written.join(" "))
    }

    /// Whether there are lines of its own at all.
    pub fn any(&self) -> bool {
        self.own
    }

    /// A random line of its own, with names of the game put in; of powers the `known` ones, if there are any.
    pub fn line(&self, game: &Game, near: &[String], known: &[String], dice: &mut Dice) -> String {
        let mut words = Vec::new();
        let names = Names { game, near, known };
        if let Some(part) = self.rules.get("line") {
            self.write(part, "line", 0, &names, dice, &mut words);
        }
        words.join(" ")
    }

    fn write(
        &self,
        part: &Part,
        within: &str,
        depth: usize,
        names: &dyn Vocabulary,
        dice: &mut Dice,
        words: &mut Vec<String>,
    ) {
        match part {
            Part::Sequence(parts) => {
                for part in parts {
                    self.write(part, within, depth, names, dice, words);
                }
            }
            Part::Choice(parts) => {
                let chosen = if depth > DEEPEST {
                    parts.first()
                } else {
                    dice.pick(parts)
                };
                if let Some(part) = chosen {
                    self.write(part, within, depth, names, dice, words);
                }
            }
            Part::Optional(part) => {
                if depth <= DEEPEST && dice.chance(50) {
                    self.write(part, within, depth, names, dice, words);
                }
            }
            Part::Repeat(part) => {
                for _ in 0..if depth > DEEPEST { 0 } else { dice.below(3) } {
                    self.write(part, within, depth, names, dice, words);
                }
            }
            Part::Not => {}
            Part::Word(word) => words.push(word.trim().to_owned()),
            Part::Term(term) => words.push(names.term(term, within, dice)),
            Part::Rule(name) => {
                if depth < 2 * DEEPEST
                    && let Some(part) = self.rules.get(name)
                {
                    self.write(part, name, depth + 1, names, dice, words);
                }
            }
        }
    }

    fn read(&mut self, text: &str) {
        let tokens = tokens(text);
        let mut reader = Reader {
            tokens: &tokens,
            at: 0,
        };
        while let Some((name, more)) = reader.rule_name() {
            let body = reader.choice();
            match self.rules.get_mut(&name) {
                Some(known) if more => *known = Part::Choice(vec![body, known.clone()]),
                _ => {
                    self.rules.insert(name, body);
                }
            }
        }
        assert_eq!(
            reader.at,
            tokens.len(),
            "a grammar file was not read to its end"
        );
    }
}

/// What may stand for a term of the grammar, by the rule in which it stands.
pub trait Vocabulary {
    fn term(&self, term: &str, within: &str, dice: &mut Dice) -> String;
}

struct Names<'g> {
    game: &'g Game,
    near: &'g [String],
    known: &'g [String],
}

impl Vocabulary for Names<'_> {
    fn term(&self, term: &str, _: &str, dice: &mut Dice) -> String {
        let map = self.game.map();
        let labels = labels(self.game);
        match term {
            "province" => {
                if dice.chance(60)
                    && let Some(near) = dice.pick(self.near)
                {
                    return near.clone();
                }
                dice.pick(map.provinces())
                    .map_or_else(String::new, |info| info.code.to_string())
            }
            "power" if !self.known.is_empty() => {
                let name = dice.pick(self.known).cloned().unwrap_or_default();
                match dice.chance(25) {
                    true => disguise(&name, dice.below(DISGUISES)),
                    false => name,
                }
            }
            "power" => dice
                .pick(labels.words())
                .map_or_else(String::new, |power| power.name.clone()),
            "power-letter" => dice
                .pick(labels.words())
                .and_then(|power| power.letter)
                .map_or_else(|| "E".to_owned(), String::from),
            "unit-kind" => dice
                .pick(map.kinds())
                .map_or_else(|| "A".to_owned(), |info| info.kind.to_string()),
            "number" | "count" => dice.below(8).to_string(),
            "decimal" => format!("{}.5", dice.below(4)),
            "date" => "tomorrow".to_owned(),
            "phase" => format!("{}1902M", if dice.chance(50) { 'S' } else { 'F' }),
            "end" => String::new(),
            "word" | "rest" | "value" | "reader" => dice.word(),
            other => panic!("nothing is known of the term {other}"),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Name(String),
    Word(String),
    Term(String),
    Sign(char),
    /// `=` or, with more, `|=`.
    Becomes {
        more: bool,
    },
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    for line in text.lines() {
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            let (token, length) = match first {
                '#' => break,
                quote @ ('"' | '\'') => {
                    let end = rest[1..].find(quote).expect("a word is closed") + 1;
                    (Token::Word(rest[1..end].to_owned()), end + 1)
                }
                '<' => {
                    let end = rest.find('>').expect("a term is closed");
                    (Token::Term(rest[1..end].to_owned()), end + 1)
                }
                '|' if rest.starts_with("|=") => (Token::Becomes { more: true }, 2),
                '=' => (Token::Becomes { more: false }, 1),
                first if first.is_ascii_alphabetic() => {
                    let end = rest
                        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
                        .unwrap_or(rest.len());
                    (Token::Name(rest[..end].to_owned()), end)
                }
                sign => (Token::Sign(sign), sign.len_utf8()),
            };
            tokens.push(token);
            rest = rest[length..].trim_start();
        }
    }
    tokens
}

struct Reader<'t> {
    tokens: &'t [Token],
    at: usize,
}

impl Reader<'_> {
    fn rule_name(&mut self) -> Option<(String, bool)> {
        match self.tokens.get(self.at..self.at + 2)? {
            [Token::Name(name), Token::Becomes { more }] => {
                self.at += 2;
                Some((name.clone(), *more))
            }
            _ => None,
        }
    }

    fn takes(&mut self, sign: char) -> bool {
        let is = self.tokens.get(self.at) == Some(&Token::Sign(sign));
        self.at += usize::from(is);
        is
    }

    fn choice(&mut self) -> Part {
        let mut parts = vec![self.sequence()];
        while self.takes('|') {
            parts.push(self.sequence());
        }
        Part::Choice(parts)
    }

    fn sequence(&mut self) -> Part {
        let mut parts = Vec::new();
        loop {
            let begins_a_rule = matches!(
                self.tokens.get(self.at..self.at + 2),
                Some([Token::Name(_), Token::Becomes { .. }])
            );
            if begins_a_rule {
                break;
            }
            let part = match self.tokens.get(self.at) {
                Some(Token::Word(word)) => Part::Word(word.clone()),
                Some(Token::Term(term)) => Part::Term(term.clone()),
                Some(Token::Name(name)) => Part::Rule(name.clone()),
                Some(Token::Sign('!')) => {
                    // `!!a` too asks only what stands here.
                    while self.takes('!') {}
                    self.one();
                    parts.push(Part::Not);
                    continue;
                }
                Some(Token::Sign('[' | '{' | '(')) => {
                    parts.push(self.one());
                    continue;
                }
                _ => break,
            };
            self.at += 1;
            parts.push(part);
        }
        Part::Sequence(parts)
    }

    /// A single part: a name, a word, or something in brackets.
    fn one(&mut self) -> Part {
        if self.takes('[') {
            let inner = self.choice();
            assert!(self.takes(']'), "a bracket is closed");
            return Part::Optional(Box::new(inner));
        }
        if self.takes('{') {
            let inner = self.choice();
            assert!(self.takes('}'), "a bracket is closed");
            return Part::Repeat(Box::new(inner));
        }
        if self.takes('(') {
            let inner = self.choice();
            assert!(self.takes(')'), "a bracket is closed");
            return inner;
        }
        self.at += 1;
        Part::Not
    }
}
