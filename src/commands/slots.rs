//! What a sentence says that belongs into a line: dates, phases and time zones. `I live in Sydney` makes `SET ZONE {zone}` the line
//! `SET ZONE Australia/Sydney`.

use std::sync::LazyLock;

use super::date_words::DateWords;
use super::prose::bare_words;
use dipjudge_grammar::{Text, number_in_words};
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
    if line.contains(QUOTED) {
        let Some(words) = quoted(sentence) else {
            return Vec::new();
        };
        line = line.replace(QUOTED, words);
    }
    let mut dates = dates_named(sentence).into_iter();
    while line.contains(DATE) {
        let Some(date) = dates.next() else {
            return Vec::new();
        };
        line = line.replacen(DATE, &date, 1);
    }
    for (slot, words) in HOURS_OF_PHASES {
        if line.contains(slot) {
            let Some(hours) = hours_of_phases(&wanted_part(sentence), words) else {
                return Vec::new();
            };
            line = line.replace(slot, &hours.to_string());
        }
    }
    if !line.contains(PHASE) {
        return vec![line];
    }
    let phases = phases_named(sentence).into_iter();
    phases.map(|phase| line.replace(PHASE, &phase)).collect()
}

/// A line in which each slot with an example, such as `{number or 15}`, holds what the sentence says of it, else the example.
pub fn with_examples(line: &str, sentence: &str) -> String {
    let mut rest = line;
    let mut filled = String::new();
    while let Some((before, behind)) = rest.split_once('{') {
        filled.push_str(before);
        let slot = behind.split_once('}').and_then(|(slot, after)| {
            let (kind, example) = slot.split_once(" or ")?;
            Some((
                said(kind, sentence)?.unwrap_or_else(|| example.to_owned()),
                after,
            ))
        });
        match slot {
            Some((word, after)) => {
                filled.push_str(&word);
                rest = after;
            }
            None => {
                filled.push('{');
                rest = behind;
            }
        }
    }
    filled + rest
}

/// What a sentence says of a slot of this kind, if it says just one thing; `None` if there is no such kind.
fn said(kind: &str, sentence: &str) -> Option<Option<String>> {
    let wanted = wanted_part(sentence);
    let found = match kind {
        "number" => numbers_named(&wanted),
        "hours" => hours_named(&wanted, |count, hours| count * hours),
        "turn" => hours_named(&wanted, of_turn),
        "clock" => clocks_named(&wanted),
        "address" => addresses_named(sentence),
        _ => return None,
    };
    let mut found = found.into_iter();
    Some(found.next().filter(|_| found.next().is_none()))
}

/// A sentence in small letters, without what it does not want: `fifteen rather than eighteen`.
fn wanted_part(sentence: &str) -> String {
    let sentence = sentence.to_lowercase();
    let end = UNWANTED.iter().filter_map(|words| sentence.find(words));
    let end = end.min().unwrap_or(sentence.len());
    sentence.get(..end).unwrap_or_default().to_owned()
}

/// Words behind which stands what a sentence does not want.
const UNWANTED: [&str; 4] = [" rather than ", " instead of ", " and not ", ", not "];

/// Greater numbers are years.
const GREATEST: u32 = 999;

fn number(word: &str) -> Option<u32> {
    // "One of us" counts nothing.
    let in_words = || {
        number_in_words(word)
            .filter(|number| *number > 1)
            .map(u32::from)
    };
    let number = word.parse().ok().or_else(in_words)?;
    (number <= GREATEST).then_some(number)
}

fn numbers_named(sentence: &str) -> Vec<String> {
    let numbers = bare_words(sentence).filter_map(number);
    numbers.map(|number| number.to_string()).collect()
}

/// The lengths of time that a sentence names, in hours: `48h`, `three days`. `hours_of` makes them of a count and the hours of its unit.
fn hours_named(sentence: &str, hours_of: impl Fn(u32, u32) -> u32) -> Vec<String> {
    let words: Vec<&str> = bare_words(sentence).collect();
    let apart = words.windows(2).filter_map(|pair| {
        let [count, unit] = pair else { return None };
        Some((counted(count)?, hours_of_unit(unit)?))
    });
    let joined = words.iter().filter_map(|word| joined_with_unit(word));
    let named = apart.chain(joined);
    named
        .map(|(count, unit)| hours_of(count, unit).to_string())
        .collect()
}

/// The slots for the length of a kind of phases, each with the words that name these.
const HOURS_OF_PHASES: [(&str, &[&str]); 3] = [
    ("{hours of moves}", &["move", "moves", "movement", "moving"]),
    ("{hours of retreats}", &["retreat", "retreats"]),
    (
        "{hours of builds}",
        &[
            "build",
            "builds",
            "adjustment",
            "adjustments",
            "winter",
            "winters",
        ],
    ),
];

/// The length of phases of this name that a sentence gives, in hours: `three days for moves and one for retreats and builds`, `moves 48
/// hours, builds 24 hours`.
fn hours_of_phases(sentence: &str, phases: &[&str]) -> Option<u32> {
    let all = || HOURS_OF_PHASES.iter().flat_map(|(_, words)| words.iter());
    let words: Vec<&str> = bare_words(sentence).collect();
    // The unit of the last length, the length to which no words before it lay claim, and what stands before its length.
    let (mut unit, mut length) = (None, None);
    let (mut waits, mut others_wait) = (false, false);
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1).and_then(|next| hours_of_unit(next));
        let apart = || Some((counted(word)?, next?));
        // "three days for moves and one for builds"
        let is_article = ["a", "an"].contains(word);
        let without_unit = || Some((counted(word).filter(|_| !is_article)?, unit?));
        if let Some((count, hours)) = joined_with_unit(word).or_else(apart).or_else(without_unit) {
            unit = Some(hours);
            length = Some(of_turn(count, hours)).filter(|_| waits || !others_wait);
            if waits {
                return length;
            }
            others_wait = false;
        } else if phases.contains(word) {
            if length.is_some() {
                return length;
            }
            waits = true;
        } else if length.is_none() && all().any(|other| other == word) {
            others_wait = true;
        }
    }
    None
}

/// The hours of a turn of so many units of time. Of whole days it is one less: a turn that runs at the hour of its deadline, and the next one
/// then falls on the same hour.
pub(super) fn of_turn(count: u32, hours: u32) -> u32 {
    count * hours - u32::from(hours > 1 && count > 0)
}

/// How many a word counts.
fn counted(word: &str) -> Option<u32> {
    match word {
        "a" | "an" | "one" => Some(1),
        word => number(word),
    }
}

/// A length in one word, `48h`: the count and the hours of the unit.
fn joined_with_unit(word: &str) -> Option<(u32, u32)> {
    let (count, unit) = word.split_at(word.find(|sign: char| !sign.is_ascii_digit())?);
    Some((number(count)?, hours_of_unit(unit)?))
}

fn hours_of_unit(unit: &str) -> Option<u32> {
    match unit {
        "h" | "hr" | "hrs" | "hour" | "hours" => Some(1),
        "d" | "day" | "days" => Some(24),
        "week" | "weeks" => Some(7 * 24),
        _ => None,
    }
}

/// The one hour of the day that a sentence names, as SET takes it.
pub(super) fn clock_named(sentence: &str) -> Option<String> {
    said("clock", sentence)?
}

/// The hours of the day that a sentence names: `20:00`, `8 pm`, `8 in the evening`, `noon`.
fn clocks_named(sentence: &str) -> Vec<String> {
    let mut sentence = sentence.to_owned();
    for (words, half) in HALVES_OF_DAY {
        sentence = sentence.replace(words, half);
    }
    let words = sentence.split_whitespace();
    let words = words.map(|word| word.trim_matches(|sign: char| !sign.is_alphanumeric()));
    let clocks = words.filter_map(|word| {
        if word == "noon" {
            return Some((12, 0));
        }
        let half = word.strip_suffix("pm").map(|rest| (rest, 12));
        let half = half.or_else(|| word.strip_suffix("am").map(|rest| (rest, 0)));
        if let Some((rest, more)) = half {
            let hour: u32 = rest.parse().ok().filter(|hour| (1..=12).contains(hour))?;
            return Some((hour % 12 + more, 0));
        }
        let (hour, minute) = word.split_once(':')?;
        let (hour, minute): (u32, u32) = (hour.parse().ok()?, minute.parse().ok()?);
        (hour < 24 && minute < 60).then_some((hour, minute))
    });
    clocks
        .map(|(hour, minute)| format!("{hour:02}:{minute:02}"))
        .collect()
}

/// How people say which half of the day an hour is in.
const HALVES_OF_DAY: [(&str, &str); 9] = [
    (" pm", "pm"),
    (" am", "am"),
    (" p.m.", "pm"),
    (" a.m.", "am"),
    (" o'clock", ""),
    (" in the evening", "pm"),
    (" in the afternoon", "pm"),
    (" at night", "pm"),
    (" in the morning", "am"),
];

fn addresses_named(sentence: &str) -> Vec<String> {
    let is_end = |sign: char| !sign.is_alphanumeric();
    let words = sentence.split_whitespace();
    let words = words.map(|word| word.trim_matches(is_end));
    let addresses = words.filter(|word| {
        let parts = word.split_once('@');
        parts.is_some_and(|(local, host)| !local.is_empty() && host.contains('.'))
    });
    addresses.map(str::to_owned).collect()
}

const ZONE: &str = "{zone}";
const DATE: &str = "{date}";
const PHASE: &str = "{phase}";
const QUOTED: &str = "{quoted}";

/// The fewest words in quotation marks that are a text of their own, and no name or term.
const FEWEST_QUOTED: usize = 3;

/// What a sentence holds in quotation marks, if it is one text.
fn quoted(sentence: &str) -> Option<&str> {
    let is_mark = |sign: char| matches!(sign, '"' | '\u{201c}' | '\u{201d}' | '\u{201e}');
    let mut parts = sentence.split(is_mark);
    let (_, words, _) = (parts.next()?, parts.next()?, parts.next()?);
    let is_text = parts.next().is_none() && bare_words(words).count() >= FEWEST_QUOTED;
    is_text.then(|| words.trim())
}

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

/// The time zone whose hours a sentence asks for: `When is the deadline in Paris time?`
pub fn zone_asked(sentence: &str) -> Option<&'static str> {
    let sentence = words_apart(sentence);
    // "What time is the deadline in Paris?"
    let asks_time = [" what time ", " what hour ", " which hour ", " deadline "]
        .iter()
        .any(|words| sentence.contains(words));
    let stands = |place: &str| {
        ["time", "hours"]
            .iter()
            .any(|word| sentence.contains(&format!(" {place} {word} ")))
            || asks_time && sentence.contains(&format!(" in {place} "))
    };
    let people = PEOPLE.iter().find(|(people, _)| stands(people));
    let cities = || CITIES.iter().find(|(city, _)| stands(city));
    people
        .map(|(_, zone)| *zone)
        .or_else(|| cities().map(|(_, zone)| zone.as_str()))
}

/// Time zones by the people who live in them, as they stand before "time".
const PEOPLE: [(&str, &str); 12] = [
    ("british", "Europe/London"),
    ("uk", "Europe/London"),
    ("english", "Europe/London"),
    ("french", "Europe/Paris"),
    ("german", "Europe/Berlin"),
    ("central european", "Europe/Berlin"),
    ("italian", "Europe/Rome"),
    ("spanish", "Europe/Madrid"),
    ("swedish", "Europe/Stockholm"),
    ("dutch", "Europe/Amsterdam"),
    ("us eastern", "America/New_York"),
    ("us pacific", "America/Los_Angeles"),
];

/// A sentence in small letters, with one blank around each word.
fn words_apart(sentence: &str) -> String {
    let words: Vec<String> = bare_words(sentence).map(str::to_lowercase).collect();
    format!(" {} ", words.join(" "))
}

/// Words behind a day without its month: `from the 5th to the 12th of December`.
const BEHIND_DAYS: [&str; 9] = [
    "to", "until", "till", "through", "and", "at", "in", "on", "or",
];

/// The dates that a sentence names: a day with its month or article, a day of the week, or one counted from today. A day without a
/// month is of that of the next date.
fn dates_named(sentence: &str) -> Vec<String> {
    let text = Text::new(sentence);
    let mut found: Vec<DateWords> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let has_article = text.folded(at..text.word_end(at)) == "the";
        let date = DateWords::read(&text, at).filter(|(end, date)| {
            let next = text.skip_blanks(*end);
            let behind = text.folded(next..text.word_end(next));
            let is_day = has_article && (behind.is_empty() || BEHIND_DAYS.contains(&behind));
            date.weekday.is_some()
                || date.ahead.is_some()
                || date.day.is_some() && (date.month.is_some() || is_day)
        });
        at = match date {
            Some((end, date)) => {
                found.push(date);
                end
            }
            None => next_word(&text, at),
        };
    }
    let mut month = None;
    for date in found.iter_mut().rev() {
        if date.day.is_some() && date.weekday.is_none() {
            date.month = date.month.or(month);
        }
        month = date.month;
    }
    // "until Monday evening, 20:00 UTC"
    if let [only] = found.as_mut_slice()
        && only.time.is_none()
        && let Some(clock) = clock_named(sentence)
        && let Some(named) = DateWords::parse(&format!("{only} {clock}"))
    {
        *only = named;
    }
    found.iter().map(DateWords::to_string).collect()
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
    use super::{filled, with_examples};

    #[test]
    fn a_slot_with_an_example_holds_what_the_sentence_says() {
        for (line, sentence, filled) in [
            (
                "SET CENTERS {number or 15}",
                "Could we play to fourteen rather than eighteen?",
                "SET CENTERS 14",
            ),
            (
                "SET CENTERS {number or 15}",
                "make it 20 centers",
                "SET CENTERS 20",
            ),
            (
                "SET CENTERS {number or 15}",
                "fewer centers, please",
                "SET CENTERS 15",
            ),
            (
                "SET CENTERS {number or 15}",
                "ten or twelve of them",
                "SET CENTERS 15",
            ),
            (
                "SET MOVE NEXT {turn or 71}",
                "a turn should take four days",
                "SET MOVE NEXT 95",
            ),
            (
                "SET REMIND {hours or 24}",
                "remind me 6h before, please",
                "SET REMIND 6",
            ),
            (
                "SET MOVE CLOCK {clock or 18:00}",
                "Could turns run at 9 pm?",
                "SET MOVE CLOCK 21:00",
            ),
            (
                "SET MOVE CLOCK {clock or 18:00}",
                "at 20:30 instead of 23:30",
                "SET MOVE CLOCK 20:30",
            ),
            (
                "SET DENY PLAYER {address or bob@example.net}",
                "Keep mark@example.com out!",
                "SET DENY PLAYER mark@example.com",
            ),
            ("PRESS TO {power}", "to France", "PRESS TO {power}"),
        ] {
            assert_eq!(with_examples(line, sentence), filled, "{sentence}");
        }
    }

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
                "SET DEADLINE {date}",
                "let's give everybody until Monday evening, 20:00",
                &["SET DEADLINE Mon 20:00"],
            ),
            (
                "SET MOVE NEXT {hours of moves}",
                "three days for moves and one for retreats and builds",
                &["SET MOVE NEXT 71"],
            ),
            (
                "SET ADJUST NEXT {hours of builds}",
                "three days for moves and one for retreats and builds",
                &["SET ADJUST NEXT 23"],
            ),
            (
                "SET RETREAT NEXT {hours of retreats}",
                "moves 48 hours, retreats and builds 24 hours",
                &["SET RETREAT NEXT 24"],
            ),
            ("SET MOVE NEXT {hours of moves}", "make it two days", &[]),
            (
                "SET COMMENT {quoted}",
                "Could you put a note with it: \"Friendly game, beginners welcome.\" Thanks",
                &["SET COMMENT Friendly game, beginners welcome."],
            ),
            ("SET COMMENT {quoted}", "call it \"winter\"", &[]),
            (
                "SET ABSENCE {date} TO {date}",
                "I'm gone 24 December until 29 December, sorry",
                &["SET ABSENCE 24 Dec TO 29 Dec"],
            ),
            ("SET ABSENCE {date} TO {date}", "I'm gone on Friday", &[]),
            (
                "SET ABSENCE {date} TO {date}",
                "I'm in Madeira from the 5th to the 12th of December",
                &["SET ABSENCE 5 Dec TO 12 Dec"],
            ),
            (
                "SET DEADLINE {date}",
                "move it to Thursday the 10th, same time of day",
                &["SET DEADLINE Thu 10"],
            ),
            ("SET DEADLINE {date}", "I keep the 2nd build back", &[]),
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
