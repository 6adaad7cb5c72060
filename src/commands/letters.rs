//! Letters that are written in words and not with PRESS: for whom they are, and where their text begins. Read by
//! `grammar/letters.grammar`.

use super::date_words::Calendar;
use super::name_index::Index;
use super::prose::{bare_words, denies, sentences};
use dipjudge_grammar::{Grammar, Line, Terms, Text, files};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Rules that the reader asks for by name.
pub const ROOTS: [&str; 18] = [
    "orders-to-come",
    "letter-for-judge",
    "letter-follows",
    "letter-going",
    "going-to-all",
    "kept-out",
    "greets-all",
    "letter-back",
    "readers-told",
    "heading",
    "games-heading",
    "games-within",
    "letter",
    "letter-later",
    "letter-wanted",
    "letter-copy",
    "letter-disguised",
    "letter-of-another",
];

/// The compiled file.
pub fn grammar() -> &'static Grammar {
    static GRAMMAR: OnceLock<Grammar> = OnceLock::new();
    GRAMMAR.get_or_init(|| match Grammar::compile(&[files::LETTERS]) {
        Ok(grammar) => grammar,
        // Part of the program, and compiled by a test.
        Err(error) => unreachable!("{error}"),
    })
}

/// The most words of a heading that is a sentence.
const MOST_OF_HEADING: usize = 20;

/// What is no letter, though somebody asks to have it sent.
const SENT_BY_JUDGE: [&str; 12] = [
    "order", "orders", "move", "moves", "map", "maps", "report", "reports", "result", "results",
    "list", "rules",
];

/// Those to whom a sender can write, by all names that he may use for them.
#[derive(Debug, Default)]
pub struct Readers {
    /// As a PRESS line calls them; the sender himself is called nothing.
    called: Vec<String>,
    /// By name, folded; `None` where two have it.
    names: BTreeMap<String, Option<usize>>,
    index: Index<usize>,
    by_letter: BTreeMap<char, usize>,
}

impl Readers {
    /// Adds somebody whom a PRESS line calls `called`, by these names and perhaps a letter. A name that two people have names neither of them.
    pub fn add<'n>(
        &mut self,
        called: &str,
        names: impl IntoIterator<Item = &'n str>,
        letter: Option<char>,
    ) {
        let known = self.called.iter().position(|other| other == called);
        let reader = known.unwrap_or_else(|| {
            self.called.push(called.to_owned());
            self.called.len() - 1
        });
        for name in names {
            let of = self.names.entry(folded(name)).or_insert(Some(reader));
            if *of != Some(reader) {
                *of = None;
            }
            self.index.add(name, reader);
        }
        self.by_letter
            .extend(letter.map(|letter| (letter.to_ascii_uppercase(), reader)));
    }

    /// All whom a text names, as a PRESS line calls them.
    pub fn named_in(&self, words: &str) -> Vec<String> {
        let text = Text::new(words);
        let mut found = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let starts = text.in_word(at) && (at == 0 || !text.in_word(at - 1));
            let end = self.reader(&text, at).filter(|end| starts && end - at > 1);
            if let Some(end) = end {
                found.extend(
                    self.named(text.source(at..end))
                        .into_iter()
                        .map(str::to_owned),
                );
            }
            at = end.unwrap_or(at + 1);
        }
        found.retain(|name| !name.is_empty());
        found
    }

    /// Those whom these words name.
    fn named(&self, words: &str) -> Vec<&str> {
        let by_name = self.names.get(&folded(words)).copied().flatten();
        // "Ben and Finn, I think ..."
        let is_speaker = words == "I";
        let by_letters = || {
            if is_speaker {
                return Vec::new();
            }
            let readers = words
                .chars()
                .map(|letter| self.by_letter.get(&letter).copied());
            readers.collect::<Option<Vec<usize>>>().unwrap_or_default()
        };
        let found = by_name.map_or_else(by_letters, |reader| vec![reader]);
        let called = found
            .into_iter()
            .filter_map(|reader| self.called.get(reader));
        called.map(String::as_str).collect()
    }
}

/// First names that are other words, too: "Will you support me?" calls nobody.
const WORDS_TOO: [&str; 9] = [
    "will", "may", "mark", "grace", "hope", "art", "bill", "guy", "rich",
];

impl Terms for Readers {
    fn reader(&self, text: &Text<'_>, at: usize) -> Option<usize> {
        let whole = self.index.longest(text, at).map(|(end, _)| end);
        let end = whole.unwrap_or_else(|| text.word_end(at));
        let words = text.source(at..end);
        let is_word = WORDS_TOO.contains(&words);
        (!is_word && !self.named(words).is_empty()).then_some(end)
    }
}

fn folded(name: &str) -> String {
    let text = Text::new(name);
    text.folded(0..text.len()).to_owned()
}

/// For whom a letter is: as a PRESS line calls them, or as the sentence does that asks for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeadingReaders {
    /// For all, without those in the list.
    AllBut(Vec<String>),
    /// For those in the list, which is not empty.
    Only(Vec<String>),
}

/// The heading of a letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// For whom it is.
    pub readers: HeadingReaders,
    /// The words of the letter on the same line; all of the line where it greets.
    pub text: String,
}

/// The heading of a letter that a line is or begins with, if it names nobody but these readers: `To Mr Brandt:`, `Ben, Cleo and
/// Finn: all three of you`.
pub fn read_heading(line: &str, known: &Readers) -> Option<Heading> {
    let whole = line.trim();
    let parted = with_colon_apart(whole);
    let text = Text::new(&parted);
    let Some(tree) = grammar().read("heading", &text, 0, known) else {
        return heading_in_words(whole, known);
    };
    let root = tree.root(&text);
    let named = |rule: &str| -> Vec<String> {
        let nodes = root.all().filter(|node| node.rule() == rule);
        let all = nodes.flat_map(|node| known.named(node.text()));
        let all = all.filter(|name| !name.is_empty());
        let mut named: Vec<String> = Vec::new();
        for name in all {
            if !named.iter().any(|known| known == name) {
                named.push(name.to_owned());
            }
        }
        named
    };
    let out = named("out-name");
    let is_out = |name: &String| out.contains(name);
    let to = named("heading-name");
    // "Ben (Italy)", where Ben leads England: who is meant?
    if named("heading-also").iter().any(|name| !to.contains(name)) {
        return None;
    }
    let greets = root.find("salutation").is_some();
    let readers = if root.find("heading-all").is_some() {
        // "Hi all" may greet the judge.
        (!greets).then(|| HeadingReaders::AllBut(out.clone()))
    } else {
        let to: Vec<String> = to.into_iter().filter(|name| !is_out(name)).collect();
        (!to.is_empty()).then_some(HeadingReaders::Only(to))
    };
    let is_letters_own = greets || root.find("several-readers").is_some();
    let behind = root
        .find("meant-text")
        .map_or("", |node| unquoted(node.text()));
    // "To Austria please - no, sorry, to Italy:" goes on with the heading.
    if behind.trim_end().ends_with(':') {
        return None;
    }
    Some(Heading {
        readers: readers?,
        text: if is_letters_own { whole } else { behind.trim() }.to_owned(),
    })
}

/// The heading of a letter that is a sentence: it asks that something is sent, and names nobody but the readers. It ends with a colon,
/// or asks the judge to send what follows: `Could this go to the game master please:`, `Please get this to Austria.`
fn heading_in_words(line: &str, known: &Readers) -> Option<Heading> {
    let (head, behind) = if line.ends_with(':') {
        (line, "")
    } else {
        let first = sentences(line).into_iter().next()?;
        let asks = !first.contains(':')
            && ["letter-for-judge", "letter-follows"]
                .iter()
                .all(|rule| names_anywhere_by(known, rule, first));
        (
            Some(first).filter(|_| asks)?,
            line.strip_prefix(first).unwrap_or_default(),
        )
    };
    let asks = names_anywhere_by(known, "letter-going", head);
    let is_short = head.split_whitespace().count() <= MOST_OF_HEADING;
    let refuses = denies(head)
        || names_anywhere_by(known, "kept-out", head)
        || bare_words(head).any(|word| SENT_BY_JUDGE.contains(&word.to_lowercase().as_str()));
    if !asks || !is_short || refuses {
        return None;
    }
    let behind = sentences(behind.trim()).into_iter();
    let behind: Vec<&str> = behind.filter(|said| !tells_orders_to_come(said)).collect();
    let mut named = known.named_in(head);
    named.sort();
    named.dedup();
    let to_all = names_anywhere_by(known, "going-to-all", head);
    let readers = match (to_all, named.is_empty()) {
        (true, true) => HeadingReaders::AllBut(Vec::new()),
        (false, false) => HeadingReaders::Only(named),
        _ => return None,
    };
    Some(Heading {
        readers,
        text: behind.join(" "),
    })
}

/// Whether a sentence tells the judge that orders come later: `I'll send my retreat later.`
pub fn tells_orders_to_come(sentence: &str) -> bool {
    names_anywhere(grammar(), "orders-to-come", sentence)
}

/// A line whose first colon stands apart, since a word of the grammar ends before a blank: `To Austria and Italy : ...`
pub(super) fn with_colon_apart(line: &str) -> String {
    let colon = line
        .find(": ")
        .or_else(|| line.trim_end().strip_suffix(':').map(str::len));
    let parted = colon.and_then(|at| line.split_at_checked(at));
    parted.map_or_else(
        || line.to_owned(),
        |(before, behind)| format!("{before} {behind}"),
    )
}

/// Whether a sentence asks if a letter may be written, and holds none: `Am I allowed to write to Austria?`
fn asks_leave(sentence: &str) -> bool {
    const ASKS: [&str; 6] = [
        "am i allowed ",
        "may i ",
        "can i ",
        "is it allowed ",
        "is it possible ",
        "do i have to ",
    ];
    let lower = sentence.trim_start().to_lowercase();
    !sentence.contains(':') && ASKS.iter().any(|asks| lower.starts_with(asks))
}

/// The letter for which a sentence asks, whoever its readers are; `plain` is the sentence without abbreviations.
pub(super) fn of_sentence(sentence: &str, plain: &str) -> Option<Heading> {
    if asks_leave(plain) {
        return None;
    }
    let text = Text::new(plain);
    let tree = grammar().read("letter", &text, 0, &Calendar)?;
    let letter = tree.root(&text).first()?.to_line();
    let words = unquoted(
        letter
            .text_of("meant-text")
            .map(str::trim)
            .unwrap_or_default(),
    );
    if letter.rule == "meant-all" {
        let except = letter.parts.iter().filter(|part| part.rule == "left-out");
        let except: Vec<String> = except.map(name).filter(|name| !name.is_empty()).collect();
        return Some(Heading {
            readers: HeadingReaders::AllBut(except),
            text: words.to_owned(),
        });
    }
    let alone = ["meant-reader", "reader-alone", "greeted"].into_iter();
    let alone = alone.filter_map(|rule| letter.find(rule));
    let parts = || letter.parts.iter();
    let more =
        parts().filter_map(|part| part.find("greeted").filter(|_| part.rule == "and-greeted"));
    let list = letter.find("meant-readers").into_iter();
    let listed = list.flat_map(|list| &list.parts).filter_map(reader_of);
    let informed = parts().filter(|part| part.rule == "one-reader");
    let informed = informed.filter_map(reader_of);
    // All of it is the letter, also of "Say hello to Olga from me".
    let greets = ["salutation", "greeting-asked"]
        .iter()
        .any(|rule| letter.find(rule).is_some());
    // "Hi, I am Turkey": a letter of the alphabet that is greeted is a word of the sentence.
    let is_name = |name: &String| !name.is_empty() && (!greets || name.chars().count() > 1);
    let names = alone.chain(more).chain(listed).chain(informed).map(name);
    let to: Vec<String> = names.filter(is_name).collect();
    let text = if greets { sentence } else { words }.to_owned();
    (!to.is_empty()).then_some(Heading {
        readers: HeadingReaders::Only(to),
        text,
    })
}

/// The words of a letter to somebody who was named before: `Please answer him: thank you`.
pub fn words_back(line: &str) -> Option<String> {
    let parted = with_colon_apart(line.trim());
    let text = Text::new(&parted);
    let tree = grammar().read("letter-back", &text, 0, &Calendar)?;
    let words = tree.root(&text).find("meant-text")?;
    Some(unquoted(words.text()).trim().to_owned())
}

/// Those for whom a line within a letter says that it is, and nothing else, none of them if that is all: `(this is for Germany only)`.
pub fn readers_told(line: &str, known: &Readers) -> Option<Vec<String>> {
    let text = Text::new(line.trim());
    let tree = grammar().read("readers-told", &text, 0, known)?;
    let root = tree.root(&text);
    let names = root.all().filter(|node| node.rule() == "heading-name");
    let named = names.flat_map(|node| known.named(node.text()));
    Some(named.map(str::to_owned).collect())
}

/// Whom the words for a reader name: "Greta (Turkey)" is Turkey.
fn reader_of(words: &Line) -> Option<&Line> {
    words.find("reader-power").or(words.find("reader-name"))
}

/// A reader's name without the signs around it.
fn name(reader: &Line) -> String {
    match reader.find("the-master") {
        Some(_) => "M".to_owned(),
        None => {
            let signs = |sign: char| !sign.is_alphanumeric();
            reader.text.trim().trim_matches(signs).to_owned()
        }
    }
}

/// A text without the quotation marks around it.
pub fn unquoted(text: &str) -> &str {
    let inner = text.trim().strip_prefix('"');
    let inner = inner.and_then(|inner| inner.strip_suffix('"'));
    inner.filter(|inner| !inner.contains('"')).unwrap_or(text)
}

/// Whether a line greets all players: `Hello everybody,`.
pub fn greets_all(line: &str) -> bool {
    let text = Text::new(line.trim());
    grammar().read("greets-all", &text, 0, &Calendar).is_some()
}

/// Whether the words before a letter say that it is to leave later.
pub fn leaves_later(asked: &str) -> bool {
    names_anywhere(grammar(), "letter-later", asked)
}

/// Whether a sentence asks that somebody is told or sent something.
pub fn wants_letter(sentence: &str) -> bool {
    names_anywhere(grammar(), "letter-wanted", sentence)
}

/// Whether the words before a letter say that it is to look as if another had written it.
pub fn comes_from_another(asked: &str) -> bool {
    names_anywhere(grammar(), "letter-disguised", asked)
}

/// Whether a sentence asks that somebody else's letter is passed on.
pub fn passes_on_letter(sentence: &str) -> bool {
    names_anywhere(grammar(), "letter-of-another", sentence)
}

/// The same for a rule in which readers are named.
fn names_anywhere_by(known: &Readers, rule: &str, line: &str) -> bool {
    reads_anywhere(grammar(), rule, line, known)
}

/// Whether a rule reads what begins at any word.
pub(super) fn names_anywhere(grammar: &Grammar, rule: &str, line: &str) -> bool {
    reads_anywhere(grammar, rule, line, &Calendar)
}

fn reads_anywhere(grammar: &Grammar, rule: &str, line: &str, terms: &dyn Terms) -> bool {
    let starts = line.char_indices().filter(|(at, _)| {
        let before = line.get(..*at).and_then(|before| before.chars().last());
        before.is_none_or(|before| !before.is_alphanumeric())
    });
    let mut behind = starts.filter_map(|(at, _)| line.get(at..));
    behind.any(|words| grammar.read(rule, &Text::new(words), 0, terms).is_some())
}

/// The words behind the mark of a line that names further readers of a letter: `Cc: Austria`.
pub fn copied_readers(line: &str) -> Option<&str> {
    let tree = grammar().read("letter-copy", &Text::new(line), 0, &Calendar)?;
    line.get(tree.end..).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> Readers {
        let mut known = Readers::default();
        known.add(
            "",
            ["France", "French", "Cleo", "Roux", "Cleo Roux"],
            Some('F'),
        );
        known.add(
            "England",
            ["England", "English", "Ben", "Hill", "Ben Hill"],
            Some('E'),
        );
        known.add(
            "Italy",
            ["Italy", "Italian", "Hugo", "Brandt", "Hugo Brandt"],
            Some('I'),
        );
        known.add(
            "Russia",
            ["Russia", "Russian", "Tsar", "Finn", "Will"],
            Some('R'),
        );
        known.add(
            "Germany",
            ["Germany", "German", "Anna", "Anna Kern", "Kern"],
            Some('G'),
        );
        known.add("M", ["master", "GM", "Anna", "Anna Lund", "Lund"], None);
        known
    }

    /// The readers, then the text.
    fn read(line: &str) -> Option<(String, String)> {
        let Heading { readers, text } = read_heading(line, &known())?;
        let readers = match readers {
            HeadingReaders::AllBut(names) => format!("all but {}", names.join(" ")),
            HeadingReaders::Only(names) => names.join(" "),
        };
        Some((readers.trim().to_owned(), text))
    }

    #[test]
    fn a_heading_names_people_in_many_ways() {
        for (line, readers, text) in [
            ("To Mr Brandt:", "Italy", ""),
            ("To Hugo Brandt (Italy): hello", "Italy", "hello"),
            ("Message for the Tsar, eyes only: leave", "Russia", "leave"),
            ("To EIR:", "England Italy Russia", ""),
            (
                "Please pass this to Italy and Russia, but not to England:",
                "Italy Russia",
                "",
            ),
            ("To Cleo, Ben and Hugo: hi", "England Italy", "hi"),
            ("Pour l'Italy (Hugo) :", "Italy", ""),
            ("for everybody, Hugo included: hurry", "all but", "hurry"),
            (
                "To everyone but Hugo and Ben: hurry",
                "all but Italy England",
                "hurry",
            ),
            (
                "Please tell the Tsar and Mr. Hill that I leave",
                "Russia England",
                "I leave",
            ),
            ("let Ben and Hugo know I leave", "England Italy", "I leave"),
            ("Anna Lund (GM): a word", "", ""),
            ("To Anna Lund: a word", "M", "a word"),
            ("Hello, could this go to the Tsar please:", "Russia", ""),
            ("Can I send a message to Hugo? This:", "Italy", ""),
            ("Could you get this to Hugo for me please?", "Italy", ""),
            ("Can you please pass a note to the master?", "M", ""),
            (
                "Dear judge, please forward the following to Hugo in Italy. I'll send my retreat later, still thinking.",
                "Italy",
                "",
            ),
            (
                "Hi, I'd like to send this to everybody in the game:",
                "all but",
                "",
            ),
        ] {
            let expected = Some((readers.to_owned(), text.to_owned()));
            assert_eq!(
                read(line),
                expected.filter(|_| !readers.is_empty()),
                "{line}"
            );
        }
    }

    #[test]
    fn a_heading_of_names_alone_is_a_part_of_the_letter() {
        for line in [
            "Ben, Cleo and Finn: all three of you should know",
            "Dear Ben and Finn,",
            "Ben, Hugo, Finn - a proposal",
            "Ben and Finn, what do you say to a truce?",
            "Ben and Finn, I think we three should talk",
        ] {
            let (readers, text) = read(line).unwrap_or_else(|| panic!("{line}"));
            assert!(readers.starts_with("England"), "{line}: {readers}");
            assert_eq!(text, line);
        }
    }

    #[test]
    fn a_line_may_say_once_more_for_whom_a_letter_is() {
        for (line, readers) in [
            ("(this is for Italy only)", vec!["Italy"]),
            (
                "This is just for Ben and Hugo, please.",
                vec!["England", "Italy"],
            ),
            ("For the Tsar's eyes only", vec!["Russia"]),
            ("(to Hugo only, please)", vec!["Italy"]),
            (
                "(to all the players please, if that is allowed in this game)",
                vec![],
            ),
        ] {
            let told = readers_told(line, &known());
            let readers = readers.into_iter().map(str::to_owned).collect();
            assert_eq!(told, Some(readers), "{line}");
        }
        for line in [
            "For Italy",
            "This is for Ben's sake only.",
            "only Italy knows",
        ] {
            assert_eq!(readers_told(line, &known()), None, "{line}");
        }
    }

    #[test]
    fn what_names_anybody_else_is_no_heading() {
        for line in [
            "To Mr Unknown:",
            "To Anna:",
            "Will you and I go on?",
            "To Ben and Otto:",
            "Ben and Finn",
            "Ben to Burgundy",
            "To Ben (Italy):",
            "Send this to Finn please - no sorry not Finn, to Ben of course:",
            "A Mun - Ruh, A Ber S A Mun - Ruh",
            "I wrote to Ben yesterday, and these are my orders:",
            "Please don't send this to Ben:",
            "Can I send a message to Hugo?",
            "Please send this fleet to the English Channel.",
        ] {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
