//! The words with which mail programs begin a quotation, in several languages: "On … wrote:", the divider before an
//! original message, and Outlook's block of From, Sent, To, Subject.
//!
//! All arguments are cleaned texts ([`super::clean_line`]).

/// The longest attribution; mail programs wrap it over two or three lines.
const MAX_LENGTH: usize = 400;

/// The most lines of an attribution.
const MAX_LINES: usize = 3;

/// How an attribution may begin.
const OPENINGS: &[&str] = &[
    "on ", "am ", "le ", "el ", "il ", "op ", "em ", "den ", "dnia ", "w dniu ",
];

/// How an attribution ends, before the colon.
const ENDINGS: &[&str] = &[
    " wrote",
    " writes",
    " a écrit",
    " a ecrit",
    " écrit",
    " escribió",
    " escribio",
    " ha scritto",
    " scrive",
    " escreveu",
    " schrieb",
    " schreef",
    " skrev",
    " kirjoitti",
    " napisał(a)",
    " napisał",
    " napisała",
];

/// Verbs that stand before the name or the date: "Am 2. März 2026 schrieb Ben:", "Ben schreef op 2 maart:".
const INNER: &[&str] = &[" schrieb ", " schreef ", " skrev ", " geschreven door "];

/// The words between the dashes of a divider.
const DIVIDERS: &[&str] = &[
    "original message",
    "original appointment",
    "forwarded message",
    "ursprüngliche nachricht",
    "urspruengliche nachricht",
    "originalnachricht",
    "weitergeleitete nachricht",
    "message d'origine",
    "message original",
    "message transféré",
    "mensaje original",
    "mensaje reenviado",
    "messaggio originale",
    "messaggio inoltrato",
    "oorspronkelijk bericht",
    "doorgestuurd bericht",
    "mensagem original",
    "ursprungligt meddelande",
];

/// Dividers of Apple Mail, which have no dashes.
const BEGINNINGS: &[&str] = &[
    "begin forwarded message:",
    "anfang der weitergeleiteten nachricht:",
    "début du message réexpédié :",
    "début du message transféré :",
    "inicio del mensaje reenviado:",
    "inizio messaggio inoltrato:",
    "begin doorgestuurd bericht:",
];

/// The labels of Outlook's block, by what they name.
const LABELS: [&[&str]; 4] = [
    &[
        "from",
        "von",
        "de",
        "da",
        "van",
        "från",
        "fra",
        "от",
        "od",
        "lähettäjä",
    ],
    &[
        "sent",
        "date",
        "gesendet",
        "datum",
        "envoyé",
        "enviado",
        "fecha",
        "enviada",
        "data",
        "inviato",
        "verzonden",
        "skickat",
        "sendt",
        "отправлено",
        "дата",
        "wysłano",
        "wysłane",
        "data wysłania",
        "lähetetty",
    ],
    &[
        "to",
        "an",
        "à",
        "para",
        "a",
        "aan",
        "till",
        "til",
        "кому",
        "do",
        "vastaanottaja",
    ],
    &[
        "subject",
        "betreff",
        "objet",
        "asunto",
        "assunto",
        "oggetto",
        "onderwerp",
        "ämne",
        "emne",
        "тема",
        "temat",
        "aihe",
    ],
];

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
        if line.is_empty() || sentence.len() + line.len() > MAX_LENGTH {
            return None;
        }
        let line = line.to_lowercase();
        let opens = OPENINGS.iter().any(|opening| line.starts_with(opening));
        if count > 0 {
            // A second opening begins another sentence; the lines before it are the sender's.
            if opens {
                return None;
            }
            sentence.push(' ');
        }
        sentence.push_str(&line);
        if let Some(words) = before_quotation(&sentence)
            && (attributes(words) || (has_inner_verb(words) && (count > 0 || opens)))
        {
            let certain = names_a_time_or_address(words);
            return Some(Attribution {
                lines: count + 1,
                certain,
            });
        }
        // It continues in the next line only if this one already has the date.
        if !(count > 0 || opens && names_a_time_or_address(&sentence)) {
            return None;
        }
    }
    None
}

/// The sentence without its colon. Yahoo begins the quotation on the same line, after some blanks.
fn before_quotation(sentence: &str) -> Option<&str> {
    let words = match sentence.strip_suffix(':') {
        Some(words) => words,
        None => {
            sentence
                .split_once(":  ")
                .filter(|(words, _)| names_a_time_or_address(words))?
                .0
        }
    };
    Some(words.trim_end())
}

/// Whether a sentence, however it begins, says that somebody wrote.
fn attributes(words: &str) -> bool {
    let ends = ENDINGS.iter().any(|ending| words.ends_with(ending));
    // Gmail in languages that have no verb for it: "2026-03-02 10:00 GMT+01:00 Ben <ben@example.org>:".
    let bare = words.ends_with('>') && words.contains('<') && begins_with_date(words);
    ends || bare || (has_inner_verb(words) && names_a_time_or_address(words))
}

fn has_inner_verb(words: &str) -> bool {
    INNER.iter().any(|verb| words.contains(verb))
}

fn begins_with_date(words: &str) -> bool {
    let digits = |range: std::ops::Range<usize>| {
        words
            .get(range)
            .is_some_and(|part| part.bytes().all(|b| b.is_ascii_digit()))
    };
    digits(0..4) && words.get(4..5).is_some_and(|sign| "-/.".contains(sign)) && digits(5..7)
}

/// An address, a clock (`10:00`, `10.00`, `10h00`) or a year.
fn names_a_time_or_address(words: &str) -> bool {
    if words.contains('@') {
        return true;
    }
    let numbers: Vec<&str> = words
        .split(|c: char| !c.is_ascii_digit())
        .filter(|part| !part.is_empty())
        .collect();
    let year = numbers
        .iter()
        .any(|number| number.len() == 4 && (number.starts_with("19") || number.starts_with("20")));
    let bytes = words.as_bytes();
    let clock = bytes.windows(4).any(|four| match four {
        [hour, sign, ten, one] => {
            hour.is_ascii_digit()
                && matches!(sign, b':' | b'.' | b'h')
                && ten.is_ascii_digit()
                && one.is_ascii_digit()
        }
        _ => false,
    });
    // A year like 1901 proves nothing in Diplomacy; a year from 2000 on does.
    clock
        || (year
            && numbers
                .iter()
                .any(|number| number.len() == 4 && number.starts_with("20")))
}

/// Whether a line separates a sender's words from the original message below.
pub(super) fn divides(line: &str) -> bool {
    let line = line.trim().to_lowercase();
    if BEGINNINGS.contains(&line.as_str()) {
        return true;
    }
    let inner = line.trim_matches(['-', '_', '=', ' ', '*']);
    let dashed = line.starts_with("--") || line.starts_with("__") || line.starts_with("==");
    dashed && DIVIDERS.contains(&inner)
}

/// Whether Outlook's block begins at the first of these lines: From, and two of Sent, To and Subject within the next few.
pub(super) fn header_block(lines: &[&str]) -> bool {
    let mut found = [false; 4];
    for (count, line) in lines.iter().take(7).enumerate() {
        match label(line) {
            Some(kind) => {
                if let Some(seen) = found.get_mut(kind) {
                    *seen = true;
                }
            }
            None if line.trim().is_empty() && count > 0 => break,
            None => {}
        }
        if count == 0 && found != [true, false, false, false] {
            return false;
        }
    }
    found.iter().filter(|seen| **seen).count() >= 3
}

/// Which of the four labels a line begins with, also in bold: `*From:*`.
fn label(line: &str) -> Option<usize> {
    let line = line.trim().trim_start_matches('*');
    let (label, _) = line.split_once(':')?;
    let label = label.trim().trim_end_matches('*').to_lowercase();
    LABELS
        .iter()
        .position(|labels| labels.contains(&label.as_str()))
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
