//! Strikes passwords out of a text before it is quoted or kept.
//!
//! Which word is a password can be told only where a line is written as it should be. So everything is struck out that
//! stands behind a word like SIGNON or PASSWORD, however the line goes on.

use std::ops::Range;

/// What stands where a password stood.
const STRUCK: &str = "****";

/// How a password follows a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Follows {
    /// Behind the seat or the game: `SIGNON Ekaiser pw`.
    Name,
    /// At once: `PASSWORD pw`.
    AtOnce,
}

/// Words behind which a password stands, in every spelling that differs by [`MOST_WRONG`] letters at most.
const MARKS: &[(&str, Follows)] = &[
    ("signon", Follows::Name),
    ("resign", Follows::Name),
    ("observe", Follows::Name),
    ("create", Follows::Name),
    ("register", Follows::AtOnce),
    ("password", Follows::AtOnce),
];
/// By how many letters a spelling may differ.
const MOST_WRONG: usize = 2;
/// Shorter words that mean the same, as they are written.
const SHORT_MARKS: &[(&str, Follows)] = &[
    ("login", Follows::Name),
    ("logon", Follows::Name),
    ("pwd", Follows::AtOnce),
    ("pw", Follows::AtOnce),
];
/// Words that mean the same where they begin a line, and are common elsewhere.
const FIRST_MARKS: &[&str] = &["hello", "join", "takeover", "watch", "monitor", "withdraw"];
/// What may stand between a mark and what it announces.
const LINKS: &[&str] = &[
    "as", "be", "for", "from", "game", "in", "is", "of", "on", "to", "was",
];
/// No password is longer.
const LONGEST: usize = 40;
/// How many signs on either side of a word are tried as part of a password.
const MOST_SIGNS: usize = 4;

/// The text with every password struck out.
///
/// Struck out is whatever follows a word at most two letters off SIGNON, RESIGN, OBSERVE, CREATE, REGISTER or PASSWORD, up
/// to the end of its line, wherever that word stands; and every word that is `known` as a password. Where more than one
/// word follows SIGNON and its like, the first is the name of a seat or game and stays. Where too few follow, a lone word
/// in the next line is struck out.
///
/// `known` is asked for each word as it stands, and without the signs around it.
///
/// ```
/// use dipjudge::mails::inbound::redact;
/// assert_eq!(redact("Well, SINGON Ekaiser secret", |_| false), "Well, SINGON Ekaiser ****");
/// assert_eq!(redact("F Lon - secret", |word| word == "secret"), "F Lon - ****");
/// ```
pub fn redact(text: &str, known: impl Fn(&str) -> bool) -> String {
    let mut redacted = String::with_capacity(text.len());
    let mut done = 0;
    for range in struck(text, &known) {
        redacted.push_str(text.get(done..range.start).unwrap_or_default());
        redacted.push_str(STRUCK);
        done = range.end;
    }
    redacted.push_str(text.get(done..).unwrap_or_default());
    redacted
}

/// The words that [`redact`] strikes out of a text, without the signs around them: for quotations of its parts.
pub fn secrets(text: &str, known: impl Fn(&str) -> bool) -> Vec<String> {
    struck(text, &known)
        .iter()
        .map(|range| bare(text_of(text, range)).to_owned())
        .filter(|word| !word.is_empty())
        .collect()
}

/// A sentence of the judge's with every password struck out of what it quotes: of what stands in quotation marks or
/// behind an arrow, and of names behind a question mark. Its own words stay, whatever the password is.
///
/// ```
/// use dipjudge::mails::inbound::redact_quoted;
/// let sentence = "There is no game 'game'; CREATE ?game makes it.";
/// assert_eq!(redact_quoted(sentence, |word| word == "game"), "There is no game '****'; CREATE ?**** makes it.");
/// ```
pub fn redact_quoted(sentence: &str, known: impl Fn(&str) -> bool) -> String {
    let mut redacted = String::with_capacity(sentence.len());
    let mut rest = sentence;
    while let Some(quoted) = quotation(rest) {
        redacted.push_str(rest.get(..quoted.start).unwrap_or_default());
        redacted.push_str(&redact(text_of(rest, &quoted), &known));
        // The mark that closes it opens no other.
        let closing = rest.get(quoted.end..).and_then(|rest| rest.chars().next());
        redacted.extend(closing);
        let behind = quoted.end + closing.map_or(0, char::len_utf8);
        rest = rest.get(behind..).unwrap_or_default();
    }
    redacted + rest
}

/// The first quotation in a sentence, without its marks.
fn quotation(text: &str) -> Option<Range<usize>> {
    let mut before = ' ';
    for (at, sign) in text.char_indices() {
        let begins = !before.is_alphanumeric();
        before = sign;
        let rest = text.get(at..).unwrap_or_default();
        let (start, length) = match sign {
            '\'' | '`' | '"' if begins => (at + 1, closed_by(sign, rest.get(1..)?)),
            '-' if rest.starts_with("-> ") => (at + 3, rest.len() - 3),
            '?' if begins => (
                at + 1,
                rest.get(1..)?
                    .find(char::is_whitespace)
                    .unwrap_or(rest.len() - 1),
            ),
            _ => continue,
        };
        if length > 0 {
            return Some(start..start + length);
        }
    }
    None
}

/// How much of a text stands before the mark that closes it: one with no letter behind it.
fn closed_by(mark: char, text: &str) -> usize {
    text.match_indices(mark)
        .map(|(at, _)| at)
        .find(|at| {
            let behind = text.get(at + 1..).and_then(|rest| rest.chars().next());
            !behind.is_some_and(char::is_alphanumeric)
        })
        .unwrap_or(text.len())
}

/// Where the passwords are: in order, and apart.
fn struck(text: &str, known: &impl Fn(&str) -> bool) -> Vec<Range<usize>> {
    let mut struck = Vec::new();
    let mut awaited = false;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let words = split(line, start, char::is_whitespace);
        start += line.len();
        if words.is_empty() {
            continue;
        }
        let announced = Announced::of(text, &words);
        let alone = awaited && words.len() == 1;
        let unmarked = words
            .iter()
            .filter(|word| word.end <= announced.from)
            .filter_map(|word| {
                if alone {
                    Some(word.clone())
                } else {
                    known_part(text, word, known)
                }
            });
        struck.extend(unmarked);
        struck.extend(announced.passwords);
        awaited = announced.awaits_more;
    }
    struck
}

/// What a mark in a line announces.
struct Announced {
    /// Where it begins: the end of the line without a mark.
    from: usize,
    /// The words that may be a password.
    passwords: Vec<Range<usize>>,
    /// Whether too little followed, so that the password may stand in the next line.
    awaits_more: bool,
}

impl Announced {
    fn of(text: &str, words: &[Range<usize>]) -> Announced {
        let Some(mark) = Mark::find(text, words) else {
            return Announced {
                from: usize::MAX,
                passwords: Vec::new(),
                awaits_more: false,
            };
        };
        let mut rest: Vec<Range<usize>> = words
            .iter()
            .filter(|word| word.end > mark.end)
            .filter_map(|word| {
                if word.start < mark.end {
                    // In the same word only signs separate the password from its mark: PASSWORD=pw.
                    behind_signs(text, mark.end..word.end)
                } else {
                    Some(word.clone())
                }
            })
            .collect();
        let is_link = |word: &&Range<usize>| {
            let word = text_of(text, word);
            [":", "=", "-"].contains(&word) || LINKS.contains(&bare(word).to_lowercase().as_str())
        };
        let links = rest.iter().take_while(is_link).count();
        // What stands last is no link, but may be the password.
        rest.drain(..links.min(rest.len().saturating_sub(1)));
        let enough = match mark.follows {
            Follows::Name => 2,
            Follows::AtOnce => 1,
        };
        let awaits_more = mark.never_alone && rest.len() < enough;
        let mut from = rest.first().map_or(usize::MAX, |word| word.start);
        if mark.follows == Follows::Name
            && let [name, next, ..] = rest.as_slice()
            && is_name(text_of(text, name))
        {
            from = next.start;
            rest.remove(0);
        }
        Announced {
            from,
            passwords: rest,
            awaits_more,
        }
    }
}

/// A word behind which a password stands.
#[derive(Clone, Copy)]
struct Mark {
    end: usize,
    follows: Follows,
    /// Whether it makes no sense without a password.
    never_alone: bool,
}

impl Mark {
    /// The first in a line.
    fn find(text: &str, words: &[Range<usize>]) -> Option<Mark> {
        let runs: Vec<Range<usize>> = words
            .iter()
            .flat_map(|word| split(text_of(text, word), word.start, |c| !c.is_alphanumeric()))
            .collect();
        let mut greeting = None;
        for (index, run) in runs.iter().enumerate() {
            let word = text_of(text, run).to_lowercase();
            if let Some(mark) = Mark::of(&word, run) {
                return Some(mark);
            }
            if let Some(greeting) = greeting {
                return Some(greeting);
            }
            if let Some(next) = runs.get(index + 1)
                && let Some(mark) = Mark::of_two(&word, &text_of(text, next).to_lowercase(), next)
            {
                return Some(mark);
            }
            // SIGNON may follow a greeting, and tells more exactly where the password stands.
            if index == 0 && FIRST_MARKS.contains(&word.as_str()) {
                greeting = Some(Mark {
                    end: run.end,
                    follows: Follows::Name,
                    never_alone: false,
                });
            }
        }
        None
    }

    fn of(word: &str, run: &Range<usize>) -> Option<Mark> {
        let near = |mark: &str| {
            // A word of quite another length cannot be near.
            word.len() <= 2 * mark.len() && strsim::osa_distance(mark, word) <= MOST_WRONG
        };
        let whole = MARKS
            .iter()
            .find(|(mark, _)| near(mark))
            .or_else(|| SHORT_MARKS.iter().find(|(mark, _)| *mark == word));
        if let Some((mark, follows)) = whole {
            return Some(Mark {
                end: run.end,
                follows: *follows,
                never_alone: matches!(*mark, "signon" | "password") && word != "signoff",
            });
        }
        // The blank behind it was forgotten: SIGNONEkaiser pw.
        let (mark, follows) = MARKS.iter().find(|(mark, _)| word.starts_with(mark))?;
        Some(Mark {
            end: run.start + mark.len(),
            follows: *follows,
            never_alone: false,
        })
    }

    /// One with a blank in it: `SING ON`, `PASS WORD`.
    fn of_two(word: &str, next: &str, run: &Range<usize>) -> Option<Mark> {
        let both = format!("{word}{next}");
        let near =
            |mark: &str| both.len() <= 2 * mark.len() && strsim::osa_distance(mark, &both) <= 1;
        let exact = |mark: &str| mark == both && mark.len() > 3;
        let (_, follows) = MARKS
            .iter()
            .find(|(mark, _)| near(mark))
            .or_else(|| SHORT_MARKS.iter().find(|(mark, _)| exact(mark)))?;
        Some(Mark {
            end: run.end,
            follows: *follows,
            never_alone: true,
        })
    }
}

/// Whether a word can be the seat or the game of a sign-on: `Ekaiser`, `England@kaiser`, `?kaiser`.
fn is_name(word: &str) -> bool {
    let word = word.trim_end_matches([',', ';', ':', '.']);
    word.chars().any(char::is_alphanumeric)
        && word
            .chars()
            .all(|c| c.is_alphanumeric() || c == '@' || c == '?')
}

/// What stands behind the signs at the beginning of a word, if anything does.
fn behind_signs(text: &str, word: Range<usize>) -> Option<Range<usize>> {
    let signs = text_of(text, &word).find(char::is_alphanumeric)?;
    Some(word.start + signs..word.end)
}

/// A word, or the part of it, that is known as a password.
fn known_part(
    text: &str,
    word: &Range<usize>,
    known: &impl Fn(&str) -> bool,
) -> Option<Range<usize>> {
    let is_known = |part: &Range<usize>| {
        part.start < part.end && part.len() <= LONGEST && known(text_of(text, part))
    };
    if is_known(word) {
        return Some(word.clone());
    }
    let whole = text_of(text, word);
    if whole.chars().all(char::is_alphanumeric) {
        return None;
    }
    // Signs may belong to a password, or only stand around it.
    let left = signs(
        whole
            .char_indices()
            .map(|(at, sign)| (at + sign.len_utf8(), sign)),
    );
    let right = signs(whole.char_indices().rev());
    let trimmed = [0].iter().chain(&left).flat_map(|from| {
        let ends = [whole.len()].into_iter().chain(right.iter().copied());
        ends.map(move |to| word.start + from..word.start + to)
    });
    let pieces = split(whole, word.start, |c| "<>()\"'`,;:=/".contains(c));
    let runs = split(whole, word.start, |c: char| !c.is_alphanumeric());
    trimmed.chain(pieces).chain(runs).find(is_known)
}

/// Up to where the signs at one end of a word may be cut off.
fn signs(letters: impl Iterator<Item = (usize, char)>) -> Vec<usize> {
    letters
        .take_while(|(_, letter)| !letter.is_alphanumeric())
        .take(MOST_SIGNS)
        .map(|(at, _)| at)
        .collect()
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

fn text_of<'t>(text: &'t str, range: &Range<usize>) -> &'t str {
    text.get(range.clone()).unwrap_or_default()
}

/// The parts of a text between the characters that part them, as places in what it was taken from at `start`.
fn split(text: &str, start: usize, parts: impl Fn(char) -> bool) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = None;
    for (at, letter) in text.char_indices() {
        match (parts(letter), from) {
            (false, None) => from = Some(at),
            (true, Some(begun)) => {
                found.push(start + begun..start + at);
                from = None;
            }
            _ => {}
        }
    }
    found.extend(from.map(|begun| start + begun..start + text.len()));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_a_mark_is_struck_out() {
        for (text, redacted) in [
            ("SIGNON Ekaiser pw", "SIGNON Ekaiser ****"),
            ("sign on ?space pw SPACE", "sign on ?space **** ****"),
            ("SINGON Ekaiser pw", "SINGON Ekaiser ****"),
            ("SIGNIN Ekaiser pw", "SIGNIN Ekaiser ****"),
            ("SIGMON Ekaiser pw", "SIGMON Ekaiser ****"),
            ("sing on Ekaiser pw", "sing on Ekaiser ****"),
            ("SIGNON: Ekaiser pw", "SIGNON: Ekaiser ****"),
            ("SIGNON:Ekaiser:pw", "SIGNON:****"),
            ("signon ekaiser, pw", "signon ekaiser, ****"),
            ("signon ekaiser,pw please", "signon **** ****"),
            ("SIGNONEkaiser pw", "SIGNONEkaiser ****"),
            ("SIGNON pw", "SIGNON ****"),
            ("SIGNON as Ekaiser with pw", "SIGNON as Ekaiser **** ****"),
            ("Hello! SIGNON Ekaiser pw", "Hello! SIGNON Ekaiser ****"),
            ("Hello Ekaiser pw", "Hello Ekaiser ****"),
            ("<div>SIGNON Ekaiser pw</div>", "<div>SIGNON Ekaiser ****"),
            ("Re: signon Ekaiser pw", "Re: signon Ekaiser ****"),
            ("SIGNON JED space pw", "SIGNON JED **** ****"),
            ("SIGNON Jedi Knights@space pw", "SIGNON Jedi **** ****"),
            ("CREATE space pw SPACE", "CREATE space **** ****"),
            ("OBSERV kaiser pw", "OBSERV kaiser ****"),
            ("RESIGNE pw", "RESIGNE ****"),
            ("SET PASSWORD new", "SET PASSWORD ****"),
            ("SET PASWORD: new", "SET PASWORD: ****"),
            ("SET PW new", "SET PW ****"),
            ("PASSWORD=pw", "PASSWORD=****"),
            ("PASSWORD !?!", "PASSWORD ****"),
            ("pass word pw", "pass word ****"),
            ("my password is pw", "my password is ****"),
            ("my password is of pw.", "my password is of ****"),
            ("Password: is", "Password: ****"),
            ("REGISTER pw", "REGISTER ****"),
            (
                "SIGNON Ekaiser\n\n pw\nA Par H",
                "SIGNON ****\n\n ****\nA Par H",
            ),
            ("Password:\npw", "Password:\n****"),
        ] {
            assert_eq!(redact(text, |_| false), redacted);
        }
    }

    #[test]
    fn known_words_are_struck_out_wherever_they_stand() {
        let known = |word: &str| word.eq_ignore_ascii_case("xy-1!");
        for (text, redacted) in [
            ("A Par - xy-1!", "A Par - ****"),
            ("(xy-1!), I said", "(****), I said"),
            ("<b>xy-1!</b>", "<b>****</b>"),
            ("xy-1! is my password", "**** is my password"),
            ("SIGNON xy-1! Ekaiser", "SIGNON **** ****"),
            ("xy-1 is another", "xy-1 is another"),
        ] {
            assert_eq!(redact(text, known), redacted);
        }
    }

    #[test]
    fn what_holds_no_password_stays() {
        for text in [
            "A Par - Bur",
            "F Lon C A Wal - Nor, A Wal - Nor",
            "SET NOWAIT",
            "RESIGN",
            "REGISTER\nName: Anna Example\nEND",
            "SIGNOFF\nAnna",
            "RESIGN\nSIGNOFF",
            "Press to E\nLet us go to Belgium.\nENDPRESS",
        ] {
            assert_eq!(redact(text, |_| false), text);
            assert!(secrets(text, |_| false).is_empty());
        }
    }

    #[test]
    fn of_a_sentence_only_its_quotations_are_struck_out() {
        let known = |word: &str| ["the", "pw"].contains(&word);
        for (sentence, redacted) in [
            (
                "The password or the power is wrong.",
                "The password or the power is wrong.",
            ),
            (
                "Destination not recognized -> pw",
                "Destination not recognized -> ****",
            ),
            (
                "Expected the end where `pw` stands, not 'the'.",
                "Expected the end where `****` stands, not '****'.",
            ),
            (
                "The power's letter before 'it's pw'.",
                "The power's letter before 'it's ****'.",
            ),
            (
                "Invalid 'SINGON Ekaiser x'.",
                "Invalid 'SINGON Ekaiser ****'.",
            ),
            (
                "You play in 'kaiser', so you cannot observe it.",
                "You play in 'kaiser', so you cannot observe it.",
            ),
            ("Is it? '' -> ", "Is it? '' -> "),
        ] {
            assert_eq!(redact_quoted(sentence, known), redacted);
        }
    }

    #[test]
    fn the_struck_out_words_are_known_for_other_quotations() {
        assert_eq!(secrets("signon ekaiser, 'pw'.", |_| false), ["pw"]);
    }
}
