//! The pages that GET sends and HELP quotes: `mailtemplates/pages/`, in plain text.
//!
//! They have no fields and depend on no game. The rules of a variant are in the crate of the variants.

use super::heading::bare_block;
use super::{Document, Text, headed};

macro_rules! pages {
    ($($name:literal => $file:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../../../mailtemplates/pages/", $file)))),+]
    };
}

/// Every page by its name in GET.
const PAGES: &[(&str, &str)] = pages![
    "absence" => "absence.txt",
    "blind" => "blind.txt",
    "deadlines" => "deadlines.txt",
    "dedsystems" => "dedsystems.txt",
    "draws" => "draws.txt",
    "flist" => "index.txt",
    "form" => "form.txt",
    "guide" => "guide.txt",
    "history" => "history.txt",
    "house.rules" => "house.rules.txt",
    "how2gm" => "how2gm.txt",
    "index" => "index.txt",
    "info" => "info.txt",
    "info.standard" => "info.standard.txt",
    "map" => "map.txt",
    "master" => "master.txt",
    "password" => "password.txt",
    "press" => "press.txt",
    "questions" => "questions.txt",
    "questions.master" => "questions.master.txt",
    "questions.rules" => "questions.rules.txt",
    "questions.variants" => "questions.variants.txt",
    "rules" => "rules.txt",
    "syntax" => "syntax.txt",
    "variants" => "variants.txt",
    "whois" => "whois.txt",
];

/// The pages of GET PACKAGE, in order.
const PACKAGE: [&str; 8] = [
    "info",
    "guide",
    "syntax",
    "map",
    "press",
    "deadlines",
    "absence",
    "house.rules",
];

/// The page `name`, without regard to case; blanks, `_` and `-` are read as full stops.
pub fn page(name: &str) -> Option<&'static str> {
    let wanted = normalized(name);
    PAGES
        .iter()
        .find(|(known, _)| *known == wanted)
        .map(|(_, text)| *text)
}

/// The names of all pages, in alphabetical order.
pub fn page_names() -> impl Iterator<Item = &'static str> {
    PAGES.iter().map(|(name, _)| *name)
}

/// The names of the pages of GET PACKAGE, in order.
pub fn package() -> impl Iterator<Item = &'static str> {
    PACKAGE.into_iter()
}

/// Up to three names similar to an unknown one, the nearest first.
pub fn near_pages(wanted: &str) -> Vec<&'static str> {
    let wanted = normalized(wanted);
    let distance = |name: &str| {
        let within = wanted.len() > 1 && (name.starts_with(&wanted) || wanted.starts_with(name));
        if within {
            0
        } else {
            strsim::damerau_levenshtein(name, &wanted)
        }
    };
    let mut near: Vec<(usize, &str)> = PAGES
        .iter()
        .map(|(name, _)| (distance(name), *name))
        .collect();
    near.sort();
    let limit = 1 + wanted.chars().count() / 3;
    near.into_iter()
        .filter(|(far, _)| *far <= limit)
        .map(|(_, name)| name)
        .take(3)
        .collect()
}

/// A page as a mail of its own: `Diplomacy file <name>`.
pub fn page_mail(judge: &str, name: &str, text: &str) -> Text {
    let page = Document::verbatim(text.trim_end_matches('\n'));
    Text {
        document: headed(bare_block(judge), page),
        ..Text::new(format!("Diplomacy file {name}"), "")
    }
}

fn normalized(name: &str) -> String {
    let words: Vec<&str> = name
        .split(|c: char| c.is_whitespace() || matches!(c, '_' | '-'))
        .collect();
    words
        .iter()
        .filter(|word| !word.is_empty())
        .copied()
        .collect::<Vec<_>>()
        .join(".")
        .to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_page_is_plain_text_of_80_columns() {
        for (name, text) in PAGES {
            assert!(text.lines().count() > 5, "{name} is empty");
            assert!(text.is_ascii() && text.ends_with('\n'), "{name}");
            for line in text.lines() {
                assert!(
                    line.len() <= 78 && line.trim_end() == line,
                    "{name}: {line}"
                );
                assert!(
                    !line.starts_with("::"),
                    "{name} must not look like a report"
                );
            }
        }
    }

    #[test]
    fn every_file_is_a_page_and_the_index_names_them_all() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../mailtemplates/pages");
        let files: BTreeSet<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .map(|name| name.strip_suffix(".txt").unwrap().to_owned())
            .collect();
        for file in &files {
            assert!(page(file).is_some(), "{file} cannot be got");
        }
        let index = page("index").unwrap();
        for name in page_names() {
            assert!(index.contains(name), "the index does not name {name}");
        }
        assert_eq!(package().count(), PACKAGE.len());
    }

    #[test]
    fn what_the_old_judge_had_is_there() {
        let old = "info index syntax guide press deadlines absence draws master how2gm history dedsystems house.rules \
                   rules form flist map info.standard variants whois";
        for name in old.split_whitespace() {
            assert!(page(name).is_some(), "{name}");
        }
        assert!(page("House Rules").is_some());
        assert!(page("../../etc/passwd").is_none());
    }

    #[test]
    fn pages_refer_only_to_pages_that_exist() {
        for (name, text) in PAGES {
            let words: Vec<&str> = text.split_whitespace().collect();
            for pair in words.windows(2).filter(|pair| pair[0].ends_with("GET")) {
                let named: String = pair[1]
                    .chars()
                    .filter(|c| c.is_ascii_alphanumeric() || *c == '.')
                    .collect();
                let named = named.trim_end_matches('.').to_lowercase();
                let other = ["file", "package", "dedication", "brings", "map.name"];
                // The rules of a variant are that variant's page, and each map has one.
                let of_others = named.starts_with("rules.") || named.starts_with("map.");
                assert!(
                    of_others || page(&named).is_some() || other.contains(&named.as_str()),
                    "{name}: GET {named}"
                );
            }
        }
    }

    #[test]
    fn an_unknown_page_brings_its_neighbours() {
        assert_eq!(near_pages("deadline").first(), Some(&"deadlines"));
        assert_eq!(near_pages("hous rules").first(), Some(&"house.rules"));
        assert!(near_pages("rules.brige").contains(&"rules"));
        assert!(near_pages("xxxxxxxxxxxxx").is_empty() && near_pages("").is_empty());
    }

    #[test]
    fn a_page_is_a_mail_of_its_own() {
        let mail = page_mail("USXX", "info", page("info").unwrap());
        assert_eq!(mail.subject, "Diplomacy file info");
        assert!(mail.body().starts_with(":: Judge: USXX\n\nThis is a judge"));
    }
}
