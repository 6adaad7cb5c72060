//! The site of the public games: a list of them, a page for each, and a feed; beside them the manual, if the keeper wants it.

use super::{link, page};
use dipjudge_view::markup::escaped;

/// The folder of the manual on the site.
pub(super) const MANUAL: &str = "manual";

/// A public game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicGame {
    /// Its name.
    pub name: String,
    /// What is played, and how far it is: `Standard, Spring of 1901`.
    pub about: String,
    /// Whether it is over.
    pub is_over: bool,
    /// Its page, if anything was reported.
    pub page: Option<GamePage>,
}

/// The page of a public game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GamePage {
    /// Its HTML.
    pub html: String,
    /// The subject of the last report on it.
    pub last: String,
    /// The day of that report, in UTC: `2026-12-01`.
    pub day: String,
}

/// What a site consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SiteContents {
    /// The public games.
    Games,
    /// The manual too.
    GamesAndManual,
}

/// A file of the site.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SiteFile {
    /// Its name, with the folder within the site.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// The file of a game. Names of games that are not letters, digits and dashes only are written in numbers, so that each name has a
/// file of its own.
fn file_of(name: &str) -> String {
    let letter = |c: char| match c {
        'a'..='z' | '0'..='9' | '-' => c.to_string(),
        other => format!("_{:x}_", u32::from(other)),
    };
    let letters: String = name.chars().map(letter).collect();
    format!("games/{letters}.html")
}

/// All files of the site of a judge but those of the manual, pages before those that link to them.
pub fn files(judge: &str, games: Vec<PublicGame>, contents: SiteContents) -> Vec<SiteFile> {
    let title = format!("Games of {judge}");
    let mut body = format!("<h1>{}</h1>\n", escaped(&title));
    let (over, going): (Vec<&PublicGame>, Vec<&PublicGame>) =
        games.iter().partition(|game| game.is_over);
    for (heading, games) in [("Going on", going), ("Over", over)] {
        if games.is_empty() {
            continue;
        }
        body.push_str(&format!("<h2>{heading}</h2>\n<ul>\n"));
        for game in games {
            let name = match &game.page {
                Some(_) => link(&file_of(&game.name), &game.name),
                None => escaped(&game.name).to_string(),
            };
            body.push_str(&format!("<li>{name}: {}</li>\n", escaped(&game.about)));
        }
        body.push_str("</ul>\n");
    }
    if games.is_empty() {
        body.push_str("<p>No game is public.</p>\n");
    }
    body.push_str(&format!(
        "<p>{}</p>\n",
        link("feed.xml", "What is new, for a reader of feeds")
    ));
    if contents == SiteContents::GamesAndManual {
        let to = format!("{}/index.html", MANUAL);
        body.push_str(&format!(
            "<p>{}</p>\n",
            link(&to, "How to play, run and keep games")
        ));
    }
    let index = SiteFile {
        name: "index.html".to_owned(),
        text: page(&title, &body),
    };
    let feed = SiteFile {
        name: "feed.xml".to_owned(),
        text: feed(&title, &games),
    };
    let pages = games.into_iter().filter_map(|game| {
        Some(SiteFile {
            name: file_of(&game.name),
            text: game.page?.html,
        })
    });
    pages.chain([index, feed]).collect()
}

/// The last report of each game (RFC 4287).
fn feed(title: &str, games: &[PublicGame]) -> String {
    let mut reported: Vec<(&PublicGame, &GamePage)> = games
        .iter()
        .filter_map(|game| Some((game, game.page.as_ref()?)))
        .collect();
    reported.sort_by(|(_, one), (_, other)| other.day.cmp(&one.day));
    let updated = reported
        .first()
        .map_or("1970-01-01", |(_, page)| page.day.as_str());
    let mut feed = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n\
         <title>{0}</title>\n<id>urn:dipjudge:site</id>\n<updated>{updated}T00:00:00Z</updated>\n\
         <author><name>{0}</name></author>\n<link href=\"index.html\"/>\n",
        escaped(title)
    );
    for (game, page) in reported {
        let file = file_of(&game.name);
        let last = escaped(&page.last);
        let place = last.replace(' ', "_");
        feed.push_str(&format!(
            "<entry><title>{last}</title><id>urn:dipjudge:{file}:{place}</id>\
             <updated>{}T00:00:00Z</updated><link href=\"{file}\"/><summary>{}</summary></entry>\n",
            page.day,
            escaped(&game.about)
        ));
    }
    feed.push_str("</feed>\n");
    feed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_has_a_page_for_each_game_of_which_something_was_reported() {
        let game = |name: &str, is_over, page: Option<&str>| PublicGame {
            name: name.to_owned(),
            about: "Standard & more".to_owned(),
            is_over,
            page: page.map(|html| GamePage {
                html: html.to_owned(),
                last: format!("{name} - F1907M Results"),
                day: "2026-12-01".to_owned(),
            }),
        };
        let games = vec![
            game("kaiser", true, Some("<p>kaiser</p>")),
            game("a/../b", false, Some("<p>b</p>")),
            game("new", false, None),
        ];
        let files = files("Judge", games, SiteContents::GamesAndManual);
        let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "games/kaiser.html",
                "games/a_2f__2e__2e__2f_b.html",
                "index.html",
                "feed.xml"
            ]
        );
        let index = &files[2].text;
        assert!(index.contains("<a href=\"games/kaiser.html\">kaiser</a>: Standard &amp; more"));
        assert!(index.contains("<li>new: "), "{index}");
        assert!(index.contains("<a href=\"manual/index.html\">"), "{index}");
        assert_eq!(files[3].text.matches("<entry>").count(), 2);
    }
}
