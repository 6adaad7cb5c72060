//! Replaces passwords in a text before it is quoted or stored.
//!
//! In a line with mistakes nobody can say which word is the password. So everything after a word like SIGNON or PASSWORD
//! is replaced, whatever the rest of the line is.

use std::ops::Range;

/// Replaces a password.
const REPLACEMENT: &str = "****";

/// How a password follows a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Follows {
    /// After the seat or the game: `SIGNON Ekaiser pw`.
    Name,
    /// At once: `PASSWORD pw`.
    AtOnce,
}

/// Words that a password follows, in every spelling that differs in at most [`MAX_WRONG`] letters.
const MARKS: &[(&str, Follows)] = &[
    ("signon", Follows::Name),
    ("resign", Follows::Name),
    ("observe", Follows::Name),
    ("create", Follows::Name),
    ("register", Follows::AtOnce),
    ("password", Follows::AtOnce),
];
/// In how many letters a spelling may differ.
const MAX_WRONG: usize = 2;
/// Of these only one letter may be wrong: "great" and "design" are words of people.
const COMMON_WORDS: [&str; 2] = ["resign", "create"];
/// Words that differ from a mark in so few letters and are none: SET SIGNUP is a setting, and people tell who has signed up.
const NO_MARKS: [&str; 4] = ["signup", "signed", "signing", "signs"];
/// The noun, which differs from a mark in so few letters, and words before it: "as a sign of good will".
const NOUN: &str = "sign";
const BEFORE_NOUN: [&str; 7] = ["a", "the", "no", "any", "every", "first", "good"];
/// So many words before a mark and after it make a sentence, in which no name and password follow.
const FEWEST_BEFORE: usize = 3;
/// The most words after the mark of a line with a name and a password.
const MOST_AFTER: usize = 3;
/// Shorter words with the same meaning, only in this spelling.
const SHORT_MARKS: &[(&str, Follows)] = &[
    ("login", Follows::Name),
    ("logon", Follows::Name),
    ("pwd", Follows::AtOnce),
    ("pw", Follows::AtOnce),
];
/// Words with the same meaning at the beginning of a line; elsewhere they are common words.
const FIRST_MARKS: &[&str] = &["hello", "join", "takeover", "watch", "monitor", "withdraw"];
/// Words that may stand between a mark and the password.
const LINKS: &[&str] = &[
    "as", "be", "for", "from", "game", "in", "is", "of", "on", "to", "was",
];
/// The words of a line that signs on with HELLO: a name and a password follow it. Fewer or more are a sentence.
const WORDS_OF_GREETING: usize = 3;
/// Words behind HELLO that are no name of a game.
const GREETED: &[&str] = &[
    "again",
    "all",
    "and",
    "dear",
    "everybody",
    "everyone",
    "from",
    "friends",
    "mr",
    "mrs",
    "my",
    "to",
    "there",
];
/// The longest password.
const MAX_LENGTH: usize = 40;
/// How many punctuation characters on either side of a word are tried as part of a password.
const MAX_SIGNS: usize = 4;

/// Replaces every password in a text.
///
/// Replaced are the words after SIGNON, RESIGN, OBSERVE, CREATE, REGISTER or PASSWORD, misspelled in up to two letters, to
/// the end of the line, and every word that is `known` as a password. If more than one word follows SIGNON, RESIGN, OBSERVE
/// or CREATE, the first is the name of a seat or game and is kept. If too few words follow, a single word on the next line
/// is replaced.
///
/// `known` is called with each word as written and without the punctuation around it.
///
/// ```
/// use dipjudge_mails::inbound::redact;
/// assert_eq!(redact("Well, SINGON Ekaiser secret", |_| false), "Well, SINGON Ekaiser ****");
/// assert_eq!(redact("F Lon - secret", |word| word == "secret"), "F Lon - ****");
/// ```
pub fn redact(text: &str, known: impl Fn(&str) -> bool) -> String {
    let mut redacted = String::with_capacity(text.len());
    let mut done = 0;
    for range in password_ranges(text, &known) {
        redacted.push_str(text.get(done..range.start).unwrap_or_default());
        redacted.push_str(REPLACEMENT);
        done = range.end;
    }
    redacted.push_str(text.get(done..).unwrap_or_default());
    redacted
}

/// The words that [`redact`] replaces in a text, without the punctuation around them, to redact quotations of its parts.
pub fn secrets(text: &str, known: impl Fn(&str) -> bool) -> Vec<String> {
    password_ranges(text, &known)
        .iter()
        .map(|range| bare(text_of(text, range)).to_owned())
        .filter(|word| !word.is_empty())
        .collect()
}

/// Replaces every password in the quotations of a sentence of the judge: within quotation marks, after an arrow, and in
/// names after a question mark. Its other words are kept even if one is a password.
///
/// ```
/// use dipjudge_mails::inbound::redact_quoted;
/// let sentence = "There is no game 'game'; CREATE ?game makes it.";
/// assert_eq!(redact_quoted(sentence, |word| word == "game"), "There is no game '****'; CREATE ?**** makes it.");
/// ```
pub fn redact_quoted(sentence: &str, known: impl Fn(&str) -> bool) -> String {
    let mut redacted = String::with_capacity(sentence.len());
    let mut rest = sentence;
    while let Some(quoted) = quotation(rest) {
        redacted.push_str(rest.get(..quoted.start).unwrap_or_default());
        redacted.push_str(&redact(text_of(rest, &quoted), &known));
        // The mark that closes it does not open another.
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

/// The length of a text before the mark that closes it: one not followed by a letter.
fn closed_by(mark: char, text: &str) -> usize {
    text.match_indices(mark)
        .map(|(at, _)| at)
        .find(|at| {
            let behind = text.get(at + 1..).and_then(|rest| rest.chars().next());
            !behind.is_some_and(char::is_alphanumeric)
        })
        .unwrap_or(text.len())
}

/// The places of the passwords, in order and without overlap.
fn password_ranges(text: &str, known: &impl Fn(&str) -> bool) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut awaited = false;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let words = split(line, start, char::is_whitespace);
        start += line.len();
        if words.is_empty() {
            continue;
        }
        let announced = Announcement::of(text, &words);
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
        found.extend(unmarked);
        found.extend(announced.passwords);
        awaited = announced.awaits_more;
    }
    found
}

/// The passwords that follow a mark in a line.
struct Announcement {
    /// Where the passwords begin; `usize::MAX` if there are none.
    from: usize,
    /// The words that may be a password.
    passwords: Vec<Range<usize>>,
    /// Whether too few words follow, so that the password may be on the next line.
    awaits_more: bool,
}

impl Announcement {
    fn of(text: &str, words: &[Range<usize>]) -> Announcement {
        let Some(mark) = Mark::find(text, words) else {
            return Announcement {
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
        // "Do I have a password I need to put into my mails?"
        let is_pronoun = |word: &Range<usize>| {
            let word = bare(text_of(text, word)).to_lowercase();
            ["i", "we", "you"].contains(&word.as_str())
        };
        if rest.first().is_some_and(is_pronoun) {
            rest.clear();
        }
        let links = rest.iter().take_while(is_link).count();
        // The last word is never skipped, since it may be the password.
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
        Announcement {
            from,
            passwords: rest,
            awaits_more,
        }
    }
}

/// A word that a password follows.
#[derive(Clone, Copy)]
struct Mark {
    end: usize,
    follows: Follows,
    /// Whether a password must follow.
    never_alone: bool,
}

impl Mark {
    /// The first mark in a line.
    fn find(text: &str, words: &[Range<usize>]) -> Option<Mark> {
        let runs: Vec<Range<usize>> = words
            .iter()
            .flat_map(|word| split(text_of(text, word), word.start, |c| !c.is_alphanumeric()))
            .collect();
        let mut greeting = None;
        for (index, run) in runs.iter().enumerate() {
            let word = text_of(text, run).to_lowercase();
            let before = index.checked_sub(1).and_then(|before| runs.get(before));
            let before = before.map(|before| text_of(text, before).to_lowercase());
            let is_noun =
                word == NOUN && before.is_some_and(|before| BEFORE_NOUN.contains(&before.as_str()));
            if is_noun {
                continue;
            }
            if let Some(mark) = Mark::of(&word, run)
                && !mark.is_in_sentence(words)
            {
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
            // SIGNON may follow a greeting; it marks the password more exactly.
            let signs_on = words.len() == WORDS_OF_GREETING
                && !is_parted(text, run)
                && !runs.get(index + 1).is_some_and(|next| {
                    GREETED.contains(&text_of(text, next).to_lowercase().as_str())
                });
            if index == 0 && (word != "hello" || signs_on) && FIRST_MARKS.contains(&word.as_str()) {
                greeting = Some(Mark {
                    end: run.end,
                    follows: Follows::Name,
                    never_alone: false,
                });
            }
        }
        None
    }

    /// Whether a word that a name follows stands within a sentence: `I'd like to resign after this turn, my orders are ...`
    fn is_in_sentence(&self, words: &[Range<usize>]) -> bool {
        let before = words.iter().filter(|word| word.end < self.end).count();
        let after = words.iter().filter(|word| word.start >= self.end).count();
        self.follows == Follows::Name && before >= FEWEST_BEFORE && after > MOST_AFTER
    }

    fn of(word: &str, run: &Range<usize>) -> Option<Mark> {
        if NO_MARKS.contains(&word) {
            return None;
        }
        let near = |mark: &str| {
            let wrong = if COMMON_WORDS.contains(&mark) {
                1
            } else {
                MAX_WRONG
            };
            // Much longer words are never similar.
            word.len() <= 2 * mark.len() && strsim::osa_distance(mark, word) <= wrong
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
        // The blank after it is missing: SIGNONEkaiser pw.
        let (mark, follows) = MARKS.iter().find(|(mark, _)| word.starts_with(mark))?;
        Some(Mark {
            end: run.start + mark.len(),
            follows: *follows,
            never_alone: false,
        })
    }

    /// A mark with a blank in it: `SING ON`, `PASS WORD`.
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

/// Whether a greeting is parted from what follows: "Hello, judge".
fn is_parted(text: &str, run: &Range<usize>) -> bool {
    let next = text.get(run.end..).and_then(|rest| rest.chars().next());
    next.is_some_and(|next| matches!(next, ',' | '!' | '.'))
}

/// Whether a word can be the seat or game of a sign-on: `Ekaiser`, `England@kaiser`, `?kaiser`.
fn is_name(word: &str) -> bool {
    let word = word.trim_end_matches([',', ';', ':', '.']);
    word.chars().any(char::is_alphanumeric)
        && word
            .chars()
            .all(|c| c.is_alphanumeric() || c == '@' || c == '?')
}

/// The rest of a word after punctuation at its beginning, if there is any.
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
        part.start < part.end && part.len() <= MAX_LENGTH && known(text_of(text, part))
    };
    if is_known(word) {
        return Some(word.clone());
    }
    let whole = text_of(text, word);
    if whole.chars().all(char::is_alphanumeric) {
        return None;
    }
    // Punctuation may belong to a password or only enclose it.
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

/// The places up to which punctuation at one end of a word may be cut off.
fn signs(letters: impl Iterator<Item = (usize, char)>) -> Vec<usize> {
    letters
        .take_while(|(_, letter)| !letter.is_alphanumeric())
        .take(MAX_SIGNS)
        .map(|(at, _)| at)
        .collect()
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

fn text_of<'t>(text: &'t str, range: &Range<usize>) -> &'t str {
    text.get(range.clone()).unwrap_or_default()
}

/// The pieces of a text between separators, as places in the whole, in which the text begins at `start`.
fn split(text: &str, start: usize, separates: impl Fn(char) -> bool) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = None;
    for (at, letter) in text.char_indices() {
        match (separates(letter), from) {
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
            ("who has signed up so far?", "who has signed up so far?"),
            ("Signing up", "Signing up"),
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
            "Hello there.",
            "Hello everybody again",
            "HELLO Ekaiser",
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
