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
    let mut first_report = String::new();
    let mut tables = String::new();
    for played in games {
        let name = escaped(played.game);
        let variant = escaped(played.variant);
        tables.push_str(&format!("<h2>{name} ({variant})</h2>\n<table>\n"));
        for person in &played.people {
            let Some(files) = boxes.get(&(played.game, person.name.as_str())) else {
                continue;
            };
            let place = Path::new("pages").join(played.game).join(&person.name);
            let report = write_reader(dir, &place, played, person, files, questions)?;
            // The first one is the master.
            let is_shown = first_report.is_empty() && played.people.get(1) == Some(person);
            if let Some(report) = report.filter(|_| is_shown) {
                first_report = report;
            }
            let to = format!("{}/index.html", place.display());
            let (who, role) = (link(&to, &person.full_name), escaped(&person.role));
            let count = files.len();
            let row = format!("<tr><td>{who}</td><td>{role}</td><td>{count} mails</td></tr>\n");
            tables.push_str(&row);
        }
        tables.push_str("</table>\n");
    }
    body.push_str(&first_report);
    body.push_str(&tables);
    write_file(&index(dir), page("Diplomacy by mail", &body).as_bytes())
}

/// Writes what one reader got in one game: a list, a page for each mail, and a page with all of them as a conversation. Returns the
/// first report, as the first page shows it, if he got one with a picture.
fn write_reader(
    dir: &Path,
    place: &Path,
    played: &PlayedGame,
    person: &Person,
    files: &[&Path],
    questions: &BTreeMap<String, ShownMail>,
) -> Result<Option<String>> {
    let folder = dir.join(place);
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let title = format!("{}: {}, {}", played.game, person.full_name, person.role);
    let mut list = format!(
        "<p>{}</p>\n<h1>{}</h1>\n<p>{}</p>\n<table>\n",
        link("../../../index.html", "All games"),
        escaped(&title),
        link(CONVERSATION, "All of it as a conversation")
    );
    let mut conversation = format!(
        "<p>{} &middot; {}</p>\n<h1>{}</h1>\n",
        link("../../../index.html", "All games"),
        link("index.html", &format!("All mails to {}", person.full_name)),
        escaped(&title)
    );
    let mut first_report = None;
    for (at, file) in files.iter().enumerate() {
        let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        let mail = mail::read(&bytes).context("a message in a mailbox cannot be read")?;
        let pictures = write_pictures(dir, played.game, &mail)?;
        let navigation = navigation(at, files.len(), &person.full_name);
        let question = mail.answers.as_ref().and_then(|id| questions.get(id));
        let question = question.map(|question| question.quoted_above(&person.full_name));
        let question = question.unwrap_or_default();
        let above = format!("{navigation}{question}");
        let calendar = match &mail.calendar {
            Some(entry) => {
                let entry_name = format!("{:03}.ics", at + 1);
                write_file(&folder.join(&entry_name), entry.as_bytes())?;
                let words = "The entry for the calendar that came with this mail";
                format!("<p>{}</p>\n", link(&entry_name, words))
            }
            None => String::new(),
        };
        let below = format!("{calendar}{navigation}");
        let page = mail.page(&above, &below, &pictures);
        let name = page_name(at);
        let turn = mail.in_conversation(&pictures);
        conversation.push_str(&format!("<hr>\n{question}{turn}{calendar}"));
        if first_report.is_none() && mail.subject.ends_with(" Results") && !pictures.is_empty() {
            let from_index = |picture: &String| {
                let path = picture.trim_start_matches("../");
                format!("pages/{}/{path}", played.game)
            };
            let pictures: Vec<String> = pictures.iter().map(from_index).collect();
            let talk = format!("{}/{CONVERSATION}", place.display());
            let words = format!(
                "All mails from and to {}, as a conversation",
                person.full_name
            );
            first_report = Some(format!(
                "{}<p>{}</p>\n",
                mail.in_conversation(&pictures),
                link(&talk, &words)
            ));
        }
        write_file(&folder.join(&name), page.as_bytes())?;
        let (date, subject) = (escaped(&mail.date), link(&name, &mail.subject));
        list.push_str(&format!("<tr><td>{date}</td><td>{subject}</td></tr>\n"));
    }
    list.push_str("</table>\n");
    let talk = page(&title, &conversation);
    write_file(&folder.join(CONVERSATION), talk.as_bytes())?;
    write_file(&folder.join("index.html"), page(&title, &list).as_bytes())?;
    Ok(first_report)
}

/// The page with all mails from and to a reader.
const CONVERSATION: &str = "conversation.html";

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
        if !file.exists() && !is_linked(&dir.join(game).join("maps"), &picture.bytes, &file) {
            write_file(&file, &picture.bytes)?;
        }
        places.push(format!("../maps/{name}"));
    }
    Ok(places)
}

/// Whether a file with this content could get a second name: the same file under two names takes half the space.
fn is_linked(folder: &Path, bytes: &[u8], name: &Path) -> bool {
    let Ok(files) = fs::read_dir(folder) else {
        return false;
    };
    let mut same = files.flatten().filter(|file| {
        let length = file.metadata().map(|about| about.len());
        length.is_ok_and(|length| length == bytes.len() as u64)
            && fs::read(file.path()).is_ok_and(|content| content == bytes)
    });
    same.any(|file| fs::hard_link(file.path(), name).is_ok())
}

fn write_file(file: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(file, bytes).with_context(|| format!("cannot write {}", file.display()))
}
