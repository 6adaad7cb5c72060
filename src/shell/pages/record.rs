//! The record of a game as one page: every mail of its history, in one file that a player can keep, send or publish.

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
    /// What its maps have in common, as an element that has to stand before them.
    pub definitions: String,
}

/// A mail of the history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// When it was sent, in UTC: `2026-12-01 22:06`.
    pub date: String,
    /// Its subject.
    pub subject: String,
    /// Its text.
    pub body: String,
    /// The map that goes with it, as an element of the page.
    pub map: Option<String>,
}

impl GameRecord {
    /// The page.
    pub fn page(&self) -> String {
        let title = escaped(&self.title);
        let mut body = format!("<h1>{title}</h1>\n<p>{}</p>\n<ul>\n", escaped(&self.told));
        for (number, entry) in self.entries.iter().enumerate() {
            let (date, subject) = (escaped(&entry.date), escaped(&entry.subject));
            let line = format!("<li><a href=\"#m{number}\">{subject}</a>, {date}</li>\n");
            body.push_str(&line);
        }
        body.push_str("</ul>\n");
        body.push_str(&self.definitions);
        for (number, entry) in self.entries.iter().enumerate() {
            body.push_str(&entry.article(number));
        }
        page(&self.title, &body)
    }
}

impl Entry {
    fn article(&self, number: usize) -> String {
        let (date, subject) = (escaped(&self.date), escaped(&self.subject));
        format!(
            "<article id=\"m{number}\">\n<h2>{subject}</h2>\n<p>{date} UTC</p>\n{}<pre>{}</pre>\n</article>\n",
            self.map.as_deref().unwrap_or_default(),
            escaped(self.body.trim_end())
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_lists_its_mails_and_holds_them_with_their_maps() {
        let entry = |subject: &str, map| Entry {
            date: "2026-12-01 22:06".into(),
            subject: subject.into(),
            body: "Army Paris <b>\n\n".into(),
            map,
        };
        let map = "<svg id=\"first\"></svg>\n".to_owned();
        let record = GameRecord {
            title: "kaiser, Standard".into(),
            told: "As England saw it.".into(),
            entries: vec![entry("Start", None), entry("S1901M Results", Some(map))],
            definitions: "<svg id=\"all\"></svg>\n".to_owned(),
        };
        let page = record.page();
        assert!(
            page.contains("<a href=\"#m1\">S1901M Results</a>"),
            "{page}"
        );
        assert!(page.contains("<article id=\"m1\">"), "{page}");
        let place = |words: &str| page.find(words).expect(words);
        assert!(place("<svg id=\"all\">") < place("<article id=\"m0\">"));
        assert!(place("<article id=\"m1\">") < place("<svg id=\"first\">"));
        assert_eq!(page.matches("<pre>Army Paris &lt;b&gt;</pre>").count(), 2);
        assert!(!page.contains("<script") && !page.contains("http"));
    }
}
