//! The HTML part of every mail: compared with the files of `tests/pages/parts/`, which a browser renders in `tests/pages`, and
//! looked at for what it says and what it must not hold. One that differs is written beside its file as `NAME.failed`.

use std::collections::BTreeSet;

use html5gum::{Token, Tokenizer};

use super::golden::texts;
use super::*;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/pages/parts");

/// Elements that have no end.
const WITHOUT_END: [&str; 3] = ["br", "img", "meta"];

/// Every part by the name of its file, and one with a picture.
fn parts() -> Vec<(String, Text, String)> {
    let texts = texts(&Templates::built_in()).into_iter();
    let mut parts: Vec<(String, Text, String)> = texts
        .map(|(name, text)| (name.to_owned(), text.clone(), text.html(None).unwrap()))
        .collect();
    let report = parts.iter().find(|(name, ..)| name == "results-movement");
    let (_, text, _) = report.unwrap().clone();
    let image = HtmlPicture {
        source: "cid:map@example.org".to_owned(),
        alt: "Map of kaiser, S1902M".to_owned(),
        width: 1200,
        height: 900,
    };
    let html = text.html(Some(&image)).unwrap();
    parts.push(("results-with-map".to_owned(), text, html));
    parts
}

#[test]
fn every_html_part_is_as_its_file() {
    let mut failed = Vec::new();
    for (name, _, html) in parts() {
        let file = format!("{FOLDER}/{name}.html");
        let beside = format!("{FOLDER}/{name}.failed");
        if std::fs::read_to_string(&file).is_ok_and(|wanted| wanted == html) {
            let _ = std::fs::remove_file(beside);
        } else {
            std::fs::write(beside, html).unwrap();
            failed.push(name);
        }
    }
    assert!(
        failed.is_empty(),
        "HTML parts that differ from their file in tests/pages/parts: {failed:?}"
    );
    let files = std::fs::read_dir(FOLDER).unwrap();
    let files = files.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let files: BTreeSet<String> = files.collect();
    let wanted = parts().into_iter().map(|(name, ..)| format!("{name}.html"));
    assert_eq!(files, wanted.collect(), "files that no mail belongs to");
}

/// What a reader of HTML reads: the words between the tags.
fn visible_words(html: &str) -> String {
    let mut text = String::new();
    let mut hidden = false;
    for token in Tokenizer::new(html).map(Result::unwrap) {
        match token {
            Token::StartTag(tag) => {
                hidden |= matches!(tag.name.as_slice(), b"style" | b"title");
                text.push(' ');
            }
            Token::EndTag(tag) => {
                hidden &= !matches!(tag.name.as_slice(), b"style" | b"title");
                text.push(' ');
            }
            Token::String(words) if !hidden => text.push_str(std::str::from_utf8(&words).unwrap()),
            _ => {}
        }
    }
    text
}

/// Words without the signs around them.
fn words(text: &str) -> BTreeSet<String> {
    let text = text.replace("->", "→");
    let words = text.split(|letter: char| letter.is_whitespace() || matches!(letter, '*' | '/'));
    let words = words.map(|word| word.trim_matches(['(', ')', '.', ',', ':', ';', '-']));
    words
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_fact_of_the_text_is_in_the_html() {
    for (name, text, html) in parts() {
        let (wanted, found) = (words(&text.body()), words(&visible_words(&html)));
        // What names a column of many stands beside one in lines: `1 Supply center`.
        let told = |word: &String| found.contains(word) || found.contains(&format!("{word}s"));
        let missing: Vec<&String> = wanted.iter().filter(|word| !told(word)).collect();
        assert!(missing.is_empty(), "{name}: {missing:?}");
    }
}

/// The names of columns are words of the judge's own (`view::columns`); all else that HTML shows stands in the text too.
#[test]
fn html_tells_nothing_that_the_text_does_not() {
    let columns: BTreeSet<String> = dipjudge_view::columns::ALL
        .iter()
        .flat_map(|name| words(name))
        .collect();
    for (name, text, html) in parts() {
        let (allowed, found) = (words(&text.body()), words(&visible_words(&html)));
        let more: Vec<&String> = found
            .iter()
            .filter(|word| !allowed.contains(*word) && !columns.contains(*word))
            .collect();
        assert!(more.is_empty(), "{name}: {more:?}");
    }
}

#[test]
fn every_html_part_is_well_formed_and_fetches_nothing() {
    for (name, _, html) in parts() {
        assert!(html.len() <= MAX_HTML_BYTES, "{name}: {} bytes", html.len());
        let mut open: Vec<Vec<u8>> = Vec::new();
        for token in Tokenizer::new(&html).map(Result::unwrap) {
            match token {
                Token::StartTag(tag) => {
                    let element = String::from_utf8(tag.name.to_vec()).unwrap();
                    let refused = ["script", "link", "iframe", "object", "form", "base"];
                    assert!(!refused.contains(&element.as_str()), "{name}: <{element}>");
                    for (key, value) in &tag.attributes {
                        let value = String::from_utf8_lossy(value);
                        assert!(!key.starts_with(b"on"), "{name}: {key:?}");
                        let remote = value.contains("//") || value.contains("url(");
                        assert!(!remote, "{name}: {value}");
                        if key.as_slice() == b"src" {
                            assert!(value.starts_with("cid:"), "{name}: {value}");
                        }
                    }
                    if !WITHOUT_END.contains(&element.as_str()) {
                        open.push(tag.name.to_vec());
                    }
                }
                Token::EndTag(tag) => {
                    let opened = open.pop();
                    assert_eq!(opened, Some(tag.name.to_vec()), "{name}");
                }
                Token::Error(error) => panic!("{name}: {error:?}"),
                _ => {}
            }
        }
        assert!(open.is_empty(), "{name}: {open:?} is not closed");
    }
}

#[test]
fn what_is_too_long_for_mail_clients_has_no_html() {
    let long = Text::new("Diplomacy file long", "a\n".repeat(MAX_HTML_BYTES / 5 + 1));
    assert_eq!(long.html(None), None);
}

#[test]
fn what_players_write_is_never_read_as_html_or_markdown() {
    let heading = samples::heading("S1901M");
    let mail = PressMail {
        text: "<script>alert(1)</script> & *not bold* [x](http://example.org) `code`\n# no heading"
            .to_owned(),
        ..samples::channel()
    };
    let press = press(&Templates::built_in(), &heading, &mail).unwrap();
    assert!(
        press
            .body()
            .contains("<script>alert(1)</script> & *not bold* [x](http://example.org)")
    );
    let html = press.html(None).unwrap();
    assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp; *not bold* [x](http://"));
    assert!(html.contains("<br># no heading"), "{html}");
    // A notice is a template in which such words are a field.
    let told = "*Ann* <b> set \\*x\\* | `y` _z_ to 1 < 2".to_owned();
    let notice = notice(&Templates::built_in(), &heading, "Notice", told.clone()).unwrap();
    assert!(notice.body().contains(&told));
    let subject = Text {
        subject: "</title><script>".to_owned(),
        ..notice
    };
    assert!(!subject.html(None).unwrap().contains("<script>"));
}
