//! Commands, settings and sentences as they were probably meant. Whoever proposes one of these lines must read it as any other
//! line first. For orders see [`order_corrections`](super::order_corrections).

use super::command_reader::{CommandLine, command_words, grammar, read_command};
use super::date_words::Calendar;
use super::letters::{self, Heading, HeadingReaders, names_anywhere, with_colon_apart};
pub use super::likeness::are_alike;
use super::likeness::replaced;
use super::prose::parts_of;
use super::settings::{SetItem, read_settings, setting_words};
use super::slots::{clock_named, of_turn};
use dipjudge_grammar::{Text, number_in_words};

/// The command that a line was probably meant as, where its first word is nearly that of just one. A command that swallows
/// the lines behind it is none of these, since they have been read already.
pub fn of_command(line: &str) -> Option<String> {
    let line = line.trim();
    let first = line.split_whitespace().next()?;
    // "Who are we waiting for?" is no misspelt WHY.
    if QUESTION_WORDS
        .iter()
        .any(|word| first.eq_ignore_ascii_case(word))
    {
        return None;
    }
    let alike = command_words().iter().filter(|word| are_alike(first, word));
    let meant = alike.filter_map(|word| replaced(line, 0, first, &word.to_ascii_uppercase()));
    only(meant.filter(|line| match read_command("command", line) {
        // "See my orders below" is no setting.
        Some(CommandLine::One(read)) if read.rule == "set" => {
            let items = read_settings(read.words().unwrap_or_default());
            items.iter().all(|item| matches!(item, SetItem::Known(_)))
        }
        Some(CommandLine::One(_)) => true,
        _ => false,
    }))
}

/// From what somebody is to go, where a sentence names the game and not him: `EJECT the game`.
pub const THE_GAME: &str = "the game";

/// Words with which questions begin.
const QUESTION_WORDS: [&str; 7] = ["who", "why", "how", "what", "when", "where", "which"];

/// The options of a PRESS line whose first word is misspelt.
pub fn misspelt_press(line: &str) -> Option<&str> {
    let (first, options) = line.trim().split_once(' ')?;
    are_alike(first, "press").then(|| options.trim())
}

/// What a sentence asks for that is no command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SentenceRequest {
    /// These lines.
    Lines(Vec<String>),
    /// The same, if the sender is a master.
    OfMaster(Vec<String>),
    /// That the deadline is so many days later, if the sender is a master; else that the masters move it.
    Longer(i64),
    /// That the deadline is at this date, at the hour that it has, if the sender is a master.
    SameHour(String),
    /// The powers that the sender would like to play.
    Preference {
        /// The dearest first.
        first: Vec<String>,
        /// Those that he would like least.
        last: Vec<String>,
    },
    /// Orders of this power, which stand in the lines behind it, if the sender is a master.
    OrdersOf(String),
    /// This order.
    Order(String),
    /// The orders of the last phase once more; the sentence may order units otherwise.
    SameOrders,
    /// That the masters move the deadline.
    MoreTime,
    /// That a letter goes to somebody, as he is called, or to all; the text may go on in the lines behind it.
    Letter {
        /// The readers; none for all.
        to: Vec<String>,
        /// The words of the letter on the same line: all of it where it begins as letters do, `Dear France, ...`.
        text: String,
    },
    /// That a letter goes to all but these.
    LetterToOthers {
        /// Who is not to read it.
        except: Vec<String>,
        /// Its words on the same line.
        text: String,
    },
}

/// What a line probably asks for, such as `I am away from 20 to 27 December` or `Tell France: hold Burgundy`. Where the whole line
/// is no such sentence, one of its sentences or clauses may be: `Sorry, I quit. No time any more.`
pub fn of_sentence(line: &str) -> Option<SentenceRequest> {
    let is_part = |request: &SentenceRequest| {
        !matches!(
            request,
            SentenceRequest::Letter { .. }
                | SentenceRequest::LetterToOthers { .. }
                | SentenceRequest::OrdersOf(_)
        )
    };
    request(line).or_else(|| {
        let parts = parts_of(line).into_iter();
        parts.filter_map(request).find(is_part)
    })
}

/// All that a master's sentence asks for: `Make the turns four days, and change the comment to ...`.
pub fn lines_of_master(line: &str) -> Vec<String> {
    let head = |line: &str| -> Vec<String> {
        let words = line.split_whitespace().take(2);
        words.map(str::to_owned).collect()
    };
    let mut found: Vec<String> = Vec::new();
    // The longest parts come first, so what a later part says of the same setting is cut short.
    for part in parts_of(line) {
        if let Some(SentenceRequest::OfMaster(lines)) = request(part)
            && !lines
                .iter()
                .any(|line| found.iter().any(|known| head(known) == head(line)))
        {
            found.extend(lines);
        }
    }
    // "Four days for the moves and two for builds, always at 8 in the evening"
    if found.iter().any(|line| line.starts_with("SET MOVE NEXT"))
        && let Some(clock) = clock_named(line)
    {
        let phases = ["MOVE", "RETREAT", "ADJUST"];
        found.extend(phases.map(|phase| format!("SET {phase} CLOCK {clock}")));
    }
    found
}

/// Whether a sentence says that its writer wants to play in a game.
pub fn asks_to_join(sentence: &str) -> bool {
    names_anywhere(grammar(), "joins-game", sentence)
}

/// The lines for which a sentence or clause of a letter asks: `Hi all, I'm sorry but I can't continue.`
pub fn lines_asked_within(line: &str) -> Option<Vec<String>> {
    parts_of(line)
        .into_iter()
        .find_map(|part| match request(part) {
            Some(SentenceRequest::Lines(lines)) => Some(lines),
            _ => None,
        })
}

/// A sentence with the words for which people write these.
fn without_abbreviations(sentence: &str) -> String {
    let word = |word: &str| match word.to_ascii_lowercase().as_str() {
        "pls" | "plz" => "please".to_owned(),
        "u" => "you".to_owned(),
        "im" => "I'm".to_owned(),
        "dont" => "don't".to_owned(),
        "cant" => "can't".to_owned(),
        "e-mail" => "email".to_owned(),
        _ => word.to_owned(),
    };
    let words: Vec<String> = sentence.split(' ').map(word).collect();
    words.join(" ")
}

/// A counted number of days.
fn counted(words: &str) -> i64 {
    let words = words.trim().to_ascii_lowercase();
    let in_words = || number_in_words(&words).map(i64::from);
    words.parse().ok().or_else(in_words).unwrap_or(1)
}

fn request(line: &str) -> Option<SentenceRequest> {
    let whole = line.trim();
    let plain = without_abbreviations(whole);
    let plain = with_colon_apart(&plain);
    no_letter(&plain).or_else(|| letters::of_sentence(whole, &plain).map(SentenceRequest::from))
}

impl From<Heading> for SentenceRequest {
    fn from(Heading { readers, text }: Heading) -> Self {
        match readers {
            HeadingReaders::AllBut(except) if !except.is_empty() => {
                Self::LetterToOthers { except, text }
            }
            HeadingReaders::AllBut(to) | HeadingReaders::Only(to) => Self::Letter { to, text },
        }
    }
}

/// What a sentence asks for that is no letter.
fn no_letter(line: &str) -> Option<SentenceRequest> {
    let text = Text::new(line);
    let tree = grammar().read("meant", &text, 0, &Calendar)?;
    let sentence = tree.root(&text).first()?.to_line();
    let part = |rule: &str| sentence.text_of(rule).map(str::trim).unwrap_or_default();
    let line = |line: &str| SentenceRequest::Lines(vec![line.to_owned()]);
    let of_master = |line: &str| SentenceRequest::OfMaster(vec![line.to_owned()]);
    let signs = |sign: char| !sign.is_alphanumeric();
    let all_of = |rule: &str| -> Vec<String> {
        let parts = sentence.parts.iter().filter(|part| part.rule == rule);
        let words = parts.map(|part| part.text.trim().trim_matches(signs).to_owned());
        words.filter(|word| !word.is_empty()).collect()
    };
    Some(match sentence.rule.as_str() {
        "meant-draw" => line("SET DRAW"),
        "meant-no-draw" => line("SET NO DRAW"),
        "meant-concede" => line(&format!(
            "SET CONCEDE {}",
            part("conceded-to").trim_matches(signs)
        )),
        "meant-resign" => line("RESIGN"),
        "meant-clear" => line("CLEAR ORDERS"),
        "meant-wait" => line("SET WAIT"),
        "meant-ready" => line("SET NO WAIT"),
        "meant-cancel" | "meant-cancel-unit" => {
            let signs = |sign: char| matches!(sign, '.' | '!' | '?' | ',');
            let unit = match part("meant-unit") {
                "" => part("cancelled-unit"),
                unit => unit,
            };
            let unit = unit.trim_end_matches(signs);
            // A unit without an order holds.
            SentenceRequest::Order(format!("{unit} H"))
        }
        "meant-absence" => {
            let until = part("away-until");
            // "20 to 27 December": the month stands behind the second day alone.
            let month = until
                .trim_start_matches(|c: char| c.is_ascii_digit())
                .trim();
            let from = match (part("away-day"), part("away-from")) {
                ("", "") => "today".to_owned(),
                ("", from) => from.to_owned(),
                (day, _) => format!("{day} {month}"),
            };
            line(&format!("SET ABSENCE {from} TO {until}"))
        }
        "meant-time" => SentenceRequest::MoreTime,
        "meant-same" => SentenceRequest::SameOrders,
        "meant-deadline" if sentence.has("deadline-hour") => {
            SentenceRequest::SameHour(part("deadline-at").to_owned())
        }
        "meant-deadline" => of_master(&format!("SET DEADLINE {}", part("deadline-at"))),
        "meant-comment" => {
            let marks = |sign: char| {
                matches!(
                    sign,
                    '\'' | '"' | '.' | '\u{2018}' | '\u{2019}' | '\u{201c}' | '\u{201d}'
                )
            };
            of_master(&format!(
                "SET COMMENT {}",
                part("comment-text").trim_matches(marks)
            ))
        }
        "meant-process" => of_master("PROCESS"),
        "meant-begin" => of_master("FORCE BEGIN"),
        "meant-pause" => of_master("PAUSE"),
        "meant-resume" => of_master("RESUME"),
        "meant-end-game" => of_master("TERMINATE"),
        "meant-longer" => SentenceRequest::Longer(counted(part("longer-by"))),
        "meant-rhythm" => {
            let days = |rule: &str| {
                let part = sentence.find(rule)?;
                let days = counted(part.text_of("counted").unwrap_or_default());
                Some(of_turn(u32::try_from(days).ok()?, 24))
            };
            let moves = days("rhythm-moves")
                .or_else(|| days("rhythm-all"))
                .or_else(|| days("rhythm-every"))?;
            let mut lines = vec![format!("SET MOVE NEXT {moves}")];
            if let Some(rest) = days("rhythm-rest") {
                // "5 days for the moves and 2 for the builds" leaves retreats as they are.
                let named = sentence.text_of("rhythm-rest").unwrap_or_default();
                let named = named.to_lowercase();
                let names = |kind: &str| named.contains(kind) || named.contains("rest");
                let kinds = [
                    ("retreat", "RETREAT"),
                    ("build", "ADJUST"),
                    ("adjust", "ADJUST"),
                ];
                let kinds = kinds.into_iter().filter(|(kind, _)| names(kind));
                let mut settings: Vec<&str> = kinds.map(|(_, setting)| setting).collect();
                settings.dedup();
                let rest = settings.iter().map(|one| format!("SET {one} NEXT {rest}"));
                lines.extend(rest);
            }
            SentenceRequest::OfMaster(lines)
        }
        "meant-rollback" => of_master("ROLLBACK"),
        "meant-eject" => {
            let ejected = part("ejected").trim_matches(signs);
            of_master(&format!(
                "EJECT {}",
                if ejected.is_empty() {
                    THE_GAME
                } else {
                    ejected
                }
            ))
        }
        "meant-promote" => of_master(&format!("PROMOTE {}", part("promoted"))),
        "meant-become" => {
            SentenceRequest::OrdersOf(part("become-power").trim_matches(signs).to_owned())
        }
        "meant-preference" => SentenceRequest::Preference {
            first: all_of("preferred"),
            last: sentence
                .find("disliked")
                .map(|word| word.text.trim().trim_matches(signs).to_owned())
                .into_iter()
                .collect(),
        },
        "meant-address" => {
            let address = part("new-address").trim_matches(signs);
            if !address.contains('@') {
                return None;
            }
            line(&format!("SET ADDRESS {address}"))
        }
        "meant-no-pictures" => line("SET PICTURES OFF"),
        "meant-password" => line("GET PASSWORD"),
        _ => return None,
    })
}

/// The `SET` line that was probably meant by what stands behind `SET`, where one word of it is nearly that of just one setting.
pub fn of_setting(behind: &str) -> Option<String> {
    let is_known = |item: &SetItem| matches!(item, SetItem::Known(_));
    let items = read_settings(behind);
    let Some(SetItem::Named { name, value, .. }) = items.last() else {
        return None;
    };
    let at = behind.match_indices(name.as_str()).find_map(|(at, _)| {
        let rest = behind.get(at + name.len()..)?;
        let is_value = rest.trim_matches(|c: char| c == '=' || c.is_whitespace()) == value.trim();
        is_value.then_some(at)
    })?;
    let alike = setting_words().iter().filter(|word| are_alike(name, word));
    let meant = alike.filter_map(|word| replaced(behind, at, name, &word.to_ascii_uppercase()));
    let meant = only(meant.filter(|line| {
        let items = read_settings(line);
        !items.is_empty() && items.iter().all(is_known)
    }))?;
    Some(format!("SET {}", meant.trim()))
}

/// The one thing that there is, however often.
fn only(mut all: impl Iterator<Item = String>) -> Option<String> {
    let first = all.next()?;
    all.all(|other| other == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_known_by_their_first_word() {
        assert_eq!(of_command("LSIT kaiser").as_deref(), Some("LIST kaiser"));
        assert_eq!(of_command("hlep press").as_deref(), Some("HELP press"));
        assert_eq!(of_command("clera orders").as_deref(), Some("CLEAR orders"));
        assert_eq!(
            of_command("PRES TO F"),
            None,
            "its text has been read already"
        );
        assert_eq!(of_command("Vienna holds"), None);
        assert_eq!(of_command("see my orders below"), None);
    }

    #[test]
    fn sentences_are_known_by_what_they_ask_for() {
        let one = |line: &str| Some(SentenceRequest::Lines(vec![line.to_owned()]));
        for (sentence, line) in [
            ("draw", "SET DRAW"),
            ("I vote for a draw.", "SET DRAW"),
            ("I quit!", "RESIGN"),
            ("cancel my orders please", "CLEAR ORDERS"),
            (
                "please forget those orders, I need to hear from Austria first",
                "CLEAR ORDERS",
            ),
            (
                "Those are only preliminary so please don't run the turn until the deadline",
                "SET WAIT",
            ),
            ("Wait for the deadline please", "SET WAIT"),
            ("I'm against a draw, play on", "SET NO DRAW"),
            (
                "I propose that we concede the game to Russia.",
                "SET CONCEDE Russia",
            ),
            ("Let's concede to Russia", "SET CONCEDE Russia"),
            (
                "I'm off skiing from Saturday to Wednesday with no internet, can the game wait for me?",
                "SET ABSENCE Saturday TO Wednesday",
            ),
            (
                "pls note new email: cleo.private@example.net (from monday)",
                "SET ADDRESS cleo.private@example.net",
            ),
            (
                "I'm really sorry but with the new baby I can't continue.",
                "RESIGN",
            ),
            (
                "I am away from 20 to 27 December",
                "SET ABSENCE 20 December TO 27 December",
            ),
            ("away from 3 Jan until 5 Feb", "SET ABSENCE 3 Jan TO 5 Feb"),
        ] {
            assert_eq!(of_sentence(sentence), one(line), "{sentence}");
        }
        let time = of_sentence("Can we have two more days?");
        assert_eq!(time, Some(SentenceRequest::MoreTime));
        let letter = |to: &str, text: &str| {
            Some(SentenceRequest::Letter {
                to: vec![to.to_owned()],
                text: text.to_owned(),
            })
        };
        for (sentence, text) in [
            ("Tell France: hold in Burgundy", "hold in Burgundy"),
            ("Dear France, how are you?", "Dear France, how are you?"),
            ("Dear France,", "Dear France,"),
            ("Message for France:", ""),
        ] {
            assert_eq!(of_sentence(sentence), letter("France", text), "{sentence}");
        }
        let greets = of_sentence("hello i am turkey, i want that army of constantinople");
        assert!(
            !matches!(greets, Some(SentenceRequest::Letter { .. })),
            "{greets:?}"
        );
        for sentence in [
            "Hi England, hi Germany! How about a western triple?",
            "Dear England and Germany,",
        ] {
            let Some(SentenceRequest::Letter { to, .. }) = of_sentence(sentence) else {
                panic!("{sentence}");
            };
            assert_eq!(to, ["England", "Germany"], "{sentence}");
        }
        for (sentence, text) in [
            ("can you let France know I'm staying out", "I'm staying out"),
            (
                "msg France: lets leave it empty ok?",
                "lets leave it empty ok?",
            ),
            ("Please forward this to France. Dirk, look", "Dirk, look"),
        ] {
            assert_eq!(of_sentence(sentence), letter("France", text), "{sentence}");
        }
        let cancelled = of_sentence("cancel my order for London.");
        assert_eq!(
            cancelled,
            Some(SentenceRequest::Order("London H".to_owned()))
        );
        for prose in [
            "I quit smoking",
            "France and I draw a line",
            "A Par - Bur",
            "away we go",
        ] {
            assert_eq!(of_sentence(prose), None, "{prose}");
        }
    }

    #[test]
    fn a_sentence_or_clause_of_a_line_may_ask_for_something() {
        let one = |line: &str| Some(SentenceRequest::Lines(vec![line.to_owned()]));
        for (line, meant) in [
            ("I quit. Sorry, no time any more.", "RESIGN"),
            (
                "Sorry something came up, please remove me from the game",
                "RESIGN",
            ),
            (
                "I'm away from 20 to 27 December, hope that's ok.",
                "SET ABSENCE 20 December TO 27 December",
            ),
            (
                "My new email address is ben@example.net, please use that",
                "SET ADDRESS ben@example.net",
            ),
            ("Please stop sending me pictures", "SET PICTURES OFF"),
            (
                "Game is paused from 20 Dec until 3 Jan. Happy holidays!",
                "SET ABSENCE 20 Dec TO 3 Jan",
            ),
            (
                "I forgot my password for alpine, can you reset it?",
                "GET PASSWORD",
            ),
        ] {
            assert_eq!(of_sentence(line), one(meant), "{line}");
        }
        let to = |line: &str| match of_sentence(line) {
            Some(SentenceRequest::Letter { to, .. }) => to.join(" "),
            other => format!("{other:?}"),
        };
        assert_eq!(to("To Austria and Italy: DMZ in Tyrolia?"), "Austria Italy");
        assert_eq!(to("@Turkey - let's bounce"), "Turkey");
        assert_eq!(to("Message for the GM: I am late"), "M");
        assert_eq!(to("Announcement to all players: hurry"), "");
    }

    #[test]
    fn a_master_asks_for_what_masters_do() {
        let of_master = |line: &str| match of_sentence(line) {
            Some(SentenceRequest::OfMaster(lines)) => lines.join("; "),
            other => format!("{other:?}"),
        };
        for (line, meant) in [
            (
                "Dirk has left. Please take him out of Germany so that someone can take over.",
                "EJECT Germany",
            ),
            (
                "Please undo the spring turn, England's orders were misread.",
                "ROLLBACK",
            ),
            ("I want Olga to become master too", "PROMOTE Olga"),
            (
                "3 days for moves and 1 day for retreats and builds",
                "SET MOVE NEXT 71; SET RETREAT NEXT 23; SET ADJUST NEXT 23",
            ),
            ("Please pause the game. Happy holidays!", "PAUSE"),
        ] {
            assert_eq!(of_master(line), meant, "{line}");
        }
        for (line, days) in [
            ("Please extend the deadline by two days.", 2),
            ("Let's give everyone one more day for this turn", 1),
        ] {
            assert_eq!(
                of_sentence(line),
                Some(SentenceRequest::Longer(days)),
                "{line}"
            );
        }
    }

    #[test]
    fn settings_are_known_by_their_name() {
        assert_eq!(of_setting("wiat").as_deref(), Some("SET WAIT"));
        assert_eq!(
            of_setting("dedline Friday 20:00").as_deref(),
            Some("SET DEADLINE Friday 20:00")
        );
        assert_eq!(of_setting("colour blue"), None);
    }
}
