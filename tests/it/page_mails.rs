//! The mails that the pages of GET show are sent: each line that a page shows stands in `tests/mails/pages.txt`, as a line of a mail to a
//! game for which it is meant, with what the judge does (as in `sentences_by_mail`).

use std::collections::BTreeSet;
use std::fs;

use dipjudge::mails::outbound;

/// The mails, with what becomes of them.
pub(super) const MAILS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mails/pages.txt");

/// A page that shows lines to be sent.
struct ShowingPage {
    name: &'static str,
    /// How such lines are indented.
    indent: usize,
}

const fn showing(name: &'static str, indent: usize) -> ShowingPage {
    ShowingPage { name, indent }
}

const SHOWING: [ShowingPage; 11] = [
    showing("absence", 4),
    showing("blind", 4),
    showing("draws", 4),
    showing("form", 0),
    showing("guide", 4),
    showing("history", 4),
    showing("how2gm", 8),
    showing("info", 8),
    showing("password", 8),
    showing("press", 4),
    showing("syntax", 4),
];

/// The pages that show no line, each with the reason. The lists of `syntax` and `master` are made of the rows of the tables, of which each
/// has examples that are sent in transcripts.
const SHOWING_NONE: [(&str, &str); 15] = [
    ("deadlines", "tells rules; its commands stand in syntax"),
    ("dedsystems", "a table of points"),
    ("flist", "the index"),
    ("house.rules", "how people behave"),
    ("index", "names of files"),
    ("info.standard", "the position at the start"),
    ("map", "a table of provinces"),
    ("master", "rows of the tables"),
    (
        "questions",
        "sentences; the commands in them stand in syntax and master",
    ),
    ("questions.master", "as questions"),
    ("questions.rules", "as questions"),
    (
        "questions.variants",
        "as questions; the lines stand in the rules",
    ),
    ("rules", "where rules are found"),
    ("variants", "names of variants and maps"),
    ("whois", "what is told about people"),
];

/// The lines that a page shows, each without what is said of it behind two blanks.
fn shown(page: &ShowingPage) -> Vec<String> {
    let text = outbound::page(page.name).unwrap();
    let indent = " ".repeat(page.indent);
    let form = |line: &&str| page.name != "form" || line.contains(": ") || *line == "END";
    let lines = text.lines().filter(form);
    let lines = lines.filter_map(|line| line.strip_prefix(&indent));
    let lines = lines.map(|line| line.split("  ").next().unwrap_or_default());
    lines
        .filter(|line| !line.is_empty() && !line.starts_with(' '))
        .map(str::to_owned)
        .collect()
}

#[test]
fn each_page_is_known_to_show_lines_or_none() {
    let of_lists = SHOWING_NONE.iter().map(|(name, _)| *name);
    let known: BTreeSet<&str> = SHOWING
        .iter()
        .map(|page| page.name)
        .chain(of_lists)
        .collect();
    let all: BTreeSet<&str> = outbound::page_names().collect();
    assert_eq!(known, all);
}

#[test]
fn every_line_that_a_page_shows_is_sent() {
    let mails = fs::read_to_string(MAILS).unwrap();
    let rows = mails.lines().filter_map(|line| line.rsplit_once(" => "));
    let sent: BTreeSet<&str> = rows.flat_map(|(mail, _)| mail.split(" // ")).collect();
    for page in &SHOWING {
        let lines = shown(page);
        assert!(!lines.is_empty(), "{} shows no line", page.name);
        for line in lines {
            assert!(sent.contains(line.as_str()), "{}: {line}", page.name);
        }
    }
}
