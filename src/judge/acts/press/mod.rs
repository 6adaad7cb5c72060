//! Press: who may write to whom, and how each reader sees it (`judge-workflow.md` 5).
//!
//! A [`Request`] is what a player asks for. [`Request::clear`] makes a [`Cleared`] message of it, or refuses it by the
//! first of the checks in [`checks`] that fails. Only a cleared message can be sent.

mod as_read;
mod checks;
mod cleared;
mod postal;
mod rate;
mod reply_address;
pub(super) mod words;

use crate::acts::among_contacts;
use crate::work::GameWork;
use crate::work::acting::{ActOutcome, Acting, Refusal, refuse};
use checks::Draft;
use cleared::Cleared;
use dipjudge_commands::press_options::PressColor;
use dipjudge_game::{Fakes, Role, Settings};
use dipjudge_rules::map::Power;

pub(crate) use crate::session::letters_in_words::BEFORE_THE_START;
use postal::record as record_postal;

/// An addressee of press.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Address {
    Master,
    /// The leader of a power.
    Power(Power),
    Observers,
}

/// The recipients of a message, true or fake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum To {
    All,
    Only(Vec<Address>),
    AllBut(Vec<Address>),
}

/// Which recipients a message names to its readers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ShownRecipients {
    /// What the game's setting says.
    Default,
    True,
    Fake(To),
}

/// How much of a sent message the reply to the writer shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Echo {
    Copy,
    /// Only that it was sent.
    Brief,
}

/// A message as its writer requests it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    pub to: To,
    /// `None` for the game's default.
    pub color: Option<PressColor>,
    pub shown: ShownRecipients,
    pub echo: Echo,
    /// Whether it is a master's announcement.
    pub official: Option<Announcement>,
    pub text: String,
}

/// What makes press a master's announcement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Announcement {
    /// Its subject, if he gave one.
    pub subject: Option<String>,
}

const SENT_PLAIN: &str =
    "Press to or from the master is always signed and never faked, so I sent it that way.";

/// Sends a message and returns the echo for the writer's reply.
///
/// A refused message is sent to nobody.
pub(crate) fn send(work: &mut GameWork, acting: Acting, request: &Request) -> ActOutcome {
    let message = request.clear(work, acting)?;
    // Readers receive mails in the order of the events.
    work.send_notices();
    let readers = message.readers(work)?;
    message.count(work);
    message.note_broadcast(work);
    message.deliver(work, &readers);
    message.archive(work);
    Ok(message.receipt(work))
}

impl Request {
    /// Checks this request and returns the message to send.
    fn clear(&self, work: &GameWork, acting: Acting) -> Result<Cleared, Refusal> {
        let Some(writer) = work.game().seat(acting.seat) else {
            return refuse("Sign on to a game to write press.");
        };
        let draft = Draft {
            acting,
            writer,
            request: self,
        };
        let message = if writer.role == Role::Master || self.is_to_masters_alone() {
            draft.clear_plain()
        } else {
            draft.pass(work, &checks::OF_PLAYERS_PRESS)?;
            draft.clear_as_asked(work)
        };
        draft.pass(work, &checks::OF_ALL_PRESS)?;
        Ok(message)
    }

    fn is_to_masters_alone(&self) -> bool {
        self.to == To::Only(vec![Address::Master])
    }
}

impl Draft<'_> {
    /// A message from or to a master alone is always white and true, whatever the request says.
    fn clear_plain(&self) -> Cleared {
        let request = self.request;
        let asked_otherwise = request.color == Some(PressColor::Grey)
            || matches!(request.shown, ShownRecipients::Fake(_));
        Cleared {
            acting: self.acting,
            writer: self.writer.clone(),
            to: request.to.clone(),
            color: PressColor::White,
            fake: None,
            echo: request.echo,
            official: request.official.clone(),
            text: request.text.clone(),
            note: asked_otherwise.then_some(SENT_PLAIN),
        }
    }

    fn clear_as_asked(&self, work: &GameWork) -> Cleared {
        let settings = &work.game().settings;
        let to = if among_contacts::writes_among_contacts(work, self.acting) {
            among_contacts::addressed(work, self.acting, &self.request.to)
        } else {
            self.request.to.clone()
        };
        Cleared {
            acting: self.acting,
            writer: self.writer.clone(),
            to,
            color: self.color(settings),
            fake: self.fake(settings),
            echo: self.request.echo,
            official: self.request.official.clone(),
            text: self.request.text.clone(),
            note: None,
        }
    }

    /// The requested color, or the game's default for this writer.
    fn color(&self, settings: &Settings) -> PressColor {
        if let Some(color) = self.request.color {
            return color;
        }
        let default_is_grey = if settings.white && settings.grey {
            settings.grey_first
        } else {
            settings.grey
        };
        if default_is_grey && self.writer.role == Role::Player {
            PressColor::Grey
        } else {
            PressColor::White
        }
    }

    /// The recipients that readers see in place of the true ones.
    fn fake(&self, settings: &Settings) -> Option<To> {
        match &self.request.shown {
            ShownRecipients::Fake(to) => Some(to.clone()),
            ShownRecipients::True => None,
            ShownRecipients::Default => {
                let by_default =
                    settings.fakes == Fakes::BroadcastByDefault && self.request.to != To::All;
                by_default.then_some(To::All)
            }
        }
    }
}
