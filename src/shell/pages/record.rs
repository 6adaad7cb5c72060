//! The record of a game as a book in one file that a player can keep, send or publish: every mail of its history in the order of
//! play, phase by phase. A bar steps through the phases by buttons and by keys; without a script all phases follow one another.

use super::page;
use dipjudge_view::markup::escaped;

/// The content of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// The title: `kaiser, Standard`.
    pub title: String,
    /// What the record contains: `As England saw it.`
    pub told: String,
    /// Its mails, oldest first.
    pub entries: Vec<Entry>,
    /// The chart of its centers, as an element of the page.
    pub chart: Option<String>,
    /// What its maps have in common, as an element that has to stand before them.
    pub definitions: String,
}

/// A mail of the history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// When it was sent: `2026-12-01 22:06 UTC`.
    pub date: String,
    /// Its subject.
    pub subject: String,
    /// Its text.
    pub body: String,
    /// The map that goes with it, as an element of the page.
    pub map: Option<String>,
}

/// The bar of phases. The script shows it, and one phase at a time.
const BAR: &str = "<nav id=\"bar\" hidden>\
<button id=\"earlier\" title=\"earlier: left arrow\">\u{25c0}</button> <select id=\"phases\"></select> \
<button id=\"later\" title=\"later: right arrow\">\u{25b6}</button> <button id=\"whole\" title=\"all phases: Esc\">all</button></nav>\n";

/// How the bar is shown.
const BAR_STYLE: &str = "<style>#bar{position:sticky;top:0;padding:.5rem 0;background:Canvas;z-index:1}\
#bar button,#bar select{font:inherit;padding:.3rem .6rem;max-width:60vw}section[hidden]{display:none}</style>\n";

/// Steps through the phases.
const SCRIPT: &str = include_str!("book.js");

impl GameRecord {
    /// The page.
    pub fn page(&self) -> String {
        let title = escaped(&self.title);
        let mut body = format!("<h1>{title}</h1>\n<p>{}</p>\n", escaped(&self.told));
        body.push_str(self.chart.as_deref().unwrap_or_default());
        body.push_str(BAR_STYLE);
        body.push_str(BAR);
        body.push_str(&self.definitions);
        let mut number = 0;
        for (place, phase) in self.phases().enumerate() {
            let name = phase.first().and_then(|first| first.phase());
            let name = escaped(name.unwrap_or("the beginning"));
            body.push_str(&format!("<section id=\"p{place}\" title=\"{name}\">\n"));
            for entry in phase {
                body.push_str(&entry.article(number));
                number += 1;
            }
            body.push_str("</section>\n");
        }
        body.push_str(&format!("<script>\n{SCRIPT}</script>\n"));
        page(&self.title, &body)
    }

    /// The mails by phase: each begins with its results.
    fn phases(&self) -> impl Iterator<Item = &[Entry]> {
        self.entries.chunk_by(|_, next| next.phase().is_none())
    }
}

impl Entry {
    /// The phase whose results it reports: `S1901M`.
    fn phase(&self) -> Option<&str> {
        let (_, about) = self.subject.strip_suffix(" Results")?.rsplit_once(' ')?;
        Some(about)
    }

    fn article(&self, number: usize) -> String {
        let (date, subject) = (escaped(&self.date), escaped(&self.subject));
        format!(
            "<article id=\"m{number}\">\n<h2>{subject}</h2>\n<p>{date}</p>\n{}<pre>{}</pre>\n</article>\n",
            self.map.as_deref().unwrap_or_default(),
            escaped(self.body.trim_end())
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(subject: &str, map: Option<&str>) -> Entry {
        Entry {
            date: "2026-12-01 22:06".into(),
            subject: subject.into(),
            body: "Army Paris <b>\n\n".into(),
            map: map.map(str::to_owned),
        }
    }

    #[test]
    fn a_book_holds_its_mails_phase_by_phase_with_their_maps() {
        let record = GameRecord {
            title: "kaiser, Standard".into(),
            told: "As England saw it.".into(),
            entries: vec![
                entry("kaiser - Start", None),
                entry(
                    "kaiser - S1901M Results",
                    Some("<svg id=\"first\"></svg>\n"),
                ),
                entry("kaiser - Press from Anna", None),
                entry("kaiser - F1901M Results", None),
            ],
            chart: Some("<svg id=\"chart\"></svg>\n".to_owned()),
            definitions: "<svg id=\"all\"></svg>\n".to_owned(),
        };
        let page = record.page();
        let place = |words: &str| page.find(words).expect(words);
        assert!(place("<svg id=\"chart\">") < place("<svg id=\"all\">"));
        assert!(place("<section id=\"p0\" title=\"the beginning\">") < place("id=\"m0\""));
        assert!(place("<section id=\"p1\" title=\"S1901M\">") < place("id=\"m1\""));
        assert!(place("<svg id=\"first\">") < place("id=\"m2\""));
        assert!(place("id=\"m2\"") < place("<section id=\"p2\" title=\"F1901M\">"));
        assert_eq!(page.matches("<pre>Army Paris &lt;b&gt;</pre>").count(), 4);
        assert!(!page.contains("http") && page.matches("<script").count() == 1);
    }
}
