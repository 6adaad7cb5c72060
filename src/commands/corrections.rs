//! Commands, settings and sentences as they were probably meant. Whoever proposes one of these lines must read it as any other
//! line first. For orders see [`order_corrections`](super::order_corrections).

use super::command_reader::{CommandLine, command_words, grammar, read_command};
use super::date_words::Calendar;
pub use super::likeness::are_alike;
use super::likeness::replaced;
use super::order_corrections::denies;
use super::settings::{SetItem, read_settings, setting_words};
use dipjudge_grammar::Text;

/// The command that a line was probably meant as, where its first word is nearly that of just one. A command that swallows
/// the lines behind it is none of these, since they have been read already.
pub fn of_command(line: &str) -> Option<String> {
    let line = line.trim();
    let first = line.split_whitespace().next()?;
    let alike = command_words().iter().filter(|word| are_alike(first, word));
    let meant = alike.filter_map(|word| replaced(line, 0, first, &word.to_ascii_uppercase()));
    only(meant.filter(|line| matches!(read_command("command", line), Some(CommandLine::One(_)))))
}

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
    OfMaster(String),
    /// This order.
    Order(String),
    /// That the masters move the deadline.
    MoreTime,
    /// That a letter goes to somebody, as he is called, or to all; the text may go on in the lines behind it.
    Letter {
        /// The reader; `None` for all.
        to: Option<String>,
        /// The words on the same line.
        text: String,
    },
}

/// What a sentence probably asks for, such as `I am away from 20 to 27 December` or `Tell France: hold Burgundy`.
pub fn of_sentence(line: &str) -> Option<SentenceRequest> {
    let text = Text::new(line);
    let tree = grammar().read("meant", &text, 0, &Calendar)?;
    let sentence = tree.root(&text).first()?.to_line();
    let part = |rule: &str| sentence.text_of(rule).map(str::trim).unwrap_or_default();
    let line = |line: &str| SentenceRequest::Lines(vec![line.to_owned()]);
    let of_master = |line: &str| SentenceRequest::OfMaster(line.to_owned());
    Some(match sentence.rule.as_str() {
        "meant-draw" => line("SET DRAW"),
        "meant-no-draw" => line("SET NO DRAW"),
        "meant-resign" => line("RESIGN"),
        "meant-clear" => line("CLEAR ORDERS"),
        "meant-wait" => line("SET WAIT"),
        "meant-ready" => line("SET NO WAIT"),
        "meant-cancel" => {
            let signs = |sign: char| matches!(sign, '.' | '!' | '?' | ',');
            let unit = part("meant-unit").trim_end_matches(signs);
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
        "meant-deadline" => of_master(&format!("SET DEADLINE {}", part("deadline-at"))),
        "meant-process" => of_master("PROCESS"),
        "meant-begin" => of_master("FORCE BEGIN"),
        "meant-pause" => of_master("PAUSE"),
        "meant-resume" => of_master("RESUME"),
        "meant-end-game" => of_master("TERMINATE"),
        "meant-all" => SentenceRequest::Letter {
            to: None,
            text: part("meant-text").to_owned(),
        },
        "meant-letter" | "meant-dear" => {
            let reader = match part("meant-reader") {
                "" => part("reader-alone"),
                reader => reader,
            };
            let signs = |sign: char| matches!(sign, ':' | ',' | '!');
            SentenceRequest::Letter {
                to: Some(reader.trim_end_matches(signs).to_owned()),
                text: part("meant-text").to_owned(),
            }
        }
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

/// Whether words deny something: "not alpine, please".
pub fn is_denied(words: &str) -> bool {
    denies(words)
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
                to: Some(to.to_owned()),
                text: text.to_owned(),
            })
        };
        for (sentence, text) in [
            ("Tell France: hold in Burgundy", "hold in Burgundy"),
            ("Dear France, how are you?", "how are you?"),
            ("Dear France,", ""),
            ("Message for France:", ""),
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
    fn settings_are_known_by_their_name() {
        assert_eq!(of_setting("wiat").as_deref(), Some("SET WAIT"));
        assert_eq!(
            of_setting("dedline Friday 20:00").as_deref(),
            Some("SET DEADLINE Friday 20:00")
        );
        assert_eq!(of_setting("colour blue"), None);
    }
}
