//! Writes mails: turns what a reader may know (`view`) into the text of a mail, and the text into the bytes of a message.
//!
//! The words of mails are in `mailtemplates/`; the lines that mapping tools read are made by `wording` and `tables`.

mod answer;
mod attachments;
mod calendar;
mod clock_words;
mod document;
mod endings;
mod filters;
mod fixed_tables;
mod heading;
mod letter;
mod letter_error;
mod listing;
mod map_page;
mod next_step;
mod notices;
mod own_changes;
mod pages;
mod phase;
mod press;
mod receipt;
mod sections;
mod sight;
mod start;
mod tables;
mod templates;
mod tried;
mod wording;
mod wrap;

#[cfg(test)]
mod golden;
#[cfg(test)]
mod html_files;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod samples_blind;

pub use answer::{Answer, NOT_DONE_YET};
pub use calendar::{CalendarEntry, CalendarMethod, calendar_entry};
pub use document::{AnswerLink, Block, Document, FixedLines, HtmlPicture, NameList, Side, Table};
pub use endings::{Ending, NamedPower, game_over};
pub use heading::codes_in_subject;
pub use letter::{Stamp, letter};
pub use letter_error::LetterError;
pub use listing::{
    Followed, History, HistoryEnd, HistoryEntry, Newcomer, Person, Registration, history,
    list_brief, list_full, newcomer, parameter_block, rhythm, summary, user_registered, whogame,
};
pub use map_page::{MapBorder, MapPage, MapPower, MapProvince, map_page};
pub use notices::{
    LateCopy, forming_waiting, keeper_notice, late_notice, notice, reminder, stranger_notice,
    waiting_for_replacements,
};

pub use attachments::{
    CalendarPart, Image, Letter, PICTURE_BYTES, Parts, Picture, Shared, UndrawnImage, joined,
};
pub use next_step::{AnswerAddress, HowMuch, asked_answer, next_step, split_next_step};
pub use own_changes::split_at_headline;
pub use pages::{near_pages, package, page, page_mail, page_names};
pub use phase::{pending_orders, phase_section};
pub use press::{
    Addressee, Audience, HeadlineForm, PressMail, Sender, player_words, press, press_accepted,
    press_copy, press_echo,
};
pub use receipt::{FlagChange, Reply, reply};
pub use sections::sections;
pub use sight::{position_section, results};
pub use start::{NewLeader, game_start, new_leader};
pub use templates::{TemplateError, Templates};
pub use tried::{TrialNote, orders_told_section, reckoning_section, trial_section};
pub use wrap::{indented, wrap_line, wrap_text};

use dipjudge_view::{Heading, NextStep, ReadyAnswer, Viewer};
use templates::Filled;

/// The longest HTML part, in bytes. Gmail cuts off longer ones.
const MAX_HTML_BYTES: usize = 100_000;

/// A mail for one reader, not yet addressed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// For whom it was written; `None` if it tells of no game. Set from the heading only, and checked again before the mail is
    /// posted.
    reader: Option<Viewer>,
    /// The subject line, decoded.
    pub subject: String,
    /// The body, from which plain text and HTML are made.
    pub document: Document,
    /// For the keeper's log: why an edited template failed and the default was used instead.
    pub fault: Option<String>,
    /// The map sent with it.
    pub picture: Option<Picture>,
    /// The answer that the mail itself asks for: then its end asks for no other.
    pub asks: Option<ReadyAnswer>,
    /// How a letter is answered; its end says that in place of what its reader may do next.
    pub answering: Option<NextStep>,
}

impl Text {
    /// A mail with this subject and these lines as its body.
    pub fn new(subject: impl Into<String>, body: impl Into<String>) -> Text {
        let body: String = body.into();
        let body = body.strip_suffix('\n').unwrap_or(&body);
        Text {
            reader: None,
            subject: subject.into(),
            document: Document::verbatim(body),
            fault: None,
            picture: None,
            asks: None,
            answering: None,
        }
    }

    /// The body in plain text: lines ended by `\n`.
    pub fn body(&self) -> String {
        format!("{}\n", self.document.text())
    }

    /// The body as an HTML page with its picture. `None` if the page is longer than mail clients show, as for a long HISTORY;
    /// the mail is then plain text only.
    pub fn html(&self, picture: Option<&HtmlPicture>) -> Option<String> {
        let page = self.document.html(&self.subject, picture);
        (page.len() <= MAX_HTML_BYTES).then_some(page)
    }

    /// Whether this reader may get the mail: it was written for him, or tells of no game. A master may read every mail.
    pub fn may_go_to(&self, reader: Viewer) -> bool {
        reader == Viewer::Master || self.reader.is_none_or(|written| written == reader)
    }

    /// Appends a section: a heading and paragraphs, such as `Postal press`.
    pub fn with_section(mut self, heading: &str, text: &str) -> Text {
        self.document.push(Block::Heading(heading.to_owned()));
        self.document
            .append(Document::verbatim(text.trim_end_matches('\n')));
        self
    }

    /// A mail about a game: the head block, then the filled template.
    fn about(heading: &Heading, tail: &str, filled: Filled) -> Text {
        Text {
            reader: Some(heading.reader),
            subject: heading::subject(heading, tail),
            document: headed(heading::block(heading), filled.document),
            fault: filled.fault,
            picture: None,
            asks: None,
            answering: None,
        }
    }
}

/// Prepends `head` to `rest`.
fn headed(mut head: Document, rest: Document) -> Document {
    head.append(rest);
    head
}

/// Why a mail could not be written. Tests make sure that the default templates never cause this.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// A template uses a field that its mail does not have.
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
