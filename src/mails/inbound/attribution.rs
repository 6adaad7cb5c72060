//! Finds how mail programs begin a quotation: "On … wrote:", the divider before an original message, and the head of an
//! original message (From, Sent, To, Subject). The words of each language stand in a table ([`QuotationWords`]).
//!
//! All arguments are cleaned texts ([`super::clean_line`]).

use super::quotation_words::{HeadLabel, QuotationWords, is_of_script_without_blanks};

/// The longest attribution; mail programs wrap it over two or three lines.
const MAX_LENGTH: usize = 400;

/// The most lines of an attribution.
const MAX_LINES: usize = 5;

/// The most lines of the head of an original message.
const MAX_HEAD: usize = 7;

/// A sentence that begins a quotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Attribution {
    /// The number of its lines.
    pub(super) lines: usize,
    /// Whether it contains an address or a time, which a player's own sentence before a colon would not.
    pub(super) certain: bool,
}

/// The attribution that begins at the first of these lines, if one does.
pub(super) fn attribution(lines: &[&str]) -> Option<Attribution> {
    let mut sentence = String::new();
    for (count, line) in lines.iter().take(MAX_LINES).enumerate() {
        let line = line.trim();
        // Polymail leaves a line empty between the date and the address.
        let address_below = || {
            lines
                .get(count + 1)
                .is_some_and(|next| next.trim_start().starts_with('<'))
        };
        if line.is_empty()
            && begins_with_opening(&sentence)
            && names_a_clock(&sentence)
            && address_below()
        {
            continue;
        }
        if line.is_empty() || sentence.len() + line.len() > MAX_LENGTH {
            return None;
        }
        let line = line.to_lowercase();
        if count > 0 {
            // A second opening begins another sentence, and no sentence contains an order; the lines before are the sender's.
            if begins_with_opening(&line) || looks_like_an_order(&line) {
                return None;
            }
            // Gmail breaks the line before the end of an address: `<ben@example.org` and `>:`, which is read as a quoted colon.
            let bracket = line.starts_with(':') && is_within_address(&sentence);
            sentence.push_str(if bracket { ">" } else { " " });
        }
        sentence.push_str(&line);
        if let Some(certain) = speaks(&sentence, count) {
            return Some(Attribution {
                lines: count + 1,
                certain,
            });
        }
        if count == 0 && !goes_on(&sentence) {
            return None;
        }
    }
    None
}

/// Where the attribution begins that shares a line with the sender's last words, as where a program forgets the line break:
/// `A Par H On Mon, 2 Mar 2026 at 18:04, Judge wrote:`.
pub(super) fn shared_line(line: &str) -> Option<usize> {
    let may_hold =
        line.len() <= MAX_LENGTH && line.trim_end().ends_with(':') && names_a_clock(line);
    if !may_hold || begins_with_opening(&line.trim_start().to_lowercase()) {
        return None;
    }
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        let begins_word = c.is_uppercase() && (before.is_whitespace() || before == '-');
        before = c;
        let Some((words, sentence)) = line.split_at_checked(at).filter(|_| begins_word) else {
            continue;
        };
        // A name with an address or a time before the opening belongs to the attribution.
        let own = words.contains(char::is_alphanumeric)
            && !words.contains(['@', '<'])
            && !names_a_clock(words);
        if own && begins_with_opening(&sentence.to_lowercase()) && names_a_clock(sentence) {
            let certain = attribution(&[sentence]).is_some_and(|found| found.certain);
            return certain.then_some(at);
        }
    }
    None
}

/// Whether the first line of a sentence may continue in the next: only if it has the date or the address already.
fn goes_on(line: &str) -> bool {
    let begun = begins_with_opening(line) || line.starts_with(|c: char| c.is_ascii_digit());
    (begun && names_a_time_or_address(line)) || (line.contains('<') && line.contains('@'))
}

fn begins_with_opening(line: &str) -> bool {
    let line = line.trim_start_matches('-').trim_start();
    QuotationWords::all()
        .opens
        .iter()
        .any(|opening| line.starts_with(opening.as_str()))
}

/// Whether a line in lower case has the form of an order: `a par - bur`, `f lon s a lvp h`.
fn looks_like_an_order(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let unit = matches!(words.next(), Some("a" | "f" | "army" | "fleet"));
    let acts = |word: &str| {
        matches!(
            word,
            "-" | "->" | "s" | "c" | "h" | "hold" | "holds" | "supports"
        ) || word.contains('-')
    };
    unit && words.any(acts) && !line.contains('@')
}

fn is_within_address(sentence: &str) -> bool {
    sentence
        .rsplit_once('<')
        .is_some_and(|(_, address)| address.contains('@') && !address.contains('>'))
}

/// Whether a sentence of `count + 1` lines says that somebody wrote, and whether that is certain.
fn speaks(sentence: &str, count: usize) -> Option<bool> {
    let Some(words) = before_quotation(sentence) else {
        let dashed = sentence.starts_with("--") && sentence.ends_with("--");
        let words = sentence.trim_matches(['-', ' ']);
        if dashed && ends_with_verb(words) {
            return Some(names_a_time_or_address(words));
        }
        return without_colon(sentence).then_some(true);
    };
    let certain = names_a_time_or_address(words);
    let inner = has_inner_verb(words) && (certain || count > 0 || begins_with_opening(words));
    (ends_with_verb(words) || is_date_and_mailbox(words) || inner).then_some(certain)
}

/// The sentence without its colon. Yahoo begins the quotation on the same line, after some blanks.
fn before_quotation(sentence: &str) -> Option<&str> {
    let words = match sentence.trim_end_matches(['-', ' ']).strip_suffix(':') {
        Some(words) => words,
        None => {
            sentence
                .split_once(":  ")
                .filter(|(words, _)| names_a_time_or_address(words))?
                .0
        }
    };
    Some(words.trim_matches(['-', ' ']))
}

/// Whether a sentence attributes although it has no colon: Zoho's `---- On … wrote ----` and what Gmail for Android wrote,
/// `2013/10/2 Ben <ben@example.org>`.
fn without_colon(sentence: &str) -> bool {
    let words = sentence.trim_matches(['-', ' ']);
    if !words.contains('@') {
        return false;
    }
    let spoken = begins_with_opening(words) && names_a_clock(words) && ends_with_verb(words);
    spoken || (begins_with_date(words) && ends_with_mailbox(words))
}

fn ends_with_verb(words: &str) -> bool {
    let known = QuotationWords::all();
    let dated = known
        .dated
        .iter()
        .filter(|_| names_a_time_or_address(words));
    known.ends.iter().chain(dated).any(|verb| {
        words.strip_suffix(verb).is_some_and(|before| {
            let apart = |c: char| !c.is_alphanumeric() || is_of_script_without_blanks(c);
            !before.is_empty()
                && (before.ends_with(apart) || verb.starts_with(is_of_script_without_blanks))
        })
    })
}

/// A date or a weekday, then a clock, then a mailbox, as Gmail writes it in languages that have no verb for it:
/// "2026-03-02 10:00 GMT+01:00 Ben <ben@example.org>:".
fn is_date_and_mailbox(words: &str) -> bool {
    let dated = words.starts_with(|c: char| c.is_ascii_digit()) && names_a_year(words);
    ends_with_mailbox(words)
        && (begins_with_date(words)
            || (names_a_clock(words) && (dated || begins_with_opening(words))))
}

fn ends_with_mailbox(words: &str) -> bool {
    words
        .strip_suffix('>')
        .and_then(|words| words.rsplit_once('<'))
        .is_some_and(|(_, address)| address.contains('@') && !address.trim().contains(' '))
}

fn has_inner_verb(words: &str) -> bool {
    QuotationWords::all()
        .within
        .iter()
        .any(|verb| words.contains(verb.as_str()))
}

fn begins_with_date(words: &str) -> bool {
    let mut numbers = words.split(['-', '/', '.']);
    let mut number = |most: usize| {
        numbers.next().is_some_and(|part| {
            !part.is_empty() && part.len() <= most && part.bytes().all(|b| b.is_ascii_digit())
        })
    };
    let year = words.get(0..4).is_some_and(|year| year.starts_with("20"));
    year && number(4) && number(2)
}

/// An address, a clock (`10:00`, `10.00`, `10h00`) or a year.
fn names_a_time_or_address(words: &str) -> bool {
    words.contains('@') || names_a_clock(words) || names_a_year(words)
}

/// A year like 1901 proves nothing in Diplomacy; a year from 2000 on does.
fn names_a_year(words: &str) -> bool {
    words
        .split(|c: char| !c.is_ascii_digit())
        .any(|number| number.len() == 4 && number.starts_with("20"))
}

fn names_a_clock(words: &str) -> bool {
    words.as_bytes().windows(4).any(|four| match four {
        [hour, sign, ten, one] => {
            hour.is_ascii_digit()
                && matches!(sign, b':' | b'.' | b'h')
                && ten.is_ascii_digit()
                && one.is_ascii_digit()
        }
        _ => false,
    })
}

/// Whether a line separates a sender's words from the original message below.
pub(super) fn divides(line: &str) -> bool {
    let words = QuotationWords::all();
    let line = line.trim().trim_matches('*').trim().to_lowercase();
    if words.begins.contains(&line.as_str()) {
        return true;
    }
    let inner = line.trim_matches(['-', '_', '=', ' ', '*', ':']);
    let dashed = line.starts_with("--") || line.starts_with("__") || line.starts_with("==");
    dashed && words.divides.contains(&inner)
}

/// Whether the head of an original message begins at the first of these lines: From, and two of Sent, To and Subject within
/// the next few, or one if From is a mailbox. The date may come before From.
pub(super) fn header_block(lines: &[&str]) -> bool {
    let head: Vec<&&str> = lines
        .iter()
        .take(MAX_HEAD)
        .take_while(|line| !line.trim().is_empty())
        .collect();
    let mut labels: Vec<(usize, HeadLabel)> = Vec::new();
    for (at, line) in head.iter().enumerate() {
        match label(line) {
            Some(found) if !labels.iter().any(|(_, known)| *known == found) => {
                labels.push((at, found));
            }
            _ => {}
        }
    }
    let begins = match labels.as_slice() {
        [(0, HeadLabel::From), ..] => true,
        [(0, HeadLabel::Date), (1, HeadLabel::From), ..] => true,
        [(0, HeadLabel::Date), (1, HeadLabel::To)] => return is_date_and_recipient(&head),
        // Hotmail's head may have From in any place; a player's own lines name no mailbox there.
        [(0, _), ..] => labels.len() >= 3 && head.iter().any(|line| is_from_mailbox(line)),
        _ => false,
    };
    let names_mailbox = head.iter().take(2).any(|line| {
        line.contains('@') && (line.contains('<') || line.contains('[')) && !line.contains("://")
    });
    // A second line right below is as good as a third one further down.
    let close = labels.get(1).is_some_and(|(at, _)| *at <= 2);
    begins && (labels.len() >= 3 || (labels.len() == 2 && names_mailbox && close))
}

/// Whether a head is a date to the minute and an address, which nobody writes himself.
fn is_date_and_recipient(head: &[&&str]) -> bool {
    match head {
        [date, to, ..] => names_a_clock(date) && names_a_year(date) && to.contains('@'),
        _ => false,
    }
}

fn is_from_mailbox(line: &str) -> bool {
    label(line) == Some(HeadLabel::From) && line.contains('@')
}

/// What a line's label names, also in bold: `*From:*`.
pub(super) fn label(line: &str) -> Option<HeadLabel> {
    let line = line.trim().trim_start_matches('*');
    let (label, _) = line.split_once(':')?;
    let label = label.trim().trim_end_matches('*').to_lowercase();
    let mut labels = QuotationWords::all().labels.iter();
    labels
        .find(|(_, words)| *words == label)
        .map(|(named, _)| *named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_before_a_quotation_are_known_in_many_languages() {
        for sentence in [
            "On Mon, 2 Mar 2026 at 18:04, USXX Judge <judge@example.org> wrote:",
            "On Mon, Mar 02, 2026 at 06:04:11PM +0000, USXX Judge wrote:",
            "Am 02.03.26 um 19:04 schrieb USXX Judge:",
            "Am Mo., 2. März 2026 um 19:04 Uhr schrieb Judge <judge@example.org>:",
            "Le lun. 2 mars 2026 à 19:04, Judge <judge@example.org> a écrit :",
            "El lun, 2 mar 2026 a las 19:04, Judge (<judge@example.org>) escribió:",
            "Op ma 2 mrt 2026 om 19:04 schreef Judge <judge@example.org>:",
            "Il giorno lun 2 mar 2026 alle ore 19:04 Judge <judge@example.org> ha scritto:",
            "Judge <judge@example.org> schreef op 2 maart 2026 om 19:04:",
            "USXX Judge <judge@example.org> wrote:",
            "2026-03-02 19:04 GMT+01:00 Judge <judge@example.org>:",
            "On Mon, 2 Mar 2026 at 18:04, Judge<judge@example.org> wrote:   Your orders are due.",
        ] {
            assert_eq!(
                attribution(&[sentence]),
                Some(Attribution {
                    lines: 1,
                    certain: true
                }),
                "{sentence}"
            );
        }
    }

    #[test]
    fn they_may_be_wrapped() {
        assert_eq!(
            attribution(&[
                "On Mon, 2 Mar 2026 at 18:04, The Judge of Many Games",
                "<judge@example.org> wrote:",
                "",
                "x"
            ]),
            Some(Attribution {
                lines: 2,
                certain: true
            })
        );
        assert_eq!(
            attribution(&[
                "Am 2. März 2026 um 19:04",
                "schrieb Judge",
                "<judge@example.org>:"
            ]),
            Some(Attribution {
                lines: 3,
                certain: true
            })
        );
    }

    #[test]
    fn a_players_own_sentences_are_none() {
        for lines in [
            &["A Par - Bur"][..],
            &["On hold, as Ben wrote to me"],
            &["PRESS TO F:"],
            &["From Paris with love:"],
            &["On Monday the following happened:", "nobody wrote:"],
            &["On the eve of war", "", "Ben wrote:"],
            &[
                "On my honour, I will not move.",
                "A Par H",
                "On Mon, 2 Mar 2026 at 18:04, J wrote:",
            ],
            &["Le 2 mars 2026, promis :", "A Par H", "F Bre H"],
        ] {
            assert_eq!(attribution(lines), None, "{lines:?}");
        }
        let unsure = Some(Attribution {
            lines: 1,
            certain: false,
        });
        assert_eq!(attribution(&["As Bismarck wrote:"]), unsure);
        assert_eq!(attribution(&["On the treaty of 1901 Ben wrote:"]), unsure);
    }

    #[test]
    fn an_order_is_no_word_of_an_attribution() {
        for lines in [
            &[
                "On 2 Mar 2026 at 18:04 I decided",
                "A Par - Bur",
                "Ben wrote:",
            ][..],
            &["2026 is over at 18:00", "F Lon S A Lvp H", "Ben wrote:"],
            &["Deadline 18:00, write to Ben", "A Par - Bur"],
            &["Le 2 mars 2026 18:04", "A Par H", "a écrit :"],
        ] {
            assert_eq!(attribution(lines), None, "{lines:?}");
        }
    }

    #[test]
    fn a_sentence_is_found_where_a_program_has_broken_it() {
        for lines in [
            &[
                "ons. 4. mar. 2026 kl. 14.00 skrev John",
                "<j@example.org",
                ":",
            ][..],
            &[
                "Aa Cc <abc@example.org> schrieb am So., 23.",
                "Juni 2024, 21:08:",
            ],
            &[
                "On Mon, 2 Mar 2026 at 18:04, Judge <",
                "judge@example.org> wrote:",
            ],
            &[
                "Le lun. 2 mars 2026 à 19:04, Judge <judge@example.org>",
                "a écrit :",
            ],
            &[
                "pe 6. maaliskuuta 2026 klo 17.50 John",
                "<j@example.org> kirjoitti:",
            ],
            &["---- On Wed, 24 Feb 2021 14:02:50 +0530 j@example.org wrote ----"],
            &[
                "On Tue, Apr 11, 2017 at 10:07 PM John Smith",
                "",
                "<",
                "mailto:John Smith <j@example.org",
                "wrote:",
            ],
        ] {
            let found = attribution(lines).map(|found| (found.lines, found.certain));
            assert_eq!(found, Some((lines.len(), true)), "{lines:?}");
        }
    }

    #[test]
    fn an_attribution_may_share_its_line_with_the_last_words() {
        for (words, sentence) in [
            (
                "A Par H ",
                "On Wed, Apr 4, 2012 at 3:59 PM, ben@example.org wrote:",
            ),
            (
                "A Par H---",
                " On Wed, Apr 4, 2012 at 3:59 PM, me@example.org wrote:",
            ),
            ("A Par H ", "Am 02.03.2026 um 19:04 schrieb Ben:"),
        ] {
            let line = format!("{words}{sentence}");
            let at = line.len() - sentence.trim_start().len();
            assert_eq!(shared_line(&line), Some(at), "{line}");
        }
        for line in [
            "On Wed, Apr 4, 2012 at 3:59 PM, ben@example.org wrote:",
            "Ben <ben@example.org> On Mon, 2 Mar 2026 at 18:04 wrote:",
            "I go to Paris on Monday at 18:00, as Ben wrote:",
            "A Par H On hold:",
        ] {
            assert_eq!(shared_line(line), None, "{line}");
        }
    }

    #[test]
    fn dividers_are_known() {
        for line in [
            "-----Original Message-----",
            "---------- Forwarded message ---------",
            "-------- Ursprüngliche Nachricht --------",
            "-----Message d'origine-----",
            "Begin forwarded message:",
        ] {
            assert!(divides(line), "{line}");
        }
        for line in ["---", "original message", "A Par - Bur", "-- Ben", ""] {
            assert!(!divides(line), "{line}");
        }
    }

    #[test]
    fn outlooks_block_is_known() {
        assert!(header_block(&[
            "From: Judge <judge@example.org>",
            "Sent: Monday",
            "To: ben@example.org",
            "Subject: x"
        ]));
        assert!(header_block(&[
            "*Von:* Judge",
            "*Gesendet:* Montag",
            "*An:* Ben",
            "*Betreff:* x"
        ]));
        assert!(header_block(&[
            "De : Judge",
            "Envoyé : lundi",
            "À : Ben",
            "Objet : x"
        ]));
        assert!(!header_block(&[
            "From: the king",
            "Dear France",
            "To: war!"
        ]));
        assert!(!header_block(&[
            "To: a",
            "From: b",
            "Subject: c",
            "Sent: d"
        ]));
        assert!(!header_block(&[]));
    }
}
