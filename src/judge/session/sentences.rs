//! Lines of several sentences, each of which may ask for something else, and lines that are talk and ask for nothing.

use crate::orders::lines::about;
use crate::session::Session;
use crate::session::reading::OrdersFor;
use dipjudge_commands::asides::{Aside, aside};
use dipjudge_commands::command_reader::consent;
use dipjudge_commands::corrections::{SentenceRequest, are_alike, lines_asked_within, of_command};
use dipjudge_commands::mentions::provinces_in;
use dipjudge_commands::orders::grammar_of;
use dipjudge_commands::parse_error::ParseReason;
use dipjudge_commands::prose::{bare_words, joined_clauses, sentences};
use dipjudge_game::requirements::Ask;
use dipjudge_grammar::number_in_words;
use dipjudge_rules::map::Province;

/// The fewest words of talk: a shorter line is an order or a command with a mistake.
const FEWEST_WORDS: usize = 3;
/// So many words are talk wherever they begin.
const MANY_WORDS: usize = 6;
/// The largest number of characters of a line that is quoted within a sentence.
const LONGEST_QUOTED: usize = 50;
/// The most lines with provinces that are quoted within a sentence.
const MOST_QUOTED: usize = 3;
/// A mail ends with so many lines that are a greeting and a name.
const LAST_LINES: usize = 2;
/// Words of English sentences, which no name and no closing in another language is.
const ENGLISH_WORDS: [&str; 22] = [
    "is", "are", "am", "my", "the", "a", "an", "to", "i", "you", "your", "not", "all", "it",
    "this", "that", "what", "who", "for", "with", "in", "on",
];
/// The fewest letters of a word that may be a misspelt province.
const SHORTEST_NAME: usize = 5;
/// The most words of such a line.
const MOST_OF_CLOSING: usize = 4;
/// Orders that name no province, and words that begin orders: a line with one of them may be meant as an order.
const WORDS_OF_ORDERS: [&str; 14] = [
    "waive", "waives", "hold", "holds", "build", "builds", "remove", "removes", "disband",
    "disbands", "retreat", "support", "supports", "convoy",
];
/// How clauses begin that wish for something.
const BEGINS_WISH: [&str; 7] = [
    "i want ",
    "i d like ",
    "i would like ",
    "i wish ",
    "can you ",
    "could you ",
    "call ",
];
/// How sentences begin that are no orders.
const BEGINS_TALK: [&str; 36] = [
    "no",
    "yes",
    "i",
    "i'm",
    "i'll",
    "we",
    "you",
    "he",
    "she",
    "they",
    "it",
    "this",
    "that",
    "these",
    "those",
    "there",
    "the",
    "my",
    "your",
    "our",
    "if",
    "so",
    "but",
    "and",
    "because",
    "just",
    "sorry",
    "good",
    "nice",
    "well",
    "hope",
    "hopefully",
    "dear",
    "hi",
    "hello",
    "not",
];

impl Session<'_, '_> {
    /// A sentence, in two where a letter is asked for behind something else: `Lon - Nth, and tell France "hold"`.
    fn before_letter<'l>(&self, sentence: &'l str) -> Vec<&'l str> {
        let joints = [", and ", " and ", ", "];
        let places = joints.iter().flat_map(|joint| {
            let found = sentence.match_indices(joint);
            found.map(|(at, joint)| (at, at + joint.len()))
        });
        let mut parted = places.filter_map(|(end, start)| {
            let (before, letter) = (sentence.get(..end)?, sentence.get(start..)?);
            let asked = !before.is_empty() && self.asks_for_letter(letter);
            (asked && !self.asks_for_letter(before)).then(|| vec![before, letter])
        });
        parted.next().unwrap_or_else(|| vec![sentence])
    }

    /// Whether a sentence asks for a letter with words of its own, `Tell France: ...`; a greeting does not.
    pub(crate) fn asks_for_letter(&self, sentence: &str) -> bool {
        let asked = self.request_of(sentence);
        matches!(asked, Some(SentenceRequest::Letter { text, .. }) if !text.is_empty() && text != sentence.trim())
    }

    /// Takes the sentences of a line one by one, if one of them asks for something by itself: `Par - Bur, Mar - Spa. To all: vive la
    /// France!` Returns whether it did. A line that is an order or a letter as a whole stays whole.
    pub(crate) fn takes_sentences_apart(&mut self, line: &str) -> bool {
        let parts: Vec<&str> = sentences(line)
            .into_iter()
            .flat_map(|sentence| self.before_letter(sentence))
            .collect();
        let parts = self.with_context(line, parts);
        let reads_now =
            self.reading.orders_for == OrdersFor::Now && self.reading.branches.is_empty();
        if parts.len() < 2 || !reads_now || self.sender.acting.is_none() {
            return false;
        }
        let letters = parts
            .iter()
            .filter(|part| self.asks_for_letter(part))
            .count();
        let is_letter = matches!(
            self.request_of(line),
            Some(SentenceRequest::Letter { .. } | SentenceRequest::OrdersOf(_))
        );
        // "Write Ben that ... And let Finn know ..." is two letters.
        if (is_letter && letters < 2) || self.begins_by_name(line) {
            return false;
        }
        let whole = self.read_orders(line);
        if !whole.is_empty() && whole.iter().all(Result::is_ok) {
            return false;
        }
        if !parts.iter().any(|part| self.asks_by_itself(part)) {
            return false;
        }
        for part in parts {
            self.take_sentence(part);
        }
        true
    }

    /// Takes orders that stand before words for later, sentence by sentence if one of them asks for something by itself.
    pub(crate) fn take_sentences(&mut self, line: &str) {
        if !self.takes_sentences_apart(line) {
            self.order_line(line);
        }
    }

    /// Answers a line that begins like a condition of orders and is a question. Returns whether it is one.
    pub(crate) fn takes_question_apart(&mut self, line: &str) -> bool {
        let asks = self.is_question_of_places(line);
        if asks && !self.takes_sentences_apart(line) {
            self.take_sentence(line);
        }
        asks
    }

    /// The sentences of a line, with each that a question or a correction behind it needs joined with it: `Suppose Austria moves to
    /// Tyrolia. Does Rome get into Venice?`, `My fleet is in Brest. Can it go to Spain?`, `Remove Munich. No, rather Kiel.`
    fn with_context<'l>(&mut self, line: &'l str, parts: Vec<&'l str>) -> Vec<&'l str> {
        if parts.len() < 2 {
            return parts;
        }
        self.make_names();
        let mut joined: Vec<&str> = Vec::new();
        for part in parts {
            let before = joined.last().copied().filter(|before| {
                let asks = part.ends_with('?') && !before.ends_with('?');
                let takes_back = || {
                    let taken_back = self.taken_back(part);
                    taken_back.is_some_and(|taken_back| {
                        let goes_on = bare_words(taken_back.behind).next().is_some();
                        taken_back.kept.is_empty() && goes_on
                    })
                };
                takes_back()
                    || (asks
                        && (self.is_question_of_places(before) || self.tells_of_it(before, part)))
            });
            let both = before.and_then(|before| {
                let (start, end) = (line.find(before)?, line.rfind(part)? + part.len());
                line.get(start..end)
            });
            match (both, joined.last_mut()) {
                (Some(both), Some(before)) => *before = both,
                _ => joined.push(part),
            }
        }
        joined
    }

    /// Whether a sentence names the place of the unit that the question behind it calls "it".
    pub(crate) fn tells_of_it(&mut self, sentence: &str, question: &str) -> bool {
        let mut words = bare_words(question);
        let names_one = |session: &mut Session, text: &str| {
            let (Some(names), Some(edit)) = (&session.reading.names, session.edit()) else {
                return false;
            };
            provinces_in(grammar_of(edit.variant), text, names).len() == 1
        };
        self.make_names();
        words.any(|word| word.eq_ignore_ascii_case("it"))
            && names_one(self, sentence)
            && names_one(self, question)
            && self.orders_meant(sentence).is_empty()
    }

    /// Whether a line names a province.
    pub(crate) fn names_province(&mut self, line: &str) -> bool {
        self.make_names();
        let names = self.reading.names.as_ref();
        names.is_some_and(|names| names.any_province(line))
    }

    /// Whether a line asks something in which provinces are named, and orders nothing.
    pub(crate) fn is_question_of_places(&mut self, line: &str) -> bool {
        self.make_names();
        let (Some(names), Some(edit)) = (&self.reading.names, self.edit()) else {
            return false;
        };
        let asks = aside(grammar_of(edit.variant), line, names) == Some(Aside::Question);
        asks && !self.read_orders(line).iter().any(Result::is_ok)
    }

    /// Whether a sentence is an order, or asks for something that is known.
    fn asks_by_itself(&mut self, sentence: &str) -> bool {
        if self.is_question_of_places(sentence) {
            return true;
        }
        let holds_order = self.read_orders(sentence).iter().any(Result::is_ok)
            || !self.orders_meant(sentence).is_empty();
        holds_order || self.request_of(sentence).is_some() || self.asks_about_something(sentence)
    }

    fn take_sentence(&mut self, sentence: &str) {
        if self.asks_for_letter(sentence) {
            self.end_letter();
        }
        // A YES or NO that answers nothing.
        if self.continues_letter(sentence)
            || consent(sentence).is_some()
            || self.says_nothing(sentence)
            || self.takes_for_later(sentence)
            || self.propose_for_sentence(sentence)
            || self.answer_question(sentence)
        {
            return;
        }
        // "New here. Do we get a week for every move?"
        if sentence.split_whitespace().count() < FEWEST_WORDS
            && !self.is_meant_as_order(sentence)
            && self.orders_meant(sentence).is_empty()
        {
            return self.leave_unread(sentence);
        }
        // "If I send nothing for Berlin, what does it do" is no condition of an order.
        if self.is_question_of_places(sentence) {
            return self.leave_unread(sentence);
        }
        self.order_line(sentence);
    }

    /// Takes a line or sentence that speaks of what may come: where a unit would retreat, builds or movements of a later phase,
    /// builds if a center is taken. Returns whether it is one.
    pub(crate) fn takes_for_later(&mut self, line: &str) -> bool {
        self.answer_retreats(line)
            || self.propose_builds_ahead(line)
            || self.propose_moves_ahead(line)
            || self.answer_supposed_builds(line)
    }

    /// Whether a line is talk: a sentence in which nothing can be an order, however misspelt. It sets no error flag.
    pub(crate) fn is_talk(&mut self, line: &str) -> bool {
        let words: Vec<String> = line
            .split_whitespace()
            .map(|word| {
                word.trim_matches(|sign: char| !sign.is_alphanumeric())
                    .to_lowercase()
            })
            .filter(|word| !word.is_empty())
            .collect();
        let Some(first) = words.first() else {
            return false;
        };
        let ends = line.trim_end().ends_with(['.', '!', '?', ',']);
        let begins = BEGINS_TALK.contains(&first.as_str());
        let is_shouted = !line.chars().any(char::is_lowercase);
        let is_sentence = words.len() >= FEWEST_WORDS
            && (begins || ends || words.len() >= MANY_WORDS)
            || line.trim_end().ends_with([',', '!']);
        if is_shouted || !(is_sentence || self.is_like_signature(line)) {
            return false;
        }
        // "Three builds, nice."
        if counts_adjustments(&words) && !self.names_province(line) {
            return true;
        }
        let is_of_order = |word: &String| {
            WORDS_OF_ORDERS
                .iter()
                .any(|known| are_alike(word, known) || word == known)
        };
        if words.iter().any(is_of_order) || self.read_orders(line).iter().any(Result::is_ok) {
            return false;
        }
        // "No moves from me": `No` begins the names of several seas.
        let named = line
            .trim_start()
            .strip_prefix("No ")
            .or(line.trim_start().strip_prefix("no "));
        !self.names_province(named.unwrap_or(line))
            && !self.holds_own_order(line)
            && self.orders_meant(line).is_empty()
    }

    /// Whether a line is a long sentence, and none of the sender's orders can be made of it.
    pub(crate) fn is_prose_without_orders(&mut self, line: &str) -> bool {
        // "A Mun S F Kie - Holl" is in the notation of orders.
        let is_sign = |word: &str| ["-", "->", "S", "C", "H"].contains(&word);
        let words: Vec<&str> = line.split_whitespace().collect();
        let begins = words.first().is_some_and(|word| ["A", "F"].contains(word));
        let is_notation = begins || words.iter().copied().any(is_sign);
        let is_prose = words.len() >= MANY_WORDS && !is_notation;
        is_prose
            && !self.read_orders(line).iter().any(Result::is_ok)
            && self.orders_meant(line).is_empty()
    }

    /// Whether a line is names and titles, as stand below a letter: `Account Manager`, `B. Miller`. Variants have lines of their own
    /// that look so.
    fn is_like_signature(&self, line: &str) -> bool {
        let has_own_lines = self
            .edit()
            .is_none_or(|edit| !edit.variant.card().grammar.is_empty());
        let is_title = |word: &str| {
            let mut letters = word.chars();
            let is_initial = word.chars().count() == 2 && word.ends_with('.');
            let is_name = word.chars().count() > 2
                && letters.next().is_some_and(char::is_uppercase)
                && letters.all(char::is_lowercase);
            is_initial || is_name
        };
        !has_own_lines
            && line.split_whitespace().count() > 1
            && line.split_whitespace().all(is_title)
    }

    /// Whether a line ends the mail as a letter ends, in another language or by a name: one of the last two lines, behind others, of
    /// few words, in which nothing can be an order. English ends are words of the grammar.
    pub(crate) fn closes_mail(&mut self, line: &str) -> bool {
        let own = self.mail.own_lines().map(|own| own.text.trim());
        let own: Vec<&str> = own.filter(|own| !own.is_empty()).collect();
        let last = own.iter().skip(1).rev().take(LAST_LINES);
        let is_last = last.into_iter().any(|last| *last == line.trim());
        let words: Vec<String> = bare_words(line).map(str::to_lowercase).collect();
        let is_of_order = |word: &String| {
            WORDS_OF_ORDERS
                .iter()
                .any(|known| are_alike(word, known) || word == known)
        };
        let is_english = |word: &String| ENGLISH_WORDS.contains(&word.as_str());
        // "Cassie the all-seeing"
        let signs = words.first().is_some_and(|first| self.is_own_name(first));
        let is_plain = signs || !words.iter().any(is_english) && !line.contains('-');
        is_last
            && words.len() <= MOST_OF_CLOSING
            && is_plain
            && !words.iter().any(is_of_order)
            && !line.contains(|sign: char| sign.is_ascii_digit() || "?/:".contains(sign))
            && !self.names_province(line)
            && self.named_in(line).is_empty()
            && of_command(line).is_none()
            && !self.names_near_province(&words)
            && self.read_orders(line).iter().all(|read| {
                read.as_ref()
                    .is_err_and(|error| error.reason == ParseReason::NotAnOrder)
            })
            && self.orders_meant(line).is_empty()
    }

    /// Whether one of these words is nearly the name of a province.
    fn names_near_province(&self, words: &[String]) -> bool {
        let names = self.reading.names.as_ref();
        names.is_some_and(|names| {
            let mut long = words.iter().filter(|word| word.len() >= SHORTEST_NAME);
            long.any(|word| !names.nearest(word).is_empty())
        })
    }

    /// Leaves a line unread that is talk, unless it is known what it is about. What was not read is told at the end.
    pub(crate) fn leave_unread(&mut self, line: &str) {
        self.reply.wanted = true;
        let is_aside = line.trim().starts_with('(') && line.trim().ends_with(')');
        if !is_aside && self.answer_subject(line) {
            return;
        }
        self.reading.unread.push(line.trim().to_owned());
    }

    /// Notes a line if the orders that are proposed for it leave out a province that it names.
    pub(crate) fn note_left_out(&mut self, line: &str, proposed: &[String]) {
        self.make_names();
        let (Some(names), Some(edit)) = (&self.reading.names, self.edit()) else {
            return;
        };
        let grammar = grammar_of(edit.variant);
        let told: Vec<Province> = proposed
            .iter()
            .flat_map(|line| provinces_in(grammar, line, names))
            .collect();
        let named = provinces_in(grammar, line, names);
        if named.iter().any(|one| !told.contains(one)) {
            self.reading.proposed_in_part.push(line.trim().to_owned());
        }
        // "Naples goes to the Ionian Sea, and whatever is born on a coast shall be a fleet"
        for clause in sentences(line).into_iter().flat_map(joined_clauses) {
            let is_long = clause.split_whitespace().count() >= FEWEST_WORDS;
            if is_long && !self.names_province(clause) && self.propose_like_own_lines(clause) {
                return;
            }
        }
        match self.wishes_besides(line) {
            // A line of the variant's own: "call us Hittite Empire"
            Some(wish) if self.reads_as_orders_alone(wish) && !self.names_province(wish) => {
                self.propose(wish);
            }
            Some(wish) => self.leave_unread(wish),
            None => {}
        }
    }

    /// What a line wishes beside its orders: `Build an army in Venice and I want my people to be called Hittite Empire`.
    fn wishes_besides<'l>(&mut self, line: &'l str) -> Option<&'l str> {
        let parts = sentences(line).into_iter().flat_map(joined_clauses);
        let mut wishes = parts.filter(|part| {
            let words: Vec<String> = bare_words(part).map(str::to_lowercase).collect();
            let all = words.join(" ");
            words.len() >= FEWEST_WORDS && BEGINS_WISH.iter().any(|begins| all.starts_with(begins))
        });
        wishes.find(|wish| {
            lines_asked_within(wish).is_none()
                && (self.reads_as_orders_alone(wish) || self.orders_meant(wish).is_empty())
        })
    }

    /// Says of which lines the proposed orders are only a part.
    pub(crate) fn tell_left_out(&mut self) {
        let lines = std::mem::take(&mut self.reading.proposed_in_part);
        let Some(first) = lines.first().filter(|_| !self.reply.proposed.is_empty()) else {
            return;
        };
        if self.has_lines_for_all() {
            return;
        }
        let first = self.quotable(&shortened(first));
        self.say(format!(
            "What is proposed at the top is only a part of `{first}`.  Send the rest in lines of its own: an order for each unit, or PRESS for a letter."
        ));
    }

    /// Whether what stands and what is proposed together are all that is due from the sender.
    fn has_lines_for_all(&mut self) -> bool {
        let mut subjects = self.orders.about.clone();
        for line in self.reply.proposed.clone() {
            let orders = self.read_orders(&line);
            subjects.extend(orders.iter().flatten().map(about));
        }
        let power = self.sender.acting.and_then(|acting| acting.power);
        let (Some(power), Some(edit)) = (power, self.edit()) else {
            return false;
        };
        let (position, game) = (&edit.game.position, edit.variant_game());
        let due = match game.requirements().due.get(&power) {
            Some(Ask::Move) => position.units_of(power).count(),
            Some(Ask::Retreat) => {
                let dislodged = position.dislodged.iter();
                dislodged.filter(|one| one.unit.power == power).count()
            }
            Some(Ask::Adjust {
                builds, removals, ..
            }) => builds + removals,
            _ => return false,
        };
        subjects.len() >= due
    }

    /// Says which lines were not read, since they are talk.
    pub(crate) fn tell_unread(&mut self) {
        let lines = std::mem::take(&mut self.reading.unread);
        let (named, talk): (Vec<String>, Vec<String>) = lines
            .into_iter()
            .partition(|line| self.names_province(line));
        let quoted = if named.is_empty() {
            1
        } else {
            named.len().min(MOST_QUOTED)
        };
        let lines: Vec<String> = named.into_iter().chain(talk).collect();
        let quotes = lines.iter().take(quoted);
        let quotes: Vec<String> = quotes
            .map(|line| format!("`{}`", self.quotable(&shortened(line))))
            .collect();
        let others = match lines.len() - quotes.len() {
            0 if quotes.is_empty() => return,
            0 => String::new(),
            1 => " and one more line".to_owned(),
            more => format!(" and {more} more lines"),
        };
        self.say(format!(
            "I found no order or command in {}{others}, so nothing was done with that.",
            quotes.join(", ")
        ));
    }
}

/// Whether words begin with how many builds or removals there are.
fn counts_adjustments(words: &[String]) -> bool {
    let [number, what, ..] = words else {
        return false;
    };
    let adjustments = ["build", "builds", "removal", "removals"];
    number_in_words(number).is_some() && adjustments.contains(&what.as_str())
}

/// A line as a sentence quotes it.
fn shortened(line: &str) -> String {
    let short: String = line.chars().take(LONGEST_QUOTED).collect();
    let dots = if short.len() < line.len() { "..." } else { "" };
    format!("{}{dots}", short.trim_end())
}
