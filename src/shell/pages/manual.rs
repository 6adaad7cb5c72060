//! The manual as web pages: each file that GET sends, and what keepers read. The rules page of a variant has a picture of the turn
//! that it tells.

use std::collections::BTreeSet;

use dipjudge_drawing as drawing;
use dipjudge_interchange as interchange;
use dipjudge_judge::SentFile;
use dipjudge_variants as variants;
use dipjudge_view::markup::escaped;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html};

use super::site::{MANUAL, SiteFile};
use super::{link, page};

/// The file that lists the others.
const INDEX: &str = "index";

/// A page for keepers, which is written in Markdown.
struct KeeperPage {
    /// The file from which other pages for keepers link to it.
    file: &'static str,
    /// The name of its page.
    name: &'static str,
    about: &'static str,
    text: &'static str,
}

const KEEPER_PAGES: [KeeperPage; 5] = [
    KeeperPage {
        file: "KEEPER.md",
        name: "keeper",
        about: "setting a judge up, and looking after it",
        text: include_str!("../../../deploy/KEEPER.md"),
    },
    KeeperPage {
        file: "FROM-OLD-JUDGES.md",
        name: "from-old-judges",
        about: "what has become of each command of nJudge and DPjudge",
        text: include_str!("../../../deploy/FROM-OLD-JUDGES.md"),
    },
    KeeperPage {
        file: "PROOFS.md",
        name: "proofs",
        about: "what proves who wrote a mail",
        text: include_str!("../../../deploy/PROOFS.md"),
    },
    KeeperPage {
        file: "THREATS.md",
        name: "threats",
        about: "who could want what of a judge, and what stops them",
        text: include_str!("../../../deploy/THREATS.md"),
    },
    KeeperPage {
        file: "CHANGELOG.md",
        name: "changelog",
        about: "what each version brought",
        text: include_str!("../../../deploy/CHANGELOG.md"),
    },
];

/// All files of the manual, made of the files that GET sends.
pub fn files(sent: &[SentFile]) -> Vec<SiteFile> {
    let names: BTreeSet<&str> = sent.iter().map(|file| file.name.as_str()).collect();
    let mut files = Vec::new();
    for SentFile { name, text } in sent {
        if name == INDEX {
            files.push(index(text, &names));
            continue;
        }
        let mut body = format!("<pre>{}</pre>\n", linked(text, &names));
        if let Some(svg) = picture(name) {
            let file = format!("{name}.svg");
            body.push_str(&format!(
                "<p><img src=\"{file}\" alt=\"The board of the worked turn, with its orders\"></p>\n"
            ));
            files.push(in_folder(&file, svg));
        }
        files.push(html_page(name, &body));
    }
    let of_keepers = KEEPER_PAGES
        .iter()
        .map(|keeper| html_page(keeper.name, &of_markdown(keeper.text)));
    files.extend(of_keepers);
    files
}

fn in_folder(file: &str, text: String) -> SiteFile {
    SiteFile {
        name: format!("{MANUAL}/{file}"),
        text,
    }
}

fn html_file(name: &str) -> String {
    format!("{name}.html")
}

fn html_page(name: &str, body: &str) -> SiteFile {
    let index = link(&html_file(INDEX), "All pages");
    let html = page(name, &format!("<p>{index}</p>\n{body}"));
    in_folder(&html_file(name), html)
}

/// The index of GET as a list of links, and the pages that GET does not send.
fn index(text: &str, names: &BTreeSet<&str>) -> SiteFile {
    let lines: Vec<String> = text.lines().map(|line| index_line(line, names)).collect();
    let mut body = format!(
        "<pre>{}</pre>\n<h2>Maps in words</h2>\n<p>",
        lines.join("\n")
    );
    for name in names.iter().filter(|name| name.starts_with("map.")) {
        body.push_str(&format!("{}\n", link(&html_file(name), name)));
    }
    body.push_str("</p>\n<h2>For keepers</h2>\n<ul>\n");
    for keeper in &KEEPER_PAGES {
        let to = link(&html_file(keeper.name), keeper.name);
        body.push_str(&format!("<li>{to}: {}</li>\n", escaped(keeper.about)));
    }
    body.push_str("</ul>\n");
    in_folder(&html_file(INDEX), page("The manual", &body))
}

/// A line of the index with links from the names of files in it: its first word, and names with a full stop.
fn index_line(line: &str, names: &BTreeSet<&str>) -> String {
    let mut html = String::new();
    let is_entry = line.starts_with(' ');
    let mut is_first = true;
    for part in line.split_inclusive([' ', ',']) {
        let word = part.trim_end_matches([' ', ',']);
        let is_name = word != INDEX && names.contains(word);
        if is_entry && is_name && (is_first || word.contains('.')) {
            html.push_str(&link(&html_file(word), word));
            html.push_str(part.get(word.len()..).unwrap_or_default());
        } else {
            html.push_str(&escaped(part));
        }
        is_first &= word.is_empty();
    }
    html
}

/// Plain text with links from the names of files behind GET.
fn linked(text: &str, names: &BTreeSet<&str>) -> String {
    const GET: &str = "GET";
    let mut html = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(GET) {
        let named = after.trim_start();
        let (blanks, _) = after.split_at(after.len() - named.len());
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
        let end = named.find(|c| !is_part(c)).unwrap_or(named.len());
        let (word, _) = named.split_at(end);
        let word = word.trim_end_matches('.');
        let name = word.to_lowercase();
        html.push_str(&escaped(before));
        html.push_str(GET);
        html.push_str(blanks);
        if names.contains(name.as_str()) {
            html.push_str(&link(&html_file(&name), word));
        } else {
            html.push_str(&escaped(word));
        }
        (_, rest) = named.split_at(word.len());
    }
    html.push_str(&escaped(rest));
    html
}

/// The picture of the turn that the rules page of a variant tells.
fn picture(name: &str) -> Option<String> {
    let variant = variants::named(name.strip_prefix("rules.")?)?;
    let line = variant.card().worked_turn;
    let turn: serde_json::Value = serde_json::from_str(line).ok()?;
    let board = interchange::board(line, turn["as"].as_str()).ok()?;
    Some(drawing::svg(&board).text())
}

/// HTML of a page in Markdown. Headings can be linked to by their words, as on sites that show such files.
fn of_markdown(text: &str) -> String {
    let mut events: Vec<Event<'_>> = Vec::new();
    let mut heading: Option<Heading> = None;
    let mut is_linked = true;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { .. }) => {
                heading = Some(Heading {
                    at: events.len(),
                    words: String::new(),
                });
            }
            Event::Text(ref words) | Event::Code(ref words) => {
                if let Some(heading) = &mut heading {
                    heading.words.push_str(words);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                if let Some(Heading { at, words }) = heading.take()
                    && let Some(Event::Start(Tag::Heading { id, .. })) = events.get_mut(at)
                {
                    *id = Some(anchor(&words).into());
                }
            }
            _ => {}
        }
        match event {
            Event::Start(Tag::Link {
                link_type,
                dest_url,
                title,
                id,
            }) => {
                let to = target(&dest_url);
                is_linked = to.is_some();
                if let Some(to) = to {
                    events.push(Event::Start(Tag::Link {
                        link_type,
                        dest_url: to.into(),
                        title,
                        id,
                    }));
                }
            }
            Event::End(TagEnd::Link) if !is_linked => {}
            other => events.push(other),
        }
    }
    let mut body = String::new();
    html::push_html(&mut body, events.into_iter());
    body
}

/// A heading of which the end has not been read.
struct Heading {
    /// The number of its event.
    at: usize,
    words: String,
}

/// What links to a heading name it by: its words in small letters, with hyphens between them.
fn anchor(words: &str) -> String {
    let kept = |c: char| match c {
        ' ' => Some('-'),
        '-' => Some('-'),
        c if c.is_alphanumeric() => Some(c),
        _ => None,
    };
    words.to_lowercase().chars().filter_map(kept).collect()
}

/// Where a link leads on the site; nowhere if it names a file that is not on it.
fn target(written: &str) -> Option<String> {
    if written.starts_with('#') || written.contains("://") {
        return Some(written.to_owned());
    }
    let (file, place) = written.split_once('#').unwrap_or((written, ""));
    let keeper = KEEPER_PAGES.iter().find(|keeper| keeper.file == file)?;
    let place = if place.is_empty() {
        String::new()
    } else {
        format!("#{place}")
    };
    Some(format!("{}{place}", html_file(keeper.name)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dipjudge_judge::sent_files;
    use dipjudge_mails::outbound::Templates;

    fn manual() -> Vec<SiteFile> {
        files(&sent_files(&Templates::built_in()))
    }

    /// What links and pictures of a page lead to, without what lies elsewhere.
    fn targets(html: &str) -> Vec<&str> {
        let after = ["href=\"", "src=\""].map(|attribute| html.split(attribute).skip(1));
        let targets = after.into_iter().flatten();
        targets
            .filter_map(|rest| rest.split('"').next())
            .filter(|to| !to.contains("://"))
            .collect()
    }

    #[test]
    fn each_page_is_found_from_the_index_and_no_link_leads_to_nothing() {
        let manual = manual();
        let text_of = |file: &str| {
            let name = format!("{MANUAL}/{file}");
            let found = manual.iter().find(|file| file.name == name);
            &found.unwrap_or_else(|| panic!("no {name}")).text
        };
        let mut open = vec!["index.html".to_owned()];
        let mut seen = BTreeSet::new();
        while let Some(file) = open.pop() {
            if !seen.insert(file.clone()) {
                continue;
            }
            let html = text_of(&file);
            for to in targets(html) {
                let (to, place) = to.split_once('#').unwrap_or((to, ""));
                let to = if to.is_empty() { &file } else { to };
                let there = text_of(to);
                let is_there = there.contains(&format!("id=\"{place}\""));
                assert!(place.is_empty() || is_there, "{file}: {to}#{place}");
                open.push(to.to_owned());
            }
        }
        assert_eq!(seen.len(), manual.len());
    }

    #[test]
    fn each_rules_page_has_its_picture() {
        let manual = manual();
        for variant in variants::ALL {
            let name = format!("{MANUAL}/rules.{}.svg", variant.card().name);
            let svg = manual.iter().find(|file| file.name == name);
            let svg = svg.unwrap_or_else(|| panic!("no {name}"));
            assert!(svg.text.starts_with("<svg"), "{name}");
        }
    }

    #[test]
    fn names_behind_get_are_links_and_what_is_no_file_is_text() {
        let names = BTreeSet::from(["rules.bridge", "map"]);
        assert_eq!(
            linked("GET\nRULES.BRIDGE. GET NAME & GET", &names),
            "GET\n<a href=\"rules.bridge.html\">RULES.BRIDGE</a>. GET NAME &amp; GET"
        );
        assert_eq!(
            index_line("   map      the map, rules.bridge", &names),
            "   <a href=\"map.html\">map</a>      the map, <a href=\"rules.bridge.html\">rules.bridge</a>"
        );
    }

    #[test]
    fn markdown_has_anchors_and_links_within_the_manual_alone() {
        let html = of_markdown("# A keeper's day\n\n[one](KEEPER.md#x) [two](../README.md)\n");
        assert!(html.contains("<h1 id=\"a-keepers-day\">"), "{html}");
        assert!(
            html.contains("<a href=\"keeper.html#x\">one</a> two"),
            "{html}"
        );
    }
}
