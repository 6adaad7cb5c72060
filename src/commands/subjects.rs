//! What a sentence that no rule reads is about, by the words that it shares with the examples of `grammar/subjects.txt`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};

use super::prose::{bare_words, parts_of};

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Asker {
    /// Of a game that has begun.
    Player,
    /// Of any game.
    Master,
    /// Of a game that has begun.
    Observer,
    /// A player or observer of a game that has not begun.
    Newcomer,
    /// Somebody who has no place in any game.
    Stranger,
}

impl Asker {
    /// Those for whom a subject with this word is.
    fn named(word: &str) -> &'static [Asker] {
        use Asker::{Master, Newcomer, Observer, Player, Stranger};
        match word {
            "player" => &[Player],
            "master" => &[Master],
            "observer" => &[Observer],
            "newcomer" => &[Newcomer],
            "stranger" => &[Stranger],
            "seated" => &[Player, Master, Observer, Newcomer],
            _ => &[],
        }
    }
}

/// What a game must have, or a subject is not for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Builds and removals.
    Builds,
    /// Letters that do not name their writers.
    GreyPress,
}

/// Something that people ask for.
#[derive(Debug, Default)]
pub struct Subject {
    /// Its name.
    pub name: &'static str,
    askers: BTreeSet<Asker>,
    /// What it is: `more time for this turn`. Empty for what is no request.
    pub wish: &'static str,
    /// The question that is answered at once where the subject is clear.
    pub ask: Option<&'static str>,
    /// Lines with slots. If a sentence fills them, they are asked or proposed in place of the others.
    pub fill: Vec<&'static str>,
    /// The lines that are proposed where the subject is clear.
    pub propose: Vec<&'static str>,
    /// The lines to write, which are not proposed: they want words of the sender's own, or cannot be undone.
    pub write: Vec<&'static str>,
    /// A sentence behind the lines.
    pub says: Option<&'static str>,
    /// The topic of HELP that is about it.
    pub help: Option<&'static str>,
    /// What a game must have for it.
    pub needs: Option<Needs>,
    /// The name of the subject that asks for the opposite, in much the same words.
    opposite: Option<&'static str>,
    examples: Vec<&'static str>,
}

/// The subjects, and how often each word stands in their examples.
struct Model {
    subjects: Vec<Subject>,
    /// The counts of each subject, in the same order.
    counts: Vec<Counts>,
    all: Counts,
    /// The subjects that have an example, by its words.
    by_example: BTreeMap<String, BTreeSet<usize>>,
}

/// How often each word and pair of words stands in some examples. A pair counts less than a word.
#[derive(Debug, Default)]
struct Counts {
    of: BTreeMap<String, f64>,
    sum: f64,
}

impl Counts {
    fn add(&mut self, word: &str, weight: f64) {
        *self.of.entry(word.to_owned()).or_default() += weight;
        self.sum += weight;
    }

    fn get(&self, word: &str) -> f64 {
        self.of.get(word).copied().unwrap_or_default()
    }
}

/// A subject is clear if it leads the next by this much.
const CLEAR_LEAD: f64 = 3.5;
/// Where no subject reaches this, none is told: nothing speaks for it.
const LEAST_OF_QUESTION: f64 = 1.0;
/// The same for a sentence that asks nothing: most of these are talk.
const LEAST_OF_STATEMENT: f64 = 2.5;
/// A subject is told beside the likeliest one if this part of what speaks for that speaks for it.
const NEAR: f64 = 0.45;
/// The most subjects that are told.
const MOST_TOLD: usize = 3;
/// The most words of a line that is looked at, and the most of its sentences and clauses: longer ones are texts.
const MOST_WORDS: usize = 60;
const MOST_PARTS: usize = 8;
/// A word that stands in so many examples is common.
const FEWEST_OF_COMMON: f64 = 4.0;
/// What a pair of neighboring words counts beside a word.
const PAIR: f64 = 0.25;
/// As many words of a subject are taken as if they were drawn from all examples, so that a word which a subject lacks does not
/// exclude it.
const SMOOTHING: f64 = 450.0;
static STEMMER: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::create(Algorithm::English));

static MODEL: LazyLock<Model> =
    LazyLock::new(|| Model::read(include_str!("../../grammar/subjects.txt")));

/// What a sentence may be about.
#[derive(Debug)]
pub enum Meant {
    /// This alone.
    Clear(&'static Subject),
    /// One of these, the likeliest first.
    OneOf(Vec<&'static Subject>),
    /// Nothing that is known.
    Nothing,
}

/// Whether a word, without its ending, hardly stands in any example: it is no word of questions of all kinds.
pub fn is_rare(stem: &str) -> bool {
    MODEL.all.get(stem) < FEWEST_OF_COMMON
}

/// What a line may be about, for somebody who may ask for it. Where nothing can be said of the whole line, one of its sentences or
/// clauses may be clear, or a question.
pub fn subject_of(line: &str, asker: Asker) -> Meant {
    let of_part = |part: &str| match of_sentence(part, asker) {
        Meant::OneOf(_) if !asks(part) => Meant::Nothing,
        meant => meant,
    };
    if line.split_whitespace().nth(MOST_WORDS).is_some() {
        return Meant::Nothing;
    }
    match of_sentence(line, asker) {
        Meant::Nothing => {
            let parts = parts_of(line).into_iter().take(MOST_PARTS).map(of_part);
            let mut known: Vec<Meant> = parts.filter(|meant| !meant.is_nothing()).collect();
            known.sort_by_key(|meant| !meant.is_clear());
            known.into_iter().next().unwrap_or(Meant::Nothing)
        }
        known => known,
    }
}

impl Subject {
    /// Whether another subject asks for the opposite of this one in much the same words.
    pub fn is_opposite_of(&self, other: &Subject) -> bool {
        let names =
            |one: &Subject, other: &Subject| one.opposite.is_some_and(|name| name == other.name);
        names(self, other) || names(other, self)
    }
}

impl Meant {
    /// Whether the subject of this name may be meant.
    pub fn may_be(&self, name: &str) -> bool {
        match self {
            Meant::Clear(subject) => subject.name == name,
            Meant::OneOf(subjects) => subjects.iter().any(|subject| subject.name == name),
            Meant::Nothing => false,
        }
    }

    fn is_clear(&self) -> bool {
        matches!(self, Meant::Clear(_))
    }

    fn is_nothing(&self) -> bool {
        matches!(self, Meant::Nothing)
    }
}

/// What a sentence may be about, as a naive Bayes classifier has it: for each word of the sentence it is known by how much the examples of a subject hold it oftener
/// than all examples do, and the logarithms are added.
fn of_sentence(sentence: &str, asker: Asker) -> Meant {
    if let Some(exact) = MODEL.exact(sentence, asker) {
        return if exact.is_request() {
            Meant::Clear(exact)
        } else {
            Meant::Nothing
        };
    }
    let ranked = MODEL.ranked(sentence, asker);
    let [(first, score), (_, next), ..] = ranked.as_slice() else {
        return Meant::Nothing;
    };
    // What a master writes is for the judge.
    let least = if asks(sentence) || asker == Asker::Master {
        LEAST_OF_QUESTION
    } else {
        LEAST_OF_STATEMENT
    };
    if !first.is_request() || *score < least {
        return Meant::Nothing;
    }
    let near = ranked.iter().filter(|(_, other)| *other >= score * NEAR);
    let near = near.map(|(subject, _)| *subject);
    // Words alone hardly tell whether something is wanted or not.
    let may_be_opposite = first
        .opposite
        .is_some_and(|opposite| near.clone().any(|subject| subject.name == opposite));
    if score - next.max(0.0) >= CLEAR_LEAD && !may_be_opposite {
        return Meant::Clear(first);
    }
    let requests = near.filter(|subject| subject.is_request());
    Meant::OneOf(requests.take(MOST_TOLD).collect())
}

/// The fewest words of a question that is joined to something else.
const FEWEST_OF_QUESTION: usize = 3;

/// The questions that are joined in a sentence: `How many centers does one need to win, and to whom belongs Greece?`
pub fn joined_questions(sentence: &str) -> Vec<&str> {
    let joints = sentence.match_indices(" and ");
    let mut parts = Vec::new();
    let mut from = 0;
    let asked = |part: &str| asks(part.trim_end_matches('?'));
    // "The deadline in UK time please, and who is late?"
    let asks_anew = |before: &str, behind: &str| {
        let words = |text: &str| text.split_whitespace().count();
        let first = bare_words(behind).next().unwrap_or_default();
        let begins = ["who", "what", "how", "when", "where", "why"];
        sentence.trim_end().ends_with('?')
            && before.ends_with(',')
            && begins.iter().any(|word| first.eq_ignore_ascii_case(word))
            && words(before).min(words(behind)) >= FEWEST_OF_QUESTION
    };
    for (at, joint) in joints {
        let (before, behind) = (sentence.get(from..at), sentence.get(at + joint.len()..));
        let (Some(before), Some(behind)) = (before, behind) else {
            continue;
        };
        if asked(behind) && (asked(before) || asks_anew(before, behind)) {
            parts.push(before.trim_end_matches([',', ' ']));
            from = at + joint.len();
        }
    }
    parts.extend(sentence.get(from..));
    parts
}

/// Whether a sentence asks something: it ends with a question mark, or begins as questions do.
pub fn asks(line: &str) -> bool {
    // "I do not understand why I cannot build anything."
    let wonders = [
        "i do not understand why ",
        "i don't understand why ",
        "i do not see why ",
        "i don't see why ",
        "i wonder ",
    ];
    let text = line.trim_start();
    let begins = |with: &&str| {
        text.get(..with.len())
            .is_some_and(|begin| begin.eq_ignore_ascii_case(with))
    };
    if wonders.iter().any(begins) {
        return true;
    }
    let leads = [
        "so", "ok", "okay", "and", "but", "hi", "hello", "sorry", "also", "please",
    ];
    let is_lead = |word: &&str| {
        let word = word.trim_end_matches([',', '.', '!']);
        leads.iter().any(|lead| word.eq_ignore_ascii_case(lead))
    };
    let mut words = line.split_whitespace().skip_while(is_lead);
    let begin = words.next().unwrap_or_default();
    // "To whom belongs Greece", "until when"
    let leads_on = [
        "to", "for", "by", "since", "until", "till", "at", "in", "from", "with",
    ];
    let asked_of = ["whom", "who", "which", "what", "when", "where", "whose"];
    let next = words.next().unwrap_or_default();
    let stands_behind = leads_on.iter().any(|lead| begin.eq_ignore_ascii_case(lead))
        && asked_of.iter().any(|ask| next.eq_ignore_ascii_case(ask));
    // "Who's in Munich"
    let short = ["'s", "\u{2019}s"]
        .iter()
        .find_map(|ending| begin.strip_suffix(ending));
    let first = short.unwrap_or(begin);
    // "Please have Tyrolia take Trieste"
    let begs = line.trim_start().to_lowercase().starts_with("please have ");
    let questions = [
        "how", "what", "when", "where", "which", "who", "why", "can", "could", "may", "is", "do",
        "does", "am", "are", "did", "have", "should", "shall", "would", "will", "whose", "whom",
    ];
    // "How did I lose Paris?!"
    line.trim_end().trim_end_matches('!').ends_with('?')
        || stands_behind
        || !begs && questions.iter().any(|ask| first.eq_ignore_ascii_case(ask))
}

impl Model {
    fn read(text: &'static str) -> Model {
        let mut subjects: Vec<Subject> = Vec::new();
        for line in text.lines() {
            if let Some(head) = line.strip_prefix('[') {
                subjects.push(Subject::headed(head.trim_end_matches(']')));
            } else if let Some(subject) = subjects.last_mut() {
                subject.add(line);
            }
        }
        let mut by_example: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        let mut all = Counts::default();
        let counts = subjects.iter().enumerate().map(|(number, subject)| {
            let mut counts = Counts::default();
            for words in subject.examples.iter().map(|example| stems(example)) {
                for (word, weight) in weighed(&words) {
                    counts.add(&word, weight);
                    all.add(&word, weight);
                }
                let numbers = by_example.entry(words.join(" ")).or_default();
                numbers.insert(number);
            }
            counts
        });
        let counts = counts.collect();
        Model {
            subjects,
            counts,
            all,
            by_example,
        }
    }

    /// The subject of which a sentence is an example word for word, if it is one of the asker's alone.
    fn exact(&self, sentence: &str, asker: Asker) -> Option<&Subject> {
        let numbers = self.by_example.get(&stems(sentence).join(" "))?;
        let subjects = numbers
            .iter()
            .filter_map(|number| self.subjects.get(*number));
        let mut open = subjects.filter(|subject| subject.askers.contains(&asker));
        open.next().filter(|_| open.next().is_none())
    }

    /// The subjects that the asker may mean, the likeliest first, each with what speaks for it.
    fn ranked(&self, sentence: &str, asker: Asker) -> Vec<(&Subject, f64)> {
        let words: BTreeMap<String, f64> = weighed(&stems(sentence)).into_iter().collect();
        let subjects = self.subjects.iter().zip(&self.counts);
        let open = subjects.filter(|(subject, _)| subject.askers.contains(&asker));
        let scored = open.map(|(subject, counts)| {
            let scores = words.iter().filter_map(|(word, weight)| {
                let among_all = self.all.get(word) / self.all.sum;
                let expected = SMOOTHING * among_all;
                let here = (counts.get(word) + expected) / (counts.sum + SMOOTHING);
                (among_all > 0.0).then(|| weight * (here / among_all).ln())
            });
            (subject, scores.sum::<f64>())
        });
        let mut ranked: Vec<(&Subject, f64)> = scored.collect();
        ranked.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        ranked
    }
}

impl Subject {
    /// Whether it is a wish, and neither talk nor orders in words.
    fn is_request(&self) -> bool {
        !self.wish.is_empty()
    }

    /// `name: who may ask`.
    fn headed(head: &'static str) -> Subject {
        let (name, askers) = head.split_once(':').unwrap_or((head, ""));
        let askers = askers.split_whitespace().flat_map(Asker::named);
        Subject {
            name: name.trim(),
            askers: askers.copied().collect(),
            ..Subject::default()
        }
    }

    /// Takes in a line below the head.
    fn add(&mut self, line: &'static str) {
        if let Some(example) = line.strip_prefix("- ") {
            return self.examples.push(example);
        }
        let Some((key, value)) = line.split_once(": ") else {
            return;
        };
        let lines = || value.split(" / ").collect();
        match key {
            "wish" => self.wish = value,
            "ask" => self.ask = Some(value),
            "fill" => self.fill = lines(),
            "propose" => self.propose = lines(),
            "write" => self.write = lines(),
            "says" => self.says = Some(value),
            "help" => self.help = Some(value),
            "opposite" => self.opposite = Some(value),
            "needs" => {
                self.needs = match value {
                    "builds" => Some(Needs::Builds),
                    "grey press" => Some(Needs::GreyPress),
                    _ => None,
                }
            }
            _ => {}
        }
    }
}

/// The words of a sentence and the pairs of neighbors, each with how much it counts.
fn weighed(words: &[String]) -> Vec<(String, f64)> {
    let pairs = words.windows(2).map(|pair| (pair.join(" "), PAIR));
    let pairs: Vec<(String, f64)> = pairs.collect();
    let single = words.iter().map(|word| (word.clone(), 1.0));
    let mut all: Vec<(String, f64)> = single.chain(pairs).collect();
    all.sort_by(|(one, _), (other, _)| one.cmp(other));
    all.dedup_by(|(one, _), (other, _)| one == other);
    all
}

/// The words of a text without their endings: `Supporting`, `supports` and `support` are one word.
pub(super) fn stems(text: &str) -> Vec<String> {
    let text = text.to_lowercase().replace('\u{2019}', "'");
    let text = text.replace("cannot", "can not").replace("n't", " not");
    let words = text.split(|sign: char| !(sign.is_alphanumeric() || sign == '\''));
    // "I'm", "he's"
    let words = words.filter_map(|word| word.split('\'').next());
    let words = words.filter(|word| !word.is_empty());
    words.map(|word| STEMMER.stem(word).into_owned()).collect()
}
