//! Mails written: what a reader may know (`view`) made into the text of a mail, and that into the bytes of a message.
//!
//! A mail's words lie in `mailtemplates/`; the lines that mapping tools read are made by `wording` and `tables`.

mod attachments;
mod calendar;
mod document;
mod endings;
mod filters;
mod fixed_tables;
mod heading;
mod letter;
mod listing;
mod map_page;
mod notices;
mod pages;
mod phase;
mod press;
mod receipt;
mod sections;
mod sight;
mod start;
mod tables;
mod templates;
mod wording;
mod wrap;

#[cfg(test)]
mod golden;
#[cfg(test)]
mod html_parts;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod samples_blind;

pub use calendar::{CalendarMethod, Entry, calendar_entry};
pub use document::{Block, Document, Fixed, Named, Shown, Side, Table};
pub use endings::{Ending, NamedPower, game_over};
pub use heading::codes_in_subject;
pub use letter::{LetterError, Stamp, letter};
pub use listing::{
    History, HistoryEnd, HistoryEntry, Person, Registration, history, list_brief, list_full,
    parameter_block, summary, user_registered, whogame,
};
pub use map_page::{MapBorder, MapPage, MapPower, MapProvince, map_page};
pub use notices::{
    LateCopy, forming_waiting, keeper_notice, late_notice, notice, reminder, stranger_notice,
    waiting_for_replacements,
};

pub use attachments::{CalendarPart, Image, Letter, Parts, Picture, Shared, joined};
pub use pages::{near_pages, package, page, page_mail, page_names};
pub use phase::{pending_orders, phase_report, phase_section};
pub use press::{
    Addressee, Audience, Head, PressMail, Sender, player_words, press, press_accepted, press_echo,
};
pub use receipt::{Answer, FlagChange, Reply, reply};
pub use sections::sections;
pub use sight::{position_section, results};
pub use start::{NewLeader, game_start, new_leader};
pub use templates::{TemplateError, Templates};
pub use wrap::{wrap_line, wrap_text};

use dipjudge_view::{Heading, Viewer};
use templates::Filled;

/// Bytes of an HTML part. Gmail cuts longer ones off.
const MOST_HTML: usize = 100_000;

/// A mail for one reader, not yet addressed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// For whom it was written; `None` where it says nothing of any game. Set from the heading and by nothing else, and
    /// looked at once more before it is posted.
    reader: Option<Viewer>,
    /// The subject line, decoded.
    pub subject: String,
    /// What it says, of which plain text and HTML are made.
    pub document: Document,
    /// For the keeper's log: an edited template that failed, for which the default stood in.
    pub fault: Option<String>,
    /// A map that goes with it.
    pub picture: Option<Picture>,
}

impl Text {
    /// A mail with this subject, whose body are lines as they are.
    pub fn new(subject: impl Into<String>, body: impl Into<String>) -> Text {
        let body: String = body.into();
        let body = body.strip_suffix('\n').unwrap_or(&body);
        Text {
            reader: None,
            subject: subject.into(),
            document: Document::verbatim(body),
            fault: None,
            picture: None,
        }
    }

    /// The body in plain text: lines ended by `\n`.
    pub fn body(&self) -> String {
        format!("{}\n", self.document.text())
    }

    /// The body in HTML, a whole page, with the picture that comes with it; none where it would be too long for some mail
    /// clients, as a long HISTORY is: then the plain text is all.
    pub fn html(&self, picture: Option<&Shown>) -> Option<String> {
        let page = self.document.html(&self.subject, picture);
        Some(page).filter(|page| page.len() <= MOST_HTML)
    }

    /// Whether it may go to such a reader: it was written for one, or it tells of no game. A master may read what any
    /// other reads.
    pub fn may_go_to(&self, reader: Viewer) -> bool {
        reader == Viewer::Master || self.reader.is_none_or(|written| written == reader)
    }

    /// The same with another section behind it: a heading line and paragraphs, such as `Postal press`.
    pub fn with_section(mut self, heading: &str, text: &str) -> Text {
        self.document.push(Block::Heading(heading.to_owned()));
        self.document
            .append(Document::verbatim(text.trim_end_matches('\n')));
        self
    }

    /// A mail about a game: the block of its heading, then the filled template.
    fn about(heading: &Heading, tail: &str, filled: Filled) -> Text {
        Text {
            reader: Some(heading.reader),
            subject: heading::subject(heading, tail),
            document: headed(heading::block(heading), filled.document),
            fault: filled.fault,
            picture: None,
        }
    }
}

/// A document with another before it.
fn headed(mut head: Document, rest: Document) -> Document {
    head.append(rest);
    head
}

/// A mail that could not be written. Tests see to it that the default templates never cause one.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// A template asked for something that its mail does not have.
    #[error("cannot fill mail template \"{name}\": {source}")]
    Template {
        /// The file's name.
        name: String,
        /// What went wrong.
        source: minijinja::Error,
    },
    /// There is no such template.
    #[error("no mail template \"{name}\"")]
    Missing {
        /// The file's name.
        name: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mail_goes_to_the_reader_it_was_written_for_or_to_a_master() {
        let heading = Heading {
            reader: Viewer::Observer,
            ..samples::heading("S1901M")
        };
        let text = notice(
            &Templates::built_in(),
            &heading,
            "Notice",
            Vec::<String>::new(),
        )
        .unwrap();
        assert!(text.may_go_to(Viewer::Observer) && text.may_go_to(Viewer::Master));
        assert!(!text.may_go_to(Viewer::Stranger));
        let page = page_mail("USXX", "press", "text");
        assert!(page.may_go_to(Viewer::Stranger) && page.may_go_to(Viewer::Observer));
    }
}
