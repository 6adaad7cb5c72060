//! Questions of what became of something: `Why did my army in Budapest die?`, `Who had the answer right?` They are about what a report
//! tells outside its list of orders.

use super::mentions::{distinct_provinces, marker};
use super::names::Names;
use super::passages::tells;
use super::subjects::{asks, stems};
use dipjudge_grammar::{Grammar, Text};

/// A sentence or an entry of a list of a report, and the heading above it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportPassage {
    /// The heading, or nothing.
    pub heading: String,
    /// The entry, on one line.
    pub text: String,
}

/// How an entry of a report ends; a line that ends otherwise goes on in the next.
const ENDS: [char; 4] = ['.', ')', '!', '?'];
/// How the lines at the head of a mail begin.
const HEAD: &str = "::";
/// What stands in entries about the time, which may name a month.
const DEADLINE: &str = "deadline";
/// What stands in entries that are orders.
const OF_ORDERS: [&str; 5] = [" -> ", " HOLD", " SUPPORT ", " CONVOY ", "No Order"];
/// Words of headings that tell nothing of what stands below them.
const COMMON: &str = "step movement result order unit spring summer fall autumn winter phase season following dislodged retreat why failed";
/// Words of headings above what is gone.
const FATES: &str = "death eaten";
/// Words of questions of all kinds that tell something in a heading.
const TELLING: &str = "question";

/// Whether a sentence asks for what became of something.
fn asks_what_became(grammar: &Grammar, names: &Names, sentence: &str) -> bool {
    let text = Text::new(sentence);
    let stands = |rule: &str| marker(grammar, names, rule, &text).is_some();
    asks(sentence) && (stands("asks-fate") || stands("asks-what-was") || stands("asks-units-of"))
}

/// The passages of the first of these reports that tells of what a question is about. The reports are read only for such a question.
pub fn passages_asked(
    grammar: &Grammar,
    names: &Names,
    question: &str,
    reports: impl FnOnce() -> Vec<String>,
) -> Vec<ReportPassage> {
    if !asks_what_became(grammar, names, question) {
        return Vec::new();
    }
    let reports = reports().into_iter();
    let mut found = reports.map(|report| passages_about(grammar, names, question, &report));
    found
        .find(|passages| !passages.is_empty())
        .unwrap_or_default()
}

/// The passages of a report that a question is about: those that name a place of the question, if it asks for something that is
/// gone, else those under a heading of which it speaks, or of that of which it asks where it is.
fn passages_about(
    grammar: &Grammar,
    names: &Names,
    question: &str,
    report: &str,
) -> Vec<ReportPassage> {
    let text = Text::new(question);
    let places = distinct_provinces(grammar, &text, names);
    let passages = passages_of(report).into_iter();
    if marker(grammar, names, "asks-fate", &text).is_some() && !places.is_empty() {
        let named =
            |passage: &ReportPassage| distinct_provinces(grammar, &Text::new(&passage.text), names);
        let is_about =
            |passage: &ReportPassage| named(passage).iter().any(|place| places.contains(place));
        let found: Vec<ReportPassage> = passages.filter(is_about).collect();
        // "Fleet Brest, 1 neighbor: Gascony" is about Brest.
        let is_of_place = |passage: &&ReportPassage| {
            let first = named(passage).first().copied();
            first.is_some_and(|first| places.contains(&first))
        };
        let of_place: Vec<ReportPassage> = found.iter().filter(is_of_place).cloned().collect();
        return if of_place.is_empty() { found } else { of_place };
    }
    if !places.is_empty() {
        return Vec::new();
    }
    let (common, telling) = (stems(COMMON), stems(TELLING));
    let mut asked = stems(question);
    if marker(grammar, names, "asks-fate", &text).is_some() {
        asked.extend(stems(FATES));
    }
    asked.retain(|word| (tells(word) || telling.contains(word)) && !common.contains(word));
    let is_headed = |passage: &ReportPassage| {
        let mut words = stems(&passage.heading).into_iter();
        words.any(|word| asked.contains(&word))
    };
    // "BORG: North Sea."
    let begins = |passage: &ReportPassage| {
        let begin = passage.text.split_once(':').map(|(begin, _)| stems(begin));
        begin.is_some_and(|begin| begin.len() == 1 && asked.contains(&begin[0]))
    };
    let asks_where = marker(grammar, names, "asks-units-of", &text).is_some();
    let is_about = |passage: &ReportPassage| {
        if asks_where {
            begins(passage)
        } else {
            is_headed(passage)
        }
    };
    passages.filter(is_about).collect()
}

/// The entries of a report that are no orders.
fn passages_of(report: &str) -> Vec<ReportPassage> {
    let mut passages = Vec::new();
    let mut heading = String::new();
    for paragraph in report.split("\n\n") {
        let lines: Vec<&str> = paragraph.lines().map(str::trim).collect();
        let entries = entries_of(&lines);
        match entries.as_slice() {
            [alone] if alone.ends_with(':') || alone.starts_with("Step ") => {
                heading.clone_from(alone);
            }
            _ => passages.extend(entries.into_iter().map(|text| ReportPassage {
                heading: heading.clone(),
                text,
            })),
        }
    }
    passages.retain(|one| !one.text.starts_with(HEAD) && !one.text.contains(DEADLINE));
    passages.retain(|one| !OF_ORDERS.iter().any(|order| one.text.contains(order)));
    passages
}

/// The entries of a paragraph, whose lines are broken.
fn entries_of(lines: &[&str]) -> Vec<String> {
    let mut entries: Vec<String> = Vec::new();
    for line in lines.iter().filter(|line| !line.is_empty()) {
        match entries.last_mut() {
            Some(entry) if !entry.ends_with(ENDS) => {
                entry.push(' ');
                entry.push_str(line);
            }
            _ => entries.push((*line).to_owned()),
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orders::standard;
    use crate::testing::names;

    const REPORT: &str = "Movement results for Summer of 1901.

Austria: Army Budapest HOLD.
Turkey: Army Smyrna -> Ankara.  (*bounce*)

Deaths in Summer of 1901 (a unit lives only with exactly two neighbors):

Austria: Army Budapest, 1 neighbor: Trieste.
Germany: Army Munich, 3 neighbors: Berlin,
Bohemia and Kiel.

Step 10: the question

Accepted: NUMBER: 1959.
Right: England, France.

The following units were dislodged:

The Austrian Army in Vienna can retreat to Trieste.

Beside the units:

BORG: North Sea.
";

    const NEWER: &str = "Births in Summer of 1901:

Austria: Army Vienna.
";

    fn found(question: &str) -> Vec<String> {
        let found = passages_asked(standard(), names(), question, || {
            vec![NEWER.to_owned(), REPORT.to_owned()]
        });
        found.into_iter().map(|passage| passage.text).collect()
    }

    #[test]
    fn a_question_of_what_is_gone_finds_what_the_report_tells_of_the_place() {
        assert_eq!(
            found("Why did my army in Budapest die?"),
            ["Austria: Army Budapest, 1 neighbor: Trieste."]
        );
        assert_eq!(
            found("where has my army in Bohemia gone?"),
            ["Germany: Army Munich, 3 neighbors: Berlin, Bohemia and Kiel."]
        );
        assert!(found("Why did my army in Budapest bounce?").is_empty());
    }

    #[test]
    fn a_question_that_names_a_heading_finds_what_stands_below_it() {
        assert_eq!(
            found("What was the answer to that question, and who had it right?"),
            ["Accepted: NUMBER: 1959.", "Right: England, France."]
        );
        assert_eq!(found("where is that BORG now?"), ["BORG: North Sea."]);
        assert!(found("What were my moves last fall again?").is_empty());
        assert!(found("What is the question?").is_empty());
        assert!(found("What was the movement of the summer?").is_empty());
    }
}
