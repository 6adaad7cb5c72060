//! Commands, settings and sentences as they were probably meant. Whoever proposes one of these lines must read it as any other
//! line first. For orders see [`order_corrections`](super::order_corrections).

use super::command_reader::{CommandLine, command_words, grammar, read_command};
use super::date_words::Calendar;
use super::likeness::{are_alike, replaced};
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

/// What a sentence asks for that is no command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SentenceRequest {
    /// These lines: a command, or press with its text.
    Lines(Vec<String>),
    /// That the masters move the deadline.
    MoreTime,
}

/// What a sentence probably asks for, such as `I am away from 20 to 27 December` or `Tell France: hold Burgundy`.
pub fn of_sentence(line: &str) -> Option<SentenceRequest> {
    let text = Text::new(line);
    let tree = grammar().read("meant", &text, 0, &Calendar)?;
    let sentence = tree.root(&text).first()?.to_line();
    let part = |rule: &str| sentence.text_of(rule).map(str::trim).unwrap_or_default();
    let lines = match sentence.rule.as_str() {
        "meant-draw" => vec!["SET DRAW".to_owned()],
        "meant-resign" => vec!["RESIGN".to_owned()],
        "meant-clear" => vec!["CLEAR ORDERS".to_owned()],
        "meant-absence" => {
            let until = part("away-until");
            // "20 to 27 December": the month stands behind the second day alone.
            let month = until
                .trim_start_matches(|c: char| c.is_ascii_digit())
                .trim();
            let from = match part("away-day") {
                "" => part("away-from").to_owned(),
                day => format!("{day} {month}"),
            };
            vec![format!("SET ABSENCE {from} TO {until}")]
        }
        "meant-time" => return Some(SentenceRequest::MoreTime),
        "meant-letter" => {
            let reader = part("meant-reader").trim_end_matches(':');
            let words = part("meant-text").to_owned();
            vec![format!("PRESS TO {reader}"), words, "ENDPRESS".to_owned()]
        }
        _ => return None,
    };
    Some(SentenceRequest::Lines(lines))
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
        let press = ["PRESS TO France", "hold in Burgundy", "ENDPRESS"].map(str::to_owned);
        let letter = of_sentence("Tell France: hold in Burgundy");
        assert_eq!(letter, Some(SentenceRequest::Lines(press.to_vec())));
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
