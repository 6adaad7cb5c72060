//! Reads command lines by `grammar/commands.grammar`.

use super::date_words::Calendar;
use super::prose::{denies, sentences};
use dipjudge_grammar::{Grammar, Line, Text, files};
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// Rules that the reader asks for by name.
pub const ROOTS: [&str; 17] = [
    "opening",
    "command",
    "block-end",
    "form-end",
    "try-end",
    "yes",
    "no",
    "meant",
    "begins-in-words",
    "pleasantry",
    "introduces",
    "marks-words",
    "for-judge",
    "notes-order",
    "orders-heading",
    "joins-game",
    "unfinished",
];

/// The most words of a sentence that may be a name.
const MOST_OF_NAME: usize = 2;

/// Rules that hold one of several commands and nothing else.
const GROUPS: [&str; 8] = [
    "opening",
    "command",
    "information",
    "condition",
    "block",
    "diary",
    "master",
    "gone",
];

/// The compiled file.
pub fn grammar() -> &'static Grammar {
    static GRAMMAR: OnceLock<Grammar> = OnceLock::new();
    GRAMMAR.get_or_init(|| match Grammar::compile(&[files::COMMANDS]) {
        Ok(grammar) => grammar,
        // Part of the program, and compiled by a test.
        Err(error) => unreachable!("{error}"),
    })
}

/// A line that is a command of its own, or begins or ends something.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum CommandLine {
    /// A command of one line.
    One(Line),
    /// `REGISTER`: a form follows.
    Form,
    /// Press or the like: a text follows.
    Block(Line),
    /// `SIGNOFF`.
    SignOff,
}

/// Reads a line by one of [`ROOTS`]: `opening` before the sign-on, `command` after it.
pub(super) fn read_command(rule: &str, line: &str) -> Option<CommandLine> {
    let text = Text::new(line);
    let tree = grammar().read(rule, &text, 0, &Calendar)?;
    let mut node = tree.root(&text);
    let mut opens_block = false;
    while GROUPS.contains(&node.rule()) {
        opens_block |= node.rule() == "block";
        node = node.first()?;
    }
    Some(match node.rule() {
        "register" => CommandLine::Form,
        "sign-off" => CommandLine::SignOff,
        _ if opens_block => CommandLine::Block(node.to_line()),
        _ => CommandLine::One(node.to_line()),
    })
}

/// Reads a line as a command of one line, such as LIST. Returns `None` for other lines, and for commands with lines below them.
pub fn command_of(line: &str) -> Option<Line> {
    match read_command("command", line.trim())? {
        CommandLine::One(line) => Some(line),
        CommandLine::Form | CommandLine::Block(_) | CommandLine::SignOff => None,
    }
}

/// The grammar rule that reads a line as a command; `None` if the line is not a command.
pub fn rule_of_command(line: &str) -> Option<String> {
    match read_command("command", line)? {
        CommandLine::One(line) | CommandLine::Block(line) => Some(line.rule),
        CommandLine::Form => Some("register".to_owned()),
        CommandLine::SignOff => Some("sign-off".to_owned()),
    }
}

/// What answers a proposal of the judge's (README, Decided 36).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consent {
    /// It is taken.
    Yes,
    /// It is dropped.
    No,
}

/// The answer to a proposal, if a line is one and nothing else.
pub fn consent(line: &str) -> Option<Consent> {
    if is("yes", line) {
        Some(Consent::Yes)
    } else if is("no", line) {
        Some(Consent::No)
    } else {
        None
    }
}

/// The answer to a proposal with which a line begins, and the words behind it: `Yes, and Mar - Spa too`. A YES that is limited,
/// `Yes, but not Paris`, does not count.
pub fn consent_and_more(line: &str) -> Option<(Consent, &str)> {
    let joints = [" and ", ". ", ", ", "! ", "; ", " but ", " plus "];
    let places = joints.iter().filter_map(|joint| {
        let at = line.find(joint)?;
        Some((at, at + joint.len()))
    });
    let (end, start) = places.min()?;
    let (head, more) = (line.get(..end)?, line.get(start..)?.trim());
    let consent = consent(head)?;
    let more = ["and ", "but ", "also ", "plus "]
        .iter()
        .fold(more, |more, word| more.strip_prefix(word).unwrap_or(more));
    let limited = denies(more) || more.starts_with("if ") || more.starts_with("only ");
    let counts = !more.is_empty() && (consent == Consent::No || !limited);
    counts.then_some((consent, more))
}

/// Whether a line is a greeting, thanks or the end of a letter and nothing else, and asks for nothing.
pub fn is_pleasantry(line: &str) -> bool {
    // "Sorry for the mess last time. Budapest to Serbia"
    let says_nothing = |sentence: &str| {
        sentence.split_whitespace().count() <= MOST_OF_NAME || is("pleasantry", sentence)
    };
    is("pleasantry", line) && sentences(line).into_iter().all(says_nothing)
}

/// The heading of orders that a line is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrdersHeading {
    /// The season that it names, in small letters.
    pub season: Option<String>,
}

/// The heading of orders, if a line is one and nothing else: `Here are my orders for the fall`.
pub fn orders_heading(line: &str) -> Option<OrdersHeading> {
    let text = Text::new(line);
    let tree = grammar().read("orders-heading", &text, 0, &Calendar)?;
    let season = tree.root(&text).find("heading-season");
    let season = season.map(|season| season.text().to_lowercase().replace("autumn", "fall"));
    Some(OrdersHeading { season })
}

/// Whether a line of one of the judge's mails shows that the mail holds a letter, or lines that it proposes or has taken.
pub fn marks_words(line: &str) -> bool {
    is("marks-words", line)
}

/// The words for the judge of a line of a letter that turns to it, `For the judge: F Lon - Nth`: none if they stand in the lines below.
pub fn words_for_judge(line: &str) -> Option<String> {
    let text = Text::new(line);
    let tree = grammar().read("for-judge", &text, 0, &Calendar)?;
    let words = tree.root(&text).to_line();
    Some(
        words
            .text_of("for-judge-text")
            .unwrap_or_default()
            .trim()
            .to_owned(),
    )
}

/// The words of a line of a letter that asks the judge to note something, if it does: `And then please note F Hol S A Bel`.
pub fn words_to_note(line: &str) -> Option<String> {
    let text = Text::new(line);
    let tree = grammar().read("notes-order", &text, 0, &Calendar)?;
    let words = tree.root(&text).find("for-judge-text")?;
    Some(words.text().trim().to_owned())
}

/// What somebody who introduces himself in a line says that he is called: "Hi, I am Tom and want to play".
pub fn introduced_name(line: &str) -> Option<String> {
    let text = Text::new(line);
    let tree = grammar().read("introduces", &text, 0, &Calendar)?;
    let name = tree
        .root(&text)
        .to_line()
        .text_of("person-name")?
        .to_owned();
    // "I am interested" tells no name, and "I am Tom, from Leeds" ends one.
    let is_name =
        |word: &&str| word.starts_with(char::is_uppercase) && word.chars().all(char::is_alphabetic);
    let mut names = Vec::new();
    let signs = |sign: char| !sign.is_alphanumeric();
    for word in name.split_whitespace() {
        let bare = word.trim_matches(signs);
        names.extend(Some(bare).filter(is_name));
        if names.last() != Some(&word.trim_start_matches(signs)) {
            break;
        }
    }
    (!names.is_empty()).then(|| names.join(" "))
}

/// Whether the rule matches the line.
pub(super) fn is(rule: &str, line: &str) -> bool {
    let text = Text::new(line);
    grammar().read(rule, &text, 0, &Calendar).is_some()
}

/// The first words of all commands, in small letters.
pub(super) fn command_words() -> &'static BTreeSet<String> {
    static WORDS: OnceLock<BTreeSet<String>> = OnceLock::new();
    WORDS.get_or_init(|| {
        let anything = grammar().explain("command", &Text::new(""), 0, &Calendar);
        first_words(&anything.words)
    })
}

/// The first of each of these words, in small letters.
pub(super) fn first_words(words: &[String]) -> BTreeSet<String> {
    let first = words
        .iter()
        .filter_map(|word| word.split_whitespace().next());
    first.map(str::to_ascii_lowercase).collect()
}

/// If the line begins as a command does but is none: what would have been accepted where it goes
/// wrong.
pub(super) fn wanted(line: &str) -> Option<Vec<String>> {
    if is("begins-in-words", line) {
        return None;
    }
    let text = Text::new(line);
    let failure = grammar().explain_begun("command", &text, 0, &Calendar)?;
    if failure.tangled {
        return None;
    }
    let mut wanted: Vec<String> = failure
        .terms
        .iter()
        .map(|wanted| wanted.term.said().to_owned())
        .collect();
    let words = failure
        .words
        .iter()
        .filter(|word| word.starts_with(|first: char| first.is_ascii_alphabetic()));
    wanted.extend(words.map(|word| word.to_ascii_uppercase()));
    if failure.end {
        wanted.push("the end of the line".to_owned());
    }
    wanted.dedup();
    wanted.truncate(8);
    Some(wanted)
}
