//! The questions of the keeper and their answers, the same with and without a daemon.

use std::sync::mpsc::Sender;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use serde::{Deserialize, Serialize};

use super::event::Event;
use super::keeper_acts::{ActMode, KeeperOutcome, KeeperReport};
use super::outbox_texts::{self, SendingState};
use super::people::{self, UserFacts};
use super::published::SiteState;
use super::query_error::QueryError;
use super::sender_thread::Waker;
use super::status::Status;
use super::{exported, game_texts, published, record_page, set_aside, verified};
use crate::clock::Clock;
use crate::config::Config;
use crate::pages::site::{SiteContents, SiteFile};
use dipjudge_drawing::{self as drawing, Svg};
use dipjudge_judge::{Judge, KeeperAct};
use dipjudge_mails::outbound::Templates;
use dipjudge_store::{Store, StoreError};

/// A question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case")]
pub enum Question {
    /// All games.
    Games,
    /// One game as its master would see it.
    Show {
        /// Its name.
        game: String,
    },
    /// One game in the saved-game format.
    Export {
        /// Its name.
        game: String,
        /// Only what this power may know; else as the master sees it.
        as_power: Option<String>,
    },
    /// The proof of a game that stays over.
    Proof {
        /// Its name.
        game: String,
    },
    /// The board of one game as a picture.
    Map {
        /// Its name.
        game: String,
        /// Which phase; else the board as it stands.
        phase: Option<String>,
        /// Only what this power may know; else as the master sees it.
        as_power: Option<String>,
        /// As PNG; else as SVG.
        png: bool,
    },
    /// The record of one game as a page of HTML.
    Record {
        /// Its name.
        game: String,
        /// What this power was told; else all of a game that is over.
        as_power: Option<String>,
    },
    /// Whether logs lead to the games as they are.
    Verify {
        /// The names of the games; of all games if there are none.
        games: Vec<String>,
    },
    /// The files of the site of the public games.
    Site {
        /// Whether the manual is among them.
        contents: SiteContents,
    },
    /// The status of the judge.
    Status,
    /// The status, after everything in the outbox was made due.
    Retry,
    /// The mails that wait or were given up.
    Outbox,
    /// One of them, without its words.
    ShowOutbox {
        /// Its number.
        number: u64,
    },
    /// One of them is to be tried again now.
    RetryOutbox {
        /// Its number.
        number: u64,
    },
    /// One of them is to be removed.
    DropOutbox {
        /// Its number.
        number: u64,
    },
    /// The messages set aside.
    SetAside,
    /// One of them, passwords struck out.
    ShowSetAside {
        /// Its number.
        number: u64,
    },
    /// One of them is to be read again.
    RetrySetAside {
        /// Its number.
        number: u64,
    },
    /// One of them is to be removed.
    DeleteSetAside {
        /// Its number.
        number: u64,
    },
    /// The people whom the judge knows, or one of them.
    Users {
        /// One of the addresses of a person; `None` asks for everybody.
        address: Option<String>,
    },
    /// All that is kept about somebody, as JSON.
    UserData {
        /// One of his addresses.
        address: String,
    },
    /// Something is to be done.
    Act {
        /// What.
        act: KeeperAct,
        /// Whether it takes effect.
        mode: ActMode,
    },
    /// A copy of the store.
    Backup,
}

/// An answer, or a piece of a long one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// Text to print.
    Text(String),
    /// The status of the judge.
    Status(Box<Status>),
    /// What an act has done.
    Done(KeeperReport),
    /// People.
    Users(Vec<UserFacts>),
    /// A picture: the bytes of its file.
    Picture(Vec<u8>),
    /// The files of a site.
    Files(Vec<SiteFile>),
    /// A piece of a backup.
    Part(String),
    /// The backup is complete.
    End,
    /// Why there is no answer; a sentence part.
    Failed(String),
}

/// Everything that is needed to answer.
#[derive(Debug, Clone)]
pub struct KeeperQueries {
    /// The judge.
    pub judge: Arc<RwLock<Judge>>,
    /// The store.
    pub store: Arc<Store>,
    /// The templates of the mails.
    pub templates: Templates,
    /// The config.
    pub config: Arc<Config>,
    /// Wakes the sender of the daemon; `None` without a daemon.
    pub sender: Option<Waker>,
    /// The daemon, which does acts in order with mail; `None` without a daemon.
    pub acts: Option<Sender<Event>>,
}

impl KeeperQueries {
    /// What the site of the public games would be written from.
    pub(super) fn site_state(&self) -> SiteState {
        SiteState::of(&self.read())
    }

    /// The judge, to be read. Nothing is changed by that, so a judge that panicked can still be read.
    pub fn read(&self) -> RwLockReadGuard<'_, Judge> {
        self.judge.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answers every question except [`Question::Backup`], for which there is [`KeeperQueries::backup`].
    pub fn answer(&self, question: &Question) -> Answer {
        if let Question::Act { act, mode } = question {
            return match self.act(act, *mode) {
                KeeperOutcome::Done(report) => Answer::Done(report),
                KeeperOutcome::Refused(why) => Answer::Failed(why),
            };
        }
        let judge = self.read();
        let text = match question {
            Question::Games => game_texts::games(&judge, &self.templates),
            Question::Show { game } => game_texts::show(&judge, &self.templates, game),
            Question::Export { game, as_power } => {
                exported::export(&judge, &self.store, game, as_power.as_deref())
            }
            Question::Proof { game } => exported::proof(&judge, &self.store, game),
            Question::Map {
                game,
                phase,
                as_power,
                png,
            } => {
                let (phase, as_power) = (phase.as_deref(), as_power.as_deref());
                let picture =
                    exported::map(&judge, &self.store, game, phase, as_power).and_then(|svg| {
                        if *png {
                            png_bytes(&svg)
                        } else {
                            Ok(svg_bytes(&svg))
                        }
                    });
                return match picture {
                    Ok(bytes) => Answer::Picture(bytes),
                    Err(error) => Answer::Failed(error.to_string()),
                };
            }
            Question::Record { game, as_power } => {
                record_page::record_page(&judge, &self.store, game, as_power.as_deref())
            }
            Question::Site { contents } => {
                return match published::site(&judge, &self.store, &self.templates, *contents) {
                    Ok(files) => Answer::Files(files),
                    Err(error) => Answer::Failed(error.to_string()),
                };
            }
            Question::Verify { games } => {
                drop(judge);
                verified::verify(&self.judge, &self.store, games)
            }
            Question::Status => return self.status(&judge),
            Question::Retry => match self.retry() {
                Ok(()) => return self.status(&judge),
                Err(error) => Err(error.into()),
            },
            Question::Outbox => outbox_texts::list(&self.store),
            Question::ShowOutbox { number } => outbox_texts::show(&self.store, *number),
            Question::RetryOutbox { number } => {
                let now = Clock::System.now();
                let said = outbox_texts::retry(&self.store, *number, now, self.sending());
                if let Some(sender) = &self.sender {
                    sender.retry_now();
                }
                said
            }
            Question::DropOutbox { number } => {
                let now = Clock::System.now();
                outbox_texts::drop_mail(&self.store, *number, now, self.sending())
            }
            Question::SetAside => set_aside::list(&self.store, &self.config),
            Question::ShowSetAside { number } => {
                set_aside::show(&self.store, &self.config, *number)
            }
            Question::RetrySetAside { number } => {
                set_aside::retry(&self.store, &self.config, *number)
            }
            Question::DeleteSetAside { number } => {
                set_aside::delete(&self.store, &self.config, *number)
            }
            Question::Users { address } => {
                return match people::users(&judge, address.as_deref()) {
                    Ok(users) => Answer::Users(users),
                    Err(error) => Answer::Failed(error.to_string()),
                };
            }
            Question::UserData { address } => people::data(&judge, &self.store, address),
            // Acts are answered above.
            Question::Backup | Question::Act { .. } => Err(QueryError::Backup),
        };
        match text {
            Ok(text) => Answer::Text(text),
            Err(error) => Answer::Failed(error.to_string()),
        }
    }

    fn sending(&self) -> SendingState {
        if self.sender.is_some() {
            SendingState::Goes
        } else {
            SendingState::Rests
        }
    }

    fn status(&self, judge: &Judge) -> Answer {
        let now = Clock::System.now();
        let daemon = self.sender.is_some();
        match Status::gather(judge, &self.store, &self.config, now, daemon) {
            Ok(status) => Answer::Status(Box::new(status)),
            Err(error) => Answer::Failed(error.to_string()),
        }
    }

    /// Makes everything in the outbox due, and what was given up, and wakes the sender.
    fn retry(&self) -> Result<(), StoreError> {
        let now = Clock::System.now();
        self.store.try_all_again(now)?;
        self.store.wake(now, &|_| true)?;
        if let Some(sender) = &self.sender {
            sender.retry_now();
        }
        Ok(())
    }

    /// Writes a copy of the store.
    ///
    /// # Errors
    /// If the store cannot be read or the writer fails.
    pub fn backup(&self, writer: &mut dyn std::io::Write) -> Result<(), StoreError> {
        self.store.backup(writer)
    }
}

fn svg_bytes(svg: &Svg) -> Vec<u8> {
    svg.text().into_bytes()
}

fn png_bytes(svg: &Svg) -> Result<Vec<u8>, QueryError> {
    let picture = drawing::png(svg).ok_or(QueryError::NoExtent)?;
    Ok(picture.png)
}
