//! The HTML parts of mails as a browser shows them: headless Chromium, Debian's package, renders them 360 and 1200 pixels wide,
//! by day and in dark mode, as they are and with all that mail clients take out. A script in the page measures the result.
//!
//! Where there is no Chromium a test prints why and is over; with `DIPJUDGE_REQUIRE_CHROMIUM=1` it fails instead.

mod books;
mod browser;
mod clients;
mod near;
mod recorded;
mod reports;
mod story;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use browser::{Mode, Page};

/// No HTML part is larger.
const MOST_BYTES: usize = 100_000;
/// The shortest mail has more words.
const LEAST_WORDS: usize = 8;
/// What WCAG 2 asks of small letters at level AA.
const LEAST_CONTRAST: f64 = 4.5;
/// The least size of letters that are read without effort, in pixels.
const LEAST_LETTERS: f64 = 9.0;
/// A picture of one pixel, in place of the map that a mail brings along.
const PICTURE: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// One part of each kind of mail (`src/mails/outbound/html_files.rs` writes them).
fn samples() -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages/parts");
    let files = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|end| end == "html"));
    let parts = files.map(|path| {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let html = fs::read_to_string(&path).unwrap();
        (name, html.replace("cid:map@example.org", PICTURE))
    });
    parts.filter(|(name, _)| !like_another(name)).collect()
}

/// A part without style elements, classes and SVG, as it is in the strictest clients.
fn stripped(html: &str) -> String {
    let without = |html: String, begin: &str, end: &str| {
        let mut kept = String::new();
        let mut rest = html.as_str();
        while let Some((before, behind)) = rest.split_once(begin) {
            kept.push_str(before);
            rest = behind.split_once(end).map_or("", |(_, behind)| behind);
        }
        kept + rest
    };
    let html = without(html.to_owned(), "<style>", "</style>");
    let html = without(html, "<svg", "</svg>");
    without(html, " class=\"", "\"")
}

/// Every part at both widths, as it is and stripped.
fn pages(parts: &BTreeMap<String, String>) -> Vec<Page> {
    let kinds = parts.iter().flat_map(|(name, html)| {
        [
            (name.clone(), html.clone()),
            (format!("{name} (stripped)"), stripped(html)),
        ]
    });
    let pages = kinds.flat_map(|(name, html)| {
        [360, 1200].map(|width| Page {
            name: format!("{name}, {width} pixels"),
            width,
            html: html.clone(),
        })
    });
    pages.collect()
}

/// Renders pages and looks at what was measured.
fn check(parts: &BTreeMap<String, String>, mode: Mode) {
    let pages = pages(parts);
    let Some(measured) = browser::measure(&pages, mode) else {
        return;
    };
    assert_eq!(measured.len(), pages.len());
    let mut faults = Vec::new();
    for page in &measured {
        let name = &page.name;
        if page.words < LEAST_WORDS {
            faults.push(format!("{name}: only {} words are shown", page.words));
        }
        if page.overflow > 0.5 {
            faults.push(format!("{name}: {} pixels too wide", page.overflow));
        }
        for outside in &page.outside {
            faults.push(format!("{name}: stands outside of the page: {outside}"));
        }
        for picture in &page.pictures_missing {
            faults.push(format!("{name}: the picture \"{picture}\" is not shown"));
        }
        if page.contrast < LEAST_CONTRAST {
            faults.push(format!(
                "{name}: contrast {:.2} at \"{}\"",
                page.contrast, page.faintest
            ));
        }
        // Stripped of its style element a page is as by day, on paper of its own.
        let dark = mode == Mode::Dark && !name.contains("(stripped)");
        if page.dark != dark {
            faults.push(format!("{name}: dark is {}", page.dark));
        }
    }
    assert!(faults.is_empty(), "{:#?}", faults);
}

/// Mails that differ from others in a sentence are not rendered.
fn like_another(name: &str) -> bool {
    name.starts_with("warn-") || name.starts_with("late-")
}

#[test]
fn what_is_wrong_with_a_page_is_found() {
    let bad = "<style>b{}</style><p style='width:500px;background:#fff;color:#bbb'>One two three four five six \
        seven eight <img src='data:,' alt='Map' width='200'></p>";
    let page = Page {
        name: "bad".to_owned(),
        width: 360,
        html: bad.to_owned(),
    };
    let Some(measured) = browser::measure(&[page], Mode::Day) else {
        return;
    };
    let bad = &measured[0];
    assert!(bad.overflow > 100.0 && bad.contrast < 2.0, "{bad:?}");
    assert_eq!(bad.pictures_missing, ["Map"]);
    assert!(bad.outside[0].starts_with("P One two"), "{bad:?}");
}

#[test]
fn every_kind_of_mail_reads_well_by_day() {
    check(&samples(), Mode::Day);
}

#[test]
fn every_kind_of_mail_reads_well_in_dark_mode() {
    check(&samples(), Mode::Dark);
}

#[test]
fn the_longest_reports_of_every_variant_read_well() {
    let parts = reports::longest();
    for (name, html) in &parts {
        assert!(html.len() < MOST_BYTES, "{name}: {} bytes", html.len());
    }
    check(&parts, Mode::Day);
}

#[test]
fn names_in_the_map_of_ones_own_part_are_read_on_a_narrow_screen() {
    let mails = near::mails();
    assert!(mails.len() > 40, "{}", mails.len());
    let pages = mails.iter().map(|mail| Page {
        name: mail.name.clone(),
        width: 360,
        html: mail.html.clone(),
    });
    let pages: Vec<Page> = pages.collect();
    let Some(measured) = browser::measure(&pages, Mode::Day) else {
        return;
    };
    for (page, mail) in measured.iter().zip(&mails) {
        let name = &page.name;
        assert!(page.overflow < 0.5, "{name}: {}", page.overflow);
        let [width] = page.picture_widths[..] else {
            panic!("{name}: {:?}", page.picture_widths);
        };
        let letters = mail.smallest * width;
        assert!(letters >= LEAST_LETTERS, "{name}: {letters} in {width}");
    }
}

#[test]
fn the_reports_of_every_variant_are_small_enough() {
    let sizes = reports::all().into_iter();
    let (size, name) = sizes.map(|(name, html)| (html.len(), name)).max().unwrap();
    assert!(size < MOST_BYTES, "{name}: {size} bytes");
}

#[test]
fn a_book_of_each_variant_is_stepped_through_by_keys() {
    let books = books::all();
    assert!(books.len() > 7, "{}", books.len());
    let pages = books.iter().flat_map(|book| {
        [360, 1200].map(|width| Page {
            name: book.name.clone(),
            width,
            html: book.page.clone(),
        })
    });
    let pages: Vec<Page> = pages.collect();
    let Some(stepped) = browser::step(&pages) else {
        return;
    };
    assert_eq!(stepped.len(), pages.len());
    for (seen, page) in stepped.iter().zip(&pages) {
        let (name, width) = (&seen.name, page.width);
        let book = books.iter().find(|book| book.name == *name).unwrap();
        assert_eq!(seen.sections, book.phases, "{name}");
        let one_by_one = (0..book.phases).map(|number| vec![number]);
        let back = vec![book.phases - 2];
        let all = (0..book.phases).collect();
        let expected: Vec<Vec<usize>> = one_by_one.chain([back, all]).collect();
        assert_eq!(seen.shown, expected, "{name}, {width}");
        assert!(seen.overflow < 0.5, "{name}, {width}: {}", seen.overflow);
        assert_eq!(seen.flat_maps, Vec::<usize>::new(), "{name}, {width}");
    }
}
