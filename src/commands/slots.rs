//! What a sentence says that belongs into a line: dates, phases and time zones. `I live in Sydney` makes `SET ZONE {zone}` the line
//! `SET ZONE Australia/Sydney`.

use std::sync::LazyLock;

use super::date_words::DateWords;
use dipjudge_grammar::Text;
use dipjudge_rules::calendar::PhaseName;

/// The lines that a line with slots becomes by what a sentence says: one for each phase that it names, else one; none, if the
/// sentence does not fill each slot. Where its writer lives another sentence of the mail may say.
pub fn filled(line: &str, sentence: &str, mail: &str) -> Vec<String> {
    let mut line = line.to_owned();
    if line.contains(ZONE) {
        let Some(zone) = zone_named(sentence).or_else(|| zone_named(mail)) else {
            return Vec::new();
        };
        line = line.replace(ZONE, zone);
    }
    let mut dates = dates_named(sentence).into_iter();
    while line.contains(DATE) {
        let Some(date) = dates.next() else {
            return Vec::new();
        };
        line = line.replacen(DATE, &date, 1);
    }
    if !line.contains(PHASE) {
        return vec![line];
    }
    let phases = phases_named(sentence).into_iter();
    phases.map(|phase| line.replace(PHASE, &phase)).collect()
}

const ZONE: &str = "{zone}";
const DATE: &str = "{date}";
const PHASE: &str = "{phase}";

/// The fewest letters of a city's name: shorter ones are words of all kinds.
const SHORTEST_CITY: usize = 4;
/// Cities that are words or names of all kinds.
const NO_CITIES: [&str; 5] = ["center", "eastern", "central", "easter", "troll"];

/// The cities after which time zones are named, in small letters, each with its zone.
static CITIES: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let zones = jiff::tz::TimeZoneDatabase::bundled();
    let names = zones.available().map(|name| name.to_string());
    let cities = names.filter_map(|name| {
        let (continent, city) = name.split_once('/')?;
        let city = city.rsplit('/').next()?.replace('_', " ").to_lowercase();
        let is_city = continent != "Etc"
            && city.len() >= SHORTEST_CITY
            && !NO_CITIES.contains(&city.as_str());
        is_city.then(|| (city, name.clone()))
    });
    cities.collect()
});

/// The time zone whose city a sentence names.
fn zone_named(sentence: &str) -> Option<&'static str> {
    let sentence = words_apart(sentence);
    let named = CITIES
        .iter()
        .find(|(city, _)| sentence.contains(&format!(" {city} ")));
    named.map(|(_, zone)| zone.as_str())
}

/// A sentence in small letters, with one blank around each word.
fn words_apart(sentence: &str) -> String {
    let words = sentence.split(|sign: char| !sign.is_alphanumeric());
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    format!(" {} ", words.join(" "))
}

/// The dates that a sentence names: a day with its month, a day of the week, or one counted from today.
fn dates_named(sentence: &str) -> Vec<String> {
    let text = Text::new(sentence);
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let date = DateWords::read(&text, at).filter(|(_, date)| {
            date.weekday.is_some()
                || date.ahead.is_some()
                || date.day.is_some() && date.month.is_some()
        });
        at = match date {
            Some((end, date)) => {
                found.push(date.to_string());
                end
            }
            None => next_word(&text, at),
        };
    }
    found
}

/// The phases that a sentence names, as mails write them: `spring 1901`, `F1902M`.
pub fn phases_named(sentence: &str) -> Vec<String> {
    let text = Text::new(sentence);
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        at = match PhaseName::read(&text, at) {
            Some((end, phase)) => {
                found.push(phase.in_mail());
                end
            }
            None => next_word(&text, at),
        };
    }
    found
}

/// Where the word behind the one that begins here begins.
fn next_word(text: &Text<'_>, at: usize) -> usize {
    let end = text.word_end(at).max(at + 1);
    (end..text.len())
        .find(|at| text.in_word(*at))
        .unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::filled;

    #[test]
    fn a_line_is_filled_by_what_the_sentence_says() {
        for (line, sentence, lines) in [
            (
                "SET ZONE {zone}",
                "I'm in Sydney at the moment.",
                &["SET ZONE Australia/Sydney"][..],
            ),
            (
                "SET ZONE {zone}",
                "what is that in new york time?",
                &["SET ZONE America/New_York"],
            ),
            ("SET ZONE {zone}", "I never get this UTC thing", &[]),
            (
                "SET DEADLINE {date}",
                "please make it Monday 28 December for once",
                &["SET DEADLINE Mon 28 Dec"],
            ),
            ("SET DEADLINE {date}", "it is 20 past and 3 of us", &[]),
            (
                "SET ABSENCE {date} TO {date}",
                "I'm gone 24 December until 29 December, sorry",
                &["SET ABSENCE 24 Dec TO 29 Dec"],
            ),
            ("SET ABSENCE {date} TO {date}", "I'm gone on Friday", &[]),
            (
                "HISTORY {phase}",
                "what did everyone do in spring 1901 and in fall 1901?",
                &["HISTORY S1901M", "HISTORY F1901M"],
            ),
            ("HISTORY {phase}", "what happened last spring?", &[]),
        ] {
            assert_eq!(filled(line, sentence, sentence), lines, "{sentence}");
        }
    }
}
