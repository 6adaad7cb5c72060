//! The mails of the demo as pages, player by player: `index.html`, and a folder `pages` beside it. They are made from the
//! messages in the mailboxes only, so each shows what its reader got.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

use super::script::Person;
use crate::pages::mail::{self, ShownMail};
use crate::pages::{link, page};
use dipjudge_store::to_hex;
use dipjudge_view::markup::escaped;

/// A mail in a mailbox.
#[derive(Clone, Debug)]
pub(super) struct DeliveredMail {
    /// The game that it is about, or during which it came.
    pub game: &'static str,
    /// The reader, by the part of the address before the `@`.
    pub reader: String,
    /// The path of the message.
    pub file: PathBuf,
}

/// A game on the first page.
#[derive(Clone, Debug)]
pub(super) struct PlayedGame {
    /// Its name.
    pub game: &'static str,
    /// Its variant.
    pub variant: &'static str,
    /// Who took part.
    pub people: Vec<Person>,
}

/// The path of the first page.
pub(super) fn index(dir: &Path) -> PathBuf {
    dir.join("index.html")
}

/// Writes all pages. `questions` are the mails to the judge, by their ids.
pub(super) fn write(
    dir: &Path,
    games: &[PlayedGame],
    delivered: &[DeliveredMail],
    questions: &BTreeMap<String, ShownMail>,
) -> Result<()> {
    let mut boxes: BTreeMap<(&str, &str), Vec<&Path>> = BTreeMap::new();
    for one in delivered {
        let of_reader = boxes.entry((one.game, &one.reader)).or_default();
        of_reader.push(&one.file);
    }
    let mut body = String::from(
        "<h1>Diplomacy by mail</h1>\n<p>All mails that the judge sent in these games, as each reader got them, and above each answer what he had written.</p>\n",
    );
    for played in games {
        let name = escaped(played.game);
        let variant = escaped(played.variant);
        body.push_str(&format!("<h2>{name} ({variant})</h2>\n<table>\n"));
        for person in &played.people {
            let Some(files) = boxes.get(&(played.game, person.name.as_str())) else {
                continue;
            };
            let place = Path::new("pages").join(played.game).join(&person.name);
            write_reader(dir, &place, played, person, files, questions)?;
            let to = format!("{}/index.html", place.display());
            let (who, role) = (link(&to, &person.full_name), escaped(&person.role));
            let count = files.len();
            let row = format!("<tr><td>{who}</td><td>{role}</td><td>{count} mails</td></tr>\n");
            body.push_str(&row);
        }
        body.push_str("</table>\n");
    }
    write_file(&index(dir), page("Diplomacy by mail", &body).as_bytes())
}

/// Writes what one reader got in one game: a list, and a page for each mail.
fn write_reader(
    dir: &Path,
    place: &Path,
    played: &PlayedGame,
    person: &Person,
    files: &[&Path],
    questions: &BTreeMap<String, ShownMail>,
) -> Result<()> {
    let folder = dir.join(place);
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let title = format!("{}: {}, {}", played.game, person.full_name, person.role);
    let mut list = format!(
        "<p>{}</p>\n<h1>{}</h1>\n<table>\n",
        link("../../../index.html", "All games"),
        escaped(&title)
    );
    for (at, file) in files.iter().enumerate() {
        let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        let mail = mail::read(&bytes).context("a message in a mailbox cannot be read")?;
        let pictures = write_pictures(dir, played.game, &mail)?;
        let navigation = navigation(at, files.len(), &person.full_name);
        let question = mail.answers.as_ref().and_then(|id| questions.get(id));
        let question = question.map(|question| question.quoted_above(&person.full_name));
        let above = format!("{navigation}{}", question.unwrap_or_default());
        let page = mail.page(&above, &navigation, &pictures);
        let name = page_name(at);
        write_file(&folder.join(&name), page.as_bytes())?;
        let (date, subject) = (escaped(&mail.date), link(&name, &mail.subject));
        list.push_str(&format!("<tr><td>{date}</td><td>{subject}</td></tr>\n"));
    }
    list.push_str("</table>\n");
    write_file(&folder.join("index.html"), page(&title, &list).as_bytes())
}

/// The links to the mails before and after a mail, and to the list.
fn navigation(at: usize, of: usize, reader: &str) -> String {
    let mut links = vec![link("index.html", &format!("All mails to {reader}"))];
    if at > 0 {
        links.push(link(&page_name(at - 1), "Earlier"));
    }
    links.push(format!("{} of {of}", at + 1));
    if at + 1 < of {
        links.push(link(&page_name(at + 1), "Later"));
    }
    // Without style sheets, since it is also put into the HTML of a mail.
    format!("<p>{}</p>\n", links.join(" &middot; "))
}

fn page_name(at: usize) -> String {
    format!("{:03}.html", at + 1)
}

/// Writes the pictures of a mail, each once for the whole game, and returns their paths relative to the page of the mail.
fn write_pictures(dir: &Path, game: &str, mail: &ShownMail) -> Result<Vec<String>> {
    let folder = dir.join("pages").join(game).join("maps");
    let mut places = Vec::new();
    for picture in &mail.pictures {
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let hash = to_hex(&Sha256::digest(&picture.bytes));
        let name = format!("{}.{}", hash.get(..16).unwrap_or(&hash), picture.ending);
        let file = folder.join(&name);
        if !file.exists() {
            write_file(&file, &picture.bytes)?;
        }
        places.push(format!("../maps/{name}"));
    }
    Ok(places)
}

fn write_file(file: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(file, bytes).with_context(|| format!("cannot write {}", file.display()))
}
