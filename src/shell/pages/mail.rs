//! A mail as a page: its HTML part, or else its text, with its pictures.

use mail_parser::{MessageParser, MimeHeaders, PartType};

use super::page;
use dipjudge_view::markup::escaped;

/// What is shown of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownMail {
    /// Its subject.
    pub subject: String,
    /// Its date in UTC: `2026-12-01 22:06`.
    pub date: String,
    /// The address of its reader.
    pub to: String,
    /// Its id, without angle brackets.
    pub id: Option<String>,
    /// The id of the mail that it answers.
    pub answers: Option<String>,
    html: Option<String>,
    text: String,
    /// Its pictures.
    pub pictures: Vec<MailImage>,
    /// The entry for a calendar that came with it.
    pub calendar: Option<String>,
}

/// A picture in a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailImage {
    /// The id by which the HTML part refers to it.
    id: Option<String>,
    /// The extension of its file name: `png`.
    pub ending: String,
    /// The image.
    pub bytes: Vec<u8>,
}

/// Parses a mail; `None` if the bytes are no message.
pub fn read(bytes: &[u8]) -> Option<ShownMail> {
    let message = MessageParser::default().parse(bytes)?;
    let html = message.parts.iter().find_map(|part| match &part.body {
        PartType::Html(html) => Some(html.to_string()),
        _ => None,
    });
    let pictures = message.parts.iter().filter_map(|part| {
        let kind = part.content_type().filter(|kind| kind.ctype() == "image")?;
        let ending = kind.subtype().unwrap_or_default();
        let ending = ending.chars().filter(char::is_ascii_alphanumeric);
        Some(MailImage {
            id: part.content_id().map(str::to_owned),
            ending: ending.collect(),
            bytes: part.contents().to_vec(),
        })
    });
    let mut calendars = message.parts.iter().filter(|part| {
        let kind = part.content_type();
        kind.is_some_and(|kind| kind.subtype() == Some("calendar"))
    });
    let calendar = calendars.next();
    let date = message.date().map(|date| {
        let (year, month, day) = (date.year, date.month, date.day);
        format!(
            "{year:04}-{month:02}-{day:02} {:02}:{:02}",
            date.hour, date.minute
        )
    });
    let to = message.to().and_then(|to| to.first()?.address());
    Some(ShownMail {
        subject: message.subject().unwrap_or_default().to_owned(),
        date: date.unwrap_or_default(),
        to: to.unwrap_or_default().to_owned(),
        id: message.message_id().map(str::to_owned),
        answers: message.in_reply_to().as_text().map(str::to_owned),
        html,
        text: message
            .body_text(0)
            .unwrap_or_default()
            .replace("\r\n", "\n"),
        pictures: pictures.collect(),
        calendar: calendar.map(|part| String::from_utf8_lossy(part.contents()).into_owned()),
    })
}

impl ShownMail {
    /// The words of a mail that this one answers, as HTML, to stand above it.
    pub fn quoted_above(&self, who: &str) -> String {
        // Without style sheets, since it is also put into the HTML of a mail.
        format!(
            "<p>{}, {} UTC, wrote:</p>\n<pre style=\"white-space:pre-wrap;border-left:3px solid #888;padding-left:0.8em\">{}</pre>\n<p>The judge answers:</p>\n",
            escaped(who),
            escaped(&self.date),
            escaped(self.text.trim_end())
        )
    }

    /// The mail as a part of a conversation; `places` are the addresses of the pictures.
    pub fn in_conversation(&self, places: &[String]) -> String {
        format!(
            "<h2>{}</h2>\n<p>{} UTC</p>\n{}<pre>{}</pre>\n",
            escaped(&self.subject),
            escaped(&self.date),
            remaining_pictures(places, &vec![false; places.len()]),
            escaped(self.text.trim_end())
        )
    }

    /// The page. `above` and `below` are HTML around the mail, such as links to other mails; `places` are the addresses of
    /// the pictures.
    pub fn page(&self, above: &str, below: &str, places: &[String]) -> String {
        let subject = escaped(&self.subject);
        let head = format!(
            "{above}<h1 style=\"font-size:1.2rem\">{subject}</h1>\n<p>To {}, {} UTC</p>\n",
            escaped(&self.to),
            escaped(&self.date)
        );
        let mut shown = vec![false; places.len()];
        let Some(html) = &self.html else {
            let text = format!("<pre>{}</pre>\n", escaped(&self.text));
            let pictures = remaining_pictures(places, &shown);
            return page(&self.subject, &format!("{head}{text}{pictures}{below}"));
        };
        let mut html = html.clone();
        for ((picture, place), shown) in self.pictures.iter().zip(places).zip(&mut shown) {
            let name = picture.id.as_ref().map(|id| format!("cid:{id}"));
            if let Some(name) = name.filter(|name| html.contains(name)) {
                html = html.replace(&name, &escaped(place));
                *shown = true;
            }
        }
        let pictures = remaining_pictures(places, &shown);
        with_head_and_foot(&html, &head, &format!("{pictures}{below}"))
    }
}

/// The pictures that are not in the HTML part.
fn remaining_pictures(places: &[String], shown: &[bool]) -> String {
    let left = places.iter().zip(shown).filter(|(_, shown)| !**shown);
    left.map(|(place, _)| format!("<p><img src=\"{}\" alt=\"Map\"></p>\n", escaped(place)))
        .collect()
}

/// A page with additions at the start and the end of its body.
fn with_head_and_foot(html: &str, above: &str, below: &str) -> String {
    let small = html.to_ascii_lowercase();
    let begin = small
        .find("<body")
        .and_then(|at| Some(at + small.get(at..)?.find('>')? + 1))
        .unwrap_or(0);
    let end = small.rfind("</body").filter(|end| *end >= begin);
    let end = end.unwrap_or(html.len());
    let part = |range: std::ops::Range<usize>| html.get(range).unwrap_or_default();
    format!(
        "{}\n{above}{}{below}{}",
        part(0..begin),
        part(begin..end),
        part(end..html.len())
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use dipjudge_mails::outbound::{self, Image, Parts, Stamp, Text, letter};

    fn mail(html: bool, picture: bool) -> ShownMail {
        let picture = picture.then(|| outbound::Picture {
            image: Image::png(vec![1, 2, 3]),
            width: 9,
            height: 7,
            alt: "Map".into(),
        });
        let parts = Parts {
            html,
            picture,
            calendar: None,
        };
        let stamp = Stamp::plain(
            "USXX",
            "judge@example.org",
            "anna@example.org",
            "<x@example.org>".into(),
            "2026-12-01T22:06:00Z".parse().unwrap(),
        );
        let letter = letter(
            &Text::new("S1901M Results", "Paris <b>\n"),
            &parts,
            &stamp,
            "0123456789abcdef",
        );
        read(&letter.unwrap().bytes()).unwrap()
    }

    #[test]
    fn a_mail_without_html_is_its_text_with_its_picture_below() {
        let shown = mail(false, true);
        assert_eq!(
            (shown.pictures.len(), shown.date.as_str()),
            (1, "2026-12-01 22:06")
        );
        let page = shown.page("<nav>n</nav>", "<p>end</p>", &["../maps/1.png".to_owned()]);
        for part in [
            "<nav>n</nav><h1",
            "<p>To anna@example.org, 2026-12-01 22:06 UTC</p>",
            "<pre>Paris &lt;b&gt;\n",
            "<img src=\"../maps/1.png\"",
            "<p>end</p></body>",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
    }

    #[test]
    fn the_html_part_is_shown_with_its_picture_from_a_file() {
        let page = mail(true, true).page("<nav>n</nav>", "", &["m.png".to_owned()]);
        assert!(
            page.contains("<body class=\"page\"") && page.contains(">\n<nav>n</nav>"),
            "{page}"
        );
        assert!(
            page.contains("<img src=\"m.png\"") && !page.contains("cid:"),
            "{page}"
        );
        assert!(!page.contains("<pre>"));
        assert_eq!(page.matches("<img").count(), 1);
        let without = mail(true, false).page("", "<p>end</p>", &[]);
        assert!(without.contains("<p>end</p></body>"), "{without}");
    }
}
