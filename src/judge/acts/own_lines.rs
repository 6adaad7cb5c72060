//! What the variant's own lines do, as the end of a power's mails offers them: the answer to HELP BIRTH, and to sentences that name one.

use std::collections::BTreeSet;

use super::subjects::UNREAD;
use crate::orders::meant::orders_supposed;
use crate::session::Session;
use crate::work::GameWork;
use dipjudge_commands::like_example::{like_example, parts_by_place, with_kind};
use dipjudge_commands::names::Names;
use dipjudge_commands::orders::grammar_of;
use dipjudge_commands::prose::{bare_words, denies, joined_clauses, sentences};
use dipjudge_commands::subjects::asks;
use dipjudge_grammar::{Grammar, number_in_words};
use dipjudge_view::{OfferedLine, Viewer};

/// First words of lines that stand in sentences of all kinds.
const COMMON_WORDS: [&str; 10] = [
    "question", "answer", "accept", "pass", "vote", "name", "build", "move", "if", "give",
];

/// The fewest letters of a word that tells a line.
const SHORTEST_WORD: usize = 5;

/// How sentences name kinds of units, and how lines do, too.
const KINDS: [&str; 4] = ["army", "armies", "fleet", "fleets"];
const KIND_LETTERS: [&str; 2] = ["a", "f"];

/// The fewest letters of an abbreviation in a line.
const SHORTEST_ABBREVIATION: usize = 3;

/// The most words of a sentence that refuses what a line offers.
const MOST_OF_REFUSAL: usize = 8;

/// The line by which a game of some variants does not wait for more from a power.
const PASS: &str = "PASS";

/// What an example of a line becomes with what a sentence says.
type MadeOfExample = fn(&Grammar, &str, &str, &Names) -> Option<String>;

impl Session<'_, '_> {
    /// Answers a sentence by what the variant's own lines do that it names: `What is this about bids?`
    pub(crate) fn answer_by_own_lines(&mut self, line: &str) -> bool {
        let named = self.own_line_named(line);
        named.is_some_and(|word| self.answer_by_own_line(line, &word))
    }

    /// The word of a sentence with which a line of the variant's own begins.
    fn own_line_named(&self, line: &str) -> Option<String> {
        let words = line.split(|sign: char| !sign.is_alphanumeric());
        let words = words.map(str::to_lowercase);
        let mut special = words.filter(|word| !COMMON_WORDS.contains(&word.as_str()));
        special.find(|word| !self.own_lines_about(word).is_empty())
    }

    fn answer_by_own_line(&mut self, line: &str, word: &str) -> bool {
        self.reply.wanted = true;
        let are_about = "These lines of this game are about it:";
        if asks(line) {
            self.fault(line, are_about);
        } else {
            self.fault(line, format!("{UNREAD}  {are_about}"));
        }
        self.tell_own_lines(word);
        true
    }

    /// Answers a question that names a line of the variant's own: by what the line does, and by the questions that people ask often, if
    /// one of those is much the same.
    pub(crate) fn answer_question_of_own_lines(&mut self, line: &str) -> bool {
        let Some(word) = self.own_line_named(line) else {
            return false;
        };
        let found = self.frequent_about(line);
        let is_told = !self.reading.lines_told.insert(word.clone());
        if is_told && found.likely {
            return self.answer_by_frequent(line, found);
        }
        self.answer_by_own_line(line, &word);
        if found.likely {
            self.add_frequent(found);
        }
        true
    }

    /// Proposes a line of the variant's own that is as it offers one, with the provinces or the kind of unit that a sentence names. A
    /// sentence that names no province has to name the line.
    pub(crate) fn propose_like_own_lines(&mut self, line: &str) -> bool {
        if asks(line) || !self.has_own_lines() {
            return false;
        }
        // "I bid eight. The fort goes to Belgium."
        let parts = sentences(line);
        let is_apart = parts.len() > 1
            && (self.numbered_line_named(line).is_some()
                || parts.iter().any(|part| self.reads_as_orders_alone(part)));
        if is_apart {
            parts.into_iter().for_each(|part| self.order_line(part));
            return true;
        }
        if self.reads_as_order(line) {
            return false;
        }
        // "No llamas for me, thanks"
        let words_of_line = bare_words(line).count();
        if denies(line) && words_of_line <= MOST_OF_REFUSAL && self.names_word_of_own_lines(line) {
            return self.proposes_pass(line);
        }
        let orders_nothing = self.orders_meant(line).is_empty();
        if orders_nothing && let Some(numbered) = self.numbered_line_named(line) {
            self.ask_before(line);
            self.propose(&numbered);
            return true;
        }
        // "Venice goes to Tyrolia and the fleet to the Ionian Sea" names a kind of unit as BIRTH does.
        let names_province = orders_nothing && self.names_province(line);
        let words: Vec<String> = bare_words(line).map(str::to_owned).collect();
        let is_meant = |offered: &OfferedLine| {
            let is_named = |word: &String| begins_with(&offered.line, word);
            let is_told = |word: &String| orders_nothing && tells_of(&offered.does, word);
            names_province || words.iter().any(|word| is_named(word) || is_told(word))
        };
        let offered = self.offered_lines().into_iter().filter(is_meant);
        let mut offered: Vec<OfferedLine> = offered.collect();
        // "Liverpool becomes a colony": of all lines with a place COL is meant.
        let is_abbreviated = |offered: &OfferedLine| self.abbreviates_a_word(offered, &words);
        if offered.iter().any(is_abbreviated) {
            offered.retain(is_abbreviated);
        }
        let mut meant = self.like_offered_by_clause(line, &offered);
        if meant.is_empty() {
            meant = match self.like_offered(line, &offered) {
                Some(meant) => vec![meant],
                None => self.like_offered_by_place(line, &offered),
            };
        }
        let mut is_of_others = false;
        if meant.is_empty() && names_province {
            meant = self.like_offered_of_others(line, &offered);
            is_of_others = !meant.is_empty();
        } else if meant.is_empty() {
            // "my newborn shall be a sailor"
            meant.extend(self.made_of_offered(with_kind, line, &offered));
        }
        // "Livonia shall be a fleet. All later ones shall be armies."
        if meant.is_empty() && parts.len() > 1 {
            let is_like = |part: &&str| self.like_offered(part, &offered).is_some();
            let found = parts.clone().iter().any(is_like);
            if found {
                parts.into_iter().for_each(|part| self.order_line(part));
            }
            return found;
        }
        if meant.is_empty() {
            return false;
        }
        self.ask_before(line);
        // "I foresee meetings in Denmark and in the Channel, the second shall be a fleet."
        let has = |words: &str, kinds: &[&str]| {
            bare_words(words).any(|word| kinds.contains(&word.to_lowercase().as_str()))
        };
        let has_kind = |meant: &String| has(meant, &KINDS) || has(meant, &KIND_LETTERS);
        if !is_of_others && has(line, &KINDS) && !meant.iter().any(has_kind) {
            self.reading.proposed_in_part.push(line.trim().to_owned());
        }
        self.propose_all(meant);
        true
    }

    /// The line of a word and a number that a sentence says: `I bid seven`. Without a number the offered one is meant, if no other can be
    /// given: `I accept the exchange of maps`.
    pub(crate) fn numbered_line_named(&mut self, sentence: &str) -> Option<String> {
        let offered = self.offered_lines().into_iter().map(|offered| offered.line);
        let numbered = offered.filter_map(|line| {
            let (first, number) = line.split_once(' ')?;
            let number: u32 = number.parse().ok()?;
            let mut words =
                bare_words(sentence).skip_while(|word| !word.eq_ignore_ascii_case(first));
            words.next()?;
            let mut numbers = words.filter_map(number_of);
            let said = numbers.next();
            // "I'd like to bid about eight or nine"
            let is_clear = numbers.next().is_none();
            is_clear.then(|| (first.to_owned(), number, said))
        });
        let numbered: Vec<(String, u32, Option<u32>)> = numbered.collect();
        let [(first, offered, said)] = numbered.as_slice() else {
            return None;
        };
        let line = |number: u32| format!("{first} {number}");
        let mut can_be_given = |number| !self.orders_meant(&line(number)).is_empty();
        match said {
            Some(number) => can_be_given(*number).then(|| line(*number)),
            None => (!can_be_given(offered + 1)).then(|| line(*offered)),
        }
    }

    /// The one line that can be given of those that are as the offered ones, with what a sentence says.
    fn like_offered(&mut self, sentence: &str, offered: &[OfferedLine]) -> Option<String> {
        self.made_of_offered(like_example, sentence, offered)
    }

    /// The one line that can be given of those that are made of the offered ones and a sentence.
    fn made_of_offered(
        &mut self,
        made: MadeOfExample,
        sentence: &str,
        offered: &[OfferedLine],
    ) -> Option<String> {
        let (names, edit) = (self.reading.names.as_ref()?, self.edit()?);
        let grammar = grammar_of(edit.variant);
        let like = offered
            .iter()
            .filter_map(|offered| made(grammar, &offered.line, sentence, names));
        let like: BTreeSet<String> = like.collect();
        self.only_one_that_can_be_given(like)
    }

    fn only_one_that_can_be_given(&mut self, lines: BTreeSet<String>) -> Option<String> {
        let mut can_be_given = lines
            .into_iter()
            .filter(|line| self.reads_as_orders_alone(line) && !self.orders_meant(line).is_empty());
        let found = can_be_given.next()?;
        can_be_given.next().is_none().then_some(found)
    }

    /// The same for each clause of a sentence: `An army in Livonia, and from now on always armies`, `A fleet in Tuscany, anywhere else
    /// armies`. Empty if it is not clear for one of them.
    fn like_offered_by_clause(&mut self, sentence: &str, offered: &[OfferedLine]) -> Vec<String> {
        let partings = [joined_clauses(sentence), sentence.split(", ").collect()];
        let mut partings = partings.into_iter().filter(|clauses| clauses.len() > 1);
        let meant = partings.find_map(|clauses| {
            let clauses = clauses.into_iter();
            let meant = clauses.map(|clause| self.like_offered(clause, offered));
            meant.collect::<Option<_>>()
        });
        meant.unwrap_or_default()
    }

    /// The same for each place of which a sentence says something. Empty if it is not clear for one of them.
    fn like_offered_by_place(&mut self, sentence: &str, offered: &[OfferedLine]) -> Vec<String> {
        let (Some(names), Some(edit)) = (&self.reading.names, self.edit()) else {
            return Vec::new();
        };
        let parts = parts_by_place(grammar_of(edit.variant), sentence, names);
        let meant = parts.iter().map(|part| self.like_offered(part, offered));
        meant.collect::<Option<_>>().unwrap_or_default()
    }

    /// The lines that begin as the offered ones do, with each order of somebody's unit that a sentence tells: `I'd like to make the Italian
    /// fleet go to Greece` and `REORDER AUSTRIAN A(Ser) H` make `REORDER Ionian Sea - Greece`. Empty if it is not clear for one of them.
    fn like_offered_of_others(&mut self, sentence: &str, offered: &[OfferedLine]) -> Vec<String> {
        let power = self.sender.acting.and_then(|acting| acting.power);
        let (Some(power), Some(names), Some(open)) =
            (power, self.reading.names.as_ref(), self.open.as_mut())
        else {
            return Vec::new();
        };
        let mut work = GameWork::new(&mut self.work, open);
        let question = format!("What if {sentence}");
        let supposed = orders_supposed(&mut work, power, &question, names);
        let begins = offered
            .iter()
            .filter(|offered| names.any_province(&offered.line))
            .filter_map(|offered| offered.line.split(' ').next());
        let begins: BTreeSet<String> = begins.map(str::to_owned).collect();
        let orders = supposed.lines.iter();
        let meant = orders.map(|order| {
            let (_, order) = order.split_once(": ")?;
            let lines = begins.iter().map(|first| format!("{first} {order}"));
            self.only_one_that_can_be_given(lines.collect())
        });
        meant.collect::<Option<_>>().unwrap_or_default()
    }

    /// Whether an offered line has an abbreviation of one of these words, and not as the name of a place.
    fn abbreviates_a_word(&self, offered: &OfferedLine, words: &[String]) -> bool {
        let names = self.reading.names.as_ref();
        let is_abbreviation = |own: &&str| {
            own.len() >= SHORTEST_ABBREVIATION
                && own.chars().all(|sign| sign.is_ascii_uppercase())
                && !names.is_some_and(|names| names.any_province(own))
        };
        let begins = |own: &str| {
            let own = own.to_lowercase();
            words
                .iter()
                .any(|word| word.len() > own.len() && word.to_lowercase().starts_with(&own))
        };
        bare_words(&offered.line)
            .filter(is_abbreviation)
            .any(begins)
    }

    /// Whether a sentence has a word of those that the lines offered now are made of.
    fn names_word_of_own_lines(&self, sentence: &str) -> bool {
        let offered = self.offered_lines();
        let has = |word: &str| {
            let is_long = word.len() >= SHORTEST_WORD;
            is_long
                && offered.iter().any(|offered| {
                    let mut words = bare_words(&offered.line);
                    words.any(|own| own.eq_ignore_ascii_case(word))
                })
        };
        bare_words(sentence).any(has)
    }

    /// Whether the variant has lines of its own.
    fn has_own_lines(&self) -> bool {
        let edit = self.edit();
        edit.is_some_and(|edit| !edit.variant.card().grammar.is_empty())
    }

    /// Proposes the variant's own line by which the game does not wait for the sender, where it has one: `Go on without me.`
    pub(crate) fn proposes_pass(&mut self, line: &str) -> bool {
        let offered = self.own_lines_about(PASS).into_iter();
        let Some(pass) = offered.into_iter().find(|offered| offered.line == PASS) else {
            return false;
        };
        self.ask_before(line);
        self.propose(&pass.line);
        self.say(format!("What {PASS} does:  {}", pass.does));
        true
    }

    /// Shows the lines of the variant's own that begin with a word, with what each does.
    pub(crate) fn tell_own_lines(&mut self, word: &str) {
        for OfferedLine { line, does, .. } in self.own_lines_about(word) {
            self.print(format!("    {line}"));
            self.say(does);
        }
    }

    /// The lines that the sender's power may send now and that begin with a word, or with what it is the plural of.
    fn own_lines_about(&self, word: &str) -> Vec<OfferedLine> {
        let offered = self.offered_lines().into_iter();
        offered
            .filter(|offered| begins_with(&offered.line, word))
            .collect()
    }

    /// The lines of the variant's own that the sender's power may send now.
    fn offered_lines(&self) -> Vec<OfferedLine> {
        let power = self.sender.acting.and_then(|acting| acting.power);
        let (Some(power), Some(edit)) = (power, self.edit()) else {
            return Vec::new();
        };
        let view = edit.variant_game().seen_by(Viewer::Power(power));
        view.offered_lines(power)
    }
}

/// Whether a long word, but for its plural, is one of those that tell what a line does: "coast", of births on coasts.
fn tells_of(does: &str, word: &str) -> bool {
    let single = |word: &str| word.to_lowercase().trim_end_matches('s').to_owned();
    let word = single(word);
    word.len() >= SHORTEST_WORD && bare_words(does).any(|told| single(told) == word)
}

/// The number that a word is: `7`, `seven`.
fn number_of(word: &str) -> Option<u32> {
    word.parse()
        .ok()
        .or_else(|| number_in_words(&word.to_lowercase()).map(u32::from))
}

/// Whether a line begins with a word, or with what it is the plural of.
fn begins_with(line: &str, word: &str) -> bool {
    let single = word.strip_suffix('s').unwrap_or(word);
    let first = line.split([' ', ':']).next().unwrap_or_default();
    [word, single]
        .iter()
        .any(|word| word.eq_ignore_ascii_case(first))
}
