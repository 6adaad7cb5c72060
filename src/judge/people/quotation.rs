//! Finds where an unmarked quotation begins in an answer to a letter. The text below is not the answerer's, and its
//! attribution line may show who and where he is (`visibility.md` L33).
//!
//! It begins with the first line that occurs in a letter which is answered at this address, or with an attribution line
//! or header that names the judge or the game. No words of letters are stored. Their longer lines are stored for some
//! weeks, hashed together with the address at which they are answered, which only their reader knows.

use jiff::SignedDuration;
use sha2::{Digest, Sha256};

use dipjudge_mails::outbound::wrap_text;
use dipjudge_rules::folding::fold;

/// How long the lines of a letter are remembered.
pub(crate) const KNOWN: SignedDuration = SignedDuration::from_hours(60 * 24);
/// Lines with fewer letters than this are ignored, since somebody else may write the same line.
const FEWEST_LETTERS: usize = 20;
/// The number of lines of a letter that are remembered: a quotation begins with the first.
const MOST_LINES: usize = 60;
/// The largest number of words in the label of a header: `Data wysłania:`.
const LONGEST_LABEL: usize = 2;

/// The keys of the lines of a letter that is answered at an address: of the lines as written, and of those as a mail
/// wraps them.
pub(crate) fn keys(answered_at: &str, text: &str) -> Vec<[u8; 32]> {
    let wrapped = wrap_text(text);
    let lines = |text: &str| -> Vec<[u8; 32]> {
        text.lines()
            .filter_map(|line| key(answered_at, line))
            .take(MOST_LINES)
            .collect()
    };
    let mut keys = lines(text);
    for key in lines(&wrapped) {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
}

/// The key of a line; `None` if it is too short to be recognized.
pub(crate) fn key(answered_at: &str, line: &str) -> Option<[u8; 32]> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let line = fold(&words.join(" "));
    let letters = line.chars().filter(|c| c.is_alphabetic()).count();
    let mut hash = Sha256::new();
    for part in ["a line of a letter", answered_at, &line] {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    (letters >= FEWEST_LETTERS).then(|| hash.finalize().into())
}

/// The names that the attribution lines and headers of the judge's mails contain.
pub(crate) struct QuotedNames<'a> {
    /// The judge's address, without a token.
    pub address: &'a str,
    pub judge: &'a str,
    pub game: &'a str,
}

impl QuotedNames<'_> {
    /// The number of lines that the answerer wrote; `stands_in_letter` returns whether a line occurs in the letter.
    pub(crate) fn own_lines(
        &self,
        lines: &[&str],
        stands_in_letter: impl Fn(&str) -> bool,
    ) -> usize {
        let begins = |line: &&str| self.is_head(line) || stands_in_letter(line);
        match lines.iter().position(begins) {
            Some(first) => head_begins(lines, first),
            None => lines.len(),
        }
    }

    /// Whether a line is an attribution line or header of a quotation and names the judge or the game: `Nuo: USXX
    /// judge`, `… <judge@ex.org>:`.
    fn is_head(&self, line: &str) -> bool {
        let line = fold(line);
        let named = |text: &str| {
            self.names_address(text) || is_word_of(self.judge, text) || is_about(self.game, text)
        };
        let by_label = labelled(&line).is_some_and(named);
        let attributes = line.trim_end().ends_with(':') && self.names_address(&line);
        by_label || attributes || self.names_bracketed(&line)
    }

    /// Whether a folded text contains the judge's address, with or without a token.
    fn names_address(&self, text: &str) -> bool {
        let address = fold(self.address);
        let with_token = address.split_once('@').is_some_and(|(local, host)| {
            text.contains(&format!("{local}+")) && text.contains(&format!("@{host}"))
        });
        with_token || text.contains(&address)
    }

    /// Whether the text contains it in angle brackets, which players do not write.
    fn names_bracketed(&self, text: &str) -> bool {
        text.split('<')
            .skip(1)
            .filter_map(|rest| rest.split_once('>'))
            .any(|(inner, _)| self.names_address(inner))
    }
}

/// Whether a folded text contains a name as a whole word.
fn is_word_of(name: &str, text: &str) -> bool {
    let name = fold(name);
    text.split(|c: char| !c.is_alphanumeric())
        .any(|word| word == name)
}

/// Whether a folded text begins with a game's name, or contains it after a colon as subjects do. Elsewhere the name may
/// be a common word.
fn is_about(game: &str, text: &str) -> bool {
    text.split(':').any(|part| {
        let mut words = part.split(|c: char| !c.is_alphanumeric());
        words.find(|word| !word.is_empty()) == Some(fold(game).as_str())
    })
}

/// The text after the label of a header: `*From:* USXX`, `:: Judge: USXX`.
fn labelled(line: &str) -> Option<&str> {
    let signs = |c: char| matches!(c, ':' | '*' | '>' | '|' | '#' | ' ');
    let (label, value) = line.trim_start_matches(signs).split_once(':')?;
    let words: Vec<&str> = label.trim_matches(signs).split_whitespace().collect();
    let is_label = |word: &&str| word.chars().all(char::is_alphabetic);
    let is_head = (1..=LONGEST_LABEL).contains(&words.len())
        && words.iter().all(is_label)
        && value.chars().any(char::is_alphanumeric);
    is_head.then_some(value)
}

/// The index of the first line of the header block that contains this line. Above it may be other headers, a separator,
/// or the first part of a wrapped sentence.
fn head_begins(lines: &[&str], mut first: usize) -> usize {
    let above = |at: usize| at.checked_sub(1).and_then(|at| lines.get(at));
    while let Some(line) = above(first) {
        let folded = fold(line);
        if labelled(&folded).is_none() && !is_rule(line) && !shows_a_clock(line) {
            break;
        }
        first -= 1;
    }
    // There may be an empty line below a separator.
    let filled = (0..first)
        .rev()
        .find(|at| lines.get(*at).is_some_and(|line| !line.trim().is_empty()));
    match filled {
        Some(at) if first - at <= 2 && lines.get(at).is_some_and(|line| is_rule(line)) => at,
        _ => first,
    }
}

/// Whether a line is a separator, with or without words between its dashes.
fn is_rule(line: &str) -> bool {
    ["---", "___", "==="]
        .iter()
        .any(|rule| line.trim().starts_with(rule))
}

/// Whether a line contains a time of day: `19:30`, `19.30`.
fn shows_a_clock(line: &str) -> bool {
    let bytes = line.as_bytes();
    bytes.windows(4).any(|four| {
        matches!(four, [hour, sign, ten, one]
            if hour.is_ascii_digit() && matches!(sign, b':' | b'.' | b'h') && ten.is_ascii_digit() && one.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMED: QuotedNames = QuotedNames {
        address: "judge@usxx.example.org",
        judge: "USXX",
        game: "tokyo",
    };

    fn own(text: &str) -> Vec<&str> {
        let lines: Vec<&str> = text.lines().collect();
        let letter = keys(
            "judge+abc@usxx.example.org",
            "Shall we leave the Channel empty, my friend, from now on and for ever, until all others are dead?\nYes?",
        );
        let stands = |line: &str| {
            key("judge+abc@usxx.example.org", line).is_some_and(|key| letter.contains(&key))
        };
        lines[..NAMED.own_lines(&lines, stands)].to_vec()
    }

    #[test]
    fn an_answer_ends_where_a_quotation_begins() {
        for quotation in [
            "Nuo: USXX judge",
            "Išsiųsta: pirmadienis 19:30\nNuo: USXX judge\nKam: Cleo",
            "________________________________\n\nKam: Cleo Example\nTema: USXX:tokyo - S1901M Press from E to F",
            "*From:* judge@usxx.example.org",
            "пн, 30 нояб. 2026 г. в 19:30, USXX judge <judge@usxx.example.org>:",
            "30 lapkričio 2026, 19:30, USXX judge\n<judge+abc@usxx.example.org> rašė:",
            "Judge (judge@usxx.example.org) kirjoitti：",
            "Game: Tokyo",
            "Tema: Re: tokyo",
            ":: Judge: USXX  Game: Tokyo  Variant: Standard Gunboat",
            "Shall we leave the Channel empty, my friend, from now on and for ever, until\nall others are dead?",
            "shall we leave  the Channel empty, my friend, from now on and for ever, until all others are dead?",
        ] {
            let answer = format!("Agreed.\n\n{quotation}\n\nmore");
            assert_eq!(own(&answer), ["Agreed.", ""], "{quotation}");
        }
    }

    #[test]
    fn own_words_are_not_cut() {
        for answer in [
            "Yes?",
            "If Germany writes to judge@usxx.example.org about Belgium, say no.",
            "I like this game: tokyo is fine.",
            "To whom: the others.",
            "Shall we leave the Channel empty?",
            "England: yes\nItaly: no",
            "tokyo",
            "PS: how do you like tokyo so far?",
        ] {
            assert_eq!(own(answer).join("\n"), answer);
        }
    }
}
