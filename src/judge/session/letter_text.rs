//! What stands in a letter in words and is not of it, and what its lines are.

use dipjudge_commands::letters::tells_orders_to_come;
use dipjudge_commands::prose::{bare_words, sentences};

/// The most words of somebody's name, with a title or the end of a letter before it.
const MOST_OF_NAME: usize = 3;
/// The most words of a sentence that only thanks.
const MOST_OF_THANKS: usize = 6;

/// Whether a line says that the letter above it is over: `(end of letter)`.
pub(super) fn ends_letter(line: &str) -> bool {
    let is_mark = line.trim_start().starts_with(['/', '<', '[']);
    let signs = |sign: char| !sign.is_alphanumeric();
    let words = line.trim_matches(signs).to_lowercase();
    [
        "end of letter",
        "end of message",
        "end of the letter",
        "end letter",
        "end message",
        "end of text",
    ]
    .contains(&words.as_str())
        || is_mark && ["letter", "message", "press", "end"].contains(&words.as_str())
}

/// Whether a line of a letter says who is to do what: `Me: Ruh - Mun` beside `You: Tyr S Ruh - Mun`.
pub(super) fn is_part_of_plan(line: &str) -> bool {
    let Some((who, _)) = line.trim().split_once(':') else {
        return false;
    };
    ["me", "you", "i", "we", "us"]
        .iter()
        .any(|word| who.eq_ignore_ascii_case(word))
}

/// Whether a sign is a quotation mark.
fn is_mark(sign: char) -> bool {
    matches!(sign, '"' | '\u{201c}' | '\u{201d}')
}

/// Drops thanks behind a letter in quotation marks, with what follows them: `"Enjoy Paris." Thank you!` and the writer's name.
pub(super) fn drop_thanks_behind_quoted(words: &mut Vec<String>) {
    let Some(first) = words.first_mut() else {
        return;
    };
    let quoted = first.strip_prefix(is_mark);
    let parted = quoted.and_then(|quoted| quoted.split_once(is_mark));
    if let Some((text, _)) = parted.filter(|(_, behind)| thanks_alone(behind)) {
        *first = text.to_owned();
        words.truncate(1);
    }
}

/// Drops what tells the judge of orders to come, in a paragraph before a letter or behind the name at its end.
pub(super) fn drop_orders_to_come(words: &mut Vec<String>) {
    if let [first, empty, ..] = words.as_slice()
        && empty.is_empty()
        && sentences(first).len() == 1
        && tells_orders_to_come(first)
    {
        words.drain(..2);
    }
    if let [.., name, empty, last] = words.as_slice()
        && empty.is_empty()
        && bare_words(name).count() <= MOST_OF_NAME
        && tells_orders_to_come(last)
    {
        words.truncate(words.len() - 2);
    }
}

/// Keeps of a letter in quotation marks what stands between them, and gives the lines behind it.
pub(super) fn keep_quoted(words: &mut Vec<String>) -> Vec<String> {
    let first = words.iter().position(|line| !line.is_empty());
    let opens = first.filter(|at| words.get(*at).is_some_and(|line| line.starts_with(is_mark)));
    let closes = opens.and_then(|at| {
        let mut lines = words.iter().enumerate().skip(at);
        lines.find_map(|(at, line)| (line.len() > 1 && line.ends_with(is_mark)).then_some(at))
    });
    let (Some(opens), Some(closes)) = (opens, closes) else {
        return Vec::new();
    };
    let behind = words.split_off(closes + 1);
    for at in [opens, closes] {
        if let Some(line) = words.get_mut(at) {
            *line = line.trim_matches(is_mark).to_owned();
        }
    }
    behind
}

/// Drops thanks behind the name at the end of a letter, which are for the judge that was asked to send it.
pub(super) fn drop_thanks(words: &mut Vec<String>) {
    if let [.., name, empty, last] = words.as_slice()
        && empty.is_empty()
        && bare_words(name).count() <= MOST_OF_NAME
        && thanks_alone(last)
    {
        words.truncate(words.len() - 2);
    }
}

/// How many lines of a letter stand behind the name at its end, in a paragraph of their own or below the writer's own name. The name
/// stands in a line, or is the writer's own behind the last sentence.
pub(super) fn lines_behind_name(words: &[String], is_own_name: impl Fn(&str) -> bool) -> usize {
    let signed = words.iter().rposition(|line| is_own_name(line));
    if let Some(signed) = signed.filter(|at| *at > 0) {
        return words.len() - signed - 1;
    }
    let last_break = words.iter().rposition(String::is_empty);
    let before = last_break.and_then(|at| words.get(at.checked_sub(1)?));
    let (Some(at), Some(before)) = (last_break, before) else {
        return 0;
    };
    let is_name = bare_words(before).count() <= MOST_OF_NAME && !before.ends_with(['?', ':', '!']);
    let last = bare_words(before).last().unwrap_or_default();
    if is_name && at > 1 || is_own_name(last) {
        words.len() - at - 1
    } else {
        0
    }
}

/// Whether words speak to the reader of a letter, or of him and its writer.
pub(super) fn speaks_to_reader(words: &str) -> bool {
    let to_reader = ["you", "your", "yours", "we", "us", "our", "let's"];
    bare_words(words).any(|word| {
        to_reader
            .iter()
            .any(|known| word.eq_ignore_ascii_case(known))
    })
}

/// Whether words thank and say nothing else.
fn thanks_alone(words: &str) -> bool {
    let mut all = bare_words(words);
    let begins = all
        .next()
        .is_some_and(|first| first.to_lowercase().starts_with("thank"));
    begins && all.count() < MOST_OF_THANKS
}

/// Whether a line of a letter says how its writer votes: `... and put my own vote down as a yes`.
pub(super) fn speaks_of_own_vote(line: &str) -> bool {
    let line = line.to_lowercase();
    ["my vote", "my own vote"]
        .iter()
        .any(|words| line.contains(words))
}

/// Whether a letter is asked for by a question: `Can you tell Finn that ...?`
pub(super) fn asks_as_question(line: &str) -> bool {
    let first = bare_words(line).next();
    let asks = ["can", "could", "would", "will"];
    first.is_some_and(|first| asks.iter().any(|ask| ask.eq_ignore_ascii_case(first)))
}

/// The text of a letter that was asked for by a question, without the question mark of that and the thanks for it.
pub(super) fn without_asking(text: &str) -> String {
    let mut parts: Vec<String> = sentences(text).into_iter().map(str::to_owned).collect();
    if parts.len() > 1 && parts.last().is_some_and(|part| thanks_alone(part)) {
        parts.pop();
    }
    if let Some(first) = parts.first_mut()
        && let Some(asked) = first.strip_suffix('?')
    {
        *first = format!("{asked}.");
    }
    parts.join(" ")
}

/// Whether a line of a letter goes on with something else than the letter: `And Rumania and Budapest hold.`
pub(super) fn turns_to_orders(line: &str) -> bool {
    let is_one_of =
        |word: &str, known: &[&str]| known.iter().any(|known| known.eq_ignore_ascii_case(word));
    let turns = [
        "and",
        "also",
        "otherwise",
        "besides",
        "oh",
        "plus",
        "ps",
        "btw",
    ];
    let mut words = bare_words(line);
    let (first, second) = (words.next(), words.next());
    // "For me army in Bud and fleet Tri."
    let is_for_self = is_one_of(first.unwrap_or_default(), &["for"])
        && is_one_of(second.unwrap_or_default(), &["me", "my"]);
    let turns = is_for_self || first.is_some_and(|first| is_one_of(first, &turns));
    turns && !speaks_to_reader(line)
}

/// The words of a line that heads a letter to those of the two letters before it: `For both: please tell nobody.`
pub(super) fn words_for_both(line: &str) -> Option<&str> {
    let (head, text) = line.split_once(':')?;
    let head: Vec<String> = bare_words(head).map(str::to_lowercase).collect();
    let head = head.join(" ");
    let both = [
        "for both",
        "to both",
        "both",
        "for both of them",
        "to both of them",
        "for both of you",
        "and to both",
        "and for both",
    ];
    both.contains(&head.as_str()).then(|| text.trim())
}

/// Whether a line of a letter may say something to the judge: `and count my vote`.
pub(super) fn speaks_of_judge(line: &str) -> bool {
    let words = [
        "judge", "vote", "votes", "order", "orders", "absence", "deadline",
    ];
    bare_words(line).any(|word| words.iter().any(|one| one.eq_ignore_ascii_case(word)))
}

/// Words that begin a question to somebody. Some are first names, too: "Will you move London?" calls nobody.
pub(super) const BEGINS_QUESTION: [&str; 12] = [
    "are", "will", "would", "can", "could", "do", "did", "have", "shall", "may", "how", "where",
];

/// Whether the words behind a name show that somebody is spoken to and not of: `you rat`, `are you there?`
pub(super) fn speaks_to_somebody<'a>(mut words: impl Iterator<Item = &'a str>) -> bool {
    let is_one_of = |known: &[&str], word: Option<&str>| {
        word.is_some_and(|word| known.iter().any(|known| known.eq_ignore_ascii_case(word)))
    };
    let speaks = [
        "you", "your", "you're", "you've", "i", "i'm", "i'll", "we", "we're", "please", "thanks",
        "thank", "sorry", "why", "don't", "let's",
    ];
    let first = words.next();
    let asked = is_one_of(&BEGINS_QUESTION, first)
        && words
            .take(2)
            .any(|word| is_one_of(&["you", "we", "i", "u"], Some(word)));
    asked || is_one_of(&speaks, first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn behind(letter: &str) -> usize {
        let words: Vec<String> = letter
            .split('/')
            .map(|line| line.trim().to_owned())
            .collect();
        lines_behind_name(&words, |name| name == "Bertie")
    }

    #[test]
    fn what_stands_behind_the_name_at_the_end_of_a_letter_is_counted() {
        for (letter, lines) in [
            (
                "Who is in? / Tom / / Channel to Belgium. / London holds.",
                2,
            ),
            ("Leave my fleet alone. Bertie / / Yorkshire to London.", 1),
            ("Leave my fleet alone. / / Yorkshire to London.", 0),
            ("Who is in? / / My plan: / London holds.", 0),
            ("Who is in? / Tom", 0),
            ("Tom / / Yorkshire to London.", 0),
        ] {
            assert_eq!(behind(letter), lines, "{letter}");
        }
    }
}
